//! UTF-16 (RFC 2781) and UTF-32: two or four bytes for each character.

use memchr::memchr;

use crate::archive::source_map::Decoded;

/// The length of a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeUnit {
    Two = 2,
    Four = 4,
}

impl CodeUnit {
    /// The length of the code unit in bytes.
    pub(crate) fn len(self) -> usize {
        self as usize
    }
}

/// The byte order of a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Big,
    Little,
}

/// Decodes text in the byte order of its label, if that has one; a byte order mark
/// overrides it.
///
/// Text without a NUL byte does not contain ASCII characters in units of this size, so its label is
/// wrong, or it contains no URL. In either case, this returns `None`, and the text is searched
/// verbatim.
pub(super) fn decode(bytes: &[u8], unit: CodeUnit, order: Option<Order>) -> Option<Decoded> {
    memchr(0, bytes)?;
    let mark = mark(bytes).filter(|&(marked, _)| marked == unit).map(|(_, order)| order);
    let start = if mark.is_some() { unit.len() } else { 0 };
    // RFC 2781 §4.3: text without a label or mark "SHOULD be interpreted as being big-endian"; but if more units end in a
    // zero than begin with one, it is little-endian.
    let zeros = |nth: usize| bytes.chunks_exact(unit.len()).filter(|unit| unit[nth] == 0).count();
    let likely = || if zeros(unit.len() - 1) > zeros(0) { Order::Little } else { Order::Big };
    let order = mark.or(order).unwrap_or_else(likely);
    Some(text(bytes, start, unit, order))
}

/// The encoding of text by its byte order mark, which is one code unit. A UTF-16 mark before a NUL
/// character is a UTF-32 mark.
pub(crate) fn mark(bytes: &[u8]) -> Option<(CodeUnit, Order)> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] => Some((CodeUnit::Four, Order::Little)),
        [0, 0, 0xFE, 0xFF, ..] => Some((CodeUnit::Four, Order::Big)),
        [0xFF, 0xFE, ..] => Some((CodeUnit::Two, Order::Little)),
        [0xFE, 0xFF, ..] => Some((CodeUnit::Two, Order::Big)),
        _ => None,
    }
}

/// The byte order of `bytes` in UTF-16 without a mark, if all of them may be ASCII characters:
/// printable ones and line breaks.
pub(crate) fn order_of_ascii(bytes: &[u8]) -> Option<Order> {
    let is_text = |b: u8| matches!(b, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let all = |high: usize| {
        bytes.chunks(2).all(|unit| {
            unit.get(high).is_none_or(|&b| b == 0) && unit.get(1 - high).is_none_or(|&b| is_text(b))
        })
    };
    if all(1) { Some(Order::Little) } else { all(0).then_some(Order::Big) }
}

/// The characters of text without a mark, each with the length of its encoding. An invalid sequence
/// becomes a replacement character.
pub(crate) fn characters(bytes: &[u8], unit: CodeUnit, order: Order) -> impl Iterator<Item = (char, usize)> {
    let (pairs, fours) = match unit {
        CodeUnit::Two => (bytes, &[][..]),
        CodeUnit::Four => (&[][..], bytes),
    };
    let rest = bytes.len() % unit.len();
    let incomplete = (rest > 0).then_some((char::REPLACEMENT_CHARACTER, rest));
    let units = pairs.as_chunks().0.iter().map(move |&pair| match order {
        Order::Big => u16::from_be_bytes(pair),
        Order::Little => u16::from_le_bytes(pair),
    });
    let two = char::decode_utf16(units);
    let two = two.map(|c| c.map_or((char::REPLACEMENT_CHARACTER, 2), |c| (c, 2 * c.len_utf16())));
    let codes = fours.as_chunks().0.iter().map(move |&four| match order {
        Order::Big => u32::from_be_bytes(four),
        Order::Little => u32::from_le_bytes(four),
    });
    let four = codes.map(|code| (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 4));
    two.chain(four).chain(incomplete)
}

/// The text that `bytes` encode from `start` on.
pub(crate) fn text(bytes: &[u8], start: usize, unit: CodeUnit, order: Order) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = start;
    for (character, len) in characters(&bytes[start..], unit, order) {
        decoded.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at..at + len);
        at += len;
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8], unit: CodeUnit, order: Option<Order>) -> String {
        String::from_utf8(decode(bytes, unit, order).unwrap().bytes).unwrap()
    }

    #[test]
    fn both_orders() {
        assert_eq!(text(b"\0h\0:\x65\xE5", CodeUnit::Two, Some(Order::Big)), "h:日");
        assert_eq!(text(b"h\0:\0\xE5\x65", CodeUnit::Two, Some(Order::Little)), "h:日");
        assert_eq!(text(b"\0\0\0h\0\x01\xF6\0", CodeUnit::Four, Some(Order::Big)), "h😀");
        assert_eq!(text(b"h\0\0\0\0\xF6\x01\0", CodeUnit::Four, Some(Order::Little)), "h😀");
    }

    #[test]
    fn a_mark_overrides_the_label_and_is_not_text() {
        assert_eq!(text(b"\xFF\xFEh\0", CodeUnit::Two, Some(Order::Big)), "h");
        assert_eq!(text(b"\xFE\xFF\0h", CodeUnit::Two, Some(Order::Little)), "h");
        assert_eq!(text(b"\xFF\xFE\0\0h\0\0\0", CodeUnit::Four, None), "h");
        assert_eq!(text(b"\0\0\xFE\xFF\0\0\0h", CodeUnit::Four, None), "h");
    }

    #[test]
    fn without_a_mark_the_zeros_decide() {
        assert_eq!(text(b"\0h\0i", CodeUnit::Two, None), "hi");
        assert_eq!(text(b"h\0i\0", CodeUnit::Two, None), "hi");
        assert_eq!(text(b"h\0\0\0", CodeUnit::Four, None), "h");
        assert_eq!(text(b"\0\0\0h", CodeUnit::Four, None), "h");
    }

    #[test]
    fn text_with_a_wrong_label() {
        assert!(decode(b"http://h.org/", CodeUnit::Two, None).is_none());
    }

    #[test]
    fn damage_costs_itself_only() {
        assert_eq!(
            text(b"\0a\xD8\0\0b\xDC\0\0c\0", CodeUnit::Two, Some(Order::Big)),
            "a\u{FFFD}b\u{FFFD}c\u{FFFD}"
        );
        assert_eq!(
            text(b"\0\0\0a\0\x11\0\0\0\0\0b\0\0", CodeUnit::Four, Some(Order::Big)),
            "a\u{FFFD}b\u{FFFD}"
        );
    }

    #[test]
    fn characters_know_where_they_came_from() {
        // The byte order mark, a letter, a surrogate pair, a letter.
        let decoded = decode(b"\xFE\xFF\0a\xD8\x3D\xDE\0\0b", CodeUnit::Two, None).unwrap();
        assert_eq!(decoded.bytes, "a😀b".as_bytes());
        assert_eq!(decoded.map.sources(0..1), [2..4]);
        assert_eq!(decoded.map.sources(1..5), [4..8]);
        assert_eq!(decoded.map.sources(5..6), [8..10]);
    }
}
