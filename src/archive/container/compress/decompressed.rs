//! The reader of decompressed data.

use std::io::{self, Read};

use lz4_flex::frame::FrameDecoder as Lz4;

use super::compression::{Compression, HEAD};
use super::decoder::Decoder;
use super::frame::{self, Zstd};
use super::lzw;
use super::peek::PeekReader;
use super::step::{Fault, Step, Then};
use super::zip::Zip;

/// A file, which may be compressed.
pub(crate) enum Opened<R: Read> {
    /// One file, compressed or not.
    One(Decompressed<R>),
    /// Any number of files.
    Zip(Zip<R>),
}

/// Opens a file by its first bytes.
///
/// # Errors
///
/// If they cannot be read.
pub(crate) fn open<R: Read>(file: R) -> io::Result<Opened<R>> {
    let mut input = PeekReader::new(file);
    Ok(match Compression::recognise(&mut input)? {
        Some(Compression::Zip) => Opened::Zip(Zip::new(input)),
        compression => Opened::One(Decompressed::new(input, compression)),
    })
}

/// Opens the current member of a zip archive, which may be compressed itself; the archive
/// and the error if the first bytes cannot be read.
pub(crate) fn open_member<Z: Read>(zip: Z) -> Result<Decompressed<Z>, (Z, io::Error)> {
    let mut input = PeekReader::new(zip);
    match Compression::recognise(&mut input) {
        Ok(compression) => Ok(Decompressed::new(input, compression)),
        Err(error) => Err((input.into_inner(), error)),
    }
}

/// The data of a file, decompressed.
///
/// An error says what is wrong, and after which byte of the decompressed data; all bytes
/// before that have been read, and nothing comes after the error.
pub(crate) struct Decompressed<R: Read> {
    codec: Codec<R>,
    /// How many bytes came out.
    wrote: u64,
    next: Next,
}

/// What a reader does next.
#[derive(Debug)]
enum Next {
    /// Begins another stream, if there is one.
    Start,
    Continue,
    Fail(Fault),
    Nothing,
}

impl From<Then> for Next {
    fn from(then: Then) -> Next {
        match then {
            Then::More => Next::Continue,
            Then::End => Next::Start,
            Then::Fault(fault) => Next::Fail(fault),
        }
    }
}

/// The input and its decoder.
enum Codec<R: Read> {
    None(PeekReader<R>),
    Steps(PeekReader<R>, Compression, Option<Decoder>),
    Zstd(PeekReader<R>, Zstd),
    Lz4(Box<Lz4<PeekReader<R>>>),
}

impl<R: Read> Decompressed<R> {
    /// The data of `input`, which begins with the header of the format. A zip archive is
    /// read verbatim.
    fn new(input: PeekReader<R>, compression: Option<Compression>) -> Self {
        let codec = match compression {
            None | Some(Compression::Zip) => Codec::None(input),
            Some(Compression::Zstd) => Codec::Zstd(input, Zstd::new()),
            Some(Compression::Lz4) => Codec::Lz4(Box::new(Lz4::new(input))),
            Some(compression) => Codec::Steps(input, compression, None),
        };
        Decompressed { codec, wrote: 0, next: Next::Start }
    }

    /// A file that is read verbatim, whatever its first bytes are.
    pub(crate) fn verbatim(file: R) -> Self {
        Decompressed::new(PeekReader::new(file), None)
    }

    /// The reader of the compressed data.
    pub(crate) fn into_inner(self) -> R {
        let input = match self.codec {
            Codec::None(input) | Codec::Steps(input, ..) | Codec::Zstd(input, _) => input,
            Codec::Lz4(frame) => frame.into_inner(),
        };
        input.into_inner()
    }
}

impl<R: Read> Codec<R> {
    /// Begins the next stream; `false` if there is none.
    fn start(&mut self) -> Result<bool, Fault> {
        match self {
            Codec::None(_) => Ok(false),
            Codec::Steps(input, compression, decoder) => {
                let Some(head) = next_head(input, *compression)? else {
                    return Ok(false);
                };
                if *compression == Compression::Compress {
                    input.consume(lzw::HEADER);
                }
                *decoder = Decoder::new(*compression, head);
                Ok(true)
            }
            Codec::Zstd(input, zstd) => {
                let more = next_head(input, Compression::Zstd)?.is_some();
                if more {
                    zstd.start(input)?;
                }
                Ok(more)
            }
            Codec::Lz4(frame) => Ok(next_head(frame.get_mut(), Compression::Lz4)?.is_some()),
        }
    }

    /// Decodes once; returns how many bytes came out, and what follows.
    fn step(&mut self, output: &mut [u8]) -> (usize, Then) {
        match self {
            Codec::Steps(input, _, Some(decoder)) => {
                let bytes = match input.peek(1) {
                    Ok(bytes) => bytes,
                    Err(error) => return (0, Then::Fault(Fault::Io(error))),
                };
                let Step { read, wrote, then } = decoder.step(bytes, bytes.is_empty(), output);
                input.consume(read);
                (wrote, then)
            }
            Codec::Zstd(input, zstd) => zstd.step(input, output),
            Codec::Lz4(frame) => frame::lz4_step(frame, output),
            Codec::None(_) | Codec::Steps(..) => (0, Then::End),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Codec::None(_) => "plain",
            Codec::Steps(_, compression, _) => compression.name(),
            Codec::Zstd(..) => Compression::Zstd.name(),
            Codec::Lz4(_) => Compression::Lz4.name(),
        }
    }
}

/// The first bytes of the next stream, if there is one.
fn next_head(input: &mut PeekReader<impl Read>, format: Compression) -> Result<Option<[u8; HEAD]>, Fault> {
    input.skip_zeros().map_err(Fault::Io)?;
    let skips = matches!(format, Compression::Zstd | Compression::Lz4);
    if skips && !frame::skip_frames(input).map_err(Fault::Io)? {
        return Err(Fault::Cut);
    }
    let bytes = input.peek(HEAD).map_err(Fault::Io)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if !format.begins(bytes) {
        return Err(Fault::Foreign);
    }
    let mut head = [0; HEAD];
    let len = bytes.len().min(HEAD);
    head[..len].copy_from_slice(&bytes[..len]);
    Ok(Some(head))
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if let Codec::None(input) = &mut self.codec {
            return input.pass(buf);
        }
        while !buf.is_empty() {
            match std::mem::replace(&mut self.next, Next::Nothing) {
                Next::Start => match self.codec.start() {
                    Ok(true) => self.next = Next::Continue,
                    Ok(false) => {}
                    Err(fault) => self.next = Next::Fail(fault),
                },
                Next::Continue => {
                    let (wrote, then) = self.codec.step(buf);
                    self.next = then.into();
                    self.wrote += wrote as u64;
                    if wrote > 0 {
                        return Ok(wrote);
                    }
                }
                Next::Fail(fault) => return Err(fault.into_error(self.codec.name(), self.wrote)),
                Next::Nothing => break,
            }
        }
        Ok(0)
    }
}
