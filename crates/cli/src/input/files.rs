//! The files of a piece: an input itself, decompressed, the archive members, or a part of one
//! file.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::Range;
use std::rc::Rc;

use urlgrep::archive::internal::{FileSource, LOOKAHEAD};
use urlgrep::archive::{Files, Format};
use urlgrep_print::sheet::Known;

use super::ahead::Ahead;

/// The length of the header of a tar member, in bytes.
const TAR_HEADER: usize = 512;

/// The files of a piece, in order.
pub struct InputFiles {
    pub source: Box<dyn FileSource>,
    /// The part of the file, if it is not the whole file.
    pub part: Option<Rc<Part>>,
}

/// A part of a file, and the facts about it after it has been read.
#[derive(Debug)]
pub struct Part {
    pub format: Format,
    /// The numbers that precede it in the file, as far as they are known.
    pub known: Known,
    /// The offsets in the file; the end is the greatest number until it is known.
    pub start: Cell<u64>,
    pub end: Cell<u64>,
    /// The number of its line breaks so far; `None` if they are not counted.
    pub lines: Option<Cell<u64>>,
    /// The number of its bytes so far, if its offsets count from its start; or else 0.
    pub bytes: Cell<u64>,
    /// True if it is the whole rest of the file, and the parts that were planned after it are
    /// dropped.
    pub is_rest: Cell<bool>,
}

impl Part {
    pub fn new(format: Format, known: Known, range: Range<u64>, counts_lines: bool) -> Rc<Part> {
        let (start, end) = (Cell::new(range.start), Cell::new(range.end));
        Rc::new(Part {
            format,
            known,
            start,
            end,
            lines: counts_lines.then(Cell::default),
            bytes: Cell::default(),
            is_rest: Cell::default(),
        })
    }
}

/// Returns the number of bytes after a part that decide which is its last message or member.
pub fn lookahead(format: Option<Format>) -> usize {
    match format {
        Some(Format::Mbox) => LOOKAHEAD,
        Some(_) => 0,
        None => TAR_HEADER,
    }
}

/// A reader of a part, which counts its line breaks while they are in the cache. It may continue
/// beyond the end of the part, for the bytes that decide where the last message ends.
struct LineCounter<R> {
    reader: R,
    part: Rc<Part>,
    begun: bool,
    /// The offset in the file of its next read.
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

/// The part is one file.
impl<R: Read> FileSource for LineCounter<R> {
    fn advance(&mut self) -> io::Result<bool> {
        Ok(!std::mem::replace(&mut self.begun, true))
    }
}

impl InputFiles {
    /// Returns all files of an input, or the members in a piece of one.
    pub fn all(source: impl FileSource + 'static) -> InputFiles {
        InputFiles { source: Box::new(source), part: None }
    }

    /// Returns the part that `reader` yields.
    pub fn of_part(part: Rc<Part>, reader: impl Read + 'static) -> InputFiles {
        let (offset, begun) = (part.start.get(), false);
        let source = Box::new(LineCounter { reader, part: Rc::clone(&part), begun, offset });
        InputFiles { source, part: Some(part) }
    }

    /// Returns the files that `open` opens. `guard` is passed to a thread of their own, which keeps
    /// it to its end; without one, or if the system starts no thread, this thread reads them. With
    /// `prompt`, bytes are passed on as soon as they have been read.
    ///
    /// # Errors
    ///
    /// Returns the result of `open`.
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
            Some(files) => files.map(InputFiles::all),
            None => open().map(InputFiles::all),
        }
    }
}
