//! URLs without delimiters, with or without the prefix `URL:`.

use super::delimited::after_prefix;
use super::end::EndFinder;
use super::line::Stem;
use super::notation::TextDialect;
use super::start::{AuthorityReader, Start, is_sound};
use super::{Surroundings, guess, joins, literal, notation, paren};
use crate::bytes::class::{BLANK, PLAIN};
use crate::bytes::window::Window;
use crate::grammar::schemes::SchemeRule;
use crate::matches::Match;
use crate::matches::form::{Ending, Form, Join};
use crate::scan::{Scheme, prefix_before};

/// The number of bytes after a scheme's colon that may precede the backslash of a notation.
const MAX_UNESCAPED: usize = 256;

/// Reads the URL that starts with `scheme`, whose colon is at `colon`.
pub(crate) fn read<'h>(cx: &Surroundings<'_, 'h>, scheme: &Scheme, colon: usize) -> Option<Match<'h>> {
    let (window, rules, from) = (cx.window, cx.rules, scheme.start);
    let (limit, options) = (cx.limit(from), &rules.scan.read);
    if scheme.rule.is_none() {
        if let Some(start) = notation::broken_scheme(cx, from, colon) {
            return notation::read(cx, start, TextDialect::Quoted, None);
        }
        if is_partial(window, from, colon) {
            return None;
        }
    }
    // Borrowed rather than moved, because a move would wait until all fields are written (see
    // `Search::next_by_rules`).
    let start = (AuthorityReader { window, limit, options }).bare_after_colon(colon, scheme.rule);
    let Some(start) = start.as_ref() else { return without_host(cx, scheme, colon) };
    if let Start::Closed(_, stop) = start
        && window.has(*stop, b"=2E")
    {
        return notation::read(cx, from, TextDialect::Quoted, None);
    }
    // Evidence asks whether a URL ends where its line does.
    let explain = rules.explain || rules.join == Join::Likely;
    let finder = EndFinder::new(window, from, limit, options, &cx.notes.cells).explaining(explain);
    let (end, findings) = finder.after(start);
    let (stop_at, stop) = cx.end_before(limit, end)?;
    if rules.join != Join::None
        && let Some(joined) = paren::rejoin(cx, &finder, stop_at)
    {
        return Some(joined);
    }
    let min_end = if let Start::Open(at) = start { *at } else { colon + 1 };
    let url = from..finder.trimmed(start.end().unwrap_or(stop_at), min_end);
    let text = window.ahead(url.clone());
    let is_sound = is_sound(window, min_end, url.end, text);
    let is_decoded = findings.has_entity || notation::continues_in_notation(cx, from, stop_at);
    let (outer, form) = prefix(cx, from).map_or((from, Form::Bare), |at| (at, Form::Prefixed));
    let stem = Stem { span: outer..url.end, url, untrimmed: stop_at, form };
    if is_sound && let Some(joined) = joins::rejoin(cx, &finder, &stem) {
        return Some(joined);
    }
    let decoded = match is_decoded {
        true => notation::read(cx, from, TextDialect::of(window, from), Some(text)),
        false => None,
    };
    if !is_sound || decoded.is_some() || cx.notes.too_long.get().is_some() {
        return decoded;
    }
    let ending = stop.map(|stop| Ending::new(stop, stem.url.end, stop_at));
    let is_truncated = is_shortened(window, stem.url.end) && !names_article(text);
    let other_end = findings.other_end().map(|other| finder.trimmed(other, min_end));
    let matched = match other_end.filter(|&other| other != stem.url.end) {
        Some(other) => of_two_readings(window, stem, other),
        None => Match::verbatim(text, from, stem.span, form),
    };
    Some(matched.ending_by(ending).truncated_if(is_truncated))
}

/// Returns true if the scheme in `start..colon` is only the end of a web scheme. Its beginning is in the string before
/// (`"ht" & "tp://"`), before a backtick of PowerShell, or in a bracket of BibTeX (`{h}ttp://`).
#[inline(never)]
pub(super) fn is_partial(window: &Window<'_>, start: usize, colon: usize) -> bool {
    const MAX_JOINT: usize = 8;
    let end = window.before(colon, start);
    let beginning = [&b"https"[..], b"http"].into_iter().find_map(|name| name.strip_suffix(end));
    let Some(beginning) =
        beginning.filter(|_| matches!(window.byte_before(start), Some(b'"' | b'\'' | b'`' | b'}')))
    else {
        return false;
    };
    let string = window.skip_back(start, start.saturating_sub(MAX_JOINT), |b| b"\"'`&+. }".contains(&b));
    window.before(string, string.saturating_sub(beginning.len())).eq_ignore_ascii_case(beginning)
}

/// Returns true if an ellipsis follows the letter before `end`.
#[inline(always)]
fn is_shortened(window: &Window<'_>, end: usize) -> bool {
    let is_ellipsis = match window.get(end) {
        Some(b'.') => window.has(end, b"..."),
        Some(0xE2) => window.has(end, "…".as_bytes()),
        _ => false,
    };
    is_ellipsis && window.byte_before(end).is_some_and(|b| b.is_ascii_alphabetic() || b >= 0x80)
}

/// Returns true if a URL contains a message identifier, which is never shortened: an ellipsis after
/// it belongs to an attribution, `A wrote in <news:1@h.org>...`.
fn names_article(url: &[u8]) -> bool {
    url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"news:")) && url.contains(&b'@')
}

/// Returns the URL `stem`, which contains a run, with the alternative that ends at `other`.
#[inline(never)]
fn of_two_readings(window: &Window<'_>, stem: Stem, other: usize) -> Match<'static> {
    let Stem { span, url, form, .. } = stem;
    let other = window.ahead(url.start..other);
    Match::of_two_readings(window.ahead(url.clone()), url.start, span, form, other)
}

/// The URL that starts with `scheme`, whose colon is at `colon`, if a backslash, a colour, the end of a catalogue's string
/// or the end of the line keeps it from being one.
#[inline(never)]
fn without_host(cx: &Surroundings<'_, '_>, scheme: &Scheme, colon: usize) -> Option<Match<'static>> {
    // Only a login has another colon: otherwise, each `cid:` in `cid:cid:…` would read all that follow.
    let login = cx.window.get(colon + 1) == Some(b'/');
    let stop = cx.window.skip(colon + 1, colon + MAX_UNESCAPED, |b| PLAIN.has(b) && (login || b != b':'));
    if notation::continues_in_notation(cx, scheme.start, stop) {
        return notation::read(cx, scheme.start, TextDialect::of(cx.window, scheme.start), None);
    }
    if notation::is_broken_softly(cx.window, scheme.start, stop) {
        return notation::read(cx, scheme.start, TextDialect::Quoted, None);
    }
    if cx.rules.join != Join::None {
        let joined = match cx.window.get(stop) {
            Some(b'"') => literal::of_host(cx, scheme, colon, stop),
            _ => paren::of_scheme(cx, scheme.start, colon),
        };
        if joined.is_some() {
            return joined;
        }
    }
    let may_be_broken =
        cx.rules.join == Join::Likely && matches!(scheme.rule, Some(SchemeRule::Host | SchemeRule::Web));
    if may_be_broken { guess::of_scheme(cx, scheme.start, colon) } else { None }
}

/// The offset of the prefix `URL:` before the URL at `start`, if it is on the same
/// line.
fn prefix(cx: &Surroundings<'_, '_>, start: usize) -> Option<usize> {
    let window = cx.window;
    let end = window.skip_back(start, cx.back, |b| BLANK.has(b));
    let colon = match window.byte_before(end)? {
        b':' => end - 1,
        b'/' if end >= 3 && after_prefix(window, end - 3) == start => end - 3,
        _ => return None,
    };
    prefix_before(window, colon, cx.consumed)
}
