//! Mailboxes of Outlook, PST and OST.

use std::fs;
use std::io::{Cursor, Read, Write};

use urlgrep::Finder;
use urlgrep::archive::{self, Archive, Files, Pst};

use crate::make::pst::{self, Method, Value, Version};

/// What is found in a mailbox: the member, the URL, and the message; and the errors.
fn found(file: Vec<u8>) -> Vec<String> {
    let archive = match Archive::seekable(Cursor::new(file)) {
        Ok(archive) => archive,
        Err(error) => return vec![error.to_string()],
    };
    let row = |m: urlgrep::Match<'static>| {
        let context = m.context().unwrap();
        let member = String::from_utf8_lossy(context.member().unwrap_or_default()).into_owned();
        format!("{member} {m} {}", context.envelope().and_then(|mail| mail.id()).unwrap_or_default())
    };
    let matches = Finder::new().find_in_archive(archive);
    matches.map(|m| m.map_or_else(|error| error.to_string(), row)).collect()
}

/// RTF that is not compressed, with the header that says so.
fn rtf(text: &str) -> Vec<u8> {
    let len = text.len() as u32;
    [&(len + 12).to_le_bytes()[..], &len.to_le_bytes(), b"MELA", &[0; 4], text.as_bytes()].concat()
}

const ROOT: u32 = 0x122;
const VISIBLE: u32 = 0x8022;
const INBOX: u32 = 0x8042;
const PROJECT: u32 = 0x8062;
const DRAFTS: u32 = 0x8082;

/// The mailbox itself and its folders.
fn folders(pst: &mut pst::Pst) {
    let entry = [&[0; 20][..], &VISIBLE.to_le_bytes()].concat();
    let mailbox = pst.properties(&[(0x3001, Value::Text("Mail")), (0x35E0, Value::Binary(&entry))], &[]);
    pst.node(0x21, mailbox, 0);
    let names = [
        (ROOT, "", ROOT),
        (VISIBLE, "Top of Personal Folders", ROOT),
        (INBOX, "Inbox", VISIBLE),
        (PROJECT, "X/Y", INBOX),
        (DRAFTS, "Entw\u{fc}rfe", VISIBLE),
    ];
    for (id, name, parent) in names {
        let place = pst.properties(&[(0x3001, Value::Text(name))], &[]);
        pst.node(id, place, parent);
    }
}

/// A message with a head, two bodies, two attachments, and a long body that is in a node.
fn letter(pst: &mut pst::Pst) -> pst::Place {
    let long = format!("{}http://h.org/far\r\n", "a line\r\n".repeat(3000));
    let text = pst.properties(
        &[
            (0x370E, Value::Text("text/plain")),
            (0x3707, Value::Text("notes.txt")),
            (0x3705, Value::Number(1)),
            (0x3701, Value::Binary(b"see http://h.org/notes\n")),
        ],
        &[],
    );
    let image = pst.properties(
        &[
            (0x370E, Value::Text("image/png")),
            (0x3701, Value::Binary(b"\x89PNG\r\n\x1a\n\0http://h.org/no\0")),
        ],
        &[],
    );
    pst.properties(
        &[
            (0x007D, Value::Text("Message-ID: <1@h.org>\r\nSubject: http://h.org/subject\r\n\r\n")),
            (0x0037, Value::Text("\u{1}\u{1}http://h.org/again")),
            (0x1000, Value::Text(&long)),
            (0x1013, Value::Binary(b"<a href='http://h.org/page'>caf\xE9</a>")),
            (0x3FDE, Value::Number(1252)),
            (0x5F01, Value::Time(0)),
        ],
        &[(0x8025, text), (0x8045, image)],
    )
}

/// A message that is attached to a message, with one attached to that.
fn forwarded(pst: &mut pst::Pst) -> pst::Place {
    let inner = pst.properties(
        &[
            (0x1035, Value::Text("<3@h.org>")),
            (0x0037, Value::Text("\u{1}\u{5}Re: http://h.org/inner-subject")),
            (0x1009, Value::Binary(&rtf(r"{\rtf1 http://h.org/rtf }"))),
        ],
        &[],
    );
    let attached =
        pst.properties(&[(0x3705, Value::Number(5)), (0x3701, Value::Object(0x4004))], &[(0x4004, inner)]);
    let noon = (11_644_473_600_u64 + 983_448_000) * 10_000_000;
    pst.properties(
        &[
            (0x1035, Value::Text("<2@h.org>")),
            (0x0C1A, Value::Text("A")),
            (0x0C1F, Value::Text("a@h.org")),
            (0x0039, Value::Time(noon)),
            (0x1000, Value::Text("http://h.org/outer")),
        ],
        &[(0x8025, attached), (0x0692, (0, 0)), (0x0671, (0, 0))],
    )
}

/// A mailbox: three messages in three folders, and one that a folder is described by.
fn mailbox(version: Version, method: Method) -> pst::Pst {
    let mut pst = pst::Pst::new(version, method);
    folders(&mut pst);
    let (letter, forwarded) = (letter(&mut pst), forwarded(&mut pst));
    pst.node(0x0020_0064, forwarded, INBOX);
    pst.node(0x0020_0024, letter, INBOX);
    let draft = pst.properties(
        &[
            (0x3FFD, Value::Number(1251)),
            (0x1000, Value::String8(b"http://h.org/\xEF\xEF ")),
            (0x0037, Value::String8(b"http://h.org/draft")),
        ],
        &[],
    );
    pst.node(0x0020_0084, draft, DRAFTS);
    pst.node(0x0020_00A4, draft, PROJECT);
    pst.node(0x0020_00A8, draft, PROJECT);
    // Pages of the tree of nodes above the lowest level.
    for n in 0..30 {
        pst.node(0x0030_0009 + 0x20 * n, (0, 0), 0);
    }
    pst
}

const FOUND: [&str; 11] = [
    "Inbox/1.eml http://h.org/subject 1@h.org",
    "Inbox/1.eml http://h.org/far 1@h.org",
    "Inbox/1.eml http://h.org/page 1@h.org",
    "Inbox/1.eml http://h.org/notes 1@h.org",
    "Inbox/2.eml http://h.org/outer 2@h.org",
    "Inbox/2.eml http://h.org/inner-subject 3@h.org",
    "Inbox/2.eml http://h.org/rtf 3@h.org",
    "Inbox/X_Y/1.eml http://h.org/draft ",
    "Inbox/X_Y/1.eml http://h.org/\u{43f}\u{43f} ",
    "Entw\u{fc}rfe/1.eml http://h.org/draft ",
    "Entw\u{fc}rfe/1.eml http://h.org/\u{43f}\u{43f} ",
];

const VERSIONS: [Version; 3] = [Version::Ansi, Version::Unicode, Version::Large];

#[test]
fn all_versions_and_methods() {
    for version in VERSIONS {
        for method in [Method::None, Method::Permute, Method::Cyclic] {
            let mut file = mailbox(version, method).file();
            assert_eq!(found(file.clone()), FOUND, "{version:?}, {method:?}");
            file[8..10].copy_from_slice(b"SO");
            assert_eq!(found(file), FOUND, "an OST");
            let mut marked = mailbox(version, method);
            marked.mark = 1;
            assert_eq!(found(marked.file()), FOUND, "{version:?}, marked");
        }
    }
}

/// The code page of a message's own text (PidTagMessageCodepage, 3FFD) comes before the one of the original mail
/// (PidTagInternetCodepage, 3FDE), which is used without it. F0 is П in KOI8-R, р in
/// windows-1251, and ð in windows-1252.
#[test]
fn two_code_pages() {
    let [koi8, windows] = [20866, 1251];
    for (pages, url) in [
        (&[(0x3FFD, koi8), (0x3FDE, windows)][..], "http://h.org/\u{41f}"),
        (&[(0x3FFD, windows), (0x3FDE, koi8)], "http://h.org/\u{440}"),
        (&[(0x3FDE, koi8)], "http://h.org/\u{41f}"),
        (&[(0x3FFD, windows)], "http://h.org/\u{440}"),
        (&[], "http://h.org/\u{f0}"),
    ] {
        let mut pst = pst::Pst::new(Version::Unicode, Method::None);
        folders(&mut pst);
        let mut properties = vec![(0x1000, Value::String8(b"http://h.org/\xF0 "))];
        properties.extend(pages.iter().map(|&(id, page)| (id, Value::Number(page))));
        let message = pst.properties(&properties, &[]);
        pst.node(0x0020_0024, message, INBOX);
        assert_eq!(found(pst.file()), [format!("Inbox/1.eml {url} ")], "{pages:?}");
    }
}

/// The header fields that the properties of a message stand for: the SMTP address of the sender (5D01) comes before the
/// other one (0C1F), and the time at which the message was sent (0039) before the time of its delivery (0E06).
#[test]
fn heads_of_messages() {
    let time = |seconds: u64| Value::Time((11_644_473_600 + seconds) * 10_000_000);
    let (name, smtp) = ((0x0C1A, Value::Text("A")), (0x5D01, Value::Text("a@h.org")));
    let other = (0x0C1F, Value::Text("b@h.org"));
    let (sent, delivered) = ((0x0039, time(0)), (0x0E06, time(86_400)));
    for (properties, from, date) in [
        (&[name, smtp, other][..], Some("A <a@h.org>"), None),
        (&[name, other], Some("A <b@h.org>"), None),
        (&[name], Some("A"), None),
        (&[smtp, other, sent, delivered], Some("<a@h.org>"), Some("1970-01-01T00:00:00+00:00")),
        (&[delivered], None, Some("1970-01-02T00:00:00+00:00")),
        (&[], None, None),
    ] {
        let mut pst = pst::Pst::new(Version::Unicode, Method::None);
        folders(&mut pst);
        let body = (0x1000, Value::Text("http://h.org/"));
        let message = pst.properties(&[properties, &[body]].concat(), &[]);
        pst.node(0x0020_0024, message, INBOX);
        let archive = Archive::seekable(Cursor::new(pst.file())).unwrap();
        let found = Finder::new().find_in_archive(archive).next().unwrap().unwrap();
        let envelope = found.context().unwrap().envelope().unwrap();
        assert_eq!((envelope.from().as_deref(), envelope.date().as_deref()), (from, date), "{properties:?}");
    }
}

/// In some files, the version is the one of pages of another size.
#[test]
fn a_version_that_differs_from_the_pages() {
    for (version, other) in [(Version::Unicode, 36), (Version::Large, 23)] {
        let mut file = mailbox(version, Method::Permute).file();
        file[10] = other;
        assert_eq!(found(file), FOUND, "{version:?}");
    }
}

/// Some programs declare no encoding, and encode the data. The node of the mailbox shows it.
#[test]
fn an_encoding_that_is_not_declared() {
    for (version, at_method) in [(Version::Ansi, 461), (Version::Unicode, 513), (Version::Large, 513)] {
        for method in [Method::None, Method::Permute] {
            let mut file = mailbox(version, method).file();
            assert_eq!(file[at_method], method as u8, "{version:?}");
            file[at_method] = Method::None as u8;
            assert_eq!(found(file), FOUND, "{version:?}, {method:?}");
        }
    }
}

/// A heap with more values than a page of it holds.
#[test]
fn a_heap_of_several_pages() {
    let long = "a line\r\n".repeat(180);
    let head = format!("Message-ID: <1@h.org>\r\nX-Long: {}\r\n\r\n", "x".repeat(1400));
    let (text, page) =
        (format!("{long}http://h.org/text"), format!("{}<a href='http://h.org/page'>", long.repeat(2)));
    for version in VERSIONS {
        let mut pst = pst::Pst::new(version, Method::Permute);
        folders(&mut pst);
        let values = [
            (0x007D, Value::Text(&head)),
            (0x1000, Value::Text(&text)),
            (0x1013, Value::Binary(page.as_bytes())),
        ];
        let letter = pst.properties(&values, &[]);
        pst.node(0x0020_0024, letter, INBOX);
        let expected = ["Inbox/1.eml http://h.org/text 1@h.org", "Inbox/1.eml http://h.org/page 1@h.org"];
        assert_eq!(found(pst.file()), expected, "{version:?}");
    }
}

/// The mail that a member is, as a whole.
#[test]
fn a_message_as_mail() {
    let mut mail = String::new();
    let mut files =
        Files::new(Pst::new(Cursor::new(mailbox(Version::Unicode, Method::Permute).file())).unwrap())
            .unwrap();
    while let Some(mut file) = files.next_file().unwrap() {
        if file.name() == Some(b"Inbox/2.eml") {
            file.read_to_string(&mut mail).unwrap();
        }
    }
    let expected = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"=_1\"\nMessage-ID: <2@h.org>\n\
        From: A <a@h.org>\nDate: Thu, 01 Mar 2001 12:00:00 +0000\n\n\
        \n--=_1\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: binary\n\nhttp://h.org/outer\
        \n--=_1\nContent-Type: message/rfc822\n\n\
        MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"=_2\"\n\
        Subject: Re: http://h.org/inner-subject\nMessage-ID: <3@h.org>\n\n\
        \n--=_2\nContent-Type: text/rtf\nContent-Transfer-Encoding: binary\n\n{\\rtf1 http://h.org/rtf }\
        \n--=_2--\n\n--=_1--\n";
    assert_eq!(mail, expected);
}

/// A mailbox without messages is an archive without a byte, so not even its end is there.
#[test]
fn a_mailbox_without_messages() {
    for version in VERSIONS {
        let mut pst = pst::Pst::new(version, Method::Permute);
        folders(&mut pst);
        let file = pst.file();
        let mut bytes = Vec::new();
        Pst::new(Cursor::new(file.clone())).unwrap().read_to_end(&mut bytes).unwrap();
        assert!(bytes.is_empty(), "{version:?}");
        assert_eq!(found(file), [] as [String; 0], "{version:?}");
    }
    // Otherwise two blocks of zeros are the end (POSIX, pax, "ustar Interchange Format").
    let mut bytes = Vec::new();
    let file = mailbox(Version::Unicode, Method::Permute).file();
    Pst::new(Cursor::new(file)).unwrap().read_to_end(&mut bytes).unwrap();
    assert!(bytes.len().is_multiple_of(512) && bytes.ends_with(&[0; 1024]));
}

#[test]
fn only_files_can_be_read() {
    let file = mailbox(Version::Unicode, Method::Permute).file();
    let mut archive = Archive::new(&file[..]).unwrap();
    let error = archive.next_message().unwrap_err();
    assert!(error.to_string().contains("searched only as a separate file"), "{error}");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pst");
    fs::File::create(&path).unwrap().write_all(&file).unwrap();
    for mut archive in [archive::open(&path).unwrap(), archive::open_range(&path, 0..u64::MAX).unwrap()] {
        assert!(archive.next_message().unwrap().is_some());
        assert_eq!(archive.member(), Some(&b"Inbox/1.eml"[..]));
    }
    let mut later = archive::open_range(&path, 1..u64::MAX).unwrap();
    assert!(later.next_message().unwrap().is_none());
}

/// Checks that a mailbox yields some of what the whole one does, and an error that says this.
#[track_caller]
fn assert_damaged(file: Vec<u8>, says: &str) {
    let mut found = found(file);
    let error = found.pop().unwrap();
    assert!(error.contains(says), "{error}");
    let whole = found.iter().all(|row| FOUND.contains(&&**row) || row.contains("http://h.org/bomb"));
    assert!(whole, "{found:?}");
}

#[test]
fn a_file_that_is_cut_off() {
    for version in VERSIONS {
        let file = mailbox(version, Method::Permute).file();
        // The trees are before the blocks.
        let from = file.len() - 1000;
        let mut counts = Vec::new();
        for cut in (514..from).step_by(from / 200).chain(from..file.len()) {
            let rows = found(file[..cut].to_vec());
            let is_known = |row: &&String| FOUND.contains(&&***row);
            let known = rows.iter().filter(is_known).count();
            assert!(rows.len() - known <= 1 && known <= FOUND.len(), "{version:?} at {cut}: {rows:?}");
            assert!(rows.len() > known || known == FOUND.len(), "{version:?} at {cut}: {rows:?}");
            counts.push(known);
        }
        assert!(counts.is_sorted() && counts.contains(&7), "{version:?}: {counts:?}");
    }
    assert_damaged(b"!BDN\0\0\0\0SM\x17\0".to_vec(), "corrupt Outlook mailbox: its header is truncated");
}

#[test]
fn what_cannot_be_read() {
    let file = mailbox(Version::Unicode, Method::None).file();
    let with = |at: usize, byte: u8| [&file[..at], &[byte], &file[at + 1..]].concat();
    assert_damaged(with(513, 0x10), "readpst");
    assert_damaged(with(10, 16), "version");
    assert!(found(b"!BDN\0\0\0\0SM".to_vec()) == ["corrupt Outlook mailbox: it has no header"]);
}

/// The page of a root, whose first entry leads to itself.
#[test]
fn a_tree_with_a_loop() {
    for (version, at_root, at_child) in [(Version::Unicode, 224, 16), (Version::Ansi, 188, 8)] {
        let mut file = mailbox(version, Method::None).file();
        let root = file[at_root..at_root + 4].to_vec();
        let at = u32::from_le_bytes(root[..].try_into().unwrap()) as usize;
        file[at + at_child..at + at_child + 4].copy_from_slice(&root);
        assert_damaged(file, "some messages may be missing");
    }
}

/// Without the roots of both trees, their other pages are found by their checksums.
#[test]
fn trees_without_a_root() {
    for (version, at_roots) in
        [(Version::Unicode, [224, 240]), (Version::Ansi, [188, 196]), (Version::Large, [224, 240])]
    {
        let mut file = mailbox(version, Method::Permute).file();
        for at in at_roots {
            file[at..at + 4].copy_from_slice(&0x7FFF_FE00_u32.to_le_bytes());
        }
        let mut rows = found(file.clone());
        let error = rows.pop().unwrap();
        assert!(
            error.starts_with("some messages may be missing: corrupt Outlook mailbox: it is truncated"),
            "{error}"
        );
        assert_eq!(rows, FOUND, "{version:?}");
        // A page that is not what its checksum says is not read.
        let page = if version == Version::Large { 4096 } else { 512 };
        file[2 * page] ^= 1;
        assert!(found(file).len() < FOUND.len(), "{version:?}");
    }
}

/// An XXBLOCK with XBLOCKs, all with the same block: gigabytes in a few kilobytes.
#[test]
fn bombs() {
    for version in [Version::Unicode, Version::Ansi] {
        let mut pst = mailbox(version, Method::None);
        let block = pst.block(&[b'a'; 8176], false);
        let numbers = pst.numbers(1, 0, &[block; 1000]);
        let bomb = pst.numbers(2, 0, &[numbers; 1000]);
        let itself = pst.numbers(1, 0, &[4 * 10_000 + 2; 100]);
        for (n, data) in [bomb, itself, 0, 4 * 10_000].into_iter().enumerate() {
            let properties =
                [(0x1000, Value::Text("http://h.org/bomb ")), (0x1013, Value::Node(0x0102, 0x101F))];
            let message = pst.properties(&properties, &[(0x101F, (data, 0))]);
            pst.node(0x0040_0004 + 0x20 * n as u32, message, DRAFTS);
        }
        let file = pst.file();
        let rows = found(file.clone());
        assert_eq!(rows.iter().filter(|row| row.contains("http://h.org/bomb")).count(), 4);
        assert_damaged(
            file,
            "3 messages were only partly searched, the first of them Entw\u{fc}rfe/2.eml: a body",
        );
    }
}

/// A node keeps its properties if its own nodes cannot be read, and only these are lost.
#[test]
fn nodes_whose_nodes_are_missing() {
    /// The number of a block that no file here has.
    const MISSING: u64 = 4 * 10_000 + 2;
    for version in VERSIONS {
        let mut pst = pst::Pst::new(version, Method::Permute);
        folders(&mut pst);
        let notes = [
            (0x370E, Value::Text("text/plain")),
            (0x3701, Value::Binary(b"http://h.org/notes http://h.org/more\n")),
        ];
        let (notes, _) = pst.properties(&notes, &[]);
        let values = [
            (0x1035, Value::Text("<1@h.org>")),
            (0x0037, Value::Text("http://h.org/subject")),
            (0x1000, Value::Text("http://h.org/text")),
        ];
        let (data, nodes) = pst.properties(&values, &[(0x8025, (notes, MISSING))]);
        // The nodes of the message, those of its attachment, and all of the message.
        for (id, place) in [(0x24, (data, MISSING)), (0x44, (data, nodes)), (0x64, (MISSING, nodes))] {
            pst.node(0x0020_0000 + id, place, INBOX);
        }
        let mut rows = found(pst.file());
        let error = rows.pop().unwrap();
        assert!(
            error.starts_with("3 messages were only partly searched, the first of them Inbox/1.eml: "),
            "{error}"
        );
        let expected = [
            "Inbox/1.eml http://h.org/subject 1@h.org",
            "Inbox/1.eml http://h.org/text 1@h.org",
            "Inbox/2.eml http://h.org/subject 1@h.org",
            "Inbox/2.eml http://h.org/text 1@h.org",
            "Inbox/2.eml http://h.org/notes 1@h.org",
            "Inbox/2.eml http://h.org/more 1@h.org",
        ];
        assert_eq!(rows, expected, "{version:?}");
    }
}

/// A message whose attachment is the message itself.
#[test]
fn a_message_in_itself() {
    let mut pst = mailbox(Version::Unicode, Method::None);
    // The numbers of the blocks that follow: two of the attachment, two of the message.
    let next = pst.block(b"", false) + 4;
    let message = (next + 8, next + 12 + 2);
    let attached = pst.properties(&[(0x3701, Value::Object(0x4004))], &[(0x4004, message)]);
    let made = pst
        .properties(&[(0x1000, Value::Text("http://h.org/loop"))], &[(0x8025, attached), (0x8045, attached)]);
    assert_eq!(made, message);
    pst.node(0x0040_0004, made, DRAFTS);
    let rows = found(pst.file());
    assert!(rows.iter().any(|row| row.contains("http://h.org/loop")));
    assert!(
        rows.last().unwrap().contains("one message was only partly searched"),
        "{}",
        rows.last().unwrap()
    );
}

/// A folder that is in itself has its name once, and one of two that are in each other has an end.
#[test]
fn folders_in_themselves() {
    let mut pst = pst::Pst::new(Version::Unicode, Method::None);
    folders(&mut pst);
    let (alone, one, two) = (0x80A2, 0x80C2, 0x80E2);
    for (id, name, parent) in [(alone, "alone", alone), (one, "one", two), (two, "two", one)] {
        let place = pst.properties(&[(0x3001, Value::Text(name))], &[]);
        pst.node(id, place, parent);
    }
    let message = pst.properties(&[(0x1000, Value::Text("http://h.org/a"))], &[]);
    pst.node(0x0020_0024, message, alone);
    pst.node(0x0020_0044, message, one);
    let round = "two/one/".repeat(32);
    assert_eq!(found(pst.file()), ["alone/1.eml http://h.org/a ", &format!("{round}1.eml http://h.org/a ")]);
}

/// A message that is attached without a property that says where: it is the only message in the node.
#[test]
fn an_attached_message_without_its_property() {
    let mut pst = pst::Pst::new(Version::Unicode, Method::None);
    folders(&mut pst);
    let inner = pst.properties(&[(0x1000, Value::Text("http://h.org/inner"))], &[]);
    for (n, properties) in
        [&[(0x3705, Value::Number(5))][..], &[(0x3701, Value::Binary(b"no message"))]].into_iter().enumerate()
    {
        let attached = pst.properties(properties, &[(0x0692, (0, 0)), (0x4004, inner)]);
        let outer = pst.properties(&[(0x1000, Value::Text("http://h.org/outer"))], &[(0x8025, attached)]);
        pst.node(0x0020_0024 + 0x20 * n as u32, outer, INBOX);
    }
    assert_eq!(
        found(pst.file()),
        [
            "Inbox/1.eml http://h.org/outer ",
            "Inbox/1.eml http://h.org/inner ",
            "Inbox/2.eml http://h.org/outer "
        ]
    );
}
