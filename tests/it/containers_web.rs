//! Web archives: WARC, WET, WAT and ARC. Each archive is written by hand here, and so is each
//! match.

mod arc;
mod damage;
mod documents;

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use urlgrep::archive::{Archive, Attachments, ReadOptions, Reader, Record};
use urlgrep::{Finder, Form, Match};

use crate::make::encode::{deflate, gzip};

/// A record of WARC, which begins with these lines.
fn record(lines: &[&str], block: &[u8]) -> Vec<u8> {
    let mut record =
        format!("{}\r\nContent-Length: {}\r\n\r\n", lines.join("\r\n"), block.len()).into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// A response to a request for `uri`: a head of HTTP with these lines, and a body.
pub(super) fn response(uri: &str, lines: &[&str], body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\n{}\r\n\r\n", lines.join("\r\n"));
    let uri = format!("WARC-Target-URI: {uri}");
    let fields =
        ["WARC/1.0", "WARC-Type: response", &uri, "Content-Type: application/http; msgtype=response"];
    record(&fields, &[head.as_bytes(), body].concat())
}

/// A reader that yields one byte at a time.
struct Slow<'f>(&'f [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = buf.len().min(1);
        self.0.read(&mut buf[..len])
    }
}

/// Calls `each` with the matches of a file, and returns why it could not be read.
fn search<R: Read>(file: R, mut each: impl FnMut(&Match<'_>)) -> Option<io::Error> {
    let finder = Finder::new();
    let options = ReadOptions { line_numbers: true, ..ReadOptions::default() };
    let mut archive = Archive::new(file).unwrap().with_options(&options);
    loop {
        let message = match archive.next_message() {
            Ok(Some(message)) => message,
            Ok(None) => return None,
            Err(error) => return Some(error),
        };
        for text in message.texts() {
            finder.find_in(&text).for_each(|m| each(&m));
        }
    }
}

fn each<T>(file: &[u8], of: impl Fn(&Match<'_>) -> T) -> Vec<T> {
    let mut all = Vec::new();
    assert!(search(file, |m| all.push(of(m))).is_none());
    all
}

fn url(m: &Match<'_>) -> String {
    m.to_str().unwrap().to_owned()
}

fn urls(file: &[u8]) -> Vec<String> {
    each(file, url)
}

/// The records of the first test, each with a letter.
fn records() -> [(char, Vec<u8>); 8] {
    let info = ["WARC/1.0", "WARC-Type: warcinfo", "Content-Type: application/warc-fields"];
    let request = ["WARC/1.0", "WARC-Type: request", "Content-Type: application/http; msgtype=request"];
    let page = [
        "WARC/1.0",
        "WARC-Type: response",
        "WARC-Record-ID: <urn:uuid:1>",
        "WARC-Date: 2001-03-02T10:11:12Z",
        "WARC-Target-URI: http://h.org/a/page",
        "Content-Type: application/http; msgtype=response",
    ];
    let revisit = [
        "WARC/1.1",
        "WARC-Type: revisit",
        "WARC-Target-URI: http://h.org/old",
        "Content-Type: application/http",
    ];
    let text =
        ["WARC/1.0", "WARC-Type: conversion", "WARC-Target-URI: http://h.org/t", "Content-Type: text/plain"];
    let links = [
        "WARC/1.0",
        "WARC-Type: metadata",
        "WARC-Target-URI: http://h.org/w",
        "Content-Type: application/json",
    ];
    let file =
        ["WARC/1.0", "WARC-Type: resource", "WARC-Target-URI: ftp://h.org/f", "Content-Type: text/html"];
    let image =
        ["WARC/1.0", "WARC-Type: resource", "WARC-Target-URI: ftp://h.org/i", "Content-Type: image/png"];
    [
        ('i', record(&info, b"software: http://software.h.org/\r\n")),
        ('q', record(&request, b"GET /a/page HTTP/1.1\r\nReferer: http://referer.h.org/\r\n\r\n")),
        (
            'p',
            record(
                &page,
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: http://server.h.org/\r\n\
                  Link: <../up>; rel=prev\r\n\r\n<p>\n<a href=b.html>the <b>b</b></a>\nat http://h.org/p\n",
            ),
        ),
        ('r', record(&revisit, b"HTTP/1.1 301 Gone\r\nLocation: //i.org/new\r\n\r\nhttp://h.org/again")),
        ('t', record(&text, b"one\nhttp://h.org/t")),
        ('w', record(&links, b"{\"links\":[{\"url\":\"http:\\/\\/h.org\\/w\"}]}")),
        ('f', record(&file, b"<a href='http://h.org/f?a&amp;b'>")),
        ('m', record(&image, b"\x89PNG\0 http://h.org/png")),
    ]
}

/// A match: its URL, the letter and the type of its record, the field, the text of the link, the
/// source that encodes it, and the line of its record that it is on.
type Expected =
    (&'static str, char, &'static str, Option<&'static str>, Option<&'static str>, &'static str, u64);

const MATCHES: [Expected; 7] = [
    ("http://h.org/up", 'p', "response", Some("Link"), None, "../up", 12),
    ("http://h.org/a/b.html", 'p', "response", None, Some("the b"), "b.html", 15),
    ("http://h.org/p", 'p', "response", None, None, "http://h.org/p", 16),
    ("http://i.org/new", 'r', "revisit", Some("Location"), None, "//i.org/new", 8),
    ("http://h.org/t", 't', "conversion", None, None, "http://h.org/t", 8),
    ("http://h.org/w", 'w', "metadata", None, None, "http:\\/\\/h.org\\/w", 7),
    ("http://h.org/f?a&b", 'f', "resource", None, None, "http://h.org/f?a&amp;b", 7),
];

/// Checks the matches of an archive of [`records`]; `plain` is the archive without compression.
fn check_records(file: impl Read, plain: &[u8]) {
    let mut expected = MATCHES.into_iter();
    let records = records();
    let offset_of = |letter: char| -> usize {
        records.iter().take_while(|(other, _)| *other != letter).map(|(_, bytes)| bytes.len()).sum()
    };
    let failed = search(file, |m| {
        let (url, letter, kind, header, text, source, line) = expected.next().unwrap();
        assert_eq!(self::url(m), url);
        let record = m.context().unwrap().record().unwrap();
        assert_eq!((record.kind(), m.context().unwrap().header()), (Some(kind), header), "{url}");
        assert_eq!(m.context().unwrap().link_text().as_deref(), text.map(str::as_bytes), "{url}");
        let offset = offset_of(letter);
        assert_eq!(record.offset(), offset as u64, "{url}");
        let index = records.iter().position(|(other, _)| *other == letter).unwrap();
        assert_eq!(m.context().unwrap().message_index(), index as u64, "{url}");
        let span = m.span();
        assert_eq!(&plain[span.start as usize..span.end as usize], source.as_bytes(), "{url}");
        assert!(span.start as usize > offset && span.end as usize <= offset + records[index].1.len());
        let before = plain[..offset].iter().filter(|&&b| b == b'\n').count() as u64;
        assert_eq!(m.position().unwrap().line, before + line, "{url}");
        assert!(m.context().unwrap().envelope().is_none() && m.context().unwrap().part().is_none());
    });
    assert!(failed.is_none() && expected.next().is_none());
}

#[test]
fn matches_of_records() {
    let plain = records().map(|(_, bytes)| bytes).concat();
    check_records(&plain[..], &plain);
    check_records(Slow(&plain), &plain);
}

#[test]
fn matches_of_compressed_records() {
    let plain = records().map(|(_, bytes)| bytes).concat();
    let by_record = records().map(|(_, bytes)| gzip(&bytes)).concat();
    check_records(&by_record[..], &plain);
    check_records(Slow(&by_record), &plain);
    check_records(&gzip(&plain)[..], &plain);
}

#[test]
fn what_a_record_says() {
    let plain = records().map(|(_, bytes)| bytes).concat();
    let mut reader = Reader::new(&plain[..]);
    let all: Vec<Record> = std::iter::from_fn(|| {
        let message = reader.next_message().unwrap()?;
        assert!(message.envelope().is_none());
        message.record().cloned()
    })
    .collect();
    assert_eq!(all.len(), 8);
    assert_eq!((all[0].kind(), all[0].uri(), all[0].date()), (Some("warcinfo"), None, None));
    assert_eq!((all[2].id(), all[2].uri()), (Some("urn:uuid:1"), Some("http://h.org/a/page")));
    assert_eq!(all[2].date(), Some("2001-03-02T10:11:12+00:00"));
}

/// The fields of a record have no order (ISO 28500 §4).
#[test]
fn a_record_may_begin_with_any_field() {
    let mut fields = [
        "WARC-Type: resource",
        "WARC-Record-ID: <urn:uuid:1>",
        "WARC-Date: 2001-03-02T10:11:12Z",
        "WARC-Target-URI: http://h.org/a/",
        "Content-Type: text/html",
        "Content-Length: 16",
    ];
    for _ in 0..fields.len() {
        fields.rotate_left(1);
        for head in
            [fields.join("\r\n"), fields.join("\r\n").replace("WARC-", "warc-").replace("Content", "content")]
        {
            let file = format!("WARC/1.0\r\n{head}\r\n\r\n<a href=b>x</a>\n\r\n\r\n");
            let found = each(file.as_bytes(), |m| {
                let record = m.context().unwrap().record().cloned().unwrap();
                [Some(url(m).as_str()), record.kind(), record.id(), record.uri()]
                    .map(|value| value.map(str::to_owned))
            });
            let expected = ["http://h.org/a/b", "resource", "urn:uuid:1", "http://h.org/a/"];
            assert_eq!(found, [expected.map(|value| Some(value.to_owned()))], "{head}");
        }
    }
}

#[test]
fn content_types() {
    let types = |file: &[u8]| each(file, |m| m.context().unwrap().content_type().map(String::from));
    let page = response("http://h.org/", &["content-type: Text/HTML; charset=x"], b"http://h.org/a");
    assert_eq!(types(&page), [Some("text/html".to_owned())]);
    let feed = response(
        "http://h.org/",
        &["Content-Type: application/rss+xml"],
        b"<link>http://h.org/?a&amp;b</link>",
    );
    assert_eq!(each(&feed, url), ["http://h.org/?a&b"]);
    let script = response("http://h.org/", &["Content-Type: application/javascript"], b"'http://h.org/a'");
    assert_eq!(each(&script, url), ["http://h.org/a"]);
    let unknown = response("http://h.org/b/", &["Server: x"], b"<html><a href=a>");
    assert_eq!(each(&unknown, url), ["http://h.org/b/a"]);
    let binary = response("http://h.org/b/", &["Server: x"], b"\0\xFF http://h.org/a");
    assert_eq!(each(&binary, url), [""; 0]);
}

#[test]
fn links_of_wat() {
    let head = [
        "WARC/1.0",
        "WARC-Type: metadata",
        "WARC-Target-URI: http://h.org/a/",
        "Content-Type: application/json",
    ];
    let links = br#"{"Links":[{"path":"A@/href","url":"b?c\u0026d","text":"the \u0062"},{"alt":"e","url":"\/f","path":"IMG@/src"}],"x":"http://h.org/g"}"#;
    let file = record(&head, links);
    let shown = |m: &Match<'_>| {
        let source: Vec<_> =
            m.pieces().map(|range| &file[range.start as usize..range.end as usize]).collect();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let link = m.context().unwrap().link_text().map(|bytes| text(&bytes));
        (
            url(m),
            m.role().as_str(),
            m.context().unwrap().element().map(str::to_owned),
            link,
            text(&source.concat()),
        )
    };
    let of = |url: &str, role, element: Option<&str>, text: Option<&str>, source: &str| {
        (url.to_owned(), role, element.map(str::to_owned), text.map(str::to_owned), source.to_owned())
    };
    let expected = [
        of("http://h.org/a/b?c&d", "link", Some("a@href"), Some("the b"), r"b?c\u0026d"),
        of("http://h.org/f", "image", Some("img@src"), Some("e"), "/f"),
        of("http://h.org/g", "text", None, None, "http://h.org/g"),
    ];
    assert_eq!(each(&file, shown), expected);
    // In other records of JSON such objects are no links.
    let other = record(&["WARC/1.0", "WARC-Type: resource", head[2], head[3]], links);
    assert_eq!(urls(&other), ["http://h.org/g"]);
}

/// The text that a page shortened is part of its link, with at most one blank before the ellipsis.
#[test]
fn a_text_that_is_a_link_cut_short() {
    let texts = ["abc...", "abc …", "abc [...]", "abc  …"];
    let links = texts
        .iter()
        .zip(1..)
        .map(|(text, n)| format!("<a href=http://h.org/abc/{n}>http://h.org/{text}</a>\n"));
    // Within the host, a text is not cut short.
    let links = links.chain([
        "<a href=http://h.org/abc/5>http://h.o...</a>\n".to_owned(),
        "<a href=http://h.org/%C3%84rzte/abc>http://h.org/Ärzte/a…</a>\n".to_owned(),
    ]);
    let file = response(
        "http://h.org/",
        &["Content-Type: text/html; charset=utf-8"],
        links.collect::<String>().as_bytes(),
    );
    let expected = [
        "http://h.org/abc/1",
        "http://h.org/abc/2",
        "http://h.org/abc/3",
        "http://h.org/abc/4",
        "http://h.org/abc",
        "http://h.org/abc/5",
        "http://h.o",
        "http://h.org/%C3%84rzte/abc",
    ];
    assert_eq!(urls(&file), expected);
}

/// The full stop of another script ends a text, although its link goes on. The brackets of ASCII may be a sentence's.
#[test]
fn a_text_that_ends_before_its_link() {
    let page = "<a href='http://h.org/a\u{3002}b'>http://h.org/a\u{3002}b</a> <a href='http://h.org/c.)'>http://h.org/c.)</a>";
    let file = response("http://h.org/", &["Content-Type: text/html; charset=utf-8"], page.as_bytes());
    assert_eq!(urls(&file), ["http://h.org/a\u{3002}b", "http://h.org/c.)", "http://h.org/c"]);
}

/// A text that punctuation ends is part of its link if the link continues it, also with escapes.
#[test]
fn a_text_that_its_link_continues() {
    let links =
        [("a—b", "a—b"), ("a%E2%80%94c", "a—c"), ("x%20y%E2%80%94d", "x%20y—d"), ("a%E2%80%94e", "a—f")]
            .map(|(link, text)| format!("<a href=http://h.org/{link}>http://h.org/{text}</a>\n"));
    let page =
        response("http://h.org/", &["Content-Type: text/html; charset=utf-8"], links.concat().as_bytes());
    let expected = [
        "http://h.org/a—b",
        "http://h.org/a%E2%80%94c",
        "http://h.org/x%20y%E2%80%94d",
        "http://h.org/a%E2%80%94e",
        "http://h.org/a",
    ];
    assert_eq!(urls(&page), expected);
}

/// SPEC: a URL in the text does not cross the edge of a link. An anchor has no edges.
#[test]
fn urls_at_the_edges_of_links() {
    let page = b"http://h.org/a<a href=http://k.org/>b</a>c <a href=http://k.org/>http://h.org/e</a>fg
        http://h.org/h<a name=n>i</a>j <a href=http://h.org/k>http://h.<wbr>org/<b>k</b></a>";
    let expected = [
        "http://h.org/a",
        "http://k.org/",
        "http://k.org/",
        "http://h.org/e",
        "http://h.org/hij",
        "http://h.org/k",
    ];
    assert_eq!(urls(&response("http://h.org/", &["Content-Type: text/html"], page)), expected);
}

/// What a reader sees as one link is one match with the role of a link, whichever of the two it is.
#[test]
fn a_text_that_is_a_link_to_itself() {
    let page = b"<a href=http://h.org/a rel=nofollow>http://h.org/a</a> <a href=http://h.org/b>h.org/b</a>
        <a originalsrc=http://h.org/c href=http://s.org/c>http://h.org/c</a> <img src=http://h.org/d>http://h.org/d
        <div data-x=http://h.org/e>http://h.org/e</div> http://h.org/f <a href=http://h.org/g>see http://h.org/g</a>";
    let file = response("http://h.org/", &["Content-Type: text/html"], page);
    let matches = each(&file, |m| {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let context = m.context().unwrap();
        let rel = context.rel().map(text);
        assert_eq!(context.attribute().is_some(), m.form() == Form::Attribute, "{m:?}");
        (url(m), m.role().as_str(), context.element().map(str::to_owned), rel)
    });
    let of = |url: &str, role, element: Option<&str>, rel: Option<&str>| {
        (url.to_owned(), role, element.map(str::to_owned), rel.map(str::to_owned))
    };
    let expected = [
        of("http://h.org/a", "link", Some("a@href"), Some("nofollow")),
        of("http://h.org/b", "link", Some("a@href"), None),
        of("http://s.org/c", "link", Some("a@href"), None),
        of("http://h.org/c", "text", None, None),
        of("http://h.org/d", "image", Some("img@src"), None),
        of("http://h.org/d", "text", None, None),
        of("http://h.org/e", "resource", Some("div@data-x"), None),
        of("http://h.org/e", "text", None, None),
        of("http://h.org/f", "text", None, None),
        of("http://h.org/g", "link", Some("a@href"), None),
    ];
    assert_eq!(matches, expected);
}

/// The text of a link is what a reader sees of it: with its pictures, and without what is hidden.
#[test]
fn texts_of_links() {
    const SHEET: &str = "<style>@media (max-width:9px) {.phone{display:block!important}}</style>";
    let text = |content: &str| {
        let page = format!("{SHEET}<a href=/x>{content}</a>");
        let file =
            response("http://h.org/", &["Content-Type: text/html; charset=iso-8859-1"], page.as_bytes());
        let texts = each(&file, |m| (url(m), m.context().unwrap().link_text().map(|text| utf_8(&text))));
        texts.into_iter().find(|(url, _)| url == "http://h.org/x").unwrap().1.unwrap_or_default()
    };
    for (content, expected) in [
        ("a <b>b</b>\n c", "a b c"),
        ("<img alt=Like>55", "Like55"),
        ("<img alt=A><img alt=B>", "AB"),
        ("a <img alt=' &eacute; '> b", "a \u{e9} b"),
        ("a<br><img alt=b><p>c", "a b c"),
        ("<img alt=T>&nbsp;", "T"),
        ("&nbsp;<img title=T>", "T"),
        ("<span style='display:none'>x<img alt=y></span>a<img alt=z style='display:none'>", "a"),
        // What a phone shows instead of it is told if there is nothing else.
        ("<img alt=a><img alt=a class=phone style='display:none'>", "a"),
        ("<img alt=a class=phone style='display:none'>", "a"),
        ("<img alt=a width=1 height=1>", ""),
    ] {
        assert_eq!(text(content), expected, "{content}");
    }
}

/// A style sheet and a base apply to the elements before them, and the page keeps its links.
#[test]
fn style_sheets_and_bases_after_links() {
    const SHEET: &str = "<style>.c{display:none}</style>";
    let found = |before: &str, after: &str| {
        let page = format!(
            "<html>{before}<a href=b>one</a><p class=c>http://h.org/c</p><a href=/d>two</a>{after}<a href=http://h.org/e>x</a>"
        );
        let file = response("http://h.org/a/", &["Content-Type: text/html"], page.as_bytes());
        let mut found = each(&file, |m| format!("{} {}", url(m), m.role()));
        found.retain(|row| row != "http://i.org/j/ resource");
        found
    };
    let shown =
        ["http://h.org/a/b link", "http://h.org/c text", "http://h.org/d link", "http://h.org/e link"];
    let hidden =
        ["http://h.org/a/b link", "http://h.org/c resource", "http://h.org/d link", "http://h.org/e link"];
    assert_eq!(found("", ""), shown);
    assert_eq!(found(SHEET, ""), hidden);
    assert_eq!(found("", SHEET), hidden);
    let base = "<base href=http://i.org/j/>";
    let based =
        ["http://i.org/j/b link", "http://h.org/c resource", "http://i.org/d link", "http://h.org/e link"];
    for (before, after) in [("", [SHEET, base]), (SHEET, [base, ""]), (base, [SHEET, ""])] {
        assert_eq!(found(before, &after.concat()), based, "{before} {after:?}");
    }
}

fn utf_8(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn attachments_are_read_on_request() {
    let image = response("http://h.org/", &["Content-Type: image/png"], b"\x89PNG\0 http://h.org/a");
    assert_eq!(urls(&image), [""; 0]);
    let options = ReadOptions { attachments: Attachments::All, ..ReadOptions::default() };
    let mut archive = Archive::new(&image[..]).unwrap().with_options(&options);
    let message = archive.next_message().unwrap().unwrap();
    let texts: Vec<_> = message.texts().map(|text| text.as_bytes().to_vec()).collect();
    assert_eq!(texts, [b"\x89PNG\0 http://h.org/a"]);
}

#[test]
fn chunks_map_back_byte_by_byte() {
    let body = b"b\r\nsee http://\r\n7;x=y\r\nh.org/a\r\n0\r\n\r\n";
    let file = response("http://h.org/", &["Transfer-Encoding: chunked", "Content-Type: text/plain"], body);
    let start = file.len() as u64 - 4 - body.len() as u64;
    let matches = each(&file, |m| (url(m), m.pieces().collect::<Vec<_>>()));
    let pieces = vec![start + 7..start + 14, start + 23..start + 30];
    assert_eq!(matches, [("http://h.org/a".to_owned(), pieces)]);
}

#[test]
fn compressed_bodies_are_one_source() {
    let text = b"see http://h.org/a";
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(text).unwrap();
    let zlib = zlib.finish().unwrap();
    let half = gzip(text).len() / 2;
    let chunk = |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let chunked = [chunk(&gzip(text)[..half]), chunk(&gzip(text)[half..]), b"0\r\n\r\n".to_vec()].concat();
    // An uncompressed block of a brotli stream (RFC 7932 §9.2): 18 bytes.
    let brotli = [&b"\x10\x01\x10"[..], text, b"\x03"].concat();
    for (fields, body) in [
        (&["Content-Encoding: gzip"][..], gzip(text)),
        (&["Content-Encoding: x-gzip, identity"], gzip(text)),
        (&["Content-Encoding: gzip, gzip"], gzip(&gzip(text))),
        (&["Content-Encoding: deflate"], zlib.clone()),
        // The server applied them in this order (RFC 9110 §8.4).
        (&["Content-Encoding: deflate, gzip"], gzip(&zlib)),
        (&["Content-Encoding: gzip, deflate"], deflate(&gzip(text))),
        (&["Content-Encoding: deflate"], zlib[2..zlib.len() - 4].to_vec()),
        (&["Content-Encoding: br"], brotli),
        (&["Content-Encoding: gzip", "Transfer-Encoding: chunked"], chunked),
        // Already decoded.
        (&["Content-Encoding: gzip"], text.to_vec()),
        (&["Content-Encoding: br", "Transfer-Encoding: chunked"], text.to_vec()),
    ] {
        let file = response("http://h.org/", fields, &body);
        let end = file.len() as u64 - 4;
        let start = end - body.len() as u64;
        // The lengths of the chunks encode nothing.
        let is_chunked = body.starts_with(chunk(&gzip(text)[..half]).as_slice());
        let span = match () {
            () if body == text => start + 4..end,
            () if is_chunked => start + 4..end - 7,
            () => start..end,
        };
        let matches = each(&file, |m| (url(m), m.span(), m.pieces().collect::<Vec<_>>()));
        assert_eq!(matches, [("http://h.org/a".to_owned(), span.clone(), vec![span])], "{fields:?}");
    }
}

#[test]
fn pieces_from_a_compressed_body_are_one_segment() {
    let body = gzip(b"<http://h.org/\na>");
    let file = response("http://h.org/", &["Content-Encoding: gzip"], &body);
    let end = file.len() as u64 - 4;
    let all = end - body.len() as u64..end;
    let matches = each(&file, |m| (url(m), m.pieces().collect::<Vec<_>>()));
    assert_eq!(matches, [("http://h.org/a".to_owned(), vec![all])]);
}

#[test]
fn bodies_that_cannot_be_decoded_are_named() {
    let unknown = response("http://h.org/", &["Content-Encoding: sdch"], b"\0\x01\x02 http://h.org/a");
    let cut = gzip(b"http://h.org/a http://h.org/b");
    let cut = response("http://h.org/", &["Content-Encoding: gzip"], &cut[..cut.len() - 9]);
    let page = response("http://h.org/", &["Content-Type: text/plain"], b"http://h.org/c");
    let start = unknown.len() - 4 - 18;
    let file = [unknown, cut, page].concat();
    let mut reader = Reader::new(&file[..]);
    assert!(reader.undecoded().is_none());
    while let Some(message) = reader.next_message().unwrap() {
        message.texts().for_each(drop);
    }
    let undecoded = reader.undecoded().unwrap();
    assert_eq!(undecoded.count(), 2);
    let message =
        format!("the body at byte {start} was not searched: unknown content coding \"sdch\" (and 1 more)");
    assert_eq!(undecoded.to_string(), message);
}

/// A record longer than 16 MiB: what it begins with, 20 MB of lines, each a sentence, and a URL at the end.
fn long(kind: &str, start: &[u8]) -> Vec<u8> {
    let block = [start, &b"a line of some text\n".repeat(1_000_000), b"http://h.org/end\n"].concat();
    let fields = ["WARC/1.0", "WARC-Type: resource", "WARC-Target-URI: http://h.org/long", kind];
    let next = response("http://h.org/next", &["Content-Type: text/plain"], b"http://h.org/next");
    [record(&fields, &block), next].concat()
}

#[test]
fn long_records() {
    let of = |m: &Match<'_>| {
        (
            url(m),
            m.context().unwrap().record().unwrap().uri().unwrap().to_owned(),
            m.context().unwrap().message_index(),
            m.span().start,
        )
    };
    let text = long("Content-Type: text/plain", b"");
    let end = memchr::memmem::find(&text, b"http://h.org/end").unwrap() as u64;
    let next = memchr::memmem::rfind(&text, b"http://h.org/next").unwrap() as u64;
    let last = |len: usize| ("http://h.org/next".to_owned(), "http://h.org/next".to_owned(), 1, len as u64);
    assert_eq!(
        each(&text, of),
        [("http://h.org/end".to_owned(), "http://h.org/long".to_owned(), 0, end), last(next as usize)]
    );
    let picture = b"\x89PNG\r\n\x1a\n";
    let image = long("Content-Type: image/png", picture);
    assert_eq!(each(&image, of), [last(next as usize - 1 + picture.len())]);
}

#[test]
fn a_page_that_was_saved_as_mhtml() {
    let file = "From: <Saved by a browser>\nSubject: a page\nMIME-Version: 1.0\n\
        Content-Type: multipart/related; boundary=x; type=\"text/html\"\n\n\
        --x\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\
        Content-Location: http://h.org/page\n\n<a href=3D\"http://h.org/a=\n/b\">c</a>\n\
        --x\nContent-Type: image/gif\nContent-Location: http://h.org/i.gif\n\nGIF89a\x01\0\x01\0 http://h.org/gif\n--x--\n";
    let matches = each(file.as_bytes(), |m| {
        (
            url(m),
            m.context().unwrap().header().map(str::to_owned),
            m.context().unwrap().part().map(str::to_owned),
        )
    });
    let matches: Vec<_> =
        matches.iter().map(|(url, header, part)| (&**url, header.as_deref(), part.as_deref())).collect();
    assert_eq!(
        matches,
        [
            ("http://h.org/page", Some("Content-Location"), Some("1")),
            ("http://h.org/a/b", None, Some("1")),
            ("http://h.org/i.gif", Some("Content-Location"), Some("2")),
        ]
    );
}
