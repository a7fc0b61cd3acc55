//! The search of one input.
//!
//! An input is read in blocks and pushed into a scanner, so memory does not
//! depend on its length. What a block has is gathered in a batch, as it is to be
//! printed, and given away: whoever gets it decides whether it is printed, and
//! whether the search goes on. So several inputs can be searched at a time, and
//! printed in order all the same.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use urlgrep::{Finder, Found};

use crate::args::Args;
use crate::around::{Around, Tail};
use crate::batch::{Batch, Find};
use crate::printer::{Part, Printer};
use crate::select::Select;
use crate::spelling::Spelling;
use crate::stats::Facts;
use crate::unique;
use crate::walk::failure;

/// How many bytes are read at a time.
const BLOCK: usize = 128 * 1024;

/// What is searched for, and how it is printed.
pub struct Search {
    finder: Finder,
    select: Select,
    pub printer: Printer,
    /// How URLs are compared, if each is wanted once.
    unique: Option<Spelling>,
    /// Whether there are to be numbers.
    stats: bool,
    /// How many lines before and behind a find are to be known, if any.
    lines: Option<usize>,
    max_len: usize,
    /// Whether a find may depend on nothing before an empty line.
    pub divisible: bool,
    /// Whether lines are counted.
    pub placed: bool,
}

impl Search {
    /// What the arguments ask for.
    pub fn new(args: &Args, finder: Finder, select: Select, printer: Printer) -> Search {
        Search {
            finder,
            select,
            printer,
            unique: args.unique.then(|| Spelling::new(args)),
            stats: args.output.stats,
            lines: args.output.lines_around(),
            max_len: args.max_len,
            divisible: args.is_divisible(),
            placed: args.has_places(),
        }
    }

    /// Room to read into, which serves for any number of inputs.
    pub fn room() -> Box<[u8]> {
        vec![0; BLOCK].into()
    }

    /// Searches one input, or a part of one, and gives `each` what is printed of it,
    /// block by block, until that breaks off.
    ///
    /// Returns why the input could not be read to its end. Finds before that are
    /// given.
    pub fn run(
        &self,
        part: &Part<'_>,
        input: &mut dyn Read,
        room: &mut [u8],
        mut each: impl FnMut(&mut Batch) -> ControlFlow<()>,
    ) -> Option<anyhow::Error> {
        let mut scanner = self.finder.scanner();
        let mut offset = part.base.offset as u64;
        let mut sink = Sink {
            search: self,
            part,
            tail: self.lines.map(|lines| Tail::new(lines, self.max_len)),
            batch: Batch::default(),
        };
        let failure = loop {
            match read_some(input, room) {
                Ok(0) => break None,
                Ok(len) => {
                    let read = &room[..len];
                    sink.read(read);
                    scanner.push(read, |found| sink.take(&found));
                    sink.release();
                    offset += len as u64;
                    if each(&mut sink.batch).is_break() {
                        return None;
                    }
                    sink.batch.clear();
                }
                Err(error) => break Some(read_failure(part.name, error, offset)),
            }
        };
        scanner.finish(|found| sink.take(&found));
        sink.end();
        // Nobody is asked any more whether to go on.
        let _ = each(&mut sink.batch);
        failure
    }
}

/// Where the finds of one input go.
struct Sink<'s> {
    search: &'s Search,
    part: &'s Part<'s>,
    /// The last of the input, if what stands around finds is wanted.
    tail: Option<Tail>,
    batch: Batch,
}

impl Sink<'_> {
    /// Keeps what was read.
    fn read(&mut self, block: &[u8]) {
        if let Some(tail) = &mut self.tail {
            tail.push(block);
        }
    }

    /// Takes a find, if it is wanted.
    fn take(&mut self, found: &Found<'_>) {
        if !self.search.select.wants(found) {
            return;
        }
        match &mut self.tail {
            Some(tail) => tail.wait(found.clone().into_owned()),
            None => self.search.add(&mut self.batch, self.part, found, None),
        }
    }

    /// Adds the finds that have waited long enough.
    fn release(&mut self) {
        while let Some((found, around)) = self.tail.as_mut().and_then(Tail::next) {
            self.search.add(&mut self.batch, self.part, &found, Some(&around));
        }
    }

    /// Adds the finds that wait for what does not come.
    fn end(&mut self) {
        if let Some(tail) = &mut self.tail {
            tail.end();
        }
        self.release();
    }
}

impl Search {
    /// Adds a find to a batch.
    fn add(&self, batch: &mut Batch, part: &Part<'_>, found: &Found<'_>, around: Option<&Around<'_>>) {
        self.printer.find(&mut batch.text, part, found, around);
        let key = self.unique.map(|spelling| unique::key(spelling, found));
        let facts = self.stats.then(|| Box::new(Facts::of(found)));
        batch.finds.push(Find { end: batch.text.len(), key, facts });
    }
}

/// Reads once, whatever signals come in between.
fn read_some(input: &mut dyn Read, block: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

fn read_failure(name: &Path, error: io::Error, offset: u64) -> anyhow::Error {
    match offset {
        // That nothing could be read needs no number.
        0 => failure(name, error),
        _ => failure(name, anyhow::Error::from(error).context(format!("at byte {offset}"))),
    }
}
