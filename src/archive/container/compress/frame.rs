//! Frames: those of lz4, whose decoder reads by itself, and those that decoders skip.
//!
//! The data are blocks of at most 4 MB, each of which is decoded as a whole; so the
//! data before the damage are those of the blocks before it.

use std::io::{self, Read};

use super::peek::PeekReader;
use super::step::{Fault, Then};

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
pub(super) fn fault<R: Read>(input: &mut PeekReader<R>, error: &dyn std::error::Error) -> Fault {
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
