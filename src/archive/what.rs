//! Determines the kind of bytes with three questions, each about the result of the previous one.
//!
//! | question | the answer is | it needs |
//! |---|---|---|
//! | [`mark`] | whether they are an archive, compressed data, a document to convert, or a file that is not read | the first 2 KiB |
//! | [`conversion`] | how it becomes lines of a superset of ASCII: from UTF-16, from carriage returns, from a document | 8 to 32 bytes, two lines, or 2 KiB without a letter or a digit |
//! | [`lines`] | the row of its format | up to 64 KiB of these lines |
//!
//! A stream asks one question at a time, and waits only for the bytes that the answer needs: [`Files`] the first one
//! (as [`LayerKind::recognise`], by 512 bytes), [`Input`] the second, the [splitter] the third. Bytes that are all in
//! memory, such as a part, a file of an archive in it or a value, are asked [all](what).
//!
//! The declared type of a part does not matter: the sender's program derived it from the file name.
//! Only for rows of cells, it and the name are a hint.
//!
//! [`Files`]: super::container::files::Files
//! [`Input`]: super::input::Input
//! [splitter]: super::splitter

use memchr::memchr;

use super::container::binary::Binary;
use super::container::csv;
use super::container::format::{self, Format, Framing};
use super::container::layer::LayerKind;
use super::container::mail::Verdict;
use super::convert::{Converter, are_carriage_returns, whole};
use super::decode::charset::wide::{self, CodeUnit, order_of_ascii};

/// The number of first bytes that are examined: they contain the magic number of a document, and show whether the rest
/// is text.
pub(super) const HEAD: usize = 2048;

/// The number of bytes that show that a text without a byte order mark is in UTF-16: 16 characters of
/// ASCII with zeros between them are not binary data by chance. Four are enough for a whole text, because
/// small texts exist and nothing follows that could contradict them.
const UNMARKED: usize = 32;

/// The kind of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// An archive, or compressed data: files.
    Files,
    /// Bytes that this converter turns into text.
    Converted(Converter),
    Lines(&'static Framing),
    /// A document or an archive that is not read.
    Unsupported(Binary),
    /// Data for programs, which are not expected to contain URLs: an image, a sound, a program.
    Data,
}

/// Further knowledge about bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hint {
    /// True if the format is set. Then only a byte order mark and carriage returns are recognised.
    pub(super) format_is_set: bool,
    /// True if attachments that are not text are read.
    pub(super) attachments: bool,
    /// True if all bytes are known, and not only the first.
    pub(super) all: bool,
}

impl Hint {
    /// The knowledge about a part, a value or similar bytes.
    pub(super) const PART: Hint = Hint { format_is_set: false, attachments: true, all: true };
}

/// Returns the kind of bytes that are all in memory.
pub(super) fn what(bytes: &[u8], hint: Hint) -> What {
    if let Some(what) = mark(bytes, hint) {
        return what;
    }
    if let Some(Some(converter)) = conversion(bytes, true, hint) {
        return What::Converted(converter);
    }
    let framing = all_lines(bytes);
    // Some formats contain control characters, such as MMDF and RMAIL mailboxes, and so do texts. Data in other charsets
    // than UTF-8 with a zero are most likely for programs.
    let head = head(bytes);
    let is_utf8 = || str::from_utf8(head).err().is_none_or(|error| error.error_len().is_none());
    let is_data = framing.is_plain() && memchr(0, head).is_some() && !is_utf8();
    if is_data { What::Data } else { What::Lines(framing) }
}

/// Returns the kind that the first bytes show, if they are a magic number.
fn mark(bytes: &[u8], hint: Hint) -> Option<What> {
    let head = head(bytes);
    match LayerKind::of_head(head) {
        LayerKind::Compressed(_) | LayerKind::Zip | LayerKind::Tar => Some(What::Files),
        LayerKind::Binary(binary) if binary.may_hold_text() => Some(What::Unsupported(binary)),
        LayerKind::Binary(_) => Some(What::Data),
        LayerKind::Plain => whole::ConvertedKind::of(head, hint.attachments, hint.all)
            .map(|kind| What::Converted(Converter::Whole(kind))),
    }
}

/// Returns true if bytes begin with the magic number of a document or an archive, regardless of
/// their type.
pub(super) fn is_document(bytes: &[u8]) -> bool {
    mark(bytes, Hint::PART).is_some_and(|what| !matches!(what, What::Data))
}

/// Returns true if the bytes of a text with this declared type may show a format other than a
/// message.
pub(super) fn may_be_more(bytes: &[u8]) -> bool {
    matches!(bytes, [0xFE | 0xFF | 0, ..] | [_, 0, ..]) || format::has_start(bytes) || is_document(bytes)
}

/// Returns how an input that begins with `bytes` is converted, if it is; `None` if more bytes are needed. `last` means
/// that no more bytes follow.
pub(super) fn conversion(bytes: &[u8], last: bool, hint: Hint) -> Option<Option<Converter>> {
    // A UTF-16 byte order mark may be the first half of a UTF-32 one.
    let marks: [&[u8]; 3] = [b"\xFF\xFE\0\0", b"\0\0\xFE\xFF", b"\xFE\xFF"];
    let mark_may_follow = marks.iter().any(|mark| mark.starts_with(bytes))
        || (!hint.format_is_set && whole::ConvertedKind::may_begin(bytes));
    if !last && bytes.len() < 8 && mark_may_follow {
        return None;
    }
    if let Some((unit, order)) = wide::mark(bytes) {
        return Some(Some(Converter::Wide { unit, order, has_mark: true }));
    }
    if !hint.format_is_set {
        if let Some(order) = order_of_ascii(&bytes[..bytes.len().min(UNMARKED)]) {
            if bytes.len() >= UNMARKED || (last && bytes.len() >= UNMARKED / 4) {
                return Some(Some(Converter::Wide { unit: CodeUnit::Two, order, has_mark: false }));
            }
            if !last {
                return None;
            }
        }
        if let Some(kind) = whole::ConvertedKind::of(bytes, hint.attachments, hint.all) {
            return Some(Some(Converter::Whole(kind)));
        }
        if !last && whole::ConvertedKind::may_become(bytes) {
            return None;
        }
    }
    match are_carriage_returns(bytes, last) {
        Verdict::Yes => Some(Some(Converter::LineEnds)),
        Verdict::No => Some(None),
        Verdict::Unknown => None,
    }
}

/// The row of the format of lines that begin with `bytes`, which may be rows if the name of the file suggests that;
/// `None` if more bytes are needed. `last` is true at the end of the input.
pub(super) fn lines(bytes: &[u8], last: bool, may_be_rows: bool) -> Option<&'static Framing> {
    let framing = format::recognise(bytes, last)?.framing();
    if !may_be_rows || !framing.is_plain() {
        return Some(framing);
    }
    match csv::begins(bytes, last) {
        Verdict::Yes => Some(Format::Csv.framing()),
        Verdict::No => Some(framing),
        Verdict::Unknown => None,
    }
}

/// The row of the format of lines that are all in memory.
pub(super) fn all_lines(bytes: &[u8]) -> &'static Framing {
    lines(bytes, true, false).unwrap_or(&format::TEXT)
}

fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(HEAD)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let shown = match what(bytes, Hint::PART) {
            What::Files => "files".to_owned(),
            What::Converted(Converter::Whole(kind)) => format!("{kind:?}"),
            What::Converted(Converter::Wide { unit, order, .. }) => format!("{unit:?} {order:?}"),
            What::Converted(Converter::LineEnds) => "line ends".to_owned(),
            What::Lines(framing) => format!("{:?}", framing.format),
            What::Unsupported(binary) => binary.name().to_owned(),
            What::Data => "data".to_owned(),
        };
        assert_eq!(shown, expected, "{}", bytes.escape_ascii());
    }

    #[test]
    fn bytes_of_every_kind() {
        check(b"", "Text");
        check(b"some text", "Text");
        check(b"\n<!DOCTYPE html>\n<p>", "Html");
        check(b"From: a\nTo: b\n\nc", "Mail");
        check(b"From: a\rTo: b\r\rc", "line ends");
        check(b"\x01\x01\x01\x01\nFrom: a\nTo: b\n\nc\n\x01\x01\x01\x01\n", "Mmdf");
        check(b"\xFF\xFEa\0", "Two Little");
        check(b"\0a\0b\0c\0d", "Two Big");
        check(b"\0\0\xFE\xFF\0\0\0a", "Four Big");
        check(b"%PDF-1.7\n", "Pdf");
        check(b"\x1f\x8b\x08\0", "files");
        check(b"#! cunbatch\n\x1f\x8b\x08\0", "files");
        check(b"#! rnews 12\nA: b\n\nc", "Rnews");
        check(b"7z\xbc\xaf\x27\x1c\0", "7z archive");
        check(b"GIF89a\0\0", "data");
        check(b"a\0b\xFF", "data");
        check(b"a\0b\x02", "Text");
        check(b"a\xFF\x02", "Text");
        check("a\0".repeat(HEAD / 2 - 1).as_bytes(), "Two Little");
        check(&[&b"a\0"[..], &vec![b'b'; HEAD - 3], "ä\0".as_bytes()].concat(), "Text");
    }
}
