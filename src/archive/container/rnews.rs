//! Batches of news articles (RFC 5537 §3.11, and B News before it).
//!
//! Before each article stands a line `#! rnews N`, N being the length of the
//! article in bytes. The number is believed if another such line, or the end,
//! stands where it says that the article ends: then an article can have such
//! lines in it. If not, the article ends before the next one.

use memchr::{memchr, memmem};

use crate::archive::header::{field_at, line_end};

const MARK: &[u8] = b"#! rnews ";

/// The length of the longest line that can begin an article.
const LONGEST: usize = 64;

/// How many bytes are looked at to tell whether a line begins an article if no
/// length says so: that line, and the name of a field.
const NEAR: usize = 4 * LONGEST;

/// The length of the article that the line at the beginning of `bytes` announces;
/// `None` if the line is none that does.
fn announced(bytes: &[u8]) -> Option<usize> {
    let start = &bytes[..bytes.len().min(LONGEST)];
    let rest = start.strip_prefix(MARK)?;
    let digits = rest[..memchr(b'\n', rest)?].trim_ascii();
    let number = std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_digit))?;
    // A number that is too large is a lie like any other.
    (!number.is_empty()).then(|| number.parse().unwrap_or(usize::MAX))
}

/// Whether `bytes` begin with the line that begins an article.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    announced(bytes).is_some()
}

/// Where the article ends that begins at the beginning of `bytes`. `from` is how
/// far earlier calls have looked, and is moved on; `last` says that there is no
/// waiting for more bytes.
pub(crate) fn end(bytes: &[u8], from: &mut usize, last: bool) -> Option<usize> {
    let head = head(bytes);
    if let Some(end) = announced(bytes).and_then(|len| head.checked_add(len)) {
        match bytes.get(end..) {
            Some(rest) if rest.is_empty() && last => return Some(end),
            Some(rest) if begins(rest) => return Some(end),
            // What follows is not all there yet.
            Some(rest) if rest.len() < LONGEST && !last => return None,
            None if !last => return None,
            _ => {}
        }
    }
    resync(bytes, from, last)
}

/// Where the next line begins that announces an article which begins with a header
/// field.
fn resync(bytes: &[u8], from: &mut usize, last: bool) -> Option<usize> {
    let mut at = *from;
    // The first of those of which more must be seen: if more comes, it is looked at
    // again.
    let mut unsure = None;
    while let Some(n) = memmem::find(&bytes[at..], b"\n#! rnews ") {
        let start = at + n + 1;
        let near = &bytes[start..bytes.len().min(start + NEAR)];
        if near.len() < NEAR {
            unsure.get_or_insert(start - 1);
            if !last {
                break;
            }
        }
        if begins(near) && field_at(&near[line_end(near, 0)..]).is_some() {
            *from = unsure.unwrap_or(start - 1);
            return Some(start);
        }
        at = start;
    }
    *from = unsure.unwrap_or(at.max(bytes.len().saturating_sub(MARK.len())));
    last.then_some(bytes.len())
}

/// Where the article begins behind the line that announces it, if there is one.
pub(crate) fn head(bytes: &[u8]) -> usize {
    if begins(bytes) { line_end(bytes, 0) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The articles of a batch, each with its announcement.
    fn articles(batch: &str) -> Vec<&str> {
        let mut rest = batch;
        let mut articles = Vec::new();
        while !rest.is_empty() {
            let at = end(rest.as_bytes(), &mut 0, true).unwrap();
            let (article, behind) = rest.split_at(at);
            articles.push(article);
            rest = behind;
        }
        articles
    }

    #[test]
    fn lengths_are_believed_if_they_are_right() {
        assert_eq!(
            articles("#! rnews 23\nA: b\n\n#! rnews 5\nC: d\n\n#! rnews 8\nA: b\n\nc\n"),
            ["#! rnews 23\nA: b\n\n#! rnews 5\nC: d\n\n", "#! rnews 8\nA: b\n\nc\n"]
        );
    }

    #[test]
    fn lengths_that_lie() {
        for lie in ["1", "6", "9", "10000", "99999999999999999999"] {
            let first = format!("#! rnews {lie}\nA: b\n\nc\n");
            let second = "#! rnews 8\nA: b\n\nd\n";
            assert_eq!(articles(&format!("{first}{second}")), [&first, second], "{lie}");
        }
    }

    #[test]
    fn what_looks_like_an_announcement() {
        assert!(!begins(b"#! rnews is what a batch begins with\n"));
        assert!(!begins(b"#! rnews 12"));
        assert!(begins(b"#! rnews 12\n"));
    }
}
