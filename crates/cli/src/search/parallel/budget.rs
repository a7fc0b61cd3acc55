//! A limit for output that waits for its turn.
//!
//! Inputs are searched in parallel and printed in order, so the matches of one input
//! wait until the inputs before it are printed. All that wait share one budget. When
//! it is spent, only the input whose turn it is continues, because its matches are
//! printed at once. It waits only if it is much faster than the reader of the output.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use urlgrep::archive::internal::Memory;

/// The number of bytes that may wait.
const MAX_WAITING: usize = 24 * 1024 * 1024;

/// The number of bytes that may wait of the input whose turn it is.
const MAX_CURRENT: usize = 8 * 1024 * 1024;

/// The bytes that wait, and whose turn it is.
#[derive(Debug)]
pub struct Budget {
    account: Mutex<Account>,
    changed: Condvar,
    /// The memory for long messages, which have the same turns.
    pub memory: Memory,
}

#[derive(Debug, Default)]
struct Account {
    waiting_bytes: usize,
    /// The memory in use by turn.
    by_turn: BTreeMap<u64, usize>,
    /// The current turn.
    current: u64,
    /// The number of threads that wait. A notification is a system call even if no
    /// thread waits.
    waiting_threads: usize,
}

impl Account {
    /// Returns true if the input of a turn must wait.
    fn is_spent(&self, turn: u64) -> bool {
        match turn == self.current {
            true => self.by_turn.get(&turn).is_some_and(|&bytes| bytes > MAX_CURRENT),
            false => self.waiting_bytes > MAX_WAITING,
        }
    }
}

/// A part of a budget, which is returned when this is dropped.
#[derive(Debug)]
pub struct Share {
    budget: Arc<Budget>,
    turn: u64,
    bytes: usize,
}

impl Budget {
    /// Returns a budget with that for long messages.
    pub fn new(memory: Memory) -> Budget {
        Budget { account: Mutex::default(), changed: Condvar::new(), memory }
    }

    /// Takes a share for the input of a turn. Blocks while the budget is spent.
    pub fn take(self: &Arc<Self>, turn: u64, bytes: usize) -> Share {
        let mut account = self.lock();
        while account.is_spent(turn) {
            account.waiting_threads += 1;
            account = self.changed.wait(account).unwrap_or_else(PoisonError::into_inner);
            account.waiting_threads -= 1;
        }
        account.waiting_bytes += bytes;
        *account.by_turn.entry(turn).or_insert(0) += bytes;
        Share { budget: Arc::clone(self), turn, bytes }
    }

    /// Starts the next turn.
    pub fn next_turn(&self) {
        self.memory.next_turn();
        let mut account = self.lock();
        account.current += 1;
        self.wake(account);
    }

    fn wake(&self, account: MutexGuard<'_, Account>) {
        if account.waiting_threads > 0 {
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut account = self.budget.lock();
        account.waiting_bytes -= self.bytes;
        if let Some(bytes) = account.by_turn.get_mut(&self.turn) {
            *bytes -= self.bytes;
            if *bytes == 0 {
                account.by_turn.remove(&self.turn);
            }
        }
        self.budget.wake(account);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_current_turn_does_not_wait_for_others() {
        let budget = Arc::new(Budget::new(Memory::new(0)));
        let later = budget.take(7, MAX_WAITING + 1);
        let first = budget.take(0, MAX_CURRENT);
        let (taken, is_taken) = mpsc::channel();
        let waiting = Arc::clone(&budget);
        let waiter = thread::spawn(move || {
            let share = waiting.take(1, 1);
            taken.send(()).unwrap();
            drop(share);
        });
        assert!(is_taken.recv_timeout(Duration::from_millis(50)).is_err());
        budget.next_turn();
        is_taken.recv_timeout(Duration::from_secs(60)).unwrap();
        waiter.join().unwrap();
        drop((first, later));
        let account = budget.lock();
        assert_eq!((account.waiting_bytes, account.by_turn.len()), (0, 0));
    }

    #[test]
    fn all_of_a_budget_can_be_taken() {
        for (turn, bytes, is_spent) in [
            (0, MAX_CURRENT, false),
            (0, MAX_CURRENT + 1, true),
            (1, MAX_WAITING, false),
            (1, MAX_WAITING + 1, true),
        ] {
            let budget = Arc::new(Budget::new(Memory::new(0)));
            let _share = budget.take(turn, bytes);
            assert_eq!(budget.lock().is_spent(turn), is_spent, "{turn} {bytes}");
        }
    }

    #[test]
    fn a_returned_share_can_be_taken_again() {
        let budget = Arc::new(Budget::new(Memory::new(0)));
        for (turn, bytes) in [(7, MAX_WAITING + 1), (0, MAX_CURRENT + 1)] {
            let share = budget.take(turn, bytes);
            let waiting = Arc::clone(&budget);
            let waiter = thread::spawn(move || drop(waiting.take(turn, 1)));
            drop(share);
            waiter.join().unwrap();
        }
    }
}
