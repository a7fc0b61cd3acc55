//! The search of one input after the other.
//!
//! What an input is decides how it is searched. Text is read in blocks by a
//! scanner, so memory does not depend on its length, and all of it by the same
//! one, so that many small files do not cost as many buffers. A block cannot be
//! left halfway: where only so many finds are wanted, the rest of it is ignored
//! and no further block is read. Archives are read message by message.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::anyhow;
use urlgrep::archive::{DEPTH, Files, Format, Reader};
use urlgrep::{Finder, Scanner};

use crate::args::Args;
use crate::escape;
use crate::hit::Hit;
use crate::printer::Printer;
use crate::walk::failure;

/// A search that goes through any number of inputs.
pub struct Search<'f> {
    finder: &'f Finder,
    scanner: Scanner<'f>,
    args: &'f Args,
    /// How many finds of an input are wanted.
    most: u64,
    /// The URLs so far, if each is wanted once.
    seen: Option<HashSet<Box<[u8]>>>,
}

/// What came of searching an input.
#[derive(Debug, Default)]
pub struct Searched {
    /// How many finds were printed or counted.
    pub finds: u64,
    /// What could not be read to its end, and why.
    pub failures: Vec<anyhow::Error>,
    /// What else there is to say.
    pub notes: Vec<anyhow::Error>,
}

impl Searched {
    /// What came of an input that could not even be opened.
    pub fn failed(error: anyhow::Error) -> Searched {
        Searched { failures: vec![error], ..Searched::default() }
    }
}

impl<'f> Search<'f> {
    /// A search for the first `most` finds of each input.
    pub fn new(finder: &'f Finder, args: &'f Args, most: u64) -> Self {
        Search { finder, scanner: finder.scanner(), args, most, seen: args.unique.then(HashSet::new) }
    }

    /// Searches one input, or the files in it, and prints what it finds under
    /// `name`.
    ///
    /// An error is one of the output. Errors of the input are part of the
    /// outcome, and finds before them are printed.
    pub fn run(&mut self, name: &Path, input: &mut dyn Read, printer: &mut Printer) -> io::Result<Searched> {
        let mut searched = Searched::default();
        let mut files = match Files::new(input) {
            Ok(files) => files,
            Err(error) => return Ok(Searched::failed(failure(name, error))),
        };
        loop {
            match files.next_file() {
                Ok(Some(file)) => {
                    let name = member(name, file.name());
                    self.file(&name, file, printer, &mut searched)?;
                }
                Ok(None) => return Ok(searched),
                Err(error) => {
                    searched.failures.push(failure(name, error));
                    return Ok(searched);
                }
            }
        }
    }

    fn file(
        &mut self,
        name: &Path,
        file: impl Read,
        printer: &mut Printer,
        searched: &mut Searched,
    ) -> io::Result<()> {
        let mut tally =
            Tally { name, printer, most: self.most, seen: self.seen.as_mut(), finds: 0, printed: Ok(()) };
        let mut reader = self.args.reader(file);
        let read = match reader.format() {
            Format::Text => search_text(&mut self.scanner, &mut reader, &mut tally),
            _ => search_archive(self.finder, &mut reader, &mut tally),
        };
        tally.printed?;
        let finds = tally.finds;
        printer.end_input(name, finds)?;
        if reader.was_too_deep() {
            searched.notes.push(failure(
                name,
                anyhow!("nested more than {DEPTH} deep; what is deeper was read as text"),
            ));
        }
        searched.finds += finds;
        searched.failures.extend(read.err().map(|failed| failed.explain(name)));
        Ok(())
    }
}

/// The name of a member of the archive `name`, or of a file that is none.
fn member<'n>(name: &'n Path, member: Option<&[u8]>) -> Cow<'n, Path> {
    let Some(member) = member else {
        return Cow::Borrowed(name);
    };
    let mut whole = name.as_os_str().to_owned();
    whole.push("!/");
    whole.push(escape::os_string(member));
    Cow::Owned(whole.into())
}

/// A read that failed, and how many bytes came before it.
struct Failed {
    error: io::Error,
    offset: usize,
}

impl Failed {
    fn explain(self, name: &Path) -> anyhow::Error {
        match self.offset {
            // That nothing could be read needs no number.
            0 => failure(name, self.error),
            offset => failure(name, anyhow::Error::from(self.error).context(format!("at byte {offset}"))),
        }
    }
}

fn search_text(scanner: &mut Scanner<'_>, input: &mut dyn Read, tally: &mut Tally<'_>) -> Result<(), Failed> {
    let mut offset = 0;
    let read = loop {
        if tally.is_complete() {
            break Ok(());
        }
        let before = tally.finds;
        match scanner.read_from(input, |found| tally.take(Hit::Text(&found))) {
            Ok(0) => break Ok(()),
            Ok(len) => {
                offset += len;
                tally.end_block(before);
            }
            Err(error) => break Err(Failed { error, offset }),
        }
    };
    scanner.finish(|found| tally.take(Hit::Text(&found)));
    read
}

fn search_archive<R: Read>(
    finder: &Finder,
    reader: &mut Reader<R>,
    tally: &mut Tally<'_>,
) -> Result<(), Failed> {
    loop {
        let message = match reader.next_message() {
            Ok(Some(message)) => message,
            Ok(None) => return Ok(()),
            Err(error) => return Err(Failed { error, offset: reader.bytes_read() }),
        };
        let before = tally.finds;
        let searched = finder.find_in_message(&message, |located| {
            tally.take(Hit::Archive(located));
            if tally.is_complete() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if searched.is_break() {
            return Ok(());
        }
        tally.end_block(before);
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

    fn take(&mut self, hit: Hit<'_>) {
        if self.is_complete() || !self.is_new(hit.as_bytes()) {
            return;
        }
        self.finds += 1;
        self.printed = self.printer.find(self.name, hit);
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
