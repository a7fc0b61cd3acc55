//! Mork, in which Mozilla kept its indexes, address books and history.
//!
//! A line that ends in a backslash continues in the next one, a backslash is before a
//! character that would have a meaning, and `$` is before the two digits of any other byte.

use memchr::memchr2;

use super::calendar;
use super::format::{self, Format, Framing, MAX_ESCAPED_LEN};
use crate::archive::decode::folded::Unfolded;
use crate::archive::decode::transfer;
use crate::archive::reading::{ReadText, Reading};

pub(super) static FRAMING: Framing = Framing {
    starts: b"/",
    has_lines: true,
    max_len: MAX_ESCAPED_LEN,
    ..Framing::text(Format::Mork, |bytes, last| format::begins_with(MAGIC, bytes, last), &CELLS)
};

static CELLS: Reading = calendar::folded(|bytes, _| ReadText::unfolded(bytes, unfold(bytes)));

/// The beginning of every file, before the version.
const MAGIC: &[u8] = b"// <!-- <mdb:mork:z v=\"";

/// Undoes escapes; `None` without escapes.
fn unfold(source: &[u8]) -> Option<Unfolded> {
    let mut unfolded = Unfolded::default();
    let (mut from, mut at) = (0, 0);
    while let Some(mark) = memchr2(b'\\', b'$', &source[at..]).map(|n| at + n) {
        let byte = match source[mark..] {
            [b'$', ..] => transfer::escape(&source[mark..]).map(|byte| (Some(byte), 3)),
            [_, b'\n', ..] => Some((None, 2)),
            [_, b'\r', b'\n', ..] => Some((None, 3)),
            [_, next, ..] => Some((Some(next), 2)),
            _ => None,
        };
        let Some((byte, len)) = byte else {
            at = mark + 1;
            continue;
        };
        unfolded.decoded.copy(source, from..mark);
        match byte {
            Some(byte) => unfolded.decoded.put(&[byte], mark..mark + len),
            None => unfolded.joins.push(unfolded.decoded.bytes.len()),
        }
        (from, at) = (mark + len, mark + len);
    }
    unfolded.with_rest(source, from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let text = |source: &str| unfold(source.as_bytes()).map(|unfolded| unfolded.decoded.bytes);
        assert_eq!(text(r"(80=a\)b\\c\$d)(81=$C3$BC)").unwrap(), "(80=a)b\\c$d)(81=\u{fc})".as_bytes());
        assert_eq!(text("(80=a\\\nb\\\r\nc)").unwrap(), b"(80=abc)");
        assert_eq!(text("@$${1{@ $4"), None);
    }

    #[test]
    fn text_knows_where_it_came_from() {
        let unfolded = unfold(b"ab\\\ncd$41\\)e").unwrap();
        assert_eq!(unfolded.decoded.bytes, b"abcdA)e");
        assert_eq!(unfolded.joins, [2]);
        assert_eq!(unfolded.decoded.map.sources(1..6), [1..2, 4..11]);
    }
}
