//! IP addresses as RFC 3986 section 3.2.2 writes them in a host.
//!
//! The standard library parses the same notation, but its errors have no offset. The
//! tests compare the two.

use super::chars::HEX;

/// `IPv6address`, without its brackets.
///
/// # Errors
///
/// Returns the offset of the first byte that is not valid, or the length if the
/// address ends too early.
pub(super) fn v6(text: &[u8]) -> Result<(), usize> {
    // "::" is one or more groups of zeros, and may occur once.
    let mut compressed = text.starts_with(b"::");
    let mut groups = 0;
    let mut at = if compressed { 2 } else { 0 };
    while at < text.len() || (groups == 0 && !compressed) {
        let room = if compressed { 7 } else { 8 } - groups;
        let width = hex_digits(&text[at..]);
        if text.get(at + width) == Some(&b'.') && room >= 2 {
            // The last two groups may be written as an IPv4 address.
            v4(&text[at..]).map_err(|flaw| at + flaw)?;
            groups += 2;
            at = text.len();
            break;
        }
        if width == 0 || room == 0 {
            return Err(at);
        }
        groups += 1;
        at += width;
        match (text.get(at), text.get(at + 1)) {
            (None, _) => break,
            _ if room == 1 => return Err(at),
            (Some(b':'), Some(b':')) if compressed => return Err(at + 1),
            (Some(b':'), Some(b':')) => (compressed, at) = (true, at + 2),
            // Another group must follow a single colon.
            (Some(b':'), None) => return Err(at + 1),
            (Some(b':'), _) => at += 1,
            _ => return Err(at),
        }
    }
    if compressed || groups == 8 { Ok(()) } else { Err(at) }
}

/// How many hex digits `text` starts with, at most four: `h16 = 1*4HEXDIG`.
fn hex_digits(text: &[u8]) -> usize {
    let digits = text.iter().take(4).take_while(|&&byte| HEX.has(byte));
    digits.count()
}

/// `IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet`
fn v4(text: &[u8]) -> Result<(), usize> {
    let mut at = 0;
    for group in 0..4 {
        if group > 0 {
            if text.get(at) != Some(&b'.') {
                return Err(at);
            }
            at += 1;
        }
        at += dec_octet(&text[at..]).map_err(|flaw| at + flaw)?;
    }
    if at == text.len() { Ok(()) } else { Err(at) }
}

/// The length of a `dec-octet`, which is 0 to 255 without leading zeros.
fn dec_octet(text: &[u8]) -> Result<usize, usize> {
    let mut value = 0;
    let mut width = 0;
    while let Some(digit @ b'0'..=b'9') = text.get(width) {
        let leading_zero = width > 0 && value == 0;
        value = value * 10 + u32::from(digit - b'0');
        if leading_zero || value > 255 {
            return Err(width);
        }
        width += 1;
    }
    if width == 0 { Err(0) } else { Ok(width) }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use proptest::prelude::*;

    use super::v6;

    #[test]
    fn flaws_have_offsets() {
        for (text, flaw) in [
            ("", 0),
            (":", 0),
            ("1:2", 3),
            ("1:", 2),
            (":::", 2),
            ("1::2::3", 5),
            ("12345::", 4),
            ("1:2:3:4:5:6:7:8:9", 15),
            ("1:2:3:4:5:6:7::8", 15),
            ("1:2:3:4:5:6:7:8::", 15),
            ("::1.2.3", 7),
            ("::1.2.3.256", 10),
            ("::01.2.3.4", 3),
            ("::1.2.3.4:5", 9),
            ("::g", 2),
        ] {
            assert_eq!(v6(text.as_bytes()), Err(flaw), "{text}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(text in "((::)?[0-9a-f]{1,5}(::?)?){0,9}(::)?([0-9]{1,3}\\.){0,4}[0-9]{0,3}") {
            prop_assert_eq!(v6(text.as_bytes()).is_ok(), text.parse::<Ipv6Addr>().is_ok());
        }

        #[test]
        fn agrees_on_near_misses(text in "([0-9f]{1,2}::?){0,8}(:|[0-9f]|1\\.2\\.3\\.4)?") {
            prop_assert_eq!(v6(text.as_bytes()).is_ok(), text.parse::<Ipv6Addr>().is_ok());
        }
    }
}
