//! `gopher:` (RFC 1738 section 3.4).

use std::fmt;

use super::http::SEARCH_CHARS;
use super::login::{HostPort, hostport};
use super::production::*;

productions! {
    GOPHERURL: "gopherurl", "RFC 1738 section 3.4.1", NO_ESCAPES,
        "a Gopher URL is \"gopher://\", a host and port and, after a \"/\", type and selector";
    GTYPE: "gtype", "RFC 1738 section 3.4.1", ESCAPES,
        "a Gopher type is one character: a letter, a digit, an escape or one of \"$-_.+!*'(),;/?:@&=\"";
    SELECTOR: "selector", "RFC 1738 section 3.4.1", ESCAPES,
        "a selector consists of letters, digits, escapes and \"$-_.+!*'(),;/?:@&=\"";
    SELECTOR_OCTETS: "selector", "RFC 1738 section 3.4.1", NO_ESCAPES,
        "a selector must contain neither a carriage return nor a line feed, even encoded";
    SEARCH: "search", "RFC 1738 section 3.4.2", ESCAPES,
        "a search string consists of letters, digits, escapes and \"$-_.+!*'(),;:@&=\"";
    GOPHER_PLUS: "gopher+_string", "RFC 1738 section 3.4.3", ESCAPES,
        "a Gopher+ string consists of letters, digits, escapes and \"$-_.+!*'(),;/?:@&=\"";
}

/// The encoded tab that separates selector, search and Gopher+ string.
const TAB: &str = "%09";

/// A Gopher or Gopher+ item.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let url = parse(b"gopher://h.org/7/s%09find%20me%09+application/postscript%20Es_ES")?;
/// let Url::Gopher(gopher) = url else { unreachable!() };
/// assert_eq!(gopher.scheme(), "gopher");
/// assert_eq!(gopher.hostport().host(), "h.org");
/// assert_eq!(gopher.port(), Some(70));
/// assert_eq!(gopher.gtype(), Some("7"));
/// assert_eq!(gopher.item_type(), b'7');
/// assert_eq!(gopher.selector(), Some("/s"));
/// assert_eq!(gopher.search(), Some("find%20me"));
/// assert_eq!(gopher.gopher_plus(), Some("+application/postscript%20Es_ES"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gopher<'a> {
    scheme: &'a str,
    hostport: HostPort<'a>,
    path: Option<Path<'a>>,
}

/// The part after the slash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Path<'a> {
    /// Empty only if all the other parts are empty or absent.
    gtype: &'a str,
    selector: &'a str,
    search: Option<&'a str>,
    gopher_plus: Option<&'a str>,
}

impl<'a> Gopher<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns host and port.
    pub fn hostport(&self) -> HostPort<'a> {
        self.hostport
    }

    /// Returns the port, 70 if none is given; `None` if it exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.hostport.number(Some(70))
    }

    /// Returns the Gopher type as written, a character or an escape, or `None` without a type.
    pub fn gtype(&self) -> Option<&'a str> {
        self.path.map(|path| path.gtype).filter(|gtype| !gtype.is_empty())
    }

    /// Returns the octet of the Gopher type: `0` for `gopher://h.org/0a`. Without a type it is `1`, a
    /// directory (section 3.4.1).
    pub fn item_type(&self) -> u8 {
        let gtype = self.gtype().map(decode);
        gtype.and_then(|octets| octets.first().copied()).unwrap_or(b'1')
    }

    /// Returns the selector, if there is a type before it. An empty selector "is how Gopher
    /// clients refer to the top-level directory" (section 3.4.1).
    pub fn selector(&self) -> Option<&'a str> {
        self.gtype().and(self.path).map(|path| path.selector)
    }

    /// Returns the search string after the first encoded tab.
    pub fn search(&self) -> Option<&'a str> {
        self.path.and_then(|path| path.search)
    }

    /// Returns the Gopher+ string after the second encoded tab.
    pub fn gopher_plus(&self) -> Option<&'a str> {
        self.path.and_then(|path| path.gopher_plus)
    }
}

impl fmt::Display for Gopher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.hostport)?;
        let Some(path) = self.path else { return Ok(()) };
        write!(f, "/{}{}", path.gtype, path.selector)?;
        write_part(f, TAB, path.search)?;
        write_part(f, TAB, path.gopher_plus)
    }
}

/// `gopherurl = "gopher://" hostport [ / [ gtype [ selector [ "%09" search
/// [ "%09" gopher+_string ] ] ] ] ]`
pub(super) fn gopherurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Gopher<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &GOPHERURL)?)?;
    let path = rest.eat_or_end("/", &GOPHERURL)?.map(gopher_path).transpose()?;
    Ok(Gopher { scheme, hostport, path })
}

fn gopher_path(rest: Rest<'_>) -> Result<Path<'_>, ParseError> {
    let (gtype, rest) = gtype(rest)?;
    let (selector, rest) = selector(rest)?;
    let mut path = Path { gtype, selector, search: None, gopher_plus: None };
    let Some(rest) = rest.eat_or_end(TAB, &SELECTOR)? else { return Ok(path) };
    let (search, rest) = before_tab(rest, rest.run(SEARCH_CHARS).0);
    path.search = Some(search);
    let Some(rest) = rest.eat_or_end(TAB, &SEARCH)? else { return Ok(path) };
    // Further tabs are part of the string: a filled-out form starts with
    // "+%091%0D%0A" (section 3.4.9).
    path.gopher_plus = Some(rest.all(XCHAR, &GOPHER_PLUS)?);
    Ok(path)
}

/// `gtype = xchar`, or nothing at the end of the URL.
fn gtype(rest: Rest<'_>) -> Parsed<'_> {
    match run(&rest.bytes()[..rest.bytes().len().min(3)], XCHAR) {
        0 => {
            rest.end(&GTYPE)?;
            Ok(rest.take(0))
        }
        _ if rest.first() == Some(b'%') => Ok(rest.take(3)),
        _ => Ok(rest.take(1)),
    }
}

/// `selector = *xchar`, up to the first encoded tab.
///
/// The BNF allows a tab in the selector, but section 3.4.1 does not: selector strings
/// "may contain any octets except 09 hexadecimal (US-ASCII HT or tab) 0A hexadecimal
/// (US-ASCII character LF), and 0D (US-ASCII character CR)".
fn selector(rest: Rest<'_>) -> Parsed<'_> {
    let (selector, after) = before_tab(rest, rest.run(XCHAR).0);
    match find_line_break(selector.as_bytes()) {
        Some(at) => Err(rest.skip(at).refuse(&SELECTOR_OCTETS)),
        None => Ok((selector, after)),
    }
}

/// The part of `run`, which is at the start of `rest`, before the first encoded tab.
fn before_tab<'a>(rest: Rest<'a>, run: &str) -> (&'a str, Rest<'a>) {
    // Not str::find, whose code is many times as long as this file.
    let tab = run.as_bytes().windows(TAB.len()).position(|octets| octets == TAB.as_bytes());
    rest.take(tab.unwrap_or(run.len()))
}

#[cfg(test)]
mod tests {
    use super::super::{
        rfc1738::{Url, parse},
        testing::{accepted, refused},
    };

    fn parts(url: &str) -> (Option<&str>, Option<&str>, Option<&str>, Option<&str>) {
        let Ok(Url::Gopher(it)) = parse(url.as_bytes()) else { panic!("{url}") };
        (it.gtype(), it.selector(), it.search(), it.gopher_plus())
    }

    #[test]
    fn each_part_needs_the_one_before() {
        assert_eq!(parts("gopher://h"), (None, None, None, None));
        assert_eq!(parts("gopher://h/"), (None, None, None, None));
        assert_eq!(parts("gopher://h/0"), (Some("0"), Some(""), None, None));
        assert_eq!(parts("gopher://h/00a/b"), (Some("0"), Some("0a/b"), None, None));
        assert_eq!(parts("gopher://h/7%09"), (Some("7"), Some(""), Some(""), None));
        assert_eq!(parts("gopher://h/7s%09q%09"), (Some("7"), Some("s"), Some("q"), Some("")));
        assert_eq!(
            parts("gopher://h/0x%09%09!+ABSTRACT%20+SMELL"),
            (Some("0"), Some("x"), Some(""), Some("!+ABSTRACT%20+SMELL")),
        );
    }

    #[test]
    fn a_type_may_be_an_escape() {
        assert_eq!(parts("gopher://h/%09%09q"), (Some("%09"), Some(""), Some("q"), None));
        let Ok(Url::Gopher(gopher)) = parse(b"gopher://h/%31a") else { panic!() };
        assert_eq!((gopher.item_type(), gopher.selector()), (b'1', Some("a")));
    }

    #[test]
    fn forms_have_tabs_and_line_breaks() {
        let form = "+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0A";
        let url = format!("gopher://h:70/0x%09%09{form}");
        accepted(&url);
        assert_eq!(parts(&url).3, Some(form));
    }

    #[test]
    fn refusals() {
        refused("gopher:h", "gopherurl", 7);
        refused("gopher://h?", "gopherurl", 10);
        refused("gopher://h/~", "gtype", 11);
        refused("gopher://h/%3", "escape", 13);
        refused("gopher://h/0a{", "selector", 13);
        refused("gopher://h/0a%0d%0ab", "selector", 13);
        refused("gopher://h/0a%09b/c", "search", 17);
        refused("gopher://h/0a%09b%09{", "gopher+_string", 20);
        refused("gopher://u@h/", "hostport", 10);
    }
}
