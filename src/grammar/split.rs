//! The parts of a URL, valid or not.
//!
//! Grades and warnings also apply to URLs that no grammar accepts. They need the
//! parts between the delimiters, whatever bytes these consist of.

use memchr::{memchr, memchr3, memrchr};

use super::chars::{ALPHA, SCHEME};

/// A URL without its fragment, cut at its delimiters.
pub(super) struct Split<'a> {
    pub(super) scheme: &'a [u8],
    /// The part between `//` and the next `/`, `?` or `#`.
    pub(super) authority: Option<Authority<'a>>,
    /// What follows the authority or, if there is none, the colon.
    pub(super) rest: &'a [u8],
}

/// The part between `//` and the next `/`, `?` or `#`, cut at its delimiters. Its
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
    /// The part before the last at-sign, if there is one: a user name and, after a
    /// colon, a password.
    pub fn userinfo(&self) -> Option<&'a [u8]> {
        self.userinfo
    }

    /// The host, with the brackets of an IP literal; it may be empty.
    pub fn host(&self) -> &'a [u8] {
        self.host
    }

    /// The part after the colon that ends the host, if there is one.
    pub fn port(&self) -> Option<&'a [u8]> {
        self.port
    }
}

/// The authority of a URL, which need not be valid; `None` if the URL has no scheme
/// or no `//` after it.
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

/// Cuts a URL; `None` if it has no scheme.
pub(super) fn split(url: &[u8]) -> Option<Split<'_>> {
    let colon = url.iter().position(|&byte| !SCHEME.has(byte))?;
    if url[colon] != b':' || !ALPHA.has(url[0]) {
        return None;
    }
    let (scheme, rest) = (&url[..colon], &url[colon + 1..]);
    let (authority, rest) = match rest.strip_prefix(b"//") {
        Some(rest) => {
            let end = memchr3(b'/', b'?', b'#', rest);
            let (text, rest) = rest.split_at(end.unwrap_or(rest.len()));
            (Some(cut(text)), rest)
        }
        None => (None, rest),
    };
    Some(Split { scheme, authority, rest })
}

fn cut(text: &[u8]) -> Authority<'_> {
    let at_sign = memrchr(b'@', text);
    let (userinfo, hostport) = match at_sign {
        Some(at) => (Some(&text[..at]), &text[at + 1..]),
        None => (None, text),
    };
    // The colons inside an IP literal do not end the host.
    let literal = match hostport.first() {
        Some(b'[') => hostport.iter().position(|&byte| byte == b']').unwrap_or(0),
        _ => 0,
    };
    let colon = memchr(b':', &hostport[literal..]);
    let (host, port) = match colon {
        Some(at) => (&hostport[..literal + at], Some(&hostport[literal + at + 1..])),
        None => (hostport, None),
    };
    Authority { userinfo, host, port }
}

/// Splits a URL from its fragment at the first `#`, which is in neither part.
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
    match memchr(b'#', url) {
        Some(at) => (&url[..at], Some(&url[at + 1..])),
        None => (url, None),
    }
}

#[cfg(test)]
mod tests {
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
}
