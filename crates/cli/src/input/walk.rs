//! The files below a directory.

use std::env;
use std::error::Error;
use std::fs::{self, Metadata};
use std::path::Path;

use anyhow::anyhow;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::Types;
use ignore::{DirEntry, WalkBuilder};
use urlgrep_print::escape::{Escaped, bytes};

use super::{FileId, Input, types};
use crate::error::failure;

/// The options that select the files below a directory, and their order.
#[derive(Clone, Debug)]
pub struct WalkOptions {
    pub hidden: bool,
    /// True if `.gitignore` and the like apply.
    pub ignore: bool,
    pub follow: bool,
    pub max_depth: Option<usize>,
    pub order: Order,
    /// The length of the longest file that is searched, in bytes.
    pub max_len: Option<u64>,
    pub globs: Vec<String>,
    /// Globs for types, such as `type:glob`.
    pub added_types: Vec<String>,
    pub types: Vec<String>,
    pub types_not: Vec<String>,
}

/// The order of the files below a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Directory by directory, by name.
    Name,
    /// The least recently changed first.
    Modified,
    /// The shortest first.
    Len,
    /// As the directories list them.
    Listed,
}

/// The options that select the files below a directory, with compiled globs.
#[derive(Clone, Debug)]
pub struct Walk {
    options: WalkOptions,
    globs: Option<Override>,
    types: Option<Types>,
    excluded: Vec<FileId>,
}

impl Walk {
    /// Compiles the globs.
    ///
    /// # Errors
    ///
    /// Returns an error if a glob is invalid or a file type is unknown.
    pub fn new(options: WalkOptions) -> Result<Walk, String> {
        Ok(Walk {
            globs: globs("--glob", &options.globs)?,
            types: types::select(&options.types, &options.types_not, &options.added_types)?,
            options,
            excluded: Vec::new(),
        })
    }

    /// Returns true if globs or types select files.
    pub fn is_selective(&self) -> bool {
        self.globs.is_some() || self.types.is_some()
    }

    /// Returns true if `.gitignore` and the like apply.
    pub fn ignores(&self) -> bool {
        self.options.ignore
    }

    /// Returns the same walk, to which `.gitignore` and the like apply.
    pub fn ignoring(mut self) -> Walk {
        self.options.ignore = true;
        self
    }

    /// Excludes files.
    pub fn exclude(&mut self, files: impl IntoIterator<Item = FileId>) {
        self.excluded.extend(files);
    }

    /// Returns the regular files below a directory.
    pub fn below(&self, directory: &Path) -> Box<dyn Iterator<Item = anyhow::Result<Input>>> {
        let root = directory.to_owned();
        let max_len = self.options.max_len;
        let inputs = self.entries(directory).filter_map(move |entry| match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                (is_file && !is_longer(&entry, max_len)).then(|| Ok(Input::Entry(entry.into_path())))
            }
            Err(error) => Some(Err(explain(&root, &error))),
        });
        match self.options.order {
            Order::Name | Order::Listed => Box::new(inputs),
            Order::Modified => Box::new(sorted_by(inputs, |metadata| metadata.modified().ok())),
            Order::Len => Box::new(sorted_by(inputs, |metadata| Some(metadata.len()))),
        }
    }

    fn entries(&self, directory: &Path) -> ignore::Walk {
        let &WalkOptions { hidden, ignore, follow, max_depth, .. } = &self.options;
        let mut walk = WalkBuilder::new(directory);
        walk.standard_filters(false)
            // The filter below decides.
            .hidden(false)
            .ignore(ignore)
            .git_ignore(ignore)
            .git_exclude(ignore)
            .git_global(ignore)
            .parents(ignore)
            // A .gitignore applies outside of repositories too.
            .require_git(false)
            .follow_links(follow)
            .max_depth(max_depth)
            // `urlgrep . >urls` is not a mistake.
            .skip_stdout(true);
        if let Some(globs) = &self.globs {
            walk.overrides(globs.clone());
        }
        if let Some(types) = &self.types {
            walk.types(types.clone());
        }
        let excluded = self.excluded.clone();
        let hides = (!hidden).then(|| Hidden { globs: self.globs.clone(), types: self.types.clone() });
        if !excluded.is_empty() || hides.is_some() || ignore {
            walk.filter_entry(move |entry| {
                let hidden = hides.as_ref().is_some_and(|hides| hides.leaves_out(entry));
                let of_git = ignore && is_git(entry);
                !hidden && !of_git && !excluded.iter().any(|file| is(file, entry))
            });
        }
        // Files of the same time or length are in this order as well.
        if self.options.order != Order::Listed {
            // The paths of names in one directory have the same prefix. To find where they start
            // takes longer than to compare that.
            walk.sort_by_file_path(|a, b| bytes(a).cmp(bytes(b)));
        }
        walk.build()
    }
}

/// Returns true if the entry is a `.git` directory, which no ignore file lists.
fn is_git(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name() == ".git"
}

/// Returns true if a file is longer than that. The walker's own limit on the length would turn off
/// the filter.
fn is_longer(entry: &ignore::DirEntry, max_len: Option<u64>) -> bool {
    max_len.is_some_and(|max_len| entry.metadata().is_ok_and(|metadata| metadata.len() > max_len))
}

fn is(file: &FileId, entry: &ignore::DirEntry) -> bool {
    file.may_be(entry) && FileId::of_path(entry.path()).as_ref() == Some(file)
}

/// The inputs by a property of their files, after the errors of the walk.
fn sorted_by<K: Ord>(
    inputs: impl Iterator<Item = anyhow::Result<Input>>,
    key: impl Fn(&Metadata) -> K,
) -> impl Iterator<Item = anyhow::Result<Input>> {
    let key = |input: &anyhow::Result<Input>| {
        let metadata = input.as_ref().ok().and_then(|input| fs::metadata(input.name()).ok());
        metadata.as_ref().map(&key)
    };
    let mut inputs: Vec<_> = inputs.collect();
    inputs.sort_by_cached_key(key);
    inputs.into_iter()
}

/// Compiles the globs of an option.
pub fn globs(option: &str, globs: &[String]) -> Result<Option<Override>, String> {
    if globs.is_empty() {
        return Ok(None);
    }
    let directory = env::current_dir().map_err(|error| error.to_string())?;
    let mut builder = OverrideBuilder::new(directory);
    for glob in globs {
        builder.add(glob).map_err(|error| format!("{option}: {error}"))?;
    }
    builder.build().map(Some).map_err(|error| format!("{option}: {error}"))
}

/// An error of the walk, in the form of an error of a file.
///
/// The error has the path at one of its levels and the reason at the deepest.
fn explain(path: &Path, error: &ignore::Error) -> anyhow::Error {
    match error {
        ignore::Error::WithDepth { err, .. } => explain(path, err),
        ignore::Error::WithPath { path, err } => explain(path, err),
        ignore::Error::Loop { ancestor, child } => failure(
            child,
            anyhow!("not followed, because this link leads back to {}", Escaped::path(ancestor)),
        ),
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

// Files and directories whose names begin with a dot.

/// The hidden files and directories that are searched.
#[derive(Clone, Debug)]
pub struct Hidden {
    pub globs: Option<Override>,
    pub types: Option<Types>,
}

impl Hidden {
    /// Returns true if an entry of a directory is left out: it is hidden, no glob or type selects
    /// it, and it is not a folder of a Maildir++.
    pub fn leaves_out(&self, entry: &DirEntry) -> bool {
        let name = entry.file_name().as_encoded_bytes();
        if !name.starts_with(b".") {
            return false;
        }
        let directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let path = entry.path();
        let by_glob =
            || self.globs.as_ref().is_some_and(|globs| globs.matched(path, directory).is_whitelist());
        let by_type =
            || self.types.as_ref().is_some_and(|types| types.matched(path, directory).is_whitelist());
        !(by_glob() || by_type() || (directory && is_folder(path)))
    }
}

/// Returns true if a directory is a folder of a Maildir++, which has its folders next to its own
/// mail, with a dot before their names: `Maildir/.Sent/cur`.
fn is_folder(path: &Path) -> bool {
    is_maildir(path) && path.parent().is_some_and(is_maildir)
}

fn is_maildir(path: &Path) -> bool {
    ["cur", "new"].iter().all(|name| path.join(name).is_dir())
}
