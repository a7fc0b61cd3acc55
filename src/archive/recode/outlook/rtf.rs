//! Compressed RTF (MS-OXRTFCP): literals, and references to what was written before.

use std::io;

use super::compound::Stream;
use crate::archive::source_map::Decoded;

/// The length of the header: the lengths of both forms, the kind and a checksum.
const HEADER: usize = 16;

/// The length of the dictionary, a ring.
const RING: usize = 4096;

/// What is in the dictionary before the first byte.
const INITIAL: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \
    \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \
    \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// The greatest length of RTF that is read, in bytes: each reference takes memory.
const LONGEST: usize = 2 * 1024 * 1024;

/// RTF, and its place among the streams: that of the literal or reference for each byte.
/// What is not valid ends it.
///
/// # Errors
///
/// If it is too long.
pub(super) fn decompress(stream: &Stream) -> io::Result<Decoded> {
    let mut rtf = Decoded::default();
    let Some((header, data)) = stream.bytes.split_at_checked(HEADER) else {
        return Ok(rtf);
    };
    let at = stream.at + HEADER;
    let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    if &header[8..12] == b"MELA" {
        let len = len.min(data.len());
        rtf.put(&data[..len], at..at + len);
    } else if &header[8..12] == b"LZFu" {
        if len > LONGEST {
            let why = format!("the RTF of this message is longer than {LONGEST} bytes, and not read");
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        expand(data, at, len, &mut rtf);
        rtf.bytes.truncate(len);
    }
    Ok(rtf)
}

/// Expands `data`, which is at `at` of the streams, to `len` bytes.
fn expand(data: &[u8], at: usize, len: usize, rtf: &mut Decoded) {
    let mut ring = [0; RING];
    ring[..INITIAL.len()].copy_from_slice(INITIAL);
    let mut write = INITIAL.len();
    let mut read = 0;
    while let Some(&control) = data.get(read).filter(|_| rtf.bytes.len() < len) {
        read += 1;
        for bit in 0..8 {
            if control >> bit & 1 == 0 {
                let Some(&literal) = data.get(read) else { return };
                rtf.put(&[literal], at + read..at + read + 1);
                ring[write] = literal;
                write = (write + 1) % RING;
                read += 1;
                continue;
            }
            let Some(&[high, low]) = data.get(read..).and_then(|rest| rest.first_chunk()) else { return };
            let (from, len) = (usize::from(high) << 4 | usize::from(low) >> 4, usize::from(low & 15) + 2);
            // A reference to what comes next is the end.
            if from == write {
                return;
            }
            let mut copied = [0; 17];
            for (n, byte) in copied[..len].iter_mut().enumerate() {
                *byte = ring[(from + n) % RING];
                ring[write] = *byte;
                write = (write + 1) % RING;
            }
            rtf.put(&copied[..len], at + read..at + read + 2);
            read += 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(kind: &[u8], len: u32, data: &[u8]) -> Stream {
        let header = [&[0; 4], &len.to_le_bytes()[..], kind, &[0; 4]].concat();
        Stream { bytes: [&header, data].concat(), at: 100 }
    }

    #[test]
    fn the_dictionary() {
        assert_eq!(INITIAL.len(), 207);
    }

    #[test]
    fn the_example_of_the_specification() {
        // MS-OXRTFCP §4.1.
        let simple = b"\x03\x00\x0a\x00rcpg125B2\x0a\xf3 hel\x09\x00 bw\x05\xb0ld}\x0a\x80\x0f\xa0";
        let rtf = decompress(&stream(b"LZFu", 43, simple)).unwrap();
        assert_eq!(String::from_utf8_lossy(&rtf.bytes), "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
    }

    #[test]
    fn rtf_that_is_not_compressed() {
        let rtf = decompress(&stream(b"MELA", 6, b"{\\rtf}and more")).unwrap();
        assert_eq!(rtf.bytes, b"{\\rtf}");
        assert_eq!(rtf.map.sources(0..6), [116..122]);
    }

    #[test]
    fn damage_ends_it() {
        let whole = b"\x00abcdefgh\x01\x00\x00";
        for cut in 0..whole.len() {
            assert!(decompress(&stream(b"LZFu", 8, &whole[..cut])).unwrap().bytes.len() <= 8);
        }
        assert!(decompress(&stream(b"what", 8, whole)).unwrap().bytes.is_empty());
        assert!(decompress(&Stream::default()).unwrap().bytes.is_empty());
        assert!(decompress(&stream(b"LZFu", u32::MAX, whole)).is_err());
    }
}
