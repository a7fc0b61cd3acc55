//! `--explain --at`: why no URL is at a place.

use super::{Ran, folder, run, urlgrep, within};

const TEXT: &str = "see www.h.org, foo:bar and http://h$x/ or http://h.org/a).\nplay at http:/h.org, joe@h.org\n\
    hxxp://h[.]org/ http://h.org/~me\n";

/// The reason, of a file with these bytes, that is printed after the name of the file and the place.
#[track_caller]
fn reason(file: &str, place: &str, args: &[&str]) -> String {
    let files = folder(&[("file", file)]);
    let Ran { status, stdout, stderr } =
        run(within(&files, &[&["--explain", "--at", place], args, &["file"]].concat()), b"");
    assert_eq!((status, &*stdout), (Some(1), ""), "{stderr}");
    let reason = stderr.strip_prefix(&format!("urlgrep: file:{place}: no URL: "));
    reason.unwrap_or_else(|| panic!("{stderr}")).trim_end().to_owned()
}

#[test]
fn in_a_text() {
    for (place, args, expected) in [
        ("1:5", &[][..], "www.h.org matches only with --schemeless=hosts"),
        ("4", &[], "www.h.org matches only with --schemeless=hosts"),
        (
            "1:16",
            &[],
            "\"foo:\" is not a known scheme, and \"//\" does not follow; to find it, use --scheme-add foo",
        ),
        ("1:4", &[], "a space or a delimiter is at this position"),
        ("1:1", &[], "\"see\" has no scheme: a URL starts with a name and a colon"),
        ("1:36", &[], "the host after \"http://\" is not valid: \"$\" is not allowed at byte 35"),
        (
            "1:57",
            &[],
            "the URL http://h.org/a ends before this position, at \")\", an unmatched closing bracket",
        ),
        ("2:10", &[], "\"http:\" must be followed by \"//\" and a host"),
        ("2:24", &[], "joe@h.org matches only with --schemeless=emails"),
        ("3:3", &[], "http://h.org/ matches only with --refang"),
        ("3:20", &["--scheme=ftp"], "--scheme=ftp rejects http://h.org/~me"),
        ("3:20", &["--grade=rfc1738"], "--grade=rfc1738 rejects http://h.org/~me"),
        (
            "3:20",
            &["--host=x.org"],
            "the URL http://h.org/~me at bytes 106..122 covers this position, and is not selected (--host)",
        ),
        (
            "3:20",
            &["-e", "ftp"],
            "the URL http://h.org/~me at bytes 106..122 covers this position, and is not selected (--match or --strings-file)",
        ),
        ("3:20", &["--since=2004"], "the options select messages, but the file contains no messages"),
        ("3:40", &[], "line 3 has no column 40"),
        ("4000", &[], "the file ends before byte 4000"),
    ] {
        assert_eq!(reason(TEXT, place, args), expected, "{place} {args:?}");
    }
    let long = "http://h.org/0123456789";
    assert_eq!(reason(long, "1:3", &["--max-len=16"]), format!("--max-len=16 rejects {long}"));
}

/// The place is one of the file, and the reason is about the decoded text.
#[test]
fn in_mail() {
    let mail = "From: a@h.org\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Transfer-Encoding: base64\n\nc2VlIHd3dy5oLm9yZwo=\n\
        --b\nContent-Type: text/html\n\n<p class=x>see <q cite=\"foo:bar\">www.h.org</q></p>\n--b--\n";
    let unread = "this position is not searched: it is a relative link, markup, encoded data, a skipped header field or part, or \
        between messages";
    for (place, args, expected) in [
        ("2:10", &[][..], "\"x\" has no scheme: a URL starts with a name and a colon"),
        ("2:1", &[], "\"Subject:\" must be followed by text, not by a space"),
        ("2:10", &["--no-headers"], unread),
        ("5:1", &[], unread),
        // "see www.h.org" in base64.
        ("8:10", &[], "www.h.org matches only with --schemeless=hosts"),
        ("12:5", &[], unread),
        (
            "12:27",
            &[],
            "\"foo:\" is not a known scheme, and \"//\" does not follow; to find it, use --scheme-add foo",
        ),
        ("12:36", &[], "www.h.org matches only with --schemeless=hosts"),
        ("12:36", &["--since=2004"], "the options do not select the message at this position"),
        (
            "1:7",
            &["--schemeless=emails", "--links"],
            "the URL a@h.org at bytes 6..13 covers this position, and is not selected (--role or --links)",
        ),
        ("99:1", &[], "line 99 has no column 1"),
    ] {
        assert_eq!(reason(mail, place, args), expected, "{place} {args:?}");
    }
}

/// The second line of a URL begins in a column before the first.
#[test]
fn a_column_of_a_broken_url() {
    let text = "see <http://h.org/a/\n  b/c>\n";
    for (place, found) in
        [("1:5", "http://h.org/a/b/c\n"), ("1:2", ""), ("2:3", "http://h.org/a/b/c\n"), ("2:8", "")]
    {
        assert_eq!(run(urlgrep(&["--at", place]), text.as_bytes()).stdout, found, "{place}");
    }
}

/// A column is one of the file, not of the decoded text.
#[test]
fn a_column_in_encoded_text() {
    let page = "<p>x <a title=t href=\"http://h.org/a?b&amp;c=dddd\">d</a> http://h.org/?a&amp;b=1&amp;c=2\n";
    let (link, text) = ("http://h.org/a?b&c=dddd\n", "http://h.org/?a&b=1&c=2\n");
    let mail = format!("From: a@h.org\nSubject: x\nContent-Type: text/html\n\n{page}");
    for (place, found) in
        [("1:23", link), ("1:49", link), ("1:50", ""), ("1:58", text), ("1:88", text), ("1:89", "")]
    {
        assert_eq!(run(urlgrep(&["--input=html", "--at", place]), page.as_bytes()).stdout, found, "{place}");
        let in_mail = place.replacen('1', "5", 1);
        assert_eq!(run(urlgrep(&["--at", &in_mail]), mail.as_bytes()).stdout, found, "{in_mail}");
    }
}

/// Of a URL only what `--explain` says of it is printed, and without `--explain` nothing is said.
#[test]
fn no_reason_is_printed() {
    let ran = run(urlgrep(&["--explain", "--at=1:50"]), TEXT.as_bytes());
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
    assert!(ran.stdout.starts_with("http://h.org/a\n  : starts at the scheme http"), "{}", ran.stdout);
    for args in [&["--at=1:5"][..], &["--at=1:5", "--explain", "-q"], &["--at=1:5", "--explain", "--redact"]]
    {
        super::ends(run(urlgrep(args), TEXT.as_bytes()), 1, "");
    }
}

/// A place far in a text is found, too, whose bytes are not all kept.
#[test]
fn far_in_a_text() {
    let lines = 700_000;
    let text = "ten bytes\n".repeat(lines) + TEXT;
    let expected = "the host after \"http://\" is not valid: \"$\" is not allowed at byte 7000035";
    assert_eq!(reason(&text, &format!("{}:36", lines + 1), &[]), expected);
    assert_eq!(reason(&text, "7000030", &[]), expected);
}
