//! The options that say which files are searched.

use std::ffi::OsString;
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

/// Which files are searched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub struct FileArgs {
    /// Only files whose path matches GLOB; with a "!" before it, all others
    ///
    /// May be given more than once; of several globs that match, the last one counts. Without a "/"
    /// a glob goes for the name in any directory ("*.mbox"), with one for the path below the
    /// current directory. What is named on the command line is searched in any case.
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,

    /// Only files of this type; --type-list prints them
    ///
    /// May be given more than once. The type is told from the name alone; what a file holds is told
    /// from its content in any case.
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub kinds: Vec<String>,

    /// No files of this type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    pub kinds_not: Vec<String>,

    /// Print the types of files and the names they go by, and stop
    #[arg(long)]
    pub type_list: bool,

    /// Leave out what .gitignore and .ignore files say
    ///
    /// Also .git/info/exclude and the user's own list. Nobody asks for that by default, because an
    /// archive is not a source tree.
    #[arg(long)]
    pub ignore: bool,

    /// Follow symbolic links below directories, too
    ///
    /// A link that leads back to a directory above it is reported and not followed.
    #[arg(short = 'L', long)]
    pub follow: bool,

    /// Go down at most NUM directories
    ///
    /// 1 is what stands in the directory itself, 0 nothing.
    #[arg(short = 'd', long, value_name = "NUM")]
    pub max_depth: Option<usize>,

    /// Search what FILE names, too: one path a line
    ///
    /// If there is a NUL byte in FILE, each path ends with one, as "find -print0" writes them; no option
    /// is needed for that. "-" is standard input. Empty lines count for nothing. The paths come after
    /// those of the command line.
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<OsString>,

    /// Search with so many threads
    ///
    /// The output is the same, and in the same order, as with 1. By default there are as many as the
    /// machine has processors. Each searches one file, or a piece of an mbox or text of 16 MiB or
    /// more that is not packed. An mbox is cut between messages and a text behind empty lines; with
    /// --join likely, --context or --explain a text stays whole.
    #[arg(short = 'j', long, value_name = "NUM", value_parser = at_least_one)]
    pub threads: Option<NonZeroUsize>,

    /// In which order the files of a directory are searched
    #[arg(long, value_name = "ORDER", value_enum, default_value_t)]
    pub sort: Sort,

    /// Print the paths of the files that would be searched, and search nothing
    #[arg(long)]
    pub files: bool,
}

/// A number of threads; what is wrong with it is said as a user would.
fn at_least_one(number: &str) -> Result<NonZeroUsize, &'static str> {
    number.parse().map_err(|_| "a number from 1 on is wanted")
}

/// In which order the files of a directory are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// That of their names, byte by byte
    #[default]
    Path,
    /// That in which the directory has them
    None,
}
