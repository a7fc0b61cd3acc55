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
