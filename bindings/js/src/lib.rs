//! The part of the npm package that is Rust: a search of UTF-8 whose results are numbers.
//!
//! | module | contains |
//! |---|---|
//! | here | [`Rules`] and [`Exchange`]: what JavaScript calls |
//! | [`options`] | the options, as the builder of a finder |
//! | [`record`] | matches as numbers, with offsets in UTF-16 units |
//! | [`chunks`] | the search of a text that comes in chunks |
//! | [`facts`] | the facts about a URL by itself |
//! | `files` | the search of files, for the page: with the feature `archive` |
//! | `written` | the output for their matches |
//!
//! `lib/` has the part that is JavaScript, and the types: `index.d.ts`. The text crosses the border once, into the
//! buffer of [`Exchange`], and numbers come back. A URL that is a piece of the text is never copied: JavaScript slices it.

mod chunks;
mod facts;
#[cfg(feature = "archive")]
mod files;
mod options;
mod record;
#[cfg(feature = "archive")]
mod written;

use urlgrep::Finder;
use wasm_bindgen::prelude::*;

use crate::chunks::Chunks;
use crate::record::Cursor;

/// A finder.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Rules {
    finder: Finder,
}

#[wasm_bindgen]
impl Rules {
    /// Returns the finder of some options: see [`options::builder`].
    ///
    /// # Errors
    ///
    /// The sentence of the library.
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &[u32], lists: &str) -> Result<Rules, JsError> {
        let finder = options::builder(numbers, lists).build();
        Ok(Rules { finder: finder.map_err(|error| JsError::new(&error.to_string()))? })
    }

    /// Returns a search of a text that comes in chunks.
    pub fn chunks(&self) -> Chunks {
        Chunks::new(self.finder.scanner())
    }
}

/// Returns the facts about `url`, which includes its scheme: see [`facts::of`].
#[wasm_bindgen(js_name = factsOf)]
pub fn facts(url: &str) -> String {
    facts::of(url.as_bytes())
}

/// The memory in which texts and results cross the border. JavaScript has one, since it searches one text at a time.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Exchange {
    text: Vec<u8>,
    records: record::Records,
}

/// The amount of memory for texts and results that is kept for the next text.
const KEPT: usize = 1 << 20;

#[wasm_bindgen]
impl Exchange {
    /// Returns an exchange without memory.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Exchange {
        Exchange::default()
    }

    /// Returns the address of at least `bytes` bytes for a text, the first of which are kept.
    pub fn reserve(&mut self, bytes: usize) -> usize {
        if self.text.len() < bytes {
            self.text.resize(bytes, 0);
        }
        self.text.as_ptr().addr()
    }

    /// Searches the first `bytes` bytes, which are `units` units of UTF-16. Returns the address of
    /// the records of the matches, or 0 without matches.
    pub fn search(&mut self, rules: &Rules, bytes: usize, units: usize) -> usize {
        self.records.clear(Cursor::new(bytes == units));
        let text = &self.text[..bytes];
        for matched in rules.finder.find_iter(text) {
            self.records.push(text, &matched);
        }
        self.records.address()
    }

    /// Searches the same for the match that covers the unit `at` or, if it is `anchored`, starts there. Returns the address
    /// of the record of one match, or 0 without a match.
    #[wasm_bindgen(js_name = searchAt)]
    pub fn search_at(
        &mut self,
        rules: &Rules,
        bytes: usize,
        units: usize,
        at: usize,
        anchored: bool,
    ) -> usize {
        self.records.clear(Cursor::new(bytes == units));
        let text = &self.text[..bytes];
        let at = if bytes == units { at } else { record::byte_at(text, at) };
        let finder = &rules.finder;
        if let Some(matched) =
            if anchored { finder.match_at(text, at) } else { finder.find_covering(text, at) }
        {
            self.records.push(text, &matched);
        }
        self.records.address()
    }

    /// Adds the first `bytes` bytes to a text that comes in chunks. Returns the address of the
    /// records of the matches that are certain now.
    pub fn push(&mut self, chunks: &mut Chunks, bytes: usize, units: usize) -> usize {
        chunks.push(&self.text[..bytes], bytes == units, &mut self.records);
        self.records.address()
    }

    /// Ends a text that comes in chunks. Returns the address of the records of the last matches.
    pub fn finish(&mut self, chunks: &mut Chunks) -> usize {
        chunks.finish(&mut self.records);
        self.records.address()
    }

    /// Returns the strings of the matches, one after the other; the numbers contain their lengths.
    pub fn strings(&self) -> String {
        self.records.strings.clone()
    }

    /// Gives the memory of a long text back.
    pub fn trim(&mut self) {
        if self.text.len() > KEPT {
            self.text = Vec::new();
            self.records = record::Records::default();
        }
    }
}
