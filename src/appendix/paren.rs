//! URLs in round or square brackets that one line break interrupts.
//!
//! RFC 1738 does not recommend such brackets. But a URL that fills them and runs to the end
//! of its line, with one token and the closing bracket on the next line, is one URL:
//! `(http://www.c-⏎sharpcorner.com)`. This includes a URL whose first line contains only the scheme, even in curly quotation
//! marks: `“https://⏎h.org/a”`.

use super::end::{End, EndFinder};
use super::guess::names_file;
use super::line::{is_soft_break, starts_url};
use super::line_prefix::LinePrefix;
use super::{Surroundings, notation, terminal};
use crate::bytes::class::{BLANK, BREAK, INSIDE, SPACE};
use crate::grammar;
use crate::matches::form::{Form, JoinKind};
use crate::matches::readings::{Gap, Piece};
use crate::matches::{Joined, Match};

/// The URL that starts where `finder` starts and ends at the line break at `end`, joined with the
/// token on the next line.
#[inline(always)]
pub(crate) fn rejoin(
    cx: &Surroundings<'_, '_>,
    finder: &EndFinder<'_, '_>,
    end: usize,
) -> Option<Match<'static>> {
    // These checks are cheap, and reject nearly all candidates.
    let may_break = cx.window.get(end).is_some_and(|b| BREAK.or(BLANK).has(b));
    let may_open =
        matches!(cx.window.byte_before(finder.start), Some(b'(' | b'[' | b',' | b';' | b' ' | b'\t'));
    if may_break && may_open { over_break(cx, finder, end) } else { None }
}

/// The URL whose first line contains only the scheme, optionally with its slashes. The scheme ends at `colon`.
pub(super) fn of_scheme(cx: &Surroundings<'_, '_>, start: usize, colon: usize) -> Option<Match<'static>> {
    let has_slashes = cx.window.has(colon + 1, b"//");
    let end = colon + if has_slashes { b"://".len() } else { b":".len() };
    let finder = EndFinder::new(cx.window, start, cx.limit(start), &cx.rules.scan.read, &cx.notes.cells);
    let matched = over_break(cx, &finder, end)?;
    let rest = &matched.as_bytes()[colon + 1 - start..];
    let host = rest.strip_prefix(b"//").map(|rest| &rest[..host_len(rest)]);
    host.is_some_and(grammar::host::plausible).then_some(matched)
}

/// The length of the host, with its port, that `rest` starts with.
fn host_len(rest: &[u8]) -> usize {
    rest.iter().position(|b| b"/?#:".contains(b)).unwrap_or(rest.len())
}

/// A cheap test: returns false if the URL certainly does not reach the end of the line, by the two
/// bytes after it.
#[inline(always)]
pub(crate) fn may_end_line([stop, next]: [u8; 2]) -> bool {
    BREAK.has(stop) || BLANK.has(stop) && SPACE.has(next) || INSIDE.has(stop)
}

/// Returns true if the bytes before a URL may be a bracket and a space, or a list of URLs in
/// brackets.
#[inline(always)]
pub(crate) fn may_be_listed(far: u8, last: u8) -> bool {
    matches!(last, b',' | b';')
        || BLANK.has(last) && (matches!(far, b'(' | b'[' | b',' | b';') || BLANK.has(far))
}

/// Returns true if a bracket opens before `start` on its line.
#[inline(never)]
pub(crate) fn has_bracket(bytes: &[u8], start: usize) -> bool {
    let line = &bytes[start.saturating_sub(MAX_BRACKET_DISTANCE)..start];
    let line = &line[memchr::memrchr2(b'\n', b'\r', line).map_or(0, |n| n + 1)..];
    memchr::memchr2(b'(', b'[', line).is_some()
}

#[inline(never)]
fn over_break(cx: &Surroundings<'_, '_>, finder: &EndFinder<'_, '_>, end: usize) -> Option<Match<'static>> {
    let window = cx.window;
    let line_end = window.skip(end, finder.limit, |b| BLANK.has(b));
    // After a soft break, quoted-printable decides.
    if !window.is_break(line_end) || line_end == end && is_soft_break(window, end) {
        return None;
    }
    let (open, close) = bracket_before(cx, finder.start)?;
    let text = match terminal::next_line(cx, end) {
        // A terminal wraps lines without repeating their prefix.
        Some(line) => line,
        None => {
            let prefix = LinePrefix::of_line(window, finder.start, cx.back);
            prefix.repeated_or_stripped(window, window.after_break(line_end), finder.limit)?
        }
    };
    let from = window.skip(text, finder.limit, |b| BLANK.has(b));
    let first = finder.start..end;
    let End::At(close_at, _) = finder.untrimmed_after(window.ahead(first.clone()), from) else { return None };
    let last = from..close_at;
    let token = window.ahead(last.clone());
    let close_at = window.skip(close_at, finder.limit, |b| BLANK.has(b));
    // An email address, another URL (perhaps in brackets of its own) or a label does not continue
    // the URL. A label repeats the end of the URL, or is a word after a file name.
    let url = window.ahead(first.clone());
    let is_label = url.ends_with(token) || names_file(url) && token.iter().all(u8::is_ascii_alphabetic);
    if token.is_empty()
        || is_label
        || token.contains(&b'@')
        || starts_url(without_openers(token))
        || !window.has(close_at, close.as_bytes())
    {
        return None;
    }
    let pieces = vec![Piece { range: first, gap: Gap::Line }, Piece { range: last, gap: Gap::None }];
    let readings = notation::readings(window, &pieces, cx.rules.hyphen);
    let pieces = Joined::new(Some(JoinKind::Delimited), readings);
    let matched = Match::rejoined(open..close_at + close.len(), Form::Paren, pieces);
    grammar::is_url(matched.as_bytes()).then_some(matched)
}

/// The `token` without the brackets and quotation marks that open before its first other character.
fn without_openers(token: &[u8]) -> &[u8] {
    let start = token.iter().position(|b| !b"([{\"'`".contains(b)).unwrap_or(token.len());
    &token[start..]
}

/// The maximum distance between the bracket and the URL, in bytes.
const MAX_BRACKET_DISTANCE: usize = 512;

/// The opening brackets, and their closing counterparts.
const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("“", "”")];

/// Returns the start of the match whose URL is at `url`, and the closing counterpart of the bracket
/// before it: only spaces and other URLs may be between the two.
fn bracket_before(cx: &Surroundings<'_, '_>, url: usize) -> Option<(usize, &'static str)> {
    let window = cx.window;
    let bracket_of = |text: &[u8]| BRACKETS.into_iter().find(|(open, _)| text.ends_with(open.as_bytes()));
    let inner = window.skip_back(url, cx.back, |b| BLANK.has(b));
    if let Some((open, close)) = bracket_of(window.before(inner, cx.consumed.min(inner))) {
        return Some((inner - open.len(), close));
    }
    let open = inner.checked_sub(1)?;
    if !matches!(window.get(open), Some(b',' | b';')) {
        return None;
    }
    let line = window.before(open, url.saturating_sub(MAX_BRACKET_DISTANCE).max(cx.back));
    let bracket = open - line.len() + line.iter().rposition(|b| b"([\n\r".contains(b))?;
    let urls = window.ahead(bracket + 1..open);
    let (_, close) = bracket_of(window.before(bracket + 1, bracket))?;
    urls.split(|&b| BLANK.has(b)).filter(|word| !word.is_empty()).all(starts_url).then_some((url, close))
}
