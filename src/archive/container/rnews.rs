//! Batches of news articles (RFC 5537 §3.11, and B News before it).
//!
//! A line `#! rnews N` is before each article, N being the length of the article in bytes. The
//! number is trusted if another such line, or the end of the file, is where it declares that the
//! article ends: then the article may contain such lines. If not, the article ends before the next
//! one.

use memchr::{memchr, memmem};

use super::format::{self, Format, Framing, Shape};
use super::mail::Verdict;
use crate::archive::header::field_at;

pub(super) static FRAMING: Framing = Framing {
    starts: b"#",
    name: Some(("rnews", "News articles after \"#! rnews\" lines")),
    before: Some(format::empty_lines),
    end,
    is_bounded: true,
    ..Framing::mail(Format::Rnews, begins, |bytes| Shape::Mail(announced(bytes).map_or(0, |(head, _)| head)))
};

const KEYWORD: &[u8] = b"#! rnews ";

/// The length of the longest line that can begin an article.
const ANNOUNCEMENT_LEN: usize = 64;

/// The number of bytes that decide whether a line begins an article if no length does: that line,
/// and the name of a field.
const MAX_EXAMINED: usize = 4 * ANNOUNCEMENT_LEN;

/// The length of the line that `bytes` begin with, and of the article that it announces; `None` if that line
/// begins no article.
fn announced(bytes: &[u8]) -> Option<(usize, usize)> {
    let start = &bytes[..bytes.len().min(ANNOUNCEMENT_LEN)];
    let rest = start.strip_prefix(KEYWORD)?;
    let end = memchr(b'\n', rest)?;
    Some((KEYWORD.len() + end + 1, format::announced_len(rest[..end].trim_ascii())?))
}

/// Returns whether `bytes` begin a batch: with the line that begins an article.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    match format::begins_with(KEYWORD, bytes, last) {
        Verdict::Yes if announced(bytes).is_some() => Verdict::Yes,
        Verdict::Yes if !last && !bytes.contains(&b'\n') => Verdict::Unknown,
        Verdict::Yes | Verdict::No => Verdict::No,
        Verdict::Unknown => Verdict::Unknown,
    }
}

/// Returns the offset at which the article at the beginning of `bytes` ends. `searched` is how many
/// bytes earlier calls have searched, and is advanced; `last` means that no more bytes are waited
/// for.
fn end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let declared = announced(bytes).and_then(|(head, len)| head.checked_add(len));
    let search = || next_article(bytes, searched, last);
    format::end_by_len(declared, bytes, ANNOUNCEMENT_LEN, last, |rest| announced(rest).is_some(), search)
}

/// Returns the offset at which the next article begins. The rest is as in [`end`].
fn next_article(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let mut at = *searched;
    // The first line that needs more bytes is examined again when they arrive.
    let mut unsure = None;
    while let Some(n) = memmem::find(&bytes[at..], b"\n#! rnews ") {
        let start = at + n + 1;
        let near = &bytes[start..bytes.len().min(start + MAX_EXAMINED)];
        if near.len() < MAX_EXAMINED {
            unsure.get_or_insert(start - 1);
            if !last {
                break;
            }
        }
        if announced(near).is_some_and(|(head, _)| field_at(&near[head..]).is_some()) {
            *searched = unsure.unwrap_or(start - 1);
            return Some(start);
        }
        at = start;
    }
    *searched = unsure.unwrap_or(at.max(bytes.len().saturating_sub(KEYWORD.len())));
    last.then_some(bytes.len())
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
            let (article, next) = rest.split_at(at);
            articles.push(article);
            rest = next;
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
    fn lines_that_resemble_an_announcement() {
        assert_eq!(announced(b"#! rnews is what a batch begins with\n"), None);
        assert_eq!(announced(b"#! rnews 12"), None);
        assert_eq!(announced(b"#! rnews 12\n"), Some((12, 12)));
    }

    /// The name of a field that is too long does not begin an article.
    #[test]
    fn the_length_of_a_name() {
        let announcement = "#! rnews 9999\n";
        let longest = MAX_EXAMINED - announcement.len() - 1;
        for (len, begins) in [(1, true), (longest, true), (longest + 1, false)] {
            let text = format!("a\n{announcement}{}: b\n\n{}", "A".repeat(len), "c".repeat(MAX_EXAMINED));
            let end = next_article(text.as_bytes(), &mut 0, true);
            assert_eq!(end, Some(if begins { 2 } else { text.len() }), "{len}");
        }
    }
}
