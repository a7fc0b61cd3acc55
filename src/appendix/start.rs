//! Where a bare URL may start: whether what follows a scheme's colon is enough.
//!
//! RFC 1738 §2.1 lets a URL be any scheme, a colon and anything. In prose that
//! would make URLs of "note:this" and "the news: everyone knows", so something
//! has to follow that people write in URLs only: `//` and a host, the `@` of an
//! address, the dots of a newsgroup.

use crate::class::{self, HOST, LOCAL, USER};
use crate::grammar::host;
use crate::scan::Schemes;
use crate::scan::scheme::Evidence;
use crate::window::Window;

/// How a URL goes on behind what proves that it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// It goes on at this offset, with whatever a URL may hold.
    Open(usize),
    /// It ends at this offset at the latest.
    Closed(usize),
}

/// What follows the `colon` of a scheme, if it is enough; `limit` is where a
/// URL is too long.
pub(crate) fn after_colon(
    window: &Window<'_>,
    colon: usize,
    limit: usize,
    evidence: Option<Evidence>,
) -> Option<Start> {
    let from = colon + 1;
    if window.has(from, b"//") {
        return match evidence {
            Some(Evidence::Path) if window.get(from + 2) == Some(b'/') => {
                Some(Start::Open(from + 3))
            }
            _ => authority(window, from + 2, limit),
        };
    }
    match evidence? {
        Evidence::Host | Evidence::Number => None,
        Evidence::Address => address(window, from, limit),
        Evidence::Group => address(window, from, limit).or_else(|| group(window, from, limit)),
        Evidence::Path => (window.get(from) == Some(b'/') && is_word(window, from + 1))
            .then_some(Start::Open(from + 1)),
        Evidence::Name => {
            let end = window.skip(from, limit, |b| b.is_ascii_alphanumeric() || b == b'-');
            let named = end > from && window.get(end) == Some(b':') && is_word(window, end + 1);
            named.then_some(Start::Open(end + 1))
        }
        Evidence::Query => (window.get(from) == Some(b'?') && is_word(window, from + 1))
            .then_some(Start::Open(from + 1)),
        Evidence::Anything => {
            (is_word(window, from) || window.get(from) == Some(b'/')).then_some(Start::Open(from))
        }
    }
}

/// Whether `url`, whose scheme ends at `colon`, would do in free text too, or
/// is a number between delimiters.
pub(super) fn is_evident(url: &[u8], colon: usize, schemes: &Schemes) -> bool {
    let window = Window::whole(url);
    match schemes.evidence(&url[..colon]) {
        None => url[colon..].starts_with(b"://"),
        Some(Evidence::Number) => {
            let number = &url[colon + 1..];
            let number = number.strip_prefix(b"+").unwrap_or(number);
            number.first().is_some_and(u8::is_ascii_digit)
        }
        Some(Evidence::Group) if &url[colon + 1..] == b"*" => true,
        evidence => {
            url[colon..].starts_with(b"://")
                || after_colon(&window, colon, url.len(), evidence).is_some()
        }
    }
}

/// Whether something begins at `at` that is more than punctuation.
fn is_word(window: &Window<'_>, at: usize) -> bool {
    match window.get(at) {
        Some(b'%' | b'~' | b'_') => true,
        Some(b'.' | b'-' | b'+') => window
            .get(at + 1)
            .is_some_and(|b| b.is_ascii_alphanumeric()),
        byte => byte.is_some_and(|b| b.is_ascii_alphanumeric()),
    }
}

/// What follows `//` (RFC 1738 §3.1): `user:password@host:port`.
fn authority(window: &Window<'_>, from: usize, limit: usize) -> Option<Start> {
    // The last `@` ends the login: names of users have had one in them.
    let mut begin = from;
    let mut end = window.skip(from, limit, |b| class::is(b, USER));
    while window.get(end) == Some(b'@') {
        begin = end + 1;
        end = window.skip(begin, limit, |b| class::is(b, USER));
    }
    if window.get(begin) == Some(b'[') {
        return ip_literal(window, begin, limit);
    }
    host_at(window, begin, limit, true)
}

/// An IPv6 address in brackets (RFC 3986 §3.2.2), which open at `from`.
fn ip_literal(window: &Window<'_>, from: usize, limit: usize) -> Option<Start> {
    let end = window.skip(from + 1, limit, |b| {
        b.is_ascii_hexdigit() || matches!(b, b':' | b'.' | b'%' | b'v')
    });
    let closed = window.get(end) == Some(b']') && end < limit;
    (closed && host::plausible(&window.bytes()[from..=end])).then(|| behind_host(window, end + 1))
}

/// The host at `from`: dotted labels, of which none is empty or begins with a
/// hyphen. `alone` says that one label is enough.
fn host_at(window: &Window<'_>, from: usize, limit: usize, alone: bool) -> Option<Start> {
    let run = window.skip(from, limit, |b| class::is(b, HOST));
    let goes_on = matches!(window.get(run), Some(b'/' | b':' | b'?' | b'#'));
    let text = window.bytes();
    let dots = text[from..run]
        .iter()
        .rev()
        .take_while(|&&b| b == b'.')
        .count();
    let end = run - dots;
    if end == from || goes_on && dots > 1 {
        return None;
    }
    let mut labels = 0;
    for label in text[from..end].split(|&b| b == b'.') {
        if label.is_empty() || label[0] == b'-' {
            return None;
        }
        labels += 1;
    }
    if !text[from..end].iter().any(u8::is_ascii_alphanumeric) {
        return None;
    }
    if labels == 1 && (!alone || is_program(window, run, dots)) {
        return None;
    }
    if goes_on {
        return Some(Start::Open(run));
    }
    let hyphens = text[from..end]
        .iter()
        .rev()
        .take_while(|&&b| b == b'-')
        .count();
    Some(Start::Closed(end - hyphens))
}

/// Whether the host of one label that ends before `at`, with so many dots behind
/// it, is a piece of a program: `"http://www." + host`, `http://$host:%d/`.
fn is_program(window: &Window<'_>, at: usize, dots: usize) -> bool {
    let port =
        window.get(at) == Some(b':') && !window.get(at + 1).is_some_and(|b| b.is_ascii_digit());
    match window.get(at + usize::from(port)) {
        Some(b'\\' | b'$' | b'{' | b'%' | b'[' | b'(' | b'*') => true,
        Some(b'"' | b'\'' | b'`') => dots > 0,
        _ => false,
    }
}

/// How a URL goes on behind its host.
fn behind_host(window: &Window<'_>, end: usize) -> Start {
    match window.get(end) {
        Some(b'/' | b':' | b'?' | b'#') => Start::Open(end),
        _ => Start::Closed(end),
    }
}

/// A mail address (§3.5) or a message identifier (§3.6): `x@host`.
fn address(window: &Window<'_>, from: usize, limit: usize) -> Option<Start> {
    let at = window.skip(from, limit, |b| class::is(b, LOCAL));
    if at == from || window.get(at) != Some(b'@') {
        return None;
    }
    match host_at(window, at + 1, limit, true)? {
        Start::Open(end) if window.get(end) == Some(b'?') => Some(Start::Open(end)),
        Start::Open(end) | Start::Closed(end) => Some(Start::Closed(end)),
    }
}

/// A newsgroup (§3.6): "a period-delimited hierarchical name, such as
/// "comp.infosystems.www.misc"".
fn group(window: &Window<'_>, from: usize, limit: usize) -> Option<Start> {
    let end = window.skip(from, limit, |b| class::is(b, class::SCHEME) || b == b'_');
    let name = &window.bytes()[from.min(end)..end];
    let last = name.iter().rposition(|&b| b != b'.')?;
    let dotted = name[0].is_ascii_alphabetic() && name[..last].contains(&b'.');
    dotted.then_some(Start::Closed(from + last + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is taken for the beginning of the URL that `text` is.
    fn start(text: &str) -> Option<&str> {
        let colon = text.find(':').unwrap();
        let schemes = Schemes::default();
        let evidence = schemes.evidence(&text.as_bytes()[..colon]);
        match after_colon(&Window::whole(text.as_bytes()), colon, text.len(), evidence)? {
            Start::Open(end) | Start::Closed(end) => Some(&text[..end]),
        }
    }

    #[test]
    fn a_host_ends_where_it_must() {
        assert_eq!(start("http://h.org/a"), Some("http://h.org"));
        assert_eq!(start("http://h.org[1]"), Some("http://h.org"));
        assert_eq!(start("http://h.org..."), Some("http://h.org"));
        assert_eq!(start("http://h.org./a"), Some("http://h.org."));
        assert_eq!(start("http://h.org-"), Some("http://h.org"));
        assert_eq!(start("http://[::1]:80/a"), Some("http://[::1]"));
        assert_eq!(start("ftp://u:p@h.org:21/"), Some("ftp://u:p@h.org"));
        assert_eq!(start("ftp://@host.com/"), Some("ftp://@host.com"));
        assert_eq!(
            start("ftp://me@work.com@h.org/"),
            Some("ftp://me@work.com@h.org")
        );
    }

    #[test]
    fn no_host_at_all() {
        for text in [
            "http://",
            "http:///",
            "http://.",
            "http://--",
            "http://-h.org",
            "http://a..b/",
            "http://[1]/",
            "http://[12:30]",
            "std://",
        ] {
            assert_eq!(start(text), None, "{text}");
        }
    }

    #[test]
    fn one_label_may_be_a_piece_of_a_program() {
        assert_eq!(start("http://box:8080"), Some("http://box"));
        assert_eq!(start("http://intranet,"), Some("http://intranet"));
        for text in [
            "http://www.\"",
            "http://groups\\.h",
            "http://h{a}",
            "http://h:%d/",
            "http://www.$x",
            "http://ssl.'",
        ] {
            assert_eq!(start(text), None, "{text}");
        }
    }

    #[test]
    fn schemes_without_slashes() {
        assert_eq!(start("mailto:a.b@h.org."), Some("mailto:a.b@h.org"));
        assert_eq!(start("mailto:a@h.org?subject=x"), Some("mailto:a@h.org"));
        assert_eq!(start("news:comp.lang.c++,"), Some("news:comp.lang.c++"));
        assert_eq!(
            start("news:1994Nov1.123@h.org"),
            Some("news:1994Nov1.123@h.org")
        );
        assert_eq!(start("news:everyone"), None);
        assert_eq!(start("file:///"), Some("file:///"));
        assert_eq!(start("file:/etc"), Some("file:/"));
        assert_eq!(start("file:/"), None);
        assert_eq!(start("urn:isbn:0451450523"), Some("urn:isbn:"));
        assert_eq!(start("tel:+44"), None);
    }
}
