//! A decoder whose output before an error does not depend on the size of the reads.
//!
//! Most [`DecoderStream`]s that find damage drop a varying number of bytes that they have decoded in the
//! same call. So they always get the same request: the bytes up to the next multiple of [`SLICE`]
//! in their output. Output that exceeds the caller's buffer waits here. Streams that [drop
//! nothing](DecoderStream::drops_nothing) decode into the caller's buffer, because inflating slices would
//! take a sixth more time.

use std::io;

use flate2::FlushDecompress;
use lzma_rust2::{Action, LzipStream, LzmaStream, Status, XzStream};

use super::compression::Compression;
use super::lzw::Lzw;
use super::step::{Fault, Step, Then};
#[cfg(feature = "zstd-c")]
use super::zstd_c::Unzstd;

/// The number of bytes that are decoded at a time.
const SLICE: usize = 16 * 1024;

/// The lzma decoders take all input that fits into their dictionary, and drop the output of a call that fails. So a
/// call gets the bytes of input up to the next multiple of this, however many a read returns. 16 would take a tenth
/// more time.
pub(in crate::archive) const PIECE: usize = 64;

/// A decoder for one stream.
pub(crate) struct Decoder {
    stream: DecoderStream,
    /// The number of decoded bytes of the current slice.
    decoded: usize,
    /// Decoded bytes.
    memory: Vec<u8>,
    /// A step whose bytes exceeded the output buffer: how many have been yielded, and how many bytes of input it
    /// consumed. These are passed to the next steps again.
    waiting: Option<Step>,
    /// True if the last step of a stream that drops nothing filled its room: more may be decoded
    /// without further input.
    filled: bool,
}

impl Decoder {
    fn of(stream: DecoderStream) -> Decoder {
        Decoder { stream, decoded: 0, memory: Vec::new(), waiting: None, filled: false }
    }

    /// The decoder of a stream of this format, with a window of at most `window` bytes; `None` if this
    /// module does not decode the format. `flags` is the third byte of a stream of `compress`.
    pub(crate) fn new(compression: Compression, flags: u8, window: u64) -> Option<Decoder> {
        let limit = limit(window);
        let stream = match compression {
            Compression::Gzip => return Some(Decoder::gunzip()),
            Compression::Bzip2 => DecoderStream::Bunzip(bzip2::Decompress::new(false)),
            Compression::Xz => DecoderStream::Unxz(Box::new(XzStream::new_mem_limit(false, limit))),
            Compression::Lzma => DecoderStream::Unlzma(Box::new(LzmaStream::new_mem_limit(limit, None))),
            Compression::Lzip => DecoderStream::Unlzip(Box::new(LzipStream::new_mem_limit(true, limit))),
            Compression::Compress => DecoderStream::Uncompress(Lzw::new(flags)),
            #[cfg(feature = "zstd-c")]
            Compression::Zstd => DecoderStream::Unzstd(Unzstd::new(window)),
            _ => return None,
        };
        Some(Decoder::of(stream))
    }

    /// Prepares for the next stream, after the end of one; returns whether it can.
    pub(super) fn restart(&mut self) -> bool {
        self.filled = false;
        match &mut self.stream {
            #[cfg(feature = "zstd-c")]
            DecoderStream::Unzstd(unzstd) => unzstd.restart(),
            _ => false,
        }
    }

    /// The decoder of one gzip member.
    pub(crate) fn gunzip() -> Decoder {
        Decoder::of(DecoderStream::Inflate(flate2::Decompress::new_gzip(15)))
    }

    /// The decoder of raw deflate data.
    pub(crate) fn raw_inflate() -> Decoder {
        Decoder::of(DecoderStream::Inflate(flate2::Decompress::new(false)))
    }

    /// The decoder of lzma data without a header; `length` is the length of the decoded data;
    /// `None` if they end with an end mark.
    ///
    /// # Errors
    ///
    /// Returns an error if the properties are not valid, or the dictionary is larger than `window`.
    pub(crate) fn raw_unlzma(
        properties: u8,
        dictionary: u32,
        length: Option<u64>,
        window: u64,
    ) -> Result<Decoder, Fault> {
        if u64::from(dictionary) > window {
            return Err(Fault::Memory(Some(limit(window))));
        }
        let length = length.unwrap_or(u64::MAX);
        LzmaStream::new_with_props(length, properties, dictionary, None)
            .map(|decoder| Decoder::of(DecoderStream::Unlzma(Box::new(decoder))))
            .map_err(|error| Fault::Data(error.to_string()))
    }

    /// Returns true if it may need a window of more than some megabytes.
    pub(crate) fn has_large_window(&self) -> bool {
        matches!(self.stream, DecoderStream::Unxz(_) | DecoderStream::Unlzma(_) | DecoderStream::Unlzip(_))
    }

    /// Returns the number of input bytes that the next step needs, unless the input ends earlier.
    pub(crate) fn needs(&self) -> usize {
        if self.waiting.is_some() || self.filled { 0 } else { self.stream.piece().unwrap_or(1) }
    }

    /// Decodes; `last` means that no more input follows. A step consumes nothing if bytes wait
    /// after it: the next one is given the same input, or more.
    pub(crate) fn step(&mut self, input: &[u8], last: bool, output: &mut [u8]) -> Step {
        if let Some(waiting) = self.waiting.take() {
            return self.yield_from(waiting, output);
        }
        if self.stream.drops_nothing() {
            let step = self.stream.step(input, last && !self.filled, output);
            self.filled = step.wrote == output.len();
            return step;
        }
        let left = SLICE - self.decoded;
        self.memory.resize(left, 0);
        let step = self.stream.step(input, last, &mut self.memory);
        self.memory.truncate(step.wrote);
        self.decoded = (self.decoded + step.wrote) % SLICE;
        self.yield_from(Step { wrote: 0, ..step }, output)
    }

    /// Yields the decoded bytes that fit.
    fn yield_from(&mut self, waiting: Step, output: &mut [u8]) -> Step {
        let bytes = &self.memory[waiting.wrote..];
        let wrote = bytes.len().min(output.len());
        output[..wrote].copy_from_slice(&bytes[..wrote]);
        if wrote == bytes.len() {
            return Step { wrote, ..waiting };
        }
        self.waiting = Some(Step { wrote: waiting.wrote + wrote, ..waiting });
        Step { read: 0, wrote, then: Then::More }
    }
}

// The decoders that read a part of the input and fill a part of the output:
// gzip and deflate, bzip2, xz, lzma, lzip, compress, and zstd by the library in C.
//
// A decoder that reads by itself drops the bytes that it has decoded in the same call when an error
// follows them. These decoders report how far they got, so that all bytes before the damage are
// yielded.

/// The maximum memory that an xz or lzma decoder needs in addition to its window.
const OVERHEAD: u64 = 1 << 20;

/// A stream and its decoder.
enum DecoderStream {
    Inflate(flate2::Decompress),
    Bunzip(bzip2::Decompress),
    Unxz(Box<XzStream>),
    Unlzma(Box<LzmaStream>),
    /// lzip, whose decoder reads concatenated streams itself.
    Unlzip(Box<LzipStream>),
    Uncompress(Lzw),
    #[cfg(feature = "zstd-c")]
    Unzstd(Unzstd),
}

/// The step of a decoder that counts the bytes that it reads and writes.
macro_rules! counted {
    ($stream:expr, $then:expr) => {{
        let (read, wrote) = ($stream.total_in(), $stream.total_out());
        let then = $then;
        let (read, wrote) = ($stream.total_in() - read, $stream.total_out() - wrote);
        Step { read: read as usize, wrote: wrote as usize, then }
    }};
}

/// One step of one of the three decoders of lzma data, which have no trait in common.
macro_rules! lzma_step {
    ($stream:expr, $input:expr, $last:expr, $output:expr) => {{
        let action = if $last { Action::Finish } else { Action::Run };
        counted!(
            $stream,
            match $stream.process($input, $output, action) {
                Ok(result) if result.status == Status::StreamEnd => Then::End,
                Ok(_) => Then::More,
                Err(error) => Then::Fault(lzma_fault(&error, $stream.mem_limit())),
            }
        )
    }};
}

impl DecoderStream {
    /// Returns true if all bytes before damage are yielded, regardless of the size of the request.
    fn drops_nothing(&self) -> bool {
        match self {
            DecoderStream::Inflate(_) => true,
            #[cfg(feature = "zstd-c")]
            DecoderStream::Unzstd(_) => true,
            _ => false,
        }
    }

    /// Returns the number of input bytes that it is given at once, if that matters: see [`PIECE`].
    fn piece(&self) -> Option<usize> {
        let read = match self {
            DecoderStream::Unxz(unxz) => unxz.total_in(),
            DecoderStream::Unlzma(unlzma) => unlzma.total_in(),
            DecoderStream::Unlzip(unlzip) => unlzip.total_in(),
            _ => return None,
        };
        Some(PIECE - (read % PIECE as u64) as usize)
    }

    /// Decodes; `last` means that no more input follows.
    fn step(&mut self, input: &[u8], last: bool, output: &mut [u8]) -> Step {
        let given = self.piece().map_or(input.len(), |piece| piece.min(input.len()));
        let (last, input) = (last && given == input.len(), &input[..given]);
        let step = match self {
            DecoderStream::Inflate(inflate) => counted!(
                inflate,
                match inflate.decompress(input, output, FlushDecompress::None) {
                    Ok(flate2::Status::StreamEnd) => Then::End,
                    Ok(_) => Then::More,
                    Err(error) => Then::Fault(Fault::Data(inflate_fault(&error).into())),
                }
            ),
            DecoderStream::Bunzip(bunzip) => counted!(
                bunzip,
                match bunzip.decompress(input, output) {
                    Ok(bzip2::Status::StreamEnd) => Then::End,
                    Ok(bzip2::Status::MemNeeded) => Then::Fault(Fault::Memory(None)),
                    Ok(_) => Then::More,
                    Err(error) => Then::Fault(Fault::Data(error.to_string())),
                }
            ),
            DecoderStream::Unxz(unxz) => lzma_step!(unxz, input, last, output),
            DecoderStream::Unlzma(unlzma) => {
                give_back(lzma_step!(unlzma, input, last, output), unlzma.unused_input())
            }
            DecoderStream::Unlzip(unlzip) => {
                give_back(lzma_step!(unlzip, input, last, output), unlzip.unused_input())
            }
            DecoderStream::Uncompress(lzw) => lzw.step(input, last, output),
            #[cfg(feature = "zstd-c")]
            DecoderStream::Unzstd(unzstd) => unzstd.step(input, output),
        };
        match step {
            Step { read: 0, wrote: 0, then: Then::More } if last => {
                Step { read: 0, wrote: 0, then: Then::Fault(Fault::Truncated) }
            }
            step => step,
        }
    }
}

/// Returns the fault of the decoder. The decoder names an invalid symbol only if few bytes of input
/// or room are left when it reads the symbol.
fn inflate_fault(error: &flate2::DecompressError) -> &str {
    const SYMBOLS: [&str; 4] = [
        "invalid literal/length code",
        "invalid distance code",
        "invalid distance too far back",
        "repeated call with bad state",
    ];
    error.message().filter(|message| !SYMBOLS.contains(message)).unwrap_or("invalid data")
}

/// Returns the memory that an lzma decoder may need for a window of `window` bytes, in KiB.
fn limit(window: u64) -> u32 {
    u32::try_from((window + OVERHEAD) / 1024).unwrap_or(u32::MAX)
}

fn lzma_fault(error: &io::Error, limit: u32) -> Fault {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Fault::Truncated,
        io::ErrorKind::OutOfMemory => Fault::Memory(Some(limit)),
        _ => Fault::Data(error.to_string()),
    }
}

/// The last step of a decoder, which may have consumed bytes after its stream.
fn give_back(step: Step, unused: &[u8]) -> Step {
    match step.then {
        Then::End if unused.len() <= step.read => Step { read: step.read - unused.len(), ..step },
        // The unused bytes came with earlier steps. Zeros are padding.
        Then::End if unused.iter().any(|&b| b != 0) => Step { then: Then::Fault(Fault::Foreign), ..step },
        _ => step,
    }
}
