//! The parts of a URL, valid or not, and one spelling for equivalent URLs.
//!
//! Grades, warnings and spellings also apply to URLs that no grammar accepts. These need the parts
//! between the delimiters, regardless of the bytes in them.

use std::borrow::Cow;

use memchr::{memchr, memchr3, memrchr};

use super::production::*;

/// A URL without its fragment, split at its delimiters.
pub(crate) struct Split<'a> {
    pub(crate) scheme: &'a [u8],
    /// The part between `//` and the next `/`, `?` or `#`.
    pub(crate) authority: Option<Authority<'a>>,
    /// The text after the authority or, without one, after the colon.
    pub(crate) rest: &'a [u8],
}

/// The part between `//` and the next `/`, `?` or `#`, split at its delimiters. Its
/// bytes are not checked.
///
/// Returned by [`authority`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Authority<'a> {
    pub(super) userinfo: Option<&'a [u8]>,
    pub(super) host: &'a [u8],
    pub(super) port: Option<&'a [u8]>,
}

impl<'a> Authority<'a> {
    /// Returns the part before the last at-sign, if there is one: a user name and, after a
    /// colon, a password.
    pub fn userinfo(&self) -> Option<&'a [u8]> {
        self.userinfo
    }

    /// Returns the host, with the brackets of an IP literal; it may be empty.
    pub fn host(&self) -> &'a [u8] {
        self.host
    }

    /// Returns the part after the colon that ends the host, if there is one.
    pub fn port(&self) -> Option<&'a [u8]> {
        self.port
    }
}

/// Returns the authority of a URL, which need not be valid, or `None` if the URL lacks a scheme or
/// the `//` after it.
///
/// ```
/// use urlgrep::grammar;
///
/// let authority = grammar::authority(b"ftp://me:secret@H.org:2121/{x}").unwrap();
/// assert_eq!(authority.userinfo(), Some(&b"me:secret"[..]));
/// assert_eq!(authority.host(), b"H.org");
/// assert_eq!(authority.port(), Some(&b"2121"[..]));
/// assert_eq!(grammar::authority(b"mailto:me@h.org"), None);
/// ```
pub fn authority(url: &[u8]) -> Option<Authority<'_>> {
    split(url)?.authority
}

/// Splits a URL; `None` if it lacks a scheme.
pub(crate) fn split(url: &[u8]) -> Option<Split<'_>> {
    let colon = url.iter().position(|&byte| !SCHEME.has(byte))?;
    if url[colon] != b':' || !ALPHA.has(url[0]) {
        return None;
    }
    let (authority, rest) = split_authority(&url[colon + 1..]);
    Some(Split { scheme: &url[..colon], authority: authority.map(cut), rest })
}

/// The text between `//`, if that is at the start of `text`, and the next `/`, `?` or `#`; and the
/// text after it.
pub(super) fn split_authority(text: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let Some(rest) = text.strip_prefix(b"//") else { return (None, text) };
    let end = memchr3(b'/', b'?', b'#', rest);
    let (authority, rest) = rest.split_at(end.unwrap_or(rest.len()));
    (Some(authority), rest)
}

fn cut(text: &[u8]) -> Authority<'_> {
    let (userinfo, hostport) = match memrchr(b'@', text) {
        Some(at) => (Some(&text[..at]), &text[at + 1..]),
        None => (None, text),
    };
    // The colons inside an IP literal do not end the host.
    let literal = match hostport.first() {
        Some(b'[') => hostport.iter().position(|&byte| byte == b']').unwrap_or(0),
        _ => 0,
    };
    match memchr(b':', &hostport[literal..]).map(|at| literal + at) {
        Some(at) => Authority { userinfo, host: &hostport[..at], port: Some(&hostport[at + 1..]) },
        None => Authority { userinfo, host: hostport, port: None },
    }
}

/// Splits a URL from its fragment at the first `#`, and returns both without it.
///
/// "The character "#" is unsafe and should always be encoded because it is used
/// in World Wide Web and in other systems to delimit a URL from a
/// fragment/anchor identifier that might follow it" (RFC 1738 section 2.2). Runs in
/// time linear in the length.
///
/// ```
/// use urlgrep::grammar::split_fragment;
///
/// let url = b"http://ds.internic.net/instructions/overview.html#WARNING";
/// let (url, fragment) = split_fragment(url);
/// assert_eq!(url, b"http://ds.internic.net/instructions/overview.html");
/// assert_eq!(fragment, Some(&b"WARNING"[..]));
///
/// assert_eq!(split_fragment(b"news:*"), (&b"news:*"[..], None));
/// ```
pub fn split_fragment(url: &[u8]) -> (&[u8], Option<&[u8]>) {
    split_at(url, b'#')
}

/// Returns the text before the first `mark`, and the text after it if it occurs.
pub(super) fn split_at(text: &[u8], mark: u8) -> (&[u8], Option<&[u8]>) {
    match memchr(mark, text) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// Normalizes the letter case and the escapes of a URL, as in RFC 3986 sections 6.2.2.1 and
/// 6.2.2.2.
///
/// The scheme and the host are converted to lower case and the digits of escapes to upper case;
/// escapes of letters, digits, `-`, `.`, `_` and `~` are decoded. Dot segments, ports, fragments
/// and all other parts are kept. Without a scheme, a URL does not have a host.
///
/// The third step of RFC 3986, dot segments (section 6.2.2.3), is not done: dots in a path
/// have no meaning in RFC 1738, and old archives are full of gopher selectors and FTP
/// directories.
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
            let mut digits = 0;
            for byte in &mut normal[host..] {
                match (*byte, digits) {
                    (b'%', _) => digits = 2,
                    (_, 0) => byte.make_ascii_lowercase(),
                    (_, more) => digits = more - 1,
                }
            }
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
        // After a `%` with fewer than two digits, the octet could become one of them.
        match unreserved.has(octet) && !normal[normal.len().saturating_sub(2)..].contains(&b'%') {
            true => normal.push(octet),
            false => normal.extend(rest[..3].to_ascii_uppercase()),
        }
        rest = &rest[3..];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Parts<'a> = (Option<&'a str>, &'a str, Option<&'a str>, &'a str);

    fn parts(url: &str) -> Parts<'_> {
        let text = |bytes| str::from_utf8(bytes).unwrap();
        let split = split(url.as_bytes()).unwrap();
        let authority = split.authority.unwrap();
        (authority.userinfo.map(text), text(authority.host), authority.port.map(text), text(split.rest))
    }

    #[test]
    fn authorities_are_cut_at_delimiters_only() {
        assert_eq!(parts("x://h"), (None, "h", None, ""));
        assert_eq!(parts("x://a@b@h:1:2/@"), (Some("a@b"), "h", Some("1:2"), "/@"));
        assert_eq!(parts("x://[::1]:80?q"), (None, "[::1]", Some("80"), "?q"));
        assert_eq!(parts("x://[::1"), (None, "[", Some(":1"), ""));
        assert_eq!(parts("x://:p@"), (Some(":p"), "", None, ""));
    }

    #[test]
    fn what_has_no_scheme_is_not_cut() {
        for url in ["", ":", "x", "1x:", "a b:c", "//h"] {
            assert!(split(url.as_bytes()).is_none(), "{url}");
        }
        assert!(split(b"x:").unwrap().authority.is_none());
    }

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
            let meant = |url: &[u8]| decode(std::str::from_utf8(url).unwrap()).into_owned();
            prop_assert_eq!(meant(&normal), meant(url.as_bytes()));
        }
    }
}
