//! The search of one file. Text is read in blocks, so memory does not depend on its
//! length. Archives are read message by message. The matches of a block or a message
//! are printed into a batch, which is passed on: its receiver decides whether they
//! become output, and whether the search continues.

use std::cell::Cell;
use std::io::{self, Read};
use std::mem;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::anyhow;
use urlgrep::archive::internal::too_deep;
use urlgrep::archive::{Binary, Message, Reader, Undecoded};
use urlgrep::{Match, Scanner};
use urlgrep_print::context::{Context, ContextBuffer};

use super::event::{Event, FileKind, FileSummary};
use super::evidence::weigh;
use super::settings::Search;
use super::why_not::Refusal;
use crate::error::{Interrupted, failure};
use crate::input::Part;
use crate::output::batch::Batch;
use crate::output::stats::ByRole;
use crate::output::{Base, Hit};

/// The size of a batch after which it is passed on within a message, in bytes.
const MAX_BATCH: usize = 256 * 1024;

/// The size of a read if context is needed, in bytes.
const BLOCK: usize = 16 * 1024;

/// A read error, and the number of bytes before it.
pub struct ReadError {
    error: io::Error,
    offset: u64,
}

impl ReadError {
    fn explain(self, name: &Path) -> anyhow::Error {
        match self.offset {
            0 => failure(name, self.error),
            // The file as a whole is not read.
            _ if self.error.kind() == io::ErrorKind::Unsupported => failure(name, self.error),
            offset => failure(name, anyhow::Error::from(self.error).context(format!("at byte {offset}"))),
        }
    }
}

/// The search of one file.
pub struct FileSearch<'s> {
    search: &'s Search,
    base: Base<'s>,
    kind: FileKind,
    /// Which part of the file this is, if not all.
    part: Option<Rc<Part>>,
    /// The end of the text, if context is needed.
    context: Option<ContextBuffer>,
    batch: Batch,
    /// Why no URL is at the place that is asked about, if one is.
    why_not: Option<Refusal<'s>>,
    /// Whether a match was added.
    added: bool,
    messages: u64,
    /// The matches that are not wanted.
    left_out: ByRole,
    /// Whether the current message is wanted.
    wanted: bool,
    /// Whether its records are wanted or not, and not the message.
    by_records: bool,
    pub depth_exceeded: bool,
    /// Which bodies were not decoded.
    pub undecoded: Option<Undecoded>,
    /// What the file is, if it is not read for that.
    pub binary: Option<Binary>,
    receive: &'s mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
}

impl<'s> FileSearch<'s> {
    /// The search of a file, in the memory of an earlier one, if `spare` has that.
    pub fn new(
        search: &'s Search,
        name: &'s Path,
        kind: FileKind,
        part: Option<Rc<Part>>,
        spare: &mut Batch,
        receive: &'s mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Self {
        let context = search.options.context.map(|lines| ContextBuffer::new(lines, search.options.max_len));
        FileSearch {
            search,
            base: Base { name, offset: 0 },
            kind,
            context,
            batch: mem::take(spare).begin(part.as_ref().is_none_or(|part| part.start.get() == 0)),
            part,
            why_not: Refusal::new(search),
            added: false,
            messages: 0,
            left_out: ByRole::default(),
            wanted: false,
            by_records: false,
            depth_exceeded: false,
            undecoded: None,
            binary: None,
            receive,
        }
    }

    /// The offset in the file.
    fn start(&self) -> u64 {
        self.part.as_ref().map_or(0, |part| part.start.get())
    }

    /// Searches a text.
    pub fn text(&mut self, input: &mut dyn Read, scanner: &mut Scanner) -> Result<(), ReadError> {
        if !self.search.messages.is_everything() {
            self.why_not.iter_mut().for_each(Refusal::skip_text);
            return Ok(());
        }
        // The reader of messages knows where it starts, and a scanner does not.
        self.base.offset = self.start();
        let mut offset = self.base.offset;
        let read = loop {
            match self.block(input, scanner) {
                Ok(0) => break Ok(()),
                Ok(len) => offset += len as u64,
                Err(error) => break Err(ReadError { error, offset }),
            }
            self.add_waiting();
            if self.pass_on().is_break() {
                // This resets the scanner for the next text.
                scanner.finish(|_| {});
                return Ok(());
            }
        };
        scanner.finish(|matched| self.add_match(&matched));
        if let Some(context) = &mut self.context {
            context.end();
        }
        self.add_waiting();
        read
    }

    /// Reads and searches one block. Returns its length.
    fn block(&mut self, input: &mut dyn Read, scanner: &mut Scanner) -> io::Result<usize> {
        let Some(context) = &mut self.context else {
            return scanner.read_from(input, |matched| self.add_match(&matched));
        };
        let mut block = [0; BLOCK];
        let len = input.read(&mut block)?;
        context.push(&block[..len]);
        self.why_not.iter_mut().for_each(|why| why.push(&block[..len]));
        scanner.push(&block[..len], |matched| self.add_match(&matched));
        Ok(len)
    }

    /// Searches the messages of an archive.
    pub fn archive<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<(), ReadError> {
        loop {
            let message = match reader.next_message() {
                Ok(Some(message)) => message,
                Ok(None) => return Ok(()),
                Err(error) => {
                    let offset = self.start() + reader.bytes_read();
                    return Err(ReadError { error, offset });
                }
            };
            // What starts after a part belongs to the next one.
            if self.part.as_ref().is_some_and(|part| message.span().start >= part.end.get()) {
                return Ok(());
            }
            // A long message is yielded in several pieces.
            self.messages = self.messages.max(message.index() + u64::from(is_message(&message)));
            let searched = self.message(&message);
            // The next read may block.
            if searched.is_break() || (!reader.is_buffered() && self.pass_on().is_break()) {
                return Ok(());
            }
        }
    }

    fn message(&mut self, message: &Message<'_>) -> ControlFlow<()> {
        let Search { options, messages, .. } = self.search;
        self.wanted = messages.wants(message).unwrap_or(self.wanted && message.index() > 0);
        self.by_records = !messages.is_everything() && message.may_have_data();
        self.why_not.iter_mut().for_each(|why| why.message(message, self.wanted));
        if !self.wanted {
            return ControlFlow::Continue(());
        }
        self.batch.memo.iter_mut().for_each(|memo| memo.clear());
        if options.context.is_some() {
            // `find_in_message` may skip the first lines of a text.
            message.texts().try_for_each(|text| {
                self.batch.page = None;
                options.finder.find_in(&text).try_for_each(|matched| self.add_in_message(&matched))
            })
        } else {
            options.finder.find_in_message(message, |matched| self.add_in_message(matched))
        }
    }

    /// Adds a match of a message, and passes on the batch if it is large.
    fn add_in_message(&mut self, matched: &Match<'_>) -> ControlFlow<()> {
        self.add_match(matched);
        if self.batch.size() < MAX_BATCH { ControlFlow::Continue(()) } else { self.pass_on() }
    }

    /// Adds a match, if it is wanted. The context of one of a text is read later; in an archive it is the decoded text.
    fn add_match(&mut self, matched: &Match<'_>) {
        if self.search.bare && !self.by_records {
            return self.batch.push_url(matched.as_bytes());
        }
        let weighed = weigh(&self.search.gathering, matched, || matched.hyphen_readings());
        let Some((reading, decision)) = weighed else { return };
        let matched = reading.as_ref().unwrap_or(matched);
        if self.by_records && !self.search.messages.wants_match(matched) {
            return;
        }
        if self.search.select.refusal(matched).is_some() {
            if self.search.options.stats {
                self.left_out.count(matched.role());
            }
            return;
        }
        if let (Some(buffer), None) = (&mut self.context, matched.context()) {
            return buffer.wait(matched.clone().into_owned(), decision);
        }
        let context = self.search.options.context.and_then(|lines| Context::of_archive(matched, lines));
        let hit = Hit { matched, decision };
        self.added |= self.search.add(&mut self.batch, self.base, self.messages, hit, context.as_ref());
    }

    /// Adds the matches whose context is complete.
    fn add_waiting(&mut self) {
        while let Some((waiting, context)) = self.context.as_mut().and_then(ContextBuffer::next_match) {
            let hit = Hit { matched: &waiting.matched, decision: waiting.decision };
            self.added |= self.search.add(&mut self.batch, self.base, self.messages, hit, Some(&context));
        }
    }

    /// Passes on the batch.
    fn pass_on(&mut self) -> ControlFlow<()> {
        let flow = (self.receive)(Event::Matches { batch: &mut self.batch, kind: self.kind });
        self.batch.clear();
        flow
    }

    /// Passes on what was found until the search panicked, and ends the file. Returns that nothing more is read of its
    /// input.
    pub fn interrupt(mut self, scanner: &mut Scanner) -> bool {
        *scanner = self.search.scanner();
        self.batch.interrupt();
        let _ = self.pass_on();
        let (name, kind) = (self.base.name, self.kind);
        let failure = Some(failure(name, Interrupted));
        let summary = FileSummary { kind, messages: self.messages, failure, ..FileSummary::default() };
        let _ = (self.receive)(Event::FileEnd { name, summary });
        true
    }

    /// Passes on the rest, and ends the file. `archive` is the one that the error has ended, too.
    /// Another file may have the memory, which is moved to `spare`.
    pub fn end(
        mut self,
        read: Result<(), ReadError>,
        archive: Option<PathBuf>,
        spare: &mut Batch,
    ) -> ControlFlow<()> {
        // The file ends in any case.
        let _ = self.pass_on();
        let note = self.note(read.is_ok());
        let Base { name, .. } = self.base;
        let failed = read.err().map(|error| error.explain(name));
        let part = self.part.as_ref();
        let summary = FileSummary {
            kind: self.kind,
            messages: self.messages,
            left_out: self.left_out,
            lines: part.and_then(|part| part.lines.as_ref()).map_or(0, Cell::get),
            is_rest: part.is_some_and(|part| part.is_rest.get()),
            unread: self.binary,
            failure: failed,
            archive,
            undecoded: self.undecoded.map(Box::new),
            note,
        };
        *spare = self.batch;
        (self.receive)(Event::FileEnd { name, summary })
    }

    /// The warning about the file, or why no URL is at a place of it, if all of it was read.
    fn note(&mut self, whole: bool) -> Option<anyhow::Error> {
        let name = self.base.name;
        let why_not = self.why_not.take().filter(|_| whole && !self.added);
        let why_not = why_not.and_then(|why| why.note(name, self.kind == FileKind::Member));
        why_not.or_else(|| self.depth_exceeded.then(|| failure(name, anyhow!(too_deep()))))
    }
}

/// Whether it is a message or a record, and not a piece of one or a file of text.
fn is_message(message: &Message<'_>) -> bool {
    message.envelope().is_some() || message.record().is_some()
}
