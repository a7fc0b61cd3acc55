//! The arguments: those of the command line, and before them those of a file that
//! the environment names.
//!
//! The file has one argument on each line, as it is: no shell takes blanks and
//! quotes apart. What begins with `#` is a comment.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use anyhow::anyhow;
use clap::Parser;

use crate::args::Args;
use crate::walk::{failure, path_of};

/// The variable that names the file.
const VARIABLE: &str = "URLGREP_CONFIG_PATH";

/// The options of the command line with which nothing else counts.
const ALONE: [&str; 3] = ["--no-config", "--check", "--generate"];

/// All arguments.
///
/// # Errors
///
/// If the file cannot be read, or says something that is no argument.
pub fn arguments() -> anyhow::Result<Vec<OsString>> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    let path = env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let options = arguments.iter().take_while(|&argument| argument != "--");
    let alone = options.map(|option| option.to_string_lossy()).any(|option| {
        let name = option.split('=').next().unwrap_or_default();
        ALONE.contains(&name)
    });
    if let Some(path) = path.filter(|_| !alone) {
        let path = Path::new(&path);
        let more = read(path)?;
        check(path, &more)?;
        // The command line comes last, so that it is what counts.
        let behind_name = arguments.len().min(1);
        arguments.splice(behind_name..behind_name, more);
    }
    Ok(arguments)
}

/// The arguments that a file has.
fn read(path: &Path) -> anyhow::Result<Vec<OsString>> {
    let text = fs::read(path).map_err(|error| failure(path, error))?;
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty() && !line.starts_with(b"#")).map(path_of).collect()
}

/// Refuses what is wrong in the file itself, where it can still be said that it
/// is.
fn check(path: &Path, arguments: &[OsString]) -> anyhow::Result<()> {
    let name = OsString::from("urlgrep");
    let Err(error) = Args::try_parse_from(std::iter::once(&name).chain(arguments)) else {
        return Ok(());
    };
    if let Some(line) = arguments.iter().find_map(|argument| several(argument)) {
        return Err(failure(path, anyhow!("\"{line}\" has to be several lines: each is one argument")));
    }
    let message = error.to_string();
    let line = message.lines().next().unwrap_or_default();
    Err(failure(path, anyhow!("{}", line.trim_start_matches("error: "))))
}

/// A line that was written as a shell would read it: an option, a blank and what
/// is one more argument.
fn several(line: &OsStr) -> Option<&str> {
    let line = line.to_str()?;
    let option = line.split_ascii_whitespace().next()?;
    (line.starts_with('-') && option != line && !option.contains('=')).then_some(line)
}
