//! Compressed JSON of Firefox: bookmarks, sessions and lists of search engines (`.jsonlz4`, `.baklz4`, `.mozlz4`).
//!
//! After a mark come the length of the text and one block of LZ4, which has no frame. The
//! decompressed text maps to the whole file.

use std::io;

use crate::bytes::buffer::Buffer;
use crate::bytes::large;

/// The beginning of such a file, before the length.
pub(super) const MAGIC: &[u8] = b"mozLz40\0";

/// The offset at which the block begins.
const BLOCK: usize = MAGIC.len() + 4;

/// The maximum length of the text, in bytes.
const MAX_TEXT: usize = 64 * 1024 * 1024;

/// The maximum ratio of the length of a text to its block: a byte of LZ4 adds at most 255 to a
/// length.
const MAX_RATIO: usize = 255;

/// The length of the text of a file that begins with `bytes`, as it is declared; 0 if that is unknown or too long.
pub(super) fn text_len(bytes: &[u8]) -> usize {
    declared_len(bytes).filter(|&len| len <= MAX_TEXT).unwrap_or_default()
}

fn declared_len(bytes: &[u8]) -> Option<usize> {
    let len = bytes.get(MAGIC.len()..BLOCK)?.first_chunk()?;
    Some(u32::from_le_bytes(*len) as usize)
}

/// Appends the text of `file` to `buffer`, and returns its length.
///
/// # Errors
///
/// Returns an error if the block is damaged, or the text is too long.
pub(super) fn read(file: &[u8], buffer: &mut Buffer) -> io::Result<usize> {
    let damaged = |why: String| {
        let why = format!("cannot decompress Firefox's JSON: {why}");
        io::Error::new(io::ErrorKind::InvalidData, why)
    };
    let len = declared_len(file).ok_or_else(|| damaged("it is truncated".to_owned()))?;
    if len > MAX_TEXT {
        return Err(damaged(format!("it is longer than {MAX_TEXT} bytes")));
    }
    let block = &file[BLOCK..];
    // A short block that declares a long text takes no memory for it.
    let len = len.min(MAX_RATIO * block.len());
    if !large::is_available(2 * len) {
        return Err(damaged(format!("out of memory for {len} bytes of text")));
    }
    buffer.push_with(len, |room| {
        lz4_flex::block::decompress_into(block, room).map_err(|error| damaged(error.to_string()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(text: &[u8]) -> Vec<u8> {
        [MAGIC, &(text.len() as u32).to_le_bytes(), &lz4_flex::block::compress(text)].concat()
    }

    fn text_of(file: &[u8]) -> io::Result<Vec<u8>> {
        let mut buffer = Buffer::default();
        let len = read(file, &mut buffer)?;
        assert_eq!(buffer.buffered().len(), len);
        Ok(buffer.buffered().to_vec())
    }

    #[test]
    fn the_block_after_the_length() {
        let zeros = vec![0; 1 << 20];
        for text in [&br#"{"uri": "http://h.org/a"}"#[..], b"", b"a", &zeros] {
            let mut file = compressed(text);
            assert_eq!(text_of(&file).unwrap(), text);
            assert_eq!(text_len(&file), text.len());
            // Longer than it is.
            file[8..12].copy_from_slice(&(MAX_TEXT as u32).to_le_bytes());
            assert_eq!(text_of(&file).unwrap(), text);
            assert_eq!(text_len(&file[..12]), MAX_TEXT);
            file[8..12].copy_from_slice(&(MAX_TEXT as u32 + 1).to_le_bytes());
            assert!(text_of(&file).is_err());
            assert_eq!((text_len(&file), text_len(&file[..11])), (0, 0));
        }
    }

    #[test]
    fn damage_is_an_error() {
        let file = compressed(&b"http://h.org/a ".repeat(9));
        for len in [8, 11, file.len() - 1] {
            assert!(text_of(&file[..len]).is_err(), "{len}");
        }
        assert!(text_of(b"mozLz40\0\xFF\xFF\xFF\xFFx").is_err());
    }
}
