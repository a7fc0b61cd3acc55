//! Defanged URLs, on request: `hxxp://h[.]org/`.
//!
//! Scheme and authority show whether a URL is defanged. If so, it is spelled out up to the first byte that
//! no URL has, and the result is read like any other bare URL. After the authority only marks count that
//! are in brackets as themselves: `/a[.]exe`.

use super::Context;
use super::bare::has_port;
use super::domain::is_registered;
use super::end::{End, EndFinder};
use super::implied::host_without_port;
use super::start::{AuthorityReader, Start};
use crate::bytes::class::INSIDE;
use crate::bytes::window::Window;
use crate::found::Match;
use crate::found::form::Ending;
use crate::found::form::{Form, Implied};
use crate::grammar;
use crate::grammar::schemes::SchemeRule;
use crate::scan::ReadOptions;
use crate::scan::{mark, scheme_at};

/// How long scheme and authority may be in the text, in bytes.
const HEAD: usize = 1024;

/// How much text before a URL decides where it ends: that is more than any rule reads.
const BEFORE: usize = 300;

/// Reads the URL that starts with a scheme at `start`, if it is defanged.
pub(crate) fn url<'h>(cx: &Context<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let head = Spelled::new(cx, start, start.saturating_add(HEAD), true);
    if !head.is_defanged {
        return None;
    }
    let (window, options) = (&Window::whole(&head.text), &cx.rules.scan.read);
    let colon = head.start + memchr::memchr(b':', &head.text[head.start..])?;
    let rule = cx.rules.scan.schemes.rule_of(&head.text[head.start..colon]).or(Some(SchemeRule::Host));
    let reader = AuthorityReader { window, limit: head.text.len() + 1, options };
    let begin = reader.bare_after_colon(colon, rule)?;
    read(cx, start, begin, colon + 1, None)
}

/// Reads the host or mail address without a scheme that starts at `start`.
pub(crate) fn name<'h>(cx: &Context<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let head = Spelled::new(cx, start, start.saturating_add(HEAD), true);
    let (begin, implied) = head.is_defanged.then(|| implied(&head, &cx.rules.scan.read))??;
    read(cx, start, begin, head.start, Some(implied))
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
fn read<'h>(
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
