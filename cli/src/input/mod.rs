//! What is searched: paths, directories, file types, and large files in chunks.
//!
//! `roots` are the paths that the user named. `walk` yields the files below a
//! directory, and `types` selects them by name. `chunk` cuts a large file into
//! chunks that several threads can search. One that is compressed is searched in
//! `sections`, which threads decompress at the same time, or in `parts`, one after the
//! other.

mod apart;
pub mod chunk;
mod counted;
mod file_id;
mod files;
mod hidden;
mod list;
pub mod parts;
mod pre;
mod roots;
pub mod sections;
pub mod types;
mod walk;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::anyhow;

pub use counted::{Counted, Counters};
pub use file_id::FileId;
pub use files::{InputFile, InputFiles};
pub use list::{path_from_bytes, read_list};
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
    pub fn open(&self, output: Option<&FileId>, pre: Option<&Preprocessor>) -> anyhow::Result<Box<dyn Read>> {
        let (reader, id): (Box<dyn Read>, _) = match self {
            Input::Stdin => {
                let stdin = io::stdin().lock();
                let id = FileId::of(&stdin);
                (Box::new(stdin), id)
            }
            Input::File(path) => {
                let file = File::open(path).map_err(|error| failure(path, error))?;
                let id = FileId::of(&file);
                (Box::new(file), id)
            }
        };
        if id.is_some() && id.as_ref() == output {
            return Err(failure(self.name(), anyhow!("the input is also the output")));
        }
        match (self, pre) {
            (Input::File(path), Some(pre)) if pre.is_for(path) => {
                Ok(Box::new(pre.open(path).map_err(|error| failure(path, error))?))
            }
            _ => Ok(reader),
        }
    }
}

fn regular_len(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(path).ok()?;
    metadata.is_file().then_some(metadata.len())
}
