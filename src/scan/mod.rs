//! The scan: where a URL may start.
//!
//! Every form of a URL in text has a colon, so the scan searches for colons and reads
//! backwards from them. It has two stages. The first, [`index`], keeps the colons of a
//! block that may belong to a URL, by their neighbours alone. The second,
//! [`candidate`], reads what precedes one of them: a scheme, or the prefix `URL:`.
//! `appendix` then decides what belongs to the URL.

pub(crate) mod defanged;
mod implied;
pub(crate) mod index;
pub(crate) mod scheme;

use crate::grammar::schemes::SchemeRule;
use crate::grammar::schemes::Schemes;
use scheme::Scheme;

use crate::bytes::class::{HIGH, HOST, SPACE};
use crate::bytes::unicode::Iri;
use crate::bytes::window::Window;
use crate::found::form::Implied;
use crate::simd::Simd;

/// Which domain names without a scheme are matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(not(feature = "domains"), allow(dead_code))]
pub enum Domains {
    /// None.
    #[default]
    None,
    /// Those under a public suffix, except what is more likely the name of a file
    /// (`README.md`, `setup.py`), a newsgroup (`rec.autos`), an attribute (`self.data`), or
    /// two sentences without a space between them (`end.In`).
    /// If a path follows, these are matches, too.
    Names,
    /// All names under a public suffix.
    All,
}

/// What the scan searches for.
#[derive(Clone, Debug)]
pub(crate) struct ScanOptions {
    pub(crate) schemes: Schemes,
    /// Whether to search for hosts that start with `www.` or `ftp.`.
    pub(crate) hosts: bool,
    /// Whether to search for mail addresses.
    pub(crate) addresses: bool,
    /// Which domain names count.
    pub(crate) domains: Domains,
    /// Whether to search for defanged URLs.
    pub(crate) refang: bool,
    pub(crate) read: ReadOptions,
}

/// How the text around a colon is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadOptions {
    /// Which characters beyond ASCII count.
    pub(crate) iri: Iri,
    /// The instructions by which many bytes are compared at once.
    pub(crate) simd: Simd,
}

impl Default for ScanOptions {
    fn default() -> Self {
        ScanOptions {
            schemes: Schemes::default(),
            hosts: false,
            addresses: false,
            domains: Domains::None,
            refang: false,
            read: ReadOptions { iri: Iri::default(), simd: Simd::detect() },
        }
    }
}

/// What precedes a colon, or another start of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Candidate {
    /// The Appendix's prefix: `URL:`, or `URI:`, at `start`.
    Prefix { start: usize },
    /// A scheme.
    Scheme(Scheme),
    /// A scheme before `:\/\/`, as JSON may write it.
    Escaped(Scheme),
    /// A host whose name starts with `www.` or `ftp.`, and the implied scheme.
    Host { start: usize, scheme: Implied },
    /// A domain name.
    Domain { start: usize },
    /// A mail address.
    Address { start: usize },
    /// A URL that is defanged; without a `colon` it is a host or a mail address without a scheme.
    Defanged { start: usize, colon: bool },
}

/// The length up to which a host is read before the rules read it, in bytes.
const NAME: usize = 64;

/// The length of `URL` and of `URI`.
pub(crate) const PREFIX: usize = 3;

/// The candidate before the colon, dot, at-sign or bracket at `anchor`, read backwards to
/// `floor` at most.
pub(crate) fn candidate(
    window: &Window<'_>,
    anchor: usize,
    floor: usize,
    wanted: &ScanOptions,
) -> Option<Candidate> {
    match window.get(anchor)? {
        b'.' => {
            let host = if wanted.hosts { implied::host(window, anchor, floor) } else { None };
            let names = host.is_none() && wanted.domains != Domains::None;
            if names { implied::domain(window, anchor, floor, wanted.read.iri) } else { host }
        }
        b'[' | b'(' | b'{' => defanged::before(window, anchor, floor, &wanted.schemes, wanted.read.iri),
        b'@' => implied::address(window, anchor, floor, wanted.read.iri),
        _ => url_before(window, anchor, floor, &wanted.schemes),
    }
}

fn url_before(window: &Window<'_>, colon: usize, floor: usize, schemes: &Schemes) -> Option<Candidate> {
    if let Some(start) = prefix_before(window, colon, floor) {
        return Some(Candidate::Prefix { start });
    }
    let next = window.get(colon + 1)?;
    let escaped = next == b'\\' && window.has(colon + 1, b"\\/\\/");
    let slashes = escaped || next == b'/' && window.get(colon + 2) == Some(b'/');
    let scheme = scheme::before(window.before(colon, 0), colon, floor, slashes, schemes)?;
    if escaped {
        return Some(Candidate::Escaped(scheme));
    }
    // Between delimiters there may be whitespace before the slashes.
    let goes_on = next == b'/'
        || SPACE.has(next)
        || match scheme.rule {
            Some(SchemeRule::Host) => false,
            Some(SchemeRule::Web) => may_be_host(window, colon + 1),
            _ => true,
        };
    goes_on.then_some(Candidate::Scheme(scheme))
}

/// Whether a host may be at `at` that needs no `//`: its name starts with `www.` or `ftp.`, or a
/// path follows. It may go on after whitespace, or with characters beyond ASCII.
#[inline(always)]
fn may_be_host(window: &Window<'_>, at: usize) -> bool {
    let end = window.skip(at, at + NAME, |b| HOST.has(b));
    let dot = at + b"www".len();
    end == at + NAME
        || window.get(end).is_none_or(|b| b == b'/' || SPACE.or(HIGH).has(b))
        || end > dot && window.get(dot) == Some(b'.') && (window.has(at, b"www") || window.has(at, b"ftp"))
}

/// The offset of the prefix `URL` or `URI` before `colon`, if there is one.
///
/// The Appendix: "it is recommended that URLs be preceeded with a prefix
/// consisting of the characters "URL:"."
#[inline]
pub(crate) fn prefix_before(window: &Window<'_>, colon: usize, floor: usize) -> Option<usize> {
    let name: &[u8; PREFIX] = window.before(colon, 0).last_chunk()?;
    // Nearly always the last letter decides.
    let is_prefix = matches!(name, [b'U' | b'u', b'R' | b'r', b'L' | b'l' | b'I' | b'i']);
    let start = colon - PREFIX;
    if !is_prefix || start < floor {
        return None;
    }
    let alone = !window.byte_before(start).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'-');
    alone.then_some(start)
}
