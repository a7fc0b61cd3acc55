//! A find, in plain text or in an archive, as the printers see it.

use std::ops::Range;

use urlgrep::{Found, Joined, Located, Place};

/// A find.
#[derive(Clone, Copy, Debug)]
pub enum Hit<'f> {
    /// In plain text.
    Text(&'f Found<'f>),
    /// In an archive.
    Archive(&'f Located<'f>),
}

impl<'f> Hit<'f> {
    /// The find itself, whose places are not always those of the file.
    pub fn found(self) -> &'f Found<'f> {
        match self {
            Hit::Text(found) => found,
            Hit::Archive(located) => located.found(),
        }
    }

    /// The range of the file.
    pub fn span(self) -> Range<usize> {
        match self {
            Hit::Text(found) => found.span(),
            Hit::Archive(located) => located.span(),
        }
    }

    /// The ranges of the file that encode the URL.
    pub fn segments(self) -> Vec<Range<usize>> {
        match self {
            Hit::Text(found) => found.segments().collect(),
            Hit::Archive(located) => located.segments(),
        }
    }

    /// Line and column, if they are counted.
    pub fn place(self) -> Option<Place> {
        match self {
            Hit::Text(found) => found.place(),
            Hit::Archive(located) => located.place(),
        }
    }

    /// How pieces from several lines came together.
    pub fn joined(self) -> Option<Joined> {
        match self {
            Hit::Text(found) => found.joined(),
            Hit::Archive(located) => located.joined(),
        }
    }

    /// The URL.
    pub fn as_bytes(self) -> &'f [u8] {
        self.found().as_bytes()
    }
}
