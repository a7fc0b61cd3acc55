//! `--context` and `--explain`.

use super::{ends, folder, prints, run, urlgrep, within};

const TEXT: &[u8] =
    b"Dear all,\r\nsee <URL:http://h.org/foo-\r\nbar> for it,\r\nor http://h.org/c.\r\n\r\nBye\r\n";

#[test]
fn context_is_the_lines_of_a_match() {
    prints(
        &["-n", "-C0"],
        TEXT,
        "2:http://h.org/foo-bar\n  | see <URL:http://h.org/foo-\n  | bar> for it,\n\
         4:http://h.org/c\n  | or http://h.org/c.\n",
    );
    prints(
        &["--context=1", "--alternatives", "-m1"],
        TEXT,
        "http://h.org/foo-bar\n  or http://h.org/foobar\n  | Dear all,\n  | see <URL:http://h.org/foo-\n  \
         | bar> for it,\n  | or http://h.org/c.\n",
    );
    prints(
        &["--context=5", "--match=c$"],
        b"a\nhttp://h.org/c",
        "http://h.org/c\n  | a\n  | http://h.org/c\n",
    );
    prints(&["--context=5", "-c"], TEXT, "2\n");
}

#[test]
fn context_may_end_with_the_file() {
    let files = folder(&[("a", "http://h.org/a"), ("b", "http://h.org/b\nend\n")]);
    let shown = "a:http://h.org/a\n  | http://h.org/a\nb:http://h.org/b\n  | http://h.org/b\n  | end\n";
    ends(run(within(&files, &["--context=9", "a", "b"]), b""), 0, shown);
}

#[test]
fn context_may_start_before_an_empty_line() {
    // The empty line after the header is missing.
    let mail = b"From: a@h.org\nTo: b\nDear all,\n\nhttp://h.org/a\n";
    let shown = "http://h.org/a\n  | Dear all,\n  | \n  | http://h.org/a\n";
    prints(&["--context=2"], mail, shown);
}

#[test]
fn context_for_programs() {
    let ran = run(urlgrep(&["--json", "-C0", "-m1"]), b"see <URL:http://h.org/a\n\xff>\n");
    let context = r#""message":null,"context":["see <URL:http://h.org/a",{"bytes":"/z4="}]}"#;
    assert!(ran.stdout.ends_with(&format!("{context}\n")), "{}", ran.stdout);
}

/// A span in an attribute does not count from the string of JSON that the attribute is in.
#[test]
fn context_of_an_attribute_in_json() {
    let links = r#"{"Links":[{"path":"A@/href","url":"/y","text":"t"}]}"#;
    let head = "WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: http://h.org/\r\nContent-Type: application/json\r\n";
    let wat = format!("{head}Content-Length: {}\r\n\r\n{links}\r\n\r\n", links.len());
    for args in [&["--context=0", "--links"][..], &["--explain"], &["--json", "-C1"]] {
        let ran = run(urlgrep(args), wat.as_bytes());
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
        assert!(ran.stdout.contains("http://h.org/y"), "{}", ran.stdout);
    }
}

/// The context would show the passwords.
#[test]
fn context_and_redact_exclude_each_other() {
    let ran = run(urlgrep(&["-C0", "--redact"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--redact"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn context_in_colour() {
    let ran = run(urlgrep(&["--color=always", "-C0", "-m1"]), b"\x1b <URL:http://h.org/\n a>\n");
    let url = |text: &str| format!("\u{1b}[1m\u{1b}[36m{text}\u{1b}[0m");
    let shown =
        format!("{}\n  | \\x1B <URL:{}\n  |  {}>\n", url("http://h.org/a"), url("http://h.org/"), url("a"));
    ends(ran, 0, &shown);
}

#[test]
fn explain() {
    prints(
        &["--explain"],
        TEXT,
        "http://h.org/foo-bar\n  \
         : is in a wrapper, <URL:…>: the URL is all of its content (RFC 1738, Appendix)\n  \
         : is joined from 2 pieces: whitespace between delimiters \"should be ignored\" \
         (RFC 1738, Appendix)\n  \
         : has 1 other possible reading (--alternatives)\n  \
         : conforms to RFC 1738\n\
         http://h.org/c\n  \
         : starts at the scheme http, without delimiters\n  \
         : ends before \".\", which belongs to the sentence and is followed by a line break\n  \
         : conforms to RFC 1738\n",
    );
    let ran = run(urlgrep(&["--explain"]), b"<URL:http://h.org/a b>");
    assert!(ran.stdout.contains("  : is joined from 2 pieces: whitespace"), "{}", ran.stdout);
    let ran = run(
        urlgrep(&["--explain", "--input", "text"]),
        b"{\"u\": \"http:\\/\\/h.org\\/a\"}, http://h.org/?a&amp;b, URL:http:\\/\\/h.org",
    );
    let notation = "pieces: the text escapes some characters, such as \\/ or &amp;\n";
    for pieces in ["4 ", "2 ", "3 "] {
        assert!(ran.stdout.contains(&format!("  : is joined from {pieces}{notation}")), "{}", ran.stdout);
    }
    let flowed = "Message-ID: <1@h.org>\nFrom: a@h.org\nContent-Type: text/plain; format=flowed; delsp=yes\n\nhttp://h.org/ \na/ \nb c\n";
    let ran = run(urlgrep(&["--explain"]), flowed.as_bytes());
    let sentence = "  : is joined from 3 pieces: the mail format joins them\n";
    assert!(ran.stdout.contains(sentence), "{}", ran.stdout);
    let ran = run(urlgrep(&["--explain"]), b"(http://h.org/~me)");
    for sentence in [
        "  : ends before \")\", an unmatched closing bracket\n",
        "  : has the grade rfc3986: \"~\" is not allowed at offset 13",
        "hsegment",
    ] {
        assert!(ran.stdout.contains(sentence), "{}", ran.stdout);
    }
}

/// In the words of the help of --warnings, with the name that it takes.
#[test]
fn explain_says_the_warnings() {
    prints(
        &["--explain"],
        b"ftp://me:secret@127.0.0.1/\n",
        "ftp://me:secret@127.0.0.1/\n  \
         : starts at the scheme ftp, without delimiters\n  \
         : ends before a line break\n  \
         : conforms to RFC 1738\n  \
         : has a password (--warnings=password)\n  \
         : has an IP address as its host (--warnings=ip)\n",
    );
}

/// The context is decoded text.
#[test]
fn context_in_mail_is_decoded() {
    let mail = b"From: a@h.org\nSubject: =?utf-8?q?gr=C3=BC=C3=9Fe?=\nMIME-Version: 1.0\n\
        Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
        gr=C3=BC=C3=9Fe\nsee http://h.org/?a=3Db, and so o=\nn\nend\n";
    let shown = "http://h.org/?a=b\n  | gr\u{fc}\u{df}e\n  | see http://h.org/?a=b, and so on\n  | end\n";
    prints(&["--context=1", "--scheme=http"], mail, shown);
    let page = b"<!DOCTYPE html><p>look <a href=\"http://h.org/\">here</a></p>";
    let ran = run(urlgrep(&["-C0", "--explain"]), page);
    assert!(
        ran.stdout.starts_with("http://h.org/\n  : is the value of an HTML attribute\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("  | look here\n"), "{}", ran.stdout);
}

/// The attribute is longer than the text of the element.
#[test]
fn in_an_attribute_that_is_more_than_a_url() {
    let page = b"<!DOCTYPE html><p>one</p><p>two <a href='go to the site http://h.org/a. Or'>three</a></p>";
    let ran = run(urlgrep(&["-C0", "--explain", "--color=always"]), page);
    let explanation = concat!(
        "  : is in an HTML attribute\n",
        "  : starts at the scheme http, without delimiters\n",
        "  : ends before \".\", which belongs to the sentence and is followed by a space\n",
        "  : conforms to RFC 1738\n",
        "  | two three\n",
    );
    assert!(ran.stdout.ends_with(explanation), "{}", ran.stdout);
    let ran = run(urlgrep(&["--explain"]), b"<!DOCTYPE html><a href='see http://h.org/a'>b</a>");
    assert!(ran.stdout.contains("  : ends before the end of the attribute\n"), "{}", ran.stdout);
}

/// The lines are those of the element, however long the attribute is.
#[test]
fn context_of_an_attribute() {
    let page = b"<!DOCTYPE html><p>one</p><p>two <a href='go to the site http://h.org/a. Or'>three</a></p>";
    prints(&["-C0"], page, "http://h.org/a\n  | two three\n");
}
