//! Recoding: inputs that are not in lines of a superset of ASCII.
//!
//! All that reads archives expects that a byte of ASCII is that character, and that a line
//! ends with a line feed. Two kinds of input do not do that, and are recoded as they are
//! read, in bounded memory:
//!
//! | the input begins with | it is recoded | offsets |
//! |---|---|---|
//! | a byte order mark of UTF-16 or UTF-32 | to UTF-8 ([`wide`]) | [`WideMap`](super::origin::WideMap) maps them |
//! | mail or a mailbox whose lines end with a carriage return alone | each of these to a line feed ([`line_ends`]) | are the same |
//!
//! Lines are counted after recoding, so they are those that an editor shows. A column is
//! a byte of the recoded line.

mod line_ends;
mod wide;

use super::container::mail::Verdict;
use super::decode::charset::wide::mark;
use super::origin::Origin;
use crate::bytes::buffer::Buffer;
use line_ends::LineEnds;
use wide::Wide;

/// How an input is recoded.
#[derive(Debug)]
pub(super) enum Recoder {
    LineEnds(LineEnds),
    Wide(Wide),
}

impl Recoder {
    /// The recoder of an input that begins with `bytes`, if it needs one; `None` if more
    /// bytes are needed to tell. `last` says that no more bytes follow.
    pub(super) fn recognise(bytes: &[u8], last: bool) -> Option<Option<Recoder>> {
        // A mark of UTF-16 may be the first half of one of UTF-32.
        if !last && bytes.len() < 4 && may_be_mark(bytes) {
            return None;
        }
        if let Some((unit, order)) = mark(bytes) {
            return Some(Some(Recoder::Wide(Wide::new(unit, order))));
        }
        match line_ends::are_carriage_returns(bytes, last) {
            Verdict::Yes => Some(Some(Recoder::LineEnds(LineEnds::default()))),
            Verdict::No => Some(None),
            Verdict::Unknown => None,
        }
    }

    /// Recodes `raw`, the next bytes of the file, to the end of `buffer`.
    pub(super) fn push(&mut self, raw: &[u8], buffer: &mut Buffer) {
        match self {
            Recoder::LineEnds(line_ends) => line_ends.push(raw, buffer),
            Recoder::Wide(wide) => wide.push(raw, buffer),
        }
    }

    /// Recodes what needed more bytes, of which there are none.
    pub(super) fn finish(&mut self, buffer: &mut Buffer) {
        match self {
            Recoder::LineEnds(line_ends) => line_ends.finish(buffer),
            Recoder::Wide(wide) => wide.finish(buffer),
        }
    }

    /// Forgets what maps the first `len` bytes of `buffer`, which are consumed next.
    pub(super) fn consume(&mut self, len: usize, buffer: &Buffer) {
        if let Recoder::Wide(wide) = self {
            wide.consume(len, buffer);
        }
    }

    pub(super) fn bytes_read(&self) -> u64 {
        match self {
            Recoder::LineEnds(line_ends) => line_ends.bytes_read(),
            Recoder::Wide(wide) => wide.bytes_read(),
        }
    }

    /// Where the bytes of `buffer` come from.
    pub(super) fn origin<'r>(&'r self, buffer: &'r Buffer) -> Origin<'r> {
        match self {
            Recoder::LineEnds(_) => Origin::Same,
            Recoder::Wide(wide) => wide.origin(buffer),
        }
    }
}

/// Whether more bytes could make `bytes` a byte order mark, or a longer one.
fn may_be_mark(bytes: &[u8]) -> bool {
    b"\xFF\xFE\0\0".starts_with(bytes) || b"\0\0\xFE\xFF".starts_with(bytes) || b"\xFE\xFF".starts_with(bytes)
}
