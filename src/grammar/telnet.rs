//! `telnet:` (RFC 1738 section 3.8).

use std::fmt;

use super::login::{Login, login};
use super::production::*;

productions! {
    TELNETURL: "telneturl", "RFC 1738 section 3.8", NO_ESCAPES,
        "a Telnet URL is \"telnet://\", a login and optionally \"/\"";
}

/// An interactive service.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let Url::Telnet(telnet) = parse(b"telnet://guest:pw@h.org/")? else { unreachable!() };
/// assert_eq!(telnet.scheme(), "telnet");
/// assert_eq!(telnet.login().user(), Some("guest"));
/// assert_eq!(telnet.port(), Some(23));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Telnet<'a> {
    scheme: &'a str,
    login: Login<'a>,
    slash: bool,
}

impl<'a> Telnet<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns user, password, host and port; the first two "are advisory only".
    pub fn login(&self) -> Login<'a> {
        self.login
    }

    /// Returns the port, 23 if none is given; `None` if it exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.login.hostport().number(Some(23))
    }
}

impl fmt::Display for Telnet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.slash { "/" } else { "" };
        write!(f, "{}://{}{slash}", self.scheme, self.login)
    }
}

/// `telneturl = "telnet://" login [ "/" ]`
pub(super) fn telneturl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Telnet<'a>, ParseError> {
    let (login, rest) = login(rest.expect("//", &TELNETURL)?)?;
    // "The final "/" character may be omitted."
    let after = rest.eat("/");
    after.unwrap_or(rest).end(&TELNETURL)?;
    Ok(Telnet { scheme, login, slash: after.is_some() })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{accepted, refused};

    #[test]
    fn accepted_forms() {
        accepted("telnet://h.org");
        accepted("telnet://u:p@h.org:23/");
        accepted("telnet://a%0d%0ab@h.org/");
    }

    #[test]
    fn refusals() {
        refused("telnet:h.org", "telneturl", 7);
        refused("telnet://h.org/a", "telneturl", 15);
        refused("telnet://h.org//", "telneturl", 15);
        refused("telnet://h.org?", "telneturl", 14);
    }
}
