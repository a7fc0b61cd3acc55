//! The one fast path: plain URLs, which do not need the rules.
//!
//! Nine of ten URLs have no property that the rules of `appendix` would have to decide.
//! A few [masks](Masks) show whether a URL is such a plain one. To read it by the rules
//! takes ten times as long.
//!
//! # What it assumes
//!
//! The rules would match every plain URL in the same way, and every URL that is not
//! certainly plain is left to the rules. Tests check this on generated text. All of the
//! following must be true:
//!
//! | about | what must be true | checked by |
//! |---|---|---|
//! | the options | bare URLs are not joined; defanged ones are not searched for; URLs may be [`LONGEST`] bytes long; no name is known that is a suffix of `http`, `https` or `ftp`; matches need not say why they end | [`suits`] |
//! | the scheme | `http`, `https` or `ftp` in lower case, with `://`, and before it no byte that may be part of a scheme | `Opening::read`, [`lead::close`] |
//! | before it | `<` or `"` that is closed directly after the URL or certainly not at all; the prefix `URL:`; or a byte that is no delimiter and no mark | [`lead`] |
//! | the host | labels that are not empty and do not start with a hyphen, a letter or digit at the end, perhaps a port | `has_host` |
//! | the rest | a path of bytes that a URL always contains, perhaps a query, no entity of a delimiter, no end of the text within [`REACH`] | [`around`] |
//! | the end | a byte that ends every URL, and before it a letter, a digit or a single `/`, perhaps with one full stop between | [`end`] |
//!
//! # What it saves
//!
//! `cargo bench --bench ratios` has a row for each corpus, and the column `rules` is
//! the same search without this module. DESIGN.md has the numbers.

pub(crate) mod end;
pub(crate) mod lead;

use std::ops::Range;

use crate::appendix::Rules;
use crate::found::form::{Form, Join};
use crate::scan::PREFIX;
use crate::scan::index::Shortcut;
use crate::simd::{Backend, Masks, WIDTH};

/// How many bytes before a colon are read at once.
const HEAD: usize = 8;

/// The schemes of plain URLs.
const SCHEMES: [&[u8]; 3] = [b"http", b"https", b"ftp"];

const SLASHES: &[u8] = b"://";

/// How many bytes after a `://` are read: two words, the byte that ends the URL, and
/// the one after it.
const REACH: usize = 2 * WIDTH + 1;

/// How many bytes from a colon on are read at once: after the colon of a prefix there
/// may be the longest scheme.
const FORWARD: usize = 1 + b"https://".len() + REACH;

/// How long a plain URL may be, its delimiters included.
const LONGEST: usize = HEAD + FORWARD;

/// Whether the assumptions about the options are true for these rules.
pub(crate) fn suits(rules: &Rules) -> bool {
    let read_whole = |name: &&[u8]| {
        let suffix = rules.scan.schemes.longest_suffix(name, 0, name.len());
        suffix.is_none_or(|(len, _)| len == name.len())
    };
    rules.join != Join::Likely
        && !rules.explain
        && !rules.scan.refang
        && rules.max_len >= LONGEST
        && SCHEMES.iter().all(read_whole)
}

/// A plain URL around a colon, its own or that of the prefix before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    form: Form,
    /// How many bytes of the match are before the colon.
    before: u8,
    /// How many bytes of it are after the colon, which is not counted.
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
        if self.on { around(backend, bytes, colon) } else { None }
    }
}

/// The plain URL around the colon at `colon` of `bytes`, if there is one.
#[inline(always)]
fn around<B: Backend>(backend: B, bytes: &[u8], colon: usize) -> Option<Plain> {
    let head: &[u8; HEAD] = bytes[..colon].last_chunk()?;
    let forward: &[u8; FORWARD] = bytes[colon..].first_chunk()?;
    let Opening { before, host, prefixed } = Opening::read(head, forward)?;
    let block: &[u8; REACH] = forward[host..].first_chunk()?;
    let first = backend.masks(block.first_chunk()?);
    let mut run = first.run.trailing_ones() as usize;
    if run == WIDTH {
        let second = backend.masks(block[WIDTH..].first_chunk()?);
        let more = second.run.trailing_ones() as usize;
        if more == WIDTH || end::has_entity(second.ampersands, &block[WIDTH..], more) {
            return None;
        }
        run += more;
    }
    let [.., far, last] = head[..HEAD - before] else {
        return None;
    };
    let stop = [block[run], block[run + 1]];
    let close = lead::close(far, last, stop, prefixed, || lead::is_lonely(bytes, colon - before))?;
    if !has_host(&first, block, run) || end::has_entity(first.ampersands, block, run) {
        return None;
    }
    let angle = close == Some(b'>');
    let end = if angle { run } else { end::of(block, run)? };
    let form = match (prefixed, angle) {
        (true, true) => Form::Wrapper,
        (true, false) => Form::Prefixed,
        (false, true) => Form::Angle,
        (false, false) => Form::Bare,
    };
    let bracket = usize::from(angle);
    Some(Plain { form, before: (before + bracket) as u8, after: (host - 1 + end + bracket) as u8 })
}

/// What is around a colon where a URL may start.
struct Opening {
    /// How long the scheme before it is, or the prefix.
    before: usize,
    /// How many bytes from the colon on precede the host.
    host: usize,
    /// Whether it is the colon of the prefix.
    prefixed: bool,
}

impl Opening {
    #[inline(always)]
    fn read(head: &[u8; HEAD], forward: &[u8; FORWARD]) -> Option<Self> {
        if let Some(before) = scheme(head) {
            let host = SLASHES.len();
            return forward.starts_with(SLASHES).then_some(Opening { before, host, prefixed: false });
        }
        if !head.ends_with(b"URL") {
            return None;
        }
        let host = 1 + starts_url(&forward[1..])?;
        Some(Opening { before: PREFIX, host, prefixed: true })
    }
}

/// The length of the scheme and `://` at the start of `text`, if a plain URL may
/// start so.
#[inline(always)]
pub(super) fn starts_url(text: &[u8]) -> Option<usize> {
    let begins = |name: &&&[u8]| text.starts_with(name) && text[name.len()..].starts_with(SLASHES);
    SCHEMES.iter().find(begins).map(|name| name.len() + SLASHES.len())
}

/// The length of the scheme of a plain URL at the end of `head`.
#[inline(always)]
fn scheme(head: &[u8; HEAD]) -> Option<usize> {
    let word = u64::from_le_bytes(*head);
    // Which of them it is cannot be predicted, so there is no branch on it.
    let len = SCHEMES.iter().fold(0, |len, name| len + name.len() * usize::from(ends_with(word, name)));
    (len > 0).then_some(len)
}

#[inline(always)]
fn ends_with(word: u64, name: &[u8]) -> bool {
    let name_word = name.iter().rev().fold(0, |word, &b| word << 8 | u64::from(b));
    word >> (64 - 8 * name.len()) == name_word
}

/// Whether the first `run` bytes of `block` are a host, perhaps with a port and a path.
/// The rules know more kinds of hosts.
#[inline(always)]
fn has_host(masks: &Masks, block: &[u8; REACH], run: usize) -> bool {
    let host = masks.host.trailing_ones() as usize;
    if host == 0 || host == WIDTH {
        return false;
    }
    let within = (1_u64 << host) - 1;
    // A label starts at the first byte, and after each dot.
    let begins = masks.dots << 1 | 1;
    let is_sound =
        begins & (masks.dots | masks.hyphens) & within == 0 && block[host - 1].is_ascii_alphanumeric();
    let port = if block[host] == b':' { 1 + digits(block, host + 1) } else { 0 };
    // A single label may be from the text of a program.
    let alone = host + port == run && (port > 0 || masks.dots & within != 0 || block[run] != b'\\');
    is_sound && port != 1 && (block[host + port] == b'/' || alone)
}

/// How many digits there are at `at` of `block`, of the first eight.
#[inline(always)]
fn digits(block: &[u8; REACH], at: usize) -> usize {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    let word = block[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    // The upper half of a digit is 3, and still is when 6 is added. This is true for no
    // other byte, unless a byte before it is beyond ASCII, and such a byte is no digit.
    let differs = (word & word.wrapping_add(6 * EACH) & (0xF0 * EACH)) ^ (0x30 * EACH);
    differs.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests;
