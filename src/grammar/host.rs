//! Host names, by RFC 1738 section 3.1 and as they are used.
//!
//! [`parse`](super::parse) uses the strict production. [`plausible`] also accepts
//! other hosts that are in use.

use super::{
    chars::{ALPHA, ALPHADIGIT, Class, DIGIT, DOT, HIGH, HYPHEN, UNDERSCORE, octet_of_escape},
    error::{ParseError, Production},
    ip,
    rest::Rest,
};

pub(super) static HOST: Production =
    Production::new("host", "RFC 1738 section 3.1", "a host is a domain name or four groups of digits");

static DOMAINLABEL: Production = Production::new(
    "domainlabel",
    "RFC 1738 section 3.1",
    "a domain label is made of letters, digits and, inside, hyphens",
);

static TOPLABEL: Production = Production::new(
    "toplabel",
    "RFC 1738 section 3.1",
    "the last domain label begins with a letter and is made of letters, digits and, inside, hyphens",
);

/// `host = hostname | hostnumber`
///
/// A host ends at the next `/`, `:` or `?`, or at the end of the URL. A byte before
/// that which is not valid is an error in the host and does not end it: the error
/// in `h_1.org` is the underscore.
pub(super) fn host(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    let bytes = rest.bytes();
    if ends_host(bytes.first()) {
        return Err(rest.refuse(&HOST));
    }
    let mut start = 0;
    loop {
        let end = start + label(rest.skip(start))?;
        if bytes.get(end) != Some(&b'.') {
            if ALPHA.has(bytes[start]) || is_number(&bytes[..end]) {
                return Ok(rest.take(end));
            }
            // "The rightmost domain label will never start with a digit, though,
            // which syntactically distinguishes all domain names from the IP
            // addresses."
            return Err(rest.skip(start).refuse(&TOPLABEL));
        }
        start = end + 1;
    }
}

/// Whether labels are a `hostnumber = digits "." digits "." digits "." digits`.
/// The grammar limits no group to 255.
fn is_number(labels: &[u8]) -> bool {
    let dots = labels.iter().filter(|&&byte| byte == b'.').count();
    dots == 3 && all(labels, DIGIT.or(DOT))
}

/// The length of `domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ]
/// alphadigit`. A label ends at the next dot or at the end of the host.
fn label(rest: Rest<'_>) -> Result<usize, ParseError> {
    let bytes = rest.bytes();
    let run = bytes.iter().take_while(|&&b| ALPHADIGIT.or(HYPHEN).has(b));
    let len = run.count();
    let after = bytes.get(len);
    // "each domain label starting and ending with an alphanumerical character
    // and possibly also containing "-" characters"
    let flaw = if bytes.first() == Some(&b'-') {
        0
    } else if len == 0 || !(ends_host(after) || after == Some(&b'.')) {
        len
    } else if bytes[len - 1] == b'-' {
        len - 1
    } else {
        return Ok(len);
    };
    Err(rest.skip(flaw).refuse(label_production(bytes)))
}

/// Which kind of label is at the start of `host`: the last one or another.
#[cold]
fn label_production(bytes: &[u8]) -> &'static Production {
    let mut host = bytes.iter().take_while(|&byte| !ends_host(Some(byte)));
    if host.any(|&byte| byte == b'.') { &DOMAINLABEL } else { &TOPLABEL }
}

fn ends_host(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b'/' | b':' | b'?'))
}

/// The bytes of a label in practice.
const LENIENT_LABEL: Class = ALPHADIGIT.or(HYPHEN).or(UNDERSCORE).or(HIGH);

/// Whether this is plausible as a host, even if RFC 1738 rejects it.
///
/// A plausible host is an IPv6 address in brackets, or labels separated by dots. A
/// label consists of ASCII letters and digits, `-`, `_` and bytes outside ASCII (an
/// internationalized name, in any encoding), escaped or not. It is not empty and
/// does not start with a hyphen. One dot may follow the last label.
///
/// Runs in time linear in the length.
///
/// ```
/// use urlgrep::grammar::host::plausible;
///
/// assert!(plausible(b"my_host.org"));
/// assert!(plausible("b\u{fc}cher.example.".as_bytes()));
/// assert!(plausible(b"[2001:db8::1]"));
/// assert!(plausible(b"%77ww.h.org"));
/// assert!(!plausible(b"h..org"));
/// assert!(!plausible(b"h.org(thehomepage)"));
/// assert!(!plausible(b""));
/// ```
pub fn plausible(host: &[u8]) -> bool {
    flaw(host).is_none()
}

/// The offset of the first byte for which `host` is not [`plausible`].
pub(super) fn flaw(host: &[u8]) -> Option<usize> {
    if let Some(literal) = host.strip_prefix(b"[") {
        let Some(address) = literal.strip_suffix(b"]") else {
            return Some(host.len());
        };
        return ip::v6(address).err().map(|at| at + 1);
    }
    let mut label_starts = true;
    for (at, &byte) in host.iter().enumerate() {
        let fits = match byte {
            b'.' | b'-' => !label_starts,
            b'%' => begins_with_escape(&host[at..]),
            _ => LENIENT_LABEL.has(byte),
        };
        if !fits {
            return Some(at);
        }
        label_starts = byte == b'.';
    }
    host.is_empty().then_some(0)
}

/// Whether `text` starts with an escape of a byte that a host may have. RFC 3986
/// section 3.2.2 allows any octet of a name to be escaped.
pub(crate) fn begins_with_escape(text: &[u8]) -> bool {
    octet_of_escape(text).is_some_and(|octet| LENIENT_LABEL.or(DOT).has(octet))
}

/// Whether this looks like a host where none is expected: two or more labels, the
/// last of them a word, or four groups of digits.
pub(super) fn is_obvious(host: &[u8]) -> bool {
    let labels = || host.split(|&byte| byte == b'.');
    let plain = ALPHADIGIT.or(HYPHEN).or(UNDERSCORE);
    if !labels().all(|label| !label.is_empty() && all(label, plain)) {
        return false;
    }
    let last = labels().next_back().unwrap_or_default();
    let is_name = last.len() < host.len() && last.len() >= 2 && all(last, ALPHA);
    is_name || is_number(host)
}

fn all(label: &[u8], class: Class) -> bool {
    label.iter().all(|&byte| class.has(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> (&'static str, usize) {
        let error = host(Rest::new(text.as_bytes())).err().unwrap();
        (error.production(), error.offset())
    }

    #[test]
    fn names_and_numbers_are_hosts() {
        for text in [
            "h",
            "a1",
            "localhost",
            "ds.internic.net",
            "a--b.c-1",
            "3com.com",
            "1.2.3.4",
            "999.999.0.000",
            "x--1",
        ] {
            assert_eq!(host(Rest::new(text.as_bytes())).unwrap().0, text);
        }
    }

    #[test]
    fn a_host_ends_at_slash_colon_and_question_mark() {
        for text in ["h.org/a", "h.org:80", "h.org?q"] {
            assert_eq!(host(Rest::new(text.as_bytes())).unwrap().0, "h.org");
        }
    }

    #[test]
    fn refusals_name_the_label_and_its_byte() {
        assert_eq!(refusal(""), ("host", 0));
        assert_eq!(refusal("/a"), ("host", 0));
        assert_eq!(refusal(":80"), ("host", 0));
        assert_eq!(refusal("ds.inter-.net"), ("domainlabel", 8));
        assert_eq!(refusal("-a.net"), ("domainlabel", 0));
        assert_eq!(refusal("-.net"), ("domainlabel", 0));
        assert_eq!(refusal("a..net"), ("domainlabel", 2));
        assert_eq!(refusal(".net"), ("domainlabel", 0));
        assert_eq!(refusal("my_host.org"), ("domainlabel", 2));
        assert_eq!(refusal("a.b-"), ("toplabel", 3));
        assert_eq!(refusal("h.org."), ("toplabel", 6));
        assert_eq!(refusal("h.org./a.b"), ("toplabel", 6));
        assert_eq!(refusal("h.org(x)"), ("toplabel", 5));
        assert_eq!(refusal("h.4u"), ("toplabel", 2));
        assert_eq!(refusal("1.2.3"), ("toplabel", 4));
        assert_eq!(refusal("1.2.3.4.5"), ("toplabel", 8));
        assert_eq!(refusal("a.2.3.4"), ("toplabel", 6));
        assert_eq!(refusal("[::1]"), ("toplabel", 0));
    }

    #[test]
    fn plausible_hosts_are_wider() {
        for text in ["my_host", "h-.org", "h.org.", "1.2.3", "_a", "[::]", "[::1.2.3.4]", "%61%2e%C3%bc"] {
            assert_eq!(flaw(text.as_bytes()), None, "{text}");
        }
        for (text, at) in [
            ("", 0),
            (".", 0),
            ("a..b", 2),
            ("h.org..", 6),
            ("-a", 0),
            ("a.-b", 2),
            ("a%20", 1),
            ("%", 0),
            ("a%6", 1),
            ("%61%2f", 3),
            ("[::", 3),
            ("[]", 1),
            ("[v1.x]", 1),
            ("a]", 1),
        ] {
            assert_eq!(flaw(text.as_bytes()), Some(at), "{text}");
        }
    }

    #[test]
    fn some_user_names_look_like_hosts() {
        for text in ["www.bank.com", "a.bc", "10.0.0.1"] {
            assert!(is_obvious(text.as_bytes()), "{text}");
        }
        for text in ["", "joe", "a.b", "v1.2", "a..com", ".com", "joe.", "j%2Ecom"] {
            assert!(!is_obvious(text.as_bytes()), "{text}");
        }
    }
}
