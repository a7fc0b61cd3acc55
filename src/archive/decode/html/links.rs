//! The links in a source, in the order of its elements.

use std::ops::Range;

use crate::archive::mapped::Mapped;
use crate::archive::role::Role;
use crate::archive::source_map::{self, Decoded, SourceMap};
use crate::bytes::large;

/// URLs in attributes.
///
/// A page can consist only of links of two bytes each. So all values share one buffer and one map,
/// and a link takes only two or three more bytes for its codes.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// The concatenated values, with decoded references.
    values: Decoded,
    /// For each link, the length of its value and whether its element is the next one, then the number
    /// of its origin.
    codes: Vec<u8>,
    origins: Vec<LinkOrigin>,
    elements: Vec<LinkElement>,
    /// The element that the next link belongs to, if it has no other.
    next: Option<LinkElement>,
    /// The labels that replace the content of some elements, in their order.
    labels: Vec<Label>,
    /// The images in the content of some elements, in their order.
    pictures: Vec<Picture>,
    /// The `rel` values of some elements, in their order.
    rels: Vec<Label>,
    /// Elements that are not shown, in their order.
    hidden: Vec<Range<usize>>,
}

/// The number of origins that keep the names of their elements. Only a page that was constructed
/// for it has more.
const MAX_NAMED: usize = 64;

/// The common properties of the links in one attribute of one element.
#[derive(Debug, PartialEq, Eq)]
struct LinkOrigin {
    /// The element and attribute, such as `a@href`; empty without names.
    name: Box<str>,
    role: Role,
    kind: LinkKind,
}

impl LinkOrigin {
    fn place(&self) -> LinkSource<'_> {
        let (element, attribute) = self.name.split_once('@').unwrap_or((&self.name, ""));
        LinkSource {
            element: element.as_bytes(),
            attribute: attribute.as_bytes(),
            role: self.role,
            kind: self.kind,
        }
    }
}

/// The origin of a link that has not been added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkSource<'n> {
    /// The names of the element and the attribute, as they are written. Empty if the link is in a
    /// text.
    pub(crate) element: &'n [u8],
    pub(crate) attribute: &'n [u8],
    pub(crate) role: Role,
    pub(crate) kind: LinkKind,
}

impl<'n> LinkSource<'n> {
    /// The content of an element, or a position without names.
    pub(crate) const fn of(element: &'n [u8], role: Role, kind: LinkKind) -> Self {
        LinkSource { element, attribute: b"", role, kind }
    }

    /// The longest name of an element or an attribute that is kept, in bytes.
    const LONGEST: usize = 64;

    fn is(&self, origin: &LinkOrigin) -> bool {
        let (name, len) = (origin.name.as_bytes(), self.element.len());
        (origin.role, origin.kind) == (self.role, self.kind)
            && name.len() == len + usize::from(!self.attribute.is_empty()) + self.attribute.len()
            && name[..len].eq_ignore_ascii_case(self.element)
            && name[name.len() - self.attribute.len()..].eq_ignore_ascii_case(self.attribute)
    }

    fn name(&self) -> Box<str> {
        let between: &[u8] = if self.attribute.is_empty() { b"" } else { b"@" };
        let mut name = [self.element, between, self.attribute].concat();
        name.make_ascii_lowercase();
        String::from_utf8(name).unwrap_or_default().into()
    }
}

/// A label that replaces the content of an empty element, or its `rel`.
#[derive(Debug)]
struct Label {
    elements: Range<usize>,
    text: Box<[u8]>,
}

/// An image with an `alt`, in the content of elements with links.
#[derive(Debug)]
pub(crate) struct Picture {
    elements: Range<usize>,
    /// The position of the image in the text.
    at: u32,
    /// The description, with decoded references.
    pub(crate) alt: Box<[u8]>,
}

impl Picture {
    pub(crate) fn at(&self) -> usize {
        self.at as usize
    }
}

/// The position of an element with links, as offsets in the text.
#[derive(Clone, Copy, Debug, Default)]
struct LinkElement {
    /// The start of the element.
    at: u32,
    /// The end of its content.
    content_end: u32,
}

/// A URL in an HTML attribute.
///
/// The URL may be relative, or not valid.
#[derive(Clone, Copy, Debug)]
pub struct Link<'t> {
    values: &'t Decoded,
    /// The range of its value in the values.
    range: (usize, usize),
    /// The text that it is a link of, unless that is still being read.
    mapped: Option<&'t Mapped<'t>>,
    element: LinkElement,
    origin: &'t LinkOrigin,
    label: &'t [u8],
    pictures: &'t [Picture],
    rel: &'t [u8],
    hidden: bool,
}

/// The kind of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkKind {
    /// A URL, or a reference that is relative to another URL.
    Reference,
    /// A URL.
    Url,
    /// A text that may contain URLs.
    Text,
}

impl Links {
    /// No links of `source` yet: see [`Decoded::of`].
    pub(crate) fn of(source: &[u8], offsets: bool) -> Links {
        Links { values: Decoded::of(source, offsets), ..Links::default() }
    }

    /// Begins an element at `at` of the text, without content, to which the next links belong.
    /// Larger offsets are stored as 4 GiB.
    pub(crate) fn begin(&mut self, at: usize) {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        self.next = Some(LinkElement { at, content_end: at });
    }

    /// Adds a link to the element that has begun.
    pub(crate) fn push(&mut self, url: &Decoded, place: LinkSource<'_>) {
        self.add(url.bytes.len(), place);
        self.values.append_part(url, 0..url.bytes.len());
    }

    /// Adds the bytes at `range` of the source as a link to the element that has begun.
    pub(crate) fn push_verbatim(&mut self, source: &[u8], range: Range<usize>, place: LinkSource<'_>) {
        self.add(range.len(), place);
        self.values.copy(source, range);
    }

    fn add(&mut self, len: usize, place: LinkSource<'_>) {
        // Names that are too long are not repeated.
        let is_short = [place.element, place.attribute].iter().all(|name| name.len() <= LinkSource::LONGEST);
        let unnamed = || LinkSource::of(b"", place.role, place.kind);
        let origin = self.origin(if is_short { place } else { unnamed() });
        let next = self.next.take();
        large::prepare(&mut self.codes, 2 * source_map::MAX_NUMBER_LEN);
        source_map::push_number(&mut self.codes, (len << 1 | usize::from(next.is_some())) as u64);
        source_map::push_number(&mut self.codes, origin as u64);
        large::prepare(&mut self.elements, 1);
        self.elements.extend(next);
    }

    /// The number of the origin of links in `place`.
    fn origin(&mut self, place: LinkSource<'_>) -> usize {
        let place = match self.origins.iter().position(|origin| place.is(origin)) {
            Some(number) => return number,
            None if self.origins.len() < MAX_NAMED => place,
            None => LinkSource::of(b"", place.role, place.kind),
        };
        self.origins.iter().position(|origin| place.is(origin)).unwrap_or_else(|| {
            self.origins.push(LinkOrigin { name: place.name(), role: place.role, kind: place.kind });
            self.origins.len() - 1
        })
    }

    /// Adds the links of a document in these bytes of the source. Its text begins at `at` of the
    /// text.
    pub(super) fn append(&mut self, other: &Links, at: usize, document: &Decoded) {
        let first = self.elements.len();
        let moved = |at_other: u32| u32::try_from(at_other as usize + at).unwrap_or(u32::MAX);
        let within = |elements: &Range<usize>| first + elements.start..first + elements.end;
        let mut elements = other.elements.iter();
        for (n, link) in other.iter_numbered() {
            if self.elements.len() < first + n {
                let element = elements.next().copied().unwrap_or_default();
                self.next =
                    Some(LinkElement { at: moved(element.at), content_end: moved(element.content_end) });
            }
            self.push(&link.decoded().through(document), link.origin.place());
        }
        let label = |label: &Label| Label { elements: within(&label.elements), text: label.text.clone() };
        self.labels.extend(other.labels.iter().map(label));
        self.rels.extend(other.rels.iter().map(label));
        self.pictures.extend(other.pictures.iter().map(|picture| Picture {
            elements: within(&picture.elements),
            at: moved(picture.at),
            alt: picture.alt.clone(),
        }));
        self.hidden.extend(other.hidden.iter().map(within));
    }

    /// Adds the links of a document at `at` of this text. Its `text` is not part of this one, so
    /// the text that it shows for a link becomes the link's label.
    pub(super) fn append_apart(&mut self, other: &Links, text: &[u8], at: usize, document: &Decoded) {
        let mut elements = 0;
        for (n, link) in other.iter_numbered() {
            let is_next = std::mem::replace(&mut elements, n) < n;
            if is_next {
                self.begin(at);
            }
            self.push(&link.decoded().through(document), link.place());
            if is_next {
                let element = self.elements.len() - 1..self.elements.len();
                self.set_label(element.clone(), link.shown(text));
                self.set_rel(element, link.rel.to_vec());
            }
        }
    }

    /// The number of elements with links.
    pub(crate) fn elements(&self) -> usize {
        self.elements.len()
    }

    /// Ends the content of these elements at `end` of the text.
    pub(crate) fn set_content(&mut self, elements: Range<usize>, end: usize) {
        let content_end = u32::try_from(end).unwrap_or(u32::MAX);
        let elements = self.elements.get_mut(elements).unwrap_or_default();
        elements.iter_mut().for_each(|element| element.content_end = content_end);
    }

    /// Sets the label that a reader sees if these elements contain only spaces. Elements in the
    /// content of an anchor may have a label before the anchor has one.
    pub(crate) fn set_label(&mut self, elements: Range<usize>, label: Vec<u8>) {
        if !elements.is_empty() && !label.is_empty() {
            let at = self.labels.partition_point(|label| label.elements.start < elements.start);
            self.labels.insert(at, Label { elements, text: label.into() });
        }
    }

    /// Adds an image at `at` of the text to the content of these elements, which come after all others with
    /// images or are the last of them.
    pub(crate) fn add_picture(&mut self, elements: Range<usize>, at: usize, alt: Vec<u8>) {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        self.pictures.push(Picture { elements, at, alt: alt.into() });
    }

    /// Sets the `rel` of these elements, which come after all others with a `rel`.
    pub(crate) fn set_rel(&mut self, elements: Range<usize>, rel: Vec<u8>) {
        if !elements.is_empty() && !rel.is_empty() {
            self.rels.push(Label { elements, text: rel.into() });
        }
    }

    /// Hides these elements, which come after all other hidden ones.
    pub(crate) fn hide(&mut self, elements: Range<usize>) {
        if !elements.is_empty() {
            self.hidden.push(elements);
        }
    }

    /// Moves the elements to the current positions of the text's bytes.
    pub(super) fn move_elements(&mut self, moved: impl Fn(usize) -> usize) {
        // `u32::MAX` stands for any offset beyond 4 GiB, and stays `u32::MAX`.
        let moved = |at: u32| u32::try_from(moved(at as usize)).unwrap_or(u32::MAX);
        for element in &mut self.elements {
            *element = LinkElement { at: moved(element.at), content_end: moved(element.content_end) };
        }
        for picture in &mut self.pictures {
            picture.at = moved(picture.at);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The links, each with the number of elements up to its own.
    fn iter_numbered(&self) -> impl Iterator<Item = (usize, Link<'_>)> {
        let mut links = self.iter();
        std::iter::from_fn(move || links.next().map(|link| (links.elements, link)))
    }

    pub(crate) fn iter(&self) -> LinkIter<'_> {
        let Links { codes, labels, pictures, rels, hidden, .. } = self;
        LinkIter { links: self, mapped: None, codes, labels, pictures, rels, hidden, elements: 0, values: 0 }
    }

    /// The links of this text.
    pub(crate) fn iter_in<'l>(&'l self, text: &'l Mapped<'l>) -> LinkIter<'l> {
        LinkIter { mapped: Some(text), ..self.iter() }
    }
}

/// An iterator over links.
#[derive(Clone, Debug)]
pub(crate) struct LinkIter<'l> {
    links: &'l Links,
    mapped: Option<&'l Mapped<'l>>,
    /// The codes of the next links.
    codes: &'l [u8],
    /// The labels of the elements from the current one on.
    labels: &'l [Label],
    /// The images of the elements from the current one on.
    pictures: &'l [Picture],
    /// The `rel` values of elements, from the current one on.
    rels: &'l [Label],
    /// The elements that are not shown, from the current one on.
    hidden: &'l [Range<usize>],
    /// The number of elements, and the end of the values, before them.
    elements: usize,
    values: usize,
}

impl<'l> Iterator for LinkIter<'l> {
    type Item = Link<'l>;

    fn next(&mut self) -> Option<Link<'l>> {
        let code = source_map::pull_number(&mut self.codes)?;
        let origin = source_map::pull_number(&mut self.codes)?;
        self.elements += code & 1;
        let start = self.values;
        self.values += code >> 1;
        let element = self.elements.checked_sub(1);
        let of = |labels: &mut &'l [Label]| {
            let own = of_element(labels, element?, |label: &Label| &label.elements);
            Some(&*own.first()?.text)
        };
        Some(Link {
            values: &self.links.values,
            range: (start, self.values),
            mapped: self.mapped,
            element: element.map(|n| self.links.elements[n]).unwrap_or_default(),
            origin: &self.links.origins[origin],
            label: of(&mut self.labels).unwrap_or_default(),
            pictures: element
                .map_or(&[], |element| of_element(&mut self.pictures, element, |picture| &picture.elements)),
            rel: of(&mut self.rels).unwrap_or_default(),
            hidden: element
                .is_some_and(|element| !of_element(&mut self.hidden, element, |hidden| hidden).is_empty()),
        })
    }
}

/// The items that are of an element; no earlier element follows, so the items of earlier ones are dropped.
fn of_element<'l, T>(items: &mut &'l [T], element: usize, elements: fn(&T) -> &Range<usize>) -> &'l [T] {
    let passed = items.iter().take_while(|item| elements(item).end <= element).count();
    *items = &items[passed..];
    let own = items.iter().take_while(|item| elements(item).contains(&element)).count();
    &items[..own]
}

impl<'t> Link<'t> {
    /// Returns the value of the attribute, with decoded references.
    pub fn as_bytes(&self) -> &'t [u8] {
        &self.values.bytes[self.range.0..self.range.1]
    }

    /// Returns the ranges of the file that encode `range` of the value, in order.
    pub fn sources(&self, range: Range<usize>) -> Vec<Range<u64>> {
        let (map, range) = self.map(range);
        self.mapped.map_or_else(Vec::new, |mapped| mapped.sources_of_other_output(map, range))
    }

    /// Returns the offset of its first byte in the input of the last decoder.
    pub(crate) fn before_decoder(&self) -> Option<usize> {
        let (map, range) = self.map(0..1);
        map.parts(range).next().map(|(_, source)| source.start)
    }

    /// The map from all values, and the part of them that corresponds to `range` of this value.
    pub(crate) fn map(&self, range: Range<usize>) -> (&'t SourceMap, Range<usize>) {
        (&self.values.map, self.range.0 + range.start..self.range.0 + range.end)
    }

    /// Returns true if it may be relative.
    pub(crate) fn may_be_relative(&self) -> bool {
        self.kind() == LinkKind::Reference
    }

    /// Returns true if it is text that may have URLs, and not a URL as a whole.
    pub(crate) fn is_text(&self) -> bool {
        self.kind() == LinkKind::Text
    }

    /// Returns the text that a reader of the document with this `text` sees: the content with the
    /// texts of its images, or else the label.
    fn shown(&self, text: &[u8]) -> Vec<u8> {
        let Range { mut start, end } = self.content();
        let mut shown = Vec::new();
        for picture in self.pictures {
            let at = picture.at().clamp(start, end);
            shown.extend_from_slice(&text[start..at]);
            shown.extend_from_slice(&picture.alt);
            start = at;
        }
        shown.extend_from_slice(&text[start..end]);
        if shown.trim_ascii().is_empty() { self.label.to_vec() } else { shown }
    }

    /// The value and its source.
    pub(crate) fn decoded(&self) -> Decoded {
        self.values.slice(self.range.0..self.range.1)
    }

    /// Returns the offset in the text at which the element begins.
    pub fn at(&self) -> usize {
        self.element.at as usize
    }

    /// Returns the range of the text inside the attribute's anchor: up to its `</a>`, the next `<a>`, or the
    /// end. It is empty for other elements.
    pub fn content(&self) -> Range<usize> {
        self.at()..self.element.content_end as usize
    }

    /// Returns the label that a reader sees if the content is empty and contains no image with an
    /// `alt`: the `title` or `aria-label` of the anchor or of an image, or the `alt` of an image
    /// that only some media show. The label may be empty.
    pub fn label(&self) -> &'t [u8] {
        self.label
    }

    /// The images in the content, in their order.
    pub(crate) fn pictures(&self) -> &'t [Picture] {
        self.pictures
    }

    /// Returns the words of the element's HTML `rel` attribute in lower case, separated by spaces,
    /// such as `nofollow ugc`. Returns an empty slice without `rel`, or if it is longer than 200
    /// bytes.
    pub fn rel(&self) -> &'t [u8] {
        self.rel
    }

    pub(crate) fn kind(&self) -> LinkKind {
        self.origin.kind
    }

    /// Returns the role of the link. A reader cannot follow a hidden link or see its images.
    pub fn role(&self) -> Role {
        match self.origin.role {
            Role::Link if self.hidden => Role::Resource,
            Role::Image if self.hidden && self.origin.name.starts_with("img@") => Role::Tracker,
            role => role,
        }
    }

    /// Returns the element and the attribute, in lower case: `a@href`, or `style` for a style sheet.
    /// Returns `None` outside of HTML and XML, and if the element's name is longer than 64 bytes or is not
    /// among the first 64 names of its page.
    pub fn element(&self) -> Option<&'t str> {
        Some(&*self.origin.name).filter(|name| !name.is_empty())
    }

    /// Returns its origin.
    pub(crate) fn place(&self) -> LinkSource<'t> {
        LinkSource { role: self.role(), ..self.origin.place() }
    }
}
