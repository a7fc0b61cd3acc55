//! Compressed files, recognised by their first bytes, and read as if they were not
//! compressed.
//!
//! | format | first bytes | streams in a row | window |
//! |---|---|---|---|
//! | gzip (RFC 1952) | `1f 8b 08` | yes | 32 KiB |
//! | bzip2 | `BZh1` to `BZh9` | yes | 900 kB |
//! | xz | `fd 37 7a 58 5a 00` | yes | at most 128 MiB |
//! | zstd (RFC 8878) | `28 b5 2f fd`, or a skippable frame | yes | at most 128 MiB |
//! | lz4 frames | `04 22 4d 18` | yes | 4 MB |
//! | lzma | none; a valid header | yes | at most 128 MiB |
//! | lzip | `LZIP` and `01` | yes | at most 128 MiB |
//! | compress (`.Z`) | `1f 9d` and a valid header | no | 64 Ki codes |
//!
//! All other files are read verbatim. A line `#! cunbatch`, or `#! gunbatch` and the
//! like, may precede the data, as it does in batches of news.
//!
//! The data are decoded as they are read. Memory is that of the window and a buffer of
//! 64 KiB, however much comes out; a file that asks for a larger window is an error
//! (`xz` and `zstd` make one only on request). In a compressed file within another one that
//! has such a window, half of that is allowed.
//!
//! Where a file is damaged or cut off, the bytes before the damage are yielded, then an
//! error, and nothing after it. How many bytes that are differs: gzip, xz and lzma decode up to
//! the damaged byte, bzip2, zstd and lz4 up to the last whole block. Zeros after the last
//! stream are padding; other data there are an error, since they are not read.
//!
//! | module | what it has |
//! |---|---|
//! | [`compression`] | the formats and how they are recognised |
//! | [`decompressed`] | the reader of decompressed data |
//! | [`decoder`], [`lzw`], [`frame`] | the decoders |
//! | `zstd`, `zstd_c` | that of zstd: by a crate in Rust, or with the feature `zstd-c` by the library in C |
//! | [`lzma`] | the header of an lzma file |
//! | [`step`] | the interface of the decoders |
//! | [`peek`] | the reader of compressed data |

pub(super) mod compression;
pub(super) mod decoder;
pub(super) mod decompressed;
mod frame;
mod lzma;
mod lzw;
pub(super) mod peek;
pub(super) mod step;
mod stream;
#[cfg(not(feature = "zstd-c"))]
mod zstd;
#[cfg(feature = "zstd-c")]
mod zstd_c;

#[cfg(test)]
mod tests;
