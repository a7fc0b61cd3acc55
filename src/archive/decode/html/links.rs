//! The links of a source, in the order of its elements.

use std::ops::Range;

use super::tag::{Attribute, Tag};
use super::{HtmlReader, Reading, attribute, css, read_document};
use crate::archive::source_map::Decoded;

/// A URL in an attribute.
#[derive(Debug)]
pub(crate) struct Hyperlink {
    /// The value, references decoded; it has a colon.
    pub(crate) url: Decoded,
    /// The offset in the text at which the element begins.
    pub(crate) at: usize,
    /// The range of the text between `<a>` and `</a>`, or the next `<a>`, or the end;
    /// empty for other elements.
    pub(crate) content: Range<usize>,
    pub(crate) kind: LinkKind,
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

impl Hyperlink {
    /// A URL without a text.
    pub(crate) fn alone(url: Decoded) -> Self {
        Hyperlink { url, at: 0, content: 0..0, kind: LinkKind::Reference }
    }
}

impl HtmlReader<'_> {
    /// Adds the links of a start tag.
    pub(super) fn add_links(&mut self, tag: &Tag, attributes: &[Attribute]) {
        let at = self.text.bytes.len();
        let is_base = self.source[tag.name.clone()].eq_ignore_ascii_case(b"base");
        attribute::urls(self.source, attributes, self.reading.relative || is_base, |url, kind| {
            if is_base && self.base.is_none() && !url.bytes.is_empty() {
                self.base = Some(url.bytes.clone());
                self.reading.relative = true;
            }
            self.links.push(Hyperlink { url, at, content: at..at, kind })
        });
        if self.reading.nests {
            self.add_documents(attributes);
        }
    }

    /// Adds the links of the documents in the attributes of a tag; their text is left out.
    fn add_documents(&mut self, attributes: &[Attribute]) {
        let at = self.text.bytes.len();
        for document in attribute::documents(self.source, attributes) {
            for link in read_document(&document.bytes, Reading { nests: false, ..self.reading }).links {
                let url = link.url.through(&document);
                self.links.push(Hyperlink { url, at, content: at..at, kind: link.kind });
            }
        }
    }

    /// Adds the URLs of a style sheet, which is at `range`.
    pub(super) fn style(&mut self, range: Range<usize>) {
        let at = self.text.bytes.len();
        css::urls(&self.source[range.clone()], |url| {
            let url = range.start + url.start..range.start + url.end;
            if self.reading.relative || self.source[url.clone()].contains(&b':') {
                let mut decoded = Decoded::default();
                decoded.copy(self.source, url);
                self.links.push(Hyperlink { url: decoded, at, content: at..at, kind: LinkKind::Reference });
            }
        });
    }
}
