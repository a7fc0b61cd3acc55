//! Finds URLs in mail, news and other free text, in the manner of grep.
//!
//! The exit status is 0 if something was found, 1 if nothing was, and 2 if there
//! was an error, whether or not something was found. With `--quiet` a find ends
//! the run, and errors before it do not count.

mod args;
mod around;
mod batch;
mod check;
mod escape;
mod explain;
mod hosts;
mod output;
mod printer;
mod search;
mod select;
mod spelling;
mod unique;
mod walk;

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use args::Args;
use escape::Shown;
use output::Output;
use printer::Printer;
use search::Search;
use select::Select;
use walk::{FileId, Input, Roots};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Something was found; all was accepted.
    Found = 0,
    /// Nothing was found; something was refused.
    NotFound = 1,
    /// There was an error.
    Failed = 2,
}

impl Status {
    fn new(found: bool, failed: bool) -> Status {
        match (failed, found) {
            (true, _) => Status::Failed,
            (false, true) => Status::Found,
            (false, false) => Status::NotFound,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(status) => status.into(),
        // Whoever read the output has seen enough: `urlgrep … | head`.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            Status::Failed.into()
        }
    }
}

/// Does what the arguments ask for. What is wrong with them is a matter of
/// usage.
fn run(args: &Args) -> anyhow::Result<Status> {
    let finder = args.finder().unwrap_or_else(|error| refuse(error));
    let mut select = Select::new(&args.select).unwrap_or_else(|error| refuse(error));
    let mut roots = Roots::new(args).unwrap_or_else(|error| refuse(error));
    if args.check {
        return check::run(args);
    }
    if args.files.type_list {
        walk::types::print(&mut io::stdout().lock()).context("standard output")?;
        return Ok(Status::Found);
    }
    if let Some(list) = &args.files.files_from {
        roots.add_list(list)?;
    }
    if args.files.files {
        return list(args, &roots);
    }
    select.add_lists(&args.select)?;
    let printer = Printer::new(args, roots.are_many());
    search(args, &Search::new(args, finder, select, printer), &roots)
}

/// Says what is wrong with the arguments, and ends the run.
fn refuse(error: impl Display) -> ! {
    Args::command().error(ErrorKind::ValueValidation, error).exit()
}

/// Prints the path of each file that would be searched.
fn list(args: &Args, roots: &Roots) -> anyhow::Result<Status> {
    let printer = Printer::new(args, roots.are_many());
    let mut output = Output::new(args, &printer);
    let mut found = false;
    let mut failed = false;
    for input in roots.inputs() {
        match input {
            Ok(input) => {
                found = true;
                output.path(&printer, input.name()).context("standard output")?;
            }
            Err(error) => {
                failed = true;
                report(&error);
            }
        }
    }
    output.end(&printer).context("standard output")?;
    Ok(Status::new(found, failed))
}

/// Searches all that the arguments name.
fn search(args: &Args, search: &Search, roots: &Roots) -> anyhow::Result<Status> {
    if args.max_count == Some(0) {
        return Ok(Status::NotFound);
    }
    let mut output = Output::new(args, &search.printer);
    output.begin(&search.printer).context("standard output")?;
    let stdout = FileId::of(&io::stdout());
    let mut found = false;
    let mut failed = false;
    for input in roots.inputs() {
        let (finds, failure) = one(input, stdout.as_ref(), search, &mut output).context("standard output")?;
        found |= finds > 0;
        if let Some(error) = failure {
            failed = true;
            report(&error);
        }
        if found && args.quiet {
            return Ok(Status::Found);
        }
    }
    output.end(&search.printer).context("standard output")?;
    Ok(Status::new(found, failed))
}

/// Searches one input and prints what is found. Says how much that was, and why
/// the input could not be read to its end. An error is one of the output.
fn one(
    input: anyhow::Result<Input>,
    stdout: Option<&FileId>,
    search: &Search,
    output: &mut Output,
) -> io::Result<(u64, Option<anyhow::Error>)> {
    let (mut reader, input) = match input.and_then(|input| Ok((input.open(stdout)?, input))) {
        Ok(opened) => opened,
        Err(error) => return Ok((0, Some(error))),
    };
    let mut printed = Ok(());
    let failure = search.run(input.name(), &mut *reader, |batch| {
        output.take(batch).unwrap_or_else(|error| {
            printed = Err(error);
            ControlFlow::Break(())
        })
    });
    printed?;
    Ok((output.end_input(&search.printer, input.name())?, failure))
}

/// Says what went wrong on standard error; if that is closed there is nobody to
/// tell.
fn report(error: &anyhow::Error) {
    let message = format!("{error:#}");
    let _ = writeln!(io::stderr(), "urlgrep: {}", Shown(message.as_bytes()));
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    })
}
