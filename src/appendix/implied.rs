//! Hosts and mail addresses without a scheme, on request.
//!
//! RFC 1738 knows no such thing; people leave `http://` and `mailto:` out all the
//! same. A host counts if its name begins with `www.` or `ftp.` and has three
//! labels at least, an address if its host has two.

use super::end::{End, Tail};
use super::start::{Opening, Start};
use super::{Context, Form, Outcome};
use crate::found::{Implied, Match};

/// The host that begins at `start`, and what follows it.
pub(crate) fn host<'h>(cx: &Context<'_, 'h>, start: usize, scheme: Implied) -> Outcome<'h> {
    let limit = start.saturating_add(cx.rules.max_len).saturating_add(1);
    let opening = Opening { window: cx.window, limit, iri: cx.rules.iri };
    let Some(host) = opening.dotted_host(start, 3) else {
        return Outcome::Nothing;
    };
    let tail = Tail { window: cx.window, start, limit, iri: cx.rules.iri };
    let (Start::Open(least) | Start::Closed(least)) = host;
    match tail.behind(host) {
        End::At(end) => {
            let url = start..tail.trimmed(end, least);
            Outcome::Match(Match::whole(cx.window.bytes(), url.clone(), url, Form::Bare).implying(scheme))
        }
        End::TooLong => Outcome::TooLong(limit),
    }
}

/// The address that begins at `start`, whose `@` stands at `at`.
pub(crate) fn address<'h>(cx: &Context<'_, 'h>, start: usize, at: usize) -> Outcome<'h> {
    let limit = start.saturating_add(cx.rules.max_len).saturating_add(1);
    let opening = Opening { window: cx.window, limit, iri: cx.rules.iri };
    match opening.dotted_host(at + 1, 2) {
        Some(Start::Closed(end)) => found_address(cx, start, end),
        Some(Start::Open(end)) => {
            // A dot before a mark behind the host ends a sentence.
            let end = cx.window.skip_back(end, at, |b| b == b'.');
            found_address(cx, start, end)
        }
        None => Outcome::Nothing,
    }
}

fn found_address<'h>(cx: &Context<'_, 'h>, start: usize, end: usize) -> Outcome<'h> {
    let found = Match::whole(cx.window.bytes(), start..end, start..end, Form::Bare);
    Outcome::Match(found.implying(Implied::Mailto))
}
