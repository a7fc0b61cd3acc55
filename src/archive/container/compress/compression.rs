//! The formats of compressed files, and how they are recognised.

use std::io::Read;

use super::peek::PeekReader;
use super::{frame, lzma, lzw};

/// How many bytes decide the format of a compressed file.
pub(super) const HEAD: usize = lzma::HEADER;

/// The greatest length of the line before a compressed batch of news, in bytes.
const BATCH: usize = 32;

/// The format of a compressed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::archive::container) enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    Lz4,
    Lzma,
    Lzip,
    Compress,
}

impl Compression {
    const ALL: [Compression; 8] = [
        Compression::Gzip,
        Compression::Bzip2,
        Compression::Xz,
        Compression::Zstd,
        Compression::Lz4,
        Compression::Lzma,
        Compression::Lzip,
        Compression::Compress,
    ];

    /// The format of a file that begins with `head`; `None` if it is not compressed.
    pub(in crate::archive::container) fn of(head: &[u8]) -> Option<Compression> {
        Compression::ALL.into_iter().find(|one| one.begins(head))
    }

    /// Whether a file that begins with `head` has this format.
    pub(super) fn begins(self, head: &[u8]) -> bool {
        match self {
            Compression::Bzip2 => matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', ..]),
            Compression::Zstd => head.starts_with(self.magic()) || frame::is_skippable(head),
            Compression::Compress => head.first_chunk().is_some_and(lzw::begins),
            Compression::Lzma => head.first_chunk().is_some_and(lzma::begins),
            _ => head.starts_with(self.magic()),
        }
    }

    /// Whether more bytes after `head` could make it a file of this format.
    fn may_begin(self, head: &[u8]) -> bool {
        let len = head.len().min(self.magic().len());
        match self {
            Compression::Lzma => lzma::may_begin(head),
            _ => head.len() < HEAD && (head[..len] == self.magic()[..len] || frame::is_skippable(head)),
        }
    }

    fn magic(self) -> &'static [u8] {
        match self {
            Compression::Gzip => b"\x1f\x8b\x08",
            Compression::Bzip2 => b"BZh",
            Compression::Xz => b"\xfd7zXZ\0",
            Compression::Zstd => b"\x28\xb5\x2f\xfd",
            Compression::Lz4 => b"\x04\x22\x4d\x18",
            // It has none.
            Compression::Lzma => b"",
            Compression::Lzip => b"LZIP\x01",
            Compression::Compress => b"\x1f\x9d",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
            Compression::Lz4 => "lz4",
            Compression::Lzma => "lzma",
            Compression::Lzip => "lzip",
            Compression::Compress => "compress",
        }
    }
}

/// Whether more bytes after `head` could make it a compressed file.
pub(in crate::archive::container) fn may_begin(head: &[u8]) -> bool {
    head.is_empty() || Compression::ALL.into_iter().any(|one| one.may_begin(head))
}

/// Skips the line that tells the receiver of a batch of news how it was compressed:
/// `#! cunbatch`, `#! gunbatch` and so on; returns whether there was one. The data
/// have a magic number of their own.
pub(in crate::archive::container) fn skip_batch_line(input: &mut PeekReader<impl Read>) -> bool {
    let line = input.peek_while(BATCH, |line| {
        let mark = &b"#! "[..line.len().min(3)];
        line.starts_with(mark) && !line.contains(&b'\n')
    });
    let end = memchr::memchr(b'\n', line).filter(|_| line.starts_with(b"#! "));
    let Some(end) = end.filter(|&end| line[..end].trim_ascii_end().ends_with(b"unbatch")) else {
        return false;
    };
    input.consume(end + 1);
    true
}
