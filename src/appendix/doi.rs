//! DOIs of the last century, which have angle brackets: `10.1175/1520-0469(1983)040<0396:SWALW>2.0.CO;2`.
//!
//! Publishers took them from the identifiers of articles in ANSI/NISO Z39.56: the number and the year of a journal in
//! parentheses, a page and a code of the title in angle brackets, and the version of the standard.

use crate::bytes::class::ALPHADIGIT;
use crate::bytes::window::Window;
use crate::matches::form::Entity;
use crate::scan::encoded::{Reference, reference};

/// The distance before the bracket at which a DOI may start, in bytes.
const MAX_DOI_LEN: usize = 128;

/// The maximum length of the text between the brackets, in bytes.
const MAX_CODE_LEN: usize = 48;

/// Returns the offset at which the DOI ends whose opening angle bracket is at `at`, if the text
/// from `start` on is a DOI.
pub(super) fn skip(window: &Window<'_>, start: usize, at: usize) -> Option<usize> {
    let page = bracket(window, at, b'<', Entity::Lt)?;
    if !is_doi(window.before(at, start.max(at.saturating_sub(MAX_DOI_LEN)))) {
        return None;
    }
    let colon = window.skip(page, page + MAX_CODE_LEN, |b| ALPHADIGIT.has(b));
    let in_code = |b: u8| ALPHADIGIT.has(b) || b":~()/-".contains(&b);
    let close = window.skip(colon, page + MAX_CODE_LEN, in_code);
    let is_code = colon > page && window.get(colon) == Some(b':');
    if is_code { version(window, bracket(window, close, b'>', Entity::Gt)?) } else { None }
}

/// Returns true if `&lt;` or `&gt;` at `at` belongs to a DOI.
pub(super) fn is_bracket(window: &Window<'_>, at: usize) -> bool {
    let closes =
        || bracket(window, at, b'>', Entity::Gt).is_some_and(|after| version(window, after).is_some());
    skip(window, 0, at).is_some() || closes()
}

/// Returns true if the parentheses of a DOI are written `\\(` in the text before `at`, as in TeX.
pub(super) fn has_parentheses(window: &Window<'_>, at: usize) -> bool {
    let before = window.before(at, at.saturating_sub(MAX_DOI_LEN));
    let doi = last_index(before, b"/10.").max(last_index(before, b"doi:10."));
    doi.is_some_and(|doi| !before[doi..].iter().any(|&b| b <= b' '))
}

/// Returns the offset at which the angle bracket at `at` ends, which may be written as a reference.
fn bracket(window: &Window<'_>, at: usize, byte: u8, entity: Entity) -> Option<usize> {
    match window.get(at)? {
        b if b == byte => Some(at + 1),
        b'&' => reference(window, at)
            .filter(|&(meant, _)| meant == Reference::Stop(entity))
            .map(|(_, len)| at + len),
        _ => None,
    }
}

/// Returns the offset at which the version at `at` ends: `2.0.CO;2`, optionally with a hyphen and a
/// check character.
fn version(window: &Window<'_>, at: usize) -> Option<usize> {
    let is_digit = |at: usize| window.get(at).is_some_and(|b| b.is_ascii_digit());
    let is_version = is_digit(at) && is_digit(at + 2) && window.get(at + 1) == Some(b'.');
    let end = at + b"2.0.CO;2".len();
    if !is_version || !window.has(at + 3, b".CO;2") {
        return None;
    }
    let has_check = window.get(end) == Some(b'-')
        && window.get(end + 1).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'#');
    Some(if has_check { end + 2 } else { end })
}

/// Returns true if `text` ends in a DOI with the number of a journal: `10.1175/1520-0469(1983)`.
fn is_doi(text: &[u8]) -> bool {
    let doi = last_index(text, b"10.").map(|at| &text[at..]);
    doi.is_some_and(|doi| {
        doi.get(3).is_some_and(u8::is_ascii_digit) && doi.contains(&b'/') && doi.contains(&b'(')
    })
}

/// Returns the offset of the last `word` in a short text.
fn last_index(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).rposition(|bytes| bytes == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_dois() {
        fn rest(text: &str) -> Option<&str> {
            let at = text.find(['<', '&']).unwrap();
            skip(&Window::whole(text.as_bytes()), 0, at).map(|end| &text[at..end])
        }
        for (text, expected) in [
            ("10.1175/1520-0469(1983)040<0396:SWALW>2.0.CO;2 x", "<0396:SWALW>2.0.CO;2"),
            ("10.1002/(SICI)1097-4571(1998)49:8<693::AID-ASI4>3.0.CO;2-O.", "<693::AID-ASI4>3.0.CO;2-O"),
            ("10.1175/1520(1983)040&lt;0396:S&gt;2.0.co;2", "&lt;0396:S&gt;2.0.co;2"),
            ("10.x,10.1175/1520(1983)040<0396:S>2.0.CO;2", "<0396:S>2.0.CO;2"),
        ] {
            assert_eq!(rest(text), Some(expected), "{text}");
        }
        for text in [
            "10.1175/1520(1983)040<0396:S>2.x.CO;2",
            "10.1175/1520(1983)040<0396>2.0.CO;2",
            "10.1175/1(1983)<1:A>2.0.C",
            "a/1(1)<1:A>2.0.CO;2",
        ] {
            assert_eq!(rest(text), None, "{text}");
        }
    }

    /// The text between the brackets has at most [`MAX_CODE_LEN`] bytes, and the DOI starts at most [`MAX_DOI_LEN`] bytes before it.
    #[test]
    fn lengths_of_dois() {
        let is_doi = |before: usize, page: usize, code: usize| {
            let text = format!(
                "10.1/{}(1)<{}:{}>2.0.CO;2",
                "1".repeat(before - 8),
                "1".repeat(page),
                "A".repeat(code)
            );
            let at = text.find('<').unwrap();
            skip(&Window::whole(text.as_bytes()), 0, at) == Some(text.len())
        };
        for (before, page, code, expected) in [
            (20, 1, MAX_CODE_LEN - 2, true),
            (20, 1, MAX_CODE_LEN - 1, false),
            (20, MAX_CODE_LEN - 2, 1, true),
            (20, MAX_CODE_LEN - 1, 1, false),
            (20, MAX_CODE_LEN, 1, false),
            (MAX_DOI_LEN, 1, 1, true),
            (MAX_DOI_LEN + 1, 1, 1, false),
        ] {
            assert_eq!(is_doi(before, page, code), expected, "{before} {page} {code}");
        }
    }
}
