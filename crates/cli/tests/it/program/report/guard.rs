//! The files that `--report` never replaces: those that are not earlier reports, and
//! inputs, by any name.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::super::{Ran, ends, folder, run, urlgrep, within};
use super::names;

const TEXT: &str = "http://h.org/a\n";

/// Expects a refusal that mentions `words`, before anything is printed, and that
/// the folder is as it was.
#[track_caller]
fn refuses(dir: &Path, args: &[&str], words: &[&str]) {
    refuses_command(dir, within(dir, args), words);
}

#[track_caller]
fn refuses_command(dir: &Path, command: std::process::Command, words: &[&str]) {
    let before = contents(dir);
    let ran = run(command, TEXT.as_bytes());
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{}", ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "{word:?} is missing: {}", ran.stderr);
    }
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert_eq!(contents(dir), before);
}

/// The files in a folder, and what is in each.
fn contents(dir: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let read = |name: String| {
        let path = dir.join(&name);
        let text = path.is_file().then(|| fs::read(path).unwrap());
        (name, text)
    };
    names(dir).into_iter().map(read).collect()
}

/// A folder with the file `a` and a report on it, `r.html`.
fn reported() -> tempfile::TempDir {
    let files = folder(&[("a", TEXT), ("d/b", TEXT)]);
    ends(run(within(&files, &["--report=r.html", "a"]), b""), 0, TEXT);
    files
}

#[test]
fn a_file_that_is_no_report_stays() {
    let files =
        folder(&[("a.mbox", TEXT), ("b.mbox", TEXT), ("empty", ""), ("page.html", "<!DOCTYPE html>\n")]);
    // FILE was forgotten.
    let advice = "it is not a urlgrep report; use another name, such as --report=links.html";
    refuses(files.path(), &["--report", "a.mbox", "b.mbox"], &["urlgrep: a.mbox: ", advice]);
    refuses(files.path(), &["--report", "a.mbox"], &[advice]);
    refuses(files.path(), &["b.mbox", "--report", "./a.mbox"], &["urlgrep: ./a.mbox: "]);
    refuses(files.path(), &["--report", "a.mbox", "-m0", "b.mbox"], &[advice]);
    refuses(files.path(), &["--report", "empty", "a.mbox"], &["urlgrep: empty: "]);
    refuses(files.path(), &["--report", "page.html", "a.mbox"], &["urlgrep: page.html: "]);
}

#[test]
fn an_input_stays_by_any_name() {
    let files = folder(&[("a", TEXT), ("d/b", TEXT)]);
    let absolute = files.path().join("a").display().to_string();
    for (report, path) in
        [("a", "a"), ("./a", "a"), ("a", "./a"), ("d/../a", "a"), (&absolute, "a"), ("a", &absolute)]
    {
        refuses(files.path(), &["--report", report, path], &[]);
    }
    // A file below a directory that is searched.
    refuses(files.path(), &["--report=d/b", "d"], &[]);
    refuses(files.path(), &["--report=d/b", "."], &[]);
}

/// An earlier report can be an input, too.
#[test]
fn a_report_that_is_searched_stays() {
    let files = reported();
    let absolute = files.path().join("r.html").display().to_string();
    for (report, path) in [
        ("r.html", "r.html"),
        ("./r.html", "r.html"),
        ("r.html", "d/../r.html"),
        (&absolute, "r.html"),
        ("r.html", &absolute),
    ] {
        refuses(files.path(), &["--report", report, "a", path], &["is also an input", "--report=links.html"]);
    }
    fs::write(files.path().join("list"), "a\nr.html\n").unwrap();
    refuses(files.path(), &["--report=r.html", "--files-from=list"], &["is also an input"]);
}

#[cfg(unix)]
#[test]
fn links_to_an_input_are_known() {
    use std::os::unix::fs::symlink;

    let files = reported();
    let at = |name: &str| files.path().join(name);
    fs::hard_link(at("r.html"), at("hard.html")).unwrap();
    symlink("r.html", at("soft.html")).unwrap();
    for (report, path) in
        [("r.html", "hard.html"), ("hard.html", "r.html"), ("r.html", "soft.html"), ("soft.html", "r.html")]
    {
        refuses(files.path(), &["--report", report, path], &["is also an input"]);
    }
    fs::hard_link(at("a"), at("hard")).unwrap();
    symlink("a", at("soft")).unwrap();
    for report in ["hard", "soft"] {
        refuses(files.path(), &["--report", report, "a"], &["not a urlgrep report"]);
    }
}

#[cfg(unix)]
#[test]
fn what_is_redirected_is_known() {
    let files = reported();
    let open = || fs::File::options().read(true).append(true).open(files.path().join("r.html")).unwrap();
    let before = contents(files.path());
    let fails = |args: &[&str], stdin: Stdio, stdout: Stdio, word: &str| {
        let output = within(&files, args).stdin(stdin).stdout(stdout).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(word), "{stderr}");
        assert_eq!(contents(files.path()), before);
    };
    fails(&["--report=r.html"], open().into(), Stdio::null(), "is also an input");
    fails(&["--report=r.html", "-"], open().into(), Stdio::null(), "is also an input");
    fails(&["--report=r.html", "a"], Stdio::null(), open().into(), "is also standard output");
    if cfg!(target_os = "linux") {
        fails(&["--report=r.html", "/dev/stdin"], open().into(), Stdio::null(), "is also an input");
        fails(&["--report=/dev/stdin"], open().into(), Stdio::null(), "is also an input");
        fails(&["--report=/dev/stdout", "a"], Stdio::null(), open().into(), "is also standard output");
        fails(&["--report=/dev/fd/0", "r.html"], open().into(), Stdio::null(), "is also an input");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_stays() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let files = folder(&[("a", TEXT), ("d/b", "")]);
    refuses(files.path(), &["--report=d", "a"], &["urlgrep: d: ", "directory", "--report=d/links.html"]);
    refuses(files.path(), &["--report=d/", "a"], &["directory"]);
    refuses(files.path(), &["--report=/dev/null", "a"], &["urlgrep: /dev/null: ", "regular file"]);
    let fifo = files.path().join("fifo");
    mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    refuses(files.path(), &["--report=fifo", "a"], &["regular file"]);
}

/// A user who can write a directory could direct the report anywhere.
#[cfg(unix)]
#[test]
fn links_of_others_are_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let files = reported();
    let at = |name: &str| files.path().join(name);
    fs::create_dir(at("shared")).unwrap();
    symlink(at("r.html"), at("shared/ours.html")).unwrap();
    symlink(at("new.html"), at("shared/new.html")).unwrap();
    symlink(at("d"), at("shared/d")).unwrap();
    symlink("shared/ours.html", at("indirect.html")).unwrap();
    let paths = ["shared/ours.html", "shared/new.html", "shared/d/new.html", "indirect.html"];
    for mode in [0o777, 0o1777, 0o770] {
        fs::set_permissions(at("shared"), fs::Permissions::from_mode(mode)).unwrap();
        for path in paths {
            let words = ["symbolic link", "other users can write", "--report="];
            refuses(files.path(), &["--report", path, "a"], &words);
        }
        assert_eq!(names(&at("d")), ["b"]);
    }
    // A file in such a directory is accepted.
    ends(run(within(&files, &["--report=shared/plain.html", "a"]), b""), 0, TEXT);
    // Links in a directory that other users cannot write are followed.
    fs::set_permissions(at("shared"), fs::Permissions::from_mode(0o755)).unwrap();
    for path in paths {
        ends(run(within(&files, &["--report", path, "a"]), b""), 0, TEXT);
        assert!(at("new.html").exists() || path == paths[0]);
    }
    assert!(at("d/new.html").is_file() && at("shared/new.html").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_circle_of_links_is_named() {
    use std::os::unix::fs::symlink;

    let files = folder(&[("a", TEXT)]);
    symlink("two", files.path().join("one")).unwrap();
    symlink("one", files.path().join("two")).unwrap();
    refuses(files.path(), &["--report=one", "a"], &["urlgrep: one: ", "symbolic links"]);
}

#[test]
fn an_earlier_report_is_replaced() {
    let files = reported();
    for args in
        [&["--report=r.html", "d"][..], &["--report=./r.html", "d/b"], &["--report=r.html", "-I", "."]]
    {
        let ran = run(within(&files, args), b"");
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{args:?}");
    }
    let page = fs::read_to_string(files.path().join("r.html")).unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>\n")
            && page.lines().take(5).any(|line| line.contains("content=\"urlgrep "))
    );
    assert_eq!(names(files.path()), ["a", "d", "r.html"]);
}

/// Below a directory the report is not searched, by any name.
#[cfg(unix)]
#[test]
fn it_is_left_out_by_any_name() {
    use std::os::unix::fs::symlink;

    let files = reported();
    let page = fs::read(files.path().join("r.html")).unwrap();
    fs::write(files.path().join("r.html"), [&page[..], b"<!-- http://h.org/other -->"].concat()).unwrap();
    fs::hard_link(files.path().join("r.html"), files.path().join("d/hard.html")).unwrap();
    symlink("../r.html", files.path().join("d/soft.html")).unwrap();
    let ran = run(within(&files, &["--report=r.html", "-I", "--follow", "."]), b"");
    ends(ran, 0, &TEXT.repeat(2));
}

/// Runs the program, calls `meanwhile` while it reads standard input, and returns its
/// output.
#[cfg(unix)]
fn interfered(dir: &Path, meanwhile: impl FnOnce()) -> Ran {
    use std::io::{BufRead, BufReader, Read, Write};

    let mut command = within(dir, &["--report=r.html", "--line-buffered"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"<URL:http://h.org/a>\nmore\n").unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    stdout.read_line(&mut text).unwrap();
    meanwhile();
    drop(stdin);
    stdout.read_to_string(&mut text).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran { status: output.status.code(), stdout: text, stderr: String::from_utf8(output.stderr).unwrap() }
}

/// A file that is created during the search is not replaced.
#[cfg(unix)]
#[test]
fn what_appears_meanwhile_stays() {
    let files = folder(&[]);
    let path = files.path().join("r.html");
    let ran = interfered(files.path(), || fs::write(&path, "new").unwrap());
    assert_eq!((ran.status, &*ran.stdout), (Some(2), TEXT));
    assert!(
        ran.stderr.contains("urlgrep: r.html: ") && ran.stderr.contains("during the search"),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(files.path()), ["r.html"]);
}

#[cfg(unix)]
#[test]
fn what_changes_meanwhile_stays() {
    let files = reported();
    let path = files.path().join("r.html");
    let ran = interfered(files.path(), || {
        fs::remove_file(&path).unwrap();
        fs::write(&path, "new").unwrap();
    });
    assert_eq!((ran.status, &*ran.stdout), (Some(2), TEXT));
    assert!(ran.stderr.contains("during the search"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(files.path()), ["a", "d", "r.html"]);
    assert_eq!(run(urlgrep(&["--report", ""]), b"").status, Some(2));
}
