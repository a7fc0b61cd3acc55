//! The search of one input after the other.
//!
//! An input is read in blocks and pushed into a scanner, so memory does not
//! depend on its length. A push cannot be stopped halfway: where only so many
//! finds are wanted, the rest of a block is ignored and no further block is
//! read.

use std::io::{self, Read};
use std::path::Path;

use urlgrep::{Finder, Found};

use crate::printer::Printer;
use crate::select::Select;
use crate::unique::Unique;
use crate::walk::failure;

/// How many bytes are read at a time.
const BLOCK: usize = 128 * 1024;

/// A search that goes through any number of inputs.
pub struct Search<'f> {
    finder: &'f Finder,
    select: &'f Select,
    /// How many finds of an input are wanted.
    most: u64,
    /// The URLs so far, if each is wanted once.
    unique: Option<Unique>,
    block: Box<[u8]>,
}

/// What came of searching an input.
#[derive(Debug)]
pub struct Searched {
    /// How many finds were printed or counted.
    pub finds: u64,
    /// Why it could not be read to its end.
    pub failure: Option<anyhow::Error>,
}

impl Searched {
    /// What came of an input that could not even be opened.
    pub fn failed(error: anyhow::Error) -> Searched {
        Searched { finds: 0, failure: Some(error) }
    }
}

impl<'f> Search<'f> {
    /// A search for the first `most` finds of each input that `select` wants, and
    /// for each URL only once if `unique` is to be asked.
    pub fn new(finder: &'f Finder, select: &'f Select, most: u64, unique: Option<Unique>) -> Self {
        Search { finder, select, most, unique, block: vec![0; BLOCK].into() }
    }

    /// The URLs so far, if each is wanted once.
    pub fn unique(&self) -> Option<&Unique> {
        self.unique.as_ref()
    }

    /// Searches one input and prints what it finds under `name`.
    ///
    /// An error is one of the output. Errors of the input are part of the
    /// outcome, and finds before them are printed.
    pub fn run(&mut self, name: &Path, input: &mut dyn Read, printer: &mut Printer) -> io::Result<Searched> {
        let mut scanner = self.finder.scanner();
        let select = self.select;
        let mut tally = Tally {
            name,
            printer,
            select,
            most: self.most,
            unique: self.unique.as_mut(),
            finds: 0,
            printed: Ok(()),
        };
        let mut offset = 0;
        let failure = loop {
            if tally.is_complete() {
                break None;
            }
            match read_some(input, &mut self.block) {
                Ok(0) => break None,
                Ok(len) => {
                    let before = tally.finds;
                    scanner.push(&self.block[..len], |found| tally.take(&found));
                    offset += len as u64;
                    tally.end_block(before);
                }
                Err(error) => break Some(read_failure(name, error, offset)),
            }
        };
        if !tally.is_complete() {
            scanner.finish(|found| tally.take(&found));
        }
        tally.printed?;
        let finds = tally.finds;
        printer.end_input(name, finds)?;
        Ok(Searched { finds, failure })
    }
}

/// The finds of one input.
struct Tally<'t> {
    name: &'t Path,
    printer: &'t mut Printer,
    select: &'t Select,
    most: u64,
    unique: Option<&'t mut Unique>,
    finds: u64,
    /// Whether all could be printed so far.
    printed: io::Result<()>,
}

impl Tally<'_> {
    /// Whether nothing more is wanted, or can be printed.
    fn is_complete(&self) -> bool {
        self.finds >= self.most || self.printed.is_err()
    }

    fn take(&mut self, found: &Found<'_>) {
        if self.is_complete() || !self.select.wants(found) {
            return;
        }
        if !self.unique.as_mut().is_none_or(|unique| unique.add(found)) {
            return;
        }
        self.finds += 1;
        self.printed = self.printer.find(self.name, found);
    }

    /// Ends a block, before which there were `before` finds.
    fn end_block(&mut self, before: u64) {
        if self.finds > before && self.printed.is_ok() {
            self.printed = self.printer.end_block();
        }
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
