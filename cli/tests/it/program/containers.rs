//! Archives in archives, damaged ones, and files that are not text.

use std::fs;

use super::{folder, run, within};
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
    assert_eq!(
        ran.stderr,
        "urlgrep: a.zip!/a.png: this is a PNG image, which urlgrep does not read; --input text searches its bytes\n"
    );
    assert_eq!(ran.status, Some(2));
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
        assert_eq!(
            ran.stderr,
            "urlgrep: a.tar: the tar archive is damaged: at byte 1024 there is no valid header\n"
        );
        assert_eq!(ran.status, Some(2));
    }
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
    assert_eq!((ran.stdout.as_str(), ran.status), ("0\n", Some(2)));
    assert!(ran.stderr.starts_with("urlgrep: a: this is an ELF program"), "{}", ran.stderr);
    let ran = run(within(&folder, &["-c", "-j2", "--input", "text", "a"]), b"");
    assert_eq!((ran.stdout.as_str(), ran.status), ("800000\n", Some(0)));
    let ran = run(within(&folder, &["-c", "-j2", "b"]), b"");
    assert_eq!((ran.stdout.as_str(), ran.status), ("b!/t:800000\n", Some(0)));
}
