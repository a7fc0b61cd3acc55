//! The whole text: the URLs, and what is between them.

use std::iter::FusedIterator;
use std::ops::Range;

use super::{FindIter, Finder};
use crate::found::Match;

impl Finder {
    /// All of `text`: the URLs, and the text between them, in order.
    ///
    /// The ranges of the spans are adjacent, and together they are the text. Under
    /// [`Hyphen::Both`](crate::Hyphen::Both) only the first reading of a URL is
    /// yielded. The cost is that of [`find_iter`](Self::find_iter).
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::{Finder, Span};
    ///
    /// let text = "at <http://h.org/\n  a>, or so";
    /// let html: String = Finder::new()
    ///     .spans(text)
    ///     .map(|span| match span {
    ///         Span::Text(range) => text[range].to_owned(),
    ///         Span::Match(m) => format!("<a href=\"{m}\">{m}</a>"),
    ///     })
    ///     .collect();
    /// assert_eq!(html, "at <a href=\"http://h.org/a\">http://h.org/a</a>, or so");
    /// ```
    pub fn spans<'f, 'h, T: AsRef<[u8]> + ?Sized>(&'f self, text: &'h T) -> Spans<'f, 'h> {
        Spans { matches: self.find_iter(text), next: None, at: 0, len: text.as_ref().len() }
    }
}

/// A part of a text: a URL, or what is between two of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Span<'h> {
    /// Text without a URL: a range of byte offsets, never empty.
    Text(Range<usize>),
    /// A URL, delimiters included.
    Match(Match<'h>),
}

impl Span<'_> {
    /// The range of the text: byte offsets from 0, the end exclusive.
    pub fn range(&self) -> Range<usize> {
        match self {
            Span::Text(range) => range.clone(),
            Span::Match(matched) => matched.range(),
        }
    }
}

/// The parts of a text, in order.
///
/// Returned by [`Finder::spans`].
#[derive(Debug)]
pub struct Spans<'f, 'h> {
    matches: FindIter<'f, 'h>,
    /// The match after the text that was yielded last.
    next: Option<Match<'h>>,
    at: usize,
    len: usize,
}

impl<'h> Iterator for Spans<'_, 'h> {
    type Item = Span<'h>;

    fn next(&mut self) -> Option<Span<'h>> {
        let at = self.at;
        let next = self.next.take().or_else(|| self.matches.find(|m| m.range().start >= at));
        let until = next.as_ref().map_or(self.len, |m| m.range().start);
        if at < until {
            (self.next, self.at) = (next, until);
            return Some(Span::Text(at..until));
        }
        let matched = next?;
        self.at = matched.range().end;
        Some(Span::Match(matched))
    }
}

impl FusedIterator for Spans<'_, '_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hyphen;

    #[test]
    fn the_spans_are_the_text() {
        for text in [
            "",
            "no link",
            "http://h.org/",
            "<http://h.org/> http://h.org/b.",
            "a <URL:http://h.org/a-\nb> c",
        ] {
            for hyphen in [Hyphen::Keep, Hyphen::Both] {
                let finder = Finder::builder().hyphen(hyphen).build().unwrap();
                let mut at = 0;
                for span in finder.spans(text) {
                    assert!(span.range().start == at && span.range().end > at, "{text:?}");
                    at = span.range().end;
                }
                assert_eq!(at, text.len(), "{text:?}");
            }
        }
    }
}
