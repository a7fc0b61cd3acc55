//! Elements that affect their whole content: hidden and quoted elements.
//!
//! A browser does not show an element with `hidden`, or that [style sheets](super::visibility)
//! hide, nor `<template>` and its like. Its links cannot be followed, and its text is not read, so
//! both are resources to a reader. Its text is [removed](take_out) from the page's text, so that it
//! is not in a label, and does not break a URL. A reply encloses quotations in `<blockquote>`.
//!
//! An element without its end tag has no effect, because its end depends on the following text.
//! Only `<template>` continues to the end, as in browsers.

use std::ops::Range;

use super::attribute::{SIDES, is_pixel, value_of};
use super::links::{LinkKind, LinkSource};
use super::tag::{Attribute, Break, ImageMedia, Tag};
use super::visibility::{Visibility, last_value};
use super::{Html, HtmlReader};
use crate::archive::role::Role;
use crate::archive::source_map::Decoded;

/// An element that is open, the outermost of its kind.
#[derive(Debug)]
pub(super) struct Enclosing {
    name: Box<[u8]>,
    /// The number of open elements of this name, from it on.
    open: usize,
    /// The offset at which its text begins.
    text: usize,
    /// The number of elements with links before it.
    links: usize,
    /// The number of foreign elements that are open in it, itself included, if it is foreign; or 0.
    depth: usize,
    /// The break before it.
    pending: Break,
    /// True if its visible content is shown.
    is_undone: bool,
}

/// Takes the texts of elements that are not shown out of the page. The ranges are in order.
pub(super) fn take_out(unshown: &[Range<usize>], html: &mut Html) {
    if unshown.is_empty() {
        return;
    }
    let mut text = Decoded::default().with_room(html.text.bytes.len());
    let mut seen = 0;
    for Range { start, end } in unshown.iter().cloned() {
        text.append_part(&html.text, seen..start);
        seen = end;
    }
    text.append_part(&html.text, seen..html.text.bytes.len());
    html.text = text;
    let mut before = Vec::with_capacity(unshown.len());
    let mut len = 0;
    for range in unshown {
        before.push(len);
        len += range.len();
    }
    // Returns the new position of a byte.
    let moved = |at: usize| match unshown.partition_point(|range| range.start < at).checked_sub(1) {
        Some(last) => at - before[last] - (at.min(unshown[last].end) - unshown[last].start),
        None => at,
    };
    html.links.move_elements(moved);
    html.roles.move_parts(moved);
}

/// The longest name of an element that hides something, in bytes.
const LONGEST: usize = 16;

/// Elements whose content is not shown, in HTML: some are for scripts, others for browsers that
/// cannot show them.
const HIDDEN: [&[u8]; 6] = [TEMPLATE, SELECT, b"canvas", b"video", b"audio", b"datalist"];

const TEMPLATE: &[u8] = b"template";

/// Browsers show its text, but the links in it cannot be followed.
const SELECT: &[u8] = b"select";

/// Elements whose content is not shown, in SVG and MathML.
const HIDDEN_FOREIGN: [&[u8]; 6] = [b"style", b"script", b"title", b"desc", b"metadata", b"defs"];

/// Elements that have no content.
const VOID: [&[u8]; 7] = [b"img", b"input", b"br", b"hr", b"meta", b"link", b"area"];

/// Notes the start tag of an element of this name; it is new if it is the outermost.
fn open(outermost: &mut Option<Enclosing>, name: &[u8], new: Option<Enclosing>) {
    match outermost {
        Some(element) => element.open += usize::from(name.eq_ignore_ascii_case(&element.name)),
        None => *outermost = new,
    }
}

/// Notes an end tag; returns the outermost element if it is its own.
fn close(outermost: &mut Option<Enclosing>, name: &[u8]) -> Option<Enclosing> {
    let element = outermost.as_mut().filter(|element| name.eq_ignore_ascii_case(&element.name))?;
    element.open -= 1;
    if element.open == 0 { outermost.take() } else { None }
}

impl HtmlReader<'_> {
    /// Notes a start tag, before which there are `links` elements with links.
    pub(super) fn open_enclosing(&mut self, tag: &Tag, attributes: &[Attribute], links: usize) {
        let name = &self.source[tag.name.clone()];
        let (text, is_quotation) = (self.text.bytes.len(), name.eq_ignore_ascii_case(b"blockquote"));
        let depth = if self.foreign.is_open() { self.foreign.depth() } else { 0 };
        let pending = self.pending;
        let new = |yes: bool, is_undone| {
            yes.then(|| Enclosing { name: name.into(), open: 1, text, links, depth, pending, is_undone })
        };
        if name.eq_ignore_ascii_case(b"input") && self.is_hidden_by(SELECT) {
            self.close_hidden();
        }
        let has_content = !(tag.self_closing && self.foreign.is_open());
        let may_matter = match &self.hidden {
            None => has_content,
            Some(hidden) => hidden.is_undone && self.shown.is_none(),
        };
        let visibility = if may_matter { self.visibility(name, attributes) } else { Visibility::Inherited };
        let (is_hidden, is_undone) = match visibility {
            Visibility::None => (true, false),
            Visibility::Hidden => (true, true),
            Visibility::Visible | Visibility::Inherited => (false, false),
        };
        let shown = new(visibility == Visibility::Visible && self.hidden.is_some(), false);
        if self.shown.is_none()
            && shown.is_some()
            && let Some(hidden) = self.hidden.take()
        {
            self.hide(&hidden);
            self.hidden = Some(hidden);
        }
        open(&mut self.hidden, name, new(is_hidden, is_undone));
        open(&mut self.quotation, name, new(is_quotation, false));
        open(&mut self.shown, name, shown);
    }

    fn visibility(&self, name: &[u8], attributes: &[Attribute]) -> Visibility {
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
        let of = |hidden: bool| if hidden { Visibility::None } else { Visibility::Inherited };
        if self.reading.is_xml() {
            return of(self.reading.is_of_web == Some(true) && (is(b"script") || is(b"style")));
        }
        if self.holds_what_is_not_shown(name) {
            return Visibility::None;
        }
        let value = |name: &[u8]| value_of(self.source, attributes, name);
        let visibility = match attributes {
            [] if is(b"dialog") => Visibility::None,
            [] if self.sheets.is_empty() => Visibility::Inherited,
            // Each class is looked up with the name.
            _ if name.len() > LONGEST => Visibility::Inherited,
            _ if value(b"hidden").is_some() || is(b"dialog") && value(b"open").is_none() => Visibility::None,
            _ => {
                let values @ [_, _, style] = self.values_for_sheets(attributes);
                let says_nothing = style.is_empty() && self.sheets.is_empty();
                if says_nothing { Visibility::Inherited } else { self.sheets.visibility(name, values) }
            }
        };
        let is_open = visibility == Visibility::Inherited || VOID.into_iter().any(is);
        if is_open { Visibility::Inherited } else { visibility }
    }

    /// Returns the attributes that a style sheet may select by: `class`, `id` and `style`.
    fn values_for_sheets(&self, attributes: &[Attribute]) -> [&[u8]; 3] {
        [&b"class"[..], b"id", b"style"]
            .map(|name| value_of(self.source, attributes, name).unwrap_or_default())
    }

    /// Returns the visibility of the image of `<img>` with these attributes: none if it is hidden,
    /// or has at most one pixel. In media with rules of their own it may have another size.
    pub(super) fn picture(&self, attributes: &[Attribute]) -> ImageMedia {
        let value = |name: &[u8]| value_of(self.source, attributes, name);
        let values @ [_, _, style] = self.values_for_sheets(attributes);
        let is_dot = SIDES.iter().all(|side| last_value(style, side).or(value(side)).is_some_and(is_pixel));
        let usual = || self.sheets.usual_visibility(b"img", values);
        let is_hidden =
            || value(b"hidden").is_some() || matches!(usual(), Visibility::None | Visibility::Hidden);
        match is_dot || is_hidden() {
            false => ImageMedia::Always,
            true if self.sheets.may_show(b"img", values) => ImageMedia::Sometimes,
            true => ImageMedia::Never,
        }
    }

    /// Returns true if the content of an element with this name is not shown.
    #[inline]
    fn holds_what_is_not_shown(&self, name: &[u8]) -> bool {
        let hidden: &[&[u8]] = match self.foreign.is_open() {
            true => &HIDDEN_FOREIGN,
            // Nearly all elements have other initials.
            false if !matches!(name[0] | 0x20, b't' | b's' | b'c' | b'v' | b'a' | b'd') || name.len() < 5 => {
                &[]
            }
            false => &HIDDEN,
        };
        hidden.iter().any(|hidden| name.eq_ignore_ascii_case(hidden))
    }

    /// Notes an end tag.
    pub(super) fn close_enclosing(&mut self, tag: &Tag) {
        let name = &self.source[tag.name.clone()];
        let end = self.text.bytes.len();
        if close(&mut self.shown, name).is_some()
            && let Some(hidden) = &mut self.hidden
        {
            (hidden.text, hidden.links) = (end, self.links.elements());
        }
        if let Some(hidden) = close(&mut self.hidden, name) {
            self.hide(&hidden);
        }
        if let Some(quotation) = close(&mut self.quotation, name) {
            self.roles.add_quotation(quotation.text..end);
        }
    }

    /// Returns true if the current text is in an element with this name, which hides it.
    pub(super) fn is_hidden_by(&self, name: &[u8]) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.name.eq_ignore_ascii_case(name))
    }

    /// Returns true if it is in a template, which is not part of the page.
    pub(super) fn is_in_template(&self) -> bool {
        self.is_hidden_by(TEMPLATE)
    }

    /// Ends the foreign element that hides its content, if it is no longer open.
    pub(super) fn close_hidden_foreign(&mut self) {
        if self.hidden.as_ref().is_some_and(|hidden| hidden.depth > self.foreign.depth()) {
            self.close_hidden();
        }
    }

    pub(super) fn close_hidden(&mut self) {
        if let Some(hidden) = self.hidden.take() {
            self.hide(&hidden);
        }
    }

    /// Makes the content of an element a resource.
    fn hide(&mut self, hidden: &Enclosing) {
        if self.shown.take().is_some() {
            return;
        }
        let (text, links) = (hidden.text..self.text.bytes.len(), hidden.links..self.links.elements());
        self.links.hide(links);
        if hidden.name.eq_ignore_ascii_case(SELECT) || text.is_empty() {
            return;
        }
        if self.reading.wanted.resources {
            self.links.begin(text.start);
            let place = LinkSource::of(&hidden.name, Role::Resource, LinkKind::Text);
            // Without the break before it.
            let start = text.start
                + self.text.bytes[text.clone()].iter().take_while(|b| b.is_ascii_whitespace()).count();
            self.links.push(&self.text.slice(start..text.end), place);
        }
        if !text.is_empty() {
            self.unshown.push(text);
        }
        // An element that is only invisible takes up space.
        if !hidden.is_undone {
            self.pending = hidden.pending;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::decode::html::{Vocabulary, Wanted, read, read_as};

    /// The roles of the links of a page.
    fn roles(page: &str) -> Vec<&'static str> {
        let html = read(page.as_bytes(), Wanted::ALL);
        let links = html.links.iter().filter(|link| link.kind() != LinkKind::Text);
        links.map(|link| link.role().as_str()).collect()
    }

    #[test]
    fn pictures_that_nobody_sees() {
        for attributes in [
            "width=1 height=1",
            "width='1px' HEIGHT=0",
            "style='width: 1px; height:1px !important'",
            "width=20 height=20 style='width:0;height:0'",
            "style='display:none'",
            "style='visibility:hidden'",
            "hidden",
            "class=c",
        ] {
            let page = format!("<style>.c{{display:none}}</style><img src=http://h.org/ {attributes}>");
            assert_eq!(roles(&page), ["tracker"], "{attributes}");
        }
        for attributes in [
            "",
            "width=1",
            "width=1 height=20",
            "width=100% height=1",
            "width=1em height=1em",
            "style='width:1px'",
        ] {
            assert_eq!(roles(&format!("<img src=http://h.org/ {attributes}>")), ["image"], "{attributes}");
        }
        assert_eq!(roles("<div style='display:none'><img src=http://h.org/></div>"), ["tracker"]);
        // In XML all attributes are read.
        for (size, role) in [("1", "tracker"), ("600", "image")] {
            let page = format!("<x><img src='http://h.org/' width='{size}' height='{size}'/></x>");
            let html = read_as(Vocabulary::Xml, page.as_bytes(), Wanted::ALL);
            assert_eq!(html.links.iter().next().unwrap().role().as_str(), role);
        }
        assert_eq!(roles("<td background=http://h.org/ width=1 height=1>"), ["image"]);
    }

    /// The longest name of an element that hides something, and one letter more.
    #[test]
    fn the_length_of_a_name() {
        for (len, role) in [(LONGEST, "resource"), (LONGEST + 1, "link")] {
            let name = "x".repeat(len);
            let page = format!("<{name} hidden><a href=http://h.org/>a</a></{name}>");
            assert_eq!(roles(&page), [role], "{len}");
        }
    }
}
