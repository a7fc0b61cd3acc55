//! A thread that searches one job after the other.

use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use urlgrep::archive::Format;

use super::budget::Budget;
use super::job::{Job, Queue, Task, WorkerEvent};
use super::outbox::Outbox;
use super::threads::Threads;
use crate::error::failure;
use crate::input::Input;
use crate::input::chunk::{Chunk, LineCounter};
use crate::input::parts::{Part, Room, Seen, Stream};
use crate::input::sections::{Section, SectionReader};
use crate::search::event::{Event, FileSummary};
use crate::search::input_search::{Tools, search_chunk, search_input, search_part};
use crate::search::work::Work;

/// The time that the matches of a file may wait.
const DELAY: Duration = Duration::from_millis(20);

/// A thread that searches.
pub struct Worker<'w> {
    work: &'w Work,
    budget: &'w Arc<Budget>,
    threads: &'w Threads,
    tools: Tools,
    room: Room,
}

impl<'w> Worker<'w> {
    pub fn new(work: &'w Work, budget: &'w Arc<Budget>, threads: &'w Threads) -> Self {
        Worker { work, budget, threads, tools: Tools::new(&work.search), room: Room::default() }
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
                Task::Section(section) => {
                    self.section(&section, &mut outbox);
                    None
                }
                Task::Part(stream, queue) => {
                    self.part(*stream, queue, &mut outbox);
                    None
                }
                Task::End(path) => {
                    end(&path, None, &mut outbox);
                    None
                }
            };
            let _ = outbox.push(WorkerEvent::InputEnd(failure), 0);
        }
        let _ = outbox.send();
    }

    /// Searches an input. Returns why it could not be opened.
    fn input(&mut self, input: anyhow::Result<Input>, outbox: &mut Outbox<'_>) -> Option<anyhow::Error> {
        let (mut files, input) = match self.work.open(input, || self.threads.spare()) {
            Ok(opened) => opened,
            Err(error) => return Some(error),
        };
        let search = &self.work.search;
        search_input(search, input.name(), &mut files, &mut self.tools, &mut |event| outbox.receive(event));
        None
    }

    fn chunk(&mut self, chunk: &Chunk, outbox: &mut Outbox<'_>) {
        let search = &self.work.search;
        match chunk.open().and_then(|reader| Ok((reader, chunk.lookahead()?))) {
            Err(error) => end(&chunk.path, Some(error), outbox),
            Ok((reader, lookahead)) => {
                let lines = Cell::new(0);
                let counted = search.options.read.line_numbers.then_some(&lines);
                let reader = LineCounter::new(self.work.counted(reader), counted);
                let mut receive = |event: Event<'_>| outbox.receive(with_lines(event, counted));
                search_chunk(search, chunk, &mut reader.chain(lookahead), &mut self.tools, &mut receive);
            }
        }
    }

    /// Searches the next part of a stream, if its matches are wanted, and hands out the rest.
    fn part(&mut self, stream: Stream, queue: Queue, outbox: &mut Outbox<'_>) {
        if outbox.send().is_break() {
            return;
        }
        let search = &self.work.search;
        let (path, start) = (stream.path().to_owned(), stream.start());
        let lines = search.options.read.line_numbers.then(Cell::default);
        let seen = Seen { end: Cell::new(u64::MAX), lines };
        let pass = |rest: Option<Stream>| {
            // Without a receiver, nothing more is wanted.
            let _ = match rest {
                Some(rest) => queue.part(Box::new(rest)),
                None => queue.end(path.clone()),
            };
        };
        let mut part = Part::new(stream, &mut self.room, &seen, pass);
        let mut receive = |event: Event<'_>| outbox.receive(with_lines(event, seen.lines.as_ref()));
        let file = (&*path, Format::Mbox);
        search_part(search, file, start, &seen.end, &mut part, &mut self.tools, &mut receive);
    }

    /// Searches a section, if its matches are wanted.
    fn section(&mut self, section: &Section, outbox: &mut Outbox<'_>) {
        if outbox.send().is_break() {
            return;
        }
        let search = &self.work.search;
        let lines = search.options.read.line_numbers.then(Cell::default);
        let seen = Seen { end: Cell::new(u64::MAX), lines };
        self.work.counters.bytes.fetch_add(section.len, Ordering::Relaxed);
        match SectionReader::open(section, &seen) {
            Ok(Some((start, mut reader))) => {
                let file = (&*section.path, section.format);
                let mut receive = |event: Event<'_>| outbox.receive(with_lines(event, seen.lines.as_ref()));
                search_part(search, file, start, &seen.end, &mut reader, &mut self.tools, &mut receive);
            }
            opened => end(&section.path, opened.err(), outbox),
        }
    }
}

/// Ends a file without a search, or because of this error.
fn end(path: &Path, error: Option<io::Error>, outbox: &mut Outbox<'_>) {
    let failure = error.map(|error| failure(path, error));
    let _ = outbox
        .receive(Event::FileEnd { name: path, summary: FileSummary { failure, ..FileSummary::default() } });
}

/// The event; the end of a file gets the number of its lines.
fn with_lines<'e>(event: Event<'e>, lines: Option<&Cell<u64>>) -> Event<'e> {
    match event {
        Event::FileEnd { name, summary } => {
            Event::FileEnd { name, summary: FileSummary { lines: lines.map_or(0, Cell::get), ..summary } }
        }
        event => event,
    }
}
