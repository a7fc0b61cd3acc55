//! The one fast path: plain URLs, which do not need the rules.
//!
//! For nine of ten URLs, the rules of `appendix` have nothing to decide. A few [masks](Masks) show
//! whether a URL is such a plain URL. Reading it by the rules takes ten times as long.
//!
//! # Assumptions
//!
//! The rules would match every plain URL in the same way, and every URL that is not
//! certainly plain is left to the rules. Tests check this on generated text. All of the
//! following must be true:
//!
//! | subject | condition | checked by |
//! |---|---|---|
//! | the options | bare URLs are not joined; defanged ones are not searched for; URLs may be [`LONGEST`] bytes long; no name is known that is a suffix of `http`, `https` or `ftp`; matches need not say why they end | [`suits`] |
//! | the scheme | `http`, `https` or `ftp` in lower case, with `://`, and before it no byte that may be part of a scheme | `AroundColon::read`, [`close`] |
//! | before it | `<` or `"` that is closed directly after the URL or certainly not at all; the prefix `URL:`; or a byte that is neither a delimiter nor punctuation | [`close`] |
//! | the host | labels that are not empty and do not start with a hyphen, a letter or digit at the end, perhaps a port | `has_host` |
//! | the rest | a path of bytes that a URL always contains, perhaps a query, no character reference | [`around`] |
//! | the text | [`FORWARD`] bytes from the colon on, or it is short: then [`START`] is before it and [`END`] after it | [`Edges::read`] |
//! | the end | a byte that ends every URL, and before it a letter, a digit or a single `/`, perhaps with one full stop between | [`end_of`] |
//!
//! # Savings
//!
//! `cargo bench -p urlgrep-benches --bench ratios` has a row for each corpus, and the column `rules` is
//! the same search without this module. `docs/design/fast-search.md` lists the numbers.

use std::ops::Range;

use crate::appendix::Rules;
use crate::appendix::literal::may_continue_in_string;
use crate::appendix::paren::{has_bracket, may_be_listed, may_end_line};
use crate::appendix::target::{is_followed, may_be_target};
use crate::bytes::class::{
    ALPHADIGIT, BLANK, BREAK, Class, INSIDE, PREFIX, SCHEME, SLASH, SPACE, byte_table,
};
use crate::matches::form::{Form, Join};
use crate::scan::{PREFIX_LEN, index::Shortcut};
use crate::simd::{Backend, Masks, WIDTH};

/// The number of bytes before a colon that are read at once.
const BACKWARD: usize = 8;

/// The schemes of plain URLs.
const SCHEMES: [&[u8]; 3] = [b"http", b"https", b"ftp"];

const SLASHES: &[u8] = b"://";

/// The number of bytes that are read after `://`: two words, the byte that ends the URL, and
/// the one after it.
const REACH: usize = 2 * WIDTH + 1;

/// The number of bytes from a colon on that are read at once: after the colon of a prefix there
/// may be the longest scheme.
const FORWARD: usize = 1 + b"https://".len() + REACH;

/// The maximum length of a plain URL, its delimiters included.
const LONGEST: usize = BACKWARD + FORWARD;

/// Returns true if the assumptions about the options are true for these rules.
pub(crate) fn suits(rules: &Rules) -> bool {
    let read_whole = |name: &&[u8]| {
        let suffix = rules.scan.schemes.longest_suffix(name, 0, name.len());
        suffix.is_none_or(|(len, _)| len == name.len())
    };
    rules.join != Join::Likely
        && !rules.explain
        && !rules.scan.refang
        && !rules.scan.invalid
        && rules.max_len >= LONGEST
        && SCHEMES.iter().all(read_whole)
}

/// A plain URL around a colon, which belongs to its scheme or to the prefix before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    form: Form,
    /// The number of bytes of the match that are before the colon.
    before: u8,
    /// The number of bytes of it that are after the colon, which is not counted.
    after: u8,
}

impl Plain {
    /// The range of the match whose colon is at `colon`.
    #[inline(always)]
    pub(crate) fn span(self, colon: usize) -> Range<usize> {
        colon - usize::from(self.before)..colon + 1 + usize::from(self.after)
    }

    /// The URL in `span`, and its form.
    #[inline(always)]
    pub(crate) fn url(self, span: &Range<usize>) -> (Range<usize>, Form) {
        let (open, close) = match self.form {
            Form::Wrapper => (b"<URL:".len(), 1),
            Form::Angle => (1, 1),
            Form::Prefixed => (b"URL:".len(), 0),
            _ => (0, 0),
        };
        (span.start + open..span.end - close, self.form)
    }
}

/// The fast path as a shortcut of the index: recognises plain URLs if it is on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainUrls {
    pub(crate) on: bool,
}

impl Shortcut for PlainUrls {
    type Output = Plain;

    #[inline(always)]
    fn around<B: Backend>(&self, backend: B, bytes: &[u8], colon: usize) -> Option<Plain> {
        if !self.on {
            return None;
        }
        let near = (bytes[..colon].last_chunk()?, bytes[colon..].first_chunk()?);
        around(backend, near, (bytes, colon)).map(|(plain, _)| plain)
    }

    #[inline(always)]
    fn near_edges<B: Backend>(&self, backend: B, bytes: &[u8], colon: usize, ends: bool) -> Option<Plain> {
        let may_open = bytes[colon..].starts_with(SLASHES) || bytes[..colon].ends_with(b"URL");
        if !self.on || !may_open {
            return None;
        }
        let mut edges = Edges([END; BACKWARD + FORWARD]);
        edges.read(bytes, colon);
        let (plain, looked) = around(backend, edges.near(), (bytes, colon))?;
        // A match is final only if all bytes that decide its end are buffered.
        (ends || plain.span(colon).start >= 2 && colon + looked <= bytes.len()).then_some(plain)
    }
}

/// The byte before the start of a short text: neither a delimiter nor punctuation.
const START: u8 = 0;

/// The byte after the end of a short text. A line feed ends every line and every URL.
const END: u8 = b'\n';

/// The bytes around a colon of a short text.
struct Edges([u8; BACKWARD + FORWARD]);

impl Edges {
    #[inline(always)]
    fn read(&mut self, bytes: &[u8], colon: usize) {
        let Edges(edges) = self;
        let (before, after) = bytes.split_at(colon);
        let after = &after[..after.len().min(FORWARD)];
        match before.last_chunk::<BACKWARD>() {
            Some(backward) => edges[..BACKWARD].copy_from_slice(backward),
            None => {
                edges[..BACKWARD].fill(START);
                edges[BACKWARD - before.len()..BACKWARD].copy_from_slice(before);
            }
        }
        edges[BACKWARD..BACKWARD + after.len()].copy_from_slice(after);
    }

    #[inline(always)]
    fn near(&self) -> (&[u8; BACKWARD], &[u8; FORWARD]) {
        let (backward, forward) = self.0.split_first_chunk().expect("it is longer");
        (backward, forward.try_into().expect("it is as long as both"))
    }
}

/// The plain URL around the colon at `colon` of `bytes`, if any, and the number of bytes from the
/// colon on that decided this. `backward` and `forward` are the bytes before and after it.
///
/// The end depends on the byte after the URL and the next one. Bytes beyond these two are read only
/// to look for another URL, which missing bytes cannot contain, or for a reason to leave the URL to
/// the rules, and missing bytes are always such a reason.
#[inline(always)]
fn around<B: Backend>(
    backend: B,
    (backward, forward): (&[u8; BACKWARD], &[u8; FORWARD]),
    (bytes, colon): (&[u8], usize),
) -> Option<(Plain, usize)> {
    let AroundColon { before, host, prefixed } = AroundColon::read(backward, forward)?;
    let block: &[u8; REACH] = forward[host..].first_chunk()?;
    let first = backend.masks(block.first_chunk()?);
    let mut run = first.run.trailing_ones() as usize;
    let mut has_colon = false;
    if run == WIDTH {
        let second = backend.masks(block[WIDTH..].first_chunk()?);
        let more = second.run.trailing_ones() as usize;
        if more == WIDTH || block[run + more] == b';' && has_any(second.ampersands, more) {
            return None;
        }
        has_colon = has_any(second.colons, more);
        run += more;
    }
    let [.., far, last] = backward[..BACKWARD - before] else {
        return None;
    };
    let stop = [block[run], block[run + 1]];
    let angle = close(far, last, stop, prefixed, (bytes, colon - before))? == Some(b'>');
    let may_continue = stop[0] == b'"' && may_continue_in_string(&block[run + 1..])
        || may_be_target(far, last) && is_followed(&block[run..]);
    if may_continue || !has_host(&first, block, run) || block[run] == b';' && has_any(first.ampersands, run) {
        return None;
    }
    // Another URL may follow without a space.
    has_colon |= has_any(first.colons & !(1 << first.host.trailing_ones()), run);
    if has_colon && !angle && block[..run].windows(SLASHES.len()).any(|bytes| bytes == SLASHES) {
        return None;
    }
    // Links in Markdown and links within backticks are not trimmed.
    let trims = block[run - 1] == b'.' && (last == b'`' || [far, last] == *b"](");
    let end = if angle { run } else { end_of(block, run, first.host.trailing_ones()).filter(|_| !trims)? };
    let form = form_of(prefixed, angle);
    let bracket = usize::from(angle);
    let plain = Plain { form, before: (before + bracket) as u8, after: (host - 1 + end + bracket) as u8 };
    Some((plain, host + run + 2))
}

/// The form of a URL, by the text before it.
#[inline(always)]
fn form_of(prefixed: bool, angle: bool) -> Form {
    match (prefixed, angle) {
        (true, true) => Form::Wrapper,
        (true, false) => Form::Prefixed,
        (false, true) => Form::Angle,
        (false, false) => Form::Bare,
    }
}

/// The bytes around a colon where a URL may start.
struct AroundColon {
    /// The length of the scheme before it, or the prefix.
    before: usize,
    /// The number of bytes from the colon on that precede the host.
    host: usize,
    /// True if it is the colon of the prefix.
    prefixed: bool,
}

impl AroundColon {
    #[inline(always)]
    fn read(backward: &[u8; BACKWARD], forward: &[u8; FORWARD]) -> Option<Self> {
        if let Some(before) = scheme(backward) {
            let host = SLASHES.len();
            return forward.starts_with(SLASHES).then_some(AroundColon { before, host, prefixed: false });
        }
        if !backward.ends_with(b"URL") {
            return None;
        }
        let host = 1 + starts_url(&forward[1..])?;
        Some(AroundColon { before: PREFIX_LEN, host, prefixed: true })
    }
}

/// The length of the scheme and `://` at the start of `text`, if a plain URL may start like this.
#[inline(always)]
fn starts_url(text: &[u8]) -> Option<usize> {
    let begins = |name: &&&[u8]| text.starts_with(name) && text[name.len()..].starts_with(SLASHES);
    SCHEMES.iter().find(begins).map(|name| name.len() + SLASHES.len())
}

/// The length of the scheme of a plain URL at the end of `backward`.
#[inline(always)]
fn scheme(backward: &[u8; BACKWARD]) -> Option<usize> {
    let word = u64::from_le_bytes(*backward);
    // The matching scheme cannot be predicted, so this code does not branch on it.
    let len = SCHEMES.iter().fold(0, |len, name| len + name.len() * usize::from(ends_with(word, name)));
    (len > 0).then_some(len)
}

#[inline(always)]
fn ends_with(word: u64, name: &[u8]) -> bool {
    let name_word = name.iter().rev().fold(0, |word, &b| word << 8 | u64::from(b));
    word >> (64 - 8 * name.len()) == name_word
}

/// Returns true if the first `run` bytes of `block` are a host, optionally with a port and a path.
/// The rules know more kinds of hosts.
#[inline(always)]
fn has_host(masks: &Masks, block: &[u8; REACH], run: usize) -> bool {
    let host = masks.host.trailing_ones() as usize;
    if host == 0 || host == WIDTH {
        return false;
    }
    let within = (1_u64 << host) - 1;
    // Labels start at the first byte, and after each dot.
    let begins = masks.dots << 1 | 1;
    let is_sound =
        begins & (masks.dots | masks.hyphens) & within == 0 && block[host - 1].is_ascii_alphanumeric();
    let port = if block[host] == b':' { 1 + digits(block, host + 1) } else { 0 };
    // A host of one label may be a placeholder.
    let alone = host + port == run && (port > 0 || masks.dots & within != 0 || block[run] != b'\\');
    is_sound && port != 1 && (block[host + port] == b'/' || alone)
}

/// Returns the number of digits at `at` of `block`, up to eight.
#[inline(always)]
fn digits(block: &[u8; REACH], at: usize) -> usize {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    let word = block[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    // The upper half of a digit is 3, and stays 3 when 6 is added. This is not true for other
    // bytes, unless a byte before them is not ASCII, and then that byte is not a digit.
    let differs = (word & word.wrapping_add(6 * EACH) & (0xF0 * EACH)) ^ (0x30 * EACH);
    differs.trailing_zeros() as usize / 8
}

/// The number of bytes before a URL in which quote characters are read.
const MAX_PREFIX_LEN: usize = 32;

/// The byte that must close the delimiter `last` before a URL, if `last` is a delimiter; `None` if
/// the rules have to decide. `far` is the byte before `last`, and `stop` contains the two bytes
/// after the URL.
///
/// The byte before a URL may be a delimiter, part of a scheme, or punctuation. If it is whitespace,
/// a bracket or quote characters may precede it. One or two bytes nearly always rule these out.
///
/// If the URL has a prefix, `last` and `far` are the bytes before the prefix.
#[inline(always)]
fn close(
    far: u8,
    last: u8,
    stop: [u8; 2],
    prefixed: bool,
    (bytes, start): (&[u8], usize),
) -> Option<Option<u8>> {
    match LEADS[last as usize] {
        // A line may end within round or square brackets as well.
        Lead::Bracket(close) if stop[0] == close || !may_end_line(stop) => Some(None),
        Lead::LinePrefix | Lead::Nothing
            if may_end_line(stop) && may_be_listed(far, last) && has_bracket(bytes, start) =>
        {
            None
        }
        Lead::Open(close) if stop[0] == close => Some(Some(close)),
        Lead::Open(close) if may_reach_close(close, stop) => None,
        Lead::Open(_) | Lead::Nothing => Some(None),
        Lead::LinePrefix if parts(far, last) || is_lonely(bytes, start) => Some(None),
        Lead::Joint if !prefixed && far < 0x80 && !SCHEME.has(far) => Some(None),
        _ => None,
    }
}

/// Returns true if a URL that continues with `stop` may extend to the delimiter `close`. If
/// not, the byte before the URL is not an opening delimiter.
#[inline(always)]
fn may_reach_close(close: u8, [stop, next]: [u8; 2]) -> bool {
    match (close, stop) {
        // A quoted URL on one line is bare.
        (b'"', b' ' | b'\t') => SPACE.has(next),
        (b'"', b'\n') => next != b'"',
        (b'>', b'"') => true,
        _ if SPACE.has(stop) => next != b'<',
        _ => INSIDE.has(stop),
    }
}

/// Returns true if `lead` is whitespace after a byte that is neither a delimiter nor punctuation.
/// This makes most calls of [`is_lonely`] unnecessary.
#[inline(always)]
fn parts(far: u8, lead: u8) -> bool {
    match lead {
        b' ' => FARS[far as usize] == Far::Nothing,
        b'\n' => FARS[far as usize] != Far::Bracket,
        _ => false,
    }
}

/// The effect of a byte before the space that precedes a URL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Far {
    Nothing,
    /// A quote character, if it is on the same line.
    Quote,
    /// An opening bracket, or whitespace after one.
    Bracket,
}

static FARS: [Far; 256] = byte_table!(far);

const fn far(b: u8) -> Far {
    match b {
        b'<' => Far::Bracket,
        b if SPACE.has(b) => Far::Bracket,
        b if PREFIX.has(b) => Far::Quote,
        _ => Far::Nothing,
    }
}

/// Returns true unless a bracket, a list that may be in one, or a prefix precedes the whitespace and quote
/// characters before `start`.
#[inline(never)]
fn is_lonely(bytes: &[u8], start: usize) -> bool {
    let text = &bytes[start.saturating_sub(MAX_PREFIX_LEN)..start];
    let end = |is_passed: fn(u8) -> bool| text.iter().rposition(|&b| !is_passed(b)).map(|n| n + 1);
    let Some(inner) = end(|b| BLANK.has(b)) else {
        return false;
    };
    match text[inner - 1] {
        b'<' | b':' | b'/' | b'(' | b'[' | b',' | b';' => false,
        b if BREAK.has(b) => ends_openly(&text[..inner]),
        b if !PREFIX.has(b) => true,
        // Initials may be part of a line prefix.
        _ => match end(|b| BLANK.has(b) || PREFIX.has(b) || b.is_ascii_alphanumeric()) {
            Some(prefix) if BREAK.has(text[prefix - 1]) => ends_openly(&text[..prefix]),
            Some(_) => true,
            None => false,
        },
    }
}

/// Returns true if `text`, whose last byte is a break, has a line before the break that does
/// not end in a bracket.
fn ends_openly(text: &[u8]) -> bool {
    let ([line @ .., b'\r', b'\n'] | [line @ .., _]) = text else {
        return false;
    };
    line.last().is_some_and(|&b| b != b'<' && !BLANK.has(b))
}

/// The effect of the byte before a URL.
#[derive(Clone, Copy)]
enum Lead {
    Nothing,
    /// Delimits the URL, if this byte follows the URL.
    Open(u8),
    /// Encloses the URL and the text after it, if this byte does not follow the URL.
    Bracket(u8),
    /// Whitespace or a quote character, which may hide an opening bracket before it.
    LinePrefix,
    /// Continues a scheme only after another byte of a scheme.
    Joint,
    /// Belongs to the scheme or to a prefix, or quotes the URL.
    Part,
}

static LEADS: [Lead; 256] = byte_table!(lead);

const fn lead(b: u8) -> Lead {
    match b {
        b'<' => Lead::Open(b'>'),
        b'"' => Lead::Open(b'"'),
        b'(' => Lead::Bracket(b')'),
        b'[' => Lead::Bracket(b']'),
        b'+' | b'-' | b'.' => Lead::Joint,
        b':' | b'/' | b'\'' | 0x80.. => Lead::Part,
        b if SCHEME.has(b) => Lead::Part,
        b if PREFIX.has(b) || SPACE.has(b) => Lead::LinePrefix,
        _ => Lead::Nothing,
    }
}

/// Returns true if the mask of a word has any of its first `run` bytes. If `;` follows them, an ampersand among them
/// may start a character reference; a plain URL does not contain references, so only its end matters.
#[inline(always)]
fn has_any(mask: u64, run: usize) -> bool {
    let within = if run < WIDTH { (1 << run) - 1 } else { u64::MAX };
    mask & within != 0
}

/// Returns the end of the URL in the first `run` bytes of `block`, whose host has `host` bytes, if
/// the end is certain.
///
/// The byte after the run decides, sometimes with the one after that. At most one full
/// stop is trimmed from a plain URL.
#[inline(always)]
fn end_of(block: &[u8; REACH], run: usize, host: u32) -> Option<usize> {
    let stops = match STOPS[block[run] as usize] {
        AfterRun::Hard => true,
        AfterRun::BeforeSpace => SPACE.has(block[run + 1]) || starts_url(&block[run + 1..]).is_some(),
        AfterRun::Unsure => false,
    };
    let end = run - usize::from(block[run - 1] == b'.');
    // Two slashes may close what two slashes opened.
    let twice = block[..end].ends_with(b"//");
    // A position in a program may follow the name of its file.
    let is_position = block[end - 1].is_ascii_digit()
        && ends_in_number(block.get(host as usize + 1..end).unwrap_or_default());
    // `cat -v` shows the carriage return of a line break in this way.
    let is_return = block[..end].ends_with(b"^M");
    (stops && LAST.has(block[end - 1]) && !twice && !is_position && !is_return).then_some(end)
}

/// Returns true if `url` ends in a colon and digits.
#[inline]
fn ends_in_number(url: &[u8]) -> bool {
    let digits = url.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    url[..url.len() - digits].last() == Some(&b':')
}

/// The bytes that are never trimmed from the end of a URL.
const LAST: Class = ALPHADIGIT.or(SLASH);

/// The effect of the byte after a run on a URL.
#[derive(Clone, Copy)]
enum AfterRun {
    /// Ends the URL always.
    Hard,
    /// Ends the URL if whitespace or another URL follows.
    BeforeSpace,
    Unsure,
}

static STOPS: [AfterRun; 256] = byte_table!(stop);

const fn stop(b: u8) -> AfterRun {
    match b {
        // A backslash or an escape character may start a notation.
        b'\\' | 0x1B => AfterRun::Unsure,
        ..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b')' | b']' | b'}' => AfterRun::Hard,
        b',' | b';' => AfterRun::BeforeSpace,
        _ => AfterRun::Unsure,
    }
}

/// Shows which URLs are plain, and which are left to the rules.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, Simd};

    struct Around<'b>(&'b [u8], usize);

    impl Kernel for Around<'_> {
        type Output = Option<Plain>;

        fn run<B: Backend>(self, backend: B) -> Option<Plain> {
            PlainUrls { on: true }.around(backend, self.0, self.1)
        }
    }

    struct NearEdges<'b>(&'b [u8], usize, bool);

    impl Kernel for NearEdges<'_> {
        type Output = Option<Plain>;

        fn run<B: Backend>(self, backend: B) -> Option<Plain> {
            PlainUrls { on: true }.near_edges(backend, self.0, self.1, self.2)
        }
    }

    /// The plain URL in `text`, with its brackets, if any. Prose is put around the text.
    fn plain(text: &str) -> Option<String> {
        let text = format!("some prose{text}{}", " and".repeat(40));
        let colon = text.find(':')?;
        let [plain, same] =
            [Simd::detect(), Simd::generic()].map(|simd| simd.run(Around(text.as_bytes(), colon)));
        assert_eq!(plain, same);
        let plain = plain?;
        Some(text[plain.span(colon)].to_owned())
    }

    #[test]
    fn what_is_plain() {
        let long = format!("http://h.org/{}&b?c", "a".repeat(WIDTH));
        for (text, url) in [
            (&*format!(" {long} "), &*long),
            (" http://h.org/a ", "http://h.org/a"),
            ("\nftp://h.org/pub/\n", "ftp://h.org/pub/"),
            ("\r\n  https://www.h-1.org\r\n", "https://www.h-1.org"),
            ("(http://h.org/a)", "http://h.org/a"),
            ("\"http://h.org/a?b=c&d=e\"", "http://h.org/a?b=c&d=e"),
            ("<http://h.org/a.>", "<http://h.org/a.>"),
            (" http://h/a, ", "http://h/a"),
            ("\n> AB> http://h.org/a\n", "http://h.org/a"),
            (" b/\nhttp://h.org/a\n", "http://h.org/a"),
            (" (+http://h.org:80/a)", "http://h.org:80/a"),
            (" http://h:8080, ", "http://h:8080"),
            (" http://h ", "http://h"),
            (" http://h/a,ftp://h/b ", "http://h/a"),
            ("<http://h/a <b>", "http://h/a"),
            ("<URL:http://h/a\n<b>", "URL:http://h/a"),
            ("\"http://h/a b\"", "http://h/a"),
            ("\"http://h/a\n\"", "http://h/a"),
            ("<p>http://h.org/a</p>", "http://h.org/a"),
            (" http://h.org/a.html. ", "http://h.org/a.html"),
            (" <URL:http://h.org/a.>.", "<URL:http://h.org/a.>"),
            (" URL:ftp://h.org/a, ", "URL:ftp://h.org/a"),
            ("\"http://h.org/a\"\n\"http://h.org/b\"", "http://h.org/a"),
            ("(URL:https://h.org/a)", "URL:https://h.org/a"),
        ] {
            assert_eq!(plain(text).as_deref(), Some(url), "{text:?}");
        }
    }

    #[test]
    fn what_the_rules_have_to_decide() {
        let long = format!(" http://h.org/{} ", "a".repeat(2 * WIDTH));
        // The last byte of a word, and the first of the next.
        let [last, next] = [WIDTH - 1, WIDTH].map(|at| {
            let path = "a".repeat(at - "h.org/".len());
            format!(" http://h.org/{path}&gt; ")
        });
        let odd = [&*long, &last, &next];
        for text in FOR_THE_RULES.into_iter().chain(odd) {
            assert_eq!(plain(text), None, "{text:?}");
        }
    }

    /// Texts with a URL that is not plain, or not certainly.
    const FOR_THE_RULES: [&str; 40] = [
        " gopher://h.org/ ",
        "x+http://h.org/ ",
        "é-http://h.org/ ",
        "xhttp://h.org/ ",
        "éhttp://h.org/ ",
        "'http://h.org/a' ",
        "<\n> http://h.org/>",
        "<\nhttp://h.org/>",
        "< http://h.org/>",
        "URL: http://h.org/ ",
        "<http://h.org/ ",
        "<http://h.org/\"a>",
        "<http://h.org/)a>",
        "\"http://h.org/ \n",
        "<URL:http://h.org/ ",
        "<URL:http://h.org/\n> a>",
        "< URL:http://h.org/>",
        "-URL:http://h.org/ ",
        "<url:http://h.org/>",
        "\"http://h.org/a\n",
        " http://h\\",
        " http://www.\" ",
        " http://-h.org/ ",
        " http://h..org/ ",
        " http://h.-org/ ",
        " http://h.org./ ",
        " http://h.org:/ ",
        " http://h.org:80a/ ",
        " http://h.org?b ",
        " http://me@h.org/ ",
        " http://h.org/a- ",
        " http://h.org/a.. ",
        " http://h.org/a(b) ",
        " http://h.org/a,b ",
        " http://h.org/a&lt; ",
        " http://h.org/a?b|c ",
        " http://h.org/a\u{e9} ",
        "`http://h.org/a.` ",
        "\"http://h.org/a/\"\n\"b\"",
        "\"see http://h.org/a\" \n#~ \"b\"",
    ];

    /// The plain URL in `text`; `ends` is true if no more text follows.
    fn near_edges(text: &str, ends: bool) -> Option<&str> {
        let (bytes, colon) = (text.as_bytes(), text.find(':')?);
        let [plain, same] =
            [Simd::detect(), Simd::generic()].map(|simd| simd.run(NearEdges(bytes, colon, ends)));
        assert_eq!(plain, same);
        Some(&text[plain?.span(colon)])
    }

    #[test]
    fn what_is_plain_in_a_short_text() {
        for (text, url) in [
            ("http://h.org/a", "http://h.org/a"),
            ("see http://h.org/a.", "http://h.org/a"),
            ("see http://h.org/a,", "http://h.org/a"),
            ("<http://h.org/a>", "<http://h.org/a>"),
            ("URL:ftp://h.org/a, b", "URL:ftp://h.org/a"),
        ] {
            assert_eq!(near_edges(text, true), Some(url), "{text:?}");
        }
        for text in ["\"http://h.org/a", "(http://h.org/a", "<http://h.org/a", "http:"] {
            assert_eq!(near_edges(text, true), None, "{text:?}");
        }
    }

    /// The bytes that decide must be present.
    #[test]
    fn what_is_plain_in_a_part_of_a_text() {
        for (text, url) in [
            ("at http://h.org/a b", "http://h.org/a"),
            ("at http://h.org/a, ", "http://h.org/a"),
            ("at http://h.org/a., ", "http://h.org/a"),
            ("at http://h.org/a. b", "http://h.org/a"),
            ("at <http://h.org/a>.", "<http://h.org/a>"),
            ("at <http://h.org/a.>b", "<http://h.org/a.>"),
            ("at URL:ftp://h.org/a. b", "URL:ftp://h.org/a"),
        ] {
            assert_eq!(near_edges(text, false), Some(url), "{text:?}");
            // The last byte is one of those that decide.
            assert_eq!(near_edges(&text[..text.len() - 1], false), None, "{text:?}");
        }
        for text in ["at http://h.org/a", "http://h.org/a b", "at http://h.org/a.", "at http://h.org/a,h"] {
            assert_eq!(near_edges(text, false), None, "{text:?}");
        }
    }
}
