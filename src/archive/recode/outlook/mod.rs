//! Messages of Outlook (`.msg`, `.oft`) as mail, and the other files of Outlook.
//!
//! Such a message is a compound file (MS-CFB), a small file system: each property is a
//! stream of its own (MS-OXMSG). It is read as the mail that it came from or would become:
//! the head as it came, or the properties that make one; the body in text and in HTML, or
//! else in RTF; and the attachments, some of which are messages themselves.
//!
//! Each byte of this mail knows where it is in the file: in the sectors of its stream. What
//! is added to make it mail (the Content fields and the delimiters of its parts) is
//! nowhere. There are no lines.
//!
//! | module | what it has |
//! |---|---|
//! | [`compound`] | the streams of a compound file, and where they are in it |
//! | [`message`] | the mail that the properties are |
//! | [`property`] | the properties of a message |
//! | [`rtf`] | compressed RTF (MS-OXRTFCP) |

mod compound;
mod message;
mod property;
mod rtf;

use std::io;

use crate::archive::mapped::{Origin, StreamMaps};
use crate::bytes::buffer::Buffer;
use crate::bytes::large;
use compound::Compound;
use message::Mail;

/// How a compound file begins.
const MARK: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The greatest length of a compound file that is read, in bytes. It is read into memory.
const MAX_COMPOUND_LEN: usize = 32 * 1024 * 1024;

/// Streams that only one kind of compound file has.
const OTHERS: [(&str, &str); 5] = [
    ("WordDocument", "a Word document (.doc)"),
    ("Workbook", "an Excel workbook (.xls)"),
    ("Book", "an Excel workbook (.xls)"),
    ("PowerPoint Document", "a PowerPoint presentation (.ppt)"),
    ("VisioDocument", "a Visio drawing (.vsd)"),
];

/// Whether `bytes` begin a compound file, or may do so with more of them.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// Whether more bytes could make `bytes` the beginning of a file of Outlook.
pub(super) fn may_begin(bytes: &[u8]) -> bool {
    MARK.starts_with(bytes)
}

/// The recoder of a message: it needs the whole file.
#[derive(Debug, Default)]
pub(in crate::archive) struct Outlook {
    attachments: bool,
    file: Vec<u8>,
    maps: StreamMaps,
}

impl Outlook {
    /// The recoder; `attachments` that are not text are read or left out.
    pub(super) fn new(attachments: bool) -> Self {
        Outlook { attachments, ..Outlook::default() }
    }

    pub(super) fn push(&mut self, raw: &[u8]) {
        self.maps.len += raw.len() as u64;
        let room = (MAX_COMPOUND_LEN + 1).saturating_sub(self.file.len());
        let raw = &raw[..raw.len().min(room)];
        large::prepare(&mut self.file, raw.len());
        self.file.extend_from_slice(raw);
    }

    /// Recodes the file, of which there is no more, to the end of `buffer`.
    ///
    /// # Errors
    ///
    /// If it is not a message of Outlook, or damaged; what could be read is in the buffer.
    pub(super) fn finish(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        let file = std::mem::take(&mut self.file);
        if file.len() > MAX_COMPOUND_LEN {
            let why =
                format!("this compound file is longer than {MAX_COMPOUND_LEN} bytes, which is not read");
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        let mut compound = Compound::open(&file)?;
        if !compound.is_stream(property::FIXED) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, other(&compound)));
        }
        let (mail, error) = Mail::read(&mut compound, self.attachments);
        buffer.push(&mail.bytes);
        (self.maps.mail, self.maps.streams) = (mail.map, compound.map);
        error.map_or(Ok(()), Err)
    }

    /// How many bytes of the file it holds.
    pub(super) fn held(&self) -> usize {
        self.file.len()
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.maps.len
    }

    pub(super) fn origin(&self) -> Origin<'_> {
        Origin::Streams(&self.maps)
    }
}

/// Why a compound file without a message is not read.
fn other(compound: &Compound<'_>) -> String {
    let kind = OTHERS.iter().find(|(name, _)| compound.is_stream(name));
    let kind = kind.map_or("a compound file (OLE2) without a message", |(_, kind)| kind);
    format!("this is {kind}, which is not read; save it as text or HTML")
}
