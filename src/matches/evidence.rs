//! Evidence: the URLs that occur unbroken, and their counts.
//!
//! If a line break leaves several readings of a URL, one of them may occur unbroken elsewhere. Only hashes of the
//! unbroken URLs are kept, at most [`MAX_HASHES`]. If there are more, the hashes of half of the *families* are
//! removed, repeatedly if necessary. A family is all URLs that differ only in hyphens, so the readings that a hyphen
//! leaves are kept or removed together, and a removed hash never decides anything. The families that are kept depend
//! only on the URLs, not on their order. So a search with several threads has the same result as with one.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use super::Match;
use super::form::{Ending, Stop};
use crate::bytes::class::byte_table;
use crate::bytes::haystack::Haystack;
use crate::grammar;

/// The number of hashes that are kept, at most: the capacity of a table with 2²²
/// slots, which takes 38 MB, and half as much again while it grows.
const MAX_HASHES: usize = (1 << 22) / 8 * 7 - 1;

/// The URLs that were added because they occur unbroken in a text.
///
/// Evidence has two uses. With [`Join::Likely`](crate::Join::Likely), a finder [with
/// evidence](crate::FinderBuilder::evidence) also joins a broken bare URL if the joined URL occurs
/// unbroken: [`GuessRule::Evidence`](crate::GuessRule). And [`choose`](Self::choose) picks the
/// reading of a hyphen that occurs unbroken elsewhere.
///
/// The caller fills it in a first pass over the texts, or during the search; then only earlier URLs
/// count. Clones share their contents, across threads as well. The table takes at most 60 MB. URLs
/// that have the same [normal form](crate::grammar::normalize) count as equal.
///
/// # Example
///
/// ```
/// use urlgrep::{Evidence, Finder, Join};
///
/// let text = "see http://h.org/a/\nfile.html\nthat is, http://h.org/a/file.html\n";
/// let evidence = Evidence::new();
/// let first = Finder::builder().explain(true).build()?;
/// first.find_iter(text).for_each(|m| evidence.add(&m));
/// let finder = Finder::builder().join(Join::Likely).evidence(evidence).build()?;
/// let urls: Vec<_> = finder.find_iter(text).map(|m| m.to_string()).collect();
/// assert_eq!(urls, ["http://h.org/a/file.html", "http://h.org/a/file.html"]);
/// # Ok::<(), urlgrep::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    seen: Arc<RwLock<Seen>>,
}

impl Evidence {
    /// Returns empty evidence.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a match, unless it is in several pieces.
    ///
    /// A URL at the end of a line is counted separately, because a line break may have truncated it.
    /// This is known only if the finder joins [likely](crate::Join::Likely) URLs or was asked to
    /// [explain](crate::FinderBuilder::explain).
    pub fn add<T: Haystack + ?Sized>(&self, matched: &Match<'_, T>) {
        if matched.text_pieces().nth(1).is_some() {
            return;
        }
        let ends_with_line = |ending: Ending| ending.stop() == Stop::EndOfLine && ending.trimmed() == 0;
        let within = !matched.ending().is_some_and(ends_with_line);
        let whole = UrlHash::of(matched.as_bytes());
        // In RFC 1738 the fragment is not part of the URL.
        let (part, fragment) = matched.split_fragment();
        let part = fragment.map(|_| UrlHash::of(part));
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        seen.add(whole, within);
        if let Some(part) = part {
            seen.add(part, within);
        }
        // A URL in the text may be joined elsewhere.
        #[cfg(feature = "unwrap")]
        if let Some(wrapper) = matched.wrapped() {
            seen.add(UrlHash::of(wrapper), within);
        }
    }

    /// Returns the index of the only one of `readings` that occurs unbroken, or else of the only
    /// one that occurs without its fragment.
    ///
    /// ```
    /// let evidence = urlgrep::Evidence::new();
    /// evidence.add(&urlgrep::find("http://h.org/foobar").unwrap());
    /// let readings = urlgrep::find("<URL:http://h.org/foo-\nbar>").unwrap().hyphen_readings();
    /// assert_eq!(evidence.choose(&readings), Some(1));
    /// ```
    pub fn choose<T: Haystack + ?Sized>(&self, readings: &[Match<'_, T>]) -> Option<usize> {
        let seen = self.read();
        let whole = seen.only(readings.iter().map(Match::as_bytes));
        whole.or_else(|| seen.only(readings.iter().map(|reading| reading.split_fragment().0)))
    }

    /// Returns *n*, the number of times the table was halved. It keeps one in 2ⁿ URLs; *n* is 0 up
    /// to about 3.6 million URLs.
    pub fn halvings(&self) -> u32 {
        self.read().halvings
    }

    /// Returns a view of the current counts. Until the view is dropped, nothing can be added.
    /// Creating it costs as much as several look-ups.
    pub(crate) fn look_up(&self) -> LookUp<'_> {
        LookUp(self.read())
    }

    fn read(&self) -> RwLockReadGuard<'_, Seen> {
        self.seen.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Evidence that is being read.
pub(crate) struct LookUp<'e>(RwLockReadGuard<'e, Seen>);

impl LookUp<'_> {
    /// Returns true if `joined` occurs unbroken, and, if it must be `frequent`, at least as
    /// often as `stem` does within lines.
    pub(crate) fn joins(&self, stem: &[u8], joined: &[u8], frequent: bool) -> bool {
        let seen = &self.0;
        let count = match seen.count(joined) {
            0 => {
                let part = memchr::memchr(b'#', joined).unwrap_or(joined.len());
                // If the fragment starts in the stem, the count would be the stem's.
                if part > stem.len() && part < joined.len() { seen.count(&joined[..part]) } else { 0 }
            }
            count => count,
        };
        let is_frequent = || {
            let stem = UrlHash::of(stem);
            stem.is_kept(seen.halvings) && count >= seen.of(stem).within
        };
        count > 0 && (!frequent || is_frequent())
    }
}

/// The hash of a URL, which is the same for equivalent URLs (RFC 3986, 6.2.2): two
/// bytes identify the family, four the URL.
///
/// The hash has no random seed, so every search keeps the same families. An attacker gains nothing
/// from a collision: an unbroken URL in the input is enough to decide. The table of hashes has a
/// random seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct UrlHash([u8; 6]);

impl UrlHash {
    fn of(url: &[u8]) -> Self {
        let (key, is_normal) = Self::of_bytes(url);
        if is_normal { key } else { Self::of_bytes(&grammar::normalize(url)).0 }
    }

    /// The hash of a URL as it is, and whether normalization certainly changes nothing: no escape,
    /// and no capital letter before the slash that ends the host.
    fn of_bytes(url: &[u8]) -> (Self, bool) {
        let special = url.iter().fold(0, |special, &byte| special | SPECIAL[usize::from(byte)]);
        let whole = hash(url);
        let family = match special & HYPHEN != 0 {
            true => {
                let mut plain = url.to_vec();
                plain.retain(|&byte| byte != b'-');
                hash(&plain)
            }
            false => whole,
        };
        let [.., a, b] = family.to_be_bytes();
        let [c, d, e, f, ..] = whole.to_be_bytes();
        let is_normal = special & PERCENT == 0 && (special & CAPITAL == 0 || !has_capital_before_path(url));
        (UrlHash([a, b, c, d, e, f]), is_normal)
    }

    fn family(self) -> u16 {
        u16::from_be_bytes([self.0[0], self.0[1]])
    }

    /// Returns true if its family is kept after this number of halvings.
    fn is_kept(self, halvings: u32) -> bool {
        self.family().trailing_zeros() >= halvings
    }
}

/// The bits of the bytes that decide whether URLs are equal.
const SPECIAL: [u8; 256] = byte_table!(special);

const fn special(byte: u8) -> u8 {
    match byte {
        b'-' => HYPHEN,
        b'%' => PERCENT,
        b'A'..=b'Z' => CAPITAL,
        _ => 0,
    }
}

const HYPHEN: u8 = 1;
const PERCENT: u8 = 2;
const CAPITAL: u8 = 4;

/// Returns true if a capital letter precedes the third slash of `url`.
fn has_capital_before_path(url: &[u8]) -> bool {
    let host_end = memchr::memchr_iter(b'/', url).nth(2).unwrap_or(url.len());
    url[..host_end].iter().any(u8::is_ascii_uppercase)
}

/// A hash of `bytes`, of which eight at a time are multiplied. The last eight may overlap others.
fn hash(bytes: &[u8]) -> u64 {
    let add = |hash: u64, word: &[u8; 8]| {
        let product = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    };
    let length = bytes.len() as u64;
    spread(match bytes.last_chunk() {
        Some(last) => add(bytes.as_chunks().0.iter().fold(length, add), last),
        None => {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            add(length, &word)
        }
    })
}

/// Lets each bit of a hash change all others: the finalizer of MurmurHash3.
fn spread(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let hash = (hash ^ hash >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ hash >> 33
}

/// The number of times that a URL occurs; 255 means 255 or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    all: u8,
    /// The number of times that it does not end at the end of a line.
    within: u8,
}

/// The URLs that occur in one piece.
#[derive(Debug)]
struct Seen {
    counts: HashMap<UrlHash, Count>,
    /// The maximum number of hashes.
    room: usize,
    /// The number of times that half of the families were removed.
    halvings: u32,
}

impl Default for Seen {
    fn default() -> Self {
        Seen { counts: HashMap::new(), room: MAX_HASHES, halvings: 0 }
    }
}

impl Seen {
    fn add(&mut self, key: UrlHash, within: bool) {
        if !key.is_kept(self.halvings) {
            return;
        }
        let count = self.counts.entry(key).or_default();
        count.all = count.all.saturating_add(1);
        count.within = count.within.saturating_add(u8::from(within));
        while self.counts.len() > self.room {
            self.halvings += 1;
            let halvings = self.halvings;
            self.counts.retain(|key, _| key.is_kept(halvings));
        }
    }

    fn of(&self, key: UrlHash) -> Count {
        self.counts.get(&key).copied().unwrap_or_default()
    }

    fn count(&self, url: &[u8]) -> u8 {
        self.of(UrlHash::of(url)).all
    }

    /// The index of the only one of `urls` that was seen.
    fn only<'u>(&self, urls: impl Iterator<Item = &'u [u8]>) -> Option<usize> {
        let mut seen = urls.enumerate().filter(|(_, url)| self.count(url) > 0).map(|(n, _)| n);
        let first = seen.next();
        if seen.next().is_none() { first } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_room(room: usize, urls: impl Iterator<Item = String>) -> Seen {
        let mut seen = Seen { room, ..Seen::default() };
        urls.for_each(|url| seen.add(UrlHash::of(url.as_bytes()), true));
        seen
    }

    fn url(n: u32) -> String {
        format!("http://h.org/{n}x")
    }

    #[test]
    fn with_enough_room_all_are_known() {
        let seen = with_room(100, (0..100).map(url));
        assert_eq!(seen.halvings, 0);
        assert!((0..100).all(|n| seen.count(url(n).as_bytes()) == 1));
        assert_eq!(seen.count(url(100).as_bytes()), 0);
    }

    #[test]
    fn what_is_kept_does_not_depend_on_the_order() {
        let (there, back) = (with_room(100, (0..1000).map(url)), with_room(100, (0..1000).rev().map(url)));
        assert!(there.halvings > 0 && there.counts.len() <= 100 && there.counts.len() > 10);
        assert_eq!((there.halvings, &there.counts), (back.halvings, &back.counts));
    }

    /// A URL is known with and without a hyphen, or neither.
    #[test]
    fn readings_are_removed_together() {
        let hyphened = |n: u32| format!("http://h.org/{n}-x");
        let seen = with_room(100, (0..1000).map(url).chain((0..1000).map(hyphened)));
        assert!(seen.halvings > 0);
        let counts = |n| (seen.count(url(n).as_bytes()), seen.count(hyphened(n).as_bytes()));
        assert!((0..1000).all(|n| matches!(counts(n), (0, 0) | (1, 1))));
    }

    #[test]
    fn equivalent_urls_have_one_hash() {
        let key = |url: &str| UrlHash::of(url.as_bytes());
        assert_eq!(key("HTTP://H.org/%7ea"), key("http://h.org/~a"));
        assert_ne!(key("http://h.org/a"), key("http://h.org/A"));
        assert_eq!(key("http://h.org/a-b").family(), key("http://h.org/ab").family());
        assert_ne!(key("http://h.org/a-b"), key("http://h.org/ab"));
    }

    #[test]
    fn as_often_as_the_stem_within_lines() {
        let evidence = Evidence::new();
        let finder = crate::Finder::builder().explain(true).build().unwrap();
        let add = |text: &str| finder.find_iter(text).for_each(|m| evidence.add(&m));
        let joins = |frequent| evidence.look_up().joins(b"http://h.org/a", b"http://h.org/ab", frequent);
        add("http://h.org/a\nhttp://h.org/a\n");
        assert!(!joins(false));
        add("http://h.org/ab\n");
        assert!(joins(false) && joins(true));
        for frequent in [true, false] {
            add("http://h.org/a is one.\n");
            assert_eq!((joins(false), joins(true)), (true, frequent));
        }
    }

    /// If the stem was forgotten, the number of its occurrences is unknown.
    #[test]
    fn a_stem_that_was_forgotten() {
        let is_kept = |url: &str| UrlHash::of(url.as_bytes()).is_kept(1);
        for kept in [true, false] {
            let mut stems =
                (0..).map(url).filter(|stem| is_kept(stem) == kept && is_kept(&format!("{stem}y")));
            let stem = stems.next().unwrap();
            let joined = format!("{stem}y");
            let counts = HashMap::from([(UrlHash::of(joined.as_bytes()), Count { all: 1, within: 1 })]);
            let evidence =
                Evidence { seen: Arc::new(RwLock::new(Seen { counts, halvings: 1, ..Seen::default() })) };
            let joins = |frequent| evidence.look_up().joins(stem.as_bytes(), joined.as_bytes(), frequent);
            assert_eq!((joins(false), joins(true)), (true, kept), "{stem}");
        }
    }

    #[test]
    fn a_fragment_is_no_evidence_for_itself() {
        let evidence = Evidence::new();
        evidence.add(&crate::find("http://h.org/ab").unwrap());
        assert!(evidence.look_up().joins(b"http://h.org/a", b"http://h.org/ab#c", false));
        assert!(!evidence.look_up().joins(b"http://h.org/ab", b"http://h.org/ab#c", false));
    }
}
