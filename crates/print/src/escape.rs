//! Bytes of the input, escaped for a terminal.
//!
//! File names and URLs can contain any byte, and a terminal executes some of them. Others change
//! how the rest of a line is read: bidi controls reorder it, and characters without width hide in
//! it. So these, control characters (C0, DEL and C1) and bytes that are not UTF-8 are written as
//! `\xNN`, except those that are a part of an emoji. A backslash is not escaped: the output is for
//! reading, not for parsing.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;

/// Bytes whose `Display` escapes characters that a terminal would execute or cannot show.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a [u8]);

impl<'a> Escaped<'a> {
    /// Returns a path.
    pub fn path(path: &'a Path) -> Self {
        Escaped(bytes(path))
    }

    /// Returns the number of characters before the one that contains the byte at `offset`.
    ///
    /// On a terminal that is the column, except after wide East Asian characters,
    /// which take two.
    pub fn column(self, offset: usize) -> usize {
        let mut at = 0;
        let before = glyphs(self.0).take_while(|(bytes, _)| {
            at += bytes.len();
            at <= offset
        });
        before.map(|(bytes, char)| char.map_or(r"\xNN".len() * bytes.len(), |_| 1)).sum()
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        glyphs(self.0).try_for_each(|(bytes, char)| match char {
            Some(char) => fmt::Write::write_char(f, char),
            None => bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02X}")),
        })
    }
}

/// The characters of a text, and the bytes that are not UTF-8: each with its bytes, and `None` if these are escaped.
fn glyphs(bytes: &[u8]) -> impl Iterator<Item = (&[u8], Option<char>)> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let text = chunk.valid();
        let chars = text.char_indices().map(move |(at, char)| {
            let is_escaped = must_be_escaped(char) && !is_in_emoji(&text[..at], &text[at..]);
            (&text.as_bytes()[at..at + char.len_utf8()], (!is_escaped).then_some(char))
        });
        chars.chain(chunk.invalid().chunks(1).map(|byte| (byte, None)))
    })
}

/// Returns true if a terminal would execute a character, or not show it.
pub fn must_be_escaped(char: char) -> bool {
    // Bidi controls, characters without width, and separators of lines that are not controls. They
    // include joiners, because joiners in a URL make two texts look alike.
    let is_invisible = matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}');
    char.is_control() || is_invisible
}

/// Returns true if `rest` starts with a variation selector after an emoji, or with the joiner of two emoji:
/// together they are one image.
fn is_in_emoji(before: &str, rest: &str) -> bool {
    let is_emoji =
        |char| matches!(char, '\u{203c}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}') && !must_be_escaped(char);
    let ends_in_emoji = |text: &str| text.chars().next_back().is_some_and(is_emoji);
    match rest.strip_prefix('\u{200d}') {
        Some(after) => {
            ends_in_emoji(before.strip_suffix('\u{fe0f}').unwrap_or(before)) && after.starts_with(is_emoji)
        }
        None => rest.starts_with(['\u{fe0e}', '\u{fe0f}']) && ends_in_emoji(before),
    }
}

/// Returns the bytes of a path.
pub fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Returns the part of a path in these bytes.
pub fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    return String::from_utf8_lossy(bytes).into_owned().into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_invalid_utf8_are_escaped() {
        for (bytes, escaped) in [
            (&b"a\\b c"[..], "a\\b c"),
            ("b\u{fc}cher".as_bytes(), "b\u{fc}cher"),
            (b"a\x1b[2Jb\n\x7f", "a\\x1B[2Jb\\x0A\\x7F"),
            ("\u{9b}2J".as_bytes(), "\\xC2\\x9B2J"),
            (b"\x9b2J\xff", "\\x9B2J\\xFF"),
            (b"\xe3\x81", "\\xE3\\x81"),
            ("a\u{202e}b\u{200b}\u{feff}".as_bytes(), "a\\xE2\\x80\\xAEb\\xE2\\x80\\x8B\\xEF\\xBB\\xBF"),
            ("\u{2066}\u{e0041}".as_bytes(), "\\xE2\\x81\\xA6\\xF3\\xA0\\x81\\x81"),
            (
                "\u{26a0}\u{fe0f} \u{2764}\u{fe0f}\u{200d}\u{1f525}".as_bytes(),
                "\u{26a0}\u{fe0f} \u{2764}\u{fe0f}\u{200d}\u{1f525}",
            ),
            ("a\u{fe0f}\u{26a0}\u{200d}b".as_bytes(), "a\\xEF\\xB8\\x8F\u{26a0}\\xE2\\x80\\x8Db"),
            ("\u{26a0}\u{fe0f}\u{fe0f}".as_bytes(), "\u{26a0}\u{fe0f}\\xEF\\xB8\\x8F"),
        ] {
            assert_eq!(Escaped(bytes).to_string(), escaped);
        }
    }

    #[test]
    fn columns_count_what_is_printed() {
        let escaped = Escaped("b\u{fc}\u{9b}\x01.".as_bytes());
        let columns: Vec<_> = (0..=7).map(|offset| escaped.column(offset)).collect();
        assert_eq!(columns, [0, 1, 1, 2, 2, 10, 14, 15]);
        assert_eq!(Escaped(b"\xffa").column(1), 4);
    }
}
