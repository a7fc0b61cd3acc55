//! Logins and hosts of the draft.
//!
//! Names are made of `xalpha`, which has the colon, the dot and the at-sign. So the
//! BNF is ambiguous: in `me:secret@h.org:70` all of it may be a `hostname`. What is
//! accepted does not depend on that. The parts are those that a reader sees: the
//! host is after the last at-sign that a host can follow, and its port is what is
//! made of digits after its last colon.

use super::super::{
    HostPort, Login,
    chars::DIGIT,
    error::{ParseError, Production},
    rest::Rest,
};
use super::chars::{XALPHA, digits, ialpha, run};

static HOST: Production = Production::draft(
    "host",
    "a host is a letter and then letters, digits, escapes, spaces and \"$-_@.&!*\"'():;,\", or four groups of digits",
);

static HOSTNUMBER: Production = Production::draft(
    "hostnumber",
    "a host that begins with a digit is four groups of digits with dots between them",
);

static PORT: Production = Production::draft("port", "a port is one decimal digit or more");

/// `login = [ user [ ":" password ] "@" ] hostport`
pub(super) fn login(rest: Rest<'_>) -> Result<(Login<'_>, Rest<'_>), ParseError> {
    let (_, end) = run(rest, XALPHA);
    check_end(end)?;
    if let Some((name, (hostport, after))) = before_at_sign(rest, hostport) {
        let (user, password) = user(name);
        return Ok((Login::new(Some(user), password, hostport), after));
    }
    let (hostport, after) = hostport(rest)?;
    Ok((Login::new(None, None, hostport), after))
}

/// `user [ ":" password ]`, each `xalphas`.
///
/// A colon with nothing before or after it is a character of the user name.
fn user(name: &str) -> (&str, Option<&str>) {
    let colon = name.bytes().skip(1).position(|byte| byte == b':').map(|at| at + 1);
    match colon.filter(|at| at + 1 < name.len()) {
        Some(at) => (&name[..at], Some(&name[at + 1..])),
        None => (name, None),
    }
}

/// The `xalphas` before the last at-sign after which `production` accepts what is
/// left of them, and what it returns.
///
/// The caller knows what follows the `xalphas`. So after an at-sign a host that
/// begins with a letter is accepted at once, and another ends at the next at-sign
/// if not before: the time is linear.
pub(super) fn before_at_sign<'a, T>(
    rest: Rest<'a>,
    production: impl Fn(Rest<'a>) -> Result<T, ParseError>,
) -> Option<(&'a str, T)> {
    let (all, _) = run(rest, XALPHA);
    let mut at_signs = all.rmatch_indices('@').map(|(at, _)| at).filter(|&at| at > 0);
    at_signs.find_map(|at| Some((&all[..at], production(rest.skip(at + 1)).ok()?)))
}

/// `hostport = host [ ":" port ]`, up to a `/`, a `?` or the end of the URL.
pub(super) fn hostport(rest: Rest<'_>) -> Result<(HostPort<'_>, Rest<'_>), ParseError> {
    let (host, after) = host(rest)?;
    if let Some(after) = after.eat(":") {
        let (port, after) = port(after)?;
        check_end(after)?;
        return Ok((HostPort::new(host, Some(port)), after));
    }
    check_end(after)?;
    // The colon is a character of a hostname, too.
    let hostport = match host.rsplit_once(':') {
        Some((host, port)) if is_digits(port) => HostPort::new(host, Some(port)),
        _ => HostPort::new(host, None),
    };
    Ok((hostport, after))
}

/// `host = hostname | hostnumber`
pub(super) fn host(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    match rest.first() {
        Some(byte) if DIGIT.has(byte) => hostnumber(rest),
        _ => hostname(rest),
    }
}

/// `hostname = ialpha [ "." hostname ]`
pub(super) fn hostname(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    ialpha(rest, XALPHA, &HOST)
}

/// `hostnumber = digits "." digits "." digits "." digits`
fn hostnumber(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    let (_, mut end) = digits(rest, &HOSTNUMBER)?;
    for _ in 1..4 {
        (_, end) = digits(end.expect(".", &HOSTNUMBER)?, &HOSTNUMBER)?;
    }
    Ok((end.since(rest), end))
}

/// `port = digits`
fn port(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    digits(rest, &PORT)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| DIGIT.has(byte))
}

/// A refusal, unless a `hostport` may end here.
fn check_end(rest: Rest<'_>) -> Result<(), ParseError> {
    match rest.first() {
        None | Some(b'/' | b'?') => Ok(()),
        Some(_) => Err(rest.refuse(&HOST)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_that_a_reader_sees() {
        for (text, user, password, host, port) in [
            ("h.org", None, None, "h.org", None),
            ("h.org:70", None, None, "h.org", Some("70")),
            ("me:secret@h.org:70/a", Some("me"), Some("secret"), "h.org", Some("70")),
            ("me@h@i", Some("me@h"), None, "i", None),
            ("me@i@-", Some("me"), None, "i@-", None),
            ("me:@h", Some("me:"), None, "h", None),
            (":me:x@1.2.3.4:5", Some(":me"), Some("x"), "1.2.3.4", Some("5")),
            ("h:", None, None, "h:", None),
            ("h:x", None, None, "h:x", None),
            ("my_host's (1)", None, None, "my_host's (1)", None),
        ] {
            let (login, rest) = login(Rest::new(text.as_bytes())).unwrap();
            assert_eq!(login.to_string(), text[..rest.offset()]);
            assert_eq!(login, Login::new(user, password, HostPort::new(host, port)), "{text}");
        }
    }

    #[test]
    fn refusals() {
        for (text, production, offset) in [
            ("", "host", 0),
            ("@h", "host", 0),
            ("-h", "host", 0),
            ("h=", "host", 1),
            ("u+v@h", "host", 1),
            ("h%4", "escape", 3),
            ("3com.com", "hostnumber", 1),
            ("1.2.3", "hostnumber", 5),
            ("1.2.3.", "hostnumber", 6),
            ("1.2.3.4x", "host", 7),
            ("1.2.3.4:", "port", 8),
            ("1.2.3.4:5x", "host", 9),
        ] {
            let error = login(Rest::new(text.as_bytes())).err().unwrap();
            assert_eq!((error.production(), error.offset()), (production, offset), "{text}");
        }
    }

    #[test]
    fn many_at_signs_take_linear_time() {
        for piece in ["@", "a@", "1.@", "1.2.3.4@"] {
            for end in ["", "=", "1", "%"] {
                let text = piece.repeat(200_000) + end;
                let _ = login(Rest::new(text.as_bytes()));
            }
        }
    }
}
