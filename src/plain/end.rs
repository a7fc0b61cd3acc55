//! Where a plain URL ends.
//!
//! The byte after the run decides, sometimes with the one after that. At most one
//! full stop is trimmed from a plain URL.

use super::{REACH, WIDTH, starts_url};
use crate::bytes::class::{ALPHADIGIT, Class, SLASH, SPACE};

/// Whether an HTML entity of a delimiter may start in the first `run` bytes of `block`.
/// `ampersands` are the ampersands of its first word.
#[inline(always)]
pub(super) fn has_entity(ampersands: u64, block: &[u8], run: usize) -> bool {
    let within = if run < WIDTH { (1 << run) - 1 } else { u64::MAX };
    let mut left = ampersands & within;
    while left != 0 {
        let next = block[left.trailing_zeros() as usize + 1];
        if matches!(next | 0x20, b'l' | b'g' | b'q') {
            return true;
        }
        left &= left - 1;
    }
    false
}

/// Where the URL in the first `run` bytes of `block` ends, if that is certain.
#[inline(always)]
pub(super) fn of(block: &[u8; REACH], run: usize) -> Option<usize> {
    let stops = match STOPS[block[run] as usize] {
        Stop::Hard => true,
        Stop::BeforeSpace => SPACE.has(block[run + 1]) || starts_url(&block[run + 1..]).is_some(),
        Stop::Unsure => false,
    };
    let end = run - usize::from(block[run - 1] == b'.');
    // Two slashes may close what two slashes opened.
    let twice = block[..end].ends_with(b"//");
    (stops && LAST.has(block[end - 1]) && !twice).then_some(end)
}

/// The bytes that are never trimmed from the end of a URL.
const LAST: Class = ALPHADIGIT.or(SLASH);

/// What the byte after a run does to a URL.
#[derive(Clone, Copy)]
enum Stop {
    /// End it.
    Hard,
    /// End it if whitespace follows, or another URL.
    BeforeSpace,
    Unsure,
}

static STOPS: [Stop; 256] = {
    let mut stops = [Stop::Unsure; 256];
    let mut b = 0;
    while b < 0x80 {
        stops[b] = match b as u8 {
            ..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'\\' | b')' | b']' | b'}' => Stop::Hard,
            b',' | b';' => Stop::BeforeSpace,
            _ => Stop::Unsure,
        };
        b += 1;
    }
    stops
};
