//! The tokens of RTF.

use std::ops::Range;

use crate::archive::decode::transfer::escape;

/// A token, and the range of the source that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'s> {
    pub(super) kind: TokenKind<'s>,
    pub(super) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'s> {
    Open,
    Close,
    /// `\word` and its number.
    Word(&'s [u8], Option<i32>),
    /// `\'hh`: a byte of the charset.
    Byte(u8),
    /// `\*` and other signs.
    Sign(u8),
    /// Bytes without a line end, a brace or a backslash.
    Text,
}

/// The token at `at`; `None` at the end. Line ends are between tokens.
pub(super) fn next(source: &[u8], mut at: usize) -> Option<Token<'_>> {
    while let Some(b'\r' | b'\n') = source.get(at) {
        at += 1;
    }
    let (kind, len) = match *source.get(at..)? {
        [] => return None,
        [b'{', ..] => (TokenKind::Open, 1),
        [b'}', ..] => (TokenKind::Close, 1),
        [b'\\', ref rest @ ..] => control(rest),
        ref text => {
            let len = text.iter().position(|b| b"\r\n{}\\".contains(b)).unwrap_or(text.len());
            (TokenKind::Text, len)
        }
    };
    Some(Token { kind, range: at..at + len })
}

/// The control whose backslash is before `rest`, and its length with it.
fn control(rest: &[u8]) -> (TokenKind<'_>, usize) {
    /// The length of the longest word, and of its number.
    const LONGEST: usize = 32;
    let letters = rest.iter().take(LONGEST).take_while(|b| b.is_ascii_alphabetic()).count();
    if letters > 0 {
        let (word, after) = rest.split_at(letters);
        let sign = usize::from(after.starts_with(b"-"));
        let digits = after[sign..].iter().take(LONGEST).take_while(|b| b.is_ascii_digit()).count();
        let number = if digits > 0 { sign + digits } else { 0 };
        let value = str::from_utf8(&after[..number]).ok().and_then(|number| number.parse().ok());
        // The space after a word is a part of it.
        let space = usize::from(after.get(number) == Some(&b' '));
        return (TokenKind::Word(word, value), 1 + letters + number + space);
    }
    match *rest {
        [b'\'', ..] => match escape(rest) {
            Some(byte) => (TokenKind::Byte(byte), 4),
            None => (TokenKind::Sign(b'\''), 2),
        },
        [sign, ..] => (TokenKind::Sign(sign), 2),
        [] => (TokenKind::Text, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let source = b"{\\b1 x\r\ny\\'e9\\u-3 \\~\\'zz}\\";
        let mut at = 0;
        let mut kinds = Vec::new();
        while let Some(token) = next(source, at) {
            at = token.range.end;
            kinds.push((token.kind, &source[token.range]));
        }
        assert_eq!(
            kinds,
            [
                (TokenKind::Open, &b"{"[..]),
                (TokenKind::Word(b"b", Some(1)), b"\\b1 "),
                (TokenKind::Text, b"x"),
                (TokenKind::Text, b"y"),
                (TokenKind::Byte(0xE9), b"\\'e9"),
                (TokenKind::Word(b"u", Some(-3)), b"\\u-3 "),
                (TokenKind::Sign(b'~'), b"\\~"),
                (TokenKind::Sign(b'\''), b"\\'"),
                (TokenKind::Text, b"zz"),
                (TokenKind::Close, b"}"),
                (TokenKind::Text, b"\\"),
            ]
        );
    }
}
