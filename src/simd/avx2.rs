//! The masks by AVX2: 32 bytes at a time.
//!
//! `unsafe` has two uses here: loads, each from an array that is at least as long as
//! the load, and calls of functions that need AVX2, which the processor has if there
//! is an [`Avx2`].

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{
    BEFORE, Backend, COLONS, ClassMembers, Kernel, Masks, NEAR, PART, RUN, Surrounded, UPPER_HALVES, Word,
};
use crate::bytes::class::HOST;

/// `"` and `<`, each at the index that equals its lower half. The other values differ from every
/// byte that selects their index.
const DELIMITERS: [u8; 16] = {
    let mut table = [0xFF; 16];
    table[b'"' as usize & 0x0F] = b'"';
    table[b'\'' as usize & 0x0F] = b'\'';
    table[b'<' as usize & 0x0F] = b'<';
    table
};

/// [`COLONS`], arranged in the same way.
const COLON_TABLE: [u8; 16] = {
    let ([colon, ampersand, backslash], mut table) = (COLONS, [0xFF; 16]);
    table[colon as usize & 0x0F] = colon;
    table[ampersand as usize & 0x0F] = ampersand;
    table[backslash as usize & 0x0F] = backslash;
    table
};

/// Proof that the processor has AVX2, BMI1 and POPCNT. BMI1 and POPCNT together save as much
/// time as AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof, if the processor has all three.
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Avx2(()))
    }

    /// Runs a kernel with these instructions.
    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { run(self, kernel) }
    }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn run<K: Kernel>(avx2: Avx2, kernel: K) -> K::Output {
    kernel.run(avx2)
}

impl Backend for Avx2 {
    #[inline(always)]
    fn has_colon(self, word: &Word) -> bool {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { has_colon(word) }
    }

    #[inline(always)]
    fn likely_colons(self, around: &Surrounded) -> u64 {
        // SAFETY: as above.
        unsafe { likely_colons(around) }
    }

    #[inline(always)]
    fn masks(self, word: &Word) -> Masks {
        // SAFETY: as above.
        unsafe { masks(word) }
    }

    #[inline(always)]
    fn others(self, part: &[u8; PART], wanted: &ClassMembers) -> u32 {
        // SAFETY: as above.
        unsafe { others(part, wanted) }
    }

    #[cfg(feature = "archive")]
    #[inline(always)]
    fn line_ends<const N: usize, const OTHERS: bool>(self, word: &Word, next: &Word, first: [u8; N]) -> u64 {
        // SAFETY: as above.
        unsafe { line_ends::<N, OTHERS>(word, next, first) }
    }

    #[inline(always)]
    fn prefetch(self, at: *const u8) {
        // SAFETY: a prefetch reads nothing, wherever it points.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn has_colon(word: &Word) -> bool {
    let [low, high] = load(word).map(|part| colons(part));
    _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn likely_colons(around: &Surrounded) -> u64 {
    let part = |n: usize| load(around[n..].first_chunk().expect("a word starts there"));
    let (before, here, after) = (part(BEFORE - 1), part(BEFORE), part(BEFORE + 1));
    let [four, five, seven] = NEAR.map(|n| part(BEFORE - n));
    mask_of([0, 1].map(|n| {
        let colon = colons(here[n]);
        let slash = _mm256_cmpeq_epi8(after[n], splat(b'/'));
        let space = _mm256_cmpeq_epi8(after[n], splat(b' '));
        let letter = _mm256_cmpgt_epi8(before[n], splat(b'@'));
        let [four, five] = [four[n], five[n]].map(|part| _mm256_cmpeq_epi8(part, splat(b'<')));
        // One lookup is cheaper than two comparisons: each byte selects the delimiter with its
        // lower half.
        let seven = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table(&DELIMITERS), seven[n]), seven[n]);
        let near = _mm256_or_si256(_mm256_or_si256(four, five), _mm256_or_si256(seven, slash));
        _mm256_and_si256(colon, _mm256_or_si256(near, _mm256_andnot_si256(space, letter)))
    }))
}

/// Marks the bytes of `part` that are one of [`COLONS`].
#[inline]
#[target_feature(enable = "avx2")]
fn colons(part: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table(&COLON_TABLE), part), part)
}

#[inline]
#[target_feature(enable = "avx2")]
fn masks(word: &Word) -> Masks {
    const RUNS: ClassMembers = ClassMembers::of(RUN);
    const HOSTS: ClassMembers = ClassMembers::of(HOST);
    let parts = load(word);
    let equal = |b: u8| mask_of(parts.map(|part| _mm256_cmpeq_epi8(part, splat(b))));
    let upper = parts.map(|part| upper_bits(part));
    let within = |wanted: &ClassMembers| !mask_of([0, 1].map(|n| not_in(wanted, parts[n], upper[n])));
    Masks {
        run: within(&RUNS),
        host: within(&HOSTS),
        dots: equal(b'.'),
        hyphens: equal(b'-'),
        ampersands: equal(b'&'),
        colons: equal(b':'),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn others(part: &[u8; PART], wanted: &ClassMembers) -> u32 {
    // SAFETY: the load is of 32 bytes, which `part` has.
    let part = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
    _mm256_movemask_epi8(not_in(wanted, part, upper_bits(part))) as u32
}

/// The bits in [`UPPER_HALVES`] of the upper halves of the bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn upper_bits(part: __m256i) -> __m256i {
    let halves = _mm256_and_si256(_mm256_srli_epi16::<4>(part), splat(0x0F));
    _mm256_shuffle_epi8(table(&UPPER_HALVES), halves)
}

/// The bytes of `part` that are not `wanted`; `upper` are their [`upper_bits`].
#[inline]
#[target_feature(enable = "avx2")]
fn not_in(wanted: &ClassMembers, part: __m256i, upper: __m256i) -> __m256i {
    // An index whose highest bit is set selects 0, and then `upper` is 0 too.
    let bits = _mm256_and_si256(_mm256_shuffle_epi8(table(&wanted.lower_halves), part), upper);
    _mm256_cmpeq_epi8(bits, _mm256_setzero_si256())
}

#[cfg(feature = "archive")]
#[inline]
#[target_feature(enable = "avx2")]
fn line_ends<const N: usize, const OTHERS: bool>(word: &Word, next: &Word, first: [u8; N]) -> u64 {
    let (word, next) = (load(word), load(next));
    mask_of([0, 1].map(|n| {
        let equal = |b| _mm256_cmpeq_epi8(next[n], splat(b));
        let any = first.map(equal).into_iter().fold(_mm256_setzero_si256(), |any, b| _mm256_or_si256(any, b));
        let feeds = _mm256_cmpeq_epi8(word[n], splat(b'\n'));
        if OTHERS { _mm256_andnot_si256(any, feeds) } else { _mm256_and_si256(any, feeds) }
    }))
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(b: u8) -> __m256i {
    _mm256_set1_epi8(b as i8)
}

#[inline]
#[target_feature(enable = "avx2")]
fn table(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: the load is of 16 bytes, which `bytes` has.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(word: &Word) -> [__m256i; 2] {
    let at = word.as_ptr().cast::<__m256i>();
    // SAFETY: the two loads are of 32 bytes each, and `word` has 64.
    unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
}

/// The highest bit of each byte, the first byte in the lowest bit.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_of(parts: [__m256i; 2]) -> u64 {
    let [low, high] = parts.map(|part| u64::from(_mm256_movemask_epi8(part) as u32));
    low | high << 32
}
