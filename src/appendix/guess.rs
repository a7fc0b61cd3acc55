//! Bare URLs that are cut at the end of a line, joined by evidence.
//!
//! RFC 1738 does not allow this, so it is done only on request. A mailer that wraps
//! text at a width cuts a long URL where the line is full. So the line must be about as
//! long as the longest of the lines before it, the URL must extend to its end, and the
//! next line must continue, after the same leader, with something that is neither a
//! word of prose nor another URL.

use std::ops::Range;

use super::Context;
use super::end::{End, EndFinder};
use super::leader::Leader;
use super::rejoin::starts_url;
use crate::bytes::class::{BLANK, BREAK};
use crate::found::form::{Form, Joined};
use crate::found::readings::{Gap, Piece, Readings};
use crate::found::{Match, Pieces};
use crate::grammar;

/// The widths that texts are wrapped at, in bytes.
const WIDTHS: std::ops::RangeInclusive<usize> = 50..=100;

/// The usual widths, for a text whose lines do not show its width.
const USUAL: std::ops::RangeInclusive<usize> = 64..=80;

/// By how many bytes a full line may be shorter than the longest.
const SLACK: usize = 8;

/// How many lines before the URL are measured.
const LINES: usize = 12;

/// A bare URL up to the end of a line, which may be the start of a longer URL.
pub(crate) struct Stem {
    /// The range of the match, the prefix included.
    pub(crate) span: Range<usize>,
    pub(crate) url: Range<usize>,
    /// Where the URL ends before anything is trimmed.
    pub(crate) untrimmed: usize,
    pub(crate) form: Form,
}

/// The URL that starts with `stem`, or `None` without evidence.
pub(crate) fn rejoin(
    cx: &Context<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    let window = cx.window;
    let start = window.line_start(stem.url.start, cx.back)?;
    let wrap = Wrap::of(window.before(start, cx.back));
    let leader = Leader::of_line(window, stem.url.start, cx.back);
    let mut pieces = vec![Piece { range: stem.url.start..stem.untrimmed, gap: Gap::Line }];
    let (mut line, mut end) = (start, stem.untrimmed);
    while wrap.is_full(end - line) {
        let Some((next, piece)) = continuation(finder, &leader, end) else {
            break;
        };
        if names_file(window.ahead(line..end)) && !b"?#/&".contains(&window.get(piece.start)?) {
            break;
        }
        (line, end) = (next, piece.end);
        pieces.push(Piece { range: piece, gap: Gap::Line });
    }
    if pieces.len() == 1 {
        return None;
    }
    let last = pieces.last_mut()?;
    last.gap = Gap::None;
    last.range.end = finder.trimmed(end, last.range.start);
    let end = last.range.end;
    let readings =
        Readings::new(|range| window.ahead(range), pieces, cx.rules.hyphen).or_only(stem.url.len());
    let pieces = Pieces { joined: Some(Joined::Guess), answer: readings.answer(), readings };
    let matched = Match::rejoined(stem.span.start..end, stem.form, pieces);
    grammar::is_url(matched.as_bytes()).then_some(matched)
}

/// The width that a text is wrapped at, if its lines show it.
struct Wrap(Option<usize>);

impl Wrap {
    /// The width by the lines at the end of `before`.
    fn of(before: &[u8]) -> Self {
        let lines = before.rsplit(|&b| b == b'\n').skip(1).take(LINES);
        let lengths = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line).len());
        Wrap(lengths.filter(|len| WIDTHS.contains(len)).max())
    }

    /// Whether a line of `len` bytes is full.
    fn is_full(&self, len: usize) -> bool {
        match self.0 {
            Some(width) => WIDTHS.contains(&len) && len + SLACK >= width,
            None => USUAL.contains(&len),
        }
    }
}

/// The start of the line after the break at `end`, and the range on it that continues
/// the URL; `None` if there is no break or no such range.
fn continuation(
    finder: &EndFinder<'_, '_>,
    leader: &Leader<'_>,
    end: usize,
) -> Option<(usize, Range<usize>)> {
    let window = finder.window;
    let byte = window.get(end).filter(|&b| BREAK.has(b))?;
    let line = end + 1 + usize::from(byte == b'\r' && window.get(end + 1) == Some(b'\n'));
    let text = leader.strip(window, line, finder.limit);
    if text == line && !leader.is_empty() {
        return None;
    }
    let from = window.skip(text, finder.limit, |b| BLANK.has(b));
    match finder.untrimmed(from) {
        End::At(end, _) if is_url_like(window.ahead(from..end)) => Some((line, from..end)),
        _ => None,
    }
}

/// Whether `line` ends with the name of a file, so that the URL is likely complete.
fn names_file(line: &[u8]) -> bool {
    const KINDS: [&[u8]; 14] = [
        b"html", b"htm", b"shtml", b"php", b"asp", b"pdf", b"ps", b"txt", b"gif", b"jpg", b"png", b"gz",
        b"zip", b"xml",
    ];
    let Some(dot) = memchr::memrchr(b'.', line) else {
        return false;
    };
    KINDS.iter().any(|kind| line[dot + 1..].eq_ignore_ascii_case(kind))
}

/// Whether `token` looks like a piece of a URL: it is not a word of prose, a number,
/// an address, or another URL.
fn is_url_like(token: &[u8]) -> bool {
    let end = token.iter().rposition(|b| !b".,;:!?)'".contains(b)).map_or(0, |n| n + 1);
    let token = &token[..end];
    let has_letter = token.iter().any(u8::is_ascii_alphabetic);
    has_letter && !token.contains(&b'@') && !starts_url(token) && !is_prose(token)
}

/// Whether `token` is a word of prose: `e-mail`, `and/or`, `don't`, `i.e`, a
/// telephone number, a list item or an option, or a word in brackets or quotes.
fn is_prose(token: &[u8]) -> bool {
    let Some(first) = token.first() else {
        return true;
    };
    let abbreviation = token.len() > 1 && token.iter().skip(1).step_by(2).all(|&b| b == b'.');
    let letters = |word: &[u8]| word.iter().all(|b| b.is_ascii_alphabetic() || *b >= 0x80);
    let digits = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let words = token.split(|b| b"-/'".contains(b)).all(letters);
    let number = token.split(|&b| b == b'-').all(|word| letters(word) || digits(word));
    abbreviation || words || number || b"-+$([{*'\"".contains(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_piece_of_a_url() {
        for token in ["file.html", "a/b.gif", "x=1&y=2", "1994/index", "foo_bar", "file.html.", "id123"] {
            assert!(is_url_like(token.as_bytes()), "{token}");
        }
        for token in [
            "and",
            "word.",
            "e-mail",
            "and/or",
            "don't",
            "e.g.",
            "1994",
            "10%",
            "a@h.org",
            "http://h.org/",
            "(see",
            "--",
            "",
        ] {
            assert!(!is_url_like(token.as_bytes()), "{token}");
        }
    }

    #[test]
    fn a_file_is_likely_the_end() {
        assert!(names_file(b"http://h.org/a.html") && names_file(b"http://h.org/A.TXT"));
        assert!(!names_file(b"http://h.org/a.htmlx") && !names_file(b"http://h.org/a/") && !names_file(b""));
    }

    #[test]
    fn a_line_is_full_if_about_as_long_as_the_longest() {
        let wrap = Wrap(Some(72));
        assert!(wrap.is_full(72) && wrap.is_full(64) && wrap.is_full(80));
        assert!(!wrap.is_full(63) && !wrap.is_full(300));
        assert!(Wrap(None).is_full(72));
        assert!(!Wrap(None).is_full(50));
    }
}
