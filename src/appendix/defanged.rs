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
use crate::scan::defanged::{bracketed_at, scheme_at};
use crate::scan::{MAX_LOCAL_PART_LEN, TextOptions};

/// The maximum length of scheme and authority in the text, in bytes.
const MAX_HEAD_LEN: usize = 1024;

/// Reads the URL that starts with a scheme at `start`, if it is defanged: `hxxp://h[.]org/`.
///
/// The scheme and the authority show whether the URL is defanged. If so, it is restored up to the
/// first byte that cannot be in a URL, and the result is read like any other bare URL. After the
/// authority, only bracketed punctuation counts (`/a[.]exe`), not a word such as `[dot]`.
pub(super) fn read<'h>(cx: &Surroundings<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let options = &cx.rules.scan.read;
    let (begin, min_end) = in_head(cx, start, |window, from| {
        let limit = window.len() + 1;
        let colon = window.skip(from, limit, |b| b != b':');
        let rule = cx.rules.scan.schemes.rule_of(window.ahead(from..colon)).or(Some(SchemeRule::Host));
        let begin = AuthorityReader { window, limit, options }.bare_after_colon(colon, rule)?;
        Some((begin, colon + 1))
    })?;
    read_restored(cx, start, &begin, min_end, None)
}

/// Reads the host or email address without a scheme that starts at `start`.
pub(super) fn read_name<'h>(cx: &Surroundings<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let (begin, min_end, implied) = in_head(cx, start, |window, from| {
        let (begin, implied) = implied(window, from, &cx.rules.scan.read)?;
        Some((begin, from, implied))
    })?;
    read_restored(cx, start, &begin, min_end, Some(implied))
}

/// Returns the answer of `read_url` for the restored scheme and authority at `start`, if a part of
/// them is defanged. `read_url` receives their start.
fn in_head<T>(
    cx: &Surroundings<'_, '_>,
    start: usize,
    read_url: impl Fn(&Window<'_>, usize) -> Option<T>,
) -> Option<T> {
    let decode = |head: &mut DecodedText, to| restore(cx.window, start, head, to, true);
    as_far_as_needed(cx.window, start, start.saturating_add(MAX_HEAD_LEN), decode, |head, window| {
        match head.is_head_decoded {
            true => read_url(window, head.start),
            // More text may contain a defanged part, so ask the window for it.
            false => window.get(window.len()).and(None),
        }
    })?
}

/// Returns the scheme that the host or email address at `start` implies, and how it begins.
fn implied(window: &Window<'_>, start: usize, options: &TextOptions) -> Option<(Start, Implied)> {
    let limit = window.len() + 1;
    let reader = AuthorityReader { window, limit, options };
    let local = options.iri.skip_local_part(window, start, limit.min(start + MAX_LOCAL_PART_LEN + 1));
    let is_email = local > start && window.get(local) == Some(b'@');
    let host = if is_email { local + 1 } else { start };
    let begin = match reader.dotted_host(host, 2) {
        Some(begin) => host_without_port(window, host, begin),
        None if !is_email => ip_address(window, host)?,
        None => return None,
    };
    let (Start::Open(end) | Start::Closed(end, _)) = begin;
    let name = window.ahead(host..window.skip_back(end, host, |b| b == b'.'));
    let is_host = is_registered(name) || !is_email && name.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let scheme = match is_email {
        true => Implied::Mailto,
        false if name.get(..4).is_some_and(|label| label.eq_ignore_ascii_case(b"ftp.")) => Implied::Ftp,
        false => Implied::Http,
    };
    let begin = if is_email { Start::Closed(end, end) } else { begin };
    is_host.then_some((begin, scheme))
}

/// Reads the rest of the URL at `start`, whose restored scheme and authority are `begin`. The URL
/// contains at least the text before `min_end`.
fn read_restored<'h>(
    cx: &Surroundings<'_, 'h>,
    start: usize,
    begin: &Start,
    min_end: usize,
    implied: Option<Implied>,
) -> Option<Match<'h>> {
    let limit = cx.limit(start);
    let read_url = |restored: &DecodedText, window: &Window<'_>| {
        let (options, limit) = (&cx.rules.scan.read, window.len() + 1);
        let finder = EndFinder::new(window, restored.start, limit, options, &cx.notes.cells);
        let finder = finder.decoded_from(cx.window, start).explaining(cx.rules.explain);
        let (End::At(untrimmed, stop), _) = finder.after(begin) else { return None };
        let min_end = if let Start::Open(at) = *begin { at } else { min_end };
        let end = finder.trimmed(begin.end().unwrap_or(untrimmed), min_end);
        let url = restored.text[restored.start..end].to_vec();
        if implied.is_none() && !is_sound(window, min_end, end, &url) {
            return None;
        }
        let in_source = |at| restored.end_in_source(at);
        let ending = stop.map(|stop| Ending::new(stop, in_source(end), in_source(untrimmed)));
        let matched = Match::resolved(url, start..in_source(end), Form::Defanged).ending_by(ending);
        Some(match implied {
            Some(scheme) => matched.implying(scheme),
            None => matched,
        })
    };
    let decode = |restored: &mut DecodedText, to| restore(cx.window, start, restored, to, false);
    match as_far_as_needed(cx.window, start, limit, decode, read_url) {
        Some(matched) => matched,
        None => cx.end_before(limit, End::TooLong).and(None),
    }
}

/// Restores the defanged text from `from` up to `limit`; with `head`, only the scheme and the authority.
fn restore(window: &Window<'_>, from: usize, restored: &mut DecodedText, limit: usize, head: bool) {
    // `http:\\\\h.org\\a`
    let colon = window.skip(from, from + MAX_SCHEME_LEN, |b| b != b':');
    let has_backslashes = window.has(colon + 1, b"\\\\");
    restored.decode(window, limit, head, ALPHADIGIT, |at, url, in_head| match window.get(at)? {
        b'\\' if has_backslashes => Some(Meaning::new(1, b"/")),
        b' ' if in_head && url.ends_with(b"://") => inserted_space(window, at, url),
        _ => meaning(window, at, url, in_head),
    });
}

/// The maximum length of a defanged scheme, in bytes.
const MAX_SCHEME_LEN: usize = 16;

/// The space at `at`, after the slashes of the `url`, if the text around it shows that it was
/// inserted: the scheme or the host is defanged, or the host is an IP address.
fn inserted_space(window: &Window<'_>, at: usize, url: &[u8]) -> Option<Meaning> {
    let word = window.ahead(at + 1..window.skip(at + 1, at + MAX_HEAD_LEN, |b| b > b' '));
    let has_bracketed = || {
        word.windows(2).any(|pair| matches!(pair, b"[." | b".]"))
            || (at + 1..at + 1 + word.len()).any(|at| bracketed_at(window, at).is_some_and(|b| b.is_joint()))
    };
    let is_host = !word.windows(3).any(|bytes| bytes == b"://")
        && word.windows(2).any(|pair| b".])}".contains(&pair[0]) && pair[1].is_ascii_alphanumeric());
    let is_defanged = !window.before(at, at.saturating_sub(url.len())).eq_ignore_ascii_case(url)
        || has_bracketed()
        || ip_address(window, at + 1).is_some();
    (is_host && is_defanged).then(|| Meaning::new(1, b""))
}

/// Returns the restored text at `at`, after the rest of the `url`.
fn meaning(window: &Window<'_>, at: usize, url: &[u8], in_head: bool) -> Option<Meaning> {
    let is_word = url.last().is_some_and(u8::is_ascii_alphanumeric);
    if is_word && in_head && window.has(at, b"[://") && bracketed_at(window, at).is_none() {
        return Some(Meaning::new(b"[://".len(), b"://"));
    }
    if !is_word && let Some((len, means)) = scheme_at(window, at) {
        // Within a URL, `fxp:` may be a user or a value.
        let is_scheme = url.is_empty() || window.get(at + len) != Some(b':') || window.has(at + len, b"://");
        return is_scheme.then(|| Meaning::new(len, means.as_bytes()));
    }
    // `h [.] org`
    let inserted_space = usize::from(in_head && is_word && window.get(at) == Some(b' '));
    let Some(bracketed) = bracketed_at(window, at + inserted_space) else {
        return match window.get(at)? {
            _ if in_head && is_word => bare_dot(window, at, url),
            _ if in_head => None,
            // After the head, escapes are decoded as in other URLs.
            b'&' | b'\\' => notation::meaning(window, at, TextDialect::Common, &Latin::default()),
            _ => None,
        };
    };
    if bracketed.is_word && !in_head || inserted_space > 0 && !bracketed.is_joint() {
        return None;
    }
    let mut end = at + inserted_space + bracketed.len;
    let is_blank = in_head && bracketed.is_joint() && window.get(end) == Some(b' ');
    if is_blank && inserted_space > 0 && window.get(end + 1).is_some_and(|b| b.is_ascii_alphanumeric()) {
        end += 1;
    }
    Some(Meaning::new(end - at, bracketed.means.as_bytes()))
}

/// A dot of a host with only one bracket, `h[.org`, `h.]org`, after a scheme or in an email address.
/// After a scheme, also a dot after a space or a backslash, and the slash of `h.org[/a`.
fn bare_dot(window: &Window<'_>, at: usize, url: &[u8]) -> Option<Meaning> {
    let means: &[u8] = match (window.get(at)?, window.get(at + 1)?) {
        (b'\\' | b'[' | b' ', b'.') | (b'.', b']') => b".",
        (b'[', b'/') => b"/",
        _ => return None,
    };
    let continues_host = || means == b"/" || window.get(at + 2).is_some_and(|b| b.is_ascii_alphanumeric());
    let is_email = || url.contains(&b'@') && window.ahead(at..at + 2) != b" ." && means == b".";
    ((url.contains(&b':') || is_email()) && continues_host()).then(|| Meaning::new(2, means))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The restored text, and the offset in the source at which each of its bytes ends.
    fn restored(text: &str) -> (String, Vec<usize>) {
        let window = Window::whole(text.as_bytes());
        let mut decoded = DecodedText::new(&window, 0);
        restore(&window, 0, &mut decoded, text.len() + 1, false);
        let ends = (1..=decoded.text.len()).map(|at| decoded.end_in_source(at)).collect();
        (String::from_utf8(decoded.text).unwrap(), ends)
    }

    #[test]
    fn offsets_refer_to_the_source() {
        let (text, ends) = restored("hxxp[:]//a[.]b/c");
        assert_eq!(text, "http://a.b/c");
        assert_eq!(ends, [1, 2, 3, 4, 6, 8, 9, 10, 12, 14, 15, 16]);
    }
}
