//! What the next line must not be if it goes on with a URL.
//!
//! A line of another quote depth is by another writer. A line that is indented less is
//! another paragraph. A URL, a host, an address or the name of a field starts something
//! of its own, and where URLs and their titles take turns, a title belongs to no URL.

use super::line::{Next, Opening, after_break, breaks, column};
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
        let text = self.text_of(line);
        if !self.is_same_paragraph(start, line) {
            return None;
        }
        let next = Next::read(self.finder, line, text)?;
        (self.may_join(&next) && !self.is_list_of_titles(start, &next)).then_some(next)
    }

    /// Where the text of the line at `start` starts, after its leader and its
    /// indentation.
    fn text_of(&self, start: usize) -> usize {
        self.cx.window.skip(self.leader_end(start), self.finder.limit, |b| BLANK.has(b))
    }

    fn leader_end(&self, start: usize) -> usize {
        self.opening.leader_end(self.cx.window, start, self.finder.limit)
    }

    /// Whether the lines at `one` and `two` have the same quote depth, and the second
    /// is indented at least as much.
    fn is_same_paragraph(&self, one: usize, two: usize) -> bool {
        let window = self.cx.window;
        let [(first, first_column), (second, second_column)] = [one, two].map(|start| {
            let (leader, text) = (self.leader_end(start), self.text_of(start));
            (start..leader, column(window.ahead(start..text), 0))
        });
        let marks = |range| window.ahead(range).iter().filter(|b| !BLANK.has(**b));
        marks(first).eq(marks(second))
            && second_column >= first_column
            && !matches!(window.get(self.text_of(two)), Some(b'>' | b'|'))
    }

    /// Whether the token may be part of a URL.
    fn may_join(&self, next: &Next) -> bool {
        let window = self.cx.window;
        let word = window.ahead(next.word.clone());
        let is_host = |prefix: &[u8]| word.len() > 4 && word[..4].eq_ignore_ascii_case(prefix);
        let starts = starts_url(word) || is_host(b"www.") || is_host(b"ftp.");
        let end = self.finder.trimmed(next.token.end, next.token.start);
        let has_text = window.ahead(next.token.start..end).iter().any(u8::is_ascii_alphanumeric);
        // A word that goes on beyond ASCII is one of prose.
        let is_whole = !window.get(next.token.end).is_some_and(|b| HIGH.has(b));
        has_text
            && is_whole
            && !starts
            && !word.contains(&b'@')
            && !word.ends_with(b":")
            && memchr::memmem::find(word, b"://").is_none()
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
