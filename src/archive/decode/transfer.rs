//! Content-Transfer-Encoding: quoted-printable (RFC 2045 §6.7) and base64 (§6.8), both tolerant of
//! damage; and dot-stuffing.
//!
//! In quoted-printable, the bytes between two `=` are copied. A `=` with two hexadecimal digits of
//! either case is a byte; a `=` with only spaces up to the end of its line or of the part is a soft
//! break, and is removed with the line break; any other is copied.

use std::iter;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use crate::archive::header::has_url;
use crate::archive::source_map::Decoded;

/// Decodes quoted-printable text.
pub(crate) fn quoted_printable(source: &[u8], offsets: bool) -> Decoded {
    let mut decoded = Decoded::of(source, offsets).with_room(source.len());
    let mut from = 0;
    for mark in memchr_iter(b'=', source) {
        let byte = escape(&source[mark..]);
        let Some(len) = byte.map_or_else(|| soft_break(&source[mark..]), |_| Some(3)) else { continue };
        decoded.copy(source, from..mark);
        decoded.put(byte.as_slice(), mark..mark + len);
        from = mark + len;
    }
    decoded.copy(source, from..source.len());
    decoded
}

/// The byte that the `=XX` at the beginning of `text` encodes.
pub(crate) fn escape(text: &[u8]) -> Option<u8> {
    let &[_, high, low, ..] = text else { return None };
    let digit = |b: u8| char::from(b).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

/// The length of the soft break at the beginning of `text`: `=`, spaces, and a line break or the
/// end of the text. A line break is a line feed, carriage returns, or both.
fn soft_break(text: &[u8]) -> Option<usize> {
    let skip = |at: usize, set: &[u8]| at + text[at..].iter().take_while(|b| set.contains(b)).count();
    let blanks = skip(1, b" \t");
    let returns = skip(blanks, b"\r");
    let end = returns + usize::from(text.get(returns) == Some(&b'\n'));
    (end > blanks || end == text.len()).then_some(end)
}

// Base64 (RFC 2045 §6.8), damaged or with text between its lines.
//
// A line is a run of quartets, four characters for three bytes each. A byte outside of the alphabet
// does not affect others. Padding ends a quartet anywhere, because some programs encode in chunks;
// an incomplete quartet at the end yields the bytes that are complete in it.
//
// A quartet may continue in the next line, except where most lines of the part hold whole quartets:
// there, a lost character shifts only the rest of its own line.
//
// List servers append their footers to an encoded body, and the footers contain links. So a line
// may be text, which is copied:
//
// - A line is text if it contains `://`, or if at least two of its bytes, and more than one in
//   sixteen, are not base64. Control characters, and whitespace at either end of the line, do not count. Words of
//   one length, with spaces between them, are groups of base64.
// - It is base64 if its characters decode to text: spammers insert foreign bytes, because filters then stop decoding.
//   Real words decode to noise.
// - If the first line is base64, and its first bytes encode text or a document, a line
//   before the padding is text only if it contains `://`, because a document or a multibyte charset decodes to bytes
//   that do not look like text.
// - After a line of text, a line is base64 again if it holds whole quartets and
//   nothing else.
// - The bytes after padding are treated as a separate line. Text continues to the end
//   of its line.
//
// A single word on its line, such as `Unsubscribe`, is base64 by these rules, and decodes to
// meaningless bytes without a link.

/// The bit that is set for a byte that is not a base64 character.
const OUTSIDE: u8 = 0x80;

/// The six bits that each character encodes.
static SEXTETS: [u8; 256] = {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut table = [OUTSIDE; 256];
    let mut n = 0;
    while n < alphabet.len() {
        table[alphabet[n] as usize] = n as u8;
        n += 1;
    }
    table
};

/// The six bits that `b` encodes in base64.
pub(crate) fn sextet(b: u8) -> Option<u8> {
    let bits = SEXTETS[usize::from(b)];
    (bits & OUTSIDE == 0).then_some(bits)
}

/// Decodes base64, and copies lines of text between it.
pub(crate) fn base64(source: &[u8], offsets: bool) -> Decoded {
    base64_of_part(source, offsets, |_| false)
}

/// Decodes base64 that may be a document; `is_document` returns true if bytes begin with the magic
/// number of one.
pub(crate) fn base64_of_part(source: &[u8], offsets: bool, is_document: fn(&[u8]) -> bool) -> Decoded {
    let decoded = Decoded::of(source, offsets).with_room(source.len() / 4 * 3);
    let is_laced = is_laced(source, is_document);
    let mut decoder = Base64 { source, decoded, quartet: Vec::new(), is_laced };
    let (mut after_text, mut whole) = (false, None);
    for line in lines(source) {
        after_text = decoder.line(&line, after_text);
        // Nearly all lines of nearly all parts end with a quartet.
        if !decoder.quartet.is_empty() && *whole.get_or_insert_with(|| holds_whole_quartets(source)) {
            decoder.end_quartet();
        }
    }
    decoder.end_quartet();
    decoder.decoded
}

/// Returns true if the number of characters in most lines of `source` is a multiple of four.
fn holds_whole_quartets(source: &[u8]) -> bool {
    let (mut all, mut whole) = (0_usize, 0_usize);
    for line in lines(source) {
        let characters = source[line.start..line.end].iter().filter(|&&b| sextet(b).is_some() || b == b'=');
        all += 1;
        whole += usize::from(characters.count().is_multiple_of(4));
    }
    whole > all / 2
}

/// The number of bytes that show whether foreign bytes are among the base64 characters.
const MAX_EXAMINED: usize = 2048;

/// Returns true if `source` is base64 with so many foreign bytes that its first line seems to be
/// text.
fn is_laced(source: &[u8], is_document: fn(&[u8]) -> bool) -> bool {
    let first = lines(source).map(|line| &source[line.start..line.end]).find(|line| !line.is_empty());
    first.is_some_and(is_text) && {
        let head = characters_of(&source[..source.len().min(MAX_EXAMINED)], 0);
        encodes_text(&head) || is_document(&head)
    }
}

/// Returns the bytes that the base64 characters in `text` encode after the first `skipped`, up to
/// the last complete quartet.
fn characters_of(text: &[u8], skipped: usize) -> Vec<u8> {
    let sextets: Vec<u8> = text.iter().filter_map(|&b| sextet(b)).skip(skipped).take(MAX_EXAMINED).collect();
    let (quartets, _) = sextets.as_chunks::<4>();
    quartets.iter().flat_map(|&[a, b, c, d]| [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]).collect()
}

/// Returns true if decoded bytes are text. Twelve random bytes seem to be UTF-8 once in 100,000
/// times, and 64 to be without a control character once in 1,000.
fn encodes_text(bytes: &[u8]) -> bool {
    let is_control = |&b: &u8| b < b' ' && !b"\t\n\r\x0C\x1B".contains(&b) || b == 0x7F;
    if bytes.len() < 12 || bytes.iter().any(is_control) {
        return false;
    }
    // A character may begin before them, or end after them.
    let cut = bytes.iter().take(3).take_while(|&&b| b & 0xC0 == 0x80).count();
    let is_utf8 = str::from_utf8(&bytes[cut..]).err().is_none_or(|error| error.error_len().is_none());
    is_utf8 || bytes.len() >= 64
}

/// Returns true if the data that `source` encodes are not text: one byte in sixteen is a control
/// character (of any bytes, one in ten is); or the text between is longer, and one byte in four is
/// not UTF-8, although the text `is_unicode`.
pub(crate) fn encodes_noise(source: &[u8], is_document: fn(&[u8]) -> bool, is_unicode: bool) -> bool {
    let Decoded { bytes, map } = base64_of_part(source, true, is_document);
    let runs = map.parts(0..bytes.len()).filter(|(text, source)| text.len() != source.len());
    let encoded: Vec<u8> = runs.flat_map(|(run, _)| bytes[run].iter().copied()).collect();
    let controls = encoded.iter().filter(|&&b| b < b' ' && !b.is_ascii_whitespace() && b != 0x1B).count();
    let invalid: usize = encoded.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    let is_between = encoded.len() < bytes.len() - encoded.len();
    controls > encoded.len() / 16 || is_unicode && is_between && invalid > encoded.len() / 4
}

/// Returns true if `line` consists only of whole quartets and is not empty.
fn is_base64(line: &[u8]) -> bool {
    let end = line.iter().rposition(|&b| b != b'=').map_or(0, |last| last + 1);
    line.len().is_multiple_of(4) && end > 0 && line.len() - end <= 2 && is_clean(&line[..end])
}

fn is_clean(line: &[u8]) -> bool {
    line.iter().fold(0, |any, &b| any | SEXTETS[usize::from(b)]) & OUTSIDE == 0
}

/// Returns true if `line` is text between lines of base64.
#[inline]
fn is_text(line: &[u8]) -> bool {
    if is_clean(line) {
        return false;
    }
    let line = line.trim_ascii();
    let printable = |b: u8| b == b'\t' || (b >= b' ' && b != 0x7F);
    let outside = |&&b: &&u8| sextet(b).is_none() && b != b'=' && printable(b);
    let outside = line.iter().filter(outside).count();
    (outside > 1 && outside > line.len() / 16 && !are_groups(line)) || has_url(line)
}

/// Returns true if `line` is base64 in groups of one length; the last may be shorter.
fn are_groups(line: &[u8]) -> bool {
    let mut groups = line.split(|b| matches!(b, b' ' | b'\t')).filter(|group| !group.is_empty());
    let len = groups.clone().next().map_or(0, <[u8]>::len);
    let last = groups.next_back().unwrap_or_default();
    let padding = last.iter().rev().take_while(|&&b| b == b'=').count().min(2);
    last.len() <= len
        && is_clean(&last[..last.len() - padding])
        && groups.all(|group| group.len() == len && is_clean(group))
}

/// A line, and where the next one begins.
struct EncodedLine {
    start: usize,
    end: usize,
    next: usize,
}

/// The lines of a text, which end in a carriage return, a line feed, or both.
fn lines(source: &[u8]) -> impl Iterator<Item = EncodedLine> {
    let mut next = 0;
    iter::from_fn(move || {
        let start = next;
        let rest = source.get(start..).filter(|rest| !rest.is_empty())?;
        let len = memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
        let broken = match rest[len..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        next += len + broken;
        Some(EncodedLine { start, end: start + len, next })
    })
}

/// The number of quartets that are decoded at a time.
const QUARTETS: usize = 64;

struct Base64<'s> {
    source: &'s [u8],
    decoded: Decoded,
    /// The offsets of the characters of an incomplete quartet.
    quartet: Vec<usize>,
    /// True if foreign bytes are among the characters, so that they do not show text.
    is_laced: bool,
}

impl Base64<'_> {
    /// Decodes `line`, which may follow a line of text, and returns true if it is also text, or
    /// ends in text.
    fn line(&mut self, line: &EncodedLine, after_text: bool) -> bool {
        let encoded = &self.source[line.start..line.end];
        if after_text && !is_base64(encoded) && !self.is_encoded(encoded) {
            self.text(line.start, line);
            return true;
        }
        let mut from = line.start;
        while from < line.end {
            // Padding ends a piece.
            let mark = memchr(b'=', &self.source[from..line.end]).map_or(line.end, |n| from + n);
            let end = mark + self.source[mark..line.end].iter().take_while(|&&b| b == b'=').count();
            let piece = &self.source[from..end];
            if is_text(piece) && !self.is_encoded(piece) {
                self.text(from, line);
                return true;
            }
            self.is_laced &= !piece.ends_with(b"=");
            self.characters(from..end);
            from = end;
        }
        false
    }

    /// Returns true if the foreign bytes in a line that seems to be text are among characters of
    /// base64.
    fn is_encoded(&self, line: &[u8]) -> bool {
        let open = (4 - self.quartet.len()) % 4;
        self.is_laced && !has_url(line) || encodes_text(&characters_of(line, open))
    }

    /// Decodes the characters at `range`, which may end in padding.
    fn characters(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            if self.quartet.is_empty() {
                at = self.quartets(at..range.end);
            }
            let Some(&b) = self.source[..range.end].get(at) else { return };
            if sextet(b).is_some() {
                self.quartet.push(at);
            }
            if self.quartet.len() == 4 || b == b'=' {
                self.end_quartet();
            }
            at += 1;
        }
    }

    /// Decodes quartets up to the first byte that is not base64; returns where that is.
    fn quartets(&mut self, range: Range<usize>) -> usize {
        let mut at = range.start;
        let mut bytes = [0; 3 * QUARTETS];
        let (quartets, _) = self.source[range].as_chunks::<4>();
        for quartets in quartets.chunks(QUARTETS) {
            let mut clean = 0;
            for (quartet, out) in quartets.iter().zip(bytes.as_chunks_mut::<3>().0) {
                let [a, b, c, d] = quartet.map(|b| SEXTETS[usize::from(b)]);
                if (a | b | c | d) & OUTSIDE != 0 {
                    break;
                }
                *out = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
                clean += 1;
            }
            self.decoded.put(&bytes[..3 * clean], at..at + 4 * clean);
            at += 4 * clean;
            if clean < quartets.len() {
                break;
            }
        }
        at
    }

    /// Decodes the incomplete quartet.
    fn end_quartet(&mut self) {
        let bits = |n: usize| self.quartet.get(n).map_or(0, |&at| SEXTETS[usize::from(self.source[at])]);
        let bytes = [bits(0) << 2 | bits(1) >> 4, bits(1) << 4 | bits(2) >> 2, bits(2) << 6 | bits(3)];
        for (pair, byte) in self.quartet.windows(2).zip(bytes) {
            self.decoded.put(&[byte], pair[0]..pair[1] + 1);
        }
        self.quartet.clear();
    }

    /// Copies the text from `from` to the end of `line`.
    fn text(&mut self, from: usize, line: &EncodedLine) {
        self.end_quartet();
        let breaks =
            self.source[..line.start].iter().rev().take(2).take_while(|b| b"\r\n".contains(b)).count();
        match self.decoded.bytes.last() {
            None | Some(b'\n' | b'\r') => {}
            Some(_) if from == line.start => self.decoded.copy(self.source, from - breaks..from),
            // The text must not continue the decoded bytes.
            Some(_) => self.decoded.put(b"\n", from..from),
        }
        self.decoded.copy(self.source, from..line.next);
    }
}

// Dot-stuffing: the dots that NNTP and SMTP add to lines that begin with one.

/// The text without the added dots; `None` if it contains none.
///
/// RFC 3977 §3.1.1: "If any line of the data block begins with the
/// "termination octet" ("." or %x2E), that line MUST be "dot-stuffed" by
/// prepending an additional termination octet to that line".
pub(crate) fn unstuff(bytes: &[u8]) -> Option<Decoded> {
    let first = bytes.starts_with(b"..").then_some(0);
    let rest = memmem::find_iter(bytes, b"\n..").map(|n| n + 1);
    let mut stuffed = first.into_iter().chain(rest).map(|dot| dot..dot + 1).peekable();
    stuffed.peek()?;
    Some(Decoded::without(bytes, stuffed))
}

#[cfg(test)]
mod tests {
    use memchr::memmem;
    use proptest::prelude::*;

    use super::*;

    fn quoted(source: &str) -> String {
        String::from_utf8(quoted_printable(source.as_bytes(), true).bytes).unwrap()
    }

    #[test]
    fn escapes() {
        assert_eq!(quoted("http://h.org/?a=3D1"), "http://h.org/?a=1");
        assert_eq!(quoted("=48=6f=6F"), "Hoo");
        assert_eq!(quoted_printable(b"caf=E9", true).bytes, b"caf\xE9");
    }

    #[test]
    fn an_escape_that_is_not_valid_is_copied() {
        assert_eq!(quoted("a == b =ZZ =3 =3Z ="), "a == b =ZZ =3 =3Z ");
        assert_eq!(quoted("a==3Db"), "a==b");
        assert_eq!(quoted("=3"), "=3");
    }

    #[test]
    fn soft_breaks() {
        assert_eq!(quoted("http://h.org/a=\n/b"), "http://h.org/a/b");
        assert_eq!(quoted("http://h.org/a=\r\n/b=\r\r\n/c=\r/d"), "http://h.org/a/b/c/d");
        assert_eq!(quoted("http://h.org/a= \t \n/b"), "http://h.org/a/b");
        assert_eq!(quoted("http://h.org/a="), "http://h.org/a");
        assert_eq!(quoted("http://h.org/a=  "), "http://h.org/a");
        assert_eq!(quoted("a = b"), "a = b");
    }

    #[test]
    fn other_line_ends_and_blanks_stay() {
        assert_eq!(quoted("a \nb\t\r\nc"), "a \nb\t\r\nc");
    }

    #[test]
    fn quoted_printable_knows_where_it_came_from() {
        let source = "see http=3A//h.o=\nrg/";
        let decoded = quoted_printable(source.as_bytes(), true);
        assert_eq!(sources(source, &decoded, "http://h.org/"), ["http=3A//h.o", "rg/"]);
        assert_eq!(sources(source, &decoded, ":"), ["=3A"]);
    }

    /// The parts of `source` that encode `part` of the text.
    fn sources<'s>(source: &'s str, decoded: &Decoded, part: &str) -> Vec<&'s str> {
        let at = memmem::find(&decoded.bytes, part.as_bytes()).unwrap();
        decoded.map.sources(at..at + part.len()).into_iter().map(|range| &source[range]).collect()
    }

    proptest! {
        #[test]
        fn quoted_printable_there_and_back(text in prop::collection::vec(any::<u8>(), 0..300), soft in 1_usize..20) {
            let mut source = String::new();
            let mut offsets = Vec::new();
            for (n, &b) in text.iter().enumerate() {
                let plain = b.is_ascii_graphic() && b != b'=';
                offsets.push(source.len());
                source.push_str(&if plain { char::from(b).to_string() } else { format!("={b:02X}") });
                source.push_str(if n % soft == 0 { "=\r\n" } else { "" });
            }
            let decoded = quoted_printable(source.as_bytes(), true);
            prop_assert_eq!(&decoded.bytes, &text);
            for (at, &offset) in offsets.iter().enumerate() {
                let len = if source.as_bytes()[offset] == b'=' { 3 } else { 1 };
                prop_assert_eq!(decoded.map.sources(at..at + 1), [offset..offset + len]);
            }
        }

        #[test]
        fn every_byte_has_its_source(source in "[A-Za-z0-9+/=:* \\-\r\n\\x00\u{e9}]{0,300}") {
            for decoded in [base64(source.as_bytes(), true), quoted_printable(source.as_bytes(), true)] {
                let mut last = 0;
                for at in 0..decoded.bytes.len() {
                    for range in decoded.map.sources(at..at + 1) {
                        prop_assert!(last <= range.start && range.end <= source.len());
                        last = range.start;
                    }
                }
            }
        }
    }

    fn text_of(source: &str) -> String {
        String::from_utf8_lossy(&base64(source.as_bytes(), true).bytes).into_owned()
    }

    #[test]
    fn quartets_and_padding() {
        // RFC 4648 §10.
        let vectors = [("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmE=", "fooba")];
        for (source, text) in vectors {
            assert_eq!(text_of(source), text);
        }
        assert_eq!(text_of(""), "");
    }

    #[test]
    fn an_incomplete_quartet_yields_its_bytes() {
        assert_eq!(text_of("Zm9vY"), "foo");
        assert_eq!(text_of("Zm9vYm"), "foob");
        assert_eq!(text_of("Zm9vYmE"), "fooba");
    }

    #[test]
    fn junk_costs_itself_only() {
        assert_eq!(text_of("Zm9*vYmFy"), "foobar");
        assert_eq!(text_of("\0Zm\x019vY\u{7F}mFy"), "foobar");
        assert_eq!(text_of("=Zm9v"), "foo");
    }

    #[test]
    fn padding_ends_a_quartet() {
        assert_eq!(text_of("Zm8=Zm8=YmFy"), "fofobar");
        assert_eq!(text_of("Zg==\r\nZm9v"), "ffoo");
    }

    #[test]
    fn a_quartet_may_continue_in_the_next_line() {
        assert_eq!(text_of("Zm9vY\nmFyZm\r\n9vYmF\ny"), "foobarfoobar");
    }

    #[test]
    fn a_lost_character_shifts_its_own_line_only() {
        let text = text_of("Zm9v\nYmF\nZm9v\nYmFy\n");
        assert!(text.starts_with("fooba") && text.ends_with("foobar"), "{text}");
    }

    #[test]
    fn footers_are_text() {
        let footer = "____________________\nTalk mailing list\n\nTalkers\nhttp://lists.h.org/talk\n";
        assert_eq!(text_of(&format!("Zm9v\r\n{footer}")), format!("foo\r\n{footer}"));
        assert_eq!(text_of(&format!("Zm9vCg==\n{footer}")), format!("foo\n{footer}"));
        assert_eq!(
            text_of("Zg==http://h.org/?a=bcde&u=http://i.org\n"),
            "f\nhttp://h.org/?a=bcde&u=http://i.org\n"
        );
    }

    /// The characters that complete a quartet of the line before do not show what a line is.
    #[test]
    fn foreign_bytes_after_an_open_quartet() {
        let text =
            "Dear friends, please see http://h.org/abcdefgh/ijklmnop?qrst for it, and the other.\n".repeat(4);
        let encoded = encode(text.as_bytes(), 4).replace('\n', "");
        for open in 69..72 {
            let (first, rest) = encoded.split_at(open);
            let lines = rest.as_bytes().chunks(70).map(|line| {
                let groups = line.chunks(8).map(|group| str::from_utf8(group).unwrap());
                groups.collect::<Vec<_>>().join("*")
            });
            assert_eq!(
                text_of(&format!("{first}\n{}\n", lines.collect::<Vec<_>>().join("\n"))),
                text,
                "{open}"
            );
        }
    }

    #[test]
    fn groups_are_base64() {
        let encoded = encode(b"one two three http://h.org/a", 4).replace('\n', " ");
        assert_eq!(text_of(&encoded), "one two three http://h.org/a");
        assert_eq!(text_of(&encoded.replace(' ', "\t ")), "one two three http://h.org/a");
        // The last group is as long as the others, and the bytes are too few to show that they are text.
        assert_eq!(text_of("aHR0 cDov L2gu dWs=\n"), "http://h.uk");
        assert_eq!(
            text_of("Zm9v\nTalk mailing list\nhttp://h.org/\n"),
            "foo\nTalk mailing list\nhttp://h.org/\n"
        );
    }

    #[test]
    fn a_link_on_two_lines_is_text() {
        assert_eq!(text_of("<URL:http://h.org/\nabc/def>\n"), "<URL:http://h.org/\nabc/def>\n");
    }

    #[test]
    fn base64_after_text() {
        assert_eq!(text_of("Zm9v\n-- list --\nYmFy\nZg==\n"), "foo\n-- list --\nbarf");
        // One line, with each number of marks of padding; three are not padding.
        for (line, text) in
            [("YmFy", "bar"), ("YmE=", "ba"), ("Yg==", "b"), ("Y===", "Y===\n"), ("YmF", "YmF\n")]
        {
            assert_eq!(text_of(&format!("Zm9v\n-- list --\n{line}\n")), format!("foo\n-- list --\n{text}"));
        }
    }

    #[test]
    fn base64_knows_where_it_came_from() {
        // "see http://h.org/"
        let source = "c2VlIGh0dH\nA6Ly9oLm\r\n9yZy8=\nhttp://i.org\n";
        let decoded = base64(source.as_bytes(), true);
        assert_eq!(decoded.bytes, b"see http://h.org/\nhttp://i.org\n");
        assert_eq!(sources(source, &decoded, "see"), ["c2Vl"]);
        assert_eq!(sources(source, &decoded, "s"), ["c2"]);
        assert_eq!(sources(source, &decoded, "http://h.org/"), ["Gh0dH\nA6Ly9oLm\r\n9yZy8"]);
        assert_eq!(sources(source, &decoded, "http://i.org"), ["http://i.org"]);
    }

    #[test]
    fn characters_around_junk_are_found_again() {
        let source = "Zm9*vYm";
        let decoded = base64(source.as_bytes(), true);
        assert_eq!(sources(source, &decoded, "f"), ["Zm"]);
        assert_eq!(sources(source, &decoded, "oo"), ["m9*v"]);
    }

    /// `text` in base64, in lines of `width` characters.
    fn encode(text: &[u8], width: usize) -> String {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut encoded = String::new();
        for bytes in text.chunks(3) {
            let bits = bytes.iter().fold(0, |bits, &b| bits << 8 | usize::from(b)) << (8 * (3 - bytes.len()));
            for n in 0..4 {
                let sextet = alphabet[bits >> (18 - 6 * n) & 63];
                encoded.push(if n > bytes.len() { '=' } else { char::from(sextet) });
            }
        }
        let lines: Vec<_> =
            encoded.as_bytes().chunks(width).map(|line| str::from_utf8(line).unwrap()).collect();
        lines.join("\n")
    }

    proptest! {
        #[test]
        fn base64_there_and_back(text in prop::collection::vec(any::<u8>(), 0..600), width in 3_usize..90) {
            let source = encode(&text, width);
            let decoded = base64(source.as_bytes(), true);
            prop_assert_eq!(&decoded.bytes, &text);
            let plain: Vec<usize> = (0..source.len()).filter(|&at| source.as_bytes()[at] != b'\n').collect();
            for at in 0..text.len() {
                let first = plain[at / 3 * 4 + at % 3];
                let second = plain[at / 3 * 4 + at % 3 + 1];
                prop_assert_eq!(decoded.map.sources(at..at + 1), [first..second + 1]);
            }
        }
    }

    fn unstuffed(text: &str) -> Option<String> {
        unstuff(text.as_bytes()).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
    }

    #[test]
    fn the_first_of_two_dots_is_removed() {
        assert_eq!(unstuffed("..a\n...\n..\nb..c\n.d\n").as_deref(), Some(".a\n..\n.\nb..c\n.d\n"));
        assert_eq!(unstuffed("a\n.b ..c\n"), None);
    }
}
