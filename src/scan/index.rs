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

use std::ops::Range;

use memchr::memchr2_iter;

use super::ScanOptions;
use crate::bytes::window::Window;
use crate::grammar::schemes::Schemes;
use crate::plain::Plain;
use crate::simd::generic::{colons, has_colon, likely};
#[cfg(not(target_arch = "x86_64"))]
use crate::{plain, simd::generic::tail};

/// How many bytes are indexed at a time.
pub(crate) const BLOCK: usize = 16 * 1024;

/// How many bytes a mask stands for: a word.
pub(crate) const WIDTH: usize = 64;

/// How many words a block has.
const WORDS: usize = BLOCK / WIDTH;

/// How many colons of a block are looked at together: those of most blocks.
const ROOM: usize = 4 * WIDTH;

/// How many bytes before a colon a `<` may stand that makes a blank behind it
/// worth a look: `<URL:` and `<ftp:`, `< URL:` and `<http:`, `<mailto:`.
pub(crate) const NEAR: [usize; 3] = [4, 5, 7];

/// A colon that may belong to a URL, or whatever else one may be known by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    pub(crate) at: usize,
    /// The URL around it, if it is a plain one.
    pub(crate) plain: Option<Plain>,
}

/// The anchors of a block, in order.
#[derive(Debug, Default)]
pub(crate) struct Index {
    anchors: Vec<Anchor>,
    next: usize,
    /// All colons before this offset have been indexed.
    covered: usize,
    /// Whether plain URLs are looked for.
    plain: bool,
}

impl Index {
    /// An index of nothing yet, with or without [plain](super::plain) URLs.
    pub(crate) fn new(plain: bool) -> Self {
        Index { plain, ..Index::default() }
    }

    /// Forgets everything, but keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.anchors.clear();
        (self.next, self.covered) = (0, 0);
    }

    /// The next anchor, or `None` when the bytes at hand have no more. It stays
    /// the next one until [`Index::pass`].
    #[inline]
    pub(crate) fn peek(&mut self, window: &Window<'_>, wanted: &ScanOptions) -> Option<Anchor> {
        while self.next == self.anchors.len() {
            let end = indexable(window).min(block_end(window.bytes(), self.covered));
            if end <= self.covered {
                return None;
            }
            self.fill(window.bytes(), end, wanted);
        }
        Some(self.anchors[self.next])
    }

    /// The next anchor, if it has been found already.
    #[inline(always)]
    pub(crate) fn at_hand(&self) -> Option<Anchor> {
        self.anchors.get(self.next).copied()
    }

    /// Goes on behind the anchor that [`Index::peek`] or [`Index::at_hand`] gave.
    pub(crate) fn pass(&mut self) {
        self.next += 1;
    }

    /// Leaves out the anchors before `at`.
    #[inline]
    pub(crate) fn skip_to(&mut self, at: usize) {
        while self.anchors.get(self.next).is_some_and(|anchor| anchor.at < at) {
            self.next += 1;
        }
        self.covered = self.covered.max(at);
    }

    /// The offset from which on nothing has been given out.
    pub(crate) fn reached(&self) -> usize {
        self.anchors.get(self.next).map_or(self.covered, |anchor| anchor.at)
    }

    /// Says that the first `n` bytes of the window have been dropped, all of
    /// them before [`Index::reached`].
    pub(crate) fn dropped(&mut self, n: usize) {
        self.anchors.drain(..self.next);
        self.next = 0;
        for anchor in &mut self.anchors {
            anchor.at -= n;
        }
        self.covered -= n;
    }

    /// Indexes `bytes` up to `to`.
    #[inline(never)]
    fn fill(&mut self, bytes: &[u8], to: usize, wanted: &ScanOptions) {
        let block = std::mem::replace(&mut self.covered, to)..to;
        self.next = 0;
        let schemes = &wanted.schemes;
        match schemes.end_in_letters() {
            // What is likely takes that for granted.
            false => self.keep(bytes, block.clone(), schemes, has_colon, colons, |_| None),
            true if wanted.portable => self.keep_portable(bytes, block.clone(), schemes),
            true => self.keep_fast(bytes, block.clone(), schemes),
        }
        self.add_implied(bytes, block, wanted);
    }

    fn keep_portable(&mut self, bytes: &[u8], block: Range<usize>, schemes: &Schemes) {
        self.keep(bytes, block, schemes, has_colon, likely, |_| None);
    }

    #[cfg(target_arch = "x86_64")]
    fn keep_fast(&mut self, bytes: &[u8], block: Range<usize>, schemes: &Schemes) {
        crate::simd::avx2::keep(self, bytes, block, schemes);
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn keep_fast(&mut self, bytes: &[u8], block: Range<usize>, schemes: &Schemes) {
        let plain = |colon| plain::around(bytes, colon, tail);
        self.keep(bytes, block, schemes, has_colon, likely, plain);
    }

    /// Makes anchors of the colons of `bytes[block]` that may belong to a URL.
    ///
    /// `any` says whether 64 bytes have a colon at all, `likely` where in the 64
    /// bytes at an offset those are that have to be looked at, and `plain` whether
    /// there is a plain URL around one.
    #[inline(always)]
    pub(crate) fn keep(
        &mut self,
        bytes: &[u8],
        block: Range<usize>,
        schemes: &Schemes,
        any: impl Fn(&[u8; WIDTH]) -> bool,
        mut likely: impl FnMut(&[u8], usize) -> u64,
        plain: impl Fn(usize) -> Option<Plain>,
    ) {
        self.anchors.clear();
        let mut words = [0; WORDS + 1];
        let mut words = find_words(&bytes[block.clone()], &mut words, any);
        let mut room = [0; ROOM];
        while !words.is_empty() {
            let colons = find_colons(bytes, &block, &mut words, &mut room, &mut likely);
            for at in colons.iter().map(|&n| block.start + usize::from(n)).filter(|&at| at < block.end) {
                let plain = if self.plain { plain(at) } else { None };
                if plain.is_some() || survives(bytes, at, schemes) {
                    self.anchors.push(Anchor { at, plain });
                }
            }
        }
    }

    /// Puts in the dots and at-signs that URLs without a scheme may have, if such
    /// are wanted.
    fn add_implied(&mut self, bytes: &[u8], block: Range<usize>, wanted: &ScanOptions) {
        if !wanted.hosts && !wanted.addresses {
            return;
        }
        let survives = |&at: &usize| match bytes[at] {
            b'.' => wanted.hosts && at > 0 && matches!(bytes[at - 1], b'w' | b'W' | b'p' | b'P'),
            _ => wanted.addresses && at > 0 && bytes[at - 1].is_ascii_graphic(),
        };
        let from = block.start;
        let implied = memchr2_iter(b'.', b'@', &bytes[block]).map(|n| from + n).filter(survives);
        self.anchors.extend(implied.map(|at| Anchor { at, plain: None }));
        self.anchors.sort_unstable_by_key(|anchor| anchor.at);
    }
}

/// Where a block ends that begins at `from`: behind [`BLOCK`] bytes, or a little
/// earlier, so that the words of the next one are not on two lines of the cache.
fn block_end(bytes: &[u8], from: usize) -> usize {
    let end = from + BLOCK;
    end - (bytes.as_ptr().addr() + end) % WIDTH
}

/// Up to where colons can be judged: the byte behind each must be at hand.
fn indexable(window: &Window<'_>) -> usize {
    if window.is_last() { window.len() } else { window.len().saturating_sub(1) }
}

/// Those of the words of 64 bytes in `block` that have a colon, and the last one
/// if it is shorter.
///
/// Which do cannot be foretold, so each is written down, and then passed over or
/// not.
#[inline(always)]
fn find_words<'w>(
    block: &[u8],
    words: &'w mut [u16; WORDS + 1],
    any: impl Fn(&[u8; WIDTH]) -> bool,
) -> &'w [u16] {
    let (whole, rest) = block.as_chunks::<WIDTH>();
    let mut count = 0;
    for (n, word) in whole.iter().enumerate() {
        words[count] = n as u16;
        count += usize::from(any(word));
    }
    words[count] = whole.len() as u16;
    &words[..count + usize::from(!rest.is_empty())]
}

/// The colons that are `likely` in the first of those `words` of a block, as many
/// as there is `room` for; the words are taken. The last may go on behind the
/// block.
///
/// How many a word has cannot be foretold either; few have more than two.
#[inline(always)]
fn find_colons<'c>(
    bytes: &[u8],
    block: &Range<usize>,
    words: &mut &[u16],
    room: &'c mut [u16; ROOM],
    mut likely: impl FnMut(&[u8], usize) -> u64,
) -> &'c [u16] {
    let mut count = 0;
    while let Some((&word, rest)) = words.split_first()
        && count <= ROOM - WIDTH
    {
        *words = rest;
        let from = word * WIDTH as u16;
        let mut left = likely(bytes, block.start + usize::from(from));
        let end = count + left.count_ones() as usize;
        loop {
            for n in 0..2 {
                room[count + n] = from + left.trailing_zeros() as u16;
                left &= left.wrapping_sub(1);
            }
            if left == 0 {
                break;
            }
            count += 2;
        }
        count = end;
    }
    &room[..count]
}

/// Whether the colon at `colon` may belong to a URL, by its neighbours alone.
#[inline(always)]
pub(crate) fn survives(bytes: &[u8], colon: usize, schemes: &Schemes) -> bool {
    let before = |n: usize| colon.checked_sub(n).map(|at| bytes[at]);
    match bytes.get(colon + 1) {
        Some(b'/') => true,
        Some(b'!'..0x80) => before(1).is_some_and(|b| schemes.may_end_opaque(b)),
        _ => NEAR.into_iter().any(|n| before(n) == Some(b'<')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> Vec<usize> {
        let window = Window::whole(text.as_bytes());
        let wanted = ScanOptions::default();
        let mut index = Index::default();
        let mut colons = Vec::new();
        while let Some(colon) = index.peek(&window, &wanted) {
            colons.push(colon.at);
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
    fn no_place_in_a_block_is_special() {
        for at in 0..2 * WIDTH {
            let text = format!("{}http://h.org{}", " ".repeat(at), " ".repeat(WIDTH));
            assert_eq!(kept(&text), [at + 4]);
        }
    }

    #[test]
    fn a_colon_at_the_end_of_a_part_waits_for_the_next_byte() {
        let wanted = ScanOptions::default();
        let mut index = Index::default();
        let mut peek = |text| index.peek(&Window::new(text, false), &wanted).map(|anchor| anchor.at);
        assert_eq!(peek(b"see http:"), None);
        assert_eq!(peek(b"see http:/"), Some(8));
    }
}
