//! A message text: the bytes to search, and their context in the message.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::data::{DataRecords, ValuePosition};
use super::envelope::Envelope;
use super::mime::Mime;
use super::record::Record;
use super::text_cache::TextCache;
use super::undecoded::Undecoded;
use crate::archive::container::csv::{self, Rows};
use crate::archive::decode::charset::{self, Charset};
use crate::archive::decode::folded;
use crate::archive::decode::html::{self, Link, LinkIter};
use crate::archive::header::{HeaderField, HeaderFields};
use crate::archive::mapped::Mapped;
use crate::archive::options::ReadOptions;
use crate::archive::reading::{Declared, Markup, ReadText, Reading};
use crate::archive::role::Role;
use crate::archive::source_map::SourceMap;
use crate::bytes::name::shortened;
use crate::bytes::position::{LineCounter, Position};

/// The number of bytes before a match that are searched for the beginning of its line.
const MAX_LINE_DISTANCE: usize = 8 * 1024;

/// The number of bytes at the beginning of a line that may be quote characters.
const MAX_QUOTE: usize = 512;

/// The maximum length of a field name, in bytes, which is the maximum length of a line (RFC 5322
/// §2.1.1).
const LONGEST_NAME: usize = 998;

/// The lines of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageLines<'r> {
    /// The bytes of the message, and their offset in the input as it is buffered.
    pub(crate) bytes: &'r [u8],
    pub(crate) base: u64,
    /// A counter at one of them.
    pub(crate) counter: &'r Mutex<LineCounter>,
}

/// A text in a message: a decoded body, or header fields.
///
/// Fields that follow each other and need no decoding are one text, with their names.
#[derive(Debug)]
pub struct Text<'m> {
    pub(crate) mapped: Mapped<'m>,
    pub(crate) part: Cow<'static, str>,
    pub(crate) envelope: Option<Arc<Envelope<'m>>>,
    pub(crate) kind: TextKind<'m>,
    pub(crate) index: u64,
    pub(crate) joins: Vec<usize>,
    /// If it has JSON strings, each of which is searched like a text of its own, the offsets of the
    /// line ends after each of them.
    pub(crate) ends: Option<Vec<usize>>,
    /// The way in which it was read.
    pub(crate) reading: &'static Reading,
    /// The parts that were read besides the text, in few texts.
    pub(crate) markup: Option<Box<Markup>>,
    pub(crate) lines: Option<MessageLines<'m>>,
    /// The records in it, and where in their source it begins.
    pub(crate) data: Option<(Arc<DataRecords<'m>>, usize)>,
    /// The records around the document that contains it.
    pub(super) enclosing: Option<Arc<ValuePosition<'m>>>,
    /// The web archive record that contains it.
    pub(crate) record: Option<Record>,
    pub(crate) options: &'m ReadOptions,
    /// Links that were not resolved are noted there.
    pub(super) undecoded: &'m Undecoded,
    /// The charset of a page that could be searched without decoding it.
    pub(crate) charset: Charset,
    /// The rows of a table, once they are asked for.
    pub(super) rows: OnceLock<Option<Rows>>,
    /// The declarations in the pieces before it, if it is a piece of a page or of a table.
    pub(super) declared: Option<&'m Declared>,
    /// The field of the last call.
    pub(crate) last_field: Mutex<Option<HeaderField>>,
    /// The data that its owned matches share.
    pub(crate) cache: TextCache,
}

/// The kind of a text in its message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextKind<'m> {
    /// Fields of the head, verbatim.
    Fields(&'m [u8]),
    /// One decoded field of the header; its name.
    Field(&'m [u8]),
    Body(Mime<'m>),
    /// The body of a web archive record.
    Block(Mime<'m>),
    /// Bytes outside the structure.
    Raw,
    /// The page of a message.
    Page,
    /// A file in a body, decoded.
    File,
    /// A file of an archive that is a body, and its name there.
    Member(Mime<'m>, &'m [u8]),
    /// Bytes nested too deep.
    TooDeep,
}

impl<'m> TextKind<'m> {
    /// Returns true if a part with this text may be a file: it is neither the file itself nor the
    /// message text.
    pub(crate) fn may_be_file(&self) -> bool {
        match self {
            TextKind::Body(mime) => mime.has_disposition(),
            TextKind::File | TextKind::Member(..) => true,
            _ => false,
        }
    }

    /// The Content fields of the body.
    pub(super) fn mime(&self) -> Mime<'m> {
        match *self {
            TextKind::Body(mime) | TextKind::Block(mime) | TextKind::Member(mime, _) => mime,
            _ => Mime::default(),
        }
    }

    /// The file name that the body is.
    pub(super) fn filename(&self) -> Option<String> {
        let of_field = |mime: &Mime<'_>| {
            let name = shortened(Cow::Owned(mime.filename()?.into_bytes()));
            Some(String::from_utf8_lossy(&name).into_owned())
        };
        match self {
            TextKind::Body(mime) | TextKind::Block(mime) => of_field(mime),
            TextKind::Member(mime, name) => {
                let archive = of_field(mime).unwrap_or_default();
                Some(format!("{archive}!/{}", String::from_utf8_lossy(name)))
            }
            _ => None,
        }
    }

    /// Returns true if a part declares rows of cells, or has a name that does.
    fn may_be_rows(&self) -> bool {
        let by_name = || self.filename().is_some_and(|name| csv::is_name(name.as_bytes()));
        matches!(self, TextKind::Body(_) | TextKind::Block(_) | TextKind::Member(..))
            && (self.mime().declares_rows() || by_name())
    }

    /// The charset that the Content fields of a body name; empty if they name none.
    pub(super) fn label(&self) -> Cow<'m, [u8]> {
        match self {
            TextKind::Body(mime) | TextKind::Block(mime) => mime.param(b"charset").unwrap_or_default(),
            _ => Cow::default(),
        }
    }
}

impl<'m> Text<'m> {
    /// Returns the text as a reader would see it, in UTF-8 or another charset that contains ASCII.
    /// For JSON, it consists of the strings that may contain a URL, each with a line break after
    /// it.
    pub fn as_bytes(&self) -> &[u8] {
        self.mapped.as_bytes()
    }

    /// Returns the separator of the cells if its lines are rows: the file's, or a part's by its type or name if its
    /// first rows confirm that.
    pub(crate) fn separator(&self) -> Option<u8> {
        let may_be = self.reading.is_rows || self.reading.read.is_none() && self.kind.may_be_rows();
        if may_be { csv::separator(self.table()) } else { None }
    }

    /// The beginning of the table that it is, or is a piece of.
    fn table(&self) -> &[u8] {
        self.declared.map_or(self.as_bytes(), |declared| &declared.table)
    }

    /// Returns true if there is nothing to search: neither text nor links.
    pub(crate) fn is_void(&self) -> bool {
        self.as_bytes().is_empty() && self.link_iter().is_none()
    }

    /// Returns the ranges of the file that encode `range` of the text, in order: byte
    /// offsets from 0, the ends exclusive.
    ///
    /// Costs a binary search for each decoder.
    pub fn sources(&self, range: Range<usize>) -> Vec<Range<u64>> {
        self.mapped.sources(range)
    }

    /// Returns the range of the file from the first byte that encodes `range` to the last, or
    /// `None` if no byte does.
    pub fn source(&self, range: Range<usize>) -> Option<Range<u64>> {
        self.mapped.source(range)
    }

    /// Returns the line and column of the byte at `at` in the file, if the reader [counts
    /// lines](crate::archive::ReadOptions::line_numbers) and the message contains the byte.
    ///
    /// Costs a pass over the bytes between it and the one of the last call.
    pub fn position(&self, at: u64) -> Option<Position> {
        let lines = self.lines?;
        let at = self.mapped.origin.offset_of(at)?;
        let end = lines.base + lines.bytes.len() as u64;
        let mut counter = lines.counter.lock().unwrap_or_else(PoisonError::into_inner);
        counter.move_to(at.clamp(lines.base, end), lines.bytes, lines.base);
        Some(counter.position())
    }

    /// Returns the envelope of the innermost message that contains the text, or `None` in a text
    /// file, and in an HTML file unless it is the page of a list archive that shows a message.
    pub fn envelope(&self) -> Option<&Envelope<'m>> {
        self.envelope.as_deref()
    }

    /// The fields of the record of data around the byte at `at` of the text, and where the record begins
    /// in the file, unless the text is in a message, which has fields of its own, or in a web archive
    /// record.
    pub(crate) fn data_envelope(&self, at: usize, link: Option<Link<'_>>) -> Option<(&Envelope<'m>, u64)> {
        let is_alone = self.envelope.is_none() && self.record.is_none();
        let may_be_in_one = is_alone && self.data.as_ref().is_some_and(|(data, _)| !data.are_none());
        let (data, at) = if may_be_in_one { self.data_at(at, link)? } else { return None };
        data.envelope(at)
    }

    /// The path of the byte at `at` of the text in JSON, or of the document that contains the text;
    /// or the name of its column.
    pub(crate) fn key(&self, at: usize, link: Option<Link<'_>>) -> Option<String> {
        let name = || self.rows()?.name(self.as_bytes(), at);
        self.data_around(at, link).find_map(|(data, at)| data.path(at)).or_else(name)
    }

    /// The value of `key`, which is [kept](ReadOptions::keep), in the record of data around the
    /// byte at `at` of the text.
    pub(crate) fn kept(&self, at: usize, link: Option<Link<'_>>, key: &str) -> Option<String> {
        let number = self.options.keep.iter().position(|kept| **kept == *key)?;
        let of_row = || self.rows()?.kept(self.as_bytes(), at, number);
        self.data_around(at, link).find_map(|(data, at)| data.kept(at, number)).unwrap_or_else(of_row)
    }

    /// The rows of a file that is a table, if records are read.
    fn rows(&self) -> Option<&Rows> {
        let is_table = self.reading.is_rows && self.options.records;
        let rows = || if is_table { Rows::of(self.table(), &self.options.keep) } else { None };
        self.rows.get_or_init(rows).as_ref()
    }

    fn data_at(&self, at: usize, link: Option<Link<'_>>) -> Option<(&DataRecords<'m>, usize)> {
        let (data, start) = self.data.as_ref()?;
        let at = match link {
            Some(link) => link.before_decoder()?,
            None if self.reading.read.is_some() => self.mapped.before_decoder(at)?,
            None => at,
        };
        Some((data, start + at))
    }

    /// The records around the byte at `at` of the text, and its position in their source: the innermost first.
    fn data_around(
        &self,
        at: usize,
        link: Option<Link<'_>>,
    ) -> impl Iterator<Item = (&DataRecords<'m>, usize)> {
        let outer = iter::successors(self.enclosing.as_deref(), |enclosing| enclosing.outer.as_deref());
        self.data_at(at, link).into_iter().chain(outer.map(|enclosing| (&*enclosing.data, enclosing.at)))
    }

    /// Returns the web archive record that contains the text.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// Returns the number of messages before this one in its file, which may be a member of an
    /// archive, without the messages inside others.
    pub fn message_index(&self) -> u64 {
        self.index
    }

    /// Returns the number of the part that the text belongs to, as in IMAP (RFC 3501 §6.4.5): `1.2`
    /// is the second part of the first. Returns `None` in the header of the message itself.
    pub fn part(&self) -> Option<&str> {
        (!self.part.is_empty()).then_some(&*self.part)
    }

    /// Returns the media type of a body in lower case: `text/html`. It is `text/plain` if the
    /// header has no valid type, and `application/octet-stream` for a file in the body of another
    /// part. Returns `None` for header fields.
    pub fn content_type(&self) -> Option<String> {
        match self.kind {
            TextKind::Fields(_) | TextKind::Field(_) => None,
            TextKind::Body(mime) | TextKind::Block(mime) => {
                Some(mime.media_type().unwrap_or_else(|| "text/plain".to_owned()))
            }
            TextKind::Member(mime, _) => mime.media_type(),
            TextKind::File => Some("application/octet-stream".to_owned()),
            TextKind::Page => Some("text/html".to_owned()),
            TextKind::Raw | TextKind::TooDeep => self.envelope.as_ref().map(|_| "text/plain".to_owned()),
        }
    }

    /// Returns true if the text is a message that was not parsed because it is nested more than
    /// [`MAX_DEPTH`](crate::archive::MAX_DEPTH) deep, or in three nested encoded messages.
    pub fn depth_exceeded(&self) -> bool {
        matches!(self.kind, TextKind::TooDeep)
    }

    /// Returns the name of the header field that contains the byte at `at` of the text, or `None`
    /// in a body, and if the name is longer than the maximum line.
    ///
    /// Costs a pass over the bytes between it and the one of the last call, or over all
    /// bytes before it if it is not after that one.
    pub fn header(&self, at: usize) -> Option<&'m str> {
        let name = match self.kind {
            TextKind::Field(name) => name,
            TextKind::Fields(fields) => self.field_of(fields, at)?.name(fields),
            _ => return None,
        };
        std::str::from_utf8(name).ok().filter(|name| (1..=LONGEST_NAME).contains(&name.len()))
    }

    /// Returns the quote depth of the byte at `at` of the text: the number of `>` at the start of
    /// its line, plus one in a `<blockquote>`. It is 0 in a header field.
    pub fn quote_depth(&self, at: usize) -> usize {
        if matches!(self.kind, TextKind::Fields(_) | TextKind::Field(_)) {
            return 0;
        }
        let text = self.as_bytes();
        let floor = at.saturating_sub(MAX_LINE_DISTANCE);
        let line = memchr::memrchr(b'\n', &text[floor..at]).map_or(floor, |n| floor + n + 1);
        // A line with only quote characters and URLs would be read again for each of them.
        let signs = text[line..at].iter().take(MAX_QUOTE).filter(|&&b| b != b' ').take_while(|&&b| b == b'>');
        let quoted = self.markup.as_ref().is_some_and(|markup| markup.roles.are_quoted(at));
        signs.count() + usize::from(quoted)
    }

    /// Returns the role of a URL at `at` of the text, unless it is in a [link](Self::links).
    pub(crate) fn role(&self, at: usize) -> Role {
        match self.kind {
            TextKind::Fields(_) | TextKind::Field(_) => Role::Header,
            _ => self.markup.as_ref().map_or(Role::Text, |markup| markup.roles.at(at)),
        }
    }

    /// Returns the range of the JSON string that contains the byte at `at` of the text, or `None` in
    /// other formats.
    ///
    /// Each string is searched like a text of its own.
    pub fn string(&self, at: usize) -> Option<Range<usize>> {
        let ends = self.ends.as_ref()?;
        let n = ends.partition_point(|&end| end < at);
        Some(n.checked_sub(1).map_or(0, |before| ends[before] + 1)..*ends.get(n)?)
    }

    /// Returns true if lines were joined inside `range` of the text without a guess: by
    /// `format=flowed` (RFC 3676), or at a fold in a calendar or card (RFC 5545, RFC 6350) or in a
    /// header field between the delimiters of a URL.
    pub fn is_joined(&self, range: Range<usize>) -> bool {
        let next = self.joins.partition_point(|&join| join <= range.start);
        self.joins.get(next).is_some_and(|&join| join < range.end)
    }

    /// Returns the offset after the colon of a property whose name is taken for the scheme of the URL at `at`.
    pub(crate) fn value_after_name(&self, at: usize, scheme: &[u8]) -> Option<usize> {
        self.reading.has_properties.then(|| folded::value_after_name(self.as_bytes(), at, scheme))?
    }

    /// Returns the URLs in HTML attributes (`href`, `src` and others), in file order.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        self.link_iter().into_iter().flatten()
    }

    /// Returns the iterator of [`links`](Self::links) as a named type, or `None` if no attribute contains a URL.
    pub(crate) fn link_iter(&self) -> Option<LinkIter<'_>> {
        let links = self.markup.as_ref().map(|markup| &markup.links).filter(|links| !links.is_empty())?;
        Some(links.iter_in(&self.mapped))
    }

    /// Returns the URLs against which relative links are resolved, outermost first: the URL of the
    /// file, the URLs of the message and the part (RFC 2557 §5), and the URL in `<base>`. Each may
    /// be relative to the URLs before it.
    pub(crate) fn bases(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        let own = self
            .record_itself()
            .and_then(Record::base)
            .or(self.options.base_url.as_deref())
            .map(str::as_bytes);
        let fields = self.base_fields().map(|value| match value.iter().any(u8::is_ascii_whitespace) {
            true => Cow::Owned(value.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect()),
            false => Cow::Borrowed(value),
        });
        // The first `<base>` of a page counts.
        let element = self.declared.and_then(|declared| declared.base.as_deref());
        let element = element.or_else(|| self.markup.as_ref()?.base.as_deref());
        own.map(Cow::Borrowed).into_iter().chain(fields).chain(element.map(Cow::Borrowed))
    }

    /// The record, if its URL is the URL of the text: a file of an archive, a part of mail and a
    /// value have none.
    fn record_itself(&self) -> Option<&Record> {
        let is_inside = matches!(
            self.kind,
            TextKind::Body(_) | TextKind::Member(..) | TextKind::File | TextKind::TooDeep
        );
        self.record.as_ref().filter(|_| !is_inside)
    }

    /// The values of Content-Location and Content-Base of the message, and of the part.
    fn base_fields(&self) -> impl Iterator<Item = &[u8]> {
        let of_message = self.envelope.as_ref().map(|envelope| envelope.bases());
        let of_part = match &self.kind {
            TextKind::Body(mime) | TextKind::Block(mime) => Some(mime.bases()),
            _ => None,
        };
        of_message.into_iter().chain(of_part).flatten().flatten()
    }

    /// Returns the file name of the body, from Content-Disposition or Content-Type, or
    /// `b.zip!/c.txt` for a file in an archive. Returns `None` without a name, and for header
    /// fields.
    pub fn filename(&self) -> Option<String> {
        self.kind.filename()
    }

    /// The range of the header field of the byte at `at` of the text, if the text has
    /// several.
    pub(crate) fn field(&self, at: usize) -> Option<Range<usize>> {
        let TextKind::Fields(fields) = self.kind else { return None };
        self.field_of(fields, at).map(|field| field.range)
    }

    /// The field of the byte at `at`. An offset after the one of the last call is searched from
    /// there on.
    fn field_of(&self, fields: &[u8], at: usize) -> Option<HeaderField> {
        let mut last = self.last_field.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|last| !last.range.contains(&at)) {
            let before = last.as_ref().filter(|last| last.range.start <= at);
            let from = before.map_or(0, |before| before.range.end);
            *last = HeaderFields::new(fields, from).find(|field| field.range.contains(&at));
        }
        last.clone()
    }

    /// The characters that a reader sees of `range` of a page. References are encoded in UTF-8,
    /// regardless of the charset of the page.
    pub(crate) fn shown(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        let bytes = &self.as_bytes()[range.clone()];
        if self.charset.has_utf8() {
            return self.charset.characters(bytes);
        }
        let mut shown = Vec::new();
        for (part, is_verbatim) in self.mapped.parts(range) {
            let bytes = &self.as_bytes()[part];
            let bytes = if is_verbatim { self.charset.characters(bytes) } else { Cow::Borrowed(bytes) };
            shown.extend_from_slice(&bytes);
        }
        Cow::Owned(shown)
    }

    /// Returns this text, in a document with these records around it.
    pub(super) fn enclosed(mut self, enclosing: &Option<Arc<ValuePosition<'m>>>) -> Self {
        self.enclosing.clone_from(enclosing);
        self
    }

    /// Returns this text after reading. Markup has been decoded from its charset before, and other
    /// texts have been read.
    pub(super) fn read(mut self, reading: &'static Reading) -> Self {
        self.reading = reading;
        let keep = &self.options.keep;
        let notation = reading.records.filter(|_| self.options.records);
        let records =
            notation.map(|notation| move |source| (Arc::new(DataRecords::new(source, notation, keep)), 0));
        let Some(read) = reading.read else {
            self.data = records.map(|records| records(self.mapped.clone()));
            return self;
        };
        if reading.is_markup {
            let label = match self.declared {
                Some(declared) => Cow::Borrowed(&*declared.charset),
                None => self.kind.label(),
            };
            self.mapped =
                self.mapped.decoded_by(|bytes| charset::decode(bytes, reading.charset(&label, bytes)));
            let bytes = self.as_bytes();
            self.charset = Charset::of_text(bytes, || reading.charset(&label, bytes));
        }
        // The visible text of a page depends on which of its bytes were references.
        let offsets = self.options.offsets || !self.charset.has_utf8() || records.is_some();
        // Relative links can be resolved without a `<base>` of their own.
        let relative = self.record_itself().is_some()
            || self.options.base_url.is_some()
            || self.declared.is_some_and(|declared| declared.base.is_some())
            || self.base_fields().next().is_some();
        let wanted = html::Wanted { relative, resources: self.options.resources, offsets };
        let ReadText { decoded, joins, ends, markup } = read(self.as_bytes(), wanted);
        let len = self.as_bytes().len();
        if let Some(decoded) = decoded {
            let decoded = self.mapped.decoded(decoded);
            let source = std::mem::replace(&mut self.mapped, decoded);
            self.data = records.map(|records| records(source));
        }
        (self.joins, self.ends, self.markup) =
            (joins, ends, markup.map(|markup| Box::new(Markup { len, ..markup })));
        self
    }

    /// The length of the document that the links are in, in bytes.
    pub(crate) fn document_len(&self) -> usize {
        self.markup.as_ref().map_or(0, |markup| markup.len)
    }

    /// Notes that a relative link is not resolved.
    pub(crate) fn note_unresolved(&self) {
        // The offset of the link is known only if offsets are wanted, and the message does not depend on them.
        let document = SourceMap::opaque(1, self.document_len().max(1));
        let at =
            self.mapped.sources_of_other_output(&document, 0..1).first().map_or(0, |source| source.start);
        self.undecoded
            .note_links(at, "has a very long base URL; some relative links were printed unresolved");
    }
}
