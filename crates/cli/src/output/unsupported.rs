//! Files that are not read, because their format is known and not text, and notices about parts of files.
//!
//! Images and programs found while walking a directory are skipped silently, as grep skips binary files. For each other
//! format, the first files are reported as errors and the others are counted, because a directory may have thousands. On
//! a terminal, only the first notice of a kind is printed, and the others are counted.

use std::io::{self, IsTerminal};

use urlgrep::archive::Binary;

/// The number of files of a format that are reported. The others are counted.
const NAMED: u64 = 3;

/// The number of files of each format, in the order of their first file.
pub type ByFormat = Vec<(Binary, u64)>;

/// The files of a search that are not read.
#[derive(Debug, Default)]
pub struct UnsupportedFiles {
    /// Those that are skipped silently.
    pub skipped: ByFormat,
    pub listed: ByFormat,
}

impl UnsupportedFiles {
    /// Counts a file that is not skipped silently. Returns true if it is reported.
    pub fn add(&mut self, binary: Binary) -> bool {
        count(&mut self.listed, binary) <= NAMED
    }

    /// Returns the formats of files that were not named, and how many these are.
    pub fn not_named(&self) -> impl Iterator<Item = (Binary, u64)> {
        self.listed.iter().filter(|(_, files)| *files > NAMED).map(|&(binary, files)| (binary, files - NAMED))
    }
}

/// The number of kinds of notices that are counted; notices of further kinds are all printed.
const MOST_KINDS: usize = 100;

/// The number of notices of each kind that a terminal does not show.
#[derive(Debug)]
pub struct Notices {
    /// `None` off a terminal, where all are printed.
    kinds: Option<Vec<(String, u64)>>,
}

impl Notices {
    /// Returns no notices yet, which are printed on standard error.
    pub fn new() -> Notices {
        Notices { kinds: io::stderr().is_terminal().then(Vec::new) }
    }

    /// Counts a notice. Returns whether it is printed. Its kind is the reason without the text in parentheses.
    pub fn add(&mut self, reason: &str) -> bool {
        let Some(kinds) = &mut self.kinds else { return true };
        let kind = reason.split(" (").next().unwrap_or_default();
        // A reason may quote the input, so each could be a new kind.
        let is_counted = kinds.len() < MOST_KINDS || kinds.iter().any(|(known, _)| known == kind);
        !is_counted || count(kinds, kind.to_owned()) == 1
    }

    /// Returns the kinds of notices that were not printed, and how many these are.
    pub fn not_printed(&self) -> impl Iterator<Item = (&str, u64)> {
        let kinds = self.kinds.iter().flatten();
        kinds.filter(|(_, notices)| *notices > 1).map(|(kind, notices)| (&**kind, notices - 1))
    }
}

/// Counts one more of a kind. Returns the number of these so far.
pub fn count<K: PartialEq>(kinds: &mut Vec<(K, u64)>, kind: K) -> u64 {
    if let Some((_, count)) = kinds.iter_mut().find(|(other, _)| *other == kind) {
        *count += 1;
        return *count;
    }
    kinds.push((kind, 1));
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_notice_of_a_kind_is_printed() {
        let mut notices = Notices { kinds: Some(Vec::new()) };
        assert!(notices.add("is encrypted (RC4)") && !notices.add("is encrypted (AES)"));
        for n in 1..MOST_KINDS {
            assert!(notices.add(&format!("has the charset {n}")) && !notices.add("is encrypted"));
        }
        // A new kind beyond the limit is printed; a known kind is only counted.
        assert!(notices.add("is new") && notices.add("is new") && !notices.add("has the charset 1"));
        let counted: Vec<_> = notices.not_printed().collect();
        assert_eq!(counted, [("is encrypted", MOST_KINDS as u64), ("has the charset 1", 1)]);
        assert!(Notices { kinds: None }.add("is encrypted"));
    }

    /// Notices of the kinds that are counted are printed once, and all others each time.
    #[test]
    fn the_number_of_kinds_of_notices() {
        let mut notices = Notices { kinds: Some(Vec::new()) };
        let kind = |n: usize| format!("kind {n} (of a file)");
        for n in 0..MOST_KINDS + 1 {
            assert!(notices.add(&kind(n)), "{n}");
        }
        assert!(!notices.add("kind 0 (of another file)"));
        assert!(!notices.add(&kind(MOST_KINDS - 1)));
        assert!(notices.add(&kind(MOST_KINDS)));
        let last = format!("kind {}", MOST_KINDS - 1);
        assert_eq!(notices.not_printed().collect::<Vec<_>>(), [("kind 0", 1), (&*last, 1)]);
        let mut all = Notices { kinds: None };
        assert!(all.add("a") && all.add("a"));
    }
}
