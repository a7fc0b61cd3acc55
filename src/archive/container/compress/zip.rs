//! Zip archives: their members, in the order of the file.
//!
//! Each member has a header before its data; the directory at the end of the archive,
//! which repeats the headers, is not read. So an archive may come from a pipe, and all
//! members before a cut are read. The price is that a member that was deleted from the
//! directory but not from the file is read too.
//!
//! Stored and deflated members are read, and decompressed again if they are compressed
//! files; an archive in an archive is not opened. A member that is encrypted or
//! compressed in another way is an error of that member, and so is a damaged one; the
//! next member is searched where it should be, or else where bytes resemble a header.
//! (Where the header does not have the length of the data, the extent of the damage is
//! unknown, and members after it may be lost too.)
//!
//! Follows PKWARE's APPNOTE: 4.3.7 for the header, 4.3.9 for the descriptor after the
//! data, 4.5.3 for lengths beyond 4 GB.

use std::io::{self, Read};

use flate2::Crc;

use super::decoder::Decoder;
use super::peek::PeekReader;
use super::step::{Fault, Step, Then};

const MEMBER: [u8; 4] = *b"PK\x03\x04";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
/// The beginnings of the directory, and of the records after it.
const DIRECTORY: [[u8; 4]; 3] = [*b"PK\x01\x02", *b"PK\x05\x06", *b"PK\x06\x06"];
/// Where reading continues if the end of a member is not known.
const MARKS: [[u8; 4]; 4] = [MEMBER, DIRECTORY[0], DIRECTORY[1], DIRECTORY[2]];

/// The length of a header without its name and extra fields.
const HEADER: usize = 30;

/// A zip archive. As a [`Read`]er it yields the data of the current member.
pub(crate) struct Zip<R> {
    input: PeekReader<R>,
    /// The data of the current member.
    data: Option<MemberData>,
    over: bool,
}

/// A member of an archive.
pub(crate) struct Member {
    /// The name as it is written, in any encoding; `/` separates the parts of a path.
    pub(crate) name: Vec<u8>,
    /// Why the data cannot be read, if they cannot.
    pub(crate) refused: Option<io::Error>,
}

/// The data of a member that have not been read.
struct MemberData {
    /// How many bytes of the archive are left of them, if that is known.
    left: Option<u64>,
    /// `None` if they are stored.
    inflate: Option<Decoder>,
    /// The checksum of the header; `None` if it is after the data.
    expected: Option<u32>,
    found: Crc,
    wrote: u64,
    then: Then,
}

impl MemberData {
    fn step(&mut self, bytes: &[u8], buf: &mut [u8]) -> Step {
        let len = self.left.map_or(bytes.len(), |left| {
            usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()))
        });
        let bytes = &bytes[..len];
        let step = match &mut self.inflate {
            Some(decoder) => decoder.step(bytes, bytes.is_empty(), buf),
            None => copy(bytes, self.left == Some(0), buf),
        };
        self.left = self.left.map(|left| left - step.read as u64);
        step
    }

    /// Compares the checksums, after all data have been read.
    fn check(&self, input: &mut PeekReader<impl Read>) -> io::Result<Then> {
        let expected = match self.expected {
            Some(expected) => Some(expected),
            None => {
                let after = input.peek(8)?;
                let at = if after.starts_with(&DESCRIPTOR) { 4 } else { 0 };
                after.get(at..).and_then(<[u8]>::first_chunk).map(|&bytes| u32::from_le_bytes(bytes))
            }
        };
        Ok(match expected {
            None => Then::Fault(Fault::Cut),
            Some(expected) if expected != self.found.sum() => {
                Then::Fault(Fault::Data("the checksum does not match".into()))
            }
            Some(_) => Then::End,
        })
    }
}

/// One step of stored data.
fn copy(bytes: &[u8], is_end: bool, buf: &mut [u8]) -> Step {
    let len = bytes.len().min(buf.len());
    buf[..len].copy_from_slice(&bytes[..len]);
    let then = match len {
        0 if is_end => Then::End,
        0 => Then::Fault(Fault::Cut),
        _ => Then::More,
    };
    Step { read: len, wrote: len, then }
}

impl<R: Read> Zip<R> {
    pub(super) fn new(input: PeekReader<R>) -> Self {
        Zip { input, data: None, over: false }
    }

    /// The next member; the rest of the current one is skipped. An error is one of the
    /// archive; further members may follow it.
    pub(crate) fn next(&mut self) -> Option<io::Result<Member>> {
        if self.over {
            return None;
        }
        let header = self.skip_data().and_then(|()| self.header());
        match header {
            Ok(Some(header)) => Some(Ok(self.member(header))),
            Ok(None) => {
                self.over = true;
                None
            }
            Err(error) => {
                self.over |= error.kind() != io::ErrorKind::InvalidData;
                Some(Err(error))
            }
        }
    }

    /// Skips the rest of the current member.
    fn skip_data(&mut self) -> io::Result<()> {
        let mut scratch = [0; 4096];
        while self.data.as_ref().is_some_and(|data| data.left.is_none() && matches!(data.then, Then::More)) {
            if self.read(&mut scratch).is_err() {
                break;
            }
        }
        match self.data.take() {
            None => Ok(()),
            Some(MemberData { left: Some(left), .. }) => self.input.skip(left).map(drop),
            Some(_) => self.input.skip_to(&MARKS),
        }
    }

    /// The header of the next member that is not a folder; `None` if the directory
    /// follows.
    fn header(&mut self) -> io::Result<Option<Header>> {
        loop {
            let head = self.input.peek(HEADER)?;
            if DIRECTORY.iter().any(|mark| head.starts_with(mark)) {
                return Ok(None);
            }
            if !head.starts_with(&MEMBER) {
                let is_end = head.is_empty();
                self.input.skip_to(&MARKS)?;
                return Err(if is_end { cut() } else { no_member() });
            }
            let Some(len) = Header::len(head) else {
                return Err(cut());
            };
            let bytes = self.input.peek(len)?;
            let Some(bytes) = bytes.get(..len) else {
                return Err(cut());
            };
            let header = Header::read(bytes);
            self.input.consume(len);
            if !header.name.ends_with(b"/") {
                return Ok(Some(header));
            }
            self.input.skip(header.packed)?;
        }
    }

    fn member(&mut self, header: Header) -> Member {
        let left = header.is_length_known().then_some(header.packed);
        let refused = header.refused().map(|why| io::Error::new(io::ErrorKind::Unsupported, why));
        let inflate = (header.method == DEFLATED).then(Decoder::raw_inflate);
        let expected = (!header.length_follows).then_some(header.checksum);
        let then = if refused.is_some() { Then::End } else { Then::More };
        self.data = Some(MemberData { left, inflate, expected, found: Crc::new(), wrote: 0, then });
        Member { name: header.name, refused }
    }
}

impl<R: Read> Read for Zip<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some(data) = &mut self.data else {
            return Ok(0);
        };
        while matches!(data.then, Then::More) && !buf.is_empty() {
            let bytes = self.input.peek(1)?;
            let Step { read, wrote, then } = data.step(bytes, buf);
            // The bytes that a damaged member has consumed may be the next member.
            let keep = data.left.is_none() && matches!(then, Then::Fault(_));
            self.input.consume(if keep { 0 } else { read });
            data.found.update(&buf[..wrote]);
            data.then = then;
            if matches!(data.then, Then::End) {
                data.then = data.check(&mut self.input)?;
            }
            data.wrote += wrote as u64;
            if wrote > 0 {
                return Ok(wrote);
            }
        }
        match std::mem::replace(&mut data.then, Then::End) {
            Then::Fault(fault) => Err(fault.into_error("zip", data.wrote)),
            then => {
                data.then = then;
                Ok(0)
            }
        }
    }
}

/// The header of a member.
#[derive(Debug)]
struct Header {
    name: Vec<u8>,
    encrypted: bool,
    /// Whether the length and the checksum are after the data.
    length_follows: bool,
    method: u16,
    checksum: u32,
    /// The length of the data in the archive.
    packed: u64,
}

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

impl Header {
    /// The length of the header that begins with `head`.
    fn len(head: &[u8]) -> Option<usize> {
        let head = head.get(..HEADER)?;
        Some(HEADER + usize::from(u16_at(head, 26)) + usize::from(u16_at(head, 28)))
    }

    /// Reads a whole header.
    fn read(bytes: &[u8]) -> Header {
        let flags = u16_at(bytes, 6);
        let (name, extra) = bytes[HEADER..].split_at(usize::from(u16_at(bytes, 26)));
        let packed = match u32_at(bytes, 18) {
            u32::MAX => long_length(extra, u32_at(bytes, 22) == u32::MAX).unwrap_or(u64::from(u32::MAX)),
            packed => u64::from(packed),
        };
        Header {
            name: name.to_vec(),
            encrypted: flags & 1 != 0,
            length_follows: flags & 8 != 0,
            method: u16_at(bytes, 8),
            checksum: u32_at(bytes, 14),
            packed,
        }
    }

    fn is_length_known(&self) -> bool {
        !self.length_follows || (self.method == STORED && self.packed > 0)
    }

    /// Why the member cannot be read, if it cannot.
    fn refused(&self) -> Option<String> {
        if self.encrypted {
            return Some("this member of a zip archive is encrypted".into());
        }
        match self.method {
            STORED if !self.is_length_known() => {
                Some("this member of a zip archive is stored, but does not have its length".into())
            }
            STORED | DEFLATED => None,
            method => Some(format!(
                "this member of a zip archive is compressed by method {method}; only methods 0 and 8 are supported"
            )),
        }
    }
}

/// The length of the data in the archive, if it is beyond 4 GB; the length of the
/// decompressed data comes before it, if `both` are.
fn long_length(mut extra: &[u8], both: bool) -> Option<u64> {
    while let [a, b, c, d, rest @ ..] = extra {
        let field = rest.get(..usize::from(u16::from_le_bytes([*c, *d])))?;
        if u16::from_le_bytes([*a, *b]) == 1 {
            let at = if both { 8 } else { 0 };
            return field.get(at..)?.first_chunk().map(|&bytes| u64::from_le_bytes(bytes));
        }
        extra = &rest[field.len()..];
    }
    None
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the zip archive ends before its directory")
}

fn no_member() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the zip archive is damaged: there are bytes that are not a member",
    )
}

#[cfg(test)]
mod tests;
