//! The masks without intrinsics, for every processor.
//!
//! All bytes of a word are processed alike, without a branch, so that the compiler
//! can use the vectors of the target.

use super::{BEFORE, Backend, COLONS, ClassMembers, Masks, NEAR, PART, RUN, Surrounded, WIDTH, Word};
use crate::bytes::class::{HOST, byte_table};

/// Safe code for every processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Generic;

impl Backend for Generic {
    #[inline(always)]
    fn has_colon(self, word: &Word) -> bool {
        word.iter().fold(0, |any, &b| any | u8::from(is_colon(b))) != 0
    }

    #[inline(always)]
    fn likely_colons(self, around: &Surrounded) -> u64 {
        let part = |n: usize| -> &Word { around[n..].first_chunk().expect("a word starts there") };
        let (before, here, after) = (part(BEFORE - 1), part(BEFORE), part(BEFORE + 1));
        let [four, five, seven] = NEAR.map(|n| part(BEFORE - n));
        let mut likely = [0; WIDTH];
        for n in 0..WIDTH {
            let letter = (before[n] as i8) > b'@' as i8;
            let continues = after[n] != b' ';
            let bracket = (four[n] == b'<') | (five[n] == b'<') | (seven[n] == b'<');
            let near = bracket | (seven[n] == b'"') | (seven[n] == b'\'') | (after[n] == b'/');
            likely[n] = u8::from(is_colon(here[n]) & (near | (letter & continues)));
        }
        mask_of(&likely)
    }

    #[inline(always)]
    fn masks(self, word: &Word) -> Masks {
        let (groups, _) = word.as_chunks::<8>();
        let mut masks = [[0; 8]; 6];
        for (n, group) in groups.iter().enumerate() {
            // A byte is looked up once for all masks.
            let bits = group.iter().rev().fold(0, |bits, &b| bits << 1 | CLASSES[usize::from(b)]);
            for (mask, bits) in masks.iter_mut().zip(bits.to_le_bytes()) {
                mask[n] = bits;
            }
        }
        let [run, host, dots, hyphens, ampersands, colons] = masks.map(u64::from_le_bytes);
        Masks { run, host, dots, hyphens, ampersands, colons }
    }

    #[inline(always)]
    fn others(self, part: &[u8; PART], wanted: &ClassMembers) -> u32 {
        part.iter().rev().fold(0, |mask, &b| mask << 1 | u32::from(!wanted.class.has(b)))
    }

    #[cfg(feature = "archive")]
    #[inline(always)]
    fn line_ends<const N: usize, const OTHERS: bool>(self, word: &Word, next: &Word, first: [u8; N]) -> u64 {
        let mut ends = [0; WIDTH];
        for n in 0..WIDTH {
            let starts = first.iter().fold(false, |any, &b| any | (next[n] == b));
            ends[n] = u8::from((word[n] == b'\n') & (starts != OTHERS));
        }
        mask_of(&ends)
    }

    #[inline(always)]
    fn prefetch(self, _at: *const u8) {}
}

/// Returns true if `b` is one of [`COLONS`], without a branch.
#[inline(always)]
fn is_colon(b: u8) -> bool {
    COLONS.into_iter().fold(false, |any, colon| any | (b == colon))
}

/// The fields of [`Masks`] that have each byte: 1 in the byte of each of them. The other
/// bits of a byte are for the seven bytes of the text before it.
static CLASSES: [u64; 256] = byte_table!(classes);

const fn classes(b: u8) -> u64 {
    let fields = [RUN.has(b), HOST.has(b), b == b'.', b == b'-', b == b'&', b == b':'];
    u64::from_le_bytes([
        fields[0] as u8,
        fields[1] as u8,
        fields[2] as u8,
        fields[3] as u8,
        fields[4] as u8,
        fields[5] as u8,
        0,
        0,
    ])
}

/// The bytes that are 1; the others are 0.
#[inline(always)]
fn mask_of(bytes: &Word) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().rev().fold(0, |mask, &word| mask << 8 | gather(u64::from_le_bytes(word)))
}

/// Brings the lowest bits of eight bytes together; the other bits are zero.
#[inline(always)]
fn gather(bits: u64) -> u64 {
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}
