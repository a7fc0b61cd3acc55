use proptest::prelude::*;

use super::*;

fn text(source: &str) -> String {
    String::from_utf8(read(source.as_bytes()).text.bytes).unwrap()
}

/// The links, and the text inside each.
fn links(source: &str) -> Vec<(String, String)> {
    let rtf = read(source.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    rtf.links.iter().map(|link| (text(link.url()), text(&rtf.text.bytes[link.content()]))).collect()
}

#[test]
fn text_of_a_document() {
    let head =
        r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\*\generator x;}{\info{\title http://h.org/no}}";
    assert_eq!(
        text(&format!("{head}\\f0\\b one\\b0  two\\par\r\nthree\\tab four\\line}}")),
        "one two\nthree\tfour\n"
    );
    assert_eq!(text(r"a\{b\}\\c\~d\_e\-f"), "a{b}\\c\u{A0}d-ef");
    assert_eq!(text("http://h.\r\norg/"), "http://h.org/");
}

#[test]
fn characters() {
    assert_eq!(text(r"caf\'e9 \emdash "), "caf\u{E9} \u{2014}");
    assert_eq!(text(r"\ansicpg932 \'93\'fa\'96\'7b"), "\u{65E5}\u{672C}");
    assert_eq!(text(r"\u233?t\u233\'e9!\uc2\u8364 xxy"), "\u{E9}t\u{E9}!\u{20AC}y");
    assert_eq!(text(r"\uc0\u-10179\u-8704 z"), "\u{1F600}z");
    assert_eq!(text(r"{\uc3 a}\u97 bc"), "aac");
}

#[test]
fn fields() {
    let field =
        r#"see {\field{\*\fldinst{HYPERLINK "http://h.org/a?b=1" \\o "title"}}{\fldrslt{\ul here}}} now"#;
    assert_eq!(links(field), [("http://h.org/a?b=1".to_owned(), "here".to_owned())]);
    assert_eq!(text(field), "see here now");
    let other =
        r#"{\field{\*\fldinst HYPERLINK http://h.org/b }{\fldrslt x}}{\field{\*\fldinst PAGE }{\fldrslt 1}}"#;
    assert_eq!(links(other), [("http://h.org/b".to_owned(), "x".to_owned())]);
    assert_eq!(links(r#"{\field{\*\fldinst HYPERLINK \\l "place"}{\fldrslt x}}"#), []);
    assert_eq!(
        links(r#"{\field{\*\fldinst HYPERLINK \\n "http://h.org/caf\'e9"}}"#)[0].0,
        "http://h.org/caf\u{E9}"
    );
}

#[test]
fn a_link_knows_where_it_came_from() {
    let source = "{\\field{\\*\\fldinst{HYPERLINK \"http://h.\r\norg/\\'7e\"}}{\\fldrslt x}}";
    let rtf = read(source.as_bytes());
    let url = rtf.links.iter().next().unwrap();
    assert_eq!(url.url(), b"http://h.org/~");
    let (map, range) = url.map(0..14);
    let sources: Vec<&str> = map.sources(range).into_iter().map(|range| &source[range]).collect();
    assert_eq!(sources, ["http://h.", "org/\\'7e"]);
}

#[test]
fn data_is_skipped() {
    assert_eq!(text("a{\\pict\\bin3 }}}b}c"), "ac");
    assert_eq!(text("a{\\*\\unknown b{c}}d}}e"), "ade");
    assert_eq!(text("{\\bin99999999999 a"), "a");
    assert_eq!(text("{\\bin9999 a"), "");
}

#[test]
fn a_million_groups() {
    assert_eq!(text(&("{".repeat(1_000_000) + "a")), "a");
    let fields = "{\\field{\\*\\fldinst HYPERLINK x ".repeat(100_000);
    assert_eq!(text(&fields), "");
}

proptest! {
    #[test]
    fn every_byte_has_its_source(source in "(\\{|\\}|\\\\(\\*|fldinst |field|u[0-9]{1,5} ?|uc[0-3]|par|'[0-9a-f]{2}|ansicpg932 |bin2 )|HYPERLINK \"|[a-z\" \\r\\n]){0,60}") {
        let rtf = read(source.as_bytes());
        let urls = rtf.links.iter().map(|link| link.decoded());
        for decoded in urls.chain([rtf.text.clone()]) {
            let mut last = 0;
            for at in 0..decoded.bytes.len() {
                for range in decoded.map.sources(at..at + 1) {
                    prop_assert!(last <= range.start && range.end <= source.len());
                    last = range.start;
                }
            }
        }
        prop_assert!(rtf.links.iter().all(|link| link.content().end <= rtf.text.bytes.len()));
    }
}
