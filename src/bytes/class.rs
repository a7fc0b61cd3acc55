//! Classes of bytes.
//!
//! RFC 1738, RFC 3986 and prose divide ASCII in different ways: `~` is unsafe in the
//! first, unreserved in the second, and may be emphasis in prose. One table divides the
//! bytes so finely that every class of all three is a union of a few bits. Membership
//! costs one load and one `and` for every class.
//!
//! The classes of the RFCs are in `grammar::production`. The classes at the end of this file
//! describe the text around a URL.

/// A set of bytes, written as a union of the bits in [`TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(u32);

impl Class {
    const fn bit(n: u32) -> Class {
        Class(1 << n)
    }

    /// The union of two classes.
    pub(crate) const fn or(self, other: Class) -> Class {
        Class(self.0 | other.0)
    }

    /// The members of this class that are not in `other`.
    pub(crate) const fn without(self, other: Class) -> Class {
        Class(self.0 & !other.0)
    }

    /// Returns true if `byte` is in the class.
    #[inline(always)]
    pub(crate) const fn has(self, byte: u8) -> bool {
        TABLE[byte as usize] & self.0 != 0
    }
}

pub(crate) const ALPHA: Class = Class::bit(0);
pub(crate) const DIGIT: Class = Class::bit(1);
pub(crate) const HEX: Class = Class::bit(2);
pub(crate) const HYPHEN: Class = Class::bit(3);
pub(crate) const UNDERSCORE: Class = Class::bit(4);
pub(crate) const DOT: Class = Class::bit(5);
pub(crate) const PLUS: Class = Class::bit(6);
pub(crate) const DOLLAR: Class = Class::bit(7);
pub(crate) const EXCLAMATION: Class = Class::bit(8);
pub(crate) const ASTERISK: Class = Class::bit(9);
pub(crate) const APOSTROPHE: Class = Class::bit(10);
/// `(` and `)`.
pub(crate) const PAREN: Class = Class::bit(11);
pub(crate) const COMMA: Class = Class::bit(12);
pub(crate) const SEMICOLON: Class = Class::bit(13);
pub(crate) const SLASH: Class = Class::bit(14);
pub(crate) const QUESTION: Class = Class::bit(15);
pub(crate) const COLON: Class = Class::bit(16);
pub(crate) const AT: Class = Class::bit(17);
pub(crate) const AMPERSAND: Class = Class::bit(18);
pub(crate) const EQUALS: Class = Class::bit(19);
pub(crate) const TILDE: Class = Class::bit(20);
/// `%`. In a class of the grammar it means a whole escape: `%` and two hex digits.
pub(crate) const ESCAPE: Class = Class::bit(21);
pub(crate) const HASH: Class = Class::bit(22);
pub(crate) const CARET: Class = Class::bit(23);
/// The rest of visible ASCII: `[`, `]`, `{`, `}`, `|`, `\` and the backquote.
pub(crate) const OTHER: Class = Class::bit(24);
pub(crate) const QUOTE: Class = Class::bit(25);
/// `<` and `>`.
pub(crate) const ANGLE: Class = Class::bit(26);
/// Space, tab, vertical tab and form feed: whitespace within a line.
pub(crate) const BLANK: Class = Class::bit(27);
/// Carriage return and line feed, each of which ends a line.
pub(crate) const BREAK: Class = Class::bit(28);
/// The other control characters, DEL included.
const CONTROL: Class = Class::bit(29);
/// Non-ASCII bytes.
pub(crate) const HIGH: Class = Class::bit(30);
/// The bytes of the name of a header field (RFC 5322 §2.2): visible ASCII without the colon.
#[cfg(feature = "archive")]
pub(crate) const FIELD_NAME: Class =
    Class(u32::MAX).without(UNPRINTABLE).without(HIGH).without(COLON).without(PREFIX);

/// The bytes of line prefixes, the quote and comment characters: see [`PREFIXES`].
pub(crate) const PREFIX: Class = Class::bit(31);

pub(crate) const ALPHADIGIT: Class = ALPHA.or(DIGIT);

/// Space, tab and the ends of lines.
pub(crate) const SPACE: Class = BLANK.or(BREAK);

/// Control characters, the space and DEL.
pub(crate) const UNPRINTABLE: Class = SPACE.or(CONTROL);

/// The characters of a scheme (RFC 1738 §2.1, RFC 3986 §3.1): letters, digits,
/// `+`, `-`, `.`.
pub(crate) const SCHEME: Class = ALPHADIGIT.or(PLUS).or(HYPHEN).or(DOT);

/// The characters of a host name in prose, including `_`, which is in use.
pub(crate) const HOST: Class = ALPHADIGIT.or(HYPHEN).or(DOT).or(UNDERSCORE);

/// The characters before the `@` of a login, including `:`.
pub(crate) const USER: Class = LOCAL_AND_USER.or(ESCAPE).or(SEMICOLON).or(COMMA).or(COLON);

/// The characters before the `@` of an email address or message identifier. RFC 822
/// also allows `#` there, but in a URL it starts a fragment.
pub(crate) const LOCAL: Class = LOCAL_AND_USER.or(ESCAPE).or(SLASH).or(CARET).or(APOSTROPHE);

const LOCAL_AND_USER: Class =
    HOST.or(EXCLAMATION).or(DOLLAR).or(AMPERSAND).or(ASTERISK).or(PLUS).or(EQUALS).or(TILDE);

/// The bytes that are always part of a bare URL.
pub(crate) const PLAIN: Class = HOST
    .or(TILDE)
    .or(EXCLAMATION)
    .or(DOLLAR)
    .or(ASTERISK)
    .or(PLUS)
    .or(ESCAPE)
    .or(SLASH)
    .or(EQUALS)
    .or(COLON)
    .or(HASH)
    .or(CARET);

/// The bytes of a URL between delimiters: all except whitespace, control characters,
/// `<`, `>` and `"`.
pub(crate) const INSIDE: Class =
    Class(u32::MAX).without(UNPRINTABLE).without(ANGLE).without(QUOTE).without(PREFIX);

/// The last bytes of the quote and comment characters. Only `//` has two bytes.
pub(crate) const PREFIXES: [u8; 8] = [b'>', b'|', b':', b'*', b';', b'#', b'%', b'/'];

/// A table with the result of a function for each byte.
macro_rules! byte_table {
    ($value:ident) => {{
        let mut table = [$value(0); 256];
        let mut byte = 1;
        while byte < 256 {
            table[byte] = $value(byte as u8);
            byte += 1;
        }
        table
    }};
}
pub(crate) use byte_table;

/// The bits of each byte.
static TABLE: [u32; 256] = {
    let mut table = byte_table!(bits);
    let mut n = 0;
    while n < PREFIXES.len() {
        table[PREFIXES[n] as usize] |= PREFIX.0;
        n += 1;
    }
    table
};

const fn bits(byte: u8) -> u32 {
    let class = match byte {
        b'a'..=b'f' | b'A'..=b'F' => ALPHA.or(HEX),
        b'g'..=b'z' | b'G'..=b'Z' => ALPHA,
        b'0'..=b'9' => DIGIT.or(HEX),
        b'-' => HYPHEN,
        b'_' => UNDERSCORE,
        b'.' => DOT,
        b'+' => PLUS,
        b'$' => DOLLAR,
        b'!' => EXCLAMATION,
        b'*' => ASTERISK,
        b'\'' => APOSTROPHE,
        b'(' | b')' => PAREN,
        b',' => COMMA,
        b';' => SEMICOLON,
        b'/' => SLASH,
        b'?' => QUESTION,
        b':' => COLON,
        b'@' => AT,
        b'&' => AMPERSAND,
        b'=' => EQUALS,
        b'~' => TILDE,
        b'%' => ESCAPE,
        b'#' => HASH,
        b'^' => CARET,
        b'"' => QUOTE,
        b'<' | b'>' => ANGLE,
        b' ' | b'\t' | 0x0B | 0x0C => BLANK,
        b'\r' | b'\n' => BREAK,
        0x00..=0x1F | 0x7F => CONTROL,
        0x80.. => HIGH,
        b'[' | b']' | b'{' | b'}' | b'|' | b'\\' | b'`' => OTHER,
    };
    class.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(class: Class) -> String {
        (0..0x80).filter(|&b: &u8| class.has(b) && !b.is_ascii_alphanumeric()).map(char::from).collect()
    }

    #[test]
    fn classes_of_prose() {
        for (class, members) in
            [(SCHEME, "+-."), (HOST, "-._"), (USER, "!$%&*+,-.:;=_~"), (LOCAL, "!$%&'*+-./=^_~")]
        {
            assert_eq!(others(class), members);
            assert!((0..=255).all(|b: u8| !b.is_ascii_alphanumeric() || class.has(b)));
            assert!((0x80..=255).all(|b| !class.has(b)));
        }
        assert_eq!(others(PLAIN), "!#$%*+-./:=^_~");
        assert_eq!(others(SPACE), "\t\n\u{b}\u{c}\r ");
        for b in 0..=255 {
            #[cfg(feature = "archive")]
            assert_eq!(FIELD_NAME.has(b), b.is_ascii_graphic() && b != b':', "{b:#x}");
            assert_eq!(PREFIX.has(b), PREFIXES.contains(&b));
            assert_eq!(INSIDE.has(b), b > b' ' && b != 0x7F && !b"<>\"".contains(&b), "{b:#x}");
        }
    }
}
