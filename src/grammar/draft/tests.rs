//! What the draft accepts and refuses, by hand from its BNF.

use super::*;

#[track_caller]
fn accepted(url: &str) -> Url<'_> {
    match parse(url.as_bytes()) {
        Ok(parsed) => {
            assert_eq!(parsed.to_string(), url);
            parsed
        }
        Err(error) => panic!("{url}: {error}"),
    }
}

#[track_caller]
fn refused(url: &str, production: &str, offset: usize) {
    match parse(url.as_bytes()) {
        Ok(parsed) => panic!("{url}: {parsed:?}"),
        Err(error) => assert_eq!((error.production(), error.offset()), (production, offset), "{url}"),
    }
}

#[test]
fn every_scheme_has_its_production() {
    assert!(matches!(accepted("HTTP://h.org?a+b"), Url::Http { path: None, search: Some("a+b"), .. }));
    assert!(matches!(accepted("http://h.org/"), Url::Http { path: Some(""), search: None, .. }));
    assert!(matches!(accepted("ftp://u:p@h.org/a/"), Url::Ftp { path: "a/", .. }));
    assert!(matches!(accepted("news:*"), Url::News { groupart: super::super::NewsPart::All, .. }));
    assert!(matches!(accepted("telnet://me@h.org:23"), Url::Telnet { .. }));
    assert!(matches!(accepted("gopher://h.org"), Url::Gopher { gtype: None, selector: "", .. }));
    assert!(matches!(accepted("gopher://h.org/%2Fa?b"), Url::Gopher { gtype: Some("%2F"), .. }));
    assert!(matches!(accepted("wais://h.org/db"), Url::WaisIndex { search: None, .. }));
    assert!(matches!(accepted("wais://h.org/db/T/1/"), Url::WaisDoc { path: "", .. }));
    assert!(matches!(accepted("mailto:me@h.org"), Url::Generic { path: "me@h.org", .. }));
    assert!(matches!(accepted("x:"), Url::Generic { path: "", search: None, .. }));
}

#[test]
fn generic_accepts_what_has_no_slashes() {
    for url in ["http:a/b", "news:1.2", "news:a/b?c", "wais:", "afs:a/b", "a b:c", "x_y@z:a::b"] {
        assert!(matches!(accepted(url), Url::Generic { .. }), "{url}");
    }
}

#[test]
fn articles_and_groups() {
    use super::super::NewsPart::{Article, Group};
    let groupart = |url| match accepted(url) {
        Url::News { groupart, .. } => groupart,
        other => panic!("{other:?}"),
    };
    assert_eq!(groupart("news:a.b_c"), Group("a.b_c"));
    assert_eq!(groupart("news:1@h.org"), Article { unique: "1", host: "h.org" });
    assert_eq!(groupart("news:a@1.2.3.4"), Article { unique: "a", host: "1.2.3.4" });
    assert_eq!(groupart("news:a@1.2.3"), Group("a@1.2.3"));
}

#[test]
fn prospero_links() {
    for (name, hsoname, version, attributes) in [
        ("a/b", "a/b", None, ""),
        ("a%0012", "a", Some("12"), ""),
        ("a%001b2", "a", Some("1"), "b2"),
        ("%001", "", Some("1"), ""),
        ("a%00", "a%00", None, ""),
        ("a%00b", "a%00b", None, ""),
        ("a%001/b", "a%001/b", None, ""),
        ("a%001%002", "a%001", Some("2"), ""),
    ] {
        let text = format!("prospero://h.org/{name}");
        let url = accepted(&text);
        let Url::Prospero { hsoname: has, version: v, attributes: a, .. } = url else { unreachable!() };
        assert_eq!((has, v, a), (hsoname, version, attributes), "{name}");
    }
}

#[test]
fn refusals_of_schemes_paths_and_searches() {
    for (url, production, offset) in [
        ("", "scheme", 0),
        ("1x:a", "scheme", 0),
        ("git+https://h.org", "scheme", 3),
        ("http", "scheme", 4),
        ("https://h.org/", "path", 6),
        ("file:/a", "path", 5),
        ("nntp://h.org/a", "path", 5),
        ("http://", "host", 7),
        ("http://h.org/~me", "path", 13),
        ("http://h.org//a", "path", 13),
        ("http://h.org/a?", "search", 15),
        ("http://h.org/a?b=c", "search", 16),
        ("http://h.org/a?b/c", "search", 16),
        ("http://h.org/a?b++c", "search", 17),
        ("http://h.org/100%", "escape", 17),
        ("http:a/~", "path", 7),
        ("http://h.org/\ta", "path", 13),
    ] {
        refused(url, production, offset);
    }
}

#[test]
fn refusals_of_addresses() {
    for (url, production, offset) in [
        ("ftp://h.org", "ftpaddress", 11),
        ("ftp://h.org/a;type=d", "path", 18),
        ("ftp://h.org/a?b", "path", 13),
        ("news:a+b=c", "path", 8),
        ("telnet://h.org/", "telnetaddress", 14),
        ("gopher://h.org/", "gtype", 15),
        ("gopher://h.org/+a", "gtype", 15),
        ("gopher://h.org/1/a", "path", 16),
        ("gopher://h.org/1%zz", "escape", 17),
        ("wais://h.org", "waisaddress", 12),
        ("wais://h.org/", "database", 13),
        ("wais://h.org/a+b", "database", 14),
        ("wais://h.org/db/T", "wtype", 17),
        ("wais://h.org/db/T/x/a", "waisdoc", 18),
        ("wais://h.org/db/T/1", "waisdoc", 19),
        ("wais://h.org/db/T/1/a?b", "path", 21),
        ("prospero://h.org", "prosperolink", 16),
        ("prospero://h.org//pros/name", "path", 17),
        ("prospero://h.org/a;b=c", "path", 20),
        ("afs://cell/a", "afsaddress", 4),
        ("afs://cell", "path", 4),
    ] {
        refused(url, production, offset);
    }
}

#[test]
fn fragments_belong_to_the_grammar() {
    let refusal = |text: &'static [u8]| {
        let error = fragmentaddress(text).unwrap_err();
        (error.production(), error.offset())
    };
    assert_eq!(fragmentaddress(b"news:*#a b").unwrap().to_string(), "news:*#a b");
    assert_eq!(fragmentaddress(b"news:*").unwrap().fragmentid(), None);
    assert_eq!(refusal(b"news:*#"), ("fragmentid", 7));
    assert_eq!(refusal(b"news:*#a=b"), ("fragmentid", 8));
    assert_eq!(refusal(b"news:*#a#b"), ("fragmentid", 8));
    assert_eq!(refusal(b"http://h.org/~#a"), ("path", 13));
}
