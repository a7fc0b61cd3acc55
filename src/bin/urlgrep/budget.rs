//! How much output may wait for its turn.
//!
//! Inputs are searched beside each other and printed one after the other, so
//! what is found in one has to wait until those before it are done. All that
//! waits comes out of one budget. When that is spent, only the search whose turn
//! it is goes on, since what it finds is printed at once; it has to wait only if
//! it is much faster than whoever reads the output.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many bytes may wait for their turn.
const MOST: usize = 24 * 1024 * 1024;

/// How many bytes may wait of the input whose turn it is.
const MOST_OF_FIRST: usize = 8 * 1024 * 1024;

/// What may wait, and whose turn it is.
#[derive(Debug, Default)]
pub struct Budget {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    held: usize,
    /// By turn.
    each: BTreeMap<u64, usize>,
    /// Whose turn it is.
    first: u64,
    /// How many searches wait. To wake nobody costs a call of the system, too.
    waiting: usize,
}

impl State {
    /// Whether the input of this turn has to wait.
    fn is_spent(&self, turn: u64) -> bool {
        match turn == self.first {
            true => self.each.get(&turn).is_some_and(|&held| held > MOST_OF_FIRST),
            false => self.held > MOST,
        }
    }
}

/// A part of a budget, which is given back when this is dropped.
#[derive(Debug)]
pub struct Share {
    budget: Arc<Budget>,
    turn: u64,
    bytes: usize,
}

impl Budget {
    /// Takes a share of so many bytes for the input of this turn, as soon as there
    /// is something left for it.
    pub fn take(self: &Arc<Self>, turn: u64, bytes: usize) -> Share {
        let mut state = self.lock();
        while state.is_spent(turn) {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state.held += bytes;
        *state.each.entry(turn).or_insert(0) += bytes;
        Share { budget: Arc::clone(self), turn, bytes }
    }

    /// Says that the next input has its turn.
    pub fn next_turn(&self) {
        let mut state = self.lock();
        state.first += 1;
        self.wake(state);
    }

    fn wake(&self, state: MutexGuard<'_, State>) {
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut state = self.budget.lock();
        state.held -= self.bytes;
        if let Some(held) = state.each.get_mut(&self.turn) {
            *held -= self.bytes;
            if *held == 0 {
                state.each.remove(&self.turn);
            }
        }
        self.budget.wake(state);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn whose_turn_it_is_need_not_wait_for_others() {
        let budget = Arc::new(Budget::default());
        let later = budget.take(7, MOST + 1);
        let first = budget.take(0, MOST_OF_FIRST);
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
        drop((first, later));
        let state = budget.lock();
        assert_eq!((state.held, state.each.len()), (0, 0));
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let budget = Arc::new(Budget::default());
        for (turn, bytes) in [(7, MOST + 1), (0, MOST_OF_FIRST + 1)] {
            let share = budget.take(turn, bytes);
            let waiting = Arc::clone(&budget);
            let waiter = thread::spawn(move || drop(waiting.take(turn, 1)));
            drop(share);
            waiter.join().unwrap();
        }
    }
}
