//! The spellings of defanged URLs, such as `hxxp://h[.]org/`, and the offsets at which they may
//! start.
//!
//! Reports about attacks write URLs so that no program opens them. The defanged part is the scheme
//! (`x` for `t`), or a punctuation character or its name in brackets: `[.]`, `(dot)`, `[:]`,
//! `[://]`, `[at]`. The scan finds the brackets, and the text before them. `appendix::defanged`
//! reads the URL.

use super::{Candidate, ScanOptions, colon_candidate, run_before, scheme_before};
use crate::bytes::class::SCHEME;
use crate::bytes::unicode::{Iri, LinkTerm};
use crate::bytes::window::Window;
use crate::grammar::schemes::Schemes;

/// Schemes as written in defanged URLs, and their meanings.
///
/// Spellings with bytes that schemes do not contain come first, because they end like others.
pub(crate) const SCHEMES: [(&str, &str); 18] = [
    ("h**p", "http"),
    ("h**ps", "https"),
    ("[http]", "http"),
    ("[https]", "https"),
    ("[hxxp]", "http"),
    ("[hxxps]", "https"),
    ("http[s]", "https"),
    ("hxxp[s]", "https"),
    ("h00p", "http"),
    ("h00ps", "https"),
    ("hxxp", "http"),
    ("hxxps", "https"),
    ("hxtp", "http"),
    ("hxtps", "https"),
    ("htxp", "http"),
    ("htxps", "https"),
    ("fxp", "ftp"),
    ("fxps", "ftps"),
];

/// The bracketed spellings and their meanings. Words are case-insensitive.
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

/// The length of the longest spelling, including brackets.
const LONGEST_BRACKETED: usize = "[dash]".len();

/// The distance before a bracket at which the name around it may start, in bytes.
const MAX_NAME_DISTANCE: usize = 512;

/// A punctuation character or its name in brackets: `[.]`, `(dot)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bracketed {
    /// The length, including brackets.
    pub(crate) len: usize,
    pub(crate) means: &'static str,
    /// True if it is written as a word.
    pub(crate) is_word: bool,
}

impl Bracketed {
    /// Returns true if it joins the parts of a name.
    pub(crate) fn is_joint(&self) -> bool {
        matches!(self.means, "." | "@" | "-")
    }
}

/// Returns true if a bracketed spelling may start with these two bytes.
pub(super) fn may_start(bracket: u8, next: u8) -> bool {
    matches!(bracket, b'[' | b'(' | b'{')
        && matches!(next, b'.' | b':' | b'/' | b'@' | b'd' | b'D' | b'a' | b'A')
}

/// The bracketed spelling at `at`.
pub(crate) fn bracketed_at(window: &Window<'_>, at: usize) -> Option<Bracketed> {
    let close = match window.get(at)? {
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        _ => return None,
    };
    // The byte after the bracket nearly always decides.
    let next = window.get(at + 1)?;
    let may_be = |(written, _): &(&str, &str)| written.as_bytes()[0].eq_ignore_ascii_case(&next);
    BRACKETED.into_iter().filter(may_be).find_map(|(written, means)| {
        let end = at + 1 + written.len();
        let matches_spelling = window.has(at + 1, written.as_bytes()) && window.get(end) == Some(close);
        matches_spelling.then(|| Bracketed { len: written.len() + 2, means, is_word: written != means })
    })
}

/// Returns the meaning of the scheme `name`, if it is a defanged spelling.
pub(crate) fn scheme_meant(name: &[u8]) -> Option<&'static str> {
    let is_same = |(written, _): &&(&str, &str)| name.eq_ignore_ascii_case(written.as_bytes());
    SCHEMES.iter().find(is_same).map(|(_, means)| *means)
}

/// The defanged scheme that starts at `at`, its length, and its meaning.
pub(crate) fn scheme_at(window: &Window<'_>, at: usize) -> Option<(usize, &'static str)> {
    // The first byte nearly always decides.
    if !matches!(window.get(at)?, b'h' | b'H' | b'f' | b'F' | b'[') {
        return None;
    }
    let ends = |end: usize| {
        window.get(end) == Some(b':')
            || window.has(end, b"[://")
            || bracketed_at(window, end).is_some_and(|bracketed| bracketed.means.starts_with(':'))
    };
    let is_there =
        |(written, _): &&(&str, &str)| window.has(at, written.as_bytes()) && ends(at + written.len());
    SCHEMES.iter().find(is_there).map(|(written, means)| (written.len(), *means))
}

/// The candidate before the colon at `anchor`, read backwards to `floor` at most.
pub(super) fn before_colon(
    window: &Window<'_>,
    anchor: usize,
    floor: usize,
    wanted: &ScanOptions,
) -> Option<Candidate> {
    let found = || colon_candidate(window, anchor, floor, wanted);
    scheme_before_colon(window, anchor, floor).or_else(found).or_else(|| {
        // `http:\\\\h.org`
        let scheme = scheme_before(window.before(anchor, 0), anchor, floor, true, &wanted.schemes)?;
        let is_defanged = window.has(anchor + 1, b"\\\\") && scheme.rule.is_some();
        is_defanged.then_some(Candidate::Defanged { start: scheme.start, colon: true })
    })
}

/// The defanged scheme before `colon`, with bytes that schemes do not contain: `h**p://`,
/// `[https]://`.
fn scheme_before_colon(window: &Window<'_>, colon: usize, floor: usize) -> Option<Candidate> {
    let before = window.before(colon, floor);
    let is_there = |written: &&[u8]| {
        before.len() >= written.len() && before[before.len() - written.len()..].eq_ignore_ascii_case(written)
    };
    let of_scheme = |written: &[u8]| written.iter().all(|&b| SCHEME.has(b));
    let written = SCHEMES.iter().map(|(written, _)| written.as_bytes());
    let written = written.filter(|written| !of_scheme(written)).find(is_there)?;
    Some(Candidate::Defanged { start: colon - written.len(), colon: true })
}

/// The candidate before the bracket at `anchor`, read backwards to `floor` at most.
pub(super) fn before_bracket(
    window: &Window<'_>,
    anchor: usize,
    floor: usize,
    schemes: &Schemes,
    iri: Iri,
) -> Option<Candidate> {
    if window.has(anchor, b"[://") && bracketed_at(window, anchor).is_none() {
        let scheme = scheme_before(window.before(anchor, 0), anchor, floor, true, schemes)?;
        let is_known = scheme.rule.is_some() || scheme_meant(window.before(anchor, scheme.start)).is_some();
        return is_known.then_some(Candidate::Defanged { start: scheme.start, colon: true });
    }
    let bracketed = bracketed_at(window, anchor)?;
    match bracketed.means {
        ":" | "://" => {
            let slashes = bracketed.means == "://" || window.has(anchor + bracketed.len, b"//");
            let scheme = scheme_before(window.before(anchor, 0), anchor, floor, slashes, schemes)?;
            scheme.rule.map(|_| Candidate::Defanged { start: scheme.start, colon: true })
        }
        _ if bracketed.is_joint() => {
            // The space of `h [.] org`.
            let end = anchor - usize::from(window.byte_before(anchor) == Some(b' '));
            name_before(window, end, floor, iri)
        }
        _ => None,
    }
}

/// The host or email address whose first part ends before `end`, if nothing is joined to it.
fn name_before(window: &Window<'_>, end: usize, floor: usize, iri: Iri) -> Option<Candidate> {
    let least = floor.max(end.saturating_sub(MAX_NAME_DISTANCE));
    let of_name = |b: u8| b.is_ascii_alphanumeric() || b"._-+@".contains(&b);
    let run = run_before(window, end, least, of_name, |c| iri.link_term(c) == LinkTerm::Include);
    // After a closing bracket, the run may be the rest of text that was not a name.
    let joined = |b: u8| b.is_ascii_alphanumeric() || b"/\\$%&?~*])}".contains(&b);
    if window.byte_before(run).is_some_and(joined) {
        return None;
    }
    // `a[.]新b[.]`: a label may contain letters that do not start names in prose.
    let label = window.skip_back(run, least, |b| b >= 0x80 || b.is_ascii_alphanumeric());
    if label < run && bracketed_before(window, label).is_some() || follows_joint(window, run) {
        return None;
    }
    let name = window.before(end, run);
    let start = run + name.iter().position(|&b| b.is_ascii_alphanumeric() || b >= 0x80)?;
    Some(Candidate::Defanged { start, colon: false })
}

/// Returns true if a name and a bracketed spelling between spaces precede `at`: the text there may
/// be the rest of text that was not a name, `a [.] `.
fn follows_joint(window: &Window<'_>, at: usize) -> bool {
    let Some(end) = at.checked_sub(1).filter(|_| window.byte_before(at) == Some(b' ')) else { return false };
    bracketed_before(window, end).is_some_and(
        |open| matches!(window.before(open, open.saturating_sub(2)), [b, b' '] if b.is_ascii_alphanumeric()),
    )
}

/// Returns the start of the bracketed spelling that ends at `end` and joins the parts of a name.
fn bracketed_before(window: &Window<'_>, end: usize) -> Option<usize> {
    let before = window.before(end, end.saturating_sub(LONGEST_BRACKETED));
    let open = end - before.len() + before.iter().rposition(|b| b"[({".contains(b))?;
    bracketed_at(window, open).filter(|found| open + found.len == end && found.is_joint()).map(|_| open)
}
