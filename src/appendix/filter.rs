//! Broken rewritten links, whose syntax shows where they end.
//!
//! Safe Links and URL Defense replace each URL in a message with a link of their own that contains
//! the URL as a parameter. These links are longer than most lines, so mailers break them, often
//! several times. Their last parameter is always the same. So a broken link continues until that
//! parameter, regardless of the lines, and never after it.
//!
//! | link | ends after |
//! |---|---|
//! | `https://….safelinks.protection.outlook.com/?url=…` | `reserved=0` |
//! | `https://urldefense.proofpoint.com/v2/url?u=…` | `&e=` |
//! | `https://urldefense.com/v3/__…` | the first `$` after `__;` |

/// A kind of rewritten link.
struct RewrittenLink {
    /// The end of its host.
    host: &'static [u8],
    /// The start of its path.
    path: &'static [u8],
    /// The text before the last parameter, and its end.
    end: [&'static [u8]; 2],
}

const FILTERS: [RewrittenLink; 3] = [
    RewrittenLink { host: b".safelinks.protection.outlook.com", path: b"/", end: [b"?url=", b"reserved=0"] },
    RewrittenLink { host: b"urldefense.proofpoint.com", path: b"/v2/", end: [b"?u=", b"&e="] },
    RewrittenLink { host: b"urldefense.com", path: b"/v3/__", end: [b"__;", b"$"] },
];

/// Returns the end of the rewritten link that `url` starts with: `Some(None)` if its last parameter is
/// not in `url`, and `None` if it is not a filter's link.
pub(super) fn end(url: &[u8]) -> Option<Option<usize>> {
    let host = url.strip_prefix(b"https://").or(url.strip_prefix(b"http://"))?;
    let slash = memchr::memchr(b'/', host)?;
    let (host, path) = host.split_at(slash);
    let matches_link = |filter: &&RewrittenLink| host.ends_with(filter.host) && path.starts_with(filter.path);
    let [before, last] = FILTERS.iter().find(matches_link)?.end;
    let after = |at: usize, text: &[u8]| {
        let n = url[at..].windows(text.len()).position(|bytes| bytes == text)?;
        Some(at + n + text.len())
    };
    Some(after(url.len() - path.len(), before).and_then(|at| after(at, last)))
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
        for url in [
            "http://h.org/?u=a&e=b",
            "https://h.org",
            "https://urldefense.com/v2/a",
            "ftp://urldefense.com/v3/__",
        ] {
            assert_eq!(end(url.as_bytes()), None, "{url}");
        }
    }
}
