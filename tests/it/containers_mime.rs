//! MIME beyond plain parts: encodings, calendars, digests, RTF, files in the text, and
//! text outside of the parts. Every expectation is written by hand.

mod encodings;
mod noise;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use urlgrep::archive::{Archive, Attachments, MAX_DEPTH, ReadOptions};
use urlgrep::{Finder, JoinKind, Match};

use crate::make::encode::gzip;

/// A match, as one can read it off the file: its URL, the id of its message, its part,
/// its header field, and the bytes of the file that encode it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    url: String,
    id: Option<String>,
    part: String,
    source: String,
    line: u64,
}

fn found(url: &str, id: &str, part: &str, source: &str, line: u64) -> Found {
    let id = (!id.is_empty()).then(|| id.to_owned());
    Found { url: url.into(), id, part: part.into(), source: source.into(), line }
}

/// Calls `each` with the matches in a file.
fn search(file: &[u8], attachments: Attachments, mut each: impl FnMut(&Match<'_>)) {
    let finder = Finder::new();
    let options = ReadOptions { line_numbers: true, attachments, ..ReadOptions::default() };
    let mut archive = Archive::new(file).unwrap().with_options(&options);
    while let Some(message) = archive.next_message().unwrap() {
        for text in message.texts() {
            finder.find_in(&text).for_each(|m| each(&m));
        }
    }
}

fn matches_in(bytes: &[u8], file: &[u8], attachments: Attachments) -> Vec<Found> {
    let mut all = Vec::new();
    search(bytes, attachments, |m| {
        let source = |s: std::ops::Range<u64>| {
            String::from_utf8_lossy(&file[s.start as usize..s.end as usize]).into_owned()
        };
        let sources: Vec<String> = m.pieces().map(source).collect();
        all.push(Found {
            url: m.to_str().unwrap().to_owned(),
            id: m.context().unwrap().envelope().and_then(|envelope| envelope.id()),
            part: m
                .context()
                .unwrap()
                .header()
                .or(m.context().unwrap().part())
                .unwrap_or_default()
                .to_owned(),
            source: sources.join("|"),
            line: m.position().unwrap().line,
        });
    });
    all
}

/// Expects these matches, plain and compressed.
#[track_caller]
fn check_with(attachments: Attachments, file: impl AsRef<[u8]>, expected: &[Found]) {
    let file = file.as_ref();
    assert_eq!(matches_in(file, file, attachments), expected);
    assert_eq!(matches_in(&gzip(file), file, attachments), expected);
}

#[track_caller]
fn check(file: impl AsRef<[u8]>, expected: &[Found]) {
    check_with(Attachments::Documents, file, expected);
}

const HEAD: &str = "From: a@h.org\nMessage-ID: <1@h.org>\n";

#[test]
fn encodings_in_quotes_and_comments() {
    // Base64 of "http://h.org/a\n".
    for encoding in ["\"base64\"", "base64 (a comment)", "(a comment) BASE64", "'base64'"] {
        check(
            format!("{HEAD}Content-Transfer-Encoding: {encoding}\n\naHR0cDovL2gu\nb3JnL2EK\n"),
            &[found("http://h.org/a", "1@h.org", "1", "aHR0cDovL2gu|b3JnL2E", 5)],
        );
    }
    check(
        format!("{HEAD}Content-Transfer-Encoding: \"quoted-printable\"\n\nhttp=3A//h.org/=\na\n"),
        &[found("http://h.org/a", "1@h.org", "1", "http=3A//h.org/|a", 5)],
    );
    check(
        format!(
            "{HEAD}Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n-:'1T<#HO+V@N;W)G+P``\n`\nend\n"
        ),
        &[found("http://h.org/", "1@h.org", "1", ":'1T<#HO+V@N;W)G+P", 6)],
    );
    // The file may begin far behind the beginning of the part.
    check(
        format!(
            "{HEAD}Content-Type: application/octet-stream\nContent-Disposition: attachment\n\
             Content-Transfer-Encoding: x-uuencode\n\n{}begin 644 a\n-:'1T<#HO+V@N;W)G+P``\n`\nend\n",
            "a line\n".repeat(400),
        ),
        &[found("http://h.org/", "1@h.org", "1", ":'1T<#HO+V@N;W)G+P", 408)],
    );
}

#[test]
fn calendars_are_unfolded() {
    let calendar = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n\
        DESCRIPTION:Join at\\nhttps://meet.h.org/j/1\\,2?pwd=ab\r\n c\\ndef\r\n\
        URL:https://meet.h.org/one/\r\n\ttwo\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let matches = |id: &str, part: &str, lines: u64| {
        [
            found(
                "https://meet.h.org/j/1,2?pwd=abc",
                id,
                part,
                "https://meet.h.org/j/1\\,2?pwd=ab|c",
                lines + 3,
            ),
            found("https://meet.h.org/one/two", id, part, "https://meet.h.org/one/|two", lines + 5),
        ]
    };
    check(calendar, &matches("", "", 0));
    for kind in ["text/calendar; method=REQUEST", "text/vcard", "text/x-vcard", "text/directory"] {
        check(format!("{HEAD}Content-Type: {kind}\n\n{calendar}"), &matches("1@h.org", "1", 4));
    }
    check(
        "BEGIN:VCARD\nURL:http://h.org/a\n b\nEND:VCARD\n",
        &[found("http://h.org/ab", "", "", "http://h.org/a|b", 2)],
    );
    let mut joins = Vec::new();
    search(calendar.as_bytes(), Attachments::Documents, |m| joins.push(m.joined()));
    assert_eq!(joins, [Some(JoinKind::Flowed); 2]);
}

#[test]
fn text_is_not_unfolded() {
    check(
        format!("{HEAD}Content-Type: text/plain\n\nURL:http://h.org/a\n b\n"),
        &[found("http://h.org/a", "1@h.org", "1", "http://h.org/a", 5)],
    );
}

#[test]
fn xml_is_read_like_html() {
    let xml = "<?xml version=\"1.0\"?>\n<r xmlns=\"http://www.w3.org/x\"><loc>http://h.org/?a&amp;b</loc><loc>http://h.org/c</loc>\
        <x:a href=\"http://h.org/d\">e</x:a></r>\n";
    for kind in ["text/xml", "application/xml", "application/rss+xml", "image/svg+xml"] {
        check(
            format!("{HEAD}Content-Type: {kind}\n\n{xml}"),
            &[
                found("http://www.w3.org/x", "1@h.org", "1", "http://www.w3.org/x", 6),
                found("http://h.org/?a&b", "1@h.org", "1", "http://h.org/?a|&amp;|b", 6).merged(),
                found("http://h.org/c", "1@h.org", "1", "http://h.org/c", 6),
                found("http://h.org/d", "1@h.org", "1", "http://h.org/d", 6),
            ],
        );
    }
    for kind in ["text/x-amp-html", "application/xhtml+xml"] {
        check(
            format!("{HEAD}Content-Type: {kind}\n\n<p>http://h.<b>org</b>/</p>\n"),
            &[found("http://h.org/", "1@h.org", "1", "http://h.|org|/", 5)],
        );
    }
}

impl Found {
    /// The same, its pieces that touch merged.
    fn merged(mut self) -> Self {
        self.source = self.source.replace('|', "");
        self
    }
}

#[test]
fn rtf() {
    let rtf = "{\\rtf1{\\info http://h.org/no}see {\\field{\\*\\fldinst{HYPERLINK \"http://h.org/~a\"}}{\\fldrslt here}} or http://h.org/\\'7eb\\par}\n";
    for kind in ["text/rtf", "application/rtf"] {
        check(
            format!("{HEAD}Content-Type: {kind}\n\n{rtf}"),
            &[
                found("http://h.org/~a", "1@h.org", "1", "http://h.org/~a", 5),
                found("http://h.org/~b", "1@h.org", "1", "http://h.org/\\'7eb", 5),
            ],
        );
    }
}

#[test]
fn encoded_messages_are_messages() {
    // Base64 of "Message-ID: <2@h.org>\nSubject: http://h.org/s\n\nhttp://h.org/b\n".
    let inner = "TWVzc2FnZS1JRDogPDJAaC5vcmc+ClN1YmplY3Q6IGh0dHA6\nLy9oLm9yZy9zCgpodHRwOi8vaC5vcmcvYgo=\n";
    check(
        format!("{HEAD}Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{inner}"),
        &[
            found("http://h.org/s", "2@h.org", "Subject", "Gh0dHA6|Ly9oLm9yZy9z", 6),
            found("http://h.org/b", "2@h.org", "1.1", "podHRwOi8vaC5vcmcvYg", 7),
        ],
    );
    check(
        format!(
            "{HEAD}Content-Type: multipart/mixed; boundary=A\n\n--A\n\nhttp://h.org/1\n--A\nContent-Type: message/rfc822\n\
             Content-Transfer-Encoding: quoted-printable\n\nMessage-ID: <2@h.org>\nContent-Type: text/html\n\n<a href=3D\"http://h.=\norg/2\">a</a>\n--A\n\nhttp://h.org/3\n--A--\n"
        ),
        &[
            found("http://h.org/1", "1@h.org", "1", "http://h.org/1", 7),
            found("http://h.org/2", "2@h.org", "2.1", "http://h.|org/2", 15),
            found("http://h.org/3", "1@h.org", "3", "http://h.org/3", 19),
        ],
    );
}

#[test]
fn the_first_part_of_a_message_in_parts() {
    let part = |n: u32| {
        format!(
            "{HEAD}Content-Type: message/partial; id=\"x\"; number={n}; total=2\n\nMessage-ID: <2@h.org>\n\nhttp://h.org/b\n"
        )
    };
    check(part(1), &[found("http://h.org/b", "2@h.org", "1.1", "http://h.org/b", 7)]);
    check(part(2), &[found("http://h.org/b", "1@h.org", "1", "http://h.org/b", 7)]);
}

#[test]
fn digests() {
    let (first, next) = ("-".repeat(70), "-".repeat(30));
    let digest = format!(
        "{HEAD}Subject: X Digest\n\nhttp://h.org/top\n\n{first}\n\nDate: Fri, 2 Mar 2001 10:11:12 GMT\nFrom: b@h.org\n\
         Message-ID: <2@h.org>\nSubject: http://h.org/s\n\nhttp://h.org/2\n\n{next}\n\nFrom: c@h.org\nSubject: two\n\nhttp://h.org/3\n\n\
         {next}\n\nEnd of X Digest\nhttp://h.org/end\n"
    );
    check(
        &digest,
        &[
            found("http://h.org/top", "1@h.org", "1", "http://h.org/top", 5),
            found("http://h.org/s", "2@h.org", "Subject", "http://h.org/s", 12),
            found("http://h.org/2", "2@h.org", "1.1.1", "http://h.org/2", 14),
            found("http://h.org/3", "", "1.2.1", "http://h.org/3", 21),
            found("http://h.org/end", "1@h.org", "1", "http://h.org/end", 26),
        ],
    );
}

/// The cells of each part end at its own separator, in any order of the parts.
#[test]
fn tables_with_different_separators() {
    let tables = [(",", "http://h.org/a;b"), (";", "http://h.org/a,b"), ("\t", "http://h.org/a,b;c")];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let part = |(separator, url): (&str, &str)| {
            let rows = ["id", "u", "n"].join(separator) + "\n" + &["1", url, "c"].join(separator);
            format!("--A\nContent-Type: text/csv\n\n{rows}\n")
        };
        let parts: String = order.map(|n| part(tables[n])).concat();
        let mail = format!("{HEAD}Content-Type: multipart/mixed; boundary=A\n\n{parts}--A--\n");
        let mut urls = Vec::new();
        search(mail.as_bytes(), Attachments::Documents, |m| urls.push(m.to_str().unwrap().to_owned()));
        assert_eq!(urls, order.map(|n| tables[n].1), "{order:?}");
    }
}

#[test]
fn files_in_the_text_are_not_text() {
    // Of each line the letters of a URL are seen, and it is data.
    let uuencoded = "begin 644 a.txt\n-:'1T<#HO+V@N;W)G+P``\n`\nend\n";
    let yenc = "=ybegin line=128 size=20 name=a\n http://h.org/yenc \n=yend size=20\n";
    let binhex = "(This file must be converted with BinHex 4.0)\n\n:$f*TEQKPH\"bK\"\n:\n";
    let mail = format!(
        "{HEAD}\nhttp://h.org/1\n{uuencoded}http://h.org/2\n{yenc}http://h.org/3\n{binhex}http://h.org/4\n"
    );
    let text = |n: u64, line| {
        let url = format!("http://h.org/{n}");
        found(&url, "1@h.org", "1", &url, line)
    };
    let texts = [text(1, 4), text(2, 9), text(3, 13), text(4, 18)];
    check_with(Attachments::None, mail.as_bytes(), &texts);
    let mut file = found("http://h.org/", "1@h.org", "1", ":'1T<#HO+V@N;W)G+P", 6);
    file.source = ":'1T<#HO+V@N;W)G+P".into();
    check(&mail, &[&texts[..], &[file]].concat());
}

#[test]
fn text_outside_of_the_parts() {
    let multipart = |before: &str, after: &str| {
        format!(
            "{HEAD}Content-Type: multipart/mixed; boundary=A\n\n{before}--A\n\nhttp://h.org/1\n--A--\n{after}"
        )
    };
    check(
        multipart("see http://h.org/0\n", "\nFooter: http://h.org/2\n"),
        &[
            found("http://h.org/0", "1@h.org", "preamble", "http://h.org/0", 5),
            found("http://h.org/1", "1@h.org", "1", "http://h.org/1", 8),
            found("http://h.org/2", "1@h.org", "epilogue", "http://h.org/2", 11),
        ],
    );
    check(
        multipart("This is a multi-part message in MIME format. See http://h.org/mime\n", "\n"),
        &[found("http://h.org/1", "1@h.org", "1", "http://h.org/1", 8)],
    );
}

#[test]
fn charsets_of_urls() {
    let find = |mail: &[u8]| -> Vec<(String, Option<String>)> {
        let finder = urlgrep::Finder::new();
        let mut reader = urlgrep::archive::Reader::new(mail);
        let mut urls = Vec::new();
        while let Some(message) = reader.next_message().unwrap() {
            let add = |m: &urlgrep::Match<'_>| {
                let pieces = m.pieces();
                let bytes = pieces.flat_map(|s| mail[s.start as usize..s.end as usize].to_vec());
                let source = bytes.map(|b| if b.is_ascii() { char::from(b) } else { '?' }).collect();
                urls.push((m.to_string(), Some(source)));
                std::ops::ControlFlow::Continue(())
            };
            let _ = finder.find_in_message(&message, add);
        }
        urls
    };
    let head = "From: a@h.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=";
    let one = |url: &str, source: &str| vec![(url.to_owned(), Some(source.to_owned()))];
    let mail = [head.as_bytes(), b"iso-8859-1\n\nsee http://m\xFCller.de/ there\n"].concat();
    assert_eq!(find(&mail), one("http://müller.de/", "http://m?ller.de/"));
    let quoted =
        format!("{head}koi8-r\nContent-Transfer-Encoding: quoted-printable\n\nhttp://h.org/=F0=D5\n");
    assert_eq!(find(quoted.as_bytes()), one("http://h.org/Пу", "http://h.org/=F0=D5"));
    let html = [
        "From: a@h.org\nMIME-Version: 1.0\nContent-Type: text/html; charset=windows-1251\n\n".as_bytes(),
        b"<a href=\"http://h.org/\xE0\">x</a>\n",
    ]
    .concat();
    assert_eq!(find(&html), one("http://h.org/а", "http://h.org/?"));
    let html = [
        "From: a@h.org\nMIME-Version: 1.0\nContent-Type: text/html\n\n<meta charset=windows-1251>".as_bytes(),
        b"<a href=\"http://h.org/\xE0\">x</a>\n",
    ]
    .concat();
    assert_eq!(find(&html), one("http://h.org/а", "http://h.org/?"));
    let field =
        [b"From: a@h.org\nList-Archive: <http://m\xFCller.de/>\nContent-Type: text/plain\n\nx\n".as_slice()]
            .concat();
    assert_eq!(find(&field), one("http://müller.de/", "http://m?ller.de/"));
}

#[test]
fn fields_of_other_charsets() {
    let japanese = b"Subject: \x1B$BF|K\\\x1B(B http://h.org/\x1B$BF|\x1B(B\nMessage-ID: <1@h.org>\nContent-Type: text/plain; charset=iso-2022-jp\n\nx\n";
    check(japanese, &[found("http://h.org/", "1@h.org", "Subject", "http://h.org/", 1)]);
    let divided = "Subject: =?utf-8?q?=C3?= =?utf-8?q?=A9_http://h.org/=C3?= =?utf-8?q?=A9?=\nMessage-ID: <1@h.org>\n\nx\n";
    check(divided, &[found("http://h.org/\u{E9}", "1@h.org", "Subject", "http://h.org/=C3|=A9", 1)]);
    check(
        "From: a@h.org\nContent-Class: urn:content-classes:message\nX-Message-ID: <mailto:a@h.org>\nMessage-ID: <1@h.org>\n\nx\n",
        &[],
    );
}

#[test]
fn values_in_quoted_printable() {
    let card = "BEGIN:VCARD\r\nVERSION:2.1\r\nURL;ENCODING=QUOTED-PRINTABLE:http://h.org/a=3Fb=3D1=\r\n&c=3D2\r\n\
        NOTE;QUOTED-PRINTABLE:see http://h.org/=\r\nnote=0D=0Aend\r\nEND:VCARD\r\n";
    let matches = |id: &str, part: &str, lines: u64| {
        [
            found("http://h.org/a?b=1&c=2", id, part, "http://h.org/a=3Fb=3D1|&c=3D2", lines + 3),
            found("http://h.org/note", id, part, "http://h.org/|note", lines + 5),
        ]
    };
    check(card, &matches("", "", 0));
    check(format!("{HEAD}Content-Type: text/x-vcard\n\n{card}"), &matches("1@h.org", "1", 4));
}

#[test]
fn values_in_base64() {
    let note = BASE64.encode("see http://h.org/a\n");
    // The first byte of the URL begins in the sixth character, the last one ends with the 24th.
    let (one, two) = note.split_at(13);
    let source = format!("{}|{}", &one[5..], &two[..24 - 13]);
    for property in
        ["NOTE;ENCODING=b", "NOTE;BASE64", "ATTACH;FMTTYPE=text/plain;ENCODING=\n BASE64;VALUE=BINARY"]
    {
        let card = format!("BEGIN:VCARD\nURL:http://h.org/b\n{property}:{one}\n {two}\nEND:VCARD\n");
        let line = 3 + property.matches('\n').count() as u64;
        check(
            &card,
            &[
                found("http://h.org/b", "", "", "http://h.org/b", 2),
                found("http://h.org/a", "", "", &source, line),
            ],
        );
        let mail = format!("{HEAD}Content-Type: text/vcard\n\n{card}");
        let url = found("http://h.org/b", "1@h.org", "1", "http://h.org/b", 6);
        check(&mail, &[url.clone(), found("http://h.org/a", "1@h.org", "1", &source, line + 4)]);
        // They are files.
        check_with(Attachments::None, &mail, &[url]);
    }
}

#[test]
fn layers_have_a_limit() {
    let mut message = "Message-ID: <in@h.org>\n\nhttp://h.org/\n".to_owned();
    for _ in 0..MAX_DEPTH {
        message = format!(
            "Message-ID: <out@h.org>\nContent-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n{message}"
        );
    }
    let mut archive = Archive::new(message.as_bytes()).unwrap();
    let message = archive.next_message().unwrap().unwrap();
    let last = message.texts().last().unwrap();
    assert!(last.depth_exceeded() && last.as_bytes().ends_with(b"http://h.org/\n"));
    assert!(!archive.depth_exceeded() && archive.undecoded().is_some());
}

/// Three messages that are encoded in each other are opened. What is in them is searched as text, and named.
#[test]
fn messages_encoded_in_each_other() {
    // How many heads have a match, whether the last message was decoded, what is said, and where that message begins.
    let search = |encoded: usize| {
        let mut mail = format!("{HEAD}Content-Transfer-Encoding: quoted-printable\n\nhttp=3A//h.org/deep\n");
        let mut at = 0;
        for _ in 0..encoded {
            let head = format!(
                "{HEAD}Comments: http://h.org/\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
            );
            // Three bytes are four characters, each of which has bits of the byte at its place.
            at = head.len() + at / 3 * 4 + at % 3;
            mail = format!("{head}{}\n", BASE64.encode(mail));
        }
        let mut archive = Archive::new(mail.as_bytes()).unwrap();
        let message = archive.next_message().unwrap().unwrap();
        let finder = Finder::new();
        let mut urls = Vec::new();
        message.texts().for_each(|text| urls.extend(finder.find_in(&text).map(|m| m.to_string())));
        let heads = urls.iter().filter(|url| *url == "http://h.org/").count();
        (
            heads,
            urls.contains(&"http://h.org/deep".to_owned()),
            archive.undecoded().map(ToString::to_string),
            at,
        )
    };
    for encoded in 1..=3 {
        let (heads, is_decoded, said, _) = search(encoded);
        assert_eq!((heads, is_decoded, said), (encoded, true, None));
    }
    let (heads, is_decoded, said, at) = search(4);
    let expected = format!(
        "the body at byte {at} was searched as text, without decoding it, because it is nested too deeply (in 3 encoded messages or archives)"
    );
    assert_eq!((heads, is_decoded, said), (4, false, Some(expected)));
}

#[test]
fn tnef_and_signed_data_are_opened() {
    // The signature, a key, and an attachment: level, name, length, data, checksum.
    let file = b"see http://h.org/tnef\n";
    let tnef = [&b"\x78\x9F\x3E\x22\x01\x02\x02\x0F\x80\x06\0\x16\0\0\0"[..], file, b"\0\0"].concat();
    let mail =
        |kind: &str, body: &[u8]| [format!("{HEAD}Content-Type: {kind}\n\n").as_bytes(), body].concat();
    for kind in ["application/ms-tnef; name=winmail.dat", "application/octet-stream"] {
        let winmail = mail(kind, &tnef);
        check(&winmail, &[found("http://h.org/tnef", "1@h.org", "1", "http://h.org/tnef", 5)]);
        check_with(Attachments::None, &winmail, &[]);
    }
    // Indefinite lengths; the octets are in two pieces.
    let head = b"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\xA0\x80\x24\x80";
    let (one, two) = (b"Content-Type: text/html\n\n<a href=\"http://h.", b"org/signed\">x</a>\n");
    let pieces = [&[4, one.len() as u8][..], one, &[4, two.len() as u8], two, &[0; 14]].concat();
    let signed = [&head[..], &pieces].concat();
    let typed = mail("application/pkcs7-mime; smime-type=signed-data", &signed);
    let found = Found { line: 7, ..found("http://h.org/signed", "1@h.org", "1", "http://h.|org/signed", 7) };
    check_with(Attachments::None, &typed, std::slice::from_ref(&found));
    // What has no fields of a message is the part itself, whatever its type says.
    for file in [typed, mail("application/octet-stream", &signed)] {
        check(&file, std::slice::from_ref(&found));
    }
}

/// Only as much RTF is decompressed as memory allows, which is told.
#[test]
fn compressed_rtf_that_is_too_long() {
    // [MS-OXRTFCP]: a URL as it is, then references to the byte before, 17 bytes each.
    let mut rtf = [&[0; 8][..], b"LZFu", &[0; 4]].concat();
    let start = b"http://h.org/rtf ";
    let mut write = 207 + start.len();
    for bytes in start.chunks(8) {
        rtf.push(0);
        rtf.extend(bytes);
    }
    // The last group has seven references more.
    *rtf.iter_mut().nth_back(1).unwrap() = 0xFE;
    let reference = |write: &mut usize| {
        let from = *write - 1;
        *write += 17;
        [(from >> 4 & 0xFF) as u8, (from << 4 & 0xF0) as u8 | 0xF]
    };
    (0..7).for_each(|_| rtf.extend(reference(&mut write)));
    for _ in 0..20_000 {
        let group: Vec<u8> = (0..8).flat_map(|_| reference(&mut write)).collect();
        rtf.extend([&[0xFF], &group[..]].concat());
    }
    let number = |n: usize| (n as u32).to_le_bytes();
    let properties = [&number(1), &number(0x1009_0102), &number(1), &number(rtf.len()), &rtf[..]].concat();
    let properties = [&properties[..], &vec![0; rtf.len().next_multiple_of(4) - rtf.len()]].concat();
    let attribute = [&b"\x01\x03\x90\x06\0"[..], &number(properties.len()), &properties, b"\0\0"].concat();
    let tnef = [&b"\x78\x9F\x3E\x22\x01\x02"[..], &attribute].concat();
    let mail = [format!("{HEAD}Content-Type: application/ms-tnef\n\n").as_bytes(), &tnef].concat();
    let options = ReadOptions { attachments: Attachments::All, ..ReadOptions::default() };
    let mut archive = Archive::new(&mail[..]).unwrap().with_options(&options);
    let message = archive.next_message().unwrap().unwrap();
    let text = message.texts().last().unwrap();
    let urls: Vec<_> = Finder::new().find_in(&text).map(|m| m.to_string()).collect();
    assert_eq!(urls, ["http://h.org/rtf"]);
    drop(text);
    let at = mail.windows(rtf.len()).position(|bytes| bytes == rtf).unwrap();
    let said = archive.undecoded().map(ToString::to_string);
    let expected =
        format!("the body at byte {at} is RTF longer than 2 MiB, and only its beginning was searched");
    assert_eq!(said, Some(expected));
}
