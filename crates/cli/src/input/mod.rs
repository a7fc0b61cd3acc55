//! The input: paths, directories, file types, and the pieces of large files.
//!
//! `roots` are the paths that were given on the command line. `walk` yields the files below a
//! directory, and `types` selects them by name. `piece` divides a large file, so that several
//! threads can search it. A compressed file is divided at its `seek_points`.

// | module | contains |
// |---|---|
// | `ahead` | an input that another thread decompresses |
// | `command`, `pre` | the output of a command instead of a file |
// | `file`, `files` | an open file, and the files in it |
// | `ignored` | matches in files that git ignores |
// | `make` | inputs for tests |
// | `piece`, `seek_points` | the pieces of a large file |
// | `roots`, `walk`, `types` | which files are searched |

mod ahead;
mod command;
mod file;
mod files;
mod ignored;
mod piece;
mod pre;
mod roots;
mod seek_points;
pub mod types;
mod walk;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use urlgrep::archive::Pst;

pub use self::command::{CommandLine, Word};
pub use self::file::{Counted, Counters, FileRange, OpenFile};
use crate::error::failure;
pub use files::{InputFiles, Part};
pub use ignored::IgnoredMatches;
pub use piece::{Next, Piece, Pieces};
pub use pre::Preprocessor;
pub use roots::{RootOptions, Roots};
pub use walk::{Order, WalkOptions};

/// Archives, which the tests of the program make as well.
#[cfg(test)]
#[path = "../../../../tests/it/make/mod.rs"]
#[allow(dead_code)]
pub mod make;

/// The name of standard input, on the command line and in the output.
const STDIN: &str = "-";

/// A file to search, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Stdin,
    File(PathBuf),
    /// A file that was found while walking a directory.
    Entry(PathBuf),
}

impl Input {
    /// Returns the name, as it is printed.
    pub fn name(&self) -> &Path {
        self.path().unwrap_or(Path::new(STDIN))
    }

    /// The path of a file.
    fn path(&self) -> Option<&Path> {
        match self {
            Input::Stdin => None,
            Input::File(path) | Input::Entry(path) => Some(path),
        }
    }

    /// Returns the length in bytes of a regular file.
    pub fn len(&self) -> Option<u64> {
        let metadata = fs::metadata(self.path()?).ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// Looks the input up, without opening it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file does not exist.
    pub fn look_up(&self) -> anyhow::Result<()> {
        let metadata = self.path().map_or(Ok(()), |path| fs::metadata(path).map(drop));
        metadata.map_err(|error| failure(self.name(), error))
    }

    /// Opens the input.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read, or is also the output: its matches would be found
    /// again, without end.
    pub fn open(&self, output: Option<&FileId>, sizes: Sizes) -> anyhow::Result<Opened> {
        let (opened, id) = match self.path() {
            None => Opened::stdin(sizes),
            Some(path) => Opened::file(path, sizes).map_err(|error| failure(path, error))?,
        };
        if id.is_some() && id.as_ref() == output {
            return Err(failure(self.name(), anyhow!("not searched, because the file is also the output")));
        }
        Ok(opened)
    }
}

/// An open input, which another thread may read.
#[derive(Clone)]
pub enum Opened {
    /// Standard input, and where it is in a file, if it is a regular one.
    Stdin(Option<(Arc<OpenFile>, u64)>),
    File(Arc<OpenFile>),
}

impl Opened {
    /// Opens a file. The open file is checked instead of its path, which may belong to another file
    /// by then.
    fn file(path: &Path, sizes: Sizes) -> io::Result<(Opened, Option<FileId>)> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let len = metadata.is_file().then_some(metadata.len());
        Ok((Opened::File(Arc::new(OpenFile::new(file, len, sizes))), FileId::new(&metadata)))
    }

    fn stdin(sizes: Sizes) -> (Opened, Option<FileId>) {
        let Some((mut file, metadata)) = descriptor(&io::stdin()) else { return (Opened::Stdin(None), None) };
        let id = FileId::new(&metadata);
        let at = id.is_some().then(|| file.stream_position().ok()).flatten();
        let file = at.map(|at| (Arc::new(OpenFile::shared(file, metadata.len(), sizes)), at));
        (Opened::Stdin(file), id)
    }

    /// Returns the length in bytes of a regular file.
    pub fn len(&self) -> Option<u64> {
        if let Opened::File(file) = self { file.len } else { None }
    }

    /// Returns a reader for `input`: it reads the output of the command, if the file has one, or
    /// the messages of an Outlook mailbox, if it is one, and otherwise the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the command cannot be started.
    pub fn reader(
        self,
        input: &Input,
        pre: Option<&Preprocessor>,
        may_be_mailbox: bool,
    ) -> anyhow::Result<Box<dyn Read>> {
        match (input.path(), pre) {
            (Some(path), Some(pre)) if pre.is_for(path) => {
                Ok(Box::new(pre.open(path).map_err(|error| failure(path, error))?))
            }
            _ => match self {
                Opened::Stdin(None) => Ok(Box::new(io::stdin().lock())),
                Opened::Stdin(Some((file, at))) => Ok(Box::new(FileRange::new(&file, at..u64::MAX))),
                Opened::File(file) => {
                    let whole = FileRange::new(&file, 0..u64::MAX);
                    match may_be_mailbox && file.len.is_some() {
                        true => with_mailbox(&file, whole).map_err(|error| failure(input.name(), error)),
                        false => Ok(Box::new(whole)),
                    }
                }
            },
        }
    }
}

/// The size of the first read of a file, which is enough to detect its format.
const FIRST_READ: usize = 8 * 1024;

/// The messages of an Outlook mailbox, if this is one; or else the file. Its first bytes are read
/// once, without a seek.
fn with_mailbox(file: &Arc<OpenFile>, mut whole: FileRange) -> io::Result<Box<dyn Read>> {
    let mut head = vec![0; FIRST_READ];
    let len = whole.read(&mut head)?;
    head.truncate(len);
    match Pst::begins(&head) {
        true => Ok(Box::new(Pst::new(FileRange::new(file, 0..u64::MAX))?)),
        false => Ok(Box::new(Cursor::new(head).chain(whole))),
    }
}

/// The sizes that determine which files are divided, and how.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The length in bytes from which on a file may be divided, or be read by a thread of its own.
    pub large: u64,
    /// The length of a range, at least.
    pub range: u64,
    /// The minimum number of decompressed bytes between two seek points.
    pub point: u64,
    /// The distance after a seek point at which a piece may start.
    pub window: usize,
    /// The offset from which reads of a file fail.
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

// The identity of a regular file, which does not depend on its name.

/// The file that a descriptor refers to, which shares its position.
#[cfg(unix)]
fn descriptor(file: &impl std::os::fd::AsFd) -> Option<(File, fs::Metadata)> {
    let file = File::from(file.as_fd().try_clone_to_owned().ok()?);
    let metadata = file.metadata().ok()?;
    Some((file, metadata))
}

/// On this system, standard input is not looked into.
#[cfg(not(unix))]
fn descriptor<T>(_: &T) -> Option<(File, fs::Metadata)> {
    None
}

/// The identity of a regular file: its device and inode.
#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileId {
    /// Returns the identity of an open file, unless it is a pipe, a terminal or the like.
    pub fn of(file: &impl std::os::fd::AsFd) -> Option<FileId> {
        FileId::new(&descriptor(file)?.1)
    }

    /// Returns the identity of the file at `path`. Symbolic links are followed.
    pub fn of_path(path: &Path) -> Option<FileId> {
        FileId::new(&fs::metadata(path).ok()?)
    }

    fn new(metadata: &fs::Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;

        metadata.is_file().then(|| FileId { device: metadata.dev(), inode: metadata.ino() })
    }

    /// Returns true if an entry of a directory may be this file. This needs no system call.
    pub fn may_be(&self, entry: &ignore::DirEntry) -> bool {
        entry.path_is_symlink() || entry.ino() == Some(self.inode)
    }
}

/// The identity of a regular file: on this system, its path without links.
#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileId(std::path::PathBuf);

#[cfg(not(unix))]
impl FileId {
    /// Returns `None`, because an open file has no path.
    pub fn of<T>(_: &T) -> Option<FileId> {
        None
    }

    fn new(_: &fs::Metadata) -> Option<FileId> {
        None
    }

    /// Returns the identity of the file at `path`. Symbolic links are followed.
    pub fn of_path(path: &Path) -> Option<FileId> {
        fs::canonicalize(path).ok().map(FileId)
    }

    /// Returns true if an entry of a directory may be this file.
    pub fn may_be(&self, entry: &ignore::DirEntry) -> bool {
        entry.path_is_symlink() || Some(entry.file_name()) == self.0.file_name()
    }
}

// Files that list something: paths, hosts, arguments.

/// Reads a list that an option names: a file, or `-` for standard input.
pub fn read_list(option: &'static str, name: &Path) -> anyhow::Result<Vec<u8>> {
    let mut list = Vec::new();
    let read = match name == Path::new(STDIN) {
        true => io::stdin().lock().read_to_end(&mut list).map(|_| list),
        false => fs::read(name),
    };
    read.map_err(|error| failure(name, error).context(option))
}

/// Returns the path that a list contains as `bytes`.
#[cfg(unix)]
pub fn path_from_bytes(bytes: &[u8]) -> anyhow::Result<OsString> {
    use std::os::unix::ffi::OsStrExt;

    Ok(std::ffi::OsStr::from_bytes(bytes).to_owned())
}

/// Returns the path that a list contains as `bytes`, which must be UTF-8 on this system.
#[cfg(not(unix))]
pub fn path_from_bytes(bytes: &[u8]) -> anyhow::Result<OsString> {
    let path = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match str::from_utf8(path) {
        Ok(path) => Ok(path.into()),
        Err(_) => {
            let shown = String::from_utf8_lossy(path);
            Err(failure(
                Path::new(&*shown),
                anyhow::anyhow!("this path is not valid UTF-8; search its directory instead"),
            ))
        }
    }
}
