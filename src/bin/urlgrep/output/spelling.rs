//! `--normalize` and `--redact`: how URLs are spelled in the output.

use std::borrow::Cow;

use urlgrep::grammar;

/// What replaces a password.
const HIDDEN: &[u8] = b"***";

/// How URLs are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    pub normalize: bool,
    pub redact: bool,
}

impl Spelling {
    /// A URL as it is printed.
    pub fn of<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        let url = self.compared(url);
        if !self.redact {
            return url;
        }
        redact(&url).map_or(url, Cow::Owned)
    }

    /// A header field of a message, which may contain URLs.
    pub fn of_text(&self, text: String) -> String {
        let redacted = self.redact.then(|| redact(text.as_bytes())).flatten();
        redacted.map_or(text, |redacted| String::from_utf8_lossy(&redacted).into_owned())
    }

    /// A URL as it is compared with others.
    pub fn compared<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        if self.normalize { grammar::normalize(url) } else { Cow::Borrowed(url) }
    }
}

/// The URL without its passwords; none if it has no password. A password is what
/// follows the first colon of the userinfo, also in a URL within the URL.
fn redact(url: &[u8]) -> Option<Vec<u8>> {
    let mut redacted = Vec::new();
    let mut rest = url;
    while let Some(slashes) = memchr::memmem::find(rest, b"://") {
        let (before, after) = rest.split_at(slashes + "://".len());
        redacted.extend_from_slice(before);
        rest = after;
        let authority = after.split(|byte| b"/?#".contains(byte)).next().unwrap_or_default();
        let userinfo = memchr::memrchr(b'@', authority).map(|at| &authority[..at]);
        let colon = userinfo.and_then(|userinfo| memchr::memchr(b':', userinfo));
        if let (Some(userinfo), Some(colon)) = (userinfo, colon) {
            redacted.extend_from_slice(&userinfo[..colon + 1]);
            redacted.extend_from_slice(HIDDEN);
            rest = &after[userinfo.len()..];
        }
    }
    redacted.extend_from_slice(rest);
    (redacted != url).then_some(redacted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden() {
        for (url, redacted) in [
            ("ftp://me:secret@h.org/a", "ftp://me:***@h.org/a"),
            ("ftp://me:se:cr@t@h.org", "ftp://me:***@h.org"),
            ("ftp://:@h.org/", "ftp://:***@h.org/"),
            (
                "http://a.org/x=ftp://me:secret@h.org/?http://u:p@b.org",
                "http://a.org/x=ftp://me:***@h.org/?http://u:***@b.org",
            ),
            ("://me:secret@h.org", "://me:***@h.org"),
        ] {
            assert_eq!(redact(url.as_bytes()).as_deref(), Some(redacted.as_bytes()), "{url}");
        }
        for url in ["ftp://me@h.org/a:b@c", "http://h.org:80/", "mailto:me:x@h.org", "http://"] {
            assert_eq!(redact(url.as_bytes()), None, "{url}");
        }
    }
}
