//! Parts of an xz file that can be decompressed from several blocks.
//!
//! The index contains the lengths of the blocks, and thus the offset of each [`SeekPoint`] in the
//! decompressed file. A part of the file starts at the first message, or after the first empty line, that
//! follows a point, and ends at the start of the next part, after the next point. If neither a
//! message nor an empty line follows soon, no part starts there, and the previous part continues.
//!
//! Two threads look for the start of a part: the thread that searches it, and the thread that
//! searches the part before. Both find the same start, because both read the bytes after the point.
//!
//! The lengths in the index may be wrong. So a thread that reaches a seek point verifies that the data
//! before it end there and have the declared length. If not, or if anything else is wrong, the rest
//! of the file is read as one thread reads it, by [`PointReader::read_rest`], and belongs to this
//! part, and the parts that were planned after it are dropped.

use std::io::{self, Read};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use urlgrep::archive::Files;
use urlgrep::archive::internal::{SeekPoint, SeekPoints, first_split_point};

use super::Sizes;
use super::file::{OpenFile, bytes};
use super::files::{Part, lookahead};

/// The length of a read, in bytes.
const BLOCK: usize = 64 * 1024;

/// Decompressed data: one file.
type Data = Files<Box<dyn Read>>;

/// The decompressed data from a point to a later one, or to the end.
fn open(
    file: &Arc<OpenFile>,
    points: &SeekPoints,
    from: SeekPoint,
    to: Option<SeekPoint>,
) -> io::Result<Data> {
    let input: Box<dyn Read> = Box::new(points.stream(from, to, |range| bytes(file, range)));
    Files::of_rest(input, from.start)
}

/// The decompressed data of a range.
fn data(file: &Arc<OpenFile>, range: Range<u64>) -> io::Result<Data> {
    Files::of_rest(Box::new(bytes(file, range)), 0)
}

/// A reader of a part. It yields the bytes of the part, and then the bytes that decide where the
/// last message of the part ends.
pub struct PointReader {
    file: Arc<OpenFile>,
    part: Rc<Part>,
    /// The distance after a point at which a part may start, in bytes.
    window_len: usize,
    /// The data up to `to`, or to the end. `points` are after that.
    data: Data,
    to: Option<SeekPoint>,
    points: SeekPoints,
    /// True if the data are read as one thread reads them.
    is_rest: bool,
    /// The offset in the decompressed file of the next byte of `data`.
    offset: u64,
    /// Bytes that were read to look for a start.
    window: Vec<u8>,
    yielded: usize,
    /// The reason why reading failed after these bytes.
    error: Option<io::Error>,
    /// True if nothing comes after these bytes.
    ended: bool,
}

impl PointReader {
    /// Returns a reader for the part that starts at seek point `from`, and records its start in `part`. The reader is
    /// empty if no message or paragraph starts there. `to` is the next seek point, and `points` are those after it.
    pub fn open(
        file: Arc<OpenFile>,
        points: SeekPoints,
        (from, to): (SeekPoint, Option<SeekPoint>),
        sizes: Sizes,
        part: Rc<Part>,
    ) -> io::Result<Self> {
        let mut reader = PointReader {
            part,
            window_len: sizes.window,
            data: open(&file, &points, from, to)?,
            to,
            is_rest: false,
            points,
            file,
            offset: from.start,
            window: Vec::new(),
            yielded: 0,
            error: None,
            ended: false,
        };
        if from.start > 0 {
            match reader.find_start() {
                Some(start) => reader.yielded = start,
                None => (reader.yielded, reader.ended, reader.error) = (reader.window.len(), true, None),
            }
        }
        reader.part.start.set(from.start + reader.yielded as u64);
        Ok(reader)
    }

    /// Reads the first bytes after a point, until they show where a part can start.
    fn find_start(&mut self) -> Option<usize> {
        (self.window, self.yielded) = (Vec::new(), 0);
        let lookahead = lookahead(Some(self.part.format));
        while self.window.len() < self.window_len + lookahead {
            let len = self.window.len();
            self.window.resize(len + BLOCK, 0);
            let read = self.data.file().read(&mut self.window[len..]);
            let more = *read.as_ref().unwrap_or(&0);
            self.window.truncate(len + more);
            self.offset += more as u64;
            if more == 0 {
                self.error = read.err();
                return None;
            }
            let start = first_split_point(self.part.format, &self.window, 0)
                .filter(|&start| start <= self.window_len);
            if let Some(start) = start.filter(|start| start + lookahead <= self.window.len()) {
                return Some(start);
            }
        }
        None
    }

    /// Continues at a seek point that was verified: to the start of the next part, or to a later
    /// one if no part starts there.
    fn go_on(&mut self, from: SeekPoint) -> io::Result<()> {
        let mut points = self.points.clone();
        let to = points.next();
        let Ok(data) = open(&self.file, &points, from, to) else { return self.read_rest() };
        (self.data, self.to, self.points) = (data, to, points);
        if let Some(end) = self.find_start() {
            self.part.end.set(from.start + end as u64);
            self.window.truncate(end + lookahead(Some(self.part.format)));
            self.ended = true;
        }
        Ok(())
    }

    /// Continues to the end of the file as one thread would.
    fn read_rest(&mut self) -> io::Result<()> {
        self.part.is_rest.set(true);
        (self.is_rest, self.to) = (true, None);
        // A decoder of xz starts at the header of a stream, and verifies the index.
        self.data = data(&self.file, 0..u64::MAX)?;
        io::copy(&mut self.data.file().take(self.offset), &mut io::sink())?;
        Ok(())
    }
}

impl Read for PointReader {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.yielded < self.window.len() || room.is_empty() {
                let len = (&self.window[self.yielded..]).read(room)?;
                self.yielded += len;
                return Ok(len);
            }
            if self.ended {
                return Ok(0);
            }
            let read = self.error.take().map_or_else(|| self.data.file().read(room), Err);
            let gone_on = match (read, self.to) {
                (Ok(len @ 1..), _) => {
                    self.offset += len as u64;
                    return Ok(len);
                }
                (Ok(_), Some(to)) if to.start == self.offset => self.go_on(to),
                (Ok(_), None) => {
                    self.ended = true;
                    return Ok(0);
                }
                (Err(error), _) if self.is_rest => Err(error),
                _ => self.read_rest(),
            };
            self.ended = gone_on.is_err() || self.ended;
            gone_on?;
        }
    }
}

/// A reader of members of gzip, each of which is a record of a web archive.
///
/// The member at the end is verified as a seek point is: the data before it must end there. If not, or if they are damaged,
/// the rest of the file is read as one thread reads it, and the pieces that were planned after it are dropped.
pub struct MemberReader {
    file: Arc<OpenFile>,
    part: Rc<Part>,
    data: Data,
    from: u64,
    /// The offset of the last byte plus one; `None` for the end of the file.
    to: Option<u64>,
}

impl MemberReader {
    /// Returns a reader of the members from one offset to another. Damage sets `part.is_rest`.
    pub fn open(file: Arc<OpenFile>, from: u64, to: Option<u64>, part: Rc<Part>) -> io::Result<Self> {
        let data = data(&file, from..to.unwrap_or(u64::MAX))?;
        Ok(MemberReader { file, part, data, from, to })
    }
}

impl Read for MemberReader {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = match (self.data.file().read(room), self.to) {
            (Err(_), Some(_)) => {
                self.part.is_rest.set(true);
                self.to = None;
                self.data = data(&self.file, self.from..u64::MAX)?;
                io::copy(&mut self.data.file().take(self.part.bytes.get()), &mut io::sink())?;
                self.data.file().read(room)
            }
            (read, _) => read,
        };
        let len = read?;
        self.part.bytes.set(self.part.bytes.get() + len as u64);
        Ok(len)
    }
}
