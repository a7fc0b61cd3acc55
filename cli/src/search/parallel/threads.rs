//! How many threads are busy.
//!
//! A worker that decompresses its input can leave that to another thread, if fewer threads are busy
//! than there may be: with a few large inputs that is so, with many it is not.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of busy threads.
#[derive(Clone, Debug)]
pub struct Threads {
    busy: Arc<AtomicUsize>,
    max: usize,
}

/// A busy thread, until this is dropped.
#[derive(Debug)]
pub struct Busy(Arc<AtomicUsize>);

impl Threads {
    /// At most `max` threads, none of which is busy.
    pub fn new(max: usize) -> Threads {
        Threads { busy: Arc::default(), max }
    }

    /// A worker begins a job.
    pub fn enter(&self) -> Busy {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(&self.busy))
    }

    /// One more busy thread, if there may be one.
    pub fn spare(&self) -> Option<Busy> {
        let more = |busy| (busy < self.max).then_some(busy + 1);
        let taken = self.busy.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.ok().map(|_| Busy(Arc::clone(&self.busy)))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_there_may_be() {
        let threads = Threads::new(2);
        let worker = threads.enter();
        let spare = threads.spare();
        assert!(spare.is_some() && threads.spare().is_none());
        drop(spare);
        assert!(threads.spare().is_some());
        // All workers may have jobs.
        let workers = [threads.enter(), threads.enter()];
        assert!(threads.spare().is_none());
        drop((worker, workers));
        assert!(threads.spare().is_some());
    }
}
