//! Documents and archives that are bodies of records: they are read, or named, as attachments of mail are.

use urlgrep::Finder;
use urlgrep::archive::{Archive, Attachments, ReadOptions};

use super::{record, response};
use crate::make::encode::gzip;
use crate::make::{tar, zip};

/// What is found in an archive: each URL, the text type and the name of its file; and what is said of the bodies.
fn found_with(attachments: Attachments, file: &[u8]) -> (Vec<String>, Option<String>) {
    let options = ReadOptions { attachments, ..ReadOptions::default() };
    let mut archive = Archive::new(file).unwrap().with_options(&options);
    let finder = Finder::new();
    let mut found = Vec::new();
    while let Some(message) = archive.next_message().unwrap() {
        for text in message.texts() {
            for m in finder.find_in(&text) {
                let (context, span) = (m.context().unwrap(), m.span());
                let record = context.record().unwrap();
                assert!(record.offset() < span.start && span.start < span.end, "{m}");
                assert!(span.end <= file.len() as u64, "{m}");
                found.push(format!("{m} {}", context.filename().as_deref().unwrap_or("-")));
            }
        }
    }
    (found, archive.undecoded().map(ToString::to_string))
}

/// What is found in a body of this type; an empty type is none.
fn found(kind: &str, body: &[u8]) -> Vec<String> {
    let (found, said) = found_with(Attachments::Documents, &page(kind, body));
    assert_eq!(said, None);
    found
}

fn page(kind: &str, body: &[u8]) -> Vec<u8> {
    let field = if kind.is_empty() { "Server: x".to_owned() } else { format!("Content-Type: {kind}") };
    response("http://h.org/files/a", &[&field], body)
}

const DOCUMENT: &str = "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>\
    <w:p><w:r><w:t>at http://h.</w:t></w:r><w:r><w:t>org/docx</w:t></w:r></w:p></w:body></w:document>";

/// A document of Word with a URL whose format changes.
fn docx() -> Vec<u8> {
    zip(&[
        ("[Content_Types].xml".into(), b"<Types/>".to_vec()),
        ("word/document.xml".into(), DOCUMENT.into()),
        ("word/media/image1.png".into(), b"\x89PNG\r\n\x1a\n http://h.org/png".to_vec()),
    ])
}

const PAGE: &[u8] = b"<!DOCTYPE html><p>a</p><a href='http://h.org/page'>here</a> <a href=b>there</a>";

const PDF: &[u8] = b"%PDF-1.4\n%\xE2\xE3\n1 0 obj << /S /URI /URI (http://h.org/pdf?a&b) >> endobj\n\
    2 0 obj << /Length 0 >> stream\n\nendstream endobj\n%%EOF\n";

#[test]
fn documents() {
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    for kind in [word, "application/octet-stream", "text/plain", "text/html", ""] {
        assert_eq!(found(kind, &docx()), ["http://h.org/docx !/word/document.xml"], "{kind}");
    }
    let sheet = record(
        &[
            "WARC/1.0",
            "WARC-Type: resource",
            "WARC-Target-URI: http://h.org/d",
            "Content-Type: application/zip",
        ],
        &docx(),
    );
    assert_eq!(found_with(Attachments::Documents, &sheet).0, ["http://h.org/docx !/word/document.xml"]);
}

#[test]
fn links_of_a_pdf_document() {
    for kind in ["application/pdf", "application/octet-stream", "text/plain", ""] {
        let (found, said) = found_with(Attachments::Documents, &page(kind, PDF));
        assert_eq!(found, ["http://h.org/pdf?a&b -"], "{kind}");
        assert!(said.unwrap().contains("only the links of PDF documents are searched, not their text"));
    }
}

/// A file of an archive has no address of its own: its relative links are left out.
#[test]
fn archives_and_compressed_files() {
    let members = [("b.htm".to_owned(), PAGE.to_vec()), ("c.txt".to_owned(), b"http://h.org/c".to_vec())];
    let rows = ["http://h.org/page !/b.htm", "http://h.org/c !/c.txt"];
    assert_eq!(found("application/zip", &zip(&members)), rows);
    assert_eq!(found("application/gzip", &gzip(&tar(&members, b"ustar\x0000"))), rows);
    // What was compressed alone is what the address is of.
    assert_eq!(found("application/x-gzip", &gzip(PAGE)), ["http://h.org/page -", "http://h.org/files/b -"]);
    let sitemap = b"<?xml version='1.0'?><urlset><url><loc>http://h.org/?a&amp;b</loc></url></urlset>";
    assert_eq!(found("application/octet-stream", &gzip(sitemap)), ["http://h.org/?a&b -"]);
    let coded = response(
        "http://h.org/a",
        &["Content-Type: application/zip", "Content-Encoding: gzip"],
        &gzip(&zip(&members)),
    );
    assert_eq!(found_with(Attachments::Documents, &coded), (rows.map(String::from).to_vec(), None));
}

/// A type that says nothing: the bytes tell what the body is.
#[test]
fn pages_and_messages() {
    assert_eq!(found("application/octet-stream", PAGE), ["http://h.org/page -", "http://h.org/files/b -"]);
    let mail = b"From: c@h.org\r\nTo: d@h.org\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\n<a href=3D\"http://h.=\r\norg/mail\">a</a><a href=3Db>c</a>\r\n";
    for kind in ["message/rfc822", "multipart/related", "application/octet-stream"] {
        assert_eq!(found(kind, mail), ["http://h.org/mail -"], "{kind}");
    }
    assert_eq!(found("message/rfc822", b"see http://h.org/a\n"), ["http://h.org/a -"]);
}

#[test]
fn a_document_that_is_not_read_is_named() {
    let old_word = [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), &[0; 600], b"http://h.org/doc"].concat();
    let rows: [(&str, &[u8], &str); 4] = [
        ("application/x-7z-compressed", b"7z\xBC\xAF\x27\x1C\0\0 http://h.org/7z", "is a 7z archive ("),
        ("text/plain", b"7z\xBC\xAF\x27\x1C\0\0 http://h.org/7z", "is a 7z archive ("),
        ("image/vnd.djvu", b"AT&TFORM\0\0\0\x10DJVU http://h.org/djvu", "is a DjVu document ("),
        ("application/msword", &old_word, "was not searched: "),
    ];
    for (kind, body, why) in rows {
        let file = page(kind, body);
        let start = file.len() - body.len() - 4;
        let (found, said) = found_with(Attachments::Documents, &file);
        assert_eq!(found, [""; 0], "{kind}");
        let said = said.unwrap();
        assert!(said.starts_with(&format!("the body at byte {start} {why}")), "{said}");
        let (found, said) = found_with(Attachments::None, &page("application/x", body));
        assert_eq!((found, said), (Vec::new(), None));
    }
    let twice =
        [page("application/x", rows[0].1), page("image/png", b"\x89PNG\r\n\x1a\n"), page("", rows[2].1)];
    let said = found_with(Attachments::Documents, &twice.concat()).1.unwrap();
    assert!(said.ends_with("(and 1 more)"), "{said}");
}

/// Of a record that is longer than 16 MiB the rest is no text if its beginning is none, and it is if that is one.
#[test]
fn long_records() {
    let padding = vec![b'\0'; 20_000_000];
    let last = page("text/plain", b"http://h.org/last");
    let searched = |kind: &str, body: &[&[u8]]| {
        let file = [page(kind, &body.concat()), last.clone()].concat();
        let (mut found, said) = found_with(Attachments::Documents, &file);
        assert_eq!(found.pop().as_deref(), Some("http://h.org/last -"));
        (found, said)
    };
    let file = ("a.bin".to_owned(), [&padding[..], b" http://h.org/end"].concat());
    let stored = zip(&[("b.txt".to_owned(), b"http://h.org/b\n".to_vec()), file]);
    for kind in ["application/zip", "text/plain", ""] {
        let (found, said) = searched(kind, &[&stored]);
        assert_eq!(found, ["http://h.org/b !/b.txt"], "{kind}");
        assert!(said.unwrap().contains("only partly searched"), "{kind}");
    }
    let (found, said) = searched("text/plain", &[b"7z\xBC\xAF\x27\x1C\0\0", &padding, b" http://h.org/end"]);
    assert_eq!(found, [""; 0]);
    assert!(said.unwrap().contains("a 7z archive"));
    let line = b"a line of some text\n".repeat(1_000_000);
    let (found, said) = searched("application/octet-stream", &[&line, b"http://h.org/end\n"]);
    assert_eq!((found, said), (vec!["http://h.org/end -".to_owned()], None));
}
