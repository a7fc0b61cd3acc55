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
pub(crate) const MAX_RTF_LEN: usize = 2 * 1024 * 1024;

/// What compressed RTF becomes.
#[derive(Debug, Default)]
pub(crate) struct Rtf {
    pub(crate) decoded: Decoded,
    /// Whether it ends because it is too long.
    pub(crate) is_cut: bool,
}

/// Decompresses RTF; `None` if it is not compressed RTF. After damage there is nothing.
pub(crate) fn decompress(source: &[u8]) -> Option<Rtf> {
    const HEADER: usize = 16;
    let mut rtf = Rtf::default();
    match source.get(8..12)? {
        b"MELA" => rtf.decoded.copy(source, HEADER.min(source.len())..source.len()),
        b"LZFu" => rtf.is_cut = inflate(source, HEADER, &mut rtf.decoded),
        _ => return None,
    }
    Some(rtf)
}

/// Returns whether it ends because it is too long.
fn inflate(source: &[u8], mut at: usize, decoded: &mut Decoded) -> bool {
    let mut window = [b' '; WINDOW];
    window[..WORDS.len()].copy_from_slice(WORDS);
    let mut write = WORDS.len();
    while let Some(&flags) = source.get(at) {
        at += 1;
        for bit in 0..8 {
            if flags >> bit & 1 == 0 {
                let Some(&byte) = source.get(at) else { return false };
                decoded.copy(source, at..at + 1);
                window[write % WINDOW] = byte;
                (at, write) = (at + 1, write + 1);
                continue;
            }
            let Some(&[high, low]) = source.get(at..at + 2) else { return false };
            let token = usize::from(high) << 8 | usize::from(low);
            let (from, len) = (token >> 4, (token & 0xF) + 2);
            // The end.
            if from == write % WINDOW {
                return false;
            }
            if decoded.bytes.len() >= MAX_RTF_LEN {
                return true;
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
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_specification() {
        assert_eq!(WORDS.len(), 207);
        // [MS-OXRTFCP] §3.1 and §3.2.
        let simple = b"\x2D\0\0\0\x2B\0\0\0LZFu\xF1\xC5\xC7\xA7\x03\0\n\0rcpg125B2\n\xF3 hel\t\0 bw\x05\xB0ld}\n\x80\x0F\xA0";
        assert_eq!(
            decompress(simple).unwrap().decoded.bytes,
            b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
        );
        let crossing = b"\x1A\0\0\0\x1C\0\0\0LZFu\xE2\xD4KQA\0\x04 WXYZ\rn}\x01\x0E\xB0";
        assert_eq!(decompress(crossing).unwrap().decoded.bytes, b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}");
    }

    #[test]
    fn bytes_know_where_they_came_from() {
        let source = b"\0\0\0\0\0\0\0\0LZFu\0\0\0\0\x02a\0\0";
        let decoded = decompress(source).unwrap().decoded;
        assert_eq!(decoded.bytes, b"a{\\");
        assert_eq!(decoded.map.sources(0..3), [17..20]);
        assert_eq!(decompress(b"\0\0\0\0\0\0\0\0MELA\0\0\0\0text").unwrap().decoded.bytes, b"text");
        assert!(decompress(b"text").is_none());
    }
    #[test]
    fn more_than_is_decompressed() {
        // The last byte again and again, eight times 17 bytes, without an end.
        let mut source = b"\0\0\0\0\0\0\0\0LZFu\0\0\0\0\x01".to_vec();
        let run = |write: usize| {
            let from = (write + WINDOW - 1) % WINDOW;
            [(from >> 4) as u8, (from << 4 & 0xF0) as u8 | 0xF]
        };
        let mut write = WORDS.len();
        source.pop();
        while write < WORDS.len() + MAX_RTF_LEN + 200 {
            source.push(0xFF);
            for _ in 0..8 {
                source.extend(run(write));
                write += 17;
            }
        }
        let rtf = decompress(&source).unwrap();
        assert!(rtf.is_cut && rtf.decoded.bytes.len() >= MAX_RTF_LEN);
        assert!(!decompress(&source[..1000]).unwrap().is_cut);
    }
}
