//! Plain URLs, which need no second look.
//!
//! Nine of ten URLs have nothing about them that the rules of `appendix` would
//! have to weigh: `http`, `https` or `ftp`, a host with nothing odd in it, a path
//! of ordinary bytes that ends in one which is never trimmed, all of it not too
//! long; brackets on both sides, or nothing that could open a delimiter, quote it
//! or mark it; and it may be the prefix `URL:` that stands before it. Whether a URL
//! is of that kind can be told from a few masks, which the first stage has at
//! hand; to read it by the rules takes ten times as long.
//!
//! A plain URL is what the rules would give, and whatever is not plain for sure
//! is left to them. The portable way knows no plain URLs at all, so comparing the
//! two ways compares this module with the rules.

mod end;
mod lead;

use std::ops::Range;

use crate::bytes::class::{self, HOST, PLAIN};
use crate::found::Form;
use crate::scan::PREFIX;
use crate::scan::index::WIDTH;

/// How many bytes before a colon are looked at together.
const HEAD: usize = 8;

/// The schemes of plain URLs.
pub(crate) const SCHEMES: [&[u8]; 3] = [b"http", b"https", b"ftp"];

const SLASHES: &[u8] = b"://";

/// How many bytes behind a `://` are looked at: two blocks, and one byte behind
/// the URL and whatever ends it.
const REACH: usize = 2 * WIDTH + 1;

/// How many bytes from a colon on are looked at together: that of a prefix has the
/// longest scheme behind it.
const FORWARD: usize = 1 + b"https://".len() + REACH;

/// How long a plain URL may be, whatever delimits it included.
pub(crate) const LONGEST: usize = HEAD + FORWARD;

/// A plain URL around a colon, its own or that of the prefix before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    form: Form,
    /// How many bytes of the find stand before the colon.
    before: u8,
    /// How many bytes of it stand behind the colon, which is not counted.
    behind: u8,
}

impl Plain {
    /// The range of the find whose colon is at `colon`.
    #[inline(always)]
    pub(crate) fn span(self, colon: usize) -> Range<usize> {
        colon - usize::from(self.before)..colon + 1 + usize::from(self.behind)
    }

    /// The URL in `span`, and the form it stands in.
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

/// What the bytes behind a `://` are, a bit for each, the first in the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    /// A URL goes on over them: see [`RUNS`].
    pub(crate) run: u64,
    /// A host may have them.
    pub(crate) host: u64,
    pub(crate) dots: u64,
    pub(crate) hyphens: u64,
    pub(crate) ampersands: u64,
}

/// What a URL goes over unless something comes of it: a query, an entity.
pub(crate) const RUNS: [bool; 128] = {
    let mut runs = class_of(PLAIN);
    runs[b'?' as usize] = true;
    runs[b'&' as usize] = true;
    runs
};

/// What a host may have.
pub(crate) const HOSTS: [bool; 128] = class_of(HOST);

const fn class_of(classes: u8) -> [bool; 128] {
    let mut within = [false; 128];
    let mut b = 0;
    while b < within.len() {
        within[b] = class::is(b as u8, classes);
        b += 1;
    }
    within
}

/// The plain URL around the colon at `colon`, if there is one; `tail` says what
/// the bytes of a block are.
#[inline(always)]
pub(crate) fn around(bytes: &[u8], colon: usize, tail: impl Fn(&[u8; WIDTH]) -> Tail) -> Option<Plain> {
    let head: &[u8; HEAD] = bytes[..colon].last_chunk()?;
    let behind: &[u8; FORWARD] = bytes[colon..].first_chunk()?;
    let Opening { before, host, prefixed } = Opening::read(head, behind)?;
    let block: &[u8; REACH] = behind[host..].first_chunk()?;
    let first = tail(block.first_chunk()?);
    let mut run = first.run.trailing_ones() as usize;
    if run == WIDTH {
        let second = tail(block[WIDTH..].first_chunk()?);
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
    Some(Plain { form, before: (before + bracket) as u8, behind: (host - 1 + end + bracket) as u8 })
}

/// What stands around a colon where a URL may begin.
struct Opening {
    /// How long the scheme before it is, or the prefix.
    before: usize,
    /// How far behind the colon the host begins, the colon counted.
    host: usize,
    /// Whether it is the colon of the prefix.
    prefixed: bool,
}

impl Opening {
    #[inline(always)]
    fn read(head: &[u8; HEAD], behind: &[u8; FORWARD]) -> Option<Self> {
        if let Some(before) = scheme(head) {
            let host = SLASHES.len();
            return behind.starts_with(SLASHES).then_some(Opening { before, host, prefixed: false });
        }
        if !head.ends_with(b"URL") {
            return None;
        }
        let host = 1 + begins_url(&behind[1..])?;
        Some(Opening { before: PREFIX, host, prefixed: true })
    }
}

/// The length of the scheme and `://` that `text` begins with, if they may begin a
/// plain URL.
#[inline(always)]
fn begins_url(text: &[u8]) -> Option<usize> {
    let begins = |name: &&&[u8]| text.starts_with(name) && text[name.len()..].starts_with(SLASHES);
    SCHEMES.iter().find(begins).map(|name| name.len() + SLASHES.len())
}

/// The length of the scheme of a plain URL that ends `head`.
#[inline(always)]
pub(crate) fn scheme(head: &[u8; HEAD]) -> Option<usize> {
    let word = u64::from_le_bytes(*head);
    // Which of them it is cannot be foretold, so there is no branch on it.
    let len = SCHEMES.iter().fold(0, |len, name| len + name.len() * usize::from(ends_with(word, name)));
    (len > 0).then_some(len)
}

#[inline(always)]
fn ends_with(word: u64, name: &[u8]) -> bool {
    let name_word = name.iter().rev().fold(0, |word, &b| word << 8 | u64::from(b));
    word >> (64 - 8 * name.len()) == name_word
}

/// Whether the first `run` bytes of `block` begin with a host, and a port it may
/// be, that a path follows or nothing. The rules know more kinds.
#[inline(always)]
fn has_host(tail: &Tail, block: &[u8; REACH], run: usize) -> bool {
    let host = tail.host.trailing_ones() as usize;
    if host == 0 || host == WIDTH {
        return false;
    }
    let within = (1_u64 << host) - 1;
    // A label begins at the first byte, and behind each dot.
    let begins = tail.dots << 1 | 1;
    let is_sound =
        begins & (tail.dots | tail.hyphens) & within == 0 && block[host - 1].is_ascii_alphanumeric();
    let port = if block[host] == b':' { 1 + digits(block, host + 1) } else { 0 };
    // A single label alone may be a piece of a program.
    let alone = host + port == run && (port > 0 || tail.dots & within != 0 || block[run] != b'\\');
    is_sound && port != 1 && (block[host + port] == b'/' || alone)
}

/// How many digits there are at `at` of `block`, of the first eight.
#[inline(always)]
fn digits(block: &[u8; REACH], at: usize) -> usize {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    let word = block[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    // A digit has 3 in its upper half, and still has when 6 is added. Nothing else
    // has, as long as no byte before it is beyond ASCII, and that is no digit.
    let differs = (word & word.wrapping_add(6 * EACH) & (0xF0 * EACH)) ^ (0x30 * EACH);
    differs.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the masks are, one byte at a time.
    fn tail(block: &[u8; WIDTH]) -> Tail {
        let mask = |is_in: &dyn Fn(u8) -> bool| {
            (0..WIDTH).filter(|&n| is_in(block[n])).fold(0, |mask, n| mask | 1_u64 << n)
        };
        Tail {
            run: mask(&|b| RUNS.get(usize::from(b)) == Some(&true)),
            host: mask(&|b| HOSTS.get(usize::from(b)) == Some(&true)),
            dots: mask(&|b| b == b'.'),
            hyphens: mask(&|b| b == b'-'),
            ampersands: mask(&|b| b == b'&'),
        }
    }

    /// The plain URL in `text`, with its brackets, if there is one; some prose
    /// stands around the text.
    fn plain(text: &str) -> Option<String> {
        let text = format!("some prose{text}{}", " and".repeat(40));
        let colon = text.find(':')?;
        let plain = around(text.as_bytes(), colon, tail)?;
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
        for text in [
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
            &long,
            &last,
            &next,
        ] {
            assert_eq!(plain(text), None, "{text:?}");
        }
    }
}
