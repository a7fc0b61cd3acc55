//! `mailto:` (RFC 1738 section 3.5).

use std::{borrow::Cow, fmt};

use super::production::*;

productions! {
    ENCODED822ADDR: "encoded822addr", "RFC 1738 section 3.5", ESCAPES,
        "an email address consists of letters, digits, escapes and \"$-_.+!*'(),;/?:@&=\"";
    LOCAL_PART: "encoded822addr", "RFC 1738 section 3.5", NO_ESCAPES,
        "the part of an email address before the \"@\" consists of words separated by dots";
    DOMAIN: "encoded822addr", "RFC 1738 section 3.5", NO_ESCAPES,
        "the part after the \"@\" consists of atoms or bracketed literals separated by dots";
    AT_SIGN: "encoded822addr", "RFC 1738 section 3.5", NO_ESCAPES, "an email address has an \"@\"";
}

/// An email address.
///
/// The parts keep their escapes. [`address`](Mailto::address) decodes them for a mail program.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let Url::Mailto(mailto) = parse(b"mailto:a%25b@h.org")? else { unreachable!() };
/// assert_eq!(mailto.scheme(), "mailto");
/// assert_eq!(mailto.encoded(), "a%25b@h.org");
/// assert_eq!(mailto.local_part(), "a%25b");
/// assert_eq!(mailto.domain(), "h.org");
/// assert_eq!(*mailto.address(), *b"a%b@h.org");
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mailto<'a> {
    scheme: &'a str,
    encoded: &'a str,
    local_part: &'a str,
    domain: &'a str,
}

impl<'a> Mailto<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns the whole address as written.
    pub fn encoded(&self) -> &'a str {
        self.encoded
    }

    /// Returns the decoded address: an addr-spec of RFC 822 section 6.1.
    pub fn address(&self) -> Cow<'a, [u8]> {
        decode(self.encoded)
    }

    /// Returns the part before the at-sign, escapes included.
    pub fn local_part(&self) -> &'a str {
        self.local_part
    }

    /// Returns the part after the at-sign, escapes included.
    pub fn domain(&self) -> &'a str {
        self.domain
    }
}

impl fmt::Display for Mailto<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.scheme, self.encoded)
    }
}

/// `mailtourl = "mailto:" encoded822addr`, where
/// `encoded822addr = 1*xchar ; further defined in RFC822`.
///
/// "Within mailto URLs, there are no reserved characters": an octet means the
/// same whether it is encoded or not, so the decoded octets are checked.
pub(super) fn mailtourl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Mailto<'a>, ParseError> {
    let (encoded, end) = rest.some(XCHAR, &ENCODED822ADDR)?;
    end.end(&ENCODED822ADDR)?;
    let (local_part, domain) = addr_spec(rest)?;
    Ok(Mailto { scheme, encoded, local_part, domain })
}

/// RFC 822 section 6.1: `addr-spec = local-part "@" domain`: both, as written.
///
/// The octets are decoded one by one, so that an error has its offset in the URL and
/// nothing is copied. White space and comments between tokens (section 3.3), which are
/// valid in a message header, are not part of an address and are not valid here. The
/// caller has checked that the rest of the URL consists of `xchar`.
fn addr_spec(rest: Rest<'_>) -> Result<(&str, &str), ParseError> {
    let at_sign = local_part(rest)?;
    let domain_start = match octet(at_sign) {
        Some((b'@', rest)) => rest,
        Some(_) => return Err(at_sign.refuse(&LOCAL_PART)),
        None => return Err(at_sign.refuse(&AT_SIGN)),
    };
    let end = domain(domain_start)?;
    end.end(&DOMAIN)?;
    Ok((at_sign.since(rest), end.since(domain_start)))
}

/// `local-part = word *("." word)`, where `word = atom / quoted-string`.
fn local_part(rest: Rest<'_>) -> Result<Rest<'_>, ParseError> {
    dotted(rest, [b'"', b'"'], &LOCAL_PART)
}

/// `domain = sub-domain *("." sub-domain)`, where
/// `sub-domain = domain-ref / domain-literal` and `domain-ref = atom`.
fn domain(rest: Rest<'_>) -> Result<Rest<'_>, ParseError> {
    dotted(rest, [b'[', b']'], &DOMAIN)
}

/// The rest after one or more atoms and texts between the delimiters, separated by dots.
fn dotted<'a>(
    mut rest: Rest<'a>,
    delimiters: [u8; 2],
    production: &'static Production,
) -> Result<Rest<'a>, ParseError> {
    loop {
        rest = match octet(rest) {
            Some((byte, inside)) if byte == delimiters[0] => enclosed(inside, delimiters, production)?,
            _ => atom(rest, production)?,
        };
        match octet(rest) {
            Some((b'.', next)) => rest = next,
            _ => return Ok(rest),
        }
    }
}

/// `atom = 1*<any CHAR except specials, SPACE and CTLs>`
fn atom<'a>(start: Rest<'a>, production: &'static Production) -> Result<Rest<'a>, ParseError> {
    let mut rest = start;
    while let Some((byte, next)) = octet(rest) {
        if !byte.is_ascii_graphic() || is_special(byte) {
            break;
        }
        rest = next;
    }
    if rest.offset() == start.offset() {
        return Err(rest.refuse(production));
    }
    Ok(rest)
}

/// RFC 822 section 3.3: `specials`, which "must be in quoted-string, to use within
/// a word".
fn is_special(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'@' | b',' | b';' | b':' | b'\\' | b'"' | b'.' | b'[' | b']')
}

/// The rest after `closer`, in `quoted-string = <"> *(qtext/quoted-pair) <">` or in
/// `domain-literal = "[" *(dtext / quoted-pair) "]"`.
///
/// `qtext` is any CHAR (ASCII) "excepting <">, "\" & CR"; `dtext` is the same,
/// except that brackets take the place of `"`; `quoted-pair = "\" CHAR`.
fn enclosed<'a>(
    mut rest: Rest<'a>,
    [opener, closer]: [u8; 2],
    production: &'static Production,
) -> Result<Rest<'a>, ParseError> {
    loop {
        let Some((byte, mut next)) = octet(rest) else { return Err(rest.refuse(production)) };
        match byte {
            _ if byte == closer => return Ok(next),
            b'\\' => match octet(next) {
                Some((b'\0'..=b'\x7f', after)) => next = after,
                _ => return Err(next.refuse(production)),
            },
            _ if byte == opener || matches!(byte, b'\r' | 0x80..) => return Err(rest.refuse(production)),
            _ => {}
        }
        rest = next;
    }
}

/// The next octet, decoded, and the rest.
fn octet(rest: Rest<'_>) -> Option<(u8, Rest<'_>)> {
    match octet_of_escape(rest.bytes()) {
        Some(octet) => Some((octet, rest.skip(3))),
        None => Some((rest.first()?, rest.skip(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{accepted, refused},
        *,
    };

    #[test]
    fn any_spelling_of_an_address() {
        accepted("mailto:timbl@info.cern.ch");
        accepted("MailTo:a%25b@h.org");
        accepted("mailto:a%40h.org");
        accepted("mailto:a/b=c?d&e'f!g@h");
        accepted("mailto:%22a%20b%22.c@%5B10.0.0.1%5D");
    }

    #[test]
    fn refusals() {
        refused("mailto:", "encoded822addr", 7);
        refused("mailto:a%@h", "escape", 9);
        refused("mailto:a~b@h.org", "encoded822addr", 8);
        refused("mailto:me", "encoded822addr", 9);
        refused("mailto:a b@h.org", "encoded822addr", 8);
    }

    fn check(text: &str) -> Result<(&str, &str), usize> {
        addr_spec(Rest::new(text.as_bytes())).map_err(|error| error.offset())
    }

    #[test]
    fn words_and_atoms_joined_by_dots() {
        assert_eq!(check("a@b"), Ok(("a", "b")));
        assert_eq!(check("a.b-c@d.e"), Ok(("a.b-c", "d.e")));
        assert_eq!(check("a%2Eb%40c"), Ok(("a%2Eb", "c")));
        assert_eq!(check("%22%22@h"), Ok(("%22%22", "h")));
        assert_eq!(check("%22a@b%5C%22%22.c@h"), Ok(("%22a@b%5C%22%22.c", "h")));
        assert_eq!(check("a@%5B1.2%5D.h"), Ok(("a", "%5B1.2%5D.h")));
        // Not special in RFC 822, though they are in later documents.
        assert_eq!(check("a/b@h?subject=x"), Ok(("a/b", "h?subject=x")));
    }

    #[test]
    fn flaws_have_offsets_in_the_encoded_text() {
        for (text, offset) in [
            ("", 0),
            ("me", 2),
            ("@h", 0),
            (".a@h", 0),
            ("a..b@h", 2),
            ("a.@h", 2),
            ("a%20b@h", 1),
            ("a@", 2),
            ("a@h.", 4),
            ("a@h@i", 3),
            ("a,b@h", 1),
            ("a@h,b@h", 3),
            ("%e9@h", 0),
            ("a%00@h", 1),
            ("%22a@h", 6),
            ("%22a%0Db%22@h", 4),
            ("%22a%5C", 7),
            ("%22a%5C%80%22@h", 7),
            ("%22a%22b@h", 7),
            ("a@%5B%5B%5D", 5),
            ("a@%5Bx", 6),
        ] {
            assert_eq!(check(text), Err(offset), "{text}");
        }
        // RFC 822 section 3.3: `specials`; a dot joins words, and an at sign ends them.
        for byte in b"()<>,;:\\\"[]" {
            assert_eq!(check(&format!("a%{byte:02X}b@h")), Err(1), "{}", char::from(*byte));
        }
    }
}
