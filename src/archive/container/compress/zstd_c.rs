//! zstd, by the library in C (feature `zstd-c`, which the program has).
//!
//! The library is about twice as fast as the decoder in Rust.

use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, get_error_name};

use super::step::{Fault, Step, Then};

/// The length of the header of a block.
const BLOCK_HEADER: usize = 3;

/// A decoder of frames.
pub(super) struct Unzstd {
    /// `None` if there was not enough memory.
    context: Option<DCtx<'static>>,
    /// The number of bytes that it asked for.
    wanted: usize,
    /// True if the last step filled its room: more may be decoded already.
    filled: bool,
}

impl Unzstd {
    /// A decoder with a window of at most `window` bytes.
    pub(super) fn new(window: u64) -> Self {
        let mut context = DCtx::try_create();
        let limited =
            context.as_mut().map(|context| context.set_parameter(DParameter::WindowLogMax(window.ilog2())));
        Unzstd {
            context: context.filter(|_| limited.is_some_and(|limited| limited.is_ok())),
            wanted: 0,
            filled: false,
        }
    }

    /// Prepares for the next frame. To make a decoder for each takes 10 µs, and a file may have a
    /// million of them.
    pub(super) fn restart(&mut self) -> bool {
        (self.wanted, self.filled) = (0, false);
        self.context.is_some()
    }

    /// Decodes once.
    ///
    /// If it fails, the output of the same call is lost. So it is given no more than one block,
    /// without the header of the next, and nothing while bytes of the block before may wait.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let Some(context) = &mut self.context else {
            return Step { read: 0, wrote: 0, then: Then::Fault(Fault::Memory(None)) };
        };
        let block = if self.wanted > BLOCK_HEADER { self.wanted - BLOCK_HEADER } else { self.wanted.max(1) };
        let len = if self.filled { 0 } else { input.len().min(block) };
        let mut input = InBuffer::around(&input[..len]);
        let mut output = OutBuffer::around(output);
        let then = match context.decompress_stream(&mut output, &mut input) {
            Ok(0) => Then::End,
            Ok(wanted) => {
                self.wanted = wanted;
                Then::More
            }
            Err(code) => Then::Fault(Fault::Data(get_error_name(code).to_ascii_lowercase())),
        };
        self.filled = output.pos() == output.capacity();
        Step { read: input.pos(), wrote: output.pos(), then }
    }
}
