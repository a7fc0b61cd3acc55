//! Compressed mail, damaged and whole.

use urlgrep::Finder;
use urlgrep::archive::{Files, Reader};

use super::{LINKS, MBOX};
use crate::make::encode::gzip;

/// The URLs in a compressed file, and the error that ended it.
fn unpacked(file: &[u8]) -> (Vec<String>, Option<String>) {
    let finder = Finder::new();
    let mut files = Files::new(file).unwrap();
    let mut reader = Reader::new(files.next_file().unwrap().unwrap());
    let mut urls = Vec::new();
    loop {
        match reader.next_message() {
            Ok(Some(message)) => {
                for text in message.texts() {
                    urls.extend(finder.find_in(&text).map(|at| at.in_text().as_str().unwrap().to_owned()));
                }
            }
            Ok(None) => return (urls, None),
            Err(error) => return (urls, Some(error.to_string())),
        }
    }
}

#[test]
fn compressed_and_cut_off() {
    let mbox = MBOX.repeat(3000);
    let packed = gzip(mbox.as_bytes());
    assert_eq!(unpacked(&packed).0.len(), 3000 * LINKS.len());
    let (found, error) = unpacked(&packed[..packed.len() / 2]);
    assert!(found.len() > 1000 * LINKS.len(), "{}", found.len());
    assert!(error.is_some());
    let mut damaged = packed.clone();
    damaged[packed.len() / 2] ^= 0x55;
    assert!(unpacked(&damaged).1.is_some());
}

#[test]
fn a_gigabyte_of_zeros_in_a_megabyte() {
    let head = gzip(b"From: a@h.org\nTo: b@h.org\n\nhttp://h.org/begin\n");
    let zeros = gzip(&vec![0; 1 << 20]);
    let tail = gzip(b"\nhttp://h.org/end\n");
    let file = [head, zeros.repeat(1024), tail].concat();
    assert!(file.len() < 2 << 20, "{}", file.len());
    assert_eq!(unpacked(&file), (vec!["http://h.org/begin".to_owned(), "http://h.org/end".to_owned()], None));
}
