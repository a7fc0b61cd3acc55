//! The delimiters that are open before a URL on its line, which show where the URL ends.
//!
//! | before the URL | the URL ends at | trimmed at its end |
//! |---|---|---|
//! | a frame: `](` of Markdown, `"`, `'`, a backtick, `“`, `«`, `「` | the closing delimiter | only a full stop or a comma before a quotation mark |
//! | a value that `'` opens | `'` | punctuation |
//! | `\|` of a table, `{{` of a template, `<` of a chat | `\|`, even in a query | punctuation |
//! | emphasis or a ruler: `*`, `_`, `~`, or two equal punctuation characters | any delimiter | these characters |
//! | `=` of Org, `@` of Textile, `+` of AsciiDoc | any delimiter | these characters |

use std::ops::Range;

use super::line::starts_url;
use crate::bytes::class::BLANK;
use crate::bytes::unicode::has_run_letter;
use crate::bytes::window::Window;

/// The number of bytes that are read before a URL.
const MAX_LINE_BEFORE: usize = 512;

/// The maximum distance before a URL of the character that opens its group of words, in bytes.
const MAX_GROUP_DISTANCE: usize = 256;

/// The maximum distance from a `|` to the `>` that closes a chat link, in bytes.
const MAX_LABEL_LEN: usize = 1024;

/// The frames that may be directly before and after a URL, or around a value.
const FRAMES: [(&str, &str); 7] =
    [("](", ")"), ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("«", "»"), ("「", "」")];

/// The last bytes of the line before a URL.
#[derive(Clone, Copy)]
pub(super) struct Opener<'h> {
    line: &'h [u8],
    /// True if the URL starts a value.
    starts_value: bool,
}

impl<'h> Opener<'h> {
    /// Returns the text before the URL that starts at `url`.
    pub(super) fn of(window: &Window<'h>, url: usize) -> Self {
        let text = window.before(url, url.saturating_sub(MAX_LINE_BEFORE));
        let line = &text[memchr::memrchr2(b'\n', b'\r', text).map_or(0, |n| n + 1)..];
        Opener { line, starts_value: url == 0 && window.is_value() }
    }

    /// Returns the frame of the URL, if a frame may be directly before it.
    pub(super) fn frame(self) -> Option<Frame> {
        let opens = |(open, _): &&(&str, &str)| self.line.ends_with(open.as_bytes());
        let frame = || FRAMES.iter().find(opens).map(|(_, close)| Frame::Closing(close));
        if self.starts_value { Some(Frame::Value) } else { frame() }
    }

    /// Returns true if a `|` ends the URL, even in a query: another one outside of URLs, or `{{`,
    /// precedes it.
    pub(super) fn has_bar(self) -> bool {
        let in_word = |word: &[u8]| memchr::memchr(b'|', word).is_some_and(|bar| !in_query(&word[..bar]));
        let opened = self.line.windows(2).rposition(|bytes| bytes == b"{{");
        opened.is_some_and(|at| !self.line[at..].windows(2).any(|bytes| bytes == b"}}"))
            || self.line.ends_with(b"|")
            || memchr::memchr(b'|', self.line).is_some() && self.line.split(|&b| BLANK.has(b)).any(in_word)
    }

    /// Returns true if the `|` at `bar` ends the URL because a label follows it: `<` or `&lt;` opened the URL, and `>` or
    /// `&gt;` closes the label on the line, as in chats, or `[[` and `]]` do, as in wikis.
    pub(super) fn has_label(self, window: &Window<'_>, bar: usize) -> bool {
        let (from, limit) = (bar + 1, bar + MAX_LABEL_LEN);
        let closes = |open: [u8; 2], close: &[u8]| {
            let in_label = |b: u8| !open.contains(&b) && b != b'\n' && b != b'\r';
            window.has(window.skip(from, limit, in_label), close)
        };
        let has_reference = || {
            let line = window.ahead(from..window.line_end(from, limit));
            line.windows(4).find(|bytes| matches!(*bytes, b"&lt;" | b"&gt;")) == Some(b"&gt;".as_slice())
        };
        self.line.ends_with(b"<") && closes(*b"<>", b">")
            || self.line.ends_with(b"[[") && closes(*b"[]", b"]]")
            || self.line.ends_with(b"&lt;") && has_reference()
    }

    /// Returns true if an apostrophe has opened a value: `('1','see http://…`.
    ///
    /// Between letters, an apostrophe belongs to a word, and `\'` and `''` are within a value.
    pub(super) fn has_value(self) -> bool {
        let mut rest = self.line;
        while let Some(at) = memchr::memrchr(b'\'', rest) {
            let before = rest[..at].last();
            let is_word = before.is_some_and(u8::is_ascii_alphanumeric)
                && self.line.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
            if !is_word && !matches!(before, Some(b'\\' | b'\'')) {
                let opens = before.is_none_or(|b| BLANK.has(*b) || b"(,=[{:".contains(b));
                return opens && self.line.get(at + 1).is_none_or(|b| !BLANK.has(*b) && !b",)".contains(b));
            }
            rest = &rest[..at - usize::from(!is_word)];
        }
        false
    }

    /// The character before the URL, if it is emphasis or a ruler: `*`, `_`, `~`, `#`, the `@` of
    /// code in Textile, the `=` that opens a word of Org, the `+` of AsciiDoc after a bracket or a backtick, or any punctuation that occurs twice
    /// there.
    pub(super) fn emphasis(self) -> Option<u8> {
        let (&emphasis, before) = self.line.split_last().filter(|(b, _)| b.is_ascii_punctuation())?;
        let opens = match emphasis {
            b'*' | b'_' | b'~' | b'#' | b'@' => true,
            // A diff starts an added line with `+`.
            b'+' if before.last().is_some_and(|b| b"`[(".contains(b)) => true,
            b'=' => before.last().is_none_or(|&b| BLANK.has(b) || b"|({\"'-=".contains(&b)),
            _ => before.last() == Some(&emphasis),
        };
        opens.then_some(emphasis)
    }

    /// Returns true if emphasis by `byte` opens the group of words that contains the URL:
    /// `*Site: http://h.org/a*`. The emphasis starts the line or follows a space, a bracket or a
    /// quotation mark, a word follows it, and it is not closed before the URL.
    pub(super) fn opens_group(self, byte: u8) -> bool {
        let line = &self.line[self.line.len().saturating_sub(MAX_GROUP_DISTANCE)..];
        let Some(last) = memchr::memrchr(byte, line) else { return false };
        let run = line[..=last].iter().rev().take_while(|&&b| b == byte).count();
        let is_blank = |byte: Option<&u8>| byte.is_none_or(|&b| BLANK.has(b));
        let before = line[..last + 1 - run].last();
        let opens = (is_blank(before) || before.is_some_and(|b| b"([\"".contains(b)))
            && !is_blank(line.get(last + 1));
        opens && is_emphasis(byte, run)
    }

    /// Returns true if a URL starts directly after the last `byte`, and continues to the end of the
    /// line.
    pub(super) fn has_url_after(self, byte: u8) -> bool {
        let url = memchr::memrchr(byte, self.line).map(|at| &self.line[at + 1..]);
        url.is_some_and(|url| starts_url(url) && !url.iter().any(|b| BLANK.has(*b)))
    }

    /// Returns true if letters of scripts without spaces precede the URL.
    pub(super) fn has_run(self) -> bool {
        has_run_letter(self.line)
    }
}

/// The frame of a URL that ends directly before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A closing delimiter.
    Closing(&'static str),
    /// The end of the value.
    Value,
}

impl Frame {
    /// Returns true if the frame closes at `at`.
    pub(super) fn closes(self, window: &Window<'_>, at: usize) -> bool {
        match self {
            Frame::Closing(close) => window.has(at, close.as_bytes()),
            Frame::Value => window.get(at).is_none(),
        }
    }

    /// Returns the first offset in `range`, or its end, at which the frame closes.
    pub(super) fn end_in(self, window: &Window<'_>, range: Range<usize>) -> Option<usize> {
        (range.start..=range.end).find(|&at| self.closes(window, at))
    }

    /// Returns true if the frame may be a quotation, in which sentence punctuation precedes the
    /// closing delimiter.
    pub(super) fn is_quotation(self) -> bool {
        matches!(self, Frame::Closing("\"" | "'" | "”") | Frame::Value)
    }
}

/// Returns true if `word` ends within the query of a URL, which may contain a `|`.
fn in_query(word: &[u8]) -> bool {
    let url = word.windows(3).position(|bytes| bytes == b"://");
    url.is_some_and(|at| word[at..].contains(&b'?'))
}

/// Returns true if a run of `len` characters may be emphasis or a ruler.
pub(super) fn is_emphasis(byte: u8, len: usize) -> bool {
    matches!(byte, b'*' | b'_' | b'~' | b'@') || (len > 1 && byte.is_ascii_punctuation())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(line: &str) -> Opener<'_> {
        Opener { line: line.as_bytes(), starts_value: false }
    }

    #[test]
    fn bars() {
        for line in ["|", "| x | ", "{{cite|url=", "{{", "|http://a?b|", "a|b ", "http://a|1|http://b?x "] {
            assert!(before(line).has_bar(), "{line}");
        }
        for line in ["", "http://h.org/?a|b ", "{{x}} ", "x < 3, "] {
            assert!(!before(line).has_bar(), "{line}");
        }
    }

    #[test]
    fn values() {
        for line in ["('1','see ", "'", "x = 'a it''s ", "'don\\'t ", "url='"] {
            assert!(before(line).has_value(), "{line}");
        }
        for line in ["don't ", "o'clock ", "'a' ", "('1', ", "the users' ", "=', ", "(') ", "=' ", "b'", ""] {
            assert!(!before(line).has_value(), "{line}");
        }
    }
}
