//! A URL of any scheme: RFC 1738's `url`.

use std::fmt;

use super::{
    File, Ftp, Gopher, HostPort, Http, Mailto, News, Nntp, Other, ParseError, Prospero, Telnet, Wais,
    file::fileurl,
    ftp::ftpurl,
    gopher::gopherurl,
    http::httpurl,
    mailto::mailtourl,
    news::newsurl,
    nntp::nntpurl,
    other::otherurl,
    prospero::prosperourl,
    rest::Rest,
    scheme::scheme,
    schemes::{UrlKind, known},
    telnet::telneturl,
    wais::waisurl,
};

/// A URL that RFC 1738 accepts, in typed parts.
///
/// The parts are borrowed and keep their spelling, letter case and escapes
/// included. Nothing is normalized, so a URL prints the bytes that were parsed.
///
/// ```
/// use urlgrep::grammar::{Url, parse};
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
    /// The scheme as written.
    ///
    /// ```
    /// # use urlgrep::grammar::parse;
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

    /// The host to contact, if the URL names one. The hosts of mail addresses and
    /// message-ids are not hosts to contact.
    ///
    /// ```
    /// # use urlgrep::grammar::parse;
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

    /// The port to contact: the port in the URL, or the scheme's default if the URL
    /// has a host without a port. `None` if the port exceeds 65535, which the grammar
    /// of section 5 allows.
    ///
    /// ```
    /// # use urlgrep::grammar::parse;
    /// assert_eq!(parse(b"wais://h.org/db")?.port(), Some(210));
    /// assert_eq!(parse(b"https://h.org/")?.port(), Some(443));
    /// assert_eq!(parse(b"http://h.org:99999/")?.port(), None);
    /// assert_eq!(parse(b"news:*")?.port(), None);
    /// # Ok::<(), urlgrep::grammar::ParseError>(())
    /// ```
    pub fn port(&self) -> Option<u16> {
        self.hostport()?.number(super::default_port(self.scheme()))
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

/// Parses a URL by RFC 1738: the grammar of section 5 and the rules of section 3.
///
/// The scheme may be in any letter case. If RFC 1738 has a production for the
/// scheme, the URL must match it; a URL of any other scheme is `otherurl`, a scheme
/// and a run of permitted characters. A URL of RFC 1738 has no fragment; see
/// [`split_fragment`].
///
/// Runs in time linear in the length and does not allocate.
///
/// # Errors
///
/// Returns an error if the URL does not match. It names the production and the
/// offset. If there are alternatives, it is the error at the greatest offset.
///
/// ```
/// use urlgrep::grammar::parse;
///
/// let url = parse(b"gopher://h.org/0x%09%09+")?;
/// assert_eq!(url.port(), Some(70));
///
/// let error = parse(b"ftp://ds.inter-.net/").unwrap_err();
/// assert_eq!((error.production(), error.offset()), ("domainlabel", 14));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
///
/// [`split_fragment`]: super::split_fragment
pub fn parse(url: &[u8]) -> Result<Url<'_>, ParseError> {
    let (scheme, rest) = scheme(Rest::new(url))?;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::parse;

    #[test]
    fn what_has_no_scheme_is_refused() {
        use super::super::testing::refused;
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
}
