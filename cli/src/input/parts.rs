//! A large mbox that is compressed, in parts, which several threads can search.
//!
//! Nothing says where the messages of a compressed file start. So the threads take turns with its
//! [`Stream`]: a thread decompresses the next [`Part`], up to the start of a message, passes the
//! stream on, and searches the part. Only what is searched is in memory.
//!
//! A part that grows long before a message starts is searched while it is decompressed. The stream
//! is passed on when its end is known.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use urlgrep::archive::{Files, Format, LOOKAHEAD, ReadOptions, Reader};

use super::Counted;

/// The minimum length of a part, in bytes.
const PART: usize = 1024 * 1024;

/// The length of what is read before the search of a part begins, at most, in bytes.
const MAX_AHEAD: usize = 4 * 1024 * 1024;

/// The length of a read, in bytes.
const BLOCK: usize = 128 * 1024;

/// The length of line ends that are kept, at most, in bytes.
const MAX_GAP: usize = 64 * 1024;

/// How many bytes of a file show whether it is an mbox.
pub(super) const HEAD: u64 = 256 * 1024;

/// Whether the file `input` is an mbox in which messages follow the first one soon. This may be
/// `false` for an mbox that begins like something else.
pub fn is_divisible(input: File, options: &ReadOptions) -> io::Result<bool> {
    let mut files = Files::new(input)?;
    let mut head = Vec::new();
    match files.next_file()? {
        Some(file) if file.name().is_none() && (file.binary().is_none() || options.format.is_some()) => {
            file.take(HEAD).read_to_end(&mut head)?;
        }
        _ => return Ok(false),
    }
    let mut reader = Reader::new(&head[..]).with_options(options);
    let is_mbox = reader.format() == Format::Mbox && !reader.is_recoded();
    Ok(is_mbox && head.len() as u64 == HEAD && next_start(&head, 1).is_some())
}

/// The start of the first message of an mbox that starts at `at` or after it, if there is one; what
/// comes before `at` must not be line ends only.
pub(super) fn next_start(bytes: &[u8], at: usize) -> Option<usize> {
    let base = last_text(&bytes[..at])?;
    let mut reader = Reader::new(&bytes[base..]).with_format(Format::Mbox).with_base(base as u64, 0, 0);
    let mut last = None;
    while let Ok(Some(message)) = reader.next_message() {
        let start = usize::try_from(message.span().start).ok()?;
        // A long message is yielded in pieces.
        if last.replace(message.index()) != Some(message.index()) && start >= at {
            return Some(start);
        }
    }
    None
}

/// The offset of the last byte that is not of a line end. Those before a message count.
fn last_text(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n'))
}

/// The rest of a file, from the start of a message on.
pub struct Stream {
    path: PathBuf,
    files: Files<Counted<File>>,
    /// The offset of the rest in the file, decompressed.
    start: u64,
    /// The first bytes of the rest, which have been read.
    bytes: Vec<u8>,
}

impl Stream {
    /// The file of this path, which `input` reads.
    pub fn new(path: &Path, input: Counted<File>) -> io::Result<Stream> {
        let mut files = Files::new(input)?;
        files.next_file()?;
        Ok(Stream { path: path.to_owned(), files, start: 0, bytes: Vec::new() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The offset of the rest in the file, decompressed.
    pub fn start(&self) -> u64 {
        self.start
    }
}

/// The memory of a thread for the bytes of its part.
#[derive(Default)]
pub struct Room {
    bytes: Vec<u8>,
    /// How many of them are in use. The others were.
    len: usize,
}

impl Room {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Room for a block after the bytes.
    fn block(&mut self) -> &mut [u8] {
        let len = self.bytes.len().max(self.len + BLOCK);
        self.bytes.resize(len, 0);
        &mut self.bytes[self.len..][..BLOCK]
    }

    fn drop_first(&mut self, len: usize) {
        self.bytes.copy_within(len..self.len, 0);
        self.len -= len;
    }
}

/// The next part of a stream. As a [`Read`]er it yields its bytes, and after them those that decide
/// where its last message ends.
pub struct Part<'p, P: FnOnce(Option<Stream>)> {
    /// What was read, from a byte of the part on.
    room: &'p mut Room,
    /// How many of the bytes have been yielded, and how many may be.
    yielded: usize,
    ready: usize,
    /// Where the part may end, at least, or does if the stream was passed on.
    end: usize,
    /// The stream until it is passed on, and how.
    stream: Option<(Stream, P)>,
    /// Why the stream could not be read to its end.
    error: Option<io::Error>,
    seen: &'p Seen,
}

/// What is known of a part while it is read.
pub struct Seen {
    /// The offset of its end in the file; the greatest number until it is known.
    pub end: Cell<u64>,
    /// The number of its line ends so far; none if they are not counted.
    pub lines: Option<Cell<u64>>,
}

impl Seen {
    /// Counts the line ends of bytes of the part.
    pub fn count(&self, bytes: &[u8]) {
        if let Some(lines) = &self.lines {
            lines.set(lines.get() + memchr::memchr_iter(b'\n', bytes).count() as u64);
        }
    }
}

impl<'p, P: FnOnce(Option<Stream>)> Part<'p, P> {
    /// The next part, of which `seen` will tell. `pass` gets the rest of the stream, if there is
    /// one, as soon as it is known where that starts.
    pub fn new(mut stream: Stream, room: &'p mut Room, seen: &'p Seen, pass: P) -> Self {
        room.len = 0;
        for block in std::mem::take(&mut stream.bytes).chunks(BLOCK) {
            room.block()[..block.len()].copy_from_slice(block);
            room.len += block.len();
        }
        let stream = Some((stream, pass));
        let mut part = Part { room, yielded: 0, ready: 0, end: PART, stream, error: None, seen };
        while part.stream.is_some() && part.room.len < MAX_AHEAD {
            part.read_more();
        }
        part
    }

    /// Reads a block. Passes the stream on if the part ends before the end of the block.
    fn read_more(&mut self) {
        self.drop_yielded();
        let Some((mut stream, pass)) = self.stream.take() else { return };
        let read = stream.files.file().read(self.room.block());
        self.room.len += *read.as_ref().unwrap_or(&0);
        if !matches!(read, Ok(1..)) {
            (self.error, self.ready, self.end) = (read.err(), self.room.len, self.room.len);
            return pass(None);
        }
        let Some(end) = self.find_end() else {
            self.stream = Some((stream, pass));
            return;
        };
        stream.start += end as u64;
        stream.bytes.extend_from_slice(&self.room.bytes()[end..]);
        self.seen.end.set(stream.start);
        (self.ready, self.end) = (end + LOOKAHEAD, end);
        pass(Some(stream));
    }

    /// Where the part ends, if that is in the bytes.
    fn find_end(&mut self) -> Option<usize> {
        let decided = self.room.len.saturating_sub(LOOKAHEAD);
        if decided < self.end {
            return None;
        }
        let end = next_start(self.room.bytes(), self.end).filter(|&end| end <= decided);
        if end.is_none() {
            (self.ready, self.end) = (decided, decided + 1);
        }
        end
    }

    /// Drops bytes that have been yielded. The line ends before those that have not count, unless
    /// there are very many: then the next message does not start a part.
    fn drop_yielded(&mut self) {
        let from = self.yielded.saturating_sub(MAX_GAP);
        let text = last_text(&self.room.bytes()[from..self.yielded]);
        let dropped = text.map_or(if from > 0 { self.yielded } else { 0 }, |text| from + text);
        self.room.drop_first(dropped);
        self.yielded -= dropped;
        self.ready -= dropped;
        self.end -= dropped;
        if let Some((stream, _)) = &mut self.stream {
            stream.start += dropped as u64;
        }
    }
}

impl<P: FnOnce(Option<Stream>)> Read for Part<'_, P> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.yielded == self.ready && self.stream.is_some() {
            self.read_more();
        }
        let mut bytes = &self.room.bytes()[self.yielded..self.ready];
        if let Some(error) = self.error.take_if(|_| bytes.is_empty()) {
            return Err(error);
        }
        let len = bytes.read(room)?;
        self.seen.count(&room[..self.end.saturating_sub(self.yielded).min(len)]);
        self.yielded += len;
        Ok(len)
    }
}
