//! Where a plain URL ends.
//!
//! The byte behind the run tells it, sometimes with the one behind that; what is
//! trimmed from a plain URL is one full stop at most.

use super::{REACH, WIDTH, begins_url};
use crate::bytes::class;

/// Whether an entity of HTML that stands for a delimiter may begin in the first
/// `run` bytes of `block`, of whose first word the ampersands are known.
#[inline(always)]
pub(super) fn has_entity(ampersands: u64, block: &[u8], run: usize) -> bool {
    let within = if run < WIDTH { (1 << run) - 1 } else { u64::MAX };
    let mut left = ampersands & within;
    while left != 0 {
        let behind = block[left.trailing_zeros() as usize + 1];
        if matches!(behind | 0x20, b'l' | b'g' | b'q') {
            return true;
        }
        left &= left - 1;
    }
    false
}

/// Where the URL ends that runs over the first `run` bytes of `block`, if that is
/// beyond doubt.
#[inline(always)]
pub(super) fn of(block: &[u8; REACH], run: usize) -> Option<usize> {
    let stops = match STOPS[block[run] as usize] {
        Stop::Hard => true,
        Stop::BeforeSpace => class::is_space(block[run + 1]) || begins_url(&block[run + 1..]).is_some(),
        Stop::Unsure => false,
    };
    let end = run - usize::from(block[run - 1] == b'.');
    (stops && is_last(block[end - 1])).then_some(end)
}

/// Whether a URL that ends with `b` loses nothing.
#[inline(always)]
fn is_last(b: u8) -> bool {
    LASTS[b as usize]
}

static LASTS: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < table.len() {
        table[b] = (b as u8).is_ascii_alphanumeric() || b as u8 == b'/';
        b += 1;
    }
    table
};

/// What the byte behind a run does to a URL.
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
