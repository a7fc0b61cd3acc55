//! Small files that would become very large ones: each ends soon, and is told.

use std::io::{self, Read};

use urlgrep::Finder;
use urlgrep::archive::internal::MAX_LAYERS;
use urlgrep::archive::{Archive, Files};

use super::found;
use crate::make::encode::{deflate, gzip};
use crate::make::{GNU, POSIX, header, sparse, sum, tar, zip, zip_member};

#[test]
fn a_hundred_archives_in_each_other() {
    let mut file = b"http://h.org/".to_vec();
    for n in 0..100 {
        let inner = [(format!("{n}"), file)];
        file = if n % 2 == 0 { zip(&inner) } else { tar(&inner, POSIX) };
    }
    let (found, errors) = found(&file[..]);
    assert_eq!(found, []);
    let name = "99!/98!/97!/96!/95!/94!/93!/92";
    let error = "nested too deeply (more than 8 levels of archives and compression); skipped";
    assert_eq!(errors, [format!("{name}: {error}")]);
}

#[test]
fn as_many_layers_as_are_read() {
    let mut file = b"http://h.org/".to_vec();
    (0..MAX_LAYERS).for_each(|_| file = gzip(&file));
    assert_eq!(found(&file[..]).0.len(), 1);
    let (found, errors) = found(&gzip(&file)[..]);
    assert_eq!((found.len(), errors.len()), (0, 1));
}

/// How many bytes come out of an input, and its errors.
fn length(input: impl Read) -> (u64, Vec<String>) {
    let (mut len, mut errors) = (0, Vec::new());
    let mut files = Files::new(input).unwrap();
    loop {
        match files.next_file() {
            Ok(None) => return (len, errors),
            Err(error) => errors.push(error.to_string()),
            Ok(Some(mut file)) => {
                let mut piece = vec![0; 1 << 16];
                loop {
                    match file.read(&mut piece) {
                        Ok(0) => break,
                        Ok(read) => len += read as u64,
                        Err(error) => {
                            errors.push(error.to_string());
                            break;
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn compressed_files_in_a_compressed_file() {
    // 64 members of about a kilobyte, each of which becomes 64 MiB.
    let zeros = gzip(&vec![0; 64 << 20]);
    let packed = deflate(&zeros);
    assert!(packed.len() < 2000, "{}", packed.len());
    let members: Vec<_> = (0..64).map(|n| zip_member(&n.to_string(), 8, &zeros, &packed)).collect();
    let last = zip_member("last", 0, b"http://h.org/", b"http://h.org/");
    let file = [&members.concat()[..], &last, b"PK\x05\x06", &[0; 18]].concat();
    let (len, errors) = length(&file[..]);
    assert!(len < (1 << 30) + 1000 * file.len() as u64 + (1 << 20), "{len}");
    assert!(!errors.is_empty());
    for error in &errors {
        assert!(error.contains("more than 1 GiB and 1000 times the input"), "{error}");
    }
    // What is not nested is read all the same.
    assert!(len > (1 << 30) && errors.len() < 64);
}

#[test]
fn members_that_the_directory_has_many_times() {
    let member = zip_member("a", 8, &[b'x'; 1000], &deflate(&[b'x'; 1000]));
    let entry = [&b"PK\x01\x02"[..], &[0; 24], &[1], &[0; 17], b"a"].concat();
    let file = [&member[..], &entry.repeat(1000), b"PK\x05\x06", &[0; 18]].concat();
    assert_eq!(length(&file[..]), (1000, vec![]));
}

#[test]
fn a_hole_of_seven_gigabytes() {
    for (name, file) in sparse(7 << 30, b"http://h.org/", (7 << 30) + 100) {
        let (len, errors) = length(&file[..]);
        assert!(len <= (1 << 30) + 1000 * file.len() as u64, "{name}: {len}");
        assert_eq!(errors.len(), 1, "{name}: {errors:?}");
    }
}

#[test]
fn ten_gigabytes_of_zeros_are_skipped_or_read() {
    const LENGTH: u64 = 10 << 30;
    let mut head = header("zeros", b'0', 0, GNU);
    head[124..128].copy_from_slice(&[0x80, 0, 0, 0]);
    head[128..136].copy_from_slice(&LENGTH.to_be_bytes());
    sum(&mut head);
    let tail = tar(&[("a".to_owned(), b"http://h.org/".to_vec())], POSIX);
    let input = head.chain(io::repeat(0).take(LENGTH)).chain(&tail[..]);
    let mut files = Files::new(input).unwrap();
    assert_eq!(files.next_file().unwrap().unwrap().name(), Some(&b"zeros"[..]));
    let mut last = files.next_file().unwrap().unwrap();
    let mut text = String::new();
    last.read_to_string(&mut text).unwrap();
    assert_eq!(text, "http://h.org/");
}

/// The decoders of 4,096 archives may take the 64 MiB of a message.
#[test]
fn many_small_attachments() {
    let file = gzip(b"http://h.org/\n");
    let mail = |n| {
        let head = b"From: a@h.org\nSubject: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n";
        let part = [&b"Content-Disposition: attachment; filename=a.gz\n\n"[..], &file, b"\n--b\n"].concat();
        [&head[..], &part.repeat(n)].concat()
    };
    let urls = |n| {
        let mail = mail(n);
        let archive = Archive::seekable(io::Cursor::new(&mail)).unwrap();
        Finder::new().find_in_archive(archive).flatten().count()
    };
    assert_eq!(urls(4_000), 4_000);
    assert!((4_000..=4_096).contains(&urls(4_200)));
}
