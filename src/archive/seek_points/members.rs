//! The gzip members in which web archive records begin, in a file that does not declare where its
//! members are.
//!
//! Crawlers compress each record separately (ISO 28500 recommends it), so that one can be read
//! without the records before it. From the middle of such a file, a member is recognised by the
//! first bytes of gzip, and by its decompressed data, which begin with a record.
//!
//! But a record may be a web archive itself, compressed in the same way. It does not become shorter
//! when it is compressed again, so its members are in the outer one as they are, in blocks of
//! deflate that are only stored. Such a block has at most [`STORED`] bytes. So the members from the
//! first one on are followed, each to its end, where its checksum must be right and another member
//! must begin, over more bytes than that, or to the end of the file: the members of an inner file
//! break off where the block ends.
//!
//! One risk remains: a member that is longer than [`MAX_LEN`] is not followed to its checksum. So
//! a member of this length in an inner file may be treated as a member of the outer file.

use std::io::{self, Read, Seek, SeekFrom};

use super::read_at;
use crate::archive::container::compress::decoder::Decoder;
use crate::archive::container::compress::peek::PeekReader;
use crate::archive::container::compress::step::{Fault, Step, Then};
use crate::archive::container::format::Format;
use crate::archive::container::mail::Verdict;
use crate::archive::options::ReadOptions;

/// The maximum length of a stored block (RFC 1951, section 3.2.4).
const STORED: u64 = 65_535;

/// The maximum number of decompressed bytes of members that are followed.
const MAX_LEN: u64 = 16 << 20;

/// The maximum total number of decompressed bytes of members that are followed and prove not to
/// belong to the file. A file with more was constructed for it, and is not divided further.
const DOUBTFUL: u64 = 4 << 30;

/// The number of bytes of a member, and of its decompressed data, that show whether it begins with
/// a record.
const PROBE: usize = 4096;

/// The number of decompressed bytes of a file that show that it is a web archive.
const PROBED_LEN: usize = 16 * 1024;

/// The number of bytes that are decompressed at a time.
const BLOCK: usize = 64 * 1024;

/// The beginning of a member: the magic number, the method, and flags of which three bits are
/// reserved (RFC 1952, section 2.3.1).
const MAGIC: [[u8; 4]; 32] = {
    let mut magic = [[0x1f, 0x8b, 8, 0]; 32];
    let mut flags = 0;
    while flags < magic.len() {
        magic[flags][3] = flags as u8;
        flags += 1;
    }
    magic
};

/// Returns true if a member may start with these bytes.
pub(in crate::archive) fn starts_member(bytes: &[u8]) -> bool {
    MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

/// The members that begin with a record.
#[derive(Debug)]
pub struct GzipMembers {
    format: Format,
    /// The start of the last member that was found. It does not belong to an inner file.
    last: u64,
    /// See [`DOUBTFUL`].
    doubtful: u64,
}

impl GzipMembers {
    /// Returns the members of a gzip file, or `None` unless they contain a web archive and a member
    /// after the first begins with a record, within the first 16 MiB of decompressed data. Also
    /// returns `None` if these data are damaged. `format` is the format of the file, if it is known.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn of<R: Read + Seek>(input: &mut R, format: Option<Format>) -> io::Result<Option<GzipMembers>> {
        if !starts_member(&read_at(input, 0, MAGIC[0].len())?) {
            return Ok(None);
        }
        let options = ReadOptions { format, ..ReadOptions::default() };
        let found = |head: Vec<u8>| super::format(&head, &options).ok().flatten();
        let format = super::head(input, PROBED_LEN).ok().and_then(found);
        let Some(format) = format.filter(|format| format.framing().has_records()) else { return Ok(None) };
        let second = follow(input, 0, MAX_LEN, |at, input| Ok(at > 0 && begins_with_record(input, format)?))?;
        Ok(matches!(second, Reached::There(_)).then_some(GzipMembers { format, last: 0, doubtful: DOUBTFUL }))
    }

    /// Returns the format of the decompressed file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the start of the first member from `at` on that begins with a record. `at` is after
    /// the last one that was found.
    ///
    /// Reads the bytes up to it and 64 KiB after it, or more if members are long.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn next<R: Read + Seek>(&mut self, input: &mut R, at: u64) -> io::Result<Option<u64>> {
        let (mut from, format) = (at, self.format);
        // Members after a member of the file also belong to the file.
        if at - self.last <= STORED {
            match follow(input, self.last, u64::MAX, |next, input| {
                Ok(next >= at && begins_with_record(input, format)?)
            })? {
                Reached::There(next) => return Ok(Some(self.found(next))),
                Reached::Damage { at: damaged, .. } => from = at.max(damaged + 1),
                Reached::End | Reached::Long => return Ok(None),
            }
        }
        while let Some(start) = search(input, from, format)? {
            let most = MAX_LEN.min(self.doubtful);
            match follow(input, start, most, |next, _| Ok(next - start > STORED))? {
                Reached::Damage { at: broken, spent } => {
                    from = broken + 1;
                    self.doubtful -= spent;
                }
                Reached::Long if most < MAX_LEN => return Ok(None),
                _ => return Ok(Some(self.found(start))),
            }
        }
        Ok(None)
    }

    fn found(&mut self, start: u64) -> u64 {
        self.last = start;
        start
    }
}

/// The result of following consecutive members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reached {
    /// To the requested member.
    There(u64),
    /// Beyond the maximum number of decompressed bytes.
    Long,
    /// To the end of the file.
    End,
    /// After this many decompressed bytes, a member is damaged, or other data follow.
    Damage { at: u64, spent: u64 },
}

/// Follows the members from `from` on up to one that `is_there`, over at most `most` bytes, decompressed.
fn follow<R: Read + Seek>(
    input: &mut R,
    from: u64,
    most: u64,
    is_there: impl Fn(u64, &mut PeekReader<&mut R>) -> io::Result<bool>,
) -> io::Result<Reached> {
    input.seek(SeekFrom::Start(from))?;
    let (mut input, mut room, mut left) = (PeekReader::new(input), vec![0; BLOCK], most);
    loop {
        // Zeros are padding.
        input.skip_any_of(b"\0")?;
        let at = from + input.offset();
        let bytes = input.peek(MAGIC[0].len())?;
        if bytes.is_empty() {
            return Ok(Reached::End);
        }
        let then = match starts_member(bytes) {
            true if is_there(at, &mut input)? => return Ok(Reached::There(at)),
            true => skip(&mut input, &mut room, &mut left)?,
            false => Then::Fault(Fault::Foreign),
        };
        match then {
            Then::End => {}
            Then::More => return Ok(Reached::Long),
            Then::Fault(_) => return Ok(Reached::Damage { at, spent: most - left }),
        }
    }
}

/// Skips a member, or more than `left` of its decompressed bytes. Returns why it ends.
fn skip<R: Read>(input: &mut PeekReader<R>, room: &mut [u8], left: &mut u64) -> io::Result<Then> {
    let mut decoder = Decoder::gunzip();
    loop {
        let bytes = input.peek(decoder.needs())?;
        let Step { read, wrote, then } = decoder.step(bytes, bytes.is_empty(), room);
        input.consume(read);
        *left = left.saturating_sub(wrote as u64);
        if !matches!(then, Then::More) || *left == 0 {
            return Ok(then);
        }
    }
}

/// The first position from `from` on at which a member with a record may start.
fn search<R: Read + Seek>(input: &mut R, from: u64, format: Format) -> io::Result<Option<u64>> {
    input.seek(SeekFrom::Start(from))?;
    let mut input = PeekReader::new(input);
    loop {
        input.skip_to(&MAGIC)?;
        if input.peek(1)?.is_empty() {
            return Ok(None);
        }
        if begins_with_record(&mut input, format)? {
            return Ok(Some(from + input.offset()));
        }
        input.consume(1);
    }
}

/// Returns whether the member that starts here begins with a record.
fn begins_with_record<R: Read>(input: &mut PeekReader<R>, format: Format) -> io::Result<bool> {
    let bytes = input.peek(PROBE)?;
    let mut head = [0; PROBE];
    let Step { wrote, .. } = Decoder::gunzip().step(&bytes[..bytes.len().min(PROBE)], false, &mut head);
    Ok((format.framing().begins)(&head[..wrote], true) == Verdict::Yes)
}
