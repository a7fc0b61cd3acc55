//! UTF-7 (RFC 2152): `+`, UTF-16 in base64, and a `-` or any other byte that is not
//! base64.
//!
//! A `+` that is not followed by whole characters is copied: text with this label has
//! `?q=a+b` too.

use memchr::memchr_iter;

use crate::archive::decode::transfer::sextet;
use crate::archive::source_map::Decoded;

/// Decodes UTF-7; `None` if nothing in it is encoded.
pub(super) fn decode(bytes: &[u8]) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    let mut from = 0;
    let mut seen = 0;
    for plus in memchr_iter(b'+', bytes) {
        // A plus is a character of base64 too.
        if plus < seen {
            continue;
        }
        let len = bytes[plus + 1..].iter().take_while(|&&b| sextet(b).is_some()).count();
        let minus = bytes.get(plus + 1 + len) == Some(&b'-');
        let text = match len {
            0 if minus => Some("+".to_owned()),
            _ => characters(&bytes[plus + 1..plus + 1 + len]),
        };
        let end = plus + 1 + len + usize::from(minus);
        seen = end;
        if let Some(text) = text {
            decoded.copy(bytes, from..plus);
            decoded.put(text.as_bytes(), plus..end);
            from = end;
        }
    }
    decoded.copy(bytes, from..bytes.len());
    (from > 0).then_some(decoded)
}

/// The characters that a run of base64 encodes: at least one, and no bits left over
/// except a few zeros.
fn characters(run: &[u8]) -> Option<String> {
    let mut units = Vec::new();
    let mut bits = 0_u32;
    let mut held = 0;
    for sextet in run.iter().filter_map(|&b| sextet(b)) {
        bits = bits << 6 | u32::from(sextet);
        held += 6;
        if held >= 16 {
            held -= 16;
            units.push((bits >> held) as u16);
            bits &= (1 << held) - 1;
        }
    }
    let whole = !units.is_empty() && held < 6 && bits == 0;
    whole.then(|| String::from_utf16(&units).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Option<String> {
        decode(source.as_bytes()).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
    }

    #[test]
    fn the_examples_of_the_rfc() {
        assert_eq!(text("A+ImIDkQ.").as_deref(), Some("A\u{2262}\u{391}."));
        assert_eq!(text("Hi Mom -+Jjo--!").as_deref(), Some("Hi Mom -\u{263A}-!"));
        assert_eq!(text("+ZeVnLIqe-").as_deref(), Some("日本語"));
        assert_eq!(text("Item 3 is +AKM-1.").as_deref(), Some("Item 3 is £1."));
    }

    #[test]
    fn a_plus() {
        assert_eq!(text("http://h.org/?q=a+-b").as_deref(), Some("http://h.org/?q=a+b"));
    }

    #[test]
    fn other_plus_signs_are_copied() {
        assert_eq!(text("http://h.org/?q=a+b"), None);
        assert_eq!(text("1 + 1 +"), None);
        assert_eq!(text("a +AH4 b +AH- c +AH5- d").as_deref(), Some("a ~ b +AH- c +AH5- d"));
        // Half of a pair of surrogates.
        assert_eq!(text("+2D0-"), None);
    }

    #[test]
    fn a_shift_knows_where_it_came_from() {
        let decoded = decode(b"h.org/+AH4-a").unwrap();
        assert_eq!(decoded.bytes, b"h.org/~a");
        assert_eq!(decoded.map.sources(6..7), [6..11]);
        assert_eq!(decoded.map.sources(7..8), [11..12]);
    }
}
