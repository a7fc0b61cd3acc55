//! The syntax of PDF (ISO 32000-1 §7.2, §7.3), which can be read from any place of a file on.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};

/// The greatest length of a link's string in the file, in bytes.
pub(super) const MAX_STRING: usize = 16 * 1024;

/// A part of an object. A string is not decoded.
pub(super) enum PdfToken<'b> {
    OpenDictionary,
    CloseDictionary,
    OpenArray,
    CloseArray,
    /// A name with its solidus.
    Name(&'b [u8]),
    /// A number or a keyword.
    Word(&'b [u8]),
    Other,
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// Returns true if a name or a keyword may contain the byte.
pub(super) fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

/// Returns the end of the white space and comments at `at`.
pub(super) fn after_blanks(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        at += bytes[at..].iter().take_while(|b| is_space(**b)).count();
        if bytes.get(at) != Some(&b'%') {
            return at;
        }
        at = memchr2(b'\r', b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
    }
}

/// Returns the end of the name whose solidus is at `at`, if it is `name`. Any letter of it may be written as `#55`.
pub(super) fn end_of_name(bytes: &[u8], at: usize, name: &[u8]) -> Option<usize> {
    let mut at = at + 1;
    for letter in name {
        at += match *bytes.get(at)? {
            byte if byte == *letter => 1,
            b'#' => {
                let digits = str::from_utf8(bytes.get(at + 1..at + 3)?).ok()?;
                (u8::from_str_radix(digits, 16) == Ok(*letter)).then_some(3)?
            }
            _ => return None,
        };
    }
    bytes.get(at).is_none_or(|b| !is_regular(*b)).then_some(at)
}

/// Returns the next token and its end; `None` after the last, and if a string has no end.
pub(super) fn token(bytes: &[u8], at: usize) -> Option<(PdfToken<'_>, usize)> {
    let at = after_blanks(bytes, at);
    let regular = |from: usize| from + bytes[from..].iter().take_while(|b| is_regular(**b)).count();
    Some(match bytes[at..] {
        [b'<', b'<', ..] => (PdfToken::OpenDictionary, at + 2),
        [b'<', ..] => (PdfToken::Other, memchr(b'>', &bytes[at..]).map(|n| at + n + 1)?),
        [b'>', b'>', ..] => (PdfToken::CloseDictionary, at + 2),
        [b'[', ..] => (PdfToken::OpenArray, at + 1),
        [b']', ..] => (PdfToken::CloseArray, at + 1),
        [b'(', ..] => (PdfToken::Other, end_of_literal(bytes, at)?),
        [b'/', ..] => {
            let end = regular(at + 1);
            (PdfToken::Name(&bytes[at..end]), end)
        }
        [byte, ..] if is_regular(byte) => {
            let end = regular(at + 1);
            (PdfToken::Word(&bytes[at..end]), end)
        }
        [_, ..] => (PdfToken::Other, at + 1),
        [] => return None,
    })
}

/// Returns the end of the string in the round brackets that open at `open`, if they are balanced.
fn end_of_literal(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0, open);
    loop {
        at += memchr3(b'(', b')', b'\\', bytes.get(at..)?)?;
        match bytes[at] {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => at += 1,
        }
        at += 1;
    }
}

/// Returns the number of the object that a reference at `at` refers to, `12 0 R`, and how far that was read.
pub(super) fn reference(bytes: &[u8], at: usize) -> (Option<u32>, usize) {
    let word = |at: usize| {
        let start = after_blanks(bytes, at);
        let len = bytes[start..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        (str::from_utf8(&bytes[start..start + len]).unwrap_or(""), start + len)
    };
    let (number, end) = word(at);
    let Ok(number) = number.parse::<u32>() else { return (None, end) };
    let (generation, end) = word(end);
    if generation.parse::<u32>().is_err() {
        return (None, end);
    }
    let (keyword, end) = word(end);
    ((keyword == "R").then_some(number), end)
}

/// A string (§7.3.4).
pub(super) struct PdfString {
    /// Each byte, and the range that encodes it.
    pub(super) bytes: Vec<(u8, Range<usize>)>,
    /// The number of bytes that were read to find the end.
    pub(super) read: usize,
    /// True if the end was found.
    pub(super) is_whole: bool,
}

/// Returns the string at `at`.
pub(super) fn string(bytes: &[u8], at: usize) -> Option<PdfString> {
    match bytes.get(at)? {
        b'(' => Some(literal(bytes, at)),
        b'<' if bytes.get(at + 1) != Some(&b'<') => Some(hexadecimal(bytes, at)),
        _ => None,
    }
}

/// Returns the string in the round brackets that open at `open`. If they are not balanced, the
/// first closing bracket ends it.
fn literal(bytes: &[u8], open: usize) -> PdfString {
    let limit = bytes.len().min(open + MAX_STRING);
    let (mut string, mut depth, mut first, mut at) = (Vec::new(), 1, None, open + 1);
    while at < limit {
        let (byte, len) = match bytes[at] {
            b'\\' => escape(&bytes[at..limit]),
            b'(' => {
                depth += 1;
                (Some(b'('), 1)
            }
            b')' => {
                depth -= 1;
                first = first.or(Some(string.len()));
                if depth == 0 {
                    return PdfString { bytes: string, read: at + 1, is_whole: true };
                }
                (Some(b')'), 1)
            }
            b'\r' | b'\n' => (None, 1),
            byte => (Some(byte), 1),
        };
        string.extend(byte.map(|byte| (byte, at..at + len)));
        at += len;
    }
    string.truncate(first.unwrap_or(0));
    PdfString { bytes: string, read: limit, is_whole: false }
}

/// Returns the meaning of the backslash that `bytes` begin with, and its length with the characters after it.
fn escape(bytes: &[u8]) -> (Option<u8>, usize) {
    let digits = bytes[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
    match bytes.get(1) {
        Some(b'0'..=b'7') => {
            let octal = bytes[1..=digits].iter().fold(0_u16, |octal, b| octal * 8 + u16::from(b - b'0'));
            (Some(octal as u8), 1 + digits)
        }
        Some(b'\r') if bytes.get(2) == Some(&b'\n') => (None, 3),
        // Tabs and line breaks are not part of a URL.
        Some(b'n' | b'r' | b't' | b'b' | b'f' | b'\r' | b'\n') => (None, 2),
        Some(&byte) => (Some(byte), 2),
        None => (None, 1),
    }
}

/// Returns the string of hexadecimal digits in the angle brackets that open at `open`.
fn hexadecimal(bytes: &[u8], open: usize) -> PdfString {
    let limit = bytes.len().min(open + MAX_STRING);
    let (mut string, mut high, mut at) = (Vec::new(), None, open + 1);
    while at < limit && bytes[at] != b'>' {
        let digit = char::from(bytes[at]).to_digit(16);
        if let Some(digit) = digit {
            match high.take() {
                None => high = Some((digit, at)),
                Some((first, start)) => string.push(((first << 4 | digit) as u8, start..at + 1)),
            }
        }
        at += 1;
    }
    if let Some((digit, start)) = high {
        string.push(((digit << 4) as u8, start..at));
    }
    PdfString { bytes: string, read: (at + 1).min(limit), is_whole: at < limit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let end = |name: &[u8]| end_of_name(name, 0, b"URI");
        assert_eq!([end(b"/URI"), end(b"/URI(x"), end(b"/U#52I\0x")], [Some(4), Some(4), Some(6)]);
        assert_eq!(end(b"/#55#52#49<"), Some(10));
        for other in [&b"/URIs"[..], b"/UR", b"/U#5", b"/U#53I", b"/U#zzI", b"/URI#20", b"/uri "] {
            assert_eq!(end(other), None, "{}", other.escape_ascii());
        }
    }

    #[test]
    fn blanks_and_comments() {
        let blanks = b"\0\t\x0C %(/URI\r\n% \n %\rx";
        assert_eq!(after_blanks(blanks, 0), blanks.len() - 1);
        assert_eq!(after_blanks(b"%x", 0), 2);
    }

    #[test]
    fn references() {
        assert_eq!(reference(b" 12%c\n0\0R>>", 0), (Some(12), 9));
        for other in [&b"12 0 obj"[..], b"12 0", b"12 /0 R", b"-1 0 R", b"12 0 Rx", b"(12) 0 R", b"12(0 R"] {
            assert_eq!(reference(other, 0).0, None, "{}", other.escape_ascii());
        }
    }

    #[test]
    fn tokens() {
        let object = b"<</A(\\)())[/B#20<3E>null]%>>\n>>stream";
        let (mut at, mut shown) = (0, String::new());
        while let Some((token, end)) = token(object, at) {
            shown += match token {
                PdfToken::OpenDictionary => "<<",
                PdfToken::CloseDictionary => ">>",
                PdfToken::OpenArray => "[",
                PdfToken::CloseArray => "]",
                PdfToken::Name(word) | PdfToken::Word(word) => str::from_utf8(word).unwrap(),
                PdfToken::Other => "?",
            };
            at = end;
        }
        assert_eq!(shown, "<</A?[/B#20?null]>>stream");
        assert!(token(b"(()", 0).is_none() && token(b"<3E", 0).is_none());
    }

    /// ISO 32000-1 table 3; a tab or a line break is not part of a URL.
    #[test]
    fn escapes() {
        for (text, meaning, len) in [
            ("\\n", None, 2),
            ("\\r", None, 2),
            ("\\t", None, 2),
            ("\\b", None, 2),
            ("\\f", None, 2),
            ("\\\n\n", None, 2),
            ("\\\r\r", None, 2),
            ("\\\r\n", None, 3),
            ("\\(", Some(b'('), 2),
            ("\\)", Some(b')'), 2),
            ("\\\\", Some(b'\\'), 2),
            ("\\x", Some(b'x'), 2),
            ("\\", None, 1),
            ("\\72", Some(b':'), 3),
            ("\\7x", Some(7), 2),
            ("\\0722", Some(b':'), 4),
            ("\\472", Some(b':'), 4),
            ("\\8", Some(b'8'), 2),
            ("\\79", Some(7), 2),
        ] {
            assert_eq!(escape(text.as_bytes()), (meaning, len), "{text:?}");
        }
    }
}
