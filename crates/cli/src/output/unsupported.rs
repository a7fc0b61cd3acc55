//! Files that are not read, because their format is known and not text.
//!
//! Images and programs found while walking a directory are skipped silently, as grep skips binary files. Any other
//! such file is an error, and the first ones of each format are named; a directory may have thousands.

use urlgrep::archive::Binary;

/// The number of files of a format that are reported. The others are counted.
const NAMED: u64 = 3;

/// The number of files of each format, in the order of their first file.
pub type ByFormat = Vec<(Binary, u64)>;

/// The files of a search that are not read.
#[derive(Debug, Default)]
pub struct UnreadFiles {
    pub skipped: ByFormat,
    pub unread: ByFormat,
}

impl UnreadFiles {
    /// Counts a file that is skipped silently.
    pub fn skip(&mut self, binary: Binary) {
        count(&mut self.skipped, binary);
    }

    /// Counts any other file. Returns whether it is named.
    pub fn add(&mut self, binary: Binary) -> bool {
        count(&mut self.unread, binary) <= NAMED
    }

    /// Returns the formats of files that were not named, and how many these are.
    pub fn not_named(&self) -> impl Iterator<Item = (Binary, u64)> {
        self.unread.iter().filter(|(_, files)| *files > NAMED).map(|&(binary, files)| (binary, files - NAMED))
    }
}

/// Counts one more file of a format. Returns the number of its files so far.
fn count(files: &mut ByFormat, binary: Binary) -> u64 {
    if let Some((_, count)) = files.iter_mut().find(|(other, _)| *other == binary) {
        *count += 1;
        return *count;
    }
    files.push((binary, 1));
    1
}
