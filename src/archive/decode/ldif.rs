//! LDIF (RFC 2849): folded lines, and values in base64.
//!
//! A line end and one space after it are dropped. A value after two colons is base64: if that is
//! text in UTF-8, it is decoded, line ends and all; if not, it is a picture, a certificate or a
//! password, and stays as it is.

use memchr::{memchr, memchr_iter};

use super::folded::Unfolded;
use super::transfer;

/// Undoes folds and base64; `None` if there is neither.
pub(crate) fn unfold(source: &[u8]) -> Option<Unfolded> {
    let mut unfolded = Unfolded::default();
    let (mut from, mut at) = (0, 0);
    while at < source.len() {
        let mut line = Line::read(source, at);
        if line.decode_value() || !line.text.joins.is_empty() {
            unfolded.decoded.copy(source, from..at);
            let start = unfolded.decoded.bytes.len();
            unfolded.joins.extend(line.text.joins.iter().map(|join| start + join));
            unfolded.decoded.append(line.text.decoded);
            from = line.end;
        }
        at = line.end;
    }
    if from == 0 {
        return None;
    }
    unfolded.decoded.copy(source, from..source.len());
    Some(unfolded)
}

/// A line, its folds undone.
struct Line {
    text: Unfolded,
    /// Where the next line begins.
    end: usize,
}

impl Line {
    fn read(source: &[u8], start: usize) -> Line {
        let mut line = Line { text: Unfolded::default(), end: source.len() };
        let mut from = start;
        for mark in memchr_iter(b'\n', &source[start..]).map(|n| start + n) {
            if source.get(mark + 1) != Some(&b' ') {
                line.end = mark + 1;
                break;
            }
            line.text.fold(source, from, mark);
            from = mark + 2;
        }
        line.text.decoded.copy(source, from..line.end);
        line
    }

    /// Decodes the value, if it is text in base64.
    fn decode_value(&mut self) -> bool {
        let Unfolded { decoded, joins } = &mut self.text;
        let bytes = &decoded.bytes;
        let Some(start) = memchr(b':', bytes).filter(|&n| bytes[n..].starts_with(b"::")).map(|n| n + 2)
        else {
            return false;
        };
        let end = start + bytes[start..].trim_ascii_end().len();
        let value = transfer::base64(&bytes[start..end]);
        if bytes.starts_with(b"#") || std::str::from_utf8(&value.bytes).is_err() {
            return false;
        }
        let mut text = decoded.slice(0..start);
        text.append(value.moved(start).through(decoded));
        text.append(decoded.slice(end..bytes.len()));
        *decoded = text;
        joins.retain(|&join| join < start);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Option<String> {
        unfold(source.as_bytes()).map(|unfolded| String::from_utf8(unfolded.decoded.bytes).unwrap())
    }

    #[test]
    fn folds() {
        // The second example of RFC 2849.
        let source = "title:Product Manager, Rod and Reel Divis\n ion\nsn: J\n";
        assert_eq!(text(source).as_deref(), Some("title:Product Manager, Rod and Reel Division\nsn: J\n"));
        assert_eq!(text("a: b\r\n  c\r\nd: e\n").as_deref(), Some("a: b c\r\nd: e\n"));
        assert_eq!(text("a: b\n\nc: d\n"), None);
    }

    #[test]
    fn values_in_base64() {
        // "Grüße an alle" and bytes that are not text.
        assert_eq!(text("a:: R3LDvMOfZSBhbiBhbGxl\nb: c\n").as_deref(), Some("a::Grüße an alle\nb: c\n"));
        assert_eq!(text("a:: R3LDvMOf\n ZSBhbiBh\n bGxl").as_deref(), Some("a::Grüße an alle"));
        assert_eq!(text("a:: //8=\nb: c::d\n# a:: YWJj\n"), None);
    }

    #[test]
    fn text_knows_where_it_came_from() {
        let unfolded = unfold(b"u: ab\n cd\nv:: YW\n Jj\n").unwrap();
        assert_eq!(unfolded.decoded.bytes, b"u: abcd\nv::abc\n");
        assert_eq!(unfolded.joins, [5]);
        assert_eq!(unfolded.decoded.map.sources(3..7), [3..5, 7..9]);
        assert_eq!(unfolded.decoded.map.sources(11..12), [14..16]);
        assert_eq!(unfolded.decoded.map.sources(13..14), [18..20]);
    }
}
