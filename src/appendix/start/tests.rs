//! What shows that a URL starts.

use super::*;

const OPTIONS: ReadOptions = ReadOptions { iri: Iri::Ascii, simd: Simd::generic() };

/// The part of the URL `text` that shows that it is one.
fn start(text: &str) -> Option<&str> {
    let colon = text.find(':').unwrap();
    let schemes = Schemes::default();
    let rule = schemes.rule_of(&text.as_bytes()[..colon]);
    let reader =
        AuthorityReader { window: &Window::whole(text.as_bytes()), limit: text.len(), options: &OPTIONS };
    match reader.after_colon(colon, rule)? {
        Start::Open(end) | Start::Closed(end, _) => Some(&text[..end]),
    }
}

#[test]
fn a_host_ends_where_it_must() {
    assert_eq!(start("http://h.org/a"), Some("http://h.org"));
    assert_eq!(start("http://h.org[1]"), Some("http://h.org"));
    assert_eq!(start("http://h.org..."), Some("http://h.org"));
    assert_eq!(start("http://h.org./a"), Some("http://h.org."));
    assert_eq!(start("http://h.org-"), Some("http://h.org"));
    assert_eq!(start("http://[::1]:80/a"), Some("http://[::1]"));
    assert_eq!(start("ftp://u:p@h.org:21/"), Some("ftp://u:p@h.org"));
    assert_eq!(start("ftp://@host.com/"), Some("ftp://@host.com"));
    assert_eq!(start("ftp://me@work.com@h.org/"), Some("ftp://me@work.com@h.org"));
    assert_eq!(start("http://h.org@{bold}"), Some("http://h.org"));
    assert_eq!(start("http://user@$host/"), None);
}

#[test]
fn a_host_may_have_escapes() {
    assert_eq!(start("http://%77ww.h%2Eorg/a"), Some("http://%77ww.h%2Eorg"));
    assert_eq!(start("http://www.a.org@%68.org"), Some("http://www.a.org@%68.org"));
    assert_eq!(start("mailto:a@us%2Djapan.org?b"), Some("mailto:a@us%2Djapan.org"));
    assert_eq!(start("mailto:a@h.org%20(A)"), Some("mailto:a@h.org"));
    assert_eq!(start("http://h.org%2Fa"), Some("http://h.org"));
    assert_eq!(start("http://%s.h.org/"), None);
    assert_eq!(start("http://h%20x"), None);
    assert_eq!(start("http://%7"), None);
}

#[test]
fn labels_are_counted() {
    for (host, expected) in [
        ("h", Some(1)),
        ("h.org", Some(2)),
        ("a-.b", Some(2)),
        ("_a", Some(1)),
        ("a.b.c.d.e.f", Some(6)),
        ("12345678.a", Some(2)),
        ("", None),
        ("a..b", None),
        (".a", None),
        ("a.", None),
        ("-a.b", None),
        ("a.-b", None),
        ("1234567.-", None),
        ("__", None),
    ] {
        assert_eq!(labels(host.as_bytes()), expected, "{host}");
    }
}

#[test]
fn no_host_at_all() {
    for text in [
        "http://",
        "http:///",
        "http://.",
        "http://--",
        "http://-h.org",
        "http://a..b/",
        "http://[1]/",
        "http://[12:30]",
        "std://",
    ] {
        assert_eq!(start(text), None, "{text}");
    }
}

#[test]
fn one_label_may_be_a_piece_of_a_program() {
    assert_eq!(start("http://box:8080"), Some("http://box"));
    assert_eq!(start("http://intranet,"), Some("http://intranet"));
    for text in
        ["http://www.\"", "http://groups\\.h", "http://h{a}", "http://h:%d/", "http://www.$x", "http://ssl.'"]
    {
        assert_eq!(start(text), None, "{text}");
    }
}

#[test]
fn schemes_without_slashes() {
    assert_eq!(start("mailto:a.b@h.org."), Some("mailto:a.b@h.org"));
    assert_eq!(start("mailto:a@h.org?subject=x"), Some("mailto:a@h.org"));
    assert_eq!(start("news:comp.lang.c++,"), Some("news:comp.lang.c++"));
    assert_eq!(start("news:1994Nov1.123@h.org"), Some("news:1994Nov1.123@h.org"));
    assert_eq!(start("news:everyone"), None);
    assert_eq!(start("file:///"), Some("file:///"));
    assert_eq!(start("file:/etc"), Some("file:/"));
    assert_eq!(start("file:/"), None);
    assert_eq!(start("urn:isbn:0451450523"), Some("urn:isbn:"));
    assert_eq!(start("tel:+44"), None);
}
