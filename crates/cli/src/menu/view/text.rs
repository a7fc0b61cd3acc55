//! Texts, their widths in columns, and lines of the screen. A wide East Asian character has two columns.

use std::borrow::Cow;
use std::ops::Range;

use crossterm::style::{ContentStyle, Stylize};
use unicode_width::UnicodeWidthChar;

/// Returns the number of columns of a text.
pub fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// The number of columns of one character. Each character counts separately, as in most terminals:
/// a joined character may take less space, but never more.
fn char_width(char: char) -> usize {
    match char {
        // Unicode joins these voiced sound marks to their character, but terminals do not.
        '\u{ff9e}' | '\u{ff9f}' => 1,
        _ => char.width().unwrap_or(0),
    }
}

/// The start of a text that fits in `room` columns.
fn prefix(text: &str, room: usize) -> &str {
    let mut columns = 0;
    let end = text.char_indices().find(|(_, char)| {
        columns += char_width(*char);
        columns > room
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// Returns the start of a text that fits in `room` columns, with "…" if the text is longer.
pub fn fit(text: &str, room: usize) -> Cow<'_, str> {
    match prefix(text, room) {
        prefix if prefix.len() == text.len() || room == 0 => Cow::Borrowed(prefix),
        _ => Cow::Owned(format!("{}\u{2026}", prefix(text, room - 1))),
    }
}

/// Returns the lines of a text, each in at most `room` columns. They end after a space, or after
/// any character if a line contains no space.
pub fn wrap(text: &str, room: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut start, mut columns, mut space) = (0, 0, None);
    for (at, char) in text.char_indices() {
        let wide = char_width(char);
        // A space at the end of a line is invisible.
        if columns + wide > room.max(2) && at > start && char != ' ' {
            let end = space.take().unwrap_or(at);
            lines.push(start..end);
            start = end;
            columns = width(&text[start..at]);
        }
        columns += wide;
        if char == ' ' {
            space = Some(at + 1);
        }
    }
    lines.push(start..text.len());
    lines
}

/// A line of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The columns of the screen.
    room: usize,
    /// The columns with text.
    columns: usize,
    pub spans: Vec<Span>,
}

/// A text in one style, and its first column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub column: usize,
    pub text: String,
    pub style: ContentStyle,
}

impl Line {
    pub fn new(room: usize) -> Line {
        Line { room, ..Line::default() }
    }

    /// Adds the part of a text that fits, without control characters.
    pub fn with(mut self, text: impl AsRef<str>, style: ContentStyle) -> Line {
        // A character that is drawn over another one has the same style.
        let text = text.as_ref().trim_start_matches(|char| char_width(char) == 0);
        let text: String = prefix(text, self.left()).chars().filter(|char| !char.is_control()).collect();
        let column = self.columns;
        self.columns += width(&text);
        self.spans.push(Span { column, text, style });
        self
    }

    /// Adds the part of a text that fits, with "…" if the text is longer.
    pub fn with_fit(self, text: &str, style: ContentStyle) -> Line {
        let text = fit(text, self.left());
        self.with(text, style)
    }

    /// Adds spaces up to a column.
    pub fn up_to(self, column: usize) -> Line {
        let blanks = " ".repeat(column.saturating_sub(self.columns));
        self.with(blanks, ContentStyle::new())
    }

    /// Returns the same line on a screen of more columns.
    pub fn widened(self, room: usize) -> Line {
        Line { room: room.max(self.room), ..self }
    }

    /// Adds the part of another line that fits.
    pub fn followed_by(self, line: Line) -> Line {
        line.spans.into_iter().fold(self, |whole, span| whole.with(span.text, span.style))
    }

    /// Reverses the colours of all columns.
    pub fn reversed(self) -> Line {
        let room = self.room;
        let mut line = self.up_to(room);
        line.spans.iter_mut().for_each(|span| span.style = span.style.reverse());
        line
    }

    /// Returns the columns without text.
    pub fn left(&self) -> usize {
        self.room - self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_is_whole() {
        for (text, room, fitted) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab\u{2026}"),
            ("\u{65e5}\u{672c}", 4, "\u{65e5}\u{672c}"),
            ("\u{65e5}\u{672c}\u{8a9e}", 5, "\u{65e5}\u{672c}\u{2026}"),
            ("\u{65e5}\u{672c}\u{8a9e}", 4, "\u{65e5}\u{2026}"),
            ("e\u{301}e\u{301}e", 2, "e\u{301}\u{2026}"),
            ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"),
            ("\u{ff8a}\u{ff9e}\u{ff8a}\u{ff9e}", 3, "\u{ff8a}\u{ff9e}\u{2026}"),
            // Arabic fonts may join two of these to one.
            ("\u{644}\u{627}\u{644}\u{627}", 2, "\u{644}\u{2026}"),
            ("abc", 1, "\u{2026}"),
            ("abc", 0, ""),
            ("", 0, ""),
        ] {
            assert_eq!(fit(text, room), fitted, "{text} in {room}");
        }
    }

    #[test]
    fn lines_end_after_words() {
        let lines = |text: &'static str, room| -> Vec<_> {
            wrap(text, room).into_iter().map(|line| &text[line]).collect::<Vec<_>>()
        };
        assert_eq!(lines("one two three", 7), ["one two ", "three"]);
        assert_eq!(lines("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(lines("a \u{65e5}\u{672c}\u{8a9e}", 4), ["a ", "\u{65e5}\u{672c}", "\u{8a9e}"]);
        assert_eq!(lines("", 3), [""]);
    }

    #[test]
    fn a_line_has_what_fits() {
        let plain = ContentStyle::new();
        let line = |room| Line::new(room).with("\u{301}e\u{301}\x1b[m", plain).up_to(5);
        for (line, expected) in [
            (line(8).with("\u{65e5}\u{672c}", plain), &[(0, "e\u{301}[m"), (3, "  "), (5, "\u{65e5}")][..]),
            (
                line(8).with_fit("\u{65e5}\u{672c}", plain),
                &[(0, "e\u{301}[m"), (3, "  "), (5, "\u{65e5}\u{2026}")],
            ),
            (line(4), &[(0, "e\u{301}[m"), (3, " ")]),
            (line(2), &[(0, "e\u{301}["), (2, "")]),
        ] {
            let spans: Vec<_> = line.spans.iter().map(|span| (span.column, &*span.text)).collect();
            assert_eq!(spans, expected);
        }
    }

    #[test]
    fn a_line_is_reversed_to_its_end() {
        let line = Line::new(4).with("a", ContentStyle::new().bold()).reversed();
        let styles = [ContentStyle::new().bold().reverse(), ContentStyle::new().reverse()];
        assert_eq!(line.spans.iter().map(|span| span.style).collect::<Vec<_>>(), styles);
        assert_eq!((line.spans[1].column, &*line.spans[1].text), (1, "   "));
    }
}
