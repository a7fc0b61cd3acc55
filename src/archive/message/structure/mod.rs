//! The structure of a message: its parts, and the parts of those (RFC 2046).
//!
//! The bytes of a message are passed once, from one delimiter to the next, with the open multiparts
//! on a stack. A delimiter closes all multiparts inside its own one, so that a truncated part does
//! not affect other parts. The code does not recurse, so a message may be nested to any depth.
//!
//! # Pieces
//!
//! A message that is too long is read in pieces. A piece ends in a body, between parts, or before
//! the header of a part; the open structure there is the beginning of the next one: see
//! [`continuation`].
//!
//! # Preamble and epilogue
//!
//! By RFC 2046 §5.1.1, readers ignore the bytes before the first part and after the last. But
//! programs that do not know parts add text after the last one, with links: the footers of lists,
//! and of scanners for viruses. So both are sections of their own, [`PREAMBLE`](entity::PREAMBLE)
//! and [`EPILOGUE`](entity::EPILOGUE); except an empty one, and a preamble that consists only of
//! the usual notice, "This is a multi-part message in MIME format."
//!
//! # Damage
//!
//! Bytes that the structure does not account for are read verbatim:
//!
//! - A line that begins with `--` and is followed by a Content field is a damaged
//!   delimiter, if it is before the first part, or in a body that is not read or is
//!   encoded. If no valid one follows, it shows what the delimiter is; a multipart that
//!   has neither is text.
//! - A head ends before a delimiter: the empty line between them is missing.
//! - A closing delimiter is read as an ordinary one if a Content field follows it.
//! - Bytes before the first or after the last part are a part whose delimiter is missing if they contain a Content
//!   field, or if another part follows them.
//! - Parts that are nested too deep are text.

mod continuation;
mod entity;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use super::envelope::Envelope;
use super::kind::MediaKind;
use super::mime::{Mime, TransferEncoding};
use crate::archive::container::format::Framing;
use crate::archive::delimiter::{after_boundary, before_break, before_content, content, delimiters};
use crate::archive::header::{HeaderField, HeaderFields, has_url, line_end};
use crate::archive::limits::{Limits, MAX_DEPTH};
use entity::{MimeEntity, Multipart};

pub(crate) use continuation::{Continuation, PieceEnding};

/// A range of a message that is read by itself.
#[derive(Clone, Debug)]
pub(crate) struct Section<'m> {
    /// The number of the part that it belongs to, as in IMAP; empty for the message
    /// itself.
    pub(crate) number: String,
    /// The envelope of the message that it belongs to.
    pub(crate) message: Arc<Envelope<'m>>,
    pub(crate) range: Range<usize>,
    pub(crate) kind: SectionKind<'m>,
}

/// The kind of a section.
#[derive(Clone, Debug)]
pub(crate) enum SectionKind<'m> {
    /// A header, and its first fields, if they have been read.
    Head(Vec<HeaderField>),
    /// A body, its kind and its Content fields.
    Body(MediaKind, Mime<'m>),
    /// A message of a digest.
    Message,
    /// Bytes outside of the structure.
    Raw,
    /// A body that is nested too deep.
    TooDeep,
}

/// The next element of the message.
#[derive(Clone, Debug)]
enum Cursor<'m> {
    Entity(MimeEntity<'m>),
    /// The rest of a body.
    Body(Section<'m>),
    /// Bytes between the parts of a multipart, from this offset on.
    Outside(usize),
    Nothing,
}

/// The number of header fields that are kept, so that they are not read twice.
const MANY_FIELDS: usize = 64;

/// A line that delimits parts.
struct Delimiter {
    line: Range<usize>,
    /// The open multipart to which it belongs.
    level: usize,
    /// True if it closes the multipart.
    closing: bool,
}

/// The sections of a message, in order.
#[derive(Debug)]
pub(crate) struct Structure<'m> {
    bytes: &'m [u8],
    /// The end of the message's header and the beginning of its body, if they do not touch.
    detached: Option<(usize, usize)>,
    open: Vec<Multipart<'m>>,
    next: Cursor<'m>,
    sections: VecDeque<Section<'m>>,
    /// The offset at which the bytes are split, if they are a piece of a message.
    pub(crate) split: Option<MessageSplit>,
    /// The element after the split.
    rest: Cursor<'m>,
    /// The envelope of the message itself.
    envelope: Option<Arc<Envelope<'m>>>,
}

/// The split of a message that is too long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageSplit {
    /// The offset at which the piece ends.
    pub(crate) at: usize,
    /// A delimiter that begins here or later belongs to the next piece, as does a header that ends
    /// later. Enough bytes follow to recognise a delimiter before this offset.
    pub(crate) until: usize,
    /// The document in the body that ends there.
    pub(crate) document: Option<DocumentSplit>,
}

/// A document in a body that is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocumentSplit {
    pub(crate) framing: &'static Framing,
    /// The limits for splitting messages in it.
    pub(crate) limits: Limits,
    /// The offset at which it is split. The bytes up to the end of the piece's buffered bytes are
    /// decoded.
    pub(crate) end: usize,
}

impl<'m> Structure<'m> {
    /// The structure of the message that begins at `at`.
    pub(crate) fn new(bytes: &'m [u8], at: usize) -> Self {
        Self::of_entity(bytes, at, String::new(), None)
    }

    /// The structure of a message whose body begins at `body`, not where its `head` ends.
    pub(crate) fn detached(bytes: &'m [u8], head: Range<usize>, body: usize) -> Self {
        Structure { detached: Some((head.end, body)), ..Structure::new(bytes, head.start) }
    }

    /// Returns this structure for a message in the body of this part.
    pub(crate) fn of_number(mut self, part: String) -> Self {
        if part.is_empty() {
            return self;
        }
        self.open.iter_mut().for_each(|multipart| multipart.prefix = format!("{part}.{}", multipart.prefix));
        match &mut self.next {
            Cursor::Entity(MimeEntity { number, .. }) | Cursor::Body(Section { number, .. }) => {
                *number = if number.is_empty() { part } else { format!("{part}.{number}") };
            }
            Cursor::Outside(_) | Cursor::Nothing => {}
        }
        self
    }

    /// The structure of the decoded multipart that is this section.
    pub(crate) fn of_multipart(bytes: &'m [u8], section: &Section<'m>, mime: Mime<'m>) -> Self {
        let section = Section { range: 0..0, ..section.clone() };
        let mut structure = Self::at(bytes, Cursor::Outside(0));
        structure.open.push(Multipart::new(section, 0, mime.boundary().unwrap_or_default(), &mime));
        structure
    }

    /// The structure of the message that begins at `at`, or of the decoded part of `message` with this number.
    pub(crate) fn of_entity(
        bytes: &'m [u8],
        at: usize,
        number: String,
        message: Option<Arc<Envelope<'m>>>,
    ) -> Self {
        let entity = MimeEntity { at, number, message, outer: None, default: MediaKind::Text, depth: 0 };
        Self::at(bytes, Cursor::Entity(entity))
    }

    /// The structure with `next` as its first element.
    fn at(bytes: &'m [u8], next: Cursor<'m>) -> Self {
        let (open, sections, rest) = (Vec::new(), VecDeque::new(), Cursor::Nothing);
        Structure { bytes, detached: None, open, next, sections, split: None, rest, envelope: None }
    }

    /// Reads the header of an entity.
    fn entity(&mut self, entity: MimeEntity<'m>) -> Cursor<'m> {
        let detached = self.detached.take();
        let head_limit = detached.map_or(self.bytes.len(), |(head_end, _)| head_end);
        let mut fields = HeaderFields::new(&self.bytes[..head_limit], entity.at);
        let mut mime = Mime::default();
        let mut boundary = None;
        let mut first = Vec::new();
        let delimiter = fields.find_map(|field| {
            if self.is_delimiter(&field, boundary.as_deref()) {
                return Some(field.range.start);
            }
            if mime.note(field.name(self.bytes), field.value(self.bytes)) && boundary.is_none() {
                boundary = mime.boundary();
            }
            if first.is_empty() {
                // An allocator returns a block of 1 KiB immediately, but searches for a larger one.
                first.reserve_exact(MANY_FIELDS / 2);
            }
            if first.len() < MANY_FIELDS {
                first.push(field);
            }
            None
        });
        // If a delimiter ends the header, a second pass may read its last lines in another way, so keep no fields.
        first.truncate(if delimiter.is_some() { 0 } else { MANY_FIELDS });
        let head = entity.at..delimiter.unwrap_or(fields.end());
        let from = detached.map_or(delimiter.unwrap_or(fields.body()), |(_, body)| body);
        if self.split.is_some_and(|split| from > split.until) {
            self.detached = detached;
            return self.stop(Cursor::Entity(entity));
        }
        let is_message = entity.message.is_none();
        // The first message may follow a separator.
        let before = if self.envelope.is_none() { &self.bytes[..head.start] } else { &[] };
        let message = entity.message.unwrap_or_else(|| match entity.outer {
            Some(outer) => Arc::new(Envelope::new(&self.bytes[head.clone()]).within(&outer)),
            None => Arc::new(Envelope::after(before, &self.bytes[head.clone()])),
        });
        self.envelope.get_or_insert_with(|| Arc::clone(&message));
        if !head.is_empty() {
            let (number, message) = (entity.number.clone(), Arc::clone(&message));
            self.sections.push_back(Section { number, message, range: head, kind: SectionKind::Head(first) });
        }
        let (kind, depth) = (mime.kind(entity.default), entity.depth);
        let is_identity_message = kind == MediaKind::Message && mime.encoding() == TransferEncoding::Identity;
        let mut section = Section {
            number: entity.number,
            message,
            range: from..from,
            kind: SectionKind::Body(kind, mime),
        };
        if kind == MediaKind::Multipart {
            if self.is_encoded(from, boundary.as_deref(), mime) {
                return Cursor::Body(section);
            }
            if depth < MAX_DEPTH {
                self.open.push(Multipart::new(section, depth, boundary.unwrap_or_default(), &mime));
                return Cursor::Outside(from);
            }
        }
        // The only body of a message is its first part.
        if is_message {
            section.number.push_str(if section.number.is_empty() { "1" } else { ".1" });
        }
        if (is_identity_message || kind == MediaKind::Multipart) && depth >= MAX_DEPTH {
            section.kind = SectionKind::TooDeep;
        } else if is_identity_message {
            // A `message/partial` takes fields from the outer message.
            let (number, outer) = (section.number, mime.is_partial().then_some(section.message));
            let (default, depth) = (MediaKind::Text, depth + 1);
            return Cursor::Entity(MimeEntity { at: from, number, message: None, outer, default, depth });
        }
        Cursor::Body(section)
    }

    /// Returns true if the multipart whose body begins at `from` is encoded, as its header
    /// declares. RFC 2045 §6.4 forbids that, and nearly all multiparts that declare it are not
    /// encoded: a line is the delimiter verbatim. Quoted-printable may keep the delimiter, but
    /// encodes the parameters of the first part.
    fn is_encoded(&self, from: usize, boundary: Option<&[u8]>, mime: Mime<'_>) -> bool {
        let is_of_multipart =
            matches!(mime.encoding(), TransferEncoding::QuotedPrintable | TransferEncoding::Base64);
        let Some(boundary) = boundary.filter(|_| is_of_multipart) else { return false };
        let own = delimiters(self.bytes, from).find_map(|line| {
            let content = content(&self.bytes[line.clone()]);
            let is_own = after_boundary(content, boundary).is_some();
            let ends = || self.open.iter().any(|outer| after_boundary(content, &outer.boundary).is_some());
            (is_own || ends()).then_some((is_own, line.end))
        });
        let has_escape = |at: usize| {
            let head = at..HeaderFields::new(self.bytes, at).into_body();
            mime.encoding() == TransferEncoding::QuotedPrintable
                && memmem::find(&self.bytes[head], b"=3D").is_some()
        };
        own.is_none_or(|(is_own, after)| !is_own || has_escape(after))
    }

    /// Returns true if a field is the delimiter of an open multipart, or of the multipart whose
    /// header this is, if the header declares its `boundary`.
    fn is_delimiter(&self, field: &HeaderField, boundary: Option<&[u8]>) -> bool {
        let start = field.range.start;
        if !self.bytes[start..].starts_with(b"--") {
            return false;
        }
        let content = content(&self.bytes[start..line_end(self.bytes, start)]);
        let open = self.open.iter().map(|multipart| &*multipart.boundary);
        open.chain(boundary).any(|boundary| after_boundary(content, boundary).is_some())
    }

    /// Skips a body up to the delimiter that ends it.
    fn body(&mut self, mut section: Section<'m>) -> Cursor<'m> {
        let from = section.range.start;
        let damaged = match section.kind {
            SectionKind::Body(kind, _) if kind.is_data() => true,
            // The delimiter lines in the inner message belong to it.
            SectionKind::Body(MediaKind::Multipart, _) => false,
            SectionKind::Body(_, mime) => mime.encoding() != TransferEncoding::Identity,
            _ => false,
        };
        let delimiter = self.delimiter(from, damaged && !self.open.is_empty());
        if delimiter.is_none() && self.split.is_some() {
            return self.stop(Cursor::Body(section));
        }
        section.range.end = match &delimiter {
            Some(delimiter) => before_break(self.bytes, from, delimiter.line.start),
            None => self.bytes.len(),
        };
        self.sections.push_back(section);
        self.pass(delimiter)
    }

    /// Skips bytes outside of all parts up to the next delimiter.
    fn outside(&mut self, from: usize) -> Cursor<'m> {
        let valid = self.delimiter(from, false);
        if valid.is_none() && self.split.is_some() {
            return self.stop(Cursor::Outside(from));
        }
        let preamble = self.open.last().is_some_and(|multipart| multipart.parts == 0);
        let own = valid.as_ref().is_some_and(|valid| valid.level + 1 == self.open.len());
        let first = if preamble && own { self.delimiter(from, true) } else { valid };
        self.pass(first)
    }

    /// Skips a delimiter, or else the end.
    fn pass(&mut self, delimiter: Option<Delimiter>) -> Cursor<'m> {
        let at = delimiter.as_ref().map_or(self.bytes.len(), |delimiter| delimiter.line.start);
        let keep = delimiter.as_ref().map_or(0, |delimiter| delimiter.level + 1);
        while self.open.len() > keep {
            if let Some(next) = self.guess(at) {
                return next;
            }
            if let Some(multipart) = self.open.pop()
                && let Some(from) = multipart.outside
            {
                self.sections.extend(multipart.outside_section(self.bytes, from..at, multipart.parts == 0));
            }
        }
        delimiter.map_or(Cursor::Nothing, |delimiter| self.next_part(&delimiter))
    }

    /// If the innermost multipart has no part before `end`, restarts it with the
    /// boundary that its body seems to have.
    fn guess(&mut self, end: usize) -> Option<Cursor<'m>> {
        let bytes = self.bytes;
        let multipart = self.open.last_mut()?;
        let from = multipart.outside.filter(|_| multipart.parts == 0 && !multipart.guessed)?;
        let boundary = delimiters(&bytes[..end], from)
            .find(|line| before_content(bytes, line.end) && !has_url(&bytes[line.clone()]))?;
        multipart.boundary = Cow::Borrowed(content(&bytes[boundary]));
        multipart.guessed = true;
        Some(Cursor::Outside(from))
    }

    /// Skips a delimiter of the innermost multipart.
    fn next_part(&mut self, delimiter: &Delimiter) -> Cursor<'m> {
        let bytes = self.bytes;
        let after = delimiter.line.end;
        let Some(multipart) = self.open.last_mut() else { return Cursor::Nothing };
        if let Some(from) = multipart.outside.take() {
            let misplaced = (multipart.parts > 0) != delimiter.closing;
            self.sections.extend(multipart.outside_section(bytes, from..delimiter.line.start, misplaced));
        }
        if delimiter.closing {
            multipart.parts = multipart.parts.max(1);
            multipart.outside = Some(after);
            return Cursor::Outside(after);
        }
        // Parts without header and body, in which the next delimiter follows at once, are only counted.
        let until = self.split.map_or(usize::MAX, |split| split.until);
        let mut at = after;
        while at < until && bytes[at..].starts_with(b"--") {
            let end = line_end(bytes, at);
            if after_boundary(content(&bytes[at..end]), &multipart.boundary) != Some(b"") {
                break;
            }
            multipart.parts += 1;
            at = end;
        }
        Cursor::Entity(multipart.next_part(at))
    }

    /// The next delimiter from `from` on, the beginning of a line. If `damaged`, it may be a
    /// delimiter that only the Content field after it shows.
    fn delimiter(&self, from: usize, damaged: bool) -> Option<Delimiter> {
        if self.open.is_empty() {
            return None;
        }
        let until = self.split.map_or(usize::MAX, |split| split.until);
        delimiters(self.bytes, from).take_while(|line| line.start < until).find_map(|line| {
            let content = content(&self.bytes[line.clone()]);
            let known = self.open.iter().enumerate().rev().find_map(|(level, multipart)| {
                let rest = after_boundary(content, &multipart.boundary)?;
                let closing = !rest.is_empty() && !before_content(self.bytes, line.end);
                Some(Delimiter { line: line.clone(), level, closing })
            });
            let is_guess = || damaged && before_content(self.bytes, line.end) && !has_url(content);
            // The line belongs to the innermost multipart.
            let innermost = || Delimiter { line: line.clone(), level: self.open.len() - 1, closing: false };
            known.or_else(|| is_guess().then(innermost))
        })
    }
}

impl<'m> Iterator for Structure<'m> {
    type Item = Section<'m>;

    fn next(&mut self) -> Option<Section<'m>> {
        while self.sections.is_empty() && !matches!(self.next, Cursor::Nothing) {
            self.next = match std::mem::replace(&mut self.next, Cursor::Nothing) {
                Cursor::Entity(entity) => self.entity(entity),
                Cursor::Body(section) => self.body(section),
                Cursor::Outside(from) => self.outside(from),
                Cursor::Nothing => Cursor::Nothing,
            };
        }
        self.sections.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sections of a message except its heads, `number kind: text`.
    fn sections(message: &str) -> Vec<String> {
        let text = |section: &Section<'_>| message[section.range.clone()].replace('\n', "|");
        let structure = Structure::new(message.as_bytes(), 0);
        let named = structure.filter_map(|section| {
            let kind = match section.kind {
                SectionKind::Head(_) => return None,
                SectionKind::Message => "message".to_owned(),
                // The structure treats a part without a type as text.
                SectionKind::Body(MediaKind::Untyped, _) => "Text".to_owned(),
                SectionKind::Body(kind, _) => format!("{kind:?}"),
                SectionKind::Raw => "raw".to_owned(),
                SectionKind::TooDeep => "deep".to_owned(),
            };
            Some(format!("{} {kind}: {}", section.number, text(&section)))
        });
        named.collect()
    }

    const HEAD: &str = "Content-Type: multipart/mixed; boundary=b\n\n";

    #[test]
    fn valid_structure() {
        assert_eq!(sections("A: b\n\nbody\n"), ["1 Text: body|"]);
        assert_eq!(
            sections(&format!(
                "{HEAD}preamble\n--b\n\none\n\n--b\nContent-Type: image/gif\n\ntwo\n--b--\nepilogue\n"
            )),
            ["preamble raw: preamble", "1 Text: one|", "2 Other: two", "epilogue raw: epilogue"]
        );
        let inner = "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--c\n\ntwo\n--c--\n";
        assert_eq!(
            sections(&format!("{HEAD}{inner}--b\n\nthree\n--b--\n")),
            ["1.1 Text: one", "1.2 Text: two", "2 Text: three"]
        );
    }

    #[test]
    fn an_outer_delimiter_closes_inner_multiparts() {
        let inner = "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n";
        assert_eq!(sections(&format!("{HEAD}{inner}--b\n\ntwo\n")), ["1.1 Text: one", "2 Text: two|"]);
    }

    #[test]
    fn delimiters_that_never_come() {
        assert_eq!(sections(&format!("{HEAD}text\n--a\n")), ["1 raw: text|--a"]);
        let guessed = "text\n--a\nContent-Type: text/plain\n\none\n--a\n\ntwo\n--a--\n";
        assert_eq!(
            sections(&format!("{HEAD}{guessed}")),
            ["preamble raw: text", "1 Text: one", "2 Text: two"]
        );
    }

    #[test]
    fn damaged_delimiters() {
        // The first part: known by the text after it, or lost.
        let rest = "Content-Type: text/plain\n\none\n--b\n\ntwo\n--b--\n";
        assert_eq!(sections(&format!("{HEAD}--\u{fffd}\n{rest}")), ["1 Text: one", "2 Text: two"]);
        assert_eq!(
            sections(&format!("{HEAD}{rest}")),
            ["1 raw: Content-Type: text/plain||one", "1 Text: two"]
        );
        // After a body that is not read.
        let image =
            "--b\nContent-Type: image/gif\n\nR0lG\n--\u{fffd}\nContent-Type: text/plain\n\none\n--b--\n";
        assert_eq!(sections(&format!("{HEAD}{image}")), ["1 Other: R0lG", "2 Text: one"]);
        // The last one too early.
        let early = "--b\n\none\n--b--\nbetween\n--b\n\ntwo\n--b--\n";
        assert_eq!(sections(&format!("{HEAD}{early}")), ["1 Text: one", "1 raw: between", "2 Text: two"]);
    }

    #[test]
    fn delimiters_after_a_head() {
        // The multipart itself, even if it resembles a field.
        let part = "\nContent-Type: image/gif\n\none\n";
        assert_eq!(
            sections(&format!("{}--b{part}--b\n\ntwo\n--b--\n", HEAD.trim_end().to_owned() + "\n")),
            ["1 Other: one", "2 Text: two"]
        );
        let colon = "Content-Type: multipart/mixed; boundary=\"b:c\"\n";
        assert_eq!(sections(&format!("{colon}--b:c{part}--b:c--\n")), ["1 Other: one"]);
        // An open part.
        assert_eq!(
            sections(&format!("{HEAD}--b\nContent-Type: text/html\n--b{part}--b--\n")),
            ["1 Html: ", "2 Other: one"]
        );
    }

    /// A multipart that begins with its last delimiter has no part, and yet an epilogue.
    #[test]
    fn the_last_delimiter_first() {
        for (rest, expected) in [
            ("--b--\n\nend\n", &["1 raw: ", "epilogue raw: |end"][..]),
            ("pre\n--b--\nend\n", &["1 raw: pre", "epilogue raw: end"]),
            ("--b--\nend\n--b\n\none\n", &["1 raw: ", "1 raw: end", "2 Text: one|"]),
        ] {
            assert_eq!(sections(&format!("{HEAD}{rest}")), expected, "{rest}");
        }
    }

    #[test]
    fn parts_after_the_last() {
        // Right after it, and without its delimiter.
        let part = "Content-Type: text/plain\n\ntwo\n";
        assert_eq!(sections(&format!("{HEAD}--b\n\none\n--b--\n{part}")), ["1 Text: one", "2 Text: two|"]);
        assert_eq!(
            sections(&format!("{HEAD}--b\n\none\n--b--\n\n{part}")),
            ["1 Text: one", "1 raw: |Content-Type: text/plain||two"]
        );
    }

    #[test]
    fn preamble_and_epilogue() {
        let notice = sections(&format!("{HEAD}This message has parts: http://h.org/\n--b\n\none\n--b--\n"));
        assert_eq!(notice, ["1 Text: one"]);
        let part = "--b\n\none\n--b--\n";
        for notice in [
            "",
            "\n\n",
            "This is a multi-part message in MIME format.\n",
            "  This message is in MIME format. Send mail to mime@h.org for more info.\n\n",
            "This is a multipart message\n",
        ] {
            assert_eq!(sections(&format!("{HEAD}{notice}{part}\n \n")), ["1 Text: one"], "{notice}");
        }
        for notice in [
            "A list: http://h.org/\n\nThis is a multi-part message in MIME format.",
            "This is a multi-part message in MIME format.\r\n \r\nA list: http://h.org/",
        ] {
            let found = sections(&format!("{HEAD}{notice}\n{part}"));
            assert_eq!(found, [&format!("preamble raw: {}", notice.replace('\n', "|")), "1 Text: one"]);
        }
        let long = format!("MIME {}", "word ".repeat(300));
        let found = sections(&format!("{HEAD}{long}\n{part}"));
        assert_eq!(found, [format!("preamble raw: {long}"), "1 Text: one".to_owned()]);
        let inner = "--b\nContent-Type: multipart/mixed; boundary=c\n\npre\n--c\n\ntwo\n--c--\npost\n";
        assert_eq!(
            sections(&format!("{HEAD}{inner}{part}end\n")),
            [
                "1.preamble raw: pre",
                "1.1 Text: two",
                "1.epilogue raw: post",
                "2 Text: one",
                "epilogue raw: end"
            ]
        );
    }

    #[test]
    fn parts_nested_too_deep_are_text() {
        let message = "Content-Type: message/rfc822\n\n".repeat(MAX_DEPTH + 1) + "A: b\n\nc";
        let found = sections(&message);
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with(" deep: A: b||c"), "{found:?}");
    }
}
