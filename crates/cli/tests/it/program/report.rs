//! The page that `--report` writes.

mod browser;
mod excerpts;
mod guard;
mod view;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Ran, ends, folder, run, urlgrep, within};

/// A letter of 1994 with two links, and one of 1996 with one that was broken and
/// one that has a "~".
const MBOX: &str = "\
From a@h.org Mon Jan  3 10:00:00 1994
From: A <a@h.org>
Date: Mon, 3 Jan 1994 10:00:00 +0000
Subject: First
Message-ID: <1@h.org>

<URL:gopher://h.org/11/a> and wais://w.org/b

From b@h.org Tue Jan  2 10:00:00 1996
From: B <b@h.org>
Date: Tue, 2 Jan 1996 10:00:00 +0000
Subject: Second
Message-ID: <2@h.org>

<URL:http://H.org/foo-
bar> http://h.org/~me
";

/// The page of a folder.
fn page(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("r.html")).unwrap()
}

/// The blocks of data of a page that begin with this tag.
fn blocks(page: &str, tag: &str) -> Vec<Value> {
    let blocks = page.split(tag).skip(1).map(|rest| rest.split("</script>").next().unwrap());
    blocks.map(|block| serde_json::from_str(block).unwrap()).collect()
}

/// A page whose data is not compressed.
pub fn unpacked(page: &str) -> String {
    const TAG: &str = "<script type=\"application/gzip\" class=\"links\">";
    let mut parts = page.split(TAG);
    let mut unpacked = parts.next().unwrap().to_owned();
    for part in parts {
        let (data, rest) = part.split_once("</script>").unwrap();
        let packed = STANDARD.decode(data).unwrap();
        unpacked.push_str(TAG);
        GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).unwrap();
        unpacked.extend(["</script>", rest]);
    }
    unpacked
}

/// All entries of the data of a page.
fn entries(page: &str) -> Vec<Value> {
    let blocks = blocks(&unpacked(page), "<script type=\"application/gzip\" class=\"links\">");
    blocks.iter().flat_map(|block| block.as_array().unwrap().clone()).collect()
}

/// The URLs on a page.
fn urls(page: &str) -> Vec<String> {
    let links = entries(page).into_iter().filter(Value::is_array);
    links.map(|link| link[2].as_str().unwrap().to_owned()).collect()
}

fn about(page: &str) -> Value {
    let about = blocks(page, "<script type=\"application/json\" id=\"about\">");
    about.into_iter().next().unwrap()
}

/// What is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn it_has_what_is_printed() {
    let printed = "gopher://h.org/11/a\nwais://w.org/b\nhttp://H.org/foo-bar\nhttp://h.org/~me\n";
    let files = folder(&[("m", MBOX)]);
    ends(run(within(&files, &["--report", "r.html", "m"]), b""), 0, printed);
    let first = json!({"date": "1994-01-03T10:00:00+00:00", "from": "A <a@h.org>", "subject": "First", "id": "1@h.org"});
    let second = json!({"date": "1996-01-02T10:00:00+00:00", "from": "B <b@h.org>", "subject": "Second", "id": "2@h.org"});
    let expected = [
        json!("m"),
        json!(null),
        first,
        json!([7, 1, "gopher://h.org/11/a", 1, 0, 5, 0, "wrapper", 0, 0, ["", " and wais://w.org/b"]]),
        json!([7, 31, "wais://w.org/b", 0, 0, 5, 0, 0, 0, 0, ["<URL:gopher://h.org/11/a> and ", ""]]),
        second,
        json!([
            15,
            1,
            "http://H.org/foo-bar",
            1,
            0,
            5,
            0,
            "wrapper",
            0,
            "delimited",
            ["", " http://h.org/~me"],
            null,
            ["http://H.org/foobar"]
        ]),
        json!([
            16,
            6,
            "http://h.org/~me",
            1,
            0,
            5,
            0,
            0,
            "rfc3986",
            0,
            ["<URL:http://H.org/foo-\nbar> ", ""]
        ]),
    ];
    assert_eq!(entries(&page(&files)), expected);
    let mut about = about(&page(&files));
    let warnings = about.as_object_mut().unwrap().remove("warnings").unwrap();
    assert_eq!(warnings["port"], "has a reserved port, or one above 65535");
    let today = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / (24 * 60 * 60);
    let day = about.as_object_mut().unwrap().remove("day").unwrap().as_u64().unwrap();
    assert!((today - 1..=today).contains(&day), "{day}");
    assert_eq!(about, json!({"names": ["m"], "more": 0, "under": "", "files": 1, "messages": 2}));
}

/// Each file names its messages, even one that the file before it has.
#[test]
fn files_with_the_same_message() {
    let text = "http://h.org/a\n";
    let files = folder(&[("d/a", MBOX), ("d/b", MBOX), ("d/c", text), ("d/e", text), ("d/f", MBOX)]);
    assert_eq!(run(within(&files, &["--report=r.html", "-j1", "d"]), b"").status, Some(0));
    let all = entries(&page(&files));
    let of = |name: &str| -> Vec<Value> {
        let of = all.iter().skip_while(|entry| **entry != json!(name)).skip(1);
        of.take_while(|entry| !entry.is_string()).cloned().collect()
    };
    let mail = of("d/a");
    let ids: Vec<_> = mail.iter().filter_map(|entry| entry["id"].as_str()).collect();
    assert_eq!((mail[0].clone(), ids, mail.len()), (Value::Null, vec!["1@h.org", "2@h.org"], 7));
    assert_eq!((of("d/b"), of("d/f")), (mail.clone(), mail));
    let link = &of("d/c")[1];
    assert_eq!([of("d/c"), of("d/e")], [vec![Value::Null, link.clone()], vec![Value::Null, link.clone()]]);
    assert_eq!(link[2], "http://h.org/a");
}

/// The directory that contains all that is searched.
#[test]
fn places_are_below_what_is_searched() {
    let files = folder(&[("x/d/a", "http://h.org/"), ("x/d/b", ""), ("x/e/c", "")]);
    let under = |args: &[&str]| {
        run(within(&files, &[&["--report=r.html"], args].concat()), b"");
        about(&page(&files))["under"].as_str().unwrap().to_owned()
    };
    assert_eq!(under(&["x"]), "x");
    assert_eq!(under(&["x/d/a"]), "x/d");
    assert_eq!(under(&["x/d", "x/e/c"]), "x");
    assert_eq!(under(&["x/d", "missing"]), "");
    assert_eq!(under(&["-"]), "");
}

#[test]
fn it_is_the_same_with_threads() {
    let text = "http://h.org/a\n\n".repeat(300);
    let files = folder(&[("d/a", MBOX), ("d/b", &text), ("d/c", "none"), ("d/e", "ftp://h.org/b")]);
    let page = |threads| {
        let ran = run(within(&files, &["--report=r.html", "-u", threads, "d", "d/e"]), b"");
        (ran, page(&files))
    };
    let one = page("-j1");
    assert_eq!(one, page("-j2"));
    assert_eq!(urls(&one.1).len(), 6);
    let about = about(&one.1);
    assert_eq!((&about["names"], &about["under"]), (&json!(["d", "d/e"]), &json!("d")));
    assert_eq!((&about["files"], &about["messages"]), (&json!(5), &json!(2)));
}

#[test]
fn four_paths_have_names() {
    let files = folder(&["a", "b", "c", "d", "e", "f"].map(|name| (name, "http://h.org/")));
    for (count, more) in [(4, 0), (5, 1), (6, 2)] {
        let paths = &["a", "b", "c", "d", "e", "f"][..count];
        run(within(&files, &[&["--report=r.html"], paths].concat()), b"");
        let about = about(&page(&files));
        assert_eq!((&about["names"], &about["more"]), (&json!(["a", "b", "c", "d"]), &json!(more)));
    }
}

#[test]
fn what_is_not_printed_is_not_on_it() {
    let text = "HTTP://H.org/%7Eme ftp://me:secret@h.org/ http://h.org/~me news:comp.lang.c";
    let files = folder(&[("a", text)]);
    let check = |args: &[&str], printed: &str, expected: &[&str]| {
        let args = [&["--report=r.html", "a"], args].concat();
        ends(run(within(&files, &args), b""), if expected.is_empty() { 1 } else { 0 }, printed);
        assert_eq!(urls(&page(&files)), expected, "{args:?}");
        assert!(!args.contains(&"--redact") || !unpacked(&page(&files)).contains("secret"));
    };
    check(&["-m1"], "HTTP://H.org/%7Eme\n", &["HTTP://H.org/%7Eme"]);
    check(&["-m0"], "", &[]);
    check(&["--scheme=gopher"], "", &[]);
    check(
        &["--normalize", "-u", "--scheme=http,news"],
        "http://h.org/~me\nnews:comp.lang.c\n",
        &["http://h.org/~me", "news:comp.lang.c"],
    );
    check(&["--redact", "--scheme=ftp"], "ftp://me:***@h.org/\n", &["ftp://me:***@h.org/"]);
    check(&["-c", "--match=(?i)http"], "2\n", &["HTTP://H.org/%7Eme", "http://h.org/~me"]);
    check(&["-uc", "--exclude=me"], "1:news:comp.lang.c\n", &["news:comp.lang.c"]);
}

#[test]
fn a_click_opens_only_what_shows_something() {
    let files = folder(&[(
        "a",
        "www.h.org a@h.org <x-run://rm> javascript://h.org/%0aalert(1) <http://h.org/\u{fc}>",
    )]);
    let args = [
        "--report=r.html",
        "--schemeless=hosts",
        "--schemeless=emails",
        "--scheme=http,mailto,javascript,x-run",
        "a",
    ];
    assert_eq!(run(within(&files, &args), b"").status, Some(0));
    let opens: Vec<_> =
        entries(&page(&files)).into_iter().filter(Value::is_array).map(|link| link[3].clone()).collect();
    let expected = [
        json!("http://www.h.org"),
        json!("mailto:a@h.org"),
        json!(0),
        json!(0),
        json!("http://h.org/%C3%BC"),
    ];
    assert_eq!(opens, expected);
}

/// Whatever the input contains, the page consists of the same tags.
#[test]
fn nothing_of_the_input_is_read_as_html() {
    let evil = "</script><script>document.body.dataset.evil=1</script><!--<script>&#60;\u{2028}\u{fc}";
    let mail = MBOX.replace("First", evil).replace("/~me", "/'-->~me/{</script><img/src=x>\u{fc}\x01");
    let files = folder(&[("m", &mail), ("plain", MBOX)]);
    let tags = |name: &str| {
        assert_eq!(run(within(&files, &["--report=r.html", name]), b"").status, Some(0));
        let page = page(&files);
        assert!(page.is_ascii());
        (page.matches('<').count(), page.matches('>').count(), page)
    };
    let (open, close, page) = tags("m");
    let plain = tags("plain");
    assert_eq!((open, close), (plain.0, plain.1));
    // What is invisible is shown, as on a terminal.
    assert_eq!(entries(&page)[2]["subject"], evil.replace('\u{2028}', "\\xE2\\x80\\xA8"));
}

#[test]
fn it_says_to_the_browser_that_it_needs_nothing() {
    let files = folder(&[("a", "x")]);
    run(within(&files, &["--report=r.html", "a"]), b"");
    let page = page(&files);
    assert!(page.contains("content=\"default-src 'none'; "), "{page}");
    // The name of a namespace is not loaded.
    assert_eq!(page.matches("http://").count(), 1);
    assert!(page.contains("createElementNS(\"http://www.w3.org/2000/svg\""));
    for loads in ["https://", "src=", "url(", "@import", "fetch(", "import(", "XMLHttpRequest", "WebSocket"] {
        assert!(!page.contains(loads), "{loads}");
    }
}

#[test]
fn what_cannot_be_reported_is_refused() {
    for arg in ["--files-with-matches", "--files", "--check"] {
        let files = folder(&[("a", "http://h.org/")]);
        let ran = run(within(&files, &["--report=r.html", arg, "a"]), b"");
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
        assert_eq!(names(files.path()), ["a"]);
    }
}

#[track_caller]
fn fails(ran: Ran, stderr: &str) {
    assert_eq!((ran.status, &*ran.stderr), (Some(2), stderr));
}

#[cfg(unix)]
#[test]
fn a_missing_directory_is_named() {
    let files = folder(&[("a", "http://h.org/"), ("d/b", "")]);
    let at = |path: &str| run(within(&files, &["--report", path, "a"]), b"");
    fails(at("missing/r.html"), "urlgrep: missing/r.html: No such file or directory (os error 2)\n");
    assert_eq!(at("missing/r.html").stdout, "");
    fails(at("r.html/"), "urlgrep: r.html/: expected the name of a file\n");
    for (path, file) in [("d/", "d/links.html"), ("d", "d/links.html"), ("..", "../links.html")] {
        let advice = format!("use the name of a file, such as --report={file}");
        fails(at(path), &format!("urlgrep: {path}: cannot write the report to a directory; {advice}\n"));
    }
}

/// An earlier report is replaced by a complete one, or not at all.
#[cfg(target_os = "linux")]
#[test]
fn there_is_never_half_a_page() {
    let files = folder(&[("a", "http://h.org/")]);
    run(within(&files, &["--report=r.html", "a"]), b"");
    let old = page(&files);
    let mut command = std::process::Command::new("sh");
    let script = "\"$0\" --report=r.html a >/dev/full";
    command.args(["-c", script, env!("CARGO_BIN_EXE_urlgrep")]).current_dir(&files);
    let reason = "No space left on device (os error 28)";
    fails(run(command, b""), &format!("urlgrep: r.html: not written: standard output: {reason}\n"));
    assert_eq!(page(&files), old);
    assert_eq!(names(files.path()), ["a", "r.html"]);
}

/// Without the output, the report is missing.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_an_error_with_a_report() {
    use std::process::Stdio;

    let files = folder(&[("a", "http://h.org/")]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = within(&files, &["--report=r.html", "a"]);
    let output = command.stdin(Stdio::null()).stdout(writer).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "urlgrep: r.html: not written: standard output: Broken pipe (os error 32)\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(names(files.path()), ["a"]);
}

#[cfg(unix)]
#[test]
fn what_it_replaces_keeps_its_permissions_and_its_links() {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let files = folder(&[("a", "http://h.org/"), ("d/b", "old")]);
    let real = files.path().join("d/real.html");
    run(within(&files, &["--report=d/real.html", "d/b"]), b"");
    fs::set_permissions(&real, Permissions::from_mode(0o600)).unwrap();
    symlink("d/real.html", files.path().join("r.html")).unwrap();
    ends(run(within(&files, &["--report=r.html", "a"]), b""), 0, "http://h.org/\n");
    assert_eq!(urls(&fs::read_to_string(&real).unwrap()), ["http://h.org/"]);
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert!(files.path().join("r.html").is_symlink());
    assert_eq!(names(&files.path().join("d")), ["b", "real.html"]);
}

#[test]
fn it_is_not_searched_below_a_directory() {
    let files = folder(&[("a", "http://h.org/a"), ("d/r.html", "http://h.org/other")]);
    let both = "./a:http://h.org/a\n./d/r.html:http://h.org/other\n";
    for threads in ["-j1", "-j2", "-j2"] {
        ends(run(within(&files, &["--report=r.html", threads, "."]), b""), 0, both);
    }
}

/// An error of the report does not stop the output.
#[cfg(target_os = "linux")]
#[test]
fn a_page_that_cannot_be_written_is_named() {
    let files = folder(&[("a", "http://h.org/")]);
    let mut command = std::process::Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 8; \"$0\" --report=r.html a";
    command.args(["-c", script, env!("CARGO_BIN_EXE_urlgrep")]).current_dir(&files);
    let ran = run(command, b"");
    assert_eq!(ran.stdout, "http://h.org/\n");
    fails(ran, "urlgrep: r.html: File too large (os error 27)\n");
    assert_eq!(names(files.path()), ["a"]);
}

#[test]
fn no_password_is_on_it() {
    let mail = MBOX.replace("First", "ftp://me:secret@h.org/").replace("A <a@", "http://a:secret@h.org <a@");
    let files = folder(&[("m", &mail)]);
    let ran = run(within(&files, &["--report=r.html", "--redact", "m"]), b"");
    assert_eq!(ran.status, Some(0));
    assert_eq!(entries(&page(&files))[2]["subject"], "ftp://me:***@h.org/");
    assert!(!unpacked(&page(&files)).contains("secret"));
}

/// After an error in one input, the others are in the report.
#[test]
fn the_rest_is_reported() {
    let files = folder(&[("a", "http://h.org/a"), ("b", "http://h.org/b")]);
    let ran = run(within(&files, &["--report=r.html", "a", "missing", "b"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.starts_with("urlgrep: missing: ") && ran.stderr.lines().count() == 1,
        "{}",
        ran.stderr
    );
    assert_eq!(urls(&page(&files)), ["http://h.org/a", "http://h.org/b"]);
    assert_eq!(run(urlgrep(&["--report", ""]), b"http://h.org/").status, Some(2));
}

/// A signal that nothing can catch ends the search.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_leaves_nothing() {
    let files = folder(&[]);
    for earlier in [false, true] {
        if earlier {
            assert_eq!(run(within(&files, &["--report=r.html", "-"]), b"").status, Some(1));
        }
        let before = names(files.path());
        let mut command = within(&files, &["--report=r.html", "-"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // More than a pipe holds: the search is under way when this is written.
        stdin.write_all(&b"http://h.org/a <URL:http://h.org/b> ".repeat(10_000)).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(names(files.path()), before);
    }
    assert_eq!(names(files.path()), ["r.html"]);
}
