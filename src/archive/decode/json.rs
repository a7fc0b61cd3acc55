//! The JSON strings (RFC 8259 §7), each of which is a separate text.
//!
//! Only strings contain URLs, because the rest of JSON is brackets, commas, numbers and three
//! words. So values are not parsed: the bytes are split into strings, regardless of their nesting.
//! A string is decoded only if it may contain a URL. The decoded strings, with a line break after
//! each, are the text that is searched, string by string.
//!
//! A line feed is never part of a string, because strings write it as `\n`. So damage ends with its
//! line: if bytes are neither a string nor allowed between two strings, the rest of the line is a
//! text that is read verbatim. A string that does not end in its line is read verbatim as well.
//! Comments, other lines between JSON lines, and the end of a truncated file are read in the same
//! way.
//!
//! An invalid escape stays verbatim, as does half of a surrogate pair.
//!
//! Bodies in mail from Gmail's API and binary answers in HAR are in base64: see [`bodies`].

use std::cell::LazyCell;
use std::hint::black_box;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr3, memmem, memrchr};

use super::html::{self, Links, Markup, Wanted};
use super::transfer;
use crate::archive::source_map::Decoded;
use crate::bytes::class::{AT, BREAK, COLON, DOT, OTHER, PAREN, QUOTE};
use crate::bytes::large;
use crate::simd::{Backend, ClassMembers, Kernel, Simd, WIDTH, Word};

/// The searched parts of JSON.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    /// Strings and damaged lines, with a line break after each.
    pub(crate) decoded: Decoded,
    /// The offsets of these line breaks in the decoded text, in order.
    pub(crate) ends: Vec<usize>,
    /// The links of strings that are HTML, the strings that may be messages, and whether there may be [bodies].
    pub(crate) markup: Markup,
    /// True if a `<` was escaped in a string that was not read as a page.
    escapes_brackets: bool,
    /// The positions of [programs], if they were requested.
    programs: Option<Vec<Range<usize>>>,
}

/// The strings and the damaged lines that may contain a URL. A string that contains HTML is read as
/// HTML.
pub(crate) fn strings(source: &[u8], wanted: Wanted) -> Strings {
    let read = |escapes_brackets| Simd::detect().run(JsonSource { source, wanted, escapes_brackets });
    let strings = read(false);
    // Read the source again as HTML only if it escapes `<`: some programs escape every bracket, and most escape none.
    if strings.escapes_brackets { read(true) } else { strings }
}

/// The keys of bodies, and the other signs that a string is a body.
const KEYS: [&[u8]; 3] = [b"data", b"raw", b"base64"];

/// The keys of the message bodies part and of a whole message.
const BODIES: [&[u8]; 2] = [b"\"data\"", b"\"raw\""];

/// The key of an answer's body in HAR, which is in base64 if the key before or after it is
/// [`ENCODING`].
const TEXT: &[u8] = b"\"text\"";
const ENCODING: &[u8] = b"\"encoding\"";
const BASE64: &[u8] = b"\"base64\"";

/// The bodies of messages in Gmail's API and of answers in HAR: base64 strings (RFC 4648 §4, §5),
/// in order. They may or may not be text.
pub(crate) fn bodies(source: &[u8]) -> Vec<Range<usize>> {
    let of_key = |key: &'static [u8]| {
        memmem::find_iter(source, key).filter_map(move |at| string_of_key(source, at + key.len()))
    };
    let mut bodies: Vec<_> = BODIES.into_iter().flat_map(of_key).collect();
    bodies.extend(memmem::find_iter(source, BASE64).filter_map(|at| string_beside(source, at)));
    bodies.sort_unstable_by_key(|body| body.start);
    bodies
}

/// The beginnings of these fields, without the first letter, which may be in lower case.
const TRACE: [&[u8]; 2] = [b"eceived: ", b"essage-I"];

/// The text of a string.
pub(crate) fn string(source: &[u8], offsets: bool) -> Decoded {
    let mut text = Decoded::of(source, offsets);
    let (from, _) = decode(source, 0..source.len(), &mut text);
    text.copy(source, from..source.len());
    text
}

/// Decodes such a body.
pub(crate) fn body(source: &[u8], offsets: bool) -> Decoded {
    let usual = |&b: &u8| match b {
        b'-' => b'+',
        b'_' => b'/',
        b => b,
    };
    transfer::base64(&source.iter().map(usual).collect::<Vec<_>>(), offsets)
}

/// The string after a key that ends at `at`, if it is in base64 without a line break.
fn string_of_key(source: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = source[at..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"\"")?;
    let start = source.len() - rest.len();
    let is_base64 = |b: &u8| b.is_ascii_alphanumeric() || b"-_+/=".contains(b);
    let len = rest.iter().position(|b| !is_base64(b))?;
    (len > 0 && rest[len] == b'"').then_some(start..start + len)
}

/// The string of [`TEXT`] after or before the member of an object whose value, [`BASE64`], is at `at`.
fn string_beside(source: &[u8], at: usize) -> Option<Range<usize>> {
    let after = source[at + BASE64.len()..].trim_ascii_start();
    let next =
        after.strip_prefix(b",").map(<[u8]>::trim_ascii_start).and_then(|next| next.strip_prefix(TEXT));
    let before = before_value(&source[..at], ENCODING)?;
    if let Some(next) = next {
        return string_of_key(source, source.len() - next.len());
    }
    let text = before.trim_ascii_end().strip_suffix(b",")?.trim_ascii_end().strip_suffix(b"\"")?;
    let start = memrchr(b'"', text)?;
    let key = before_value(&source[..start], TEXT)?.len() + TEXT.len();
    string_of_key(source, key)
}

/// Returns the text before a member of an object with this key, whose value is after `before`.
fn before_value<'s>(before: &'s [u8], key: &[u8]) -> Option<&'s [u8]> {
    let key_end = before.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    key_end.strip_suffix(key)
}

/// Returns true if the line that ends at `end` contains `"text"` or `"encoding"` of a HAR answer, so that a chunk must
/// not end between the two: see [`bodies`].
pub(crate) fn separates_pair(source: &[u8], end: usize) -> bool {
    let start = memrchr(b'\n', &source[..end - 1]).map_or(0, |n| n + 1);
    let line = source[start..end].trim_ascii();
    line.starts_with(TEXT) || line.starts_with(ENCODING)
}

/// Returns the offset at which the last string ends, with its quotation mark.
pub(crate) fn last_string_end(source: &[u8]) -> Option<usize> {
    let mut end = None;
    each_token(source, &mut |token| {
        if let JsonToken::String { range, .. } = token {
            end = Some(range.end + 1);
        }
    });
    end
}

/// The keys of the text of programs: in source maps, and in the cells of notebooks.
const PROGRAMS: [&[u8]; 2] = [b"\"sourcesContent\"", b"\"source\""];

/// Returns the positions of the values of [`PROGRAMS`], in order: strings, or arrays of strings up
/// to the end of the line.
fn programs(source: &[u8]) -> Vec<Range<usize>> {
    let after = |bytes: &[u8], mark: u8| {
        let rest = bytes.trim_ascii_start();
        (rest.first() == Some(&mark)).then(|| source.len() - rest.len() + 1)
    };
    let value = |at: usize| {
        let mut end = after(&source[at..], b':')?;
        let is_array = after(&source[end..], b'[');
        end = is_array.unwrap_or(end);
        let start = end;
        while let Some(open) = after(&source[end..], b'"').filter(|&open| !source[end..open].contains(&b'\n'))
        {
            end = string_end(source, open)?;
            end = after(&source[end..], b',').filter(|_| is_array.is_some()).unwrap_or(end);
        }
        Some(start..end)
    };
    let of_key =
        |key: &'static [u8]| memmem::find_iter(source, key).filter_map(move |at| value(at + key.len()));
    let mut programs: Vec<_> = PROGRAMS.into_iter().flat_map(of_key).collect();
    programs.sort_unstable_by_key(|program| program.start);
    programs
}

/// Returns the end of a string from its first byte `at`: after its quotation mark. A string ends in its line.
pub(super) fn string_end(source: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr3(b'"', b'\\', b'\n', source.get(at..)?)?;
        match source[at] {
            b'"' => return Some(at + 1),
            b'\n' => return None,
            _ => at += 2,
        }
    }
}

/// A source, and the content of the pages in it.
struct JsonSource<'s> {
    source: &'s [u8],
    wanted: Wanted,
    escapes_brackets: bool,
}

impl Kernel for JsonSource<'_> {
    type Output = Strings;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Strings {
        let JsonSource { source, wanted, escapes_brackets } = self;
        let mut strings = Strings {
            decoded: Decoded::of(source, wanted.offsets).with_room(source.len()),
            markup: Markup { links: Links::of(source, wanted.offsets), ..Markup::default() },
            ..Strings::default()
        };
        // The next `<`: most strings contain none.
        let mut bracket = 0;
        for token in Tokens::new(backend, source) {
            match token {
                JsonToken::String { range, content: StringContent::Plain } => {
                    strings.markup.may_have_bodies |= KEYS.contains(&&source[range]);
                }
                JsonToken::String { range, content } => {
                    let string = &source[range.clone()];
                    if content == StringContent::Escapes && may_be_message(string) {
                        strings.markup.messages.push(range.clone());
                    }
                    if bracket < range.start {
                        bracket =
                            memchr(b'<', &source[range.start..]).map_or(source.len(), |n| range.start + n);
                    }
                    let has_tag = || bracket < range.end && html::has_common_tag(&source[bracket..range.end]);
                    let may_be_page = escapes_brackets || has_tag();
                    if !may_be_page || !strings.add_page(source, &range, wanted) {
                        strings.add(source, range, content);
                    }
                }
                JsonToken::Damaged(range) => strings.end(source, range),
            }
        }
        strings
    }
}

/// Calls `each` with the tokens of a source. Code that is not called for each string of a JSON file can use
/// this slower but smaller form: the loop is compiled once.
pub(super) fn each_token(source: &[u8], each: &mut dyn FnMut(JsonToken)) {
    Simd::detect().run(EachToken(source, each));
}

struct EachToken<'s, 'e>(&'s [u8], &'e mut dyn FnMut(JsonToken));

impl Kernel for EachToken<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        Tokens::new(backend, self.0).for_each(self.1);
    }
}

impl Strings {
    /// Adds the decoded string at `range`, if it may contain a URL.
    #[inline(always)]
    pub(super) fn add(&mut self, source: &[u8], range: Range<usize>, content: StringContent) {
        match content {
            StringContent::Plain | StringContent::Text => {}
            StringContent::Anchors => self.end(source, range),
            StringContent::Escapes => {
                let (from, has_bracket) = decode(source, range.clone(), &mut self.decoded);
                self.escapes_brackets |= has_bracket;
                self.end(source, from..range.end);
            }
        }
    }

    /// Adds the string at `range` if it is [HTML](html::is_fragment) and not a program, and returns
    /// whether it is.
    #[cold]
    fn add_page(&mut self, source: &[u8], range: &Range<usize>, wanted: Wanted) -> bool {
        let document = string(&source[range.clone()], wanted.offsets).moved(range.start);
        if !html::is_fragment(&document.bytes) || self.is_program(source, range.start) {
            return false;
        }
        let Markup { links, roles, .. } = &mut self.markup;
        html::read_within(&document, wanted, (&mut self.decoded, links, roles));
        self.end(source, range.end..range.end);
        true
    }

    /// Returns true if the string at `start` is the text of a program.
    fn is_program(&mut self, source: &[u8], start: usize) -> bool {
        let programs = self.programs.get_or_insert_with(|| programs(source));
        let next = programs.partition_point(|program| program.end <= start);
        programs.get(next).is_some_and(|program| program.start <= start)
    }

    /// Adds the last bytes of a text, or all of them, and the line break after it. The end of the
    /// text in the source maps to this line break, so that the map needs only one run.
    pub(super) fn end(&mut self, source: &[u8], range: Range<usize>) {
        let Range { start, end } = range;
        self.decoded.copy(source, start..source.len().min(end + 1));
        match self.decoded.bytes.last_mut() {
            Some(last) if end < source.len() => *last = b'\n',
            _ => self.decoded.put(b"\n", end..end),
        }
        large::prepare(&mut self.ends, 1);
        self.ends.push(self.decoded.bytes.len() - 1);
    }
}

/// Returns true if the second line of a string is a header field, and the string contains a field of a sent message.
/// The first line may be a separator.
fn may_be_message(string: &[u8]) -> bool {
    let is_rest = |line: &&[u8]| matches!(line, [b' ', ..] | [b'\\', b't', ..]);
    let mut lines = memchr_iter(b'\\', string).filter_map(|n| string[n..].strip_prefix(b"\\n"));
    lines.find(|line| !is_rest(line)).is_some_and(|line| {
        let name = line.iter().take_while(|&&b| b.is_ascii_alphanumeric() || b == b'-').count();
        name > 1 && line[name..].starts_with(b":")
    }) && TRACE.iter().any(|field| memmem::find(string, field).is_some())
}

/// Adds the string at `range` up to the bytes after its last escape; returns where these begin, and whether a `<` was
/// escaped.
fn decode(source: &[u8], range: Range<usize>, decoded: &mut Decoded) -> (usize, bool) {
    Simd::detect().run(EscapedString { source, range, decoded })
}

/// A string with escapes, and the text that it is added to.
struct EscapedString<'s, 'd> {
    source: &'s [u8],
    range: Range<usize>,
    decoded: &'d mut Decoded,
}

impl Kernel for EscapedString<'_, '_> {
    type Output = (usize, bool);

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> (usize, bool) {
        let EscapedString { source, range, decoded } = self;
        let (mut from, mut at) = (range.start, range.start);
        let mut has_bracket = false;
        let are_bytes = LazyCell::new(|| escapes_are_bytes(&source[range.clone()]));
        let mut marks = Marks::new(backend, source, range.start);
        // The compiler does not inline the closures of adapters.
        while let Some(mark) = marks.next()
            && mark < range.end
        {
            if mark < at || source[mark] != b'\\' {
                continue;
            }
            let (len, meaning) = escape(&source[mark..range.end]);
            at = mark + len;
            match meaning {
                EscapeMeaning::Next => {
                    decoded.copy(source, from..mark);
                    from = mark + 1;
                }
                EscapeMeaning::Character('\u{80}'..='\u{FF}') if *are_bytes => {
                    decoded.copy(source, from..mark);
                    let bytes = byte_escapes(&source[mark..range.end]);
                    at = mark + ESCAPE_LEN * bytes.len();
                    for (n, byte) in bytes.into_iter().enumerate() {
                        decoded.put(&[byte], mark + ESCAPE_LEN * n..mark + ESCAPE_LEN * (n + 1));
                    }
                    from = at;
                }
                EscapeMeaning::Byte(byte) => {
                    decoded.copy(source, from..mark);
                    decoded.put(&[byte], mark..at);
                    from = at;
                }
                EscapeMeaning::Character(character) => {
                    has_bracket |= character == '<';
                    decoded.copy(source, from..mark);
                    decoded.put(character.encode_utf8(&mut [0; 4]).as_bytes(), mark..at);
                    from = at;
                }
                EscapeMeaning::None => {}
            }
        }
        (from, has_bracket)
    }
}

/// Returns true if the escapes of a string are bytes of UTF-8 instead of characters, as in Facebook
/// exports: all of them are UTF-8, and the string contains no other non-ASCII character.
fn escapes_are_bytes(string: &[u8]) -> bool {
    let mut at = 0;
    while let Some(mark) = memchr(b'\\', &string[at..]).map(|n| at + n) {
        let bytes = byte_escapes(&string[mark..]);
        at = mark + ESCAPE_LEN * bytes.len();
        if bytes.is_empty() {
            let (len, meaning) = escape(&string[mark..]);
            at = mark + len;
            if matches!(meaning, EscapeMeaning::Character(character) if !character.is_ascii()) {
                return false;
            }
        } else if str::from_utf8(&bytes).is_err() {
            return false;
        }
    }
    string.is_ascii()
}

/// The numbers of the escapes at the beginning of `bytes` that are non-ASCII bytes.
fn byte_escapes(bytes: &[u8]) -> Vec<u8> {
    let number = |escape: &[u8]| code_unit(escape).and_then(|unit| u8::try_from(unit).ok());
    let numbers = bytes.chunks_exact(ESCAPE_LEN).map_while(number);
    numbers.take_while(|byte| !byte.is_ascii()).collect()
}

/// The string at `range`.
pub(super) fn decoded(source: &[u8], range: Range<usize>) -> Decoded {
    string(&source[range.clone()], true).moved(range.start)
}

/// The meaning of a backslash.
enum EscapeMeaning {
    /// The character after it.
    Next,
    /// A control character, nearly always a line break.
    Byte(u8),
    /// A character that all bytes of the escape encode.
    Character(char),
    /// None: this is not an escape.
    None,
}

/// The length and the meaning of the escape at the beginning of `bytes`.
#[inline(always)]
fn escape(bytes: &[u8]) -> (usize, EscapeMeaning) {
    let byte = match bytes.get(1) {
        Some(b'"' | b'\\' | b'/') => return (2, EscapeMeaning::Next),
        Some(b'b') => 0x8,
        Some(b'f') => 0xC,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'u') => {
            return code_point(bytes)
                .map_or((2, EscapeMeaning::None), |(len, c)| (len, EscapeMeaning::Character(c)));
        }
        _ => return (1, EscapeMeaning::None),
    };
    (2, EscapeMeaning::Byte(byte))
}

/// The length of one or two escapes with a number, and their character; `None` if they encode none.
#[inline(never)]
fn code_point(bytes: &[u8]) -> Option<(usize, char)> {
    let first = code_unit(bytes)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((ESCAPE_LEN, character));
    }
    let second = code_unit(&bytes[ESCAPE_LEN..])?;
    let character = char::decode_utf16([first, second]).next()?.ok()?;
    Some((2 * ESCAPE_LEN, character))
}

/// The length of an escape with a number.
const ESCAPE_LEN: usize = "\\u0026".len();

/// The number in such an escape.
fn code_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.get(..ESCAPE_LEN)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}

/// A JSON token; the bytes between tokens may be outside of strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JsonToken {
    /// The text between two quotation marks.
    String { range: Range<usize>, content: StringContent },
    /// The rest of a damaged line, from the last string before the damage, without the line feed.
    Damaged(Range<usize>),
}

/// The content of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringContent {
    /// No backslash, and no byte at which the [scan](crate::scan) begins to read a URL.
    Plain,
    /// Backslashes, but no such byte, escaped or not.
    Text,
    /// Bytes at which the scan begins to read a URL, but no backslash.
    Anchors,
    /// Backslashes, and possibly such bytes.
    Escapes,
}

/// The bytes at which something may begin or end: strings, escapes, lines. A few others are among them.
const TOKEN_BYTES: ClassMembers = ClassMembers::of(QUOTE.or(OTHER).or(BREAK));

/// The bytes at which the [scan](crate::scan) begins to read a URL. The others are among [`TOKEN_BYTES`].
const ANCHORS: ClassMembers = ClassMembers::of(COLON.or(DOT).or(AT).or(PAREN));

/// The offsets of the bytes of [`TOKEN_BYTES`], in order.
struct Marks<'s, B> {
    backend: B,
    source: &'s [u8],
    /// The offset of the next word, and the remaining [`TOKEN_BYTES`] of the word before it.
    next: usize,
    left: u64,
    /// The [`ANCHORS`] of that word, and the offset after the last one before it.
    anchors: u64,
    anchor_end: usize,
}

impl<'s, B: Backend> Marks<'s, B> {
    /// The marks from `next` on.
    #[inline(always)]
    fn new(backend: B, source: &'s [u8], next: usize) -> Self {
        Marks { backend, source, next, left: 0, anchors: 0, anchor_end: 0 }
    }

    /// Returns the offset after the last anchor before `end`, which is in the word of the last mark or after it.
    #[inline(always)]
    fn anchor_end(&self, end: usize) -> usize {
        let after = self.next - end;
        match self.anchors & u64::MAX.checked_shr(after as u32).unwrap_or(0) {
            0 => self.anchor_end,
            before => self.next - before.leading_zeros() as usize,
        }
    }

    /// The bytes of the next word that are among `members`.
    #[inline(always)]
    fn members(&self, word: &Word, members: &ClassMembers) -> u64 {
        let others = |from: usize| {
            u64::from(self.backend.others(word[from..].first_chunk().expect("half of a word"), members))
        };
        !(others(0) | others(WIDTH / 2) << (WIDTH / 2))
    }
}

impl<B: Backend> Iterator for Marks<'_, B> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            let rest = self.source.get(self.next..).filter(|rest| !rest.is_empty())?;
            let mut last = [0; WIDTH];
            let word = rest.first_chunk().unwrap_or_else(|| {
                last[..rest.len()].copy_from_slice(rest);
                &last
            });
            self.anchor_end = self.anchor_end(self.next);
            // The compiler would turn the mask into 64 booleans for each string.
            self.anchors = black_box(self.members(word, &ANCHORS));
            self.left = self.members(word, &TOKEN_BYTES);
            self.next += WIDTH;
        }
        let mark = self.next - WIDTH + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(mark)
    }
}

/// The strings and the damaged lines of a source, in order.
struct Tokens<'s, B> {
    source: &'s [u8],
    marks: Marks<'s, B>,
    /// The end of the last string of the line, or the start of the line.
    rest: usize,
}

impl<'s, B: Backend> Tokens<'s, B> {
    fn new(backend: B, source: &'s [u8]) -> Self {
        Tokens { source, marks: Marks::new(backend, source, 0), rest: 0 }
    }

    /// The string that begins after the quotation mark at `open`, or the rest of its line if it
    /// does not end there.
    #[inline(always)]
    fn string(&mut self, open: usize) -> JsonToken {
        let (mut escapes, mut escaped, mut anchored) = (false, usize::MAX, false);
        while let Some(mark) = self.marks.next() {
            match self.source[mark] {
                b'\n' => return self.damaged(mark),
                b'"' if mark != escaped => {
                    self.rest = mark + 1;
                    let content = match (escapes, anchored || self.marks.anchor_end(mark) > open) {
                        (false, false) => StringContent::Plain,
                        (true, false) => StringContent::Text,
                        (false, true) => StringContent::Anchors,
                        (true, true) => StringContent::Escapes,
                    };
                    return JsonToken::String { range: open + 1..mark, content };
                }
                b'\\' if mark != escaped => {
                    (escapes, escaped) = (true, mark + 1);
                    // An escape of an ASCII character may be an anchor.
                    anchored |= matches!(self.source[mark + 1..], [b'u', b'0', b'0', b'0'..=b'7', ..]);
                }
                b'"' | b'\\' => {}
                _ => anchored = true,
            }
        }
        self.damaged(self.source.len())
    }

    /// The rest of the line that ends at `end`.
    fn damaged(&mut self, end: usize) -> JsonToken {
        JsonToken::Damaged(std::mem::replace(&mut self.rest, end + 1)..end)
    }

    /// The rest of the line from the [token byte](TOKEN_BYTES) at `from`.
    #[cold]
    fn damaged_from(&mut self, from: usize) -> JsonToken {
        let is_end = |mark: &usize| self.source[*mark] == b'\n';
        let end = Some(from).filter(is_end).or_else(|| self.marks.by_ref().find(is_end));
        self.damaged(end.unwrap_or(self.source.len()))
    }
}

impl<B: Backend> Iterator for Tokens<'_, B> {
    type Item = JsonToken;

    #[inline(always)]
    fn next(&mut self) -> Option<JsonToken> {
        while let Some(mark) = self.marks.next() {
            let byte = self.source[mark];
            if !matches!(byte, b'"' | b'\n') {
                continue;
            }
            if !may_be_between(&self.source[self.rest..mark]) {
                return Some(self.damaged_from(mark));
            }
            if byte == b'"' {
                return Some(self.string(mark));
            }
            self.rest = mark + 1;
        }
        let rest = self.source.get(self.rest..)?;
        (!may_be_between(rest)).then(|| self.damaged(self.source.len()))
    }
}

/// Returns true if bytes without a line feed may be between strings.
#[inline(always)]
fn may_be_between(mut bytes: &[u8]) -> bool {
    // Between two strings, there is nearly always one of these.
    if matches!(bytes, b":" | b"," | b": " | b", ") {
        return true;
    }
    while let Some((first, rest)) = bytes.split_first() {
        if matches!(first, b' ' | b'\t' | b'\r' | b'{' | b'}' | b'[' | b']' | b',' | b':') {
            bytes = rest;
            continue;
        }
        let (word, rest) = bytes.split_at(word_len(bytes));
        if !is_word(word) {
            return false;
        }
        bytes = rest;
    }
    true
}

/// The length of the number or word that `bytes` begin with, of JSON or not.
pub(crate) fn word_len(bytes: &[u8]) -> usize {
    let is_inside = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b'_');
    bytes.iter().position(|b| !is_inside(b)).unwrap_or(bytes.len())
}

/// Returns true if it is a JSON number or word. Python also writes `NaN` and `Infinity`.
pub(crate) fn is_word(word: &[u8]) -> bool {
    is_number(word) || matches!(word, b"null" | b"true" | b"false" | b"NaN" | b"Infinity" | b"-Infinity")
}

/// Returns true if it is a number (RFC 8259 §6).
fn is_number(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let (whole, rest) = rest.split_at(digits(rest));
    let (fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => rest.split_at(digits(rest)),
        None => (&b"0"[..], rest),
    };
    let (power, rest) = match rest {
        [b'e' | b'E', b'+' | b'-', rest @ ..] | [b'e' | b'E', rest @ ..] => rest.split_at(digits(rest)),
        _ => (&b"0"[..], rest),
    };
    !whole.is_empty() && !fraction.is_empty() && !power.is_empty() && rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of a source, and the ranges that encode each.
    fn texts(source: &str) -> Vec<(String, Vec<Range<usize>>)> {
        let Strings { decoded, ends, .. } = strings(source.as_bytes(), Wanted::ALL);
        let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
        let text = |(start, &end): (usize, &usize)| {
            assert_eq!(decoded.bytes[end], b'\n');
            (String::from_utf8(decoded.bytes[start..end].to_vec()).unwrap(), decoded.map.sources(start..end))
        };
        assert_eq!(ends.last().map_or(0, |end| end + 1), decoded.bytes.len());
        starts.zip(&ends).map(text).collect()
    }

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let texts = texts(source);
        let texts: Vec<_> = texts.iter().map(|(text, _)| &**text).collect();
        assert_eq!(texts, expected, "{source}");
    }

    #[test]
    fn strings_in_values() {
        check(r#"{"a.": "b.", "c": [1, -2.5e+3, true, {"d.":null}], "e":"f."}"#, &["a.", "b.", "d.", "f."]);
        check("{\n  \"a.\" : \"b.\"\r\n}\n{\"c\": NaN, \"d\": -Infinity, \"\": \".\"}", &["a.", "b.", "."]);
        check("", &[]);
        check("[[[[", &[]);
    }

    #[test]
    fn escapes() {
        assert_eq!(texts(r#"["a\/\"\\.b"]"#), [("a/\"\\.b".to_owned(), vec![2..3, 4..5, 6..7, 8..11])]);
        assert_eq!(texts(r#"["x\u0026\n."]"#), [("x&\n.".to_owned(), vec![2..12])]);
        let pair = texts(r#"["\ud83d\ude00\u00FC."]"#);
        assert_eq!(pair, [("\u{1f600}\u{fc}.".to_owned(), vec![2..21])]);
        check(r#"["\b\f\r\t."]"#, &["\u{8}\u{c}\r\t."]);
    }

    /// Each of them in the first, a middle and the last word of the source, and at the edges of these.
    #[test]
    fn a_string_is_read_if_a_url_may_begin_in_it() {
        let texts = |text: &str, before: usize| {
            let source = format!("{}[\"{text}\", \"{}\"]", " ".repeat(before), "-\\n".repeat(50));
            strings(source.as_bytes(), Wanted::ALL).ends.len()
        };
        for before in 0..2 * WIDTH {
            for text in [":", ".", "@", "(", "[", "{", r"\u003a", r"\u002E", r"\u0040", r"\[", r"\n."] {
                assert_eq!(texts(text, before), 1, "{before} {text}");
            }
            for text in ["", "a", r"\n", r"\\", "\\\"", r"\/\/", r"\u00e9", r"\u203a", "\u{e9}"] {
                assert_eq!(texts(text, before), 0, "{before} {text}");
            }
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in [
            r"\x41.",
            r"\ud800.",
            r"\ud800\u0041.",
            r"\udc00\ud800.",
            r"\u12g4.",
            r"\u+123.",
            r".\u12",
            r".\ud800\ud8",
        ] {
            let expected = text.replace(r"\u0041", "A");
            let expected = if text.contains(r"\u0041") { &*expected } else { text };
            check(&format!("[\"{text}\"]"), &[expected]);
        }
        // The quotation mark belongs to an escape.
        check(r#"["\u12\"."]"#, &[r#"\u12"."#]);
    }

    #[test]
    fn damaged_lines() {
        let lines =
            "{\"a.\":\"b.\"}\nan error: c.\n{\"d.\": e.}\n{\"f.\":\"g.\n{\"h.\":\"i.\"}\n{\"j.\":\"\\\n";
        check(lines, &["a.", "b.", "an error: c.", "d.", ": e.}", "f.", ":\"g.", "h.", "i.", "j.", ":\"\\"]);
        check("{\"a.\":\"b.\\", &["a.", ":\"b.\\"]);
        check("{\"a\":1, // see c.\n\"d\": 1.2.3.4}", &[":1, // see c.", ": 1.2.3.4}"]);
        assert_eq!(texts("x.\ny.")[1], ("y.".to_owned(), vec![3..5]));
    }

    #[test]
    fn escapes_that_are_bytes() {
        check(r#"["a.\u00c3\u00a9\n\u00e2\u0082\u00ac"]"#, &["a.\u{e9}\n\u{20ac}"]);
        assert_eq!(texts(r#"["x.\u00c3\u00a9y"]"#), [("x.\u{e9}y".to_owned(), vec![2..17])]);
        // With one character more, they are characters.
        check(r#"["a.\u00c3\u00a9\u00e9"]"#, &["a.\u{c3}\u{a9}\u{e9}"]);
        check(r#"["a.\u00c3\u00a9 \u2019"]"#, &["a.\u{c3}\u{a9} \u{2019}"]);
        check("[\"a.\\u00c3\\u00a9 \u{e9}\"]", &["a.\u{c3}\u{a9} \u{e9}"]);
        check(r#"["a.\u00e9 \u00e0"]"#, &["a.\u{e9} \u{e0}"]);
    }

    /// The bodies in a source, decoded.
    fn decoded_bodies(source: &str) -> Vec<String> {
        let body = |range| super::body(&source.as_bytes()[range], true).bytes;
        super::bodies(source.as_bytes())
            .into_iter()
            .map(|range| String::from_utf8(body(range)).unwrap())
            .collect()
    }

    #[test]
    fn bodies_of_mail() {
        // "http://h.org/?a>>" and "http://h.org/b" in the alphabet for URLs.
        let source = r#"{"raw" : "aHR0cDovL2gub3JnLz9hPj4", "body":{"data":"aHR0cDovL2gub3JnL2I="},
            "data": "a b", "data": 1, "data": "", "raw": "aHR0"#;
        assert_eq!(decoded_bodies(source), ["http://h.org/?a>>", "http://h.org/b"]);
        assert_eq!(super::body(b"aHR0cDov", true).map.sources(0..3), [0..4]);
    }

    /// "http://h.org/b" in an answer of HAR, as Chrome, Firefox and programs that indent write it.
    #[test]
    fn bodies_of_har() {
        let check = |source: &str, expected: &[&str]| {
            assert_eq!(decoded_bodies(source), expected, "{source}");
        };
        for source in [
            r#"{"content":{"size":14,"mimeType":"text/html","text":"aHR0cDovL2gub3JnL2I=","encoding":"base64"}}"#,
            r#"{"content":{"mimeType":"text/html","size":14,"encoding":"base64","text":"aHR0cDovL2gub3JnL2I="}}"#,
            "{\n  \"text\" : \"aHR0cDovL2gub3JnL2I=\",\n  \"encoding\" :\r\n \"base64\"\n}",
            "{\n  \"encoding\": \"base64\" ,\n  \"text\":  \"aHR0cDovL2gub3JnL2I=\"\n}",
        ] {
            check(source, &["http://h.org/b"]);
        }
        for source in [
            r#"{"text":"aHR0cDovL2gub3JnL2I="}"#,
            r#"{"text":"aHR0cDovL2gub3JnL2I=","encoding":"utf-8"}"#,
            r#"{"text":"aHR0cDovL2gub3JnL2I=","with":"base64"}"#,
            r#"{"title":"aHR0cDovL2gub3JnL2I=","encoding":"base64"}"#,
            r#"{"text":"a b","encoding":"base64"}"#,
            r#"["text","encoding","base64"]"#,
        ] {
            check(source, &[]);
        }
    }

    #[test]
    fn numbers_and_words() {
        for text in ["0", "-12", "1.5", "1e5", "1.5E-10", "true", "NaN", "-Infinity"] {
            assert!(
                is_word(text.as_bytes()) && word_len(format!("{text},").as_bytes()) == text.len(),
                "{text}"
            );
        }
        for text in ["", "-", "1.", ".5", "1e", "1.2.3", "2001-03-02", "truely", "nul", "http", "1_000"] {
            assert!(!is_word(text.as_bytes()), "{text}");
        }
    }
}
