//! Matches as numbers, with offsets in UTF-16 units.
//!
//! A record is, in this order:
//!
//! | number | means |
//! |---|---|
//! | start, end | the span |
//! | flags | see [`flags`] |
//! | first, last | the segment, if there is one |
//! | more | how many numbers follow that only some matches have |
//!
//! These are: the line, or 0; the number of segments, and their starts and ends; the length of the URL as a string, or 0 if it is
//! its segments; the number of other readings, and their lengths; what was trimmed, and the length of the reason why the URL
//! ends. Lengths are those of the strings, in UTF-16 units.

use urlgrep::Match;

/// The records of the matches of one text.
#[derive(Debug, Default)]
pub struct Records {
    numbers: Vec<u32>,
    strings: String,
    count: usize,
    /// Whether a byte is a unit, since the text is ASCII.
    ascii: bool,
    at: Place,
}

/// A place in a text, in both units.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    byte: usize,
    unit: usize,
}

impl Place {
    /// The unit at `byte`, which may be before this place.
    fn reach(&mut self, text: &[u8], byte: usize) -> u32 {
        match byte >= self.byte {
            true => self.unit += units(&text[self.byte..byte]),
            false => self.unit -= units(&text[byte..self.byte]),
        }
        self.byte = byte;
        self.unit as u32
    }
}

/// How many units of UTF-16 the characters have that start in `bytes`: one, or two beyond U+FFFF.
fn units(bytes: &[u8]) -> usize {
    bytes.iter().map(|&b| usize::from(b & 0xC0 != 0x80) + usize::from(b >= 0xF0)).sum()
}

/// The properties of a match that are names, a byte each: their places in the lists that `lib/match.js` has.
///
/// The lists are those of the library, `Form::ALL` and others, so a name that is new there is none here that is old;
/// `tests/it/fields.rs` compares them. What may be null is 0 then, and the names are counted from 1.
fn flags(matched: &Match<'_>) -> u32 {
    let joined = matched.joined().map_or(0, |joined| joined as u32 + 1);
    let guess = matched.guess().map_or(0, |rule| rule as u32 + 1);
    matched.form() as u32 | joined << 8 | guess << 16 | implied(matched) << 24
}

/// What a scheme that is implied has before the URL, from 1 on.
const IMPLIED: [&[u8]; 3] = [b"http://", b"ftp://", b"mailto:"];

/// Which scheme is implied: that by which the whole URL is longer. 255 is none of the list.
fn implied(matched: &Match<'_>) -> u32 {
    let href = matched.href();
    match &href[..href.len() - matched.as_bytes().len()] {
        [] => 0,
        before => IMPLIED.iter().position(|known| *known == before).map_or(255, |place| place as u32 + 1),
    }
}

impl Records {
    /// Forgets all matches. `ascii` says that the next text has one unit for each byte.
    pub fn clear(&mut self, ascii: bool) {
        self.numbers.clear();
        self.strings.clear();
        (self.count, self.ascii, self.at) = (0, ascii, Place::default());
    }

    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub fn strings(&self) -> &str {
        &self.strings
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a match in `text`.
    pub fn push(&mut self, text: &[u8], matched: &Match<'_>) {
        let mut at = self.at;
        let ascii = self.ascii;
        let mut unit = |byte: usize| if ascii { byte as u32 } else { at.reach(text, byte) };
        let span = matched.range();
        let start = unit(span.start);
        let mut segments: Vec<[usize; 2]> = Vec::new();
        let mut ranges = matched.ranges();
        let first = ranges.next().unwrap_or(span.clone());
        for range in ranges {
            if segments.is_empty() {
                segments.push([first.start, first.end]);
            }
            segments.push([range.start, range.end]);
        }
        let [from, to] = [unit(first.start), unit(first.end)];
        let more: Vec<u32> = segments.iter().flatten().map(|&byte| unit(byte)).collect();
        let end = unit(span.end);
        self.numbers.extend([start, end, flags(matched), from, to, 0]);
        let before = self.numbers.len();
        self.count += 1;
        self.at = Place { byte: span.end, unit: end as usize };
        let is_slices = match segments.is_empty() {
            true => matched.as_bytes() == &text[first],
            false => {
                matched.as_bytes()
                    == segments.iter().map(|&[from, to]| &text[from..to]).collect::<Vec<_>>().concat()
            }
        };
        let others = matched.alternatives();
        let line = matched.position().map_or(0, |position| position.line as u32);
        if more.is_empty() && is_slices && others.is_empty() && line == 0 && matched.ending().is_none() {
            return;
        }
        self.numbers.extend([line, more.len() as u32 / 2]);
        self.numbers.extend(more);
        let url = if is_slices { 0 } else { self.string(&String::from_utf8_lossy(matched.as_bytes())) };
        self.numbers.extend([url, others.len() as u32]);
        for other in &others {
            let len = self.string(&String::from_utf8_lossy(other));
            self.numbers.push(len);
        }
        self.push_ending(matched);
        self.numbers[before - 1] = (self.numbers.len() - before) as u32;
    }

    fn push_ending(&mut self, matched: &Match<'_>) {
        let ending = matched.ending();
        let trimmed = ending.map_or(0, |ending| ending.trimmed());
        let reason = ending.map_or(0, |ending| self.string(&ending.stop().to_string()));
        self.numbers.extend([trimmed as u32, reason]);
    }

    /// Adds a string, and returns its length.
    fn string(&mut self, string: &str) -> u32 {
        self.strings.push_str(string);
        units(string.as_bytes()) as u32
    }
}
