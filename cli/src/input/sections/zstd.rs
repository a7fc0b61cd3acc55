//! The frames of a zstd file whose headers say how long their contents are (RFC 8878, section 3.1).
//!
//! Programs that need random access write many frames, and so does one that appends. The frames of
//! `pzstd` do not say how long their contents are.

use std::fs::File;

use super::unit::{Unit, read_at, u16_at, u32_at};

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The bytes after the first one that all skippable frames begin with.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

/// The length of the header of a block.
const BLOCK_HEADER: u64 = 3;

/// The length of a content, at most. Of a longer frame the blocks are not looked at: they would be
/// read twice from the disk, and threads would wait for the next frame.
const MAX_LEN: u64 = 64 * 1024 * 1024;

/// The number of blocks in a frame, at most. Those of a content have up to 128 KiB.
const MAX_BLOCKS: usize = 16 * 1024;

/// The frame at `at`, which may be skippable, if it says how long its content is.
pub fn frame(file: &mut File, at: u64) -> Option<Unit> {
    let head: [u8; 5] = read_at(file, at)?;
    if head[0] >> 4 == 5 && head[1..4] == SKIPPABLE {
        let len: [u8; 4] = read_at(file, at + 4)?;
        return Some(Unit { len: 8 + u64::from(u32_at(&len, 0)), decompressed: 0 });
    }
    let descriptor = head.starts_with(&MAGIC).then_some(head[4])?;
    let is_single_segment = descriptor & 0x20 != 0;
    let window_len = u64::from(!is_single_segment);
    let dictionary_len = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = at + 5 + window_len + dictionary_len;
    let (content_len, decompressed) = match descriptor >> 6 {
        0 if !is_single_segment => return None,
        0 => (1, u64::from(read_at::<1>(file, content)?[0])),
        1 => (2, u64::from(u16_at(&read_at::<2>(file, content)?, 0)) + 256),
        2 => (4, u64::from(u32_at(&read_at::<4>(file, content)?, 0))),
        _ => (8, u64::from_le_bytes(read_at(file, content)?)),
    };
    if decompressed > MAX_LEN {
        return None;
    }
    let checksum_len = u64::from(descriptor & 4);
    let end = after_blocks(file, content + content_len)?.checked_add(checksum_len)?;
    Some(Unit { len: end - at, decompressed })
}

/// Where the blocks end of which the first is at `at`, if there are not too many.
fn after_blocks(file: &mut File, mut at: u64) -> Option<u64> {
    for _ in 0..MAX_BLOCKS {
        let [a, b, c] = read_at(file, at)?;
        let header = u32::from_le_bytes([a, b, c, 0]);
        let len = match header >> 1 & 3 {
            // One byte, which is repeated.
            1 => 1,
            // No block has this type.
            3 => return None,
            _ => header >> 3,
        };
        at += BLOCK_HEADER + u64::from(len);
        if header & 1 != 0 {
            return Some(at);
        }
    }
    None
}
