//! Messages of Outlook.

use urlgrep::Finder;
use urlgrep::archive::{Archive, ReadOptions};

use super::{ByteByByte, WIDE, place, rows};
use crate::make::compound;
use crate::make::encode::gzip;

/// A message of Outlook, whose text is in UTF-16: a head as it came, a body, a page, and an
/// attachment that is a draft with an attachment.
pub fn outlook() -> Vec<u8> {
    let [(_, utf_16), ..] = WIDE;
    let head = utf_16(
        "Received: from h.org\r\nMessage-ID: <1@h.org>\r\nSubject: http://h.org/subject\r\n\
         Content-Type: text/plain\r\n\r\n",
    );
    let body = utf_16(&format!("http://h.org/one\r\n{}http://h.org/far\r\n", "a line\r\n".repeat(400)));
    let page = b"<p>caf\xE9</p> &lt;http://h.org/page&gt;";
    // 1 March 2001 at noon, in tenths of microseconds since 1601.
    let noon = (11_644_473_600_u64 + 983_448_000) * 10_000_000;
    let sent = [&[0; 24][..], &0x0039_0040_u32.to_le_bytes(), &[6, 0, 0, 0], &noon.to_le_bytes()].concat();
    let inner = "/__attach_version1.0_#00000000/__substg1.0_3701000D";
    compound(&[
        ("/__properties_version1.0", &[0; 32]),
        ("/__substg1.0_007D001F", &head),
        ("/__substg1.0_0037001F", &utf_16("http://h.org/subject-again")),
        ("/__substg1.0_1000001F", &body),
        ("/__substg1.0_10130102", page),
        (&format!("{inner}/__properties_version1.0"), &sent),
        (&format!("{inner}/__substg1.0_0037001E"), b"http://h.org/inner-subject"),
        (&format!("{inner}/__substg1.0_0C1A001E"), b"A"),
        (&format!("{inner}/__substg1.0_0C1F001E"), b"a@h.org"),
        (&format!("{inner}/__substg1.0_1035001E"), b"<2@h.org>"),
        (&format!("{inner}/__substg1.0_1000001E"), b"http://h.org/inner"),
        (
            &format!("{inner}/__attach_version1.0_#00000000/__substg1.0_37010102"),
            b"\0\xFFhttp://h.org/data\0",
        ),
        ("/__attach_version1.0_#00000001/__substg1.0_37010102", b"http://h.org/text"),
        ("/__attach_version1.0_#00000001/__substg1.0_370E001E", b"text/plain"),
    ])
}

#[test]
fn outlook_messages() {
    let [(_, utf_16), ..] = WIDE;
    let bytes = |text: &str| text.as_bytes().to_vec();
    let file = outlook();
    let place = |url: &str| match url.rsplit('/').next() {
        Some("subject") => place(&file, &utf_16("http://h.org/subject\r")),
        Some("one" | "far") => place(&file, &utf_16(url)),
        Some("inner") => place(&file, b"http://h.org/inner\0"),
        _ => place(&file, &bytes(url)),
    };
    // There are no lines.
    let expected = [
        "http://h.org/subject | 1@h.org | - | Subject | -",
        "http://h.org/one | 1@h.org | 1 | - | -",
        "http://h.org/far | 1@h.org | 1 | - | -",
        "http://h.org/page | 1@h.org | 2 | - | -",
        "http://h.org/inner-subject | 2@h.org | 3 | Subject | -",
        "http://h.org/inner | 2@h.org | 3.1 | - | -",
        "http://h.org/text | 1@h.org | 4 | - | -",
    ];
    let expected = expected.map(|row| (row.to_owned(), place(row.split(" | ").next().unwrap())));
    for rows in [rows(&file[..]), rows(ByteByByte(&file)), rows(&gzip(&file)[..])] {
        let starts = rows.into_iter().map(|(row, pieces)| (row, pieces[0].0));
        assert_eq!(starts.collect::<Vec<_>>(), expected.clone().map(|(row, (start, _))| (row, start)));
    }
    for cut in (0..file.len()).step_by(7) {
        for (_, pieces) in rows(&file[..cut]) {
            assert!(pieces.iter().all(|&(start, end)| start < end && end <= cut as u64), "cut at {cut}");
        }
    }
}

/// [MS-OXOCNTC] §2.2.1.10: PidTagBusinessHomePage, PidTagPersonalHomePage, PidTagFtpSite.
#[test]
fn pages_of_a_contact() {
    let [(_, utf_16), ..] = WIDE;
    let streams = [
        ("/__substg1.0_3A51001F", "https://h.org/business", true),
        ("/__substg1.0_3A51001E", "https://h.org/business", false),
        ("/__substg1.0_3A50001F", "https://h.org/personal", true),
        ("/__substg1.0_3A4C001E", "ftp://h.org/site", false),
    ];
    for (name, url, is_wide) in streams {
        let value = if is_wide { utf_16(url) } else { url.as_bytes().to_vec() };
        let file = compound(&[("/__properties_version1.0", &[0; 32]), (name, &value)]);
        let expected = vec![(format!("{url} | - | - | X-URL | -"), vec![place(&file, &value)])];
        assert_eq!(rows(&file[..]), expected, "{name}");
    }
}

/// A `winmail.dat` that was saved: level, name, length, data and checksum of its text and of an attachment.
#[test]
fn winmail_as_a_file() {
    let attribute = |name: u32, data: &[u8]| {
        [&[1][..], &name.to_le_bytes(), &(data.len() as u32).to_le_bytes(), data, &[0, 0]].concat()
    };
    let file = [
        &b"\x78\x9F\x3E\x22\x01\x02"[..],
        &attribute(0x0002_800C, b"see http://h.org/body\r\n"),
        &attribute(0x0006_800F, b"<!DOCTYPE html><a href='http://h.org/page'>a</a>"),
    ]
    .concat();
    let expected = ["http://h.org/body | - | 1 | - | -", "http://h.org/page | - | 1 | - | -"]
        .map(|row| (row.to_owned(), vec![place(&file, row.split(" | ").next().unwrap().as_bytes())]));
    for rows in [rows(&file[..]), rows(ByteByByte(&file)), rows(&gzip(&file)[..])] {
        assert_eq!(rows, expected);
    }
}

/// RTF that is not compressed, in a stream.
fn rtf(text: &str) -> Vec<u8> {
    let len = text.len() as u32;
    [&(len + 12).to_le_bytes()[..], &len.to_le_bytes(), b"MELA", &[0; 4], text.as_bytes()].concat()
}

#[test]
fn links_that_only_rtf_has() {
    let rtf = rtf(
        r#"{\rtf1{\field{\*\fldinst HYPERLINK "http://h.org/text"}{\fldrslt a}}{\field{\*\fldinst HYPERLINK "http://h.org/a\{b\}"}
        {\fldrslt http://h.org/other}}{\field{\*\fldinst HYPERLINK "http://h.org/html?c&d"}{\fldrslt a}}
        {\field{\*\fldinst HYPERLINK "http://h.org/a\{b\}"}{\fldrslt a}}}"#,
    );
    let page = b"<a href='http://h.org/html?c&amp;d'>e</a>";
    let streams: [(&str, &[u8]); 4] = [
        ("/__properties_version1.0", &[0; 32]),
        ("/__substg1.0_1000001E", b"See http://h.org/text."),
        ("/__substg1.0_10130102", page),
        ("/__substg1.0_10090102", &rtf),
    ];
    let file = compound(&streams);
    let found = rows(&file[..]);
    let shown: Vec<_> = found.iter().map(|(row, _)| row.split(" | ").next().unwrap()).collect();
    assert_eq!(shown, ["http://h.org/text", "http://h.org/html?c&d", "http://h.org/a{b}"]);
    let written = |&(start, end): &(u64, u64)| file[start as usize..end as usize].to_vec();
    let bytes: Vec<u8> = found[2].1.iter().flat_map(written).collect();
    assert_eq!(bytes, b"http://h.org/a{b}");
    // Without another body it is read as a whole.
    let found = rows(&compound(&[streams[0], streams[3]])[..]);
    assert!(found.iter().any(|(row, _)| row.starts_with("http://h.org/other")), "{found:?}");
}

/// The original header describes the structure of the message as it was sent. The file stores only its parts.
#[test]
fn fields_about_the_structure_are_not_those_of_the_parts() {
    for field in [
        "Content-Type: multipart/mixed; boundary=b",
        "content-type: application/pdf",
        "Content-Transfer-Encoding: base64",
        "CONTENT-DISPOSITION: attachment; filename=a.png",
        "Content-Location: http://h.org/location",
        "MIME-Version: 1.0",
    ] {
        let head = format!("{field}\r\nMessage-ID: <1@h.org>\r\n\r\n");
        let file = compound(&[
            ("/__properties_version1.0", &[0; 32]),
            ("/__substg1.0_007D001E", head.as_bytes()),
            ("/__substg1.0_1000001E", b"http://h.org/body"),
        ]);
        let found: Vec<_> = rows(&file[..]).into_iter().map(|(row, _)| row).collect();
        assert_eq!(found, ["http://h.org/body | 1@h.org | 1 | - | -"], "{field}");
    }
}

/// 32 messages within each other are read, and the note says that there are more.
#[test]
fn messages_nested_too_deep() {
    for (depth, noted) in [(32, false), (33, true)] {
        let mut streams = Vec::new();
        for level in 0..=depth {
            let message = "/__attach_version1.0_#00000000/__substg1.0_3701000D".repeat(level);
            streams.push((format!("{message}/__properties_version1.0"), vec![0; 32]));
            let body = format!("http://h.org/{level}").into_bytes();
            streams.push((format!("{message}/__substg1.0_1000001E"), body));
        }
        let streams: Vec<_> = streams.iter().map(|(path, bytes)| (&**path, &**bytes)).collect();
        let file = compound(&streams);
        let mut archive = Archive::new(&file[..]).unwrap().with_options(&ReadOptions::default());
        let (mut found, mut errors) = (0, Vec::new());
        let finder = Finder::new();
        loop {
            match archive.next_message() {
                Ok(Some(message)) => {
                    found += message.texts().map(|text| finder.find_in(&text).count()).sum::<usize>();
                }
                Ok(None) => break,
                Err(error) => errors.push(error.to_string()),
            }
        }
        assert_eq!((found, !errors.is_empty()), (33, noted), "{depth}: {errors:?}");
    }
}
