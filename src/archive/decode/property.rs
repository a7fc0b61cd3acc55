//! Properties of calendars and cards whose values are encoded.
//!
//! Cards of version 2.1 have quoted-printable and base64 (`ENCODING=QUOTED-PRINTABLE`, or only the
//! name), cards of version 3 `ENCODING=b` (RFC 2426 §4), and calendars `ENCODING=BASE64` (RFC 5545
//! §3.2.7). A value in quoted-printable continues in the next line after a soft break; any value
//! continues after a fold.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::transfer;
use crate::archive::source_map::Decoded;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    QuotedPrintable,
    Base64,
}

/// The value of the property that the line at `at` begins, if it is in quoted-printable.
pub(super) fn quoted(source: &[u8], at: usize) -> Option<Range<usize>> {
    let (value, encoding) = encoded(source, at)?;
    (encoding == Encoding::QuotedPrintable).then_some(value)
}

/// Decodes a value in quoted-printable.
pub(super) fn decode_quoted(source: &[u8], value: Range<usize>) -> Decoded {
    let line = unfolded(source, value, true);
    transfer::quoted_printable(&line.bytes, true).through(&line)
}

/// The values in base64, in order: files, and the text of notes.
pub(crate) fn files(source: &[u8]) -> Vec<Range<usize>> {
    let mut files = Vec::new();
    let mut at = 0;
    loop {
        if let Some((value, encoding)) = encoded(source, at) {
            at = value.end;
            let line = unfolded(source, value.clone(), false);
            let is_base64 = |&b: &u8| transfer::sextet(b).is_some() || b == b'=' || b.is_ascii_whitespace();
            // Bytes that are not base64 are searched as text.
            if encoding == Encoding::Base64 && line.bytes.iter().all(is_base64) {
                files.push(value);
            }
        }
        let Some(feed) = memchr(b'\n', &source[at..]) else { return files };
        at += feed + 1;
    }
}

/// Returns the value without its folds.
pub(crate) fn line(value: &[u8]) -> Decoded {
    unfolded(value, 0..value.len(), false)
}

/// The value of the property that the line at `at` begins, if it is encoded.
fn encoded(source: &[u8], at: usize) -> Option<(Range<usize>, Encoding)> {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    let params = at + source[at..].iter().take_while(|b| is_name(b)).count();
    if params == at || source.get(params) != Some(&b';') {
        return None;
    }
    let mut is_quoted = false;
    let is_colon = |&b: &u8| {
        is_quoted ^= b == b'"';
        b == b':' && !is_quoted
    };
    let end = line_end(source, params, false);
    let colon = params + source[params..end].iter().position(is_colon)?;
    let head = match memchr(b'\n', &source[params..colon]) {
        Some(_) => Cow::Owned(unfolded(source, params..colon, false).bytes),
        None => Cow::Borrowed(&source[params..colon]),
    };
    let encoding = head.split(|&b| b == b';').find_map(encoding)?;
    let start = colon + 1;
    let end = line_end(source, start, encoding == Encoding::QuotedPrintable);
    Some((start..start + source[start..end].trim_ascii_end().len(), encoding))
}

/// The encoding that a parameter names.
fn encoding(param: &[u8]) -> Option<Encoding> {
    let value = match memchr(b'=', param) {
        Some(mark) if param[..mark].eq_ignore_ascii_case(b"encoding") => &param[mark + 1..],
        Some(_) => return None,
        None => param,
    };
    let is = |name: &[u8]| value.eq_ignore_ascii_case(name);
    match () {
        () if is(b"quoted-printable") => Some(Encoding::QuotedPrintable),
        () if is(b"base64") || (is(b"b") && param.len() > 1) => Some(Encoding::Base64),
        () => None,
    }
}

/// Returns the offset at which the line at `at` ends that may continue after folds, and after soft
/// breaks if it has them.
fn line_end(source: &[u8], at: usize, soft: bool) -> usize {
    let continues = |feed: usize| is_fold(source, feed) || (soft && ends_softly(&source[at..feed]));
    let mut feeds = memchr_iter(b'\n', &source[at..]).map(|n| at + n);
    feeds.find(|&feed| !continues(feed)).unwrap_or(source.len())
}

fn is_fold(source: &[u8], feed: usize) -> bool {
    matches!(source.get(feed + 1), Some(b' ' | b'\t'))
}

/// Returns true if a line, without its line feed, ends with a soft break of quoted-printable.
pub(crate) fn ends_softly(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"=")
}

/// The source at `range` without its folds. After a soft break a space is one of the value.
fn unfolded(source: &[u8], range: Range<usize>, soft: bool) -> Decoded {
    let line = &source[range.clone()];
    let is_joined = |&feed: &usize| is_fold(line, feed) && !(soft && ends_softly(&line[..feed]));
    let folds = memchr_iter(b'\n', line).filter(is_joined);
    let folds = folds.map(|feed| feed - usize::from(line[..feed].ends_with(b"\r"))..feed + 2);
    Decoded::without(line, folds).moved(range.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_encoded() {
        use Encoding::{Base64, QuotedPrintable};
        for (text, value, encoding) in [
            ("NOTE;ENCODING=QUOTED-PRINTABLE:a=3D=\r\nb\r\nX:y", "a=3D=\r\nb", QuotedPrintable),
            ("a.note;quoted-printable;CHARSET=UTF-8:a\n", "a", QuotedPrintable),
            ("N;ENCODING=QUOTED-PRINTABLE:a=\n=\n\nX:y", "a=\n=", QuotedPrintable),
            ("NOTE;ENCODING=b:YQ==\nX:y", "YQ==", Base64),
            ("NOTE;BASE64:\n YQ\n ==\n\nX:y", "\n YQ\n ==", Base64),
            ("ATTACH;X-N=\"a:b;c\";ENCODING=\r\n BASE64;VALUE=BINARY:YQ==", "YQ==", Base64),
        ] {
            let (range, found) = encoded(text.as_bytes(), 0).unwrap();
            assert_eq!((&text[range], found), (value, encoding), "{text}");
        }
        for text in [
            "NOTE:a;BASE64:b",
            "TEL;B:a",
            "A;ENCODING=8BIT:a",
            "A;X=\"BASE64:b",
            ";BASE64:a",
            "A;BASE64\nB:a",
            "",
        ] {
            assert_eq!(encoded(text.as_bytes(), 0), None, "{text}");
        }
    }

    #[test]
    fn files_know_where_they_came_from() {
        // "abcdef", folded within a group of four; and a value that is not base64.
        let text = "NOTE:a\nATTACH;ENCODING=BASE64:YWJjZG\n Vm\nURL;BASE64:http://h.org/\n";
        let files = files(text.as_bytes());
        assert_eq!(files.len(), 1);
        let value = &text[files[0].clone()];
        let line = line(value.as_bytes());
        assert_eq!(line.bytes, b"YWJjZGVm");
        let sources = line.map.sources(0..8);
        assert_eq!(sources.into_iter().map(|source| &value[source]).collect::<Vec<_>>(), ["YWJjZG", "Vm"]);
    }
}
