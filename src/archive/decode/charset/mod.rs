//! Charsets: text is decoded to UTF-8 where that may change a URL.
//!
//! A URL is nearly always ASCII, and in most charsets an ASCII byte is always that character: in
//! UTF-8, in ISO 8859, in the EUC family, and most likely in an unknown one. Such text is searched
//! verbatim, unless a word that may be a URL contains other bytes: its charset then decides how
//! `http://müller.de/` is read. Without a charset, or with a wrong one, valid UTF-8 is read as
//! UTF-8, and other text as windows-1252, as in browsers. These charsets are always decoded:
//!
//! - UTF-16 and UTF-32 ([`wide`]) and UTF-7;
//! - the ISO 2022 family and HZ ([`iso2022`]), which switch by escapes to characters of
//!   two bytes, each of which is a byte of ASCII;
//! - Shift JIS, Big5, GBK, GB 18030 and the Korean code page, in which the last
//!   byte of a character may be a letter or a `|`. These are decoded only if the
//!   text has such a character; most text does not. Text that is valid UTF-8 is
//!   never decoded as one of them, regardless of its label.
//!
//! Decoding never fails: a character that is not valid becomes U+FFFD, and the text after it is
//! decoded. A non-ASCII byte in a charset of seven bits is copied.

mod iso2022;
pub(crate) mod wide;

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, GBK, REPLACEMENT, SHIFT_JIS, UTF_8, WINDOWS_1252};
use memchr::memchr_iter;

use super::transfer::sextet;
use crate::archive::source_map::Decoded;
use crate::simd;
use wide::{CodeUnit, Order};

/// Decodes text to UTF-8; `None` if it can be searched verbatim: all its ASCII bytes are ASCII, and
/// words that may be URLs contain no others, or the text is UTF-8.
///
/// `label` is the name of the charset (case-insensitive). Text in an unknown charset is UTF-8 or
/// windows-1252.
pub(crate) fn decode(bytes: &[u8], label: &[u8]) -> Option<Decoded> {
    Charset::of(label).decode_to_search(bytes)
}

/// Decodes a file in another one like [`decode`]. Without a label, it is searched verbatim like any file: each of its
/// lines shows its charset.
pub(crate) fn decode_file(bytes: &[u8], label: &[u8]) -> Option<Decoded> {
    if label.is_empty() { None } else { decode(bytes, label) }
}

/// Decodes text to UTF-8 for display; `None` if it is ASCII or UTF-8. If its charset is unknown, it is
/// windows-1252.
pub(crate) fn unicode(bytes: &[u8], label: &[u8]) -> Option<Decoded> {
    Charset::of(label).decode(bytes)
}

/// Returns true if a header contains a byte that may make [`decode_field`] change a field: not
/// ASCII, an escape (ISO-2022), or a tilde (HZ).
pub(crate) fn may_be_in_field(head: &[u8]) -> bool {
    // Without an early return, the compiler reads many bytes at once.
    head.chunks(4096).any(|part| part.iter().fold(false, |any, &b| any | (b >= 0x7E) | (b == 0x1B)))
}

/// Decodes a header field that should be ASCII but is not; `None` if it can be searched verbatim.
/// `label` is the charset of the body and of the field, unless a field cannot have it.
pub(crate) fn decode_field(bytes: &[u8], label: &[u8]) -> Option<Decoded> {
    Charset::of_field(label).decode_to_search(bytes)
}

/// Decodes such a field to UTF-8 for display; `None` if it is ASCII or UTF-8.
///
/// A field that is not UTF-8, and whose charset is not known, is most likely in windows-1252.
pub(crate) fn unicode_field(bytes: &[u8], label: &[u8]) -> Option<Decoded> {
    Charset::of_field(label).decode(bytes)
}

/// The charset that an HTML file or XML declares, by a byte order mark or in its first kilobyte;
/// empty if it declares none.
pub(crate) fn declared(bytes: &[u8]) -> &[u8] {
    if bytes.starts_with(b"\xFE\xFF") || bytes.starts_with(b"\xFF\xFE") {
        return b"utf-16";
    }
    // "The element containing the character encoding declaration must be
    // serialized completely within the first 1024 bytes of the document."
    let start = &bytes[..bytes.len().min(1024)];
    let word: &[u8] = if start.starts_with(b"<?xml") { b"encoding" } else { b"charset" };
    let follows_word = |&at: &usize| {
        at.checked_sub(word.len()).is_some_and(|from| start[from..at].eq_ignore_ascii_case(word))
    };
    let Some(at) = memchr::memchr_iter(b'=', start).find(follows_word) else { return b"" };
    let name = start[at + 1..].trim_ascii_start();
    let name = name.strip_prefix(b"\"").or_else(|| name.strip_prefix(b"'")).unwrap_or(name);
    let end = name.iter().position(|b| !b.is_ascii_alphanumeric() && !b"-_:.".contains(b));
    &name[..end.unwrap_or(name.len())]
}

/// A known charset.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Charset {
    Wide(CodeUnit, Option<Order>),
    Utf7,
    Iso2022,
    Hz,
    /// ASCII, and characters that begin with a byte from 0x80 on.
    Superset(&'static Encoding),
    /// UTF-8, or windows-1252 where the bytes are not UTF-8.
    #[default]
    Unknown,
}

impl Charset {
    /// The charset of a text with this label that was not decoded to be searched.
    pub(crate) fn of_text<'b>(bytes: &'b [u8], label: impl FnOnce() -> &'b [u8]) -> Self {
        let is_unicode = simd::is_ascii(bytes) || str::from_utf8(bytes).is_ok();
        if is_unicode { Charset::Unknown } else { Charset::of(label()) }
    }

    /// Returns true if bytes that are valid UTF-8 are UTF-8 in such a text.
    pub(crate) fn has_utf8(self) -> bool {
        !matches!(self, Charset::Superset(encoding) if encoding != UTF_8)
    }

    /// The characters of a part of such a text, in UTF-8.
    pub(crate) fn characters(self, part: &[u8]) -> Cow<'_, [u8]> {
        match self {
            _ if part.is_ascii() => Cow::Borrowed(part),
            // Decode the part by the charset, even if it happens to be valid UTF-8.
            Charset::Superset(encoding) if encoding != UTF_8 => {
                Cow::Owned(encoding.decode_without_bom_handling(part).0.into_owned().into_bytes())
            }
            _ => by_chunk(part).map_or(Cow::Borrowed(part), |decoded| Cow::Owned(decoded.bytes)),
        }
    }

    /// The charset of this name.
    fn of(label: &[u8]) -> Self {
        match &*label.trim_ascii().to_ascii_lowercase() {
            b"utf-16" | b"utf16" | b"unicode" | b"ucs-2" | b"iso-10646-ucs-2" => {
                Charset::Wide(CodeUnit::Two, None)
            }
            b"utf-16be" | b"unicodefffe" => Charset::Wide(CodeUnit::Two, Some(Order::Big)),
            b"utf-16le" | b"unicodefeff" | b"csunicode" => Charset::Wide(CodeUnit::Two, Some(Order::Little)),
            b"utf-32" | b"utf32" | b"ucs-4" | b"iso-10646-ucs-4" => Charset::Wide(CodeUnit::Four, None),
            b"utf-32be" => Charset::Wide(CodeUnit::Four, Some(Order::Big)),
            b"utf-32le" => Charset::Wide(CodeUnit::Four, Some(Order::Little)),
            b"utf-7" | b"utf7" | b"unicode-1-1-utf-7" | b"x-unicode-1-1-utf-7" | b"unicode-2-0-utf-7" => {
                Charset::Utf7
            }
            b"hz" | b"hz-gb-2312" => Charset::Hz,
            [b'i', b's', b'o', b'-', b'2', b'0', b'2', b'2', ..]
            | [b'c', b's', b'i', b's', b'o', b'2', b'0', b'2', b'2', ..] => Charset::Iso2022,
            b"cp932" => Charset::Superset(SHIFT_JIS),
            b"cp936" => Charset::Superset(GBK),
            b"cp949" | b"uhc" => Charset::Superset(EUC_KR),
            b"cp950" | b"chinesebig5" => Charset::Superset(BIG5),
            label => match Encoding::for_label(label) {
                Some(known) if known != REPLACEMENT => Charset::Superset(known),
                _ => Charset::Unknown,
            },
        }
    }

    /// The charset of this name, if the lines of a head can be in it.
    fn of_field(label: &[u8]) -> Self {
        match Charset::of(label) {
            Charset::Wide(..) | Charset::Utf7 => Charset::Unknown,
            charset => charset,
        }
    }

    /// `None` if its ASCII bytes are ASCII characters.
    fn decode_to_search(self, bytes: &[u8]) -> Option<Decoded> {
        match self {
            Charset::Superset(encoding) if misleads(bytes, encoding) => Some(by_character(bytes, encoding)),
            Charset::Superset(_) | Charset::Unknown if is_verbatim(bytes) => None,
            // The label is wrong.
            Charset::Superset(encoding) if encoding == UTF_8 => by_chunk(bytes),
            charset => charset.decode(bytes),
        }
    }

    fn decode(self, bytes: &[u8]) -> Option<Decoded> {
        match self {
            Charset::Wide(unit, order) => wide::decode(bytes, unit, order),
            Charset::Utf7 => decode_utf7(bytes),
            Charset::Iso2022 => iso2022::iso_2022(bytes),
            Charset::Hz => iso2022::hz(bytes),
            Charset::Superset(encoding) => {
                let unicode = str::from_utf8(bytes).is_ok();
                (!unicode).then(|| by_character(bytes, encoding))
            }
            Charset::Unknown => by_chunk(bytes),
        }
    }
}

/// Returns true if text whose charset is a superset of ASCII can be searched verbatim: it is UTF-8,
/// or no URL in it has non-ASCII bytes.
pub(crate) fn is_verbatim(bytes: &[u8]) -> bool {
    simd::is_ascii(bytes) || str::from_utf8(bytes).is_ok() || !has_wide_url(bytes)
}

/// Returns true if a byte that is not ASCII may be in a URL: after a colon or the equals sign of an
/// attribute in a word, or around an `@`.
fn has_wide_url(bytes: &[u8]) -> bool {
    let is_blank = |b: &u8| b.is_ascii_whitespace() || b"<>\"".contains(b);
    let is_mark = |b: &u8| b":=@".contains(b);
    let mut from = 0;
    while let Some(at) = first_wide(&bytes[from..]).map(|n| from + n) {
        let start = bytes[from..at].iter().rposition(is_blank).map_or(from, |n| from + n + 1);
        let end = bytes[at..].iter().position(is_blank).map_or(bytes.len(), |n| at + n);
        // Skip quotation marks, because `href="müller.de"` has its `=` before them.
        let opener = bytes[..start].iter().rfind(|b| !b"\"'".contains(b));
        let (before, after) = (&bytes[start..at], &bytes[at..end]);
        let mark = after.iter().position(is_mark).unwrap_or(after.len());
        if opener.is_some_and(is_mark)
            || before.iter().any(is_mark)
            || after.contains(&b'@')
            || !after[mark..].is_ascii()
        {
            return true;
        }
        from = end;
    }
    false
}

/// The first byte that is not ASCII.
fn first_wide(bytes: &[u8]) -> Option<usize> {
    let ascii = bytes.chunks(64).take_while(|part| part.is_ascii()).map(<[u8]>::len).sum();
    bytes[ascii..].iter().position(|b| !b.is_ascii()).map(|n| ascii + n)
}

/// Decodes invalid UTF-8 as windows-1252; `None` if the text is valid.
fn by_chunk(bytes: &[u8]) -> Option<Decoded> {
    if str::from_utf8(bytes).is_ok() {
        return None;
    }
    let mut decoded = Decoded::default();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        decoded.copy(bytes, at..at + chunk.valid().len());
        at += chunk.valid().len();
        for byte in chunk.invalid() {
            put_character(&mut decoded, WINDOWS_1252, &[*byte], at..at + 1);
            at += 1;
        }
    }
    Some(decoded)
}

/// Returns true if a non-ASCII character in `bytes` contains an ASCII byte.
fn misleads(bytes: &[u8], encoding: &'static Encoding) -> bool {
    if ![SHIFT_JIS, BIG5, GBK, GB18030, EUC_KR].contains(&encoding) || str::from_utf8(bytes).is_ok() {
        return false;
    }
    let leads = |b: u8| b > 0x80 && (encoding != SHIFT_JIS || !matches!(b, 0xA0..=0xDF));
    let mut rest = bytes.iter();
    while let Some(&b) = rest.next() {
        if leads(b) && rest.next().is_some_and(|trail| matches!(trail, 0x30..=0x7E)) {
            return true;
        }
    }
    false
}

/// Decodes text of a superset of ASCII.
fn by_character(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut decoded = Decoded::default();
    let mut start = 0;
    while start < bytes.len() {
        let plain = Encoding::ascii_valid_up_to(&bytes[start..]);
        decoded.copy(bytes, start..start + plain);
        start += plain;
        let mut end = start;
        while end < bytes.len() {
            // One byte completes at most one character and the replacement of those before it, a few bytes of UTF-8.
            let mut text = [0; 32];
            let last = end + 1 == bytes.len();
            let (.., written, _) = decoder.decode_to_utf8(&bytes[end..=end], &mut text, last);
            end += 1;
            if written > 0 {
                put(&mut decoded, bytes, start..end, &text[..written]);
                break;
            }
        }
        start = end;
    }
    decoded
}

/// Appends the `text` that `range` encodes. If `range` is not a character, its last byte
/// may still be one.
fn put(decoded: &mut Decoded, bytes: &[u8], range: Range<usize>, text: &[u8]) {
    let last = range.end - 1;
    match text.split_last() {
        Some((&b, before)) if !before.is_empty() && b == bytes[last] && b.is_ascii() => {
            decoded.put(before, range.start..last);
            decoded.copy(bytes, last..range.end);
        }
        _ => decoded.put(text, range),
    }
}

/// Appends the character that the bytes `character` encode in `encoding`.
fn put_character(decoded: &mut Decoded, encoding: &'static Encoding, character: &[u8], source: Range<usize>) {
    let mut text = [0; 32];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (.., written, _) = decoder.decode_to_utf8(character, &mut text, true);
    decoded.put(&text[..written], source);
}

// UTF-7 (RFC 2152): `+`, UTF-16 in base64, and a `-` or any other byte that is not
// base64.
//
// A `+` that is not followed by whole characters is copied, because text with this label also
// contains `?q=a+b`.

/// Decodes UTF-7; `None` if nothing in it is encoded.
fn decode_utf7(bytes: &[u8]) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    let mut from = 0;
    let mut seen = 0;
    for plus in memchr_iter(b'+', bytes) {
        // A plus is also a base64 character.
        if plus < seen {
            continue;
        }
        let len = bytes[plus + 1..].iter().take_while(|&&b| sextet(b).is_some()).count();
        let minus = bytes.get(plus + 1 + len) == Some(&b'-');
        let text = match len {
            0 if minus => Some("+".to_owned()),
            _ => characters(&bytes[plus + 1..plus + 1 + len]),
        };
        let end = plus + 1 + len + usize::from(minus);
        seen = end;
        if let Some(text) = text {
            decoded.copy(bytes, from..plus);
            decoded.put(text.as_bytes(), plus..end);
            from = end;
        }
    }
    decoded.copy(bytes, from..bytes.len());
    (from > 0).then_some(decoded)
}

/// The characters that a run of base64 encodes: at least one, and no bits left over
/// except a few zeros.
fn characters(run: &[u8]) -> Option<String> {
    let mut units = Vec::new();
    let mut bits = 0_u32;
    let mut held = 0;
    for sextet in run.iter().filter_map(|&b| sextet(b)) {
        bits = bits << 6 | u32::from(sextet);
        held += 6;
        if held >= 16 {
            held -= 16;
            units.push((bits >> held) as u16);
            bits &= (1 << held) - 1;
        }
    }
    let whole = !units.is_empty() && held < 6 && bits == 0;
    whole.then(|| String::from_utf16(&units).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(bytes: &[u8], label: &str) -> Option<String> {
        decode(bytes, label.as_bytes()).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
    }

    #[test]
    fn supersets_of_ascii_are_searched_verbatim() {
        for label in ["us-ascii", "UTF-8", "iso-8859-1", "Windows-1251", "koi8-r", "euc-jp", "x-unknown", ""]
        {
            assert_eq!(text(b"caf\xE9 http://h.org/ +AH4- ~{", label), None, "{label}");
        }
    }

    #[test]
    fn words_that_may_be_urls_with_bytes_beyond_ascii() {
        let words: [&[u8]; 9] = [
            b"http://m\xFCller.de/",
            b"see <http://h.org/\xFC>",
            b"caf\xE9 a:\xE9",
            b"\xE9:\xE9",
            b"m\xFCller@h.org",
            b"a@m\xFCller.de",
            b"\xE9\" href=\"\xE9",
            b"href='\xE9'",
            b"href=\"'\xE9",
        ];
        for word in words {
            let text = [&b"caf\xE9 a "[..], word, b" b"].concat();
            assert!(has_wide_url(word) && has_wide_url(&text), "{:?}", text.escape_ascii().to_string());
        }
        let others: [&[u8]; 6] =
            [b"", b"http://h.org/ \xFC", b"\xFC:a", b"caf\xE9=\n\xE9", b"\"\xE9\" a=b", b"<a@h.org>\xE9"];
        for word in others {
            assert!(!has_wide_url(word), "{:?}", word.escape_ascii().to_string());
        }
        let far = [&vec![b'a'; 1000][..], b"\xE9@h.org"].concat();
        assert!((0..1000).all(|n| has_wide_url(&far[n..])));
    }

    #[test]
    fn labels_in_any_case() {
        let japanese = b"\x1B$B$G\x1B(B";
        for label in ["iso-2022-jp", "ISO-2022-JP-2", "csISO2022JP", " iso-2022-jp "] {
            assert_eq!(text(japanese, label).as_deref(), Some("で"), "{label}");
        }
        assert_eq!(text(b"a+AH4-b", "UTF-7").as_deref(), Some("a~b"));
        assert_eq!(text(b"~{VP~}", "HZ-GB-2312").as_deref(), Some("中"));
        assert_eq!(text(b"\0a", "utf-16BE").as_deref(), Some("a"));
    }

    #[test]
    fn a_last_byte_of_ascii() {
        // 表 in Shift JIS ends in a backslash, and so does 功 in Big5.
        assert_eq!(text(b"\x95\x5Chttp://h.org/", "shift_jis").as_deref(), Some("表http://h.org/"));
        assert_eq!(text(b"\xA5\x5Chttp://h.org/", "big5").as_deref(), Some("功http://h.org/"));
        // 丄 in GBK, 갂 in the Korean code page, a GB 18030 character with digits.
        assert_eq!(text(b"\x81\x8F \x81\x41", "gbk").as_deref(), Some("亸 丄"));
        assert_eq!(text(b"\x81\x41\xB0\xA1", "ks_c_5601-1987").as_deref(), Some("갂가"));
        assert_eq!(text(b"\x81\x30\x89\x38-", "gb18030").as_deref(), Some("ß-"));
    }

    /// The labels that the Encoding Standard lacks.
    #[test]
    fn other_labels() {
        for (labels, bytes, expected) in [
            ("utf-16 utf16 unicode ucs-2 iso-10646-ucs-2", &b"\xFE\xFF\0a"[..], "a"),
            ("utf-16be unicodefffe", b"\0a", "a"),
            ("utf-16le unicodefeff csunicode", b"a\0", "a"),
            ("utf-32 utf32 ucs-4 iso-10646-ucs-4 utf-32be", b"\0\0\0a", "a"),
            ("utf-32le", b"a\0\0\0", "a"),
            ("utf-7 utf7 unicode-1-1-utf-7 x-unicode-1-1-utf-7 unicode-2-0-utf-7", b"a+AH4-b", "a~b"),
            ("hz hz-gb-2312", b"~{VP~}", "中"),
            ("iso-2022-jp csiso2022jp", b"\x1B$B$G\x1B(B", "で"),
            ("cp932", b"http://h.org/\x95\x5C", "http://h.org/表"),
            ("cp936", b"http://h.org/\x81\x41", "http://h.org/丄"),
            ("cp949 uhc", b"http://h.org/\x81\x41", "http://h.org/갂"),
            ("cp950 chinesebig5", b"http://h.org/\xA5\x5C", "http://h.org/功"),
        ] {
            for label in labels.split(' ') {
                assert_eq!(text(bytes, label).as_deref(), Some(expected), "{label}");
            }
        }
    }

    #[test]
    fn text_without_such_a_character_is_searched_verbatim() {
        assert_eq!(text(b"\xB0\xA1http://h.org/ \xB0\xA1", "gb2312"), None);
        // Half-width katakana are one byte each.
        assert_eq!(text(b"\xB1http://h.org/", "shift_jis"), None);
        assert_eq!(text("é|http://h.org/".as_bytes(), "big5"), None);
        assert_eq!(text(b"http://h.org/", "big5"), None);
    }

    #[test]
    fn a_url_beyond_ascii_is_what_its_charset_says() {
        for (bytes, label, expected) in [
            (&b"http://m\xFCller.de/"[..], "iso-8859-1", "http://müller.de/"),
            (b"http://h.org/\xF0\xD5", "koi8-r", "http://h.org/Пу"),
            (b"http://h.org/\xB0\xA1 ", "gb2312", "http://h.org/啊 "),
            (b"<a href='\xFC'>", "latin1", "<a href='ü'>"),
            (b"J\xFCrgen@h.org", "iso-8859-15", "Jürgen@h.org"),
            (b"http://h.org/\xA4", "iso-8859-15", "http://h.org/€"),
        ] {
            assert_eq!(text(bytes, label).as_deref(), Some(expected), "{label}");
        }
    }

    #[test]
    fn without_a_charset_or_with_a_wrong_one() {
        for label in ["", "x-unknown", "utf-8", "us-ascii"] {
            assert_eq!(text(b"http://m\xFCller.de/", label).as_deref(), Some("http://müller.de/"), "{label}");
            assert_eq!(text("http://müller.de/".as_bytes(), label), None, "{label}");
        }
        let mixed = [b"http://m\xFCller.de/ ", "http://h.org/ü".as_bytes()].concat();
        assert_eq!(text(&mixed, "utf-8").as_deref(), Some("http://müller.de/ http://h.org/ü"));
    }

    #[test]
    fn a_character_that_is_not_valid_costs_itself_only() {
        assert_eq!(
            text(b"\x95\x5C \x81<http://h.org>\x81", "shift_jis").as_deref(),
            Some("表 \u{FFFD}<http://h.org>\u{FFFD}")
        );
    }

    #[test]
    fn characters_know_where_they_came_from() {
        let bytes = b"\x95\x5C\x95\x5Ca\x81<";
        let decoded = decode(bytes, b"shift_jis").unwrap();
        assert_eq!(String::from_utf8_lossy(&decoded.bytes), "表表a\u{FFFD}<");
        assert_eq!(decoded.map.sources(0..3), [0..2]);
        assert_eq!(decoded.map.sources(3..6), [2..4]);
        assert_eq!(decoded.map.sources(6..7), [4..5]);
        assert_eq!(decoded.map.sources(7..10), [5..6]);
        assert_eq!(decoded.map.sources(10..11), [6..7]);
    }

    #[test]
    fn known_charsets_can_be_displayed() {
        let displayed = |bytes, label: &str| {
            unicode(bytes, label.as_bytes()).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
        };
        assert_eq!(displayed(b"caf\xE9", "iso-8859-1").as_deref(), Some("café"));
        assert_eq!(displayed(b"\xC6\xFC", "euc-jp").as_deref(), Some("日"));
        assert_eq!(displayed("é".as_bytes(), "utf-8"), None);
        assert_eq!(displayed(b"\xE9", "utf-8").as_deref(), Some("\u{FFFD}"));
        assert_eq!(displayed(b"\xE9", "x-unknown").as_deref(), Some("é"));
    }

    #[test]
    fn fields_that_should_be_ascii() {
        let displayed = |bytes, label: &str| {
            unicode_field(bytes, label.as_bytes()).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
        };
        assert_eq!(displayed(b"caf\xE9", "iso-8859-1").as_deref(), Some("café"));
        assert_eq!(displayed(b"caf\xE9", "").as_deref(), Some("café"));
        assert_eq!(displayed(b"\xCD\xC9\xD2", "koi8-r").as_deref(), Some("мир"));
        assert_eq!(displayed("é".as_bytes(), "koi8-r"), None);
        assert_eq!(displayed(b"abcd", "utf-16"), None);
        assert_eq!(decode_field(b"abcd", b"utf-16").map(|decoded| decoded.bytes), None);
        let japanese = decode_field(b"\x1B$BF|\x1B(B http://h.org/", b"iso-2022-jp").unwrap();
        assert_eq!(String::from_utf8(japanese.bytes).unwrap(), "日 http://h.org/");
    }

    proptest! {
        #[test]
        fn any_bytes_become_text_that_came_from_them(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\x1B$B(J~{}+-\x0E\x0F\n\0A".as_slice())], 0..200),
            label in prop::sample::select(vec!["shift_jis", "big5", "gb18030", "euc-kr", "utf-16", "utf-32le", "utf-7", "iso-2022-jp", "hz", "iso-8859-1", "utf-8"]),
        ) {
            for decoded in [decode(&bytes, label.as_bytes()), unicode(&bytes, label.as_bytes())].into_iter().flatten() {
                let mut last = 0;
                for at in 0..decoded.bytes.len() {
                    let sources = decoded.map.sources(at..at + 1);
                    prop_assert_eq!(sources.len(), 1);
                    prop_assert!(last <= sources[0].start && sources[0].end <= bytes.len());
                    last = sources[0].start;
                }
            }
        }

        #[test]
        fn double_bytes_there_and_back(text in "[ -~]{0,9}(表[ -~]{0,9}){1,9}") {
            let (bytes, ..) = SHIFT_JIS.encode(&text);
            let decoded = decode(&bytes, b"shift_jis").unwrap();
            prop_assert_eq!(String::from_utf8(decoded.bytes).unwrap(), text.as_str());
            let mut at = 0;
            for (offset, c) in text.char_indices() {
                let len = if c.is_ascii() { 1 } else { 2 };
                prop_assert_eq!(decoded.map.sources(offset..offset + c.len_utf8()), [at..at + len]);
                at += len;
            }
        }
    }

    fn utf7_text(source: &str) -> Option<String> {
        decode_utf7(source.as_bytes()).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
    }

    #[test]
    fn the_examples_of_the_rfc() {
        assert_eq!(utf7_text("A+ImIDkQ.").as_deref(), Some("A\u{2262}\u{391}."));
        assert_eq!(utf7_text("Hi Mom -+Jjo--!").as_deref(), Some("Hi Mom -\u{263A}-!"));
        assert_eq!(utf7_text("+ZeVnLIqe-").as_deref(), Some("日本語"));
        assert_eq!(utf7_text("Item 3 is +AKM-1.").as_deref(), Some("Item 3 is £1."));
    }

    #[test]
    fn a_plus() {
        assert_eq!(utf7_text("http://h.org/?q=a+-b").as_deref(), Some("http://h.org/?q=a+b"));
    }

    #[test]
    fn other_plus_signs_are_copied() {
        assert_eq!(utf7_text("http://h.org/?q=a+b"), None);
        assert_eq!(utf7_text("1 + 1 +"), None);
        assert_eq!(utf7_text("a +AH4 b +AH- c +AH5- d").as_deref(), Some("a ~ b +AH- c +AH5- d"));
        // An unpaired surrogate.
        assert_eq!(utf7_text("+2D0-"), None);
    }

    #[test]
    fn a_shift_knows_where_it_came_from() {
        let decoded = decode_utf7(b"h.org/+AH4-a").unwrap();
        assert_eq!(decoded.bytes, b"h.org/~a");
        assert_eq!(decoded.map.sources(6..7), [6..11]);
        assert_eq!(decoded.map.sources(7..8), [11..12]);
    }

    #[test]
    fn declared_charsets() {
        for (text, name) in [
            ("<meta charset=utf-8>", "utf-8"),
            ("<META CHARSET=\"Big5\">", "Big5"),
            ("<meta name=x content='a; charset= koi8-r'>", "koi8-r"),
            ("<?xml version='1.0' encoding='iso-8859-1'?>", "iso-8859-1"),
            ("<?xml version='1.0' ENCODING=\"x.y_z:1\"?>", "x.y_z:1"),
            ("\u{feff}<?xml encoding='a' charset='b'?>", "b"),
            ("<?xml version='1.0' charset='a'?>", ""),
            ("<meta encoding=utf-8 name=x>", ""),
            ("<meta charset>", ""),
            ("=charset", ""),
            ("", ""),
        ] {
            assert_eq!(declared(text.as_bytes()), name.as_bytes(), "{text}");
        }
        assert_eq!(
            [declared(b"\xFE\xFFx"), declared(b"\xFF\xFEx"), declared(b"\xFEx")],
            [&b"utf-16"[..], b"utf-16", b""]
        );
    }

    /// Only the first kilobyte may declare it.
    #[test]
    fn where_a_charset_is_declared() {
        let text = |blanks: usize| format!("{}<meta charset=big5>", " ".repeat(blanks));
        let mark = "<meta charset=big5".len();
        assert_eq!(declared(text(1024 - mark).as_bytes()), b"big5");
        assert_eq!(declared(text(1025 - mark).as_bytes()), b"big");
        assert_eq!(declared(text(1024).as_bytes()), b"");
    }

    #[test]
    fn bytes_of_fields_that_are_not_ascii() {
        for (byte, expected) in [
            (b'a', false),
            (b'}', false),
            (b'\n', false),
            (0x1A, false),
            (0x1B, true),
            (0x1C, false),
            (b'~', true),
            (0x7F, true),
            (0x80, true),
            (0xFF, true),
        ] {
            for before in [0, 4095, 4096, 9000] {
                let head = [&vec![b' '; before][..], &[byte], b"a"].concat();
                assert_eq!(may_be_in_field(&head), expected, "{byte:x} {before}");
            }
        }
        assert!(!may_be_in_field(b""));
    }
}
