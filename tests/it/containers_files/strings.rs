//! Strings that are documents, in JSON, in XML and in pages.

use urlgrep::Finder;
use urlgrep::archive::Archive;

use crate::laws::archive::links;

/// Each URL with its role, its element and its text; what nobody reads is left out.
#[track_caller]
fn found(file: &str) -> Vec<String> {
    let finder = Finder::new();
    let matches = finder.find_in_archive(Archive::new(file.as_bytes()).unwrap()).map(Result::unwrap);
    let shown = matches.map(|m| {
        let context = m.context().unwrap();
        let text = context.link_text().map(|text| format!(" ({})", String::from_utf8_lossy(&text)));
        let element = context.element().map(|element| format!(" {element}"));
        format!("{m} {}{}{}", m.role(), element.unwrap_or_default(), text.unwrap_or_default())
    });
    shown.filter(|row| !row.contains(" resource")).collect()
}

#[test]
fn html_in_json() {
    let page = r#"{"before":"http://h.org/0","body":"<p>see <a href=\"http://h.org/1?a&amp;b\">one\ntwo</a></p>","after":"http://h.org/2"}"#;
    assert_eq!(
        found(page),
        ["http://h.org/0 text", "http://h.org/1?a&b link a@href (one two)", "http://h.org/2 text"]
    );
    let escaped = r#"{"a":"\u003cimg src=\u0022http:\/\/h.org\/i.png\u0022\u003e http://h.org/1"}"#;
    assert_eq!(found(escaped), ["http://h.org/i.png image img@src", "http://h.org/1 text"]);
    // The pixel that tells that a mail was read is none of its links.
    let mail = r#"["<img width=1 height=1 src='http://h.org/p'><a href='http://h.org/a'>a</a>", "<a href='http://h.org/b'>b</a>"]"#;
    assert_eq!(
        found(mail),
        [
            "http://h.org/p tracker img@src",
            "http://h.org/a link a@href (a)",
            "http://h.org/b link a@href (b)"
        ]
    );
}

#[test]
fn a_match_in_html_in_json_points_at_the_file() {
    let file = "[1,\n {\"a\":\"<b>x<\\/b> <a href=\\\"http:\\/\\/h.org\\/a?b&amp;c\\\">d<\\/a>\"}]\n";
    let start = file.find("http").unwrap() as u64;
    let found = links(file.as_bytes(), None, 4096);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].url.as_str(), found[0].span.clone()), ("http://h.org/a?b&c", start..start + 25));
    // `http:\/\/h.org\/a?b&amp;c`
    let pieces = [0..5, 6..7, 8..14, 15..25];
    assert_eq!(found[0].pieces, pieces.map(|range| start + range.start..start + range.end));
    assert_eq!(found[0].position.unwrap().line, 2);
}

#[test]
fn strings_that_are_no_html() {
    for (string, row) in [
        // Markdown, with its own tags.
        (r#"see [a](http://h.org/1) <img src='x'>"#, "http://h.org/1 text"),
        (r#"```\n<a href='http://h.org/1'>a</a>\n```"#, "http://h.org/1 text"),
        // No common element, and an angle.
        (r#"<nick> see <http://h.org/1> <word>"#, "http://h.org/1 text"),
        // A tag that does not end, and an end tag.
        (r#"a </p> <a href='http://h.org/1"#, "http://h.org/1 text"),
        // Programs.
        (r#"x = '<a href=\"http://h.org/1\">' + y"#, "http://h.org/1 text"),
    ] {
        assert_eq!(found(&format!("{{\"a\":\"{string}\"}}")), [row], "{string}");
    }
    let map = r#"{"version":3,"sourcesContent":["a","return <a href=\"http://h.org/1\">a</a>"],"x":["<a href='http://h.org/2'>b</a>"]}"#;
    assert_eq!(found(map), ["http://h.org/1 text", "http://h.org/2 link a@href (b)"]);
    let lines =
        r#"{"source":["a = \"\"","<a href='http://h.org/1'>a</a>"],"x":"<a href='http://h.org/2'>b</a>"}"#;
    assert_eq!(found(lines), ["http://h.org/1 text", "http://h.org/2 link a@href (b)"]);
    let cell = r#"{"cell_type":"code","source":"return <a href=\"http://h.org/1\">a</a>"}"#;
    assert_eq!(found(cell), ["http://h.org/1 text"]);
}

#[test]
fn messages_in_json() {
    let head = r"Received: from a by b; Fri, 2 Mar 2001 10:11:12 +0000\r\nFrom: a@h.org\r\nDate: Fri, 2 Mar 2001 10:11:12 +0000\r\nMessage-ID: <1@h.org>\r\nContent-Transfer-Encoding: base64\r\n";
    let file =
        format!("{{\"rawEmail\":\"{head}\\r\\naHR0cDovL2gub3JnLzE=\\r\\n\",\"b\":\"http://h.org/2\"}}\n");
    let found = links(file.as_bytes(), None, 4096);
    let urls: Vec<_> = found.iter().map(|link| (link.url.as_str(), link.id.as_deref())).collect();
    assert_eq!(urls, [("http://h.org/1", Some("1@h.org")), ("http://h.org/2", None)]);
    // A text with a head that nothing has carried is one.
    let text = r#"{"a":"Subject: x\nDate: y\n\nhttp://h.org/1"}"#;
    let found = links(text.as_bytes(), None, 4096);
    assert_eq!((found.len(), found[0].id.clone()), (1, None));
}

#[test]
fn html_in_feeds() {
    let feed = |content: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><item><description>{content}</description><link>http://h.org/2</link></item></rss>\n"
        )
    };
    let links =
        ["http://h.org/1?a&b link a@href (one)", "http://h.org/i image img@src", "http://h.org/2 link"];
    let page = "<p><a href=\"http://h.org/1?a&amp;b\">one</a><img src=\"http://h.org/i\"></p>";
    assert_eq!(found(&feed(&page.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))), links);
    // An example of a page is a page there, too, but a bracket is not.
    assert_eq!(found(&feed("a &lt; b http://h.org/1")), ["http://h.org/1 text", "http://h.org/2 link"]);
}

#[test]
fn attributes_of_data() {
    let sms = "<smses count=\"1\"><sms address=\"+1\" body=\"look https://h.org/1 now\" /></smses>\n";
    assert_eq!(found(sms), ["https://h.org/1 text sms@body"]);
    let data = "<r xmlns=\"http://n.org/\" xsi:schemaLocation=\"http://n.org/ http://n.org/a.xsd\" rdf:about=\"http://h.org/0\">\
        <a xmlUrl=\"http://h.org/1\" Target=\"http&#58;//h.org/2\"/></r>\n";
    assert_eq!(found(data), ["http://h.org/1 link a@xmlurl", "http://h.org/2 link a@target"]);
}

/// XML that no browser renders: the names of attributes that are links, and their ends.
#[test]
fn links_of_data() {
    let roles = |attribute: &str| {
        let file = format!("<?xml version=\"1.0\"?>\n<r><i {attribute}=\"http&#58;//h.org/x\"/></r>\n");
        found(&file)
    };
    for name in ["href", "src", "url", "uri", "link", "target", "location"] {
        for name in [name.to_owned(), name.to_uppercase(), format!("a{name}"), format!("x:{name}")] {
            assert_eq!(roles(&name), [format!("http://h.org/x link i@{}", name.to_lowercase())]);
        }
    }
    for name in ["cite", "srcs", "source", "xmlns", "xmlns:src", "schemaLocation", "rdf:about"] {
        assert_eq!(roles(name), [""; 0], "{name}");
    }
    // Browsers render SVG, XHTML, and elements of XHTML in feeds.
    let script = "<script src=\"http://h.org/x\"/>";
    for (open, close) in [
        ("<svg xmlns=\"http://www.w3.org/2000/svg\">", "</svg>"),
        ("<html xmlns=\"http://www.w3.org/1999/xhtml\"><embed src=\"http://h.org/y\"/>", "</html>"),
        ("<feed xmlns=\"http://www.w3.org/2005/Atom\">", "</feed>"),
    ] {
        assert_eq!(found(&format!("<?xml version=\"1.0\"?>\n{open}{script}{close}\n")), [""; 0], "{open}");
    }
}
