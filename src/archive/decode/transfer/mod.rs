//! Content-Transfer-Encoding: quoted-printable (RFC 2045 §6.7) and, in a module of
//! its own, base64 (§6.8), both tolerant of damage.
//!
//! The bytes between two `=` are copied. A `=` with two hexadecimal digits of either case
//! is a byte; a `=` with only blanks up to the end of its line or of the part is a soft
//! break, and is removed with the line end; any other is copied.

mod base64;

use memchr::memchr_iter;

use crate::archive::source_map::Decoded;

pub(crate) use base64::{base64, sextet};

/// Decodes quoted-printable text.
pub(crate) fn quoted_printable(source: &[u8]) -> Decoded {
    let mut decoded = Decoded::with_capacity(source.len());
    let mut from = 0;
    for mark in memchr_iter(b'=', source) {
        let byte = escape(&source[mark..]);
        let Some(len) = byte.map_or_else(|| soft_break(&source[mark..]), |_| Some(3)) else {
            continue;
        };
        decoded.copy(source, from..mark);
        decoded.put(byte.as_slice(), mark..mark + len);
        from = mark + len;
    }
    decoded.copy(source, from..source.len());
    decoded
}

/// The byte that the `=XX` at the beginning of `text` encodes.
pub(crate) fn escape(text: &[u8]) -> Option<u8> {
    let &[_, high, low, ..] = text else {
        return None;
    };
    let digit = |b: u8| char::from(b).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

/// The length of the soft break at the beginning of `text`: `=`, blanks, and a line end
/// or the end of the text. A line end is a line feed, carriage returns, or both.
fn soft_break(text: &[u8]) -> Option<usize> {
    let skip = |at: usize, set: &[u8]| at + text[at..].iter().take_while(|b| set.contains(b)).count();
    let blanks = skip(1, b" \t");
    let returns = skip(blanks, b"\r");
    let end = returns + usize::from(text.get(returns) == Some(&b'\n'));
    (end > blanks || end == text.len()).then_some(end)
}

#[cfg(test)]
mod tests {
    use memchr::memmem;
    use proptest::prelude::*;

    use super::*;

    fn quoted(source: &str) -> String {
        String::from_utf8(quoted_printable(source.as_bytes()).bytes).unwrap()
    }

    #[test]
    fn escapes() {
        assert_eq!(quoted("http://h.org/?a=3D1"), "http://h.org/?a=1");
        assert_eq!(quoted("=48=6f=6F"), "Hoo");
        assert_eq!(quoted_printable(b"caf=E9").bytes, b"caf\xE9");
    }

    #[test]
    fn an_escape_that_is_not_valid_is_copied() {
        assert_eq!(quoted("a == b =ZZ =3 =3Z ="), "a == b =ZZ =3 =3Z ");
        assert_eq!(quoted("a==3Db"), "a==b");
        assert_eq!(quoted("=3"), "=3");
    }

    #[test]
    fn soft_breaks() {
        assert_eq!(quoted("http://h.org/a=\n/b"), "http://h.org/a/b");
        assert_eq!(quoted("http://h.org/a=\r\n/b=\r\r\n/c=\r/d"), "http://h.org/a/b/c/d");
        assert_eq!(quoted("http://h.org/a= \t \n/b"), "http://h.org/a/b");
        assert_eq!(quoted("http://h.org/a="), "http://h.org/a");
        assert_eq!(quoted("http://h.org/a=  "), "http://h.org/a");
        assert_eq!(quoted("a = b"), "a = b");
    }

    #[test]
    fn other_line_ends_and_blanks_stay() {
        assert_eq!(quoted("a \nb\t\r\nc"), "a \nb\t\r\nc");
    }

    #[test]
    fn quoted_printable_knows_where_it_came_from() {
        let source = "see http=3A//h.o=\nrg/";
        let decoded = quoted_printable(source.as_bytes());
        assert_eq!(sources(source, &decoded, "http://h.org/"), ["http=3A//h.o", "rg/"]);
        assert_eq!(sources(source, &decoded, ":"), ["=3A"]);
    }

    /// The parts of `source` that encode `part` of the text.
    fn sources<'s>(source: &'s str, decoded: &Decoded, part: &str) -> Vec<&'s str> {
        let at = memmem::find(&decoded.bytes, part.as_bytes()).unwrap();
        decoded.map.sources(at..at + part.len()).into_iter().map(|range| &source[range]).collect()
    }

    proptest! {
        #[test]
        fn quoted_printable_there_and_back(text in prop::collection::vec(any::<u8>(), 0..300), soft in 1_usize..20) {
            let mut source = String::new();
            let mut offsets = Vec::new();
            for (n, &b) in text.iter().enumerate() {
                let plain = b.is_ascii_graphic() && b != b'=';
                offsets.push(source.len());
                source.push_str(&if plain { char::from(b).to_string() } else { format!("={b:02X}") });
                source.push_str(if n % soft == 0 { "=\r\n" } else { "" });
            }
            let decoded = quoted_printable(source.as_bytes());
            prop_assert_eq!(&decoded.bytes, &text);
            for (at, &offset) in offsets.iter().enumerate() {
                let len = if source.as_bytes()[offset] == b'=' { 3 } else { 1 };
                prop_assert_eq!(decoded.map.sources(at..at + 1), [offset..offset + len]);
            }
        }

        #[test]
        fn every_byte_has_its_source(source in "[A-Za-z0-9+/=:* \\-\r\n\\x00\u{e9}]{0,300}") {
            for decoded in [base64(source.as_bytes()), quoted_printable(source.as_bytes())] {
                let mut last = 0;
                for at in 0..decoded.bytes.len() {
                    for range in decoded.map.sources(at..at + 1) {
                        prop_assert!(last <= range.start && range.end <= source.len());
                        last = range.start;
                    }
                }
            }
        }
    }
}
