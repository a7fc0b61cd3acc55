//! Finds URLs in mail, news and other free text, in the manner of grep.
//!
//! The exit status is 0 if something was found, 1 if nothing was, and 2 if there
//! was an error, whether or not something was found. With `--quiet` a find ends
//! the run, and errors before it do not count.

mod args;
mod check;
mod escape;
mod hit;
mod printer;
mod search;
mod walk;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use urlgrep::Finder;

use args::Args;
use escape::Shown;
use printer::Printer;
use search::{Search, Searched};
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

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    // What is wrong with the options is a matter of usage.
    let finder = args.finder().unwrap_or_else(|error| {
        let mut command = Args::command();
        command.error(ErrorKind::ValueValidation, error).exit()
    });
    let ended = match args.check {
        true => check::run(&args),
        false => search(&args, &finder),
    };
    match ended {
        Ok(status) => status.into(),
        // Whoever read the output has seen enough: `urlgrep … | head`.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            Status::Failed.into()
        }
    }
}

/// Searches all that the arguments name.
fn search(args: &Args, finder: &Finder) -> anyhow::Result<Status> {
    if args.max_count == Some(0) {
        return Ok(Status::NotFound);
    }
    let roots = Roots::new(&args.paths, args.hidden);
    let mut printer = Printer::new(args, roots.are_many());
    let most = match printer.needs_one() {
        true => 1,
        false => args.max_count.unwrap_or(u64::MAX),
    };
    let mut search = Search::new(finder, args, most);
    let output = FileId::of(&io::stdout());
    let mut found = false;
    let mut failed = false;
    for input in roots.inputs() {
        let searched = one(input, output.as_ref(), &mut search, &mut printer);
        let searched = searched.context("standard output")?;
        found |= searched.finds > 0;
        failed |= !searched.failures.is_empty();
        searched.failures.iter().chain(&searched.notes).for_each(report);
        if found && args.quiet {
            return Ok(Status::Found);
        }
    }
    Ok(match (failed, found) {
        (true, _) => Status::Failed,
        (false, true) => Status::Found,
        (false, false) => Status::NotFound,
    })
}

/// Searches one input. An error is one of the output.
fn one(
    input: anyhow::Result<Input>,
    output: Option<&FileId>,
    search: &mut Search<'_>,
    printer: &mut Printer,
) -> io::Result<Searched> {
    let opened = input.and_then(|input| Ok((input.open(output)?, input)));
    match opened {
        Ok((mut reader, input)) => search.run(input.name(), &mut *reader, printer),
        Err(error) => Ok(Searched::failed(error)),
    }
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
