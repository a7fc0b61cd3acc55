//! Zip archives: their members, in file order.
//!
//! Each member has a header before its data; the directory at the end of the archive, which repeats
//! the headers, is not read. So an archive may come from a pipe, and all members before a
//! truncation are read. The disadvantage is that a member that was deleted only from the directory
//! is still read.
//!
//! Members that are stored or compressed by deflate, bzip2, lzma, zstd or xz are read. A member
//! that is encrypted, compressed in another way or damaged is an error for that member; the next
//! member is searched where it should be, or else where bytes resemble a header. (If the header
//! lacks the length of the data, the extent of the damage is unknown, and members after it may be
//! lost as well.) The data of a member never belong to another one, as they can for a reader that
//! trusts the directory: each byte of the archive is read once.
//!
//! Follows PKWARE's APPNOTE: 4.3.7 for the header, 4.3.9 for the descriptor after the
//! data, 4.3.12 to 4.3.16 for the directory, 5.8.8 for the beginning of lzma data.

use std::io::{self, Read};

use flate2::Crc;

use super::Member;
use super::compress::compression::Compression;
use super::compress::decoder::Decoder;
use super::compress::peek::PeekReader;
use super::compress::step::{Fault, Step, Then, available};

const MEMBER: [u8; 4] = *b"PK\x03\x04";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
/// The beginnings of the directory, and of the records after it.
const DIRECTORY: [[u8; 4]; 3] = [*b"PK\x01\x02", EMPTY, *b"PK\x06\x06"];
/// The record at the end of the directory. An empty archive consists only of it.
const EMPTY: [u8; 4] = *b"PK\x05\x06";
/// The length of a directory entry, without its name and other variable fields.
const DIRECTORY_HEADER: usize = 46;
/// The signatures at which reading continues if the end of a member is unknown.
const SIGNATURES: [[u8; 4]; 4] = [MEMBER, DIRECTORY[0], DIRECTORY[1], DIRECTORY[2]];

/// The signatures before the first member of an archive that was meant for several files.
const SPANNED: [[u8; 4]; 2] = [DESCRIPTOR, *b"PK00"];

/// The number of bytes of data with an unknown length that are consumed together.
const CONSUMED_LEN: usize = 4096;

const ZSTD_FRAME: [u8; 4] = *b"\x28\xb5\x2f\xfd";

/// Returns true if a file that begins with `head` is a zip archive.
pub(super) fn begins(head: &[u8]) -> bool {
    let head = SPANNED.iter().find_map(|mark| head.strip_prefix(mark)).unwrap_or(head);
    head.starts_with(&MEMBER) || head.starts_with(&EMPTY)
}

/// Returns true if more bytes after `head` could make it a zip archive.
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
    /// True if the directory was read last.
    ended: bool,
    over: bool,
    /// True if its data could neither be read within a member nor skipped.
    pub(super) failed: bool,
}

/// The data of a member that have not been read.
///
/// If their length is not known, the bytes of a block of them are consumed together: after damage
/// the next member is searched from the beginning of the block on, regardless of the sizes of
/// reads.
struct MemberData {
    /// The number of remaining archive bytes, if it is known.
    left: Option<u64>,
    /// The number of bytes that have been decoded of the block that has not been consumed.
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
    /// The length is after the data.
    Follows,
    /// The data are read verbatim, and decompressed elsewhere.
    OfOther,
}

impl MemberData {
    /// Decodes once; `read` of the step is how many bytes of the input are consumed.
    fn step(&mut self, input: &mut PeekReader<impl Read>, buf: &mut [u8]) -> io::Result<Step> {
        let needs = self.decoder.as_ref().map_or(1, Decoder::needs);
        let Some(left) = self.left else {
            // Data of unknown length are compressed.
            let bytes = if needs == 0 { input.buffered() } else { input.peek(CONSUMED_LEN)? };
            let bytes = &bytes[self.decoded..bytes.len().min(CONSUMED_LEN)];
            let Some(decoder) = &mut self.decoder else { return Ok(copy(bytes, false, buf)) };
            let step = decoder.step(bytes, bytes.is_empty(), buf);
            let decoded = self.decoded + step.read;
            let read = match step.then {
                Then::Fault(_) => 0,
                Then::More if decoded < CONSUMED_LEN => 0,
                Then::More | Then::End => decoded,
            };
            self.decoded = if read > 0 { 0 } else { decoded };
            return Ok(Step { read, ..step });
        };
        let bytes = input.peek(if left > 0 { needs } else { 0 })?;
        let len = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let bytes = &bytes[..len];
        let step = match &mut self.decoder {
            Some(decoder) => decoder.step(bytes, bytes.is_empty(), buf),
            None => copy(bytes, self.left == Some(0), buf),
        };
        self.left = Some(left - step.read as u64);
        Ok(step)
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
            None => Then::Fault(Fault::Truncated),
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
        0 => Then::Fault(Fault::Truncated),
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

    /// Returns true if the current member may need a window of more than some megabytes.
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
        self.over = match &member {
            Ok(member) => member.is_none(),
            Err(error) => error.kind() != io::ErrorKind::InvalidData,
        };
        member.transpose()
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
                // Programs that encrypt write a descriptor even if the header contains the length.
                match self.input.peek(DESCRIPTOR.len())?.starts_with(&DESCRIPTOR) {
                    true => self.input.skip_to(&SIGNATURES),
                    false => Ok(()),
                }
            }
            Some(_) => self.input.skip_to(&SIGNATURES),
        }
    }

    /// The header of the next member, skipping folders; `None` after the directory.
    fn header(&mut self) -> io::Result<Option<ZipHeader>> {
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
                self.input.skip_to(&SIGNATURES)?;
                let text = "corrupt zip archive: it contains bytes outside of its members";
                let no_member = || io::Error::new(io::ErrorKind::InvalidData, text);
                return Err(if is_end { truncated_directory() } else { no_member() });
            }
            let Some(len) = ZipHeader::len(head) else { return Err(truncated_directory()) };
            let Some(bytes) = self.input.peek(len)?.get(..len) else { return Err(truncated_directory()) };
            let header = ZipHeader::read(bytes);
            self.input.consume(len);
            self.ended = false;
            if !header.name.ends_with(b"/") {
                return Ok(Some(header));
            }
            self.input.skip(header.packed)?;
            // The folders of Java's tools are compressed: two bytes, and a descriptor.
            if header.length_follows {
                self.input.skip_to(&SIGNATURES)?;
            }
        }
    }

    fn member(&mut self, header: ZipHeader) -> io::Result<Member> {
        let mut left = header.is_length_known().then_some(header.packed);
        let expected = match header.method {
            ZSTD => Checksum::OfOther,
            _ if header.length_follows => Checksum::Follows,
            _ => Checksum::Known(header.checksum),
        };
        let decoder = match header.refused() {
            Some(why) => Err(why),
            None => self.decoder(&header, &mut left)?,
        };
        let (decoder, then, refused) = match decoder {
            Ok(decoder) => (decoder, Then::More, None),
            Err(why) => (None, Then::End, Some(io::Error::new(io::ErrorKind::Unsupported, why))),
        };
        self.data =
            Some(MemberData { left, decoded: 0, decoder, expected, found: Crc::new(), wrote: 0, then });
        Ok(Member { name: header.name, refused })
    }

    /// The decoder of a member, unless it is read verbatim, or the reason why it cannot be decompressed. `left` is the
    /// number of its bytes that follow, if it is known.
    fn decoder(
        &mut self,
        header: &ZipHeader,
        left: &mut Option<u64>,
    ) -> io::Result<Result<Option<Decoder>, String>> {
        let decoder = match header.method {
            DEFLATED => Some(Decoder::raw_inflate()),
            BZIP2 => Decoder::new(Compression::Bzip2, 0, self.window),
            XZ => Decoder::new(Compression::Xz, 0, available(self.window)),
            LZMA => match self.unlzma(header, left)? {
                Ok(decoder) => Some(decoder),
                Err(Fault::Memory(Some(limit))) => {
                    let limit = limit / 1024;
                    return Ok(Err(format!(
                        "unsupported zip member: it needs more than {limit} MiB of memory, which is the limit"
                    )));
                }
                Err(_) => return Ok(Err("corrupt zip member: invalid lzma properties".into())),
            },
            // The member is read like a zstd file, and the decompressed data are the file inside
            // it.
            ZSTD if !self.input.peek(ZSTD_FRAME.len())?.starts_with(&ZSTD_FRAME) => {
                return Ok(Err("corrupt zip member: no zstd frame at its start".into()));
            }
            _ => None,
        };
        Ok(Ok(decoder))
    }

    /// The decoder of a member, after the version of the encoder, the length of the
    /// properties, and the properties.
    fn unlzma(&mut self, header: &ZipHeader, left: &mut Option<u64>) -> io::Result<Result<Decoder, Fault>> {
        const LEN: usize = 9;
        let length = (!header.end_mark).then_some(header.unpacked);
        let after = left.map_or(Some(None), |left| left.checked_sub(LEN as u64).map(Some));
        let (Some(&[_, _, 5, 0, properties, a, b, c, d]), Some(after)) =
            (self.input.peek(LEN)?.first_chunk::<LEN>(), after)
        else {
            return Ok(Err(Fault::Truncated));
        };
        if length.is_some() && header.length_follows {
            return Ok(Err(Fault::Truncated));
        }
        self.input.consume(LEN);
        *left = after;
        let window = available(self.window);
        Ok(Decoder::raw_unlzma(properties, u32::from_le_bytes([a, b, c, d]), length, window))
    }

    /// Skips the directory. A member may follow it, if archives are in a row.
    fn skip_directory(&mut self) -> io::Result<()> {
        let mut ended = false;
        loop {
            let head = self.input.peek(DIRECTORY_HEADER)?;
            ended |= head.starts_with(&EMPTY);
            let u16_at = |at| if head.len() >= at + 2 { u64::from(u16_at(head, at)) } else { 0 };
            let len = match head.first_chunk() {
                Some(b"PK\x01\x02") => 46 + u16_at(28) + u16_at(30) + u16_at(32),
                Some(b"PK\x05\x06") => 22 + u16_at(20),
                Some(b"PK\x05\x05") => 6 + u16_at(4),
                Some(b"PK\x06\x07") => 20,
                Some(b"PK\x06\x06") => 12 + head.get(..8).map_or(0, |head| u64::from(u32_at(head, 4))),
                _ if head.is_empty() && !ended => return Err(truncated_directory()),
                // A program that copied it may have added a line break.
                _ => return self.input.skip_any_of(b"\0\r\n"),
            };
            if !self.input.skip(len)? {
                return Err(truncated_directory());
            }
        }
    }
}

impl<R: Read> Read for Zip<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some(data) = &mut self.data else { return Ok(0) };
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

fn truncated_directory() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "truncated zip archive: its directory is incomplete")
}

// The header of a zip member: APPNOTE 4.3.7, and 4.5.3 for lengths beyond 4 GB.

/// The length of a header without its name and extra fields.
const HEADER: usize = 30;

/// The header of a member.
#[derive(Debug)]
struct ZipHeader {
    name: Vec<u8>,
    encrypted: bool,
    /// True if the length and the checksum are after the data.
    length_follows: bool,
    /// True if lzma data have an end mark.
    end_mark: bool,
    method: u16,
    checksum: u32,
    /// The length of the data in the archive.
    packed: u64,
    /// The length of the decompressed data.
    unpacked: u64,
}

/// Methods of compression: APPNOTE 4.4.5.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const BZIP2: u16 = 12;
const LZMA: u16 = 14;
const ZSTD: u16 = 93;
const XZ: u16 = 95;

impl ZipHeader {
    /// The length of the header that begins with `head`.
    fn len(head: &[u8]) -> Option<usize> {
        let head = head.get(..HEADER)?;
        Some(HEADER + usize::from(u16_at(head, 26)) + usize::from(u16_at(head, 28)))
    }

    /// Reads a whole header.
    fn read(bytes: &[u8]) -> ZipHeader {
        let flags = u16_at(bytes, 6);
        let (name, extra) = bytes[HEADER..].split_at(usize::from(u16_at(bytes, 26)));
        let (packed, unpacked) = (u32_at(bytes, 18), u32_at(bytes, 22));
        let mut long = long_lengths(extra).into_iter().flatten();
        // The length of the decompressed data comes first.
        let mut length = |short| match short {
            u32::MAX => long.next().unwrap_or(u64::from(u32::MAX)),
            short => u64::from(short),
        };
        let (unpacked, packed) = (length(unpacked), length(packed));
        ZipHeader {
            name: name.to_vec(),
            encrypted: flags & 1 != 0,
            length_follows: flags & 8 != 0,
            end_mark: flags & 2 != 0,
            method: u16_at(bytes, 8),
            checksum: u32_at(bytes, 14),
            packed,
            unpacked,
        }
    }

    fn is_length_known(&self) -> bool {
        !self.length_follows || (self.method == STORED && self.packed > 0)
    }

    /// Returns the reason why the member cannot be read, if it cannot.
    fn refused(&self) -> Option<String> {
        if self.encrypted {
            return Some("unsupported zip member: it is encrypted".into());
        }
        match self.method {
            STORED if !self.is_length_known() => {
                Some("unsupported zip member: it is stored, but its length is unknown".into())
            }
            ZSTD if self.length_follows => {
                Some("unsupported zip member: it is compressed with zstd, but its length is unknown".into())
            }
            STORED | DEFLATED | BZIP2 | LZMA | ZSTD | XZ => None,
            method => Some(format!(
                "unsupported zip member: compression method {method}, {}; supported are stored, deflate, bzip2, lzma, zstd and xz",
                method_name(method)
            )),
        }
    }
}

fn method_name(method: u16) -> &'static str {
    match method {
        1 => "shrink",
        2..=5 => "reduce",
        6 => "implode",
        9 => "Deflate64",
        97 => "WavPack",
        98 => "PPMd",
        _ => "which is unknown",
    }
}

/// The numbers of the field for lengths beyond 4 GB.
fn long_lengths(mut extra: &[u8]) -> Option<impl Iterator<Item = u64>> {
    while let [a, b, c, d, rest @ ..] = extra {
        let field = rest.get(..usize::from(u16::from_le_bytes([*c, *d])))?;
        if u16::from_le_bytes([*a, *b]) == 1 {
            let numbers = field.chunks_exact(8).filter_map(<[u8]>::first_chunk);
            return Some(numbers.map(|&bytes| u64::from_le_bytes(bytes)));
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::archive::Files;
    use crate::archive::container::encode::{bzip2, deflate, gzip, raw_lzma, xz, zstd};

    const ENCRYPTED: u16 = 1;
    const END_MARK: u16 = 2;
    const LENGTH_FOLLOWS: u16 = 8;

    fn checksum(data: &[u8]) -> u32 {
        let mut checksum = Crc::new();
        checksum.update(data);
        checksum.sum()
    }

    /// A member with its header; the three numbers are zeros if they follow.
    fn header(name: &str, flags: u16, method: u16, numbers: [u32; 3], extra: &[u8]) -> Vec<u8> {
        let mut header = MEMBER.to_vec();
        for number in [20, flags, method, 0, 0] {
            header.extend(number.to_le_bytes());
        }
        header.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        header.extend((name.len() as u16).to_le_bytes());
        header.extend((extra.len() as u16).to_le_bytes());
        header.extend(name.as_bytes());
        header.extend(extra);
        header
    }

    fn numbers(data: &[u8], packed: &[u8]) -> [u32; 3] {
        [checksum(data), packed.len() as u32, data.len() as u32]
    }

    fn stored(name: &str, data: &[u8]) -> Vec<u8> {
        [header(name, 0, STORED, numbers(data, data), b""), data.to_vec()].concat()
    }

    fn deflated(name: &str, data: &[u8]) -> Vec<u8> {
        let packed = deflate(data);
        [header(name, 0, DEFLATED, numbers(data, &packed), b""), packed].concat()
    }

    /// A member as programs write it that cannot seek back to the header.
    fn streamed(name: &str, data: &[u8], mark: &[u8]) -> Vec<u8> {
        let packed = deflate(data);
        let after = numbers(data, &packed).into_iter().flat_map(u32::to_le_bytes).collect();
        [header(name, LENGTH_FOLLOWS, DEFLATED, [0; 3], b""), packed, mark.to_vec(), after].concat()
    }

    /// The directory, as far as it matters.
    fn directory() -> Vec<u8> {
        [&b"PK\x01\x02"[..], &[0; 42], b"PK\x05\x06", &[0; 18]].concat()
    }

    /// The names and the data of the members, and the errors.
    fn list(file: &[u8]) -> Vec<String> {
        let mut files = Files::new(file).unwrap();
        let mut list = Vec::new();
        loop {
            let said = match files.next_file() {
                Ok(None) => return list,
                Err(error) => error.to_string(),
                Ok(Some(mut file)) => {
                    let name = file.name().expect("a zip archive").escape_ascii().to_string();
                    let mut out = Vec::new();
                    let error = file.read_to_end(&mut out).err();
                    let error = error.map(|error| format!(", {error}")).unwrap_or_default();
                    format!("{name}: {}{error}", out.escape_ascii())
                }
            };
            list.push(said);
        }
    }

    #[test]
    fn members_one_after_the_other() {
        let file = [
            stored("a", b"http:"),
            stored("b/", b""),
            deflated("b/c", b"//h.org/"),
            streamed("d", b"e", b"PK\x07\x08"),
            streamed("f", b"g", b""),
            stored("empty", b""),
            deflated("nothing", b""),
            directory(),
        ]
        .concat();
        assert_eq!(list(&file), ["a: http:", "b/c: //h.org/", "d: e", "f: g", "empty: ", "nothing: "]);
    }

    #[test]
    fn data_that_are_not_read_are_skipped() {
        let noise: Vec<u8> = (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let file = [
            stored("a", &noise),
            deflated("b", &noise),
            streamed("c", &noise, b"PK\x07\x08"),
            stored("d", b"e"),
        ];
        let file = [&file.concat()[..], &directory()].concat();
        for len in [0, 1, 100_000] {
            let mut files = Files::new(&file[..]).unwrap();
            let mut names = Vec::new();
            while let Some(file) = files.next_file().unwrap() {
                names.extend_from_slice(file.name().unwrap());
                io::copy(&mut file.take(len), &mut io::sink()).unwrap();
            }
            assert_eq!(names, b"abcd");
        }
    }

    #[test]
    fn a_member_that_is_compressed_itself() {
        let inner = [stored("c", b"d"), stored("e", &gzip(b"f")), directory()].concat();
        let file = [
            stored("a.gz", &gzip(b"http://h.org/")),
            deflated("b.zip", &inner),
            stored("g.zip.gz", &gzip(&inner)),
            stored("h.gz.gz", &gzip(&gzip(b"i"))),
            directory(),
        ]
        .concat();
        assert_eq!(
            list(&file),
            [
                "a.gz: http://h.org/",
                "b.zip!/c: d",
                "b.zip!/e: f",
                "g.zip.gz!/c: d",
                "g.zip.gz!/e: f",
                "h.gz.gz: i"
            ]
        );
    }

    #[test]
    fn members_that_are_compressed_in_other_ways() {
        let data = b"http://h.org/ and so on ".repeat(20);
        let (lzma, marked) = (raw_lzma(&data, false), raw_lzma(&data, true));
        let members = [
            (BZIP2, 0, bzip2(&data)),
            (XZ, 0, xz(&data)),
            (ZSTD, 0, zstd(&data)),
            (LZMA, 0, lzma),
            (LZMA, END_MARK, marked),
        ];
        let expected: Vec<_> = (0..5).map(|n| format!("{n}: {}", data.escape_ascii())).collect();
        let whole = members.iter().enumerate().map(|(n, (method, flags, packed))| {
            [header(&n.to_string(), *flags, *method, numbers(&data, packed), b""), packed.clone()].concat()
        });
        assert_eq!(list(&[&whole.collect::<Vec<_>>().concat(), &directory()[..]].concat()), expected);
        // As written by programs that cannot seek back to the header.
        let streamed = members.iter().enumerate().map(|(n, (method, flags, packed))| {
            let after = numbers(&data, packed).into_iter().flat_map(u32::to_le_bytes).collect();
            let head = header(&n.to_string(), flags | LENGTH_FOLLOWS, *method, [0; 3], b"");
            [head, packed.clone(), b"PK\x07\x08".to_vec(), after].concat()
        });
        let list = list(&[&streamed.collect::<Vec<_>>().concat(), &directory()[..]].concat());
        assert_eq!((&list[0], &list[1], &list[4]), (&expected[0], &expected[1], &expected[4]));
        assert_eq!(
            list[2],
            "2: , unsupported zip member: it is compressed with zstd, but its length is unknown"
        );
        assert!(list[3].starts_with("3: , "), "{list:?}");
    }

    /// Data as method 14 has them.
    #[test]
    fn an_empty_archive_and_archives_in_a_row() {
        assert!(list(&directory()[46..]).is_empty());
        let file = [stored("a", b"b"), directory(), stored("c", b"d"), directory()].concat();
        assert_eq!(list(&file), ["a: b", "c: d"]);
        for padding in [&[0; 100][..], b"\n", b"\r\n"] {
            assert_eq!(list(&[&file[..], padding].concat()), ["a: b", "c: d"]);
        }
        let junk = "corrupt zip archive: it contains bytes outside of its members";
        assert_eq!(list(&[&file[..], b"and more"].concat()), ["a: b", "c: d", junk]);
        let spanned = [&b"PK\x07\x08"[..], &file].concat();
        assert_eq!(list(&spanned), ["a: b", "c: d"]);
    }

    #[test]
    fn a_compressed_folder() {
        let folder = [&header("META-INF/", LENGTH_FOLLOWS, DEFLATED, [0; 3], b"")[..], b"\x03\0"].concat();
        let file =
            [&folder[..], b"PK\x07\x08\0\0\0\0\x02\0\0\0\0\0\0\0", &stored("a", b"b"), &directory()].concat();
        assert_eq!(list(&file), ["a: b"]);
    }

    /// APPNOTE.TXT section 4.4.5.
    #[test]
    fn names_of_methods() {
        for (methods, name) in [
            (&[1_u16][..], "shrink"),
            (&[2, 3, 4, 5], "reduce"),
            (&[6], "implode"),
            (&[9], "Deflate64"),
            (&[97], "WavPack"),
            (&[98], "PPMd"),
            (&[7, 10, 96, 99], "which is unknown"),
        ] {
            for &method in methods {
                assert_eq!(method_name(method), name, "{method}");
            }
        }
    }

    #[test]
    fn members_that_cannot_be_read() {
        let unknown = header("b", 0, 9, [0, 3, 3], b"");
        let endless = header("c", LENGTH_FOLLOWS, STORED, [0; 3], b"");
        let not_zstd = [&header("d", 0, ZSTD, [0, 5, 5], b"")[..], b"a.zip"].concat();
        let large =
            [&header("g", 0, LZMA, [0, 9, 3], b"")[..], b"\x09\x14\x05\0\x5d\xff\xff\xff\xff"].concat();
        let not_lzma = [&header("e", 0, LZMA, [0, 3, 3], b"")[..], b"xyz"].concat();
        let file = [
            &header("a", ENCRYPTED, STORED, [0, 3, 3], b"")[..],
            b"xyz",
            &unknown,
            b"xyz",
            &not_zstd,
            &not_lzma,
            &large,
            &endless,
            b"http://h.org/",
            &stored("f", b"g"),
            &directory(),
        ]
        .concat();
        assert_eq!(
            list(&file),
            [
                "a: , unsupported zip member: it is encrypted",
                "b: , unsupported zip member: compression method 9, Deflate64; supported are stored, deflate, bzip2, lzma, zstd and xz",
                "d: , corrupt zip member: no zstd frame at its start",
                "e: , corrupt zip member: invalid lzma properties",
                "g: , unsupported zip member: it needs more than 129 MiB of memory, which is the limit",
                "c: , unsupported zip member: it is stored, but its length is unknown",
                "f: g",
            ]
        );
    }

    #[test]
    fn damaged_members() {
        let mut wrong = stored("a", b"http://h.org/");
        wrong[40] ^= 1;
        let packed = [7; 10];
        let broken = [&header("b", 0, DEFLATED, [0, 10, 10], b"")[..], &packed].concat();
        let short =
            [&header("c", 0, DEFLATED, [0, 4, 10], b"")[..], &deflate(b"http://h.org/")[..4]].concat();
        let endless = [&header("d", LENGTH_FOLLOWS, DEFLATED, [0; 3], b"")[..], &packed].concat();
        let file = [wrong, broken, short, endless, stored("e", b"f"), directory()].concat();
        let list = list(&file);
        assert!(
            list[0].ends_with("corrupt zip data after 13 decompressed bytes: the checksum does not match")
        );
        assert!(list[1].starts_with("b: , corrupt zip data after 0 decompressed bytes: "), "{list:?}");
        assert!(list[2].contains(", truncated zip data after "), "{list:?}");
        assert!(list[3].starts_with("d: , corrupt zip data after 0 decompressed bytes: "), "{list:?}");
        assert_eq!(list[4..], ["e: f"]);
    }

    #[test]
    fn junk_between_members() {
        let file =
            [stored("a", b"b"), b"some junk, PK and more".to_vec(), stored("c", b"d"), directory()].concat();
        let junk = "corrupt zip archive: it contains bytes outside of its members";
        assert_eq!(list(&file), ["a: b", junk, "c: d"]);
    }

    #[test]
    fn an_archive_without_its_end() {
        let cut = "truncated zip archive: its directory is incomplete";
        assert_eq!(list(&stored("a", b"b")), ["a: b", cut]);
        let two = [stored("a", b"b"), directory(), stored("c", b"d")].concat();
        assert_eq!(list(&two), ["a: b", "c: d", cut]);
        let file = stored("a", b"http://h.org/");
        let list = list(&file[..file.len() - 4]);
        assert_eq!(list, ["a: http://h., truncated zip data after 9 decompressed bytes", cut]);
    }

    #[test]
    fn lengths_beyond_four_gigabytes() {
        let extra = |length: u64, packed: u64| {
            let mut extra = vec![0x55, 0x54, 1, 0, 9, 1, 0, 16, 0];
            extra.extend(length.to_le_bytes());
            extra.extend(packed.to_le_bytes());
            extra
        };
        let sum = checksum(b"http:");
        let first = header("a", 0, STORED, [sum, u32::MAX, u32::MAX], &extra(5, 5));
        let file = [&first[..], b"http:", &stored("b", b"c"), &directory()].concat();
        assert_eq!(list(&file), ["a: http:", "b: c"]);
        // The length of the decompressed data comes first (APPNOTE 4.5.3); only lengths that do not fit are there.
        let data = b"http://h.org/ ".repeat(30);
        let packed = deflate(&data);
        let [sum, short_packed, short_length] = numbers(&data, &packed);
        let one = |length: u64| [&[1, 0, 8, 0][..], &length.to_le_bytes()].concat();
        let (length, len) = (data.len() as u64, packed.len() as u64);
        for (numbers, extra) in [
            ([sum, u32::MAX, u32::MAX], extra(length, len)),
            ([sum, short_packed, u32::MAX], one(length)),
            ([sum, u32::MAX, short_length], one(len)),
        ] {
            let file =
                [&header("a", 0, DEFLATED, numbers, &extra)[..], &packed, &stored("b", b"c"), &directory()];
            assert_eq!(list(&file.concat()), [format!("a: {}", data.escape_ascii()), "b: c".into()]);
        }
        let lies = header("a", 0, STORED, [sum, u32::MAX, u32::MAX], &extra(5, u64::MAX));
        assert_eq!(list(&[&lies[..], b"http:"].concat()).len(), 2);
    }

    #[test]
    fn cut_off_anywhere() {
        let file = [stored("a", b"http:"), deflated("b", b"//h.org/"), streamed("c", b"d", b""), directory()]
            .concat();
        let whole = list(&file);
        for len in 4..file.len() {
            let list = list(&file[..len]);
            assert!(list.len() <= whole.len() + 1, "{len} {list:?}");
            assert!(list.last().is_some_and(|last| last.contains(" zip ")), "{len} {list:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_after_a_header(data in prop::collection::vec(any::<u8>(), 0..300), cut in 4..300_usize) {
            let file = [&MEMBER[..], &data].concat();
            list(&file[..cut.min(file.len())]);
            let file = [deflated("a", b"http://h.org/"), data, stored("b", b"c")].concat();
            let list = list(&file);
            prop_assert_eq!(&list[0], "a: http://h.org/");
        }
    }
}
