//! An open file. Readers in several threads read it, each from its own offset.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use urlgrep::archive::internal::check_not_shortened;

use super::Sizes;

/// An open file. The file is opened only once, because its path may lead to another file, or to
/// none, when the next piece is read.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    /// The length of a regular file when it was opened, in bytes; `None` for a pipe.
    pub len: Option<u64>,
    /// True if the file is read from its current position, because it is a pipe, or because another
    /// process may continue where the search ends.
    is_stream: bool,
    #[cfg(test)]
    sizes: Sizes,
}

impl OpenFile {
    /// Returns a file that is read from its start, with its length if it is a regular file.
    #[cfg_attr(not(test), expect(unused_variables, reason = "reads fail in tests only"))]
    pub fn new(file: File, len: Option<u64>, sizes: Sizes) -> OpenFile {
        OpenFile {
            file,
            len,
            // A virtual file, such as a file in /proc, has the length 0, and may not support offsets.
            is_stream: len.is_none_or(|len| len == 0),
            #[cfg(test)]
            sizes,
        }
    }

    /// Returns a regular file that another process has opened as well. Bytes that are read here are
    /// not read by that process.
    pub fn shared(file: File, len: u64, sizes: Sizes) -> OpenFile {
        OpenFile { is_stream: true, ..OpenFile::new(file, Some(len), sizes) }
    }

    fn read_at(&self, at: u64, room: &mut [u8]) -> io::Result<usize> {
        #[cfg(test)]
        let room = match usize::try_from(self.sizes.fails_at.saturating_sub(at)) {
            Ok(0) => return Err(io::Error::other("this disk is damaged")),
            Ok(len) if len < room.len() => &mut room[..len],
            _ => room,
        };
        let read = match self.is_stream {
            true => (&self.file).read(room)?,
            false => read_at(&self.file, at, room)?,
        };
        if let (0, false, Some(len)) = (read, room.is_empty(), self.len) {
            check_not_shortened(at, len, || Ok(self.file.metadata()?.len()))?;
        }
        Ok(read)
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, room: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, room, at)
}

#[cfg(windows)]
fn read_at(file: &File, at: u64, room: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, room, at)
}

/// A reader of a range of a file.
#[derive(Debug)]
pub struct FileRange {
    file: Arc<OpenFile>,
    range: Range<u64>,
}

impl FileRange {
    pub fn new(file: &Arc<OpenFile>, range: Range<u64>) -> FileRange {
        FileRange { file: Arc::clone(file), range }
    }
}

impl Read for FileRange {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = self.range.end.saturating_sub(self.range.start);
        let len = usize::try_from(left).map_or(room.len(), |left| left.min(room.len()));
        if len == 0 {
            return Ok(0);
        }
        let read = self.file.read_at(self.range.start, &mut room[..len])?;
        self.range.start += read as u64;
        Ok(read)
    }
}

impl Seek for FileRange {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let start = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.range.start.checked_add_signed(by),
            SeekFrom::End(by) => self.file.file.metadata()?.len().checked_add_signed(by),
        };
        self.range.start = start.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.range.start)
    }
}

/// Returns a reader of a range of a file. The length of a piece is counted as a whole.
pub fn bytes(file: &Arc<OpenFile>, range: Range<u64>) -> Counted<FileRange> {
    Counted::new(FileRange::new(file, range), &Arc::default())
}

// Inputs as they are read: bytes are counted, and interrupted reads are retried.

/// The progress of a search, shared by all threads.
#[derive(Debug, Default)]
pub struct Counters {
    /// The number of bytes that were read.
    pub bytes: AtomicU64,
    /// The number of matches that were printed.
    pub matches: AtomicU64,
}

/// A reader that counts its bytes. No other reader of the program retries a read that a signal
/// interrupted: all others read through this one, or by functions of the standard library that
/// retry.
pub struct Counted<R> {
    reader: R,
    counters: Arc<Counters>,
}

impl<R: Read> Counted<R> {
    pub fn new(reader: R, counters: &Arc<Counters>) -> Counted<R> {
        Counted { reader, counters: Arc::clone(counters) }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = loop {
            match self.reader.read(room) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.counters.bytes.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every other read is interrupted.
    struct Interrupted(bool);

    impl Read for Interrupted {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.0 = !self.0;
            if self.0 { Err(ErrorKind::Interrupted.into()) } else { Ok(room.len().min(3)) }
        }
    }

    #[test]
    fn an_interrupted_read_is_retried() {
        let counters = Arc::default();
        let mut reader = Counted::new(Interrupted(false), &counters);
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 3);
        assert_eq!(reader.read(&mut [0; 2]).unwrap(), 2);
        assert_eq!(counters.bytes.load(Ordering::Relaxed), 5);
    }
}
