//! The decoders that take a piece of input and fill a piece of output.
//!
//! Decoders that read by themselves drop what they have decoded in the same go
//! when something is wrong behind it. These say how far they came, so that
//! everything before the damage is there.

use std::io;

use flate2::FlushDecompress;
use lzma_rust2::{Action, Status};

use super::lzw::Lzw;

/// How far a decoder came.
#[derive(Debug)]
pub(super) struct Step {
    /// How much of the input is used up.
    pub(super) read: usize,
    /// How much of the output is filled.
    pub(super) wrote: usize,
    pub(super) then: Then,
}

/// What follows.
#[derive(Debug)]
pub(super) enum Then {
    More,
    /// This was the end of a stream; another may follow.
    End,
    Fault(Fault),
}

/// Why a decoder cannot go on.
#[derive(Debug)]
pub(super) enum Fault {
    /// The input ends too early.
    Cut,
    /// It is damaged, and how that shows.
    Data(String),
    /// Something else follows the last stream.
    Foreign,
    /// It could not be read.
    Io(io::Error),
}

impl Fault {
    /// What to tell somebody who reads `name` data, `wrote` bytes of which came out.
    pub(super) fn into_error(self, name: &str, wrote: u64) -> io::Error {
        let (kind, text) = match self {
            Fault::Io(error) => return error,
            Fault::Cut => (
                io::ErrorKind::UnexpectedEof,
                format!("{name} data end too early, behind byte {wrote} of what they hold"),
            ),
            Fault::Data(why) => (
                io::ErrorKind::InvalidData,
                format!("{name} data are damaged behind byte {wrote} of what they hold: {why}"),
            ),
            Fault::Foreign => (
                io::ErrorKind::InvalidData,
                format!("{name} data end behind byte {wrote} of what they hold, but the file goes on"),
            ),
        };
        io::Error::new(kind, text)
    }
}

/// A decoder for one stream.
pub(super) enum Decoder {
    Inflate(flate2::Decompress),
    Bunzip(bzip2::Decompress),
    Unxz(Box<lzma_rust2::XzStream>),
    Uncompress(Lzw),
}

impl Decoder {
    /// `last` says that no more input will come.
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
            Then::Fault(Fault::Data("they need more memory than is allowed".into()))
        }
        Err(error) => Then::Fault(Fault::Data(error.to_string())),
    };
    Step { read: (unxz.total_in() - read) as usize, wrote: (unxz.total_out() - wrote) as usize, then }
}
