//! The search of a piece, which is an input or a part of one.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::mem;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urlgrep::Scanner;
use urlgrep::archive::Reader;
use urlgrep::archive::internal::{Event, Events, FileSource, Memory};
use urlgrep_print::escape;
use urlgrep_print::sheet::Known;

use super::file_search::FileSearch;
use super::outcome::{FileKind, Receive};
use super::settings::Search;
use crate::error;
use crate::input::{Input, InputFiles};
use crate::output::batch::Batch;

/// The tools with which a thread searches.
pub struct Tools {
    /// A scanner for any number of texts.
    pub scanner: Scanner,
    /// The memory for long messages.
    pub memory: Memory,
    /// A reader without an input, for its buffer; `None` after a panic.
    spare: Option<Reader<io::Empty>>,
    /// A batch for the next file, for its memory.
    batch: Batch,
}

impl Tools {
    /// Returns the tools for the first input, or for all inputs if only one thread searches.
    pub fn new(search: &Search) -> Tools {
        Tools {
            scanner: search.options.finder.scanner(),
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
    let mut searched = FileSearch::new(search, part, mem::take(&mut tools.batch), receive);
    match error::catch(|| search_files(input, &mut events, &mut tools.scanner, &mut searched)) {
        Ok(is_over) => {
            tools.spare = Some(events.reader.with_input(io::empty()));
            tools.batch = searched.batch;
            is_over
        }
        Err(_) => {
            tools.scanner = search.options.finder.scanner();
            searched.interrupt(input.name());
            true
        }
    }
}

fn search_files(
    input: &Input,
    events: &mut Events<Box<dyn FileSource>>,
    scanner: &mut Scanner,
    searched: &mut FileSearch<'_>,
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
                searched.begin(member_name(name, member), kind);
                if !searched.explains() {
                    events.text().into_iter().for_each(|reader| searched.text(reader, scanner));
                }
                ControlFlow::Continue(())
            }
            Ok(Some(Event::Message)) => match searched.message(&events.message()) {
                // The next read may block.
                ControlFlow::Continue(()) if !events.reader.is_buffered() => searched.pass_on(),
                flow => flow,
            },
            Ok(Some(Event::End)) => {
                // An empty name means the input.
                let archive = events.files().ended_archive();
                let archive =
                    archive.map(|archive| member_name(name, (!archive.is_empty()).then_some(archive)));
                is_over |= archive.as_deref() == Some(name);
                searched.end(events.take_notes(), archive)
            }
            Err(error) if searched.in_file => {
                searched.fail(error, events.reader.bytes_read());
                ControlFlow::Continue(())
            }
            Err(error) => {
                // Members follow the damaged part of an archive, and nothing follows other errors.
                let archive = events.files().name();
                is_over |= archive.is_none() && error.kind() != ErrorKind::InvalidData;
                searched.fail_between(&member_name(name, archive), error)
            }
        };
        match flow {
            ControlFlow::Break(()) if searched.in_file => events.skip(),
            ControlFlow::Break(()) => return is_over,
            ControlFlow::Continue(()) => {}
        }
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
