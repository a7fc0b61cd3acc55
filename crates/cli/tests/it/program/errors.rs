//! Errors and their messages.

use super::{folder, run, urlgrep, within};

/// Exit status, standard output and standard error.
#[track_caller]
fn fails(ran: super::Ran, status: i32, stdout: &str, stderr: &str) {
    assert_eq!(ran.stderr, stderr);
    assert_eq!(ran.stdout, stdout);
    assert_eq!(ran.status, Some(status));
}

#[cfg(unix)]
const MISSING: &str = "urlgrep: missing.txt: No such file or directory (os error 2)\n";

#[cfg(unix)]
#[test]
fn a_missing_file_does_not_keep_the_others_from_being_searched() {
    let files = folder(&[("a", "http://h.org/a"), ("b", "http://h.org/b"), ("c", "")]);
    let both = "a:http://h.org/a\nb:http://h.org/b\n";
    let ran = run(within(&files, &["a", "missing.txt", "b"]), b"");
    fails(ran, 2, both, MISSING);
    let ran = run(within(&files, &["-c", "missing.txt", "c"]), b"");
    fails(ran, 2, "c:0\n", MISSING);
    fails(run(within(&files, &["missing.txt"]), b""), 2, "", MISSING);
}

#[cfg(unix)]
#[test]
fn quiet_forgives_once_something_is_found() {
    let files = folder(&[("a", "http://h.org/a"), ("c", "")]);
    fails(run(within(&files, &["-q", "missing.txt", "a"]), b""), 0, "", MISSING);
    fails(run(within(&files, &["-q", "a", "missing.txt"]), b""), 0, "", "");
    fails(run(within(&files, &["-q", "missing.txt", "c"]), b""), 2, "", MISSING);
}

#[cfg(unix)]
#[test]
fn a_link_to_itself_is_named() {
    let files = folder(&[]);
    std::os::unix::fs::symlink("loop", files.path().join("loop")).unwrap();
    let ran = run(within(&files, &["loop"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.starts_with("urlgrep: loop: "), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read_is_named() {
    use std::fs::{Permissions, read_dir, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let files = folder(&[("d/a", "http://h.org/a"), ("d/closed/b", ""), ("d/z", "http://h.org/z")]);
    let closed = files.path().join("d/closed");
    set_permissions(&closed, Permissions::from_mode(0o0)).unwrap();
    let is_open = read_dir(&closed).is_ok();
    let ran = run(within(&files, &["d"]), b"");
    set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
    // Nothing is closed to the superuser.
    if !is_open {
        let both = "d/a:http://h.org/a\nd/z:http://h.org/z\n";
        let error = "urlgrep: d/closed: Permission denied (os error 13)\n";
        fails(ran, 2, both, error);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn control_bytes_of_names_do_not_reach_standard_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let name = OsStr::from_bytes(b"a\x1b[31m\n\xff\xc2\x9b\xc3\xbc");
    let reason = "No such file or directory (os error 2)";
    let stderr = format!("urlgrep: a\\x1B[31m\\x0A\\xFF\\xC2\\x9B\u{fc}: {reason}\n");
    fails(run(urlgrep(&[name]), b""), 2, "", &stderr);
}

/// A connection that is reset is an input that fails in the middle.
#[cfg(target_os = "linux")]
#[test]
fn what_comes_before_a_read_error_is_found() {
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::OwnedFd;

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut theirs, _) = listener.accept().unwrap();
    // A connection with unread data is reset when it is closed.
    theirs.write_all(b"?").unwrap();
    ours.peek(&mut [0]).unwrap();
    ours.write_all(b"<URL:http://h.org/a> http://h.org/b").unwrap();
    drop(ours);
    let mut command = urlgrep(&["-b"]);
    let output = command.stdin(OwnedFd::from(theirs)).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "urlgrep: -: at byte 35: Connection reset by peer (os error 104)\n"
    );
    assert_eq!(output.stdout, b"0:http://h.org/a\n21:http://h.org/b\n");
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn an_input_that_cannot_be_read_at_all() {
    let files = folder(&[]);
    let mut command = urlgrep(&["-"]);
    let output = command.stdin(std::fs::File::open(files.path()).unwrap()).output();
    let output = output.unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "urlgrep: -: Is a directory (os error 21)\n");
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written() {
    let files = folder(&[("a", "http://h.org/a")]);
    for args in [&["a"][..], &["--check", "http://h.org/"], &["--help"], &["-h"], &["--version"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = within(&files, args).stdout(full).output().unwrap();
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "urlgrep: standard output: No space left on device (os error 28)\n"
        );
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn usage() {
    for (args, word) in [
        (&["--no-such-option"][..], "--no-such-option"),
        (&["--grade", "strict"], "rfc1738"),
        (&["--input", "fax"], "text"),
        (&["-m", "few"], "few"),
        (&["-j0"], "a number of at least 1"),
        (&["-j", "two"], "a number of at least 1"),
        (&["--max-len", "3"], "at least 16"),
        (&["--scheme", "http,"], "found \"\""),
        (&["--scheme", "http, "], "found \"\""),
        (&["--scheme", "ht tp"], "found \"ht tp\""),
        (&["--check", "-c"], "--count"),
    ] {
        let ran = run(urlgrep(args), b"");
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.starts_with("urlgrep: ") && ran.stderr.contains(word), "{}", ran.stderr);
    }
}

/// The error for an option of grep, or for one that went, says what to type.
#[test]
fn options_of_grep() {
    for (option, advice) in [
        ("-v", "--exclude REGEX"),
        ("-E", "use -e REGEX"),
        ("-P", "use -e REGEX"),
        ("-a", "use --input text"),
        ("-rw", "use -e '\\bWORD\\b'"),
        ("-x", "use -e '^URL$'"),
        ("-S", "use -i"),
        ("-z", "compressed files and archives are always searched"),
        ("--trim", "no option is needed"),
        ("--open", "use --menu"),
        ("--replace=x", "use --format TEMPLATE"),
        ("--include=*.txt", "--glob GLOB"),
        ("--schema=ftp", "--scheme LIST"),
        ("--host-list=hosts", "--host @FILE"),
        ("--iglob=*.pdf", "--glob '*.[jJ][pP][gG]'"),
        ("--pre-glob=*.pdf", "--pre '*.pdf pdftotext {} -'"),
        ("--base=http://h.org/", "<base href=\"URL\"> before the page"),
        ("-N", "only with -n"),
        ("--no-line-number", "--no-config"),
        ("--no-links", "without --links"),
        ("--no-ignore", "unless --ignore is used"),
        ("--binary-files=text", "use --input text"),
        ("--label=x", "use --format 'NAME:{url}'"),
        ("--browser=w3m", "use --menu --open-with CMD"),
        ("--after-date=2001", "use --since DATE"),
        ("--before=2001", "use --until DATE"),
        ("--month=2001-03", "use --since 2001-03 --until 2001-03"),
        ("--subject=x", "use --where message.subject=REGEX"),
        ("--to=x", "use --where message.to,message.cc=REGEX"),
        ("--list=x", "use --where message.list_id,message.newsgroups=REGEX"),
        ("--header=X-Spam", "use --where header.NAME=REGEX"),
    ] {
        let ran = run(urlgrep(&[option, "a"]), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{option}");
        assert!(ran.stderr.starts_with("urlgrep: unknown option -"), "{}", ran.stderr);
        assert!(ran.stderr.split_once("; ").unwrap().1.contains(advice), "{option}: {}", ran.stderr);
    }
}

/// The error for a value that belongs to another option says which one.
#[test]
fn values_of_other_options() {
    let file = folder(&[("a.txt", "http://h.org/\n")]);
    for (args, advice) in [
        (
            &["--sort=newest"][..],
            "urlgrep: --sort: expected path, modified, size or none, found \"newest\"; to order URLs by the date of their \
             message, use --newest all\n",
        ),
        (&["--sort", "date"], "use --newest all"),
        (&["--sort", "oldest"], "use --newest all"),
        (&["--newest=x"], "expected a number of messages, such as 1, or all"),
        (&["--csv=url,host"], "; to choose the columns, use --csv --columns LIST"),
        (&["--csv", "--format={url}"], "; to choose the columns, use --csv --columns LIST"),
        (&["--type=md"], "--type: unknown type \"md\"; did you mean markdown?"),
        (&["--type=htm"], "did you mean html?"),
        (&["--columns=domain", "--json"], "did you mean registered_domain?"),
        (&["--format={byte_offset}"], "unknown field {byte_offset}; did you mean pieces, or start "),
        (&["--warnings", "port"], "; did you mean --warnings=port?\n"),
        (&["--warnings", "port,ip"], "did you mean --warnings=port,ip?"),
        (&["--csv", "raw"], "did you mean --csv=raw?"),
        // Names of earlier versions.
        (&["--known=x"], "to add schemes, use --scheme-add LIST"),
        (
            &["--warnings=cut"],
            "\"cut\", \"address\" and \"mixed\" are now \"truncated\", \"ip\" and \"mixed_script\"",
        ),
        (&["--role=link,form"], "the role \"form\" is now \"form_action\""),
        (&["--columns=url,tld", "--json"], "did you mean public_suffix?"),
        (&["--format={segments}"], "did you mean pieces?"),
        (&["--keep=id"], "--keep requires --csv or --json"),
    ] {
        let ran = run(within(&file, &[args, &["a.txt"]].concat()), b"");
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.stderr.contains(advice), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.matches("; ").count() < 2, "{args:?}: {}", ran.stderr);
    }
    for args in [&["--sort=x"][..], &["--csv", "--json"]] {
        let ran = run(within(&file, &[args, &["a.txt"]].concat()), b"");
        assert!(!ran.stderr.contains("; "), "{}", ran.stderr);
    }
}

/// An option of a similar name does something else.
#[test]
fn no_option_is_suggested_for_its_name() {
    for option in ["--opener", "--line", "--lines", "--date", "--sender", "--defang", "-M"] {
        let stderr = run(urlgrep(&[option, "a"]), b"").stderr;
        assert!(!stderr.contains("did you mean"), "{stderr}");
    }
    for (option, meant) in [
        ("--link", "--links"),
        ("--schemless", "--schemeless"),
        ("--unqouted", "--unquoted"),
        ("--menue", "--menu"),
        ("--newst", "--newest"),
    ] {
        let stderr = run(urlgrep(&[option, "a"]), b"").stderr;
        assert!(stderr.contains(&format!("; did you mean {meant}?\n")), "{stderr}");
    }
}
