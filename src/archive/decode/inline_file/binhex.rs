//! BinHex 4 (RFC 1741): lines of 64 characters between two colons.

use std::ops::Range;

use super::line_at;

/// The characters of the encoding.
const ALPHABET: &[u8; 64] = b"!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr";

/// The length of the longest line.
const BINHEX_LINE_LEN: usize = 80;

/// The lines of data after the notice at `at`.
///
/// RFC 1741: "(This file must be converted with BinHex 4.0)"; text may be between it and
/// the first colon, but here only empty lines.
pub(super) fn lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (line, mut start) = line_at(text, at);
    if !line.starts_with(b"(This file must be converted with BinHex") {
        return None;
    }
    while matches!(text.get(start), Some(b'\r' | b'\n' | b' ' | b'\t')) {
        start += 1;
    }
    let mut end = start;
    while end < text.len() {
        let (line, next) = line_at(text, end);
        let (first, data) = (end == start, line.trim_ascii());
        if data.len() > BINHEX_LINE_LEN || (first && !data.starts_with(b":")) {
            break;
        }
        let data = if first { &data[1..] } else { data };
        let (data, last) = data.strip_suffix(b":").map_or((data, false), |data| (data, true));
        if !data.iter().all(|b| ALPHABET.contains(b)) {
            break;
        }
        end = next;
        if last {
            break;
        }
    }
    (end > start).then_some(start..end)
}
