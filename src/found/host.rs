//! The host of a match, and what is computed from it: the port, and the URL in ASCII.

use std::borrow::Cow;

use super::Match;
#[cfg(feature = "idna")]
use super::ascii;
use super::form::Implied;
use crate::bytes::text;
use crate::grammar;

impl Match<'_> {
    /// The host in lower case: that of the authority or, in a `mailto:` URL, that of
    /// the address. `None` if the URL has none.
    ///
    /// Bytes that are not UTF-8 are replaced by U+FFFD.
    pub fn host(&self) -> Option<Cow<'_, str>> {
        let host = text::lossy(self.written_host()?);
        match host.bytes().any(|b| b.is_ascii_uppercase()) {
            true => Some(Cow::Owned(host.to_ascii_lowercase())),
            false => Some(host),
        }
    }

    fn written_host(&self) -> Option<&[u8]> {
        self.host_in(&self.url)
    }

    /// The host in `url`, which is a spelling of this one.
    fn host_in<'u>(&self, url: &'u [u8]) -> Option<&'u [u8]> {
        let until = |stops: &[u8]| url.iter().position(|b| stops.contains(b)).unwrap_or(url.len());
        match self.premises.implied() {
            Some(Implied::Http | Implied::Ftp) => return Some(&url[..until(b":/?#")]),
            None if !self.written_scheme().eq_ignore_ascii_case(b"mailto") => {
                return Some(grammar::authority(url)?.host());
            }
            _ => {}
        }
        let address = &url[..until(b"?")];
        memchr::memrchr(b'@', address).map(|at| &address[at + 1..])
    }

    /// The URL in ASCII, if it has other characters: the host in punycode (IDNA), all
    /// else percent-encoded.
    ///
    /// A host that IDNA refuses is percent-encoded, too. An implied scheme stays implied.
    ///
    /// ```
    /// let m = urlgrep::find("https://exämple.org/ü").unwrap();
    /// assert_eq!(m.ascii().as_deref(), Some("https://xn--exmple-cua.org/%C3%BC"));
    /// ```
    #[cfg(feature = "idna")]
    pub fn ascii(&self) -> Option<String> {
        self.ascii_of(&self.url)
    }

    /// [`ascii`](Self::ascii) of `url`, which is another spelling of this URL: normalized, or without its password.
    #[cfg(feature = "idna")]
    pub fn ascii_of(&self, url: &[u8]) -> Option<String> {
        if url.is_ascii() {
            return None;
        }
        let host = self.host_in(url).map(|host| {
            let start = host.as_ptr().addr() - url.as_ptr().addr();
            start..start + host.len()
        });
        Some(ascii::ascii(url, host))
    }

    /// The port to contact: the one in the URL or, if it has none, the default of the
    /// scheme. `None` if there is neither, or the port exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        let url = self.href();
        let authority = grammar::authority(&url)?;
        match authority.port() {
            Some(port @ [_, ..]) => std::str::from_utf8(port).ok()?.parse().ok(),
            _ => grammar::default_port(str::from_utf8(self.written_scheme()).ok()?),
        }
    }
}
