//! Decoded text, and the way back from it to its source.
//!
//! Every decoder writes a [`Decoded`]: the bytes that a reader of the mail would see, and a
//! [`SourceMap`] that records which bytes of the source encode each of them. The map is a list of
//! runs. In a run, a fixed number of bytes of text is encoded by a fixed number of bytes of source:
//! one by one where nothing was encoded, one by three in the `=3D` of quoted-printable, three by
//! four in a line of base64. If two bytes of text share bytes of the source, each maps to all
//! source bytes that contain any of its bits.
//!
//! If one decoder works on the output of another (HTML in quoted-printable), each has its map, and
//! a range is mapped through them one after the other.
//!
//! A map costs about as much as the text. Where only the text matters the map is opaque: all of the source encodes
//! each byte. An opaque map stays opaque, and appending its text to another map makes that map opaque. A decoder must
//! therefore not depend on the map to produce its text.

use std::ops::Range;

use crate::bytes::large;

/// The length of a short copy.
const SHORT: usize = 96;

/// The output of a decoder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) map: SourceMap,
}

impl Decoded {
    /// No text yet. Without `offsets`, all of `source` will encode each byte.
    pub(crate) fn of(source: &[u8], offsets: bool) -> Decoded {
        let map = if offsets { SourceMap::default() } else { SourceMap::opaque(0, source.len()) };
        Decoded { bytes: Vec::new(), map }
    }

    /// Returns this text, with room for `len` bytes if it is empty.
    pub(crate) fn with_room(self, len: usize) -> Decoded {
        Decoded { bytes: large::with_capacity(len), ..self }
    }

    /// The source without these ranges of it, which are in order.
    pub(crate) fn without(source: &[u8], ranges: impl IntoIterator<Item = Range<usize>>) -> Decoded {
        let mut decoded = Decoded::default();
        let mut from = 0;
        for range in ranges {
            decoded.copy(source, from..range.start);
            from = range.end;
        }
        decoded.copy(source, from..source.len());
        decoded
    }

    /// Appends the bytes at `range` of `source` verbatim.
    #[inline(always)]
    pub(crate) fn copy(&mut self, source: &[u8], range: Range<usize>) {
        let (len, added) = (self.bytes.len(), range.len());
        self.map.add(len, range.clone(), added);
        // Most ranges are short, and a fixed number of bytes needs no call.
        let part = source.get(range.start..).and_then(<[u8]>::first_chunk::<SHORT>);
        match part.filter(|_| added <= SHORT && self.bytes.capacity() - len >= SHORT) {
            Some(part) => {
                self.bytes.extend_from_slice(part);
                self.bytes.truncate(len + added);
            }
            None => self.extend(&source[range]),
        }
    }

    #[inline(never)]
    fn extend(&mut self, bytes: &[u8]) {
        large::prepare(&mut self.bytes, bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends `text`, which `source` encodes; its bytes share `source` equally.
    #[inline]
    pub(crate) fn put(&mut self, text: &[u8], source: Range<usize>) {
        self.map.add(self.bytes.len(), source, text.len());
        large::prepare(&mut self.bytes, text.len());
        self.bytes.extend_from_slice(text);
    }

    /// A part of the text, with the source of that part.
    pub(crate) fn slice(&self, range: Range<usize>) -> Decoded {
        let mut slice = Decoded::default();
        slice.append_part(self, range);
        slice
    }

    /// Returns this text, decoded from a source that is the text of `outer`, with the source of that.
    pub(crate) fn through(&self, outer: &Decoded) -> Decoded {
        let mut map = SourceMap::default();
        for (run, text) in self.map.runs_in(0..self.bytes.len()) {
            let source = run.source_of(text.clone());
            // Most of the text was copied.
            if self.bytes[text.clone()] == outer.bytes[source.clone()] {
                map.add_part(text.start, &outer.map, source);
                continue;
            }
            // A page has many links, and the source of each is all of the page then.
            if self.map.is_opaque() || outer.map.is_opaque() {
                map.add(text.start, outer.map.extent(source), text.len());
                continue;
            }
            let hull = outer.map.hull(source.clone());
            if hull.len() == source.len() || text.len() == 1 {
                map.add(text.start, hull, text.len());
            } else {
                // A fold in the outer source belongs only to the adjacent bytes.
                for byte in text {
                    map.add(byte, outer.map.hull(run.source_of(byte..byte + 1)), 1);
                }
            }
        }
        Decoded { bytes: self.bytes.clone(), map }
    }

    /// Appends `range` of `other`, whose source is part of this source.
    pub(crate) fn append_part(&mut self, other: &Decoded, range: Range<usize>) {
        self.map.add_part(self.bytes.len(), &other.map, range.clone());
        self.extend(&other.bytes[range]);
    }

    /// Returns this text, if its source begins at `at` of a longer one.
    pub(crate) fn moved(mut self, at: usize) -> Self {
        self.map.last.source += at;
        if let Some(runs) = &mut self.map.encoded {
            runs.blocks.iter_mut().for_each(|block| block.start.source += at);
            runs.end.source += at;
        }
        self
    }

    /// Appends `other`, whose source comes after the source of this map.
    pub(crate) fn append(&mut self, other: Decoded) {
        self.map.append(&other.map, self.bytes.len());
        self.bytes.extend(other.bytes);
    }
}

/// The map from a text to its source.
///
/// A text can have a run for every other byte, so a run takes only a few bytes: its length, its
/// distance from the run before it, and its ratio if that is not one to one. Every [`BLOCK_RUNS`]
/// runs, an entry of `blocks` records their position.
///
/// Many texts, such as the attributes of a page, have only one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    /// The runs but the last.
    encoded: Option<Box<Runs>>,
    /// The last run, which may grow; it may be empty.
    last: Run,
}

/// Encoded runs, in the order of the text.
#[derive(Clone, Debug, Default)]
struct Runs {
    blocks: Vec<BlockStart>,
    codes: Vec<u8>,
    count: usize,
    /// The end of the last run.
    end: Pair,
}

/// The number of runs that are in a block.
const BLOCK_RUNS: usize = 32;

/// The first run of a block.
#[derive(Clone, Copy, Debug)]
struct BlockStart {
    /// The start of the runs before it.
    start: Pair,
    /// The offset at which its code begins.
    code: usize,
}

/// The length of the longest code: four numbers.
const MAX_CODE_LEN: usize = 4 * MAX_NUMBER_LEN;

/// In [`Run::per`]: all bytes of source encode every byte of text.
const OPAQUE: usize = usize::MAX;

/// A position in the text and in the source.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    text: usize,
    source: usize,
}

/// A run of text with a fixed ratio of text to source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    /// The start and the end of the run in the text.
    text: (usize, usize),
    /// The offset at which it begins in the source.
    source: usize,
    /// `per.0` bytes of source are `per.1` bytes of text.
    per: (usize, usize),
}

impl Run {
    /// The source of a part of this run.
    pub(crate) fn source_of(&self, part: Range<usize>) -> Range<usize> {
        let (source, text) = self.per;
        if self.is_one_to_one() {
            // Nearly all runs are one to one, and a division would take longer than the rest of this
            // function.
            return self.source + (part.start - self.text.0)..self.source + (part.end - self.text.0);
        }
        if text == OPAQUE {
            return self.source..self.source + source;
        }
        let [from, to] = [part.start, part.end].map(|at| (at - self.text.0) * source);
        self.source + from / text..self.source + to.div_ceil(text)
    }

    fn is_one_to_one(&self) -> bool {
        self.per == (1, 1)
    }

    fn source_end(&self) -> usize {
        self.source_of(self.text.0..self.text.1).end
    }

    fn end(&self) -> Pair {
        Pair { text: self.text.1, source: self.source_end() }
    }

    /// Appends the code of a run after `before`.
    fn encode(&self, before: Pair, codes: &mut Vec<u8>) {
        let one_to_one = self.is_one_to_one();
        let head = (self.text.1 - self.text.0) << 1 | usize::from(!one_to_one);
        // Decoders seldom go back.
        let gap = self.source.wrapping_sub(before.source) as isize;
        let gap = (gap << 1 ^ gap >> (isize::BITS - 1)) as usize;
        if head | gap < 0x80 {
            codes.extend_from_slice(&[head as u8, gap as u8]);
        } else {
            push_number(codes, head as u64);
            push_number(codes, gap as u64);
        }
        if !one_to_one {
            push_number(codes, self.per.0 as u64);
            push_number(codes, self.per.1 as u64);
        }
    }

    /// The first run in `codes`, after `before`.
    fn decode(codes: &mut &[u8], before: Pair) -> Option<Run> {
        let head = pull_number(codes)?;
        let gap = pull_number(codes)?;
        let gap = (gap >> 1) as isize ^ -((gap & 1) as isize);
        let per = if head & 1 == 0 { (1, 1) } else { (pull_number(codes)?, pull_number(codes)?) };
        let source = before.source.wrapping_add(gap as usize);
        Some(Run { text: (before.text, before.text + (head >> 1)), source, per })
    }
}

impl Runs {
    fn push(&mut self, run: &Run) {
        if self.count.is_multiple_of(BLOCK_RUNS) {
            large::prepare(&mut self.blocks, 1);
            self.blocks.push(BlockStart { start: self.end, code: self.codes.len() });
        }
        large::prepare(&mut self.codes, MAX_CODE_LEN);
        run.encode(self.end, &mut self.codes);
        self.count += 1;
        self.end = run.end();
    }

    /// The block that contains the byte of text at `at`.
    fn block(&self, at: usize) -> BlockStart {
        self.blocks[self.blocks.partition_point(|block| block.start.text <= at).saturating_sub(1)]
    }

    /// The runs from the block that contains the byte of text at `at`.
    fn from(&self, at: usize) -> impl Iterator<Item = Run> {
        let BlockStart { start: mut before, code } = self.block(at);
        let mut codes = &self.codes[code..];
        std::iter::from_fn(move || {
            let run = Run::decode(&mut codes, before)?;
            before = run.end();
            Some(run)
        })
    }
}

impl SourceMap {
    /// A text of `len` bytes, each of which is encoded by all of the `source` bytes, including the
    /// text that is added.
    pub(super) fn opaque(len: usize, source: usize) -> SourceMap {
        SourceMap { encoded: None, last: Run { text: (0, len), source: 0, per: (source, OPAQUE) } }
    }

    /// The map of a text that is this part of its source.
    pub(super) fn part(range: Range<usize>) -> SourceMap {
        let mut map = SourceMap::default();
        map.add(0, range.clone(), range.len());
        map
    }

    /// Adds the runs of another map, whose text begins at `at`, the end of the text.
    fn append(&mut self, other: &SourceMap, at: usize) {
        for run in other.runs_from(0) {
            self.push(Run { text: (run.text.0 + at, run.text.1 + at), ..run });
        }
    }

    /// Adds a run after the last.
    fn push(&mut self, run: Run) {
        if self.last.text.1 > 0 {
            self.encoded.get_or_insert_default().push(&self.last);
        }
        self.last = run;
    }

    /// Adds `len` bytes of text at `at`, the end of the text, which `source` encodes.
    #[inline]
    pub(crate) fn add(&mut self, at: usize, source: Range<usize>, len: usize) {
        if self.is_opaque() {
            self.last.text.1 += len;
        } else if len > 0 {
            self.add_run(at, source, len);
        }
    }

    /// Adds such bytes to a map that is not opaque.
    fn add_run(&mut self, at: usize, source: Range<usize>, len: usize) {
        let per = if source.len() == len { (1, 1) } else { (source.len(), len) };
        let last = &mut self.last;
        if last.per == per && last.source_end() == source.start {
            last.text.1 += len;
            return;
        }
        self.push(Run { text: (at, at + len), source: source.start, per });
    }

    /// Adds `range` of the text of `other`, at `at`, the end of the text.
    fn add_part(&mut self, at: usize, other: &SourceMap, range: Range<usize>) {
        if self.is_opaque() {
            return self.add(at, 0..0, range.len());
        }
        if other.is_opaque() && !range.is_empty() {
            return self.push(Run { text: (at, at + range.len()), ..other.last });
        }
        if other.encoded.is_none() && other.last.is_one_to_one() {
            // Nearly all values of attributes were copied, so they have one run.
            return self.add(at, other.last.source_of(range.clone()), range.len());
        }
        for (run, text) in other.runs_in(range.clone()) {
            let at = at + text.start - range.start;
            let source = run.source_of(text.clone());
            if text.len() == source.len() || text.len() == 1 {
                self.add(at, source, text.len());
                continue;
            }
            // A part of a run with three bytes for each four loses this ratio if it begins or ends
            // elsewhere.
            for byte in text.clone() {
                self.add(at + byte - text.start, run.source_of(byte..byte + 1), 1);
            }
        }
    }

    pub(super) fn is_opaque(&self) -> bool {
        self.last.per.1 == OPAQUE
    }

    /// Returns the number of bytes that the codes of all runs but the last take.
    #[cfg(test)]
    pub(super) fn encoded_len(&self) -> usize {
        self.encoded.as_ref().map_or(0, |runs| runs.codes.len())
    }

    /// The runs from the block that contains the byte of text at `at`.
    fn runs_from(&self, at: usize) -> impl Iterator<Item = Run> {
        let encoded = self.encoded.iter().flat_map(move |runs| runs.from(at));
        encoded.chain((self.last.text.1 > 0).then_some(self.last))
    }

    /// The ranges of the source that encode `range` of the text.
    pub(crate) fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        merged(self.parts(range).map(|(_, source)| source))
    }

    /// The ranges of the source that encode each of these ranges of the text, in sequence. They are mostly in order and
    /// close together, so only the first is searched for, and the runs are read from there.
    pub(crate) fn sources_of(&self, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
        let [first, _, ..] = ranges else {
            // Most URLs are one range, and a search that does not stop between runs is faster for
            // these.
            return ranges.first().map_or_else(Vec::new, |range| self.sources(range.clone()));
        };
        let (mut sources, mut runs, mut run) = (Vec::new(), self.runs_from(first.start), Run::default());
        for range in ranges {
            let near = if run.text.0 <= range.start { BLOCK_RUNS + 1 } else { 0 };
            if run.text.1 <= range.start
                && let Some(next) = runs.by_ref().take(near).find(|run| run.text.1 > range.start)
            {
                run = next;
            }
            if !(run.text.0..run.text.1).contains(&range.start) {
                runs = self.runs_from(range.start);
                run = runs.find(|run| run.text.1 > range.start).unwrap_or_default();
            }
            let own = sources.len();
            while run.text.0 < range.end && range.start < run.text.1 {
                let source = run.source_of(range.start.max(run.text.0)..range.end.min(run.text.1));
                merge(&mut sources, own, source);
                // The next range may begin in the last run of this one.
                let Some(next) = (run.text.1 < range.end).then(|| runs.next()).flatten() else { break };
                run = next;
            }
        }
        sources
    }

    /// The range from the first byte of the source that encodes `range` to the last. The runs
    /// between them are not read.
    pub(super) fn extent(&self, range: Range<usize>) -> Range<usize> {
        let sources = |part| self.parts(part).map(|(_, source)| source).filter(|source| !source.is_empty());
        let Some(first) = sources(range.clone()).next() else { return 0..0 };
        // Backwards, block by block, because the last bytes may have no source.
        let mut end = range.end;
        loop {
            let block = self.encoded.as_ref().map_or(0, |runs| runs.block(end - 1).start.text);
            match sources(block.max(range.start)..end).last() {
                Some(last) => return first.start..last.end,
                None => end = block,
            }
        }
    }

    /// The range from the beginning of the first of these ranges to the end of the last; empty
    /// without ranges.
    pub(crate) fn hull(&self, range: Range<usize>) -> Range<usize> {
        let mut sources = self.parts(range).map(|(_, source)| source).filter(|source| !source.is_empty());
        let first = sources.next().unwrap_or_default();
        first.start..sources.fold(first.end, |end, source| end.max(source.end))
    }

    /// The runs in `range` of the text: the part of the text, and its source.
    pub(crate) fn parts(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        self.runs_in(range).map(|(run, part)| (part.clone(), run.source_of(part)))
    }

    /// The runs in `range` of the text, each with the part of it that is in there.
    pub(crate) fn runs_in(&self, range: Range<usize>) -> impl Iterator<Item = (Run, Range<usize>)> {
        let runs = self.runs_from(range.start).skip_while(move |run| run.text.1 <= range.start);
        runs.take_while(move |run| run.text.0 < range.end)
            .map(move |run| (run, range.start.max(run.text.0)..range.end.min(run.text.1)))
    }
}

/// Returns these ranges without empty ones, and merges ranges that touch or overlap.
pub(super) fn merged<N: Copy + Ord>(ranges: impl Iterator<Item = Range<N>>) -> Vec<Range<N>> {
    let mut merged = Vec::new();
    ranges.for_each(|range| merge(&mut merged, 0, range));
    merged
}

/// Adds a range to those from number `first` on.
fn merge<N: Copy + Ord>(ranges: &mut Vec<Range<N>>, first: usize, range: Range<N>) {
    match ranges[first..].last_mut() {
        _ if range.is_empty() => {}
        Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
        _ => ranges.push(range),
    }
}

// Numbers in few bytes: seven bits in each byte, the lowest first.

/// The length of the longest number, in bytes.
pub(super) const MAX_NUMBER_LEN: usize = 10;

/// Appends a number, seven bits a byte, the lowest first.
pub(super) fn push_number(codes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        codes.push(number as u8 | 0x80);
        number >>= 7;
    }
    codes.push(number as u8);
}

/// Removes the first number; `None` without a number.
pub(super) fn pull_number(codes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let (&byte, rest) = codes.split_first()?;
        *codes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The map equals a list of all runs, wherever a range begins and ends.
    #[test]
    fn many_runs() {
        let source = vec![b'a'; 10_000];
        let (mut decoded, mut expected) = (Decoded::default(), Vec::new());
        let mut at = 0;
        for n in 0..300 {
            let (skip, len) = (n % 3, 1 + n % 130);
            at += skip;
            match n % 4 {
                0 => decoded.copy(&source, at..at + len),
                1 => decoded.put(b"xyz", at..at + len),
                2 => decoded.put(b"\n", at..at),
                // Bytes that were decoded before.
                _ => decoded.put(b"ab", at - 4..at),
            }
            let start = expected.len();
            expected.resize(decoded.bytes.len(), 0..0);
            for (byte, sources) in expected[start..].iter_mut().enumerate() {
                *sources = match n % 4 {
                    0 => at + byte..at + byte + 1,
                    1 => at + byte * len / 3..at + ((byte + 1) * len).div_ceil(3),
                    2 => at..at,
                    _ => at - 4 + byte * 2..at - 2 + byte * 2,
                };
            }
            at += if n % 4 < 2 { len } else { 0 };
        }
        for start in 0..expected.len() {
            for end in [start + 1, start + 7, expected.len()] {
                let range = start..end.min(expected.len());
                let sources = merged(expected[range.clone()].iter().cloned());
                assert_eq!(decoded.map.sources(range), sources);
            }
        }
        // One pass over several ranges finds the same as a search for each of them.
        let len = expected.len();
        for step in [1, 3, 200, 5000] {
            let mut ranges: Vec<_> = (0..len).step_by(step).map(|at| at..(at + 2).min(len)).collect();
            for _ in 0..2 {
                let each: Vec<_> =
                    ranges.iter().flat_map(|range| decoded.map.sources(range.clone())).collect();
                assert_eq!(decoded.map.sources_of(&ranges), each, "{step}");
                ranges.push(len..len + 1);
                ranges.reverse();
            }
        }
        assert!(decoded.map.encoded_len() < 4 * 300);
    }

    /// All text that is added to a map that is opaque has the same source.
    #[test]
    fn maps_that_are_opaque() {
        let mut decoded = Decoded::of(&[0; 10], false).with_room(4);
        decoded.copy(b"abcdef", 2..4);
        decoded.put(b"c", 7..10);
        let mut mixed = Decoded::default();
        mixed.copy(b"x", 0..1);
        mixed.append_part(&decoded, 1..3);
        mixed.copy(b"yz", 1..2);
        assert_eq!((&decoded.bytes[..], &mixed.bytes[..]), (&b"cdc"[..], &b"xdcz"[..]));
        assert_eq!(decoded.slice(1..2).map.sources(0..1), [0..10]);
        assert_eq!(mixed.map.sources(0..1), [0..1]);
        assert!((1..4).all(|at| mixed.map.sources(at..at + 1) == [0..10]));
    }

    #[test]
    fn maps_are_moved_and_appended() {
        let (mut first, mut second, mut both) = (Decoded::default(), Decoded::default(), Decoded::default());
        for n in 0..200 {
            let half = if n < 100 { &mut first } else { &mut second };
            let at = if n < 100 { 2 * n } else { 2 * n - 150 };
            half.put(b"x", at..at + 1 + n % 3);
            both.put(b"x", 2 * n..2 * n + 1 + n % 3);
        }
        first.append(second.moved(150));
        assert_eq!(first.bytes, both.bytes);
        for at in 0..200 {
            assert_eq!(first.map.sources(at..200), both.map.sources(at..200));
        }
        assert_eq!(first.map.sources(199..200), [398..400]);
    }

    #[test]
    fn ranges_that_touch_or_overlap_are_one() {
        for (ranges, expected) in [
            (vec![0..1, 1..2], vec![0..2]),
            (vec![0..1, 2..3], vec![0..1, 2..3]),
            (vec![0..3, 1..2], vec![0..3]),
            (vec![0..2, 1..3], vec![0..3]),
            (vec![0..1, 1..1, 1..2], vec![0..2]),
            (vec![0..0, 3..3], vec![]),
            (vec![0..1, 1..2, 2..3, 4..5], vec![0..3, 4..5]),
        ] {
            assert_eq!(merged(ranges.clone().into_iter()), expected, "{ranges:?}");
        }
    }
}
