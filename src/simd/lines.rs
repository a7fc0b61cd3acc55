//! Lines that begin with certain bytes.
//!
//! Archives are told apart by how their lines begin: so do messages, heads, and
//! bodies. What is asked for is the next line feed with one of a few bytes behind
//! it, and those between are not stopped at.

use memchr::memchr_iter;

/// Where the next line begins behind `from` whose first byte is one of `first`; the
/// line in which `from` stands does not count.
///
/// Costs a pass over what stands between the two.
pub(crate) fn next_line<const N: usize>(bytes: &[u8], from: usize, first: [u8; N]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    return super::avx2::next_line(bytes, from, first);
    #[cfg(not(target_arch = "x86_64"))]
    next_line_portable(bytes, from, first)
}

/// The same, with a stop at each line.
pub(crate) fn next_line_portable<const N: usize>(bytes: &[u8], from: usize, first: [u8; N]) -> Option<usize> {
    let lines = memchr_iter(b'\n', &bytes[from..]).map(|feed| from + feed + 1);
    lines.into_iter().find(|&line| bytes.get(line).is_some_and(|b| first.contains(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_finds_the_same() {
        for len in 0..140 {
            for feed in 0..len {
                let mut text = vec![b'F'; len];
                text[feed..].fill(b'x');
                text[feed] = b'\n';
                text[feed + 1..].iter_mut().take(1).for_each(|b| *b = b'F');
                let next = (feed + 1 < len).then_some(feed + 1);
                for from in [0, feed] {
                    assert_eq!(next_line(&text, from, *b"GF"), next);
                    assert_eq!(next_line_portable(&text, from, *b"GF"), next);
                }
                assert_eq!(next_line(&text, 0, *b"G"), None);
            }
        }
    }

    #[test]
    fn the_line_of_the_beginning_does_not_count() {
        let text = b"From a\nFrom b\n\nc\r\n";
        assert_eq!(next_line(text, 0, *b"F"), Some(7));
        assert_eq!(next_line(text, 6, *b"F"), Some(7));
        assert_eq!(next_line(text, 7, *b"F"), None);
        assert_eq!(next_line(text, 7, *b"\nc"), Some(14));
        assert_eq!(next_line(text, 18, *b"F"), None);
    }
}
