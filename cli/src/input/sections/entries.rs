//! The places in a compressed file where one can begin to decompress.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use urlgrep::archive::Files;

use super::unit::Unit;
use super::xz::Index;
use super::{bgzf, zstd};
use crate::input::Counted;

/// The length of what is between two entries, at least, decompressed, in bytes.
const MIN_LEN: u64 = 4 * 1024 * 1024;

/// A place in a compressed file where one can begin to decompress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The offset in the file.
    pub at: u64,
    /// The offset in the decompressed file.
    pub start: u64,
}

/// The format of a file with units whose lengths can be read.
#[derive(Clone, Debug)]
enum Units {
    Bgzf,
    Zstd,
    Xz(Arc<Index>),
}

impl Units {
    /// The unit at `at`, if there is one that says how long it is.
    fn unit(&self, file: &mut File, at: u64) -> Option<Unit> {
        match self {
            Units::Bgzf => bgzf::member(file, at),
            Units::Zstd => zstd::frame(file, at),
            Units::Xz(index) => index.block(at),
        }
    }
}

/// The entries of a file after the first, which are looked for when they are wanted.
#[derive(Clone, Debug)]
pub struct Entries {
    units: Units,
    /// The last entry.
    last: Entry,
    /// The unit there.
    unit: Unit,
}

impl Entries {
    /// The entries of a file, if it has units.
    pub fn of(file: &mut File) -> Option<Entries> {
        let first = |units: Units, file: &mut File| {
            let unit = units.unit(file, 0)?;
            Some(Entries { units, last: Entry::default(), unit })
        };
        first(Units::Bgzf, file)
            .or_else(|| first(Units::Zstd, file))
            .or_else(|| first(Units::Xz(Arc::new(Index::of(file)?)), file))
    }

    /// The next entry; none if there is no other, also where the file is damaged or cut off: what
    /// follows the last entry is read to the end of the file, and shows that.
    pub fn next(&mut self, file: &mut File) -> Option<Entry> {
        let from = self.last.start;
        while self.last.start - from < MIN_LEN {
            let at = self.last.at.checked_add(self.unit.len)?;
            let start = self.last.start.checked_add(self.unit.decompressed)?;
            self.unit = self.units.unit(file, at)?;
            self.last = Entry { at, start };
        }
        Some(self.last)
    }

    /// The decompressed data from an entry to a later one, or to the end.
    pub fn open(&self, path: &Path, from: Entry, to: Option<Entry>) -> io::Result<Files<Box<dyn Read>>> {
        let mut file = File::open(path)?;
        let bytes = |at, end: Option<u64>| {
            file.seek(SeekFrom::Start(at))?;
            let file = Counted::new(file, &Arc::default());
            Ok::<_, io::Error>(file.take(end.map_or(u64::MAX, |end| end - at)))
        };
        let end = to.map(|to| to.at);
        let input: Box<dyn Read> = match &self.units {
            Units::Bgzf | Units::Zstd => Box::new(bytes(from.at, end)?),
            Units::Xz(index) => {
                let (before, blocks, after) = index.stream(from.at, end);
                Box::new(before.chain(bytes(blocks.start, Some(blocks.end))?).chain(after))
            }
        };
        Files::of_rest(input, from.start)
    }
}
