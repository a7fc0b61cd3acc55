//! The grammar of RFC 1738, which is stricter than current usage.
//!
//! ```
//! use urlgrep::grammar::rfc1738::{self, Url};
//!
//! let url = rfc1738::parse(b"ftp://myname@host.dom/%2Fetc/motd;type=a")?;
//! assert_eq!(url.host(), Some("host.dom"));
//! assert_eq!(url.port(), Some(21));
//! let Url::Ftp(ftp) = url else { unreachable!() };
//! assert!(ftp.segments().eq(["%2Fetc", "motd"]));
//!
//! let error = rfc1738::parse(b"http://h.org/~me/").unwrap_err();
//! assert_eq!((error.production(), error.offset()), ("hsegment", 13));
//! # Ok::<(), urlgrep::grammar::ParseError>(())
//! ```

use std::fmt;

pub use super::file::File;
use super::file::fileurl;
use super::ftp::ftpurl;
pub use super::ftp::{Ftp, Typecode};
pub use super::gopher::Gopher;
use super::gopher::gopherurl;
pub use super::http::Http;
use super::http::httpurl;
use super::login::login;
pub use super::login::{HostPort, Login, Segments};
pub use super::mailto::Mailto;
use super::mailto::mailtourl;
use super::news::newsurl;
pub use super::news::{News, NewsPart};
pub use super::nntp::Nntp;
use super::nntp::nntpurl;
use super::production::*;
use super::prospero::prosperourl;
pub use super::prospero::{Fields, Prospero};
use super::schemes::{UrlKind, default_port, known};
pub use super::telnet::Telnet;
use super::telnet::telneturl;
pub use super::wais::Wais;
use super::wais::waisurl;

productions! {
    NAME: "scheme", "RFC 1738 section 2.1", NO_ESCAPES,
        "a scheme consists of letters, digits, \"+\", \".\" and \"-\", and a colon follows";
    SCHEMEPART: "schemepart", "RFC 1738 section 5", ESCAPES,
        "the part after the scheme consists of letters, digits, escapes and \"$-_.+!*'(),;/?:@&=\"";
}

/// A URL that RFC 1738 accepts, in typed parts.
///
/// The parts are borrowed and keep their spelling, including letter case and escapes. A URL is not
/// normalized, so it prints the bytes that were parsed.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let url = parse(b"HTTP://h.org:8080/a%2fb")?;
/// assert_eq!(url.scheme(), "HTTP");
/// assert_eq!(url.host(), Some("h.org"));
/// assert_eq!(url.port(), Some(8080));
/// assert_eq!(url.to_string(), "HTTP://h.org:8080/a%2fb");
/// assert!(matches!(url, Url::Http(_)));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Url<'a> {
    /// `ftp:` (section 3.2).
    Ftp(Ftp<'a>),
    /// `http:` (section 3.3).
    Http(Http<'a>),
    /// `gopher:` (section 3.4).
    Gopher(Gopher<'a>),
    /// `mailto:` (section 3.5).
    Mailto(Mailto<'a>),
    /// `news:` (section 3.6).
    News(News<'a>),
    /// `nntp:` (section 3.7).
    Nntp(Nntp<'a>),
    /// `telnet:` (section 3.8).
    Telnet(Telnet<'a>),
    /// `wais:` (section 3.9).
    Wais(Wais<'a>),
    /// `file:` (section 3.10).
    File(File<'a>),
    /// `prospero:` (section 3.11).
    Prospero(Prospero<'a>),
    /// Any other scheme (sections 2.1 and 4).
    Other(Other<'a>),
}

impl<'a> Url<'a> {
    /// Returns the scheme as written.
    ///
    /// ```
    /// # use urlgrep::grammar::rfc1738::parse;
    /// assert_eq!(parse(b"News:*")?.scheme(), "News");
    /// # Ok::<(), urlgrep::grammar::ParseError>(())
    /// ```
    pub fn scheme(&self) -> &'a str {
        match self {
            Url::Ftp(url) => url.scheme(),
            Url::Http(url) => url.scheme(),
            Url::Gopher(url) => url.scheme(),
            Url::Mailto(url) => url.scheme(),
            Url::News(url) => url.scheme(),
            Url::Nntp(url) => url.scheme(),
            Url::Telnet(url) => url.scheme(),
            Url::Wais(url) => url.scheme(),
            Url::File(url) => url.scheme(),
            Url::Prospero(url) => url.scheme(),
            Url::Other(url) => url.scheme(),
        }
    }

    /// Returns the host to contact, if the URL names one. The hosts of email addresses and
    /// message-ids are not hosts to contact.
    ///
    /// ```
    /// # use urlgrep::grammar::rfc1738::parse;
    /// assert_eq!(parse(b"ftp://u:p@h.org:21/")?.host(), Some("h.org"));
    /// assert_eq!(parse(b"file:///etc/motd")?.host(), None);
    /// assert_eq!(parse(b"mailto:me@h.org")?.host(), None);
    /// # Ok::<(), urlgrep::grammar::ParseError>(())
    /// ```
    pub fn host(&self) -> Option<&'a str> {
        match self {
            Url::File(url) => url.host(),
            _ => self.hostport().map(|hostport| hostport.host()),
        }
    }

    /// Returns the port to contact: the port in the URL, or the scheme's default if the URL
    /// has a host without a port. `None` if the port exceeds 65535, which the grammar
    /// of section 5 allows.
    ///
    /// ```
    /// # use urlgrep::grammar::rfc1738::parse;
    /// assert_eq!(parse(b"wais://h.org/db")?.port(), Some(210));
    /// assert_eq!(parse(b"https://h.org/")?.port(), Some(443));
    /// assert_eq!(parse(b"http://h.org:99999/")?.port(), None);
    /// assert_eq!(parse(b"news:*")?.port(), None);
    /// # Ok::<(), urlgrep::grammar::ParseError>(())
    /// ```
    pub fn port(&self) -> Option<u16> {
        self.hostport()?.number(default_port(self.scheme()))
    }

    fn hostport(&self) -> Option<HostPort<'a>> {
        match self {
            Url::Ftp(url) => Some(url.login().hostport()),
            Url::Telnet(url) => Some(url.login().hostport()),
            Url::Http(url) => Some(url.hostport()),
            Url::Gopher(url) => Some(url.hostport()),
            Url::Nntp(url) => Some(url.hostport()),
            Url::Wais(url) => Some(url.hostport()),
            Url::Prospero(url) => Some(url.hostport()),
            Url::Other(url) => url.login().map(|login| login.hostport()),
            Url::Mailto(_) | Url::News(_) | Url::File(_) => None,
        }
    }
}

impl fmt::Display for Url<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Url::Ftp(url) => url.fmt(f),
            Url::Http(url) => url.fmt(f),
            Url::Gopher(url) => url.fmt(f),
            Url::Mailto(url) => url.fmt(f),
            Url::News(url) => url.fmt(f),
            Url::Nntp(url) => url.fmt(f),
            Url::Telnet(url) => url.fmt(f),
            Url::Wais(url) => url.fmt(f),
            Url::File(url) => url.fmt(f),
            Url::Prospero(url) => url.fmt(f),
            Url::Other(url) => url.fmt(f),
        }
    }
}

/// A URL with a scheme that does not have its own production (RFC 1738 sections 2.1 and 4).
///
/// If it follows the common Internet scheme syntax (section 3.1), it has a login.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let other = |url: &'static str| match parse(url) {
///     Ok(Url::Other(other)) => other,
///     _ => unreachable!(),
/// };
/// let https = other("https://h.org/a");
/// assert_eq!(https.scheme(), "https");
/// assert_eq!(https.schemepart(), "//h.org/a");
/// assert_eq!(https.login().map(|login| login.host()), Some("h.org"));
/// assert_eq!(https.urlpath(), Some("a"));
/// assert_eq!(https.port(), Some(443));
///
/// assert_eq!(other("x-new:anything/goes?here").login(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Other<'a> {
    scheme: &'a str,
    schemepart: &'a str,
    login: Option<Login<'a>>,
    urlpath: Option<&'a str>,
}

impl<'a> Other<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns everything after the colon.
    pub fn schemepart(&self) -> &'a str {
        self.schemepart
    }

    /// Returns user, password, host and port, if the scheme-specific part is `//` and a login, with
    /// or without a slash and a path.
    pub fn login(&self) -> Option<Login<'a>> {
        self.login
    }

    /// Returns the part after the slash that ends the login, if there is one.
    pub fn urlpath(&self) -> Option<&'a str> {
        self.urlpath
    }

    /// Returns the port in the login, or the scheme's [`default_port`] if the login has none.
    /// Returns `None` without a login, or if the port exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        let hostport = self.login?.hostport();
        hostport.number(default_port(self.scheme))
    }
}

impl fmt::Display for Other<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.scheme, self.schemepart)
    }
}

/// Parses a URL by RFC 1738: the grammar of section 5 and the rules of section 3.
///
/// The scheme is case-insensitive. If RFC 1738 has a production for the scheme, the URL must match
/// it; a URL of any other scheme is `otherurl`, a scheme and a run of permitted characters. RFC
/// 1738 does not include the fragment in a URL; see [`split_fragment`].
///
/// Runs in time linear in the length and does not allocate.
///
/// # Errors
///
/// Returns an error with the production and the offset if the URL does not match. With several
/// alternatives, it is the error at the greatest offset.
///
/// ```
/// use urlgrep::grammar::rfc1738::parse;
///
/// let url = parse("gopher://h.org/0x%09%09+")?;
/// assert_eq!(url.port(), Some(70));
///
/// let error = parse("ftp://ds.inter-.net/").unwrap_err();
/// assert_eq!((error.production(), error.offset()), ("domainlabel", 14));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
///
/// [`split_fragment`]: super::split_fragment
pub fn parse<T: AsRef<[u8]> + ?Sized>(url: &T) -> Result<Url<'_>, ParseError> {
    let (scheme, rest) = scheme(Rest::new(url.as_ref()))?;
    let kind = known(scheme.as_bytes()).map_or(UrlKind::Other, |known| known.kind);
    let url = match kind {
        UrlKind::Ftp => Url::Ftp(ftpurl(scheme, rest)?),
        UrlKind::Http => Url::Http(httpurl(scheme, rest)?),
        UrlKind::Gopher => Url::Gopher(gopherurl(scheme, rest)?),
        UrlKind::Mailto => Url::Mailto(mailtourl(scheme, rest)?),
        UrlKind::News => Url::News(newsurl(scheme, rest)?),
        UrlKind::Nntp => Url::Nntp(nntpurl(scheme, rest)?),
        UrlKind::Telnet => Url::Telnet(telneturl(scheme, rest)?),
        UrlKind::Wais => Url::Wais(waisurl(scheme, rest)?),
        UrlKind::File => Url::File(fileurl(scheme, rest)?),
        UrlKind::Prospero => Url::Prospero(prosperourl(scheme, rest)?),
        UrlKind::Other => Url::Other(otherurl(scheme, rest)?),
    };
    Ok(url)
}

/// Parses an `https` URL by the production of `http`.
pub(super) fn https(url: &[u8]) -> Result<(), ParseError> {
    let (scheme, rest) = scheme(Rest::new(url))?;
    httpurl(scheme, rest).map(drop)
}

/// `scheme = 1*[ lowalpha | digit | "+" | "-" | "." ]`, and the colon after it.
///
/// "For resiliency, programs interpreting URLs should treat upper case letters
/// as equivalent to lower case in scheme names."
fn scheme(rest: Rest<'_>) -> Parsed<'_> {
    let (name, rest) = rest.some(SCHEME, &NAME)?;
    Ok((name, rest.expect(":", &NAME)?))
}

/// `otherurl = genericurl`, where `genericurl = scheme ":" schemepart` and
/// `schemepart = *xchar | ip-schemepart`.
///
/// Every `ip-schemepart` is also `*xchar`. The second alternative accepts the same texts, but shows
/// where the host is.
fn otherurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Other<'a>, ParseError> {
    let schemepart = rest.all(XCHAR, &SCHEMEPART)?;
    let (login, urlpath) = ip_schemepart(rest).unzip();
    Ok(Other { scheme, schemepart, login, urlpath: urlpath.flatten() })
}

/// `ip-schemepart = "//" login [ "/" urlpath ]`, where `urlpath = *xchar`.
fn ip_schemepart(rest: Rest<'_>) -> Option<(Login<'_>, Option<&str>)> {
    let (login, rest) = login(rest.eat("//")?).ok()?;
    let urlpath = rest.eat_or_end("/", &SCHEMEPART).ok()?;
    Some((login, urlpath.map(|rest| rest.run(XCHAR).0)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::testing::{accepted, refused},
        *,
    };

    #[test]
    fn what_has_no_scheme_is_refused() {
        refused("", "scheme", 0);
        refused("h.org/a", "scheme", 5);
        refused("www.h.org", "scheme", 9);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = parse(&bytes);
        }

        #[test]
        fn no_bytes_after_a_scheme_make_it_panic(
            scheme in "(ftp|http|gopher|mailto|news|nntp|telnet|wais|file|prospero|x):(//(h(:1)?/)?)?",
            bytes: Vec<u8>,
        ) {
            let url = [scheme.as_bytes(), &bytes].concat();
            match parse(&url) {
                Ok(parsed) => prop_assert_eq!(parsed.to_string().into_bytes(), url),
                Err(error) => prop_assert!(error.offset() <= url.len()),
            }
        }
    }

    #[test]
    fn anything_goes_that_is_xchar() {
        accepted("x-new:anything/goes?here");
        accepted("https://h.org?q");
        accepted("https:");
        accepted("3com:x");
        accepted("cid:part1.2@h.org");
        accepted("z39.50://h.org:210/db");
        accepted("x:////@@::");
    }

    /// Each scheme of RFC 1738, and others.
    #[test]
    fn hosts_and_ports_to_contact() {
        for (url, host, port) in [
            ("ftp://h.org/", Some("h.org"), Some(21)),
            ("http://h.org/", Some("h.org"), Some(80)),
            ("gopher://h.org/", Some("h.org"), Some(70)),
            ("nntp://h.org/a/1", Some("h.org"), Some(119)),
            ("telnet://h.org/", Some("h.org"), Some(23)),
            ("wais://h.org/a", Some("h.org"), Some(210)),
            ("prospero://h.org/a", Some("h.org"), Some(1525)),
            ("https://h.org/", Some("h.org"), Some(443)),
            ("file://h.org/a", Some("h.org"), None),
            ("mailto:me@h.org", None, None),
            ("news:1@h.org", None, None),
            ("file:///a", None, None),
            ("x:a", None, None),
        ] {
            let parsed = parse(url.as_bytes()).unwrap();
            assert_eq!((parsed.host(), parsed.port()), (host, port), "{url}");
            let own = match parsed {
                Url::Ftp(url) => url.port(),
                Url::Telnet(url) => url.port(),
                Url::Http(url) => url.port(),
                Url::Gopher(url) => url.port(),
                Url::Nntp(url) => url.port(),
                Url::Wais(url) => url.port(),
                Url::Prospero(url) => url.port(),
                Url::Other(url) => url.port(),
                Url::Mailto(_) | Url::News(_) | Url::File(_) => None,
            };
            assert_eq!(own, port, "{url}");
        }
    }

    #[test]
    fn logins_are_recognised() {
        let host = |url: &'static str| match parse(url.as_bytes()) {
            Ok(Url::Other(other)) => other.login().map(|login| login.host()),
            _ => panic!("{url}"),
        };
        assert_eq!(host("https://u:p@h.org:1/a"), Some("h.org"));
        assert_eq!(host("https://h.org"), Some("h.org"));
        assert_eq!(host("https://h.org?q"), None);
        assert_eq!(host("https:///h.org"), None);
        assert_eq!(host("afs:h.org/"), None);
    }

    #[test]
    fn refusals() {
        refused("https://[::1]/", "schemepart", 8);
        refused("https://h.org/~me", "schemepart", 14);
        refused("x:%", "escape", 3);
        refused("x:a#b", "schemepart", 3);
    }

    #[test]
    fn a_name_is_any_run_of_its_characters() {
        for url in ["http:", "x-new:", "z39.50:", "1+1:"] {
            let (name, rest) = scheme(Rest::new(url.as_bytes())).unwrap();
            assert_eq!((name, rest.offset()), (&url[..url.len() - 1], url.len()));
        }
    }

    #[test]
    fn an_invalid_scheme_is_rejected_where_it_ends() {
        for (url, offset) in [("", 0), (":", 0), ("http", 4), ("a_b:", 1), ("//h", 0)] {
            let error = scheme(Rest::new(url.as_bytes())).err().unwrap();
            assert_eq!((error.production(), error.offset()), ("scheme", offset));
        }
    }
}
