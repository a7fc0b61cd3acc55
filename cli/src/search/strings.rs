//! `--strings-file`: URLs that contain one of many strings.
//!
//! There may be a hundred thousand strings, and a run may see only a few thousand URLs, so
//! it must cost little to prepare them. The first bytes of a string, as many as the shortest
//! string has and at most eight, are its *start*. It is looked up at each byte of a URL.
//!
//! 1. A [bitmap](Bitmap) says that almost all of these are the start of no string.
//! 2. A hash map has, for each start, the strings that have it. They are sorted, and none
//!    begins with another one, so only the last one that is not greater than the rest of
//!    the URL can be there.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use crate::input::read_list;

/// A set of strings. It is made in the time that sorting them takes.
#[derive(Debug)]
pub struct Strings {
    /// Sorted; none begins with another one, and none is empty.
    strings: Vec<Box<[u8]>>,
    /// How many bits of the last eight bytes are not of a start.
    shift: u32,
    /// Which of the strings have a start.
    having: HashMap<u64, Range<usize>>,
    bitmap: Bitmap,
}

impl Strings {
    /// The strings in these files, one on each line.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read<'p>(files: impl IntoIterator<Item = &'p Path>) -> anyhow::Result<Strings> {
        let mut strings = Vec::new();
        for path in files {
            let list = read_list(path)?;
            let lines =
                list.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
            strings.extend(lines.filter(|line| !line.is_empty()).map(Box::from));
        }
        Ok(Strings::new(strings))
    }

    /// A set of strings, none of which is empty.
    fn new(mut strings: Vec<Box<[u8]>>) -> Strings {
        strings.sort_unstable();
        // A URL that contains the longer one contains the shorter one, too.
        strings.dedup_by(|next, string| next.starts_with(string));
        let width = strings.iter().map(|string| string.len().min(8)).min().unwrap_or(8);
        let shift = 64 - 8 * width as u32;
        let mut having: HashMap<u64, Range<usize>> = HashMap::new();
        let mut bitmap = Bitmap::new();
        for (n, string) in strings.iter().enumerate() {
            let start = string[..width].iter().fold(0, |last, &byte| followed_by(last, byte)) >> shift;
            having.entry(start).or_insert(n..n).end = n + 1;
            bitmap.insert(start);
        }
        Strings { strings, shift, having, bitmap }
    }

    /// Whether `url` contains one of them. Reads each byte of `url` once, and again where a
    /// string starts alike.
    pub fn are_in(&self, url: &[u8]) -> bool {
        let width = 8 - self.shift as usize / 8;
        let mut last = 0;
        url.iter().enumerate().any(|(at, &byte)| {
            last = followed_by(last, byte);
            let start = last >> self.shift;
            at + 1 >= width && self.bitmap.has(start) && self.is_at(start, &url[at + 1 - width..])
        })
    }

    /// Whether `rest`, which begins with `start`, begins with one of them.
    fn is_at(&self, start: u64, rest: &[u8]) -> bool {
        let Some(having) = self.having.get(&start) else { return false };
        let strings = &self.strings[having.clone()];
        let after = strings.partition_point(|string| **string <= *rest);
        strings[..after].last().is_some_and(|string| rest.starts_with(string))
    }
}

/// The last eight bytes, after one more byte.
fn followed_by(last: u64, byte: u8) -> u64 {
    last >> 8 | u64::from(byte) << 56
}

/// Numbers by their hashes: it may have a number that was not inserted, but it is small
/// enough for the second cache.
#[derive(Debug)]
struct Bitmap(Box<[u64]>);

impl Bitmap {
    /// How many bits there are, as a power of two: 512 KB, of which a hundred thousand
    /// numbers set the fortieth part.
    const BITS: u32 = 22;

    fn new() -> Bitmap {
        Bitmap(vec![0; 1 << (Self::BITS - 6)].into())
    }

    fn insert(&mut self, number: u64) {
        let (word, bit) = Self::place(number);
        self.0[word] |= bit;
    }

    fn has(&self, number: u64) -> bool {
        let (word, bit) = Self::place(number);
        self.0[word] & bit != 0
    }

    /// The index of its word, and its bit there. The highest bits of the product depend on
    /// all bits of the number.
    fn place(number: u64) -> (usize, u64) {
        let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - Self::BITS);
        ((hash >> 6) as usize, 1 << (hash & 63))
    }
}

#[cfg(test)]
mod tests {
    use aho_corasick::AhoCorasick;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn strings(list: &[&str]) -> Strings {
        Strings::new(list.iter().map(|string| string.as_bytes().into()).collect())
    }

    #[test]
    fn a_url_that_contains_one_of_them() {
        let strings = strings(&["h.org/a", "h.org/aa", "ftp", "h.org/b/c/d/e/f/g"]);
        for url in ["http://h.org/a", "http://h.org/aaa", "ftp:", "http://h.org/b/c/d/e/f/g", "sftp"] {
            assert!(strings.are_in(url.as_bytes()), "{url}");
        }
        for url in ["", "f", "ft", "http://h.org/", "http://h.org/b/c/d/e/f/", "FTP"] {
            assert!(!strings.are_in(url.as_bytes()), "{url}");
        }
    }

    #[test]
    fn strings_of_one_byte_and_of_many() {
        let strings = strings(&["~", "http://h.org/long"]);
        assert!(strings.are_in(b"http://h.org/long/"));
        assert!(strings.are_in(b"http://h.org/~a"));
        assert!(!strings.are_in(b"http://h.org/lon"));
    }

    #[test]
    fn no_strings() {
        assert!(!strings(&[]).are_in(b"http://h.org/"));
    }

    proptest! {
        #[test]
        fn as_aho_corasick_says(list in vec("[ab]{1,12}", 0..20), url in "[abc]{0,40}") {
            let list: Vec<&str> = list.iter().map(String::as_str).collect();
            let automaton = AhoCorasick::new(&list).expect("few strings");
            prop_assert_eq!(strings(&list).are_in(url.as_bytes()), automaton.is_match(&url));
        }
    }
}
