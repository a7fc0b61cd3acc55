//! A search and its inputs, as all threads share them.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use urlgrep::archive::{Files, Format};

use super::settings::Search;
use crate::error::failure;
use crate::input::chunk::{self, Chunk, Chunks};
use crate::input::parts::{self, Stream};
use crate::input::sections::Sections;
use crate::input::{Counted, Counters, FileId, Input, InputFiles, Roots};

/// The length in bytes from which on a file is read by a thread of its own, if one is spare.
const LARGE: u64 = 1024 * 1024;

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

    /// Opens an input. If it is worth a thread of its own, `spare` says whether one may be
    /// started; it keeps the value that this returns to its end.
    pub fn open<G: Send + 'static>(
        &self,
        input: anyhow::Result<Input>,
        spare: impl FnOnce() -> Option<G>,
    ) -> anyhow::Result<(InputFiles<'static>, Input)> {
        let input = input?;
        let len = input.len();
        let guard = if len.is_none_or(|len| len >= LARGE) { spare() } else { None };
        let (roots, counters) = (Arc::clone(&self.roots), Arc::clone(&self.counters));
        let (opened, stdout) = (input.clone(), self.stdout.clone());
        let open = move || {
            let reader = opened.open(stdout.as_ref(), roots.pre.as_ref())?;
            let reader: Box<dyn Read> = Box::new(Counted::new(reader, &counters));
            Files::new(reader).map_err(|error| failure(opened.name(), error))
        };
        Ok((InputFiles::open(len.is_none(), guard, open)?, input))
    }

    /// A reader whose bytes are counted.
    pub fn counted<R: Read>(&self, reader: R) -> Counted<R> {
        Counted::new(reader, &self.counters)
    }

    /// The chunks of an input of `len` bytes, if it is large and can be cut.
    pub fn chunks(&self, input: &Input, len: u64) -> Option<impl Iterator<Item = Chunk> + use<>> {
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
        let chunks = divisible.then(|| Chunks::new(input.name(), division).ok()).flatten()?;
        let mut chunks = chunks.peekable();
        (!chunks.peek()?.is_last()).then_some(chunks)
    }

    /// The sections of an input of `len` bytes, if it is large and has several.
    pub fn sections(&self, input: &Input, len: u64) -> Option<Sections> {
        let Input::File(path) = input else { return None };
        // The search reports what is wrong with the file.
        if len < LARGE || self.roots.pre.is_some() || input.open(self.stdout.as_ref(), None).is_err() {
            return None;
        }
        let options = &self.search.options;
        let sections = Sections::new(path, &options.read)?;
        (sections.format() != Format::Text || options.divisible_text).then_some(sections)
    }

    /// Whether several threads can search the inputs.
    pub fn is_divisible(&self) -> bool {
        let only = self.roots.only_file().map(|path| Input::File(path.to_owned()));
        self.roots.may_be_many() || only.and_then(|only| only.len()).is_some_and(|len| len >= LARGE)
    }

    /// The stream of an input, if that is the only one, and a large mbox that is compressed.
    pub fn stream(&self, input: &Input) -> Option<Stream> {
        let path = self.roots.only_file().filter(|_| self.roots.pre.is_none())?;
        // The search reports what is wrong with the file.
        if input.len()? < LARGE || input.open(self.stdout.as_ref(), None).is_err() {
            return None;
        }
        let divisible =
            File::open(path).and_then(|file| parts::is_divisible(file, &self.search.options.read));
        let open = || Stream::new(path, self.counted(File::open(path)?));
        divisible.ok()?.then(|| open().ok())?
    }
}
