//! URLs without delimiters, with or without the prefix `URL:`.

use super::delimited::after_prefix;
use super::end::EndFinder;
use super::guess::{self, Stem};
use super::start::{AuthorityReader, Start};
use super::{Context, paren, soft};
use crate::bytes::class::BLANK;
use crate::bytes::window::Window;
use crate::found::Match;
use crate::found::form::Ending;
use crate::found::form::{Form, Join};
use crate::grammar;
use crate::scan::Scheme;
use crate::scan::prefix_before;

/// Reads the URL that starts with `scheme`, whose colon is at `colon`.
pub(crate) fn read<'h>(cx: &Context<'_, 'h>, scheme: &Scheme, colon: usize) -> Option<Match<'h>> {
    let Context { window, rules, .. } = *cx;
    let from = scheme.start;
    let (limit, options) = (cx.limit(from), &rules.scan.read);
    // This is not moved, for the same reason as a match in the search.
    let start = (AuthorityReader { window, limit, options }).bare_after_colon(colon, scheme.rule);
    let start = start.as_ref()?;
    // Evidence asks whether a URL ends where its line does.
    let explain = rules.explain || rules.join == Join::Likely;
    let finder = EndFinder { window, start: from, limit, options, explain };
    let stop_at = cx.end_before(limit, finder.after(start))?;
    if rules.join != Join::None
        && let Some(joined) = paren::rejoin(cx, &finder, stop_at)
    {
        return Some(joined);
    }
    let least = match start {
        Start::Open(at) => *at,
        Start::Closed(..) => colon + 1,
    };
    let url = from..finder.trimmed(start.end().unwrap_or(stop_at), least);
    let text = window.ahead(url.clone());
    if !has_port(window, least, url.end) && grammar::assess(text).is_err() {
        return None;
    }
    let (outer, form) = match prefix(cx, from) {
        Some(at) => (at, Form::Prefixed),
        None => (from, Form::Bare),
    };
    let stem = Stem { span: outer..url.end, url, untrimmed: stop_at, form };
    if let Some(joined) = rejoin(cx, &finder, &stem) {
        return Some(joined);
    }
    let ending = finder.stop(start, stop_at).map(|stop| Ending::new(stop, stem.url.end, stop_at));
    Some(Match::verbatim(text, from, stem.span, form).ending_by(ending))
}

/// The URL that starts with `stem`, if the line end cut it.
fn rejoin(cx: &Context<'_, '_>, finder: &EndFinder<'_, '_>, stem: &Stem) -> Option<Match<'static>> {
    match cx.rules.join {
        Join::None => None,
        Join::Delimited => soft::rejoin(cx, finder, stem),
        Join::Likely => soft::rejoin(cx, finder, stem).or_else(|| guess::rejoin(cx, finder, stem)),
    }
}

/// Whether the host that ends at `host` is followed by a valid port, or by no colon.
/// Otherwise the grammar may read another host: `http://h.org:80{@/`.
pub(super) fn has_port(window: &Window<'_>, host: usize, end: usize) -> bool {
    match window.ahead(host.min(end)..end) {
        [b':', port @ ..] => {
            let digits = port.iter().take_while(|b| b.is_ascii_digit()).count();
            matches!(port.get(digits), None | Some(b'/' | b'?' | b'#'))
        }
        _ => true,
    }
}

/// The offset of the prefix `URL:` before the URL at `start`, if it is on the same
/// line.
fn prefix(cx: &Context<'_, '_>, start: usize) -> Option<usize> {
    let window = cx.window;
    let end = window.skip_back(start, cx.back, |b| BLANK.has(b));
    let colon = match window.byte_before(end)? {
        b':' => end - 1,
        b'/' if end >= 3 && after_prefix(window, end - 3) == start => end - 3,
        _ => return None,
    };
    prefix_before(window, colon, cx.consumed)
}
