//! Compressed RTF ([MS-OXRTFCP]): runs of bytes, and references into a window of the
//! last 4 KiB, which begins with words of RTF.

use crate::archive::source_map::Decoded;

const WINDOW: usize = 4096;

/// What the window begins with.
const WORDS: &[u8] =
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \
\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \
\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// How many bytes are decompressed at most: the map from each to its source is several
/// times as long.
const LONGEST: usize = 2 * 1024 * 1024;

/// Decompresses RTF; `None` if it is not compressed RTF. After damage there is nothing.
pub(crate) fn decompress(source: &[u8]) -> Option<Decoded> {
    const HEADER: usize = 16;
    let mut decoded = Decoded::default();
    match source.get(8..12)? {
        b"MELA" => decoded.copy(source, HEADER.min(source.len())..source.len()),
        b"LZFu" => inflate(source, HEADER, &mut decoded),
        _ => return None,
    }
    Some(decoded)
}

fn inflate(source: &[u8], mut at: usize, decoded: &mut Decoded) {
    let mut window = [b' '; WINDOW];
    window[..WORDS.len()].copy_from_slice(WORDS);
    let mut write = WORDS.len();
    while let Some(&flags) = source.get(at) {
        at += 1;
        for bit in 0..8 {
            if flags >> bit & 1 == 0 {
                let Some(&byte) = source.get(at) else { return };
                decoded.copy(source, at..at + 1);
                window[write % WINDOW] = byte;
                (at, write) = (at + 1, write + 1);
                continue;
            }
            let Some(&[high, low]) = source.get(at..at + 2) else { return };
            let token = usize::from(high) << 8 | usize::from(low);
            let (from, len) = (token >> 4, (token & 0xF) + 2);
            if from == write % WINDOW || decoded.bytes.len() >= LONGEST {
                return;
            }
            let mut bytes = [0; 17];
            for (n, byte) in bytes[..len].iter_mut().enumerate() {
                *byte = window[(from + n) % WINDOW];
                window[write % WINDOW] = *byte;
                write += 1;
            }
            decoded.put(&bytes[..len], at..at + 2);
            at += 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_specification() {
        assert_eq!(WORDS.len(), 207);
        // [MS-OXRTFCP] §3.1 and §3.2.
        let simple = b"\x2D\0\0\0\x2B\0\0\0LZFu\xF1\xC5\xC7\xA7\x03\0\n\0rcpg125B2\n\xF3 hel\t\0 bw\x05\xB0ld}\n\x80\x0F\xA0";
        assert_eq!(decompress(simple).unwrap().bytes, b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
        let crossing = b"\x1A\0\0\0\x1C\0\0\0LZFu\xE2\xD4KQA\0\x04 WXYZ\rn}\x01\x0E\xB0";
        assert_eq!(decompress(crossing).unwrap().bytes, b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}");
    }

    #[test]
    fn bytes_know_where_they_came_from() {
        let source = b"\0\0\0\0\0\0\0\0LZFu\0\0\0\0\x02a\0\0";
        let decoded = decompress(source).unwrap();
        assert_eq!(decoded.bytes, b"a{\\");
        assert_eq!(decoded.map.sources(0..3), [17..20]);
        assert_eq!(decompress(b"\0\0\0\0\0\0\0\0MELA\0\0\0\0text").unwrap().bytes, b"text");
        assert!(decompress(b"text").is_none());
    }
}
