//! The HTTP codings of bodies: Transfer-Encoding: chunked (RFC 9112 §7.1) and Content-Encoding:
//! gzip, deflate, br, zstd (RFC 9110 §8.4.1, RFC 9659).
//!
//! Many crawlers store a body without its codings, but keep the fields that declare them. So a body
//! is decoded only if it begins like encoded data, and otherwise it is read verbatim.
//!
//! A chunked body maps back byte by byte. In compressed data, bytes of text do not have separate
//! source bytes: each maps to the whole body.

use std::io::{self, Read};

use memchr::memchr;

use crate::archive::container::files::Files;
use crate::archive::limits::MAX_BODY_LEN;
use crate::archive::source_map::Decoded;
use crate::bytes::large;

/// The number of body bytes that are decoded at once.
const STEP: usize = 64 * 1024;

/// The buffer of a decoder, in bytes.
const BUFFER: usize = 4096;

/// A chunked body without the lines between its chunks; `None` if it does not begin with the length
/// of a chunk. The bytes after a chunk with a wrong length are copied.
pub(crate) fn dechunked(bytes: &[u8]) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    let (mut at, mut len) = chunk(bytes, 0)?;
    while len > 0 {
        let end = at.saturating_add(len).min(bytes.len());
        decoded.copy(bytes, at..end);
        let next = end + line_end(&bytes[end..]);
        match chunk(bytes, next).filter(|_| next > end) {
            Some(next) => (at, len) = next,
            None => {
                decoded.copy(bytes, end..bytes.len());
                break;
            }
        }
    }
    Some(decoded)
}

/// Returns the beginning of the chunk with its length at `at`, and the length.
fn chunk(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let line = &bytes[at..];
    let line = &line[..memchr(b'\n', &line[..line.len().min(BUFFER)])?];
    let (size, _extension) = line.split_at(memchr(b';', line).unwrap_or(line.len()));
    let size = std::str::from_utf8(size.trim_ascii()).ok().filter(|size| !size.starts_with('+'))?;
    let size = u64::from_str_radix(size, 16).ok()?;
    // A longer chunk contains all remaining bytes, on any processor.
    Some((at + line.len() + 1, usize::try_from(size).unwrap_or(usize::MAX)))
}

fn line_end(bytes: &[u8]) -> usize {
    match bytes {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

/// A body with its content coding decoded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DecodedBody {
    /// The body is not encoded.
    Verbatim,
    /// The decoded bytes, and true if they are all. If not, it is damaged or longer than [`MAX_BODY_LEN`] after them.
    Decoded(Vec<u8>, bool),
    /// The coding is unknown.
    Unknown,
}

/// Decodes the content coding with this name. Calls `grow` with a length before the content reaches
/// it.
pub(crate) fn decode(bytes: &[u8], coding: &[u8], grow: &dyn Fn(usize)) -> DecodedBody {
    match &*coding.to_ascii_lowercase() {
        b"" | b"identity" | b"none" => DecodedBody::Verbatim,
        b"gzip" | b"x-gzip" if bytes.starts_with(b"\x1f\x8b") => {
            content(flate2::read::MultiGzDecoder::new(bytes), grow)
        }
        b"deflate" => deflate(bytes, grow),
        b"br" if !is_text(bytes) => content(brotli_decompressor::Decompressor::new(bytes, BUFFER), grow),
        b"zstd" if bytes.starts_with(b"\x28\xb5\x2f\xfd") => zstd(bytes, grow),
        b"gzip" | b"x-gzip" | b"br" | b"zstd" => DecodedBody::Verbatim,
        _ if is_text(bytes) => DecodedBody::Verbatim,
        _ => DecodedBody::Unknown,
    }
}

/// `deflate` is the format of zlib; some servers send the data without its header.
fn deflate(bytes: &[u8], grow: &dyn Fn(usize)) -> DecodedBody {
    match *bytes {
        [first, second, ..]
            if first & 0x0F == 8 && u16::from_be_bytes([first, second]).is_multiple_of(31) =>
        {
            content(flate2::read::ZlibDecoder::new(bytes), grow)
        }
        _ if is_text(bytes) => DecodedBody::Verbatim,
        _ => content(flate2::read::DeflateDecoder::new(bytes), grow),
    }
}

fn zstd(bytes: &[u8], grow: &dyn Fn(usize)) -> DecodedBody {
    // `Files` limits the memory that a frame may request.
    match Files::new(bytes).and_then(|mut files| Ok(files.next_file()?.map(|file| content(file, grow)))) {
        Ok(Some(content)) => content,
        _ => DecodedBody::Decoded(Vec::new(), false),
    }
}

fn content(decoder: impl Read, grow: &dyn Fn(usize)) -> DecodedBody {
    let (text, error) = read(decoder, grow);
    DecodedBody::Decoded(text, error.is_none())
}

/// Returns the output of `decoder`, at most [`MAX_BODY_LEN`] bytes, and the reason why it is
/// incomplete. Calls `grow` with a length before the output reaches it.
pub(crate) fn read(decoder: impl Read, grow: &dyn Fn(usize)) -> (Vec<u8>, Option<io::Error>) {
    let mut text = Vec::new();
    let mut decoder = decoder.take(MAX_BODY_LEN as u64 + 1);
    let error = loop {
        grow(text.len() + STEP);
        large::prepare(&mut text, STEP);
        match decoder.by_ref().take(STEP as u64).read_to_end(&mut text) {
            Ok(0) if text.len() <= MAX_BODY_LEN => break None,
            Ok(0) => break Some(io::Error::other(format!("it is longer than {} MiB", MAX_BODY_LEN >> 20))),
            Ok(_) => {}
            Err(error) => break Some(error),
        }
    };
    text.truncate(MAX_BODY_LEN);
    (text, error)
}

/// Returns true if the first bytes are text, which compressed data are not.
fn is_text(bytes: &[u8]) -> bool {
    let near = &bytes[..bytes.len().min(64)];
    near.iter().all(|&b| b >= b' ' && b != 0x7F || matches!(b, b'\t' | b'\n' | b'\r' | 0x0C))
        && near.iter().filter(|b| b.is_ascii()).count() * 4 >= near.len() * 3
        || near.starts_with(b"\xEF\xBB\xBF")
        || std::str::from_utf8(near)
            .is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn decode(bytes: &[u8], coding: &[u8]) -> DecodedBody {
        super::decode(bytes, coding, &|_| {})
    }

    fn dechunk(body: &str) -> Option<(String, Vec<&str>)> {
        let decoded = dechunked(body.as_bytes())?;
        let sources = decoded.map.sources(0..decoded.bytes.len());
        let sources = sources.into_iter().map(|range| &body[range]).collect();
        Some((String::from_utf8(decoded.bytes).unwrap(), sources))
    }

    #[test]
    fn chunks() {
        let body = "5\r\nabcde\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
        assert_eq!(dechunk(body), Some(("abcde0123456789".to_owned(), vec!["abcde", "0123456789"])));
        assert_eq!(dechunk("0\r\n\r\n"), Some((String::new(), vec![])));
    }

    #[test]
    fn damaged_chunks_lose_nothing() {
        assert_eq!(dechunk("5\r\nabc"), Some(("abc".to_owned(), vec!["abc"])));
        assert_eq!(dechunk("2\r\nabcde\r\n"), Some(("abcde\r\n".to_owned(), vec!["abcde\r\n"])));
        // The digits after a chunk that is too short are text.
        assert_eq!(dechunk("2\r\nab5\r\ncdefg"), Some(("ab5\r\ncdefg".to_owned(), vec!["ab5\r\ncdefg"])));
        assert_eq!(dechunk("FFFFFFFFFFFFFFFF\r\nab"), Some(("ab".to_owned(), vec!["ab"])));
        assert_eq!(dechunk("<html>\r\nab"), None);
        assert_eq!(dechunk(""), None);
    }

    /// The limit is the last length that is complete.
    #[test]
    fn bodies_of_the_maximum_length() {
        for (len, is_complete) in [(MAX_BODY_LEN - 1, true), (MAX_BODY_LEN, true), (MAX_BODY_LEN + 1, false)]
        {
            let (text, error) = read(io::repeat(b'a').take(len as u64), &|_| {});
            assert_eq!((text.len(), error.is_none()), (len.min(MAX_BODY_LEN), is_complete), "{len}");
        }
    }

    #[test]
    fn codings() {
        let text = b"some text, some text, some text";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        let gzip = gzip.finish().unwrap();
        assert_eq!(decode(&gzip, b"GZIP"), DecodedBody::Decoded(text.to_vec(), true));
        assert!(matches!(decode(&gzip[..gzip.len() - 12], b"x-gzip"), DecodedBody::Decoded(_, false)));
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(text).unwrap();
        let zlib = zlib.finish().unwrap();
        assert_eq!(decode(&zlib, b"deflate"), DecodedBody::Decoded(text.to_vec(), true));
        assert_eq!(decode(&zlib[2..], b"deflate"), DecodedBody::Decoded(text.to_vec(), true));
        // RFC 7932 §9.1 and §9.2: a window of 16 bits, an uncompressed meta-block of four bytes, an
        // empty one.
        let brotli = b"\x30\x00\x10text\x03";
        assert_eq!(decode(brotli, b"br"), DecodedBody::Decoded(b"text".to_vec(), true));
        assert_eq!(decode(&zlib, b"rot13"), DecodedBody::Unknown);
    }

    #[test]
    fn memory_is_asked_for_before_it_is_taken() {
        let text = vec![b'a'; 1_000_000];
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text).unwrap();
        let gzip = gzip.finish().unwrap();
        let asked = std::cell::RefCell::new(Vec::new());
        let grow = |len| asked.borrow_mut().push(len);
        assert_eq!(super::decode(&gzip, b"gzip", &grow), DecodedBody::Decoded(text, true));
        let asked = asked.into_inner();
        assert_eq!(asked[..2], [65_536, 131_072]);
        assert!((1_000_000..1_200_000).contains(asked.last().unwrap()));
    }

    #[test]
    fn bodies_that_are_decoded_already() {
        for coding in [&b"gzip"[..], b"deflate", b"br", b"zstd", b"rot13", b"identity"] {
            assert_eq!(decode(b"<html>\n<p>J\xC3\xB6rg", coding), DecodedBody::Verbatim);
        }
    }

    #[test]
    fn texts_and_data() {
        let blanks = |last: &[u8]| [&b" ".repeat(63), last].concat();
        for (bytes, expected) in [
            (b"".to_vec(), true),
            (b"a\tb\r\n\x0C".to_vec(), true),
            ("日本語".into(), true),
            (b"\xEF\xBB\xBF\0".to_vec(), true),
            (b"abc\xE9".to_vec(), true),
            (b"ab\xE9\xE9".to_vec(), false),
            (b"a\0".to_vec(), false),
            (b"a\x1B".to_vec(), false),
            (b"a\x7F".to_vec(), false),
            (blanks(b"\0"), false),
            (blanks(b" \0"), true),
        ] {
            assert_eq!(is_text(&bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    /// Either line break may end the data of a chunk.
    #[test]
    fn line_breaks_after_chunks() {
        for (after, len) in [("\r\n", 2), ("\n", 1), ("\r", 0), ("x", 0), ("", 0), ("\n\n", 1), ("\r\n\n", 2)]
        {
            assert_eq!(line_end(after.as_bytes()), len, "{after:?}");
        }
        for end in ["\r\n", "\n"] {
            let body = format!("3{end}abc{end}1;x{end}d{end}0{end}{end}");
            assert_eq!(dechunk(&body).map(|(text, _)| text).as_deref(), Some("abcd"), "{body:?}");
        }
    }
}
