//! Reads [defanged](crate::scan::defanged) URLs, which are written so that no program opens them:
//! `hxxp://h[.]org`.

use super::Surroundings;
use super::decoded::{DecodedText, Meaning, as_far_as_needed};
use super::end::{End, EndFinder};
use super::implied::{host_without_port, ip_address};
use super::label::is_registered;
use super::latin::Latin;
use super::notation::{self, TextDialect};
use super::start::{AuthorityReader, Start, is_sound};
use crate::bytes::class::ALPHADIGIT;
use crate::bytes::window::Window;
use crate::grammar::schemes::SchemeRule;
use crate::matches::Match;
use crate::matches::form::{Ending, Form, Implied};
use crate::scan::defanged::{mark, scheme_at};
use crate::scan::{LOCAL_PART, TextOptions};

/// The maximum length of scheme and authority in the text, in bytes.
const HEAD: usize = 1024;

/// Reads the URL that starts with a scheme at `start`, if it is defanged: `hxxp://h[.]org/`.
///
/// The scheme and the authority show whether the URL is defanged. If so, it is restored up to the
/// first byte that cannot be in a URL, and the result is read like any other bare URL. After the
/// authority, only bracketed punctuation counts (`/a[.]exe`), not a word such as `[dot]`.
pub(super) fn read<'h>(cx: &Surroundings<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let options = &cx.rules.scan.read;
    let (begin, least) = in_head(cx, start, |window, from| {
        let limit = window.len() + 1;
        let colon = window.skip(from, limit, |b| b != b':');
        let rule = cx.rules.scan.schemes.rule_of(window.ahead(from..colon)).or(Some(SchemeRule::Host));
        let begin = AuthorityReader { window, limit, options }.bare_after_colon(colon, rule)?;
        Some((begin, colon + 1))
    })?;
    read_spelled(cx, start, &begin, least, None)
}

/// Reads the host or email address without a scheme that starts at `start`.
pub(super) fn read_name<'h>(cx: &Surroundings<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let (begin, least, implied) = in_head(cx, start, |window, from| {
        let (begin, implied) = implied(window, from, &cx.rules.scan.read)?;
        Some((begin, from, implied))
    })?;
    read_spelled(cx, start, &begin, least, Some(implied))
}

/// Returns the answer of `judge` for the restored scheme and authority at `start`, if a part of
/// them is defanged. `judge` receives their start.
fn in_head<T>(
    cx: &Surroundings<'_, '_>,
    start: usize,
    judge: impl Fn(&Window<'_>, usize) -> Option<T>,
) -> Option<T> {
    let decode = |head: &mut DecodedText, to| spell(cx.window, start, head, to, true);
    as_far_as_needed(cx.window, start, start.saturating_add(HEAD), decode, |head, window| {
        match head.in_head {
            true => judge(window, head.start),
            // More text may contain a defanged part, so ask the window for it.
            false => window.get(window.len()).and(None),
        }
    })?
}

/// Returns the scheme that the host or email address at `start` implies, and how it begins.
fn implied(window: &Window<'_>, start: usize, options: &TextOptions) -> Option<(Start, Implied)> {
    let limit = window.len() + 1;
    let reader = AuthorityReader { window, limit, options };
    let local = options.iri.skip_local_part(window, start, limit.min(start + LOCAL_PART + 1));
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

/// Reads the rest of the URL at `start`, whose restored scheme and authority start with `head`. It
/// contains at least the text before `least`.
fn read_spelled<'h>(
    cx: &Surroundings<'_, 'h>,
    start: usize,
    begin: &Start,
    least: usize,
    implied: Option<Implied>,
) -> Option<Match<'h>> {
    let limit = cx.limit(start);
    let judge = |spelled: &DecodedText, window: &Window<'_>| {
        let (options, limit) = (&cx.rules.scan.read, window.len() + 1);
        let finder = EndFinder::new(window, spelled.start, limit, options, &cx.notes.cells);
        let finder = finder.decoded_from(cx.window, start).explaining(cx.rules.explain);
        let (End::At(untrimmed, stop), _) = finder.after(begin) else { return None };
        let least = if let Start::Open(at) = *begin { at } else { least };
        let end = finder.trimmed(begin.end().unwrap_or(untrimmed), least);
        let url = spelled.text[spelled.start..end].to_vec();
        if implied.is_none() && !is_sound(window, least, end, &url) {
            return None;
        }
        let place = |at| spelled.place(at);
        let ending = stop.map(|stop| Ending::new(stop, place(end), place(untrimmed)));
        let matched = Match::resolved(url, start..place(end), Form::Defanged).ending_by(ending);
        Some(match implied {
            Some(scheme) => matched.implying(scheme),
            None => matched,
        })
    };
    let decode = |spelled: &mut DecodedText, to| spell(cx.window, start, spelled, to, false);
    match as_far_as_needed(cx.window, start, limit, decode, judge) {
        Some(matched) => matched,
        None => cx.end_before(limit, End::TooLong).and(None),
    }
}

/// Decodes the text from `from` on, in which marks and schemes are spelled out, up to `limit`; with `head`, only the
/// scheme and the authority.
fn spell(window: &Window<'_>, from: usize, spelled: &mut DecodedText, limit: usize, head: bool) {
    // `http:\\\\h.org\\a`
    let colon = window.skip(from, from + SCHEME, |b| b != b':');
    let has_backslashes = window.has(colon + 1, b"\\\\");
    let latin = Latin::default();
    let escape = |at| notation::meaning(window, at, TextDialect::Common, &latin);
    spelled.decode(window, limit, head, ALPHADIGIT, |at, url, in_head| match window.get(at)? {
        b'\\' if has_backslashes => Some(Meaning::new(1, b"/")),
        b' ' if in_head && url.ends_with(b"://") => blank(window, at, url),
        _ => meaning(window, at, url, in_head).or_else(|| if in_head { None } else { escape(at) }),
    });
}

/// The length of a scheme that is written in another way, in bytes.
const SCHEME: usize = 16;

/// The space at `at`, after the slashes of the `url`, if the text around it shows that it was
/// inserted: the scheme or the host is defanged, or the host is an IP address.
fn blank(window: &Window<'_>, at: usize, url: &[u8]) -> Option<Meaning> {
    let word = window.ahead(at + 1..window.skip(at + 1, at + HEAD, |b| b > b' '));
    let has_mark = || {
        word.windows(2).any(|pair| matches!(pair, b"[." | b".]"))
            || (at + 1..at + 1 + word.len()).any(|at| mark(window, at).is_some_and(|mark| mark.is_joint()))
    };
    let is_host = !word.windows(3).any(|bytes| bytes == b"://")
        && word.windows(2).any(|pair| b".])}".contains(&pair[0]) && pair[1].is_ascii_alphanumeric());
    let is_defanged = !window.before(at, at.saturating_sub(url.len())).eq_ignore_ascii_case(url)
        || has_mark()
        || ip_address(window, at + 1).is_some();
    (is_host && is_defanged).then(|| Meaning::new(1, b""))
}

/// Returns the restored text at `at`, after the rest of the `url`.
fn meaning(window: &Window<'_>, at: usize, url: &[u8], in_head: bool) -> Option<Meaning> {
    let is_word = url.last().is_some_and(u8::is_ascii_alphanumeric);
    if is_word && in_head && window.has(at, b"[://") && mark(window, at).is_none() {
        return Some(Meaning::new(b"[://".len(), b"://"));
    }
    if !is_word && let Some((len, means)) = scheme_at(window, at) {
        // Within a URL, `fxp:` may be a user or a value.
        let is_scheme = url.is_empty() || window.get(at + len) != Some(b':') || window.has(at + len, b"://");
        return is_scheme.then(|| Meaning::new(len, means.as_bytes()));
    }
    // `h [.] org`
    let blank = usize::from(in_head && is_word && window.get(at) == Some(b' '));
    let Some(mark) = mark(window, at + blank) else {
        return if in_head && is_word { bare_dot(window, at, url) } else { None };
    };
    if mark.is_word && !in_head || blank > 0 && !mark.is_joint() {
        return None;
    }
    let mut end = at + blank + mark.len;
    let is_blank = in_head && mark.is_joint() && window.get(end) == Some(b' ');
    if is_blank && blank > 0 && window.get(end + 1).is_some_and(|b| b.is_ascii_alphanumeric()) {
        end += 1;
    }
    Some(Meaning::new(end - at, mark.means.as_bytes()))
}

/// A dot of a host that has one bracket, `h[.org`, `h.]org`, after a scheme or in an address; or
/// after a scheme one that follows a space or a backslash, or the slash after the host, `h.org[/a`.
fn bare_dot(window: &Window<'_>, at: usize, url: &[u8]) -> Option<Meaning> {
    let means: &[u8] = match (window.get(at)?, window.get(at + 1)?) {
        (b'\\' | b'[' | b' ', b'.') | (b'.', b']') => b".",
        (b'[', b'/') => b"/",
        _ => return None,
    };
    let goes_on = || means == b"/" || window.get(at + 2).is_some_and(|b| b.is_ascii_alphanumeric());
    let is_address = || url.contains(&b'@') && window.ahead(at..at + 2) != b" ." && means == b".";
    ((url.contains(&b':') || is_address()) && goes_on()).then(|| Meaning::new(2, means))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text spelled out, and the place of the end of each byte in it.
    fn spelled_out(text: &str) -> (String, Vec<usize>) {
        let window = Window::whole(text.as_bytes());
        let mut decoded = DecodedText::new(&window, 0);
        spell(&window, 0, &mut decoded, text.len() + 1, false);
        let places = (1..=decoded.text.len()).map(|at| decoded.place(at)).collect();
        (String::from_utf8(decoded.text).unwrap(), places)
    }

    #[test]
    fn places_are_those_of_the_source() {
        let (text, places) = spelled_out("hxxp[:]//a[.]b/c");
        assert_eq!(text, "http://a.b/c");
        assert_eq!(places, [1, 2, 3, 4, 6, 8, 9, 10, 12, 14, 15, 16]);
    }
}
