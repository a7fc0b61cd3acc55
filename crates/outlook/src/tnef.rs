//! TNEF, the `winmail.dat` of Outlook ([MS-OXTNEF]): the bodies of a message, and its
//! attachments.
//!
//! A stream of attributes, one of which is a list of properties. Only the attributes and
//! properties are read that have text or files:
//!
//! | attribute or property | what it is |
//! |---|---|
//! | attBody, PidTagBody | the body as text |
//! | PidTagBodyHtml | the body as HTML |
//! | PidTagRtfCompressed | the body as RTF, compressed |
//! | attAttachData | an attachment |

use std::ops::Range;

/// The first bytes of a stream.
pub const MARK: &[u8] = b"\x78\x9F\x3E\x22";

/// A body or an attachment, as a range of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TnefValue {
    /// The range of the value in the stream.
    pub range: Range<usize>,
    /// The kind of the value.
    pub kind: ValueKind,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Text in the code page of the message.
    Data,
    /// An attachment.
    File,
    /// Text in UTF-16.
    Wide,
    /// A page in HTML.
    Html,
    /// [Compressed RTF](crate::rtf).
    CompressedRtf,
}

/// Returns the values of a stream that may contain text, in order, or `None` if it is not TNEF. Damage ends them.
///
/// Takes linear time, and memory for the ranges.
pub fn values(bytes: &[u8]) -> Option<Vec<TnefValue>> {
    const BODY: u32 = 0x0002_800C;
    const ATTACHMENT: u32 = 0x0006_800F;
    const PROPERTIES: u32 = 0x0006_9003;
    if !bytes.starts_with(MARK) {
        return None;
    }
    let mut stream = TnefStream { bytes, at: MARK.len() };
    stream.skip(2)?;
    let mut values = Vec::new();
    while let Some((name, range)) = stream.attribute() {
        match name {
            BODY => values.push(TnefValue { range, kind: ValueKind::Data }),
            ATTACHMENT => values.push(TnefValue { range, kind: ValueKind::File }),
            PROPERTIES => {
                let mut properties = TnefStream { bytes: &bytes[..range.end], at: range.start };
                // Properties before damage are read.
                let _ = properties.properties(&mut values);
            }
            _ => {}
        }
    }
    Some(values)
}

/// A stream of numbers in little-endian order, and of values.
struct TnefStream<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl TnefStream<'_> {
    fn u32(&mut self) -> Option<u32> {
        let bytes = self.bytes.get(self.at..)?.first_chunk()?;
        self.at += 4;
        Some(u32::from_le_bytes(*bytes))
    }

    fn skip(&mut self, len: usize) -> Option<()> {
        self.at = self.at.checked_add(len).filter(|&at| at <= self.bytes.len())?;
        Some(())
    }

    /// A length, and as many bytes.
    fn value(&mut self) -> Option<Range<usize>> {
        let len = usize::try_from(self.u32()?).ok()?;
        let start = self.at;
        self.skip(len)?;
        Some(start..self.at)
    }

    /// A length, and as many bytes, padded to a multiple of four.
    fn padded(&mut self) -> Option<Range<usize>> {
        let value = self.value()?;
        // The padding of the last one may be missing.
        self.at += value.len().next_multiple_of(4) - value.len();
        Some(value)
    }

    /// The next attribute: its name, and the range of its data.
    fn attribute(&mut self) -> Option<(u32, Range<usize>)> {
        self.skip(1)?;
        let name = self.u32()?;
        let data = self.value()?;
        // The checksum of the last one may be missing.
        self.at += 2;
        Some((name, data))
    }

    /// Reads a list of properties.
    fn properties(&mut self, values: &mut Vec<TnefValue>) -> Option<()> {
        let count = self.u32()?;
        for _ in 0..count {
            let tag = self.u32()?;
            let (kind, id) = (tag & 0xFFFF, tag >> 16);
            if id >= 0x8000 {
                self.skip(16)?;
                match self.u32()? {
                    0 => self.skip(4)?,
                    _ => self.padded().map(|_| ())?,
                }
            }
            self.property(kind, id, values)?;
        }
        Some(())
    }

    /// Reads the values of a property.
    fn property(&mut self, kind: u32, id: u32, values: &mut Vec<TnefValue>) -> Option<()> {
        const MULTIPLE: u32 = 0x1000;
        let (string, wide, binary, object) = (0x1E, 0x1F, 0x102, 0x0D);
        let single = kind & !MULTIPLE;
        let is_long = [string, wide, binary, object].contains(&single);
        let count = if is_long || kind & MULTIPLE != 0 { self.u32()? } else { 1 };
        for _ in 0..count {
            if !is_long {
                self.skip(fixed_len(single)?)?;
                continue;
            }
            let range = self.padded()?;
            let kind = match id {
                0x1000 if single == wide => ValueKind::Wide,
                0x1000 => ValueKind::Data,
                0x1013 => ValueKind::Html,
                // A message has one; each may take much memory.
                0x1009 if !values.iter().any(|value| value.kind == ValueKind::CompressedRtf) => {
                    ValueKind::CompressedRtf
                }
                _ => continue,
            };
            values.push(TnefValue { range, kind });
        }
        Some(())
    }
}

/// The length in bytes of a value whose type has a fixed length.
fn fixed_len(kind: u32) -> Option<usize> {
    match kind {
        0x01..=0x04 | 0x0A | 0x0B => Some(4),
        0x05..=0x07 | 0x14 | 0x40 => Some(8),
        0x48 => Some(16),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(data: &[u8]) -> Vec<u8> {
        [&(data.len() as u32).to_le_bytes(), data].concat()
    }

    fn attribute(name: u32, data: &[u8]) -> Vec<u8> {
        [&[1][..], &name.to_le_bytes(), &value(data), &[0, 0]].concat()
    }

    #[test]
    fn other_files_have_no_values() {
        for bytes in [&b""[..], MARK, b"x\x9F\x3E", b"text with more bytes than a header"] {
            assert!(values(bytes).is_none(), "{}", bytes.escape_ascii());
        }
        assert!(values(&[MARK, &[0, 0]].concat()).is_some_and(|values| values.is_empty()));
    }

    #[test]
    fn bodies_and_attachments() {
        let property = |tag: u32, rest: &[u8]| [&tag.to_le_bytes()[..], rest].concat();
        let long = |data: &[u8]| {
            [&1_u32.to_le_bytes()[..], &value(data), &vec![0; data.len().next_multiple_of(4) - data.len()]]
                .concat()
        };
        let named = [&[0; 16][..], &1_u32.to_le_bytes(), &value(b"ab"), &[0; 2], &[7; 4]].concat();
        let properties = [
            4_u32.to_le_bytes().to_vec(),
            property(0x0E07_0003, &[0; 4]),
            property(0x8001_0003, &named),
            property(0x1013_0102, &long(b"<p>a")),
            property(0x1000_001F, &long(b"b\0c\0")),
        ]
        .concat();
        let stream = [
            &[0x78, 0x9F, 0x3E, 0x22, 1, 2][..],
            &attribute(0x0008_9006, &[0; 4]),
            &attribute(0x0002_800C, b"text"),
            &attribute(0x0006_9003, &properties),
            &attribute(0x0006_800F, b"file"),
        ]
        .concat();
        let values = values(&stream).unwrap();
        let found: Vec<_> = values.iter().map(|value| (&stream[value.range.clone()], value.kind)).collect();
        assert_eq!(
            found,
            [
                (&b"text"[..], ValueKind::Data),
                (b"<p>a", ValueKind::Html),
                (b"b\0c\0", ValueKind::Wide),
                (b"file", ValueKind::File)
            ]
        );
        for len in 0..stream.len() {
            let _ = super::values(&stream[..len]);
        }
        assert_eq!(super::values(b"text"), None);
    }

    /// A property of each type, before a body ([MS-OXCDATA] §2.11.1, [MS-OXTNEF] §2.1.3.4); one and several values.
    #[test]
    fn every_type_of_a_property() {
        let body = [&0x1000_001E_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), &value(b"text")].concat();
        let found = |kind: u32, values: &[u8]| {
            let property = [&(0x0E07_0000 | kind).to_le_bytes()[..], values].concat();
            let bytes = [&2_u32.to_le_bytes()[..], &property, &body].concat();
            let mut values = Vec::new();
            let is_whole = TnefStream { bytes: &bytes, at: 0 }.properties(&mut values).is_some();
            is_whole && values.len() == 1 && bytes.ends_with(&bytes[values[0].range.clone()])
        };
        for (kinds, len) in [
            // Integers and floating point, an error, a truth value; numbers and times of 8 bytes; a GUID.
            (&[0x01, 0x02, 0x03, 0x04, 0x0A, 0x0B][..], 4),
            (&[0x05, 0x06, 0x07, 0x14, 0x40], 8),
            (&[0x48], 16),
        ] {
            for &kind in kinds {
                assert!(found(kind, &vec![0xFF; len]), "{kind:#x}");
                let several = [&3_u32.to_le_bytes()[..], &vec![0xFF; 3 * len]].concat();
                assert!(found(0x1000 | kind, &several), "several of {kind:#x}");
            }
        }
        for kind in [0x0D, 0x1E, 0x1F, 0x102] {
            let one = [&value(b"ab")[..], &[0; 2]].concat();
            assert!(found(kind, &[&1_u32.to_le_bytes()[..], &one].concat()), "{kind:#x}");
            assert!(
                found(0x1000 | kind, &[&2_u32.to_le_bytes()[..], &one, &one].concat()),
                "several of {kind:#x}"
            );
        }
        assert!(!found(0x49, &[0xFF; 4]));
    }
}
