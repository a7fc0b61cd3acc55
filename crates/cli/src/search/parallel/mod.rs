//! Several inputs at a time, printed as if they were searched one after the other.
//!
//! One thread walks the directories. For each input it creates a channel: the sender
//! goes to the workers, which search one input each and send its outcomes; the receiver
//! goes to the output, which reads the channels in the order of the inputs, each to
//! its end. A [`budget`] limits what waits in the channels.
//!
//! ```text
//! hand_out ── Job ──► worker ── Outcome ──────┐
//!     └────── Turn ──────────────────────────►└─► run
//! ```
//!
//! Small files are searched in groups, and the outcomes of a group are sent in few
//! messages: waking a thread takes longer than searching a mail.
//!
//! A large file is searched in [pieces](crate::input::Piece), each of which is a job. The output adds
//! the lines and messages of the pieces before ([`Sheet`](urlgrep_print::sheet::Sheet)). A large file that
//! cannot be divided is one job, and a thread that has none decompresses it ([`Threads`]).
//!
//! No thread is joined: when all is printed, or no more is wanted, the process ends,
//! even if a worker is blocked on a pipe.

mod budget;
mod worker;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;

use urlgrep::archive::internal::Memory;

use self::budget::Share;
use super::outcome::Outcome;
use super::work::Work;
use crate::error::{self, failure};
use crate::input::{Input, Next, Piece};
pub use budget::Budget;

/// The number of jobs that may be searched before their turn.
const MAX_JOBS: usize = 256;

/// The maximum number of threads. More threads would not have jobs.
const MAX_THREADS: usize = MAX_JOBS;

/// The address space in bytes that is left for the work of all threads together.
const RESERVE: usize = 128 * 1024 * 1024;

/// The address space in bytes that is left for each thread. The glibc allocator takes that much at
/// once; if it cannot, another thread's first allocation may end the program.
const RESERVE_OF_THREAD: usize = 64 * 1024 * 1024;

/// Starts the threads. Returns the inputs in order, and the budget, which must be notified when a
/// turn ends. Returns `None` if the system cannot start a worker or the thread that hands out jobs;
/// some workers are enough.
pub fn start(work: &Arc<Work>, threads: usize) -> Option<(Receiver<Turn>, Arc<Budget>)> {
    // The stacks of other threads must not take the memory that threads need later.
    let mut reserves = vec![reserve(RESERVE)?];
    let for_hand_out = reserve(RESERVE_OF_THREAD)?;
    let budget = Arc::new(Budget::new(Memory::new(work.search.options.output.memory)));
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
        spawn(move || worker::run(&work, &budget, &threads, &jobs))
    });
    let none = started.count() == 0;
    drop(for_hand_out);
    let work = Arc::clone(work);
    // Without a thread that hands out jobs, the workers end.
    let started = !none
        && spawn(move || {
            let (group, jobs) = (Vec::new(), job_sender);
            HandOut { turns: turn_sender, jobs, turn: 0, group, len: 0 }.run(&work);
        });
    started.then_some((turns, budget))
}

/// Starts a thread, if the system allows it and has enough memory for its start.
fn spawn(run: impl FnOnce() + Send + 'static) -> bool {
    reserve(RESERVE_OF_THREAD).is_some() && thread::Builder::new().spawn(run).is_ok()
}

/// Reserved address space, if that much is available.
fn reserve(bytes: usize) -> Option<Vec<u8>> {
    let mut reserve = Vec::new();
    std::hint::black_box(&mut reserve).try_reserve_exact(bytes).ok()?;
    Some(reserve)
}

// The number of busy threads.
//
// A worker that decompresses its input can leave that to another thread, if fewer threads are busy
// than the maximum: with a few large inputs, but not with many.

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
    /// Returns a counter for at most `max` threads, which are all idle.
    pub fn new(max: usize) -> Threads {
        Threads { busy: Arc::default(), max }
    }

    /// Records that a worker begins a job.
    pub fn enter(&self) -> Busy {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(&self.busy))
    }

    /// Returns one more busy thread, if the maximum allows it.
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

// The channels between the threads, and the thread that walks the directories and hands out jobs.

/// The maximum number of files in a group: in the first group, and in any other. A folder of few
/// files should be work for all threads.
const FIRST_GROUP: usize = 8;
const MAX_GROUP: usize = 64;

/// The maximum length of a file in a group, and of all files in it, in bytes.
const SMALL: u64 = 64 * 1024;
const GROUP_LEN: u64 = 256 * 1024;

/// A group of inputs, or a piece of one, as the output sees it.
pub struct Turn {
    /// The names of the inputs; empty for an error of the walk.
    pub names: Vec<PathBuf>,
    /// The outcomes of all pieces, in order. Each counts as waiting until its share is dropped.
    pub outcomes: Receiver<Vec<(Outcome, Option<Share>)>>,
    /// The number of files whose search can end, because their further matches are not needed.
    pub finished: Arc<AtomicUsize>,
    /// The next turn.
    pub next: Next,
}

/// A group of inputs, or a piece of one, as a worker sees it.
pub struct Job {
    /// The number of the turn.
    pub turn: u64,
    /// The pieces, or errors of the walk.
    pub pieces: Vec<anyhow::Result<Piece>>,
    pub outcomes: Sender<Vec<(Outcome, Option<Share>)>>,
    pub finished: Arc<AtomicUsize>,
}

/// The thread that hands out jobs. Its methods return `None` when the output needs no more.
pub struct HandOut {
    turns: SyncSender<Turn>,
    jobs: SyncSender<Job>,
    /// The number of the next turn.
    turn: u64,
    /// Small files that have not been handed out yet.
    group: Vec<anyhow::Result<Piece>>,
    /// The length of these files in bytes.
    len: u64,
}

impl HandOut {
    /// Hands out all inputs.
    pub fn run(mut self, work: &Work) -> Option<()> {
        work.roots.inputs().try_for_each(|input| {
            let name = input.as_ref().map(|input| input.name().to_owned());
            let name = name.unwrap_or_default();
            let sent = error::catch(|| self.input(work, input));
            sent.unwrap_or_else(|interrupted| self.send(vec![Err(failure(&name, interrupted))]))
        })?;
        self.send_group()
    }

    fn input(&mut self, work: &Work, input: anyhow::Result<Input>) -> Option<()> {
        // A pipe has no length. It may block, so its group contains nothing else.
        let len = input.as_ref().ok().and_then(Input::len);
        if let Some(len) = len.filter(|len| *len <= SMALL) {
            let max =
                usize::try_from(self.turn).map_or(MAX_GROUP, |turn| (FIRST_GROUP + turn).min(MAX_GROUP));
            if self.group.len() >= max || self.len + len > GROUP_LEN {
                self.send_group()?;
            }
            self.len += len;
            self.group.push(input.map(Piece::whole));
            return Some(());
        }
        self.send_group()?;
        match input {
            Ok(input) => work.pieces(input).try_for_each(|piece| self.send(vec![Ok(piece)])),
            Err(error) => self.send(vec![Err(error)]),
        }
    }

    fn send_group(&mut self) -> Option<()> {
        self.len = 0;
        let group = std::mem::take(&mut self.group);
        if group.is_empty() { Some(()) } else { self.send(group) }
    }

    /// Sends a turn to the output and the job to the workers.
    fn send(&mut self, pieces: Vec<anyhow::Result<Piece>>) -> Option<()> {
        let name = |piece: &Piece| piece.input.name().to_owned();
        let names = pieces.iter().map(|piece| piece.as_ref().map(name).unwrap_or_default()).collect();
        let next =
            pieces.last().and_then(|piece| piece.as_ref().ok()).map_or(Next::Input, |piece| piece.next);
        let (sender, outcomes) = mpsc::channel();
        let finished = Arc::new(AtomicUsize::new(0));
        let job = Job { turn: self.turn, pieces, outcomes: sender, finished: Arc::clone(&finished) };
        self.turn += 1;
        self.turns.send(Turn { names, outcomes, finished, next }).ok()?;
        self.jobs.send(job).ok()
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
