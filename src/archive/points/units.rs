//! What is compressed alone in a file, and how its lengths are read without decompressing it.
//!
//! | unit | what says how long it is |
//! |---|---|
//! | member of gzip | an extra field `BC` (RFC 1952, section 2.3.1.1), which `bgzip` writes (BGZF: specification of SAM, section 4.1) |
//! | frame of zstd | its header (RFC 8878, section 3.1.1.1) and those of its blocks. Programs that need random access write many frames, and so does one that appends; those of `pzstd` do not say how long their contents are |
//! | block of xz | the index at the end of the file ([`xz`](super::xz)) |

use std::io::{Read, Seek, SeekFrom};

/// The length of the header of a member of gzip up to its extra field, whose length is in the last
/// two bytes.
const GZIP_HEADER: usize = 12;

/// The length of its trailer: a checksum, and the length of the decompressed data.
const GZIP_TRAILER: u64 = 8;

/// The first bytes of a member that has an extra field, and nothing else that is optional.
const GZIP_MAGIC: [u8; 4] = [0x1f, 0x8b, 8, 4];

/// The length of the decompressed data of a member of BGZF, at most.
const MAX_MEMBER: u32 = 64 * 1024;

const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The bytes after the first one that all skippable frames of zstd begin with.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

/// The length of the header of a block of zstd.
const BLOCK_HEADER: u64 = 3;

/// The length of the content of a frame, at most. Of a longer one the blocks are not looked at: they
/// would be read twice from the disk, and threads would wait for the next frame.
const MAX_FRAME: u64 = 64 * 1024 * 1024;

/// The number of blocks in a frame, at most. Those of a content have up to 128 KiB.
const MAX_BLOCKS: usize = 16 * 1024;

/// What is compressed alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) len: u64,
    /// The length of what it decompresses to.
    pub(super) decompressed: u64,
}

/// Whether a member of gzip starts with these bytes that may say how long it is.
pub(super) fn starts_gzip_member(bytes: [u8; 4]) -> bool {
    bytes == GZIP_MAGIC
}

/// The member of gzip at `at`, if it says how long it is.
pub(super) fn gzip_member<R: Read + Seek>(file: &mut R, at: u64) -> Option<Unit> {
    let header: [u8; GZIP_HEADER] = read_at(file, at)?;
    let extra_len = starts_gzip_member(*header.first_chunk()?).then(|| u16_at(&header, GZIP_HEADER - 2))?;
    let extra = bytes_at(file, at + GZIP_HEADER as u64, extra_len.into())?;
    let mut rest = &extra[..];
    while let [first, second, low, high, after @ ..] = rest {
        let (value, next) = after.split_at_checked(u16_at(&[*low, *high], 0).into())?;
        if (first, second, value.len()) == (&b'B', &b'C', 2) {
            let len = u64::from(u16_at(value, 0)) + 1;
            let trailer: [u8; GZIP_TRAILER as usize] = read_at(file, at + len.checked_sub(GZIP_TRAILER)?)?;
            let decompressed = u32_at(&trailer, 4);
            return (decompressed <= MAX_MEMBER).then_some(Unit { len, decompressed: decompressed.into() });
        }
        rest = next;
    }
    None
}

/// Whether a frame of zstd starts with these bytes.
pub(super) fn starts_zstd_frame(bytes: [u8; 4]) -> bool {
    bytes == ZSTD_MAGIC || is_skippable(bytes)
}

fn is_skippable(bytes: [u8; 4]) -> bool {
    bytes[0] >> 4 == 5 && bytes[1..] == SKIPPABLE
}

/// The frame of zstd at `at`, which may be skippable, if it says how long its content is.
pub(super) fn zstd_frame<R: Read + Seek>(file: &mut R, at: u64) -> Option<Unit> {
    let head: [u8; 5] = read_at(file, at)?;
    if is_skippable(*head.first_chunk()?) {
        let len: [u8; 4] = read_at(file, at + 4)?;
        return Some(Unit { len: 8 + u64::from(u32_at(&len, 0)), decompressed: 0 });
    }
    let descriptor = head.starts_with(&ZSTD_MAGIC).then_some(head[4])?;
    let is_single_segment = descriptor & 0x20 != 0;
    let window_len = u64::from(!is_single_segment);
    let dictionary_len = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = at + 5 + window_len + dictionary_len;
    let (content_len, decompressed) = match descriptor >> 6 {
        0 if !is_single_segment => return None,
        0 => (1, u64::from(read_at::<1, _>(file, content)?[0])),
        1 => (2, u64::from(u16_at(&read_at::<2, _>(file, content)?, 0)) + 256),
        2 => (4, u64::from(u32_at(&read_at::<4, _>(file, content)?, 0))),
        _ => (8, u64::from_le_bytes(read_at(file, content)?)),
    };
    if decompressed > MAX_FRAME {
        return None;
    }
    let checksum_len = u64::from(descriptor & 4);
    let end = after_blocks(file, content + content_len)?.checked_add(checksum_len)?;
    Some(Unit { len: end - at, decompressed })
}

/// Where the blocks of a frame end of which the first is at `at`, if there are not too many.
fn after_blocks<R: Read + Seek>(file: &mut R, mut at: u64) -> Option<u64> {
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

/// `len` bytes of a file; none if it cannot be read there.
pub(super) fn bytes_at<R: Read + Seek>(file: &mut R, at: u64, len: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at)).ok()?;
    file.take(len).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == len).then_some(bytes)
}

/// `N` bytes of a file; none if they cannot be read there.
pub(super) fn read_at<const N: usize, R: Read + Seek>(file: &mut R, at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}
