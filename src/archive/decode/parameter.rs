//! The parameters of a Content field (RFC 2045 §5.1), whole, in sections, or encoded (RFC 2231).

use std::borrow::Cow;
use std::iter;

use super::transfer::escape;

/// A parameter of a field.
pub(crate) struct Param<'m> {
    pub(crate) value: Cow<'m, [u8]>,
    /// The charset of the value, if it is encoded; otherwise empty.
    pub(crate) charset: Cow<'m, [u8]>,
}

/// The parameter `name` of a field, which may be in sections, or encoded.
pub(crate) fn param<'m>(field: &'m [u8], name: &[u8]) -> Option<Param<'m>> {
    let mut sections: Vec<Cow<'m, [u8]>> = Vec::new();
    let mut charset = Cow::default();
    for (key, value) in params(field) {
        if key.eq_ignore_ascii_case(name) {
            return Some(Param { value, charset: Cow::default() });
        }
        let Some(extended) = section(key, name, sections.len()) else { continue };
        if extended && sections.is_empty() {
            charset = Cow::Owned(value.split(|&b| b == b'\'').next().unwrap_or_default().to_vec());
        }
        sections.push(if extended { decode(&value, sections.is_empty()) } else { value });
    }
    (!sections.is_empty()).then(|| Param { value: Cow::Owned(sections.concat()), charset })
}

/// The token that `value` begins with, and the bytes after it and the whitespace that
/// follows.
pub(crate) fn token(value: &[u8]) -> (&[u8], &[u8]) {
    let value = value.trim_ascii_start();
    let special = |&b: &u8| {
        matches!(b, 0..=b' ' | b'(' | b')' | b'<' | b'>' | b'@' | b',' | b';' | b':' | b'\\' | b'"')
            || matches!(b, b'/' | b'[' | b']' | b'?' | b'=' | 0x7F..)
    };
    let (token, rest) = value.split_at(value.iter().position(special).unwrap_or(value.len()));
    (token, rest.trim_ascii_start())
}

/// The parameters of a Content-Type that are valid.
fn params(field: &[u8]) -> impl Iterator<Item = (&[u8], Cow<'_, [u8]>)> {
    let mut rest = field;
    iter::from_fn(move || {
        loop {
            let semicolon = memchr::memchr(b';', rest)?;
            let (key, after) = token(&rest[semicolon + 1..]);
            rest = after;
            let Some(value) = after.strip_prefix(b"=") else { continue };
            let value = match value.trim_ascii_start() {
                [b'"', quoted @ ..] => unquote(quoted),
                plain => until_end(plain),
            };
            rest = value.1;
            return Some((key, value.0));
        }
    })
}

/// The text before the closing quotation mark, and the bytes after it.
fn unquote(quoted: &[u8]) -> (Cow<'_, [u8]>, &[u8]) {
    let mut text = Vec::new();
    let mut at = 0;
    while let Some(&b) = quoted.get(at) {
        match b {
            b'"' => return (Cow::Owned(text), &quoted[at + 1..]),
            b'\r' | b'\n' => {}
            b'\\' => {
                at += 1;
                text.extend(quoted.get(at));
            }
            b => text.push(b),
        }
        at += 1;
    }
    // The closing mark is missing: the value ends as if there were no marks.
    until_end(quoted)
}

/// The text before whitespace or a semicolon, and the bytes after it.
///
/// The value may contain characters that require quotation marks, because these are often
/// forgotten.
fn until_end(plain: &[u8]) -> (Cow<'_, [u8]>, &[u8]) {
    let end = plain.iter().position(|&b| b == b';' || b.is_ascii_whitespace()).unwrap_or(plain.len());
    (Cow::Borrowed(&plain[..end]), &plain[end..])
}

/// Returns true if the section `number` of the parameter `name` is encoded (RFC 2231); `None` if
/// `key` is not its name.
fn section(key: &[u8], name: &[u8], number: usize) -> Option<bool> {
    let (head, tail) = key.split_at_checked(name.len())?;
    let tail = tail.strip_prefix(b"*").filter(|_| head.eq_ignore_ascii_case(name))?;
    let (digits, extended) = match tail.strip_suffix(b"*") {
        Some(digits) => (digits, true),
        None => (tail, tail.is_empty()),
    };
    let expected = number.to_string();
    (digits == expected.as_bytes() || (digits.is_empty() && number == 0)).then_some(extended)
}

/// An encoded section, decoded; the first begins with a charset and a language.
fn decode(value: &[u8], first: bool) -> Cow<'static, [u8]> {
    let text = if first { value.splitn(3, |&b| b == b'\'').last().unwrap_or_default() } else { value };
    Cow::Owned(without_percent(text))
}

/// A text whose bytes may be encoded with `%`.
pub(crate) fn without_percent(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        match (b == b'%').then(|| escape(&text[at..])).flatten() {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(b);
                at += 1;
            }
        }
    }
    decoded
}
