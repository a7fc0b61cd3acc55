use proptest::prelude::*;

use super::header::STORED;
use super::*;
use crate::archive::Files;
use crate::archive::container::encode::{bzip2, deflate, gzip, raw_lzma, xz, zstd};

const ENCRYPTED: u16 = 1;
const END_MARK: u16 = 2;
const LENGTH_FOLLOWS: u16 = 8;

fn checksum(data: &[u8]) -> u32 {
    let mut checksum = Crc::new();
    checksum.update(data);
    checksum.sum()
}

/// A member with its header; the three numbers are zeros if they follow.
fn header(name: &str, flags: u16, method: u16, numbers: [u32; 3], extra: &[u8]) -> Vec<u8> {
    let mut header = MEMBER.to_vec();
    for number in [20, flags, method, 0, 0] {
        header.extend(number.to_le_bytes());
    }
    header.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
    header.extend((name.len() as u16).to_le_bytes());
    header.extend((extra.len() as u16).to_le_bytes());
    header.extend(name.as_bytes());
    header.extend(extra);
    header
}

fn numbers(data: &[u8], packed: &[u8]) -> [u32; 3] {
    [checksum(data), packed.len() as u32, data.len() as u32]
}

fn stored(name: &str, data: &[u8]) -> Vec<u8> {
    [header(name, 0, STORED, numbers(data, data), b""), data.to_vec()].concat()
}

fn deflated(name: &str, data: &[u8]) -> Vec<u8> {
    let packed = deflate(data);
    [header(name, 0, DEFLATED, numbers(data, &packed), b""), packed].concat()
}

/// A member as programs write it that cannot seek back to the header.
fn streamed(name: &str, data: &[u8], mark: &[u8]) -> Vec<u8> {
    let packed = deflate(data);
    let after = numbers(data, &packed).into_iter().flat_map(u32::to_le_bytes).collect();
    [header(name, LENGTH_FOLLOWS, DEFLATED, [0; 3], b""), packed, mark.to_vec(), after].concat()
}

/// The directory, as far as it matters.
fn directory() -> Vec<u8> {
    [&b"PK\x01\x02"[..], &[0; 42], b"PK\x05\x06", &[0; 18]].concat()
}

/// The names and the data of the members, and the errors.
fn list(file: &[u8]) -> Vec<String> {
    let mut files = Files::new(file).unwrap();
    let mut list = Vec::new();
    loop {
        let said = match files.next_file() {
            Ok(None) => return list,
            Err(error) => error.to_string(),
            Ok(Some(mut file)) => {
                let name = file.name().expect("a zip archive").escape_ascii().to_string();
                let mut out = Vec::new();
                let error = file.read_to_end(&mut out).err();
                let error = error.map(|error| format!(", {error}")).unwrap_or_default();
                format!("{name}: {}{error}", out.escape_ascii())
            }
        };
        list.push(said);
    }
}

#[test]
fn members_one_after_the_other() {
    let file = [
        stored("a", b"http:"),
        stored("b/", b""),
        deflated("b/c", b"//h.org/"),
        streamed("d", b"e", b"PK\x07\x08"),
        streamed("f", b"g", b""),
        stored("empty", b""),
        deflated("nothing", b""),
        directory(),
    ]
    .concat();
    assert_eq!(list(&file), ["a: http:", "b/c: //h.org/", "d: e", "f: g", "empty: ", "nothing: "]);
}

#[test]
fn data_that_are_not_read_are_skipped() {
    let noise: Vec<u8> = (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let file =
        [stored("a", &noise), deflated("b", &noise), streamed("c", &noise, b"PK\x07\x08"), stored("d", b"e")];
    let file = [&file.concat()[..], &directory()].concat();
    for len in [0, 1, 100_000] {
        let mut files = Files::new(&file[..]).unwrap();
        let mut names = Vec::new();
        while let Some(file) = files.next_file().unwrap() {
            names.extend_from_slice(file.name().unwrap());
            io::copy(&mut file.take(len), &mut io::sink()).unwrap();
        }
        assert_eq!(names, b"abcd");
    }
}

#[test]
fn a_member_that_is_compressed_itself() {
    let inner = [stored("c", b"d"), stored("e", &gzip(b"f")), directory()].concat();
    let file = [
        stored("a.gz", &gzip(b"http://h.org/")),
        deflated("b.zip", &inner),
        stored("g.zip.gz", &gzip(&inner)),
        stored("h.gz.gz", &gzip(&gzip(b"i"))),
        directory(),
    ]
    .concat();
    assert_eq!(
        list(&file),
        [
            "a.gz: http://h.org/",
            "b.zip!/c: d",
            "b.zip!/e: f",
            "g.zip.gz!/c: d",
            "g.zip.gz!/e: f",
            "h.gz.gz: i"
        ]
    );
}

#[test]
fn members_that_are_compressed_in_other_ways() {
    let data = b"http://h.org/ and so on ".repeat(20);
    let (lzma, marked) = (raw_lzma(&data, false), raw_lzma(&data, true));
    let members = [
        (BZIP2, 0, bzip2(&data)),
        (XZ, 0, xz(&data)),
        (ZSTD, 0, zstd(&data)),
        (LZMA, 0, lzma),
        (LZMA, END_MARK, marked),
    ];
    let expected: Vec<_> = (0..5).map(|n| format!("{n}: {}", data.escape_ascii())).collect();
    let whole = members.iter().enumerate().map(|(n, (method, flags, packed))| {
        [header(&n.to_string(), *flags, *method, numbers(&data, packed), b""), packed.clone()].concat()
    });
    assert_eq!(list(&[&whole.collect::<Vec<_>>().concat(), &directory()[..]].concat()), expected);
    // As programs write them that cannot seek back to the header.
    let streamed = members.iter().enumerate().map(|(n, (method, flags, packed))| {
        let after = numbers(&data, packed).into_iter().flat_map(u32::to_le_bytes).collect();
        let head = header(&n.to_string(), flags | LENGTH_FOLLOWS, *method, [0; 3], b"");
        [head, packed.clone(), b"PK\x07\x08".to_vec(), after].concat()
    });
    let list = list(&[&streamed.collect::<Vec<_>>().concat(), &directory()[..]].concat());
    assert_eq!((&list[0], &list[1], &list[4]), (&expected[0], &expected[1], &expected[4]));
    assert_eq!(
        list[2],
        "2: , this member of a zip archive is compressed by zstd, but does not have its length"
    );
    assert!(list[3].starts_with("3: , "), "{list:?}");
}

/// Data as method 14 has them.
#[test]
fn an_empty_archive_and_archives_in_a_row() {
    assert!(list(&directory()[46..]).is_empty());
    let file = [stored("a", b"b"), directory(), stored("c", b"d"), directory()].concat();
    assert_eq!(list(&file), ["a: b", "c: d"]);
    let padded = [&file[..], &[0; 100]].concat();
    assert_eq!(list(&padded), ["a: b", "c: d"]);
    let junk = "the zip archive is damaged: there are bytes that are not a member";
    assert_eq!(list(&[&file[..], b"and more"].concat()), ["a: b", "c: d", junk]);
    let spanned = [&b"PK\x07\x08"[..], &file].concat();
    assert_eq!(list(&spanned), ["a: b", "c: d"]);
}

#[test]
fn members_that_cannot_be_read() {
    let unknown = header("b", 0, 9, [0, 3, 3], b"");
    let endless = header("c", LENGTH_FOLLOWS, STORED, [0; 3], b"");
    let not_zstd = [&header("d", 0, ZSTD, [0, 5, 5], b"")[..], b"a.zip"].concat();
    let not_lzma = [&header("e", 0, LZMA, [0, 3, 3], b"")[..], b"xyz"].concat();
    let file = [
        &header("a", ENCRYPTED, STORED, [0, 3, 3], b"")[..],
        b"xyz",
        &unknown,
        b"xyz",
        &not_zstd,
        &not_lzma,
        &endless,
        b"http://h.org/",
        &stored("f", b"g"),
        &directory(),
    ]
    .concat();
    assert_eq!(
        list(&file),
        [
            "a: , this member of a zip archive is encrypted",
            "b: , this member of a zip archive is compressed by method 9, Deflate64; methods 0, 8, 12, 14, 93 and 95 are supported",
            "d: , this member of a zip archive does not begin with a zstd frame",
            "e: , this member of a zip archive does not begin with valid lzma properties, or needs too much memory",
            "c: , this member of a zip archive is stored, but does not have its length",
            "f: g",
        ]
    );
}

#[test]
fn damaged_members() {
    let mut wrong = stored("a", b"http://h.org/");
    wrong[40] ^= 1;
    let packed = [7; 10];
    let broken = [&header("b", 0, DEFLATED, [0, 10, 10], b"")[..], &packed].concat();
    let short = [&header("c", 0, DEFLATED, [0, 4, 10], b"")[..], &deflate(b"http://h.org/")[..4]].concat();
    let endless = [&header("d", LENGTH_FOLLOWS, DEFLATED, [0; 3], b"")[..], &packed].concat();
    let file = [wrong, broken, short, endless, stored("e", b"f"), directory()].concat();
    let list = list(&file);
    assert!(list[0].ends_with(
        "zip data are damaged after byte 13 of the decompressed data: the checksum does not match"
    ));
    assert!(
        list[1].starts_with("b: , zip data are damaged after byte 0 of the decompressed data: "),
        "{list:?}"
    );
    assert!(list[2].contains(", zip data end too early, after byte "), "{list:?}");
    assert!(
        list[3].starts_with("d: , zip data are damaged after byte 0 of the decompressed data: "),
        "{list:?}"
    );
    assert_eq!(list[4..], ["e: f"]);
}

#[test]
fn junk_between_members() {
    let file =
        [stored("a", b"b"), b"some junk, PK and more".to_vec(), stored("c", b"d"), directory()].concat();
    let junk = "the zip archive is damaged: there are bytes that are not a member";
    assert_eq!(list(&file), ["a: b", junk, "c: d"]);
}

#[test]
fn an_archive_without_its_end() {
    let cut = "the zip archive ends before the end of its directory";
    assert_eq!(list(&stored("a", b"b")), ["a: b", cut]);
    let file = stored("a", b"http://h.org/");
    let list = list(&file[..file.len() - 4]);
    assert_eq!(list, ["a: http://h., zip data end too early, after byte 9 of the decompressed data", cut]);
}

#[test]
fn lengths_beyond_four_gigabytes() {
    let extra = |length: u64, packed: u64| {
        let mut extra = vec![0x55, 0x54, 1, 0, 9, 1, 0, 16, 0];
        extra.extend(length.to_le_bytes());
        extra.extend(packed.to_le_bytes());
        extra
    };
    let sum = checksum(b"http:");
    let first = header("a", 0, STORED, [sum, u32::MAX, u32::MAX], &extra(5, 5));
    let file = [&first[..], b"http:", &stored("b", b"c"), &directory()].concat();
    assert_eq!(list(&file), ["a: http:", "b: c"]);
    let lies = header("a", 0, STORED, [sum, u32::MAX, u32::MAX], &extra(5, u64::MAX));
    assert_eq!(list(&[&lies[..], b"http:"].concat()).len(), 2);
}

#[test]
fn cut_off_anywhere() {
    let file =
        [stored("a", b"http:"), deflated("b", b"//h.org/"), streamed("c", b"d", b""), directory()].concat();
    let whole = list(&file);
    for len in 4..file.len() {
        let list = list(&file[..len]);
        assert!(list.len() <= whole.len() + 1, "{len} {list:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_after_a_header(data in prop::collection::vec(any::<u8>(), 0..300), cut in 4..300_usize) {
        let file = [&MEMBER[..], &data].concat();
        list(&file[..cut.min(file.len())]);
        let file = [deflated("a", b"http://h.org/"), data, stored("b", b"c")].concat();
        let list = list(&file);
        prop_assert_eq!(&list[0], "a: http://h.org/");
    }
}
