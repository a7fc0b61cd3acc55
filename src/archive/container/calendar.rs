//! Calendars (RFC 5545) and cards (RFC 6350) that are files, one or more in each.

use std::ops::Range;

use memchr::memrchr_iter;

use super::format::{Format, Framing};
use super::mail::Verdict;
use crate::archive::decode::{folded, property, transfer};
use crate::archive::limits::Limits;
use crate::archive::mapped::Mapped;
use crate::archive::reading::{ReadText, Reading, TextValue, ValueFinder, Wanted};

pub(super) static FRAMING: Framing = Framing {
    starts: b"Bb",
    name: Some(("calendar", "Calendars or cards")),
    has_lines: true,
    chunk_end,
    ..Framing::text(Format::Calendar, begins, &CARDS)
};

pub(crate) static CARDS: Reading =
    Reading { has_properties: true, ..folded(|bytes, _| ReadText::unfolded(bytes, folded::unfold(bytes))) };

/// Returns the reading of text with folded lines and values that are files.
pub(super) const fn folded(read: fn(&[u8], Wanted) -> ReadText) -> Reading {
    let finder = ValueFinder {
        find: |text, _| {
            let value = |content: Range<usize>| TextValue { left_out: content.clone(), content, decode };
            property::files(text).into_iter().map(value).collect()
        },
        are_attachments: true,
    };
    Reading { values: Some(finder), ..Reading::of(read) }
}

/// Decodes a value that is a file.
fn decode(value: Mapped<'_>, offsets: bool) -> Mapped<'_> {
    let line = value.decoded(property::line(value.as_bytes()));
    line.decoded(transfer::base64(line.as_bytes(), offsets))
}

/// Returns whether `bytes` begin with the line that begins a calendar or a card, in any letter
/// case. `last` means that no more bytes follow.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    const LINES: [&[u8]; 2] = [b"BEGIN:VCALENDAR", b"BEGIN:VCARD"];
    let begins = |line: &&[u8]| {
        let common = bytes.len().min(line.len());
        bytes[..common].eq_ignore_ascii_case(&line[..common])
    };
    let Some(line) = LINES.iter().find(|line| begins(line)) else { return Verdict::No };
    let blanks = |b: &&u8| matches!(b, b' ' | b'\t');
    match bytes.get(line.len()..).map(|rest| rest.iter().find(|b| !blanks(b))) {
        Some(Some(b'\r' | b'\n')) => Verdict::Yes,
        Some(Some(_)) => Verdict::No,
        Some(None) if last => Verdict::Yes,
        _ if last => Verdict::No,
        _ => Verdict::Unknown,
    }
}

/// Returns the offset at which a chunk of a file that is too long ends, which has folded lines: where the last line
/// begins that is not the rest of another, after a fold or a soft break.
pub(super) fn chunk_end(bytes: &[u8], limits: Limits) -> usize {
    let floor = bytes.len() - limits.choice;
    let ends = memrchr_iter(b'\n', &bytes[floor..]).map(|n| floor + n + 1);
    let is_rest = |end| property::ends_softly(&bytes[..end - 1]);
    let mut ends = ends.filter(|&end| !matches!(bytes.get(end), None | Some(b' ' | b'\t')) && !is_rest(end));
    ends.next().unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line() {
        assert_eq!(begins(b"begin:vCalendar\r\n", false), Verdict::Yes);
        assert_eq!(begins(b"BEGIN:VCARD \nFN:a", false), Verdict::Yes);
        assert_eq!(begins(b"BEGIN:VCARD", true), Verdict::Yes);
        assert_eq!(begins(b"BEGIN:VCARD", false), Verdict::Unknown);
        assert_eq!(begins(b"BEGIN:VCAR", true), Verdict::No);
        assert_eq!(begins(b"BEGIN:VCARDS\n", false), Verdict::No);
        assert_eq!(begins(b"BEGIN:VEVENT\n", false), Verdict::No);
        assert_eq!(begins(b"", false), Verdict::Unknown);
    }

    #[test]
    fn chunks_end_before_a_whole_line() {
        let before_line = |bytes: &[u8], floor: usize| {
            chunk_end(bytes, Limits { choice: bytes.len() - floor, ..Limits::default() })
        };
        assert_eq!(before_line(b"A:b\nC:d\n e\n f\ng", 0), 14);
        assert_eq!(before_line(b"A:b\nC:d\n e\n f", 0), 4);
        assert_eq!(before_line(b"A:b\nC:d\n e\n f", 5), 13);
        assert_eq!(before_line(b"A:b\nC:d\n\te\n\tf", 0), 4);
        assert_eq!(before_line(b"A:b\nC:d=\r\ne\n", 0), 4);
    }
}
