//! Compressed mail, damaged and whole.

use std::io::{self, Read};

use urlgrep::Finder;
use urlgrep::archive::{Files, Reader};

use super::{LINKS, MBOX};
use crate::make::encode::{gzip, lzip, lzma, xz};

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
                    urls.extend(finder.find_in(&text).map(|at| at.to_str().unwrap().to_owned()));
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

/// However much is read at once, the same links before the damage are found.
#[test]
fn lzma_data_that_is_damaged_near_its_end() {
    let mut text = String::new();
    for n in 0..2000_u64 {
        // Numbers in no order, so that the data is long.
        text += &format!("{:x} http://h.org/{n}\n", n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    }
    for pack in [xz, lzma, lzip] {
        let mut packed = pack(text.as_bytes());
        let at = packed.len() - 400;
        packed[at] ^= 0x40;
        let (found, error) = unpacked(&packed);
        assert!(found.len() > 1900, "{}", found.len());
        assert!(error.is_some());
        for size in [1, 7, 1000, 65536] {
            assert_eq!(slowly(&packed, size), found.len(), "{size} bytes at a time");
        }
    }
}

/// The number of URLs in a compressed file of which `size` bytes are read at once.
fn slowly(file: &[u8], size: usize) -> usize {
    let finder = Finder::new();
    let mut files = Files::new(Slow { rest: file, size }).unwrap();
    let mut reader = Reader::new(files.next_file().unwrap().unwrap());
    let mut found = 0;
    while let Ok(Some(message)) = reader.next_message() {
        found += message.texts().map(|text| finder.find_in(&text).count()).sum::<usize>();
    }
    found
}

struct Slow<'f> {
    rest: &'f [u8],
    size: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.size.min(buffer.len());
        self.rest.read(&mut buffer[..len])
    }
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
