//! Archives in archives, damaged ones, and files that are not text.

use std::fs;

use super::{ends, folder, run, within};
use crate::make::encode::gzip;
use crate::make::{POSIX, plain, tar, zip};

#[test]
fn names_have_all_levels() {
    let inner = gzip(&tar(&plain(), POSIX));
    let png = b"\x89PNG\r\n\x1a\n and http://h.org/not".to_vec();
    let members = [("a.png".to_owned(), png), ("b.tar.gz".to_owned(), inner)];
    let folder = folder(&[]);
    fs::write(folder.path().join("a.zip"), zip(&members)).unwrap();
    let ran = run(within(&folder, &["-Hn", "a.zip"]), b"");
    assert_eq!(
        ran.stdout,
        "a.zip!/b.tar.gz!/dir/b.mbox:4:http://h.org/mbox\n\
         a.zip!/b.tar.gz!/cur/1:2,S:4:http://h.org/mail\n\
         a.zip!/b.tar.gz!/t.txt:2:http://h.org/text\n\
         a.zip!/b.tar.gz!/i:1:http://h.org/html\n"
    );
    assert_eq!((ran.stderr.as_str(), ran.status), ("", Some(0)));
}

/// Pictures and programs that nobody named are skipped, and other files that are not read are named: the first three of a
/// format. They are errors with `--strict`, or if the user named them.
#[test]
fn unread_files_below_a_directory() {
    let files = folder(&[("d/a", "http://h.org/a\n")]);
    let png = b"\x89PNG\r\n\x1a\n and http://h.org/not";
    fs::write(files.path().join("d/b.png"), png).unwrap();
    fs::write(files.path().join("d/c"), b"\x7fELF\x02\x01\x01\0\n").unwrap();
    fs::write(files.path().join("d/libc.a"), b"!<arch>\n/               0           0\n").unwrap();
    let skipping = run(within(&files, &["d"]), b"");
    assert_eq!(
        (skipping.stdout.as_str(), skipping.stderr.as_str(), skipping.status),
        ("d/a:http://h.org/a\n", "", Some(0))
    );
    assert_eq!(run(within(&files, &["-c", "d"]), b"").stdout, "d/a:1\n");

    let named = run(within(&files, &["-c", "d/a", "d/b.png"]), b"");
    let error = "unsupported format: a PNG image; to search its bytes, use --input text";
    assert_eq!(named.stdout, "d/a:1\n");
    assert_eq!((named.stderr, named.status), (format!("urlgrep: d/b.png: {error}\n"), Some(2)));

    let error =
        |name| format!("urlgrep: d/{name}: unsupported format: a 7z archive (7z x -so d/{name} | urlgrep)");
    for name in ["e1", "e2", "e3", "e4", "e5"] {
        fs::write(files.path().join("d").join(name), b"7z\xbc\xaf\x27\x1c").unwrap();
    }
    for threads in ["-j1", "-j2"] {
        let many = run(within(&files, &["--stats", threads, "d"]), b"");
        let lines: Vec<_> = many.stderr.lines().collect();
        assert_eq!(lines[..3], ["e1", "e2", "e3"].map(error));
        assert_eq!(
            lines[3],
            "urlgrep: skipped 2 more files in an unsupported format: a 7z archive (7z x -so FILE | urlgrep)"
        );
        assert!(lines.contains(&"skipped  PNG image 1, ELF program 1, static library 1"), "{}", many.stderr);
        assert!(lines.contains(&"not read 7z archive 5"), "{}", many.stderr);
        assert!(lines.contains(&"files    1"), "{}", many.stderr);
        assert_eq!((many.stdout.as_str(), many.status), ("d/a:http://h.org/a\n", Some(0)));
        assert_eq!(run(within(&files, &["--strict", threads, "d"]), b"").status, Some(2));
        assert_eq!(run(within(&files, &["--strict", threads, "-g", "a", "d"]), b"").status, Some(0));
        assert_eq!(run(within(&files, &[threads, "-g", "e*", "d"]), b"").status, Some(1));
        assert_eq!(run(within(&files, &[threads, "d/a", "d/e1"]), b"").status, Some(2));
        // One that the user named fails, also if it is not among the first of its format.
        let last = run(within(&files, &[threads, "d", "d/e1"]), b"");
        assert_eq!((last.status, last.stderr.lines().count()), (Some(2), 4), "{}", last.stderr);
        let stderr = run(within(&files, &[threads, "-g", "e1", "-g", "e2", "-g", "e3", "d"]), b"").stderr;
        assert_eq!((stderr.lines().count(), stderr.contains("more file")), (3, false), "{stderr}");
    }
    let json = run(within(&files, &["--stats", "--json", "d"]), b"").stderr;
    assert!(
        json.contains(
            r#""skipped":{"PNG image":1,"ELF program":1,"static library":1},"not_read":{"7z archive":5}"#
        ),
        "{json}"
    );
}

/// Its links are found, and its text is not read, which is an error only if the user named it.
#[test]
fn a_document_below_a_directory_is_no_error() {
    let pdf = "%PDF-1.4\n1 0 obj\n<< /Type /Annot /A << /S /URI /URI (http://h.org/p) >> >>\nendobj\n2 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n%%EOF\n";
    let files = folder(&[("d/p.pdf", pdf), ("d/a", "http://h.org/a\n")]);
    for (args, status) in
        [(&["d"][..], 0), (&["--strict", "d"], 2), (&["d/p.pdf"], 2), (&["-g", "*.pdf", "d"], 0)]
    {
        let ran = run(within(&files, args), b"");
        assert_eq!(ran.status, Some(status), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("urlgrep: d/p.pdf: "), "{args:?}: {}", ran.stderr);
    }
}

/// A scanner searches the text, whole or divided.
#[test]
fn a_document_after_text_is_reported() {
    let text = "a\n%PDF-1.4\nhttp://h.org/a\n";
    let large = [text, &"some text\n".repeat(2_000_000)].concat();
    let files = folder(&[("a", text), ("b", &large)]);
    for (args, input) in [(&["a"][..], ""), (&["-j2", "b"], ""), (&["-"], text)] {
        let ran = run(within(&files, args), input.as_bytes());
        assert_eq!((ran.stdout.as_str(), ran.status), ("http://h.org/a\n", Some(0)), "{args:?}");
        let said = "at byte 2 is a PDF document that follows text, so only its bytes were searched";
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    let ran = run(within(&files, &["--input", "text", "a"]), b"");
    assert_eq!((ran.stderr.as_str(), ran.status), ("", Some(0)));
}

/// With one thread and with two, which search a file each.
#[test]
fn it_goes_on_after_damage() {
    let mut file = tar(&plain(), POSIX);
    file[1024] ^= 1;
    let folder = folder(&[("b", "http://h.org/b\n")]);
    fs::write(folder.path().join("a.tar"), file).unwrap();
    for threads in ["-j1", "-j2"] {
        let ran = run(within(&folder, &["-Hn", threads, "a.tar", "b"]), b"");
        assert_eq!(
            ran.stdout,
            "a.tar!/dir/b.mbox:4:http://h.org/mbox\n\
             a.tar!/t.txt:2:http://h.org/text\n\
             a.tar!/i:1:http://h.org/html\n\
             b:1:http://h.org/b\n"
        );
        assert_eq!(ran.stderr, "urlgrep: a.tar: corrupt tar archive: no valid header at byte 1024\n");
        assert_eq!(ran.status, Some(2));
    }
}

/// The number of decompressed bytes is the only position, because the file may have fewer bytes.
#[test]
fn truncated_gzip_data_has_one_position() {
    let packed = gzip(&b"http://h.org/a\n".repeat(9000));
    let folder = folder(&[]);
    fs::write(folder.path().join("a.gz"), &packed[..packed.len() - 9]).unwrap();
    let ran = run(within(&folder, &["-c", "a.gz"]), b"");
    assert!(ran.stderr.starts_with("urlgrep: a.gz: truncated gzip data after "), "{}", ran.stderr);
    assert_eq!((ran.stderr.lines().count(), ran.status), (1, Some(2)));
}

/// No command can open a member, so none is suggested.
#[test]
fn an_unsupported_member_has_no_command() {
    let folder = folder(&[]);
    fs::write(
        folder.path().join("a.tar"),
        tar(&[("b.7z".to_owned(), b"7z\xbc\xaf\x27\x1c".to_vec())], POSIX),
    )
    .unwrap();
    let ran = run(within(&folder, &["a.tar"]), b"");
    assert_eq!(ran.stderr, "urlgrep: a.tar!/b.7z: unsupported format: a 7z archive\n");
}

/// Large files, which are divided if they are text.
#[test]
fn large_files_that_are_not_text() {
    let folder = folder(&[]);
    let text = "some text http://h.org/a\n\n".repeat(800_000);
    let elf = [b"\x7fELF\x02\x01\x01\0\n", text.as_bytes()].concat();
    let archive = tar(&[("t".to_owned(), text.into_bytes())], POSIX);
    fs::write(folder.path().join("a"), elf).unwrap();
    fs::write(folder.path().join("b"), archive).unwrap();
    let ran = run(within(&folder, &["-c", "-j2", "a"]), b"");
    assert_eq!((ran.stdout.as_str(), ran.status), ("", Some(2)));
    assert!(ran.stderr.starts_with("urlgrep: a: unsupported format: an ELF program"), "{}", ran.stderr);
    let ran = run(within(&folder, &["-c", "-j2", "--input", "text", "a"]), b"");
    assert_eq!((ran.stdout.as_str(), ran.status), ("800000\n", Some(0)));
    let ran = run(within(&folder, &["-c", "-j2", "b"]), b"");
    assert_eq!((ran.stdout.as_str(), ran.status), ("b!/t:800000\n", Some(0)));
}

/// A name or a declared type that suggests rows is a hint, which the first two rows must confirm. Then commas end URLs, and
/// quotation marks enclose cells that may have several lines.
#[test]
fn rows_of_cells() {
    let one = "id,url,note\n1,http://h.org/a,x\n";
    let lines = "id,url\n1,\"http://h.org/b\nc\"\n2,\"see\n\nhttp://h.org/d\"\n3,http://h.org/f,g\n";
    let tabs = "id\turl\tx\n1\t\"http://h.org/g\nh\"\t3\n2\thttp://h.org/i,j;k\t4\n";
    let prose = "A text, with two links, such as:\nhttp://h.org/l,m and\n\"http://h.org/n\no\"\n";
    let mail = format!(
        "From: a@h.org\nMessage-ID: <1@h.org>\nContent-Type: multipart/mixed; boundary=b\n\n\
         --b\nContent-Type: text/csv\n\n{one}\n--b\nContent-Type: application/octet-stream; name=one.csv\n\n{one}\n\
         --b\nContent-Type: text/plain\n\n{one}\n--b\nContent-Type: text/csv\n\n{prose}\n--b--\n"
    );
    let files = folder(&[
        ("one.csv", one),
        ("one.txt", one),
        ("lines.CSV", lines),
        ("tabs.tsv", tabs),
        ("prose.csv", prose),
        ("page.csv", "<html><a href=http://h.org/p,q>a</a></html>"),
        ("mail.eml", &mail),
    ]);
    let members = [("d/one.csv", one), ("one.txt", one)].map(|(name, text)| (name.to_owned(), text.into()));
    fs::write(files.path().join("one.csv.gz"), gzip(one.as_bytes())).unwrap();
    fs::write(files.path().join("a.zip"), zip(&members)).unwrap();
    let wide: Vec<u8> = one.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(files.path().join("wide.csv"), [b"\xff\xfe", &wide[..]].concat()).unwrap();
    for (name, expected) in [
        ("one.csv", "http://h.org/a\n"),
        ("one.txt", "http://h.org/a,x\n"),
        ("one.csv.gz", "http://h.org/a\n"),
        ("wide.csv", "http://h.org/a\n"),
        ("lines.CSV", "http://h.org/b\nhttp://h.org/d\nhttp://h.org/f\n"),
        ("tabs.tsv", "http://h.org/g\nhttp://h.org/i,j;k\n"),
        ("prose.csv", "http://h.org/l,m\nhttp://h.org/no\n"),
        ("page.csv", "http://h.org/p,q\n"),
        ("a.zip", "http://h.org/a\nhttp://h.org/a,x\n"),
        ("mail.eml", "http://h.org/a\nhttp://h.org/a\nhttp://h.org/a,x\nhttp://h.org/l,m\nhttp://h.org/no\n"),
    ] {
        for threads in ["-j1", "-j2"] {
            ends(run(within(&files, &[threads, name]), b""), 0, expected);
        }
    }
    let reason = run(within(&files, &["--explain", "--at=2:18", "one.csv"]), b"").stderr;
    assert_eq!(
        reason,
        "urlgrep: one.csv:2:18: no URL: the URL http://h.org/a ends before this position, at \",\", which ends a cell\n"
    );
    // A format that is set is not changed by a name.
    ends(run(within(&files, &["--input=text", "one.csv"]), b""), 0, "http://h.org/a,x\n");
    let line = run(within(&files, &["-n", "--scheme=http", "lines.CSV"]), b"").stdout;
    assert_eq!(line, "2:http://h.org/b\n6:http://h.org/d\n7:http://h.org/f\n");
}
