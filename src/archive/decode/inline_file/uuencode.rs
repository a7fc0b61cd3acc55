//! uuencode (POSIX): a line is its length in bytes and then four characters for each
//! three of them. A character is six bits, from a space (or a grave accent) to `_`.

use std::ops::Range;

use super::line_at;
use crate::archive::source_map::Decoded;

/// The length of a full line: `M`, which is 45, and the characters for 45 bytes. Some
/// programs add a checksum.
const FULL: Range<usize> = 61..63;

/// How many full lines without a `begin` are a file.
const ENOUGH: usize = 3;

/// The lines of data after the `begin` at `at`.
pub(super) fn lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (line, start) = line_at(text, at);
    if !is_begin(line, b"begin ") {
        return None;
    }
    let (first, _) = line_at(text, start);
    // Of the first line, less is lost.
    let whole = encoded(first).is_some_and(|len| len > 0 && 2 * first.len() > len.div_ceil(3) * 4);
    whole.then(|| start..end(text, start))
}

/// The lines of data from `at` on, if the first ones are full.
pub(super) fn full_lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut next = at;
    for _ in 0..ENOUGH {
        let (line, after) = line_at(text, next);
        if !line.starts_with(b"M") || !FULL.contains(&line.len()) || encoded(line).is_none() {
            return None;
        }
        next = after;
    }
    Some(at..end(text, next))
}

/// The lines of base64 after the `begin-base64` at `at`.
pub(super) fn base64_lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (line, start) = line_at(text, at);
    let is_data = |line: &[u8]| {
        let character = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
        !line.is_empty() && line.iter().all(character) && line != b"===="
    };
    let mut end = start;
    while end < text.len() && is_data(line_at(text, end).0) {
        end = line_at(text, end).1;
    }
    (is_begin(line, b"begin-base64 ") && end > start).then_some(start..end)
}

/// Whether `line` is `word`, a mode in octal digits, and a name.
fn is_begin(line: &[u8], word: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(word) else {
        return false;
    };
    let digits = rest.iter().take_while(|b| matches!(b, b'0'..=b'7')).count();
    (3..=5).contains(&digits) && rest[digits..].starts_with(b" ") && !rest[digits..].trim_ascii().is_empty()
}

/// Where the lines of data end that begin at `at`.
fn end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        let (line, next) = line_at(text, at);
        match encoded(line) {
            Some(0) => return next,
            Some(_) if line != b"end" => at = next,
            _ => break,
        }
    }
    at
}

/// How many bytes `line` encodes; `None` if it is not a line of data. Spaces at its end
/// may be lost.
fn encoded(line: &[u8]) -> Option<usize> {
    let (&first, data) = line.split_first()?;
    if !line.iter().all(|b| matches!(b, b' '..=b'`')) {
        return None;
    }
    let len = sextet(first);
    let used = data.trim_ascii_end().len();
    (used <= len.div_ceil(3) * 4 + 1).then_some(len)
}

fn sextet(b: u8) -> usize {
    usize::from(b.wrapping_sub(b' ') & 0x3F)
}

/// Appends the content of the lines at `range`.
pub(super) fn decode(text: &[u8], range: Range<usize>, decoded: &mut Decoded) {
    let mut at = range.start;
    while at < range.end {
        let (line, next) = line_at(text, at);
        line_of(line, at, decoded);
        at = next;
    }
}

/// Appends the content of one line, which begins at `at`.
fn line_of(line: &[u8], at: usize, decoded: &mut Decoded) {
    let Some((&first, data)) = line.split_first() else {
        return;
    };
    let len = sextet(first);
    // Spaces at the end of the line may be lost.
    let bits = |n: usize| data.get(n).map_or(0, |&b| sextet(b));
    let bytes: Vec<u8> = (0..len)
        .map(|n| {
            let (character, byte) = (n / 3 * 4 + n % 3, n % 3);
            let pair = bits(character) << 6 | bits(character + 1);
            (pair >> (4 - 2 * byte)).to_le_bytes()[0]
        })
        .collect();
    let source = |n: usize| at + 1 + n.min(data.len());
    let (whole, rest) = bytes.split_at(len / 3 * 3);
    let quartets = len / 3 * 4;
    decoded.put(whole, source(0)..source(quartets));
    for (n, byte) in rest.iter().enumerate() {
        decoded.put(&[*byte], source(quartets + n)..source(quartets + n + 2));
    }
}
