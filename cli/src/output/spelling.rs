//! `--normalize` and `--redact`: how URLs are spelled in the output.

use std::borrow::Cow;

use urlgrep::grammar;

use super::redact::redact;

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
        if self.redact { redact(&url).map_or(url, Cow::Owned) } else { url }
    }

    /// Other bytes of the input, such as a path, which may contain URLs.
    pub fn of_bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let redacted = self.redact.then(|| redact(bytes)).flatten();
        redacted.map_or(Cow::Borrowed(bytes), Cow::Owned)
    }

    /// A header field of a message, which may contain URLs.
    pub fn of_text(&self, text: String) -> String {
        match self.of_bytes(text.as_bytes()) {
            Cow::Owned(redacted) => String::from_utf8_lossy(&redacted).into_owned(),
            Cow::Borrowed(_) => text,
        }
    }

    /// A URL as it is compared with others.
    pub fn compared<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        if self.normalize { grammar::normalize(url) } else { Cow::Borrowed(url) }
    }
}
