//! Schemes that have no production of their own (RFC 1738 sections 2.1 and 4).

use std::fmt;

use super::{Login, ParseError, chars::XCHAR, default_port, error::Production, login::login, rest::Rest};

static SCHEMEPART: Production = Production::escaped(
    "schemepart",
    "RFC 1738 section 5",
    "the part after the scheme is made of letters, digits, escapes and \"$-_.+!*'(),;/?:@&=\"",
);

/// A URL of any other scheme.
///
/// If it follows the common Internet scheme syntax (section 3.1), it has a login.
///
/// ```
/// use urlgrep::grammar::{Url, parse};
///
/// let other = |url| match parse(url) {
///     Ok(Url::Other(other)) => other,
///     _ => unreachable!(),
/// };
/// let https = other(b"https://h.org/a");
/// assert_eq!(https.scheme(), "https");
/// assert_eq!(https.schemepart(), "//h.org/a");
/// assert_eq!(https.login().map(|login| login.host()), Some("h.org"));
/// assert_eq!(https.urlpath(), Some("a"));
/// assert_eq!(https.port(), Some(443));
///
/// assert_eq!(other(b"x-new:anything/goes?here").login(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Other<'a> {
    scheme: &'a str,
    schemepart: &'a str,
    login: Option<Login<'a>>,
    urlpath: Option<&'a str>,
}

impl<'a> Other<'a> {
    /// The scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Everything after the colon.
    pub fn schemepart(&self) -> &'a str {
        self.schemepart
    }

    /// User, password, host and port, if the scheme-specific part is `//` and a login,
    /// with or without a slash and a path.
    pub fn login(&self) -> Option<Login<'a>> {
        self.login
    }

    /// The part after the slash that ends the login, if there is one.
    pub fn urlpath(&self) -> Option<&'a str> {
        self.urlpath
    }

    /// The port in the login, or the scheme's [`default_port`] if the login has none.
    /// `None` if there is no login, or the port exceeds 65535.
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

/// `otherurl = genericurl`, where `genericurl = scheme ":" schemepart` and
/// `schemepart = *xchar | ip-schemepart`.
///
/// Every `ip-schemepart` is also `*xchar`. The second alternative accepts nothing
/// more, but tells where the host is.
pub(super) fn otherurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Other<'a>, ParseError> {
    let (schemepart, end) = rest.run(XCHAR);
    end.end(&SCHEMEPART)?;
    let (login, urlpath) = ip_schemepart(rest).unzip();
    Ok(Other { scheme, schemepart, login, urlpath: urlpath.flatten() })
}

/// `ip-schemepart = "//" login [ "/" urlpath ]`, where `urlpath = *xchar`.
fn ip_schemepart(rest: Rest<'_>) -> Option<(Login<'_>, Option<&str>)> {
    let (login, rest) = login(rest.eat("//")?).ok()?;
    if rest.bytes().is_empty() {
        return Some((login, None));
    }
    let (urlpath, _) = rest.eat("/")?.run(XCHAR);
    Some((login, Some(urlpath)))
}

#[cfg(test)]
mod tests {
    use super::super::{
        Url, parse,
        testing::{accepted, refused},
    };

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
}
