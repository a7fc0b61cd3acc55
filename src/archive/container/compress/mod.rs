//! Compressed files, recognised by their first bytes and read as if they were not
//! compressed.
//!
//! | format | first bytes | several in a row | window |
//! |---|---|---|---|
//! | gzip (RFC 1952) | `1f 8b 08` | yes | 32 KiB |
//! | bzip2 | `BZh1` to `BZh9` | yes | 900 kB |
//! | xz | `fd 37 7a 58 5a 00` | yes | at most 128 MiB |
//! | zstd (RFC 8878) | `28 b5 2f fd`, or a skippable frame | yes | at most 128 MiB |
//! | lz4 frames | `04 22 4d 18` | yes | 4 MB |
//! | compress (`.Z`) | `1f 9d` and a header that makes sense | no | 64 Ki codes |
//! | zip | `50 4b 03 04` | see [`zip`] | 32 KiB |
//!
//! Everything else is passed on as it is. A line `#! cunbatch`, or `#! gunbatch` and
//! the like, may stand before the data, as it does in batches of news.
//!
//! The data are decoded as they are read. Memory is that of the window and a
//! buffer of 64 KiB, however much comes out; a file that asks for a larger window
//! (`xz` and `zstd` make none without being told to) is an error.
//!
//! Where a file is damaged or cut off, what stands before is read first, and only
//! then an error comes; after it there is nothing more. How much that is differs:
//! gzip and xz go on up to the byte, bzip2, zstd and lz4 up to the last block that
//! is whole. Zeros behind the last stream are padding; anything else there is an
//! error, since nobody has read it.

mod frame;
mod input;
mod lzw;
mod step;
pub(crate) mod zip;

use std::io::{self, Read};

use self::frame::Zstd;
use self::input::Input;
use self::lzw::Lzw;
use self::step::{Decoder, Fault, Step, Then};

/// The largest window.
const WINDOW: u64 = 128 << 20;

/// What an xz decoder needs besides, at most.
const XZ_OVERHEAD: u64 = 1 << 20;

/// How many bytes tell what a file is.
const HEAD: usize = 6;

/// How long the line before a compressed batch of news may be, in bytes.
const BATCH: usize = 32;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    Lz4,
    Compress,
    Zip,
}

impl Format {
    const ALL: [Format; 7] =
        [Format::Gzip, Format::Bzip2, Format::Xz, Format::Zstd, Format::Lz4, Format::Compress, Format::Zip];

    fn of(head: &[u8]) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.begins(head))
    }

    /// Whether a file that begins with `head` is one of these.
    fn begins(self, head: &[u8]) -> bool {
        match self {
            Format::Bzip2 => matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', ..]),
            Format::Zstd => head.starts_with(self.magic()) || is_skippable(head),
            Format::Compress => head.first_chunk().is_some_and(lzw::begins),
            _ => head.starts_with(self.magic()),
        }
    }

    /// Whether more bytes behind `head` could make it one of these.
    fn may_begin(self, head: &[u8]) -> bool {
        let len = head.len().min(self.magic().len());
        head.len() < HEAD && (head[..len] == self.magic()[..len] || is_skippable(head) || head.is_empty())
    }

    fn magic(self) -> &'static [u8] {
        match self {
            Format::Gzip => b"\x1f\x8b\x08",
            Format::Bzip2 => b"BZh",
            Format::Xz => b"\xfd7zXZ\0",
            Format::Zstd => b"\x28\xb5\x2f\xfd",
            Format::Lz4 => b"\x04\x22\x4d\x18",
            Format::Compress => b"\x1f\x9d",
            Format::Zip => b"PK\x03\x04",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Format::Gzip => "gzip",
            Format::Bzip2 => "bzip2",
            Format::Xz => "xz",
            Format::Zstd => "zstd",
            Format::Lz4 => "lz4",
            Format::Compress => "compress",
            Format::Zip => "zip",
        }
    }
}

fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// What a file turned out to be.
pub(crate) enum Opened<R: Read> {
    /// One file, compressed or not.
    One(Reader<R>),
    /// Any number of files.
    Zip(zip::Zip<R>),
}

/// Looks at the first bytes of a file.
///
/// # Errors
///
/// If they cannot be read.
pub(crate) fn open<R: Read>(inner: R) -> io::Result<Opened<R>> {
    let (input, format) = recognise(inner)?;
    Ok(match format {
        Some(Format::Zip) => Opened::Zip(zip::Zip::new(input)),
        format => Opened::One(Reader { source: Source::new(input, format), wrote: 0, next: Next::Start }),
    })
}

/// The same for a file that is not to be taken for several: a zip archive is
/// passed on as it is.
///
/// # Errors
///
/// If the first bytes cannot be read.
pub(crate) fn reader<R: Read>(inner: R) -> io::Result<Reader<R>> {
    let (input, format) = recognise(inner)?;
    let source = Source::new(input, format.filter(|&format| format != Format::Zip));
    Ok(Reader { source, wrote: 0, next: Next::Start })
}

fn recognise<R: Read>(inner: R) -> io::Result<(Input<R>, Option<Format>)> {
    recognise_from(Input::new(inner))
}

fn recognise_from<R: Read>(mut input: Input<R>) -> io::Result<(Input<R>, Option<Format>)> {
    // No more than can matter is waited for: a person may be typing.
    let head = input.peek_while(HEAD, |head| Format::ALL.into_iter().any(|format| format.may_begin(head)))?;
    match Format::of(head) {
        None if skip_batch(&mut input)? => recognise_from(input),
        format => Ok((input, format)),
    }
}

/// Goes past the line that tells the receiver of a batch of news how it was
/// compressed, if there is one: `#! cunbatch`, `#! gunbatch` and so on. The data
/// say it themselves.
fn skip_batch(input: &mut Input<impl Read>) -> io::Result<bool> {
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

/// What a file holds once it is decompressed.
///
/// An error of reading says what is wrong and behind which byte of what comes out;
/// everything up to there has been read by then, and nothing comes after it.
pub(crate) struct Reader<R: Read> {
    source: Source<R>,
    /// How much came out.
    wrote: u64,
    next: Next,
}

/// What a reader is to do next.
#[derive(Debug)]
enum Next {
    /// Begin with another stream, if there is one.
    Start,
    GoOn,
    Fail(Fault),
    Nothing,
}

impl From<Then> for Next {
    fn from(then: Then) -> Next {
        match then {
            Then::More => Next::GoOn,
            Then::End => Next::Start,
            Then::Fault(fault) => Next::Fail(fault),
        }
    }
}

enum Source<R: Read> {
    Plain(Input<R>),
    Steps(Input<R>, Format, Option<Decoder>),
    Zstd(Input<R>, Zstd),
    Lz4(Box<lz4_flex::frame::FrameDecoder<Input<R>>>),
}

impl<R: Read> Source<R> {
    fn new(input: Input<R>, format: Option<Format>) -> Self {
        match format {
            None => Source::Plain(input),
            Some(Format::Zstd) => Source::Zstd(input, Zstd::new()),
            Some(Format::Lz4) => Source::Lz4(Box::new(lz4_flex::frame::FrameDecoder::new(input))),
            Some(format) => Source::Steps(input, format, None),
        }
    }

    /// Begins with the next stream; `false` if there is none.
    fn start(&mut self) -> Result<bool, Fault> {
        match self {
            Source::Plain(_) => Ok(false),
            Source::Steps(input, format, decoder) => {
                let Some(head) = next_head(input, *format)? else {
                    return Ok(false);
                };
                if *format == Format::Compress {
                    input.consume(lzw::HEADER);
                }
                *decoder = Decoder::new(*format, head);
                Ok(true)
            }
            Source::Zstd(input, zstd) => {
                let more = next_head(input, Format::Zstd)?.is_some();
                if more {
                    zstd.start(input)?;
                }
                Ok(more)
            }
            Source::Lz4(frame) => Ok(next_head(frame.get_mut(), Format::Lz4)?.is_some()),
        }
    }

    /// How much was written, and what follows.
    fn step(&mut self, output: &mut [u8]) -> (usize, Then) {
        match self {
            Source::Steps(input, _, Some(decoder)) => {
                let bytes = match input.peek(1) {
                    Ok(bytes) => bytes,
                    Err(error) => return (0, Then::Fault(Fault::Io(error))),
                };
                let Step { read, wrote, then } = decoder.step(bytes, bytes.is_empty(), output);
                input.consume(read);
                (wrote, then)
            }
            Source::Zstd(input, zstd) => zstd.step(input, output),
            Source::Lz4(frame) => frame::lz4_step(frame, output),
            Source::Plain(_) | Source::Steps(..) => (0, Then::End),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Source::Plain(_) => "plain",
            Source::Steps(_, format, _) => format.name(),
            Source::Zstd(..) => Format::Zstd.name(),
            Source::Lz4(_) => Format::Lz4.name(),
        }
    }
}

/// The first bytes of the next stream, if there is one.
fn next_head(input: &mut Input<impl Read>, format: Format) -> Result<Option<[u8; HEAD]>, Fault> {
    input.skip_zeros().map_err(Fault::Io)?;
    if matches!(format, Format::Zstd | Format::Lz4) && !frame::skip_frames(input).map_err(Fault::Io)? {
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

impl Decoder {
    fn new(format: Format, head: [u8; HEAD]) -> Option<Decoder> {
        match format {
            Format::Gzip => Some(Decoder::Inflate(flate2::Decompress::new_gzip(15))),
            Format::Bzip2 => Some(Decoder::Bunzip(bzip2::Decompress::new(false))),
            Format::Xz => {
                let limit = u32::try_from((WINDOW + XZ_OVERHEAD) / 1024).unwrap_or(u32::MAX);
                Some(Decoder::Unxz(Box::new(lzma_rust2::XzStream::new_mem_limit(false, limit))))
            }
            Format::Compress => Some(Decoder::Uncompress(Lzw::new(head[2]))),
            Format::Zstd | Format::Lz4 | Format::Zip => None,
        }
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if let Source::Plain(input) = &mut self.source {
            return input.pass(buf);
        }
        while !buf.is_empty() {
            match std::mem::replace(&mut self.next, Next::Nothing) {
                Next::Start => match self.source.start() {
                    Ok(true) => self.next = Next::GoOn,
                    Ok(false) => {}
                    Err(fault) => self.next = Next::Fail(fault),
                },
                Next::GoOn => {
                    let (wrote, then) = self.source.step(buf);
                    self.next = then.into();
                    self.wrote += wrote as u64;
                    if wrote > 0 {
                        return Ok(wrote);
                    }
                }
                Next::Fail(fault) => return Err(fault.into_error(self.source.name(), self.wrote)),
                Next::Nothing => break,
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests;
