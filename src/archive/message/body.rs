//! Bodies, each decoded as its kind says.
//!
//! Decoders are applied one after the other: dot-stuffing, transfer encoding, charset,
//! and that of the kind.
//!
//! Files that were put into the text itself (uuencode, yEnc, BinHex) are not text. Their
//! lines are left out, and those of the first two are read, decoded, if attachments are.

use std::sync::Arc;

use super::digest::Digest;
use super::kind::MediaKind;
use super::mime::{Mime, TransferEncoding};
use super::structure::{Section, Structure};
use super::text::TextKind;
use super::texts::{Source, Texts};
use crate::archive::decode::tnef::{Value, ValueKind};
use crate::archive::decode::{charset, der, inline_file, tnef, transfer};
use crate::archive::mapped::Mapped;
use crate::archive::source_map::Decoded;

impl<'r> Texts<'r> {
    /// Reads a body: queues its texts, or opens it as a layer.
    pub(super) fn body(
        &mut self,
        source: Source<'r>,
        section: &Section<'r>,
        kind: MediaKind,
        mime: Mime<'r>,
    ) {
        if kind.is_attachment() && !self.message.options.attachments {
            return;
        }
        let mapped = self.transferred(source, section, mime);
        match kind {
            MediaKind::Message => self.message_inside(mapped, section),
            MediaKind::Signed => self.signed(mapped, section, mime),
            MediaKind::Tnef => self.tnef(mapped, section, mime),
            MediaKind::Other => self.with_files(mapped, section, mime),
            _ => self.text_of_kind(mapped, section, kind, mime),
        }
    }

    /// The bytes of a body without its transfer encoding.
    fn transferred(&self, source: Source<'r>, section: &Section<'r>, mime: Mime<'r>) -> Mapped<'r> {
        let mut mapped = source.mapped(section.range.clone());
        if self.message.options.dot_stuffing && self.in_file() {
            mapped = mapped.decoded_by(transfer::unstuff);
        }
        mapped.decoded_by(|bytes| match mime.encoding() {
            TransferEncoding::Identity => None,
            TransferEncoding::QuotedPrintable => Some(transfer::quoted_printable(bytes)),
            TransferEncoding::Base64 => Some(transfer::base64(bytes)),
            TransferEncoding::Uuencode => inline_file::decode_all(bytes),
        })
    }

    fn text_of_kind(&mut self, mapped: Mapped<'r>, section: &Section<'r>, kind: MediaKind, mime: Mime<'r>) {
        let label = mime.param(b"charset").unwrap_or_default();
        let mapped = match kind {
            MediaKind::Rtf => mapped,
            _ => mapped.decoded_by(|bytes| charset::decode(bytes, kind.charset(&label, bytes))),
        };
        if kind == MediaKind::Text {
            return self.plain(mapped, section, mime);
        }
        let text = self.message.text_of(section, TextKind::Body(mime), mapped);
        self.queue.push_back(text.read_as(kind));
    }

    /// Plain text, which may be a digest, or have files in it.
    fn plain(&mut self, mapped: Mapped<'r>, section: &Section<'r>, mime: Mime<'r>) {
        if let Some(digest) = Digest::of(mapped.as_bytes())
            && self.may_open()
        {
            let section = section.clone();
            return self.open_listed(mapped, |bytes| digest.sections(bytes, &section));
        }
        if mime.param_is(b"format", b"flowed") && !inline_file::may_be_in(mapped.as_bytes()) {
            let text = self.message.text_of(section, TextKind::Body(mime), mapped);
            return self.queue.push_back(text.unflowed(mime.param_is(b"delsp", b"yes")));
        }
        self.with_files(mapped, section, mime);
    }

    /// A text without the files in it, and those files.
    fn with_files(&mut self, mapped: Mapped<'r>, section: &Section<'r>, mime: Mime<'r>) {
        let files = inline_file::all(mapped.as_bytes());
        let mut decoded = Vec::new();
        if self.message.options.attachments {
            let file = |file| inline_file::decode(mapped.as_bytes(), file);
            decoded.extend(files.iter().filter_map(file).map(|file| mapped.decoded(file)));
        }
        let text = match files.is_empty() {
            true => mapped,
            false => {
                let rest = inline_file::without(mapped.as_bytes(), &files);
                mapped.decoded(rest)
            }
        };
        self.queue.push_back(self.message.text_of(section, TextKind::Body(mime), text));
        let file = |file| self.message.text_of(section, TextKind::File, file);
        self.queue.extend(decoded.into_iter().map(file));
    }

    /// A message that is encoded.
    fn message_inside(&mut self, mapped: Mapped<'r>, section: &Section<'r>) {
        if !self.may_open() {
            return self.too_deep(mapped, section);
        }
        let number = section.number.clone();
        self.open(mapped, |bytes| Structure::of_message(bytes, number));
    }

    /// An entity that is signed.
    fn signed(&mut self, mapped: Mapped<'r>, section: &Section<'r>, mime: Mime<'r>) {
        let Some(content) = der::signed_content(mapped.as_bytes()) else {
            // Another kind of envelope; what is encrypted has no text.
            let text = self.message.text_of(section, TextKind::Body(mime), mapped);
            return self.queue.push_back(text);
        };
        let mapped = mapped.decoded(content);
        if !self.may_open() {
            return self.too_deep(mapped, section);
        }
        let (number, message) = (section.number.clone(), Arc::clone(&section.message));
        self.open(mapped, |bytes| Structure::of_part(bytes, number, message));
    }

    /// The texts of a message of Outlook.
    fn tnef(&mut self, mapped: Mapped<'r>, section: &Section<'r>, mime: Mime<'r>) {
        let Some(values) = tnef::values(mapped.as_bytes()) else {
            let text = self.message.text_of(section, TextKind::Body(mime), mapped);
            return self.queue.push_back(text);
        };
        for Value { range, kind } in values {
            let mut value = Decoded::default();
            value.copy(mapped.as_bytes(), range);
            let value = mapped.decoded(value);
            let text = |value| self.message.text_of(section, TextKind::File, value);
            self.queue.push_back(match kind {
                ValueKind::Data => text(value),
                ValueKind::Wide => text(value.decoded_by(|bytes| charset::decode(bytes, b"utf-16le"))),
                ValueKind::Html => text(value).html(),
                ValueKind::CompressedRtf => text(self.decompressed(value)).rtf(),
            });
        }
    }

    /// Compressed RTF, decompressed as far as memory allows.
    fn decompressed(&self, value: Mapped<'r>) -> Mapped<'r> {
        let Some(rtf) = tnef::decompress(value.as_bytes()) else {
            return value;
        };
        if rtf.is_cut {
            let start = value.source(0..1).map_or(self.message.base, |source| source.start);
            self.message.undecoded.note(start, || {
                format!(
                    "is RTF that is longer than {} MiB and was not read to its end",
                    tnef::MAX_RTF_LEN >> 20
                )
            });
        }
        value.decoded(rtf.decoded)
    }

    /// A message that may not be opened, as text.
    fn too_deep(&mut self, mapped: Mapped<'r>, section: &Section<'r>) {
        self.queue.push_back(self.message.text_of(section, TextKind::TooDeep, mapped));
    }
}
