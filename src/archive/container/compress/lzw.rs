//! What `compress` makes: the files that end in `.Z`.
//!
//! Codes of nine bits and more stand for runs of bytes, each run being an earlier
//! one with a byte behind it. A code that the table does not have yet is the run
//! before it with its own first byte behind. When the table has outgrown the
//! codes they get a bit longer, up to a length that the header states; the code
//! 256 empties the table, if the header says so.
//!
//! Codes are written eight at a time, and where their length changes the rest of
//! the eight is filled up and means nothing.
//!
//! The format has neither an end nor a checksum: what is cut off or replaced is
//! noticed only if a code appears that cannot be.

use super::step::{Fault, Step, Then};

/// The code that empties the table.
const CLEAR: u16 = 256;

/// The third byte of a file: the greatest length of a code, two bits that mean
/// nothing yet, and whether [`CLEAR`] is used.
const LENGTH: u8 = 0x1f;
const RESERVED: u8 = 0x60;
const CLEARS: u8 = 0x80;

/// How long the header is.
pub(super) const HEADER: usize = 3;

/// Whether a file may begin with these bytes.
pub(super) fn begins(head: &[u8; HEADER]) -> bool {
    head[..2] == [0x1f, 0x9d] && head[2] & RESERVED == 0 && (9..=16).contains(&(head[2] & LENGTH))
}

#[derive(Debug)]
pub(super) struct Lzw {
    longest: u32,
    clears: bool,
    /// Of each code from 0: the run that it begins with, and the byte behind that.
    table: Vec<(u16, u8)>,
    /// The length of a code now.
    length: u32,
    /// The code before, and the first byte of its run.
    before: Option<(u16, u8)>,
    /// Bits that are no code yet, the next one lowest.
    bits: u64,
    held: u32,
    /// How many codes of this length were read.
    codes: u32,
    /// How many bits to leave out.
    filling: u32,
    /// What is decoded and not yet written, the last byte first.
    ahead: Vec<u8>,
}

impl Lzw {
    /// A decoder of what follows a header whose third byte is `flags`.
    pub(super) fn new(flags: u8) -> Self {
        let mut lzw = Lzw {
            longest: u32::from(flags & LENGTH).clamp(9, 16),
            clears: flags & CLEARS != 0,
            table: Vec::new(),
            length: 9,
            before: None,
            bits: 0,
            held: 0,
            codes: 0,
            filling: 0,
            ahead: Vec::new(),
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

    pub(super) fn step(&mut self, input: &[u8], last: bool, output: &mut [u8]) -> Step {
        let mut read = 0;
        let mut wrote = 0;
        let then = loop {
            while wrote < output.len()
                && let Some(byte) = self.ahead.pop()
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
                None if last => break Then::End,
                None => break Then::More,
            }
        };
        Step { read, wrote, then }
    }

    /// The next code; `None` if more input is needed.
    fn code(&mut self, input: &[u8], read: &mut usize) -> Option<u16> {
        // That it outgrew its length shows only when the next code is read.
        if self.table.len() >= 1 << self.length && self.length < self.longest {
            self.change_length(self.length + 1);
        }
        loop {
            let left_out = self.filling.min(self.held);
            self.bits >>= left_out;
            self.held -= left_out;
            self.filling -= left_out;
            if self.filling == 0 && self.held >= self.length {
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
        self.filling = (8 - self.codes % 8) % 8 * self.length;
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
                self.ahead.push(first);
                before
            }
            _ => return Err(Fault::Data("a code that stands for nothing".into())),
        };
        while run > CLEAR || run == CLEAR && !self.clears {
            let (begin, byte) = self.table[usize::from(run)];
            self.ahead.push(byte);
            run = begin;
        }
        // The run of a single byte.
        let first = run as u8;
        self.ahead.push(first);
        if let Some((before, _)) = self.before
            && self.table.len() < 1 << self.longest
        {
            self.table.push((before, first));
        }
        self.before = Some((code, first));
        Ok(())
    }
}
