//! What the next line must not be if it goes on with a URL.
//!
//! A line of another quote depth is by another writer. A line that is indented less is
//! another paragraph. A URL, a host, an address or the name of a field starts something
//! of its own, and where URLs and their titles take turns, a title belongs to no URL.

use std::ops::Range;

use super::line::{Next, Opening, after_break, breaks, column, has_url};
use crate::appendix::Context;
use crate::appendix::end::EndFinder;
use crate::appendix::rejoin::starts_url;
use crate::bytes::class::{BLANK, HIGH};
use crate::grammar::schemes::LONGEST;

/// The guards of a URL.
pub(super) struct Guards<'w, 'h> {
    pub(super) cx: &'w Context<'w, 'h>,
    pub(super) finder: &'w EndFinder<'w, 'h>,
    pub(super) opening: &'w Opening<'h>,
}

impl Guards<'_, '_> {
    /// The line after the one that starts at `start` and breaks at `end`, if it may go
    /// on with the URL.
    pub(super) fn next(&self, start: usize, end: usize) -> Option<Next> {
        let window = self.cx.window;
        if !breaks(window, end) {
            return None;
        }
        let line = after_break(window, end);
        let text = self.text_in_paragraph(start, line)?;
        let next = Next::read(self.finder, line, text, starts_nothing)?;
        (self.is_token(&next) && !self.is_list_of_titles(start, &next)).then_some(next)
    }

    /// Where the text of the line at `start` starts, after its leader and its
    /// indentation.
    fn text_of(&self, start: usize) -> usize {
        self.cx.window.skip(self.leader_end(start), self.finder.limit, |b| BLANK.has(b))
    }

    fn leader_end(&self, start: usize) -> usize {
        self.opening.leader_end(self.cx.window, start, self.finder.limit)
    }

    /// Where the text starts of the line at `two`, if that and the one at `one` have the
    /// same quote depth, and it is indented at least as much.
    fn text_in_paragraph(&self, one: usize, two: usize) -> Option<usize> {
        let window = self.cx.window;
        let parts = |start| {
            let leader = self.leader_end(start);
            (leader, window.skip(leader, self.finder.limit, |b| BLANK.has(b)))
        };
        let ((leader, text), (next_leader, next_text)) = (parts(one), parts(two));
        let marks = |range| window.ahead(range).iter().filter(|b| !BLANK.has(**b));
        let is_same = marks(one..leader).eq(marks(two..next_leader))
            && column(window.ahead(two..next_text)) >= column(window.ahead(one..text))
            && !matches!(window.get(next_text), Some(b'>' | b'|'));
        is_same.then_some(next_text)
    }

    /// Whether the token has text, and all of its word.
    fn is_token(&self, next: &Next) -> bool {
        let window = self.cx.window;
        let Range { start, end } = next.token;
        // What is trimmed from the end never starts with a letter or digit.
        let starts = window.get(start).is_some_and(|b| b.is_ascii_alphanumeric());
        let trimmed = || window.ahead(start..self.finder.trimmed(end, start));
        let has_text = starts || trimmed().iter().any(u8::is_ascii_alphanumeric);
        // A word that goes on beyond ASCII is one of prose.
        has_text && !window.get(end).is_some_and(|b| HIGH.has(b))
    }

    /// Whether URLs and titles take turns around the line at `start`.
    ///
    /// A token that is alone on its line and no word of prose is no title.
    fn is_list_of_titles(&self, start: usize, next: &Next) -> bool {
        if !self.is_url_at(start) || (next.is_alone && !next.is_word) {
            return false;
        }
        let window = self.cx.window;
        let after = breaks(window, next.end).then(|| after_break(window, next.end));
        let before = self.line_before(start);
        let two_before = before.and_then(|line| self.line_before(line));
        let follows = before.is_some_and(|line| !self.is_url_at(line));
        after.is_some_and(|line| self.is_url_at(line))
            || (follows && two_before.is_some_and(|line| self.is_url_at(line)))
    }

    /// Whether the line at `start` starts with a URL.
    fn is_url_at(&self, start: usize) -> bool {
        let text = self.text_of(start);
        starts_url(self.cx.window.ahead(text..text + LONGEST + "://".len()))
    }

    /// Where the line starts that is before the one at `start`.
    fn line_before(&self, start: usize) -> Option<usize> {
        let window = self.cx.window;
        let end = window.skip_back(start, start.saturating_sub(3).max(self.cx.back), |b| b == b'\r');
        let end = match window.byte_before(end).filter(|_| end > self.cx.back)? {
            b'\n' => end - 1,
            _ => end,
        };
        window.line_start(end, self.cx.back)
    }
}

/// Whether `word` starts nothing of its own: no URL, host, address or field.
fn starts_nothing(word: &[u8]) -> bool {
    let is_host = |prefix: &[u8]| word.len() > 4 && word[..4].eq_ignore_ascii_case(prefix);
    !word.ends_with(b":")
        && !is_host(b"www.")
        && !is_host(b"ftp.")
        && memchr::memchr(b'@', word).is_none()
        && !has_url(word)
}
