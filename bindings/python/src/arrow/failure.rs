//! A failure as the columns see it.

use std::io;

/// A failure to read, in place of a match.
#[derive(Debug)]
pub struct Failure {
    /// `open`, `read`, `damaged`, `unsupported` or `undecoded`.
    pub kind: &'static str,
    pub message: String,
    /// The number of bytes of the file that were read before.
    pub bytes_read: Option<u64>,
}

impl Failure {
    /// Returns the kind of a read error.
    pub fn kind_of(error: &io::Error) -> &'static str {
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                "damaged"
            }
            io::ErrorKind::Unsupported => "unsupported",
            _ => "read",
        }
    }
}
