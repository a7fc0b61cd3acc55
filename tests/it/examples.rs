//! The programs in `examples` do what their first lines say.

#![allow(dead_code, reason = "each example has a `main`")]

#[path = "../../examples/check_url.rs"]
mod check_url;
#[path = "../../examples/chunks.rs"]
mod chunks;
#[path = "../../examples/cursor.rs"]
mod cursor;
#[path = "../../examples/host_counts.rs"]
mod host_counts;
#[path = "../../examples/line_numbers.rs"]
mod line_numbers;
#[allow(dead_code, reason = "a drop-in has all functions of the original")]
#[path = "../../examples/link_finder.rs"]
mod link_finder;
#[path = "../../examples/links_by_sender.rs"]
mod links_by_sender;
#[path = "../../examples/many_strings.rs"]
mod many_strings;
#[path = "../../examples/message_ids.rs"]
mod message_ids;
#[path = "../../examples/own_schemes.rs"]
mod own_schemes;
#[path = "../../examples/socket.rs"]
mod socket;
#[path = "../../examples/text_to_html.rs"]
mod text_to_html;
#[path = "../../examples/validate.rs"]
mod validate;

use std::io::Write;
use std::net::{TcpListener, TcpStream};

/// What `print` writes.
fn printed(print: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    print(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn line_numbers() {
    let text = "see\n  <URL:http://h.org/\n  a> and\nftp://h.org/.\n";
    let expected = "2:3: http://h.org/a\n4:1: ftp://h.org/\n";
    assert_eq!(printed(|out| line_numbers::print(text, out)), expected);
}

#[test]
fn socket() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    let sender = std::thread::spawn(move || {
        for chunk in ["see http://h.or", "g/a, <URL:ftp", "://h.org/\nb>"] {
            server.write_all(chunk.as_bytes()).unwrap();
            server.flush().unwrap();
        }
    });
    let expected = "4: http://h.org/a\n20: ftp://h.org/b\n";
    assert_eq!(printed(|out| socket::print(client, out)), expected);
    sender.join().unwrap();
}

#[test]
fn message_ids() {
    // "http://h.org/b" in base64.
    let mbox = "From a@h.org Fri Mar  2 10:11:12 2001\nMessage-ID: <1@h.org>\n\n\
                at http://h.org/a\n\nFrom b@h.org Fri Mar  2 10:11:13 2001\nMessage-ID: <2@h.org>\n\
                Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\naHR0cDovL2gub3JnL2I=\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.mbox.gz");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(mbox.as_bytes()).unwrap();
    std::fs::write(&path, gzip.finish().unwrap()).unwrap();
    let expected = "1@h.org\thttp://h.org/a\n2@h.org\thttp://h.org/b\n";
    assert_eq!(printed(|out| message_ids::print(&path, out)), expected);
}

#[test]
fn validate() {
    let list =
        "http://h.org/a?b#c\nftp://me@h.org/f;type=i\ngopher://h.org/0about\nmailto:me@h.org\nhttp:/h\n";
    let shown = printed(|out| validate::print(list.as_bytes(), out));
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines[0], "http://h.org/a?b#c: host \"h.org\", path Some(\"a\")");
    assert_eq!(lines[1], "ftp://me@h.org/f;type=i: user Some(\"me\"), typecode Some(Image)");
    assert_eq!(lines[2], "gopher://h.org/0about: type '0', selector Some(\"about\")");
    assert_eq!(lines[3], "mailto:me@h.org: to \"me\" at \"h.org\"");
    assert!(lines[4].contains("RFC 1738 section"), "{}", lines[4]);
}

#[test]
fn check_url() {
    let check = |url: &str| printed(|out| check_url::print(url.as_bytes(), out).map(drop));
    let shown = check("http://h.org/\u{e9}~me");
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!((lines[0], lines[1]), ("lenient", "http://h.org/\u{e9}~me"));
    assert_eq!(lines[2], "             ^");
    assert_eq!(check("http://h.org/"), "rfc1738\n");
    assert!(check("h.org").starts_with("not a URL\nh.org\n"));
}

#[test]
fn chunks() {
    let text = "see <http://h.org/\n a> or ftp://h.org/b";
    let expected = "5..18 20..21\thttp://h.org/a\n26..39\tftp://h.org/b\n";
    assert_eq!(printed(|out| chunks::print(text.as_bytes(), out)), expected);
}

#[test]
fn cursor() {
    let text = b"see <http://h.org/\n a> or www.h.org";
    assert_eq!(printed(|out| cursor::print(text, 20, out)), "http://h.org/a (4 to 22)\n");
    let why = "no URL: www.h.org matches only with the option schemeless=hosts\n";
    assert_eq!(printed(|out| cursor::print(text, 30, out)), why);
}

#[test]
fn many_strings() {
    let list = "at http://h.org/a, http://h.org/b\nnone\nftp://h.org\n";
    let expected = "1\thttp://h.org/a\n3\tftp://h.org\n";
    assert_eq!(printed(|out| many_strings::print(list.as_bytes(), out)), expected);
}

#[test]
fn host_counts() {
    let text = "http://a.org/ http://B.org/x mailto:me@b.org http://a.org/2 http://b.org/ urn:isbn:1";
    assert_eq!(printed(|out| host_counts::print(text.as_bytes(), out)), "3\tb.org\n2\ta.org\n");
}

#[test]
fn own_schemes() {
    let mut out = Vec::new();
    let names = ["spotify".to_owned()];
    own_schemes::print(&names, &b"spotify:track:4 or http://h.org/"[..], &mut out).unwrap();
    let object: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!((&object["url"], &object["end"]), (&"spotify:track:4".into(), &15.into()));
}

#[test]
fn links_by_sender() {
    let page = "<a href=\"http://h.org/a\">a</a> <img src=\"http://h.org/b.png\">";
    let mbox = format!(
        "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: Bo <b@h.org>\n\nat http://h.org/b\n\n\
         From a@h.org Fri Mar  2 10:11:12 2001\nFrom: Al\x1b <a@h.org>\nContent-Type: text/html\n\n{page}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.mbox");
    std::fs::write(&path, mbox).unwrap();
    let expected = "Al\u{fffd} <a@h.org>\n  http://h.org/a\nBo <b@h.org>\n  http://h.org/b\n";
    assert_eq!(printed(|out| links_by_sender::print(&path, out)), expected);
}

#[test]
fn text_to_html() {
    let text = "> a & <URL:http://h.org/a-\n> b?c&d>, www.h.org\n";
    let expected = "&gt; a &amp; &lt;URL:<a href=\"http://h.org/a-b?c&amp;d\" rel=\"nofollow noopener\">http://h.org/a-\n\
                    &gt; b?c&amp;d</a>&gt;, <a href=\"http://www.h.org\" rel=\"nofollow noopener\">www.h.org</a>\n";
    assert_eq!(text_to_html::html(text), expected);
    assert_eq!(text_to_html::html("<URL:javascript:alert(1)>"), "&lt;URL:javascript:alert(1)&gt;");
}

#[test]
fn link_finder() {
    use link_finder::{LinkFinder, LinkKind};

    let text = "see <http://h.org/a\n b>, mailto:a@h.org or news:c.d; www.h.org";
    let shown = |finder: &LinkFinder| -> Vec<String> {
        let spans: Vec<_> = finder.spans(text).collect();
        assert_eq!(spans.iter().map(|span| span.as_str()).collect::<String>(), text);
        assert!(spans.windows(2).all(|pair| pair[0].end() == pair[1].start()));
        let links = spans.iter().filter(|span| span.kind().is_some());
        links.map(|span| span.as_str().to_owned()).collect()
    };
    let mut finder = LinkFinder::new();
    assert_eq!(shown(&finder), ["http://h.org/a\n b", "a@h.org"]);
    assert_eq!(shown(finder.kinds(&[LinkKind::Email])), ["a@h.org"]);
    finder.kinds(&[LinkKind::Url]).url_must_have_scheme(false);
    assert_eq!(shown(&finder).first().map(String::as_str), Some("http://h.org/a\n b"));
    assert_eq!(shown(&finder).last().map(String::as_str), Some("www.h.org"));
    let mut out = Vec::new();
    link_finder::print("at http://h.org/.", &mut out).unwrap();
    assert_eq!(out, b"Url http://h.org/\n");
}

/// What linkify takes for a link and the library does not, and what the library takes and linkify does not.
#[test]
fn link_finder_takes_what_linkify_takes() {
    use link_finder::{LinkFinder, LinkKind};

    let shown = |finder: &LinkFinder, text: &str| -> String {
        finder
            .spans(text)
            .map(|span| {
                if span.kind().is_some() { format!("|{}|", span.as_str()) } else { span.as_str().to_owned() }
            })
            .collect()
    };
    let strict = LinkFinder::new();
    let mut loose = LinkFinder::new();
    loose.url_must_have_scheme(false).email_domain_must_have_dot(false);
    for (expected_strict, expected_loose) in [
        ("|http://h.org/|* *|http://h.org/|*", ""),
        ("|http://h.org/''|' '|http://h.org/|''", ""),
        ("|http://h.org|-/ http://a.-b.org/ http://1.2.3/ http://a@b@h.org/", ""),
        ("|tel://+1|, |file://../a|. 1a://+1 ://+1 http://+1 x://... \"x://\"", ""),
        (
            ".|a@h.org| b..|a@h.org| a.@h.org @a@h.org a@h a@h.1",
            ".|a@h.org| b..|a@h.org| a.@h.org @a@h.org |a@h| a@h.1",
        ),
        ("mailto:|a@h.org|,|b@h.org|?subject=c", ""),
        ("1.2.3.4 v1.2.3.4 1.2.3 1.2.3.4.5", "|1.2.3.4| v1.2.3.4 1.2.3 1.2.3.4.5"),
        ("see 1.2.3.4:80/a?b). 1.2.3.4000 1.2.3.4-5", "see |1.2.3.4:80/a?b|). 1.2.3.4000 1.2.3.4-5"),
    ] {
        let text = expected_strict.replace('|', "");
        let expected_loose = if expected_loose.is_empty() { expected_strict } else { expected_loose };
        assert_eq!(
            (shown(&strict, &text), shown(&loose, &text)),
            (expected_strict.to_owned(), expected_loose.to_owned())
        );
    }
    // A temporary finder, as in linkify, and a text that is searched in pieces.
    let text = format!("a@h.org {}http://h.org/ b@h.org", "x ".repeat(100_000));
    let links: Vec<_> =
        LinkFinder::new().kinds(&[LinkKind::Email]).links(&text).map(|link| link.start()).collect();
    assert_eq!(links, [0, text.len() - 7]);
}
