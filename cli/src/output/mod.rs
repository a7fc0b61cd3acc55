//! How matches are printed, listed and counted.
//!
//! A [`Hit`] is a match of either kind of input, and a [`View`] is a hit as it is printed.
//! `printer` writes views into a [batch](batch::Batch) in memory, so that several threads can
//! print; `stdout` writes the batches in order, and keeps the statistics and the report, or
//! sends the matches to the menu.

pub mod batch;
pub mod context;
pub mod item;
mod newest;
pub mod page;
pub mod printer;
pub mod report;
pub mod stats;
pub mod stdout;
pub mod style;
pub mod unread;

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use urlgrep::archive::Role;
use urlgrep::grammar::{Warning, Warnings};
use urlgrep::{Joined, Match, Position, TextMatch};

use crate::escape;
use context::Context;
use printer::Requested;
use style::Spelling;

/// A match, and how its hyphens were decided.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'m> {
    pub origin: Origin<'m>,
    /// None unless hyphens are decided by evidence.
    pub decision: Option<HyphenDecision>,
}

/// Where a match comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'m> {
    Text(&'m Match<'m>),
    Archive(&'m TextMatch<'m>),
}

/// What decided which reading of the hyphens at line ends is the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HyphenDecision {
    /// There is no such hyphen, or only one reading is well formed.
    NoDoubt,
    /// The option `--hyphen`.
    ByRule,
    /// The reading of this number, and no other, occurs elsewhere.
    ByEvidence(usize),
}

impl HyphenDecision {
    /// The name as it is printed; none if there was no doubt.
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            HyphenDecision::NoDoubt => None,
            HyphenDecision::ByRule => Some("rule"),
            HyphenDecision::ByEvidence(_) => Some("evidence"),
        }
    }
}

impl<'m> Hit<'m> {
    /// The match in its archive, if it is in one.
    pub fn archive(self) -> Option<&'m TextMatch<'m>> {
        match self.origin {
            Origin::Text(_) => None,
            Origin::Archive(matched) => Some(matched),
        }
    }

    /// The match. In an archive its offsets are those of the decoded text.
    pub fn matched(self) -> &'m Match<'m> {
        match self.origin {
            Origin::Text(matched) => matched,
            Origin::Archive(matched) => matched.in_text(),
        }
    }

    /// The range of the file.
    pub fn span(self) -> Range<u64> {
        match self.origin {
            Origin::Text(matched) => matched.span(),
            Origin::Archive(matched) => matched.span(),
        }
    }

    /// The range of the file, and the ranges of it that encode the URL.
    pub fn places(self) -> (Range<u64>, Vec<Range<u64>>) {
        let segments = self.segments();
        let matched = self.matched();
        let whole = matched.segments().all(|segment| segment == matched.span());
        match (&segments[..], whole) {
            ([first, ..], true) => (first.start..segments[segments.len() - 1].end, segments),
            _ => (self.span(), segments),
        }
    }

    /// The ranges of the file that encode the URL.
    pub fn segments(self) -> Vec<Range<u64>> {
        match self.origin {
            Origin::Text(matched) => matched.segments().collect(),
            Origin::Archive(matched) => matched.segments(),
        }
    }

    /// Whether the match is in an attribute of HTML.
    pub fn is_in_attribute(self) -> bool {
        self.archive().is_some_and(|matched| matched.attribute().is_some())
    }

    /// The text of the link, if the match is one.
    pub fn link_text(self) -> Option<Vec<u8>> {
        self.archive()?.link_text()
    }

    /// What the URL is to a reader.
    pub fn role(self) -> Role {
        self.archive().map_or(Role::Text, TextMatch::role)
    }

    /// The warnings about the URL, and about the text of a link.
    pub fn warnings(self) -> Warnings {
        self.archive().map_or_else(|| self.matched().warnings(), TextMatch::warnings)
    }

    /// Whether the text of the link shows another host.
    pub fn shows_another_host(self) -> bool {
        self.role() == Role::Link && self.warnings().contains(Warning::TextHost)
    }

    /// Line and column, if they are counted and the match begins at `start`.
    pub fn position_at(self, start: u64) -> Option<Position> {
        match self.origin {
            Origin::Text(matched) => matched.position(),
            Origin::Archive(matched) => matched.text().position(start),
        }
    }

    /// How pieces from several lines were joined.
    pub fn joined(self) -> Option<Joined> {
        match self.origin {
            Origin::Text(matched) => matched.joined(),
            Origin::Archive(matched) => matched.joined(),
        }
    }

    /// The URL.
    pub fn as_bytes(self) -> &'m [u8] {
        self.matched().as_bytes()
    }
}

/// A match with all that printers need.
pub struct View<'v> {
    pub base: Base<'v>,
    pub hit: Hit<'v>,
    pub context: Option<&'v Context<'v>>,
    pub spelling: Spelling,
    pub requested: Requested,
}

/// What the offsets of a match count from: a file, or a chunk of one.
#[derive(Clone, Copy, Debug)]
pub struct Base<'b> {
    /// The name of the file.
    pub name: &'b Path,
    /// Where in the file it is. Lines and messages count from the start of the chunk.
    pub offset: u64,
}

impl View<'_> {
    /// The name of the file.
    pub fn path(&self) -> Cow<'_, [u8]> {
        self.spelling.of_bytes(escape::bytes(self.base.name))
    }

    /// The line and column of the first byte.
    pub fn position(&self) -> Option<Position> {
        self.hit.position_at(self.hit.span().start)
    }

    /// The URL.
    pub fn url(&self) -> Cow<'_, [u8]> {
        self.spelling.of(self.hit.as_bytes())
    }

    /// What a click on the URL opens, if it is a link. `url` is how a reading of the
    /// match is printed.
    pub fn link(&self, url: &[u8]) -> Option<Vec<u8>> {
        style::link(&self.hit.matched().scheme(), self.implied(), url)
    }

    /// The URL with its scheme, in visible ASCII. `url` is how a reading of the match is
    /// printed.
    pub fn target(&self, url: &[u8]) -> Vec<u8> {
        style::target(self.implied(), url)
    }

    /// What a URL without a scheme starts with.
    fn implied(&self) -> Vec<u8> {
        let mut href = self.hit.matched().href().into_owned();
        href.truncate(href.len() - self.hit.as_bytes().len());
        href
    }

    /// The other readings.
    pub fn alternatives(&self) -> impl Iterator<Item = Vec<u8>> {
        self.hit.matched().alternatives().into_iter().map(|url| self.spelling.of(&url).into_owned())
    }
}

/// The number of characters of a text that is clipped.
const CLIPPED: usize = 300;

/// The start of a text, such as a subject: its first 300 characters.
fn clip(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(CLIPPED) {
        text.truncate(end);
        text.push('\u{2026}');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_clipped() {
        assert_eq!(clip("\u{fc}".repeat(300)), "\u{fc}".repeat(300));
        assert_eq!(clip("\u{fc}".repeat(301)), "\u{fc}".repeat(300) + "\u{2026}");
    }
}
