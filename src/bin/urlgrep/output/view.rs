//! A match as it is printed.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use urlgrep::{ArchiveMatch, MatchFields, Position};

use super::context::Context;
use super::spelling::Spelling;
use super::{Hit, style};
use crate::escape;
use crate::input::Base;

/// A match with all that printers need.
pub struct View<'v> {
    pub section: Section<'v>,
    pub hit: Hit<'v>,
    pub context: Option<&'v Context<'v>>,
    pub spelling: Spelling,
}

/// A file, or a chunk of one.
#[derive(Clone, Copy, Debug)]
pub struct Section<'s> {
    /// The name of the file.
    pub name: &'s Path,
    /// Where the chunk starts.
    pub base: Base,
}

impl View<'_> {
    /// The values that are serialized.
    pub fn fields(&self) -> MatchFields<'_> {
        MatchFields {
            matched: self.hit.matched(),
            position: self.position(),
            span: self.span(),
            segments: self.segments(),
            url: self.url(),
            text: self.hit.link_text(),
            joined: self.hit.joined(),
            alternatives: self.alternatives().collect(),
        }
    }

    /// The name of the file.
    pub fn path(&self) -> Cow<'_, [u8]> {
        self.spelling.of_bytes(escape::bytes(self.section.name))
    }

    /// The range of the match in the file.
    pub fn span(&self) -> Range<u64> {
        self.moved(self.hit.span())
    }

    /// The ranges whose concatenation is the URL.
    pub fn segments(&self) -> Vec<Range<u64>> {
        self.hit.segments().into_iter().map(|segment| self.moved(segment)).collect()
    }

    /// The line and column of the first byte.
    pub fn position(&self) -> Option<Position> {
        let position = self.hit.position()?;
        Some(Position { line: self.section.base.lines + position.line, ..position })
    }

    /// The index of the message that contains `matched`.
    pub fn message_index(&self, matched: &ArchiveMatch<'_>) -> u64 {
        self.section.base.messages + matched.message_index()
    }

    fn moved(&self, range: Range<u64>) -> Range<u64> {
        self.section.base.offset + range.start..self.section.base.offset + range.end
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
