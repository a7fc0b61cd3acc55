//! Classes of bytes as vector instructions look them up.

use crate::bytes::class::Class;

/// One bit for each upper half that ASCII has, and none for the others.
pub(super) const UPPER_HALVES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

/// The ASCII characters of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Members {
    pub(super) class: Class,
    /// For each lower half, the bits in [`UPPER_HALVES`] of the upper halves that form a
    /// member with it.
    pub(super) lower_halves: [u8; 16],
}

impl Members {
    /// The members of `class`, which has no bytes beyond ASCII.
    pub(crate) const fn of(class: Class) -> Self {
        let mut lower_halves = [0; 16];
        let mut b = 0;
        while b < 0x80 {
            lower_halves[b & 0x0F] |= (class.has(b as u8) as u8) << (b >> 4);
            b += 1;
        }
        assert!(!class.has(0x80));
        Members { class, lower_halves }
    }
}
