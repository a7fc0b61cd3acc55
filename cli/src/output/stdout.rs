//! Standard output: batches of matches become output, statistics and report.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::batch::{Batch, Entry};
use super::item::ItemSender;
use super::printer::Printer;
use super::progress::{Progress, Screen};
use super::report::Report;
use super::stats::{Stats, Summary};
use super::unique::Unique;
use crate::input::Counters;

/// The size of the buffer of standard output, in bytes. A write to a file that does
/// not start at a page boundary costs a copy of that page, so large writes are
/// cheaper.
const BUFFER: usize = 256 * 1024;

/// What is done with matches besides printing them.
#[derive(Clone, Copy, Debug)]
pub struct OutputOptions {
    /// Whether each line is written at once.
    pub line_buffered: bool,
    /// The number of matches of a file after which it is not searched further.
    pub max_count: u64,
    pub unique: bool,
    pub stats: bool,
}

/// Standard output.
pub struct Output {
    out: BufWriter<Screen>,
    printer: Printer,
    line_buffered: bool,
    max_count: u64,
    unique: Option<Unique>,
    /// The number of matches of the current file.
    matches: u64,
    /// The number of messages of the current chunk or file that start before the last
    /// match.
    messages: u64,
    /// Whether a heading has been printed.
    headed: bool,
    counters: Arc<Counters>,
    stats: Option<Stats>,
    report: Option<Report>,
    /// The menu, which gets the matches instead of standard output.
    items: Option<ItemSender>,
    /// A line that is printed between matches.
    line: Vec<u8>,
}

impl Output {
    /// Locks standard output. With `progress`, its drawing is removed during writes.
    pub fn new(
        options: OutputOptions,
        printer: Printer,
        counters: Arc<Counters>,
        progress: Option<Progress>,
    ) -> Output {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let screen = Screen { out: stdout.lock(), progress: progress.filter(|_| terminal) };
        Output {
            out: BufWriter::with_capacity(BUFFER, screen),
            line_buffered: options.line_buffered || terminal,
            max_count: if printer.needs_one() { 1 } else { options.max_count },
            unique: options.unique.then(|| Unique::new(printer.counts_urls())),
            printer,
            matches: 0,
            messages: 0,
            headed: false,
            counters,
            stats: options.stats.then(Stats::new),
            report: None,
            items: None,
            line: Vec::new(),
        }
    }

    /// The same output, which also writes a report.
    pub fn with_report(self, report: Option<Report>) -> Output {
        Output { report, ..self }
    }

    /// The same output, whose statistics say how long the list of `--strings-file` took.
    pub fn with_strings_time(mut self, time: Option<Duration>) -> Output {
        if let Some(stats) = &mut self.stats {
            stats.strings_time = time;
        }
        self
    }

    /// The same output, which sends the matches to the menu.
    pub fn with_items(self, items: ItemSender) -> Output {
        Output { items: Some(items), ..self }
    }

    /// The menu, if it gets the matches.
    pub fn items(&self) -> Option<&ItemSender> {
        self.items.as_ref()
    }

    /// Prints the header, if the format has one.
    pub fn begin(&mut self) -> io::Result<()> {
        self.line.clear();
        self.printer.begin(&mut self.line);
        self.out.write_all(&self.line)
    }

    /// Prints the matches of a batch that are wanted. Breaks if no more matches of
    /// this file are wanted.
    pub fn print(&mut self, batch: &mut Batch) -> io::Result<ControlFlow<()>> {
        if batch.entries.is_empty() {
            return self.print_all(batch);
        }
        // Adjacent matches are written at once.
        let (mut from, mut to) = (0, 0);
        let before = self.matches;
        for entry in &mut batch.entries {
            if self.matches >= self.max_count {
                break;
            }
            match self.keep(entry) {
                Ok(true) if self.matches == 1 => self.print_heading(&batch.heading)?,
                Ok(true) => {}
                dropped => {
                    self.out.write_all(&batch.sheet.text[from..to])?;
                    from = entry.end;
                    dropped?;
                }
            }
            to = entry.end;
        }
        self.out.write_all(&batch.sheet.text[from..to])?;
        self.counters.matches.fetch_add(self.matches - before, Ordering::Relaxed);
        if self.line_buffered && self.matches > before {
            self.out.flush()?;
        }
        Ok(self.is_enough())
    }

    /// Counts a match if it is printed, which is so unless its URL was printed before.
    fn keep(&mut self, entry: &mut Entry) -> io::Result<bool> {
        let new = match (&mut self.unique, entry.key.take()) {
            (Some(unique), Some(url)) => unique.add(url)?,
            _ => true,
        };
        if !new {
            return Ok(false);
        }
        self.matches += 1;
        self.messages = entry.messages;
        if let (Some(stats), Some(facts)) = (&mut self.stats, entry.facts.take()) {
            stats.add(*facts);
        }
        if let (Some(report), Some(link)) = (&mut self.report, &entry.link) {
            report.add(link);
        }
        if let (Some(items), Some(item)) = (&self.items, entry.item.take()) {
            items.send(item)?;
        }
        Ok(true)
    }

    /// Prints a batch without entries: all of its matches are wanted.
    fn print_all(&mut self, batch: &Batch) -> io::Result<ControlFlow<()>> {
        if batch.count > 0 {
            if self.matches == 0 {
                self.print_heading(&batch.heading)?;
            }
            self.matches = self.matches.saturating_add(batch.count).min(self.max_count);
            self.counters.matches.fetch_add(batch.count, Ordering::Relaxed);
            self.out.write_all(&batch.sheet.text)?;
            if self.line_buffered {
                self.out.flush()?;
            }
        }
        Ok(self.is_enough())
    }

    /// Prints what is above the first match of a file, after an empty line if another file
    /// came before.
    fn print_heading(&mut self, heading: &[u8]) -> io::Result<()> {
        if heading.is_empty() {
            return Ok(());
        }
        if std::mem::replace(&mut self.headed, true) {
            self.out.write_all(b"\n")?;
        }
        self.out.write_all(heading)
    }

    fn is_enough(&self) -> ControlFlow<()> {
        if self.matches >= self.max_count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The number of messages of the current file, if `--max-count` ended its search.
    /// How far the search went beyond the last match depends on the threads.
    pub fn messages(&self) -> Option<u64> {
        self.is_enough().is_break().then_some(self.messages)
    }

    /// Ends a file, which is a `member` of an archive or not. Returns the number of its matches.
    ///
    /// What is printed of a file is written at its end. An archive may have many short members,
    /// for which that would be slow: theirs is written when there is enough of it, or by
    /// [`flush`](Self::flush).
    pub fn end_file(&mut self, name: &Path, member: bool, messages: u64) -> io::Result<u64> {
        let matches = std::mem::take(&mut self.matches);
        if let Some(stats) = &mut self.stats {
            stats.add_file(messages);
        }
        if let Some(report) = &mut self.report {
            report.add_file(messages);
        }
        self.line.clear();
        self.printer.end_file(&mut self.line, name, member, matches);
        self.out.write_all(&self.line)?;
        if !member || self.line_buffered {
            self.out.flush()?;
        }
        Ok(matches)
    }

    /// Writes what has been printed.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Prints the path of an input on its own line.
    pub fn path(&mut self, name: &Path) -> io::Result<()> {
        self.line.clear();
        self.printer.path(&mut self.line, name);
        self.out.write_all(&self.line)?;
        if self.line_buffered { self.out.flush() } else { Ok(()) }
    }

    /// The statistics, with `--stats`.
    pub fn summary(&self) -> Option<Summary<'_>> {
        let bytes = self.counters.bytes.load(Ordering::Relaxed);
        self.stats.as_ref().map(|stats| stats.summary(bytes))
    }

    /// Completes the report, with `--report`.
    pub fn end_report(&mut self) -> anyhow::Result<()> {
        self.report.take().map_or(Ok(()), Report::end)
    }

    /// Prints what follows all matches.
    pub fn end(&mut self) -> io::Result<()> {
        self.line.clear();
        if let Some(unique) = &self.unique {
            self.printer.unique_counts(&mut self.line, unique.counts());
        }
        self.out.write_all(&self.line)?;
        self.out.flush()
    }
}
