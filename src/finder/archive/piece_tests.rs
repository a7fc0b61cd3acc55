//! Messages in pieces: the matches of the pieces are those of the whole message.

use std::ops::Range;
use std::path::PathBuf;

use proptest::prelude::*;

use crate::Finder;
use crate::archive::{Format, Limits, ReadOptions, Reader};
use crate::bytes::position::Position;

/// A match, and what is known of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    url: String,
    span: Range<u64>,
    segments: Vec<Range<u64>>,
    position: Option<Position>,
    index: u64,
    id: Option<String>,
    part: Option<String>,
    content_type: Option<String>,
    header: Option<String>,
}

/// The matches in a file whose messages are cut at these limits; `None`: at none.
fn matches(file: &[u8], format: Option<Format>, limits: Option<Limits>, attachments: bool) -> Vec<Found> {
    let finder = Finder::new();
    let options = ReadOptions { line_numbers: true, attachments, ..ReadOptions::default() };
    let mut reader = Reader::new(file).with_options(&options);
    if let Some(limits) = limits {
        reader = reader.with_limits(limits);
    }
    if let Some(format) = format {
        reader = reader.with_format(format);
    }
    let mut all = Vec::new();
    while let Some(message) = reader.next_message().unwrap() {
        assert!(
            limits.is_none_or(|limits| message.span().end - message.span().start <= limits.message as u64)
        );
        for text in message.texts() {
            all.extend(finder.find_in(&text).map(|m| Found {
                url: String::from_utf8_lossy(m.in_text().as_bytes()).into_owned(),
                span: m.span(),
                segments: m.segments(),
                position: m.position(),
                index: text.message_index(),
                id: text.envelope().and_then(|envelope| envelope.id()),
                part: text.part().map(Into::into),
                content_type: text.content_type(),
                header: m.header().map(Into::into),
            }));
        }
    }
    all
}

fn limits(message: usize) -> Limits {
    Limits { message, margin: message / 8, choice: message / 4 }
}

#[track_caller]
fn same(file: &[u8], message: usize) {
    for attachments in [false, true] {
        let whole = matches(file, None, None, attachments);
        let pieces = matches(file, None, Some(limits(message)), attachments);
        let first = pieces.iter().zip(&whole).find(|(piece, whole)| piece != whole);
        assert_eq!((first, pieces.len()), (None, whole.len()), "pieces of {message} bytes");
    }
}

/// Lines of text, each with a link, and an empty line after every fourth.
fn text(from: usize, lines: usize) -> String {
    let line = |n| format!("see http://h.org/{n}?a=b{}\n", if n % 4 == 0 { "\n" } else { "" });
    (from..from + lines).map(line).collect()
}

fn quoted(text: &str) -> String {
    text.replace('=', "=3D").replace("h.org/", "h.=\norg/")
}

/// Base64 in lines of this length.
fn base64(text: &str, width: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut characters = String::new();
    for group in text.as_bytes().chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|n| usize::from(group.get(n).copied().unwrap_or(0)));
        let indexes = [a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63];
        let used = group.len() + 1;
        characters.extend(indexes.iter().take(used).map(|&n| char::from(ALPHABET[n])));
        characters.extend(std::iter::repeat_n('=', 4 - used));
    }
    let lines = characters.as_bytes().chunks(width).map(|line| str::from_utf8(line).unwrap());
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

const HEAD: &str = "From: a@h.org\nMessage-ID: <1@h.org>\nSubject: http://h.org/subject\n";

/// A message with parts of every kind, with `n` lines in each.
fn message(n: usize) -> String {
    let part = |fields: &str, body: &str| format!("--A\n{fields}\n{body}");
    let inner = format!(
        "Message-ID: <2@h.org>\nContent-Type: multipart/digest; boundary=B\n\n--B\n\nMessage-ID: <3@h.org>\n\n{}\n--B\n\nMessage-ID: <4@h.org>\n\n{}\n--B--\n",
        text(500, n),
        text(600, n)
    );
    [
        format!("{HEAD}Content-Type: multipart/mixed; boundary=A\n\n{}", text(0, n)),
        part("", &text(100, n)),
        part("Content-Transfer-Encoding: quoted-printable\n", &quoted(&text(200, n))),
        part("Content-Transfer-Encoding: base64\n", &base64(&text(300, n), 76)),
        part("Content-Transfer-Encoding: base64\nContent-Type: image/gif\n", &base64(&text(400, n), 72)),
        part("Content-Type: message/rfc822\n", &inner),
        part("Content-Type: text/html\n", &text(700, n).replace("see ", "<p>see ")),
        part("Content-Type: text/calendar\n", &text(800, n).replace("?a", "\n ?a").replace("\n\n", "\nX:")),
        part("Content-Type: text/plain; format=flowed; delsp=yes\n", &text(900, n).replace("?a", " \n?a")),
        format!("--A--\n{}", text(1000, n)),
    ]
    .concat()
}

#[test]
fn every_kind_of_part() {
    for n in [3, 20, 70] {
        let file = message(n);
        for size in [700, 1024, 1500, 4096, 10_000] {
            same(file.as_bytes(), size);
            let mbox = format!("From a@h.org Fri Mar  2 10:11:12 2001\n{file}\n").repeat(2);
            same(mbox.as_bytes(), size);
        }
    }
}

#[test]
fn a_message_without_parts() {
    for fields in
        ["", "Content-Transfer-Encoding: quoted-printable\n", "Content-Type: text/plain; charset=utf-16be\n"]
    {
        same(format!("{HEAD}{fields}\n{}", text(0, 300)).as_bytes(), 1024);
    }
    // Lines of base64 that do not hold whole quartets.
    for width in [76, 75, 61] {
        let mail = format!("{HEAD}Content-Transfer-Encoding: base64\n\n{}", base64(&text(0, 300), width));
        same(mail.as_bytes(), 1024);
    }
}

#[test]
fn a_head_that_is_too_long() {
    let fields = "X-Y: http://h.org/x\n".repeat(200);
    let mail = format!("{HEAD}{fields}\n{}", text(0, 3));
    let found = matches(mail.as_bytes(), None, Some(limits(1024)), false);
    assert_eq!(found.len(), 204);
    let parts =
        format!("{HEAD}Content-Type: multipart/mixed; boundary=A\n\n--A\n{fields}\n{}--A--\n", text(0, 3));
    assert_eq!(matches(parts.as_bytes(), None, Some(limits(1024)), false).len(), 204);
}

proptest! {
    #[test]
    fn any_text_in_any_part(
        words in prop::collection::vec(prop::sample::select(vec![
            "http://h.org/a", "\n", "\n\n", " ", "see", "--A", "\n--A\n", "\n--B\n", "\n--A--\n", "word ", "=\n", "=3D", "\r\n",
            "Content-Type: text/html\n", "\nContent-Transfer-Encoding: quoted-printable\n\n", "<p>", "1234567890123456789012345678901234567890\n",
        ]), 0..300),
        size in 600_usize..2000,
    ) {
        let file = format!("{HEAD}Content-Type: multipart/mixed; boundary=A\n\n--A\n\n{}", words.concat());
        let (whole, pieces) = (matches(file.as_bytes(), None, None, false), matches(file.as_bytes(), None, Some(limits(size)), false));
        let urls = |found: &[Found]| found.iter().map(|found| (found.url.clone(), found.span.clone(), found.position)).collect::<Vec<_>>();
        prop_assert_eq!(urls(&pieces), urls(&whole));
    }
}

/// The messages of the files that the variable `URLGREP_MAIL` lists, whole and in pieces.
#[test]
#[ignore = "needs mail"]
fn real_messages() {
    let list = std::env::var("URLGREP_MAIL").expect("URLGREP_MAIL is a file with one path in each line");
    let (mut all, mut cut, mut differ) = (0, 0, 0);
    for path in std::fs::read_to_string(list).unwrap().lines().map(PathBuf::from) {
        let file = std::fs::read(&path).unwrap();
        if !matches!(Reader::new(&file[..]).format(), Format::Mail | Format::Mbox) {
            continue;
        }
        let whole = matches(&file, None, None, false);
        all += whole.len();
        for size in [32 * 1024, 64 * 1024, 128 * 1024] {
            cut += usize::from(file.len() > size);
            let pieces = matches(&file, None, Some(limits(size)), false);
            if pieces != whole {
                differ += 1;
                let first = pieces.iter().zip(&whole).find(|(a, b)| a != b);
                println!(
                    "{}, {size}: {} for {} matches; {first:?}",
                    path.display(),
                    pieces.len(),
                    whole.len()
                );
            }
        }
    }
    println!("{all} matches, {cut} files cut, {differ} differ");
    assert_eq!(differ, 0);
}
