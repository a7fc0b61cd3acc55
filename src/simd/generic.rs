//! The first stage, as any processor can do it.
//!
//! All bytes of a word of 64 are treated alike, without a branch, so that the
//! compiler can take as many at a time as the vectors of the processor hold. The
//! answer is a mask with a bit for each byte, the first in the lowest.

use crate::bytes::class;
#[cfg(any(test, not(target_arch = "x86_64")))]
use crate::plain::{self, Tail};
use crate::scan::index::{NEAR, WIDTH};

/// How many bytes around a word are looked at: before it, and in all.
pub(crate) const BEFORE: usize = 7;
pub(crate) const AROUND: usize = BEFORE + WIDTH + 1;

/// Whether a word has a colon at all; most have none.
#[inline(always)]
pub(crate) fn has_colon(word: &[u8; WIDTH]) -> bool {
    word.iter().fold(0, |any, &b| any | u8::from(b == b':')) != 0
}

/// The colons of the word at `at` that may belong to a URL, and perhaps others.
pub(crate) fn likely(bytes: &[u8], at: usize) -> u64 {
    around(bytes, at).map_or_else(|| colons(bytes, at), likely_colons)
}

/// The word at `at` with the bytes before and behind it.
#[inline(always)]
pub(crate) fn around(bytes: &[u8], at: usize) -> Option<&[u8; AROUND]> {
    bytes.get(at.checked_sub(BEFORE)?..)?.first_chunk()
}

/// The colons of the word in the middle of `around` that have a slash behind them,
/// or a letter before and no blank behind, or a bracket near.
///
/// Anything from `A` on counts as a letter, and what is not ASCII as a blank.
fn likely_colons(around: &[u8; AROUND]) -> u64 {
    let part = |n: usize| -> &[u8; WIDTH] { around[n..].first_chunk().expect("it is long enough") };
    let (before, here, behind) = (part(BEFORE - 1), part(BEFORE), part(BEFORE + 1));
    let [four, five, seven] = NEAR.map(|n| part(BEFORE - n));
    let mut found = [0; WIDTH];
    for n in 0..WIDTH {
        let letter = (before[n] as i8) > b'@' as i8;
        let goes_on = (behind[n] as i8) > b' ' as i8;
        let near = (four[n] == b'<') | (five[n] == b'<') | (seven[n] == b'<') | (behind[n] == b'/');
        found[n] = u8::from((here[n] == b':') & (near | (letter & goes_on)));
    }
    mask_of(&found)
}

/// What the bytes of a word are that stands behind a `://`.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub(crate) fn tail(word: &[u8; WIDTH]) -> Tail {
    let within =
        |class: &[bool; 128]| mask_of(&word.map(|b| class.get(usize::from(b)).map_or(0, |&is| is.into())));
    let equal = |other| mask_of(&word.map(|b| u8::from(b == other)));
    Tail {
        run: within(&plain::RUNS),
        host: within(&plain::HOSTS),
        dots: equal(b'.'),
        hyphens: equal(b'-'),
        ampersands: equal(b'&'),
    }
}

/// The bytes that are 1; the others are 0.
#[inline(always)]
fn mask_of(found: &[u8; WIDTH]) -> u64 {
    let (words, _) = found.as_chunks::<8>();
    words.iter().rev().fold(0, |mask, &word| mask << 8 | gather(u64::from_le_bytes(word)))
}

/// Where there are colons in the word at `at`, which may be shorter at the end.
pub(crate) fn colons(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    match rest.first_chunk() {
        Some(word) => colon_mask(word),
        None => {
            let mut word = [0; WIDTH];
            word[..rest.len()].copy_from_slice(rest);
            colon_mask(&word)
        }
    }
}

#[inline(always)]
fn colon_mask(word: &[u8; WIDTH]) -> u64 {
    let (words, _) = word.as_chunks::<8>();
    words.iter().rev().fold(0, |mask, &word| mask << 8 | gather(class::equal(word, b':') >> 7))
}

/// Brings the lowest bits of eight bytes together; there are no others.
#[inline(always)]
fn gather(bits: u64) -> u64 {
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grammar::schemes::Schemes;
    use crate::scan::index::survives;

    #[test]
    fn a_mask_has_a_bit_for_each_colon() {
        let mut word = [b';'; WIDTH];
        for at in [0, 7, 8, 31, 63] {
            word[at] = b':';
        }
        assert!(has_colon(&word));
        assert_eq!(colon_mask(&word), 1 | 1 << 7 | 1 << 8 | 1 << 31 | 1 << 63);
        assert!(!has_colon(&[0xBA; WIDTH]));
        assert_eq!(colon_mask(&[0xBA; WIDTH]), 0);
    }

    proptest! {
        #[test]
        fn what_survives_is_likely(text in "[:/<> lLpPoOiIZ0\\n\\x01\\x7f\u{e9}]{72,99}") {
            let bytes = text.as_bytes();
            let (colons, likely) = (colons(bytes, BEFORE), likely(bytes, BEFORE));
            let survive = |n: &usize| colons >> n & 1 == 1 && survives(bytes, n + BEFORE, &Schemes::default());
            let survivors = (0..WIDTH).filter(survive).fold(0, |mask, n| mask | 1 << n);
            prop_assert_eq!((likely & !colons, survivors & !likely), (0, 0));
        }
    }
}
