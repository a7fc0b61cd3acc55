//! Recoding: inputs that are not in lines of a superset of ASCII.
//!
//! All that reads archives expects that a byte of ASCII is that character, and that a line
//! ends with a line feed. Six kinds of input do not do that, and are recoded as they are
//! read:
//!
//! | the input begins with | it is recoded | offsets |
//! |---|---|---|
//! | a byte order mark of UTF-16 or UTF-32, or 16 characters of ASCII in UTF-16 | to UTF-8 ([`wide`]) | [`WideMap`](super::mapped::WideMap) maps them |
//! | mail or a mailbox whose lines end with a carriage return alone | each of these to a line feed ([`line_ends`]) | are the same |
//! | the mark of a compound file (OLE2) | to the mail that it has, or refused ([`outlook`]) | two maps |
//! | the mark of TNEF | to mail whose body it is ([`tnef`]) | a map |
//! | the mark of compressed JSON of Firefox | to that JSON ([`firefox`]) | a map |
//! | blanks or data and the mark of a PDF document | to a page that has its links ([`pdf`]) | a map |
//!
//! The first two need a few bytes of memory; the last four are read into memory as a [`whole`].
//! Lines are counted after recoding, so they are those that an editor shows. A column is
//! a byte of the recoded line.

mod firefox;
mod line_ends;
pub(super) mod outlook;
mod pdf;
mod tnef;
mod whole;
mod wide;

use std::io;

use super::container::mail::Verdict;
use super::decode::charset::wide::{Unit, mark, order_of_ascii};
use super::mapped::Origin;
use crate::bytes::buffer::Buffer;
use line_ends::LineEnds;
use whole::{Kind, Whole};
use wide::Wide;

/// How many bytes show that a text without a mark is in UTF-16; all of it, if it has a quarter
/// of that.
const UNMARKED: usize = 32;

/// How an input is recoded.
#[derive(Debug)]
pub(crate) enum Recoder {
    LineEnds(LineEnds),
    Wide(Wide),
    Whole(Whole),
}

/// What is known of an input by its first bytes.
#[derive(Debug)]
pub(crate) enum Decision {
    /// More bytes are needed to tell.
    Unknown,
    Verbatim,
    Recode(Box<Recoder>),
}

/// Whether a file with these first bytes is a document that is recoded as a whole.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    Kind::of(bytes, true, true).is_some()
}

/// Where a PDF document begins in a text that begins with `bytes`, and is not recoded.
pub(crate) fn pdf_in_text(bytes: &[u8]) -> Option<usize> {
    pdf::in_text(bytes)
}

/// What the options say of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecodeOptions {
    /// Whether its format is recognised, not set: then files of Outlook and PDF documents are.
    pub(crate) recognised: bool,
    /// Whether attachments that are not text are read.
    pub(crate) attachments: bool,
    /// Whether all bytes of it are known, and not only the first.
    pub(crate) all: bool,
}

impl Decision {
    /// What to do with an input that begins with `bytes`; `last` says that no more bytes
    /// follow.
    pub(crate) fn new(bytes: &[u8], last: bool, options: RecodeOptions) -> Decision {
        // A mark of UTF-16 may be the first half of one of UTF-32.
        let mark_may_follow = may_be_mark(bytes) || (options.recognised && Kind::may_begin(bytes));
        if !last && bytes.len() < 8 && mark_may_follow {
            return Decision::Unknown;
        }
        if let Some((unit, order)) = mark(bytes) {
            return Decision::Recode(Box::new(Recoder::Wide(Wide::new(unit, order))));
        }
        if options.recognised
            && let Some(order) = order_of_ascii(&bytes[..bytes.len().min(UNMARKED)])
        {
            if bytes.len() >= UNMARKED || (last && bytes.len() >= UNMARKED / 4) {
                return Decision::Recode(Box::new(Recoder::Wide(Wide::unmarked(Unit::Two, order))));
            }
            if !last {
                return Decision::Unknown;
            }
        }
        if options.recognised
            && let Some(kind) = Kind::of(bytes, options.attachments, options.all)
        {
            return Decision::Recode(Box::new(Recoder::Whole(Whole::new(kind))));
        }
        if options.recognised && !last && pdf::may_begin(bytes) {
            return Decision::Unknown;
        }
        match line_ends::are_carriage_returns(bytes, last) {
            Verdict::Yes => Decision::Recode(Box::new(Recoder::LineEnds(LineEnds::default()))),
            Verdict::No => Decision::Verbatim,
            Verdict::Unknown => Decision::Unknown,
        }
    }
}

impl Recoder {
    /// Recodes `raw`, the next bytes of the file, to the end of `buffer`.
    pub(crate) fn push(&mut self, raw: &[u8], buffer: &mut Buffer) {
        match self {
            Recoder::LineEnds(line_ends) => line_ends.push(raw, buffer),
            Recoder::Wide(wide) => wide.push(raw, buffer),
            Recoder::Whole(whole) => whole.push(raw),
        }
    }

    /// Recodes what needed more bytes, of which there are none.
    ///
    /// # Errors
    ///
    /// If the input cannot be recoded, or only in part.
    pub(crate) fn finish(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        match self {
            Recoder::LineEnds(line_ends) => line_ends.finish(buffer),
            Recoder::Wide(wide) => wide.finish(buffer),
            Recoder::Whole(whole) => return whole.finish(buffer),
        }
        Ok(())
    }

    /// How many bytes it holds or is about to hold, which are not recoded yet.
    pub(super) fn held(&self) -> usize {
        if let Recoder::Whole(whole) = self { whole.held() } else { 0 }
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
            Recoder::Whole(whole) => whole.bytes_read(),
        }
    }

    /// Where the bytes of `buffer` come from.
    pub(super) fn origin<'r>(&'r self, buffer: &'r Buffer) -> Origin<'r> {
        match self {
            Recoder::LineEnds(_) => Origin::Same,
            Recoder::Wide(wide) => wide.origin(buffer),
            Recoder::Whole(whole) => whole.origin(),
        }
    }
}

/// Whether more bytes could make `bytes` a byte order mark, or a longer one.
fn may_be_mark(bytes: &[u8]) -> bool {
    b"\xFF\xFE\0\0".starts_with(bytes) || b"\0\0\xFE\xFF".starts_with(bytes) || b"\xFE\xFF".starts_with(bytes)
}
