//! The common Internet scheme syntax (RFC 1738 section 3.1):
//! `//<user>:<password>@<host>:<port>/<url-path>`.

use std::{fmt, iter::FusedIterator, str::Split};

use super::production::*;
use super::split::split_at;

productions! {
    USER: "user", "RFC 1738 section 3.1", ESCAPES,
        "a user name consists of letters, digits, escapes and \"$-_.+!*'(),;?&=\"";
    PASSWORD: "password", "RFC 1738 section 3.1", ESCAPES,
        "a password consists of letters, digits, escapes and \"$-_.+!*'(),;?&=\", and \"@\" follows";
    PORT: "port", "RFC 1738 section 3.1", NO_ESCAPES, "a port is one decimal digit or more";
    HOSTPORT: "hostport", "RFC 1738 section 5", NO_ESCAPES, "this scheme allows no user name and no password";
    pub(super) HOST: "host", "RFC 1738 section 3.1", NO_ESCAPES,
        "a host is a domain name or four groups of digits";
    DOMAINLABEL: "domainlabel", "RFC 1738 section 3.1", NO_ESCAPES,
        "a domain label consists of letters, digits and, inside, hyphens";
    TOPLABEL: "toplabel", "RFC 1738 section 3.1", NO_ESCAPES,
        "the last domain label begins with a letter and consists of letters, digits and, inside, hyphens";
}

/// `user` and `password` are both `*[ uchar | ";" | "?" | "&" | "=" ]`.
const USER_CHARS: Class = UCHAR.or(SEMICOLON).or(QUESTION).or(AMPERSAND).or(EQUALS);

/// A host, with or without a port.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let Url::Http(http) = parse(b"http://h.org:8080/")? else { unreachable!() };
/// assert_eq!(http.hostport().host(), "h.org");
/// assert_eq!(http.hostport().port(), Some("8080"));
/// assert_eq!(http.hostport().to_string(), "h.org:8080");
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostPort<'a> {
    pub(super) host: &'a str,
    pub(super) port: Option<&'a str>,
}

impl<'a> HostPort<'a> {
    /// Returns the host: a domain name, or four groups of digits.
    pub fn host(&self) -> &'a str {
        self.host
    }

    /// Returns the digits of the port, if there is one.
    pub fn port(&self) -> Option<&'a str> {
        self.port
    }

    /// The port as a number: `default` if the URL contains none. `None` if it exceeds 65535.
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
        write_part(f, ":", self.port)
    }
}

/// A host and port, with or without a user name and a password.
///
/// "Note that an empty user name or password is different than no user name or
/// password":
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let login = |url: &'static str| match parse(url) {
///     Ok(Url::Ftp(ftp)) => ftp.login(),
///     _ => unreachable!(),
/// };
/// assert_eq!(login("ftp://@host.com/").user(), Some(""));
/// assert_eq!(login("ftp://host.com/").user(), None);
/// assert_eq!(login("ftp://foo:@host.com/").password(), Some(""));
/// assert_eq!(login("ftp://foo@host.com/").password(), None);
/// assert_eq!(login("ftp://foo:bar@host.com:2121/").hostport().port(), Some("2121"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Login<'a> {
    pub(super) user: Option<&'a str>,
    pub(super) password: Option<&'a str>,
    pub(super) hostport: HostPort<'a>,
}

impl<'a> Login<'a> {
    /// Returns the user name, including escapes.
    pub fn user(&self) -> Option<&'a str> {
        self.user
    }

    /// Returns the password, including escapes, or `None` if the URL has no password or no user name.
    pub fn password(&self) -> Option<&'a str> {
        self.password
    }

    /// Returns the host: a domain name, or four groups of digits.
    pub fn host(&self) -> &'a str {
        self.hostport.host
    }

    /// Returns the digits of the port, if there is one.
    pub fn port(&self) -> Option<&'a str> {
        self.hostport.port
    }

    /// Returns the host and port.
    pub fn hostport(&self) -> HostPort<'a> {
        self.hostport
    }
}

impl fmt::Display for Login<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = self.user {
            f.write_str(user)?;
            write_part(f, ":", self.password)?;
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
pub(super) fn login(rest: Rest<'_>) -> Parsed<'_, Login<'_>> {
    let (mut user, mut password, mut rest) = (None, None, rest);
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
    Ok((Login { user, password, hostport }, rest))
}

/// `hostport = host [ ":" port ]`, for a scheme without a `login`.
///
/// If this does not match and an at-sign follows, the error is at the at-sign: in `u:p@h.org`, the
/// at-sign is wrong, not the `p` in place of a port.
pub(super) fn hostport(rest: Rest<'_>) -> Parsed<'_, HostPort<'_>> {
    host_port(rest).map_err(|error| {
        let mut run = rest.bytes().iter();
        let stop = run.position(|byte| matches!(byte, b'@' | b'/' | b'?'));
        match stop.map(|at| rest.skip(at)) {
            Some(rest) if rest.first() == Some(b'@') => rest.refuse(&HOSTPORT),
            _ => error,
        }
    })
}

fn host_port(rest: Rest<'_>) -> Parsed<'_, HostPort<'_>> {
    let (host, rest) = host(rest)?;
    let Some(rest) = rest.eat(":") else { return Ok((HostPort { host, port: None }, rest)) };
    let (digits, rest) = rest.run(DIGIT);
    // "If the port is omitted, the colon is as well."
    if digits.is_empty() || !matches!(rest.first(), None | Some(b'/' | b'?')) {
        return Err(rest.refuse(&PORT));
    }
    Ok((HostPort { host, port: Some(digits) }, rest))
}

/// `host = hostname | hostnumber`
///
/// A host ends at the next `/`, `:` or `?`, or at the end of the URL. An earlier invalid byte is an
/// error in the host and does not end it: the error in `h_1.org` is the underscore.
pub(super) fn host(rest: Rest<'_>) -> Parsed<'_> {
    let bytes = rest.bytes();
    if ends_host(bytes.first()) {
        return Err(rest.refuse(&HOST));
    }
    let mut start = 0;
    loop {
        let end = start + label(rest.skip(start))?;
        if bytes.get(end) != Some(&b'.') {
            if ALPHA.has(bytes[start]) || is_number(&bytes[..end]) {
                return Ok(rest.take(end));
            }
            // "The rightmost domain label will never start with a digit, though,
            // which syntactically distinguishes all domain names from the IP
            // addresses."
            return Err(rest.skip(start).refuse(&TOPLABEL));
        }
        start = end + 1;
    }
}

/// Returns true if labels are a `hostnumber = digits "." digits "." digits "." digits`. The grammar
/// does not limit the groups to 255.
fn is_number(labels: &[u8]) -> bool {
    let dots = labels.iter().filter(|&&byte| byte == b'.').count();
    dots == 3 && all(labels, DIGIT.or(DOT))
}

/// The length of `domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ]
/// alphadigit`. A label ends at the next dot or at the end of the host.
fn label(rest: Rest<'_>) -> Result<usize, ParseError> {
    let bytes = rest.bytes();
    let run = bytes.iter().take_while(|&&b| ALPHADIGIT.or(HYPHEN).has(b));
    let len = run.count();
    let after = bytes.get(len);
    // "each domain label starting and ending with an alphanumerical character
    // and possibly also containing "-" characters"
    let flaw = if bytes.first() == Some(&b'-') {
        0
    } else if len == 0 || !(ends_host(after) || after == Some(&b'.')) {
        len
    } else if bytes[len - 1] == b'-' {
        len - 1
    } else {
        return Ok(len);
    };
    Err(rest.skip(flaw).refuse(label_production(bytes)))
}

/// Returns the production of the label at the start of `host`: the last label or another.
#[cold]
fn label_production(bytes: &[u8]) -> &'static Production {
    let mut host = bytes.iter().take_while(|&byte| !ends_host(Some(byte)));
    if host.any(|&byte| byte == b'.') { &DOMAINLABEL } else { &TOPLABEL }
}

fn ends_host(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b'/' | b':' | b'?'))
}

/// The bytes of a label in practice.
const LENIENT_LABEL: Class = ALPHADIGIT.or(HYPHEN).or(UNDERSCORE).or(HIGH);

/// Returns true if `host` is plausible, even if RFC 1738 rejects it.
///
/// A plausible host is an IPv6 address in brackets, with or without a zone, or labels separated by dots. A
/// label consists of ASCII letters and digits, `-`, `_` and non-ASCII bytes (an internationalized name, in
/// any encoding), escaped or not. It is not empty and does not start with a hyphen. One dot may follow the
/// last label.
///
/// Runs in time linear in the length.
///
/// ```
/// use urlgrep::grammar::host::plausible;
///
/// assert!(plausible(b"my_host.org"));
/// assert!(plausible("b\u{fc}cher.example.".as_bytes()));
/// assert!(plausible(b"[2001:db8::1]"));
/// assert!(plausible(b"[fe80::1%eth0]"));
/// assert!(plausible(b"%77ww.h.org"));
/// assert!(!plausible(b"h..org"));
/// assert!(!plausible(b"h.org(thehomepage)"));
/// assert!(!plausible(b""));
/// ```
pub fn plausible(host: &[u8]) -> bool {
    host_flaw(host).is_none()
}

/// The offset of the first byte that makes `host` not [`plausible`].
pub(super) fn host_flaw(host: &[u8]) -> Option<usize> {
    if let Some(literal) = host.strip_prefix(b"[") {
        let Some(address) = literal.strip_suffix(b"]") else { return Some(host.len()) };
        let (address, zone) = split_at(address, b'%');
        let zone_flaw = zone.and_then(|zone| zone_flaw(zone).map(|at| address.len() + 1 + at));
        return ipv6address(address).err().or(zone_flaw).map(|at| at + 1);
    }
    let mut label_starts = true;
    let is_path = octet_of_escape(host) == Some(b'/');
    for (at, &byte) in host.iter().enumerate() {
        let fits = match byte {
            b'.' | b'-' => !label_starts,
            b'%' => begins_with_escape(&host[at..]) || is_path && octet_of_escape(&host[at..]) == Some(b'/'),
            _ => LENIENT_LABEL.has(byte),
        };
        if !fits {
            return Some(at);
        }
        label_starts = byte == b'.';
    }
    host.is_empty().then_some(0)
}

/// The offset of the first byte that makes `zone` an invalid interface name (RFC 6874), with or
/// without the escape of its `%`.
fn zone_flaw(zone: &[u8]) -> Option<usize> {
    let name = ALPHADIGIT.or(HYPHEN).or(DOT).or(UNDERSCORE).or(TILDE);
    let flaw = zone.iter().position(|&byte| !name.has(byte));
    flaw.or(zone.is_empty().then_some(0))
}

/// Returns true if `text` starts with an escaped host byte. RFC 3986 section 3.2.2 allows any octet
/// of a name to be escaped.
pub(crate) fn begins_with_escape(text: &[u8]) -> bool {
    octet_of_escape(text).is_some_and(|octet| LENIENT_LABEL.or(DOT).has(octet))
}

/// Returns true if this looks like a host in a position where a host is not expected: two or more
/// labels with a word at the end, or four groups of digits.
pub(super) fn is_obvious_host(host: &[u8]) -> bool {
    let labels = || host.split(|&byte| byte == b'.');
    let plain = ALPHADIGIT.or(HYPHEN).or(UNDERSCORE);
    if !labels().all(|label| !label.is_empty() && all(label, plain)) {
        return false;
    }
    let last = labels().next_back().unwrap_or_default();
    let is_name = last.len() < host.len() && last.len() >= 2 && all(last, ALPHA);
    is_name || is_number(host)
}

fn all(label: &[u8], class: Class) -> bool {
    label.iter().all(|&byte| class.has(byte))
}

/// `IPv6address` (RFC 3986 section 3.2.2), without its brackets.
///
/// The standard library parses the same notation, but its errors have no offset. The
/// tests compare the two.
///
/// # Errors
///
/// Returns the offset of the first byte that is not valid, or the length if the
/// address ends too early.
pub(super) fn ipv6address(text: &[u8]) -> Result<(), usize> {
    // "::" is one or more groups of zeros, and may occur once.
    let mut compressed = text.starts_with(b"::");
    let mut groups = 0;
    let mut at = if compressed { 2 } else { 0 };
    while at < text.len() || (groups == 0 && !compressed) {
        let room = if compressed { 7 } else { 8 } - groups;
        // `h16 = 1*4HEXDIG`
        let digits = text[at..].iter().take(4).take_while(|&&byte| HEX.has(byte));
        let width = digits.count();
        if text.get(at + width) == Some(&b'.') && room >= 2 {
            // The last two groups may be written as an IPv4 address.
            v4(&text[at..]).map_err(|flaw| at + flaw)?;
            groups += 2;
            at = text.len();
            break;
        }
        if width == 0 || room == 0 {
            return Err(at);
        }
        groups += 1;
        at += width;
        match (text.get(at), text.get(at + 1)) {
            (None, _) => break,
            _ if room == 1 => return Err(at),
            (Some(b':'), Some(b':')) if compressed => return Err(at + 1),
            (Some(b':'), Some(b':')) => (compressed, at) = (true, at + 2),
            // A group must follow a single colon.
            (Some(b':'), None) => return Err(at + 1),
            (Some(b':'), _) => at += 1,
            _ => return Err(at),
        }
    }
    if compressed || groups == 8 { Ok(()) } else { Err(at) }
}

/// `IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet`
fn v4(text: &[u8]) -> Result<(), usize> {
    let mut at = 0;
    for group in 0..4 {
        if group > 0 {
            if text.get(at) != Some(&b'.') {
                return Err(at);
            }
            at += 1;
        }
        at += dec_octet(&text[at..]).map_err(|flaw| at + flaw)?;
    }
    if at == text.len() { Ok(()) } else { Err(at) }
}

/// The length of a `dec-octet`, which is 0 to 255 without leading zeros.
fn dec_octet(text: &[u8]) -> Result<usize, usize> {
    let mut value = 0;
    let mut width = 0;
    while let Some(digit @ b'0'..=b'9') = text.get(width) {
        let leading_zero = width > 0 && value == 0;
        value = value * 10 + u32::from(digit - b'0');
        if leading_zero || value > 255 {
            return Err(width);
        }
        width += 1;
    }
    if width == 0 { Err(0) } else { Ok(width) }
}

/// The segments of a path, between its slashes, including escapes.
///
/// An empty path has one empty segment: `http://h.org/` has one segment, `http://h.org` has zero.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let Url::Ftp(ftp) = parse(b"ftp://myname@host.dom//etc/motd")? else { unreachable!() };
/// assert!(ftp.segments().eq(["", "etc", "motd"]));
/// assert_eq!(ftp.segments().next_back(), Some("motd"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Segments<'a>(Option<Split<'a, char>>);

impl<'a> Segments<'a> {
    /// The segments of `path`; empty without a path.
    pub(super) fn new(path: Option<&'a str>) -> Segments<'a> {
        Segments(path.map(|path| path.split('/')))
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.as_mut()?.next()
    }
}

impl DoubleEndedIterator for Segments<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.as_mut()?.next_back()
    }
}

impl FusedIterator for Segments<'_> {}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use proptest::prelude::*;

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

    /// RFC 3986 section 3.2.2: `dec-octet`.
    #[test]
    fn octets() {
        for text in ["0", "9", "10", "99", "100", "249", "255"] {
            assert_eq!(dec_octet(format!("{text}.").as_bytes()), Ok(text.len()));
        }
        for (text, flaw) in
            [("256", 2), ("300", 2), ("1000", 3), ("00", 1), ("01", 1), ("", 0), (".", 0), ("a", 0)]
        {
            assert_eq!(dec_octet(text.as_bytes()), Err(flaw), "{text}");
        }
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

    #[test]
    fn an_empty_path_has_one_segment() {
        assert_eq!(Segments::new(None).count(), 0);
        assert!(Segments::new(Some("")).eq([""]));
        assert!(Segments::new(Some("a//b/")).eq(["a", "", "b", ""]));
        assert!(Segments::new(Some("a/b")).rev().eq(["b", "a"]));
    }

    fn host_refusal(text: &str) -> (&'static str, usize) {
        let error = host(Rest::new(text.as_bytes())).err().unwrap();
        (error.production(), error.offset())
    }

    #[test]
    fn names_and_numbers_are_hosts() {
        for text in [
            "h",
            "a1",
            "localhost",
            "ds.internic.net",
            "a--b.c-1",
            "3com.com",
            "1.2.3.4",
            "999.999.0.000",
            "x--1",
        ] {
            assert_eq!(host(Rest::new(text.as_bytes())).unwrap().0, text);
        }
    }

    #[test]
    fn a_host_ends_at_slash_colon_and_question_mark() {
        for text in ["h.org/a", "h.org:80", "h.org?q"] {
            assert_eq!(host(Rest::new(text.as_bytes())).unwrap().0, "h.org");
        }
    }

    #[test]
    fn refusals_name_the_label_and_its_byte() {
        assert_eq!(host_refusal(""), ("host", 0));
        assert_eq!(host_refusal("/a"), ("host", 0));
        assert_eq!(host_refusal(":80"), ("host", 0));
        assert_eq!(host_refusal("ds.inter-.net"), ("domainlabel", 8));
        assert_eq!(host_refusal("-a.net"), ("domainlabel", 0));
        assert_eq!(host_refusal("-.net"), ("domainlabel", 0));
        assert_eq!(host_refusal("a..net"), ("domainlabel", 2));
        assert_eq!(host_refusal(".net"), ("domainlabel", 0));
        assert_eq!(host_refusal("my_host.org"), ("domainlabel", 2));
        assert_eq!(host_refusal("a.b-"), ("toplabel", 3));
        assert_eq!(host_refusal("h.org."), ("toplabel", 6));
        assert_eq!(host_refusal("h.org./a.b"), ("toplabel", 6));
        assert_eq!(host_refusal("h.org(x)"), ("toplabel", 5));
        assert_eq!(host_refusal("h.4u"), ("toplabel", 2));
        assert_eq!(host_refusal("1.2.3"), ("toplabel", 4));
        assert_eq!(host_refusal("1.2.3.4.5"), ("toplabel", 8));
        assert_eq!(host_refusal("a.2.3.4"), ("toplabel", 6));
        assert_eq!(host_refusal("[::1]"), ("toplabel", 0));
    }

    #[test]
    fn plausible_hosts_are_wider() {
        for text in ["my_host", "h-.org", "h.org.", "1.2.3", "_a", "[::]", "[::1.2.3.4]", "%61%2e%C3%bc"] {
            assert_eq!(host_flaw(text.as_bytes()), None, "{text}");
        }
        for (text, at) in [
            ("", 0),
            (".", 0),
            ("a..b", 2),
            ("h.org..", 6),
            ("-a", 0),
            ("a.-b", 2),
            ("a%20", 1),
            ("%", 0),
            ("a%6", 1),
            ("%61%2f", 3),
            ("[::", 3),
            ("[]", 1),
            ("[v1.x]", 1),
            ("a]", 1),
        ] {
            assert_eq!(host_flaw(text.as_bytes()), Some(at), "{text}");
        }
    }

    /// Up to nine groups, with `::` before any of them or without, and an IPv4 address as the last two or not.
    #[test]
    fn every_number_of_groups() {
        for count in 0..10 {
            for tail in [None, Some("1.2.3.4")] {
                let groups: Vec<&str> = std::iter::repeat_n("1", count).chain(tail).collect();
                let plain = groups.join(":");
                let of_groups = |n: usize, most: usize| n + usize::from(tail.is_some()) <= most;
                assert_eq!(
                    ipv6address(plain.as_bytes()).is_ok(),
                    count + 2 * tail.iter().count() == 8,
                    "{plain}"
                );
                for at in 0..=groups.len() {
                    let text = format!("{}::{}", groups[..at].join(":"), groups[at..].join(":"));
                    // An IPv4 address is at the end, and `::` is at least one group.
                    let last = tail.is_none() || at < groups.len();
                    let valid = last && of_groups(groups.len(), 7);
                    assert_eq!(ipv6address(text.as_bytes()).is_ok(), valid, "{text}");
                    assert_eq!(text.parse::<Ipv6Addr>().is_ok(), valid, "{text}");
                }
            }
        }
    }

    #[test]
    fn some_user_names_look_like_hosts() {
        for text in ["www.bank.com", "a.bc", "10.0.0.1"] {
            assert!(is_obvious_host(text.as_bytes()), "{text}");
        }
        for text in ["", "joe", "a.b", "v1.2", "a..com", ".com", "joe.", "j%2Ecom"] {
            assert!(!is_obvious_host(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn flaws_have_offsets() {
        for (text, flaw) in [
            ("", 0),
            (":", 0),
            ("1:2", 3),
            ("1:", 2),
            (":::", 2),
            ("1::2::3", 5),
            ("12345::", 4),
            ("1:2:3:4:5:6:7:8:9", 15),
            ("1:2:3:4:5:6:7::8", 15),
            ("1:2:3:4:5:6:7:8::", 15),
            ("::1.2.3", 7),
            ("::1.2.3.256", 10),
            ("::01.2.3.4", 3),
            ("::1.2.3.4:5", 9),
            ("::g", 2),
        ] {
            assert_eq!(ipv6address(text.as_bytes()), Err(flaw), "{text}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(text in "((::)?[0-9a-f]{1,5}(::?)?){0,9}(::)?([0-9]{1,3}\\.){0,4}[0-9]{0,3}") {
            prop_assert_eq!(ipv6address(text.as_bytes()).is_ok(), text.parse::<Ipv6Addr>().is_ok());
        }

        #[test]
        fn agrees_on_near_misses(text in "([0-9f]{1,2}::?){0,8}(:|[0-9f]|1\\.2\\.3\\.4)?") {
            prop_assert_eq!(ipv6address(text.as_bytes()).is_ok(), text.parse::<Ipv6Addr>().is_ok());
        }
    }
}
