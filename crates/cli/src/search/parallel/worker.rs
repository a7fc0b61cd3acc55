//! A thread that searches one job after the other, and the way of its outcomes to the output.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Job;
use super::Threads;
use super::budget::{Budget, Share};
use crate::input::Piece;
use crate::output::batch::Batch;
use crate::search::file_search::{Tools, search_piece};
use crate::search::outcome::{FileSummary, Outcome};
use crate::search::work::Work;

/// The size of the outcomes after which they are sent, in bytes.
const MESSAGE: usize = 64 * 1024;

/// The size of an outcome without matches, in bytes, at most. An archive may have millions of damaged
/// members.
const OUTCOME: usize = 1024;

/// The time that the matches of a file may wait.
const DELAY: Duration = Duration::from_millis(20);

/// Searches the jobs that are left.
pub fn run(work: &Work, budget: &Arc<Budget>, threads: &Threads, jobs: &Mutex<Receiver<Job>>) {
    let mut tools = Tools::new(&work.search);
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { turn, pieces, outcomes, finished }) = job else { return };
        let _busy = threads.enter();
        // A pipe may block for long, so its matches do not wait.
        let is_pipe = matches!(&pieces[..], [Ok(piece)] if piece.input.len().is_none());
        tools.memory = budget.memory.in_turn(turn);
        let mut outbox = Outbox {
            budget,
            turn,
            sender: outcomes,
            waiting: Vec::new(),
            bytes: 0,
            delay: if is_pipe { Duration::ZERO } else { DELAY },
            sent: Instant::now(),
            files: 0,
            finished,
            matches: 0,
            enough: work.search.enough,
        };
        for piece in pieces {
            let searched = piece.and_then(|piece| outbox.search(work, &piece, threads, &mut tools));
            let _ = outbox.receive(Outcome::PieceEnd(searched));
        }
        let _ = outbox.send();
    }
}

/// The outcomes of a job that are not sent yet.
struct Outbox<'b> {
    budget: &'b Arc<Budget>,
    turn: u64,
    sender: Sender<Vec<(Outcome, Option<Share>)>>,
    waiting: Vec<(Outcome, Option<Share>)>,
    /// The size of the waiting outcomes in bytes.
    bytes: usize,
    /// The time that outcomes may wait.
    delay: Duration,
    sent: Instant,
    /// The number of files that have ended.
    files: usize,
    /// The number of files of which no more matches are wanted.
    finished: Arc<AtomicUsize>,
    /// The number of matches of the current file, and how many are enough. One thread would search no
    /// further, and report no error after these.
    matches: u64,
    enough: u64,
}

impl Outbox<'_> {
    /// Searches a piece, if its matches are wanted. Returns whether its input can be read no further.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be opened.
    fn search(
        &mut self,
        work: &Work,
        piece: &Piece,
        threads: &Threads,
        tools: &mut Tools,
    ) -> anyhow::Result<bool> {
        // If the result is not needed, nothing receives it.
        if piece.source.is_some() && self.send().is_break() {
            return Ok(true);
        }
        let files = match work.open(piece, || threads.spare()) {
            Err(failure) if piece.source.as_ref().is_some_and(|source| source.continues()) => {
                // The file has begun, so it has to end.
                let summary = FileSummary { failure: Some(failure), ..FileSummary::default() };
                let _ = self.receive(Outcome::FileEnd(piece.input.name().to_owned(), summary));
                return Ok(true);
            }
            opened => opened?,
        };
        Ok(search_piece(&work.search, &piece.input, files, tools, &mut |outcome| self.receive(outcome)))
    }

    /// Receives an outcome of a search. Breaks if the search of the file can end.
    fn receive(&mut self, outcome: Outcome<&mut Batch>) -> ControlFlow<()> {
        match outcome {
            Outcome::Matches(..) if self.finished.load(Ordering::Relaxed) > self.files => {
                ControlFlow::Break(())
            }
            Outcome::Matches(batch, _) if batch.count == 0 => ControlFlow::Continue(()),
            Outcome::Matches(batch, kind) => {
                let batch = batch.take();
                self.matches += batch.count;
                let bytes = batch.size();
                let pushed = self.push(Outcome::Matches(batch, kind), bytes);
                if self.matches < self.enough { pushed } else { ControlFlow::Break(()) }
            }
            Outcome::FileEnd(name, summary) => {
                (self.files, self.matches) = (self.files + 1, 0);
                let bytes = OUTCOME + name.as_os_str().len();
                self.push(Outcome::FileEnd(name, summary), bytes)
            }
            Outcome::Failure(error) => self.push(Outcome::Failure(error), OUTCOME),
            Outcome::PieceEnd(searched) => self.push(Outcome::PieceEnd(searched), 0),
        }
    }

    /// Adds an outcome, and sends all if they are large or have waited long. Breaks if
    /// the output wants no more.
    fn push(&mut self, outcome: Outcome, bytes: usize) -> ControlFlow<()> {
        let share = (bytes > 0).then(|| self.budget.take(self.turn, bytes));
        self.waiting.push((outcome, share));
        self.bytes += bytes;
        if self.bytes >= MESSAGE || self.sent.elapsed() >= self.delay {
            self.send()
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Sends all outcomes.
    fn send(&mut self) -> ControlFlow<()> {
        (self.bytes, self.sent) = (0, Instant::now());
        match self.sender.send(std::mem::take(&mut self.waiting)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
