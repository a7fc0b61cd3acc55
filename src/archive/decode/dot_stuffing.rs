//! Dot-stuffing: the dots that NNTP and SMTP add to lines that begin with one.

use memchr::memmem;

use crate::archive::source_map::Decoded;

/// The text without the added dots; `None` if there are none.
///
/// RFC 3977 §3.1.1: "If any line of the data block begins with the
/// "termination octet" ("." or %x2E), that line MUST be "dot-stuffed" by
/// prepending an additional termination octet to that line".
pub(crate) fn unstuff(bytes: &[u8]) -> Option<Decoded> {
    let first = bytes.starts_with(b"..").then_some(0);
    let rest = memmem::find_iter(bytes, b"\n..").map(|n| n + 1);
    let mut stuffed = first.into_iter().chain(rest).peekable();
    stuffed.peek()?;
    let mut decoded = Decoded::default();
    let mut from = 0;
    for dot in stuffed {
        decoded.copy(bytes, from..dot);
        from = dot + 1;
    }
    decoded.copy(bytes, from..bytes.len());
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unstuffed(text: &str) -> Option<String> {
        unstuff(text.as_bytes()).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
    }

    #[test]
    fn the_first_of_two_dots_is_removed() {
        assert_eq!(unstuffed("..a\n...\n..\nb..c\n.d\n").as_deref(), Some(".a\n..\n.\nb..c\n.d\n"));
        assert_eq!(unstuffed("a\n.b ..c\n"), None);
    }
}
