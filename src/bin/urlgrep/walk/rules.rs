//! What is searched of what stands below a directory.

use std::env;
use std::path::Path;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::Types;
use ignore::{DirEntry, Error, WalkBuilder};

use super::{FileId, types};
use crate::args::{Args, Sort};

/// The rules of a walk through directories.
#[derive(Clone, Debug)]
pub struct Rules {
    hidden: bool,
    ignore: bool,
    follow: bool,
    max_depth: Option<usize>,
    sort: Sort,
    /// What the names of files must be, if that is asked for.
    globs: Option<Override>,
    types: Option<Types>,
    /// Files that are left out.
    left_out: Vec<FileId>,
}

impl Rules {
    /// Those that are asked for.
    ///
    /// # Errors
    ///
    /// If a glob is none or a type is not known.
    pub fn new(args: &Args) -> Result<Rules, String> {
        let files = &args.files;
        Ok(Rules {
            hidden: args.hidden,
            ignore: files.ignore,
            follow: files.follow,
            max_depth: files.max_depth,
            sort: files.sort,
            globs: globs(&files.glob).map_err(|error| format!("--glob: {error}"))?,
            types: types::select(files)?,
            left_out: Vec::new(),
        })
    }

    /// Leaves out files.
    pub fn leave_out(&mut self, files: impl IntoIterator<Item = FileId>) {
        self.left_out.extend(files);
    }

    /// A walk below `directory`.
    pub fn walk(&self, directory: &Path) -> ignore::Walk {
        let mut walk = WalkBuilder::new(directory);
        walk.standard_filters(false)
            .hidden(!self.hidden)
            .ignore(self.ignore)
            .git_ignore(self.ignore)
            .git_exclude(self.ignore)
            .git_global(self.ignore)
            .parents(self.ignore)
            // A .gitignore that is asked for counts, wherever it stands.
            .require_git(false)
            .follow_links(self.follow)
            .max_depth(self.max_depth)
            // `urlgrep . >urls` is no mistake.
            .skip_stdout(true);
        if let Some(globs) = &self.globs {
            walk.overrides(globs.clone());
        }
        if let Some(types) = &self.types {
            walk.types(types.clone());
        }
        if !self.left_out.is_empty() {
            let left_out = self.left_out.clone();
            walk.filter_entry(move |entry| !left_out.iter().any(|file| is(file, entry)));
        }
        if self.sort == Sort::Path {
            walk.sort_by_file_name(|a, b| a.cmp(b));
        }
        walk.build()
    }
}

fn is(file: &FileId, entry: &DirEntry) -> bool {
    file.may_be(entry) && FileId::of_path(entry.path()).as_ref() == Some(file)
}

fn globs(globs: &[String]) -> Result<Option<Override>, Error> {
    if globs.is_empty() {
        return Ok(None);
    }
    let here = env::current_dir()?;
    let mut builder = OverrideBuilder::new(here);
    for glob in globs {
        builder.add(glob)?;
    }
    builder.build().map(Some)
}
