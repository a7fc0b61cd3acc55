//! How much output may wait for its turn.
//!
//! Inputs are searched beside each other and printed one after the other, so
//! what is found in one has to wait until those before it are done. All that
//! waits comes out of one budget. When that is spent, only the search whose turn
//! it is goes on.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many bytes may wait.
const MOST: usize = 32 * 1024 * 1024;

/// What may wait, and whose turn it is.
#[derive(Debug, Default)]
pub struct Budget {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    held: usize,
    turn: u64,
}

/// A part of a budget, which is given back when this is dropped.
#[derive(Debug)]
pub struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Budget {
    /// Takes a share of so many bytes for the input of this turn, as soon as there
    /// is something left or it is its turn.
    pub fn take(self: &Arc<Self>, turn: u64, bytes: usize) -> Share {
        let mut state = self.lock();
        while state.held > MOST && state.turn != turn {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.held += bytes;
        Share { budget: Arc::clone(self), bytes }
    }

    /// Says that the next input has its turn.
    pub fn next_turn(&self) {
        self.lock().turn += 1;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.lock().held -= self.bytes;
        self.budget.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn whose_turn_it_is_never_waits() {
        let budget = Arc::new(Budget::default());
        let first = budget.take(0, MOST + 1);
        let second = budget.take(0, MOST);
        let (said, heard) = mpsc::channel();
        let waiting = Arc::clone(&budget);
        let waiter = thread::spawn(move || {
            let share = waiting.take(1, 1);
            said.send(()).unwrap();
            drop(share);
        });
        assert!(heard.recv_timeout(Duration::from_millis(50)).is_err());
        budget.next_turn();
        heard.recv_timeout(Duration::from_secs(20)).unwrap();
        waiter.join().unwrap();
        drop((first, second));
        assert_eq!(budget.lock().held, 0);
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let budget = Arc::new(Budget::default());
        let share = budget.take(0, MOST + 1);
        let waiting = Arc::clone(&budget);
        let waiter = thread::spawn(move || drop(waiting.take(7, 1)));
        drop(share);
        waiter.join().unwrap();
    }
}
