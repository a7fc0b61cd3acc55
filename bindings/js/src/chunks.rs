//! A text that comes in chunks.

use urlgrep::Scanner;
use wasm_bindgen::prelude::*;

use crate::record::{Cursor, Records};

/// The search of a text that comes in chunks. Records of its matches count from the start of the text that is kept.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Chunks {
    scanner: Scanner,
    /// The text from the first byte on that matches to come may have.
    kept: Vec<u8>,
    cursor: Cursor,
}

impl Chunks {
    /// Returns the search of a text that is empty so far.
    pub fn new(scanner: Scanner) -> Chunks {
        Chunks { scanner, kept: Vec::new(), cursor: Cursor::new(true) }
    }

    /// Adds a chunk, and the matches that are certain now to `records`. `ascii` means that it has
    /// one unit for each byte.
    pub fn push(&mut self, chunk: &[u8], ascii: bool, records: &mut Records) {
        self.kept.extend_from_slice(chunk);
        self.cursor.ascii &= ascii;
        records.clear(self.cursor);
        self.scanner.push(chunk, |matched| records.push(&self.kept, &matched));
        self.cursor = records.cursor;
    }

    /// Ends the text, and adds the last matches to `records`. The next chunk begins another text.
    pub fn finish(&mut self, records: &mut Records) {
        records.clear(self.cursor);
        self.scanner.finish(|matched| records.push(&self.kept, &matched));
        self.kept.clear();
        self.cursor = Cursor::new(true);
    }
}

#[wasm_bindgen]
impl Chunks {
    /// Forgets the text that no match to come has, and returns how many units of UTF-16 it has.
    pub fn forget(&mut self) -> usize {
        let bytes = (self.scanner.earliest() as usize).wrapping_sub(self.cursor.base);
        let units = self.cursor.advance(&self.kept, bytes);
        self.kept.drain(..bytes);
        units
    }
}
