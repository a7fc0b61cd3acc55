//! Transfer encodings that are damaged, or said of what is not encoded.

use super::{BASE64, HEAD, check, found, search};
use crate::laws;
use base64::Engine as _;
use urlgrep::archive::Attachments;

/// The URLs of a message with this head and body.
fn urls(fields: &str, body: &[u8]) -> Vec<String> {
    let file = [format!("{HEAD}{fields}\n").as_bytes(), body].concat();
    let mut urls = Vec::new();
    search(&file, Attachments::Documents, |m| urls.push(m.to_str().unwrap().to_owned()));
    urls
}

/// Base64 with `junk` after every `every` characters.
fn laced(text: &[u8], junk: &str, every: usize) -> Vec<u8> {
    let encoded = BASE64.encode(text);
    let pieces = encoded.as_bytes().chunks(every);
    pieces.flat_map(|piece| [piece, junk.as_bytes()].concat()).chain(*b"\n").collect()
}

/// RFC 2045 §6.7: the body is in quoted-printable, although its header does not declare it.
#[test]
fn a_page_whose_encoding_is_not_declared() {
    let page = b"<html><body class=3D\"a\"><a href=3D\"mailto:=\nd@h.org\">x</a>\n\
        <a href=3D\"http://h.org/a-long=\n-path?x=3D1\">http=\ns://h.org/b/</a></body></html>\n";
    let expected = ["mailto:d@h.org", "http://h.org/a-long-path?x=1", "https://h.org/b/"];
    for fields in ["Content-Type: text/html\n", "X-A: b\n"] {
        let mut found = urls(fields, page);
        found.sort_by_key(|url| expected.iter().position(|expected| expected == url));
        assert_eq!(found, expected, "{fields}");
    }
}

const PROSE: &str =
    "Please look at https://h.org/a?x=1 and at https://h.org/b today, and tell me what you think of it.\n";

#[test]
fn foreign_bytes_are_ignored_however_many_there_are() {
    let fields = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n";
    for junk in
        [".", "*", "!", "<", ">", "\"", " ", "-", "_", "@", ":", ".\n", "*\r\n", "!!", "<!-- -->", "\u{e9}"]
    {
        for every in [1, 2, 3, 5, 7, 10, 70] {
            let found = urls(fields, &laced(PROSE.as_bytes(), junk, every));
            assert_eq!(found, ["https://h.org/a?x=1", "https://h.org/b"], "{junk:?} after {every}");
        }
    }
    // In a charset whose bytes are not UTF-8, and in a document.
    let koi8 =
        [&b"\xCD\xC9\xD2 \xD4\xD2\xD5\xC4 ".repeat(20)[..], b"http://h.org/koi8 \xCD\xC9\xD2"].concat();
    let label = "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n";
    assert_eq!(urls(label, &laced(&koi8, ".", 7)), ["http://h.org/koi8"]);
    let pdf = b"%PDF-1.4\n\xE2\xE3\xCF\xD3\n1 0 obj\n<< /Type /Annot /Subtype /Link /A << /S /URI /URI (http://h.org/pdf) >> >>\nendobj\n";
    let file = "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n";
    assert_eq!(urls(file, &laced(pdf, ".", 7)), ["http://h.org/pdf"]);
}

#[test]
fn footers_after_such_a_body() {
    let fields = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n";
    let footer = "_______________________________________________\nThe mailing list\nhttp://h.org/list\n";
    let body = [&laced(PROSE.as_bytes(), ".", 7)[..], footer.as_bytes()].concat();
    assert_eq!(urls(fields, &body), ["https://h.org/a?x=1", "https://h.org/b", "http://h.org/list"]);
}

/// Text in ISO 2022 has as many escapes as noise has controls.
#[test]
fn a_footer_after_japanese() {
    let fields = "Content-Type: text/plain; charset=iso-2022-jp\nContent-Transfer-Encoding: base64\n";
    let text = BASE64.encode(["\x1B$B$3\x1B(B ".repeat(20).as_bytes(), b"http://h.org/a\n"].concat());
    let body = format!("{text}\n_____\nThe list, http://h.org/list\n");
    assert_eq!(urls(fields, body.as_bytes()), ["http://h.org/a", "http://h.org/list"]);
}

/// A digest of encoded messages has no URL as it stands.
#[test]
fn a_digest_of_encoded_messages() {
    let message = |n| {
        let text = BASE64.encode(format!("see http://h.org/{n}\n"));
        format!(
            "Date: Fri, 2 Mar 2001 10:11:1{n} +0000\nFrom: {n}@h.org\nContent-Transfer-Encoding: base64\n\n{text}\n\n"
        )
    };
    let rule = "-".repeat(30) + "\n\n";
    let digest = [&"-".repeat(70), "\n\n", &message(1), &rule, &message(2), &rule].concat();
    assert_eq!(urls("", digest.as_bytes()), ["http://h.org/1", "http://h.org/2"]);
    laws::archive::holds(format!("Subject: a digest\nFrom: a@h.org\nTo: b@h.org\n\n{digest}").as_bytes());
    // Without a preamble, the line of hyphens is where a head would be.
    laws::archive::holds(digest.as_bytes());
    laws::archive::holds(format!("Subject: a digest\n{digest}").as_bytes());
}

/// Its first character is no mark.
#[test]
fn a_file_in_utf_16_without_a_mark() {
    let fields = "Content-Type: application/octet-stream; name=a.txt\nContent-Transfer-Encoding: base64\n";
    let text = "http://h.org/a\r\nand http://h.org/b, see the text and more of it\r\n";
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let body = BASE64.encode(text.encode_utf16().flat_map(unit).collect::<Vec<u8>>());
        assert_eq!(urls(fields, body.as_bytes()), ["http://h.org/a", "http://h.org/b"]);
    }
}

#[test]
fn what_is_not_in_base64() {
    let page = "<html>\n<body>\nHello\nWorld\nThis\nis\nit\n<a\nhref=\"http://h.org/page\">a link</a>\nregards\nJane\n</html>\n";
    for kind in ["Content-Type: text/html\n", ""] {
        let fields = format!("{kind}Content-Transfer-Encoding: base64\n");
        assert_eq!(urls(&fields, page.as_bytes()), ["http://h.org/page"], "{kind}");
    }
    let html = format!("{HEAD}Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n{page}");
    search(html.as_bytes(), Attachments::Documents, |m| {
        assert_eq!(m.context().unwrap().element(), Some("a@href"));
    });
    // What is encoded, and has a footer, is encoded.
    let utf_16: Vec<u8> =
        "see http://h.org/wide and more of it\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let body = format!("{}\nhttp://h.org/footer\n", BASE64.encode(utf_16));
    let fields = "Content-Type: text/plain; charset=utf-16le\nContent-Transfer-Encoding: base64\n";
    assert_eq!(urls(fields, body.as_bytes())[0], "http://h.org/wide");
}

#[test]
fn multiparts_that_are_encoded() {
    let part = "--q\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nhttps://h.org/?a=3D1&b=\n=3D2\n--q--\n";
    let head = |kind: &str, encoding: &str| {
        format!("{HEAD}Content-Type: multipart/{kind}; boundary=q\nContent-Transfer-Encoding: {encoding}\n\n")
    };
    for kind in ["mixed", "alternative"] {
        let lines: Vec<String> = BASE64
            .encode(part)
            .as_bytes()
            .chunks(60)
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        let file = head(kind, "base64") + &lines.join("\n") + "\n";
        laws::archive::holds(file.as_bytes());
        let mut all = Vec::new();
        search(file.as_bytes(), Attachments::Documents, |m| {
            let context = m.context().unwrap();
            let id = context.envelope().and_then(|envelope| envelope.id()).unwrap_or_default();
            all.push(format!("{} {id} {}", m.to_str().unwrap(), context.part().unwrap_or_default()));
        });
        assert_eq!(all, ["https://h.org/?a=1&b=2 1@h.org 1"], "{kind}");
    }
    // The head of the first part shows that it is encoded.
    let twice = part.replace('=', "=3D").replace("text/plain", "text/plain; charset=3Dutf-8");
    let file = head("mixed", "quoted-printable") + &twice;
    check(&file, &[found("https://h.org/?a=1&b=2", "1@h.org", "1", "https://h.org/?a=3D3D1&b|=3D3D2", 10)]);
    // Without a delimiter it is damaged: nothing of it was encoded twice.
    let damaged = head("mixed", "quoted-printable") + "see http://h.org/?a=3D1 here\n";
    check(&damaged, &[found("http://h.org/?a=3D1", "1@h.org", "1", "http://h.org/?a=3D1", 6)]);
    // It does not, and so it is not.
    for encoding in ["base64", "quoted-printable"] {
        let file = head("mixed", encoding) + &part.replace("a=3D1", "a=3D3D25");
        check(
            &file,
            &[found("https://h.org/?a=3D25&b=2", "1@h.org", "1", "https://h.org/?a=3D3D25&b|=3D2", 10)],
        );
    }
}

#[test]
fn an_encoded_multipart_among_other_parts() {
    let inner =
        "--q\nContent-Type: text/html\n\n<a href=\"http://h.org/1\">a</a>\n--q\n\nhttp://h.org/2\n--q--\n";
    let file = format!(
        "{HEAD}Content-Type: multipart/mixed; boundary=A\n\n--A\nContent-Type: multipart/alternative; boundary=q\n\
         Content-Transfer-Encoding: base64\n\n{}\n--A\n\nhttp://h.org/3\n--A--\n",
        BASE64.encode(inner)
    );
    laws::archive::holds(file.as_bytes());
    let mut all = Vec::new();
    search(file.as_bytes(), Attachments::Documents, |m| {
        all.push(format!("{} {}", m.to_str().unwrap(), m.context().unwrap().part().unwrap_or_default()));
    });
    assert_eq!(all, ["http://h.org/1 1.1", "http://h.org/2 1.2", "http://h.org/3 2"]);
}
