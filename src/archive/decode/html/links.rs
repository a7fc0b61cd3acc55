//! The links of a source, in the order of its elements.

use std::ops::Range;

use super::tag::{Attribute, Tag};
use super::{HtmlReader, Reading, attribute, read_document};
use crate::archive::source_map::{self, Decoded, SourceMap};
use crate::bytes::large;

/// URLs in attributes.
///
/// A page can be nothing but links, and a link two bytes. So all values have one buffer and
/// one map, and a link takes the one or two bytes of its code besides.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// The values, one after the other, references decoded.
    values: Decoded,
    /// For each link the length of its value, its kind, and whether its element is the next one.
    codes: Vec<u8>,
    elements: Vec<Element>,
    /// The element that the next link belongs to, if it has no other.
    next: Option<Element>,
}

/// The place of an element with links, as offsets in the text.
#[derive(Clone, Copy, Debug, Default)]
struct Element {
    /// Where it begins.
    at: u32,
    /// The end of the text that is its content.
    content_end: u32,
}

/// A URL in an attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hyperlink<'l> {
    values: &'l Decoded,
    /// Where its value is in the values.
    range: (usize, usize),
    element: Element,
    kind: LinkKind,
}

/// What the value of an attribute may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkKind {
    /// A URL, or a reference that is relative to another URL.
    Reference,
    /// A URL.
    Url,
    /// A URL, or any text.
    Any,
}

const KINDS: [LinkKind; 3] = [LinkKind::Reference, LinkKind::Url, LinkKind::Any];

impl Links {
    /// The links that are added from now on are of an element that begins at `at` of the text,
    /// and has no content. Offsets from 4 GiB on are that.
    pub(crate) fn begin(&mut self, at: usize) {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        self.next = Some(Element { at, content_end: at });
    }

    /// Adds a link of the element that has begun.
    pub(crate) fn push(&mut self, url: &Decoded, kind: LinkKind) {
        let next = self.next.take();
        large::prepare(&mut self.codes, source_map::MAX_NUMBER_LEN);
        source_map::push_number(
            &mut self.codes,
            url.bytes.len() << 3 | (kind as usize) << 1 | usize::from(next.is_some()),
        );
        large::prepare(&mut self.elements, 1);
        self.elements.extend(next);
        self.values.append_part(url, 0..url.bytes.len());
    }

    /// The number of elements with links.
    pub(crate) fn elements(&self) -> usize {
        self.elements.len()
    }

    /// The content of these elements ends at `end` of the text.
    pub(crate) fn set_content(&mut self, elements: Range<usize>, end: usize) {
        let content_end = u32::try_from(end).unwrap_or(u32::MAX);
        let elements = self.elements.get_mut(elements).unwrap_or_default();
        elements.iter_mut().for_each(|element| element.content_end = content_end);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    pub(crate) fn iter(&self) -> LinkIter<'_> {
        LinkIter { links: self, codes: &self.codes, elements: 0, values: 0 }
    }
}

/// An iterator over links.
#[derive(Clone, Debug)]
pub(crate) struct LinkIter<'l> {
    links: &'l Links,
    /// The codes of the next links.
    codes: &'l [u8],
    /// The number of elements, and the end of the values, before them.
    elements: usize,
    values: usize,
}

impl<'l> Iterator for LinkIter<'l> {
    type Item = Hyperlink<'l>;

    fn next(&mut self) -> Option<Hyperlink<'l>> {
        let code = source_map::pull_number(&mut self.codes)?;
        self.elements += code & 1;
        let start = self.values;
        self.values += code >> 3;
        Some(Hyperlink {
            values: &self.links.values,
            range: (start, self.values),
            element: self.elements.checked_sub(1).map(|n| self.links.elements[n]).unwrap_or_default(),
            kind: KINDS[(code >> 1 & 3).min(KINDS.len() - 1)],
        })
    }
}

impl<'l> Hyperlink<'l> {
    /// The value, references decoded.
    pub(crate) fn url(&self) -> &'l [u8] {
        &self.values.bytes[self.range.0..self.range.1]
    }

    /// The map from all values, and the part of them that `range` of this value is.
    pub(crate) fn map(&self, range: Range<usize>) -> (&'l SourceMap, Range<usize>) {
        (&self.values.map, self.range.0 + range.start..self.range.0 + range.end)
    }

    /// The value and its source.
    pub(crate) fn decoded(&self) -> Decoded {
        self.values.slice(self.range.0..self.range.1)
    }

    /// The offset in the text at which the element begins.
    pub(crate) fn at(&self) -> usize {
        self.element.at as usize
    }

    /// The range of the text between `<a>` and `</a>`, or the next `<a>`, or the end;
    /// empty for other elements.
    pub(crate) fn content(&self) -> Range<usize> {
        self.at()..self.element.content_end as usize
    }

    pub(crate) fn kind(&self) -> LinkKind {
        self.kind
    }
}

impl HtmlReader<'_> {
    /// Adds the links of a start tag.
    pub(super) fn add_links(&mut self, tag: &Tag, attributes: &[Attribute]) {
        if attributes.is_empty() {
            return;
        }
        self.links.begin(self.text.bytes.len());
        let is_base = self.source[tag.name.clone()].eq_ignore_ascii_case(b"base");
        attribute::urls(self.source, attributes, self.reading.relative || is_base, |url, kind| {
            if is_base && self.base.is_none() && !url.bytes.is_empty() {
                self.base = Some(url.bytes.clone());
                self.reading.relative = true;
            }
            self.links.push(&url, kind);
        });
        if self.reading.nests {
            self.add_documents(attributes);
        }
    }

    /// Adds the links of the documents in the attributes of a tag; their text is left out.
    fn add_documents(&mut self, attributes: &[Attribute]) {
        for document in attribute::documents(self.source, attributes) {
            let links = read_document(&document.bytes, Reading { nests: false, ..self.reading }).links;
            for link in links.iter() {
                self.links.push(&link.decoded().through(&document), link.kind());
            }
        }
    }

    /// Adds the URLs of a style sheet, which is at `range`.
    pub(super) fn style(&mut self, range: Range<usize>) {
        self.links.begin(self.text.bytes.len());
        attribute::css_urls(&self.source[range.clone()], |url| {
            let url = range.start + url.start..range.start + url.end;
            if self.reading.relative || self.source[url.clone()].contains(&b':') {
                let mut decoded = Decoded::default();
                decoded.copy(self.source, url);
                self.links.push(&decoded, LinkKind::Reference);
            }
        });
    }
}
