//! The reader of decompressed data.

use std::io::{self, Read};

use lz4_flex::frame::FrameDecoder as Lz4;

use super::compression::{Compression, HEAD, zstd_window};
use super::decoder::Decoder;
use super::lzw;
use super::peek::PeekReader;
use super::step::{Fault, Step, Then, available, fault};
#[cfg(not(feature = "zstd-c"))]
use super::zstd::Zstd;

/// The data of a file, decompressed.
///
/// An error describes the damage, and its position in the decompressed data; all bytes before that
/// have been read, and nothing comes after the error.
pub(crate) struct Decompressed<R: Read> {
    codec: Codec<R>,
    compression: Compression,
    /// The number of decompressed bytes.
    wrote: u64,
    /// The state after the last step: before the first, a stream may follow. `None` if nothing does.
    then: Option<Then>,
}

/// The input and its decoder.
enum Codec<R: Read> {
    Steps {
        input: PeekReader<R>,
        window: u64,
        decoder: Option<Box<Decoder>>,
    },
    #[cfg(not(feature = "zstd-c"))]
    Zstd(PeekReader<R>, Zstd),
    Lz4(Box<Lz4<PeekReader<R>>>),
}

/// The formats whose decoders may have a window of more than some megabytes.
const LARGE: [Compression; 4] = [Compression::Xz, Compression::Lzma, Compression::Lzip, Compression::Zstd];

impl<R: Read> Decompressed<R> {
    /// The data of `input`, which begins with the header of the format; its decoder may
    /// have a window of `window` bytes, if the system has memory for it. `offset` bytes were yielded before.
    pub(crate) fn new(input: PeekReader<R>, compression: Compression, window: u64, offset: u64) -> Self {
        let window = if LARGE.contains(&compression) { available(window) } else { window };
        let codec = match compression {
            #[cfg(not(feature = "zstd-c"))]
            Compression::Zstd => Codec::Zstd(input, Zstd::new(window)),
            Compression::Lz4 => Codec::Lz4(Box::new(Lz4::new(input))),
            _ => Codec::Steps { input, window, decoder: None },
        };
        Decompressed { codec, compression, wrote: offset, then: Some(Then::End) }
    }

    /// The reader of the compressed data.
    pub(crate) fn into_inner(self) -> R {
        match self.codec {
            Codec::Steps { input, .. } => input.into_inner(),
            #[cfg(not(feature = "zstd-c"))]
            Codec::Zstd(input, _) => input.into_inner(),
            Codec::Lz4(frame) => frame.into_inner().into_inner(),
        }
    }

    /// Returns true if the decoder may have a window of more than some megabytes.
    pub(crate) fn has_large_window(&self) -> bool {
        LARGE.contains(&self.compression)
    }
}

impl<R: Read> Codec<R> {
    /// Begins the next stream; false if no stream follows.
    fn start(&mut self, compression: Compression) -> Result<bool, Fault> {
        match self {
            Codec::Steps { input, window, decoder } => {
                let Some(head) = next_head(input, compression, *window)? else { return Ok(false) };
                if compression == Compression::Compress {
                    input.consume(lzw::HEADER);
                }
                if !decoder.as_mut().is_some_and(|decoder| decoder.restart()) {
                    *decoder = Decoder::new(compression, head[2], *window).map(Box::new);
                }
                Ok(true)
            }
            #[cfg(not(feature = "zstd-c"))]
            Codec::Zstd(input, zstd) => {
                let more = next_head(input, compression, zstd.window)?.is_some();
                if more {
                    zstd.start(input)?;
                }
                Ok(more)
            }
            Codec::Lz4(frame) => Ok(next_head(frame.get_mut(), compression, u64::MAX)?.is_some()),
        }
    }

    /// Decodes once; returns the number of decompressed bytes, and the next state.
    fn step(&mut self, output: &mut [u8]) -> (usize, Then) {
        match self {
            Codec::Steps { decoder: None, .. } => (0, Then::End),
            Codec::Steps { input, decoder: Some(decoder), .. } => {
                // Decoded bytes come before an error of the input.
                let bytes = match input.peek(decoder.needs()) {
                    Ok(bytes) => bytes,
                    Err(error) => return (0, Then::Fault(Fault::Io(error))),
                };
                let Step { read, wrote, then } = decoder.step(bytes, bytes.is_empty(), output);
                input.consume(read);
                (wrote, then)
            }
            #[cfg(not(feature = "zstd-c"))]
            Codec::Zstd(input, zstd) => zstd.step(input, output),
            // This decoder reads by itself. It decodes each block, of at most 4 MB, as a whole; so the data before
            // the damage are the blocks before it.
            Codec::Lz4(frame) => {
                frame.get_mut().missed = false;
                match frame.read(output) {
                    // The decoder treats the end of the input as the end of a frame.
                    Ok(0) if frame.get_ref().missed => (0, Then::Fault(Fault::Truncated)),
                    Ok(0) => (0, Then::End),
                    Ok(wrote) => (wrote, Then::More),
                    Err(error) => (0, Then::Fault(fault(frame.get_mut(), &error))),
                }
            }
        }
    }
}

/// The first bytes of the next stream, if any.
fn next_head(
    input: &mut PeekReader<impl Read>,
    format: Compression,
    window: u64,
) -> Result<Option<[u8; HEAD]>, Fault> {
    input.skip_any_of(b"\0").map_err(Fault::Io)?;
    let skips = matches!(format, Compression::Zstd | Compression::Lz4);
    if skips && !skip_frames(input).map_err(Fault::Io)? {
        return Err(Fault::Truncated);
    }
    if format == Compression::Bzip2 {
        skip_empty_streams(input).map_err(Fault::Io)?;
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
    match zstd_window(&head) {
        Some(needed) if format == Compression::Zstd && needed > window => Err(Fault::Window(needed, window)),
        _ => Ok(Some(head)),
    }
}

/// Skips skippable frames, which decoders ignore; returns whether the last one was complete.
fn skip_frames(input: &mut PeekReader<impl Read>) -> io::Result<bool> {
    while let [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] = *input.peek(8)? {
        if !input.skip(8 + u64::from(u32::from_le_bytes([a, b, c, d])))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Skips bzip2 streams without data, because a decoder takes 20 µs for each, and a file may contain
/// a million of them.
fn skip_empty_streams(input: &mut PeekReader<impl Read>) -> io::Result<()> {
    const LEN: usize = 14;
    // A header, the end marker, and a checksum.
    let is_empty = |bytes: &[u8]| {
        matches!(bytes, [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0, ..])
    };
    while is_empty(input.peek(LEN)?) {
        input.consume(LEN);
        input.skip_any_of(b"\0")?;
    }
    Ok(())
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while !buf.is_empty() {
            match self.then.take() {
                Some(Then::End) => match self.codec.start(self.compression) {
                    Ok(true) => self.then = Some(Then::More),
                    Ok(false) => {}
                    Err(fault) => self.then = Some(Then::Fault(fault)),
                },
                Some(Then::More) => {
                    let (wrote, then) = self.codec.step(buf);
                    self.then = Some(then);
                    self.wrote += wrote as u64;
                    if wrote > 0 {
                        return Ok(wrote);
                    }
                }
                Some(Then::Fault(fault)) => return Err(fault.into_error(self.compression.name(), self.wrote)),
                None => break,
            }
        }
        Ok(0)
    }
}
