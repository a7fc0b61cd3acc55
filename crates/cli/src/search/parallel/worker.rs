//! A thread that searches one job after the other, and the way of its events to the output.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Threads;
use super::budget::Budget;
use super::{Job, WorkerEvent};
use crate::input::Piece;
use crate::search::event::{Event, FileSummary};
use crate::search::piece_search::{Tools, search_piece};
use crate::search::work::Work;

/// The size of the events after which they are sent, in bytes.
const MESSAGE: usize = 64 * 1024;

/// The size of an event without matches, in bytes, at most. An archive may have millions of damaged
/// members.
const EVENT: usize = 1024;

/// The time that the matches of a file may wait.
const DELAY: Duration = Duration::from_millis(20);

/// A thread that searches.
pub struct Worker<'w> {
    work: &'w Work,
    budget: &'w Arc<Budget>,
    threads: &'w Threads,
    tools: Tools,
}

impl<'w> Worker<'w> {
    pub fn new(work: &'w Work, budget: &'w Arc<Budget>, threads: &'w Threads) -> Self {
        Worker { work, budget, threads, tools: Tools::new(&work.search) }
    }

    /// Searches jobs until there are no more.
    pub fn run(&mut self, jobs: &Mutex<Receiver<Job>>) {
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = job else { return };
            let busy = self.threads.enter();
            self.job(job);
            drop(busy);
        }
    }

    fn job(&mut self, Job { turn, pieces, events, finished }: Job) {
        // A pipe may block for long, so its matches do not wait.
        let is_pipe = matches!(&pieces[..], [Ok(piece)] if piece.input.len().is_none());
        self.tools.memory = self.budget.memory(turn);
        let delay = if is_pipe { Duration::ZERO } else { DELAY };
        let enough = self.work.search.enough;
        let mut outbox = Outbox::new(self.budget, turn, events, finished, enough, delay);
        for piece in pieces {
            let (failure, is_over) = match piece.and_then(|piece| self.piece(&piece, &mut outbox)) {
                Ok(is_over) => (None, is_over),
                Err(error) => (Some(error), true),
            };
            let _ = outbox.push(WorkerEvent::PieceEnd { failure, is_over }, 0);
        }
        let _ = outbox.send();
    }

    /// Searches a piece, if its matches are wanted. Returns whether its input can be read no further.
    ///
    /// # Errors
    ///
    /// If the input cannot be opened.
    fn piece(&mut self, piece: &Piece, outbox: &mut Outbox<'_>) -> anyhow::Result<bool> {
        // Nobody receives what is not wanted any more.
        if piece.source.is_some() && outbox.send().is_break() {
            return Ok(true);
        }
        let name = piece.input.name();
        let mut files = match self.work.open(piece, || self.threads.spare()) {
            Err(failure) if piece.source.as_ref().is_some_and(|source| source.continues()) => {
                // The file has begun, so it has to end.
                let summary = FileSummary { failure: Some(failure), ..FileSummary::default() };
                let _ = outbox.receive(Event::FileEnd { name, summary });
                return Ok(true);
            }
            opened => opened?,
        };
        let mut receive = |event: Event<'_>| outbox.receive(event);
        Ok(search_piece(&self.work.search, &piece.input, &mut files, &mut self.tools, &mut receive))
    }
}

/// The events of a job that are not sent yet.
pub struct Outbox<'b> {
    budget: &'b Arc<Budget>,
    turn: u64,
    sender: Sender<Vec<WorkerEvent>>,
    waiting: Vec<WorkerEvent>,
    /// The size of the waiting events in bytes.
    bytes: usize,
    /// The time that events may wait.
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

impl<'b> Outbox<'b> {
    pub fn new(
        budget: &'b Arc<Budget>,
        turn: u64,
        sender: Sender<Vec<WorkerEvent>>,
        finished: Arc<AtomicUsize>,
        enough: u64,
        delay: Duration,
    ) -> Self {
        let (waiting, sent) = (Vec::new(), Instant::now());
        Outbox {
            budget,
            turn,
            sender,
            waiting,
            bytes: 0,
            delay,
            sent,
            files: 0,
            finished,
            matches: 0,
            enough,
        }
    }

    /// Receives an event of a search. Breaks if the search of the file can end.
    pub fn receive(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Matches { .. } if self.finished.load(Ordering::Relaxed) > self.files => {
                ControlFlow::Break(())
            }
            Event::Matches { batch, .. } if batch.count == 0 => ControlFlow::Continue(()),
            Event::Matches { batch, kind } => {
                let batch = batch.take();
                let bytes = batch.size();
                let share = self.budget.take(self.turn, bytes);
                self.matches += batch.count;
                let pushed = self.push(WorkerEvent::Matches(batch, share, kind), bytes);
                if self.matches < self.enough { pushed } else { ControlFlow::Break(()) }
            }
            Event::Failure(error) => {
                let share = self.budget.take(self.turn, EVENT);
                self.push(WorkerEvent::Failure(error, share), EVENT)
            }
            Event::FileEnd { name, summary } => {
                (self.files, self.matches) = (self.files + 1, 0);
                let bytes = EVENT + name.as_os_str().len();
                let share = self.budget.take(self.turn, bytes);
                self.push(WorkerEvent::FileEnd(name.to_owned(), summary, share), bytes)
            }
        }
    }

    /// Adds an event, and sends all if they are large or have waited long. Breaks if
    /// the output wants no more.
    pub fn push(&mut self, event: WorkerEvent, bytes: usize) -> ControlFlow<()> {
        self.waiting.push(event);
        self.bytes += bytes;
        if self.bytes >= MESSAGE || self.sent.elapsed() >= self.delay {
            self.send()
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Sends all events.
    pub fn send(&mut self) -> ControlFlow<()> {
        (self.bytes, self.sent) = (0, Instant::now());
        match self.sender.send(std::mem::take(&mut self.waiting)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
