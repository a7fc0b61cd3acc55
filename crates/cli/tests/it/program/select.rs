//! Which matches are printed.

use std::fmt::Write;

use super::{ends, folder, prints, run, urlgrep, within};

const TEXT: &[u8] = b"http://www.H.org/a ftp://h.org/Foo-bar <URL:http://xh.org/fo\no> mailto:me@mit.edu \
    news:comp.lang.c http://h.org.uk/\n";

const WWW: &str = "http://www.H.org/a\n";
const FTP: &str = "ftp://h.org/Foo-bar\n";
const FOO: &str = "http://xh.org/foo\n";
const MAIL: &str = "mailto:me@mit.edu\n";
const NEWS: &str = "news:comp.lang.c\n";
const UK: &str = "http://h.org.uk/\n";

/// What a person can follow or read, and what else a message has.
#[test]
fn roles() {
    let mail = b"From: a@h.org\nX-URL: http://h.org/header\nContent-Type: text/html\n\n\
        <img src=http://h.org/image><a href='http://h.org/link'><img src=http://h.org/button alt=Go></a>\
        <form action=http://h.org/form>http://h.org/text</form><script src=http://h.org/script></script>\n";
    let printed = |args: &[&str]| run(urlgrep(args), mail).stdout;
    assert_eq!(printed(&["--links"]), "http://h.org/link\nhttp://h.org/text\n");
    // A role overrides the default of a configuration file.
    for args in [["--links", "--role=form_action"], ["--role=form_action", "--links"]] {
        assert_eq!(printed(&args), "http://h.org/form\n");
    }
    assert_eq!(
        printed(&["--role", "image,header"]),
        "http://h.org/header\nhttp://h.org/image\nhttp://h.org/button\n"
    );
    assert_eq!(
        printed(&["--format={role} {element} {text}", "--role=link,form_action,resource"]),
        "link a@href Go\nform_action form@action \nresource script@src \n"
    );
    prints(&["--role=text"], b"http://h.org/ a text", "http://h.org/\n");
    prints(&["--role=link"], b"http://h.org/ a text", "");
}

/// What a reader sees of a link is matched, too.
#[test]
fn words_in_the_text_of_a_link() {
    let html = b"From: a@h.org\nContent-Type: text/html\n\n<a href=http://h.org/1>Click to <b>unsubscribe</b></a>\n\
        <a href=http://h.org/2><img src=http://h.org/3 alt=Unsubscribe></a> <a href=http://h.org/unsubscribe>x</a>\n";
    prints(&["--links", "-e", "to unsub"], html, "http://h.org/1\n");
    prints(
        &["--links", "-ie", "unsubscribe"],
        html,
        "http://h.org/1\nhttp://h.org/2\nhttp://h.org/unsubscribe\n",
    );
    prints(&["-e", "^http.*unsubscribe"], html, "http://h.org/unsubscribe\n");
}

/// What a reply quotes, and what its author wrote.
#[test]
fn unquoted() {
    let mail = b"From: a@h.org\nSubject: Re: b\n\n> see http://h.org/quoted\n>> and http://h.org/twice\nhttp://h.org/own\n";
    prints(&["--unquoted"], mail, "http://h.org/own\n");
    let html =
        b"From: a@h.org\nContent-Type: text/html\n\n<a href=http://h.org/own>a</a><blockquote type=cite>\
        <a href=http://h.org/quoted>b</a> http://h.org/too</blockquote>\n";
    prints(&["--unquoted"], html, "http://h.org/own\n");
    prints(&["--unquoted"], b"> http://h.org/text\n", "http://h.org/text\n");
}

#[test]
fn warnings() {
    let text = b"http://192.0.2.1/ http://u:p@h.org/ http://h.org/a http://h.org/b...\n";
    let [address, password, cut] = ["http://192.0.2.1/\n", "http://u:p@h.org/\n", "http://h.org/b\n"];
    prints(&["--warnings"], text, &[address, password, cut].concat());
    prints(&["--warnings=truncated,ip"], text, &[address, cut].concat());
    prints(&["--warnings=mixed_script"], text, "");
}

/// Pages often load images from such hosts.
#[test]
fn warnings_about_places() {
    let page = b"<img src='http://a.blogspot.com/a'><a href='http://i.org/?u=http%3A%2F%2Fk.org'>a</a>
        <a href='http://i.org/?u=http://www.i.org'>b</a> http://a.blogspot.com/b https://bit.ly/c";
    let redirect = "http://i.org/?u=http%3A%2F%2Fk.org\n";
    prints(&["--warnings=redirect"], page, redirect);
    prints(&["--warnings"], page, &[redirect, "http://a.blogspot.com/b\nhttps://bit.ly/c\n"].concat());
}

#[test]
fn regular_expressions() {
    prints(&["-e", "FOO", "-i"], TEXT, &[FTP, FOO].concat());
    prints(&["-i", "--regexp=^HTTP", "--exclude=WWW|UK"], TEXT, FOO);
    let files = folder(&[("strings", "FOO-"), ("mail", str::from_utf8(TEXT).unwrap())]);
    ends(run(within(&files, &["-if", "strings", "mail"]), b""), 0, FTP);
    prints(&["--match", "foo"], TEXT, FOO);
    prints(&["--match", "(?i)foo"], TEXT, &[FTP, FOO].concat());
    prints(&["--match=^news:", "--match=@"], TEXT, &[MAIL, NEWS].concat());
    prints(&["--exclude=h", "--exclude=@"], TEXT, NEWS);
    prints(&["--match=o+$", "--exclude=^ftp"], TEXT, FOO);
    prints(&["--match=nothing"], TEXT, "");
    // What is not wanted does not count.
    prints(&["--match=news", "-m1"], TEXT, NEWS);
    prints(&["--match=http", "-c"], TEXT, "3\n");
}

#[test]
fn hosts() {
    // As a line of a list: with all hosts below it.
    prints(&["--host", "H.org."], TEXT, &[WWW, FTP].concat());
    prints(&["--host", "h*.org"], TEXT, FTP);
    prints(&["--host", "www.h.org,h.org.uk"], TEXT, &[WWW, UK].concat());
    prints(&["--host=[::1]"], b"http://[::1]/ http://h.org/", "http://[::1]/\n");
    prints(&["--host", "*h.org"], TEXT, &[WWW, FTP, FOO].concat());
    prints(&["--host=*.EDU", "--host=*.uk"], TEXT, "mailto:me@mit.edu\nhttp://h.org.uk/\n");
    // An exclamation mark leaves a host out, with all below it, and what has no host stays.
    let three = b"http://h.org/ http://a.h.org/ http://i.org/ news:a.b mailto:me@h.org\n";
    prints(&["--host", "!h.org"], three, "http://i.org/\nnews:a.b\n");
    prints(&["--host=h.org", "--host=!a.*", "--scheme=http"], three, "http://h.org/\n");
    // There is not a host that could be one of these.
    prints(&["--host=*", "--exclude=h"], TEXT, MAIL);
}

/// RFC 4632 and RFC 4291, 2.3.
#[test]
fn networks() {
    const URLS: &[u8] =
        b"http://10.1.2.3/ ftp://10.255.0.1:21/ http://11.0.0.1/ http://[2001:db8::7]/ http://[::1]:80/ \
        http://10.h.org/ mailto:me@10.0.0.1 http://[::ffff:10.0.0.2]/\n";
    let mapped = "http://[::ffff:10.0.0.2]/\n";
    let (ten, eleven) = ("http://10.1.2.3/\nftp://10.255.0.1:21/\n", "http://11.0.0.1/\n");
    for (hosts, expected) in [
        (&["--host=10.0.0.0/8"][..], &[ten, "mailto:me@10.0.0.1\n", mapped][..]),
        (&["--host=10.1.0.0/16"], &["http://10.1.2.3/\n"]),
        (&["--host=[2001:db8::]/32"], &["http://[2001:db8::7]/\n"]),
        (&["--host=::1/128", "--host=11.0.0.1/32"], &[eleven, "http://[::1]:80/\n"]),
        (
            &["--host=10.255.0.0/16", "--host=h.org", "--host=11.*"],
            &["ftp://10.255.0.1:21/\n", eleven, "http://10.h.org/\n"],
        ),
        (&["--host=0.0.0.0/0", "--exclude=10"], &[eleven]),
    ] {
        prints(hosts, URLS, &expected.concat());
    }
    let files = folder(&[("hosts", "h.org\n11.0.0.0/8 # theirs\n"), ("wrong", "h.org\n10.0.0.0/33\n")]);
    let listed = run(within(&files, &["--host=@hosts"]), URLS);
    ends(listed, 0, &[eleven, "http://10.h.org/\n"].concat());
    let reason = "expected a prefix length of 0 to 32 after the slash, found \"10.0.0.0/33\"\n";
    let ran = run(within(&files, &["--host=@wrong"]), URLS);
    assert_eq!((ran.status, ran.stderr), (Some(2), format!("urlgrep: wrong: line 2: {reason}")));
    let ran = run(urlgrep(&["--host=10.0.0.0/33"]), URLS);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains(&format!("--host: {reason}")), "{}", ran.stderr);
}

#[test]
fn a_list_of_hosts() {
    let files = folder(&[("hosts", "# ours\nh.org # and all below\n\n MIT.edu.\r\n"), ("mail", "")]);
    std::fs::write(files.path().join("mail"), TEXT).unwrap();
    let three = [WWW, FTP, MAIL].concat();
    ends(run(within(&files, &["--host", "@hosts", "mail"]), b""), 0, &three);
    let four = [WWW, FTP, MAIL, UK].concat();
    ends(run(within(&files, &["--host=@hosts", "--host=*.uk", "mail"]), b""), 0, &four);
    // Those of a list are excluded.
    ends(run(within(&files, &["--host", "!@hosts", "--host=*.uk", "mail"]), b""), 0, UK);
    // An empty list has no hosts.
    ends(run(within(&files, &["--host=@/dev/null", "mail"]), b""), 1, "");
    let ran = run(within(&files, &["--host=@missing", "mail"]), b"");
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
    assert!(ran.stderr.starts_with("urlgrep: --host: missing: "), "{}", ran.stderr);
}

#[test]
fn a_list_of_hosts_from_standard_input() {
    let files = folder(&[("mail", "http://h.org/ http://i.org/")]);
    ends(run(within(&files, &["--host=@-", "mail"]), b"i.org\n"), 0, "http://i.org/\n");
}

/// A host that no URL can have is refused.
#[test]
fn only_hosts_are_accepted() {
    for host in ["http://h.org", "h.org/", "h.org:80", "me@h.org", "h.org i.org"] {
        let ran = run(urlgrep(&["--host", host]), TEXT);
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        assert!(ran.stderr.contains(&format!("expected a host, found {host:?}")), "{}", ran.stderr);
        let files = folder(&[("hosts", &format!("h.org\n\n{host} # mine\n"))]);
        let ran = run(within(&files, &["--host", "@hosts"]), TEXT);
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        let start = format!("urlgrep: hosts: line 3: expected a host, found {host:?}");
        assert!(ran.stderr.starts_with(&start), "{}", ran.stderr);
    }
    for list in ["", ",", "h.org,"] {
        let ran = run(urlgrep(&["--host", list]), TEXT);
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{list:?}");
        assert!(ran.stderr.contains("expected a host, found \"\""), "{}", ran.stderr);
    }
    let files = folder(&[("hosts", "*.edu\n")]);
    let ran = run(within(&files, &["--host", "@hosts"]), TEXT);
    assert_eq!(
        ran.stderr,
        "urlgrep: hosts: line 1: expected a host, found the pattern \"*.edu\", which a file of hosts cannot contain; pass it as --host \"*.edu\"\n"
    );
    // An address of IPv6 is one, in its brackets.
    let v6 = b"http://[::1]/ http://h.org/";
    prints(&["--host=\\[::*"], v6, "http://[::1]/\n");
    let files = folder(&[("hosts", "[::1]\n")]);
    ends(run(within(&files, &["--host", "@hosts"]), v6), 0, "http://[::1]/\n");
}

#[test]
fn a_hundred_thousand_hosts() {
    let (mut list, mut text) = (String::new(), String::new());
    for n in 0..100_000 {
        writeln!(list, "host{n}.example.org").unwrap();
    }
    for n in [0, 7, 99_999, 100_000] {
        writeln!(text, "http://www.host{n}.example.org/").unwrap();
    }
    let files = folder(&[("hosts", &list)]);
    let urls = "http://www.host0.example.org/\nhttp://www.host7.example.org/\n\
        http://www.host99999.example.org/\n";
    ends(run(within(&files, &["--host", "@hosts"]), text.as_bytes()), 0, urls);
}

#[test]
fn what_is_no_pattern_is_refused() {
    for args in [["--match", "a("], ["--exclude", "a("], ["--host", "a[b"], ["--glob", "a[b"]] {
        let ran = run(urlgrep(&args), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        assert!(ran.stderr.starts_with(&format!("urlgrep: {}: ", args[0])), "{}", ran.stderr);
        assert!(ran.stderr.contains(args[1]) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
}

/// The URLs of one header field have a name of their own.
#[test]
fn where_to_unsubscribe() {
    let mail = "From: a@h.org\nList-Help: <http://h.org/help>\nlist-unsubscribe: <mailto:u@h.org>, <http://h.org/u>\n\
        Subject: List-Unsubscribe: http://h.org/s\n\nhttp://h.org/b\n";
    let ran = run(urlgrep(&["--role=unsubscribe"]), mail.as_bytes());
    assert_eq!(ran.stdout, "mailto:u@h.org\nhttp://h.org/u\n");
    let ran = run(urlgrep(&["--links", "--role=text,unsubscribe"]), mail.as_bytes());
    assert_eq!(ran.stdout, "mailto:u@h.org\nhttp://h.org/u\nhttp://h.org/b\n");
}
