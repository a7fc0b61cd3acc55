//! Searches the texts of an archive, and merges their matches with the links of HTML.
//!
//! A text is searched like any other. HTML also contains links in attributes. They are matches at the beginning of
//! their elements. If the text of the element is the same URL, a reader sees one link, so the search yields one match
//! with the role of a link: the text if it contains the scheme, or else the attribute. Header fields in one text are
//! still separate: a URL does not continue from one field in the next. JSON strings share one text as well, but are
//! searched one by one, because one string proves nothing about another.

mod archive_matches;

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::vec;

use super::search::Search;
use super::{Config, FindIter, Finder};
use memchr::memmem;

use crate::appendix::attribute;
use crate::archive::{Link, LinkIter, Message, PassthroughMessage, Text};
use crate::bytes::window::Window;
use crate::grammar::{decode_bytes, resolve, schemes};
use crate::matches::Match;
use crate::matches::form::Join;
use crate::scan::CellSeparator;

pub use archive_matches::ArchiveMatches;

impl Finder {
    /// Returns the URLs in a text of an archive, and in its links, in file order.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::{Finder, Form};
    /// use urlgrep::archive::{Format, Reader};
    ///
    /// let page = r#"<a href="http://h.org/?a&amp;b">here</a>, or at &lt;URL:http://h.org/b&gt;"#;
    /// let mut reader = Reader::new(page.as_bytes()).with_format(Format::Html);
    /// let message = reader.next_message()?.unwrap();
    /// let finder = Finder::new();
    /// let mut matches = Vec::new();
    /// for text in message.texts() {
    ///     let url = |m: &urlgrep::Match<'_>| m.to_str().unwrap().to_owned();
    ///     matches.extend(finder.find_in(&text).map(|m| (url(&m), m.form(), m.span())));
    /// }
    /// assert_eq!(matches, [
    ///     ("http://h.org/?a&b".to_owned(), Form::Attribute, 9..30),
    ///     ("http://h.org/b".to_owned(), Form::Wrapper, 48..74),
    /// ]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn find_in<'f, 't>(&'f self, text: &'t Text<'t>) -> FindIn<'f, 't> {
        let finder = self.of_text(text);
        FindIn {
            in_text: InText::new(finder, text),
            in_links: text.link_iter().map(|links| InLinks::new(finder, text, links)),
            next: None,
            next_link: None,
            nested: Vec::new().into_iter(),
        }
    }

    /// Calls `each` with the URLs in the message's texts, until `each` breaks.
    ///
    /// Yields the matches of [`find_in`](Finder::find_in) for each of the [texts](Message::texts).
    /// This is faster if most messages do not need decoding and contain few URLs, because a text is
    /// then created only when a URL is found. One difference: if no empty line follows the header,
    /// [`Context::text`](crate::Context::text) begins after the first empty line of the body.
    pub fn find_in_message(
        &self,
        message: &Message<'_>,
        mut each: impl FnMut(&Match<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // A guess examines the lines nearby, and the texts may contain more of them.
        if self.rules().join != Join::Likely
            && let Some(message) = message.passthrough()
            && !message.may_have_encoded_texts()
        {
            let mut iter = self.iter_all(message.as_bytes());
            let Some(first) = iter.next() else {
                return ControlFlow::Continue(());
            };
            // A body without a match need not be examined.
            if first.range().start >= message.head_len() && !message.has_inner_texts() {
                return self.find_in_body(&message, iter, first, each);
            }
        }
        let mut texts = message.texts().filter(|text| !text.is_void());
        texts.try_for_each(|text| self.find_in(&text).try_for_each(|m| each(&m)))
    }

    /// The finder for a text, which knows whether the text is rows of cells.
    pub(super) fn of_text(&self, text: &Text<'_>) -> &Finder {
        let Some(separator) = text.separator() else { return self };
        let n = match separator {
            b',' => 0,
            b';' => 1,
            _ => 2,
        };
        self.config.of_rows[n].get_or_init(|| {
            let mut config = Config { of_rows: Default::default(), ..(*self.config).clone() };
            config.rules.scan.read.cells = Some(CellSeparator::Known(separator));
            Finder { config: Arc::new(config) }
        })
    }

    /// Calls `each` with the URLs in a message that does not need decoding. `first`, the first
    /// match of `iter`, is in its body.
    fn find_in_body<'r>(
        &self,
        message: &PassthroughMessage<'r>,
        iter: FindIter<'_, 'r>,
        first: Match<'r>,
        mut each: impl FnMut(&Match<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let text = &message.body();
        let (part, moved) = (0..text.as_bytes().len(), -(message.head_len() as isize));
        let mut in_text = InText { finder: self, text, strings: None, part, iter, moved, end: 0, from: 0 };
        let mut next = Some(first);
        while let Some(found) = next {
            if let Some(found) = in_text.admit(found) {
                let found = found.in_archive(text, None);
                each(&found)?;
                if cfg!(feature = "unwrap") {
                    self.nested(&found).iter().try_for_each(&mut each)?;
                }
            }
            next = in_text.iter.next();
        }
        ControlFlow::Continue(())
    }

    /// An iterator that also yields matches that the filters reject: their bytes must
    /// not be searched again.
    #[inline]
    fn iter_all<'f, 'h>(&'f self, bytes: &'h [u8]) -> FindIter<'f, 'h> {
        FindIter::new(self, bytes, Search::for_any(self))
    }
}

/// The URLs in a text of an archive.
///
/// Made by [`Finder::find_in`].
#[derive(Debug)]
pub struct FindIn<'f, 't> {
    in_text: InText<'f, 't>,
    /// The matches in its links, if it has any.
    in_links: Option<InLinks<'f, 't>>,
    /// The next match of the text, and the next of a link.
    next: Option<Match<'t>>,
    next_link: Option<Match<'t>>,
    /// The URLs within the last match.
    nested: vec::IntoIter<Match<'t>>,
}

impl<'t> Iterator for FindIn<'_, 't> {
    type Item = Match<'t>;

    fn next(&mut self) -> Option<Match<'t>> {
        if !cfg!(feature = "unwrap") {
            return self.next_outer();
        }
        if let Some(nested) = self.nested.next() {
            return Some(nested);
        }
        let found = self.next_outer()?;
        self.nested = self.in_text.finder.nested(&found).into_iter();
        Some(found)
    }
}

impl<'t> FindIn<'_, 't> {
    /// The next match that is not within another.
    fn next_outer(&mut self) -> Option<Match<'t>> {
        let text = self.in_text.text;
        let mut next_in_text = || self.in_text.next().map(|found| found.in_archive(text, None));
        let Some(in_links) = &mut self.in_links else { return next_in_text() };
        loop {
            self.next = self.next.take().or_else(&mut next_in_text);
            self.next_link = self.next_link.take().or_else(|| in_links.next());
            match (&mut self.next, &self.next_link) {
                (Some(found), Some(link)) if agree(found, link) => match found.has_scheme() {
                    true => {
                        found.set_content_of(link);
                        self.next_link = None;
                    }
                    false => self.next = None,
                },
                (Some(found), Some(link)) if is_part_of(found, link, text.as_bytes()) => self.next = None,
                (Some(found), Some(link)) if starts_before(link, found) => {
                    return self.next_link.take();
                }
                (None, Some(_)) => return self.next_link.take(),
                _ => return self.next.take(),
            }
        }
    }
}

/// Returns true if the element of a link starts at or before the match of a text.
fn starts_before(link: &Match<'_>, found: &Match<'_>) -> bool {
    link.link().is_some_and(|link| link.at() <= found.text_range().start)
}

/// Returns true if a link has the same URL as the text of its element.
fn agree(found: &Match<'_>, link: &Match<'_>) -> bool {
    let content = link.link().map_or(0..0, |link| link.content());
    let range = found.text_range();
    let meet = content.start < range.end && range.start < content.end;
    #[cfg(feature = "unwrap")]
    let meet = meet && found.wrapped() == link.wrapped();
    meet && found.href() == link.href()
}

/// Returns true if a match in the link text is the start of the link's URL. Either the page
/// shortened the URL, or the rules for texts ended it early.
///
/// Forums truncate the texts of long links after the host: `https://h.org/a...z`, `https://h.org/a
/// […] z`.
fn is_part_of(found: &Match<'_>, link: &Match<'_>, text: &[u8]) -> bool {
    let Some(element) = link.link() else {
        return false;
    };
    let (content, range) = (element.content(), found.text_range());
    if !(content.start <= range.start && range.end <= content.end) {
        return false;
    }
    let (shown, target) = (&text[range.start..content.end], element.as_bytes());
    // The match ended at punctuation that its link contains.
    let next = str::from_utf8(&shown[range.len()..]).ok().and_then(|rest| rest.chars().next());
    if next.is_some_and(|c| !c.is_ascii() && !c.is_whitespace()) {
        let shown = &shown[..shown.len().min(3 * target.len())];
        let [shown, target, found] = [shown, target, found.as_bytes()].map(decode_bytes);
        if shown.starts_with(&target) && found.len() < target.len() {
            return true;
        }
    }
    let ellipsis = ELLIPSES.iter().filter_map(|mark| memmem::find(shown, mark.as_bytes())).min();
    // The ellipsis is within the match, or directly after it.
    let Some(cut) = ellipsis.filter(|&at| at <= range.len() + 1) else {
        return false;
    };
    let start = shown[..cut].trim_ascii_end();
    let host = memmem::find(start, b"://").map(|at| at + b"://".len());
    let is_start = target.starts_with(start) || decode_bytes(target).starts_with(&decode_bytes(start));
    is_start && host.is_some_and(|host| start[host..].contains(&b'/'))
}

/// The ellipses that replace the rest of a URL.
const ELLIPSES: [&str; 3] = ["...", "…", "[...]"];

/// The matches of a text, without its links.
#[derive(Debug)]
struct InText<'f, 't> {
    finder: &'f Finder,
    text: &'t Text<'t>,
    /// The strings after the current one, if the text consists of strings.
    strings: Option<StringsToSearch<'f, 't>>,
    /// The range of the text that is searched, and the search.
    part: Range<usize>,
    iter: FindIter<'f, 't>,
    /// The offset in the text minus the offset in the search.
    moved: isize,
    /// The end of the last match.
    end: usize,
    /// Matches that begin before this are skipped: another search has yielded them, or
    /// the filters reject them.
    from: usize,
}

impl<'f, 't> InText<'f, 't> {
    #[inline]
    fn new(finder: &'f Finder, text: &'t Text<'t>) -> Self {
        let strings = text.ends.as_ref().map(|ends| StringsToSearch {
            anchors: finder.iter_all(text.as_bytes()),
            from: 0,
            ends,
        });
        let part = 0..if strings.is_some() { 0 } else { text.as_bytes().len() };
        let iter = finder.iter_all(&text.as_bytes()[part.clone()]);
        InText { finder, text, strings, part, iter, moved: 0, end: 0, from: 0 }
    }

    /// Returns the next range to search.
    fn next_part(&mut self) -> Option<Range<usize>> {
        let len = self.text.as_bytes().len();
        match &mut self.strings {
            Some(strings) => strings.next(),
            // The previous range was one field; the fields after it follow.
            None => (self.part.end < len).then_some(self.part.end..len),
        }
    }

    fn search(&mut self, part: Range<usize>) {
        let bytes = &self.text.as_bytes()[part.clone()];
        self.iter.window = if self.strings.is_some() { Window::value(bytes) } else { Window::whole(bytes) };
        self.iter.search.reset();
        self.moved = part.start as isize;
        self.part = part;
        self.from = self.end;
    }

    fn next(&mut self) -> Option<Match<'t>> {
        loop {
            let Some(found) = self.iter.next() else {
                let part = self.next_part()?;
                self.search(part);
                continue;
            };
            let admitted = self.admit(found);
            if admitted.is_some() {
                return admitted;
            }
        }
    }

    /// The next match of the search, if it is not skipped.
    fn admit(&mut self, mut found: Match<'t>) -> Option<Match<'t>> {
        found.set_base(self.moved as u64);
        let Range { start, end } = found.range();
        if start < self.from {
            return None;
        }
        // A known scheme in capitals may begin a line that was broken without a fold.
        let scheme = found.written_scheme();
        if !schemes::is_known(scheme)
            && let Some(value) = self.text.value_after_name(start, scheme)
        {
            self.search(value..self.part.end);
            return None;
        }
        if found.joined().is_some()
            && let Some(field) = self.text.field(start)
            && field.end < end
        {
            self.search(field);
            return None;
        }
        if !self.finder.wants(&found) {
            // The other readings of this URL are rejected as well.
            self.from = end;
            return None;
        }
        self.end = end;
        Some(found)
    }
}

/// The strings of a text that may contain a URL.
///
/// Starting a search for each string costs more than searching short strings. The start of a URL
/// depends on a few bytes around it, so one search for anchors covers the whole text.
#[derive(Debug)]
struct StringsToSearch<'f, 't> {
    /// The search of the whole text.
    anchors: FindIter<'f, 't>,
    /// The offset at which the next string begins.
    from: usize,
    /// The ends of this field and the fields after it.
    ends: &'t [usize],
}

impl StringsToSearch<'_, '_> {
    fn next(&mut self) -> Option<Range<usize>> {
        let FindIter { finder, window, search, .. } = &mut self.anchors;
        let at = search.next_anchor(finder, window, self.from)?;
        let n = self.ends.iter().position(|&end| end >= at)?;
        let start = n.checked_sub(1).map_or(self.from, |before| self.ends[before] + 1);
        let end = self.ends[n];
        (self.from, self.ends) = (end + 1, &self.ends[n + 1..]);
        Some(start..end)
    }
}

/// The matches in the links of a text.
#[derive(Debug)]
struct InLinks<'f, 't> {
    finder: &'f Finder,
    text: &'t Text<'t>,
    /// The links that have not been searched.
    links: LinkIter<'t>,
    /// The URL against which relative links are resolved.
    base: Option<Vec<u8>>,
    /// The maximum total length of the relative links that follow, in bytes.
    room: usize,
    /// True if a link was not resolved.
    is_noted: bool,
    /// A link that is not a URL, and the search for URLs in it.
    inside: Option<(Link<'t>, FindIter<'f, 't>)>,
}

impl<'f, 't> InLinks<'f, 't> {
    fn new(finder: &'f Finder, text: &'t Text<'t>, links: LinkIter<'t>) -> Self {
        // All parts of a message share a base, so only the first part may exceed the allowance for
        // its length.
        let more = if text.part().is_none_or(|part| part == "1") { MIN_RESOLVED } else { 0 };
        let room = text.document_len().saturating_mul(RESOLVED_PER_BYTE).saturating_add(more);
        InLinks { finder, text, links, base: base(text), room, is_noted: false, inside: None }
    }

    fn next(&mut self) -> Option<Match<'t>> {
        loop {
            if let Some((link, iter)) = &mut self.inside {
                let link = Some(*link);
                match iter.next() {
                    Some(found) => return Some(found.in_archive(self.text, link)),
                    None => self.inside = None,
                }
            }
            let link = self.links.next()?;
            let url = if link.is_text() { None } else { self.url(link) };
            if let Some(mut found) = url {
                if self.finder.check(&mut found) {
                    return Some(found.in_archive(self.text, Some(link)));
                }
            } else {
                let search = Search::without_lines(self.finder);
                self.inside = Some((link, FindIter::new(self.finder, link.as_bytes(), search)));
            }
        }
    }

    /// Returns the match, if the whole link is a URL.
    fn url(&mut self, link: Link<'t>) -> Option<Match<'t>> {
        let (value, rules) = (link.as_bytes(), self.finder.rules());
        #[cfg(feature = "domains")]
        if rules.scan.invalid {
            // An attribute that is not a link, such as a field value, may contain only the beginning of a URL.
            let invalid = if link.may_be_relative() { attribute::invalid(value, rules) } else { None };
            return invalid.or_else(|| attribute::read(value, rules));
        }
        let is_anchor = matches!(link.element(), Some("a@href" | "area@href"));
        let of_non_web_scheme = || if is_anchor { attribute::of_non_web_scheme(value, rules) } else { None };
        attribute::read(value, rules)
            .or_else(|| if link.may_be_relative() { self.relative(link) } else { None })
            .or_else(of_non_web_scheme)
    }

    /// Returns the URL to which a relative link resolves. Short links with a long base would take
    /// quadratic memory, so links are resolved only up to a limit. The others, and links whose URL
    /// is too long, stay as written.
    fn relative(&mut self, link: Link<'t>) -> Option<Match<'t>> {
        let (value, base, rules) = (link.as_bytes(), self.base.as_deref(), self.finder.rules());
        if !attribute::may_be_relative(value, base) {
            return None;
        }
        let len = base.map_or(0, <[u8]>::len) + value.len();
        if len <= self.room {
            self.room -= len;
            let url = attribute::resolved(value, base)?;
            if url.len() <= rules.max_len {
                return attribute::relative(value, url, rules);
            }
        } else {
            self.room = 0;
        }
        if !std::mem::replace(&mut self.is_noted, true) {
            self.text.note_unresolved();
        }
        attribute::unresolved(value, rules)
    }
}

/// The maximum total length of a document's resolved links: a multiple of its length, plus a
/// constant.
const RESOLVED_PER_BYTE: usize = 64;
const MIN_RESOLVED: usize = 1 << 20;

/// The URL against which the relative links of a text are resolved.
fn base(text: &Text<'_>) -> Option<Vec<u8>> {
    text.bases().fold(None, |outer, inner| match resolve::has_scheme(&inner) {
        true => Some(inner.into_owned()),
        false => outer.map(|outer| resolve::resolve(&outer, &inner).unwrap_or(outer)),
    })
}

/// Messages in pieces: the pieces yield the same matches as the whole message.
#[cfg(test)]
mod piece_tests {
    use std::ops::Range;
    use std::path::PathBuf;

    use proptest::prelude::*;

    use crate::Finder;
    use crate::archive::{Attachments, Format, Limits, ReadOptions, Reader};
    use crate::bytes::position::Position;

    /// A match, and the facts about its message.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Found {
        url: String,
        span: Range<u64>,
        segments: Vec<Range<u64>>,
        position: Option<Position>,
        index: u64,
        id: Option<String>,
        part: Option<String>,
        content_type: Option<String>,
        header: Option<String>,
        uri: Option<String>,
    }

    /// The matches in a file whose messages are split at these limits; `None`: at none.
    fn matches(
        file: &[u8],
        format: Option<Format>,
        limits: Option<Limits>,
        attachments: Attachments,
    ) -> Vec<Found> {
        let finder = Finder::new();
        let options = ReadOptions { line_numbers: true, attachments, ..ReadOptions::default() };
        let mut reader = Reader::new(file).with_options(&options);
        if let Some(limits) = limits {
            reader = reader.with_limits(limits);
        }
        if let Some(format) = format {
            reader = reader.with_format(format);
        }
        let mut all = Vec::new();
        while let Some(message) = reader.next_message().unwrap() {
            assert!(
                limits
                    .is_none_or(|limits| message.span().end - message.span().start <= limits.message as u64)
            );
            for text in message.texts() {
                all.extend(finder.find_in(&text).map(|m| Found {
                    url: String::from_utf8_lossy(m.as_bytes()).into_owned(),
                    span: m.span(),
                    segments: m.pieces().collect(),
                    position: m.position(),
                    index: text.message_index(),
                    id: text.envelope().and_then(|envelope| envelope.id()),
                    part: text.part().map(Into::into),
                    content_type: text.content_type(),
                    header: m.context().unwrap().header().map(Into::into),
                    uri: text.record().and_then(|record| record.uri()).map(Into::into),
                }));
            }
        }
        all
    }

    fn limits(message: usize) -> Limits {
        Limits { message, margin: message / 8, choice: message / 4, depth: 3 }
    }

    #[track_caller]
    fn same(file: &[u8], message: usize) {
        for attachments in Attachments::ALL {
            let whole = matches(file, None, None, attachments);
            let pieces = matches(file, None, Some(limits(message)), attachments);
            let first = pieces.iter().zip(&whole).find(|(piece, whole)| piece != whole);
            assert_eq!((first, pieces.len()), (None, whole.len()), "pieces of {message} bytes");
        }
    }

    /// Lines of text, each with a link, and an empty line after every fourth.
    fn text(from: usize, lines: usize) -> String {
        let line = |n| format!("see http://h.org/{n}?a=b{}\n", if n % 4 == 0 { "\n" } else { "" });
        (from..from + lines).map(line).collect()
    }

    fn quoted(text: &str) -> String {
        text.replace('=', "=3D").replace("h.org/", "h.=\norg/")
    }

    /// Base64 in lines of this length.
    fn base64(text: &str, width: usize) -> String {
        const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut characters = String::new();
        for group in text.as_bytes().chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|n| usize::from(group.get(n).copied().unwrap_or(0)));
            let indexes = [a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63];
            let used = group.len() + 1;
            characters.extend(indexes.iter().take(used).map(|&n| char::from(ALPHABET[n])));
            characters.extend(std::iter::repeat_n('=', 4 - used));
        }
        let lines = characters.as_bytes().chunks(width).map(|line| str::from_utf8(line).unwrap());
        lines.collect::<Vec<_>>().join("\n") + "\n"
    }

    /// A message with a part in base64.
    fn with_part(kind: &str, content: &str) -> String {
        let fields = format!("Content-Type: {kind}\nContent-Transfer-Encoding: base64");
        let body = format!("--A\n{fields}\n\n{}--A--\n", base64(content, 76));
        format!("{HEAD}Content-Type: multipart/mixed; boundary=A\n\n{body}")
    }

    /// Messages of a mailbox, each with that many lines in base64.
    fn mailbox(messages: usize, lines: usize) -> String {
        let mail = |n: usize| {
            let head = format!("From a@h.org Fri Mar  2 10:11:12 2001\nMessage-ID: <{n:04}@i.org>");
            let body = base64(&text(1000 + n, lines), 76);
            let mail = format!("{head}\nContent-Transfer-Encoding: base64\n\n{body}\n");
            // No message but the first begins where a quartet of base64 does.
            let padding = "\n".repeat((3 - mail.len() % 3) % 3 + usize::from(n == 0));
            mail + &padding
        };
        (0..messages).map(mail).collect()
    }

    /// A document in a part continues in the next piece: the same messages, with the same numbers.
    #[test]
    fn a_document_in_a_part() {
        same(with_part("application/mbox", &mailbox(60, 1)).as_bytes(), 4096);
        same(with_part("application/mbox", &mailbox(1, 3).repeat(40)).as_bytes(), 1500);
        // Each message is in several pieces.
        for size in [1500, 2000, 4096] {
            same(with_part("application/mbox", &mailbox(3, 300)).as_bytes(), size);
        }
        let inner = format!("From: b@h.org\nSubject: c\n{}", with_part("application/mbox", &mailbox(30, 20)));
        for size in [4096, 10_000] {
            same(with_part("message/rfc822", &inner).as_bytes(), size);
            same(with_part("application/octet-stream", &inner).as_bytes(), size);
        }
        let strings: String = (0..400).map(|n| format!("{{\"a\": \"http:\\/\\/h.org\\/{n}\"}}\n")).collect();
        same(with_part("application/octet-stream", &strings).as_bytes(), 2000);
    }

    /// All pieces of a page have the head that is in its first one.
    #[test]
    fn the_page_of_a_message_in_a_part() {
        let page = format!(
            "<!-- MHonArc v2.6.16 -->\n<!--X-Subject: s -->\n<!--X-Message-Id: 9@h.org -->\n<html><body>\n{}",
            text(0, 300).replace("see ", "<p>see ")
        );
        let disposition = "Content-Disposition: attachment; filename=a.html";
        for kind in ["text/html", "application/xhtml+xml", "application/octet-stream", "text/plain"] {
            let mail = with_part(&format!("{kind}\n{disposition}"), &page);
            same(mail.as_bytes(), 4096);
            let found = matches(mail.as_bytes(), None, Some(limits(4096)), Attachments::Documents);
            let ids: Vec<_> = found.iter().filter(|m| m.header.is_none()).map(|m| m.id.as_deref()).collect();
            assert!(ids.len() > 100 && ids.iter().all(|id| *id == Some("9@h.org")), "{kind}: {ids:?}");
            let mbox = format!("From a@h.org Fri Mar  2 10:11:12 2001\n{mail}\n").repeat(2);
            same(with_part("application/mbox", &mbox).as_bytes(), 4096);
        }
    }

    #[test]
    fn a_web_archive_in_a_part() {
        let record = |n: usize, lines| {
            let page = format!("<html><a href='/{n}'>it</a>\n{}", text(n, lines));
            let head = format!(
                "WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://h.org/{n}\nContent-Type: text/html\n"
            );
            format!("{head}Content-Length: {}\n\n{page}\n\n", page.len())
        };
        let archive: String = (0..40).map(|n| record(n, 3)).collect();
        same(with_part("application/warc", &archive).as_bytes(), 4096);
        // Only the record declares the type of its rest.
        let long = with_part("application/warc", &[record(1, 3), record(2, 600), record(3, 3)].concat());
        let found = |limits| {
            let found = matches(long.as_bytes(), None, limits, Attachments::Documents);
            found.into_iter().map(|m| (m.url, m.span, m.part, m.uri)).collect::<Vec<_>>()
        };
        assert_eq!(found(Some(limits(4096))), found(None));
    }

    const HEAD: &str = "From: a@h.org\nMessage-ID: <1@h.org>\nSubject: http://h.org/subject\n";

    /// A message with parts of every kind, with `n` lines in each.
    fn message(n: usize) -> String {
        let part = |fields: &str, body: &str| format!("--A\n{fields}\n{body}");
        let inner = format!(
            "Message-ID: <2@h.org>\nContent-Type: multipart/digest; boundary=B\n\n--B\n\nMessage-ID: <3@h.org>\n\n{}\n--B\n\nMessage-ID: <4@h.org>\n\n{}\n--B--\n",
            text(500, n),
            text(600, n)
        );
        [
            format!("{HEAD}Content-Type: multipart/mixed; boundary=A\n\n{}", text(0, n)),
            part("", &text(100, n)),
            part("Content-Transfer-Encoding: quoted-printable\n", &quoted(&text(200, n))),
            part("Content-Transfer-Encoding: base64\n", &base64(&text(300, n), 76)),
            part("Content-Transfer-Encoding: base64\nContent-Type: image/gif\n", &base64(&text(400, n), 72)),
            part("Content-Type: message/rfc822\n", &inner),
            part("Content-Type: text/html\n", &text(700, n).replace("see ", "<p>see ")),
            part(
                "Content-Type: text/calendar\n",
                &text(800, n).replace("?a", "\n ?a").replace("\n\n", "\nX:"),
            ),
            part(
                "Content-Type: text/plain; format=flowed; delsp=yes\n",
                &text(900, n).replace("?a", " \n?a"),
            ),
            format!("--A--\n{}", text(1000, n)),
        ]
        .concat()
    }

    #[test]
    fn every_kind_of_part() {
        for n in [3, 20, 70] {
            let file = message(n);
            for size in [700, 1024, 1500, 4096, 10_000] {
                same(file.as_bytes(), size);
                let mbox = format!("From a@h.org Fri Mar  2 10:11:12 2001\n{file}\n").repeat(2);
                same(mbox.as_bytes(), size);
            }
        }
    }

    #[test]
    fn a_message_without_parts() {
        for fields in [
            "",
            "Content-Transfer-Encoding: quoted-printable\n",
            "Content-Type: text/plain; charset=utf-16be\n",
        ] {
            same(format!("{HEAD}{fields}\n{}", text(0, 300)).as_bytes(), 1024);
        }
        // Lines of base64 that do not hold whole quartets.
        for width in [76, 75, 61] {
            let mail = format!("{HEAD}Content-Transfer-Encoding: base64\n\n{}", base64(&text(0, 300), width));
            same(mail.as_bytes(), 1024);
        }
    }

    #[test]
    fn a_head_that_is_too_long() {
        let fields = "X-Y: http://h.org/x\n".repeat(200);
        let mail = format!("{HEAD}{fields}\n{}", text(0, 3));
        let found = matches(mail.as_bytes(), None, Some(limits(1024)), Attachments::Documents);
        assert_eq!(found.len(), 204);
        let parts = format!(
            "{HEAD}Content-Type: multipart/mixed; boundary=A\n\n--A\n{fields}\n{}--A--\n",
            text(0, 3)
        );
        assert_eq!(matches(parts.as_bytes(), None, Some(limits(1024)), Attachments::Documents).len(), 204);
    }

    /// The header of a part of a digest continues in the next piece: the part is still a message.
    #[test]
    fn a_digest_whose_heads_are_cut() {
        let fields = "X-Y: a word\n".repeat(40);
        let part = |n| format!("--A\n{fields}\nMessage-ID: <{n}@i.org>\n\n{}", text(n, 3));
        let parts: String = (2..12).map(part).collect();
        let mail = format!("{HEAD}Content-Type: multipart/digest; boundary=A\n\n{parts}--A--\n");
        (700..1400).step_by(50).for_each(|size| same(mail.as_bytes(), size));
    }

    /// The next piece begins with the rest of a line, which was neither a delimiter nor a field.
    #[test]
    fn a_line_that_is_cut() {
        let head = format!("{HEAD}Content-Type: multipart/mixed; boundary=A\n\n--A\n\n");
        let (long, url) =
            ("a".repeat(500), "Content-Transfer-Encoding: quoted-printable\n\nhttp://h.org/a=\n");
        let more = "see http://h.org/b\n".repeat(20);
        for (before, rest) in [
            ("", format!(" --A\n{url}")),
            ("", format!("--A\n{url}")),
            ("", format!("----A--\n{url}")),
            ("see\n--A--\n", format!(" {url}")),
            ("see\n--A--\n", url.to_owned()),
        ] {
            for size in 680..780 {
                same(format!("{head}{before}{long}{rest}{more}").as_bytes(), size);
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_in_any_part(
            words in prop::collection::vec(prop::sample::select(vec![
                "http://h.org/a", "\n", "\n\n", " ", "see", "--A", "\n--A\n", "\n--B\n", "\n--A--\n", "word ", "=\n", "=3D", "\r\n",
                "Content-Type: text/html\n", "\nContent-Transfer-Encoding: quoted-printable\n\n", "<p>", "1234567890123456789012345678901234567890\n",
            ]), 0..300),
            size in 600_usize..2000,
        ) {
            let file = format!("{HEAD}Content-Type: multipart/mixed; boundary=A\n\n--A\n\n{}", words.concat());
            let (whole, pieces) = (matches(file.as_bytes(), None, None, Attachments::Documents), matches(file.as_bytes(), None, Some(limits(size)), Attachments::Documents));
            let urls = |found: &[Found]| found.iter().map(|found| (found.url.clone(), found.span.clone(), found.position)).collect::<Vec<_>>();
            prop_assert_eq!(urls(&pieces), urls(&whole));
        }
    }

    /// The messages of the files that the variable `URLGREP_MAIL` lists, whole and in pieces.
    #[test]
    #[ignore = "needs mail"]
    fn real_messages() {
        let list = std::env::var("URLGREP_MAIL").expect("URLGREP_MAIL is a file with one path in each line");
        let (mut all, mut cut, mut differ) = (0, 0, 0);
        for path in std::fs::read_to_string(list).unwrap().lines().map(PathBuf::from) {
            let file = std::fs::read(&path).unwrap();
            if !matches!(Reader::new(&file[..]).format(), Format::Mail | Format::Mbox) {
                continue;
            }
            let whole = matches(&file, None, None, Attachments::Documents);
            all += whole.len();
            for size in [32 * 1024, 64 * 1024, 128 * 1024] {
                cut += usize::from(file.len() > size);
                let pieces = matches(&file, None, Some(limits(size)), Attachments::Documents);
                if pieces != whole {
                    differ += 1;
                    let first = pieces.iter().zip(&whole).find(|(a, b)| a != b);
                    println!(
                        "{}, {size}: {} for {} matches; {first:?}",
                        path.display(),
                        pieces.len(),
                        whole.len()
                    );
                }
            }
        }
        println!("{all} matches, {cut} files cut, {differ} differ");
        assert_eq!(differ, 0);
    }
}
