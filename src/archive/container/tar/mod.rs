//! Tar archives: their files, in the order of the archive.
//!
//! | written by | read |
//! |---|---|
//! | Version 7 | names up to 100 bytes |
//! | POSIX ustar | the prefix of a name |
//! | POSIX pax | `path` and `size`; sparse files of GNU tar, all three versions |
//! | GNU tar | long names, sizes in binary, sparse files |
//!
//! Links, directories and devices have no text and are skipped. The holes of a sparse file
//! are read as zeros, as they are in the file.
//!
//! A header that is damaged is an error, which contains its position. Then reading continues at the
//! next block that is a header, so only the member after the damage is lost; it is unknown whether
//! the bytes of that member are its name or its data. Archives in a row are read as one; zeros
//! between them are padding. An archive without the zeros that end it is truncated, which is an
//! error too.
//!
//! | module | reads |
//! |---|---|
//! | [`header`] | the header of a member |
//! | [`pax`] | records about the next member, and the holes of a file |

mod header;
mod pax;

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use super::Member;
use super::budget::Budget;
use super::compress::peek::PeekReader;
use super::format::decimal;
use header::{BLOCK, TarHeader, TarKind, more_segments};
pub(super) use header::{begins, may_begin};
use pax::{Holes, NextPart, PaxRecords, Segment, Sparse, zeros};

/// The greatest length of the name of a member, or of the records about one, in bytes.
const MAX_NAME_LEN: usize = 1 << 20;

/// The greatest number of segments of a file.
const MOST_SEGMENTS: usize = 1 << 16;

/// The greatest length of a number of 64 bits, in digits.
const MAX_DIGITS: usize = 20;

/// A tar archive. As a [`Read`]er it yields the data of the current member.
pub(super) struct Tar<R> {
    input: PeekReader<R>,
    /// The offset in the archive of the next read.
    at: u64,
    /// Members whose first header is here or later are not read.
    end: u64,
    /// The offset of the first header of the current member, or of damage.
    start: u64,
    /// The number of bytes that are left of the data of the current member, and of the padding.
    left: u64,
    padding: u64,
    /// The holes of the current member.
    holes: Option<Holes>,
    /// True if zeros or an error were the last that was read.
    ended: bool,
    /// True if it can be read no further.
    pub(super) over: bool,
    budget: Budget,
}

/// The next data in an archive, or the offset of damage; `None` at the end.
type Upcoming<T> = Option<Result<T, u64>>;

impl<R: Read> Tar<R> {
    /// The members whose first header is in `part`; `input` is at its start.
    pub(super) fn new(input: PeekReader<R>, part: Range<u64>, budget: Budget) -> Self {
        Tar {
            input,
            at: part.start,
            end: part.end,
            start: part.start,
            left: 0,
            padding: 0,
            holes: None,
            ended: false,
            over: false,
            budget,
        }
    }

    pub(super) fn into_inner(self) -> R {
        self.input.into_inner()
    }

    /// The next file; the rest of the current one is skipped. After an error of kind
    /// [`InvalidData`](io::ErrorKind::InvalidData) further files may follow.
    pub(super) fn next(&mut self) -> Option<io::Result<Member>> {
        if self.over {
            return None;
        }
        let found = self.file();
        self.over = matches!(found, Ok(None) | Err(_));
        let damaged = |offset| {
            let text = format!("corrupt tar archive: no valid header at byte {offset}");
            io::Error::new(io::ErrorKind::InvalidData, text)
        };
        Some(found.transpose()?.and_then(|member| member.map_err(damaged)))
    }

    /// The next file, after the records about it.
    fn file(&mut self) -> io::Result<Upcoming<Member>> {
        self.skip_data()?;
        let mut records = PaxRecords::default();
        loop {
            let found = self.header()?;
            match found {
                Some(Err(offset)) => self.start = offset,
                Some(Ok(_)) if records == PaxRecords::default() => self.start = self.at - BLOCK as u64,
                _ => {}
            }
            // A member that begins after the part is not read, and damage there is not reported.
            let header = match found.filter(|_| self.start < self.end) {
                Some(Ok(header)) => header,
                Some(Err(offset)) => return Ok(Some(Err(offset))),
                None => return Ok(None),
            };
            let start = self.at - BLOCK as u64;
            let kind = header.kind();
            let size = match kind {
                // Some programs write the data of a file again for each link to it.
                TarKind::Nothing
                    if header.size() > 0 && TarHeader::read(self.input.peek(BLOCK)?).is_some() =>
                {
                    0
                }
                TarKind::File => records.size.unwrap_or(header.size()),
                _ => header.size(),
            };
            self.left = size;
            self.padding = size.wrapping_neg() % BLOCK as u64;
            match kind {
                TarKind::File | TarKind::Sparse => {
                    let name = records.take_name().unwrap_or_else(|| header.name());
                    // The directories of Version 7 have no type of their own.
                    if !name.ends_with(b"/") {
                        return self.member(name, &header, &records).map(|member| Some(Ok(member)));
                    }
                    records = PaxRecords::default();
                }
                TarKind::LongName | TarKind::Pax => {
                    let Some(len) = usize::try_from(size).ok().filter(|&len| len <= MAX_NAME_LEN) else {
                        return Ok(Some(Err(start)));
                    };
                    let Some(text) = self.input.peek(len)?.get(..len) else { return Err(self.truncated()) };
                    if kind == TarKind::LongName {
                        records.name = Some(text.split(|&b| b == 0).next().unwrap_or(text).to_vec());
                    } else if records.add(text).is_none() {
                        return Ok(Some(Err(start)));
                    }
                }
                TarKind::Other | TarKind::Nothing => records = PaxRecords::default(),
            }
            self.skip_data()?;
        }
    }

    /// Finds the next header, and reads it.
    fn header(&mut self) -> io::Result<Upcoming<TarHeader>> {
        let mut damage = None;
        loop {
            let block = self.input.peek(BLOCK)?;
            let block = &block[..block.len().min(BLOCK)];
            let header = TarHeader::read(block);
            if let Some(offset) = damage.filter(|_| header.is_some() || block.is_empty()) {
                self.ended = true;
                return Ok(Some(Err(offset)));
            }
            if block.is_empty() {
                return if self.ended { Ok(None) } else { Err(self.truncated()) };
            }
            let (len, is_zero) = (block.len(), block.iter().all(|&b| b == 0));
            match header {
                None if is_zero => self.ended = true,
                None => damage = damage.or(Some(self.at)),
                Some(_) => self.ended = false,
            }
            self.input.consume(len);
            self.at += len as u64;
            if let Some(header) = header {
                return Ok(Some(Ok(header)));
            }
        }
    }

    /// A file, whose header and records have been read.
    fn member(&mut self, name: Vec<u8>, header: &TarHeader, records: &PaxRecords) -> io::Result<Member> {
        let sparse = match header.kind() {
            TarKind::Sparse => self.old_map(header)?,
            _ => records.sparse(),
        };
        let map = match sparse {
            Sparse::No => return Ok(Member { name, refused: None }),
            Sparse::Map { segments, length } => Some((segments, length)),
            Sparse::MapInData { length } => self.map_in_data()?.map(|segments| (segments, length)),
            Sparse::Unknown => None,
        };
        self.holes = map.and_then(|(segments, length)| Holes::new(segments, length, self.left));
        let text = "unsupported tar member: a sparse file without a list of its holes";
        let refused = self.holes.is_none().then(|| io::Error::new(io::ErrorKind::Unsupported, text));
        Ok(Member { name, refused })
    }

    /// The segments in a header, and in the blocks after it.
    fn old_map(&mut self, header: &TarHeader) -> io::Result<Sparse> {
        let Some((mut segments, length, mut more)) = header.segments() else { return Ok(Sparse::Unknown) };
        while more {
            let Some((next, follows)) = more_segments(self.input.peek(BLOCK)?) else {
                return Ok(Sparse::Unknown);
            };
            self.input.consume(BLOCK);
            self.at += BLOCK as u64;
            segments.extend(next);
            more = follows;
            if segments.len() > MOST_SEGMENTS {
                return Ok(Sparse::Unknown);
            }
        }
        Ok(Sparse::Map { segments, length })
    }

    /// The segments at the beginning of the data: how many, then two numbers of each, every
    /// number in a line. `None` if they are not valid.
    fn map_in_data(&mut self) -> io::Result<Option<Vec<Segment>>> {
        let before = self.left;
        let Some(count) = self.line()?.filter(|&count| count <= MOST_SEGMENTS as u64) else {
            return Ok(None);
        };
        let mut segments = Vec::new();
        for _ in 0..count {
            let (Some(offset), Some(length)) = (self.line()?, self.line()?) else { return Ok(None) };
            segments.push(Segment { offset, length });
        }
        let mut rest = (before - self.left).wrapping_neg() % BLOCK as u64;
        while rest > 0 {
            let len = self.data(&mut [0; BLOCK][..rest as usize])?;
            rest = if len == 0 { 0 } else { rest - len as u64 };
        }
        Ok(Some(segments))
    }

    /// The number in the next line of the data.
    fn line(&mut self) -> io::Result<Option<u64>> {
        let (mut line, mut byte) = (Vec::new(), [0]);
        while line.len() <= MAX_DIGITS && self.data(&mut byte)? > 0 {
            if byte == *b"\n" {
                return Ok(decimal(&line));
            }
            line.extend(byte);
        }
        Ok(None)
    }

    /// Skips the rest of the current member.
    fn skip_data(&mut self) -> io::Result<()> {
        let len = self.left.saturating_add(self.padding);
        (self.left, self.padding, self.holes) = (0, 0, None);
        if !self.input.skip(len)? {
            return Err(self.truncated());
        }
        self.at += len;
        Ok(())
    }

    /// Reads the stored data of the current member.
    fn data(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = usize::try_from(self.left).map_or(buf.len(), |left| left.min(buf.len()));
        if len == 0 {
            return Ok(0);
        }
        let read = self.input.pass(&mut buf[..len]);
        self.over = matches!(read, Ok(0) | Err(_));
        let len = read?;
        self.at += len as u64;
        self.left -= len as u64;
        if len == 0 { Err(self.truncated()) } else { Ok(len) }
    }

    pub(super) fn truncated(&self) -> io::Error {
        let text = format!("truncated tar archive at byte {}", self.at);
        io::Error::new(io::ErrorKind::UnexpectedEof, text)
    }
}

impl<R: Read> Read for Tar<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.over {
            return Ok(0);
        }
        let Some(holes) = &self.holes else { return self.data(buf) };
        let read = match holes.next() {
            NextPart::Zeros(hole) => zeros(buf, hole, &self.budget),
            NextPart::Data(left) => {
                let len = usize::try_from(left).map_or(buf.len(), |left| left.min(buf.len()));
                self.data(&mut buf[..len])
            }
        };
        match (&mut self.holes, &read) {
            (Some(holes), Ok(len)) => holes.advance(*len),
            // An error ends the member.
            (holes, _) => *holes = Some(Holes::default()),
        }
        read
    }
}

// Finds where the archive members start, without reading their data.

/// The number of data bytes from which they are skipped by a seek instead of read.
const FAR: u64 = 64 * 1024;

/// The number of bytes that are read at a time: the headers of several small files.
const WINDOW: usize = 16 * 1024;

/// The offset of the first member that starts at `at` or after it, or of damage there; otherwise
/// the end of the archive, which has `len` bytes. A member starts at `from`, or damage; it is not
/// after `at`.
///
/// # Errors
///
/// Returns an error if the input cannot be read.
pub(crate) fn next_member<R: Read + Seek>(input: &mut R, from: u64, at: u64, len: u64) -> io::Result<u64> {
    let mut input = BufReader::with_capacity(WINDOW, input);
    let mut start = from;
    loop {
        input.seek(SeekFrom::Start(start))?;
        while let Some(next) = after_file(&mut input, start)? {
            match start {
                _ if start >= at => return Ok(start),
                _ if next >= len => return Ok(len),
                _ => start = next,
            }
        }
        input.seek(SeekFrom::Start(start))?;
        let mut tar = Tar::new(PeekReader::new(&mut input), start..u64::MAX, Budget::default());
        start = loop {
            match tar.next() {
                None => return Ok(len),
                Some(Ok(_)) => {}
                // Errors of the archive are found again when it is read.
                Some(Err(error)) => match error.kind() {
                    io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {}
                    _ => return Err(error),
                },
            }
            if tar.start >= at {
                return Ok(tar.start);
            }
            let data = tar.left.saturating_add(tar.padding);
            if data > FAR {
                break tar.at.saturating_add(data);
            }
        };
        if start >= len {
            return Ok(len);
        }
    }
}

/// Returns the end of the data of the member at `start`, if it is a file and one header describes
/// it, as is usual. `input` is at the header, and then at that end.
fn after_file<R: Read + Seek>(input: &mut BufReader<R>, start: u64) -> io::Result<Option<u64>> {
    let mut block = [0; BLOCK];
    match input.read_exact(&mut block) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let header = TarHeader::read(&block);
    let file = header.filter(|header| header.kind() == TarKind::File && !header.name().ends_with(b"/"));
    let data = file.and_then(|header| header.size().checked_next_multiple_of(BLOCK as u64));
    let Some(data) = data.and_then(|data| i64::try_from(data).ok()) else { return Ok(None) };
    input.seek_relative(data)?;
    Ok(Some(start.saturating_add(BLOCK as u64).saturating_add_signed(data)))
}
