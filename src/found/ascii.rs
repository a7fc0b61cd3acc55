//! A URL in ASCII: the host in punycode, all else percent-encoded.

use std::borrow::Cow;
use std::ops::Range;

use idna::AsciiDenyList;

/// `url` in ASCII; its host is at `host`.
///
/// A host that IDNA refuses is percent-encoded, as RFC 3986 §3.2.2 has it.
pub(super) fn ascii(url: &[u8], host: Option<Range<usize>>) -> String {
    let host = host.unwrap_or(url.len()..url.len());
    let mut text = String::with_capacity(2 * url.len());
    encode(&mut text, &url[..host.start]);
    match punycode(&url[host.clone()]) {
        Some(name) => text.push_str(&name),
        None => encode(&mut text, &url[host.clone()]),
    }
    encode(&mut text, &url[host.end..]);
    text
}

fn punycode(host: &[u8]) -> Option<Cow<'_, str>> {
    if host.is_ascii() {
        return None;
    }
    idna::domain_to_ascii_cow(host, AsciiDenyList::EMPTY).ok()
}

/// Appends `part`, its bytes beyond ASCII percent-encoded (RFC 1738 §2.2).
fn encode(text: &mut String, part: &[u8]) {
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
    use super::*;

    #[test]
    fn a_host_that_idna_refuses_is_percent_encoded() {
        assert_eq!(
            ascii("x://ü@b\u{fc}cher.de:80/ü".as_bytes(), Some(7..17)),
            "x://%C3%BC@xn--bcher-kva.de:80/%C3%BC"
        );
        assert_eq!(ascii(b"x://\xFC/", Some(4..5)), "x://%FC/");
        assert_eq!(ascii("x:ü".as_bytes(), None), "x:%C3%BC");
    }
}
