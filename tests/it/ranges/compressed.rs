//! Parts of compressed files, from one seek point to another.

use std::io::{Cursor, Read};

use urlgrep::archive::{Archive, Files};

use super::{Whole, mailboxes, message, parts_of};
use crate::make::seekable::{bgzf, blocks, frames, member};

type Pack = fn(&[u8], usize) -> Vec<u8>;

/// What packs each so many bytes alone.
const PACKS: [(&str, Pack); 3] =
    [("BGZF", bgzf), ("zstd", frames), ("xz", |bytes, len| blocks(bytes, len, |_, _| {}))];

impl Whole<'_> {
    /// Checks the parts of the file after it is packed; returns how many there are.
    #[track_caller]
    fn check_packed(&self, packed: &[u8], size: u64) -> usize {
        let parts = parts_of(packed, size);
        let mut union = Vec::new();
        for part in &parts {
            let archive = part.open(Cursor::new(packed)).unwrap();
            union.extend(self.matches(archive));
        }
        let places = |matches: &[super::Facts]| {
            let place = |facts: &super::Facts| {
                let (member, url, span, _, _, id) = facts.clone().unwrap();
                (member, url, span, id)
            };
            matches.iter().map(place).collect::<Vec<_>>()
        };
        assert_eq!(places(&union), places(&self.matches), "{} parts", parts.len());
        parts.len()
    }
}

#[test]
fn mailboxes_packed_in_pieces_of_any_size() {
    for (name, file) in mailboxes() {
        let whole = Whole::new(file.as_bytes());
        for (pack_name, pack) in PACKS {
            for len in [1, 2, 3, 7, 50, 113, 200, 333] {
                let packed = pack(file.as_bytes(), len);
                let count = whole.check_packed(&packed, 1);
                // The first separator of the last one is missing.
                assert_eq!(count > 1, !name.contains("no first"), "{name} in {pack_name} by {len}: {count}");
                whole.check_packed(&packed, 300);
            }
        }
    }
}

#[test]
fn texts_and_json_packed_in_pieces_of_any_size() {
    let text = "http://h.org/a\n\nhttp://h.org/b <URL:http://h.\norg/c>\n\n\n\nhttp://h.org/d\n\nthe end";
    let json = "{\"a\": \"http:\\/\\/h.org\\/a\"}\n{\"b\": \"http://h.org/b\"}\n\n{}\n{\"c\": [\"http://h.org/c\"]}\n";
    for text in [text, &text.replace('\n', "\r\n"), json] {
        let whole = Whole::new(text.as_bytes());
        for (_, pack) in PACKS {
            for len in 1..text.len() {
                let packed = pack(text.as_bytes(), len);
                assert!(whole.check_packed(&packed, 1) > 1);
            }
        }
    }
}

#[test]
fn a_message_longer_than_several_pieces() {
    let long = message(1) + &"http://h.org/long\n\nFrom here on\n".repeat(300);
    let file = message(0) + &long + &message(2) + &message(3);
    let whole = Whole::new(file.as_bytes());
    for (_, pack) in PACKS {
        assert!(whole.check_packed(&pack(file.as_bytes(), 500), 1) > 20);
    }
}

#[test]
fn what_is_compressed_in_one_piece_is_one_part() {
    let file: String = (0..10).map(message).collect();
    let mut plain = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut plain, file.as_bytes()).unwrap();
    let twice = bgzf(&bgzf(file.as_bytes(), 200), 20);
    let tar = bgzf(&crate::make::header("a", b'0', 0, crate::make::POSIX), 50);
    for packed in [plain.finish().unwrap(), member(file.as_bytes()), twice, tar] {
        let parts = parts_of(&packed, 1);
        assert_eq!(parts.len(), 1);
        assert_eq!((parts[0].layout(), parts[0].decompressed()), ("auto", None));
    }
}

/// Damage belongs to the part in which it is, and the parts after it have what is theirs.
#[test]
fn a_damaged_piece() {
    let file: String = (0..3000).map(|n| message(n) + "\n").collect();
    let whole = Whole::new(file.as_bytes());
    let pieces: Vec<_> = file.as_bytes().chunks(10_000).map(member).collect();
    let mut packed = pieces.concat();
    // What the file is, is asked of the first 256 KiB. These are the checksum of a later one.
    let before = pieces[..30].iter().map(Vec::len).sum::<usize>();
    packed[before - 6] ^= 1;
    let parts = parts_of(&packed, 1);
    assert_eq!(parts.len(), pieces.len());
    let found: Vec<_> =
        parts.iter().flat_map(|part| whole.matches(part.open(Cursor::new(&packed)).unwrap())).collect();
    let errors: Vec<_> = found.iter().filter_map(|m| m.as_ref().err()).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("gzip data are damaged after byte"), "{errors:?}");
    let urls = |found: &[super::Facts]| found.iter().flatten().map(|m| m.1.clone()).collect::<Vec<_>>();
    let (all, some) = (urls(&whole.matches), urls(&found));
    assert!(some.len() < all.len() && some.len() >= all.len() - 140, "{} of {}", some.len(), all.len());
    assert_eq!(some.last(), all.last());
}

/// The decoder sees every byte of the file once.
#[test]
fn the_bytes_of_a_part_are_those_of_the_file() {
    let file: String = (0..40).map(|n| message(n) + "\n").collect();
    let packed = frames(file.as_bytes(), 700);
    let part = &parts_of(&packed, 1)[3];
    let start = part.decompressed().unwrap().start as usize;
    let mut archive = part.open(Cursor::new(&packed)).unwrap();
    let first = archive.next_message().unwrap().unwrap().span().start as usize;
    assert!((start..start + 700).contains(&first));
    assert!(file[first..].starts_with("From a@h.org"));
    let mut files = Files::new(&packed[..]).unwrap();
    let mut bytes = String::new();
    files.next_file().unwrap().unwrap().read_to_string(&mut bytes).unwrap();
    assert_eq!(bytes, file);
    drop(Archive::new(&packed[..]).unwrap());
}
