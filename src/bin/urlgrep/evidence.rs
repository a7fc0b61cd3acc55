//! `--hyphen evidence`: which of its readings a broken URL is, because that one
//! also occurs in one piece.
//!
//! Where a line broke after a hyphen, a URL has several readings that are equally
//! well formed. If exactly one of them was found elsewhere, unbroken, it is the
//! answer. Otherwise the rule decides that goes for all hyphens.
//!
//! Of the URLs that are found in one piece only hashes are kept, and no more than
//! [`ROOM`] of them. If there are more, those of every other *family* are
//! forgotten, and of what is left again, as often as it takes. A family is all
//! that is the same but for hyphens, so that the readings of a URL are kept or
//! forgotten together: what is known of one is known of all, and nothing is
//! decided because something was forgotten. Which families are kept depends on
//! nothing but the URLs, whatever their order; so a search by several threads says
//! the same as one.
//!
//! The URL that speaks for a reading may come behind it. So all inputs are gone
//! through twice if they are files: first to gather, then to print. A pipe can be
//! read but once. If there is one among the inputs, they are searched in order, by
//! one thread, and what was found before a URL is all that speaks for it.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::anyhow;
use urlgrep::{Match, grammar};

use crate::hit::Settled;
use crate::threads::{self, Work};

/// How many hashes are kept at most: as many as a table of 2²² places holds, which
/// takes 38 MB, and half as much again while it grows to that.
const ROOM: usize = (1 << 22) / 8 * 7 - 1;

/// The bits of a hash that tell the family.
const FAMILY: u64 = 0xFFFF;

/// How often the inputs are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Twice, and this is when evidence is gathered.
    First,
    /// Twice, and this is when it counts.
    Second,
    /// Once.
    Only,
}

/// What speaks for the readings of broken URLs.
#[derive(Clone, Debug)]
pub struct Evidence {
    pass: Pass,
    seen: Arc<Mutex<Seen>>,
}

impl Evidence {
    /// None yet.
    pub fn new() -> Evidence {
        Evidence { pass: Pass::Only, seen: Arc::new(Mutex::new(Seen::new(ROOM))) }
    }

    /// The same in this pass.
    fn within(&self, pass: Pass) -> Evidence {
        Evidence { pass, seen: Arc::clone(&self.seen) }
    }

    /// What is to be told if there was not room enough for all.
    pub fn note(&self) -> Option<anyhow::Error> {
        let seen = self.lock();
        (seen.halvings > 0).then(|| {
            let (room, part) = (seen.room, 1u128 << seen.halvings.min(64));
            anyhow!("--hyphen evidence: more than {room} URLs; of {part} only one counts as evidence")
        })
    }

    /// What settles how the hyphens of a find are read, if the find is wanted. One
    /// that is in one piece is evidence for others.
    fn settle(&self, found: &Match<'_>) -> Option<Settled> {
        if self.pass != Pass::Second && found.segments().nth(1).is_none() {
            self.lock().add(found);
        }
        if self.pass == Pass::First {
            return None;
        }
        let readings = found.hyphen_readings();
        if readings.is_empty() {
            return Some(Settled::WithoutDoubt);
        }
        Some(self.lock().choose(&readings).map_or(Settled::ByRule, Settled::ByEvidence))
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What becomes of a find by the evidence, if there is to be any: which of its
/// readings takes its place, if that is another one, and what settled it. Nothing
/// if finds are only gathered.
pub fn weigh<T>(
    evidence: &Option<Evidence>,
    found: &Match<'_>,
    readings: impl FnOnce() -> Vec<T>,
) -> Option<(Option<T>, Option<Settled>)> {
    let Some(evidence) = evidence else { return Some((None, None)) };
    let settled = evidence.settle(found)?;
    let reading = match settled {
        Settled::ByEvidence(n) => readings().into_iter().nth(n),
        Settled::ByRule | Settled::WithoutDoubt => None,
    };
    Some((reading, Some(settled)))
}

/// Gathers what is needed of evidence before the search. Says how many of so many
/// threads may search then.
pub fn prepare(work: &mut Work, threads: usize) -> usize {
    let Some(evidence) = work.search.evidence.clone() else { return threads };
    if !work.roots.can_be_read_again() {
        return 1;
    }
    // What goes wrong will go wrong again, and is told then.
    let (turns, budget) = threads::start(work.only_to(evidence.within(Pass::First)), threads);
    for turn in turns {
        turn.said.iter().for_each(drop);
        budget.next_turn();
    }
    // Nobody wants to know that all was read twice.
    work.counters.bytes.store(0, Ordering::Relaxed);
    work.search.evidence = Some(evidence.within(Pass::Second));
    threads
}

/// The hashes of the URLs that were found in one piece.
#[derive(Debug)]
struct Seen {
    hashes: HashSet<u64>,
    /// How many there may be.
    room: usize,
    /// How often half of the families were forgotten.
    halvings: u32,
}

impl Seen {
    fn new(room: usize) -> Seen {
        Seen { hashes: HashSet::new(), room, halvings: 0 }
    }

    /// Adds a URL, and the same without its fragment, by which RFC 1738 does not
    /// tell URLs apart.
    fn add(&mut self, found: &Match<'_>) {
        self.add_hash(hash(found.as_bytes()));
        if found.fragment().is_some() {
            self.add_hash(hash(found.without_fragment()));
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

    /// The number of the only reading that is among them; failing that, of the only
    /// one that is but for its fragment.
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

/// Whether the family of a hash is kept after so many halvings.
fn is_known(hash: u64, halvings: u32) -> bool {
    hash.trailing_zeros() >= halvings
}

/// The hash of a URL, which is the same for those that are equivalent (RFC 3986,
/// 6.2.2).
///
/// It is the same in each run, and so is what is forgotten. Whoever wants to
/// mislead need not find two URLs with the same hash: to write one is enough. The
/// set that holds the hashes is another matter, and has a seed of its own.
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
    fn as_long_as_there_is_room_all_are_known() {
        let seen = seen(100, 0..100);
        assert_eq!(seen.halvings, 0);
        assert!((0..100).all(|n| choose(&seen, &urls(n).0) == Some(1)));
        assert_eq!(choose(&seen, &urls(100).0), None);
    }

    #[test]
    fn what_is_forgotten_does_not_depend_on_the_order() {
        let (there, back) = (seen(100, 0..1000), seen(100, (0..1000).rev()));
        assert!(there.halvings > 0 && there.hashes.len() <= 100 && there.hashes.len() > 10);
        assert_eq!((there.halvings, &there.hashes), (back.halvings, &back.hashes));
    }

    /// With a hyphen and without, a URL is known or forgotten.
    #[test]
    fn readings_are_forgotten_together() {
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
