//! URLs with nothing around them, or with the prefix `URL:` alone.

use std::ops::Range;

use super::delimited::behind_prefix;
use super::end::{End, Tail};
use super::guess;
use super::start::{Opening, Start};
use super::{Context, Form, Join, Outcome};
use crate::bytes::class::{self, BLANK};
use crate::found::Match;
use crate::grammar;
use crate::scan::prefix_before;
use crate::scan::scheme::Scheme;

/// A URL that nothing delimits.
pub(crate) struct Bare {
    /// The range of the find, the prefix included.
    pub(crate) span: Range<usize>,
    pub(crate) url: Range<usize>,
    /// Where the URL ended before anything was trimmed.
    pub(crate) untrimmed: usize,
    pub(crate) form: Form,
}

/// The URL that begins with `scheme`, whose colon stands at `colon`.
pub(crate) fn read<'h>(cx: &Context<'_, 'h>, scheme: &Scheme, colon: usize) -> Outcome<'h> {
    let Context { window, rules, .. } = *cx;
    let begin = scheme.start;
    let limit = begin.saturating_add(rules.max_len).saturating_add(1);
    let opening = Opening { window, limit, iri: rules.iri };
    let Some(start) = opening.after_colon(colon, scheme.evidence) else {
        return Outcome::Nothing;
    };
    let tail = Tail { window, start: begin, limit, iri: rules.iri };
    let least = match start {
        Start::Open(at) => at,
        Start::Closed(_) => colon + 1,
    };
    let End::At(untrimmed) = tail.behind(start) else {
        return Outcome::TooLong(limit);
    };
    let url = begin..tail.trimmed(untrimmed, least);
    let text = window.bytes();
    if !has_port(text, least, url.end) && grammar::assess(&text[url.clone()]).is_err() {
        return Outcome::Nothing;
    }
    let (outer, form) = match prefix(cx, begin) {
        Some(at) => (at, Form::Prefixed),
        None => (begin, Form::Bare),
    };
    let bare = Bare { span: outer..url.end, url, untrimmed, form };
    if rules.join == Join::Likely
        && let Some(found) = guess::rejoin(cx, &tail, &bare)
    {
        return Outcome::Match(found);
    }
    Outcome::Match(Match::whole(text, bare.span, bare.url, form))
}

/// Whether what follows the host that ends at `host` is a port, or no colon at
/// all. Where it is neither, the grammar may see another host:
/// `http://h.org:80{@/`.
fn has_port(text: &[u8], host: usize, end: usize) -> bool {
    match text[..end].get(host..) {
        Some([b':', port @ ..]) => {
            let digits = port.iter().take_while(|b| b.is_ascii_digit()).count();
            matches!(port.get(digits), None | Some(b'/' | b'?' | b'#'))
        }
        _ => true,
    }
}

/// Where the prefix `URL:` begins that stands before the URL at `begin`, on the
/// same line.
fn prefix(cx: &Context<'_, '_>, begin: usize) -> Option<usize> {
    let window = cx.window;
    let end = window.skip_back(begin, cx.back, |b| class::is(b, BLANK));
    let colon = match window.before(end)? {
        b':' => end - 1,
        b'/' if end >= 3 && behind_prefix(window, end - 3) == begin => end - 3,
        _ => return None,
    };
    prefix_before(window, colon, cx.taken)
}
