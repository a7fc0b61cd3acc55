//! What precedes the dot of a host or the `@` of a mail address that has no scheme.

use crate::bytes::class::{
    ALPHADIGIT, AMPERSAND, AT, CARET, Class, DOT, EQUALS, ESCAPE, HYPHEN, PLAIN, PLUS, QUESTION, UNDERSCORE,
};
use crate::bytes::unicode::{Iri, LinkTerm, char_before};
use crate::bytes::window::Window;
use crate::found::form::Implied;

use super::Candidate;

/// RFC 5321 §4.5.3.1.1: "The maximum total length of a user name or other local-part is
/// 64 octets."
const LOCAL_PART: usize = 64;

/// How long a label may be in UTF-8, in bytes: RFC 1035 §2.3.4 allows 63 octets in
/// punycode, which has at least one for each character.
const LABEL: usize = 63 * 4;

/// The bytes that the local part of an address has.
const NAME: Class = ALPHADIGIT.or(DOT).or(UNDERSCORE).or(PLUS).or(HYPHEN).or(EQUALS).or(ESCAPE).or(AMPERSAND);

/// The bytes that join a word to a name after it, except `\`.
const JOINT: Class = PLAIN.without(CARET).or(AT).or(AMPERSAND).or(QUESTION);

/// The `www` or `ftp` that ends before `dot`, if nothing is joined to it.
pub(super) fn host(window: &Window<'_>, dot: usize, floor: usize) -> Option<Candidate> {
    let start = dot.checked_sub(3).filter(|&start| start >= floor)?;
    let scheme = match window.before(dot, start).to_ascii_lowercase().as_slice() {
        b"www" => Implied::Http,
        b"ftp" => Implied::Ftp,
        _ => return None,
    };
    let joined = |b: u8| b.is_ascii_alphanumeric() || b"-._@/:%".contains(&b) || b >= 0x80;
    (!window.byte_before(start).is_some_and(joined)).then_some(Candidate::Host { start, scheme })
}

/// Where the name starts whose first dot is at `dot`, if nothing is joined to it.
///
/// A name that starts after another dot was read from that one.
pub(super) fn domain(window: &Window<'_>, dot: usize, floor: usize, iri: Iri) -> Option<Candidate> {
    let least = floor.max(dot.saturating_sub(LABEL));
    let of_label = |b| ALPHADIGIT.or(HYPHEN).has(b);
    let start = run_before(window, dot, least, of_label, |c| iri.link_term(c) == LinkTerm::Include);
    let first = window.get(start).filter(|&b| start < dot && b != b'-')?;
    debug_assert!(first.is_ascii_alphanumeric() || first >= 0x80);
    let joined = |b: u8| JOINT.has(b) || b == b'\\';
    let is_alone = match window.byte_before(start) {
        Some(b) if b >= 0x80 => {
            let before = char_before(window, start, 0);
            iri != Iri::Ascii && before.is_some_and(|c| iri.link_term(c) != LinkTerm::Include)
        }
        byte => !byte.is_some_and(joined),
    };
    is_alone.then_some(Candidate::Domain { start })
}

/// Where the address starts whose `@` is at `at`: at a letter or digit.
///
/// A message identifier may look like one, but it has a `$` in it, or is longer.
pub(super) fn address(window: &Window<'_>, at: usize, floor: usize, iri: Iri) -> Option<Candidate> {
    let least = floor.max(at.saturating_sub(LOCAL_PART));
    let of_name = |b| NAME.has(b);
    let run = run_before(window, at, least, of_name, |c| iri.in_local_part(c));
    let before = window.byte_before(run);
    if matches!(before, Some(b'$' | b'@')) || run > floor && run == least && before.is_some_and(of_name) {
        return None;
    }
    let name = window.before(at, run);
    // UTS #58 has no link where RFC 5322 has no dot-atom.
    if iri == Iri::All && !is_dot_atom(name) {
        return None;
    }
    let start = run + name.iter().position(|&b| b.is_ascii_alphanumeric() || b >= 0x80)?;
    Some(Candidate::Address { start })
}

/// `dot-atom-text = 1*atext *("." 1*atext)` (RFC 5322 §3.2.3), as far as dots matter.
fn is_dot_atom(name: &[u8]) -> bool {
    !name.split(|&b| b == b'.').any(<[u8]>::is_empty)
}

/// Where the run starts that ends before `at`, of bytes that are `wanted` and of
/// characters beyond ASCII that are `wide`, looking back to `floor` at most.
pub(super) fn run_before(
    window: &Window<'_>,
    at: usize,
    floor: usize,
    wanted: impl Fn(u8) -> bool,
    wide: impl Fn(char) -> bool,
) -> usize {
    let mut start = at;
    loop {
        start = window.skip_back(start, floor, &wanted);
        if window.byte_before(start).is_none_or(|b| b < 0x80) {
            return start;
        }
        match char_before(window, start, floor).filter(|&c| wide(c)) {
            Some(c) => start -= c.len_utf8(),
            None => return start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address_in(text: &str, iri: Iri) -> Option<&str> {
        let at = text.rfind('@').unwrap();
        match address(&Window::whole(text.as_bytes()), at, 0, iri)? {
            Candidate::Address { start } => Some(&text[start..at]),
            _ => None,
        }
    }

    #[test]
    fn local_parts() {
        assert_eq!(address_in("(a.b+c@", Iri::Words), Some("a.b+c"));
        assert_eq!(address_in("--a@", Iri::Words), Some("a"));
        assert_eq!(address_in("<jürgen@", Iri::Words), Some("jürgen"));
        assert_eq!(address_in("アル.ト@", Iri::Words), None);
        assert_eq!(address_in("アル.ト@", Iri::All), Some("アル.ト"));
        assert_eq!(address_in("jürgen@", Iri::Ascii), Some("rgen"));
        assert_eq!(address_in("a..b@", Iri::All), None);
        assert_eq!(address_in("a.@", Iri::All), None);
    }

    #[test]
    fn identifiers_of_messages_are_no_addresses() {
        assert_eq!(address_in("<001301c1$a0b1@", Iri::Words), None);
        assert_eq!(address_in("$user@", Iri::Words), None);
        assert_eq!(address_in(&format!("{}@", "a".repeat(64)), Iri::Words), Some(&*"a".repeat(64)));
        assert_eq!(address_in(&format!("{}@", "a".repeat(65)), Iri::Words), None);
    }

    fn domain_in(text: &str, iri: Iri) -> Option<&str> {
        let dot = text.find('.').unwrap();
        match domain(&Window::whole(text.as_bytes()), dot, 0, iri)? {
            Candidate::Domain { start } => Some(&text[start..dot]),
            _ => None,
        }
    }

    #[test]
    fn names_are_words_of_their_own() {
        for text in ["h.", "(h.", "see h.", "\"h."] {
            assert_eq!(domain_in(text, Iri::Words), Some("h"), "{text}");
        }
        for text in ["a@h.", "/h.", "_h.", "$h.", "-h.", " .", "=h."] {
            assert_eq!(domain_in(text, Iri::Words), None, "{text}");
        }
        assert_eq!(domain_in("exämple.", Iri::Words), Some("exämple"));
        assert_eq!(domain_in("exämple.", Iri::Ascii), None);
        assert_eq!(domain_in("例えh.", Iri::Words), Some("h"));
        assert_eq!(domain_in("例えh.", Iri::All), Some("例えh"));
        assert_eq!(domain_in("“h.", Iri::All), Some("h"));
        assert_eq!(domain_in(&format!("{}.", "a".repeat(300)), Iri::All), None);
    }
}
