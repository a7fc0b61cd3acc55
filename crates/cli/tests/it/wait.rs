//! Waiting for what other processes do.

use std::thread;
use std::time::{Duration, Instant};

/// The time in which it happens, also on a busy machine. Only what never happens takes as long.
const DEADLINE: Duration = Duration::from_secs(60);

/// The time between two questions.
const PERIOD: Duration = Duration::from_millis(20);

/// Asks until there is an answer; none at the deadline.
pub fn until<T>(mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + DEADLINE;
    loop {
        let answer = ask();
        if answer.is_some() || Instant::now() > end {
            return answer;
        }
        thread::sleep(PERIOD);
    }
}
