//! The properties of a message in a compound file (MS-OXMSG §2.2, MS-OXPROPS): each in a
//! stream of its own, in the storage of the message or attachment; properties of a fixed length
//! together in one.

use std::io;

use super::Compound;
use crate::mail::{DATA, Properties, Stream, Value};
use crate::text::Text;

/// The beginning of the storage name of an attachment.
const ATTACHMENT: &str = "__attach";

/// The name of the stream with the properties of a fixed length.
pub(super) const FIXED_PROPERTIES: &str = "__properties_version1.0";

/// The types of a property: text in UTF-16, text in a code page, bytes, a storage.
const UNICODE: u16 = 0x001F;
const STRING8: u16 = 0x001E;
const BINARY: u16 = 0x0102;
const OBJECT: u16 = 0x000D;

/// The greatest length of text in UTF-16 that is read, in bytes: each change between characters of
/// one, two and three bytes in UTF-8 starts a run of the source map.
const MAX_TEXT_LEN: usize = 2 * 1024 * 1024;

/// The length of an entry of the properties of a fixed length.
const ENTRY: usize = 16;

/// The path of the stream of a property in the storage `base`.
fn property_path(base: &str, id: u16, kind: u16) -> String {
    format!("{base}/__substg1.0_{id:04X}{kind:04X}")
}

/// The value of a property of a fixed length, among those in the stream `fixed`, which has
/// a header before its entries.
fn fixed_property(fixed: &[u8], tag: u32) -> Option<u64> {
    // The header of a message is 32 bytes long, or 24 bytes in an attached message ([MS-OXMSG] 2.4.1). Entries are 16
    // bytes long, so only a stream with a 32-byte header has a length that is a multiple of 16.
    let header = if fixed.len().is_multiple_of(ENTRY) { 32 } else { 24 };
    let entries = fixed.get(header..)?.as_chunks::<ENTRY>().0;
    let entry = entries.iter().find(|entry| entry[..4] == tag.to_le_bytes())?;
    Some(u64::from_le_bytes(*entry.last_chunk()?))
}

/// A stream in UTF-16 as UTF-8.
fn utf_8<T: Text>(stream: &Stream) -> T {
    let mut text = T::default();
    let mut at = stream.at;
    for (character, len) in utf_16(&stream.bytes) {
        // A NUL ends a string where a program has written one.
        if character != '\0' {
            text.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at..at + len);
        }
        at += len;
    }
    text
}

/// The characters of text in UTF-16, each with the length of its encoding. What is not valid is a replacement
/// character.
fn utf_16(bytes: &[u8]) -> impl Iterator<Item = (char, usize)> {
    let (units, rest) = bytes.as_chunks();
    let incomplete = (!rest.is_empty()).then_some((char::REPLACEMENT_CHARACTER, rest.len()));
    let characters = char::decode_utf16(units.iter().map(|&unit| u16::from_le_bytes(unit)));
    let whole = characters.map(|c| c.map_or((char::REPLACEMENT_CHARACTER, 2), |c| (c, 2 * c.len_utf16())));
    whole.chain(incomplete)
}

/// The storage of a message or an attachment.
pub(super) struct Storage {
    path: String,
    /// The properties of a fixed length.
    fixed: Vec<u8>,
}

impl<T: Text> Properties<T> for Compound<'_> {
    type Place = String;
    type Item = Storage;

    fn message(&mut self, path: String) -> (Storage, Option<io::Error>) {
        let (fixed, error) = match self.read(&format!("{path}/{FIXED_PROPERTIES}")) {
            Ok(fixed) => (fixed.unwrap_or_default().bytes, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        (Storage { path, fixed }, error)
    }

    /// Properties of a fixed length are not needed for an attachment.
    fn attachment(&mut self, path: String) -> (Storage, Option<io::Error>) {
        (Storage { path, fixed: Vec::new() }, None)
    }

    fn value(&mut self, storage: &Storage, id: u16) -> io::Result<Option<Value<T>>> {
        if let Some(stream) = self.read(&property_path(&storage.path, id, UNICODE))? {
            if stream.bytes.len() > MAX_TEXT_LEN {
                let why =
                    format!("a text of this message is longer than {MAX_TEXT_LEN} bytes, and was skipped");
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
            return Ok(Some(Value::Text(utf_8(&stream))));
        }
        for kind in [STRING8, BINARY] {
            if let Some(stream) = self.read(&property_path(&storage.path, id, kind))? {
                return Ok(Some(Value::Bytes(stream)));
            }
        }
        Ok(None)
    }

    fn fixed(&self, storage: &Storage, tag: u32) -> Option<u64> {
        fixed_property(&storage.fixed, tag)
    }

    fn attachments(&mut self, message: &Storage) -> Vec<String> {
        let base = format!("{}/", message.path);
        let names = self.storages(&base).into_iter().filter(|name| name.starts_with(ATTACHMENT));
        names.map(|name| format!("{base}{name}")).collect()
    }

    fn embedded(&mut self, attachment: &Storage) -> Option<String> {
        let inner = property_path(&attachment.path, DATA, OBJECT);
        self.compound.is_stream(format!("{inner}/{FIXED_PROPERTIES}")).then_some(inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_of_a_fixed_length() {
        let entry = [&0x3FDE_0003_u32.to_le_bytes()[..], &[6, 0, 0, 0], &932_u64.to_le_bytes()].concat();
        for header in [32, 24] {
            let stream = [vec![0; header], entry.repeat(2)].concat();
            assert_eq!(fixed_property(&stream, 0x3FDE_0003), Some(932), "{header}");
            assert_eq!(fixed_property(&stream, 0x3FFD_0003), None);
        }
        assert_eq!(fixed_property(&[0; 8], 1), None);
    }

    #[test]
    fn characters_of_utf_16() {
        let found: Vec<_> = utf_16(b"a\0\x3D\xD8\0\xDE\0\xD8b\0\xE9").collect();
        assert_eq!(found, [('a', 2), ('\u{1F600}', 4), ('\u{FFFD}', 2), ('b', 2), ('\u{FFFD}', 1)]);
    }
}
