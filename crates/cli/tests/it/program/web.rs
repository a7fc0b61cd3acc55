//! Web archives and HTML: what the program prints of them.

use serde_json::{Value, json};

use super::{folder, prints, run, urlgrep, within};

const WARC: &str = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n\
    WARC-Date: 2001-03-02T10:11:12Z\r\nWARC-Target-URI: http://h.org/a/b\r\n\
    Content-Type: application/http; msgtype=response\r\nContent-Length: 74\r\n\r\n\
    HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='c d'>\n the\n  link\n</a>\r\n\r\n";

#[test]
fn json_has_the_record() {
    let ran = run(urlgrep(&["--json"]), WARC.as_bytes());
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        object["message"],
        json!({
            "index": 0,
            "id": "urn:uuid:1",
            "from": null,
            "date": "2001-03-02T10:11:12+00:00",
            "subject": null,
            "newsgroups": null,
            "to": null,
            "cc": null,
            "list_id": null,
            "in_reply_to": null,
            "part": null,
            "content_type": "text/html",
            "header": null,
            "quote_depth": 0,
            "filename": null,
            "uri": "http://h.org/a/b",
            "type": "response",
            "offset": 0,
        })
    );
    assert_eq!((&object["url"], &object["form"]), (&json!("http://h.org/a/c d"), &json!("attribute")));
    assert_eq!((&object["text"], &object["grade"]), (&json!("the link"), &json!("lenient")));
    let start = WARC.find("c d").unwrap();
    assert_eq!(object["pieces"], json!([[start, start + 3]]));
    assert_eq!((&object["line"], &object["column"]), (&json!(12), &json!(10)));
}

/// The head of a message is formatted once; each record has its own.
#[test]
fn json_has_the_head_of_each_record() {
    let next = WARC.replace("uuid:1", "uuid:2").replace("2001-", "2002-");
    let ran = run(urlgrep(&["--json"]), [WARC, &next].concat().as_bytes());
    let objects = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let heads: Vec<_> = objects.map(|object: Value| object["message"]["id"].clone()).collect();
    assert_eq!(heads, ["urn:uuid:1", "urn:uuid:2"]);
}

#[test]
fn fields_of_a_record() {
    let format = "{message.uri} {message.type} {message.offset} {text}";
    prints(&["--format", format], WARC.as_bytes(), "http://h.org/a/b response 0 the link\n");
    let text = b"<a href=http://h.org/>a, \"b\"</a>";
    prints(&["--input", "html", "--format", "{text}|{message.uri}"], text, "a, \"b\"|\n");
    let ran = run(urlgrep(&["--csv"]), WARC.as_bytes());
    let (names, values) = ran.stdout.split_once("\n").unwrap();
    assert!(names.contains(",form,text,role,element,grade,"), "{names}");
    assert!(
        names.ends_with(",message.quote_depth,message.filename,message.uri,message.type,message.offset"),
        "{names}"
    );
    assert!(values.ends_with(",0,,http://h.org/a/b,response,0\n"), "{values}");
}

/// A file or a message in a record says which it is.
#[test]
fn files_and_parts_of_records() {
    let block = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\
        Content-Disposition: attachment; filename=\"a b.eml\"\r\n\r\n\
        From: a@h.org\nTo: b@h.org\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nhttp://h.org/a\n\
        --x\nContent-Disposition: attachment; filename=c.txt\n\nhttp://h.org/b\n--x--\n";
    let text = block.replace("octet-stream", "pdf").replace("From: a@h.org", "see http://h.org/c");
    let record = |block: &str| {
        let (head, _) = WARC.split_once("Content-Length").unwrap();
        format!("{head}Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
    };
    let format = "{url} {message.part} {message.filename} {message.uri}";
    prints(
        &["--format", format],
        record(block).as_bytes(),
        "http://h.org/a 1  http://h.org/a/b\nhttp://h.org/b 2 c.txt http://h.org/a/b\n",
    );
    let first = run(urlgrep(&["--format", format]), record(&text).as_bytes()).stdout;
    assert!(first.starts_with("http://h.org/c  a b.eml http://h.org/a/b\n"), "{first}");
}

#[test]
fn the_format_can_be_forced() {
    prints(&["--input", "warc"], WARC.as_bytes(), "http://h.org/a/c d\n");
    prints(&["--input", "text"], WARC.as_bytes(), "urn:uuid:1\nhttp://h.org/a/b\n");
    let junk = format!("http://h.org/junk\n\n{WARC}");
    prints(&["--input", "warc"], junk.as_bytes(), "http://h.org/junk\nhttp://h.org/a/c d\n");
}

#[test]
fn bodies_that_cannot_be_decoded() {
    let file = WARC
        .replace("Content-Type: text", "Content-Encoding: a\x1bb\r\nX: text")
        .replace("<a", "\0 http://h.org/ <a");
    let file = file.replace("Content-Length: 74", "Content-Length: 114");
    assert_eq!(run(urlgrep(&["--strict", "-"]), file.as_bytes()).status, Some(2));
    let ran = run(urlgrep(&["-"]), file.as_bytes());
    assert_eq!((ran.status, &*ran.stdout), (Some(1), ""));
    let start = file.find('\0').unwrap();
    let message =
        format!("the body at byte {start} was not searched: unknown content coding \"a\\u{{1b}}b\"");
    assert!(ran.stderr.contains(&message), "{}", ran.stderr);
}

const PAGE: &str = "<a href=a.html>x</a> <img src='../b c.png'> <a href='//i.org/'>y</a> <a href='#top'>z</a> \
    <a href='javascript:d()'>e</a> <p style='background: url(f.gif)'> <meta property=og:url content=g>";

/// Their links were searched, so the status is 0 without `--strict`, with and without offsets, and the message is the same.
#[test]
fn pages_with_so_long_a_base() {
    let base = format!("http://h.org/{}/", "b".repeat(60_000));
    let page = format!("<!DOCTYPE html><html><base href='{base}'>{}", "<p>&lt;<a href=r>x</a>".repeat(500));
    let head = "From: a@h.org\nSubject: s\nContent-Type: text/html\n";
    let mail = format!("{head}\n{page}");
    let encoded =
        format!("{head}Content-Transfer-Encoding: quoted-printable\n\n{}", page.replace('=', "=3D"));
    let files = folder(&[("page", &page), ("mail", &mail), ("encoded", &encoded)]);
    for (name, at) in [("page", 0), ("mail", head.len() + 1), ("encoded", encoded.find("<!").unwrap())] {
        let message = format!(
            "urlgrep: {name}: the body at byte {at} has a very long base URL; some relative links were printed \
             unresolved\n"
        );
        for output in ["-I", "-n", "--json", "--csv", "-c"] {
            for (strict, status) in [(&[][..], 0), (&["--strict"], 2)] {
                let ran = run(within(&files, &[strict, &[output, name]].concat()), b"");
                assert_eq!((&*ran.stderr, ran.status), (&*message, Some(status)), "{output} {strict:?}");
            }
        }
    }
}

/// What the URL standard makes of the links of a page whose scheme is https.
#[test]
fn slashes_and_hosts_of_browsers() {
    let page = r#"<!DOCTYPE html><a href="\\h.org\a">a</a> <a href="/\h.org/b">b</a> <a href="\/h.org/c">c</a>
        <a href="///h.org/d">d</a> <a href="https://">e</a> <a href="http://h$x.org/">f</a> <a href="http://h'x.org/">g</a>"#;
    let urls = "https://h.org/a\nhttps://h.org/b\nhttps://h.org/c\nhttps://h.org/d\nhttp://h$x.org/\nhttp://h'x.org/\n";
    prints(&["--input", "html"], page.as_bytes(), urls);
}

/// A namespace is a resource, whatever its prefix is.
#[test]
fn namespaces_are_no_links() {
    let svg = br#"<svg xmlns="http://n.org/1" xmlns:xlink="http://n.org/2" xmlns:href="http://n.org/3">
        <a xlink:href="http://h.org/a"/></svg>"#;
    prints(&["--links"], svg, "http://h.org/a\n");
    let all = "http://n.org/1\nhttp://n.org/2\nhttp://n.org/3\nhttp://h.org/a\n";
    prints(&[], svg, all);
}

#[test]
fn relative_links_need_a_base() {
    prints(&["--input", "html"], PAGE.as_bytes(), "https://i.org/\n");
    let links = "http://h.org/x/a.html\nhttp://h.org/b c.png\nhttp://i.org/\nhttp://h.org/x/f.gif\n";
    let page = format!("<base href='http://h.org/x/'>{PAGE}");
    prints(&["--input", "html"], page.as_bytes(), &format!("http://h.org/x/\n{links}"));
}

#[test]
fn links_that_were_cut_at_a_space() {
    let page = "<a href=\"http://h.org/Shared Documents/a b.doc\">a</a>\n<a href=' mailto:?subject=a b '>c</a>\n\
        <a href='http://h.org/\n x'>d</a>";
    prints(
        &["--input", "html"],
        page.as_bytes(),
        "http://h.org/Shared Documents/a b.doc\nmailto:?subject=a b\nhttp://h.org/ x\n",
    );
}

#[test]
fn links_besides_href() {
    let page = "<meta property=og:image content='http://h.org/1'><meta name=description content='at http://h.org/1a b'>\n\
        <img data-src=http://h.org/2 data-srcset='http://h.org/3 2x'><table background=http://h.org/4>\n\
        <style>@import 'http://h.org/5'; p { background: url(http://h.org/6) }</style>\n\
        <iframe srcdoc='<a href=&quot;http://h.org/7?a&amp;amp;b&quot;>http://h.org/7a</a>'></iframe>\n\
        <form action=http://h.org/8><button formaction=http://h.org/9>a</button>";
    let expected: Vec<String> = ["1", "1a", "2", "3", "4", "5", "6", "7?a&b", "7a", "8", "9"]
        .map(|name| format!("http://h.org/{name}\n"))
        .into();
    prints(&["--input", "html"], page.as_bytes(), &expected.concat());
}
