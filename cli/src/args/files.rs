//! The options that select files.

use std::ffi::OsString;
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

use super::values::{FileType, number};
use crate::input::Order;

/// Which files are searched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub struct FileArgs {
    /// Search only files whose path matches GLOB; with a leading "!", only others
    ///
    /// May be given more than once; if several globs match, the last one applies. A glob without a
    /// "/" matches the name in any directory ("*.mbox"); with a "/" it matches the path below the
    /// current directory. Files that are named on the command line are always searched.
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,

    /// The same as --glob, but letter case is ignored
    ///
    /// These globs apply after those of --glob.
    #[arg(long, value_name = "GLOB")]
    pub iglob: Vec<String>,

    /// Search only files of this type; --type-list prints all types
    ///
    /// May be given more than once. The type depends only on the name of a file. The format of its
    /// content is detected in any case.
    #[arg(short = 't', long = "type", value_name = "TYPE", value_parser = FileType, hide_possible_values = true)]
    pub types: Vec<String>,

    /// Do not search files of this type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE", value_parser = FileType, hide_possible_values = true)]
    pub types_not: Vec<String>,

    /// Add a glob to a file type, or add a type: "--type-add 'notes:*.note'"
    ///
    /// May be given more than once. It lasts for this search; URLGREP_CONFIG_PATH can keep it.
    #[arg(long, value_name = "TYPE:GLOB")]
    pub type_add: Vec<String>,

    /// Print the file types and their names, and exit
    #[arg(long)]
    pub type_list: bool,

    /// Respect .gitignore and .ignore files
    ///
    /// This includes .git/info/exclude and the global list of git. It is not the default, because a
    /// mail archive is not a source tree.
    #[arg(long)]
    pub ignore: bool,

    /// Follow symbolic links below directories
    ///
    /// A link to a directory above it is an error and is not followed.
    #[arg(short = 'L', long)]
    pub follow: bool,

    /// Descend at most NUM directories
    ///
    /// With 1, only the files of the directory itself are searched, with 0 none.
    #[arg(short = 'd', long, value_name = "NUM", value_parser = number_of_directories, allow_negative_numbers = true)]
    pub max_depth: Option<usize>,

    /// Do not search files below directories that are longer than NUM bytes; K, M and G are allowed
    ///
    /// "--max-filesize 50M" skips files of more than 50 times 1,048,576 bytes. Files that are named on
    /// the command line are always searched.
    #[arg(long, value_name = "NUM", value_parser = number_of_bytes, allow_negative_numbers = true)]
    pub max_filesize: Option<u64>,

    /// Search the output of COMMAND for each file, instead of the file
    ///
    /// COMMAND is called with the path of the file, and has the file as its standard input. A name that
    /// starts with "-" has "./" before it, so that it is not taken for an option. This is for formats
    /// that urlgrep does not read: --pre pdf2text, --pre readpst-to-mbox. COMMAND is one program without
    /// arguments; a script can call others. If it fails, that is an error of the file. Standard input is
    /// searched as it is.
    #[arg(long, value_name = "COMMAND")]
    pub pre: Option<OsString>,

    /// Call the COMMAND of --pre only for files whose path matches GLOB; with a leading "!", for others
    ///
    /// May be given more than once.
    #[arg(long, value_name = "GLOB", requires = "pre")]
    pub pre_glob: Vec<String>,

    /// Also search the paths in FILE, one on each line
    ///
    /// If FILE contains a NUL byte, each path ends with one, as "find -print0" prints them. "-" is
    /// standard input. Empty lines are ignored. The paths come after those of the command line.
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<OsString>,

    /// Search with NUM threads
    ///
    /// The output and its order do not depend on NUM. The default is the number of processors, and
    /// there are at most 256; if the system starts fewer, those continue. Each
    /// thread searches one file, or a part of an mbox or text of 4 MiB or more. An mbox is cut
    /// between messages, a text after empty lines. With --join likely, --context or --explain a
    /// text is not cut.
    ///
    /// Threads decompress parts of a file at the same time if that has several beginnings whose
    /// lengths can be read: members that bgzip wrote, frames of zstd with the lengths of their
    /// contents, blocks of "xz -T". Any other compressed file is decompressed by one thread at a
    /// time, while others search.
    #[arg(short = 'j', long, value_name = "NUM", value_parser = at_least_one, allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,

    /// Use at most NUM MB (of 1,000,000 bytes) of memory for long messages
    ///
    /// A message is decoded as a whole, so a long one takes memory. If several threads read such
    /// messages, they wait for each other. At least 135 MB are used: what the longest message takes.
    /// What else the program needs is less than 48 MB, and 8 MB for each thread.
    #[arg(long, value_name = "NUM", value_parser = number_of_megabytes, allow_negative_numbers = true, default_value = "256")]
    pub memory: usize,

    /// The order of the files below a directory
    ///
    /// With "modified" and "size", all paths below a directory are listed before the first file is
    /// searched.
    #[arg(long, value_name = "ORDER", value_enum, default_value_t)]
    pub sort: Sort,

    /// Print the paths of the files that would be searched, and exit
    #[arg(long)]
    pub files: bool,
}

/// Parses a number of threads.
fn at_least_one(number: &str) -> Result<NonZeroUsize, &'static str> {
    number.parse().map_err(|_| "expected a number of at least 1")
}

/// Parses a number of directories.
fn number_of_directories(text: &str) -> Result<usize, &'static str> {
    number(text).ok_or("expected a number of directories, such as 2")
}

/// Parses a number of megabytes.
fn number_of_megabytes(text: &str) -> Result<usize, &'static str> {
    number(text).ok_or("expected a number of megabytes, such as 512")
}

/// Parses a number of bytes with a suffix or without.
fn number_of_bytes(text: &str) -> Result<u64, &'static str> {
    let (number, unit) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'M') => (&text[..text.len() - 1], 1 << 20),
        Some(b'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes.ok_or("expected a number of bytes, such as 1000000, 500K, 50M or 2G")
}

/// The order of the files below a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// By name, byte by byte
    #[default]
    Path,
    /// By the time of the last change, the oldest first
    Modified,
    /// By length, the shortest first
    Size,
    /// As the directory lists them
    None,
}

impl From<Sort> for Order {
    fn from(sort: Sort) -> Order {
        match sort {
            Sort::Path => Order::Name,
            Sort::Modified => Order::Modified,
            Sort::Size => Order::Len,
            Sort::None => Order::Listed,
        }
    }
}
