//! The program, as it is called.

mod archives;
mod carried;
mod changing;
mod check;
mod chromium;
mod columns;
mod completions;
mod config;
mod containers;
mod containers_mail;
mod context;
mod editors;
mod errors;
mod fields;
mod files;
mod flags;
mod grep;
mod help;
pub mod hostile;
mod hyphen;
mod invalid;
mod joins;
mod json;
mod limits;
mod lines;
mod matching;
mod output;
mod pages;
mod pieces;
mod records;
mod redacted;
mod report;
mod select;
mod spelling;
mod stats;
mod streams;
#[cfg(unix)]
mod terminal;
mod threads;
mod usage;
mod walk;
mod web;
mod wheres;
mod why_not;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;

use crate::wait;

/// The program with these arguments.
pub fn urlgrep(args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlgrep"));
    command.args(args);
    command
}

/// What a run of the program left.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The run, as if it had printed nothing.
    fn without_stdout(self) -> Self {
        Ran { stdout: String::new(), ..self }
    }
}

/// Runs a command with this standard input.
pub fn run(mut command: Command, input: &[u8]) -> Ran {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // While the program waits until what it writes is read, it reads nothing.
    let output = thread::scope(|scope| {
        // The program may have seen enough before it has read all.
        scope.spawn(move || _ = stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    Ran {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The exit status of a child that has to end by itself.
fn status_of(child: &mut Child) -> Option<i32> {
    let ended = wait::until(|| child.try_wait().unwrap());
    if ended.is_none() {
        child.kill().unwrap();
    }
    ended?.code()
}

/// Expects what is printed for this standard input, without any error.
#[track_caller]
fn prints(args: &[&str], input: &[u8], stdout: &str) {
    let status = if stdout.is_empty() { 1 } else { 0 };
    ends(run(urlgrep(args), input), status, stdout);
}

/// Expects this exit status and output, and no error.
#[track_caller]
fn ends(ran: Ran, status: i32, stdout: &str) {
    assert_eq!(ran.stderr, "");
    assert_eq!(ran.stdout, stdout);
    assert_eq!(ran.status, Some(status));
}

/// A folder with these files, whose names can have folders in them.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The program with these arguments, in this folder.
fn within(folder: impl AsRef<Path>, args: &[&str]) -> Command {
    let mut command = urlgrep(args);
    command.current_dir(folder);
    command
}
