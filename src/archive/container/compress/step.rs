//! One step of a decoder: its progress, and the next state.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::iter;

use super::peek::PeekReader;
use crate::bytes::large;

/// The largest window of a decoder.
pub(crate) const WINDOW: u64 = 128 << 20;

/// The largest window, up to `window` bytes, for which the system has memory. An allocation that
/// fails ends the process; a file that asks for more than is allowed is an error.
pub(crate) fn available(window: u64) -> u64 {
    const LEAST: u64 = 1 << 20;
    let fits = |window: &u64| usize::try_from(2 * window).is_ok_and(large::is_available);
    let smaller =
        iter::successors(Some(window), |window| Some(window / 2)).take_while(|&window| window > LEAST);
    smaller.chain([LEAST.min(window)]).find(fits).unwrap_or(LEAST.min(window))
}

/// The progress of a decoder.
#[derive(Debug)]
pub(crate) struct Step {
    /// The number of input bytes that it consumed.
    pub(crate) read: usize,
    /// The number of output bytes that it filled.
    pub(crate) wrote: usize,
    pub(crate) then: Then,
}

/// The state after a step.
#[derive(Debug)]
pub(crate) enum Then {
    More,
    /// The end of a stream; another may follow.
    End,
    Fault(Fault),
}

/// The reason why a decoder cannot continue.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The input ends too early.
    Truncated,
    /// The input is not valid, and why.
    Data(String),
    /// The data needs a window of the first number of bytes; the second is allowed.
    Window(u64, u64),
    /// The data needs more memory than this limit in KiB, or `None` if the system has no more
    /// memory.
    Memory(Option<u32>),
    /// Other data follow the last stream.
    Foreign,
    /// The input could not be read.
    Io(io::Error),
}

impl Fault {
    /// The error of a reader of `name` data that has yielded `wrote` bytes.
    pub(crate) fn into_error(self, name: &str, wrote: u64) -> io::Error {
        let (kind, what, why) = match self {
            Fault::Io(error) => return error,
            Fault::Truncated => (ErrorKind::UnexpectedEof, format!("truncated {name} data"), String::new()),
            Fault::Data(why) => (ErrorKind::InvalidData, format!("corrupt {name} data"), format!(": {why}")),
            Fault::Window(needed, allowed) => {
                let text = format!(
                    "{name} data needs a window of {} MiB, but the limit is {} MiB; try: zstd -dc --long={} FILE | urlgrep",
                    needed >> 20,
                    allowed >> 20,
                    needed.next_power_of_two().ilog2()
                );
                return io::Error::new(ErrorKind::OutOfMemory, text);
            }
            Fault::Memory(limit) => {
                let limited =
                    |mib| format!(": {name} data needs more than {mib} MiB of memory, which is the limit");
                let why = limit.map_or(": out of memory".to_owned(), |limit| limited(limit / 1024));
                (ErrorKind::InvalidData, "skipped the rest".to_owned(), why)
            }
            Fault::Foreign => {
                let what = format!("skipped trailing data after the {name} data");
                (ErrorKind::InvalidData, what, String::new())
            }
        };
        io::Error::new(kind, Damage { what, wrote, why })
    }
}

/// Damage of compressed data.
#[derive(Debug)]
pub struct Damage {
    what: String,
    /// The number of decompressed bytes before it.
    wrote: u64,
    why: String,
}

impl Damage {
    /// Returns the damage that an error of a reader means, if it is one.
    pub fn in_error(error: &mut io::Error) -> Option<&mut Damage> {
        error.get_mut()?.downcast_mut()
    }

    /// Adds the number of bytes before the data that were read.
    pub fn move_by(&mut self, bytes: u64) {
        self.wrote += bytes;
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { what, wrote, why } = self;
        write!(f, "{what} after {wrote} decompressed bytes{why}")
    }
}

impl Error for Damage {}

/// The fault that an error of a decoder means; it may be an error of the input.
pub(super) fn fault<R: Read>(input: &mut PeekReader<R>, error: &dyn Error) -> Fault {
    match input.failure.take() {
        Some(error) => Fault::Io(error),
        None if input.missed => Fault::Truncated,
        None => Fault::Data(error.to_string()),
    }
}
