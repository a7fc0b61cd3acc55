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
///
/// Many texts, such as the attributes of a page, have only one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    /// The runs but the last.
    encoded: Option<Box<Runs>>,
    /// The last run, which may grow; it is empty if there is none.
    last: Run,
}

/// Encoded runs, in the order of the text.
#[derive(Clone, Debug, Default)]
struct Runs {
    blocks: Vec<Block>,
    codes: Vec<u8>,
    count: usize,
    /// Where they end.
    end: Place,
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
#[derive(Clone, Copy, Debug, Default)]
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

impl Runs {
    fn push(&mut self, run: &Run) {
        if self.count.is_multiple_of(BLOCK) {
            self.blocks.push(Block { start: self.end, code: self.codes.len() });
        }
        run.encode(self.end, &mut self.codes);
        self.count += 1;
        self.end = run.end();
    }

    /// The runs from the block that contains the byte of text at `at`.
    fn from(&self, at: usize) -> impl Iterator<Item = Run> {
        let block = self.blocks.partition_point(|block| block.start.text <= at).saturating_sub(1);
        let Block { start: mut before, code } = self.blocks[block];
        let mut codes = &self.codes[code..];
        std::iter::from_fn(move || {
            let run = Run::decode(&mut codes, before)?;
            before = run.end();
            Some(run)
        })
    }
}

impl SourceMap {
    /// Adds `len` bytes of text at `at`, the end of the text, which `source` encodes.
    fn add(&mut self, at: usize, source: Range<usize>, len: usize) {
        if len == 0 {
            return;
        }
        let per = if source.len() == len { (1, 1) } else { (source.len(), len) };
        let last = &mut self.last;
        if last.per == per && last.source_end() == source.start {
            last.text.1 += len;
            return;
        }
        if last.text.1 > 0 {
            self.encoded.get_or_insert_default().push(last);
        }
        *last = Run { text: (at, at + len), source: source.start, per };
    }

    /// The runs from the block that contains the byte of text at `at`.
    fn runs_from(&self, at: usize) -> impl Iterator<Item = Run> {
        let encoded = self.encoded.iter().flat_map(move |runs| runs.from(at));
        encoded.chain((self.last.text.1 > 0).then_some(self.last))
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
mod tests;
