//! Decoded text, and the way back from it to its source.
//!
//! Every decoder writes a [`Decoded`]: the bytes that a reader of the mail would
//! see, and a [`Map`] that says which bytes of the source encode each of them.
//! The map is a list of runs. In a run so many bytes of text always stand for so
//! many bytes of source: one for one where nothing was encoded, one for three in
//! the `=3D` of quoted-printable, three for four in a line of base64. A byte
//! that shares its source with another has the bytes that hold any bit of it.
//!
//! Decoders that work on each other's text (HTML in quoted-printable) have a map
//! each, and a range is taken through them one after the other.

use std::borrow::Cow;
use std::ops::Range;

/// Text to search, and the way back to the bytes that encode it.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<'m> {
    bytes: Cow<'m, [u8]>,
    /// From the text to the source, the decoder that came last first.
    maps: Vec<Map>,
    /// Where the source begins in the file.
    base: usize,
}

impl<'m> Mapped<'m> {
    /// A part of a file that stands there as it is, from `base` on.
    pub(crate) fn plain(bytes: &'m [u8], base: usize) -> Self {
        Mapped { bytes: Cow::Borrowed(bytes), maps: Vec::new(), base }
    }

    /// The same place of the file, after one more decoder.
    pub(crate) fn decoded(mut self, decoded: Decoded) -> Mapped<'static> {
        self.maps.insert(0, decoded.map);
        Mapped { bytes: Cow::Owned(decoded.bytes), maps: self.maps, base: self.base }
    }

    /// The same place of the file, after one more decoder if that has something to
    /// do.
    pub(crate) fn decoded_by(self, decode: impl FnOnce(&[u8]) -> Option<Decoded>) -> Self {
        match decode(&self.bytes) {
            Some(decoded) => self.decoded(decoded),
            None => self,
        }
    }

    /// The text, as a reader would see it.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The ranges of the file that encode `range` of the text, in order: byte
    /// offsets from 0, the ends exclusive.
    ///
    /// Costs a binary search for each decoder that was at work.
    pub(crate) fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        self.through(&self.maps, range)
    }

    /// The ranges of the file that encode `range` of what the decoder that came
    /// last made beside the text, `map` being the way back from it.
    pub(crate) fn sources_beside(&self, map: &Map, range: Range<usize>) -> Vec<Range<usize>> {
        let beneath = self.maps.get(1..).unwrap_or_default();
        map.sources(range).into_iter().flat_map(|range| self.through(beneath, range)).collect()
    }

    fn through(&self, maps: &[Map], range: Range<usize>) -> Vec<Range<usize>> {
        let mut ranges = vec![range];
        for map in maps {
            ranges = ranges.into_iter().flat_map(|range| map.sources(range)).collect();
        }
        let moved = ranges.into_iter().map(|range| range.start + self.base..range.end + self.base);
        merged(moved)
    }

    /// The range of the file from the first byte that encodes `range` to the
    /// last; `None` if none does.
    pub(crate) fn source(&self, range: Range<usize>) -> Option<Range<usize>> {
        let sources = self.sources(range);
        Some(sources.first()?.start..sources.last()?.end)
    }
}

/// What a decoder has written so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) map: Map,
}

impl Decoded {
    /// Goes on with what stands at `range` of `source`, as it is.
    pub(crate) fn copy(&mut self, source: &[u8], range: Range<usize>) {
        self.map.add(self.bytes.len(), range.clone(), range.len());
        self.bytes.extend_from_slice(&source[range]);
    }

    /// Goes on with `text`, which `source` encodes; each byte of it takes as much
    /// of `source` as every other.
    pub(crate) fn put(&mut self, text: &[u8], source: Range<usize>) {
        self.map.add(self.bytes.len(), source, text.len());
        self.bytes.extend_from_slice(text);
    }
}

/// The way from a text back to its source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    /// In the order of the text; the first begins at 0.
    runs: Vec<Run>,
}

/// A run of text in which so many bytes always stand for so many of the source.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Where it begins, and where it ends, in the text.
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

impl Map {
    /// Adds `len` bytes of text at `at`, its end, which `source` encodes.
    fn add(&mut self, at: usize, source: Range<usize>, len: usize) {
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

    /// The ranges of the source that encode `range` of the text.
    pub(crate) fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let first = self.runs.partition_point(|run| run.text.1 <= range.start);
        let parts = self.runs[first..].iter().take_while(|run| run.text.0 < range.end);
        merged(parts.map(|run| run.source_of(range.start.max(run.text.0)..range.end.min(run.text.1))))
    }
}

/// The same ranges, those that touch taken together and empty ones left out.
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

    /// `a=3D1` with a soft break behind it, then `b`.
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
        assert_eq!(decoded.map.sources(2..2), []);
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
    fn escapes_side_by_side_are_one_run() {
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
    fn what_nothing_encodes_has_no_source() {
        let mut decoded = Decoded::default();
        decoded.copy(b"ab", 0..1);
        decoded.put(b"\n", 1..1);
        decoded.copy(b"ab", 1..2);
        assert_eq!(decoded.map.sources(1..2), []);
        assert_eq!(decoded.map.sources(0..3), [0..2]);
    }

    #[test]
    fn decoders_one_behind_the_other() {
        let file = b"a=3D1=\nb";
        let text = Mapped::plain(file, 100).decoded(quoted_printable());
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
    fn what_was_not_decoded_is_where_it_is() {
        let text = Mapped::plain(b"abc", 7);
        assert_eq!(text.sources(1..3), [8..10]);
        assert_eq!(text.source(1..1), None);
    }
}
