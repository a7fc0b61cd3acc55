//! The common Internet scheme syntax (RFC 1738 section 3.1):
//! `//<user>:<password>@<host>:<port>`.

use std::fmt;

use super::{
    chars::{AMPERSAND, Class, DIGIT, EQUALS, QUESTION, SEMICOLON, UCHAR},
    error::{ParseError, Production},
    host::host,
    rest::Rest,
};

static USER: Production = Production::escaped(
    "user",
    "RFC 1738 section 3.1",
    "a user name is made of letters, digits, escapes and \"$-_.+!*'(),;?&=\"",
);

static PASSWORD: Production = Production::escaped(
    "password",
    "RFC 1738 section 3.1",
    "a password is made of letters, digits, escapes and \"$-_.+!*'(),;?&=\", and \"@\" follows",
);

static PORT: Production =
    Production::new("port", "RFC 1738 section 3.1", "a port is one decimal digit or more");

static HOSTPORT: Production =
    Production::new("hostport", "RFC 1738 section 5", "this scheme allows no user name and no password");

/// `user` and `password` are both `*[ uchar | ";" | "?" | "&" | "=" ]`.
const USER_CHARS: Class = UCHAR.or(SEMICOLON).or(QUESTION).or(AMPERSAND).or(EQUALS);

/// A host, with or without a port.
///
/// ```
/// use urlgrep::grammar::{Url, parse};
///
/// let Url::Http(http) = parse(b"http://h.org:8080/")? else { unreachable!() };
/// assert_eq!(http.hostport().host(), "h.org");
/// assert_eq!(http.hostport().port(), Some("8080"));
/// assert_eq!(http.hostport().to_string(), "h.org:8080");
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostPort<'a> {
    host: &'a str,
    port: Option<&'a str>,
}

impl<'a> HostPort<'a> {
    /// The host: a domain name, or four groups of digits.
    pub fn host(&self) -> &'a str {
        self.host
    }

    /// The digits of the port, if there is one.
    pub fn port(&self) -> Option<&'a str> {
        self.port
    }

    /// The port as a number: `default` if there is none in the URL. `None` if it exceeds
    /// 65535.
    pub(super) fn number(&self, default: Option<u16>) -> Option<u16> {
        match self.port {
            Some(digits) => digits.parse().ok(),
            None => default,
        }
    }
}

impl fmt::Display for HostPort<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// A host and port, with or without a user name and a password.
///
/// "Note that an empty user name or password is different than no user name or
/// password":
///
/// ```
/// use urlgrep::grammar::{Url, parse};
///
/// let login = |url| match parse(url) {
///     Ok(Url::Ftp(ftp)) => ftp.login(),
///     _ => unreachable!(),
/// };
/// assert_eq!(login(b"ftp://@host.com/").user(), Some(""));
/// assert_eq!(login(b"ftp://host.com/").user(), None);
/// assert_eq!(login(b"ftp://foo:@host.com/").password(), Some(""));
/// assert_eq!(login(b"ftp://foo@host.com/").password(), None);
/// assert_eq!(login(b"ftp://foo:bar@host.com:2121/").hostport().port(), Some("2121"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Login<'a> {
    user: Option<&'a str>,
    password: Option<&'a str>,
    hostport: HostPort<'a>,
}

impl<'a> Login<'a> {
    /// The user name, escapes included.
    pub fn user(&self) -> Option<&'a str> {
        self.user
    }

    /// The password, escapes included. There is none without a user name.
    pub fn password(&self) -> Option<&'a str> {
        self.password
    }

    /// The host: a domain name, or four groups of digits.
    pub fn host(&self) -> &'a str {
        self.hostport.host
    }

    /// The digits of the port, if there is one.
    pub fn port(&self) -> Option<&'a str> {
        self.hostport.port
    }

    /// The host and port.
    pub fn hostport(&self) -> HostPort<'a> {
        self.hostport
    }
}

impl fmt::Display for Login<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = self.user {
            f.write_str(user)?;
            if let Some(password) = self.password {
                write!(f, ":{password}")?;
            }
            f.write_str("@")?;
        }
        self.hostport.fmt(f)
    }
}

/// `login = [ user [ ":" password ] "@" ] hostport`
///
/// "Within the user and password field, any ":", "@", or "/" must be encoded". So
/// there is a user name if an at-sign comes before any slash, and the first at-sign
/// ends it.
pub(super) fn login(rest: Rest<'_>) -> Result<(Login<'_>, Rest<'_>), ParseError> {
    let mut user = None;
    let mut password = None;
    let mut rest = rest;
    let stop = rest.bytes().iter().find(|byte| matches!(byte, b'@' | b'/'));
    if stop == Some(&b'@') {
        let (name, after) = rest.run(USER_CHARS);
        let mut production = &USER;
        (user, rest) = (Some(name), after);
        if let Some(after) = rest.eat(":") {
            let (secret, after) = after.run(USER_CHARS);
            production = &PASSWORD;
            (password, rest) = (Some(secret), after);
        }
        rest = rest.expect("@", production)?;
    }
    let (hostport, rest) = host_port(rest)?;
    let login = Login { user, password, hostport };
    Ok((login, rest))
}

/// `hostport = host [ ":" port ]`, of a scheme that has no `login`.
///
/// If this does not match and an at-sign follows, the error is at the at-sign: in
/// `u:p@h.org` the at-sign is wrong, and not the `p`, which is not a port.
pub(super) fn hostport(rest: Rest<'_>) -> Result<(HostPort<'_>, Rest<'_>), ParseError> {
    host_port(rest).map_err(|error| {
        let mut run = rest.bytes().iter();
        let stop = run.position(|byte| matches!(byte, b'@' | b'/' | b'?'));
        match stop.map(|at| rest.skip(at)) {
            Some(rest) if rest.first() == Some(b'@') => rest.refuse(&HOSTPORT),
            _ => error,
        }
    })
}

fn host_port(rest: Rest<'_>) -> Result<(HostPort<'_>, Rest<'_>), ParseError> {
    let (host, rest) = host(rest)?;
    let Some(rest) = rest.eat(":") else {
        return Ok((HostPort { host, port: None }, rest));
    };
    let (digits, rest) = rest.run(DIGIT);
    // "If the port is omitted, the colon is as well."
    if digits.is_empty() || !matches!(rest.first(), None | Some(b'/' | b'?')) {
        return Err(rest.refuse(&PORT));
    }
    let port = Some(digits);
    Ok((HostPort { host, port }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (Option<&str>, Option<&str>, &str, Option<&str>) {
        let (login, rest) = login(Rest::new(text.as_bytes())).unwrap();
        assert_eq!(login.to_string(), text[..rest.offset()]);
        (login.user, login.password, login.host(), login.port())
    }

    fn refusal<T>(result: Result<T, ParseError>) -> (&'static str, usize) {
        let error = result.err().unwrap();
        (error.production(), error.offset())
    }

    #[test]
    fn empty_differs_from_absent() {
        assert_eq!(parts("@h"), (Some(""), None, "h", None));
        assert_eq!(parts(":@h"), (Some(""), Some(""), "h", None));
        assert_eq!(parts("u@h:1"), (Some("u"), None, "h", Some("1")));
        assert_eq!(parts("h/u:p@x"), (None, None, "h", None));
    }

    #[test]
    fn users_and_passwords_have_their_own_characters() {
        let user = "a;b?c&d=e%40$-_.+!*'(),";
        let text = format!("{user}:{user}@h");
        assert_eq!(parts(&text), (Some(user), Some(user), "h", None));
    }

    #[test]
    fn refusals_name_the_part() {
        let login = |text: &'static str| refusal(super::login(Rest::new(text.as_bytes())));
        assert_eq!(login("u~v@h"), ("user", 1));
        assert_eq!(login("u:p:q@h"), ("password", 3));
        assert_eq!(login("u:%4@h"), ("escape", 4));
        assert_eq!(login("u@v@h"), ("toplabel", 3));
        assert_eq!(login("u@"), ("host", 2));
        assert_eq!(login("h:"), ("port", 2));
        assert_eq!(login("h:/"), ("port", 2));
        assert_eq!(login("h:80x/"), ("port", 4));
        assert_eq!(login("h:80:90"), ("port", 4));
    }

    #[test]
    fn an_at_sign_is_blamed_where_no_user_is_allowed() {
        let hostport = |text: &'static str| refusal(super::hostport(Rest::new(text.as_bytes())));
        assert_eq!(hostport("u@h.org/"), ("hostport", 1));
        assert_eq!(hostport("u:p@h.org/"), ("hostport", 3));
        assert_eq!(hostport("h_1.org/me@h.org"), ("domainlabel", 1));
    }

    #[test]
    fn ports_have_no_range_but_numbers_have() {
        let port = |text: &'static str| hostport(Rest::new(text.as_bytes())).unwrap().0;
        assert_eq!(port("h:0080").number(None), Some(80));
        assert_eq!(port("h:99999").number(Some(1)), None);
        assert_eq!(port("h").number(Some(70)), Some(70));
    }
}
