//! A match with all printed data.

use std::borrow::Cow;
use std::path::Path;

use urlgrep::table::{Head, Row};
use urlgrep::{Match, grammar};

use crate::context::{Context, HyphenDecision};
use crate::escape;
use crate::spelling::{self, Spelling};

/// A match with all data that printers need.
#[derive(Clone, Copy)]
pub struct View<'v> {
    /// The file name.
    pub name: &'v Path,
    /// The position in the file from which the offsets of the match count: they may count from the start of a chunk.
    /// Lines and messages always do.
    pub offset: u64,
    /// The match.
    pub matched: &'v Match<'v>,
    /// The decision about hyphens with `--hyphen evidence`; `None` without that option, or if only one reading is well
    /// formed.
    pub decision: Option<HyphenDecision>,
    /// The text around it, if that is printed.
    pub context: Option<&'v Context<'v>>,
    /// The spelling of URLs.
    pub spelling: Spelling,
}

/// Returns true if a match is in an HTML attribute.
pub fn is_in_attribute(matched: &Match<'_>) -> bool {
    matched.context().is_some_and(|context| context.attribute().is_some())
}

impl View<'_> {
    /// Returns the match as a row; `head` caches the header of its message.
    pub fn row<'r>(&'r self, head: &'r Head) -> Row<'r> {
        let decision = self.decision.map(HyphenDecision::as_str);
        let row = Row::new(self.matched).with_path(self.path()).with_offset(self.offset);
        let row = row.with_hyphen(decision).with_head(head);
        let url = || self.spelling.before_defang(self.matched.as_bytes());
        if self.spelling == Spelling::default() { row } else { row.with_url(url()) }
    }

    /// Returns the file name.
    pub fn path(&self) -> Cow<'_, [u8]> {
        self.spelling.of_bytes(escape::bytes(self.name))
    }

    /// Returns the URL.
    pub fn url(&self) -> Cow<'_, [u8]> {
        self.spelling.of(self.matched.as_bytes())
    }

    /// Returns the target of a click on the URL, if it is a link and not defanged: if its scheme is one of those that
    /// become links. `url` is the printed form of a reading of the match.
    pub fn link(&self, url: &[u8]) -> Option<Vec<u8>> {
        let is_link = !self.spelling.defang && grammar::opens_safely(&self.matched.scheme());
        is_link.then(|| self.target(url))
    }

    /// Returns the URL with its scheme, in visible ASCII. `url` is the printed form of a reading of the match.
    pub fn target(&self, url: &[u8]) -> Vec<u8> {
        // The text before a URL without a scheme.
        let mut implied = self.matched.href().into_owned();
        implied.truncate(implied.len() - self.matched.as_bytes().len());
        spelling::target(implied, url)
    }

    /// Returns the other readings.
    pub fn alternatives(&self) -> impl Iterator<Item = Vec<u8>> {
        self.matched.alternatives().into_iter().map(|url| self.spelling.of(&url).into_owned())
    }
}
