//! URLs that are broken at the end of a string, and continue in the next string.
//!
//! A gettext catalogue splits a text into several strings, one below the other:
//! `"…/glib/"⏎"a.html"`. The literals of C and Python are split in this way as well, and a
//! backslash at the end of a line joins lines; but prose may look like that. So catalogues are
//! joined exactly, and the others by a guess: rule L.

use std::ops::Range;

use super::Surroundings;
use super::delimited_rows::CellsCache;
use super::end::{End, EndFinder};
use super::line::{Lines, Stem, starts_url};
use crate::bytes::class::{BLANK, BREAK, SPACE};
use crate::bytes::file_kind::names_known_file;
use crate::bytes::window::Window;
use crate::matches::Match;
use crate::matches::form::{Form, GuessRule, Join};
use crate::matches::readings::{Gap, Piece};
use crate::scan::Scheme;

/// The maximum number of strings after the first one.
const MAX_STRINGS: usize = 8;

/// The maximum number of lines between a catalogue string and its keyword.
const MAX_ENTRY_LINES: usize = 64;

/// The maximum number of spaces between a string and the end of its line.
const MAX_TRAILING_SPACES: usize = 8;

/// The maximum length of the margin of a line with a string, in bytes.
const MAX_MARGIN: usize = 80;

/// The characters of comment and quote prefixes that may precede a string on its line.
const COMMENT: &[u8] = b"#~>|*/;%";

/// The keywords of a catalogue that a string follows.
const KEYWORDS: [&[u8]; 3] = [b"msgid", b"msgstr", b"msgctxt"];

/// Returns true if a string may end after the URL, or a line of a program.
#[inline(always)]
pub(super) fn may_end_string(cx: &Surroundings<'_, '_>, _: &EndFinder<'_, '_>, stem: &Stem) -> bool {
    let close = cx.window.get(stem.untrimmed);
    matches!(close, Some(b'"' | b'\'')) || close == Some(b'\\') && cx.rules.join == Join::Likely
}

/// Returns true if a string that ends before `text` may continue in a string on the next line, as
/// in a gettext catalogue.
#[inline(always)]
pub(crate) fn may_continue_in_string(text: &[u8]) -> bool {
    let blanks = text.iter().position(|&b| !BLANK.has(b)).unwrap_or(text.len());
    text.get(blanks).is_none_or(|&b| BREAK.has(b)) && may_start_next(&text[blanks..])
}

/// Returns true if the next non-empty line of `text` may start with a string that is not itself a
/// URL.
#[inline(never)]
fn may_start_next(text: &[u8]) -> bool {
    let start = text.iter().position(|&b| !SPACE.has(b) && !COMMENT.contains(&b));
    start.is_none_or(|start| text[start] == b'"' && !starts_url(&text[start + 1..]))
}

/// Returns the end of the line after the spaces at `at`, if the line ends there.
pub(super) fn end_of_line(window: &Window<'_>, at: usize) -> Option<usize> {
    let end = window.skip(at, at + MAX_TRAILING_SPACES, |b| BLANK.has(b));
    window.is_break(end).then_some(end)
}

/// The URL that starts with `stem`, joined over the strings of a catalogue, or of a program if that is likely.
#[inline(never)]
pub(super) fn rejoin(
    cx: &Surroundings<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    let (window, likely) = (cx.window, cx.rules.join == Join::Likely);
    let close = window.get(stem.untrimmed)?;
    let mut line_end = end_of_line(window, stem.untrimmed + 1)?;
    let next = window.after_break(line_end);
    let text = window.skip(next, next + MAX_MARGIN, |b| BLANK.has(b) || COMMENT.contains(&b));
    if close != b'\\' && window.get(text) != Some(close) {
        return None;
    }
    let lines = Lines::around(cx, stem.url.start..stem.untrimmed)?;
    let is_catalogue = close == b'"' && is_in_catalogue(&lines);
    let before = window.ahead(lines.first.start..stem.url.start);
    if !is_catalogue && !(likely && (close == b'\\' || before.contains(&close))) {
        return None;
    }
    let mut pieces = vec![Piece { range: stem.url.start..stem.untrimmed, gap: Gap::None }];
    while pieces.len() <= MAX_STRINGS
        && let Some(token) = next_token(finder, &lines, line_end, close)
        && (is_catalogue || continues_literal(cx, &pieces, token.clone(), close))
    {
        let end = token.end;
        pieces.push(Piece { range: token, gap: Gap::None });
        match end_of_line(window, end + 1).filter(|_| window.get(end) == Some(close)) {
            Some(next) => line_end = next,
            None => break,
        }
    }
    let last = pieces.last_mut().filter(|last| last.range.start != stem.url.start)?;
    last.range.end = finder.trimmed(last.range.end, last.range.start);
    let rule = if is_catalogue { None } else { Some(GuessRule::Literal) };
    stem.joined(cx, &pieces, rule, rule.is_some())
}

/// The URL whose scheme or host the end of a catalogue's string breaks: `"https://www."⏎"h.org/a"`. Its `scheme` ends at
/// `colon`, and its string at `end`.
#[inline(never)]
pub(super) fn of_host(
    cx: &Surroundings<'_, '_>,
    scheme: &Scheme,
    colon: usize,
    end: usize,
) -> Option<Match<'static>> {
    let (start, options) = (scheme.start, &cx.rules.scan.read);
    let finder = EndFinder::new(cx.window, start, cx.limit(start), options, &cx.notes.cells);
    let stem = Stem { span: start..end, url: start..end, untrimmed: end, form: Form::Bare };
    let matched = rejoin(cx, &finder, &stem).filter(|matched| matched.guess().is_none())?;
    let (url, cells) = (Window::whole(matched.as_bytes()), CellsCache::default());
    let whole = EndFinder::new(&url, 0, url.len() + 1, options, &cells).end(colon - start, scheme.rule);
    (whole == Some(url.len())).then_some(matched)
}

/// Returns the text with which a URL may continue after the line that ends at `line_end`: the
/// beginning of the next string, or the first word of the line after a backslash. It does not start
/// a URL.
fn next_token(
    finder: &EndFinder<'_, '_>,
    lines: &Lines<'_, '_>,
    line_end: usize,
    close: u8,
) -> Option<Range<usize>> {
    let window = finder.window;
    let line = lines.after(line_end).filter(|line| line.is_whole())?;
    let from = match close {
        b'\\' => line.text_start(),
        _ if window.get(line.text_start()) == Some(close) => line.text_start() + 1,
        _ => return None,
    };
    let End::At(end, _) = finder.untrimmed(from) else { return None };
    (end > from && !starts_url(window.ahead(from..end))).then_some(from..end)
}

/// Returns true if only the end of a call or a statement follows at `at` on the line, because
/// several literals on a line are separate values.
fn ends_statement(window: &Window<'_>, at: usize) -> bool {
    let end = window.skip(at, at + MAX_MARGIN, |b| BLANK.has(b) || b"),;".contains(&b));
    window.is_break(end) || window.get(end).is_none()
}

/// Returns true if the string of the URL is in an entry of a catalogue: its line starts with a keyword, or strings do
/// up to one that does.
fn is_in_catalogue(lines: &Lines<'_, '_>) -> bool {
    let has_keyword = |text: &[u8]| KEYWORDS.iter().any(|keyword| text.starts_with(keyword));
    let first = lines.at(lines.first.start);
    if has_keyword(first.text()) {
        return true;
    }
    let before = lines.before(first.start).take(MAX_ENTRY_LINES).map(|range| lines.at(range.start));
    let mut texts = std::iter::once(first).chain(before).map(|line| line.text());
    texts.find(|text| !text.starts_with(b"\"")).is_some_and(has_keyword)
}

/// Returns true if a URL continues with the token in `range`, which is all of a literal or the
/// first word of a line: the token cannot be read by itself, or the text before it cannot end a
/// URL.
fn continues_literal(cx: &Surroundings<'_, '_>, pieces: &[Piece], range: Range<usize>, close: u8) -> bool {
    let window = cx.window;
    let is_all =
        close == b'\\' || window.get(range.end) == Some(close) && ends_statement(window, range.end + 1);
    let last = pieces.last().and_then(|piece| window.byte_before(piece.range.end));
    let is_open = last.is_some_and(|b| b"/-_=&?.%".contains(&b));
    let stem = pieces.last().map_or(&[][..], |piece| window.ahead(piece.range.clone()));
    // Each file in a list of files is complete, but a query continues with a file name.
    if names_known_file(stem) && !matches!(window.get(range.start), Some(b'?' | b'#' | b'&')) {
        return false;
    }
    let token = window.ahead(range);
    is_all && (is_open || token.iter().any(|b| b"/.=?_%&".contains(b) || b.is_ascii_digit()))
}
