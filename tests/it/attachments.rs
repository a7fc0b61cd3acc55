//! Attachments are what their bytes are, whatever their type says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use urlgrep::Finder;
use urlgrep::archive::{Archive, Attachments, ReadOptions};

use crate::containers_web::response;
use crate::make::encode::{compressions, gzip};
use crate::make::{tar, zip};

/// A message with an attachment of this type and name, in base64.
fn mail(kind: &str, name: &str, bytes: &[u8]) -> Vec<u8> {
    let encoded = BASE64.encode(bytes);
    let lines: String =
        encoded.as_bytes().chunks(76).flat_map(|line| [str::from_utf8(line).unwrap(), "\n"]).collect();
    format!(
        "From: a@h.org\nTo: b@h.org\nContent-Type: multipart/mixed; boundary=A\n\n--A\n\nhttp://h.org/text\n\
         --A\nContent-Type: {kind}\nContent-Disposition: attachment; filename={name}\n\
         Content-Transfer-Encoding: base64\n\n{lines}--A--\n"
    )
    .into()
}

/// What is found in an attachment: the URL, its role, the part and the name of the file; and what is said of it.
fn found_with(attachments: Attachments, mail: &[u8]) -> (Vec<String>, Option<String>) {
    let options = ReadOptions { attachments, ..ReadOptions::default() };
    let mut archive = Archive::new(mail).unwrap().with_options(&options);
    let finder = Finder::new();
    let mut found = Vec::new();
    while let Some(message) = archive.next_message().unwrap() {
        let _ = finder.find_in_message(&message, |m| {
            let (part, name) =
                (m.context().unwrap().part().unwrap_or("-").to_owned(), m.context().unwrap().filename());
            let span = m.span();
            assert!(span.start < span.end && span.end <= mail.len() as u64);
            found.push(format!("{} {} {part} {}", m, m.role(), name.as_deref().unwrap_or("-")));
            std::ops::ControlFlow::Continue(())
        });
    }
    assert_eq!(found.remove(0), "http://h.org/text text 1 -");
    (found, archive.undecoded().map(ToString::to_string))
}

fn found(mail: &[u8]) -> Vec<String> {
    let (found, said) = found_with(Attachments::Documents, mail);
    assert_eq!(said, None);
    found
}

const OOXML: &str = "http://schemas.openxmlformats.org";

/// A document of Word with a link.
fn docx() -> Vec<u8> {
    let document = format!(
        "<w:document xmlns:w=\"{OOXML}/wordprocessingml/2006/main\"><w:body><w:p><w:r><w:t>at http://h.</w:t></w:r>\
         <w:r><w:t>org/docx</w:t></w:r></w:p></w:body></w:document>"
    );
    zip(&[
        ("[Content_Types].xml".into(), b"<Types/>".to_vec()),
        ("word/document.xml".into(), document.into()),
        ("word/media/image1.png".into(), b"\x89PNG\r\n\x1a\n http://h.org/png".to_vec()),
    ])
}

const PAGE: &[u8] = b"<!DOCTYPE html><p>a</p><a href='http://h.org/page'>here</a>";

const MESSAGE: &str = "From: c@h.org\nTo: d@h.org\nSubject: http://h.org/subject\n\nhttp://h.org/body\n";

#[test]
fn texts_and_pages() {
    let rows: [(&str, &str, &[u8], &str); 7] = [
        ("application/octet-stream", "a.txt", b"see http://h.org/a\n", "http://h.org/a text 2 a.txt"),
        ("image/jpeg", "a.jpg", b"see http://h.org/a\n", "http://h.org/a text 2 a.jpg"),
        ("application/octet-stream", "a.htm", PAGE, "http://h.org/page link 2 a.htm"),
        ("application/json", "a.json", br#"{"a":"http:\/\/h.org\/a"}"#, "http://h.org/a text 2 a.json"),
        ("application/x", "a.txt", b"\xFF\xFEh\0t\0t\0p\0:\0/\0/\0h\0.\0i\0/\0", "http://h.i/ text 2 a.txt"),
        ("application/msword", "a.doc", br"{\rtf1 http://h.org/\'61}", "http://h.org/a text 2 a.doc"),
        (
            "application/pgp-signature",
            "a.asc",
            b"-----BEGIN PGP SIGNATURE-----\nComment: http://h.org/pgp\n\niQ==\n",
            "http://h.org/pgp text 2 a.asc",
        ),
    ];
    for (kind, name, bytes, expected) in rows {
        assert_eq!(found(&mail(kind, name, bytes)), [expected], "{name}");
    }
}

#[test]
fn documents() {
    let docx = docx();
    let row = "http://h.org/docx text 2 a.docx!/word/document.xml";
    assert_eq!(found(&mail("application/octet-stream", "a.docx", &docx)), [row]);
    // Some programs send all files as text.
    assert_eq!(found(&mail("text/plain", "a.docx", &docx)), [row]);
    let archive = zip(&[("b/c.docx".into(), docx), ("d.txt".into(), b"http://h.org/d".to_vec())]);
    assert_eq!(
        found(&mail("application/zip", "a.zip", &archive)),
        ["http://h.org/docx text 2 a.zip!/b/c.docx!/word/document.xml", "http://h.org/d text 2 a.zip!/d.txt"]
    );
}

#[test]
fn documents_in_calendars() {
    let calendar = |file: &[u8]| {
        let attach = format!("ATTACH;ENCODING=BASE64;VALUE=BINARY:{}", BASE64.encode(file));
        format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\n{attach}\nEND:VEVENT\nEND:VCALENDAR\n").into_bytes()
    };
    for kind in ["application/octet-stream", "text/calendar"] {
        assert_eq!(
            found(&mail(kind, "a.ics", &calendar(&docx()))),
            ["http://h.org/docx text 2 !/word/document.xml"]
        );
        assert_eq!(found(&mail(kind, "a.ics", &calendar(b"GIF89a\x01\0\x01\0 http://h.org/gif"))), [""; 0]);
        let djvu = mail(kind, "a.ics", &calendar(b"AT&TFORM\0\0\0\x10DJVU http://h.org/djvu"));
        let (found, said) = found_with(Attachments::Documents, &djvu);
        assert_eq!(found, [""; 0]);
        assert!(said.unwrap().contains("is a DjVu document"));
    }
}

#[test]
fn archives_and_compressed_files() {
    let members = [("b.htm".to_owned(), PAGE.to_vec())];
    let row = "http://h.org/page link 2 a.tgz!/b.htm";
    assert_eq!(
        found(&mail("application/x-compressed", "a.tgz", &gzip(&tar(&members, b"ustar\x0000")))),
        [row]
    );
    for (name, encode) in compressions() {
        let rows =
            found(&mail("application/octet-stream", "a", &encode(b"http://h.org/a\n".repeat(9).as_slice())));
        assert_eq!(rows, ["http://h.org/a text 2 a"; 9], "{name}");
    }
}

#[test]
fn messages() {
    let rows = ["http://h.org/subject header 2 -", "http://h.org/body text 2.1 -"];
    assert_eq!(found(&mail("application/octet-stream", "a.eml", MESSAGE.as_bytes())), rows);
    assert_eq!(found(&mail("application/zip", "a.zip", &zip(&[("a.eml".into(), MESSAGE.into())]))), rows);
    // Content fields do not make it a part of the outer message, unless it has no others.
    let content = "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n";
    let (fields, body) = MESSAGE.split_once("\n\n").unwrap();
    for message in [format!("{content}{MESSAGE}"), format!("{fields}\n{content}\n{body}")] {
        assert_eq!(found(&mail("application/octet-stream", "a.eml", message.as_bytes())), rows);
    }
    let entity = format!("MIME-Version: 1.0\n{content}\nhttp://h.org/bod=\ny\n");
    let rows = ["http://h.org/body text 2 -"];
    assert_eq!(found(&mail("application/octet-stream", "a.eml", entity.as_bytes())), rows);
    let mbox = format!("From c@h.org Fri Mar  2 10:11:12 2001\n{MESSAGE}\n").repeat(2);
    assert_eq!(
        found(&mail("application/mbox", "a.mbox", mbox.as_bytes())),
        [
            "http://h.org/subject header 2.1 -",
            "http://h.org/body text 2.1.1 -",
            "http://h.org/subject header 2.2 -",
            "http://h.org/body text 2.2.1 -"
        ]
    );
}

#[test]
fn mailboxes_with_control_characters() {
    let one = "From: c@h.org\nTo: d@h.org\n\nhttp://h.org/body\n";
    let mmdf = format!("\x01\x01\x01\x01\n{one}\x01\x01\x01\x01\n").repeat(2);
    let babyl = format!(
        "BABYL OPTIONS:\nVersion: 5\n\x1f{}",
        format!("\x0c\n0,,\n*** EOOH ***\n{one}\x1f").repeat(2)
    );
    for mailbox in [mmdf, babyl] {
        assert_eq!(
            found(&mail("application/octet-stream", "a", mailbox.as_bytes())),
            ["http://h.org/body text 2.1.1 -", "http://h.org/body text 2.2.1 -"]
        );
    }
}

#[test]
fn web_archives() {
    let page = "<html><a href=/a>a</a></html>";
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://t.org/\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    );
    // The address of a record is not a match, and what a link is relative to.
    assert_eq!(found(&mail("application/warc", "a.warc", record.as_bytes())), ["http://t.org/a link 2 -"]);
    assert_eq!(
        found(&mail("application/warc", "a.warc", record.repeat(2).as_bytes())),
        ["http://t.org/a link 2.1 -", "http://t.org/a link 2.2 -"]
    );
}

#[test]
fn offsets_in_what_is_converted() {
    let text: Vec<u8> = "\u{FEFF}a http://h.org/ b".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mail = mail("application/octet-stream", "a.txt", &text);
    let at = memchr::memmem::find(&mail, BASE64.encode(&text).as_bytes()).unwrap() as u64;
    let mut spans = Vec::new();
    let mut archive = Archive::new(&mail[..]).unwrap();
    while let Some(message) = archive.next_message().unwrap() {
        let _ = Finder::new().find_in_message(&message, |m| {
            spans.push(m.span());
            std::ops::ControlFlow::Continue(())
        });
    }
    // 26 bytes after 6, three in four characters.
    assert_eq!(spans[1], at + 8..at + 43);
}

#[test]
fn values_are_in_their_place() {
    // Three layers are opened: the message in a value, and two values of JSON around it.
    let inner = format!("{{\"raw\":\"{}\",\"b\":\"http://h.org/b\"}}", BASE64.encode("see http://h.org/a\n"));
    let json = format!("{{\"data\":\"{}\",\"c\":\"http://h.org/c\"}}", BASE64.encode(inner));
    let attached = found(&mail("application/json", "a.json", json.as_bytes()));
    assert_eq!(
        attached,
        ["http://h.org/a text 2 -", "http://h.org/b text 2 -", "http://h.org/c text 2 a.json"]
    );
    let mut alone = Vec::new();
    let mut archive = Archive::new(json.as_bytes()).unwrap();
    while let Some(message) = archive.next_message().unwrap() {
        let _ = Finder::new().find_in_message(&message, |m| {
            alone.push(m.to_string());
            std::ops::ControlFlow::Continue(())
        });
    }
    assert_eq!(alone, ["http://h.org/a", "http://h.org/b", "http://h.org/c"]);
}

#[test]
fn the_page_of_a_message() {
    let page = "<!-- MHonArc v2.6.16 -->\n<!--X-Subject: b -->\n<!--X-Message-Id: 1@h.org -->\n\
                <html><a href='http://h.org/a'>a</a></html>";
    for kind in ["application/octet-stream", "text/html"] {
        let mail = mail(kind, "a.html", page.as_bytes());
        let mut ids = Vec::new();
        let mut archive = Archive::new(&mail[..]).unwrap();
        while let Some(message) = archive.next_message().unwrap() {
            let _ = Finder::new().find_in_message(&message, |m| {
                ids.push(m.context().unwrap().envelope().unwrap().id());
                std::ops::ControlFlow::Continue(())
            });
        }
        assert_eq!(ids, [None, Some("1@h.org".to_owned())], "{kind}");
    }
}

#[test]
fn winmail_with_another_type() {
    let file = b"see http://h.org/tnef\n";
    let winmail = [&b"\x78\x9F\x3E\x22\x01\x02\x02\x0F\x80\x06\0\x16\0\0\0"[..], file, b"\0\0"].concat();
    assert_eq!(
        found(&mail("application/octet-stream", "winmail.dat", &winmail)),
        ["http://h.org/tnef text 2 -"]
    );
}

/// A text without a charset yields the same matches in every place: letters in a Latin text, but not in KOI8 and GBK.
#[test]
fn a_file_without_a_charset() {
    let koi8 = b"\xD3\xCD http://h.org/a\xD0\xD2\xC9\xD7\xC5\xD4 \xD7\n";
    let gbk = b"\xC7\xEB http://h.org/a\xD6\xD0\xCE\xC4\xCD\xF8 \xD2\n";
    let latin = b"caf\xE9 http://m\xFCller.h.org/a\n";
    for (text, url) in
        [(&koi8[..], "http://h.org/a"), (gbk, "http://h.org/a"), (latin, "http://müller.h.org/a")]
    {
        in_every_place(text, url);
    }
    let labelled = mail("application/octet-stream; charset=koi8-r", "a", koi8);
    assert_eq!(found(&labelled), ["http://h.org/aпривет text 2 a"]);
    // The text of a message is shown in windows-1252.
    assert_eq!(found(&mail("text/plain", "a", koi8)), ["http://h.org/aÐÒÉ text 2 a"]);
}

/// Control characters do not hide a text; data for programs contain zeros and bytes that are not UTF-8.
#[test]
fn texts_with_control_characters() {
    let texts: [&[u8]; 6] = [
        b"see http://h.org/a \x01\x02 ok\n",
        b"\x7F http://h.org/a\n",
        b"a=http://h.org/a\0b=c\0",
        b"\xC3\xA9\0http://h.org/a\0",
        b"\xD7\xC9\x01 http://h.org/a\n",
        b"\x16\x16 http://h.org/a",
    ];
    texts.into_iter().for_each(|text| in_every_place(text, "http://h.org/a"));
}

/// Checks the URL of a text that is a file, and in every place where a file may be.
#[track_caller]
fn in_every_place(text: &[u8], url: &str) {
    let base64 = BASE64.encode(text);
    let har = format!(
        "{{\"log\":{{\"entries\":[{{\"response\":{{\"content\":{{\"encoding\":\"base64\",\"text\":\"{base64}\"}}}}}}]}}}}"
    );
    let calendar = format!("BEGIN:VCALENDAR\nATTACH;ENCODING=BASE64;VALUE=BINARY:{base64}\nEND:VCALENDAR\n");
    let record = |field: &str| response("http://h.org/files/a", &[field], text);
    let archive = zip(&[("b".into(), text.to_vec())]);
    let files = [
        text.to_vec(),
        gzip(text),
        archive.clone(),
        har.into(),
        calendar.into(),
        record("Server: x"),
        record("Content-Type: text/plain"),
        record("Content-Type: application/octet-stream"),
    ];
    let finder = Finder::new();
    for (n, file) in files.iter().enumerate() {
        let urls: Vec<_> =
            finder.find_in_archive(Archive::new(&file[..]).unwrap()).map(Result::unwrap).collect();
        assert_eq!(urls.iter().map(ToString::to_string).collect::<Vec<_>>(), [url], "file {n}");
    }
    for (bytes, name) in [(text, "a"), (&archive, "a!/b"), (&gzip(text), "a")] {
        let rows = found(&mail("application/octet-stream", "a", bytes));
        assert_eq!(rows, [format!("{url} text 2 {name}")]);
    }
}

#[test]
fn what_is_no_document_is_left_out() {
    let picture = b"GIF89a\x01\0\x01\0 http://h.org/gif";
    let rows: [&[u8]; 3] = [picture, b"MZ\x90\0 http://h.org/exe", b"\x03\xA2\x01\0 http://h.org/unknown"];
    for bytes in rows {
        assert_eq!(found(&mail("application/octet-stream", "a", bytes)), [""; 0]);
        let (all, said) = found_with(Attachments::All, &mail("application/octet-stream", "a", bytes));
        assert_eq!((all.len(), said), (1, None));
    }
    assert_eq!(
        found(&mail("application/zip", "a.zip", &zip(&[("b.gif".into(), picture.to_vec())]))),
        [""; 0]
    );
}

#[test]
fn links_of_a_pdf_document() {
    let pdf = b"%PDF-1.4\n%\xE2\xE3\n1 0 obj << /S /URI /URI (http://h.org/pdf?a&b) >> endobj \
        2 0 obj << /Length 0 >> stream\n\nendstream endobj";
    let row = "http://h.org/pdf?a&b link 2";
    for (mail, name) in [
        (mail("application/octet-stream", "a.pdf", pdf), "a.pdf"),
        (mail("application/zip", "a.zip", &zip(&[("b/c.pdf".into(), pdf.to_vec())])), "a.zip!/b/c.pdf"),
    ] {
        let (found, said) = found_with(Attachments::Documents, &mail);
        assert_eq!(found, [format!("{row} {name}")]);
        let said = said.unwrap();
        assert!(
            said.starts_with(&format!(
                "attachment {name} was only partly searched: only the links of PDF documents are searched"
            )),
            "{said}"
        );
        assert!(said.contains(", not their text; it is truncated"), "{said}");
    }
    let encrypted = b"%PDF-1.4\n1 0 obj << /URI (\xE2\xE3) >> endobj trailer << /Encrypt 2 0 R >>";
    let (found, said) = found_with(Attachments::Documents, &mail("application/pdf", "a.pdf", encrypted));
    assert_eq!(found, [""; 0]);
    assert!(said.unwrap().contains("it is encrypted"));
}

#[test]
fn a_document_that_is_not_read_is_named() {
    let djvu = b"AT&TFORM\0\0\0\x10DJVU http://h.org/djvu";
    let said = |mail: &[u8]| {
        let (found, said) = found_with(Attachments::Documents, mail);
        assert_eq!(found, [""; 0]);
        said.unwrap()
    };
    let plain = mail("application/octet-stream", "a.djvu", djvu);
    assert!(said(&plain).starts_with("attachment a.djvu is a DjVu document ("), "{}", said(&plain));
    let zipped = mail("application/zip", "a.zip", &zip(&[("b/c.djvu".into(), djvu.to_vec())]));
    assert!(said(&zipped).contains(" contains b/c.djvu, a DjVu document ("), "{}", said(&zipped));
    // So it is if its bytes are searched, which are not its text.
    for (mail, is) in [(&plain, "is"), (&zipped, "contains b/c.djvu,")] {
        let (found, said) = found_with(Attachments::All, mail);
        assert_eq!(found.len(), 1);
        let expected = format!(
            " {is} a DjVu document (djvutxt FILE | urlgrep), which is unsupported inside another file"
        );
        assert!(
            said.as_ref().unwrap().contains(&format!("{expected}: only its bytes were searched")),
            "{said:?}"
        );
    }
    let old = mail("application/msword", "a.doc", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 http://h.org/doc");
    assert!(said(&old).contains(" was not searched: "), "{}", said(&old));
    let damaged = &zip(&[("a.txt".into(), b"http://h.org/a ".repeat(9))])[..60];
    let (rows, said) = found_with(Attachments::Documents, &mail("application/zip", "a.zip", damaged));
    assert!(!rows.is_empty() && said.is_some_and(|said| said.contains("a.txt")));
}

/// BinHex is not decoded, neither in an attachment nor in the text.
#[test]
fn binhex_is_named() {
    let hqx = "(This file must be converted with BinHex 4.0)\n\n:$f*TEQKPH\"bK\"\nabc:\n";
    for kind in ["application/mac-binhex40", "application/octet-stream", "text/plain"] {
        let (found, said) = found_with(Attachments::Documents, &mail(kind, "a.hqx", hqx.as_bytes()));
        assert_eq!(found, [""; 0]);
        assert!(said.unwrap().contains(" a BinHex file"), "{kind}");
    }
    let mail = format!("From: a@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\n\nhttp://h.org/text\n{hqx}");
    let (found, said) = found_with(Attachments::Documents, mail.as_bytes());
    assert_eq!(found, [""; 0]);
    assert!(said.unwrap().ends_with(" contains a BinHex file, which is unsupported"));
}

/// A body may quote a message; a file with a name is what it is.
#[test]
fn a_message_in_a_text_file() {
    let message = "From: a@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\nMessage-ID: <1@h.org>\n\
        Content-Type: text/html\n\n<a href=\"http&colon;&NewLine;//h.org/page\">x</a>\n";
    for (field, count) in [("Content-Disposition: attachment; filename=a.txt\n", 1), ("", 0)] {
        let mail = format!(
            "From: a@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\nContent-Type: multipart/mixed; boundary=A\n\n\
             --A\n\nhttp://h.org/text\n--A\nContent-Type: text/plain\n{field}\n{message}--A--\n"
        );
        let (found, said) = found_with(Attachments::Documents, mail.as_bytes());
        assert_eq!((found.len(), said), (count, None), "{field}{found:?}");
    }
}

/// People quote what they can read: a text that is encoded twice is a message.
#[test]
fn a_message_in_an_encoded_text() {
    let (head, url) = ("From: c@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\n", "http://h.org/inner");
    let encoded = BASE64.encode(url);
    let part = format!("Content-Transfer-Encoding: base64\n\n{encoded}\n");
    for (inner, expected) in [
        (format!("{head}{part}"), &["2.1"][..]),
        (format!("{head}Message-ID: <1@h.org>\n{part}\n").repeat(2), &["2.1.1", "2.2.1"]),
        (format!("{head}Content-Transfer-Encoding: quoted-printable\n\nhttp=3A//h.org/inner\n"), &["2.1"]),
        (format!("{head}Content-Type: multipart/mixed; boundary=B\n\n--B\n{part}--B--\n"), &["2.1"]),
        // A quotation, after the fields that a reader sees, and one of all fields.
        (format!("{head}Subject: a\n\n{url}\n"), &["2"]),
        (format!("{head}Content-Transfer-Encoding: 8bit\n\n{url}\n"), &["2"]),
        (format!("See this:\n\n{head}{part}"), &[]),
    ] {
        let quoted = inner.replace('=', "=3D").replace("--", "=2D-");
        for (encoding, body) in [("base64", BASE64.encode(&inner)), ("quoted-printable", quoted)] {
            let mail = format!(
                "From: a@h.org\nTo: b@h.org\nContent-Type: multipart/mixed; boundary=A\n\n--A\n\n\
                 http://h.org/text\n--A\nContent-Type: text/plain; charset=utf-8\n\
                 Content-Transfer-Encoding: {encoding}\n\n{body}\n--A--\n"
            );
            let rows: Vec<String> = expected.iter().map(|part| format!("{url} text {part} -")).collect();
            assert_eq!(found(mail.as_bytes()), rows, "{encoding} {inner}");
        }
    }
}

#[test]
fn without_attachments() {
    for (kind, bytes) in [("application/x", b"http://h.org/a".to_vec()), ("application/zip", docx())] {
        let found = found_with(Attachments::None, &mail(kind, "a", &bytes));
        assert_eq!(found, (Vec::new(), None), "{kind}");
    }
}

/// The bytes that come out of an archive are bounded, and so is the time.
#[test]
fn a_bomb() {
    let bomb = zip(&[("a.txt".into(), b"http://h.org/a\n".repeat(2 << 20))]);
    let (rows, said) = found_with(Attachments::Documents, &mail("application/zip", "a.zip", &gzip(&bomb)));
    assert!(rows.len() > 1_000_000 && said.is_some_and(|said| said.contains("16 MiB")));
}
