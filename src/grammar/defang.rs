//! Writes a URL so that no program opens it.

use std::ops::Range;

use memchr::{memchr, memchr3};

use super::split::{authority, split};

/// Schemes that programs open, and how reports about attacks write them.
const SCHEMES: [(&[u8], &[u8]); 4] =
    [(b"http", b"hxxp"), (b"https", b"hxxps"), (b"ftp", b"fxp"), (b"ftps", b"fxps")];

/// Returns a URL in the notation of reports about attacks, which no program opens: `hxxp://h[.]org/`.
///
/// The schemes http, https, ftp and ftps are misspelled, including in a URL within the URL, unless they have capital
/// letters. The dots and at-signs of all users and hosts after `://` are in brackets, as are the at-signs of the email
/// addresses of a `mailto:` URL and the dots after them. A mark that is already in brackets gets a second pair of
/// brackets, so that [`refang`](crate::FinderBuilder::refang) reads the same URL again. The URL need not be valid, and
/// needs no scheme. One without any of these parts, such as `news:comp.lang.c`, stays as it is.
///
/// ```
/// use urlgrep::grammar::defang;
///
/// assert_eq!(defang(b"https://www.h.org/a.html"), b"hxxps://www[.]h[.]org/a.html");
/// assert_eq!(defang(b"mailto:me@h.org"), b"mailto:me[@]h[.]org");
/// ```
pub fn defang(url: &[u8]) -> Vec<u8> {
    let host = host(url);
    let is_mark = |at: usize| host.contains(&at) && b".@".contains(&url[at]);
    // Nobody would read the rest as defanged.
    if scheme(url, 0).is_none() && !host.clone().any(is_mark) {
        return url.to_vec();
    }
    let is_mail = url.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(b"mailto:"));
    let mut defanged = Vec::with_capacity(url.len() + 16);
    let mut at = 0;
    // True in the host of a URL within the URL, and of a further address.
    let mut is_inner = false;
    while let Some(&byte) = url.get(at) {
        if let Some((written, instead)) = scheme(url, at) {
            defanged.extend_from_slice(instead);
            at += written.len();
            continue;
        }
        is_inner |= at > host.end && url[..at].ends_with(b"://");
        is_inner &= !byte.is_ascii_control() && !b"/?#&,;%".contains(&byte);
        is_inner |= is_mail && byte == b'@';
        match is_mark(at) || is_inner && b".@".contains(&byte) || is_bracketed(url, at) {
            true => defanged.extend_from_slice(&[b'[', byte, b']']),
            false => defanged.push(byte),
        }
        at += 1;
    }
    defanged
}

/// The scheme at `at` that is misspelled, and how.
fn scheme(url: &[u8], at: usize) -> Option<(&'static [u8], &'static [u8])> {
    let is_word = at > 0 && url[at - 1].is_ascii_alphanumeric();
    // Within a URL, `ftp:` may be a user or a value.
    let colon: &[u8] = if at == 0 { b":" } else { b"://" };
    let is_there = |(written, _): &(&[u8], _)| {
        url[at..].strip_prefix(*written).is_some_and(|rest| rest.starts_with(colon))
    };
    SCHEMES.into_iter().find(is_there).filter(|_| !is_word)
}

/// The position of the user and host, or of an email address from the at-sign on. Without a scheme, the URL
/// starts with either.
fn host(url: &[u8]) -> Range<usize> {
    if let Some(authority) = authority(url) {
        // Programs turn a host within the name of a user into a link.
        let first = authority.userinfo().unwrap_or(authority.host());
        let offset = |pointer: *const u8| pointer.addr() - url.as_ptr().addr();
        return offset(first.as_ptr())..offset(authority.host().as_ptr_range().end);
    }
    let end = memchr3(b'/', b'?', b'#', url).unwrap_or(url.len());
    let address = || memchr(b'@', &url[..end]);
    match split(url).map(|parts| parts.scheme) {
        Some(scheme) if scheme.eq_ignore_ascii_case(b"mailto") => address().unwrap_or(end)..end,
        // The colon of `h.org:80` belongs to a port.
        Some(scheme) if !scheme.contains(&b'.') => 0..0,
        _ => address().unwrap_or(0)..end,
    }
}

/// Returns true if the mark at `at` is in brackets, which would be read as the mark.
fn is_bracketed(url: &[u8], at: usize) -> bool {
    let pair = (at.checked_sub(1).and_then(|before| url.get(before)), url.get(at + 1));
    matches!(pair, (Some(b'['), Some(b']')) | (Some(b'('), Some(b')')) | (Some(b'{'), Some(b'}')))
        && b".:/@".contains(&url[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_and_host_are_defanged() {
        for (url, defanged) in [
            ("http://h.org/a.b", "hxxp://h[.]org/a.b"),
            ("https://me.x:p.q@www.h.org:81?a.b", "hxxps://me[.]x:p[.]q[@]www[.]h[.]org:81?a.b"),
            ("http://h.org#a@b.c", "hxxp://h[.]org#a@b.c"),
            ("http://localhost/", "hxxp://localhost/"),
            ("ftp://h.org/a;type=a", "fxp://h[.]org/a;type=a"),
            ("ftps://10.0.0.1/", "fxps://10[.]0[.]0[.]1/"),
            ("http://[::ffff:10.0.0.1]:80/", "hxxp://[::ffff:10[.]0[.]0[.]1]:80/"),
            ("http://m\u{fc}ller.de/", "hxxp://m\u{fc}ller[.]de/"),
            ("gopher://h.org/11", "gopher://h[.]org/11"),
            ("HTTP://H.org/", "HTTP://H[.]org/"),
            ("mailto:a.b@h.org,c@k.org?cc=d@h.org", "mailto:a.b[@]h[.]org,c[@]k[.]org?cc=d[@]h[.]org"),
            ("news:comp.lang.c", "news:comp.lang.c"),
            ("file:///a.b", "file:///a.b"),
            ("gopher://h/[.]", "gopher://h/[.]"),
            ("www.h.org/a.b", "www[.]h[.]org/a.b"),
            ("h.org:80/a.b", "h[.]org:80/a.b"),
            ("a.b@h.org", "a.b[@]h[.]org"),
            ("", ""),
        ] {
            assert_eq!(String::from_utf8(defang(url.as_bytes())).unwrap(), defanged);
        }
    }

    /// Programs turn a URL within a URL into a link, too.
    #[test]
    fn urls_within_urls_and_marks() {
        for (url, defanged) in [
            ("http://h.org/?u=http://k.org/", "hxxp://h[.]org/?u=hxxp://k[.]org/"),
            // Some programs find a scheme within a word, and ignore its case.
            ("http://h.org/ahttp://k.org/", "hxxp://h[.]org/ahttp://k[.]org/"),
            ("http://h.org/?u=HTTP://k.org/a.b", "hxxp://h[.]org/?u=HTTP://k[.]org/a.b"),
            ("http://h.org/?u=gopher://k.org", "hxxp://h[.]org/?u=gopher://k[.]org"),
            ("mailto:a@h.org?body=b%20http://k.org/", "mailto:a[@]h[.]org?body=b%20http://k[.]org/"),
            ("http://h.org/a:///b.c", "hxxp://h[.]org/a:///b.c"),
            ("http://ftp:a@h.org/http:8", "hxxp://ftp:a[@]h[.]org/http:8"),
            (
                "http://h.org/?u=https://me@k.a.org:80/b.c&d=e.f",
                "hxxp://h[.]org/?u=hxxps://me[@]k[.]a[.]org:80/b.c&d=e.f",
            ),
            ("mailto:a@h.org?cc=b@k.org&body=c.d", "mailto:a[@]h[.]org?cc=b[@]k[.]org&body=c.d"),
            ("http://h.org/a[.]b(/){@}", "hxxp://h[.]org/a[[.]]b([/]){[@]}"),
        ] {
            assert_eq!(String::from_utf8(defang(url.as_bytes())).unwrap(), defanged);
        }
    }
}
