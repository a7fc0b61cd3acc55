//! `--stats`.

use serde_json::Value;

use super::{folder, run, urlgrep, within};

const TEXT: &str = "<URL:http://H.org/a-\nb> http://h.org/~me ftp://ftp.h.org/ news:comp.lang.c";

#[test]
fn numbers_as_text() {
    let files = folder(&[("a", TEXT), ("b", "http://h.org/~me")]);
    for threads in ["-j1", "-j2"] {
        let ran = run(within(&files, &["--stats", "-I", threads, "a", "b"]), b"");
        assert_eq!(ran.stdout.lines().count(), 5);
        let (numbers, time) = ran.stderr.split_once("seconds ").unwrap();
        let expected = "files    2\n\
            messages 0\n\
            bytes    90\n\
            matches  5\n\
            form     bare 4, wrapper 1\n\
            role     text 5\n\
            grade    rfc1738 3, rfc3986 2\n\
            join     none 4, delimited 1\n\
            scheme   http 3, ftp 1, news 1\n\
            hosts    h.org 3, ftp.h.org 1\n";
        assert_eq!(numbers, expected);
        assert!(time.contains("\nMB/s     "), "{time}");
    }
}

/// The first match does not end the search.
#[test]
fn quiet_numbers_are_complete() {
    let files = folder(&[("a", TEXT), ("b", "http://h.org/~me")]);
    let ran = run(within(&files, &["--stats", "-q", "a", "b"]), b"");
    assert_eq!((ran.stdout.as_str(), ran.status), ("", Some(0)));
    assert!(ran.stderr.contains("files    2\nmessages 0\nbytes    90\nmatches  5\n"), "{}", ran.stderr);
}

#[test]
fn numbers_as_json() {
    let files = folder(&[("a", TEXT), ("b", "http://h.org/~me")]);
    let ran = run(within(&files, &["--stats", "--json", "-u", "a", "b"]), b"");
    assert_eq!(ran.stderr.lines().count(), 1);
    let numbers: Value = serde_json::from_str(&ran.stderr).unwrap();
    // Of the URLs that are left.
    assert_eq!((&numbers["files"], &numbers["matches"]), (&2.into(), &4.into()));
    assert_eq!(numbers["scheme"]["http"], 2);
    assert_eq!(numbers["hosts"]["h.org"], 2);
    assert_eq!(numbers["different_hosts"], 2);
    assert!(numbers["seconds"].is_number() && numbers["mb_per_second"].is_number());
}

/// What is built of the strings is built before the clock starts.
#[test]
fn the_time_of_a_list_of_strings() {
    let files = folder(&[("list", "h.org\n"), ("a", TEXT)]);
    let ran = run(within(&files, &["--stats", "-f", "list", "a"]), b"");
    let line = ran.stderr.lines().find(|line| line.starts_with("strings "));
    let seconds = line.unwrap().strip_prefix("strings  ").unwrap().strip_suffix(" seconds").unwrap();
    assert!(seconds.parse::<f64>().unwrap() >= 0.0 && seconds.split('.').nth(1).unwrap().len() == 3);
    let ran = run(within(&files, &["--stats", "--json", "-f", "list", "a"]), b"");
    let numbers: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert!(numbers["strings_seconds"].is_number(), "{numbers}");
    let ran = run(within(&files, &["--stats", "--json", "a"]), b"");
    assert!(!ran.stderr.contains("strings"), "{}", ran.stderr);
}

#[test]
fn messages_are_counted() {
    let mail = "From a@h.org Mon Jan  1 00:00:00 1996\nFrom: a@h.org\nSubject: x\n\nhttp://h.org/a\n\n";
    let ran = run(urlgrep(&["--stats", "--scheme=http"]), mail.repeat(3).as_bytes());
    assert!(ran.stderr.starts_with("files    1\nmessages 3\n"), "{}", ran.stderr);
}

#[test]
fn only_ten_hosts_are_named() {
    for (count, end) in [
        (9, ", h08.org 1\n"),
        (10, ", h09.org 1\n"),
        (11, ", h09.org 1 and 1 more\n"),
        (14, ", h09.org 1 and 4 more\n"),
    ] {
        let text: String = (0..count).map(|n| format!("http://h{n:02}.org/ ")).collect();
        let ran = run(urlgrep(&["--stats"]), text.as_bytes());
        assert!(ran.stderr.contains(end), "{}", ran.stderr);
    }
}

#[test]
fn an_empty_host_is_none() {
    let ran = run(urlgrep(&["--stats"]), b"file:///etc/motd http://h.org/\n");
    assert!(ran.stderr.contains("\nhosts    h.org 1\n"), "{}", ran.stderr);
}

/// What `--links` leaves out is told by its roles.
#[test]
fn matches_that_are_left_out() {
    let mail = "From: a@h.org\nX-Url: http://h.org/h\nMIME-Version: 1.0\nContent-Type: text/html\n\n\
        <a href=http://h.org/a>a</a> <img src=http://h.org/i> <img src=http://h.org/t width=1 height=1>\
        <img src=http://h.org/u style='display: none'>";
    let ran = run(urlgrep(&["--stats", "--links"]), mail.as_bytes());
    assert_eq!(ran.stdout, "http://h.org/a\n");
    assert!(ran.stderr.contains("\nrole     link 1\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\nexcluded image 1, tracker 2, header 1\n"), "{}", ran.stderr);
    let ran = run(urlgrep(&["--stats", "--role=link,image", "--host=x.org", "--json"]), mail.as_bytes());
    let numbers: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(numbers["excluded"], serde_json::json!({"link": 1, "image": 1, "tracker": 2, "header": 1}));
    assert_eq!(numbers["role"], serde_json::json!({}));
}
