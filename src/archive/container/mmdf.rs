//! MMDF mailboxes: a line of four bytes 0x01 before each message, and another after it.
//!
//! A `From ` line, as in an [mbox], may be the first line of a message. The
//! delimiters are not part of any message. Several in a row count as one, so that a
//! mailbox with one between two messages is read too.

use super::format::{self, Buffered, Format, Framing, LeadingGap};
use super::mail::Verdict;
use super::mbox;
use crate::archive::header::field_at;

pub(super) static FRAMING: Framing = Framing {
    starts: b"\x01",
    before: Some(gap),
    between: Some(gap),
    end,
    ..Framing::mail(Format::Mmdf, begins, mbox::shape)
};

const MAGIC: &[u8] = b"\x01\x01\x01\x01";

/// The greatest length of a delimiter, with its line break.
const DELIMITER_LEN: usize = MAGIC.len() + b"\r\n".len();

/// The length of the delimiter that `bytes` begin with.
fn delimiter(bytes: &[u8]) -> Option<usize> {
    match bytes.strip_prefix(MAGIC)? {
        [b'\n', ..] => Some(MAGIC.len() + 1),
        [b'\r', b'\n', ..] => Some(DELIMITER_LEN),
        _ => None,
    }
}

/// The length of the delimiters that `bytes` begin with.
fn delimiters(bytes: &[u8]) -> usize {
    let mut len = 0;
    while let Some(next) = delimiter(&bytes[len..]) {
        len += next;
    }
    len
}

/// Returns true if more bytes could make `bytes` a delimiter.
fn may_be_delimiter(bytes: &[u8]) -> bool {
    b"\x01\x01\x01\x01\n".starts_with(bytes) || b"\x01\x01\x01\x01\r\n".starts_with(bytes)
}

/// Returns whether `bytes` begin such a mailbox: with delimiters, and a message after them if any
/// bytes follow.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    let rest = &bytes[delimiters(bytes)..];
    let begun = rest.len() < bytes.len();
    if begun && (rest.starts_with(b"From ") || field_at(rest).is_some() || (rest.is_empty() && last)) {
        return Verdict::Yes;
    }
    let complete = last || if begun { rest.contains(&b'\n') } else { !may_be_delimiter(rest) };
    if complete { Verdict::No } else { Verdict::Unknown }
}

/// The delimiters before the next message; `None` if more bytes are needed.
fn gap(Buffered { bytes, last, .. }: Buffered<'_>) -> Option<LeadingGap> {
    let len = delimiters(bytes);
    let rest = &bytes[len..];
    if !last && !rest.is_empty() && may_be_delimiter(rest) {
        return None;
    }
    Some(LeadingGap { len, ended: last || !rest.is_empty() })
}

/// Returns the offset at which the message at the beginning of `bytes` ends: where the next
/// delimiter begins. `searched` is how many bytes earlier calls have searched, and is advanced;
/// `last` means that no more bytes follow.
fn end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let delimits = |rest: &[u8]| match delimiter(rest) {
        Some(_) => Verdict::Yes,
        None if last && rest.len() == MAGIC.len() => Verdict::Yes,
        None if !last && rest.len() < DELIMITER_LEN => Verdict::Unknown,
        None => Verdict::No,
    };
    format::end_before(b"\n\x01\x01\x01\x01", delimits, bytes, searched, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_after_a_delimiter() {
        assert_eq!(begins(b"\x01\x01\x01\x01\nFrom a@h.org", false), Verdict::Yes);
        assert_eq!(begins(b"\x01\x01\x01\x01\r\nTo: a", false), Verdict::Yes);
        assert_eq!(begins(b"\x01\x01\x01\x01\n", true), Verdict::Yes);
        assert_eq!(begins(b"\x01\x01\x01\x01\n\x01\x01", false), Verdict::Unknown);
        assert_eq!(begins(b"\x01\x01\x01", false), Verdict::Unknown);
        assert_eq!(begins(b"\x01\x01\x01\x01\x01\n", false), Verdict::No);
        assert_eq!(begins(b"\x01\x01\x01\x01\nno field\n", false), Verdict::No);
        assert_eq!(begins(b"", true), Verdict::No);
    }

    #[test]
    fn a_message_ends_before_a_delimiter() {
        let text = b"To: a\n\n\x01\x01\x01\x01.\n\x01\x01\x01\x01\r\n";
        for cut in 0..=text.len() {
            let mut searched = 0;
            let early = end(&text[..cut], &mut searched, false);
            assert!(matches!(early, None | Some(13)), "{cut}: {early:?}");
            assert_eq!(end(text, &mut searched, true), Some(13), "{cut}");
        }
    }
}
