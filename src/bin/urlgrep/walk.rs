//! What there is to search: the arguments, and what is below the directories
//! among them.

mod rules;
pub mod types;

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::args::Args;
use crate::divide;
use crate::escape::Shown;
use rules::Rules;

/// The name of standard input, as it is given and as it is printed.
const STDIN: &str = "-";

/// Something to search.
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

    /// How many bytes it has, if it is a regular file.
    pub fn len(&self) -> Option<u64> {
        match self {
            Input::Stdin => None,
            Input::File(path) => regular_len(path),
        }
    }

    /// Opens it.
    ///
    /// Fails for what cannot be read, and for a file that is also `output`: what
    /// is found in it would be found again, without end.
    pub fn open(&self, output: Option<&FileId>) -> anyhow::Result<Box<dyn Read>> {
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
        Ok(reader)
    }
}

fn regular_len(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(path).ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// An error that names the file that it happened to.
pub fn failure(path: &Path, reason: impl Into<anyhow::Error>) -> anyhow::Error {
    reason.into().context(Shown::path(path).to_string())
}

/// Where a search begins.
#[derive(Debug)]
enum Root {
    Stdin,
    File(PathBuf),
    Directory(PathBuf),
    /// The current directory, if nobody named it.
    Here,
}

impl Root {
    fn new(path: &OsStr) -> Root {
        let path = Path::new(path);
        if path == Path::new(STDIN) {
            return Root::Stdin;
        }
        // This follows a link, which is right for one that is named. Whatever
        // cannot be looked at is taken for a file: opening it tells why.
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Root::Directory(path.to_owned()),
            _ => Root::File(path.to_owned()),
        }
    }
}

/// The roots of a search.
#[derive(Debug)]
pub struct Roots {
    roots: Vec<Root>,
    rules: Rules,
}

impl Roots {
    /// The roots that the command line names, or that it means by naming none.
    ///
    /// # Errors
    ///
    /// If a glob is none or a type is not known.
    pub fn new(args: &Args) -> Result<Roots, String> {
        let rules = Rules::new(args)?;
        let roots = match &args.paths[..] {
            [] if args.files.files_from.is_some() => Vec::new(),
            [] if args.files.files || io::stdin().is_terminal() => vec![Root::Here],
            [] => vec![Root::Stdin],
            paths => paths.iter().map(|path| Root::new(path)).collect(),
        };
        Ok(Roots { roots, rules })
    }

    /// What they are called.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(|root| match root {
            Root::Stdin => Path::new(STDIN),
            Root::File(path) | Root::Directory(path) => path,
            Root::Here => Path::new("."),
        })
    }

    /// Whether one of the files that are named is `file`.
    pub fn name(&self, file: &FileId) -> bool {
        self.roots.iter().any(|root| match root {
            Root::Stdin => FileId::of(&io::stdin()).as_ref() == Some(file),
            Root::File(path) => FileId::of_path(path).as_ref() == Some(file),
            Root::Directory(_) | Root::Here => false,
        })
    }

    /// Leaves out files below directories, by whatever name they are there.
    pub fn leave_out(&mut self, files: impl IntoIterator<Item = FileId>) {
        self.rules.leave_out(files);
    }

    /// Whether the only file is so large that it may be worth several threads.
    pub fn have_large(&self) -> bool {
        matches!(&self.roots[..], [Root::File(path)] if regular_len(path).is_some_and(divide::is_large))
    }

    /// Whether it is all typed by somebody at a terminal.
    pub fn are_typed(&self) -> bool {
        matches!(self.roots[..], [Root::Stdin]) && io::stdin().is_terminal()
    }

    /// Adds what a list names: one path a line, or each with a NUL byte behind
    /// it if there is any.
    pub fn add_list(&mut self, list: &OsStr) -> anyhow::Result<()> {
        let bytes = read_list(Path::new(list))?;
        let end = if bytes.contains(&0) { 0 } else { b'\n' };
        for path in bytes.split(|&byte| byte == end).filter(|path| !path.is_empty()) {
            self.roots.push(Root::new(&path_of(path)?));
        }
        Ok(())
    }

    /// Whether there may be more than one file below them.
    pub fn are_many(&self) -> bool {
        match &self.roots[..] {
            [] | [Root::Stdin | Root::File(_)] => false,
            [Root::Directory(_) | Root::Here] => true,
            roots => roots.len() > 1,
        }
    }

    /// Whether all can be read as often as one likes: none is a pipe or the like.
    pub fn can_be_read_again(&self) -> bool {
        self.roots.iter().all(|root| match root {
            Root::Stdin => false,
            Root::File(path) => fs::metadata(path).map_or(true, |metadata| metadata.is_file()),
            Root::Directory(_) | Root::Here => true,
        })
    }

    /// All that there is to search, directory by directory, and the errors that
    /// happen on the way.
    pub fn inputs(&self) -> impl Iterator<Item = anyhow::Result<Input>> {
        self.roots.iter().flat_map(|root| -> Inputs {
            match root {
                Root::Stdin => Box::new(std::iter::once(Ok(Input::Stdin))),
                Root::File(path) => Box::new(std::iter::once(Ok(Input::File(path.clone())))),
                Root::Directory(path) => Box::new(below(path, &self.rules)),
                Root::Here => Box::new(below(Path::new("."), &self.rules).map(without_dot)),
            }
        })
    }
}

type Inputs = Box<dyn Iterator<Item = anyhow::Result<Input>>>;

/// The regular files below a directory, in the order that is asked for.
fn below(directory: &Path, rules: &Rules) -> impl Iterator<Item = anyhow::Result<Input>> + use<> {
    let root = directory.to_owned();
    let walk = rules.walk(directory);
    walk.filter_map(move |entry| match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            is_file.then(|| Ok(Input::File(entry.into_path())))
        }
        Err(error) => Some(Err(explain(&root, &error))),
    })
}

/// The same without the `./` that nobody wrote.
fn without_dot(input: anyhow::Result<Input>) -> anyhow::Result<Input> {
    input.map(|input| match input {
        Input::File(path) => match path.strip_prefix(".") {
            Ok(rest) => Input::File(rest.to_owned()),
            Err(_) => Input::File(path),
        },
        Input::Stdin => input,
    })
}

/// What went wrong below a directory, in the same form as what goes wrong with a
/// file.
///
/// The error mentions the path at one of its levels and the reason at the
/// deepest, which says no more than that.
fn explain(path: &Path, error: &ignore::Error) -> anyhow::Error {
    match error {
        ignore::Error::WithDepth { err, .. } => explain(path, err),
        ignore::Error::WithPath { path, err } => explain(path, err),
        ignore::Error::Loop { ancestor, child } => {
            failure(child, anyhow!("this leads back to {}", Shown::path(ancestor)))
        }
        error => {
            let mut reason: &dyn Error = error;
            if let Some(error) = error.io_error() {
                reason = error;
                while let Some(source) = reason.source() {
                    reason = source;
                }
            }
            failure(path, anyhow!("{reason}"))
        }
    }
}

/// Reads a list that an option names: a file, or standard input.
pub fn read_list(name: &Path) -> anyhow::Result<Vec<u8>> {
    let read = match name == Path::new(STDIN) {
        true => read_all(io::stdin().lock()),
        false => fs::read(name),
    };
    read.map_err(|error| failure(name, error))
}

fn read_all(mut reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a file means by `bytes`.
#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> anyhow::Result<OsString> {
    use std::os::unix::ffi::OsStrExt;

    Ok(OsStr::from_bytes(bytes).to_owned())
}

/// What a file means by `bytes`, which have to be UTF-8 here.
#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> anyhow::Result<OsString> {
    let path = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match str::from_utf8(path) {
        Ok(path) => Ok(path.into()),
        Err(_) => Err(failure(Path::new(&*String::from_utf8_lossy(path)), anyhow!("this path is not UTF-8"))),
    }
}

/// What tells a regular file from all others, whatever it is called.
#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileId {
    /// That of an open file, unless it is a pipe, a terminal or the like.
    pub fn of(file: &impl std::os::fd::AsFd) -> Option<FileId> {
        let file = File::from(file.as_fd().try_clone_to_owned().ok()?);
        FileId::new(&file.metadata().ok()?)
    }

    /// That of the file at `path`, or that a link there leads to.
    pub fn of_path(path: &Path) -> Option<FileId> {
        FileId::new(&fs::metadata(path).ok()?)
    }

    fn new(metadata: &fs::Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;

        metadata.is_file().then(|| FileId { device: metadata.dev(), inode: metadata.ino() })
    }

    /// Whether an entry of a directory may be this file. Most are not, and need not
    /// be looked at to know that.
    pub fn may_be(&self, entry: &ignore::DirEntry) -> bool {
        entry.path_is_symlink() || entry.ino() == Some(self.inode)
    }
}

/// What tells a regular file from all others: here the path without links.
#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileId(PathBuf);

#[cfg(not(unix))]
impl FileId {
    /// An open file does not know its path.
    pub fn of<T>(_: &T) -> Option<FileId> {
        None
    }

    /// That of the file at `path`, or that a link there leads to.
    pub fn of_path(path: &Path) -> Option<FileId> {
        fs::canonicalize(path).ok().map(FileId)
    }

    /// Whether an entry of a directory may be this file.
    pub fn may_be(&self, entry: &ignore::DirEntry) -> bool {
        entry.path_is_symlink() || Some(entry.file_name()) == self.0.file_name()
    }
}
