//! Texts and their widths in columns. A wide East Asian character has two.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The number of columns of a text.
pub fn width(text: &str) -> usize {
    text.width()
}

fn char_width(char: char) -> usize {
    char.width().unwrap_or(0)
}

/// The start of a text that fits in `room` columns, with "…" if it is not all of it.
pub fn fit(text: &str, room: usize) -> Cow<'_, str> {
    // No character has more bytes than four, so only the start of a long text is measured.
    let measured = text.char_indices().nth(room.saturating_mul(2)).map_or(text.len(), |(end, _)| end);
    if measured == text.len() && width(text) <= room {
        return Cow::Borrowed(text);
    }
    let mut columns = 0;
    let kept = text.char_indices().find(|(_, char)| {
        columns += char_width(*char);
        columns >= room
    });
    let end = kept.map_or(text.len(), |(at, _)| at);
    match room {
        0 => Cow::Borrowed(""),
        _ => Cow::Owned(format!("{}\u{2026}", &text[..end])),
    }
}

/// The lines of a text, each in at most `room` columns. They end after a space, or where
/// there is none, after any character.
pub fn wrap(text: &str, room: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut start, mut columns, mut space) = (0, 0, None);
    for (at, char) in text.char_indices() {
        let wide = char_width(char);
        // A space at the end of a line is not seen.
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
}
