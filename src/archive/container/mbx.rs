//! MBX mailboxes, a format of the IMAP server of the University of Washington.
//!
//! The first 2,048 bytes begin with a line `*mbx*` and are not read. A line is before each message,
//! in CRLF like all others: ` 2-Mar-2001 10:11:12 +0100,128;000000000001-00000001` is the date of
//! arrival, the length of the message in bytes, its flags and its number. As in a [batch of
//! news](super::rnews), the length is believed if another such line, or the end of the file, is
//! where it declares that the message ends; if not, the message ends before the next one. Messages
//! that are marked as deleted are read.

use super::format::{self, Buffered, Format, Framing, LeadingGap, Shape};
use super::mail::Verdict;
use crate::archive::header::line_end;

pub(super) static FRAMING: Framing = Framing {
    starts: b"*",
    before: Some(header),
    end,
    is_bounded: true,
    ..Framing::mail(
        Format::Mbx,
        |bytes, last| format::begins_with(MAGIC, bytes, last),
        |bytes| Shape::Mail(announced(bytes).map_or(0, |(head, _)| head)),
    )
};

const MAGIC: &[u8] = b"*mbx*\r\n";

/// The length of the header before the first message.
const HEADER_LEN: usize = 2048;

/// The length of the longest line before a message, with its line break.
const MBX_LINE_LEN: usize = 96;

/// The [pattern](format::fits) of a date with a comma.
const DATE: &[u8] = b"_9-aaa-9999 99:99:99 +9999,";

/// The bytes before the first message; `None` if more bytes are needed.
fn header(Buffered { bytes, last, .. }: Buffered<'_>) -> Option<LeadingGap> {
    (last || bytes.len() >= HEADER_LEN)
        .then_some(LeadingGap { len: bytes.len().min(HEADER_LEN), ended: true })
}

/// The length of the line that `bytes` begin with, and of the message that it declares; `None` if that line is
/// not one before a message.
fn announced(bytes: &[u8]) -> Option<(usize, usize)> {
    let line = &bytes[..bytes.len().min(MBX_LINE_LEN)];
    let (date, rest) = line.split_at_checked(DATE.len())?;
    let len = rest.split(|&b| b == b';').next()?;
    let flags = rest.get(len.len() + 1..)?;
    let flags = &flags[..memchr::memchr(b'\n', flags)?].trim_ascii_end();
    let flagged = flags.iter().all(|&b| b.is_ascii_hexdigit() || b == b'-');
    let len = format::announced_len(len).filter(|_| format::fits(date, DATE) && flagged)?;
    Some((line_end(bytes, 0), len))
}

/// Returns the offset at which the message at the beginning of `bytes` ends. `searched` is how many
/// bytes earlier calls have searched, and is advanced; `last` means that no more bytes are waited
/// for.
fn end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let delimits = |rest: &[u8]| match announced(rest) {
        Some(_) => Verdict::Yes,
        None if !last && rest.len() < MBX_LINE_LEN => Verdict::Unknown,
        None => Verdict::No,
    };
    let declared = announced(bytes).and_then(|(head, len)| head.checked_add(len));
    let search = || format::end_before(b"\n", delimits, bytes, searched, last);
    format::end_by_len(declared, bytes, MBX_LINE_LEN, last, |rest| announced(rest).is_some(), search)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = b" 2-Mar-2001 10:11:12 +0100,12;000000000001-00000001\r\n";

    #[test]
    fn lines_before_messages() {
        assert_eq!(announced(LINE), Some((LINE.len(), 12)));
        assert_eq!(announced(b"12-Mar-2001 10:11:12 -0500,7;000000000000-0000002a\r\nTo: a"), Some((52, 7)));
        assert_eq!(announced(&LINE[..LINE.len() - 1]), None);
        assert_eq!(announced(b" 2-Mar-2001 10:11:12 +0100,;000000000001-00000001\r\n"), None);
        assert_eq!(announced(b" 2-Mar-2001 10.11.12 +0100,12;000000000001-00000001\r\n"), None);
    }

    #[test]
    fn lengths_are_believed_if_they_are_right() {
        let inner = [b"To: a\r\n\r\n", LINE, b"b\r\n"].concat();
        let line = |len: usize| format!(" 2-Mar-2001 10:11:12 +0100,{len};000000000001-00000001\r\n");
        let text = |len: usize| [line(len).as_bytes(), &inner, LINE, b"To: a\r\n\r\nbc"].concat();
        let right = text(inner.len());
        assert_eq!(end(&right, &mut 0, true), Some(53 + inner.len()));
        // With a wrong length, the message ends before the line inside it.
        for lie in [1, 9999] {
            let text = text(lie);
            let start = line(lie).len() + 9;
            for cut in 0..text.len() {
                let mut searched = 0;
                let early = end(&text[..cut], &mut searched, false);
                assert!(early.is_none() || early == Some(start), "{lie}, {cut}: {early:?}");
                assert_eq!(end(&text, &mut searched, true), Some(start), "{lie}, {cut}");
            }
        }
    }

    /// A line before a message is not searched past while it may be incomplete.
    #[test]
    fn a_line_that_is_cut_anywhere() {
        let body = b"b\r\n".repeat(MBX_LINE_LEN);
        let text = [LINE, &body, LINE, &body].concat();
        let start = LINE.len() + body.len();
        for cut in 0..text.len() {
            let mut searched = 0;
            let early = end(&text[..cut], &mut searched, false);
            assert!(early.is_none() || early == Some(start), "{cut}: {early:?}");
            assert_eq!(end(&text, &mut searched, true), Some(start), "{cut}");
        }
    }

    #[test]
    fn the_longest_line_before_a_message() {
        let line = |len: usize| {
            let digits = len - " 2-Mar-2001 10:11:12 +0100,;0\r\n".len();
            format!(" 2-Mar-2001 10:11:12 +0100,{:0>digits$};0\r\n", 12)
        };
        assert_eq!(announced(line(MBX_LINE_LEN).as_bytes()), Some((MBX_LINE_LEN, 12)));
        assert_eq!(announced(line(MBX_LINE_LEN + 1).as_bytes()), None);
    }

    #[test]
    fn the_header_is_skipped_as_a_whole() {
        let gap = |len: usize, last| {
            header(Buffered { bytes: &vec![b'x'; len], first: true, last }).map(|gap| gap.len)
        };
        assert_eq!(gap(HEADER_LEN - 1, false), None);
        assert_eq!(gap(HEADER_LEN - 1, true), Some(HEADER_LEN - 1));
        assert_eq!(gap(HEADER_LEN, false), Some(HEADER_LEN));
        assert_eq!(gap(HEADER_LEN + 1, false), Some(HEADER_LEN));
    }
}
