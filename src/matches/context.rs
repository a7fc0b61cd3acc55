//! The position of a match in a message or a page, and its role there.
//!
//! A match in a text of an archive borrows that text, and computes values on request, because most
//! callers want only the URL. An [owned](Match::into_owned) match contains all of these values,
//! because the reader drops the text.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::{Match, text_host};
use crate::archive::{CopiedLink, Envelope, Link, LinkAddress, Record, Role, Text};
use crate::bytes::haystack::Haystack;
use crate::grammar::{Warning, Warnings};
use crate::matches::form::JoinKind;

/// The origin of a match in an archive.
#[derive(Clone, Debug)]
pub(super) enum MatchOrigin<'t> {
    /// The text itself.
    Text(&'t Text<'t>),
    /// The text, in the content of a link with the same URL.
    Content(Box<(&'t Text<'t>, Link<'t>)>),
    /// A link of the text.
    Link(Box<(&'t Text<'t>, Link<'t>)>),
    /// A text that may have been dropped.
    Copied(Box<Copied>),
}

/// The facts about a match that do not need its text.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    pub(super) span: Range<u64>,
    pub(super) segments: Vec<Range<u64>>,
    /// The segments of each of the readings with and without hyphens.
    pub(super) readings: Vec<Vec<Range<u64>>>,
    pub(super) joined: Option<JoinKind>,
    pub(super) warnings: Warnings,
    at: usize,
    header: Option<Box<str>>,
    /// The link that a reader sees there.
    link: Option<Arc<CopiedLink>>,
    in_attribute: bool,
    role: Role,
    quote_depth: usize,
    part: Option<Box<str>>,
    filename: Option<Arc<str>>,
    content_type: Option<Arc<str>>,
    message_index: u64,
    envelope: Option<Arc<Envelope<'static>>>,
    record_start: Option<u64>,
    key: Option<Box<str>>,
    kept: Vec<(Box<str>, Box<str>)>,
    record: Option<Record>,
    pub(super) member: Option<Arc<[u8]>>,
}

/// The context of a match in its message or page: see [`Match::context`].
///
/// Each method computes its result, unless the match is [owned](Match::into_owned).
#[derive(Clone, Copy, Debug)]
pub struct Context<'m> {
    origin: &'m MatchOrigin<'m>,
    /// The offset of the match in the text, if it is in the text itself.
    at: usize,
}

impl<'t> MatchOrigin<'t> {
    /// The text and the link, or copies of them.
    fn text(&self) -> Result<(&'t Text<'t>, Option<Link<'t>>), &Copied> {
        match self {
            MatchOrigin::Text(text) => Ok((text, None)),
            MatchOrigin::Content(both) => Ok((both.0, None)),
            MatchOrigin::Link(both) => Ok((both.0, Some(both.1))),
            MatchOrigin::Copied(copied) => Err(copied),
        }
    }

    /// The text, and the link that a reader sees there.
    fn seen(&self) -> Result<(&'t Text<'t>, Option<Link<'t>>), &Copied> {
        match self {
            MatchOrigin::Content(both) => Ok((both.0, Some(both.1))),
            _ => self.text(),
        }
    }

    /// The ranges of the file that encode `range` of the text or of the attribute.
    fn sources(&self, range: Range<usize>) -> Vec<Range<u64>> {
        match self.text() {
            Ok((_, Some(link))) => link.sources(range),
            Ok((text, None)) => text.sources(range),
            Err(_) => Vec::new(),
        }
    }

    /// The range of the file from the first byte that encodes `range` to the last.
    pub(super) fn span(&self, range: Range<usize>) -> Range<u64> {
        if let MatchOrigin::Copied(copied) = self {
            return copied.span.clone();
        }
        let sources = self.sources(range);
        match (sources.first(), sources.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }

    /// The ranges of the file that encode these pieces.
    pub(super) fn segments(&self, pieces: impl Iterator<Item = Range<usize>>) -> Vec<Range<u64>> {
        if let MatchOrigin::Copied(copied) = self {
            return copied.segments.clone();
        }
        let mut segments: Vec<Range<u64>> = Vec::new();
        for piece in pieces {
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

    /// Returns how the pieces of `matched` were joined.
    pub(super) fn joined<T: Haystack + ?Sized>(&self, matched: &Match<'_, T>) -> Option<JoinKind> {
        match self.text() {
            Ok((text, None)) if text.is_joined(matched.text_range()) => Some(JoinKind::Flowed),
            Ok(_) => None,
            Err(copied) => copied.joined,
        }
    }

    /// The warnings about `matched`, of which `warnings` are those about its URL.
    pub(super) fn warnings<T: Haystack + ?Sized>(
        &self,
        matched: &Match<'_, T>,
        warnings: Warnings,
    ) -> Warnings {
        let (text, link) = match self.text() {
            Ok((text, Some(link))) if link.role() == Role::Link => (text, link),
            Ok(_) => return warnings,
            Err(copied) => return copied.warnings,
        };
        // A reader does not see the text that stands for an image.
        let content = || spaced(&text.as_bytes()[beginning(link.content())]).into();
        let shows_another = text_host::is_another(&text.cache.content.of(address(link), content), matched);
        warnings.with_if(Warning::TextHost, shows_another)
    }

    /// Returns the origin of the alternative reading with this number.
    pub(super) fn of_reading(&self, number: usize) -> Self {
        let mut origin = self.clone();
        if let MatchOrigin::Copied(copied) = &mut origin {
            copied.segments = copied.readings.get(number).cloned().unwrap_or_default();
        }
        origin
    }

    /// The link that the match is in.
    pub(super) fn link(&self) -> Option<Link<'t>> {
        self.text().ok()?.1
    }
}

impl<'m> Context<'m> {
    pub(super) fn new(origin: &'m MatchOrigin<'m>, at: usize) -> Self {
        Context { origin, at }
    }

    /// Returns the text that contains the match, or `None` if the match was copied.
    pub fn text(&self) -> Option<&'m Text<'m>> {
        Some(self.origin.text().ok()?.0)
    }

    /// Returns the offset in the text at which the match starts. For a link, this is the start of
    /// its element.
    pub fn at(&self) -> usize {
        match self.origin.text() {
            Ok((_, link)) => link.map_or(self.at, |link| link.at()),
            Err(copied) => copied.at,
        }
    }

    /// Returns the name of the header field that contains the match, or `None` in a body.
    pub fn header(&self) -> Option<&'m str> {
        match self.origin.text() {
            Ok((text, _)) => text.header(self.at()),
            Err(copied) => copied.header.as_deref(),
        }
    }

    /// Returns the value of the HTML attribute that contains the match, with decoded references, or
    /// the URL in an HTTP field of a web archive. Returns `None` if the text itself contains the
    /// match.
    pub fn attribute(&self) -> Option<&'m [u8]> {
        match self.origin.text() {
            Ok((_, link)) => link.map(|link| link.as_bytes()),
            Err(copied) => copied.link.as_ref().filter(|_| copied.in_attribute).map(|link| &*link.attribute),
        }
    }

    /// Returns the role of the URL for a reader.
    pub fn role(&self) -> Role {
        match self.origin.seen() {
            Ok((text, link)) => link.map_or_else(|| text.role(self.at), |link| link.role()),
            Err(copied) => copied.role,
        }
    }

    /// Returns the HTML or XML element and attribute that contain the match: `a@href`. For a URL in
    /// a text, it is the element of a link to the same URL, or `None` without such a link. See
    /// [`Link::element`].
    pub fn element(&self) -> Option<&'m str> {
        match self.origin.seen() {
            Ok((_, link)) => link?.element(),
            Err(copied) => copied.link.as_ref()?.element.as_deref(),
        }
    }

    /// Returns the `rel` attribute of the link's element: see [`Link::rel`]. Returns `None` if the
    /// attribute or the [element](Context::element) is missing.
    pub fn rel(&self) -> Option<&'m [u8]> {
        match self.origin.seen() {
            Ok((_, link)) => link.map(|link| link.rel()).filter(|rel| !rel.is_empty()),
            Err(copied) => copied.link.as_ref().map(|link| &*link.rel).filter(|rel| !rel.is_empty()),
        }
    }

    /// Returns the link text: the text that a reader sees between `<a href="…">` and `</a>`,
    /// including the `alt` of its images, with each run of whitespace as one space, and at most 200
    /// bytes. If the content has neither text nor an `alt`, it is the `title` or `aria-label` of the
    /// link or of an image in it.
    /// Returns `None` if the [element](Context::element) or the text is missing.
    pub fn link_text(&self) -> Option<Cow<'m, [u8]>> {
        let (text, link) = match self.origin.seen() {
            Ok((text, link)) => (text, link?),
            Err(copied) => return copied.link.as_ref()?.text.as_deref().map(Cow::Borrowed),
        };
        let compute = || {
            let content = spaced(&shown_content(text, link));
            let label = || spaced(&text.charset.characters(link.label()));
            let shown = if content.is_empty() { label() } else { content };
            (!shown.is_empty()).then(|| shown.into())
        };
        text.cache.text.of(address(link), compute).map(|shown| Cow::Owned(shown.to_vec()))
    }

    /// Returns the quote depth: the number of `>` at the start of the match's first line, plus one
    /// in an HTML `<blockquote>`.
    pub fn quote_depth(&self) -> usize {
        match self.origin.text() {
            Ok((text, _)) => text.quote_depth(self.at()),
            Err(copied) => copied.quote_depth,
        }
    }

    /// Returns the number of the part that contains the match: see [`Text::part`].
    pub fn part(&self) -> Option<&'m str> {
        match self.origin.text() {
            Ok((text, _)) => text.part(),
            Err(copied) => copied.part.as_deref(),
        }
    }

    /// Returns the file name of the part: see [`Text::filename`].
    pub fn filename(&self) -> Option<Cow<'m, str>> {
        self.shared_filename().map(|name| Cow::Borrowed(&**name))
    }

    /// Returns the media type of the body that contains the match: see [`Text::content_type`].
    pub fn content_type(&self) -> Option<Cow<'m, str>> {
        self.shared_content_type().map(|name| Cow::Borrowed(&**name))
    }

    /// Returns the number of messages before the match's message in the file, not counting messages
    /// inside others.
    pub fn message_index(&self) -> u64 {
        match self.origin.text() {
            Ok((text, _)) => text.message_index(),
            Err(copied) => copied.message_index,
        }
    }

    /// Returns the envelope of the innermost message that contains the match. Returns `None` in a text
    /// file, and in an HTML file unless it is the page of a list archive that shows a message.
    pub fn envelope(&self) -> Option<&'m Envelope<'m>> {
        match self.origin.text() {
            Ok((text, link)) => text.envelope().or_else(|| Some(text.data_envelope(self.at, link)?.0)),
            Err(copied) => copied.envelope.as_deref(),
        }
    }

    /// Returns the offset in the file at which the record (in JSON, XML or a chat) of the [envelope](Self::envelope)
    /// starts, or `None` outside of records. It distinguishes the records of a file, because all of them have the
    /// same [index](Self::message_index).
    pub fn record_start(&self) -> Option<u64> {
        match self.origin.text() {
            Ok((text, link)) => Some(text.data_envelope(self.at, link)?.1),
            Err(copied) => copied.record_start,
        }
    }

    /// Returns the path of the JSON string that contains the match: `.messages[3].text`, as in jq.
    ///
    /// In a CSV file with a header, this is the name of the column. In JSON Lines, the path starts at
    /// the value of the line. If the JSON string is a mail message, all its matches have the path of
    /// the string. Returns `None` outside of JSON and CSV, in a value longer than 8 MiB, or if the path
    /// is longer than 1 KiB.
    pub fn key(&self) -> Option<Cow<'m, str>> {
        match self.origin.text() {
            Ok((text, link)) => text.key(self.at, link).map(Cow::Owned),
            Err(copied) => copied.key.as_deref().map(Cow::Borrowed),
        }
    }

    /// Returns the value of `key` in the nearest JSON object or XML element around the match that
    /// contains the key, if the reader [keeps](crate::archive::ReadOptions::keep) this key.
    ///
    /// The value is the text of a string, or any other value as written. In a CSV file with a header,
    /// `key` is the name of a column, and the value is in the row of the match. Returns `None` if no
    /// record contains the key, or if the value is an object, an array or longer than 1 KiB.
    pub fn record_value(&self, key: &str) -> Option<Cow<'m, str>> {
        match self.origin.text() {
            Ok((text, link)) => text.kept(self.at, link, key).map(Cow::Owned),
            Err(copied) => {
                copied.kept.iter().find(|(kept, _)| **kept == *key).map(|(_, value)| Cow::Borrowed(&**value))
            }
        }
    }

    /// Returns the WARC or ARC record that contains the match, or `None` outside of web archives.
    pub fn record(&self) -> Option<&'m Record> {
        match self.origin.text() {
            Ok((text, _)) => text.record(),
            Err(copied) => copied.record.as_ref(),
        }
    }

    /// Returns the name of the zip or tar member that contains the match, if
    /// [`Finder::archive`](crate::Finder::archive) opened that archive.
    pub fn member(&self) -> Option<&'m [u8]> {
        self.origin.text().err()?.member.as_deref()
    }

    fn shared_filename(&self) -> Option<&'m Arc<str>> {
        match self.origin.text() {
            Ok((text, _)) => text.cache.filename.get_or_init(|| text.filename().map(Arc::from)).as_ref(),
            Err(copied) => copied.filename.as_ref(),
        }
    }

    fn shared_content_type(&self) -> Option<&'m Arc<str>> {
        match self.origin.text() {
            Ok((text, _)) => {
                text.cache.content_type.get_or_init(|| text.content_type().map(Arc::from)).as_ref()
            }
            Err(copied) => copied.content_type.as_ref(),
        }
    }

    /// The link that a reader sees there, without its text.
    fn shared_link(&self) -> Option<Arc<CopiedLink>> {
        let (text, link) = match self.origin.seen() {
            Ok((text, link)) => (text, link?),
            Err(copied) => return copied.link.clone(),
        };
        let copy = || {
            Arc::new(CopiedLink {
                attribute: link.as_bytes().into(),
                element: self.element().map(Box::from),
                rel: link.rel().into(),
                text: self.link_text().map(Cow::into_owned),
            })
        };
        Some(text.cache.link.of(address(link), copy))
    }

    /// The keys that are kept, with their values.
    fn all_kept(&self) -> Vec<(Box<str>, Box<str>)> {
        match self.origin.text() {
            Ok((text, _)) => {
                let keep = text.options.keep.iter();
                keep.filter_map(|key| Some((key.clone(), self.record_value(key)?.into()))).collect()
            }
            Err(copied) => copied.kept.clone(),
        }
    }

    /// Copies all values of this context, which belongs to `matched`.
    pub(super) fn copied<T: Haystack + ?Sized>(&self, matched: &Match<'_, T>) -> Copied {
        let readings = matched.hyphen_readings();
        Copied {
            span: matched.span(),
            segments: matched.pieces().collect(),
            readings: readings.iter().map(|reading| reading.pieces().collect()).collect(),
            joined: matched.joined(),
            warnings: matched.warnings(),
            at: self.at(),
            header: self.header().map(Box::from),
            link: self.shared_link(),
            in_attribute: self.attribute().is_some(),
            role: self.role(),
            quote_depth: self.quote_depth(),
            part: self.part().map(Box::from),
            filename: self.shared_filename().cloned(),
            content_type: self.shared_content_type().cloned(),
            message_index: self.message_index(),
            // The envelope is copied once for all matches of a message.
            envelope: self.envelope().map(Envelope::to_shared),
            record_start: self.record_start(),
            key: self.key().map(Box::from),
            kept: self.all_kept(),
            record: self.record().cloned(),
            member: None,
        }
    }
}

/// Returns the identity of a link: another link of the text has its value at another position, or
/// other content.
fn address(link: Link<'_>) -> LinkAddress {
    let value = link.as_bytes();
    (value.as_ptr() as usize, value.len(), link.content().start)
}

/// The beginning of the content of a link, with the texts that stand for its images.
fn shown_content<'t>(text: &'t Text<'_>, link: Link<'t>) -> Cow<'t, [u8]> {
    let Range { start, end } = beginning(link.content());
    let (mut shown, mut from) = (Cow::Borrowed(&b""[..]), start);
    for picture in link.pictures().iter().take_while(|picture| picture.at() <= end) {
        let at = picture.at().clamp(from, end);
        shown.to_mut().extend_from_slice(&text.shown(from..at));
        shown.to_mut().extend_from_slice(&text.charset.characters(&picture.alt));
        from = at;
    }
    let rest = text.shown(from..end);
    if from == start && shown.is_empty() {
        return rest;
    }
    shown.to_mut().extend_from_slice(&rest);
    shown
}

/// The greatest length of the link text, in bytes.
const LONGEST_TEXT: usize = 200;

/// The number of bytes that are read of a link's content for its text, because the contents of
/// unclosed links lie in each other.
const LONGEST_CONTENT: usize = 4 * 1024;

/// Returns the part of a content that is read.
fn beginning(content: Range<usize>) -> Range<usize> {
    content.start..content.end.min(content.start + LONGEST_CONTENT)
}

/// The length of the space at the start of a text, which may be a no-break space: it is
/// like any other to a reader.
fn blank_len(text: &[u8]) -> usize {
    const NO_BREAK_SPACE: &str = "\u{A0}";
    match text {
        [first, ..] if first.is_ascii_whitespace() => 1,
        _ if text.starts_with(NO_BREAK_SPACE.as_bytes()) => NO_BREAK_SPACE.len(),
        _ => 0,
    }
}

/// A text with one space for each run of whitespace, shortened to whole characters if it is long.
fn spaced(text: &[u8]) -> Vec<u8> {
    let (mut spaced, mut after_blank) = (Vec::new(), false);
    let mut at = 0;
    while at < text.len() && spaced.len() <= LONGEST_TEXT {
        let blank = blank_len(&text[at..]);
        if blank == 0 {
            // A word: it has a space before it, unless it is the first.
            if after_blank && !spaced.is_empty() {
                spaced.push(b' ');
            }
            spaced.push(text[at]);
        }
        after_blank = blank > 0;
        at += blank.max(1);
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

impl<'h> Match<'h> {
    /// The match as one of a text of an archive, and of a link there.
    pub(crate) fn in_archive(self, text: &'h Text<'h>, link: Option<Link<'h>>) -> Self {
        self.from(match link {
            None => MatchOrigin::Text(text),
            Some(link) => MatchOrigin::Link(Box::new((text, link))),
        })
    }

    /// The match, in a text, is the content of this link, which has the same URL.
    pub(crate) fn set_content_of(&mut self, link: &Match<'h>) {
        if let (Some(MatchOrigin::Text(text)), Some(link)) = (&self.origin, link.link())
            && link.role() == Role::Link
        {
            self.origin = Some(MatchOrigin::Content(Box::new((text, link))));
        }
    }

    pub(super) fn from(self, origin: MatchOrigin<'h>) -> Self {
        Match { origin: Some(origin), ..self }
    }

    /// Says which member of an archive a match is in that is [owned](Self::into_owned).
    pub(crate) fn set_member(&mut self, member: Option<Arc<[u8]>>) {
        if let Some(MatchOrigin::Copied(copied)) = &mut self.origin {
            copied.member = member;
        }
    }
}

impl<'h, T: Haystack + ?Sized> Match<'h, T> {
    /// Returns the context of the match in its message or page, or `None` outside of archives.
    ///
    /// ```
    /// let page = b"Content-Type: text/html\n\n<a href=\"http://h.org/a\">the <b>page</b></a>";
    /// let m = urlgrep::Finder::new().find_in_mail(page).next().unwrap();
    /// let context = m.context().unwrap();
    /// assert_eq!((context.role().as_str(), context.element()), ("link", Some("a@href")));
    /// assert_eq!(context.link_text().as_deref(), Some(&b"the page"[..]));
    /// assert_eq!(&page[m.range()], b"http://h.org/a");
    /// ```
    pub fn context(&self) -> Option<Context<'_>> {
        Some(Context::new(self.origin.as_ref()?, self.text_range().start))
    }

    /// Returns this match with offsets in the decoded text or in the attribute, instead of the
    /// file: offsets into [`Context::text`] or [`Context::attribute`].
    pub fn in_text(&self) -> Match<'_, T> {
        self.spelled(Cow::Borrowed(&self.url))
    }

    pub(super) fn copied_origin(&self) -> Option<MatchOrigin<'static>> {
        Some(match self.origin.as_ref()? {
            MatchOrigin::Copied(copied) => MatchOrigin::Copied(copied.clone()),
            _ => MatchOrigin::Copied(Box::new(self.context()?.copied(self))),
        })
    }

    /// Returns the role of the URL for a reader: [`Role::Text`] outside of archives.
    pub fn role(&self) -> Role {
        self.context().map_or(Role::Text, |context| context.role())
    }

    /// The link that the match is in.
    pub(crate) fn link(&self) -> Option<Link<'h>> {
        self.origin.as_ref()?.link()
    }
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
        // No-break spaces.
        assert_eq!(spaced("\u{a0} a\u{a0}\u{a0}b\u{a0}".as_bytes()), b"a b");
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

    #[test]
    fn the_beginning_of_a_content() {
        assert_eq!(beginning(10..10 + LONGEST_CONTENT), 10..10 + LONGEST_CONTENT);
        assert_eq!(beginning(10..11 + LONGEST_CONTENT), 10..10 + LONGEST_CONTENT);
    }
}
