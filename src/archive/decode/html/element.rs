//! Start tags: the links of an element, and its effect on the text after it.

use std::ops::Range;

use super::links::{LinkKind, LinkSource};
use super::tag::{Attribute, Break, Element, ImageMedia, Tag};
use super::{HtmlReader, PageText, Wanted, attribute, read_document};
use crate::archive::header::is_one_of;
use crate::archive::role::Role;

impl HtmlReader<'_> {
    /// Reads a start tag, and the text that must be read with it; returns where to continue.
    pub(super) fn start_tag(&mut self, tag: &Tag, attributes: &[Attribute]) -> usize {
        let name = &self.source[tag.name.clone()];
        let element = self.element(tag, attributes);
        if self.reading.is_xml() {
            self.address = attribute::is_address(name).then_some(self.text.bytes.len());
        }
        if element == Element::Anchor {
            self.close_anchor();
            // Separate two adjacent link texts, because a URL that spans both would belong to neither link.
            let text = &self.text.bytes;
            let ends_in_word = text.last().is_some_and(|b| !b.is_ascii_whitespace());
            if self.anchor_end == Some(text.len()) && ends_in_word {
                self.break_before(Break::Blank);
            }
        }
        // A table begins in the cell.
        if !name.eq_ignore_ascii_case(b"table") {
            self.close_cell(name);
        }
        self.in_body = self.in_body || !is_one_of(name, &OF_HEAD);
        let first = self.links.elements();
        self.open_enclosing(tag, attributes, first);
        if element == Element::Anchor && attribute::value_of(self.source, attributes, b"href").is_some() {
            self.in_link = true;
            self.edge();
        }
        if let Element::Separate(kind) = element {
            self.break_before(kind);
        }
        let elements = self.add_links(tag, attributes, element);
        self.tables += usize::from(name.eq_ignore_ascii_case(b"table"));
        match element {
            Element::LineBreak => self.line_break(),
            Element::Anchor => {
                self.anchor = elements;
                self.anchor_tables = self.tables;
                self.add_label(attributes, true);
            }
            Element::Picture(ImageMedia::Always) => self.add_picture(attributes),
            Element::Picture(ImageMedia::Sometimes) => self.add_label(attributes, false),
            Element::Area => {
                let label = attribute::label(self.source, attributes, false);
                self.links.set_label(elements, label.unwrap_or_default().1);
            }
            Element::Preformatted => {
                self.break_before(Break::EmptyLine);
                self.preformatted = true;
            }
            Element::Inline if self.reading.separates(name) => self.break_before(Break::EmptyLine),
            Element::Hidden => {
                let media = attribute::value_of(self.source, attributes, b"media").unwrap_or_default();
                return self.raw(tag.end, name, media);
            }
            Element::Escapable(kind) => return self.separate(tag.end, name, kind, HtmlReader::text),
            Element::Literal => return self.separate(tag.end, name, Break::EmptyLine, HtmlReader::literal),
            Element::Rest => {
                self.break_before(Break::EmptyLine);
                self.literal(tag.end..self.source.len());
                return self.source.len();
            }
            Element::Separate(_) | Element::Inline | Element::Picture(ImageMedia::Never) => {}
        }
        tag.end
    }

    /// The element that begins with a start tag.
    fn element(&mut self, tag: &Tag, attributes: &[Attribute]) -> Element {
        let name = &self.source[tag.name.clone()];
        let element = match Element::of(name) {
            Element::Picture(_) => Element::Picture(self.picture(attributes)),
            element => element,
        };
        if self.reading.is_xml() {
            let is_of_html = element.with_tags() != Element::Inline;
            self.reading.is_of_web.get_or_insert(is_of_html || name.eq_ignore_ascii_case(b"svg"));
            return element.with_tags();
        }
        if self.open_foreign(tag, attributes) { element.with_tags() } else { element }
    }

    /// Adds the links of a start tag, and of the documents in it. Returns its element of links, if
    /// it has any.
    fn add_links(&mut self, tag: &Tag, attributes: &[Attribute], kind: Element) -> Range<usize> {
        let first = self.links.elements();
        if attributes.is_empty() {
            return first..first;
        }
        self.links.begin(self.text.bytes.len());
        let source = self.source;
        let element = &source[tag.name.clone()];
        let is_base =
            element.eq_ignore_ascii_case(b"base") && !self.foreign.is_open() && !self.is_in_template();
        let reading = if is_base { PageText { wanted: Wanted::ALL, ..self.reading } } else { self.reading };
        attribute::urls(source, element, attributes, reading, |url, place| {
            if is_base && self.base.is_none() && attribute::may_be_base(&url.bytes) {
                self.base = Some(url.bytes.clone());
                self.reading.wanted.relative = true;
            }
            let is_unseen = kind == Element::Picture(ImageMedia::Never) && place.role == Role::Image;
            let place = if is_unseen { LinkSource { role: Role::Tracker, ..place } } else { place };
            self.links.push(&url, place);
        });
        let elements = first..self.links.elements();
        if !elements.is_empty() {
            self.links.set_rel(elements, attribute::rel(source, attributes));
        }
        for Attribute { name, .. } in attributes {
            if attribute::may_have_url(&source[name.clone()]) {
                self.unseen(name.clone(), element);
            }
        }
        let elements = first..self.links.elements();
        if self.reading.nests {
            // The text of these documents is not part of the page's text.
            for document in attribute::documents(self.source, attributes) {
                let read = read_document(&document.bytes, PageText { nests: false, ..self.reading });
                let at = self.text.bytes.len();
                self.links.append_apart(&read.links, &read.text.bytes, at, &document);
                if self.reading.wanted.resources {
                    self.links.begin(at);
                    let place = LinkSource::of(b"iframe", Role::Resource, LinkKind::Text);
                    let place = LinkSource { attribute: b"srcdoc", ..place };
                    self.links.push(&read.text.through(&document), place);
                }
            }
        }
        elements
    }

    /// Notes the label of the open anchor, if it is better than the known one.
    fn add_label(&mut self, attributes: &[Attribute], is_link: bool) {
        if self.anchor.is_empty() || attributes.is_empty() {
            return;
        }
        let label = attribute::label(self.source, attributes, is_link);
        let rank = |label: &Option<(usize, Vec<u8>)>| label.as_ref().map(|(rank, _)| *rank);
        if rank(&label) > rank(&self.label) {
            self.label = label;
        }
    }

    /// Notes an image in the anchor that is open: its `alt` if it is seen, or else what labels the anchor.
    fn add_picture(&mut self, attributes: &[Attribute]) {
        let is_seen = self.hidden.is_none() || self.shown.is_some();
        if self.anchor.is_empty() || attributes.is_empty() || !is_seen {
            return;
        }
        let Some(mut alt) = attribute::alt(self.source, attributes) else {
            return self.add_label(attributes, false);
        };
        if self.pending != Break::None {
            alt.insert(0, b' ');
        }
        self.links.add_picture(self.anchor.clone(), self.text.bytes.len(), alt);
    }

    /// Ends the anchor that is open where a tag of this name ends the cell that it began in.
    pub(super) fn close_cell(&mut self, name: &[u8]) {
        let is_in_cell = self.tables > 0 && self.anchor_tables == self.tables && !self.anchor.is_empty();
        if is_in_cell
            && matches!(name[0] | 0x20, b't' | b'c')
            && ENDS_CELL.iter().any(|end| end.eq_ignore_ascii_case(name))
        {
            self.close_anchor();
        }
    }

    pub(super) fn close_anchor(&mut self) {
        if std::mem::take(&mut self.in_link) {
            self.edge();
        }
        let end = self.text.bytes.len();
        let anchor = std::mem::take(&mut self.anchor);
        if !anchor.is_empty() {
            self.anchor_end = Some(end);
        }
        let (_, label) = self.label.take().unwrap_or_default();
        self.links.set_label(anchor.clone(), label);
        self.links.set_content(anchor, end);
    }
}

/// The elements whose tags end a table cell; a table ends one only with its end tag.
const ENDS_CELL: [&[u8]; 5] = [b"td", b"th", b"tr", b"table", b"caption"];

/// The elements before the body.
const OF_HEAD: [&[u8]; 9] =
    [b"html", b"head", b"meta", b"title", b"link", b"base", b"style", b"script", b"noscript"];
