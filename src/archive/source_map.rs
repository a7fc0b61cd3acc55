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
mod tests;
