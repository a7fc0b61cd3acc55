//! `--check`.

use super::{ends, folder, run, urlgrep, within};

#[track_caller]
fn checks(args: &[&str], status: i32, stdout: &str) {
    let args = [&["--check"], args].concat();
    ends(run(urlgrep(&args), b""), status, stdout);
}

/// What is printed of these URLs: those are the lines without an indent.
const PARTS: &str = "\
http://h.org:8080/a;b/c?x&y=z
  grade     rfc1738
  scheme    http
  host      h.org
  port      8080
  path      a;b/c
  search    x&y=z
http://h.org
  grade     rfc1738
  scheme    http
  host      h.org
  port      80 (default)
http://h.org:99999
  grade     rfc1738
  scheme    http
  host      h.org
  port      99999
  warning   port
nntp://h.org/a.b/42
  grade     rfc1738
  scheme    nntp
  host      h.org
  port      119 (default)
  group     a.b
  article   42
Gopher://h.org/7/s%09find%09+x
  grade     rfc1738
  scheme    gopher
  host      h.org
  port      70 (default)
  type      7
  selector  /s
  search    find
  gopher+   +x
gopher://h.org:70
  grade     rfc1738
  scheme    gopher
  host      h.org
  port      70
  type      1 (default)
mailto:a%25b@h.org
  grade     rfc1738
  scheme    mailto
  address   a%25b@h.org
  local     a%25b
  domain    h.org
news:*
  grade     rfc1738
  scheme    news
  group     *
news:comp.mail.misc
  grade     rfc1738
  scheme    news
  group     comp.mail.misc
news:x/y@h.org
  grade     rfc1738
  scheme    news
  unique    x/y
  host      h.org
telnet://u@h.org/
  grade     rfc1738
  scheme    telnet
  user      u
  host      h.org
  port      23 (default)
wais://h.org/db?words
  grade     rfc1738
  scheme    wais
  host      h.org
  port      210 (default)
  database  db
  search    words
wais://h.org/db/TEXT/1%3d2
  grade     rfc1738
  scheme    wais
  host      h.org
  port      210 (default)
  database  db
  wtype     TEXT
  wpath     1%3d2
file:///etc/motd
  grade     rfc1738
  scheme    file
  path      etc/motd
prospero://h.org:1525//pros/name;OBJECT-VERSION=1;a=b
  grade     rfc1738
  scheme    prospero
  host      h.org
  port      1525
  object    /pros/name
  field     OBJECT-VERSION=1
  field     a=b
x-new:anything
  grade     rfc1738
  scheme    x-new
  schemepart  anything
https://h.org/a/b?c
  grade     rfc1738
  scheme    https
  host      h.org
  port      443 (default)
  path      a/b
  search    c
x-new://h.org/a/b?c
  grade     rfc1738
  scheme    x-new
  host      h.org
  urlpath   a/b?c
";

#[test]
fn parts_have_names() {
    let urls = PARTS.lines().filter(|line| !line.starts_with(' '));
    checks(&urls.collect::<Vec<_>>(), 0, PARTS);
}

#[test]
fn fragment_and_warnings() {
    checks(
        &["ftp://u:secret@h.org:25/a;type=d#f"],
        0,
        "ftp://u:secret@h.org:25/a;type=d#f
  grade     rfc1738
  scheme    ftp
  user      u
  password  secret
  host      h.org
  port      25
  path      a
  type      directory
  fragment  f
  warning   password
  warning   port
",
    );
}

const TILDE: &str = "http://h.org/~me/
             ^ hsegment: \"~\" is not allowed at offset 13: a path segment consists of letters, \
    digits, escapes and \"$-_.+!*'(),;:@&=\" (hsegment, RFC 1738 section 3.3)
  grade     rfc3986
  scheme    http
  host      h.org
  port      80 (default)
  path      /~me/
";

#[test]
fn the_caret_is_under_the_byte_that_offends() {
    checks(&["http://h.org/~me/"], 0, TILDE);
    checks(&["--grade=rfc3986", "http://h.org/~me/"], 0, TILDE);
    checks(&["--grade=rfc1738", "http://h.org/~me/"], 1, TILDE);
}

#[test]
fn each_grammar_has_its_caret() {
    checks(
        &["http://h.org/~a/{x}"],
        1,
        "http://h.org/~a/{x}
             ^ hsegment: \"~\" is not allowed at offset 13: a path segment consists of letters, \
        digits, escapes and \"$-_.+!*'(),;:@&=\" (hsegment, RFC 1738 section 3.3)
                ^ pchar: \"{\" is not allowed at offset 16: a path consists of letters, \
        digits, escapes and \"-._~!$&'()*+,;=:@/\" (pchar, RFC 3986 section 3.3)
  grade     lenient
  scheme    http
",
    );
}

/// What no standard accepts is not valid. A search finds it all the same.
#[test]
fn the_grade_is_that_of_rfc_3986_by_default() {
    for (args, status) in [
        (&["http://h.org:port/"][..], 1),
        (&["--grade=lenient", "http://h.org:port/"], 0),
        (&["--grade=rfc3986", "http://h.org:port/"], 1),
        (&["http://h.org/~me/"], 0),
        (&["--dialect=draft", "http://h.org/~me/"], 0),
        (&["--dialect=draft", "http://h.org/{x}"], 1),
    ] {
        assert_eq!(run(urlgrep(&[&["--check"], args].concat()), b"").status, Some(status), "{args:?}");
    }
    ends(run(urlgrep(&["--no-config"]), b"http://h.org/{x}"), 0, "http://h.org/{x}\n");
}

/// Who takes it for a search is told.
#[test]
fn files_are_not_checked() {
    let files = folder(&[("a.txt", "http://h.org/\n"), ("d/b", "")]);
    for path in ["a.txt", "d", "d/b"] {
        let ran = run(within(&files, &["--check", "http://h.org/", path]), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        let error = format!("urlgrep: {path}: expected a URL, found a path; to search it, omit --check\n");
        assert_eq!(ran.stderr, error);
    }
    let ran = run(within(&files, &["--check", "e.txt"]), b"");
    assert_eq!((ran.status, &*ran.stderr), (Some(1), ""));
    // An argument that is a URL is not a path.
    let named = folder(&[("news:a.b", "")]);
    let ran = run(within(&named, &["--check", "news:a.b"]), b"");
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
    for option in ["-n", "--ignore", "--links", "-r"] {
        let ran = run(within(&files, &["--check", option, "a.txt"]), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        let words = "--check cannot be used with --";
        assert!(ran.stderr.starts_with(&format!("urlgrep: {words}")), "{}", ran.stderr);
        assert!(
            ran.stderr.ends_with("; --check takes URLs, not files: urlgrep --check URL...\n"),
            "{}",
            ran.stderr
        );
        // Only what was typed is named.
        assert!(!ran.stderr.contains("<PATH>") && !ran.stderr.contains("--newest"), "{}", ran.stderr);
    }
}

/// Carets are counted in characters as they are shown.
#[test]
fn carets_follow_characters_beyond_ascii() {
    for (url, shown, column) in [
        ("http://b\u{fc}cher..x/", "http://b\u{fc}cher..x/", 14),
        ("http://\u{9b}..x/", "http://\\xC2\\x9B..x/", 16),
        ("nonsense", "nonsense", 8),
        ("", "", 0),
    ] {
        let ran = run(urlgrep(&["--check", url]), b"");
        let mut lines = ran.stdout.lines();
        assert_eq!(lines.next(), Some(shown));
        let caret = lines.next().unwrap();
        assert_eq!(caret.find('^'), Some(column), "{caret}");
        assert_eq!(lines.next(), Some("  grade     none"));
        assert_eq!(lines.next(), None);
        assert_eq!(ran.status, Some(1));
    }
}

#[test]
fn without_arguments_each_line_is_a_url() {
    let stdout = "news:*\n  grade     rfc1738\n  scheme    news\n  group     *\n";
    let input = format!("{}\r\n\nnews:*", TILDE.lines().next().unwrap());
    let both = [TILDE, stdout].concat();
    ends(run(urlgrep(&["--check"]), input.as_bytes()), 0, &both);
    ends(run(urlgrep(&["--check", "-"]), input.as_bytes()), 0, &both);
    ends(run(urlgrep(&["--check", "-", "news:*"]), b""), 0, stdout);
    ends(run(urlgrep(&["--check"]), b""), 0, "");
}

#[test]
fn quiet() {
    checks(&["-q", "http://h.org/~me/"], 0, "");
    checks(&["-q", "--grade", "rfc1738", "http://h.org/~me/", "news:*"], 1, "");
    checks(&["-q", "news:*", "nonsense"], 1, "");
}

#[test]
fn json() {
    checks(
        &["--json", "Prospero://h.org//n;A=b#f", "ftp://u:p@h.org/", "gopher://h.org", "http://h.org/{", "x"],
        1,
        concat!(
            r#"{"url":"Prospero://h.org//n;A=b#f","accepted":true,"grade":"rfc1738","reason":null,"#,
            r#""scheme":"prospero","parts":{"host":"h.org","port":1525,"object":"/n","#,
            r#""fields":[["A","b"]]},"fragment":"f","warnings":[]}"#,
            "\n",
            r#"{"url":"ftp://u:p@h.org/","accepted":true,"grade":"rfc1738","reason":null,"#,
            r#""scheme":"ftp","parts":{"user":"u","password":"p","host":"h.org","port":21,"#,
            r#""path":""},"fragment":null,"warnings":["password"]}"#,
            "\n",
            r#"{"url":"gopher://h.org","accepted":true,"grade":"rfc1738","reason":null,"#,
            r#""scheme":"gopher","parts":{"host":"h.org","port":70,"type":"1"},"fragment":null,"warnings":[]}"#,
            "\n",
            r#"{"url":"http://h.org/{","accepted":false,"grade":"lenient","#,
            r#""reason":{"production":"pchar","offset":13,"message":"\"{\" is not allowed at "#,
            r#"offset 13: a path consists of letters, digits, escapes and "#,
            r#"\"-._~!$&'()*+,;=:@/\" (pchar, RFC 3986 section 3.3)"},"#,
            r#""scheme":"http","parts":{},"fragment":null,"warnings":[]}"#,
            "\n",
            r#"{"url":"x","accepted":false,"grade":null,"#,
            r#""reason":{"production":"scheme","offset":1,"message":"the URL ends too early at "#,
            r#"offset 1: a scheme begins with a letter, consists of letters, digits, "#,
            r#"\"+\", \"-\" and \".\", and a colon follows (scheme, RFC 3986 section 3.1)"},"#,
            r#""scheme":null,"parts":{},"fragment":null,"warnings":[]}"#,
            "\n",
        ),
    );
}

/// By each grammar, and by none.
#[test]
fn json_has_the_same_keys_for_http_and_https() {
    for rest in ["h.org", "h.org/", "h.org:81/a?b=c#d", "h.org/~a?b=c", "h.org/?", "h.org/{"] {
        let keys = |scheme| {
            let ran = run(urlgrep(&["--check", "--json", &format!("{scheme}://{rest}")]), b"");
            let object: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            let parts = object["parts"].as_object().unwrap().keys().cloned();
            object.as_object().unwrap().keys().cloned().chain(parts).collect::<Vec<_>>()
        };
        assert_eq!(keys("http"), keys("https"), "{rest}");
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let url = OsStr::from_bytes(b"http://h.org/\xe9#\x1b");
    let ran = run(urlgrep(&["--check".as_ref(), url]), b"");
    assert!(ran.stdout.starts_with("http://h.org/\\xE9#\\x1B\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("\n  fragment  \\x1B\n"), "{}", ran.stdout);
    assert_eq!(ran.status, Some(1));
}

#[test]
fn options_that_change_nothing_are_accepted() {
    let said =
        "ftp://h.org\n  grade     rfc1738\n  scheme    ftp\n  host      h.org\n  port      21 (default)\n";
    checks(&["--color=always", "--hyperlink=always", "-j2", "-I", "ftp://h.org"], 0, said);
}

#[test]
fn options_that_ask_for_something_else_are_refused() {
    for option in ["-n", "--redact", "--csv", "--files", "-u", "--match=x", "--hyphen=drop", "-0"] {
        let ran = run(urlgrep(&["--check", option, "ftp://h.org/"]), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{option}");
    }
}

/// The answer comes before the next line is asked for.
#[test]
fn line_by_line() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let mut command = urlgrep(&["--check", "--json", "--line-buffered"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for url in ["ftp://h.org/a", "ftp://h.org/b"] {
        writeln!(stdin, "{url}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains(url), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// By the draft: parts with the draft's names, and refusals with its productions.
const BY_THE_DRAFT: &str = "\
prospero://h.org/pros/name%0012a1b2
  grade     draft1994
  scheme    prospero
  host      h.org
  port      1525 (default)
  hsoname   pros/name
  version   12
  attributes  a1b2
wais://h.org:210/db/TEXT/1234/a/b
  grade     draft1994
  scheme    wais
  host      h.org
  port      210
  database  db
  wtype     TEXT
  digits    1234
  path      a/b
HTTP://u_1.org/a?b+c#d
  grade     draft1994
  scheme    http
  host      u_1.org
  port      80 (default)
  path      a
  search    b+c
  fragment  d
gopher://h.org/11/a?b
  grade     draft1994
  scheme    gopher
  host      h.org
  port      70 (default)
  type      1
  selector  1/a
  search    b
ftp://u:p@h.org/a/b
  grade     draft1994
  scheme    ftp
  user      u
  password  p
  host      h.org
  port      21 (default)
  path      a/b
  warning   password
mailto:me@h.org
  grade     draft1994
  scheme    mailto
  path      me@h.org
";

#[test]
fn a_dialect_has_parts_and_refusals_of_its_own() {
    let urls: Vec<_> = BY_THE_DRAFT.lines().filter(|line| !line.starts_with(' ')).collect();
    checks(&[&["--dialect", "draft", "--grade", "draft1994"], &urls[..]].concat(), 0, BY_THE_DRAFT);
    let output = run(urlgrep(&["--check", "--dialect=draft", "--grade=rfc1738", "afs://h.org/a"]), b"");
    assert_eq!(output.status, Some(1));
    assert!(output.stdout.contains("    ^ afsaddress: \"/\" is not allowed at offset 4: "), "{output:?}");
}

#[test]
fn a_grade_belongs_to_its_dialect() {
    let output = run(urlgrep(&["--check", "--grade=draft1994", "http://h.org/"]), b"");
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("--grade draft1994 requires --dialect draft"), "{output:?}");
}
