//! Domain names without a scheme, on request, as in Unicode Technical Standard #58.
//!
//! A name counts if it is under a public suffix, which the list of the crate `psl` has,
//! and a word of its own.

use super::Context;
use super::end::EndFinder;
use super::implied::host_without_port;
use super::start::{AuthorityReader, Start};
use crate::bytes::unicode::{Iri, LinkTerm, char_at};
use crate::bytes::window::Window;
use crate::found::Match;
use crate::found::form::Ending;
use crate::found::form::{Form, Implied};
use crate::scan::Domains;

/// How long the labels are that are told apart, in bytes.
const WORD: usize = 10;

/// Whether a public suffix names a kind of files, too: `README.md`, `setup.py`, `libc.so`.
#[rustfmt::skip]
fn is_file(suffix: &[u8]) -> bool {
    matches!(
        suffix,
        b"ac" | b"am" | b"app" | b"cc" | b"in" | b"la" | b"md" | b"mk" | b"ml" | b"mov" | b"pl" | b"pm" | b"ps"
            | b"py" | b"rs" | b"sh" | b"so" | b"zip"
    )
}

/// Whether the names of newsgroups and of attributes in programs start with `label`: `rec.autos`,
/// `self.data`. Few sites are called so, except under [common](is_common) suffixes.
#[rustfmt::skip]
fn is_group(label: &[u8]) -> bool {
    matches!(
        label,
        b"alt" | b"comp" | b"humanities" | b"misc" | b"news" | b"rec" | b"sci" | b"soc" | b"talk" | b"self" | b"this"
    )
}

/// Whether no newsgroup or attribute ends with `suffix`.
fn is_common(suffix: &[u8]) -> bool {
    matches!(suffix, b"com" | b"edu" | b"gov" | b"net" | b"org")
}

/// `label` in lower case, in `room`; empty if it is longer than a [`WORD`].
fn lower<'r>(label: &[u8], room: &'r mut [u8; WORD]) -> &'r [u8] {
    let Some(word) = room.get_mut(..label.len()) else {
        return &[];
    };
    // The words are so short that a loop is faster than a copy.
    for (lower, b) in word.iter_mut().zip(label) {
        *lower = b.to_ascii_lowercase();
    }
    word
}

/// Reads the name that starts at `start`, and what follows it.
pub(crate) fn read<'h>(cx: &Context<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let (window, limit, explain) = (cx.window, cx.limit(start), cx.rules.explain);
    let options = &cx.rules.scan.read;
    let host = (AuthorityReader { window, limit, options }).dotted_host(start, 2)?;
    let host = host_without_port(window, start, host);
    let (Start::Open(run) | Start::Closed(_, run)) = host;
    let least = host.end().unwrap_or(run);
    let name = window.ahead(start..window.skip_back(least, start, |b| b == b'.'));
    let has_path = host == Start::Open(run) && window.get(run) == Some(b'/');
    let any = has_path || cx.rules.scan.domains == Domains::All;
    if !is_alone(window, run, options.iri) || !(any || is_evident(name)) || !is_registered(name) {
        return None;
    }
    let finder = EndFinder { window, start, limit, options, explain };
    let untrimmed = cx.end_before(limit, finder.after(&host))?;
    let url = start..finder.trimmed(host.end().unwrap_or(untrimmed), least);
    let ending = finder.stop(&host, untrimmed).map(|stop| Ending::new(stop, url.end, untrimmed));
    let matched = Match::verbatim(window.ahead(url.clone()), start, url, Form::Bare);
    Some(matched.implying(Implied::Http).ending_by(ending))
}

/// Whether nothing is joined to the name that ends at `end`: no login's `@`, no bracket of a
/// call, no letter.
fn is_alone(window: &Window<'_>, end: usize, iri: Iri) -> bool {
    match window.get(end) {
        Some(b'@' | b'(' | b'[' | b'{' | b'=' | b'$' | b'%' | b'*' | b'\\' | b'+' | b'~') => false,
        Some(0x80..) => {
            iri != Iri::Ascii && char_at(window, end).is_some_and(|c| iri.link_term(c) != LinkTerm::Include)
        }
        _ => true,
    }
}

/// Whether `name` would not rather be a file (`README.md`), a newsgroup (`rec.autos`), or the
/// end of a sentence and the start of the next one without a space (`end.In`).
fn is_evident(name: &[u8]) -> bool {
    let dot = name.iter().rposition(|&b| b == b'.').unwrap_or(0);
    let last = &name[dot..];
    let first = name.split(|&b| b == b'.').next().unwrap_or_default();
    let (mut first_word, mut last_word) = Default::default();
    let (first, suffix) = (lower(first, &mut first_word), lower(&last[1..], &mut last_word));
    let is_file = is_file(suffix);
    let is_group = is_group(first) && !is_common(suffix);
    let is_word = last.get(1).is_some_and(u8::is_ascii_uppercase)
        && last.get(2..).is_some_and(|rest| rest.iter().any(u8::is_ascii_lowercase));
    !is_word && !is_group && (!is_file || name[..dot].contains(&b'.'))
}

/// Whether `name` is under a public suffix, or a suffix that someone other than a registry
/// runs (`blogspot.com`).
#[cfg(feature = "domains")]
pub(super) fn is_registered(name: &[u8]) -> bool {
    use std::borrow::Cow;

    use psl::Psl as _;

    /// The longest name in UTF-8 that is looked up, in bytes: RFC 1035 §2.3.4 allows 255
    /// octets in punycode, which has at least one for each character.
    const LONGEST: usize = 4 * 255;

    let ends_in_hyphen = name.ends_with(b"-") || name.windows(2).any(|pair| pair == b"-.");
    if name.len() > LONGEST || ends_in_hyphen || name.contains(&b'_') {
        return false;
    }
    let is_lower = name.iter().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    let name = if is_lower {
        Cow::Borrowed(name)
    } else if let Ok(name) = std::str::from_utf8(name) {
        Cow::Owned(name.to_lowercase().into_bytes())
    } else {
        return false;
    };
    let Some(suffix) = psl::List.suffix(&name) else {
        return false;
    };
    let is_private = suffix.typ() == Some(psl::Type::Private);
    suffix.is_known() && (is_private || suffix.as_bytes().len() < name.len())
}

/// Without the list, no name is under a public suffix.
#[cfg(not(feature = "domains"))]
pub(super) fn is_registered(_name: &[u8]) -> bool {
    false
}

#[cfg(all(test, feature = "domains"))]
mod tests {
    use super::*;

    #[test]
    fn names_under_public_suffixes() {
        for name in ["h.org", "H.CO.UK", "blogspot.com", "foo.香港", "abc.XN--11B4C3D", "DEΩ.uk"] {
            assert!(is_registered(name.as_bytes()), "{name}");
        }
        for name in ["h.example", "co.uk", "node.js", "a-.com", "a_b.com", "org"] {
            assert!(!is_registered(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn files_and_sentences() {
        for name in ["h.org", "allegro.com.pl", "H.ORG", "h.md.org", "news.h.com"] {
            assert!(is_evident(name.as_bytes()), "{name}");
        }
        for name in ["README.md", "setup.py", "LIBC.SO", "end.In", "rec.autos", "self.data"] {
            assert!(!is_evident(name.as_bytes()), "{name}");
        }
    }
}
