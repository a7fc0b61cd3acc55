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
            // `begins` has checked the length. The clamp keeps codes within `u16` for any caller.
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
                None if last && (self.held >= 8 || self.bits != 0) => break Then::Fault(Fault::Truncated),
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
        // A code has at most 16 bits, so this is never `None`, which would mean that more input is needed.
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
        // Each prefix has a smaller code than its run, even in damaged input, so the loop ends after at most as many
        // steps as the table has entries.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes of one width, filled up to a group of eight codes.
    fn group(width: u32, codes: &[u16]) -> Vec<u8> {
        let bits: Vec<bool> =
            codes.iter().flat_map(|code| (0..width).map(move |bit| code >> bit & 1 == 1)).collect();
        let mut bytes: Vec<u8> = bits
            .chunks(8)
            .map(|byte| byte.iter().enumerate().fold(0, |sum, (bit, &set)| sum | u8::from(set) << bit))
            .collect();
        bytes.resize(codes.len().div_ceil(8) * width as usize, 0);
        bytes
    }

    /// The text of these bytes, read in steps of `room` bytes, and true if they end well.
    fn text(flags: u8, bytes: &[u8], room: usize) -> (String, bool) {
        let (mut lzw, mut text, mut at) = (Lzw::new(flags), Vec::new(), 0);
        let mut output = vec![0; room];
        loop {
            let Step { read, wrote, then } = lzw.step(&bytes[at..], at == bytes.len(), &mut output);
            (at, text) = (at + read, [&text, &output[..wrote]].concat());
            match then {
                Then::More => {}
                then => return (String::from_utf8(text).unwrap(), matches!(then, Then::End)),
            }
        }
    }

    #[track_caller]
    fn check(flags: u8, groups: &[(u32, &[u16])], expected: &str) {
        let mut bytes: Vec<u8> = groups.iter().flat_map(|(width, codes)| group(*width, codes)).collect();
        // The last group is not filled up.
        let (width, codes) = groups.last().unwrap();
        let unused = codes.len().div_ceil(8) * *width as usize - (codes.len() * *width as usize).div_ceil(8);
        bytes.truncate(bytes.len() - unused);
        for room in [1, 2, 1000] {
            assert_eq!(text(flags, &bytes, room), (expected.to_owned(), true), "{flags:#x} {room}");
        }
    }

    /// The first free code is 257 if 256 clears the table, and 256 otherwise.
    #[test]
    fn codes() {
        let [a, b] = [97, 98];
        check(CLEARS | 16, &[(9, &[a, b])], "ab");
        check(CLEARS | 16, &[(9, &[a, b, 257, 258])], "ababba");
        check(CLEARS | 16, &[(9, &[a, 257, 258])], "aaaaaa");
        check(16, &[(9, &[a, 256, 257])], "aaaaaa");
        check(16, &[(9, &[a, b, 256, a])], "ababa");
    }

    /// A clear empties the table, and the rest of its group is padding.
    #[test]
    fn clears() {
        let [a, b] = [97, 98];
        check(CLEARS | 16, &[(9, &[a, 257, CLEAR]), (9, &[b, 257])], "aaabbb");
        check(CLEARS | 16, &[(9, &[a, CLEAR]), (9, &[CLEAR]), (9, &[b, a, 257])], "ababa");
        let (found, ended) =
            text(CLEARS | 16, &[group(9, &[a, 257, CLEAR]), group(9, &[b, 258])].concat(), 1000);
        assert_eq!((&*found, ended), ("aaab", false));
    }

    /// A full table makes the codes longer, up to the longest, and then stays as it is.
    #[test]
    fn lengths_of_codes() {
        let many = [97; 256];
        let all = "a".repeat(256);
        check(CLEARS | 10, &[(9, &many), (10, &[98, 257, 511])], &format!("{all}baaaa"));
        check(CLEARS | 9, &[(9, &many), (9, &[98, 257, 511])], &format!("{all}baaaa"));
        check(10, &[(9, &[&many[..], &[97]].concat()), (10, &[98, 256])], &format!("{all}abaa"));
        check(CLEARS | 10, &[(9, &many), (10, &[98, CLEAR]), (9, &[97, 257])], &format!("{all}baaa"));
    }

    #[test]
    fn the_header() {
        for (head, expected) in [
            ([0x1f, 0x9d, 0x90], true),
            ([0x1f, 0x9d, 9], true),
            ([0x1f, 0x9d, 16], true),
            ([0x1f, 0x9d, 8], false),
            ([0x1f, 0x9d, 17], false),
            ([0x1f, 0x9d, 0x30], false),
            ([0x1f, 0x9d, 0x50], false),
            ([0x1f, 0x9e, 0x90], false),
            ([0x1e, 0x9d, 0x90], false),
        ] {
            assert_eq!(begins(&head), expected, "{head:x?}");
        }
    }
}
