//! Compressed RTF ([MS-OXRTFCP]): runs of bytes, and references into a window of the last 4 KiB, which begins
//! with words of RTF.

use crate::text::Text;

const WINDOW: usize = 4096;

/// The first bytes of the window.
const WORDS: &[u8] =
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \
\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \
\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// The number of bytes that are decompressed at most: the map from each to its source is several
/// times as long.
pub const MAX_LEN: usize = 2 * 1024 * 1024;

/// Decompressed RTF.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Rtf<T> {
    /// The RTF up to its end or to damage, with its place in the compressed bytes.
    pub text: T,
    /// True if the text ends because it is longer than [`MAX_LEN`].
    pub is_truncated: bool,
}

/// Decompresses RTF; `None` if `source` is not compressed RTF. Damage ends the text. The sources are offsets in
/// `source`, which begins at `base`.
///
/// Takes linear time. The text is at most eight times as long as `source`.
pub fn decompress<T: Text>(source: &[u8], base: usize) -> Option<Rtf<T>> {
    const HEADER: usize = 16;
    let mut rtf = Rtf { text: T::default(), is_truncated: false };
    match source.get(8..12)? {
        b"MELA" => {
            let start = HEADER.min(source.len());
            rtf.text.put(&source[start..], base + start..base + source.len());
        }
        b"LZFu" => rtf.is_truncated = inflate(source, HEADER, base, &mut rtf.text),
        _ => return None,
    }
    Some(rtf)
}

/// Returns whether it ends because it is too long.
fn inflate<T: Text>(source: &[u8], mut at: usize, base: usize, text: &mut T) -> bool {
    let mut window = [b' '; WINDOW];
    window[..WORDS.len()].copy_from_slice(WORDS);
    let mut write = WORDS.len();
    while let Some(&flags) = source.get(at) {
        at += 1;
        for bit in 0..8 {
            if flags >> bit & 1 == 0 {
                let Some(&byte) = source.get(at) else { return false };
                text.put(&[byte], base + at..base + at + 1);
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
            if text.as_bytes().len() >= MAX_LEN {
                return true;
            }
            let mut bytes = [0; 17];
            for (n, byte) in bytes[..len].iter_mut().enumerate() {
                *byte = window[(from + n) % WINDOW];
                window[write % WINDOW] = *byte;
                write += 1;
            }
            text.put(&bytes[..len], base + at..base + at + 2);
            at += 2;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::Sourced;

    fn decompress(source: &[u8]) -> Option<Rtf<Sourced>> {
        super::decompress(source, 0)
    }

    #[test]
    fn the_examples_of_the_specification() {
        assert_eq!(WORDS.len(), 207);
        // [MS-OXRTFCP] §3.1 and §3.2.
        let simple = b"\x2D\0\0\0\x2B\0\0\0LZFu\xF1\xC5\xC7\xA7\x03\0\n\0rcpg125B2\n\xF3 hel\t\0 bw\x05\xB0ld}\n\x80\x0F\xA0";
        assert_eq!(decompress(simple).unwrap().text.0, b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
        let crossing = b"\x1A\0\0\0\x1C\0\0\0LZFu\xE2\xD4KQA\0\x04 WXYZ\rn}\x01\x0E\xB0";
        assert_eq!(decompress(crossing).unwrap().text.0, b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}");
    }

    #[test]
    fn bytes_know_where_they_came_from() {
        let source = b"\0\0\0\0\0\0\0\0LZFu\0\0\0\0\x02a\0\0";
        for base in [0, 100] {
            let Sourced(text, sources) = super::decompress(source, base).unwrap().text;
            assert_eq!(text, b"a{\\");
            assert_eq!(sources, [17..18, 18..19, 19..20].map(|at| base + at.start..base + at.end));
        }
        assert_eq!(decompress(b"\0\0\0\0\0\0\0\0MELA\0\0\0\0text").unwrap().text.0, b"text");
        assert!(decompress(b"text").is_none());
    }

    #[test]
    fn more_than_is_decompressed() {
        // Each run copies the last byte 17 times: eight runs, without an end mark.
        let mut source = b"\0\0\0\0\0\0\0\0LZFu\0\0\0\0\x01".to_vec();
        let run = |write: usize| {
            let from = (write + WINDOW - 1) % WINDOW;
            [(from >> 4) as u8, (from << 4 & 0xF0) as u8 | 0xF]
        };
        let mut write = WORDS.len();
        source.pop();
        while write < WORDS.len() + MAX_LEN + 200 {
            source.push(0xFF);
            for _ in 0..8 {
                source.extend(run(write));
                write += 17;
            }
        }
        let rtf = decompress(&source).unwrap();
        assert!(rtf.is_truncated && rtf.text.as_bytes().len() >= MAX_LEN);
        assert!(!decompress(&source[..1000]).unwrap().is_truncated);
    }
}
