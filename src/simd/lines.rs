//! Lines that start with certain bytes.
//!
//! The formats of archives, and the parts of a message, are recognised by the first bytes of lines.
//! So the question is where the next line feed is that one of a few bytes follows, or that no space
//! follows: there a header field ends. The lines between are skipped.

use memchr::memchr_iter;

use super::{Backend, Kernel, Simd, WIDTH};

/// The start of the next line whose first byte is one of `first`, after the line that
/// contains `from`.
///
/// Costs a pass over the bytes between the two.
pub(crate) fn next_line<const N: usize>(bytes: &[u8], from: usize, first: [u8; N]) -> Option<usize> {
    Simd::detect().run(NextLine::<N, false> { bytes, from, first })
}

/// Returns the offset at which the line that contains `from` ends, with the lines that continue it:
/// those that begin with a space or tab. The end of `bytes` if no other follows.
///
/// Costs a pass over the bytes between the two.
pub(crate) fn after_folds(bytes: &[u8], from: usize) -> usize {
    let next = Simd::detect().run(NextLine::<2, true> { bytes, from, first: *b" \t" });
    next.unwrap_or(bytes.len())
}

/// The next line that starts with one of `first`, or with another byte if `OTHERS`.
struct NextLine<'b, const N: usize, const OTHERS: bool> {
    bytes: &'b [u8],
    from: usize,
    first: [u8; N],
}

impl<const N: usize, const OTHERS: bool> Kernel for NextLine<'_, N, OTHERS> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Option<usize> {
        let NextLine { bytes, from, first } = self;
        let mut at = from;
        while let Some(around) = bytes[at..].first_chunk::<{ WIDTH + 1 }>() {
            let [Some(word), Some(next)] = [around.first_chunk(), around.last_chunk()] else {
                unreachable!()
            };
            let ends = backend.line_ends::<N, OTHERS>(word, next, first);
            if ends != 0 {
                return Some(at + ends.trailing_zeros() as usize + 1);
            }
            at += WIDTH;
        }
        let mut lines = memchr_iter(b'\n', &bytes[at..]).map(|feed| at + feed + 1);
        lines.find(|&line| bytes.get(line).is_some_and(|b| first.contains(b) != OTHERS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_every_distance() {
        for len in 0..140 {
            for feed in 0..len {
                let mut text = vec![b'F'; len];
                text[feed..].fill(b'x');
                text[feed] = b'\n';
                text[feed + 1..].iter_mut().take(1).for_each(|b| *b = b'F');
                let next = (feed + 1 < len).then_some(feed + 1);
                for from in [0, feed] {
                    assert_eq!(next_line(&text, from, *b"GF"), next);
                    let kernel = NextLine::<2, false> { bytes: &text, from, first: *b"GF" };
                    assert_eq!(Simd::generic().run(kernel), next);
                }
                assert_eq!(next_line(&text, 0, *b"G"), None);
            }
        }
    }

    #[test]
    fn folds_at_every_distance() {
        for len in 0..140 {
            for feed in 0..len {
                for fold in [&b"\n "[..], b"\n\t", b"\r\n "] {
                    let mut text = [&b"a"[..], fold, &vec![b'b'; len]].concat();
                    let end = text.len() - len + feed;
                    text[end] = b'\n';
                    for from in [0, 1] {
                        assert_eq!(after_folds(&text, from), end + 1);
                        let kernel = NextLine::<2, true> { bytes: &text, from, first: *b" \t" };
                        assert_eq!(Simd::generic().run(kernel).unwrap_or(text.len()), end + 1);
                    }
                }
            }
        }
        assert_eq!(after_folds(b"a\n", 0), 2);
        assert_eq!(after_folds(b"a\n b", 0), 4);
        assert_eq!(after_folds(b"", 0), 0);
    }

    #[test]
    fn the_line_of_the_start_does_not_count() {
        let text = b"From a\nFrom b\n\nc\r\n";
        assert_eq!(next_line(text, 0, *b"F"), Some(7));
        assert_eq!(next_line(text, 6, *b"F"), Some(7));
        assert_eq!(next_line(text, 7, *b"F"), None);
        assert_eq!(next_line(text, 7, *b"\nc"), Some(14));
        assert_eq!(next_line(text, 18, *b"F"), None);
    }
}
