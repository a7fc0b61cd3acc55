//! Text that looks like a URL and is not one, and URLs that end before an invalid part. Both are
//! what [`Match::invalid`] recognises.
//!
//! The rules read each candidate as always. Where they refuse it, the text is the word up to the next delimiter; where
//! they end it, the text continues to the end that the author meant. The caller drops the valid matches.

use std::cell::Cell;

use super::bare::is_partial;
use super::{Surroundings, with_scheme};
use crate::bytes::class::{BLANK, UNPRINTABLE};
use crate::matches::form::Form;
use crate::matches::{InvalidKind, Match};
use crate::scan::{Scheme, has_backslashes};

/// The maximum length of an invalid text, and the distance in which a bracket must close, in bytes.
const MAX_LEN: usize = 512;

/// Reads the match that starts with `scheme`, or the invalid text there.
pub(super) fn read<'h>(cx: &Surroundings<'_, 'h>, scheme: &Scheme, colon: usize) -> Option<Match<'h>> {
    if scheme.rule.is_none() && (lacks_letter(cx, scheme.start) || is_partial(cx.window, scheme.start, colon))
    {
        return None;
    }
    // The first letter of a known scheme may precede it.
    let doubled = scheme.start.checked_sub(1).filter(|&at| {
        at >= cx.consumed
            && cx.window.get(at) == cx.window.get(scheme.start)
            && !cx.window.byte_before(at).is_some_and(|b| b.is_ascii_alphanumeric())
    });
    if let Some(word) = doubled.and_then(|at| word(cx, at)) {
        return Some(word);
    }
    let Some(matched) = with_scheme(cx, scheme, colon) else {
        return if cx.notes.too_long.get().is_none() { word(cx, scheme.start) } else { None };
    };
    let range = matched.text_range();
    if matched.form() != Form::Bare || range.start != scheme.start {
        return Some(matched);
    }
    with_port(cx, range.start, range.end)
        .or_else(|| with_spaces(cx, range.start, range.end))
        .or_else(|| with_bracket(cx, range.start, range.end))
        .or_else(|| with_escape(cx, range.start, range.end))
        .or(Some(matched))
}

/// The maximum distance between the first letter of a scheme and the rest, in bytes.
const MAX_GAP: usize = 64;

/// Returns true if the first letter of the scheme at `start` is separated from the rest: at the end
/// of the line before, as in `'h' + 'ttp://`, or as a reference.
fn lacks_letter(cx: &Surroundings<'_, '_>, start: usize) -> bool {
    let window = cx.window;
    let end = window.skip_back(start, start.saturating_sub(MAX_GAP), |b| !b.is_ascii_alphanumeric());
    let is_word = || !window.byte_before(end - 1).is_some_and(|b| b.is_ascii_alphanumeric());
    let is_broken = || window.ahead(end..start).contains(&b'\n');
    window.has(start, b"ttp")
        && (window.byte_before(start) == Some(b';')
            || window.byte_before(end) == Some(b'h') && (is_broken() || is_word()))
}

/// The invalid text that starts at `start` and ends where a word does, without the punctuation of a sentence.
pub(super) fn word<'h>(cx: &Surroundings<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let colon = cx.window.skip(start, start + MAX_LEN, |b| b.is_ascii_alphanumeric());
    let has_backslashes = has_backslashes(cx.window, colon);
    let in_word = |b: u8| match b {
        b'\\' => has_backslashes,
        _ => !UNPRINTABLE.has(b) && !b"<>\"'`)]}|".contains(&b),
    };
    let end = cx.window.skip(start, start + MAX_LEN, in_word);
    let end = cx.window.skip_back(end, start, |b| b".,;:!?*_~".contains(&b));
    text(cx, start, end).filter(|text| text.invalid().is_some())
}

fn text<'h>(cx: &Surroundings<'_, 'h>, start: usize, end: usize) -> Option<Match<'h>> {
    let text = cx.window.ahead(start..end);
    Some(Match::verbatim(text, start, start..end, Form::Bare))
}

/// The URL up to `end`, where its host or the digits of its port end, with the word that replaces the port.
fn with_port<'h>(cx: &Surroundings<'_, 'h>, start: usize, end: usize) -> Option<Match<'h>> {
    let continues = cx.window.get(end).is_some_and(|b| b == b':' || b.is_ascii_alphanumeric());
    let word = if continues { word(cx, start) } else { None };
    word.filter(|word| word.invalid().is_some_and(|invalid| invalid.kind() == InvalidKind::Port))
}

/// The destination of Markdown up to its bracket, if a space ends its URL at `end`. A title may
/// follow a space, or, in some dialects, the size of an image.
fn with_spaces<'h>(cx: &Surroundings<'_, 'h>, start: usize, end: usize) -> Option<Match<'h>> {
    let window = cx.window;
    if !window.get(end).is_some_and(|b| BLANK.has(b))
        || window.before(start, start.saturating_sub(2)) != b"]("
    {
        return None;
    }
    let depth = Cell::new(0);
    let is_inside = |b: u8| {
        depth.set(depth.get() + i32::from(b == b'(') - i32::from(b == b')'));
        depth.get() >= 0 && !b"\n\r[]".contains(&b)
    };
    let close = window.skip(end, end + MAX_LEN, is_inside);
    let rest = window.ahead(end..close).trim_ascii();
    let is_title = rest.first().is_none_or(|b| b"\"'(&={<\\".contains(b));
    let has_spaces = window.get(close) == Some(b')') && !is_title;
    if has_spaces { text(cx, start, window.skip_back(close, end, |b| BLANK.has(b))) } else { None }
}

/// The URL up to `end` with the angle bracket before it, if no other bracket follows in the paragraph.
fn with_bracket<'h>(cx: &Surroundings<'_, 'h>, start: usize, end: usize) -> Option<Match<'h>> {
    let window = cx.window;
    let open = start.checked_sub(1).filter(|&open| open >= cx.consumed && window.get(open) == Some(b'<'))?;
    let is_word = |b: u8| BLANK.has(b) || b"\n\r([{*_-\"'".contains(&b);
    if !window.byte_before(open).is_none_or(is_word) {
        return None;
    }
    let next = window.skip(end, end + MAX_LEN, |b| !matches!(b, b'<' | b'>'));
    let rest = window.ahead(end..next);
    let ends = |pair: &[u8]| memchr::memmem::find(rest, pair).is_some();
    let is_open = ends(b"\n\n") || ends(b"\n\r\n") || window.get(next).is_none();
    if is_open { text(cx, open, end) } else { None }
}

/// The URL up to `end` if it is between brackets and a `%` in it, or after it, is not an escape.
fn with_escape<'h>(cx: &Surroundings<'_, 'h>, start: usize, end: usize) -> Option<Match<'h>> {
    let end = end + usize::from(cx.window.get(end) == Some(b'%'));
    let is_framed = matches!(
        (cx.window.byte_before(start), cx.window.get(end)),
        (Some(b'('), Some(b')')) | (Some(b'['), Some(b']'))
    );
    let framed = || Match::verbatim(cx.window.ahead(start..end), start, start..end, Form::Paren);
    let is_escape =
        |found: &Match<'_>| found.invalid().is_some_and(|invalid| invalid.kind() == InvalidKind::Escape);
    is_framed.then(framed).filter(is_escape)
}
