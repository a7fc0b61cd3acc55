use std::cell::Cell;
use std::io::{Read, Write};
use std::num::NonZeroU64;

use flate2::{Compress, Compression, Crc, FlushCompress};
use urlgrep::archive::Format;

use super::*;
use crate::input::parts::Seen;

const MESSAGE: &str = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\nhttp://h.org/\n\n";

/// As many messages as have that many bytes, numbered.
fn messages(len: usize) -> Vec<u8> {
    (0..len / 80).map(|n| format!("{MESSAGE}number {n}\n\n")).collect::<String>().into()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(bytes.len() + 1000);
    let mut compress = Compress::new(Compression::fast(), false);
    compress.compress_vec(bytes, &mut data, FlushCompress::Finish).unwrap();
    data
}

/// A member of gzip with its length in an extra field, after another one.
fn member(bytes: &[u8]) -> Vec<u8> {
    let data = deflate(bytes);
    let mut crc = Crc::new();
    crc.update(bytes);
    let header = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x0b\0XY\x01\0zBC\x02\0";
    let len = header.len() + 2 + data.len() + 8;
    let (len, all) = ((len - 1) as u16, bytes.len() as u32);
    [&header[..], &len.to_le_bytes(), &data, &crc.sum().to_le_bytes(), &all.to_le_bytes()].concat()
}

fn bgzf(bytes: &[u8]) -> Vec<u8> {
    [bytes.chunks(60_000).flat_map(member).collect(), member(b"")].concat()
}

/// A frame of raw blocks, whose header has the length of its content in four bytes.
fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut frame = [&b"\x28\xb5\x2f\xfd\xa0"[..], &(bytes.len() as u32).to_le_bytes()].concat();
    let blocks = bytes.chunks(100_000);
    let count = blocks.len();
    for (n, block) in blocks.enumerate() {
        let header = (block.len() << 3 | usize::from(n + 1 == count)) as u32;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let skippable = b"\x5a\x2a\x4d\x18\x03\0\0\0abc";
    bytes.chunks(1_500_000).flat_map(|bytes| [&skippable[..], &frame(bytes)].concat()).collect()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.set_block_size(NonZeroU64::new(1_000_000));
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn options() -> ReadOptions {
    ReadOptions {
        format: None,
        attachments: false,
        headers: true,
        dot_stuffing: false,
        base_url: None,
        line_numbers: false,
    }
}

/// The sections of a file: the offset of each, and its bytes; none if nothing starts in it.
fn sections(file: &tempfile::NamedTempFile) -> Vec<Option<(u64, Vec<u8>)>> {
    let sections = Sections::new(file.path(), &options()).unwrap();
    let read = |section: Section| {
        let seen = Seen { end: Cell::new(u64::MAX), lines: Some(Cell::default()) };
        let (start, mut reader) = SectionReader::open(&section, &seen).unwrap()?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        bytes.truncate(usize::try_from(seen.end.get() - start).unwrap_or(usize::MAX));
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(seen.lines.unwrap().get(), lines as u64);
        Some((start, bytes))
    };
    sections.map(read).collect()
}

/// Checks that the sections are the whole file. Returns them.
fn whole(compressed: &[u8], bytes: &[u8]) -> Vec<Option<(u64, Vec<u8>)>> {
    let sections = sections(&file(compressed));
    let mut all = Vec::<u8>::new();
    for (start, bytes) in sections.iter().flatten() {
        assert_eq!(*start, all.len() as u64);
        all.extend(bytes);
    }
    assert!(all == bytes);
    sections
}

#[test]
fn the_sections_of_an_mbox_start_at_messages() {
    let mbox = messages(11_500_000);
    for compress in [bgzf, zstd, xz] {
        let sections = whole(&compress(&mbox), &mbox);
        assert_eq!(sections.len(), 3);
        assert!(sections.iter().flatten().all(|(_, bytes)| bytes.starts_with(MESSAGE.as_bytes())));
    }
}

#[test]
fn the_sections_of_a_text_start_after_empty_lines() {
    for paragraph in ["some text\nmore text\n\n", "some text\r\nmore text\r\n\r\n"] {
        let text = paragraph.repeat(11_500_000 / paragraph.len()).into_bytes();
        let sections = whole(&bgzf(&text), &text);
        assert_eq!(sections.len(), 3);
        assert!(sections.iter().flatten().all(|(_, bytes)| bytes.starts_with(b"some text")));
    }
}

#[test]
fn an_entry_in_a_long_message_starts_no_section() {
    let long = [MESSAGE.as_bytes(), &b"and on\n\nFrom here on\n\n".repeat(250_000)].concat();
    let mbox = [messages(4_000_000), long, messages(6_000_000)].concat();
    let starts: Vec<_> = whole(&zstd(&mbox), &mbox).iter().map(Option::is_some).collect();
    assert_eq!(starts, [true, false, false, true]);
}

#[test]
fn no_message_starts_among_many_line_ends() {
    let gap = b"\r\n".repeat(400_000);
    let mbox = [messages(4_400_000), gap.clone(), messages(3_800_000), gap, messages(4_000_000)].concat();
    assert!(whole(&zstd(&mbox), &mbox).len() > 2);
}

#[test]
fn files_without_sections() {
    let mbox = messages(9_000_000);
    let without = |compressed: &[u8]| Sections::new(file(compressed).path(), &options()).is_none();
    assert!(without(&mbox), "it is not compressed");
    assert!(without(&bgzf(&mbox[..4_000_000])), "short");
    assert!(without(&frame(&mbox)), "one frame");
    assert!(without(&bgzf(&bgzf(&mbox))), "compressed twice");
    assert!(without(&bgzf(&b"http://h.org/\n".repeat(700_000))), "no empty line");
    let mut long = [frame(&mbox), frame(&mbox)].concat();
    long[5..9].copy_from_slice(&100_000_000_u32.to_le_bytes());
    assert!(without(&long), "a frame that says that it is long");
    let mut damaged = xz(&mbox);
    let len = damaged.len();
    damaged[len - 20] ^= 1;
    assert!(without(&damaged), "the index of xz is damaged");
    assert!(without(&[&xz(&mbox)[..], b"more"].concat()), "its end is not that of the file");
}

#[test]
fn the_last_section_goes_on_where_the_lengths_end() {
    let mbox = messages(9_000_000);
    let mut compressed = bgzf(&mbox);
    let mut plain = flate2::write::GzEncoder::new(Vec::new(), Compression::fast());
    plain.write_all(&mbox).unwrap();
    compressed.extend(plain.finish().unwrap());
    assert_eq!(whole(&compressed, &mbox.repeat(2)).len(), 3);
}

#[test]
fn a_frame_that_is_not_as_long_as_it_says_is_an_error() {
    let mbox = messages(9_000_000);
    let mut short = frame(&mbox[..5_000_000]);
    short[5..9].copy_from_slice(&4_900_000_u32.to_le_bytes());
    let file = file(&[short, frame(&mbox[5_000_000..])].concat());
    let section = Sections::new(file.path(), &options()).unwrap().next().unwrap();
    let seen = Seen { end: Cell::new(u64::MAX), lines: None };
    let (_, mut reader) = SectionReader::open(&section, &seen).unwrap().unwrap();
    assert!(reader.read_to_end(&mut Vec::new()).is_err());
}

#[test]
fn the_format_is_that_of_the_whole() {
    let format = |bytes: &[u8]| Sections::new(file(bytes).path(), &options()).unwrap().format();
    assert_eq!(format(&bgzf(&messages(9_000_000))), Format::Mbox);
    assert_eq!(format(&bgzf(&b"a\n\n".repeat(3_000_000))), Format::Text);
}
