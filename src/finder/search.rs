//! The search: the state of a finder while it reads a text.
//!
//! It takes one anchor after the other from the index and reads what is there by
//! `plain` or `appendix`. It is the same for a slice and a stream. In a stream the
//! window is a part of the text, which may not be enough to judge an anchor. Then
//! [`Search::next`] returns `None`, and is called again with a larger window.

use super::Finder;
use crate::appendix::address::LastLine;
use crate::appendix::{self, Notes};
use crate::bytes::class::{HIGH, INSIDE};
use crate::bytes::position::LineCounter;
use crate::bytes::window::{LOOK_BACK, Window};
use crate::found::Match;
use crate::found::readings::Hyphen;
use crate::plain::{Plain, PlainUrls};
use crate::scan;
use crate::scan::index::{Anchor, Index};

/// The state of a finder while it reads a text.
#[derive(Debug)]
pub(crate) struct Search {
    /// How many bytes of the text precede the window.
    base: u64,
    /// Where the last match ended, in the window.
    consumed: usize,
    /// Whether a URL that is too long continues at `consumed`.
    skipping: bool,
    /// Whether matches need neither filters nor positions nor other readings.
    direct: bool,
    /// Whether matches need to be judged: see [`Finder::judge`].
    judges: bool,
    /// Whether matches that the filters reject are returned, too.
    any: bool,
    index: Index<Plain>,
    lines: Option<LineCounter>,
    last_line: Option<LastLine>,
    /// The other readings of the last match, the next one last.
    readings: Vec<Match<'static>>,
}

impl Search {
    #[inline]
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
            last_line: None,
            readings: Vec::new(),
        }
    }

    /// The same, but matches have no [position](Match::position).
    #[cfg(feature = "archive")]
    #[inline]
    pub(crate) fn without_lines(finder: &Finder) -> Self {
        Search { lines: None, ..Search::new(finder) }
    }

    /// The same, but matches that the filters reject are returned, too.
    #[cfg(feature = "archive")]
    #[inline]
    pub(crate) fn for_any(finder: &Finder) -> Self {
        Search { any: true, ..Search::without_lines(finder) }
    }

    /// Starts another text, and keeps the memory.
    pub(crate) fn reset(&mut self) {
        (self.base, self.consumed, self.skipping) = (0, 0, false);
        self.index.clear();
        self.lines = self.lines.take().map(|_| LineCounter::default());
        self.last_line = None;
        self.readings.clear();
    }

    /// The next match. `None` if the window has no more, or not enough bytes to decide.
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

    /// The same, by the rules if they are needed.
    #[inline(never)]
    fn next_by_rules<'h>(&mut self, finder: &Finder, window: &Window<'h>) -> Option<Match<'h>> {
        if let Some(reading) = self.readings.pop() {
            return Some(reading);
        }
        let rules = finder.rules();
        loop {
            if self.skipping && !self.skip(window) {
                return None;
            }
            let shortcut = PlainUrls { on: finder.takes_plain() };
            let anchor = self.index.peek(window, &rules.scan, &shortcut)?;
            let notes = Notes::of(self.last_line);
            // It is returned as it is made, and its fields are read before it is moved: that has to
            // wait until all of them are written.
            let mut matched = match self.plain(window, anchor) {
                Some(plain) => Some(plain),
                None => match scan::candidate(window, anchor.at, self.consumed, &rules.scan) {
                    Some(candidate) => {
                        appendix::read(window, rules, candidate, anchor.at, self.consumed, &notes)
                    }
                    None if window.take_needs_more() => return None,
                    None => {
                        self.index.advance();
                        continue;
                    }
                },
            };
            self.last_line = notes.last_line.get();
            let needs_more = window.take_needs_more();
            if needs_more || !self.admit(finder, window, &mut matched, &notes) {
                matched = None;
            }
            if needs_more || matched.is_some() {
                return matched;
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

    /// The plain URL at `anchor`, if there is one and no part of it is consumed.
    #[inline(always)]
    fn plain<'h>(&self, window: &Window<'h>, anchor: Anchor<Plain>) -> Option<Match<'h>> {
        let plain = anchor.shortcut?;
        let span = plain.span(anchor.at);
        let (url, form) = plain.url(&span);
        let is_new = span.start >= self.consumed;
        is_new.then(|| Match::verbatim(&window.buffered()[url.clone()], url.start, span, form))
    }

    /// Skips the rest of a URL that is too long. Returns whether its end was reached.
    fn skip(&mut self, window: &Window<'_>) -> bool {
        self.consumed = window.skip(self.consumed, window.len(), |b| INSIDE.without(HIGH).has(b));
        self.index.skip_to(self.consumed);
        self.skipping = self.consumed == window.len();
        !self.skipping
    }

    /// Continues after what was found at an anchor. Returns whether it is a match that is
    /// wanted.
    #[inline]
    fn admit(
        &mut self,
        finder: &Finder,
        window: &Window<'_>,
        found: &mut Option<Match<'_>>,
        notes: &Notes,
    ) -> bool {
        if let Some(matched) = found {
            self.consume(matched.range().end);
            return self.complete(finder, window, matched);
        }
        self.index.advance();
        if let Some(at) = notes.too_long.get() {
            (self.consumed, self.skipping) = (at, true);
        }
        false
    }

    /// Applies the filters to a match and completes it. Returns whether it passed.
    #[inline]
    fn complete(&mut self, finder: &Finder, window: &Window<'_>, matched: &mut Match<'_>) -> bool {
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

    /// How many bytes at the start of the window are no longer needed.
    pub(crate) fn spent(&self) -> usize {
        // One byte more, so that a line that starts there does not look like the first
        // line of the text.
        self.index.reached().saturating_sub(LOOK_BACK + 1)
    }

    /// How many bytes at the end of the window cannot be judged without more.
    pub(crate) fn pending(&self, window: &Window<'_>) -> usize {
        window.len() - self.index.reached().min(window.len())
    }

    /// Subtracts `n` from all offsets: the first `n` bytes of `window`, all of them
    /// [spent](Self::spent), will not be in the next one.
    pub(crate) fn drop_front(&mut self, window: &Window<'_>, n: usize) {
        let next = self.base + n as u64;
        if let Some(lines) = self.lines.as_mut().filter(|lines| lines.at() < next) {
            lines.move_to(next, window.buffered(), self.base);
        }
        self.index.dropped(n);
        self.last_line = None;
        self.consumed = self.consumed.saturating_sub(n);
        self.base = next;
    }
}
