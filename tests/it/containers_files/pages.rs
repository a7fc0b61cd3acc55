//! Pages of messages in the archives of lists, and other pages between them.

use urlgrep::Finder;
use urlgrep::archive::Archive;

use crate::make::encode::gzip;
use crate::make::{POSIX, tar, zip};

/// Two messages, a page of neither, a message in a fragment of a page, and mail.
const PAGES: [(&str, &str); 5] = [
    (
        "msg00001.html",
        "<!-- MHonArc v2.4.3 -->\n<!--X-Subject: one -->\n<!--X-Date: Fri, 2 Mar 2001 10:11:12 +0100 -->\n\
         <!--X-Head-End-->\n<HTML><BODY><A HREF=\"http://h.org/1\">a</A> http://h.org/2</BODY></HTML>\n",
    ),
    ("index.html", "<html><body><!-- index --><a href=\"http://h.org/3\">a</a></body></html>\n"),
    (
        "0001.html",
        "<html><body>\n<!-- received=\"Fri Mar  2 10:11:12 2001\" -->\n<!-- subject=\"three\" -->\n\
         <!-- body=\"start\" -->\n<a href=\"http://h.org/4\">a</a></body></html>\n",
    ),
    (
        "0002.php",
        "<? include(\"head.inc\"); ?>\n<!-- received=\"Fri Mar  2 10:11:12 2001\" -->\n<!-- subject=\"four\" -->\n\
         <div class=\"center\">http://h.org/5</div>\n",
    ),
    ("1", "From: a@h.org\nSubject: five\n\nhttp://h.org/6\n"),
];

/// The subject that each URL of [`PAGES`] has, and its media type.
const SUBJECTS: [(&str, Option<&str>, Option<&str>); 6] = [
    ("http://h.org/1", Some("one"), Some("text/html")),
    ("http://h.org/2", Some("one"), Some("text/html")),
    ("http://h.org/3", None, None),
    ("http://h.org/4", Some("three"), Some("text/html")),
    ("http://h.org/5", Some("four"), Some("text/html")),
    ("http://h.org/6", Some("five"), Some("text/plain")),
];

#[track_caller]
fn check(file: &[u8]) {
    let finder = Finder::new();
    let matches = finder.find_in_archive(Archive::new(file).unwrap()).map(Result::unwrap);
    let found: Vec<_> = matches
        .map(|m| {
            let subject = m.context().unwrap().envelope().and_then(|envelope| envelope.subject());
            (m.to_string(), subject, m.context().unwrap().content_type().map(String::from))
        })
        .collect();
    let expected = SUBJECTS
        .map(|(url, subject, kind)| (url.to_owned(), subject.map(str::to_owned), kind.map(str::to_owned)));
    assert_eq!(found, expected);
}

#[test]
fn each_page_has_its_own_head() {
    let files: Vec<_> =
        PAGES.iter().map(|(name, page)| ((*name).to_owned(), page.as_bytes().to_vec())).collect();
    check(&tar(&files, POSIX));
    check(&zip(&files));
    check(&gzip(&tar(&files, POSIX)));
    let gzipped: Vec<_> = files.iter().map(|(name, page)| (format!("{name}.gz"), gzip(page))).collect();
    check(&zip(&gzipped));
}
