//! Compressed RTF in the streams of a message.

use std::io;

use super::compound::Stream;
use crate::archive::decode::tnef;
use crate::archive::source_map::Decoded;

/// The length of the header: the lengths of both forms, the kind and a checksum.
const HEADER: usize = 16;

/// RTF, and its place among the streams: that of the literal or reference for each byte.
/// What is not valid ends it.
///
/// # Errors
///
/// If it is too long.
pub(super) fn decompress(stream: &Stream) -> io::Result<Decoded> {
    let Some(header) = stream.bytes.first_chunk::<HEADER>() else {
        return Ok(Decoded::default());
    };
    let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    if &header[8..12] == b"LZFu" && len > tnef::MAX_RTF_LEN {
        let why = format!("the RTF of this message is longer than {} bytes, and not read", tnef::MAX_RTF_LEN);
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    let mut rtf = tnef::decompress(&stream.bytes).unwrap_or_default().decoded.moved(stream.at);
    rtf.bytes.truncate(len);
    Ok(rtf)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(kind: &[u8], len: u32, data: &[u8]) -> Stream {
        let header = [&[0; 4], &len.to_le_bytes()[..], kind, &[0; 4]].concat();
        Stream { bytes: [&header, data].concat(), at: 100 }
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
