//! What is compressed alone, and how its lengths are read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// What is compressed alone: a member of gzip, a frame of zstd, a block of xz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub len: u64,
    /// The length of what it decompresses to.
    pub decompressed: u64,
}

/// `len` bytes of a file; none if it cannot be read there.
pub fn bytes_at(file: &mut File, at: u64, len: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at)).ok()?;
    file.take(len).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == len).then_some(bytes)
}

/// The same of a length that is known.
pub fn read_at<const N: usize>(file: &mut File, at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}
