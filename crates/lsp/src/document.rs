//! A document, and the positions in it as clients count them: by lines, and in each by units of
//! UTF-8 or UTF-16.

use serde::{Deserialize, Serialize};

/// The text of a document.
pub struct Document {
    pub text: String,
    /// The offsets at which the lines start.
    lines: Vec<usize>,
}

/// The units that columns are counted in.
#[derive(Clone, Copy, Default, Serialize)]
pub enum Encoding {
    #[serde(rename = "utf-8")]
    Utf8,
    /// The default of a client that does not choose an encoding.
    #[default]
    #[serde(rename = "utf-16")]
    Utf16,
}

/// A position between two characters: line and column, from 0.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub struct Position {
    line: usize,
    character: usize,
}

/// A range of a document.
#[derive(Deserialize, Serialize)]
pub struct Range {
    start: Position,
    end: Position,
}

impl Encoding {
    /// The units of a text, which may end within a character: they belong to its first byte.
    fn units(self, text: &[u8]) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            // One for each character, or two beyond U+FFFF.
            Encoding::Utf16 => {
                text.iter().map(|&b| usize::from(b & 0xC0 != 0x80) + usize::from(b >= 0xF0)).sum()
            }
        }
    }
}

impl Document {
    /// Returns a document; its lines end with LF, CR LF or CR, as in the protocol.
    pub fn new(text: String) -> Self {
        let bytes = text.as_bytes();
        let ends =
            |at: &usize| bytes[*at] == b'\n' || bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let starts = (0..bytes.len()).filter(ends).map(|at| at + 1);
        let lines = [0].into_iter().chain(starts).collect();
        Document { text, lines }
    }

    /// Returns the number of the line that an offset is on.
    pub fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start <= offset) - 1
    }

    /// Returns the offset of a position. A position past the end of a line, or of the document,
    /// means its end.
    pub fn offset(&self, place: Position, encoding: Encoding) -> usize {
        let Some(&start) = self.lines.get(place.line) else { return self.text.len() };
        let end = self.lines.get(place.line + 1).copied().unwrap_or(self.text.len());
        let line = self.text[start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        let reached = line.bytes().position(|byte| {
            units += encoding.units(&[byte]);
            units > place.character
        });
        start + reached.unwrap_or(line.len())
    }

    /// Replaces a range of the text. A range that ends before its start is empty.
    pub fn replace(&mut self, range: &Range, new: &str, encoding: Encoding) {
        let start = self.offset(range.start, encoding);
        let end = self.offset(range.end, encoding).max(start);
        let mut text = std::mem::take(&mut self.text);
        text.replace_range(start..end, new);
        *self = Document::new(text);
    }

    /// Converts offsets to positions.
    pub fn positions(&self, encoding: Encoding) -> Positions<'_> {
        Positions { document: self, encoding, at: 0, units: 0 }
    }
}

/// Returns the positions of offsets: for ascending offsets in one pass over the text, regardless of
/// the length of its lines.
pub struct Positions<'d> {
    document: &'d Document,
    encoding: Encoding,
    at: usize,
    /// The code units of the line before `at`.
    units: usize,
}

impl Positions<'_> {
    /// The place of an offset.
    fn of(&mut self, offset: usize) -> Position {
        let line = self.document.line(offset);
        let start = self.document.lines[line];
        if self.at < start || offset < self.at {
            (self.at, self.units) = (start, 0);
        }
        self.units += self.encoding.units(&self.document.text.as_bytes()[self.at..offset]);
        self.at = offset;
        Position { line, character: self.units }
    }

    /// Returns the positions of both ends of a range of offsets.
    pub fn range(&mut self, range: std::ops::Range<usize>) -> Range {
        Range { start: self.of(range.start), end: self.of(range.end) }
    }
}
