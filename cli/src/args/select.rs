//! The options that select matches.

use std::ffi::OsString;

use clap::Args;

use crate::search::Date;

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

    /// Print only URLs that contain one of the strings in FILE, one on each line
    ///
    /// "-" is standard input. Empty lines are ignored, and letter case counts. May be given more than
    /// once, and with --match; one match is enough. The strings are prepared before the search: a hundred
    /// thousand of 25 bytes take less than a second, which --stats tells, and 150 MB of memory.
    #[arg(short = 'f', long, value_name = "FILE")]
    pub strings_file: Vec<OsString>,

    /// Accepted for compatibility with grep: the lines of --strings-file are always strings
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,

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

    /// Print only URLs of messages from DATE on: 2001, 2001-03, 2001-03-02, 2001-03-02T10:11:12Z
    ///
    /// The date is that of the header field Date. Messages without a date are not searched, nor is
    /// text that is not a message. A DATE without a zone is in UTC.
    #[arg(long, value_name = "DATE", value_parser = Date::parse)]
    pub since: Option<Date>,

    /// Print only URLs of messages up to DATE, with all of that second, day, month or year
    #[arg(long, value_name = "DATE", value_parser = Date::parse)]
    pub until: Option<Date>,

    /// Print only URLs of messages whose header field From contains a match of REGEX
    ///
    /// Letter case is ignored. Encoded names are decoded before. Text that is not a message is not
    /// searched.
    #[arg(long, value_name = "REGEX")]
    pub from: Option<String>,

    /// Print only URLs of messages whose header field Subject contains a match of REGEX
    ///
    /// The same as for --from.
    #[arg(long, value_name = "REGEX")]
    pub subject: Option<String>,
}
