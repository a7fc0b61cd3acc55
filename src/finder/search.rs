//! The search: what a finder remembers while it goes through a text.
//!
//! It takes one anchor after the other from the index, and lets `plain` and
//! `appendix` say what is there. It is the same for a slice and for a stream. In a
//! stream the window is only a part of the text, and an anchor that cannot be judged
//! by it waits: [`Search::next`] returns nothing, and is called again with a larger
//! window.

use super::Finder;
use crate::appendix::{self, Outcome};
use crate::bytes::class::{HIGH, INSIDE};
use crate::bytes::position::LineCounter;
use crate::bytes::window::{LOOK_BACK, Window};
use crate::found::Match;
use crate::found::readings::Hyphen;
use crate::plain::{Plain, PlainUrls};
use crate::scan;
use crate::scan::index::{Anchor, Index};

/// What a finder remembers while it goes through a text.
#[derive(Debug)]
pub(crate) struct Search {
    /// How many bytes of the text precede the window.
    base: u64,
    /// Where the last match ended, in the window.
    consumed: usize,
    /// Whether a URL that is too long runs over `consumed`.
    skipping: bool,
    /// Whether the caller gets matches just as they are found.
    direct: bool,
    /// Whether the finder judges matches.
    judges: bool,
    /// Whether matches are returned that the caller does not want.
    any: bool,
    index: Index<Plain>,
    lines: Option<LineCounter>,
    /// The other readings of the last match, the next one last.
    readings: Vec<Match<'static>>,
}

impl Search {
    pub(crate) fn new(finder: &Finder) -> Self {
        Search {
            base: 0,
            consumed: 0,
            skipping: false,
            direct: finder.takes_all(),
            judges: finder.judges(),
            any: false,
            index: Index::default(),
            lines: finder.counts_lines().then(LineCounter::default),
            readings: Vec::new(),
        }
    }

    /// The same, but matches have no [position](Match::position).
    #[cfg(feature = "archive")]
    pub(crate) fn without_lines(finder: &Finder) -> Self {
        Search { lines: None, ..Search::new(finder) }
    }

    /// A search that returns unwanted matches, too.
    #[cfg(feature = "archive")]
    pub(crate) fn for_any(finder: &Finder) -> Self {
        Search { any: true, ..Search::without_lines(finder) }
    }

    /// Starts with another text, in the memory of the last.
    pub(crate) fn reset(&mut self) {
        (self.base, self.consumed, self.skipping) = (0, 0, false);
        self.index.clear();
        self.lines = self.lines.take().map(|_| LineCounter::default());
        self.readings.clear();
    }

    /// The next match, or `None` if the bytes in the window have no more or are not
    /// enough to tell.
    ///
    /// A plain URL that needs no filter and no position is returned at once.
    #[inline]
    pub(crate) fn next<'h>(&mut self, finder: &Finder, window: &Window<'h>) -> Option<Match<'h>> {
        if self.direct
            && !self.skipping
            && let Some(anchor) = self.index.indexed()
            && let Some(mut plain) = self.plain(window, anchor)
        {
            self.consume(plain.range().end);
            plain.set_base(self.base);
            return Some(plain);
        }
        self.next_by_rules(finder, window)
    }

    /// The same, by the rules where they are needed.
    #[inline(never)]
    fn next_by_rules<'h>(&mut self, finder: &Finder, window: &Window<'h>) -> Option<Match<'h>> {
        if let Some(reading) = self.readings.pop() {
            return Some(reading);
        }
        loop {
            if self.skipping && !self.skip(window) {
                return None;
            }
            let shortcut = PlainUrls { on: finder.takes_plain() };
            let anchor = self.index.peek(window, &finder.rules().scan, &shortcut)?;
            let outcome = match self.plain(window, anchor) {
                Some(plain) => Outcome::Match(plain),
                None => self.read(finder, window, anchor.at),
            };
            if window.take_needs_more() {
                return None;
            }
            let mut matched = match outcome {
                Outcome::Match(matched) => matched,
                Outcome::Nothing => {
                    self.index.advance();
                    continue;
                }
                Outcome::TooLong(at) => {
                    self.index.advance();
                    (self.consumed, self.skipping) = (at, true);
                    continue;
                }
            };
            self.consume(matched.range().end);
            if self.admit(finder, window, &mut matched) {
                return Some(matched);
            }
        }
    }

    /// Continues after the match that ends at `end`.
    #[inline(always)]
    fn consume(&mut self, end: usize) {
        self.consumed = end;
        self.index.advance();
        self.index.skip_to(end);
    }

    /// The plain URL at `anchor`, if there is one and nothing of it is consumed.
    #[inline(always)]
    fn plain<'h>(&self, window: &Window<'h>, anchor: Anchor<Plain>) -> Option<Match<'h>> {
        let plain = anchor.shortcut?;
        let span = plain.span(anchor.at);
        let (url, form) = plain.url(&span);
        let is_new = span.start >= self.consumed;
        is_new.then(|| Match::verbatim(&window.buffered()[url.clone()], url.start, span, form))
    }

    /// What is at `anchor` by the rules.
    fn read<'h>(&self, finder: &Finder, window: &Window<'h>, anchor: usize) -> Outcome<'h> {
        let rules = finder.rules();
        match scan::candidate(window, anchor, self.consumed, &rules.scan) {
            Some(candidate) => appendix::read(window, rules, candidate, anchor, self.consumed),
            None => Outcome::Nothing,
        }
    }

    /// Skips to the end of a URL that is too long; whether it has been reached.
    fn skip(&mut self, window: &Window<'_>) -> bool {
        self.consumed = window.skip(self.consumed, window.len(), |b| INSIDE.without(HIGH).has(b));
        self.index.skip_to(self.consumed);
        self.skipping = self.consumed == window.len();
        !self.skipping
    }

    /// Applies the filters to a match and completes it; whether it is wanted.
    #[inline]
    fn admit(&mut self, finder: &Finder, window: &Window<'_>, matched: &mut Match<'_>) -> bool {
        if self.judges && !finder.judge(matched) && !self.any {
            return false;
        }
        if let Some(lines) = &mut self.lines {
            lines.move_to(self.base + matched.range().start as u64, window.buffered(), self.base);
            matched.set_position(lines.position());
        }
        matched.set_base(self.base);
        if finder.rules().hyphen == Hyphen::Both {
            self.readings = matched.hyphen_readings();
            self.readings.reverse();
            self.readings.pop();
        }
        true
    }

    /// How many bytes at the start of the window are not needed any more.
    pub(crate) fn spent(&self) -> usize {
        // One more, so that a line that starts where the look back ends is not
        // taken for one that starts the text.
        self.index.reached().saturating_sub(LOOK_BACK + 1)
    }

    /// How many bytes at the end of the window wait for more.
    pub(crate) fn pending(&self, window: &Window<'_>) -> usize {
        window.len() - self.index.reached().min(window.len())
    }

    /// Says that the first `n` bytes of `window`, all of them
    /// [spent](Self::spent), will not be in the next one.
    pub(crate) fn drop_front(&mut self, window: &Window<'_>, n: usize) {
        let next = self.base + n as u64;
        if let Some(lines) = self.lines.as_mut().filter(|lines| lines.at() < next) {
            lines.move_to(next, window.buffered(), self.base);
        }
        self.index.dropped(n);
        self.consumed = self.consumed.saturating_sub(n);
        self.base = next;
    }
}
