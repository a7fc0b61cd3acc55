//! The search of one input.
//!
//! What an input is decides how it is searched. Text is read in blocks and pushed
//! into a scanner, so memory does not depend on its length. Archives are read
//! message by message. What a block or a message has is gathered in a batch, as
//! it is to be printed, and given away: whoever gets it decides whether it is
//! printed, and whether the search goes on. So several inputs can be searched at
//! a time, and printed in order all the same.

mod sink;

use std::borrow::Cow;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use urlgrep::archive::{Files, Format};
use urlgrep::{Finder, Scanner};

use crate::args::{Args, Reading};
use crate::around::Around;
use crate::batch::{Batch, Find};
use crate::divide::{self, Piece};
use crate::escape;
use crate::evidence::Evidence;
use crate::hit::Hit;
use crate::printer::{Base, Part, Printer};
use crate::select::Select;
use crate::spelling::Spelling;
use crate::stats::Facts;
use crate::unique;
use crate::walk::failure;
use sink::Sink;

/// What is searched for, and how it is printed.
pub struct Search {
    finder: Finder,
    select: Select,
    pub printer: Printer,
    /// What speaks for the readings of broken URLs, if that is asked for.
    pub evidence: Option<Evidence>,
    /// Whether all finds are printed, so that nobody has to tell them apart.
    at_once: bool,
    /// Whether that is all that becomes of them, a line with the URL for each.
    bare: bool,
    /// How URLs are compared, if each is wanted once.
    unique: Option<Spelling>,
    /// Whether there are to be numbers.
    stats: bool,
    /// Whether there is to be a page.
    page: bool,
    /// How many lines before and behind a find are to be known, if any.
    lines: Option<usize>,
    max_len: usize,
    /// How inputs are read.
    reading: Reading,
    /// Whether a find in a text depends on nothing before an empty line.
    divisible: bool,
    /// Whether lines are counted.
    pub placed: bool,
    /// Whether messages are.
    pub numbered: bool,
}

impl Search {
    /// What the arguments ask for.
    pub fn new(args: &Args, finder: Finder, select: Select, printer: Printer) -> Search {
        // Where no URL is looked at, it is all the same which reading it is.
        let blind = printer.needs_one() && select.takes_all() && !args.output.stats;
        let evidence = (args.weighs_evidence() && !blind).then(Evidence::new);
        let at_once =
            !args.unique && !args.output.stats && args.output.report.is_none() && args.max_count.is_none();
        Search {
            finder,
            at_once,
            bare: at_once && evidence.is_none() && select.takes_all() && printer.prints_bare_urls(),
            evidence,
            select,
            printer,
            unique: args.unique.then(|| Spelling::new(args)),
            stats: args.output.stats,
            page: args.output.report.is_some(),
            lines: args.output.lines_around(),
            max_len: args.max_len,
            reading: args.reading(),
            divisible: args.is_divisible(),
            placed: args.has_places(),
            numbered: args.has_indices(),
        }
    }

    /// The same search, only to gather evidence.
    pub fn only_to(&self, gather: Evidence) -> Search {
        Search {
            finder: self.finder.clone(),
            select: Select::default(),
            printer: self.printer.clone(),
            evidence: Some(gather),
            lines: None,
            bare: false,
            reading: Reading { line_numbers: false, ..self.reading },
            placed: false,
            ..*self
        }
    }

    /// A scanner, which serves for any number of texts, so that many small files
    /// do not cost as many buffers.
    pub fn scanner(&self) -> Scanner<'_> {
        self.finder.scanner()
    }

    /// Searches one input, or the files in it, and gives `each` what happens, until
    /// that breaks off.
    ///
    /// Returns why the input as a whole could not be read to its end.
    pub fn run(
        &self,
        name: &Path,
        input: &mut dyn Read,
        scanner: &mut Scanner<'_>,
        each: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Option<anyhow::Error> {
        let mut files = match Files::new(input) {
            Ok(files) => files,
            Err(error) => return Some(failure(name, error)),
        };
        loop {
            match files.next_file() {
                Ok(Some(file)) => {
                    let member = file.name().is_some();
                    let name = member_name(name, file.name());
                    if self.file(&name, member, file, scanner, each).is_break() {
                        return None;
                    }
                }
                Ok(None) => return None,
                Err(error) => return Some(failure(name, error)),
            }
        }
    }

    fn file(
        &self,
        name: &Path,
        member: bool,
        file: impl Read,
        scanner: &mut Scanner<'_>,
        each: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut reader = self.reading.reader(file);
        let mut sink = Sink::new(self, Part { name, base: Base::default() }, member, each);
        let read = match reader.format() {
            Format::Text => sink.text(&mut reader, scanner),
            _ => sink.archive(&mut reader, usize::MAX),
        };
        sink.too_deep = reader.depth_exceeded();
        sink.end(read)
    }

    /// Searches a piece of an input, before which so much stands. What `input` gives
    /// behind the piece is not searched.
    pub fn piece(
        &self,
        piece: &Piece,
        base: Base,
        input: &mut dyn Read,
        scanner: &mut Scanner<'_>,
        each: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) {
        let mut sink = Sink::new(self, Part { name: &piece.path, base }, false, each);
        let read = match piece.format {
            Format::Text => sink.text(input, scanner),
            format => {
                let mut reader = self.reading.reader(input).with_format(format);
                let read = sink.archive(&mut reader, piece.len());
                sink.too_deep = reader.depth_exceeded();
                read
            }
        };
        // It was the last in any case.
        let _ = sink.end(read);
    }

    /// What a file is, if that can be searched in pieces.
    pub fn divisible(&self, path: &Path) -> Option<Format> {
        let format = divide::format(path, self.reading).ok()??;
        let fit = match format {
            Format::Text => self.divisible,
            format => format == Format::Mbox,
        };
        fit.then_some(format)
    }

    /// Adds a find to a batch, before which so many messages begin.
    fn add(
        &self,
        batch: &mut Batch,
        part: &Part<'_>,
        messages: u64,
        hit: Hit<'_>,
        around: Option<&Around<'_>>,
    ) {
        self.printer.find(&mut batch.text, part, hit, around);
        batch.count += 1;
        if self.at_once {
            return;
        }
        let key = self.unique.map(|spelling| unique::key(spelling, hit.found()));
        let facts = self.stats.then(|| Box::new(Facts::of(hit)));
        let link = self.page.then(|| Box::new(self.printer.link(part, hit)));
        batch.push(Find { end: batch.text.len(), key, messages, facts, link });
    }
}

/// What happens in a search.
pub enum Event<'e> {
    /// Something was found, in a file that is an input itself or a member of one.
    Match { batch: &'e mut Batch, member: bool },
    /// A file of this name has ended.
    End { name: &'e Path, ended: Ended },
}

/// What there is to say of a file that has ended.
#[derive(Debug, Default)]
pub struct Ended {
    /// How many messages were in it.
    pub messages: u64,
    /// Why it could not be read to its end.
    pub failure: Option<anyhow::Error>,
    /// What else is to be told.
    pub note: Option<anyhow::Error>,
}

impl Ended {
    /// Goes on with another piece of the same file.
    pub fn add(&mut self, next: Ended) {
        self.messages += next.messages;
        self.failure = self.failure.take().or(next.failure);
        self.note = self.note.take().or(next.note);
    }
}

/// The name of a member of the archive `name`, or of a file that is none.
fn member_name<'n>(name: &'n Path, member: Option<&[u8]>) -> Cow<'n, Path> {
    let Some(member) = member else {
        return Cow::Borrowed(name);
    };
    let mut whole = name.as_os_str().to_owned();
    whole.push("!/");
    whole.push(escape::os_string(member));
    Cow::Owned(whole.into())
}
