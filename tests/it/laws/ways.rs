//! The ways in: a text and a finder, and what `of` makes of each match.

use std::io::{self, Read};

use urlgrep::{Finder, Match};

/// The whole text at once.
pub fn slice<T>(finder: &Finder, text: &[u8], of: impl Fn(&Match<'_>) -> T) -> Vec<T> {
    finder.find_iter(text).map(|found| of(&found)).collect()
}

/// A reader that yields at most `n` bytes a call.
pub struct Trickle<'t>(pub &'t [u8], pub usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

/// A reader that yields `size` bytes a call.
pub fn streamed<T>(finder: &Finder, text: &[u8], size: usize, of: impl Fn(&Match<'_>) -> T) -> Vec<T> {
    finder.stream(Trickle(text, size)).map(|found| of(&found.unwrap())).collect()
}

/// Pieces that are cut at `cuts`, which ascend.
pub fn pushed<T>(finder: &Finder, text: &[u8], cuts: &[usize], of: impl Fn(&Match<'_>) -> T) -> Vec<T> {
    let mut found = Vec::new();
    let mut scanner = finder.scanner();
    let mut from = 0;
    for &cut in cuts {
        scanner.push(&text[from..cut], |f| found.push(of(&f)));
        from = cut;
    }
    scanner.push(&text[from..], |f| found.push(of(&f)));
    scanner.finish(|f| found.push(of(&f)));
    found
}
