//! Zip archives: their members, in the order of the file.
//!
//! Each member has a header before its data; the directory at the end of the archive,
//! which repeats the headers, is not read. So an archive may come from a pipe, and all
//! members before a cut are read. The price is that a member that was deleted from the
//! directory but not from the file is read too.
//!
//! Members that are stored or compressed by deflate, bzip2, lzma, zstd or xz are read. A
//! member that is encrypted or compressed in another way is an error of that member, and
//! so is a damaged one; the next member is searched where it should be, or else where
//! bytes resemble a header. (Where the header does not have the length of the data, the
//! extent of the damage is unknown, and members after it may be lost too.) The data of a
//! member are never those of another, as they can be for a reader that trusts the
//! directory: each byte of the archive is read once.
//!
//! Follows PKWARE's APPNOTE: 4.3.7 for the header, 4.3.9 for the descriptor after the
//! data, 4.3.12 to 4.3.16 for the directory, 5.8.8 for the beginning of lzma data.

use std::io::{self, Read};

use flate2::Crc;

use super::Member;
use super::compress::decoder::Decoder;
use super::compress::peek::PeekReader;
use super::compress::step::{Fault, Step, Then};
use header::{BZIP2, DEFLATED, HEADER, Header, LZMA, XZ, ZSTD, u16_at, u32_at};

mod header;

const MEMBER: [u8; 4] = *b"PK\x03\x04";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
/// The beginnings of the directory, and of the records after it.
const DIRECTORY: [[u8; 4]; 3] = [*b"PK\x01\x02", EMPTY, *b"PK\x06\x06"];
/// The record at the end of the directory, which is all there is of an empty archive.
const EMPTY: [u8; 4] = *b"PK\x05\x06";
/// The length of an entry of the directory, without its name and more.
const DIRECTORY_HEADER: usize = 46;
/// Where reading continues if the end of a member is not known.
const MARKS: [[u8; 4]; 4] = [MEMBER, DIRECTORY[0], DIRECTORY[1], DIRECTORY[2]];

/// What precedes the first member of an archive that was to be in several files.
const SPANNED: [[u8; 4]; 2] = [DESCRIPTOR, *b"PK00"];

/// How many bytes are consumed together of data whose length is not known.
const CONSUMED_LEN: usize = 4096;

const ZSTD_FRAME: [u8; 4] = *b"\x28\xb5\x2f\xfd";

/// Whether a file that begins with `head` is a zip archive.
pub(super) fn begins(head: &[u8]) -> bool {
    let head = SPANNED.iter().find_map(|mark| head.strip_prefix(mark)).unwrap_or(head);
    head.starts_with(&MEMBER) || head.starts_with(&EMPTY)
}

/// Whether more bytes after `head` could make it a zip archive.
pub(super) fn may_begin(head: &[u8]) -> bool {
    head.len() < 8 && (head.starts_with(b"PK") || b"PK".starts_with(head))
}

/// A zip archive. As a [`Read`]er it yields the data of the current member.
pub(super) struct Zip<R> {
    input: PeekReader<R>,
    /// The largest window of a decoder, in bytes.
    window: u64,
    /// The data of the current member.
    data: Option<MemberData>,
    /// Whether the directory was the last that was read.
    ended: bool,
    over: bool,
    /// Whether its data could not be read within a member, nor could they be skipped.
    failed: bool,
}

/// The data of a member that have not been read.
///
/// If their length is not known, the bytes of a block of them are consumed together: after
/// damage the next member is searched from the beginning of the block on, wherever reads ended.
struct MemberData {
    /// How many bytes of the archive are left of them, if that is known.
    left: Option<u64>,
    /// How many bytes have been decoded of the block that has not been consumed.
    decoded: usize,
    /// `None` if they are read verbatim.
    decoder: Option<Decoder>,
    expected: Checksum,
    found: Crc,
    wrote: u64,
    then: Then,
}

/// The checksum of the decompressed data.
#[derive(Clone, Copy)]
enum Checksum {
    Known(u32),
    /// It is after the data.
    Follows,
    /// The data are read as they are, and decompressed elsewhere.
    OfOther,
}

impl MemberData {
    /// Decodes once; `read` of the step is how many bytes of the input are consumed.
    fn step(&mut self, input: &mut PeekReader<impl Read>, buf: &mut [u8]) -> io::Result<Step> {
        let is_waiting = self.decoder.as_ref().is_some_and(Decoder::is_waiting);
        let Some(left) = self.left else {
            let bytes = if is_waiting { input.buffered() } else { input.peek(CONSUMED_LEN)? };
            let block = &bytes[..bytes.len().min(CONSUMED_LEN)];
            return Ok(self.step_in_block(block, buf));
        };
        let bytes = input.peek(usize::from(!is_waiting && left > 0))?;
        let len = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let bytes = &bytes[..len];
        let step = match &mut self.decoder {
            Some(decoder) => decoder.step(bytes, bytes.is_empty(), buf),
            None => copy(bytes, self.left == Some(0), buf),
        };
        self.left = Some(left - step.read as u64);
        Ok(step)
    }

    /// The same for data of unknown length, which are compressed.
    fn step_in_block(&mut self, block: &[u8], buf: &mut [u8]) -> Step {
        let bytes = &block[self.decoded..];
        let Some(decoder) = &mut self.decoder else {
            return copy(bytes, false, buf);
        };
        let step = decoder.step(bytes, bytes.is_empty(), buf);
        let decoded = self.decoded + step.read;
        let read = match step.then {
            Then::Fault(_) => 0,
            Then::More if decoded < CONSUMED_LEN => 0,
            Then::More | Then::End => decoded,
        };
        self.decoded = if read > 0 { 0 } else { decoded };
        Step { read, ..step }
    }

    /// Compares the checksums, after all data have been read.
    fn check(&self, input: &mut PeekReader<impl Read>) -> io::Result<Then> {
        let expected = match self.expected {
            Checksum::OfOther => return Ok(Then::End),
            Checksum::Known(expected) => Some(expected),
            Checksum::Follows => {
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
    pub(super) fn new(input: PeekReader<R>, window: u64) -> Self {
        Zip { input, window, data: None, ended: false, over: false, failed: false }
    }

    pub(super) fn into_inner(self) -> R {
        self.input.into_inner()
    }

    /// Whether its data could not be read within a member, nor could they be skipped.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Whether the current member may need a window of more than some megabytes.
    pub(super) fn has_large_window(&self) -> bool {
        let decoder = self.data.as_ref().and_then(|data| data.decoder.as_ref());
        decoder.is_some_and(Decoder::has_large_window)
    }

    /// The next member; the rest of the current one is skipped. An error is one of the
    /// archive; further members may follow it.
    pub(super) fn next(&mut self) -> Option<io::Result<Member>> {
        if self.over {
            return None;
        }
        let header = self.skip_data().and_then(|()| self.header());
        let member = header.and_then(|header| header.map(|header| self.member(header)).transpose());
        match member {
            Ok(Some(member)) => Some(Ok(member)),
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
            Some(MemberData { left: Some(left), .. }) => {
                self.input.skip(left)?;
                // Programs that encrypt write one even if the header has the length.
                match self.input.peek(DESCRIPTOR.len())?.starts_with(&DESCRIPTOR) {
                    true => self.input.skip_to(&MARKS),
                    false => Ok(()),
                }
            }
            Some(_) => self.input.skip_to(&MARKS),
        }
    }

    /// The header of the next member that is not a folder; `None` after the directory.
    fn header(&mut self) -> io::Result<Option<Header>> {
        loop {
            let head = self.input.peek(HEADER)?;
            if head.is_empty() && self.ended {
                return Ok(None);
            }
            if DIRECTORY.iter().any(|mark| head.starts_with(mark)) {
                self.skip_directory()?;
                self.ended = true;
                continue;
            }
            if let Some(mark) = SPANNED.iter().find(|mark| head.starts_with(&[&mark[..], &MEMBER].concat())) {
                self.input.consume(mark.len());
                continue;
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
            self.ended = false;
            if !header.name.ends_with(b"/") {
                return Ok(Some(header));
            }
            self.input.skip(header.packed)?;
        }
    }

    fn member(&mut self, header: Header) -> io::Result<Member> {
        let left = header.is_length_known().then_some(header.packed);
        let expected = match header.method {
            ZSTD => Checksum::OfOther,
            _ if header.length_follows => Checksum::Follows,
            _ => Checksum::Known(header.checksum),
        };
        let mut data = MemberData {
            left,
            decoded: 0,
            decoder: None,
            expected,
            found: Crc::new(),
            wrote: 0,
            then: Then::More,
        };
        let refused = match header.refused() {
            Some(why) => Some(why),
            None => self.begin(&header, &mut data)?.err(),
        };
        if refused.is_some() {
            data.then = Then::End;
        }
        self.data = Some(data);
        let refused = refused.map(|why| io::Error::new(io::ErrorKind::Unsupported, why));
        Ok(Member { name: header.name, refused })
    }

    /// Begins to decompress a member; or says why it cannot be.
    fn begin(&mut self, header: &Header, data: &mut MemberData) -> io::Result<Result<(), String>> {
        data.decoder = match header.method {
            DEFLATED => Some(Decoder::raw_inflate()),
            BZIP2 => Some(Decoder::bunzip()),
            XZ => Some(Decoder::unxz(self.window)),
            LZMA => match self.unlzma(header, data)? {
                Some(decoder) => Some(decoder),
                None => return Ok(Err("this member of a zip archive does not begin with valid lzma properties, or needs too much memory".into())),
            },
            // What it decompresses to is the file in the file that the member seems to be.
            ZSTD if !self.input.peek(ZSTD_FRAME.len())?.starts_with(&ZSTD_FRAME) => {
                return Ok(Err("this member of a zip archive does not begin with a zstd frame".into()));
            }
            _ => None,
        };
        Ok(Ok(()))
    }

    /// The decoder of a member, after the version of the encoder, the length of the
    /// properties, and the properties.
    fn unlzma(&mut self, header: &Header, data: &mut MemberData) -> io::Result<Option<Decoder>> {
        const LEN: usize = 9;
        let length = (!header.end_mark).then_some(header.unpacked);
        let left = data.left.map_or(Some(None), |left| left.checked_sub(LEN as u64).map(Some));
        let (Some(&[_, _, 5, 0, properties, a, b, c, d]), Some(left)) =
            (self.input.peek(LEN)?.first_chunk::<LEN>(), left)
        else {
            return Ok(None);
        };
        if length.is_some() && header.length_follows {
            return Ok(None);
        }
        self.input.consume(LEN);
        data.left = left;
        Ok(Decoder::raw_unlzma(properties, u32::from_le_bytes([a, b, c, d]), length, self.window).ok())
    }

    /// Skips the directory. A member may follow it, if archives are in a row.
    fn skip_directory(&mut self) -> io::Result<()> {
        loop {
            let head = self.input.peek(DIRECTORY_HEADER)?;
            let u16_at = |at| if head.len() >= at + 2 { u64::from(u16_at(head, at)) } else { 0 };
            let len = match head.first_chunk() {
                Some(b"PK\x01\x02") => 46 + u16_at(28) + u16_at(30) + u16_at(32),
                Some(b"PK\x05\x06") => 22 + u16_at(20),
                Some(b"PK\x05\x05") => 6 + u16_at(4),
                Some(b"PK\x06\x07") => 20,
                Some(b"PK\x06\x06") => 12 + head.get(..8).map_or(0, |head| u64::from(u32_at(head, 4))),
                _ => return self.input.skip_zeros(),
            };
            if !self.input.skip(len)? {
                return Err(cut());
            }
        }
    }
}

impl<R: Read> Read for Zip<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some(data) = &mut self.data else {
            return Ok(0);
        };
        while matches!(data.then, Then::More) && !buf.is_empty() {
            let step = data.step(&mut self.input, buf);
            self.failed |= step.is_err() && data.left.is_some();
            let Step { read, wrote, then } = step?;
            self.input.consume(read);
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

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the zip archive ends before the end of its directory")
}

fn no_member() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the zip archive is damaged: there are bytes that are not a member",
    )
}

#[cfg(test)]
mod tests;
