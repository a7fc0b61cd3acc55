//! The search of one input, or of a chunk of one.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use urlgrep::Scanner;
use urlgrep::archive::{File, Files, Format, Memory, Reader};

use super::event::{Event, FileKind};
use super::file_search::{FileSearch, ReadError};
use super::settings::Search;
use crate::error::failure;
use crate::escape;
use crate::input::Base;
use crate::input::chunk::Chunk;
use crate::output::view::Section;

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

/// Searches one input with all its members.
///
/// Returns why the input as a whole could not be read to its end.
pub fn search_input(
    search: &Search,
    name: &Path,
    input: &mut dyn Read,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) -> Option<anyhow::Error> {
    match Files::new(input) {
        Ok(files) => search_files(search, name, files, tools, receive),
        Err(error) => return Some(failure(name, error)),
    }
    None
}

/// Searches the files of the input `name`.
fn search_files<R: Read>(
    search: &Search,
    name: &Path,
    mut files: Files<R>,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) {
    let mut spare = Reader::new(io::empty());
    loop {
        let file = match files.next_file() {
            Ok(Some(file)) => file,
            Ok(None) => return,
            Err(error) => {
                let failure = failure(&member_name(name, files.name()), error);
                match receive(Event::Failure(failure)) {
                    ControlFlow::Continue(()) => continue,
                    ControlFlow::Break(()) => return,
                }
            }
        };
        let flow;
        (flow, spare) = search_file(search, name, file, spare, tools, receive);
        if flow.is_break() {
            return;
        }
    }
}

/// A reader without an input, for its buffer.
type Spare = Reader<io::Empty>;

/// Searches a file of the input `name`.
fn search_file<R: Read>(
    search: &Search,
    name: &Path,
    file: File<'_, R>,
    spare: Spare,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) -> (ControlFlow<()>, Spare) {
    let kind = if file.name().is_some() { FileKind::Member } else { FileKind::Input };
    let name = member_name(name, file.name());
    let section = Section { name: &name, base: Base::default() };
    let binary = file.binary().filter(|_| search.options.read.format.is_none());
    let mut reader = search.options.read.reader_after(spare, file).memory(tools.memory.clone());
    let mut files = FileSearch::new(search, section, kind, receive);
    let read = match (binary, reader.format()) {
        (Some(what), _) => Err(ReadError::binary(what)),
        (None, Format::Text) if !reader.is_recoded() => files.text(&mut reader, &mut tools.scanner),
        (None, _) => files.archive(&mut reader),
    };
    files.depth_exceeded = reader.depth_exceeded();
    files.undecoded = reader.undecoded().cloned();
    (files.end(read), reader.with_input(io::empty()))
}

/// Searches a chunk, which starts at `base`. `input` may extend past the chunk;
/// messages that start there are not searched.
pub fn search_chunk(
    search: &Search,
    chunk: &Chunk,
    base: Base,
    input: &mut dyn Read,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) {
    let Some(format) = chunk.format else {
        let files = Files::of_members(input, chunk.range.clone());
        return search_files(search, &chunk.path, files, tools, receive);
    };
    // The reader of messages knows where it starts, and yields offsets in the file.
    let in_chunk = if format == Format::Text { base } else { Base { offset: 0, ..base } };
    let section = Section { name: &chunk.path, base: in_chunk };
    let mut file = FileSearch::new(search, section, FileKind::Input, receive);
    let read = match format {
        Format::Text => file.text(input, &mut tools.scanner),
        format => {
            let reader = search.options.read.reader(input).memory(tools.memory.clone());
            let reader = reader.with_base(chunk.range.start, 0, 0);
            let mut reader = reader.until(chunk.range.end);
            // The first message shows the format.
            if chunk.range.start > 0 {
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
