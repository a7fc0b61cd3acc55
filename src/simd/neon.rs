//! The masks by NEON: 16 bytes at a time, four vectors a word.
//!
//! NEON belongs to the instructions that this module is compiled for: the module exists
//! for no other targets, so there is nothing to detect. `unsafe` has two uses here:
//! loads, each from an array that is as long as the load, and calls of functions that
//! declare that they need NEON, as its intrinsics demand.

#![allow(unsafe_code)]

use std::arch::aarch64::*;

use super::{
    BEFORE, Backend, COLONS, ClassMembers, Kernel, Masks, NEAR, PART, QUOTED, RUN, Surrounded, UPPER_HALVES,
    Word,
};
use crate::bytes::class::HOST;

/// The bit that each byte of a vector has in the byte of the mask that it belongs to.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// NEON, which every processor of the target has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

impl Neon {
    pub(super) fn detect() -> Option<Self> {
        Some(Neon)
    }

    /// Runs a kernel, which needs no function of its own: all code here is compiled for
    /// NEON.
    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

impl Backend for Neon {
    #[inline(always)]
    fn has_colon(self, word: &Word) -> bool {
        // SAFETY: the target has NEON, or this module would not exist.
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

    /// Does nothing: stable Rust has no intrinsic for it on this processor.
    #[inline(always)]
    fn prefetch(self, _at: *const u8) {}
}

#[inline]
#[target_feature(enable = "neon")]
fn has_colon(word: &Word) -> bool {
    let [a, b, c, d] = load(word).map(|part| colons(part));
    let any = vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d));
    // The larger byte of each pair: 8 bytes are enough to see whether one is set.
    first_half(vpmaxq_u8(any, any)) != 0
}

#[inline]
#[target_feature(enable = "neon")]
fn likely_colons(around: &Surrounded) -> u64 {
    let part = |n: usize| load(around[n..].first_chunk().expect("a word starts there"));
    let (before, here, after) = (part(BEFORE - 1), part(BEFORE), part(BEFORE + 1));
    let near = NEAR.map(|n| part(BEFORE - n));
    let quoted = part(BEFORE - QUOTED);
    let equal = |part, b| vceqq_u8(part, vdupq_n_u8(b));
    // Bytes that are not ASCII are negative.
    let above = |part, b: u8| vcgtq_s8(vreinterpretq_s8_u8(part), vdupq_n_s8(b as i8));
    mask_of([0, 1, 2, 3].map(|n| {
        let glued = vbicq_u8(above(before[n], b'@'), equal(after[n], b' '));
        let quoted = vorrq_u8(equal(quoted[n], b'"'), equal(quoted[n], b'\''));
        let marked = vorrq_u8(equal(after[n], b'/'), quoted);
        let any =
            near.into_iter().fold(vorrq_u8(glued, marked), |any, near| vorrq_u8(any, equal(near[n], b'<')));
        vandq_u8(any, colons(here[n]))
    }))
}

/// Marks the bytes of `part` that are one of [`COLONS`].
#[inline]
#[target_feature(enable = "neon")]
fn colons(part: uint8x16_t) -> uint8x16_t {
    let [colon, ampersand, backslash] = COLONS.map(|b| vceqq_u8(part, vdupq_n_u8(b)));
    vorrq_u8(colon, vorrq_u8(ampersand, backslash))
}

#[inline]
#[target_feature(enable = "neon")]
fn masks(word: &Word) -> Masks {
    const RUNS: ClassMembers = ClassMembers::of(RUN);
    const HOSTS: ClassMembers = ClassMembers::of(HOST);
    let parts = load(word);
    let equal = |b: u8| mask_of(parts.map(|part| vceqq_u8(part, vdupq_n_u8(b))));
    let within = |wanted: &ClassMembers| mask_of(parts.map(|part| are_in(wanted, part)));
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
#[target_feature(enable = "neon")]
fn others(part: &[u8; PART], wanted: &ClassMembers) -> u32 {
    let (parts, _) = part.as_chunks();
    let [low, high] = [&parts[0], &parts[1]].map(|part| are_in(wanted, vector(part)));
    let none = vdupq_n_u8(0);
    !mask_of([low, high, none, none]) as u32
}

/// The bytes of `part` that are `wanted`.
#[inline]
#[target_feature(enable = "neon")]
fn are_in(wanted: &ClassMembers, part: uint8x16_t) -> uint8x16_t {
    let lower = vqtbl1q_u8(vector(&wanted.lower_halves), vandq_u8(part, vdupq_n_u8(0x0F)));
    let upper = vqtbl1q_u8(vector(&UPPER_HALVES), vshrq_n_u8::<4>(part));
    vtstq_u8(lower, upper)
}

#[cfg(feature = "archive")]
#[inline]
#[target_feature(enable = "neon")]
fn line_ends<const N: usize, const OTHERS: bool>(word: &Word, next: &Word, first: [u8; N]) -> u64 {
    let (word, next) = (load(word), load(next));
    mask_of([0, 1, 2, 3].map(|n| {
        let equal = |b| vceqq_u8(next[n], vdupq_n_u8(b));
        let any = first.map(equal).into_iter().fold(vdupq_n_u8(0), |any, b| vorrq_u8(any, b));
        let feeds = vceqq_u8(word[n], vdupq_n_u8(b'\n'));
        if OTHERS { vbicq_u8(feeds, any) } else { vandq_u8(feeds, any) }
    }))
}

#[inline]
#[target_feature(enable = "neon")]
fn vector(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the load is of 16 bytes, which `bytes` has.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(word: &Word) -> [uint8x16_t; 4] {
    let (parts, _) = word.as_chunks();
    [0, 1, 2, 3].map(|n| vector(&parts[n]))
}

/// A bit for each byte, the first byte in the lowest bit. Each byte is all ones or 0.
///
/// NEON has no instruction for this. Each byte keeps the one of its bits that its position among
/// eight has; then neighbours are added three times, which leaves eight bytes.
#[inline]
#[target_feature(enable = "neon")]
fn mask_of(parts: [uint8x16_t; 4]) -> u64 {
    let [a, b, c, d] = parts.map(|part| vandq_u8(part, vector(&BITS)));
    let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    first_half(vpaddq_u8(sums, sums))
}

/// The first eight bytes of a vector, the first of them the lowest.
#[inline]
#[target_feature(enable = "neon")]
fn first_half(part: uint8x16_t) -> u64 {
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(part))
}
