//! The scheme read backwards from its colon.
//!
//! RFC 1738 §2.1: "Scheme names consist of a sequence of characters. The lower
//! case letters "a"--"z", digits, and the characters plus ("+"), period ("."),
//! and hyphen ("-") are allowed. For resiliency, programs interpreting URLs
//! should treat upper case letters as equivalent to lower case in scheme
//! names."
//!
//! The name is read from the colon to the left, because the scan searches for colons.
//! The run of scheme characters may be too long: in `seehttp://h.org` it starts with a
//! word. So the longest *known* name at the end of the run is the scheme. If there is
//! none, the scheme is the whole run, provided that it starts with a letter and `//`
//! follows the colon.

use crate::bytes::class::SCHEME;
use crate::grammar::schemes::Schemes;
use crate::grammar::schemes::{LONGEST, SchemeRule};

/// A scheme before a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scheme {
    /// Where it starts.
    pub(crate) start: usize,
    /// What must follow it; `None` if it is not known, and needs `//`.
    pub(crate) rule: Option<SchemeRule>,
}

/// The scheme that ends before `colon`, read backwards to `floor` at most.
///
/// `slashes` says whether `//` follows the colon. A name that is joined to a
/// known one with `+` (`git+https`) is a scheme of its own.
#[inline(always)]
pub(crate) fn before(
    bytes: &[u8],
    colon: usize,
    floor: usize,
    slashes: bool,
    schemes: &Schemes,
) -> Option<Scheme> {
    let floor = floor.max(colon.saturating_sub(LONGEST));
    let known = schemes.longest_suffix(bytes, floor, colon);
    if !slashes {
        return known.map(|(len, rule)| Scheme { start: colon - len, rule: Some(rule) });
    }
    let run = colon - bytes[floor..colon].iter().rev().take_while(|&&b| SCHEME.has(b)).count();
    let first = first_name(bytes, run, colon);
    match known {
        Some((len, rule)) if first.is_none_or(|first| !is_compound(bytes, first, colon - len)) => {
            Some(Scheme { start: colon - len, rule: Some(rule) })
        }
        _ => first
            .filter(|&first| !is_rest(bytes, first, colon, schemes))
            .map(|start| Scheme { start, rule: None }),
    }
}

/// Whether the name at `first` is the rest of a known one that was cut: `ht⏎tps://`, or the
/// `s` of a program's `%s://`.
fn is_rest(bytes: &[u8], first: usize, colon: usize, schemes: &Schemes) -> bool {
    let cut = first.checked_sub(1).is_none_or(|before| matches!(bytes[before], b'\n' | b'\r' | b'%'));
    cut && schemes.names().any(|name| name.as_bytes().ends_with(&bytes[first..colon]))
}

/// Whether the name at `first` is one joined with `+` to the known one at `known`.
fn is_compound(bytes: &[u8], first: usize, known: usize) -> bool {
    first < known && bytes[known - 1] == b'+'
}

/// Where the longest name at the end of `run..colon` starts: at a letter with no
/// letter or digit before it.
fn first_name(bytes: &[u8], run: usize, colon: usize) -> Option<usize> {
    (run..colon).find(|&i| {
        bytes[i].is_ascii_alphabetic() && !i.checked_sub(1).is_some_and(|j| bytes[j].is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scheme before the first `:` of `text`, and whether it is known.
    fn scheme(text: &str) -> Option<(&str, bool)> {
        let colon = text.find(':').unwrap();
        let slashes = text[colon + 1..].starts_with("//");
        before(text.as_bytes(), colon, 0, slashes, &Schemes::default())
            .map(|s| (&text[s.start..colon], s.rule.is_some()))
    }

    #[test]
    fn known_and_unknown() {
        assert_eq!(scheme("http://"), Some(("http", true)));
        assert_eq!(scheme("MailTo:"), Some(("MailTo", true)));
        assert_eq!(scheme("z39.50s://"), Some(("z39.50s", true)));
        assert_eq!(scheme("x-test://"), Some(("x-test", false)));
        assert_eq!(scheme("x-test:"), None);
        assert_eq!(scheme("note:"), None);
        assert_eq!(scheme("://"), None);
    }

    #[test]
    fn the_longest_known_suffix_wins() {
        assert_eq!(scheme("seehttp://"), Some(("http", true)));
        assert_eq!(scheme("seehttps://"), Some(("https", true)));
        assert_eq!(scheme("1994http://"), Some(("http", true)));
        assert_eq!(scheme("end.http://"), Some(("http", true)));
        assert_eq!(scheme("asnews:"), Some(("snews", true)));
    }

    #[test]
    fn a_compound_stays_whole() {
        assert_eq!(scheme("git+https://"), Some(("git+https", false)));
        assert_eq!(scheme("see git+ssh://"), Some(("git+ssh", false)));
        assert_eq!(scheme("1+http://"), Some(("http", true)));
    }

    #[test]
    fn a_name_starts_with_a_letter_after_no_letter_or_digit() {
        assert_eq!(scheme("3foo://"), None);
        assert_eq!(scheme("...foo://"), Some(("foo", false)));
        assert_eq!(scheme("1.foo://"), Some(("foo", false)));
        assert_eq!(scheme("_foo://"), Some(("foo", false)));
    }

    #[test]
    fn no_name_is_longer_than_the_look_back() {
        assert_eq!(scheme(&format!("{}://", "a".repeat(40))), None);
        assert_eq!(scheme(&format!("{}http://", "a".repeat(40))), Some(("http", true)));
    }
}
