//! Errors and the exit status.

use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;

use urlgrep::archive::internal::Damage;
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
    /// Returns the status of a search. An error counts more than a match.
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

/// The reason why an input ends early: its search panicked.
#[derive(Clone, Copy, Debug)]
pub struct Interrupted;

impl Display for Interrupted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("internal error: the rest of this file was not searched; please report it at ")?;
        formatter.write_str(concat!(env!("CARGO_PKG_REPOSITORY"), "/issues"))
    }
}

impl Error for Interrupted {}

/// Does something, which another input does not pay for if it panics. The caller drops the values
/// that the closure used.
///
/// # Errors
///
/// Returns an error if it panics. The hook has printed the message of the panic then.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Interrupted> {
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|_| Interrupted)
}

/// Returns true if a panic is the cause.
pub fn is_interrupted(error: &anyhow::Error) -> bool {
    // A thread that reads ahead passes it on as an error of reading.
    let inner = |cause: &io::Error| cause.get_ref().is_some_and(|inner| inner.is::<Interrupted>());
    error.chain().any(|cause| cause.is::<Interrupted>() || cause.downcast_ref().is_some_and(inner))
}

/// Returns true if the cause is a format, or a part of one, that is not read: the text of a PDF, an encrypted
/// member.
pub fn is_unsupported(error: &anyhow::Error) -> bool {
    // If the system does not support an operation, reading failed.
    let is_it =
        |cause: &io::Error| cause.kind() == io::ErrorKind::Unsupported && cause.raw_os_error().is_none();
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_it))
}

/// The offset in a file at which its error occurred.
#[derive(Clone, Copy, Debug)]
pub struct AtByte(pub u64);

impl Display for AtByte {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "at byte {}", self.0)
    }
}

/// Adds the bytes that precede a part of a file to the offsets in an error of that part.
pub fn move_by(error: &mut anyhow::Error, bytes: u64) {
    if let Some(AtByte(at)) = error.downcast_mut() {
        *at += bytes;
    }
    if let Some(damage) = error.downcast_mut().and_then(Damage::in_error) {
        damage.move_by(bytes);
    }
}

/// Returns an error with the path that it belongs to.
pub fn failure(path: &Path, reason: impl Into<anyhow::Error>) -> anyhow::Error {
    reason.into().context(Escaped::path(path).to_string())
}

/// Prints an error on standard error. If that is closed, the error is lost.
pub fn print(error: &anyhow::Error) {
    hint(&Escaped(format!("{error:#}").as_bytes()).to_string());
}

/// Prints a line on standard error, such as what to type instead. It is printed at once: standard error has no buffer,
/// and an archive may have millions of damaged members.
pub fn hint(line: &str) {
    let _ = io::stderr().write_all(format!("urlgrep: {line}\n").as_bytes());
}

/// Returns true if the reader of the output closed it: `urlgrep … | head`.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_it = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_it))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An operation that the system does not support is a failure to read.
    #[test]
    fn what_is_not_supported() {
        let unsupported = || io::Error::from(io::ErrorKind::Unsupported);
        for (error, expected) in [
            (anyhow::Error::from(unsupported()), true),
            (anyhow::Error::from(unsupported()).context("a.pdf"), true),
            (anyhow::Error::from(io::Error::new(io::ErrorKind::Unsupported, "encrypted")), true),
            (anyhow::Error::from(io::Error::from(io::ErrorKind::InvalidData)), false),
            (anyhow::anyhow!("unsupported"), false),
        ] {
            assert_eq!(is_unsupported(&error), expected, "{error:#}");
        }
        #[cfg(target_os = "linux")]
        {
            // EOPNOTSUPP.
            let system = io::Error::from_raw_os_error(95);
            assert_eq!(system.kind(), io::ErrorKind::Unsupported);
            assert!(!is_unsupported(&anyhow::Error::from(system).context("a.zip")));
        }
    }
}
