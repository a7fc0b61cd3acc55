//! A search with its output.

use std::borrow::BorrowMut;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;

use anyhow::anyhow;
use urlgrep::archive::Binary;
use urlgrep_print::sheet::Preceding;

use super::evidence::{Gathering, Pass};
use super::file_search::{Tools, search_piece};
use super::outcome::{FileKind, FileSummary, Outcome};
use super::parallel::{self, Budget, Turn};
use super::state::State;
use super::work::Work;
use crate::error::{self, AtByte, Interrupted, Status, failure};
use crate::input::{IgnoredMatches, Input, Next, Piece};
use crate::output::batch::Batch;
use crate::output::item::ItemEvent;
use crate::output::newest::Newest;
use crate::output::printer;
use crate::output::progress::Progress;
use crate::output::stdout::Output;
use crate::output::unsupported::{Notices, UnsupportedFiles, count};

/// A search with its output.
pub struct Run {
    output: Output,
    progress: Option<Progress>,
    /// The summary of the parts so far of the current file.
    parts: FileSummary,
    unsupported: UnsupportedFiles,
    notices: Notices,
    /// The count of the matches in ignored files, which the end of the search reports.
    pub ignored: Option<IgnoredMatches>,
    matched: bool,
    failed: bool,
}

impl Run {
    pub fn new(output: Output, progress: Option<Progress>) -> Run {
        Run {
            output,
            progress,
            parts: FileSummary::default(),
            unsupported: UnsupportedFiles::default(),
            notices: Notices::new(),
            ignored: None,
            matched: false,
            failed: false,
        }
    }

    /// Searches all inputs and prints the matches. All errors except output errors are printed and
    /// become the status.
    pub fn search(mut self, mut work: Work, threads: Option<NonZeroUsize>) -> io::Result<Status> {
        self.output.begin()?;
        let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let gathering = work.search.options.gathering.clone();
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
        let spare = || (threads > 1).then_some(());
        for input in work.roots.inputs() {
            // A path on the command line may be a pipe, which blocks.
            if !matches!(input, Ok(Input::Entry(_))) {
                self.output.flush()?;
            }
            let (mut state, mut printed) = (State::Printing, Ok(()));
            let searched = input.map(Piece::whole).and_then(|piece| {
                let files = work.open(&piece, spare)?;
                Ok(search_piece(&work.search, &piece.input, files, &mut tools, &mut |outcome| {
                    match self.outcome(state, outcome, Next::Input, None) {
                        Ok(next) => state = next,
                        Err(error) => printed = Err(error),
                    }
                    let continues = state == State::Printing && printed.is_ok();
                    if continues { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                }))
            });
            printed?;
            self.outcome(state, Outcome::<Batch>::PieceEnd(searched), Next::Input, None)?;
            if self.is_finished() {
                break;
            }
        }
        Ok(())
    }

    /// Prints an outcome of a turn. `next` is the turn after it, and `last` the name of the turn's last input if the
    /// outcome belongs to that input.
    fn outcome(
        &mut self,
        state: State,
        outcome: Outcome<impl BorrowMut<Batch>>,
        next: Next,
        last: Option<&Path>,
    ) -> io::Result<State> {
        let state = match outcome {
            Outcome::Matches(..) if state == State::Skipping => state,
            Outcome::Matches(mut batch, kind) => {
                let batch: &mut Batch = batch.borrow_mut();
                let FileSummary { lines, messages, bytes, .. } = self.parts;
                batch.complete(Preceding { lines, messages, bytes });
                let enough = self.output.print(batch)?;
                // After the last input, the turn contains only more of the same file, unless the file is a member.
                let last = last.filter(|_| kind != FileKind::Member);
                let after = state.after_matches(enough, last.is_some());
                if let (State::Discarding, Some(name)) = (after, last) {
                    // The rest of the turn is dropped. End the file now, because its summary would delay the output.
                    self.end_file(name, FileSummary::default())?;
                }
                after
            }
            Outcome::FileEnd(name, summary) => {
                let after = state.after_file(next, summary.failure.is_some() || summary.is_rest);
                match (after, state) {
                    // The file continues in the next turn, so only add up its summary.
                    (State::Continued, _) => self.parts.add(summary),
                    (_, State::Skipping) => {
                        // Report only an error of the archive: whether a thread reached an error after the last
                        // printed match depends on timing.
                        let mut summary = summary;
                        let failed = summary.archive.take().zip(summary.failure.take());
                        (summary.undecoded, summary.note) = (None, None);
                        self.end_file(&name, summary)?;
                        self.fail(failed.map(|(archive, error)| {
                            failure(&archive, anyhow!(error.root_cause().to_string()))
                        }));
                    }
                    _ => self.end_file(&name, summary)?,
                }
                after
            }
            Outcome::Failure(error) => {
                self.fail(Some(error));
                state
            }
            Outcome::PieceEnd(searched) => {
                self.output.flush_if_due()?;
                let is_over = *searched.as_ref().unwrap_or(&true);
                self.fail(searched.err());
                state.after_piece(next, is_over)
            }
        };
        Ok(if self.is_finished() { State::Finished } else { state })
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
            // A thread whose results are discarded can end.
            turn.finished.store(usize::MAX, Ordering::Relaxed);
            next = turn.next;
            budget.next_turn();
        }
        Ok(())
    }

    /// Prints the outcomes of a turn, until the state ends it.
    fn turn(&mut self, turn: &Turn, mut state: State) -> io::Result<State> {
        let mut inputs = turn.names.iter().map(|name| &**name);
        let mut input = inputs.next();
        // The number of files that have ended.
        let mut files = 0;
        while let Some(outcomes) = self.receive(&turn.outcomes)? {
            for (outcome, _share) in outcomes {
                let is_matches = matches!(outcome, Outcome::Matches(..));
                let last = input.filter(|_| inputs.len() == 0);
                match outcome {
                    Outcome::FileEnd(..) => files += 1,
                    Outcome::PieceEnd(_) => input = inputs.next(),
                    Outcome::Matches(..) | Outcome::Failure(_) => {}
                }
                state = self.outcome(state, outcome, turn.next, last)?;
                if is_matches {
                    turn.finished.store(files + usize::from(state != State::Printing), Ordering::Relaxed);
                }
                if state.ends_turn() {
                    return Ok(state);
                }
            }
        }
        // Each input has ended, unless its thread ended early.
        self.fail(input.map(|name| failure(name, Interrupted)));
        Ok(if input.is_some() { State::Discarding } else { state })
    }

    /// Receives the next value from a thread. The output is written before the wait becomes long.
    fn receive<T>(&mut self, from: &Receiver<T>) -> io::Result<Option<T>> {
        if let Some(wait) = self.output.wait() {
            match from.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => self.output.flush()?,
                received => return Ok(received.ok()),
            }
        }
        Ok(from.recv().ok())
    }

    /// Ends a file; `last` is its last or only part.
    fn end_file(&mut self, name: &Path, last: FileSummary) -> io::Result<()> {
        if let Some(unsupported) = last.unsupported {
            self.end_unsupported(name, last.kind, unsupported);
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
                if is_named || self.notices.add(which.reason()) {
                    // A command cannot open a part of the file.
                    let kind = if which.is_whole_file() { kind } else { FileKind::Member };
                    let what = with_path(name, kind, &which.to_string());
                    self.leave_out(is_named, failure(name, anyhow!(what)));
                }
                self.failed |= self.output.options.strict;
            }
            (Some(error), _) if kind != FileKind::Input && error::is_unsupported(&error) => {
                if self.notices.add(&error.root_cause().to_string()) {
                    self.say(&with_hint(name, kind, error));
                }
                self.failed |= self.output.options.strict;
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

    /// Ends a file that was not read. It is not reported if it was not given on the command line
    /// and is in a format that does not hold text.
    fn end_unsupported(&mut self, name: &Path, kind: FileKind, binary: Binary) {
        let is_named = kind == FileKind::Input;
        if !is_named && !binary.may_hold_text() {
            count(&mut self.unsupported.skipped, binary);
        } else if self.unsupported.add(binary) {
            // The bytes of a format that another program reads are rarely worth a search.
            let what = match binary.to_string() {
                what if what.ends_with(')') => with_path(name, kind, &what),
                what => format!("{what}; to search its bytes, use --input text"),
            };
            let why = anyhow!("unsupported format: {what}");
            self.leave_out(is_named, failure(name, why));
        } else {
            self.failed |= is_named || self.output.options.strict;
        }
    }

    /// Reports the part that was not read. This is an error if the file was given on the command
    /// line; files in a directory, an archive or a message may have any format.
    fn leave_out(&mut self, is_named: bool, what: anyhow::Error) {
        self.failed |= is_named || self.output.options.strict;
        self.say(&what);
    }

    /// Reports why a file could not be read. An unsupported format is not an error, unless the user
    /// gave the file on the command line.
    fn fail(&mut self, failure: Option<anyhow::Error>) {
        if let Some(error) = failure {
            self.failed |= self.output.options.strict || !error::is_unsupported(&error);
            self.output.interrupted |= error::is_interrupted(&error);
            self.say(&error);
        }
    }

    /// Prints an error after the matches before it. If these cannot be written, the end of the
    /// search reports it.
    fn say(&mut self, error: &anyhow::Error) {
        let _ = self.output.flush();
        self.print_error(error);
    }

    fn print_error(&self, error: &anyhow::Error) {
        if self.output.options.no_messages {
            return;
        }
        self.show(error);
    }

    fn show(&self, error: &anyhow::Error) {
        match (&self.output.items, &self.progress) {
            // If the menu takes no more, the error is lost.
            (Some(items), _) => _ = items.send(ItemEvent::Error(format!("{error:#}"))),
            (None, Some(progress)) => progress.pause(|| error::print(error)),
            (None, None) => error::print(error),
        }
    }

    /// Returns true if `--quiet` ends the search.
    fn is_finished(&self) -> bool {
        self.output.options.quiet && self.matched
    }

    /// Completes the output, and prints the statistics.
    fn end(mut self) -> io::Result<Status> {
        self.output.end()?;
        if self.output.newest.as_ref().is_some_and(Newest::is_incomplete) {
            self.leave_out(true, anyhow!("--newest: out of memory, so the matches of the oldest messages were dropped; use a smaller number or more --memory"));
        }
        let failure = self.output.end_report().err();
        self.fail(failure);
        for (binary, files) in self.unsupported.not_named() {
            let error = match files {
                1 => anyhow!("skipped 1 more file in an unsupported format: {binary}"),
                _ => anyhow!("skipped {files} more files in an unsupported format: {binary}"),
            };
            self.print_error(&error);
        }
        for (kind, notices) in self.notices.not_printed() {
            self.print_error(&anyhow!("{notices} more notices: \"{kind}\"; to list all of them, redirect standard error to a file: 2>FILE"));
        }
        if let Some(summary) = self.output.summary(&self.unsupported) {
            // If standard error is closed, the statistics are lost.
            let _ = match self.output.options.json {
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
    let first = work.with_search(work.search.in_first_pass(gathering));
    let first = Arc::new(first);
    match parallel::start(&first, threads) {
        Some((turns, budget)) => turns.iter().for_each(|turn| {
            turn.outcomes.iter().for_each(drop);
            budget.next_turn();
        }),
        None => {
            let mut tools = Tools::new(&first.search);
            for piece in first.roots.inputs().flatten().map(Piece::whole) {
                let Ok(files) = first.open(&piece, || None::<()>) else { continue };
                let wants_all = &mut |_: Outcome<&mut Batch>| ControlFlow::Continue(());
                search_piece(&first.search, &piece.input, files, &mut tools, wants_all);
            }
        }
    }
    // The statistics count the second pass only.
    work.counters.bytes.store(0, Ordering::Relaxed);
    work.search.options.gathering = Some(Gathering { pass: Pass::Use, ..gathering.clone() });
    threads
}

/// Returns the error of a file with a command that can be typed. For a PDF document, `--pre` reads its text if the glob
/// matches the file's name, and the file is not an archive member.
fn with_hint(name: &Path, kind: FileKind, error: anyhow::Error) -> anyhow::Error {
    let is_pdf = kind != FileKind::Member && name.extension().is_some_and(|extension| extension == "pdf");
    let (reason, is_unsupported) = (error.root_cause().to_string(), error::is_unsupported(&error));
    let hinted = match is_pdf && is_unsupported {
        true => format!("{reason}; to search the text, use --pre '*.pdf pdftotext {{}} -'"),
        false => with_path(name, kind, &reason),
    };
    if hinted == reason {
        return error;
    }
    let kind = if is_unsupported { io::ErrorKind::Unsupported } else { io::ErrorKind::Other };
    let hinted = anyhow::Error::from(io::Error::new(kind, hinted));
    failure(
        name,
        match error.downcast_ref() {
            Some(&AtByte(at)) => hinted.context(AtByte(at)),
            None => hinted,
        },
    )
}

/// Returns the reason of an error, or the description of a format, with the path of the file instead of FILE in its
/// command, in quotation marks for a shell if needed.
/// A command cannot name an archive member, standard input, or a path with control characters.
fn with_path(name: &Path, kind: FileKind, message: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/\\:._-+,@%=".contains(c);
    let path = match name.to_str() {
        _ if kind == FileKind::Member => {
            return without_command(message).unwrap_or_else(|| message.to_owned());
        }
        Some(path) if path.starts_with('-') => return message.to_owned(),
        Some(path) if path.chars().all(is_plain) => path.to_owned(),
        Some(path) if !path.contains(|c: char| c == '\'' || c.is_control()) => format!("'{path}'"),
        _ => return message.to_owned(),
    };
    match message.rsplit_once(" FILE") {
        Some((before, after)) => format!("{before} {path}{after}"),
        None => message.to_owned(),
    }
}

/// The message without its command in brackets, which cannot open an archive member.
fn without_command(message: &str) -> Option<String> {
    let (before, after) = message.rsplit_once(" FILE")?;
    let (before, (_, after)) = (before.rsplit_once(" (")?.0, after.split_once(')')?);
    Some(format!("{before}{after}"))
}
