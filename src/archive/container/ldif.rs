//! LDIF (RFC 2849): the records of a directory or an address book as lines of text.
//!
//! A line break and one space after it are dropped. A value after two colons is base64: if that is
//! text in UTF-8, it is decoded, line breaks and all; if not, it is an image, a certificate or a
//! password, and stays as it is.

use memchr::{memchr, memchr_iter};

use super::calendar;
use super::format::{Format, Framing, MAX_ESCAPED_LEN};
use super::mail::Verdict;
use crate::archive::decode::folded::Unfolded;
use crate::archive::decode::transfer;
use crate::archive::reading::{ReadText, Reading};

pub(super) static FRAMING: Framing = Framing {
    starts: b"dv#",
    has_lines: true,
    max_len: MAX_ESCAPED_LEN,
    chunk_end: calendar::chunk_end,
    ..Framing::text(Format::Ldif, begins, &ENTRIES)
};

static ENTRIES: Reading = calendar::folded(|bytes, _| ReadText::unfolded(bytes, unfold(bytes)));

/// The first line of what `ldapsearch` prints.
const SEARCHED: &[u8] = b"# extended LDIF";

const NAME: &[u8] = b"dn:";
const VERSION: &[u8] = b"version:";
const COMMENT: &[u8] = b"#";

/// Returns whether `bytes` begin such a file: with the comment of `ldapsearch`, or with the name of
/// an entry, which may follow a version.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    // Nearly all files are distinguished by their first byte.
    if !may_decide(bytes) {
        return Verdict::No;
    }
    for (n, line) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
        if !last && !line.ends_with(b"\n") {
            return if may_decide(line) { Verdict::Unknown } else { Verdict::No };
        }
        let line = line.trim_ascii_end();
        // A distinguished name is in base64, or contains a `=`.
        let is_name = |name: &[u8]| name.starts_with(b":") || name.contains(&b'=');
        if line == SEARCHED || line.strip_prefix(NAME).is_some_and(is_name) {
            return Verdict::Yes;
        }
        let is_before_it = match n {
            0 => line.starts_with(VERSION),
            _ => line.is_empty() || line.starts_with(COMMENT),
        };
        if !is_before_it {
            return Verdict::No;
        }
    }
    if last { Verdict::No } else { Verdict::Unknown }
}

/// Returns true if a line that is not complete may be one of those that decide.
fn may_decide(line: &[u8]) -> bool {
    let begins = |text: &&[u8]| text.iter().zip(line).all(|(b, c)| b == c);
    [SEARCHED, NAME, VERSION, COMMENT, b"\r"].iter().any(begins)
}

/// Undoes folds and base64; `None` if the value contains neither.
fn unfold(source: &[u8]) -> Option<Unfolded> {
    let mut unfolded = Unfolded::default();
    let (mut from, mut at) = (0, 0);
    while at < source.len() {
        let (mut line, end) = line(source, at);
        if decode_value(&mut line) || !line.joins.is_empty() {
            unfolded.decoded.copy(source, from..at);
            let start = unfolded.decoded.bytes.len();
            unfolded.joins.extend(line.joins.iter().map(|join| start + join));
            unfolded.decoded.append(line.decoded);
            from = end;
        }
        at = end;
    }
    unfolded.with_rest(source, from)
}

/// The line at `start`, its folds undone, and the offset at which the next line begins.
fn line(source: &[u8], start: usize) -> (Unfolded, usize) {
    let (mut text, mut end, mut from) = (Unfolded::default(), source.len(), start);
    for mark in memchr_iter(b'\n', &source[start..]).map(|n| start + n) {
        if source.get(mark + 1) != Some(&b' ') {
            end = mark + 1;
            break;
        }
        text.fold(source, from, mark);
        from = mark + 2;
    }
    text.decoded.copy(source, from..end);
    (text, end)
}

/// Decodes the value of a line, if it is text in base64.
fn decode_value(Unfolded { decoded, joins }: &mut Unfolded) -> bool {
    let bytes = &decoded.bytes;
    let Some(start) = memchr(b':', bytes).filter(|&n| bytes[n..].starts_with(b"::")).map(|n| n + 2) else {
        return false;
    };
    let end = start + bytes[start..].trim_ascii_end().len();
    let value = transfer::base64(&bytes[start..end], true);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_lines() {
        for text in [
            "version: 1\ndn: cn=A,o=B\nobjectclass: top\n",
            "version: 1\r\n\r\n# a\r\ndn:: Y249QQ==\r\n",
            "dn: mail=a@h.org\n",
            "# extended LDIF\n#\n# LDAPv3\n",
        ] {
            assert_eq!(begins(text.as_bytes(), true), Verdict::Yes, "{text:?}");
            for cut in 0..text.len() {
                assert_ne!(begins(&text.as_bytes()[..cut], false), Verdict::No, "{cut} of {text:?}");
            }
        }
        for text in
            ["version: 1\nname: a\n", "dn: dinner\n", "# extended\n", "version: 1", "", "# a\ndn: a=b\n"]
        {
            assert_eq!(begins(text.as_bytes(), true), Verdict::No, "{text:?}");
        }
    }

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
        // "abcdefghi", folded after two groups of four: only bytes next to the fold have it.
        let unfolded = unfold(b"v:: YWJjZGVm\n Z2hp\n").unwrap();
        assert_eq!(unfolded.decoded.bytes, b"v::abcdefghi\n");
        assert_eq!(unfolded.decoded.map.sources(3..5), [4..7]);
        assert_eq!(unfolded.decoded.map.sources(8..10), [10..12, 14..16]);
    }
}
