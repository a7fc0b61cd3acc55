//! The attributes that hold URLs.
//!
//! These are the attributes whose value, in the index of the HTML standard, is a URL, a list of
//! URLs or a set of source candidates; the attributes of HTML 4 and its predecessors (`background`,
//! `codebase`, `longdesc`, `profile`, …); `xlink:href`; attributes from which scripts load images
//! (`data-src`, `data-srcset`, `data-href`); and attributes in which mail programs keep a link that
//! they have replaced. `style` contains `url(…)`, `srcdoc` a document with its own links, and the
//! `content` of a `meta` may be a URL (`og:image`). The element does not decide whether a value is
//! a URL, because no element uses one of these names for a value that only resembles a URL. It
//! decides the role of the URL: `<a>` and `<area>` contain links.
//!
//! The value of any other attribute is a URL if it does not contain a space, and otherwise a text
//! that may contain URLs. Its role is resource, because such URLs name vocabularies or namespaces,
//! or are read by scripts. Each XML document uses its own names, and some attributes contain email
//! addresses.
//!
//! The references in a value are decoded. Then, as in the URL standard, control characters and
//! spaces are removed from its ends, and tabs and line breaks everywhere.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem};

use super::PageText;
use super::links::{LinkKind, LinkSource};
use super::reference::{self, ReferenceIn};
use super::tag::{Attribute, Element, is_space, skip};
use crate::archive::header::{begins_with, ends_with, is_one_of, lower};
use crate::archive::role::Role;
use crate::archive::source_map::Decoded;

/// The URLs that a value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    One,
    /// Any number, separated by whitespace, with or without a comma before it.
    List,
    /// Candidates separated by commas, each with its size.
    Candidates,
    /// A text that may be a URL, or contain URLs.
    Text,
    /// The names of schemas and namespaces.
    Names,
    /// A text that may be a URL, or contain URLs, in a tag that redirects.
    Content,
    /// A number of seconds, then a URL.
    Refresh,
    /// Declarations of CSS.
    Style,
}

/// The attributes with one name: their content, the kind of URL in them, and its role, unless the
/// element determines another.
#[derive(Clone, Copy, Debug)]
struct AttributeRow {
    holds: Holds,
    kind: LinkKind,
    role: Role,
}

impl AttributeRow {
    const REFRESH: AttributeRow =
        AttributeRow { holds: Holds::Refresh, kind: LinkKind::Reference, role: Role::Link };

    /// The attribute of this name, if it holds URLs in HTML.
    fn of(name: &[u8]) -> Option<AttributeRow> {
        let (holds, kind, role) = match lower(name, &mut [0; LONGEST])? {
            b"href" | b"xlink:href" | b"data-href" => (Holds::One, LinkKind::Reference, Role::Link),
            // The original URL, which Outlook and Gmail keep next to the rewritten link.
            b"originalsrc" | b"data-saferedirecturl" => (Holds::One, LinkKind::Url, Role::Resource),
            b"src" | b"cite" | b"longdesc" | b"pluginspage" => {
                (Holds::One, LinkKind::Reference, Role::Resource)
            }
            b"data-src" | b"data-original" | b"poster" | b"background" | b"lowsrc" | b"dynsrc" => {
                (Holds::One, LinkKind::Reference, Role::Image)
            }
            b"icon" => (Holds::One, LinkKind::Url, Role::Image),
            b"action" | b"formaction" => (Holds::One, LinkKind::Reference, Role::FormAction),
            b"data" | b"profile" | b"manifest" | b"codebase" => (Holds::One, LinkKind::Url, Role::Resource),
            b"ping" => (Holds::List, LinkKind::Reference, Role::Resource),
            // An applet's archives are relative to its codebase.
            b"archive" => (Holds::List, LinkKind::Url, Role::Resource),
            b"srcset" | b"imagesrcset" | b"data-srcset" => {
                (Holds::Candidates, LinkKind::Reference, Role::Image)
            }
            b"content" => (Holds::Content, LinkKind::Url, Role::Resource),
            b"style" => (Holds::Style, LinkKind::Reference, Role::Image),
            _ => return None,
        };
        Some(AttributeRow { holds, kind, role })
    }

    /// An attribute without a meaning in HTML. In XML, it may be a URL or a text.
    fn unknown(name: &[u8], xml: bool) -> AttributeRow {
        let is_schema = name.starts_with(b"xmlns") || ends_with(name, b"schemalocation");
        let role = if xml && !is_schema && is_link(name) { Role::Link } else { Role::Resource };
        AttributeRow { holds: if is_schema { Holds::Names } else { Holds::Text }, kind: LinkKind::Url, role }
    }

    /// Returns the role of a URL in this attribute of `element`.
    fn role_in(self, element: &[u8], xml: bool) -> Role {
        match (self.role, lower(element, &mut [0; LONGEST])) {
            (Role::Link, Some(b"image" | b"feimage")) => Role::Image,
            (Role::Link, Some(b"base" | b"use")) => Role::Resource,
            (Role::Link, _) if xml => Role::Link,
            // Browsers do not follow the same attribute of other elements.
            (Role::Link, Some(b"a" | b"area" | b"meta")) => Role::Link,
            (Role::Link, _) => Role::Resource,
            (
                Role::Resource,
                Some(b"img" | b"image" | b"input" | b"source" | b"v:fill" | b"v:imagedata" | b"amp-img"),
            ) => Role::Image,
            (role, _) => role,
        }
    }
}

/// Returns true if an element or an XML attribute has a name of those whose content is an address:
/// `link`,
/// `xmlUrl`, `loc`.
pub(super) fn is_address(name: &[u8]) -> bool {
    ends_with_any(name, &[b"url", b"uri", b"href", b"link"])
        || is_one_of(name, &[b"loc", b"comments", b"guid"])
}

/// Returns true if an XML attribute has a name of those that contain links.
fn is_link(name: &[u8]) -> bool {
    is_address(name) || ends_with_any(name, &[b"src", b"target", b"location"])
}

fn ends_with_any(name: &[u8], ends: &[&[u8]]) -> bool {
    ends.iter().any(|end| ends_with(name, end))
}

/// Longer than any known attribute name, which has at most 20 letters: two vectors, so that all
/// letters are converted at once.
const LONGEST: usize = 32;

/// Calls `each` with every URL in the attributes of a tag, and with each text that may contain URLs. Relative URLs are
/// skipped unless they are requested.
pub(super) fn urls<'s>(
    source: &'s [u8],
    element: &'s [u8],
    attributes: &[Attribute],
    reading: PageText,
    mut each: impl FnMut(Decoded, LinkSource<'s>),
) {
    let is = |range: &Range<usize>, text: &[u8]| source[range.clone()].eq_ignore_ascii_case(text);
    let refreshes = attributes
        .iter()
        .any(|attribute| is(&attribute.name, b"http-equiv") && is(&attribute.value, b"refresh"));
    let mut has_link = false;
    for Attribute { name, value } in attributes {
        let name = &source[name.clone()];
        let row = match AttributeRow::of(name) {
            Some(row) if refreshes && row.holds == Holds::Content => AttributeRow::REFRESH,
            Some(row) => {
                // Scripts and frames are resources in XML as well.
                let may_be_link = || is_link(name) && Element::of(element) != Element::Hidden;
                let role = match (row.role, row.role_in(element, reading.is_xml())) {
                    (Role::Resource, Role::Resource) if reading.is_data() && may_be_link() => Role::Link,
                    (_, role) => role,
                };
                AttributeRow { role, ..row }
            }
            None if reading.nests && name.eq_ignore_ascii_case(SRCDOC) => continue,
            None => AttributeRow::unknown(name, reading.is_xml()),
        };
        // If an attribute occurs twice, the first one counts.
        let is_second = row.role == Role::Link && !reading.is_xml() && std::mem::replace(&mut has_link, true);
        let row = if is_second { AttributeRow { role: Role::Resource, ..row } } else { row };
        let place = LinkSource { element, attribute: name, role: row.role, kind: row.kind };
        let relative = reading.wanted.relative && row.kind == LinkKind::Reference;
        row.holds.urls(source, value.clone(), reading.with_relative(relative), |url, found| {
            // URLs in an action of the browser are not the target of the link.
            let may_be_program = matches!(url.bytes.first(), Some(b'j' | b'J'));
            let is_program = may_be_program && begins_with(&url.bytes, b"javascript:");
            let found = if is_program { ValueContent::Text } else { found };
            let place = match found {
                ValueContent::Url(role) => LinkSource { role: role.unwrap_or(row.role), ..place },
                ValueContent::Text => {
                    // The elements that a program shows are unknown.
                    let is_shown = row.holds == Holds::Text && reading.is_data();
                    let role = if is_shown { Role::Text } else { Role::Resource };
                    LinkSource { role, kind: LinkKind::Text, ..place }
                }
            };
            // A URL that begins with the host uses the scheme of the page. Browsers treat a backslash as a slash.
            let is_of_any_scheme = || matches!(&*url.bytes, [b'/' | b'\\', b'/' | b'\\', ..]);
            let may_be = url.bytes.contains(&b':') || relative || is_of_any_scheme();
            if may_be && reading.wants(place.role) {
                each(url, place);
            }
        });
    }
}

/// The content of a value.
#[derive(Clone, Copy, Debug)]
enum ValueContent {
    /// A URL, and its role if that depends on more than the attribute.
    Url(Option<Role>),
    /// A text that may contain URLs: the text between URLs, or the whole text.
    Text,
}

/// The URL in an attribute outside of its tag, with decoded references, and its source.
pub(crate) fn attribute_of<'n>(
    element: &'n [u8],
    attribute: &'n [u8],
    value: &Decoded,
) -> (Decoded, LinkSource<'n>) {
    let unknown = AttributeRow { holds: Holds::One, kind: LinkKind::Reference, role: Role::Resource };
    let row = AttributeRow::of(attribute).unwrap_or(unknown);
    let place = LinkSource { element, attribute, role: row.role_in(element, false), kind: row.kind };
    (stripped(value, 0..value.bytes.len()), place)
}

impl Holds {
    /// Calls `each` with the content of a value.
    fn urls(
        self,
        source: &[u8],
        value: Range<usize>,
        reading: PageText,
        mut each: impl FnMut(Decoded, ValueContent),
    ) {
        let bytes = &source[value.clone()];
        match self {
            // Most links in an archive lack a colon, and so a scheme.
            Holds::One
                if !reading.wanted.relative
                    && memchr3(b':', b'&', b'/', bytes).is_none()
                    && memchr(b'\\', bytes).is_none() => {}
            Holds::Text | Holds::Names | Holds::Content if memchr2(b':', b'&', bytes).is_none() => {}
            Holds::Style if memchr(if reading.wanted.resources { b':' } else { b'(' }, bytes).is_none() => {}
            Holds::One => each(whole(source, value), ValueContent::Url(None)),
            Holds::Text | Holds::Names | Holds::Content => {
                match bytes.trim_ascii().iter().any(|&b| b <= b' ') {
                    true => each(decoded(source, value), ValueContent::Text),
                    false => each(whole(source, value), ValueContent::Url(None)),
                }
            }
            Holds::Refresh => pieces(&decoded(source, value), reading, refresh, each),
            Holds::List => pieces(&decoded(source, value), reading, list, each),
            Holds::Candidates => pieces(&decoded(source, value), reading, candidates, each),
            Holds::Style => pieces(&whole(source, value), reading, css_urls, each),
        }
    }
}

/// Reads the URLs in a value, in order, and calls `each` with the range of each, and its role if
/// that depends on more than the attribute.
type ReadUrls = fn(&[u8], &mut dyn FnMut(Range<usize>, Option<Role>));

/// Calls `each` with the URLs in a value, and with the text between them.
fn pieces(value: &Decoded, reading: PageText, read: ReadUrls, mut each: impl FnMut(Decoded, ValueContent)) {
    let mut seen = 0;
    let text = |range: Range<usize>, each: &mut dyn FnMut(Decoded, ValueContent)| {
        if reading.wanted.resources && memchr(b':', &value.bytes[range.clone()]).is_some() {
            each(value.slice(range), ValueContent::Text);
        }
    };
    read(&value.bytes, &mut |url, role| {
        text(seen..url.start, &mut each);
        seen = url.end;
        each(stripped(value, url), ValueContent::Url(role));
    });
    text(seen..value.bytes.len(), &mut each);
}

/// Returns true if links are relative to a `<base>` with this value.
pub(super) fn may_be_base(url: &[u8]) -> bool {
    let scheme = |name: &[u8]| begins_with(url, name);
    !url.is_empty() && !scheme(b"data:") && !scheme(b"javascript:")
}

/// The frame attribute that contains a document.
const SRCDOC: &[u8] = b"srcdoc";

/// The documents in a tag's attributes.
pub(super) fn documents(source: &[u8], attributes: &[Attribute]) -> impl Iterator<Item = Decoded> {
    let is_document = |attribute: &&Attribute| source[attribute.name.clone()].eq_ignore_ascii_case(SRCDOC);
    let documents = attributes.iter().filter(is_document);
    documents.map(|document| decoded(source, document.value.clone()))
}

/// A value of any length, with decoded references.
pub(super) fn decoded(source: &[u8], value: Range<usize>) -> Decoded {
    let within = &source[..value.end];
    let mut decoded = Decoded::default();
    let mut at = value.start;
    for amp in memchr_iter(b'&', &source[value.clone()]).map(|n| value.start + n) {
        if let Some(character) = reference::read(within, amp, ReferenceIn::Value) {
            decoded.copy(source, at..amp);
            decoded.put(character.as_bytes(), amp..character.end);
            at = character.end;
        }
    }
    decoded.copy(source, at..value.end);
    decoded
}

/// Returns true if a link, or the text that replaces its content, may depend on an attribute of
/// this name.
pub(super) fn is_read(name: &[u8]) -> bool {
    AttributeRow::of(name).is_some()
        || is_one_of(name, &[SRCDOC, b"http-equiv", b"hidden", b"open", b"media", b"rel"])
        || rank(name).is_some()
}

/// Returns true if an attribute limits an image to at most one pixel in this direction.
pub(super) fn is_dot(name: &[u8], value: &[u8]) -> bool {
    is_pixel(value) && is_one_of(name, &SIDES)
}

/// The sides of an image.
pub(super) const SIDES: [&[u8]; 2] = [b"width", b"height"];

/// Returns true if a length is at most one pixel.
pub(super) fn is_pixel(length: &[u8]) -> bool {
    let length = length.trim_ascii();
    let digits = length.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, unit) = length.split_at(digits);
    matches!(digits, b"0" | b"1" | b"00" | b"01") && is_one_of(unit, &[b"", b"px", b"pt"])
        || digits == b"0" && unit == b"%"
}

/// The attribute of this name.
fn named<'a>(source: &[u8], attributes: &'a [Attribute], name: &[u8]) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| source[attribute.name.clone()].eq_ignore_ascii_case(name))
}

/// The value of the attribute of this name, as written.
pub(super) fn value_of<'s>(source: &'s [u8], attributes: &[Attribute], name: &[u8]) -> Option<&'s [u8]> {
    named(source, attributes, name).map(|attribute| &source[attribute.value.clone()])
}

/// Returns true if a name may contain a URL, because someone wrote a tag by mistake: `<p
/// mailto:a@h.org>`.
pub(super) fn may_have_url(name: &[u8]) -> bool {
    let rest = memchr(b':', name).map(|colon| &name[colon + 1..]);
    rest.is_some_and(|rest| rest.iter().any(|b| matches!(b, b':' | b'@' | b'?')))
}

/// Returns true if an attribute determines which style sheet rules apply to its element.
pub(super) fn selects(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"class") || name.eq_ignore_ascii_case(b"id")
}

/// The maximum length of `rel` that is kept, in bytes: all meaningful values are shorter.
const LONGEST_REL: usize = 200;

/// The words of `rel`, in lower case, with a space between them; empty without words, or if they
/// are too long.
pub(super) fn rel(source: &[u8], attributes: &[Attribute]) -> Vec<u8> {
    let Some(rel) = named(source, attributes, b"rel") else { return Vec::new() };
    rel_of(&decoded(source, rel.value.clone()).bytes)
}

/// The words in a value of `rel`, with decoded references.
pub(crate) fn rel_of(value: &[u8]) -> Vec<u8> {
    let value = value.to_ascii_lowercase();
    let words: Vec<&[u8]> = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let words = words.join(&b' ');
    if words.len() > LONGEST_REL { Vec::new() } else { words }
}

/// The attributes that replace a missing link text, the best last.
const LABELS: [&[u8]; 3] = [b"aria-label", b"title", b"alt"];

/// The index of this attribute name among these.
fn rank(name: &[u8]) -> Option<usize> {
    LABELS.iter().position(|label| label.eq_ignore_ascii_case(name))
}

/// Returns the label that these attributes contain instead of a text: the value of the best
/// attribute with a value, and its rank. A link does not have an `alt`.
pub(super) fn label(source: &[u8], attributes: &[Attribute], is_link: bool) -> Option<(usize, Vec<u8>)> {
    let labels = attributes.iter().filter_map(|Attribute { name, value }| {
        let name = &source[name.clone()];
        let rank = rank(name).filter(|_| !is_link || !name.eq_ignore_ascii_case(b"alt"))?;
        let is_blank = source[value.clone()].trim_ascii().is_empty();
        (!is_blank).then_some((rank, value))
    });
    let (rank, value) = labels.max_by_key(|&(rank, _)| rank)?;
    let end = value.end.min(value.start + MAX_LABEL_LEN);
    Some((rank, decoded(source, value.start..end).bytes))
}

/// The `alt` among these attributes, with decoded references; `None` if it contains only spaces.
pub(super) fn alt(source: &[u8], attributes: &[Attribute]) -> Option<Vec<u8>> {
    let Range { start, end } = named(source, attributes, b"alt")?.value.clone();
    let alt = decoded(source, start..end.min(start + MAX_LABEL_LEN)).bytes;
    (!alt.trim_ascii().is_empty()).then_some(alt)
}

/// The maximum length of a label that is read, in bytes. It is longer than the part that is shown.
const MAX_LABEL_LEN: usize = 1024;

/// A value that is one URL.
pub(super) fn whole(source: &[u8], value: Range<usize>) -> Decoded {
    let range = trimmed(&source[value.clone()]);
    let whole = decoded(source, value.start + range.start..value.start + range.end);
    // A reference may stand for a space.
    let outer = [whole.bytes.first(), whole.bytes.last()];
    if memchr3(b'\r', b'\n', b'\t', &whole.bytes).is_some() || outer.iter().flatten().any(|&&b| b <= b' ') {
        return stripped(&whole, 0..whole.bytes.len());
    }
    whole
}

/// The range of a value without the control characters and spaces at its ends.
fn trimmed(raw: &[u8]) -> Range<usize> {
    let start = raw.iter().take_while(|&&b| b <= b' ').count();
    start..raw.len() - raw[start..].iter().rev().take_while(|&&b| b <= b' ').count()
}

/// The URL at `range` of a value, without the bytes that the URL standard removes.
fn stripped(value: &Decoded, range: Range<usize>) -> Decoded {
    let raw = &value.bytes[range.clone()];
    let inner = trimmed(raw);
    let mut at = range.start + inner.start;
    let mut url = Decoded::default();
    for piece in raw[inner].split(|b| matches!(b, b'\t' | b'\n' | b'\r')) {
        url.append_part(value, at..at + piece.len());
        at += piece.len() + 1;
    }
    url
}

/// Whitespace separates the URLs of a list, with or without commas before it.
fn list(value: &[u8], each: &mut dyn FnMut(Range<usize>, Option<Role>)) {
    let mut at = 0;
    for word in value.split(|&b| is_space(b)) {
        each(at..at + without_commas(word), None);
        at += word.len() + 1;
    }
}

/// The length of a word without the commas at its end.
fn without_commas(word: &[u8]) -> usize {
    word.len() - word.iter().rev().take_while(|&&b| b == b',').count()
}

/// The URLs in a `srcset`, as in "Parse a srcset attribute".
fn candidates(bytes: &[u8], each: &mut dyn FnMut(Range<usize>, Option<Role>)) {
    let mut at = 0;
    loop {
        at = skip(bytes, at, |b| is_space(b) || b == b',');
        let rest = &bytes[at..];
        if rest.is_empty() {
            return;
        }
        let len = rest.iter().position(|&b| is_space(b)).unwrap_or(rest.len());
        let bare = without_commas(&rest[..len]);
        each(at..at + bare, None);
        at += len;
        if bare == len {
            at += descriptor_len(&bytes[at..]);
        }
    }
}

/// The length of the size of a candidate, which ends at a comma outside of brackets.
fn descriptor_len(text: &[u8]) -> usize {
    let mut open = false;
    let ends = |&b: &u8| {
        open = b == b'(' || open && b != b')';
        b == b',' && !open
    };
    text.iter().position(ends).unwrap_or(text.len())
}

/// The URL in `0; url='http://h.org/'`: the standard's "shared declarative
/// refresh steps".
fn refresh(bytes: &[u8], each: &mut dyn FnMut(Range<usize>, Option<Role>)) {
    let mut at = skip(bytes, 0, is_space);
    at = skip(bytes, at, |b| b.is_ascii_digit() || b == b'.');
    at = skip(bytes, at, |b| is_space(b) || matches!(b, b';' | b','));
    if begins_with(&bytes[at..], b"url") {
        let equals = skip(bytes, at + 3, is_space);
        if bytes.get(equals) == Some(&b'=') {
            at = skip(bytes, equals + 1, is_space);
        }
    }
    let mut end = bytes.len();
    if let Some(quote @ (b'"' | b'\'')) = bytes.get(at) {
        at += 1;
        end = memchr(*quote, &bytes[at..]).map_or(end, |len| at + len);
    }
    each(at..end, None);
}

// The URLs in a style sheet: `url(…)` and the string after `@import` (CSS Syntax 3 §4.3.6, CSS
// Cascade 5 §2).
//
// Comments are skipped, and so is a URL with a backslash, which is a CSS escape.

/// Calls `each` with the range of every URL, and its role.
pub(super) fn css_urls(css: &[u8], each: &mut dyn FnMut(Range<usize>, Option<Role>)) {
    let mut at = 0;
    // True if every later comment is unclosed.
    let mut open = false;
    while let Some(n) = css.get(at..).and_then(|rest| memchr3(b'(', b'@', b'/', rest)) {
        let mark = at + n;
        at = mark + 1;
        match css[mark] {
            b'/' if !open && css.get(at) == Some(&b'*') => match memmem::find(&css[at + 1..], b"*/") {
                Some(len) => at += 1 + len + 2,
                None => open = true,
            },
            b'(' if is_url_function(&css[..mark]) => {
                let role = role_of_function(&css[..mark]);
                at = value(css, skip(css, at, is_space), b')', |url| each(url, Some(role)))
            }
            b'@' if begins_with(&css[at..], b"import") => {
                let start = skip(css, at + 6, is_space);
                if matches!(css.get(start), Some(b'"' | b'\'')) {
                    at = value(css, start, b';', |url| each(url, Some(Role::Resource)));
                }
            }
            _ => {}
        }
    }
}

/// Returns the role of a URL in a function that begins at the end of `before`: an image, unless it
/// belongs to a font or another style sheet.
fn role_of_function(before: &[u8]) -> Role {
    const NEAR: usize = 256;
    let near = &before[before.len().saturating_sub(NEAR)..];
    let start = near.iter().rposition(|b| matches!(b, b'{' | b'}' | b';')).map_or(0, |at| at + 1);
    let declaration = near[start..].trim_ascii_start();
    let is_source = begins_with(declaration, b"src") && declaration[3..].trim_ascii_start().starts_with(b":");
    if is_source || declaration.starts_with(b"@") { Role::Resource } else { Role::Image }
}

/// Returns true if `before` ends in the name of the function.
fn is_url_function(before: &[u8]) -> bool {
    let is_word = |&b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    ends_with(before, b"url") && !before[..before.len() - 3].last().is_some_and(is_word)
}

/// Reads the value at `start`, with or without quotation marks; returns where it ends.
fn value(css: &[u8], start: usize, close: u8, each: impl FnOnce(Range<usize>)) -> usize {
    let rest = &css[start..];
    let range = match rest.first() {
        Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &rest[1..]) {
            Some(len) => start + 1..start + 1 + len,
            None => return start + 1,
        },
        _ => match rest.iter().position(|&b| b == close || is_space(b)) {
            Some(len) => start..start + len,
            // No later value has an end.
            None => return css.len(),
        },
    };
    let url = &css[range.clone()];
    if !url.is_empty() && !url.iter().any(|b| matches!(b, b'\\' | b'\n' | b'\r' | b'(')) {
        each(range.clone());
    }
    range.end
}

#[cfg(test)]
mod tests {
    use super::super::{Wanted, tag};
    use super::*;

    #[test]
    fn lengths_of_one_pixel() {
        for length in ["0", "1", "00", "01", "0px", "1px", "1PX", "0pt", "1Pt", "0%", " 1 ", "\n0%"] {
            assert!(is_pixel(length.as_bytes()), "{length:?}");
        }
        for length in ["", "2", "10", "001", "1%", "00%", "1em", "1 px", "-1", "px", "%", "0%%"] {
            assert!(!is_pixel(length.as_bytes()), "{length:?}");
        }
    }

    /// The values in a tag, each with its kind and the parts of the source that encode it.
    fn values_in(source: &str, relative: bool) -> Vec<(String, LinkKind, String)> {
        let mut attributes = Vec::new();
        tag::read(source.as_bytes(), 0, |_| true, &mut attributes).unwrap();
        let mut found = Vec::new();
        let wanted = Wanted { relative, ..Wanted::ALL };
        let reading = PageText { wanted, nests: true, ..PageText::default() };
        urls(source.as_bytes(), b"x", &attributes, reading, |url, place| {
            let kind = place.kind;
            let sources = url.map.sources(0..url.bytes.len());
            let pieces: Vec<&str> = sources.into_iter().map(|range| &source[range]).collect();
            found.push((String::from_utf8(url.bytes).unwrap(), kind, pieces.join("|")));
        });
        found
    }

    /// The URLs in a tag, each with the parts of the source that encode it.
    fn urls_in(source: &str) -> Vec<(String, String)> {
        let values = values_in(source, false).into_iter().filter(|(_, kind, _)| *kind != LinkKind::Text);
        values.map(|(url, _, pieces)| (url, pieces)).collect()
    }

    fn names(source: &str) -> Vec<String> {
        urls_in(source).into_iter().map(|(url, _)| url).collect()
    }

    #[track_caller]
    fn check(source: &str, url: &str, pieces: &str) {
        assert_eq!(urls_in(source), [(url.to_owned(), pieces.to_owned())], "{source}");
    }

    #[test]
    fn one_url() {
        check("<A HREF='http://h.org/'>", "http://h.org/", "http://h.org/");
        check("<a href=http://h.org/?a=1&b=2>", "http://h.org/?a=1&b=2", "http://h.org/?a=1&b=2");
        check("<a href=x:h?a=1&amp;b>", "x:h?a=1&b", "x:h?a=1&amp;b");
        check("<a href=x:h?a=1&copy=2>", "x:h?a=1&copy=2", "x:h?a=1&copy=2");
        check("<a href='m&#97;ilto&#58;a&#64;h'>", "mailto:a@h", "m&#97;ilto&#58;a&#64;h");
    }

    #[test]
    fn whitespace_is_removed() {
        check("<a href=' \n\u{1}x:a b '>", "x:a b", "x:a b");
        check("<a href='x:\n\ta\r\nb'>", "x:ab", "x:|a|b");
        check("<a href='&#32;&#10;x:&#9;a&#32;'>", "x:a", "x:|a");
    }

    #[test]
    fn no_scheme_no_url() {
        for source in ["<a href>", "<a href=''>", "<a href=' \n'>", "<a href='a/b.html#c'>"] {
            assert_eq!(urls_in(source), [], "{source}");
        }
        check("<a href=x&colon;a>", "x:a", "x&colon;a");
        // The page's scheme.
        for url in ["//h.org/", r"\\h.org\a", r"/\h.org", r"\/h.org", "///h.org", r"\\h"] {
            check(&format!("<a href={url}>"), url, url);
        }
        assert_eq!(urls_in(r"<a href='\a'>"), []);
    }

    #[test]
    fn attributes_that_hold_one() {
        let tag = "<x src=a: action=b: cite=c: data=d: poster=e: formaction=f: background=g: longdesc=h: \
                   codebase=i: profile=j: manifest=k: icon=l: lowsrc=m: xlink:href=n:>";
        assert_eq!(names(tag).concat(), "a:b:c:d:e:f:g:h:i:j:k:l:m:n:");
        // An attribute that only scripts read may contain a URL as well.
        let tag = "<x usemap=a: xmlns=c: title=d: alt='e: e' content=g: data-feed=h:>";
        assert_eq!(names(tag).concat(), "a:c:d:g:h:");
    }

    /// The attributes of the HTML standard's index that hold URLs, the attributes of HTML 4 and of
    /// browsers before it, and of scripts and mail programs.
    #[test]
    fn every_attribute() {
        use LinkKind::{Reference, Url};
        for (names, holds, kind, role) in [
            ("href xlink:href data-href", Holds::One, Reference, Role::Link),
            ("originalsrc data-saferedirecturl", Holds::One, Url, Role::Resource),
            ("src cite longdesc pluginspage", Holds::One, Reference, Role::Resource),
            ("poster background lowsrc dynsrc data-src data-original", Holds::One, Reference, Role::Image),
            ("icon", Holds::One, Url, Role::Image),
            ("action formaction", Holds::One, Reference, Role::FormAction),
            ("data profile manifest codebase", Holds::One, Url, Role::Resource),
            ("ping", Holds::List, Reference, Role::Resource),
            ("archive", Holds::List, Url, Role::Resource),
            ("srcset imagesrcset data-srcset", Holds::Candidates, Reference, Role::Image),
            ("content", Holds::Content, Url, Role::Resource),
            ("style", Holds::Style, Reference, Role::Image),
        ] {
            for name in names.split(' ').flat_map(|name| [name.to_owned(), name.to_uppercase()]) {
                let row = AttributeRow::of(name.as_bytes()).map(|row| (row.holds, row.kind, row.role));
                assert_eq!(row, Some((holds, kind, role)), "{name}");
            }
        }
        assert!(AttributeRow::of(b"title").is_none() && AttributeRow::of(&[b'x'; 100]).is_none());
    }

    /// The role of a link and a resource in each element that matters.
    #[test]
    fn every_element_with_a_role() {
        let [link, source] = [&b"href"[..], b"src"].map(|name| AttributeRow::of(name).unwrap());
        for (elements, of_link, of_source) in [
            ("a area meta", Role::Link, Role::Resource),
            ("link base use div", Role::Resource, Role::Resource),
            ("feimage", Role::Image, Role::Resource),
            ("image", Role::Image, Role::Image),
            ("img input source v:fill v:imagedata amp-img", Role::Resource, Role::Image),
        ] {
            for element in elements.split(' ').flat_map(|name| [name.to_owned(), name.to_uppercase()]) {
                let roles = [link, source].map(|row| row.role_in(element.as_bytes(), false));
                assert_eq!(roles, [of_link, of_source], "{element}");
            }
        }
    }

    /// A namespace is not a link, regardless of its prefix.
    #[test]
    fn namespaces() {
        let tag =
            "<svg xmlns:xlink='http://x/1' xmlns:href='http://x/2' xmlns='http://x/3' xmlUrl='http://h/'>";
        let mut attributes = Vec::new();
        tag::read(tag.as_bytes(), 0, |_| true, &mut attributes).unwrap();
        let role =
            |attribute: &Attribute| AttributeRow::unknown(&tag.as_bytes()[attribute.name.clone()], true).role;
        let roles: Vec<_> = attributes.iter().map(role).collect();
        assert_eq!(roles, [Role::Resource, Role::Resource, Role::Resource, Role::Link]);
    }

    #[test]
    fn relative_ones() {
        let relative =
            |source| -> Vec<String> { values_in(source, true).into_iter().map(|(url, ..)| url).collect() };
        assert_eq!(relative("<a href='a/b c' ping='d e'>"), ["a/b c", "d", "e"]);
        assert_eq!(relative("<object data=a codebase=b archive='c d'>"), [""; 0]);
        assert_eq!(relative("<img src=a srcset='b 1x, c 2x' data-src=d>"), ["a", "b", "c", "d"]);
    }

    #[test]
    fn what_may_be_a_url() {
        let values = values_in("<meta name=og content=' x:a&amp;b '>", false);
        assert_eq!(values, [("x:a&b".to_owned(), LinkKind::Url, "x:a&amp;b".to_owned())]);
        assert_eq!(values_in("<meta name=a content=b>", true), []);
    }

    #[test]
    fn styles() {
        check("<td style=\"a: b; background: url('x:a&amp;b')\">", "x:a&b", "x:a&amp;b");
        assert_eq!(names("<td style='a:b'>"), [""; 0]);
    }

    #[test]
    fn several() {
        assert_eq!(names("<a ping=' a:  b:\n' href=c:>"), ["a:", "b:", "c:"]);
        assert_eq!(names("<applet archive='x:a.jar, x:b.jar'>"), ["x:a.jar", "x:b.jar"]);
    }

    #[test]
    fn candidates_of_a_picture() {
        assert_eq!(names("<img srcset='x:a 1x, x:b?c=1&amp;d 2x, e 3x'>"), ["x:a", "x:b?c=1&d"]);
        assert_eq!(names("<img srcset='x:a, x:b,c 100w,,x:d'>"), ["x:a", "x:b,c", "x:d"]);
        assert_eq!(names("<img srcset='x:a (1,x:y) 3x, x:b'>"), ["x:a", "x:b"]);
        assert_eq!(names("<img srcset=' ,, '>"), [""; 0]);
        assert_eq!(names("<link imagesrcset='x:a 1x, x:b 2x'>"), ["x:a", "x:b"]);
    }

    #[test]
    fn a_redirection() {
        for content in ["0; URL=http://h/", "0;url = 'http://h/' x", " 5.0 , http://h/", "0 http://h/"] {
            let tag = format!("<meta http-equiv=Refresh content=\"{content}\">");
            assert_eq!(names(&tag), ["http://h/"], "{content}");
        }
        assert_eq!(names("<meta content='0;url=&#34;x:h&#34;' http-equiv=REFRESH>"), ["x:h"]);
        assert_eq!(names("<meta http-equiv=refresh content=5>"), [""; 0]);
        assert_eq!(names("<meta name=x content='0; url=x:h'>"), [""; 0]);
    }

    fn found(css: &str) -> Vec<&str> {
        let mut found = Vec::new();
        css_urls(css.as_bytes(), &mut |range, _| found.push(&css[range]));
        found
    }

    #[test]
    fn functions_and_imports() {
        assert_eq!(found("a{background:url(x:a) no-repeat, URL( 'x:b' )}"), ["x:a", "x:b"]);
        assert_eq!(found("@import \"x:a\"; @IMPORT url(x:b) print; @import 'x:c'"), ["x:a", "x:b", "x:c"]);
        assert_eq!(found("src: url(x:a?#iefix) format('eot'),\nurl(\"x:b\")"), ["x:a?#iefix", "x:b"]);
    }

    #[test]
    fn no_urls() {
        for css in [
            "/* url(x:a) */",
            "curl(x:a)",
            "url()",
            "url(",
            "url('x:a",
            "url(x:\\a)",
            "url('x:\na')",
            "url('x:\ra')",
            "url('x:(a')",
            "@import",
            "@import ",
            "@import x:a;",
            "(",
            "/*",
        ] {
            assert_eq!(found(css), [""; 0], "{css}");
        }
        assert_eq!(found("/* a url(x:a)"), ["x:a"]);
        assert_eq!(found("/**/url(x:a)/* url(x:b) */ url(x:c)"), ["x:a", "x:c"]);
    }

    #[test]
    fn words_of_rel() {
        for (value, expected) in [
            ("NoFollow\n ugc", "nofollow ugc"),
            (" next ", "next"),
            ("", ""),
            (" ", ""),
            (&"x".repeat(LONGEST_REL), &*"x".repeat(LONGEST_REL)),
            (&"x".repeat(LONGEST_REL + 1), ""),
            (&format!("  {}  ", "x".repeat(LONGEST_REL)), &*"x".repeat(LONGEST_REL)),
        ] {
            assert_eq!(rel_of(value.as_bytes()), expected.as_bytes(), "{value:?}");
        }
    }

    #[test]
    fn names_of_links_in_xml() {
        let is_link = |name: &str, xml| AttributeRow::unknown(name.as_bytes(), xml).role == Role::Link;
        for name in
            ["url", "uri", "href", "link", "src", "target", "location", "loc", "comments", "guid", "a-Src"]
        {
            assert_eq!((is_link(name, true), is_link(name, false)), (true, false), "{name}");
        }
        for name in ["urls", "sources", "a", "locale", "aloc", "aguid", "xmlns:src", "xsi:schemaLocation"] {
            assert!(!is_link(name, true), "{name}");
        }
    }

    #[test]
    fn names_that_contain_a_url() {
        for (name, may) in [
            ("mailto:a@h.org", true),
            ("a:b?c", true),
            ("a:b:c", true),
            ("xml:lang", false),
            ("a@b:", false),
            ("a@b", false),
        ] {
            assert_eq!(may_have_url(name.as_bytes()), may, "{name}");
        }
    }

    /// The longest text instead of an image, and one byte more.
    #[test]
    fn long_labels_are_cut() {
        for len in [MAX_LABEL_LEN - 1, MAX_LABEL_LEN, MAX_LABEL_LEN + 1] {
            let source = format!("<img alt='{}'>", "x".repeat(len));
            let mut attributes = Vec::new();
            tag::read(source.as_bytes(), 0, |_| true, &mut attributes).unwrap();
            let alt = alt(source.as_bytes(), &attributes).unwrap();
            assert_eq!(alt.len(), len.min(MAX_LABEL_LEN));
        }
    }
}
