//! The finder runs all stages, one after the other. Only this module imports all of them.

// | module | contains |
// |---|---|
// | `archive` | matches in the texts of an archive, merged with the links of HTML |
// | `at` | the match that covers an offset, or starts there |
// | `builder`, `options` | the options of a finder, as methods and by name |
// | `explain_at` | why no match covers an offset |
// | `search` | the state of a finder while it reads a text, whole or in chunks |
// | `texts` | many short texts, such as the rows of a column |

#[cfg(feature = "archive")]
mod archive;
mod at;
mod builder;
mod explain_at;
mod options;
mod search;
mod texts;

use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

#[cfg(feature = "archive")]
pub use archive::{ArchiveMatches, FindIn};
pub use builder::{BuildError, FinderBuilder};
pub use explain_at::{Explanation, Refusal};
pub use options::{OptionError, OptionKind, SearchOption, options};
use search::Search;
pub use search::{Scanner, Stream};
pub use texts::Batch;

use crate::appendix::Rules;
use crate::bytes::haystack::{AsHaystack, Haystack};
use crate::bytes::window::Window;
use crate::grammar::{Dialect, Grade};
use crate::matches::Match;
use crate::matches::readings::Hyphen;
use crate::scan::index;

/// A compiled set of rules that searches texts for URLs.
///
/// Building one takes a few microseconds. Clones share the rules and are cheap. A finder has no
/// buffers, and threads can share it.
///
/// # Example
///
/// ```
/// use urlgrep::{Finder, Grade};
///
/// let finder = Finder::builder().min_grade(Grade::Rfc1738).build()?;
/// let text = "http://h.org/a http://h.org/~me/ http://h.org/{x}";
/// let urls: Vec<_> = finder.find_iter(text).map(|m| m.to_string()).collect();
/// assert_eq!(urls, ["http://h.org/a"]);
/// # Ok::<(), urlgrep::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    config: Arc<Config>,
}

/// The configuration that a finder was built with.
#[derive(Clone, Debug, Default)]
struct Config {
    rules: Rules,
    dialect: Dialect,
    min_grade: Option<Grade>,
    /// In lower case; `None` for any.
    scheme_filter: Option<Vec<Box<str>>>,
    lines: bool,
    /// True if rewritten links are replaced by the URLs inside them.
    #[cfg(feature = "unwrap")]
    unwrap: bool,
    /// True if the URLs within a match follow it.
    nested: bool,
    /// True if the fast path suits the rules.
    plain: bool,
    /// The finder for rows of cells, for each separator, once a text has some.
    #[cfg(feature = "archive")]
    of_rows: [std::sync::OnceLock<Finder>; 3],
}

impl Default for Finder {
    fn default() -> Self {
        DEFAULT.clone()
    }
}

impl Finder {
    /// Returns a finder with the default rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a builder for a finder with other rules.
    pub fn builder() -> FinderBuilder {
        FinderBuilder::default()
    }

    /// Returns the first URL in `text`.
    ///
    /// Takes time linear in the number of bytes up to the end of that URL.
    pub fn find<'h, H: AsHaystack + ?Sized>(&self, text: &'h H) -> Option<Match<'h, H::Haystack>> {
        if self.rules().scan.has_implied() {
            return self.find_iter(text).next();
        }
        let colon = index::first_colon(text.as_haystack().bytes(), &self.rules().scan.schemes)?;
        let mut matches = self.find_iter(text);
        matches.search.begin_at(colon);
        matches.next()
    }

    /// Returns true if `text` contains a URL.
    ///
    /// Stops at the first match, in time linear in the length of the text up to the end of that match.
    ///
    /// ```
    /// assert!(urlgrep::Finder::new().is_match("see http://h.org/"));
    /// ```
    pub fn is_match<H: AsHaystack + ?Sized>(&self, text: &H) -> bool {
        self.find(text).is_some()
    }

    /// Returns the URLs in `text`, in the order in which they start.
    ///
    /// Matches do not overlap, except the readings of one URL with [`Hyphen::Both`] and the URLs
    /// within one with [`nested`](FinderBuilder::nested). The text can be in any encoding that is a
    /// superset of ASCII. The text is read as the iterator advances, in time linear in its length.
    pub fn find_iter<'f, 'h, H: AsHaystack + ?Sized>(&'f self, text: &'h H) -> FindIter<'f, 'h, H::Haystack> {
        FindIter::new(self, text.as_haystack().bytes(), Search::new(self))
    }

    /// Returns the match that contains the byte at `offset`, or `None` if no match does.
    ///
    /// The delimiters belong to the match, so a click at `offset` opens its [`href`](crate::Match::href). If a cursor
    /// is directly after a URL, its offset is outside the match. To include that case, try `offset - 1` as well. The
    /// match is one that [`find_iter`](Self::find_iter) yields, but without a [position](crate::Match::position). The
    /// cost does not depend on the length of the text: the search starts at an empty line that is at least
    /// [`max_len`](FinderBuilder::max_len) and at most twice `max_len` bytes before the offset, or at a line start or
    /// a space in that range if it has no empty line, and stops after the match.
    ///
    /// # Example
    ///
    /// ```
    /// let text = "see <http://h.org/\n  a>, or so";
    /// let finder = urlgrep::Finder::new();
    /// assert_eq!(finder.find_covering(text, 21).unwrap().as_str(), "http://h.org/a");
    /// assert!(finder.find_covering(text, 1).is_none());
    /// ```
    pub fn find_covering<'h, H: AsHaystack + ?Sized>(
        &self,
        text: &'h H,
        offset: usize,
    ) -> Option<Match<'h, H::Haystack>> {
        Some(at::near(self, text.as_haystack().bytes(), offset).covering?.of_text())
    }

    /// Returns the match that starts at the byte `offset` of `text`, delimiters included, as if the text began there.
    ///
    /// The bytes before the offset are ignored, so punctuation that opens before the offset does not end the URL. For
    /// example, at the scheme of `**http://h.org/a**`, the match is `http://h.org/a**`. If you need the context
    /// before the link, call [`find_covering`](Self::find_covering) with the offset of the colon, and check where the
    /// match starts. The match has no [position](crate::Match::position).
    ///
    /// The cost depends on the length of the match, not on the length of the text. Without a match, at most about
    /// twice [`max_len`](FinderBuilder::max_len) bytes are read, because a longer URL is not a match. A parser that
    /// calls this at each scheme of a text should set a `max_len` such as 2,048, so that in a text such as
    /// `http:http:http:…` each call reads at most about 4 KB.
    ///
    /// # Example
    ///
    /// ```
    /// let finder = urlgrep::Finder::new();
    /// let text = "see http://h.org/a, or so";
    /// let m = finder.match_at(text, 4).unwrap();
    /// assert_eq!((m.as_str(), m.range()), ("http://h.org/a", 4..18));
    /// assert!(finder.match_at(text, 3).is_none());
    /// ```
    pub fn match_at<'h, H: AsHaystack + ?Sized>(
        &self,
        text: &'h H,
        offset: usize,
    ) -> Option<Match<'h, H::Haystack>> {
        Some(at::anchored(self, text.as_haystack().bytes(), offset)?.of_text())
    }

    /// Returns the whole `text` in chunks: the URLs, and the text between them, in order.
    ///
    /// The ranges of the chunks are adjacent, and together they are the text. Matches inside another
    /// one ([`Hyphen::Both`], `nested`) are left out. Costs as much as
    /// [`find_iter`](Self::find_iter).
    ///
    /// With the default [`Join`](crate::Join), a link may replace a line break of the text, as in the example.
    /// With [`Join::None`](crate::Join::None), each link replaces one piece of one line.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::{Chunk, Finder};
    ///
    /// // The text is untrusted: all of it is escaped, and other schemes (`javascript:`) do not become links.
    /// let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    /// let is_link = |scheme: &str| ["http", "https", "mailto"].contains(&scheme);
    ///
    /// let text = "at <http://h.org/\n  a>, \"x\" & <URL:javascript:alert(1)>";
    /// let html: String = Finder::new()
    ///     .chunks(text)
    ///     .map(|chunk| match chunk {
    ///         Chunk::Match(m) if is_link(&m.scheme()) => {
    ///             let url = escape(&m.href());
    ///             format!("<a href=\"{url}\">{url}</a>")
    ///         }
    ///         Chunk::Match(m) => escape(&text[m.range()]),
    ///         Chunk::Text(range) => escape(&text[range]),
    ///     })
    ///     .collect();
    /// let link = "<a href=\"http://h.org/a\">http://h.org/a</a>";
    /// assert_eq!(html, format!("at {link}, &quot;x&quot; &amp; &lt;URL:javascript:alert(1)>"));
    /// ```
    pub fn chunks<'f, 'h, H: AsHaystack + ?Sized>(&'f self, text: &'h H) -> Chunks<'f, 'h, H::Haystack> {
        Chunks { matches: self.find_iter(text), next: None, at: 0, len: text.as_haystack().bytes().len() }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.config.rules
    }

    pub(crate) fn counts_lines(&self) -> bool {
        self.config.lines
    }

    /// Returns true if matches need neither filters nor positions nor other readings.
    fn takes_all(&self) -> bool {
        let Config { lines, nested, rules, .. } = &*self.config;
        !self.has_checks() && !lines && !nested && rules.hyphen != Hyphen::Both
    }

    /// Returns true if matches are checked after the rules: a filter, a dialect, or unwrapping.
    fn has_checks(&self) -> bool {
        let Config { dialect, min_grade, scheme_filter, .. } = &*self.config;
        #[cfg(feature = "unwrap")]
        if self.config.unwrap {
            return true;
        }
        self.rules().scan.invalid
            || scheme_filter.is_some()
            || min_grade.is_some()
            || *dialect != Dialect::default()
    }

    /// Prepares `matched` for the caller: unwraps a rewritten link and sets the dialect. Returns true if the match
    /// passes the filters.
    fn check(&self, matched: &mut Match<'_>) -> bool {
        #[cfg(feature = "unwrap")]
        if self.config.unwrap {
            matched.open_wrapper();
        }
        matched.set_dialect(self.config.dialect);
        self.wants(matched)
    }

    /// Returns the URLs within `matched` that the caller wants, in the order of the text.
    fn nested<'h>(&self, matched: &Match<'h>) -> Vec<Match<'h>> {
        #[cfg(feature = "unwrap")]
        if self.config.nested {
            return matched.nested().into_iter().filter(|nested| self.wants(nested)).collect();
        }
        let _ = matched;
        Vec::new()
    }

    /// Returns the nested matches without the text, the last first.
    #[cold]
    fn nested_owned(&self, matched: &Match<'_>) -> Vec<Match<'static>> {
        self.nested(matched).into_iter().rev().map(Match::into_owned).collect()
    }

    /// Returns true if `matched` passes the filters.
    fn wants(&self, matched: &Match<'_>) -> bool {
        let Config { min_grade, scheme_filter, .. } = &*self.config;
        #[cfg(feature = "domains")]
        if self.config.rules.scan.invalid && matched.invalid().is_none() {
            return false;
        }
        let written = matched.written_scheme();
        scheme_filter.as_ref().is_none_or(|schemes| {
            schemes.iter().any(|scheme| scheme.as_bytes().eq_ignore_ascii_case(written))
        }) && min_grade.is_none_or(|min| matched.grade() >= min)
    }
}

/// The URLs in a text, in the order in which they start.
///
/// Returned by [`Finder::find_iter`] and [`find_iter`].
#[derive(Debug)]
pub struct FindIter<'f, 'h, T: ?Sized = [u8]> {
    finder: &'f Finder,
    window: Window<'h>,
    search: Search,
    text: PhantomData<T>,
}

impl<'f, 'h, T: ?Sized> FindIter<'f, 'h, T> {
    #[inline]
    fn new(finder: &'f Finder, bytes: &'h [u8], search: Search) -> Self {
        FindIter { finder, window: Window::whole(bytes), search, text: PhantomData }
    }
}

impl<'h, T: Haystack + ?Sized> Iterator for FindIter<'_, 'h, T> {
    type Item = Match<'h, T>;

    fn next(&mut self) -> Option<Match<'h, T>> {
        self.search.next(self.finder, &self.window).map(Match::of_text)
    }
}

impl<T: Haystack + ?Sized> FusedIterator for FindIter<'_, '_, T> {}

/// A part of a text: a URL, or the text between two URLs.
#[derive(Debug, PartialEq, Eq, Hash)]
pub enum Chunk<'h, T: Haystack + ?Sized = [u8]> {
    /// Text without a URL: a range of byte offsets, never empty.
    Text(Range<usize>),
    /// A URL, delimiters included.
    Match(Match<'h, T>),
}

impl<T: Haystack + ?Sized> Chunk<'_, T> {
    /// Returns the range of this chunk in the text: byte offsets from 0, the end exclusive.
    pub fn range(&self) -> Range<usize> {
        match self {
            Chunk::Text(range) => range.clone(),
            Chunk::Match(matched) => matched.range(),
        }
    }
}

impl<T: Haystack + ?Sized> Clone for Chunk<'_, T> {
    fn clone(&self) -> Self {
        match self {
            Chunk::Text(range) => Chunk::Text(range.clone()),
            Chunk::Match(matched) => Chunk::Match(matched.clone()),
        }
    }
}

/// The parts of a text, in order.
///
/// Returned by [`Finder::chunks`].
#[derive(Debug)]
pub struct Chunks<'f, 'h, T: Haystack + ?Sized = [u8]> {
    matches: FindIter<'f, 'h, T>,
    /// The match after the text that was yielded last.
    next: Option<Match<'h, T>>,
    at: usize,
    len: usize,
}

impl<'h, T: Haystack + ?Sized> Iterator for Chunks<'_, 'h, T> {
    type Item = Chunk<'h, T>;

    fn next(&mut self) -> Option<Chunk<'h, T>> {
        let at = self.at;
        let next = self.next.take().or_else(|| self.matches.find(|m| m.range().start >= at));
        let until = next.as_ref().map_or(self.len, |m| m.range().start);
        if at < until {
            (self.next, self.at) = (next, until);
            return Some(Chunk::Text(at..until));
        }
        let matched = next?;
        self.at = matched.range().end;
        Some(Chunk::Match(matched))
    }
}

impl<T: Haystack + ?Sized> FusedIterator for Chunks<'_, '_, T> {}

static DEFAULT: LazyLock<Finder> =
    LazyLock::new(|| Finder { config: Arc::new(FinderBuilder::default().complete()) });

/// Returns the first URL in `text`, by the default rules.
///
/// # Example
///
/// ```
/// let m = urlgrep::find("at <URL:ftp://h.org/pub/Inc.>.").unwrap();
/// assert_eq!(m.as_str(), "ftp://h.org/pub/Inc.");
/// ```
pub fn find<H: AsHaystack + ?Sized>(text: &H) -> Option<Match<'_, H::Haystack>> {
    DEFAULT.find(text)
}

/// Returns the URLs in `text`, in the order in which they start, by the default rules.
///
/// # Example
///
/// ```
/// let text = "http://h.org/a, or (http://h.org/b).";
/// let ranges: Vec<_> = urlgrep::find_iter(text).map(|m| m.range()).collect();
/// assert_eq!(ranges, [0..14, 20..34]);
/// ```
pub fn find_iter<H: AsHaystack + ?Sized>(text: &H) -> FindIter<'static, '_, H::Haystack> {
    DEFAULT.find_iter(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hyphen;

    /// Those of the first 256 bytes are examined before the search starts.
    #[test]
    fn a_url_is_found_after_any_number_of_colons() {
        for colons in (0..10).chain(24..30) {
            let text = "at 12:30, ".repeat(colons);
            assert!(!is_found(&text), "{text}");
            assert!(is_found(&(text.clone() + "<http://h.org/>")), "{text}");
            assert!(is_found(&(text.clone() + "<URL: mailto:a@h.org>")), "{text}");
        }
    }

    fn is_found(text: &str) -> bool {
        let (found, first) = (find(text), find_iter(text).next());
        assert_eq!(found, first);
        found.is_some()
    }

    /// Longer than the first read.
    #[test]
    fn a_long_url_is_found_at_each_of_its_bytes() {
        let text = format!("see <URL:http://h.org/{}>", "a".repeat(10_000));
        let finder = Finder::new();
        let expected = Some(4..text.len());
        for offset in [4, 5, 8, 9, 12, 13, 4_000, 10_000, text.len() - 1] {
            assert_eq!(finder.find_covering(&text, offset).map(|m| m.range()), expected, "{offset}");
        }
        assert_eq!(finder.match_at(&text, 4).map(|m| m.range()), expected);
        assert_eq!(finder.match_at(&text, 9).map(|m| m.url_range()), Some(9..text.len() - 1));
        for offset in [0, 3, 6, 8, text.len(), usize::MAX] {
            assert!(finder.match_at(&text, offset).is_none(), "{offset}");
        }
    }

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
                for span in finder.chunks(text) {
                    assert!(span.range().start == at && span.range().end > at, "{text:?}");
                    at = span.range().end;
                }
                assert_eq!(at, text.len(), "{text:?}");
            }
        }
    }
}
