//! Signals that end the process. They are noted, so that the terminal is restored before.
//!
//! The keys that send signals are ordinary keys in raw mode. These signals come from other
//! processes, or when the terminal is closed.

use std::io;

/// The signals that came.
#[cfg(unix)]
pub struct Signals(std::sync::Arc<std::sync::atomic::AtomicUsize>);

#[cfg(unix)]
impl Signals {
    /// Notes signals from now on.
    ///
    /// # Errors
    ///
    /// If the system refuses to tell them.
    pub fn note() -> io::Result<Signals> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

        let signals = Signals(std::sync::Arc::default());
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            let number = usize::try_from(signal).unwrap_or_default();
            signal_hook::flag::register_usize(signal, std::sync::Arc::clone(&signals.0), number)?;
        }
        Ok(signals)
    }

    /// Whether one came.
    pub fn came(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::SeqCst) != 0
    }

    /// Forgets what the keyboard sent to another program and to this one. Returns whether another signal came.
    pub fn forget_keyboard(&self) -> bool {
        use signal_hook::consts::{SIGINT, SIGQUIT};
        use std::sync::atomic::Ordering::SeqCst;

        let keyboard = [SIGINT, SIGQUIT].map(|signal| usize::try_from(signal).unwrap_or_default());
        let forgotten = self.0.fetch_update(SeqCst, SeqCst, |came| keyboard.contains(&came).then_some(0));
        forgotten.is_err_and(|came| came != 0)
    }

    /// Ends the process as the signal that came does, if one came.
    pub fn obey(&self) {
        let signal = self.0.load(std::sync::atomic::Ordering::SeqCst);
        if let Some(signal) = i32::try_from(signal).ok().filter(|&signal| signal != 0) {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
}

/// There are no signals on this system.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub fn note() -> io::Result<Signals> {
        Ok(Signals)
    }

    pub fn came(&self) -> bool {
        false
    }

    pub fn forget_keyboard(&self) -> bool {
        false
    }

    pub fn obey(&self) {}
}
