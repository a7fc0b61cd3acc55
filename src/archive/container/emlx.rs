//! Messages of Apple Mail: `.emlx` and `.partial.emlx`.
//!
//! The first line is the length of the message in bytes, in decimal, and spaces. After the message
//! is a property list in XML, with flags; it is not read. The length is trusted if that list, or
//! the end of the file, is where it declares that the message ends; if not, the message ends before
//! the last property list.

use memchr::memmem;

use super::format::{self, Format, Framing, LeadingGap, Shape};
use super::mail::{self, Verdict};

pub(super) static FRAMING: Framing = Framing {
    starts: b"0123456789",
    // All bytes after the message.
    between: Some(|rest| Some(LeadingGap { len: rest.bytes.len(), ended: false })),
    end: |bytes, _, last| end(bytes, last),
    ..Framing::mail(Format::Emlx, begins, |bytes| Shape::Mail(announced(bytes).map_or(0, |(head, _)| head)))
};

/// The length of the longest first line, with its line break.
const FIRST_LINE_LEN: usize = 32;

/// The beginning of a property list.
const XML: &[u8] = b"<?xml";
const PLIST: &[u8] = b"<!DOCTYPE plist";

/// The length of the line that `bytes` begin with, and of the message that it declares.
fn announced(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(FIRST_LINE_LEN)])?;
    Some((end + 1, format::announced_len(bytes[..end].trim_ascii_end())?))
}

/// Returns whether `bytes` begin such a file: a length, followed by a message.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    if let Some((head, _)) = announced(bytes) {
        return mail::begins(&bytes[head..], last);
    }
    let line = &bytes[..bytes.len().min(FIRST_LINE_LEN)];
    let may =
        line.len() < FIRST_LINE_LEN && line.iter().all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'\r'));
    if may && !last { Verdict::Unknown } else { Verdict::No }
}

/// Returns the offset at which the message at the beginning of `bytes`, or the rest of one, ends;
/// `last` means that no more bytes follow.
fn end(bytes: &[u8], last: bool) -> Option<usize> {
    if let Some(end) = announced(bytes).and_then(|(head, len)| head.checked_add(len)) {
        let rest = bytes.get(end..).unwrap_or_default();
        if rest.starts_with(XML) || (last && bytes.len() >= end && rest.trim_ascii().is_empty()) {
            return Some(end);
        }
    }
    // The last property list in the file follows the message.
    let list = || memmem::rfind(&bytes[..memmem::rfind(bytes, PLIST)?], XML);
    last.then(|| list().unwrap_or(bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"\">\n<plist/>\n";

    #[test]
    fn a_message_after_its_length() {
        assert_eq!(begins(b"18        \nTo: a\nSubject: b\n\n", false), Verdict::Yes);
        assert_eq!(begins(b"18\nTo: a\n", false), Verdict::Unknown);
        for (line, expected) in [
            ("1", Verdict::Unknown),
            ("18 ", Verdict::Unknown),
            ("18\r", Verdict::Unknown),
            ("18\t", Verdict::No),
            ("18a", Verdict::No),
        ] {
            assert_eq!(begins(line.as_bytes(), false), expected, "{line:?}");
            assert_eq!(begins(line.as_bytes(), true), Verdict::No, "{line:?} at the end");
        }
        assert_eq!(begins(b"18 apples\nTo: a\nSubject: b\n\n", false), Verdict::No);
        assert_eq!(begins(b"18\nand\nSubject: b\n\n", false), Verdict::No);
    }

    #[test]
    fn the_list_is_not_part_of_the_message() {
        for len in ["19", "19      ", "1", "999", "99999999999999999999"] {
            let message = "To: a\nSubject: b\n\nc";
            let text = format!("{len}\n{message}{LIST}");
            let expected = len.len() + 1 + message.len();
            assert_eq!(end(text.as_bytes(), true), Some(expected), "{len}");
            let without = format!("{len}\n{message}");
            assert_eq!(end(without.as_bytes(), true), Some(expected), "{len}");
        }
    }

    /// A length at which the file ends is right, even if the message itself contains a list.
    #[test]
    fn a_list_within_the_message() {
        let message = format!("To: a\nSubject: b\n\n{LIST}http://h.org/\n");
        for (len, expected) in [
            (message.len(), message.len()),
            // Only a line break follows.
            (message.len() - 1, message.len() - 1),
            (message.len() - 2, 18),
            (message.len() + 1, 18),
        ] {
            let text = format!("{len}\n{message}");
            let first = text.len() - message.len();
            assert_eq!(end(text.as_bytes(), true), Some(first + expected), "{len}");
        }
    }

    /// The longest first line, with its line break, and one byte more.
    #[test]
    fn the_length_of_the_first_line() {
        let mail = "To: a\nSubject: b\n\n";
        for (blanks, complete, cut) in [
            (FIRST_LINE_LEN - 3, Verdict::Yes, Verdict::Unknown),
            (FIRST_LINE_LEN - 2, Verdict::No, Verdict::No),
        ] {
            let line = format!("18{}", " ".repeat(blanks));
            assert_eq!(begins(format!("{line}\n{mail}").as_bytes(), true), complete, "{blanks}");
            assert_eq!(begins(line.as_bytes(), false), cut, "{blanks}");
            assert_eq!(begins(line.as_bytes(), true), Verdict::No, "{blanks}");
        }
    }
}
