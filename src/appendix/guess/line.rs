//! The lines around a line end that may have cut a URL.

use std::ops::Range;

use crate::appendix::Context;
use crate::appendix::end::{End, EndFinder};
use crate::appendix::leader::Leader;
use crate::bytes::class::{BLANK, BREAK};
use crate::bytes::window::Window;

/// How long a line may be that is joined to the one before it, in bytes. A longer one
/// was not wrapped.
pub(super) const LINE: usize = 1024;

/// How far apart tab stops are, in columns.
const TAB: usize = 8;

/// Whether a line ends at `at`.
pub(super) fn breaks(window: &Window<'_>, at: usize) -> bool {
    window.get(at).is_some_and(|b| BREAK.has(b))
}

/// Where the line starts that follows the break at `at`: LF, CR, CR LF or CR CR LF.
pub(super) fn after_break(window: &Window<'_>, at: usize) -> usize {
    let mut next = at;
    while next < at + 2 && window.get(next) == Some(b'\r') {
        next += 1;
    }
    match window.get(next) {
        Some(b'\n') => next + 1,
        _ => at + 1,
    }
}

/// Where the line ends that continues at `from`, or `limit` if it does not end before.
fn line_end(window: &Window<'_>, from: usize, limit: usize) -> usize {
    let buffered = limit.min(window.len()).max(from);
    match memchr::memchr2(b'\n', b'\r', window.ahead(from..buffered)) {
        Some(n) => from + n,
        None => window.skip(buffered, limit, |b| !BREAK.has(b)),
    }
}

/// The line on which a URL starts.
pub(super) struct Opening<'h> {
    pub(super) start: usize,
    leader: Leader<'h>,
}

impl<'h> Opening<'h> {
    /// The line of the URL at `url`, unless it starts too far before it.
    pub(super) fn of(cx: &Context<'_, 'h>, url: usize) -> Option<Self> {
        let start = cx.window.line_start(url, cx.back)?;
        Some(Opening { start, leader: Leader::of_line(cx.window, url, cx.back) })
    }

    /// Where the leader ends of the line that starts at `start`.
    pub(super) fn leader_end(&self, window: &Window<'_>, start: usize, limit: usize) -> usize {
        self.leader.strip(window, start, limit)
    }
}

/// A line that may go on with the URL.
pub(super) struct Next {
    pub(super) start: usize,
    /// Where the line ends, its break excluded.
    pub(super) end: usize,
    /// Everything up to the first whitespace.
    pub(super) word: Range<usize>,
    /// What of it a URL may have, untrimmed.
    pub(super) token: Range<usize>,
    /// Whether the token is a word of prose.
    pub(super) is_word: bool,
    /// Whether nothing follows the word on its line.
    pub(super) is_alone: bool,
    /// Whether a URL follows it.
    pub(super) has_url: bool,
}

impl Next {
    /// The line that starts at `start`, whose text starts at `text`, if its first `word`
    /// may be a token.
    pub(super) fn read(
        finder: &EndFinder<'_, '_>,
        start: usize,
        text: usize,
        may_join: impl Fn(&[u8]) -> bool,
    ) -> Option<Self> {
        let window = finder.window;
        let limit = finder.limit.min(start.saturating_add(LINE));
        let end = line_end(window, text, limit);
        if end >= limit || end == text {
            return None;
        }
        let word = window.skip(text, end, |b| !BLANK.has(b));
        if !may_join(window.ahead(text..word)) {
            return None;
        }
        let End::At(token) = finder.untrimmed(text) else {
            return None;
        };
        Some(Next {
            start,
            end,
            word: text..word,
            token: text..token,
            is_word: is_word(window.ahead(text..word)),
            has_url: has_url(window.ahead(word..end)),
            is_alone: window.skip(word, end, |b| BLANK.has(b)) == end,
        })
    }
}

/// Whether `text` has a scheme's `://`.
pub(super) fn has_url(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|colon| text[colon + 1..].starts_with(b"//"))
}

/// Whether `word` is one of prose: letters, also with a hyphen or an apostrophe between
/// them, sentence punctuation aside.
fn is_word(word: &[u8]) -> bool {
    let end = word.iter().rposition(|b| !b".,;:!?)'\"".contains(b)).map_or(0, |n| n + 1);
    let letters = |part: &[u8]| part.iter().all(|b| b.is_ascii_alphabetic() || *b >= 0x80);
    word[..end].split(|b| b"-'".contains(b)).all(letters)
}

/// The column after the text `line`, which has a leader and whitespace.
pub(super) fn column(line: &[u8]) -> usize {
    let next = |at: usize, b: &u8| if *b == b'\t' { (at / TAB + 1) * TAB } else { at + 1 };
    line.iter().fold(0, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_prose() {
        for word in ["and", "word.", "e-mail", "don't", "Mo\u{fc}l", "(sic)", ""] {
            assert_eq!(is_word(word.as_bytes()), !word.starts_with('('), "{word}");
        }
        for token in ["file.html", "a/b", "x=1", "1994", "foo_bar", "a1"] {
            assert!(!is_word(token.as_bytes()), "{token}");
        }
    }

    #[test]
    fn one_line_break() {
        for (text, next) in [("\na", 1), ("\r\na", 2), ("\r\r\na", 3), ("\r\ra", 1), ("\n\n", 1)] {
            assert_eq!(after_break(&Window::whole(text.as_bytes()), 0), next, "{text:?}");
        }
    }

    #[test]
    fn tabs_count_to_the_next_stop() {
        assert_eq!(column(b"  "), 2);
        assert_eq!(column(b" \t "), 9);
        assert_eq!(column(b">\t\t"), 16);
    }
}
