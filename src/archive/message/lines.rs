//! The lines of a message, counted only as far as positions are asked for.

use std::sync::{Mutex, PoisonError};

use crate::bytes::position::{LineCounter, Position};

/// The lines of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageLines<'r> {
    /// The bytes of the message, and their offset in the input as it is buffered.
    pub(crate) bytes: &'r [u8],
    pub(crate) base: u64,
    /// A counter at one of them.
    pub(crate) counter: &'r Mutex<LineCounter>,
}

impl MessageLines<'_> {
    /// The position of the byte at `at` of the input as it is buffered. Costs a pass over
    /// the bytes between it and the one of the last call.
    pub(crate) fn position(&self, at: u64) -> Position {
        let mut counter = self.counter.lock().unwrap_or_else(PoisonError::into_inner);
        let end = self.base + self.bytes.len() as u64;
        counter.move_to(at.clamp(self.base, end), self.bytes, self.base);
        counter.position()
    }
}
