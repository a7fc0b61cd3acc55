//! Markup: an HTML page, XML, or a fragment of either, recognised by its beginning.
//!
//! Prose and logs may begin with a word in angle brackets: `<sigh>`, `<nick> hello`. So a tag
//! without a declaration before it is markup only if it has an attribute, or if another tag
//! follows it: its own end tag in the same line, or any tag directly after it or at the start of
//! the next line that is not empty.

use memchr::memmem;

use super::format::{Format, Framing};
use super::mail::Verdict;
use crate::archive::decode::html::{self, Vocabulary};
use crate::archive::header::begins_with;
use crate::archive::reading::{ReadText, Reading};

/// An HTML page.
pub(super) static HTML: Framing = Framing {
    name: Some(("html", "An HTML page")),
    starts: b"<",
    ..Framing::text(Format::Html, |bytes, last| begins(Format::Html, bytes, last), &PAGE)
};

pub(crate) static PAGE: Reading =
    Reading::of_pages(|bytes, wanted| ReadText::linked(html::read(bytes, wanted)));

static ELEMENTS: Reading = Reading {
    records: Some(&html::ELEMENTS),
    ..Reading::of_pages(|bytes, wanted| ReadText::linked(html::read_as(Vocabulary::Xml, bytes, wanted)))
};

/// XML, or a fragment of it or of HTML.
pub(super) static XML: Framing = Framing {
    starts: b"<",
    ..Framing::text(Format::Xml, |bytes, last| begins(Format::Xml, bytes, last), &ELEMENTS)
};

/// Returns whether `bytes` begin like this format.
fn begins(format: Format, bytes: &[u8], last: bool) -> Verdict {
    if !bytes.starts_with(b"<") {
        return Verdict::No;
    }
    match recognise(bytes, last) {
        Some(recognised) if recognised == format => Verdict::Yes,
        Some(_) => Verdict::No,
        None => Verdict::Unknown,
    }
}

/// The beginnings of HTML after a `<`, in lower case.
const TAGS: [&[u8]; 11] = [
    b"!doctype html",
    b"html",
    b"head",
    b"title",
    b"body",
    b"meta",
    b"base",
    b"link",
    b"frameset",
    b"!doctype\nhtml",
    // The bookmarks that browsers export.
    b"!doctype netscape",
];

/// The length of the longest of these.
const TAG_LEN: usize = 17;

/// Returns the format of an input that begins with `<`, which may be text; `None` if it needs more bytes. `last`
/// means that no more bytes follow.
fn recognise(bytes: &[u8], last: bool) -> Option<Format> {
    let other = if bytes.starts_with(b"<?xml") { Format::Xml } else { Format::Text };
    let Some(rest) = after_comments(bytes) else { return last.then_some(other) };
    let Some(tag) = rest.strip_prefix(b"<") else { return (last || !rest.is_empty()).then_some(other) };
    let begins = |name: &&[u8]| {
        let ends = |&b: &u8| !b.is_ascii_alphanumeric();
        begins_with(tag, name) && tag.get(name.len()).map_or(last, ends)
    };
    if TAGS.iter().any(begins) {
        return Some(Format::Html);
    }
    if !last && tag.len() <= TAG_LEN {
        return None;
    }
    match is_markup(tag) {
        _ if other == Format::Xml => Some(other),
        Verdict::Yes => Some(Format::Xml),
        Verdict::No => Some(Format::Text),
        Verdict::Unknown => last.then_some(Format::Text),
    }
}

/// Returns whether a document type or a tag follows a `<`, and not a word in brackets.
fn is_markup(bytes: &[u8]) -> Verdict {
    if begins_with(bytes, b"!doctype ") {
        return Verdict::Yes;
    }
    let (name, rest) = name(bytes);
    if name.is_empty() {
        return Verdict::No;
    }
    match rest {
        [b'>', rest @ ..] | [b'/', b'>', rest @ ..] => is_between_tags(name, rest),
        [] | [b'/'] => Verdict::Unknown,
        [b, ..] if b.is_ascii_whitespace() => has_attribute(rest.trim_ascii_start()),
        _ => Verdict::No,
    }
}

/// The name of a tag or an attribute at the beginning of `bytes`, and the rest.
pub(super) fn name(bytes: &[u8]) -> (&[u8], &[u8]) {
    let is_in_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'-' | b'_' | b'.');
    let end = bytes.iter().position(|b| !is_in_name(b)).unwrap_or(bytes.len());
    let len = if bytes.first().is_some_and(u8::is_ascii_alphabetic) { end } else { 0 };
    bytes.split_at(len)
}

/// Returns whether the inside of a tag begins with an attribute that has a value.
fn has_attribute(bytes: &[u8]) -> Verdict {
    let (name, rest) = name(bytes);
    match rest.trim_ascii_start() {
        [] => Verdict::Unknown,
        [b'=', ..] if !name.is_empty() => Verdict::Yes,
        _ => Verdict::No,
    }
}

/// Returns whether another tag follows the tag `name`, before any text but its own.
fn is_between_tags(name: &[u8], rest: &[u8]) -> Verdict {
    let text = rest.trim_ascii_start();
    let is_near = text.len() == rest.len() || rest[..rest.len() - text.len()].contains(&b'\n');
    match text {
        [] | [b'<'] => return Verdict::Unknown,
        [b'<', b, ..] if is_near && (b.is_ascii_alphabetic() || matches!(b, b'/' | b'!')) => {
            return Verdict::Yes;
        }
        _ => {}
    }
    let end = memchr::memchr(b'\n', rest);
    let line = &rest[..end.unwrap_or(rest.len())];
    match memmem::find(line, &[b"</", name, b">"].concat()) {
        Some(_) => Verdict::Yes,
        None if end.is_none() => Verdict::Unknown,
        None => Verdict::No,
    }
}

/// The bytes after comments, processing instructions and whitespace; `None` if one of
/// them does not end.
pub(super) fn after_comments(mut bytes: &[u8]) -> Option<&[u8]> {
    loop {
        bytes = bytes.trim_ascii_start();
        let close = match bytes {
            [b'<', b'!', b'-', b'-', ..] => &b"-->"[..],
            [b'<', b'?', ..] => b"?>",
            _ => return Some(bytes),
        };
        bytes = &bytes[memmem::find(bytes, close)? + close.len()..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Format) {
        assert_eq!(recognise(text.as_bytes(), true), Some(expected), "{text:?}");
        for cut in 1..text.len() {
            let early = recognise(&text.as_bytes()[..cut], false);
            assert!(early.is_none() || early == Some(expected), "{cut} bytes of {text:?}: {early:?}");
        }
    }

    #[test]
    fn fragments() {
        for text in [
            "<p>See <a href=\"http://h.org/\">a</a>.</p>\n",
            "<div class=\"a\">\n<p>b",
            "<table border=0 width='9'>\n",
            "<ul>\n  <li>a",
            "<li><a href=a>b</a>",
            "<rss version=\"2.0\"><channel>",
            "<!-- a --><w:p a = \"b\"/>",
            "<!DOCTYPE rfc SYSTEM \"rfc2629.dtd\">\n<rfc>",
            "<?xml-stylesheet href=\"a\"?><a><b/></a>",
            "<br/><br/>",
            "<a></a>",
        ] {
            check(text, Format::Xml);
        }
    }

    /// As soon as a text cannot become markup, no more of it is read.
    #[test]
    fn early() {
        for (text, expected) in [
            ("<!-- a -->", None),
            ("<!-- a --> ", None),
            ("<!-- a -->b", Some(Format::Text)),
            ("<!-- a -->\n<", None),
            ("<bob, see the list of URLs", Some(Format::Text)),
        ] {
            assert_eq!(recognise(text.as_bytes(), false), expected, "{text}");
        }
    }

    #[test]
    fn words_in_brackets() {
        for text in [
            "<nick> see http://h.org/?a&amp;b\n<other> ok\n",
            "<nick> <b>hello</b>\n",
            "<sigh>\nnot this <b>again</b>",
            "<bob> said = asked",
            "<URL:http://h.org/?a=b>\n<a b=\"c\">",
            "<http://h.org/a>\n<b>",
            "<a@h.org>\n<b>c</b>",
            "<foo.h> and <bar.h>\n",
            "< a b=\"c\">",
            "<a b, c=\"d\">",
            "<p",
            "<p>",
        ] {
            check(text, Format::Text);
        }
    }
}
