//! Matches as numbers, with offsets in UTF-16 units.
//!
//! The first number is how many records follow. A record is, in this order:
//!
//! | number | means |
//! |---|---|
//! | start, end | the span |
//! | flags | see [`flags`] |
//! | first, last | the segment, if there is one |
//! | more | how many numbers follow that only some matches have |
//!
//! These are: the line, or 0; the number of pieces, and their starts and ends; the length of the
//! URL as a string, or 0 if it is its pieces; the number of other readings, and their lengths; what
//! was trimmed, and the length of the reason why the URL ends. Lengths refer to the strings, in
//! UTF-16 units.

use std::borrow::Cow;
use std::ops::Range;

use urlgrep::{Match, Warning};

/// The records of the matches of one text.
#[derive(Debug, Default)]
pub struct Records {
    numbers: Vec<u32>,
    pub strings: String,
    /// The position up to which the text has been counted.
    pub cursor: Cursor,
}

/// The position up to which a text has been counted, in both units.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    /// True if a byte is a unit, since the text is ASCII.
    pub ascii: bool,
    /// The offset of the text in the whole input, which may wrap, as the offsets of matches do.
    pub base: usize,
    byte: usize,
    unit: usize,
}

impl Cursor {
    /// Returns the start of a text, which may have one unit for each byte.
    pub fn new(ascii: bool) -> Cursor {
        Cursor { ascii, ..Cursor::default() }
    }

    /// Forgets the first `bytes` bytes of `text`, and returns how many units they are.
    pub fn advance(&mut self, text: &[u8], bytes: usize) -> usize {
        let units = self.reach(text, bytes);
        *self = Cursor { base: self.base.wrapping_add(bytes), ..Cursor::new(self.ascii) };
        units as usize
    }

    /// The unit at `byte`, which may be before the cursor.
    fn reach(&mut self, text: &[u8], byte: usize) -> u32 {
        if self.ascii {
            return byte as u32;
        }
        match byte >= self.byte {
            true => self.unit += units(&text[self.byte..byte]),
            false => self.unit -= units(&text[byte..self.byte]),
        }
        self.byte = byte;
        self.unit as u32
    }
}

/// A range of all that is searched, in a text that starts at `base`. The sums may have wrapped.
fn in_text(range: Range<usize>, base: usize) -> Range<usize> {
    range.start.wrapping_sub(base)..range.end.wrapping_sub(base)
}

/// Returns the first byte of the character that has the unit `wanted`, or the length of `text`.
pub fn byte_at(text: &[u8], wanted: usize) -> usize {
    let mut seen = 0;
    let has_it = |&b: &u8| {
        seen += units(&[b]);
        seen > wanted
    };
    text.iter().position(has_it).unwrap_or(text.len())
}

/// Returns the number of UTF-16 units of the characters that start in `bytes`: one for each, or
/// two beyond U+FFFF.
fn units(bytes: &[u8]) -> usize {
    bytes.iter().map(|&b| usize::from(b & 0xC0 != 0x80) + usize::from(b >= 0xF0)).sum()
}

/// The properties of a match that are names, a byte each: their positions in the lists that
/// `lib/match.js` has.
///
/// The lists are the library's own, `Form::ALL` and others, so they always contain new names;
/// `tests/it/fields.rs` compares them. Fields that may be null are 0 then, and the names are
/// counted from
/// 1. The highest bit of the second byte shows that the URL was truncated, by the bytes `after` the
///    match.
fn flags(after: &[u8], matched: &Match<'_>) -> u32 {
    let joined = matched.joined().map_or(0, |joined| joined as u32 + 1);
    let guess = matched.guess().map_or(0, |rule| rule as u32 + 1);
    let truncated = u32::from(is_truncated(after, matched));
    matched.form() as u32 | joined << 8 | truncated << 15 | guess << 16 | implied(matched) << 24
}

/// Returns true if only the start of the URL is shown. Only where an ellipsis follows are warnings computed, for the speed.
fn is_truncated(after: &[u8], matched: &Match<'_>) -> bool {
    (after.starts_with(b"...") || after.starts_with("…".as_bytes()))
        && matched.warnings().contains(Warning::Truncated)
}

/// The texts that an implied scheme adds before the URL, numbered from 1.
const IMPLIED: [&[u8]; 3] = [b"http://", b"ftp://", b"mailto:"];

/// Returns the number of the implied scheme, if one is implied: then the whole URL is another text.
/// 255 is not in the list.
fn implied(matched: &Match<'_>) -> u32 {
    match matched.href() {
        Cow::Borrowed(_) => 0,
        Cow::Owned(href) => {
            let place = IMPLIED.iter().position(|prefix| href.starts_with(prefix));
            place.map_or(255, |place| place as u32 + 1)
        }
    }
}

impl Records {
    /// Forgets all matches. Those to come are in a text that has been counted as far as `cursor`.
    pub fn clear(&mut self, cursor: Cursor) {
        self.numbers.clear();
        self.numbers.push(0);
        self.strings.clear();
        self.cursor = cursor;
    }

    /// Returns the address of the numbers, or 0 without a match.
    pub fn address(&self) -> usize {
        if self.numbers.first().is_some_and(|&count| count > 0) { self.numbers.as_ptr().addr() } else { 0 }
    }

    /// Adds a match in `text`.
    pub fn push(&mut self, text: &[u8], matched: &Match<'_>) {
        let base = self.cursor.base;
        let mut pieces = matched.ranges().map(|range| in_text(range, base));
        let span = in_text(matched.range(), base);
        let first = pieces.next().unwrap_or(span.clone());
        let is_slice = pieces.next().is_none() && matched.as_bytes() == &text[first.clone()];
        let [start, from, to, end] =
            [span.start, first.start, first.end, span.end].map(|byte| self.cursor.reach(text, byte));
        self.numbers.extend([start, end, flags(&text[span.end..], matched), from, to, 0]);
        self.numbers[0] += 1;
        let has_notes = matched.position().is_some() || matched.ending().is_some();
        if !is_slice || has_notes || !matched.alternatives().is_empty() {
            // The facts that only some matches have.
            let before = self.numbers.len();
            let line = matched.position().map_or(0, |position| position.line as u32);
            let pieces: Vec<Range<usize>> = matched.ranges().map(|range| in_text(range, base)).collect();
            let joined = if pieces.len() > 1 { &pieces[..] } else { &[] };
            self.numbers.extend([line, joined.len() as u32]);
            for piece in joined {
                self.numbers.extend([piece.start, piece.end].map(|byte| self.cursor.reach(text, byte)));
            }
            let slices: Vec<&[u8]> = pieces.iter().map(|piece| &text[piece.clone()]).collect();
            let is_slices = matched.as_bytes() == slices.concat();
            let url = if is_slices { 0 } else { self.string(&String::from_utf8_lossy(matched.as_bytes())) };
            let others = matched.alternatives();
            self.numbers.extend([url, others.len() as u32]);
            for other in &others {
                let len = self.string(&String::from_utf8_lossy(other));
                self.numbers.push(len);
            }
            let ending = matched.ending();
            let trimmed = ending.map_or(0, |ending| ending.trimmed());
            let reason = ending.map_or(0, |ending| self.string(&ending.stop().to_string()));
            self.numbers.extend([trimmed as u32, reason]);
            self.numbers[before - 1] = (self.numbers.len() - before) as u32;
        }
    }

    /// Adds a string, and returns its length.
    fn string(&mut self, string: &str) -> u32 {
        self.strings.push_str(string);
        units(string.as_bytes()) as u32
    }
}
