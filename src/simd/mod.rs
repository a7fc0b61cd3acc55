//! Many bytes at once.
//!
//! The scan, the fast path and the archives ask a few questions about 64 bytes at a
//! time. The answers are masks: a `u64` with a bit for each byte, the first byte in
//! the lowest bit. The code that uses a mask is ordinary code. So this is the only
//! module with vector instructions, and the only one with `unsafe`.
//!
//! # One word becomes masks
//!
//! A *word* is 64 bytes. This one has 32, to fit the page, and its line feed is shown
//! as `␤`. A colon in a row is a bit that is set:
//!
//! ```text
//!   the bytes               to: me␤ see http://h.org/a, ok.
//!   is a colon              ..:.............:...............
//!   a / follows             ................::.....:........
//!   letter, then no blank   .:.......:.:.::::...:.:::....:..
//!   < is near before        ................................
//!   likely                  ................:...............  → 16
//! ```
//!
//! The scan compares the word with `:`, and the words that start one byte earlier
//! and one byte later with the neighbours that a URL's colon may have. These are
//! unaligned loads of the same bytes, and comparisons of 16 or 32 bytes each; the
//! results are combined with `and` and `or`, and one bit of each byte is packed into a
//! register: AVX2 has `movemask` for it, NEON adds neighbours. `trailing_zeros` then
//! names the next colon, and `x & (x - 1)` removes it. No branch depends on a byte.
//!
//! # Classes of bytes
//!
//! [`Masks`] say which of 64 bytes are in a class. For that a byte is cut into its
//! two halves. A table of 16 has, for each lower half, one bit for each upper half
//! that forms a member with it; a second table has the one bit of each upper half.
//! One instruction (`pshufb`, `tbl`) looks up all bytes of a vector, and a byte is a
//! member if the two results have a bit in common.
//!
//! # Choice at run time
//!
//! A [`Simd`] is the best backend of the processor, detected once. It runs a
//! [`Kernel`]: code that is generic over a [`Backend`] and is compiled once for each
//! backend, in a function that has the backend's instructions enabled. So the loops
//! around the questions are compiled with these instructions, too.
//!
//! | backend | used | how it works |
//! |---|---|---|
//! | [`generic`] | on every processor | safe code, which the compiler vectorizes for the target |
//! | `avx2` | on x86-64 with AVX2, BMI1 and POPCNT | intrinsics for 32 bytes |
//! | `neon` | on aarch64, little-endian | intrinsics for 16 bytes |

#[cfg(target_arch = "x86_64")]
mod avx2;
mod generic;
#[cfg(feature = "archive")]
pub(crate) mod lines;
#[allow(dead_code, reason = "only vector instructions look the halves up")]
mod members;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
mod skip;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2 as Vectors;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
)))]
use generic::Generic as Vectors;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use neon::Neon as Vectors;

pub(crate) use members::Members;
use skip::PART;

use crate::bytes::class::{AMPERSAND, Class, PLAIN, QUESTION};

/// How many bytes a mask is for.
pub(crate) const WIDTH: usize = 64;

/// The bytes that a mask is for.
pub(crate) type Word = [u8; WIDTH];

/// How many bytes before a word its likely colons depend on.
pub(crate) const BEFORE: usize = 7;

/// A word with its neighbours: [`BEFORE`] bytes before it and one after.
pub(crate) type Surrounded = [u8; BEFORE + WIDTH + 1];

/// How many bytes before a colon a `<` must be if a blank follows the colon: `<URL:`
/// and `<ftp:`, `< URL:` and `<http:`, `<mailto:`.
pub(crate) const NEAR: [usize; 3] = [4, 5, 7];

/// How many bytes before a colon a `"` may be that makes a blank after it worth a look:
/// `"mailto:`.
pub(crate) const QUOTED: usize = NEAR[2];

/// The classes of the bytes of a word that may be in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Masks {
    /// A URL always contains it, unless it starts a query or an entity: [`RUN`].
    pub(crate) run: u64,
    /// A host may have it.
    pub(crate) host: u64,
    pub(crate) dots: u64,
    pub(crate) hyphens: u64,
    pub(crate) ampersands: u64,
}

/// The bytes that a URL contains, including those that start queries and entities.
pub(crate) const RUN: Class = PLAIN.or(QUESTION).or(AMPERSAND);

/// The questions about many bytes at once.
pub(crate) trait Backend: Copy {
    /// Whether the word has a colon.
    fn has_colon(self, word: &Word) -> bool;

    /// The colons of a word that may belong to a URL: those with a slash after them,
    /// with a `<` [near](NEAR) before them, with a `"` [there](QUOTED), or with a letter
    /// before them and no blank after.
    ///
    /// Anything from `A` on counts as a letter, and what is not ASCII as a blank.
    fn likely_colons(self, around: &Surrounded) -> u64;

    /// The classes of the bytes of a word.
    fn masks(self, word: &Word) -> Masks;

    /// The bytes of `part` that are not `wanted`.
    fn others(self, part: &[u8; PART], wanted: &Members) -> u32;

    /// The line feeds of `word` that one of `first` follows; `next` is the word that
    /// starts one byte later.
    #[cfg(feature = "archive")]
    fn line_ends<const N: usize>(self, word: &Word, next: &Word, first: [u8; N]) -> u64;

    /// The line feeds of `word` that neither a space nor a tab follows; `next` is as above.
    #[cfg(feature = "archive")]
    fn field_ends(self, word: &Word, next: &Word) -> u64;

    /// Prefetches the memory at an address, which need not be valid.
    fn prefetch(self, at: *const u8);
}

/// Code that is compiled once for each backend.
pub(crate) trait Kernel {
    type Output;

    /// Runs the kernel. Implementations are `#[inline(always)]`, so that they are
    /// compiled with the instructions of the backend.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

/// The instructions that are used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd(Level);

#[derive(Clone, Copy, Debug)]
enum Level {
    Generic,
    Vectors(Vectors),
}

impl Simd {
    /// The best backend that this processor has.
    pub(crate) fn detect() -> Simd {
        Simd(Vectors::detect().map_or(Level::Generic, Level::Vectors))
    }

    /// The backend for every processor.
    pub(crate) const fn generic() -> Simd {
        Simd(Level::Generic)
    }

    /// Runs a kernel with this backend.
    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Generic => kernel.run(generic::Generic),
            Level::Vectors(vectors) => vectors.run(kernel),
        }
    }
}
