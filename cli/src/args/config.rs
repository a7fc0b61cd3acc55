//! The arguments of the configuration file and of the command line.
//!
//! An environment variable names the file. Each line is one argument, verbatim:
//! spaces and quotes have no special meaning. Lines that start with `#` are comments.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use anyhow::anyhow;
use clap::Parser;

use super::Args;
use crate::error::failure;
use crate::input::path_from_bytes;

/// The variable that names the file.
const VARIABLE: &str = "URLGREP_CONFIG_PATH";

/// The options with which the file is not read.
const WITHOUT_FILE: [&str; 3] = ["--no-config", "--check", "--generate"];

/// All arguments. Those of the command line come last, so they override the file.
///
/// # Errors
///
/// If the file cannot be read, or contains an argument that is not valid.
pub fn arguments() -> anyhow::Result<Vec<OsString>> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    let path = env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let options = arguments.iter().take_while(|&argument| argument != "--");
    let without_file = options.map(|option| option.to_string_lossy()).any(|option| {
        let name = option.split('=').next().unwrap_or_default();
        WITHOUT_FILE.contains(&name)
    });
    if let Some(path) = path.filter(|_| !without_file) {
        let path = Path::new(&path);
        let more = read(path)?;
        check(path, &more)?;
        let after_name = arguments.len().min(1);
        arguments.splice(after_name..after_name, more);
    }
    Ok(arguments)
}

/// The arguments in a file.
fn read(path: &Path) -> anyhow::Result<Vec<OsString>> {
    let text = fs::read(path).map_err(|error| failure(path, error))?;
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty() && !line.starts_with(b"#")).map(path_from_bytes).collect()
}

/// Refuses arguments that are not valid even without the command line, so that the
/// error names the file.
fn check(path: &Path, arguments: &[OsString]) -> anyhow::Result<()> {
    let name = OsString::from("urlgrep");
    let Err(error) = Args::try_parse_from(std::iter::once(&name).chain(arguments)) else {
        return Ok(());
    };
    if let Some(line) = arguments.iter().find_map(|argument| split_by_shell(argument)) {
        return Err(failure(
            path,
            anyhow!("\"{line}\" must be split into several lines, one for each argument"),
        ));
    }
    let message = error.to_string();
    let line = message.lines().next().unwrap_or_default();
    Err(failure(path, anyhow!("{}", line.trim_start_matches("error: "))))
}

/// A line that a shell would split: an option, a space and another argument.
fn split_by_shell(line: &OsStr) -> Option<&str> {
    let line = line.to_str()?;
    let option = line.split_ascii_whitespace().next()?;
    (line.starts_with('-') && option != line && !option.contains('=')).then_some(line)
}
