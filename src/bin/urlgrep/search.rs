//! The search of one input after the other.
//!
//! An input is read in blocks by a scanner, so memory does not depend on its
//! length, and all inputs by the same one, so that many small files do not cost
//! as many buffers. A block cannot be left halfway: where only so many finds are
//! wanted, the rest of it is ignored and no further block is read.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::Path;

use urlgrep::{Finder, Found, Scanner};

use crate::printer::Printer;
use crate::walk::failure;

/// A search that goes through any number of inputs.
pub struct Search<'f> {
    scanner: Scanner<'f>,
    /// How many finds of an input are wanted.
    most: u64,
    /// The URLs so far, if each is wanted once.
    seen: Option<HashSet<Box<[u8]>>>,
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
    /// A search for the first `most` finds of each input, and for each URL only
    /// once if `unique`.
    pub fn new(finder: &'f Finder, most: u64, unique: bool) -> Self {
        Search { scanner: finder.scanner(), most, seen: unique.then(HashSet::new) }
    }

    /// Searches one input and prints what it finds under `name`.
    ///
    /// An error is one of the output. Errors of the input are part of the
    /// outcome, and finds before them are printed.
    pub fn run(&mut self, name: &Path, input: &mut dyn Read, printer: &mut Printer) -> io::Result<Searched> {
        let mut tally =
            Tally { name, printer, most: self.most, seen: self.seen.as_mut(), finds: 0, printed: Ok(()) };
        let mut offset = 0;
        let failure = loop {
            if tally.is_complete() {
                break None;
            }
            let before = tally.finds;
            match self.scanner.read_from(input, |found| tally.take(&found)) {
                Ok(0) => break None,
                Ok(len) => {
                    offset += len as u64;
                    tally.end_block(before);
                }
                Err(error) => break Some(read_failure(name, error, offset)),
            }
        };
        self.scanner.finish(|found| tally.take(&found));
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
    most: u64,
    seen: Option<&'t mut HashSet<Box<[u8]>>>,
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
        if self.is_complete() || !self.is_new(found.as_bytes()) {
            return;
        }
        self.finds += 1;
        self.printed = self.printer.find(self.name, found);
    }

    /// Whether this URL is wanted, as far as earlier ones are concerned.
    fn is_new(&mut self, url: &[u8]) -> bool {
        let Some(seen) = &mut self.seen else {
            return true;
        };
        // A look first, so that what is repeated is not copied.
        !seen.contains(url) && seen.insert(url.into())
    }

    /// Ends a block, before which there were `before` finds.
    fn end_block(&mut self, before: u64) {
        if self.finds > before && self.printed.is_ok() {
            self.printed = self.printer.end_block();
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
