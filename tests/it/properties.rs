//! What holds for every text.

use proptest::prelude::*;
use urlgrep::{Grade, Hyphen, Join};

use crate::laws::input::{Input, Settings};
use crate::laws::told::Told;
use crate::laws::{text as law, ways};

/// What texts with URLs are made of, and what breaks them.
const TOKENS: &[&str] = &[
    "<URL:",
    "<url: ",
    "URL:",
    "< URL: ",
    "<http: //",
    "<mailto: a@h.org>",
    "<",
    ">",
    "\"",
    "'",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "> ",
    "\n> ",
    "\n> > ",
    ">> ",
    "AB> ",
    "\n| ",
    "\n * ",
    "\n;; ",
    "\n// ",
    "# ",
    "-",
    "-\n",
    "-\n> ",
    "http://",
    "HTTPS://",
    "ftp://u:p@",
    "h.org",
    "h",
    "box:80",
    "/a",
    "/b_(c)",
    "/d/",
    "?q=1|2",
    "&amp;",
    "&lt;",
    "#f",
    "mailto:a@h.org",
    "news:comp.mail",
    "file:///",
    "urn:a:b",
    "x-y://",
    "git+ssh://",
    "z39.50r://",
    "h323:",
    "x1://",
    "std::",
    "12:30",
    ":",
    "//",
    ".",
    ",",
    ";",
    "!",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "_",
    "==",
    "~",
    "|",
    "\\",
    "%20",
    "%",
    "@",
    "é",
    "日",
    "\u{1b}",
    "word",
    "and ",
    "From ",
    "\n>From ",
    "www.",
    "ftp.",
];

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![tokens(), listed()]
}

fn tokens() -> impl Strategy<Value = Vec<u8>> {
    let token = prop_oneof![
        20 => prop::sample::select(TOKENS).prop_map(|token| token.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|b| vec![b]),
    ];
    prop::collection::vec(token, 0..80).prop_map(|tokens| tokens.concat())
}

/// Text with many URLs that are plain, and hardly are.
fn listed() -> impl Strategy<Value = Vec<u8>> {
    let lead = prop::sample::select(vec![
        "\n", " ", "  ", "<", "< ", "\"", "(", "", ">", "> ", "\n> ", "<\n> ", "<\n>> ", "<\nAB> ", "\n * ",
        "; ", "# ", "\r\n", "'", "*", "=", ": ", "URL: ", ".", "\t",
    ]);
    let scheme = prop::sample::select(vec![
        "http://",
        "https://",
        "ftp://",
        "HTTP://",
        "gopher://",
        "x-http://",
        "http:/",
    ]);
    let host = prop::sample::select(vec![
        "h.org",
        "h",
        "www.a-b.h.org",
        "h..org",
        "-h.org",
        "h-.org",
        "h.org.",
        "h_.org",
        "_",
        "h.org:80",
        "h.org:8a",
        "h:123456789",
        "h.org:",
        "u@h.org",
        "",
        "[::1]",
        "é.org",
    ]);
    let path = prop::sample::select(vec![
        "",
        "/",
        "/a",
        "/a.html",
        "/a_(b)",
        "/a?q=1&x=2",
        "/a&lt;",
        "/a&gtx",
        "?q|r",
        "/~a/-",
        "/a.",
        "/a--",
        "/'a'",
        "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/0",
        "/%zz",
        "#f",
        "/é",
    ]);
    let stop = prop::sample::select(vec![
        "\n",
        " ",
        ">",
        "\"",
        ")",
        "]",
        ",",
        ", ",
        ";\n",
        ";http://h.org/",
        ".",
        "... ",
        "'",
        "|",
        "é",
        "*",
        "",
        "(",
        "\\",
        "`",
        "\t",
        "\r",
        "?",
        "? ",
    ]);
    let url =
        (lead, scheme, host, path, stop).prop_map(|(a, b, c, d, e)| [a, b, c, d, e].concat().into_bytes());
    prop::collection::vec(url, 0..12).prop_map(|urls| urls.concat())
}

fn settings() -> impl Strategy<Value = Settings> {
    let hyphen = prop::sample::select(vec![Hyphen::Keep, Hyphen::Drop, Hyphen::Both]);
    let join = prop::sample::select(vec![Join::None, Join::Delimited, Join::Likely]);
    let max_len = prop_oneof![16_usize..60, Just(65_536)];
    let more = prop::array::uniform3(any::<bool>());
    let grade = prop::sample::select(vec![Grade::Lenient, Grade::Rfc3986, Grade::Rfc1738]);
    let schemes = prop::sample::select(vec![&[][..], &["h323", "http"]]);
    (hyphen, join, max_len, more, grade, schemes).prop_map(
        |(hyphen, join, max_len, [iri, hosts, addresses], grade, schemes)| Settings {
            hyphen,
            join,
            max_len,
            iri,
            hosts,
            addresses,
            grade,
            schemes,
        },
    )
}

fn found(settings: &Settings, text: &[u8]) -> Vec<Told> {
    ways::slice(&settings.finder(), text, Told::of)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunked_is_whole(settings in settings(), text in text(), cuts in any::<[prop::sample::Index; 3]>(), size in 1_usize..9) {
        let mut cuts = cuts.map(|cut| cut.index(text.len() + 1));
        cuts.sort_unstable();
        let whole = found(&settings, &text);
        law::comes_in_pieces(&Input { settings, size, filler: None, cuts, text: &text }, &whole);
    }

    #[test]
    fn a_scanner_drops_nothing_that_it_needs(settings in settings(), text in text(), cuts in any::<[prop::sample::Index; 3]>(), filler in 73_000_usize..74_000) {
        let mut cuts = cuts.map(|cut| cut.index(text.len() + 1));
        cuts.sort_unstable();
        let whole = found(&settings, &text);
        law::comes_in_pieces(&Input { settings, size: 226, filler: Some(filler), cuts, text: &text }, &whole);
    }

    #[test]
    fn special_instructions_change_nothing(settings in settings(), text in text()) {
        law::needs_no_special_instructions(&settings, &text, &found(&settings, &text));
    }

    #[test]
    fn segments_concatenate_to_the_url(settings in settings(), text in text()) {
        law::concatenates(&text, &found(&settings, &text));
    }

    #[test]
    fn finds_do_not_overlap(settings in settings(), text in text()) {
        law::is_in_order(&settings, &found(&settings, &text));
    }

    #[test]
    fn the_grammar_accepts_every_find(settings in settings(), text in text()) {
        law::is_a_url(&found(&settings, &text));
    }

    #[test]
    fn every_find_is_found_again_alone_in_a_wrapper(settings in settings(), text in text()) {
        law::is_found_alone(&settings, &found(&settings, &text));
    }

    #[test]
    fn places_count_line_feeds(settings in settings(), text in text()) {
        law::counts_line_feeds(&text, &found(&settings, &text));
    }
}
