//! The value of a field, written as JSON or as text.

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::super::number::write_number;
use super::super::sheet::{Counted, Sheet};
use crate::escape;

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    Null,
    Number(u64),
    /// A number that counts from the start of a file.
    Counted(Counted, u64),
    /// A name that JSON does not escape.
    Name(&'static str),
    Text(Cow<'v, [u8]>),
    /// Ranges after an offset.
    Ranges(u64, &'v [Range<u64>]),
    List(Vec<Cow<'v, [u8]>>),
}

impl<'v> Value<'v> {
    /// A text, or null.
    pub fn text(text: Option<impl Into<Cow<'v, str>>>) -> Value<'v> {
        text.map_or(Value::Null, |text| match text.into() {
            Cow::Borrowed(text) => Value::Text(text.as_bytes().into()),
            Cow::Owned(text) => Value::Text(text.into_bytes().into()),
        })
    }

    /// A number, or null.
    pub fn number(number: Option<impl Into<u64>>) -> Value<'v> {
        number.map_or(Value::Null, |number| Value::Number(number.into()))
    }

    /// Writes the value as JSON.
    pub fn print_json(&self, out: &mut Sheet) {
        match *self {
            Value::Counted(counted, number) => out.number(counted, number),
            _ => self.write_json(&mut out.text),
        }
    }

    /// The same where nothing is counted from the start of a file.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Value::Null => out.extend_from_slice(b"null"),
            Value::Number(number) | Value::Counted(_, number) => write_number(out, *number),
            Value::Name(name) => {
                out.push(b'"');
                out.extend_from_slice(name.as_bytes());
                out.push(b'"');
            }
            Value::Text(text) => write_string(out, text),
            Value::Ranges(base, ranges) => write_list(out, ranges, |out, range| {
                let range = [base + range.start, base + range.end];
                write_list(out, &range, |out, number| write_number(out, *number));
            }),
            Value::List(list) => write_list(out, list, |out, text| write_string(out, text)),
        }
    }

    /// Writes the value as text. Null is empty, a range is `4-31`, and the values of a list are
    /// separated by spaces.
    pub fn write_text(&self, out: &mut Vec<u8>) {
        match self {
            Value::Null => {}
            Value::Number(number) | Value::Counted(_, number) => write_number(out, *number),
            Value::Name(name) => out.extend_from_slice(name.as_bytes()),
            Value::Text(text) => out.extend_from_slice(text),
            Value::Ranges(base, ranges) => write_separated(out, b' ', ranges, |out, range| {
                let range = [base + range.start, base + range.end];
                write_separated(out, b'-', &range, |out, number| write_number(out, *number));
            }),
            Value::List(list) => write_separated(out, b' ', list, |out, text| out.extend_from_slice(text)),
        }
    }
}

fn write_list<T>(out: &mut Vec<u8>, list: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    out.push(b'[');
    write_separated(out, b',', list, write);
    out.push(b']');
}

fn write_separated<T>(out: &mut Vec<u8>, separator: u8, list: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    for (n, item) in list.iter().enumerate() {
        if n > 0 {
            out.push(separator);
        }
        write(out, item);
    }
}

/// Writes bytes as a JSON string or, if they are not UTF-8, as the object `{"bytes": base64}`.
///
/// JSON escapes C0 controls. This also escapes the other characters that a terminal
/// executes or does not show.
pub fn write_string(out: &mut Vec<u8>, text: &[u8]) {
    let len = verbatim_len(text);
    if len == text.len() {
        out.push(b'"');
        out.extend_from_slice(text);
        out.push(b'"');
        return;
    }
    let Ok(rest) = str::from_utf8(&text[len..]) else {
        out.extend_from_slice(b"{\"bytes\":\"");
        out.extend_from_slice(STANDARD.encode(text).as_bytes());
        return out.extend_from_slice(b"\"}");
    };
    out.push(b'"');
    out.extend_from_slice(&text[..len]);
    write_escaped(out, rest);
    out.push(b'"');
}

/// Writes what is between the quotes of a string.
fn write_escaped(out: &mut Vec<u8>, mut rest: &str) {
    loop {
        let (verbatim, after) = rest.split_at(verbatim_len(rest.as_bytes()));
        out.extend_from_slice(verbatim.as_bytes());
        let mut chars = after.chars();
        let Some(char) = chars.next() else { return };
        rest = chars.as_str();
        let short = match char {
            '"' | '\\' => char,
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{c}' => 'f',
            '\r' => 'r',
            _ => {
                write_char(out, char);
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', short as u8]);
    }
}

/// Writes a character of a string, as an escape if a terminal executes it or does not show it.
pub fn write_char(out: &mut Vec<u8>, char: char) {
    if !escape::must_be_escaped(char) {
        return out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }
    for unit in char.encode_utf16(&mut [0; 2]) {
        out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
    }
}

/// The length of the visible ASCII that a text begins with and that JSON does not escape.
fn verbatim_len(text: &[u8]) -> usize {
    const BLOCK: usize = 16;
    let is_special = |byte: u8| !(b' '..=b'~').contains(&byte) | (byte == b'"') | (byte == b'\\');
    // No branch within a block, so that its bytes are compared at once.
    let any = |block: &[u8]| block.iter().fold(0, |any, &byte| any | u8::from(is_special(byte))) != 0;
    // The last block overlaps the one before it.
    if let Some(last) = text.last_chunk::<BLOCK>()
        && !text.chunks_exact(BLOCK).any(any)
        && !any(last)
    {
        return text.len();
    }
    let len = text.chunks_exact(BLOCK).take_while(|block| !any(block)).count() * BLOCK;
    len + text[len..].iter().take_while(|&&byte| !is_special(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(value: &Value<'_>) -> String {
        let mut out = Vec::new();
        value.write_json(&mut out);
        String::from_utf8(out).unwrap()
    }

    fn text(value: &Value<'_>) -> Vec<u8> {
        let mut out = Vec::new();
        value.write_text(&mut out);
        out
    }

    #[test]
    fn values() {
        let list = Value::List(vec![b"x"[..].into(), b"\xff\xfe"[..].into()]);
        for (value, in_json, as_text) in [
            (Value::Null, "null", &b""[..]),
            (Value::Number(0), "0", b"0"),
            (Value::Number(10), "10", b"10"),
            (Value::Number(u64::MAX), "18446744073709551615", b"18446744073709551615"),
            (Value::Text(b"a b"[..].into()), "\"a b\"", b"a b"),
            (Value::Name("a"), "\"a\"", b"a"),
            (Value::Ranges(10, &[1..2, 4..31]), "[[11,12],[14,41]]", b"11-12 14-41"),
            (Value::Ranges(0, &[]), "[]", b""),
            (list, r#"["x",{"bytes":"//4="}]"#, b"x \xff\xfe"),
        ] {
            assert_eq!(json(&value), in_json);
            assert_eq!(text(&value), as_text);
        }
    }

    #[test]
    fn no_control_character_is_left() {
        let value = "a\x1b\x7f\u{9b}b\u{fc}\u{202e}c\u{e0041}";
        let line = json(&Value::Text(value.as_bytes().into()));
        assert_eq!(line, "\"a\\u001b\\u007f\\u009bb\u{fc}\\u202ec\\udb40\\udc41\"");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), value);
    }

    /// Each ASCII character at each offset of a text that is longer than a block.
    #[test]
    fn strings_are_those_of_serde() {
        for char in ('\0'..='\x7e').chain(['\u{e9}', '\u{20ac}', '\u{1f600}']) {
            for at in 0..35 {
                let text = format!("{}{char}{}", "a".repeat(at), "b".repeat(35 - at));
                let written = json(&Value::Text(text.as_bytes().into()));
                assert_eq!(written, serde_json::to_string(&text).unwrap());
            }
        }
    }

    #[test]
    fn bytes_that_are_not_utf8() {
        let long = [&[b'a'; 40][..], b"\xff"].concat();
        let value = json(&Value::Text((&long[..]).into()));
        assert_eq!(value, format!("{{\"bytes\":\"{}\"}}", STANDARD.encode(&long)));
    }
}
