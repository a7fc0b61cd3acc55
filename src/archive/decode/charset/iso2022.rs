//! Charsets of seven bits that switch by escapes: the ISO 2022 family (RFC 1468,
//! RFC 1554, RFC 1557, RFC 1922) and HZ (RFC 1843).
//!
//! All labels of ISO 2022 are decoded in the same way, regardless of their country. Escapes
//! designate up to four sets of characters; the first is in use until a shift to another. A
//! character of two bytes is one of the EUC charset of its country without the high bits, and is
//! looked up there.
//!
//! The RFCs require ASCII at the end of each line. So a line break restores it, and a lost
//! escape spoils its own line only.

use encoding_rs::{EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_7, SHIFT_JIS, WINDOWS_1252};
use memchr::{memchr, memchr_iter, memchr3};

use super::put_character;
use crate::archive::source_map::Decoded;

const ESC: u8 = 0x1B;
/// Shift out selects the second set, shift in the first.
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

/// A set of characters that an escape designates.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    Ascii,
    /// One byte: with the high bit, a character of the encoding.
    One(&'static Encoding),
    /// Two bytes: with the high bits, a character of the encoding.
    Two(&'static Encoding),
    /// JIS X 0212, of two bytes: EUC-JP has a third byte before them.
    Supplement,
    /// An unknown set of two bytes.
    Unknown,
}

impl Set {
    /// The set of two bytes with this final byte in its escape.
    fn of_two(last: u8) -> Self {
        match last {
            // JIS C 6226, JIS X 0208, and JIS X 0213, which includes them.
            b'@' | b'B' | b'O' | b'Q' => Set::Two(EUC_JP),
            b'D' => Set::Supplement,
            b'A' => Set::Two(GBK),
            b'C' => Set::Two(EUC_KR),
            _ => Set::Unknown,
        }
    }

    /// The length of a character, in bytes.
    fn width(self) -> usize {
        if matches!(self, Set::Ascii | Set::One(_)) { 1 } else { 2 }
    }

    /// Decodes the character at `at` of `bytes`, which begins with a graphic byte; returns
    /// its length.
    fn put(self, decoded: &mut Decoded, bytes: &[u8], at: usize) -> usize {
        let width = self.width();
        let character = bytes.get(at..at + width).filter(|character| character.iter().all(is_graphic));
        let Some(character) = character else {
            decoded.put("\u{FFFD}".as_bytes(), at..at + 1);
            return 1;
        };
        let source = at..at + width;
        match (self, character) {
            (Set::Ascii, _) => decoded.copy(bytes, source),
            (Set::One(encoding), &[a]) => put_character(decoded, encoding, &[a | 0x80], source),
            (Set::Two(encoding), &[a, b]) => put_character(decoded, encoding, &[a | 0x80, b | 0x80], source),
            (Set::Supplement, &[a, b]) => put_character(decoded, EUC_JP, &[0x8F, a | 0x80, b | 0x80], source),
            _ => decoded.put("\u{FFFD}".as_bytes(), source),
        }
        width
    }
}

/// Returns true if `b` may be part of a character of two bytes.
fn is_graphic(b: &u8) -> bool {
    matches!(b, 0x21..=0x7E)
}

/// The sets in use.
struct Sets {
    sets: [Set; 4],
    /// The set that is in use: the first or the second.
    shift: usize,
}

impl Sets {
    fn current(&self) -> Set {
        self.sets[self.shift]
    }

    /// Applies the escape or shift at `at`, and decodes the character that belongs to it;
    /// returns where the text continues. A byte that is neither is copied.
    fn switch(&mut self, decoded: &mut Decoded, bytes: &[u8], at: usize) -> usize {
        let of_one = |last| if last == b'I' { Set::One(SHIFT_JIS) } else { Set::Ascii };
        let number = |b: u8| b"()*+".iter().position(|&mark| mark == b);
        // From now on, the register of this number (G0 to G3) contains this set.
        let designated = match bytes[at..] {
            [ESC, b'$', last @ (b'@' | b'A' | b'B'), ..] => Some((Some(0), Set::of_two(last), 3)),
            [ESC, b'$', mark, last, ..] if is_graphic(&last) => Some((number(mark), Set::of_two(last), 4)),
            [ESC, b'.', b'A', ..] => Some((Some(2), Set::One(WINDOWS_1252), 3)),
            [ESC, b'.', b'F', ..] => Some((Some(2), Set::One(ISO_8859_7), 3)),
            // The next character is in the set of G2 or G3.
            [ESC, single @ (b'N' | b'O'), ..] => {
                let (at, set) = (at + 2, self.sets[if single == b'N' { 2 } else { 3 }]);
                return if bytes.get(at).is_some_and(is_graphic) {
                    at + set.put(decoded, bytes, at)
                } else {
                    at
                };
            }
            // The edition of a set; ignored.
            [ESC, b'&', b'@', ..] => return at + 3,
            [ESC, mark, last, ..] if is_graphic(&last) => Some((number(mark), of_one(last), 3)),
            _ => None,
        };
        match designated {
            Some((Some(number), set, len)) => {
                self.sets[number] = set;
                return at + len;
            }
            _ if bytes[at] != ESC && self.sets[1] != Set::Ascii => self.shift = usize::from(bytes[at] == SO),
            _ => decoded.copy(bytes, at..at + 1),
        }
        at + 1
    }
}

/// Decodes text of the ISO 2022 family; `None` if it has no escape.
pub(super) fn iso_2022(bytes: &[u8]) -> Option<Decoded> {
    memchr(ESC, bytes)?;
    let mut decoded = Decoded::default();
    let mut sets = Sets { sets: [Set::Ascii; 4], shift: 0 };
    let mut at = 0;
    while at < bytes.len() {
        if sets.current() == Set::Ascii {
            let end = memchr3(ESC, SO, SI, &bytes[at..]).map_or(bytes.len(), |len| at + len);
            decoded.copy(bytes, at..end);
            at = end;
        }
        match bytes.get(at) {
            None => break,
            Some(&(ESC | SO | SI)) => at = sets.switch(&mut decoded, bytes, at),
            Some(b) if is_graphic(b) => at += sets.current().put(&mut decoded, bytes, at),
            Some(&b) => {
                if b == b'\n' || b == b'\r' {
                    (sets.sets[0], sets.shift) = (Set::Ascii, 0);
                }
                decoded.copy(bytes, at..at + 1);
                at += 1;
            }
        }
    }
    Some(decoded)
}

/// Decodes HZ; `None` if nothing in it is encoded.
///
/// A `~` at the end of a line is removed with the line break. One before bytes that
/// RFC 1843 does not name is copied, as in `/~user`.
pub(super) fn hz(bytes: &[u8]) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    let mut from = 0;
    for tilde in memchr_iter(b'~', bytes) {
        if tilde < from {
            continue;
        }
        let end = match bytes[tilde + 1..] {
            [b'{', ..] => tilde + 2,
            [b'~' | b'\n', ..] => tilde + 2,
            [b'\r', b'\n', ..] => tilde + 3,
            _ => continue,
        };
        decoded.copy(bytes, from..tilde);
        from = match bytes[tilde + 1] {
            b'{' => gb(&mut decoded, bytes, end),
            b'~' => {
                decoded.put(b"~", tilde..end);
                end
            }
            _ => end,
        };
    }
    decoded.copy(bytes, from..bytes.len());
    (from > 0).then_some(decoded)
}

/// Decodes characters of GB 2312 from `at` on; returns where ASCII begins again: at
/// a line break, or after `~}`.
fn gb(decoded: &mut Decoded, bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes[at..] {
            [b'~', b'}', ..] => return at + 2,
            [] | [b'\n' | b'\r', ..] => return at,
            [b, ..] if is_graphic(&b) => at += Set::Two(GBK).put(decoded, bytes, at),
            _ => {
                decoded.copy(bytes, at..at + 1);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(bytes: &[u8]) -> String {
        String::from_utf8(iso_2022(bytes).unwrap().bytes).unwrap()
    }

    fn hz_text(bytes: &[u8]) -> Option<String> {
        hz(bytes).map(|decoded| String::from_utf8(decoded.bytes).unwrap())
    }

    #[test]
    fn japanese_around_a_wrapper() {
        let text = b"\x1B$BNc$O\x1B(B<URL:http://h.org/jp/\n  doc.html>\x1B$B$G$9!#\x1B(Bhttp://h.org/ \x1B$B$r\x1B(J\n";
        assert_eq!(iso(text), "例は<URL:http://h.org/jp/\n  doc.html>です。http://h.org/ を\n");
    }

    #[test]
    fn the_other_sets_of_japanese() {
        assert_eq!(iso(b"\x1B(I1\x1B(B1"), "ｱ1");
        assert_eq!(iso(b"\x1B$(D0!\x1B(B"), "丂");
        assert_eq!(iso(b"\x1B$@F|\x1B&@\x1B$BF|"), "日日");
        // Greek and Latin by single shifts.
        assert_eq!(iso(b"\x1B.Aca\x66\x1BNi \x1B.F\x1BNa"), "café α");
        assert_eq!(iso(b"\x1B$AVP\x1B$(C0!"), "中가");
    }

    #[test]
    fn korean_and_chinese() {
        assert_eq!(iso(b"\x1B$)C\n\x0E0!\x0Fhttp://h.org/\x0E0!\x0F"), "\n가http://h.org/가");
        assert_eq!(iso(b"\x1B$)A\x0EVP\x0Fa\x1B$*H\x1BN!!b"), "中a\u{FFFD}b");
    }

    #[test]
    fn a_line_end_restores_ascii() {
        assert_eq!(iso(b"\x1B$BF|\r\nhttp://h.org/"), "日\r\nhttp://h.org/");
        assert_eq!(iso(b"\x1B$)C\x0E0!\nhttp://h.org/\n\x0E0!"), "가\nhttp://h.org/\n가");
    }

    #[test]
    fn damage_costs_itself_only() {
        assert_eq!(iso(b"\x1B$BF|F\x1B(Bhttp://h.org/"), "日\u{FFFD}http://h.org/");
        assert_eq!(iso_2022(b"\x1B$BF \x80F|").unwrap().bytes, b"\xEF\xBF\xBD \x80\xE6\x97\xA5");
        assert_eq!(iso(b"\x1B[1mbold\x1B"), "\x1B[1mbold\x1B");
        assert_eq!(iso(b"a\x0Eb\x0Fc\x1B(B"), "a\x0Eb\x0Fc");
    }

    #[test]
    fn text_without_escapes() {
        assert!(iso_2022(b"http://h.org/ \x0E").is_none());
        assert_eq!(hz_text(b"http://h.org/~a/"), None);
    }

    #[test]
    fn hz_as_in_the_rfc() {
        assert_eq!(
            hz_text(b"in ASCII. ~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.").as_deref(),
            Some("in ASCII. 己所不欲，勿施於人。Bye.")
        );
        assert_eq!(hz_text(b"http://h.org/~~a/~\nb ~\r\nc").as_deref(), Some("http://h.org/~a/b c"));
    }

    #[test]
    fn hz_that_is_damaged() {
        assert_eq!(hz_text(b"~{VP\nhttp://h.org/").as_deref(), Some("中\nhttp://h.org/"));
        assert_eq!(hz_text(b"~{V ~}~}").as_deref(), Some("\u{FFFD} ~}"));
        assert_eq!(hz_text(b"~{VP").as_deref(), Some("中"));
    }

    #[test]
    fn characters_know_where_they_came_from() {
        let decoded = iso_2022(b"\x1B$BF|F|\x1B(Ba").unwrap();
        assert_eq!(decoded.map.sources(0..3), [3..5]);
        assert_eq!(decoded.map.sources(0..6), [3..7]);
        assert_eq!(decoded.map.sources(6..7), [10..11]);
        let decoded = hz(b"a~{VP~}b~~").unwrap();
        assert_eq!(decoded.bytes, "a中b~".as_bytes());
        assert_eq!(decoded.map.sources(1..4), [3..5]);
        assert_eq!(decoded.map.sources(4..6), [7..10]);
    }
}
