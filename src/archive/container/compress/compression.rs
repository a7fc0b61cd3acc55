//! The formats of compressed files, and how they are recognised.

use std::io::{self, Read};

use super::peek::PeekReader;
use super::{frame, lzw};

/// How many bytes decide the format of a file.
pub(super) const HEAD: usize = 6;

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
    Compress,
    Zip,
}

impl Compression {
    const ALL: [Compression; 7] = [
        Compression::Gzip,
        Compression::Bzip2,
        Compression::Xz,
        Compression::Zstd,
        Compression::Lz4,
        Compression::Compress,
        Compression::Zip,
    ];

    /// The format of a file, by its first bytes; `None` if it is not compressed. Skips
    /// the line before a compressed batch of news.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read.
    pub(super) fn recognise<R: Read>(input: &mut PeekReader<R>) -> io::Result<Option<Compression>> {
        loop {
            // It waits for no more bytes than count: a person may be typing.
            let may_begin = |head: &[u8]| Compression::ALL.into_iter().any(|one| one.may_begin(head));
            let head = input.peek_while(HEAD, may_begin)?;
            let known = Compression::ALL.into_iter().find(|one| one.begins(head));
            if known.is_some() || !skip_batch_line(input)? {
                return Ok(known);
            }
        }
    }

    /// Whether a file that begins with `head` has this format.
    pub(super) fn begins(self, head: &[u8]) -> bool {
        match self {
            Compression::Bzip2 => matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', ..]),
            Compression::Zstd => head.starts_with(self.magic()) || frame::is_skippable(head),
            Compression::Compress => head.first_chunk().is_some_and(lzw::begins),
            _ => head.starts_with(self.magic()),
        }
    }

    /// Whether more bytes after `head` could make it a file of this format.
    fn may_begin(self, head: &[u8]) -> bool {
        let len = head.len().min(self.magic().len());
        head.len() < HEAD
            && (head[..len] == self.magic()[..len] || frame::is_skippable(head) || head.is_empty())
    }

    fn magic(self) -> &'static [u8] {
        match self {
            Compression::Gzip => b"\x1f\x8b\x08",
            Compression::Bzip2 => b"BZh",
            Compression::Xz => b"\xfd7zXZ\0",
            Compression::Zstd => b"\x28\xb5\x2f\xfd",
            Compression::Lz4 => b"\x04\x22\x4d\x18",
            Compression::Compress => b"\x1f\x9d",
            Compression::Zip => b"PK\x03\x04",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
            Compression::Lz4 => "lz4",
            Compression::Compress => "compress",
            Compression::Zip => "zip",
        }
    }
}

/// Skips the line that tells the receiver of a batch of news how it was compressed:
/// `#! cunbatch`, `#! gunbatch` and so on; returns whether there was one. The data
/// have a magic number of their own.
fn skip_batch_line(input: &mut PeekReader<impl Read>) -> io::Result<bool> {
    let line = input.peek_while(BATCH, |line| {
        let mark = &b"#! "[..line.len().min(3)];
        line.starts_with(mark) && !line.contains(&b'\n')
    })?;
    let end = memchr::memchr(b'\n', line).filter(|_| line.starts_with(b"#! "));
    let Some(end) = end.filter(|&end| line[..end].trim_ascii_end().ends_with(b"unbatch")) else {
        return Ok(false);
    };
    input.consume(end + 1);
    Ok(true)
}
