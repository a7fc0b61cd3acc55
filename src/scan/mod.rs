//! Where may a URL start?
//!
//! Every form that a URL takes in a text has a colon, so the scan looks for
//! colons and reads backwards from them. It has two stages. The first,
//! [`index`], keeps of a block's colons those that may belong to a URL, by
//! their neighbours alone. The second, [`candidate`], says what stands before
//! one of them: a scheme, or the prefix `URL:`. What belongs to the URL is the
//! business of `appendix`.

pub(crate) mod index;
pub(crate) mod scheme;
#[cfg(target_arch = "x86_64")]
mod simd;

use scheme::Scheme;
pub use scheme::Schemes;

use crate::window::Window;

/// What stands before a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Candidate {
    /// The Appendix's prefix: `URL:`, or `URI:`, at `start`.
    Prefix { start: usize },
    /// A scheme.
    Scheme(Scheme),
}

/// The length of `URL` and of `URI`.
pub(crate) const PREFIX: usize = 3;

/// What stands before `colon`, read backwards to `floor` at most.
pub(crate) fn candidate(
    window: &Window<'_>,
    colon: usize,
    floor: usize,
    schemes: &Schemes,
) -> Option<Candidate> {
    if let Some(start) = prefix_before(window, colon, floor) {
        return Some(Candidate::Prefix { start });
    }
    let slashes = window.get(colon + 1) == Some(b'/') && window.get(colon + 2) == Some(b'/');
    scheme::before(window.bytes(), colon, floor, slashes, schemes).map(Candidate::Scheme)
}

/// Where the prefix `URL` or `URI` begins that ends before `colon`.
///
/// The Appendix: "it is recommended that URLs be preceeded with a prefix
/// consisting of the characters "URL:"."
pub(crate) fn prefix_before(window: &Window<'_>, colon: usize, floor: usize) -> Option<usize> {
    let start = colon.checked_sub(PREFIX).filter(|&start| start >= floor)?;
    let word = &window.bytes()[start..colon];
    let is_prefix = word.eq_ignore_ascii_case(b"url") || word.eq_ignore_ascii_case(b"uri");
    let alone = !window.before(start).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'-');
    (is_prefix && alone).then_some(start)
}
