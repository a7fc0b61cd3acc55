//! Characters that a text encodes: as HTML character references or as JavaScript escapes.
//!
//! A program that escapes a text for HTML may escape a URL with it, `https:&#x2F;&#x2F;h.org`, and
//! programs that write JavaScript do the same, `"https:\u002F\u002Fh.org"`. Either may hide the
//! colon and the slashes by which a URL is found, so the scan reads them as the rules do.

use crate::bytes::window::Window;
use crate::matches::form::Entity;

/// The number of digits that the number of a reference may have, its zeros included.
const DIGITS: usize = 6;

/// The maximum length of a reference to an ASCII character, or of its escape, in bytes.
const LONGEST: usize = b"&#x;".len() + DIGITS;

/// The meaning of a character reference for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// The URL ends before it.
    Stop(Entity),
    /// A character that a URL may contain.
    Char(char),
}

/// The references by name that a URL may have, and the characters. HTML has many more, but encoders
/// write the characters of URLs in ASCII only.
const NAMED: [(&str, char); 17] = [
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{A0}'),
    ("amp", '&'),
    ("sol", '/'),
    ("colon", ':'),
    ("period", '.'),
    ("equals", '='),
    ("quest", '?'),
    ("num", '#'),
    ("lowbar", '_'),
    ("percnt", '%'),
    ("commat", '@'),
    ("lpar", '('),
    ("rpar", ')'),
];

/// The length of the longest of these names.
const NAME: usize = "period".len();

/// Parses the character reference at the ampersand at `at`, and returns it with its length.
pub(crate) fn reference(window: &Window<'_>, at: usize) -> Option<(Reference, usize)> {
    if window.get(at + 1) == Some(b'#') {
        return numbered(window, at);
    }
    let end = window.skip(at + 1, at + 1 + NAME, |b| b.is_ascii_alphabetic());
    if end == at + 1 || window.get(end) != Some(b';') {
        return None;
    }
    let written = window.ahead(at + 1..end);
    let matches_name = |(name, _): &&(&str, char)| written.eq_ignore_ascii_case(name.as_bytes());
    NAMED.iter().find(matches_name).map(|&(_, c)| (Reference::of(c), end + 1 - at))
}

/// The character reference at `at` if it has a number: `&#39;`, `&#x27;`.
fn numbered(window: &Window<'_>, at: usize) -> Option<(Reference, usize)> {
    let is_hex = matches!(window.get(at + 2), Some(b'x' | b'X'));
    let from = at + 2 + usize::from(is_hex);
    let end = window.skip(from, from + DIGITS, |b| b.is_ascii_hexdigit());
    let digits = std::str::from_utf8(window.ahead(from..end)).ok()?;
    let number = u32::from_str_radix(digits, if is_hex { 16 } else { 10 }).ok()?;
    let reference = Reference::of(char::from_u32(number)?);
    (window.get(end) == Some(b';')).then_some((reference, end + 1 - at))
}

impl Reference {
    fn of(c: char) -> Self {
        match c {
            '<' => Reference::Stop(Entity::Lt),
            '>' => Reference::Stop(Entity::Gt),
            '"' => Reference::Stop(Entity::Quot),
            '\u{A0}' => Reference::Stop(Entity::Nbsp),
            '\0'..=' ' | '\x7F' | '\\' | '`' => Reference::Stop(Entity::Other(c)),
            c => Reference::Char(c),
        }
    }
}

/// The reference that ends at `end`, its start, and its meaning.
pub(crate) fn reference_before(window: &Window<'_>, end: usize) -> Option<(usize, Reference)> {
    let before = window.before(end, end.saturating_sub(LONGEST));
    let start = end - before.len() + memchr::memrchr(b'&', before)?;
    let (reference, len) = reference(window, start)?;
    (start + len == end).then_some((start, reference))
}

/// The code unit of JSON's and JavaScript's `\u0026` at `at` (RFC 8259 §7).
pub(crate) fn unit(window: &Window<'_>, at: usize) -> Option<u16> {
    // Neither language has escapes with `\U` or `\X`.
    if window.ahead(at..at + 2) == b"\\u" { hex(window.ahead(at + 2..at + 6), 4) } else { None }
}

/// The byte of two hexadecimal digits after `prefix` at `at`: JavaScript's `\x26`, or the `=26` of
/// quoted-printable.
pub(crate) fn hex_escape(window: &Window<'_>, at: usize, prefix: &[u8]) -> Option<u8> {
    let digits = at + prefix.len();
    let code =
        if window.ahead(at..digits) == prefix { hex(window.ahead(digits..digits + 2), 2) } else { None };
    code.and_then(|code| u8::try_from(code).ok())
}

fn hex(digits: &[u8], len: usize) -> Option<u16> {
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| digits.len() == len && !digits.starts_with('+'))?;
    u16::from_str_radix(digits, 16).ok()
}

/// Returns the ASCII character that is encoded at `at`, and the length of the encoding.
pub(crate) fn ascii_at(window: &Window<'_>, at: usize) -> Option<(u8, usize)> {
    match window.get(at)? {
        b'&' => match reference(window, at)? {
            (Reference::Char(c), len) => u8::try_from(c).ok().filter(u8::is_ascii).map(|b| (b, len)),
            _ => None,
        },
        b'\\' => {
            let unit = || unit(window, at).and_then(|unit| u8::try_from(unit).ok()).map(|b| (b, 6));
            hex_escape(window, at, b"\\x").filter(u8::is_ascii).map(|b| (b, 4)).or_else(unit)
        }
        _ => None,
    }
}

/// Returns true if `//` is at `at`, with one slash or both encoded.
#[inline(never)]
pub(crate) fn has_slashes(window: &Window<'_>, at: usize) -> bool {
    let slash_len = |at: usize| match window.get(at) {
        Some(b'/') => Some(1),
        Some(b'&' | b'\\') => ascii_at(window, at).and_then(|(b, len)| (b == b'/').then_some(len)),
        _ => None,
    };
    slash_len(at).is_some_and(|len| slash_len(at + len).is_some_and(|next| len + next > 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        let read = |text: &str| reference(&Window::whole(text.as_bytes()), 0);
        for text in ["&apos;", "&#39;", "&#039;", "&#x27;", "&#X27;"] {
            assert_eq!(read(text), Some((Reference::Char('\''), text.len())), "{text}");
        }
        for text in ["&amp;", "&AMP;", "&#38;", "&#x26;"] {
            assert_eq!(read(text), Some((Reference::Char('&'), text.len())), "{text}");
        }
        for text in ["&lt;", "&#60;", "&#x3C;"] {
            assert_eq!(read(text), Some((Reference::Stop(Entity::Lt), text.len())), "{text}");
        }
        for text in ["&#32;", "&#10;", "&#x5c;", "&#96;", "&#127;"] {
            assert!(matches!(read(text), Some((Reference::Stop(Entity::Other(_)), _))), "{text}");
        }
        assert_eq!(read("&#8211;"), Some((Reference::Char('–'), 7)));
        for text in ["&amp", "&ampere;", "&num=1", "&#;", "&#x;", "&#39", "&#0000039;", "&#xD800;", "&x;"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn every_name() {
        let read = |text: &str| reference(&Window::whole(text.as_bytes()), 0).map(|(reference, _)| reference);
        for (name, entity) in
            [("lt", Entity::Lt), ("gt", Entity::Gt), ("quot", Entity::Quot), ("nbsp", Entity::Nbsp)]
        {
            assert_eq!(read(&format!("&{name};")), Some(Reference::Stop(entity)), "{name}");
        }
        // "Named character references" of the HTML standard.
        for (name, c) in [
            ("amp", '&'),
            ("apos", '\''),
            ("colon", ':'),
            ("commat", '@'),
            ("equals", '='),
            ("lowbar", '_'),
            ("lpar", '('),
            ("num", '#'),
            ("percnt", '%'),
            ("period", '.'),
            ("quest", '?'),
            ("rpar", ')'),
            ("sol", '/'),
        ] {
            assert_eq!(read(&format!("&{name};x")), Some(Reference::Char(c)), "{name}");
            assert_eq!(read(&format!("&{name}")), None, "{name} without its semicolon");
        }
    }

    #[test]
    fn references_before() {
        let before = |text: &str| reference_before(&Window::whole(text.as_bytes()), text.len());
        assert_eq!(before("a &lt;"), Some((2, Reference::Stop(Entity::Lt))));
        assert_eq!(before("&#000039;"), Some((0, Reference::Char('\''))));
        assert_eq!(before("&#x00003c;"), Some((0, Reference::Stop(Entity::Lt))));
        assert_eq!(before("&#x000003c;"), None);
        assert_eq!(before("&lt; "), None);
        assert_eq!(before("x;"), None);
    }

    #[test]
    fn slashes() {
        let has = |text: &str| has_slashes(&Window::whole(text.as_bytes()), 0);
        for text in ["&#x2F;&#x2F;", "&sol;/", "/&#47;", "\\u002F\\u002f", "\\x2f\\x2F"] {
            assert!(has(text), "{text}");
        }
        for text in ["//", "\\/\\/", "&#x2F;", "&amp;&amp;", "\\u002"] {
            assert!(!has(text), "{text}");
        }
    }

    /// RFC 8259 §7: `\u` and four digits. JavaScript and quoted-printable have two digits.
    #[test]
    fn escapes_with_digits() {
        let window = |text: &'static str| Window::whole(text.as_bytes());
        for (text, expected) in [
            ("\\u002f", Some(0x2F)),
            ("\\u002F", Some(0x2F)),
            ("\\uFFFF", Some(0xFFFF)),
            ("\\U002f", None),
            ("\\u02F", None),
            ("\\u+02f", None),
            ("\\u002g", None),
        ] {
            assert_eq!(unit(&window(text), 0), expected, "{text}");
        }
        for (text, expected) in [
            ("=2f", Some(0x2F)),
            ("=2Fa", Some(0x2F)),
            ("=FF", Some(0xFF)),
            ("=2", None),
            ("=+2", None),
            ("=2g", None),
        ] {
            assert_eq!(hex_escape(&window(text), 0, b"="), expected, "{text}");
        }
        for (text, expected) in [
            ("\\x2f", Some((b'/', 4))),
            ("\\x7F", Some((0x7F, 4))),
            ("\\x80", None),
            ("\\u002f", Some((b'/', 6))),
            ("&sol;", Some((b'/', 5))),
            ("&lt;", None),
            ("&#x80;", None),
            ("/", None),
        ] {
            assert_eq!(ascii_at(&window(text), 0), expected, "{text}");
        }
    }
}
