//! A search and its inputs, as all threads share them.

use std::io::Read;
use std::sync::Arc;

use urlgrep::archive::Format;

use super::settings::Search;
use crate::input::chunk::{self, Chunk};
use crate::input::{Counted, Counters, FileId, Input, Roots};

/// A search and its inputs.
pub struct Work {
    pub search: Search,
    pub roots: Arc<Roots>,
    /// The output, which is not searched.
    pub stdout: Option<FileId>,
    pub counters: Arc<Counters>,
}

impl Work {
    /// The same inputs with another search.
    pub fn with_search(&self, search: Search) -> Work {
        Work {
            search,
            roots: Arc::clone(&self.roots),
            stdout: self.stdout.clone(),
            counters: Arc::clone(&self.counters),
        }
    }

    /// Opens an input.
    pub fn open(&self, input: anyhow::Result<Input>) -> anyhow::Result<(impl Read + use<>, Input)> {
        let input = input?;
        let reader = input.open(self.stdout.as_ref(), self.roots.pre.as_ref())?;
        Ok((self.counted(reader), input))
    }

    /// A reader whose bytes are counted.
    pub fn counted<R: Read>(&self, reader: R) -> Counted<R> {
        Counted::new(reader, &self.counters)
    }

    /// The chunks of an input of `len` bytes, if it is large and can be cut.
    pub fn chunks(&self, input: &Input, len: u64) -> Option<Vec<Chunk>> {
        // The search reports what is wrong with the file.
        if !chunk::is_large(len)
            || self.roots.pre.is_some()
            || input.open(self.stdout.as_ref(), None).is_err()
        {
            return None;
        }
        let options = &self.search.options;
        let division = chunk::division(input.name(), options.read.format).ok()?;
        let divisible = match division.format() {
            Some(Format::Text) => options.divisible_text,
            _ => division.is_divisible(),
        };
        let chunks = divisible.then(|| chunk::chunks(input.name(), &division).ok()).flatten()?;
        (chunks.len() > 1).then_some(chunks)
    }
}
