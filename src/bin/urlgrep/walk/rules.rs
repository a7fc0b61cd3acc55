//! What is searched of what stands below a directory.

use std::env;
use std::path::Path;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::Types;
use ignore::{Error, WalkBuilder};

use super::types;
use crate::args::{Args, Sort};

/// The rules of a walk through directories.
#[derive(Clone, Debug)]
pub struct Rules {
    hidden: bool,
    ignore: bool,
    follow: bool,
    max_depth: Option<usize>,
    sort: Sort,
    globs: Override,
    types: Types,
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
            globs: globs(&files.glob).map_err(|error| error.to_string())?,
            types: types::select(files)?,
        })
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
            .overrides(self.globs.clone())
            .types(self.types.clone())
            // `urlgrep . >urls` is no mistake.
            .skip_stdout(true);
        if self.sort == Sort::Path {
            walk.sort_by_file_name(|a, b| a.cmp(b));
        }
        walk.build()
    }
}

fn globs(globs: &[String]) -> Result<Override, Error> {
    let here = env::current_dir()?;
    let mut builder = OverrideBuilder::new(here);
    for glob in globs {
        builder.add(glob)?;
    }
    builder.build()
}
