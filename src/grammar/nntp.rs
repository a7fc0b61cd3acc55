//! `nntp:` (RFC 1738 section 3.7).

use std::fmt;

use super::login::{HostPort, hostport};
use super::news::{GROUP, group};
use super::production::*;

productions! {
    NNTPURL: "nntpurl", "RFC 1738 section 3.7", NO_ESCAPES,
        "an NNTP URL is \"nntp://\", a host and port, \"/\", a newsgroup and, after a \"/\", a number";
    DIGITS: "digits", "RFC 1738 section 3.7", NO_ESCAPES, "an article number is one digit or more";
}

/// A newsgroup, or an article in it, on one news server.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let Url::Nntp(nntp) = parse(b"nntp://h.org/alt.test/42")? else { unreachable!() };
/// assert_eq!(nntp.scheme(), "nntp");
/// assert_eq!(nntp.hostport().host(), "h.org");
/// assert_eq!(nntp.port(), Some(119));
/// assert_eq!(nntp.group(), "alt.test");
/// assert_eq!(nntp.article(), Some("42"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nntp<'a> {
    scheme: &'a str,
    hostport: HostPort<'a>,
    group: &'a str,
    article: Option<&'a str>,
}

impl<'a> Nntp<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns host and port.
    pub fn hostport(&self) -> HostPort<'a> {
        self.hostport
    }

    /// Returns the port, 119 if none is given; `None` if it exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.hostport.number(Some(119))
    }

    /// Returns the newsgroup.
    pub fn group(&self) -> &'a str {
        self.group
    }

    /// Returns the digits of the article's number, if there is one.
    pub fn article(&self) -> Option<&'a str> {
        self.article
    }
}

impl fmt::Display for Nntp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/{}", self.scheme, self.hostport, self.group)?;
        write_part(f, "/", self.article)
    }
}

/// `nntpurl = "nntp://" hostport "/" group [ "/" digits ]`
pub(super) fn nntpurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Nntp<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &NNTPURL)?)?;
    let (group, rest) = group(rest.expect("/", &NNTPURL)?)?;
    let article = rest.eat_or_end("/", &GROUP)?.map(digits).transpose()?;
    Ok(Nntp { scheme, hostport, group, article })
}

/// `digits = 1*digit`, at the end of the URL.
fn digits(rest: Rest<'_>) -> Result<&str, ParseError> {
    let (digits, rest) = rest.some(DIGIT, &DIGITS)?;
    rest.end(&DIGITS)?;
    Ok(digits)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{accepted, refused};

    #[test]
    fn accepted_forms() {
        accepted("nntp://h.org/a.b");
        accepted("nntp://h.org:119/a.b/42");
    }

    #[test]
    fn refusals() {
        refused("nntp:a.b", "nntpurl", 5);
        refused("nntp://h.org", "nntpurl", 12);
        refused("nntp://h.org/", "group", 13);
        refused("nntp://h.org/*", "group", 13);
        refused("nntp://h.org/a?", "group", 14);
        refused("nntp://h.org/a/", "digits", 15);
        refused("nntp://h.org/a/1b", "digits", 16);
    }
}
