//! The schemes that are known by name, and what must follow the colon of each.

use std::sync::LazyLock;

use crate::plain;
use crate::scan::scheme::is_scheme;

/// What must follow the colon of a known scheme in free text.
///
/// RFC 1738 §2.1 lets anything follow; prose does too ("the news: everyone
/// knows"), so a scheme that does without `//` has to say more than a colon.
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
    /// A telephone number, and only between delimiters: `Tel:` and a number
    /// is what people write under their letters.
    Number,
    /// At least one character of a URL; for names that a caller adds.
    Anything,
}

/// The names that are known by default, and what must follow each.
const KNOWN: &[(&str, SchemeRule)] = &[
    // RFC 1738 §3.
    ("ftp", SchemeRule::Host),
    ("http", SchemeRule::Host),
    ("gopher", SchemeRule::Host),
    ("mailto", SchemeRule::Address),
    ("news", SchemeRule::Group),
    ("nntp", SchemeRule::Host),
    ("telnet", SchemeRule::Host),
    ("wais", SchemeRule::Host),
    ("file", SchemeRule::Path),
    ("prospero", SchemeRule::Host),
    // Reserved by RFC 1738 §4.
    ("afs", SchemeRule::Path),
    ("mid", SchemeRule::Address),
    ("cid", SchemeRule::Address),
    ("nfs", SchemeRule::Host),
    ("tn3270", SchemeRule::Host),
    ("mailserver", SchemeRule::Address),
    ("z39.50", SchemeRule::Host),
    // Written in mail and news since.
    ("https", SchemeRule::Host),
    ("ftps", SchemeRule::Host),
    ("sftp", SchemeRule::Host),
    ("ssh", SchemeRule::Host),
    ("git", SchemeRule::Host),
    ("svn", SchemeRule::Host),
    ("rsync", SchemeRule::Host),
    ("irc", SchemeRule::Host),
    ("ircs", SchemeRule::Host),
    ("ldap", SchemeRule::Host),
    ("ldaps", SchemeRule::Host),
    ("imap", SchemeRule::Host),
    ("imaps", SchemeRule::Host),
    ("rtsp", SchemeRule::Host),
    ("gemini", SchemeRule::Host),
    ("feed", SchemeRule::Host),
    ("webcal", SchemeRule::Host),
    ("z39.50r", SchemeRule::Host),
    ("z39.50s", SchemeRule::Host),
    ("snews", SchemeRule::Group),
    ("sip", SchemeRule::Address),
    ("sips", SchemeRule::Address),
    ("xmpp", SchemeRule::Address),
    ("urn", SchemeRule::Name),
    ("magnet", SchemeRule::Query),
    ("tel", SchemeRule::Number),
    ("sms", SchemeRule::Number),
];

/// The schemes that are known by name.
///
/// In free text a known scheme counts without `//` (`mailto:a@h.org`), and it
/// is recognised even with a word glued to it (`seehttp://h.org/`). Names that
/// are not known count wherever `://` and a host follow.
///
/// The default set is the ten of RFC 1738 §3 (`ftp http gopher mailto news
/// nntp telnet wais file prospero`), the seven that its §4 reserves (`afs mid
/// cid nfs tn3270 mailserver z39.50`), and those that people write in mail and
/// news today: `https ftps sftp ssh git svn rsync irc ircs ldap ldaps imap
/// imaps rtsp gemini feed webcal z39.50r z39.50s snews sip sips xmpp urn magnet
/// tel sms`. Of these, `tel` and `sms` count between delimiters only.
///
/// # Example
///
/// ```
/// use urlgrep::{Finder, Schemes};
///
/// let finder = Finder::builder().schemes(Schemes::default().with("geo")).build()?;
/// let found = finder.find("at geo:37.78,-122.39 we met").unwrap();
/// assert_eq!(found.as_bytes(), b"geo:37.78,-122.39");
/// # Ok::<(), urlgrep::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Schemes {
    /// By last byte, and of those the longest name first.
    known: Vec<Known>,
    /// For each last byte of a name, in either case, a range of `known`.
    by_last: Box<[(u16, u16); 256]>,
    /// For each byte, whether a name that does without `//` ends with it, or
    /// the prefix `URL:` or `URI:` does.
    opaque_last: Box<[bool; 256]>,
    /// Whether that holds for letters only.
    end_in_letters: bool,
    /// Whether the schemes of [plain](crate::plain) URLs are read whole: whether no
    /// other name is known that one of them ends with.
    plain: bool,
}

/// A scheme that is known by name.
#[derive(Clone, Debug)]
struct Known {
    /// In lower case.
    name: Box<str>,
    evidence: SchemeRule,
    /// What is left of the eight bytes before a colon under `mask` if the name,
    /// or its last eight bytes, stand there: see [`tail`].
    key: u64,
    mask: u64,
}

impl Known {
    fn new(name: &str, evidence: SchemeRule) -> Self {
        let mask = u64::MAX.checked_shl(64_u32.saturating_sub(8 * name.len() as u32)).unwrap_or(0);
        Known { name: name.into(), evidence, key: tail(name.as_bytes(), name.len()) & mask, mask }
    }

    fn last(&self) -> u8 {
        self.name.bytes().last().unwrap_or(0)
    }
}

/// The eight bytes before `end`, the last in the highest place, letters in lower
/// case; where there are fewer, zeros stand before them.
#[inline(always)]
fn tail(bytes: &[u8], end: usize) -> u64 {
    // This bit makes letters lower case, and all else in a scheme has it.
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

impl Default for Schemes {
    /// The documented default set.
    fn default() -> Self {
        static DEFAULT: LazyLock<Schemes> = LazyLock::new(|| {
            Schemes::of(KNOWN.iter().map(|&(name, evidence)| Known::new(name, evidence)).collect())
        });
        DEFAULT.clone()
    }
}

impl Schemes {
    /// No known scheme at all: only `scheme://` and a host counts in free text.
    pub fn none() -> Self {
        Self::of(Vec::new())
    }

    /// The ten schemes that RFC 1738 §3 defines, and no others.
    pub fn rfc1738() -> Self {
        Self::of(KNOWN[..10].iter().map(|&(name, evidence)| Known::new(name, evidence)).collect())
    }

    /// The same set and `name`, in any letter case.
    ///
    /// A name of the default set keeps what it asks for after its colon; any
    /// other asks for one character of a URL, or a host if `//` follows. A
    /// name that is no scheme (RFC 1738 §2.1) makes
    /// [`build`](crate::FinderBuilder::build) fail.
    pub fn with(mut self, name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        self.known.retain(|known| *known.name != *name);
        let evidence = KNOWN
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(SchemeRule::Anything, |&(_, evidence)| evidence);
        self.known.push(Known::new(&name, evidence));
        Self::of(self.known)
    }

    /// The names of the set, in lower case and no particular order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|known| &*known.name)
    }

    fn of(mut known: Vec<Known>) -> Self {
        known.sort_by_key(|known| (known.last(), std::cmp::Reverse(known.name.len())));
        let mut by_last = Box::new([(0, 0); 256]);
        let mut opaque_last = Box::new([false; 256]);
        for b in *b"lLiI" {
            opaque_last[b as usize] = true;
        }
        for (i, known) in known.iter().enumerate() {
            for b in [known.last(), known.last().to_ascii_uppercase()] {
                opaque_last[b as usize] |= !matches!(known.evidence, SchemeRule::Host | SchemeRule::Path);
                let range = &mut by_last[b as usize];
                let from = if range.1 == 0 { i as u16 } else { range.0 };
                *range = (from, i as u16 + 1);
            }
        }
        let letter = |b: usize| u8::try_from(b).is_ok_and(|b| b.is_ascii_alphabetic());
        let end_in_letters = opaque_last.iter().enumerate().all(|(b, &is_last)| !is_last || letter(b));
        let mut schemes = Schemes { known, by_last, opaque_last, end_in_letters, plain: false };
        schemes.plain = plain::SCHEMES.iter().all(|name| {
            let suffix = schemes.longest_suffix(name, 0, name.len());
            suffix.is_none_or(|(len, _)| len == name.len())
        });
        schemes
    }

    /// Whether the schemes of [plain](crate::plain) URLs are what they seem.
    pub(crate) fn have_plain(&self) -> bool {
        self.plain
    }

    /// Whether a known name ends with `b` that something else than a slash may
    /// follow, or the prefix does.
    #[inline(always)]
    pub(crate) fn may_end_opaque(&self, b: u8) -> bool {
        self.opaque_last[b as usize]
    }

    /// Whether [`may_end_opaque`](Self::may_end_opaque) holds for letters only.
    pub(crate) fn end_in_letters(&self) -> bool {
        self.end_in_letters
    }

    /// The length of the longest known name that `bytes[run..end]` ends with,
    /// and what it asks for.
    #[inline]
    pub(crate) fn longest_suffix(&self, bytes: &[u8], run: usize, end: usize) -> Option<(usize, SchemeRule)> {
        let (from, to) = self.by_last[*bytes[run..end].last()? as usize];
        let tail = tail(bytes, end);
        let fits = |known: &&Known| {
            let len = known.name.len();
            tail & known.mask == known.key
                && len <= end - run
                && (len <= 8 || bytes[end - len..end].eq_ignore_ascii_case(known.name.as_bytes()))
        };
        let known = self.known[from as usize..to as usize].iter().find(fits)?;
        Some((known.name.len(), known.evidence))
    }

    /// What the known scheme `name` asks for, or `None` if it is not known.
    pub(crate) fn evidence(&self, name: &[u8]) -> Option<SchemeRule> {
        let (len, evidence) = self.longest_suffix(name, 0, name.len())?;
        (len == name.len()).then_some(evidence)
    }

    /// The name that is no scheme, if there is one.
    pub(crate) fn invalid_name(&self) -> Option<&str> {
        self.names().find(|name| !is_scheme(name.as_bytes()))
    }
}
