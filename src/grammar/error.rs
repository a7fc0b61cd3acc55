//! The error of the grammar: which production, at which offset, by which section.

use std::fmt;

/// A production of a grammar, as an error describes it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Production {
    /// Its name in the BNF.
    name: &'static str,
    /// The section that defines or explains it.
    section: &'static str,
    /// The rule as a sentence without its full stop.
    says: &'static str,
    /// The production of its escapes; `None` if it has no escapes.
    escape: Option<&'static Production>,
}

/// RFC 1738: `escape = "%" hex hex`.
static ESCAPE: Production =
    Production::new("escape", "RFC 1738 section 2.2", "\"%\" is followed by two hexadecimal digits");

/// RFC 3986: `pct-encoded = "%" HEXDIG HEXDIG`.
static PCT_ENCODED: Production =
    Production::new("pct-encoded", "RFC 3986 section 2.1", "\"%\" is followed by two hexadecimal digits");

impl Production {
    /// A production without escapes.
    pub(super) const fn new(name: &'static str, section: &'static str, says: &'static str) -> Production {
        Production { name, section, says, escape: None }
    }

    /// A production of RFC 1738 that may contain escapes.
    pub(super) const fn escaped(name: &'static str, section: &'static str, says: &'static str) -> Production {
        let mut production = Production::new(name, section, says);
        production.escape = Some(&ESCAPE);
        production
    }

    /// A production of RFC 3986 that may contain escapes.
    pub(super) const fn pct_encoded(
        name: &'static str,
        section: &'static str,
        says: &'static str,
    ) -> Production {
        let mut production = Production::new(name, section, says);
        production.escape = Some(&PCT_ENCODED);
        production
    }

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

/// The error for a URL that a grammar does not accept: a production, an offset and a
/// section.
///
/// It prints as one sentence. The sentence does not contain the URL or its position
/// in a text, which the caller knows.
///
/// ```
/// use urlgrep::grammar;
///
/// let error = grammar::parse(b"ftp://h.org/a;type=x").unwrap_err();
/// assert_eq!(error.production(), "ftptype");
/// assert_eq!(error.offset(), 19);
/// assert_eq!(error.section(), "RFC 1738 section 3.2.2");
/// assert_eq!(
///     error.to_string(),
///     "\"x\" is out of place at offset 19: a typecode is one of the letters A, I, D, a, i and d \
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
    /// The name of the production that did not match, in RFC 1738's BNF (`hsegment`)
    /// or in RFC 3986's (`pchar`).
    ///
    /// ```
    /// # use urlgrep::grammar::parse;
    /// assert_eq!(parse(b"http://h_1.org/").unwrap_err().production(), "domainlabel");
    /// ```
    pub fn production(&self) -> &'static str {
        self.production.name
    }

    /// The offset of the first byte that is not valid, in bytes from the start of the
    /// URL; the length of the URL if it ends too early.
    ///
    /// ```
    /// # use urlgrep::grammar::parse;
    /// assert_eq!(parse(b"http://h_1.org/").unwrap_err().offset(), 8);
    /// assert_eq!(parse(b"http://").unwrap_err().offset(), 7);
    /// ```
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The section that defines or explains the production.
    ///
    /// ```
    /// # use urlgrep::grammar::parse;
    /// assert_eq!(parse(b"mailto:me").unwrap_err().section(), "RFC 1738 section 3.5");
    /// ```
    pub fn section(&self) -> &'static str {
        self.production.section
    }

    /// Of the errors of two alternatives, the one with the greater offset; the first if
    /// the offsets are equal.
    pub(super) fn farther(self, other: ParseError) -> ParseError {
        if other.offset > self.offset { other } else { self }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            None => write!(f, "the URL ends too early")?,
            Some(b'"') => write!(f, "a quotation mark is out of place")?,
            Some(byte @ b'!'..=b'~') => write!(f, "\"{}\" is out of place", char::from(byte))?,
            Some(byte) => write!(f, "the byte 0x{byte:02X} is out of place")?,
        }
        let Production { name, section, says, .. } = self.production;
        write!(f, " at offset {}: {says} ({name}, {section})", self.offset)
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use crate::grammar::{generic, parse};

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
        assert!(message(b"http://h.org/\xc3\xa9").starts_with("the byte 0xC3 is out of place at"));
        assert!(message(b"http://h.org/\"").starts_with("a quotation mark is out of place at"));
        assert!(message(b"http://h.org/ ").starts_with("the byte 0x20 is out of place at"));
    }
}
