//! The first stage: an index of the colons that may belong to a URL.
//!
//! Every form of a URL has a colon, and most colons of mail belong to none:
//! header fields, times of day, prose. So the text is taken a block at a time,
//! and of the colons in a block only those are kept whose neighbours allow a
//! URL. The second stage ([`super::candidate`]) looks at what is left with the
//! whole text around it. The two are kept apart because a stage that does
//! nothing but compare neighbours can be done for many bytes at once.
//!
//! A colon is kept if
//!
//! - `/` follows it: `scheme://`, `file:/`; or
//! - whitespace follows, or another byte that no URL has, and `<` stands four,
//!   five or seven bytes before: `<URL: http://h.org/>`, `<mailto: a@h.org>`; or
//! - something else follows, and the byte before may end a known scheme that
//!   does without a slash, or the prefix `URL:` or `URI:`.
//!
//! URLs without a scheme, which have no colon, are looked for only if they are
//! wanted; then dots and at-signs are in the index too.

use memchr::memchr2_iter;

use super::{Schemes, Wanted};
use crate::class;
use crate::window::Window;

/// How many bytes are indexed at a time.
const BLOCK: usize = 32 * 1024;

/// How many bytes before a colon a `<` may stand that makes a blank behind it
/// worth a look: `<URL:` and `<ftp:`, `< URL:` and `<http:`, `<mailto:`.
pub(super) const NEAR: [usize; 3] = [4, 5, 7];

/// How many bytes before a colon are looked at.
pub(super) const BEFORE: usize = 7;

/// How many bytes are looked at together.
const WIDTH: usize = 64;

/// The colons of a block that may belong to a URL, and whatever else one may be
/// known by, in order.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pivots: Vec<usize>,
    next: usize,
    /// All colons before this offset have been indexed.
    covered: usize,
}

impl Index {
    /// The next colon that may belong to a URL, or `None` when the bytes at
    /// hand have no more. It stays the next one until [`Index::pass`].
    pub(crate) fn peek(&mut self, window: &Window<'_>, wanted: &Wanted) -> Option<usize> {
        while self.next == self.pivots.len() {
            let end = indexable(window).min(self.covered + BLOCK);
            if end <= self.covered {
                return None;
            }
            self.pivots.clear();
            self.next = 0;
            fill(window.bytes(), self.covered, end, &wanted.schemes, &mut self.pivots);
            fill_implied(window.bytes(), self.covered, end, wanted, &mut self.pivots);
            self.covered = end;
        }
        Some(self.pivots[self.next])
    }

    /// Goes on behind the colon that [`Index::peek`] gave.
    pub(crate) fn pass(&mut self) {
        self.next += 1;
    }

    /// Leaves out the colons before `at`.
    pub(crate) fn skip_to(&mut self, at: usize) {
        while self.pivots.get(self.next).is_some_and(|&colon| colon < at) {
            self.next += 1;
        }
        self.covered = self.covered.max(at);
    }

    /// The offset from which on nothing has been given out.
    pub(crate) fn reached(&self) -> usize {
        self.pivots.get(self.next).copied().unwrap_or(self.covered)
    }

    /// Says that the first `n` bytes of the window have been dropped, all of
    /// them before [`Index::reached`].
    pub(crate) fn dropped(&mut self, n: usize) {
        self.pivots.drain(..self.next);
        self.next = 0;
        for colon in &mut self.pivots {
            *colon -= n;
        }
        self.covered -= n;
    }
}

/// Up to where colons can be judged: the byte behind each must be at hand.
fn indexable(window: &Window<'_>) -> usize {
    if window.is_last() { window.len() } else { window.len().saturating_sub(1) }
}

/// Appends the colons of `bytes[from..to]` that may belong to a URL.
fn fill(bytes: &[u8], from: usize, to: usize, schemes: &Schemes, colons: &mut Vec<usize>) {
    #[cfg(target_arch = "x86_64")]
    if schemes.end_in_letters() {
        // The first bytes have no neighbours that could be loaded with them.
        let first = to.min(from.max(BEFORE));
        fill_safe(bytes, from, first, schemes, colons);
        let each = |at, mask| keep(bytes, at, mask, schemes, colons);
        let rest = super::simd::colons(bytes, first, to, each);
        return fill_safe(bytes, rest, to, schemes, colons);
    }
    fill_safe(bytes, from, to, schemes, colons);
}

/// Puts in the dots and at-signs that URLs without a scheme may have, if such are
/// wanted.
fn fill_implied(bytes: &[u8], from: usize, to: usize, wanted: &Wanted, pivots: &mut Vec<usize>) {
    if !wanted.hosts && !wanted.addresses {
        return;
    }
    let survives = |&at: &usize| match bytes[at] {
        b'.' => wanted.hosts && at > 0 && matches!(bytes[at - 1], b'w' | b'W' | b'p' | b'P'),
        _ => wanted.addresses && at > 0 && bytes[at - 1].is_ascii_graphic(),
    };
    pivots.extend(memchr2_iter(b'.', b'@', &bytes[from..to]).map(|n| from + n).filter(survives));
    pivots.sort_unstable();
}

/// What [`fill`] does, without instructions that only some processors have.
fn fill_safe(bytes: &[u8], from: usize, to: usize, schemes: &Schemes, colons: &mut Vec<usize>) {
    let (blocks, rest) = bytes[from..to].as_chunks::<WIDTH>();
    for (n, block) in blocks.iter().enumerate() {
        if has_colon(block) {
            keep(bytes, from + n * WIDTH, colon_mask(block), schemes, colons);
        }
    }
    for at in to - rest.len()..to {
        keep(bytes, at, u64::from(bytes[at] == b':'), schemes, colons);
    }
}

/// Appends those of the colons at `at` and behind, a bit of `mask` for each
/// byte, that may belong to a URL.
#[inline(always)]
fn keep(bytes: &[u8], at: usize, mut mask: u64, schemes: &Schemes, colons: &mut Vec<usize>) {
    while mask != 0 {
        let colon = at + mask.trailing_zeros() as usize;
        if survives(bytes, colon, schemes) {
            colons.push(colon);
        }
        mask &= mask - 1;
    }
}

/// Whether `block` has a colon at all; most have none.
#[inline(always)]
fn has_colon(block: &[u8; WIDTH]) -> bool {
    block.iter().fold(0, |any, &b| any | u8::from(b == b':')) != 0
}

/// The bytes of `block` that are colons, the first in the lowest bit.
#[inline(always)]
fn colon_mask(block: &[u8; WIDTH]) -> u64 {
    let (words, _) = block.as_chunks::<8>();
    words.iter().rev().fold(0, |mask, word| {
        // One bit a byte is left, and the product brings the eight together.
        let found = class::equal(*word, b':') >> 7;
        mask << 8 | found.wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

#[inline(always)]
fn survives(bytes: &[u8], colon: usize, schemes: &Schemes) -> bool {
    let before = if colon == 0 { 0 } else { bytes[colon - 1] };
    match bytes.get(colon + 1) {
        Some(b'/') => true,
        Some(&b) if b <= b' ' || b >= 0x80 => bracket_before(bytes, colon),
        Some(_) => schemes.may_end_opaque(before),
        None => false,
    }
}

/// Whether `<` stands closely before `colon`.
#[inline(always)]
fn bracket_before(bytes: &[u8], colon: usize) -> bool {
    NEAR.iter().any(|&n| colon >= n && bytes[colon - n] == b'<')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kept(text: &str) -> Vec<usize> {
        let window = Window::whole(text.as_bytes());
        let wanted = Wanted::default();
        let mut index = Index::default();
        let mut colons = Vec::new();
        while let Some(colon) = index.peek(&window, &wanted) {
            colons.push(colon);
            index.pass();
        }
        colons
    }

    #[test]
    fn prose_and_header_fields_are_dropped() {
        assert_eq!(kept("Date: Tue, 1 Nov 1994 01:00:00 GMT\nTo: a@h.org\nat 12:30, C:\\x a::b"), [0; 0]);
    }

    #[test]
    fn whatever_may_be_a_url_is_kept() {
        assert_eq!(kept("http://h.org x-y://h.org mailto:a@h.org"), [4, 16, 31]);
        assert_eq!(kept("<URL:\nhttp://h.org>"), [4, 10]);
        assert_eq!(kept("<URL: http://h.org> <http: //h.org/>"), [4, 10, 25]);
        assert_eq!(kept("< URL: http://h.org> <mailto: a@h.org>"), [5, 11, 28]);
        assert_eq!(kept(":http:"), [0; 0]);
    }

    #[test]
    fn a_mask_has_a_bit_for_each_colon() {
        let mut block = [b';'; WIDTH];
        for at in [0, 7, 8, 31, 63] {
            block[at] = b':';
        }
        assert!(has_colon(&block));
        assert_eq!(colon_mask(&block), 1 | 1 << 7 | 1 << 8 | 1 << 31 | 1 << 63);
        assert!(!has_colon(&[0xBA; WIDTH]));
        assert_eq!(colon_mask(&[0xBA; WIDTH]), 0);
    }

    #[test]
    fn no_place_in_a_block_is_special() {
        for at in 0..2 * WIDTH {
            let text = format!("{}http://h.org{}", " ".repeat(at), " ".repeat(WIDTH));
            assert_eq!(kept(&text), [at + 4]);
        }
    }

    proptest! {
        #[test]
        fn with_and_without_special_instructions_alike(text in "[:/<> a-zURL0-9\\n.\\x01\u{e9}]{0,700}", from in 0..700_usize) {
            let bytes = text.as_bytes();
            let from = from.min(bytes.len());
            let schemes = Schemes::default();
            let (mut fast, mut safe) = (Vec::new(), Vec::new());
            fill(bytes, from, bytes.len(), &schemes, &mut fast);
            fill_safe(bytes, from, bytes.len(), &schemes, &mut safe);
            prop_assert_eq!(fast, safe);
        }
    }

    #[test]
    fn a_colon_at_the_end_of_a_part_waits_for_the_next_byte() {
        let wanted = Wanted::default();
        let mut index = Index::default();
        assert_eq!(index.peek(&Window::new(b"see http:", false), &wanted), None);
        assert_eq!(index.peek(&Window::new(b"see http:/", false), &wanted), Some(8));
    }
}
