//! Finds in the texts of an archive: the only place that knows both mail and
//! URLs.
//!
//! A text is searched like any other. Beside the text, HTML has links in its
//! attributes; they come in where their elements stand, but not if what stands
//! in the element is a find of the same URL: then a reader sees one link. Header
//! fields that are one text are still fields: no URL goes from one into the next.

use std::ops::{ControlFlow, Range};

use super::search::Search;
use super::{FindIter, Finder};
use crate::appendix;
use crate::archive::{Link, Message, PlainMessage, Text};
use crate::bytes::position::Position;
use crate::bytes::window::Window;
use crate::found::Match;
use crate::found::form::{Join, Joined};

impl Finder {
    /// The URLs in a text of an archive, and in its links, in the order of the
    /// file.
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
    /// let mut finds = Vec::new();
    /// for text in message.texts() {
    ///     let found = finder.find_in(&text);
    ///     finds.extend(found.map(|at| (at.found().as_str().unwrap().to_owned(), at.found().form(), at.span())));
    /// }
    /// assert_eq!(finds, [
    ///     ("http://h.org/?a&b".to_owned(), Form::Href, 9..30),
    ///     ("http://h.org/b".to_owned(), Form::Wrapper, 48..74),
    /// ]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn find_in<'f, 't>(&'f self, text: &'t Text<'t>) -> FindIn<'f, 't> {
        FindIn {
            in_text: InText::new(self, text),
            in_links: InLinks { finder: self, text, taken: 0, inside: None },
            next: None,
            next_link: None,
        }
    }

    /// Gives `each` the URLs in the texts of a message, until that breaks.
    ///
    /// This is the same as [`find_in`](Finder::find_in) for each of the
    /// [texts](Message::texts), but faster where most messages need no decoding
    /// and have few URLs: there, texts are not even made before one is found. Only
    /// a [text](ArchiveMatch::text) may begin later: if there is no empty line behind the
    /// head, behind the first one in the body.
    pub fn find_in_message(
        &self,
        message: &Message<'_>,
        mut each: impl FnMut(&ArchiveMatch<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // A guess looks at the lines around it, of which the walk may see more.
        if self.rules().join != Join::Likely
            && let Some(plain) = message.plain()
        {
            let mut iter = self.iter_all(plain.as_bytes());
            let Some(first) = iter.next() else {
                return ControlFlow::Continue(());
            };
            if first.range().start >= plain.head_len() {
                return self.find_in_body(&plain, iter, first, each);
            }
        }
        message.texts().try_for_each(|text| self.find_in(&text).try_for_each(|located| each(&located)))
    }

    /// Gives `each` the URLs in a plain message, of which `iter` has come to the
    /// first, in the body.
    fn find_in_body<'r>(
        &self,
        plain: &PlainMessage<'r>,
        iter: FindIter<'_, 'r>,
        first: Match<'r>,
        mut each: impl FnMut(&ArchiveMatch<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let text = &plain.body();
        let (part, moved) = (0..text.as_bytes().len(), -(plain.head_len() as isize));
        let mut in_text = InText { finder: self, text, part, iter, moved, given: 0, from: 0 };
        let mut next = Some(first);
        while let Some(found) = next {
            if let Some(found) = in_text.admit(found) {
                each(&ArchiveMatch { found, text, link: None })?;
            }
            next = in_text.iter.next();
        }
        ControlFlow::Continue(())
    }

    /// An iterator that counts no lines.
    fn iter<'f, 'h>(&'f self, bytes: &'h [u8]) -> FindIter<'f, 'h> {
        FindIter { finder: self, window: Window::whole(bytes), search: Search::without_lines(self) }
    }

    /// An iterator over the unwanted URLs, too: what they go over is not read again.
    fn iter_all<'f, 'h>(&'f self, bytes: &'h [u8]) -> FindIter<'f, 'h> {
        FindIter { finder: self, window: Window::whole(bytes), search: Search::for_any(self) }
    }
}

/// A find, and the text of an archive that it was found in.
///
/// Made by [`Finder::find_in`] and [`Finder::find_in_message`]. Places here are
/// places in the file; those of the [`Match`] are in the text, or in the attribute.
#[derive(Clone, Debug)]
pub struct ArchiveMatch<'t> {
    found: Match<'t>,
    text: &'t Text<'t>,
    link: Option<Link<'t>>,
}

impl<'t> ArchiveMatch<'t> {
    /// The find as it is in the text, or in the attribute.
    pub fn found(&self) -> &Match<'t> {
        &self.found
    }

    /// The text it was found in.
    pub fn text(&self) -> &'t Text<'t> {
        self.text
    }

    /// The [readings](Match::hyphen_readings) that hyphens at line ends leave
    /// open, each in its place.
    pub fn hyphen_readings(&self) -> Vec<ArchiveMatch<'t>> {
        let of = |found| ArchiveMatch { found, text: self.text, link: self.link };
        self.found.hyphen_readings().into_iter().map(of).collect()
    }

    /// The range of the file that encodes the find, delimiters included: byte
    /// offsets from 0, the end exclusive.
    pub fn span(&self) -> Range<usize> {
        let sources = self.sources(self.found.range());
        match (sources.first(), sources.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }

    /// The ranges of the file that encode the URL, in order: byte offsets from 0,
    /// the ends exclusive.
    pub fn segments(&self) -> Vec<Range<usize>> {
        let mut segments: Vec<Range<usize>> = Vec::new();
        for range in
            self.found.segments().flat_map(|range| self.sources(range.start as usize..range.end as usize))
        {
            match segments.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => segments.push(range),
            }
        }
        segments
    }

    /// The line and column of the file where the find begins, if the reader was
    /// asked to [count lines](crate::archive::Reader::line_numbers).
    pub fn place(&self) -> Option<Position> {
        self.text.place(self.span().start)
    }

    /// How pieces from several lines came together; `None` if the URL stood on
    /// one line.
    pub fn joined(&self) -> Option<Joined> {
        let exactly = self.link.is_none() && self.text.is_joined(self.found.range());
        self.found.joined().or(exactly.then_some(Joined::Flowed))
    }

    /// The name of the header field that the find is in; `None` in a body.
    pub fn header(&self) -> Option<&'t str> {
        self.text.header(self.at())
    }

    /// The value of the attribute of HTML that the find is in, references decoded;
    /// `None` if it is in the text itself.
    pub fn attribute(&self) -> Option<&'t [u8]> {
        self.link.map(|link| link.as_bytes())
    }

    /// How many `>` the line begins with on which the find begins.
    pub fn quote_depth(&self) -> usize {
        self.text.quote_depth(self.at())
    }

    /// Where in the text it begins: a byte offset from 0. A link begins where its
    /// element does.
    pub fn at(&self) -> usize {
        self.link.map_or(self.found.range().start, |link| link.at())
    }

    fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        match &self.link {
            Some(link) => link.sources(range),
            None => self.text.sources(range),
        }
    }
}

/// The URLs in a text of an archive.
///
/// Made by [`Finder::find_in`].
#[derive(Debug)]
pub struct FindIn<'f, 't> {
    in_text: InText<'f, 't>,
    in_links: InLinks<'f, 't>,
    /// The next find of the text, and the next of a link.
    next: Option<Match<'t>>,
    next_link: Option<ArchiveMatch<'t>>,
}

impl<'t> Iterator for FindIn<'_, 't> {
    type Item = ArchiveMatch<'t>;

    fn next(&mut self) -> Option<ArchiveMatch<'t>> {
        loop {
            self.next = self.next.take().or_else(|| self.in_text.next());
            self.next_link = self.next_link.take().or_else(|| self.in_links.next());
            let (found, link) = (self.next.as_ref(), self.next_link.as_ref());
            match (found, link) {
                (Some(found), Some(link)) if agree(found, link) => self.next_link = None,
                (Some(found), Some(link)) if link.at() <= found.range().start => {
                    return self.next_link.take();
                }
                (None, Some(_)) => return self.next_link.take(),
                _ => {
                    let text = self.in_text.text;
                    return self.next.take().map(|found| ArchiveMatch { found, text, link: None });
                }
            }
        }
    }
}

/// Whether a link leads where the text in its element says.
fn agree(found: &Match<'_>, link: &ArchiveMatch<'_>) -> bool {
    let content = link.link.map_or(0..0, |link| link.content());
    let meet = content.start < found.range().end && found.range().start < content.end;
    meet && found.href() == link.found.href()
}

/// The finds of a text, its links aside.
#[derive(Debug)]
struct InText<'f, 't> {
    finder: &'f Finder,
    text: &'t Text<'t>,
    /// What is being searched, and the search of it.
    part: Range<usize>,
    iter: FindIter<'f, 't>,
    /// By how much offsets in the text are greater than those of the search.
    moved: isize,
    /// Where the last find ended that was given.
    given: usize,
    /// Finds that begin before this have been given in another search, or are not
    /// wanted.
    from: usize,
}

impl<'f, 't> InText<'f, 't> {
    fn new(finder: &'f Finder, text: &'t Text<'t>) -> Self {
        let bytes = text.as_bytes();
        let iter = finder.iter_all(bytes);
        InText { finder, text, part: 0..bytes.len(), iter, moved: 0, given: 0, from: 0 }
    }

    fn search(&mut self, part: Range<usize>) {
        self.iter = self.finder.iter_all(&self.text.as_bytes()[part.clone()]);
        self.moved = part.start as isize;
        self.part = part;
        self.from = self.given;
    }

    fn next(&mut self) -> Option<Match<'t>> {
        loop {
            let Some(found) = self.iter.next() else {
                let len = self.text.as_bytes().len();
                if self.part.end >= len {
                    return None;
                }
                // That was one field; go on with those behind it.
                self.search(self.part.end..len);
                continue;
            };
            let admitted = self.admit(found);
            if admitted.is_some() {
                return admitted;
            }
        }
    }

    /// The find that the search has come to, if it is to be given.
    fn admit(&mut self, mut found: Match<'t>) -> Option<Match<'t>> {
        found.set_base(self.moved as u64);
        let Range { start, end } = found.range();
        if start < self.from {
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
            // Nor its other readings.
            self.from = end;
            return None;
        }
        self.given = end;
        Some(found)
    }
}

/// The finds in the links of a text.
#[derive(Debug)]
struct InLinks<'f, 't> {
    finder: &'f Finder,
    text: &'t Text<'t>,
    /// How many links have been taken.
    taken: usize,
    /// A link that is no URL, and the search for those in it.
    inside: Option<(Link<'t>, FindIter<'f, 't>)>,
}

impl<'t> InLinks<'_, 't> {
    fn next(&mut self) -> Option<ArchiveMatch<'t>> {
        loop {
            if let Some((link, iter)) = &mut self.inside {
                let link = Some(*link);
                match iter.next() {
                    Some(found) => return Some(ArchiveMatch { found, text: self.text, link }),
                    None => self.inside = None,
                }
            }
            let link = self.text.link(self.taken)?;
            self.taken += 1;
            match appendix::attribute(link.as_bytes(), self.finder.rules()) {
                Some(found) if self.finder.wants(&found) => {
                    return Some(ArchiveMatch { found, text: self.text, link: Some(link) });
                }
                Some(_) => {}
                None => self.inside = Some((link, self.finder.iter(link.as_bytes()))),
            }
        }
    }
}
