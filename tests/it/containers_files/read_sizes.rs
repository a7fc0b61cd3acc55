//! What is read of a damaged file, and why no more is, does not depend on how many bytes a
//! read returns.

use std::io::Read;

use urlgrep::archive::Files;

use crate::laws::ways::Trickle;
use crate::make::encode::{bzip2, compressions, deflate, gzip, raw_lzma, xz, zstd};
use crate::make::{END, POSIX, member, zip_member};

/// The name of a file, its bytes, and the error that ended it; or an error of an archive.
type Read1 = (Option<Vec<u8>>, Vec<u8>, Option<String>);

/// What is read of `file` if reads return `input` bytes at most, and are asked for `output`.
fn read(file: &[u8], input: usize, output: usize) -> Vec<Read1> {
    let mut all = Vec::new();
    let mut room = vec![0; output];
    let mut files = match Files::new(Trickle(file, input)) {
        Ok(files) => files,
        Err(error) => return vec![(None, Vec::new(), Some(error.to_string()))],
    };
    loop {
        let mut file = match files.next_file() {
            Ok(Some(file)) => file,
            Ok(None) => return all,
            Err(error) => {
                all.push((None, Vec::new(), Some(error.to_string())));
                continue;
            }
        };
        let mut bytes = Vec::new();
        let error = loop {
            match file.read(&mut room) {
                Ok(0) => break None,
                Ok(len) => bytes.extend(&room[..len]),
                Err(error) => break Some(error.to_string()),
            }
        };
        all.push((file.name().map(Into::into), bytes, error));
    }
}

#[track_caller]
fn is_the_same(what: &str, file: &[u8]) {
    let whole = read(file, usize::MAX, 1 << 16);
    for (input, output) in
        [(1, 1), (1, 1 << 16), (usize::MAX, 1), (2, 7), (7, 100), (512, 512), (100, 4096), (usize::MAX, 8192)]
    {
        let other = read(file, input, output);
        let lens = |all: &[Read1]| {
            all.iter()
                .map(|(name, bytes, error)| (name.clone(), bytes.len(), error.clone()))
                .collect::<Vec<_>>()
        };
        assert!(other == whole, "{what}, {input} and {output}: {:?}\n{:?}", lens(&other), lens(&whole));
    }
}

fn text() -> Vec<u8> {
    (0..60).flat_map(|n| format!("{n}: http://h.org/{}\n", n * 7919 % 1000).into_bytes()).collect()
}

/// Archives that hold one another.
fn archives() -> Vec<(String, Vec<u8>)> {
    let text = text();
    let tar =
        [&member("a", b'0', &text, POSIX), &member("b", b'0', b"http://h.org/b", POSIX), &END[..]].concat();
    let mut archives = Vec::new();
    for (name, encode) in compressions() {
        archives.push((name.to_owned(), encode(&text)));
        archives.push((format!("tar in {name}"), encode(&tar)));
    }
    let methods: [(&str, u16, Vec<u8>); 6] = [
        ("stored", 0, text.clone()),
        ("deflate", 8, deflate(&text)),
        ("bzip2", 12, bzip2(&text)),
        ("lzma", 14, raw_lzma(&text, false)),
        ("zstd", 93, zstd(&text)),
        ("xz", 95, xz(&text)),
    ];
    for (name, method, packed) in methods {
        let stored = zip_member("b", 0, b"http://h.org/b", b"http://h.org/b");
        let file = [&zip_member("a", method, &text, &packed), &stored, &b"PK\x05\x06"[..], &[0; 18]].concat();
        archives.push((format!("{name} in gzip"), gzip(&file)));
        archives.push((format!("{name} in zip"), file));
    }
    archives
}

#[test]
fn of_damaged_files() {
    for (name, file) in archives() {
        is_the_same(&name, &file);
        for at in (0..file.len()).step_by(1 + file.len() / 40) {
            is_the_same(&format!("{name} cut at {at}"), &file[..at]);
            for change in [1, 0x80, 0xFF] {
                let mut file = file.clone();
                file[at] ^= change;
                is_the_same(&format!("{name} damaged at {at} by {change}"), &file);
            }
        }
    }
}
