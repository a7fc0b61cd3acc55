//! Usage errors. They quote the arguments, which may come from a script or a file name
//! and contain anything, so no argument is quoted raw.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process;

use clap::Parser;

use super::Args;
use super::grep_hints::add_hint;
use crate::escape::{self, Escaped};

/// Prints a usage error, or the help, and ends the process.
pub fn exit(error: clap::Error, arguments: &[OsString]) -> ! {
    let escaped: Vec<_> = arguments.iter().map(escaped).collect();
    if !error.use_stderr() || escaped == arguments {
        add_hint(error).exit()
    }
    // The same error about escaped arguments, unless they are valid.
    match Args::try_parse_from(&escaped) {
        Err(same) if same.kind() == error.kind() => add_hint(same).exit(),
        _ => {
            let text = escape::lines(&add_hint(error).render().to_string());
            let _ = io::stderr().write_all(text.as_bytes());
            process::exit(2)
        }
    }
}

fn escaped(argument: &OsString) -> OsString {
    Escaped(argument.as_encoded_bytes()).to_string().into()
}
