//! The generic syntax of RFC 3986, section 3, which replaced the syntax of RFC 1738.
//!
//! It knows no schemes. It accepts much that is common on the web and that RFC 1738
//! rejects: a `~`, an IPv6 host, a user name in an HTTP URL.

use std::fmt;

use super::{login::ipv6address, production::*};

productions! {
    SCHEME_NAME: "scheme", "RFC 3986 section 3.1", NO_ESCAPES,
        "a scheme begins with a letter, consists of letters, digits, \"+\", \"-\" and \".\", and a colon follows";
    USERINFO: "userinfo", "RFC 3986 section 3.2.1", PCT_ENCODED,
        "user information consists of letters, digits, escapes and \"-._~!$&'()*+,;=:\"";
    pub(super) HOST: "host", "RFC 3986 section 3.2.2", NO_ESCAPES,
        "a host is a name or an IP address, and \":\", \"/\", \"?\", \"#\" or nothing follows";
    REG_NAME_PRODUCTION: "reg-name", "RFC 3986 section 3.2.2", PCT_ENCODED,
        "a registered name consists of letters, digits, escapes and \"-._~!$&'()*+,;=\"";
    IP_LITERAL: "IP-literal", "RFC 3986 section 3.2.2", NO_ESCAPES,
        "brackets enclose one IP address, and a \"]\" closes them";
    IPV6: "IPv6address", "RFC 3986 section 3.2.2", NO_ESCAPES,
        "an IPv6 address is eight groups of hexadecimal digits, or fewer with one \"::\"";
    IPVFUTURE: "IPvFuture", "RFC 3986 section 3.2.2", NO_ESCAPES,
        "an IP address of a later version is \"v\", a hexadecimal number, \".\" and the address";
    PORT: "port", "RFC 3986 section 3.2.3", NO_ESCAPES, "a port consists of decimal digits";
    PCHAR_PRODUCTION: "pchar", "RFC 3986 section 3.3", PCT_ENCODED,
        "a path consists of letters, digits, escapes and \"-._~!$&'()*+,;=:@/\"";
    QUERY: "query", "RFC 3986 section 3.4", PCT_ENCODED,
        "a query consists of letters, digits, escapes and \"-._~!$&'()*+,;=:@/?\"";
    FRAGMENT: "fragment", "RFC 3986 section 3.5", PCT_ENCODED,
        "a fragment consists of letters, digits, escapes and \"-._~!$&'()*+,;=:@/?\"";
}

/// A URI that RFC 3986 accepts, in its five components.
///
/// The parts are borrowed and keep their spelling, so a URI prints the bytes that
/// were parsed.
///
/// ```
/// use urlgrep::grammar;
///
/// let uri = grammar::parse(b"http://me@[2001:db8::1]:8080/~me/?q#top")?;
/// assert_eq!(uri.scheme(), "http");
/// assert_eq!(uri.userinfo(), Some("me"));
/// assert_eq!(uri.host(), Some("[2001:db8::1]"));
/// assert_eq!(uri.port(), Some("8080"));
/// assert_eq!(uri.path(), "/~me/");
/// assert_eq!(uri.query(), Some("q"));
/// assert_eq!(uri.fragment(), Some("top"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uri<'a> {
    scheme: &'a str,
    authority: Option<AuthorityParts<'a>>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct AuthorityParts<'a> {
    userinfo: Option<&'a str>,
    host: &'a str,
    port: Option<&'a str>,
}

impl<'a> Uri<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns the part before the at-sign of the authority, if there is one.
    pub fn userinfo(&self) -> Option<&'a str> {
        self.authority.and_then(|authority| authority.userinfo)
    }

    /// Returns the host, with the brackets of an IP literal; it may be empty. `None` in a
    /// URI without `//`.
    pub fn host(&self) -> Option<&'a str> {
        self.authority.map(|authority| authority.host)
    }

    /// Returns the digits after the colon of the authority, if there is one; they may be
    /// empty.
    pub fn port(&self) -> Option<&'a str> {
        self.authority.and_then(|authority| authority.port)
    }

    /// Returns the path, including its leading slash if it has one.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the part after the first question mark, if there is one.
    pub fn query(&self) -> Option<&'a str> {
        self.query
    }

    /// Returns the part after the number sign, if there is one.
    pub fn fragment(&self) -> Option<&'a str> {
        self.fragment
    }
}

impl fmt::Display for Uri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.scheme)?;
        if let Some(authority) = &self.authority {
            f.write_str("//")?;
            if let Some(userinfo) = authority.userinfo {
                write!(f, "{userinfo}@")?;
            }
            f.write_str(authority.host)?;
            write_part(f, ":", authority.port)?;
        }
        f.write_str(self.path)?;
        write_part(f, "?", self.query)?;
        write_part(f, "#", self.fragment)
    }
}

/// Parses a URI by RFC 3986's generic syntax.
///
/// Runs in time linear in the length and does not allocate.
///
/// # Errors
///
/// Returns an error if the URI does not match. It names the production and the
/// offset.
///
/// ```
/// assert_eq!(urlgrep::parse("urn:isbn:0-395-36341-1")?.path(), "isbn:0-395-36341-1");
///
/// let error = urlgrep::parse("http://h.org/{x}").unwrap_err();
/// assert_eq!((error.production(), error.offset()), ("pchar", 13));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
pub fn parse<T: AsRef<[u8]> + ?Sized>(uri: &T) -> Result<Uri<'_>, ParseError> {
    let (scheme, rest) = scheme(Rest::new(uri.as_ref()))?;
    let (authority, rest) = rest.after("//", authority)?;
    // After an authority the path is empty or starts with a slash, since any other
    // byte would be part of the authority. Without one the path does not start with
    // two slashes, since they would start an authority.
    let (path, rest) = rest.run(PCHAR.or(SLASH));
    let (query, rest) = rest.after("?", self::query)?;
    let (fragment, end) = rest.after("#", self::query)?;
    end.end(match (query, fragment) {
        (None, None) => &PCHAR_PRODUCTION,
        (Some(_), None) => &QUERY,
        (_, Some(_)) => &FRAGMENT,
    })?;
    Ok(Uri { scheme, authority, path, query, fragment })
}

/// `query` or `fragment`, which are both `*( pchar / "/" / "?" )`.
fn query(rest: Rest<'_>) -> Parsed<'_> {
    Ok(rest.run(PCHAR.or(SLASH).or(QUESTION)))
}

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`, and the colon after it.
pub(super) fn scheme(rest: Rest<'_>) -> Parsed<'_> {
    if !rest.first().is_some_and(|byte| ALPHA.has(byte)) {
        return Err(rest.refuse(&SCHEME_NAME));
    }
    let (name, rest) = rest.run(SCHEME);
    Ok((name, rest.expect(":", &SCHEME_NAME)?))
}

/// `authority = [ userinfo "@" ] host [ ":" port ]`
///
/// "The authority component is preceded by a double slash ("//") and is
/// terminated by the next slash ("/"), question mark ("?"), or number sign ("#")
/// character, or by the end of the URI."
fn authority(rest: Rest<'_>) -> Parsed<'_, AuthorityParts<'_>> {
    let mut bytes = rest.bytes().iter();
    let stop = bytes.find(|byte| matches!(byte, b'@' | b'/' | b'?' | b'#'));
    let (userinfo, rest) = if stop == Some(&b'@') {
        let (userinfo, rest) = rest.run(REG_NAME.or(COLON));
        (Some(userinfo), rest.expect("@", &USERINFO)?)
    } else {
        (None, rest)
    };
    let (host, host_end) = host(rest)?;
    let (port, end) = host_end.after(":", |rest| Ok(rest.run(DIGIT)))?;
    if !matches!(end.first(), None | Some(b'/' | b'?' | b'#')) {
        let literal = host.starts_with('[');
        return Err(end.refuse(match port {
            Some(_) => &PORT,
            None if literal => &HOST,
            None => &REG_NAME_PRODUCTION,
        }));
    }
    Ok((AuthorityParts { userinfo, host, port }, end))
}

/// `host = IP-literal / IPv4address / reg-name`
///
/// Every `IPv4address` is also a `reg-name`, so it needs no check of its own.
fn host(rest: Rest<'_>) -> Parsed<'_> {
    match rest.eat("[") {
        Some(inside) => {
            let end = ip_literal(inside)?;
            Ok((end.since(rest), end))
        }
        None => Ok(rest.run(REG_NAME)),
    }
}

/// `IP-literal = "[" ( IPv6address / IPvFuture ) "]"`, after its first bracket.
fn ip_literal(rest: Rest<'_>) -> Result<Rest<'_>, ParseError> {
    let address_end = if matches!(rest.first(), Some(b'v' | b'V')) {
        ip_future(rest.skip(1))?
    } else {
        let in_address = HEX.or(COLON).or(DOT);
        let (address, end) = rest.run(in_address);
        ipv6address(address.as_bytes()).map_err(|flaw| rest.skip(flaw).refuse(&IPV6))?;
        end
    };
    address_end.expect("]", &IP_LITERAL)
}

/// `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`, after the
/// letter.
fn ip_future(rest: Rest<'_>) -> Result<Rest<'_>, ParseError> {
    let (_version, rest) = rest.some(HEX, &IPVFUTURE)?;
    // The run contains no escapes: it ends before the first one.
    let (_address, rest) =
        rest.expect(".", &IPVFUTURE)?.some(REG_NAME.without(ESCAPE).or(COLON), &IPVFUTURE)?;
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn refused(uri: &str, production: &str, offset: usize) {
        let error = parse(uri.as_bytes()).unwrap_err();
        assert_eq!((error.production(), error.offset()), (production, offset), "{uri}");
    }

    #[test]
    fn the_examples_of_rfc_3986() {
        for uri in [
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "http://www.ietf.org/rfc/rfc2396.txt",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "mailto:John.Doe@example.com",
            "news:comp.infosystems.www.servers.unix",
            "tel:+1-816-555-1212",
            "telnet://192.0.2.16:80/",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "foo://example.com:8042/over/there?name=ferret#nose",
        ] {
            let parsed = parse(uri.as_bytes()).unwrap();
            assert_eq!(parsed.to_string(), uri);
        }
    }

    #[test]
    fn parts_may_be_empty() {
        let uri = parse(b"x://@:?#").unwrap();
        assert_eq!((uri.userinfo(), uri.host(), uri.port()), (Some(""), Some(""), Some("")));
        assert_eq!((uri.path(), uri.query(), uri.fragment()), ("", Some(""), Some("")));
        let uri = parse(b"x:").unwrap();
        assert_eq!((uri.host(), uri.path(), uri.query()), (None, "", None));
    }

    #[test]
    fn refusals() {
        refused("", "scheme", 0);
        refused("1x:", "scheme", 0);
        refused("x", "scheme", 1);
        refused("x:\"", "pchar", 2);
        refused("x:a?b^", "query", 5);
        refused("x:a?b#c#", "fragment", 7);
        refused("x://u[@h/", "userinfo", 5);
        refused("x://u@v@h/", "reg-name", 7);
        refused("x://h^/", "reg-name", 5);
        refused("x://h:8a/", "port", 7);
        refused("x://[::1]a/", "host", 9);
        refused("x://[::1", "IP-literal", 8);
        refused("x://[::1%25a]/", "IP-literal", 8);
        refused("x://[1:2]/", "IPv6address", 8);
        refused("x://[]/", "IPv6address", 5);
        refused("x://[v.a]/", "IPvFuture", 6);
        refused("x://[v1.]/", "IPvFuture", 8);
        refused("x://[v1.%41]/", "IPvFuture", 8);
        assert!(parse(b"x://[v1F.a:~]:/").is_ok());
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            start in "(x:)?(//)?(u@)?(\\[)?",
            bytes: Vec<u8>,
        ) {
            let uri = [start.as_bytes(), &bytes].concat();
            match parse(&uri) {
                Ok(parsed) => prop_assert_eq!(parsed.to_string().into_bytes(), uri),
                Err(error) => prop_assert!(error.offset() <= uri.len()),
            }
        }
    }
}
