//! The one table of schemes: everything that this crate knows about each of them.
//!
//! The caller chooses which of them a search knows: see `scheme_set`.

use crate::bytes::class::SCHEME;

/// How far a scheme is read backwards from its colon, in bytes. So it is also the
/// longest name that a known scheme may have.
pub(crate) const LONGEST: usize = 32;

/// Whether `name` is valid as a scheme in free text: a letter, then letters, digits,
/// `+`, `-` or `.`, and no longer than a scheme is read backwards.
pub(crate) fn is_scheme(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.len() <= LONGEST
        && name.iter().all(|&b| SCHEME.has(b))
}

/// What must follow the colon of a known scheme in free text.
///
/// RFC 1738 §2.1 allows anything to follow. But prose has such words before colons,
/// too: `the news: everyone knows`. So a scheme that needs no `//` needs something
/// else after its colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemeRule {
    /// `//` and a host (§3.1).
    Host,
    /// The same, or a host without `//` that is evidently one: `http:www.h.org`.
    Web,
    /// `x@host`: a mail address (§3.5) or a message identifier.
    Address,
    /// One such address, or several with commas between them.
    Mail,
    /// The same; between delimiters a dotted host is enough (RFC 3261 §19.1).
    Call,
    /// A dotted newsgroup or a message identifier (§3.6).
    Group,
    /// A slash and a path (§3.10).
    Path,
    /// A namespace, a colon and a name (RFC 8141).
    Name,
    /// `?` and a query.
    Query,
    /// A telephone number, and only between delimiters: signatures of letters have
    /// `Tel:` and a number.
    Number,
    /// At least one character of a URL; for names that a caller adds.
    Anything,
}

/// Which production of RFC 1738 §5 the URLs of a scheme have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlKind {
    Ftp,
    Http,
    Gopher,
    Mailto,
    News,
    Nntp,
    Telnet,
    Wais,
    File,
    Prospero,
    /// `otherurl`: a scheme without a production of its own.
    Other,
}

/// What is known about a scheme.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// In lower case.
    pub(super) name: &'static str,
    /// [`key`] of the name.
    key: u64,
    pub(super) kind: UrlKind,
    /// What must follow its colon in free text; `None` if it is not known there and
    /// needs `//`.
    pub(super) rule: Option<SchemeRule>,
    /// The default port.
    pub(super) port: Option<u16>,
    /// Whether every URL of the scheme needs `//` and a host. False if this is not
    /// certain.
    pub(super) needs_authority: bool,
    /// Whether a program that opens such a URL only shows something.
    opens_safely: bool,
}

impl Known {
    const fn new(name: &'static str, rule: SchemeRule) -> Known {
        Known {
            name,
            key: key(name.as_bytes()),
            kind: UrlKind::Other,
            rule: Some(rule),
            port: None,
            needs_authority: false,
            opens_safely: false,
        }
    }

    const fn port(self, port: u16) -> Known {
        Known { port: Some(port), ..self }
    }

    /// The production of RFC 1738 §5.
    const fn is(self, kind: UrlKind) -> Known {
        Known { kind, ..self }
    }

    const fn needs_authority(self) -> Known {
        Known { needs_authority: true, ..self }
    }

    const fn opens_safely(self) -> Known {
        Known { opens_safely: true, ..self }
    }

    /// Not known in free text.
    const fn only_with_slashes(self) -> Known {
        Known { rule: None, ..self }
    }
}

/// A scheme that needs `//` and a host, with its port.
const fn server(name: &'static str, port: u16) -> Known {
    Known::new(name, SchemeRule::Host).port(port).needs_authority()
}

/// The same for one that people also write without the slashes.
const fn web(name: &'static str, port: u16) -> Known {
    Known { rule: Some(SchemeRule::Web), ..server(name, port).opens_safely() }
}

/// The same for a scheme whose host may be empty: `ldap:///`.
const fn service(name: &'static str, port: u16) -> Known {
    Known::new(name, SchemeRule::Host).port(port)
}

/// The one table of schemes. To add a scheme, add a line.
#[rustfmt::skip]
pub(super) static KNOWN: [Known; 50] = [
    // RFC 1738 §3, in the order of its sections, with the ports defined there.
    web("ftp", 21).is(UrlKind::Ftp),
    web("http", 80).is(UrlKind::Http),
    server("gopher", 70).is(UrlKind::Gopher).opens_safely(),
    Known::new("mailto", SchemeRule::Mail).is(UrlKind::Mailto).opens_safely(),
    Known::new("news", SchemeRule::Group).is(UrlKind::News).opens_safely(),
    server("nntp", 119).is(UrlKind::Nntp),
    server("telnet", 23).is(UrlKind::Telnet),
    server("wais", 210).is(UrlKind::Wais),
    Known::new("file", SchemeRule::Path).is(UrlKind::File),
    server("prospero", 1525).is(UrlKind::Prospero),
    // Reserved by RFC 1738 §4, with the ports registered later.
    Known::new("afs", SchemeRule::Path),
    Known::new("mid", SchemeRule::Address),
    Known::new("cid", SchemeRule::Address),
    server("nfs", 2049),
    server("tn3270", 23),
    Known::new("mailserver", SchemeRule::Address),
    Known::new("z39.50", SchemeRule::Host),
    // In use in mail and news since then, with the registered ports.
    web("https", 443),
    server("ftps", 990),
    server("sftp", 22),
    server("ssh", 22),
    server("git", 9418),
    server("svn", 3690),
    server("rsync", 873),
    server("irc", 6667),
    server("ircs", 6697),
    service("ldap", 389),
    service("ldaps", 636),
    service("imap", 143),
    service("imaps", 993),
    server("rtsp", 554),
    server("gemini", 1965),
    Known::new("feed", SchemeRule::Host),
    Known::new("webcal", SchemeRule::Host),
    service("z39.50r", 210),
    service("z39.50s", 210),
    Known::new("snews", SchemeRule::Group).port(563),
    Known::new("sip", SchemeRule::Call),
    Known::new("sips", SchemeRule::Call),
    Known::new("xmpp", SchemeRule::Address),
    Known::new("urn", SchemeRule::Name),
    Known::new("magnet", SchemeRule::Query),
    Known::new("tel", SchemeRule::Number),
    Known::new("sms", SchemeRule::Number),
    // Known to the grammar, and not in free text.
    server("ws", 80).only_with_slashes(),
    server("wss", 443).only_with_slashes(),
    server("nntps", 563).only_with_slashes(),
    server("telnets", 992).only_with_slashes(),
    service("pop", 110).only_with_slashes(),
    server("smb", 445).only_with_slashes(),
];

/// How many of [`KNOWN`] are RFC 1738's own.
pub(super) const RFC1738: usize = 10;

/// The bytes of a name in lower case as a number; 0 for a name of more than eight
/// bytes, of which the grammar knows nothing.
const fn key(name: &[u8]) -> u64 {
    let (mut key, mut n) = (0, name.len());
    while n > 0 && name.len() <= 8 {
        n -= 1;
        key = key << 8 | name[n].to_ascii_lowercase() as u64;
    }
    key
}

/// What the grammar knows about the scheme `name`, in any letter case.
pub(super) fn known(name: &[u8]) -> Option<&'static Known> {
    let wanted = key(name);
    KNOWN.iter().find(|known| known.key == wanted && wanted != 0)
}

/// The default port of a scheme, in any letter case; `None` if it has none or is not
/// known.
///
/// RFC 1738 defines the default port of seven schemes (sections 3.2 to 3.11). The
/// ports of later schemes are those registered for them.
///
/// ```
/// use urlgrep::grammar::default_port;
///
/// assert_eq!(default_port("gopher"), Some(70));
/// assert_eq!(default_port("HTTPS"), Some(443));
/// assert_eq!(default_port("mailto"), None);
/// ```
pub fn default_port(scheme: &str) -> Option<u16> {
    known(scheme.as_bytes())?.port
}

/// Whether a URL of this scheme can be a link that is safe to click: a program that
/// opens it only shows something.
///
/// True for `http`, `https`, `ftp`, `gopher`, `mailto` and `news`, in any letter case.
/// URLs of other schemes have been used to make programs run commands.
///
/// ```
/// use urlgrep::grammar::opens_safely;
///
/// assert!(opens_safely("HTTP") && opens_safely("mailto"));
/// assert!(!opens_safely("telnet") && !opens_safely("nntp") && !opens_safely("ssh"));
/// ```
pub fn opens_safely(scheme: &str) -> bool {
    known(scheme.as_bytes()).is_some_and(|known| known.opens_safely)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_need_the_whole_name() {
        assert_eq!(default_port("prospero"), Some(1525));
        assert_eq!(default_port("prosperous"), None);
        assert_eq!(default_port("Z39.50R"), Some(210));
        assert_eq!(default_port(""), None);
    }

    #[test]
    fn names_are_schemes_and_unique() {
        for (n, known) in KNOWN.iter().enumerate() {
            assert!(is_scheme(known.name.as_bytes()) && known.name == known.name.to_ascii_lowercase());
            assert!(KNOWN[..n].iter().all(|other| other.name != known.name), "{}", known.name);
        }
        let own = KNOWN.iter().filter(|known| known.kind != UrlKind::Other).map(|known| known.name);
        assert!(own.eq(KNOWN[..RFC1738].iter().map(|known| known.name)));
    }

    /// A long name has no key, and is not found.
    #[test]
    fn what_the_grammar_knows_has_a_key() {
        let is_known = |known: &Known| {
            known.kind != UrlKind::Other
                || known.port.is_some()
                || known.needs_authority
                || known.opens_safely
        };
        for known in KNOWN.iter().filter(|known| is_known(known)) {
            assert_ne!(known.key, 0, "{}", known.name);
        }
    }
}
