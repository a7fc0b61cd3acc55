//! `--normalize`, `--clean`, `--redact` and `--defang`: the spelling of URLs; and the target of a click on a URL.
//!
//! With `--redact`, passwords are hidden. A password is the text after `scheme://name:`. By the
//! RFCs it ends at the last `@` before a `/`, `?` or `#`. But people write passwords with these
//! bytes too, and where nothing delimits a URL, it may end within its password. So without an `@`
//! where it should be, everything is hidden up to a later `@`, or to the end. What looks like a
//! port is not hidden. It is better to hide too much than a part of a password.
//!
//! In a query, a URL may be percent-encoded, once or more often: `ftp%3A%2F%2Fme%3A…`.

use std::borrow::Cow;
use std::ops::Range;

use urlgrep::grammar;

/// The spelling of URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// True if URLs are normalized.
    pub normalize: bool,
    /// True if tracking parameters are removed.
    pub clean: bool,
    /// True if passwords are hidden.
    pub redact: bool,
    /// True if URLs are printed so that no program opens them.
    pub defang: bool,
}

impl Spelling {
    /// Returns a URL as it is printed.
    pub fn of<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        let url = self.before_defang(url);
        if self.defang { grammar::defang(&url).into() } else { url }
    }

    /// Returns the URL as printed but without defanging, so that it can be parsed.
    pub fn before_defang<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        let url = self.compared(url);
        if self.redact { redact(&url).map_or(url, Cow::Owned) } else { url }
    }

    /// Returns the spelling of other bytes of the input, such as a path, which may contain URLs.
    pub fn of_bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let redacted = self.redact.then(|| redact(bytes)).flatten();
        redacted.map_or(Cow::Borrowed(bytes), Cow::Owned)
    }

    /// Returns a URL as it is compared with others.
    pub fn compared<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        let url = if self.normalize { grammar::normalize(url) } else { Cow::Borrowed(url) };
        match url {
            url if !self.clean => url,
            Cow::Borrowed(url) => grammar::clean(url),
            Cow::Owned(url) => grammar::clean(&url).into_owned().into(),
        }
    }
}

/// The replacement of a password.
const HIDDEN: &[u8] = b"***";

/// The maximum number of digits in a port.
const MAX_PORT: usize = 5;

/// Returns the text without passwords, or `None` if it contains none. Takes linear time.
pub fn redact(text: &[u8]) -> Option<Vec<u8>> {
    let mut redacted = Vec::new();
    let (mut kept, mut at) = (0, 0);
    let (mut plain, mut encoded) = (Segment::default(), Segment::default());
    while let Some(slashes) = slashes(text, at) {
        at = slashes.end;
        let segment = if slashes.encoded { &mut encoded } else { &mut plain };
        if segment.end <= at {
            *segment = Segment::new(text, &slashes);
        }
        if let Some(password) = password(text, &slashes, segment) {
            redacted.extend_from_slice(&text[kept..password.start]);
            redacted.extend_from_slice(HIDDEN);
            (kept, at) = (password.end, password.end);
        }
    }
    redacted.extend_from_slice(&text[kept..]);
    (redacted != text).then_some(redacted)
}

/// The `://` that ends at `end`.
struct Slashes {
    end: usize,
    /// True if it is percent-encoded.
    encoded: bool,
}

/// The text after `://` that may be one URL. An encoded URL is the value of a
/// parameter.
#[derive(Default)]
struct Segment {
    end: usize,
    /// The last `@`, in the spelling that may end a password.
    last_at: Option<usize>,
}

impl Segment {
    fn new(text: &[u8], slashes: &Slashes) -> Segment {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || (slashes.encoded && *byte == b'&');
        let len = text[slashes.end..].iter().position(is_end);
        let end = len.map_or(text.len(), |len| slashes.end + len);
        let ats = delimiters(&text[..end], slashes.end).filter(|found| found.byte == b'@');
        let last_at = ats.filter(|found| found.plain || slashes.encoded).last().map(|found| found.at);
        Segment { end, last_at }
    }
}

/// The next `://`.
fn slashes(text: &[u8], mut from: usize) -> Option<Slashes> {
    loop {
        from += memchr::memchr2(b':', b'%', &text[from..])?;
        let start = from;
        let mut matches = |wanted| {
            let (byte, len) = decoded(text, from)?;
            from += len;
            (byte == wanted).then_some(())
        };
        if matches(b':').and_then(|()| matches(b'/')).and_then(|()| matches(b'/')).is_some() {
            return Some(Slashes { end: from, encoded: from - start > b"://".len() });
        }
        from = start + 1;
    }
}

/// The password in the text after `://`.
fn password(text: &[u8], slashes: &Slashes, segment: &Segment) -> Option<Range<usize>> {
    // A delimiter and the `@` count only if they are encoded like `://`.
    let counts = |found: &Delimiter| found.plain || slashes.encoded;
    let text = &text[..segment.end];
    let host = address_end(text, slashes.end);
    let (mut end, mut colon, mut at) = (segment.end, None, None);
    for found in delimiters(text, host) {
        match found.byte {
            b':' if colon.is_none_or(|colon: Delimiter| found.plain && !colon.plain && at.is_none()) => {
                colon = Some(found);
            }
            b'@' if counts(&found) => at = Some(found.at),
            b'/' | b'?' | b'#' if counts(&found) => {
                end = found.at;
                break;
            }
            _ => {}
        }
    }
    let start = colon.map(|colon| colon.at + colon.len)?;
    // The at-sign of a defanged URL is in brackets.
    let end_before =
        |at: usize| at - usize::from(text[start..at].ends_with(b"[") && text[at..].starts_with(b"@]"));
    if let Some(at) = at.filter(|&at| start <= at) {
        return Some(start..end_before(at));
    }
    let port = text[start..end].iter().all(u8::is_ascii_digit) && end - start <= MAX_PORT;
    match segment.last_at.filter(|&at| start <= at) {
        Some(at) if !port || start == end => Some(start..end_before(at)),
        None if !port => Some(start..segment.end),
        _ => None,
    }
}

/// A byte that separates the parts of a URL.
#[derive(Clone, Copy)]
struct Delimiter {
    byte: u8,
    at: usize,
    len: usize,
    /// True if it is not percent-encoded.
    plain: bool,
}

/// The marks of a text from an offset on.
fn delimiters(text: &[u8], mut at: usize) -> impl Iterator<Item = Delimiter> {
    std::iter::from_fn(move || {
        let (byte, len) = decoded(text, at)?;
        at += len;
        Some(Delimiter { byte, at: at - len, len, plain: len == 1 })
    })
    .filter(|found| b":@/?#".contains(&found.byte))
}

/// The end of a numeric address in brackets; its colons are not delimiters.
fn address_end(text: &[u8], start: usize) -> usize {
    let is_address = |byte: &u8| byte.is_ascii_hexdigit() || b":.".contains(byte);
    let Some(rest) = text[start..].strip_prefix(b"[") else { return start };
    let len = rest.iter().take_while(|byte| is_address(byte)).count();
    if rest.get(len) == Some(&b']') { start + len + 2 } else { start }
}

/// The byte at an offset and the length of its spelling. A `%` that is encoded itself
/// is skipped: `%253A` is a colon as well.
fn decoded(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let rest = &text[at..];
    let &byte = rest.first()?;
    if byte != b'%' {
        return Some((byte, 1));
    }
    let mut len = 1;
    while rest[len..].starts_with(b"25") {
        len += 2;
    }
    let digit = |n: usize| rest.get(len + n).and_then(|&digit| char::from(digit).to_digit(16));
    match (digit(0), digit(1)) {
        (Some(high), Some(low)) => Some(((high * 16 + low) as u8, len + 2)),
        _ => Some((byte, 1)),
    }
}

/// Returns the target of a link: the URL after its implied start. All but visible ASCII is percent-encoded, as OSC 8
/// demands.
pub fn target(implied: Vec<u8>, url: &[u8]) -> Vec<u8> {
    let mut target = implied;
    for &byte in url {
        match byte.is_ascii_graphic() {
            true => target.push(byte),
            false => target.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn hides(url: &str, redacted: &str) {
        let found = redact(url.as_bytes()).map(|found| String::from_utf8(found).unwrap());
        assert_eq!(found.as_deref(), Some(redacted), "{url}");
    }

    #[test]
    fn passwords_are_hidden() {
        for (url, redacted) in [
            ("ftp://me:secret@h.org/a", "ftp://me:***@h.org/a"),
            ("ftp://me:se:cr@t@h.org", "ftp://me:***@h.org"),
            ("ftp://:@h.org/", "ftp://:***@h.org/"),
            ("://me:secret@h.org", "://me:***@h.org"),
            ("ftp://me:1234@h.org/", "ftp://me:***@h.org/"),
            ("ftp://me@i.org:secret@h.org", "ftp://me@i.org:***@h.org"),
            ("http://[u:p@h.org", "http://[u:***@h.org"),
            ("http://[::1]:p@h.org", "http://[::1]:***@h.org"),
            (
                "http://a.org/x=ftp://me:secret@h.org/?http://u:p@b.org",
                "http://a.org/x=ftp://me:***@h.org/?http://u:***@b.org",
            ),
        ] {
            hides(url, redacted);
        }
    }

    #[test]
    fn passwords_contain_anything() {
        for (url, redacted) in [
            ("ftp://me:se/cret@h.org/a", "ftp://me:***@h.org/a"),
            ("ftp://me:/secret@h.org/a", "ftp://me:***@h.org/a"),
            ("ftp://me:se#c?r@et@h.org/", "ftp://me:***@h.org/"),
            ("ftp://me:se%40c%2Fret@h.org/", "ftp://me:***@h.org/"),
            // The URL ends before its "@".
            ("ftp://me:sec", "ftp://me:***"),
            ("ftp://me:se/c", "ftp://me:***"),
            ("ftp://me:se%40c", "ftp://me:***"),
            ("see ftp://me:sec and so on", "see ftp://me:*** and so on"),
            // A port never has six digits.
            ("http://me:123456/a@b", "http://me:***@b"),
            ("http://me:123456", "http://me:***"),
            ("http://me:1234a/b@c", "http://me:***@c"),
        ] {
            hides(url, redacted);
        }
    }

    #[test]
    fn encoded_urls() {
        for (url, redacted) in [
            (
                "http://h.org/?u=ftp%3A%2F%2Fme%3Asecret%40h.org%2Fa&b=c@d",
                "http://h.org/?u=ftp%3A%2F%2Fme%3A***%40h.org%2Fa&b=c@d",
            ),
            // The inner URL ends before its "@", and at the end of the value.
            ("http://h.org/?u=ftp%3A%2F%2Fme%3Asec&b=1", "http://h.org/?u=ftp%3A%2F%2Fme%3A***&b=1"),
            ("hxxp://me:se[cret[@]h[.]org/", "hxxp://me:***[@]h[.]org/"),
            ("hxxp://me:[@]h[.]org/", "hxxp://me:***[@]h[.]org/"),
            ("x=ftp%3a%2f%2fme:secret@h.org", "x=ftp%3a%2f%2fme:***@h.org"),
            ("x=ftp%253A%252F%252Fme%253As%2525ecret%2540h", "x=ftp%253A%252F%252Fme%253A***%2540h"),
        ] {
            hides(url, redacted);
        }
    }

    #[test]
    fn nothing_else_is_hidden() {
        for url in [
            "ftp://me@h.org/a:b@c",
            "http://h.org:80/",
            "http://h.org:",
            "http://h.org:8080/?q=a@b.org",
            "http://h.org:12345/a@b",
            "http://h.org:12345",
            "http://h.org:1/a@b",
            "http://h.org/?q=a%40b%3Ac",
            "http://[2001:db8::1]:80/",
            "http://[2001:db8::1]/a:b",
            "mailto:me:x@h.org",
            "http://",
            "%",
            "%3A%2F%2F",
        ] {
            assert_eq!(redact(url.as_bytes()), None, "{url}");
        }
    }

    /// A user without a name and an empty password, and a port at its limits.
    #[test]
    fn what_is_a_port() {
        for (url, redacted) in [
            ("ftp://me:@h.org/", Some("ftp://me:***@h.org/")),
            ("http://h.org:80/a", None),
            ("http://h.org:65535", None),
            ("http://h.org:/a", None),
            ("http://h.org:123456", Some("http://h.org:***")),
            ("http://me@h.org:80/a", None),
        ] {
            let found = redact(url.as_bytes()).map(|found| String::from_utf8(found).unwrap());
            assert_eq!(found.as_deref(), redacted, "{url}");
        }
    }
}
