//! URLs between delimiters: `<URL:…>`, `<…>` and `"…"`.
//!
//! The Appendix: "it is recommended that angle brackets ("<" and ">"), along
//! with the prefix "URL:", be used to delimit the boundaries of the URL." The draft of
//! 1994, RFC 2396 and RFC 3986 have brackets without the prefix, and the latter two
//! also quotation marks.
//!
//! A pair of delimiters counts only if the grammar accepts the text between them. If
//! not, the same text is read again as bare URLs.

use super::leader::bracket_before;
use super::rejoin::{Body, Rejoin};
use super::start::{self, AuthorityReader, Start};
use super::{Context, Rules};
use crate::bytes::class::SCHEME;
use crate::bytes::unicode::Iri;
use crate::bytes::window::Window;
use crate::found::form::{Form, Join, Joined};
use crate::found::readings::{Gap, Piece, Readings};
use crate::found::{Match, Pieces};
use crate::grammar;
use crate::grammar::schemes::{LONGEST, SchemeRule, is_scheme};
use crate::scan::scheme::Scheme;

/// The URL in the wrapper whose prefix starts at `prefix`, with its colon at `colon`.
pub(crate) fn wrapper<'h>(cx: &Context<'_, 'h>, prefix: usize, colon: usize) -> Option<Match<'h>> {
    let open = bracket_before(cx, prefix)?;
    read(&Rejoin { cx, form: Form::Wrapper, open }, after_prefix(cx.window, colon))
}

/// The URL in angle brackets or quotation marks that starts with `scheme`.
pub(crate) fn angle_or_quote<'h>(cx: &Context<'_, 'h>, scheme: &Scheme) -> Option<Match<'h>> {
    let from = scheme.start;
    if from > cx.consumed && cx.window.byte_before(from) == Some(b'"') {
        return read(&Rejoin { cx, form: Form::Quote, open: from - 1 }, from);
    }
    let open = bracket_before(cx, from)?;
    read(&Rejoin { cx, form: Form::Angle, open }, from)
}

/// Where the URL starts after the prefix whose colon is at `colon`.
///
/// Some write the prefix like a scheme: `<URL://http://h.org/>`.
pub(super) fn after_prefix(window: &Window<'_>, colon: usize) -> usize {
    let plain = colon + 1;
    let slip = colon + 3;
    if !window.has(plain, b"//") || !window.get(slip).is_some_and(|b| b.is_ascii_alphabetic()) {
        return plain;
    }
    let end = window.skip(slip, slip + LONGEST, |b| SCHEME.has(b));
    if window.get(end) == Some(b':') { slip } else { plain }
}

fn read<'h>(rejoin: &Rejoin<'_, 'h>, from: usize) -> Option<Match<'h>> {
    let window = rejoin.cx.window;
    let url = from..rejoin.piece_end(from);
    if !url.is_empty() && rejoin.closes(url.end) {
        // Nearly always there is no whitespace. A quoted URL on one line is read as
        // a bare one.
        let text = window.ahead(url.clone());
        let counts = rejoin.form != Form::Quote && is_url(rejoin, text);
        return counts.then(|| Match::verbatim(text, from, rejoin.open..url.end + 1, rejoin.form));
    }
    let body = rejoin.body(url)?;
    let joined = joined(&body);
    if joined.is_some() && rejoin.cx.rules.join == Join::None {
        return None;
    }
    let span = rejoin.open..body.close + 1;
    if let [only] = &*body.pieces {
        let text = window.ahead(only.range.clone());
        return is_url(rejoin, text).then(|| Match::verbatim(text, only.range.start, span, rejoin.form));
    }
    let broken = scheme_gap(window, &body.pieces);
    let readings = Readings::new(|range| window.ahead(range), body.pieces, rejoin.cx.rules.hyphen);
    let pieces = Pieces { joined, answer: readings.answer(), readings };
    let matched = Match::rejoined(span, rejoin.form, pieces);
    let whole_scheme = match broken {
        None | Some(Gap::None) => true,
        Some(Gap::Line) => starts_known(matched.as_bytes(), rejoin.cx.rules),
        Some(Gap::Blank) => false,
    };
    (whole_scheme && is_url(rejoin, matched.as_bytes())).then_some(matched)
}

/// How the pieces are joined; `None` if they are on one line.
fn joined(body: &Body) -> Option<Joined> {
    body.pieces.iter().any(|piece| piece.gap == Gap::Line).then_some(Joined::Delimited)
}

/// The gap within the scheme, if there is one; a blank rather than a line break if
/// both occur.
///
/// A line may break within a scheme. But a word, a blank and another word with a colon
/// are prose.
fn scheme_gap(window: &Window<'_>, pieces: &[Piece]) -> Option<Gap> {
    let has_colon = |piece: &&Piece| window.ahead(piece.range.clone()).contains(&b':');
    let before = pieces.iter().position(|piece| has_colon(&piece))?;
    let gaps = pieces[..before].iter().map(|piece| piece.gap);
    gaps.reduce(|worst, gap| if gap == Gap::Blank { gap } else { worst })
}

/// Whether `url` starts with a known scheme, or with any scheme and `://`.
fn starts_known(url: &[u8], rules: &Rules) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else {
        return false;
    };
    rules.scan.schemes.rule_of(&url[..colon]).is_some() || url[colon..].starts_with(b"://")
}

/// Whether `url` starts with a scheme, whose colon is at `colon`, `//` and a host, and
/// a path or nothing follows. The grammar accepts every such URL.
fn has_host(url: &[u8], colon: usize) -> bool {
    let window = &Window::whole(url);
    let reader = AuthorityReader { window, limit: url.len(), iri: Iri::Ascii };
    let starts = window.has(colon, b"://") && is_scheme(&url[..colon]);
    starts
        && match reader.after_colon(colon, None) {
            Some(Start::Open(at)) => window.get(at) == Some(b'/'),
            Some(Start::Closed(at, _)) => at == url.len(),
            None => false,
        }
}

/// Whether `url` is a URL that would be matched in free text, too.
#[cfg(feature = "archive")]
pub(super) fn is_evident_url(url: &[u8], rules: &Rules) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else {
        return false;
    };
    start::rule_met(url, colon, &rules.scan.schemes).is_some()
        && is_scheme(&url[..colon])
        && grammar::is_url(url)
}

/// Whether `url`, the joined text between delimiters, is a URL.
///
/// In a wrapper the grammar alone decides, except that some schemes need `//`. Between
/// other delimiters a scheme without `//` is matched as in free text.
fn is_url(rejoin: &Rejoin<'_, '_>, url: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else {
        return false;
    };
    if has_host(url, colon) {
        return true;
    }
    let (name, schemes) = (&url[..colon], &rejoin.cx.rules.scan.schemes);
    let sound = match rejoin.form {
        Form::Wrapper => url[colon..].starts_with(b"://") || schemes.rule_of(name) != Some(SchemeRule::Host),
        _ => match start::rule_met(url, colon, schemes) {
            // An address or a group, and nothing else: the grammar accepts it.
            Some(Start::Closed(end, _)) if end == url.len() => return is_scheme(name),
            start => start.is_some(),
        },
    };
    sound && is_scheme(name) && grammar::is_url(url)
}
