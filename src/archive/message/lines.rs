//! The lines of a message, counted only as far as positions are asked for.

use std::sync::{Mutex, PoisonError};

use crate::archive::source_map::Origin;
use crate::bytes::position::{LineCounter, Position};

/// The lines of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageLines<'r> {
    /// The bytes of the message, and their offset in the input as it is buffered.
    pub(crate) bytes: &'r [u8],
    pub(crate) base: u64,
    pub(crate) origin: Origin<'r>,
    /// A counter at one of them.
    pub(crate) counter: &'r Mutex<LineCounter>,
}

impl MessageLines<'_> {
    /// The position of the byte at `at` of the file, if that has lines. Costs a pass over the bytes between
    /// it and the one of the last call.
    pub(crate) fn position(&self, at: u64) -> Option<Position> {
        let mut counter = self.counter.lock().unwrap_or_else(PoisonError::into_inner);
        let end = self.base + self.bytes.len() as u64;
        let at = self.origin.offset_of(at)?;
        counter.move_to(at.clamp(self.base, end), self.bytes, self.base);
        Some(counter.position())
    }
}
