//! RTF: a document as text with control words.

use super::format::{self, Format, Framing};
use crate::archive::decode::rtf;
use crate::archive::reading::{ReadText, Reading};

pub(super) static FRAMING: Framing = Framing {
    starts: b"{",
    ..Framing::text(Format::Rtf, |bytes, last| format::begins_with(MAGIC, bytes, last), &DOCUMENT)
};

/// The beginning of every file, before the version.
const MAGIC: &[u8] = br"{\rtf";

pub(crate) static DOCUMENT: Reading = Reading::of(|bytes, _| ReadText::linked(rtf::read(bytes)));
