//! Attachments, each read as [what its bytes are](crate::archive::what).

use std::collections::VecDeque;
use std::ops::Range;

use super::attachment::{AttachedFiles, Member};
use super::body::UNDECODED;
use super::piece::Begin;
use super::structure::{Section, Structure};
use super::text::TextKind;
use super::texts::{Sections, Texts};
use crate::archive::container::format::{self, Buffered, Content, Framing, Shape};
use crate::archive::decode::folded::Unfold;
use crate::archive::decode::{charset, json, property};
use crate::archive::mapped::Mapped;
use crate::archive::options::Attachments;
use crate::archive::recode::{Converter, Recoder};
use crate::archive::what::{self, Hint, What, all_lines};
use crate::bytes::buffer::Buffer;

/// The beginning of RTF.
const RTF: &[u8] = br"{\rtf";

impl<'r> Texts<'r> {
    /// Reads an attachment, decoded.
    pub(super) fn attached(&mut self, mapped: Mapped<'r>, section: &Section<'r>, kind: TextKind<'r>) {
        match what::what(mapped.as_bytes(), Hint::PART) {
            What::Lines(framing) => self.lines(mapped, section, kind, framing),
            What::Converted(converter) => self.converted(mapped, section, kind, converter),
            What::Files => self.open_files(mapped, section, kind),
            What::Unsupported(binary) => {
                self.message.note(&mapped, || format!("is {}", self.message.unsupported(binary)));
                self.bytes_of(mapped, section, kind);
            }
            What::Data => self.bytes_of(mapped, section, kind),
        }
    }

    /// Reads a message that is one text, and the files in it: the bodies of mail that strings of JSON have, and the
    /// values of properties.
    pub(super) fn whole(&mut self) {
        self.queue.push_back(self.message.whole());
        let mapped = self.message.mapped(0..self.message.bytes.len());
        let files = match self.message.shape {
            Shape::Json => {
                let bodies = json::bodies(mapped.as_bytes(), self.message.options.offsets).into_iter();
                bodies.map(|body| mapped.decoded(body)).collect()
            }
            Shape::Folded(_) => self.property_files(&mapped),
            _ => return,
        };
        let section = Section::of_file();
        files.into_iter().for_each(|file| self.attached(file, &section, TextKind::File));
    }

    /// Reads a calendar or cards, and the files that are values of their properties.
    pub(super) fn properties(
        &mut self,
        mapped: Mapped<'r>,
        section: &Section<'r>,
        kind: TextKind<'r>,
        unfold: Unfold,
    ) {
        let files = self.property_files(&mapped);
        self.queue.push_back(self.message.text_of(section, kind, mapped).unfolded(unfold));
        files.into_iter().for_each(|file| self.attached(file, section, TextKind::File));
    }

    /// The files that are values of properties of calendars or cards.
    fn property_files(&self, text: &Mapped<'r>) -> Vec<Mapped<'r>> {
        if !self.reads_attachments() {
            return Vec::new();
        }
        let files = property::files(text.as_bytes(), self.message.options.offsets).into_iter();
        files.map(|file| text.decoded(file.line).decoded(file.content)).collect()
    }

    pub(super) fn reads_all(&self) -> bool {
        self.message.options.attachments == Attachments::All
    }

    /// Queues the bytes of an attachment that is no text, if those are wanted.
    fn bytes_of(&mut self, mapped: Mapped<'r>, section: &Section<'r>, kind: TextKind<'r>) {
        if self.reads_all() {
            self.with_files(mapped, section, kind);
        }
    }

    /// Reads a text of a format, or messages.
    fn lines(
        &mut self,
        mapped: Mapped<'r>,
        section: &Section<'r>,
        kind: TextKind<'r>,
        framing: &'static Framing,
    ) {
        let bytes = mapped.as_bytes();
        if bytes.is_empty() {
            return;
        }
        if bytes.starts_with(RTF) {
            return self.queue.push_back(self.message.text_of(section, kind, mapped).rtf());
        }
        match framing.content {
            Content::Mail(shape) => self.mailbox(mapped, section, framing, shape),
            Content::Text(Shape::Text) => {
                let mapped = mapped.decoded_by(|bytes| charset::decode(bytes, &kind.label()));
                self.with_files(mapped, section, kind);
            }
            // A file within a file is not read: it could have one, too, and so on.
            Content::Text(Shape::Folded(unfold)) if !matches!(kind, TextKind::File) => {
                self.properties(mapped, section, kind, unfold);
            }
            Content::Text(shape) => {
                self.message.note_encrypted(&mapped, shape);
                self.queue.push_back(self.message.text_of(section, kind, mapped).shaped(shape));
            }
        }
    }

    /// Reads what is not in lines of a superset of ASCII.
    fn converted(
        &mut self,
        mapped: Mapped<'r>,
        section: &Section<'r>,
        kind: TextKind<'r>,
        converter: Converter,
    ) {
        let mut recoder = Recoder::new(converter);
        let mut buffer = Buffer::default();
        recoder.push(mapped.as_bytes(), &mut buffer);
        if let Err(error) = recoder.finish(&mut buffer) {
            let part = if buffer.buffered().is_empty() { "" } else { " as a whole" };
            self.message.note(&mapped, || format!("was not read{part}: {error}"));
        }
        let mapped = mapped.opaque(buffer.buffered().to_vec());
        let framing = all_lines(mapped.as_bytes());
        self.lines(mapped, section, kind, framing);
    }

    /// Opens the messages of a file.
    fn mailbox(
        &mut self,
        mapped: Mapped<'r>,
        section: &Section<'r>,
        framing: &Framing,
        shape: fn(&[u8]) -> Shape,
    ) {
        if !self.may_open(&mapped, UNDECODED) {
            return self.too_deep(mapped, section);
        }
        let message = self.keep(mapped);
        let messages = messages(message.bytes, framing, shape, &section.number);
        self.push_layer(message, Sections::Mailbox(messages));
    }

    /// Opens an archive, or what is compressed.
    fn open_files(&mut self, mapped: Mapped<'r>, section: &Section<'r>, kind: TextKind<'r>) {
        if !self.may_open(&mapped, "is an archive or compressed, and was not read") {
            return;
        }
        let message = self.keep(mapped);
        if let Ok(files) = AttachedFiles::new(message.bytes, section.clone(), kind.mime()) {
            self.push_layer(message, Sections::Files(Box::new(files)));
        }
    }

    /// Reads a file of an archive: what is not text is noted or left out.
    pub(super) fn member(&mut self, member: Member<'r>) {
        let Member { mapped, section, mime, name } = member;
        let kind = match name {
            Some(name) => TextKind::Member(mime, self.keep(Mapped::verbatim(&name, 0)).bytes),
            None => TextKind::Body(mime),
        };
        match what::what(mapped.as_bytes(), Hint::PART) {
            What::Lines(framing) => self.lines(mapped, &section, kind, framing),
            What::Converted(converter) => self.converted(mapped, &section, kind, converter),
            _ if self.reads_all() => self.queue.push_back(self.message.text_of(&section, kind, mapped)),
            _ => {}
        }
    }
}

/// The messages of a mailbox, the body of the part `number`.
fn messages<'r>(
    bytes: &'r [u8],
    framing: &Framing,
    shape: fn(&[u8]) -> Shape,
    number: &str,
) -> VecDeque<Structure<'r>> {
    let mut ranges = Vec::new();
    let mut at = gap(framing.before, bytes, 0);
    while at < bytes.len() {
        let end = (framing.end)(&bytes[at..], &mut 0, true).map_or(bytes.len(), |len| at + len.max(1));
        ranges.push(at..end);
        at = end + gap(framing.between, bytes, end);
    }
    let is_single = ranges.len() == 1;
    let structure = |(n, range): (usize, Range<usize>)| {
        let number = if is_single { number.to_owned() } else { format!("{number}.{}", n + 1) };
        let begin = match shape(&bytes[range.clone()]) {
            Shape::Mail(start) => Begin::Head(range.start + start),
            Shape::Apart { head, head_end, body } => Begin::Apart {
                head: range.start + head,
                head_end: range.start + head_end,
                body: range.start + body,
            },
            _ => Begin::Head(range.start),
        };
        begin.structure(&bytes[..range.end]).of_number(number)
    };
    ranges.into_iter().enumerate().map(structure).collect()
}

/// The length of the bytes at `at` that are between messages.
fn gap(find: Option<format::FindGap>, bytes: &[u8], at: usize) -> usize {
    let rest = Buffered { bytes: &bytes[at..], first: at == 0, last: true };
    find.and_then(|find| find(rest)).map_or(0, |gap| gap.len)
}
