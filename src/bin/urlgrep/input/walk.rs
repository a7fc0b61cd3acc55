//! The files below a directory.

use std::env;
use std::error::Error;
use std::path::Path;

use anyhow::anyhow;
use ignore::WalkBuilder;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::Types;

use super::hidden::Hidden;
use super::{FileId, Input, types};
use crate::error::failure;
use crate::escape::Escaped;

/// Which files below a directory are searched, and in which order.
#[derive(Debug)]
pub struct WalkOptions {
    pub hidden: bool,
    /// Whether `.gitignore` and the like apply.
    pub ignore: bool,
    pub follow: bool,
    pub max_depth: Option<usize>,
    /// Whether the files of a directory are sorted by name.
    pub sorted: bool,
    pub globs: Vec<String>,
    pub types: Vec<String>,
    pub types_not: Vec<String>,
}

/// Which files below a directory are searched, with compiled globs.
#[derive(Debug)]
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
    /// If a glob is not valid or a file type is not known.
    pub fn new(options: WalkOptions) -> Result<Walk, String> {
        Ok(Walk {
            globs: globs(&options.globs).map_err(|error| format!("--glob: {error}"))?,
            types: types::select(&options.types, &options.types_not)?,
            options,
            excluded: Vec::new(),
        })
    }

    /// Excludes files.
    pub fn exclude(&mut self, files: impl IntoIterator<Item = FileId>) {
        self.excluded.extend(files);
    }

    /// The regular files below a directory.
    pub fn below(&self, directory: &Path) -> impl Iterator<Item = anyhow::Result<Input>> + use<> {
        let root = directory.to_owned();
        self.entries(directory).filter_map(move |entry| match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                is_file.then(|| Ok(Input::File(entry.into_path())))
            }
            Err(error) => Some(Err(explain(&root, &error))),
        })
    }

    fn entries(&self, directory: &Path) -> ignore::Walk {
        let &WalkOptions { hidden, ignore, follow, max_depth, sorted, .. } = &self.options;
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
        if !excluded.is_empty() || hides.is_some() {
            walk.filter_entry(move |entry| {
                let hidden = hides.as_ref().is_some_and(|hides| hides.leaves_out(entry));
                !hidden && !excluded.iter().any(|file| is(file, entry))
            });
        }
        if sorted {
            walk.sort_by_file_name(|a, b| a.cmp(b));
        }
        walk.build()
    }
}

fn is(file: &FileId, entry: &ignore::DirEntry) -> bool {
    file.may_be(entry) && FileId::of_path(entry.path()).as_ref() == Some(file)
}

fn globs(globs: &[String]) -> Result<Option<Override>, ignore::Error> {
    if globs.is_empty() {
        return Ok(None);
    }
    let mut builder = OverrideBuilder::new(env::current_dir()?);
    for glob in globs {
        builder.add(glob)?;
    }
    builder.build().map(Some)
}

/// An error of the walk, in the form of an error of a file.
///
/// The error has the path at one of its levels and the reason at the deepest.
fn explain(path: &Path, error: &ignore::Error) -> anyhow::Error {
    match error {
        ignore::Error::WithDepth { err, .. } => explain(path, err),
        ignore::Error::WithPath { path, err } => explain(path, err),
        ignore::Error::Loop { ancestor, child } => {
            failure(child, anyhow!("this link leads back to {}", Escaped::path(ancestor)))
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
