//! URLs without delimiters: with or without the prefix `URL:`, in JSON, and defanged.

use std::ops::Range;

use super::delimited::after_prefix;
use super::end::{End, EndFinder};
use super::guess::{self, Stem};
use super::implied::{host_without_port, is_registered};
use super::start::{AuthorityReader, Start};
use super::{Context, paren};
use crate::bytes::class::{BLANK, INSIDE};
use crate::bytes::window::Window;
use crate::found::form::{Ending, Form, Implied, Join};
use crate::found::readings::{Gap, Hyphen, Piece, Readings};
use crate::found::{Match, Pieces};
use crate::grammar;
use crate::grammar::schemes::SchemeRule;
use crate::scan::{ReadOptions, Scheme, mark, prefix_before, scheme_at};

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
        Join::Delimited => guess::over_soft_breaks(cx, finder, stem),
        Join::Likely => guess::over_soft_breaks(cx, finder, stem).or_else(|| guess::rejoin(cx, finder, stem)),
    }
}

/// Whether the host that ends at `host` is followed by a valid port, or by no colon.
/// Otherwise the grammar may read another host: `http://h.org:80{@/`.
fn has_port(window: &Window<'_>, host: usize, end: usize) -> bool {
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

/// Reads the URL in JSON that starts with `scheme`, whose colon is at `colon`; `\/\/` follows.
///
/// There `/` may be written `\/` (RFC 8259 §7). The text is read up to the first byte that no
/// such URL has, without the backslashes before slashes, and the result is read like any
/// other bare URL.
pub(crate) fn escaped<'h>(cx: &Context<'_, 'h>, scheme: &Scheme, colon: usize) -> Option<Match<'h>> {
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

/// How long scheme and authority may be in the text, in bytes.
const HEAD: usize = 1024;

/// How much text before a URL decides where it ends: that is more than any rule reads.
const BEFORE: usize = 300;

/// Reads the URL that starts with a scheme at `start`, if it is defanged: `hxxp://h[.]org/`.
///
/// Scheme and authority show whether it is. If so, it is spelled out up to the first byte that
/// no URL has, and the result is read like any other bare URL. After the authority only marks
/// count that are in brackets as themselves: `/a[.]exe`.
pub(crate) fn defanged<'h>(cx: &Context<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let head = Spelled::new(cx, start, start.saturating_add(HEAD), true);
    if !head.is_defanged {
        return None;
    }
    let (window, options) = (&Window::whole(&head.text), &cx.rules.scan.read);
    let colon = head.start + memchr::memchr(b':', &head.text[head.start..])?;
    let rule = cx.rules.scan.schemes.rule_of(&head.text[head.start..colon]).or(Some(SchemeRule::Host));
    let reader = AuthorityReader { window, limit: head.text.len() + 1, options };
    let begin = reader.bare_after_colon(colon, rule)?;
    read_spelled(cx, start, begin, colon + 1, None)
}

/// Reads the host or mail address without a scheme that starts at `start`.
pub(crate) fn defanged_name<'h>(cx: &Context<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let head = Spelled::new(cx, start, start.saturating_add(HEAD), true);
    let (begin, implied) = head.is_defanged.then(|| implied(&head, &cx.rules.scan.read))??;
    read_spelled(cx, start, begin, head.start, Some(implied))
}

/// How the host or address in `head` begins, and the scheme that it implies.
fn implied(head: &Spelled, options: &ReadOptions) -> Option<(Start, Implied)> {
    let (window, start) = (&Window::whole(&head.text), head.start);
    let reader = AuthorityReader { window, limit: head.text.len() + 1, options };
    let local = options.iri.skip_local_part(window, start, head.text.len());
    let is_address = local > start && window.get(local) == Some(b'@');
    let host = if is_address { local + 1 } else { start };
    let begin = match reader.dotted_host(host, 2) {
        Some(begin) => host_without_port(window, host, begin),
        None if !is_address => ip_address(window, host)?,
        None => return None,
    };
    let (Start::Open(end) | Start::Closed(end, _)) = begin;
    let name = window.ahead(host..window.skip_back(end, host, |b| b == b'.'));
    let is_host = is_registered(name) || !is_address && name.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let scheme = match is_address {
        true => Implied::Mailto,
        false if name.get(..4).is_some_and(|label| label.eq_ignore_ascii_case(b"ftp.")) => Implied::Ftp,
        false => Implied::Http,
    };
    let begin = if is_address { Start::Closed(end, end) } else { begin };
    is_host.then_some((begin, scheme))
}

/// The IPv4 address at `from`.
fn ip_address(window: &Window<'_>, from: usize) -> Option<Start> {
    let end = window.skip(from, window.len(), |b| b.is_ascii_digit() || b == b'.');
    let end = window.skip_back(end, from, |b| b == b'.');
    let address = std::str::from_utf8(window.ahead(from..end)).ok()?;
    address.parse::<std::net::Ipv4Addr>().ok()?;
    match window.get(end) {
        Some(b'/') => Some(Start::Open(end)),
        Some(b':') if window.get(end + 1).is_some_and(|b| b.is_ascii_digit()) => Some(Start::Open(end)),
        Some(b) if b.is_ascii_alphanumeric() || b == b'-' || b == b'_' => None,
        _ => Some(Start::Closed(end, end)),
    }
}

/// Reads the rest of the URL at `start`, whose head, spelled out, begins so. It has at least what is before
/// `least`.
fn read_spelled<'h>(
    cx: &Context<'_, 'h>,
    start: usize,
    begin: Start,
    least: usize,
    implied: Option<Implied>,
) -> Option<Match<'h>> {
    let limit = cx.limit(start);
    let spelled = Spelled::new(cx, start, limit, false);
    if spelled.is_cut {
        return cx.end_before(limit, End::TooLong).and(None);
    }
    let (window, options) = (&Window::whole(&spelled.text), &cx.rules.scan.read);
    let explain = cx.rules.explain;
    let finder = EndFinder { window, start: spelled.start, limit: spelled.text.len() + 1, options, explain };
    let End::At(untrimmed) = finder.after(&begin) else {
        return None;
    };
    let least = if let Start::Open(at) = begin { at } else { least };
    let end = finder.trimmed(begin.end().unwrap_or(untrimmed), least);
    let url = spelled.text[spelled.start..end].to_vec();
    if implied.is_none() && !has_port(window, least, end) && grammar::assess(&url).is_err() {
        return None;
    }
    let place = |at| spelled.place(at);
    let ending = finder.stop(&begin, untrimmed).map(|stop| Ending::new(stop, place(end), place(untrimmed)));
    let matched = Match::resolved(url, start..place(end), Form::Defanged).ending_by(ending);
    Some(match implied {
        Some(scheme) => matched.implying(scheme),
        None => matched,
    })
}

/// A text in which defanged marks and schemes are spelled out.
struct Spelled {
    /// What precedes the URL, the URL, and the byte after it.
    text: Vec<u8>,
    /// Where the URL starts in it.
    start: usize,
    /// Whether something was spelled out in the scheme or the authority.
    is_defanged: bool,
    /// Whether it did not end before the limit.
    is_cut: bool,
    /// Offsets in it, in ascending order, and where they are in the source. Between two of them the bytes are
    /// those of the source.
    places: Vec<(usize, usize)>,
}

impl Spelled {
    /// The text from `from` on, up to the first byte that no URL has, or to `limit`; only scheme and authority
    /// if `head`.
    fn new(cx: &Context<'_, '_>, from: usize, limit: usize, head: bool) -> Self {
        let before = cx.window.before(from, from.saturating_sub(BEFORE));
        let start = before.len();
        let (text, places) = (before.to_vec(), vec![(start, from)]);
        let mut spelled = Spelled { text, start, is_defanged: false, is_cut: false, places };
        let mut at = from;
        let mut in_authority = true;
        loop {
            if at >= limit {
                spelled.is_cut = true;
                break;
            }
            if let Some(next) = spelled.replaced(cx.window, at, in_authority) {
                spelled.is_defanged |= in_authority;
                at = next;
                continue;
            }
            let Some(byte) = cx.window.get(at) else { break };
            in_authority &= !spelled.ends_authority(byte);
            spelled.text.push(byte);
            // What follows decides, too.
            if !INSIDE.has(byte) || head && !in_authority {
                break;
            }
            at += 1;
        }
        spelled
    }

    /// Where the text continues after what is spelled out at `at`, if anything is.
    fn replaced(&mut self, window: &Window<'_>, at: usize, in_authority: bool) -> Option<usize> {
        let is_word = self.text[self.start..].last().is_some_and(u8::is_ascii_alphanumeric);
        if !is_word && let Some((len, means)) = scheme_at(window, at) {
            self.push(means, at + len);
            return Some(at + len);
        }
        // `h [.] org`
        let blank = usize::from(in_authority && is_word && window.get(at) == Some(b' '));
        let mark = mark(window, at + blank)?;
        if mark.is_word && !in_authority || blank > 0 && !matches!(mark.means, "." | "@" | "-") {
            return None;
        }
        let mut end = at + blank + mark.len;
        let is_blank = in_authority && matches!(mark.means, "." | "@" | "-") && window.get(end) == Some(b' ');
        if is_blank && blank > 0 && window.get(end + 1).is_some_and(|b| b.is_ascii_alphanumeric()) {
            end += 1;
        }
        self.push(mark.means, end);
        Some(end)
    }

    /// Adds what the text before `end` means.
    fn push(&mut self, means: &str, end: usize) {
        self.text.extend_from_slice(means.as_bytes());
        self.places.push((self.text.len(), end));
    }

    /// Whether `byte`, which follows, ends the authority: the slashes after the scheme do not.
    fn ends_authority(&self, byte: u8) -> bool {
        let url = &self.text[self.start..];
        let of_scheme = url.ends_with(b":") || url.ends_with(b":/");
        byte == b'?' || byte == b'#' || byte == b'/' && !of_scheme
    }

    /// Where the end `at` of something in this text is in the source.
    fn place(&self, at: usize) -> usize {
        let n = self.places.partition_point(|&(offset, _)| offset <= at);
        let (offset, source) = self.places[n.saturating_sub(1)];
        source + (at - offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appendix::{Notes, Rules};

    /// The text spelled out, and the place of each offset in it.
    fn spelled(text: &str) -> (String, Vec<usize>) {
        let (window, rules) = (&Window::whole(text.as_bytes()), &Rules::default());
        let cx = Context { window, rules, consumed: 0, back: 0, notes: &Notes::default() };
        let spelled = Spelled::new(&cx, 0, text.len() + 1, false);
        let places = (0..=spelled.text.len()).map(|at| spelled.place(at)).collect();
        (String::from_utf8(spelled.text).unwrap(), places)
    }

    #[test]
    fn places_are_those_of_the_source() {
        let (text, places) = spelled("hxxp[:]//a[.]b/c");
        assert_eq!(text, "http://a.b/c");
        assert_eq!(places, [0, 1, 2, 3, 4, 7, 8, 9, 10, 13, 14, 15, 16]);
    }
}
