//! The text around a URL as a reader sees it, in lines: a message, or the lines of a text.
//!
//! All lines are escaped. Consecutive empty lines become one, and characters without width that
//! only fill or join are dropped, because newsletters put hundreds of them where a list of messages
//! shows their beginnings.

use std::ops::Range;

use urlgrep::archive::{Envelope, Text};
use urlgrep_print::escape::Escaped;

/// The maximum number of bytes of a text that are kept.
pub const LIMIT: usize = 1 << 20;

/// The lines of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    pub lines: Vec<Box<str>>,
    /// The number of lines before the text: sender, date and subject.
    pub head: usize,
    /// The offset at which each line of the text begins in it, in bytes.
    starts: Vec<usize>,
}

/// A position on a page: bytes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePosition {
    pub line: usize,
    pub range: Range<usize>,
}

impl Page {
    /// Returns the page of a message text.
    pub fn of(text: &Text<'_>) -> Page {
        let bytes = text.as_bytes();
        let cut = bytes.len().min(LIMIT);
        let is_body = text.content_type().is_some();
        let head = text.envelope().filter(|_| is_body).map_or_else(Vec::new, head);
        Page::new(head, &bytes[..cut])
    }

    /// Returns the page of a text with a header before it.
    pub fn new(head: Vec<Box<str>>, text: &[u8]) -> Page {
        let mut page = Page { head: head.len(), lines: head, starts: Vec::new() };
        let mut start = 0;
        // Empty lines before the first line are not kept.
        let mut was_blank = true;
        for line in text.split(|&byte| byte == b'\n') {
            let shown = shown(line);
            let shown = shown.trim_end();
            let is_blank = shown.is_empty();
            if !(is_blank && was_blank) {
                page.lines.push(shown.into());
                page.starts.push(start);
            }
            was_blank = is_blank;
            start += line.len() + 1;
        }
        // The text ends with a line break, or with blank lines.
        if page.starts.len() > 1 && was_blank {
            page.lines.pop();
            page.starts.pop();
        }
        page
    }

    /// Returns the positions of `range` of its text.
    pub fn places(&self, text: &[u8], range: Range<usize>) -> Vec<PagePosition> {
        let first = self.starts.partition_point(|&start| start <= range.start).saturating_sub(1);
        let last = self.starts.partition_point(|&start| start < range.end.max(range.start + 1));
        let place = |line: usize| {
            let text = text.get(*self.starts.get(line)?..)?;
            let bytes = text.split(|&byte| byte == b'\n').next()?;
            let at = |offset: usize| offset.saturating_sub(self.starts[line]).min(bytes.len());
            let whole = &self.lines[self.head + line];
            let end = |offset: usize| {
                let end = shown(&bytes[..offset]).len().min(whole.len());
                // Text that is not UTF-8 may be split within a character.
                (0..=end).rev().find(|&at| whole.is_char_boundary(at)).unwrap_or(0)
            };
            Some(PagePosition { line: self.head + line, range: end(at(range.start))..end(at(range.end)) })
        };
        (first..last).filter_map(place).collect()
    }

    /// Returns the approximate size in bytes.
    pub fn len(&self) -> usize {
        let lines: usize = self.lines.iter().map(|line| size_of::<(Box<str>, usize)>() + line.len()).sum();
        size_of::<Page>() + lines
    }
}

/// Sender, date and subject, and an empty line.
fn head(envelope: &Envelope<'_>) -> Vec<Box<str>> {
    let fields = [("From", envelope.from()), ("Date", envelope.date()), ("Subject", envelope.subject())];
    let lines = fields.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
    let lines = lines.map(|(name, value)| format!("{name}: {}", shown(value.as_bytes())).into());
    lines.chain([Box::default()]).collect()
}

/// Bytes on one line as they are shown: escaped, with spaces for other whitespace, without fillers.
pub fn shown(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks().map(|chunk| {
        let chars = chunk.valid().chars().filter(|&char| !is_filler(char));
        let spaced: String = chars.map(|char| if char.is_ascii_whitespace() { ' ' } else { char }).collect();
        format!("{}{}", Escaped(spaced.as_bytes()), Escaped(chunk.invalid()))
    });
    chunks.collect()
}

/// Returns true if a character has no width, and only fills or joins. Characters that reorder text are
/// not included.
fn is_filler(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_a_reader_sees_them() {
        let text = "\n \na\tb\r\n\n\u{a0}\n\nc\u{200c}\u{a0}\u{ad}d\x1b[2J\u{202e}\n";
        let page = Page::new(vec!["Subject: s".into(), "".into()], text.as_bytes());
        let lines: Vec<_> = page.lines.iter().map(|line| &**line).collect();
        assert_eq!(lines, ["Subject: s", "", "a b", "", "c\u{a0}d\\x1B[2J\\xE2\\x80\\xAE"]);
    }

    #[test]
    fn where_a_url_is() {
        let text = "one\n\n\n\u{fc}\x01 http://h.org/\na end\n".as_bytes();
        let page = Page::new(vec!["From: a".into()], text);
        let at = text.iter().position(|&byte| byte == b'h').unwrap();
        let marked = |range: Range<usize>| -> Vec<String> {
            let places = page.places(text, range).into_iter();
            places.map(|place| page.lines[place.line][place.range].to_owned()).collect()
        };
        assert_eq!(marked(at..at + 13), ["http://h.org/"]);
        assert_eq!(marked(at..at + 15), ["http://h.org/", "a"]);
        // An element without text is at a position without width.
        assert_eq!(page.places(text, at..at), [PagePosition { line: 3, range: 7..7 }]);
        assert_eq!(marked(0..3), ["one"]);
        // A range that splits a character is still valid.
        assert_eq!(marked(7..9).len(), 1);
    }

    /// A range that begins or ends where a line does.
    #[test]
    fn ranges_at_the_ends_of_lines() {
        let text = b"ab\ncd\nef\n";
        let page = Page::new(Vec::new(), text);
        for (range, expected) in [
            (0..2, vec![(0, 0..2)]),
            (0..4, vec![(0, 0..2), (1, 0..1)]),
            (3..5, vec![(1, 0..2)]),
            (3..3, vec![(1, 0..0)]),
            (4..6, vec![(1, 1..2)]),
            (4..7, vec![(1, 1..2), (2, 0..1)]),
            (6..8, vec![(2, 0..2)]),
        ] {
            let places = page.places(text, range.clone()).into_iter();
            let found: Vec<_> = places.map(|place| (place.line, place.range)).collect();
            assert_eq!(found, expected, "{range:?}");
        }
    }
}
