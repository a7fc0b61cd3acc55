//! Decoded text, and the way back from it to its source.
//!
//! Every decoder writes a [`Decoded`]: the bytes that a reader of the mail would
//! see, and a [`SourceMap`] that says which bytes of the source encode each of them.
//! The map is a list of runs. In a run, a fixed number of bytes of text is encoded by a
//! fixed number of bytes of source: one by one where nothing was encoded, one by three
//! in the `=3D` of quoted-printable, three by four in a line of base64. A byte that
//! shares bytes of the source with another has all those that hold any bit of it.
//!
//! Where one decoder works on the text of another (HTML in quoted-printable), each has
//! its map, and a range is mapped through them one after the other.

use std::borrow::Cow;
use std::ops::Range;

/// Text to search, and the way back to the bytes of the file that encode it.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<'m> {
    bytes: Cow<'m, [u8]>,
    /// From the text to the source, the last decoder first.
    maps: Vec<SourceMap>,
    /// The offset of the source in the file.
    base: u64,
}

impl<'m> Mapped<'m> {
    /// A part of the file, from the offset `base` on, not decoded.
    pub(crate) fn verbatim(bytes: &'m [u8], base: u64) -> Self {
        Mapped { bytes: Cow::Borrowed(bytes), maps: Vec::new(), base }
    }

    /// The same part of the file after one more decoder.
    pub(crate) fn decoded(mut self, decoded: Decoded) -> Mapped<'static> {
        self.maps.insert(0, decoded.map);
        Mapped { bytes: Cow::Owned(decoded.bytes), maps: self.maps, base: self.base }
    }

    /// The same part of the file after one more decoder, if that changes anything.
    pub(crate) fn decoded_by(self, decode: impl FnOnce(&[u8]) -> Option<Decoded>) -> Self {
        match decode(&self.bytes) {
            Some(decoded) => self.decoded(decoded),
            None => self,
        }
    }

    /// The text.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The ranges of the file that encode `range` of the text, in order: byte
    /// offsets from 0, the ends exclusive.
    ///
    /// Costs a binary search for each decoder.
    pub(crate) fn sources(&self, range: Range<usize>) -> Vec<Range<u64>> {
        self.through(&self.maps, vec![range])
    }

    /// The ranges of the file that encode `range` of another output of the last
    /// decoder, which `map` maps.
    pub(crate) fn sources_beside(&self, map: &SourceMap, range: Range<usize>) -> Vec<Range<u64>> {
        self.through(self.maps.get(1..).unwrap_or_default(), map.sources(range))
    }

    fn through(&self, maps: &[SourceMap], mut ranges: Vec<Range<usize>>) -> Vec<Range<u64>> {
        for map in maps {
            ranges = ranges.into_iter().flat_map(|range| map.sources(range)).collect();
        }
        let in_file = |range: Range<usize>| self.base + range.start as u64..self.base + range.end as u64;
        merged(ranges.into_iter()).into_iter().map(in_file).collect()
    }

    /// The range of the file from the first byte that encodes `range` to the
    /// last; `None` if none does.
    pub(crate) fn source(&self, range: Range<usize>) -> Option<Range<u64>> {
        let sources = self.sources(range);
        Some(sources.first()?.start..sources.last()?.end)
    }
}

/// The output of a decoder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) map: SourceMap,
}

impl Decoded {
    /// Appends the bytes at `range` of `source` verbatim.
    pub(crate) fn copy(&mut self, source: &[u8], range: Range<usize>) {
        self.map.add(self.bytes.len(), range.clone(), range.len());
        self.bytes.extend_from_slice(&source[range]);
    }

    /// Appends `text`, which `source` encodes; each byte of it takes as much
    /// of `source` as every other.
    pub(crate) fn put(&mut self, text: &[u8], source: Range<usize>) {
        self.map.add(self.bytes.len(), source, text.len());
        self.bytes.extend_from_slice(text);
    }
}

/// The map from a text to its source.
///
/// A text can have a run for every other byte, so a run takes only a few bytes: its
/// length, its distance from the run before it, and its ratio if that is not one to one.
/// Every [`BLOCK`] runs, an entry of `blocks` says where they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    blocks: Vec<Block>,
    /// The runs but the last, in the order of the text.
    codes: Vec<u8>,
    /// How many runs are encoded.
    count: usize,
    /// Where the encoded runs end.
    end: Place,
    /// The last run, which may grow.
    last: Option<Run>,
}

/// How many runs are in a block.
const BLOCK: usize = 32;

/// The first run of a block.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Where the runs before it end.
    start: Place,
    /// Where its code begins.
    code: usize,
}

/// A place in the text and in the source.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    text: usize,
    source: usize,
}

/// A run of text with a fixed ratio of text to source.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Where it begins and ends in the text.
    text: (usize, usize),
    /// Where it begins in the source.
    source: usize,
    /// `per.0` bytes of source are `per.1` bytes of text.
    per: (usize, usize),
}

impl Run {
    /// The source of a part of this run.
    fn source_of(&self, part: Range<usize>) -> Range<usize> {
        let (source, text) = self.per;
        let [from, to] = [part.start, part.end].map(|at| (at - self.text.0) * source);
        self.source + from / text..self.source + to.div_ceil(text)
    }

    fn source_end(&self) -> usize {
        self.source_of(self.text.0..self.text.1).end
    }

    fn end(&self) -> Place {
        Place { text: self.text.1, source: self.source_end() }
    }

    /// Appends the code of a run after `before`.
    fn encode(&self, before: Place, codes: &mut Vec<u8>) {
        let one_to_one = self.per == (1, 1);
        push(codes, (self.text.1 - self.text.0) << 1 | usize::from(!one_to_one));
        // Decoders seldom go back.
        let gap = self.source.wrapping_sub(before.source) as isize;
        push(codes, (gap << 1 ^ gap >> (isize::BITS - 1)) as usize);
        if !one_to_one {
            push(codes, self.per.0);
            push(codes, self.per.1);
        }
    }

    /// The first run in `codes`, after `before`.
    fn decode(codes: &mut &[u8], before: Place) -> Option<Run> {
        let head = pull(codes)?;
        let gap = pull(codes)?;
        let gap = (gap >> 1) as isize ^ -((gap & 1) as isize);
        let per = if head & 1 == 0 { (1, 1) } else { (pull(codes)?, pull(codes)?) };
        let source = before.source.wrapping_add(gap as usize);
        Some(Run { text: (before.text, before.text + (head >> 1)), source, per })
    }
}

/// Appends a number, seven bits a byte, the lowest first.
fn push(codes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        codes.push(number as u8 | 0x80);
        number >>= 7;
    }
    codes.push(number as u8);
}

/// Removes the first number; `None` if there is none.
fn pull(codes: &mut &[u8]) -> Option<usize> {
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

impl SourceMap {
    /// Adds `len` bytes of text at `at`, the end of the text, which `source` encodes.
    fn add(&mut self, at: usize, source: Range<usize>, len: usize) {
        if len == 0 {
            return;
        }
        let per = if source.len() == len { (1, 1) } else { (source.len(), len) };
        match &mut self.last {
            Some(last) if last.per == per && last.source_end() == source.start => last.text.1 += len,
            _ => {
                self.encode_last();
                self.last = Some(Run { text: (at, at + len), source: source.start, per });
            }
        }
    }

    fn encode_last(&mut self) {
        let Some(last) = self.last.take() else { return };
        if self.count % BLOCK == 0 {
            self.blocks.push(Block { start: self.end, code: self.codes.len() });
        }
        last.encode(self.end, &mut self.codes);
        self.count += 1;
        self.end = last.end();
    }

    /// The runs from the block that contains the byte of text at `at`.
    fn runs_from(&self, at: usize) -> impl Iterator<Item = Run> {
        let block = self.blocks.partition_point(|block| block.start.text <= at).checked_sub(1);
        let block =
            block.map_or(Block { start: self.end, code: self.codes.len() }, |block| self.blocks[block]);
        let (mut codes, mut before) = (&self.codes[block.code..], block.start);
        let encoded = std::iter::from_fn(move || {
            let run = Run::decode(&mut codes, before)?;
            before = run.end();
            Some(run)
        });
        encoded.chain(self.last)
    }

    /// The ranges of the source that encode `range` of the text.
    pub(crate) fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let runs = self.runs_from(range.start).skip_while(|run| run.text.1 <= range.start);
        let parts = runs.take_while(|run| run.text.0 < range.end);
        merged(parts.map(|run| run.source_of(range.start.max(run.text.0)..range.end.min(run.text.1))))
    }
}

/// The same ranges, empty ones left out and those that touch or overlap merged.
fn merged(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges.filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a=3D1`, a soft break, and `b`.
    fn quoted_printable() -> Decoded {
        let source = b"a=3D1=\nb";
        let mut decoded = Decoded::default();
        decoded.copy(source, 0..1);
        decoded.put(b"=", 1..4);
        decoded.copy(source, 4..5);
        decoded.copy(source, 7..8);
        decoded
    }

    #[test]
    fn each_byte_has_its_source() {
        let decoded = quoted_printable();
        assert_eq!(decoded.bytes, b"a=1b");
        assert_eq!(decoded.map.sources(0..2), [0..4]);
        assert_eq!(decoded.map.sources(1..2), [1..4]);
        assert_eq!(decoded.map.sources(0..4), [0..5, 7..8]);
        assert!(decoded.map.sources(2..2).is_empty());
    }

    #[test]
    fn bytes_that_share_a_source() {
        // Two lines of base64: three bytes in four characters.
        let mut decoded = Decoded::default();
        decoded.put(b"abc", 0..4);
        decoded.put(b"def", 5..9);
        assert_eq!(decoded.map.sources(0..1), [0..2]);
        assert_eq!(decoded.map.sources(1..2), [1..3]);
        assert_eq!(decoded.map.sources(2..4), [2..4, 5..7]);
    }

    #[test]
    fn escapes_in_a_row_are_one_run() {
        // =41=42=43=44
        let mut decoded = Decoded::default();
        decoded.put(b"A", 0..3);
        decoded.put(b"BC", 3..9);
        decoded.put(b"D", 9..12);
        assert_eq!(decoded.map.sources(1..3), [3..9]);
        assert_eq!(decoded.map.sources(3..4), [9..12]);
        let mut twice = Decoded::default();
        twice.put(b"A", 0..3);
        twice.put(b"B", 3..6);
        assert_eq!(twice.map.sources(1..2), [3..6]);
        assert_eq!(twice.map.runs_from(0).count(), 1);
    }

    #[test]
    fn added_bytes_have_no_source() {
        let mut decoded = Decoded::default();
        decoded.copy(b"ab", 0..1);
        decoded.put(b"\n", 1..1);
        decoded.copy(b"ab", 1..2);
        assert!(decoded.map.sources(1..2).is_empty());
        assert_eq!(decoded.map.sources(0..3), [0..2]);
    }

    #[test]
    fn decoders_one_after_the_other() {
        let file = b"a=3D1=\nb";
        let text = Mapped::verbatim(file, 100).decoded(quoted_printable());
        let mut entities = Decoded::default();
        entities.copy(text.as_bytes(), 0..1);
        entities.put(b"?", 1..4);
        let text = text.decoded(entities);
        assert_eq!(text.as_bytes(), b"a?");
        assert_eq!(text.sources(0..1), [100..101]);
        assert_eq!(text.sources(1..2), [101..105, 107..108]);
        assert_eq!(text.source(1..2), Some(101..108));
    }

    #[test]
    fn text_that_was_not_decoded() {
        let text = Mapped::verbatim(b"abc", 7);
        assert_eq!(text.sources(1..3), [8..10]);
        assert_eq!(text.source(1..1), None);
    }

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
        assert!(decoded.map.codes.len() < 4 * 300);
    }
}
