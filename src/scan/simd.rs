//! The first stage, many bytes at once.
//!
//! Two questions are worth special instructions: where the colons of a block
//! are, and which of the bytes behind a `://` may belong to a URL. Both are
//! answered with masks that have a bit a byte, and everything that is done with
//! the masks is ordinary code.
//!
//! This is the only module with `unsafe` in it. It is of two kinds: loads, each
//! from an array that is as long as what is loaded, and instructions that the
//! processor has been asked for.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::Range;

use super::Schemes;
use super::index::{Index, NEAR, WIDTH, colons, has_colon};
use super::plain::{self, Tail};

/// How far ahead of the loop memory is asked for, in blocks of [`WIDTH`].
const AHEAD: usize = 128;

/// What [`Index::keep`] does and, if the processor has what it takes, a look for
/// plain URLs.
pub(super) fn keep(index: &mut Index, bytes: &[u8], block: Range<usize>, schemes: &Schemes) {
    let can = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt");
    if can {
        // SAFETY: the processor has just said that it has all three.
        unsafe { keep_avx2(index, bytes, block, schemes) }
    } else {
        index.keep(bytes, block, schemes, has_colon, colons_sse2);
    }
}

/// The instructions for single bits are worth as much as those for many bytes.
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn keep_avx2(index: &mut Index, bytes: &[u8], block: Range<usize>, schemes: &Schemes) {
    let likely = |bytes: &[u8], at| match around(bytes, at) {
        Some(around) => likely_colons(around),
        None => colons(bytes, at),
    };
    index.keep(bytes, block, schemes, |word| has_colon_avx2(word), likely);
    let classes = Classes::new();
    index.find_plain(|colon| plain::around(bytes, colon, |block| classes.tail(block)));
}

#[target_feature(enable = "avx2")]
fn has_colon_avx2(word: &[u8; WIDTH]) -> bool {
    prefetch(word);
    let [low, high] = load(word).map(|part| _mm256_cmpeq_epi8(part, _mm256_set1_epi8(b':' as i8)));
    _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0
}

/// How many bytes around a block are looked at: before it, and in all.
const BEFORE: usize = 7;
const AROUND: usize = BEFORE + WIDTH + 1;

/// The block at `at` with the bytes before and behind it.
#[inline(always)]
fn around(bytes: &[u8], at: usize) -> Option<&[u8; AROUND]> {
    bytes.get(at.checked_sub(BEFORE)?..)?.first_chunk()
}

/// The colons of the block in the middle of `around` that may belong to a URL,
/// the first byte in the lowest bit: with a slash behind them, or with a letter
/// before and no blank behind, or with a bracket near.
///
/// Anything from `A` on counts as a letter, and what is not ASCII as a blank.
#[target_feature(enable = "avx2")]
fn likely_colons(around: &[u8; AROUND]) -> u64 {
    let splat = |b: u8| _mm256_set1_epi8(b as i8);
    let part = |n: usize| load(around[n..].first_chunk().expect("it is long enough"));
    let (before, here, behind) = (part(BEFORE - 1), part(BEFORE), part(BEFORE + 1));
    let brackets = NEAR.map(|n| part(BEFORE - n));
    mask_of([0, 1].map(|n| {
        let colon = _mm256_cmpeq_epi8(here[n], splat(b':'));
        let slash = _mm256_cmpeq_epi8(behind[n], splat(b'/'));
        let goes_on = _mm256_cmpgt_epi8(behind[n], splat(b' '));
        let letter = _mm256_cmpgt_epi8(before[n], splat(b'@'));
        let near = brackets.map(|part| _mm256_cmpeq_epi8(part[n], splat(b'<')));
        let near = near.into_iter().fold(slash, |any, part| _mm256_or_si256(any, part));
        _mm256_and_si256(colon, _mm256_or_si256(near, _mm256_and_si256(letter, goes_on)))
    }))
}

/// Where the colons of the block at `at` are. Every processor of this
/// architecture has SSE2.
fn colons_sse2(bytes: &[u8], at: usize) -> u64 {
    let Some(block) = bytes[at..].first_chunk::<WIDTH>() else {
        return colons(bytes, at);
    };

    // SAFETY: this needs SSE2 alone.
    let colon = unsafe { _mm_set1_epi8(b':' as i8) };
    let (parts, _) = block.as_chunks::<16>();
    parts.iter().rev().fold(0, |mask, part| {
        // SAFETY: the load is of 16 bytes, which `part` has; the rest needs SSE2
        // alone.
        let found =
            unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(part.as_ptr().cast()), colon)) };
        mask << 16 | u64::from(found as u16)
    })
}

/// Asks for the memory that the loop will come to.
#[inline(always)]
fn prefetch(block: &[u8]) {
    // SAFETY: a prefetch reads nothing, wherever it points.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(block.as_ptr().wrapping_add(AHEAD * WIDTH).cast()) };
}

/// Tables that tell the class of a byte by its two halves.
///
/// A table has a byte for each value of the lower half, and in it a bit for each
/// value of the upper half that ASCII has. `upper` has that bit for the upper
/// half; for what is not ASCII it has none.
struct Classes {
    run: __m256i,
    host: __m256i,
    upper: __m256i,
}

impl Classes {
    #[target_feature(enable = "avx2")]
    fn new() -> Self {
        const UPPER: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
        const RUN: [u8; 16] = lower_halves(&plain::RUNS);
        const HOST: [u8; 16] = lower_halves(&plain::HOSTS);
        Classes { run: table(&RUN), host: table(&HOST), upper: table(&UPPER) }
    }

    #[target_feature(enable = "avx2")]
    fn tail(&self, block: &[u8; WIDTH]) -> Tail {
        let parts = load(block);
        let equal = |b: u8| mask_of(parts.map(|part| _mm256_cmpeq_epi8(part, _mm256_set1_epi8(b as i8))));
        let upper = parts.map(|part| {
            let halves = _mm256_and_si256(_mm256_srli_epi16::<4>(part), _mm256_set1_epi8(0x0F));
            _mm256_shuffle_epi8(self.upper, halves)
        });
        // The upper half of an index does not count unless its highest bit is
        // set, and then `upper` is 0 too.
        let within = |table| {
            let [low, high] = [0, 1].map(|n| {
                let bits = _mm256_and_si256(_mm256_shuffle_epi8(table, parts[n]), upper[n]);
                _mm256_cmpeq_epi8(bits, _mm256_setzero_si256())
            });
            !mask_of([low, high])
        };
        Tail {
            run: within(self.run),
            host: within(self.host),
            dots: equal(b'.'),
            hyphens: equal(b'-'),
            ampersands: equal(b'&'),
        }
    }
}

/// The table of a class of ASCII: see [`Classes`].
const fn lower_halves(class: &[bool; 128]) -> [u8; 16] {
    let mut table = [0; 16];
    let mut b = 0;
    while b < class.len() {
        table[b & 0x0F] |= (class[b] as u8) << (b >> 4);
        b += 1;
    }
    table
}

#[target_feature(enable = "avx2")]
fn table(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: the load is of 16 bytes, which `bytes` has.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
fn load(block: &[u8; WIDTH]) -> [__m256i; 2] {
    let at = block.as_ptr().cast::<__m256i>();
    // SAFETY: the two loads are of 32 bytes each, and `block` has 64.
    unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
}

/// The highest bit of each byte, the first byte in the lowest bit.
#[target_feature(enable = "avx2")]
fn mask_of(parts: [__m256i; 2]) -> u64 {
    let [low, high] = parts.map(|part| u64::from(_mm256_movemask_epi8(part) as u32));
    low | high << 32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::index::survives;
    use super::*;

    proptest! {
        #[test]
        fn what_survives_is_likely(text in "[:/<> lLpPoOiIZ0\\n\\x01\\x7f\u{e9}]{72,99}") {
            let bytes = text.as_bytes();
            let colons = colons(bytes, BEFORE);
            prop_assert_eq!(colons_sse2(bytes, BEFORE), colons);
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has just said that it has AVX2.
                let likely = unsafe { likely_colons(around(bytes, BEFORE).unwrap()) };
                let survive = |n: &usize| colons >> n & 1 == 1 && survives(bytes, n + BEFORE, &Schemes::default());
                let survivors = (0..WIDTH).filter(survive).fold(0, |mask, n| mask | 1 << n);
                prop_assert_eq!((likely & !colons, survivors & !likely), (0, 0));
            }
        }

        #[test]
        fn classes_by_halves_are_classes_by_bytes(block: [u8; WIDTH]) {
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has just said that it has AVX2.
                let tail = unsafe { tail_of(&block) };
                let naive = |is_in: fn(u8) -> bool| {
                    (0..WIDTH).filter(|&n| is_in(block[n])).fold(0, |mask, n| mask | 1_u64 << n)
                };
                prop_assert_eq!(tail.run, naive(|b| plain::RUNS.get(usize::from(b)) == Some(&true)));
                prop_assert_eq!(tail.host, naive(|b| plain::HOSTS.get(usize::from(b)) == Some(&true)));
                prop_assert_eq!(tail.dots, naive(|b| b == b'.'));
                prop_assert_eq!(tail.hyphens, naive(|b| b == b'-'));
                prop_assert_eq!(tail.ampersands, naive(|b| b == b'&'));
            }
        }
    }

    #[target_feature(enable = "avx2")]
    fn tail_of(block: &[u8; WIDTH]) -> Tail {
        Classes::new().tail(block)
    }
}
