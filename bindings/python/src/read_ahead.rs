//! A file object that is read in large pieces: if it is in a store of objects, each read is a request.
//!
//! A request takes as long as the transfer of some megabytes. So the wanted bytes are asked for at
//! once, and the bytes between two near ranges are read with them. If bytes were not announced, the
//! first read asks for a few, and each read that continues asks for twice as many.
//!
//! | what | how many bytes a read asks for |
//! |---|---|
//! | in the [expected](ReadAhead::expected) range | the rest of it, at most [`MAX`] |
//! | elsewhere | [`MIN`] after a jump, and twice as many as before otherwise |

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// The minimum number of bytes that a read asks for.
const MIN: usize = 16 << 10;

/// The maximum number of bytes that a read asks for; a jump over more is not read.
const MAX: usize = 4 << 20;

/// The maximum jump in a gzip file that is read. The members of BGZF have at most that many bytes;
/// without known member lengths, the jumps are from one part to the next.
pub const MEMBER: u64 = 64 << 10;

/// A reader with seek that asks for large pieces.
#[derive(Debug)]
pub struct ReadAhead<R> {
    pub reader: R,
    /// The bytes that were read last, and where they start.
    bytes: Vec<u8>,
    start: u64,
    /// The offset of the next read, and of the reader's next read.
    at: u64,
    reader_at: u64,
    /// The number of bytes that were asked for last, if they were not expected.
    window: usize,
    /// A jump over that many bytes at most is read.
    pub near: u64,
    /// The range that will be read.
    pub expected: Range<u64>,
    /// True if offsets count from the start of the reader; before the first seek they count from
    /// its position.
    is_absolute: bool,
}

impl<R> ReadAhead<R> {
    /// Returns a reader that expects to read the rest of `reader`, from its current position.
    pub fn new(reader: R) -> Self {
        ReadAhead {
            reader,
            bytes: Vec::new(),
            start: 0,
            at: 0,
            reader_at: 0,
            window: 0,
            near: MAX as u64,
            expected: 0..u64::MAX,
            is_absolute: false,
        }
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl<R: Read + Seek> ReadAhead<R> {
    /// Reads the next bytes, none of which is there.
    fn fill(&mut self) -> io::Result<()> {
        // The number of bytes to ask for.
        let window = if self.expected.contains(&self.at) {
            self.window = 0;
            usize::try_from(self.expected.end - self.at).unwrap_or(MAX).clamp(MIN, MAX)
        } else {
            let is_near = (self.end()..=self.end() + self.near).contains(&self.at);
            self.window = if is_near { (2 * self.window).clamp(MIN, MAX) } else { MIN };
            self.window
        };
        if self.at != self.reader_at {
            self.reader_at = self.reader.seek(SeekFrom::Start(self.at))?;
        }
        // A head may be examined again when it is known that another one follows.
        let kept = if self.at == self.end() { self.bytes.len().min(MIN) } else { 0 };
        self.bytes.drain(..self.bytes.len() - kept);
        self.start = self.at - kept as u64;
        self.bytes.resize(kept + window, 0);
        let read = self.reader.read(&mut self.bytes[kept..]);
        self.bytes.truncate(kept + *read.as_ref().unwrap_or(&0));
        self.reader_at = self.end();
        read.map(drop)
    }

    /// Moves the reader, which may be the first to say where it is.
    fn move_reader(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader_at = self.reader.seek(to)?;
        if !std::mem::replace(&mut self.is_absolute, true) {
            self.bytes.clear();
        }
        self.at = self.reader_at;
        Ok(self.at)
    }
}

impl<R: Read + Seek> Read for ReadAhead<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if !room.is_empty() && !(self.start..self.end()).contains(&self.at) {
            self.fill()?;
        }
        let from = usize::try_from(self.at - self.start).unwrap_or(usize::MAX);
        let read = self.bytes.get(from..).unwrap_or_default().read(room)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<R: Read + Seek> Seek for ReadAhead<R> {
    /// Moves, and keeps the bytes that were read.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            _ if !self.is_absolute => {
                let unread = self.end().saturating_sub(self.at) as i64;
                return self.move_reader(if let SeekFrom::Current(by) = to {
                    SeekFrom::Current(by - unread)
                } else {
                    to
                });
            }
            SeekFrom::End(_) => return self.move_reader(to),
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
