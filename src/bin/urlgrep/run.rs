//! A run: all inputs, one by one or beside each other, and what came of them.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::anyhow;

use crate::args::Args;
use crate::output::Output;
use crate::printer::{self, Base, Part, Printer};
use crate::progress::Progress;
use crate::search::Search;
use crate::threads::{self, Said, Turn, Work};
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
    found: bool,
    failed: bool,
}

/// How an input ended.
enum Ended {
    /// It could not be opened.
    Closed,
    /// All was read, or this is why not.
    Read(Option<anyhow::Error>),
    /// Nothing more of it is wanted.
    Enough,
}

impl Run {
    /// A run that has yet to begin.
    pub fn new(args: &Args, work: &Work) -> Run {
        let printer = work.search.printer.clone();
        let progress = Progress::watch(&work.counters, &work.roots);
        let output = Output::new(args, &printer, Arc::clone(&work.counters), progress.clone());
        let [quiet, json] = [args.quiet, args.json];
        Run { output, printer, progress, quiet, json, found: false, failed: false }
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
        let mut room = Search::room();
        for input in work.roots.inputs() {
            self.one(work, input, &mut room)?;
            if self.is_over() {
                break;
            }
        }
        Ok(())
    }

    fn one(&mut self, work: &Work, input: anyhow::Result<Input>, room: &mut [u8]) -> io::Result<()> {
        let (mut reader, input) = match work.open(input) {
            Ok(opened) => opened,
            Err(error) => {
                self.fail(Some(error));
                return Ok(());
            }
        };
        let part = Part { name: input.name(), base: Base::default() };
        let mut printed = Ok(());
        let failure = work.search.run(&part, &mut reader, room, |batch| {
            self.output.take(batch).unwrap_or_else(|error| {
                printed = Err(error);
                ControlFlow::Break(())
            })
        });
        printed?;
        self.end_input(input.name(), failure)
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
        let mut said = turn.said.iter().flatten();
        for (n, name) in turn.names.iter().enumerate() {
            match self.listen(name, &mut said)? {
                Ended::Closed => {}
                Ended::Read(None) if turn.more => return Ok(false),
                Ended::Read(failure) => self.end_input(name, failure)?,
                Ended::Enough => {
                    self.end_input(name, None)?;
                    let last = n + 1 == turn.names.len();
                    if last || self.is_over() {
                        break;
                    }
                    turn.done.store(n + 1, Ordering::Relaxed);
                    said.find(|said| !matches!(said, Said::Found(..)));
                }
            }
        }
        Ok(true)
    }

    /// Prints what is said of one input.
    fn listen(&mut self, name: &Path, said: &mut impl Iterator<Item = Said>) -> io::Result<Ended> {
        for said in said {
            match said {
                Said::Found(mut batch, share) => {
                    let going_on = self.output.take(&mut batch)?;
                    drop(share);
                    if going_on.is_break() {
                        return Ok(Ended::Enough);
                    }
                }
                Said::Closed(error) => {
                    self.fail(Some(error));
                    return Ok(Ended::Closed);
                }
                Said::End(failure) => return Ok(Ended::Read(failure)),
            }
        }
        Ok(Ended::Read(Some(failure(name, anyhow!("the search broke off")))))
    }

    fn end_input(&mut self, name: &Path, failure: Option<anyhow::Error>) -> io::Result<()> {
        self.found |= self.output.end_input(&self.printer, name)? > 0;
        self.fail(failure);
        Ok(())
    }

    fn fail(&mut self, failure: Option<anyhow::Error>) {
        if let Some(error) = failure {
            self.failed = true;
            match &self.progress {
                Some(progress) => progress.make_way(|| report(&error)),
                None => report(&error),
            }
        }
    }

    /// Whether nothing more is to be told.
    fn is_over(&self) -> bool {
        self.quiet && self.found
    }

    /// Prints what stands behind all finds, and says how it ended.
    pub fn end(mut self) -> io::Result<Status> {
        self.output.end(&self.printer)?;
        if let Some(numbers) = self.output.report() {
            // If nobody listens, nobody wants them.
            let _ = match self.json {
                true => io::stderr().write_all(printer::line(&numbers.to_json()).as_bytes()),
                false => write!(io::stderr(), "{numbers}"),
            };
        }
        if self.is_over() {
            return Ok(Status::Found);
        }
        Ok(Status::new(self.found, self.failed))
    }
}
