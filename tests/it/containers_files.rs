//! Containers of files: a table of them, all with the same four files, and what is found
//! in these, by hand.

mod binary;
mod bombs;
mod damage;
mod json;
mod office;
mod pages;
mod pst;
mod read_sizes;
mod strings;
mod texts;

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use urlgrep::Finder;
use urlgrep::archive::{Archive, ReadOptions};

use crate::laws::ways::Trickle;
use crate::make::encode::{Encoder, compressions, gzip};
use crate::make::{END, FILES, GNU, POSIX, V7, header, member, padded, plain, record, sparse, tar};
use crate::make::{tar_pax, tar_with_long_names, zip};

/// What is found in a file: its name, the message, the line, the offset and the URL.
type Row = (String, Option<String>, u64, u64, String);

/// What is found in [`FILES`], each with these texts before and after its name.
fn rows(before: &str, after: &str) -> Vec<Row> {
    [
        ("dir/b.mbox", Some("1@h.org"), 4, 61, "http://h.org/mbox"),
        ("cur/1:2,S", Some("2@h.org"), 4, 37, "http://h.org/mail"),
        ("t.txt", None, 2, 5, "http://h.org/text"),
        ("i", None, 1, 14, "http://h.org/html"),
    ]
    .map(|(name, id, line, offset, url)| {
        (format!("{before}{name}{after}"), id.map(str::to_owned), line, offset, url.to_owned())
    })
    .into()
}

/// What is found in an input, and the errors, each with the name of its file.
fn found(input: impl Read) -> (Vec<Row>, Vec<String>) {
    let finder = Finder::new();
    let mut archive = Archive::new(input)
        .unwrap()
        .with_options(&ReadOptions { line_numbers: true, ..ReadOptions::default() });
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    loop {
        let error = match archive.next_message() {
            Ok(None) => return (rows, errors),
            Ok(Some(message)) => {
                let id = message.envelope().and_then(|envelope| envelope.id());
                let mut found = Vec::new();
                for text in message.texts() {
                    found.extend(finder.find_in(&text).map(|m| {
                        let line = text.position(m.span().start).unwrap().line;
                        (line, m.span().start, String::from_utf8_lossy(m.as_bytes()).into_owned())
                    }));
                }
                let name = String::from_utf8_lossy(archive.member().unwrap_or_default()).into_owned();
                rows.extend(
                    found.into_iter().map(|(line, at, url)| (name.clone(), id.clone(), line, at, url)),
                );
                continue;
            }
            Err(error) => error.to_string(),
        };
        let name = String::from_utf8_lossy(archive.member().unwrap_or_default()).into_owned();
        errors.push(format!("{name}: {error}"));
        assert!(errors.len() < 1000, "{errors:?}");
    }
}

/// The files, each compressed.
fn gzipped() -> Vec<(String, Vec<u8>)> {
    FILES.iter().map(|(name, text)| (format!("{name}.gz"), gzip(text.as_bytes()))).collect()
}

/// Archives, and what precedes and follows the names of their members.
fn archives() -> Vec<(&'static str, Vec<u8>, &'static str, &'static str)> {
    let tar_of = |name: &str, file: Vec<u8>| tar(&[(name.to_owned(), file)], POSIX);
    let zip_of = |name: &str, file: Vec<u8>| zip(&[(name.to_owned(), file)]);
    let long = Box::leak(format!("{}/", "long".repeat(40)).into_boxed_str());
    vec![
        ("tar of Version 7", tar(&plain(), V7), "", ""),
        ("ustar", tar(&plain(), POSIX), "", ""),
        ("GNU tar", tar(&plain(), GNU), "", ""),
        ("GNU tar with long names", tar_with_long_names(&plain(), long), long, ""),
        ("pax", tar_pax(&plain(), long), long, ""),
        ("tar of compressed files", tar(&gzipped(), POSIX), "", ".gz"),
        ("zip", zip(&plain()), "", ""),
        ("zip of compressed files", zip(&gzipped()), "", ".gz"),
        ("tar in tar", tar_of("a.tar", tar(&plain(), POSIX)), "a.tar!/", ""),
        ("tar in zip", zip_of("a.tar", tar(&plain(), POSIX)), "a.tar!/", ""),
        ("zip in tar", tar_of("a.zip", zip(&plain())), "a.zip!/", ""),
        ("zip in zip", zip_of("a.zip", zip(&plain())), "a.zip!/", ""),
        ("tar.gz in zip", zip_of("a.tgz", gzip(&tar(&plain(), POSIX))), "a.tgz!/", ""),
        ("tar.gz in zip in tar", tar_of("a", zip_of("b", gzip(&tar(&gzipped(), GNU)))), "a!/b!/", ".gz"),
    ]
}

#[test]
fn every_archive_compressed_or_not() {
    let not: (&str, Encoder) = ("nothing", <[u8]>::to_vec);
    for (name, file, before, after) in archives() {
        for (compression, compress) in [not].into_iter().chain(compressions()) {
            let found = found(&compress(&file)[..]);
            assert_eq!(found, (rows(before, after), Vec::new()), "{name}, compressed by {compression}");
        }
    }
}

#[test]
fn single_files_in_every_compression() {
    for ((_, text), mut row) in FILES.iter().zip(rows("", "")) {
        row.0.clear();
        for (compression, compress) in compressions() {
            let found = found(&compress(text.as_bytes())[..]);
            assert_eq!(found, (vec![row.clone()], Vec::new()), "compressed by {compression}");
        }
        let twice = found(&gzip(&gzip(text.as_bytes()))[..]);
        assert_eq!(twice, (vec![row.clone()], Vec::new()));
    }
}

/// The bytes come as they do from a pipe, but the first of a name that has a colon.
#[test]
fn however_the_bytes_come() {
    for (name, file, before, after) in archives() {
        for size in [64, 511, 513] {
            let found = found(Trickle(&file, size));
            assert_eq!(found, (rows(before, after), Vec::new()), "{name}, {size} bytes at a time");
        }
    }
}

#[test]
fn what_is_not_a_file_is_skipped() {
    let link = |kind| header("link", kind, 0, POSIX);
    let device = header("device", b'3', 0, POSIX);
    let folder = header("dir/", b'5', 0, POSIX);
    let old_folder = header("old/", 0, 0, V7);
    let label = header("a volume", b'V', 0, GNU);
    // A link to a file whose length it has, but not the data.
    let long_link = header("link", b'1', 1000, POSIX);
    let mut file = [label, folder, old_folder, link(b'1'), link(b'2'), device, long_link].concat();
    file.extend(tar(&plain(), POSIX));
    assert_eq!(found(&file[..]), (rows("", ""), Vec::new()));
    // Its long name is not that of the next file.
    let path = member("PaxHeaders/x", b'x', record("path", "very/long/").as_bytes(), POSIX);
    let long_name = member("././@LongLink", b'L', b"very/long/\0", GNU);
    let target = member("././@LongLink", b'K', b"very/long/\0", GNU);
    for kind in [b'1', b'2', b'3', b'4', b'5', b'6'] {
        for before in [&path, &long_name, &target] {
            let file = [&before[..], &header("x", kind, 0, POSIX), &tar(&plain(), POSIX)].concat();
            assert_eq!(found(&file[..]), (rows("", ""), Vec::new()), "{}", char::from(kind));
        }
    }
}

/// Some programs write the data of a file again for each link to it.
#[test]
fn a_link_with_its_data() {
    let data = b"http://h.org/again ".repeat(40);
    for kind in [b'1', b'2'] {
        let file = [member("link", kind, &data, POSIX), tar(&plain(), POSIX)].concat();
        assert_eq!(found(&file[..]), (rows("", ""), Vec::new()), "{}", char::from(kind));
    }
}

/// What is known of a member is not known of the next one.
#[test]
fn a_record_ends_with_its_file() {
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=a>b</a>";
    let warc = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.org/page\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    let mut files = plain();
    files.insert(0, ("a.warc".to_owned(), warc.into_bytes()));
    for file in [tar(&files, POSIX), zip(&files)] {
        let mut archive = Archive::new(&file[..]).unwrap();
        let mut uris = Vec::new();
        while let Some(message) = archive.next_message().unwrap() {
            uris.push(message.record().and_then(|record| record.uri()).map(str::to_owned));
        }
        assert_eq!(uris, [Some("http://h.org/page".to_owned()), None, None, None, None]);
    }
}

/// A file is converted for what it is itself, not for what the one before it was.
#[test]
fn a_conversion_ends_with_its_file() {
    let wide = "\u{feff}http://h.org/a\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let files = [("a.txt".to_owned(), wide), ("b.txt".to_owned(), b"http://h.org/b\n".to_vec())];
    for file in [tar(&files, POSIX), zip(&files)] {
        let urls: Vec<_> = found(&file[..]).0.into_iter().map(|(.., url)| url).collect();
        assert_eq!(urls, ["http://h.org/a", "http://h.org/b"]);
    }
}

#[test]
fn archives_in_a_row_and_padding() {
    let one = tar(&plain(), POSIX);
    let two = [&one[..], &[0; 9 * 512], &one].concat();
    assert_eq!(found(&two[..]), ([rows("", ""), rows("", "")].concat(), Vec::new()));
    let (rows_found, errors) = found(&[&one[..], b"and more"].concat()[..]);
    assert_eq!(rows_found, rows("", ""));
    let text = format!(": corrupt tar archive: no valid header at byte {}", one.len());
    assert_eq!(errors, [text]);
    // The end of the first archive is not the end of the second.
    let second = &one[..one.len() - 2 * 512];
    let (rows_found, errors) = found(&[&one[..], second].concat()[..]);
    assert_eq!(rows_found, [rows("", ""), rows("", "")].concat());
    assert_eq!(errors, [format!(": truncated tar archive at byte {}", one.len() + second.len())]);
}

/// An archive that ends too early is an error, also if it ends within a member that is not searched.
#[test]
fn an_archive_without_its_end() {
    let mut files = plain();
    let image = [&b"\x89PNG\r\n\x1a\n"[..], &[0; 1500]].concat();
    files.insert(1, ("b.png".to_owned(), image.clone()));
    files.push(("c.png".to_owned(), image));
    let (tar, zip) = (tar(&files, POSIX), zip(&files));
    for (file, lens) in [(&tar, 512..tar.len() - 2 * 512), (&zip, 30..zip.len())] {
        let damage = |len: usize| found(&file[..len]).1;
        assert_eq!(damage(file.len()), [""; 0]);
        for len in lens {
            assert!(!damage(len).is_empty(), "{len} bytes of {}", file.len());
            assert!(file == &zip || damage(len).len() == 1, "{:?}", damage(len));
        }
    }
}

/// The map of a sparse file, in each of the four ways that GNU tar had.
#[test]
fn sparse_files() {
    let expected: Row = ("s".into(), None, 1, 2000, "http://h.org/s".into());
    for (name, file) in sparse(2000, b"http://h.org/s ", 5000) {
        assert_eq!(found(&file[..]), (vec![expected.clone()], vec![]), "{name}");
    }
}

/// A map of 65,536 segments is read, and a longer one is not.
#[test]
fn the_segments_of_a_sparse_file() {
    let data = b"http://h.org/s ";
    let len = data.len().to_string();
    let records = [("major", "1"), ("minor", "0"), ("name", "s"), ("realsize", &len)];
    let records = records.map(|(key, value)| record(&format!("GNU.sparse.{key}"), value)).concat();
    for (count, unread) in [(65_536, 0), (65_537, 1)] {
        let map = format!("{count}\n{}0\n{len}\n", "0\n0\n".repeat(count - 1));
        let stored = [&padded(map.as_bytes()), &data[..]].concat();
        let head = member("PaxHeaders/s", b'x', records.as_bytes(), POSIX);
        let file = [head, member("GNUSparseFile.1/s", b'0', &stored, POSIX), END.to_vec()].concat();
        let (rows, errors) = found(&file[..]);
        assert_eq!((rows.len(), errors.len()), (1 - unread, unread), "{count}: {errors:?}");
    }
}

/// The mail of Gmail's API in JSON: its bodies are strings in base64, each of what it is.
#[test]
fn bodies_in_json() {
    let json = r#"{"id": "1", "payload": {"headers": [{"name": "X", "value": "<http://h.org/x>"}],
        "parts": [{"body": {"size": 9, "data": "c2VlIGh0dHA6Ly9oLm9yZy9h"}},
                  {"body": {"data" : "PHA-PGEgaHJlZj0iaHR0cDovL2gub3JnL2I_YT0xJmFtcDtjIj5iPC9hPg"}}]},
        "raw": "RnJvbTogYUBoLm9yZwpDb250ZW50LVRyYW5zZmVyLUVuY29kaW5nOiBxdW90ZWQtcHJpbnRhYmxlCgpodHRwOi8vaC5vcmcvYz0zRGQ9M0RlCg=="}
"#;
    let found = Finder::new().find_in_archive(Archive::new(json.as_bytes()).unwrap());
    let urls: Vec<_> = found.map(|m| m.unwrap().to_string()).collect();
    assert_eq!(urls, ["http://h.org/x", "http://h.org/a", "http://h.org/b?a=1&c", "http://h.org/c=d=e"]);
}

/// An answer in HAR that the browser has in base64 is what its bytes are; a page has no address there.
#[test]
fn answers_in_har() {
    let page = "<!DOCTYPE html><a href='http://h.org/a?b&amp;c'>x</a><a href=d>y</a>";
    let har = format!(
        "{{\"log\":{{\"entries\":[{{\"request\":{{\"url\":\"http://h.org/page\"}},\"response\":{{\"content\":{{\
         \"size\":9,\"mimeType\":\"text/html\",\"text\":\"{}\",\"encoding\":\"base64\"}}}}}}]}}}}",
        BASE64.encode(page)
    );
    let found = Finder::new().find_in_archive(Archive::new(har.as_bytes()).unwrap());
    let mut urls: Vec<_> = found.map(|m| m.unwrap().to_string()).collect();
    urls.sort_unstable();
    assert_eq!(urls, ["http://h.org/a?b&c", "http://h.org/page"]);
}
