//! The description of a format: how a file in it is recognised, and split into messages.
//!
//! Each format is one value, a [`Framing`], in a file of its own. [`FORMATS`] lists them all. The
//! [splitter](crate::archive::splitter) follows such a value.

use memchr::{memmem, memrchr};

use super::FORMATS;
pub(crate) use super::Format;
use super::mail::Verdict;
use crate::archive::header::after_empty_line;
use crate::archive::limits::Limits;
use crate::archive::reading::{self, Reading};

/// The number of input bytes that are examined to recognise its format.
const ENOUGH: usize = 64 * 1024;

/// The maximum length of a chunk of text in which every other byte may be escaped, in bytes. The
/// map to its source takes several times that length.
pub(super) const MAX_ESCAPED_LEN: usize = 8 * 1024 * 1024;

/// The framing of a file's messages: the beginning of the file, the text between two messages, the
/// end of a message, and its content.
///
/// A row is written as `Framing { end, ..Framing::mail(…) }` or `..Framing::text(…)`: these two
/// contain the defaults.
#[derive(Debug)]
pub(crate) struct Framing {
    pub(crate) format: Format,
    /// The name of the format as the value of an option, and its description; `None` if the first
    /// bytes always show the format.
    pub(super) name: Option<(&'static str, &'static str)>,
    /// The possible first bytes of a file; empty if any byte may be the first. Typed text seldom
    /// begins with one of them.
    pub(super) starts: &'static [u8],
    /// True if a file begins like this, after empty lines and a byte order mark.
    ///
    /// A file that is truncated after any byte must not be treated as another format.
    pub(crate) begins: Begins,
    /// True if anything depends on its lines. If not, carriage returns without line feeds are not
    /// converted.
    pub(crate) has_lines: bool,
    /// Finds the text before the first message, which does not belong to a message; `None` if the
    /// format has no such text.
    pub(crate) before: Option<FindGap>,
    /// Finds the text between two messages, or after the last one, which does not belong to a
    /// message.
    pub(crate) between: Option<FindGap>,
    /// Finds the end of a message. Damage may cost one message, never the next one.
    pub(crate) end: FindEnd,
    /// True if the search for the end gets only as many bytes as a message of the maximum length
    /// needs. Formats with declared message lengths need this, because the end of a read must not
    /// decide whether a length is trusted.
    pub(crate) is_bounded: bool,
    /// True if a message is only a part of the file's text: the buffered bytes, up to a position
    /// where the next one can begin. For the caller, the file is then one message.
    pub(crate) in_pieces: bool,
    /// Finds where the parts of a message of mail are; `None` for text and for records, which may be longer than
    /// memory: [`Records`](super::warc::Records) finds where a record ends and the bytes between records.
    pub(crate) shape: Option<fn(&[u8]) -> Shape>,
    /// The way in which its text and each chunk of it are read.
    pub(crate) reading: &'static Reading,
    /// The maximum length of a message, if it is less than for other formats.
    pub(crate) max_len: usize,
    /// Finds the end of a chunk of an overlong part without structure.
    pub(crate) chunk_end: fn(&[u8], Limits) -> usize,
    /// Finds further messages in a file that was recognised as a single one.
    pub(crate) single: Option<SingleMessage>,
    /// Divides a file into ranges; `None` if the whole file belongs to the range that starts at 0.
    pub(crate) divides: Option<Divides>,
}

/// The way in which a file is divided into ranges, each of which contains everything that starts in
/// it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Divides {
    /// A message starts here, after the first one.
    Messages(FindEnd),
    /// A line that may begin a chunk of text starts here. Files that are shorter than `least` are
    /// not divided.
    Lines { is_split_point: fn(&[u8], usize) -> bool, least: fn(&[u8]) -> u64 },
    /// A record starts here: each record declares where the next one starts.
    Records {
        /// The declared length of the record at the start of the bytes; `None` if more bytes are
        /// needed.
        len: fn(&[u8], bool) -> Option<Option<u64>>,
        /// Returns true if another record, or the end of the file, follows here, and after how many
        /// bytes.
        followed: fn(&[u8], bool) -> (Verdict, usize),
        /// The number of bytes that these functions need.
        enough: usize,
        /// The name of a file with a gzip member for each record.
        in_gzip: &'static str,
    },
}

/// Returns whether an input that begins with these bytes has a format; `true` means that no more
/// bytes follow.
type Begins = fn(&[u8], bool) -> Verdict;

/// The bytes between messages that the buffered bytes begin with; `None` if more are needed.
pub(crate) type FindGap = fn(Buffered<'_>) -> Option<LeadingGap>;

/// Returns the end of the message at the beginning of the bytes, or `None` if it needs more of
/// them. The number counts the bytes that earlier calls have searched, and is advanced so that no
/// byte is searched twice; `true` means that no more bytes follow.
pub(crate) type FindEnd = fn(&[u8], &mut usize, bool) -> Option<usize>;

/// The ways in which a file that was recognised as a single message may contain several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleMessage {
    /// The format of the file if its first separator is damaged or missing.
    pub(crate) damaged: Format,
    /// Returns the beginning of the second message in this format, or `None` if it is the only one.
    pub(crate) second: fn(&[u8]) -> Option<usize>,
    /// Returns the beginning of the message after the one at the beginning of the bytes, in a row of messages
    /// without separators, or `None` if no message follows. The other slice is the beginning of the file.
    pub(crate) next: fn(&[u8], &[u8]) -> Option<usize>,
}

/// The structure of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A header and a body; the header begins at this offset of its bytes.
    Mail(usize),
    /// A header and a body that do not touch each other: the header is the bytes from `head` to
    /// `head_end`.
    Detached { head: usize, head_end: usize, body: usize },
    /// The rest of a message, after another piece of it.
    Continued,
    /// A web archive record.
    Record,
    /// Text outside of messages, or of a message that cannot be split, which is read in this way.
    Text(&'static Reading),
}

impl Shape {
    /// Text that is searched verbatim.
    pub(crate) const TEXT: Shape = Shape::Text(&reading::TEXT);
}

/// The buffered bytes, which begin with the next message or with the text before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffered<'b> {
    pub(crate) bytes: &'b [u8],
    /// True if these are the first bytes of the input.
    pub(crate) first: bool,
    /// True if these are the last bytes of the input.
    pub(crate) last: bool,
}

/// Buffered bytes before a message that do not belong to any message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeadingGap {
    pub(crate) len: usize,
    /// True if a message or the end of the input follows. If false, more such bytes may follow.
    pub(crate) ended: bool,
}

impl Framing {
    /// Returns true if a range of a file reads the last message that starts in it beyond its end.
    pub(crate) fn reads_beyond_end(&self) -> bool {
        matches!(self.divides, Some(Divides::Messages(_)))
    }

    /// Returns true if it is the fallback format: text without structure.
    pub(crate) fn is_plain(&self) -> bool {
        self.format == TEXT.format
    }

    /// Returns true if a file is text, and not messages or records.
    pub(crate) fn is_text(&self) -> bool {
        self.shape.is_none() && !self.has_records()
    }

    /// Returns true if its messages are records.
    pub(crate) fn has_records(&self) -> bool {
        matches!(self.divides, Some(Divides::Records { .. }))
    }

    /// The name of a file of gzip members that are records of this format.
    pub(crate) fn in_gzip(&self) -> Option<&'static str> {
        if let Some(Divides::Records { in_gzip, .. }) = self.divides { Some(in_gzip) } else { None }
    }

    /// A file of one message of mail, which ends where the file does.
    pub(super) const fn mail(format: Format, begins: Begins, shape: fn(&[u8]) -> Shape) -> Framing {
        Framing { has_lines: true, shape: Some(shape), ..Framing::text(format, begins, &reading::TEXT) }
    }

    /// A file of text as a whole, whose lines do not matter.
    pub(super) const fn text(format: Format, begins: Begins, reading: &'static Reading) -> Framing {
        Framing {
            format,
            name: None,
            starts: b"",
            begins,
            has_lines: false,
            before: None,
            between: None,
            end: |bytes, _, last| last.then_some(bytes.len()),
            is_bounded: false,
            in_pieces: false,
            shape: None,
            reading,
            max_len: usize::MAX,
            chunk_end,
            single: None,
            divides: None,
        }
    }
}

/// Text without structure.
pub(crate) static TEXT: Framing = Framing {
    name: Some(("text", "Plain text in any encoding that contains ASCII")),
    divides: Some(Divides::Lines { is_split_point: after_empty_line, least: |_| 0 }),
    ..Framing::text(Format::Text, |_, _| Verdict::Yes, &reading::TEXT)
};

/// Returns the end of a message before a line that begins with `mark` after a line feed; `delimits`
/// returns true if such a line is its end. See [`FindEnd`] for the rest.
pub(super) fn end_before(
    mark: &[u8],
    delimits: impl Fn(&[u8]) -> Verdict,
    bytes: &[u8],
    searched: &mut usize,
    last: bool,
) -> Option<usize> {
    while let Some(n) = memmem::find(&bytes[*searched..], mark) {
        let start = *searched + n + 1;
        match delimits(&bytes[start..]) {
            Verdict::Yes => return Some(start),
            Verdict::No => *searched = start,
            Verdict::Unknown => {
                *searched = start - 1;
                return None;
            }
        }
    }
    *searched = (*searched).max(bytes.len().saturating_sub(mark.len() - 1));
    last.then_some(bytes.len())
}

/// Returns true if bytes are like a pattern of the same length: `a` is a letter, `9` a digit, `_` a digit or a
/// space, and `+` a sign.
pub(super) fn fits(bytes: &[u8], pattern: &[u8]) -> bool {
    let fits = |(b, kind): (&u8, &u8)| match kind {
        b'a' => b.is_ascii_alphabetic(),
        b'9' => b.is_ascii_digit(),
        b'_' => b.is_ascii_digit() || *b == b' ',
        b'+' => matches!(b, b'+' | b'-'),
        same => b == same,
    };
    bytes.iter().zip(pattern).all(fits)
}

/// The number in `digits`, if these are decimal and it fits.
pub(super) fn decimal(digits: &[u8]) -> Option<u64> {
    let digit = |value: u64, b: &u8| {
        b.is_ascii_digit().then(|| value.checked_mul(10)?.checked_add(u64::from(b - b'0'))).flatten()
    };
    (!digits.is_empty()).then(|| digits.iter().try_fold(0, digit)).flatten()
}

/// The number in `digits`, if these are decimal. A number that is too large is treated like any
/// other wrong one.
pub(super) fn announced_len(digits: &[u8]) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| decimal(digits).and_then(|len| len.try_into().ok()).unwrap_or(usize::MAX))
}

/// Returns the end of a message whose length the line before it declares: `end`, if another line that
/// `announces` a message, or the end of the file, is there, or else what `search` finds. Returns `None`
/// if more bytes are needed, because the next line, of at most `line_len` bytes, may be incomplete.
pub(super) fn end_by_len(
    end: Option<usize>,
    bytes: &[u8],
    line_len: usize,
    last: bool,
    announces: impl Fn(&[u8]) -> bool,
    search: impl FnOnce() -> Option<usize>,
) -> Option<usize> {
    match end.map(|end| bytes.get(end..)) {
        Some(Some(rest)) if rest.is_empty() && last || announces(rest) => end,
        Some(Some(rest)) if rest.len() < line_len && !last => None,
        Some(None) if !last => None,
        _ => search(),
    }
}

/// The byte order mark in UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The format of an input that begins with `bytes`; `None` if it needs more bytes. `last` means
/// that no more bytes follow.
pub(crate) fn recognise(bytes: &[u8], last: bool) -> Option<Format> {
    let last = last || bytes.len() >= ENOUGH;
    // The result must not depend on where a read ended.
    let bytes = &bytes[..bytes.len().min(ENOUGH)];
    let rest = &bytes[beginning(bytes)..];
    if !last && (rest.is_empty() || may_be_bom(bytes)) {
        return None;
    }
    for framing in FORMATS {
        match (framing.begins)(rest, last) {
            Verdict::Yes => return Some(framing.format),
            Verdict::Unknown if !last => return None,
            Verdict::Unknown | Verdict::No => {}
        }
    }
    Some(Format::Text)
}

/// Returns true if an input that begins with `bytes` has a format with [starts](Framing::starts),
/// unlike a text or a message. The first byte is enough to recognise nearly every text that a
/// person typed.
pub(crate) fn has_start(bytes: &[u8]) -> bool {
    let rest = &bytes[beginning(bytes)..];
    let begins =
        |first, row: &&&Framing| row.starts.contains(first) && (row.begins)(rest, true) == Verdict::Yes;
    let first = rest.first().filter(|&&first| STARTS[usize::from(first)]);
    first.is_some_and(|first| FORMATS.iter().any(|row| begins(first, &row)))
}

/// True if a format has a byte among its [starts](Framing::starts).
static STARTS: [bool; 256] = {
    let mut starts = [false; 256];
    let mut row = 0;
    while row < FORMATS.len() {
        let mut n = 0;
        while n < FORMATS[row].starts.len() {
            starts[FORMATS[row].starts[n] as usize] = true;
            n += 1;
        }
        row += 1;
    }
    starts
};

/// Returns whether bytes begin with a byte sequence that is unique to a format. `last` means that
/// no more bytes follow.
pub(super) fn begins_with(mark: &[u8], bytes: &[u8], last: bool) -> Verdict {
    match () {
        () if bytes.starts_with(mark) => Verdict::Yes,
        () if mark.starts_with(bytes) && !last => Verdict::Unknown,
        () => Verdict::No,
    }
}

/// Returns the offset at which the first line begins that is not skipped.
fn beginning(bytes: &[u8]) -> usize {
    let bom = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    bom + line_ends(&bytes[bom..])
}

/// Empty lines before the first message, and a byte order mark if these are the first bytes of the
/// input.
pub(super) fn empty_lines(Buffered { bytes, first, last }: Buffered<'_>) -> Option<LeadingGap> {
    if first && !last && may_be_bom(bytes) {
        return None;
    }
    let len = if first { beginning(bytes) } else { line_ends(bytes) };
    Some(LeadingGap { len, ended: last || len < bytes.len() })
}

/// The length of the line breaks at the beginning of `bytes`.
pub(super) fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&b| matches!(b, b'\r' | b'\n')).count()
}

/// Returns true if more bytes could make `bytes` a byte order mark.
fn may_be_bom(bytes: &[u8]) -> bool {
    BOM.starts_with(bytes)
}

/// Returns the offset at which a chunk of a text that is too long ends: not inside a URL, if
/// possible.
pub(super) fn chunk_end(bytes: &[u8], limits: Limits) -> usize {
    // A separator may begin in the last bytes.
    let end = bytes.len() - limits.margin;
    let floor = end.saturating_sub(limits.choice);
    let choice = &bytes[floor..end];
    let after = |n: Option<usize>, len: usize| n.map(|n| floor + n + len);
    after(memmem::rfind(choice, b"\n\n"), 2)
        .or_else(|| after(memmem::rfind(choice, b"\n\r\n"), 3))
        .or_else(|| after(memrchr(b'\n', choice), 1))
        .or_else(|| after(choice.iter().rposition(u8::is_ascii_whitespace), 1))
        .unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks the format of a text, and that no part of the text has another.
    #[track_caller]
    fn check(text: &str, format: Format) {
        let bytes = text.as_bytes();
        assert_eq!(recognise(bytes, true), Some(format), "{text:?}");
        for cut in 0..bytes.len() {
            let early = recognise(&bytes[..cut], false);
            assert!(early.is_none() || early == Some(format), "{cut} bytes of {text:?}: {early:?}");
        }
    }

    #[test]
    fn mbox_and_batches() {
        check("From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\nb", Format::Mbox);
        check("\n\nFrom -3405672143\nFrom: a@h.org\n\nb", Format::Mbox);
        check("#! rnews 128\nPath: x!y\n", Format::Rnews);
        check("#! rnews is what it is\n", Format::Text);
    }

    #[test]
    fn mailboxes_with_marks() {
        check("\x01\x01\x01\x01\nFrom a@h.org\nTo: b\n", Format::Mmdf);
        check("\x01\x01\x01\x01 is how it begins\n", Format::Text);
        check("BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\x1f\x0c\n1,,\nTo: a\n", Format::Babyl);
        check("BABYL OPTIONS: are obsolete\n", Format::Text);
        check("*mbx*\r\n0123456700000001\r\n", Format::Mbx);
        check("*mbx*\nnot in CRLF", Format::Text);
        check("18      \nTo: a\nSubject: b\n\nc", Format::Emlx);
        check("18\nand\nSubject: b\n\nTo: c\n", Format::Text);
    }

    #[test]
    fn where_chunks_end() {
        let limits = Limits { message: 0, margin: 2, choice: 12, depth: 1 };
        for (text, end) in [
            ("a b\n\nc\nd ef", 5),
            ("a b\r\n\r\nc\r\nd ef", 7),
            ("a b\nc d ef", 4),
            ("a b cdef", 4),
            ("abcdef", 4),
            ("\n\nabcdefghijklmn", 14),
        ] {
            assert_eq!(chunk_end(text.as_bytes(), limits), end, "{text:?}");
        }
    }

    #[test]
    fn documents_in_rtf() {
        check(r"{\rtf1\ansi http://h.org/}", Format::Rtf);
        check(r"{\rt http://h.org/}", Format::Text);
    }

    #[test]
    fn messages() {
        check("From: a@h.org\nX-Y: z\nSubject: b\n\nc", Format::Mail);
        check("\u{feff}Received: from h.org\n by h.org\nMessage-ID: <1@h.org>\n\nc", Format::Mail);
        check("garb\u{e4}ge\nReturn-Path: <a@h.org>\nSubject: b\n\n", Format::Mail);
        check("From a@h.org\nReturn-Path: <a@h.org>\nSubject: b\n\n", Format::Mbox);
        check("X-A: b\nX-C: d\n\nFrom: a\nTo: b\n", Format::Text);
        check("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nc", Format::Mail);
        check("Content-Type: multipart/mixed; boundary=b\n\nc", Format::Text);
    }

    #[test]
    fn calendars() {
        check("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", Format::Calendar);
        check("\u{feff}begin:vcard\nN:a\n", Format::Calendar);
        check("BEGIN:VEVENT\n", Format::Text);
        check("BEGIN: From: a\nTo: b\n", Format::Text);
    }

    #[test]
    fn what_two_formats_may_begin_with() {
        // A line of ARC, whose URL has the scheme `dn`.
        check("dn:o=x 192.0.2.1 20010302101112 text/html 57\n", Format::Warc);
        check("dn:o=x\nobjectclass: top\n", Format::Ldif);
        check("<?xml version=\"1.0\"?>\n<!-- a -->\n<html>", Format::Html);
        check("<?xml version=\"1.0\"?>\n<!-- a -->\n<rss>", Format::Xml);
        check("#! rnews 128\nFrom: a\nSubject: b\n\nc", Format::Rnews);
        check("From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nSubject: b\n\nc", Format::Mbox);
        check("<a damaged line>\nFrom: a@h.org\nSubject: b\n\nc", Format::Text);
    }

    #[test]
    fn names_of_formats() {
        let names: Vec<_> = Format::named().filter_map(Format::name).collect();
        // The general formats come first, and each has a different name.
        assert_eq!(names[..3], ["text", "mail", "mbox"]);
        assert!(names.iter().enumerate().all(|(n, name)| !names[..n].contains(name)));
        assert!(Format::named().all(|format| format.description().is_some()));
        assert_eq!((Format::Mmdf.name(), Format::Mmdf.description()), (None, None));
    }

    #[test]
    fn a_damaged_first_line() {
        check("From-a\n b c\nMessage-ID: <1@h.org>\nDate: today\n", Format::Mail);
    }

    #[test]
    fn text_that_resembles_another_format() {
        check("From here to there", Format::Text);
        check("Subject: this is a memo\n\nTo: do", Format::Text);
        check("Note: http://h.org/\nand so on\n", Format::Text);
        check("int main(void)\n", Format::Text);
        check("", Format::Text);
        check("\n\n", Format::Text);
        check("< 3", Format::Text);
        check("<URL:http://h.org/>", Format::Text);
        check("<headline>", Format::Text);
    }

    #[test]
    fn pages() {
        check("<html><body>", Format::Html);
        check("\n<!-- MHonArc v2.6 -->\n<!DOCTYPE HTML PUBLIC \"x\">", Format::Html);
        check("<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html>", Format::Html);
        check("<TITLE>x</TITLE>\n", Format::Html);
        check("<!-- a comment without end", Format::Text);
    }

    proptest! {
        #[test]
        fn more_bytes_do_not_change_the_format(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "\n", "\r\n", " ", ":", "From", "From ", "a@h.org", " Fri Mar  2 10:11:12 2001", "-1234", "To", "garb",
                    "Subject: b", "\n ", "\u{1b}", "#! rnews ", "12", "BEGIN:VCARD", "<", "html", "!--", "-->", "\u{feff}", ">From ", "\u{e4}",
                    "\x01\x01\x01\x01", "BABYL OPTIONS:", "\x1f", "*mbx*", "42",
                ]),
                0..12,
            ),
        ) {
            let text = words.concat();
            let bytes = text.as_bytes();
            let whole = recognise(bytes, true);
            for cut in 0..=bytes.len() {
                let early = recognise(&bytes[..cut], false);
                prop_assert!(early.is_none() || early == whole, "{} bytes: {:?}, then {:?}", cut, early, whole);
            }
        }
    }

    #[test]
    fn lines_without_end() {
        let text = "a".repeat(2 * ENOUGH);
        assert_eq!(recognise(text.as_bytes(), false), Some(Format::Text));
        let head = format!("X-Long:{}", "\n b".repeat(ENOUGH));
        assert_eq!(recognise(head.as_bytes(), false), Some(Format::Text));
    }
}
