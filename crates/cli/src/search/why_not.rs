//! `--explain --at`: why no URL is at a position.
//!
//! The library explains it for the text around the position. For messages, that is the decoded
//! text, and for other files the bytes, of which only the deciding ones are kept.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use urlgrep::Explanation;
use urlgrep::archive::Message;
use urlgrep::table::Row;
use urlgrep_print::escape::{self, Escaped};
use urlgrep_print::explain;

use super::select::Place;
use super::settings::Search;

/// The minimum number of bytes before and after a position that are kept: the library reads as
/// many.
const AROUND: usize = 2 * 1024 * 1024;

/// The reason why no URL is at a position of a file, as far as it is known.
pub struct Refusal<'s> {
    search: &'s Search,
    name: PathBuf,
    place: Place,
    around: Around,
    /// The reason, if the position is in a message, or nothing is searched.
    sentence: Option<String>,
}

impl<'s> Refusal<'s> {
    /// Returns the collector for the file `name`, which is read next, or `None` if the reason is not asked
    /// for.
    pub fn new(search: &'s Search, name: &Path) -> Option<Refusal<'s>> {
        let place = search.options.at.filter(|_| search.options.why_not)?;
        let keep = AROUND.max(search.options.max_len.saturating_mul(2));
        let (name, around) = (name.to_owned(), Around::new(place, keep));
        Some(Refusal { search, name, place, around, sentence: None })
    }

    /// Reads the next block of a text.
    pub fn push(&mut self, block: &[u8]) {
        self.around.push(block);
    }

    /// Records that a text is not searched, because it contains no messages.
    pub fn skip_text(&mut self) {
        self.sentence = Some("the options select by message, but the file contains no messages".to_owned());
    }

    /// Reads a message, which is searched or not.
    pub fn message(&mut self, message: &Message<'_>, searched: bool) {
        let Some(at) = self.place.offset_in(message).filter(|_| self.sentence.is_none()) else { return };
        if !searched {
            self.sentence = Some("the position is in a message that the options do not select".to_owned());
            return;
        }
        let of_text = message.texts().find_map(|text| {
            let explanation = self.search.options.finder.explain_in(&text, at)?;
            Some(self.sentence(&explanation, None))
        });
        self.sentence = of_text.or_else(|| {
            Some("the position is not in text that is searched: it is in markup, in an encoding, in a header field that is not searched, or in a part that is skipped (see --attachments and --no-headers)".to_owned())
        });
    }

    /// Returns the sentence of an explanation. If there is a match, the options do not select it. `base` is the offset
    /// of the text in the file, if it is not decoded.
    fn sentence(&self, explanation: &Explanation<'_>, base: Option<u64>) -> String {
        let refusal = || {
            let matched = explanation.matched()?;
            let row = Row::new(matched).with_path(escape::bytes(&self.name));
            self.search.select.refusal(matched, || row.with_offset(base.unwrap_or_default()))
        };
        let Some(why) = explanation.why_not() else {
            return match refusal() {
                Some(options) => format!("{explanation}, and is not selected ({options})"),
                None => explanation.to_string(),
            };
        };
        let why = explain::why_not(why);
        match explanation.out_of_place().zip(base) {
            Some((at, base)) => format!("{why} at byte {}", base + at as u64),
            None => why,
        }
    }

    /// Returns the note about the file; `None` if it is a `member` of an archive, and ends before the position.
    pub fn note(self, member: bool) -> Option<anyhow::Error> {
        let in_text = || {
            let Around { bytes, start, at, .. } = &self.around;
            let offset = usize::try_from((*at)? - start).ok()?;
            Some(self.sentence(&self.search.options.finder.explain_at(bytes, offset), Some(*start)))
        };
        let ended = || (!member).then(|| "the file or the line ends before this position".to_owned());
        let sentence = self.sentence.clone().or_else(in_text).or_else(ended)?;
        Some(anyhow!("{}:{}: no URL: {sentence}", Escaped::path(&self.name), self.place))
    }
}

impl Place {
    /// The offset in the file, if the position is in `message`.
    fn offset_in(self, message: &Message<'_>) -> Option<u64> {
        let Range { start, end } = message.span();
        let (line, column) = match self {
            Place::Offset(at) => return (start..end).contains(&at).then_some(at),
            Place::Column { line, column } => (line, column),
        };
        let text = message.texts().next()?;
        let position = |at| text.position(at).map(|position| (position.line, position.column));
        let (mut first, mut after) = (start, end);
        while first < after {
            let middle = first.midpoint(after);
            if position(middle)? < (line, column) { first = middle + 1 } else { after = middle }
        }
        (first < end && position(first)? == (line, column)).then_some(first)
    }
}

/// The bytes around a position in a text that comes in blocks.
struct Around {
    place: Place,
    /// The number of bytes before and after the position that are kept.
    keep: usize,
    bytes: Vec<u8>,
    /// The offset at which they start in the text.
    start: u64,
    /// The offset of the position, once it has come.
    at: Option<u64>,
    /// The line and column of the next byte, from 1.
    next: (u64, u64),
}

impl Around {
    fn new(place: Place, keep: usize) -> Around {
        Around { place, keep, bytes: Vec::new(), start: 0, at: None, next: (1, 1) }
    }

    fn push(&mut self, block: &[u8]) {
        let end = self.start + self.bytes.len() as u64;
        if self.at.is_some_and(|at| end - at >= self.keep as u64) {
            return;
        }
        if self.at.is_none() {
            self.at = self.find(block).map(|n| end + n as u64);
            // As many again, so that the rest is not moved at each block.
            if self.bytes.len() > self.keep.saturating_mul(2) {
                let surplus = self.bytes.len() - self.keep;
                self.bytes.drain(..surplus);
                self.start += surplus as u64;
            }
        }
        self.bytes.extend_from_slice(block);
    }

    /// Returns the offset of the position, if it is in the next block.
    fn find(&mut self, block: &[u8]) -> Option<usize> {
        let (wanted, column) = match self.place {
            Place::Offset(at) => {
                let n = at.checked_sub(self.start + self.bytes.len() as u64)?;
                return usize::try_from(n).ok().filter(|&n| n < block.len());
            }
            Place::Column { line, column } => (line, column),
        };
        let mut from = 0;
        for line in block.split_inclusive(|&b| b == b'\n') {
            let (number, first) = self.next;
            if number == wanted && (first..first + line.len() as u64).contains(&column) {
                return Some(from + (column - first) as usize);
            }
            from += line.len();
            let ends = line.ends_with(b"\n");
            self.next = if ends { (number + 1, 1) } else { (number, first + line.len() as u64) };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offset of a position, and the bytes that are kept around it, in a text of blocks of
    /// `len` bytes.
    fn around(text: &[u8], place: Place, len: usize) -> (Option<u64>, u64, Vec<u8>) {
        let mut around = Around::new(place, 4);
        text.chunks(len).for_each(|block| around.push(block));
        (around.at, around.start, around.bytes)
    }

    #[test]
    fn the_bytes_around_a_place() {
        let text = b"one\ntwo\n\nfour five six seven";
        for len in [1, 2, 3, 5, 100] {
            for (place, at) in [
                (Place::Offset(0), Some(0)),
                (Place::Offset(27), Some(27)),
                (Place::Offset(28), None),
                (Place::Column { line: 1, column: 1 }, Some(0)),
                (Place::Column { line: 2, column: 3 }, Some(6)),
                (Place::Column { line: 2, column: 4 }, Some(7)),
                (Place::Column { line: 2, column: 5 }, None),
                (Place::Column { line: 3, column: 1 }, Some(8)),
                (Place::Column { line: 4, column: 19 }, Some(27)),
                (Place::Column { line: 5, column: 1 }, None),
            ] {
                let (found, start, bytes) = around(text, place, len);
                assert_eq!(found, at, "{place} in blocks of {len}");
                let kept = start as usize..start as usize + bytes.len();
                assert_eq!(text[kept.clone()], bytes, "{place} in blocks of {len}");
                if let Some(at) = at.map(|at| at as usize) {
                    assert!(kept.start <= at.saturating_sub(4) && kept.end >= (at + 4).min(text.len()));
                }
            }
        }
    }
}
