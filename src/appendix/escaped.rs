//! URLs in JSON, where `/` may be written `\/` (RFC 8259 §7).
//!
//! The text is read up to the first byte that no such URL has, without the backslashes
//! before slashes, and the result is read like any other bare URL.

use std::ops::Range;

use super::Context;
use super::bare::has_port;
use super::end::{End, EndFinder};
use super::start::{AuthorityReader, Start};
use crate::bytes::class::INSIDE;
use crate::bytes::window::Window;
use crate::found::form::Form;
use crate::found::readings::{Gap, Hyphen, Piece, Readings};
use crate::found::{Match, Pieces};
use crate::grammar;
use crate::scan::Scheme;

/// Reads the URL that starts with `scheme`, whose colon is at `colon`; `\/\/` follows.
pub(crate) fn read<'h>(cx: &Context<'_, 'h>, scheme: &Scheme, colon: usize) -> Option<Match<'h>> {
    let limit = cx.limit(scheme.start);
    let (pieces, end) = pieces(cx.window, scheme.start, limit);
    if end >= limit {
        return cx.end_before(limit, End::TooLong).and(None);
    }
    // What follows decides, too.
    let mut url = Vec::with_capacity(end + 1 - scheme.start);
    pieces.iter().for_each(|piece| url.extend_from_slice(cx.window.ahead(piece.clone())));
    url.extend(cx.window.get(end));
    let len = end_of(cx, scheme, colon - scheme.start, &url)?;
    Some(matched(cx, cut(pieces, len)))
}

/// The ranges between the backslashes that precede slashes, and where the last ends.
fn pieces(window: &Window<'_>, start: usize, limit: usize) -> (Vec<Range<usize>>, usize) {
    let mut pieces = Vec::new();
    let mut from = start;
    loop {
        let end = window.skip(from, limit, |b| INSIDE.has(b) && b != b'\\');
        pieces.push(from..end);
        if end >= limit || !window.has(end, b"\\/") {
            return (pieces, end);
        }
        from = end + 1;
    }
}

/// Where `url`, without its backslashes, ends as a bare URL.
fn end_of(cx: &Context<'_, '_>, scheme: &Scheme, colon: usize, url: &[u8]) -> Option<usize> {
    let (window, limit, options) = (&Window::whole(url), url.len() + 1, &cx.rules.scan.read);
    let start = (AuthorityReader { window, limit, options }).after_colon(colon, scheme.rule)?;
    let finder = EndFinder { window, start: 0, limit, options, explain: false };
    let End::At(untrimmed) = finder.after(&start) else {
        return None;
    };
    let least = match start {
        Start::Open(at) => at,
        Start::Closed(..) => colon + 1,
    };
    let end = finder.trimmed(start.end().unwrap_or(untrimmed), least);
    (has_port(window, least, end) || grammar::assess(&url[..end]).is_ok()).then_some(end)
}

/// The first `len` bytes of the pieces.
fn cut(pieces: Vec<Range<usize>>, mut len: usize) -> Vec<Piece> {
    let mut kept = Vec::with_capacity(pieces.len());
    for range in pieces {
        let range = range.start..range.end.min(range.start + len);
        len -= range.len();
        if !range.is_empty() {
            kept.push(Piece { range, gap: Gap::None });
        }
    }
    kept
}

fn matched(cx: &Context<'_, '_>, pieces: Vec<Piece>) -> Match<'static> {
    let span = pieces[0].range.start..pieces[pieces.len() - 1].range.end;
    let readings = Readings::new(|range| cx.window.ahead(range), pieces, Hyphen::Keep);
    Match::rejoined(span, Form::Bare, Pieces::new(None, readings))
}
