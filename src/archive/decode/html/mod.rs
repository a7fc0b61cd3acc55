//! HTML as a reader would see it, and the links that a reader could follow.
//!
//! The text is the bytes between the tags, with character references decoded, so that a wrapper in
//! it is found: `&lt;URL:<A HREF="x">x</A>&gt;` is the text `<URL:x>`. Inline tags leave nothing in
//! the text, so that they do not split URLs, except that a URL ends at the edge of a link. Where a
//! new line begins on the screen, one begins in the text; paragraphs, lists, tables and headings
//! are separated by an empty line, and the cells of a table by a space. Whitespace of the source is
//! copied, because the search must know the lines across which a URL was broken; only whitespace
//! next to such a break is dropped, except in `<pre>`.
//!
//! The text includes `<title>`, `<textarea>`, and elements that a browser displays only if it lacks
//! a feature (`<noscript>`, the content of `<object>`). URLs in the text of hidden elements have
//! the role `resource`. Scripts, styles, comments, document types, processing instructions, the
//! content of frames, and attributes such as `alt` and `title` are [separate texts](unseen), and
//! their URLs are resources.
//!
//! Links are in attributes, which [`attribute`] lists, and in style sheets. A value
//! without a colon has no scheme, and is relative to the URL of the page or to the first
//! `<base>`. If neither is known, the value is left out.
//!
//! # Damage
//!
//! In the standard every text is valid, so that a missing bracket or quotation mark can hide the
//! rest of a file. Here a tag that is not valid is text (see [`tag`]), and markup that is incomplete
//! at the end of the file is text, so a URL in half a tag is found as a bare one. Text that a
//! browser does not show because an element before it is unclosed is searched as a resource.
//!
//! # Why not a tokenizer
//!
//! A tokenizer that follows the standard drops damaged markup before it can be examined.
//! So only references, where the standard suffices, are left to one
//! ([`reference`](mod@reference)).
//!
//! Time and memory are linear in the length of the source, which may be in any
//! superset of ASCII.

// | module | contains |
// |---|---|
// | `attribute`, `links` | the attributes that contain URLs, and their links |
// | `element`, `enclosing`, `foreign` | the elements, those that affect all of their content, and those of SVG and MathML |
// | `office` | the text of office documents |
// | `records` | the dates and authors of XML elements |
// | `reference` | character references |
// | `roles` | the parts of a text that are not only text |
// | `tag` | tags, including damaged ones |
// | `unseen` | texts that a browser does not show |
// | `visibility` | whether style sheets hide an element |

mod attribute;
mod element;
mod enclosing;
mod foreign;
mod links;
mod office;
mod records;
mod reference;
mod roles;
mod tag;
mod unseen;
mod visibility;

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr2};

pub(crate) use self::attribute::{attribute_of, rel_of};
use self::enclosing::{Enclosing, take_out};
use self::foreign::Foreign;
pub use self::links::Link;
pub(crate) use self::links::{LinkIter, LinkKind, LinkSource, Links};
pub(crate) use self::records::ELEMENTS;
use self::reference::ReferenceIn;
pub(crate) use self::roles::Roles;
use self::tag::{Attribute, Break, Element, NoTag, Tag, is_space};
use self::visibility::Sheets;
use super::transfer;
use crate::archive::header::{begins_with, is_one_of};
use crate::archive::role::Role;
use crate::archive::source_map::Decoded;

/// The text of a source, and the links in it.
#[derive(Debug)]
pub(crate) struct Html {
    /// The text between the tags.
    pub(crate) text: Decoded,
    /// The URLs in attributes, in the order of the source.
    pub(crate) links: Links,
    /// The parts of the text that have a role other than text.
    pub(crate) roles: Roles,
    /// The value of `<base href>`.
    pub(crate) base: Option<Vec<u8>>,
}

/// The parts of markup that are read in addition to its text.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    pub(crate) links: Links,
    /// The parts of the text that have a role other than text.
    pub(crate) roles: Roles,
    /// The URL in `<base>`, which may be relative.
    pub(crate) base: Option<Vec<u8>>,
    /// The length of the document in bytes.
    pub(crate) len: usize,
    /// True if some JSON strings may be bodies in base64.
    pub(crate) may_have_bodies: bool,
    /// The JSON strings that may be messages.
    pub(crate) messages: Vec<Range<usize>>,
}

/// The parts of a page that are read besides its text and the links with a host.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// Relative links. They are read as well, if there is a `<base>`.
    pub(crate) relative: bool,
    /// The parts that the page does not show.
    pub(crate) resources: bool,
    /// The offsets in the source: see [`Decoded::of`].
    pub(crate) offsets: bool,
}

impl Wanted {
    pub(crate) const ALL: Wanted = Wanted { relative: true, resources: true, offsets: true };
}

/// Reads a page to its end.
pub(crate) fn read(source: &[u8], wanted: Wanted) -> Html {
    read_as(Vocabulary::Html, source, wanted)
}

/// Reads a source with these elements to its end.
pub(crate) fn read_as(vocabulary: Vocabulary, source: &[u8], wanted: Wanted) -> Html {
    let nests = vocabulary != Vocabulary::Office;
    read_document(source, PageText { wanted, nests, vocabulary, is_of_web: None })
}

/// The elements that show that a string without a type is HTML.
#[rustfmt::skip]
const COMMON: [&[u8]; 38] = [
    b"a", b"article", b"b", b"blockquote", b"body", b"br", b"center", b"div", b"em", b"figure", b"font", b"h1", b"h2",
    b"h3", b"h4", b"h5", b"h6", b"hr", b"html", b"i", b"iframe", b"img", b"li", b"ol", b"p", b"picture", b"pre",
    b"section", b"span", b"strong", b"table", b"tbody", b"td", b"th", b"tr", b"u", b"ul", b"video",
];

/// The length of the longest of these names.
const LONGEST_COMMON: usize = "blockquote".len();

/// Returns true if a string without a type is HTML: it contains a complete start tag of a common
/// element. Markdown may contain such tags as well; a Markdown link or fence shows that it is not
/// HTML. A tag directly after a quotation mark or an equals sign is program text.
pub(crate) fn is_fragment(text: &[u8]) -> bool {
    let mut attributes = Vec::new();
    let mut is_whole = |&at: &usize| tag::read(text, at, |_| false, &mut attributes).is_ok();
    let is_shown = |at: usize| !matches!(text[..at].last(), Some(b'"' | b'\'' | b'`' | b'=' | b'\\'));
    common_tags(text).find(|at| is_whole(at)).is_some_and(is_shown)
        && memmem::find(text, b"](").is_none()
        && memmem::find(text, b"```").is_none()
}

/// Returns true if a text contains a start tag of a common element with an attribute value, or the
/// beginning of one.
pub(crate) fn has_attribute(text: &[u8]) -> bool {
    common_tags(text).any(|at| {
        let mut tag = text[at + 1..].iter().copied().take_while(|&b| b != b'<' && b != b'>');
        tag.any(|b| b == b'=')
    })
}

/// Returns true if a text may contain a tag of a common element.
#[inline]
pub(crate) fn has_common_tag(text: &[u8]) -> bool {
    common_tags(text).next().is_some()
}

/// Returns the offsets at which the start tags of common elements begin.
#[inline]
fn common_tags(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b'<', text).filter(|&at| {
        let rest = &text[at + 1..];
        let len = rest.iter().take(LONGEST_COMMON + 1).take_while(|b| b.is_ascii_alphanumeric()).count();
        let ends = rest.get(len).is_some_and(|&b| is_space(b) || matches!(b, b'>' | b'/' | b'\\'));
        ends && COMMON.iter().any(|common| common.eq_ignore_ascii_case(&rest[..len]))
    })
}

/// Reads a string that is [HTML](is_fragment) into the text, the links and the roles of the
/// document that contains it.
pub(crate) fn read_within(document: &Decoded, wanted: Wanted, into: (&mut Decoded, &mut Links, &mut Roles)) {
    let (text, links, roles) = into;
    let html = read(&document.bytes, wanted);
    let at = text.bytes.len();
    let read = html.text.through(document);
    text.append_part(&read, 0..read.bytes.len());
    links.append(&html.links, at, document);
    roles.append(&html.roles, at);
}

/// A text without tags, with decoded references.
pub(crate) fn dereference(text: &[u8]) -> Decoded {
    let mut reader = HtmlReader { source: text, ..HtmlReader::default() };
    reader.text(0..text.len());
    reader.text
}

/// The result of reading a source.
#[derive(Clone, Copy, Debug, Default)]
struct PageText {
    wanted: Wanted,
    /// True if documents in attributes are read.
    nests: bool,
    vocabulary: Vocabulary,
    /// In XML, true if the first element belongs to HTML or SVG.
    is_of_web: Option<bool>,
}

/// The meaning of the names of elements and attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    #[default]
    Html,
    /// Elements that HTML does not know separate texts, and attributes that it does not know may be
    /// links.
    Xml,
    /// Paragraphs separate texts, and only the link attributes of office documents are links.
    Office,
}

impl PageText {
    fn with_relative(self, relative: bool) -> Self {
        PageText { wanted: Wanted { relative, ..self.wanted }, ..self }
    }

    fn is_xml(self) -> bool {
        self.vocabulary == Vocabulary::Xml
    }

    /// Returns true if it is XML that no browser renders.
    fn is_data(self) -> bool {
        self.is_xml() && self.is_of_web != Some(true)
    }

    /// Returns true if an inline element separates texts: in XML, except markup of words in a document
    /// that browsers render.
    fn separates(self, name: &[u8]) -> bool {
        self.is_xml() && (self.is_data() || !is_one_of(name, &PHRASING))
    }

    /// Returns true if links with this role are read.
    fn wants(self, role: Role) -> bool {
        self.wanted.resources || role != Role::Resource
    }

    /// Returns true if anything depends on an attribute.
    fn reads(self, source: &[u8], Attribute { name, value }: &Attribute) -> bool {
        let name = &source[name.clone()];
        match self.vocabulary {
            Vocabulary::Html => {
                self.wanted.resources && memchr2(b':', b'&', &source[value.clone()]).is_some()
                    || attribute::is_read(name)
                    || self.wanted.resources && attribute::may_have_url(name)
            }
            Vocabulary::Xml => true,
            Vocabulary::Office => {
                let value = &source[value.clone()];
                office::is_read(name) || self.wanted.resources && office::has_url(name, value)
            }
        }
    }
}

/// The elements of HTML that mark up words.
const PHRASING: [&[u8]; 24] = [
    b"abbr", b"b", b"bdi", b"bdo", b"big", b"cite", b"code", b"del", b"em", b"font", b"i", b"ins", b"kbd",
    b"mark", b"s", b"samp", b"small", b"span", b"strong", b"sub", b"sup", b"tt", b"u", b"wbr",
];

fn read_document(source: &[u8], reading: PageText) -> Html {
    // The first attribute value in quotation marks shows that nothing decoded a source in quoted-printable: `=3D"`.
    let mut marks = memmem::find_iter(source, b"=3D");
    let first = marks.find(|at| matches!(source.get(at + 3), Some(b'"' | b'\'')));
    let is_encoded = first.is_some_and(|at| {
        let open = memrchr2(b'<', b'>', &source[..at]).is_some_and(|n| source[n] == b'<');
        open && memmem::find(&source[..at], b"=\"").is_none()
    });
    if !is_encoded {
        return read_decoded(source, reading);
    }
    let document = transfer::quoted_printable(source, reading.wanted.offsets);
    let html = read_decoded(&document.bytes, reading);
    let mut links = Links::of(source, reading.wanted.offsets);
    links.append(&html.links, 0, &document);
    Html { text: html.text.through(&document), links, ..html }
}

fn read_decoded(source: &[u8], reading: PageText) -> Html {
    let (html, late) = read_once(source, reading, None);
    // A base or a style sheet also applies to the links before it.
    let based = html.base.is_some() && !reading.wanted.relative;
    match based || late.is_some() {
        true => read_once(source, reading.with_relative(based || reading.wanted.relative), late).0,
        false => html,
    }
}

/// Reads a source; `sheets` are its style sheets, if they are known. Returns style sheets that came
/// after elements that they may affect.
fn read_once(source: &[u8], reading: PageText, sheets: Option<Sheets>) -> (Html, Option<Sheets>) {
    let text = Decoded::of(source, reading.wanted.offsets).with_room(source.len());
    let links = Links::of(source, reading.wanted.offsets);
    let knows_sheets = sheets.is_some();
    let sheets = sheets.unwrap_or_default();
    let mut reader =
        HtmlReader { source, reading, text, links, sheets, knows_sheets, ..HtmlReader::default() };
    let mut attributes = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let begins = |&at: &usize| {
            source.get(at + 1).is_some_and(|&b| b.is_ascii_alphabetic() || matches!(b, b'!' | b'?' | b'/'))
        };
        let markup = memchr_iter(b'<', &source[at..]).map(|n| at + n).find(begins).unwrap_or(source.len());
        reader.text(at..markup);
        at = if markup < source.len() { reader.markup(markup, &mut attributes) } else { markup };
    }
    reader.end_office();
    // A template may have no end tag.
    if reader.is_in_template() {
        reader.close_hidden();
    }
    reader.close_anchor();
    let mut html = Html { text: reader.text, links: reader.links, roles: reader.roles, base: reader.base };
    take_out(&reader.unshown, &mut html);
    (html, Some(reader.sheets).filter(|_| reader.has_late_sheet))
}

/// The distance before the edge of a link at which the scheme of a URL may be, in bytes.
const MAX_SCHEME_DISTANCE: usize = 2048;

/// The beginnings of URLs that are matched only after a character other than a letter or a digit.
const WORDS: [&[u8]; 3] = [b"doi:10.", b"magnet:?", b"tel:+"];

/// The state of reading a source.
#[derive(Default)]
struct HtmlReader<'s> {
    source: &'s [u8],
    reading: PageText,
    base: Option<Vec<u8>>,
    text: Decoded,
    links: Links,
    roles: Roles,
    /// The offset at which the text of the open XML element begins, if that text is a URL.
    address: Option<usize>,
    /// The open `<a>` element, if it has links, and the number of tables around it.
    anchor: Range<usize>,
    anchor_tables: usize,
    /// The number of open tables.
    tables: usize,
    /// The offset at which the text of the last one ends.
    anchor_end: Option<usize>,
    /// True if an `<a>` element with `href` is open.
    in_link: bool,
    /// The label that replaces empty content, with its rank.
    label: Option<(usize, Vec<u8>)>,
    office: office::OpenElements,
    /// The outermost open elements that are hidden, or quotations.
    hidden: Option<Enclosing>,
    quotation: Option<Enclosing>,
    /// The outermost shown element in a hidden one.
    shown: Option<Enclosing>,
    unshown: Vec<Range<usize>>,
    sheets: Sheets,
    /// True if they are known from an earlier reading.
    knows_sheets: bool,
    /// True if elements have begun that a style sheet may affect, and if a style sheet came after
    /// them.
    in_body: bool,
    has_late_sheet: bool,
    /// The break before the next text.
    pending: Break,
    /// True if the text is in `<pre>`.
    preformatted: bool,
    /// True if no processing instruction ends in the rest of the source.
    has_open_instruction: bool,
    foreign: Foreign<'s>,
}

impl HtmlReader<'_> {
    /// Appends `range` of the source, which contains no tags, with decoded references.
    fn text(&mut self, range: Range<usize>) {
        match self.reading.vocabulary {
            Vocabulary::Office => self.office_text(range),
            Vocabulary::Html => self.flow(range),
            Vocabulary::Xml => {
                if !self.has_page(range.clone()) {
                    self.flow(range);
                }
            }
        }
    }

    /// Reads such a `range` of XML if it is HTML with escaped tags, as in feeds, and returns
    /// whether it is.
    fn has_page(&mut self, range: Range<usize>) -> bool {
        let source = &self.source[range.clone()];
        let begins = |at: usize| source[at..].starts_with(b"&lt;");
        if !self.reading.is_data() || !memchr_iter(b'&', source).any(begins) {
            return false;
        }
        let document = dereference(source).moved(range.start);
        if !is_fragment(&document.bytes) {
            return false;
        }
        self.start_text(range);
        read_within(&document, self.reading.wanted, (&mut self.text, &mut self.links, &mut self.roles));
        true
    }

    /// Appends such a `range`, regardless of its element.
    fn flow(&mut self, range: Range<usize>) {
        let mut at = self.start_text(range.clone());
        if at == range.end {
            // Most tags follow each other directly, or only whitespace at a line break separates
            // them.
            return;
        }
        while let Some(n) = memchr(b'&', &self.source[at..range.end]) {
            let amp = at + n;
            match reference::read(&self.source[..range.end], amp, ReferenceIn::Text) {
                Some(character) => {
                    self.text.copy(self.source, at..amp);
                    self.text.put(character.as_bytes(), amp..character.end);
                    at = character.end;
                }
                None => {
                    self.text.copy(self.source, at..amp + 1);
                    at = amp + 1;
                }
            }
        }
        self.text.copy(self.source, at..range.end);
    }

    /// Appends `range` of the source verbatim.
    fn literal(&mut self, range: Range<usize>) {
        let start = self.start_text(range.clone());
        self.text.copy(self.source, start..range.end);
    }

    /// Appends the break before `range`, and returns where the text in it begins.
    fn start_text(&mut self, range: Range<usize>) -> usize {
        let source = &self.source[range.clone()];
        let ends_in_word = self.text.bytes.last().is_some_and(u8::is_ascii_alphanumeric);
        if ends_in_word && WORDS.iter().any(|word| begins_with(source, word)) {
            self.break_before(Break::Blank);
        }
        if self.pending == Break::None || range.is_empty() {
            return range.start;
        }
        if self.pending == Break::Edge {
            self.pending = Break::None;
            // A URL before the text would contain some of it, unless a space or only punctuation is next.
            let next = source.iter().find(|b| !b".,:;!?'".contains(b));
            let continues = next.is_some_and(|b| !is_space(*b) && !b"&<>\")]}".contains(b));
            if continues || source.starts_with(b"&amp;") {
                self.text.put(b" ", range.start..range.start);
            }
            return range.start;
        }
        let space = if self.preformatted { 0 } else { source.iter().take_while(|&&b| is_space(b)).count() };
        let start = range.start + space;
        if start < range.end {
            if !self.text.bytes.is_empty() {
                self.text.put(self.pending.as_bytes(), start..start);
            }
            self.pending = Break::None;
        }
        start
    }

    fn break_before(&mut self, kind: Break) {
        self.pending = self.pending.max(kind);
    }

    /// Ends a URL at the edge of a link that a reader sees, unless only punctuation follows.
    fn edge(&mut self) {
        let near = &self.text.bytes[self.text.bytes.len().saturating_sub(MAX_SCHEME_DISTANCE)..];
        let word = near.rsplit(|&b| is_space(b)).next().unwrap_or_default();
        let has_url = word.iter().skip_while(|&&b| b != b':').any(u8::is_ascii_alphanumeric);
        if has_url && self.hidden.is_none() {
            self.break_before(Break::Edge);
        }
    }

    /// Reads the markup that begins with the `<` at `at`; returns where it ends.
    fn markup(&mut self, at: usize, attributes: &mut Vec<Attribute>) -> usize {
        let rest = &self.source[at..];
        match rest {
            [_, b'!', b'-', b'-', ..] => self.comment(at),
            // In feeds, a CDATA section contains HTML.
            _ if rest.starts_with(b"<![CDATA[") && self.reading.vocabulary != Vocabulary::Html => at + 9,
            _ if rest.starts_with(b"<![CDATA[") && self.foreign.has_character_data(self.source, at) => {
                self.character_data(at)
            }
            [_, b'!' | b'?', ..] => self.declaration(at),
            [_, b'/', next, ..] if !next.is_ascii_alphabetic() => self.declaration(at),
            _ => match tag::read(self.source, at, |attribute| self.reads(rest, attribute), attributes) {
                Ok(tag) if self.reading.vocabulary == Vocabulary::Office => self.office_tag(&tag, attributes),
                Ok(tag) if tag.closing => self.end_tag(&tag, attributes),
                Ok(tag) => self.start_tag(&tag, attributes),
                Err(NoTag(end)) => {
                    self.text(at..end);
                    // An attribute that the next tag interrupts does not continue after that tag.
                    let word = self.source[at..end].rsplit(|&b| is_space(b)).next().unwrap_or_default();
                    if self.source.get(end) == Some(&b'<') && word.contains(&b'=') {
                        self.break_before(Break::Blank);
                    }
                    end
                }
            },
        }
    }

    /// Returns true if anything depends on an attribute of the `tag`.
    fn reads(&self, tag: &[u8], attribute: &Attribute) -> bool {
        let name = || &self.source[attribute.name.clone()];
        self.foreign.is_open()
            || self.reading.reads(self.source, attribute)
            || !self.sheets.is_empty() && attribute::selects(name())
            || matches!(tag, [_, b'i' | b'I', b'm' | b'M', ..])
                && attribute::is_dot(name(), &self.source[attribute.value.clone()])
    }

    /// Appends `range` of the source, apart from the text around it.
    fn aside(&mut self, range: Range<usize>, role: Role) {
        self.break_before(Break::EmptyLine);
        let start = self.text.bytes.len();
        self.flow(range);
        self.roles.add(start..self.text.bytes.len(), role);
        self.break_before(Break::EmptyLine);
    }

    fn end_tag(&mut self, tag: &Tag, attributes: &[Attribute]) -> usize {
        let name = &self.source[tag.name.clone()];
        for attribute in attributes {
            self.unseen(attribute.value.clone(), name);
        }
        self.close_foreign(name);
        self.close_cell(name);
        self.tables -= usize::from(self.tables > 0 && name.eq_ignore_ascii_case(b"table"));
        if let Some(start) = self.address.take() {
            self.roles.add(start..self.text.bytes.len(), Role::Link);
        }
        match Element::of(name) {
            Element::Separate(kind) => self.break_before(kind),
            Element::LineBreak => self.line_break(),
            Element::Inline if self.reading.separates(name) => self.break_before(Break::EmptyLine),
            Element::Anchor => self.close_anchor(),
            Element::Preformatted => {
                self.break_before(Break::EmptyLine);
                self.preformatted = false;
            }
            _ => {}
        }
        self.close_enclosing(tag);
        tag.end
    }

    fn line_break(&mut self) {
        self.pending = if self.pending < Break::Line { Break::Line } else { Break::EmptyLine };
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    fn read(source: &[u8], relative: bool) -> Html {
        super::read(source, Wanted { relative, ..Wanted::ALL })
    }

    fn text(source: &str) -> String {
        String::from_utf8(read(source.as_bytes(), false).text.bytes).unwrap()
    }

    #[track_caller]
    fn check(source: &str, seen: &str) {
        assert_eq!(text(source), seen, "{source}");
    }

    /// Each link, its element, and the source that encodes it.
    fn links(source: &str) -> Vec<(String, String, String)> {
        let html = read(source.as_bytes(), false);
        let link = |link: Link<'_>| {
            let content = &html.text.bytes[link.content()];
            let (map, range) = link.map(0..link.as_bytes().len());
            let encoded: Vec<&str> = map.sources(range).into_iter().map(|range| &source[range]).collect();
            (utf8(link.as_bytes()), utf8(content), encoded.join("|"))
        };
        html.links.iter().filter(|link| link.kind() != LinkKind::Text).map(link).collect()
    }

    /// Returns the searched text besides the visible text and the links, with its origin.
    fn unseen(source: &str) -> Vec<(String, String)> {
        let html = read(source.as_bytes(), false);
        let texts = html.links.iter().filter(|link| link.kind() == LinkKind::Text);
        texts.map(|text| (text.element().unwrap_or_default().to_owned(), utf8(text.as_bytes()))).collect()
    }

    fn utf8(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    fn urls(source: &str) -> Vec<String> {
        links(source).into_iter().map(|(url, ..)| url).collect()
    }

    /// The longest name of an element that is kept, and one letter more.
    #[test]
    fn long_names_of_elements() {
        for (len, is_kept) in [(64, true), (65, false)] {
            let name = "x".repeat(len);
            let source = format!("<{name} href=http://h.org/>a</{name}>");
            let html = read(source.as_bytes(), false);
            let link = html.links.iter().next().unwrap();
            assert_eq!(link.element(), is_kept.then(|| format!("{name}@href")).as_deref(), "{len}");
        }
    }

    #[test]
    fn a_wrapper_around_an_anchor() {
        let source = "at &lt;URL:<A HREF=\"http://h.org/?a&amp;b\">http://h.org/?a&amp;b</A>&gt;.";
        check(source, "at <URL:http://h.org/?a&b>.");
        assert_eq!(
            links(source),
            [("http://h.org/?a&b".into(), "http://h.org/?a&b".into(), "http://h.org/?a&amp;b".into())]
        );
    }

    #[test]
    fn what_a_link_says_of_where_it_leads() {
        let rels = |source: &str| -> Vec<String> {
            read(source.as_bytes(), true).links.iter().map(|link| utf8(link.rel())).collect()
        };
        assert_eq!(rels("<a href=http://h.org/ REL=' NoFollow\nugc '>a</a>"), ["nofollow ugc"]);
        assert_eq!(
            rels("<a href=/a>b</a><a rel=me href=/b><img src=/c><a rel href=/d><link rel=ALTERNATE href=/e>"),
            ["", "me", "", "", "alternate"]
        );
        // Two links of one element, and a relation of none.
        assert_eq!(rels("<a rel=x>a</a><a href=/a ping=/b rel=a&amp;b>"), ["a&b", "a&b"]);
        assert_eq!(rels(&format!("<a href=/a rel={}>", "x".repeat(201))), [""]);
        // In a document within another one.
        let document = b"<a rel=me href=/a>".to_vec();
        let (mut text, mut links, mut roles) = (Decoded::default(), Links::default(), Roles::default());
        let mut within = Decoded::default();
        within.copy(&document, 0..document.len());
        for _ in 0..2 {
            read_within(
                &within,
                Wanted { relative: true, ..Wanted::default() },
                (&mut text, &mut links, &mut roles),
            );
        }
        assert_eq!(links.iter().map(|link| utf8(link.rel())).collect::<Vec<_>>(), ["me", "me"]);
    }

    #[test]
    fn every_byte_has_its_source() {
        let source = b"a&amp;b<br>c<b>d</b>";
        let text = read(source, false).text;
        assert_eq!(text.bytes, b"a&b\ncd");
        let encoding = |range| -> Vec<&[u8]> {
            text.map.sources(range).into_iter().map(|range| &source[range]).collect()
        };
        assert_eq!(encoding(0..1), [b"a"]);
        assert_eq!(encoding(1..2), [b"&amp;"]);
        assert!(encoding(3..4).is_empty());
        assert_eq!(encoding(0..6), [&b"a&amp;b"[..], b"c", b"d"]);
    }

    #[test]
    fn links_stand_where_their_elements_do() {
        let html = read(b"<p>one <img src=x:i> two <a href=x:j>three</a></p>", false);
        assert_eq!(html.text.bytes, b"one  two three");
        let places: Vec<_> = html.links.iter().map(|link| (link.at(), link.content())).collect();
        assert_eq!(places, [(4, 4..4), (9, 9..14)]);
    }

    #[test]
    fn tags_inside_a_line_leave_nothing() {
        check("http://<b>h.org</b>/<wbr>a<span class=x>b</span>", "http://h.org/ab");
        check("x<!-- http://h.org/ -->y", "xy");
    }

    #[test]
    fn lines_and_paragraphs() {
        check("a<br>b<br/>c<BR>\nd<br><br>e", "a\nb\nc\nd\n\ne");
        check("<div>a</div>\n  <div>b</div><div>c</div>", "a\nb\nc");
        check("<p>a\n<p>b</p><ul><li>c<li>d</ul>e", "a\n\n\nb\n\nc\nd\n\ne");
        check("<table><tr><td>a</td> <td>b</td></tr><tr><td>c</table>", "a b\nc");
        check("a\n  b", "a\n  b");
    }

    #[test]
    fn preformatted_text_stays() {
        check("<p>a</p><pre>\n  b\n\n  c</pre> d", "a\n\n\n  b\n\n  c\n\nd");
        check("<PRE>a <A HREF=x>b</A>\n c</PRE>", "a b\n c");
    }

    #[test]
    fn text_of_special_elements() {
        check("<title>a &lt;b></title>c", "a <b>\n\nc");
        check("a<textarea>b <i></textarea>c", "a\nb <i>\nc");
        check("a<xmp>&lt;<i></xmp>b", "a\n\n&lt;<i>\n\nb");
        check("a<plaintext>&lt;<i></plaintext>", "a\n\n&lt;<i></plaintext>");
        check("<noscript>a</noscript><iframe>b</iframe><template>c</template>", "a");
        check("<![CDATA[http://h.org/]]>a", "a");
        check("<svg><![CDATA[<b>http://h.org/]]></svg>", "<b>http://h.org/");
    }

    #[test]
    fn markup_without_text() {
        check("a<script>http://h.org/ '<b>'</SCRIPT >b<style>c</style>d", "abd");
        check("a<!-- > <b> -->b<!-->c<!--->d<!--x--!>e<!--x--->f<!--x---!>g", "abcdefg");
        check("<!DOCTYPE html \"http://w.org/x.dtd\"><?xml x?>a</>b</ x>c", "abc");
        check("<img alt=http://h.org/ title='http://h.org/'>", "");
    }

    /// The next tag ends a tag that has a value: only its own words are hidden.
    #[test]
    fn tags_that_the_next_tag_ends() {
        check("a<img src=\"http://h.org/i\" height=8</td>b", "a b");
        check("<form action='http://h.org/f' \n<p>c", "c");
        let links = urls(
            "<a href=\"http://h.org/a\"<b>words</b></a> <img src=http://h.org/i <a href=http://h.org/c>",
        );
        assert_eq!(links, ["http://h.org/a", "http://h.org/i", "http://h.org/c"]);
        check("a <b and <i>c</i>", "a <b and c");
        check("<a href=\"http://h.org/b\"", "<a href=\"http://h.org/b\"");
    }

    /// Each link with its role, and then the text.
    fn roles(source: &str) -> String {
        let html = read(source.as_bytes(), false);
        let links = html.links.iter().filter(|link| link.kind() != LinkKind::Text);
        let links = links.map(|link| format!("{} {}, ", utf8(link.as_bytes()), link.role().as_str()));
        links.collect::<String>() + &utf8(&html.text.bytes)
    }

    #[test]
    fn what_is_not_shown_is_a_resource() {
        for hidden in [
            "<div hidden>",
            "<div hidden=''>",
            "<div style='color:red; DISPLAY : None !important'>",
            "<div style=visibility:hidden>",
        ] {
            let source = format!("<a href=x:1>1</a>{hidden}<div><a href=x:2>2</a></div><img src=x:3>y</div>");
            assert_eq!(roles(&source), "x:1 link, x:2 resource, x:3 tracker, 1", "{hidden}");
            assert_eq!(
                roles(&(source + "<a href=x:4>4</a>z")).split(", ").nth(3),
                Some("x:4 link"),
                "{hidden}"
            );
        }
        assert_eq!(
            roles("<a href=x:1 style='display:none'>1</a> <a href=x:2>2</a>"),
            "x:1 resource, x:2 link,  2"
        );
        assert_eq!(roles("<template><a href=x:1>1</a></template>"), "x:1 resource, ");
        // The hidden element has no end tag.
        assert_eq!(roles("<p hidden><a href=x:1>1</a><div>"), "x:1 link, 1");
        assert_eq!(roles("<img hidden src=x:1><a href=x:2>2</a></img>"), "x:1 tracker, x:2 link, 2");
        assert_eq!(roles("<div style='display:block'><a href=x:1>1</a></div>"), "x:1 link, 1");
    }

    #[test]
    fn what_style_sheets_hide() {
        for (source, expected) in [
            ("<style>.a{display:none}</style><p class=a><a href=x:1>1</a></p>2", "x:1 resource, 2"),
            ("<p class=a><a href=x:1>1</a></p>2<style>.a{display:none}</style>", "x:1 resource, 2"),
            ("<style media=print>.a{display:none}</style><p class=a><a href=x:1>1</a></p>", "x:1 link, 1"),
            ("<template><style>p{display:none}</style></template><p><a href=x:1>1</a></p>", "x:1 link, 1"),
            (
                "0<dialog><a href=x:1>1</a></dialog><dialog open><a href=x:2>2</a></dialog>",
                "x:1 resource, x:2 link, 0\n2",
            ),
            (
                "<p style=visibility:hidden>1<a href=x:1>2</a><b style=visibility:visible><a href=x:2>3</a></b>4<a href=x:3>5</a></p>6",
                "x:1 resource, x:2 link, x:3 resource,  3\n\n6",
            ),
            (
                "<p style=display:none>1<b style=visibility:visible><a href=x:2>3</a></b></p>6",
                "x:2 resource, 6",
            ),
            // The shown element has no end tag.
            (
                "<p style=visibility:hidden>1<b style=visibility:visible><a href=x:2>3</a></p>6",
                "x:2 link, 3\n\n6",
            ),
        ] {
            assert_eq!(roles(source), expected, "{source}");
        }
    }

    /// It is not in the label of a link, and cuts no URL and no line.
    #[test]
    fn what_is_not_shown_is_not_between() {
        check("http://h.org/<b hidden>a http://h.org/b</b>c<i style=display:none>d</i>e", "http://h.org/ce");
        check("a<div hidden><p>b</div>c<p>d", "ac\n\nd");
        assert_eq!(unseen("<p mailto:a@h.org b:c>").len(), 1);
        assert_eq!(unseen("a<div hidden>b<p>c</div>d"), [("div".to_owned(), "b\n\nc".to_owned())]);
        let source = "a<a href=x:1>b<b hidden>c</b>d</a><b hidden>e</b><a href=x:2>f</a>g";
        let contents: Vec<_> = links(source).into_iter().map(|(_, content, _)| content).collect();
        assert_eq!(contents, ["bd", "f"]);
    }

    /// The attribute that replaces an image belongs to the image.
    #[test]
    fn labels_of_links_without_text() {
        for (source, label) in [
            ("<a href=x:1><img alt=b></a>", "b"),
            ("<a href=x:1 alt=a><img alt=b></a>", "b"),
            ("<a href=x:1 title=a><img></a>", "a"),
            ("<a href=x:1 alt=a></a>", ""),
            ("<a href=x:1 alt=a>c<br><img alt=d></a>", " d"),
            ("<a href=x:1><img alt='  ' title=b></a>", "b"),
        ] {
            let html = read(source.as_bytes(), false);
            let link = html.links.iter().next().unwrap();
            let alts: String = link.pictures().iter().map(|picture| utf8(&picture.alt)).collect();
            assert_eq!(alts + &utf8(link.label()), label, "{source}");
        }
    }

    /// A cell ends the open elements in it, as in browsers.
    #[test]
    fn links_that_their_cell_ends() {
        let contents = |source: &str| -> Vec<String> {
            links(source).into_iter().map(|(_, content, _)| content.trim().to_owned()).collect()
        };
        let cell = |end: &str| format!("<table><tr><td><a href=x:1>one{end}two</table>three</a>");
        for end in ["</td><td>", "<td>", "<th>", "</tr><tr><td>", "</table>"] {
            assert_eq!(contents(&cell(end)), ["one"], "{end}");
        }
        assert_eq!(contents(&cell("<p>")), ["one\n\ntwo"]);
        assert_eq!(
            contents("<a href=x:1><table><tr><td>one</td><td>two</td></tr></table></a>three"),
            ["one two"]
        );
        assert_eq!(
            contents("<table><td><a href=x:1>a<table><td>b</td></table>c</td><td>d</table>"),
            ["a\n\nb\n\nc"]
        );
        // The end of a cell without a table is ignored.
        assert_eq!(contents("<a href=x:1>one</td>two</a>"), ["one two"]);
    }

    #[test]
    fn links_side_by_side() {
        check(
            "<a href=x:1>http://h.org/a</a><a href=x:2>http://h.org/b</a>c",
            "http://h.org/a http://h.org/b c",
        );
        check("<a href=x:1>a</a> <a href=x:2>b</a>", "a b");
        check("<a href=x:1>a <a href=x:2>b</a>", "a b");
    }

    /// SPEC: a URL in the text does not cross the edge of a link.
    #[test]
    fn urls_beside_a_link() {
        for (source, seen) in [
            ("http://h.org/a<a href=http://k.org/>b</a>c", "http://h.org/a bc"),
            ("See http://h.org/a<a href=#n>1</a>.", "See http://h.org/a 1."),
            ("http://h.org/a<sup><a href=#n>[1]</a></sup> b", "http://h.org/a [1] b"),
            ("http://h.org/a<a href=#top><b>top</b></a>", "http://h.org/a top"),
            ("<a href=http://k.org/>http://h.org/a</a>bc", "http://h.org/a bc"),
            ("<a href=x>http://h.org/a</a>.html", "http://h.org/a .html"),
            ("<a href=x>http://h.org/a</a>&amp;b", "http://h.org/a &b"),
            ("http://h.org/a<a href=x><img></a>b", "http://h.org/a b"),
            ("(&lt;<a href=x>http://h.org/a</a>&gt;).", "(<http://h.org/a>)."),
            ("\"<a href=x>http://h.org/a</a>.\" <a href=x>x:1</a>\n2", "\"http://h.org/a.\" x:1\n2"),
            ("http://h.org/a<a name=n>b</a>c", "http://h.org/abc"),
            ("http://h.org/a<a href=x hidden>b</a>c", "http://h.org/ac"),
            ("<a href=x>http://<b>h.<wbr>org</b>/a</a>", "http://h.org/a"),
            ("un<a href=x>link</a>ed: <a href=x>b</a>", "unlinked: b"),
            ("<a href=x>DOI</a>doi:10.1/a", "DOI doi:10.1/a"),
            ("a<span>tel:+491</span> b<b>Magnet:?xt=c", "a tel:+491 b Magnet:?xt=c"),
            ("ho<b>tel:1</b> http://h.org/<b>doi:10.1/a", "hotel:1 http://h.org/doi:10.1/a"),
        ] {
            check(source, seen);
        }
        let far = "x".repeat(MAX_SCHEME_DISTANCE - ":ab".len());
        check(&format!("http:ab{far}<a href=x>c</a>"), &format!("http:ab{far} c"));
        check(&format!("http:ab{far}x<a href=x>c</a>"), &format!("http:ab{far}xc"));
    }

    /// RFC 2045 §6.7: `=3D` is an equals sign, and `=` at the end of a line is removed with the line break.
    #[test]
    fn quoted_printable_that_nothing_decoded() {
        let source =
            "<p class=3D'a'>http=\ns://h.org/=\na <a href=3D\"http://exam=\nple.org/?a=3D1\">b=3Dc</a>";
        let html = read(source.as_bytes(), false);
        assert_eq!(utf8(&html.text.bytes), "https://h.org/a b=c");
        assert_eq!(urls(source), ["http://example.org/?a=1"]);
        let url = "https://h.org/a".len();
        let sources: Vec<_> = html.text.map.sources(0..url).into_iter().map(|range| &source[range]).collect();
        assert_eq!(sources, ["http", "s://h.org/", "a"]);
        for source in
            ["<p class=\"a\">x=3D1 <a title=3D\"b\">", "<p>&lt;a href=3D\"b\"&gt; x=3D1", "<p align=3D>x=3D1"]
        {
            let html = read(source.as_bytes(), false);
            assert!(utf8(&html.text.bytes).contains("x=3D1"), "{source}");
        }
    }

    #[test]
    fn what_is_quoted() {
        let source = "a<blockquote type=cite>b<blockquote>c</blockquote>d</blockquote>e<blockquote>f";
        let html = read(source.as_bytes(), false);
        let text = utf8(&html.text.bytes);
        let quoted: String =
            text.char_indices().filter(|&(at, _)| html.roles.are_quoted(at)).map(|(_, c)| c).collect();
        assert_eq!(quoted.replace('\n', ""), "bcd");
    }

    #[test]
    fn brackets_that_are_text() {
        check(
            "<http://h.org/x> <URL:http://h.org/> <a@h.org>",
            "<http://h.org/x> <URL:http://h.org/> <a@h.org>",
        );
        check("a < b, http://h.org/ > c", "a < b, http://h.org/ > c");
        check("a <y and http://h.org/ > c", "a <y and http://h.org/ > c");
        check("a <<b>c</b>> d <", "a <c> d <");
        check("<see\n<URL:http://h.org/a&amp;b>", "<see\n<URL:http://h.org/a&b>");
        check("<o:p>a</o:p>", "a");
    }

    #[test]
    fn what_never_ends_goes_on_to_the_end() {
        for (source, text, rest) in [
            ("a <!-- b <i>x:c</i>", "a ", " b <i>x:c</i>"),
            ("a <!-- b <!-- x:c", "a ", " b <!-- x:c"),
            ("<script>a <i>x:b</i>", "", "a <i>x:b</i>"),
            ("<style>a <i>x:b</i>", "", "a <i>x:b</i>"),
            ("<iframe>a <i>x:b</i>", "", "a <i>x:b</i>"),
            ("a <? http://h.org/", "a ", " http://h.org/"),
        ] {
            check(source, text);
            assert_eq!(unseen(source).pop().map(|(_, text)| text).as_deref(), Some(rest), "{source}");
        }
        check("<title>a <i>b</i>", "a <i>b</i>");
        check("<!DOCTYPE [ <!ENTITY x 'http://h.org/'> ]>a", " ]>a");
        check("a <a href=\"http://h.org/b", "a <a href=\"http://h.org/b");
        check("a <a href=\"http://h.org/b\" ", "a <a href=\"http://h.org/b\" ");
        check("a </a", "a </a");
    }

    #[test]
    fn a_missing_quotation_mark_hides_nothing() {
        let source = "<a href=\"http://h.org/1>one</a> and <a href=\"http://h.org/2\">two</a>";
        check(source, "one and two");
        assert_eq!(urls(source), ["http://h.org/1", "http://h.org/2"]);
        let source = "<a href='http://h.org/1>one</a> and <a href=\"http://h.org/2\">two</a>";
        assert_eq!(urls(source), ["http://h.org/1", "http://h.org/2"]);
    }

    #[test]
    fn an_attribute_that_a_tag_cuts_ends_there() {
        check("<a href=\"http://h.org/a<b>bold</b> text</a>", "<a href=\"http://h.org/a bold text");
        check("a < b<i>c</i>", "a < bc");
    }

    #[test]
    fn a_tag_that_never_ends_is_text() {
        let source = "<img src=\"http://h.org/1\" ";
        check(source, source);
        let source = "<img src='http://h.org/1 <a href=\"http://h.org/2\">two</a>";
        check(source, "<img src='http://h.org/1 two");
        assert_eq!(urls(source), ["http://h.org/2"]);
    }

    #[test]
    fn anchors_that_nobody_closed() {
        let contents: Vec<String> = links("<a href=x:1>one <a name=n>two <a href=x:2 ping=x:3>three")
            .into_iter()
            .map(|(_, c, _)| c)
            .collect();
        assert_eq!(contents, ["one ", "three", "three"]);
    }

    #[test]
    fn any_bytes() {
        let source = b"\xff\xfe\0<\xe9 <b\xe9> &\xe9; <a href=x:\xe9>\xe4\xb8";
        assert_eq!(read(source, false).text.bytes, b"\xff\xfe\0<\xe9 <b\xe9> &\xe9; \xe4\xb8");
        assert_eq!(read(source, false).links.iter().next().unwrap().as_bytes(), b"x:\xe9");
        assert_eq!(read(b"", false).text.bytes, b"");
    }

    #[test]
    fn links_of_a_document_in_an_attribute() {
        let source = "<p>a<iframe srcdoc=\"<a href='x:1?a&amp;amp;b'>c</a> x:2\">d</iframe>";
        check(source, "a");
        assert_eq!(unseen(source), [("iframe@srcdoc".into(), "c x:2".into()), ("iframe".into(), "d".into())]);
        assert_eq!(links(source), [("x:1?a&b".into(), "".into(), "x:1?a&amp;amp;b".into())]);
        let nested = "<iframe srcdoc=\"<iframe srcdoc='<a href=x:1>'>\">";
        assert_eq!(links(nested), []);
        assert_eq!(unseen(nested)[0], ("iframe@srcdoc".into(), "<a href=x:1>".into()));
    }

    /// A link in a document has the text and the `rel` that it has in a file, regardless of the
    /// text around the document.
    #[test]
    fn texts_of_links_in_an_attribute() {
        let told = |source: &str| -> Vec<[String; 3]> {
            let html = read(source.as_bytes(), false);
            // `label` may end with the space between two links; trim it.
            let told = |link: Link<'_>| [link.as_bytes(), link.label().trim_ascii(), link.rel()].map(utf8);
            html.links.iter().filter(|link| link.kind() != LinkKind::Text).map(told).collect()
        };
        let frame = |document: &str| told(&format!("<iframe rel=no src=x:0 srcdoc=\"{document}\" title=no>"));
        for (document, text, rel) in [
            ("<a href=x:1 rel=nofollow>b<p>c</a>", "b\n\nc", "nofollow"),
            ("b<a href=x:1>c<img alt=d>e</a>f", "cde", ""),
            ("<a href=x:1 title=t> </a>", "t", ""),
            ("<a href=x:1>b", "b", ""),
            ("<a href=x:1></a>b", "", ""),
        ] {
            let frame_itself = ["x:0", "", "no"].map(str::to_owned);
            assert_eq!(frame(document), [frame_itself, ["x:1", text, rel].map(str::to_owned)], "{document}");
        }
        let two = frame("<style>url(x:1)</style><a href=x:2 ping=x:3 rel=ugc>b</a><a href=x:4>c</a>");
        let two: Vec<_> = two.iter().map(|told| told.join(" ")).collect();
        assert_eq!(two, ["x:0  no", "x:1  ", "x:2 b ugc", "x:3 b ugc", "x:4 c "]);
        // The enclosing anchor has a text of its own.
        let around = "<a href=x:1 title=t rel=a><iframe srcdoc='<a href=x:2 rel=b>c</a>'></iframe></a><a href=x:3 title=u></a>";
        let around: Vec<_> = told(around).iter().map(|told| told.join(" ")).collect();
        assert_eq!(around, ["x:1 t a", "x:2 c b", "x:3 u "]);
        let own: Vec<_> = told("<a href=x:1 title=t srcdoc='<a href=x:2>c</a>'>")
            .iter()
            .map(|told| told.join(" "))
            .collect();
        assert_eq!(own, ["x:1 t ", "x:2 c "]);
        let areas: Vec<_> =
            told("<a href=x:1 title=t><area href=x:2 alt=b></a>").iter().map(|told| told.join(" ")).collect();
        assert_eq!(areas, ["x:1 t ", "x:2 b "]);
    }

    /// SPEC: every byte of a page is read.
    #[test]
    fn what_is_not_shown_is_searched() {
        for (source, texts) in [
            ("<!-- x:1 -->", &[("comment", " x:1 ")][..]),
            ("<!-->x:1-->", &[]),
            ("<!DOCTYPE html \"x:1\">", &[("comment", "DOCTYPE html \"x:1\"")]),
            ("<?php echo '<a>x:1' ?>", &[("comment", "php echo '<a>x:1' ?")]),
            ("<script src=x:1>x:2</script>", &[("script", "x:2")]),
            ("<style>a:b</style>", &[("style", "a:b")]),
            ("<style>a:b;c:url(x:1);d:e</style>", &[("style", "a:b;c:url("), ("style", ");d:e")]),
            (
                "<style>a:url(x:1);b:url(x:2)</style>",
                &[("style", "a:url("), ("style", ");b:url("), ("style", ")")],
            ),
            ("<noframes><style></noframes><a href=x:1>", &[("noframes", "<style>")]),
            ("<i title='a: b'>", &[("i@title", "a: b")]),
            ("<i title=a onclick='x:1 b'>", &[("i@onclick", "x:1 b")]),
            ("<td style='a:b;c:url(x:1);d'>", &[("td@style", "a:b;c:url(")]),
            ("<img srcset='x:1 1x, x:2 (y:3)'>", &[("img@srcset", " (y:3)")]),
            ("</a x='y:1'>", &[("a", "y:1")]),
        ] {
            let texts: Vec<_> = texts.iter().map(|&(element, text)| (element.into(), text.into())).collect();
            assert_eq!(unseen(source), texts, "{source}");
        }
    }

    #[test]
    fn sixty_four_names_are_kept() {
        let page: String = (0..65).map(|n| format!("<e{n} src=x:{n}>")).collect();
        let html = read(page.as_bytes(), false);
        let names: Vec<_> = html.links.iter().map(|link| link.element().map(str::to_owned)).collect();
        let expected = (0..65).map(|n| (n < 64).then(|| format!("e{n}@src"))).collect::<Vec<_>>();
        assert_eq!(names, expected);
    }

    #[test]
    fn tags_of_common_elements() {
        for name in COMMON.map(|name| str::from_utf8(name).unwrap()) {
            for (tag, is_tag) in
                [("<_>", true), ("<_ a>", true), ("<_/>", true), ("<_q>", false), ("<_", false)]
            {
                let [text, upper] = [tag.replace('_', name), tag.replace('_', &name.to_ascii_uppercase())];
                assert_eq!(
                    [is_fragment(text.as_bytes()), is_fragment(upper.as_bytes())],
                    [is_tag; 2],
                    "{text}"
                );
            }
        }
    }

    /// An instruction is searched, and without its end it ends at the next tag.
    #[test]
    fn instructions_of_xml() {
        for source in ["a<?b x:1 ?>c", "a<?b x:1 <d>c</d>", "a<?b x:1 >c", "a<?b x:1"] {
            let text = utf8(&read_as(Vocabulary::Xml, source.as_bytes(), Wanted::ALL).text.bytes);
            assert!(
                text.starts_with('a') && text.contains("b x:1") && text.contains('c') == source.contains('c'),
                "{text}"
            );
        }
    }

    /// A fragment of HTML is read as XML, and its markup of words splits no URL.
    #[test]
    fn markup_of_words_in_xml() {
        for (source, expected) in [
            ("<p>http://<b>h.</b><WBR>org/<span>a</span> b", "http://h.org/a b"),
            ("<div><url>x:1</url><b>c</b></div>", "x:1\n\nc"),
            ("<entry><url>x:1</url><b>c</b>d", "x:1\n\nc\n\nd"),
            ("<svg><text>x:1</text><desc>b</desc>", "x:1\n\nb"),
        ] {
            let text = utf8(&read_as(Vocabulary::Xml, source.as_bytes(), Wanted::ALL).text.bytes);
            assert_eq!(text.trim(), expected, "{source}");
        }
    }

    #[test]
    fn foreign_elements() {
        for source in [
            "<svg><style></svg><a href=x:1>",
            "<svg><style><p></style><a href=x:1>",
            "<svg><title><style></style></title></svg><a href=x:1>",
            "<math><style><!-- </style> --></math><a href=x:1>",
            "<svg><script/></svg><a href=x:1>",
            "<svg><noframes/><font color=red><a href=x:1>",
        ] {
            assert_eq!(urls(source), ["x:1"], "{source}");
        }
        // HTML again: the style sheet continues to its end tag.
        for source in [
            "<svg><foreignObject><style><a href=x:1></style>",
            "<svg></svg><style><a href=x:1></style>",
            "<svg><font><style></font></svg><p><style><a href=x:1></style>",
            "<math><annotation-xml encoding='text/html'><style><a href=x:1></style>",
        ] {
            assert_eq!(urls(source), [""; 0], "{source}");
        }
    }

    /// The start tags that end SVG and MathML ("the rules for parsing tokens in foreign content"), and the elements in
    /// which HTML begins again ("HTML integration point", "MathML text integration point").
    #[test]
    fn every_tag_that_begins_html_again() {
        let breakouts = "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li \
            listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";
        let fonts = ["font color=a", "font face=a", "font size=a"];
        let svg = breakouts.split_ascii_whitespace().chain(fonts).chain(["/p", "/br"]);
        let svg = svg.chain(["foreignObject", "desc", "title"]).map(|tag| format!("<svg><{tag}>"));
        let math = breakouts.split_ascii_whitespace().chain(["mi", "mo", "mn", "ms", "mtext"]);
        let math = math
            .chain(["annotation-xml encoding=text/html", "annotation-xml encoding='Application/XHTML+XML'"]);
        for tags in svg.chain(math.map(|tag| format!("<math><{tag}>"))) {
            // In HTML, the content of a style sheet contains no elements.
            assert_eq!(urls(&format!("{tags}<style><a href=x:1></style>")), [""; 0], "{tags}");
        }
        for tags in [
            "<svg><g>",
            "<svg><a>",
            "<svg><font>",
            "<math><mrow>",
            "<math><annotation-xml>",
            "<math><annotation-xml encoding=a>",
            "<math><mi><mglyph>",
            "<math><mtext><malignmark>",
        ] {
            assert_eq!(urls(&format!("{tags}<style><a href=x:1></style>")), ["x:1"], "{tags}");
        }
    }

    #[test]
    fn links_of_a_style_sheet() {
        let source = "<style>\na{background:url( \"x:1\" )}\nb{c:url(d)}</style>";
        assert_eq!(links(source), [("x:1".into(), "".into(), "x:1".into())]);
    }

    #[test]
    fn relative_links_after_the_base() {
        let source = "<a href=1><base href=x:2><a href=3 cite=4><base href=5>";
        let html = read(source.as_bytes(), false);
        assert_eq!(html.base.as_deref(), Some(&b"x:2"[..]));
        assert_eq!(urls(source), ["1", "x:2", "3", "4", "5"]);
        assert_eq!(read(b"<a href=1>", true).links.iter().next().unwrap().as_bytes(), b"1");
    }

    /// Markup that repeats without end.
    const HOSTILE: [&str; 36] = [
        "<p style=url(",
        "<style>url(",
        "<style>/*</style>",
        "<a style='url(x:'>",
        "<iframe srcdoc=\"&quot;",
        "<",
        "</",
        "<a ",
        "<a href=\"",
        "<a href='",
        "<!--",
        "<!",
        "<script>",
        "<title>",
        "<a href=x>",
        "&",
        "&#",
        "&#0",
        "&a",
        "<a x='<a y=\"' z='\"' ",
        "<a href=\">",
        "<a b='>\"",
        "-->",
        "--",
        "<div>",
        "<br>",
        " <p> ",
        "<a href='&amp;",
        "<img srcset=',",
        "<meta http-equiv=refresh content=",
        "=",
        "\"",
        "</script",
        "<a a=",
        "<a href=x:>",
        "&eacute",
    ];

    /// Parts of hostile office documents.
    const HOSTILE_OFFICE: [&str; 14] = [
        "<w:p>",
        "<w:t>a",
        "<w:t>&",
        "<mc:Fallback>",
        "<rPh></rPh>",
        "<w:instrText>HYPERLINK \"",
        "<w:instrText>\\l ",
        "<w:fldChar w:fldCharType='begin'/>",
        "<w:fldChar w:fldCharType='separate'/><w:instrText>HYPERLINK x:",
        "<w:delText>a:",
        "<f>HYPERLINK(\"x:\"&</f>",
        "HYPERLINK(\"x:\"",
        "<x formula='",
        "<Relationship Target='x:' TargetMode='External'/>",
    ];

    /// See [`hostile_sources_cost_no_more`].
    #[cfg(unix)]
    const LEAST: Duration = Duration::from_millis(20);

    /// Time is linear: for eight times the length it is about eight times as much, and for a loop over the source
    /// inside another 64 times.
    ///
    /// No limit in seconds holds on a processor that is emulated, and other processes make it
    /// slower. So each length has its best time of some rounds, and a factor of 32 tells one from
    /// the other. What takes less than [`LEAST`] for the shorter source counts as that: memory for
    /// the longer one comes from the system, for which an emulator needs a tenth of a second, and a
    /// loop inside another takes seconds.
    #[cfg(unix)]
    #[test]
    fn hostile_sources_cost_no_more() {
        let office = HOSTILE_OFFICE.iter().map(|markup| (*markup, Vocabulary::Office));
        let escaped =
            ["&lt;p ", "<a>&lt;p&gt;", "&lt;a b=&quot;", "<p a='&lt;i&gt; x:y'>", "&lt;a href=x:y&gt;"];
        let xml = escaped.map(|markup| (markup, Vocabulary::Xml));
        let html = HOSTILE.iter().map(|markup| (*markup, Vocabulary::Html));
        for (markup, vocabulary) in html.chain(office).chain(xml) {
            let sources = [1 << 16, 1 << 19].map(|len| markup.repeat(len / markup.len()));
            let mut best = [Duration::MAX; 2];
            let is_linear = (0..5).any(|_| {
                for (best, source) in best.iter_mut().zip(&sources) {
                    let begin = spent();
                    read_document(
                        source.as_bytes(),
                        PageText {
                            wanted: Wanted { relative: false, ..Wanted::ALL },
                            nests: true,
                            vocabulary,
                            ..PageText::default()
                        },
                    );
                    *best = (spent() - begin).min(*best);
                }
                best[1] < best[0].max(LEAST) * 32
            });
            assert!(is_linear, "{markup}: {best:?}");
        }
    }

    /// The time for which this thread had a processor.
    #[cfg(unix)]
    fn spent() -> Duration {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Copied bytes equal their source, and decoded bytes have a source.
        #[test]
        fn sources_encode_the_text(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "<", ">", "a", "/", " ", "\n", "&", ";", "#", "1", "x", "=", "\"", "'", "!--", "--", "br", "p", "<a ",
                    "href=", "</a>", "&lt;", "&#45", "script", "title", "pre", "<!--", "-->", "http://h.org/",
                ]),
                0..40,
            )
        ) {
            let source = pieces.concat();
            let html = read(source.as_bytes(), false);
            let decoded = std::iter::once(html.text.clone()).chain(html.links.iter().map(|link| link.decoded()));
            for Decoded { bytes, map } in decoded {
                for (at, &byte) in bytes.iter().enumerate() {
                    match &map.sources(at..at + 1)[..] {
                        [] => prop_assert!(matches!(byte, b' ' | b'\n')),
                        [range] if range.len() == 1 => prop_assert_eq!(source.as_bytes()[range.start], byte),
                        [range] => prop_assert!(source[range.clone()].starts_with('&') || byte >= 0x80),
                        _ => prop_assert!(false, "one byte from two places"),
                    }
                }
            }
            let mut at = 0;
            for link in html.links.iter() {
                let content = link.content();
                prop_assert!(at <= link.at() && content.start == link.at());
                prop_assert!(content.start <= content.end && content.end <= html.text.bytes.len());
                at = link.at();
            }
        }
    }
}
