//! The lines that delimit parts (RFC 2046 §5.1.1), and those that resemble them.

use std::iter;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::archive::header::{begins_with, field_at, line_end};

/// The beginning of a line that begins with `--`. The searcher is built once, because
/// building it takes longer than searching a short part.
static BEGINNING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\n--"));

/// The lines from `from` on, the beginning of a line, that begin with `--`.
pub(crate) fn delimiters(bytes: &[u8], from: usize) -> impl Iterator<Item = Range<usize>> {
    let first = bytes[from..].starts_with(b"--").then_some(from);
    let rest = move || BEGINNING.find_iter(&bytes[from..]).map(move |n| from + n + 1);
    first.into_iter().chain(iter::once_with(rest).flatten()).map(|start| start..line_end(bytes, start))
}

/// The content of a delimiter: the bytes after the `--`, without whitespace at the end.
pub(crate) fn content(line: &[u8]) -> &[u8] {
    line.get(2..).unwrap_or_default().trim_ascii_end()
}

/// The bytes after the boundary in the `content` of a delimiter: none, or two hyphens if
/// it closes the multipart. `None` if it does not have this boundary.
pub(crate) fn after_boundary<'l>(content: &'l [u8], boundary: &[u8]) -> Option<&'l [u8]> {
    // A line is compared with the boundaries of all open multiparts, up to a hundred. Nearly all differ in length.
    if !matches!(content.len().wrapping_sub(boundary.len()), 0 | 2) || boundary.is_empty() {
        return None;
    }
    let rest = content.strip_prefix(boundary)?;
    matches!(rest, b"" | b"--").then_some(rest)
}

/// Returns true if a line of `bytes` delimits the parts that have this boundary.
pub(crate) fn has_delimiter(bytes: &[u8], boundary: &[u8]) -> bool {
    delimiters(bytes, 0).any(|line| after_boundary(content(&bytes[line]), boundary).is_some())
}

/// Returns true if a Content field begins at `at`.
pub(crate) fn before_content(bytes: &[u8], at: usize) -> bool {
    let line = &bytes[at..];
    begins_with(line, b"content-") && field_at(&line[..line.len().min(64)]).is_some()
}

/// Returns true if there is a Content field in `text`.
pub(crate) fn has_content(text: &[u8]) -> bool {
    before_content(text, 0) || memchr::memchr_iter(b'\n', text).any(|n| before_content(text, n + 1))
}

/// Returns the offset at which the line before `end` ends without its line break, which belongs to
/// the delimiter after it; not before `from`.
pub(crate) fn before_break(bytes: &[u8], from: usize, end: usize) -> usize {
    let line = &bytes[from..end];
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    from + line.strip_suffix(b"\r").unwrap_or(line).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_fields() {
        for (text, expected) in [
            ("Content-Type: a\n", true),
            ("content-x: a", true),
            ("a\nCONTENT-ID: b\n", true),
            ("a\r\nContent-ID: b\r\n", true),
            ("", false),
            ("a\nb\nc\n", false),
            ("a Content-Type: b\n", false),
            ("a\n Content-Type: b\n", false),
            ("Content: a\n", false),
            ("Content-Type a\n", false),
            ("Content-Type\n: a\n", false),
        ] {
            assert_eq!(has_content(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn boundaries() {
        for (line, boundary, expected) in [
            ("--b", "b", Some("")),
            ("--b--", "b", Some("--")),
            ("--b-- \t\r", "b", Some("--")),
            ("----b", "--b", Some("")),
            ("--b-", "b", None),
            ("--bxy", "b", None),
            ("--B", "b", None),
            ("--", "", None),
            ("----", "", None),
            ("-", "b", None),
        ] {
            let found = after_boundary(content(line.as_bytes()), boundary.as_bytes());
            assert_eq!(found, expected.map(str::as_bytes), "{line:?} {boundary}");
        }
    }

    #[test]
    fn line_breaks_before_delimiters() {
        for (text, from, expected) in [
            ("a\r\n--b", 0, 1),
            ("a\n--b", 0, 1),
            ("a\r--b", 0, 1),
            ("a\n\n--b", 0, 2),
            ("\r\n--b", 1, 1),
            ("\n--b", 1, 1),
        ] {
            assert_eq!(before_break(text.as_bytes(), from, text.len() - 3), expected, "{text:?} {from}");
        }
    }
}
