//! The search of a piece, which is an input or a part of one, file by file.
//!
//! Text is read in blocks, so memory does not depend on its length. Archives are read message by message. The matches
//! of a block or a message are printed into a batch, which is passed on: its receiver decides whether they become
//! output, and whether the search continues.

use std::cell::Cell;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read};
use std::mem;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::anyhow;
use urlgrep::archive::internal::{Damage, Event, Events, FileSource, Memory, Note};
use urlgrep::archive::{Message, Reader};
use urlgrep::table::Row;
use urlgrep::{Match, Scanner};
use urlgrep_print::context::{Context, ContextBuffer};
use urlgrep_print::escape;
use urlgrep_print::memo::Memo;
use urlgrep_print::sheet::Known;

use super::outcome::{FileKind, FileSummary, Outcome, Receive};
use super::select::Place;
use super::settings::Search;
use super::why_not::Refusal;
use crate::error::{self, AtByte, Interrupted, failure};
use crate::input::{Input, InputFiles, Part};
use crate::output::HyphenDecision;
use crate::output::batch::Batch;

/// The size of a batch after which it is passed on within a message, in bytes.
const MAX_BATCH: usize = 256 * 1024;

/// The size of a read if context is needed, in bytes.
const BLOCK: usize = 16 * 1024;

/// The tools with which a thread searches.
pub struct Tools {
    /// A scanner for any number of texts.
    pub scanner: Scanner,
    /// The memory for long messages.
    pub memory: Memory,
    /// A reader without an input, for its buffer; `None` after a panic.
    spare: Option<Reader<io::Empty>>,
    /// The cache that is kept from file to file.
    memo: Option<Box<Memo>>,
}

impl Tools {
    /// Returns the tools for the first input, or for all inputs if only one thread searches.
    pub fn new(search: &Search) -> Tools {
        Tools {
            scanner: search.options.finder.scanner(),
            memory: Memory::new(search.options.output.memory),
            spare: None,
            memo: None,
        }
    }
}

/// Searches the files of a piece of an input. Returns whether the input can be read no further.
pub fn search_piece(
    search: &Search,
    input: &Input,
    InputFiles { source, part }: InputFiles,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) -> bool {
    let new = || Reader::new(io::empty()).with_options(&search.options.read);
    let reader = tools.spare.take().unwrap_or_else(new);
    let start = part.as_ref().map_or(0, |part| part.start.get());
    let reader = reader.with_input(source).memory(tools.memory.clone()).with_base(start, 0, 0);
    // The first message of a file shows the format.
    let format = part.as_ref().filter(|part| part.known != Known::All).map(|part| part.format);
    let mut events = Events::new(reader, format).named(input.name().as_os_str().as_encoded_bytes());
    let batch = Batch::new(Known::All, tools.memo.take());
    let mut searched = FileSearch { search, part, batch, file: File::default(), in_file: false, receive };
    match error::catch(|| searched.files(input, &mut events, &mut tools.scanner)) {
        Ok(is_over) => {
            tools.spare = Some(events.reader.with_input(io::empty()));
            tools.memo = searched.batch.memo;
            is_over
        }
        Err(_) => {
            tools.scanner = search.options.finder.scanner();
            searched.interrupt(input.name());
            true
        }
    }
}

/// The facts about the current file.
#[derive(Default)]
struct File<'s> {
    name: PathBuf,
    /// The facts that its end reports.
    summary: FileSummary,
    /// The offset in the file of the text that is scanned. The reader of messages knows where it starts.
    offset: u64,
    /// The end of the text, if context is needed.
    context: Option<ContextBuffer>,
    /// The position that a match must contain: in messages an offset, because a column counts bytes of the file.
    at: Option<Place>,
    /// The reason why no URL is at the requested position, if one is requested.
    why_not: Option<Refusal<'s>>,
    /// True if a match was added.
    added: bool,
    /// True if the current message is wanted.
    wanted: bool,
    /// True if the conditions apply to each record of the message instead of to the whole message.
    by_records: bool,
}

/// The search of the files of a piece.
struct FileSearch<'s> {
    search: &'s Search,
    /// The searched part of a file, if it is not the whole file.
    part: Option<Rc<Part>>,
    batch: Batch,
    file: File<'s>,
    /// True if the file has begun and not ended.
    in_file: bool,
    receive: &'s mut Receive<'s>,
}

impl<'s> FileSearch<'s> {
    /// Searches the files of a piece of an input. Returns whether the input can be read no further.
    fn files(
        &mut self,
        input: &Input,
        events: &mut Events<Box<dyn FileSource>>,
        scanner: &mut Scanner,
    ) -> bool {
        let (name, mut is_over) = (input.name(), false);
        loop {
            let flow = match events.advance() {
                Ok(None) => return is_over,
                Ok(Some(Event::File)) => {
                    let member = events.files().name();
                    let kind = match (member, input) {
                        (Some(_), _) => FileKind::Member,
                        (None, Input::Entry(_)) => FileKind::Entry,
                        (None, Input::File(_) | Input::Stdin) => FileKind::Input,
                    };
                    self.begin(member_name(name, member), kind);
                    // Why no URL is at a position is known of messages, and of the chunks of a text.
                    if self.file.why_not.is_none() {
                        events.text().into_iter().for_each(|reader| self.text(reader, scanner));
                    }
                    ControlFlow::Continue(())
                }
                Ok(Some(Event::Message)) => match self.message(&events.message()) {
                    // The next read may block.
                    ControlFlow::Continue(()) if !events.reader.is_buffered() => self.pass_on(),
                    flow => flow,
                },
                Ok(Some(Event::End)) => {
                    // An empty name means the input.
                    let archive = events.files().ended_archive();
                    let archive =
                        archive.map(|archive| member_name(name, (!archive.is_empty()).then_some(archive)));
                    is_over |= archive.as_deref() == Some(name);
                    self.end(events.take_notes(), archive)
                }
                Err(error) if self.in_file => {
                    self.fail(error, events.reader.bytes_read());
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    // Members follow the damaged part of an archive, and nothing follows other errors.
                    let archive = events.files().name();
                    is_over |= archive.is_none() && error.kind() != ErrorKind::InvalidData;
                    (self.receive)(Outcome::Failure(failure(&member_name(name, archive), error)))
                }
            };
            match flow {
                ControlFlow::Break(()) if self.in_file => events.skip(),
                ControlFlow::Break(()) => return is_over,
                ControlFlow::Continue(()) => {}
            }
        }
    }

    /// Begins a file, or a part of one.
    fn begin(&mut self, name: PathBuf, kind: FileKind) {
        let search = self.search;
        let context = search.options.context.map(|lines| ContextBuffer::new(lines, search.options.max_len));
        let why_not = Refusal::new(search, &name);
        let summary = FileSummary { kind, ..FileSummary::default() };
        self.file = File { name, summary, context, at: search.options.at, why_not, ..File::default() };
        self.batch = Batch::new(self.known(), self.batch.memo.take());
        self.in_file = true;
    }

    /// The offset in the file.
    fn start(&self) -> u64 {
        self.part.as_ref().map_or(0, |part| part.start.get())
    }

    /// The numbers that precede the part in the file, as far as they are known.
    fn known(&self) -> Known {
        self.part.as_ref().map_or(Known::All, |part| part.known)
    }

    /// Searches a text.
    fn text(&mut self, input: &mut dyn Read, scanner: &mut Scanner) {
        if !self.search.messages.wants_text() {
            return;
        }
        self.file.offset = self.start();
        let mut read = 0;
        loop {
            match self.block(input, scanner) {
                Ok(0) => break,
                Ok(len) => read += len as u64,
                Err(error) => break self.fail(error, read),
            }
            self.add_waiting();
            if self.pass_on().is_break() {
                // Finishing resets the scanner for the next text.
                scanner.finish(|_| {});
                return;
            }
        }
        scanner.finish(|matched| self.add_match(&matched));
        self.file.context.iter_mut().for_each(|context| context.ended = true);
        self.add_waiting();
    }

    /// Reads and searches one block. Returns its length.
    fn block(&mut self, input: &mut dyn Read, scanner: &mut Scanner) -> io::Result<usize> {
        let Some(context) = &mut self.file.context else {
            return scanner.read_from(input, |matched| self.add_match(&matched));
        };
        let mut block = [0; BLOCK];
        let len = input.read(&mut block)?;
        context.push(&block[..len]);
        scanner.push(&block[..len], |matched| self.add_match(&matched));
        Ok(len)
    }

    /// Searches a message of an archive. Breaks if no more of the file is wanted.
    fn message(&mut self, message: &Message<'_>) -> ControlFlow<()> {
        let Search { options, messages, .. } = self.search;
        let file = &mut self.file;
        // A message that starts after a part belongs to the next one.
        if self.part.as_ref().is_some_and(|part| message.span().start >= part.end.get()) {
            return ControlFlow::Break(());
        }
        // A long message is yielded in several pieces, and a file of text in chunks, which are not messages.
        let is_message = message.envelope().is_some() || message.record().is_some();
        file.summary.messages = file.summary.messages.max(message.index() + u64::from(is_message));
        file.wanted = messages.wants(message).unwrap_or(file.wanted);
        file.by_records = !messages.is_everything() && message.may_have_data();
        if let Some(place) = options.at {
            let Some(at) = place.offset_in(message) else { return ControlFlow::Continue(()) };
            file.at = Some(Place::Offset(at));
            file.why_not.iter_mut().for_each(|why| why.message(message, at, file.wanted));
        }
        if !file.wanted {
            return ControlFlow::Continue(());
        }
        self.batch.memo.iter_mut().for_each(|memo| memo.head.clear());
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
        if self.search.bare && !self.file.by_records {
            return self.batch.push_url(matched.as_bytes());
        }
        let gathering = self.search.options.gathering.as_ref();
        let weighed = gathering.map_or(Some((None, None)), |gathering| gathering.weigh(matched));
        let Some((reading, decision)) = weighed else { return };
        let matched = reading.as_ref().unwrap_or(matched);
        if self.file.by_records && !self.search.messages.wants_match(matched) {
            return;
        }
        let row = || {
            let row = Row::new(matched).with_path(escape::bytes(&self.file.name));
            row.with_offset(self.file.offset).with_hyphen(decision.map(HyphenDecision::as_str))
        };
        if self.search.select.refusal(matched, row).is_some() {
            if self.search.options.output.stats {
                self.file.summary.left_out.count(matched.role());
            }
            return;
        }
        if let (Some(buffer), None) = (&mut self.file.context, matched.context()) {
            return buffer.wait(matched.clone().into_owned(), decision);
        }
        let context = self.search.options.context.and_then(|lines| Context::of_archive(matched, lines));
        let view = self.search.printer.view(&self.file.name, self.file.offset, matched, decision);
        let File { at, ref summary, .. } = self.file;
        self.file.added |= self.search.add(&mut self.batch, summary.messages, at, view, context.as_ref());
    }

    /// Adds the matches whose context is complete.
    fn add_waiting(&mut self) {
        while let Some((matched, decision, context)) =
            self.file.context.as_mut().and_then(ContextBuffer::next_match)
        {
            let view = self.search.printer.view(&self.file.name, self.file.offset, &matched, decision);
            let File { at, ref summary, .. } = self.file;
            self.file.added |= self.search.add(&mut self.batch, summary.messages, at, view, Some(&context));
        }
    }

    /// Passes on the batch.
    fn pass_on(&mut self) -> ControlFlow<()> {
        let flow = (self.receive)(Outcome::Matches(&mut self.batch, self.file.summary.kind));
        self.batch.clear();
        flow
    }

    /// Notes that the file cannot be read further than that many bytes after its start.
    fn fail(&mut self, mut error: io::Error, read: u64) {
        let name = &self.file.name;
        let offset = self.start() + read;
        // At offset 0, nothing of the file was read.
        let is_whole = offset == 0 && self.known() != Known::Nothing;
        // The error of a damaged format or archive contains a position, if that is known.
        let is_member = self.file.summary.kind == FileKind::Member;
        let is_of_format = match error.kind() {
            ErrorKind::Unsupported | ErrorKind::InvalidData => true,
            ErrorKind::UnexpectedEof => is_member || Damage::in_error(&mut error).is_some(),
            _ => false,
        };
        self.file.summary.failure = Some(match is_whole || is_of_format {
            true => failure(name, error),
            false => failure(name, anyhow::Error::from(error).context(AtByte(offset))),
        });
    }

    /// Passes on the matches until the search panicked, and ends the file, if one has begun.
    fn interrupt(mut self, input: &Path) {
        // The partial output for a match whose printing panicked.
        self.batch.sheet.truncate(self.batch.end);
        if !self.in_file {
            let _ = (self.receive)(Outcome::Failure(failure(input, Interrupted)));
            return;
        }
        let _ = self.pass_on();
        let File { name, summary: FileSummary { kind, messages, .. }, .. } = self.file;
        let failure = Some(failure(&name, Interrupted));
        let summary = FileSummary { kind, messages, failure, ..FileSummary::default() };
        let _ = (self.receive)(Outcome::FileEnd(name, summary));
    }

    /// Passes on the rest, and ends the file. `archive` is the archive that ended with this error.
    fn end(&mut self, notes: impl Iterator<Item = Note>, archive: Option<PathBuf>) -> ControlFlow<()> {
        self.in_file = false;
        // The file ends in any case.
        let _ = self.pass_on();
        let File { name, mut summary, why_not, added, .. } = mem::take(&mut self.file);
        summary.archive = archive;
        if let Some(part) = &self.part {
            summary.lines = part.lines.as_ref().map_or(0, Cell::get);
            (summary.bytes, summary.is_rest) = (part.bytes.get(), part.is_rest.get());
        }
        // The reason is known only if the whole file was read.
        let why_not = why_not.filter(|_| summary.failure.is_none() && !added);
        summary.note = why_not.and_then(|why| why.note(summary.kind == FileKind::Member));
        for note in notes {
            match note {
                Note::Unsupported(binary) => summary.unsupported = Some(binary),
                Note::Undecoded(undecoded) => summary.undecoded = Some(Box::new(undecoded)),
                Note::TooDeep => {
                    summary.note.get_or_insert_with(|| failure(&name, anyhow!(note.to_string())));
                }
            }
        }
        (self.receive)(Outcome::FileEnd(name, summary))
    }
}

/// The name of an archive member `name`, or of a file that is not an archive.
fn member_name(name: &Path, member: Option<&[u8]>) -> PathBuf {
    let Some(member) = member else { return name.to_owned() };
    let name = name.as_os_str();
    let mut whole = OsString::with_capacity(name.len() + 2 + member.len());
    whole.push(name);
    whole.push("!/");
    whole.push(escape::os_string(member));
    whole.into()
}
