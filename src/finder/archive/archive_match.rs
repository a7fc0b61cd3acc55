//! A match in an archive: where it is in the file, and whose text it is in.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::archive::{Envelope, Link, Record, Text};
use crate::bytes::position::Position;
use crate::found::Match;
use crate::found::form::Joined;

/// A match in an archive.
///
/// Made by [`Finder::archive`](crate::Finder::archive),
/// [`find_in`](crate::Finder::find_in) and
/// [`find_in_message`](crate::Finder::find_in_message). Its offsets and its position are
/// those in the file; those of the [`Match`] are in the text, or in the attribute.
#[derive(Clone, Debug)]
pub struct ArchiveMatch<'t> {
    in_text: Match<'t>,
    context: Context<'t>,
}

/// Where a match is.
#[derive(Clone, Debug)]
enum Context<'t> {
    /// The text, and the link if it is in one.
    Borrowed(&'t Text<'t>, Option<Link<'t>>),
    Owned(Box<OwnedContext>),
}

/// All that a match has of its text.
#[derive(Clone, Debug)]
struct OwnedContext {
    span: Range<u64>,
    segments: Vec<Range<u64>>,
    position: Option<Position>,
    joined: Option<Joined>,
    header: Option<String>,
    attribute: Option<Vec<u8>>,
    link_text: Option<Vec<u8>>,
    quote_depth: usize,
    at: usize,
    part: Option<String>,
    content_type: Option<String>,
    message_index: u64,
    envelope: Option<Arc<Envelope<'static>>>,
    record: Option<Record>,
    member: Option<Arc<[u8]>>,
    hyphen_readings: Vec<ArchiveMatch<'static>>,
}

impl<'t> ArchiveMatch<'t> {
    pub(super) fn new(in_text: Match<'t>, text: &'t Text<'t>, link: Option<Link<'t>>) -> Self {
        ArchiveMatch { in_text, context: Context::Borrowed(text, link) }
    }

    /// The match in the text, or in the attribute.
    pub fn in_text(&self) -> &Match<'t> {
        &self.in_text
    }

    /// The text that the match is in; `None` if the match is [owned](Self::into_owned).
    pub fn text(&self) -> Option<&'t Text<'t>> {
        match self.context {
            Context::Borrowed(text, _) => Some(text),
            Context::Owned(_) => None,
        }
    }

    /// The [readings](Match::hyphen_readings) that hyphens at line ends leave open, each
    /// with its own segments. A reading of an owned match has none itself.
    pub fn hyphen_readings(&self) -> Vec<ArchiveMatch<'t>> {
        match &self.context {
            Context::Borrowed(..) => {
                let of = |in_text| ArchiveMatch { in_text, context: self.context.clone() };
                self.in_text.hyphen_readings().into_iter().map(of).collect()
            }
            Context::Owned(owned) => owned.hyphen_readings.clone(),
        }
    }

    /// The range of the file that encodes the match, delimiters included: byte
    /// offsets from 0, the end exclusive.
    pub fn span(&self) -> Range<u64> {
        if let Context::Owned(owned) = &self.context {
            return owned.span.clone();
        }
        let sources = self.sources(self.in_text.range());
        match (sources.first(), sources.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }

    /// The ranges of the file that encode the URL, in order: byte offsets from 0,
    /// the ends exclusive.
    pub fn segments(&self) -> Vec<Range<u64>> {
        if let Context::Owned(owned) = &self.context {
            return owned.segments.clone();
        }
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
    /// [counted](crate::archive::Reader::line_numbers).
    pub fn position(&self) -> Option<Position> {
        match &self.context {
            Context::Borrowed(text, _) => text.position(self.span().start),
            Context::Owned(owned) => owned.position,
        }
    }

    /// How pieces on several lines were joined; `None` if the URL is on one line.
    pub fn joined(&self) -> Option<Joined> {
        match &self.context {
            Context::Borrowed(text, link) => {
                let exactly = link.is_none() && text.is_joined(self.in_text.range());
                self.in_text.joined().or(exactly.then_some(Joined::Flowed))
            }
            Context::Owned(owned) => owned.joined,
        }
    }

    /// The name of the header field that the match is in; `None` in a body.
    pub fn header(&self) -> Option<&str> {
        match &self.context {
            Context::Borrowed(text, _) => text.header(self.at()),
            Context::Owned(owned) => owned.header.as_deref(),
        }
    }

    /// The value of the attribute of HTML that the match is in, references decoded, or the address
    /// in an HTTP field of a web archive; `None` if it is in the text itself.
    pub fn attribute(&self) -> Option<&[u8]> {
        match &self.context {
            Context::Borrowed(_, link) => link.map(|link| link.as_bytes()),
            Context::Owned(owned) => owned.attribute.as_deref(),
        }
    }

    /// The text of the link that the match is: what a reader sees between `<a href="…">` and
    /// `</a>`, each run of whitespace as one space, the first 200 bytes of it at most. `None` if the match
    /// is not in an attribute, or the text is empty.
    pub fn link_text(&self) -> Option<Cow<'t, [u8]>> {
        match &self.context {
            Context::Borrowed(text, link) => {
                let text = spaced(&text.as_bytes()[link.as_ref()?.content()]);
                (!text.is_empty()).then_some(Cow::Owned(text))
            }
            Context::Owned(owned) => owned.link_text.clone().map(Cow::Owned),
        }
    }

    /// The quote depth: how many `>` the line begins with on which the match begins.
    pub fn quote_depth(&self) -> usize {
        match &self.context {
            Context::Borrowed(text, _) => text.quote_depth(self.at()),
            Context::Owned(owned) => owned.quote_depth,
        }
    }

    /// The offset in the text at which the match begins. A link begins where its
    /// element does.
    pub fn at(&self) -> usize {
        match &self.context {
            Context::Borrowed(_, link) => link.map_or(self.in_text.range().start, |link| link.at()),
            Context::Owned(owned) => owned.at,
        }
    }

    /// The number of the part that the match is in: see [`Text::part`].
    pub fn part(&self) -> Option<&str> {
        match &self.context {
            Context::Borrowed(text, _) => text.part(),
            Context::Owned(owned) => owned.part.as_deref(),
        }
    }

    /// The media type of the body that the match is in: see [`Text::content_type`].
    pub fn content_type(&self) -> Option<String> {
        match &self.context {
            Context::Borrowed(text, _) => text.content_type(),
            Context::Owned(owned) => owned.content_type.clone(),
        }
    }

    /// How many messages of the file come before the one that the match is in, not
    /// counting messages inside others.
    pub fn message_index(&self) -> u64 {
        match &self.context {
            Context::Borrowed(text, _) => text.message_index(),
            Context::Owned(owned) => owned.message_index,
        }
    }

    /// The envelope of the message that the match is in, which may be one inside another;
    /// `None` for a file of text or HTML.
    pub fn envelope(&self) -> Option<&Envelope<'t>> {
        match &self.context {
            Context::Borrowed(text, _) => text.envelope(),
            Context::Owned(owned) => owned.envelope.as_deref(),
        }
    }

    /// The record of a web archive that the match is in; `None` outside of web archives.
    pub fn record(&self) -> Option<&Record> {
        match &self.context {
            Context::Borrowed(text, _) => text.record(),
            Context::Owned(owned) => owned.record.as_ref(),
        }
    }

    /// The name of the member of a zip archive that the match is in; only matches of
    /// [`Finder::archive`](crate::Finder::archive) have it.
    pub fn member(&self) -> Option<&[u8]> {
        match &self.context {
            Context::Borrowed(..) => None,
            Context::Owned(owned) => owned.member.as_deref(),
        }
    }

    /// The same match without the text, which the reader may drop then. The envelope is
    /// copied once for all matches of a message.
    pub fn into_owned(self) -> ArchiveMatch<'static> {
        let (text, link) = match self.context {
            Context::Borrowed(text, link) => (text, link),
            Context::Owned(owned) => {
                return ArchiveMatch { in_text: self.in_text.into_owned(), context: Context::Owned(owned) };
            }
        };
        let m = ArchiveMatch::new(self.in_text, text, link);
        let readings = m.hyphen_readings().into_iter();
        let readings = readings.map(|reading| reading.into_owned_with(Vec::new())).collect();
        m.into_owned_with(readings)
    }

    /// The same match, owned, with these readings.
    fn into_owned_with(self, hyphen_readings: Vec<ArchiveMatch<'static>>) -> ArchiveMatch<'static> {
        let owned = OwnedContext {
            span: self.span(),
            segments: self.segments(),
            position: self.position(),
            joined: self.joined(),
            header: self.header().map(str::to_owned),
            attribute: self.attribute().map(<[u8]>::to_vec),
            link_text: self.link_text().map(Cow::into_owned),
            quote_depth: self.quote_depth(),
            at: self.at(),
            part: self.part().map(str::to_owned),
            content_type: self.content_type(),
            message_index: self.message_index(),
            envelope: self.envelope().map(Envelope::to_shared),
            record: self.record().cloned(),
            member: self.member().map(Arc::from),
            hyphen_readings,
        };
        ArchiveMatch { in_text: self.in_text.into_owned(), context: Context::Owned(Box::new(owned)) }
    }

    /// Sets the member of a zip archive that an owned match is in.
    pub(super) fn set_member(&mut self, member: Option<&Arc<[u8]>>) {
        if let Context::Owned(owned) = &mut self.context {
            owned.member = member.cloned();
            owned.hyphen_readings.iter_mut().for_each(|reading| reading.set_member(member));
        }
    }

    fn sources(&self, range: Range<usize>) -> Vec<Range<u64>> {
        match &self.context {
            Context::Borrowed(_, Some(link)) => link.sources(range),
            Context::Borrowed(text, None) => text.sources(range),
            Context::Owned(_) => Vec::new(),
        }
    }

    /// The link that the match is in.
    pub(super) fn link(&self) -> Option<Link<'t>> {
        match self.context {
            Context::Borrowed(_, link) => link,
            Context::Owned(_) => None,
        }
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
