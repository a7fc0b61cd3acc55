//! Matches in files that a git work tree ignores: the output of a build and the like.
//!
//! They are searched: a mailbox must not be missed because of a `.gitignore`. In a source tree they
//! are rarely wanted, so on a terminal a hint counts them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Roots;

/// The number of matches in each file, until it is known which of them are ignored.
#[derive(Debug)]
pub struct IgnoredMatches {
    roots: Arc<Roots>,
    matches: HashMap<PathBuf, u64>,
}

impl IgnoredMatches {
    /// Returns a count for these roots, if one of them is in a git work tree.
    pub fn new(roots: &Arc<Roots>) -> Option<Self> {
        let is_wanted = !roots.walk.options.ignore && roots.directories().any(is_in_work_tree);
        is_wanted.then(|| IgnoredMatches { roots: Arc::clone(roots), matches: HashMap::new() })
    }

    /// Adds the matches of a file that is not an archive member.
    pub fn add(&mut self, name: &Path, matches: u64) {
        if matches > 0 {
            *self.matches.entry(name.to_owned()).or_default() += matches;
        }
    }

    /// Returns a hint about skipping the matches in ignored files, if any were found. This walks
    /// the directories.
    pub fn hint(mut self) -> Option<String> {
        for file in self.roots.not_ignored() {
            self.matches.remove(&file);
        }
        let (files, matches) = (self.matches.len(), self.matches.values().sum::<u64>());
        let are = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        (matches > 0).then(|| {
            let (matches, files) = (are(matches, "URL"), are(files as u64, "file"));
            format!("hint: {matches} in {files} that git ignores; to skip them, use --ignore")
        })
    }
}

fn is_in_work_tree(directory: &Path) -> bool {
    directory.canonicalize().is_ok_and(|path| path.ancestors().any(|path| path.join(".git").exists()))
}
