//! What is printed for a match.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use super::{ends, folder, prints, run, status_of, urlgrep, within};

const TEXT: &[u8] = b"one http://h.org/a, two\n<URL:ftp://h.org/b> http://h.org/c\n";

#[test]
fn line_number() {
    let stdout = "1:http://h.org/a\n2:ftp://h.org/b\n2:http://h.org/c\n";
    prints(&["-n"], TEXT, stdout);
    prints(&["--line-number"], TEXT, stdout);
}

#[test]
fn column_comes_with_the_line() {
    let stdout = "1:5:http://h.org/a\n2:1:ftp://h.org/b\n2:21:http://h.org/c\n";
    prints(&["--column"], TEXT, stdout);
    prints(&["-n", "--column"], TEXT, stdout);
}

#[test]
fn byte_offset_is_that_of_the_bracket() {
    let stdout = "4:http://h.org/a\n24:ftp://h.org/b\n44:http://h.org/c\n";
    prints(&["-b"], TEXT, stdout);
    prints(&["--byte-offset"], TEXT, stdout);
}

#[test]
fn fields_have_an_order() {
    let stdout = "-:1:5:4:http://h.org/a\n-:2:1:24:ftp://h.org/b\n-:2:21:44:http://h.org/c\n";
    prints(&["-b", "--column", "-n", "-H"], TEXT, stdout);
}

#[test]
fn names_are_printed_if_there_may_be_several_files() {
    let files = folder(&[("a", "http://h.org/a"), ("d/b", "http://h.org/b")]);
    for (args, stdout) in [
        (&["a"][..], "http://h.org/a\n"),
        (&["-H", "a"], "a:http://h.org/a\n"),
        (&["--with-filename", "a"], "a:http://h.org/a\n"),
        (&["d"], "d/b:http://h.org/b\n"),
        (&["-I", "d"], "http://h.org/b\n"),
        (&["--no-filename", "a", "d"], "http://h.org/a\nhttp://h.org/b\n"),
        (&["-I", "-H", "a"], "a:http://h.org/a\n"),
        (&["-H", "-I", "a", "d"], "http://h.org/a\nhttp://h.org/b\n"),
        (&["a", "-", "d"], "a:http://h.org/a\n-:http://h.org/-\nd/b:http://h.org/b\n"),
    ] {
        ends(run(within(&files, args), b"http://h.org/-"), 0, stdout);
    }
}

#[test]
fn count() {
    prints(&["-c"], TEXT, "3\n");
    prints(&["-c", "-m2"], TEXT, "2\n");
    prints(&["-c", "--json"], TEXT, "{\"path\":\"-\",\"count\":3}\n");
    let files = folder(&[("a", "http://h.org/a"), ("b", "")]);
    ends(run(within(&files, &["-c", "a", "b"]), b""), 0, "a:1\nb:0\ntotal:1\n");
    ends(run(within(&files, &["--count", "-I", "a", "b"]), b""), 0, "1\n0\n");
    ends(run(within(&files, &["--count", "b"]), b""), 1, "0\n");
}

#[test]
fn files_with_matches() {
    prints(&["-l"], TEXT, "-\n");
    prints(&["-l"], b"nothing", "");
    let files = folder(&[("a", "http://h.org/a http://h.org/a"), ("b", ""), ("c", "http://h.org/c")]);
    ends(run(within(&files, &["-l", "a", "b", "c"]), b""), 0, "a\nc\n");
    let args = ["--files-with-matches", "-I", "-c", "."];
    ends(run(within(&files, &args), b""), 0, "./a\n./c\n");
}

#[test]
fn quiet() {
    ends(run(urlgrep(&["-q"]), TEXT), 0, "");
    ends(run(urlgrep(&["--quiet", "-c", "--json"]), TEXT), 0, "");
    ends(run(urlgrep(&["-q"]), b"nothing"), 1, "");
}

/// `urlgrep … | head -1`.
#[test]
fn a_closed_pipe_is_no_error() {
    for args in [&[][..], &["--json"]] {
        let mut child = urlgrep(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let feeder = std::thread::spawn(move || {
            let text = b"http://h.org/a/b/c\n".repeat(100_000);
            stdin.write_all(&text).is_err()
        });
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert!(line.contains("http://h.org/a/b/c"), "{line}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
        assert!(feeder.join().unwrap(), "everything was read after the pipe was closed");
    }
}

/// The pipe stays open and nothing more comes.
#[test]
fn enough_is_enough() {
    for args in [&["-q"][..], &["-l"], &["-m1"]] {
        let mut child = urlgrep(args).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let text = [&b"<URL:http://h.org/>"[..], &b" and more".repeat(100)].concat();
        stdin.write_all(&text).unwrap();
        assert_eq!(status_of(&mut child), Some(0), "{args:?}");
    }
}

#[test]
fn help_is_short_or_long() {
    let short = run(urlgrep(&["-h"]), b"");
    let long = run(urlgrep(&["--help"]), b"");
    assert_eq!((short.status, long.status), (Some(0), Some(0)));
    assert!(short.stdout.contains("--match <REGEX>"));
    assert!(!short.stdout.contains("only URLs between delimiters are rejoined"));
    assert!(long.stdout.contains("only URLs between delimiters are rejoined"));
    assert!(long.stdout.contains("Exit status: 0 if"));
    assert!(!long.stdout.contains("\u{1b}"));
}

#[test]
fn version() {
    let stdout = format!("urlgrep {}\n", env!("CARGO_PKG_VERSION"));
    ends(run(urlgrep(&["-V"]), b""), 0, &stdout);
    ends(run(urlgrep(&["--version"]), b""), 0, &stdout);
}
