//! The spelling of a URL in ASCII: IDNA and percent-encoding.

use std::ops::Range;

use super::Match;
use crate::bytes::haystack::Haystack;

impl<T: Haystack + ?Sized> Match<'_, T> {
    /// Returns the URL in ASCII, if it contains other characters: the host in punycode (IDNA), and
    /// the rest percent-encoded.
    ///
    /// A host that IDNA rejects is also percent-encoded. An implied scheme stays implied.
    ///
    /// ```
    /// let m = urlgrep::find("https://exämple.org/ü").unwrap();
    /// assert_eq!(m.ascii().as_deref(), Some("https://xn--exmple-cua.org/%C3%BC"));
    /// ```
    pub fn ascii(&self) -> Option<String> {
        self.ascii_of(&self.url)
    }

    /// Returns [`ascii`](Self::ascii) of `url`, which is another spelling of this URL: normalized,
    /// or without its password.
    pub fn ascii_of(&self, url: &[u8]) -> Option<String> {
        if url.is_ascii() {
            return None;
        }
        let host = self.host_in(url).map_or(url.len()..url.len(), |host| {
            let start = host.as_ptr().addr() - url.as_ptr().addr();
            start..start + host.len()
        });
        Some(ascii(url, host))
    }
}

/// `url` in ASCII: its host, which is at `host`, in punycode, all else percent-encoded.
///
/// A host that IDNA refuses is percent-encoded, as RFC 3986 §3.2.2 has it.
fn ascii(url: &[u8], host: Range<usize>) -> String {
    let mut text = String::with_capacity(2 * url.len());
    percent_encode(&mut text, &url[..host.start]);
    let name = &url[host.clone()];
    match idna::domain_to_ascii_cow(name, idna::AsciiDenyList::EMPTY) {
        Ok(punycode) if !name.is_ascii() => text.push_str(&punycode),
        _ => percent_encode(&mut text, name),
    }
    percent_encode(&mut text, &url[host.end..]);
    text
}

/// Appends `part`, its non-ASCII bytes percent-encoded (RFC 1738 §2.2).
fn percent_encode(text: &mut String, part: &[u8]) {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    for &byte in part {
        if byte.is_ascii() {
            text.push(byte.into());
        } else {
            let digit = |four: u8| char::from(DIGITS[usize::from(four & 15)]);
            text.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ascii;

    #[test]
    fn hosts_in_punycode_or_percent_encoded() {
        assert_eq!(
            ascii("x://ü@b\u{fc}cher.de:80/ü".as_bytes(), 7..17),
            "x://%C3%BC@xn--bcher-kva.de:80/%C3%BC"
        );
        assert_eq!(ascii("x://B\u{dc}CHER.de/".as_bytes(), 4..14), "x://xn--bcher-kva.de/");
        // A host in ASCII is kept as it is.
        assert_eq!(ascii("x://H.org/\u{e9}".as_bytes(), 4..9), "x://H.org/%C3%A9");
        assert_eq!(ascii(b"x://\xFC/", 4..5), "x://%FC/");
        assert_eq!(ascii("x:ü".as_bytes(), 4..4), "x:%C3%BC");
    }
}
