//! `http:` (RFC 1738 section 3.3).

use std::fmt;

use super::login::{HostPort, Segments, hostport};
use super::production::*;

productions! {
    HTTPURL: "httpurl", "RFC 1738 section 3.3", NO_ESCAPES,
        "an HTTP URL is \"http://\", a host and port and, after a \"/\", a path and a query";
    HSEGMENT: "hsegment", "RFC 1738 section 3.3", ESCAPES,
        "a path segment consists of letters, digits, escapes and \"$-_.+!*'(),;:@&=\"";
    SEARCH: "search", "RFC 1738 section 3.3", ESCAPES,
        "a query consists of letters, digits, escapes and \"$-_.+!*'(),;:@&=\"";
}

/// `hsegment` and `search` alike: `*[ uchar | ";" | ":" | "@" | "&" | "=" ]`.
///
/// "Within the `<path>` and `<searchpart>` components, "/", ";", "?" are reserved":
/// so a query has neither a slash nor a second question mark.
pub(super) const SEARCH_CHARS: Class = UCHAR.or(SEMICOLON).or(COLON).or(AT).or(AMPERSAND).or(EQUALS);

/// A resource on a web server.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let Url::Http(http) = parse(b"HTTP://h.org:8080/a;b/c?x&y=z")? else { unreachable!() };
/// assert_eq!(http.scheme(), "HTTP");
/// assert_eq!(http.hostport().host(), "h.org");
/// assert_eq!(http.port(), Some(8080));
/// assert_eq!(http.path(), Some("a;b/c"));
/// assert!(http.segments().eq(["a;b", "c"]));
/// assert_eq!(http.search(), Some("x&y=z"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Http<'a> {
    scheme: &'a str,
    hostport: HostPort<'a>,
    path: Option<&'a str>,
    search: Option<&'a str>,
}

impl<'a> Http<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns host and port.
    pub fn hostport(&self) -> HostPort<'a> {
        self.hostport
    }

    /// Returns the port, 80 if none is given; `None` if it exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.hostport.number(Some(80))
    }

    /// Returns the path: the part after the slash that ends the host and port.
    pub fn path(&self) -> Option<&'a str> {
        self.path
    }

    /// Returns the segments of the path.
    pub fn segments(&self) -> Segments<'a> {
        Segments::new(self.path)
    }

    /// Returns the text after the question mark, if the URL contains one.
    pub fn search(&self) -> Option<&'a str> {
        self.search
    }
}

impl fmt::Display for Http<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.hostport)?;
        write_part(f, "/", self.path)?;
        write_part(f, "?", self.search)
    }
}

/// `httpurl = "http://" hostport [ "/" hpath [ "?" search ]]`
pub(super) fn httpurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Http<'a>, ParseError> {
    // "No user name or password is allowed."
    let (hostport, rest) = hostport(rest.expect("//", &HTTPURL)?)?;
    let mut url = Http { scheme, hostport, path: None, search: None };
    // "If neither <path> nor <searchpart> is present, the "/" may also be omitted": not
    // before a "?", then.
    let Some(rest) = rest.eat_or_end("/", &HTTPURL)? else { return Ok(url) };
    // `hpath = hsegment *[ "/" hsegment ]`
    let (path, rest) = rest.run(SEARCH_CHARS.or(SLASH));
    url.path = Some(path);
    url.search = rest.eat_or_end("?", &HSEGMENT)?.map(final_search).transpose()?;
    Ok(url)
}

/// `search` at the end of a URL.
pub(super) fn final_search(rest: Rest<'_>) -> Result<&str, ParseError> {
    rest.all(SEARCH_CHARS, &SEARCH)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{accepted, refused};

    #[test]
    fn accepted_forms() {
        accepted("http://www.acl.lanl.gov/URI/archive/uri-archive.index.html");
        accepted("http://ds.internic.net/instructions/overview.html");
        accepted("http://h.org");
        accepted("http://h.org/");
        accepted("http://h.org/?");
        accepted("http://h.org//?a;b:c@d&e=f");
        accepted("http://1.2.3.4:80/");
    }

    #[test]
    fn a_query_needs_a_slash_before_and_has_none_inside() {
        refused("http://h.org?q", "httpurl", 12);
        refused("http://h.org:80?q", "httpurl", 15);
        refused("http://h.org/?a/b", "search", 15);
        refused("http://h.org/?a?b", "search", 15);
    }

    #[test]
    fn no_user_is_allowed() {
        refused("http://u@h.org/", "hostport", 8);
        refused("http://u:p@h.org/", "hostport", 10);
        accepted("http://h.org/u@h.org");
    }

    #[test]
    fn other_refusals() {
        refused("http:", "httpurl", 5);
        refused("http:/h", "httpurl", 6);
        refused("http://", "host", 7);
        refused("http:///a", "host", 7);
        refused("http://h.org/~me/", "hsegment", 13);
        refused("http://h.org/a#b", "hsegment", 14);
        refused("http://h.org/a b", "hsegment", 14);
        refused("http://h.org/\u{e9}", "hsegment", 13);
        refused("http://h.org/a?b\"", "search", 16);
        refused("http://h.org:/", "port", 13);
    }
}
