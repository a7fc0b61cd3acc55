//! Filters, which encode a stream (ISO 32000-1 §7.4).

use std::io::Read;

use flate2::bufread::ZlibDecoder;

use super::syntax::is_space;

/// A filter of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    Flate,
    AsciiHex,
    Ascii85,
    Unsupported,
}

/// The names of filters, and their abbreviations (§8.9.7), which readers accept here as well.
pub(super) const FILTERS: [(&[u8], Filter); 6] = [
    (b"FlateDecode", Filter::Flate),
    (b"Fl", Filter::Flate),
    (b"ASCIIHexDecode", Filter::AsciiHex),
    (b"AHx", Filter::AsciiHex),
    (b"ASCII85Decode", Filter::Ascii85),
    (b"A85", Filter::Ascii85),
];

/// The parameters of a filter: the predictor, and the layout of a row of its table (§7.4.4.3).
pub(super) type Parameters = [usize; 4];

/// The keys of the parameters.
pub(super) const PARAMETERS: [&[u8]; 4] = [b"Predictor", b"Colors", b"BitsPerComponent", b"Columns"];

/// The usual values of the parameters.
pub(super) const USUAL: Parameters = [1, 1, 8, 1];

/// The content of a stream.
pub(super) struct StreamContent {
    pub(super) bytes: Vec<u8>,
    /// The number of encoded bytes that were read.
    pub(super) read: usize,
    /// True if it was decoded to its end.
    pub(super) is_whole: bool,
}

/// Decodes the stream that begins with `data`. Each filter knows its end, so that bytes may follow.
/// No filter yields more than `limit` bytes.
pub(super) fn decode(data: &[u8], filters: &[(Filter, Parameters)], limit: usize) -> StreamContent {
    let mut content = StreamContent { bytes: Vec::new(), read: 0, is_whole: true };
    for (n, (filter, parameters)) in filters.iter().enumerate() {
        let source = if n == 0 { data } else { &std::mem::take(&mut content.bytes) };
        let mut bytes = Vec::new();
        let (read, is_whole) = match filter {
            Filter::Flate => {
                let mut inflated = ZlibDecoder::new(source).take(limit as u64);
                let is_whole = inflated.read_to_end(&mut bytes).is_ok();
                (inflated.into_inner().total_in() as usize, is_whole)
            }
            Filter::AsciiHex => ascii_hex(source, limit, &mut bytes),
            Filter::Ascii85 => ascii85(source, limit, &mut bytes),
            Filter::Unsupported => (0, false),
        };
        content.read += if n == 0 { read } else { 0 };
        content.is_whole &= is_whole && bytes.len() < limit && undo(*parameters, &mut bytes);
        content.bytes = bytes;
    }
    content
}

/// Decodes hexadecimal digits up to `>` (§7.4.2); returns how many bytes were read, and whether that was found.
fn ascii_hex(source: &[u8], limit: usize, bytes: &mut Vec<u8>) -> (usize, bool) {
    let mut high = None;
    for (at, byte) in source.iter().enumerate() {
        match char::from(*byte).to_digit(16) {
            Some(digit) => match high.take() {
                None => high = Some(digit),
                Some(high) => bytes.push((high << 4 | digit) as u8),
            },
            None if is_space(*byte) => {}
            None => {
                bytes.extend(high.map(|high| (high << 4) as u8));
                return (at + 1, *byte == b'>');
            }
        }
        if bytes.len() == limit {
            return (at + 1, false);
        }
    }
    (source.len(), false)
}

/// Decodes groups of five characters up to `~` (§7.4.3).
fn ascii85(source: &[u8], limit: usize, bytes: &mut Vec<u8>) -> (usize, bool) {
    let (mut group, mut count) = (0_u32, 0);
    for (at, byte) in source.iter().enumerate() {
        match byte {
            b'!'..=b'u' => {
                group = group.wrapping_mul(85).wrapping_add(u32::from(byte - b'!'));
                count += 1;
            }
            b'z' if count == 0 => bytes.extend([0; 4]),
            byte if is_space(*byte) => {}
            _ => {
                // The last group is short: it is filled with the greatest digit.
                let last = (count..5).fold(group, |group, _| group.wrapping_mul(85).wrapping_add(84));
                bytes.extend(&last.to_be_bytes()[..usize::max(count, 1) - 1]);
                return (at + 1, source[at..].starts_with(b"~>"));
            }
        }
        if count == 5 {
            bytes.extend(group.to_be_bytes());
            (group, count) = (0, 0);
        }
        if bytes.len() >= limit {
            return (at + 1, false);
        }
    }
    (source.len(), false)
}

/// Undoes the predictor in place; returns false if it is not supported.
fn undo([predictor, colors, bits, columns]: Parameters, bytes: &mut Vec<u8>) -> bool {
    match predictor {
        1 => true,
        10..=15 => {
            let pixel = colors.saturating_mul(bits);
            let row = pixel.saturating_mul(columns).div_ceil(8);
            undo_png(bytes, row.clamp(1, usize::MAX - 1), pixel.div_ceil(8).max(1))
        }
        _ => false,
    }
}

/// Undoes the filters of PNG (PNG 1.2 §6): each row of `row` bytes follows a byte that specifies
/// its filter. Returns false if a filter is unknown, because the rows may then have another length.
fn undo_png(bytes: &mut Vec<u8>, row: usize, pixel: usize) -> bool {
    let is_known = bytes.iter().step_by(row + 1).all(|filter| *filter <= 4);
    let mut plain: Vec<u8> = Vec::with_capacity(bytes.len());
    for line in bytes.chunks(row + 1) {
        let start = plain.len();
        for (n, byte) in line[1..].iter().enumerate() {
            let left = if n < pixel { 0 } else { plain[start + n - pixel] };
            let above = if start < row { 0 } else { plain[start + n - row] };
            let corner = if n < pixel || start < row { 0 } else { plain[start + n - row - pixel] };
            let predicted = match line[0] {
                1 => left,
                2 => above,
                3 => u8::midpoint(left, above),
                // The neighbour that is nearest to the slope of the three; if distances are equal, the first one.
                4 => {
                    let slope = i16::from(left) + i16::from(above) - i16::from(corner);
                    let distance = |byte: &u8| (slope - i16::from(*byte)).abs();
                    [left, above, corner].into_iter().min_by_key(distance).unwrap_or_default()
                }
                _ => 0,
            };
            plain.push(byte.wrapping_add(predicted));
        }
    }
    *bytes = plain;
    is_known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(filter: Filter, data: &[u8]) -> (Vec<u8>, bool) {
        let StreamContent { bytes, is_whole, .. } = decode(data, &[(filter, USUAL)], 100);
        (bytes, is_whole)
    }

    #[test]
    fn digits() {
        assert_eq!(decoded(Filter::AsciiHex, b"68 74\n7> endstream"), (b"htp".to_vec(), true));
        assert_eq!(decoded(Filter::AsciiHex, b"6874"), (b"ht".to_vec(), false));
        assert_eq!(decoded(Filter::AsciiHex, &b"68".repeat(200)), (b"h".repeat(100), false));
    }

    /// The second is from the article on Ascii85 in Wikipedia.
    #[test]
    fn groups() {
        assert_eq!(decoded(Filter::Ascii85, b"z~>"), (vec![0; 4], true));
        assert_eq!(decoded(Filter::Ascii85, b"9jq o^\n~>x"), (b"Man ".to_vec(), true));
        assert_eq!(decoded(Filter::Ascii85, b"9jqo^Bl~>"), (b"Man i".to_vec(), true));
        assert_eq!(decoded(Filter::Ascii85, b"9jqo^"), (b"Man ".to_vec(), false));
        assert_eq!(decoded(Filter::Ascii85, &b"z".repeat(26)), (vec![0; 100], false));
        let mut bytes = Vec::new();
        assert_eq!((ascii85(b"zzz~>", 8, &mut bytes), bytes.len()), ((2, false), 8));
    }

    /// The same two rows, encoded with each filter of PNG.
    #[test]
    fn rows() {
        let rows: [&[u8]; 2] = [&[10, 20, 30, 40], &[11, 22, 33, 44]];
        let encoded: [&[u8]; 5] = [
            &[0, 10, 20, 30, 40, 0, 11, 22, 33, 44],
            &[1, 10, 10, 10, 10, 1, 11, 11, 11, 11],
            &[2, 10, 20, 30, 40, 2, 1, 2, 3, 4],
            &[3, 10, 15, 20, 25, 3, 6, 7, 7, 8],
            &[4, 10, 10, 10, 10, 4, 1, 2, 3, 4],
        ];
        for row in encoded {
            let mut bytes = row.to_vec();
            assert!(undo([15, 1, 8, 4], &mut bytes));
            assert_eq!(bytes, rows.concat(), "{row:?}");
        }
        // The corner decides: 90 + 10 - 100 is nearest to 10.
        let mut corner = vec![4, 100, 166, 4, 246, 30];
        assert!(undo([15, 1, 8, 2], &mut corner) && corner == [100, 10, 90, 40]);
        let mut cut = encoded[1][..7].to_vec();
        assert!(undo([12, 1, 8, 4], &mut cut) && cut == [10, 20, 30, 40, 11]);
        assert!(!undo([2, 1, 8, 4], &mut Vec::new()));
        assert!(undo([12, usize::MAX, usize::MAX, 3], &mut vec![0, 1]));
    }
}
