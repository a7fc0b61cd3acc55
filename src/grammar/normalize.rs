//! Spellings that mean the same: RFC 3986 section 6.2.2, "Syntax-Based
//! Normalization".
//!
//! Two of its three steps apply to every scheme: letter case where it has no meaning
//! (section 6.2.2.1), and escapes of bytes that need no escape (section 6.2.2.2). The
//! third step, dot segments (section 6.2.2.3), is not done: dots in a path have no
//! meaning in RFC 1738, and old archives are full of gopher selectors and FTP
//! directories.

use std::borrow::Cow;

use super::chars::{ALPHADIGIT, DOT, HYPHEN, TILDE, UNDERSCORE, octet_of_escape};
use super::split::split;

/// Normalizes a URL: letter case and escapes, as RFC 3986 sections 6.2.2.1 and
/// 6.2.2.2 say.
///
/// The scheme and the host are put in lower case and the digits of escapes in
/// upper case; escapes of letters, digits, `-`, `.`, `_` and `~` are decoded. Dot
/// segments, ports, fragments and everything else are kept. If there is no scheme,
/// there is no host.
///
/// A URL that is normalized already is returned as it was, borrowed. Costs one pass
/// and one allocation.
///
/// # Example
///
/// ```
/// use urlgrep::grammar::normalize;
///
/// let url = normalize(b"HTTP://www.EXAMPLE.com/%7esmith/home%2fhtml");
/// assert_eq!(&*url, b"http://www.example.com/~smith/home%2Fhtml");
/// ```
pub fn normalize(url: &[u8]) -> Cow<'_, [u8]> {
    let mut normal = Vec::with_capacity(url.len());
    let mut rest = url;
    if let Some(parts) = split(url) {
        normal.extend(parts.scheme.to_ascii_lowercase());
        normal.push(b':');
        if let Some(authority) = parts.authority {
            normal.extend_from_slice(b"//");
            if let Some(userinfo) = authority.userinfo() {
                undo_escapes(&mut normal, userinfo);
                normal.push(b'@');
            }
            let host = normal.len();
            undo_escapes(&mut normal, authority.host());
            lower_names(&mut normal[host..]);
            if let Some(port) = authority.port() {
                normal.push(b':');
                undo_escapes(&mut normal, port);
            }
        }
        rest = parts.rest;
    }
    undo_escapes(&mut normal, rest);
    if normal == url { Cow::Borrowed(url) } else { Cow::Owned(normal) }
}

/// Appends `part`, with its escapes in upper case, or decoded if they are not needed.
fn undo_escapes(normal: &mut Vec<u8>, part: &[u8]) {
    let unreserved = ALPHADIGIT.or(HYPHEN).or(DOT).or(UNDERSCORE).or(TILDE);
    let mut rest = part;
    while let Some((&byte, after)) = rest.split_first() {
        let Some(octet) = octet_of_escape(rest) else {
            normal.push(byte);
            rest = after;
            continue;
        };
        match unreserved.has(octet) && !ends_in_percent(normal) {
            true => normal.push(octet),
            false => normal.extend(rest[..3].to_ascii_uppercase()),
        }
        rest = &rest[3..];
    }
}

/// Puts a host in lower case, except for its escapes.
fn lower_names(host: &mut [u8]) {
    let mut digits = 0;
    for byte in host {
        match (*byte, digits) {
            (b'%', _) => digits = 2,
            (_, 0) => byte.make_ascii_lowercase(),
            (_, more) => digits = more - 1,
        }
    }
}

/// Whether `text` ends with a `%` and fewer than two digits, so that the next byte
/// could become one of them.
fn ends_in_percent(normal: &[u8]) -> bool {
    normal[normal.len().saturating_sub(2)..].contains(&b'%')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn becomes(url: &str, normal: &str) {
        assert_eq!(String::from_utf8_lossy(&normalize(url.as_bytes())), normal);
    }

    /// Section 6.2.2: "example://a/b/c/%7Bfoo%7D" and
    /// "eXAMPLE://a/./b/../b/%63/%7bfoo%7d" mean the same; the dots stay here.
    #[test]
    fn the_examples_of_rfc_3986() {
        becomes("example://a/b/c/%7Bfoo%7D", "example://a/b/c/%7Bfoo%7D");
        becomes("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/./b/../b/c/%7Bfoo%7D");
        becomes("HTTP://www.EXAMPLE.com/", "http://www.example.com/");
        becomes("http://a/%3a", "http://a/%3A");
    }

    #[test]
    fn case_counts_outside_of_scheme_and_host() {
        becomes("FTP://Me:PassWord@FTP.H.org:21/Pub/A?Q#F", "ftp://Me:PassWord@ftp.h.org:21/Pub/A?Q#F");
        becomes("MAILTO:Me@H.Org", "mailto:Me@H.Org");
        becomes("http://H.ORG", "http://h.org");
        becomes("http://H.ORG?Q", "http://h.org?Q");
        becomes("http://[2001:DB8::7]:80/A", "http://[2001:db8::7]:80/A");
        becomes("http://H%4fR%2BORG/", "http://hor%2Borg/");
        becomes("www.H.org/A%41", "www.H.org/AA");
    }

    #[test]
    fn a_percent_sign_alone_stays_alone() {
        becomes("http://h/100%", "http://h/100%");
        becomes("http://h/%zz%6", "http://h/%zz%6");
        // If the first escape were decoded, the next bytes would become an escape.
        becomes("http://h/%%34%31", "http://h/%%341");
        becomes("http://h/%4%31", "http://h/%4%31");
        becomes("http://h/%25%34%31", "http://h/%2541");
    }

    #[test]
    fn what_is_normal_is_borrowed() {
        assert!(matches!(normalize(b"http://h.org/A"), Cow::Borrowed(_)));
        assert!(matches!(normalize(b""), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn normalizing_twice_changes_nothing(start in "[Hh]ttp:(//)?([Uu]@)?", rest in "[%0-9a-fA-FzZ~/@:#-]{0,20}") {
            let url = [start, rest].concat();
            let once = normalize(url.as_bytes()).into_owned();
            prop_assert_eq!(normalize(&once), &once[..]);
        }

        #[test]
        fn the_decoded_octets_stay_the_same(rest in "(%[0-9a-fA-F]{2}|[a-zA-Z0-9~/-]){0,20}") {
            let url = format!("http://h/{rest}");
            let normal = normalize(url.as_bytes()).into_owned();
            let meant = |url: &[u8]| super::super::decode(std::str::from_utf8(url).unwrap()).into_owned();
            prop_assert_eq!(meant(&normal), meant(url.as_bytes()));
        }
    }
}
