//! The files of a piece: an input itself, decompressed, the members of an archive, or a part of one
//! file.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::Range;
use std::rc::Rc;

use urlgrep::archive::internal::LOOKAHEAD;
use urlgrep::archive::{Binary, Files, Format};

use super::ahead::Ahead;

/// The length of the header of a member of a tar archive, in bytes.
const TAR_HEADER: usize = 512;

/// The files of a piece, in order.
pub enum InputFiles {
    /// This thread reads and decompresses them.
    Here(Files<Box<dyn Read>>),
    /// Another thread does.
    Ahead(Ahead),
    /// A part of one file, and its reader; none after it.
    Part(Option<(Rc<Part>, Box<dyn Read>)>),
}

/// A file, or a part of one.
pub struct InputFile<'f> {
    /// The name in its archive, if it is a member of one.
    pub name: Option<Vec<u8>>,
    /// What the file is, if it is not text.
    pub binary: Option<Binary>,
    /// Which part it is of a file, if not all.
    pub part: Option<Rc<Part>>,
    /// It may go on beyond the end of a part, for the bytes that decide where the last message ends.
    pub reader: Box<dyn Read + 'f>,
}

/// A part of a file, and what is known of it when it has been read.
#[derive(Debug)]
pub struct Part {
    pub format: Format,
    /// The offsets in the file; the end is the greatest number until it is known.
    pub start: Cell<u64>,
    pub end: Cell<u64>,
    /// The number of its line ends so far; none if they are not counted.
    pub lines: Option<Cell<u64>>,
    /// Whether it is all the rest of the file, whatever parts were to follow.
    pub is_rest: Cell<bool>,
}

impl Part {
    pub fn new(format: Format, range: Range<u64>, counts_lines: bool) -> Rc<Part> {
        let (start, end) = (Cell::new(range.start), Cell::new(range.end));
        Rc::new(Part {
            format,
            start,
            end,
            lines: counts_lines.then(Cell::default),
            is_rest: Cell::default(),
        })
    }
}

/// How many bytes after a part decide which is its last message or member.
pub fn lookahead(format: Option<Format>) -> usize {
    match format {
        Some(Format::Mbox) => LOOKAHEAD,
        Some(_) => 0,
        None => TAR_HEADER,
    }
}

/// A reader of a part, which counts its line ends while they are in the cache.
struct LineCounter<R> {
    reader: R,
    part: Rc<Part>,
    /// The offset in the file of what it reads next.
    offset: u64,
}

impl<R: Read> Read for LineCounter<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(room)?;
        if let Some(lines) = &self.part.lines {
            let left = self.part.end.get().saturating_sub(self.offset);
            let own = usize::try_from(left).map_or(len, |left| left.min(len));
            lines.set(lines.get() + memchr::memchr_iter(b'\n', &room[..own]).count() as u64);
        }
        self.offset += len as u64;
        Ok(len)
    }
}

impl InputFiles {
    /// The part that `reader` yields.
    pub fn of_part(part: Rc<Part>, reader: impl Read + 'static) -> InputFiles {
        let reader = LineCounter { reader, offset: part.start.get(), part: Rc::clone(&part) };
        InputFiles::Part(Some((part, Box::new(reader))))
    }

    /// The files that `open` opens. `guard` is passed to a thread of their own, which keeps it to
    /// its end; without one, or if the system starts no thread, this thread reads them. With
    /// `prompt`, bytes are passed on as soon as they have been read.
    ///
    /// # Errors
    ///
    /// What `open` returns.
    pub fn open<E: Send + 'static>(
        prompt: bool,
        guard: Option<impl Send + 'static>,
        open: impl Fn() -> Result<Files<Box<dyn Read>>, E> + Clone + Send + 'static,
    ) -> Result<InputFiles, E> {
        let ahead = guard.and_then(|guard| {
            let open = open.clone();
            Ahead::start(prompt, move || open().map(|files| (files, guard)))
        });
        match ahead {
            Some(files) => files.map(InputFiles::Ahead),
            None => open().map(InputFiles::Here),
        }
    }

    /// The next file; none after the last. The rest of the file before it is skipped.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or an archive is damaged, whose [`name`](Self::name) is known.
    /// Further files may follow.
    pub fn next_file(&mut self) -> io::Result<Option<InputFile<'_>>> {
        Ok(match self {
            InputFiles::Here(files) => files.next_file()?.map(|file| InputFile {
                name: file.name().map(<[u8]>::to_vec),
                binary: file.binary(),
                part: None,
                reader: Box::new(file),
            }),
            InputFiles::Ahead(files) => files.advance()?.then(|| InputFile {
                name: files.name().map(<[u8]>::to_vec),
                binary: files.binary(),
                part: None,
                reader: Box::new(files),
            }),
            InputFiles::Part(part) => part.take().map(|(part, reader)| InputFile {
                name: None,
                binary: None,
                part: Some(part),
                reader,
            }),
        })
    }

    /// The name of the archive that an error is about; none for the input itself.
    pub fn name(&self) -> Option<&[u8]> {
        match self {
            InputFiles::Here(files) => files.name(),
            InputFiles::Ahead(files) => files.name(),
            InputFiles::Part(_) => None,
        }
    }

    /// The archive that an error of the current file has ended; empty for the input itself.
    pub fn ended_archive(&self) -> Option<&[u8]> {
        match self {
            InputFiles::Here(files) => files.ended_archive(),
            InputFiles::Ahead(files) => files.ended_archive(),
            InputFiles::Part(_) => None,
        }
    }
}
