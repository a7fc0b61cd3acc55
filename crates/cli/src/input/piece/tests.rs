//! Where files are divided. (That the output is the same is a test of the search.)

use std::io::{Read, Write};

use tempfile::NamedTempFile;
use urlgrep::archive::Attachments;
use urlgrep::archive::internal::LOOKAHEAD;

use super::*;
use crate::input::make;
use crate::input::make::encode::gzip;
use crate::input::make::seekable::{blocks, packed};

const SIZES: Sizes = Sizes { large: 1000, range: 20_000, point: 50_000, window: 20_000, fails_at: u64::MAX };

const MESSAGE: &str = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\nhttp://h.org/\n\n";

const OPTIONS: ReadOptions = ReadOptions {
    format: None,
    attachments: Attachments::Documents,
    headers: true,
    resources: true,
    dot_stuffing: false,
    base_url: None,
    line_numbers: true,
    offsets: true,
    records: true,
    keep: Vec::new(),
};

/// Messages of so many bytes together, numbered.
fn messages(len: usize) -> Vec<u8> {
    (0..len / 80).map(|n| format!("{MESSAGE}number {n}\n\n")).collect::<String>().into()
}

/// A file of these bytes, and its pieces.
fn file_and_pieces(bytes: &[u8]) -> (NamedTempFile, Pieces) {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let open = OpenFile::new(file.reopen().unwrap(), Some(bytes.len() as u64), SIZES);
    let pieces = Pieces::of(Input::File(file.path().to_owned()), open.into(), &OPTIONS, SIZES, true);
    (file, pieces)
}

/// The bytes of each piece of a file, if it has several.
fn pieces(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (_file, pieces) = file_and_pieces(bytes);
    let pieces: Vec<_> = pieces.collect();
    let (last, before) = pieces.split_last().unwrap();
    assert_eq!(last.next, Next::Input);
    assert!(before.iter().all(|piece| piece.next == Next::SameFile));
    let read = |piece: &Piece| {
        let source = piece.source.as_ref()?;
        let mut files = source.open(true, SIZES).unwrap();
        let mut bytes = Vec::new();
        files.source.read_to_end(&mut bytes).unwrap();
        let part = files.part.unwrap();
        bytes.truncate(usize::try_from(part.end.get() - part.start.get()).unwrap_or(usize::MAX));
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(part.lines.as_ref().unwrap().get(), lines as u64);
        Some(bytes)
    };
    pieces.iter().map(read).collect()
}

/// Checks the number of pieces of the data that `bytes` are packed in, which together are these,
/// and that those which are not empty begin with `start`. Returns which are not.
#[track_caller]
fn divided(packed: &[u8], bytes: &[u8], count: usize, start: &str) -> Vec<bool> {
    let pieces = pieces(packed).unwrap();
    assert!(pieces.concat() == bytes);
    assert_eq!(pieces.len(), count);
    assert!(pieces.iter().all(|piece| piece.is_empty() || piece.starts_with(start.as_bytes())));
    pieces.iter().map(|piece| !piece.is_empty()).collect()
}

#[test]
fn texts_are_cut_after_empty_lines() {
    for paragraph in ["some text\n\nsome text\nmore\n\n", "some text\r\nmore\r\n\r\n"] {
        let text = paragraph.repeat(130_000 / paragraph.len()).into_bytes();
        divided(&text, &text, 6, "some text");
        divided(&packed(&text, 20_000), &text, 3, "some text");
    }
}

#[test]
fn mboxes_are_cut_where_messages_start() {
    let head = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nContent-Length: 9\n\n";
    let mbox = format!("{head}some text\n\nFrom me\nmore\n>From you\nend\n").repeat(1100).into_bytes();
    divided(&mbox, &mbox, 5, head);
    let mbox = messages(140_000);
    divided(&packed(&mbox, 20_000), &mbox, 3, MESSAGE);
}

#[test]
fn web_archives_are_cut_where_a_member_begins_with_a_record() {
    let noise =
        |n: u64| (0..600).map(|at| (n * 7919 + at * at * 31 + at * n) as u8 % 94 + 32).collect::<Vec<_>>();
    let head = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 600\r\n\r\n";
    let records: Vec<_> = (0..400).map(|n| [head.as_bytes(), &noise(n), b"\r\n\r\n"].concat()).collect();
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    divided(&members, &records.concat(), members.len().div_ceil(50_000), head);
    let one: Vec<u8> = gzip(&records.concat());
    assert!(one.len() > 40_000 && pieces(&one).is_none(), "one member");
}

#[test]
fn a_point_in_a_long_message_starts_no_piece() {
    let long = [MESSAGE.as_bytes(), &b"and on\n\nFrom here on\n\n".repeat(5500)].concat();
    let mbox = [messages(45_000), long, messages(120_000)].concat();
    let starts = divided(&packed(&mbox, 15_000), &mbox, 5, MESSAGE);
    assert_eq!(starts, [true, false, false, true, true]);
}

#[test]
fn files_that_are_whole() {
    let mbox = messages(120_000);
    let is_whole = |bytes: &[u8]| pieces(bytes).is_none();
    assert!(is_whole(&b"http://h.org/\n".repeat(10_000)), "no empty line");
    assert!(is_whole(&packed(&b"http://h.org/\n".repeat(10_000), 15_000)), "the same, compressed");
    assert!(is_whole(&mbox[..39_000]), "short");
    assert!(is_whole(&packed(&mbox[..45_000], 15_000)), "short, compressed");
    assert!(is_whole(&packed(&mbox, mbox.len())), "one block");
    assert!(is_whole(&packed(&packed(&mbox, 20_000), 500)), "compressed twice");
    let mut damaged = packed(&mbox, 15_000);
    let len = damaged.len();
    damaged[len - 20] ^= 1;
    assert!(is_whole(&damaged), "the index of xz is damaged");
    assert!(is_whole(&[&packed(&mbox, 15_000)[..], b"more"].concat()), "its end is not that of the file");
}

#[test]
fn the_last_piece_goes_on_where_the_lengths_end() {
    let mbox = messages(120_000);
    // The third block is said to be longer than it is, and the fourth shorter.
    let lying = blocks(&mbox, 20_000, |n, record| match n {
        2 => record[1] += 100,
        3 => record[1] -= 100,
        _ => {}
    });
    let pieces = file_and_pieces(&lying).1.collect::<Vec<_>>();
    let (read, error) = read_until_error(&pieces[..1]);
    assert!(
        read == mbox[..read.len()] && read.len() >= 60_000 && error.is_some(),
        "{}: {error:?}",
        read.len()
    );
}

/// What a search of these pieces reads, up to the first error.
fn read_until_error(pieces: &[Piece]) -> (Vec<u8>, Option<String>) {
    let mut bytes = Vec::new();
    for piece in pieces {
        let files = piece.source.as_ref().unwrap().open(false, SIZES).unwrap();
        let part = files.part.unwrap();
        let mut reader = Read::take(files.source, part.end.get() - part.start.get());
        if let Err(error) = reader.read_to_end(&mut bytes) {
            return (bytes, Some(error.to_string()));
        }
    }
    (bytes, None)
}

#[test]
fn a_file_that_becomes_shorter_ends_with_an_error() {
    let mbox = messages(140_000);
    let text = b"some text\nmore\n\n".repeat(9000);
    for bytes in [text, mbox] {
        let len = bytes.len();
        for shorter in [0, len / 2, len - 1] {
            // So many pieces are known before it becomes shorter.
            for known in 1..7 {
                let (file, mut pieces) = file_and_pieces(&bytes);
                let mut all: Vec<_> = pieces.by_ref().take(known).collect();
                file.as_file().set_len(shorter as u64).unwrap();
                all.extend(pieces.by_ref().take(20));
                assert!(all.len() < 20 && pieces.next().is_none(), "{len} {shorter} {known}");
                let (read, error) = read_until_error(&all);
                assert!(read.len() <= shorter && bytes.starts_with(&read));
                let error = error.expect("the end is lost");
                assert!(error.contains("the file became shorter"), "{error}");
            }
        }
    }
}

#[test]
fn a_file_that_grows_is_read_to_its_end() {
    let bytes = b"some text\nmore\n\n".repeat(9000);
    for known in 1..7 {
        let (file, mut pieces) = file_and_pieces(&bytes);
        let mut all: Vec<_> = pieces.by_ref().take(known).collect();
        file.reopen().unwrap().set_len(bytes.len() as u64 + 70_000).unwrap();
        all.extend(pieces.by_ref().take(20));
        assert!(all.len() < 20);
        let (read, error) = read_until_error(&all);
        assert!(error.is_none() && read.starts_with(&bytes));
    }
}

#[test]
fn the_pieces_share_one_descriptor() {
    let bytes = b"some text\nmore\n\n".repeat(9000);
    for is_replaced in [false, true] {
        let (file, mut pieces) = file_and_pieces(&bytes);
        let mut all: Vec<_> = pieces.by_ref().take(2).collect();
        let path = file.into_temp_path();
        if is_replaced {
            let mut other = NamedTempFile::new_in(path.parent().unwrap()).unwrap();
            other.write_all(&b"other text\n\n".repeat(9000)).unwrap();
            other.persist(&path).unwrap();
        } else if cfg!(unix) {
            std::fs::remove_file(&path).unwrap();
        }
        all.extend(pieces);
        let (read, error) = read_until_error(&all);
        assert!(error.is_none() && read == bytes);
    }
}

/// The bytes that decide where its last message ends, even if a message starts at the end of the first block after a point.
#[test]
fn a_piece_is_followed_by_the_lookahead() {
    for late in (14_000..15_000).step_by(97) {
        let long = [MESSAGE.as_bytes(), &b"and on\n".repeat(10_000)].concat();
        let first = messages(45_000);
        let long = &long[..60_000 + late - first.len()];
        let mbox = [&first, long, b"\n\n", &messages(60_000)].concat();
        let (_file, pieces) = file_and_pieces(&packed(&mbox, 15_000));
        for piece in pieces {
            let mut files = piece.source.unwrap().open(true, SIZES).unwrap();
            let mut bytes = Vec::new();
            files.source.read_to_end(&mut bytes).unwrap();
            let part = files.part.unwrap();
            let end = part.end.get().min(mbox.len() as u64);
            let followed = bytes.len() as u64 - (end - part.start.get());
            assert_eq!(followed, (mbox.len() as u64 - end).min(LOOKAHEAD as u64), "{late}");
        }
    }
}

/// A file in a tar archive begins where its member does.
#[test]
fn only_a_member_begins_with_a_piece() {
    let members =
        make::tar(&(0..200).map(|n| (n.to_string(), MESSAGE.into())).collect::<Vec<_>>(), make::POSIX);
    for (bytes, continues) in [(messages(120_000), true), (members, false)] {
        let (_file, pieces) = file_and_pieces(&bytes);
        let found: Vec<_> = pieces.map(|piece| piece.source.unwrap().continues()).collect();
        assert!(found.len() > 2);
        assert!(found.iter().enumerate().all(|(n, is_more)| *is_more == (continues && n > 0)), "{found:?}");
    }
}
