//! Text that looks like a URL and is not one: [`FinderBuilder::invalid`](urlgrep::FinderBuilder::invalid).

use proptest::prelude::*;
use urlgrep::archive::{Format, ReadOptions, Reader};
use urlgrep::{Finder, Haystack, Match};

use crate::laws::ways::{pushed, streamed};

fn finder() -> Finder {
    Finder::builder().invalid(true).build().unwrap()
}

/// The text of a match, its kind, the part and what was expected.
fn told<T: Haystack + ?Sized>(m: &Match<'_, T>) -> [String; 4] {
    let invalid = m.invalid().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let part = text(&m.as_bytes()[invalid.part()]);
    [text(m.as_bytes()), invalid.kind().to_string(), part, invalid.expected().to_owned()]
}

const PORT: &str = "a number up to 65535";
const ESCAPE: &str = "%25, or % and two hexadecimal digits";

/// A text, the only match in it, and its kind, the part and what was expected.
const INVALID: &[(&str, &str, &str, &str, &str)] = &[
    ("see htp://h.org/a.", "htp://h.org/a", "scheme", "htp", "http"),
    ("(htttp://h.org)", "htttp://h.org", "scheme", "htttp", "http"),
    ("see http://http://h.org/a", "http://http://h.org/a", "scheme", "http://http:", "one scheme"),
    ("(https://Http//h.org)", "https://Http//h.org", "scheme", "https://Http", "one scheme"),
    ("see hhttps://h.org/a", "hhttps://h.org/a", "scheme", "hhttps", "https"),
    ("[a](hhttp://h.org)", "hhttp://h.org", "scheme", "hhttp", "http"),
    ("with ttp://h.org/", "ttp://h.org/", "scheme", "ttp", "http"),
    ("\"Htpps://h.org/\"", "Htpps://h.org/", "scheme", "Htpps", "https"),
    ("<httpss://h.org/>", "httpss://h.org/", "scheme", "httpss", "https"),
    ("at fpt://h.org/", "fpt://h.org/", "scheme", "fpt", "ftp"),
    ("see http//h.org/a, or so", "http//h.org/a", "separator", "//", "://"),
    ("[https//www.h.org]", "https//www.h.org", "separator", "//", "://"),
    ("[a](http:/h.org/b)", "http:/h.org/b", "separator", ":/", "://"),
    ("ftp:h.org//a", "ftp:h.org//a", "separator", ":", "://"),
    ("http:h.org/a", "http:h.org/a", "separator", ":", "://"),
    ("see https:://h.org/a", "https:://h.org/a", "separator", ":://", "://"),
    (r"see http:\\h.org\a b", r"http:\\h.org\a", "separator", r":\\", "://"),
    (r"(https:\\h.org)", r"https:\\h.org", "separator", r":\\", "://"),
    ("[a](https：//h.org/)", "https：//h.org/", "separator", "：//", "://"),
    ("见 (http：//h.org)", "http：//h.org", "separator", "：//", "://"),
    ("http:///h.org/", "http:///h.org/", "separator", ":///", "://"),
    ("http:///a.html", "http:///a.html", "host", "", "a host"),
    ("at http://h..org/a.", "http://h..org/a", "label", "..", "."),
    ("http://.h.org/", "http://.h.org/", "label", ".", "a label"),
    ("http://www,innovative-web.de/", "http://www,innovative-web.de/", "label", ",", "."),
    (
        "http://xn--はじめよう.com/",
        "http://xn--はじめよう.com/",
        "punycode",
        "xn--はじめよう",
        "only ASCII after xn--",
    ),
    ("at http://h.org:port/ you", "http://h.org:port/", "port", "port", PORT),
    ("http://h.org:8o80/", "http://h.org:8o80/", "port", "8o80", PORT),
    ("https://github.com:me/it.git", "https://github.com:me/it.git", "port", "me", PORT),
    ("http://h.org:80:80/", "http://h.org:80:80/", "port", "80:80", PORT),
    ("http://me@h.org:65536/", "http://me@h.org:65536/", "port", "65536", PORT),
    ("<http://h.org/100%>", "http://h.org/100%", "escape", "%", ESCAPE),
    ("<http://h.org/a%zz>", "http://h.org/a%zz", "escape", "%zz", ESCAPE),
    ("[a](http://h.org/%zz)", "http://h.org/%zz", "escape", "%zz", ESCAPE),
    ("(http://h.org/100%)", "http://h.org/100%", "escape", "%", ESCAPE),
    ("http://h.org/a%20b%u2019c", "http://h.org/a%20b%u2019c", "escape", "%u2019", ESCAPE),
    ("http://h.org/%u2019", "http://h.org/%u2019", "escape", "%u2019", ESCAPE),
    ("[a](http://h.org/a b.html)", "http://h.org/a b.html", "space", " ", "%20"),
    ("![a](http://h.org/a b c.png ) d", "http://h.org/a b c.png", "space", " ", "%20"),
    ("[a](http://h.org/ b_(c))", "http://h.org/ b_(c)", "space", " ", "%20"),
    ("see <http://h.org/a\n\nb> c", "<http://h.org/a", "bracket", "<", "\">\" after the URL"),
    ("(<http://h.org/a)", "<http://h.org/a", "bracket", "<", "\">\" after the URL"),
];

#[test]
fn every_kind() {
    let finder = finder();
    for &(text, found, kind, part, expected) in INVALID {
        let all: Vec<_> = finder.find_iter(text).collect();
        let told: Vec<_> = all.iter().map(|m| told(m)).collect();
        assert_eq!(told, [[found, kind, part, expected]], "{text}");
        let start = text.find(found).unwrap();
        let range = all[0].url_range();
        assert_eq!(range, start..start + found.len(), "{text}");
    }
}

#[test]
fn what_is_valid_or_stands_for_others() {
    let finder = finder();
    for text in [
        // URLs, also with parts that only look wrong.
        "http://h.org/100%25",
        "http://h.org/a//b?c=http://i.org/",
        "http://h.org:8080/ ftp://h.org:65535/ http://h.org:/ http://h.org: a",
        "http://h.org./ http://a_b.h.org/ http://xn--bcher-kva.example/",
        "http://h.org,com/a http://h.org,http://i.org",
        "git+https://h.org/ sftp://h.org/ tftp://h.org/ hftp://h.org/ htxp://h.org/ httpx://h.org/ shttp://h.org/ rtp://h.org/ htcpcp://h.org/",
        "mongodb://a.h.org:1,b.h.org:2/ jdbc:http://h.org/ sqlite:////a file:///a ldap:///o=x",
        "http://[::1]:80/ http://a:b@h.org/ http://:b@h.org/ https://a,b@h.org/",
        "<http://h.org/a> <URL:http://h.org/\n  b> <http://h.org/|a> <a href=http://h.org/>",
        "<http://h.org/a <http://h.org/b>",
        "cout<<http://h.org/ a<http://h.org/",
        "URL:http://h.org/100% now, see http://h.org/100% now, http://h.org/a%, (http://h.org/100% of), [a](http://h.org/%s)",
        "[a](http://h.org/ \"b\") [a](http://h.org/ 'b') ![a](http://h.org/a =10x20) [a]( http://h.org/ )",
        "[a](http://h.org/ (b)) [a](http://h.org/ &quot;b&quot;) [a](<http://h.org/a b>) [a](http://h.org/\n\"b\")",
        // The first letter is elsewhere.
        "(h\n   ttps://h.org/) 'h' + 'ttp://h.org/' &#104;ttp://h.org/ with\n  ttp://h.org/",
        "https:////h.org//a http:////h.org//",
        // Words.
        "a//b std::http http::x http: HTTP:// http:// https:/ http:. (http:) http:/a http:a/b",
        "/http//h.org/ ./https//h.org a/http//h.org x-http//h.org http//a.b/ http:/etc/passwd http:///",
        "htp://a/ ttp://x fp://h.org/ http:h.html ftp:ftp.h.org",
        // Placeholders, patterns and formats.
        "http://... http://.../a https://…/a http://h...org/ http://..h.org..",
        "http://<host>:<port>/ http://$HOST/ http://${a}.h.org/ http://{name}/ http://*.h.org/ http://[host]/",
        "http://localhost:PORT http://localhost:port/ http://HOST:PORT/ http://h.org:PORT/a http://h.org:$port/",
        "http://h.org:{port}/ http://h.org:<port>/ http://h.org:%d/ http://h.org:[port]/ http://h.org:*/",
        "<http://h.org/%s> <http://h.org/%d/%02d> <http://h.org/%Y-%m-%d> <http://h.org/%NAME%/> <http://h.org/%1$s>",
        "<http://h.org/%{a}> <http://h.org/%(a)s> <http://h.org/%%> <http://h.org/<%= a %>>",
        r"http:\\/\\/h.org\\/ http:\\\\h.org http:\\a file:\\h.org\a",
        "http:\\/\\/h.org\\/ ^https?://.*$ http://\\S+ (https?:)?//h.org",
    ] {
        let found: Vec<_> = finder.find_iter(text).map(|m| told(&m)).collect();
        assert_eq!(found, [[""; 4]; 0], "{text}");
    }
}

#[test]
fn attributes() {
    let page = "<html><a href=\"http:///x\">a</a> <a href=\"https://\">b</a> <img src='http:/h.org/a b.png'> \
        <a href='htp://h.org/'>htp://h.org/</a> <a href='http://h.org/a b'>c</a> <a href='http//h.org'>d</a> \
        <a href='http://h.org/?a=100%&b'>d</a> <a href='http://{{host}}/'>e</a> <a href='http://h .org/'>f</a> \
        <a href='/a//b'>g</a> <a href='100%'>g</a> <input value='http://'> <a href='<%= a %>b'>g</a> <a href='http://h.org/'>h</a> see http//h.org/";
    let options = ReadOptions { base_url: Some("https://localhost/".into()), ..ReadOptions::default() };
    let mut reader = Reader::new(page.as_bytes()).with_options(&options).with_format(Format::Html);
    let message = reader.next_message().unwrap().unwrap();
    let finder = finder();
    let mut found = Vec::new();
    for text in message.texts() {
        found.extend(finder.find_in(&text).map(|m| {
            let span = m.span().start as usize..m.span().end as usize;
            assert_eq!(page[span].replace("&amp;", "&").as_bytes(), m.as_bytes());
            let [url, kind, ..] = told(&m);
            (url, kind)
        }));
    }
    let found: Vec<_> = found.iter().map(|(url, kind)| (&**url, &**kind)).collect();
    assert_eq!(
        found,
        [
            ("http:///x", "host"),
            ("https://", "host"),
            ("http:/h.org/a b.png", "separator"),
            ("htp://h.org/", "scheme"),
            ("http//h.org", "separator"),
            ("http://h.org/?a=100%&b", "escape"),
            ("http://h .org/", "space"),
            ("http//h.org/", "separator"),
        ]
    );
}

proptest! {
    /// The rows of the table and other fragments, next to each other: a stream yields what the whole text does.
    #[test]
    fn comes_in_pieces(
        parts in prop::collection::vec((0..INVALID.len() + 6, 0..4_usize), 1..6),
        size in 1..40_usize,
        cut in any::<prop::sample::Index>(),
    ) {
        let others = ["http", ":", "//", "<", "](", "h.org"];
        let glue = ["", " ", "\n", "\n\n"];
        let text: String = parts.iter().map(|&(n, between)| {
            let part = INVALID.get(n).map_or_else(|| others[n - INVALID.len()], |row| row.0);
            format!("{part}{}", glue[between])
        }).collect();
        let finder = finder();
        let whole: Vec<_> = finder.find_iter(&text).map(|m| (m.range(), told(&m))).collect();
        let of = |m: &Match<'_>| (m.range(), told(m));
        prop_assert_eq!(&streamed(&finder, text.as_bytes(), size, of), &whole);
        prop_assert_eq!(&pushed(&finder, text.as_bytes(), &[cut.index(text.len())], of), &whole);
    }
}
