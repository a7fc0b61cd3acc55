//! The formats whose decoders read by themselves: zstd and lz4.
//!
//! Their data are blocks of at most 4 MB, each of which is decoded as a whole; so the
//! data before the damage are those of the blocks before it.

use std::io::{self, Read};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::peek::PeekReader;
use super::step::{Fault, Then};

/// A decoder of zstd frames.
pub(super) struct Zstd {
    frame: Box<FrameDecoder>,
    /// Why no more blocks can be decoded.
    fault: Option<Fault>,
}

/// The last block of a frame, empty, and a checksum.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl Zstd {
    pub(super) fn new(window: u64) -> Self {
        let mut frame = Box::new(FrameDecoder::new());
        frame.set_max_window_size(window);
        Zstd { frame, fault: None }
    }

    /// Reads the header of a frame.
    pub(super) fn start(&mut self, input: &mut PeekReader<impl Read>) -> Result<(), Fault> {
        input.expect();
        self.frame.reset(&mut *input).map_err(|error| fault(input, &error))
    }

    /// Decodes once; returns how many bytes came out, and what follows.
    pub(super) fn step(&mut self, input: &mut PeekReader<impl Read>, output: &mut [u8]) -> (usize, Then) {
        while self.frame.can_collect() == 0 {
            if let Some(fault) = self.fault.take() {
                return (0, Then::Fault(fault));
            }
            if self.frame.is_finished() {
                return (0, self.check());
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

    fn check(&self) -> Then {
        match (self.frame.get_checksum_from_data(), self.frame.get_calculated_checksum()) {
            (Some(expected), Some(found)) if expected != found => {
                Then::Fault(Fault::Data("the checksum does not match".into()))
            }
            _ => Then::End,
        }
    }
}

/// Decodes once; returns how many bytes came out, and what follows.
pub(super) fn lz4_step<R: Read>(
    frame: &mut lz4_flex::frame::FrameDecoder<PeekReader<R>>,
    output: &mut [u8],
) -> (usize, Then) {
    frame.get_mut().expect();
    match frame.read(output) {
        // The decoder takes the end of the input for the end of a frame.
        Ok(0) if frame.get_ref().has_missed() => (0, Then::Fault(Fault::Cut)),
        Ok(0) => (0, Then::End),
        Ok(wrote) => (wrote, Then::More),
        Err(error) => (0, Then::Fault(fault(frame.get_mut(), &error))),
    }
}

/// The fault that an error of a decoder means; it may be an error of the input.
fn fault<R: Read>(input: &mut PeekReader<R>, error: &dyn std::error::Error) -> Fault {
    match input.take_failure() {
        Some(error) => Fault::Io(error),
        None if input.has_missed() => Fault::Cut,
        None => Fault::Data(error.to_string()),
    }
}

/// Whether a skippable frame begins here, which decoders ignore; both formats have them.
pub(super) fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The length of the skippable frame that begins here, if there is one.
fn skippable_len(head: &[u8]) -> Option<u64> {
    match *head {
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] => {
            Some(8 + u64::from(u32::from_le_bytes([a, b, c, d])))
        }
        _ => None,
    }
}

/// Skips such frames; returns whether the last one was complete.
pub(super) fn skip_frames(input: &mut PeekReader<impl Read>) -> io::Result<bool> {
    while let Some(len) = skippable_len(input.peek(8)?) {
        if !input.skip(len)? {
            return Ok(false);
        }
    }
    Ok(true)
}
