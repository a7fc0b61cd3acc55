//! Standard output: what becomes of what was found.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::args::Args;
use crate::batch::Batch;
use crate::page::Page;
use crate::printer::Printer;
use crate::progress::{Counters, Progress, Screen};
use crate::stats::{Report, Stats};
use crate::unique::Unique;

/// How much output is gathered before it is written, in bytes. A write begins
/// anywhere in a page of a file, and that costs less if it is a long one.
const BUFFER: usize = 256 * 1024;

/// Standard output, and what was printed to it.
pub struct Output {
    out: BufWriter<Screen>,
    /// Whether somebody waits for each line.
    at_once: bool,
    /// How many finds of an input are wanted.
    most: u64,
    /// The URLs so far, if each is wanted once.
    unique: Option<Unique>,
    /// How many finds of this input there are.
    finds: u64,
    /// How many messages of it, or of a piece of it, begin before the last of them.
    messages: u64,
    counters: Arc<Counters>,
    stats: Option<Stats>,
    /// The page that reports it all, if there is to be one.
    page: Option<Page>,
    /// What is printed between finds, for once.
    line: Vec<u8>,
}

impl Output {
    /// Nothing yet.
    pub fn new(
        args: &Args,
        printer: &Printer,
        counters: Arc<Counters>,
        progress: Option<Progress>,
    ) -> Output {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let most = match printer.needs_one() {
            true => 1,
            false => args.max_count.unwrap_or(u64::MAX),
        };
        let screen = Screen { out: stdout.lock(), progress: progress.filter(|_| terminal) };
        Output {
            out: BufWriter::with_capacity(BUFFER, screen),
            at_once: args.output.line_buffered || terminal,
            most,
            unique: args.unique.then(Unique::default),
            finds: 0,
            messages: 0,
            counters,
            stats: args.output.stats.then(Stats::new),
            page: None,
            line: Vec::new(),
        }
    }

    /// The same with a page, on which stands what is printed.
    pub fn with_page(self, page: Option<Page>) -> Output {
        Output { page, ..self }
    }

    /// Prints what stands before all finds.
    pub fn begin(&mut self, printer: &Printer) -> io::Result<()> {
        self.line.clear();
        printer.begin(&mut self.line);
        self.out.write_all(&self.line)
    }

    /// Prints what is wanted of a batch, and says whether more of this input is.
    pub fn take(&mut self, batch: &mut Batch) -> io::Result<ControlFlow<()>> {
        if batch.finds.is_empty() {
            return self.take_all(batch);
        }
        // What is printed of finds side by side is written as one.
        let mut from = 0;
        let mut to = 0;
        let before = self.finds;
        for find in &mut batch.finds {
            if self.finds >= self.most {
                break;
            }
            let new = match (&mut self.unique, find.key.take()) {
                (Some(unique), Some(url)) => unique.add(url),
                _ => true,
            };
            if new {
                self.finds += 1;
                self.messages = find.messages;
                to = find.end;
                if let (Some(stats), Some(facts)) = (&mut self.stats, find.facts.take()) {
                    stats.add(*facts);
                }
                if let (Some(page), Some(link)) = (&mut self.page, &find.link) {
                    page.add(link);
                }
            } else {
                self.out.write_all(&batch.text[from..to])?;
                from = find.end;
                to = find.end;
            }
        }
        self.out.write_all(&batch.text[from..to])?;
        self.counters.finds.fetch_add(self.finds - before, Ordering::Relaxed);
        if self.at_once && self.finds > before {
            self.out.flush()?;
        }
        Ok(self.going_on())
    }

    /// Prints a batch of which everything is wanted, if anything is.
    fn take_all(&mut self, batch: &Batch) -> io::Result<ControlFlow<()>> {
        if batch.count > 0 {
            self.finds = self.finds.saturating_add(batch.count).min(self.most);
            self.counters.finds.fetch_add(batch.count, Ordering::Relaxed);
            self.out.write_all(&batch.text)?;
            if self.at_once {
                self.out.flush()?;
            }
        }
        Ok(self.going_on())
    }

    /// Whether more of this file is wanted.
    fn going_on(&self) -> ControlFlow<()> {
        if self.finds >= self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// How many messages begin before the last find that is wanted of this file, if
    /// no more are. How far the search went beyond it is a matter of chance.
    pub fn messages(&self) -> Option<u64> {
        self.going_on().is_break().then_some(self.messages)
    }

    /// Ends a file, and says how many finds it had.
    pub fn end_file(&mut self, printer: &Printer, name: &Path, messages: u64) -> io::Result<u64> {
        let finds = std::mem::take(&mut self.finds);
        if let Some(stats) = &mut self.stats {
            stats.add_file(messages);
        }
        if let Some(page) = &mut self.page {
            page.add_file(messages);
        }
        self.line.clear();
        printer.end_input(&mut self.line, name, finds);
        self.out.write_all(&self.line)?;
        self.out.flush()?;
        Ok(finds)
    }

    /// Prints the path of an input on a line of its own.
    pub fn path(&mut self, printer: &Printer, name: &Path) -> io::Result<()> {
        self.line.clear();
        printer.path(&mut self.line, name);
        self.out.write_all(&self.line)?;
        if self.at_once { self.out.flush() } else { Ok(()) }
    }

    /// The numbers of the run, if they are wanted.
    pub fn report(&self) -> Option<Report<'_>> {
        let bytes = self.counters.bytes.load(Ordering::Relaxed);
        self.stats.as_ref().map(|stats| stats.report(bytes))
    }

    /// Ends the page, if there is one.
    pub fn end_page(&mut self) -> anyhow::Result<()> {
        self.page.take().map_or(Ok(()), Page::end)
    }

    /// Prints what stands behind all finds.
    pub fn end(&mut self, printer: &Printer) -> io::Result<()> {
        self.line.clear();
        if let Some(unique) = &self.unique {
            printer.tallies(&mut self.line, unique.tallies());
        }
        self.out.write_all(&self.line)?;
        self.out.flush()
    }
}
