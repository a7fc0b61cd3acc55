//! A search with its output.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::{thread, vec};

use anyhow::anyhow;
use urlgrep::archive::Binary;
use urlgrep_print::sheet::Preceding;

use super::event::{Event, FileKind, FileSummary};
use super::evidence::{Gathering, Pass};
use super::parallel::{self, Budget, Turn, WorkerEvent};
use super::piece_search::{Tools, search_piece};
use super::state::State;
use super::work::Work;
use crate::error::{self, Interrupted, Status, failure};
use crate::input::{IgnoredMatches, Input, Next, Piece};
use crate::output::batch::Batch;
use crate::output::printer;
use crate::output::progress::Progress;
use crate::output::stdout::Output;
use crate::output::unread::UnreadFiles;

/// What a search does besides printing matches.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Whether the first match ends the search.
    pub quiet: bool,
    /// Whether statistics are printed as JSON.
    pub json: bool,
    /// Whether errors of files are not printed.
    pub no_messages: bool,
    /// Whether all that is not read is an error, and not only what the user named.
    pub strict: bool,
}

/// A search with its output.
pub struct Run {
    output: Output,
    progress: Option<Progress>,
    options: RunOptions,
    /// The summary of the parts so far of the current file.
    parts: FileSummary,
    unread: UnreadFiles,
    ignored: Option<IgnoredMatches>,
    matched: bool,
    failed: bool,
}

impl Run {
    pub fn new(output: Output, progress: Option<Progress>, options: RunOptions) -> Run {
        let (parts, unread) = (FileSummary::default(), UnreadFiles::default());
        Run { output, progress, options, parts, unread, ignored: None, matched: false, failed: false }
    }

    /// The same, which says at its end how many matches are in ignored files.
    pub fn with_ignored(self, ignored: Option<IgnoredMatches>) -> Run {
        Run { ignored, ..self }
    }

    /// Searches all inputs and prints the matches. All errors but those of the output
    /// are printed and become the status.
    pub fn search(mut self, mut work: Work, threads: Option<NonZeroUsize>) -> io::Result<Status> {
        self.output.begin()?;
        let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let gathering = work.search.gathering.clone();
        let threads = gathering.as_ref().map_or(threads, |gathering| gather(&mut work, gathering, threads));
        let divisible = threads > 1 && work.is_divisible();
        let work = Arc::new(work);
        let searched = match divisible.then(|| parallel::start(&work, threads)).flatten() {
            Some((turns, budget)) => self.in_parallel(turns, &budget),
            None => self.in_sequence(&work, threads),
        };
        if let Some(progress) = &self.progress {
            progress.end();
        }
        searched?;
        if let Some(note) = gathering.and_then(|gathering| gathering.note()) {
            self.show(&note);
        }
        self.end()
    }

    fn in_sequence(&mut self, work: &Work, threads: usize) -> io::Result<()> {
        let mut tools = Tools::new(&work.search);
        for input in work.roots.inputs() {
            // What is named may be a pipe, which blocks.
            if !matches!(input, Ok(Input::Entry(_))) {
                self.output.flush()?;
            }
            self.input(work, input, threads, &mut tools)?;
            if self.is_finished() {
                break;
            }
        }
        Ok(())
    }

    fn input(
        &mut self,
        work: &Work,
        input: anyhow::Result<Input>,
        threads: usize,
        tools: &mut Tools,
    ) -> io::Result<()> {
        let piece = input.map(Piece::whole);
        let opened =
            piece.and_then(|piece| Ok((work.open(&piece, || (threads > 1).then_some(()))?, piece.input)));
        let (mut files, input) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.fail(Some(error));
                return Ok(());
            }
        };
        let mut printed = Ok(());
        let mut enough = false;
        search_piece(&work.search, &input, &mut files, tools, &mut |event| {
            self.event(event, &mut enough).unwrap_or_else(|error| {
                printed = Err(error);
                ControlFlow::Break(())
            })
        });
        printed?;
        self.output.flush_if_due()
    }

    /// Prints an event; `enough` is whether there were enough matches of the current file.
    fn event(&mut self, event: Event<'_>, enough: &mut bool) -> io::Result<ControlFlow<()>> {
        match event {
            Event::Matches { batch, .. } => {
                let flow = self.output.print(batch)?;
                *enough = flow.is_break();
                return Ok(flow);
            }
            Event::Failure(error) => {
                self.fail(Some(error));
                return Ok(ControlFlow::Continue(()));
            }
            Event::FileEnd { name, summary } if std::mem::take(enough) => self.end_skipped(name, summary)?,
            Event::FileEnd { name, summary } => self.end_file(name, summary)?,
        }
        Ok(self.flow())
    }

    fn in_parallel(&mut self, turns: Receiver<Turn>, budget: &Budget) -> io::Result<()> {
        let mut state = State::Printing;
        let mut next = Next::Input;
        while let Some(turn) = self.receive(&turns)? {
            state = state.at_turn(next);
            if !state.ends_turn() {
                state = self.turn(&turn, state)?;
            }
            if state == State::Finished {
                break;
            }
            // Who searches what is discarded can end.
            turn.finished.store(usize::MAX, Ordering::Relaxed);
            next = turn.next;
            budget.next_turn();
        }
        Ok(())
    }

    /// Prints the events of a turn, until the state ends it.
    fn turn(&mut self, turn: &Turn, mut state: State) -> io::Result<State> {
        let mut inputs = turn.names.iter().map(|name| &**name);
        let mut input = inputs.next();
        // The number of files that have ended.
        let mut files = 0;
        let mut events = Vec::new().into_iter();
        while let Some(event) = self.next_event(turn, &mut events)? {
            state = match event {
                WorkerEvent::Matches(..) if state == State::Skipping => state,
                WorkerEvent::Matches(mut batch, share, kind) => {
                    let enough = self.print(&mut batch)?;
                    drop(share);
                    turn.finished.store(files + usize::from(enough), Ordering::Relaxed);
                    // Nothing else follows the last input of a turn.
                    let last = input.filter(|_| inputs.len() == 0 && kind != FileKind::Member);
                    self.after_matches(state, enough, last)?
                }
                WorkerEvent::FileEnd(name, summary, _share) => {
                    files += 1;
                    self.after_file(state, turn.next, &name, summary)?
                }
                WorkerEvent::Failure(error, _share) => self.fail_in(state, Some(error)),
                WorkerEvent::PieceEnd { failure, is_over } => {
                    input = inputs.next();
                    self.output.flush_if_due()?;
                    self.fail_in(state.after_piece(turn.next, is_over), failure)
                }
            };
            if self.is_finished() {
                state = State::Finished;
            }
            if state.ends_turn() {
                return Ok(state);
            }
        }
        // Each input has its end, unless the thread has not.
        Ok(input.map_or(state, |name| self.fail_in(State::Discarding, Some(failure(name, Interrupted)))))
    }

    /// The next event of a turn, of which `events` are those that were received.
    fn next_event(
        &mut self,
        turn: &Turn,
        events: &mut vec::IntoIter<WorkerEvent>,
    ) -> io::Result<Option<WorkerEvent>> {
        loop {
            if let Some(event) = events.next() {
                return Ok(Some(event));
            }
            match self.receive(&turn.events)? {
                Some(more) => *events = more.into_iter(),
                None => return Ok(None),
            }
        }
    }

    /// What a thread sends next. What is printed is written before the wait becomes long.
    fn receive<T>(&mut self, from: &Receiver<T>) -> io::Result<Option<T>> {
        if let Some(wait) = self.output.wait() {
            match from.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => self.output.flush()?,
                received => return Ok(received.ok()),
            }
        }
        Ok(from.recv().ok())
    }

    /// Prints a batch; returns whether these are enough matches of its file.
    fn print(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let FileSummary { lines, messages, .. } = self.parts;
        batch.complete(Preceding { lines, messages });
        Ok(self.output.print(batch)?.is_break())
    }

    /// Ends the file `last`, of which there are enough matches, without its summary: the
    /// output would have to wait for that.
    fn after_matches(&mut self, state: State, enough: bool, last: Option<&Path>) -> io::Result<State> {
        let next = state.after_matches(enough, last.is_some());
        if let (State::Discarding, Some(name)) = (next, last) {
            self.end_file(name, FileSummary::default())?;
        }
        Ok(next)
    }

    /// Ends a file or, if it continues in the next turn, a part.
    fn after_file(
        &mut self,
        state: State,
        next: Next,
        name: &Path,
        summary: FileSummary,
    ) -> io::Result<State> {
        let next = state.after_file(next, summary.failure.is_some() || summary.is_rest);
        if next == State::Continued {
            self.parts.add(summary);
            return Ok(next);
        }
        match state {
            State::Skipping => self.end_skipped(name, summary)?,
            _ => self.end_file(name, summary)?,
        }
        Ok(next)
    }

    /// Ends a file of which there were enough matches. How far the search went after the last one depends on the threads,
    /// so whoever skips the rest of a file meets an error of its archive only.
    fn end_skipped(&mut self, name: &Path, mut summary: FileSummary) -> io::Result<()> {
        let failed = summary.archive.take().zip(summary.failure.take());
        let error = failed.map(|(archive, error)| failure(&archive, anyhow!(error.root_cause().to_string())));
        (summary.undecoded, summary.note) = (None, None);
        self.end_file(name, summary)?;
        self.fail(error);
        Ok(())
    }

    /// Ends a file, of which `last` is the last part or all.
    fn end_file(&mut self, name: &Path, last: FileSummary) -> io::Result<()> {
        if let Some(unread) = last.unread {
            self.end_unread(name, last.kind, unread);
            return Ok(());
        }
        let messages = self.output.messages().unwrap_or(last.messages);
        let mut summary = std::mem::take(&mut self.parts);
        summary.add(FileSummary { messages, ..last });
        let FileSummary { kind, messages, left_out, .. } = summary;
        let matches = self.output.end_file(name, kind == FileKind::Member, messages, left_out)?;
        self.matched |= matches > 0;
        if let (Some(ignored), FileKind::Entry) = (&mut self.ignored, kind) {
            ignored.add(name, matches);
        }
        match (summary.failure, summary.undecoded) {
            (None, Some(which)) => {
                let is_named = kind == FileKind::Input && which.is_whole_file();
                self.leave_out(is_named, failure(name, anyhow!(which.to_string())));
            }
            (failure, _) => {
                self.failed |= kind == FileKind::Input && failure.is_some();
                self.fail(failure.map(|error| with_hint(name, kind, error)));
            }
        }
        if let Some(note) = summary.note {
            self.say(&note);
        }
        Ok(())
    }

    /// Ends a file that was not read. Nobody misses it if no one named it, and no one keeps text in such files.
    fn end_unread(&mut self, name: &Path, kind: FileKind, binary: Binary) {
        let is_named = kind == FileKind::Input;
        if !is_named && !binary.may_hold_text() {
            self.unread.skip(binary);
        } else if self.unread.add(binary) {
            let why =
                anyhow!("this is {binary}, which urlgrep does not read; --input text searches its bytes");
            self.leave_out(is_named, failure(name, why));
        } else {
            self.failed |= is_named || self.options.strict;
        }
    }

    /// Says what was not read. That is an error if the user named it; what is in a directory, an archive or a message
    /// may have any format.
    fn leave_out(&mut self, is_named: bool, what: anyhow::Error) {
        self.failed |= is_named || self.options.strict;
        self.say(&what);
    }

    /// Says why something could not be read. That is no error if its format is not read, but for what the user named.
    fn fail(&mut self, failure: Option<anyhow::Error>) {
        if let Some(error) = failure {
            self.failed |= self.options.strict || !error::is_unsupported(&error);
            self.output.interrupted |= error::is_interrupted(&error);
            self.say(&error);
        }
    }

    /// Prints an error after the matches before it. If they cannot be written, the end says so.
    fn say(&mut self, error: &anyhow::Error) {
        let _ = self.output.flush();
        self.print_error(error);
    }

    /// The same, within a turn, which has this state after it.
    fn fail_in(&mut self, state: State, failure: Option<anyhow::Error>) -> State {
        self.fail(failure);
        state
    }

    fn print_error(&self, error: &anyhow::Error) {
        if self.options.no_messages {
            return;
        }
        self.show(error);
    }

    fn show(&self, error: &anyhow::Error) {
        match (self.output.items(), &self.progress) {
            (Some(items), _) => items.error(error),
            (None, Some(progress)) => progress.pause(|| error::print(error)),
            (None, None) => error::print(error),
        }
    }

    /// Whether `--quiet` ends the search.
    fn is_finished(&self) -> bool {
        self.options.quiet && self.matched
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.is_finished() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Completes the output, and prints the statistics.
    fn end(mut self) -> io::Result<Status> {
        self.output.end()?;
        if self.output.is_incomplete() {
            self.leave_out(true, anyhow!("--newest: there was no memory for the matches of all messages, so those of the oldest were left out; use a smaller number, or more --memory"));
        }
        let failure = self.output.end_report().err();
        self.fail(failure);
        for (binary, files) in self.unread.not_named() {
            let error = match files {
                1 => anyhow!("1 more file was not read; it is {binary}"),
                _ => anyhow!("{files} more files were not read; each is {binary}"),
            };
            self.print_error(&error);
        }
        if let Some(summary) = self.output.summary(&self.unread) {
            // If standard error is closed, the statistics are lost.
            let _ = match self.options.json {
                true => io::stderr().write_all(&printer::line(&summary.to_json())),
                false => write!(io::stderr(), "{summary}"),
            };
        }
        if let Some(hint) = self.ignored.take().and_then(IgnoredMatches::hint) {
            error::hint(&hint);
        }
        if self.is_finished() {
            return Ok(Status::Match);
        }
        Ok(Status::new(self.matched, self.failed))
    }
}

/// Gathers evidence in a pass over all inputs, if they can be read twice. Returns the
/// number of threads for the search.
fn gather(work: &mut Work, gathering: &Gathering, threads: usize) -> usize {
    if !work.roots.can_be_read_twice() {
        return 1;
    }
    // Errors will occur again in the second pass, which prints them.
    let first = work.with_search(work.search.in_first_pass(gathering.in_pass(Pass::Gather)));
    let first = Arc::new(first);
    match parallel::start(&first, threads) {
        Some((turns, budget)) => turns.iter().for_each(|turn| {
            turn.events.iter().for_each(drop);
            budget.next_turn();
        }),
        None => gather_in_sequence(&first),
    }
    // The statistics count the second pass only.
    work.counters.bytes.store(0, Ordering::Relaxed);
    work.search.gathering = Some(gathering.in_pass(Pass::Use));
    threads
}

fn gather_in_sequence(work: &Work) {
    let mut tools = Tools::new(&work.search);
    for piece in work.roots.inputs().flatten().map(Piece::whole) {
        let Ok(mut files) = work.open(&piece, || None::<()>) else { continue };
        search_piece(&work.search, &piece.input, &mut files, &mut tools, &mut |_| ControlFlow::Continue(()));
    }
}

/// An error with what reads the text of a PDF document, if `--pre` reaches it: a file whose name the glob matches, and not a
/// member of an archive.
fn with_hint(name: &Path, kind: FileKind, error: anyhow::Error) -> anyhow::Error {
    let is_pdf = kind != FileKind::Member && name.extension().is_some_and(|extension| extension == "pdf");
    match is_pdf && error::is_unsupported(&error) {
        true => {
            let message = format!("{error:#} (--pre '*.pdf pdftotext {{}} -')");
            io::Error::new(io::ErrorKind::Unsupported, message).into()
        }
        false => error,
    }
}
