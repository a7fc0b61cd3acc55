//! JSON Lines: every key, in order.

use super::{folder, prints, run, urlgrep, within};

#[test]
fn a_match_over_two_lines() {
    let find = concat!(
        r#"{"path":"-","line":2,"column":2,"start":4,"end":31,"pieces":[[9,24],[27,30]],"#,
        r#""url":"HTTP://h.org/x-y#f","scheme":"http","host":"h.org","port":80,"#,
        r#""ascii":null,"form":"wrapper","text":null,"role":"text","element":null,"grade":"rfc1738","#,
        r#""reason":null,"join":"delimited","alternatives":["HTTP://h.org/xy#f"],"#,
        r#""warnings":[],"message":null}"#,
        "\n",
    );
    prints(&["--json"], b"ab\n <URL:HTTP://h.org/x-\n  y#f>", find);
}

#[test]
fn a_match_with_a_reason_and_a_warning() {
    let find = concat!(
        r#"{"path":"-","line":1,"column":1,"start":0,"end":21,"pieces":[[0,21]],"#,
        r#""url":"http://u:p@h.org/~me/","scheme":"http","host":"h.org","port":80,"#,
        r#""ascii":null,"form":"bare","text":null,"role":"text","element":null,"grade":"rfc3986","#,
        r#""reason":{"production":"hostport","offset":10,"message":"\"@\" is not allowed"#,
        r#" at offset 10: this scheme allows no user name and no password"#,
        r#" (hostport, RFC 1738 section 5)"},"join":null,"alternatives":[],"#,
        r#""warnings":["password"],"message":null}"#,
        "\n",
    );
    prints(&["--json"], b"http://u:p@h.org/~me/", find);
}

#[test]
fn options_that_choose_what_is_found_count_and_prefixes_do_not() {
    let find = concat!(
        r#"{"path":"a","line":1,"column":3,"start":2,"end":16,"pieces":[[2,16]],"#,
        r#""url":"http://h.org/a","scheme":"http","host":"h.org","port":80,"#,
        r#""ascii":null,"form":"bare","text":null,"role":"text","element":null,"grade":"rfc1738","#,
        r#""reason":null,"join":null,"alternatives":[],"warnings":[],"message":null}"#,
        "\n",
    );
    let files = folder(&[("a", "x http://h.org/a ftp://h.org/b http://h.org/a")]);
    for args in
        [&["--json", "-m1", "a"][..], &["--json", "-u", "--scheme=http", "-n", "-b", "-I", "--column", "a"]]
    {
        super::ends(run(within(&files, args), b""), 0, find);
    }
}

/// What is remembered of a URL is not what is true of one of its matches.
#[test]
fn a_url_that_is_cut_once() {
    let text = b"http://h.org/a http://h.org/a... http://h.org/a\n";
    let ran = run(urlgrep(&["--json"]), text);
    let warnings = ran.stdout.lines().map(|line| line.contains(r#""warnings":["truncated"]"#));
    assert_eq!(warnings.collect::<Vec<_>>(), [false, true, false]);
}

/// A match that is serialized has the values that the program prints.
#[test]
fn the_values_of_serde() {
    let finder = urlgrep::Finder::builder().line_numbers(true).build().unwrap();
    for file in ["forms.txt", "comments.txt", "latin1.txt", "wide.txt"] {
        let text = std::fs::read(format!("../../corpora/text/{file}")).unwrap();
        let library: Vec<_> = finder.find_iter(&text).map(|m| serde_json::to_value(m).unwrap()).collect();
        assert_eq!(library, printed(&text, "--input=text"), "{file}");
    }
    let mail = b"From: Ann <a@h.org>\nContent-Type: text/html\n\n<p><a href=\"//h.org/?a&amp;b\">www.i.org</a> http://h.org/c\n";
    let library: Vec<_> = finder.find_in_mail(mail).map(|m| serde_json::to_value(m).unwrap()).collect();
    assert_eq!(library, printed(mail, "--input=mail"));
}

/// What the program prints of a text, without the path, which a match does not know.
fn printed(text: &[u8], input: &str) -> Vec<serde_json::Value> {
    let printed = run(super::urlgrep(&["--json", input]), text).stdout;
    let objects = printed.lines().map(|line| serde_json::from_str(line).unwrap());
    let alone = |mut object: serde_json::Value| {
        object.as_object_mut().unwrap().shift_remove("path").unwrap();
        object
    };
    let objects: Vec<_> = objects.map(alone).collect();
    assert!(!objects.is_empty());
    objects
}

/// On a terminal and in a pipe.
#[cfg(target_os = "linux")]
#[test]
fn what_is_not_utf_8_is_an_object() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let files = folder(&[]);
    let path = files.path().join(OsStr::from_bytes(b"\xff.txt"));
    std::fs::write(path, b"<URL:http://h.org/\xe9>").unwrap();
    let ran = run(within(&files, &["--json", "."]), b"");
    let path = r#"{"path":{"bytes":"Li//LnR4dA=="},"line":1,"#;
    assert!(ran.stdout.starts_with(path), "{}", ran.stdout);
    let url = r#","url":{"bytes":"aHR0cDovL2gub3JnL+k="},"scheme":"http","host":"h.org","port":80,"ascii":"http://h.org/%E9","#;
    assert!(ran.stdout.contains(url), "{}", ran.stdout);
    assert_eq!(ran.status, Some(0));
}

/// The values of `docs/output.md` that are an object then; a text that was decoded, and a name, have U+FFFD.
#[test]
fn values_that_are_not_utf_8() {
    let text: &[u8] = b"\xff <http://h\x81.org/a-\n\xe9?\xe8>";
    let mail: &[u8] =
        b"From: a\xe9\nSubject: b\nContent-Type: text/html; charset=utf-8\n\n<a href=http://h.org/b>c\xe9</a>\n";
    let page: &[u8] = b"<a href=//h.org/\xe9>b\xe9</a>";
    for (columns, text, expected) in [
        ("url", text, r#"{"url":{"bytes":"aHR0cDovL2iBLm9yZy9hLek/6A=="}}"#),
        ("alternatives", text, r#"{"alternatives":[{"bytes":"aHR0cDovL2iBLm9yZy9h6T/o"}]}"#),
        ("href", text, r#"{"href":{"bytes":"aHR0cDovL2iBLm9yZy9hLek/6A=="}}"#),
        ("url_path,query", text, r#"{"url_path":{"bytes":"L2Et6Q=="},"query":{"bytes":"6A=="}}"#),
        ("host", text, "{\"host\":\"h\u{fffd}.org\"}"),
        ("ascii", text, r#"{"ascii":"http://h%81.org/a-%E9?%E8"}"#),
        ("message.from,text", mail, "{\"message\":{\"from\":\"a\u{fffd}\"},\"text\":\"c\u{e9}\"}"),
        // Without a charset, or with a wrong one, a body is windows-1252.
        ("url,text", page, "{\"url\":\"https://h.org/\u{e9}\",\"text\":\"b\u{e9}\"}"),
    ] {
        prints(&["--json", "--columns", columns], text, &format!("{expected}\n"));
    }
    let context = "{\"form\":\"angle\",\"context\":[{\"bytes\":\"/yA8aHR0cDovL2iBLm9yZy9hLQ==\"},{\"bytes\":\"6T/oPg==\"}]}\n";
    prints(&["--json", "--columns=form", "-C0"], text, context);
    prints(&["--json", "-uc"], text, "{\"url\":{\"bytes\":\"aHR0cDovL2iBLm9yZy9hLek/6A==\"},\"count\":1}\n");
}

/// Nor do control characters of names reach a terminal.
#[cfg(target_os = "linux")]
#[test]
fn control_characters_are_escaped() {
    let files = folder(&[("a\u{1b}\u{7f}\u{9b}", "http://h.org/a")]);
    let ran = run(within(&files, &["--json", "."]), b"");
    let path = r#"{"path":"./a\u001b\u007f\u009b","line":1,"#;
    assert!(ran.stdout.starts_with(path), "{}", ran.stdout);
}
