//! The conformance file of Unicode Technical Standard #58.
//!
//! `tests/data/LinkDetectionTest.txt` is Unicode's, of 2025-12-26, for Unicode 17.0.0; its terms of
//! use are at <https://www.unicode.org/terms_of_use.html>. Every line must have the links that
//! it marks, except those listed here, which must not: a line that is right against expectation
//! is an error, too. `docs/design/rules.md` gives the reasons.

use urlgrep::{Finder, Iri, Schemeless};

/// Lines that are different, as they are in the file.
const EXCEPTIONS: [&str; 7] = [
    // RFC 1738 §3.1: a login is part of a URL.
    "http://john.smith@example.com",
    "http://john.smith@example.com/foo/bar",
    "http://john..smith@example.com",
    "http://john..smith@example.com/foo/bar",
    // RFC 1738 §2.2: a quotation mark delimits a URL.
    "⸠https://nap.wikipedia.org/wiki/Wikipedia:Lista_d\"e_vvoce_ca_tutt'_'e_Wikipedie_aveno_a_avé⸡",
    // Only a full stop separates labels.
    "Lorem ipsum ⸠普遍适用测试。我爱你⸡ dolor sit amet",
    // A scheme without slashes is found only before ASCII.
    "See ⸠mailto:αβγ.δεζ@example.com⸡ on…",
];

#[test]
fn uts_58() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/LinkDetectionTest.txt");
    let file = std::fs::read_to_string(path).unwrap();
    let finder = Finder::builder()
        .iri(Iri::All)
        .schemeless([Schemeless::Domains, Schemeless::Emails])
        .build()
        .unwrap();
    let lines: Vec<_> =
        file.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 344);
    let wrong: Vec<_> = lines.into_iter().filter(|line| marked(&finder, line) != *line).collect();
    for line in &wrong {
        assert!(EXCEPTIONS.contains(line), "expected {line}\n   found {}", marked(&finder, line));
    }
    let right: Vec<_> = EXCEPTIONS.iter().filter(|line| !wrong.contains(line)).collect();
    assert_eq!(right, [&""; 0], "these are right now");
}

/// The line with marks around the links that are found in it.
fn marked(finder: &Finder, line: &str) -> String {
    let text = line.replace(['⸠', '⸡'], "");
    let mut marked = String::new();
    let mut at = 0;
    for found in finder.find_iter(&text) {
        let range = found.range();
        marked += &format!("{}⸠{}⸡", &text[at..range.start], &text[range.clone()]);
        at = range.end;
    }
    marked + &text[at..]
}
