//! The header of a member: a block of 512 bytes.
//!
//! | at | field | |
//! |---|---|---|
//! | 0 | name | up to 100 bytes, up to the first NUL |
//! | 100, 108, 116 | mode, owner, group | octal digits |
//! | 124 | size | octal digits, or a binary number after a byte 0x80 |
//! | 136 | time | octal digits |
//! | 148 | checksum | the sum of all bytes, these eight being spaces |
//! | 156 | type | see [`TarKind`] |
//! | 257 | magic | `ustar` and NUL: POSIX; `ustar` and a space: GNU; else as in Version 7 |
//! | 345 | prefix | the start of the name, in POSIX |

use super::pax::Segment;

/// The length of a block. Headers and data begin at multiples of it.
pub(super) const BLOCK: usize = 512;

/// The header of a member.
#[derive(Clone, Debug)]
pub(super) struct TarHeader([u8; BLOCK]);

/// The kind of the data after a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TarKind {
    File,
    /// A file with holes, as GNU tar wrote it before 2005.
    Sparse,
    /// The name of the next member, which does not fit into its header.
    LongName,
    /// Records about the next member (POSIX pax).
    Pax,
    /// Data that are not a file: the target of a link, a list of names, records about all
    /// members.
    Other,
    /// No data: a link, a directory, a device.
    Nothing,
}

impl TarHeader {
    /// The header at the beginning of `bytes`, if it is valid.
    pub(super) fn read(bytes: &[u8]) -> Option<TarHeader> {
        let block = bytes.first_chunk()?;
        (has_checksum(block) && number(&block[124..136]).is_some()).then_some(TarHeader(*block))
    }

    pub(super) fn kind(&self) -> TarKind {
        match self.0[156] {
            b'1'..=b'6' => TarKind::Nothing,
            b'S' => TarKind::Sparse,
            b'L' => TarKind::LongName,
            b'x' | b'X' => TarKind::Pax,
            b'K' | b'g' | b'D' | b'A' | b'E' | b'V' => TarKind::Other,
            // Other types belong to files that some program treats specially.
            _ => TarKind::File,
        }
    }

    /// The length of the data after the header.
    pub(super) fn size(&self) -> u64 {
        number(&self.0[124..136]).unwrap_or(0)
    }

    pub(super) fn name(&self) -> Vec<u8> {
        let (name, prefix) = (until_nul(&self.0[..100]), until_nul(&self.0[345..500]));
        match &self.0[257..263] == b"ustar\0" && !prefix.is_empty() {
            true => [prefix, b"/", name].concat(),
            false => name.to_vec(),
        }
    }

    /// For [`TarKind::Sparse`]: up to four segments, the length of the file, and whether
    /// another block of segments follows.
    pub(super) fn segments(&self) -> Option<(Vec<Segment>, u64, bool)> {
        let length = number(&self.0[483..495])?;
        Some((segments(&self.0[386..482])?, length, self.0[482] != 0))
    }
}

/// Up to 21 segments of a block after a header, and whether another such block follows.
pub(super) fn more_segments(block: &[u8]) -> Option<(Vec<Segment>, bool)> {
    Some((segments(block.get(..504)?)?, block[504] != 0))
}

fn has_checksum(block: &[u8; BLOCK]) -> bool {
    let Some(expected) = octal(&block[148..156]) else { return false };
    let own = block[148..156].iter().map(|&b| u64::from(b)).sum::<u64>();
    let sum = sum(block) - own + 8 * u64::from(b' ');
    // Some old programs added signed bytes.
    let negative = || [&block[..148], &block[156..]].concat().iter().filter(|&&b| b >= 0x80).count() as u64;
    sum == expected || sum.checked_sub(256 * negative()) == Some(expected)
}

/// The sum of all bytes. Of every eight bytes, four alternate ones are added at once, to 16-bit
/// numbers, which can hold 128 bytes each.
fn sum(block: &[u8; BLOCK]) -> u64 {
    const EVEN: u64 = 0x00FF_00FF_00FF_00FF;
    let (words, _) = block.as_chunks();
    let sums =
        words.iter().map(|&word| u64::from_le_bytes(word)).map(|word| (word & EVEN) + (word >> 8 & EVEN));
    let sums = sums.sum::<u64>();
    (0..4).map(|nth| sums >> (16 * nth) & 0xFFFF).sum()
}

fn segments(fields: &[u8]) -> Option<Vec<Segment>> {
    let used = fields.chunks_exact(24).take_while(|field| field[0] != 0);
    used.map(|field| Some(Segment { offset: number(&field[..12])?, length: number(&field[12..])? })).collect()
}

fn until_nul(field: &[u8]) -> &[u8] {
    &field[..memchr::memchr(0, field).unwrap_or(field.len())]
}

/// A number in octal digits, or in binary after a byte 0x80, as GNU tar writes long ones.
fn number(field: &[u8]) -> Option<u64> {
    match field {
        [0x80, high @ .., _, _, _, _, _, _, _, _] if high.iter().all(|&b| b == 0) => {
            field.last_chunk().map(|&bytes| u64::from_be_bytes(bytes))
        }
        _ => octal(field),
    }
}

/// A number in octal digits, between spaces and NUL bytes; no digits mean zero.
fn octal(field: &[u8]) -> Option<u64> {
    let is_fill = |b: &u8| matches!(b, b' ' | 0);
    let digits = &field[field.iter().take_while(|b| is_fill(b)).count()..];
    let end = digits.iter().position(is_fill).unwrap_or(digits.len());
    digits[..end].iter().try_fold(0_u64, |value, b| match b {
        b'0'..=b'7' => value.checked_mul(8)?.checked_add(u64::from(b - b'0')),
        _ => None,
    })
}

/// Returns true if more bytes after `head` could make it a tar archive.
///
/// An archive begins with a name, but a text may begin with one as well. A text that begins with a
/// URL must not wait for the end of a header: names do not contain line breaks, and hardly any
/// colon except in a Maildir, and a NUL follows them, which text does not contain.
pub(crate) fn may_begin(head: &[u8]) -> bool {
    let is_in_name = |at: usize| match head[at] {
        b'\n' | b'\r' | b'\t' => false,
        b':' => b"2,".iter().zip(&head[at + 1..]).all(|(info, b)| info == b),
        _ => true,
    };
    head.len() < BLOCK
        && head.first() != Some(&0)
        && (head.contains(&0) || head.len() < 100 && (0..head.len()).all(is_in_name))
}

/// Returns true if these 512 bytes begin a tar archive.
///
/// A damaged header counts as well, so that the members after it are found, if it contains the
/// magic text of a header or six numbers in the positions of a header.
pub(crate) fn begins(head: &[u8]) -> bool {
    let Some(block) = head.first_chunk::<BLOCK>() else { return false };
    let numbers = [100..108, 108..116, 116..124, 124..136, 136..148, 148..156];
    let is_number = |field: &[u8]| {
        let ends = matches!(field.last(), Some(0 | b' '));
        (ends && field.iter().any(u8::is_ascii_digit) && octal(field).is_some()) || field[0] == 0x80
    };
    // A text does not contain NUL bytes, but each header does.
    block[0] != 0
        && memchr::memchr(0, block).is_some()
        && (has_checksum(block)
            || block[257..].starts_with(b"ustar\0") && block[263..265] == *b"00"
            || block[257..].starts_with(b"ustar  \0")
            || numbers.into_iter().all(|field| is_number(&block[field])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        assert_eq!(sum(&[0xFF; BLOCK]), 255 * 512);
        let block = std::array::from_fn(|n| n as u8);
        assert_eq!(sum(&block), 2 * (0..256).sum::<u64>());
    }

    /// The field itself counts as eight spaces, which are 256 together. Added as a signed byte, 0x80 is -128.
    #[test]
    fn signed_and_unsigned_sums() {
        for (byte, checksum, is_right) in [
            (0x7F, 383, true),
            (0x7F, 127, false),
            (0x80, 384, true),
            (0x80, 128, true),
            (0x80, 129, false),
            (0xFF, 511, true),
            (0xFF, 255, true),
        ] {
            let mut block = [0; BLOCK];
            block[0] = byte;
            block[148..156].copy_from_slice(format!("{checksum:06o}\0 ").as_bytes());
            assert_eq!(has_checksum(&block), is_right, "{byte:02x} {checksum}");
        }
    }

    #[test]
    fn numbers_of_all_programs() {
        assert_eq!(octal(b"0000644\0"), Some(0o644));
        assert_eq!(octal(b"   644 \0"), Some(0o644));
        assert_eq!(octal(b"00000000017"), Some(15));
        assert_eq!(octal(b"\0\0\0\0"), Some(0));
        assert_eq!(octal(b"0000648\0"), None);
        assert_eq!(number(b"\x80\0\0\0\0\0\0\x02\0\0\0\0"), Some(8 << 30));
        assert_eq!(number(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), None);
        assert_eq!(number(b"\x80\x01\0\0\0\0\0\0\0\0\0\0"), None);
    }

    /// A name without a line break and a colon may begin an archive, and a NUL makes it likely.
    #[test]
    fn what_may_become_a_header() {
        let block = |len: usize| [&b"a\0"[..], &vec![b'x'; len - 2]].concat();
        for (head, expected) in [
            (b"".to_vec(), true),
            (b"dir/file".to_vec(), true),
            (b"1.h:2,S".to_vec(), true),
            (b"1.h:".to_vec(), true),
            (b"1.h:2".to_vec(), true),
            (b"1.h:1,S".to_vec(), false),
            (b"1.h:2S".to_vec(), false),
            (b"http://h.org/".to_vec(), false),
            (b"a\nb".to_vec(), false),
            (b"a\rb".to_vec(), false),
            (b"a\tb".to_vec(), false),
            (b"a\n\0".to_vec(), true),
            (b"\0a".to_vec(), false),
            (vec![b'a'; 99], true),
            (vec![b'a'; 100], false),
            (block(BLOCK - 1), true),
            (block(BLOCK), false),
        ] {
            assert_eq!(may_begin(&head), expected, "{}", head.escape_ascii());
        }
    }

    /// Changes of a Version 7 header with a wrong checksum, which its six numbers still identify.
    #[test]
    fn damaged_headers() {
        let mut damaged = [0; BLOCK];
        for (at, field) in [
            (0, &b"name"[..]),
            (100, b"0000644\0"),
            (108, b"0001750\0"),
            (116, b"0001750 "),
            (124, b"00000000017\0"),
            (136, b"07316712345 "),
            (148, b"000001\0 "),
        ] {
            damaged[at..at + field.len()].copy_from_slice(field);
        }
        let changed = |changes: &[(usize, &[u8])]| {
            let mut block = damaged;
            changes.iter().for_each(|&(at, bytes)| block[at..at + bytes.len()].copy_from_slice(bytes));
            begins(&block)
        };
        assert!(changed(&[]));
        assert!(!changed(&[(0, b"\0")]));
        assert!(!begins(&damaged[..BLOCK - 1]));
        assert!(!begins(&damaged.map(|b| if b == 0 { b' ' } else { b })), "a text");
        for (at, len) in [(100, 8), (108, 8), (116, 8), (124, 12), (136, 12), (148, 8)] {
            // GNU tar writes a large number in binary, after a byte 0x80; it ends with any byte.
            assert!(changed(&[(at, b"\x80\0\0\0"), (at + len - 1, b"\x07")]), "{at}");
            for (field, why) in [(b'x', "no number"), (b'8', "not octal"), (0x81, "not 0x80")] {
                assert!(!changed(&[(at, &[field])]), "{at}: {why}");
            }
            assert!(!changed(&[(at, &vec![b' '; len])]), "{at}: no digit");
            assert!(!changed(&[(at + len - 1, b"1")]), "{at}: not ended");
        }
        let no_number = (100, &b"x"[..]);
        for (magic, expected) in [
            (&b"ustar\x0000"[..], true),
            (b"ustar\x0001", false),
            (b"ustar\x0010", false),
            (b"ustar  \0", true),
            (b"ustar   ", false),
            (b"ustas\x0000", false),
        ] {
            assert_eq!(changed(&[no_number, (257, magic)]), expected, "{}", magic.escape_ascii());
        }
        // With the checksum that POSIX defines: the sum of all bytes, with eight spaces for the field.
        let sum = 256 + damaged.iter().map(|&b| u32::from(b)).sum::<u32>()
            - damaged[148..156].iter().map(|&b| u32::from(b)).sum::<u32>();
        let sum = sum + u32::from(b'x') - u32::from(b'0');
        assert!(changed(&[no_number, (148, format!("{sum:06o}\0 ").as_bytes())]));
    }

    #[test]
    fn numbers_in_octal_digits() {
        for (field, expected) in [
            (&b"0000012\0"[..], Some(10)),
            (b"     12 ", Some(10)),
            (b"\0 12 9", Some(10)),
            (b"", Some(0)),
            (b" \0 ", Some(0)),
            (b"7", Some(7)),
            (b"8", None),
            (b"1x", None),
            (b"1777777777777777777777", Some(u64::MAX)),
            (b"2000000000000000000000", None),
        ] {
            assert_eq!(octal(field), expected, "{}", field.escape_ascii());
        }
    }
}
