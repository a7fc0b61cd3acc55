//! The one table of schemes, with all facts about each, and the set of schemes that a search knows
//! by name, which the caller chooses.

use std::sync::LazyLock;

use crate::bytes::class::SCHEME;

/// The number of bytes that are read backwards from a colon to find a scheme, and so the maximum
/// length of a known scheme.
pub(crate) const LONGEST: usize = 32;

/// Returns true if `name` is valid as a scheme in free text: a letter, then letters, digits, `+`,
/// `-` or `.`, and no longer than the bytes that are read backwards.
pub(crate) fn is_scheme(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.len() <= LONGEST
        && name.iter().all(|&b| SCHEME.has(b))
}

/// The text that must follow the colon of a known scheme in free text.
///
/// RFC 1738 §2.1 allows any text to follow, but prose also contains such words before colons: `the
/// news: everyone knows`. So a scheme that does not need `//` needs other text after its colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemeRule {
    /// `//` and a host (§3.1).
    Host,
    /// `//` and a host, and the name is a separate word: `aws://` is a different scheme from
    /// `ws://`.
    Socket,
    /// `//` and a host, or an evident host without `//`: `http:www.h.org`.
    Web,
    /// `x@host`: an email address (§3.5) or a message identifier.
    Address,
    /// One email address, or several, separated by commas.
    Mail,
    /// As `Mail`; between delimiters a dotted host is enough (RFC 3261 §19.1).
    Call,
    /// A dotted newsgroup or a message identifier (§3.6).
    Group,
    /// A slash and a path (§3.10).
    Path,
    /// A namespace, a colon and a name (RFC 8141).
    Name,
    /// `?` and a query.
    Query,
    /// A telephone number: in prose `+` and a digit, because signatures contain `Tel:` and a
    /// number.
    Phone,
    /// A number, and only between delimiters.
    Number,
    /// A letter or digit, and only between delimiters.
    Delimited,
    /// `10.` and the rest of a document identifier.
    Doi,
    /// At least one character of a URL; for names that a caller adds.
    Anything,
}

/// The production of RFC 1738 §5 for the URLs of a scheme.
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
    /// `otherurl`: a scheme without its own production.
    Other,
}

/// The facts about a known scheme.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownScheme {
    /// In lower case.
    name: &'static str,
    /// [`key`] of the name.
    key: u64,
    pub(super) kind: UrlKind,
    /// The text that must follow its colon in free text; `None` if the scheme is not known there
    /// and needs `//`.
    pub(super) rule: Option<SchemeRule>,
    /// The default port.
    pub(super) port: Option<u16>,
    /// True if every URL of the scheme needs `//` and a host. False if this is not
    /// certain.
    pub(super) needs_authority: bool,
    /// True if a program that opens such a URL only displays something.
    opens_safely: bool,
}

impl SchemeRule {
    /// Returns true if the name counts only as a separate word: `hotel:+1` does not contain `tel`, nor `zipfile:/a`
    /// `file`.
    pub(crate) fn needs_word(self) -> bool {
        use SchemeRule::{Anything, Delimited, Doi, Number, Path, Phone, Query, Socket};
        matches!(self, Anything | Delimited | Doi | Number | Path | Phone | Query | Socket)
    }

    /// Returns the text that must follow the colon, in words.
    pub(crate) fn needs(self) -> &'static str {
        match self {
            SchemeRule::Host | SchemeRule::Socket | SchemeRule::Web => "\"//\" and a host",
            SchemeRule::Address => "a name, \"@\" and a host",
            SchemeRule::Mail => "an email address",
            SchemeRule::Call => "a name, \"@\" and a host (between delimiters, a host is enough)",
            SchemeRule::Group => "a newsgroup with a dot in its name, or a message identifier",
            SchemeRule::Path => "\"/\" and a path",
            SchemeRule::Name => "a namespace, \":\" and a name",
            SchemeRule::Query => "\"?\" and a query",
            SchemeRule::Phone => "\"+\" and a digit (between delimiters, a digit is enough)",
            SchemeRule::Number => "a number, between delimiters",
            SchemeRule::Delimited => "a letter or a digit, between delimiters",
            SchemeRule::Doi => "\"10.\" and a digit",
            SchemeRule::Anything => "a letter or a digit",
        }
    }

    /// Returns true if a slash must follow the colon.
    fn needs_slash(self) -> bool {
        matches!(self, SchemeRule::Host | SchemeRule::Socket | SchemeRule::Path)
    }
}

impl KnownScheme {
    const fn new(name: &'static str, rule: SchemeRule) -> KnownScheme {
        KnownScheme {
            name,
            key: key(name.as_bytes()),
            kind: UrlKind::Other,
            rule: Some(rule),
            port: None,
            needs_authority: false,
            opens_safely: false,
        }
    }

    const fn port(self, port: u16) -> KnownScheme {
        KnownScheme { port: Some(port), ..self }
    }

    /// The production of RFC 1738 §5.
    const fn is(self, kind: UrlKind) -> KnownScheme {
        KnownScheme { kind, ..self }
    }

    const fn needs_authority(self) -> KnownScheme {
        KnownScheme { needs_authority: true, ..self }
    }

    const fn opens_safely(self) -> KnownScheme {
        KnownScheme { opens_safely: true, ..self }
    }

    /// Not known in free text.
    const fn only_with_slashes(self) -> KnownScheme {
        KnownScheme { rule: None, ..self }
    }
}

/// A scheme that needs `//` and a host, with its port.
const fn server(name: &'static str, port: u16) -> KnownScheme {
    KnownScheme::new(name, SchemeRule::Host).port(port).needs_authority()
}

/// A [`server`] scheme that people also write without the slashes.
const fn web(name: &'static str, port: u16) -> KnownScheme {
    KnownScheme { rule: Some(SchemeRule::Web), ..server(name, port).opens_safely() }
}

/// A [`server`] scheme with a name that also ends other schemes.
const fn socket(name: &'static str, port: u16) -> KnownScheme {
    KnownScheme { rule: Some(SchemeRule::Socket), ..server(name, port) }
}

/// A scheme with a port whose host may be empty: `ldap:///`.
const fn service(name: &'static str, port: u16) -> KnownScheme {
    KnownScheme::new(name, SchemeRule::Host).port(port)
}

/// The one table of schemes. To add a scheme, add a line.
#[rustfmt::skip]
static KNOWN: [KnownScheme; 56] = [
    // RFC 1738 §3, in the order of its sections, with the ports defined there.
    web("ftp", 21).is(UrlKind::Ftp),
    web("http", 80).is(UrlKind::Http),
    server("gopher", 70).is(UrlKind::Gopher).opens_safely(),
    KnownScheme::new("mailto", SchemeRule::Mail).is(UrlKind::Mailto).opens_safely(),
    KnownScheme::new("news", SchemeRule::Group).is(UrlKind::News).opens_safely(),
    server("nntp", 119).is(UrlKind::Nntp),
    server("telnet", 23).is(UrlKind::Telnet),
    server("wais", 210).is(UrlKind::Wais),
    KnownScheme::new("file", SchemeRule::Path).is(UrlKind::File),
    server("prospero", 1525).is(UrlKind::Prospero),
    // Reserved by RFC 1738 §4, with the ports registered later.
    KnownScheme::new("afs", SchemeRule::Path),
    KnownScheme::new("mid", SchemeRule::Address),
    KnownScheme::new("cid", SchemeRule::Address),
    server("nfs", 2049),
    server("tn3270", 23),
    KnownScheme::new("mailserver", SchemeRule::Address),
    KnownScheme::new("z39.50", SchemeRule::Host),
    // In use in mail and news since then, with the registered ports.
    web("https", 443),
    server("ftps", 990),
    server("sftp", 22),
    server("tftp", 69),
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
    socket("ws", 80),
    socket("wss", 443),
    KnownScheme::new("feed", SchemeRule::Host),
    KnownScheme::new("webcal", SchemeRule::Host),
    service("z39.50r", 210),
    service("z39.50s", 210),
    KnownScheme::new("snews", SchemeRule::Group).port(563),
    KnownScheme::new("sip", SchemeRule::Call),
    KnownScheme::new("sips", SchemeRule::Call),
    KnownScheme::new("xmpp", SchemeRule::Address),
    KnownScheme::new("urn", SchemeRule::Name),
    KnownScheme::new("magnet", SchemeRule::Query),
    KnownScheme::new("tel", SchemeRule::Phone),
    KnownScheme::new("sms", SchemeRule::Number),
    KnownScheme::new("geo", SchemeRule::Number),
    KnownScheme::new("doi", SchemeRule::Doi),
    KnownScheme::new("bitcoin", SchemeRule::Delimited),
    KnownScheme::new("matrix", SchemeRule::Delimited),
    KnownScheme::new("facetime", SchemeRule::Delimited),
    // Known to the grammar, but not in free text.
    server("nntps", 563).only_with_slashes(),
    server("telnets", 992).only_with_slashes(),
    service("pop", 110).only_with_slashes(),
    server("smb", 445).only_with_slashes(),
];

/// The number of entries of [`KNOWN`] that come from RFC 1738.
const RFC1738: usize = 10;

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

/// Returns the facts about the scheme `name` (case-insensitive).
pub(super) fn known(name: &[u8]) -> Option<&'static KnownScheme> {
    let wanted = key(name);
    KNOWN.iter().find(|known| known.key == wanted && wanted != 0)
}

/// Returns true if the scheme `name` (case-insensitive) is known.
#[cfg(feature = "archive")]
pub(crate) fn is_known(name: &[u8]) -> bool {
    known(name).is_some()
}

/// Returns the default port of a scheme (case-insensitive), or `None` if the scheme is unknown or
/// has no default.
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

/// Returns true if a URL of this scheme can be a link that is safe to click: a program that opens
/// it only displays something.
///
/// True for `http`, `https`, `ftp`, `gopher`, `mailto` and `news` (case-insensitive). URLs of other
/// schemes have been used to make programs run commands.
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

/// The schemes that are known by name.
///
/// In free text, a known scheme is recognised even directly after a word (`seehttp://h.org/`).
/// Schemes such as `mailto` and `news` do not need `//` (`mailto:a@h.org`); schemes with a host,
/// such as `gopher` and `ssh`, do. Any other scheme is recognised if `://` and a host follow.
///
/// The default set is the ten of RFC 1738 §3 (`ftp http gopher mailto news nntp telnet wais file
/// prospero`), the seven that its §4 reserves (`afs mid cid nfs tn3270 mailserver z39.50`), and
/// those that are common in mail and news today: `https ftps sftp tftp ssh git svn rsync irc ircs
/// ldap ldaps imap imaps rtsp gemini ws wss feed webcal z39.50r z39.50s snews sip sips xmpp urn
/// magnet doi tel sms geo bitcoin matrix facetime`. The last five (`sms geo bitcoin matrix
/// facetime`) are matched only between delimiters. In prose, `tel` is matched only if `+` and a
/// digit follow, and `doi` only if `10.` follows.
///
/// # Example
///
/// ```
/// use urlgrep::{Finder, grammar::Schemes};
///
/// let finder = Finder::builder().known_schemes(Schemes::default().with("geo")).build()?;
/// let m = finder.find("at geo:37.78,-122.39 we met").unwrap();
/// assert_eq!(m.as_bytes(), b"geo:37.78,-122.39");
/// assert!(finder.find("gopher:h.org").is_none());
/// # Ok::<(), urlgrep::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Schemes {
    /// Sorted by last byte; names with the same last byte, longest first.
    known: Vec<Name>,
    /// For each last byte of a name, in either case, a range of `known`.
    by_last: Box<[(u16, u16); 256]>,
    /// For each byte, true if it ends a name that does not need `//`, or the prefix `URL:` or
    /// `URI:`.
    opaque_last: Box<[bool; 256]>,
    /// True if all of these bytes are letters.
    end_in_letters: bool,
}

/// The name of a known scheme.
#[derive(Clone, Debug)]
struct Name {
    /// In lower case.
    name: Box<str>,
    rule: SchemeRule,
    /// The name, or its last eight bytes, as a number: see [`tail`]. The bytes before
    /// a colon are compared with it under `mask`.
    key: u64,
    mask: u64,
    /// True if the key is the whole name and contains only letters, because no other bytes equal
    /// these under `tail`.
    exact: bool,
}

impl Name {
    fn new(name: &str, rule: SchemeRule) -> Self {
        let mask = u64::MAX.checked_shl(64_u32.saturating_sub(8 * name.len() as u32)).unwrap_or(0);
        let exact = name.len() <= 8 && name.bytes().all(|b| b.is_ascii_alphabetic());
        Name { name: name.into(), rule, key: tail(name.as_bytes(), name.len()) & mask, mask, exact }
    }

    fn last(&self) -> u8 {
        self.name.bytes().last().unwrap_or(0)
    }
}

/// The eight bytes before `end` as a number, letters in lower case, the last byte
/// highest. If there are fewer, the others are zeros.
#[inline(always)]
fn tail(bytes: &[u8], end: usize) -> u64 {
    // This bit makes letters lower case; the other characters of a scheme have it
    // already.
    const LOWER: u64 = u64::from_le_bytes([0x20; 8]);
    let word = match bytes[..end].last_chunk::<8>() {
        Some(word) => *word,
        None => {
            let mut word = [0; 8];
            word[8 - end..].copy_from_slice(&bytes[..end]);
            word
        }
    };
    u64::from_le_bytes(word) | LOWER
}

/// The names of the schemes that are known in free text.
fn in_prose(table: &[KnownScheme]) -> Vec<Name> {
    table.iter().filter_map(|known| Some(Name::new(known.name, known.rule?))).collect()
}

impl Default for Schemes {
    /// The documented default set.
    fn default() -> Self {
        static DEFAULT: LazyLock<Schemes> = LazyLock::new(|| Schemes::of(in_prose(&KNOWN)));
        DEFAULT.clone()
    }
}

impl Schemes {
    /// Returns a set without known schemes: in free text, only `scheme://` with a host matches.
    pub fn none() -> Self {
        Self::of(Vec::new())
    }

    /// Returns the ten schemes that RFC 1738 §3 defines, and no others.
    pub fn rfc1738() -> Self {
        Self::of(in_prose(&KNOWN[..RFC1738]))
    }

    /// Returns the set with `name` added (case-insensitive).
    ///
    /// A name in the default set that matches in prose keeps its rule for the text after the colon.
    /// After any other name, one character of a URL must follow, or `//` and a host, and it counts
    /// only as a separate word: `footnote:a` does not contain `note`. If a name is not valid (RFC
    /// 1738 §2.1), [`build`](crate::FinderBuilder::build) returns an error.
    pub fn with(mut self, name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        self.known.retain(|known| *known.name != *name);
        let rule = KNOWN.iter().find(|known| known.name == name).and_then(|known| known.rule);
        let in_prose = rule.filter(|rule| !matches!(rule, SchemeRule::Number | SchemeRule::Delimited));
        let rule = in_prose.unwrap_or(SchemeRule::Anything);
        self.known.push(Name::new(&name, rule));
        Self::of(self.known)
    }

    /// Returns this set with more names, after which a host must follow; each only if the set contains its meaning.
    pub(crate) fn with_spellings(mut self, spellings: &[(&str, &str)]) -> Self {
        let new = |name: &&(&str, &str)| {
            is_scheme(name.0.as_bytes())
                && self.rule_of(name.1.as_bytes()).is_some()
                && self.rule_of(name.0.as_bytes()).is_none()
        };
        let names: Vec<_> =
            spellings.iter().filter(new).map(|(name, _)| Name::new(name, SchemeRule::Host)).collect();
        self.known.extend(names);
        Self::of(self.known)
    }

    /// Returns the names of the set, in lower case and no particular order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|known| &*known.name)
    }

    fn of(names: Vec<Name>) -> Self {
        let place = |name: &Name| (name.last(), std::cmp::Reverse(name.name.len()));
        // A list of names is short, so code to sort it would not be worth its length.
        let mut known: Vec<Name> = Vec::with_capacity(names.len());
        for name in names {
            let at = known.partition_point(|other| place(other) <= place(&name));
            known.insert(at, name);
        }
        let mut by_last = Box::new([(0, 0); 256]);
        let mut opaque_last = Box::new([false; 256]);
        for b in *b"lLiI" {
            opaque_last[b as usize] = true;
        }
        for (i, known) in known.iter().enumerate() {
            for b in [known.last(), known.last().to_ascii_uppercase()] {
                opaque_last[b as usize] |= !known.rule.needs_slash();
                let range = &mut by_last[b as usize];
                let from = if range.1 == 0 { i as u16 } else { range.0 };
                *range = (from, i as u16 + 1);
            }
        }
        let letter = |b: usize| u8::try_from(b).is_ok_and(|b| b.is_ascii_alphabetic());
        let end_in_letters = opaque_last.iter().enumerate().all(|(b, &is_last)| !is_last || letter(b));
        Schemes { known, by_last, opaque_last, end_in_letters }
    }

    /// Returns true if `b` may be the last byte of the prefix, or of a known name that needs no
    /// slash after its colon.
    #[inline(always)]
    pub(crate) fn may_end_opaque(&self, b: u8) -> bool {
        self.opaque_last[b as usize]
    }

    /// Returns true if [`may_end_opaque`](Self::may_end_opaque) holds for letters only.
    pub(crate) fn end_in_letters(&self) -> bool {
        self.end_in_letters
    }

    /// The longest known name at the end of `bytes[floor..end]`: its length, and its rule for the
    /// text after it.
    #[inline]
    pub(crate) fn longest_suffix(
        &self,
        bytes: &[u8],
        floor: usize,
        end: usize,
    ) -> Option<(usize, SchemeRule)> {
        let (from, to) = self.by_last[*bytes[floor..end].last()? as usize];
        let tail = tail(bytes, end);
        let fits = |known: &&Name| {
            let len = known.name.len();
            tail & known.mask == known.key
                && len <= end - floor
                && (known.exact || bytes[end - len..end].eq_ignore_ascii_case(known.name.as_bytes()))
        };
        let known = self.known[from as usize..to as usize].iter().find(fits)?;
        Some((known.name.len(), known.rule))
    }

    /// Returns the rule for the text that must follow the scheme `name`, or `None` if it is not
    /// known.
    pub(crate) fn rule_of(&self, name: &[u8]) -> Option<SchemeRule> {
        let (len, rule) = self.longest_suffix(name, 0, name.len())?;
        (len == name.len()).then_some(rule)
    }

    /// A name that is not valid as a scheme, if there is one.
    pub(crate) fn invalid_name(&self) -> Option<&str> {
        self.names().find(|name| !is_scheme(name.as_bytes()))
    }
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

    /// A scheme that a caller adds is matched in prose, by its own rule if that is one of prose.
    #[test]
    fn names_that_are_added() {
        let rules = [
            ("spotify sms geo bitcoin matrix facetime", SchemeRule::Anything),
            ("tel", SchemeRule::Phone),
            ("mailto", SchemeRule::Mail),
            ("doi", SchemeRule::Doi),
        ];
        for (names, rule) in rules {
            for name in names.split(' ') {
                for schemes in [Schemes::none(), Schemes::default()] {
                    assert_eq!(schemes.with(name).rule_of(name.as_bytes()), Some(rule), "{name}");
                }
            }
        }
    }

    /// RFC 1738 §3, and the registry of ports for the others.
    #[test]
    fn every_port() {
        for (port, names) in [
            (21, "ftp"),
            (22, "sftp ssh"),
            (23, "telnet tn3270"),
            (69, "tftp"),
            (70, "gopher"),
            (80, "http ws"),
            (110, "pop"),
            (119, "nntp"),
            (143, "imap"),
            (210, "wais z39.50r z39.50s"),
            (389, "ldap"),
            (443, "https wss"),
            (445, "smb"),
            (554, "rtsp"),
            (563, "nntps snews"),
            (636, "ldaps"),
            (873, "rsync"),
            (990, "ftps"),
            (992, "telnets"),
            (993, "imaps"),
            (1525, "prospero"),
            (1965, "gemini"),
            (2049, "nfs"),
            (3690, "svn"),
            (6667, "irc"),
            (6697, "ircs"),
            (9418, "git"),
        ] {
            for name in names.split(' ') {
                assert_eq!(default_port(name), Some(port), "{name}");
                // The host may be empty: `ldap:///`.
                let may_be_empty =
                    "ldap ldaps imap imaps z39.50r z39.50s pop snews".split(' ').any(|one| one == name);
                assert_eq!(needs_authority(name), !may_be_empty, "{name}");
            }
        }
    }

    #[test]
    fn schemes_without_a_port_and_safe_ones() {
        let without = "mailto news file afs mid cid mailserver z39.50 feed webcal sip sips xmpp urn magnet tel sms geo doi \
            bitcoin matrix facetime";
        for name in without.split_ascii_whitespace() {
            assert_eq!((default_port(name), needs_authority(name)), (None, false), "{name}");
        }
        let safe = KNOWN.iter().map(|known| known.name).filter(|name| opens_safely(name));
        assert!(safe.eq(["ftp", "http", "gopher", "mailto", "news", "https"]));
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

    fn needs_authority(name: &str) -> bool {
        known(name.as_bytes()).is_some_and(|known| known.needs_authority)
    }

    /// A long name has no key, and is not found.
    #[test]
    fn what_the_grammar_knows_has_a_key() {
        let is_known = |known: &KnownScheme| {
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
