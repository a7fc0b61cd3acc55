//! Runs of bytes of a class.
//!
//! The rules skip many runs: a host, a path, the text between delimiters. A loop over
//! the bytes ends with a branch that cannot be predicted, which costs more than the
//! loop. So most runs end in the first 32 bytes that are compared at once.

use std::ops::Range;

use super::{Backend, Kernel, Level, Members, Simd};
use crate::bytes::window::Window;

/// How many bytes are compared at once.
pub(super) const PART: usize = 32;

impl Simd {
    /// The same as [`Window::skip`] for the bytes of a class.
    #[inline(always)]
    pub(crate) fn skip(self, window: &Window<'_>, from: usize, limit: usize, wanted: &Members) -> usize {
        // Adversarial text has many runs of no byte or one.
        match window.buffered().get(from..limit.min(window.len())) {
            Some([first, ..]) if !wanted.class.has(*first) => from,
            Some([_, second, ..]) if !wanted.class.has(*second) => from + 1,
            Some(bytes) => self.skip_run(window, from..limit, bytes, wanted),
            None => window.skip(from, limit, |b| wanted.class.has(b)),
        }
    }

    #[inline(never)]
    fn skip_run(self, window: &Window<'_>, range: Range<usize>, bytes: &[u8], wanted: &Members) -> usize {
        let compared = match self.0 {
            Level::Generic => bytes.iter().take_while(|&&b| wanted.class.has(b)).count(),
            Level::Vectors(vectors) => match vectors.run(Run { bytes, wanted }) {
                Ok(n) => return range.start + n,
                Err(n) => n,
            },
        };
        window.skip(range.start + compared, range.end, |b| wanted.class.has(b))
    }
}

/// The length of the run of `wanted` bytes that `bytes` start with. The error is how many
/// of them were compared, all of them wanted, if too few are left to compare at once.
struct Run<'a> {
    bytes: &'a [u8],
    wanted: &'a Members,
}

impl Kernel for Run<'_> {
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
