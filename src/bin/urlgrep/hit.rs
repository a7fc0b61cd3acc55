//! A find, in plain text or in an archive, as the printers see it.

use std::ops::Range;

use urlgrep::{ArchiveMatch, Joined, Match, Position};

/// A find.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'f> {
    pub source: Source<'f>,
    /// By what its hyphens were read, if that was a matter of evidence.
    pub settled: Option<Settled>,
}

/// Where a find is.
#[derive(Clone, Copy, Debug)]
pub enum Source<'f> {
    /// In plain text.
    Text(&'f Match<'f>),
    /// In an archive.
    Archive(&'f ArchiveMatch<'f>),
}

/// What settles how the hyphens at line ends in a URL are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// There are none, or only one reading is well formed.
    WithoutDoubt,
    /// The rule that goes for all hyphens.
    ByRule,
    /// The reading of this number, and no other, occurs elsewhere.
    ByEvidence(usize),
}

impl Settled {
    /// The name as it is printed, if there was any doubt.
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            Settled::WithoutDoubt => None,
            Settled::ByRule => Some("rule"),
            Settled::ByEvidence(_) => Some("evidence"),
        }
    }
}

impl<'f> Hit<'f> {
    /// The find itself, whose places are not always those of the file.
    pub fn found(self) -> &'f Match<'f> {
        match self.source {
            Source::Text(found) => found,
            Source::Archive(located) => located.in_text(),
        }
    }

    /// The range of the file.
    pub fn span(self) -> Range<usize> {
        match self.source {
            Source::Text(found) => found.span(),
            Source::Archive(located) => in_memory(located.span()),
        }
    }

    /// The ranges of the file that encode the URL.
    pub fn segments(self) -> Vec<Range<usize>> {
        match self.source {
            Source::Text(found) => found.segments().collect(),
            Source::Archive(located) => located.segments().into_iter().map(in_memory).collect(),
        }
    }

    /// Whether it was found in an attribute of HTML, and not in the text.
    pub fn is_in_attribute(self) -> bool {
        match self.source {
            Source::Text(_) => false,
            Source::Archive(located) => located.attribute().is_some(),
        }
    }

    /// Line and column, if they are counted.
    pub fn place(self) -> Option<Position> {
        match self.source {
            Source::Text(found) => found.place(),
            Source::Archive(located) => located.position(),
        }
    }

    /// How pieces from several lines came together.
    pub fn joined(self) -> Option<Joined> {
        match self.source {
            Source::Text(found) => found.joined(),
            Source::Archive(located) => located.joined(),
        }
    }

    /// The URL.
    pub fn as_bytes(self) -> &'f [u8] {
        self.found().as_bytes()
    }
}

/// A range of the file as one of memory, as long as those of text are.
fn in_memory(range: Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}
