//! The files below a directory.

use std::env;
use std::error::Error;
use std::fs::{self, Metadata};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    pub options: WalkOptions,
    globs: Option<Override>,
    types: Option<Types>,
    /// Files that are not searched, under any name.
    pub excluded: Vec<FileId>,
    /// True if a file or a directory was skipped because it is hidden.
    pub skipped_hidden: Arc<AtomicBool>,
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
            skipped_hidden: Arc::default(),
        })
    }

    /// Returns the options that exclude files.
    pub fn selective_options(&self) -> Vec<&'static str> {
        let WalkOptions { globs, types, types_not, max_depth, max_len, ignore, .. } = &self.options;
        let options = [
            (!globs.is_empty(), "--glob"),
            (!types.is_empty(), "--type"),
            (!types_not.is_empty(), "--type-not"),
            (max_depth.is_some(), "--max-depth"),
            (max_len.is_some(), "--max-filesize"),
            (*ignore, "--ignore"),
        ];
        options.into_iter().filter_map(|(is_set, option)| is_set.then_some(option)).collect()
    }

    /// Returns the regular files below a directory.
    pub fn below(&self, directory: &Path) -> Box<dyn Iterator<Item = anyhow::Result<Input>>> {
        let root = directory.to_owned();
        let max_len = self.options.max_len;
        let inputs = self.entries(directory).filter_map(move |entry| match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                // The walker's own limit on the length would turn off the filter of `skip_stdout`.
                let is_longer = |max_len| entry.metadata().is_ok_and(|metadata| metadata.len() > max_len);
                let is_wanted = is_file && !max_len.is_some_and(is_longer);
                is_wanted.then(|| Ok(Input::Entry(entry.into_path())))
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
        let (globs, types) = (self.globs.clone(), self.types.clone());
        let skipped_hidden = Arc::clone(&self.skipped_hidden);
        if !excluded.is_empty() || !hidden || ignore {
            walk.filter_entry(move |entry| {
                let leaves_out = !hidden && is_hidden(entry, globs.as_ref(), types.as_ref());
                // Ignore files are skipped without notice.
                if leaves_out && !entry.file_name().as_encoded_bytes().ends_with(b"ignore") {
                    skipped_hidden.store(true, Ordering::Relaxed);
                }
                // No ignore file lists the `.git` directory.
                let of_git = ignore && entry.depth() > 0 && entry.file_name() == ".git";
                let is = |file: &FileId| {
                    file.may_be(entry) && FileId::of_path(entry.path()).as_ref() == Some(file)
                };
                !leaves_out && !of_git && !excluded.iter().any(is)
            });
        }
        // Files of the same time or length are in this order as well.
        if self.options.order != Order::Listed {
            // The paths of names in one directory have the same prefix. Finding where they start takes longer than
            // comparing it.
            walk.sort_by_file_path(|a, b| bytes(a).cmp(bytes(b)));
        }
        walk.build()
    }
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
            anyhow!("symbolic link not followed, because it leads back to {}", Escaped::path(ancestor)),
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

/// Returns true if a file or directory is hidden, that is, its name begins with a dot, and neither a glob nor a type
/// selects it, and it is not a folder of a Maildir++. Those are next to its own mail: `Maildir/.Sent/cur`.
fn is_hidden(entry: &DirEntry, globs: Option<&Override>, types: Option<&Types>) -> bool {
    if !entry.file_name().as_encoded_bytes().starts_with(b".") {
        return false;
    }
    let (path, directory) = (entry.path(), entry.file_type().is_some_and(|kind| kind.is_dir()));
    let by_glob = || globs.is_some_and(|globs| globs.matched(path, directory).is_whitelist());
    let by_type = || types.is_some_and(|types| types.matched(path, directory).is_whitelist());
    let is_maildir = |path: &Path| ["cur", "new"].iter().all(|name| path.join(name).is_dir());
    let is_folder = || directory && is_maildir(path) && path.parent().is_some_and(is_maildir);
    !(by_glob() || by_type() || is_folder())
}
