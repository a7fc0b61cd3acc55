//! Links of mail filters, which say themselves where they end.
//!
//! Safelinks and URL Defense replace each URL of a mail by a link of their own that has it as a parameter. These links
//! are longer than any line, so that mailers cut them, often several times; and the last of their parameters is always
//! the same. So a cut one goes on until that is there, whatever the lines look like, and never after it.
//!
//! | link | ends after |
//! |---|---|
//! | `https://….safelinks.protection.outlook.com/?url=…` | `reserved=0` |
//! | `https://urldefense.proofpoint.com/v2/url?u=…` | `&e=` |
//! | `https://urldefense.com/v3/__…` | the first `$` after `__;` |

use memchr::memmem;

/// How far from its start the host of a URL may be, in bytes.
const HEAD: usize = 80;

/// A link of a mail filter: what its start has, in order, and what its end.
struct Filter {
    start: &'static [u8],
    end: [&'static [u8]; 2],
}

const FILTERS: [Filter; 3] = [
    Filter { start: b".safelinks.protection.outlook.com/", end: [b"?url=", b"reserved=0"] },
    Filter { start: b"://urldefense.proofpoint.com/v2/", end: [b"?u=", b"&e="] },
    Filter { start: b"://urldefense.com/v3/__", end: [b"__;", b"$"] },
];

/// Where the link that `url` starts with ends: `Some(None)` if not in `url`. `None` if it is not one of a filter.
pub(super) fn end(url: &[u8]) -> Option<Option<usize>> {
    let head = &url[..url.len().min(HEAD)];
    FILTERS.iter().find_map(|filter| {
        let start = memmem::find(head, filter.start)? + filter.start.len();
        let after = |at: usize, mark: &[u8]| Some(at + memmem::find(&url[at..], mark)? + mark.len());
        // The last but one byte of the start may be the first of what follows.
        let first = after(start - 1, filter.end[0]);
        Some(first.and_then(|at| after(at, filter.end[1])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_end_after_their_last_parameter() {
        for (url, rest) in [
            ("https://a.safelinks.protection.outlook.com/?url=b&data=c&reserved=0", "x"),
            ("https://urldefense.proofpoint.com/v2/url?u=http-3A__h.org&d=a&e=", "Regards"),
            ("https://urldefense.com/v3/__http://h.org/a__;Iw!!LpKI!w$", " [h[.]org]"),
        ] {
            assert_eq!(end(format!("{url}{rest}").as_bytes()), Some(Some(url.len())), "{url}");
            assert_eq!(end(&url.as_bytes()[..url.len() - 1]), Some(None), "{url}");
        }
        assert_eq!(end(b"http://h.org/?u=a&e=b"), None);
    }
}
