//! The reStructuredText targets, which continue in the lines below.
//!
//! A target is a name and a URL: `.. _name: http://h.org/a/`, or `__ http://h.org/a/` without a
//! name. If the URL continues, its lines are indented further, and the whitespace is not part of
//! it: docutils, "Hyperlink Targets". So this rule is exact, not a guess.

use super::Surroundings;
use super::end::{End, EndFinder};
use super::line::{Line, Lines, Stem};
use super::literal::end_of_line;
use crate::bytes::class::{BLANK, BREAK, PREFIX, SPACE};
use crate::matches::Match;
use crate::matches::readings::{Gap, Piece};

/// The maximum number of lines that continue a URL, as for guesses (`CONTINUATIONS` of `guess.rs`):
/// enough for 600 bytes, and a bound for a text of indented words.
const MAX_LINES: usize = 8;

/// Returns true if the URL may be in a target.
#[inline(always)]
pub(super) fn may_start(cx: &Surroundings<'_, '_>, _: &EndFinder<'_, '_>, stem: &Stem) -> bool {
    matches!(*cx.window.before(stem.url.start, cx.back), [.., far, last] if may_be_target(far, last))
}

/// Returns true if a target may end with these two bytes before the URL.
#[inline(always)]
pub(crate) fn may_be_target(far: u8, last: u8) -> bool {
    last == b' ' && matches!(far, b':' | b'_')
}

/// Returns true if an indented continuation may follow the line that ends with `text`.
#[inline(never)]
pub(crate) fn is_followed(text: &[u8]) -> bool {
    let end = text.iter().position(|&b| !SPACE.has(b)).unwrap_or(text.len());
    text[..end].iter().any(|&b| BREAK.has(b))
        && (end == text.len() || BLANK.has(text[end - 1]) || PREFIX.has(text[end]))
}

/// The URL that starts with `stem`, if it is in a target that continues.
#[inline(never)]
pub(super) fn rejoin(
    cx: &Surroundings<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    let mut end = end_of_line(cx.window, stem.untrimmed)?;
    let lines = Lines::around(cx, stem.url.start..stem.untrimmed)?;
    let first = lines.first;
    if !is_target(cx.window.ahead(first.text_start()..stem.url.start)) {
        return None;
    }
    let mut pieces = vec![Piece { range: stem.url.start..stem.untrimmed, gap: Gap::None }];
    while pieces.len() <= MAX_LINES
        && let Some(line) = lines.after(end).filter(|line| continues_target(finder, &first, line))
    {
        let start = line.text_start();
        pieces.push(Piece { range: start..start + line.only_word()?.len(), gap: Gap::None });
        end = line.end();
    }
    let last = pieces.last_mut().filter(|last| last.range.start != stem.url.start)?;
    last.range.end = finder.trimmed(last.range.end, last.range.start);
    stem.joined(cx, &pieces, None, false)
}

/// Returns true if `before` is a target without its URL.
fn is_target(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    before == b"__" || before.starts_with(b".. _") && before.ends_with(b":")
}

/// Returns true if `line` is a word that belongs to the URL of the target on the line `first`.
fn continues_target(finder: &EndFinder<'_, '_>, first: &Line<'_>, line: &Line<'_>) -> bool {
    let Some(word) = line.only_word() else { return false };
    let start = line.text_start();
    let is_whole =
        matches!(finder.untrimmed(start), End::At(end, _) if end == start + word.len()) && word != b"__";
    is_whole && line.column() > first.column() && first.has_depth_of(line) && !line.starts_url()
}
