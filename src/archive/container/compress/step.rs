//! One step of a decoder: how far it came, and what follows.

use std::io;

/// The largest window of a decoder.
pub(super) const WINDOW: u64 = 128 << 20;

/// How far a decoder came.
#[derive(Debug)]
pub(super) struct Step {
    /// How many bytes of the input it consumed.
    pub(super) read: usize,
    /// How many bytes of the output it filled.
    pub(super) wrote: usize,
    pub(super) then: Then,
}

/// What follows.
#[derive(Debug)]
pub(super) enum Then {
    More,
    /// The end of a stream; another may follow.
    End,
    Fault(Fault),
}

/// Why a decoder cannot continue.
#[derive(Debug)]
pub(super) enum Fault {
    /// The input ends too early.
    Cut,
    /// The input is not valid, and why.
    Data(String),
    /// Other data follow the last stream.
    Foreign,
    /// The input could not be read.
    Io(io::Error),
}

impl Fault {
    /// The error of a reader of `name` data that has yielded `wrote` bytes.
    pub(super) fn into_error(self, name: &str, wrote: u64) -> io::Error {
        let (kind, text) = match self {
            Fault::Io(error) => return error,
            Fault::Cut => (
                io::ErrorKind::UnexpectedEof,
                format!("{name} data end too early, after byte {wrote} of the decompressed data"),
            ),
            Fault::Data(why) => (
                io::ErrorKind::InvalidData,
                format!("{name} data are damaged after byte {wrote} of the decompressed data: {why}"),
            ),
            Fault::Foreign => (
                io::ErrorKind::InvalidData,
                format!("{name} data end after byte {wrote} of the decompressed data, but other data follow"),
            ),
        };
        io::Error::new(kind, text)
    }
}
