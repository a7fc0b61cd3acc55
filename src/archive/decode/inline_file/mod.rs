//! Files that were put into a text: uuencode, yEnc and BinHex 4.
//!
//! Before MIME, and in news after it, a file was a part of the text, encoded. Its lines
//! are data, and would be noise in a search:
//!
//! | encoding | begins with | ends with |
//! |---|---|---|
//! | uuencode (POSIX) | `begin 644 name`, or three full lines of it, `M` first | `end`, or another line than its own |
//! | uuencode of base64 | `begin-base64 644 name` | `====`, or another line than its own |
//! | yEnc | `=ybegin line=128 size=1 name=x` | `=yend`, or a line that is too short |
//! | BinHex 4 (RFC 1741) | `(This file must be converted with BinHex`, and a line that begins with `:` | a `:` at the end of a line |
//!
//! The lines that begin and end a file are text. The lines between them are left out; what
//! is left is the text before and after it, in lines of its own. A text that was cut
//! and has neither line (a large file was posted in several articles) is recognised if it
//! is uuencode.

mod binhex;
mod uuencode;
mod yenc;

use std::ops::Range;

use memchr::memmem;

use crate::archive::decode::transfer;
use crate::archive::source_map::Decoded;
use crate::simd::lines::next_line;

/// A file in a text: the range of its lines of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InlineFile {
    range: Range<usize>,
    encoding: FileEncoding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileEncoding {
    Uuencode,
    Base64,
    Yenc,
    BinHex,
}

/// The first bytes of the lines that may begin a file.
pub(crate) const FIRST: [u8; 4] = *b"bM=(";

/// Whether there may be a file in `text`: a quick look.
pub(crate) fn may_be_in(text: &[u8]) -> bool {
    at_lines(text).any(|line| begins_at(text, line))
}

/// Whether the first line of a file is at `line`.
pub(crate) fn begins_at(text: &[u8], line: usize) -> bool {
    FIRST.contains(&text[line]) && begins(text, line).is_some()
}

/// The lines that may begin a file.
fn at_lines(text: &[u8]) -> impl Iterator<Item = usize> {
    let first = text.first().filter(|b| FIRST.contains(b)).map(|_| 0);
    let next = move |&at: &usize| next_line(text, at, FIRST);
    std::iter::successors(first.or_else(|| next(&0)), next)
}

/// The file whose first line is at `line`.
fn begins(text: &[u8], line: usize) -> Option<InlineFile> {
    let rest = &text[line..];
    let (range, encoding) = match rest[0] {
        b'b' if rest.starts_with(b"begin-base64 ") => {
            (uuencode::base64_lines(text, line)?, FileEncoding::Base64)
        }
        b'b' => (uuencode::lines(text, line)?, FileEncoding::Uuencode),
        b'M' => (uuencode::full_lines(text, line)?, FileEncoding::Uuencode),
        b'=' => (yenc::lines(text, line)?, FileEncoding::Yenc),
        _ => (binhex::lines(text, line)?, FileEncoding::BinHex),
    };
    Some(InlineFile { range, encoding })
}

/// The files in `text`, in order.
pub(crate) fn all(text: &[u8]) -> Vec<InlineFile> {
    let mut files: Vec<InlineFile> = Vec::new();
    let mut end = 0;
    for line in at_lines(text) {
        if line >= end
            && let Some(file) = begins(text, line)
        {
            end = file.range.end;
            files.push(file);
        }
    }
    files
}

/// The text without the lines of `files`.
pub(crate) fn without(text: &[u8], files: &[InlineFile]) -> Decoded {
    let mut decoded = Decoded::default();
    let mut from = 0;
    for file in files {
        decoded.copy(text, from..file.range.start);
        from = file.range.end;
    }
    decoded.copy(text, from..text.len());
    decoded
}

/// The content of a file; `None` if its encoding is not read.
pub(crate) fn decode(text: &[u8], file: &InlineFile) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    match file.encoding {
        FileEncoding::Uuencode => uuencode::decode(text, file.range.clone(), &mut decoded),
        FileEncoding::Yenc => yenc::decode(text, file.range.clone(), &mut decoded),
        FileEncoding::Base64 => {
            let inner = transfer::base64(&text[file.range.clone()]);
            return Some(inner.moved(file.range.start));
        }
        FileEncoding::BinHex => return None,
    }
    Some(decoded)
}

/// The content of all uuencoded files in `text`; `None` if there is none.
pub(crate) fn decode_all(text: &[u8]) -> Option<Decoded> {
    let files = all(text);
    let mut decoded = Decoded::default();
    for file in files.iter().filter(|file| file.encoding == FileEncoding::Uuencode) {
        uuencode::decode(text, file.range.clone(), &mut decoded);
    }
    (!decoded.bytes.is_empty()).then_some(decoded)
}

/// The line at `at` without its line end, and where the next one begins.
fn line_at(text: &[u8], at: usize) -> (&[u8], usize) {
    let next = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n + 1);
    let line = &text[at..next];
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    (line.strip_suffix(b"\r").unwrap_or(line), next)
}

/// The value of the parameter `name` in a line of yEnc.
fn number_after(line: &[u8], name: &[u8]) -> Option<usize> {
    let at = memmem::find(line, name)? + name.len();
    let digits = line[at..].iter().take_while(|b| b.is_ascii_digit()).take(9);
    let digits: Vec<u8> = digits.copied().collect();
    str::from_utf8(&digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests;
