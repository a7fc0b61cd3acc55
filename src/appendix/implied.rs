//! Hosts and mail addresses without a scheme, on request.
//!
//! RFC 1738 does not have them, but `http://` and `mailto:` are often omitted. A host
//! is matched if its name starts with `www.` or `ftp.` and has at least three labels,
//! an address if its host has at least two.

use super::end::{End, EndFinder};
use super::start::{AuthorityReader, Start};
use super::{Context, Outcome};
use crate::found::Match;
use crate::found::ending::Ending;
use crate::found::form::{Form, Implied};

/// Reads the host that starts at `start`, and what follows it.
pub(crate) fn host<'h>(cx: &Context<'_, 'h>, start: usize, scheme: Implied) -> Outcome<'h> {
    let (window, limit, iri, explain) = (cx.window, cx.limit(start), cx.rules.iri, cx.rules.explain);
    let Some(host) = (AuthorityReader { window, limit, iri }).dotted_host(start, 3) else {
        return Outcome::Nothing;
    };
    let finder = EndFinder { window, start, limit, iri, explain };
    let (Start::Open(least) | Start::Closed(least, _)) = host;
    match finder.after(host) {
        End::At(untrimmed, stop) => {
            let url = start..finder.trimmed(host.end().unwrap_or(untrimmed), least);
            let ending = stop.map(|stop| Ending::new(stop, url.end, untrimmed));
            let matched = Match::verbatim(window.ahead(url.clone()), start, url, Form::Bare);
            Outcome::Match(matched.implying(scheme).ending_by(ending))
        }
        End::TooLong => Outcome::TooLong(limit),
    }
}

/// Reads the address that starts at `start`, whose `@` is at `at`.
pub(crate) fn address<'h>(cx: &Context<'_, 'h>, start: usize, at: usize) -> Outcome<'h> {
    let (window, limit, iri, explain) = (cx.window, cx.limit(start), cx.rules.iri, cx.rules.explain);
    let Some(host) = (AuthorityReader { window, limit, iri }).dotted_host(at + 1, 2) else {
        return Outcome::Nothing;
    };
    let (end, untrimmed) = match host {
        Start::Closed(end, stop) => (end, stop),
        // A dot before a mark after the host ends a sentence.
        Start::Open(end) => (window.skip_back(end, at, |b| b == b'.'), end),
    };
    let stop = EndFinder { window, start, limit, iri, explain }.stop_of_address(untrimmed);
    let matched = Match::verbatim(window.ahead(start..end), start, start..end, Form::Bare);
    let ending = stop.map(|stop| Ending::new(stop, end, untrimmed));
    Outcome::Match(matched.implying(Implied::Mailto).ending_by(ending))
}
