//! Which URLs are plain, and which are left to the rules.

use super::*;
use crate::simd::{Kernel, Simd};

struct Around<'b>(&'b [u8], usize);

impl Kernel for Around<'_> {
    type Output = Option<Plain>;

    fn run<B: Backend>(self, backend: B) -> Option<Plain> {
        around(backend, self.0, self.1)
    }
}

/// The plain URL in `text`, with its brackets, if there is one. Prose is put around
/// the text.
fn plain(text: &str) -> Option<String> {
    let text = format!("some prose{text}{}", " and".repeat(40));
    let colon = text.find(':')?;
    let [plain, same] =
        [Simd::detect(), Simd::generic()].map(|simd| simd.run(Around(text.as_bytes(), colon)));
    assert_eq!(plain, same);
    let plain = plain?;
    Some(text[plain.span(colon)].to_owned())
}

#[test]
fn what_is_plain() {
    let long = format!("http://h.org/{}&b?c", "a".repeat(WIDTH));
    for (text, url) in [
        (&*format!(" {long} "), &*long),
        (" http://h.org/a ", "http://h.org/a"),
        ("\nftp://h.org/pub/\n", "ftp://h.org/pub/"),
        ("\r\n  https://www.h-1.org\r\n", "https://www.h-1.org"),
        ("(http://h.org/a)", "http://h.org/a"),
        ("\"http://h.org/a?b=c&d=e\"", "http://h.org/a?b=c&d=e"),
        ("<http://h.org/a.>", "<http://h.org/a.>"),
        (" http://h/a, ", "http://h/a"),
        ("\n> AB> http://h.org/a\n", "http://h.org/a"),
        (" b/\nhttp://h.org/a\n", "http://h.org/a"),
        (" (+http://h.org:80/a)", "http://h.org:80/a"),
        (" http://h:8080, ", "http://h:8080"),
        (" http://h ", "http://h"),
        (" http://h/a,ftp://h/b ", "http://h/a"),
        ("<http://h/a <b>", "http://h/a"),
        ("<URL:http://h/a\n<b>", "URL:http://h/a"),
        ("\"http://h/a b\"", "http://h/a"),
        ("\"http://h/a\n\"", "http://h/a"),
        ("<p>http://h.org/a</p>", "http://h.org/a"),
        (" http://h.org/a.html. ", "http://h.org/a.html"),
        (" <URL:http://h.org/a.>.", "<URL:http://h.org/a.>"),
        (" URL:ftp://h.org/a, ", "URL:ftp://h.org/a"),
        ("(URL:https://h.org/a)", "URL:https://h.org/a"),
    ] {
        assert_eq!(plain(text).as_deref(), Some(url), "{text:?}");
    }
}

#[test]
fn what_the_rules_have_to_decide() {
    let long = format!(" http://h.org/{} ", "a".repeat(2 * WIDTH));
    // The last byte of a word, and the first of the next.
    let [last, next] = [WIDTH - 1, WIDTH].map(|at| {
        let path = "a".repeat(at - "h.org/".len());
        format!(" http://h.org/{path}&gt; ")
    });
    let odd = [&*long, &last, &next];
    for text in FOR_THE_RULES.into_iter().chain(odd) {
        assert_eq!(plain(text), None, "{text:?}");
    }
}

/// Texts with a URL that is not plain, or not certainly.
const FOR_THE_RULES: [&str; 37] = [
    " gopher://h.org/ ",
    "x+http://h.org/ ",
    "é-http://h.org/ ",
    "xhttp://h.org/ ",
    "éhttp://h.org/ ",
    "'http://h.org/a' ",
    "<\n> http://h.org/>",
    "<\nhttp://h.org/>",
    "< http://h.org/>",
    "URL: http://h.org/ ",
    "<http://h.org/ ",
    "<http://h.org/\"a>",
    "<http://h.org/)a>",
    "\"http://h.org/ \n",
    "<URL:http://h.org/ ",
    "<URL:http://h.org/\n> a>",
    "< URL:http://h.org/>",
    "-URL:http://h.org/ ",
    "<url:http://h.org/>",
    "\"http://h.org/a\n",
    " http://h\\",
    " http://www.\" ",
    " http://-h.org/ ",
    " http://h..org/ ",
    " http://h.-org/ ",
    " http://h.org./ ",
    " http://h.org:/ ",
    " http://h.org:80a/ ",
    " http://h.org?b ",
    " http://me@h.org/ ",
    " http://h.org/a- ",
    " http://h.org/a.. ",
    " http://h.org/a(b) ",
    " http://h.org/a,b ",
    " http://h.org/a&lt; ",
    " http://h.org/a?b|c ",
    " http://h.org/a\u{e9} ",
];
