//! Text to search, mapped to the bytes of the file.
//!
//! A text has passed through a sequence of decoders, and each left a [`SourceMap`]. Before them, an
//! input may have been [converted](super::convert) as it was read: the [origin](Origin) maps
//! offsets in the buffer to offsets in the file.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::source_map::{Decoded, SourceMap, merged};
use crate::bytes::buffer::Buffer;

/// The origin of an input's buffered bytes in the file.
///
/// In an input that is [converted](super::convert) as it is read, offsets in the buffer differ from
/// offsets in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'r> {
    /// The offsets in the text are the offsets in the file.
    Same,
    /// Text of UTF-16 or UTF-32.
    Wide(&'r WideMap, &'r Buffer),
    /// Streams of a file.
    Streams(&'r StreamMaps),
}

/// The minimum number of text bytes between two anchors.
const ANCHOR_STEP: u64 = 1024;

/// The map from text that was UTF-16 or UTF-32 to the file, for the buffered text.
///
/// The number of file bytes that encode a character follows from the character. So the map needs
/// only a few anchors, between which it counts.
#[derive(Debug)]
pub(crate) struct WideMap {
    /// The length of a code unit.
    unit: usize,
    /// Offsets of characters, in the text and in the file; the first is not after the
    /// first buffered byte.
    pub(super) anchors: VecDeque<(u64, u64)>,
    /// The number of bytes of the file that have become text.
    pub(super) read: u64,
}

impl WideMap {
    /// The map of text in code units of this length, after a byte order mark of `mark` bytes.
    pub(crate) fn new(unit: usize, mark: usize) -> Self {
        WideMap { unit, anchors: VecDeque::from([(0, mark as u64)]), read: 0 }
    }

    /// Records that a character at `text` of the text begins here, if the last anchor is far away.
    pub(crate) fn anchor(&mut self, text: u64) {
        if self.anchors.back().is_none_or(|&(last, _)| text >= last + ANCHOR_STEP) {
            self.anchors.push_back((text, self.read));
        }
    }

    /// Drops the anchors before `at` of the text.
    pub(crate) fn forget(&mut self, at: u64, bytes: &[u8], base: u64) {
        let source = self.source_of(at, bytes, base);
        let before = self.anchors.partition_point(|&(text, _)| text <= at);
        self.anchors.drain(..before);
        self.anchors.push_front((at, source));
    }

    /// The offset in the file of the byte at `at` of the text; `bytes` are the bytes of the text
    /// from the offset `base` on.
    pub(crate) fn source_of(&self, at: u64, bytes: &[u8], base: u64) -> u64 {
        let after = self.anchors.partition_point(|&(text, _)| text <= at);
        let Some(&(text, source)) = self.anchors.get(after.saturating_sub(1)) else { return self.read };
        // Both are offsets of buffered bytes, so they fit.
        let [from, to] = [text, at].map(|offset| (offset.saturating_sub(base) as usize).min(bytes.len()));
        let len: usize = bytes[from..to.max(from)].iter().map(|&b| self.source_len(b)).sum();
        (source + len as u64).min(self.read)
    }

    /// The offset in the text of the character encoded by the byte at `at` of the file.
    pub(crate) fn text_of(&self, at: u64, bytes: &[u8], base: u64) -> u64 {
        let after = self.anchors.partition_point(|&(_, source)| source <= at);
        let Some(&(text, mut source)) = self.anchors.get(after.saturating_sub(1)) else { return base };
        let from = (text.saturating_sub(base) as usize).min(bytes.len());
        let mut here = text;
        for (n, &b) in bytes[from..].iter().enumerate() {
            let len = self.source_len(b) as u64;
            if len > 0 {
                here = text + n as u64;
                if source + len > at {
                    return here;
                }
                source += len;
            }
        }
        here
    }

    /// Returns the number of file bytes that encode the character that begins with `b`, or 0 if `b`
    /// does not begin a character.
    fn source_len(&self, b: u8) -> usize {
        match b {
            0x80..=0xBF => 0,
            0xF0.. => 4,
            _ => self.unit,
        }
    }
}

/// The maps of mail with parts that are streams of a file.
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

    /// The offset in the buffered input of the byte at `at` of the file; `None` if the
    /// byte has no position there, as in an Outlook message.
    pub(crate) fn offset_of(self, at: u64) -> Option<u64> {
        match self {
            Origin::Same => Some(at),
            Origin::Wide(map, buffer) => Some(map.text_of(at, buffer.buffered(), buffer.offset())),
            Origin::Streams(_) => None,
        }
    }
}

/// Text to search, and the way back to the bytes of the file that encode it.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<'m> {
    bytes: Cow<'m, [u8]>,
    /// From the text to the source, the last decoder first. All parts share the maps of the bytes
    /// that contain them.
    maps: Vec<Arc<SourceMap>>,
    /// The offset of the source in the input, as it is buffered.
    pub(crate) base: u64,
    /// The origin of the bytes in the file.
    pub(crate) origin: Origin<'m>,
}

impl<'m> Mapped<'m> {
    /// A part of the file, from the offset `base` on, not decoded.
    #[inline]
    pub(crate) fn verbatim(bytes: &'m [u8], base: u64) -> Self {
        Mapped { bytes: Cow::Borrowed(bytes), maps: Vec::new(), base, origin: Origin::Same }
    }

    /// Returns these bytes of an input that was converted while it was read.
    #[inline]
    pub(crate) fn converted(self, origin: Origin<'m>) -> Self {
        Mapped { origin, ..self }
    }

    /// A part of `whole`.
    pub(crate) fn part(whole: &'m Mapped<'_>, range: Range<usize>) -> Self {
        let bytes = Cow::Borrowed(&whole.bytes[range.clone()]);
        if whole.maps.is_empty() {
            let base = whole.base + range.start as u64;
            return Mapped { bytes, maps: Vec::new(), base, origin: whole.origin };
        }
        let mut maps = vec![Arc::new(SourceMap::part(range))];
        maps.extend(whole.maps.iter().map(Arc::clone));
        Mapped { bytes, maps, base: whole.base, origin: whole.origin }
    }

    /// Returns this part of the file, without the bytes next to `range`.
    pub(crate) fn only(self, range: Range<usize>) -> Self {
        let Mapped { maps, base, .. } = Mapped::part(&self, range.clone());
        let bytes = match self.bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[range]),
            Cow::Owned(bytes) => Cow::Owned(bytes[range].to_vec()),
        };
        Mapped { bytes, maps, base, origin: self.origin }
    }

    /// The text in separate memory, without its origin.
    pub(crate) fn into_owned(self) -> Mapped<'static> {
        let bytes = Cow::Owned(self.bytes.into_owned());
        Mapped { bytes, maps: self.maps, base: self.base, origin: Origin::Same }
    }

    /// Returns this part of the file after one more decoder.
    pub(crate) fn decoded(&self, decoded: Decoded) -> Self {
        let mut maps = vec![Arc::new(decoded.map)];
        maps.extend(self.maps.iter().map(Arc::clone));
        Mapped { bytes: Cow::Owned(decoded.bytes), maps, base: self.base, origin: self.origin }
    }

    /// Text that the whole source encodes, instead of single bytes.
    pub(crate) fn opaque(self, bytes: Vec<u8>) -> Self {
        let extent = self.maps.iter().fold(0..self.bytes.len(), |range, map| map.extent(range));
        let map = SourceMap::opaque(bytes.len(), extent.len());
        let base = self.base + extent.start as u64;
        Mapped { bytes: Cow::Owned(bytes), maps: vec![Arc::new(map)], base, origin: self.origin }
    }

    /// Returns this part of the file after one more decoder, if that changes anything.
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
        if self.maps.is_empty() && matches!(self.origin, Origin::Same) {
            // An empty range has no sources.
            let range = self.base + range.start as u64..self.base + range.end as u64;
            return if range.is_empty() { Vec::new() } else { vec![range] };
        }
        self.through(&self.maps, vec![range], false)
    }

    /// Returns the offset of the byte at `at` of the text in the input of the last decoder.
    pub(crate) fn before_decoder(&self, at: usize) -> Option<usize> {
        self.maps.first()?.parts(at..at + 1).next().map(|(_, source)| source.start)
    }

    /// The parts of `range` of the text, in order, and whether the last decoder copied each.
    pub(crate) fn parts(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, bool)> {
        let decoded = self.maps.first().map(|map| map.parts(range.clone()));
        let verbatim = self.maps.is_empty().then_some((range, true));
        let is_copied =
            |(text, source): (Range<usize>, Range<usize>)| (text.clone(), text.len() == source.len());
        let parts = decoded.into_iter().flatten().map(is_copied);
        parts.chain(verbatim)
    }

    /// Returns the ranges of the file that encode `range` of a second output of the last decoder, such as the links of a
    /// page. `map` is the map of that output.
    pub(crate) fn sources_of_other_output(&self, map: &SourceMap, range: Range<usize>) -> Vec<Range<u64>> {
        self.through(self.maps.get(1..).unwrap_or_default(), map.sources(range), map.is_opaque())
    }

    /// Maps `ranges` through `maps`. If `is_opaque` is true, an earlier map gave only the range of a whole document, so
    /// each further map returns the extent of that range.
    fn through(
        &self,
        maps: &[Arc<SourceMap>],
        mut ranges: Vec<Range<usize>>,
        mut is_opaque: bool,
    ) -> Vec<Range<u64>> {
        for map in maps {
            ranges = match is_opaque {
                true => ranges.into_iter().map(|range| map.extent(range)).collect(),
                false => map.sources_of(&ranges),
            };
            is_opaque |= map.is_opaque();
        }
        let in_input = |range: Range<usize>| self.base + range.start as u64..self.base + range.end as u64;
        let ranges = merged(ranges.into_iter()).into_iter().map(in_input);
        match self.origin {
            Origin::Same => ranges.collect(),
            Origin::Wide(..) => ranges.map(|range| self.origin.span(range)).collect(),
            Origin::Streams(maps) => {
                // Both ends are offsets in memory, so they fit.
                let in_mail = ranges.map(|range| range.start as usize..range.end as usize);
                let in_file: Vec<_> = match is_opaque {
                    true => in_mail.map(|range| maps.streams.extent(maps.mail.extent(range))).collect(),
                    false => maps.streams.sources_of(&maps.mail.sources_of(&in_mail.collect::<Vec<_>>())),
                };
                let in_file = in_file.into_iter();
                merged(in_file.map(|range| range.start as u64..range.end as u64))
            }
        }
    }

    /// The range of the file from the first byte that encodes `range` to the last; `None` if no
    /// byte does.
    pub(crate) fn source(&self, range: Range<usize>) -> Option<Range<u64>> {
        let sources = self.sources(range);
        Some(sources.first()?.start..sources.last()?.end)
    }
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
        assert_eq!(twice.map.encoded_len(), 0);
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
