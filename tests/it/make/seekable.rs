//! Compressed files in which one can begin to decompress at several places.

use std::io::Write;

use flate2::{Compress, Compression, Crc, FlushCompress};

/// A member of gzip with its length in the extra field `BC`, after another one.
pub fn member(bytes: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(bytes.len() + 1000);
    let mut compress = Compress::new(Compression::fast(), false);
    compress.compress_vec(bytes, &mut data, FlushCompress::Finish).unwrap();
    let header = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x0b\0XY\x01\0zBC\x02\0";
    let len = (header.len() + 2 + data.len() + 8 - 1) as u16;
    let all = bytes.len() as u32;
    [&header[..], &len.to_le_bytes(), &data, &crc(bytes), &all.to_le_bytes()].concat()
}

/// Where a [`member`] has its length, less one, in two bytes.
pub const BC: usize = 21;

/// Members of so many bytes, and an empty one.
pub fn bgzf(bytes: &[u8], len: usize) -> Vec<u8> {
    bytes.chunks(len).chain([&b""[..]]).flat_map(member).collect()
}

/// A frame of zstd of raw blocks, whose header has the length of its content in four bytes.
pub fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut frame = [&b"\x28\xb5\x2f\xfd\xa0"[..], &(bytes.len() as u32).to_le_bytes()].concat();
    let blocks = bytes.chunks(100_000);
    let count = blocks.len();
    for (n, block) in blocks.enumerate() {
        let header = (block.len() << 3 | usize::from(n + 1 == count)) as u32;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame
}

/// Where a [`frame`] has the length of its content, in four bytes.
pub const CONTENT: usize = 5;

/// Frames of so many bytes, and skippable ones.
pub fn frames(bytes: &[u8], len: usize) -> Vec<u8> {
    let skippable = b"\x5a\x2a\x4d\x18\x03\0\0\0abc";
    bytes.chunks(len).flat_map(|bytes| [&skippable[..], &frame(bytes)].concat()).collect()
}

/// A stream of xz of blocks of so many bytes. What its index says of a block, the number of bytes
/// without padding and decompressed, is changed by `lie`, which is told the number of the block.
pub fn blocks(bytes: &[u8], len: usize, lie: impl Fn(usize, &mut [u64; 2])) -> Vec<u8> {
    let (mut file, mut records) = (Vec::new(), Vec::new());
    let mut flags = Vec::new();
    for (n, bytes) in bytes.chunks(len).enumerate() {
        let options = lzma_rust2::XzOptions::with_preset(0);
        let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
        encoder.write_all(bytes).unwrap();
        let one = encoder.finish().unwrap();
        let (rest, footer) = one.split_at(one.len() - 12);
        let index_len = 4 * (1 + u32::from_le_bytes(footer[4..8].try_into().unwrap()) as usize);
        let (block, index) = rest.split_at(rest.len() - index_len);
        // After a zero and the number of blocks.
        let unpadded = index[2..].iter().take(9);
        let end = 1 + unpadded.clone().position(|byte| byte & 0x80 == 0).unwrap();
        let unpadded = unpadded.take(end).rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f));
        let mut record = [unpadded, bytes.len() as u64];
        lie(n, &mut record);
        records.push(record);
        file.extend(&block[if n == 0 { 0 } else { 12 }..]);
        flags = footer[8..].to_vec();
    }
    let mut index = vec![0];
    for mut number in [records.len() as u64].into_iter().chain(records.into_iter().flatten()) {
        while number >= 0x80 {
            index.push(number as u8 | 0x80);
            number >>= 7;
        }
        index.push(number as u8);
    }
    index.resize(index.len().next_multiple_of(4), 0);
    let sum = crc(&index);
    index.extend(sum);
    let len = (index.len() as u32 / 4 - 1).to_le_bytes();
    let sum = crc(&[&len, &flags[..2]].concat());
    [&file[..], &index, &sum, &len, &flags].concat()
}

fn crc(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}
