//! zstd, by a decoder that reads by itself, block by block.
//!
//! This decoder is written in Rust. The feature `zstd-c` has another one (`zstd_c.rs`).

use std::io::Read;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::peek::PeekReader;
use super::step::{Fault, Then, fault};

/// A decoder of zstd frames.
pub(super) struct Zstd {
    frame: Box<FrameDecoder>,
    /// The greatest window, in bytes.
    pub(super) window: u64,
    /// The reason why no more blocks can be decoded.
    fault: Option<Fault>,
}

/// The last block of a frame, empty, and a checksum.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl Zstd {
    pub(super) fn new(window: u64) -> Self {
        let mut frame = Box::new(FrameDecoder::new());
        frame.set_max_window_size(window);
        Zstd { frame, window, fault: None }
    }

    /// Reads the header of a frame.
    pub(super) fn start(&mut self, input: &mut PeekReader<impl Read>) -> Result<(), Fault> {
        input.missed = false;
        self.frame.reset(&mut *input).map_err(|error| fault(input, &error))
    }

    /// Decodes once; returns the number of decompressed bytes, and the next state.
    pub(super) fn step(&mut self, input: &mut PeekReader<impl Read>, output: &mut [u8]) -> (usize, Then) {
        while self.frame.can_collect() == 0 {
            if let Some(fault) = self.fault.take() {
                return (0, Then::Fault(fault));
            }
            if self.frame.is_finished() {
                let sums = (self.frame.get_checksum_from_data(), self.frame.get_calculated_checksum());
                let is_damaged = matches!(sums, (Some(expected), Some(found)) if expected != found);
                let fault = || Then::Fault(Fault::Data("the checksum does not match".into()));
                return (0, if is_damaged { fault() } else { Then::End });
            }
            let one = || BlockDecodingStrategy::UptoBlocks(1);
            if let Err(error) = self.frame.decode_blocks(&mut *input, one()) {
                self.fault = Some(fault(input, &error));
                // The decoder keeps the last bytes, to which later blocks may refer. It
                // yields them after a last block.
                let _ = self.frame.decode_blocks(&LAST_BLOCK[..], one());
            }
        }
        match self.frame.read(output) {
            Ok(wrote) => (wrote, Then::More),
            Err(error) => (0, Then::Fault(Fault::Io(error))),
        }
    }
}
