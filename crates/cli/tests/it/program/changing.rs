//! A file that changes while it is searched: the search ends, with an error if something was lost.
//!
//! The program waits for the reader of its output. So when the first line has been read, the file is open, and one
//! thread has not read all of it.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::{folder, urlgrep};

/// Five MB, which several threads search in pieces.
fn log() -> String {
    let mut log = String::new();
    let mut n = 0;
    while log.len() < 5_000_000 {
        writeln!(log, "10:11:12 GET http://h{}.org/some/path/{n}/and/more?of=it 200", n % 9).unwrap();
        if n % 100 == 0 {
            log.push('\n');
        }
        n += 1;
    }
    log
}

struct Searched {
    stdout: String,
    stderr: String,
    status: Option<i32>,
}

/// The output of a program, which is ended if it runs for a minute.
fn output(mut child: Child, stdout: impl FnOnce() -> String + Send + 'static) -> Searched {
    let mut stderr = child.stderr.take().unwrap();
    let (ended, has_ended) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        let in_time = has_ended.recv_timeout(Duration::from_secs(60)) != Err(RecvTimeoutError::Timeout);
        if !in_time {
            let _ = child.kill();
        }
        (in_time, child.wait().unwrap())
    });
    let stdout = thread::spawn(stdout);
    let mut errors = String::new();
    stderr.read_to_string(&mut errors).unwrap();
    let stdout = stdout.join().unwrap();
    drop(ended);
    let (in_time, status) = watch.join().unwrap();
    assert!(in_time, "the search does not end");
    Searched { stdout, stderr: errors, status: status.code() }
}

/// Searches a file of [`log`], which `change` changes after the first line of output.
fn search(files: &TempDir, threads: usize, by_name: bool, change: impl FnOnce(&Path)) -> Searched {
    let path = files.path().join("log");
    fs::write(&path, log()).unwrap();
    let mut command = urlgrep(&[&format!("-j{threads}")]);
    match by_name {
        true => command.arg(&path),
        false => command.arg("-").stdin(File::open(&path).unwrap()),
    };
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut stdout = String::new();
    reader.read_line(&mut stdout).unwrap();
    change(&path);
    output(child, move || {
        reader.read_to_string(&mut stdout).unwrap();
        stdout
    })
}

/// Searches with one, two and four threads, by name and by descriptor.
fn searches(change: impl Fn(&Path), check: impl Fn(usize, &Searched, &str)) {
    let files = folder(&[]);
    let whole = search(&files, 1, true, |_| {});
    assert_eq!((&*whole.stderr, whole.status), ("", Some(0)));
    for (threads, by_name) in [1, 2, 4].into_iter().flat_map(|n| [(n, true), (n, false)]) {
        let searched = search(&files, threads, by_name, &change);
        check(threads, &searched, &whole.stdout);
    }
}

fn open(path: &Path) -> File {
    OpenOptions::new().append(true).open(path).unwrap()
}

#[test]
fn a_file_that_becomes_shorter() {
    let len = log().len() as u64;
    for shorter in [0, len / 2, len - 1] {
        searches(
            |path| OpenOptions::new().write(true).open(path).unwrap().set_len(shorter).unwrap(),
            |threads, searched, whole| {
                let Searched { stdout, stderr, status } = searched;
                if *status == Some(0) {
                    // Several threads may have read all of it before.
                    assert!(threads > 1 && stdout == whole && stderr.is_empty(), "{threads}: {stderr}");
                    return;
                }
                assert_eq!(*status, Some(2));
                let (at, what) = stderr.trim_end().rsplit_once(": ").unwrap();
                assert!(at.contains(": at byte "), "{stderr}");
                assert_eq!(what, "the file became shorter while it was read; search a copy of it");
                assert_eq!(stderr.lines().count(), 1, "{stderr}");
                // A URL may have been cut.
                let lines = stdout.lines().count();
                let kept: usize = whole.lines().zip(stdout.lines()).take_while(|(a, b)| a == b).count();
                assert!(lines - kept <= 1 && lines > 0, "{lines} {kept}");
            },
        );
    }
}

#[test]
fn a_file_that_grows() {
    searches(
        |path| open(path).write_all(b"\nhttp://h.org/more\n").unwrap(),
        |_, searched, whole| {
            assert_eq!((&*searched.stderr, searched.status), ("", Some(0)));
            assert!(searched.stdout.starts_with(whole));
        },
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_is_deleted() {
    searches(
        |path| fs::remove_file(path).unwrap(),
        |_, searched, whole| {
            assert_eq!((&*searched.stderr, searched.status), ("", Some(0)));
            assert!(searched.stdout == whole);
        },
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced() {
    searches(
        |path| {
            let other = path.with_extension("new");
            fs::write(&other, "http://h.org/other\n\n".repeat(300_000)).unwrap();
            fs::rename(&other, path).unwrap();
        },
        |_, searched, whole| {
            assert_eq!((&*searched.stderr, searched.status), ("", Some(0)));
            assert!(searched.stdout == whole);
        },
    );
}
