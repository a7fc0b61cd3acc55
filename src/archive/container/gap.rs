//! Bytes between messages.

/// Bytes before a message that belong to none, as far as they are buffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) len: usize,
    /// Whether a message follows, or the end of the input; if not, more such bytes may.
    pub(crate) ended: bool,
}
