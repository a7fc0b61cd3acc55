//! Letters of windows-1252 in a text that is not UTF-8 and declares no charset: `http://m\xFCller.h.org`.
//!
//! In a Latin text such bytes occur singly or in pairs between ASCII letters. In other charsets
//! (KOI8, GBK, EUC) they come in long runs, and those after a URL are the next word of the
//! sentence. Only the line of the URL decides, because a text may be divided at any line break.

use std::cell::Cell;

use crate::bytes::class::BREAK;
use crate::bytes::window::Window;

/// The number of bytes before and after a byte on its line that must be Latin.
const CONTEXT: usize = 64;

/// The maximum number of consecutive non-ASCII bytes in a Latin text.
const MAX_RUN: usize = 2;

/// True if the text around the first such letter of a URL is Latin. Computed once: testing it for
/// each letter would take 5,000 instructions per byte of a URL of only such letters.
#[derive(Default)]
pub(super) struct Latin(Cell<Option<bool>>);

impl Latin {
    /// Returns the letter that the non-ASCII byte at `at` encodes in windows-1252, if the text is
    /// Latin.
    pub(super) fn letter(&self, window: &Window<'_>, at: usize) -> Option<char> {
        let start = window.skip_back(at, at.saturating_sub(MAX_RUN), |b| b >= 0x80);
        let end = window.skip(at, at + MAX_RUN, |b| b >= 0x80);
        if !are_letters(window.ahead(start..end)) {
            return None;
        }
        let is_latin = self.0.get().unwrap_or_else(|| is_latin(line_around(window, at)));
        self.0.set(Some(is_latin));
        if is_latin { letter_of(window.get(at)?) } else { None }
    }
}

/// The line around `at`, as far as it must be Latin.
fn line_around<'h>(window: &Window<'h>, at: usize) -> &'h [u8] {
    let in_line = |b| !BREAK.has(b);
    let start = window.skip_back(at, at.saturating_sub(CONTEXT), in_line);
    window.ahead(start..window.skip(at, at + CONTEXT, in_line))
}

/// Returns true if a run of letters in `line` is in a word, and no run of non-ASCII bytes is UTF-8
/// or longer than in a Latin text.
fn is_latin(line: &[u8]) -> bool {
    let (mut has_word, mut at) = (false, 0);
    while let Some(start) = line[at..].iter().position(|b| !b.is_ascii()).map(|n| at + n) {
        at = line[start..].iter().position(u8::is_ascii).map_or(line.len(), |n| start + n);
        let run = &line[start..at];
        if run.len() > MAX_RUN || matches!(run, [0xC2..=0xDF, 0x80..=0xBF]) {
            return false;
        }
        let before = start.checked_sub(1).map(|before| line[before]);
        has_word |= are_letters(run) && is_in_word(before, line.get(at).copied());
    }
    has_word
}

/// Returns true if these bytes are within a word: one of them is a letter, and the other one continues it.
fn is_in_word(before: Option<u8>, after: Option<u8>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let in_word = |b: u8| b.is_ascii_alphanumeric() || b"/-_.?=&#".contains(&b);
    in_word(before) && in_word(after) && (before.is_ascii_alphabetic() || after.is_ascii_alphabetic())
}

/// Returns true if `run` is one letter, or two in lower case (`ää`): in EUC and GBK, most pairs
/// begin with a lower byte.
fn are_letters(run: &[u8]) -> bool {
    match run {
        [byte] => letter_of(*byte).is_some(),
        [first, second] => [first, second].iter().all(|&&b| b >= 0xE0 && letter_of(b).is_some()),
        _ => false,
    }
}

/// The letter that a non-ASCII byte is in windows-1252, except Š, Œ, Ž and Ÿ: in Shift JIS,
/// frequent characters begin with these.
fn letter_of(byte: u8) -> Option<char> {
    match byte {
        0x9A => Some('š'),
        0x9C => Some('œ'),
        0x9E => Some('ž'),
        0xD7 | 0xF7 => None,
        0xC0.. => Some(byte.into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_letters() {
        for (run, expected) in [
            (&b"\xE9"[..], true),
            (b"\x9A", true),
            (b"\xE4\xF6", true),
            (b"\xE0\xE0", true),
            (b"\xDF\xE0", false),
            (b"\xE0\xDF", false),
            (b"\xC4\xF6", false),
            (b"\xE4\xD6", false),
            (b"\xE4\xF6\xFC", false),
            (b"\x80", false),
            (b"", false),
        ] {
            assert_eq!(are_letters(run), expected, "{}", run.escape_ascii());
        }
    }

    #[test]
    fn what_is_within_a_word() {
        for (before, after, expected) in [
            (Some(b'a'), Some(b'b'), true),
            (Some(b'a'), Some(b'1'), true),
            (Some(b'/'), Some(b'b'), true),
            (Some(b'a'), Some(b'&'), true),
            (Some(b'1'), Some(b'2'), false),
            (Some(b'/'), Some(b'.'), false),
            (Some(b'a'), Some(b' '), false),
            (Some(b'('), Some(b'b'), false),
            (None, Some(b'b'), false),
            (Some(b'a'), None, false),
        ] {
            assert_eq!(is_in_word(before, after), expected, "{before:?} {after:?}");
        }
    }
}
