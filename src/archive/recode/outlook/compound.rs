//! The streams of a compound file (MS-CFB), and where they are in it.
//!
//! The crate `cfb` reads the streams, and does not say where their sectors are. So it is
//! given a reader that notes which bytes it reads.

use std::cell::RefCell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;

use cfb::CompoundFile;

use crate::archive::source_map::SourceMap;

/// The ranges of the file that have been read.
type Reads = Rc<RefCell<Vec<Range<usize>>>>;

/// A reader that notes which bytes are read.
struct Noted<'f> {
    file: Cursor<&'f [u8]>,
    reads: Reads,
}

impl Read for Noted<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // An offset in a slice fits.
        let start = self.file.position() as usize;
        let len = self.file.read(room)?;
        self.reads.borrow_mut().push(start..start + len);
        Ok(len)
    }
}

impl Seek for Noted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A compound file.
pub(super) struct Compound<'f> {
    file: &'f [u8],
    compound: CompoundFile<Noted<'f>>,
    reads: Reads,
    /// How many bytes of streams have been read.
    len: usize,
    /// Where they are in the file, all streams one after the other.
    pub(super) map: SourceMap,
}

/// A stream that has been read.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) bytes: Vec<u8>,
    /// How many bytes of streams were read before it.
    pub(super) at: usize,
}

impl<'f> Compound<'f> {
    /// Opens a compound file.
    ///
    /// # Errors
    ///
    /// If its directory cannot be read.
    pub(super) fn open(file: &'f [u8]) -> io::Result<Self> {
        let reads = Reads::default();
        let noted = Noted { file: Cursor::new(file), reads: Rc::clone(&reads) };
        let compound = CompoundFile::open(noted).map_err(|error| damaged("its directory", &error))?;
        Ok(Compound { file, compound, reads, len: 0, map: SourceMap::default() })
    }

    pub(super) fn is_stream(&self, path: &str) -> bool {
        self.compound.is_stream(path)
    }

    /// The names of the storages in the storage `path`, in order.
    pub(super) fn storages(&self, path: &str) -> Vec<String> {
        let entries = self.compound.read_storage(path).into_iter().flatten();
        let mut names: Vec<_> =
            entries.filter(|entry| entry.is_storage()).map(|entry| entry.name().to_owned()).collect();
        names.sort_unstable();
        names
    }

    /// Reads the stream `path`, if there is one.
    ///
    /// # Errors
    ///
    /// If it is damaged.
    pub(super) fn read(&mut self, path: &str) -> io::Result<Option<Stream>> {
        if !self.compound.is_stream(path) {
            return Ok(None);
        }
        let mut opened = self.compound.open_stream(path).map_err(|error| damaged(path, &error))?;
        // No two streams share a sector, so all of them fit in the file.
        let fits = usize::try_from(opened.len()).is_ok_and(|len| len <= self.file.len() - self.len);
        if !fits {
            return Err(damaged(path, &io::Error::from(io::ErrorKind::InvalidData)));
        }
        let mut bytes = Vec::new();
        self.reads.borrow_mut().clear();
        opened.read_to_end(&mut bytes).map_err(|error| damaged(path, &error))?;
        let stream = Stream { at: self.len, bytes };
        self.note(&stream);
        Ok(Some(stream))
    }

    /// Notes where a stream is, whose bytes have just been read in order.
    fn note(&mut self, stream: &Stream) {
        let reads = self.reads.take();
        let found = reads.iter().flat_map(|read| &self.file[read.clone()]).take(stream.bytes.len());
        // If the crate reads in another way one day, the bytes have no place.
        if found.eq(&stream.bytes) {
            let mut left = stream.bytes.len();
            for read in reads {
                let len = read.len().min(left);
                self.map.add(stream.at + stream.bytes.len() - left, read.start..read.start + len, len);
                left -= len;
            }
        }
        self.len += stream.bytes.len();
    }
}

fn damaged(what: &str, error: &io::Error) -> io::Error {
    let why = format!("this compound file (OLE2) is damaged, {what} cannot be read: {error}");
    io::Error::new(io::ErrorKind::InvalidData, why)
}
