//! Containers of mail in the program: what is refused, and what the output has.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::{folder, run, within};
use crate::make::compound;
use crate::make::pst::{self, Method, Pst, Version};

/// A folder with a file of these bytes, and one of text.
fn with_text(name: &str, bytes: &[u8]) -> TempDir {
    let files = folder(&[("text", "http://h.org/text")]);
    fs::write(files.path().join(name), bytes).unwrap();
    files
}

#[test]
fn files_that_are_refused() {
    for (name, bytes, why) in [
        ("a.xls", compound(&[("/Workbook", b"http://h.org/")]), "an Excel workbook (.xls)"),
        (
            "a.xlsx",
            compound(&[("/EncryptionInfo", b"\x04\0\x04\0"), ("/EncryptedPackage", b"\x10\0\0\0")]),
            "an encrypted Office document (docx, xlsx, pptx)",
        ),
        ("a.doc", compound(&[("/WordDocument", b"http://h.org/")]), "a Word document (.doc)"),
        ("old.xls", compound(&[("/Book", b"http://h.org/")]), "an Excel workbook (.xls)"),
        (
            "a.ppt",
            compound(&[("/PowerPoint Document", b"http://h.org/")]),
            "a PowerPoint presentation (.ppt)",
        ),
        ("a.vsd", compound(&[("/VisioDocument", b"http://h.org/")]), "a Visio drawing (.vsd)"),
        ("Thumbs.db", compound(&[("/Catalog", b"http://h.org/")]), "a compound file (OLE2)"),
        ("a.pst", b"!BDN\0\0\0\0SM http://h.org/".to_vec(), "corrupt Outlook mailbox"),
        ("a.dbx", b"\xCF\xAD\x12\xFE\0http://h.org/".to_vec(), "DBX"),
        ("a.msg", compound(&[("/__properties_version1.0", b"")])[..1000].to_vec(), "corrupt compound file"),
    ] {
        let files = with_text(name, &bytes);
        let ran = run(within(&files, &[name, "text"]), b"");
        assert_eq!((&*ran.stdout, ran.status), ("text:http://h.org/text\n", Some(2)), "{}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("urlgrep: {name}: ")), "{}", ran.stderr);
        assert!(ran.stderr.contains(why) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
    // Who wants the bytes has them.
    let files = with_text("a.pst", b"!BDN\0\0\0\0SM http://h.org/");
    let ran = run(within(&files, &["--input", "text", "a.pst"]), b"");
    assert_eq!((&*ran.stdout, &*ran.stderr), ("http://h.org/\n", ""));
}

#[test]
fn attachments_of_outlook_on_request() {
    let files = with_text(
        "a.msg",
        &compound(&[
            ("/__properties_version1.0", &[0; 32]),
            ("/__substg1.0_1000001E", b"http://h.org/body"),
            ("/__attach_version1.0_#00000000/__substg1.0_37010102", b"\0\xFFhttp://h.org/data\0"),
        ]),
    );
    let ran = run(within(&files, &["-n", "a.msg"]), b"");
    assert_eq!((&*ran.stdout, &*ran.stderr), ("http://h.org/body\n", ""));
    let ran = run(within(&files, &["--attachments", "a.msg"]), b"");
    assert_eq!((&*ran.stdout, &*ran.stderr), ("http://h.org/body\nhttp://h.org/data\n", ""));
}

#[test]
fn outlook_messages_with_rtf_only() {
    let rtf = |kind: &[u8], len: u32, data: &[u8]| {
        let stream = [&[0; 4], &len.to_le_bytes()[..], kind, &[0; 4], data].concat();
        compound(&[("/__properties_version1.0", &[0; 32]), ("/__substg1.0_10090102", &stream)])
    };
    let file = rtf(b"MELA", 23, b"{\\rtf1 http://h.org/a }");
    let files = with_text("a.msg", &file);
    let ran = run(within(&files, &["--json", "a.msg"]), b"");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    let start = file.windows(4).position(|bytes| bytes == b"http").unwrap();
    assert_eq!((&object["url"], &object["start"]), (&"http://h.org/a".into(), &start.into()));
    assert_eq!(&object["message"]["content_type"], "text/rtf");
    // Eight literals, `http://h`; six, `.org/a`, and a reference to what comes next, which ends it.
    let data = b"\0http://h\x40.org/a\x0d\xd0";
    let files = with_text("a.msg", &rtf(b"LZFu", 14, data));
    assert_eq!(run(within(&files, &["a.msg"]), b"").stdout, "http://h.org/a\n");
    let files = with_text("a.msg", &rtf(b"LZFu", u32::MAX, data));
    let ran = run(within(&files, &["a.msg"]), b"");
    assert!(ran.stderr.contains("the RTF of this message is longer than 2097152 bytes"), "{}", ran.stderr);
    assert_eq!(ran.status, Some(2));
}

#[test]
fn a_compound_file_whose_streams_overlap() {
    // Two streams of 8,192 bytes; the second is made to begin where the first does.
    let text = vec![b'x'; 8192];
    let mut file = compound(&[
        ("/__properties_version1.0", &[0; 32]),
        ("/__substg1.0_1000001E", &text),
        ("/__substg1.0_10130102", &text),
    ]);
    let entry = |file: &[u8], name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        file.windows(name.len()).position(|bytes| bytes == name).unwrap()
    };
    let [first, second] = ["__substg1.0_1000001E", "__substg1.0_10130102"].map(|name| entry(&file, name));
    file.copy_within(first + 116..first + 120, second + 116);
    let files = with_text("a.msg", &file);
    let ran = run(within(&files, &["a.msg", "text"]), b"");
    assert_eq!(&*ran.stdout, "text:http://h.org/text\n", "{}", ran.stderr);
}

#[test]
fn text_in_utf_16() {
    let text = "日本語\r\nsee http://h.org/a\r\n";
    let bytes: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let files = with_text("a.txt", &bytes);
    let ran = run(within(&files, &["--json", "a.txt"]), b"");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&object["url"], &object["message"]), (&"http://h.org/a".into(), &Value::Null));
    // The mark, a line of five units, and four more.
    assert_eq!((&object["line"], &object["start"], &object["end"]), (&2.into(), &20.into(), &48.into()));
    let ran = run(within(&files, &["-n", "--context=1", "a.txt"]), b"");
    assert!(ran.stdout.contains("日本語") && !ran.stdout.contains('\0'), "{}", ran.stdout);
}

/// A mailbox with one message, whose body is text of this length before a URL.
fn mailbox(len: usize) -> Vec<u8> {
    let mut mailbox = Pst::new(Version::Unicode, Method::Permute);
    let body = format!("{} http://h.org/a", "x ".repeat(len / 2));
    let inbox = mailbox.properties(&[(0x3001, pst::Value::Text("Inbox"))], &[]);
    let message = mailbox
        .properties(&[(0x1000, pst::Value::Text(&body)), (0x1035, pst::Value::Text("<1@h.org>"))], &[]);
    mailbox.node(0x8022, inbox, 0x122);
    mailbox.node(0x0020_0024, message, 0x8022);
    mailbox.file()
}

#[test]
fn mailboxes_of_outlook() {
    let files = with_text("a.ost", &mailbox(10));
    // Large enough for a thread of its own, and for pieces.
    fs::write(files.path().join("b.pst"), mailbox(2_000_000)).unwrap();
    let ran = run(within(&files, &["a.ost", "b.pst", "text"]), b"");
    let expected =
        "a.ost!/Inbox/1.eml:http://h.org/a\nb.pst!/Inbox/1.eml:http://h.org/a\ntext:http://h.org/text\n";
    assert_eq!((&*ran.stdout, &*ran.stderr, ran.status), (expected, "", Some(0)));
    let ran = run(within(&files, &["-H", "a.ost"]), b"");
    assert_eq!(&*ran.stdout, "a.ost!/Inbox/1.eml:http://h.org/a\n");
    // A pipe has no places.
    let ran = run(within(&files, &["-"]), &mailbox(10));
    let why =
        "urlgrep: -: unsupported format: an Outlook mailbox, PST or OST (searched only as a separate file)";
    assert!(ran.stderr.starts_with(why) && ran.status == Some(2), "{}", ran.stderr);
    // What is missing is said after what is there.
    let mut cut = mailbox(10);
    cut.truncate(cut.len() - 192);
    fs::write(files.path().join("c.pst"), cut).unwrap();
    let ran = run(within(&files, &["c.pst", "text"]), b"");
    assert_eq!((&*ran.stdout, ran.status), ("text:http://h.org/text\n", Some(2)));
    assert!(ran.stderr.contains("c.pst: one message was only partly searched"), "{}", ran.stderr);
}
