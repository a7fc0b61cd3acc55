//! Character classes (RFC 1738 section 5, "Miscellaneous definitions") and
//! escapes (section 2.2).
//!
//! The classes of both RFCs are unions of those in `bytes::class`.

use std::borrow::Cow;

pub(super) use crate::bytes::class::*;

/// RFC 1738: `unreserved = alpha | digit | safe | extra`, where
/// `safe = "$" | "-" | "_" | "." | "+"`.
const UNRESERVED: Class = ALPHADIGIT.or(DOLLAR).or(HYPHEN).or(UNDERSCORE).or(DOT).or(PLUS).or(EXTRA);

/// RFC 1738: `extra = "!" | "*" | "'" | "(" | ")" | ","`.
const EXTRA: Class = EXCLAMATION.or(ASTERISK).or(APOSTROPHE).or(PAREN).or(COMMA);

/// RFC 1738: `uchar = unreserved | escape`.
pub(super) const UCHAR: Class = UNRESERVED.or(ESCAPE);

/// RFC 1738: `xchar = unreserved | reserved | escape`.
pub(super) const XCHAR: Class =
    UCHAR.or(SEMICOLON).or(SLASH).or(QUESTION).or(COLON).or(AT).or(AMPERSAND).or(EQUALS);

/// RFC 3986: `unreserved / pct-encoded / sub-delims`, which are valid in every part.
pub(super) const REG_NAME: Class = UCHAR.or(TILDE).or(AMPERSAND).or(SEMICOLON).or(EQUALS);

/// RFC 3986: `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`.
pub(super) const PCHAR: Class = REG_NAME.or(COLON).or(AT);

/// The length of the longest prefix of `bytes` in `class`. An escape counts as a
/// whole: a `%` without two hex digits ends the prefix.
#[inline]
pub(super) fn run(bytes: &[u8], class: Class) -> usize {
    let plain = class.without(ESCAPE);
    let mut at = 0;
    loop {
        while at < bytes.len() && plain.has(bytes[at]) {
            at += 1;
        }
        if !class.has(b'%') || octet_of_escape(&bytes[at..]).is_none() {
            return at;
        }
        at += 3;
    }
}

/// The octet that the escape at the start of `bytes` encodes, if there is one.
#[inline]
pub(super) fn octet_of_escape(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = *bytes else {
        return None;
    };
    Some(hex_value(high)? << 4 | hex_value(low)?)
}

/// The value of a hex digit. RFC 1738 section 2.2: 'The characters "abcdef" may
/// also be used in hexadecimal encodings.'
fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// The offset of the first encoded carriage return or line feed.
pub(super) fn find_line_break(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(3)
        .position(|three| three[0] == b'%' && matches!(octet_of_escape(three), Some(b'\r' | b'\n')))
}

/// Decodes the escapes of a part of a URL (RFC 1738 section 2.2).
///
/// Each `%` with two hex digits becomes one octet. A `%` without them, which no
/// valid URL has, is kept. A part without escapes is borrowed; any other costs one
/// allocation. Decode parts and not whole URLs: "encoding a character reserved for a
/// particular scheme may change the semantics of a URL" (section 2.2).
///
/// ```
/// use urlgrep::grammar::decode;
///
/// assert_eq!(*decode("%2Fetc"), *b"/etc");
/// assert_eq!(*decode("caf%e9"), *b"caf\xe9");
/// assert_eq!(*decode("100%"), *b"100%");
/// ```
pub fn decode(part: &str) -> Cow<'_, [u8]> {
    decode_bytes(part.as_bytes())
}

/// The same for bytes that need not be UTF-8.
pub(crate) fn decode_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = bytes.iter().position(|&byte| byte == b'%') else {
        return Cow::Borrowed(bytes);
    };
    let mut octets = Vec::with_capacity(bytes.len());
    octets.extend_from_slice(&bytes[..first]);
    let mut rest = &bytes[first..];
    while let Some(&byte) = rest.first() {
        let (octet, width) = octet_of_escape(rest).map_or((byte, 1), |octet| (octet, 3));
        octets.push(octet);
        rest = &rest[width..];
    }
    Cow::Owned(octets)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(class: Class) -> String {
        (0..=255).filter(|&b| class.has(b)).map(char::from).collect()
    }

    #[test]
    fn classes_are_those_of_the_rfcs() {
        let alnum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let sorted = |extra: &str| {
            let mut all: Vec<char> = alnum.chars().chain(extra.chars()).collect();
            all.sort_unstable();
            all.into_iter().collect::<String>()
        };
        assert_eq!(members(UCHAR), sorted("$-_.+!*'(),%"));
        assert_eq!(members(XCHAR), sorted("$-_.+!*'(),%;/?:@&="));
        assert_eq!(members(SCHEME), sorted("+-."));
        assert_eq!(members(PCHAR), sorted("-._~%!$&'()*+,;=:@"));
        assert_eq!(members(HEX), "0123456789ABCDEFabcdef");
        assert_eq!(members(UNPRINTABLE).len(), 0x21 + 1);
    }

    #[test]
    fn no_class_admits_the_unsafe_characters() {
        for byte in *b"\"#<>[\\]^`{|} \x00\x7f\x80\xff" {
            assert!(!XCHAR.or(PCHAR).has(byte), "{byte:#x}");
        }
    }

    #[test]
    fn runs_take_escapes_whole() {
        assert_eq!(run(b"a%41b/c", UCHAR), 5);
        assert_eq!(run(b"a%4", UCHAR), 1);
        assert_eq!(run(b"a%4g", UCHAR), 1);
        assert_eq!(run(b"%%41", UCHAR), 0);
        assert_eq!(run(b"", UCHAR), 0);
        assert_eq!(run(b"1%31", DIGIT), 1);
    }

    #[test]
    fn decoding_keeps_what_is_not_an_escape() {
        assert!(matches!(decode("plain"), Cow::Borrowed(b"plain")));
        assert_eq!(*decode("%00%fF%7e"), *b"\0\xff~");
        assert_eq!(*decode("%%41%4"), *b"%A%4");
        assert_eq!(*decode("%+1%é1"), *"%+1%é1".as_bytes());
    }

    #[test]
    fn encoded_line_breaks_are_found_in_any_case() {
        assert_eq!(find_line_break(b"a%0Db"), Some(1));
        assert_eq!(find_line_break(b"a%%0a"), Some(2));
        assert_eq!(find_line_break(b"%0b%0"), None);
    }
}
