//! A large file that is compressed, in sections, which several threads decompress and search.
//!
//! Some compressed files have [`entries`]: places where one can begin to decompress, whose
//! offsets in the decompressed file are known without doing that. From an entry on, a [`Section`]
//! starts at the first message, or after the first empty line, and goes on to the start of the next
//! section, beyond the next entry. An entry that neither follows soon starts no section: then the
//! section before it goes on.
//!
//! A compressed mbox without entries is searched in [parts](super::parts).

mod bgzf;
mod entries;
mod reader;
mod starts;
mod unit;
mod xz;
mod zstd;

use std::fs::File;
use std::path::{Path, PathBuf};

use urlgrep::archive::{Format, ReadOptions};

use self::entries::{Entries, Entry};
pub use self::reader::SectionReader;

/// A section of a file.
#[derive(Clone, Debug)]
pub struct Section {
    pub path: PathBuf,
    /// Mbox or text.
    pub format: Format,
    /// The length of the bytes between its entries, compressed.
    pub len: u64,
    /// The entry before its start, and the one before the start of the next section.
    entry: Entry,
    next: Option<Entry>,
    /// The entries after that.
    entries: Entries,
}

impl Section {
    /// Whether no other follows.
    pub fn is_last(&self) -> bool {
        self.next.is_none()
    }
}

/// The sections of a file, in order. Together they are the whole file.
pub struct Sections {
    path: PathBuf,
    file: File,
    format: Format,
    entries: Entries,
    /// The entry of the next section; none after the last.
    entry: Option<Entry>,
    /// The length of the file.
    len: u64,
}

impl Sections {
    /// The sections of a file, if it has several.
    pub fn new(path: &Path, options: &ReadOptions) -> Option<Sections> {
        let mut file = File::open(path).ok()?;
        let len = file.metadata().ok()?.len();
        let entries = Entries::of(&mut file)?;
        entries.clone().next(&mut file)?;
        let mut files = entries.open(path, Entry::default(), None).ok()?;
        let format = starts::format(&mut files, options).ok()??;
        Some(Sections { path: path.to_owned(), file, format, entries, entry: Some(Entry::default()), len })
    }

    /// The format of what is compressed: mbox or text.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl Iterator for Sections {
    type Item = Section;

    fn next(&mut self) -> Option<Section> {
        let entry = self.entry?;
        self.entry = self.entries.next(&mut self.file);
        let end = self.entry.map_or(self.len.max(entry.at), |next| next.at);
        Some(Section {
            path: self.path.clone(),
            format: self.format,
            len: end - entry.at,
            entry,
            next: self.entry,
            entries: self.entries.clone(),
        })
    }
}

#[cfg(test)]
mod tests;
