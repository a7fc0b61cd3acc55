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
use std::sync::Arc;

/// Text to search, and the way back to the bytes of the file that encode it.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<'m> {
    bytes: Cow<'m, [u8]>,
    /// From the text to the source, the last decoder first. Those of bytes that have
    /// parts are shared by all parts.
    maps: Vec<Arc<SourceMap>>,
    /// The offset of the source in the file.
    base: u64,
}

impl<'m> Mapped<'m> {
    /// A part of the file, from the offset `base` on, not decoded.
    pub(crate) fn verbatim(bytes: &'m [u8], base: u64) -> Self {
        Mapped { bytes: Cow::Borrowed(bytes), maps: Vec::new(), base }
    }

    /// A part of `whole`.
    pub(crate) fn part(whole: &'m Mapped<'_>, range: Range<usize>) -> Self {
        let bytes = Cow::Borrowed(&whole.bytes[range.clone()]);
        if whole.maps.is_empty() {
            return Mapped { bytes, maps: Vec::new(), base: whole.base + range.start as u64 };
        }
        let mut maps = vec![Arc::new(SourceMap::part(range))];
        maps.extend(whole.maps.iter().map(Arc::clone));
        Mapped { bytes, maps, base: whole.base }
    }

    /// The same in memory of its own.
    pub(crate) fn into_owned(self) -> Mapped<'static> {
        Mapped { bytes: Cow::Owned(self.bytes.into_owned()), maps: self.maps, base: self.base }
    }

    /// The same part of the file after one more decoder.
    pub(crate) fn decoded(&self, decoded: Decoded) -> Mapped<'static> {
        let mut maps = vec![Arc::new(decoded.map)];
        maps.extend(self.maps.iter().map(Arc::clone));
        Mapped { bytes: Cow::Owned(decoded.bytes), maps, base: self.base }
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

    fn through(&self, maps: &[Arc<SourceMap>], mut ranges: Vec<Range<usize>>) -> Vec<Range<u64>> {
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

impl Decoded {
    /// The same text, if its source begins at `at` of a longer one.
    pub(crate) fn moved(mut self, at: usize) -> Self {
        self.map.runs.iter_mut().for_each(|run| run.source += at);
        self
    }

    /// Appends `other`, whose source comes after that of this one.
    pub(crate) fn append(&mut self, other: Decoded) {
        let at = self.bytes.len();
        let moved = |run: Run| Run { text: (run.text.0 + at, run.text.1 + at), ..run };
        self.map.runs.extend(other.map.runs.into_iter().map(moved));
        self.bytes.extend(other.bytes);
    }

    /// A part of the text.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let mut part = Decoded::default();
        for at in range {
            let sources = self.map.sources(at..at + 1);
            if let (Some(first), Some(last)) = (sources.first(), sources.last()) {
                part.put(&self.bytes[at..at + 1], first.start..last.end);
            }
        }
        part
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
    /// The map of a text that is this part of its source.
    fn part(range: Range<usize>) -> Self {
        let mut map = SourceMap::default();
        map.add(0, range.clone(), range.len());
        map
    }

    /// Adds `len` bytes of text at `at`, the end of the text, which `source` encodes.
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
    fn a_part_of_decoded_text() {
        let whole = Mapped::verbatim(b"a=3D1=\nb", 100).decoded(quoted_printable());
        let part = Mapped::part(&whole, 1..4);
        assert_eq!(part.as_bytes(), b"=1b");
        assert_eq!(part.sources(0..1), [101..104]);
        assert_eq!(part.sources(1..3), [104..105, 107..108]);
        let verbatim = Mapped::verbatim(b"abc", 7);
        assert_eq!(Mapped::part(&verbatim, 1..3).sources(0..1), [8..9]);
    }

    #[test]
    fn text_that_was_not_decoded() {
        let text = Mapped::verbatim(b"abc", 7);
        assert_eq!(text.sources(1..3), [8..10]);
        assert_eq!(text.source(1..1), None);
    }
}
