//! The set of schemes that a search knows by name.

use std::sync::LazyLock;

use super::schemes::{KNOWN, Known, RFC1738, SchemeRule, is_scheme};

/// The schemes that are known by name.
///
/// In free text a known scheme needs no `//` (`mailto:a@h.org`), and it is
/// recognised even directly after a word (`seehttp://h.org/`). Any other scheme is
/// recognised if `://` and a host follow.
///
/// The default set is the ten of RFC 1738 §3 (`ftp http gopher mailto news
/// nntp telnet wais file prospero`), the seven that its §4 reserves (`afs mid
/// cid nfs tn3270 mailserver z39.50`), and those that are common in mail and
/// news today: `https ftps sftp ssh git svn rsync irc ircs ldap ldaps imap
/// imaps rtsp gemini feed webcal z39.50r z39.50s snews sip sips xmpp urn magnet
/// tel sms`. Of these, `tel` and `sms` are matched between delimiters only.
///
/// # Example
///
/// ```
/// use urlgrep::{Finder, Schemes};
///
/// let finder = Finder::builder().schemes(Schemes::default().with("geo")).build()?;
/// let m = finder.find("at geo:37.78,-122.39 we met").unwrap();
/// assert_eq!(m.as_bytes(), b"geo:37.78,-122.39");
/// # Ok::<(), urlgrep::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Schemes {
    /// Sorted by last byte; names with the same last byte, longest first.
    known: Vec<Name>,
    /// For each last byte of a name, in either case, a range of `known`.
    by_last: Box<[(u16, u16); 256]>,
    /// For each byte, whether a name that needs no `//` ends with it, or the prefix
    /// `URL:` or `URI:` does.
    opaque_last: Box<[bool; 256]>,
    /// Whether all of these bytes are letters.
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
    /// Whether the key is all of the name, and letters only, which no other bytes equal under `tail`.
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
fn in_prose(table: &[Known]) -> Vec<Name> {
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
    /// No known scheme: in free text only `scheme://` and a host is matched.
    pub fn none() -> Self {
        Self::of(Vec::new())
    }

    /// The ten schemes that RFC 1738 §3 defines, and no others.
    pub fn rfc1738() -> Self {
        Self::of(in_prose(&KNOWN[..RFC1738]))
    }

    /// The same set and `name`, in any letter case.
    ///
    /// A name of the default set keeps its rule for what must follow the colon. After
    /// any other name, one character of a URL must follow, or `//` and a host. If a
    /// name is not valid (RFC 1738 §2.1), [`build`](crate::FinderBuilder::build)
    /// returns an error.
    pub fn with(mut self, name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        self.known.retain(|known| *known.name != *name);
        let rule = KNOWN.iter().find(|known| known.name == name).and_then(|known| known.rule);
        let rule = rule.unwrap_or(SchemeRule::Anything);
        self.known.push(Name::new(&name, rule));
        Self::of(self.known)
    }

    /// The same set and these names, after which a host must follow; each only if what it means is in the set.
    pub(crate) fn with_spellings(mut self, spellings: &[(&str, &str)]) -> Self {
        let new = |name: &&(&str, &str)| {
            self.rule_of(name.1.as_bytes()).is_some() && self.rule_of(name.0.as_bytes()).is_none()
        };
        let names: Vec<_> =
            spellings.iter().filter(new).map(|(name, _)| Name::new(name, SchemeRule::Host)).collect();
        self.known.extend(names);
        Self::of(self.known)
    }

    /// The names of the set, in lower case and no particular order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|known| &*known.name)
    }

    fn of(mut known: Vec<Name>) -> Self {
        known.sort_by_key(|known| (known.last(), std::cmp::Reverse(known.name.len())));
        let mut by_last = Box::new([(0, 0); 256]);
        let mut opaque_last = Box::new([false; 256]);
        for b in *b"lLiI" {
            opaque_last[b as usize] = true;
        }
        for (i, known) in known.iter().enumerate() {
            for b in [known.last(), known.last().to_ascii_uppercase()] {
                opaque_last[b as usize] |= !matches!(known.rule, SchemeRule::Host | SchemeRule::Path);
                let range = &mut by_last[b as usize];
                let from = if range.1 == 0 { i as u16 } else { range.0 };
                *range = (from, i as u16 + 1);
            }
        }
        let letter = |b: usize| u8::try_from(b).is_ok_and(|b| b.is_ascii_alphabetic());
        let end_in_letters = opaque_last.iter().enumerate().all(|(b, &is_last)| !is_last || letter(b));
        Schemes { known, by_last, opaque_last, end_in_letters }
    }

    /// Whether `b` may be the last byte of the prefix, or of a known name that needs no
    /// slash after its colon.
    #[inline(always)]
    pub(crate) fn may_end_opaque(&self, b: u8) -> bool {
        self.opaque_last[b as usize]
    }

    /// Whether [`may_end_opaque`](Self::may_end_opaque) holds for letters only.
    pub(crate) fn end_in_letters(&self) -> bool {
        self.end_in_letters
    }

    /// The longest known name at the end of `bytes[floor..end]`: its length, and what must
    /// follow it.
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

    /// What must follow the scheme `name`, or `None` if it is not known.
    pub(crate) fn rule_of(&self, name: &[u8]) -> Option<SchemeRule> {
        let (len, rule) = self.longest_suffix(name, 0, name.len())?;
        (len == name.len()).then_some(rule)
    }

    /// A name that is not valid as a scheme, if there is one.
    pub(crate) fn invalid_name(&self) -> Option<&str> {
        self.names().find(|name| !is_scheme(name.as_bytes()))
    }
}
