//! The files of an input and their messages, as events: every search of files is a loop over these.

use std::fmt;
use std::io;

use super::container::binary::Binary;
use super::container::csv;
use super::container::files::FileSource;
use super::container::format::Format;
use super::limits::MAX_DEPTH;
use super::message::message::Message;
use super::message::undecoded::Undecoded;
use super::options::ReadOptions;
use super::reader::Reader;

/// The next step through the files of an input. Errors come between events: an error in a file
/// precedes the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A file begins.
    File,
    /// The next message of the file.
    Message,
    /// The file ends, and its notes are complete.
    End,
}

/// A part of a file that was left out.
#[derive(Debug)]
pub enum Note {
    /// The file has a known format that urlgrep does not read.
    Unsupported(Binary),
    /// Bodies that were not decoded.
    Undecoded(Undecoded),
    /// Texts that are nested more than [`MAX_DEPTH`] deep.
    TooDeep,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Unsupported(binary) => write!(f, "unsupported format: {binary}"),
            Note::Undecoded(undecoded) => undecoded.fmt(f),
            Note::TooDeep => {
                write!(f, "more than {MAX_DEPTH} levels of nesting; the deeper levels were searched as text")
            }
        }
    }
}

/// The events of the files of an input.
#[derive(Debug)]
pub struct Events<S> {
    /// The reader of the current file.
    pub reader: Reader<S>,
    /// The format that was set.
    pub(super) format: Option<Format>,
    /// True if the input may consist of rows, by its name.
    pub(super) may_be_rows: bool,
    /// True if there is a current file.
    pub(super) in_file: bool,
    /// True if no more of it is read.
    pub(super) skipped: bool,
}

impl<S: FileSource> Events<S> {
    /// Returns the events of the files that `reader` reads. Their format is the one in its options,
    /// if that is set, or `format`.
    pub fn new(reader: Reader<S>, format: Option<Format>) -> Events<S> {
        let format = reader.options.format.or(format);
        Events { reader, format, may_be_rows: false, in_file: false, skipped: false }
    }

    /// Returns the events of an input with this name, which is a hint for its format.
    pub fn named(self, name: &[u8]) -> Events<S> {
        Events { may_be_rows: csv::is_name(name), ..self }
    }

    /// Returns the events of all files of an input.
    pub fn of(files: S, options: &ReadOptions) -> Events<S> {
        Events::new(Reader::new(files).with_options(options), None)
    }

    /// Advances to the next event; `None` after the last.
    ///
    /// # Errors
    ///
    /// Returns an error if the current file or, between files, an archive cannot be read further.
    /// More events may follow.
    pub fn advance(&mut self) -> io::Result<Option<Event>> {
        if self.in_file {
            self.in_file = !self.skipped && self.reader.advance()?;
            return Ok(Some(if self.in_file { Event::Message } else { Event::End }));
        }
        if !self.reader.input.inner.advance()? {
            return Ok(None);
        }
        let may_be_rows = self.files().name().map_or(self.may_be_rows, csv::is_name);
        self.reader.restart(self.format, may_be_rows);
        self.in_file = true;
        self.skipped = self.unsupported().is_some();
        Ok(Some(Event::File))
    }

    /// Skips the rest of the current file: its end is the next event.
    pub fn skip(&mut self) {
        self.skipped = true;
    }

    /// Returns the current file, if it is a text that does not need decoding. If you search it with
    /// a [scanner](crate::Scanner), no messages of this file follow.
    pub fn text(&mut self) -> Option<&mut Reader<S>> {
        let is_text = !self.skipped && self.reader.format() == Format::Text && !self.reader.is_converted();
        self.skipped |= is_text;
        is_text.then_some(&mut self.reader)
    }

    /// Returns the current message.
    pub fn message(&self) -> Message<'_> {
        self.reader.message()
    }

    /// Returns the files.
    pub fn files(&self) -> &S {
        &self.reader.input.inner
    }

    /// The format of the current file, if it is not read for that: it is known and not text, and none was set.
    pub(super) fn unsupported(&self) -> Option<Binary> {
        self.files().binary().filter(|_| self.format.is_none())
    }

    /// Returns the notes since the last call.
    pub fn take_notes(&mut self) -> impl Iterator<Item = Note> + use<S> {
        let unsupported = self.unsupported().map(Note::Unsupported);
        let (undecoded, too_deep) = self.reader.take_notes();
        let undecoded = (undecoded.count() > 0).then_some(Note::Undecoded(undecoded));
        [unsupported, undecoded, too_deep.then_some(Note::TooDeep)].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Files in memory, the current one first.
    struct Slices<'s>(Vec<(&'static str, &'s [u8])>);

    impl Read for Slices<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.0[0].1.read(room)
        }
    }

    impl FileSource for Slices<'_> {
        fn advance(&mut self) -> io::Result<bool> {
            self.0.remove(0);
            Ok(!self.0.is_empty())
        }

        fn name(&self) -> Option<&[u8]> {
            self.0.first().map(|(name, _)| name.as_bytes())
        }
    }

    const MAIL: &[u8] = b"From: a@h.org\nMessage-ID: <1@h.org>\n\nb\n";
    const TEXT: &[u8] = b"one\n\ntwo http://h.org/\n";

    fn events(files: &[&'static [u8]]) -> Events<Slices<'static>> {
        let options = ReadOptions { line_numbers: true, ..ReadOptions::default() };
        let files = files.iter().map(|bytes| ("name", *bytes));
        Events::of(Slices(std::iter::once(("before", &b""[..])).chain(files).collect()), &options)
    }

    #[test]
    fn a_text_that_is_scanned_has_no_messages() {
        let mut events = events(&[TEXT, MAIL, TEXT]);
        let mut all = Vec::new();
        while let Some(event) = events.advance().unwrap() {
            all.push(event);
            match event {
                // The last text is read in messages.
                Event::File if all.len() < 6 => {
                    let mut read = Vec::new();
                    events.text().into_iter().for_each(|text| drop(text.read_to_end(&mut read)));
                    assert_eq!(read, if all.len() == 1 { TEXT } else { b"" });
                }
                // Lines are counted again after a text that was read.
                Event::Message => {
                    let message = events.message();
                    let text = message.texts().next().unwrap();
                    assert_eq!(text.position(message.span().start).map(|at| at.line), Some(1));
                }
                Event::File | Event::End => {}
            }
        }
        assert_eq!(all[..2], [Event::File, Event::End]);
        assert_eq!(all[2..5], [Event::File, Event::Message, Event::End]);
        assert_eq!(all[5..], [Event::File, Event::Message, Event::End]);
    }

    #[test]
    fn a_file_that_is_skipped_ends() {
        let mut events = events(&[MAIL, MAIL]);
        assert_eq!(events.advance().unwrap(), Some(Event::File));
        events.skip();
        assert!(events.text().is_none());
        let rest: Vec<_> = std::iter::from_fn(|| events.advance().unwrap()).collect();
        assert_eq!(rest, [Event::End, Event::File, Event::Message, Event::End]);
    }

    #[test]
    fn notes_are_taken_once() {
        let deep = "Subject: a\nContent-Type: message/rfc822\n\n".repeat(2 * MAX_DEPTH);
        let deep = format!("From: a@h.org\nMessage-ID: <1@h.org>\n{deep}To: b@h.org\n\nb\n");
        let mut events = events(&[MAIL, deep.leak().as_bytes(), MAIL]);
        let mut notes = Vec::new();
        while let Some(event) = events.advance().unwrap() {
            match event {
                Event::File => {}
                Event::Message => assert!(events.message().texts().count() > 0),
                Event::End => {
                    notes.push(events.take_notes().map(|note| note.to_string()).collect::<Vec<_>>())
                }
            }
        }
        assert_eq!(notes.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 0]);
        assert!(notes[1][0].contains("levels of nesting"), "{notes:?}");
    }
}
