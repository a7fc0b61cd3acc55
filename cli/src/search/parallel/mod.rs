//! Several inputs at a time, printed as if they were searched one after the other.
//!
//! One thread walks the directories. For each input it creates a channel: the sender
//! goes to the workers, which search one input each and send its events; the receiver
//! goes to the output, which reads the channels in the order of the inputs, each to
//! its end. A [`budget`] limits what waits in the channels.
//!
//! ```text
//! hand_out ── Job ──► worker ── WorkerEvent ──┐
//!     └────── Turn ──────────────────────────►└─► run
//! ```
//!
//! Small files are searched in groups, and the events of a group are sent in few
//! messages: waking a thread takes longer than searching a mail.
//!
//! A large file is searched in [pieces](crate::input::Piece), each of which is a job. The output adds
//! the lines and messages of the pieces before ([`Sheet`](crate::output::printer::Sheet)). A large file that
//! cannot be divided is one job, and a thread that has none decompresses it ([`threads`]).
//!
//! No thread is joined: when all is printed, or no more is wanted, the process ends,
//! even if a worker is blocked on a pipe.

mod budget;
mod jobs;
mod threads;
mod worker;

use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;

pub use budget::Budget;
pub use jobs::{Turn, WorkerEvent};

use self::jobs::HandOut;
use self::threads::Threads;
use self::worker::Worker;
use super::work::Work;

/// The number of jobs that may be searched before their turn.
const MAX_JOBS: usize = 256;

/// The number of threads, at most. More of them have no jobs.
const MAX_THREADS: usize = MAX_JOBS;

/// The address space in bytes that is left for all threads together to work in.
const RESERVE: usize = 128 * 1024 * 1024;

/// The address space in bytes that is left for each thread. The allocator of glibc takes so much at
/// once; if it cannot, another thread's first allocation may end the program.
const RESERVE_OF_THREAD: usize = 64 * 1024 * 1024;

/// Starts the threads. Returns the inputs in order, and the budget, which must be told
/// when a turn ends. None if the system starts no worker or nothing that hands out jobs;
/// some workers are enough.
pub fn start(work: &Arc<Work>, threads: usize) -> Option<(Receiver<Turn>, Arc<Budget>)> {
    // What threads need later must not be taken by the stacks of other threads.
    let mut reserves = vec![reserve(RESERVE)?];
    let for_hand_out = reserve(RESERVE_OF_THREAD)?;
    let budget = Arc::new(Budget::new(work.search.options.memory()));
    let (turn_sender, turns) = mpsc::sync_channel(MAX_JOBS);
    let (job_sender, jobs) = mpsc::sync_channel(MAX_JOBS);
    let jobs = Arc::new(Mutex::new(jobs));
    let max = threads.min(MAX_THREADS);
    let threads = Threads::new(max);
    let started = (0..max).take_while(|_| {
        let Some(own) = reserve(RESERVE_OF_THREAD) else { return false };
        reserves.push(own);
        let (work, budget, jobs) = (Arc::clone(work), Arc::clone(&budget), Arc::clone(&jobs));
        let threads = threads.clone();
        spawn(move || Worker::new(&work, &budget, &threads).run(&jobs))
    });
    let none = started.count() == 0;
    drop(for_hand_out);
    let work = Arc::clone(work);
    // Without a thread that hands out jobs, the workers end.
    let started = !none
        && spawn(move || {
            HandOut::new(turn_sender, job_sender).run(&work);
        });
    started.then_some((turns, budget))
}

/// Starts a thread, if the system allows it, and while there is memory for it to begin with.
fn spawn(run: impl FnOnce() + Send + 'static) -> bool {
    reserve(RESERVE_OF_THREAD).is_some() && thread::Builder::new().spawn(run).is_ok()
}

/// Address space that nothing else gets, if there is so much.
fn reserve(bytes: usize) -> Option<Vec<u8>> {
    let mut reserve = Vec::new();
    std::hint::black_box(&mut reserve).try_reserve_exact(bytes).ok()?;
    Some(reserve)
}
