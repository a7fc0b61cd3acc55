//! Which files are searched below a directory, and from a list.

use std::fs;

use tempfile::TempDir;

use super::{ends, folder, run, urlgrep, within};

/// A folder in which every file has one URL: its own path.
fn archive(names: &[&str]) -> TempDir {
    let texts: Vec<String> = names.iter().map(|name| format!("http://h.org/{name}")).collect();
    let files: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(name, text)| (*name, &**text)).collect();
    folder(&files)
}

/// Expects these files to be searched, and in this order; and the same of
/// `--files`.
#[track_caller]
fn searches(folder: &TempDir, args: &[&str], names: &[&str]) {
    let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
    let status = if names.is_empty() { 1 } else { 0 };
    for option in ["-l", "--files"] {
        let ran = run(within(folder, &[&[option], args].concat()), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(status), &*lines), "{args:?}");
        let is_hint = names.is_empty() && ran.stderr.starts_with("urlgrep: hint: no files were searched; ");
        assert!(ran.stderr.is_empty() || is_hint, "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn globs() {
    let files = archive(&["a.mbox", "a.txt", "d/b.mbox", "d/e/c.mbox", "d/e/c.txt"]);
    searches(&files, &["-g", "*.mbox", "."], &["./a.mbox", "./d/b.mbox", "./d/e/c.mbox"]);
    searches(&files, &["--glob=!*.mbox", "."], &["./a.txt", "./d/e/c.txt"]);
    searches(&files, &["-g", "*.mbox", "-g", "!c.*", "."], &["./a.mbox", "./d/b.mbox"]);
    searches(&files, &["-g", "!*.mbox", "-g", "c.mbox", "."], &["./d/e/c.mbox"]);
    searches(&files, &["-g", "d/*.mbox", "d"], &["d/b.mbox"]);
    searches(&files, &["-g", "!e", "d"], &["d/b.mbox"]);
    // What is named is meant.
    searches(&files, &["-g", "*.mbox", "a.txt", "d/e"], &["a.txt", "d/e/c.mbox"]);
    let ran = run(within(&files, &["-g", "*.eml", "."]), b"");
    assert!(ran.stderr.contains("no files were searched"), "{}", ran.stderr);
    assert_eq!((ran.status, &*ran.stdout), (Some(1), ""));
}

#[test]
fn types() {
    let files = archive(&["1", "a.MBOX", "b.html", "c.txt", "d/cur/9.M1.host:2,S", "d/x.c"]);
    searches(&files, &["-t", "mbox", "."], &["./a.MBOX"]);
    searches(&files, &["--type=mail", "--type=html", "."], &["./1", "./b.html", "./d/cur/9.M1.host:2,S"]);
    searches(&files, &["-T", "mail", "--type-not", "text", "."], &["./a.MBOX", "./b.html", "./d/x.c"]);
    searches(&files, &["-t", "mbox", "d/x.c", "d"], &["d/x.c"]);
    // A glob or a type selects hidden files.
    let files = archive(&[".a.mbox", ".b.txt", "c.mbox"]);
    searches(&files, &["."], &["./c.mbox"]);
    searches(&files, &["-t", "mbox", "."], &["./.a.mbox", "./c.mbox"]);
    searches(&files, &["-g", "*.txt", "."], &["./.b.txt"]);
}

#[test]
fn the_types_are_listed() {
    let ran = run(urlgrep(&["--type-list"]), b"");
    for name in ["mail", "mbox", "news", "html", "text", "zip", "compressed"] {
        assert!(ran.stdout.lines().any(|line| line.starts_with(&format!("{name}: "))), "{name}");
    }
    assert!(ran.stdout.contains("*.{eml,"), "{}", ran.stdout);
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
}

#[test]
fn ignore_files_count_if_they_are_asked_for() {
    let files = archive(&["a.txt", "b.log", "d/c.log", "d/e.txt"]);
    fs::write(files.path().join(".gitignore"), "*.log\n").unwrap();
    fs::write(files.path().join("d/.ignore"), "e.*\n").unwrap();
    searches(&files, &["."], &["./a.txt", "./b.log", "./d/c.log", "./d/e.txt"]);
    searches(&files, &["--ignore", "."], &["./a.txt"]);
    // That of a directory above counts too.
    searches(&files, &["--ignore", "d"], &[]);
}

/// What git keeps is no file of the work tree.
#[test]
fn ignore_leaves_out_what_git_keeps() {
    let files = archive(&[".git/config", ".github/a.yml", "d/.git", "d/b"]);
    let rest = ["./.github/a.yml", "./d/b"];
    searches(&files, &["--hidden", "--ignore", "."], &rest);
    searches(&files, &["--hidden", "."], &["./.git/config", rest[0], "./d/.git", rest[1]]);
    // What is named is meant.
    searches(&files, &["--hidden", "--ignore", ".git"], &[".git/config"]);
}

#[test]
fn max_depth() {
    let files = archive(&["a", "d/b", "d/e/c"]);
    searches(&files, &["--max-depth", "2", "."], &["./a", "./d/b"]);
    searches(&files, &["-d1", "."], &["./a"]);
    searches(&files, &["-d0", "."], &[]);
    searches(&files, &["-d0", "a"], &["a"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_on_request_and_loops_are_reported() {
    use std::os::unix::fs::symlink;

    let files = archive(&["d/a", "f"]);
    symlink("../f", files.path().join("d/link")).unwrap();
    searches(&files, &["d"], &["d/a"]);
    searches(&files, &["-L", "d"], &["d/a", "d/link"]);
    symlink(".", files.path().join("d/self")).unwrap();
    let ran = run(within(&files, &["--follow", "d"]), b"");
    assert_eq!(ran.stdout, "d/a:http://h.org/d/a\nd/link:http://h.org/f\n");
    assert_eq!(ran.stderr, "urlgrep: d/self: symbolic link not followed, because it leads back to d\n");
    assert_eq!(ran.status, Some(2));
}

/// With `--follow`, the order and the limit depend on the file and not on its link.
#[cfg(unix)]
#[test]
fn links_are_sorted_by_their_files() {
    use std::os::unix::fs::symlink;
    use std::time::{Duration, SystemTime};

    let files = archive(&["d/b", "d/cc", "old-and-long", "young"]);
    for (name, seconds, padding) in
        [("old-and-long", 1, 200), ("d/b", 2, 50), ("d/cc", 3, 100), ("young", 4, 0)]
    {
        let path = files.path().join(name);
        let text = fs::read_to_string(&path).unwrap() + &" ".repeat(padding);
        fs::write(&path, text).unwrap();
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    }
    // The links are new, and have the same length.
    symlink("../young", files.path().join("d/a")).unwrap();
    symlink("../old-and-long", files.path().join("d/d")).unwrap();
    searches(&files, &["--sort", "modified", "d"], &["d/b", "d/cc"]);
    searches(&files, &["-L", "--sort", "modified", "d"], &["d/d", "d/b", "d/cc", "d/a"]);
    searches(&files, &["-L", "--sort", "size", "d"], &["d/a", "d/b", "d/cc", "d/d"]);
    searches(&files, &["-L", "--max-filesize", "150", "d"], &["d/a", "d/b", "d/cc"]);
}

#[test]
fn a_list_of_files() {
    let files = archive(&["a", "b\nc", "d/e", "f"]);
    fs::write(files.path().join("lines"), "d\n\na\n").unwrap();
    fs::write(files.path().join("nuls"), "b\nc\0a\0").unwrap();
    searches(&files, &["--files-from", "lines"], &["d/e", "a"]);
    searches(&files, &["--files-from", "lines", "f"], &["f", "d/e", "a"]);
    searches(&files, &["--files-from", "nuls"], &["b\nc", "a"]);
    // The last NUL may be missing, and a path may be empty.
    for list in ["b\nc\0a", "\0b\nc\0\0a", "b\nc\0a\0\0"] {
        fs::write(files.path().join("nuls"), list).unwrap();
        searches(&files, &["--files-from", "nuls"], &["b\nc", "a"]);
    }
    fs::write(files.path().join("lines"), "d\n\na").unwrap();
    searches(&files, &["--files-from", "lines"], &["d/e", "a"]);
    ends(run(within(&files, &["--files-from", "-"]), b"a\n"), 0, "http://h.org/a\n");
    ends(run(within(&files, &["--files-from", "-"]), b""), 1, "");
}

#[cfg(unix)]
#[test]
fn a_list_that_is_not_there_is_an_error() {
    let files = archive(&["a"]);
    let ran = run(within(&files, &["--files-from", "list", "a"]), b"");
    assert_eq!(ran.stderr, "urlgrep: --files-from: list: No such file or directory (os error 2)\n");
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
    let ran = run(within(&files, &["--files-from", "-"]), b"b\na\n");
    assert_eq!(ran.stderr, "urlgrep: b: No such file or directory (os error 2)\n");
    assert_eq!((ran.status, &*ran.stdout), (Some(2), "a:http://h.org/a\n"));
}

#[test]
fn files_without_a_path_is_of_the_current_directory() {
    let files = archive(&["a", "d/b"]);
    ends(run(within(&files, &["--files"]), b""), 0, "a\nd/b\n");
}

#[test]
fn only_globs_and_types_are_accepted() {
    for (args, word) in [
        (["-g", "a[b"], "a[b"),
        (["-t", "novel"], "--type: unknown type \"novel\"; --type-list lists the types"),
        (["-T", "novel"], "novel"),
    ] {
        let ran = run(urlgrep(&args), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
    }
}

#[test]
fn folders_of_a_maildir() {
    let files = archive(&[
        "Mail/.Sent/cur/1:2,S",
        "Mail/.Sent/dovecot.index",
        "Mail/.Sent/new/2",
        "Mail/.Sent/tmp/3",
        "Mail/.attic/4",
        "Mail/.hidden",
        "Mail/cur/5:2,",
        "Mail/cur/.6",
        "Mail/new/7",
        "other/.Sent/cur/8",
        "other/.Sent/new/9",
    ]);
    let folders = [
        "./Mail/.Sent/cur/1:2,S",
        "./Mail/.Sent/dovecot.index",
        "./Mail/.Sent/new/2",
        "./Mail/.Sent/tmp/3",
        "./Mail/cur/5:2,",
        "./Mail/new/7",
    ];
    searches(&files, &["."], &folders);
    searches(
        &files,
        &["-g", "!tmp", "-g", "!dovecot*", "."],
        &[folders[0], folders[2], folders[4], folders[5]],
    );
    searches(&files, &["-g", ".hidden", "."], &["./Mail/.hidden"]);
    searches(&files, &["--type-add", "x:.hid*", "-t", "x", "."], &["./Mail/.hidden"]);
    searches(&files, &["other/.Sent"], &["other/.Sent/cur/8", "other/.Sent/new/9"]);
    // A link to a folder is a link.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(files.path().join("other/.Sent"), files.path().join("Mail/.Old")).unwrap();
        searches(&files, &["."], &folders);
    }
}
