//! `mailto:` (RFC 1738 section 3.5).

use std::{borrow::Cow, fmt};

use super::{ParseError, addr_spec::addr_spec, chars::XCHAR, decode, error::Production, rest::Rest};

static ENCODED822ADDR: Production = Production::escaped(
    "encoded822addr",
    "RFC 1738 section 3.5",
    "a mail address is made of letters, digits, escapes and \"$-_.+!*'(),;/?:@&=\"",
);

/// A mail address.
///
/// The parts keep their escapes. [`address`](Mailto::address) decodes them, as a
/// mail program needs it.
///
/// ```
/// use urlgrep::grammar::{Url, parse};
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
    /// The scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// The whole address as written.
    pub fn encoded(&self) -> &'a str {
        self.encoded
    }

    /// The decoded address: an addr-spec of RFC 822 section 6.1.
    pub fn address(&self) -> Cow<'a, [u8]> {
        decode(self.encoded)
    }

    /// The part before the at-sign, escapes included.
    pub fn local_part(&self) -> &'a str {
        self.local_part
    }

    /// The part after the at-sign, escapes included.
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
    let (encoded, end) = rest.run(XCHAR);
    if encoded.is_empty() {
        return Err(rest.refuse(&ENCODED822ADDR));
    }
    end.end(&ENCODED822ADDR)?;
    let (local_part, domain) = addr_spec(rest)?;
    Ok(Mailto { scheme, encoded, local_part, domain })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{accepted, refused};

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
}
