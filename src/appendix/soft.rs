//! Soft line breaks of quoted-printable (RFC 2045 §6.7) in text that nobody decoded.
//!
//! List archives store mail as it came. A `=` that ends a line of about the length at which
//! programs break lines, with a URL running up to it, is a soft break: the URL continues on the
//! next line without the `=`.

use std::ops::RangeInclusive;

use super::Context;
use super::end::{End, EndFinder};
use super::guess::Stem;
use crate::bytes::class::{BLANK, BREAK, INSIDE};
use crate::found::form::Joined;
use crate::found::readings::{Gap, Piece, Readings};
use crate::found::{Match, Pieces};
use crate::grammar;

/// How long a line with a soft break is, the `=` included, in bytes. RFC 2045 allows 76.
const WIDTHS: RangeInclusive<usize> = 73..=76;

/// The URL that starts with `stem`, joined over the soft breaks.
#[inline(always)]
pub(crate) fn rejoin(
    cx: &Context<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    // Nearly always this decides, and nothing has to be searched for the start of the line.
    if may_break(finder, stem.untrimmed) { rejoin_lines(cx, finder, stem) } else { None }
}

#[inline(never)]
fn rejoin_lines(cx: &Context<'_, '_>, finder: &EndFinder<'_, '_>, stem: &Stem) -> Option<Match<'static>> {
    let window = cx.window;
    let mut line = window.line_start(finder.start, cx.back)?;
    if is_continued(cx, line, finder.start) {
        return None;
    }
    let (mut from, mut end) = (finder.start, stem.untrimmed);
    let mut pieces = Vec::new();
    while may_break(finder, end) && WIDTHS.contains(&(end - line)) {
        pieces.push(Piece { range: from..end - 1, gap: Gap::None });
        line = window.after_break(end);
        from = line;
        match finder.untrimmed(line) {
            End::At(next) if next > line => end = next,
            _ => return None,
        }
    }
    if pieces.is_empty() {
        return None;
    }
    let last = from..finder.trimmed(end, from);
    let span = stem.span.start..last.end;
    let unjoined = window.ahead(stem.url.clone()).to_vec();
    pieces.push(Piece { range: last, gap: Gap::None });
    let readings = Readings::new(|range| window.ahead(range), pieces, cx.rules.hyphen).or(unjoined);
    let pieces = Pieces::new(Some(Joined::Flowed), readings);
    let matched = Match::rejoined(span, stem.form, pieces);
    grammar::is_url(matched.as_bytes()).then_some(matched)
}

/// Whether the line that starts at `line` continues a word over a soft break, and the URL at
/// `start` is part of that word. The word was read before, and each line is read once.
fn is_continued(cx: &Context<'_, '_>, line: usize, start: usize) -> bool {
    let window = cx.window;
    let before = window.before(window.before_break(line, cx.back), cx.back);
    matches!(before, [.., b, b'='] if INSIDE.has(*b))
        && !window.before(start, line).iter().any(|&b| BLANK.has(b))
}

/// Whether a line ends at `end` after a `=`.
fn may_break(finder: &EndFinder<'_, '_>, end: usize) -> bool {
    let window = finder.window;
    window.byte_before(end) == Some(b'=') && window.get(end).is_some_and(|b| BREAK.has(b))
}
