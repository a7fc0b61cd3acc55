//! Header fields: where each stands, and whether a reader reads it.
//!
//! A head is a run of fields up to an empty line. A field is a name, a colon and
//! a value, which goes on in the lines that begin with a blank. A line that is
//! none of that ends the head, as if the empty line had been forgotten; unless a
//! field follows right behind it, for then it is the line that is damaged.

use std::ops::Range;

use memchr::memchr;

/// The fields that say which way a message took, or that identify it or another,
/// by their first letter; in lower case.
fn unread(first: u8) -> &'static [&'static [u8]] {
    match first.to_ascii_lowercase() {
        b'a' => {
            &[b"arc-authentication-results", b"arc-message-signature", b"arc-seal", b"authentication-results"]
        }
        b'c' => &[b"content-id"],
        b'd' => &[b"dkim-signature", b"domainkey-signature"],
        b'i' => &[b"in-reply-to"],
        b'm' => &[b"message-id"],
        b'p' => &[b"path"],
        b'r' => &[b"received", b"references", b"return-path", b"received-spf", b"resent-message-id"],
        b's' => &[b"supersedes"],
        b'x' => &[
            b"x-face",
            b"x-gm-message-state",
            b"x-google-dkim-signature",
            b"x-google-smtp-source",
            b"x-received",
            b"xref",
        ],
        _ => &[],
    }
}

/// A header field, as ranges of the text that it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// From the name to the end of the last line, line break included.
    pub(crate) range: Range<usize>,
    /// Where the name ends; at its beginning, if the line is damaged.
    name_end: usize,
    /// Where the value begins.
    value: usize,
}

impl Field {
    pub(crate) fn name<'m>(&self, bytes: &'m [u8]) -> &'m [u8] {
        &bytes[self.range.start..self.name_end]
    }

    /// What follows the colon, line breaks and all.
    pub(crate) fn value<'m>(&self, bytes: &'m [u8]) -> &'m [u8] {
        &bytes[self.value..self.range.end]
    }

    pub(crate) fn is(&self, bytes: &[u8], name: &[u8]) -> bool {
        self.name(bytes).eq_ignore_ascii_case(name)
    }

    /// Whether a reader of the message reads it.
    pub(crate) fn is_read(&self, bytes: &[u8]) -> bool {
        let name = self.name(bytes);
        let Some(&first) = name.first() else {
            return true;
        };
        !unread(first).iter().any(|unread| unread.eq_ignore_ascii_case(name))
    }
}

/// The fields of the head that begins at an offset of a text, in order.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'m> {
    bytes: &'m [u8],
    at: usize,
    /// Where the body begins, once the head has been read.
    body: Option<usize>,
}

impl<'m> Fields<'m> {
    pub(crate) fn new(bytes: &'m [u8], at: usize) -> Self {
        Fields { bytes, at, body: None }
    }

    /// Where the head ends; the empty line behind it is not part of it.
    pub(crate) fn end(&self) -> usize {
        self.at
    }

    /// Where the body begins, once all fields have been taken.
    pub(crate) fn body(&self) -> usize {
        self.body.unwrap_or(self.at)
    }

    /// Where the body begins.
    pub(crate) fn into_body(mut self) -> usize {
        self.by_ref().for_each(drop);
        self.body()
    }

    /// What the line at `at` begins with.
    fn line(&self, at: usize) -> Line {
        match self.bytes[at..] {
            [] => Line::Empty(at),
            [b'\n', ..] => Line::Empty(at + 1),
            [b'\r', b'\n', ..] => Line::Empty(at + 2),
            [b' ' | b'\t', ..] => Line::Folded,
            _ => field_at(&self.bytes[at..])
                .map_or(Line::Other, |(name, value)| Line::Field(at + name, at + value)),
        }
    }
}

/// What a line of a head begins with.
enum Line {
    /// Nothing, the next line being at this offset.
    Empty(usize),
    /// A blank: it goes on with the field before it.
    Folded,
    /// A field, whose name ends and whose value begins at these offsets.
    Field(usize, usize),
    Other,
}

impl Iterator for Fields<'_> {
    type Item = Field;

    fn next(&mut self) -> Option<Field> {
        if self.body.is_some() {
            return None;
        }
        let start = self.at;
        let (name_end, value) = match self.line(start) {
            Line::Field(name_end, value) => (name_end, value),
            Line::Empty(next) => {
                self.body = Some(next);
                return None;
            }
            Line::Folded => (start, start),
            Line::Other => {
                let next = fold_end(self.bytes, start);
                if !matches!(self.line(next), Line::Field(..)) {
                    self.body = Some(start);
                    return None;
                }
                (start, start)
            }
        };
        self.at = fold_end(self.bytes, start);
        Some(Field { range: start..self.at, name_end, value })
    }
}

impl std::iter::FusedIterator for Fields<'_> {}

/// Where the name of the field ends that `line` begins with, and where its value
/// begins.
pub(crate) fn field_at(line: &[u8]) -> Option<(usize, usize)> {
    let name = line.iter().position(|b| *b == b':' || !b.is_ascii_graphic())?;
    let colon = name + line[name..].iter().position(|b| !matches!(b, b' ' | b'\t'))?;
    (name > 0 && line[colon] == b':').then_some((name, colon + 1))
}

/// Whether `line`, which has no end yet and no colon, may become a field.
pub(crate) fn may_become_field(line: &[u8]) -> bool {
    let blank = |b: &u8| matches!(b, b' ' | b'\t');
    let name = line.iter().take_while(|b| b.is_ascii_graphic()).count();
    line[name..].iter().all(blank) && (name > 0 || line.is_empty())
}

/// Where the line at `at` ends, and those that it goes on in.
pub(crate) fn fold_end(bytes: &[u8], at: usize) -> usize {
    let mut end = line_end(bytes, at);
    while let Some(b' ' | b'\t') = bytes.get(end) {
        end = line_end(bytes, end);
    }
    end
}

/// Where the line that follows the one at `at` begins.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of a head, `name=value`, and then the body.
    fn read(text: &str) -> Vec<String> {
        let bytes = text.as_bytes();
        let mut fields = Fields::new(bytes, 0);
        let mut all: Vec<String> = Vec::new();
        for field in &mut fields {
            let [name, value] = [field.name(bytes), field.value(bytes)].map(String::from_utf8_lossy);
            all.push(format!("{name}={value}"));
        }
        all.push(text[fields.body()..].to_owned());
        all
    }

    #[test]
    fn fields_up_to_an_empty_line() {
        assert_eq!(read("A: 1\nB:2\n\nC: 3\n"), ["A= 1\n", "B=2\n", "C: 3\n"]);
        assert_eq!(read("A : 1\r\n\r\nbody"), ["A= 1\r\n", "body"]);
        assert_eq!(read("A: 1"), ["A= 1", ""]);
        assert_eq!(read("\nbody"), ["body"]);
    }

    #[test]
    fn a_value_goes_on_behind_a_blank() {
        assert_eq!(read("A: 1\n 2\n\t3\nB: 4\n\n"), ["A= 1\n 2\n\t3\n", "B= 4\n", ""]);
    }

    #[test]
    fn a_line_that_is_no_field_ends_the_head() {
        assert_eq!(read("A: 1\nthe body\nof it"), ["A= 1\n", "the body\nof it"]);
        assert_eq!(read("A: 1\nno field\n\nB: 2"), ["A= 1\n", "no field\n\nB: 2"]);
    }

    #[test]
    fn a_damaged_line_does_not() {
        assert_eq!(
            read("A: 1\ngarbled \0 line\nB: 2\n\nbody"),
            ["A= 1\n", "=garbled \0 line\n", "B= 2\n", "body"]
        );
        assert_eq!(read(" x\nB: 2\n\nbody"), ["= x\n", "B= 2\n", "body"]);
    }

    #[test]
    fn what_is_read() {
        let read = |line: &[u8]| Fields::new(line, 0).next().unwrap().is_read(line);
        assert!(!read(b"RECEIVED: from h.org\n"));
        assert!(!read(b"Message-Id: <1@h.org>\n"));
        assert!(!read(b"DKIM-Signature: v=1\n"));
        assert!(read(b"Message: x\n"));
        assert!(read(b"X-URL: http://h.org/\n"));
        assert!(read(b"Subject: x\n"));
    }
}
