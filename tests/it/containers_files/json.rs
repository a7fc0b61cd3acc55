//! JSON: each string is a text of its own, and a match points at the bytes of the file.

use std::fmt::Write as _;
use std::ops::Range;

use proptest::prelude::*;
use serde_json::Value;
use urlgrep::archive::internal::{Division, align};
use urlgrep::archive::{Archive, Format, ReadOptions, Reader};
use urlgrep::{Finder, Form, Join, Schemeless};

use crate::laws::archive::links;
use crate::laws::ways::Trickle;

/// The URLs of a file, which is JSON.
#[track_caller]
fn urls(file: &str) -> Vec<String> {
    assert_eq!(Reader::new(file.as_bytes()).format(), Format::Json, "{file}");
    let finder = Finder::new();
    let matches = finder.find_in_archive(Archive::new(file.as_bytes()).unwrap());
    matches.map(|m| m.unwrap().to_string()).collect()
}

/// RFC 2045 §6.7, and RFC 8259 §7 around it.
#[test]
fn a_page_in_quoted_printable() {
    let page = "<p>http=\\ns://h.org/a</p><a href=3D\\\"http://mail.exam=\\nple.org/?a=3D1\\\">b</a>";
    let file = format!("{{\"a\":\"{page}\"}}\n");
    assert_eq!(urls(&file), ["https://h.org/a", "http://mail.example.org/?a=1"]);
}

#[test]
fn matches_point_at_the_file() {
    let file = "{\"a\":\"see https:\\/\\/h.org\\/a?b=c\\u0026d=e, \\ud83d\\ude00\"}\n  {\"b\":\n\"\\n<URL:http://h.org/x>\"}\n";
    let found = links(file.as_bytes(), None, 4096);
    let (line, start) = (file.find("https").unwrap() as u64, file.find("<URL").unwrap() as u64);
    let place =
        |n: usize| (found[n].url.as_str(), found[n].form, found[n].span.clone(), found[n].position.unwrap());
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].part.clone(), found[0].header.clone(), found[0].message), (None, None, 0));
    let (url, form, span, position) = place(0);
    assert_eq!((url, form, span), ("https://h.org/a?b=c&d=e", Form::Bare, line..line + 31));
    assert_eq!((position.line, position.column), (1, line + 1));
    // Of `\/` only the slash, of `\u0026` all.
    assert_eq!(
        found[0].pieces,
        [0..6, 7..8, 9..15, 16..31].map(|range: Range<u64>| line + range.start..line + range.end)
    );
    let (url, form, span, position) = place(1);
    assert_eq!((url, form, span), ("http://h.org/x", Form::Wrapper, start..start + 20));
    assert_eq!((position.line, position.column), (3, 4));
}

#[test]
fn a_string_is_a_text_of_its_own() {
    // Neither a wrapper, nor a quoted line, nor a URL goes on in the next string.
    assert_eq!(urls(r#"["<URL:http://h.org/a", "b>"]"#), ["http://h.org/a"]);
    assert_eq!(urls("[\"http://h.org/a-\",\n\"b\"]"), ["http://h.org/a-"]);
    assert_eq!(
        urls(r#"{"a\nhttp://h.org/k": "<URL:http://h.org/a\n b>"}"#),
        ["http://h.org/k", "http://h.org/ab"]
    );
    // A quotation mark that is escaped delimits a URL.
    assert_eq!(urls(r#"{"html": "<a href=\"http://h.org/a\">b</a>"}"#), ["http://h.org/a"]);
    let guess = Finder::builder().join(Join::Likely).build().unwrap();
    let file =
        format!("[\"{} http://h.org/{}\",\n\"{}/c d\"]", "word ".repeat(10), "a".repeat(12), "b".repeat(3));
    let matches = guess.find_in_archive(Archive::new(file.as_bytes()).unwrap());
    assert_eq!(matches.map(|m| m.unwrap().to_string()).collect::<Vec<_>>(), ["http://h.org/aaaaaaaaaaaa"]);
}

/// A string is a message or not, regardless of the other strings.
#[test]
fn strings_that_are_messages() {
    let head = r"Received: from a.example by h.org; Thu, 2 Jan 2003 10:11:12 +0000\n";
    let rest = r"Message-ID: <1@h.org>\nContent-Transfer-Encoding: quoted-printable\n\nhttp=3A//h.org/q\n";
    for first in ["", r"From a@h.org Thu Jan  2 10:11:12 2003\n", r"Return-Path:<a@h.org>\n"] {
        let string = format!("{{\"raw\": \"{first}{head}{rest}\"}}\n");
        assert_eq!(urls(&string), ["http://h.org/q"]);
        assert_eq!(urls(&string.replace(r"\n", r"\r\n")), ["http://h.org/q"]);
        assert_eq!(urls(&string.repeat(3)), ["http://h.org/q"; 3]);
    }
}

#[test]
fn damage_costs_no_other_line() {
    let file = "{\"a\":\"http:\\/\\/h.org\\/1\"}\nnot JSON: <URL:http://h.org/2>\n{\"a\":\"http://h.org/3\n\
        {\"a\":\"\\x http://h.org/4\\ud800\",}\n// http://h.org/5\n{\"a\":\"http://h.org/6\",\"b\":\"http:\\/\\/h.org\\/7";
    assert_eq!(urls(file), (1..=7).map(|n| format!("http://h.org/{n}")).collect::<Vec<_>>());
}

#[test]
fn exports_of_chats() {
    let slack = r#"[{"type":"message","user":"U0","ts":"983527872.000100",
        "text":"see <https:\/\/h.org\/a?b=c&amp;d|label> and <mailto:a@h.org|a@h.org>",
        "blocks":[{"type":"rich_text","elements":[{"type":"link","url":"https:\/\/h.org\/b"}]}]}]"#;
    assert_eq!(urls(slack), ["https://h.org/a?b=c&d", "mailto:a@h.org", "https://h.org/b"]);
    let discord = r#"{"guild": {"id": "1", "name": "x", "iconUrl": "https://cdn.h.org/i.png"}, "messages": [
        {"id": "2", "timestamp": "2001-03-02T10:11:12+00:00", "content": "see **https://h.org/a**\nand <https://h.org/b>",
        "embeds": [{"url": "https://h.org/c_(d)"}]}]}"#;
    assert_eq!(
        urls(discord),
        ["https://cdn.h.org/i.png", "https://h.org/a", "https://h.org/b", "https://h.org/c_(d)"]
    );
    let telegram = "{\n \"name\": \"x\",\n \"messages\": [\n  {\n   \"text\": [\n    \"see \",\n    {\n     \"type\": \"link\",\n     \
        \"text\": \"https://h.org/a\"\n    },\n    \".\"\n   ]\n  }\n ]\n}";
    assert_eq!(urls(telegram), ["https://h.org/a"]);
}

#[test]
fn exports_of_chats_that_are_text() {
    for (file, format) in [
        ("[02.03.01, 10:11:12] Anna: see https://h.org/\n[02.03.01, 10:11:13] Bea: ok\n", Format::Chat),
        ("02/03/2001, 10:11 - Anna: https://h.org/\n", Format::Chat),
        ("[10:11] Anna: \"https://h.org/\"\n", Format::Text),
    ] {
        assert_eq!(Reader::new(file.as_bytes()).format(), format);
        let found = links(file.as_bytes(), None, 4096);
        assert_eq!(found.iter().map(|link| &*link.url).collect::<Vec<_>>(), ["https://h.org/"]);
    }
}

#[test]
fn notebooks_and_logs_of_browsers() {
    let notebook = "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"source\": [\n    \"See [a](https://h.org/a),\\n\",\n    \
        \"or `curl \\\"https://h.org/b\\\"`\"\n   ]\n  }\n ],\n \"nbformat\": 4\n}\n";
    assert_eq!(urls(notebook), ["https://h.org/a", "https://h.org/b"]);
    let har = r#"{"log":{"version":"1.2","entries":[{"request":{"method":"GET","url":"https://h.org/a?b=c","headers":[
        {"name":"Referer","value":"https://h.org/"}]},"response":{"content":{"mimeType":"text/html",
        "text":"<a href=\"https:\/\/h.org\/d\">e<\/a>"}}}]}}"#;
    assert_eq!(urls(har), ["https://h.org/a?b=c", "https://h.org/", "https://h.org/d"]);
}

#[test]
fn in_other_encodings_and_containers() {
    let file = "\u{feff}{\"a\":\"http:\\/\\/h.org\\/\u{fc}\"}\r\n";
    let wide: Vec<u8> = file.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, unit) in [(file.as_bytes(), 1), (&wide, 2)] {
        let found = links(bytes, None, 4096);
        assert_eq!(found[0].url, "http://h.org/\u{fc}");
        let mark = if unit == 1 { 3 } else { 2 };
        assert_eq!(found[0].span.start, mark + 6 * unit);
        assert_eq!(found[0].pieces[1].start, mark + 12 * unit);
    }
    let gzip = crate::make::encode::gzip(file.as_bytes());
    let matches = Finder::new().find_in_archive(Archive::new(&gzip[..]).unwrap());
    assert_eq!(matches.map(|m| m.unwrap().to_string()).collect::<Vec<_>>(), ["http://h.org/\u{fc}"]);
}

/// A line that is longer than any chunk.
#[test]
fn a_long_line() {
    let mut file = String::from("[\"\"");
    let mut expected = Vec::new();
    for n in 0..20_000 {
        write!(file, ",\"http:\\/\\/h.org\\/{n}{}\"", "\\u0041".repeat(n % 200)).unwrap();
        expected.push(format!("http://h.org/{n}{}", "A".repeat(n % 200)));
    }
    file.push(']');
    assert!(file.len() > 10_000_000);
    assert_eq!(urls(&file), expected);
    let found = links(file.as_bytes(), None, 1 << 20);
    assert!(
        found.iter().all(|link| file[link.span.start as usize..].starts_with("http:") && link.message == 0)
    );
    // One string.
    let file =
        format!("[1, \"\", \"http://h.org/a {}\", \"http:\\/\\/h.org\\/b\"]", "word ".repeat(4_000_000));
    assert_eq!(urls(&file), ["http://h.org/a", "http://h.org/b"]);
}

#[test]
fn ranges() {
    let lines: String =
        (0..50).map(|n| format!("{{\"n\":{n},\"url\":\"http:\\/\\/h.org\\/{n}\"}}\n")).collect();
    let mut input = std::io::Cursor::new(lines.as_bytes());
    let division = Division::of(&mut input, None).unwrap();
    assert_eq!(division.format(), Some(Format::Json));
    let whole = links(lines.as_bytes(), None, 4096);
    for cut in 0..lines.len() as u64 {
        let at = align(&mut input, cut).unwrap() as usize;
        assert!(at == 0 || lines[..at].ends_with('\n'));
        let mut urls = Vec::new();
        for range in [0..cut, cut..lines.len() as u64] {
            let archive = division.range(std::io::Cursor::new(lines.as_bytes()), range).unwrap();
            urls.extend(
                Finder::new().find_in_archive(archive).map(|m| m.unwrap()).map(|m| (m.to_string(), m.span())),
            );
        }
        assert_eq!(urls, whole.iter().map(|link| (link.url.clone(), link.span.clone())).collect::<Vec<_>>());
    }
}

/// The URLs of all strings of a value, in the order of the file. Each is searched as a text: with its quotation marks, if
/// these may frame a URL.
fn by_string(value: &Value, finder: &Finder, urls: &mut Vec<(String, Form)>) {
    let mut add = |text: &str| {
        // Between quotation marks more may follow `mailto:`, and a host of one label may be a piece of a program.
        let is_other = text.starts_with("mailto:") && (!text.is_ascii() || text.contains([' ', '\t']))
            || text.replace("h.org", "").contains("://h.");
        let may_be_framed = finder.find(text).is_some_and(|found| found.start() == 0)
            && !is_other
            && !text.contains(['"', '\n', '\r']);
        let text = if may_be_framed { format!("\"{text}\"") } else { text.to_owned() };
        urls.extend(finder.find_iter(&text).map(|m| (m.to_string(), m.form())));
    };
    match value {
        Value::String(text) => add(text),
        Value::Array(values) => values.iter().for_each(|value| by_string(value, finder, urls)),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            by_string(&Value::String(name.clone()), finder, urls);
            by_string(value, finder, urls);
        }),
        _ => {}
    }
}

fn found(file: &[u8], finder: &Finder, step: usize) -> Vec<(String, Form)> {
    let options = ReadOptions { format: Some(Format::Json), ..ReadOptions::default() };
    let archive = Archive::new(Trickle(file, step)).unwrap().with_options(&options);
    finder.find_in_archive(archive).map(|m| m.unwrap()).map(|m| (m.to_string(), m.form())).collect()
}

#[test]
fn a_string_is_a_frame() {
    let file = br#"{"a": "https://h.org/a?", "b": "https://h.org/tv\u8d85", "c": "see https://h.org/c?", "d": "https://h.org/d.", "e": "https://h.org/e?\n"}"#;
    let urls: Vec<_> = found(file, &Finder::new(), 4096).into_iter().map(|(url, _)| url).collect();
    let expected =
        ["https://h.org/a?", "https://h.org/tv超", "https://h.org/c", "https://h.org/d", "https://h.org/e"];
    assert_eq!(urls, expected);
}

/// The same value with some characters escaped.
fn escaped(json: &str, every: usize) -> String {
    let (mut out, mut in_string, mut after_mark) = (String::new(), false, false);
    for (n, c) in json.chars().enumerate() {
        let is_free = in_string && !std::mem::take(&mut after_mark);
        if is_free && c == '\\' {
            after_mark = true;
        } else if c == '"' && (is_free || !in_string) {
            in_string = !in_string;
        } else if is_free && n % every == 0 {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| write!(out, "\\u{unit:04x}").unwrap());
            continue;
        } else if is_free && c == '/' {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn strings() -> impl Strategy<Value = String> {
    let words = vec![
        "http://h.org/a",
        "https://h.org/?b=c&d",
        "<URL:",
        "<",
        ">",
        "\"",
        "'",
        "\n",
        "\n> ",
        " ",
        "(",
        ")",
        "see ",
        ":",
        "//",
        "http",
        "h.org",
        "\u{fc}",
        "\u{1f600}",
        "a@h.org",
        ",",
        "-\n",
        "www.h.org/x",
        "mailto:",
        "\t",
        "# ",
        "hxxp://h[.]org/",
        "h.",
        "(dot)",
    ];
    prop::collection::vec(prop::sample::select(words), 0..6).prop_map(|words| words.concat())
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => strings().prop_map(Value::String),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => any::<i32>().prop_map(|n| (f64::from(n) / 8.0).into()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((strings(), inner), 0..4).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn strings_are_searched_one_by_one(
        values in prop::collection::vec(values(), 1..4), every in 2_usize..20, pretty: bool, step in 1_usize..200, likely: bool,
    ) {
        let join = if likely { Join::Likely } else { Join::Delimited };
        let (implied, refang) = (every % 2 == 0, every % 3 == 0);
        let builder = Finder::builder().join(join).refang(refang);
        let builder = if implied { builder.schemeless([Schemeless::Hosts, Schemeless::Emails]) } else { builder };
        let finder = builder.build().unwrap();
        let (mut file, mut expected) = (String::new(), Vec::new());
        for value in &values {
            let json = if pretty { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
            let json = escaped(&json.unwrap(), every);
            prop_assert_eq!(&serde_json::from_str::<Value>(&json).unwrap(), value);
            file.push_str(&json);
            file.push('\n');
            by_string(value, &finder, &mut expected);
        }
        prop_assert_eq!(found(file.as_bytes(), &finder, step), expected);
    }

    #[test]
    fn any_bytes(
        words in prop::collection::vec(
            prop::sample::select(vec![
                &b"\""[..], b"\\", b"\\u", b"\\ud83d", b"\\u0041", b"\n", b"{", b"}", b"[", b",", b":", b"http://h.org/a", b"\xff", b"1", b"null",
                b" ", b"\\/", b"nul", b"\r\n", b"<URL:http://h.org/", b">", b"x",
            ]),
            0..40,
        ),
        step in 1_usize..20,
    ) {
        let bytes = words.concat();
        let (whole, read) = (links(&bytes, Some(Format::Json), 4096), links(&bytes, Some(Format::Json), step));
        prop_assert_eq!(&whole, &read);
        for link in &whole {
            prop_assert!(link.span.end <= bytes.len() as u64 && link.span.start < link.span.end);
        }
    }
}
