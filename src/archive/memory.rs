//! A budget for the memory of long messages that are read at the same time.
//!
//! A message is buffered as a whole, and decoded texts and their maps take as much again,
//! or several times as much. For one reader that is bounded by
//! [`MAX_MESSAGE_LEN`], but a program with many readers needs many
//! times that. So readers can share a budget: before a buffer becomes long, its reader
//! waits until there is memory for the message. The body of a web page that was compressed
//! counts as a message of its own length.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::limits::MAX_MESSAGE_LEN;
use crate::bytes::large;

/// The maximum memory of a message for each of its bytes, as measured with `tools/worst.py`.
const PER_BYTE: usize = 8;

/// The length of a buffer that needs no share, in bytes.
pub(super) const SHORT: usize = 256 * 1024;

/// A memory budget for messages, which any number of readers share.
///
/// Readers may be searched in parallel while their matches are printed in order. So each reader has
/// a turn, and the reader whose turn it is never waits for memory: a reader whose matches must wait
/// cannot block it.
///
/// # Example
///
/// ```
/// use urlgrep::archive::Reader;
/// use urlgrep::archive::internal::Memory;
///
/// let memory = Memory::new(256_000_000);
/// let mut reader = Reader::new(&b"From: a\n\nhttp://h.org/\n"[..]).memory(memory.in_turn(0));
/// assert!(reader.next_message()?.is_some());
/// memory.next_turn();
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Memory {
    shared: Arc<SharedCount>,
    turn: u64,
}

#[derive(Debug)]
struct SharedCount {
    budget: usize,
    state: Mutex<Usage>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Usage {
    used: usize,
    current: u64,
}

impl Memory {
    /// The smallest budget, in bytes, which suffices for the longest message.
    pub const MIN: usize = PER_BYTE * MAX_MESSAGE_LEN;

    /// Returns a budget of `bytes`, but at least [`MIN`](Self::MIN).
    pub fn new(bytes: usize) -> Memory {
        let budget = bytes.max(Memory::MIN);
        let shared = SharedCount { budget, state: Mutex::default(), changed: Condvar::new() };
        Memory { shared: Arc::new(shared), turn: 0 }
    }

    /// Returns the same budget, for a reader with this turn. The first turn is 0.
    pub fn in_turn(&self, turn: u64) -> Memory {
        Memory { turn, ..self.clone() }
    }

    /// Begins the next turn.
    pub fn next_turn(&self) {
        self.shared.lock().current += 1;
        self.shared.changed.notify_all();
    }

    /// Takes a part. The current turn never waits, and the others leave it enough.
    fn take(&self, bytes: usize) {
        let mut state = self.shared.lock();
        while self.turn > state.current && state.used + bytes + Memory::MIN > self.shared.budget {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.used += bytes;
    }

    fn give(&self, bytes: usize) {
        if bytes > 0 {
            self.shared.lock().used -= bytes;
            self.shared.changed.notify_all();
        }
    }
}

impl SharedCount {
    fn lock(&self) -> MutexGuard<'_, Usage> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The share of a reader, which is returned when this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    memory: Memory,
    /// The length in bytes that a message may have.
    len: Mutex<usize>,
}

impl Share {
    /// A share for a short message.
    pub(super) fn new(memory: Memory) -> Share {
        Share { memory, len: Mutex::new(SHORT) }
    }

    /// Waits until a message may have more than `len` bytes. The share grows in few steps.
    pub(crate) fn grow(&self, len: usize) {
        let mut own = self.len.lock().unwrap_or_else(PoisonError::into_inner);
        while *own <= len && *own < MAX_MESSAGE_LEN {
            let more = (4 * *own).min(MAX_MESSAGE_LEN);
            self.memory.take(memory_of(more) - memory_of(*own));
            *own = more;
        }
    }

    /// Gives back the memory that a buffer of `len` bytes does not need.
    pub(super) fn shrink(&mut self, len: usize) -> bool {
        let own = self.len.get_mut().unwrap_or_else(PoisonError::into_inner);
        let shrinks = *own > SHORT && len < SHORT;
        if shrinks {
            self.memory.give(memory_of(*own));
            *own = SHORT;
        }
        shrinks
    }
}

/// The length that a message may have whose buffer would become `len` bytes long, as far as the system allows it;
/// `None` if that is long enough. Memory is known to suffice for `own` bytes, so it is checked in few steps.
///
/// If memory is limited (`ulimit -v`), an allocation that fails ends the process. So before a
/// buffer becomes long, the memory is reserved for a moment that the message may take.
pub(super) fn limit(own: &mut usize, len: usize) -> Option<usize> {
    if len < SHORT {
        *own = SHORT;
    }
    while *own < len && *own < MAX_MESSAGE_LEN {
        let more = (4 * *own).min(MAX_MESSAGE_LEN);
        // A buffer that grows is twice as long for a moment.
        if !large::is_available(2 * memory_of(more)) {
            return Some(*own);
        }
        *own = more;
    }
    None
}

/// The memory that a message of this length may take.
fn memory_of(len: usize) -> usize {
    if len > SHORT { len * PER_BYTE } else { 0 }
}

impl Drop for Share {
    fn drop(&mut self) {
        let own = self.len.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.memory.give(memory_of(*own));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_later_turns_wait() {
        let memory = Memory::new(0);
        let mut first = Share::new(memory.in_turn(0));
        first.grow(MAX_MESSAGE_LEN);
        let (sender, grown) = mpsc::channel();
        let later = memory.in_turn(1);
        let waiter = thread::spawn(move || {
            let later = Share::new(later);
            later.grow(SHORT - 1);
            later.grow(SHORT);
            sender.send(()).unwrap();
        });
        assert!(grown.recv_timeout(Duration::from_millis(50)).is_err());
        assert!(first.shrink(0) && !first.shrink(0));
        assert!(grown.recv_timeout(Duration::from_millis(50)).is_err());
        memory.next_turn();
        grown.recv_timeout(Duration::from_secs(60)).unwrap();
        waiter.join().unwrap();
        assert_eq!(memory.shared.lock().used, 0);
    }

    #[test]
    fn others_take_what_the_current_turn_does_not_need() {
        let memory = Memory::new(2 * Memory::MIN);
        let later = Share::new(memory.in_turn(1));
        later.grow(MAX_MESSAGE_LEN);
        assert_eq!(memory.shared.lock().used, Memory::MIN);
        drop(later);
        assert_eq!(memory.shared.lock().used, 0);
    }
}
