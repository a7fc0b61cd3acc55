//! The places where an mbox is divided: the starts of its messages.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use super::blocks::{BLOCK, fill};
use crate::archive::container::format::Format;
use crate::archive::reader::Reader;

/// The first message of an mbox, if another follows.
pub(super) fn first_message<R: Read>(mut reader: Reader<R>) -> io::Result<Option<Range<u64>>> {
    let mut start = None;
    while reader.advance()? && reader.format() == Format::Mbox {
        let message = reader.message();
        let first = *start.get_or_insert(message.span().start);
        if message.index() > 0 {
            return Ok(Some(first..message.span().start));
        }
    }
    Ok(None)
}

/// The start of the first message of an mbox that starts at `at` or after it; the end of
/// the file if there is none. `at` is after the start of the first of all.
pub(super) fn next_message<R: Read + Seek>(input: &mut R, at: u64) -> io::Result<u64> {
    let base = before_line_ends(input, at)?;
    input.seek(SeekFrom::Start(base))?;
    let mut reader = Reader::new(input).with_format(Format::Mbox).with_base(base, 0, 0);
    let mut last = None;
    while reader.advance()? {
        let message = reader.message();
        if last.replace(message.index()) != Some(message.index()) && message.span().start >= at {
            return Ok(message.span().start);
        }
    }
    Ok(base + reader.bytes_read())
}

/// The offset of the last byte before `at` that is neither CR nor LF; 0 if there is none.
fn before_line_ends<R: Read + Seek>(input: &mut R, at: u64) -> io::Result<u64> {
    let mut block = [0; BLOCK];
    let mut end = at;
    while end > 0 {
        let start = end.saturating_sub(BLOCK as u64);
        input.seek(SeekFrom::Start(start))?;
        // Both are offsets in a block. The file may be shorter than `at`.
        let len = fill(input, &mut block[..(end - start) as usize])?;
        if let Some(last) = block[..len].iter().rposition(|b| !matches!(b, b'\r' | b'\n')) {
            return Ok(start + last as u64);
        }
        end = start;
    }
    Ok(0)
}
