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

mod map;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use self::map::SourceMap;
use self::map::merged;
use super::wide_map::WideMap;

/// Where the buffered bytes of an input come from in the file.
///
/// An input that is [recoded](super::recode) as it is read has other offsets in the buffer
/// than in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'r> {
    /// The same offsets.
    Same,
    /// Text of UTF-16 or UTF-32. `bytes` are the buffered ones, from the offset `base` on.
    Wide { map: &'r WideMap, bytes: &'r [u8], base: u64 },
    /// Streams of a file of this length: the maps from the mail to them, and from them to
    /// the file.
    Streams { mail: &'r SourceMap, streams: &'r SourceMap, len: u64 },
}

impl Origin<'_> {
    /// The range of the file that a message at `range` of the buffered input takes.
    pub(crate) fn span(self, range: Range<u64>) -> Range<u64> {
        match self {
            Origin::Same => range,
            Origin::Wide { map, bytes, base } => {
                let [start, end] = [range.start, range.end].map(|at| map.source_of(at, bytes, base));
                start..end
            }
            Origin::Streams { len, .. } => 0..len,
        }
    }

    /// The offset in the buffered input of the byte at `at` of the file; `None` if that has
    /// no lines.
    pub(crate) fn offset_of(self, at: u64) -> Option<u64> {
        match self {
            Origin::Same => Some(at),
            Origin::Wide { map, bytes, base } => Some(map.text_of(at, bytes, base)),
            Origin::Streams { .. } => None,
        }
    }
}

/// The ranges of the file that encode `range` of the buffered mail.
fn in_streams(mail: &SourceMap, streams: &SourceMap, range: Range<u64>) -> Vec<Range<u64>> {
    // Both ends are offsets in memory, so they fit.
    let sources = mail.sources(range.start as usize..range.end as usize);
    let in_file = sources.into_iter().flat_map(|range| streams.sources(range));
    in_file.map(|range| range.start as u64..range.end as u64).collect()
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

    /// Text that all of the source encodes, `len` bytes, and none of it alone.
    pub(crate) fn opaque(self, bytes: Vec<u8>, len: usize) -> Self {
        let map = SourceMap::opaque(bytes.len(), len);
        Mapped { bytes: Cow::Owned(bytes), maps: vec![map], base: self.base, origin: self.origin }
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
            Origin::Wide { .. } => ranges.map(|range| self.origin.span(range)).collect(),
            Origin::Streams { mail, streams, .. } => {
                merged(ranges.flat_map(|range| in_streams(mail, streams, range)))
            }
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

    /// A part of the text, with the source of that part.
    pub(crate) fn slice(&self, range: Range<usize>) -> Decoded {
        let mut slice = Decoded::default();
        slice.append(self, range);
        slice
    }

    /// The same text, decoded from a source that is the text of `outer`, with the source of that.
    pub(crate) fn through(&self, outer: &Decoded) -> Decoded {
        let mut through = Decoded::default();
        for (text, source) in self.map.parts(0..self.bytes.len()) {
            if text.len() == source.len() {
                through.append(outer, source);
            } else {
                let sources = outer.map.sources(source);
                let hull =
                    sources.first().map_or(0, |first| first.start)..sources.last().map_or(0, |last| last.end);
                through.put(&self.bytes[text], hull);
            }
        }
        through
    }

    /// Appends `range` of `other`, whose source is part of this source.
    pub(crate) fn append(&mut self, other: &Decoded, range: Range<usize>) {
        for (text, source) in other.map.parts(range) {
            self.put(&other.bytes[text], source);
        }
    }
}

#[cfg(test)]
mod tests;
