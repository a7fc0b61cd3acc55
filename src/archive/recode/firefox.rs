//! Compressed JSON of Firefox: bookmarks, sessions and lists of search engines (`.jsonlz4`, `.baklz4`, `.mozlz4`).
//!
//! After a mark come the length of the text and one block of LZ4, which has no frame. What is decompressed has all of the
//! file.

use std::io;

/// How such a file begins, before the length.
const MARK: &[u8] = b"mozLz40\0";

/// Where the block begins.
const BLOCK: usize = MARK.len() + 4;

/// How long the text may be, in bytes.
const MAX_TEXT: usize = 64 * 1024 * 1024;

/// Whether `bytes` begin such a file.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// Whether more bytes could make `bytes` the beginning of such a file.
pub(super) fn may_begin(bytes: &[u8]) -> bool {
    MARK.starts_with(bytes)
}

/// The text of `file`.
///
/// # Errors
///
/// If the block is damaged, or the text is too long.
pub(super) fn read(file: &[u8]) -> io::Result<Vec<u8>> {
    let damaged = |why: String| {
        let why = format!("this compressed JSON of Firefox was not read: {why}");
        io::Error::new(io::ErrorKind::InvalidData, why)
    };
    let header = file.get(MARK.len()..BLOCK).and_then(|len| len.first_chunk());
    let len = u32::from_le_bytes(*header.ok_or_else(|| damaged("it ends too early".to_owned()))?) as usize;
    if len > MAX_TEXT {
        return Err(damaged(format!("it is longer than {MAX_TEXT} bytes")));
    }
    lz4_flex::block::decompress(&file[BLOCK..], len).map_err(|error| damaged(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(text: &[u8]) -> Vec<u8> {
        [MARK, &(text.len() as u32).to_le_bytes(), &lz4_flex::block::compress(text)].concat()
    }

    #[test]
    fn the_block_after_the_length() {
        let text = br#"{"uri": "http://h.org/a"}"#;
        let file = compressed(text);
        assert_eq!(read(&file).unwrap(), text);
    }

    #[test]
    fn damage_is_an_error() {
        let file = compressed(&b"http://h.org/a ".repeat(9));
        for len in [8, 11, file.len() - 1] {
            assert!(read(&file[..len]).is_err(), "{len}");
        }
        assert!(read(b"mozLz40\0\xFF\xFF\xFF\xFFx").is_err());
    }
}
