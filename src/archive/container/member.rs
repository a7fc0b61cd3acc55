//! A member of a container, before its data are read.

use std::io;

/// A member of a container.
#[derive(Debug)]
pub(super) struct Member {
    /// The name as it is written, in any encoding; `/` separates the parts of a path.
    pub(super) name: Vec<u8>,
    /// Why the data cannot be read, if they cannot.
    pub(super) refused: Option<io::Error>,
}
