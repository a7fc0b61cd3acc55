//! The blocks of an xz file, by the index at its end (the .xz file format, version 1.2.1).
//!
//! `xz -T` writes many blocks. A file of several streams has an index for each; such a file has no
//! entries here.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use flate2::Crc;

use super::units::{Unit, bytes_at, read_at, u32_at};

/// The length of the header of a stream, and of its footer.
const HEADER: u64 = 12;

const MAGIC: [u8; 6] = *b"\xfd7zXZ\0";
const FOOTER_MAGIC: [u8; 2] = *b"YZ";

/// The length of an index, at most, in bytes.
const MAX_INDEX: u64 = 1024 * 1024;

/// All is padded to a multiple of so many bytes.
const ALIGNMENT: u64 = 4;

/// A stream that is the whole file.
#[derive(Debug)]
pub(super) struct Index {
    header: [u8; HEADER as usize],
    blocks: Vec<Block>,
    /// Where the last block ends.
    end: u64,
}

#[derive(Debug)]
struct Block {
    /// The offset in the file; 0 for the first one: the header belongs to it.
    at: u64,
    /// The lengths that the index has: without padding, and decompressed.
    unpadded: u64,
    decompressed: u64,
}

impl Index {
    /// The index of a file, if that is one stream, and not damaged.
    pub(super) fn of<R: Read + Seek>(file: &mut R) -> Option<Index> {
        let header: [u8; HEADER as usize] = read_at(file, 0).filter(|header| header.starts_with(&MAGIC))?;
        let footer_at = file.seek(SeekFrom::End(0)).ok()?.checked_sub(HEADER)?;
        let footer: [u8; HEADER as usize] = read_at(file, footer_at)?;
        let len = (u64::from(u32_at(&footer, 4)) + 1) * ALIGNMENT;
        let at = footer_at.checked_sub(len).filter(|&at| at >= HEADER && len <= MAX_INDEX)?;
        let bytes = bytes_at(file, at, len)?;
        let (index, sum) = bytes.split_last_chunk()?;
        let intact = crc(index) == *sum && footer[..] == footer_of(&header, len)?;
        let blocks = intact.then(|| records(index)).flatten()?;
        let last = blocks.last()?;
        let end = last.at.max(HEADER) + padded(last.unpadded)?;
        (end == at).then_some(Index { header, blocks, end })
    }

    /// The block at `at`.
    pub(super) fn block(&self, at: u64) -> Option<Unit> {
        let number = self.number(at)?;
        let end = self.blocks.get(number + 1).map_or(self.end, |next| next.at);
        Some(Unit { len: end - at, decompressed: self.blocks[number].decompressed })
    }

    fn number(&self, at: u64) -> Option<usize> {
        self.blocks.binary_search_by_key(&at, |block| block.at).ok()
    }

    /// The blocks from the one at `from` up to the one at `to`, or the last, as a stream: what
    /// comes before them, where they are in the file, and what comes after them.
    pub(super) fn stream(&self, from: u64, to: Option<u64>) -> (Vec<u8>, Range<u64>, Vec<u8>) {
        let number = |at| self.number(at).unwrap_or(self.blocks.len());
        let blocks = &self.blocks[number(from)..to.map_or(self.blocks.len(), number)];
        let mut after = vec![0];
        write_number(&mut after, blocks.len() as u64);
        for block in blocks {
            write_number(&mut after, block.unpadded);
            write_number(&mut after, block.decompressed);
        }
        after.resize(after.len().next_multiple_of(ALIGNMENT as usize), 0);
        after.extend(crc(&after));
        after.extend(footer_of(&self.header, after.len() as u64).unwrap_or_default());
        (self.header.to_vec(), from.max(HEADER)..to.unwrap_or(self.end), after)
    }
}

/// The blocks of which an index without its checksum has the lengths.
fn records(index: &[u8]) -> Option<Vec<Block>> {
    let mut rest = index.strip_prefix(b"\0")?;
    let count = read_number(&mut rest)?;
    let mut at = HEADER;
    let mut blocks = Vec::new();
    for _ in 0..count {
        let (unpadded, decompressed) = (read_number(&mut rest)?, read_number(&mut rest)?);
        // No block is empty. After one that were, the next would be at the same place.
        if unpadded == 0 {
            return None;
        }
        blocks.push(Block { at: if blocks.is_empty() { 0 } else { at }, unpadded, decompressed });
        at = at.checked_add(padded(unpadded)?)?;
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

/// Reads a number of seven bits a byte, the lowest first; all bytes but the last have the eighth.
fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let len = 1 + bytes.iter().take(9).position(|&byte| byte & 0x80 == 0)?;
    let (number, rest) = bytes.split_at(len);
    *bytes = rest;
    Some(number.iter().rev().fold(0, |number, &byte| number << 7 | u64::from(byte & 0x7f)))
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::records;

    #[test]
    fn an_index_of_blocks() {
        let blocks = records(b"\0\x02\x05\x01\x86\x01\x02\0\0").unwrap();
        assert_eq!(blocks.iter().map(|block| block.at).collect::<Vec<_>>(), [0, 20]);
        assert_eq!(blocks.iter().map(|block| block.unpadded).collect::<Vec<_>>(), [5, 134]);
    }

    #[test]
    fn no_index() {
        assert!(records(b"\0\x02\x05\x01\0\0").is_none(), "a block without bytes");
        assert!(records(b"\0\x02\x05\x01").is_none(), "fewer blocks than it says");
        assert!(records(b"\0\x01\x05\x01\x05\x01").is_none(), "more bytes than blocks");
        assert!(records(b"\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").is_none(), "a long number");
    }
}
