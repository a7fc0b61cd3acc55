//! SVG and MathML in HTML: the elements that belong to them ("the rules for parsing tokens in
//! foreign content").
//!
//! In SVG and MathML, `<style>` and `<title>` are elements like any other, and a slash closes an
//! element. Some elements hold HTML again (the integration points of the standard), and some HTML tags leave
//! foreign content.

use super::HtmlReader;
use super::tag::{Attribute, Tag};
use crate::archive::header::is_one_of;

/// The foreign elements that are open.
#[derive(Debug, Default)]
pub(super) struct Foreign<'s> {
    /// Their names, and true if their content is HTML.
    open: Vec<(&'s [u8], bool)>,
    /// The offset at which the content of the last one begins.
    content: usize,
}

/// The number of elements that are known as open. Browsers limit the nesting as well.
const MAX_OPEN: usize = 256;

/// The start tags that end foreign content, except `font`.
#[rustfmt::skip]
const BREAKOUTS: [&[u8]; 44] = [
    b"b", b"big", b"blockquote", b"body", b"br", b"center", b"code", b"dd", b"div", b"dl", b"dt", b"em",
    b"embed", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6", b"head", b"hr", b"i", b"img", b"li", b"listing",
    b"menu", b"meta", b"nobr", b"ol", b"p", b"pre", b"ruby", b"s", b"small", b"span", b"strong", b"strike",
    b"sub", b"sup", b"table", b"tt", b"u", b"ul", b"var",
];

/// Elements of SVG that hold HTML.
const HOLD_HTML: [&[u8]; 3] = [b"foreignobject", b"desc", b"title"];

/// MathML elements that contain HTML, and the MathML elements in them.
const HOLD_TEXT: [&[u8]; 5] = [b"mi", b"mo", b"mn", b"ms", b"mtext"];
const MATH_IN_TEXT: [&[u8]; 2] = [b"mglyph", b"malignmark"];

impl<'s> Foreign<'s> {
    /// Returns true if the current content is foreign.
    pub(super) fn is_open(&self) -> bool {
        self.open.last().is_some_and(|&(_, holds_html)| !holds_html)
    }

    /// Returns the number of elements that are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns true if a section of character data may be at `at`: in an element that is foreign, though it may
    /// hold HTML.
    pub(super) fn has_character_data(&self, source: &[u8], at: usize) -> bool {
        let is_alone = || source.get(self.content..at).is_some_and(|content| !content.contains(&b'<'));
        self.is_open() || !self.open.is_empty() && is_alone()
    }

    fn end(&mut self) {
        while self.is_open() {
            self.open.pop();
        }
    }
}

impl<'s> HtmlReader<'s> {
    /// Notes a start tag; returns whether its element is foreign.
    pub(super) fn open_foreign(&mut self, tag: &Tag, attributes: &[Attribute]) -> bool {
        let source = self.source;
        let name = &source[tag.name.clone()];
        let is_look = |a: &Attribute| is_one_of(&source[a.name.clone()], &[b"color", b"face", b"size"]);
        let is_html_font = || name.eq_ignore_ascii_case(b"font") && attributes.iter().any(is_look);
        if self.foreign.is_open() && (is_one_of(name, &BREAKOUTS) || is_html_font()) {
            self.foreign.end();
            self.close_hidden_foreign();
        }
        let is_foreign = self.foreign.is_open()
            || is_one_of(name, &[b"svg", b"math"])
            || self.foreign.open.last().is_some_and(|(name, _)| is_one_of(name, &HOLD_TEXT))
                && is_one_of(name, &MATH_IN_TEXT);
        if is_foreign && !tag.self_closing && self.foreign.open.len() < MAX_OPEN {
            let encodes_html = |a: &Attribute| {
                source[a.name.clone()].eq_ignore_ascii_case(b"encoding")
                    && is_one_of(&source[a.value.clone()], &[b"text/html", b"application/xhtml+xml"])
            };
            let holds_html = is_one_of(name, &HOLD_HTML)
                || is_one_of(name, &HOLD_TEXT)
                || name.eq_ignore_ascii_case(b"annotation-xml") && attributes.iter().any(encodes_html);
            self.foreign.content = tag.end;
            self.foreign.open.push((name, holds_html));
        }
        is_foreign
    }

    /// Notes an end tag.
    pub(super) fn close_foreign(&mut self, name: &[u8]) {
        if self.foreign.is_open() && is_one_of(name, &[b"p", b"br"]) {
            self.foreign.end();
        }
        let open = &mut self.foreign.open;
        if let Some(at) = open.iter().rposition(|(open, _)| open.eq_ignore_ascii_case(name)) {
            open.truncate(at);
        }
        self.close_hidden_foreign();
    }
}
