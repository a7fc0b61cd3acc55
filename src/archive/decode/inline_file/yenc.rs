//! yEnc (version 1.3): each byte plus 42, in lines of a fixed length; NUL, LF, CR and `=`
//! are a `=` and the byte plus 64.

use std::ops::Range;

use super::{line_at, number_after};
use crate::archive::source_map::Decoded;

/// The lines of data after the `=ybegin` at `at`.
pub(super) fn lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (line, mut start) = line_at(text, at);
    if !line.starts_with(b"=ybegin ") {
        return None;
    }
    let len = number_after(line, b" line=")?;
    let (part, after) = line_at(text, start);
    if part.starts_with(b"=ypart ") {
        start = after;
    }
    let mut end = start;
    while end < text.len() {
        let (line, next) = line_at(text, end);
        if line.starts_with(b"=yend") {
            break;
        }
        end = next;
        if line.len() < len {
            break;
        }
    }
    (end > start).then_some(start..end)
}

/// Appends the content of the lines at `range`.
pub(super) fn decode(text: &[u8], range: Range<usize>, decoded: &mut Decoded) {
    let mut at = range.start;
    while at < range.end {
        match text[at..range.end] {
            [b'=', b, ..] => {
                decoded.put(&[b.wrapping_sub(64 + 42)], at..at + 2);
                at += 1;
            }
            [b'\r' | b'\n', ..] | [] => {}
            [b, ..] => decoded.put(&[b.wrapping_sub(42)], at..at + 1),
        }
        at += 1;
    }
}
