//! The one table of schemes: all that this crate knows about each of them.
//!
//! Which of them a search knows is up to its caller: see `scheme_set`.

use crate::bytes::class::SCHEME;

/// How far a scheme is read backwards from its colon, and so how long the name of
/// a known one may be, in bytes.
pub(crate) const LONGEST: usize = 32;

/// Whether `name` could be a scheme in free text: a letter, then letters,
/// digits, `+`, `-`, `.`, and not too long to be read backwards.
pub(crate) fn is_scheme(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.len() <= LONGEST
        && name.iter().all(|&b| SCHEME.has(b))
}

/// What must follow the colon of a known scheme in free text.
///
/// RFC 1738 §2.1 lets anything follow; prose does too ("the news: everyone
/// knows"), so a scheme that needs no `//` has to be followed by more than a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemeRule {
    /// `//` and a host (§3.1).
    Host,
    /// `x@host`: a mail address (§3.5) or a message identifier.
    Address,
    /// A dotted newsgroup or a message identifier (§3.6).
    Group,
    /// A slash and a path (§3.10).
    Path,
    /// A namespace, a colon and a name (RFC 8141).
    Name,
    /// `?` and a query.
    Query,
    /// A telephone number, and only between delimiters: people sign letters with
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
    /// What must follow its colon in free text; `None` if it is not known there, so
    /// that `//` must follow.
    pub(super) rule: Option<SchemeRule>,
    /// The port that a URL without one means.
    pub(super) port: Option<u16>,
    /// Whether a URL is useless without `//` and a host. False where that is not
    /// certain.
    pub(super) needs_authority: bool,
    /// Whether a program that is registered for the scheme shows something and does
    /// nothing else.
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

/// The same for one that may do without a host, `ldap:///`.
const fn service(name: &'static str, port: u16) -> Known {
    Known::new(name, SchemeRule::Host).port(port)
}

/// The one table of schemes. To add a scheme, add a line.
#[rustfmt::skip]
pub(super) static KNOWN: [Known; 50] = [
    // RFC 1738 §3, in the order of its sections; the ports are those it gives.
    server("ftp", 21).is(UrlKind::Ftp).opens_safely(),
    server("http", 80).is(UrlKind::Http).opens_safely(),
    server("gopher", 70).is(UrlKind::Gopher).opens_safely(),
    Known::new("mailto", SchemeRule::Address).is(UrlKind::Mailto).opens_safely(),
    Known::new("news", SchemeRule::Group).is(UrlKind::News).opens_safely(),
    server("nntp", 119).is(UrlKind::Nntp).opens_safely(),
    server("telnet", 23).is(UrlKind::Telnet),
    server("wais", 210).is(UrlKind::Wais),
    Known::new("file", SchemeRule::Path).is(UrlKind::File),
    server("prospero", 1525).is(UrlKind::Prospero),
    // Reserved by RFC 1738 §4; the ports are of later years.
    Known::new("afs", SchemeRule::Path),
    Known::new("mid", SchemeRule::Address),
    Known::new("cid", SchemeRule::Address),
    server("nfs", 2049),
    server("tn3270", 23),
    Known::new("mailserver", SchemeRule::Address),
    Known::new("z39.50", SchemeRule::Host),
    // Written in mail and news since; the ports are those registered.
    server("https", 443).opens_safely(),
    server("ftps", 990).opens_safely(),
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
    server("gemini", 1965).opens_safely(),
    Known::new("feed", SchemeRule::Host),
    Known::new("webcal", SchemeRule::Host),
    service("z39.50r", 210),
    service("z39.50s", 210),
    Known::new("snews", SchemeRule::Group).port(563),
    Known::new("sip", SchemeRule::Address),
    Known::new("sips", SchemeRule::Address),
    Known::new("xmpp", SchemeRule::Address),
    Known::new("urn", SchemeRule::Name),
    Known::new("magnet", SchemeRule::Query),
    Known::new("tel", SchemeRule::Number),
    Known::new("sms", SchemeRule::Number),
    // Known to the validator alone.
    server("ws", 80).only_with_slashes(),
    server("wss", 443).only_with_slashes(),
    server("nntps", 563).only_with_slashes(),
    server("telnets", 992).only_with_slashes(),
    service("pop", 110).only_with_slashes(),
    server("smb", 445).only_with_slashes(),
];

/// How many of [`KNOWN`] are RFC 1738's own.
pub(super) const RFC1738: usize = 10;

/// The bytes of a name of at most eight, in lower case, as a number; 0 for a longer
/// one, of which the validator knows nothing.
const fn key(name: &[u8]) -> u64 {
    let (mut key, mut n) = (0, name.len());
    while n > 0 && name.len() <= 8 {
        n -= 1;
        key = key << 8 | name[n].to_ascii_lowercase() as u64;
    }
    key
}

/// What the validator knows about a scheme, its name being in any letter case.
pub(super) fn known(name: &[u8]) -> Option<&'static Known> {
    let wanted = key(name);
    KNOWN.iter().find(|known| known.key == wanted && wanted != 0)
}

/// The port that a URL of this scheme means if it names none.
///
/// RFC 1738 gives seven schemes a default port (sections 3.2 to 3.11); the
/// others here are schemes of later years, with the ports registered for them.
/// Letter case does not matter.
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

/// Whether a program that is registered for this scheme shows something and does
/// nothing else, so that a click may open it.
///
/// True for `http`, `https`, `ftp`, `ftps`, `gopher`, `gemini`, `mailto`, `news` and
/// `nntp`, in any letter case; other schemes have been used to make programs run
/// commands.
///
/// ```
/// use urlgrep::grammar::opens_safely;
///
/// assert!(opens_safely("HTTP") && opens_safely("mailto"));
/// assert!(!opens_safely("telnet") && !opens_safely("ssh"));
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
}
