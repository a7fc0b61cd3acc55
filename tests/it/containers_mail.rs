//! The containers of mail, each read aloud: which links there are, in which message and part,
//! on which line, and at which bytes of the file.
//!
//! A file is written here line by line. Each match is a line of its own:
//! `url | id | part | header | line`. Its bytes are where the file has those of the URL; a `⏎`
//! in it is a line end, which is not part of it.

mod outlook;
mod rows;
mod separators;

use std::io::{self, Read};

use urlgrep::archive::{Archive, Format, ReadOptions, Reader};
use urlgrep::{Finder, Match};

use crate::make::encode::gzip;

/// A reader that yields one byte at a time.
struct ByteByByte<'b>(&'b [u8]);

impl Read for ByteByByte<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = room.len().min(1);
        (&mut self.0).read(&mut room[..len])
    }
}

/// A match as the tables write it, and its pieces in the file.
fn row(m: &Match<'_>) -> (String, Vec<(u64, u64)>) {
    let id = m.context().unwrap().envelope().and_then(|envelope| envelope.id()).unwrap_or("-".into());
    let [part, header] =
        [m.context().unwrap().part(), m.context().unwrap().header()].map(|name| name.unwrap_or("-"));
    let line = m.position().map_or("-".into(), |position| position.line.to_string());
    let url = String::from_utf8_lossy(m.as_bytes());
    let pieces = m.pieces().map(|range| (range.start, range.end));
    (format!("{url} | {id} | {part} | {header} | {line}"), pieces.collect())
}

/// The matches that `input` has, up to an error.
fn rows(input: impl Read) -> Vec<(String, Vec<(u64, u64)>)> {
    let finder = Finder::new();
    let options = ReadOptions { line_numbers: true, ..ReadOptions::default() };
    let mut archive = Archive::new(input).unwrap().with_options(&options);
    let mut rows = Vec::new();
    while let Ok(Some(message)) = archive.next_message() {
        for text in message.texts() {
            rows.extend(finder.find_in(&text).map(|m| row(&m)));
        }
    }
    rows
}

/// Where `file` has the bytes of `url`, which is there once.
fn place(file: &[u8], url: &[u8]) -> (u64, u64) {
    let mut places = file.windows(url.len()).enumerate().filter(|(_, window)| *window == url);
    let (at, _) = places.next().unwrap_or_else(|| panic!("no {url:?}"));
    assert!(places.next().is_none(), "{url:?} is there twice");
    (at as u64, (at + url.len()) as u64)
}

/// How a file encodes text.
type Encode = fn(&str) -> Vec<u8>;

/// Checks that `file` has exactly these matches: whole, byte by byte, and compressed; and
/// that the matches of each beginning of it are in that.
#[track_caller]
fn check_encoded(file: &[u8], encode: Encode, format: Format, expected: &[&str]) {
    assert_eq!(Reader::new(file).format(), format);
    let expected = expected.iter().map(|row| {
        let pieces = row.split(" | ").next().unwrap_or_default().split('⏎');
        (row.replace('⏎', ""), pieces.map(|piece| place(file, &encode(piece))).collect())
    });
    let expected: Vec<(String, Vec<_>)> = expected.collect();
    assert_eq!(rows(file), expected);
    assert_eq!(rows(ByteByByte(file)), expected, "byte by byte");
    assert_eq!(rows(&gzip(file)[..]), expected, "compressed");
    for cut in 0..file.len() {
        for (_, pieces) in rows(&file[..cut]) {
            assert!(pieces.iter().all(|&(start, end)| start < end && end <= cut as u64), "cut at {cut}");
        }
    }
}

#[track_caller]
fn check(file: &str, format: Format, expected: &[&str]) {
    check_encoded(file.as_bytes(), |text| text.as_bytes().to_vec(), format, expected);
}

/// The same file with other line ends.
fn with_line_ends(file: &str, end: &str) -> String {
    file.replace('\n', end)
}

/// What `git cat-file --batch` prints of a repository of public-inbox, with an object that is no message.
#[test]
fn objects_of_git() {
    let one = "Message-ID: <1@h.org>\nSubject: http://h.org/subject\n\nhttp://h.org/one\n";
    let two = "Message-ID: <2@h.org>\n\nas it was:\n257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 3\nhttp://h.org/two\n";
    let commit = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nhttp://h.org/three\n";
    // Names are SHA-1 or SHA-256.
    for digits in [40, 64] {
        let object = |name: char, kind: &str, content: &str| {
            format!("{} {kind} {}\n{content}\n", name.to_string().repeat(digits), content.len())
        };
        let file = object('a', "blob", one) + &object('b', "blob", two) + &object('c', "commit", commit);
        let expected = [
            "http://h.org/subject | 1@h.org | - | Subject | 3",
            "http://h.org/one | 1@h.org | 1 | - | 5",
            "http://h.org/two | 2@h.org | 1 | - | 12",
            "http://h.org/three | - | 1 | - | 17",
        ];
        check(&file, Format::Git, &expected);
    }
}

#[test]
fn names_and_types_of_objects() {
    let is_git = |name: &str, kind: &str| {
        let object = "http://h.org/";
        let file = format!("{name} {kind} {}\n{object}\n", object.len());
        Reader::new(file.as_bytes()).format() == Format::Git
    };
    for kind in ["blob", "commit", "tag", "tree"] {
        assert!(is_git(&"0f".repeat(20), kind) && is_git(&"0F".repeat(32), kind), "{kind}");
    }
    assert!(!is_git(&"a".repeat(40), "note") && !is_git(&"g".repeat(40), "blob"));
    for digits in [32, 39, 41, 63, 65] {
        assert!(!is_git(&"a".repeat(digits), "blob"), "{digits}");
    }
}

#[test]
fn an_mbox_without_its_first_separator() {
    for (kind, expected) in [("text/plain", 2), ("text/html", 2), ("multipart/mixed; boundary=x", 1)] {
        let file = format!(
            "Subject: one\nFrom: a@h.org\nMessage-ID: <1@h.org>\nContent-Type: {kind}\n\n<p>a</p>\n\n\
             From b@h.org Fri Mar  2 10:11:12 2001\nSubject: two\nFrom: b@h.org\n\nhttp://h.org/\n"
        );
        let (mut reader, mut count) = (Reader::new(file.as_bytes()), 0);
        while reader.next_message().unwrap().is_some() {
            count += 1;
        }
        assert_eq!(count, expected, "{kind}");
    }
}

#[test]
fn mmdf() {
    let file = "\x01\x01\x01\x01\n\
        From a@h.org Fri Mar  2 10:11:12 2001\n\
        Message-ID: <1@h.org>\n\
        Subject: http://h.org/subject\n\
        \n\
        http://h.org/one\n\
        From b@h.org Fri Mar  2 10:11:12 2001\n\
        From: this is no separator here\n\
        \x01\x01\x01\x01\n\
        \x01\x01\x01\x01\n\
        Message-ID: <2@h.org>\n\
        Content-Type: text/html\n\
        \n\
        &lt;http://h.org/two&gt;\n\
        \x01\x01\x01\x01\n\
        \x01\x01\x01\x01\n\
        From c@h.org Fri Mar  2 10:11:12 2001\n\
        Message-ID: <3@h.org>\n\
        \n\
        \x01\x01\x01 http://h.org/three\n\
        \x01\x01\x01\x01\n";
    let expected = [
        "http://h.org/subject | 1@h.org | - | Subject | 4",
        "http://h.org/one | 1@h.org | 1 | - | 6",
        "http://h.org/two | 2@h.org | 1 | - | 14",
        "http://h.org/three | 3@h.org | 1 | - | 20",
    ];
    check(file, Format::Mmdf, &expected);
    check(&with_line_ends(file, "\r\n"), Format::Mmdf, &expected);
}

#[test]
fn listserv() {
    let file = "RULE\n\
        Date:         Mon, 2 Mar 1998 10:11:12 -0500\n\
        Sender:       A List <L@H.ORG>\n\
        Subject:      http://h.org/subject\n\
        Message-ID:   <1@h.org>\n\
        \n\
        RULE\n\
        http://h.org/one\n\
        \n\
        RULE\n\
        Date:         Mon, 2 Mar 1998 11:11:12 -0500\n\
        Message-ID:   <2@h.org>\n\
        Content-Transfer-Encoding: quoted-printable\n\
        \n\
        http://h.org/two?=3D\n"
        .replace("RULE", &"=".repeat(73));
    let expected = [
        "http://h.org/subject | 1@h.org | - | Subject | 4",
        "http://h.org/one | 1@h.org | 1 | - | 8",
        "http://h.org/two?= | 2@h.org | 1 | - | 15",
    ];
    let encode = |text: &str| text.replace('=', "=3D").into_bytes();
    check_encoded(file.as_bytes(), encode, Format::Listserv, &expected);
    check_encoded(with_line_ends(&file, "\r\n").as_bytes(), encode, Format::Listserv, &expected);
}

/// Eudora drops the delimiters of the parts.
#[test]
fn a_page_of_eudora() {
    let file = "From ???@??? Fri Mar 02 10:11:12 2001\n\
        Message-ID: <1@h.org>\n\
        Content-Type: multipart/alternative; boundary=\"b\"\n\
        \n\
        <x-html><a href=\"http://h.org/a?b&amp;c\">a</a></x-html>\n\
        \n\
        From ???@??? Fri Mar 02 10:11:12 2001\n\
        Message-ID: <2@h.org>\n\
        \n\
        http://h.org/two\n";
    let rows: Vec<_> = rows(file.as_bytes()).into_iter().map(|(row, _)| row).collect();
    assert_eq!(rows, ["http://h.org/a?b&c | 1@h.org | 1 | - | 5", "http://h.org/two | 2@h.org | 1 | - | 10"]);
}

#[test]
fn babyl() {
    let file = "BABYL OPTIONS: -*- rmail -*-\n\
        Version: 5\n\
        Note: http://h.org/options\n\
        \x1f\x0c\n\
        1, answered,, http-label:,\n\
        Received: from h.org\n\
        Message-ID: <1@h.org>\n\
        Subject: http://h.org/subject\n\
        Content-Type: text/html\n\
        \n\
        *** EOOH ***\n\
        Subject: http://h.org/as-it-is-shown\n\
        \n\
        &lt;http://h.org/one&gt;\n\
        \x1f does not end it: http://h.org/also\n\
        \x1f\x0c\n\
        0, unseen,,\n\
        *** EOOH ***\n\
        Message-ID: <2@h.org>\n\
        Subject: http://h.org/never-shown\n\
        \n\
        http://h.org/two\n\
        \x1f";
    let expected = [
        "http://h.org/subject | 1@h.org | - | Subject | 8",
        "http://h.org/one | 1@h.org | 1 | - | 14",
        "http://h.org/also | 1@h.org | 1 | - | 15",
        "http://h.org/never-shown | 2@h.org | - | Subject | 20",
        "http://h.org/two | 2@h.org | 1 | - | 22",
    ];
    check(file, Format::Babyl, &expected);
    check(&with_line_ends(file, "\r\n"), Format::Babyl, &expected);
}

#[test]
fn a_babyl_message_without_a_mark() {
    let file = "BABYL OPTIONS:\n\x1f\x0c\n1,,\nMessage-ID: <1@h.org>\n\nhttp://h.org/one\n\x1f\x0c\n\
        1,,\nMessage-ID: <2@h.org>\n\n*** EOOH ***\nSubject: http://h.org/shown\n\nhttp://h.org/two\n\x1f\n";
    let expected = ["http://h.org/one | 1@h.org | 1 | - | 6", "http://h.org/two | 2@h.org | 1 | - | 14"];
    check(file, Format::Babyl, &expected);
}

#[test]
fn mbx() {
    let head = "*mbx*\r\n3ab1c2d300000003\r\nhttp://h.org/keyword\r\n";
    let first = "Message-ID: <1@h.org>\r\nSubject: http://h.org/subject\r\n\r\nhttp://h.org/one\r\n \
        2-Mar-2001 10:11:12 +0100,5;000000000000-00000009\r\nSee http://h.org/inside\r\n";
    let second = "Message-ID: <2@h.org>\r\n\r\nhttp://h.org/two";
    let padding = "\0".repeat(2048 - head.len());
    let [a, b] = [first, second].map(str::len);
    let expected = [
        "http://h.org/subject | 1@h.org | - | Subject | 6",
        "http://h.org/one | 1@h.org | 1 | - | 8",
        "http://h.org/inside | 1@h.org | 1 | - | 10",
        "http://h.org/two | 2@h.org | 1 | - | 14",
    ];
    let file = format!(
        "{head}{padding} 2-Mar-2001 10:11:12 +0100,{a};000000000001-00000001\r\n{first}\
         12-Mar-2001 10:11:12 +0100,{b};000000000000-00000002\r\n{second}"
    );
    check(&file, Format::Mbx, &expected);
    // A length that is wrong: the line inside the message counts then, and has one that is wrong too.
    let file = file.replace(&format!(",{a};"), &format!(",{};", a + 1));
    let expected = expected.map(|row| match row.contains("inside") {
        true => "http://h.org/inside | - | 1 | - | 10",
        false => row,
    });
    check(&file, Format::Mbx, &expected);
}

#[test]
fn emlx() {
    let message = "Message-ID: <1@h.org>\n\
        Subject: http://h.org/subject\n\
        Content-Type: multipart/mixed; boundary=B\n\
        \n\
        --B\n\
        \n\
        http://h.org/one\n\
        --B--\n";
    let list = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
        <plist version=\"1.0\"><dict><key>flags</key><integer>8590195713</integer></dict></plist>\n";
    let expected =
        ["http://h.org/subject | 1@h.org | - | Subject | 3", "http://h.org/one | 1@h.org | 1 | - | 8"];
    let len = message.len();
    for first in
        [format!("{len}"), format!("{len:<10}"), format!("{}", len - 3), format!("{}", 2 * len + 999)]
    {
        check(&format!("{first}\n{message}{list}"), Format::Emlx, &expected);
        check(&format!("{first}\n{message}"), Format::Emlx, &expected);
    }
}

/// A mailbox of two messages and an empty line before its second separator.
const MBOX: &str = "From a@h.org Fri Mar  2 10:11:12 2001\n\
    Message-ID: <1@h.org>\n\
    Subject: http://h.org/subject\n\
    \n\
    See <http://h.org/o\n\
    ne>\n\
    \n\
    From b@h.org Fri Mar  2 10:11:12 2001\n\
    Message-ID: <2@h.org>\n\
    Content-Type: text/html\n\
    \n\
    <a href=http://h.org/two>日本語 😀</a> http://h.org/three\n";

const IN_MBOX: [&str; 4] = [
    "http://h.org/subject | 1@h.org | - | Subject | 3",
    "http://h.org/o⏎ne | 1@h.org | 1 | - | 5",
    "http://h.org/two | 2@h.org | 1 | - | 12",
    "http://h.org/three | 2@h.org | 1 | - | 12",
];

#[test]
fn carriage_returns_as_line_ends() {
    check(MBOX, Format::Mbox, &IN_MBOX);
    check(&with_line_ends(MBOX, "\r"), Format::Mbox, &IN_MBOX);
    let mail = "Message-ID: <1@h.org>\nSubject: http://h.org/subject\nContent-Transfer-Encoding: quoted-printable\n\n\
        <http://h.org/o=\nne>\n";
    let expected =
        ["http://h.org/subject | 1@h.org | - | Subject | 2", "http://h.org/o⏎ne | 1@h.org | 1 | - | 5"];
    check(&with_line_ends(mail, "\r"), Format::Mail, &expected);
    // A part of another system.
    let mixed = with_line_ends(mail, "\r") + "a\r\nb\n<http://h.org/last>\r";
    check(&mixed, Format::Mail, &[expected[0], expected[1], "http://h.org/last | 1@h.org | 1 | - | 9"]);
}

/// The byte order marks and the encodings that they show.
const WIDE: [(&[u8], Encode); 4] = [
    (b"\xFF\xFE", |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    (b"\xFE\xFF", |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    (b"\xFF\xFE\0\0", |text| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()),
    (b"\0\0\xFE\xFF", |text| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()),
];

#[track_caller]
fn check_wide(text: &str, format: Format, expected: &[&str]) {
    for (mark, encode) in WIDE {
        check_encoded(&[mark, &encode(text)].concat(), encode, format, expected);
    }
}

#[test]
fn utf_16_and_utf_32() {
    check_wide(MBOX, Format::Mbox, &IN_MBOX);
    let crlf = with_line_ends("日本語 😀 http://h.org/one\n\n😀 http://h.org/two\n", "\r\n");
    let expected = ["http://h.org/one | - | - | - | 1", "http://h.org/two | - | - | - | 3"];
    check_wide(&crlf, Format::Text, &expected);
    let page = "<html><meta charset=utf-16>\n<a href=http://h.org/one>日本語</a> http://h.org/two\n";
    check_wide(page, Format::Html, &["http://h.org/one | - | - | - | 2", "http://h.org/two | - | - | - | 2"]);
    let mail = "Message-ID: <1@h.org>\nSubject: http://h.org/subject\n\nhttp://h.org/one\n";
    let expected =
        ["http://h.org/subject | 1@h.org | - | Subject | 2", "http://h.org/one | 1@h.org | 1 | - | 4"];
    check_wide(mail, Format::Mail, &expected);
}

#[test]
fn long_text_in_utf_16() {
    let [(mark, encode), ..] = WIDE;
    let line = "日本語 http://h.org/a 😀\n";
    let file = [mark, &encode(&line.repeat(5000))].concat();
    let expected = (0..5000).map(|n| {
        let start = 2 + n * encode(line).len() as u64 + 8;
        (format!("http://h.org/a | - | - | - | {}", n + 1), vec![(start, start + 28)])
    });
    let expected: Vec<_> = expected.collect();
    assert!(rows(&file[..]) == expected);
}

/// A file in each of the containers of mail.
fn all() -> Vec<Vec<u8>> {
    let converted = WIDE.map(|(mark, encode)| [mark, &encode(MBOX)].concat());
    let marked = [
        with_line_ends(MBOX, "\r"),
        format!("\x01\x01\x01\x01\n{MBOX}\x01\x01\x01\x01\n"),
        format!("BABYL OPTIONS:\n\x1f\x0c\n1,,\nTo: a\n\n*** EOOH ***\nTo: a\n\n{MBOX}\x1f"),
        format!("{}\n{MBOX}<?xml?><!DOCTYPE plist>", MBOX.len()),
        format!(
            "*mbx*\r\n{} 2-Mar-2001 10:11:12 +0100,{};000000000001-00000001\r\n{MBOX}",
            "\0".repeat(2041),
            MBOX.len()
        ),
    ];
    converted.into_iter().chain(marked.map(String::into_bytes)).chain([outlook::outlook()]).collect()
}

#[test]
fn the_laws_hold_for_each() {
    all().iter().for_each(|file| crate::laws::archive::holds(file));
}

#[test]
fn nothing_panics_if_bytes_are_damaged() {
    for mut file in all() {
        // Every byte of the first two sectors, and some of the others.
        for at in (0..file.len()).filter(|at| *at < 1024 || at % 61 == 0) {
            for damage in [0, b'\n', 0xFF, file[at] ^ 1] {
                let byte = std::mem::replace(&mut file[at], damage);
                let len = file.len() as u64;
                for (_, pieces) in rows(&file[..]) {
                    assert!(pieces.iter().all(|&(start, end)| start < end && end <= len), "{at}");
                }
                file[at] = byte;
            }
        }
    }
}
