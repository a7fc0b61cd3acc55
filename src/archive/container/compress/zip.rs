//! Zip archives, member by member in the order in which they stand.
//!
//! Each member has a header before its data; the directory at the end of the
//! archive, which repeats them, is not read. So an archive can come from a pipe,
//! and of one that was cut off everything before is there. The price is that a
//! member that was deleted from the directory but not from the file is read too.
//!
//! Members that are stored or deflated are read, and what they hold is
//! decompressed once more if it is compressed itself; an archive in an archive
//! is not opened. A member that is encrypted or compressed in another way is an
//! error of its own, and so is a damaged one: the next is looked for where it
//! should be, or else where something like a header stands. (Where the header
//! does not say how long the data are, nobody can tell how far the damage goes,
//! and what follows may be lost with it.)
//!
//! Follows PKWARE's APPNOTE: 4.3.7 for the header, 4.3.9 for the descriptor
//! behind the data, 4.5.3 for lengths beyond 4 GB.

use std::io::{self, Read};

use flate2::{Crc, Decompress};

use super::input::Input;
use super::step::{Decoder, Fault, Step, Then};
use super::{Reader, reader};

const MEMBER: [u8; 4] = *b"PK\x03\x04";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
/// What the directory, or what belongs to it, begins with.
const DIRECTORY: [[u8; 4]; 3] = [*b"PK\x01\x02", *b"PK\x05\x06", *b"PK\x06\x06"];
/// Where to go on when it is not known where something ends.
const MARKS: [[u8; 4]; 4] = [MEMBER, DIRECTORY[0], DIRECTORY[1], DIRECTORY[2]];

/// The length of a header, name and extra fields excepted.
const HEADER: usize = 30;

/// The members of an archive.
pub(crate) struct Zip<R> {
    input: Input<R>,
    /// The member that is being read.
    data: Option<Packed>,
    over: bool,
}

/// A member of an archive.
pub(crate) struct Member<'z, R: Read> {
    /// As it is written, in whatever encoding; parts of a path have `/` between
    /// them.
    pub(crate) name: Vec<u8>,
    /// What it holds, or why that cannot be read.
    pub(crate) data: io::Result<Reader<Data<'z, R>>>,
}

/// What a member holds.
pub(crate) struct Data<'z, R>(&'z mut Zip<R>);

impl<R: Read> Read for Data<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read_data(buf)
    }
}

/// The data of a member, as far as they are not read.
struct Packed {
    /// How many bytes of the archive are left of it, if that is known.
    left: Option<u64>,
    /// `None` if they are stored as they are.
    inflate: Option<Decoder>,
    /// The checksum in the header; if that has none, it is behind the data.
    said: Option<u32>,
    is: Crc,
    wrote: u64,
    then: Then,
}

impl Packed {
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

    /// Compares the checksum when everything is read.
    fn check(&self, input: &mut Input<impl Read>) -> io::Result<Then> {
        let said = match self.said {
            Some(said) => Some(said),
            None => {
                let behind = input.peek(8)?;
                let at = if behind.starts_with(&DESCRIPTOR) { 4 } else { 0 };
                behind.get(at..).and_then(<[u8]>::first_chunk).map(|&bytes| u32::from_le_bytes(bytes))
            }
        };
        Ok(match said {
            None => Then::Fault(Fault::Cut),
            Some(said) if said != self.is.sum() => Then::Fault(Fault::Data("the checksum is another".into())),
            Some(_) => Then::End,
        })
    }
}

/// A step of what is stored as it is.
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
    pub(super) fn new(input: Input<R>) -> Self {
        Zip { input, data: None, over: false }
    }

    /// The next member; what was not read of the one before is skipped. An error
    /// is one of the archive; further members may follow it.
    pub(crate) fn next(&mut self) -> Option<io::Result<Member<'_, R>>> {
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

    /// Goes past the rest of the member before.
    fn skip_data(&mut self) -> io::Result<()> {
        let mut scratch = [0; 4096];
        while self.data.as_ref().is_some_and(|data| data.left.is_none() && matches!(data.then, Then::More)) {
            if self.read_data(&mut scratch).is_err() {
                break;
            }
        }
        match self.data.take() {
            None => Ok(()),
            Some(Packed { left: Some(left), .. }) => self.input.skip(left).map(drop),
            Some(_) => self.input.skip_to(&MARKS),
        }
    }

    /// The header of the next member that is no folder; `None` if the directory
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

    fn member(&mut self, header: Header) -> Member<'_, R> {
        let left = header.is_length_known().then_some(header.packed);
        let refused = header.refused();
        let inflate = (header.method == DEFLATED).then(|| Decoder::Inflate(Decompress::new(false)));
        let said = (!header.length_follows).then_some(header.checksum);
        let then = if refused.is_some() { Then::End } else { Then::More };
        self.data = Some(Packed { left, inflate, said, is: Crc::new(), wrote: 0, then });
        let data = match refused {
            Some(why) => Err(io::Error::new(io::ErrorKind::Unsupported, why)),
            None => reader(Data(self)),
        };
        Member { name: header.name, data }
    }

    fn read_data(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some(data) = &mut self.data else {
            return Ok(0);
        };
        while matches!(data.then, Then::More) && !buf.is_empty() {
            let bytes = self.input.peek(1)?;
            let Step { read, wrote, then } = data.step(bytes, buf);
            // What a damaged member has swallowed may be the next one.
            let swallowed = data.left.is_none() && matches!(then, Then::Fault(_));
            self.input.consume(if swallowed { 0 } else { read });
            data.is.update(&buf[..wrote]);
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

/// What stands before a member.
#[derive(Debug)]
struct Header {
    name: Vec<u8>,
    encrypted: bool,
    /// Whether the length and the checksum stand behind the data.
    length_follows: bool,
    method: u16,
    checksum: u32,
    /// How long the data are in the archive.
    packed: u64,
}

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

impl Header {
    /// How long a header is, of which `head` is the first part.
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

    /// Why the member cannot be read.
    fn refused(&self) -> Option<String> {
        if self.encrypted {
            return Some("this member of a zip archive is encrypted".into());
        }
        match self.method {
            STORED if !self.is_length_known() => {
                Some("this member of a zip archive does not say how long it is".into())
            }
            STORED | DEFLATED => None,
            method => Some(format!(
                "this member of a zip archive is compressed by method {method}, which is not supported"
            )),
        }
    }
}

/// The length of the data in the archive, if that is beyond 4 GB; the one of what
/// comes out stands before it if that is too.
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
        "the zip archive is damaged: something that is no member stands in it",
    )
}

#[cfg(test)]
mod tests;
