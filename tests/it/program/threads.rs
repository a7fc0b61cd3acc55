//! Several files at a time: nobody can tell from the output.

use std::fmt::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{ends, folder, run, urlgrep, within};

/// Small files, empty files, and large ones.
fn archive() -> TempDir {
    let mut files = Vec::new();
    for n in 0..300 {
        let urls = match n % 50 {
            7 => 0,
            11 => 3_000,
            _ => n % 9,
        };
        let mut text = String::new();
        for m in 0..urls {
            writeln!(text, "in {n}: <URL:http://h{}.org/{m}-\n  x> or http://h.org/{}", n % 5, m % 7)
                .unwrap();
        }
        files.push((format!("d{}/f{n}", n % 4), text));
    }
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    folder(&files)
}

#[test]
fn the_output_is_the_same() {
    let files = archive();
    for args in [
        &["-n"][..],
        &["--json"],
        &["-u"],
        &["-uc"],
        &["-c"],
        &["-l"],
        &["-m2", "-b"],
        &["-um1"],
        &["--context=1", "-m3"],
        &["--csv", "--host=h1.org"],
        &["--hyphen=evidence", "--json"],
    ] {
        let with = |threads| {
            let args = [args, &[threads, ".", "missing", "d1/f1"]].concat();
            run(within(&files, &args), b"")
        };
        let alone = with("-j1");
        assert!(alone.stdout.len() > 300 && alone.status == Some(2));
        for threads in ["-j2", "--threads=9"] {
            // The output is long; that it differs tells enough.
            assert!(with(threads) == alone, "{threads} {args:?}");
        }
    }
}

#[test]
fn no_thread_is_too_few() {
    let ran = run(urlgrep(&["-j0"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("'0'"), "{}", ran.stderr);
}

#[test]
fn order() {
    let files = folder(&[("b", "http://h.org/b"), ("a", "http://h.org/a")]);
    ends(run(within(&files, &["-l", "--sort=path", "."]), b""), 0, "./a\n./b\n");
    let mut lines: Vec<_> = {
        let ran = run(within(&files, &["-l", "--sort=none", "."]), b"");
        ran.stdout.lines().map(str::to_owned).collect()
    };
    lines.sort();
    assert_eq!(lines, ["./a", "./b"]);
}

/// One of the inputs is a pipe that stays open and says nothing.
#[test]
fn nobody_waits_for_a_pipe_if_there_is_enough() {
    let files = folder(&[("a", "http://h.org/a")]);
    let mut child =
        within(&files, &["-q", "-j4", "a", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let stdin = child.stdin.take();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(0));
    drop(stdin);
}

/// 20 MB in which URLs stand around every place where it may be cut.
fn large_text(paragraph: &str) -> TempDir {
    let text = paragraph.repeat(20_000_000 / paragraph.len());
    folder(&[("large", &text), ("small", "http://h.org/small")])
}

#[test]
fn a_large_text_is_searched_in_pieces() {
    let filler = "and so on, and on and on, as texts do go on for the most of them\n".repeat(80);
    let paragraph = format!(
        "URL:\n\nhttp://h.org/prefixed <URL:http://h.org/a-\nb> <\n\nhttp://h.org/angle>\n\n\
         > <http://h.org/quoted/\n> on> http://h.org/end\r\n\r\nhttp://h.org/begin\n\n{filler}"
    );
    let files = large_text(&paragraph);
    for args in [
        &["-n", "large"][..],
        &["--json", "large", "small"],
        &["-c", "."],
        &["-uc", "."],
        &["-bm9000", "."],
        &["--hyphen=evidence", "-c", "--match=-b", "."],
    ] {
        let with = |threads| run(within(&files, &[&[threads], args].concat()), b"");
        let alone = with("-j1");
        assert!(alone.status == Some(0) && alone.stderr.is_empty());
        assert!(with("-j3") == alone, "{args:?}");
    }
    // prefixed, a-b, angle, quoted, end, begin.
    let ran = run(within(&files, &["-j2", "-c", "large"]), b"");
    assert_eq!(ran.stdout, format!("{}\n", 6 * (20_000_000 / paragraph.len())));
}

#[test]
fn a_text_without_empty_lines_stays_whole() {
    let files = large_text("some text and http://h.org/a and more of it\n");
    let lines = 20_000_000 / 44;
    ends(run(within(&files, &["-j2", "-c", "large"]), b""), 0, &format!("{lines}\n"));
    let last = run(within(&files, &["-j2", "-n", "-I", "."]), b"").stdout;
    assert!(last.ends_with(&format!("{lines}:http://h.org/a\n1:http://h.org/small\n")));
}
