//! The first stage: an index of the colons that may belong to a URL.
//!
//! Every URL with a scheme has a colon, but most colons in mail are not part of a URL: they are in
//! header fields, times of day, and prose. So the text is read one block at a time, and only the
//! colons with neighbours that allow a URL are kept. The second stage ([`super::candidate`]) reads
//! the text around these. The stages are separate because a stage that only compares neighbours can
//! process many bytes at once.
//!
//! A colon is kept if
//!
//! - `/`, or a byte that may [encode](super::encoded) it, follows: `scheme://`, `file:/`, `ssh:&#x2F;`; or
//! - `<` is four, five or seven bytes before, or a quotation mark is seven bytes before
//!   and `o` one: `<URL: http://h.org/>`, `<file:a/b>`, `"mailto: a@h.org"`; or
//! - a line break follows, and a bracket is before the scheme: `(https:⏎//h.org/)`; or
//! - a visible character follows, and the byte before may end a known scheme that
//!   needs no slash, or the prefix `URL:` or `URI:`.
//!
//! `&` and `\`, which may begin an encoded colon (`https&#58;//h.org`), are kept after a letter and
//! before the next byte of the encoding.
//!
//! On request, the index also contains dots and at-signs (URLs without a scheme), brackets (defanged URLs) and slashes
//! (invalid text).

use std::ops::Range;

use memchr::{memchr_iter, memchr2_iter, memchr3, memchr3_iter};

use super::defanged::may_start;
use super::{Domains, ScanOptions};
use crate::bytes::class::SCHEME;
use crate::bytes::window::Window;
use crate::grammar::schemes::Schemes;
use crate::simd::{BEFORE, Backend, COLONS, Kernel, NEAR, QUOTED, WIDTH};

/// The number of bytes that are indexed at a time.
const BLOCK: usize = 16 * 1024;

/// The number of bytes that are indexed first, at the start of a text.
const FIRST_BLOCK: usize = 1024;

/// Texts up to this length, in bytes, are scanned by single colons.
const SHORT_TEXT: usize = 256;

/// The number of 64-byte words in a block.
const WORDS: usize = BLOCK / WIDTH;

/// The maximum number of colons that are processed together. Most blocks do not contain more.
const MAX_COLONS: usize = 4 * WIDTH;

/// The distance ahead of the loop at which memory is requested, in bytes.
const PREFETCH_DISTANCE: usize = 128 * WIDTH;

/// Recognises a URL while its block is indexed, so that the second stage is not needed.
///
/// The shortcut runs here because the block is in the cache, and because this code is compiled for
/// the backend.
pub(crate) trait Shortcut {
    type Output: Copy;

    /// Returns the plain URL around the colon at `colon`, if it certainly is one.
    fn around<B: Backend>(&self, backend: B, bytes: &[u8], colon: usize) -> Option<Self::Output>;

    /// [`around`](Self::around) near the start or the end of `bytes`. `ends` is true if the text
    /// ends there, as at the end of a line.
    fn near_edges<B: Backend>(
        &self,
        backend: B,
        bytes: &[u8],
        colon: usize,
        ends: bool,
    ) -> Option<Self::Output>;
}

/// A byte at which a URL may be: a colon or, on request, a dot, an at-sign, an opening bracket or a slash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor<T> {
    /// The offset in the window.
    pub(crate) at: usize,
    /// The result of the shortcut at this byte.
    pub(crate) shortcut: Option<T>,
}

/// The anchors of a block, in order.
#[derive(Debug)]
pub(crate) struct Index<T> {
    anchors: Vec<Anchor<T>>,
    next: usize,
    /// All colons before this offset have been indexed.
    covered: usize,
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Index { anchors: Vec::new(), next: 0, covered: 0 }
    }
}

impl<T: Copy> Index<T> {
    /// Clears the index, but keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.anchors.clear();
        (self.next, self.covered) = (0, 0);
    }

    /// The next anchor, or `None` if the buffered bytes contain no more. It stays the next one
    /// until it is [skipped](Index::skip_to).
    #[inline(always)]
    pub(crate) fn peek<S: Shortcut<Output = T>>(
        &mut self,
        window: &Window<'_>,
        options: &ScanOptions,
        shortcut: &S,
    ) -> Option<Anchor<T>> {
        let end = indexable(window);
        while self.next == self.anchors.len() && self.covered < end {
            if end - self.covered <= SHORT_TEXT && !options.has_implied() {
                return self.peek_at_end(window, end, options, shortcut);
            }
            let to = end.min(block_end(window.buffered(), self.covered));
            self.fill(window, to, options, shortcut);
        }
        self.indexed()
    }

    /// The next anchor of the last bytes, which is not stored, so that a short text does not need
    /// memory.
    #[inline(always)]
    fn peek_at_end<S: Shortcut<Output = T>>(
        &mut self,
        window: &Window<'_>,
        end: usize,
        options: &ScanOptions,
        shortcut: &S,
    ) -> Option<Anchor<T>> {
        let bytes = window.buffered();
        let at = next_likely_colon(bytes, self.covered..end, &options.schemes);
        self.covered = at.unwrap_or(end);
        Some(anchor_at(NearEdges { bytes, ends: ends(window), at: at?, shortcut }, options))
    }

    /// The next anchor, if it has been indexed already.
    #[inline(always)]
    pub(crate) fn indexed(&self) -> Option<Anchor<T>> {
        self.anchors.get(self.next).copied()
    }

    /// Skips the anchors before `at`.
    #[inline]
    pub(crate) fn skip_to(&mut self, at: usize) {
        while self.anchors.get(self.next).is_some_and(|anchor| anchor.at < at) {
            self.next += 1;
        }
        self.covered = self.covered.max(at);
    }

    /// The offset up to which everything has been consumed.
    pub(crate) fn reached(&self) -> usize {
        self.indexed().map_or(self.covered, |anchor| anchor.at)
    }

    /// Subtracts `n` from all offsets, after the first `n` bytes of the window were
    /// dropped. All of them must be before [`Index::reached`].
    pub(crate) fn shift_back(&mut self, n: usize) {
        self.anchors.drain(..self.next);
        self.next = 0;
        for anchor in &mut self.anchors {
            anchor.at -= n;
        }
        self.covered -= n;
    }

    /// Indexes the buffered bytes up to `to`.
    #[inline(always)]
    fn fill<S: Shortcut<Output = T>>(
        &mut self,
        window: &Window<'_>,
        to: usize,
        options: &ScanOptions,
        shortcut: &S,
    ) {
        let bytes = window.buffered();
        let block = std::mem::replace(&mut self.covered, to)..to;
        self.next = 0;
        self.anchors.clear();
        let (schemes, anchors) = (&options.schemes, &mut self.anchors);
        // `likely` assumes that every scheme ends in a letter.
        if schemes.end_in_letters() && block.len() > SHORT_TEXT {
            options.read.simd.run(Fill { bytes, block: block.clone(), schemes, shortcut, anchors });
        } else {
            anchors.extend(each_colon(window, block.clone(), options, shortcut));
        }
        if options.has_implied() {
            self.add_implied(bytes, block, options);
        }
    }

    /// Adds the dots and at-signs of URLs without a scheme, and the brackets of defanged URLs, if the search
    /// includes them.
    fn add_implied(&mut self, bytes: &[u8], block: Range<usize>, options: &ScanOptions) {
        let domains = options.domains != Domains::None;
        let of_label = |b: u8| b.is_ascii_alphanumeric() || b >= 0x80 || b == b'-';
        let is_wanted = |&at: &usize| match bytes[at] {
            b'.' if at == 0 => false,
            b'.' if options.ips && bytes[at - 1].is_ascii_digit() => true,
            b'.' if domains => {
                at > 0 && of_label(bytes[at - 1]) && bytes.get(at + 1).is_some_and(|&b| of_label(b))
            }
            b'.' => options.hosts && matches!(bytes[at - 1], b'w' | b'W' | b'p' | b'P' | b'0'..=b'9'),
            _ => options.emails && at > 0 && (bytes[at - 1].is_ascii_graphic() || bytes[at - 1] >= 0x80),
        };
        let from = block.start;
        if options.broken_schemes {
            let is_broken = |&at: &usize| at > 0 && ends_scheme(bytes[at - 1]) && ends_line(&bytes[at + 1..]);
            self.merge(memchr_iter(b':', &bytes[block.clone()]).map(|n| from + n).filter(is_broken));
        }
        if options.hosts || options.emails || domains || options.ips {
            self.merge(memchr2_iter(b'.', b'@', &bytes[block.clone()]).map(|n| from + n).filter(is_wanted));
        }
        #[cfg(feature = "domains")]
        if options.invalid {
            // A fullwidth colon ends with 0x9A.
            let ends = |b: u8| ends_scheme(b) || b == 0x9A;
            let is_pair = |&at: &usize| at > 0 && ends(bytes[at - 1]) && bytes.get(at + 1) == Some(&b'/');
            self.merge(memchr_iter(b'/', &bytes[block.clone()]).map(|n| from + n).filter(is_pair));
        }
        if options.refang {
            let is_mark = |&at: &usize| bytes.get(at + 1).is_some_and(|&next| may_start(bytes[at], next));
            self.merge(memchr3_iter(b'[', b'(', b'{', &bytes[block]).map(|n| from + n).filter(is_mark));
        }
    }

    /// Appends anchors. Both the new and the existing anchors are in order.
    fn merge(&mut self, added: impl Iterator<Item = usize>) {
        let mut before = std::mem::take(&mut self.anchors).into_iter().peekable();
        for at in added {
            while let Some(anchor) = before.next_if(|anchor| anchor.at <= at) {
                self.anchors.push(anchor);
            }
            self.anchors.push(Anchor { at, shortcut: None });
        }
        self.anchors.extend(before);
    }
}

/// Returns true if `http`, `https` or `ftp` may end with `b`.
fn ends_scheme(b: u8) -> bool {
    matches!(b, b'p' | b'P' | b's' | b'S')
}

/// Returns true if only one space, if any, is before the end of the line that `text` starts with.
fn ends_line(text: &[u8]) -> bool {
    // After one space, the buffered bytes may end before the line break.
    matches!(text, [b'\n' | b'\r', ..] | [b' ' | b'\t'] | [b' ' | b'\t', b'\n' | b'\r', ..])
}

/// Returns the end of the block that starts at `from`: after [`BLOCK`] bytes, or a little earlier, so that no word of
/// the next block is on two cache lines. The first block is shorter, because a search may begin again after each header
/// field.
fn block_end(bytes: &[u8], from: usize) -> usize {
    let end = from + if from == 0 { FIRST_BLOCK } else { BLOCK };
    end - (bytes.as_ptr().addr() + end) % WIDTH
}

/// Returns true if the buffered bytes are the last of a text that nothing delimits.
fn ends(window: &Window<'_>) -> bool {
    window.is_last() && !window.is_value()
}

/// The end of the colons that can be tested: the byte after each must be buffered.
fn indexable(window: &Window<'_>) -> usize {
    if window.is_last() { window.len() } else { window.len().saturating_sub(1) }
}

/// The anchors of `block`, colon by colon. A short text contains few or no colons, so that words of bits would
/// take more time than they save.
#[inline(always)]
fn each_colon<S: Shortcut>(
    window: &Window<'_>,
    block: Range<usize>,
    options: &ScanOptions,
    shortcut: &S,
) -> impl Iterator<Item = Anchor<S::Output>> {
    let (bytes, ends) = (window.buffered(), ends(window));
    let mut rest = block;
    std::iter::from_fn(move || {
        let at = first_likely_colon(bytes, rest.clone(), &options.schemes)?;
        rest.start = at + 1;
        Some(anchor_at(NearEdges { bytes, ends, at, shortcut }, options))
    })
}

/// Calls [`next_likely_colon`] where the time of a call does not matter.
#[inline(never)]
fn first_likely_colon(bytes: &[u8], range: Range<usize>, schemes: &Schemes) -> Option<usize> {
    next_likely_colon(bytes, range, schemes)
}

/// The first of [`COLONS`] in `bytes[range]` that may belong to a URL.
#[inline(always)]
fn next_likely_colon(bytes: &[u8], range: Range<usize>, schemes: &Schemes) -> Option<usize> {
    let mut rest = &bytes[range.clone()];
    loop {
        // A search that begins at a colon does not have to look for it.
        let next = if let [b':', ..] = rest { 0 } else { next_colon(rest)? };
        rest = &rest[next + 1..];
        let at = range.end - rest.len() - 1;
        if may_belong_to_url(bytes, at, schemes) {
            return Some(at);
        }
    }
}

/// The anchor at a colon that may belong to a URL. Only such a colon can start a plain URL.
#[inline(never)]
fn anchor_at<S: Shortcut>(colon: NearEdges<'_, S>, options: &ScanOptions) -> Anchor<S::Output> {
    Anchor { at: colon.at, shortcut: options.read.simd.run(colon) }
}

/// Returns the first colon of a whole text that may belong to a URL, or one before it. Most colons of a short text are in
/// times of day and prose, and starting a search costs more than comparing their neighbours.
#[inline]
pub(crate) fn first_colon(bytes: &[u8], schemes: &Schemes) -> Option<usize> {
    match bytes.get(SHORT_TEXT..) {
        None => first_likely_colon(bytes, 0..bytes.len(), schemes),
        Some(rest) => first_likely_colon(bytes, 0..SHORT_TEXT, schemes)
            .or_else(|| next_colon(rest).map(|n| SHORT_TEXT + n)),
    }
}

/// The first of [`COLONS`] in `bytes`.
fn next_colon(bytes: &[u8]) -> Option<usize> {
    let [colon, ampersand, backslash] = COLONS;
    memchr3(colon, ampersand, backslash, bytes)
}

/// Adds the colons of `bytes[block]` that may belong to a URL to `anchors`.
struct Fill<'a, S: Shortcut> {
    bytes: &'a [u8],
    block: Range<usize>,
    schemes: &'a Schemes,
    shortcut: &'a S,
    anchors: &'a mut Vec<Anchor<S::Output>>,
}

impl<S: Shortcut> Kernel for Fill<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Fill { bytes, block, schemes, shortcut, anchors } = self;
        let mut words = [0; WORDS + 1];
        let mut words = find_words(backend, &bytes[block.clone()], &mut words);
        let mut prefetch = Prefetch::of(bytes, block.end);
        let mut buffer = [0; MAX_COLONS];
        while !words.is_empty() {
            let colons = find_colons(backend, bytes, block.start, &mut words, &mut buffer, &mut prefetch);
            anchors.reserve(colons.len());
            let colons = colons.iter().map(|&n| block.start + usize::from(n));
            for at in colons.filter(|&at| at < block.end) {
                // A plain URL has a slash after its colon, or the prefix before it. Each branch ends separately,
                // because the compiler spills more registers where they merge.
                let may_be_plain = bytes[at] == b':'
                    && (bytes.get(at + 1) == Some(&b'/') || bytes[..at].last() == Some(&b'L'));
                if !may_be_plain {
                    if may_belong_to_url(bytes, at, schemes) {
                        anchors.push(Anchor { at, shortcut: None });
                    }
                    continue;
                }
                let shortcut = shortcut.around(backend, bytes, at);
                if shortcut.is_some() || may_belong_to_url(bytes, at, schemes) {
                    anchors.push(Anchor { at, shortcut });
                }
            }
        }
    }
}

/// Reads the bytes around the colon at `at` of a short text.
struct NearEdges<'a, S: Shortcut> {
    bytes: &'a [u8],
    /// True if `bytes` ends the text, as at the end of a line.
    ends: bool,
    at: usize,
    shortcut: &'a S,
}

impl<S: Shortcut> Kernel for NearEdges<'_, S> {
    type Output = Option<S::Output>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Option<S::Output> {
        self.shortcut.near_edges(backend, self.bytes, self.at, self.ends)
    }
}

/// The words of 64 bytes in `block` that contain one of [`COLONS`], and the last word if it is shorter.
///
/// A branch here would be unpredictable. So the number of each word is written, and the next one
/// overwrites it if the word does not contain a colon.
///
/// The prefetch comes after the loads: before them it costs a fifth where the text is in memory.
#[inline(always)]
fn find_words<'w, B: Backend>(backend: B, block: &[u8], words: &'w mut [u16; WORDS + 1]) -> &'w [u16] {
    let (whole, rest) = block.as_chunks::<WIDTH>();
    let mut count = 0;
    for (n, word) in whole.iter().enumerate() {
        // At most 255 words precede a word, so the compiler sees that it fits.
        words[usize::from(count as u8)] = n as u16;
        let has_colon = backend.has_colon(word);
        backend.prefetch(word.as_ptr().wrapping_add(PREFETCH_DISTANCE));
        count += usize::from(has_colon);
    }
    words[count] = whole.len() as u16;
    &words[..count + usize::from(!rest.is_empty())]
}

/// The likely colons in the first of `words`, as many as fit into `buffer`. The words are consumed.
/// The last word may extend past the block.
///
/// The number of colons in a word cannot be predicted; few words contain more than two.
#[inline(always)]
fn find_colons<'c, B: Backend>(
    backend: B,
    bytes: &[u8],
    start: usize,
    words: &mut &[u16],
    buffer: &'c mut [u16; MAX_COLONS],
    prefetch: &mut Prefetch,
) -> &'c [u16] {
    let mut count = 0;
    while let Some((&word, rest)) = words.split_first()
        && count <= MAX_COLONS - WIDTH
    {
        *words = rest;
        let from = word * WIDTH as u16;
        let mut left = likely(backend, bytes, start + usize::from(from));
        prefetch.advance(backend);
        let end = count + left.count_ones() as usize;
        loop {
            for n in 0..2 {
                buffer[count + n] = from + left.trailing_zeros() as u16;
                left &= left.wrapping_sub(1);
            }
            if left == 0 {
                break;
            }
            count += 2;
        }
        count = end;
    }
    &buffer[..count]
}

/// The likely colons of the word at `at`.
#[inline(always)]
fn likely<B: Backend>(backend: B, bytes: &[u8], at: usize) -> u64 {
    let around = at.checked_sub(BEFORE).and_then(|from| bytes[from..].first_chunk());
    match around {
        Some(around) => backend.likely_colons(around),
        None => likely_at_edge(backend, bytes, at),
    }
}

/// Returns the likely colons of a word without neighbours, which is the first or the last one of
/// the text. They are tested in a shifted word that has neighbours. A colon at the very end of the
/// text does not belong to a URL.
#[inline(always)]
fn likely_at_edge<B: Backend>(backend: B, bytes: &[u8], at: usize) -> u64 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), _) if at < BEFORE => {
            colons(&bytes[at..BEFORE]) | backend.likely_colons(first) << (BEFORE - at)
        }
        (_, Some(last)) => {
            let start = bytes.len() - 1 - WIDTH;
            backend.likely_colons(last).checked_shr((at - start) as u32).unwrap_or(0)
        }
        _ => colons(&bytes[at..]),
    }
}

/// The [`COLONS`] in the first [`WIDTH`] bytes of `bytes`.
fn colons(bytes: &[u8]) -> u64 {
    let bytes = &bytes[..bytes.len().min(WIDTH)];
    bytes.iter().rev().fold(0, |mask, &b| mask << 1 | u64::from(COLONS.contains(&b)))
}

/// Prefetches the next block while the current one is read a second time.
struct Prefetch {
    next: *const u8,
    end: *const u8,
}

impl Prefetch {
    /// The number of words that are requested at a time: about as many as are between two with a
    /// colon.
    const STEP: usize = 4;

    /// The block that starts at `at`, except for what [`find_words`] has requested.
    fn of(bytes: &[u8], at: usize) -> Self {
        let start = bytes.as_ptr().wrapping_add(at);
        Prefetch { next: start.wrapping_add(PREFETCH_DISTANCE), end: start.wrapping_add(BLOCK) }
    }

    #[inline(always)]
    fn advance<B: Backend>(&mut self, backend: B) {
        if self.next < self.end {
            for _ in 0..Self::STEP {
                backend.prefetch(self.next);
                self.next = self.next.wrapping_add(WIDTH);
            }
        }
    }
}

/// Returns true if no delimiter is at the relevant distances before the colon at `colon`: nearly always the letters of
/// a word are there, `as follows:⏎`. A lower-case letter has the bits 0x60, and no delimiter has both.
#[inline(always)]
fn is_in_word(bytes: &[u8], colon: usize) -> bool {
    /// The two bits of the bytes four to seven before the colon.
    const LETTERS: u64 = 0x6060_6060 << 8;
    let head = bytes[..colon].last_chunk().map_or(0, |head| u64::from_le_bytes(*head));
    head & LETTERS == LETTERS
}

/// Returns true if a colon may be encoded where `byte` is before `next`: `&#58;`, `&colon;`, `\u003a`, `\x3a`.
fn begins_colon(byte: u8, next: Option<u8>) -> bool {
    matches!((byte, next), (b'&', Some(b'#' | b'c' | b'C')) | (b'\\', Some(b'u' | b'x')))
}

/// Returns true if the colon or encoded colon at `colon` may belong to a URL, considering only its neighbours.
#[inline(always)]
fn may_belong_to_url(bytes: &[u8], colon: usize, schemes: &Schemes) -> bool {
    let before = |n: usize| colon.checked_sub(n).map(|at| bytes[at]);
    let is_after_letter = before(1).is_some_and(|b| b.is_ascii_alphabetic());
    match bytes.get(colon + 1) {
        next if bytes[colon] != b':' => is_after_letter && begins_colon(bytes[colon], next.copied()),
        Some(b'/') => true,
        // Not a drive: `C:\`.
        Some(b'\\' | b'&') if is_after_letter && before(2).is_some_and(|b| SCHEME.has(b)) => true,
        Some(b'!'..0x80) if before(1).is_some_and(|b| schemes.may_end_opaque(b)) => true,
        _ if is_in_word(bytes, colon) => false,
        // A URL that is broken after its colon: `[ftp:⏎//h.org/]`, `(http:⏎…)`, `<https:⏎…>`.
        Some(b'\n' | b'\r')
            if is_after_letter
                && (4..=6).any(|n| before(n).is_some_and(|b| matches!(b, b'(' | b'[' | b'<'))) =>
        {
            true
        }
        _ => {
            let is_quoted = || matches!((before(QUOTED), before(1)), (Some(b'"' | b'\''), Some(b'o' | b'O')));
            NEAR.into_iter().any(|n| before(n) == Some(b'<')) || is_quoted()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scan::TextOptions;
    use crate::simd::Simd;

    /// No shortcut.
    impl Shortcut for () {
        type Output = ();

        fn around<B: Backend>(&self, _: B, _: &[u8], _: usize) -> Option<()> {
            None
        }

        fn near_edges<B: Backend>(&self, _: B, _: &[u8], _: usize, _: bool) -> Option<()> {
            None
        }
    }

    fn kept(text: &[u8], options: &ScanOptions) -> Vec<usize> {
        let window = Window::whole(text);
        let mut index = Index::default();
        let next = || {
            let colon = index.peek(&window, options, &())?.at;
            index.skip_to(colon + 1);
            Some(colon)
        };
        std::iter::from_fn(next).collect()
    }

    fn kept_by_default(text: &str) -> Vec<usize> {
        kept(text.as_bytes(), &ScanOptions::default())
    }

    #[test]
    fn prose_and_header_fields_are_dropped() {
        let text = "Date: Tue, 1 Nov 1994 01:00:00 GMT\nTo: a@h.org\nat 12:30, C:\\x a::b";
        assert_eq!(kept_by_default(text), [0; 0]);
    }

    #[test]
    fn whatever_may_be_a_url_is_kept() {
        assert_eq!(kept_by_default("http://h.org x-y://h.org mailto:a@h.org"), [4, 16, 31]);
        assert_eq!(kept_by_default("<URL:\nhttp://h.org>"), [4, 10]);
        assert_eq!(kept_by_default("<URL: http://h.org> <http: //h.org/>"), [4, 10, 25]);
        assert_eq!(kept_by_default("< URL: http://h.org> <mailto: a@h.org>"), [5, 11, 28]);
        assert_eq!(kept_by_default(":http:"), [0; 0]);
    }

    #[test]
    fn a_delimiter_in_reach_is_seen_among_letters() {
        for delimiter in [b'<', b'(', b'[', b'"'] {
            for at in 1..12 {
                let mut text = *b"abcdefghijklz:\n";
                text[13 - at] = delimiter;
                assert_eq!(is_in_word(&text, 13), !(4..=7).contains(&at), "{}", text.escape_ascii());
            }
        }
        assert!(!is_in_word(b"follows:\n", 7) && is_in_word(b" follows:\n", 8));
    }

    #[test]
    fn every_offset_in_a_block_is_indexed() {
        for at in 0..2 * WIDTH {
            let text = format!("{}http://h.org{}", " ".repeat(at), " ".repeat(WIDTH));
            assert_eq!(kept_by_default(&text), [at + 4]);
        }
    }

    #[test]
    fn a_colon_at_the_end_of_a_part_waits_for_the_next_byte() {
        let options = ScanOptions::default();
        let mut index = Index::default();
        let mut peek = |text| index.peek(&Window::new(text, false), &options, &()).map(|anchor| anchor.at);
        assert_eq!(peek(b"see http:"), None);
        assert_eq!(peek(b"see http:/"), Some(8));
    }

    #[test]
    fn a_scheme_that_a_line_end_cuts_off() {
        let options = ScanOptions { broken_schemes: true, ..ScanOptions::default() };
        for end in ["\n", "\r", " \n", " \r", "\t\n", "\t\r"] {
            let text = format!("http:{end}//h.org/");
            assert_eq!(kept(text.as_bytes(), &options), [4], "{end:?}");
            // The line may end after the buffered bytes.
            let window = Window::new(&text.as_bytes()[..6], false);
            let mut index = Index::default();
            assert_eq!(index.peek(&window, &options, &()).map(|anchor| anchor.at), Some(4), "{end:?}");
        }
    }

    proptest! {
        #[test]
        fn every_colon_that_survives_is_kept(text in "[:&#\\\\u/<>(\\[ lLpPoOiIZ0\\n\\x01\\x7f\u{e9}]{0,300}[^:]") {
            let schemes = Schemes::default();
            let colons = memchr3_iter(b':', b'&', b'\\', text.as_bytes());
            let survivors: Vec<_> = colons.filter(|&at| may_belong_to_url(text.as_bytes(), at, &schemes)).collect();
            for simd in [Simd::generic(), Simd::detect()] {
                let options = ScanOptions { read: TextOptions { simd, ..TextOptions::default() }, ..ScanOptions::default() };
                prop_assert_eq!(&kept(text.as_bytes(), &options), &survivors);
            }
        }
    }
}
