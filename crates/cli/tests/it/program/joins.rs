//! `--join likely`: bare URLs that a line end cuts, and the rule that joins them.

use super::{ends, folder, prints, run, within};

const LIKELY: &str = "--join=likely";

/// The same URL, cut in a place where only evidence can tell.
const CUT: &str = "at http://h.org/a/\nb.html, they say\n";

/// Each rule is named, and the reading without the join is offered.
#[test]
fn explained() {
    let full = "a line of text that is exactly as long as the cut one before it, isn\u{27}t it";
    let url = "http://www.example.org/some/very/long/path/that/reaches/the/wrap/column/a";
    assert_eq!(full.len(), url.len());
    for (rule, text) in [
        ("S", "see it at http://www.example.org/a/very/long-\nname.html\n".to_owned()),
        ("D", "see it at http://www.example.org/a/name.\nhtml\n".to_owned()),
        ("W", format!("{full}\n\n{url}\ncd\n\n")),
        ("E", format!("{CUT}http://h.org/a/b.html\n")),
    ] {
        let files = folder(&[("a", &*text)]);
        let ran = run(within(&files, &[LIKELY, "--explain", "-m1", "a"]), b"");
        assert!(ran.stdout.contains(&format!("(--join likely, rule {rule})\n")), "{}", ran.stdout);
        let ran = run(within(&files, &[LIKELY, "--json", "-m1", "a"]), b"");
        assert!(ran.stdout.contains("\"join\":\"guess\""), "{}", ran.stdout);
        assert!(!ran.stdout.contains("\"alternatives\":[]"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("\"hyphen\""), "{}", ran.stdout);
    }
}

/// Evidence may come later, and from another file.
#[test]
fn in_files() {
    let files = folder(&[("1", CUT), ("2", "http://h.org/a/b.html\n")]);
    for threads in ["-j1", "-j2"] {
        let both = run(within(&files, &[LIKELY, threads, "-I", "1", "2"]), b"");
        ends(both, 0, "http://h.org/a/b.html\nhttp://h.org/a/b.html\n");
        let alone = run(within(&files, &[LIKELY, threads, "-I", "1"]), b"");
        ends(alone, 0, "http://h.org/a/\n");
    }
}

/// In a pipe only earlier text counts.
#[test]
fn in_a_pipe() {
    let text = format!("{CUT}http://h.org/a/b.html\n{CUT}");
    prints(&[LIKELY], text.as_bytes(), "http://h.org/a/\nhttp://h.org/a/b.html\nhttp://h.org/a/b.html\n");
}

/// A long header line does not show where the lines of the body were cut.
#[test]
fn a_header_line_is_longer() {
    let mail = "From: a@b.org\nMessage-ID: <1@b.org>\nReceived: by mail.example.org with a line that is longer than \
        those of the body, 1\nSubject: s\n\n\
        The mill has been turned into the wind since the first day of May, and s\n\
        see http://h.org/mills/of/the/north/and/the/south/drawings/andxxxxxxxxxx\nyz/1921\n\nBye\n";
    prints(
        &[LIKELY, "--links"],
        mail.as_bytes(),
        "http://h.org/mills/of/the/north/and/the/south/drawings/andxxxxxxxxxxyz/1921\n",
    );
}
