//! A match as it is printed.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use urlgrep::Position;

use super::context::Context;
use super::spelling::Spelling;
use super::{Hit, style};
use crate::escape;

/// A match with all that printers need.
pub struct View<'v> {
    pub section: Section<'v>,
    pub hit: Hit<'v>,
    pub context: Option<&'v Context<'v>>,
    pub spelling: Spelling,
    /// Whether links were unwrapped, so that there is a key for it.
    pub unwrap: bool,
}

/// A file, or a chunk of one.
#[derive(Clone, Copy, Debug)]
pub struct Section<'s> {
    /// The name of the file.
    pub name: &'s Path,
    /// The offset in the file from which the offsets of its matches count. Lines and messages
    /// count from the start of the chunk.
    pub offset: u64,
}

impl View<'_> {
    /// The name of the file.
    pub fn path(&self) -> Cow<'_, [u8]> {
        self.spelling.of_bytes(escape::bytes(self.section.name))
    }

    /// The range of the match in the file.
    pub fn span(&self) -> Range<u64> {
        self.moved(self.hit.span())
    }

    /// A range of the section as one of the file.
    pub fn moved(&self, range: Range<u64>) -> Range<u64> {
        self.section.offset + range.start..self.section.offset + range.end
    }

    /// The line and column of the first byte.
    pub fn position(&self) -> Option<Position> {
        self.position_at(self.hit.span().start)
    }

    /// The same, if the match begins at `start` of the section.
    pub fn position_at(&self, start: u64) -> Option<Position> {
        self.hit.position_at(start)
    }

    /// The URL.
    pub fn url(&self) -> Cow<'_, [u8]> {
        self.spelling.of(self.hit.as_bytes())
    }

    /// What a click on the URL opens, if it is a link. `url` is how a reading of the
    /// match is printed.
    pub fn link(&self, url: &[u8]) -> Option<Vec<u8>> {
        style::link(&self.hit.matched().scheme(), &self.implied(), url)
    }

    /// The URL with its scheme, in visible ASCII. `url` is how a reading of the match is
    /// printed.
    pub fn target(&self, url: &[u8]) -> Vec<u8> {
        style::target(&self.implied(), url)
    }

    /// What a URL without a scheme starts with.
    fn implied(&self) -> Vec<u8> {
        let matched = self.hit.matched();
        let mut href = matched.href().into_owned();
        href.truncate(href.len() - matched.as_bytes().len());
        href
    }

    /// The other readings.
    pub fn alternatives(&self) -> impl Iterator<Item = Vec<u8>> {
        self.hit.matched().alternatives().into_iter().map(|url| self.spelling.of(&url).into_owned())
    }
}
