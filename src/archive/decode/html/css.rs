//! The URLs in a style sheet: `url(…)`, and the string after `@import` (CSS Syntax 3 §4.3.6,
//! CSS Cascade 5 §2).
//!
//! Comments are skipped. A URL with a backslash, an escape of CSS, is left out.

use std::ops::Range;

use memchr::{memchr, memchr3, memmem};

use super::tag::is_space;

/// Calls `each` with the range of every URL.
pub(super) fn urls(css: &[u8], mut each: impl FnMut(Range<usize>)) {
    let mut at = 0;
    // Whether every later comment has no end.
    let mut open = false;
    while let Some(n) = css.get(at..).and_then(|rest| memchr3(b'(', b'@', b'/', rest)) {
        let mark = at + n;
        at = mark + 1;
        match css[mark] {
            b'/' if !open && css.get(at) == Some(&b'*') => match memmem::find(&css[at + 1..], b"*/") {
                Some(len) => at += 1 + len + 2,
                None => open = true,
            },
            b'(' if is_url_function(&css[..mark]) => at = value(css, skip_space(css, at), b')', &mut each),
            b'@' if begins_with(&css[at..], b"import") => {
                let start = skip_space(css, at + 6);
                if matches!(css.get(start), Some(b'"' | b'\'')) {
                    at = value(css, start, b';', &mut each);
                }
            }
            _ => {}
        }
    }
}

/// Whether `before` ends in the name of the function.
fn is_url_function(before: &[u8]) -> bool {
    let name = before.len().checked_sub(3).map(|at| before.split_at(at));
    name.is_some_and(|(before, name)| {
        let is_word = |&b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        name.eq_ignore_ascii_case(b"url") && !before.last().is_some_and(is_word)
    })
}

/// Reads the value at `start`, with or without quotation marks; returns where it ends.
fn value(css: &[u8], start: usize, close: u8, each: &mut impl FnMut(Range<usize>)) -> usize {
    let rest = &css[start..];
    let range = match rest.first() {
        Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &rest[1..]) {
            Some(len) => start + 1..start + 1 + len,
            None => return start + 1,
        },
        _ => match rest.iter().position(|&b| b == close || is_space(b)) {
            Some(len) => start..start + len,
            None => return start,
        },
    };
    let url = &css[range.clone()];
    if !url.is_empty() && !url.iter().any(|b| matches!(b, b'\\' | b'\n' | b'\r' | b'(')) {
        each(range.clone());
    }
    range.end
}

fn skip_space(css: &[u8], at: usize) -> usize {
    at + css.get(at..).unwrap_or_default().iter().take_while(|&&b| is_space(b)).count()
}

fn begins_with(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(css: &str) -> Vec<&str> {
        let mut found = Vec::new();
        urls(css.as_bytes(), |range| found.push(&css[range]));
        found
    }

    #[test]
    fn functions_and_imports() {
        assert_eq!(found("a{background:url(x:a) no-repeat, URL( 'x:b' )}"), ["x:a", "x:b"]);
        assert_eq!(found("@import \"x:a\"; @IMPORT url(x:b) print; @import 'x:c'"), ["x:a", "x:b", "x:c"]);
        assert_eq!(found("src: url(x:a?#iefix) format('eot'),\nurl(\"x:b\")"), ["x:a?#iefix", "x:b"]);
    }

    #[test]
    fn no_urls() {
        for css in [
            "/* url(x:a) */",
            "curl(x:a)",
            "url()",
            "url(",
            "url('x:a",
            "url(x:\\a)",
            "@import",
            "@import ",
            "@import x:a;",
            "(",
            "/*",
        ] {
            assert_eq!(found(css), [""; 0], "{css}");
        }
        assert_eq!(found("/* a url(x:a)"), ["x:a"]);
        assert_eq!(found("/**/url(x:a)/* url(x:b) */ url(x:c)"), ["x:a", "x:c"]);
    }
}
