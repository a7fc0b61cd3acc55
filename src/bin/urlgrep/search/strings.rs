//! `--strings-file`: URLs that contain one of many strings.
//!
//! The strings become one automaton (Aho and Corasick, 1975), which reads each byte of a
//! URL once, however many strings there are. A URL is short, so the automaton is the one
//! that is built fastest.

use std::path::Path;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use anyhow::anyhow;

use crate::error::failure;
use crate::input::read_list;

/// A set of strings.
#[derive(Debug)]
pub struct Strings(AhoCorasick);

impl Strings {
    /// The strings in these files, one on each line.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or has too many strings.
    pub fn read<'p>(files: impl IntoIterator<Item = &'p Path>) -> anyhow::Result<Strings> {
        let mut strings = Vec::new();
        for path in files {
            let list = read_list(path)?;
            let lines =
                list.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
            strings.extend(lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec));
        }
        let mut builder = AhoCorasick::builder();
        builder.kind(Some(AhoCorasickKind::ContiguousNFA)).match_kind(MatchKind::Standard);
        match builder.build(&strings) {
            Ok(automaton) => Ok(Strings(automaton)),
            Err(error) => Err(failure(Path::new("--strings-file"), anyhow!("{error}"))),
        }
    }

    /// Whether `url` contains one of them.
    pub fn are_in(&self, url: &[u8]) -> bool {
        self.0.is_match(url)
    }
}
