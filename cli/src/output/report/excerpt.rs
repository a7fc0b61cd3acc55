//! The text around a match, as an entry of a report shows it.
//!
//! It is what is left of the paragraph of the match after [`REACH`] bytes on either
//! side. It does not go beyond an empty line, so that it is the same if the input is
//! divided there.

use serde_json::{Value, json};

use super::super::context::{Context, ContextLines};
use super::super::view::View;
use crate::escape::{Escaped, must_be_escaped};

/// The lines of which an excerpt is made. A match in a pipe waits for the line after it, and
/// not for more.
pub const EXCERPT: ContextLines = ContextLines { before: 2, after: 1 };

/// The number of bytes on either side of the match, at most.
const REACH: usize = 160;

/// The number of bytes at a cut in which the start of a word is looked for.
const WORD: usize = 30;

/// The excerpt of a match: the text before and after it. It is one text if the match is
/// in none, as in an attribute, or if a password was hidden. Null if there is no text.
pub fn excerpt(view: &View<'_>, context: &Context<'_>) -> Value {
    let Context { text, span, .. } = context.narrowed(EXCERPT);
    let redacted = view.spelling.of_bytes(text);
    let (before, after) = if redacted == text {
        (&text[..span.start], &text[span.end..])
    } else {
        // Redacted as a whole, because half a password looks like none.
        let at = view.spelling.of_bytes(&text[..span.start]).len().min(redacted.len());
        redacted.split_at(at)
    };
    let (before, after) = (readable(end_of(before)), readable(start_of(after)));
    match () {
        () if before.trim().is_empty() && after.trim().is_empty() => Value::Null,
        () if span.is_empty() || redacted != text => json!([format!("{before}{after}").trim()]),
        () => json!([before.trim_start(), after.trim_end()]),
    }
}

/// The end of the text before a match, from the last empty line on.
fn end_of(before: &[u8]) -> Vec<u8> {
    let lines: Vec<_> = before.rsplit(|&byte| byte == b'\n').collect();
    let paragraph = lines.iter().skip(1).position(|line| is_empty(line)).map_or(lines.len(), |at| at + 1);
    let text = &before[before.len() - len_of(&lines[..paragraph])..];
    if text.len() <= REACH {
        return text.to_vec();
    }
    let text = &text[text.len() - REACH..];
    let word = text[..WORD].iter().position(u8::is_ascii_whitespace).map(|at| at + 1);
    let word = word.or(text.iter().position(starts_character)).unwrap_or(0);
    [b"\xe2\x80\xa6", &text[word..]].concat()
}

/// The start of the text after a match, up to the first empty line.
fn start_of(after: &[u8]) -> Vec<u8> {
    let lines: Vec<_> = after.split(|&byte| byte == b'\n').collect();
    let paragraph = lines.iter().skip(1).position(|line| is_empty(line)).map_or(lines.len(), |at| at + 1);
    let text = &after[..len_of(&lines[..paragraph])];
    if text.len() <= REACH {
        return text.to_vec();
    }
    let end = &text[..REACH][REACH - WORD..];
    let word = end.iter().rposition(u8::is_ascii_whitespace).map(|at| REACH - WORD + at);
    let word = word.or(text[..=REACH].iter().rposition(starts_character)).unwrap_or(REACH);
    [&text[..word], b"\xe2\x80\xa6"].concat()
}

/// The length of lines, of which the last one has no line end.
fn len_of(lines: &[&[u8]]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum::<usize>() - 1
}

/// Whether a byte of UTF-8 is the first one of a character.
fn starts_character(&byte: &u8) -> bool {
    byte & 0xc0 != 0x80
}

fn is_empty(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// A text without characters that are not seen. Line ends stay.
fn readable(text: Vec<u8>) -> String {
    let lines = text.split(|&byte| byte == b'\n').map(|line| {
        line.utf8_chunks().fold(String::new(), |mut line, chunk| {
            let chars = chunk.valid().chars().map(|char| if char == '\t' { ' ' } else { char });
            line.extend(chars.filter(|&char| !must_be_escaped(char)));
            line + &Escaped(chunk.invalid()).to_string()
        })
    });
    lines.collect::<Vec<_>>().join("\n")
}
