//! UTF-16 and UTF-32 to UTF-8, in pieces.
//!
//! The bytes of a character that the next read has are kept until it comes.

use std::io;

use super::StreamConverter;
use crate::archive::decode::charset::wide::{CodeUnit, Order, characters};
use crate::archive::mapped::{Origin, WideMap};
use crate::bytes::buffer::Buffer;

/// The converter, after the byte order mark.
#[derive(Debug)]
pub(crate) struct Wide {
    unit: CodeUnit,
    order: Order,
    /// Bytes whose character needs more.
    pending: Vec<u8>,
    /// The number of text bytes.
    text: u64,
    /// True if the mark has been skipped.
    begun: bool,
    map: WideMap,
}

impl Wide {
    pub(super) fn new(unit: CodeUnit, order: Order, has_mark: bool) -> Self {
        let map = WideMap::new(unit.len(), if has_mark { unit.len() } else { 0 });
        Wide { unit, order, pending: Vec::new(), text: 0, begun: !has_mark, map }
    }

    /// Returns the number of pending bytes that do not form a character without the next byte.
    fn incomplete(&self) -> usize {
        let (whole, rest) = (self.pending.len(), self.pending.len() % self.unit.len());
        let high = match (self.unit, self.order) {
            (CodeUnit::Four, _) => None,
            (CodeUnit::Two, Order::Big) => (whole - rest).checked_sub(2),
            (CodeUnit::Two, Order::Little) => (whole - rest).checked_sub(1),
        };
        let surrogate = high.is_some_and(|at| matches!(self.pending[at], 0xD8..=0xDB));
        rest + if surrogate { 2 } else { 0 }
    }

    /// Converts the first `len` pending bytes.
    fn convert(&mut self, len: usize, buffer: &mut Buffer) {
        let mark = if self.begun { 0 } else { self.unit.len().min(len) };
        self.begun = self.begun || len > 0;
        self.map.read += mark as u64;
        let mut text = Vec::with_capacity(len);
        for (character, source) in characters(&self.pending[mark..len], self.unit, self.order) {
            self.map.anchor(self.text + text.len() as u64);
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            self.map.read += source as u64;
        }
        self.text += text.len() as u64;
        self.pending.drain(..len);
        buffer.push(&text);
    }
}

impl StreamConverter for Wide {
    fn push(&mut self, raw: &[u8], buffer: &mut Buffer) {
        self.pending.extend_from_slice(raw);
        let whole = self.pending.len() - self.incomplete();
        self.convert(whole, buffer);
    }

    fn finish(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        self.convert(self.pending.len(), buffer);
        Ok(())
    }

    fn consume(&mut self, len: usize, buffer: &Buffer) {
        self.map.forget(buffer.offset() + len as u64, buffer.buffered(), buffer.offset());
    }

    fn bytes_read(&self) -> u64 {
        self.map.read + self.pending.len() as u64
    }

    fn origin<'r>(&'r self, buffer: &'r Buffer) -> Origin<'r> {
        Origin::Wide(&self.map, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of `raw`, read in two pieces, and the offset in the file of each character.
    fn converted(raw: &[u8], cut: usize, unit: CodeUnit, order: Order) -> (String, Vec<u64>) {
        let (mut wide, mut buffer) = (Wide::new(unit, order, true), Buffer::default());
        wide.push(&raw[..cut], &mut buffer);
        wide.push(&raw[cut..], &mut buffer);
        wide.finish(&mut buffer).unwrap();
        assert_eq!(wide.bytes_read(), raw.len() as u64);
        let text = str::from_utf8(buffer.buffered()).unwrap().to_owned();
        let at = text.char_indices().map(|(at, _)| wide.origin(&buffer).span(at as u64..at as u64).start);
        let sources: Vec<_> = at.collect();
        for (&source, (at, _)) in sources.iter().zip(text.char_indices()) {
            assert_eq!(wide.origin(&buffer).offset_of(source), Some(at as u64));
        }
        (text, sources)
    }

    #[test]
    fn wherever_reads_end() {
        // The byte order mark, a letter, a surrogate pair, an unpaired surrogate, a letter, half a letter.
        let raw = b"\xFF\xFEa\0\x3D\xD8\x00\xDE\x3D\xD8\xE5\x65b";
        for cut in 0..=raw.len() {
            let text = converted(raw, cut, CodeUnit::Two, Order::Little);
            assert_eq!(text, ("a😀\u{FFFD}日\u{FFFD}".to_owned(), vec![2, 4, 8, 10, 12]), "{cut}");
        }
        let raw = b"\0\0\xFE\xFF\0\0\0a\0\x01\xF6\0\0";
        for cut in 0..=raw.len() {
            let text = converted(raw, cut, CodeUnit::Four, Order::Big);
            assert_eq!(text, ("a😀\u{FFFD}".to_owned(), vec![4, 8, 12]), "{cut}");
        }
    }

    #[test]
    fn offsets_after_bytes_are_consumed() {
        let text = "a😀日\n".repeat(2000);
        let raw: Vec<u8> =
            "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        let (mut wide, mut buffer) = (Wide::new(CodeUnit::Two, Order::Big, true), Buffer::default());
        wide.push(&raw, &mut buffer);
        for line in 0..1999_u64 {
            // Nine bytes of text, ten bytes of the file.
            let end = 9 * line + 8;
            assert_eq!(wide.origin(&buffer).span(9 * line..end), 2 + 10 * line..2 + 10 * line + 8);
            assert_eq!(wide.origin(&buffer).span(18_000..18_000).start, raw.len() as u64);
            assert_eq!(wide.origin(&buffer).offset_of(2 + 10 * line), Some(9 * line));
            wide.consume(9, &buffer);
            buffer.consume(9);
        }
        assert!(wide.map.anchors.len() <= 2);
    }
}
