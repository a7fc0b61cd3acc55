//! A match of either kind of input: of a text, or of an archive.

use std::ops::Range;

use urlgrep::archive::Role;
use urlgrep::grammar::{Warning, Warnings};
use urlgrep::{Joined, Match, Position, TextMatch};

/// A match, and how its hyphens were decided.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'m> {
    /// The match, and where it comes from.
    pub origin: Origin<'m>,
    /// None unless hyphens are decided by evidence.
    pub decision: Option<HyphenDecision>,
}

/// Where a match comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'m> {
    /// A text, of which offsets are those of the file.
    Text(&'m Match<'m>),
    /// A text of an archive.
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
