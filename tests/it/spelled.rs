//! `refang` and `unwrap` beyond their tables of cases: hostile text, and what must not change.

use std::path::Path;

use proptest::prelude::*;
use proptest::string::string_regex;
use urlgrep::{Finder, Form, Match, grammar};

/// The inputs of all tables of cases.
fn inputs() -> Vec<Vec<u8>> {
    let folder = Path::new(crate::ROOT).join("tests/data");
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let table: toml::Value = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            let cases = table["case"].as_array().unwrap();
            inputs.extend(
                cases.iter().filter_map(|case| Some(case.get("input")?.as_str()?.as_bytes().to_vec())),
            );
        }
    }
    assert!(inputs.len() > 300, "{}", inputs.len());
    inputs
}

fn places<'h>(finder: &Finder, text: &'h [u8]) -> Vec<(Match<'h>, Vec<std::ops::Range<u64>>)> {
    finder.find_iter(text).map(|m| (m.clone(), m.pieces().collect())).collect()
}

#[test]
fn unwrap_matches_what_is_matched_without_it() {
    let (plain, unwrap) = (Finder::new(), Finder::builder().unwrap(true).build().unwrap());
    for input in inputs() {
        let (without, with) = (places(&plain, &input), places(&unwrap, &input));
        assert_eq!(without.len(), with.len());
        for ((without, pieces), (with, same)) in without.iter().zip(&with) {
            assert_eq!((without.span(), without.form(), pieces), (with.span(), with.form(), same));
            match with.unwrapped_from() {
                [] => assert_eq!(with, without),
                _ => assert_eq!(with.alternatives()[0], without.as_bytes()),
            }
            assert!(
                urlgrep::grammar::assess(with.as_bytes()).is_ok() || with.as_bytes() == without.as_bytes()
            );
        }
    }
}

#[test]
fn nested_adds_urls_within_others() {
    let (plain, nested) = (Finder::new(), Finder::builder().nested(true).build().unwrap());
    let mut count = 0;
    for input in inputs() {
        let (inner, outer): (Vec<_>, Vec<_>) =
            places(&nested, &input).into_iter().partition(|(m, _)| m.form() == Form::Nested);
        assert_eq!(outer, places(&plain, &input));
        for (m, pieces) in &inner {
            let is_around =
                |(outer, _): &&(Match<'_>, _)| outer.start() <= m.start() && m.end() <= outer.end();
            let (outer, _) = outer.iter().find(is_around).unwrap();
            assert!(grammar::assess(m.as_bytes()).is_ok() && outer.form() != Form::Nested);
            assert!(pieces[0].start == m.span().start && pieces.last().unwrap().end == m.span().end);
        }
        count += inner.len();
    }
    assert!(count > 40, "{count}");
}

/// What follows a defanged URL may be read differently, but nothing else.
#[test]
fn refang_changes_nothing_where_nothing_is_defanged() {
    let (plain, refang) = (Finder::new(), Finder::builder().refang(true).build().unwrap());
    for input in inputs() {
        let with = places(&refang, &input);
        if with.iter().all(|(m, _)| m.form() != Form::Defanged) {
            assert_eq!(with, places(&plain, &input), "{}", String::from_utf8_lossy(&input));
        }
    }
}

#[test]
fn adversarial_defanged_text_ends() {
    let finder = Finder::builder().refang(true).build().unwrap();
    for part in [
        "hxxp[:]//",
        "[.]",
        "a[.]",
        "hxxp://a[.]",
        "http:",
        "hxxp:",
        "a [.] ",
        "a@",
        "[at]",
        "(dot)",
        "a(dot)org/",
        "hxxp://a[.]org:x",
        "hxxp://[",
        "{at}a[.]org",
        "hxxp://a.org/[.]",
        "mailto:a[at]",
    ] {
        is_read_alike(&finder, &part.repeat((1 << 20) / part.len()));
    }
    // Lines that are nearly as long as a URL may be.
    for part in [
        "(a[.]",
        "a[.];",
        "a[.]!",
        "=a[.]",
        "(http://",
        "a [.] b[.]c [at] ",
        "hxxp[:]//http:",
        "http:hxxp://",
        "http://0[.",
        ".[hxxp[:]//a[.]/",
        "!hxxp[:]//hxxp://{a",
    ] {
        let line = part.repeat(60_000 / part.len()) + "\n";
        is_read_alike(&finder, &line.repeat(4));
    }
}

/// A text has as many matches as a stream as it has whole.
fn is_read_alike(finder: &Finder, text: &str) {
    let n = finder.find_iter(text).count();
    let (mut scanner, mut streamed) = (finder.scanner(), 0);
    text.as_bytes().chunks(10_000).for_each(|chunk| scanner.push(chunk, |_| streamed += 1));
    scanner.finish(|_| streamed += 1);
    assert_eq!(streamed, n, "{}…", &text[..20]);
}

#[test]
fn adversarial_wrappers_end() {
    // A hundred and more within each other: ten are opened.
    let nested = |n: usize| format!("{}http://h.org/", "https://href.li/?".repeat(n));
    let unwrapped = urlgrep::unwrap(nested(100).as_bytes()).unwrap();
    assert_eq!(unwrapped.as_bytes(), nested(90).as_bytes());
    assert_eq!(unwrapped.wrappers(), ["href.li"; 10]);
    let text = format!("{} ", nested(3800)).repeat(20);
    let finder = Finder::builder().unwrap(true).build().unwrap();
    assert_eq!(finder.find_iter(&text).filter(|m| m.unwrapped_from().len() == 10).count(), 20);
    // Each layer encodes the percent signs of those within it once more.
    let mut encoded = "http://h.org/".to_owned();
    for _ in 0..100 {
        let inner = encoded.replace('%', "%25").replace(':', "%3A").replace('/', "%2F");
        encoded = format!("https://slack-redir.net/link?url={inner}");
        if encoded.len() > 60_000 {
            break;
        }
    }
    assert_eq!(urlgrep::unwrap(encoded.as_bytes()).unwrap().wrappers().len(), 10);
    // Base64 and runs that are not valid, or longer than anything.
    for url in [
        format!("https://urldefense.com/v3/__https://h.org/{}__;Kw!!x", "**_".repeat(20_000)),
        format!(
            "https://urldefense.com/v3/__https://h.org/{}__;{}!!x",
            "*".repeat(20_000),
            "Kw".repeat(10_000)
        ),
        format!("https://www.bing.com/ck/a?u=a1{}", "=".repeat(60_000)),
        format!("https://www.google.com/url?q={}", "%".repeat(60_000)),
        format!("https://www.google.com/url?{}", "q=&".repeat(20_000)),
        format!("https://r.search.yahoo.com/{}", "/RU=".repeat(15_000)),
    ] {
        assert_eq!(urlgrep::unwrap(url.as_bytes()), None, "{}", &url[..60]);
    }
}

/// A wrapper that is cut anywhere is a wrapper, or is none; what is within is a URL in any case.
#[test]
fn cut_wrappers() {
    let finder = Finder::new();
    for input in inputs() {
        for m in finder.find_iter(&input) {
            let url = m.as_bytes();
            for end in 0..=url.len().min(300) {
                if let Some(unwrapped) = urlgrep::unwrap(&url[..end]) {
                    assert!(urlgrep::grammar::assess(unwrapped.as_bytes()).is_ok());
                }
            }
        }
    }
}

/// What may be in a URL that text has: most forms of each scheme of RFC 1738, and of some others.
fn url() -> impl Strategy<Value = String> {
    let host = "[a-z][a-z0-9-]{0,5}[a-z]|([a-z0-9]{1,4}[.]){1,3}(org|de|example)|10[.]0[.]0[.][0-9]|\\[(2001:db8:)?:([1-9a-f]|ffff:10[.]0[.]0[.]1)\\]|(m\u{fc}ller|\u{4f8b}\u{3048})[.]example";
    let schemes = "https?|ftps?|gopher|telnet|nntp|news|wais|prospero|file|ssh|ldap|HTTP|Ftp|x-y";
    let start = format!(
        "({schemes})://(([a-z][a-z.]{{0,3}}|ftp|fxp|hxxp)(:[a-z0-9]{{1,4}})?@)?({host})(:[1-9][0-9]{{0,3}})?"
    );
    let value = "([a-z0-9.:@=&~+-]|%2F|[\\[({][.:/@][)}\\]]|(a?https?|HTTP|x-y)://([a-z]@)?h[.]org/|x-http:|/(fxp|hxxp|http):){0,6}[a-z0-9]";
    let rest = format!("(/({value})?)?([?]{value})?(#{value})?");
    let addresses = "[Mm]ailto:[a-z][a-z.]{0,3}[a-z]@([a-z]{1,4}[.]){1,2}org(,[a-z]{1,3}@k[.]org)?([?]cc=[a-z]@h[.]org(&body=(%20|HTTP|http://h[.]|x-y://h[.])?[a-z][.][a-z])?)?";
    let others = "news:[a-z]{2,4}[.][a-z]{2,5}|news:[a-z0-9.]{1,5}[0-9]@h[.]org|file:///[a-z.]{1,5}[a-z]|tel:[+][0-9]{3,9}";
    let parts = [start, rest].map(|regex| string_regex(&regex).unwrap());
    prop_oneof![8 => parts.prop_map(|parts| parts.concat()), 1 => addresses, 1 => others]
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 10_000, ..ProptestConfig::with_cases(2000) })]

    /// Of each URL that is found as it is.
    #[test]
    fn refang_reads_what_is_defanged(url in url()) {
        let plain = Finder::new();
        prop_assume!(plain.find(&url).is_some_and(|found| found.as_bytes() == url.as_bytes()));
        let refang = Finder::builder().refang(true).build().unwrap();
        let defanged = grammar::defang(url.as_bytes());
        let found: Vec<_> = refang.find_iter(&defanged).map(|found| found.to_string()).collect();
        prop_assert_eq!(found, [url], "{}", String::from_utf8_lossy(&defanged));
    }
}
