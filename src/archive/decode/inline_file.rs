//! Files that were put into a text: uuencode, yEnc and BinHex 4.
//!
//! Before MIME, and in news after it, a file was a part of the text, encoded. Its lines
//! are data, and would be noise in a search:
//!
//! | encoding | begins with | ends with |
//! |---|---|---|
//! | uuencode (POSIX) | `begin 644 name`, or three full lines of it, `M` first | `end`, or a line that is not uuencode |
//! | uuencode of base64 | `begin-base64 644 name` | `====`, or a line that is not base64 |
//! | yEnc | `=ybegin line=128 size=1 name=x` | `=yend`, or a line that is too short |
//! | BinHex 4 (RFC 1741) | `(This file must be converted with BinHex`, and a line that begins with `:` | a `:` at the end of a line |
//!
//! The lines that begin and end a file are text. The lines between them are skipped; the text
//! before and after them remains, in lines of its own. A part of a file that contains neither line (a
//! large file was posted in several articles) is recognised if it is uuencode.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use crate::archive::decode::transfer;
use crate::archive::source_map::Decoded;
use crate::simd::lines::next_line;

/// A file in a text: the range of its lines of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InlineFile {
    pub(crate) range: Range<usize>,
    pub(crate) encoding: FileEncoding,
    /// True if the line that names it is there: else it is the middle of a file.
    pub(crate) is_named: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileEncoding {
    Uuencode,
    Base64,
    Yenc,
    BinHex,
}

/// The first bytes of the lines that may begin a file.
pub(crate) const FIRST: [u8; 4] = *b"bM=(";

/// Returns true if there may be a file in `text`: a quick look.
pub(crate) fn may_be_in(text: &[u8]) -> bool {
    at_lines(text).any(|line| begins_at(text, line))
}

/// Returns true if the first line of a file is at `line`.
pub(crate) fn begins_at(text: &[u8], line: usize) -> bool {
    FIRST.contains(&text[line]) && begins(text, line).is_some()
}

/// The lines that may begin a file. A text that is shorter than the first word of one has none.
fn at_lines(text: &[u8]) -> impl Iterator<Item = usize> {
    let text = if text.len() < "begin".len() { &[] } else { text };
    let first = text.first().filter(|b| FIRST.contains(b)).map(|_| 0);
    let next = move |&at: &usize| next_line(text, at, FIRST);
    std::iter::successors(first.or_else(|| if text.is_empty() { None } else { next(&0) }), next)
}

/// The file whose first line is at `line`.
fn begins(text: &[u8], line: usize) -> Option<InlineFile> {
    let rest = &text[line..];
    let (range, encoding) = match rest[0] {
        b'b' if rest.starts_with(b"begin-base64 ") => (base64_lines(text, line)?, FileEncoding::Base64),
        b'b' => (uuencode_lines(text, line)?, FileEncoding::Uuencode),
        b'M' => (full_uuencode_lines(text, line)?, FileEncoding::Uuencode),
        b'=' => (yenc_lines(text, line)?, FileEncoding::Yenc),
        _ => (binhex_lines(text, line)?, FileEncoding::BinHex),
    };
    let is_named = range.start > line;
    Some(InlineFile { range, encoding, is_named })
}

/// Returns true if there may be a file with its name in `text`, and not only the middle of one: a
/// quicker look.
pub(crate) fn may_be_named_in(text: &[u8]) -> bool {
    static BEGIN: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("begin"));
    BEGIN.find_iter(text).any(|begin| {
        let at = if text[..begin].ends_with(b"=y") { begin - b"=y".len() } else { begin };
        (at == 0 || text[at - 1] == b'\n') && begins_at(text, at)
    })
}

/// The files in `text`, in order.
pub(crate) fn all(text: &[u8]) -> Vec<InlineFile> {
    let mut files: Vec<InlineFile> = Vec::new();
    let mut end = 0;
    for line in at_lines(text) {
        if line >= end
            && let Some(file) = begins(text, line)
        {
            end = file.range.end;
            files.push(file);
        }
    }
    files
}

/// The content of a file; `None` if its encoding is not read.
pub(crate) fn decode(text: &[u8], file: &InlineFile) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    match file.encoding {
        FileEncoding::Uuencode => decode_uuencode(text, file.range.clone(), &mut decoded),
        FileEncoding::Yenc => decode_yenc(text, file.range.clone(), &mut decoded),
        FileEncoding::Base64 => {
            let inner = transfer::base64(&text[file.range.clone()], true);
            return Some(inner.moved(file.range.start));
        }
        FileEncoding::BinHex => return None,
    }
    Some(decoded)
}

/// The content of all uuencoded files in `text`; `None` without one.
pub(crate) fn decode_all(text: &[u8]) -> Option<Decoded> {
    let files = all(text);
    let mut decoded = Decoded::default();
    for file in files.iter().filter(|file| file.encoding == FileEncoding::Uuencode) {
        decode_uuencode(text, file.range.clone(), &mut decoded);
    }
    (!decoded.bytes.is_empty()).then_some(decoded)
}

/// The line at `at` without its line break, and where the next one begins.
fn line_at(text: &[u8], at: usize) -> (&[u8], usize) {
    let next = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n + 1);
    let line = &text[at..next];
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    (line.strip_suffix(b"\r").unwrap_or(line), next)
}

// BinHex 4 (RFC 1741): lines of 64 characters between two colons.

/// The characters of the encoding.
const BINHEX_ALPHABET: &[u8; 64] = b"!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr";

/// The length of the longest line.
const BINHEX_LINE_LEN: usize = 80;

/// The lines of data after the notice at `at`.
///
/// RFC 1741: "(This file must be converted with BinHex 4.0)"; text may be between it and
/// the first colon, but here only empty lines.
fn binhex_lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (line, mut start) = line_at(text, at);
    if !line.starts_with(b"(This file must be converted with BinHex") {
        return None;
    }
    while matches!(text.get(start), Some(b'\r' | b'\n' | b' ' | b'\t')) {
        start += 1;
    }
    let mut end = start;
    while end < text.len() {
        let (line, next) = line_at(text, end);
        let (first, data) = (end == start, line.trim_ascii());
        if data.len() > BINHEX_LINE_LEN || (first && !data.starts_with(b":")) {
            break;
        }
        let data = if first { &data[1..] } else { data };
        let (data, last) = data.strip_suffix(b":").map_or((data, false), |data| (data, true));
        if !data.iter().all(|b| BINHEX_ALPHABET.contains(b)) {
            break;
        }
        end = next;
        if last {
            break;
        }
    }
    (end > start).then_some(start..end)
}

// uuencode (POSIX): a line is its length in bytes and then four characters for each
// three of them. A character is six bits, from a space (or a grave accent) to `_`.

/// The length of a full line: `M`, which is 45, and the characters for 45 bytes. Some
/// programs add a checksum.
const FULL_LINE_LEN: Range<usize> = 61..63;

/// The number of full lines that are a file without a `begin`.
const ENOUGH_LINES: usize = 3;

/// The lines of data after the `begin` at `at`.
fn uuencode_lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (line, start) = line_at(text, at);
    if !is_begin(line, b"begin ") {
        return None;
    }
    let (first, _) = line_at(text, start);
    // A first line that lost spaces at its end has at least half of its characters.
    let whole = encoded(first).is_some_and(|len| len > 0 && 2 * first.len() > len.div_ceil(3) * 4);
    whole.then(|| start..uuencode_end(text, start))
}

/// The lines of data from `at` on, if the first ones are full.
fn full_uuencode_lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut next = at;
    for _ in 0..ENOUGH_LINES {
        let (line, after) = line_at(text, next);
        if !line.starts_with(b"M") || !FULL_LINE_LEN.contains(&line.len()) || encoded(line).is_none() {
            return None;
        }
        next = after;
    }
    Some(at..uuencode_end(text, next))
}

/// The lines of base64 after the `begin-base64` at `at`.
fn base64_lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (line, start) = line_at(text, at);
    let is_data = |line: &[u8]| {
        let character = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
        !line.is_empty() && line.iter().all(character) && line != b"===="
    };
    let mut end = start;
    while end < text.len() && is_data(line_at(text, end).0) {
        end = line_at(text, end).1;
    }
    (is_begin(line, b"begin-base64 ") && end > start).then_some(start..end)
}

/// Returns true if `line` is `word`, a mode in octal digits, and a name.
fn is_begin(line: &[u8], word: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(word) else { return false };
    let digits = rest.iter().take_while(|b| matches!(b, b'0'..=b'7')).count();
    (3..=5).contains(&digits) && rest[digits..].starts_with(b" ") && !rest[digits..].trim_ascii().is_empty()
}

/// Returns the offset at which the lines of data end that begin at `at`.
fn uuencode_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        let (line, next) = line_at(text, at);
        match encoded(line) {
            Some(0) => return next,
            Some(_) if line != b"end" => at = next,
            _ => break,
        }
    }
    at
}

/// Returns the number of bytes that `line` encodes; `None` if it is not a line of data. Spaces at
/// its end may be lost.
fn encoded(line: &[u8]) -> Option<usize> {
    let (&first, data) = line.split_first()?;
    if !line.iter().all(|b| matches!(b, b' '..=b'`')) {
        return None;
    }
    let len = sextet(first);
    let used = data.trim_ascii_end().len();
    (used <= len.div_ceil(3) * 4 + 1).then_some(len)
}

fn sextet(b: u8) -> usize {
    usize::from(b.wrapping_sub(b' ') & 0x3F)
}

/// Appends the content of the lines at `range`.
fn decode_uuencode(text: &[u8], range: Range<usize>, decoded: &mut Decoded) {
    let mut at = range.start;
    while at < range.end {
        let (line, next) = line_at(text, at);
        line_of(line, at, decoded);
        at = next;
    }
}

/// Appends the content of one line, which begins at `at`.
fn line_of(line: &[u8], at: usize, decoded: &mut Decoded) {
    let Some((&first, data)) = line.split_first() else { return };
    let len = sextet(first);
    // Spaces at the end of the line may be lost.
    let bits = |n: usize| data.get(n).map_or(0, |&b| sextet(b));
    let bytes: Vec<u8> = (0..len)
        .map(|n| {
            let (character, byte) = (n / 3 * 4 + n % 3, n % 3);
            let pair = bits(character) << 6 | bits(character + 1);
            (pair >> (4 - 2 * byte)).to_le_bytes()[0]
        })
        .collect();
    let source = |n: usize| at + 1 + n.min(data.len());
    let (whole, rest) = bytes.split_at(len / 3 * 3);
    let quartets = len / 3 * 4;
    decoded.put(whole, source(0)..source(quartets));
    for (n, byte) in rest.iter().enumerate() {
        decoded.put(&[*byte], source(quartets + n)..source(quartets + n + 2));
    }
}

// yEnc (version 1.3): each byte plus 42, in lines of a fixed length; NUL, LF, CR and `=`
// are a `=` and the byte plus 64.

/// The lines of data after the `=ybegin` at `at`.
fn yenc_lines(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (line, mut start) = line_at(text, at);
    if !line.starts_with(b"=ybegin ") {
        return None;
    }
    let number = &line[memmem::find(line, b" line=")? + b" line=".len()..];
    let digits = number.iter().take(9).take_while(|b| b.is_ascii_digit()).count();
    let len: usize = str::from_utf8(&number[..digits]).ok()?.parse().ok()?;
    let (part, after) = line_at(text, start);
    if part.starts_with(b"=ypart ") {
        start = after;
    }
    let mut end = start;
    while end < text.len() {
        let (line, next) = line_at(text, end);
        if line.starts_with(b"=yend") {
            break;
        }
        end = next;
        if line.len() < len {
            break;
        }
    }
    (end > start).then_some(start..end)
}

/// Appends the content of the lines at `range`.
fn decode_yenc(text: &[u8], range: Range<usize>, decoded: &mut Decoded) {
    let mut at = range.start;
    while at < range.end {
        match text[at..range.end] {
            [b'=', b, ..] => {
                decoded.put(&[b.wrapping_sub(64 + 42)], at..at + 2);
                at += 1;
            }
            [b'\r' | b'\n', ..] | [] => {}
            [b, ..] => decoded.put(&[b.wrapping_sub(42)], at..at + 1),
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text without the lines of `files`.
    fn without(text: &[u8], files: &[InlineFile]) -> Decoded {
        Decoded::without(text, files.iter().map(|file| file.range.clone()))
    }

    /// The text without its files, and their content.
    fn apart(text: &str) -> (String, Vec<Option<String>>) {
        let bytes = text.as_bytes();
        let files = all(bytes);
        assert_eq!(may_be_in(bytes), !files.is_empty());
        let decoded = |file| decode(bytes, file).map(|file| String::from_utf8(file.bytes).unwrap());
        let rest = String::from_utf8(without(bytes, &files).bytes).unwrap();
        (rest, files.iter().map(decoded).collect())
    }

    fn file(rest: &str, content: &str) -> (String, Vec<Option<String>>) {
        (rest.to_owned(), vec![Some(content.to_owned())])
    }

    #[test]
    fn uuencode() {
        // "http://h.org/\n", by hand: 14 bytes in 5 groups.
        let text = "see\nbegin 644 a.txt\n.:'1T<#HO+V@N;W)G+PH \n`\nend\nmore\n";
        assert_eq!(apart(text), file("see\nbegin 644 a.txt\nend\nmore\n", "http://h.org/\n"));
        // A mode has three digits, and zeros before them.
        for mode in ["0644", "00644"] {
            let text = text.replace("644", mode);
            assert_eq!(apart(&text).1, [Some("http://h.org/\n".to_owned())], "{mode}");
        }
        // Without the spaces at the ends of the lines, and with CRLF.
        let stripped = text.replace(" \n`\n", "\n`\n").replace('\n', "\r\n");
        assert_eq!(apart(&stripped).1, [Some("http://h.org/\n".to_owned())]);
    }

    #[test]
    fn a_part_of_a_uuencoded_file() {
        let line = format!("M{}\n", "9G)O".repeat(15));
        let text = format!("part 2 of 3\n\n{}text\n", line.repeat(4));
        assert_eq!(apart(&text), file("part 2 of 3\n\ntext\n", &"fro".repeat(60)));
        let three = format!("{}text\n", line.repeat(3));
        assert_eq!(apart(&three), file("text\n", &"fro".repeat(45)));
        let two = format!("{}text\n", line.repeat(2));
        assert_eq!(apart(&two), (two.clone(), vec![]));
    }

    #[test]
    fn uuencode_of_base64() {
        let text = "begin-base64 644 a\naHR0cDovL2gu\nb3JnLw==\n====\nb\n";
        assert_eq!(apart(text), file("begin-base64 644 a\n====\nb\n", "http://h.org/"));
    }

    #[test]
    fn yenc() {
        let encoded: String = "http://h.org/".chars().map(|c| char::from(c as u8 + 42)).collect();
        let bytes: Vec<u8> = encoded.chars().map(|c| c as u8).collect();
        let text =
            [b"=ybegin line=128 size=13 name=a\r\n", &bytes[..], b"=J\r\n=yend size=13\r\nb\r\n"].concat();
        let files = all(&text);
        assert_eq!(
            without(&text, &files).bytes,
            b"=ybegin line=128 size=13 name=a\r\n=yend size=13\r\nb\r\n"
        );
        let decoded = decode(&text, &files[0]).unwrap();
        assert_eq!(decoded.bytes, b"http://h.org/\xE0");
        assert_eq!(decoded.map.sources(0..14), [33..48]);
    }

    /// A line that is shorter than `line=` is the last one.
    #[test]
    fn lines_of_yenc() {
        for lines in [1, 2, 3] {
            for end in ["\n", "\r\n"] {
                let data = format!("aaaa{end}").repeat(lines) + &format!("aaa{end}");
                let text = format!("=ybegin line=4 name=a\n{data}aaaa\n");
                assert_eq!(
                    without(text.as_bytes(), &all(text.as_bytes())).bytes,
                    b"=ybegin line=4 name=a\naaaa\n"
                );
            }
        }
    }

    #[test]
    fn binhex() {
        let text = "(This file must be converted with BinHex 4.0)\n\n:$f*TEQKPH\"bK\"\nabc:\nmore\n";
        assert_eq!(
            apart(text),
            ("(This file must be converted with BinHex 4.0)\n\nmore\n".to_owned(), vec![None])
        );
    }

    /// A line of other characters, or of more than 80 characters, ends it.
    #[test]
    fn the_end_of_binhex() {
        const HEAD: &str = "(This file must be converted with BinHex 4.0)\n\n";
        for (data, rest) in [
            (":$f*TEQKPH\n", "see http://h.org/\n"),
            (":$f*TEQKPH\nabc:\n", "abc\n"),
            (&*format!(":{}\n", "a".repeat(79)), "b c\n"),
            (&*format!(":a\n{}\n", "a".repeat(80)), &*format!("{}\n", "a".repeat(81))),
        ] {
            assert_eq!(
                apart(&format!("{HEAD}{data}{rest}")),
                (format!("{HEAD}{rest}"), vec![None]),
                "{data}"
            );
        }
    }

    /// As many characters as the length needs, and a checksum.
    #[test]
    fn lengths_of_uuencoded_lines() {
        for (line, len) in [
            ("#86)C", Some(3)),
            ("#86)CX", Some(3)),
            ("#86)CXY", None),
            ("#86)C  ", Some(3)),
            ("!8", Some(1)),
            ("`", Some(0)),
            (" ", Some(0)),
            ("#86)c", None),
            ("", None),
        ] {
            assert_eq!(encoded(line.as_bytes()), len, "{line:?}");
        }
    }

    #[test]
    fn text_that_is_no_file() {
        for text in [
            "begin 644 words of prose\nthat is not encoded\n",
            "begin with\n",
            // A mode has three to five digits, and a space and a name follow it.
            "begin 64 a.txt\n.:'1T<#HO+V@N;W)G+PH \n`\nend\n",
            "begin 000644 a.txt\n.:'1T<#HO+V@N;W)G+PH \n`\nend\n",
            "begin 644x a.txt\n.:'1T<#HO+V@N;W)G+PH \n`\nend\n",
            "begin 644 \n.:'1T<#HO+V@N;W)G+PH \n`\nend\n",
            // The first line of data has no bytes.
            "begin 644 a.txt\n`\nend\n",
            "begin 644 a.txt\n \nend\n",
            "=ybegin is how it begins\n",
            "(This file must be converted with BinHex)\n\nand so on\n",
            "Many\nMore\nMost\n",
            "begin 644 x",
            "begin-base64 644 x\n",
            "M",
        ] {
            assert_eq!(apart(text), (text.to_owned(), vec![]), "{text}");
        }
    }

    proptest! {
        #[test]
        fn there_and_back(content in prop::collection::vec(any::<u8>(), 1..300), grave in any::<bool>()) {
            let sextet = |bits: u8| if bits == 0 && grave { b'`' } else { bits + b' ' };
            let mut text = b"begin 600 x y\n".to_vec();
            for line in content.chunks(45) {
                text.push(sextet(line.len() as u8));
                for group in line.chunks(3) {
                    let [a, b, c] = [0, 1, 2].map(|n| group.get(n).copied().unwrap_or(0));
                    text.extend([a >> 2, a << 4 & 0x30 | b >> 4, b << 2 & 0x3C | c >> 6, c & 0x3F].map(sextet));
                }
                text.push(b'\n');
            }
            text.extend(b"`\nend\n");
            let files = all(&text);
            // A first line of zeros is not recognised if they are spaces.
            prop_assume!(grave || content[..content.len().min(45)].iter().any(|&b| b > 3));
            prop_assume!(!files.is_empty() || !grave);
            if let Some(file) = files.first() {
                let decoded = decode(&text, file).unwrap();
                prop_assert_eq!(&decoded.bytes, &content);
                for at in 0..content.len() {
                    let sources = decoded.map.sources(at..at + 1);
                    prop_assert_eq!(sources.len(), 1);
                    prop_assert_eq!(sources[0].len(), 2);
                }
            }
        }

        #[test]
        fn any_text_is_divided(text in "(begin 644 x\n|=ybegin line=3 \n|=yend|M[ -`]{60}\n|`\n|end\n|:|\\(This file must be converted with BinHex 4\\.0\\)\n|[a-zA-Z !\n=]){0,40}") {
            let bytes = text.as_bytes();
            let files = all(bytes);
            let mut last = 0;
            for file in &files {
                prop_assert!(last <= file.range.start && file.range.start < file.range.end);
                last = file.range.end;
                let _ = decode(bytes, file);
            }
            let lost: usize = files.iter().map(|file| file.range.len()).sum();
            prop_assert_eq!(without(bytes, &files).bytes.len() + lost, bytes.len());
        }
    }
}
