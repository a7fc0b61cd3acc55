//! Standard output: batches of matches become output, statistics and report.
//!
//! The progress of the search is on standard error. If both are the terminal, its drawing is
//! removed while matches are written.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use urlgrep_print::spelling::Spelling;

use super::batch::{Batch, Kept};
use super::groups::Groups;
use super::item::{ItemEvent, ItemSender};
use super::newest::Newest;
use super::printer::Printer;
use super::progress::Progress;
use super::report::Report;
use super::stats::{ByRole, Stats, Summary};
use super::unsupported::UnsupportedFiles;
use crate::input::Counters;

/// The size of the buffer of standard output, in bytes. A write to a file that does
/// not start at a page boundary costs a copy of that page, so large writes are
/// cheaper.
const BUFFER: usize = 256 * 1024;

/// The time that output may wait, if it is not written line by line: writing the output of each of
/// many short files would take longer than searching them. If there is one thread, it may wait
/// longer while no file is found to search.
const DELAY: Duration = Duration::from_millis(50);

/// The options of the output besides printing matches.
#[derive(Clone, Copy, Debug)]
pub struct OutputOptions {
    /// True if each line is written at once.
    pub line_buffered: bool,
    /// The number of matches of a file after which it is not searched further.
    pub max_count: Option<u64>,
    /// The spelling in which URLs are compared, with `--unique`.
    pub unique: Option<Spelling>,
    /// The number of the newest messages whose matches are printed; `None` for all messages.
    pub newest: Option<usize>,
    /// The maximum memory for these matches, and for long messages, in bytes.
    pub memory: usize,
    pub stats: bool,
    /// True if the first match ends the search.
    pub quiet: bool,
    /// True if statistics are printed as JSON.
    pub json: bool,
    /// True if file errors are not printed.
    pub no_messages: bool,
    /// True if every file that was not searched is an error, not only those on the command line.
    pub strict: bool,
}

/// Standard output.
pub struct Output {
    out: BufWriter<ClearedStdout>,
    /// The time of the last flush.
    written: Instant,
    printer: Printer,
    pub options: OutputOptions,
    unique: Option<Unique>,
    pub newest: Option<Newest>,
    /// The values that are counted instead of printing matches.
    pub groups: Option<Groups>,
    /// The number of files so far.
    files: u64,
    /// The number of matches of the current file.
    matches: u64,
    /// The number of matches of all files before it.
    total: u64,
    /// The number of messages of the current part or file that start before the last
    /// match.
    messages: u64,
    /// True if a heading has been printed.
    headed: bool,
    counters: Arc<Counters>,
    pub stats: Option<Stats>,
    pub report: Option<Report>,
    /// True if the search of an input panicked: output that is written as a whole is not written
    /// then.
    pub interrupted: bool,
    /// The menu, which gets the matches instead of standard output.
    pub items: Option<ItemSender>,
}

impl Output {
    /// Locks standard output. With `progress`, its drawing is removed during writes.
    pub fn new(
        mut options: OutputOptions,
        printer: Printer,
        counters: Arc<Counters>,
        progress: Option<Progress>,
    ) -> Output {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let screen = ClearedStdout { out: Box::new(stdout.lock()), progress: progress.filter(|_| terminal) };
        options.line_buffered |= terminal;
        if printer.needs_one() {
            options.max_count = Some(1);
        }
        Output {
            out: BufWriter::with_capacity(BUFFER, screen),
            written: Instant::now(),
            unique: options.unique.map(|_| match printer.counts_urls() {
                true => Unique::Counted(IndexMap::new()),
                false => Unique::Seen(HashSet::new(), [RandomState::new(), RandomState::new()]),
            }),
            newest: options.newest.map(|max| Newest::new(max, options.memory)),
            groups: None,
            stats: options.stats.then(Stats::new),
            printer,
            options,
            files: 0,
            matches: 0,
            total: 0,
            messages: 0,
            headed: false,
            counters,
            report: None,
            interrupted: false,
            items: None,
        }
    }

    /// Returns the same output to another place.
    #[cfg(test)]
    pub fn with_writer(self, out: impl Write + 'static) -> Output {
        Output { out: BufWriter::new(ClearedStdout { out: Box::new(out), progress: None }), ..self }
    }

    /// Returns the same output, which sends the matches to the menu. Standard output is unlocked: the menu prints on it, and
    /// does not wait for the end of the search.
    pub fn with_items(self, items: ItemSender) -> Output {
        let out = BufWriter::new(ClearedStdout { out: Box::new(io::sink()), progress: None });
        Output { out, items: Some(items), ..self }
    }

    /// Prints the header, if the format has one.
    pub fn begin(&mut self) -> io::Result<()> {
        self.out.write_all(&self.printer.header())
    }

    /// Prints the matches of a batch that are wanted. Returns true if no more matches of
    /// this file are wanted.
    pub fn print(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let before = self.matches;
        if !batch.kept.is_empty() {
            self.print_wanted(batch)?;
        } else {
            // Without facts to distinguish its matches, the batch is printed as a whole.
            if self.matches == 0 {
                self.print_heading(&batch.heading)?;
            }
            self.matches =
                self.matches.saturating_add(batch.count).min(self.options.max_count.unwrap_or(u64::MAX));
            self.write(&batch.sheet.text)?;
        }
        self.counters.matches.fetch_add(self.matches - before, Ordering::Relaxed);
        self.flush_if_due()?;
        Ok(self.has_enough())
    }

    /// Writes printed matches, or counts them.
    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.groups {
            Some(groups) => groups.add(text),
            None => self.out.write_all(text),
        }
    }

    fn print_wanted(&mut self, batch: &mut Batch) -> io::Result<()> {
        let mut from = 0;
        for mut kept in batch.kept.drain(..) {
            let text = &batch.sheet.text[std::mem::replace(&mut from, kept.end)..kept.end];
            if let Some(newest) = &mut self.newest {
                // Each match that is in a message is kept with its text until the end.
                self.matches += u64::from(kept.dated.is_some());
                newest.add(self.files, kept, text);
                continue;
            }
            if self.has_enough() {
                break;
            }
            if self.keep(&mut kept)? {
                if self.matches == 1 {
                    self.print_heading(&batch.heading)?;
                }
                self.write(text)?;
            }
        }
        Ok(())
    }

    /// Counts the match, unless its URL was printed before.
    fn keep(&mut self, kept: &mut Kept) -> io::Result<bool> {
        if let (Some(unique), Some(url)) = (&mut self.unique, kept.key.take())
            && !unique.add(url)?
        {
            return Ok(false);
        }
        self.matches += 1;
        self.messages = kept.messages;
        if let (Some(stats), Some(facts)) = (&mut self.stats, kept.facts.take()) {
            stats.add(*facts);
        }
        if let (Some(report), Some(row)) = (&mut self.report, &kept.row) {
            report.add(row);
        }
        if let (Some(items), Some(item)) = (&self.items, kept.item.take()) {
            // The menu takes no more.
            items.send(ItemEvent::Item(item)).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(true)
    }

    /// Prints the line above the first match of a file, after an empty line if another file came
    /// before.
    fn print_heading(&mut self, heading: &[u8]) -> io::Result<()> {
        if heading.is_empty() {
            return Ok(());
        }
        if std::mem::replace(&mut self.headed, true) {
            self.out.write_all(b"\n")?;
        }
        self.out.write_all(heading)
    }

    fn has_enough(&self) -> bool {
        self.options.max_count.is_some_and(|max| self.matches >= max)
    }

    /// Returns the number of messages of the current file, if `--max-count` ended its search. The
    /// end of the search after the last match depends on the threads.
    pub fn messages(&self) -> Option<u64> {
        self.has_enough().then_some(self.messages)
    }

    /// Ends a file, which is a `member` of an archive or not. Returns the number of its matches.
    ///
    /// The output of a file is written soon after its end.
    pub fn end_file(
        &mut self,
        name: &Path,
        member: bool,
        messages: u64,
        left_out: ByRole,
    ) -> io::Result<u64> {
        let matches = std::mem::take(&mut self.matches);
        self.files += 1;
        self.total += matches;
        if let Some(stats) = &mut self.stats {
            stats.add_file(messages, left_out);
        }
        if let Some(report) = &mut self.report {
            report.add_file(messages);
        }
        self.out.write_all(&self.printer.end_of_file(name, member, matches))?;
        self.flush_if_due()?;
        Ok(matches)
    }

    /// Writes the output so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.written = Instant::now();
        self.out.flush()
    }

    /// Writes the output so far, if it has waited long enough.
    pub fn flush_if_due(&mut self) -> io::Result<()> {
        match self.wait() {
            Some(wait) if wait.is_zero() || self.options.line_buffered => self.flush(),
            _ => Ok(()),
        }
    }

    /// Returns the time that printed output may still wait, or `None` if all is written.
    pub fn wait(&self) -> Option<Duration> {
        (!self.out.buffer().is_empty()).then(|| DELAY.saturating_sub(self.written.elapsed()))
    }

    /// Prints the path of an input on its own line.
    pub fn path(&mut self, name: &Path) -> io::Result<()> {
        self.out.write_all(&self.printer.path(name))?;
        self.flush_if_due()
    }

    /// Returns the statistics, with `--stats`.
    pub fn summary<'s>(&'s self, unsupported: &'s UnsupportedFiles) -> Option<Summary<'s>> {
        let bytes = self.counters.bytes.load(Ordering::Relaxed);
        self.stats.as_ref().map(|stats| stats.summary(bytes, unsupported))
    }

    /// Completes the report, with `--report`.
    pub fn end_report(&mut self) -> anyhow::Result<()> {
        let Some(report) = self.report.take() else { return Ok(()) };
        if self.interrupted { report.abandon() } else { report.end() }
    }

    /// Prints the text after all matches.
    pub fn end(&mut self) -> io::Result<()> {
        let newest = self.newest.as_mut().map(Newest::take);
        for (mut kept, text) in newest.into_iter().flatten().flatten() {
            if self.keep(&mut kept)? {
                self.write(&text)?;
            }
        }
        self.out.write_all(&self.printer.total(self.files, self.total))?;
        if let Some(groups) = &self.groups {
            self.out.write_all(&groups.rows())?;
        }
        if let Some(unique) = &self.unique {
            self.out.write_all(&self.printer.unique_counts(unique.counts()))?;
        }
        self.out.flush()
    }
}

/// The URLs of a search, with `--unique`.
#[derive(Debug)]
enum Unique {
    /// The URLs that were seen, by hashes of 128 bits: a URL takes the same memory regardless of
    /// its length. The keys of the hashes are random, so that an attacker cannot write two URLs
    /// with the same hash, and among a billion URLs the chance of two is 1 in 10^20.
    Seen(HashSet<u128>, [RandomState; 2]),
    /// The number of matches of each, in the order of their first match.
    Counted(IndexMap<Box<[u8]>, u64>),
}

impl Unique {
    /// Adds a URL. Returns whether it is new.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no memory for one more.
    fn add(&mut self, url: Box<[u8]>) -> io::Result<bool> {
        let too_many = |len: usize| {
            let why = format!("out of memory after {len} unique URLs (--unique); use sort -u instead");
            io::Error::new(io::ErrorKind::OutOfMemory, why)
        };
        match self {
            Unique::Seen(seen, keys) => {
                seen.try_reserve(1).map_err(|_| too_many(seen.len()))?;
                let [high, low] = keys.each_ref().map(|key| u128::from(key.hash_one(&url)));
                Ok(seen.insert(high << 64 | low))
            }
            Unique::Counted(counts) => {
                counts.try_reserve(1).map_err(|_| too_many(counts.len()))?;
                let count = counts.entry(url).or_insert(0);
                *count += 1;
                Ok(*count == 1)
            }
        }
    }

    /// Each URL and the number of its matches, if they are counted.
    fn counts(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let counts = if let Unique::Counted(counts) = self { Some(counts) } else { None };
        counts.into_iter().flatten().map(|(url, &count)| (&**url, count))
    }
}

/// Standard output, which removes the drawing while it is written.
struct ClearedStdout {
    out: Box<dyn Write>,
    /// The drawing on the same terminal.
    progress: Option<Progress>,
}

impl Write for ClearedStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.progress {
            Some(progress) => {
                progress.pause(|| self.out.write(bytes).and_then(|len| self.out.flush().map(|()| len)))
            }
            None => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
