//! The decoder of `compress`: the files that end in `.Z`.
//!
//! A code of nine bits or more encodes a run of bytes; each run is an earlier run and one byte
//! after it. A code that the table does not have yet is the run of the code before it, followed by
//! the first byte of that run. When the table has more entries than the codes have values, codes
//! become one bit longer, up to a length that the header states; the code 256 empties the table, if
//! the header declares it.
//!
//! Codes are written eight at a time; where their length changes, the rest of the eight
//! is padding.
//!
//! The format has neither an end mark nor a checksum: damage is noticed only if it makes
//! a code that is not valid, or ends within a code.

use super::step::{Fault, Step, Then};

/// The code that empties the table.
const CLEAR: u16 = 256;

/// The third byte of a file: the greatest length of a code, two reserved bits, and
/// whether [`CLEAR`] is used.
const LENGTH: u8 = 0x1f;
const RESERVED: u8 = 0x60;
const CLEARS: u8 = 0x80;

/// The length of the header.
pub(super) const HEADER: usize = 3;

/// Returns true if a file may begin with these bytes.
pub(super) fn begins(head: &[u8; HEADER]) -> bool {
    head[..2] == [0x1f, 0x9d] && head[2] & RESERVED == 0 && (9..=16).contains(&(head[2] & LENGTH))
}

#[derive(Debug, Default)]
pub(crate) struct Lzw {
    longest: u32,
    clears: bool,
    /// For each code from 0: the run that it begins with, and the byte after that.
    table: Vec<(u16, u8)>,
    /// The current length of a code.
    length: u32,
    /// The code before, and the first byte of its run.
    before: Option<(u16, u8)>,
    /// Bits of the next codes, the first one lowest, and how many.
    bits: u64,
    held: u32,
    /// The number of codes of the current length that have been read.
    codes: u32,
    /// The number of padding bits that follow.
    padding: u32,
    /// Decoded bytes that have not been written, the last one first.
    pending: Vec<u8>,
}

impl Lzw {
    /// A decoder of the data after a header whose third byte is `flags`.
    pub(super) fn new(flags: u8) -> Self {
        let mut lzw = Lzw {
            longest: u32::from(flags & LENGTH).clamp(9, 16),
            clears: flags & CLEARS != 0,
            length: 9,
            ..Lzw::default()
        };
        lzw.clear();
        lzw
    }

    fn clear(&mut self) {
        self.table.clear();
        self.table.extend((0..=u8::MAX).map(|byte| (0, byte)));
        if self.clears {
            self.table.push((0, 0));
        }
        self.before = None;
    }

    /// Decodes; `last` means that no more input follows.
    pub(super) fn step(&mut self, input: &[u8], last: bool, output: &mut [u8]) -> Step {
        let mut read = 0;
        let mut wrote = 0;
        let then = loop {
            while wrote < output.len()
                && let Some(byte) = self.pending.pop()
            {
                output[wrote] = byte;
                wrote += 1;
            }
            if wrote == output.len() {
                break Then::More;
            }
            match self.code(input, &mut read) {
                Some(code) => {
                    if let Err(fault) = self.decode(code) {
                        break Then::Fault(fault);
                    }
                }
                // After the last code, only the rest of its byte follows, and that is zero.
                None if last && (self.held >= 8 || self.bits != 0) => break Then::Fault(Fault::Cut),
                None if last => break Then::End,
                None => break Then::More,
            }
        };
        Step { read, wrote, then }
    }

    /// The next code; `None` if more input is needed.
    fn code(&mut self, input: &[u8], read: &mut usize) -> Option<u16> {
        // The table may have outgrown the length of a code only now.
        if self.table.len() >= 1 << self.length && self.length < self.longest {
            self.change_length(self.length + 1);
        }
        loop {
            let skipped = self.padding.min(self.held);
            self.bits >>= skipped;
            self.held -= skipped;
            self.padding -= skipped;
            if self.padding == 0 && self.held >= self.length {
                break;
            }
            let &byte = input.get(*read)?;
            *read += 1;
            self.bits |= u64::from(byte) << self.held;
            self.held += 8;
        }
        let code = self.bits & ((1 << self.length) - 1);
        self.bits >>= self.length;
        self.held -= self.length;
        self.codes += 1;
        u16::try_from(code).ok()
    }

    fn change_length(&mut self, length: u32) {
        self.padding = (8 - self.codes % 8) % 8 * self.length;
        self.codes = 0;
        self.length = length;
    }

    fn decode(&mut self, code: u16) -> Result<(), Fault> {
        if code == CLEAR && self.clears {
            self.clear();
            self.change_length(9);
            return Ok(());
        }
        let known = usize::from(code) < self.table.len();
        let mut run = match self.before {
            _ if known => code,
            Some((before, first)) if usize::from(code) == self.table.len() => {
                self.pending.push(first);
                before
            }
            _ => return Err(Fault::Data(format!("unknown code {code}"))),
        };
        while run > CLEAR || run == CLEAR && !self.clears {
            let (prefix, byte) = self.table[usize::from(run)];
            self.pending.push(byte);
            run = prefix;
        }
        // A run of one byte.
        let first = run as u8;
        self.pending.push(first);
        if let Some((before, _)) = self.before
            && self.table.len() < 1 << self.longest
        {
            self.table.push((before, first));
        }
        self.before = Some((code, first));
        Ok(())
    }
}
