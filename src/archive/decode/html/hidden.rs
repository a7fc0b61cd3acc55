//! Elements that a browser does not show: `hidden`, `display:none`, `visibility:hidden`, `<template>`.
//!
//! Their links cannot be followed, and their text is not read, so both are resources to a reader. An element
//! without its end tag hides nothing: where it ends is a matter of what follows.

use super::HtmlReader;
use super::tag::{Attribute, Tag};
use crate::archive::role::Role;

/// The element that is not shown, from its start tag on.
#[derive(Debug)]
pub(super) struct Hidden {
    name: Box<[u8]>,
    /// How many elements of this name are open.
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

impl HtmlReader<'_> {
    /// Notes a start tag, before which there are `links` elements with links.
    pub(super) fn open_hidden(&mut self, tag: &Tag, attributes: &[Attribute], links: usize) {
        let name = &self.source[tag.name.clone()];
        if let Some(hidden) = &mut self.hidden {
            hidden.open += usize::from(name.eq_ignore_ascii_case(&hidden.name));
        } else if self.is_hidden(name, attributes) {
            self.hidden = Some(Hidden { name: name.into(), open: 1, text: self.text.bytes.len(), links });
        }
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
    pub(super) fn close_hidden(&mut self, tag: &Tag) {
        let name = &self.source[tag.name.clone()];
        let Some(hidden) = self.hidden.as_mut().filter(|hidden| name.eq_ignore_ascii_case(&hidden.name))
        else {
            return;
        };
        hidden.open -= 1;
        if hidden.open == 0 {
            self.roles.add(hidden.text..self.text.bytes.len(), Role::Resource);
            self.links.hide(hidden.links..self.links.elements());
            self.hidden = None;
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
