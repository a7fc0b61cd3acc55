//! The members of a gzip file that say how long they are (BGZF: specification of SAM, section 4.1).
//!
//! Each member has an extra field `BC` (RFC 1952, section 2.3.1.1) with its length, and decompresses
//! to 64 KiB at most. `bgzip` writes such files.

use std::fs::File;

use super::unit::{Unit, bytes_at, read_at, u16_at, u32_at};

/// The length of a header up to its extra field, whose length is in the last two bytes.
const HEADER: usize = 12;

/// The length of the trailer: a checksum, and the length of the decompressed data.
const TRAILER: u64 = 8;

/// The length of the decompressed data of a member, at most.
const MAX_LEN: u32 = 64 * 1024;

/// The first bytes of a member that has an extra field, and nothing else that is optional.
const MAGIC: [u8; 4] = [0x1f, 0x8b, 8, 4];

/// The member at `at`, if it says how long it is.
pub fn member(file: &mut File, at: u64) -> Option<Unit> {
    let header: [u8; HEADER] = read_at(file, at)?;
    let extra_len = header.starts_with(&MAGIC).then(|| u16_at(&header, HEADER - 2))?;
    let extra = bytes_at(file, at + HEADER as u64, extra_len.into())?;
    let mut rest = &extra[..];
    while let [first, second, low, high, after @ ..] = rest {
        let (value, next) = after.split_at_checked(u16_at(&[*low, *high], 0).into())?;
        if (first, second, value.len()) == (&b'B', &b'C', 2) {
            return with_len(file, at, u64::from(u16_at(value, 0)) + 1);
        }
        rest = next;
    }
    None
}

/// The member at `at`, which is `len` bytes long.
fn with_len(file: &mut File, at: u64, len: u64) -> Option<Unit> {
    let trailer: [u8; TRAILER as usize] = read_at(file, at + len.checked_sub(TRAILER)?)?;
    let decompressed = u32_at(&trailer, 4);
    (decompressed <= MAX_LEN).then_some(Unit { len, decompressed: decompressed.into() })
}
