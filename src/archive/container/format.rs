//! What an archive is, told by how it begins.
//!
//! The first lines decide, and nothing else: a file's name says little, and a
//! pipe has none.
//!
//! | the file begins with | it is |
//! |---|---|
//! | a separator of an mbox and a header field | [`Mbox`](Format::Mbox) |
//! | `#! rnews N` | [`Rnews`](Format::Rnews) |
//! | two header fields that only mail and news have, others between them or not, perhaps behind a line of something else | [`Mail`](Format::Mail) |
//! | tags or a document type of HTML, comments before them or not | [`Html`](Format::Html) |
//! | anything else | [`Text`](Format::Text) |
//!
//! Empty lines and a byte order mark before that do not count.

use super::mbox::{self, Verdict};
use super::rnews;
use crate::archive::header::{Fields, fold_end, may_become_field};

/// How much of a file is looked at, in bytes.
const ENOUGH: usize = 64 * 1024;

/// What an archive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Text without any structure.
    Text,
    /// One message: a file of a Maildir, of an MH folder, of a news spool.
    Mail,
    /// Messages behind `From ` lines (RFC 4155, and those who came before it).
    Mbox,
    /// A batch of news articles behind `#! rnews` lines.
    Rnews,
    /// A page of HTML.
    Html,
}

/// A byte order mark in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Fields that tell mail and news from other texts with colons; in lower case.
const TELLING: [&[u8]; 24] = [
    b"article-i.d.",
    b"content-transfer-encoding",
    b"content-type",
    b"date",
    b"delivered-to",
    b"dkim-signature",
    b"envelope-to",
    b"from",
    b"in-reply-to",
    b"list-id",
    b"message-id",
    b"mime-version",
    b"newsgroups",
    b"path",
    b"posting-version",
    b"received",
    b"references",
    b"relay-version",
    b"reply-to",
    b"return-path",
    b"sender",
    b"subject",
    b"to",
    b"xref",
];

/// What begins HTML behind a `<`; in lower case.
const HTML: [&[u8]; 10] = [
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
];

/// What a file is that begins with `bytes`; `None` if more of it is needed to
/// tell. `last` says that this is all.
pub(crate) fn recognise(bytes: &[u8], last: bool) -> Option<Format> {
    let last = last || bytes.len() >= ENOUGH;
    let start = beginning(bytes);
    let rest = &bytes[start..];
    if !last && may_begin_later(bytes) {
        return None;
    }
    if rest.starts_with(b"<") {
        return html(rest, last);
    }
    let cut = !rest.contains(&b'\n') && !last;
    if (rest.starts_with(b"#! rnews ") || b"#! rnews ".starts_with(rest)) && cut {
        return None;
    }
    if rnews::begins(rest) {
        return Some(Format::Rnews);
    }
    match mbox::separates(rest, 0) {
        Verdict::Yes => Some(Format::Mbox),
        Verdict::Unknown if !last => None,
        Verdict::Unknown | Verdict::No => recognise_mail(rest, last),
    }
}

/// Where the first line begins that counts.
pub(crate) fn beginning(bytes: &[u8]) -> usize {
    let mark = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    mark + line_ends(&bytes[mark..])
}

/// How many bytes of line ends `bytes` begin with.
pub(crate) fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&b| matches!(b, b'\r' | b'\n')).count()
}

/// Whether `bytes` may be only the first of a byte order mark.
pub(crate) fn may_be_mark(bytes: &[u8]) -> bool {
    MARK.starts_with(bytes)
}

/// Whether more bytes could move [`beginning`].
fn may_begin_later(bytes: &[u8]) -> bool {
    beginning(bytes) == bytes.len() || may_be_mark(bytes)
}

/// Whether this is a message, or text.
pub(crate) fn recognise_mail(bytes: &[u8], last: bool) -> Option<Format> {
    // The first line may be the one that separated it from other messages.
    let mut fields = Fields::new(bytes, 0);
    let mut telling = 0;
    for field in &mut fields {
        let whole = last || field.range.end < bytes.len();
        let name = field.name(bytes);
        // Only the first line may be damaged.
        if name.is_empty() && whole && field.range.start > 0 {
            return Some(Format::Text);
        }
        if TELLING.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            telling += 1;
        }
        if telling == 2 {
            return Some(Format::Mail);
        }
    }
    // The last line may go on, or look different when it does; the first decides
    // nothing by itself.
    let mut unread = &bytes[fields.end()..];
    if fields.end() == 0 {
        unread = &unread[fold_end(unread, 0)..];
    }
    let complete = last || unread.contains(&b'\n') || !may_become_field(unread);
    complete.then_some(Format::Text)
}

fn html(bytes: &[u8], last: bool) -> Option<Format> {
    let mut rest = bytes;
    loop {
        rest = rest.trim_ascii_start();
        let close = match rest {
            [b'<', b'!', b'-', b'-', ..] => &b"-->"[..],
            [b'<', b'?', ..] => b"?>",
            _ => break,
        };
        match memchr::memmem::find(rest, close) {
            Some(n) => rest = &rest[n + close.len()..],
            None => return last.then_some(Format::Text),
        }
    }
    let Some(tag) = rest.strip_prefix(b"<") else {
        return (last || !rest.is_empty()).then_some(Format::Text);
    };
    let begins = |name: &&[u8]| {
        let ends = |&b: &u8| !b.is_ascii_alphanumeric();
        tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            && tag.get(name.len()).map_or(last, ends)
    };
    if HTML.iter().any(begins) {
        return Some(Format::Html);
    }
    (last || tag.len() > 16).then_some(Format::Text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a text is, also if it comes in pieces.
    #[track_caller]
    fn check(text: &str, format: Format) {
        let bytes = text.as_bytes();
        assert_eq!(recognise(bytes, true), Some(format), "{text:?}");
        for cut in 0..bytes.len() {
            let early = recognise(&bytes[..cut], false);
            assert!(early.is_none() || early == Some(format), "{cut} bytes of {text:?}: {early:?}");
        }
    }

    #[test]
    fn mbox_and_batches() {
        check("From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\nb", Format::Mbox);
        check("\n\nFrom -3405672143\nFrom: a@h.org\n\nb", Format::Mbox);
        check("#! rnews 128\nPath: x!y\n", Format::Rnews);
        check("#! rnews is what it is\n", Format::Text);
    }

    #[test]
    fn messages() {
        check("From: a@h.org\nX-Y: z\nSubject: b\n\nc", Format::Mail);
        check("\u{feff}Received: from h.org\n by h.org\nMessage-ID: <1@h.org>\n\nc", Format::Mail);
        check("garb\u{e4}ge\nReturn-Path: <a@h.org>\nSubject: b\n\n", Format::Mail);
        check("From a@h.org\nReturn-Path: <a@h.org>\nSubject: b\n\n", Format::Mbox);
        check("X-A: b\nX-C: d\n\nFrom: a\nTo: b\n", Format::Text);
    }

    #[test]
    fn a_first_line_that_is_damaged() {
        check("From-a\n b c\nMessage-ID: <1@h.org>\nDate: today\n", Format::Mail);
    }

    #[test]
    fn what_only_looks_like_it() {
        check("From here to there", Format::Text);
        check("Subject: this is a memo\n\nTo: do", Format::Text);
        check("Note: http://h.org/\nand so on\n", Format::Text);
        check("int main(void)\n", Format::Text);
        check("", Format::Text);
        check("\n\n", Format::Text);
        check("< 3", Format::Text);
        check("<URL:http://h.org/>", Format::Text);
        check("<headline>", Format::Text);
    }

    #[test]
    fn pages() {
        check("<html><body>", Format::Html);
        check("\n<!-- MHonArc v2.6 -->\n<!DOCTYPE HTML PUBLIC \"x\">", Format::Html);
        check("<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html>", Format::Html);
        check("<TITLE>x</TITLE>\n", Format::Html);
        check("<!-- a comment without end", Format::Text);
    }

    proptest! {
        #[test]
        fn more_does_not_change_what_is_known(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "\n", "\r\n", " ", ":", "From", "From ", "a@h.org", " Fri Mar  2 10:11:12 2001", "-1234", "To", "garb",
                    "Subject: b", "\n ", "\u{1b}", "#! rnews ", "12", "<", "html", "!--", "-->", "\u{feff}", ">From ", "\u{e4}",
                ]),
                0..12,
            ),
        ) {
            let text = pieces.concat();
            let bytes = text.as_bytes();
            let whole = recognise(bytes, true);
            for cut in 0..=bytes.len() {
                let early = recognise(&bytes[..cut], false);
                prop_assert!(early.is_none() || early == whole, "{} bytes: {:?}, then {:?}", cut, early, whole);
            }
        }
    }

    #[test]
    fn what_has_no_end() {
        let text = "a".repeat(2 * ENOUGH);
        assert_eq!(recognise(text.as_bytes(), false), Some(Format::Text));
        let head = format!("X-Long:{}", "\n b".repeat(ENOUGH));
        assert_eq!(recognise(head.as_bytes(), false), Some(Format::Text));
    }
}
