//! URLs of the draft in typed parts.

use std::fmt;

use super::super::{HostPort, Login, NewsPart, default_port};

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
    /// `generic`: what none of the others accepts.
    Generic { scheme: &'a str, path: &'a str, search: Option<&'a str> },
    /// `httpaddress`
    Http { scheme: &'a str, hostport: HostPort<'a>, path: Option<&'a str>, search: Option<&'a str> },
    /// `ftpaddress`
    Ftp { scheme: &'a str, login: Login<'a>, path: &'a str },
    /// `newsaddress`
    News { scheme: &'a str, groupart: NewsPart<'a> },
    /// `prosperoaddress`, a `prosperolink`. The link is after `hsoname`: a version, and
    /// the attributes, which nothing divides.
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
    /// The scheme as written.
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

    /// The host to contact, if the URL names one.
    pub fn host(&self) -> Option<&'a str> {
        self.hostport().map(|hostport| hostport.host())
    }

    /// The port to contact: the one given, or the scheme's default if there is a host
    /// without one. The page gives no defaults, so they are those of RFC 1738. `None`
    /// if it exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.hostport()?.number(default_port(self.scheme()))
    }

    fn hostport(&self) -> Option<HostPort<'a>> {
        match *self {
            Url::Generic { .. } | Url::News { .. } => None,
            Url::Ftp { login, .. } | Url::Telnet { login, .. } => Some(login.hostport()),
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
                path.map_or(Ok(()), |path| write!(f, "/{path}"))
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
        self.search().map_or(Ok(()), |search| write!(f, "?{search}"))
    }
}

/// A URL with its fragment: the draft's `fragmentaddress`.
///
/// Made by [`fragmentaddress`](super::fragmentaddress).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FragmentAddress<'a> {
    pub(super) uri: Url<'a>,
    pub(super) fragmentid: Option<&'a str>,
}

impl<'a> FragmentAddress<'a> {
    /// The URL, without the fragment.
    pub fn uri(&self) -> Url<'a> {
        self.uri
    }

    /// What is after the `#`, if there is one.
    pub fn fragmentid(&self) -> Option<&'a str> {
        self.fragmentid
    }
}

impl fmt::Display for FragmentAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(f)?;
        self.fragmentid.map_or(Ok(()), |fragmentid| write!(f, "#{fragmentid}"))
    }
}

/// A file of the Andrew File System: the draft's `afsaddress`.
///
/// Made by [`afsaddress`](super::afsaddress).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AfsAddress<'a> {
    pub(super) scheme: &'a str,
    pub(super) cellname: &'a str,
    pub(super) path: &'a str,
}

impl<'a> AfsAddress<'a> {
    /// The name of the cell.
    pub fn cellname(&self) -> &'a str {
        self.cellname
    }

    /// What is after the slash that ends the name of the cell.
    pub fn path(&self) -> &'a str {
        self.path
    }
}

impl fmt::Display for AfsAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/{}", self.scheme, self.cellname, self.path)
    }
}
