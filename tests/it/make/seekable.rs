//! Compressed files in which one can begin to decompress at several places.

use std::io::Write;

use flate2::Crc;

/// Blocks of so many bytes, with an index that is true.
pub fn packed(bytes: &[u8], len: usize) -> Vec<u8> {
    blocks(bytes, len, |_, _| {})
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
