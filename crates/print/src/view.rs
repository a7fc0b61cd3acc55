//! A match with all printed data.

use std::borrow::Cow;
use std::path::Path;

use urlgrep::table::{Head, Row};
use urlgrep::{Position, grammar};

use crate::context::Context;
use crate::escape;
use crate::hit::{Hit, HyphenDecision};
use crate::spelling::{self, Spelling};

/// A match with all data that printers need.
pub struct View<'v> {
    /// The base of its offsets.
    pub base: Base<'v>,
    /// The match.
    pub hit: Hit<'v>,
    /// The text around it, if that is printed.
    pub context: Option<&'v Context<'v>>,
    /// The spelling of URLs.
    pub spelling: Spelling,
}

/// The base of a match's offsets: a file, or a chunk of one.
#[derive(Clone, Copy, Debug)]
pub struct Base<'b> {
    /// The file name.
    pub name: &'b Path,
    /// The position in the file. Lines and messages count from the start of the chunk.
    pub offset: u64,
}

impl View<'_> {
    /// Returns the match as a row; `head` caches the header of its message.
    pub fn row<'r>(&'r self, head: &'r Head) -> Row<'r> {
        let decision = self.hit.decision.map(HyphenDecision::as_str);
        let row = Row::new(self.hit.matched).with_path(self.path()).with_offset(self.base.offset);
        let row = row.with_hyphen(decision).with_head(head);
        let url = || self.spelling.with_fangs(self.hit.matched.as_bytes());
        if self.spelling == Spelling::default() { row } else { row.with_url(url()) }
    }

    /// Returns the file name.
    pub fn path(&self) -> Cow<'_, [u8]> {
        self.spelling.of_bytes(escape::bytes(self.base.name))
    }

    /// Returns the line and column of the first byte.
    pub fn position(&self) -> Option<Position> {
        self.hit.matched.position()
    }

    /// Returns the URL.
    pub fn url(&self) -> Cow<'_, [u8]> {
        self.spelling.of(self.hit.matched.as_bytes())
    }

    /// Returns the target of a click on the URL, if it is a link and not defanged: if its scheme is one of those that
    /// become links. `url` is the printed form of a reading of the match.
    pub fn link(&self, url: &[u8]) -> Option<Vec<u8>> {
        let is_link = !self.spelling.defang && grammar::opens_safely(&self.hit.matched.scheme());
        is_link.then(|| self.target(url))
    }

    /// Returns the URL with its scheme, in visible ASCII. `url` is the printed form of a reading of the match.
    pub fn target(&self, url: &[u8]) -> Vec<u8> {
        // The text before a URL without a scheme.
        let mut implied = self.hit.matched.href().into_owned();
        implied.truncate(implied.len() - self.hit.matched.as_bytes().len());
        spelling::target(implied, url)
    }

    /// Returns the other readings.
    pub fn alternatives(&self) -> impl Iterator<Item = Vec<u8>> {
        self.hit.matched.alternatives().into_iter().map(|url| self.spelling.of(&url).into_owned())
    }
}
