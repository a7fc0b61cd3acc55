//! The references of XML (§4.1 and §4.6 of XML 1.0): five names, and numbers.
//!
//! A URL with `&` is written with `&amp;` in XML, in a text, in the value of an attribute, and
//! mostly in a CDATA section too, which has HTML then. Tags remain: they delimit URLs.

use memchr::memchr;

use crate::archive::source_map::Decoded;

/// The greatest length of a reference without its `&`: `#x10FFFF;`, and some zeros.
const MAX_REFERENCE_LEN: usize = 12;

/// Replaces references by their characters; `None` if there are none.
pub(crate) fn dereference(source: &[u8]) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    let (mut from, mut at) = (0, 0);
    while let Some(mark) = memchr(b'&', &source[at..]).map(|n| at + n) {
        at = mark + 1;
        let after = &source[at..source.len().min(at + MAX_REFERENCE_LEN)];
        let Some(end) = memchr(b';', after) else { continue };
        let Some(character) = character(&after[..end]) else { continue };
        at += end + 1;
        decoded.copy(source, from..mark);
        decoded.put(character.encode_utf8(&mut [0; 4]).as_bytes(), mark..at);
        from = at;
    }
    if from == 0 {
        return None;
    }
    decoded.copy(source, from..source.len());
    Some(decoded)
}

/// The character of this name or number.
fn character(name: &[u8]) -> Option<char> {
    match name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        [b'#', b'x', digits @ ..] => number(digits, 16),
        [b'#', digits @ ..] => number(digits, 10),
        _ => None,
    }
}

fn number(digits: &[u8], base: u32) -> Option<char> {
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u32::from_str_radix(digits, base).ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let source =
            b"a&amp;b &lt;&gt;&quot;&apos; &#65;&#x42;&#x000043; &amp &b; &#; &#x110000; &#+6; &amp;amp;";
        let decoded = dereference(source).unwrap();
        assert_eq!(decoded.bytes, b"a&b <>\"' ABC &amp &b; &#; &#x110000; &#+6; &amp;".to_vec());
        assert_eq!([decoded.map.sources(1..2), decoded.map.sources(0..3)], [[1..6], [0..7]]);
        assert!(dereference(b"a & b &c; &").is_none());
    }
}
