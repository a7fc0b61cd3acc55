//! Parts of compressed files, from one seek point to another.

use std::io::{Cursor, Read};
use std::ops::Range;

use urlgrep::archive::internal::SeekPoints;
use urlgrep::archive::{Files, Part};

use super::{Whole, mailboxes, message, parts_of};
use crate::make::seekable::packed;

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
        for len in [1, 2, 3, 7, 50, 113, 200, 333] {
            let packed = packed(file.as_bytes(), len);
            let count = whole.check_packed(&packed, 1);
            // The first separator of the last one is missing.
            assert_eq!(count > 1, !name.contains("no first"), "{name} by {len}: {count}");
            whole.check_packed(&packed, 300);
        }
    }
}

#[test]
fn texts_and_json_packed_in_pieces_of_any_size() {
    let text = "http://h.org/a\n\nhttp://h.org/b <URL:http://h.\norg/c>\n\n\n\nhttp://h.org/d\n\nthe end";
    let json = "{\"a\": \"http:\\/\\/h.org\\/a\"}\n{\"b\": \"http://h.org/b\"}\n\n{}\n{\"c\": [\"http://h.org/c\"]}\n";
    for text in [text, &text.replace('\n', "\r\n"), json] {
        let whole = Whole::new(text.as_bytes());
        for len in 1..text.len() {
            assert!(whole.check_packed(&packed(text.as_bytes(), len), 1) > 1);
        }
    }
}

#[test]
fn a_message_longer_than_several_pieces() {
    let long = message(1) + &"http://h.org/long\n\nFrom here on\n".repeat(300);
    let file = message(0) + &long + &message(2) + &message(3);
    let whole = Whole::new(file.as_bytes());
    assert!(whole.check_packed(&packed(file.as_bytes(), 500), 1) > 20);
}

#[test]
fn what_is_compressed_in_one_piece_is_one_part() {
    let file: String = (0..10).map(message).collect();
    let mut plain = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut plain, file.as_bytes()).unwrap();
    let twice = packed(&packed(file.as_bytes(), 200), 20);
    let tar = packed(&crate::make::header("a", b'0', 0, crate::make::POSIX), 50);
    for packed in [plain.finish().unwrap(), packed(file.as_bytes(), file.len()), twice, tar] {
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
    let mut packed = packed(file.as_bytes(), 10_000);
    // What the file is, is asked of the first 256 KiB. This is a later block.
    let at = packed.len() / 10 * 9;
    packed[at] ^= 1;
    let parts = parts_of(&packed, 1);
    assert_eq!(parts.len(), file.len().div_ceil(10_000));
    let found: Vec<_> =
        parts.iter().flat_map(|part| whole.matches(part.open(Cursor::new(&packed)).unwrap())).collect();
    let errors: Vec<_> = found.iter().filter_map(|m| m.as_ref().err()).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("corrupt xz data after "), "{errors:?}");
    let urls = |found: &[super::Facts]| found.iter().flatten().map(|m| m.1.clone()).collect::<Vec<_>>();
    let (all, some) = (urls(&whole.matches), urls(&found));
    assert!(some.len() < all.len() && some.len() >= all.len() - 140, "{} of {}", some.len(), all.len());
    assert_eq!(some.last(), all.last());
}

/// The data before damage end at the same byte wherever decompression begins.
#[test]
fn damaged_data_from_a_point() {
    let file: String = (0..500).map(|n| message(n * 7919 % 1000) + "\n").collect();
    let packed = packed(file.as_bytes(), 10_000);
    let points = SeekPoints::of(&mut Cursor::new(&packed), 1).unwrap();
    for point in points.clone() {
        for at in (point.at as usize + 20..point.at as usize + 400).step_by(19) {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x55;
            let rest = points.stream(point, None, |range| &damaged[range.start as usize..range.end as usize]);
            let (mut whole, mut data) = (Vec::new(), Vec::new());
            let error = Files::of_rest(&damaged[..], 0).unwrap().file().read_to_end(&mut whole).unwrap_err();
            let same = Files::of_rest(rest, point.start).unwrap().file().read_to_end(&mut data).unwrap_err();
            assert_eq!(same.to_string(), error.to_string(), "byte {at}");
            assert!(data == whole[point.start as usize..], "byte {at}");
        }
    }
}

/// A part of one file is none of another, nor of itself after it has changed.
#[test]
fn a_part_of_another_file() {
    let file: String = (0..40).map(|n| message(n) + "\n").collect();
    let packed = packed(file.as_bytes(), 700);
    let parts = parts_of(&packed, 1);
    assert!(parts.len() > 5);
    for other in [&b"short"[..], b"", &packed[1..], &[&packed[..400], &packed[401..]].concat()] {
        let opened = parts[3].open(Cursor::new(other)).err().map(|error| error.to_string());
        assert_eq!(
            opened.as_deref(),
            Some("this is not the file that was divided, or it has changed since; divide it again")
        );
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
    let files = [packed(file.as_bytes(), 700), file.into_bytes()];
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
