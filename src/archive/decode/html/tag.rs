//! Tags, and text that resembles one.
//!
//! A valid tag is read as in the HTML standard. For the standard every tag is valid: a
//! bracket that was not escaped, or a missing quotation mark, hides the bytes up to the
//! next one. Here such a tag is text, so that the bytes that it would hide are searched:
//!
//! - Its name continues with a byte that names do not contain: `<http://h.org/>`, `<a@h.org>`,
//!   `<URL:…>`. A colon is part of a name if a letter follows it (`<o:p>`).
//! - A URL is where the name of an attribute should be (`<see http://h.org/>`).
//! - The end, or another `<` before it has a value, comes before its `>`, outside of quotation marks. After a
//!   value the `<` ends it, as in `<img src="x" height=8</td>`.
//!
//! The closing quotation mark of a value is missing if no other one follows, or if the next one
//! belongs to another tag. It does if a `>` is between the two, and either a byte other than
//! whitespace, `/` or `>` follows the second mark (`<a href="x>y</a> <a href="z">`), or a `</`
//! follows the `>` and there is no `<` before it. Then the value, and the tag with it, ends at that
//! `>`.
//!
//! No byte is read more than three times: the text of a tag that is not valid is not
//! searched for tags again, and two quotation marks with the end of a tag between them
//! have no other such mark between them.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

use crate::archive::header::lower;
use crate::bytes::class::{ALPHADIGIT, COLON, Class, HYPHEN, UNDERSCORE};
use crate::bytes::large;

/// An attribute, as ranges of the source. Its value may be empty, or missing.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

/// A start tag or an end tag.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) name: Range<usize>,
    pub(super) closing: bool,
    /// True if it ends in `/>`: the self-closing flag.
    pub(super) self_closing: bool,
    /// The offset at which the tag ends.
    pub(super) end: usize,
}

/// Not a valid tag: text up to this offset, at least.
#[derive(Debug)]
pub(super) struct NoTag(pub(super) usize);

/// Returns true if `byte` is whitespace in HTML.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// The tag with its `<` at `at`. Its `wanted` attributes replace the ones in `attributes`, because
/// a tag may contain an attribute in every four bytes.
pub(super) fn read(
    source: &[u8],
    at: usize,
    wanted: impl Fn(&Attribute) -> bool,
    attributes: &mut Vec<Attribute>,
) -> Result<Tag, NoTag> {
    attributes.clear();
    let closing = source.get(at + 1) == Some(&b'/');
    let name = name(source, at + 1 + usize::from(closing))?;
    let (end, self_closing) = Attributes { source, at: name.end }.read(|attribute| {
        if wanted(&attribute) {
            large::prepare(attributes, 1);
            attributes.push(attribute);
        }
    })?;
    Ok(Tag { name, closing, self_closing, end })
}

#[inline(always)]
fn name(source: &[u8], start: usize) -> Result<Range<usize>, NoTag> {
    const NAME: Class = ALPHADIGIT.or(HYPHEN).or(UNDERSCORE).or(COLON);
    let end = skip(source, start, |b| NAME.has(b));
    let name = &source[start..end];
    let colon = name.iter().rposition(|&b| b == b':');
    let prefixed = colon.is_none_or(|colon| name.get(colon + 1).is_some_and(u8::is_ascii_alphabetic));
    let ends = source.get(end).is_none_or(|&b| is_space(b) || matches!(b, b'/' | b'>' | b'<'));
    if name.first().is_some_and(u8::is_ascii_alphabetic) && prefixed && ends {
        Ok(start..end)
    } else {
        Err(NoTag(end))
    }
}

/// The first offset from `at` on at which `is` does not hold.
pub(super) fn skip(source: &[u8], at: usize, is: impl Fn(u8) -> bool) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    at + rest.iter().position(|&b| !is(b)).unwrap_or(rest.len())
}

struct Attributes<'s> {
    source: &'s [u8],
    at: usize,
}

impl Attributes<'_> {
    /// Calls `each` with the attributes up to the `>`; returns where the tag ends, and whether a slash closes it.
    fn read(mut self, mut each: impl FnMut(Attribute)) -> Result<(usize, bool), NoTag> {
        let mut has_value = false;
        loop {
            let before = self.at;
            self.at = skip(self.source, self.at, |b| is_space(b) || b == b'/');
            match self.source.get(self.at) {
                Some(b'>') => return Ok((self.at + 1, self.source[before..self.at].ends_with(b"/"))),
                Some(b'<') if has_value => return Ok((self.at, false)),
                None | Some(b'<') => return Err(NoTag(self.at)),
                Some(_) => {}
            }
            let name = self.name()?;
            self.skip_space();
            if self.source.get(self.at) != Some(&b'=') {
                each(Attribute { value: name.end..name.end, name });
                continue;
            }
            has_value = true;
            self.at += 1;
            self.skip_space();
            let start = self.at + usize::from(self.quote().is_some());
            let (end, ends_tag) = self.value_end()?;
            each(Attribute { name, value: start..end });
            if ends_tag {
                return Ok((end + 1, false));
            }
            self.at = end + usize::from(self.quote().is_some());
        }
    }

    fn skip_space(&mut self) {
        self.at = skip(self.source, self.at, is_space);
    }

    /// The quotation mark here.
    fn quote(&self) -> Option<u8> {
        self.source.get(self.at).copied().filter(|b| matches!(b, b'"' | b'\''))
    }

    fn name(&mut self) -> Result<Range<usize>, NoTag> {
        let start = self.at;
        // A name may begin with a `=`.
        let end = skip(self.source, start + 1, |b| !is_space(b) && !matches!(b, b'/' | b'>' | b'=' | b'<'));
        if self.source[start..end].ends_with(b":") && self.source[end..].starts_with(b"//") {
            return Err(NoTag(end));
        }
        self.at = end;
        Ok(start..end)
    }

    /// The end of the value here, and true if the tag ends there as well, without a closing quotation mark.
    fn value_end(&self) -> Result<(usize, bool), NoTag> {
        let Some(quote) = self.quote() else {
            let end = skip(self.source, self.at, |b| !is_space(b) && !matches!(b, b'>' | b'<'));
            return Ok((end, false));
        };
        let start = self.at + 1;
        let rest = &self.source[start..];
        let close = memchr(quote, rest);
        if let Some(close) = close
            && !is_foreign(&rest[..close], rest.get(close + 1).copied())
        {
            return Ok((start + close, false));
        }
        let value = &rest[..close.unwrap_or(rest.len())];
        match memchr2(b'<', b'>', value) {
            Some(at) if value[at] == b'>' => Ok((start + at, true)),
            at => Err(NoTag(start + at.unwrap_or(value.len()))),
        }
    }
}

/// Returns true if the quotation mark between `value` and `next` belongs to another tag.
fn is_foreign(value: &[u8], next: Option<u8>) -> bool {
    let Some(close) = memchr(b'>', value) else { return false };
    let adjoining = next.is_some_and(|b| !is_space(b) && !matches!(b, b'/' | b'>'));
    adjoining || (memchr(b'<', &value[..close]).is_none() && memmem::find(&value[close..], b"</").is_some())
}

// The HTML elements, and their effect on the text around them.

/// The break between two texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    #[default]
    None,
    /// The edge of a link after a URL: a space if the URL would continue after it.
    Edge,
    Blank,
    Line,
    EmptyLine,
}

impl Break {
    pub(super) fn as_bytes(self) -> &'static [u8] {
        match self {
            Break::None => b"",
            Break::Edge | Break::Blank => b" ",
            Break::Line => b"\n",
            Break::EmptyLine => b"\n\n",
        }
    }
}

/// The media in which an image is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImageMedia {
    Always,
    /// In some media only, such as on a phone.
    Sometimes,
    Never,
}

/// The effect of an element on the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// A break before and after it.
    Separate(Break),
    LineBreak,
    Anchor,
    Picture(ImageMedia),
    Area,
    Preformatted,
    /// Hidden raw text, up to its end tag.
    Hidden,
    /// Text with references, but without tags.
    Escapable(Break),
    /// Verbatim text.
    Literal,
    /// Verbatim text up to the end of the file.
    Rest,
    Inline,
}

impl Element {
    /// The element of this name (case-insensitive).
    pub(super) fn of(name: &[u8]) -> Element {
        // The longest name has ten letters.
        match lower(name, &mut [0; 16]).unwrap_or_default() {
            b"a" => Element::Anchor,
            b"img" => Element::Picture(ImageMedia::Always),
            b"area" => Element::Area,
            b"br" => Element::LineBreak,
            b"td" | b"th" => Element::Separate(Break::Blank),
            b"address" | b"article" | b"aside" | b"body" | b"caption" | b"center" | b"dd" | b"details"
            | b"dialog" | b"div" | b"dt" | b"fieldset" | b"figcaption" | b"footer" | b"form"
            | b"frameset" | b"head" | b"header" | b"hgroup" | b"html" | b"legend" | b"li" | b"main"
            | b"nav" | b"noscript" | b"optgroup" | b"option" | b"section" | b"summary" | b"tbody"
            | b"tfoot" | b"thead" | b"tr" => Element::Separate(Break::Line),
            b"blockquote" | b"dir" | b"dl" | b"figure" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6"
            | b"hr" | b"menu" | b"ol" | b"p" | b"table" | b"ul" => Element::Separate(Break::EmptyLine),
            b"pre" | b"listing" => Element::Preformatted,
            b"script" | b"style" | b"iframe" | b"noembed" | b"noframes" => Element::Hidden,
            b"title" => Element::Escapable(Break::EmptyLine),
            b"textarea" => Element::Escapable(Break::Line),
            b"xmp" => Element::Literal,
            b"plaintext" => Element::Rest,
            _ => Element::Inline,
        }
    }

    /// The element of the same name in SVG, MathML or XML, where elements never contain raw text.
    pub(super) fn with_tags(self) -> Element {
        match self {
            Element::Hidden | Element::Escapable(_) | Element::Literal | Element::Rest => Element::Inline,
            element => element,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name, the attributes and the bytes after the tag, or the length of the text.
    fn tag(source: &str) -> Result<String, usize> {
        let mut attributes = Vec::new();
        let tag = read(source.as_bytes(), 0, |_| true, &mut attributes).map_err(|NoTag(end)| end)?;
        let mut said = source[tag.name.clone()].to_owned();
        for Attribute { name, value } in attributes {
            said += &format!(" {}={}", &source[name], &source[value]);
        }
        Ok(format!("{said}|{}", &source[tag.end..]))
    }

    #[track_caller]
    fn check(source: &str, said: &str) {
        assert_eq!(tag(source).as_deref(), Ok(said), "{source}");
    }

    #[test]
    fn valid_tags() {
        check("<br>x", "br|x");
        check("</A >x", "A|x");
        check("<a href=\"x y\" title='\"'>x", "a href=x y title=\"|x");
        check("<a\nhref = x/y/>x", "a href=x/y/|x");
        check("<img ismap src=x/>x", "img ismap= src=x/|x");
        check("<br/>x", "br|x");
        check("<a href=>x", "a href=|x");
        check("<a href=\"\"name=n>x", "a href= name=n|x");
        check("<o:p>x", "o:p|x");
        check("<h1>x", "h1|x");
    }

    #[test]
    fn brackets_in_values() {
        check("<a title=\"x > y\" href=z>t", "a title=x > y href=z|t");
        check("<a alt=\"<b>x</b>\" href=z>t", "a alt=<b>x</b> href=z|t");
    }

    #[test]
    fn names_that_are_not_valid() {
        assert_eq!(tag("<http://h.org/>"), Err(6));
        assert_eq!(tag("<HTTP://h.org/>"), Err(6));
        assert_eq!(tag("<URL:http://h.org/>"), Err(10));
        assert_eq!(tag("<URL: http://h.org/>"), Err(5));
        assert_eq!(tag("<mailto:a@h.org>"), Err(9));
        assert_eq!(tag("<a@h.org>"), Err(2));
        assert_eq!(tag("<www.h.org>"), Err(4));
        assert_eq!(tag("<urn:7>"), Err(6));
    }

    #[test]
    fn a_url_instead_of_an_attribute() {
        assert_eq!(tag("<see http://h.org/>"), Err(10));
        check("<a xlink:href=http://h.org/>", "a xlink:href=http://h.org/|");
    }

    #[test]
    fn tags_without_end() {
        assert_eq!(tag("<b and <i>"), Err(7));
        assert_eq!(tag("<b<i>"), Err(2));
        check("<a href=x<b>", "a href=x|<b>");
        check("<a href='x' id <b>", "a href=x id=|<b>");
        assert_eq!(tag("<a href=\"http://h.org/"), Err(22));
        assert_eq!(tag("<a "), Err(3));
        assert_eq!(tag("<a"), Err(2));
        assert_eq!(tag("<a href="), Err(8));
        assert_eq!(tag("<a href='x"), Err(10));
    }

    #[test]
    fn a_missing_quotation_mark() {
        check("<a href=\"x>y</a> z", "a href=x|y</a> z");
        check("<a href=\"x>y</a> <a href=\"z\">t", "a href=x|y</a> <a href=\"z\">t");
        check("<a href=\"x>y</a> a 5\" disk", "a href=x|y</a> a 5\" disk");
        assert_eq!(tag("<a href=\"x <b>y</b>"), Err(11));
    }

    #[test]
    fn an_extra_quotation_mark() {
        check("<a href=\"x\"\">t", "a href=x \"=|t");
        check("<a href=\"x\"b=\"y\">t", "a href=x b=y|t");
    }

    /// Elements that behave differently from their neighbours (case-insensitive).
    #[test]
    fn names_of_elements() {
        for (name, element) in [
            ("a", Element::Anchor),
            ("img", Element::Picture(ImageMedia::Always)),
            ("area", Element::Area),
            ("br", Element::LineBreak),
            ("td", Element::Separate(Break::Blank)),
            ("th", Element::Separate(Break::Blank)),
            ("pre", Element::Preformatted),
            ("listing", Element::Preformatted),
            ("script", Element::Hidden),
            ("style", Element::Hidden),
            ("iframe", Element::Hidden),
            ("noembed", Element::Hidden),
            ("noframes", Element::Hidden),
            ("title", Element::Escapable(Break::EmptyLine)),
            ("textarea", Element::Escapable(Break::Line)),
            ("xmp", Element::Literal),
            ("plaintext", Element::Rest),
        ] {
            for name in [name.to_owned(), name.to_uppercase()] {
                assert_eq!(Element::of(name.as_bytes()), element, "{name}");
            }
            for other in [format!("{name}x"), format!("x{name}")] {
                assert_ne!(Element::of(other.as_bytes()), element, "{other}");
            }
        }
        for (names, kind) in [
            (
                "address article aside body caption center dd details dialog div dt fieldset figcaption",
                Break::Line,
            ),
            (
                "footer form frameset head header hgroup html legend li main nav noscript optgroup",
                Break::Line,
            ),
            ("option section summary tbody tfoot thead tr", Break::Line),
            ("blockquote dir dl figure h1 h2 h3 h4 h5 h6 hr menu ol p table ul", Break::EmptyLine),
        ] {
            for name in names.split(' ') {
                assert_eq!(Element::of(name.as_bytes()), Element::Separate(kind), "{name}");
            }
        }
        assert_eq!(Element::of(b"abcdefghijklmnop"), Element::Inline);
        assert_eq!(Element::of(b"abcdefghijklmnopq"), Element::Inline);
    }
}
