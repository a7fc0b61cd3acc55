//! `--invalid`: text that looks like a URL and is not one.

use super::{folder, run, urlgrep, within};

/// A document, a page, a message whose lines are encoded, and a file without such text.
const FILES: [(&str, &str); 4] = [
    ("a.md", "See http://h.org/ and\n<http://h.org/100%>, [b](http://h.org/a b).\n"),
    ("b.html", "<html>\n<a href=\"http:/h.org/?a&amp;b\">x</a> <img src=\"/a//b\">\n"),
    (
        "c.eml",
        "From: a@h.org\nSubject: x\nContent-Transfer-Encoding: quoted-printable\n\nat http://h.org:8o8=\n0/ now\n",
    ),
    ("d.txt", "http://h.org/, http://HOST:PORT/ and http://...\n"),
];

const LINES: &str = "a.md:2:1: http://h.org/100%: escape \"%\", expected %25, or % and two hexadecimal digits
a.md:2:26: http://h.org/a b: space \" \", expected %20
b.html:2:10: http:/h.org/?a&b: separator \":/\", expected ://
c.eml:5:4: http://h.org:8o80/: port \"8o80\", expected a number up to 65535
";

#[test]
fn lines_are_as_of_a_compiler() {
    let folder = folder(&FILES);
    let args = ["--invalid", "a.md", "b.html", "c.eml", "d.txt"];
    for more in [&[][..], &["--threads=3"], &["--no-filename", "-n"], &["--join=likely", "--hyphen=evidence"]]
    {
        let ran = run(within(&folder, &[&args, more].concat()), b"");
        assert_eq!((&*ran.stdout, &*ran.stderr, ran.status), (LINES, "", Some(0)), "{more:?}");
    }
    let ran = run(urlgrep(&["--invalid"]), b"at htp://h.org/\x1b");
    assert_eq!(ran.stdout, "-:1:4: htp://h.org/: scheme \"htp\", expected http\n");
}

/// Expected texts contain quotation marks and commas.
#[test]
fn every_output_quotes_the_expected_text() {
    let text = b"<http://h.org/100%>, x <http://h.org/\n\ny\n";
    let ran = run(urlgrep(&["--invalid", "--json", "--columns=invalid.expected"]), text);
    assert_eq!(
        ran.stdout,
        "{\"invalid\":{\"expected\":\"%25, or % and two hexadecimal digits\"}}\n{\"invalid\":{\"expected\":\"\\\">\\\" after the URL\"}}\n"
    );
    let ran = run(urlgrep(&["--invalid", "--csv", "--columns=line,invalid.expected"]), text);
    assert_eq!(
        ran.stdout,
        "line,invalid.expected\n1,\"%25, or % and two hexadecimal digits\"\n1,\"\"\">\"\" after the URL\"\n"
    );
}

#[test]
fn the_status_is_as_in_grep() {
    let folder = folder(&FILES);
    for (args, status) in [
        (&["--invalid", "a.md"][..], 0),
        (&["--invalid", "-q", "a.md", "none"], 0),
        (&["--invalid", "d.txt"], 1),
        (&["--invalid", "a.md", "none"], 2),
        (&["--invalid", "--menu", "a.md"], 2),
        (&["--invalid", "--explain", "a.md"], 2),
        (&["--invalid", "-C0", "a.md"], 2),
        (&["--invalid", "-C0", "--json", "a.md"], 0),
    ] {
        assert_eq!(run(within(&folder, args), b"").status, Some(status), "{args:?}");
    }
}

#[test]
fn other_formats_have_the_part() {
    let folder = folder(&FILES);
    for (args, expected) in [
        (
            &["--columns=column,invalid.kind,invalid.part,url", "--json", "c.eml"][..],
            "{\"column\":4,\"invalid\":{\"kind\":\"port\",\"part\":\"8o80\"},\"url\":\"http://h.org:8o80/\"}\n",
        ),
        (&["--format={line} {invalid.part}", "b.html"], "2 :/\n"),
        (&["-c", "a.md"], "2\n"),
        (&["-l", "a.md", "d.txt"], "a.md\n"),
        (
            &["--group=invalid.kind", "--csv", "a.md"],
            "count,messages,first,last,invalid.kind,path,line\n1,0,,,escape,a.md,2\n1,0,,,space,a.md,2\n",
        ),
    ] {
        let ran = run(within(&folder, &[&["--invalid"], args].concat()), b"");
        assert_eq!(ran.stdout, expected, "{args:?}");
    }
    let ran = run(within(&folder, &["--invalid", "--json", "b.html"]), b"");
    let invalid = ",\"invalid\":{\"kind\":\"separator\",\"part\":\":/\",\"expected\":\"://\"}}\n";
    assert!(ran.stdout.ends_with(invalid), "{}", ran.stdout);
    let ran = run(within(&folder, &["-m1", "--json", "--columns=url,invalid.kind", "d.txt"]), b"");
    assert_eq!(ran.stdout, "{\"url\":\"http://h.org/\",\"invalid\":null}\n");
}
