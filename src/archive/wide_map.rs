//! The map from text that was UTF-16 or UTF-32 to the file.

use std::collections::VecDeque;

/// How many bytes of text are between two anchors, at least.
const STEP: u64 = 1024;

/// The map from text that was UTF-16 or UTF-32 to the file, for the buffered text.
///
/// How many bytes of the file encode a character follows from the character. So the map
/// needs only a few anchors, between which it counts.
#[derive(Debug)]
pub(crate) struct WideMap {
    /// The length of a code unit.
    unit: usize,
    /// Offsets of characters, in the text and in the file; the first is not after the
    /// first buffered byte.
    pub(super) anchors: VecDeque<(u64, u64)>,
    /// How many bytes of the file have become text.
    read: u64,
}

impl WideMap {
    /// The map of text in code units of this length, after a mark of `mark` bytes.
    pub(crate) fn new(unit: usize, mark: usize) -> Self {
        WideMap { unit, anchors: VecDeque::from([(0, mark as u64)]), read: 0 }
    }

    /// How many bytes of the file have become text.
    pub(crate) fn read(&self) -> u64 {
        self.read
    }

    /// Adds `len` bytes of the file.
    pub(crate) fn add(&mut self, len: usize) {
        self.read += len as u64;
    }

    /// Notes that a character at `text` of the text begins here, if the last anchor is far.
    pub(crate) fn anchor(&mut self, text: u64) {
        if self.anchors.back().is_none_or(|&(last, _)| text >= last + STEP) {
            self.anchors.push_back((text, self.read));
        }
    }

    /// Forgets the anchors before `at` of the text.
    pub(crate) fn forget(&mut self, at: u64, bytes: &[u8], base: u64) {
        let source = self.source_of(at, bytes, base);
        let before = self.anchors.partition_point(|&(text, _)| text <= at);
        self.anchors.drain(..before);
        self.anchors.push_front((at, source));
    }

    /// The offset in the file of the byte at `at` of the text; `bytes` are those of the text
    /// from the offset `base` on.
    pub(crate) fn source_of(&self, at: u64, bytes: &[u8], base: u64) -> u64 {
        let after = self.anchors.partition_point(|&(text, _)| text <= at);
        let Some(&(text, source)) = self.anchors.get(after.saturating_sub(1)) else {
            return self.read;
        };
        // Both are offsets of buffered bytes, so they fit.
        let [from, to] = [text, at].map(|offset| (offset.saturating_sub(base) as usize).min(bytes.len()));
        let len: usize = bytes[from..to.max(from)].iter().map(|&b| self.source_len(b)).sum();
        (source + len as u64).min(self.read)
    }

    /// The offset in the text of the character that has the byte at `at` of the file.
    pub(crate) fn text_of(&self, at: u64, bytes: &[u8], base: u64) -> u64 {
        let after = self.anchors.partition_point(|&(_, source)| source <= at);
        let Some(&(text, mut source)) = self.anchors.get(after.saturating_sub(1)) else {
            return base;
        };
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

    /// How many bytes of the file encode the character that begins with `b`; 0 if none does.
    fn source_len(&self, b: u8) -> usize {
        match b {
            0x80..=0xBF => 0,
            0xF0.. => 4,
            _ => self.unit,
        }
    }
}
