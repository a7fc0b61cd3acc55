//! `--hyphen evidence`: which reading of a broken URL also occurs unbroken.
//!
//! A URL with a line break after a hyphen has several readings that are equally well
//! formed. If exactly one of them occurs elsewhere in one piece, it is the answer.
//! Otherwise the rule of `--hyphen keep` decides.
//!
//! Only hashes of the unbroken URLs are kept, at most [`ROOM`]. If there are more, the
//! hashes of every other *family* are removed, and of the rest again, as often as
//! necessary. A family is all URLs that differ only in hyphens, so the readings of a
//! URL are kept or removed together, and a removed hash never decides anything. The
//! families that are kept depend only on the URLs, not on their order. So a search
//! with several threads has the same result as with one.
//!
//! The unbroken URL may come later in the input. So files are read twice: first to
//! gather evidence, then to print. A pipe can be read only once. If an input is a
//! pipe, one thread searches all inputs in order, and only earlier URLs are evidence.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::anyhow;
use urlgrep::{Match, grammar};

use crate::output::hit::HyphenDecision;

/// The number of hashes that are kept, at most: the capacity of a table with 2²²
/// slots, which takes 38 MB, and half as much again while it grows.
const ROOM: usize = (1 << 22) / 8 * 7 - 1;

/// The bits of a hash that identify the family.
const FAMILY: u64 = 0xFFFF;

/// The passes over the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// The first of two, which gathers evidence.
    Gather,
    /// The second of two, which uses it.
    Use,
    /// The only one.
    Only,
}

/// The unbroken URLs of the inputs.
#[derive(Clone, Debug)]
pub struct Evidence {
    pass: Pass,
    seen: Arc<Mutex<Seen>>,
}

impl Evidence {
    /// No evidence yet.
    pub fn new() -> Evidence {
        Evidence { pass: Pass::Only, seen: Arc::new(Mutex::new(Seen::new(ROOM))) }
    }

    /// The same evidence in another pass.
    pub fn in_pass(&self, pass: Pass) -> Evidence {
        Evidence { pass, seen: Arc::clone(&self.seen) }
    }

    /// A warning, if there was not enough room for all URLs.
    pub fn note(&self) -> Option<anyhow::Error> {
        let seen = self.lock();
        (seen.halvings > 0).then(|| {
            let (room, part) = (seen.room, 1u128 << seen.halvings.min(64));
            anyhow!("--hyphen evidence: more than {room} URLs; only one in {part} was used as evidence")
        })
    }

    /// What decides the hyphens of a match; none if this pass only gathers evidence. A
    /// match in one piece is evidence for others.
    fn decide(&self, matched: &Match<'_>) -> Option<HyphenDecision> {
        if self.pass != Pass::Use && matched.segments().nth(1).is_none() {
            self.lock().add(matched);
        }
        if self.pass == Pass::Gather {
            return None;
        }
        let readings = matched.hyphen_readings();
        if readings.is_empty() {
            return Some(HyphenDecision::NoDoubt);
        }
        Some(self.lock().choose(&readings).map_or(HyphenDecision::ByRule, HyphenDecision::ByEvidence))
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reading that replaces a match, if evidence decides for another reading, and
/// what decided. None if this pass only gathers evidence.
pub fn weigh<T>(
    evidence: &Option<Evidence>,
    matched: &Match<'_>,
    readings: impl FnOnce() -> Vec<T>,
) -> Option<(Option<T>, Option<HyphenDecision>)> {
    let Some(evidence) = evidence else { return Some((None, None)) };
    let decision = evidence.decide(matched)?;
    let reading = match decision {
        HyphenDecision::ByEvidence(n) => readings().into_iter().nth(n),
        HyphenDecision::ByRule | HyphenDecision::NoDoubt => None,
    };
    Some((reading, Some(decision)))
}

/// The hashes of the URLs that occur in one piece.
#[derive(Debug)]
struct Seen {
    hashes: HashSet<u64>,
    /// The maximum number of hashes.
    room: usize,
    /// The number of times that half of the families were removed.
    halvings: u32,
}

impl Seen {
    fn new(room: usize) -> Seen {
        Seen { hashes: HashSet::new(), room, halvings: 0 }
    }

    /// Adds a URL, with its fragment and without: in RFC 1738 the fragment is not part
    /// of the URL.
    fn add(&mut self, matched: &Match<'_>) {
        self.add_hash(hash(matched.as_bytes()));
        if matched.fragment().is_some() {
            self.add_hash(hash(matched.without_fragment()));
        }
    }

    fn add_hash(&mut self, hash: u64) {
        if !is_known(hash, self.halvings) {
            return;
        }
        self.hashes.insert(hash);
        while self.hashes.len() > self.room {
            self.halvings += 1;
            let halvings = self.halvings;
            self.hashes.retain(|&hash| is_known(hash, halvings));
        }
    }

    /// The number of the only reading that was seen, or else of the only one that was
    /// seen without its fragment.
    fn choose(&self, readings: &[Match<'_>]) -> Option<usize> {
        let whole = self.only(readings.iter().map(Match::as_bytes));
        whole.or_else(|| self.only(readings.iter().map(Match::without_fragment)))
    }

    fn only<'u>(&self, urls: impl Iterator<Item = &'u [u8]>) -> Option<usize> {
        let mut seen = urls.enumerate().filter(|(_, url)| self.hashes.contains(&hash(url))).map(|(n, _)| n);
        let first = seen.next();
        if seen.next().is_none() { first } else { None }
    }
}

/// Whether the family of a hash is kept after this number of halvings.
fn is_known(hash: u64, halvings: u32) -> bool {
    hash.trailing_zeros() >= halvings
}

/// The hash of a URL, which is the same for equivalent URLs (RFC 3986, 6.2.2).
///
/// It has no random seed, so every search keeps the same families. An attacker gains
/// nothing from a collision: an unbroken URL in the input is enough to decide. The
/// set of hashes has a random seed.
fn hash(url: &[u8]) -> u64 {
    let url = grammar::normalize(url);
    let family: Vec<u8> = url.iter().copied().filter(|&byte| byte != b'-').collect();
    sip(&url) & !FAMILY | sip(&family) & FAMILY
}

fn sip(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A broken URL, and one of its readings in one piece.
    fn urls(n: u32) -> (String, String) {
        (format!("<URL:http://h.org/{n}-\nx>"), format!("http://h.org/{n}x"))
    }

    fn seen(room: usize, numbers: impl Iterator<Item = u32>) -> Seen {
        let mut seen = Seen::new(room);
        for n in numbers {
            let (_, url) = urls(n);
            seen.add(&urlgrep::find(&url).unwrap());
        }
        seen
    }

    fn choose(seen: &Seen, text: &str) -> Option<usize> {
        seen.choose(&urlgrep::find(text).unwrap().hyphen_readings())
    }

    #[test]
    fn with_enough_room_all_are_known() {
        let seen = seen(100, 0..100);
        assert_eq!(seen.halvings, 0);
        assert!((0..100).all(|n| choose(&seen, &urls(n).0) == Some(1)));
        assert_eq!(choose(&seen, &urls(100).0), None);
    }

    #[test]
    fn what_is_kept_does_not_depend_on_the_order() {
        let (there, back) = (seen(100, 0..1000), seen(100, (0..1000).rev()));
        assert!(there.halvings > 0 && there.hashes.len() <= 100 && there.hashes.len() > 10);
        assert_eq!((there.halvings, &there.hashes), (back.halvings, &back.hashes));
    }

    /// A URL is known with and without a hyphen, or neither.
    #[test]
    fn readings_are_removed_together() {
        let mut seen = seen(100, 0..1000);
        for n in 0..1000 {
            let kept = format!("http://h.org/{n}-x");
            seen.add(&urlgrep::find(&kept).unwrap());
        }
        assert!(seen.halvings > 0);
        assert!((0..1000).all(|n| choose(&seen, &urls(n).0).is_none()));
    }

    #[test]
    fn equivalent_urls_have_one_hash() {
        assert_eq!(hash(b"HTTP://H.org/%7ea"), hash(b"http://h.org/~a"));
        assert_ne!(hash(b"http://h.org/a"), hash(b"http://h.org/A"));
        assert_eq!(hash(b"http://h.org/a-b") & FAMILY, hash(b"http://h.org/ab") & FAMILY);
        assert_ne!(hash(b"http://h.org/a-b"), hash(b"http://h.org/ab"));
    }
}
