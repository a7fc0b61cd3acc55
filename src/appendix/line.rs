//! Lines as the rules see them: a margin of quote prefixes and indentation, a first word, and the rest.
//!
//! All reading is bounded: lines of [`MAX_WRAPPED_LINE`] bytes, [`MAX_DISTANCE_BEFORE`] bytes of
//! the lines before a line, and [`MAX_CHAIN_LINES`] lines after it.

use std::ops::{Range, RangeInclusive};

use super::Surroundings;
use super::line_prefix::LinePrefix;
use crate::bytes::class::BLANK;
use crate::bytes::window::Window;
use crate::grammar::schemes::{LONGEST, is_scheme};
use crate::matches::form::Form;

/// The maximum length of a wrapped line, in bytes. A longer line was not wrapped.
pub(super) const MAX_WRAPPED_LINE: usize = 1024;

/// The distance before a line within which other lines are read, in bytes.
const MAX_DISTANCE_BEFORE: usize = 2048;

/// The maximum number of lines after the first that a URL may fill.
const MAX_CHAIN_LINES: usize = 4;

/// The distance between tab stops, in columns.
const TAB_WIDTH: usize = 8;

/// A line: a quote prefix and indentation, then a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'h> {
    pub(super) start: usize,
    /// The line without its line break.
    pub(super) bytes: &'h [u8],
    /// The number of bytes that are whitespace, or quote characters that the URL's line starts with
    /// as well.
    margin: usize,
}

impl<'h> Line<'h> {
    fn read(window: &Window<'h>, opening_prefix: &LinePrefix<'_>, start: usize) -> Self {
        let limit = start.saturating_add(MAX_WRAPPED_LINE);
        let text = text_start(window, opening_prefix, start);
        let end = window.line_end(text, limit);
        Line { start, bytes: window.ahead(start..end), margin: text - start }
    }

    /// The line up to `end`, which is in its text.
    pub(super) fn up_to(self, end: usize) -> Self {
        Line { bytes: &self.bytes[..end - self.start], ..self }
    }

    pub(super) fn text_start(&self) -> usize {
        self.start + self.margin
    }

    pub(super) fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    /// Returns the text after the margin.
    pub(super) fn text(&self) -> &'h [u8] {
        &self.bytes[self.margin..]
    }

    /// The first word, up to whitespace, and the text after it. The word is empty only if the text
    /// is.
    pub(super) fn split_word(&self) -> (&'h [u8], &'h [u8]) {
        let text = self.text();
        text.split_at(text.iter().position(|&b| BLANK.has(b)).unwrap_or(text.len()))
    }

    /// The text, if it is one word.
    pub(super) fn only_word(&self) -> Option<&'h [u8]> {
        let (word, rest) = self.split_word();
        (!word.is_empty() && self.is_whole() && is_blank(rest)).then_some(word)
    }

    pub(super) fn starts_url(&self) -> bool {
        starts_url(self.text())
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns true if the line is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    /// Returns true if the line was read to its end.
    pub(super) fn is_whole(&self) -> bool {
        self.len() < MAX_WRAPPED_LINE
    }

    /// Returns true if `next` is at the same quote depth. Only the first line of a list item has the
    /// `*`.
    pub(super) fn has_depth_of(&self, next: &Self) -> bool {
        let prefix_chars = |margin: &'h [u8]| margin.iter().filter(|b| !BLANK.has(**b));
        let (own, other) = (&self.bytes[..self.margin], &next.bytes[..next.margin]);
        let item = own.iter().rposition(|b| !BLANK.has(*b)).filter(|&at| own[at] == b'*');
        let is_same = prefix_chars(own).eq(prefix_chars(other))
            || item.is_some_and(|at| prefix_chars(&own[..at]).eq(prefix_chars(other)));
        is_same && !matches!(next.text().first(), Some(b'>' | b'|'))
    }

    /// The column at which the text of the line starts.
    pub(super) fn column(&self) -> usize {
        let next = |at: usize, b: &u8| if *b == b'\t' { (at / TAB_WIDTH + 1) * TAB_WIDTH } else { at + 1 };
        self.bytes[..self.margin].iter().fold(0, next)
    }
}

/// Returns true if `text` contains only whitespace.
pub(super) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|b| BLANK.has(*b))
}

/// Returns true if `text` contains the `://` of a scheme.
pub(super) fn has_url(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|colon| text[colon + 1..].starts_with(b"//"))
}

/// Returns true if `text` starts with a scheme and `://`.
pub(super) fn starts_url(text: &[u8]) -> bool {
    if text.len() < "a://".len() {
        return false;
    }
    let text = &text[..text.len().min(LONGEST + 3)];
    let Some(colon) = memchr::memchr(b':', text) else { return false };
    text[colon..].starts_with(b"://") && is_scheme(&text[..colon])
}

/// Returns true if `word` may be the prompt of a user at a host: `ann@h:~/x$`.
pub(super) fn is_prompt(word: &[u8]) -> bool {
    let at = memchr::memchr(b'@', word).filter(|&at| at > 0);
    at.is_some_and(|at| word[at..].iter().any(|b| b":$".contains(b)))
}

/// Returns true if `word` is one of prose: letters, also with a hyphen, an apostrophe or a comma between
/// them, sentence punctuation aside.
pub(super) fn is_prose(word: &[u8]) -> bool {
    let end = word.iter().rposition(|b| !b".,;:!?)'\"".contains(b)).map_or(0, |n| n + 1);
    let letters = |part: &[u8]| part.iter().all(|b| b.is_ascii_alphabetic() || *b >= 0x80);
    word[..end].split(|b| b"-',".contains(b)).all(letters)
}

/// The token without sentence punctuation at its end.
pub(super) fn without_punctuation(token: &[u8]) -> &[u8] {
    &token[..token.iter().rposition(|b| !b".,;:!?)'\"".contains(b)).map_or(0, |n| n + 1)]
}

/// Returns the offset at which the text starts of the line at `start`, after the `opening_prefix` and
/// whitespace.
fn text_start(window: &Window<'_>, opening_prefix: &LinePrefix<'_>, start: usize) -> usize {
    let limit = start.saturating_add(MAX_WRAPPED_LINE);
    window.skip(opening_prefix.strip(window, start, limit), limit, |b| BLANK.has(b))
}

/// A bare URL up to the line break, which may be the start of a longer one.
pub(super) struct Stem {
    /// The range of the match, the prefix included.
    pub(super) span: Range<usize>,
    pub(super) url: Range<usize>,
    /// The offset at which the URL ended before anything was trimmed.
    pub(super) untrimmed: usize,
    pub(super) form: Form,
}

/// The lines around a URL.
pub(super) struct Lines<'w, 'h> {
    window: &'w Window<'h>,
    /// The text before this offset is not read.
    back: usize,
    opening_prefix: LinePrefix<'h>,
    /// The line on which the URL starts, up to where it ends.
    pub(super) first: Line<'h>,
}

impl<'w, 'h> Lines<'w, 'h> {
    /// The lines around the URL in `url`, unless its own starts too far before it.
    pub(super) fn around(cx: &Surroundings<'w, 'h>, url: Range<usize>) -> Option<Self> {
        let Surroundings { window, back, .. } = *cx;
        let start = window.line_start(url.start, back)?;
        let opening_prefix = LinePrefix::of_line(window, url.start, back);
        let margin = text_start(window, &opening_prefix, start) - start;
        let first = Line { start, bytes: window.ahead(start..url.end), margin };
        Some(Lines { window, back, opening_prefix, first })
    }

    /// The line that starts at `start`.
    pub(super) fn at(&self, start: usize) -> Line<'h> {
        Line::read(self.window, &self.opening_prefix, start)
    }

    /// The line after the break at `end`, if there is a break.
    pub(super) fn after(&self, end: usize) -> Option<Line<'h>> {
        self.window.is_break(end).then(|| self.at(self.window.after_break(end)))
    }

    /// The lines before the one at `start`, the last one first. The first line may be incomplete.
    pub(super) fn before(&self, start: usize) -> impl Iterator<Item = Range<usize>> {
        let (window, floor) = (self.window, self.back.max(start.saturating_sub(MAX_DISTANCE_BEFORE)));
        let mut next = start;
        std::iter::from_fn(move || {
            let end = (next > floor).then(|| window.before_break(next, floor))?;
            next = window.line_start(end, floor).unwrap_or(floor);
            Some(next..end)
        })
    }

    /// Returns true if an empty line follows `line`, or nothing.
    pub(super) fn is_last(&self, line: &Line<'_>) -> bool {
        self.after(line.end()).is_none_or(|next| next.is_empty())
    }

    /// Returns true if `line` ends a paragraph: an empty line follows it, or fewer than [`MAX_CHAIN_LINES`] lines of one
    /// word do before that, and the word of each `continues` the line before it.
    pub(super) fn ends_paragraph(
        &self,
        line: &Line<'_>,
        continues: impl Fn(&Line<'_>, &[u8]) -> bool,
    ) -> bool {
        let mut line = *line;
        for _ in 0..MAX_CHAIN_LINES {
            let Some(next) = self.after(line.end()).filter(|next| !next.is_empty()) else { return true };
            if !next.only_word().is_some_and(|word| continues(&line, word)) {
                return false;
            }
            line = next;
        }
        false
    }
}

/// The lengths of the lines that end in a quoted-printable soft break, the `=` included. RFC 2045
/// allows 76.
const SOFT_BREAK_LENGTHS: RangeInclusive<usize> = 73..=76;

/// Returns true if the value of an attribute starts at `start` in quoted-printable, in which any `=` is an escape or a
/// soft break:
/// `href=3D"`.
pub(super) fn starts_attribute(window: &Window<'_>, start: usize) -> bool {
    matches!(window.before(start, start.saturating_sub(4)), b"=3D\"" | b"=3D'" | b"=3d\"" | b"=3d'")
}

/// Returns true if the `=` before the line break at `end` is a soft break, as far as the length of its line
/// and the text around it show it.
pub(super) fn is_soft_break(window: &Window<'_>, end: usize) -> bool {
    window.byte_before(end) == Some(b'=')
        && window.line_start(end, end.saturating_sub(SOFT_BREAK_LENGTHS.end() + 1)).is_some_and(|line| {
            SOFT_BREAK_LENGTHS.contains(&(end - line)) && !follows_name(window, line, end)
        })
}

/// Returns true if the `=` before the line break at `end` is the one after the name of a parameter, `?name=`, because
/// neither its `line` nor the next word contains the `=3D` of quoted-printable.
#[inline(never)]
fn follows_name(window: &Window<'_>, line: usize, end: usize) -> bool {
    let text = window.before(end - 1, line);
    let Some(separator) = text.iter().rposition(|b| b"?&;".contains(b)) else { return false };
    let name = &text[separator + 1..];
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(|&b| b.is_ascii_alphanumeric() || b"_-.[]".contains(&b));
    let next = window.after_break(end);
    let rest = window.ahead(next..window.line_end(next, next + SOFT_BREAK_LENGTHS.end()));
    let mut words = rest.split(|&b| BLANK.has(b)).skip_while(|word| word.iter().all(|b| b">|".contains(b)));
    let is_escaped = |text: &[u8]| text.windows(3).any(|bytes| bytes.eq_ignore_ascii_case(b"=3D"));
    is_name && !is_escaped(text) && !words.next().is_some_and(|word| is_escaped(word) || word.ends_with(b"="))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appendix::{Notes, Rules};

    /// Reads the lines around the URL in `text`.
    fn lines(text: &str, test: impl Fn(&Lines<'_, '_>)) {
        let (window, rules, notes) = (&Window::whole(text.as_bytes()), &Rules::default(), &Notes::default());
        let cx = Surroundings { window, rules, consumed: 0, back: 0, notes };
        let url = text.find("http:").unwrap();
        test(&Lines::around(&cx, url..url + "http://h.org/".len()).unwrap());
    }

    #[test]
    fn a_line_has_a_margin_and_words() {
        lines("> see http://h.org/\r\n>\tb c \r\n>\r\nd", |lines| {
            assert_eq!((lines.first.start, lines.first.text_start(), lines.first.end()), (0, 2, 19));
            let next = lines.after(19).unwrap();
            assert_eq!((next.start, next.text_start(), next.end(), next.column()), (21, 23, 27, 8));
            assert_eq!((next.split_word(), next.only_word()), ((&b"b"[..], &b" c "[..]), None));
            assert!(lines.first.has_depth_of(&next) && lines.is_last(&next));
            let empty = lines.after(next.end()).unwrap();
            assert!(empty.is_empty() && empty.only_word().is_none() && !lines.is_last(&empty));
            let last = lines.after(empty.end()).unwrap();
            assert!(!lines.first.has_depth_of(&last) && lines.is_last(&last));
            assert_eq!(last.only_word(), Some(&b"d"[..]));
            assert!(lines.after(last.end()).is_none());
        });
    }

    #[test]
    fn a_paragraph_ends_before_an_empty_line() {
        for (text, ends) in [
            ("http://h.org/\na\nb\n\nc", true),
            ("http://h.org/\na\nb", true),
            ("http://h.org/\na\nb c\n", false),
            ("http://h.org/\na\nx\n", false),
            ("> http://h.org/\n> a\n> b\n>\n> c", true),
            ("http://h.org/\na\nb\nb\nb\n\n", true),
            ("http://h.org/\na\nb\nb\nb\nb\n\n", false),
        ] {
            lines(text, |lines| {
                let next = lines.after(lines.first.end()).unwrap();
                assert_eq!(lines.ends_paragraph(&next, |_, word| word == b"b"), ends, "{text:?}");
            });
        }
    }

    #[test]
    fn lines_before_are_read_backwards() {
        for end in ["\n", "\r\n", "\r", "\r\r\n"] {
            let text = ["one", "", "three", "http://h.org/"].join(end);
            lines(&text, |lines| {
                let before: Vec<_> = lines.before(lines.first.start).map(|line| &text[line]).collect();
                assert_eq!(before, ["three", "", "one"], "{end:?}");
            });
        }
    }

    #[test]
    fn a_longer_line_is_not_whole() {
        let long = "x".repeat(MAX_WRAPPED_LINE);
        lines(&format!("http://h.org/\n{long}\n{}", &long[1..]), |lines| {
            let next = lines.after(13).unwrap();
            assert!(!next.is_whole() && next.only_word().is_none());
            assert!(lines.after(next.end()).unwrap().is_whole());
        });
    }

    #[test]
    fn tabs_count_to_the_next_stop() {
        let column = |text| Line::read(&Window::whole(text), &LinePrefix::default(), 0).column();
        assert_eq!(column(b"  a"), 2);
        assert_eq!(column(b" \t a"), 9);
        assert_eq!(column(b"\t\ta"), 16);
    }

    #[test]
    fn words_of_prose() {
        for word in ["and", "word.", "e-mail", "don't", "Best,Ann", "Mo\u{fc}l", "(sic)", ""] {
            assert_eq!(is_prose(word.as_bytes()), !word.starts_with('('), "{word}");
        }
        for token in ["file.html", "a/b", "x=1", "1994", "foo_bar", "a1"] {
            assert!(!is_prose(token.as_bytes()), "{token}");
        }
    }
}
