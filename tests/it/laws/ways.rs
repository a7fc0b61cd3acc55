//! The ways to search a text: each applies `of` to every match.

use std::io::{self, Read};

use urlgrep::{Finder, Match};

/// The whole text at once.
pub fn slice<T>(finder: &Finder, text: &[u8], of: impl Fn(&Match<'_>) -> T) -> Vec<T> {
    finder.find_iter(text).map(|m| of(&m)).collect()
}

/// A reader that returns at most this many bytes per call.
pub struct Trickle<'t>(pub &'t [u8], pub usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

/// A reader that returns `size` bytes per call.
pub fn streamed<T>(finder: &Finder, text: &[u8], size: usize, of: impl Fn(&Match<'_>) -> T) -> Vec<T> {
    finder.stream(Trickle(text, size)).map(|m| of(&m.unwrap())).collect()
}

/// Pieces that are cut at `cuts`, which are in ascending order.
pub fn pushed<T>(finder: &Finder, text: &[u8], cuts: &[usize], of: impl Fn(&Match<'_>) -> T) -> Vec<T> {
    let mut all = Vec::new();
    let mut scanner = finder.scanner();
    let mut from = 0;
    for &cut in cuts {
        scanner.push(&text[from..cut], |m| all.push(of(&m)));
        from = cut;
    }
    scanner.push(&text[from..], |m| all.push(of(&m)));
    scanner.finish(|m| all.push(of(&m)));
    all
}
