//! Encoded words in header fields (RFC 2047): `=?charset?Q?text?=`, and with `B`
//! for base64.
//!
//! Each word is decoded to UTF-8, so that a subject can be displayed. Whitespace between
//! two consecutive words is removed: it is there because the length of a word is
//! limited. Words are decoded also where RFC 2047 forbids them, inside quotation marks or
//! next to other text, and with any bytes in them up to the first `?=`. All other bytes
//! are copied. Bytes of an unknown charset are windows-1252, unless they are UTF-8.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};

use super::charset;
use super::transfer::{self, escape};
use crate::archive::source_map::Decoded;

/// Returns true if there may be an encoded word in fields of a head: a quick look.
pub(crate) fn may_be_in(fields: &[u8]) -> bool {
    memchr_iter(b'?', fields).any(|at| fields[..at].ends_with(b"="))
}

/// Decodes the value of a header field; `None` if it has no encoded word.
///
/// Line breaks are not unfolded, except those between two words.
pub(crate) fn decode(value: &[u8]) -> Option<Decoded> {
    if !may_be_in(value) {
        return None;
    }
    let mut decoded = Decoded::default();
    let mut run = WordRun::default();
    let mut from = 0;
    for start in memmem::find_iter(value, b"=?") {
        if start < from {
            continue;
        }
        let Some(word) = EncodedWord::parse(value, start) else { continue };
        let between = &value[from..start];
        let is_separate = from == 0 || !between.trim_ascii().is_empty();
        if is_separate || !run.label.eq_ignore_ascii_case(word.label) {
            run.put(&mut decoded);
            run.label = word.label;
        }
        if is_separate {
            decoded.copy(value, from..start);
        }
        let text = &value[word.text.clone()];
        let own = if word.is_base64 { transfer::base64(text, true) } else { q(text) };
        run.bytes.append(own.moved(word.text.start));
        from = word.end;
    }
    run.put(&mut decoded);
    decoded.copy(value, from..value.len());
    (from > 0).then_some(decoded)
}

/// Consecutive words of one charset.
///
/// RFC 2047 §5 forbids to divide a character between two words, and many programs do. So
/// their bytes are joined before the charset is decoded.
#[derive(Default)]
struct WordRun<'v> {
    label: &'v [u8],
    /// The bytes of the words, and their source.
    bytes: Decoded,
}

impl WordRun<'_> {
    /// Appends the text that the words encode, and forgets them.
    fn put(&mut self, decoded: &mut Decoded) {
        let bytes = std::mem::take(&mut self.bytes);
        let Some(unicode) = charset::unicode(&bytes.bytes, self.label) else { return decoded.append(bytes) };
        for (run, text) in unicode.map.runs_in(0..unicode.bytes.len()) {
            let source = run.source_of(text.clone());
            if unicode.bytes[text.clone()] == bytes.bytes[source.clone()] {
                decoded.append_part(&bytes, source);
                continue;
            }
            for at in text {
                let inner = run.source_of(at..at + 1);
                decoded.put(&unicode.bytes[at..at + 1], bytes.map.hull(inner));
            }
        }
    }
}

/// An encoded word.
struct EncodedWord<'v> {
    /// The name of the charset.
    label: &'v [u8],
    /// True for the encoding B, false for Q.
    is_base64: bool,
    text: Range<usize>,
    end: usize,
}

impl<'v> EncodedWord<'v> {
    /// The word that begins at `start`.
    fn parse(value: &'v [u8], start: usize) -> Option<EncodedWord<'v>> {
        let is_in_token = |b: &&u8| b.is_ascii_graphic() && !b"()<>@,;:\"/[]?=".contains(b);
        let end = start + 2 + value[start + 2..].iter().take_while(is_in_token).count();
        // RFC 2231 §5: an asterisk and a language may follow the charset.
        let label = value[start + 2..end].split(|&b| b == b'*').next().unwrap_or_default();
        let [b'?', encoding, b'?', ref rest @ ..] = value[end..] else { return None };
        let is_base64 = match encoding {
            b'Q' | b'q' => false,
            b'B' | b'b' => true,
            _ => return None,
        };
        // The padding of base64 may stand before the end. `None` if another word begins before that.
        let has_equals = |&at: &usize| rest.get(at + 1) == Some(&b'=') || rest[..at].ends_with(b"=");
        let len = memchr_iter(b'?', rest).find(has_equals).filter(|at| rest[at + 1..].starts_with(b"="))?;
        let text = end + 3..end + 3 + len;
        Some(EncodedWord { label, is_base64, end: text.end + 2, text })
    }
}

/// Decodes the encoding Q: quoted-printable, with `_` for a space.
fn q(text: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'='
            && let Some(byte) = escape(&text[at..])
        {
            decoded.put(&[byte], at..at + 3);
            at += 3;
            continue;
        }
        let end = memchr(b'=', &text[at + 1..]).map_or(text.len(), |n| at + 1 + n);
        let start = decoded.bytes.len();
        decoded.copy(text, at..end);
        decoded.bytes[start..].iter_mut().filter(|b| **b == b'_').for_each(|b| *b = b' ');
        at = end;
    }
    decoded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(value: &str) -> Option<String> {
        decode(value.as_bytes()).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
    }

    #[test]
    fn examples_of_rfc_2047() {
        assert_eq!(text("=?US-ASCII?Q?Keith_Moore?= <moore@h.org>").unwrap(), "Keith Moore <moore@h.org>");
        assert_eq!(text("=?ISO-8859-1?Q?Keld_J=F8rn_Simonsen?=").unwrap(), "Keld Jørn Simonsen");
        assert_eq!(text("(=?ISO-8859-1?Q?a?=)").unwrap(), "(a)");
        assert_eq!(text("=?ISO-8859-1?Q?a?= b").unwrap(), "a b");
        assert_eq!(text(" =?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?= c =?ISO-8859-1?Q?d?=").unwrap(), " ab c d");
        assert_eq!(text("\r\n\t=?ISO-8859-1?Q?a?=\r\n").unwrap(), "\r\n\ta\r\n");
        assert_eq!(text("=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=").unwrap(), "ab");
        assert_eq!(text("=?ISO-8859-1?Q?a?=\r\n =?ISO-8859-1?Q?b?=").unwrap(), "ab");
        assert_eq!(text("=?ISO-8859-1?Q?a_b?=").unwrap(), "a b");
        assert_eq!(
            text("=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=\n    =?ISO-8859-2?B?dSB1bmRlcnN0YW5kIHRoZSBleGFtcGxlLg==?=").unwrap(),
            "If you can read this you understand the example."
        );
    }

    #[test]
    fn charsets() {
        assert_eq!(text("=?utf-8?q?caf=C3=A9?=").unwrap(), "café");
        assert_eq!(text("=?UTF-8?B?5pel?=").unwrap(), "日");
        assert_eq!(text("=?iso-2022-jp?B?GyRCRnwbKEI=?=").unwrap(), "日");
        assert_eq!(text("=?koi8-r?B?zcnS?=").unwrap(), "мир");
        assert_eq!(text("=?us-ascii*en-us?q?h?=").unwrap(), "h");
        assert_eq!(text("=?x-unknown?q?=E9?=").unwrap(), "é");
        // Characters that take the same number of bytes in UTF-8.
        assert_eq!(text("=?shift_jis?Q?=84=89?= =?gbk?q?=A8=A6?=").unwrap(), "чé");
        assert_eq!(text("=?euc-jp?Q?http://h.org/=8F=B0=A1?=").unwrap(), "http://h.org/丂");
        assert_eq!(text("=?iso-2022-jp?B?aHR0cDovL2gub3JnLxskQidYGyhCeA==?=").unwrap(), "http://h.org/жx");
        assert_eq!(text("=?utf-16be?Q?=00/=00=FC?=").unwrap(), "/ü");
    }

    /// Each character of a word in base64 is found in those characters that encode it, wherever it begins.
    #[test]
    fn base64_is_mapped_byte_by_byte() {
        // "xxxxxxxxxx http://müller.de/"
        let value = b"=?iso-8859-1?B?eHh4eHh4eHh4eCBodHRwOi8vbfxsbGVyLmRlLw==?=";
        let decoded = decode(value).unwrap();
        assert_eq!(decoded.bytes, "xxxxxxxxxx http://müller.de/".as_bytes());
        let source = |range| decoded.map.hull(range);
        let text = |range: Range<usize>| std::str::from_utf8(&value[source(range)]).unwrap();
        assert_eq!([text(10..11), text(11..12), text(12..13), text(11..15)], ["CB", "Bo", "dH", "BodHRw"]);
        assert_eq!([text(18..19), text(19..21), text(21..22)], ["bf", "fx", "xs"]);
    }

    #[test]
    fn no_words() {
        for value in
            ["", "plain", "a =? b", "=?utf-8?Q?never closed", "=?utf-8?X?a?=", "=?utf-8?Q", "=??=", "=?="]
        {
            assert_eq!(text(value), None, "{value}");
        }
    }

    #[test]
    fn damage_is_copied() {
        assert_eq!(text("=?utf-8?Q?broken =?utf-8?Q?whole?=").unwrap(), "=?utf-8?Q?broken whole");
        assert_eq!(text("=?utf-8?Q?a=ZZ=3?=").unwrap(), "a=ZZ=3");
        assert_eq!(text("x=?utf-8?Q?a b?=y").unwrap(), "xa by");
        assert_eq!(text("=?utf-8?Q?What??=").unwrap(), "What?");
        assert_eq!(text("=?utf-8?Q??= a").unwrap(), " a");
        // The `=` that ends one word begins no other.
        assert_eq!(text("=?utf-8?Q?a?=?utf-8?Q?b?=").unwrap(), "a?utf-8?Q?b?=");
        // A word that ends inside a character.
        assert_eq!(text("=?utf-8?Q?a=C3?= b =?utf-8?Q?=A9b?=").unwrap(), "a\u{FFFD} b \u{FFFD}b");
    }

    #[test]
    fn a_character_in_two_words() {
        assert_eq!(text("=?utf-8?Q?a=C3?= =?UTF-8?B?qWI=?=").unwrap(), "a\u{E9}b");
        assert_eq!(text("=?big5?Q?=A4?=\n =?big5*zh?Q?=A4?=").unwrap(), "\u{4E2D}");
        assert_eq!(text("=?utf-8?Q?a=C3?= =?latin1?Q?=E9?=").unwrap(), "a\u{FFFD}\u{E9}");
        let value = "=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=";
        let sources = decode(value.as_bytes()).unwrap().map.sources(0..2);
        assert_eq!(sources, [10..13, 26..29]);
    }

    #[test]
    fn words_know_where_they_came_from() {
        let value = "see =?utf-8?Q?=E6=97=A5_http=3A//h?= =?utf-8?B?Lm9yZy8=?= now";
        let decoded = decode(value.as_bytes()).unwrap();
        assert_eq!(String::from_utf8_lossy(&decoded.bytes), "see 日 http://h.org/ now");
        let sources = |from, to| -> Vec<&str> {
            decoded.map.sources(from..to).into_iter().map(|range| &value[range]).collect()
        };
        assert_eq!(sources(4, 7), ["=E6=97=A5"]);
        assert_eq!(sources(8, 21), ["http=3A//h", "Lm9yZy8"]);
        assert_eq!(sources(21, 25), [" now"]);
    }

    #[test]
    fn words_of_a_charset_know_where_they_came_from() {
        // An escape, 日, an escape, a letter.
        let value = "=?iso-2022-jp?Q?=1B$BF=7C=1B(Ba?=";
        let decoded = decode(value.as_bytes()).unwrap();
        assert_eq!(String::from_utf8_lossy(&decoded.bytes), "日a");
        assert_eq!(&value[decoded.map.sources(0..3)[0].clone()], "F=7C");
        assert_eq!(&value[decoded.map.sources(3..4)[0].clone()], "a");
    }

    proptest! {
        #[test]
        fn any_value_becomes_text_that_came_from_it(value in "(=\\?(utf-8|iso-2022-jp|gb2312|big5)\\?[QqBb]\\?|\\?=|[ -~]|=[0-9A-F]{2}){0,60}") {
            if let Some(decoded) = decode(value.as_bytes()) {
                let mut last = 0;
                for at in 0..decoded.bytes.len() {
                    for source in decoded.map.sources(at..at + 1) {
                        prop_assert!(last <= source.start && source.end <= value.len());
                        last = source.start;
                    }
                }
            }
        }

        #[test]
        fn there_and_back(text in "[a-z/:日é]{1,20}") {
            let value: String = text.bytes().map(|b| format!("={b:02X}")).collect();
            let value = format!("=?UTF-8?Q?{value}?=");
            let decoded = decode(value.as_bytes()).unwrap();
            prop_assert_eq!(&decoded.bytes, text.as_bytes());
            for at in 0..text.len() {
                prop_assert_eq!(decoded.map.sources(at..at + 1), [10 + 3 * at..13 + 3 * at]);
            }
        }
    }
}
