//! A find as it is printed.

use std::borrow::Cow;
use std::path::Path;

use urlgrep::Found;

use crate::around::Around;
use crate::spelling::Spelling;

/// A find, the name of its input, what stands around it if that was kept, and
/// how its URLs are spelled.
pub struct View<'v> {
    pub name: &'v Path,
    pub found: &'v Found<'v>,
    pub around: Option<&'v Around<'v>>,
    pub spelling: Spelling,
}

impl View<'_> {
    /// The URL.
    pub fn url(&self) -> Cow<'_, [u8]> {
        self.spelling.of(self.found.as_bytes())
    }

    /// The other readings.
    pub fn alternatives(&self) -> impl Iterator<Item = Vec<u8>> {
        self.found.alternatives().into_iter().map(|url| self.spelling.of(&url).into_owned())
    }
}
