//! The search: what a finder keeps in mind while it goes through a text.
//!
//! It takes one candidate after the other from the index, and lets `appendix`
//! say what is there. It is the same for a slice and for a stream. In a stream
//! the window is only a part of the text, and a candidate that cannot be judged
//! by it waits: [`Search::next`] gives nothing, and is called again with a
//! larger window.

use std::ops::Range;

use super::Finder;
use crate::appendix::{self, Outcome};
use crate::bytes::class;
use crate::bytes::position::LineCounter;
use crate::bytes::window::{LOOK_BACK, Window};
use crate::found::readings::Hyphen;
use crate::found::{Form, Match};
use crate::scan;
use crate::scan::index::{Anchor, Index};

/// What a finder keeps in mind while it goes through a text.
#[derive(Debug)]
pub(crate) struct Search {
    /// How many bytes of the text stand before the window.
    base: usize,
    /// Where the last find ended, in the window.
    taken: usize,
    /// Whether a URL that is too long runs over `taken`.
    skipping: bool,
    /// Whether a find is what the caller gets, with nothing to ask or to add.
    direct: bool,
    /// Whether finds count that the caller does not want.
    any: bool,
    index: Index,
    lines: Option<LineCounter>,
    /// The other readings of the last find, the next one last.
    readings: Vec<Match<'static>>,
}

impl Search {
    pub(crate) fn new(finder: &Finder) -> Self {
        Search {
            base: 0,
            taken: 0,
            skipping: false,
            direct: finder.takes_all(),
            any: false,
            index: Index::new(finder.rules().take_plain()),
            lines: finder.counts_lines().then(LineCounter::default),
            readings: Vec::new(),
        }
    }

    /// The same, but finds have no [place](Match::place).
    #[cfg(feature = "archive")]
    pub(crate) fn without_lines(finder: &Finder) -> Self {
        Search { lines: None, ..Search::new(finder) }
    }

    /// A search that gives unwanted finds, too.
    #[cfg(feature = "archive")]
    pub(crate) fn for_any(finder: &Finder) -> Self {
        Search { any: true, ..Search::without_lines(finder) }
    }

    /// Begins with another text, in the memory of the last.
    pub(crate) fn reset(&mut self) {
        (self.base, self.taken, self.skipping) = (0, 0, false);
        self.index.clear();
        self.lines = self.lines.take().map(|_| LineCounter::default());
        self.readings.clear();
    }

    /// The next find, or `None` if the bytes in the window hold no more or
    /// cannot tell.
    ///
    /// A plain URL with nothing to ask or to add is given at once, without any of
    /// what the rules need.
    #[inline]
    pub(crate) fn next<'h>(&mut self, finder: &Finder, window: &Window<'h>) -> Option<Match<'h>> {
        if self.direct
            && !self.skipping
            && let Some(anchor) = self.index.at_hand()
            && let Some((span, url, form)) = self.plain(anchor)
        {
            self.take(span.end);
            let mut found = Match::whole(window.bytes(), span, url, form);
            found.move_by(self.base as isize);
            return Some(found);
        }
        self.next_of_all(finder, window)
    }

    /// The same, whatever there is to do.
    #[inline(never)]
    fn next_of_all<'h>(&mut self, finder: &Finder, window: &Window<'h>) -> Option<Match<'h>> {
        if let Some(found) = self.readings.pop() {
            return Some(found);
        }
        loop {
            if self.skipping && !self.skip(window) {
                return None;
            }
            let anchor = self.index.peek(window, &finder.rules().wanted)?;
            let outcome = match self.plain(anchor) {
                Some((span, url, form)) => Outcome::Match(Match::whole(window.bytes(), span, url, form)),
                None => self.read(finder, window, anchor.at),
            };
            if window.take_needs_more() {
                return None;
            }
            let Outcome::Match(mut found) = outcome else {
                self.index.pass();
                if let Outcome::TooLong(at) = outcome {
                    (self.taken, self.skipping) = (at, true);
                }
                continue;
            };
            self.take(found.span().end);
            if self.settle(finder, window, &mut found) {
                return Some(found);
            }
        }
    }

    /// Goes on behind the find that ends at `end`.
    #[inline(always)]
    fn take(&mut self, end: usize) {
        self.taken = end;
        self.index.pass();
        self.index.skip_to(end);
    }

    /// The plain URL at `anchor`, if it is one and nothing of it has been taken:
    /// the range of the find, that of the URL, and its form.
    #[inline(always)]
    fn plain(&self, anchor: Anchor) -> Option<(Range<usize>, Range<usize>, Form)> {
        let plain = anchor.plain?;
        let span = plain.span(anchor.at);
        let (url, form) = plain.url(&span);
        (span.start >= self.taken).then_some((span, url, form))
    }

    /// What stands at `anchor` by the rules.
    fn read<'h>(&self, finder: &Finder, window: &Window<'h>, anchor: usize) -> Outcome<'h> {
        let rules = finder.rules();
        match scan::candidate(window, anchor, self.taken, &rules.wanted) {
            Some(candidate) => appendix::read(window, rules, candidate, anchor, self.taken),
            None => Outcome::Nothing,
        }
    }

    /// Goes to the end of a URL that is too long; whether it has been reached.
    fn skip(&mut self, window: &Window<'_>) -> bool {
        let inside = |b| class::is(b, class::INSIDE) && b < 0x80;
        self.taken = window.skip(self.taken, window.len(), inside);
        self.index.skip_to(self.taken);
        self.skipping = self.taken == window.len();
        !self.skipping
    }

    /// Makes of the find what the caller gets; whether it is wanted.
    #[inline]
    fn settle(&mut self, finder: &Finder, window: &Window<'_>, found: &mut Match<'_>) -> bool {
        if !self.any && !finder.wants(found) {
            return false;
        }
        if let Some(lines) = &mut self.lines {
            let base = self.base as u64;
            lines.move_to(base + found.span().start as u64, window.bytes(), base);
            found.set_place(lines.position());
        }
        if self.base > 0 {
            found.move_by(self.base as isize);
        }
        if finder.rules().hyphen == Hyphen::Both {
            self.readings = found.hyphen_readings();
            self.readings.reverse();
            self.readings.pop();
        }
        true
    }

    /// How many bytes at the beginning of the window are not needed any more.
    pub(crate) fn spent(&self) -> usize {
        // One more, so that a line that begins where the look back ends is not
        // taken for one that begins the text.
        self.index.reached().saturating_sub(LOOK_BACK + 1)
    }

    /// How many bytes at the end of the window wait for more.
    pub(crate) fn pending(&self, window: &Window<'_>) -> usize {
        window.len() - self.index.reached().min(window.len())
    }

    /// Says that the first `n` bytes of `window`, all of them
    /// [spent](Self::spent), will not be in the next one.
    pub(crate) fn drop_front(&mut self, window: &Window<'_>, n: usize) {
        let (base, next) = (self.base as u64, (self.base + n) as u64);
        if let Some(lines) = self.lines.as_mut().filter(|lines| lines.at() < next) {
            lines.move_to(next, window.bytes(), base);
        }
        self.index.dropped(n);
        self.taken = self.taken.saturating_sub(n);
        self.base += n;
    }
}
