//! The options that choose among the URLs that are found.

use std::ffi::OsString;

use clap::Args;

/// Which of the URLs are wanted.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is found")]
pub struct SelectArgs {
    /// Only URLs that REGEX matches somewhere
    ///
    /// May be given more than once; one that matches is enough. The syntax is that of the Rust crate
    /// regex: "(?i)" at the beginning makes upper and lower case the same. It goes for the URL as it
    /// was found, put together, before --normalize.
    #[arg(long = "match", value_name = "REGEX")]
    pub matches: Vec<String>,

    /// No URLs that REGEX matches somewhere
    ///
    /// May be given more than once; one that matches is enough.
    #[arg(long, value_name = "REGEX")]
    pub exclude: Vec<String>,

    /// Only URLs whose host matches GLOB
    ///
    /// May be given more than once; one that matches is enough. "*" stands for any characters, dots
    /// too: "*.edu" is all of .edu, and "h.org" is not www.h.org. Upper and lower case are
    /// the same. The host of a mailto: URL is that of the address.
    #[arg(long, value_name = "GLOB")]
    pub host: Vec<String>,

    /// Only URLs whose host FILE lists: one a line, each with all hosts below it
    ///
    /// A line "h.org" stands for h.org and for www.h.org. What follows a "#" counts for nothing. "-"
    /// is standard input. May be given more than once, and with --host; one that matches is enough.
    #[arg(long, value_name = "FILE")]
    pub host_list: Vec<OsString>,
}
