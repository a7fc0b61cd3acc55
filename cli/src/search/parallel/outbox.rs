//! The events of a job on their way to the output.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::budget::Budget;
use super::job::WorkerEvent;
use crate::search::event::Event;

/// The size of the events after which they are sent, in bytes.
const MESSAGE: usize = 64 * 1024;

/// The size of an event without matches, in bytes, at most. An archive may have millions of damaged
/// members.
const EVENT: usize = 1024;

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
}

impl<'b> Outbox<'b> {
    pub fn new(
        budget: &'b Arc<Budget>,
        turn: u64,
        sender: Sender<Vec<WorkerEvent>>,
        finished: Arc<AtomicUsize>,
        delay: Duration,
    ) -> Self {
        let (waiting, sent) = (Vec::new(), Instant::now());
        Outbox { budget, turn, sender, waiting, bytes: 0, delay, sent, files: 0, finished }
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
                self.push(WorkerEvent::Matches(batch, share, kind), bytes)
            }
            Event::Failure(error) => {
                let share = self.budget.take(self.turn, EVENT);
                self.push(WorkerEvent::Failure(error, share), EVENT)
            }
            Event::FileEnd { name, summary } => {
                self.files += 1;
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
