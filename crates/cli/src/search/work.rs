//! A search and its inputs, as all threads share them.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use urlgrep::archive::internal::may_be_rows;
use urlgrep::archive::{Files, Format};

use super::settings::Search;
use crate::error::{self, failure};
use crate::input::{Counted, Counters, FileId, Input, InputFiles, Next, Opened, Piece, Pieces, Roots, Sizes};

/// A search and its inputs.
pub struct Work {
    pub search: Search,
    pub roots: Arc<Roots>,
    /// The output, which is not searched.
    stdout: Option<FileId>,
    pub counters: Arc<Counters>,
    pub sizes: Sizes,
}

impl Work {
    pub fn new(search: Search, roots: Roots, stdout: Option<FileId>) -> Work {
        let (roots, counters, sizes) = (Arc::new(roots), Arc::default(), Sizes::default());
        Work { search, roots, stdout, counters, sizes }
    }

    /// Returns the same inputs with another search.
    pub fn with_search(&self, search: Search) -> Work {
        Work {
            search,
            roots: Arc::clone(&self.roots),
            stdout: self.stdout.clone(),
            counters: Arc::clone(&self.counters),
            sizes: self.sizes,
        }
    }

    /// Returns true if several threads can search the inputs.
    pub fn is_divisible(&self) -> bool {
        let only = self.roots.only_file().map(|path| Input::File(path.to_owned()));
        self.roots.may_be_many()
            || only.and_then(|only| only.len()).is_some_and(|len| len >= self.sizes.large)
    }

    /// Returns the pieces of an input: several if that is a large file that can be divided.
    pub fn pieces(&self, input: Input) -> Pieces {
        let is_large = input.len().is_some_and(|len| len >= self.sizes.large);
        // Rows may have empty lines in their cells, so they are not divided there.
        let may_be_rows = self.search.options.read.format.is_none()
            && may_be_rows(input.name().as_os_str().as_encoded_bytes());
        let open = || input.open(self.stdout.as_ref(), self.sizes);
        match (is_large && self.roots.pre.is_none() && !may_be_rows).then(open) {
            Some(Ok(Opened::File(file))) => {
                let options = &self.search.options;
                let kept = self.roots.only_file().map(|_| Arc::clone(&file));
                let mut pieces = Pieces::of(input, file, &options.read, self.sizes, options.divisible_text);
                pieces.file = kept;
                pieces
            }
            // The search reports the error.
            _ => Pieces::whole(input),
        }
    }

    /// Opens a piece. If it is worth a thread of its own, `spare` is true if one may be started; it
    /// keeps the value that this returns to its end.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read, or is also the output.
    pub fn open<G: Send + 'static>(
        &self,
        piece: &Piece,
        spare: impl FnOnce() -> Option<G>,
    ) -> anyhow::Result<InputFiles> {
        let input = &piece.input;
        let opened = error::catch(|| {
            if let Some(source) = &piece.source {
                let counts_lines = self.search.options.read.line_numbers && piece.next == Next::SameFile;
                self.counters.bytes.fetch_add(source.len, Ordering::Relaxed);
                let opened = source.open(counts_lines, self.sizes);
                return opened.map_err(|error| failure(input.name(), error));
            }
            let opened = match &piece.file {
                Some(file) => Opened::File(Arc::clone(file)),
                None => input
                    .open(self.stdout.as_ref(), self.sizes)
                    .map_err(|error| self.roots.with_advice(input, error))?,
            };
            let len = opened.len();
            let guard = if len.is_none_or(|len| len >= self.sizes.large) { spare() } else { None };
            let (roots, counters) = (Arc::clone(&self.roots), Arc::clone(&self.counters));
            let input = input.clone();
            let may_be_mailbox = self.search.options.read.format != Some(Format::Text);
            let open = move || {
                let reader = opened.clone().reader(&input, roots.pre.as_ref(), may_be_mailbox)?;
                let reader: Box<dyn Read> = Box::new(Counted::new(reader, &counters));
                Files::new(reader).map_err(|error| failure(input.name(), error))
            };
            InputFiles::open(len.is_none(), guard, open)
        });
        opened.unwrap_or_else(|interrupted| Err(failure(input.name(), interrupted)))
    }
}
