//! Defanged URLs: `hxxp://h[.]org/`, written so that no program opens them.
//!
//! Reports about attacks write them so. What is spelled in another way is the scheme (`x` for `t`), or a
//! mark that is in brackets, as itself or as a word: `[.]`, `(dot)`, `[:]`, `[://]`, `[at]`. The scan finds
//! the brackets, and what precedes one of them.

use super::Candidate;
use super::implied::run_before;
use super::scheme;
use crate::bytes::class::SCHEME;
use crate::bytes::unicode::{Iri, LinkTerm};
use crate::bytes::window::Window;
use crate::grammar::schemes::Schemes;

/// Schemes as they are written, and what they mean.
pub(crate) const SCHEMES: [(&str, &str); 8] = [
    ("hxxp", "http"),
    ("hxxps", "https"),
    ("hxtp", "http"),
    ("hxtps", "https"),
    ("htxp", "http"),
    ("htxps", "https"),
    ("fxp", "ftp"),
    ("fxps", "ftps"),
];

/// What is in brackets, and what it means. A word means the same in any letter case.
const BRACKETED: [(&str, &str); 8] = [
    (".", "."),
    ("dot", "."),
    (":", ":"),
    ("://", "://"),
    ("/", "/"),
    ("@", "@"),
    ("at", "@"),
    ("dash", "-"),
];

/// How far before a bracket the name that it is in may start, in bytes.
const NAME: usize = 512;

/// A mark in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Its length, brackets included.
    pub(crate) len: usize,
    pub(crate) means: &'static str,
    /// Whether it is written as a word.
    pub(crate) is_word: bool,
}

/// Whether a mark in brackets may start with these two bytes.
pub(crate) fn may_start(bracket: u8, next: u8) -> bool {
    matches!(bracket, b'[' | b'(' | b'{')
        && matches!(next, b'.' | b':' | b'/' | b'@' | b'd' | b'D' | b'a' | b'A')
}

/// The mark in brackets at `at`.
pub(crate) fn mark(window: &Window<'_>, at: usize) -> Option<Mark> {
    let close = match window.get(at)? {
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        _ => return None,
    };
    BRACKETED.into_iter().find_map(|(written, means)| {
        let end = at + 1 + written.len();
        let is_mark = window.has(at + 1, written.as_bytes()) && window.get(end) == Some(close);
        is_mark.then(|| Mark { len: written.len() + 2, means, is_word: written != means })
    })
}

/// What the scheme `name` means, if it is one that is written in another way.
pub(crate) fn scheme_meant(name: &[u8]) -> Option<&'static str> {
    let is_same = |(written, _): &&(&str, &str)| name.eq_ignore_ascii_case(written.as_bytes());
    SCHEMES.iter().find(is_same).map(|(_, means)| *means)
}

/// The scheme that is written in another way and starts at `at`, its length, and what it means.
pub(crate) fn scheme_at(window: &Window<'_>, at: usize) -> Option<(usize, &'static str)> {
    let len = (0..SCHEMES[1].0.len() + 1)
        .take_while(|&n| window.get(at + n).is_some_and(|b| SCHEME.has(b)))
        .count();
    let means = scheme_meant(window.ahead(at..at + len))?;
    let colon = window.get(at + len) == Some(b':')
        || mark(window, at + len).is_some_and(|mark| mark.means.starts_with(':'));
    colon.then_some((len, means))
}

/// The candidate before the bracket at `anchor`, read backwards to `floor` at most.
pub(super) fn before(
    window: &Window<'_>,
    anchor: usize,
    floor: usize,
    schemes: &Schemes,
    iri: Iri,
) -> Option<Candidate> {
    let mark = mark(window, anchor)?;
    match mark.means {
        ":" | "://" => {
            let slashes = mark.means == "://" || window.has(anchor + mark.len, b"//");
            let scheme = scheme::before(window.before(anchor, 0), anchor, floor, slashes, schemes)?;
            scheme.rule.map(|_| Candidate::Defanged { start: scheme.start, colon: true })
        }
        "." | "@" | "-" => {
            // The blank of `h [.] org`.
            let end = anchor - usize::from(window.byte_before(anchor) == Some(b' '));
            name_before(window, end, floor, iri)
        }
        _ => None,
    }
}

/// The host or mail address whose first part ends before `end`, if nothing is joined to it.
fn name_before(window: &Window<'_>, end: usize, floor: usize, iri: Iri) -> Option<Candidate> {
    let least = floor.max(end.saturating_sub(NAME));
    let of_name = |b: u8| b.is_ascii_alphanumeric() || b"._-+@".contains(&b);
    let run = run_before(window, end, least, of_name, |c| iri.link_term(c) == LinkTerm::Include);
    // After a closing bracket it may be the rest of a name that was none.
    let joined = |b: u8| b.is_ascii_alphanumeric() || b"/\\$%&?~*])}".contains(&b);
    if window.byte_before(run).is_some_and(joined) {
        return None;
    }
    let name = window.before(end, run);
    let start = run + name.iter().position(|&b| b.is_ascii_alphanumeric() || b >= 0x80)?;
    Some(Candidate::Defanged { start, colon: false })
}
