//! Where the finds of one file go: through the choice of those that are wanted,
//! into a batch, and away.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::anyhow;
use urlgrep::archive::{MAX_DEPTH, Message, Reader};
use urlgrep::{ArchiveMatch, Match, Scanner};

use super::{Ended, Event, Search};
use crate::around::{Around, Tail};
use crate::batch::Batch;
use crate::evidence::weigh;
use crate::hit::{Hit, Source};
use crate::printer::Part;
use crate::walk::failure;

/// How much of one message is gathered before it is given away, in bytes.
const ENOUGH: usize = 256 * 1024;

/// How many bytes are read at a time if what stands around finds is wanted.
const BLOCK: usize = 16 * 1024;

/// A read that failed, and how many bytes came before it.
pub struct Failed {
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

/// Where the finds of one file go.
pub struct Sink<'s> {
    search: &'s Search,
    part: Part<'s>,
    member: bool,
    /// The last of a text, if what stands around finds is wanted.
    tail: Option<Tail>,
    batch: Batch,
    messages: u64,
    pub too_deep: bool,
    each: &'s mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
}

impl<'s> Sink<'s> {
    pub fn new(
        search: &'s Search,
        part: Part<'s>,
        member: bool,
        each: &'s mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Self {
        let tail = search.lines.map(|lines| Tail::new(lines, search.max_len));
        Sink { search, part, member, tail, batch: Batch::default(), messages: 0, too_deep: false, each }
    }

    /// Searches a text.
    pub fn text(&mut self, input: &mut dyn Read, scanner: &mut Scanner<'_>) -> Result<(), Failed> {
        let mut offset = self.part.base.offset;
        let read = loop {
            match self.block(input, scanner) {
                Ok(0) => break Ok(()),
                Ok(len) => offset += len,
                Err(error) => break Err(Failed { error, offset }),
            }
            self.release();
            if self.give().is_break() {
                // The next text is another one.
                scanner.finish(|_| {});
                return Ok(());
            }
        };
        scanner.finish(|found| self.take_in_text(&found));
        if let Some(tail) = &mut self.tail {
            tail.end();
        }
        self.release();
        read
    }

    /// Reads once, and takes what is certain now.
    fn block(&mut self, input: &mut dyn Read, scanner: &mut Scanner<'_>) -> io::Result<usize> {
        let Some(tail) = &mut self.tail else {
            return scanner.read_from(input, |found| self.take_in_text(&found));
        };
        let mut block = [0; BLOCK];
        let len = read_some(input, &mut block)?;
        tail.push(&block[..len]);
        scanner.push(&block[..len], |found| self.take_in_text(&found));
        Ok(len)
    }

    /// Searches the messages of an archive that begin in its first `len` bytes.
    pub fn archive<R: Read>(&mut self, reader: &mut Reader<R>, len: usize) -> Result<(), Failed> {
        loop {
            let message = match reader.next_message() {
                Ok(Some(message)) if message.span().start < len as u64 => message,
                Ok(_) => return Ok(()),
                Err(error) => {
                    let read = reader.bytes_read() as usize;
                    let offset = self.part.base.offset + read;
                    // What goes wrong behind them is told by who reads on there.
                    return if read < len { Err(Failed { error, offset }) } else { Ok(()) };
                }
            };
            // A message that is too long comes in pieces.
            self.messages = self.messages.max(message.index() + u64::from(message.envelope().is_some()));
            let searched = self.message(&message);
            // The next read may take long.
            if searched.is_break() || (!reader.is_buffered() && self.give().is_break()) {
                return Ok(());
            }
        }
    }

    /// Searches a message, until no more is wanted.
    fn message(&mut self, message: &Message<'_>) -> ControlFlow<()> {
        let Search { finder, lines, .. } = self.search;
        let mut take = |located: &ArchiveMatch<'_>| {
            self.take_in_archive(located);
            if self.batch.size() < ENOUGH { ControlFlow::Continue(()) } else { self.give() }
        };
        if lines.is_some() {
            // The shorter way may leave out the first lines of a text.
            message.texts().try_for_each(|text| finder.find_in(&text).try_for_each(|located| take(&located)))
        } else {
            finder.find_in_message(message, take)
        }
    }

    /// Takes a find, if it is wanted.
    fn take_in_text(&mut self, found: &Match<'_>) {
        if self.search.bare {
            return self.batch.line(found.as_bytes());
        }
        let weighed = weigh(&self.search.evidence, found, || found.hyphen_readings());
        let Some((reading, settled)) = weighed else { return };
        let found = reading.as_ref().unwrap_or(found);
        if !self.search.select.wants(found) {
            return;
        }
        match &mut self.tail {
            Some(tail) => tail.wait(found.clone().into_owned(), settled),
            None => {
                let hit = Hit { source: Source::Text(found), settled };
                self.search.add(&mut self.batch, &self.part, self.messages, hit, None);
            }
        }
    }

    /// Takes a find, if it is wanted. What stands around it is the text as it was
    /// decoded.
    fn take_in_archive(&mut self, located: &ArchiveMatch<'_>) {
        if self.search.bare {
            return self.batch.line(located.in_text().as_bytes());
        }
        let weighed = weigh(&self.search.evidence, located.in_text(), || located.hyphen_readings());
        let Some((reading, settled)) = weighed else { return };
        let located = reading.as_ref().unwrap_or(located);
        if !self.search.select.wants(located.in_text()) {
            return;
        }
        let around = self.search.lines.map(|lines| Around::of_located(located, lines));
        let hit = Hit { source: Source::Archive(located), settled };
        self.search.add(&mut self.batch, &self.part, self.messages, hit, around.as_ref());
    }

    /// Adds the finds that have waited long enough.
    fn release(&mut self) {
        while let Some((waiting, around)) = self.tail.as_mut().and_then(Tail::next) {
            let hit = Hit { source: Source::Text(&waiting.found), settled: waiting.settled };
            self.search.add(&mut self.batch, &self.part, self.messages, hit, Some(&around));
        }
    }

    /// Gives away what there is.
    fn give(&mut self) -> ControlFlow<()> {
        let given = (self.each)(Event::Match { batch: &mut self.batch, member: self.member });
        self.batch.clear();
        given
    }

    /// Gives away the rest, and says that the file has ended.
    pub fn end(mut self, read: Result<(), Failed>) -> ControlFlow<()> {
        // That this is enough of the file goes without saying.
        let _ = self.give();
        let Part { name, .. } = self.part;
        let broken = read.err().map(|failed| failed.explain(name));
        let deep = || anyhow!("nested more than {MAX_DEPTH} deep; what is deeper was read as text");
        let note = self.too_deep.then(|| failure(name, deep()));
        (self.each)(Event::End { name, ended: Ended { messages: self.messages, failure: broken, note } })
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
