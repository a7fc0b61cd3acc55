//! Files that become shorter while they are read, such as a log that is rotated by truncation.
//!
//! Their end comes too early, and looks like any other. So a reader of a file whose length is known
//! checks the length, and reports the loss.

use std::io;

/// Returns the error for a file that became shorter while it was read.
pub fn became_shorter() -> io::Error {
    io::Error::other("the file became shorter while it was read; search a copy of it")
}

/// Checks the end at `at` of a file that had `len` bytes when it was opened; `now` returns its
/// current length.
///
/// # Errors
///
/// Returns an error if the file became shorter. Virtual files (`/sys`) may end before the length
/// that the system reports, so a file whose length is the same has not lost anything.
pub fn check_not_shortened(at: u64, len: u64, now: impl FnOnce() -> io::Result<u64>) -> io::Result<()> {
    if at < len && now()? < len { Err(became_shorter()) } else { Ok(()) }
}
