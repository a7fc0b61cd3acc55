//! Elements that say something of all that is in them: what is not shown, and what is quoted.
//!
//! A browser does not show an element with `hidden`, `display:none` or `visibility:hidden`, nor `<template>` and its
//! like. Its links cannot be followed, and its text is not read, so both are resources to a reader. A reply has what it quotes
//! in `<blockquote>`.
//!
//! An element without its end tag says nothing: where it ends is a matter of what follows. Only `<template>` goes on to
//! the end, as in browsers.

use super::HtmlReader;
use super::tag::{Attribute, Tag};
use crate::archive::role::Role;

/// An element that is open, the outermost of its kind.
#[derive(Debug)]
pub(super) struct Enclosing {
    name: Box<[u8]>,
    /// How many elements of this name are open, from it on.
    open: usize,
    /// Where its text begins.
    text: usize,
    /// The number of elements with links before it.
    links: usize,
    /// How many foreign elements are open in it, itself included, if it is foreign; or 0.
    depth: usize,
}

/// The longest name of an element that hides something, in bytes.
const LONGEST: usize = 16;

/// Elements whose content is not shown, in HTML: some are for scripts, others for browsers without what they show.
const HIDDEN: [&[u8]; 6] = [TEMPLATE, SELECT, b"canvas", b"video", b"audio", b"datalist"];

const TEMPLATE: &[u8] = b"template";

/// Its text is shown, and no link in it.
const SELECT: &[u8] = b"select";

/// The same in SVG and MathML.
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
        let new = |yes: bool| yes.then(|| Enclosing { name: name.into(), open: 1, text, links, depth });
        if name.eq_ignore_ascii_case(b"input") && self.is_hidden_by(SELECT) {
            self.close_hidden();
        }
        let has_content = !(tag.self_closing && self.foreign.is_open());
        let is_hidden = self.hidden.is_none() && has_content && self.is_hidden(name, attributes);
        open(&mut self.hidden, name, new(is_hidden));
        open(&mut self.quotation, name, new(is_quotation));
    }

    fn is_hidden(&self, name: &[u8], attributes: &[Attribute]) -> bool {
        let hides = |Attribute { name, value }: &Attribute| {
            let (name, value) = (&self.source[name.clone()], &self.source[value.clone()]);
            name.eq_ignore_ascii_case(b"hidden") || name.eq_ignore_ascii_case(b"style") && hides(value)
        };
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
        if self.reading.is_xml() {
            return self.is_of_web == Some(true) && (is(b"script") || is(b"style"));
        }
        let hidden: &[&[u8]] = if self.foreign.is_open() { &HIDDEN_FOREIGN } else { &HIDDEN };
        name.len() <= LONGEST
            && (hidden.iter().any(|hidden| is(hidden)) || attributes.iter().any(hides))
            && !VOID.into_iter().any(is)
    }

    /// Notes an end tag.
    pub(super) fn close_enclosing(&mut self, tag: &Tag) {
        let name = &self.source[tag.name.clone()];
        let end = self.text.bytes.len();
        if let Some(hidden) = close(&mut self.hidden, name) {
            self.hide(&hidden);
        }
        if let Some(quotation) = close(&mut self.quotation, name) {
            self.roles.add_quotation(quotation.text..end);
        }
    }

    /// Whether what is read now is in an element of this name, which hides it.
    pub(super) fn is_hidden_by(&self, name: &[u8]) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.name.eq_ignore_ascii_case(name))
    }

    /// Whether it is in a template: then it is no part of the page.
    pub(super) fn is_in_template(&self) -> bool {
        self.is_hidden_by(TEMPLATE)
    }

    /// Ends a template that has no end tag.
    pub(super) fn close_template(&mut self) {
        if self.is_in_template() {
            self.close_hidden();
        }
    }

    /// Ends the foreign element that hides what is in it, if it is not open any more.
    pub(super) fn close_hidden_foreign(&mut self) {
        if self.hidden.as_ref().is_some_and(|hidden| hidden.depth > self.foreign.depth()) {
            self.close_hidden();
        }
    }

    fn close_hidden(&mut self) {
        if let Some(hidden) = self.hidden.take() {
            self.hide(&hidden);
        }
    }

    /// Makes what is in an element a resource.
    fn hide(&mut self, hidden: &Enclosing) {
        if !hidden.name.eq_ignore_ascii_case(SELECT) {
            self.roles.add(hidden.text..self.text.bytes.len(), Role::Resource);
        }
        self.links.hide(hidden.links..self.links.elements());
    }
}

/// Whether an element with this style is not shown.
fn hides(style: &[u8]) -> bool {
    style.split(|&b| b == b';').any(|declaration| {
        let mut parts = declaration.splitn(2, |&b| b == b':').map(<[u8]>::trim_ascii);
        let (Some(property), Some(value)) = (parts.next(), parts.next()) else { return false };
        let is = |name: &[u8], hiding: &[u8]| {
            property.eq_ignore_ascii_case(name)
                && value.get(..hiding.len()).is_some_and(|value| value.eq_ignore_ascii_case(hiding))
        };
        is(b"display", b"none") || is(b"visibility", b"hidden")
    })
}
