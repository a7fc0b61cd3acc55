//! A run: all inputs, one by one or beside each other, and what came of them.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::anyhow;
use urlgrep::Scanner;

use crate::args::Args;
use crate::output::Output;
use crate::page::Page;
use crate::printer::{self, Printer};
use crate::progress::Progress;
use crate::search::{Ended, Event};
use crate::threads::{self, File, Said, Turn, Work};
use crate::walk::{Input, failure};
use crate::{Status, report};

/// A run so far.
pub struct Run {
    output: Output,
    printer: Printer,
    progress: Option<Progress>,
    /// Whether the first find ends it.
    quiet: bool,
    /// Whether numbers are for programs.
    json: bool,
    /// What there is to say of the pieces so far of an input that goes on.
    pieces: Ended,
    found: bool,
    failed: bool,
}

impl Run {
    /// A run that has yet to begin.
    pub fn new(args: &Args, work: &Work, page: Option<Page>) -> Run {
        let printer = work.search.printer.clone();
        let progress = Progress::watch(&work.counters, &work.roots);
        let output = Output::new(args, &printer, Arc::clone(&work.counters), progress.clone());
        let output = output.with_page(page);
        let [quiet, json] = [args.quiet, args.json];
        let pieces = Ended::default();
        Run { output, printer, progress, quiet, json, pieces, found: false, failed: false }
    }

    /// Prints what stands before all finds.
    pub fn begin(&mut self) -> io::Result<()> {
        self.output.begin(&self.printer)
    }

    /// Draws nothing more of how far it is.
    pub fn stop_watching(&self) {
        if let Some(progress) = &self.progress {
            progress.end();
        }
    }

    /// Searches one input after the other. Any error is one of the output.
    pub fn one_by_one(&mut self, work: &Work) -> io::Result<()> {
        let mut scanner = work.search.scanner();
        for input in work.roots.inputs() {
            self.one(work, input, &mut scanner)?;
            if self.is_over() {
                break;
            }
        }
        Ok(())
    }

    fn one(
        &mut self,
        work: &Work,
        input: anyhow::Result<Input>,
        scanner: &mut Scanner<'_>,
    ) -> io::Result<()> {
        let (mut reader, input) = match work.open(input) {
            Ok(opened) => opened,
            Err(error) => {
                self.fail(Some(error));
                return Ok(());
            }
        };
        let mut printed = Ok(());
        let failure = work.search.run(input.name(), &mut reader, scanner, &mut |event| {
            let taken = match event {
                Event::Match { batch, .. } => self.output.take(batch),
                Event::End { name, ended } => self.end_file(name, ended).map(|()| match self.is_over() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }),
            };
            taken.unwrap_or_else(|error| {
                printed = Err(error);
                ControlFlow::Break(())
            })
        });
        self.fail(failure);
        printed
    }

    /// Searches several inputs at a time. Any error is one of the output.
    pub fn beside_each_other(&mut self, work: Work, threads: usize) -> io::Result<()> {
        let (turns, budget) = threads::start(work, threads);
        // Whether the rest of an input is not wanted any more.
        let mut over = false;
        for turn in turns {
            if !over {
                over = self.turn(&turn)?;
            }
            over &= turn.more;
            if self.is_over() {
                break;
            }
            budget.next_turn();
        }
        Ok(())
    }

    /// Prints what is said of the inputs whose turn it is, or of a piece of one.
    /// Says whether that was all that is wanted of the last of them.
    fn turn(&mut self, turn: &Turn) -> io::Result<bool> {
        // How many files have ended, and whether the one at hand need not go on.
        let (mut files, mut enough) = (0, false);
        let mut inputs = turn.names.iter();
        let mut input = inputs.next();
        for said in turn.said.iter().flatten() {
            match said {
                Said::Match(..) if enough => {}
                Said::Match(mut batch, share, file) => {
                    enough = self.output.take(&mut batch)?.is_break();
                    drop(share);
                    // If nothing can follow, nobody has to be told, nor waited for.
                    if let (true, Some(name), 0, File::Input) = (enough, input, inputs.len(), file) {
                        self.end_file(name, Ended::default())?;
                        return Ok(true);
                    }
                    turn.done.store(files + usize::from(enough), Ordering::Relaxed);
                }
                Said::FileEnd(_, ended) if turn.more && !enough && ended.failure.is_none() => {
                    self.pieces.add(ended);
                    return Ok(false);
                }
                Said::FileEnd(name, mut ended) => {
                    files += 1;
                    ended.failure = ended.failure.filter(|_| !enough);
                    enough = false;
                    self.end_file(&name, ended)?;
                }
                Said::End(failure) => {
                    self.fail(failure);
                    input = inputs.next();
                }
            }
            if self.is_over() {
                return Ok(true);
            }
        }
        if let Some(name) = input {
            self.fail(Some(failure(name, anyhow!("the search broke off"))));
        }
        Ok(true)
    }

    /// Ends a file, of which this is the last piece, or all.
    fn end_file(&mut self, name: &Path, last: Ended) -> io::Result<()> {
        let messages = self.output.messages().unwrap_or(last.messages);
        let last = Ended { messages, ..last };
        let mut ended = std::mem::take(&mut self.pieces);
        ended.add(last);
        self.found |= self.output.end_file(&self.printer, name, ended.messages)? > 0;
        self.fail(ended.failure);
        if let Some(note) = ended.note {
            self.tell(&note);
        }
        Ok(())
    }

    fn fail(&mut self, failure: Option<anyhow::Error>) {
        if let Some(error) = failure {
            self.failed = true;
            self.tell(&error);
        }
    }

    fn tell(&self, error: &anyhow::Error) {
        match &self.progress {
            Some(progress) => progress.make_way(|| report(error)),
            None => report(error),
        }
    }

    /// Whether nothing more is to be told.
    fn is_over(&self) -> bool {
        self.quiet && self.found
    }

    /// Prints what stands behind all finds, and says how it ended.
    pub fn end(mut self) -> io::Result<Status> {
        self.output.end(&self.printer)?;
        let failure = self.output.end_page().err();
        self.fail(failure);
        if let Some(numbers) = self.output.report() {
            // If nobody listens, nobody wants them.
            let _ = match self.json {
                true => io::stderr().write_all(&printer::line(&numbers.to_json())),
                false => write!(io::stderr(), "{numbers}"),
            };
        }
        if self.is_over() {
            return Ok(Status::Match);
        }
        Ok(Status::new(self.found, self.failed))
    }
}
