//! Babyl mailboxes, the format of RMAIL, the mail reader of Emacs.
//!
//! ```text
//! BABYL OPTIONS: -*- rmail -*-
//! Version: 5
//! ^_^L
//! 1, answered,,
//! the head as it came
//!
//! *** EOOH ***
//! the head as it is shown
//!
//! the body
//! ^_
//! ```
//!
//! The visible header repeats fields of the original one, which is read instead; if it is empty, as
//! before a message that was never shown, the head after the mark is the original. Neither the
//! options of the mailbox nor the labels of a message are read.

use memchr::memmem;

use super::format::{self, Buffered, Format, Framing, LeadingGap, Shape};
use super::mail::Verdict;
use crate::archive::header::{HeaderFields, empty_line_end, line_end};

pub(super) static FRAMING: Framing = Framing {
    starts: b"B",
    before: Some(gap),
    between: Some(gap),
    end,
    ..Framing::mail(Format::Babyl, begins, shape)
};

const MAGIC: &[u8] = b"BABYL OPTIONS:";

/// End of original header.
const EOOH: &[u8] = b"\n*** EOOH ***";

/// The number of bytes that decide whether a line separates messages.
const SEPARATOR_LEN: usize = b"\n\x1f\x0c\r\n".len();

/// Returns whether `bytes` begin such a mailbox: with its options, followed by a message or the end
/// of the last one.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    if bytes.starts_with(MAGIC) && memmem::find(bytes, b"\n\x1f").is_some() {
        return Verdict::Yes;
    }
    let may = bytes.starts_with(MAGIC) || MAGIC.starts_with(bytes);
    if may && !last { Verdict::Unknown } else { Verdict::No }
}

/// The length of the line that `bytes` begin with, if it separates messages.
fn separator(bytes: &[u8]) -> Option<usize> {
    match bytes.strip_prefix(b"\x1f\x0c")? {
        [b'\n', ..] => Some(3),
        [b'\r', b'\n', ..] => Some(4),
        _ => None,
    }
}

/// The bytes before the next message: up to a line that separates messages.
fn gap(Buffered { bytes, last, .. }: Buffered<'_>) -> Option<LeadingGap> {
    let at_line = |&at: &usize| at == 0 || bytes[at - 1] == b'\n';
    let mut lines = memchr::memchr_iter(0x1f, bytes).filter(at_line);
    if let Some(len) = lines.find_map(|at| separator(&bytes[at..]).map(|len| at + len)) {
        return Some(LeadingGap { len, ended: true });
    }
    let kept = if last { 0 } else { SEPARATOR_LEN - 1 };
    Some(LeadingGap { len: bytes.len().saturating_sub(kept), ended: last })
}

/// Returns the offset at which the message at the beginning of `bytes` ends: before a line that
/// separates messages, or the last byte of the mailbox. `searched` is how many bytes earlier calls
/// have searched, and is advanced; `last` means that no more bytes follow.
fn end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let delimits = |rest: &[u8]| match separator(rest) {
        Some(_) => Verdict::Yes,
        // The end of the mailbox.
        None if last && matches!(rest, b"\x1f" | b"\x1f\n" | b"\x1f\r\n" | b"\x1f\x0c" | b"\x1f\x0c\r") => {
            Verdict::Yes
        }
        None if !last && rest.len() < SEPARATOR_LEN - 1 => Verdict::Unknown,
        None => Verdict::No,
    };
    format::end_before(b"\n\x1f", delimits, bytes, searched, last)
}

/// Returns the positions of the parts of a message, which begins with the line of its labels: the
/// original header, and the body after the other header.
fn shape(bytes: &[u8]) -> Shape {
    let head = line_end(bytes, 0);
    let from = head.saturating_sub(1);
    let mut marks = memmem::find_iter(&bytes[from..], EOOH).map(|n| from + n + 1);
    let is_line = |&at: &usize| bytes[at..line_end(bytes, at)].trim_ascii_end().len() == EOOH.len() - 1;
    let Some(head_end) = marks.find(is_line) else { return Shape::Mail(head) };
    let shown = line_end(bytes, head_end);
    let original = HeaderFields::new(&bytes[..head_end], head).any(|field| !field.name(bytes).is_empty());
    if !bytes.starts_with(b"1") || !original {
        return Shape::Mail(shown);
    }
    // The header that is shown may be empty.
    Shape::Detached { head, head_end, body: empty_line_end(bytes, shown - 1).unwrap_or(bytes.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_end_before_their_separators() {
        for text in [
            &b"1,,\nTo: a\n\n\x1f?\n\x1f\x0c\n0,,\n"[..],
            b"1,,\nTo: a\n\n\x1f?\n\x1f",
            b"1,,\nTo: a\n\n\x1f?\n\x1f\r\n",
        ] {
            for cut in 0..=text.len() {
                let mut searched = 0;
                let early = end(&text[..cut], &mut searched, false);
                assert!(matches!(early, None | Some(14)), "{cut}: {early:?}");
                assert_eq!(end(text, &mut searched, true), Some(14), "{cut}");
            }
        }
    }

    #[test]
    fn options_are_skipped() {
        let text = b"BABYL OPTIONS:\nLabels:\x1f\x0c\n\x1f\x0c\n1,,\n";
        let gap = |bytes, last| gap(Buffered { bytes, first: true, last });
        assert_eq!(gap(text, false), Some(LeadingGap { len: 28, ended: true }));
        assert_eq!(gap(&text[..27], false), Some(LeadingGap { len: 23, ended: false }));
        assert_eq!(gap(b"\x1f\n", true), Some(LeadingGap { len: 2, ended: true }));
    }

    #[test]
    fn the_original_head_counts() {
        let text = b"1,,\nTo: a\n\n*** EOOH ***\nTo: a\n\nbody\n";
        assert!(matches!(shape(text), Shape::Detached { head: 4, head_end: 11, body: 31 }));
        assert!(matches!(shape(b"0,,\n*** EOOH ***\nTo: a\n\nb"), Shape::Mail(17)));
        assert!(matches!(shape(b"1,,\n*** EOOH ***\nTo: a\n\nb"), Shape::Mail(17)));
        assert!(matches!(shape(b"1,,\nTo: a\n\nb *** EOOH ***"), Shape::Mail(4)));
        assert!(matches!(
            shape(b"1,,\nTo: a\n*** EOOH ***"),
            Shape::Detached { head: 4, head_end: 10, body: 22 }
        ));
    }
}
