//! Converting: inputs that are not text in a superset of ASCII.
//!
//! The code that reads archives expects that an ASCII byte is that character, and that a line ends
//! with a line feed. Seven kinds of input differ, and are converted as they are read:
//!
//! | the input begins with | it is converted | offsets |
//! |---|---|---|
//! | a byte order mark of UTF-16 or UTF-32, or 16 characters of ASCII in UTF-16 | to UTF-8 ([`wide`]) | [`WideMap`](super::mapped::WideMap) maps them |
//! | mail or a mailbox with lines that end with only a carriage return | each of these to a line feed ([`line_ends`]) | are the same |
//! | the mark of a compound file (OLE2) | to the mail that it has, or refused ([`outlook`], and the crate `urlgrep_outlook`) | two maps |
//! | the mark of TNEF | to mail whose body it is | a map |
//! | S/MIME that is signed and not in the clear | to the entity that is signed ([`smime`]) | a map |
//! | the mark of compressed JSON of Firefox | to that JSON ([`firefox`]) | a map |
//! | spaces or data and the mark of a PDF document | to a page that has its links ([`pdf`]) | a map |
//!
//! The first two need a few bytes of memory; the last five are read into memory as a [`whole`].
//! Lines are counted after converting, so they are those that an editor shows. A column is
//! a byte of the converted line.

mod firefox;
mod line_ends;
mod outlook;
mod pdf;
mod smime;
pub(super) mod whole;
mod wide;

use std::fmt;
use std::io;

use super::decode::charset::wide::{self as charset, CodeUnit, Order};
use super::mapped::{Mapped, Origin};
use super::source_map::{Decoded, SourceMap};
use crate::bytes::buffer::Buffer;
use line_ends::LineEnds;
use whole::Whole;
use wide::Wide;

pub(super) use line_ends::are_carriage_returns;
pub(super) use pdf::{HEAD as PDF_HEAD, in_text as pdf_in_text};

/// The converter of an input that is read as a stream.
pub(crate) trait StreamConverter: fmt::Debug + Send + Sync {
    /// Converts `raw`, the next bytes of the file, to the end of `buffer`.
    fn push(&mut self, raw: &[u8], buffer: &mut Buffer);

    /// Converts the pending bytes at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be converted, or only in part.
    fn finish(&mut self, buffer: &mut Buffer) -> io::Result<()>;

    /// Returns the number of bytes that are buffered, or about to be, and not converted yet.
    fn held(&self) -> usize {
        0
    }

    /// Drops the maps of the first `len` bytes of `buffer`, which are consumed next.
    fn consume(&mut self, _len: usize, _buffer: &Buffer) {}

    /// Returns the number of input bytes so far.
    fn bytes_read(&self) -> u64;

    /// Returns the origin of the bytes of `buffer`.
    fn origin<'r>(&'r self, buffer: &'r Buffer) -> Origin<'r>;
}

/// The converter of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Converter {
    LineEnds,
    Wide {
        unit: CodeUnit,
        order: Order,
        /// True if it begins with a byte order mark.
        has_mark: bool,
    },
    Whole(whole::ConvertedKind),
}

impl Converter {
    /// Converts bytes in memory, and returns the text with the maps back to them.
    ///
    /// # Errors
    ///
    /// The second value is an error if they cannot be converted, or only in part.
    pub(crate) fn convert<'m>(self, mapped: &Mapped<'m>) -> (Mapped<'m>, io::Result<()>) {
        let bytes = mapped.as_bytes();
        let decoded = match self {
            Converter::LineEnds => {
                let mut lines = bytes.to_vec();
                line_ends::convert(&mut lines);
                Decoded { bytes: lines, map: SourceMap::part(0..bytes.len()) }
            }
            Converter::Wide { unit, order, has_mark } => {
                charset::text(bytes, if has_mark { unit.len() } else { 0 }, unit, order)
            }
            Converter::Whole(kind) => return Whole::new(kind).convert(mapped),
        };
        (mapped.decoded(decoded), Ok(()))
    }

    /// Returns the converter of a stream.
    pub(crate) fn of_stream(self) -> Box<dyn StreamConverter> {
        match self {
            Converter::LineEnds => Box::new(LineEnds::default()),
            Converter::Wide { unit, order, has_mark } => Box::new(Wide::new(unit, order, has_mark)),
            Converter::Whole(kind) => Box::new(Whole::new(kind)),
        }
    }
}
