//! Printed text, and the numbers that are left out of it.

use urlgrep::table::Counted;

/// The numbers of lines, messages and bytes before a chunk in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preceding {
    /// The number of lines.
    pub lines: u64,
    /// The number of messages.
    pub messages: u64,
    /// The number of bytes.
    pub bytes: u64,
}

/// The known part of a chunk's position in its file during the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// All that precedes it.
    #[default]
    All,
    /// The number of bytes.
    Offset,
    /// Nothing: the file is compressed.
    Nothing,
}

/// Printed text, and the numbers that are left out of it.
///
/// Several threads search the chunks of a large file. The number of lines and messages before a
/// chunk is known only when all chunks before it have been searched. In a compressed file, this
/// applies to the number of bytes as well. So these numbers count from the start of the chunk, and
/// are left out of its text. The output gets the chunks in order, completes the numbers and inserts
/// them.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The text so far.
    pub text: Vec<u8>,
    /// The known part of the chunk's position.
    pub known: Known,
    left_out: Vec<Number>,
}

/// A number that is left out of a text.
#[derive(Debug)]
struct Number {
    /// The offset at which it belongs in the text.
    at: usize,
    counted: Counted,
    number: u64,
}

impl Sheet {
    /// Returns an empty sheet. Numbers are left out if the text before the chunk is unknown.
    pub fn new(known: Known) -> Sheet {
        Sheet { known, ..Sheet::default() }
    }

    /// Prints a number, or leaves it out.
    pub fn number(&mut self, counted: Counted, number: u64) {
        match (self.known, counted) {
            (Known::All, _) | (Known::Offset, Counted::Offset) => write_number(&mut self.text, number),
            _ => self.left_out.push(Number { at: self.text.len(), counted, number }),
        }
    }

    /// Returns the approximate size of its memory in bytes.
    pub fn size(&self) -> usize {
        self.text.capacity() + self.left_out.capacity() * size_of::<Number>()
    }

    /// Removes the text after `len`, and its numbers.
    pub fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        self.left_out.retain(|number| number.at < len);
    }

    /// Removes the text.
    pub fn clear(&mut self) {
        self.text.clear();
        self.left_out.clear();
    }

    /// Inserts the numbers that were left out. `ends` are offsets of the text, in order, which move
    /// with it.
    pub fn complete<'e>(&mut self, preceding: Preceding, ends: impl Iterator<Item = &'e mut usize>) {
        self.known = Known::All;
        let numbers = std::mem::take(&mut self.left_out);
        if numbers.is_empty() {
            return;
        }
        // Most numbers have fewer digits.
        let mut text = Vec::with_capacity(self.text.len() + 8 * numbers.len());
        let mut ends = ends.peekable();
        let mut from = 0;
        for Number { at, counted, number } in numbers {
            while let Some(end) = ends.next_if(|end| **end <= at) {
                *end += text.len() - from;
            }
            text.extend_from_slice(&self.text[from..at]);
            let before = match counted {
                Counted::Line => preceding.lines,
                Counted::Message => preceding.messages,
                Counted::Offset => preceding.bytes,
            };
            write_number(&mut text, before + number);
            from = at;
        }
        ends.for_each(|end| *end += text.len() - from);
        text.extend_from_slice(&self.text[from..]);
        self.text = text;
    }
}

/// Writes a number in decimal. `fmt` takes several times as long.
pub fn write_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_are_printed_at_once() {
        for (known, text) in [(Known::All, "7:8"), (Known::Offset, "17:8"), (Known::Nothing, "17:108")] {
            let mut sheet = Sheet::new(known);
            sheet.number(Counted::Line, 7);
            sheet.text.push(b':');
            sheet.number(Counted::Offset, 8);
            sheet.complete(Preceding { lines: 10, messages: 1, bytes: 100 }, [].iter_mut());
            assert_eq!(String::from_utf8(sheet.text).unwrap(), text);
        }
    }

    #[test]
    fn numbers_that_are_left_out() {
        let mut sheet = Sheet::new(Known::Offset);
        let mut ends = Vec::new();
        // The first begins with a number, the second has two, and the third has none.
        sheet.number(Counted::Line, 7);
        sheet.text.extend_from_slice(b":a\n");
        ends.push(sheet.text.len());
        sheet.text.push(b'<');
        sheet.number(Counted::Message, 0);
        sheet.number(Counted::Line, 90);
        sheet.text.extend_from_slice(b">b\n");
        ends.push(sheet.text.len());
        sheet.text.extend_from_slice(b"c\n");
        ends.push(sheet.text.len());
        // A number directly after an end belongs to the following text.
        sheet.number(Counted::Line, 91);
        sheet.text.extend_from_slice(b":d\n");
        ends.push(sheet.text.len());
        sheet.complete(Preceding { lines: 10, messages: 5, bytes: 0 }, ends.iter_mut());
        assert_eq!(String::from_utf8(sheet.text).unwrap(), "17:a\n<5100>b\nc\n101:d\n");
        assert_eq!(ends, [5, 13, 15, 21]);
    }
}
