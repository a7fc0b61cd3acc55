//! Files that are converted as a whole, because their beginning depends on their end.

use std::io;

use urlgrep_outlook::tnef;

use super::{StreamConverter, firefox, outlook, pdf, smime};
use crate::archive::container::format;
use crate::archive::limits::{MAX_CONVERTED_LEN, MAX_MESSAGE_LEN};
use crate::archive::mapped::{Mapped, Origin, StreamMaps};
use crate::archive::source_map::{Decoded, SourceMap};
use crate::bytes::buffer::Buffer;
use crate::bytes::large;

/// The header that makes the `winmail.dat` of Outlook ([MS-OXTNEF]), saved as a file, the body of mail, where its texts
/// and attachments are read. It is nowhere in the file.
const TNEF_HEAD: &[u8] = b"MIME-Version: 1.0\nContent-Type: application/ms-tnef\n\n";

/// The kind of such a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ConvertedKind {
    /// A compound file (OLE2); `attachments` of a message that are not text are read or left out.
    Outlook {
        attachments: bool,
    },
    Pdf,
    Firefox,
    Tnef,
    /// Signed S/MIME.
    Signed,
}

impl ConvertedKind {
    /// Returns the kind of a file that begins with `bytes`, or whose content is `bytes` if `all` is
    /// true.
    pub(crate) fn of(bytes: &[u8], attachments: bool, all: bool) -> Option<ConvertedKind> {
        match () {
            () if outlook::begins(bytes) => Some(ConvertedKind::Outlook { attachments }),
            () if is_pdf(bytes, all) => Some(ConvertedKind::Pdf),
            () if bytes.starts_with(firefox::MAGIC) => Some(ConvertedKind::Firefox),
            () if bytes.starts_with(tnef::MARK) => Some(ConvertedKind::Tnef),
            () if smime::begins(bytes) => Some(ConvertedKind::Signed),
            () => None,
        }
    }

    /// Returns true if more bytes could make `bytes` the beginning of such a file.
    pub(crate) fn may_begin(bytes: &[u8]) -> bool {
        outlook::may_begin(bytes) || [firefox::MAGIC, tnef::MARK].iter().any(|mark| mark.starts_with(bytes))
    }

    /// Returns true if a file may be of a kind whose mark is long.
    pub(crate) fn may_become(bytes: &[u8]) -> bool {
        smime::may_begin(bytes) || pdf::may_begin(bytes)
    }

    /// The greatest length that is read, in bytes. A piece of a longer message could not be decoded.
    fn max_len(self) -> usize {
        if let ConvertedKind::Tnef = self { MAX_MESSAGE_LEN - TNEF_HEAD.len() } else { MAX_CONVERTED_LEN }
    }
}

/// Returns true if a file is a PDF document. A line of text before it is searched before more is
/// read, unless `bytes` are `all` of the file. Then that line may be anything but the beginning of
/// a message or of another format.
fn is_pdf(bytes: &[u8], all: bool) -> bool {
    pdf::beginning(bytes).is_some_and(|at| {
        let before = &bytes[..at];
        !pdf::has_line(before)
            || all && format::recognise(before, true).is_some_and(|format| format.framing().is_plain())
    })
}

/// The converter of such a file.
#[derive(Debug)]
pub(crate) struct Whole {
    kind: ConvertedKind,
    file: Vec<u8>,
    maps: StreamMaps,
}

impl Whole {
    pub(super) fn new(kind: ConvertedKind) -> Self {
        Whole { kind, file: Vec::new(), maps: StreamMaps::default() }
    }

    /// Returns the converted file with the maps back to it, and the error of
    /// [`finish`](Self::finish).
    pub(super) fn convert<'m>(mut self, mapped: &Mapped<'m>) -> (Mapped<'m>, io::Result<()>) {
        let mut buffer = Buffer::default();
        self.push(mapped.as_bytes(), &mut buffer);
        let result = self.finish(&mut buffer);
        let StreamMaps { mail, streams, .. } = self.maps;
        let streams = mapped.decoded(Decoded { bytes: Vec::new(), map: streams });
        (streams.decoded(Decoded { bytes: buffer.buffered().to_vec(), map: mail }), result)
    }
}

impl StreamConverter for Whole {
    fn push(&mut self, raw: &[u8], _: &mut Buffer) {
        self.maps.len += raw.len() as u64;
        let room = (self.kind.max_len() + 1).saturating_sub(self.file.len());
        let raw = &raw[..raw.len().min(room)];
        large::prepare(&mut self.file, raw.len());
        self.file.extend_from_slice(raw);
    }

    /// Converts the complete file, and appends the result to `buffer`.
    ///
    /// # Errors
    ///
    /// Returns an error if something of it is not read, or damaged; what could be read is in the buffer.
    fn finish(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        let file = std::mem::take(&mut self.file);
        let max = self.kind.max_len();
        if file.len() > max {
            let name = match self.kind {
                ConvertedKind::Outlook { .. } => "compound file",
                ConvertedKind::Pdf => "PDF document",
                ConvertedKind::Firefox => "compressed Firefox JSON",
                ConvertedKind::Tnef => "Outlook winmail.dat",
                ConvertedKind::Signed => "signed S/MIME",
            };
            let why = format!("skipped, because this {name} is longer than {max} bytes");
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        self.maps.streams = SourceMap::part(0..file.len());
        let (text, error) = match self.kind {
            ConvertedKind::Outlook { attachments } => {
                let (mail, streams, error) = outlook::read(&file, attachments)?;
                self.maps.streams = streams;
                (mail, error)
            }
            ConvertedKind::Pdf => pdf::read(&file),
            ConvertedKind::Firefox => {
                // The text of the Firefox file is decompressed into the buffer.
                let len = firefox::read(&file, buffer)?;
                self.maps.mail = SourceMap::opaque(len, file.len());
                return Ok(());
            }
            ConvertedKind::Tnef => {
                let mut mail = Decoded::default();
                mail.put(TNEF_HEAD, 0..0);
                mail.copy(&file, 0..file.len());
                (mail, None)
            }
            ConvertedKind::Signed => (smime::read(&file), None),
        };
        buffer.push(&text.bytes);
        self.maps.mail = text.map;
        error.map_or(Ok(()), Err)
    }

    /// Returns the number of bytes that it holds: the file's, and those that its text will have, which is
    /// decompressed at once.
    fn held(&self) -> usize {
        let text = if let ConvertedKind::Firefox = self.kind { firefox::text_len(&self.file) } else { 0 };
        self.file.len() + text
    }
    fn bytes_read(&self) -> u64 {
        self.maps.len
    }

    fn origin<'r>(&'r self, _: &'r Buffer) -> Origin<'r> {
        Origin::Streams(&self.maps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_counts_before_it_is_decompressed() {
        let (mut whole, mut buffer) = (Whole::new(ConvertedKind::Firefox), Buffer::default());
        whole.push(b"mozLz40\0\x40\x42\x0F", &mut buffer);
        assert_eq!(whole.held(), 11);
        whole.push(b"\0", &mut buffer);
        assert_eq!(whole.held(), 1_000_012);
    }
}
