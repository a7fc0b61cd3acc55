//! The match at an offset.
//!
//! The matches at an offset depend on those before it, but no match crosses an empty line. So the
//! search begins at the last empty line that is at least as far before the offset as a URL is long; if
//! there is none within twice that distance, at a line start or after a blank. It reads as much after the offset as it
//! asks for.

use super::Finder;
use super::search::Search;
use crate::bytes::window::Window;
use crate::found::Match;

/// How many bytes after the offset are read at first.
const AHEAD: usize = 4 * 1024;

/// The match that covers the byte at `offset` of `text`.
pub(super) fn find<'h>(finder: &Finder, text: &'h [u8], offset: usize) -> Option<Match<'h>> {
    find_or_last(finder, text, offset).ok()
}

/// The same, or the last match before it, if there is one where the search begins or after that.
pub(super) fn find_or_last<'h>(
    finder: &Finder,
    text: &'h [u8],
    offset: usize,
) -> Result<Match<'h>, Option<Match<'h>>> {
    if offset >= text.len() {
        return Err(None);
    }
    let start = start(text, offset, finder.rules().max_len);
    let mut len = AHEAD;
    loop {
        let end = text.len().min(offset.saturating_add(len));
        let window = Window::new(&text[..end], end == text.len());
        let mut search = Search::from(finder, start);
        let mut last = None;
        while let Some(matched) = search.next(finder, &window) {
            if matched.range().end > offset {
                return if matched.range().start <= offset { Ok(matched) } else { Err(last) };
            }
            last = Some(matched);
        }
        if search.reached() > offset || end == text.len() {
            return Err(last);
        }
        len = len.saturating_mul(2);
    }
}

/// Where the search for the match at `offset` begins, if URLs are at most `max_len` bytes long.
fn start(text: &[u8], offset: usize, max_len: usize) -> usize {
    let Some(near) = offset.checked_sub(max_len) else {
        return 0;
    };
    let far = near.saturating_sub(max_len);
    let before = &text[far..near];
    let empty = memchr::memmem::rfind(before, b"\n\n").map(|n| n + 1);
    let line = || memchr::memrchr(b'\n', before);
    let blank = || memchr::memrchr(b' ', before);
    far + empty.or_else(line).or_else(blank).map_or(0, |n| n + 1)
}
