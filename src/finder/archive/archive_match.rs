//! A match in a message: where it is in the file, and whose text it is in.
//!
//! A [`TextMatch`] borrows its text and computes what it is asked for: most callers want
//! the URL alone. An [`ArchiveMatch`] owns all of it.

use std::ops::Range;
use std::sync::Arc;

use crate::archive::{Envelope, Link, Record, Role, Text};
use crate::bytes::position::Position;
use crate::found::Match;
use crate::found::form::Joined;
use crate::grammar::Warnings;
#[cfg(feature = "domains")]
use {super::text_host, crate::grammar::Warning};

/// A match in a text of an archive.
///
/// Made by [`find_in`](crate::Finder::find_in) and
/// [`find_in_message`](crate::Finder::find_in_message). Its offsets and its position are
/// those in the file; those of the [`Match`] are in the text, or in the attribute.
/// Each method computes what it returns.
#[derive(Clone, Debug)]
pub struct TextMatch<'t> {
    in_text: Match<'t>,
    text: &'t Text<'t>,
    /// The link that the match is in.
    link: Option<Link<'t>>,
}

impl<'t> TextMatch<'t> {
    pub(super) fn new(in_text: Match<'t>, text: &'t Text<'t>, link: Option<Link<'t>>) -> Self {
        TextMatch { in_text, text, link }
    }

    /// The match in the text, or in the attribute.
    pub fn in_text(&self) -> &Match<'t> {
        &self.in_text
    }

    /// The text that the match is in.
    pub fn text(&self) -> &'t Text<'t> {
        self.text
    }

    /// The [readings](Match::hyphen_readings) that hyphens at line ends leave open, each
    /// with its own segments.
    pub fn hyphen_readings(&self) -> Vec<TextMatch<'t>> {
        let readings = self.in_text.hyphen_readings().into_iter();
        readings.map(|in_text| TextMatch { in_text, ..*self }).collect()
    }

    /// The range of the file that encodes the match, delimiters included: byte
    /// offsets from 0, the end exclusive.
    pub fn span(&self) -> Range<u64> {
        let sources = self.sources(self.in_text.range());
        match (sources.first(), sources.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }

    /// The same as [`span`](Self::span), for a message in memory. Offsets that do not fit a `usize` wrap.
    pub fn range(&self) -> Range<usize> {
        let span = self.span();
        span.start as usize..span.end as usize
    }

    /// The ranges of the file that encode the URL, in order: byte offsets from 0,
    /// the ends exclusive.
    pub fn segments(&self) -> Vec<Range<u64>> {
        let mut segments: Vec<Range<u64>> = Vec::new();
        for piece in self.in_text.ranges() {
            let sources = self.sources(piece);
            // Nearly always there is one piece with one source.
            if segments.is_empty() && sources.len() == 1 {
                segments = sources;
                continue;
            }
            for range in sources {
                match segments.last_mut() {
                    Some(last) if last.end == range.start => last.end = range.end,
                    // Pieces from the same compressed body.
                    Some(last) if *last == range => {}
                    _ => segments.push(range),
                }
            }
        }
        segments
    }

    /// The line and column of the file at which the match begins, if lines are
    /// [counted](crate::archive::ReadOptions::line_numbers).
    pub fn position(&self) -> Option<Position> {
        self.text.position(self.span().start)
    }

    /// How pieces on several lines were joined; `None` if the URL is on one line.
    pub fn joined(&self) -> Option<Joined> {
        let exactly = self.link.is_none() && self.text.is_joined(self.in_text.range());
        self.in_text.joined().or(exactly.then_some(Joined::Flowed))
    }

    /// The name of the header field that the match is in; `None` in a body.
    pub fn header(&self) -> Option<&'t str> {
        self.text.header(self.at())
    }

    /// The value of the attribute of HTML that the match is in, references decoded, or the address
    /// in an HTTP field of a web archive; `None` if it is in the text itself.
    pub fn attribute(&self) -> Option<&'t [u8]> {
        self.link.map(|link| link.as_bytes())
    }

    /// What the URL is to a reader.
    pub fn role(&self) -> Role {
        self.link.map_or_else(|| self.text.role(self.at()), |link| link.role())
    }

    /// The element and the attribute of HTML or XML that the match is in: `a@href`. `None` if it is in the text
    /// itself. See [`Link::element`].
    pub fn element(&self) -> Option<&'t str> {
        self.link?.element()
    }

    /// What the element of the link says of where it leads: see [`Link::rel`]. `None` if it says nothing, or the
    /// match is not in an attribute.
    pub fn rel(&self) -> Option<&'t [u8]> {
        self.link.map(|link| link.rel()).filter(|rel| !rel.is_empty())
    }

    /// The text of the link that the match is: what a reader sees between `<a href="…">` and
    /// `</a>`, each run of whitespace as one space, the first 200 bytes of it at most. Of a link that is only a
    /// picture it is the `alt`, or the `title` or `aria-label` of either. `None` if the match
    /// is not in an attribute, or nothing is there.
    pub fn link_text(&self) -> Option<Vec<u8>> {
        let link = self.link?;
        let content = spaced(&self.text.shown(link.content()));
        let text =
            if content.is_empty() { spaced(&self.text.charset.characters(link.label())) } else { content };
        (!text.is_empty()).then_some(text)
    }

    /// The [warnings](Match::warnings) about the URL; with the feature `domains` also
    /// [`TextHost`](crate::Warning::TextHost), if it is a link whose text shows another host.
    pub fn warnings(&self) -> Warnings {
        let warnings = self.in_text.warnings();
        #[cfg(feature = "domains")]
        let warnings = warnings.with_if(Warning::TextHost, self.shows_another_host());
        warnings
    }

    /// Whether it is a link whose text is a URL or a host, and that host is another than its own.
    #[cfg(feature = "domains")]
    fn shows_another_host(&self) -> bool {
        let Some(link) = self.link.filter(|link| link.role() == Role::Link) else {
            return false;
        };
        // What stands for a picture is not what a reader sees.
        text_host::is_another(&spaced(&self.text.as_bytes()[link.content()]), &self.in_text)
    }

    /// The quote depth: how many `>` the line begins with on which the match begins, and one more in a
    /// `<blockquote>` of HTML.
    pub fn quote_depth(&self) -> usize {
        self.text.quote_depth(self.at())
    }

    /// The offset in the text at which the match begins. A link begins where its
    /// element does.
    pub fn at(&self) -> usize {
        self.link.map_or(self.in_text.range().start, |link| link.at())
    }

    fn sources(&self, range: Range<usize>) -> Vec<Range<u64>> {
        match &self.link {
            Some(link) => link.sources(range),
            None => self.text.sources(range),
        }
    }

    /// The link that the match is in.
    pub(super) fn link(&self) -> Option<Link<'t>> {
        self.link
    }
}

/// A match in an archive, which owns what it knows of its message.
///
/// Made by [`Finder::archive`](crate::Finder::archive) and
/// [`Finder::find_in_archive`](crate::Finder::find_in_archive). Its offsets and its position are
/// those in the file; those of the [`Match`] are in the decoded text, or in the attribute.
#[derive(Clone, Debug)]
pub struct ArchiveMatch {
    in_text: Match<'static>,
    span: Range<u64>,
    segments: Vec<Range<u64>>,
    position: Option<Position>,
    joined: Option<Joined>,
    header: Option<Box<str>>,
    attribute: Option<Box<[u8]>>,
    role: Role,
    element: Option<Box<str>>,
    link_text: Option<Vec<u8>>,
    warnings: Warnings,
    quote_depth: usize,
    part: Option<Box<str>>,
    filename: Option<String>,
    content_type: Option<String>,
    message_index: u64,
    envelope: Option<Arc<Envelope<'static>>>,
    record: Option<Record>,
    pub(super) member: Option<Arc<[u8]>>,
}

impl ArchiveMatch {
    /// The same match without its text, which the reader may drop then. The envelope is
    /// copied once for all matches of a message.
    pub(super) fn new(m: &TextMatch<'_>) -> ArchiveMatch {
        let text = m.text;
        ArchiveMatch {
            span: m.span(),
            segments: m.segments(),
            position: m.position(),
            joined: m.joined(),
            header: m.header().map(Box::from),
            attribute: m.attribute().map(Box::from),
            role: m.role(),
            element: m.element().map(Box::from),
            link_text: m.link_text(),
            warnings: m.warnings(),
            quote_depth: m.quote_depth(),
            part: text.part().map(Box::from),
            filename: text.filename(),
            content_type: text.content_type(),
            message_index: text.message_index(),
            envelope: text.envelope().map(Envelope::to_shared),
            record: text.record().cloned(),
            member: None,
            in_text: m.in_text.clone().into_owned(),
        }
    }

    /// The match in the decoded text, or in the attribute.
    pub fn in_text(&self) -> &Match<'static> {
        &self.in_text
    }

    /// See [`TextMatch::span`].
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// See [`TextMatch::range`].
    pub fn range(&self) -> Range<usize> {
        self.span.start as usize..self.span.end as usize
    }

    /// See [`TextMatch::segments`].
    pub fn segments(&self) -> &[Range<u64>] {
        &self.segments
    }

    /// The line and column of the file at which the match begins, if the finder
    /// [counts lines](crate::FinderBuilder::line_numbers).
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// See [`TextMatch::joined`].
    pub fn joined(&self) -> Option<Joined> {
        self.joined
    }

    /// See [`TextMatch::header`].
    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// See [`TextMatch::attribute`].
    pub fn attribute(&self) -> Option<&[u8]> {
        self.attribute.as_deref()
    }

    /// See [`TextMatch::role`].
    pub fn role(&self) -> Role {
        self.role
    }

    /// See [`TextMatch::element`].
    pub fn element(&self) -> Option<&str> {
        self.element.as_deref()
    }

    /// See [`TextMatch::link_text`].
    pub fn link_text(&self) -> Option<&[u8]> {
        self.link_text.as_deref()
    }

    /// See [`TextMatch::warnings`].
    pub fn warnings(&self) -> Warnings {
        self.warnings
    }

    /// See [`TextMatch::quote_depth`].
    pub fn quote_depth(&self) -> usize {
        self.quote_depth
    }

    /// The number of the part that the match is in: see [`Text::part`].
    pub fn part(&self) -> Option<&str> {
        self.part.as_deref()
    }

    /// The name of the file that the part is: see [`Text::filename`].
    pub fn filename(&self) -> Option<&str> {
        self.filename.as_deref()
    }

    /// The media type of the body that the match is in: see [`Text::content_type`].
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// How many messages of the file come before the one that the match is in, not
    /// counting messages inside others.
    pub fn message_index(&self) -> u64 {
        self.message_index
    }

    /// The envelope of the message that the match is in, which may be one inside another;
    /// `None` for a file of text, and of HTML unless it is the page of a message in the archive of a list.
    pub fn envelope(&self) -> Option<&Envelope<'static>> {
        self.envelope.as_deref()
    }

    /// The record of a web archive that the match is in; `None` outside of web archives.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// The name of the member of a zip or tar archive that the match is in.
    pub fn member(&self) -> Option<&[u8]> {
        self.member.as_deref()
    }
}

/// The greatest length of the text of a link, in bytes.
const LONGEST_TEXT: usize = 200;

/// A text with one space for each run of whitespace, cut to whole characters if it is long.
fn spaced(text: &[u8]) -> Vec<u8> {
    let mut spaced = Vec::new();
    for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        if spaced.len() > LONGEST_TEXT {
            break;
        }
        if !spaced.is_empty() {
            spaced.push(b' ');
        }
        spaced.extend_from_slice(&word[..word.len().min(LONGEST_TEXT + 1)]);
    }
    if spaced.len() > LONGEST_TEXT {
        // A byte of UTF-8 that is not the first of its character.
        let is_inside = |&at: &usize| spaced[at] & 0xC0 == 0x80;
        let end = (LONGEST_TEXT - 3..=LONGEST_TEXT).rev().find(|at| !is_inside(at)).unwrap_or(LONGEST_TEXT);
        spaced.truncate(end);
        spaced.truncate(spaced.trim_ascii_end().len());
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_links() {
        assert_eq!(spaced(b" a\n\t b  "), b"a b");
        assert_eq!(spaced(b" \n"), b"");
        assert_eq!(spaced(&[b'a'; 200]), [b'a'; 200]);
        assert_eq!(spaced(&[b'a'; 300]), [b'a'; 200]);
        // A word, a space and the rest: the text does not end in the space.
        assert_eq!(spaced(format!("{} b", "a".repeat(199)).as_bytes()), [b'a'; 199]);
        assert_eq!(spaced(format!("{} b", "a".repeat(198)).as_bytes()).len(), 200);
        // Characters of two, three and four bytes.
        for (char, len) in [("\u{e9}", 200), ("\u{20ac}", 198), ("\u{1f600}", 200)] {
            let text = String::from_utf8(spaced(char.repeat(100).as_bytes())).unwrap();
            assert_eq!(text.len(), len, "{char}");
        }
        let text = String::from_utf8(spaced(format!("a{}", "\u{1f600}".repeat(100)).as_bytes())).unwrap();
        assert_eq!(text.len(), 197);
        // Bytes that are not UTF-8.
        assert_eq!(spaced(&[0x80; 300]).len(), 200);
    }
}
