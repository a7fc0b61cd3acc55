//! The draft of 1994: the validator's second dialect.
//!
//! RFC 1738 had drafts. One of them defines its grammar in a different BNF, which other programs of
//! that year obeyed. Each function here has the name of a production of that BNF and accepts
//! exactly the same texts, with one exception: schemes are case-insensitive, "for resiliency" (RFC
//! 1738 section 2.1). An alias, such as `cellname = hostname`, does not have a function.
//!
//! The differences from RFC 1738 (`docs/design/draft-1994.md` lists all of them):
//!
//! - `safe` includes `@` and `&` but not `+`; `extra` includes the quotation mark, `:`, `;` and the
//!   space. `=` is not in any production, and `~` is `national`.
//! - A name (`ialpha`) or a host is a letter, followed by any of the characters above.
//! - A path contains neither a slash at its start nor two together. `ftp` needs a path, `telnet`
//!   does not have one, and a search is words with `+` between them.
//! - The draft lacks `mailto`, `nntp` and `file`. A URL without its own production is `generic`, a
//!   scheme and a path: `mailto:me@h.org`, but not `https://h.org/`.
//! - A fragment belongs to the grammar: [`fragmentaddress`].
//! - [`afsaddress`] "is left in as historical note, but is not a url production".
//!
//! Some of the BNF is ambiguous: the colon of a port is a character of a host as well. What is
//! accepted does not depend on that, and the parts are those that a reader sees. The code does not
//! backtrack, so time is linear in the length.
//!
//! ```
//! use urlgrep::grammar::draft::{self, Url};
//!
//! let Url::Prospero { hsoname, version, attributes, .. } =
//!     draft::parse(b"prospero://h.org/pros/name%0012a1b2")? else { unreachable!() };
//! assert_eq!((hsoname, version, attributes), ("pros/name", Some("12"), "a1b2"));
//!
//! let error = draft::parse(b"http://h.org/~me/").unwrap_err();
//! assert_eq!((error.production(), error.offset()), ("path", 13));
//! # Ok::<(), urlgrep::grammar::ParseError>(())
//! ```

use std::fmt;

use super::login::{HostPort, Login};
use super::news::NewsPart;
use super::production::*;
use super::schemes::{UrlKind, known};
use super::{default_port, split_fragment};

/// The source of the productions. The page does not number its sections.
const DRAFT: &str = "draft of 1994, BNF";

/// A broken escape breaks any of them.
const DRAFT_ESCAPES: Option<&Production> = Some(&DRAFT_ESCAPE);

productions! {
    DRAFT_ESCAPE: "escape", DRAFT, NO_ESCAPES, "\"%\" is followed by two hexadecimal digits";
    SCHEME: "scheme", DRAFT, DRAFT_ESCAPES,
        "a scheme is a letter and then letters, digits, escapes, spaces and \"$-_@.&!*\"'();,\", and a colon follows";
    FRAGMENTID: "fragmentid", DRAFT, DRAFT_ESCAPES,
        "a fragment is one or more letters, digits, escapes, spaces or \"$-_@.&!*\"'():;,\"";
    AFS_IS_NO_URL: "afsaddress", DRAFT, DRAFT_ESCAPES,
        "an AFS address \"is left in as historical note, but is not a url production\"";
    HTTPADDRESS: "httpaddress", DRAFT, DRAFT_ESCAPES,
        "an HTTP address is \"http://\", a host and port, optionally \"/\" and a path, optionally \"?\" and a search";
    FTPADDRESS: "ftpaddress", DRAFT, DRAFT_ESCAPES, "an FTP address is \"ftp://\", a login, \"/\" and a path";
    AFSADDRESS: "afsaddress", DRAFT, DRAFT_ESCAPES,
        "an AFS address is \"afs://\", the name of a cell, \"/\" and a path";
    WAISADDRESS: "waisaddress", DRAFT, DRAFT_ESCAPES,
        "a WAIS address is \"wais://\", a host and port, \"/\" and a database";
    DATABASE: "database", DRAFT, DRAFT_ESCAPES,
        "a database is one or more letters, digits, escapes, spaces or \"$-_@.&!*\"'():;,\"";
    WTYPE: "wtype", DRAFT, DRAFT_ESCAPES,
        "a document's type is one or more letters, digits, escapes, spaces or \"$-_@.&!*\"'():;,\", and a \"/\" follows";
    WAISDOC: "waisdoc", DRAFT, DRAFT_ESCAPES,
        "after a document's database come its type, digits and a path, each after a \"/\"";
    GROUPART: "groupart", DRAFT, DRAFT_ESCAPES,
        "after \"news:\" comes \"*\", a newsgroup or a message-id";
    PROSPEROLINK: "prosperolink", DRAFT, DRAFT_ESCAPES,
        "a Prospero link is \"prospero://\", a host and port, \"/\" and an object's name";
    TELNETADDRESS: "telnetaddress", DRAFT, DRAFT_ESCAPES,
        "a Telnet address is \"telnet://\" and a login, and no \"/\"";
    GOPHERADDRESS: "gopheraddress", DRAFT, DRAFT_ESCAPES,
        "a Gopher address is \"gopher://\", a host and port, optionally \"/\" and a type, optionally \"?\" and a search";
    GTYPE: "gtype", DRAFT, DRAFT_ESCAPES,
        "a Gopher type is a letter, a digit, an escape, a space or one of \"$-_@.&!*\"'():;,\"";
    PATH: "path", DRAFT, DRAFT_ESCAPES,
        "a path consists of letters, digits, escapes, spaces and \"$-_@.&!*\"'():;,+\", and of \"/\" after any of these";
    HOST: "host", DRAFT, DRAFT_ESCAPES,
        "a host is a letter and then letters, digits, escapes, spaces and \"$-_@.&!*\"'():;,\", or four groups of digits";
    HOSTNUMBER: "hostnumber", DRAFT, DRAFT_ESCAPES,
        "a host that begins with a digit is four groups of digits with dots between them";
    PORT: "port", DRAFT, DRAFT_ESCAPES, "a port is one decimal digit or more";
    SEARCH: "search", DRAFT, DRAFT_ESCAPES,
        "a search is words with \"+\" between them, each of letters, digits, escapes, spaces and \"$-_@.&!*\"'():;,\"";
}

/// `safe = "$" | "-" | "_" | "@" | "." | "&"`
const SAFE: Class = DOLLAR.or(HYPHEN).or(UNDERSCORE).or(AT).or(DOT).or(AMPERSAND);

/// `extra = "!" | "*" | quotation mark | "'" | "(" | ")" | ":" | ";" | "," | space`,
/// without the space, which has no class without the tab: see [`run`].
const EXTRA: Class =
    EXCLAMATION.or(ASTERISK).or(QUOTE).or(APOSTROPHE).or(PAREN).or(COLON).or(SEMICOLON).or(COMMA);

/// `xalpha = alpha | digit | safe | extra | escape`
const XALPHA: Class = ALPHADIGIT.or(SAFE).or(EXTRA).or(ESCAPE);

/// `xpalpha = xalpha | "+"`
const XPALPHA: Class = XALPHA.or(PLUS);

/// A URL that the draft accepts, in typed parts.
///
/// The parts are borrowed and keep their spelling, so a URL prints back exactly as
/// it was read. A field has the name of its production.
///
/// ```
/// use urlgrep::grammar::draft::{Url, parse};
///
/// let url = parse(b"wais://h.org/db/TEXT/1234/a/b")?;
/// assert_eq!((url.scheme(), url.host(), url.port()), ("wais", Some("h.org"), Some(210)));
/// assert_eq!(url.to_string(), "wais://h.org/db/TEXT/1234/a/b");
/// assert!(matches!(url, Url::WaisDoc { database: "db", wtype: "TEXT", digits: "1234", path: "a/b", .. }));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the productions of the variant's own")]
pub enum Url<'a> {
    /// `generic`: a URL that no other production accepts.
    Generic { scheme: &'a str, path: &'a str, search: Option<&'a str> },
    /// `httpaddress`
    Http { scheme: &'a str, hostport: HostPort<'a>, path: Option<&'a str>, search: Option<&'a str> },
    /// `ftpaddress`
    Ftp { scheme: &'a str, login: Login<'a>, path: &'a str },
    /// `newsaddress`
    News { scheme: &'a str, groupart: NewsPart<'a> },
    /// `prosperoaddress`, a `prosperolink`. The link follows `hsoname`: a version, and the
    /// attributes, without separators.
    Prospero {
        scheme: &'a str,
        hostport: HostPort<'a>,
        hsoname: &'a str,
        version: Option<&'a str>,
        attributes: &'a str,
    },
    /// `telnetaddress`
    Telnet { scheme: &'a str, login: Login<'a> },
    /// `gopheraddress`
    Gopher {
        scheme: &'a str,
        hostport: HostPort<'a>,
        gtype: Option<&'a str>,
        selector: &'a str,
        search: Option<&'a str>,
    },
    /// `waisaddress`, a `waisindex`
    WaisIndex { scheme: &'a str, hostport: HostPort<'a>, database: &'a str, search: Option<&'a str> },
    /// `waisaddress`, a `waisdoc`
    WaisDoc {
        scheme: &'a str,
        hostport: HostPort<'a>,
        database: &'a str,
        wtype: &'a str,
        digits: &'a str,
        path: &'a str,
    },
}

impl<'a> Url<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        match *self {
            Url::Generic { scheme, .. }
            | Url::Http { scheme, .. }
            | Url::Ftp { scheme, .. }
            | Url::News { scheme, .. }
            | Url::Prospero { scheme, .. }
            | Url::Telnet { scheme, .. }
            | Url::Gopher { scheme, .. }
            | Url::WaisIndex { scheme, .. }
            | Url::WaisDoc { scheme, .. } => scheme,
        }
    }

    /// Returns the host to contact, if the URL names one.
    pub fn host(&self) -> Option<&'a str> {
        self.hostport().map(|hostport| hostport.host())
    }

    /// Returns the port to contact: the port in the URL, or the scheme's default if the URL has a
    /// host without a port. The draft does not specify defaults, so the defaults of RFC 1738 are
    /// used. Returns `None` if the port exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.hostport()?.number(default_port(self.scheme()))
    }

    fn hostport(&self) -> Option<HostPort<'a>> {
        match *self {
            Url::Generic { .. } | Url::News { .. } => None,
            Url::Ftp { login, .. } | Url::Telnet { login, .. } => Some(login.hostport),
            Url::Http { hostport, .. }
            | Url::Prospero { hostport, .. }
            | Url::Gopher { hostport, .. }
            | Url::WaisIndex { hostport, .. }
            | Url::WaisDoc { hostport, .. } => Some(hostport),
        }
    }

    fn search(&self) -> Option<&'a str> {
        match *self {
            Url::Generic { search, .. }
            | Url::Http { search, .. }
            | Url::Gopher { search, .. }
            | Url::WaisIndex { search, .. } => search,
            _ => None,
        }
    }
}

impl fmt::Display for Url<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Url::Generic { scheme, path, .. } => write!(f, "{scheme}:{path}"),
            Url::Http { scheme, hostport, path, .. } => {
                write!(f, "{scheme}://{hostport}")?;
                write_part(f, "/", path)
            }
            Url::Ftp { scheme, login, path } => write!(f, "{scheme}://{login}/{path}"),
            Url::News { scheme, groupart } => write!(f, "{scheme}:{groupart}"),
            Url::Prospero { scheme, hostport, hsoname, version, attributes } => {
                write!(f, "{scheme}://{hostport}/{hsoname}")?;
                version.map_or(Ok(()), |version| write!(f, "%00{version}{attributes}"))
            }
            Url::Telnet { scheme, login } => write!(f, "{scheme}://{login}"),
            Url::Gopher { scheme, hostport, gtype, selector, .. } => {
                write!(f, "{scheme}://{hostport}")?;
                gtype.map_or(Ok(()), |gtype| write!(f, "/{gtype}{selector}"))
            }
            Url::WaisIndex { scheme, hostport, database, .. } => {
                write!(f, "{scheme}://{hostport}/{database}")
            }
            Url::WaisDoc { scheme, hostport, database, wtype, digits, path } => {
                write!(f, "{scheme}://{hostport}/{database}/{wtype}/{digits}/{path}")
            }
        }?;
        write_part(f, "?", self.search())
    }
}

/// A URL with its fragment: the draft's `fragmentaddress`.
///
/// Made by [`fragmentaddress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FragmentAddress<'a> {
    uri: Url<'a>,
    fragmentid: Option<&'a str>,
}

impl<'a> FragmentAddress<'a> {
    /// Returns the URL, without the fragment.
    pub fn uri(&self) -> Url<'a> {
        self.uri
    }

    /// Returns the text after the `#`, if the URL contains one.
    pub fn fragmentid(&self) -> Option<&'a str> {
        self.fragmentid
    }
}

impl fmt::Display for FragmentAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(f)?;
        write_part(f, "#", self.fragmentid)
    }
}

/// A file of the Andrew File System: the draft's `afsaddress`.
///
/// Made by [`afsaddress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AfsAddress<'a> {
    scheme: &'a str,
    cellname: &'a str,
    path: &'a str,
}

impl<'a> AfsAddress<'a> {
    /// Returns the name of the cell.
    pub fn cellname(&self) -> &'a str {
        self.cellname
    }

    /// Returns the text after the slash that ends the name of the cell.
    pub fn path(&self) -> &'a str {
        self.path
    }
}

impl fmt::Display for AfsAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/{}", self.scheme, self.cellname, self.path)
    }
}

/// Parses a URL of the draft with its fragment:
/// `fragmentaddress = uri [ "#" fragmentid ]`, where `fragmentid = xalphas`.
///
/// The time is linear in the length, and nothing is allocated.
///
/// # Errors
///
/// Returns a [`ParseError`] with the production and the offset if the URL does not match.
///
/// ```
/// use urlgrep::grammar::draft::fragmentaddress;
///
/// let address = fragmentaddress(b"http://h.org/a?b+c#d")?;
/// assert_eq!(address.uri().to_string(), "http://h.org/a?b+c");
/// assert_eq!(address.fragmentid(), Some("d"));
///
/// let error = fragmentaddress(b"http://h.org/a#~d").unwrap_err();
/// assert_eq!((error.production(), error.offset()), ("fragmentid", 15));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
pub fn fragmentaddress(text: &[u8]) -> Result<FragmentAddress<'_>, ParseError> {
    let (url, fragment) = split_fragment(text);
    let uri = parse(url)?;
    if fragment.is_none() {
        return Ok(FragmentAddress { uri, fragmentid: None });
    }
    let (fragmentid, end) = xalphas(Rest::new(text).skip(url.len() + 1), &FRAGMENTID)?;
    end.end(&FRAGMENTID)?;
    Ok(FragmentAddress { uri, fragmentid: Some(fragmentid) })
}

/// Parses a URL of the draft: `uri = url`.
///
/// The time is linear in the length, and nothing is allocated.
///
/// # Errors
///
/// Returns a [`ParseError`] with the production and the offset if the URL does not match. For a
/// scheme with a production of its own, it is that production or `generic`, depending on which
/// matched more bytes.
///
/// ```
/// use urlgrep::grammar::draft::{Url, parse};
///
/// assert!(matches!(parse(b"gopher://h.org/11/a")?, Url::Gopher { gtype: Some("1"), selector: "1/a", .. }));
/// assert!(matches!(parse(b"mailto:me@h.org")?, Url::Generic { path: "me@h.org", .. }));
/// assert_eq!(parse(b"https://h.org/").unwrap_err().production(), "path");
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
pub fn parse(url: &[u8]) -> Result<Url<'_>, ParseError> {
    let (scheme, rest) = scheme(Rest::new(url))?;
    self::url(scheme, rest)
}

/// Parses the production that the draft contains "as historical note":
/// `afsaddress = "afs://" cellname "/" path`, where `cellname = hostname`.
///
/// It "is not a url production", so [`parse`] rejects it.
///
/// # Errors
///
/// Returns a [`ParseError`] with the production and the offset if the URL does not match.
///
/// ```
/// use urlgrep::grammar::draft::{afsaddress, parse};
///
/// let afs = afsaddress(b"afs://cell.org/a/b")?;
/// assert_eq!((afs.cellname(), afs.path()), ("cell.org", "a/b"));
/// assert_eq!(parse(b"afs://cell.org/a/b").unwrap_err().production(), "afsaddress");
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
pub fn afsaddress(text: &[u8]) -> Result<AfsAddress<'_>, ParseError> {
    let (scheme, rest) = scheme(Rest::new(text))?;
    afsaddress_after(scheme, rest)
}

/// `scheme = ialpha`, and the colon after it.
///
/// `ialpha` has the colon. The first one ends the scheme: a path after a later one is also part of
/// a path after the first.
fn scheme(rest: Rest<'_>) -> Parsed<'_> {
    let (name, after) = ialpha(rest, XALPHA.without(COLON), &SCHEME)?;
    Ok((name, after.expect(":", &SCHEME)?))
}

/// `url = generic | httpaddress | ftpaddress | newsaddress | prosperoaddress |
/// telnetaddress | gopheraddress | waisaddress`
///
/// "The "generic" production gives a higher level parsing of the same URLs as the other
/// productions": if another production accepts a URL, it determines the parts.
fn url<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let own = match known(scheme.as_bytes()).map(|known| known.kind) {
        Some(UrlKind::Http) => httpaddress(scheme, rest),
        Some(UrlKind::Ftp) => ftpaddress(scheme, rest),
        Some(UrlKind::News) => newsaddress(scheme, rest),
        Some(UrlKind::Prospero) => prosperoaddress(scheme, rest),
        Some(UrlKind::Telnet) => telnetaddress(scheme, rest),
        Some(UrlKind::Gopher) => gopheraddress(scheme, rest),
        Some(UrlKind::Wais) => waisaddress(scheme, rest),
        _ => match afsaddress_after(scheme, rest) {
            Ok(_) => Err(rest.refuse(&AFS_IS_NO_URL)),
            Err(_) => return generic(scheme, rest),
        },
    };
    own.or_else(|error| generic(scheme, rest).map_err(|other| error.farther(other)))
}

/// `generic = scheme ":" path [ "?" search ]`
fn generic<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (path, rest) = path(rest);
    let search = final_search(rest, &PATH)?;
    Ok(Url::Generic { scheme, path, search })
}

/// `httpaddress = "http://" hostport [ "/" path ] [ "?" search ]`
fn httpaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &HTTPADDRESS)?)?;
    let (path, rest) = rest.after("/", |rest| Ok(path(rest)))?;
    let search = final_search(rest, &PATH)?;
    Ok(Url::Http { scheme, hostport, path, search })
}

/// `ftpaddress = "ftp://" login "/" path`
fn ftpaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (login, rest) = login(rest.expect("//", &FTPADDRESS)?)?;
    let path = final_path(rest.expect("/", &FTPADDRESS)?)?;
    Ok(Url::Ftp { scheme, login, path })
}

/// `afsaddress = "afs://" cellname "/" path`, after the scheme, where `cellname = hostname`.
fn afsaddress_after<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<AfsAddress<'a>, ParseError> {
    if !scheme.eq_ignore_ascii_case("afs") {
        return Err(rest.refuse(&AFSADDRESS));
    }
    let (cellname, rest) = hostname(rest.expect("//", &AFSADDRESS)?)?;
    let path = final_path(rest.expect("/", &AFSADDRESS)?)?;
    Ok(AfsAddress { scheme, cellname, path })
}

/// `newsaddress = "news:" groupart`
fn newsaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    Ok(Url::News { scheme, groupart: groupart(rest)? })
}

/// `groupart = "*" | group | article`
///
/// An article's at-sign is a character of a group's name as well: the article wins.
fn groupart(rest: Rest<'_>) -> Result<NewsPart<'_>, ParseError> {
    if rest.bytes() == b"*" {
        return Ok(NewsPart::All);
    }
    run(rest, XALPHA).1.end(&GROUPART)?;
    if let Some(article) = article(rest) {
        return Ok(article);
    }
    // `group = ialpha [ "." group ]`
    ialpha(rest, XALPHA, &GROUPART).map(|(group, _)| NewsPart::Group(group))
}

/// `article = xalphas "@" host`, at the end of a URL.
fn article(rest: Rest<'_>) -> Option<NewsPart<'_>> {
    let final_host = |rest| {
        let (host, rest) = host(rest)?;
        rest.end(&GROUPART)?;
        Ok(host)
    };
    let (unique, host) = before_at_sign(rest, final_host)?;
    Some(NewsPart::Article { unique, host })
}

/// `waisaddress = waisindex | waisdoc`, where
/// `waisindex = "wais://" hostport "/" database [ "?" search ]` and
/// `waisdoc = "wais://" hostport "/" database "/" wtype "/" digits "/" path`.
///
/// `database` and `wtype` are `xalphas`. The character after the database distinguishes the two.
fn waisaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &WAISADDRESS)?)?;
    let (database, rest) = xalphas(rest.expect("/", &WAISADDRESS)?, &DATABASE)?;
    let Some(rest) = rest.eat("/") else {
        let search = final_search(rest, &DATABASE)?;
        return Ok(Url::WaisIndex { scheme, hostport, database, search });
    };
    let (wtype, rest) = xalphas(rest, &WTYPE)?;
    let (digits, rest) = rest.expect("/", &WTYPE)?.some(DIGIT, &WAISDOC)?;
    let path = final_path(rest.expect("/", &WAISDOC)?)?;
    Ok(Url::WaisDoc { scheme, hostport, database, wtype, digits, path })
}

/// `prosperoaddress = prosperolink`, where
/// `prosperolink = "prospero://" hostport "/" hsoname [ "%00" version [ attributes ] ]`.
fn prosperoaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &PROSPEROLINK)?)?;
    let name = final_path(rest.expect("/", &PROSPEROLINK)?)?;
    let (hsoname, link) = hsoname(name);
    let (version, attributes) = link.unzip();
    Ok(Url::Prospero { scheme, hostport, hsoname, version, attributes: attributes.unwrap_or_default() })
}

/// `hsoname = path`, and the version and attributes after it, where `version = digits`.
///
/// All of them together are a path as well, so that this refuses nothing. The link
/// begins at the last escape, if that is `%00` and what follows is a link.
fn hsoname(name: &str) -> (&str, Option<(&str, &str)>) {
    let link = name.rfind('%').and_then(|at| {
        let link = name[at..].strip_prefix("%00")?;
        let (version, rest) = link.split_at(link.bytes().take_while(u8::is_ascii_digit).count());
        // `[ attributes ]`, where `attribute = alphanums`, without separators between them.
        let is_link = !version.is_empty() && rest.bytes().all(|byte| ALPHADIGIT.has(byte));
        is_link.then_some((&name[..at], Some((version, rest))))
    });
    link.unwrap_or((name, None))
}

/// `telnetaddress = "telnet://" login`
fn telnetaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (login, rest) = login(rest.expect("//", &TELNETADDRESS)?)?;
    rest.end(&TELNETADDRESS)?;
    Ok(Url::Telnet { scheme, login })
}

/// `gopheraddress = "gopher://" hostport [ "/" gtype [ selector ] ] [ "?" search ]`, where
/// `selector = path`.
fn gopheraddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (hostport, mut rest) = hostport(rest.expect("//", &GOPHERADDRESS)?)?;
    let (mut gtype, mut selector) = (None, "");
    if let Some(after) = rest.eat("/") {
        let (one, after) = self::gtype(after)?;
        gtype = Some(one);
        (selector, rest) = path(after);
    }
    let search = final_search(rest, &PATH)?;
    Ok(Url::Gopher { scheme, hostport, gtype, selector, search })
}

/// `gtype = xalpha`
fn gtype(rest: Rest<'_>) -> Parsed<'_> {
    match run(rest, XALPHA).0.bytes().next() {
        None => Err(rest.refuse(&GTYPE)),
        Some(b'%') => Ok(rest.take(3)),
        Some(_) => Ok(rest.take(1)),
    }
}

/// `path` at the end of a URL.
fn final_path(rest: Rest<'_>) -> Result<&str, ParseError> {
    let (path, rest) = path(rest);
    rest.end(&PATH)?;
    Ok(path)
}

/// `login = [ user [ ":" password ] "@" ] hostport`
///
/// Names are made of `xalpha`, which has the colon, the dot and the at-sign. So the
/// BNF is ambiguous: in `me:secret@h.org:70` all of it may be a `hostname`. What is
/// accepted does not depend on that. The parts are those that a reader sees: the
/// host is after the last at-sign that a host can follow, and its port is what is
/// made of digits after its last colon.
fn login(rest: Rest<'_>) -> Parsed<'_, Login<'_>> {
    let (_, end) = run(rest, XALPHA);
    check_end(end)?;
    if let Some((name, (hostport, after))) = before_at_sign(rest, hostport) {
        let (user, password) = user(name);
        return Ok((Login { user: Some(user), password, hostport }, after));
    }
    let (hostport, after) = hostport(rest)?;
    Ok((Login { user: None, password: None, hostport }, after))
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

/// The `xalphas` before the last at-sign after which `production` accepts the rest of them, and its
/// result.
///
/// The caller knows the text after the `xalphas`. So a host that begins with a letter is accepted
/// at once after an at-sign, and any other host ends at the next at-sign at the latest: the time is
/// linear.
fn before_at_sign<'a, T>(
    rest: Rest<'a>,
    production: impl Fn(Rest<'a>) -> Result<T, ParseError>,
) -> Option<(&'a str, T)> {
    let (all, _) = run(rest, XALPHA);
    let mut at_signs = all.rmatch_indices('@').map(|(at, _)| at).filter(|&at| at > 0);
    at_signs.find_map(|at| Some((&all[..at], production(rest.skip(at + 1)).ok()?)))
}

/// `hostport = host [ ":" port ]`, up to a `/`, a `?` or the end of the URL.
fn hostport(rest: Rest<'_>) -> Parsed<'_, HostPort<'_>> {
    let (host, after) = host(rest)?;
    if let Some(after) = after.eat(":") {
        // `port = digits`
        let (port, after) = after.some(DIGIT, &PORT)?;
        check_end(after)?;
        return Ok((HostPort { host, port: Some(port) }, after));
    }
    check_end(after)?;
    // The colon is a character of a hostname as well.
    let hostport = match host.rsplit_once(':') {
        Some((host, port)) if is_digits(port) => HostPort { host, port: Some(port) },
        _ => HostPort { host, port: None },
    };
    Ok((hostport, after))
}

/// `host = hostname | hostnumber`
fn host(rest: Rest<'_>) -> Parsed<'_> {
    match rest.first() {
        Some(byte) if DIGIT.has(byte) => hostnumber(rest),
        _ => hostname(rest),
    }
}

/// `hostname = ialpha [ "." hostname ]`
fn hostname(rest: Rest<'_>) -> Parsed<'_> {
    ialpha(rest, XALPHA, &HOST)
}

/// `hostnumber = digits "." digits "." digits "." digits`
fn hostnumber(rest: Rest<'_>) -> Parsed<'_> {
    let (_, mut end) = rest.some(DIGIT, &HOSTNUMBER)?;
    for _ in 1..4 {
        (_, end) = end.expect(".", &HOSTNUMBER)?.some(DIGIT, &HOSTNUMBER)?;
    }
    Ok((end.since(rest), end))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| DIGIT.has(byte))
}

/// Returns an error unless a `hostport` may end here.
fn check_end(rest: Rest<'_>) -> Result<(), ParseError> {
    match rest.first() {
        None | Some(b'/' | b'?') => Ok(()),
        Some(_) => Err(rest.refuse(&HOST)),
    }
}

/// The longest run of a class and of spaces, possibly empty.
fn run(rest: Rest<'_>, class: Class) -> (&str, Rest<'_>) {
    let (_, mut end) = rest.run(class);
    while let Some(next) = end.eat(" ") {
        (_, end) = next.run(class);
    }
    (end.since(rest), end)
}

/// `xalphas = xalpha [ xalphas ]`, or a refusal by the production that it is in.
fn xalphas<'a>(rest: Rest<'a>, within: &'static Production) -> Parsed<'a> {
    match run(rest, XALPHA) {
        ("", _) => Err(rest.refuse(within)),
        run => Ok(run),
    }
}

/// `ialpha = alpha [ xalphas ]`, or a refusal by the production that it is in. `class` is
/// [`XALPHA`], or the part of it that is allowed there.
///
/// A dot is an `xalpha`, and so `ialpha [ "." ialpha ]` is no more than `ialpha`.
fn ialpha<'a>(rest: Rest<'a>, class: Class, within: &'static Production) -> Parsed<'a> {
    if rest.first().is_some_and(|byte| ALPHA.has(byte)) {
        Ok(run(rest, class))
    } else {
        Err(rest.refuse(within))
    }
}

/// `path = void | xpalphas [ "/" path ]`, where `xpalphas = xpalpha [ xpalphas ]`.
///
/// So a slash follows a name: a path has none at its start, and no two together.
fn path(rest: Rest<'_>) -> (&str, Rest<'_>) {
    let mut end = rest;
    loop {
        let (name, after) = run(end, XPALPHA);
        if name.is_empty() {
            break;
        }
        end = after;
        match end.eat("/") {
            Some(next) => end = next,
            None => break,
        }
    }
    (end.since(rest), end)
}

/// `search = xalphas [ "+" search ]`
fn search(rest: Rest<'_>) -> Parsed<'_> {
    let mut end = rest;
    loop {
        (_, end) = xalphas(end, &SEARCH)?;
        match end.eat("+") {
            Some(next) => end = next,
            None => return Ok((end.since(rest), end)),
        }
    }
}

/// `[ "?" search ]` at the end of a URL. Without a search, the text there violates `before`.
fn final_search<'a>(rest: Rest<'a>, before: &'static Production) -> Result<Option<&'a str>, ParseError> {
    let Some(rest) = rest.eat_or_end("?", before)? else { return Ok(None) };
    let (search, rest) = search(rest)?;
    rest.end(&SEARCH)?;
    Ok(Some(search))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn accepted(url: &str) -> Url<'_> {
        match parse(url.as_bytes()) {
            Ok(parsed) => {
                assert_eq!(parsed.to_string(), url);
                parsed
            }
            Err(error) => panic!("{url}: {error}"),
        }
    }

    #[track_caller]
    fn refused(url: &str, production: &str, offset: usize) {
        match parse(url.as_bytes()) {
            Ok(parsed) => panic!("{url}: {parsed:?}"),
            Err(error) => assert_eq!((error.production(), error.offset()), (production, offset), "{url}"),
        }
    }

    #[test]
    fn every_scheme_has_its_production() {
        assert!(matches!(accepted("HTTP://h.org?a+b"), Url::Http { path: None, search: Some("a+b"), .. }));
        assert!(matches!(accepted("http://h.org/"), Url::Http { path: Some(""), search: None, .. }));
        assert!(matches!(accepted("ftp://u:p@h.org/a/"), Url::Ftp { path: "a/", .. }));
        assert!(matches!(accepted("news:*"), Url::News { groupart: NewsPart::All, .. }));
        assert!(matches!(accepted("telnet://me@h.org:23"), Url::Telnet { .. }));
        assert!(matches!(accepted("gopher://h.org"), Url::Gopher { gtype: None, selector: "", .. }));
        assert!(matches!(accepted("gopher://h.org/%2Fa?b"), Url::Gopher { gtype: Some("%2F"), .. }));
        assert!(matches!(accepted("wais://h.org/db"), Url::WaisIndex { search: None, .. }));
        assert!(matches!(accepted("wais://h.org/db/T/1/"), Url::WaisDoc { path: "", .. }));
        assert!(matches!(accepted("mailto:me@h.org"), Url::Generic { path: "me@h.org", .. }));
        assert!(matches!(accepted("x:"), Url::Generic { path: "", search: None, .. }));
    }

    #[test]
    fn generic_accepts_what_has_no_slashes() {
        for url in ["http:a/b", "news:1.2", "news:a/b?c", "wais:", "afs:a/b", "a b:c", "x_y@z:a::b"] {
            assert!(matches!(accepted(url), Url::Generic { .. }), "{url}");
        }
    }

    #[test]
    fn articles_and_groups() {
        use NewsPart::{Article, Group};
        let groupart = |url| match accepted(url) {
            Url::News { groupart, .. } => groupart,
            other => panic!("{other:?}"),
        };
        assert_eq!(groupart("news:a.b_c"), Group("a.b_c"));
        assert_eq!(groupart("news:1@h.org"), Article { unique: "1", host: "h.org" });
        assert_eq!(groupart("news:a@1.2.3.4"), Article { unique: "a", host: "1.2.3.4" });
        assert_eq!(groupart("news:a@1.2.3"), Group("a@1.2.3"));
    }

    #[test]
    fn prospero_links() {
        for (name, hsoname, version, attributes) in [
            ("a/b", "a/b", None, ""),
            ("a%0012", "a", Some("12"), ""),
            ("a%001b2", "a", Some("1"), "b2"),
            ("%001", "", Some("1"), ""),
            ("a%00", "a%00", None, ""),
            ("a%00b", "a%00b", None, ""),
            ("a%001/b", "a%001/b", None, ""),
            ("a%001%002", "a%001", Some("2"), ""),
        ] {
            let text = format!("prospero://h.org/{name}");
            let url = accepted(&text);
            let Url::Prospero { hsoname: has, version: v, attributes: a, .. } = url else { unreachable!() };
            assert_eq!((has, v, a), (hsoname, version, attributes), "{name}");
        }
    }

    #[test]
    fn refusals_of_schemes_paths_and_searches() {
        for (url, production, offset) in [
            ("", "scheme", 0),
            ("1x:a", "scheme", 0),
            ("git+https://h.org", "scheme", 3),
            ("http", "scheme", 4),
            ("https://h.org/", "path", 6),
            ("file:/a", "path", 5),
            ("nntp://h.org/a", "path", 5),
            ("http://", "host", 7),
            ("http://h.org/~me", "path", 13),
            ("http://h.org//a", "path", 13),
            ("http://h.org/a?", "search", 15),
            ("http://h.org/a?b=c", "search", 16),
            ("http://h.org/a?b/c", "search", 16),
            ("http://h.org/a?b++c", "search", 17),
            ("http://h.org/100%", "escape", 17),
            ("http:a/~", "path", 7),
            ("http://h.org/\ta", "path", 13),
        ] {
            refused(url, production, offset);
        }
    }

    #[test]
    fn refusals_of_addresses() {
        for (url, production, offset) in [
            ("ftp://h.org", "ftpaddress", 11),
            ("ftp://h.org/a;type=d", "path", 18),
            ("ftp://h.org/a?b", "path", 13),
            ("news:a+b=c", "path", 8),
            ("telnet://h.org/", "telnetaddress", 14),
            ("gopher://h.org/", "gtype", 15),
            ("gopher://h.org/+a", "gtype", 15),
            ("gopher://h.org/1/a", "path", 16),
            ("gopher://h.org/1%zz", "escape", 17),
            ("wais://h.org", "waisaddress", 12),
            ("wais://h.org/", "database", 13),
            ("wais://h.org/a+b", "database", 14),
            ("wais://h.org/db/T", "wtype", 17),
            ("wais://h.org/db/T/x/a", "waisdoc", 18),
            ("wais://h.org/db/T/1", "waisdoc", 19),
            ("wais://h.org/db/T/1/a?b", "path", 21),
            ("prospero://h.org", "prosperolink", 16),
            ("prospero://h.org//pros/name", "path", 17),
            ("prospero://h.org/a;b=c", "path", 20),
            ("afs://cell/a", "afsaddress", 4),
            ("afs://cell", "path", 4),
        ] {
            refused(url, production, offset);
        }
    }

    #[test]
    fn fragments_belong_to_the_grammar() {
        let refusal = |text: &'static [u8]| {
            let error = fragmentaddress(text).unwrap_err();
            (error.production(), error.offset())
        };
        assert_eq!(fragmentaddress(b"news:*#a b").unwrap().to_string(), "news:*#a b");
        assert_eq!(fragmentaddress(b"news:*").unwrap().fragmentid(), None);
        assert_eq!(refusal(b"news:*#"), ("fragmentid", 7));
        assert_eq!(refusal(b"news:*#a=b"), ("fragmentid", 8));
        assert_eq!(refusal(b"news:*#a#b"), ("fragmentid", 8));
        assert_eq!(refusal(b"http://h.org/~#a"), ("path", 13));
    }

    #[test]
    fn classes_are_those_of_the_draft() {
        let members = |class: Class| -> String {
            let ascii = (0..=255).filter(|b: &u8| !b.is_ascii_alphanumeric());
            ascii.filter(|&b| class.has(b)).map(char::from).collect()
        };
        assert_eq!(members(XALPHA), "!\"$%&'()*,-.:;@_");
        assert_eq!(members(XPALPHA), "!\"$%&'()*+,-.:;@_");
        // `national` and `punctuation`, and characters that no production contains.
        for byte in *b"{}|[]\\^~<>=?#/`" {
            assert!(!XPALPHA.has(byte), "{byte:#x}");
        }
    }

    #[test]
    fn a_space_is_a_character_and_a_tab_is_not() {
        let run = |text: &'static str| run(Rest::new(text.as_bytes()), XALPHA).0;
        assert_eq!(run("a  b %20 /"), "a  b %20 ");
        assert_eq!(run(" a\tb"), " a");
        assert_eq!(run("a b%2"), "a b");
    }

    #[test]
    fn slashes_follow_names() {
        for (text, len) in [("", 0), ("/a", 0), ("a/", 2), ("a//", 2), ("a/b+c/d", 7), ("a=b", 1)] {
            assert_eq!(path(Rest::new(text.as_bytes())).0.len(), len, "{text}");
        }
    }

    #[test]
    fn a_search_is_words() {
        let search = |text: &'static str| search(Rest::new(text.as_bytes())).ok().map(|(search, _)| search);
        assert_eq!(search("a+b c+d"), Some("a+b c+d"));
        assert_eq!(search("a=b"), Some("a"));
        for text in ["", "+", "a+", "a++b", "=b"] {
            assert_eq!(search(text), None, "{text}");
        }
    }

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
            assert_eq!(login, Login { user, password, hostport: HostPort { host, port } }, "{text}");
        }
    }

    #[test]
    fn refusals_of_logins() {
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
