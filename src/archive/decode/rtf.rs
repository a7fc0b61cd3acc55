//! RTF (version 1.9.1): the text of the document, and the links in its fields.
//!
//! A document is groups in braces, with control words and text. The text is the text that a reader
//! would see: paragraphs, cells and tabs are line breaks and spaces, `\'hh` is a byte of the code
//! page, and `\uN` a character with a fallback that is skipped. Groups that are not text are
//! skipped: fonts, styles, images, document information, and all that begin with `\*` except
//! fields.
//!
//! A link is a field, `{\field{\*\fldinst HYPERLINK "url"}{\fldrslt text}}`; its content is the
//! result. Nothing is hidden by damage: missing and surplus braces are ignored.
//!
//! The groups that are open are on a stack; nothing is recursive. Groups that are nested deeper
//! than any document has them share their settings.

use std::ops::Range;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1252};

use super::html::{Html, LinkKind, LinkSource, Links, Roles};
use super::office;
use super::transfer::escape;
use crate::archive::source_map::Decoded;

/// Reads a document to its end.
pub(crate) fn read(source: &[u8]) -> Html {
    let mut reader = RtfReader {
        source,
        text: Decoded::default(),
        links: Links::default(),
        instruction: Decoded::default(),
        groups: Vec::new(),
        deeper: 0,
        group: Group { destination: Destination::Text, fallback: 1, optional: false, field: None },
        encoding: WINDOWS_1252,
        bytes: Vec::new(),
        bytes_at: 0..0,
        skip: 0,
        high: None,
    };
    let mut at = 0;
    while let Some((kind, range)) = next_token(source, at) {
        at = range.end + reader.token(kind, range);
    }
    reader.flush();
    while !reader.groups.is_empty() {
        reader.close();
    }
    Html { text: reader.text, links: reader.links, roles: Roles::default(), base: None }
}

/// The number of groups that may be open, of which each has its own state.
const MAX_GROUPS: usize = 10_000;

/// The destination of a group's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Destination {
    Text,
    /// The instruction of a field.
    Instruction,
    Nothing,
}

/// An open group.
#[derive(Clone, Copy, Debug)]
struct Group {
    destination: Destination,
    /// The number of characters that are the fallback of a `\uN`.
    fallback: usize,
    /// True if a `\*` was read, and no word after it.
    optional: bool,
    /// The number of its link, if it is a field that has one.
    field: Option<usize>,
}

struct RtfReader<'s> {
    source: &'s [u8],
    text: Decoded,
    links: Links,
    /// The instruction of the field that is open.
    instruction: Decoded,
    groups: Vec<Group>,
    /// The number of other groups that are open.
    deeper: usize,
    group: Group,
    encoding: &'static Encoding,
    /// Bytes of the code page that are not decoded yet, and their source.
    bytes: Vec<u8>,
    bytes_at: Range<usize>,
    /// The number of characters that are skipped.
    skip: usize,
    /// The first half of a character beyond 16 bits.
    high: Option<u32>,
}

impl RtfReader<'_> {
    /// Reads a token; returns how many bytes after it are skipped.
    fn token(&mut self, kind: RtfToken<'_>, range: Range<usize>) -> usize {
        if !matches!(kind, RtfToken::Byte(_)) {
            self.flush();
        }
        match kind {
            RtfToken::Byte(byte) => self.byte(byte, range),
            RtfToken::Open => self.open(),
            RtfToken::Close => self.close(),
            RtfToken::Text => self.plain(range),
            RtfToken::Sign(sign) => self.sign(sign, range),
            RtfToken::Word(b"bin", Some(len)) => return usize::try_from(len).unwrap_or(0),
            RtfToken::Word(word, number) => self.word(word, number, range),
        }
        0
    }

    fn open(&mut self) {
        self.skip = 0;
        if self.groups.len() >= MAX_GROUPS {
            self.deeper += 1;
            return;
        }
        self.groups.push(self.group);
        self.group = Group { optional: false, field: None, ..self.group };
    }

    fn close(&mut self) {
        self.skip = 0;
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(outer) = self.groups.pop() else { return };
        let inner = std::mem::replace(&mut self.group, outer);
        let instruction = |group: Group| group.destination == Destination::Instruction;
        if instruction(inner)
            && !instruction(outer)
            && let Some(found) = office::instruction(&std::mem::take(&mut self.instruction))
        {
            let kind = if found.is_text { LinkKind::Text } else { LinkKind::Url };
            self.links.begin(self.text.bytes.len());
            self.links.push(&found.url, LinkSource::of(b"", found.role, kind));
        }
        if let Some(link) = inner.field {
            self.links.set_content(link..link + 1, self.text.bytes.len());
        }
    }

    fn word(&mut self, word: &[u8], number: Option<i32>, range: Range<usize>) {
        let optional = std::mem::take(&mut self.group.optional);
        match word {
            b"fldinst" if self.group.destination != Destination::Nothing => {
                self.group.destination = Destination::Instruction;
            }
            b"field" => self.group.field = Some(self.links.elements()),
            _ if SHOWN.contains(&word) => self.group.destination = Destination::Text,
            _ if optional || HIDDEN.contains(&word) => self.group.destination = Destination::Nothing,
            b"uc" => self.group.fallback = number.and_then(|n| usize::try_from(n).ok()).unwrap_or(1),
            b"u" => self.unit(number.unwrap_or(0), range),
            b"ansicpg" => {
                self.encoding = match number.unwrap_or(0) {
                    932 => SHIFT_JIS,
                    936 => GBK,
                    949 => EUC_KR,
                    950 => BIG5,
                    874 => WINDOWS_874,
                    65001 => UTF_8,
                    page => Encoding::for_label(format!("windows-{page}").as_bytes()).unwrap_or(WINDOWS_1252),
                };
            }
            _ if self.skip > 0 => self.skip -= 1,
            _ => match character(word) {
                Some(character) => self.put(character, range),
                None => self.high = None,
            },
        }
    }

    fn sign(&mut self, sign: u8, range: Range<usize>) {
        match sign {
            b'*' => self.group.optional = true,
            _ if self.skip > 0 => self.skip -= 1,
            b'\\' | b'{' | b'}' => self.copy(range.end - 1..range.end),
            b'~' => self.put("\u{A0}", range),
            b'_' => self.put("-", range),
            b'\r' | b'\n' => self.put("\n", range),
            _ => {}
        }
    }

    /// Reads text, of which the fallback of a character is skipped.
    fn plain(&mut self, range: Range<usize>) {
        let skipped = self.skip.min(range.len());
        self.skip -= skipped;
        self.high = self.high.filter(|_| skipped == range.len());
        self.copy(range.start + skipped..range.end);
    }

    /// Reads a unit of UTF-16, as a signed number or not.
    fn unit(&mut self, number: i32, range: Range<usize>) {
        self.skip = self.group.fallback;
        let unit = number as u32 & 0xFFFF;
        let code = match (self.high.take(), unit) {
            (_, 0xD800..=0xDBFF) => return self.high = Some(unit),
            (Some(high), 0xDC00..=0xDFFF) => 0x1_0000 + ((high & 0x3FF) << 10 | (unit & 0x3FF)),
            (_, unit) => unit,
        };
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.put(character.encode_utf8(&mut [0; 4]), range);
    }

    fn byte(&mut self, byte: u8, range: Range<usize>) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        if self.bytes.is_empty() {
            self.bytes_at = range.clone();
        }
        self.bytes.push(byte);
        self.bytes_at.end = range.end;
    }

    /// Decodes the bytes of the code page.
    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            let (text, _) = self.encoding.decode_without_bom_handling(&bytes);
            self.put(&text, self.bytes_at.clone());
        }
    }

    /// Returns the buffer to which text is written.
    fn destination(&mut self) -> Option<&mut Decoded> {
        match self.group.destination {
            Destination::Text => Some(&mut self.text),
            Destination::Instruction => Some(&mut self.instruction),
            Destination::Nothing => None,
        }
    }

    fn put(&mut self, text: &str, range: Range<usize>) {
        if let Some(decoded) = self.destination() {
            decoded.put(text.as_bytes(), range);
        }
    }

    fn copy(&mut self, range: Range<usize>) {
        let source = self.source;
        if let Some(decoded) = self.destination() {
            decoded.copy(source, range);
        }
    }
}

/// The destinations that are not text and do not begin with `\*`.
const HIDDEN: [&[u8]; 8] =
    [b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"listtable", b"revtbl", b"xmlnstbl"];

/// The destinations that are text, even after `\*` or within a destination that is skipped, such as a shape.
const SHOWN: [&[u8]; 3] = [b"footnote", b"annotation", b"shptxt"];

/// The text that a control word means.
fn character(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"par" | b"line" | b"row" | b"sect" | b"page" | b"column" => "\n",
        b"tab" => "\t",
        b"cell" | b"nestcell" | b"emspace" | b"enspace" | b"qmspace" => " ",
        b"emdash" => "\u{2014}",
        b"endash" => "\u{2013}",
        b"lquote" => "\u{2018}",
        b"rquote" => "\u{2019}",
        b"ldblquote" => "\u{201C}",
        b"rdblquote" => "\u{201D}",
        b"bullet" => "\u{2022}",
        _ => return None,
    })
}

// The tokens of RTF.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RtfToken<'s> {
    Open,
    Close,
    /// `\word` and its number.
    Word(&'s [u8], Option<i32>),
    /// `\'hh`: a byte of the charset.
    Byte(u8),
    /// `\*` and other signs.
    Sign(u8),
    /// Bytes without a line break, a brace or a backslash.
    Text,
}

/// The token at `at`, and the range of the source that it takes; `None` at the end. Line ends are between tokens.
fn next_token(source: &[u8], mut at: usize) -> Option<(RtfToken<'_>, Range<usize>)> {
    while let Some(b'\r' | b'\n') = source.get(at) {
        at += 1;
    }
    let (kind, len) = match *source.get(at..)? {
        [] => return None,
        [b'{', ..] => (RtfToken::Open, 1),
        [b'}', ..] => (RtfToken::Close, 1),
        [b'\\', ref rest @ ..] => control(rest),
        ref text => {
            let len = text.iter().position(|b| b"\r\n{}\\".contains(b)).unwrap_or(text.len());
            (RtfToken::Text, len)
        }
    };
    Some((kind, at..at + len))
}

/// The control whose backslash is before `rest`, and its length with it.
fn control(rest: &[u8]) -> (RtfToken<'_>, usize) {
    /// The length of the longest word, and of its number.
    const LONGEST: usize = 32;
    let letters = rest.iter().take(LONGEST).take_while(|b| b.is_ascii_alphabetic()).count();
    if letters > 0 {
        let (word, after) = rest.split_at(letters);
        let sign = usize::from(after.starts_with(b"-"));
        let digits = after[sign..].iter().take(LONGEST).take_while(|b| b.is_ascii_digit()).count();
        let number = if digits > 0 { sign + digits } else { 0 };
        let value = str::from_utf8(&after[..number]).ok().and_then(|number| number.parse().ok());
        // The space after a word is a part of it.
        let space = usize::from(after.get(number) == Some(&b' '));
        return (RtfToken::Word(word, value), 1 + letters + number + space);
    }
    match *rest {
        [b'\'', ..] => escape(rest).map_or((RtfToken::Sign(b'\''), 2), |byte| (RtfToken::Byte(byte), 4)),
        [sign, ..] => (RtfToken::Sign(sign), 2),
        [] => (RtfToken::Text, 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(source: &str) -> String {
        String::from_utf8(read(source.as_bytes()).text.bytes).unwrap()
    }

    /// The links, and the text inside each.
    fn links(source: &str) -> Vec<(String, String)> {
        let rtf = read(source.as_bytes());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        rtf.links.iter().map(|link| (text(link.as_bytes()), text(&rtf.text.bytes[link.content()]))).collect()
    }

    #[test]
    fn text_of_a_document() {
        let head =
            r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\*\generator x;}{\info{\title http://h.org/no}}";
        assert_eq!(
            text(&format!("{head}\\f0\\b one\\b0  two\\par\r\nthree\\tab four\\line}}")),
            "one two\nthree\tfour\n"
        );
        assert_eq!(text(r"a\{b\}\\c\~d\_e\-f"), "a{b}\\c\u{A0}d-ef");
        assert_eq!(text("http://h.\r\norg/"), "http://h.org/");
    }

    /// A word has at most 32 letters, and its number 32 digits. The next one is text.
    #[test]
    fn long_words() {
        for (letters, digits, expected) in
            [(31, 1, "b"), (32, 0, "b"), (33, 0, "a b"), (32, 32, "b"), (1, 32, "b"), (1, 33, "1 b")]
        {
            let word = format!("\\{}{} b", "a".repeat(letters), "1".repeat(digits));
            assert_eq!(text(&word), expected, "{word}");
        }
    }

    #[test]
    fn characters() {
        assert_eq!(text(r"caf\'e9 \emdash "), "caf\u{E9} \u{2014}");
        assert_eq!(text(r"\ansicpg932 \'93\'fa\'96\'7b"), "\u{65E5}\u{672C}");
        assert_eq!(text(r"\u233?t\u233\'e9!\uc2\u8364 xxy"), "\u{E9}t\u{E9}!\u{20AC}y");
        assert_eq!(text(r"\uc0\u-10179\u-8704 z"), "\u{1F600}z");
        assert_eq!(text(r"{\uc3 a}\u97 bc"), "aac");
        // Braces end the fallback of a character.
        assert_eq!(text(r"{\u8212 }http://h.org/x"), "\u{2014}http://h.org/x");
        assert_eq!(text(r"\u8212 {http://h.org/x}y"), "\u{2014}http://h.org/xy");
    }

    /// "Special Characters", "Destinations" and "Character Set" of the specification of RTF.
    #[test]
    fn every_word() {
        for (words, seen) in [
            ("par line row sect page column", "\n"),
            ("tab", "\t"),
            ("cell nestcell emspace enspace qmspace", " "),
            ("emdash", "\u{2014}"),
            ("endash", "\u{2013}"),
            ("lquote", "\u{2018}"),
            ("rquote", "\u{2019}"),
            ("ldblquote", "\u{201C}"),
            ("rdblquote", "\u{201D}"),
            ("bullet", "\u{2022}"),
            ("b plain", ""),
        ] {
            for word in words.split(' ') {
                assert_eq!(text(&format!("a\\{word} b")), format!("a{seen}b"), "{word}");
            }
        }
        for word in "fonttbl colortbl stylesheet info pict listtable revtbl xmlnstbl".split(' ') {
            assert_eq!(text(&format!("a{{\\{word} b{{c}}d}}e")), "ae", "{word}");
        }
        for (number, bytes, seen) in [
            (874, r"\'a1", "\u{E01}"),
            (932, r"\'93\'fa", "\u{65E5}"),
            (936, r"\'c8\'d5", "\u{65E5}"),
            (949, r"\'c7\'d1", "\u{D55C}"),
            (950, r"\'a4\'e9", "\u{65E5}"),
            (1250, r"\'b9", "\u{105}"),
            (1251, r"\'ff", "\u{44F}"),
            (1252, r"\'e9", "\u{E9}"),
            (65001, r"\'c3\'a9", "\u{E9}"),
            (9999, r"\'e9", "\u{E9}"),
        ] {
            assert_eq!(text(&format!("\\ansicpg{number} {bytes}")), seen, "{number}");
        }
    }

    #[test]
    fn fields() {
        let field =
            r#"see {\field{\*\fldinst{HYPERLINK "http://h.org/a?b=1" \\o "title"}}{\fldrslt{\ul here}}} now"#;
        assert_eq!(links(field), [("http://h.org/a?b=1".to_owned(), "here".to_owned())]);
        assert_eq!(text(field), "see here now");
        let other = r#"{\field{\*\fldinst HYPERLINK http://h.org/b }{\fldrslt x}}{\field{\*\fldinst PAGE }{\fldrslt 1}}"#;
        assert_eq!(links(other), [("http://h.org/b".to_owned(), "x".to_owned())]);
        let in_groups = r#"{\field{\*\fldinst {\b HYPERLINK }{\i "http://h.org/c"}}{\fldrslt y}}"#;
        assert_eq!(links(in_groups), [("http://h.org/c".to_owned(), "y".to_owned())]);
        assert_eq!(links(r#"{\field{\*\fldinst HYPERLINK \\l "place"}{\fldrslt x}}"#), []);
        assert_eq!(
            links(r#"{\field{\*\fldinst HYPERLINK \\n "http://h.org/caf\'e9"}}"#)[0].0,
            "http://h.org/caf\u{E9}"
        );
    }

    #[test]
    fn a_link_knows_where_it_came_from() {
        let source = "{\\field{\\*\\fldinst{HYPERLINK \"http://h.\r\norg/\\'7e\"}}{\\fldrslt x}}";
        let rtf = read(source.as_bytes());
        let url = rtf.links.iter().next().unwrap();
        assert_eq!(url.as_bytes(), b"http://h.org/~");
        let (map, range) = url.map(0..14);
        let sources: Vec<&str> = map.sources(range).into_iter().map(|range| &source[range]).collect();
        assert_eq!(sources, ["http://h.", "org/\\'7e"]);
    }

    #[test]
    fn data_is_skipped() {
        assert_eq!(text("a{\\pict\\bin3 }}}b}c"), "ac");
        assert_eq!(text("a{\\*\\unknown b{c}}d}}e"), "ade");
        assert_eq!(text("{\\bin99999999999 a"), "a");
        assert_eq!(text("{\\bin9999 a"), "");
    }

    #[test]
    fn text_in_optional_destinations() {
        assert_eq!(text(r"a{\super\chftn}{\*\footnote\chftn\~\pard {b\par}}c"), "a\u{A0}b\nc");
        assert_eq!(text(r"a{\*\atnauthor x}{\*\annotation {\*\atnref 1}b}c"), "abc");
        assert_eq!(text(r"a{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt \pard b}}}c"), "abc");
        let field = r#"a{\*\footnote {\field{\*\fldinst{HYPERLINK "http://h.org/a"}}{\fldrslt x}}}"#;
        assert_eq!(links(field), [("http://h.org/a".to_owned(), "x".to_owned())]);
    }

    #[test]
    fn a_million_groups() {
        assert_eq!(text(&("{".repeat(1_000_000) + "a")), "a");
        let fields = "{\\field{\\*\\fldinst HYPERLINK x ".repeat(100_000);
        assert_eq!(text(&fields), "");
    }

    proptest! {
        #[test]
        fn every_byte_has_its_source(source in "(\\{|\\}|\\\\(\\*|fldinst |field|u[0-9]{1,5} ?|uc[0-3]|par|'[0-9a-f]{2}|ansicpg932 |bin2 )|HYPERLINK \"|[a-z\" \\r\\n]){0,60}") {
            let rtf = read(source.as_bytes());
            let urls = rtf.links.iter().map(|link| link.decoded());
            for decoded in urls.chain([rtf.text.clone()]) {
                let mut last = 0;
                for at in 0..decoded.bytes.len() {
                    for range in decoded.map.sources(at..at + 1) {
                        prop_assert!(last <= range.start && range.end <= source.len());
                        last = range.start;
                    }
                }
            }
            prop_assert!(rtf.links.iter().all(|link| link.content().end <= rtf.text.bytes.len()));
        }
    }

    #[test]
    fn tokens() {
        let source = b"{\\b1 x\r\ny\\'e9\\u-3 \\~\\'zz}\\";
        let mut at = 0;
        let mut kinds = Vec::new();
        while let Some((kind, range)) = next_token(source, at) {
            at = range.end;
            kinds.push((kind, &source[range]));
        }
        assert_eq!(
            kinds,
            [
                (RtfToken::Open, &b"{"[..]),
                (RtfToken::Word(b"b", Some(1)), b"\\b1 "),
                (RtfToken::Text, b"x"),
                (RtfToken::Text, b"y"),
                (RtfToken::Byte(0xE9), b"\\'e9"),
                (RtfToken::Word(b"u", Some(-3)), b"\\u-3 "),
                (RtfToken::Sign(b'~'), b"\\~"),
                (RtfToken::Sign(b'\''), b"\\'"),
                (RtfToken::Text, b"zz"),
                (RtfToken::Close, b"}"),
                (RtfToken::Text, b"\\"),
            ]
        );
    }
}
