//! Large containers that several threads search: the output is that of one.

use std::fs;

use super::{run, within};
use crate::make::encode::gzip;
use crate::make::{POSIX, header, member, tar};

/// More than two chunks.
const LARGE: usize = 30 << 20;

fn web_archive() -> Vec<u8> {
    let mut file = Vec::new();
    for n in 0.. {
        let (coding, body) = match n % 1000 {
            500 => ("x-unknown", vec![0xFF; 9]),
            501 => ("gzip", gzip(format!("http://h.org/zipped{n}").as_bytes())),
            _ => ("identity", format!("http://h.org/{n}\n{}", "word \n".repeat(n % 7 * 300)).into_bytes()),
        };
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: {coding}\r\n\r\n");
        let length = head.len() + body.len();
        let fields = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\
            WARC-Target-URI: http://h.org/page{n}\r\nContent-Length: {length}\r\n\r\n{head}"
        );
        file.extend([fields.as_bytes(), &body, b"\r\n\r\n"].concat());
        if file.len() > LARGE {
            return file;
        }
    }
    unreachable!()
}

fn tar_archive() -> Vec<u8> {
    let mail = |n: usize| {
        let word = "word ".repeat(n % 7 * 300);
        format!("From: a@h.org\nMessage-ID: <{n}@h.org>\n\nhttp://h.org/{n}\n{word}\nhttp://h.org/b\n")
            .into_bytes()
    };
    let mut file: Vec<u8> = Vec::new();
    for n in 0.. {
        let data = match n % 1000 {
            300 => gzip(&mail(n)),
            500 => gzip(&mail(n))[..30].to_vec(),
            700 => tar(&[("inner".into(), mail(n))], POSIX),
            _ => mail(n),
        };
        if n % 1000 == 800 {
            file.extend([[b'?'; 512], *header("d/", b'5', 0, POSIX).first_chunk().unwrap()].as_flattened());
        }
        file.extend(member(&format!("d/{n}"), b'0', &data, POSIX));
        if file.len() > LARGE {
            return file;
        }
    }
    unreachable!()
}

#[test]
fn the_output_is_that_of_one_thread() {
    let files = tempfile::tempdir().unwrap();
    fs::write(files.path().join("a.warc"), web_archive()).unwrap();
    fs::write(files.path().join("a.tar"), tar_archive()).unwrap();
    for (file, least) in [("a.warc", 100_000), ("a.tar", 100_000)] {
        for args in [&["-n"][..], &["--json"], &["-c"], &["-m2"], &["-b"], &["--csv"]] {
            let with = |threads| run(within(&files, &[args, &[threads, file]].concat()), b"");
            let alone = with("-j1");
            // Two matches of the only file end the search before the first body that is not read.
            let status = if (file, args[0]) == ("a.warc", "-m2") { 0 } else { 2 };
            assert_eq!(alone.status, Some(status), "{file} {args:?}");
            let long = matches!(args[0], "-c" | "-m2") || alone.stdout.len() > least;
            assert!(long, "{file} {args:?}: {}", alone.stdout);
            let all = with("-j4");
            assert_eq!(all.stderr, alone.stderr, "{file} {args:?}");
            // The output is long; that it differs tells enough.
            assert!(all.stdout == alone.stdout, "{file} {args:?}");
        }
    }
}
