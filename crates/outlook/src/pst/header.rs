//! The header of a mailbox ([MS-PST] 2.2.2.6): how its numbers are written, and where its two
//! trees begin.
//!
//! | field | ANSI | Unicode |
//! |---|---|---|
//! | `dwMagic`, `!BDN` | 0 | 0 |
//! | `wMagicClient`, `SM`, `SO` or `AB` | 8 | 8 |
//! | `wVer` | 10 | 10 |
//! | `BREFNBT.ib`, the root of the tree of nodes | 188 | 224 |
//! | `BREFBBT.ib`, the root of the tree of blocks | 196 | 240 |
//! | `bCryptMethod` | 461 | 513 |
//!
//! The rest is ignored, because damage there does not affect the trees.

use std::io;

/// The length of the part of a header that is read.
pub(super) const LEN: usize = 514;

/// The first bytes of a file, and the bytes at offset 8.
const MAGIC: &[u8] = b"!BDN";
const CLIENTS: [&[u8]; 3] = [b"SM", b"SO", b"AB"];

/// The versions of an ANSI file.
const ANSI: [u16; 2] = [14, 15];

/// The first version of a Unicode file, and the first with pages of 4096 bytes.
const UNICODE: u16 = 20;
const LARGE: u16 = 36;

/// The length of a page and of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Pages of 512 bytes, numbers of 32 bits.
    Ansi,
    /// Pages of 512 bytes, numbers of 64 bits.
    Unicode,
    /// Pages of 4096 bytes, numbers of 64 bits, blocks that may be compressed.
    Large,
}

impl Layout {
    /// The length of a page.
    pub(super) fn page(self) -> usize {
        match self {
            Layout::Ansi | Layout::Unicode => 512,
            Layout::Large => 4096,
        }
    }

    /// The length of an offset or of the number of a block.
    pub(super) fn word(self) -> usize {
        match self {
            Layout::Ansi => 4,
            Layout::Unicode | Layout::Large => 8,
        }
    }

    /// An offset or the number of a block.
    pub(super) fn word_at(self, bytes: &[u8], at: usize) -> Option<u64> {
        match self {
            Layout::Ansi => u32_at(bytes, at).map(u64::from),
            Layout::Unicode | Layout::Large => u64_at(bytes, at),
        }
    }
}

/// The encoding of the data in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    None,
    Permute,
    Cyclic,
}

/// The part of a header that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) layout: Layout,
    pub(super) encoding: Encoding,
    /// The offset at which the roots of the trees of nodes and of blocks are.
    pub(super) nodes: u64,
    pub(super) blocks: u64,
}

/// Returns true if a file that begins with these bytes is an Outlook mailbox; 10 bytes suffice.
pub fn begins(head: &[u8]) -> bool {
    head.starts_with(MAGIC) && head.get(8..10).is_some_and(|client| CLIENTS.contains(&client))
}

impl Header {
    /// Reads a header.
    ///
    /// # Errors
    ///
    /// Returns an error if these bytes are not a header, or if the file is unsupported.
    pub(super) fn read(head: &[u8]) -> io::Result<Header> {
        let version = u16_at(head, 10).filter(|_| begins(head));
        let layout = match version.ok_or_else(|| damaged("it has no header"))? {
            version if ANSI.contains(&version) => Layout::Ansi,
            UNICODE..LARGE => Layout::Unicode,
            LARGE.. => Layout::Large,
            version => return Err(unsupported(&format!("its version {version} is unknown"))),
        };
        let (nodes, blocks, method) = match layout {
            Layout::Ansi => (188, 196, 461),
            Layout::Unicode | Layout::Large => (224, 240, 513),
        };
        let root = |at| layout.word_at(head, at).ok_or_else(|| damaged("its header is truncated"));
        let encoding = match head.get(method) {
            Some(0) => Encoding::None,
            Some(1) => Encoding::Permute,
            Some(2) => Encoding::Cyclic,
            Some(0x10) => return Err(unsupported("it is encrypted; try: readpst -o FOLDER FILE")),
            None => return Err(damaged("its header is truncated")),
            Some(_) => return Err(unsupported("its encoding is unknown; try: readpst -o FOLDER FILE")),
        };
        Ok(Header { layout, encoding, nodes: root(nodes)?, blocks: root(blocks)? })
    }
}

// Little-endian numbers.

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|&number| u16::from_le_bytes(number))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&number| u32::from_le_bytes(number))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|&number| u64::from_le_bytes(number))
}

// Errors of a mailbox.

/// Returns the error for a file that contradicts itself.
pub(super) fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("corrupt Outlook mailbox: {why}"))
}

fn unsupported(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("unsupported Outlook mailbox: {why}"))
}
