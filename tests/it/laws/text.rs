//! What holds for every text, whatever the finder's settings are.

use urlgrep::{Form, Hyphen, grammar};

use super::input::{Input, Settings, filler};
use super::told::Told;
use super::ways::{pushed, slice, streamed};

/// How many alternatives a find may have.
const ALTERNATIVES: usize = 8;

/// More empty lines than any block has bytes.
const LINES: [u8; 512] = [b'\n'; 512];

/// All of them.
pub fn hold(input: &Input<'_>) {
    let Input { settings, text, .. } = input;
    let whole = slice(&settings.finder(), text, Told::of);
    comes_in_pieces(input, &whole);
    needs_no_special_instructions(settings, text, &whole);
    concatenates(text, &whole);
    is_in_order(settings, &whole);
    is_a_url(&whole);
    is_found_alone(settings, &whole);
    counts_line_feeds(text, &whole);
}

/// Text in pieces gives what the whole text gives.
pub fn comes_in_pieces(input: &Input<'_>, whole: &[Told]) {
    let Input { settings, text, cuts, size, .. } = input;
    let finder = settings.finder();
    assert_eq!(streamed(&finder, text, *size, Told::of), whole, "a stream of {size}");
    assert_eq!(pushed(&finder, text, cuts, Told::of), whole, "cut at {cuts:?}");
    if let Some(len) = input.filler {
        let long = [&filler(len), *text].concat();
        let cuts = [len, len + cuts[0], len + cuts[1], len + cuts[2]];
        let whole = slice(&finder, &long, Told::of);
        assert_eq!(pushed(&finder, &long, &cuts, Told::of), whole, "behind {len} bytes, cut at {cuts:?}");
        needs_no_special_instructions(settings, &long, &whole);
    }
}

/// A processor without vectors finds the same.
///
/// Short texts are shorter than the blocks that are looked at with vectors, so
/// the text also stands between empty lines, somewhere in a block.
pub fn needs_no_special_instructions(settings: &Settings, text: &[u8], whole: &[Told]) {
    let (finder, portable) = (settings.finder(), settings.portable());
    assert_eq!(slice(&portable, text, Told::of), whole, "the portable finder");
    let (before, behind) = (&LINES[text.len() % LINES.len()..], &LINES);
    let long = [before, text, behind].concat();
    assert_eq!(slice(&portable, &long, Told::of), slice(&finder, &long, Told::of), "the portable finder");
}

/// Segments are ranges of the text, inside the span and in order, whose
/// concatenation is the URL.
pub fn concatenates(text: &[u8], whole: &[Told]) {
    for found in whole {
        let segments = &found.segments;
        let joined: Vec<u8> =
            segments.iter().flat_map(|s| text[s.start as usize..s.end as usize].to_vec()).collect();
        assert_eq!(joined, found.url, "{found:?}");
        assert!(segments.iter().all(|s| !s.is_empty()), "{found:?}");
        assert!(segments.is_sorted_by(|a, b| a.end <= b.start), "{found:?}");
        let (first, last) = (&segments[0], &segments[segments.len() - 1]);
        assert!(found.span.start <= first.start && last.end <= found.span.end, "{found:?}");
    }
}

/// Finds stand one behind the other. Only the readings of one find, where all are
/// wanted, stand at the same place.
pub fn is_in_order(settings: &Settings, whole: &[Told]) {
    for pair in whole.windows(2) {
        let [a, b] = pair else { unreachable!("windows of two") };
        let readings = settings.hyphen == Hyphen::Both && a.span == b.span && a.url != b.url;
        assert!(a.span.end <= b.span.start || readings, "{a:?}\n{b:?}");
    }
}

/// The grammar accepts the find and each of its alternatives, which are few and
/// none of them said twice.
pub fn is_a_url(whole: &[Told]) {
    for found in whole {
        assert!(found.alternatives.len() <= ALTERNATIVES, "{found:?}");
        let mut readings: Vec<&[u8]> = found.alternatives.iter().map(Vec::as_slice).collect();
        readings.push(&found.url);
        if found.has_scheme() {
            assert!(readings.iter().all(|url| grammar::assess(url).is_ok()), "{found:?}");
        }
        readings.sort_unstable();
        assert!(readings.is_sorted_by(|a, b| a < b), "{found:?}");
    }
}

/// A URL in a wrapper of its own is that URL, with nothing left out.
///
/// The limit counts the wrapper, so it must not be small here; and a host or an
/// address that has no scheme is nothing that a wrapper could be around.
pub fn is_found_alone(settings: &Settings, whole: &[Told]) {
    let finder = Settings { max_len: 2 * 65_536, ..settings.clone() }.finder();
    for found in whole.iter().filter(|found| found.has_scheme()) {
        let alone = [b"<URL:", &found.url[..], b">"].concat();
        let again = slice(&finder, &alone, Told::of);
        let is_it = |again: &Told| again.url == found.url && again.form == Form::Wrapper;
        assert!(again.len() == 1 && is_it(&again[0]), "{found:?}\n{again:?}");
        assert_eq!(again[0].span, 0..alone.len() as u64, "{found:?}");
    }
}

/// Lines and columns are counted from 1.
pub fn counts_line_feeds(text: &[u8], whole: &[Told]) {
    for found in whole {
        let before = &text[..found.span.start as usize];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
        let position = found.position.unwrap();
        assert_eq!((position.line, position.column), (line as u64, column as u64), "{found:?}");
    }
}
