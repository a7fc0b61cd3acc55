//! What an attachment is, and the files in it.
//!
//! The type of an attachment is what the program of its sender made of the name of a file: a document may be
//! `application/octet-stream`, and a page too. So the first bytes tell, as they do for a file:
//!
//! | they begin | the attachment is |
//! |---|---|
//! | a text | a text of its format, or messages |
//! | a zip or tar archive, compressed data | files, each read like an attachment |
//! | a PDF document, a file of Outlook or Firefox | a text that is made of it |
//! | a document or an archive of another format | noted as unread |
//! | a picture, sound, a film, a program, anything else | left out |
//!
//! What is decompressed has no bytes of the file of its own: it maps to all of the attachment.

use std::io;

use super::http::{self, MAX_BODY_LEN};
use super::message::Message;
use super::mime::Mime;
use super::structure::Section;
use crate::archive::container::binary::Binary;
use crate::archive::container::compress::peek::PeekReader;
use crate::archive::container::files::Files;
use crate::archive::container::layer::Kind;
use crate::archive::mapped::Mapped;
use crate::archive::options::Attachments;
use crate::archive::recode::{self, Decision, RecodeOptions};

/// How many bytes of a part are decoded to look at it.
pub(super) const LOOK: usize = 2048;

/// How many bytes of the files of an attachment are read, together.
const MAX_FILES_LEN: usize = 16 * MAX_BODY_LEN;

/// What an attachment is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Text,
    /// A document that is recoded as a whole to a text.
    Whole,
    /// An archive, or compressed.
    Files,
    /// A document or an archive that is not read.
    Unread(Binary),
    /// What nobody expects to be searched.
    Data,
}

impl Look {
    /// Looks at the first bytes.
    pub(super) fn at(bytes: &[u8]) -> Look {
        let head = &bytes[..bytes.len().min(LOOK)];
        match Look::by_mark(Kind::recognise(&mut PeekReader::new(head)), head) {
            Some(look) => look,
            None if is_text(head) || !matches!(recoded(head), Decision::Verbatim) => Look::Text,
            None => Look::Data,
        }
    }

    /// What the first bytes are a mark of, if they are one.
    fn by_mark(kind: Kind, head: &[u8]) -> Option<Look> {
        match kind {
            Kind::Compressed(_) | Kind::Zip | Kind::Tar => Some(Look::Files),
            Kind::Binary(binary) if binary.may_hold_text() => Some(Look::Unread(binary)),
            Kind::Binary(_) => Some(Look::Data),
            Kind::Plain => recode::is_whole(head).then_some(Look::Whole),
        }
    }

    /// Whether a body is a document or an archive, whatever its type says.
    pub(super) fn is_document(bytes: &[u8]) -> bool {
        let head = &bytes[..bytes.len().min(LOOK)];
        Look::by_mark(Kind::of(head), head).is_some_and(|look| look != Look::Data)
    }
}

/// Whether there is no byte that texts in supersets of ASCII do not have.
fn is_text(head: &[u8]) -> bool {
    let controls = b"\t\n\x0B\x0C\r\x08\x1A\x1B";
    head.iter().all(|b| !b.is_ascii_control() || controls.contains(b))
}

/// Whether a file with these first bytes is recoded.
pub(super) fn recoded(bytes: &[u8]) -> Decision {
    Decision::new(bytes, true, RecodeOptions { recognised: true, attachments: true })
}

/// The files of an attachment that is an archive, or compressed.
#[derive(Debug)]
pub(super) struct AttachedFiles<'r> {
    files: Files<&'r [u8]>,
    section: Section<'r>,
    mime: Mime<'r>,
    /// How many bytes more are read.
    left: usize,
}

/// A file of an archive.
#[derive(Debug)]
pub(super) struct Member<'r> {
    pub(super) mapped: Mapped<'r>,
    pub(super) section: Section<'r>,
    pub(super) mime: Mime<'r>,
    /// `None` if it was compressed alone.
    pub(super) name: Option<Vec<u8>>,
}

impl Message<'_> {
    /// What is said of a document in it that is not read.
    pub(super) fn unread(&self, binary: Binary) -> String {
        let all = self.options.attachments == Attachments::All;
        let bytes = if all { ": only its bytes were searched" } else { "" };
        format!("{binary}, which is not read in another file{bytes}")
    }
}

impl<'r> AttachedFiles<'r> {
    /// The files of the attachment that these bytes are.
    pub(super) fn new(bytes: &'r [u8], section: Section<'r>, mime: Mime<'r>) -> io::Result<Self> {
        Ok(AttachedFiles { files: Files::new(bytes)?, section, mime, left: MAX_FILES_LEN })
    }

    /// The next file; `message` has the bytes of the archive.
    pub(super) fn next(&mut self, message: &Message<'r>) -> Option<Member<'r>> {
        let source = &message.mapped(0..message.bytes.len());
        while self.left > 0 {
            let mut file = match self.files.next_file() {
                Ok(file) => file?,
                Err(error) => {
                    message.note(source, || format!("is an archive that was not read to its end: {error}"));
                    continue;
                }
            };
            let name = file.name().map(<[u8]>::to_vec);
            let shown =
                || String::from_utf8_lossy(name.as_deref().unwrap_or(b"data")).escape_debug().to_string();
            if let Some(binary) = file.binary() {
                if binary.may_hold_text() {
                    message.note(source, || format!("has {}, {}", shown(), message.unread(binary)));
                }
                if message.options.attachments != Attachments::All {
                    continue;
                }
            }
            let grow = |len| message.share.into_iter().for_each(|share| share.grow(len));
            let (bytes, error) = http::read(&mut file, &grow);
            if let Some(error) = error {
                message.note(source, || format!("has {}, which was not read to its end: {error}", shown()));
            }
            self.left = self.left.saturating_sub(bytes.len());
            if self.left == 0 {
                let limit = MAX_FILES_LEN >> 20;
                message.note(source, || {
                    format!("has more than {limit} MiB of files, of which the first were read")
                });
            }
            let mapped = source.clone().opaque(bytes);
            return Some(Member { mapped, section: self.section.clone(), mime: self.mime, name });
        }
        None
    }
}
