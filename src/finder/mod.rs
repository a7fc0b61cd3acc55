//! The finder: every stage, put one behind the other.

#[cfg(feature = "archive")]
mod archive;
mod builder;
mod search;
pub(crate) mod stream;

use std::sync::LazyLock;

#[cfg(feature = "archive")]
pub use archive::{ArchiveMatch, ArchiveMatches, FindIn};
pub use builder::{BuildError, FinderBuilder};
pub(crate) use search::Search;

use crate::appendix::Rules;
use crate::bytes::window::Window;
use crate::found::Match;
use crate::found::readings::Hyphen;
use crate::grammar::Grade;

/// A finder of URLs, with the rules it goes by.
///
/// Building one costs a few microseconds; it holds no buffers and can be shared
/// between threads.
///
/// # Example
///
/// ```
/// use urlgrep::{Finder, Grade};
///
/// let finder = Finder::builder().min_grade(Grade::Rfc1738).build()?;
/// let text = "http://h.org/a http://h.org/~me/ http://h.org/{x}";
/// let urls: Vec<_> = finder.find_iter(text).map(|found| found.as_str().unwrap().to_owned()).collect();
/// assert_eq!(urls, ["http://h.org/a"]);
/// # Ok::<(), urlgrep::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    rules: Rules,
    lowest: Grade,
    /// In lower case; empty for any.
    only: Vec<Box<str>>,
    lines: bool,
}

impl Default for Finder {
    fn default() -> Self {
        Finder { rules: Rules::default(), lowest: Grade::Lenient, only: Vec::new(), lines: false }
    }
}

impl Finder {
    /// A finder with the default rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// A builder for a finder with other rules.
    pub fn builder() -> FinderBuilder {
        FinderBuilder::default()
    }

    /// The first URL in `text`.
    ///
    /// Costs time linear in what stands before the end of that URL, whatever it
    /// is.
    pub fn find<'h, T: AsRef<[u8]> + ?Sized>(&self, text: &'h T) -> Option<Match<'h>> {
        self.find_iter(text).next()
    }

    /// The URLs in `text`, in the order in which they begin.
    ///
    /// They do not overlap, save for the readings of one under
    /// [`Hyphen::Both`](crate::Hyphen::Both). The text can be in any encoding
    /// that writes ASCII as ASCII. It is read as the iterator goes on, in time
    /// linear in its length, whatever it is.
    pub fn find_iter<'f, 'h, T: AsRef<[u8]> + ?Sized>(&'f self, text: &'h T) -> FindIter<'f, 'h> {
        FindIter { finder: self, window: Window::whole(text.as_ref()), search: Search::new(self) }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn counts_lines(&self) -> bool {
        self.lines
    }

    /// Whether every find is wanted, just as it is found.
    fn takes_all(&self) -> bool {
        self.only.is_empty()
            && self.lowest == Grade::Lenient
            && !self.lines
            && self.rules.hyphen != Hyphen::Both
    }

    /// Whether `found` is one that the caller wants.
    fn wants(&self, found: &Match<'_>) -> bool {
        (self.only.is_empty() || self.only.iter().any(|scheme| scheme.eq_ignore_ascii_case(found.scheme())))
            && (self.lowest == Grade::Lenient || found.grade() >= self.lowest)
    }
}

/// The URLs in a text, in the order in which they begin.
///
/// Made by [`Finder::find_iter`] and [`find_iter`].
#[derive(Debug)]
pub struct FindIter<'f, 'h> {
    finder: &'f Finder,
    window: Window<'h>,
    search: Search,
}

impl<'h> Iterator for FindIter<'_, 'h> {
    type Item = Match<'h>;

    fn next(&mut self) -> Option<Match<'h>> {
        self.search.next(self.finder, &self.window)
    }
}

impl std::iter::FusedIterator for FindIter<'_, '_> {}

static DEFAULT: LazyLock<Finder> = LazyLock::new(Finder::default);

/// The first URL in `text`, by the default rules.
///
/// # Example
///
/// ```
/// let found = urlgrep::find("at <URL:ftp://h.org/pub/Inc.>.").unwrap();
/// assert_eq!(found.as_bytes(), b"ftp://h.org/pub/Inc.");
/// ```
pub fn find<T: AsRef<[u8]> + ?Sized>(text: &T) -> Option<Match<'_>> {
    DEFAULT.find(text)
}

/// The URLs in `text`, in the order in which they begin, by the default rules.
///
/// # Example
///
/// ```
/// let text = "http://h.org/a, or (http://h.org/b).";
/// let urls: Vec<_> = urlgrep::find_iter(text).map(|found| found.span()).collect();
/// assert_eq!(urls, [0..14, 20..34]);
/// ```
pub fn find_iter<T: AsRef<[u8]> + ?Sized>(text: &T) -> FindIter<'static, '_> {
    DEFAULT.find_iter(text)
}
