//! A budget for the memory of long messages that are read at the same time.
//!
//! A message is buffered as a whole, and decoded texts and their maps take as much again,
//! or several times as much. For one reader that is bounded by
//! [`MAX_MESSAGE_LEN`], but a program with many readers needs many
//! times that. So readers can share a budget: before a buffer becomes long, its reader
//! waits until there is memory for the message.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::MAX_MESSAGE_LEN;

/// How much memory a message takes for each of its bytes, at most, as `tools/worst.py`
/// measures it.
const PER_BYTE: usize = 8;

/// The length of a buffer that needs no share, in bytes.
const SHORT: usize = 256 * 1024;

/// A budget for the memory of messages, which any number of readers share.
///
/// Readers may be searched in parallel while their matches are printed in order. Then a
/// reader whose matches wait for their turn must not keep the current one from going on. So
/// each reader has a turn, and the current one never waits.
///
/// # Example
///
/// ```
/// use urlgrep::archive::{Memory, Reader};
///
/// let memory = Memory::new(256_000_000);
/// let mut reader = Reader::new(&b"From: a\n\nhttp://h.org/\n"[..]).memory(memory.in_turn(0));
/// assert!(reader.next_message()?.is_some());
/// memory.next_turn();
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Memory {
    shared: Arc<Shared>,
    turn: u64,
}

#[derive(Debug)]
struct Shared {
    budget: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    used: usize,
    current: u64,
}

impl Memory {
    /// The smallest budget, in bytes: what the longest message takes.
    pub const MIN: usize = PER_BYTE * MAX_MESSAGE_LEN;

    /// A budget of this many bytes, or of [`MIN`](Self::MIN) if that is more.
    pub fn new(bytes: usize) -> Memory {
        let budget = bytes.max(Memory::MIN);
        let shared = Shared { budget, state: Mutex::default(), changed: Condvar::new() };
        Memory { shared: Arc::new(shared), turn: 0 }
    }

    /// The same budget, for a reader that has this turn. The first turn is 0.
    pub fn in_turn(&self, turn: u64) -> Memory {
        Memory { turn, ..self.clone() }
    }

    /// Begins the next turn.
    pub fn next_turn(&self) {
        self.shared.lock().current += 1;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The share of a reader, which is returned when this is dropped.
#[derive(Debug)]
pub(super) struct Share {
    memory: Memory,
    /// The length in bytes that the buffer may have.
    len: usize,
}

impl Share {
    /// A share for a short message.
    pub(super) fn new(memory: Memory) -> Share {
        Share { memory, len: SHORT }
    }

    /// Waits until a buffer may hold more than `len` bytes. The share grows in few steps.
    pub(super) fn grow(&mut self, len: usize) {
        while self.len <= len && self.len < MAX_MESSAGE_LEN {
            let before = self.taken();
            self.len = (4 * self.len).min(MAX_MESSAGE_LEN);
            self.memory.take(self.taken() - before);
        }
    }

    /// Returns what a buffer of `len` bytes does not need.
    pub(super) fn shrink(&mut self, len: usize) -> bool {
        let shrinks = self.len > SHORT && len < SHORT;
        if shrinks {
            self.memory.give(self.taken());
            self.len = SHORT;
        }
        shrinks
    }

    fn taken(&self) -> usize {
        if self.len > SHORT { self.len * PER_BYTE } else { 0 }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.give(self.taken());
    }
}

impl Memory {
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
            let mut later = Share::new(later);
            later.grow(SHORT - 1);
            later.grow(SHORT);
            sender.send(()).unwrap();
        });
        assert!(grown.recv_timeout(Duration::from_millis(50)).is_err());
        assert!(first.shrink(0) && !first.shrink(0));
        assert!(grown.recv_timeout(Duration::from_millis(50)).is_err());
        memory.next_turn();
        grown.recv_timeout(Duration::from_secs(20)).unwrap();
        waiter.join().unwrap();
        assert_eq!(memory.shared.lock().used, 0);
    }

    #[test]
    fn others_take_what_the_current_turn_does_not_need() {
        let memory = Memory::new(2 * Memory::MIN);
        let mut later = Share::new(memory.in_turn(1));
        later.grow(MAX_MESSAGE_LEN);
        assert_eq!(memory.shared.lock().used, Memory::MIN);
        drop(later);
        assert_eq!(memory.shared.lock().used, 0);
    }
}
