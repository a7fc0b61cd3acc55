//! A find as it is printed.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use urlgrep::{ArchiveMatch, Position};

use crate::around::Around;
use crate::hit::Hit;
use crate::spelling::Spelling;

/// A find, the name of its input, what stands around it if that was kept, and
/// how its URLs are spelled.
pub struct View<'v> {
    pub name: &'v Path,
    pub hit: Hit<'v>,
    pub around: Option<&'v Around<'v>>,
    pub spelling: Spelling,
    /// Where the text begins that the find is of.
    pub base: Base,
}

/// A place in an input where a line begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Base {
    /// How many bytes stand before it.
    pub offset: usize,
    /// How many lines.
    pub lines: u64,
    /// How many messages.
    pub messages: u64,
}

/// An input, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    pub name: &'p Path,
    /// Where it begins.
    pub base: Base,
}

impl View<'_> {
    /// The range of the find in the input.
    pub fn span(&self) -> Range<usize> {
        self.moved(self.hit.span())
    }

    /// The ranges whose concatenation is the URL.
    pub fn segments(&self) -> Vec<Range<usize>> {
        self.hit.segments().into_iter().map(|segment| self.moved(segment)).collect()
    }

    /// The line and column where it begins.
    pub fn place(&self) -> Option<Position> {
        let place = self.hit.place()?;
        Some(Position { line: self.base.lines + place.line, ..place })
    }

    /// How many messages stand before the one that the find is in.
    pub fn message_index(&self, located: &ArchiveMatch<'_>) -> u64 {
        self.base.messages + located.message_index()
    }

    fn moved(&self, range: Range<usize>) -> Range<usize> {
        self.base.offset + range.start..self.base.offset + range.end
    }

    /// The URL.
    pub fn url(&self) -> Cow<'_, [u8]> {
        self.spelling.of(self.hit.as_bytes())
    }

    /// The other readings.
    pub fn alternatives(&self) -> impl Iterator<Item = Vec<u8>> {
        self.hit.found().alternatives().into_iter().map(|url| self.spelling.of(&url).into_owned())
    }
}
