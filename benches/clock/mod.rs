//! The clock of benches that look for slow texts: other programs do not change it.

use std::time::Duration;

/// The time that this thread has spent.
#[cfg(unix)]
pub fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time since the first call.
#[cfg(not(unix))]
pub fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
