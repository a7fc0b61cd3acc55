//! The formats of compressed files, and how they are recognised.

use std::io::Read;

use super::lzw;
use super::peek::PeekReader;

/// The number of bytes that decide the format of a compressed file.
pub(super) const HEAD: usize = LZMA_HEADER;

/// The greatest length of the line before a compressed batch of news, in bytes.
const BATCH: usize = 32;

/// The format of a compressed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    Lz4,
    Lzma,
    Lzip,
    Compress,
}

/// The formats in the order of [`Compression`], in which they are tried: the name, and the first
/// bytes.
static FORMATS: [(Compression, &str, &[u8]); 8] = [
    (Compression::Gzip, "gzip", b"\x1f\x8b\x08"),
    (Compression::Bzip2, "bzip2", b"BZh"),
    (Compression::Xz, "xz", b"\xfd7zXZ\0"),
    (Compression::Zstd, "zstd", b"\x28\xb5\x2f\xfd"),
    (Compression::Lz4, "lz4", b"\x04\x22\x4d\x18"),
    // The header of lzma data has no magic number.
    (Compression::Lzma, "lzma", b""),
    (Compression::Lzip, "lzip", b"LZIP\x01"),
    (Compression::Compress, "compress", b"\x1f\x9d"),
];

impl Compression {
    /// The format of a file that begins with `head`; `None` if it is not compressed.
    pub(crate) fn of(head: &[u8]) -> Option<Compression> {
        FORMATS.iter().map(|row| row.0).find(|one| one.begins(head))
    }

    /// Returns true if a file that begins with `head` has this format.
    pub(super) fn begins(self, head: &[u8]) -> bool {
        match self {
            Compression::Bzip2 => matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', ..]),
            Compression::Zstd => head.starts_with(self.magic()) || is_skippable(head),
            Compression::Compress => head.first_chunk().is_some_and(lzw::begins),
            Compression::Lzma => head.first_chunk().is_some_and(is_lzma),
            _ => head.starts_with(self.magic()),
        }
    }

    /// Returns true if more bytes after `head` could make it a file of this format.
    fn may_begin(self, head: &[u8]) -> bool {
        let len = head.len().min(self.magic().len());
        match self {
            Compression::Lzma => may_be_lzma(head),
            _ => head.len() < HEAD && (head[..len] == self.magic()[..len] || is_skippable(head)),
        }
    }

    fn magic(self) -> &'static [u8] {
        FORMATS[self as usize].2
    }

    pub(super) fn name(self) -> &'static str {
        FORMATS[self as usize].1
    }
}

/// Returns true if more bytes after `head` could make it a compressed file.
pub(crate) fn may_begin(head: &[u8]) -> bool {
    head.is_empty() || FORMATS.iter().any(|row| row.0.may_begin(head))
}

/// Skips the line that declares how a news batch was compressed:
/// `#! cunbatch`, `#! gunbatch` and so on; returns whether there was one. The data
/// have a magic number of their own.
pub(crate) fn skip_batch_line(input: &mut PeekReader<impl Read>) -> bool {
    let line = input.peek_while(BATCH, |line| {
        let mark = &b"#! "[..line.len().min(3)];
        line.starts_with(mark) && !line.contains(&b'\n')
    });
    let Some(end) = batch_line_end(line) else { return false };
    input.consume(end);
    true
}

/// Returns the end of the line that declares how a news batch was compressed, if `head` begins
/// with one.
pub(crate) fn batch_line_end(head: &[u8]) -> Option<usize> {
    let near = &head[..head.len().min(BATCH)];
    let end = memchr::memchr(b'\n', near).filter(|_| near.starts_with(b"#! "))?;
    near[..end].trim_ascii_end().ends_with(b"unbatch").then_some(end + 1)
}

/// Returns true if a skippable frame begins here, which decoders ignore; both formats have them.
pub(super) fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

// The header of a file that `lzma` wrote, which has no magic number: a byte of
// properties, the length of the dictionary, the length of the data.
//
// A file is one if all three are what encoders write, as in xz: a dictionary of a power
// of two bytes, or of one and a half times that; a length below 256 GiB, or an unknown length.
// No text begins with such bytes.

/// The length of the header, and of the first byte after it, which is zero.
pub(super) const LZMA_HEADER: usize = 14;

/// The smallest dictionary of an encoder, in bytes.
const SMALLEST_DICTIONARY: u32 = 4096;

/// The largest dictionary, in bytes. A larger value means an EMF image, which starts like lzma.
const LARGEST_DICTIONARY: u32 = 1 << 30;

/// The data may be no longer than this, in bytes.
const MAX_DATA_LEN: u64 = 1 << 38;

/// Returns true if a file may begin with these bytes.
pub(super) fn is_lzma(head: &[u8; LZMA_HEADER]) -> bool {
    let [properties, a, b, c, d, length @ .., first] = *head;
    let (dictionary, length) = (u32::from_le_bytes([a, b, c, d]), u64::from_le_bytes(length));
    is_properties(properties)
        && is_dictionary(dictionary)
        && (length < MAX_DATA_LEN || length == u64::MAX)
        && first == 0
}

/// Returns true if more bytes after `head` could make it such a file.
pub(super) fn may_be_lzma(head: &[u8]) -> bool {
    head.len() < LZMA_HEADER
        && head.first().is_some_and(|&properties| is_properties(properties))
        && head.get(1).is_none_or(|&low| low == 0)
        && head
            .get(1..)
            .and_then(<[u8]>::first_chunk)
            .is_none_or(|&len| is_dictionary(u32::from_le_bytes(len)))
}

/// Returns true if the byte packs three numbers below 9, 5 and 5 (lc, lp and pb).
fn is_properties(byte: u8) -> bool {
    byte < 9 * 5 * 5
}

fn is_dictionary(len: u32) -> bool {
    let below = len & (len.wrapping_sub(1));
    // Only the highest bit is set, or the two highest.
    (SMALLEST_DICTIONARY..=LARGEST_DICTIONARY).contains(&len)
        && (below == 0 || below.is_power_of_two() && len == below + below / 2)
}

/// The window of a zstd frame, in bytes (RFC 8878 section 3.1.1.1.2); `None` if it is as long as the content.
pub(super) fn zstd_window(head: &[u8; HEAD]) -> Option<u64> {
    let (descriptor, window) = (head[4], head[5]);
    let is_single_segment = descriptor & 0x20 != 0;
    let base = 1_u64 << (10 + (window >> 3));
    (!is_single_segment).then(|| base + base / 8 * u64::from(window & 7))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(properties: u8, dictionary: u32, length: u64) -> [u8; LZMA_HEADER] {
        let mut header = [0; LZMA_HEADER];
        header[0] = properties;
        header[1..5].copy_from_slice(&dictionary.to_le_bytes());
        header[5..13].copy_from_slice(&length.to_le_bytes());
        header
    }

    #[test]
    fn headers_of_encoders() {
        for head in [
            header(0x5d, 8 << 20, u64::MAX),
            header(0x5d, 3 << 20, 1000),
            header(0, 4096, 0),
            header(0, 4096 + 2048, 0),
            header(0x5d, 8 << 20, (1 << 38) - 1),
            header(224, 1 << 30, 1 << 37),
        ] {
            assert!(is_lzma(&head), "{head:?}");
            assert!((1..LZMA_HEADER).all(|len| may_be_lzma(&head[..len])), "{head:?}");
        }
    }

    #[test]
    fn other_bytes() {
        for head in [
            header(225, 8 << 20, 9),
            header(0x5d, 0, 9),
            header(0x5d, 2048, 9),
            header(0x5d, 3 << 10, 9),
            header(0x5d, 3 << 29, 9),
            header(0x5d, 1 << 31, 9),
            header(0x5d, 8 << 20, u64::MAX - 1),
            header(0x5d, 5 << 20, 9),
            header(0x5d, 7 << 20, 9),
            header(0x5d, 8 << 20, 1 << 38),
            // EMF, whose header is 128 bytes long.
            header(1, 128 << 24, 0),
            *b"]\0\0\x80\0http://h.",
            *b"a\0b\0c\0d\0e\0f\0g\0",
            *b"a\0\0\0b\0\0\0c\0\0\0d\0",
            *b"@\0\0\0@\0\0\0c\0\0\0d\0",
        ] {
            assert!(!is_lzma(&head), "{}", head.escape_ascii());
        }
        assert!(!may_be_lzma(b"ab"));
    }
}
