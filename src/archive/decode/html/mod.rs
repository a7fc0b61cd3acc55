//! HTML, as a reader would see it, and the links that a reader could follow.
//!
//! The text is what stands between the tags, with character references decoded,
//! so that a wrapper in it is found: `&lt;URL:<A HREF="x">x</A>&gt;` is the text
//! `<URL:x>`. Tags inside a line leave nothing behind, so that they cut no URL.
//! Where a new line begins on the screen one begins in the text, and an empty
//! line stands between paragraphs, lists, tables and headings; a blank stands
//! between the cells of a table. Whitespace of the source is copied as it is,
//! for which lines a URL was cut into is what the search must know; only beside
//! such a break it is dropped, unless it is in `<pre>`.
//!
//! Text are `<title>`, `<textarea>`, and what a browser shows only if it cannot
//! do something (`<noscript>`, `<noframes>`, `<template>`, the inside of
//! `<iframe>` and `<object>`). No text are scripts, styles, comments, document
//! types, processing instructions, and attributes like `alt` and `title`.
//!
//! The links are in the attributes ([`attribute`] says in which). What has no
//! colon is none: it has no scheme, and where it leads depends on where the file
//! was.
//!
//! # Damage
//!
//! The standard gives every text a meaning, so that a missing bracket or
//! quotation mark can make the rest of a file disappear. Here nothing is hidden
//! by something that never ends: what only looks like a tag is text ([`tag`]
//! says when), a comment without end and a script without end tag are read as
//! if their beginning were not there, and a declaration that meets another `<`
//! before its `>` is text. What is cut off at the end of the file is text, so a
//! URL in half a tag is found as a bare one.
//!
//! # Why not a tokenizer
//!
//! One that follows the standard makes what has just been called damage vanish
//! before anybody can look at it. Therefore only the references, where the
//! standard is all there is to know, are left to one ([`reference`](mod@reference)).
//!
//! Time and memory are linear in the length of the source, which may be in any
//! encoding that has the bytes of ASCII where ASCII has them.

mod attribute;
mod reference;
mod tag;

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use self::reference::Position;
use self::tag::{Attribute, NoTag, Tag, is_space};
use crate::archive::source_map::Decoded;

/// What a reader sees of a source, and where it leads.
#[derive(Debug)]
pub(crate) struct Html {
    /// The text between the tags.
    pub(crate) text: Decoded,
    /// The URLs in attributes, in the order of the source.
    pub(crate) links: Vec<Hyperlink>,
}

/// A URL in an attribute.
#[derive(Debug)]
pub(crate) struct Hyperlink {
    /// As it is written, references decoded; there is a colon in it.
    pub(crate) url: Decoded,
    /// The offset in the text at which the element begins.
    pub(crate) at: usize,
    /// What stands between `<a>` and `</a>`, or the next `<a>`, or the end, in the
    /// text; empty for other elements.
    pub(crate) content: Range<usize>,
}

/// Reads a source to its end.
pub(crate) fn read(source: &[u8]) -> Html {
    let mut reader = Reader {
        source,
        text: Decoded::default(),
        links: Vec::new(),
        anchor: 0..0,
        ahead: Break::None,
        preformatted: false,
        never_closed: Vec::new(),
    };
    let mut attributes = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let markup = next_markup(source, at);
        reader.text(at..markup);
        at = if markup < source.len() { reader.markup(markup, &mut attributes) } else { markup };
    }
    reader.close_anchor();
    Html { text: reader.text, links: reader.links }
}

/// The next `<` from `at` on that may begin something, or the end.
fn next_markup(source: &[u8], at: usize) -> usize {
    let begins = |&at: &usize| {
        source.get(at + 1).is_some_and(|&b| b.is_ascii_alphabetic() || matches!(b, b'!' | b'?' | b'/'))
    };
    memchr_iter(b'<', &source[at..]).map(|n| at + n).find(begins).unwrap_or(source.len())
}

/// What stands between what was read and what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Break {
    None,
    Blank,
    Line,
    EmptyLine,
}

impl Break {
    fn as_bytes(self) -> &'static [u8] {
        match self {
            Break::None => b"",
            Break::Blank => b" ",
            Break::Line => b"\n",
            Break::EmptyLine => b"\n\n",
        }
    }
}

/// What an element does to the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    /// A break before it and behind it.
    Apart(Break),
    LineBreak,
    Anchor,
    Preformatted,
    /// No text until its end tag.
    Hidden(&'static str),
    /// Text with references, but without tags.
    Escapable(&'static str, Break),
    /// Text as it is.
    Literal(&'static str),
    /// Whatever follows is text as it is.
    Rest,
    Inline,
}

fn element(name: &[u8]) -> Element {
    const LONGEST: usize = 10;
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..name.len()) else {
        return Element::Inline;
    };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    match &*lower {
        b"a" => Element::Anchor,
        b"br" => Element::LineBreak,
        b"td" | b"th" => Element::Apart(Break::Blank),
        b"address" | b"article" | b"aside" | b"body" | b"caption" | b"center" | b"dd" | b"details"
        | b"dialog" | b"div" | b"dt" | b"fieldset" | b"figcaption" | b"footer" | b"form" | b"frameset"
        | b"head" | b"header" | b"hgroup" | b"html" | b"legend" | b"li" | b"main" | b"nav" | b"noframes"
        | b"noscript" | b"optgroup" | b"option" | b"section" | b"summary" | b"tbody" | b"tfoot"
        | b"thead" | b"tr" => Element::Apart(Break::Line),
        b"blockquote" | b"dir" | b"dl" | b"figure" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6"
        | b"hr" | b"menu" | b"ol" | b"p" | b"table" | b"ul" => Element::Apart(Break::EmptyLine),
        b"pre" | b"listing" => Element::Preformatted,
        b"script" => Element::Hidden("script"),
        b"style" => Element::Hidden("style"),
        b"title" => Element::Escapable("title", Break::EmptyLine),
        b"textarea" => Element::Escapable("textarea", Break::Line),
        b"xmp" => Element::Literal("xmp"),
        b"plaintext" => Element::Rest,
        _ => Element::Inline,
    }
}

struct Reader<'s> {
    source: &'s [u8],
    text: Decoded,
    links: Vec<Hyperlink>,
    /// The links of the `<a>` that is open.
    anchor: Range<usize>,
    /// What must stand before the next text.
    ahead: Break,
    /// Whether this is in `<pre>`.
    preformatted: bool,
    /// What is closed nowhere in the rest of the source, so that no end is looked
    /// for again.
    never_closed: Vec<&'static str>,
}

impl Reader<'_> {
    /// Goes on with `range` of the source, where no tags are.
    fn text(&mut self, range: Range<usize>) {
        let mut at = self.start_text(range.clone());
        while let Some(n) = memchr(b'&', &self.source[at..range.end]) {
            let amp = at + n;
            match reference::read(&self.source[..range.end], amp, Position::Text) {
                Some(character) => {
                    self.text.copy(self.source, at..amp);
                    self.text.put(character.as_bytes(), amp..character.end);
                    at = character.end;
                }
                None => {
                    self.text.copy(self.source, at..amp + 1);
                    at = amp + 1;
                }
            }
        }
        self.text.copy(self.source, at..range.end);
    }

    /// Goes on with `range` of the source as it is.
    fn literal(&mut self, range: Range<usize>) {
        let start = self.start_text(range.clone());
        self.text.copy(self.source, start..range.end);
    }

    /// Puts in the break that belongs before `range`, and says where the text in it
    /// begins.
    fn start_text(&mut self, range: Range<usize>) -> usize {
        if self.ahead == Break::None || range.is_empty() {
            return range.start;
        }
        let source = &self.source[range.clone()];
        let space = if self.preformatted { 0 } else { source.iter().take_while(|&&b| is_space(b)).count() };
        let start = range.start + space;
        if start < range.end {
            if !self.text.bytes.is_empty() {
                self.text.put(self.ahead.as_bytes(), start..start);
            }
            self.ahead = Break::None;
        }
        start
    }

    fn break_before(&mut self, ahead: Break) {
        self.ahead = self.ahead.max(ahead);
    }

    /// Reads what begins with the `<` at `at`, and says where it ends.
    fn markup(&mut self, at: usize, attributes: &mut Vec<Attribute>) -> usize {
        let rest = &self.source[at..];
        match rest {
            [_, b'!', b'-', b'-', ..] => self.comment(at),
            // Only XHTML has it; what is in it is text there.
            _ if rest.starts_with(b"<![CDATA[") => at + 9,
            [_, b'!' | b'?', ..] => self.declaration(at),
            [_, b'/', next, ..] if !next.is_ascii_alphabetic() => self.declaration(at),
            _ => match tag::read(self.source, at, attributes) {
                Ok(tag) if tag.closing => self.end_tag(&tag),
                Ok(tag) => self.start_tag(&tag, attributes),
                Err(NoTag(end)) => {
                    self.text(at..end);
                    end
                }
            },
        }
    }

    /// A comment ends at `-->`, in `<!-->` too, or at `--!>`.
    fn comment(&mut self, at: usize) -> usize {
        let behind = at + 4;
        let end = if self.never_closed.contains(&"--") { None } else { comment_end(&self.source[at + 2..]) };
        match end {
            Some(end) => at + 2 + end,
            None => {
                self.never_closed.push("--");
                self.text(at..behind);
                behind
            }
        }
    }

    /// A document type, a processing instruction, or an end tag without name.
    fn declaration(&mut self, at: usize) -> usize {
        let from = at + 2;
        let end = memchr2(b'<', b'>', &self.source[from..]).map(|n| from + n);
        if let Some(end) = end
            && self.source[end] == b'>'
        {
            return end + 1;
        }
        let end = end.unwrap_or(self.source.len());
        self.text(at..end);
        end
    }

    fn end_tag(&mut self, tag: &Tag) -> usize {
        match element(&self.source[tag.name.clone()]) {
            Element::Apart(ahead) => self.break_before(ahead),
            Element::LineBreak => self.line_break(),
            Element::Anchor => self.close_anchor(),
            Element::Preformatted => {
                self.break_before(Break::EmptyLine);
                self.preformatted = false;
            }
            _ => {}
        }
        tag.end
    }

    fn start_tag(&mut self, tag: &Tag, attributes: &[Attribute]) -> usize {
        let element = element(&self.source[tag.name.clone()]);
        if let Element::Apart(ahead) = element {
            self.break_before(ahead);
        }
        if element == Element::Anchor {
            self.close_anchor();
        }
        let first = self.links.len();
        let at = self.text.bytes.len();
        attribute::urls(self.source, attributes, |url| {
            self.links.push(Hyperlink { url, at, content: at..at })
        });
        match element {
            Element::LineBreak => self.line_break(),
            Element::Anchor => self.anchor = first..self.links.len(),
            Element::Preformatted => {
                self.break_before(Break::EmptyLine);
                self.preformatted = true;
            }
            Element::Hidden(name) => return self.inside(tag.end, name, |_, _| {}),
            Element::Escapable(name, ahead) => {
                self.break_before(ahead);
                let end = self.inside(tag.end, name, Reader::text);
                self.break_before(ahead);
                return end;
            }
            Element::Literal(name) => {
                self.break_before(Break::EmptyLine);
                let end = self.inside(tag.end, name, Reader::literal);
                self.break_before(Break::EmptyLine);
                return end;
            }
            Element::Rest => {
                self.break_before(Break::EmptyLine);
                self.literal(tag.end..self.source.len());
                return self.source.len();
            }
            Element::Apart(_) | Element::Inline => {}
        }
        tag.end
    }

    /// Reads what stands between `from` and the end tag of the element `name`, if
    /// there is one, and says where to go on.
    fn inside(&mut self, from: usize, name: &'static str, read: fn(&mut Self, Range<usize>)) -> usize {
        if self.never_closed.contains(&name) {
            return from;
        }
        match end_tag_of(name.as_bytes(), &self.source[from..]) {
            Some(len) => {
                read(self, from..from + len);
                from + len
            }
            None => {
                self.never_closed.push(name);
                from
            }
        }
    }

    fn line_break(&mut self) {
        self.ahead = if self.ahead < Break::Line { Break::Line } else { Break::EmptyLine };
    }

    fn close_anchor(&mut self) {
        let end = self.text.bytes.len();
        for link in &mut self.links[std::mem::take(&mut self.anchor)] {
            link.content.end = end;
        }
    }
}

/// Where the comment ends in which `text` stands, its first two hyphens included.
fn comment_end(text: &[u8]) -> Option<usize> {
    memmem::find_iter(text, b"--").find_map(|at| match &text[at + 2..] {
        [b'>', ..] => Some(at + 3),
        [b'!', b'>', ..] if at >= 2 => Some(at + 4),
        // The pairs do not overlap.
        [b'-', b'>', ..] => Some(at + 4),
        [b'-', b'!', b'>', ..] => Some(at + 5),
        _ => None,
    })
}

/// Where the end tag of the element `name` begins.
fn end_tag_of(name: &[u8], text: &[u8]) -> Option<usize> {
    memchr_iter(b'<', text).find(|&at| {
        let Some(rest) = text[at + 1..].strip_prefix(b"/") else {
            return false;
        };
        let ends = |&b: &u8| is_space(b) || matches!(b, b'/' | b'>');
        rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && rest.get(name.len()).is_some_and(ends)
    })
}

#[cfg(test)]
mod tests;
