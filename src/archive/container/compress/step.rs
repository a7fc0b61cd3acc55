//! One step of a decoder: how far it came, and what follows.

use std::io;

/// The largest window of a decoder.
pub(in crate::archive::container) const WINDOW: u64 = 128 << 20;

/// How far a decoder came.
#[derive(Debug)]
pub(in crate::archive::container) struct Step {
    /// How many bytes of the input it consumed.
    pub(in crate::archive::container) read: usize,
    /// How many bytes of the output it filled.
    pub(in crate::archive::container) wrote: usize,
    pub(in crate::archive::container) then: Then,
}

/// What follows.
#[derive(Debug)]
pub(in crate::archive::container) enum Then {
    More,
    /// The end of a stream; another may follow.
    End,
    Fault(Fault),
}

/// Why a decoder cannot continue.
#[derive(Debug)]
pub(in crate::archive::container) enum Fault {
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
    pub(in crate::archive::container) fn into_error(self, name: &str, wrote: u64) -> io::Error {
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
