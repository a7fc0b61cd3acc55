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
//!   letter, then no space   .:.......:.:.::::...:.:::....:..
//!   < is near before        ................................
//!   likely                  ................:...............  → 16
//! ```
//!
//! The scan compares the word with `:` (and with the bytes that begin an encoded colon), and the
//! words that start one byte earlier and one byte later with the neighbours that a URL's colon may
//! have. These are unaligned loads of the same bytes, and comparisons of 16 or 32 bytes each; the
//! results are combined with `and` and `or`, and one bit of each byte is packed into a register:
//! AVX2 has `movemask` for it, NEON adds neighbours. `trailing_zeros` then names the next colon,
//! and `x & (x - 1)` removes it. No branch depends on a byte.
//!
//! # Classes of bytes
//!
//! [`Masks`] mark which of 64 bytes are in a class. For that a byte is split into its two halves. A
//! table of 16 has, for each lower half, one bit for each upper half that forms a member with it; a
//! second table has the one bit of each upper half. One instruction (`pshufb`, `tbl`) looks up all
//! bytes of a vector, and a byte is a member if the two results have a bit in common.
//!
//! # Choice at run time
//!
//! A [`Simd`] is the best backend of the processor, detected once. It runs a
//! [`Kernel`]: code that is generic over a [`Backend`] and is compiled once for each
//! backend, in a function that has the backend's instructions enabled. So the loops
//! around the questions are compiled with these instructions as well.
//!
//! | backend | used | how it works |
//! |---|---|---|
//! | [`generic`] | on every processor | safe code, which the compiler vectorizes for the target |
//! | `avx2` | on x86-64 with AVX2, BMI1 and POPCNT | intrinsics for 32 bytes |
//! | `neon` | on aarch64, little-endian | intrinsics for 16 bytes |
//! | `none` | on other processors | a type without values, so that no vector code is compiled |
//!
//! `lines` finds lines that start with certain bytes.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod generic;
#[cfg(feature = "archive")]
pub(crate) mod lines;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
)))]
mod none;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2 as Vectors;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use neon::Neon as Vectors;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
)))]
use none::NoVectors as Vectors;

use std::ops::Range;

use crate::bytes::class::{AMPERSAND, Class, PLAIN, QUESTION};
use crate::bytes::window::Window;

/// The number of bytes that a mask covers.
pub(crate) const WIDTH: usize = 64;

/// The bytes that a mask covers.
pub(crate) type Word = [u8; WIDTH];

/// The number of bytes before a word on which its likely colons depend.
pub(crate) const BEFORE: usize = 7;

/// A word with its neighbours: [`BEFORE`] bytes before it and one after.
pub(crate) type Surrounded = [u8; BEFORE + WIDTH + 1];

/// A colon, and the bytes that begin an encoded one: `&#58;`, `\u003a`.
pub(crate) const COLONS: [u8; 3] = *b":&\\";

/// The distances before a colon, in bytes, at which a `<` must be if a space follows the colon:
/// `<URL:` and `<ftp:`, `< URL:` and `<http:`, `<mailto:`.
pub(crate) const NEAR: [usize; 3] = [4, 5, 7];

/// The distance before a colon, in bytes, at which a `"` must be if a space follows the colon:
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
    pub(crate) colons: u64,
}

/// The bytes that a URL contains, including those that start queries and entities.
pub(crate) const RUN: Class = PLAIN.or(QUESTION).or(AMPERSAND);

/// The questions about many bytes at once.
pub(crate) trait Backend: Copy {
    /// Returns true if the word contains one of [`COLONS`].
    fn has_colon(self, word: &Word) -> bool;

    /// The [`COLONS`] of a word that may belong to a URL: those with a slash after them,
    /// with a `<` [near](NEAR) before them, with a `"` [there](QUOTED), or with a letter
    /// before them and no space after.
    ///
    /// Anything from `A` on in ASCII counts as a letter.
    fn likely_colons(self, around: &Surrounded) -> u64;

    /// The classes of the bytes of a word.
    fn masks(self, word: &Word) -> Masks;

    /// The bytes of `part` that are not `wanted`.
    fn others(self, part: &[u8; PART], wanted: &ClassMembers) -> u32;

    /// The line feeds of `word` that one of `first` follows, or that another byte follows if
    /// `OTHERS`; `next` is the word that starts one byte later.
    #[cfg(feature = "archive")]
    fn line_ends<const N: usize, const OTHERS: bool>(self, word: &Word, next: &Word, first: [u8; N]) -> u64;

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

impl Default for Simd {
    fn default() -> Self {
        Self::detect()
    }
}

impl Simd {
    /// The best backend for this processor.
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

/// One bit for each upper half in ASCII, and zero for the others.
#[allow(dead_code, reason = "only vector instructions look it up")]
const UPPER_HALVES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

/// The ASCII characters of a class, as vector instructions look them up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassMembers {
    class: Class,
    /// For each lower half, the bits in [`UPPER_HALVES`] of the upper halves that form a
    /// member with it.
    #[allow(dead_code, reason = "only vector instructions look it up")]
    lower_halves: [u8; 16],
}

impl ClassMembers {
    /// The members of `class`, which contains only ASCII bytes.
    pub(crate) const fn of(class: Class) -> Self {
        let mut lower_halves = [0; 16];
        let mut b = 0;
        while b < 0x80 {
            lower_halves[b & 0x0F] |= (class.has(b as u8) as u8) << (b >> 4);
            b += 1;
        }
        assert!(!class.has(0x80));
        ClassMembers { class, lower_halves }
    }
}

/// The number of bytes that are compared at once.
const PART: usize = 32;

/// Runs of bytes of a class.
///
/// The rules skip many runs: a host, a path, the text between delimiters. A loop over
/// the bytes ends with a branch that cannot be predicted, which costs more than the
/// loop. So most runs end in the first 32 bytes that are compared at once.
impl Simd {
    /// [`Window::skip`] for the bytes of a class.
    #[inline(always)]
    pub(crate) fn skip(self, window: &Window<'_>, from: usize, limit: usize, wanted: &ClassMembers) -> usize {
        // Adversarial text contains many runs of one byte or none.
        match window.buffered().get(from..limit.min(window.len())) {
            Some([first, ..]) if !wanted.class.has(*first) => from,
            Some([_, second, ..]) if !wanted.class.has(*second) => from + 1,
            Some(bytes) => self.skip_run(window, from..limit, bytes, wanted),
            None => window.skip(from, limit, |b| wanted.class.has(b)),
        }
    }

    #[inline(never)]
    fn skip_run(
        self,
        window: &Window<'_>,
        range: Range<usize>,
        bytes: &[u8],
        wanted: &ClassMembers,
    ) -> usize {
        let compared = match self.0 {
            Level::Generic => bytes.iter().take_while(|&&b| wanted.class.has(b)).count(),
            Level::Vectors(vectors) => match vectors.run(RunLength { bytes, wanted }) {
                Ok(n) => return range.start + n,
                Err(n) => n,
            },
        };
        window.skip(range.start + compared, range.end, |b| wanted.class.has(b))
    }
}

/// The length of the run of `wanted` bytes that `bytes` start with. The error is how many
/// of them were compared, all of them wanted, if too few are left to compare at once.
struct RunLength<'a> {
    bytes: &'a [u8],
    wanted: &'a ClassMembers,
}

impl Kernel for RunLength<'_> {
    type Output = Result<usize, usize>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let mut at = 0;
        while let Some(part) = self.bytes[at..].first_chunk() {
            let others = backend.others(part, self.wanted);
            if others != 0 {
                return Ok(at + others.trailing_zeros() as usize);
            }
            at += PART;
        }
        Err(at)
    }
}

/// Returns true if all bytes are ASCII: as `<[u8]>::is_ascii`, which compares fewer of them at
/// once.
#[cfg(feature = "archive")]
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    Simd::detect().run(IsAscii(bytes))
}

#[cfg(feature = "archive")]
struct IsAscii<'b>(&'b [u8]);

#[cfg(feature = "archive")]
impl Kernel for IsAscii<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: Backend>(self, _: B) -> bool {
        // The compiler vectorizes the loop.
        self.0.chunks(4096).all(|part| part.iter().fold(0, |all, b| all | b) < 0x80)
    }
}

/// Every backend, compared with a reference implementation.
#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bytes::class::HOST;

    /// The answers of a backend to all questions about a word and its neighbours.
    struct Ask<'a>(&'a Surrounded);

    #[derive(Debug, PartialEq, Eq)]
    struct Answers {
        has_colon: bool,
        likely: u64,
        masks: Masks,
        #[cfg(feature = "archive")]
        lines: u64,
        #[cfg(feature = "archive")]
        fields: u64,
    }

    impl Kernel for Ask<'_> {
        type Output = Answers;

        #[inline(always)]
        fn run<B: Backend>(self, backend: B) -> Answers {
            let word = |n: usize| self.0[n..].first_chunk().unwrap();
            Answers {
                has_colon: backend.has_colon(word(BEFORE)),
                likely: backend.likely_colons(self.0),
                masks: backend.masks(word(BEFORE)),
                #[cfg(feature = "archive")]
                lines: backend.line_ends::<2, false>(word(BEFORE), word(BEFORE + 1), *b"<:"),
                #[cfg(feature = "archive")]
                fields: backend.line_ends::<2, true>(word(BEFORE), word(BEFORE + 1), *b" \t"),
            }
        }
    }

    /// Computes the answers of a backend one byte at a time.
    fn naive(around: &Surrounded) -> Answers {
        let mask = |holds: &dyn Fn(usize) -> bool| {
            (0..WIDTH).filter(|n| holds(n + BEFORE)).fold(0, |mask, n| mask | 1_u64 << n)
        };
        let likely = |at: usize| {
            let (before, after) = (around[at - 1], around[at + 1]);
            let near = NEAR.iter().any(|n| around[at - n] == b'<') || b"\"'".contains(&around[at - QUOTED]);
            let glued = (b'A'..0x80).contains(&before) && after != b' ';
            COLONS.contains(&around[at]) && (after == b'/' || near || glued)
        };
        Answers {
            has_colon: around[BEFORE..][..WIDTH].iter().any(|b| COLONS.contains(b)),
            likely: mask(&likely),
            masks: Masks {
                run: mask(&|at| RUN.has(around[at])),
                host: mask(&|at| HOST.has(around[at])),
                dots: mask(&|at| around[at] == b'.'),
                hyphens: mask(&|at| around[at] == b'-'),
                ampersands: mask(&|at| around[at] == b'&'),
                colons: mask(&|at| around[at] == b':'),
            },
            #[cfg(feature = "archive")]
            lines: mask(&|at| around[at] == b'\n' && b"<:".contains(&around[at + 1])),
            #[cfg(feature = "archive")]
            fields: mask(&|at| around[at] == b'\n' && !b" \t".contains(&around[at + 1])),
        }
    }

    fn check(around: &Surrounded) {
        for simd in [Simd::generic(), Simd::detect()] {
            assert_eq!(simd.run(Ask(around)), naive(around), "{simd:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(around in prop::array::uniform32(any::<u8>())) {
            let around: Vec<u8> = around.into_iter().cycle().take(BEFORE + WIDTH + 1).collect();
            check(around.as_slice().try_into().unwrap());
        }

        #[test]
        fn bytes_that_matter(text in "[:/<>\" \\tlLpPoOiIZ0.&\\\\\\n\\x01\\x7f-]{72}") {
            check(text.as_bytes().try_into().unwrap());
        }
    }

    proptest! {
        #[test]
        fn runs_are_skipped_as_the_window_skips_them(
            run in "[a-c.-]{0,100}", rest in "[a :\u{e9}]{0,40}", from in 0_usize..120, limit in 0_usize..150, last: bool,
        ) {
            const HOSTS: ClassMembers = ClassMembers::of(HOST);
            let text = [run, rest].concat();
            for simd in [Simd::generic(), Simd::detect()] {
                let windows = [(); 2].map(|()| Window::new(text.as_bytes(), last));
                let skipped = simd.skip(&windows[0], from, limit, &HOSTS);
                prop_assert_eq!(skipped, windows[1].skip(from, limit, |b| HOST.has(b)));
                prop_assert_eq!(windows[0].take_needs_more(), windows[1].take_needs_more());
            }
        }
    }

    #[cfg(feature = "archive")]
    #[test]
    fn a_byte_beyond_ascii_at_every_offset() {
        for len in [0, 1, 31, 64, 100, 4096, 4200] {
            let mut bytes = vec![0x7F; len];
            assert!(is_ascii(&bytes), "{len}");
            for at in 0..len {
                bytes[at] = 0x80;
                assert!(!is_ascii(&bytes), "{at} of {len}");
                bytes[at] = 0;
            }
        }
    }

    #[test]
    fn every_byte_at_every_offset() {
        for byte in 0..=255 {
            for at in 0..WIDTH {
                let mut around = [b'x'; BEFORE + WIDTH + 1];
                around[BEFORE + at] = byte;
                check(&around);
            }
        }
    }
}
