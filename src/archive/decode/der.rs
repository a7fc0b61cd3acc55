//! Signed data of S/MIME (RFC 8551, RFC 5652), as far as to the entity that is signed.
//!
//! The structure is in BER or DER: elements of a tag, a length and a content. The length
//! may be indefinite, and a string of octets may be in pieces, nested or not. The
//! signatures are not read.

use crate::archive::source_map::Decoded;

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;
const OCTETS: u8 = 0x04;
const OCTETS_IN_PIECES: u8 = 0x24;
const EXPLICIT_0: u8 = 0xA0;

/// 1.2.840.113549.1.7.2 and 1.2.840.113549.1.7.1 (RFC 5652 §4 and §5).
const SIGNED_DATA: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02";
const DATA: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01";

/// The content that is signed; `None` if `bytes` are something else, or damaged, or sign nothing.
///
/// RFC 5652 §5.1: ContentInfo { SignedData { version, algorithms, { DATA, content } } }.
pub(crate) fn signed_content(bytes: &[u8]) -> Option<Decoded> {
    let mut der = Der { bytes, at: 0 };
    der.enter(SEQUENCE)?;
    der.is(OBJECT_IDENTIFIER, SIGNED_DATA)?;
    der.enter(EXPLICIT_0)?;
    der.enter(SEQUENCE)?;
    der.skip()?;
    der.skip()?;
    der.enter(SEQUENCE)?;
    der.is(OBJECT_IDENTIFIER, DATA)?;
    der.enter(EXPLICIT_0)?;
    der.octets()
}

/// The elements of a structure.
struct Der<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// A tag, and the range of a content; `None` if its length is indefinite.
struct DerElement {
    tag: u8,
    start: usize,
    end: Option<usize>,
}

impl Der<'_> {
    /// The next element.
    fn element(&self) -> Option<DerElement> {
        let [tag, len, rest @ ..] = self.bytes.get(self.at..)? else { return None };
        // No tag of more than one byte is in signed data.
        let start = self.at + 2;
        let (start, end) = match len {
            0..=0x7F => (start, Some(start + usize::from(*len))),
            0x80 => (start, None),
            _ => {
                let digits = rest.get(..usize::from(len & 0x7F)).filter(|digits| digits.len() <= 4)?;
                let len = digits.iter().fold(0, |len, &digit| len << 8 | usize::from(digit));
                let start = start + digits.len();
                (start, Some(start.checked_add(len)?))
            }
        };
        Some(DerElement { tag: *tag, start, end })
    }

    /// Continues in the next element, which has this tag.
    fn enter(&mut self, tag: u8) -> Option<()> {
        let element = self.element().filter(|element| element.tag == tag)?;
        self.at = element.start;
        Some(())
    }

    /// Skips the next element, which has this tag and this content.
    fn is(&mut self, tag: u8, content: &[u8]) -> Option<()> {
        let element = self.element().filter(|element| element.tag == tag)?;
        let found = self.bytes.get(element.start..element.end?)?;
        self.at = element.end?;
        (found == content).then_some(())
    }

    /// Skips the next element.
    fn skip(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            let element = self.element()?;
            self.at = element.end.unwrap_or(element.start);
            match element.end {
                None => open += 1,
                Some(_) if element.tag == 0 => open = open.checked_sub(1)?,
                Some(_) => {}
            }
            if open == 0 {
                return Some(());
            }
        }
    }

    /// The content of a string of octets, whole or in pieces. A truncated string ends where the
    /// bytes end.
    fn octets(&mut self) -> Option<Decoded> {
        let mut octets = Decoded::default();
        let whole = self.element().filter(|whole| matches!(whole.tag, OCTETS | OCTETS_IN_PIECES))?;
        let end = whole.end.unwrap_or(self.bytes.len()).min(self.bytes.len());
        let mut open = 0_usize;
        while self.at < end {
            let Some(element) = self.element() else { break };
            match element.tag {
                OCTETS => {
                    let len = self.bytes.len();
                    octets.copy(self.bytes, element.start.min(len)..element.end?.min(len));
                }
                OCTETS_IN_PIECES => {
                    self.at = element.start;
                    open += usize::from(element.end.is_none());
                    continue;
                }
                0 => open = open.saturating_sub(1),
                _ => break,
            }
            self.at = element.end?;
            if open == 0 && whole.end.is_none() {
                break;
            }
        }
        (!octets.bytes.is_empty()).then_some(octets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An element of a length that is definite.
    fn element(tag: u8, content: &[u8]) -> Vec<u8> {
        let len = content.len();
        let mut element = match u8::try_from(len) {
            Ok(len @ ..0x80) => vec![tag, len],
            _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
        };
        element.extend_from_slice(content);
        element
    }

    /// One that is indefinite.
    fn indefinite(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[tag, 0x80], content, &[0, 0]].concat()
    }

    fn signed(make: fn(u8, &[u8]) -> Vec<u8>, content: &[u8]) -> Vec<u8> {
        let (version, algorithms) = (element(2, &[1]), make(0x31, &element(SEQUENCE, b"xyz")));
        let content = [element(OBJECT_IDENTIFIER, DATA), make(EXPLICIT_0, content)].concat();
        let data = [version, algorithms, make(SEQUENCE, &content), element(0x31, b"signature")].concat();
        let data =
            [element(OBJECT_IDENTIFIER, SIGNED_DATA), make(EXPLICIT_0, &make(SEQUENCE, &data))].concat();
        make(SEQUENCE, &data)
    }

    fn content(der: &[u8]) -> Option<String> {
        signed_content(der).map(|content| String::from_utf8(content.bytes).unwrap())
    }

    #[test]
    fn octets_whole_and_in_pieces() {
        let text = "Content-Type: text/plain\n\nhttp://h.org/".repeat(9);
        for make in [element, indefinite] {
            let whole = signed(make, &element(OCTETS, text.as_bytes()));
            assert_eq!(content(&whole).as_deref(), Some(&*text));
            let pieces: Vec<u8> =
                text.as_bytes().chunks(100).flat_map(|piece| element(OCTETS, piece)).collect();
            let nested = [make(OCTETS_IN_PIECES, &pieces), element(OCTETS, b"!")].concat();
            let pieces = signed(make, &make(OCTETS_IN_PIECES, &nested));
            assert_eq!(content(&pieces), Some(text.clone() + "!"));
        }
    }

    #[test]
    fn digits_of_a_length() {
        for digits in 1..=5 {
            let octets =
                [&[OCTETS, 0x80 | digits][..], &[0; 5][6 - usize::from(digits)..], b"\x04text"].concat();
            let expected = (digits <= 4).then(|| "text".to_owned());
            assert_eq!(content(&signed(indefinite, &octets)), expected, "{digits}");
        }
    }

    #[test]
    fn other_bytes() {
        let der = signed(element, &element(OCTETS, b"text"));
        for len in 0..der.len() - 15 {
            assert!(content(&der[..len]).is_none_or(|text| "text".starts_with(&text)), "{len}");
        }
        assert_eq!(content(b"text"), None);
        assert_eq!(content(&signed(element, &element(OCTETS, b""))), None);
        let mut encrypted = der.clone();
        encrypted[12] = 3;
        assert_eq!(content(&encrypted), None);
    }

    #[test]
    fn deep_pieces() {
        let deep = [[OCTETS_IN_PIECES, 0x80].repeat(1_000_000), element(OCTETS, b"text")].concat();
        assert_eq!(content(&signed(indefinite, &deep)).as_deref(), Some("text"));
    }
}
