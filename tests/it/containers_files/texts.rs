//! Texts that are not what they seem: XML, bookmarks, UTF-16 without a mark, names of members
//! that a text may begin with.

use std::ops::Range;

use urlgrep::Finder;
use urlgrep::archive::{Archive, Files, Format, Reader};

use crate::laws::ways::Trickle;
use crate::make::{END, POSIX, member, zip, zip_member};

/// The URLs of a file, and where they are.
fn found(file: &[u8]) -> Vec<(String, Range<u64>)> {
    let finder = Finder::new();
    let found = finder.find_in_archive(Archive::new(file).unwrap());
    found.map(|m| m.unwrap()).map(|m| (m.to_string(), m.span())).collect()
}

#[track_caller]
fn check(file: &[u8], expected: &[(&str, Range<u64>)]) {
    let expected: Vec<_> = expected.iter().map(|(url, span)| ((*url).to_owned(), span.clone())).collect();
    assert_eq!(found(file), expected);
}

/// RFC 5545 §3.1, RFC 6350 §3.3: the value begins after the colon of the name.
#[test]
fn the_name_of_a_property_is_no_scheme() {
    check(
        b"BEGIN:VCALENDAR\r\nPRODID://Yahoo//Calendar//EN\r\nURL:http://h.org/a\r\nNOTE://a.org/?u=http://h.org/b\r\n\
          X-A:see b://h.org/c\r\nhttp://h.org/d\r\nEND:VCALENDAR\r\n",
        &[
            ("http://h.org/a", 47..65),
            ("http://h.org/b", 83..97),
            ("b://h.org/c", 107..118),
            ("http://h.org/d", 120..134),
        ],
    );
}

/// RFC 5545 §3.3.13, RFC 6350 §4.2: a value of the type URI has no escapes, but some programs write them.
#[test]
fn backslashes_in_properties() {
    for (line, expected) in [
        (r"URL:file:\\server\share\a.pdf", r"file:\\server\share\a.pdf"),
        (r"URL:file:\\\\server\\share\\a.pdf", r"file:\\server\share\a.pdf"),
        (r"ATTACH;FMTTYPE=text/plain:file:\\server\new\a.pdf", r"file:\\server\new\a.pdf"),
        (r"DESCRIPTION:see file:\\server\share\a.pdf", r"file:\\server\share\a.pdf"),
        (r"URL:file:///C:\a\new.txt", r"file:///C:\a\new.txt"),
        (r"item1.URL;TYPE=work:file:///C:\New\a.txt", r"file:///C:\New\a.txt"),
        (r"URL;ENCODING=QUOTED-PRINTABLE:file:=5C=5Cserver=5Cnew.pdf", r"file:\\server\new.pdf"),
        (r"URL:file:///C:\\a\\new.txt", r"file:///C:\a\new.txt"),
        (r"URL:http\://h.org/a\,b\;c", "http://h.org/a,b;c"),
        (r"DESCRIPTION:http://h.org/a\nb", "http://h.org/a"),
        (r"SUMMARY:file:///C:\\a\nb", r"file:///C:\a"),
    ] {
        for kind in ["VCALENDAR", "VCARD"] {
            let file = format!("BEGIN:{kind}\r\nSUMMARY:a\r\n{line}\r\nNOTE:b\r\nEND:{kind}\r\n");
            let urls: Vec<_> = found(file.as_bytes()).into_iter().map(|(url, _)| url).collect();
            assert_eq!(urls, [expected], "{line}");
        }
    }
}

/// RFC 4180: only the separator of the file ends a cell.
#[test]
fn the_separator_of_a_table() {
    let rows = |separator: &str, other: &str| {
        let url = format!("https://h.org/clk{other}1{other}2{other}t{other}pc=x");
        let table = ["date", "URL", "text\n1", "http://h.org/a", "b\n2", &url, "c\n"].join(separator);
        let file = zip(&[("a.csv".to_owned(), table.into_bytes())]);
        let found: Vec<_> = found(&file).into_iter().map(|(url, _)| url).collect();
        assert_eq!(found, ["http://h.org/a", &url], "{separator}");
    };
    rows(",", ";");
    rows(";", ",");
}

#[test]
fn references_in_xml() {
    let file = b"<?xml version=\"1.0\"?>\n<r u=\"http://h.org/a?b&amp;c\">http://h.org/d&#38;e \
        &lt;http://h.org/f&gt;<![CDATA[<a href=\"http://h.org/g?h&amp;i\">]]></r>";
    assert_eq!(Reader::new(&file[..]).format(), Format::Xml);
    check(
        file,
        &[
            ("http://h.org/a?b&c", 28..50),
            ("http://h.org/d&e", 52..72),
            ("http://h.org/f", 73..95),
            ("http://h.org/g?h&i", 113..135),
        ],
    );
}

#[test]
fn fragments_of_markup() {
    check(
        b"<p>See <a href=\"http://h.org/a?b&amp;c\">x</a> &lt;http://h.org/d&#38;e&gt;</p>\n<!-- http://h.org/f -->",
        &[("http://h.org/a?b&c", 16..38), ("http://h.org/d&e", 46..74), ("http://h.org/f", 84..98)],
    );
    check(
        b"<rss version=\"2.0\"><link>http://h.org/a?b&amp;c</link></rss>",
        &[("http://h.org/a?b&c", 25..47)],
    );
    // A log, a program, a quoted reply and Markdown are text.
    for text in [
        "<nick> http://h.org/a?b&amp;c\n<other> hello\n",
        "char *page = \"<p>http://h.org/a?b&amp;c</p>\";\n",
        "> <p>http://h.org/a?b&amp;c</p>\n",
        "# A page\n<p>http://h.org/a?b&amp;c</p>\n",
    ] {
        let at = text.find("http").unwrap() as u64;
        check(text.as_bytes(), &[("http://h.org/a?b&c", at..at + 22)]);
    }
}

/// The values are those of RFC 2849, with other hosts; "siehe http://h.org/ü" is in base64.
#[test]
fn ldif() {
    let file = "version: 1\ndn: cn=A B,mail=a@h.org\nlabeledURI: http://h.org/a-lo\n ng-name\n\
        description:: c2llaGUgaHR0cDovL\n 2gub3JnL8O8\njpegPhoto:: /9j/4AAQSkZJRg==\njpegPhoto:< file:///usr/a.jpg\n";
    assert_eq!(Reader::new(file.as_bytes()).format(), Format::Ldif);
    let (line, code) = (file.find("http").unwrap() as u64, file.find("2gub").unwrap() as u64);
    let picture = file.find("file:").unwrap() as u64;
    let start = file.find("aHR0").unwrap() as u64;
    check(
        file.as_bytes(),
        &[
            ("http://h.org/a-long-name", line..line + 26),
            ("http://h.org/\u{fc}", start..code + 11),
            ("file:///usr/a.jpg", picture..picture + 17),
        ],
    );
}

#[test]
fn mork() {
    let file =
        b"// <!-- <mdb:mork:z v=\"1.4\"/> -->\n< <(a=c)> // (f=iso-8859-1)\n  (80=http://h.org/a\\\n/b)\
        (81=http://h.org/c_(d\\)$26e)>\n";
    assert_eq!(Reader::new(&file[..]).format(), Format::Mork);
    check(file, &[("http://h.org/a/b", 68..86), ("http://h.org/c_(d)&e", 91..114)]);
}

#[test]
fn rtf() {
    let file =
        br#"{\rtf1\ansi {\field{\*\fldinst HYPERLINK "http://h.org/a"}{\fldrslt x}}\par http://h.org/\'62}"#;
    assert_eq!(Reader::new(&file[..]).format(), Format::Rtf);
    check(file, &[("http://h.org/a", 42..56), ("http://h.org/b", 76..93)]);
}

#[test]
fn bookmarks_of_a_browser() {
    let file =
        b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF=\"http://h.org/a?b&amp;c\">x</A>\n</DL>";
    check(file, &[("http://h.org/a?b&c", 57..79)]);
}

#[test]
fn utf_16_without_a_mark() {
    let mail = "From: a@h.org\nMessage-ID: <1@h.org>\n\nhttp://h.org/a \u{fc} http://h.org/b\n";
    let little: Vec<u8> = mail.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = mail.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for file in [little, big] {
        check(&file, &[("http://h.org/a", 74..102), ("http://h.org/b", 108..136)]);
        let mut reader = Reader::new(Trickle(&file, 1));
        assert_eq!(reader.format(), Format::Mail);
    }
    let short: Vec<u8> = "http://h.org/".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(&short, &[("http://h.org/", 0..26)]);
    // Neither a text with a NUL, nor other files with zeros.
    for file in [&b"a\0b\0c\0d\0e http://h.org/"[..], b"a\0\0\0b\0\0\0c\0\0\0d\0\0\0 http://h.org/"] {
        assert!(!Reader::new(file).is_converted(), "{}", file.escape_ascii());
    }
}

#[test]
fn the_name_of_a_member_with_blanks_in_a_short_read() {
    let file = [&member("see a b:2,S", b'0', b"http://h.org/a", POSIX)[..], &END].concat();
    for size in [1, 5, 20, 99] {
        let mut files = Files::new(Trickle(&file, size)).unwrap();
        let name = files.next_file().unwrap().unwrap().name().map(<[u8]>::to_vec);
        assert_eq!(name.as_deref(), Some(&b"see a b:2,S"[..]), "{size}");
    }
}

/// As Info-ZIP writes what it encrypts: the length is in the header, and again after the data.
#[test]
fn a_descriptor_after_data_of_known_length() {
    let mut encrypted = zip_member("a", 0, b"x", b"x");
    encrypted[6] = 9;
    let descriptor = [&b"PK\x07\x08"[..], &[1; 12]].concat();
    let other = zip_member("b", 0, b"http://h.org/b", b"http://h.org/b");
    let file = [&encrypted, &descriptor[..], &other, b"PK\x05\x06", &[0; 18]].concat();
    let finder = Finder::new();
    let found = finder.find_in_archive(Archive::new(&file[..]).unwrap());
    let found: Vec<_> = found.map(|m| m.map(|m| m.to_string()).map_err(|e| e.to_string())).collect();
    assert_eq!(
        found,
        [Err("unsupported zip member: it is encrypted".to_owned()), Ok("http://h.org/b".to_owned())]
    );
}
