//! URLs between delimiters: `<URL:…>`, `<…>` and `"…"`.
//!
//! The Appendix: "it is recommended that angle brackets ("<" and ">"), along with the prefix
//! "URL:", be used to delimit the boundaries of the URL." The draft of 1994, RFC 2396 and RFC 3986
//! allow brackets without the prefix, and the latter two also allow quotation marks.
//!
//! A pair of delimiters counts only if the grammar accepts the text between them. If
//! not, the same text is read again as bare URLs.

use std::ops::Range;

use super::delimited_rows::is_cell;
use super::implied::ip_address;
use super::label::has_broken_punycode;
use super::line::starts_url;
use super::line_prefix::bracket_before;
use super::notation::{self, TextDialect};
use super::opener::Opener;
use super::rejoin::Rejoin;
use super::start::{self, ANY_TEXT, AuthorityReader, Start};
use super::{Rules, Surroundings};
use crate::bytes::class::{HIGH, SCHEME, SPACE};
use crate::bytes::unicode::{self, Iri};
use crate::bytes::window::Window;
use crate::grammar::schemes::Schemes;
use crate::grammar::schemes::{LONGEST, SchemeRule, is_scheme};
use crate::grammar::{self, authority};
use crate::matches::form::{Entity, Form, Join, JoinKind};
use crate::matches::readings::{Gap, Piece, Readings};
use crate::matches::{Joined, Match};
use crate::scan::encoded::{Reference, reference_before};
use crate::scan::{Scheme, TextOptions, prefix_before};
use crate::simd::Simd;

/// Options under which every host that the rules accept is also a host for the grammar, so that the
/// grammar need not run.
const ASCII: TextOptions = TextOptions { iri: Iri::Ascii, cells: None, width: None, simd: Simd::generic() };

/// The URL in the wrapper with its prefix at `prefix`, and the prefix's colon at `colon`.
pub(crate) fn wrapper<'h>(cx: &Surroundings<'_, 'h>, prefix: usize, colon: usize) -> Option<Match<'h>> {
    let (open, close) = angle_before(cx, prefix)?;
    read(&Rejoin::new(cx, Form::Wrapper, open, close), after_prefix(cx.window, colon))
}

/// The URL in angle brackets or quotation marks that starts with `scheme`.
pub(crate) fn angle_or_quote<'h>(cx: &Surroundings<'_, 'h>, scheme: &Scheme) -> Option<Match<'h>> {
    let from = scheme.start;
    // The first letter nearly always decides.
    if matches!(cx.window.get(from), Some(b'f' | b'F'))
        && cx.window.has(from, b"file:")
        && let Some(matched) = windows_file(cx, from)
    {
        return Some(matched);
    }
    let before = cx.window.byte_before(from)?;
    if from > cx.consumed && matches!(before, b'"' | b'\'') {
        return read(&Rejoin::new(cx, Form::Quote, from - 1, before), from);
    }
    // The index contains the colon of a prefix before a space only if `<` is near: `&lt;URL: http://h.org/&gt;`.
    if before == b' '
        && cx.window.byte_before(from - 1) == Some(b':')
        && let Some(prefix) = prefix_before(cx.window, from - 2, cx.consumed)
        && cx.window.byte_before(prefix) == Some(b';')
    {
        return wrapper(cx, prefix, from - 2);
    }
    let (open, close) = angle_before(cx, from)?;
    read(&Rejoin::new(cx, Form::Angle, open, close), from)
}

/// The maximum length of the URL of a [Windows file](windows_file), in bytes. A Windows path has 260
/// characters by default.
const LONGEST_FILE: usize = 1024;

/// A Windows file name between delimiters, which may contain spaces: `<file:///S:/Sales Dept/Q3.xlsx>`,
/// `<file://server/Sales Dept/Q3.xlsx>`. It must end in an extension, because otherwise the delimiters
/// may enclose a sentence. As in a browser, each space becomes `%20`.
#[inline(never)]
fn windows_file(cx: &Surroundings<'_, '_>, from: usize) -> Option<Match<'static>> {
    let window = cx.window;
    let in_name = |b: u8| b >= b' ' && !b"<>\"".contains(&b);
    // Bounded, because a text of `<file:` repeated would otherwise be read to its end each time.
    let end = window.skip(from, cx.limit(from).min(from + LONGEST_FILE), in_name);
    let (span, form, end) = match angle_before(cx, from) {
        Some((open, b'>')) if window.get(end) == Some(b'>') => (open..end + 1, Form::Angle, end),
        _ => {
            let close = Opener::of(window, from).frame()?.end_in(window, from..end)?;
            (from..close, Form::Bare, close)
        }
    };
    let name = window.ahead(from..end);
    let extension = name.iter().rposition(|&b| b == b'.').map_or(&[][..], |dot| &name[dot + 1..]);
    // Extensions of documents have one to five letters: `.c`, `.xhtml`. A longer word may end a sentence.
    let is_file = (1..=5).contains(&extension.len()) && extension.iter().all(u8::is_ascii_alphanumeric);
    let has_server =
        || name[b"file:".len()..].starts_with(b"//") && name.get(7).is_some_and(u8::is_ascii_alphabetic);
    if !is_file || !name.contains(&b' ') || !(start::is_windows_file(name) || has_server()) {
        return None;
    }
    let url = name.split(|&b| b == b' ').collect::<Vec<_>>().join(&b"%20"[..]);
    let source = std::iter::once(from..end).collect();
    Some(Match::rejoined(span, form, Joined::new(None, Readings::decoded(url, source))))
}

/// Returns the offset of the angle bracket before `at`, and the first byte of its closing
/// counterpart: a reference if the bracket is written as one, `&lt;`, which must be directly
/// before.
#[inline(always)]
fn angle_before(cx: &Surroundings<'_, '_>, at: usize) -> Option<(usize, u8)> {
    if cx.window.byte_before(at) == Some(b';')
        && let Some(open) = written_angle_before(cx.window, at)
    {
        return (open >= cx.consumed).then_some((open, b'&'));
    }
    Some((bracket_before(cx, at)?, b'>'))
}

/// Returns the offset at which the reference to an angle bracket that ends at `at` starts.
#[inline(never)]
fn written_angle_before(window: &Window<'_>, at: usize) -> Option<usize> {
    reference_before(window, at).filter(|(_, is)| *is == Reference::Stop(Entity::Lt)).map(|(open, _)| open)
}

/// Returns the offset at which the URL starts after the prefix whose colon is at `colon`.
///
/// Some authors write the prefix like a scheme: `<URL://http://h.org/>`.
pub(super) fn after_prefix(window: &Window<'_>, colon: usize) -> usize {
    let plain = colon + 1;
    let slip = colon + 3;
    if !window.has(plain, b"//") || !window.get(slip).is_some_and(|b| b.is_ascii_alphabetic()) {
        return plain;
    }
    let end = window.skip(slip, slip + LONGEST, |b| SCHEME.has(b));
    if window.get(end) == Some(b':') { slip } else { plain }
}

fn read<'h>(rejoin: &Rejoin<'_, 'h>, from: usize) -> Option<Match<'h>> {
    let window = rejoin.cx.window;
    let url = from..rejoin.piece_end(from);
    if !url.is_empty() && rejoin.closes(url.end) {
        // Whitespace is rare. A quoted URL on one line is read as a bare one, because quotation marks delimit only a
        // URL that spans a line break.
        let span = rejoin.open..rejoin.after_close(url.end);
        return if rejoin.form == Form::Quote { None } else { whole(rejoin, url, span) };
    }
    // Only whitespace separates pieces.
    if !window.get(url.end).is_some_and(|b| SPACE.or(HIGH).has(b)) {
        return None;
    }
    let body = rejoin.body(url)?;
    let (pieces, mut note) = without_note(rejoin, body.pieces);
    // Two URLs between one pair of delimiters.
    if note.as_ref().is_some_and(|whole| whole.windows(3).filter(|bytes| bytes == b"://").count() > 1) {
        return None;
    }
    let joined = pieces.iter().any(|piece| piece.gap == Gap::Line).then_some(JoinKind::Delimited);
    let span = rejoin.open..rejoin.after_close(body.close);
    if joined.is_some() && (rejoin.cx.rules.join == Join::None || is_in_cell(rejoin, &span)) {
        return None;
    }
    // In a literal, a quotation mark is text and not a delimiter. The literal ends on this line, and the
    // next one starts another: `'"http://h.org/'⏎'a"'`.
    let is_mark = |byte| matches!(byte, Some(b'\'' | b'`'));
    let mut gaps = pieces.windows(2).map(|pair| (pair[0].range.end, pair[1].range.start));
    if joined.is_some()
        && rejoin.form != Form::Wrapper
        && gaps.any(|(end, next)| is_mark(window.byte_before(end)) || is_mark(window.get(next)))
    {
        return None;
    }
    if pieces.iter().any(|piece| notation::is_broken_softly(window, from, piece.range.end)) {
        return notation::read(rejoin.cx, from, TextDialect::Quoted, None)?.between(
            span,
            body.close,
            rejoin.form,
        );
    }
    if joined.is_some() && rejoin.form == Form::Quote {
        // A quotation in prose may contain a line break for other reasons, so the first line is an alternative.
        note = pieces.first().map(|piece| window.ahead(piece.range.clone()).to_vec());
    }
    if let ([only], None) = (&*pieces, &note) {
        return whole(rejoin, only.range.clone(), span);
    }
    let broken = scheme_gap(window, &pieces);
    let matched = rejoined(rejoin, pieces, note, joined, span)?;
    let whole_scheme = match broken {
        None | Some(Gap::None) => true,
        Some(Gap::Line) => starts_known(matched.as_bytes(), rejoin.cx.rules),
        Some(Gap::Blank) => false,
    };
    (whole_scheme && is_joined_url(rejoin, matched.as_bytes())).then_some(matched)
}

/// Returns true if the quotation marks around `span` enclose a table cell, because the lines of a
/// cell do not form one URL.
fn is_in_cell(rejoin: &Rejoin<'_, '_>, span: &Range<usize>) -> bool {
    let cx = rejoin.cx;
    rejoin.form == Form::Quote && (cx.rules.scan.read.cells.is_some() || is_cell(cx.window, span.clone()))
}

/// The URL in `url`, in one piece, with its delimiters at `span`.
fn whole<'h>(rejoin: &Rejoin<'_, 'h>, url: Range<usize>, span: Range<usize>) -> Option<Match<'h>> {
    let window = rejoin.cx.window;
    let text = window.ahead(url.clone());
    if !notation::has_characters(window, url.clone()) {
        return is_url(rejoin, text).then(|| Match::verbatim(text, url.start, span, rejoin.form));
    }
    if let Some((spelled, source_pieces)) = notation::spelled_out(window, url.clone()) {
        let readings = Readings::decoded(spelled, source_pieces).or(text.to_vec());
        let matched = Match::rejoined(span, rejoin.form, Joined::new(None, readings));
        return is_url(rejoin, matched.as_bytes()).then_some(matched);
    }
    if !is_url(rejoin, text) {
        return None;
    }
    rejoined(rejoin, vec![Piece { range: url, gap: Gap::None }], None, None, span)
}

/// The URL in `pieces`. Its alternatives include the `note`, or keep the character references
/// undecoded.
fn rejoined(
    rejoin: &Rejoin<'_, '_>,
    mut pieces: Vec<Piece>,
    note: Option<Vec<u8>>,
    joined: Option<JoinKind>,
    span: Range<usize>,
) -> Option<Match<'static>> {
    let (window, hyphen) = (rejoin.cx.window, rejoin.cx.rules.hyphen);
    let text = |range| window.ahead(range);
    let mut other = note;
    let has_characters = pieces.iter().any(|piece| notation::has_characters(window, piece.range.clone()));
    if has_characters {
        let spelled = |pieces: &[Piece]| -> Vec<u8> {
            pieces.iter().flat_map(|piece| text(piece.range.clone())).copied().collect()
        };
        let decoded = notation::without_entities(window, &pieces);
        if is_url(rejoin, &spelled(&decoded)) {
            other = other.or_else(|| Some(spelled(&pieces)));
            pieces = decoded;
        }
    }
    let has_others = |piece: &Piece| notation::spelled_out(window, piece.range.clone()).is_some();
    let readings = match has_characters && pieces.iter().any(has_others) {
        true => notation::readings(window, &pieces, hyphen),
        false => Readings::of_url(text, pieces, hyphen)?,
    };
    let readings = if let Some(other) = other { readings.or(other) } else { readings };
    Some(Match::rejoined(span, rejoin.form, Joined::new(joined, readings)))
}

/// Returns true if `url`, which was in several pieces, is a URL: the bytes of a character that a line break
/// separates may form whitespace.
fn is_joined_url(rejoin: &Rejoin<'_, '_>, url: &[u8]) -> bool {
    !unicode::has_space(url) && is_url(rejoin, url)
}

/// The pieces of the URL in a wrapper without the note that follows it, and the reading with
/// the note: `<URL:http://h.org/x.html (in German)>`.
///
/// The text after a space is a note if it starts with a bracket, or with a word that more text
/// follows.
fn without_note(rejoin: &Rejoin<'_, '_>, mut pieces: Vec<Piece>) -> (Vec<Piece>, Option<Vec<u8>>) {
    let text = |piece: &Piece| rejoin.cx.window.ahead(piece.range.clone());
    let is_space = |at| matches!(rejoin.cx.window.get(at), Some(b' ' | b'\t'));
    let is_blank = |piece: &Piece| piece.gap == Gap::Blank && is_space(piece.range.end);
    let Some(last) = pieces.iter().position(is_blank).filter(|_| rejoin.form == Form::Wrapper) else {
        return (pieces, None);
    };
    let next = text(&pieces[last + 1]);
    let word = next.iter().all(u8::is_ascii_alphabetic) && pieces.len() > last + 2;
    // A scheme without text after it is not a URL.
    let has_colon = text(&pieces[last]).split_last().is_some_and(|(_, before)| before.contains(&b':'));
    if !has_colon || !(word || next.starts_with(b"(")) {
        return (pieces, None);
    }
    let whole = pieces.iter().flat_map(text).copied().collect();
    pieces.truncate(last + 1);
    pieces[last].gap = Gap::None;
    (pieces, Some(whole))
}

/// The gap within the scheme, if it contains one; a space rather than a line break if both occur.
///
/// A line may break within a scheme. But a word, a space and another word with a colon are prose.
fn scheme_gap(window: &Window<'_>, pieces: &[Piece]) -> Option<Gap> {
    let has_colon = |piece: &&Piece| window.ahead(piece.range.clone()).contains(&b':');
    let before = pieces.iter().position(|piece| has_colon(&piece))?;
    let gaps = pieces[..before].iter().map(|piece| piece.gap);
    gaps.reduce(|worst, gap| if gap == Gap::Blank { gap } else { worst })
}

/// Returns true if `url` starts with a known scheme, or with any scheme and `://`.
fn starts_known(url: &[u8], rules: &Rules) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else { return false };
    rules.scan.schemes.rule_of(&url[..colon]).is_some() || url[colon..].starts_with(b"://")
}

/// Returns true if `url` starts with a scheme, whose colon is at `colon`, `//` and a host, and
/// a path or nothing follows. The grammar accepts every such URL.
fn has_host(url: &[u8], colon: usize) -> bool {
    let window = &Window::whole(url);
    let reader = AuthorityReader { window, limit: url.len(), options: &ASCII };
    let starts = window.has(colon, b"://") && is_scheme(&url[..colon]);
    starts
        && match reader.after_colon(colon, None) {
            Some(Start::Open(at)) => window.get(at) == Some(b'/'),
            Some(Start::Closed(at, _)) => at == url.len(),
            None => false,
        }
}

/// Returns true if `url` is a URL that would be matched in free text as well.
#[cfg(feature = "archive")]
pub(super) fn is_evident_url(url: &[u8], rules: &Rules) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else { return false };
    let headers_only = url[..colon].eq_ignore_ascii_case(b"mailto") && url[colon + 1..].starts_with(b"?");
    (headers_only || start::rule_met(url, colon, &rules.scan.schemes).is_some())
        && is_scheme(&url[..colon])
        && grammar::is_url(url)
}

/// Returns true if `url` contains punctuation that separates two URLs, or a `|`, after which chat
/// programs write a label: `<http://h.org/a|http://h.org/a>`.
fn has_separator(url: &[u8]) -> bool {
    // The `|` after a drive letter is the colon of old browsers: `file:///C|/a`.
    let drive = if url.starts_with(b"file:///") { b"file:///C".len() } else { url.len() };
    memchr::memchr3_iter(b',', b';', b'|', url)
        .any(|at| starts_url(&url[at + 1..]) || url[at] == b'|' && at != drive)
}

/// Returns true if `url` satisfies the rule for delimited URLs, which is weaker than the rule for
/// bare URLs after `file:` and `sip:`.
fn delimited_rule_met(url: &[u8], colon: usize, schemes: &Schemes) -> Option<Start> {
    let rest = &url[colon + 1..];
    match schemes.rule_of(&url[..colon]) {
        // `<File::Spec/tmpdir>` is a module.
        Some(SchemeRule::Path) if rest.starts_with(b":") => None,
        Some(SchemeRule::Path) if !rest.starts_with(b"//") && rest.iter().any(|b| b"/.".contains(b)) => {
            Some(Start::Closed(url.len(), url.len()))
        }
        Some(SchemeRule::Call) => start::rule_met(url, colon, schemes).or_else(|| {
            let reader =
                AuthorityReader { window: &Window::whole(url), limit: url.len() + 1, options: &ANY_TEXT };
            reader.dotted_host(colon + 1, 2).or_else(|| ip_address(reader.window, colon + 1))
        }),
        _ => start::rule_met(url, colon, schemes),
    }
}

/// Returns true if `url`, the joined text between delimiters, is a URL.
///
/// In a wrapper only the grammar decides, except that some schemes need `//`. Between other
/// delimiters a scheme without `//` is matched as in free text.
fn is_url(rejoin: &Rejoin<'_, '_>, url: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else { return false };
    if rejoin.form != Form::Wrapper && (has_separator(url) || url[colon..] == *b"://") {
        return false;
    }
    if has_host(url, colon) {
        return true;
    }
    let (name, schemes) = (&url[..colon], &rejoin.cx.rules.scan.schemes);
    if !url.is_ascii() && authority(url).is_some_and(|authority| has_broken_punycode(authority.host(), None))
    {
        return false;
    }
    let sound = match rejoin.form {
        Form::Wrapper => {
            url[colon..].starts_with(b"://")
                || !matches!(schemes.rule_of(name), Some(SchemeRule::Host | SchemeRule::Web))
        }
        _ => match delimited_rule_met(url, colon, schemes) {
            // A lone address or group: the grammar accepts it.
            Some(Start::Closed(end, _)) if end == url.len() => return is_scheme(name),
            start => start.is_some(),
        },
    };
    sound && is_scheme(name) && grammar::is_url(url)
}
