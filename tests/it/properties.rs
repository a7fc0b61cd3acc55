//! The laws, on random texts.

use proptest::prelude::*;
use urlgrep::{Dialect, Grade, Hyphen, Iri, Join};

use crate::laws::input::{Input, Settings};
use crate::laws::told::Told;
use crate::laws::{text as law, ways};

/// Pieces of texts with URLs, and text that breaks URLs.
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
    "ü",
    "路",
    "\u{200C}",
    "（x）",
    "。",
    "[(b])",
    "h.co.uk/a",
    "README.md",
    ".com",
    "b@h.org",
    "$",
    "\nReferences: <",
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
    "(http://h.org/",
    "'http://h.org/",
    "http:\\/\\/",
    "\\/",
    "http:",
    "=\n",
    "0123456789012345678901234567890123456789012345678=\n",
    "\n/// ",
    "\n-- ",
    "\ndnl ",
    "\u{b}",
    "\u{c}",
    "\u{a0}",
    "\u{3000}",
    "\r\r\n",
    "\n\r",
    "@{",
    "''",
    "'s",
    "--",
    "|x://",
    "a@[10.0.0.1],",
    "file:a/b",
    "\"mailto: ",
    "\\u0026",
    "\\u00e9",
    "\\u003e",
    "\\_",
    "\\&",
    "\\:",
    "\\-",
    "\x1b[1;31m",
    "\x1b[K",
    "&#38;",
    "&apos;",
    "&nbsp;",
    "](",
    "{{",
    "\n1,http://h.org/a,x\n",
    ",x\n2,http://",
    ";x\n",
    "[.]",
    ":1:5",
    ".js:12",
    "中国",
    ".中国/",
    "🐰",
    "/新加坡",
    "を",
    "에서",
    "_8월",
    "，",
    "【",
    "】",
    "tel:+1",
    "doi:10.1",
    "<geo:",
    "magnet:?x",
    "$scheme://",
    "wget+http://",
    "https:\n",
    "/\nb/c\n\n",
    " \n",
    "\n+ * ",
    "│",
    "?u=http%3A%2F%2Fh.org%2F%3Fv%3Dftp%253A%252F%252Fh.org",
    "&w=http%3A%2F%2Fh.",
    "/aHR0cDovL2gub3JnL2E/",
];

/// Texts with URLs and with what breaks them.
pub fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![tokens(), listed()]
}

fn tokens() -> impl Strategy<Value = Vec<u8>> {
    let token = prop_oneof![
        20 => prop::sample::select(TOKENS).prop_map(|token| token.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|b| vec![b]),
    ];
    prop::collection::vec(token, 0..80).prop_map(|tokens| tokens.concat())
}

/// Text before a URL.
const LEADS: &[&str] = &[
    "\n", " ", "  ", "<", "< ", "\"", "(", "", ">", "> ", "\n> ", "<\n> ", "<\n>> ", "<\nAB> ", "\n * ",
    "; ", "# ", "\r\n", "'", "*", "=", ": ", "URL: ", ".", "\t", "[", "/// ", "\n-- ", "*a: ", "\u{c}",
    "\u{3000}", "x=\n",
];

/// Schemes that are plain, and others.
const SCHEMES: &[&str] = &["http://", "https://", "ftp://", "HTTP://", "gopher://", "x-http://", "http:/"];

/// Hosts that are plain, and others.
const HOSTS: &[&str] = &[
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
];

/// Paths that are plain, and others.
const PATHS: &[&str] = &[
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
];

/// Text after a URL.
const STOPS: &[&str] = &[
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
];

/// Text with many URLs that are plain, or nearly.
fn listed() -> impl Strategy<Value = Vec<u8>> {
    let url = [LEADS, SCHEMES, HOSTS, PATHS, STOPS].map(prop::sample::select);
    let url = url.prop_map(|pieces| pieces.concat().into_bytes());
    prop::collection::vec(url, 0..12).prop_map(|urls| urls.concat())
}

/// Pieces of mail and news, and text that damages them.
const MAIL: &[&str] = &[
    "From a@h.org Fri Mar  2 10:11:12 2001\n",
    "\nFrom -340567\n",
    "\nFrom b@h.org\n",
    "Content-Length: 40\n",
    ">From here\n",
    "#! rnews 120\n",
    "Message-ID: <1@h.org>\n",
    "Subject: see http://h.org/s\n",
    "Subject: =?utf-8?q?http=3A//h.org/?=\n =?us-ascii?b?YWJj?=\n",
    "List-Archive: <http://h.org/\n a>\n",
    "Received: by http://h.org/\n",
    "MIME-Version: 1.0\n",
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: multipart/digest; boundary=\"c\"\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: text/html\n",
    "Content-Type: text/plain; format=flowed; delsp=yes\n",
    "Content-Type: text/plain; charset=iso-2022-jp\n",
    "Content-Type: text/plain; charset=utf-16\n",
    "Content-Type: image/gif\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "--b\n",
    "--b--\n",
    "--c\n",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "=\n",
    "=3D",
    "=E9",
    "http://h.org/",
    "<URL:http://h.org/a\nb>",
    "> http://h.org/a \n> b\n",
    "aHR0cDovL2gub3JnL2E=\n",
    "aHR0cDovL2gub3Jn\nL2I+\n",
    "<a href=\"http://h.org/?a&amp;b\">",
    "</a>",
    "&lt;URL:",
    "&gt;",
    "<!--",
    "-->",
    "<pre>",
    "\u{1b}$B",
    "\u{1b}(B",
    "..\n",
    "-- \n",
];

fn mail() -> impl Strategy<Value = Vec<u8>> {
    let token = prop_oneof![
        20 => prop::sample::select(MAIL).prop_map(|token| token.as_bytes().to_vec()),
        2 => prop::sample::select(TOKENS).prop_map(|token| token.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|b| vec![b]),
    ];
    prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat())
}

fn settings() -> impl Strategy<Value = Settings> {
    let hyphen = prop::sample::select(vec![Hyphen::Keep, Hyphen::Drop, Hyphen::Both]);
    let join = prop::sample::select(vec![Join::None, Join::Delimited, Join::Likely]);
    let max_len = prop_oneof![16_usize..60, Just(65_536)];
    let iri = prop::sample::select(vec![Iri::Words, Iri::All, Iri::Ascii]);
    let more = prop::array::uniform5(any::<bool>());
    let grade = prop::sample::select(vec![Grade::Lenient, Grade::Rfc3986, Grade::Rfc1738]);
    let schemes = prop::sample::select(vec![&[][..], &["h323", "http"]]);
    let dialect = prop::sample::select(vec![Dialect::Rfc1738, Dialect::Rfc1738, Dialect::Draft1994]);
    (hyphen, join, max_len, iri, more, dialect, grade, schemes).prop_map(
        |(hyphen, join, max_len, iri, [hosts, addresses, width, cells, nested], dialect, grade, schemes)| {
            Settings {
                hyphen,
                nested,
                join,
                max_len,
                iri,
                hosts,
                addresses,
                width: width.then_some(20),
                cells,
                dialect,
                grade,
                schemes,
            }
        },
    )
}

fn matches(settings: &Settings, text: &[u8]) -> Vec<Told> {
    ways::slice(&settings.finder(), text, Told::of)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn chunks_have_the_same_matches(settings in settings(), text in text(), cuts in any::<[prop::sample::Index; 3]>(), size in 1_usize..9) {
        let mut cuts = cuts.map(|cut| cut.index(text.len() + 1));
        cuts.sort_unstable();
        let whole = matches(&settings, &text);
        law::comes_in_pieces(&Input { settings, size, filler: None, container: 0, cuts, text: &text }, &whole);
    }

    #[test]
    fn rows_are_texts_of_their_own(settings in settings(), texts in prop::collection::vec(text(), 1..8), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
        let text = texts.concat();
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.sort_unstable();
        law::has_rows(&settings.finder(), &text, &cuts);
    }

    #[test]
    fn rows_are_texts_of_their_own_with_any_option(
        (name, value) in prop::sample::select(crate::texts::values()),
        text in text(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.sort_unstable();
        law::has_rows(&crate::texts::finder(&[(name, &value)]), &text, &cuts);
    }

    #[test]
    fn a_dialect_decides_nothing_but_grades(settings in settings(), text in text()) {
        let by = |dialect| Settings { dialect, grade: Grade::Lenient, ..settings.clone() }.finder();
        let [rfc1738, draft] = [Dialect::Rfc1738, Dialect::Draft1994].map(by);
        prop_assert!(rfc1738.find_iter(&text).eq(draft.find_iter(&text)));
    }

    #[test]
    fn a_scanner_drops_nothing_that_it_needs(settings in settings(), text in text(), cuts in any::<[prop::sample::Index; 3]>(), filler in 73_000_usize..74_000) {
        let mut cuts = cuts.map(|cut| cut.index(text.len() + 1));
        cuts.sort_unstable();
        let whole = matches(&settings, &text);
        law::comes_in_pieces(&Input { settings, size: 226, filler: Some(filler), container: 0, cuts, text: &text }, &whole);
    }

    #[test]
    fn special_instructions_change_nothing(settings in settings(), text in text()) {
        law::needs_no_special_instructions(&settings, &text, &matches(&settings, &text));
    }

    #[test]
    fn pieces_concatenate_to_the_url(settings in settings(), text in text()) {
        law::concatenates(&text, &matches(&settings, &text));
    }

    #[test]
    fn the_match_at_an_offset_is_that_of_a_search(settings in settings(), texts in prop::collection::vec(text(), 1..5)) {
        // No paragraph is longer than a URL may be.
        let texts: Vec<_> = texts.iter().map(|text| &text[..text.len().min(60)]).collect();
        let settings = Settings { max_len: 64, ..settings };
        law::is_at_offsets(&settings, &texts.join(&b"\n\n"[..]));
    }

    #[test]
    fn matches_do_not_overlap(settings in settings(), text in text()) {
        law::is_in_order(&settings, &matches(&settings, &text));
    }

    #[test]
    fn the_grammar_accepts_every_match(settings in settings(), text in text()) {
        law::is_a_url(&matches(&settings, &text));
    }

    #[test]
    fn every_match_is_matched_alone_in_a_wrapper(settings in settings(), text in text()) {
        law::is_found_alone(&settings, &matches(&settings, &text));
    }

    #[test]
    fn positions_count_line_feeds(settings in settings(), text in text()) {
        law::counts_line_feeds(&text, &matches(&settings, &text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_format_loses_nothing(data in prop::collection::vec(any::<u8>(), 0..40)) {
        crate::laws::losses::hold(&data);
    }

    #[test]
    fn archives_in_pieces_have_the_same_matches(settings in settings(), text in mail(), cuts in any::<[prop::sample::Index; 3]>(), size in 1_usize..40) {
        let cuts = cuts.map(|cut| cut.index(text.len() + 1));
        crate::laws::archive::hold(&Input { settings, size, filler: None, container: 0, cuts, text: &text });
    }
}
