//! Writes the values of fields.

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use urlgrep::table::{Counted, Value};

use crate::escape;
use crate::sheet::{Sheet, write_number};
use crate::spelling::Spelling;

/// Writes a value as JSON.
#[inline]
pub fn write_json(sheet: &mut Sheet, value: Value<'_>, spelling: Spelling) {
    let out = &mut sheet.text;
    match value {
        Value::Number(number) => write_number(out, number),
        Value::Counted(counted, number) => sheet.number(counted, number),
        Value::Name(name) => write_name(out, name),
        Value::Url(url) => write_string(out, &spelling.of(&url)),
        Value::Text(text) => write_string(out, &spelling.of_bytes(&text)),
        Value::Ranges(ranges) if ranges.is_empty() => out.extend_from_slice(b"[]"),
        Value::Ranges(ranges) => {
            out.extend_from_slice(b"[[");
            write_ranges(sheet, &ranges, b',', b"],[");
            sheet.text.extend_from_slice(b"]]");
        }
        Value::Names(names) => write_list(out, &names, |out, name| write_name(out, name)),
        Value::Urls(urls) => write_list(out, &urls, |out, url| write_string(out, &spelling.of(url))),
        Value::Texts(texts) => {
            write_list(out, &texts, |out, text| write_string(out, &spelling.of_bytes(text)))
        }
        _ => out.extend_from_slice(b"null"),
    }
}

/// Writes a value as text; `write` writes values other than numbers and names.
#[inline]
pub fn write_text(
    sheet: &mut Sheet,
    value: &Value<'_>,
    spelling: Spelling,
    write: impl Fn(&mut Vec<u8>, &[u8]),
) {
    match value {
        Value::Counted(counted, number) => sheet.number(*counted, *number),
        Value::Number(number) => write_number(&mut sheet.text, *number),
        Value::Null => {}
        Value::Name(name) => sheet.text.extend_from_slice(name.as_bytes()),
        Value::Ranges(ranges) => write_ranges(sheet, ranges, b'-', b" "),
        Value::Url(url) => write(&mut sheet.text, &spelling.of(url)),
        Value::Text(text) => write(&mut sheet.text, &spelling.of_bytes(text)),
        Value::Urls(urls) if urls.is_empty() => {}
        Value::Urls(urls) => {
            let urls: Vec<Cow<'_, [u8]>> = urls.iter().map(|url| spelling.of(url)).collect();
            write(&mut sheet.text, &urls.join(&b' '));
        }
        Value::Names(names) if names.is_empty() => {}
        value => write(&mut sheet.text, &spelling.of_bytes(&value.to_text())),
    }
}

/// Writes ranges with a mark within each, and a text between two of them.
fn write_ranges(sheet: &mut Sheet, ranges: &[Range<u64>], within: u8, between: &[u8]) {
    for (n, range) in ranges.iter().enumerate() {
        if n > 0 {
            sheet.text.extend_from_slice(between);
        }
        sheet.number(Counted::Offset, range.start);
        sheet.text.push(within);
        sheet.number(Counted::Offset, range.end);
    }
}

/// Writes a name that JSON does not escape.
fn write_name(out: &mut Vec<u8>, name: &str) {
    debug_assert_eq!(verbatim_len(name.as_bytes()), name.len());
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.push(b'"');
}

/// Writes a list as JSON.
pub fn write_list<T>(out: &mut Vec<u8>, list: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    out.push(b'[');
    for (n, item) in list.iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
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
    let Ok(mut rest) = str::from_utf8(&text[len..]) else {
        out.extend_from_slice(b"{\"bytes\":\"");
        out.extend_from_slice(STANDARD.encode(text).as_bytes());
        return out.extend_from_slice(b"\"}");
    };
    out.push(b'"');
    out.extend_from_slice(&text[..len]);
    loop {
        let (verbatim, after) = rest.split_at(verbatim_len(rest.as_bytes()));
        out.extend_from_slice(verbatim.as_bytes());
        let mut chars = after.chars();
        let Some(char) = chars.next() else { break };
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
    out.push(b'"');
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
    let is_special = |byte: u8| !(b' '..=b'~').contains(&byte) | (byte == b'"') | (byte == b'\\');
    match has_any(text, is_special) {
        true => text.iter().take_while(|&&byte| !is_special(byte)).count(),
        false => text.len(),
    }
}

/// Returns true if a byte of a text is special. The function has no branch, so that the bytes of a
/// block are compared at once.
pub(crate) fn has_any(text: &[u8], is_special: impl Fn(u8) -> bool) -> bool {
    const AT_ONCE: usize = 16;
    let any = |block: &[u8]| block.iter().fold(false, |any, &byte| any | is_special(byte));
    match text.last_chunk::<AT_ONCE>() {
        // The last block overlaps the one before it.
        Some(last) => text.as_chunks::<AT_ONCE>().0.iter().any(|block| any(block)) || any(last),
        None => any(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(value: &Value<'_>) -> String {
        let mut out = Sheet::default();
        write_json(&mut out, value.clone(), Spelling::default());
        String::from_utf8(out.text).unwrap()
    }

    #[test]
    fn values() {
        let urls = Value::Urls(vec![b"x"[..].into(), b"\xff\xfe"[..].into()]);
        for (value, in_json, as_text) in [
            (Value::Null, "null", &b""[..]),
            (Value::Number(0), "0", b"0"),
            (Value::Number(10), "10", b"10"),
            (Value::Number(u64::MAX), "18446744073709551615", b"18446744073709551615"),
            (Value::Text(b"a b"[..].into()), "\"a b\"", b"a b"),
            (Value::Name("a"), "\"a\"", b"a"),
            (Value::Names(vec!["a", "b"]), "[\"a\",\"b\"]", b"a b"),
            (Value::Ranges(Cow::Borrowed(&[11..12, 14..41])), "[[11,12],[14,41]]", b"11-12 14-41"),
            (Value::Ranges(Cow::Borrowed(&[])), "[]", b""),
            (urls, r#"["x",{"bytes":"//4="}]"#, b"x \xff\xfe"),
            (Value::Texts(vec![b"a b"[..].into(), b"c"[..].into()]), r#"["a b","c"]"#, b"a b c"),
        ] {
            assert_eq!(json(&value), in_json);
            let mut text = Sheet::default();
            write_text(&mut text, &value, Spelling::default(), |out, text| out.extend_from_slice(text));
            assert_eq!(text.text, as_text);
        }
    }

    #[test]
    fn passwords_are_hidden_in_all_texts() {
        let spelling = Spelling { redact: true, ..Spelling::default() };
        let url = || Cow::Borrowed(&b"ftp://me:secret@h.org/"[..]);
        for value in
            [Value::Url(url()), Value::Text(url()), Value::Urls(vec![url()]), Value::Texts(vec![url()])]
        {
            let mut text = Sheet::default();
            write_text(&mut text, &value, spelling, |out, text| out.extend_from_slice(text));
            write_json(&mut text, value.clone(), spelling);
            assert!(!String::from_utf8(text.text).unwrap().contains("secret"), "{value:?}");
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

    /// The first byte that JSON escapes, anywhere in blocks of 16 bytes and after them.
    #[test]
    fn lengths_of_verbatim_text() {
        for len in 0..40 {
            let plain = "a".repeat(len);
            assert_eq!(verbatim_len(plain.as_bytes()), len);
            for special in ["\"", "\\", "\u{1f}", "\u{7f}", "\u{e9}", "\n"] {
                for after in ["", "b", "\"", &"b".repeat(20)] {
                    let text = format!("{plain}{special}{after}");
                    assert_eq!(verbatim_len(text.as_bytes()), len, "{text:?}");
                }
            }
            assert_eq!(verbatim_len(format!("{plain} ~!").as_bytes()), len + 3);
        }
    }

    #[test]
    fn characters_of_strings() {
        for (text, expected) in [
            ("\"", r#""\"""#),
            ("\\", r#""\\""#),
            ("\u{8}\t\n\u{c}\r", r#""\b\t\n\f\r""#),
            ("\0", r#""\u0000""#),
            ("\u{7f}", r#""\u007f""#),
            ("\u{85}", r#""\u0085""#),
            ("\u{202e}", r#""\u202e""#),
            ("\u{e0001}", r#""\udb40\udc01""#),
            ("\u{e9}\u{1F600}/", "\"\u{e9}\u{1F600}/\""),
        ] {
            let mut out = Vec::new();
            write_string(&mut out, text.as_bytes());
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
