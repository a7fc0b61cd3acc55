//! Hosts without a scheme, on request.
//!
//! RFC 1738 does not have them, but `http://` is often omitted. A host is matched if its
//! name starts with `www.` or `ftp.` and has at least three labels.

use super::Context;
use super::end::EndFinder;
use super::start::{AuthorityReader, Start};
use crate::bytes::window::Window;
use crate::found::Match;
use crate::found::form::Ending;
use crate::found::form::{Form, Implied};

/// Reads the host that starts at `start`, and what follows it.
pub(crate) fn host<'h>(cx: &Context<'_, 'h>, start: usize, scheme: Implied) -> Option<Match<'h>> {
    let (window, limit, explain) = (cx.window, cx.limit(start), cx.rules.explain);
    let options = &cx.rules.scan.read;
    let host = (AuthorityReader { window, limit, options }).dotted_host(start, 3)?;
    let host = host_without_port(window, start, host);
    let finder = EndFinder { window, start, limit, options, explain };
    let (Start::Open(least) | Start::Closed(least, _)) = host;
    let untrimmed = cx.end_before(limit, finder.after(&host))?;
    let url = start..finder.trimmed(host.end().unwrap_or(untrimmed), least);
    let ending = finder.stop(&host, untrimmed).map(|stop| Ending::new(stop, url.end, untrimmed));
    let matched = Match::verbatim(window.ahead(url.clone()), start, url, Form::Bare);
    Some(matched.implying(scheme).ending_by(ending))
}

/// The same, but a host ends at a `:` that no digit follows: `www.h.org: the page`.
pub(super) fn host_without_port(window: &Window<'_>, from: usize, host: Start) -> Start {
    match host {
        Start::Open(at)
            if window.get(at) == Some(b':') && !window.get(at + 1).is_some_and(|b| b.is_ascii_digit()) =>
        {
            Start::Closed(window.skip_back(at, from, |b| b == b'.'), at)
        }
        _ => host,
    }
}
