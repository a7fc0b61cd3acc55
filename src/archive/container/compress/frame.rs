//! The formats whose decoders read by themselves: zstd and lz4.
//!
//! Both consist of blocks, of which nothing can be had before they are there as a
//! whole, and no block is larger than 4 MB; so what stands before the damage is
//! what the blocks before it hold.

use std::io::{self, Read};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::WINDOW;
use super::input::Input;
use super::step::{Fault, Then};

/// A decoder of zstd frames.
pub(super) struct Zstd {
    frame: Box<FrameDecoder>,
    /// Why there will be no more than is decoded.
    fault: Option<Fault>,
}

/// The last block of a frame, with nothing in it, and a checksum.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl Zstd {
    pub(super) fn new() -> Self {
        let mut frame = Box::new(FrameDecoder::new());
        frame.set_max_window_size(WINDOW);
        Zstd { frame, fault: None }
    }

    /// Reads the header of a frame.
    pub(super) fn start(&mut self, input: &mut Input<impl Read>) -> Result<(), Fault> {
        input.expect();
        self.frame.reset(&mut *input).map_err(|error| fault(input, &error))
    }

    /// How much was written, and what follows.
    pub(super) fn step(&mut self, input: &mut Input<impl Read>, output: &mut [u8]) -> (usize, Then) {
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
                // As long as blocks may refer to it, the last of what is decoded is
                // not given out. After a last block none will.
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
            (Some(said), Some(is)) if said != is => {
                Then::Fault(Fault::Data("the checksum is another".into()))
            }
            _ => Then::End,
        }
    }
}

/// How much was written, and what follows.
pub(super) fn lz4_step<R: Read>(
    frame: &mut lz4_flex::frame::FrameDecoder<Input<R>>,
    output: &mut [u8],
) -> (usize, Then) {
    frame.get_mut().expect();
    match frame.read(output) {
        // It takes the end of the input for the end of a frame.
        Ok(0) if frame.get_ref().is_missed() => (0, Then::Fault(Fault::Cut)),
        Ok(0) => (0, Then::End),
        Ok(wrote) => (wrote, Then::More),
        Err(error) => (0, Then::Fault(fault(frame.get_mut(), &error))),
    }
}

/// What a decoder's error means: it may be one of the input.
fn fault<R: Read>(input: &mut Input<R>, error: &dyn std::error::Error) -> Fault {
    match input.take_failure() {
        Some(error) => Fault::Io(error),
        None if input.is_missed() => Fault::Cut,
        None => Fault::Data(error.to_string()),
    }
}

/// The length of a frame that holds nothing of interest to a decoder, if one
/// begins here; both formats have them.
pub(super) fn skippable(head: &[u8]) -> Option<u64> {
    match *head {
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] => {
            Some(8 + u64::from(u32::from_le_bytes([a, b, c, d])))
        }
        _ => None,
    }
}

/// Goes past such frames.
pub(super) fn skip_frames(input: &mut Input<impl Read>) -> io::Result<bool> {
    while let Some(len) = skippable(input.peek(8)?) {
        if !input.skip(len)? {
            return Ok(false);
        }
    }
    Ok(true)
}
