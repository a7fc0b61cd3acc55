//! A thread that searches one job after the other.

use std::io::{self, Read};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::budget::Budget;
use super::job::{ChunkTask, Job, Task, WorkerEvent};
use super::outbox::Outbox;
use crate::error::failure;
use crate::input::{Base, Input};
use crate::search::event::{Event, FileSummary};
use crate::search::input_search::{Tools, search_chunk, search_input};
use crate::search::work::Work;

/// The time that the matches of a file may wait.
const DELAY: Duration = Duration::from_millis(20);

/// A thread that searches.
pub struct Worker<'w> {
    work: &'w Work,
    budget: &'w Arc<Budget>,
    tools: Tools,
}

impl<'w> Worker<'w> {
    pub fn new(work: &'w Work, budget: &'w Arc<Budget>) -> Self {
        Worker { work, budget, tools: Tools::new(&work.search) }
    }

    /// Searches jobs until there are no more.
    pub fn run(&mut self, jobs: &Mutex<Receiver<Job>>) {
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = job else { return };
            self.job(job);
        }
    }

    fn job(&mut self, Job { turn, tasks, events, finished }: Job) {
        // A pipe may block for long, so its matches do not wait.
        let is_pipe = matches!(&tasks[..], [Task::Input(Ok(input))] if input.len().is_none());
        self.tools.memory = self.budget.memory(turn);
        let delay = if is_pipe { Duration::ZERO } else { DELAY };
        let mut outbox = Outbox::new(self.budget, turn, events, finished, delay);
        for task in tasks {
            let failure = match task {
                Task::Input(input) => self.input(input, &mut outbox),
                Task::Chunk(task) => {
                    self.chunk(&task, &mut outbox);
                    None
                }
            };
            let _ = outbox.push(WorkerEvent::InputEnd(failure), 0);
        }
        let _ = outbox.send();
    }

    /// Searches an input. Returns why it could not be opened or read to the end.
    fn input(&mut self, input: anyhow::Result<Input>, outbox: &mut Outbox<'_>) -> Option<anyhow::Error> {
        let (mut reader, input) = match self.work.open(input) {
            Ok(opened) => opened,
            Err(error) => return Some(error),
        };
        let search = &self.work.search;
        search_input(search, input.name(), &mut reader, &mut self.tools, &mut |event| outbox.receive(event))
    }

    fn chunk(&mut self, task: &ChunkTask, outbox: &mut Outbox<'_>) {
        let chunk = &task.chunk;
        match self.base(task).and_then(|base| Ok((base, chunk.open()?, chunk.lookahead()?))) {
            Err(error) => {
                let failure = Some(failure(&chunk.path, error));
                let summary = FileSummary { failure, ..FileSummary::default() };
                let _ = outbox.receive(Event::FileEnd { name: &chunk.path, summary });
            }
            Ok((base, reader, lookahead)) => {
                let mut reader = self.work.counted(reader).chain(lookahead);
                search_chunk(&self.work.search, chunk, base, &mut reader, &mut self.tools, &mut |event| {
                    outbox.receive(event)
                });
            }
        }
    }

    /// The base of a chunk. Lines and messages are counted only if they are printed.
    fn base(&self, ChunkTask { chunk, base, next_base }: &ChunkTask) -> io::Result<Base> {
        let options = &self.work.search.options;
        let mut start = Base::default();
        let counts = options.read.line_numbers || options.message_numbers;
        if counts && chunk.format.is_some() {
            let own = chunk.count(options.message_numbers)?;
            // Without a base, an earlier chunk could not be read, and this one is not
            // printed.
            start = base.recv().unwrap_or_default();
            let (lines, messages) = (start.lines + own.lines, start.messages + own.messages);
            let _ = next_base.send(Base { lines, messages, ..start });
        }
        Ok(Base { offset: chunk.range.start, ..start })
    }
}
