//! Ctrl-C during a long call.
//!
//! Python runs the handlers of signals only between its own instructions. So a call that
//! takes long asks for them now and then.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// The minimum time between two checks for signals, or two calls of a function that shows the progress. To attach to the
/// interpreter may have to wait for another thread, so not more often than a person notices.
const EVERY: Duration = Duration::from_millis(100);

/// A clock that looks for signals.
#[derive(Debug)]
pub struct Clock(Instant);

impl Default for Clock {
    fn default() -> Self {
        Clock(Instant::now())
    }
}

impl Clock {
    /// Runs the handlers of the signals that came, if it is time to. Only the main thread of
    /// Python does.
    ///
    /// # Errors
    ///
    /// Returns the exception of a handler, such as `KeyboardInterrupt`.
    pub fn check(&mut self) -> PyResult<()> {
        if self.is_due() { Python::attach(|py| py.check_signals()) } else { Ok(()) }
    }

    /// Returns true now and then.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.0.elapsed() >= EVERY;
        if is_due {
            self.0 = Instant::now();
        }
        is_due
    }
}
