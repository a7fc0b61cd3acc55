//! The laws of every text, for all settings of the finder.

use urlgrep::{Finder, Form, Hyphen, Iri, Match, grammar};

use super::input::{Input, Settings, filler};
use super::told::Told;
use super::ways::{pushed, slice, streamed};

/// How many alternatives a match may have.
const ALTERNATIVES: usize = 8;

/// More empty lines than any block has bytes.
const LINES: [u8; 512] = [b'\n'; 512];

/// Checks all laws of this file.
pub fn hold(input: &Input<'_>) {
    let Input { settings, text, .. } = input;
    let whole = slice(&settings.finder(), text, Told::of);
    comes_in_pieces(input, &whole);
    has_rows(&settings.finder(), text, &input.cuts);
    is_a_string_in_one(&settings.finder(), &String::from_utf8_lossy(text));
    needs_no_special_instructions(settings, text, &whole);
    concatenates(text, &whole);
    is_in_order(settings, &whole);
    is_a_url(&whole);
    is_found_alone(settings, &whole);
    counts_line_feeds(text, &whole);
}

/// A text in pieces has the same matches as the whole text.
pub fn comes_in_pieces(input: &Input<'_>, whole: &[Told]) {
    let Input { settings, text, cuts, size, .. } = input;
    let finder = settings.finder();
    assert_eq!(streamed(&finder, text, *size, Told::of), whole, "a stream of {size}");
    assert_eq!(pushed(&finder, text, cuts, Told::of), whole, "cut at {cuts:?}");
    if let Some(len) = input.filler {
        let long = [&filler(len), *text].concat();
        let cuts = [len, len + cuts[0], len + cuts[1], len + cuts[2]];
        let whole = slice(&finder, &long, Told::of);
        assert_eq!(pushed(&finder, &long, &cuts, Told::of), whole, "after {len} bytes, cut at {cuts:?}");
        needs_no_special_instructions(settings, &long, &whole);
    }
}

/// The rows between `cuts`, which are in order, have the matches that each of them has alone. Those before and
/// after a row in its buffer decide nothing.
pub fn has_rows(finder: &Finder, text: &[u8], cuts: &[usize]) {
    let bounds: Vec<_> = [&[0], cuts, &[text.len()]].concat();
    let rows = bounds.windows(2).map(|pair| pair[0]..pair[1]);
    // Backwards nearly each row is indexed by itself, and forwards all of them are at once.
    let (mut onwards, mut backwards) = (finder.batch(), finder.batch());
    for row in rows.clone() {
        let found: Vec<_> = onwards.find_iter(text, row.clone()).map(|m| Told::of(&m)).collect();
        assert_eq!(found, slice(finder, &text[row.clone()], Told::of), "row {row:?}");
    }
    for row in rows.rev() {
        let found: Vec<_> = backwards.find_iter(text, row.clone()).map(|m| Told::of(&m)).collect();
        assert_eq!(found, slice(finder, &text[row.clone()], Told::of), "row {row:?}, backwards");
    }
}

/// A string has the same matches as its bytes, and their URLs and parts are strings.
pub fn is_a_string_in_one(finder: &Finder, text: &str) {
    let bytes: Vec<_> = finder.find_iter(text.as_bytes()).collect();
    let strings: Vec<_> = finder.find_iter(text).collect();
    assert_eq!(strings.len(), bytes.len());
    assert_eq!(finder.find(text).as_ref(), strings.first());
    for (string, bytes) in strings.into_iter().zip(bytes) {
        let parts = [string.url_path(), string.query(), string.fragment(), Some(string.without_fragment())];
        let of_bytes = [bytes.url_path(), bytes.query(), bytes.fragment(), Some(bytes.without_fragment())];
        assert_eq!(parts.map(|part| part.map(str::as_bytes)), of_bytes);
        assert_eq!((string.as_str(), string.href().as_bytes()), (bytes.to_str().unwrap(), &*bytes.href()));
        let others: Vec<_> = string.alternatives().into_iter().map(String::into_bytes).collect();
        assert_eq!(others, bytes.alternatives());
        assert_eq!(string.into_bytes(), bytes);
    }
}

/// A processor without vector instructions has the same matches.
///
/// Short texts are shorter than the blocks that are read with vector instructions. So
/// the text is also searched between empty lines, somewhere in a block.
pub fn needs_no_special_instructions(settings: &Settings, text: &[u8], whole: &[Told]) {
    let (finder, portable) = (settings.finder(), settings.portable());
    assert_eq!(slice(&portable, text, Told::of), whole, "the portable finder");
    let (before, after) = (&LINES[text.len() % LINES.len()..], &LINES);
    let long = [before, text, after].concat();
    assert_eq!(slice(&portable, &long, Told::of), slice(&finder, &long, Told::of), "the portable finder");
}

/// Segments are ranges of the text, in order and inside the span. Their concatenation is
/// the URL, or JSON's escapes of it, character references or quoted-printable, perhaps in windows-1252. A URL
/// within another one may be encoded in other ways.
pub fn concatenates(text: &[u8], whole: &[Told]) {
    for m in whole.iter().filter(|m| m.form != Form::Nested) {
        let pieces = &m.pieces;
        let joined: Vec<u8> =
            pieces.iter().flat_map(|s| text[s.start as usize..s.end as usize].to_vec()).collect();
        let (joined, url) = (of_latin(&joined), of_latin(&m.url));
        let json = of_json(&joined);
        let quoted = |query| Some(of_quoted_printable(&joined, query));
        let decoded = [
            of_references(&joined),
            json.as_deref().and_then(of_references),
            json,
            quoted(true),
            quoted(false),
        ];
        // Between delimiters, the escape of a delimiter is kept, and other escapes are decoded.
        let meaning = |text: &[u8]| {
            let text = of_unicode_escapes(text).unwrap_or_else(|| text.to_vec());
            of_references(&text).unwrap_or(text)
        };
        let is_escaped = meaning(&joined) == meaning(&url);
        assert!(joined == url || is_escaped || decoded.contains(&Some(url)), "{m:?}");
        assert!(pieces.iter().all(|s| !s.is_empty()), "{m:?}");
        assert!(pieces.is_sorted_by(|a, b| a.end <= b.start), "{m:?}");
        let (first, last) = (&pieces[0], &pieces[pieces.len() - 1]);
        assert!(m.span.start <= first.start && last.end <= m.span.end, "{m:?}");
    }
}

/// What `text` means if the bytes that are not UTF-8 are letters of windows-1252.
fn of_latin(text: &[u8]) -> Vec<u8> {
    let letter = |byte: &u8| match byte {
        0x9A => 'š',
        0x9C => 'œ',
        0x9E => 'ž',
        _ => char::from(*byte),
    };
    let chunks = text.utf8_chunks();
    let text = chunks.flat_map(|chunk| chunk.valid().chars().chain(chunk.invalid().iter().map(letter)));
    text.collect::<String>().into_bytes()
}

/// What `text` means as a string of JSON, if it is one.
fn of_json(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    let string: String = serde_json::from_str(&format!("\"{text}\"")).ok()?;
    Some(string.into_bytes())
}

/// Decodes `\uNNNN` in `text`, also in JSON in a JSON string, and keeps other backslashes, as a frame does.
fn of_unicode_escapes(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    let others = text.replace(r"\\u", r"\u").replace('\\', r"\\").replace(r"\\u", r"\u").replace('"', "\\\"");
    of_json(others.as_bytes())
}

/// `text` with the escapes of quoted-printable (RFC 2045 §6.7) decoded, or only those before its query.
fn of_quoted_printable(text: &[u8], query: bool) -> Vec<u8> {
    let (mut decoded, mut at, mut is_encoded) = (Vec::new(), 0, true);
    while at < text.len() {
        let digits = text.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let byte = byte.filter(|_| is_encoded && text[at] == b'=');
        decoded.push(byte.unwrap_or(text[at]));
        at += if byte.is_some() { 3 } else { 1 };
        is_encoded &= query || decoded.last() != Some(&b'?');
    }
    decoded
}

/// What `text` means if its character references are those of characters that a URL may have.
fn of_references(text: &[u8]) -> Option<Vec<u8>> {
    const NAMES: [(&str, char); 14] = [
        ("amp", '&'),
        ("apos", '\''),
        ("sol", '/'),
        ("colon", ':'),
        ("period", '.'),
        ("equals", '='),
        ("quest", '?'),
        ("num", '#'),
        ("lowbar", '_'),
        ("percnt", '%'),
        ("commat", '@'),
        ("lpar", '('),
        ("rpar", ')'),
        ("nbsp", '\u{A0}'),
    ];
    let text = std::str::from_utf8(text).ok()?;
    let mut parts = text.split('&');
    let mut decoded = parts.next()?.to_owned();
    for part in parts {
        let reference = part.split_once(';').and_then(|(name, rest)| {
            let number =
                |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
            let c = match name.strip_prefix('#') {
                Some(hex) if hex.starts_with(['x', 'X']) => number(&hex[1..], 16)?,
                Some(digits) => number(digits, 10)?,
                None => NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?.1,
            };
            Some(format!("{c}{rest}"))
        });
        decoded += &reference.unwrap_or_else(|| format!("&{part}"));
    }
    Some(decoded.into_bytes())
}

/// The match at an offset is the one of a search that covers it, or that starts there in the rest of the text: at every
/// third offset, for the time it takes. Where
/// there is none, there is a reason: that takes ten searches, and so every fifteenth is enough.
pub fn is_at_offsets(settings: &Settings, text: &[u8]) {
    let finder = settings.finder();
    let of = |m: &Match<'_>| (m.span(), m.as_bytes().to_vec());
    let whole = slice(&finder, text, of);
    for offset in (0..=text.len()).step_by(3) {
        let covers = |(span, _): &&(std::ops::Range<u64>, _)| span.contains(&(offset as u64));
        let found = finder.find_covering(text, offset);
        assert_eq!(found.as_ref().map(of).as_ref(), whole.iter().find(covers), "at {offset}");
        let first = finder.find(&text[offset..]).filter(|m| m.start() == 0);
        let shifted = |m: &Match<'_>| (offset + m.end(), m.url_range().start + offset, m.as_bytes().to_vec());
        let anchored = finder.match_at(text, offset);
        let told = anchored.as_ref().map(|m| (m.end(), m.url_range().start, m.as_bytes().to_vec()));
        assert_eq!(told, first.as_ref().map(shifted), "at {offset}");
        if offset % 15 == 0 {
            let explained = finder.explain_at(text, offset);
            assert_eq!(explained.matched().map(of), found.as_ref().map(of), "at {offset}");
            assert_eq!(explained.why_not().is_none(), found.is_some(), "at {offset}");
            assert!(explained.out_of_place().is_none_or(|at| at <= text.len()), "at {offset}");
            assert!(!explained.to_string().is_empty());
        }
    }
}

/// Matches are in order and do not overlap, except that all readings of one URL, if they
/// are asked for, have the same span, and that a URL within another one follows that.
pub fn is_in_order(settings: &Settings, whole: &[Told]) {
    let (nested, whole): (Vec<_>, Vec<_>) = whole.iter().partition(|m| m.form == Form::Nested);
    let is_within =
        |inner: &Told, outer: &Told| outer.span.start <= inner.span.start && inner.span.end <= outer.span.end;
    assert!(nested.iter().all(|inner| whole.iter().any(|outer| is_within(inner, outer))), "{nested:?}");
    for pair in whole.windows(2) {
        let [a, b] = pair else { unreachable!("windows of two") };
        let readings = settings.hyphen == Hyphen::Both && a.span == b.span && a.url != b.url;
        assert!(a.span.end <= b.span.start || readings, "{a:?}\n{b:?}");
    }
}

/// The grammar accepts the match and each of its alternatives. These are few, and no two
/// of them are equal.
pub fn is_a_url(whole: &[Told]) {
    for m in whole {
        assert!(m.alternatives.len() <= ALTERNATIVES, "{m:?}");
        let mut readings: Vec<&[u8]> = m.alternatives.iter().map(Vec::as_slice).collect();
        readings.push(&m.url);
        if m.is_complete() {
            assert!(readings.iter().all(|url| grammar::assess(url).is_ok()), "{m:?}");
        }
        readings.sort_unstable();
        assert!(readings.is_sorted_by(|a, b| a < b), "{m:?}");
    }
}

/// A matched URL in a wrapper of its own is matched as a whole.
///
/// The limit includes the wrapper, so it must not be small here. Hosts and addresses
/// without a scheme are left out, since they are not matched in a wrapper. So are URLs with U+200B, which
/// `--iri=all` has as UTS #58 wants, and which a wrapper may have anywhere as whitespace.
pub fn is_found_alone(settings: &Settings, whole: &[Told]) {
    let finder = Settings { max_len: 2 * 65_536, nested: false, ..settings.clone() }.finder();
    let has_whitespace = |url: &[u8]| url.windows(3).any(|bytes| bytes == "\u{200B}".as_bytes());
    // The wrapper would decode a reference again: `&amp;`, or one that a bare URL keeps because its character
    // cannot be there. A backslash at the end would escape the closing bracket.
    let has_entity =
        |url: &[u8]| of_references(url).is_some_and(|decoded| decoded != url) || url.ends_with(b"\\");
    for m in whole.iter().filter(|m| m.is_complete() && (settings.iri != Iri::All || !has_whitespace(&m.url)))
    {
        if has_entity(&m.url) || m.form == Form::Nested {
            continue;
        }
        let alone = [b"<URL:", &m.url[..], b">"].concat();
        // Bytes that are no UTF-8 were kept, because their line was no windows-1252. With UTF-8 after it, this one is none.
        let line = [&alone[..], if str::from_utf8(&m.url).is_ok() { b"" } else { " ü".as_bytes() }].concat();
        let again = slice(&finder, &line, Told::of);
        // The wrapper also decodes the escapes of TeX and Markdown again; the URL as written is another reading.
        let is_read = |again: &Told| again.url == m.url || again.alternatives.contains(&m.url);
        let is_it = |again: &Told| is_read(again) && again.form == Form::Wrapper;
        assert!(again.len() == 1 && is_it(&again[0]), "{m:?}\n{again:?}");
        assert_eq!(again[0].span, 0..alone.len() as u64, "{m:?}");
    }
}

/// Lines and columns are counted from 1.
pub fn counts_line_feeds(text: &[u8], whole: &[Told]) {
    for m in whole {
        let before = &text[..m.span.start as usize];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
        let position = m.position.unwrap();
        assert_eq!((position.line, position.column), (line as u64, column as u64), "{m:?}");
    }
}
