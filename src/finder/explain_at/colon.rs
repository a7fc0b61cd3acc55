//! Explains why the colon at a position starts no URL.

use std::ops::Range;

use super::Refusal;
use crate::appendix::start::AuthorityReader;
use crate::bytes::class::SCHEME;
use crate::bytes::window::Window;
use crate::finder::Finder;
use crate::grammar;
use crate::grammar::schemes::{LONGEST, is_scheme};
use crate::scan::{self, Candidate, Scheme};

/// Returns the colon in `word` that the byte at `offset` belongs to, and the candidate before it:
/// the last colon before the byte that may start a URL, or one whose name contains the byte, or the
/// last one before it.
pub(super) fn of(
    finder: &Finder,
    text: &[u8],
    word: Range<usize>,
    offset: usize,
) -> Option<(usize, Option<Candidate>)> {
    let window = Window::whole(text);
    let with_candidate = |colon| (colon, scan::candidate(&window, colon, word.start, &finder.rules().scan));
    let colons = || memchr::memchr_iter(b':', &text[word.clone()]).map(|n| word.start + n);
    let name_end = window.skip(offset, offset + LONGEST, |b| SCHEME.has(b));
    let of_name = colons().find(|&colon| colon == name_end).map(with_candidate);
    let before = || colons().take_while(|&colon| colon <= offset).map(with_candidate);
    of_name
        .filter(|(_, candidate)| candidate.is_some())
        .or_else(|| before().filter(|(_, candidate)| candidate.is_some()).last())
        .or(of_name)
        .or_else(|| before().last())
}

/// Returns the reason why `colon` in `word`, before which the scan reads `candidate`, starts no
/// URL, and the byte that is out of place in a host.
pub(super) fn why(
    finder: &Finder,
    text: &[u8],
    word: &Range<usize>,
    colon: usize,
    candidate: Option<Candidate>,
) -> (Refusal, Option<usize>) {
    let why = match candidate {
        Some(Candidate::Scheme(scheme)) if has_slashes(text, colon) => {
            return after_slashes(finder, text, word, scheme, colon);
        }
        Some(Candidate::Scheme(Scheme { start, rule: Some(rule) })) => {
            Refusal::Incomplete { name: name(text, start..colon), needs: rule.needs() }
        }
        Some(Candidate::Scheme(Scheme { start, .. }) | Candidate::Encoded { start, .. }) => {
            Refusal::Refused { name: name(text, start..colon) }
        }
        Some(Candidate::Prefix { start }) => after_prefix(finder, text, word, start..colon),
        _ => without_candidate(finder, text, word, colon),
    };
    (why, None)
}

fn has_slashes(text: &[u8], colon: usize) -> bool {
    text[colon + 1..].starts_with(b"//")
}

fn name(text: &[u8], range: Range<usize>) -> String {
    String::from_utf8_lossy(&text[range]).into_owned()
}

/// Returns the reason why no URL follows `scheme` and `://`.
fn after_slashes(
    finder: &Finder,
    text: &[u8],
    word: &Range<usize>,
    scheme: Scheme,
    colon: usize,
) -> (Refusal, Option<usize>) {
    let start = scheme.start;
    let (window, limit) = (&Window::whole(text), start.saturating_add(finder.rules().max_len));
    let reader = AuthorityReader { window, limit, options: &finder.rules().scan.read };
    if reader.bare_after_colon(colon, scheme.rule).is_none() {
        let flaw = reader.host_flaw(colon).min(text.len());
        let before = text[start..colon + b"://".len()].into();
        return (Refusal::Host { before, found: text.get(flaw).copied() }, Some(flaw));
    }
    (refused(&text[start..word.end], name(text, start..colon)), None)
}

/// Returns the reason why no URL follows the `prefix`.
fn after_prefix(finder: &Finder, text: &[u8], word: &Range<usize>, prefix: Range<usize>) -> Refusal {
    let from = prefix.end + 1;
    match refused(&text[from..word.end], name(text, prefix)) {
        // No bracket closes the wrapper, so that it counts as bare.
        Refusal::Refused { name } => match memchr::memchr(b':', &text[from..word.end]) {
            Some(n) => without_candidate(finder, text, word, from + n),
            None => Refusal::Refused { name },
        },
        by_grammar => by_grammar,
    }
}

/// Returns the error of the grammar for `url`, or, if the grammar accepts it, a refusal by the
/// rules after the name.
fn refused(url: &[u8], name: String) -> Refusal {
    match grammar::assess(url) {
        Err(error) => Refusal::Grammar { url: url.into(), error },
        Ok(_) => Refusal::Refused { name },
    }
}

/// Returns the reason why the scan reads nothing before `colon`.
fn without_candidate(finder: &Finder, text: &[u8], word: &Range<usize>, colon: usize) -> Refusal {
    let floor = word.start.max(colon.saturating_sub(LONGEST));
    if let Some((len, rule)) = finder.rules().scan.schemes.longest_suffix(text, floor, colon) {
        let name = name(text, colon - len..colon);
        let is_word = !rule.needs_word() || scan::is_word(text, colon - len);
        return if is_word {
            Refusal::Incomplete { name, needs: rule.needs() }
        } else {
            Refusal::InWord { name }
        };
    }
    if has_slashes(text, colon) {
        return Refusal::NoName;
    }
    let run = text[floor..colon].iter().rev().take_while(|&&b| SCHEME.has(b)).count();
    let name = name(text, colon - run..colon);
    match is_scheme(name.as_bytes()) {
        true if colon + 1 == word.end => Refusal::Incomplete { name, needs: "text, not by a space" },
        true => Refusal::UnknownScheme { name },
        false => Refusal::NoScheme { word: text[word.clone()].into() },
    }
}
