//! The blocks of an xz file, by the index at its end (the .xz file format, version 1.2.1).
//!
//! `xz -T` writes many blocks. A file of several streams has an index for each; such a file has no
//! entries here.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use flate2::Crc;

use super::{SeekPoint, read_at};
use crate::archive::container::compress::decoder::PIECE;
use crate::archive::source_map::push_number;

/// The length of the header of a stream, and of its footer.
const HEADER: u64 = 12;

const MAGIC: [u8; 6] = *b"\xfd7zXZ\0";
const FOOTER_MAGIC: [u8; 2] = *b"YZ";

/// The maximum length of an index, in bytes.
const MAX_INDEX: u64 = 1024 * 1024;

/// Everything is padded to a multiple of this number of bytes.
const ALIGNMENT: u64 = 4;

/// A stream that is the whole file.
#[derive(Debug)]
pub(super) struct XzIndex {
    header: [u8; HEADER as usize],
    blocks: Vec<XzBlock>,
    /// The offset at which the last block ends.
    end: u64,
}

#[derive(Debug)]
struct XzBlock {
    /// The offset in the file is 0 for the first block, because the header belongs to it.
    point: SeekPoint,
    /// The lengths in the index: without padding, and decompressed.
    unpadded: u64,
    decompressed: u64,
}

impl XzIndex {
    /// The index of a file, if the file is one intact stream.
    pub(super) fn of<R: Read + Seek>(file: &mut R) -> Option<XzIndex> {
        let header = read_at(file, 0, HEADER as usize).ok()?.try_into().ok();
        let header = header.filter(|header: &[_; HEADER as usize]| header.starts_with(&MAGIC))?;
        let footer_at = file.seek(SeekFrom::End(0)).ok()?.checked_sub(HEADER)?;
        let footer: [_; HEADER as usize] = read_at(file, footer_at, HEADER as usize).ok()?.try_into().ok()?;
        let len = (u64::from(u32::from_le_bytes(footer[4..8].try_into().ok()?)) + 1) * ALIGNMENT;
        let at = footer_at.checked_sub(len).filter(|&at| at >= HEADER && len <= MAX_INDEX)?;
        let bytes = read_at(file, at, len as usize).ok()?;
        let (index, sum) = bytes.split_last_chunk()?;
        let intact = crc(index) == *sum && footer == footer_of(&header, len)?;
        let blocks = intact.then(|| records(index)).flatten()?;
        let last = blocks.last()?;
        let end = last.point.at.max(HEADER) + padded(last.unpadded)?;
        (end == at).then_some(XzIndex { header, blocks, end })
    }

    /// The first block after `from` with at least `min_len` decompressed bytes before it.
    pub(super) fn next(&self, from: SeekPoint, min_len: u64) -> Option<SeekPoint> {
        let next = self.blocks.partition_point(|block| block.point.at <= from.at);
        let mut points = self.blocks[next..].iter().map(|block| block.point);
        points.find(|point| point.start - from.start >= min_len)
    }

    /// The number of the block that starts at `at`.
    pub(super) fn number(&self, at: u64) -> Option<usize> {
        self.blocks.binary_search_by_key(&at, |block| block.point.at).ok()
    }

    /// The blocks from the one at `from` up to the one at `to`, or the last, as a stream: the bytes
    /// before them, their range in the file, and the bytes after them.
    pub(super) fn stream(&self, from: u64, to: Option<u64>) -> (Vec<u8>, Range<u64>, Vec<u8>) {
        let number = |at| self.number(at).unwrap_or(self.blocks.len());
        let blocks = &self.blocks[number(from)..to.map_or(self.blocks.len(), number)];
        let (mut before, mut records) = (self.header.to_vec(), Vec::new());
        if from > 0 {
            // A decoder that finds damage drops the output for its last piece of input. So that the
            // data end at the same byte as when the whole file is read, each piece has to begin
            // where it begins then.
            let (block, unpadded) = empty_block(&self.header, PIECE + (from - HEADER) as usize % PIECE);
            before.extend(block);
            records.push((unpadded, 0));
        }
        records.extend(blocks.iter().map(|block| (block.unpadded, block.decompressed)));
        let mut after = vec![0];
        push_number(&mut after, records.len() as u64);
        for (unpadded, decompressed) in records {
            push_number(&mut after, unpadded);
            push_number(&mut after, decompressed);
        }
        after.resize(after.len().next_multiple_of(ALIGNMENT as usize), 0);
        after.extend(crc(&after));
        after.extend(footer_of(&self.header, after.len() as u64).unwrap_or_default());
        (before, from.max(HEADER)..to.unwrap_or(self.end), after)
    }
}

/// The SHA-256 check of an empty block; the CRC checks of it are zeros.
const SHA256: [u8; 32] = *b"\xe3\xb0\xc4\x42\x98\xfc\x1c\x14\x9a\xfb\xf4\xc8\x99\x6f\xb9\x24\
    \x27\xae\x41\xe4\x64\x9b\x93\x4c\xa4\x95\x99\x1b\x78\x52\xb8\x55";

/// A block of `len` bytes without data, in a stream with this header, and its length without padding.
fn empty_block(header: &[u8; HEADER as usize], len: usize) -> (Vec<u8>, u64) {
    let check = match header[MAGIC.len() + 1] {
        0 => Vec::new(),
        10 => SHA256.to_vec(),
        // Every group of three types is twice as long as the group before.
        kind => vec![0; 4 << (((kind & 15) - 1) / 3)],
    };
    // One filter, LZMA2, with the smallest dictionary; then padding.
    let head_len = len - ALIGNMENT as usize - check.len();
    let mut block = vec![(head_len / 4 - 1) as u8, 0, 0x21, 1, 0];
    block.resize(head_len - 4, 0);
    block.extend(crc(&block));
    // The end of the data, and padding.
    block.extend([0; ALIGNMENT as usize]);
    block.extend(&check);
    (block, (head_len + 1 + check.len()) as u64)
}

/// The blocks in an index, which is given without its checksum.
fn records(index: &[u8]) -> Option<Vec<XzBlock>> {
    let mut rest = index.strip_prefix(b"\0")?;
    let count = read_number(&mut rest)?;
    let (mut at, mut start) = (HEADER, 0_u64);
    let mut blocks = Vec::new();
    for _ in 0..count {
        let (unpadded, decompressed) = (read_number(&mut rest)?, read_number(&mut rest)?);
        // Blocks are never empty, because after an empty one the next would be at the same
        // position.
        if unpadded == 0 {
            return None;
        }
        let point = SeekPoint { at: if blocks.is_empty() { 0 } else { at }, start };
        blocks.push(XzBlock { point, unpadded, decompressed });
        at = at.checked_add(padded(unpadded)?)?;
        start = start.checked_add(decompressed)?;
    }
    let is_padding = rest.len() < ALIGNMENT as usize && rest.iter().all(|&byte| byte == 0);
    is_padding.then_some(blocks)
}

fn padded(len: u64) -> Option<u64> {
    len.checked_next_multiple_of(ALIGNMENT)
}

/// The footer of a stream with this header, whose index has `len` bytes.
fn footer_of(header: &[u8; HEADER as usize], len: u64) -> Option<[u8; HEADER as usize]> {
    let len = u32::try_from(len / ALIGNMENT - 1).ok()?.to_le_bytes();
    let flags = &header[MAGIC.len()..][..2];
    let sum = crc(&[&len, flags].concat());
    [&sum, &len, flags, &FOOTER_MAGIC].concat().try_into().ok()
}

fn crc(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// Reads a number with seven bits in each byte, the lowest first; all bytes except the last have
/// the eighth bit set.
fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let len = 1 + bytes.iter().take(9).position(|&byte| byte & 0x80 == 0)?;
    let (number, rest) = bytes.split_at(len);
    *bytes = rest;
    Some(number.iter().rev().fold(0, |number, &byte| number << 7 | u64::from(byte & 0x7f)))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::archive::Files;

    #[test]
    fn an_index_of_blocks() {
        let blocks = records(b"\0\x02\x05\x01\x86\x01\x02\0\0").unwrap();
        assert_eq!(blocks.iter().map(|block| block.point.at).collect::<Vec<_>>(), [0, 20]);
        assert_eq!(blocks.iter().map(|block| block.unpadded).collect::<Vec<_>>(), [5, 134]);
    }

    #[test]
    fn no_index() {
        assert!(records(b"\0\x02\x05\x01\0\0").is_none(), "a block without bytes");
        assert!(records(b"\0\x02\x05\x01").is_none(), "fewer blocks than it says");
        assert!(records(b"\0\x01\x05\x01\x05\x01").is_none(), "more bytes than blocks");
        assert!(records(b"\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").is_none(), "a long number");
    }

    /// The checks are CRC32, CRC64 and SHA-256, or no check.
    #[test]
    fn a_stream_of_an_empty_block() {
        for check in [0, 1, 4, 10] {
            let header = [&MAGIC[..], &[0, check], &crc(&[0, check])].concat().try_into().unwrap();
            for from in (HEADER..300).step_by(ALIGNMENT as usize) {
                let (before, _, after) = XzIndex { header, blocks: Vec::new(), end: 0 }.stream(from, None);
                assert_eq!(before.len() as u64 % 64, from % 64);
                let mut data = Vec::new();
                let file = [before, after].concat();
                Files::of_rest(&file[..], 0).unwrap().file().read_to_end(&mut data).unwrap();
                assert_eq!(data, b"", "{check} {from}");
            }
        }
    }
}
