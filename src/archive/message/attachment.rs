//! The files in an attachment that is an archive, or compressed.
//!
//! Decompressed data do not map to single bytes of the file: they map to the whole attachment.

use std::io;

use super::http;
use super::message::{Message, Unit};
use super::part_context::PartContext;
use crate::archive::container::binary::Binary;
use crate::archive::container::files::Files;
use crate::archive::limits::MAX_FILES_MIB;
use crate::archive::options::Attachments;

/// The files of an attachment that is an archive, or compressed.
#[derive(Debug)]
pub(super) struct AttachedFiles<'r> {
    files: Files<&'r [u8]>,
    context: PartContext<'r>,
    /// The number of bytes that may still be read.
    left: usize,
}

impl Message<'_> {
    /// Returns the note about an unsupported document in it.
    pub(super) fn unsupported(&self, binary: Binary) -> String {
        let all = self.options.attachments == Attachments::All;
        let bytes = if all { ": only its bytes were searched" } else { "" };
        format!("{binary}, which is unsupported inside another file{bytes}")
    }
}

impl<'r> AttachedFiles<'r> {
    /// The files in an attachment with these bytes.
    pub(super) fn new(bytes: &'r [u8], context: PartContext<'r>) -> io::Result<Self> {
        Ok(AttachedFiles { files: Files::new(bytes)?, context, left: MAX_FILES_MIB << 20 })
    }

    /// The next file; `message` contains the bytes of the archive.
    pub(super) fn next(&mut self, message: &Message<'r>) -> Option<Unit<'r>> {
        let source = &message.mapped(0..message.bytes.len());
        while self.left > 0 {
            let mut file = match self.files.next_file() {
                Ok(file) => file?,
                Err(error) => {
                    message.note_file(source, self.context.kind, || {
                        format!("is an archive that was only partly searched: {error}")
                    });
                    continue;
                }
            };
            let name = file.name().map(<[u8]>::to_vec);
            let shown =
                || String::from_utf8_lossy(name.as_deref().unwrap_or(b"data")).escape_debug().to_string();
            if let Some(binary) = file.binary() {
                if binary.may_hold_text() {
                    let note = || format!("contains {}, {}", shown(), message.unsupported(binary));
                    message.note_file(source, self.context.kind, note);
                }
                if message.options.attachments != Attachments::All {
                    continue;
                }
            }
            let grow = |len| message.share.into_iter().for_each(|share| share.grow(len));
            let (bytes, error) = http::read(&mut file, &grow);
            if let Some(error) = error {
                let note = || format!("contains {}, which was only partly searched: {error}", shown());
                message.note_file(source, self.context.kind, note);
            }
            self.left = self.left.saturating_sub(bytes.len());
            if self.left == 0 {
                let note = || {
                    format!(
                        "contains more than {MAX_FILES_MIB} MiB of files; those after the limit were not searched"
                    )
                };
                message.note_file(source, self.context.kind, note);
            }
            let mapped = source.clone().opaque(bytes);
            return Some(Unit::Member(mapped, self.context.clone(), name));
        }
        None
    }
}
