//! Reads of whole blocks.

use std::io::{self, Read, Seek, SeekFrom};

use crate::bytes::buffer::read_some;

/// How many bytes are read at a time.
pub(super) const BLOCK: usize = 16 * 1024;

/// Reads until `room` is full or the input ends; returns how many bytes came.
pub(super) fn fill(input: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < room.len() {
        match read_some(input, &mut room[len..])? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}

/// The first `len` bytes from `offset` on, or as many as there are.
pub(super) fn read_at<R: Read + Seek>(input: &mut R, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(offset))?;
    let mut block = vec![0; len];
    let read = fill(input, &mut block)?;
    block.truncate(read);
    Ok(block)
}
