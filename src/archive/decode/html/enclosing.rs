//! Elements that say something of all that is in them: what is not shown, and what is quoted.
//!
//! A browser does not show an element with `hidden`, `display:none` or `visibility:hidden`, nor `<template>`. Its
//! links cannot be followed, and its text is not read, so both are resources to a reader. A reply has what it quotes
//! in `<blockquote>`.
//!
//! An element without its end tag says nothing: where it ends is a matter of what follows.

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
}

/// The longest name of an element that hides something, in bytes.
const LONGEST: usize = 16;

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
        let new = |yes: bool| yes.then(|| Enclosing { name: name.into(), open: 1, text, links });
        let is_hidden = self.hidden.is_none() && self.is_hidden(name, attributes);
        open(&mut self.hidden, name, new(is_hidden));
        open(&mut self.quotation, name, new(is_quotation));
    }

    fn is_hidden(&self, name: &[u8], attributes: &[Attribute]) -> bool {
        let hides = |Attribute { name, value }: &Attribute| {
            let (name, value) = (&self.source[name.clone()], &self.source[value.clone()]);
            name.eq_ignore_ascii_case(b"hidden") || name.eq_ignore_ascii_case(b"style") && hides(value)
        };
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
        name.len() <= LONGEST
            && !self.reading.is_xml()
            && (is(b"template") || attributes.iter().any(hides))
            && !VOID.into_iter().any(is)
    }

    /// Notes an end tag.
    pub(super) fn close_enclosing(&mut self, tag: &Tag) {
        let name = &self.source[tag.name.clone()];
        let end = self.text.bytes.len();
        if let Some(hidden) = close(&mut self.hidden, name) {
            self.roles.add(hidden.text..end, Role::Resource);
            self.links.hide(hidden.links..self.links.elements());
        }
        if let Some(quotation) = close(&mut self.quotation, name) {
            self.roles.add_quotation(quotation.text..end);
        }
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
