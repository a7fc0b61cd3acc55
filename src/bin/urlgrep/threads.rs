//! Several inputs at a time, printed as if it were one after the other.
//!
//! One thread goes through the directories. For each input it makes a channel:
//! one end goes to the workers, who search one input each and send what they
//! find; the other end goes to the output, which reads the channels in the order
//! of the inputs, each to its end. What waits in the channels is limited by a
//! [budget](crate::budget).
//!
//! Nobody waits for the threads: when all is printed, or nobody wants more, the
//! process ends, even if a worker sits before a pipe that says nothing.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::batch::Batch;
use crate::budget::{Budget, Share};
use crate::progress::{Counted, Counters};
use crate::search::Search;
use crate::walk::{FileId, Input, Roots};

/// How many inputs may be searched before it is their turn.
const AHEAD: usize = 1024;

/// What there is to do, for all threads.
pub struct Work {
    pub search: Search,
    pub roots: Arc<Roots>,
    /// The output, which is not searched.
    pub stdout: Option<FileId>,
    pub counters: Arc<Counters>,
}

impl Work {
    /// Opens an input.
    pub fn open(&self, input: anyhow::Result<Input>) -> anyhow::Result<(impl Read, Input)> {
        let input = input?;
        let reader = input.open(self.stdout.as_ref())?;
        Ok((Counted { reader, counters: Arc::clone(&self.counters) }, input))
    }
}

/// What is said of an input.
pub enum Said {
    /// This was found. As long as it is kept, it counts as waiting.
    Found(Batch, Share),
    /// It could not be opened.
    Closed(anyhow::Error),
    /// That was all, and why the rest could not be read.
    End(Option<anyhow::Error>),
}

/// An input whose turn comes.
pub struct Turn {
    /// The name, if it is an input and not an error.
    pub name: PathBuf,
    pub said: Receiver<Said>,
}

struct Job {
    turn: u64,
    input: anyhow::Result<Input>,
    said: Sender<Said>,
}

/// The inputs in their order, searched by so many threads, and the budget that
/// wants to know whose turn it is.
pub fn start(work: Work, threads: usize) -> (Receiver<Turn>, Arc<Budget>) {
    let work = Arc::new(work);
    let budget = Arc::new(Budget::default());
    let (to_output, turns) = mpsc::sync_channel(AHEAD);
    let (to_workers, jobs) = mpsc::sync_channel(AHEAD);
    let jobs = Arc::new(Mutex::new(jobs));
    for _ in 0..threads {
        let (work, budget, jobs) = (Arc::clone(&work), Arc::clone(&budget), Arc::clone(&jobs));
        thread::spawn(move || work_on(&work, &budget, &jobs));
    }
    thread::spawn(move || hand_out(&work, &to_output, &to_workers));
    (turns, budget)
}

/// Goes through the directories.
fn hand_out(work: &Work, to_output: &SyncSender<Turn>, to_workers: &SyncSender<Job>) {
    for (turn, input) in (0..).zip(work.roots.inputs()) {
        let (said, heard) = mpsc::channel();
        let name = input.as_ref().map(|input| input.name().to_owned()).unwrap_or_default();
        // If either end is closed, nobody wants more.
        let sent = to_output.send(Turn { name, said: heard });
        if sent.is_err() || to_workers.send(Job { turn, input, said }).is_err() {
            return;
        }
    }
}

/// Searches one input after the other.
fn work_on(work: &Work, budget: &Arc<Budget>, jobs: &Mutex<Receiver<Job>>) {
    let mut room = Search::room();
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { turn, input, said }) = job else {
            return;
        };
        let last = match work.open(input) {
            Err(error) => Said::Closed(error),
            Ok((mut reader, input)) => {
                let failure = work.search.run(input.name(), &mut reader, &mut room, |batch| {
                    if batch.finds.is_empty() {
                        return ControlFlow::Continue(());
                    }
                    let batch = std::mem::take(batch);
                    let share = budget.take(turn, batch.size());
                    // Whoever does not listen wants no more of it.
                    match said.send(Said::Found(batch, share)) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    }
                });
                Said::End(failure)
            }
        };
        let _ = said.send(last);
    }
}
