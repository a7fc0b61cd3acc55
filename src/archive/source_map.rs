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

use super::wide_map::WideMap;
use crate::bytes::buffer::Buffer;

/// Where the buffered bytes of an input come from in the file.
///
/// An input that is [recoded](super::recode) as it is read has other offsets in the buffer
/// than in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'r> {
    /// The same offsets.
    Same,
    /// Text of UTF-16 or UTF-32.
    Wide(&'r WideMap, &'r Buffer),
    /// Streams of a file.
    Streams(&'r StreamMaps),
}

/// The maps of mail whose parts are streams of a file.
#[derive(Debug, Default)]
pub(crate) struct StreamMaps {
    /// From the mail to the streams, and from these to the file.
    pub(crate) mail: SourceMap,
    pub(crate) streams: SourceMap,
    /// The length of the file.
    pub(crate) len: u64,
}

impl Origin<'_> {
    /// The range of the file that a message at `range` of the buffered input takes.
    pub(crate) fn span(self, range: Range<u64>) -> Range<u64> {
        match self {
            Origin::Same => range,
            Origin::Wide(map, buffer) => {
                let source_of = |at| map.source_of(at, buffer.buffered(), buffer.offset());
                source_of(range.start)..source_of(range.end)
            }
            Origin::Streams(maps) => 0..maps.len,
        }
    }

    /// The offset in the buffered input of the byte at `at` of the file; `None` if that has
    /// no lines.
    pub(crate) fn offset_of(self, at: u64) -> Option<u64> {
        match self {
            Origin::Same => Some(at),
            Origin::Wide(map, buffer) => Some(map.text_of(at, buffer.buffered(), buffer.offset())),
            Origin::Streams(_) => None,
        }
    }
}

impl StreamMaps {
    /// The ranges of the file that encode `range` of the buffered mail.
    fn sources(&self, range: Range<u64>) -> Vec<Range<u64>> {
        // Both ends are offsets in memory, so they fit.
        let sources = self.mail.sources(range.start as usize..range.end as usize);
        let in_file = sources.into_iter().flat_map(|range| self.streams.sources(range));
        in_file.map(|range| range.start as u64..range.end as u64).collect()
    }
}

/// Text to search, and the way back to the bytes of the file that encode it.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<'m> {
    bytes: Cow<'m, [u8]>,
    /// From the text to the source, the last decoder first.
    maps: Vec<SourceMap>,
    /// The offset of the source in the input, as it is buffered.
    base: u64,
    /// Where that comes from in the file.
    origin: Origin<'m>,
}

impl<'m> Mapped<'m> {
    /// A part of the file, from the offset `base` on, not decoded.
    pub(crate) fn verbatim(bytes: &'m [u8], base: u64) -> Self {
        Mapped { bytes: Cow::Borrowed(bytes), maps: Vec::new(), base, origin: Origin::Same }
    }

    /// The same bytes, of an input that was recoded as it was read.
    pub(crate) fn recoded(self, origin: Origin<'m>) -> Self {
        Mapped { origin, ..self }
    }

    /// The same part of the file after one more decoder.
    pub(crate) fn decoded(mut self, decoded: Decoded) -> Self {
        self.maps.insert(0, decoded.map);
        Mapped { bytes: Cow::Owned(decoded.bytes), ..self }
    }

    /// The same part of the file after one more decoder, if that changes anything.
    pub(crate) fn decoded_by(self, decode: impl FnOnce(&[u8]) -> Option<Decoded>) -> Self {
        match decode(&self.bytes) {
            Some(decoded) => self.decoded(decoded),
            None => self,
        }
    }

    /// Where the input comes from in the file.
    pub(crate) fn origin(&self) -> Origin<'m> {
        self.origin
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
        let in_input = |range: Range<usize>| self.base + range.start as u64..self.base + range.end as u64;
        let ranges = merged(ranges.into_iter()).into_iter().map(in_input);
        match self.origin {
            Origin::Same => ranges.collect(),
            Origin::Wide(..) => ranges.map(|range| self.origin.span(range)).collect(),
            Origin::Streams(maps) => merged(ranges.flat_map(|range| maps.sources(range))),
        }
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

    /// Appends `range` of `other`, whose source is part of this source.
    pub(crate) fn append(&mut self, other: &Decoded, range: Range<usize>) {
        for run in other.map.runs_in(&range) {
            let part = range.start.max(run.text.0)..range.end.min(run.text.1);
            self.map.add(self.bytes.len(), run.source_of(part.clone()), part.len());
            self.bytes.extend_from_slice(&other.bytes[part]);
        }
    }
}

/// The map from a text to its source.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    /// In the order of the text; the first begins at 0.
    runs: Vec<Run>,
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
}

impl SourceMap {
    /// Adds `len` bytes of text at `at`, the end of the text, which `source` encodes.
    pub(crate) fn add(&mut self, at: usize, source: Range<usize>, len: usize) {
        if len == 0 {
            return;
        }
        let per = if source.len() == len { (1, 1) } else { (source.len(), len) };
        match self.runs.last_mut() {
            Some(last) if last.per == per && last.source_end() == source.start => {
                last.text.1 += len;
            }
            _ => self.runs.push(Run { text: (at, at + len), source: source.start, per }),
        }
    }

    /// The runs that have any of `range` of the text.
    fn runs_in(&self, range: &Range<usize>) -> impl Iterator<Item = &Run> {
        let first = self.runs.partition_point(|run| run.text.1 <= range.start);
        let end = range.end;
        self.runs[first..].iter().take_while(move |run| run.text.0 < end)
    }

    /// The ranges of the source that encode `range` of the text.
    pub(crate) fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let parts = self.runs_in(&range);
        merged(parts.map(|run| run.source_of(range.start.max(run.text.0)..range.end.min(run.text.1))))
    }
}

/// The same ranges, empty ones left out and those that touch or overlap merged.
fn merged<N: Copy + Ord>(ranges: impl Iterator<Item = Range<N>>) -> Vec<Range<N>> {
    let mut merged: Vec<Range<N>> = Vec::new();
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
        assert_eq!(twice.map.runs.len(), 1);
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
}
