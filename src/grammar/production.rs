//! The building blocks of the productions: characters and escapes, their input, and their errors.
//!
//! The classes of both RFCs (RFC 1738 section 5, "Miscellaneous definitions") are unions
//! of those in `bytes::class`.

use std::{borrow::Cow, fmt};

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
pub(crate) fn octet_of_escape(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = *bytes else { return None };
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

/// Bytes that need not be UTF-8, percent-decoded as by [`decode`].
pub(crate) fn decode_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = bytes.iter().position(|&byte| byte == b'%') else { return Cow::Borrowed(bytes) };
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

/// A production of a grammar, as an error describes it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Production {
    /// The name in the BNF.
    pub(super) name: &'static str,
    /// The section that defines or explains it.
    pub(super) section: &'static str,
    /// The production of its escapes; `None` if it has no escapes.
    pub(super) escape: Option<&'static Production>,
    /// The rule as a sentence without its full stop.
    pub(super) says: &'static str,
}

/// Defines productions, one a row: the name in the BNF, the section that defines or
/// explains it, the production of its escapes, and the rule as a sentence without its
/// full stop.
macro_rules! productions {
    ($($visibility:vis $id:ident: $name:literal, $section:expr, $escape:expr, $says:literal;)+) => {$(
        $visibility static $id: $crate::grammar::production::Production =
            $crate::grammar::production::Production { name: $name, section: $section, escape: $escape, says: $says };
    )+};
}
pub(super) use productions;

/// A production may contain no escapes.
pub(super) const NO_ESCAPES: Option<&Production> = None;
/// A production of RFC 1738 may contain escapes.
pub(super) const ESCAPES: Option<&Production> = Some(&HEX_ESCAPE);
/// A production of RFC 3986 may contain escapes.
pub(super) const PCT_ENCODED: Option<&Production> = Some(&PERCENT_ENCODING);

productions! {
    // RFC 1738: `escape = "%" hex hex`.
    HEX_ESCAPE: "escape", "RFC 1738 section 2.2", NO_ESCAPES, "\"%\" is followed by two hexadecimal digits";
    // RFC 3986: `pct-encoded = "%" HEXDIG HEXDIG`.
    PERCENT_ENCODING: "pct-encoded", "RFC 3986 section 2.1", NO_ESCAPES,
        "\"%\" is followed by two hexadecimal digits";
}

impl Production {
    /// The error of this production at `offset` of `url`.
    ///
    /// If a broken escape is there and the production may contain escapes, the error
    /// names the escape and the byte that should be a digit: in `100%.` the `.` is
    /// wrong, and not the `%`.
    #[cold]
    pub(super) fn refuse(&'static self, url: &[u8], offset: usize) -> ParseError {
        let (production, offset) = match self.escape {
            Some(escape) if url.get(offset) == Some(&b'%') => {
                let digits = &url[offset + 1..];
                let good = digits.iter().take(2).take_while(|d| d.is_ascii_hexdigit());
                match good.count() {
                    2 => (self, offset),
                    good => (escape, offset + 1 + good),
                }
            }
            _ => (self, offset),
        };
        ParseError { production, offset, found: url.get(offset).copied() }
    }
}

/// Prints a part of a URL, if it exists, after its delimiter.
pub(super) fn write_part(f: &mut fmt::Formatter<'_>, mark: &str, part: Option<&str>) -> fmt::Result {
    part.map_or(Ok(()), |part| write!(f, "{mark}{part}"))
}

/// The error for a URL that a grammar does not accept: a production, an offset and a
/// section.
///
/// It prints as one sentence. The sentence does not contain the URL or its position
/// in a text, which the caller knows.
///
/// ```
/// use urlgrep::grammar;
///
/// let error = grammar::rfc1738::parse(b"ftp://h.org/a;type=x").unwrap_err();
/// assert_eq!(error.production(), "ftptype");
/// assert_eq!(error.offset(), 19);
/// assert_eq!(error.section(), "RFC 1738 section 3.2.2");
/// assert_eq!(
///     error.to_string(),
///     "\"x\" is not allowed at offset 19: a typecode is one of the letters A, I, D, a, i and d \
///      (ftptype, RFC 1738 section 3.2.2)",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    production: &'static Production,
    offset: usize,
    found: Option<u8>,
}

impl ParseError {
    /// Returns the name of the production that did not match, in RFC 1738's BNF (`hsegment`), in
    /// RFC 3986's (`pchar`) or in the draft of 1994 (`fragmentid`).
    ///
    /// ```
    /// # use urlgrep::grammar::rfc1738::parse;
    /// assert_eq!(parse(b"http://h_1.org/").unwrap_err().production(), "domainlabel");
    /// ```
    pub fn production(&self) -> &'static str {
        self.production.name
    }

    /// Returns the offset of the first invalid byte, in bytes from the start of the URL, or the
    /// length of the URL if it ends too early.
    ///
    /// ```
    /// # use urlgrep::grammar::rfc1738::parse;
    /// assert_eq!(parse(b"http://h_1.org/").unwrap_err().offset(), 8);
    /// assert_eq!(parse(b"http://").unwrap_err().offset(), 7);
    /// ```
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the section that defines or explains the production.
    ///
    /// ```
    /// # use urlgrep::grammar::rfc1738::parse;
    /// assert_eq!(parse(b"mailto:me").unwrap_err().section(), "RFC 1738 section 3.5");
    /// ```
    pub fn section(&self) -> &'static str {
        self.production.section
    }

    /// Returns the error with the greater offset, or the first one if the offsets are equal.
    pub(super) fn farther(self, other: ParseError) -> ParseError {
        if other.offset > self.offset { other } else { self }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            None => f.write_str("the URL ends too early")?,
            Some(byte) => Misplaced(byte).fmt(f)?,
        }
        let Production { name, section, says, .. } = self.production;
        write!(f, " at offset {}: {says} ({name}, {section})", self.offset)
    }
}

impl std::error::Error for ParseError {}

/// A byte that no URL has at its place.
pub(crate) struct Misplaced(pub(crate) u8);

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b'"' => f.write_str("a quotation mark")?,
            b' ' => f.write_str("a space")?,
            byte @ b'!'..=b'~' => write!(f, "\"{}\"", char::from(byte))?,
            byte => write!(f, "the byte 0x{byte:02X}")?,
        }
        f.write_str(" is not allowed")
    }
}

/// The result of a production: its value, and the remaining input.
pub(super) type Parsed<'a, T = &'a str> = Result<(T, Rest<'a>), ParseError>;

/// The rest of a URL. A production takes one and returns the next. It is cheap to
/// copy, and knows the whole URL, so that an error has an offset.
#[derive(Clone, Copy)]
pub(super) struct Rest<'a> {
    url: &'a [u8],
    /// The longest prefix of `url` that is UTF-8. Productions consume ASCII only,
    /// so they never read past it or split a character.
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    /// The whole of `url`.
    pub(super) fn new(url: &'a [u8]) -> Rest<'a> {
        let text = str::from_utf8(url).unwrap_or_else(|error| {
            // `valid_up_to` means that the prefix is valid: the default is never used.
            str::from_utf8(&url[..error.valid_up_to()]).unwrap_or_default()
        });
        Rest { url, text, at: 0 }
    }

    /// The bytes that are left.
    pub(super) fn bytes(self) -> &'a [u8] {
        &self.url[self.at..]
    }

    /// The next byte, if one is left.
    pub(super) fn first(self) -> Option<u8> {
        self.url.get(self.at).copied()
    }

    /// The offset in the URL.
    pub(super) fn offset(self) -> usize {
        self.at
    }

    /// The rest after the next `n` bytes.
    pub(super) fn skip(mut self, n: usize) -> Rest<'a> {
        self.at += n;
        self
    }

    /// The next `n` bytes, which must be ASCII, and the rest after them.
    pub(super) fn take(self, n: usize) -> (&'a str, Rest<'a>) {
        let next = self.skip(n);
        (next.since(self), next)
    }

    /// The text between an earlier rest of the same URL and this one.
    pub(super) fn since(self, earlier: Rest<'a>) -> &'a str {
        &self.text[earlier.at..self.at]
    }

    /// The longest run of a class of ASCII characters, possibly empty.
    #[inline]
    pub(super) fn run(self, class: Class) -> (&'a str, Rest<'a>) {
        self.take(run(self.bytes(), class))
    }

    /// The longest run of a class, or an error if it is empty.
    pub(super) fn some(self, class: Class, production: &'static Production) -> Parsed<'a> {
        match self.run(class) {
            ("", _) => Err(self.refuse(production)),
            run => Ok(run),
        }
    }

    /// All that is left, possibly nothing, or an error at the first byte that is not in
    /// the class.
    pub(super) fn all(self, class: Class, production: &'static Production) -> Result<&'a str, ParseError> {
        let (run, rest) = self.run(class);
        rest.end(production)?;
        Ok(run)
    }

    /// The rest after `literal`, if that comes next.
    pub(super) fn eat(self, literal: &str) -> Option<Rest<'a>> {
        let matches = self.bytes().starts_with(literal.as_bytes());
        matches.then(|| self.skip(literal.len()))
    }

    /// The rest after `literal`, or an error at the first byte that differs.
    pub(super) fn expect(
        self,
        literal: &str,
        production: &'static Production,
    ) -> Result<Rest<'a>, ParseError> {
        self.eat(literal).ok_or_else(|| {
            let pairs = self.bytes().iter().zip(literal.as_bytes());
            let same = pairs.take_while(|(left, right)| left == right).count();
            self.skip(same).refuse(production)
        })
    }

    /// The `part` after `literal`, if that comes next.
    pub(super) fn after<T>(
        self,
        literal: &str,
        part: impl FnOnce(Rest<'a>) -> Parsed<'a, T>,
    ) -> Parsed<'a, Option<T>> {
        let Some(rest) = self.eat(literal) else { return Ok((None, self)) };
        let (part, rest) = part(rest)?;
        Ok((Some(part), rest))
    }

    /// The rest after `literal`, `None` if nothing is left, or an error.
    pub(super) fn eat_or_end(
        self,
        literal: &str,
        production: &'static Production,
    ) -> Result<Option<Rest<'a>>, ParseError> {
        let next = self.eat(literal);
        if next.is_none() {
            self.end(production)?;
        }
        Ok(next)
    }

    /// An error, unless nothing is left.
    pub(super) fn end(self, production: &'static Production) -> Result<(), ParseError> {
        if self.bytes().is_empty() { Ok(()) } else { Err(self.refuse(production)) }
    }

    /// The error at the next byte.
    pub(super) fn refuse(self, production: &'static Production) -> ParseError {
        production.refuse(self.url, self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{generic, rfc1738::parse};

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

    #[test]
    fn broken_escapes_are_named_where_they_break() {
        for (url, offset) in [
            ("http://h.org/100%", 17),
            ("http://h.org/%4", 15),
            ("http://h.org/%zz", 14),
            ("http://h.org/%4z", 15),
        ] {
            let error = parse(url.as_bytes()).unwrap_err();
            assert_eq!((error.production(), error.offset()), ("escape", offset));
            let error = generic::parse(url.as_bytes()).unwrap_err();
            assert_eq!((error.production(), error.offset()), ("pct-encoded", offset));
        }
    }

    #[test]
    fn a_host_has_no_escapes_to_break() {
        let error = parse(b"http://h%zz.org/").unwrap_err();
        assert_eq!((error.production(), error.offset()), ("domainlabel", 8));
    }

    #[test]
    fn messages_show_the_byte() {
        let message = |url: &[u8]| parse(url).unwrap_err().to_string();
        assert!(message(b"http://").starts_with("the URL ends too early at offset 7: "));
        assert!(message(b"http://h.org/\xc3\xa9").starts_with("the byte 0xC3 is not allowed at"));
        assert!(message(b"http://h.org/\"").starts_with("a quotation mark is not allowed at"));
        assert!(message(b"http://h.org/ ").starts_with("a space is not allowed at"));
    }
}
