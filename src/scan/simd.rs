//! The first stage, many bytes at once.
//!
//! The text is taken four vectors at a time. Comparisons of the bytes and of
//! those around them say which are colons that may belong to a URL, and only
//! where there is such a one is there more to do. A branch on the colons
//! themselves would be missed every other time: mail has about one in each
//! hundred bytes, and nine of ten die here.
//!
//! What is left is a superset of what the rules keep, and goes through the same
//! code as on processors without such instructions. So a mask may have a bit too
//! many, but never one too few.
//!
//! This is the only module with `unsafe` in it. It is of two kinds: loads, whose
//! bounds the loop keeps, and instructions that the processor has been asked
//! for.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::index::{BEFORE, NEAR};

/// How many vectors are looked at together.
const VECTORS: usize = 4;

/// How far ahead of the loop memory is asked for, in bytes, and how much of it
/// comes at a time.
const AHEAD: usize = 2048;
const LINE: usize = 64;

/// Calls `each` with offsets and masks of up to 32 bytes from there on: colons
/// that may belong to a URL, the first byte in the lowest bit. It is called for
/// as much of `bytes[from..to]` as can be looked at with its neighbours; gives
/// the offset behind that.
///
/// A colon between a byte that is no ASCII letter and one that is no slash may be
/// left out.
pub(super) fn colons(bytes: &[u8], from: usize, to: usize, each: impl FnMut(usize, u64)) -> usize {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it has AVX2.
        unsafe { colons_avx2(bytes, from, to, each) }
    } else {
        // SAFETY: every processor of this architecture has SSE2.
        unsafe { colons_in::<__m128i>(bytes, from, to, each) }
    }
}

#[target_feature(enable = "avx2")]
fn colons_avx2(bytes: &[u8], from: usize, to: usize, each: impl FnMut(usize, u64)) -> usize {
    // SAFETY: whoever got here has AVX2.
    unsafe { colons_in::<__m256i>(bytes, from, to, each) }
}

/// # Safety
///
/// The processor must have the instructions of `V`.
#[inline(always)]
unsafe fn colons_in<V: Vector>(
    bytes: &[u8],
    from: usize,
    to: usize,
    mut each: impl FnMut(usize, u64),
) -> usize {
    let width = V::WIDTH * VECTORS;
    // Behind a block there must be one byte, and before it as many as are looked
    // at for a `<`.
    let end = to.min(bytes.len().saturating_sub(1));
    let mut at = from;
    while at >= BEFORE && at + width <= end {
        // SAFETY: at ≥ BEFORE, and at + width < bytes.len(), so that every load
        // below is of bytes in `bytes`: they reach from at - BEFORE to at + width
        // + 1, the end exclusive. The caller vouches for the instructions.
        unsafe {
            let here = bytes.as_ptr().add(at);
            for n in 0..width / LINE {
                V::prefetch(here.wrapping_add(AHEAD + n * LINE));
            }
            let kept: [V; VECTORS] = std::array::from_fn(|n| kept(here.add(n * V::WIDTH)));
            if kept[0].or(kept[1]).or(kept[2].or(kept[3])).mask() != 0 {
                for (n, part) in kept.into_iter().enumerate() {
                    let mask = part.mask();
                    if mask != 0 {
                        each(at + n * V::WIDTH, mask);
                    }
                }
            }
        }
        at += width;
    }
    at
}

/// The colons of the vector at `at` that may belong to a URL.
///
/// Anything from `A` on counts as a letter, and what is not ASCII as a blank.
///
/// # Safety
///
/// From `at - BEFORE` to the byte behind the vector there must be bytes, and the
/// processor must have the instructions of `V`.
#[inline(always)]
unsafe fn kept<V: Vector>(at: *const u8) -> V {
    // SAFETY: as the caller says.
    unsafe {
        let colons = V::load(at).equal(V::splat(b':'));
        let behind = V::load(at.add(1));
        let slash = behind.equal(V::splat(b'/'));
        let letter = V::load(at.sub(1)).greater(V::splat(b'@'));
        let bracket = |n| V::load(at.sub(n)).equal(V::splat(b'<'));
        let near = NEAR.map(bracket).into_iter().fold(V::splat(0), |any, part| any.or(part));
        let blank = V::splat(b'!').greater(behind);
        colons.and(slash.or(blank.choose(near, letter)))
    }
}

/// Some bytes side by side, compared as signed ones. A comparison gives all bits
/// of a byte or none.
///
/// # Safety
///
/// The processor must have the instructions that a type stands for, and from the
/// address that is loaded there must be [`WIDTH`](Vector::WIDTH) bytes.
trait Vector: Copy {
    const WIDTH: usize;

    unsafe fn load(at: *const u8) -> Self;
    unsafe fn splat(byte: u8) -> Self;
    unsafe fn equal(self, other: Self) -> Self;
    unsafe fn greater(self, other: Self) -> Self;
    unsafe fn and(self, other: Self) -> Self;
    unsafe fn or(self, other: Self) -> Self;
    /// The bytes of `yes` where this has all bits, and those of `no` elsewhere.
    unsafe fn choose(self, yes: Self, no: Self) -> Self;
    /// The highest bit of each byte.
    unsafe fn mask(self) -> u64;

    #[inline(always)]
    unsafe fn prefetch(at: *const u8) {
        // SAFETY: a prefetch reads nothing, and every processor of this
        // architecture has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
}

/// Writes the same for both widths: the instructions differ in their names only.
macro_rules! vector {
    ($vector:ty, $load:ident, $splat:ident, $equal:ident, $greater:ident, $and:ident, $or:ident, $andnot:ident, $mask:ident, $bits:ty) => {
        // SAFETY, for each: the trait asks the caller for what is needed.
        impl Vector for $vector {
            const WIDTH: usize = size_of::<$vector>();

            #[inline(always)]
            unsafe fn load(at: *const u8) -> Self {
                unsafe { $load(at.cast()) }
            }

            #[inline(always)]
            unsafe fn splat(byte: u8) -> Self {
                unsafe { $splat(byte as i8) }
            }

            #[inline(always)]
            unsafe fn equal(self, other: Self) -> Self {
                unsafe { $equal(self, other) }
            }

            #[inline(always)]
            unsafe fn greater(self, other: Self) -> Self {
                unsafe { $greater(self, other) }
            }

            #[inline(always)]
            unsafe fn and(self, other: Self) -> Self {
                unsafe { $and(self, other) }
            }

            #[inline(always)]
            unsafe fn or(self, other: Self) -> Self {
                unsafe { $or(self, other) }
            }

            #[inline(always)]
            unsafe fn choose(self, yes: Self, no: Self) -> Self {
                unsafe { $or($and(self, yes), $andnot(self, no)) }
            }

            #[inline(always)]
            unsafe fn mask(self) -> u64 {
                unsafe { u64::from($mask(self) as $bits) }
            }
        }
    };
}

vector!(
    __m128i,
    _mm_loadu_si128,
    _mm_set1_epi8,
    _mm_cmpeq_epi8,
    _mm_cmpgt_epi8,
    _mm_and_si128,
    _mm_or_si128,
    _mm_andnot_si128,
    _mm_movemask_epi8,
    u16
);
vector!(
    __m256i,
    _mm256_loadu_si256,
    _mm256_set1_epi8,
    _mm256_cmpeq_epi8,
    _mm256_cmpgt_epi8,
    _mm256_and_si256,
    _mm256_or_si256,
    _mm256_andnot_si256,
    _mm256_movemask_epi8,
    u32
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What every width must give, one byte at a time.
    fn naive(bytes: &[u8], range: std::ops::Range<usize>) -> Vec<usize> {
        let kept = |&at: &usize| {
            let (before, behind) = (bytes[at - 1], bytes[at + 1]);
            let named = match (behind as i8) <= b' ' as i8 {
                true => NEAR.iter().any(|&n| bytes[at - n] == b'<'),
                false => before > b'@' && before.is_ascii(),
            };
            bytes[at] == b':' && (behind == b'/' || named)
        };
        range.filter(kept).collect()
    }

    /// The offsets that `run` gives for `bytes` from `from` on, and how far it
    /// came.
    fn offsets(run: impl Fn(&mut dyn FnMut(usize, u64)) -> usize) -> (Vec<usize>, usize) {
        let mut found = Vec::new();
        let end = run(&mut |at, mask| found.extend((0..64).filter(|n| mask >> n & 1 == 1).map(|n| at + n)));
        (found, end)
    }

    proptest! {
        #[test]
        fn both_widths_do_what_one_byte_at_a_time_does(text in "[:/<> lLpZ0\\n\\x01\\x7f\u{e9}]{0,900}", from in 7_usize..300) {
            let bytes = text.as_bytes();
            let from = from.min(bytes.len());
            // SAFETY: every processor of this architecture has SSE2.
            let narrow = offsets(|each| unsafe { colons_in::<__m128i>(bytes, from, bytes.len(), each) });
            let wide = offsets(|each| colons(bytes, from, bytes.len(), each));
            for (found, end) in [narrow, wide] {
                prop_assert_eq!(found, naive(bytes, from..end.max(from)));
            }
        }
    }
}
