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

pub(super) mod code;
mod map;

use std::ops::Range;

pub(crate) use self::map::SourceMap;
pub(super) use self::map::merged;
use crate::bytes::large;

/// The output of a decoder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) map: SourceMap,
}

impl Decoded {
    /// No text yet, with room for `len` bytes.
    pub(crate) fn with_capacity(len: usize) -> Decoded {
        Decoded { bytes: large::with_capacity(len), map: SourceMap::default() }
    }

    /// Appends the bytes at `range` of `source` verbatim.
    pub(crate) fn copy(&mut self, source: &[u8], range: Range<usize>) {
        self.map.add(self.bytes.len(), range.clone(), range.len());
        large::prepare(&mut self.bytes, range.len());
        self.bytes.extend_from_slice(&source[range]);
    }

    /// Appends `text`, which `source` encodes; each byte of it takes as much
    /// of `source` as every other.
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

    /// The same text, decoded from a source that is the text of `outer`, with the source of that.
    pub(crate) fn through(&self, outer: &Decoded) -> Decoded {
        let mut through = Decoded::default();
        for (text, source) in self.map.parts(0..self.bytes.len()) {
            if text.len() == source.len() {
                through.append_part(outer, source);
            } else {
                through.put(&self.bytes[text], outer.map.hull(source));
            }
        }
        through
    }

    /// Appends `range` of `other`, whose source is part of this source.
    pub(crate) fn append_part(&mut self, other: &Decoded, range: Range<usize>) {
        for (text, source) in other.map.parts(range) {
            self.put(&other.bytes[text], source);
        }
    }
}

impl Decoded {
    /// The same text, if its source begins at `at` of a longer one.
    pub(crate) fn moved(mut self, at: usize) -> Self {
        self.map.move_source(at);
        self
    }

    /// Appends `other`, whose source comes after that of this one.
    pub(crate) fn append(&mut self, other: Decoded) {
        self.map.append(&other.map, self.bytes.len());
        self.bytes.extend(other.bytes);
    }
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
        assert!(decoded.map.encoded_len() < 4 * 300);
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
}
