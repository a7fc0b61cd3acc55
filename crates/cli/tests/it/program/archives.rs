//! Mail, news and compressed files.

use serde_json::{Value, json};
use std::fs;

use crate::make::encode::gzip;

use super::{folder, prints, run, urlgrep, within};

const MAIL: &str = "From: A <a@h.org>
Message-ID: <1@h.org>
Date: Fri, 02 Mar 2001 10:11:12 +0100
Subject: links
Newsgroups: comp.mail.misc
Content-Transfer-Encoding: quoted-printable

> http://h.org/=
a
";

#[test]
fn json_has_the_message() {
    let ran = run(urlgrep(&["--json"]), MAIL.as_bytes());
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        object["message"],
        json!({
            "index": 0,
            "id": "1@h.org",
            "from": "A <a@h.org>",
            "date": "2001-03-02T10:11:12+01:00",
            "subject": "links",
            "newsgroups": "comp.mail.misc",
            "to": null,
            "cc": null,
            "list_id": null,
            "in_reply_to": null,
            "part": "1",
            "content_type": "text/plain",
            "header": null,
            "quote_depth": 1,
            "filename": null,
        })
    );
    assert_eq!(object["url"], "http://h.org/a");
    assert_eq!((&object["line"], &object["column"]), (&json!(8), &json!(3)));
    let start = MAIL.find("http").unwrap();
    assert_eq!(object["pieces"], json!([[start, start + 13], [start + 15, start + 16]]));
    assert_eq!((&object["start"], &object["end"]), (&json!(start), &json!(start + 16)));
}

#[test]
fn the_format_can_be_forced() {
    prints(&[], MAIL.as_bytes(), "http://h.org/a\n");
    prints(&["--input", "text"], MAIL.as_bytes(), "http://h.org/=\n");
    prints(&["--input", "mail", "--no-headers"], b"http: <http://h.org/>\n\n", "");
    prints(&["--input", "html"], b"<a href=http://h.org/a>", "http://h.org/a\n");
    let article = "A: b\n\nhttp://h.org/a\n";
    let batch = format!("#! rnews {0}\n{article}#! rnews {0}\n{article}", article.len());
    prints(&["-c"], batch.as_bytes(), "2\n");
}

#[test]
fn parts_are_what_their_bytes_are() {
    let mail = MAIL.replace("Newsgroups: comp.mail.misc", "Content-Type: image/gif");
    prints(&[], mail.as_bytes(), "http://h.org/a\n");
    prints(&["--no-attachments"], mail.as_bytes(), "");
    let picture = mail.replace("\n\n", "\n\nGIF89a\x01\x00\x01\x00");
    prints(&[], picture.as_bytes(), "");
    prints(&["--attachments"], picture.as_bytes(), "http://h.org/a\n");
}

/// RFC 2183 §2.2: a part is an attachment if its sender says so, whatever its type.
#[test]
fn texts_that_are_attachments() {
    let part = |fields: &str, url: &str| format!("--b\n{fields}\n\n{url}\n");
    let mail = [
        "From: a@h.org\nTo: b@h.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
            .to_owned(),
        part("Content-Disposition: inline; filename=attachment.txt", "http://h.org/1"),
        part("Content-Type: text/plain\nContent-Disposition: ATTACHMENT; filename=a.txt", "http://h.org/2"),
        part("Content-Type: text/html\nContent-Disposition: attachment", "<a href=http://h.org/3>x</a>"),
        "--b--\n".to_owned(),
    ]
    .concat();
    prints(&[], mail.as_bytes(), "http://h.org/1\nhttp://h.org/2\nhttp://h.org/3\n");
    prints(&["--no-attachments"], mail.as_bytes(), "http://h.org/1\n");
    let single = "From: a@h.org\nTo: b@h.org\nContent-Disposition: attachment\n\nhttp://h.org/1\n";
    prints(&[], single.as_bytes(), "http://h.org/1\n");
    prints(&["--no-attachments"], single.as_bytes(), "");
}

#[test]
fn as_many_as_wanted() {
    let mbox = "From -1234\nFrom: a\nTo: b\n\nhttp://h.org/a http://h.org/b\n\n".repeat(3);
    prints(&["-m", "3"], mbox.as_bytes(), "http://h.org/a\nhttp://h.org/b\nhttp://h.org/a\n");
    prints(&["-u"], mbox.as_bytes(), "http://h.org/a\nhttp://h.org/b\n");
    prints(&["-c"], mbox.as_bytes(), "6\n");
}

#[test]
fn a_compressed_file_that_was_cut_off() {
    let packed = gzip(MAIL.repeat(1000).as_bytes());
    let folder = folder(&[]);
    fs::write(folder.path().join("a.gz"), &packed[..packed.len() - 4]).unwrap();
    let ran = run(within(&folder, &["-c", "a.gz"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.starts_with("urlgrep: a.gz: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("byte"), "{}", ran.stderr);
    assert_ne!(ran.stdout, "0\n");
}

/// A zip archive with one member that is stored.
fn zip(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    let len = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    let name_len = u16::try_from(name.len()).unwrap().to_le_bytes();
    let header: [&[u8]; 7] = [
        b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0",
        &crc.sum().to_le_bytes(),
        &len,
        &len,
        &name_len,
        b"\0\0",
        name.as_bytes(),
    ];
    [header.concat(), bytes.to_vec()].concat()
}

#[test]
fn members_of_a_zip_archive() {
    let folder = folder(&[]);
    let directory = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    let archive =
        [zip("in/b.mbox", MAIL.as_bytes()), zip("c.gz", &gzip(b"http://h.org/c")), directory].concat();
    fs::write(folder.path().join("a.zip"), archive).unwrap();
    let ran = run(within(&folder, &["-H", "-n", "a.zip"]), b"");
    assert_eq!(ran.stderr, "");
    assert_eq!(ran.stdout, "a.zip!/in/b.mbox:8:http://h.org/a\na.zip!/c.gz:1:http://h.org/c\n");
}

#[test]
fn too_many_levels_are_text() {
    let mail = format!(
        "{}To: b@h.org\n\nhttp://h.org/a\n",
        "Subject: a\nContent-Type: message/rfc822\n\n".repeat(200)
    );
    let ran = run(urlgrep(&["--input", "mail"]), mail.as_bytes());
    assert_eq!(ran.stdout, "http://h.org/a\n");
    assert_eq!(
        ran.stderr,
        "urlgrep: -: more than 100 levels of nesting; the deeper levels were searched as text\n"
    );
    assert_eq!(ran.status, Some(0));
}
