//! The search of a piece: of an input, or of a part of one.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urlgrep::Scanner;
use urlgrep::archive::internal::Memory;
use urlgrep::archive::{Format, Reader};
use urlgrep_print::escape;

use super::event::{Event, FileKind};
use super::file_search::{FileSearch, ReadError};
use super::settings::Search;
use crate::error::{self, failure};
use crate::input::{Input, InputFile, InputFiles};
use crate::output::batch::Batch;

/// Receives the events of a search, which ends when it breaks.
pub type Receive<'r> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'r;

/// What a thread searches with.
pub struct Tools {
    /// A scanner for any number of texts.
    pub scanner: Scanner,
    /// The memory for long messages.
    pub memory: Memory,
    /// A reader without an input, for its buffer; none after a panic.
    spare: Option<Reader<io::Empty>>,
    /// A batch for the next file, for its memory.
    batch: Batch,
}

impl Tools {
    /// What the first input is searched with, and all if there is only one thread.
    pub fn new(search: &Search) -> Tools {
        Tools {
            scanner: search.scanner(),
            memory: search.options.memory(),
            spare: None,
            batch: Batch::default(),
        }
    }
}

/// Searches the files of a piece of an input. Returns whether the input can be read no further.
pub fn search_piece(
    search: &Search,
    input: &Input,
    files: &mut InputFiles,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) -> bool {
    let searched = error::catch(|| search_files(search, input, files, tools, receive));
    searched.unwrap_or_else(|interrupted| {
        let _ = receive(Event::Failure(failure(input.name(), interrupted)));
        true
    })
}

fn search_files(
    search: &Search,
    input: &Input,
    files: &mut InputFiles,
    tools: &mut Tools,
    receive: &mut Receive<'_>,
) -> bool {
    let (name, mut is_over) = (input.name(), false);
    loop {
        let file_name;
        let searched = match files.next_file() {
            Ok(None) => return is_over,
            Ok(Some(file)) => {
                file_name = member_name(name, file.name.as_deref());
                let (kind, part) = (kind(input, &file), file.part.clone());
                let mut searched = FileSearch::new(search, &file_name, kind, part, &mut tools.batch, receive);
                let Ok(read) = error::catch(|| search_file(search, file, tools, &mut searched)) else {
                    return searched.interrupt(&mut tools.scanner);
                };
                Ok((searched, read))
            }
            Err(error) => Err(error),
        };
        let flow = match searched {
            Ok((searched, read)) => {
                let archive = ended_archive(name, files);
                is_over |= archive.as_deref() == Some(name);
                searched.end(read, archive, &mut tools.batch)
            }
            Err(error) => {
                // Members follow what is damaged of an archive, and nothing follows other errors.
                is_over |= files.name().is_none() && error.kind() != ErrorKind::InvalidData;
                receive(Event::Failure(failure(&member_name(name, files.name()), error)))
            }
        };
        if flow.is_break() {
            return is_over;
        }
    }
}

/// What a file of an input is.
fn kind(input: &Input, file: &InputFile<'_>) -> FileKind {
    match (&file.name, input) {
        (Some(_), _) => FileKind::Member,
        (None, Input::Entry(_)) => FileKind::Entry,
        (None, Input::File(_) | Input::Stdin) => FileKind::Input,
    }
}

/// The archive that an error of the current file has ended.
fn ended_archive(name: &Path, files: &InputFiles) -> Option<PathBuf> {
    files.ended_archive().map(|archive| match archive {
        b"" => name.to_owned(),
        archive => member_name(name, Some(archive)).into_owned(),
    })
}

/// Searches a file, or a part of one. Line and message numbers count from the start of the part.
fn search_file(
    search: &Search,
    file: InputFile<'_>,
    tools: &mut Tools,
    searched: &mut FileSearch<'_>,
) -> Result<(), ReadError> {
    let binary = file.binary.filter(|_| search.options.read.format.is_none());
    let spare =
        tools.spare.take().unwrap_or_else(|| Reader::new(io::empty()).with_options(&search.options.read));
    let mut reader = spare.with_input(file.reader).memory(tools.memory.clone());
    // The first message shows the format.
    if let Some(part) = file.part.filter(|part| part.start.get() > 0) {
        reader = reader.with_base(part.start.get(), 0, 0).with_format(part.format);
    }
    searched.binary = binary;
    let read = match (binary, reader.format()) {
        (Some(_), _) => Ok(()),
        (None, Format::Text) if !reader.is_recoded() => searched.text(&mut reader, &mut tools.scanner),
        (None, _) => searched.archive(&mut reader),
    };
    searched.depth_exceeded = reader.depth_exceeded();
    searched.undecoded = reader.undecoded().cloned();
    tools.spare = Some(reader.with_input(io::empty()));
    read
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
