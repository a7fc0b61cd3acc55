//! The match at an offset: the one that covers it, or the one that starts there.
//!
//! The match at an offset depends on the matches before it, but no match crosses an empty line. So
//! the search begins at the last empty line that is at least the maximum length of a URL before the
//! offset. If no empty line is within twice that distance, the search begins at a line start or
//! after a space. The search reads as many bytes after the offset as it needs.

use super::Finder;
use super::search::Search;
use crate::bytes::window::Window;
use crate::matches::Match;

/// The number of bytes after the offset that are read first.
const FIRST_READ: usize = 4 * 1024;

/// The matches around the byte at `offset` of a text, where the search reads.
pub(super) struct Near<'h> {
    /// The last match before the byte.
    pub(super) before: Option<Match<'h>>,
    /// The match that covers the byte.
    pub(super) covering: Option<Match<'h>>,
    /// The first match after the byte, if no match covers it.
    pub(super) after: Option<Match<'h>>,
}

/// The matches around the byte at `offset` of `text`.
pub(super) fn near<'h>(finder: &Finder, text: &'h [u8], offset: usize) -> Near<'h> {
    let mut near = Near { before: None, covering: None, after: None };
    if offset >= text.len() {
        return near;
    }
    let start = start(text, offset, finder.rules().max_len);
    let mut len = FIRST_READ;
    loop {
        let end = text.len().min(offset.saturating_add(len));
        let window = Window::new(&text[..end], end == text.len());
        let mut search = Search::from(finder, start);
        near.before = None;
        while let Some(matched) = search.next(finder, &window) {
            if matched.range().end > offset {
                let covers = matched.range().start <= offset;
                *(if covers { &mut near.covering } else { &mut near.after }) = Some(matched);
                return near;
            }
            near.before = Some(matched);
        }
        if search.is_past(offset) || end == text.len() {
            return near;
        }
        len = len.saturating_mul(2);
    }
}

/// The match that starts at `offset` of `text`, as if the text began there.
pub(super) fn anchored<'h>(finder: &Finder, text: &'h [u8], offset: usize) -> Option<Match<'h>> {
    let rest = text.get(offset..)?;
    let mut len = FIRST_READ;
    loop {
        let end = rest.len().min(len);
        let window = Window::new(&rest[..end], end == rest.len());
        let mut search = Search::from(finder, 0);
        if let Some(mut matched) = search.next(finder, &window) {
            let starts_here = matched.range().start == 0;
            matched.set_base(offset as u64);
            return starts_here.then_some(matched);
        }
        if search.is_past(0) || end == rest.len() {
            return None;
        }
        // The second window is longer than any rule looks back, and so only a long URL needs a third one.
        let longest = if len > FIRST_READ { finder.rules().max_len } else { 0 };
        len = len.saturating_mul(4).saturating_add(longest);
    }
}

/// Returns the offset at which the search for the match at `offset` begins, if URLs are at most
/// `max_len` bytes long.
fn start(text: &[u8], offset: usize, max_len: usize) -> usize {
    let Some(near) = offset.checked_sub(max_len) else {
        return 0;
    };
    let far = near.saturating_sub(max_len);
    let before = &text[far..near];
    let empty = before.windows(2).rposition(|bytes| bytes == b"\n\n").map(|n| n + 1);
    let line = || memchr::memrchr(b'\n', before);
    let blank = || memchr::memrchr(b' ', before);
    far + empty.or_else(line).or_else(blank).map_or(0, |n| n + 1)
}
