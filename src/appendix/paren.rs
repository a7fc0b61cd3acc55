//! URLs in round or square brackets that a line end cut once.
//!
//! RFC 1738 does not recommend such brackets, but a URL that fills them and runs to the end
//! of its line, with one token and the closing bracket on the next, is one URL:
//! `(http://www.c-⏎sharpcorner.com)`.

use super::Surroundings;
use super::end::{End, EndFinder};
use super::leader::Leader;
use super::rejoin::starts_url;
use crate::bytes::class::{BLANK, BREAK};
use crate::found::form::{Form, Joined};
use crate::found::readings::{Gap, Piece, Readings};
use crate::found::{Match, Pieces};
use crate::grammar;

/// The URL that starts where `finder` says and ends at the line end at `end`, joined with
/// the token on the next line.
#[inline(always)]
pub(crate) fn rejoin(
    cx: &Surroundings<'_, '_>,
    finder: &EndFinder<'_, '_>,
    end: usize,
) -> Option<Match<'static>> {
    // Nearly always these decide.
    let may_break = cx.window.get(end).is_some_and(|b| BREAK.or(BLANK).has(b));
    let may_open =
        matches!(cx.window.byte_before(finder.start), Some(b'(' | b'[' | b',' | b';' | b' ' | b'\t'));
    if may_break && may_open { over_break(cx, finder, end) } else { None }
}

#[inline(never)]
fn over_break(cx: &Surroundings<'_, '_>, finder: &EndFinder<'_, '_>, end: usize) -> Option<Match<'static>> {
    let window = cx.window;
    let line_end = window.skip(end, finder.limit, |b| BLANK.has(b));
    if !window.is_break(line_end) {
        return None;
    }
    let (open, close) = bracket_before(cx, finder.start)?;
    let leader = Leader::of_line(window, finder.start, cx.back);
    let line = window.after_break(line_end);
    let text = leader.repeated_or_stripped(window, line, finder.limit)?;
    let from = window.skip(text, finder.limit, |b| BLANK.has(b));
    let first = finder.start..end;
    let End::At(close_at, _) = finder.untrimmed_after(window.ahead(first.clone()), from) else {
        return None;
    };
    let last = from..close_at;
    let token = window.ahead(last.clone());
    let close_at = window.skip(close_at, finder.limit, |b| BLANK.has(b));
    // An address, another URL, or a label with the end of this one does not continue it.
    let is_label = window.ahead(first.clone()).ends_with(token);
    if token.is_empty()
        || is_label
        || token.contains(&b'@')
        || starts_url(token)
        || window.get(close_at) != Some(close)
    {
        return None;
    }
    let pieces = vec![Piece { range: first, gap: Gap::Line }, Piece { range: last, gap: Gap::None }];
    let readings = Readings::new(|range| window.ahead(range), pieces, cx.rules.hyphen);
    let pieces = Pieces::new(Some(Joined::Delimited), readings);
    let matched = Match::rejoined(open..close_at + 1, Form::Paren, pieces);
    grammar::is_url(matched.as_bytes()).then_some(matched)
}

/// How far before a URL the bracket may be, in bytes.
const LINE: usize = 512;

/// Where the match starts whose URL is at `url`, and what closes the bracket before it: only blanks and
/// other URLs may be between the two.
fn bracket_before(cx: &Surroundings<'_, '_>, url: usize) -> Option<(usize, u8)> {
    let window = cx.window;
    let close_of = |open| match window.get(open)? {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        _ => None,
    };
    let inner = window.skip_back(url, cx.back, |b| BLANK.has(b));
    let open = inner.checked_sub(1)?;
    if let Some(close) = close_of(open) {
        return (open >= cx.consumed).then_some((open, close));
    }
    if !matches!(window.get(open), Some(b',' | b';')) {
        return None;
    }
    let line = window.before(open, url.saturating_sub(LINE).max(cx.back));
    let bracket = open - line.len() + line.iter().rposition(|b| b"([\n\r".contains(b))?;
    let urls = window.ahead(bracket + 1..open);
    let close = close_of(bracket)?;
    urls.split(|&b| BLANK.has(b)).filter(|word| !word.is_empty()).all(starts_url).then_some((url, close))
}
