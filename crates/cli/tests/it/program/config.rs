//! The configuration file.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use super::{ends, folder, run, within};

const TEXT: &[u8] = b"\nhttp://h.org/~me http://h.org/a\n";

/// A run in a folder whose file `config` is the one that counts.
fn configured(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = within(folder, args);
    command.env("URLGREP_CONFIG_PATH", "config");
    command
}

#[test]
fn the_arguments_of_the_file_come_first() {
    let files =
        folder(&[("config", "# places\n--line-number\n\n  --grade\n rfc1738\r\n--format={line} {url}\n")]);
    ends(run(configured(&files, &[]), TEXT), 0, "2 http://h.org/a\n");
    ends(run(configured(&files, &["--grade=lenient"]), TEXT), 0, "2 http://h.org/~me\n2 http://h.org/a\n");
    ends(run(configured(&files, &["--no-config"]), TEXT), 0, "http://h.org/~me\nhttp://h.org/a\n");
    // After "--", all arguments are paths.
    let ran = run(configured(&files, &["--", "--no-config"]), TEXT);
    assert!(ran.stderr.starts_with("urlgrep: --no-config: "), "{}", ran.stderr);
    fs::write(files.path().join("--no-config"), TEXT).unwrap();
    ends(run(configured(&files, &["--", "--no-config"]), b""), 0, "2 http://h.org/a\n");
}

#[test]
fn checking_has_nothing_to_do_with_it() {
    let files = folder(&[("config", "--line-number\n")]);
    let ran = run(configured(&files, &["--check", "http://h.org/"]), b"");
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
}

#[test]
fn options_without_the_file() {
    let files = folder(&[("config", "--line-numbers\n")]);
    for args in [
        &["--no-config"][..],
        &["--check", "http://h.org/"],
        &["--generate", "options"],
        &["--generate=options"],
    ] {
        let ran = run(configured(&files, args), TEXT);
        assert!(!ran.stderr.contains("--line-numbers"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn errors_in_the_file_are_reported() {
    let files = folder(&[("config", "--line-numbers\n")]);
    let ran = run(configured(&files, &[]), TEXT);
    let stderr = "urlgrep: config: unknown option --line-numbers; did you mean --line-number?\n";
    assert_eq!(ran.stderr, stderr);
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
    let files = folder(&[("config", "--no-line-number\n")]);
    let stderr = run(configured(&files, &[]), TEXT).stderr;
    let start = "urlgrep: config: unknown option --no-line-number; line numbers are printed only with -n";
    assert!(stderr.starts_with(start), "{stderr}");
    let mut command = within(&files, &[]);
    command.env("URLGREP_CONFIG_PATH", "missing");
    let ran = run(command, TEXT);
    assert!(ran.stderr.starts_with("urlgrep: URLGREP_CONFIG_PATH: missing: "), "{}", ran.stderr);
    assert_eq!(ran.status, Some(2));
    let mut command = within(&files, &[]);
    command.env("URLGREP_CONFIG_PATH", "");
    ends(run(command, b"http://h.org/"), 0, "http://h.org/\n");
}

/// The file is not read by a shell.
#[test]
fn two_arguments_on_one_line_are_an_error() {
    for line in ["--context 1", "-n --column", "--grade  rfc1738", "-t mbox", "-e word", "-ie word"] {
        let files = folder(&[("config", &format!("-n\n{line}\n"))]);
        let ran = run(configured(&files, &[]), TEXT);
        let stderr = format!("urlgrep: config: \"{line}\": write each argument on its own line\n");
        assert_eq!((ran.status, ran.stderr), (Some(2), stderr));
    }
    let files = folder(&[("config", "-eh org\n-ie=x y\n--exclude=a -b\n--format\n{url} !\n")]);
    ends(run(configured(&files, &[]), b"http://h.org/"), 1, "");
    let files = folder(&[("config", "--format={line} {url}\n--no-such\n")]);
    let ran = run(configured(&files, &[]), TEXT);
    assert_eq!(ran.stderr, "urlgrep: config: unknown option --no-such; --help lists the options\n");
}
