//! The first stage, many bytes at once.
//!
//! Four questions are worth special instructions: whether a block has a colon,
//! which of its colons may belong to a URL, which of the bytes behind a `://` may,
//! and where the next line begins with a certain byte. All but the first are
//! answered with masks that have a bit a byte, and everything that is done with
//! the masks is ordinary code.
//!
//! This is the only module with `unsafe` in it. It is of two kinds: loads, each
//! from an array that is as long as what is loaded, and instructions that the
//! processor has been asked for.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::Range;

use super::generic::{AROUND, BEFORE, around, colons, has_colon};
#[cfg(feature = "archive")]
use super::lines::next_line_portable;
use crate::grammar::schemes::Schemes;
use crate::plain::{self, Tail};
use crate::scan::index::{BLOCK, Index, NEAR, WIDTH};

/// How far ahead of the loop memory is asked for, in blocks of [`WIDTH`].
const AHEAD: usize = 128;

/// What [`Index::keep`] does and, if the processor has what it takes, a look for
/// plain URLs.
pub(crate) fn keep(index: &mut Index, bytes: &[u8], block: Range<usize>, schemes: &Schemes) {
    let can = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt");
    if can {
        // SAFETY: the processor has just said that it has all three.
        unsafe { keep_avx2(index, bytes, block, schemes) }
    } else {
        index.keep(bytes, block, schemes, has_colon, colons_sse2, |_| None);
    }
}

/// The instructions for single bits are worth as much as those for many bytes.
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn keep_avx2(index: &mut Index, bytes: &[u8], block: Range<usize>, schemes: &Schemes) {
    let mut ahead = Ahead::of(bytes, block.end);
    let any = |word: &[u8; WIDTH]| {
        prefetch_behind(word);
        has_colon_avx2(word)
    };
    let likely = |bytes: &[u8], at| {
        ahead.go_on();
        match around(bytes, at) {
            Some(around) => likely_colons(around),
            None => colons_sse2(bytes, at),
        }
    };
    let plain = |colon| plain::around(bytes, colon, |block| tail(block));
    index.keep(bytes, block, schemes, any, likely, plain);
}

/// What [`lines::next_line`](super::lines::next_line) does.
#[cfg(feature = "archive")]
pub(crate) fn next_line<const N: usize>(bytes: &[u8], from: usize, first: [u8; N]) -> Option<usize> {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it has it.
        unsafe { next_line_avx2(bytes, from, first) }
    } else {
        next_line_portable(bytes, from, first)
    }
}

#[cfg(feature = "archive")]
#[target_feature(enable = "avx2")]
fn next_line_avx2<const N: usize>(bytes: &[u8], from: usize, first: [u8; N]) -> Option<usize> {
    let mut at = from;
    while let Some((here, behind)) = bytes[at..].first_chunk().zip(bytes[at..].get(1..)?.first_chunk()) {
        let (here, behind) = (load(here), load(behind));
        let begin = mask_of([0, 1].map(|n| {
            let equal = |b| _mm256_cmpeq_epi8(behind[n], splat(b));
            let any =
                first.map(equal).into_iter().fold(_mm256_setzero_si256(), |any, b| _mm256_or_si256(any, b));
            _mm256_and_si256(any, _mm256_cmpeq_epi8(here[n], splat(b'\n')))
        }));
        if begin != 0 {
            return Some(at + begin.trailing_zeros() as usize + 1);
        }
        at += WIDTH;
    }
    next_line_portable(bytes, at, first)
}

#[target_feature(enable = "avx2")]
fn has_colon_avx2(word: &[u8; WIDTH]) -> bool {
    let [low, high] = load(word).map(|part| _mm256_cmpeq_epi8(part, splat(b':')));
    _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0
}

/// The colons of the block in the middle of `around` that may belong to a URL,
/// the first byte in the lowest bit: with a slash behind them, or with a letter
/// before and no blank behind, or with a bracket near.
///
/// Anything from `A` on counts as a letter, and what is not ASCII as a blank.
#[target_feature(enable = "avx2")]
fn likely_colons(around: &[u8; AROUND]) -> u64 {
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

/// Where the colons of the block at `at` are, which may be shorter at the end.
fn colons_sse2(bytes: &[u8], at: usize) -> u64 {
    match (bytes[at..].first_chunk(), bytes.last_chunk()) {
        (Some(block), _) => colon_mask(block),
        (None, Some(last)) => colon_mask(last) >> (at + WIDTH - bytes.len()),
        (None, None) => colons(bytes, at),
    }
}

/// The bytes of `block` that are colons, the first in the lowest bit. Every
/// processor of this architecture has SSE2.
fn colon_mask(block: &[u8; WIDTH]) -> u64 {
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

/// The block that comes next, of which memory is asked for while this one is
/// looked at again.
struct Ahead {
    next: *const u8,
    end: *const u8,
}

impl Ahead {
    /// How many words are asked for at a time: about as many as there are to one
    /// with a colon.
    const STEP: usize = 4;

    /// The block behind the one that ends at `at`, but for what [`prefetch`] has
    /// asked for.
    fn of(bytes: &[u8], at: usize) -> Self {
        let start = bytes.as_ptr().wrapping_add(at);
        Ahead { next: start.wrapping_add(AHEAD * WIDTH), end: start.wrapping_add(BLOCK) }
    }

    #[inline(always)]
    fn go_on(&mut self) {
        if self.next < self.end {
            for _ in 0..Self::STEP {
                prefetch(self.next);
                self.next = self.next.wrapping_add(WIDTH);
            }
        }
    }
}

/// Asks for the memory that the loop over `block` will come to.
#[inline(always)]
fn prefetch_behind(block: &[u8; WIDTH]) {
    prefetch(block.as_ptr().wrapping_add(AHEAD * WIDTH));
}

#[inline(always)]
fn prefetch(at: *const u8) {
    // SAFETY: a prefetch reads nothing, wherever it points.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

/// What the bytes of a block are.
#[target_feature(enable = "avx2")]
fn tail(block: &[u8; WIDTH]) -> Tail {
    const RUN: [u8; 16] = lower_halves(&plain::RUNS);
    const HOST: [u8; 16] = lower_halves(&plain::HOSTS);
    let parts = load(block);
    let equal = |b: u8| mask_of(parts.map(|part| _mm256_cmpeq_epi8(part, splat(b))));
    let upper = parts.map(|part| {
        let halves = _mm256_and_si256(_mm256_srli_epi16::<4>(part), splat(0x0F));
        _mm256_shuffle_epi8(table(&UPPER_HALVES), halves)
    });
    // The upper half of an index does not count unless its highest bit is set, and
    // then `upper` is 0 too.
    let within = |halves: &[u8; 16]| {
        let none = [0, 1].map(|n| {
            let bits = _mm256_and_si256(_mm256_shuffle_epi8(table(halves), parts[n]), upper[n]);
            _mm256_cmpeq_epi8(bits, _mm256_setzero_si256())
        });
        !mask_of(none)
    };
    Tail {
        run: within(&RUN),
        host: within(&HOST),
        dots: equal(b'.'),
        hyphens: equal(b'-'),
        ampersands: equal(b'&'),
    }
}

#[target_feature(enable = "avx2")]
fn splat(b: u8) -> __m256i {
    _mm256_set1_epi8(b as i8)
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

/// What the upper half of a byte is, for [tables](lower_halves) of ASCII: a bit for
/// each value that ASCII has, and none for the others.
const UPPER_HALVES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

/// A class of ASCII, told by the two halves of a byte: the table has a byte for
/// each value of the lower half, and in it a bit for each value of the upper half,
/// as in [`UPPER_HALVES`].
const fn lower_halves(class: &[bool; 128]) -> [u8; 16] {
    let mut table = [0; 16];
    let mut b = 0;
    while b < class.len() {
        table[b & 0x0F] |= (class[b] as u8) << (b >> 4);
        b += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::generic;
    use super::*;

    /// A mask of the bytes that are in a class.
    fn naive(block: &[u8; WIDTH], is_in: impl Fn(u8) -> bool) -> u64 {
        (0..WIDTH).filter(|&n| is_in(block[n])).fold(0, |mask, n| mask | 1_u64 << n)
    }

    proptest! {
        #[test]
        fn what_is_likely_is_so_on_any_processor(text in "[:/<> lLpPoOiIZ0\\n\\x01\\x7f\u{e9}]{72,99}") {
            let bytes = text.as_bytes();
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has just said that it has AVX2.
                let likely = unsafe { likely_colons(around(bytes, BEFORE).unwrap()) };
                prop_assert_eq!(likely, generic::likely(bytes, BEFORE));
            }
        }

        #[test]
        fn colons_are_colons(text in "[:a]{1,140}", at in 0_usize..140) {
            let at = at % text.len();
            prop_assert_eq!(colons_sse2(text.as_bytes(), at), colons(text.as_bytes(), at));
        }

        #[test]
        fn masks_are_made_byte_by_byte(block: [u8; WIDTH]) {
            if !is_x86_feature_detected!("avx2") {
                return Ok(());
            }
            // SAFETY: the processor has just said that it has AVX2.
            let (any, tail) = unsafe { (has_colon_avx2(&block), tail(&block)) };
            let is_in = |class: [bool; 128]| move |b: u8| class.get(usize::from(b)) == Some(&true);
            prop_assert_eq!(any, block.contains(&b':'));
            prop_assert_eq!(tail.run, naive(&block, is_in(plain::RUNS)));
            prop_assert_eq!(tail.host, naive(&block, is_in(plain::HOSTS)));
            prop_assert_eq!(tail.dots, naive(&block, |b| b == b'.'));
            prop_assert_eq!(tail.hyphens, naive(&block, |b| b == b'-'));
            prop_assert_eq!(tail.ampersands, naive(&block, |b| b == b'&'));
            prop_assert_eq!(tail, generic::tail(&block));
        }
    }
}
