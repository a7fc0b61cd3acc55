//! urlgrep: finds URLs in mail, news and other free text, in the manner of grep.
//!
//! The modules import only from modules below them:
//!
//! ```text
//! main      parses the arguments and starts what they ask for
//! args      the command line; builds the options of the modules below
//! search    one input, several in parallel, and which matches are wanted
//! menu      the chooser in the terminal (--menu)
//! check     the parts of a URL (--check)
//! output    printers, report, statistics, progress
//! input     paths, directories, file types, the pieces of large files
//! error     errors and the exit status
//! ```
//!
//! The package `urlgrep-print` prints a match, so that the page in a browser can share it.
//!
//! `check`, `menu` and `search` do not import each other. No room imports `args`: it builds
//! structs of options that the rooms define.

mod args;
mod check;
mod error;
mod input;
mod menu;
mod output;
mod search;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::{panic, thread};

use anyhow::Context;
use clap::Parser;

use args::{Args, refuse};
use error::Status;
use input::{Counters, FileId, IgnoredMatches, Roots, types};
use menu::Tty;
use output::printer::Printer;
use output::progress::Progress;
use output::report::Report;
use output::stdout::Output;
use search::{Messages, Run, Search, Select, Work};

/// The stack that is enough for everything, in bytes. Even the definition of the options takes more
/// than 64 KB.
const STACK: usize = 1 << 20;

/// Runs the program, on a thread of its own if the system made the first one's stack too small for it.
/// Otherwise not: the allocator of glibc takes 64 MB of the address space for another thread.
fn main() -> ExitCode {
    if !has_small_stack() {
        return start();
    }
    // A panic prints the name of its thread.
    match thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(start) {
        Ok(thread) => thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)),
        Err(_) => start(),
    }
}

/// Returns true if `ulimit -s` left the first thread a stack that may not be enough.
#[cfg(unix)]
fn has_small_stack() -> bool {
    use rustix::process::{Resource, getrlimit};

    getrlimit(Resource::Stack).current.is_some_and(|bytes| bytes < STACK as u64)
}

/// The linker chose the stack.
#[cfg(not(unix))]
fn has_small_stack() -> bool {
    false
}

/// Runs the process.
fn start() -> ExitCode {
    // A usage error ends the process.
    let parse =
        |arguments: Vec<OsString>| Args::try_parse_from(arguments).unwrap_or_else(|error| args::exit(&error));
    let result = args::arguments().and_then(|arguments| run(&parse(arguments)));
    match result {
        Ok(status) => status.into(),
        Err(error) if error::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            error::print(&error);
            Status::Error.into()
        }
    }
}

/// Runs the task of the arguments.
fn run(args: &Args) -> anyhow::Result<Status> {
    if let Some(error) = args.contradiction() {
        refuse(error);
    }
    let (finder, evidence) = args.finder().unwrap_or_else(|error| refuse(error));
    let mut select = Select::new(args.select_options()).unwrap_or_else(|error| refuse(error));
    let messages = Messages::new(args.conditions_on(true));
    let mut roots = Roots::new(args.root_options()).unwrap_or_else(|error| refuse(error));
    if args.check {
        return check::run(&args.check_options());
    }
    if let Some(what) = args.other.generate {
        args::print_generated(what)?;
        return Ok(Status::Match);
    }
    if args.files.type_list {
        types::print(&mut io::stdout().lock()).context("standard output")?;
        return Ok(Status::Match);
    }
    roots.read_list()?;
    let tty = if args.output.menu { Some(menu::open(&roots)?) } else { None };
    let printer = Printer::new(args.printer_options(roots.may_be_many()));
    if args.files.files {
        return list(args, &roots, printer);
    }
    select.read_lists()?;
    let report = args.output.report.as_deref().map(|path| Report::create(path, &mut roots)).transpose()?;
    let search = Search::new(args.search_options(finder, evidence), select, messages, printer);
    let stdout = FileId::of(&io::stdout());
    let work = Work::new(search, roots, stdout);
    match tty {
        Some(tty) => choose(args, work, tty),
        None => self::search(args, work, report),
    }
}

/// Prints the path of each file that would be searched.
fn list(args: &Args, roots: &Roots, printer: Printer) -> anyhow::Result<Status> {
    let mut output = Output::new(args.output_options(), printer, Arc::new(Counters::default()), None);
    let (mut listed, mut failed) = (false, false);
    for input in roots.inputs() {
        let looked_up = input.and_then(|input| {
            input.look_up().map_err(|error| roots.with_advice(&input, error)).map(|()| input)
        });
        match looked_up {
            Ok(input) => {
                listed = true;
                output.path(input.name()).context("standard output")?;
            }
            Err(error) => {
                failed = true;
                error::print(&error);
            }
        }
    }
    output.end().context("standard output")?;
    print_hint(args, roots.no_input_hint());
    Ok(Status::new(listed, failed))
}

/// Shows the matches of all inputs in the menu.
fn choose(args: &Args, work: Work, tty: Tty) -> anyhow::Result<Status> {
    let (roots, threads) = (Arc::clone(&work.roots), args.threads());
    let status = menu::run(tty, args.menu_options(), move |items| {
        let (printer, counters) = (work.search.printer.clone(), Arc::clone(&work.counters));
        let output = Output::new(work.search.options.output, printer, counters, None).with_items(items);
        Ok(Run::new(output, None).search(work, threads)?)
    });
    print_hint(args, roots.no_input_hint().or(args.where_hint()));
    status
}

/// Searches all inputs.
fn search(args: &Args, work: Work, report: Option<Report>) -> anyhow::Result<Status> {
    if args.max_count == Some(0) {
        report.map_or(Ok(()), Report::end)?;
        return Ok(Status::NoMatch);
    }
    let progress = Progress::start(&work.counters, &work.roots);
    let counters = Arc::clone(&work.counters);
    let printer = work.search.printer.clone();
    let groups = args.groups().filter(|_| printer.counts_values());
    let mut output = Output::new(work.search.options.output, printer, counters, progress.clone());
    (output.report, output.groups) = (report, groups);
    let strings_time = work.search.select.strings.as_ref().map(|strings| strings.built_in);
    output.stats.iter_mut().for_each(|stats| stats.strings_time = strings_time);
    let roots = Arc::clone(&work.roots);
    let mut run = Run::new(output, progress);
    // Somebody reads the tip about ignored files on a terminal.
    let is_read =
        !args.quiet && !args.other.no_messages && io::stdout().is_terminal() && io::stderr().is_terminal();
    run.ignored = is_read.then(|| IgnoredMatches::new(&roots)).flatten();
    let result = run.search(work, args.threads()).context("standard output");
    print_hint(args, roots.no_input_hint().or(args.where_hint()));
    match &args.output.report {
        // Without output, the report is missing, even if the output was closed.
        Some(path) if path.as_os_str() != "-" => result.map_err(|error| Report::not_written(path, &error)),
        _ => result,
    }
}

/// Prints a hint about why nothing was printed.
fn print_hint(args: &Args, hint: Option<String>) {
    if let Some(hint) = hint.filter(|_| !args.other.no_messages) {
        error::hint(&hint);
    }
}
