//! The decoders that read a part of the input and fill a part of the output:
//! gzip and deflate, bzip2, xz, and compress.
//!
//! A decoder that reads by itself drops the bytes that it has decoded in the same call
//! when an error follows them. These say how far they came, so that all bytes before the
//! damage are yielded.

use std::io;

use flate2::FlushDecompress;
use lzma_rust2::{Action, Status};

use super::compression::{Compression, HEAD};
use super::lzw::Lzw;
use super::step::{Fault, Step, Then, WINDOW};

/// The memory that an xz decoder needs besides its window, at most.
const XZ_OVERHEAD: u64 = 1 << 20;

/// A decoder for one stream.
pub(super) enum Decoder {
    Inflate(flate2::Decompress),
    Bunzip(bzip2::Decompress),
    Unxz(Box<lzma_rust2::XzStream>),
    Uncompress(Lzw),
}

impl Decoder {
    /// The decoder of a stream that begins with `head`; `None` if the format has none
    /// here.
    pub(super) fn new(compression: Compression, head: [u8; HEAD]) -> Option<Decoder> {
        match compression {
            Compression::Gzip => Some(Decoder::Inflate(flate2::Decompress::new_gzip(15))),
            Compression::Bzip2 => Some(Decoder::Bunzip(bzip2::Decompress::new(false))),
            Compression::Xz => {
                let limit = u32::try_from((WINDOW + XZ_OVERHEAD) / 1024).unwrap_or(u32::MAX);
                Some(Decoder::Unxz(Box::new(lzma_rust2::XzStream::new_mem_limit(false, limit))))
            }
            Compression::Compress => Some(Decoder::Uncompress(Lzw::new(head[2]))),
            Compression::Zstd | Compression::Lz4 | Compression::Zip => None,
        }
    }

    /// The decoder of raw deflate data.
    pub(super) fn raw_inflate() -> Decoder {
        Decoder::Inflate(flate2::Decompress::new(false))
    }

    /// Decodes; `last` says that no more input follows.
    pub(super) fn step(&mut self, input: &[u8], last: bool, output: &mut [u8]) -> Step {
        let step = match self {
            Decoder::Inflate(inflate) => inflate_step(inflate, input, output),
            Decoder::Bunzip(bunzip) => bunzip_step(bunzip, input, output),
            Decoder::Unxz(unxz) => unxz_step(unxz, input, last, output),
            Decoder::Uncompress(lzw) => lzw.step(input, last, output),
        };
        match step {
            Step { read: 0, wrote: 0, then: Then::More } if last => {
                Step { read: 0, wrote: 0, then: Then::Fault(Fault::Cut) }
            }
            step => step,
        }
    }
}

fn inflate_step(inflate: &mut flate2::Decompress, input: &[u8], output: &mut [u8]) -> Step {
    let (read, wrote) = (inflate.total_in(), inflate.total_out());
    let then = match inflate.decompress(input, output, FlushDecompress::None) {
        Ok(flate2::Status::StreamEnd) => Then::End,
        Ok(_) => Then::More,
        Err(error) => Then::Fault(Fault::Data(error.message().unwrap_or("invalid data").into())),
    };
    Step { read: (inflate.total_in() - read) as usize, wrote: (inflate.total_out() - wrote) as usize, then }
}

fn bunzip_step(bunzip: &mut bzip2::Decompress, input: &[u8], output: &mut [u8]) -> Step {
    let (read, wrote) = (bunzip.total_in(), bunzip.total_out());
    let then = match bunzip.decompress(input, output) {
        Ok(bzip2::Status::StreamEnd) => Then::End,
        Ok(bzip2::Status::MemNeeded) => Then::Fault(Fault::Data("not enough memory".into())),
        Ok(_) => Then::More,
        Err(error) => Then::Fault(Fault::Data(error.to_string())),
    };
    Step { read: (bunzip.total_in() - read) as usize, wrote: (bunzip.total_out() - wrote) as usize, then }
}

fn unxz_step(unxz: &mut lzma_rust2::XzStream, input: &[u8], last: bool, output: &mut [u8]) -> Step {
    let (read, wrote) = (unxz.total_in(), unxz.total_out());
    let action = if last { Action::Finish } else { Action::Run };
    let then = match unxz.process(input, output, action) {
        Ok(result) if result.status == Status::StreamEnd => Then::End,
        Ok(_) => Then::More,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Then::Fault(Fault::Cut),
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
            Then::Fault(Fault::Data("they need more than the 129 MiB of memory that are allowed".into()))
        }
        Err(error) => Then::Fault(Fault::Data(error.to_string())),
    };
    Step { read: (unxz.total_in() - read) as usize, wrote: (unxz.total_out() - wrote) as usize, then }
}
