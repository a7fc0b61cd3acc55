//! What is found, and how much of it.

use super::{ends, folder, prints, run, within};

#[test]
fn the_appendix_s_own_example() {
    let input = b"   Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\n   \
        type=d> but you can probably pick it up from <URL:ftp://ds.in\n   \
        ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.\n   \
        net/instructions/overview.html#WARNING>.\n";
    let urls = "ftp://info.cern.ch/pub/www/doc;type=d\n\
        ftp://ds.internic.net/rfc\n\
        http://ds.internic.net/instructions/overview.html#WARNING\n";
    prints(&[], input, urls);
    prints(&["--input", "text"], input, urls);
    prints(&["-"], input, urls);
    prints(&["-o"], input, urls);
}

#[test]
fn nothing_is_found() {
    prints(&[], b"", "");
    prints(&[], b"std::io and the news: nothing\n", "");
}

#[test]
fn join() {
    let input = b"<URL:http://h.org/a\n  /b>\n";
    prints(&["--join", "none"], input, "http://h.org/a\n");
    prints(&["--join", "delimited"], input, "http://h.org/a/b\n");
    let input = b"This is a paragraph whose lines are all filled up to the same width, as it\n\
        happens in mail, and the next of them has a URL that was cut there, so it\n\
        goes on: see http://h.org/archive/1996/messages/by-thread/00000/index-of-\n\
        all-threads_00001.html and what follows it in the rest of this paragraph.\n";
    prints(&[], input, "http://h.org/archive/1996/messages/by-thread/00000/index-of-\n");
    prints(
        &["--join=likely"],
        input,
        "http://h.org/archive/1996/messages/by-thread/00000/index-of-all-threads_00001.html\n",
    );
}

#[test]
fn hyphen() {
    let input = b"<URL:http://h.org/foo-\nbar>\n";
    prints(&[], input, "http://h.org/foo-bar\n");
    prints(&["--hyphen=keep"], input, "http://h.org/foo-bar\n");
    prints(&["--hyphen=drop"], input, "http://h.org/foobar\n");
    let both = "http://h.org/foo-bar\nhttp://h.org/foobar\n";
    prints(&["--hyphen=both"], input, both);
    prints(&["--hyphen=both", "-m1"], input, "http://h.org/foo-bar\n");
}

#[test]
fn grade() {
    let input = b"http://h.org/a http://h.org/~me/ http://h.org/{x}\n";
    let (strict, generic, lenient) = ("http://h.org/a\n", "http://h.org/~me/\n", "http://h.org/{x}\n");
    prints(&["--grade", "rfc1738"], input, strict);
    prints(&["--grade", "rfc3986"], input, &[strict, generic].concat());
    let all = [strict, generic, lenient].concat();
    prints(&["--grade", "lenient"], input, &all);
    prints(&[], input, &all);
}

#[test]
fn scheme() {
    let input = b"http://h.org/a FTP://h.org/b mailto:c@h.org x-new:d\n";
    prints(&["--scheme", "ftp"], input, "FTP://h.org/b\n");
    let two = "FTP://h.org/b\nmailto:c@h.org\n";
    prints(&["--scheme", "MAILTO,ftp"], input, two);
    prints(&["--scheme", "mailto, ftp"], input, two);
    prints(&["--scheme", "mailto", "--scheme", "ftp"], input, two);
    // It only filters: without `//` a scheme that is not known is none.
    prints(&["--scheme", "x-new"], b"x-new:d x-new://h.org/e http://h.org/a\n", "x-new://h.org/e\n");
}

#[test]
fn max_len() {
    let input = b"http://h.org/abcdef http://h.org/ab\n";
    prints(&["--max-len", "16"], input, "http://h.org/ab\n");
    let both = "http://h.org/abcdef\nhttp://h.org/ab\n";
    prints(&["--max-len", "24"], input, both);
}

#[test]
fn max_count_is_of_each_file() {
    let files = folder(&[
        ("a", "http://a.org/1 http://a.org/2 http://a.org/3"),
        ("b", "http://b.org/1 http://b.org/2"),
    ]);
    ends(
        run(within(&files, &["-m2", "-I", "a", "b"]), b""),
        0,
        "http://a.org/1\nhttp://a.org/2\nhttp://b.org/1\nhttp://b.org/2\n",
    );
    ends(run(within(&files, &["--max-count=0", "a"]), b""), 1, "");
}

/// What is not read after them is not named, however many threads there are.
#[test]
fn nothing_follows_enough_matches() {
    let head = "Subject: http://h.org/1\nMIME-Version: 1.0\nContent-Type: application/pkcs7-mime\n";
    let files = folder(&[
        ("a.eml", &format!("{head}Content-Transfer-Encoding: base64\n\nAAAA\n")),
        ("b", "http://h.org/2\n"),
    ]);
    for threads in ["-j1", "-j2"] {
        let ran = run(within(&files, &[threads, "-m1", "-I", "a.eml", "b"]), b"");
        assert_eq!(ran.stderr, "", "{threads}");
        ends(ran, 0, "http://h.org/1\nhttp://h.org/2\n");
    }
}

#[test]
fn unique_is_of_the_whole_run() {
    let files = folder(&[
        ("a", "http://h.org/1\nhttp://h.org/2\nhttp://h.org/1\n"),
        ("b", "http://h.org/2\nhttp://h.org/3\nHTTP://h.org/3\n"),
    ]);
    ends(
        run(within(&files, &["-un", "a", "b"]), b""),
        0,
        "a:1:http://h.org/1\na:2:http://h.org/2\nb:2:http://h.org/3\nb:3:HTTP://h.org/3\n",
    );
    ends(
        run(within(&files, &["-uc", "a", "b", "a"]), b""),
        0,
        "4:http://h.org/1\n3:http://h.org/2\n1:http://h.org/3\n1:HTTP://h.org/3\n",
    );
    ends(run(within(&files, &["-uc", "--grade=rfc1738", "--scheme=ftp", "a"]), b""), 1, "");
    ends(
        run(within(&files, &["--unique", "-m1", "-I", "a", "b"]), b""),
        0,
        "http://h.org/1\nhttp://h.org/2\n",
    );
    // More of one URL than a batch has matches do not count.
    let many = |n: usize| {
        format!("{}http://h.org/b{n}\nhttp://h.org/c{n}\n", format!("http://h.org/a{n}\n").repeat(20_000))
    };
    let files = folder(&[("a", &many(1)), ("b", &many(2))]);
    for threads in ["-j1", "-j2", "-j4"] {
        ends(
            run(within(&files, &["--unique", "-m2", threads, "-I", "a", "b"]), b""),
            0,
            "http://h.org/a1\nhttp://h.org/b1\nhttp://h.org/a2\nhttp://h.org/b2\n",
        );
    }
}

#[test]
fn options_may_be_repeated_and_the_last_one_counts() {
    let input = b"http://h.org/~me/\n";
    prints(&["-n", "-n", "--grade=rfc1738", "--grade=rfc3986"], input, "1:http://h.org/~me/\n");
}
