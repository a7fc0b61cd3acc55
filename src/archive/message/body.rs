//! Bodies, each decoded according to its kind.
//!
//! Decoders are applied in this order: dot-stuffing, transfer encoding, charset, and the decoder of
//! the kind.
//!
//! Files that were put into the text itself (uuencode, yEnc, BinHex) are not text. Their lines are
//! skipped, and the files in the first two are decoded and read like attachments.

use std::ops::Range;
use std::sync::Arc;

use urlgrep_outlook::rtf::{self as compressed, Rtf};
use urlgrep_outlook::tnef::{self, TnefValue, ValueKind};

use super::digest::Digest;
use super::encoded::{examined, transferred};
use super::kind::MediaKind;
use super::message::Message;
use super::mime::{Mime, TransferEncoding};
use super::nested::NestedMessages;
use super::part_context::PartContext;
use super::structure::{Section, Structure};
use super::text::TextKind;
use super::texts::{Sections, Texts};
use crate::archive::container::format::Shape;
use crate::archive::container::{markup, rtf};
use crate::archive::decode::inline_file::{FileEncoding, InlineFile};
use crate::archive::decode::{charset, der, flowed, inline_file, transfer};
use crate::archive::delimiter::has_delimiter;
use crate::archive::header::after_empty_line;
use crate::archive::mapped::Mapped;
use crate::archive::options::Attachments;
use crate::archive::source_map::Decoded;
use crate::archive::splitter::OpenDocument;
use crate::archive::what::{self, Hint, What};

/// The note on a message that is nested too deeply to be opened.
pub(super) const SEARCHED_AS_TEXT: &str = "was searched as text, without decoding it";

impl<'r> Texts<'r> {
    /// Reads a body: queues its texts, or opens it as a layer.
    pub(super) fn body(&mut self, section: &Section<'r>, kind: MediaKind, mime: Mime<'r>) {
        if self.piece_of_document(section, kind, mime)
            || kind == MediaKind::Other && !self.may_be_read(section, mime)
            || mime.is_attachment() && !self.reads_attachments()
        {
            return;
        }
        let mapped = self.transferred(section.range.clone(), mime);
        match kind {
            MediaKind::Message => {
                let context = PartContext::of(section, TextKind::Raw);
                if !self.may_open(&mapped, SEARCHED_AS_TEXT) {
                    return self.too_deep(mapped, context);
                }
                let message = self.keep(mapped);
                self.read(Message { shape: Shape::Mail(0), ..message }, context);
            }
            MediaKind::Multipart => {
                // If the delimiter does not occur in the decoded bytes, the declared encoding is wrong: the parts are in
                // the bytes before decoding.
                let is_damaged = mime.encoding() == TransferEncoding::QuotedPrintable
                    && mime.boundary().is_none_or(|boundary| !has_delimiter(mapped.as_bytes(), &boundary));
                let mapped = if is_damaged { self.message.mapped(section.range.clone()) } else { mapped };
                self.open(mapped, section, |bytes| Structure::of_multipart(bytes, section, mime));
            }
            MediaKind::Signed => self.signed(mapped, section, mime),
            MediaKind::Tnef => self.tnef(mapped, section, mime),
            MediaKind::Other if mapped.as_bytes().starts_with(tnef::MARK) => self.tnef(mapped, section, mime),
            MediaKind::Other => self.document(mapped, PartContext::of(section, TextKind::Body(mime))),
            _ => {
                let is_apart = || after_empty_line(self.message.bytes, section.range.start);
                let what =
                    self.reads_attachments().then(|| examined(mapped.as_bytes(), kind, mime, is_apart));
                match what.flatten() {
                    Some(what) => {
                        self.document_of(what, mapped, PartContext::of(section, TextKind::Body(mime)));
                    }
                    None => self.text_of_kind(mapped, section, kind, mime),
                }
            }
        }
    }

    /// Reads a body that contains only a piece of a document; returns false for any other body.
    fn piece_of_document(&mut self, section: &Section<'r>, kind: MediaKind, mime: Mime<'r>) -> bool {
        let Range { start, end } = section.range;
        let before = self.message.piece.before.filter(|_| start == 0);
        let before = before.and_then(|before| before.document.as_ref());
        let split = self.message.piece.end.filter(|(_, split)| split.at == end);
        let (until, split) = split.map_or((end, None), |(_, split)| (split.until, split.document));
        let document = match (before, split) {
            (Some(before), _) => before.clone(),
            (None, Some(split)) => OpenDocument::new(split.framing, split.limits),
            (None, None) => return false,
        };
        // The bytes after the piece decide where messages end in it.
        let mapped = self.transferred(start..if split.is_some() { until } else { end }, mime);
        let read = document.at..split.map_or(mapped.as_bytes().len(), |split| split.end);
        let kind = if kind == MediaKind::Message { TextKind::Raw } else { TextKind::Body(mime) };
        let context = self.body_context(section, kind);
        match document.framing.is_text() {
            _ if read.is_empty() => {}
            true => self.lines(mapped.only(read), context, document.framing),
            false if !self.may_open(&mapped, SEARCHED_AS_TEXT) => self.too_deep(mapped.only(read), context),
            false => {
                let whole = self.keep(mapped);
                let nested = NestedMessages { context, document, before, last: split.is_none() };
                self.push_open_message(whole, Sections::Nested(Box::new(nested)));
            }
        }
        true
    }

    /// The body that is `section`, which may be the rest of a page.
    fn body_context(&self, section: &Section<'r>, kind: TextKind<'r>) -> PartContext<'r> {
        let before = self.message.piece.before.filter(|_| section.range.start == 0);
        let declared = before.and_then(|before| before.declared.as_ref());
        PartContext { declared, ..PartContext::of(section, kind) }
    }

    /// Returns true if attachments are read.
    pub(super) fn reads_attachments(&self) -> bool {
        self.message.options.attachments != Attachments::None
    }

    /// Returns true if an attachment is more than data, by its first bytes: the rest of an image is
    /// not decoded.
    fn may_be_read(&self, section: &Section<'r>, mime: Mime<'r>) -> bool {
        let Range { start, end } = section.range;
        let head = match mime.encoding() {
            // uuencode starts with a `begin` line that may follow others, so the head alone does not show the file.
            TransferEncoding::Uuencode => start..end,
            _ => start..end.min(start + what::HEAD),
        };
        match self.message.options.attachments {
            Attachments::None => false,
            Attachments::Documents => {
                !matches!(what::what(self.transferred(head, mime).as_bytes(), Hint::PART), What::Data)
            }
            Attachments::All => true,
        }
    }

    /// The bytes of a body, or of its beginning, without its transfer encoding.
    fn transferred(&self, range: Range<usize>, mime: Mime<'r>) -> Mapped<'r> {
        let mut mapped = self.message.mapped(range);
        if self.message.options.dot_stuffing && self.message.inside.is_none() {
            mapped = mapped.decoded_by(transfer::unstuff);
        }
        transferred(mapped, mime, self.message.options.offsets)
    }

    fn text_of_kind(&mut self, mapped: Mapped<'r>, section: &Section<'r>, kind: MediaKind, mime: Mime<'r>) {
        let label = mime.param(b"charset").unwrap_or_default();
        let reading = kind.reading();
        let mapped = match kind {
            // RTF declares its own charset.
            MediaKind::Rtf => mapped,
            _ if reading.is_markup => mapped,
            _ => mapped.decoded_by(|bytes| charset::decode(bytes, &label)),
        };
        match reading.read {
            None => self.plain(mapped, section, mime),
            Some(_) => self.text(mapped, self.body_context(section, TextKind::Body(mime)), reading),
        }
    }

    /// Plain text, which may be a digest or contain files.
    fn plain(&mut self, mapped: Mapped<'r>, section: &Section<'r>, mime: Mime<'r>) {
        if let Some(digest) = Digest::of(mapped.as_bytes())
            && self.may_open(&mapped, "is a digest, which was searched as one text")
        {
            let message = self.keep(mapped);
            return self.push_open_message(message, Sections::Listed(digest.sections(section)));
        }
        if mime.param_is(b"format", b"flowed") && !inline_file::may_be_in(mapped.as_bytes()) {
            let mut text = self.message.text_in(PartContext::of(section, TextKind::Body(mime)), mapped);
            if let Some(flowed) = flowed::unflow(text.as_bytes(), mime.param_is(b"delsp", b"yes")) {
                (text.mapped, text.joins) = (text.mapped.decoded(flowed.decoded), flowed.joins);
            }
            return self.push(text);
        }
        self.with_files(mapped, PartContext::of(section, TextKind::Body(mime)));
    }

    /// A text without the files in it, and these files.
    pub(super) fn with_files(&mut self, mapped: Mapped<'r>, context: PartContext<'r>) {
        let files = inline_file::all(mapped.as_bytes());
        let mut decoded = Vec::new();
        if self.reads_attachments() {
            if files.iter().any(|file| file.encoding == FileEncoding::BinHex) {
                self.message.note(&mapped, || "contains a BinHex file, which is unsupported".to_owned());
            }
            let is_read = |file: &&InlineFile| file.is_named || self.reads_all();
            let file = |file| inline_file::decode(mapped.as_bytes(), file);
            decoded.extend(files.iter().filter(is_read).filter_map(file).map(|file| mapped.decoded(file)));
        }
        let text = match files.is_empty() {
            true => mapped,
            false => {
                let ranges = files.iter().map(|file| file.range.clone());
                mapped.decoded(Decoded::without(mapped.as_bytes(), ranges))
            }
        };
        let decoded: Vec<_> =
            decoded.into_iter().map(|file| (file, context.within(TextKind::File))).collect();
        self.push(self.message.text_in(context, text));
        decoded.into_iter().for_each(|(file, context)| self.document(file, context));
    }

    /// A signed entity.
    fn signed(&mut self, mapped: Mapped<'r>, section: &Section<'r>, mime: Mime<'r>) {
        let Some(content) = der::signed_content(mapped.as_bytes()) else {
            self.message.note(&mapped, || "is encrypted or damaged S/MIME, and was not searched".to_owned());
            return self.document(mapped, PartContext::of(section, TextKind::Body(mime)));
        };
        let (number, message) = (section.number.clone(), Arc::clone(&section.message));
        self.open(mapped.decoded(content), section, |bytes| {
            Structure::of_entity(bytes, 0, number, Some(message))
        });
    }

    /// Opens a layer of the decoded body, with the structure that `structure` finds in it.
    fn open(
        &mut self,
        mapped: Mapped<'r>,
        section: &Section<'r>,
        structure: impl FnOnce(&'r [u8]) -> Structure<'r>,
    ) {
        if !self.may_open(&mapped, SEARCHED_AS_TEXT) {
            return self.too_deep(mapped, PartContext::of(section, TextKind::Raw));
        }
        let message = self.keep(mapped);
        self.push_open_message(message, Sections::Structure(Box::new(structure(message.bytes))));
    }

    /// The texts of an Outlook message.
    fn tnef(&mut self, mapped: Mapped<'r>, section: &Section<'r>, mime: Mime<'r>) {
        let Some(values) = tnef::values(mapped.as_bytes()) else {
            return self.document(mapped, PartContext::of(section, TextKind::Body(mime)));
        };
        for TnefValue { range, kind } in values {
            let mut value = Decoded::default();
            value.copy(mapped.as_bytes(), range);
            let value = mapped.decoded(value);
            let text = |value| self.message.text_in(PartContext::of(section, TextKind::File), value);
            self.push(match kind {
                ValueKind::File if self.reads_attachments() => {
                    self.document(value, PartContext::of(section, TextKind::File));
                    continue;
                }
                ValueKind::File => continue,
                ValueKind::Data => text(value),
                ValueKind::Wide => text(value.decoded_by(|bytes| charset::decode(bytes, b"utf-16le"))),
                ValueKind::Html => text(value).read(&markup::PAGE),
                ValueKind::CompressedRtf => text(self.decompressed(value)).read(&rtf::DOCUMENT),
            });
        }
    }

    /// Compressed RTF, decompressed as far as memory allows.
    fn decompressed(&self, value: Mapped<'r>) -> Mapped<'r> {
        let Some(Rtf { text, is_truncated, .. }) = compressed::decompress(value.as_bytes(), 0) else {
            return value;
        };
        if is_truncated {
            self.message.note(&value, || {
                format!(
                    "is RTF longer than {} MiB, and only its beginning was searched",
                    compressed::MAX_LEN >> 20
                )
            });
        }
        value.decoded(text)
    }

    /// A message that may not be opened, as text.
    pub(super) fn too_deep(&mut self, mapped: Mapped<'r>, context: PartContext<'r>) {
        let context = PartContext { kind: TextKind::TooDeep, ..context };
        self.push(self.message.text_in(context, mapped));
    }
}
