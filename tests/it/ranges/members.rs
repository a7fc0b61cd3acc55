//! Parts of web archives whose records are compressed one by one.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use urlgrep::archive::{self, Files, Format, Part};

use super::{Facts, Whole, parts_of};

/// A record, and what ends it.
fn record(n: usize, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/page/{n}\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// A record of a text with one URL and so many bytes more that do not compress well.
fn link(n: usize, len: usize) -> Vec<u8> {
    record(n, &[format!("see http://h.org/{n}\n").as_bytes(), &noise(n, len)].concat())
}

/// Letters in no order.
fn noise(seed: usize, len: usize) -> Vec<u8> {
    let mut state = seed as u64 * 2 + 1;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if state >> 60 == 0 { b' ' } else { b'a' + (state >> 33) as u8 % 26 }
    };
    (0..len).map(next).collect()
}

fn member(data: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn gzip(data: &[u8]) -> Vec<u8> {
    member(data, 6)
}

fn gunzip(data: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    Files::of_rest(data, 0).unwrap().file().read_to_end(&mut plain).unwrap();
    plain
}

/// The URLs, and where they are in the decompressed file if `base` bytes come before.
fn places(facts: &[Facts], base: u64) -> Vec<(String, u64)> {
    let found = facts.iter().map(|facts| facts.as_ref().unwrap());
    found.map(|facts| (facts.1.clone(), base + facts.2.start)).collect()
}

/// Checks that the parts of this size have the matches of the file; returns the parts.
#[track_caller]
fn check(packed: &[u8], size: u64) -> Vec<Part> {
    let plain = gunzip(packed);
    let whole = Whole::new(&plain);
    let parts = parts_of(packed, size);
    let (mut union, mut base) = (Vec::new(), 0);
    for part in &parts {
        let range = part.range().start as usize..part.range().end as usize;
        union.extend(places(&whole.matches(part.open(Cursor::new(packed)).unwrap()), base));
        base += gunzip(&packed[range]).len() as u64;
    }
    assert_eq!(union, places(&whole.matches, 0), "parts of {size}: {}", parts.len());
    parts
}

fn starts(parts: &[Part]) -> Vec<u64> {
    parts.iter().map(|part| part.range().start).collect()
}

#[test]
fn three_records_in_three_members() {
    let members = [link(1, 100), link(2, 50), link(3, 0)].map(|record| gzip(&record));
    let (a, b) = (members[0].len() as u64, members[1].len() as u64);
    let file = members.concat();
    let len = file.len() as u64;
    for size in 1..len + 2 {
        let parts = check(&file, size);
        // Each part but the last has at least so many bytes.
        let mut expected = vec![0];
        for at in [a, a + b] {
            if at - expected[expected.len() - 1] >= size {
                expected.push(at);
            }
        }
        assert_eq!(starts(&parts), expected, "{size}");
        let is_divided = parts.len() > 1;
        for part in &parts {
            assert_eq!(part.layout(), if is_divided { "warc.gz" } else { "auto" });
            assert_eq!((part.has_offsets(), part.is_compressed()), (!is_divided, is_divided));
            assert_eq!(part.decompressed(), None);
        }
    }
}

/// No part is shorter than its size, also after a member that is damaged.
#[test]
fn a_damaged_record_between_parts() {
    // What the file is, is asked of the first 16 KiB.
    let mut members = [20_000, 100, 0, 50, 0].map(|len| gzip(&link(len + 1, len)));
    // Its checksum.
    let sum = members[1].len() - 5;
    members[1][sum] ^= 1;
    let bounds: Vec<_> =
        members.iter().scan(0, |at, member| Some(std::mem::replace(at, *at + member.len() as u64))).collect();
    let file = members.concat();
    for size in bounds[1]..file.len() as u64 {
        let mut expected = vec![0];
        for &at in &bounds[1..] {
            if at - expected[expected.len() - 1] >= size {
                expected.push(at);
            }
        }
        assert_eq!(starts(&parts_of(&file, size)), expected, "{size}");
    }
}

#[test]
fn padding_empty_members_and_several_records_in_one() {
    let two = gzip(&[link(2, 10), link(3, 10)].concat());
    let with_name = [&b"\x1f\x8b\x08\x08\0\0\0\0\0\xffa name\0"[..], &gzip(&link(4, 0))[10..]].concat();
    let (first, empty) = (gzip(&link(1, 0)), gzip(b""));
    let file = [&first[..], &[0; 600], &empty, &two, &empty, &with_name, &[0; 20]].concat();
    let start = (first.len() + 600 + empty.len()) as u64;
    let end = start + (two.len() + empty.len()) as u64;
    assert_eq!(starts(&check(&file, 1)), [0, start, end]);
}

#[test]
fn lines_of_arc() {
    let arc = |n: usize| {
        let body = format!("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nsee http://h.org/{n}\n");
        gzip(
            format!("http://h.org/page 192.0.2.1 20010302101112 text/plain {}\n{body}\n", body.len())
                .as_bytes(),
        )
    };
    let file: Vec<u8> = (0..5).flat_map(arc).collect();
    assert_eq!(check(&file, 1).len(), 5);
}

#[test]
fn one_member_is_one_part() {
    let all = [link(1, 100), link(2, 50), link(3, 0)].concat();
    let text = gzip(b"see http://h.org/a\n\n").repeat(3);
    // Members that do not begin with records.
    let cut: Vec<u8> = all.chunks(70).flat_map(gzip).collect();
    let twice = gzip(&[gzip(&link(1, 0)), gzip(&link(2, 0))].concat());
    for file in [gzip(&all), text, cut, twice] {
        let parts = parts_of(&file, 1);
        assert_eq!((starts(&parts), parts[0].layout()), (vec![0], "auto"));
    }
    let file = [gzip(&link(1, 0)), gzip(&link(2, 0))].concat();
    let count = |format| archive::parts(&mut Cursor::new(&file), 1, Some(format)).unwrap().len();
    assert_eq!([Format::Warc, Format::Text, Format::Html].map(count), [2, 1, 1]);
}

/// A record that is such a file itself: its members are in the outer one as they are.
#[test]
fn a_web_archive_in_a_web_archive() {
    for (inner_len, count) in [(10, 3), (400, 1000), (70_000, 5)] {
        let inner: Vec<u8> = (100..100 + count).flat_map(|n| gzip(&link(n, inner_len))).collect();
        for level in [0, 6] {
            let outer = member(&record(1, &inner), level);
            let is_stored = outer.windows(20).any(|bytes| bytes == &inner[..20]);
            assert!(is_stored || level > 0, "{inner_len}");
            let file = [gzip(&link(0, 10)), outer.clone(), gzip(&link(2, 10)), gzip(&link(3, 10))].concat();
            let first = gzip(&link(0, 10)).len() as u64;
            let after = first + outer.len() as u64;
            let last = after + gzip(&link(2, 10)).len() as u64;
            for size in [1, first + 1, first + 100, after / 2, after - 1] {
                let found = starts(&check(&file, size));
                let expected = if size == 1 { vec![0, first, after, last] } else { vec![0, after, last] };
                assert_eq!(found[..2], expected[..2], "{inner_len} {level} {size}");
                assert!(found.iter().all(|at| [0, first, after, last].contains(at)), "{found:?}");
            }
        }
    }
}

/// Damage belongs to the part in which it is; the next one begins after it.
#[test]
fn a_damaged_member() {
    let members: Vec<_> = (0..40).map(|n| gzip(&link(n, 5000))).collect();
    let mut file = members.concat();
    let len = file.len() as u64;
    let damaged: usize = members[..20].iter().map(Vec::len).sum();
    // In the middle of a member, and its checksum.
    for at in [damaged + 900, damaged + members[20].len() - 7] {
        file[at] ^= 0x55;
        for size in [1, 10_000, 70_000] {
            let parts = parts_of(&file, size);
            let found =
                parts.iter().flat_map(|part| Whole::new(b"").matches(part.open(Cursor::new(&file)).unwrap()));
            let (urls, errors): (Vec<_>, Vec<_>) = found.partition(Result::is_ok);
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(errors[0].as_ref().unwrap_err().starts_with("corrupt gzip data after "));
            let urls: Vec<_> = urls.into_iter().map(|facts| facts.unwrap().1).collect();
            let is_lost = |n: &usize| !urls.contains(&format!("http://h.org/{n}"));
            let after: usize = members[..=20].iter().map(Vec::len).sum();
            // The rest of its part is lost with it.
            let next = starts(&parts).into_iter().find(|&start| start >= after as u64).unwrap_or(len);
            let lost = 21
                + members[21..]
                    .iter()
                    .scan(after, |at, member| {
                        let start = *at as u64;
                        *at += member.len();
                        (start < next).then_some(())
                    })
                    .count();
            assert_eq!(
                (0..40).filter(is_lost).filter(|&n| n != 20).collect::<Vec<_>>(),
                (21..lost).collect::<Vec<_>>()
            );
            assert!(size > 1 || lost == 21, "{at} {after} {next} {:?}", starts(&parts));
        }
        file[at] ^= 0x55;
    }
    let cut = &file[..file.len() - 9];
    assert_eq!(parts_of(cut, 1).len(), 40);
}

/// What a caller says of a part is not trusted.
#[test]
fn a_part_of_another_file() {
    let file = [gzip(&link(1, 0)), gzip(&link(2, 0))].concat();
    let part = &parts_of(&file, 1)[1];
    for other in [&b"short"[..], b"", &file[1..]] {
        let error = part.open(Cursor::new(other)).err().map(|error| error.to_string());
        assert_eq!(
            error.as_deref(),
            Some("this is not the file that was divided, or it has changed since; divide it again")
        );
    }
    for (start, end) in [(0, 0), (0, 1), (3, 9), (u64::MAX, u64::MAX), (0, u64::MAX)] {
        let Ok(mut archive) = Part::new(start..end, "warc.gz", None).unwrap().open(Cursor::new(&file)) else {
            continue;
        };
        while let Ok(Some(_)) = archive.next_message() {}
    }
}

/// A file that counts what is read of it.
struct Counting<'f>(Cursor<&'f [u8]>, u64);

impl Read for Counting<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(room)?;
        self.1 += read as u64;
        Ok(read)
    }
}

impl Seek for Counting<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn what_is_read_to_divide_a_file() {
    let file: Vec<u8> = (0..2000).flat_map(|n| gzip(&link(n, 8000))).collect();
    let len = file.len() as u64;
    assert!(len > 8 << 20);
    for parts in [2, 5, 20] {
        let mut input = Counting(Cursor::new(&file), 0);
        assert_eq!(archive::parts(&mut input, len.div_ceil(parts), None).unwrap().len() as u64, parts);
        assert!(input.1 < (parts + 1) * 400_000, "{} of {len} for {parts}", input.1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Of any records in any members, in parts of any size.
    #[test]
    fn parts_are_the_file(
        records in prop::collection::vec((0..3_usize, 0..30_000_usize, 0..10_u32, any::<bool>()), 1..12),
        size in 1..100_000_u64,
    ) {
        let mut file = Vec::new();
        let mut plain = Vec::new();
        for (n, (kind, len, level, ends)) in records.into_iter().enumerate() {
            plain.extend(match kind {
                0 => link(n, len % 300),
                1 => link(n, len),
                _ => record(n, &[gzip(&link(n + 100, len)), gzip(&link(n + 200, len % 500))].concat()),
            });
            if ends {
                file.extend(member(&plain, level));
                plain.clear();
            }
        }
        file.extend(gzip(&plain));
        check(&file, size);
        check(&file, 1);
    }
}
