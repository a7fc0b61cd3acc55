//! Character references: `&amp;`, `&#45;`, `&#x2D;`, `&eacute;`.
//!
//! The few that make up nearly all of HTML mail are read here; the other two
//! thousand names, the references that mean Windows-1252 and those that mean
//! nothing are left to html5gum, which does with them what the HTML standard
//! says. What comes out is UTF-8, whatever the text around it is.
//!
//! The standard reads `&copy=2` in an attribute as it stands, since somebody
//! forgot to escape a query, and in text as `©=2`. Here it stands in text too: a
//! query that nobody escaped is far more likely there than a name without its
//! semicolon. The four characters that make up a wrapper or a query themselves
//! are excepted.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span, Tokenizer};

/// More than any reference stands for.
const MOST: usize = 8;

/// Where a reference stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    Text,
    Value,
}

/// A character or two, and what encodes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Character {
    text: [u8; MOST],
    len: u8,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Character {
    /// A byte that stands for itself.
    pub(super) fn raw(byte: u8, at: usize) -> Self {
        Self::spelled(&[byte], at, at + 1)
    }

    fn spelled(text: &[u8], start: usize, end: usize) -> Self {
        let mut spelled = [0; MOST];
        let len = text.len().min(MOST);
        spelled[..len].copy_from_slice(&text[..len]);
        Character { text: spelled, len: len as u8, start, end }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }

    /// The byte, if this is one of ASCII.
    pub(super) fn ascii(&self) -> Option<u8> {
        (self.len == 1 && self.text[0] < 0x80).then_some(self.text[0])
    }
}

/// The reference whose `&` stands at `at`; `None` if that is just an `&`.
pub(super) fn read(source: &[u8], at: usize, place: Position) -> Option<Character> {
    let behind = source.get(at + 1..)?;
    let first = *behind.first()?;
    if first == b'#' {
        return number(behind, at).or_else(|| any(source, at));
    }
    if !first.is_ascii_alphabetic() {
        return None;
    }
    if let Some(character) = common(behind, at) {
        return Some(character);
    }
    let character = any(source, at)?;
    (is_finished(source, &character) || place == Position::Text && is_markup(&character)).then_some(character)
}

/// The names that are in every file.
fn common(behind: &[u8], at: usize) -> Option<Character> {
    let names: [(&[u8], &str); 5] =
        [(b"lt;", "<"), (b"gt;", ">"), (b"amp;", "&"), (b"quot;", "\""), (b"nbsp;", "\u{a0}")];
    let (name, text) = names.into_iter().find(|(name, _)| behind.starts_with(name))?;
    Some(Character::spelled(text.as_bytes(), at, at + 1 + name.len()))
}

/// A number of ordinary length for an ordinary character; `behind` begins with
/// the `#`.
fn number(behind: &[u8], at: usize) -> Option<Character> {
    let hexadecimal = matches!(behind.get(1), Some(b'x' | b'X'));
    let (from, radix) = if hexadecimal { (2, 16) } else { (1, 10) };
    let digits = behind[from..].iter().take(MOST).take_while(|b| char::from(**b).is_digit(radix)).count();
    let end = from + digits;
    if !(1..=6).contains(&digits) {
        return None;
    }
    let code = u32::from_str_radix(std::str::from_utf8(&behind[from..end]).ok()?, radix).ok()?;
    if !matches!(code, 0x20..=0x7e | 0xa0..=0xd7ff) {
        return None;
    }
    let mut text = [0; 4];
    let text = char::from_u32(code)?.encode_utf8(&mut text);
    let semicolon = usize::from(behind.get(end) == Some(&b';'));
    Some(Character::spelled(text.as_bytes(), at, at + 1 + end + semicolon))
}

/// Any reference that the standard knows.
fn any(source: &[u8], at: usize) -> Option<Character> {
    let Ok(Character { text, len, end, .. }) =
        Tokenizer::new_with_emitter(&source[at..], First::new()).next()?;
    let decoded = Character { text, len, start: at, end: at + end };
    (decoded.as_bytes() != &source[at..decoded.end]).then_some(decoded)
}

/// Whether a semicolon ends a name, or what follows cannot be more of it.
fn is_finished(source: &[u8], character: &Character) -> bool {
    let more = source.get(character.end).is_some_and(|&b| b == b'=' || b.is_ascii_alphanumeric());
    source[character.end - 1] == b';' || !more
}

fn is_markup(character: &Character) -> bool {
    matches!(character.ascii(), Some(b'<' | b'>' | b'&' | b'"'))
}

type Nothing = fn(CallbackEvent<'_>, Span<()>) -> Option<Character>;

/// Stops a tokenizer at the first string it gives out. Behind an `&` that is the
/// decoded reference, or if there is none some of what stands in the source.
#[derive(Debug)]
struct First {
    inner: CallbackEmitter<Nothing, Character, ()>,
    read: usize,
    string: Option<Character>,
}

impl First {
    fn new() -> Self {
        First { inner: CallbackEmitter::new(|_, _| None), read: 0, string: None }
    }
}

impl ForwardingEmitter for First {
    type Token = Character;

    fn inner(&mut self) -> &mut impl Emitter<Token = Character> {
        &mut self.inner
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.string.get_or_insert(Character::spelled(text, 0, self.read));
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

    /// What a reference stands for, and how many bytes it takes.
    fn reference(source: &str, place: Position) -> Option<(String, usize)> {
        let character = read(source.as_bytes(), 0, place)?;
        Some((String::from_utf8(character.as_bytes().to_vec()).unwrap(), character.end))
    }

    fn in_text(source: &str) -> Option<(String, usize)> {
        reference(source, Position::Text)
    }

    #[track_caller]
    fn check(source: &str, text: &str, len: usize) {
        for place in [Position::Text, Position::Value] {
            assert_eq!(reference(source, place), Some((text.to_owned(), len)), "{source} {place:?}");
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
    fn numbers_that_mean_something_else() {
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
    fn a_query_that_nobody_escaped_stays() {
        for source in ["&copy=2", "&section=2", "&notit;", "&reg1"] {
            assert_eq!(in_text(source), None, "{source}");
            assert_eq!(reference(source, Position::Value), None, "{source}");
        }
        check("&copy 2", "\u{a9}", 5);
        check("&copy", "\u{a9}", 5);
    }

    #[test]
    fn a_wrapper_without_semicolons_is_one_in_text() {
        assert_eq!(in_text("&ltURL:"), Some(("<".to_owned(), 3)));
        assert_eq!(in_text("&ampb=1"), Some(("&".to_owned(), 4)));
        assert_eq!(reference("&ltURL:", Position::Value), None);
        assert_eq!(reference("&lt=1", Position::Value), None);
    }
}
