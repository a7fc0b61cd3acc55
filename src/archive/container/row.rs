//! Concatenated messages without separators: a folder that was saved as one file, or several that
//! were put together.
//!
//! A text may contain the headers of other messages, which are forwarded, quoted or returned; in real mail, none of 85
//! such headers began a new message. So a message begins only after an empty line and outside of every multipart, with
//! a field that programs write first or that the file itself begins with; it contains the fields that all mail
//! contains; and the line before does not announce it.

use std::cell::LazyCell;

use memchr::memmem;

use super::mail;
use crate::archive::delimiter::{after_boundary, content, delimiters};
use crate::archive::header::{HeaderField, HeaderFields, after_empty_line, begins_with, line_end};
use crate::simd::lines::next_line;

/// The possible first fields of a delivered message.
const FIRST: [&[u8]; 3] = [b"return-path", b"received", b"delivered-to"];

/// The number of header bytes that are examined.
const MAX_EXAMINED: usize = 16 * 1024;

/// Returns the offset at which the message after the first one of `bytes` begins, in a file that begins
/// with the lines `opening`.
pub(super) fn next(bytes: &[u8], opening: &[u8]) -> Option<usize> {
    let mut names = HeaderFields::new(opening, 0).map(|field| field.name(opening));
    // The file's own field; `None` after the line that rn writes before an article, and empty without a field.
    let own = (!is_article(opening)).then(|| names.find(|name| !name.is_empty()).unwrap_or_default());
    // The first letters of these fields, and of the file's own field.
    let letter = own.map_or(b'A', |name| name.first().copied().unwrap_or(b'R'));
    let first = [b'R', b'r', b'D', b'd', letter, letter ^ 0x20];
    let after = |&at: &usize| next_line(bytes, at, first);
    // Hardly any text contains another header, so the parts of the first message are read last.
    let own_end = LazyCell::new(|| after_parts(bytes));
    std::iter::successors(after(&0), after).find(|&at| {
        after_empty_line(bytes, at)
            && begins(&bytes[at..], own)
            && own_end.is_some_and(|end| at > end)
            && !is_announced(&bytes[..at])
    })
}

/// Returns true if `bytes` begin with the header of another message in a file that begins with the field `own`.
fn begins(bytes: &[u8], own: Option<&[u8]>) -> bool {
    let near = &bytes[..bytes.len().min(MAX_EXAMINED)];
    let head = match own {
        None if is_article(near) => &near[line_end(near, 0)..],
        _ => near,
    };
    let mut fields = HeaderFields::new(head, 0).map(|field: HeaderField| field.name(head));
    let Some(first) = fields.next() else { return false };
    let is = |name: &[u8], known: &[u8]| name.eq_ignore_ascii_case(known);
    let is_own = own.map_or(head.len() < near.len(), |own| is(first, own));
    if first.is_empty() || !is_own && !FIRST.iter().any(|known| is(first, known)) {
        return false;
    }
    let names: Vec<&[u8]> = std::iter::once(first).chain(fields).collect();
    // A quotation is often folded again, so that some of its lines are not fields.
    if names.iter().any(|name| name.is_empty()) {
        return false;
    }
    let has = |known: &[u8]| names.iter().any(|name| is(name, known));
    // Return-Path traces a message as Received does (RFC 5322 §3.6.7).
    has(b"from") && has(b"date") && (has(b"message-id") || has(b"received") || is(first, b"return-path"))
}

/// Returns true if `bytes` begin with the line that rn writes before an article: `Article 12 of
/// rec.crafts:`.
fn is_article(bytes: &[u8]) -> bool {
    if !bytes.starts_with(b"Article ") {
        return false;
    }
    let line = bytes[..line_end(bytes, 0)].trim_ascii_end();
    let words: Vec<&[u8]> = line.splitn(5, |&b| b == b' ').collect();
    matches!(words[..], [b"Article", number, b"of", [group @ .., b':']]
        if !number.is_empty() && number.iter().all(u8::is_ascii_digit) && !group.is_empty())
}

/// Returns the end of the parts of the first message in `bytes`, or of its header if it has no parts; `None` if they do
/// not end, or if the header is quoted from another message.
fn after_parts(bytes: &[u8]) -> Option<usize> {
    let mut fields = HeaderFields::new(bytes, 0);
    let kind = fields.by_ref().find(|field| field.is(bytes, b"content-type"));
    let body = fields.into_body();
    let value = kind.as_ref().map_or(&b""[..], |kind| kind.value(bytes).trim_ascii_start());
    if begins_with(value, b"message/") {
        return None;
    }
    let Some(boundary) = mail::boundary(value) else { return Some(body.saturating_sub(1)) };
    let mut lines = delimiters(bytes, body);
    let closing = |line: &[u8]| after_boundary(content(line), &boundary) == Some(b"--");
    lines.find(|line| closing(&bytes[line.clone()])).map(|line| line.start)
}

/// Returns true if the last line of a text announces that the following message is quoted,
/// forwarded or returned.
fn is_announced(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let line = &text[memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)..];
    let lower = line[..line.len().min(MAX_EXAMINED)].to_ascii_lowercase();
    let marks: [&[u8]; 4] = [b"---", b"===", b"forward", b"original message"];
    line.ends_with(b":")
        || line.starts_with(b">")
        || marks.iter().any(|mark| memmem::find(&lower, mark).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str =
        "From: a@h.org\nDate: Mon, 2 Jan 2023 10:00:00 +0000\nMessage-ID: <1@h.org>\n\none\n\n";

    fn splits(first: &str, second: &str) -> bool {
        let file = format!("{first}{second}");
        match next(file.as_bytes(), file.as_bytes()) {
            Some(at) => {
                assert_eq!(at, first.len(), "{file}");
                true
            }
            None => false,
        }
    }

    #[test]
    fn heads_of_new_messages() {
        for second in [
            FIRST,
            "from: a\nReceived: x\nDate: y\n\n",
            "Received: x\n y\nDate: z\nFrom: a\n\n",
            "Return-Path: <a@h.org>\nFrom: b\nDate: c\n\n",
            "Delivered-To: a\nReceived: b\nFrom: c\nDate: d\n\n",
        ] {
            assert!(splits(FIRST, second), "{second}");
            assert!(splits(&FIRST.replace('\n', "\r\n"), &second.replace('\n', "\r\n")), "{second}");
        }
    }

    /// Each of the fields that programs write first, after a message that begins with another one.
    #[test]
    fn first_fields_in_each_letter_case() {
        for name in super::FIRST.map(|name| str::from_utf8(name).unwrap()) {
            for name in
                [name.to_owned(), name.to_uppercase(), [&name[..1].to_uppercase(), &name[1..]].concat()]
            {
                assert!(splits(FIRST, &format!("{name}: x\n{FIRST}")), "{name}");
            }
        }
    }

    #[test]
    fn heads_in_texts() {
        for second in [
            "From: a\nDate: b\n\n",
            "From: a\nMessage-ID: <2@h.org>\n\n",
            "Subject: a\nFrom: a\nDate: b\nMessage-ID: <2@h.org>\n\n",
            "Received: x\nMessage-ID: <2@h.org>\nDate: z\n\n",
            "From: a\n\nDate: b\nMessage-ID: <2@h.org>\n\n",
            "Received: x\n by y;\n+0100\nFrom: a\nDate: b\nMessage-ID: <2@h.org>\n\n",
        ] {
            assert!(!splits(FIRST, second), "{second}");
        }
        for before in [
            "he wrote:\n\n",
            "--- copy ---\n\n",
            "=====\n\n",
            "> quoted\n\n",
            "Begin FORWARDED text\n\n",
            "an Original Message\n\n",
            "no empty line\n",
        ] {
            assert!(!splits(&format!("{FIRST}{before}"), FIRST), "{before}");
        }
    }

    #[test]
    fn inside_parts() {
        let head =
            FIRST.replace("\n\none\n\n", "\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none\n\n");
        assert!(!splits(&head, FIRST));
        assert!(!splits(&format!("{head}--b\n\ntwo\n\n"), FIRST));
        assert!(splits(&format!("{head}--b--\n\n"), FIRST));
        assert!(!splits("From: a\nContent-Type: message/rfc822\n\n", FIRST));
    }

    #[test]
    fn articles_of_rn() {
        let article = |n| {
            format!(
                "Article {n} of rec.crafts:\nPath: h!a\nFrom: a\nDate: b\nMessage-ID: <{n}@h.org>\n\none\n\n"
            )
        };
        assert!(splits(&article(12), &article(13)));
        assert!(!splits(FIRST, &article(13)));
        assert!(!splits(&article(12), "Path: h!a\nFrom: a\nDate: b\nMessage-ID: <1@h.org>\n\n"));
        assert!(!splits(
            &article(12),
            "Article 13 of rec.crafts is\nFrom: a\nDate: b\nMessage-ID: <1@h.org>\n\n"
        ));
    }
}
