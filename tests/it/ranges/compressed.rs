//! Parts of compressed files, from one seek point to another.

use std::io::Cursor;
use std::ops::Range;

use urlgrep::archive::Part;

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

/// Frames of zstd that are skipped (RFC 8878, section 3.1.2) are no part.
#[test]
fn frames_that_are_skipped() {
    let skipped = [&0x184D_2A50_u32.to_le_bytes()[..], &5_u32.to_le_bytes(), b"bytes"].concat();
    let file: String = (0..10).map(|n| message(n) + "\n").collect();
    let whole = Whole::new(file.as_bytes());
    let packed = frames(file.as_bytes(), 200);
    for packed in [[&skipped[..], &skipped, &packed].concat(), [&packed[..], &skipped, &packed].concat()] {
        for size in [1, 14, 300] {
            for part in parts_of(&packed, size) {
                assert!(
                    part.decompressed().is_some_and(|range| range.start < range.end),
                    "{part:?} by {size}"
                );
            }
        }
    }
    assert!(whole.check_packed(&[&skipped[..], &skipped, &packed].concat(), 1) > 5);
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

/// A part of one file is none of another, nor of itself after it has changed.
#[test]
fn a_part_of_another_file() {
    let file: String = (0..40).map(|n| message(n) + "\n").collect();
    let packed = PACKS.map(|(_, pack)| pack(file.as_bytes(), 700));
    for (n, of) in packed.iter().enumerate() {
        let parts = parts_of(of, 1);
        assert!(parts.len() > 5);
        for other in packed.iter().filter(|other| *other != of).map(|other| &other[..]).chain([
            &b"short"[..],
            b"",
            &packed[n][1..],
            &[&packed[n][..400], &packed[n][401..]].concat(),
        ]) {
            let opened = parts[3].open(Cursor::new(other)).err().map(|error| error.to_string());
            assert_eq!(opened.as_deref(), Some("the file is not the one that was divided"), "{}", PACKS[n].0);
        }
    }
}

/// What a caller says of a part is not trusted.
#[test]
fn parts_that_no_file_has() {
    let reversed = Range { start: 2, end: 1 };
    assert!(Part::new(reversed.clone(), "mbox", None).is_none());
    assert!(Part::new(0..1, "mbox", Some(reversed)).is_none());
    assert!(Part::new(0..1, "elm", None).is_none());
    let file: String = (0..40).map(|n| message(n) + "\n").collect();
    let mut files = PACKS.map(|(_, pack)| pack(file.as_bytes(), 700)).to_vec();
    files.push(file.into_bytes());
    let ends = [0, 1, 699, 1 << 40, u64::MAX - 1, u64::MAX];
    for (start, end) in ends.iter().flat_map(|&start| ends.map(|end| (start, end))) {
        for (layout, inside) in [
            ("auto", None),
            ("tar", None),
            ("mbox", None),
            ("mbox", Some(start..end)),
            ("text", Some(start..end)),
            ("json", Some(0..0)),
            ("warc", None),
        ] {
            let Some(part) = Part::new(start..end, layout, inside) else { continue };
            for file in &files {
                let Ok(mut archive) = part.open(Cursor::new(file)) else { continue };
                while let Ok(Some(_)) = archive.next_message() {}
            }
        }
    }
}
