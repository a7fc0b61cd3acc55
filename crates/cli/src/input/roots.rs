//! The paths that the user named, and the inputs that they stand for.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::anyhow;
use urlgrep::{Finder, Schemeless};
use urlgrep_print::escape::Escaped;

use super::walk::Walk;
use super::{FileId, Input, Preprocessor, STDIN, WalkOptions, path_from_bytes, read_list};
use crate::error::failure;

/// The options that select the input.
#[derive(Debug)]
pub struct RootOptions {
    /// The paths on the command line.
    pub paths: Vec<OsString>,
    /// A file that lists more paths.
    pub files_from: Option<OsString>,
    /// True if inputs are only listed, so that standard input is not a default.
    pub only_listed: bool,
    /// The command of `--pre`.
    pub pre: Option<OsString>,
    /// A path that does not exist, and what to type instead.
    pub advice: Option<(PathBuf, String)>,
    pub walk: WalkOptions,
}

/// A path that the user named.
#[derive(Debug)]
enum Root {
    Input(Input),
    /// An empty path is the current directory, by default.
    Directory(PathBuf),
}

impl Root {
    fn new(path: &OsStr) -> Root {
        let path = Path::new(path);
        if path == Path::new(STDIN) {
            return Root::Input(Input::Stdin);
        }
        // Follow a symbolic link that the user gave. Treat a path without metadata as a file, because
        // opening it yields the reason.
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Root::Directory(path.to_owned()),
            _ => Root::Input(Input::File(path.to_owned())),
        }
    }

    /// Returns the path as it is shown to the user.
    fn name(&self) -> &Path {
        match self {
            Root::Input(input) => input.name(),
            Root::Directory(path) if path.as_os_str().is_empty() => Path::new("."),
            Root::Directory(path) => path,
        }
    }

    /// Returns the inputs, and the errors of the walk.
    fn inputs(&self, walk: &Walk) -> Inputs {
        match self {
            Root::Input(input) => Box::new(std::iter::once(Ok(input.clone()))),
            Root::Directory(path) if !path.as_os_str().is_empty() => Box::new(walk.below(path)),
            // Without the `./` that the user did not type.
            Root::Directory(_) => Box::new(walk.below(self.name()).map(|input| {
                let input = input?;
                Ok(Input::Entry(input.name().strip_prefix(".").unwrap_or(input.name()).to_owned()))
            })),
        }
    }
}

/// The paths that the user named.
#[derive(Debug)]
pub struct Roots {
    roots: Vec<Root>,
    files_from: Option<OsString>,
    pub walk: Walk,
    pub pre: Option<Preprocessor>,
    /// A path that does not exist, and what to type instead.
    advice: Option<(PathBuf, String)>,
    /// The number of inputs that were yielded.
    inputs: AtomicUsize,
}

impl Roots {
    /// Returns the roots of a search, without those in a list.
    ///
    /// # Errors
    ///
    /// Returns an error if a glob is invalid or a file type is unknown.
    pub fn new(options: RootOptions) -> Result<Roots, String> {
        let RootOptions { paths, files_from, only_listed, pre, advice, walk } = options;
        let walk = Walk::new(walk)?;
        let roots = match &paths[..] {
            [] if files_from.is_some() => Vec::new(),
            [] if only_listed || io::stdin().is_terminal() => vec![Root::Directory(PathBuf::new())],
            [] => vec![Root::Input(Input::Stdin)],
            paths => paths.iter().map(|path| Root::new(path)).collect(),
        };
        let pre = pre.map(|command| Preprocessor::new(&command)).transpose()?;
        let advice = advice.or_else(|| about_pattern(&paths)).or_else(|| about_url(&paths));
        Ok(Roots { roots, files_from, walk, pre, advice, inputs: AtomicUsize::new(0) })
    }

    /// Adds the paths in the list, if one was given: one path a line, or, if the list contains a
    /// NUL byte, each terminated by NUL.
    pub fn read_list(&mut self) -> anyhow::Result<()> {
        let Some(list) = self.files_from.take() else { return Ok(()) };
        let bytes = read_list("--files-from", Path::new(&list))?;
        let end = if bytes.contains(&0) { 0 } else { b'\n' };
        for path in bytes.split(|&byte| byte == end).filter(|path| !path.is_empty()) {
            self.roots.push(Root::new(&path_from_bytes(path)?));
        }
        Ok(())
    }

    /// Returns a hint about the likely mistake if nothing was searched.
    pub fn no_input_hint(&self) -> Option<String> {
        if self.inputs.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let advice = match self.walk.selective_options() {
            options if !options.is_empty() => format!("omit or change {}", options.join(" and ")),
            _ if self.walk.skipped_hidden.load(Ordering::Relaxed) => {
                "to search hidden files, use --hidden".to_owned()
            }
            _ => return None,
        };
        Some(format!("hint: no files were searched; {advice}"))
    }

    /// Returns the error of an input that cannot be opened, with what to type instead, if its path is rather
    /// something else.
    pub fn with_advice(&self, input: &Input, error: anyhow::Error) -> anyhow::Error {
        match &self.advice {
            Some((path, advice)) if path == input.name() => {
                failure(path, anyhow!("{}; {advice}", error.root_cause()))
            }
            _ => error,
        }
    }

    /// Returns the roots as they are shown to the user.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(Root::name)
    }

    /// Returns the directory that contains all that is searched, as the user spelled it; empty
    /// if that is the current directory or none.
    pub fn common_directory(&self) -> PathBuf {
        let directories = self.roots.iter().filter_map(|root| match root {
            Root::Input(Input::Stdin) => None,
            Root::Input(file) => Some(file.name().parent().unwrap_or(file.name()).to_owned()),
            Root::Directory(path) => Some(path.clone()),
        });
        let common = |a: PathBuf, b: PathBuf| {
            let both = a.components().zip(b.components()).take_while(|(a, b)| a == b);
            both.map(|(component, _)| component).collect()
        };
        directories.reduce(common).unwrap_or_default()
    }

    /// Returns true if a file is given on the command line. Files below directories do not
    /// count.
    pub fn contains(&self, file: &FileId) -> bool {
        self.roots.iter().any(|root| match root {
            Root::Input(Input::Stdin) => FileId::of(&io::stdin()).as_ref() == Some(file),
            Root::Input(input) => FileId::of_path(input.name()).as_ref() == Some(file),
            Root::Directory(_) => false,
        })
    }

    /// Returns the only input, if it is a file.
    pub fn only_file(&self) -> Option<&Path> {
        match &self.roots[..] {
            [Root::Input(Input::File(path))] => Some(path),
            _ => None,
        }
    }

    /// Returns true if the only input is typed at a terminal.
    pub fn is_typed(&self) -> bool {
        matches!(self.roots[..], [Root::Input(Input::Stdin)]) && io::stdin().is_terminal()
    }

    /// Returns true if standard input is searched.
    pub fn includes_stdin(&self) -> bool {
        self.roots.iter().any(|root| matches!(root, Root::Input(Input::Stdin)))
    }

    /// Returns true if there may be more than one input.
    pub fn may_be_many(&self) -> bool {
        !matches!(self.roots[..], [] | [Root::Input(_)])
    }

    /// Returns true if all inputs can be read twice: none is a pipe or the like.
    pub fn can_be_read_twice(&self) -> bool {
        self.roots.iter().all(|root| match root {
            Root::Input(Input::Stdin) => false,
            Root::Input(input) => fs::metadata(input.name()).map_or(true, |metadata| metadata.is_file()),
            Root::Directory(_) => true,
        })
    }

    /// Returns all inputs, directory by directory, and the errors of the walk.
    pub fn inputs(&self) -> impl Iterator<Item = anyhow::Result<Input>> {
        let inputs = self.roots.iter().flat_map(|root| root.inputs(&self.walk));
        inputs.inspect(|_| _ = self.inputs.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the directories.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().filter(|root| matches!(root, Root::Directory(_))).map(Root::name)
    }

    /// Returns the names of the inputs that are left if `.gitignore` and the like apply.
    pub fn not_ignored(&self) -> impl Iterator<Item = PathBuf> {
        let mut walk = self.walk.clone();
        walk.options.ignore = true;
        self.roots
            .iter()
            .flat_map(move |root| root.inputs(&walk))
            .flatten()
            .map(|input| input.name().to_owned())
    }
}

/// Returns the first path and what to type instead, if it looks like a pattern: it is a word, a host, a URL or a
/// regex, and does not exist, but another path does.
fn about_pattern(paths: &[OsString]) -> Option<(PathBuf, String)> {
    let (first, rest) = paths.split_first()?;
    let bytes = first.as_encoded_bytes();
    if Path::new(first).exists() || !rest.iter().any(|path| Path::new(path).exists()) {
        return None;
    }
    // A host is under a public suffix, and not like a file such as `README.md`.
    let finder = Finder::builder().schemeless([Schemeless::Domains]).build().unwrap_or_default();
    let is_host = || finder.find(bytes).is_some_and(|found| found.as_bytes() == bytes);
    let has = |marks: &[u8]| bytes.windows(marks.len()).any(|window| window == marks);
    let is_regex = has(b"://") || has(b"\\.") || bytes.iter().any(|b| b"*[^$|".contains(b));
    let option = match () {
        () if is_regex || !bytes.iter().any(|b| b"./\\-".contains(b)) => "-e",
        () if is_host() => "--host",
        () => return None,
    };
    let pattern = Escaped::path(Path::new(first));
    Some((first.into(), format!("to filter URLs by a pattern, use {option} '{pattern}'")))
}

/// Returns a path and what to type instead, if it is rather a URL: it has "//" after a colon, and does not exist.
fn about_url(paths: &[OsString]) -> Option<(PathBuf, String)> {
    let is_url = |path: &&OsString| {
        let bytes = path.as_encoded_bytes();
        bytes.windows(3).any(|three| three == b"://") && !Path::new(path).exists()
    };
    let path = Path::new(paths.iter().find(is_url)?);
    let url = Escaped::path(path);
    let advice =
        format!("to search the page, use curl '{url}' | urlgrep; to check the URL, use --check '{url}'");
    Some((path.to_owned(), advice))
}

type Inputs = Box<dyn Iterator<Item = anyhow::Result<Input>>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_at_patterns() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        let hint = |paths: &[&OsStr]| {
            about_pattern(&paths.iter().map(OsString::from).collect::<Vec<_>>()).map(|(_, advice)| advice)
        };
        let (file, missing) = (file.as_os_str(), dir.path().join("none"));
        for (pattern, option) in [
            ("pattern", Some("-e 'pattern'")),
            ("h.org", Some("--host 'h.org'")),
            ("http://h.org/", Some("-e 'http://h.org/'")),
            ("ftp/.*z", Some("-e 'ftp/.*z'")),
            ("h\\.org/a", Some(r"-e 'h\.org/a'")),
            ("README.none", None),
            ("a/b", None),
            ("a\\b", None),
            ("a-b", None),
        ] {
            let found = hint(&[OsStr::new(pattern), file]);
            assert_eq!(found.is_some(), option.is_some(), "{pattern}");
            assert!(found.is_none_or(|hint| hint.ends_with(option.unwrap())), "{pattern}");
        }
        let pattern = OsStr::new("pattern");
        assert_eq!(hint(&[]), None);
        assert_eq!(hint(&[pattern]), None);
        assert_eq!(hint(&[pattern, missing.as_os_str()]), None);
        assert_eq!(hint(&[file, file]), None);
        assert!(hint(&[pattern, missing.as_os_str(), file]).is_some());
    }
}
