//! Notations: the ways in which formats escape a URL that they cannot contain verbatim.
//!
//! | format | writes | for |
//! |---|---|---|
//! | JSON | `\/`, `\u0026` | `/`, `&` |
//! | JavaScript | `\x3d` | `=` |
//! | TeX | `\_`, `{\textasciitilde}` | `_`, `~` |
//! | groff | `\:` | a possible line break |
//! | HTML | `&amp;`, `&#x2F;` | `&`, `/` |
//! | terminals | escape sequences | colours |
//! | [windows-1252](super::latin) | one byte | a letter |
//!
//! The URL is [decoded](DecodedText): up to the first byte that cannot be in a URL, each encoding is
//! replaced by its meaning, and the result is read like any other bare URL. The bytes of the URL
//! are mapped back to the ranges that encode them.

use std::cell::Cell;
use std::ops::Range;

use super::Surroundings;
use super::decoded::{DecodedText, Doubt, Meaning, as_far_as_needed};
use super::doi;
use super::end::{End, EndFinder};
use super::latin::Latin;
use super::line::{is_soft_break, starts_attribute, starts_url};
use super::line_prefix::LinePrefix;
use super::start::is_windows_file;
use super::terminal;
use crate::bytes::class::{ALPHADIGIT, BREAK, DOLLAR, EQUALS, PLAIN};
use crate::bytes::window::Window;
use crate::matches::form::{Entity, Form, GuessRule, JoinKind};
use crate::matches::readings::{Gap, Hyphen, Piece, Readings};
use crate::matches::{Joined, Match};
use crate::scan::colour;
use crate::scan::encoded::{Reference, hex_escape, reference, unit};

/// The escapes of a format, in addition to those that are read in all texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextDialect {
    Common,
    /// `\/` of JSON.
    Json,
    /// `\(` between `](` and `)` of Markdown.
    Markdown,
    /// `\.` of groff, after `\%`, before which a word is not hyphenated, or after a font: `\fI`.
    Roff,
    /// The escapes and soft breaks of quoted-printable (RFC 2045 §6.7), in text that was not decoded.
    Quoted,
}

impl TextDialect {
    /// Returns the notation, by the text directly before the URL at `start`.
    pub(super) fn of(window: &Window<'_>, start: usize) -> Self {
        match window.before(start, start.saturating_sub(3)) {
            [.., b']', b'('] => TextDialect::Markdown,
            [.., b'\\', b'%'] | [b'\\', b'f', b'A'..=b'Z'] => TextDialect::Roff,
            _ => TextDialect::Common,
        }
    }
}

/// Returns the meaning of the bytes at `at` in texts with backslashes, entities and colours, or in windows-1252.
pub(super) fn meaning(
    window: &Window<'_>,
    at: usize,
    dialect: TextDialect,
    latin: &Latin,
) -> Option<Meaning> {
    match window.get(at)? {
        b'\\' => backslash(window, at, dialect).or_else(|| named(window, at)),
        b'$' | b'{' => named(window, at),
        b'&' => match reference(window, at)? {
            (Reference::Char(c), len) => Some(Meaning::char(len, c).with_doubt(Doubt::Entity)),
            (Reference::Stop(entity @ (Entity::Lt | Entity::Gt)), len) if doi::is_bracket(window, at) => {
                let bracket: &[u8] = if entity == Entity::Lt { b"<" } else { b">" };
                Some(Meaning::new(len, bracket).with_doubt(Doubt::Entity))
            }
            _ => None,
        },
        // The angle brackets of a DOI are verbatim.
        byte @ (b'<' | b'>') if doi::is_bracket(window, at) => Some(Meaning::new(1, &[byte])),
        0x1B => colour(window, at).map(|len| Meaning::new(len, b"").with_doubt(Doubt::End)),
        0x80.. => latin.letter(window, at).map(|c| Meaning::char(1, c)),
        _ => None,
    }
}

/// The escapes of a URL in quoted-printable (RFC 2045 §6.7).
#[derive(Default)]
struct QuotedEscapes {
    /// True if the first `=` of the query is escaped. Otherwise the text was wrapped, but not encoded.
    in_query: Cell<Option<bool>>,
}

impl QuotedEscapes {
    /// Returns the meaning of the escape at `at`, after the text `url`.
    fn meaning(&self, window: &Window<'_>, at: usize, url: &[u8]) -> Option<Meaning> {
        let byte = hex_escape(window, at, b"=")?;
        let is_escaped = !url.contains(&b'?') || self.in_query.get().unwrap_or(byte == b'=');
        if url.contains(&b'?') {
            self.in_query.set(Some(is_escaped));
        }
        is_escaped.then(|| Meaning::new(3, &[byte]))
    }
}

/// Returns the meaning of the soft break at `at` after the text `url`, which starts at `start`, if
/// it is one. The URL continues on the next line, after the line prefix, unless another one starts
/// there.
fn soft_break(cx: &Surroundings<'_, '_>, start: usize, at: usize, url: &[u8]) -> Option<Meaning> {
    let window = cx.window;
    if !window.is_break(at + 1) {
        return None;
    }
    let line = window.after_break(at + 1);
    let prefix = LinePrefix::of_line(window, start, cx.back);
    let next = prefix.repeated_or_stripped(window, line, line + MAX_LINE).unwrap_or(line);
    let next = next + usize::from(next > line && window.get(next) == Some(b' '));
    let text = window.ahead(next..window.line_end(next, next + MAX_LINE));
    (!url.contains(&b':') || !starts_url(text)).then(|| Meaning::new(next - at, b"").with_doubt(Doubt::Break))
}

/// Returns the meaning of the character reference at `at` that a soft break divides: `&am=⏎p;`.
fn broken_reference(cx: &Surroundings<'_, '_>, start: usize, at: usize, url: &[u8]) -> Option<Meaning> {
    let in_reference = |b: u8| b.is_ascii_alphanumeric() || b"#;".contains(&b);
    let window = cx.window;
    let end = window.skip(at + 1, at + MAX_LINE, in_reference);
    let len = soft_break(cx, start, end, url).filter(|_| window.get(end) == Some(b'='))?.len;
    let rest = end + len..window.skip(end + len, end + len + MAX_LINE, in_reference);
    let text = [window.ahead(at..end), window.ahead(rest)].concat();
    match reference(&Window::whole(&text), 0)? {
        (Reference::Char(c), n) if n > end - at => Some(Meaning::char(n + len, c).with_doubt(Doubt::Break)),
        _ => None,
    }
}

/// The names by which TeX, and groff in the last row, write characters that mean something else to them.
const NAMED: [(&[u8], &[u8]); 5] = [
    (b"\\textasciitilde", b"~"),
    (b"\\string~", b"~"),
    (b"$\\sim$", b"~"),
    (b"\\textunderscore", b"_"),
    (b"\\(ti", b"~"),
];

/// Returns the meaning of the character that is written by a name at `at`, or by a backslash in a group of TeX: `{\_}`.
///
/// The match includes an empty group or a space after the name, as in TeX.
fn named(window: &Window<'_>, at: usize) -> Option<Meaning> {
    let open = usize::from(window.get(at) == Some(b'{'));
    let mut meaning = match NAMED.iter().find(|(name, _)| window.has(at + open, name)) {
        Some((name, means)) => {
            let end = at + open + name.len();
            let is_word = name.ends_with(b"e");
            let after = match window.get(end) {
                Some(b'{') if window.get(end + 1) == Some(b'}') => 2,
                Some(b' ') if is_word => 1,
                Some(b) if is_word && b.is_ascii_alphabetic() => return None,
                _ => 0,
            };
            Meaning::new(name.len() + after, means)
        }
        None => {
            let escaped = window.get(at + 2).filter(|b| b"_%&#~$".contains(b))?;
            (open == 1 && window.get(at + 1) == Some(b'\\')).then_some(())?;
            Meaning::new(if window.has(at + 3, b"{}") { 4 } else { 2 }, &[escaped])
        }
    };
    if open == 1 {
        window.has(at + 1 + meaning.len, b"}").then_some(())?;
        meaning.len += 2;
    }
    Some(meaning)
}

/// Returns the meaning of the backslash at `at` and the text after it.
fn backslash(window: &Window<'_>, at: usize, dialect: TextDialect) -> Option<Meaning> {
    let escaped = |len, means: &[u8]| Some(Meaning::new(len, means).with_doubt(Doubt::End));
    match window.get(at + 1)? {
        b'/' if matches!(dialect, TextDialect::Json) => Some(Meaning::new(2, b"/")),
        // JSON in a JSON string.
        b'\\' if matches!(dialect, TextDialect::Json) && window.get(at + 2) == Some(b'/') => {
            Some(Meaning::new(3, b"/"))
        }
        byte @ (b'(' | b')' | b'[' | b']' | b'*') if matches!(dialect, TextDialect::Markdown) => {
            escaped(2, &[byte])
        }
        byte @ (b'(' | b')') if doi::has_parentheses(window, at) => escaped(2, &[byte]),
        b'.' if matches!(dialect, TextDialect::Roff) => escaped(2, b"."),
        b'u' => of_json(window, at),
        // JSON in a JSON string.
        b'\\' if window.get(at + 2) == Some(b'u') => {
            let mut meaning = of_json(window, at + 1)?;
            meaning.len += 1;
            Some(meaning)
        }
        b'x' if is_in_literal(window, at) => {
            hex_escape(window, at, b"\\x").filter(|&b| in_url(b)).map(|b| Meaning::new(4, &[b]))
        }
        b'~' if window.has(at + 2, b"{}") => escaped(4, b"~"),
        // A shell runs a command in `\$(`.
        b'$' if matches!(window.get(at + 2), Some(b'(' | b'{')) => None,
        byte @ (b'_' | b'#' | b'~' | b'$' | b'-') => escaped(2, &[byte]),
        b'%' if is_hex(window.ahead(at + 2..at + 4)) => escaped(2, b"%"),
        // groff: `\%` prevents the hyphenation of the next word.
        b'%' => escaped(2, b""),
        // groff: the dot of `\&.` does not start a request.
        b'&' if window.get(at + 2) == Some(b'.') => escaped(2, b""),
        // Markdown escapes the closing angle bracket, which may be a reference.
        b'>' => escaped(1, b""),
        b'&' if matches!(reference(window, at + 1), Some((Reference::Stop(Entity::Gt), _))) => {
            escaped(1, b"")
        }
        b'&' => escaped(2, b"&"),
        // vCard and iCalendar (RFC 6350 §3.4): old programs escaped the colon as well.
        b':' if window.has(at + 2, b"//") && window.byte_before(at) != Some(b':') => escaped(2, b":"),
        b':' => escaped(2, b""),
        _ => None,
    }
}

fn is_hex(digits: &[u8]) -> bool {
    digits.len() == 2 && digits.iter().all(u8::is_ascii_hexdigit)
}

/// The distance before an escape at which the opening quotation mark of its literal may be, in
/// bytes.
const MAX_LITERAL_DISTANCE: usize = 512;

/// Returns true if a literal is open before `at` on its line, as far as a quotation mark shows it: elsewhere `\x` is a
/// byte of C, a pattern, or a file.
fn is_in_literal(window: &Window<'_>, at: usize) -> bool {
    let text = window.before(at, at.saturating_sub(MAX_LITERAL_DISTANCE));
    memchr::memrchr3(b'"', b'\'', b'`', text).is_some_and(|quote| !text[quote..].contains(&b'\n'))
}

/// Returns true if a URL may have the ASCII character `b` that is written as an escape.
fn in_url(b: u8) -> bool {
    ALPHADIGIT.has(b) || b"!$&()*+,-./:;=?@[]_~%#".contains(&b)
}

/// The character of JSON's `\u0026` at `at` (RFC 8259 §7), if it may be in a URL.
fn of_json(window: &Window<'_>, at: usize) -> Option<Meaning> {
    let first = unit(window, at)?;
    let (c, len) = match char::from_u32(first.into()) {
        Some(c) => (c, 6),
        None => (char::decode_utf16([first, unit(window, at + 6)?]).next()?.ok()?, 12),
    };
    let is_part = u8::try_from(c).map_or(true, |b| b >= 0x80 || in_url(b));
    is_part.then(|| Meaning::char(len, c))
}

/// Returns true if a soft break of quoted-printable is before `end`, where the URL that starts at `start` stops.
pub(super) fn is_broken_softly(window: &Window<'_>, start: usize, end: usize) -> bool {
    window.byte_before(end) == Some(b'=')
        && window.is_break(end)
        && (starts_attribute(window, start) || is_soft_break(window, end))
}

/// The length of a line of quoted-printable, without its break (RFC 2045 §6.7).
const MAX_LINE: usize = 76;

/// Returns the offset at which a web scheme starts, if a soft break of quoted-printable divides it and its end is at
/// `start..colon`.
#[inline(never)]
pub(super) fn broken_scheme(cx: &Surroundings<'_, '_>, start: usize, colon: usize) -> Option<usize> {
    let window = cx.window;
    if !window.byte_before(start).is_some_and(|b| BREAK.has(b)) {
        return None;
    }
    let end = window.before(colon, start);
    let beginning = [&b"https"[..], b"http"].into_iter().find_map(|name| name.strip_suffix(end))?;
    let line_end = window.before_break(start, cx.back);
    let from = line_end.checked_sub(beginning.len() + b"=".len()).filter(|&from| from >= cx.consumed)?;
    let is_word = window.byte_before(from).is_some_and(|b| b.is_ascii_alphanumeric());
    let is_soft = window.has(from, beginning)
        && window.byte_before(line_end) == Some(b'=')
        && (starts_attribute(window, from) || is_soft_break(window, line_end));
    (is_soft && !is_word).then_some(from)
}

/// Returns true if a URL that starts at `start` and stops at `at` may continue there in a notation.
#[inline(always)]
pub(super) fn continues_in_notation(cx: &Surroundings<'_, '_>, start: usize, at: usize) -> bool {
    let window = cx.window;
    if cx.rules.scan.read.width.is_some() && terminal::next_line(cx, at).is_some() {
        return true;
    }
    // A port and the colon before it may differ in colour.
    let at = if window.get(at) == Some(b':') && window.get(at + 1) == Some(0x1B) { at + 1 } else { at };
    // The dollar of TeX's `$\sim$` is a byte of URLs.
    let at = if window.has(at, b"\\sim$") { at - 1 } else { at };
    matches!(window.get(at), Some(b'\\' | b'&' | b'$' | b'{' | 0x1B | 0x80..))
        && meaning(window, at, TextDialect::of(window, start), &Latin::default()).is_some()
}

/// Reads the escaped URL that starts at `start`. `undecoded` is the match without decoding; an equal
/// match is not returned.
pub(super) fn read(
    cx: &Surroundings<'_, '_>,
    start: usize,
    dialect: TextDialect,
    undecoded: Option<&[u8]>,
) -> Option<Match<'static>> {
    let limit = cx.limit(start);
    let (lines, latin, escapes) = (Cell::new(0), Latin::default(), QuotedEscapes::default());
    let decode = |decoded: &mut DecodedText, to| {
        decoded.decode(cx.window, to, false, PLAIN.without(DOLLAR.or(EQUALS)), |at, url, _| {
            let quoted = match cx.window.get(at).filter(|_| dialect == TextDialect::Quoted) {
                Some(b'=') => {
                    return escapes.meaning(cx.window, at, url).or_else(|| soft_break(cx, start, at, url));
                }
                Some(b'&') => broken_reference(cx, start, at, url),
                _ => None,
            };
            quoted.or_else(|| meaning(cx.window, at, dialect, &latin)).or_else(|| {
                let next = terminal::over_break(cx, start, at, url, lines.replace(lines.get() + 1))?;
                Some(Meaning::new(next - at, b"").with_doubt(Doubt::Break))
            })
        });
    };
    let read_url = |decoded: &DecodedText, window: &Window<'_>| {
        let end = end_of(cx, window, decoded.start, start)?;
        matched(decoded, end, undecoded, dialect)
    };
    match as_far_as_needed(cx.window, start, limit, decode, read_url) {
        Some(matched) => matched,
        None => cx.end_before(limit, End::TooLong).and(None),
    }
}

/// Returns the end of the URL at `start` of a decoded text. The escaped URL starts at `source`.
fn end_of(cx: &Surroundings<'_, '_>, window: &Window<'_>, start: usize, source: usize) -> Option<usize> {
    let (options, limit) = (&cx.rules.scan.read, window.len() + 1);
    let scheme = window.ahead(start..window.len()).iter().position(|&b| b == b':')?;
    let rule = cx.rules.scan.schemes.rule_of(window.ahead(start..start + scheme));
    let finder =
        EndFinder::new(window, start, limit, options, &cx.notes.cells).decoded_from(cx.window, source);
    finder.end(start + scheme, rule)
}

fn matched(
    decoded: &DecodedText,
    end: usize,
    undecoded: Option<&[u8]>,
    dialect: TextDialect,
) -> Option<Match<'static>> {
    let url = decoded.text[decoded.start..end].to_vec();
    let source_pieces = decoded.source_pieces(end);
    let span = source_pieces.first()?.start..source_pieces.last()?.end;
    if undecoded == Some(&*url) {
        return None;
    }
    let is_joined = decoded.breaks.first().is_some_and(|&at| at < end);
    let other = undecoded.filter(|_| decoded.may_end || decoded.has_entity || is_joined);
    let readings = Readings::decoded(url, source_pieces);
    let readings = other.map_or(readings.clone(), |other| readings.or(other.to_vec()));
    let pieces = match is_joined {
        true if dialect == TextDialect::Quoted => Joined::new(Some(JoinKind::Flowed), readings),
        true => Joined::guessed(GuessRule::Terminal, readings),
        false => Joined::new(None, readings),
    };
    Some(Match::rejoined(span, Form::Bare, pieces))
}

/// The URL in `range` with the characters of its escapes, its references and of windows-1252, and the ranges
/// that encode it, if it contains any except references for the ampersand.
pub(super) fn spelled_out(window: &Window<'_>, range: Range<usize>) -> Option<(Vec<u8>, Vec<Range<usize>>)> {
    let (latin, is_windows_file) = (Latin::default(), is_windows_file(window.ahead(range.clone())));
    let of_character = |at| match window.get(at) {
        Some(b'\\') if is_windows_file => None,
        _ => meaning(window, at, TextDialect::Common, &latin),
    };
    let is_other = |at: usize| {
        of_character(at).is_some_and(|meaning| window.get(at) == Some(b'\\') || !meaning.is(b"&"))
    };
    if !range.clone().any(is_other) {
        return None;
    }
    let mut decoded = DecodedText::new(window, range.start);
    // Copy all other bytes verbatim, so that a byte that no bare URL contains does not end the decoding.
    let verbatim = |at| window.get(at).map(|byte| Meaning::new(1, &[byte]));
    decoded.decode(window, range.end, false, PLAIN.without(DOLLAR), |at, _, _| {
        of_character(at).or_else(|| verbatim(at))
    });
    let source_pieces = decoded.source_pieces(decoded.text.len());
    let is_all = source_pieces.last().is_some_and(|last| last.end <= range.end);
    is_all.then(|| (decoded.text[decoded.start..].to_vec(), source_pieces))
}

/// Returns the readings of the URL in `pieces`. If it contains character references other than `&amp;`, the only reading
/// is the decoded URL, in which no hyphen is in doubt.
pub(super) fn readings(window: &Window<'_>, pieces: &[Piece], hyphen: Hyphen) -> Readings {
    let spelled: Vec<_> = pieces.iter().map(|piece| spelled_out(window, piece.range.clone())).collect();
    if spelled.iter().all(Option::is_none) {
        return Readings::new(|range| window.ahead(range), without_entities(window, pieces), hyphen);
    }
    let (mut url, mut source_pieces) = (Vec::new(), Vec::new());
    for (piece, spelled) in pieces.iter().zip(spelled) {
        let range = piece.range.clone();
        let (text, ranges) = spelled.unwrap_or_else(|| (window.ahead(range.clone()).to_vec(), vec![range]));
        url.extend(text);
        source_pieces.extend(ranges);
    }
    Readings::decoded(url, source_pieces)
}

/// Returns true if there are character references in `range`, or letters of windows-1252.
#[inline]
pub(super) fn has_characters(window: &Window<'_>, range: Range<usize>) -> bool {
    let url = window.ahead(range.clone());
    // This test nearly always decides.
    url.contains(&b'&') && references(window, range.clone()).next().is_some()
        || (!url.is_ascii() || url.contains(&b'\\')) && spelled_out(window, range).is_some()
}

/// The `pieces` without the text after the ampersands of entities, which may be truncated as well.
pub(super) fn without_entities(window: &Window<'_>, pieces: &[Piece]) -> Vec<Piece> {
    let joined: Vec<u8> =
        pieces.iter().flat_map(|piece| window.ahead(piece.range.clone())).copied().collect();
    let dropped: Vec<_> = entities(&Window::whole(&joined), 0..joined.len()).collect();
    let (mut split, mut at) = (Vec::new(), 0);
    for piece in pieces {
        let (mut from, end) = (piece.range.start, at + piece.range.len());
        let of_joined = |n: usize| piece.range.start + n.clamp(at, end) - at;
        for entity in dropped.iter().filter(|entity| entity.start < end && at < entity.end) {
            let after = of_joined(entity.start + 1).max(from);
            split.push(Piece { range: from..after, gap: Gap::None });
            from = of_joined(entity.end);
        }
        split.push(Piece { range: from..piece.range.end, gap: piece.gap });
        at = end;
    }
    split.retain(|piece| !piece.range.is_empty());
    split
}

/// The references to the ampersand in `range`.
fn entities(window: &Window<'_>, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    references(window, range).filter(|(_, meaning)| meaning.is(b"&")).map(|(range, _)| range)
}

/// The character references in `range`.
fn references(window: &Window<'_>, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, Meaning)> {
    let (start, end) = (range.start, range.end);
    memchr::memchr_iter(b'&', window.ahead(range)).filter_map(move |n| {
        let meaning = meaning(window, start + n, TextDialect::Common, &Latin::default())?;
        (start + n + meaning.len <= end).then_some((start + n..start + n + meaning.len, meaning))
    })
}
