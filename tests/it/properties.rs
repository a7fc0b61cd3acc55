//! What holds for every text.

use proptest::prelude::*;
use urlgrep::{Finder, Hyphen, Join, grammar};

use crate::entry;

/// What texts with URLs are made of, and what breaks them.
const TOKENS: &[&str] = &[
    "<URL:",
    "<url: ",
    "URL:",
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
    let token = prop_oneof![
        20 => prop::sample::select(TOKENS).prop_map(|token| token.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|b| vec![b]),
    ];
    prop::collection::vec(token, 0..80).prop_map(|tokens| tokens.concat())
}

fn finder() -> impl Strategy<Value = Finder> {
    let hyphen = prop::sample::select(vec![Hyphen::Keep, Hyphen::Drop, Hyphen::Both]);
    let join = prop::sample::select(vec![Join::None, Join::Delimited, Join::Likely]);
    let max_len = prop_oneof![16_usize..60, Just(65_536)];
    let more = prop::array::uniform4(any::<bool>());
    (hyphen, join, max_len, more).prop_map(|(hyphen, join, max_len, [iri, hosts, addresses, portable])| {
        Finder::builder()
            .hyphen(hyphen)
            .join(join)
            .max_len(max_len)
            .iri(iri)
            .hosts(hosts)
            .addresses(addresses)
            .portable(portable)
            .line_numbers(true)
            .build()
            .unwrap()
    })
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunked_is_whole(finder in finder(), text in text(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8), size in 1_usize..9) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.sort_unstable();
        let whole = entry::slice(&finder, &text);
        prop_assert_eq!(entry::pushed(&finder, &text, &cuts), whole.clone());
        prop_assert_eq!(entry::streamed(&finder, &text, size), whole);
    }

    #[test]
    fn the_portable_way_is_the_fast_way(text in prop_oneof![listed(), text()], iri: bool, end in 0_usize..90) {
        let finder = |portable| Finder::builder().iri(iri).portable(portable).line_numbers(true).build().unwrap();
        // What is near the end of a text is never read the fast way.
        let text = [text, b" ".repeat(end)].concat();
        prop_assert_eq!(entry::slice(&finder(false), &text), entry::slice(&finder(true), &text));
    }

    #[test]
    fn segments_concatenate_to_the_url(finder in finder(), text in text()) {
        for found in finder.find_iter(&text) {
            let segments: Vec<_> = found.segments().collect();
            let joined: Vec<u8> = segments.iter().flat_map(|s| text[s.clone()].to_vec()).collect();
            prop_assert_eq!(joined, found.as_bytes());
            prop_assert!(segments.iter().all(|s| !s.is_empty()));
            prop_assert!(segments.is_sorted_by(|a, b| a.end <= b.start));
            let span = found.span();
            prop_assert!(span.start <= segments[0].start && segments[segments.len() - 1].end <= span.end);
        }
    }

    #[test]
    fn finds_do_not_overlap(text in text()) {
        let spans: Vec<_> = urlgrep::find_iter(&text).map(|found| found.span()).collect();
        prop_assert!(spans.is_sorted_by(|a, b| a.end <= b.start));
    }

    #[test]
    fn the_grammar_accepts_every_find(finder in finder(), text in text()) {
        for found in finder.find_iter(&text) {
            // Hosts and addresses are found as they stand, without a scheme.
            let scheme = format!("{}:", found.scheme());
            if !found.as_bytes().starts_with(scheme.as_bytes()) {
                continue;
            }
            prop_assert!(
                grammar::assess(found.as_bytes()).is_ok(),
                "{}",
                String::from_utf8_lossy(found.as_bytes())
            );
            for url in found.alternatives() {
                prop_assert!(grammar::assess(&url).is_ok(), "{}", String::from_utf8_lossy(&url));
                prop_assert_ne!(&url, found.as_bytes());
            }
        }
    }

    #[test]
    fn every_find_is_found_again_alone_in_a_wrapper(text in text()) {
        for found in urlgrep::find_iter(&text) {
            let alone = [b"<URL:", found.as_bytes(), b">"].concat();
            let again = urlgrep::find(&alone).map(|again| again.as_bytes().to_vec());
            prop_assert_eq!(again.as_deref(), Some(found.as_bytes()));
        }
    }

    #[test]
    fn places_count_line_feeds(text in text()) {
        let finder = Finder::builder().line_numbers(true).build().unwrap();
        for found in finder.find_iter(&text) {
            let before = &text[..found.span().start];
            let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
            let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
            let place = found.place().unwrap();
            prop_assert_eq!((place.line, place.column), (line as u64, column as u64));
        }
    }
}
