//! The classes of bytes that prose is read by.
//!
//! These are not the character classes of RFC 1738 §5, which `grammar` keeps;
//! they say what a byte does in a text around a URL.

/// Space and tab: whitespace inside a line.
pub(crate) const BLANK: u8 = 1;
/// Carriage return and line feed, each of which ends a line.
pub(crate) const BREAK: u8 = 1 << 1;
/// What a scheme is made of (RFC 1738 §2.1): letters, digits, `+`, `-`, `.`.
pub(crate) const SCHEME: u8 = 1 << 2;
/// What a host name is made of, `_` included because people use it.
pub(crate) const HOST: u8 = 1 << 3;
/// What may stand before the `@` of a login, `:` included.
pub(crate) const USER: u8 = 1 << 4;
/// What may stand before the `@` of a mail address or message identifier. A `#`
/// may in RFC 822, but in a URL a fragment would begin with it.
pub(crate) const LOCAL: u8 = 1 << 5;
/// What a bare URL runs through without a second look.
pub(crate) const PLAIN: u8 = 1 << 6;
/// What may stand between delimiters: no whitespace, no control, no `<`, `>`
/// or `"`.
pub(crate) const INSIDE: u8 = 1 << 7;

/// The single bytes that quote and comment marks are made of; `//` is the one
/// mark of two.
pub(crate) const MARKS: [u8; 8] = [b'>', b'|', b':', b'*', b';', b'#', b'%', b'/'];

/// Whether `b` is one of [`MARKS`].
pub(crate) const fn is_mark(b: u8) -> bool {
    matches!(b, b'>' | b'|' | b':' | b'*' | b';' | b'#' | b'%' | b'/')
}

/// What is of a class beside letters and digits.
const BESIDE_ALNUM: [(u8, &[u8]); 5] = [
    (SCHEME, b"+-."),
    (HOST, b"-._"),
    (USER, b"-._~!$&*+%;=,:"),
    (LOCAL, b"-._!$&*+%/=^~"),
    (PLAIN, b"-._~!$*+%/=:@#^"),
];

const fn classify(b: u8) -> u8 {
    let mut class = match b {
        b' ' | b'\t' => BLANK,
        b'\r' | b'\n' => BREAK,
        ..=b' ' | 0x7F | b'<' | b'>' | b'"' => 0,
        _ => INSIDE,
    };
    let mut n = 0;
    while n < BESIDE_ALNUM.len() {
        let (of, others) = BESIDE_ALNUM[n];
        if b.is_ascii_alphanumeric() || contains(others, b) {
            class |= of;
        }
        n += 1;
    }
    class
}

const fn contains(bytes: &[u8], wanted: u8) -> bool {
    let mut n = 0;
    while n < bytes.len() {
        if bytes[n] == wanted {
            return true;
        }
        n += 1;
    }
    false
}

static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = classify(b as u8);
        b += 1;
    }
    table
};

/// Whether `b` is of one of `classes`.
#[inline(always)]
pub(crate) const fn is(b: u8, classes: u8) -> bool {
    CLASSES[b as usize] & classes != 0
}

/// Whether `b` is a space, a tab or the end of a line.
#[inline(always)]
pub(crate) const fn is_space(b: u8) -> bool {
    is(b, BLANK | BREAK)
}

/// The bytes of `word` that are `b`: the highest bit of each and no other, the
/// first byte in the lowest place.
#[inline(always)]
pub(crate) fn equal(word: [u8; 8], b: u8) -> u64 {
    const LOW: u64 = u64::from_le_bytes([0x7F; 8]);
    let differs = u64::from_le_bytes(word) ^ u64::from_le_bytes([b; 8]);
    !(((differs & LOW) + LOW) | differs | LOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_marks() {
        for b in 0..=255 {
            assert_eq!(is_mark(b), MARKS.contains(&b));
        }
    }

    #[test]
    fn each_byte_has_its_place_in_a_word() {
        assert_eq!(equal(*b".a.b-c..", b'.'), 0x8080_0000_0080_0080);
        assert_eq!(equal([0xAE; 8], b'.'), 0);
        assert_eq!(equal([0x2F, 0x2D, 0, 0xFF, 1, 2, 3, 4], b'.'), 0);
    }
}
