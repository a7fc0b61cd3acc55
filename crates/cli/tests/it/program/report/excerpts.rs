//! The text around each link.

use serde_json::{Value, json};

use super::super::{ends, folder, run, within};
use super::{entries, page};

/// The excerpts of the links of a text, and the texts of the links.
#[track_caller]
fn excerpts(text: &str, args: &[&str]) -> Vec<(Value, Value)> {
    let files = folder(&[("m", text)]);
    let ran = run(within(&files, &[&["--report=r.html", "m"], args].concat()), b"");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let links = entries(&page(&files)).into_iter().filter(Value::is_array);
    links.map(|link| (link[10].clone(), link[11].clone())).collect()
}

#[track_caller]
fn has(text: &str, expected: Value) {
    assert_eq!(excerpts(text, &[])[0].0, expected);
}

#[test]
fn an_excerpt_is_within_a_paragraph() {
    has("a\n\nb\nsee http://h.org/ there\nc\n\nd", json!(["b\nsee ", " there\nc"]));
    has("a\r\n \r\nhttp://h.org/\r\n \r\nb", Value::Null);
    has("one\ntwo\nthree\nfour\nhttp://h.org/ x\none\ntwo\nthree\nfour", json!(["three\nfour\n", " x\none"]));
}

#[test]
fn an_excerpt_is_cut_at_a_word() {
    let words = "word ".repeat(100);
    let cut = "word ".repeat(31);
    has(
        &format!("{words}http://h.org/ {words}"),
        json!([format!("\u{2026}{cut}"), format!(" {}\u{2026}", cut.trim_end())]),
    );
    // One long word is cut, but no character is: 160 bytes are 80 of these. The wrapper is part of the match.
    let word = "\u{fc}".repeat(300);
    has(
        &format!("{word} <URL:http://h.org/>{word}"),
        json!([format!("\u{2026}{} ", "\u{fc}".repeat(79)), format!("{}\u{2026}", "\u{fc}".repeat(80))]),
    );
}

#[test]
fn what_is_not_seen_is_left_out() {
    has("\ta\u{202e}b\u{200b}\x07\x1b[1m \u{fc} http://h.org/", json!(["ab[1m \u{fc} ", ""]));
}

/// What `--context` prints does not depend on the report.
#[test]
fn the_context_that_is_printed_stays() {
    let text = "one\ntwo\nsee http://h.org/ x\nthree\nfour\n\n";
    let files = folder(&[("m", text)]);
    for args in [&["-C0"][..], &["-C1"], &["-B2"], &["-A5"], &["--explain"], &["--json"], &["--json", "-C1"]]
    {
        let alone = run(within(&files, &[args, &["m"]].concat()), b"");
        ends(run(within(&files, &[args, &["--report=r.html", "m"]].concat()), b""), 0, &alone.stdout);
        assert_eq!(entries(&page(&files))[2][10], json!(["one\ntwo\nsee ", " x\nthree"]), "{args:?}");
    }
}

#[test]
fn the_text_of_a_link() {
    let mail = "From: a@h.org\nSubject: x\nDate: Mon, 3 Jan 1994 10:00:00 +0000\nContent-Type: text/html\n\n\
        <p>Read <a href=\"http://h.org/a\">the paper</a> now.</p>\n";
    assert_eq!(excerpts(mail, &[]), [(json!(["Read the paper now."]), json!("the paper"))]);
}

/// Of a calendar there is the property, and of a page that is sent as plain text its words.
#[test]
fn what_is_no_word_is_left_out() {
    let mail = |kind: &str, body: &str| {
        let head = "From: a@h.org\nSubject: x\nDate: Mon, 3 Jan 1994 10:00:00 +0000\nContent-Type: text/";
        format!("{head}{kind}\n\n{body}")
    };
    let event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDESCRIPTION:Room 3\\, or\n  http://h.org/ by\n  phone\nEND:VEVENT\nEND:VCALENDAR\n";
    for text in [event, &mail("calendar", event)] {
        assert_eq!(excerpts(text, &[])[0].0, json!(["Room 3, or ", " by phone"]));
    }
    let page = "<p>Say &quot;hi&quot; <a href=\"http://h.org/\">to us</a>.<br>\n";
    assert_eq!(excerpts(&mail("plain", page), &[])[0].0, json!(["Say \"hi\" ", "to us."]));
    // A reference shows nothing that could not be written.
    assert_eq!(excerpts("<p id=x>a&#27;&#8238;b http://h.org/", &[])[0].0, json!(["ab ", ""]));
}

/// What a page shows is text already, and so is what someone writes about tags.
#[test]
fn tags_that_are_words_stay() {
    let mail = |kind: &str, body: &str| {
        let head = "From: a@h.org\nSubject: x\nDate: Mon, 3 Jan 1994 10:00:00 +0000\nContent-Type: text/";
        excerpts(&format!("{head}{kind}\n\n{body}\n"), &[])
    };
    let shown =
        "<p>the tag &lt;blink&gt; and then &lt;b&gt; see http://h.org/1 for &lt;i&gt; help &amp;amp; more";
    let expected = json!(["the tag <blink> and then <b> see ", " for <i> help &amp; more"]);
    assert_eq!(mail("html", shown)[0].0, expected);
    let page = format!("<!DOCTYPE html><html><body>{shown}</body></html>\n");
    assert_eq!(excerpts(&page, &[])[0].0, expected);
    let link = "<p><a href='http://h.org/2'>&lt;img src=x onerror=alert(1)&gt;</a> there";
    assert_eq!(mail("html", link)[0].0, json!(["<img src=x onerror=alert(1)> there"]));
    let plain = "use <b> and </p> and &amp; near http://h.org/1 or <i> ok";
    let expected = json!(["use <b> and </p> and &amp; near ", " or <i> ok"]);
    assert_eq!(mail("plain", plain)[0].0, expected);
    assert_eq!(excerpts(plain, &[])[0].0, expected);
}

/// Of a header there is the field.
#[test]
fn a_field_is_alone() {
    let mail = "From: a@h.org\nSubject: x\nDate: Mon, 3 Jan 1994 10:00:00 +0000\n\
        List-Archive: the letters\n at <http://h.org/a>\nX-Mailer: m\n\nNo more.\n";
    assert_eq!(excerpts(mail, &["--role=header"])[0].0, json!(["List-Archive: the letters\n at ", ""]));
}

/// A password is hidden in the text around, too, wherever the excerpt is cut.
#[test]
fn no_password_is_in_an_excerpt() {
    let long = "s3cr3t".repeat(60);
    for text in [
        "ftp://me:s3cr3t@h.org/ http://h.org/".to_owned(),
        format!("ftp://me:{long}@h.org/ http://h.org/"),
        format!("http://h.org/ ftp://me:{long}@h.org/"),
        "ftp://me:s3c|r3t@h.org/".to_owned(),
    ] {
        for (excerpt, _) in excerpts(&text, &["--redact"]) {
            assert!(!excerpt.to_string().contains("r3t"), "{text}: {excerpt}");
        }
    }
}
