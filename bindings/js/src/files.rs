//! The search of files: mail, news, web archives, pages and text, compressed or not, and archives of them.
//!
//! JavaScript passes a [`Source`], which reads the file as a stream, and a [`Sink`], which takes
//! the output. So memory depends on the longest message. The output for a match is the same as the
//! program's.

use std::io::{self, Read};
use std::ops::ControlFlow;

use urlgrep::archive::internal::{Event, Events, Note};
use urlgrep::archive::{Files, Format, Message, ReadOptions};
use urlgrep::{Evidence, Finder, Join};
use urlgrep_print::context::{Context, ContextBuffer, ContextLines};
use urlgrep_print::escape::Escaped;
use wasm_bindgen::prelude::*;

use crate::options;
use crate::written::{Output, Select, Written};

#[wasm_bindgen]
extern "C" {
    /// A file that JavaScript reads.
    pub type Source;

    /// Reads the next bytes, and returns how many; 0 at the end.
    #[wasm_bindgen(method, catch)]
    fn read(this: &Source, room: &mut [u8]) -> Result<usize, JsValue>;

    /// The receiver of the results.
    pub type Sink;

    /// Takes the output for the next matches, and the number of matches so far of each role.
    #[wasm_bindgen(method)]
    fn take(this: &Sink, written: &[u8], counts: &[f64]);

    /// Takes the sentence of an error.
    #[wasm_bindgen(method)]
    fn fail(this: &Sink, sentence: &str);
}

/// A source as a reader.
struct Input<'s>(&'s Source);

impl Read for Input<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let error = |thrown: JsValue| {
            let message = thrown.is_object().then(|| thrown.unchecked_ref::<Thrown>().message()).flatten();
            io::Error::other(message.unwrap_or_else(|| "the browser cannot read it".to_owned()))
        };
        self.0.read(room).map_err(error)
    }
}

#[wasm_bindgen]
extern "C" {
    type Thrown;
    #[wasm_bindgen(method, getter)]
    fn message(this: &Thrown) -> Option<String>;
}

/// The number of bytes that are written before the sink takes them.
const BATCH: usize = 64 * 1024;

/// The size of a read of text whose context is written, in bytes.
const BLOCK: usize = 16 * 1024;

/// The lines before and after a match that its context has.
const LINES: ContextLines = ContextLines { before: 1, after: 1 };

/// The greatest length of a URL, which is the default of the library.
const MAX_LEN: usize = 64 * 1024;

/// A search of files, one after the other.
#[wasm_bindgen]
pub struct FileSearch {
    finder: Finder,
    /// The finder of the first pass, and its evidence, if likely lines are joined.
    first: Option<(Finder, Evidence)>,
    read: ReadOptions,
    /// True if the file that is searched was chosen by itself, and not with its folder.
    named: bool,
    written: Written,
}

#[wasm_bindgen]
impl FileSearch {
    /// Returns a search with options as [`options::builder`] has them. `output` is `list`, `json`
    /// or `csv`; a list contains at most `most` matches. `roles` are names with commas between
    /// them, `form` is a name, `url` is a text that a URL contains, in lower case; empty values
    /// select everything. `host` is the host in lower case, empty for URLs without one; if it is
    /// undefined, all hosts are selected.
    ///
    /// # Errors
    ///
    /// The sentence of the library.
    #[wasm_bindgen(constructor)]
    pub fn new(
        numbers: &[u32],
        output: &str,
        most: u32,
        roles: &str,
        form: &str,
        url: &str,
        host: Option<String>,
    ) -> Result<FileSearch, JsError> {
        let builder = || options::builder(numbers, "");
        let error = |error: urlgrep::BuildError| JsError::new(&error.to_string());
        let output = Output::of(output);
        let last = builder().line_numbers(true).explain(output == Output::List);
        // As the program does with `--join likely`.
        let likely = options::has(numbers, "join", "likely");
        let evidence = Evidence::new();
        let last = if likely { last.evidence(evidence.clone()) } else { last };
        let first = builder().explain(true).join(Join::Delimited);
        Ok(FileSearch {
            finder: last.build().map_err(error)?,
            first: if likely { Some((first.build().map_err(error)?, evidence)) } else { None },
            read: ReadOptions { line_numbers: true, ..ReadOptions::default() },
            named: true,
            written: Written::new(output, most as usize, Select::new(roles, form, url, host)),
        })
    }

    /// Returns true if each file must be [gathered](Self::gather) before the first is searched.
    #[wasm_bindgen(js_name = needsEvidence)]
    pub fn needs_evidence(&self) -> bool {
        self.first.is_some()
    }

    /// Gathers the evidence of a file, of which `text` means that it is plain text, regardless of
    /// its first bytes.
    pub fn gather(&mut self, source: &Source, text: bool) {
        let Some((finder, evidence)) = &self.first else { return };
        let read =
            ReadOptions { format: text.then_some(Format::Text), line_numbers: false, ..self.read.clone() };
        let Ok(files) = Files::new(Input(source)) else { return };
        let mut events = Events::of(files, &read);
        loop {
            match events.advance() {
                Ok(None) => return,
                Ok(Some(Event::File)) => {
                    let text = events.text().into_iter().flat_map(|reader| finder.stream(reader));
                    text.map_while(Result::ok).for_each(|matched| evidence.add(&matched));
                }
                Ok(Some(Event::Message)) => {
                    let _ = finder.find_in_message(&events.message(), |matched| {
                        evidence.add(matched);
                        ControlFlow::Continue(())
                    });
                }
                Ok(Some(Event::End)) | Err(_) => {}
            }
        }
    }

    /// Searches a file with this name, of which `text` means that it is plain text, regardless of
    /// its first bytes, and `named` that it was chosen by itself: otherwise, an image or a program
    /// is not an error.
    pub fn search(&mut self, source: &Source, name: &str, text: bool, named: bool, sink: &Sink) {
        self.named = named;
        self.read.format = text.then_some(Format::Text);
        self.files(source, name, sink).unwrap_or_else(|error| fail(sink, name, &error));
        pass_on(&mut self.written, sink);
    }
}

impl FileSearch {
    fn files(&mut self, source: &Source, name: &str, sink: &Sink) -> io::Result<()> {
        let mut events = Events::of(Files::new(Input(source))?, &self.read);
        let mut path = name.to_owned();
        loop {
            match events.advance() {
                Ok(None) => return Ok(()),
                Ok(Some(Event::File)) => {
                    path = member_path(name, events.files().name());
                    let read = events.text().map_or(Ok(()), |reader| self.text(&path, reader, sink));
                    read.unwrap_or_else(|error| fail(sink, &path, &error));
                }
                Ok(Some(Event::Message)) => {
                    self.message(&path, &events.message(), sink);
                    if !events.reader.is_buffered() {
                        pass_on(&mut self.written, sink);
                    }
                }
                Ok(Some(Event::End)) => {
                    let is_named = self.named && events.files().name().is_none();
                    for note in events.take_notes() {
                        match note {
                            Note::Unsupported(binary) if !is_named && !binary.may_hold_text() => {}
                            note => fail(sink, &path, &note),
                        }
                    }
                }
                Err(error) => fail(sink, &member_path(name, events.files().name()), &error),
            }
        }
    }

    fn message(&mut self, path: &str, message: &Message<'_>, sink: &Sink) {
        let FileSearch { finder, written, .. } = self;
        written.memo.head.clear();
        let _ = finder.find_in_message(message, |matched| {
            let nothing = || Context::of(b"", 0..0, LINES);
            let context = || Context::of_archive(matched, LINES).unwrap_or_else(nothing);
            written.push(path, matched, context);
            if written.sheet.text.len() >= BATCH {
                pass_on(written, sink);
            }
            ControlFlow::Continue(())
        });
    }

    fn text(&mut self, path: &str, reader: &mut impl Read, sink: &Sink) -> io::Result<()> {
        let FileSearch { finder, written, .. } = self;
        let mut scanner = finder.scanner();
        let mut context = ContextBuffer::new(LINES, MAX_LEN);
        let mut block = [0; BLOCK];
        let read = loop {
            let len = match reader.read(&mut block) {
                Ok(0) => break Ok(()),
                Ok(len) => len,
                Err(error) => break Err(error),
            };
            context.push(&block[..len]);
            scanner.push(&block[..len], |matched| context.wait(matched.into_owned(), None));
            push_waiting(written, path, &mut context);
            if written.sheet.text.len() >= BATCH {
                pass_on(written, sink);
            }
        };
        scanner.finish(|matched| context.wait(matched.into_owned(), None));
        context.ended = true;
        push_waiting(written, path, &mut context);
        read
    }
}

/// Passes on the output so far.
fn pass_on(written: &mut Written, sink: &Sink) {
    sink.take(&written.sheet.text, &written.counts);
    written.sheet.clear();
}

/// Writes the matches whose context is complete.
fn push_waiting(written: &mut Written, path: &str, buffer: &mut ContextBuffer) {
    while let Some((matched, _, context)) = buffer.next_match() {
        written.push(path, &matched, || context);
    }
}

/// The name of an archive member, or of a file that is not one.
fn member_path(name: &str, member: Option<&[u8]>) -> String {
    member.map_or_else(|| name.to_owned(), |member| format!("{name}!/{}", String::from_utf8_lossy(member)))
}

fn fail(sink: &Sink, path: &str, error: &dyn std::fmt::Display) {
    sink.fail(&format!("{}: {error}", Escaped(path.as_bytes())));
}
