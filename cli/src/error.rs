//! Errors and the exit status.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use urlgrep_print::escape::Escaped;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A URL matched; with `--check`, all URLs were accepted.
    Match = 0,
    /// No URL matched; with `--check`, a URL was refused.
    NoMatch = 1,
    /// There was an error.
    Error = 2,
}

impl Status {
    /// The status of a search. An error counts more than a match.
    pub fn new(matched: bool, failed: bool) -> Status {
        match (failed, matched) {
            (true, _) => Status::Error,
            (false, true) => Status::Match,
            (false, false) => Status::NoMatch,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// An error with the path that it belongs to.
pub fn failure(path: &Path, reason: impl Into<anyhow::Error>) -> anyhow::Error {
    reason.into().context(Escaped::path(path).to_string())
}

/// Prints an error on standard error. If that is closed, the error is lost.
pub fn print(error: &anyhow::Error) {
    let message = format!("{error:#}");
    line(&Escaped(message.as_bytes()));
}

/// Prints a line at once: standard error has no buffer, and an archive may have millions of
/// damaged members.
fn line(message: &dyn Display) {
    let _ = io::stderr().write_all(format!("urlgrep: {message}\n").as_bytes());
}

/// Prints what to type instead, on standard error.
pub fn hint(hint: &str) {
    line(&hint);
}

/// Whether the reader of the output closed it: `urlgrep … | head`.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    })
}
