//! JSON (RFC 8259): a value, as a file or in each of its lines (JSON Lines, NDJSON).
//!
//! Prose, logs and programs may begin with a bracket as well: `[1] http://h.org/`, `{name} says`,
//! `[2001-03-02 10:11] GET`. So the first bytes are read strictly. They are JSON in three cases:
//!
//! - an object with a member begins, also inside arrays: `{"name": 1`
//! - an array begins in which a value follows a string: `["a", 1`
//! - an array with a string ends, and then the file ends or a line with another array or object follows
//!
//! A string never contains a line feed, so a file can be split at any line break. A line that is too
//! long is split after a string.

use std::ops::Range;

use memchr::{memchr, memmem, memrchr, memrchr_iter};

use super::format::{self, Divides, Format, Framing, MAX_ESCAPED_LEN};
use super::mail::Verdict;
use crate::archive::decode::json::{self, is_word, last_string_end, separates_pair, word_len};
use crate::archive::decode::members::{self, is_long_value};
use crate::archive::limits::Limits;
use crate::archive::reading::{ReadText, Reading, TextValue, ValueFinder};

pub(super) static FRAMING: Framing = Framing {
    starts: b"{[",
    name: Some(("json", "JSON, or lines of it")),
    before: Some(format::empty_lines),
    end: last_line_end,
    in_pieces: true,
    max_len: MAX_ESCAPED_LEN,
    chunk_end,
    divides: Some(Divides::Lines { is_split_point: |_, _| true, least }),
    ..Framing::text(Format::Json, begins, &STRINGS)
};

/// Returns the minimum length at which a file that begins with these bytes is divided: a value of
/// several lines is read as a whole, if it has at most [`MAX_ESCAPED_LEN`] bytes.
fn least(bytes: &[u8]) -> u64 {
    if is_long_value(bytes) { MAX_ESCAPED_LEN as u64 + 1 } else { 0 }
}

/// Strings, each a text of its own, and the message bodies in them.
pub(crate) static STRINGS: Reading = Reading {
    values: Some(ValueFinder {
        find: |text, markup| {
            let bodies = if markup.may_have_bodies { json::bodies(text) } else { Vec::new() };
            let messages = messages(text, &markup.messages);
            let mut values: Vec<_> = bodies.into_iter().map(body).chain(messages).collect();
            values.sort_by_key(|value| value.content.start);
            values
        },
        are_attachments: false,
    }),
    records: Some(&members::JSON),
    ..Reading::of(|bytes, wanted| ReadText::strings(json::strings(bytes, wanted)))
};

/// A body in base64. Text can be split after a string.
fn body(content: Range<usize>) -> TextValue {
    let end = content.end + 1;
    TextValue {
        content,
        left_out: end..end,
        decode: |body, offsets| body.decoded(json::body(body.as_bytes(), offsets)),
    }
}

/// The strings that are messages, as services write them that received these, among those that may be.
fn messages(text: &[u8], strings: &[Range<usize>]) -> impl Iterator<Item = TextValue> {
    let is_message = |content: &&Range<usize>| {
        let string = json::string(&text[(*content).clone()], false).bytes;
        matches!(format::recognise(&string, true), Some(Format::Mail | Format::Mbox))
    };
    let value = |content: &Range<usize>| TextValue {
        left_out: content.start - 1..content.end + 1,
        content: content.clone(),
        decode: |message, offsets| message.decoded(json::string(message.as_bytes(), offsets)),
    };
    strings.iter().filter(is_message).map(value)
}

/// Returns whether `bytes` begin with JSON. `last` means that no more bytes follow.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    let bytes = bytes.trim_ascii_start();
    if !matches!(bytes.first(), None | Some(b'{' | b'[')) {
        return Verdict::No;
    }
    match Lexemes(bytes).are_json(last) {
        Some(true) => Verdict::Yes,
        None if !last => Verdict::Unknown,
        _ => Verdict::No,
    }
}

/// The token that is expected next in an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// A value, or the end of the array, which has none so far.
    First,
    Value,
    /// A comma, or the end of the array.
    Comma,
}

/// The bytes that have not been read as lexemes.
struct Lexemes<'b>(&'b [u8]);

/// The kind of a lexeme: the byte of a punctuation character, or one of these.
const STRING: u8 = b'"';
const WORD: u8 = b'0';
const NONE: u8 = 0;

impl Lexemes<'_> {
    /// Returns true if an object with a member follows, an array in which a value follows a string, or an array with a
    /// string after which the file ends, or another array or object is on a later line; `None` if more bytes are needed.
    fn are_json(&mut self, last: bool) -> Option<bool> {
        let (mut depth, mut has_string, mut expected) = (0_usize, false, Expected::Value);
        loop {
            if has_string && expected == Expected::Value {
                return self.is_value();
            }
            match (expected, self.next()?) {
                (Expected::Comma, b',') => expected = Expected::Value,
                (Expected::Comma | Expected::First, b']') => (depth, expected) = (depth - 1, Expected::Comma),
                (Expected::Comma, _) => return Some(false),
                (_, b'{') => {
                    return Some(self.next()? == STRING && self.next()? == b':' && self.is_value()?);
                }
                (_, b'[') => (depth, expected) = (depth + 1, Expected::First),
                (_, lexeme @ (STRING | WORD)) => (has_string, expected) = (lexeme == STRING, Expected::Comma),
                _ => return Some(false),
            }
            if depth == 0 {
                // An array is followed only by another array or object, on another line.
                let next = self.0.trim_ascii_start();
                let is_below = self.0[..self.0.len() - next.len()].contains(&b'\n');
                return match next.first() {
                    _ if !has_string => Some(false),
                    Some(first) => Some(is_below && matches!(first, b'{' | b'[')),
                    None => last.then_some(true),
                };
            }
        }
    }

    /// Returns true if a value follows.
    fn is_value(&mut self) -> Option<bool> {
        let first = *self.0.trim_ascii_start().first()?;
        Some(matches!(first, b'"' | b'[' | b'{') || self.next()? == WORD)
    }

    /// The next lexeme; `None` if more bytes are needed.
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.trim_ascii_start();
        let (lexeme, len) = match *self.0.first()? {
            mark @ (b'{' | b'}' | b'[' | b']' | b',' | b':') => (mark, 1),
            b'"' => match string_len(self.0)? {
                0 => (NONE, 0),
                len => (STRING, len),
            },
            _ => match word_len(self.0) {
                // The rest of the word may follow.
                len if len == self.0.len() => return None,
                len if is_word(&self.0[..len]) => (WORD, len),
                _ => (NONE, 0),
            },
        };
        self.0 = &self.0[len..];
        Some(lexeme)
    }
}

/// The length of the string that `bytes` begin with, or 0 if it is not valid; `None` if it does not end.
fn string_len(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes.get(1..)?;
    loop {
        rest = match *rest {
            [b'"', ..] => return Some(bytes.len() - rest.len() + 1),
            [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u', ref rest @ ..] => rest,
            [] | [b'\\'] => return None,
            [..=0x1f | b'\\', ..] => return Some(0),
            [_, ref rest @ ..] => rest,
        };
    }
}

/// Returns the end of the last independent line, or of the file.
fn last_line_end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let from = std::mem::replace(searched, bytes.len());
    if !last && memchr(b'\n', &bytes[from..]).is_none() {
        return None;
    }
    // The lines of a longer value are read together, as far as memory allows: a single line does
    // not show its context.
    if !last && bytes.len() < MAX_ESCAPED_LEN && is_long_value(bytes) {
        let mark = if bytes[0] == b'{' { b"\n}" } else { b"\n]" };
        let from = from.saturating_sub(mark.len() + 1);
        let at = from + memmem::rfind(&bytes[from..], mark)? + mark.len();
        let end = at + 1 + memchr(b'\n', &bytes[at..])?;
        return bytes[at..end].trim_ascii().is_empty().then_some(end);
    }
    let mut ends = memrchr_iter(b'\n', &bytes[from..]).map(|n| from + n + 1);
    if last { Some(bytes.len()) } else { ends.find(|&end| !separates_pair(bytes, end)) }
}

/// Returns the offset at which a chunk of a file ends that has a line which is too long, or many
/// lines.
fn chunk_end(bytes: &[u8], limits: Limits) -> usize {
    // The line is damaged or begins inside a string. An end after `",` also works if neither is true.
    let after_mark = || memmem::rfind(bytes, b"\",").map(|n| n + 1);
    let line_end = memrchr(b'\n', bytes).map(|n| n + 1);
    line_end
        .or_else(|| last_string_end(bytes))
        .or_else(after_mark)
        .unwrap_or_else(|| format::chunk_end(bytes, limits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Format) {
        let bytes = text.as_bytes();
        assert_eq!(format::recognise(bytes, true), Some(expected), "{text:?}");
        for cut in 0..bytes.len() {
            let early = format::recognise(&bytes[..cut], false);
            assert!(early.is_none() || early == Some(expected), "{cut} bytes of {text:?}: {early:?}");
        }
    }

    #[test]
    fn values() {
        for text in [
            "{\"a\": 1}",
            "\u{feff}{\"a\":\"http://h.org/\"}\n{\"b\":true}\n",
            "\r\n { \n \"a\\\"\" : [",
            "{\"\":{",
            "{\"a\":null}\nsome text",
            "[{\"a\":-1.5e3,",
            "[[1,2.5],[[],{\"a\":\"",
            "[\"http://h.org/\"]",
            "[\"http://h.org/\"]\n",
            "[\n  \"a\",\n  \"b\"\n]",
            "[\"a\", 1 ]",
            "[1, \"a\", null]",
            "[[1, \"a\"]]\n[[2, \"b\"]]\n",
        ] {
            check(text, Format::Json);
        }
    }

    #[test]
    fn text_that_begins_with_a_bracket() {
        for text in [
            "[1] http://h.org/\n",
            "[1, 2] http://h.org/\n",
            "[1 \"a\"]",
            "[\"a\" \"b\"]",
            "[1 [\"a\"]]",
            "[1]\n[2]\n",
            "[link](http://h.org/)",
            "[\"quoted\"](http://h.org/)",
            "[\"quoted\"] http://h.org/",
            "[\"a.b\"]\nc = \"http://h.org/\"\n",
            "[\"a\"][\"b\"]",
            "[2001-03-02 10:11] log",
            "[2001-03-02T10:11:12.000Z] \"GET http://h.org/\"",
            "[02.03.01 10:11:12] Anna: see https://h.org/",
            "[10:11] <nick> http://h.org/",
            "[info] \"a\": 1",
            "[]",
            "{name} says http://h.org/",
            "{ int a = 1; }",
            "{\"a\", \"b\"},",
            "{\"a\" = 1}",
            "{\"a\": http://h.org/}",
            "{\"a\": nothing}",
            "{\"a\n\": 1}",
            "{\"a\\x\": 1}",
            "{{\"a\": 1}}",
            "{}",
            "{\\bf a} \"b\": 1",
            "\"http://h.org/\"",
            "[[[[",
            "{",
            "{\"a",
        ] {
            check(text, Format::Text);
        }
    }

    #[test]
    fn a_value_of_several_lines_is_not_cut() {
        let end = |text: &str| last_line_end(text.as_bytes(), &mut 0, false);
        assert_eq!(end("{\"a\": 1}\n{\"a\": 2}\n{\"a"), Some(18));
        assert_eq!(end("{\n \"a\": [\n  1,\n"), None);
        assert_eq!(end("{\n \"a\": 1\n}\n{\n \"a\""), Some(12));
        assert_eq!(end("{\n \"a\": 1\n}"), None);
        assert_eq!(end("[\n{\n},\n{"), None);
    }

    #[test]
    fn a_long_line_is_cut_after_a_string() {
        let limits = Limits { message: 64, margin: 4, choice: 16, depth: 0 };
        let end = |text: &str| chunk_end(text.as_bytes(), limits);
        assert_eq!(end("{\"a\": \"b\"}\n{\"c\": \"d"), 11);
        assert_eq!(end("{\"a\": \"b\", \"c\": \"d"), 14);
        assert_eq!(end("b\", \"c\": \"d"), 2);
        assert_eq!(end("a http://h.org/b http://h.org/c"), 17);
    }

    /// A text is not JSON from the first lexeme on that JSON does not have there.
    #[test]
    fn the_bytes_that_decide() {
        for (text, expected) in [
            ("[1 2 ", Some(false)),
            ("[1 \"", None),
            ("[1 \"a\"", Some(false)),
            ("[1:", Some(false)),
            ("[1}", Some(false)),
            ("[,", Some(false)),
            ("[1,]", Some(false)),
            ("[:", Some(false)),
            ("[]", Some(false)),
            ("[[1]]", Some(false)),
            ("[1", None),
            ("[1,", None),
            ("[[1],", None),
            ("[\"a\"", None),
            ("[\"a\",", None),
            ("[\"a\", ,", Some(false)),
            ("[\"a\", [", Some(true)),
            ("[\"a\\x", Some(false)),
            ("[\"a\"]", None),
            ("[\"a\"]\n", None),
            ("[\"a\"] [", Some(false)),
            ("[\"a\"]\n[", Some(true)),
            ("[\"a\"]\n{", Some(true)),
            ("[\"a\"]\nb", Some(false)),
            ("{", None),
            ("{\"a\"", None),
            ("{\"a\":", None),
            ("{\"a\":1", None),
            ("{\"a\":1,", Some(true)),
            ("{\"a\":,", Some(false)),
            ("{\"a\",", Some(false)),
            ("{1", None),
            ("{1:", Some(false)),
            ("{}", Some(false)),
        ] {
            assert_eq!(Lexemes(text.as_bytes()).are_json(false), expected, "{text}");
        }
    }
}
