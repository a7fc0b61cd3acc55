//! The header of a file that `lzma` wrote, which has no magic number: a byte of
//! properties, the length of the dictionary, the length of the data.
//!
//! A file is one if all three are what encoders write, as in xz: a dictionary of a power
//! of two bytes, or of one and a half times that; a length below 256 GiB, or none. No text
//! has such bytes.

/// The length of the header, and of the first byte after it, which is zero.
pub(super) const HEADER: usize = 14;

/// The smallest dictionary of an encoder, in bytes.
const SMALLEST: u32 = 4096;

/// The data may be no longer than this, in bytes.
const MAX_DATA_LEN: u64 = 1 << 38;

/// Whether a file may begin with these bytes.
pub(super) fn begins(head: &[u8; HEADER]) -> bool {
    let [properties, a, b, c, d, length @ .., first] = *head;
    let (dictionary, length) = (u32::from_le_bytes([a, b, c, d]), u64::from_le_bytes(length));
    is_properties(properties)
        && is_dictionary(dictionary)
        && (length < MAX_DATA_LEN || length == u64::MAX)
        && first == 0
}

/// Whether more bytes after `head` could make it such a file.
pub(super) fn may_begin(head: &[u8]) -> bool {
    head.len() < HEADER
        && head.first().is_some_and(|&properties| is_properties(properties))
        && head.get(1).is_none_or(|&low| low == 0)
        && head
            .get(1..)
            .and_then(<[u8]>::first_chunk)
            .is_none_or(|&len| is_dictionary(u32::from_le_bytes(len)))
}

/// Three numbers below 9, 5 and 5 in one.
fn is_properties(byte: u8) -> bool {
    byte < 9 * 5 * 5
}

fn is_dictionary(len: u32) -> bool {
    let below = len & (len.wrapping_sub(1));
    // At most one more bit than the highest, right after it.
    len >= SMALLEST && (below == 0 || below.is_power_of_two() && len == below + below / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(properties: u8, dictionary: u32, length: u64) -> [u8; HEADER] {
        let mut header = [0; HEADER];
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
            header(224, 1 << 31, 1 << 37),
        ] {
            assert!(begins(&head), "{head:?}");
            assert!((1..HEADER).all(|len| may_begin(&head[..len])), "{head:?}");
        }
    }

    #[test]
    fn other_bytes() {
        for head in [
            header(225, 8 << 20, 9),
            header(0x5d, 0, 9),
            header(0x5d, 5 << 20, 9),
            header(0x5d, 7 << 20, 9),
            header(0x5d, 8 << 20, 1 << 38),
            *b"]\0\0\x80\0http://h.",
            *b"a\0b\0c\0d\0e\0f\0g\0",
            *b"a\0\0\0b\0\0\0c\0\0\0d\0",
            *b"@\0\0\0@\0\0\0c\0\0\0d\0",
        ] {
            assert!(!begins(&head), "{}", head.escape_ascii());
        }
        assert!(!may_begin(b"ab"));
    }
}
