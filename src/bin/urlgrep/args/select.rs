//! The options that select matches.

use std::ffi::OsString;

use clap::Args;

/// Which matches are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Matches")]
pub struct SelectArgs {
    /// Print only URLs that contain a match of REGEX
    ///
    /// May be given more than once; one match is enough. The syntax is that of the Rust crate regex:
    /// with "(?i)" at the start, letter case is ignored. REGEX is matched against the joined URL,
    /// before --normalize.
    #[arg(long = "match", value_name = "REGEX")]
    pub matches: Vec<String>,

    /// Do not print URLs that contain a match of REGEX
    ///
    /// May be given more than once; one match is enough.
    #[arg(long, value_name = "REGEX")]
    pub exclude: Vec<String>,

    /// Print only URLs whose host matches GLOB
    ///
    /// May be given more than once; one match is enough. "*" matches any characters, including dots:
    /// "*.edu" matches all hosts below .edu, and "h.org" does not match www.h.org. Letter case is
    /// ignored. The host of a mailto: URL is that of the address.
    #[arg(long, value_name = "GLOB")]
    pub host: Vec<String>,

    /// Print only URLs whose host is in FILE: one host on each line, with all hosts below it
    ///
    /// A line "h.org" matches h.org and www.h.org. "#" starts a comment. "-" is standard input. May be
    /// given more than once, and with --host; one match is enough.
    #[arg(long, value_name = "FILE")]
    pub host_list: Vec<OsString>,
}
