//! What is searched: paths, directories, file types, and the pieces of large files.
//!
//! `roots` are the paths that the user named. `walk` yields the files below a
//! directory, and `types` selects them by name. `piece` divides a large file, so that several
//! threads can search it; if it is compressed, at its seek `points`.

mod ahead;
mod counted;
mod file;
mod file_id;
mod files;
mod hidden;
mod list;
mod piece;
mod points;
mod pre;
mod roots;
pub mod types;
mod units;
mod walk;
mod xz;

/// Compressed files with seek points, which the tests of the program make, too.
#[cfg(test)]
#[path = "../../tests/it/seekable.rs"]
pub mod seekable;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::anyhow;

pub use counted::{Counted, Counters};
pub use file::{FileRange, OpenFile};
pub use file_id::FileId;
pub use files::{InputFile, InputFiles, Part};
pub use list::{path_from_bytes, read_list};
pub use piece::{Next, Piece, Pieces};
pub use pre::Preprocessor;
pub use roots::{RootOptions, Roots};
pub use walk::{Order, WalkOptions};

use crate::error::failure;

/// The name of standard input, on the command line and in the output.
const STDIN: &str = "-";

/// A file to search, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    /// The name, as it is printed.
    pub fn name(&self) -> &Path {
        match self {
            Input::Stdin => Path::new(STDIN),
            Input::File(path) => path,
        }
    }

    /// The length in bytes of a regular file.
    pub fn len(&self) -> Option<u64> {
        match self {
            Input::Stdin => None,
            Input::File(path) => regular_len(path),
        }
    }

    /// Looks the input up, without opening it.
    ///
    /// # Errors
    ///
    /// If there is no such file.
    pub fn look_up(&self) -> anyhow::Result<()> {
        match self {
            Input::Stdin => Ok(()),
            Input::File(path) => fs::metadata(path).map(drop).map_err(|error| failure(path, error)),
        }
    }

    /// Opens the input.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is also the output: its matches would be found
    /// again, without end.
    pub fn open(&self, output: Option<&FileId>, pre: Option<&Preprocessor>) -> anyhow::Result<Opened> {
        let (opened, id) = match self {
            Input::Stdin => {
                let stdin = io::stdin().lock();
                let id = FileId::of(&stdin);
                (Opened::Stream(Box::new(stdin)), id)
            }
            Input::File(path) => {
                let file = File::open(path).map_err(|error| failure(path, error))?;
                let id = FileId::of(&file);
                (Opened::File(file), id)
            }
        };
        if id.is_some() && id.as_ref() == output {
            return Err(failure(self.name(), anyhow!("the input is also the output")));
        }
        match (self, pre) {
            (Input::File(path), Some(pre)) if pre.is_for(path) => {
                let output = pre.open(path).map_err(|error| failure(path, error))?;
                Ok(Opened::Stream(Box::new(output)))
            }
            _ => Ok(opened),
        }
    }
}

/// An open input.
pub enum Opened {
    File(File),
    /// Standard input, or the output of a command.
    Stream(Box<dyn Read>),
}

fn regular_len(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(path).ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// Which files are divided, and how.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The length in bytes from which on a file may be divided, or be read by a thread of its own.
    pub large: u64,
    /// The length of a range, at least.
    pub range: u64,
    /// The length of what is between two seek points, at least, decompressed.
    pub point: u64,
    /// How far after a seek point a piece may start.
    pub window: usize,
    /// From which offset of a file on its reads fail.
    #[cfg(test)]
    pub fails_at: u64,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes {
            large: 1024 * 1024,
            range: 2 * 1024 * 1024,
            point: 4 * 1024 * 1024,
            window: 256 * 1024,
            #[cfg(test)]
            fails_at: u64::MAX,
        }
    }
}
