//! The search of one input, or of a chunk of one.

use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::OsString;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use urlgrep::Scanner;
use urlgrep::archive::{Files, Format, Memory, Reader};

use super::event::{Event, FileKind};
use super::file_search::{FileSearch, ReadError};
use super::settings::Search;
use crate::error::failure;
use crate::escape;
use crate::input::chunk::Chunk;
use crate::input::{InputFile, InputFiles};
use crate::output::Base;
use crate::output::batch::Batch;

/// Receives the events of a search, which ends when it breaks.
pub type Receive<'r> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'r;

/// What a thread searches with.
pub struct Tools {
    /// A scanner for any number of texts.
    pub scanner: Scanner,
    /// The memory for long messages.
    pub memory: Memory,
}

impl Tools {
    /// What the first input is searched with, and all if there is only one thread.
    pub fn new(search: &Search) -> Tools {
        Tools { scanner: search.scanner(), memory: search.options.memory() }
    }
}

/// Searches the input of this name, with all its members.
pub fn search_input(
    search: &Search,
    name: &Path,
    files: &mut InputFiles<'_>,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) {
    let mut spare = Reader::new(io::empty()).with_options(&search.options.read);
    loop {
        let flow;
        let failed = match files.next_file() {
            Ok(Some(file)) => {
                (flow, spare) = search_file(search, name, file, spare, tools, receive);
                None
            }
            Ok(None) => return,
            Err(error) => {
                flow = ControlFlow::Continue(());
                Some(error)
            }
        };
        let failure = failed.map(|error| failure(&member_name(name, files.name()), error));
        if flow.is_break() || failure.is_some_and(|failure| receive(Event::Failure(failure)).is_break()) {
            return;
        }
    }
}

/// A reader without an input, for its buffer.
type Spare = Reader<io::Empty>;

/// Searches a file of the input `name`.
fn search_file(
    search: &Search,
    name: &Path,
    file: InputFile<'_>,
    spare: Spare,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) -> (ControlFlow<()>, Spare) {
    let kind = if file.name.is_some() { FileKind::Member } else { FileKind::Input };
    let name = member_name(name, file.name.as_deref());
    let base = Base { name: &name, offset: 0 };
    let binary = file.binary.filter(|_| search.options.read.format.is_none());
    let mut reader = spare.with_input(file.reader).memory(tools.memory.clone());
    let mut files = FileSearch::new(search, base, kind, Batch::default(), receive);
    let read = match (binary, reader.format()) {
        (Some(what), _) => Err(ReadError::binary(what)),
        (None, Format::Text) if !reader.is_recoded() => files.text(&mut reader, &mut tools.scanner),
        (None, _) => files.archive(&mut reader),
    };
    files.depth_exceeded = reader.depth_exceeded();
    files.undecoded = reader.undecoded().cloned();
    (files.end(read), reader.with_input(io::empty()))
}

/// Searches a chunk. `input` may extend past it; messages that start there are not searched.
/// Line and message numbers count from its start.
pub fn search_chunk(
    search: &Search,
    chunk: &Chunk,
    input: &mut dyn Read,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) {
    let start = chunk.range.start;
    let Some(format) = chunk.format else {
        let mut files = InputFiles::Here(Files::of_members(Box::new(input), chunk.range.clone()));
        return search_input(search, &chunk.path, &mut files, tools, receive);
    };
    // The reader of messages knows where it starts, and yields offsets in the file.
    let offset = if format == Format::Text { start } else { 0 };
    let base = Base { name: &chunk.path, offset };
    let batch = Batch::new(start == 0);
    let mut file = FileSearch::new(search, base, FileKind::Input, batch, receive);
    let read = match format {
        Format::Text => file.text(input, &mut tools.scanner),
        format => {
            let reader = Reader::new(input).with_options(&search.options.read).memory(tools.memory.clone());
            let reader = reader.with_base(start, 0, 0);
            let mut reader = reader.until(chunk.range.end);
            // The first message shows the format.
            if start > 0 {
                reader = reader.with_format(format);
            }
            let read = file.archive(&mut reader);
            file.depth_exceeded = reader.depth_exceeded();
            file.undecoded = reader.undecoded().cloned();
            read
        }
    };
    // The search of a chunk ends in any case.
    let _ = file.end(read);
}

/// Searches a part of a compressed file, which starts at `start`. `input` may extend past
/// its end, which is known when it has been read that far. Line and message numbers count from its
/// start.
pub fn search_part(
    search: &Search,
    (path, format): (&Path, Format),
    start: u64,
    end: &Cell<u64>,
    input: &mut dyn Read,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) {
    // The reader of messages knows where it starts.
    let offset = if format == Format::Text { start } else { 0 };
    let base = Base { name: path, offset };
    let mut file = FileSearch::new(search, base, FileKind::Input, Batch::new(start == 0), receive);
    let read = match format {
        Format::Text => file.text(input, &mut tools.scanner),
        format => {
            file.end_offset = Some(end);
            let reader = Reader::new(input).with_options(&search.options.read).memory(tools.memory.clone());
            let mut reader = reader.with_base(start, 0, 0);
            // The first message shows the format.
            if start > 0 {
                reader = reader.with_format(format);
            }
            let read = file.archive(&mut reader).map_err(|error| error.after(start));
            file.depth_exceeded = reader.depth_exceeded();
            file.undecoded = reader.undecoded().cloned();
            read
        }
    };
    // The search of a part ends in any case.
    let _ = file.end(read);
}

/// The name of a member of the archive `name`, or of a file that is not an archive.
fn member_name<'n>(name: &'n Path, member: Option<&[u8]>) -> Cow<'n, Path> {
    let Some(member) = member else {
        return Cow::Borrowed(name);
    };
    let name = name.as_os_str();
    let mut whole = OsString::with_capacity(name.len() + 2 + member.len());
    whole.push(name);
    whole.push("!/");
    whole.push(escape::os_string(member));
    Cow::Owned(whole.into())
}
