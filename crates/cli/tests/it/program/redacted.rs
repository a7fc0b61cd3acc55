//! `--redact` hides every password, in every output.

use proptest::prelude::*;

use super::report::unpacked;
use super::{Ran, folder, prints, run, urlgrep, within};

/// What each password contains.
const SECRET: &str = "Zq7x";

/// All that a run with these arguments printed and wrote.
fn everything(args: &[&str], text: &str) -> String {
    let files = folder(&[("a", text), ("b", "http://h.org/b")]);
    let Ran { stdout, stderr, status } = run(within(&files, &[&["--redact"], args].concat()), b"");
    assert!(matches!(status, Some(0 | 1)), "{stderr}");
    let report = std::fs::read_to_string(files.path().join("report.html")).unwrap_or_default();
    [stdout, stderr, unpacked(&report)].concat()
}

const OUTPUTS: &[&[&str]] = &[
    &["a"],
    &["-nbH", "--alternatives", "--schemeless=hosts", "--schemeless=emails", "--schemeless=domains", "a"],
    &["--explain", "--hyphen=both", "a"],
    &["--json", "--stats", "."],
    &["--csv", "."],
    &["--csv=raw", "--hyphen=evidence", "."],
    &["--csv", "--columns=url_path,query,registered_domain,public_suffix,href,rel", "a"],
    &["--json", "--columns=url_path,query,registered_domain,public_suffix,href,rel", "--normalize", "a"],
    &["--format={url_path} {query} {href} {ending.stop}", "a"],
    &[
        "--format={path} {url} {scheme} {host} {port} {ascii} {reason.message} {alternatives} {message.id} \
       {message.from} {message.subject} {message.newsgroups} {message.content_type} {message.header}",
        "a",
    ],
    &["-u", "--stats", "--normalize", "a"],
    &["-uc", "--join=likely", "a"],
    &["--color=always", "--hyperlink=always", "."],
    &["--report=report.html", "a"],
    &["-l", "."],
];

#[track_caller]
fn hides(text: &str) {
    for args in OUTPUTS {
        let printed = everything(args, text);
        assert!(!printed.contains(SECRET), "{args:?} {text:?}: {printed}");
    }
}

#[test]
fn passwords_with_delimiters() {
    for password in ["Zq7x", "/Zq7x", "a/Zq7x", "#Zq7x", "a?Zq7x", "Zq7x%40", "%40Zq7x", "Zq7x:", "@Zq7x"] {
        hides(&format!("ftp://me:{password}@h.org/a <URL:ftp://me:{password}@h.org/b-\nc>"));
        hides(&format!("http://h.org/?u=ftp://me:{password}@h.org/a"));
    }
    hides("http://h.org/?u=ftp%3A%2F%2Fme%3AZq7x%40h.org%2Fa&b=c http://h.org/?u=ftp%3A%2F%2Fme:Zq7x@h.org");
}

/// A bare URL ends at a quotation mark or a bracket.
#[test]
fn passwords_that_are_cut() {
    for cut in ['"', '<', '>', ' ', '\n', '`'] {
        hides(&format!("see ftp://me:Zq7x{cut}a@h.org/a and ftp://me:a/Zq7x{cut}a@h.org/a"));
    }
}

#[test]
fn header_fields() {
    let url = "ftp://me:Zq7x@h.org/a";
    hides(&format!(
        "From: a@h.org ({url})\nMessage-ID: <{url}>\nNewsgroups: {url}\nSubject: {url} {url}\nX-Url: {url}\n\
         Content-Type: text/plain; name=\"{url}\"\n\nsee {url} there\n"
    ));
}

/// The name of a file or a member of an archive is text of a stranger, too.
#[test]
fn paths() {
    let files = folder(&[("ftp:/me:Zq7x@h.org", "http://h.org/a")]);
    for args in
        [&["-H"][..], &["--json"], &["--csv"], &["-l"], &["-c", "-H"], &["-c", "--json"], &["--files"]]
    {
        let args = [&["--redact"], args, &["ftp://me:Zq7x@h.org"]].concat();
        let ran = run(within(&files, &args), b"");
        assert!(ran.stdout.contains("ftp://me:***@h.org"), "{args:?} {}", ran.stdout);
        assert!(!ran.stdout.contains(SECRET), "{args:?} {}", ran.stdout);
    }
}

/// What is not a password stays.
#[test]
fn ports_are_not_passwords() {
    let text = "http://h.org:8080/?q=a@b.org http://h.org:80/ http://h.org/a:b@c";
    let ran = run(urlgrep(&["--redact"]), text.as_bytes());
    assert_eq!(ran.stdout, text.replace(' ', "\n") + "\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 6 } else { 64 }))]

    /// All output modes, for passwords in URLs that are bare, delimited, within a query,
    /// and encoded.
    #[test]
    fn no_password_is_printed(
        before in "[a-z@/?#%:.]{0,6}",
        after in "[a-z/?#%:.]{0,6}",
        around in proptest::sample::select(&[("", ""), ("<URL:", ">"), ("<", ">"), ("http://h.org/?u=", "&c"), ("\"", "\"")][..]),
        scheme in proptest::sample::select(&["ftp", "http", "telnet", "imap", "x-y"][..]),
    ) {
        // A part before an "@" and a "/" is the host, by any grammar, and so is a part after digits.
        let before = before.replace(['@', ':'], "");
        let before = if before.contains(['/', '?', '#', '%']) { format!("p{before}") } else { before };
        let (open, close) = around;
        let encoded = format!("{before}{SECRET}{after}").replace('%', "%25").replace('/', "%2F").replace(':', "%3A");
        hides(&format!("a {open}{scheme}://me:{before}{SECRET}{after}@h.org/x{close} b\n"));
        hides(&format!("a {open}{scheme}%3A%2F%2Fme%3A{encoded}%40h.org%2Fx{close} b\n"));
    }
}

/// A port has at most five digits (RFC 3986 §3.2.3 with 65535 as the largest): a longer number may be a password.
#[test]
fn a_number_after_a_host() {
    for (url, printed) in [
        ("http://h.org:12345", "http://h.org:12345"),
        ("http://h.org:123456", "http://h.org:***"),
        ("http://u:12345@h.org/", "http://u:***@h.org/"),
    ] {
        prints(&["--redact"], format!("{url} x\n").as_bytes(), &format!("{printed}\n"));
    }
}
