//! Character references: `&amp;`, `&#45;`, `&#x2D;`, `&eacute;`.
//!
//! The few that make up nearly all of HTML mail are decoded here; the other two thousand names, the
//! references to Windows-1252 and those that are not valid are left to html5gum, which follows the
//! HTML standard. The result is UTF-8, regardless of the charset of the text.
//!
//! The standard reads `&copy=2` in an attribute verbatim, as a query that was not
//! escaped, and in text as `©=2`. Here it is verbatim in text too: a query that was not
//! escaped is far more likely there than a name without its semicolon. Exceptions are
//! the four characters of which wrappers and queries consist.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span, Tokenizer};

/// The greatest length of the text of a reference, in bytes.
const MAX_LEN: usize = 8;

/// The position of a reference: in text, or in the value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceIn {
    Text,
    Value,
}

/// A character or two, and where the bytes of the source that encode them end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Character {
    text: [u8; MAX_LEN],
    len: u8,
    pub(super) end: usize,
}

impl Character {
    fn spelled(text: &[u8], end: usize) -> Self {
        let mut spelled = [0; MAX_LEN];
        let len = text.len().min(MAX_LEN);
        spelled[..len].copy_from_slice(&text[..len]);
        Character { text: spelled, len: len as u8, end }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }

    /// The byte, if it is ASCII.
    pub(super) fn ascii(&self) -> Option<u8> {
        (self.len == 1 && self.text[0] < 0x80).then_some(self.text[0])
    }
}

/// The reference whose `&` is at `at`; `None` if that is only an `&`.
pub(super) fn read(source: &[u8], at: usize, context: ReferenceIn) -> Option<Character> {
    let after = source.get(at + 1..)?;
    let first = *after.first()?;
    if first == b'#' {
        return number(after, at).or_else(|| any(source, at));
    }
    if !first.is_ascii_alphabetic() {
        return None;
    }
    if let Some(character) = common(after, at) {
        return Some(character);
    }
    let character = any(source, at)?;
    // A semicolon ends a name, or a byte that cannot be part of it follows.
    let more = source.get(character.end).is_some_and(|&b| b == b'=' || b.is_ascii_alphanumeric());
    (source[character.end - 1] == b';'
        || !more
        || context == ReferenceIn::Text && matches!(character.ascii(), Some(b'<' | b'>' | b'&' | b'"')))
    .then_some(character)
}

/// The most frequent names.
fn common(after: &[u8], at: usize) -> Option<Character> {
    let names: [(&[u8], &str); 5] =
        [(b"lt;", "<"), (b"gt;", ">"), (b"amp;", "&"), (b"quot;", "\""), (b"nbsp;", "\u{a0}")];
    let (name, text) = names.into_iter().find(|(name, _)| after.starts_with(name))?;
    Some(Character::spelled(text.as_bytes(), at + 1 + name.len()))
}

/// A number of usual length for a usual character; `after` begins with the `#`.
fn number(after: &[u8], at: usize) -> Option<Character> {
    let hexadecimal = matches!(after.get(1), Some(b'x' | b'X'));
    let (from, radix) = if hexadecimal { (2, 16) } else { (1, 10) };
    let digits = after[from..].iter().take(MAX_LEN).take_while(|b| char::from(**b).is_digit(radix)).count();
    let end = from + digits;
    if !(1..=6).contains(&digits) {
        return None;
    }
    let code = u32::from_str_radix(std::str::from_utf8(&after[from..end]).ok()?, radix).ok()?;
    if !matches!(code, 0x20..=0x7e | 0xa0..=0xd7ff) {
        return None;
    }
    let mut text = [0; 4];
    let text = char::from_u32(code)?.encode_utf8(&mut text);
    let semicolon = usize::from(after.get(end) == Some(&b';'));
    Some(Character::spelled(text.as_bytes(), at + 1 + end + semicolon))
}

/// Any reference of the standard.
fn any(source: &[u8], at: usize) -> Option<Character> {
    let first = FirstString { inner: CallbackEmitter::new(|_, _| None), read: 0, string: None };
    let Ok(Character { text, len, end, .. }) = Tokenizer::new_with_emitter(&source[at..], first).next()?;
    let decoded = Character { text, len, end: at + end };
    (decoded.as_bytes() != &source[at..decoded.end]).then_some(decoded)
}

type Nothing = fn(CallbackEvent<'_>, Span<()>) -> Option<Character>;

/// An emitter that stops the tokenizer at its first string. After an `&` that is the decoded
/// reference, or otherwise bytes of the source.
#[derive(Debug)]
struct FirstString {
    inner: CallbackEmitter<Nothing, Character, ()>,
    read: usize,
    string: Option<Character>,
}

impl ForwardingEmitter for FirstString {
    type Token = Character;

    fn inner(&mut self) -> &mut impl Emitter<Token = Character> {
        &mut self.inner
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.string.get_or_insert(Character::spelled(text, self.read));
    }

    fn move_position(&mut self, by: isize) {
        self.read = self.read.saturating_add_signed(by);
    }

    fn pop_token(&mut self) -> Option<Character> {
        self.string.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a reference, and its length.
    fn reference(source: &str, context: ReferenceIn) -> Option<(String, usize)> {
        let character = read(source.as_bytes(), 0, context)?;
        Some((String::from_utf8(character.as_bytes().to_vec()).unwrap(), character.end))
    }

    fn in_text(source: &str) -> Option<(String, usize)> {
        reference(source, ReferenceIn::Text)
    }

    #[track_caller]
    fn check(source: &str, text: &str, len: usize) {
        for context in [ReferenceIn::Text, ReferenceIn::Value] {
            assert_eq!(reference(source, context), Some((text.to_owned(), len)), "{source} {context:?}");
        }
    }

    #[test]
    fn names() {
        check("&lt;URL", "<", 4);
        check("&amp;b", "&", 5);
        check("&eacute;t", "\u{e9}", 8);
        check("&eacute t", "\u{e9}", 7);
        check("&colon;//", ":", 7);
        check("&semi;", ";", 6);
        check("&AMP;", "&", 5);
        check("&NotEqualTilde;", "\u{2242}\u{338}", 15);
        check("&CounterClockwiseContourIntegral;x", "\u{2233}", 33);
    }

    #[test]
    fn numbers() {
        check("&#45;", "-", 5);
        check("&#45a", "-", 4);
        check("&#x2d;", "-", 6);
        check("&#X2Dg", "-", 5);
        check("&#0000000000000064;", "@", 19);
        check("&#8211;", "\u{2013}", 7);
        check("&#10;", "\n", 5);
    }

    #[test]
    fn numbers_with_another_meaning() {
        check("&#150;", "\u{2013}", 6);
        check("&#x80;", "\u{20ac}", 6);
        check("&#0;", "\u{fffd}", 4);
        check("&#xD800;", "\u{fffd}", 8);
        check("&#99999999999999999999;", "\u{fffd}", 23);
    }

    #[test]
    fn no_reference() {
        for source in ["&", "& ", "&;", "&#", "&#;", "&#x;", "&#xg", "&nosuch;", "&b=1", "&\u{e9};"] {
            assert_eq!(in_text(source), None, "{source}");
        }
    }

    #[test]
    fn a_query_that_was_not_escaped_is_copied() {
        for source in ["&copy=2", "&section=2", "&notit;", "&reg1"] {
            assert_eq!(in_text(source), None, "{source}");
            assert_eq!(reference(source, ReferenceIn::Value), None, "{source}");
        }
        check("&copy 2", "\u{a9}", 5);
        check("&copy", "\u{a9}", 5);
    }

    #[test]
    fn a_wrapper_without_semicolons_in_text() {
        assert_eq!(in_text("&ltURL:"), Some(("<".to_owned(), 3)));
        assert_eq!(in_text("&ampb=1"), Some(("&".to_owned(), 4)));
        assert_eq!(reference("&ltURL:", ReferenceIn::Value), None);
        assert_eq!(reference("&lt=1", ReferenceIn::Value), None);
    }
}
