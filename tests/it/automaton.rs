//! The naive twin of the candidate search: an automaton over the known schemes.
//!
//! The finder looks for colons and reads backwards from them; aho-corasick reads
//! forwards and knows nothing of words, blocks and masks. What one of them sees,
//! the other must see as well.

use aho_corasick::{AhoCorasick, Match};
use proptest::prelude::*;
use urlgrep::grammar::Schemes;
use urlgrep::{Finder, Form};

/// A search for each known scheme with its colon (case-insensitive).
fn known() -> AhoCorasick {
    let schemes = Schemes::default();
    let names = schemes.names().map(|name| format!("{name}:"));
    AhoCorasick::builder().ascii_case_insensitive(true).build(names).unwrap()
}

/// Whether an unmistakable URL is around `name`: whitespace, `http`, `https` or
/// `ftp`, `://`, a dotted host of letters and digits, whitespace.
fn is_unmistakable(text: &[u8], name: &Match) -> bool {
    let (scheme, rest) = (&text[name.range()], &text[name.end()..]);
    let begins = name.start() == 0 || text[name.start() - 1].is_ascii_whitespace();
    let is_hosted = ["http:", "https:", "ftp:"].iter().any(|of| scheme.eq_ignore_ascii_case(of.as_bytes()));
    let Some(rest) = rest.strip_prefix(b"//").filter(|_| begins && is_hosted) else { return false };
    let host = rest.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let mut labels = host.split(|&b| b == b'.');
    host.contains(&b'.')
        && labels.all(|label| !label.is_empty() && label.iter().all(u8::is_ascii_alphanumeric))
}

/// Panics unless the finder and the automaton agree on `text`.
fn agrees(text: &[u8]) {
    let names: Vec<_> = known().find_overlapping_iter(text).collect();
    let matches: Vec<_> = Finder::new().find_iter(text).collect();
    for bare in matches.iter().filter(|of| of.form() == Form::Bare) {
        // Only the colon of an unknown scheme may be missing from the automaton.
        let start = bare.range().start;
        let is_known = Schemes::default().names().any(|name| bare.scheme().eq_ignore_ascii_case(name));
        let is_seen = names.iter().any(|name| name.start() == start && name.len() == bare.scheme().len() + 1);
        assert_eq!(is_known, is_seen, "{bare:?}");
    }
    for name in names.iter().filter(|name| is_unmistakable(text, name)) {
        let within = |span: std::ops::Range<usize>| span.start <= name.start() && name.end() <= span.end;
        assert!(matches.iter().any(|of| within(of.range())), "{name:?}: {matches:?}");
    }
}

#[test]
fn what_is_unmistakable() {
    for (text, expected) in [
        ("http://h.org", true),
        ("see\nFTP://ftp.h.org\r\n", true),
        ("(http://h.org)", false),
        ("http://h", false),
        ("http://h..org", false),
        ("http://h.org.", false),
        ("xhttp://h.org", false),
        ("mailto://h.org", false),
    ] {
        let name = known().find(text).unwrap();
        assert_eq!(is_unmistakable(text.as_bytes(), &name), expected, "{text:?}");
    }
}

#[test]
fn on_the_corpora() {
    let corpora = std::path::Path::new(crate::ROOT).join("corpora");
    for folder in ["text", "mail", "news"] {
        for entry in std::fs::read_dir(corpora.join(folder)).unwrap() {
            agrees(&std::fs::read(entry.unwrap().path()).unwrap());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_generated_text(text in crate::properties::text()) {
        agrees(&text);
    }

    /// Whitespace on both sides makes more URLs unmistakable.
    #[test]
    fn on_spaced_text(texts in prop::collection::vec(crate::properties::text(), 0..6)) {
        agrees(&texts.join(&b" http://h.org "[..]));
    }
}
