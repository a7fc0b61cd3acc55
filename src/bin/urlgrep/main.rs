//! Finds URLs in mail, news and other free text, in the manner of grep.
//!
//! The exit status is 0 if something was found, 1 if nothing was, and 2 if there
//! was an error, whether or not something was found. With `--quiet` a find ends
//! the run, and errors before it do not count.

mod args;
mod around;
mod batch;
mod budget;
mod check;
mod config;
mod divide;
mod escape;
mod evidence;
mod explain;
mod generate;
mod habits;
mod hit;
mod hosts;
mod output;
mod page;
mod printer;
mod progress;
mod run;
mod search;
mod select;
mod spelling;
mod stats;
mod threads;
mod unique;
mod walk;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use args::Args;
use escape::Shown;
use output::Output;
use page::Page;
use printer::Printer;
use run::Run;
use search::Search;
use select::Select;
use threads::Work;
use walk::{FileId, Roots};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Something was found; all was accepted.
    Match = 0,
    /// Nothing was found; something was refused.
    NotFound = 1,
    /// There was an error.
    Failed = 2,
}

impl Status {
    fn new(found: bool, failed: bool) -> Status {
        match (failed, found) {
            (true, _) => Status::Failed,
            (false, true) => Status::Match,
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
    let ended = config::arguments().and_then(|arguments| run(&parse(arguments)));
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

/// What the arguments say; if that makes no sense, the run ends here.
fn parse(arguments: Vec<OsString>) -> Args {
    Args::try_parse_from(arguments).unwrap_or_else(|error| habits::advise(error).exit())
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
    if let Some(what) = args.other.generate {
        generate::print(what).context("standard output")?;
        return Ok(Status::Match);
    }
    if args.files.type_list {
        walk::types::print(&mut io::stdout().lock()).context("standard output")?;
        return Ok(Status::Match);
    }
    if let Some(list) = &args.files.files_from {
        roots.add_list(list)?;
    }
    if args.files.files {
        return list(args, &roots);
    }
    select.add_lists(&args.select)?;
    let printer = Printer::new(args, roots.are_many());
    let page = args.output.report.as_deref().map(|path| Page::create(path, &mut roots)).transpose()?;
    let search_for = Search::new(args, finder, select, printer);
    let work = Work {
        search: search_for,
        roots: Arc::new(roots),
        stdout: FileId::of(&io::stdout()),
        counters: Arc::default(),
    };
    search(args, work, page)
}

/// Says what is wrong with the arguments, and ends the run.
fn refuse(error: impl Display) -> ! {
    Args::command().error(ErrorKind::ValueValidation, error).exit()
}

/// Prints the path of each file that would be searched.
fn list(args: &Args, roots: &Roots) -> anyhow::Result<Status> {
    let printer = Printer::new(args, roots.are_many());
    let mut output = Output::new(args, &printer, Arc::default(), None);
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
fn search(args: &Args, work: Work, page: Option<Page>) -> anyhow::Result<Status> {
    if args.max_count == Some(0) {
        page.map_or(Ok(()), Page::end)?;
        return Ok(Status::NotFound);
    }
    let run = Run::new(args, &work, page);
    let ended = go(args, work, run).context("standard output");
    match &args.output.report {
        // It is missed, whether or not anybody reads the output.
        Some(path) => ended.map_err(|error| Page::missing(path, &error)),
        None => ended,
    }
}

/// Goes through all inputs. Any error is one of the output.
fn go(args: &Args, mut work: Work, mut run: Run) -> io::Result<Status> {
    run.begin()?;
    let threads = args.files.threads.or_else(|| thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZeroUsize::get);
    let threads = evidence::prepare(&mut work, threads);
    let evidence = work.search.evidence.clone();
    let ended = match threads > 1 && (work.roots.are_many() || work.roots.have_large()) {
        true => run.beside_each_other(work, threads),
        false => run.one_by_one(&work),
    };
    run.stop_watching();
    ended?;
    if let Some(note) = evidence.and_then(|evidence| evidence.note()) {
        report(&note);
    }
    run.end()
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
