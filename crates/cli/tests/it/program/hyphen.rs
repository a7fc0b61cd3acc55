//! `--hyphen evidence`: the reading that also occurs unbroken.

use super::{ends, folder, prints, run, urlgrep, within};

const EVIDENCE: &str = "--hyphen=evidence";

/// The same URL, broken.
const BROKEN: &str = "<URL:http://h.org/foo-\nbar>\n";

/// Runs with one thread and with two, and expects this output of both.
#[track_caller]
fn both(files: &[(&str, &str)], args: &[&str], stdout: &str) {
    let files = folder(files);
    for threads in ["-j1", "-j2"] {
        let args = [&[EVIDENCE, threads], args].concat();
        ends(run(within(&files, &args), b""), 0, stdout);
    }
}

#[test]
fn before_and_after() {
    for text in
        ["http://h.org/foobar <URL:http://h.org/a-\nb>", "<URL:http://h.org/a-\nb> http://h.org/foobar"]
    {
        let with = format!("{text} {BROKEN}");
        both(
            &[("a", &with)],
            &["--match=foo", "--exclude=zzz", "a"],
            "http://h.org/foobar\nhttp://h.org/foobar\n",
        );
    }
    both(&[("a", &format!("{BROKEN}http://h.org/foo-bar"))], &["-u", "a"], "http://h.org/foo-bar\n");
}

#[test]
fn in_another_file() {
    let files = [("1", BROKEN), ("2", "see http://h.org/foobar\n"), ("3", BROKEN)];
    let all = "1:http://h.org/foobar\n2:http://h.org/foobar\n3:http://h.org/foobar\n";
    both(&files, &["1", "2", "3"], all);
    both(&files, &["-I", "1", "3"], "http://h.org/foo-bar\nhttp://h.org/foo-bar\n");
    both(&files, &["-uc", "."], "3:http://h.org/foobar\n");
    both(&files, &["-c", "--match=foobar", "1", "2"], "1:1\n2:1\ntotal:2\n");
    both(&files, &["-l", "--match=foobar", "."], "./1\n./2\n./3\n");
    both(&files, &["-q", "--match=foobar", "1", "2"], "");
    both(&files, &["-l", "1", "2"], "1\n2\n");
}

/// If both readings occur, or none does, the hyphen stays. Nor is a URL evidence
/// that was broken itself.
#[test]
fn what_decides_nothing() {
    for other in ["", "http://h.org/foobar http://h.org/foo-bar", "<URL:http://h.org/foo\nbar>", BROKEN] {
        let text = format!("{other}\n{BROKEN}");
        let files = folder(&[("a", &*text)]);
        let ran = run(within(&files, &[EVIDENCE, "a"]), b"");
        assert!(ran.stdout.ends_with("http://h.org/foo-bar\n"), "{text}");
        let ran = run(within(&files, &[EVIDENCE, "--json", "a"]), b"");
        assert!(ran.stdout.ends_with(",\"message\":null,\"hyphen\":\"rule\"}\n"), "{}", ran.stdout);
    }
}

#[test]
fn several_breaks() {
    let broken = "<URL:http://h.org/a-\nb-\nc>\n";
    let text = format!("http://h.org/ab-c\n{broken}");
    let find = "http://h.org/ab-c\n";
    // As many changes as any other, but the last break comes before the first.
    let others = "  or http://h.org/a-b-c\n  or http://h.org/a-bc\n  or http://h.org/abc\n";
    both(&[("a", &text)], &["--alternatives", "a"], &[find, find, others].concat());
    let text = format!("http://h.org/ab-c http://h.org/a-bc\n{broken}");
    both(&[("a", &text)], &["-n", "a"], "1:http://h.org/ab-c\n1:http://h.org/a-bc\n2:http://h.org/a-b-c\n");
}

/// Letter case of scheme and host does not count, nor does a fragment, unless both
/// are there.
#[test]
fn what_is_the_same_url() {
    both(&[("a", &format!("{BROKEN}HTTP://H.ORG/foobar"))], &["-m1", "a"], "http://h.org/foobar\n");
    for (broken, other, url) in [
        ("foo-\nbar#x", "foobar", "foobar#x"),
        ("foo-\nbar#x", "foobar#y", "foobar#x"),
        ("foo-\nbar", "foobar#y", "foobar"),
        ("a#foo-\nbar", "a", "a#foo-bar"),
        ("a#foo-\nbar", "a#foobar", "a#foobar"),
        ("foo-\nbar", "FOOBAR", "foo-bar"),
    ] {
        let text = format!("<URL:http://h.org/{broken}> http://h.org/{other}");
        both(&[("a", &text)], &["-m1", "a"], &format!("http://h.org/{url}\n"));
    }
}

/// The hyphen is the fifteenth byte of the text, and the first line feed follows.
#[test]
fn json_and_fields_say_so() {
    let files = [("a", "<URL:ftp://h/a-\nb> ftp://h/ab ftp://h/c")];
    let all = concat!(
        r#"{"path":"a","line":1,"column":1,"start":0,"end":18,"pieces":[[5,14],[16,17]],"#,
        r#""url":"ftp://h/ab","scheme":"ftp","host":"h","port":21,"#,
        r#""ascii":null,"form":"wrapper","text":null,"role":"text","element":null,"grade":"rfc1738","reason":null,"#,
        r#""join":"delimited","alternatives":["ftp://h/a-b"],"warnings":[],"message":null,"#,
        r#""hyphen":"evidence"}"#,
        "\n",
        r#"{"path":"a","line":2,"column":4,"start":19,"end":29,"pieces":[[19,29]],"#,
        r#""url":"ftp://h/ab","scheme":"ftp","host":"h","port":21,"#,
        r#""ascii":null,"form":"bare","text":null,"role":"text","element":null,"grade":"rfc1738","reason":null,"#,
        r#""join":null,"alternatives":[],"warnings":[],"message":null,"hyphen":null}"#,
        "\n",
    );
    both(&files, &["--json", "-m2", "a"], all);
    both(&files, &["--format={url} {hyphen}", "-m2", "a"], "ftp://h/ab evidence\nftp://h/ab \n");
    let files = folder(&files);
    let ran = run(within(&files, &[EVIDENCE, "--csv", "a"]), b"");
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert!(lines[0].ends_with(",message.offset,hyphen"), "{}", lines[0]);
    assert!(lines[1].ends_with(",,,,,,,,,,,,,,,,evidence"), "{}", lines[1]);
    let ran = run(within(&files, &["--json", "a"]), b"");
    assert!(!ran.stdout.contains("\"hyphen\""));
}

/// The grade, too, is that of the reading, and `--explain` says where it is from.
#[test]
fn explained() {
    let files = folder(&[("a", "<URL:http://h.org/foo-\nbar> http://h.org/foobar")]);
    let ran = run(within(&files, &[EVIDENCE, "--explain", "-m1", "a"]), b"");
    let because = "  : is the reading that also occurs unbroken in the input (--hyphen evidence)\n";
    assert!(ran.stdout.starts_with("http://h.org/foobar\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains(because), "{}", ran.stdout);
    let ran = run(within(&files, &["--explain", "a"]), b"");
    assert!(!ran.stdout.contains("occurs unbroken"), "{}", ran.stdout);
}

/// A pipe can be read only once.
#[cfg(unix)]
#[test]
fn a_pipe() {
    let text = format!("{BROKEN}http://h.org/foobar\n{BROKEN}");
    prints(&[EVIDENCE], text.as_bytes(), "http://h.org/foo-bar\nhttp://h.org/foobar\nhttp://h.org/foobar\n");
    prints(&[EVIDENCE, "/dev/stdin", "-I", "-m1"], text.as_bytes(), "http://h.org/foo-bar\n");
    let files = folder(&[("file", BROKEN), ("other", "http://h.org/foobar")]);
    for threads in ["-j1", "-j2"] {
        let after = run(within(&files, &[EVIDENCE, threads, "-", "file"]), b"http://h.org/foobar");
        ends(after, 0, "-:http://h.org/foobar\nfile:http://h.org/foobar\n");
        let before = run(within(&files, &[EVIDENCE, threads, "file", "-"]), b"http://h.org/foobar");
        ends(before, 0, "file:http://h.org/foo-bar\n-:http://h.org/foobar\n");
        // With a pipe among them, files are read once, too.
        let once = run(within(&files, &[EVIDENCE, threads, "-I", "file", "other", "-"]), b"");
        ends(once, 0, "http://h.org/foo-bar\nhttp://h.org/foobar\n");
    }
}

/// In base64, too; and the pieces are those of the lines that encode the URL.
#[test]
fn mail() {
    // The body is "see <URL:http://h.org/foo-\nbar>\n".
    let encoded = "From a@h.org Mon Jan  1 00:00:00 1996\nMIME-Version: 1.0\nContent-Type: text/plain\n\
        Content-Transfer-Encoding: base64\n\nc2VlIDxVUkw6aHR0cDovL2gub3JnL2Zvby0KYmFyPgo=\n\n";
    let plain = "From a@h.org Mon Jan  1 00:00:00 1996\nSubject: x\n\nat http://h.org/foobar\n\n";
    for mbox in [[encoded, plain].concat(), [plain, encoded].concat()] {
        both(&[("a", &mbox)], &["--scheme=http", "-u", "-I", "."], "http://h.org/foobar\n");
    }
    // A soft break leaves no doubt, and what it breaks counts as one piece.
    let soft = "From a@h.org Mon Jan  1 00:00:00 1996\nMIME-Version: 1.0\nContent-Type: text/plain\n\
        Content-Transfer-Encoding: quoted-printable\n\nat http://h.org/foo=\nbar\n\n";
    both(&[("a", &[soft, encoded].concat())], &["--scheme=http", "-u", "a"], "http://h.org/foobar\n");
}

#[test]
fn read_errors_are_reported_once() {
    let files = folder(&[("a", &format!("{BROKEN}http://h.org/foobar"))]);
    for threads in ["-j1", "-j2"] {
        let ran = run(within(&files, &[EVIDENCE, threads, "-I", "a", "missing"]), b"");
        assert_eq!(ran.stdout, "http://h.org/foobar\nhttp://h.org/foobar\n");
        assert_eq!(ran.stderr.matches("missing").count(), 1, "{}", ran.stderr);
        assert_eq!(ran.status, Some(2));
    }
}

/// What is read twice is counted once.
#[test]
fn numbers() {
    let files = folder(&[("a", BROKEN), ("b", "http://h.org/foobar")]);
    let ran = run(within(&files, &[EVIDENCE, "--stats", "-c", "a", "b"]), b"");
    assert!(ran.stderr.contains("files    2\n"), "{}", ran.stderr);
    let bytes = format!("bytes    {}\n", BROKEN.len() + "http://h.org/foobar".len());
    assert!(ran.stderr.contains(&bytes), "{}", ran.stderr);
}

#[test]
fn likely_joins() {
    let line = "and this goes on for as long as it takes to fill a line, http://h.org/foo-";
    let text = format!("{line}\nbar/baz.html is it.\n");
    let url = "http://h.org/foobar/baz.html";
    both(
        &[("a", &text), ("b", url)],
        &["--join=likely", "--alternatives", "-I", "a", "b"],
        &format!("{url}\n  or http://h.org/foo-bar/baz.html\n  or http://h.org/foo-\n{url}\n"),
    );
}

#[test]
fn help_says_it() {
    let ran = run(urlgrep(&["--help"]), b"");
    assert!(ran.stdout.contains("- evidence:"), "{}", ran.stdout);
}
