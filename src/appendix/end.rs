//! Where a bare URL ends.
//!
//! The Appendix wants a URL wrapped so that it is told "from punctuation marks
//! that might be mistaken for part of the URL". Where it is not wrapped, the
//! punctuation has to be guessed at. One pass over the bytes finds the first
//! one that no URL goes over: whitespace, a control character, a delimiter, a
//! byte that is not ASCII, a bracket that closes nothing. What is left then
//! loses, from its end, what prose puts behind a URL.

use super::iri::{self, LinkTerm};
use super::start::Start;
use crate::bytes::class::{self, PLAIN};
use crate::bytes::window::Window;

/// Entities of HTML that stand for delimiters.
const ENTITIES: [&[u8]; 3] = [b"&lt;", b"&gt;", b"&quot;"];

/// Pairs of brackets.
const BRACKETS: [(u8, u8); 3] = [(b'(', b')'), (b'[', b']'), (b'{', b'}')];

/// Where a URL ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At this offset, exclusive.
    At(usize),
    /// Not before the limit.
    TooLong,
}

/// A bare URL whose end is looked for.
pub(crate) struct Tail<'w, 'h> {
    pub(crate) window: &'w Window<'h>,
    /// Where its scheme begins.
    pub(crate) start: usize,
    /// Where it is too long.
    pub(crate) limit: usize,
    /// Whether it may have characters beyond ASCII.
    pub(crate) iri: bool,
}

impl Tail<'_, '_> {
    /// Where the URL ends that begins as `start` says, before anything is trimmed.
    pub(crate) fn behind(&self, start: Start) -> End {
        match start {
            Start::Open(at) => self.untrimmed(at),
            Start::Closed(at) if at < self.limit => End::At(at),
            Start::Closed(_) => End::TooLong,
        }
    }

    /// Where the URL ends before anything is trimmed, if what stands before
    /// `from` belongs to it for sure.
    pub(crate) fn untrimmed(&self, from: usize) -> End {
        let quote = self.window.before(self.start).filter(|&b| b == b'\'');
        let mut depth = [0_u32; BRACKETS.len()];
        let mut wide_depth = 0;
        let mut query = false;
        let mut at = from;
        loop {
            at = self.window.skip(at, self.limit, |b| class::is(b, PLAIN));
            if at >= self.limit {
                return End::TooLong;
            }
            let Some(b) = self.window.get(at) else {
                return End::At(at);
            };
            if self.iri && b >= 0x80 {
                match self.over_wide(at, &mut wide_depth) {
                    Some(behind) => at = behind,
                    None => return End::At(at),
                }
                continue;
            }
            let goes_on = match b {
                b'?' => {
                    query = true;
                    true
                }
                b'|' => query && !self.separates(at),
                b',' | b';' => !self.separates(at),
                b'&' => !ENTITIES.iter().any(|entity| self.window.has(at, entity)),
                b'\'' => quote.is_none(),
                _ => balances(b, &mut depth),
            };
            if !goes_on {
                return End::At(at);
            }
            at += 1;
        }
    }

    /// Where the URL goes on behind the character beyond ASCII at `at`, if it
    /// does; so many brackets beyond ASCII are open.
    fn over_wide(&self, at: usize, depth: &mut u32) -> Option<usize> {
        let c = iri::char_at(self.window, at)?;
        match iri::link_term(c) {
            LinkTerm::Hard => return None,
            LinkTerm::Open => *depth += 1,
            LinkTerm::Close => *depth = depth.checked_sub(1)?,
            LinkTerm::Include | LinkTerm::Soft => {}
        }
        Some(at + c.len_utf8())
    }

    /// Whether the mark at `at` separates the URL from another one.
    fn separates(&self, at: usize) -> bool {
        let end =
            self.window.skip(at + 1, at + 1 + crate::scan::scheme::LONGEST, |b| class::is(b, class::SCHEME));
        self.window.get(at + 1).is_some_and(|b| b.is_ascii_alphabetic()) && self.window.has(end, b"://")
    }

    /// Where the URL ends once what prose puts behind it is trimmed, but not
    /// before `floor`.
    pub(crate) fn trimmed(&self, end: usize, floor: usize) -> usize {
        let text = self.window.bytes();
        if text[..end].last().is_some_and(u8::is_ascii_alphanumeric) {
            return end;
        }
        let mark = self.mark_before();
        let mut end = end;
        let mut quotes = None;
        while end > floor {
            let last = text[end - 1];
            if last >= 0x80 {
                let Some(c) = iri::char_before(self.window, end, floor).filter(|&c| is_wide_punctuation(c))
                else {
                    break;
                };
                end -= c.len_utf8();
                continue;
            }
            let trims = match last {
                b'.' | b',' | b';' | b':' | b'!' | b'?' | b'(' | b'[' | b'{' | b'|' => true,
                b'\'' => {
                    let count = quotes.get_or_insert_with(|| count(&text[self.start..end], b'\''));
                    let unmatched = *count % 2 == 1;
                    *count -= usize::from(unmatched);
                    unmatched
                }
                b'-' => end - 1 > floor && text[end - 2] == b'-',
                _ => false,
            };
            if !trims && mark != Some(last) {
                break;
            }
            let run = last == b'-' || mark == Some(last);
            end = if run { self.window.skip_back(end, floor, |b| b == last) } else { end - 1 };
        }
        end
    }

    /// The mark before the scheme that is emphasis or a ruler, so that a run of
    /// it at the end is too: `*`, `_`, `~`, or any that stands there twice.
    fn mark_before(&self) -> Option<u8> {
        let mark = self.window.before(self.start).filter(u8::is_ascii_punctuation)?;
        let twice = self.start > 1 && self.window.before(self.start - 1) == Some(mark);
        (twice || matches!(mark, b'*' | b'_' | b'~')).then_some(mark)
    }
}

/// Whether a URL goes over `b` if so many brackets are open.
fn balances(b: u8, depth: &mut [u32; BRACKETS.len()]) -> bool {
    for ((open, close), depth) in BRACKETS.into_iter().zip(depth) {
        if b == open {
            *depth += 1;
            return true;
        }
        if b == close {
            let opened = *depth > 0;
            *depth = depth.saturating_sub(1);
            return opened;
        }
    }
    false
}

fn is_wide_punctuation(c: char) -> bool {
    matches!(iri::link_term(c), LinkTerm::Soft | LinkTerm::Open)
}

fn count(text: &[u8], wanted: u8) -> usize {
    text.iter().filter(|&&b| b == wanted).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The URL in `text`, which begins at its first `h`.
    fn url(text: &str) -> &str {
        let window = Window::whole(text.as_bytes());
        let start = text.find('h').unwrap();
        let tail = Tail { window: &window, start, limit: text.len() + 1, iri: false };
        let End::At(end) = tail.untrimmed(start) else { panic!("{text} is not too long") };
        &text[start..tail.trimmed(end, start + 1)]
    }

    #[test]
    fn hard_stops() {
        for stop in [" ", "\t", "\n", "\u{7f}", "<", ">", "\"", "`", "\\", "|", "é", "&lt;", "&GT;", "&quot;"]
        {
            assert_eq!(url(&format!("h/a{stop}b")), "h/a", "{stop:?}");
        }
        assert_eq!(url("h/a?x|y"), "h/a?x|y");
        assert_eq!(url("h/a&amp;b"), "h/a&amp;b");
    }

    #[test]
    fn brackets_balance() {
        assert_eq!(url("(h/a)"), "h/a");
        assert_eq!(url("h/a_(b))"), "h/a_(b)");
        assert_eq!(url("[h/{a}]"), "h/{a}");
        assert_eq!(url("h/a("), "h/a");
    }

    #[test]
    fn punctuation_goes_repeatedly() {
        assert_eq!(url("h/a.,;:!?"), "h/a");
        assert_eq!(url("h/a?!).'"), "h/a");
        assert_eq!(url("h/a--"), "h/a");
        assert_eq!(url("h/a-"), "h/a-");
        assert_eq!(url("h/a/?q="), "h/a/?q=");
        assert_eq!(url("h/a?x|"), "h/a?x");
    }

    #[test]
    fn quotes_go_unless_they_match() {
        assert_eq!(url("h/it's"), "h/it's");
        assert_eq!(url("h/a'"), "h/a");
        assert_eq!(url("h/'a'"), "h/'a'");
        assert_eq!(url("h/'a''"), "h/'a'");
        assert_eq!(url("'h/a'b"), "h/a");
    }

    #[test]
    fn emphasis_and_rulers() {
        assert_eq!(url("*h/a*"), "h/a");
        assert_eq!(url("*h/a.*."), "h/a");
        assert_eq!(url("_h/a_b_"), "h/a_b");
        assert_eq!(url("==h/a=="), "h/a");
        assert_eq!(url("=h/a="), "h/a=");
    }

    #[test]
    fn another_url_separates() {
        assert_eq!(url("h/a,http://h"), "h/a");
        assert_eq!(url("h/a;x-y://h"), "h/a");
        assert_eq!(url("h/a?b|ftp://h"), "h/a?b");
        assert_eq!(url("h/a,b"), "h/a,b");
    }

    #[test]
    fn a_url_that_is_too_long() {
        let window = Window::whole(b"http://h/aaaa");
        let tail = Tail { window: &window, start: 0, limit: 10, iri: false };
        assert_eq!(tail.untrimmed(8), End::TooLong);
    }
}
