//! Ranges of web archives and of tar archives.

use super::Whole;
use crate::make::{
    END, GNU, POSIX, V7, header, member, padded, record, sparse, tar, tar_pax, tar_with_long_names,
};

/// A record of WARC with this block, which lies about its length by `more`.
fn warc(n: usize, block: &str, more: usize) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/\r\nContent-Type: text/plain\r\n\
        WARC-Record-ID: <urn:uuid:{n}>\r\nContent-Length: {}\r\n\r\n{block}",
        block.len() + more
    )
}

/// Web archives with four records, whose links are in their blocks.
fn web_archives() -> [(&'static str, String, usize); 11] {
    let all = |more: usize, after: &str| {
        (0..4)
            .map(|n| warc(n, &format!("http://h.org/{n}\nand http://h.org/b{n}"), more) + after)
            .collect::<String>()
    };
    let within = warc(9, "http://h.org/within\n", 0) + "\r\n\r\n" + &warc(8, "x", 0);
    let arc = |version: &str| {
        let url = |n| format!("http://h.org/{n} 192.0.2.1 20010302101112 text/plain {version}");
        let record = |n| format!("{}17\nhttp://h.org/b{n}\n\n\n", url(n));
        (0..4).map(record).collect::<String>()
    };
    [
        ("WARC", all(0, "\r\n\r\n"), 8),
        ("bare line feeds", all(0, "\r\n\r\n").replace("\r\n", "\n"), 8),
        ("nothing between", all(0, ""), 8),
        ("many line ends between", all(0, &"\n".repeat(100)), 8),
        ("lengths that are wrong", all(3, "\r\n\r\n"), 8),
        ("lengths into the next head", all(40, "\r\n\r\n"), 8),
        ("lengths into the next block", all(170, "\r\n\r\n"), 8),
        ("lengths beyond the end", all(10_000, "\r\n\r\n"), 8),
        (
            "records in a record",
            format!("\n\n{0}\r\n\r\n{0}", warc(1, &format!("\r\n\r\n{within}"), 0)).repeat(2),
            4,
        ),
        ("ARC", arc(""), 4),
        ("ARC, version 2", arc("200 - - 0 a.arc "), 4),
    ]
}

#[test]
fn every_cut_of_small_web_archives() {
    for (name, file, links) in web_archives() {
        let whole = Whole::new(file.as_bytes());
        assert_eq!((whole.starts.len(), whole.matches.len()), (4, links), "{name}");
        for cut in 0..=file.len() as u64 {
            whole.check(&[cut]);
        }
        for step in [1, 2, 7, 50, 113] {
            whole.check(&(0..file.len() as u64).step_by(step).collect::<Vec<_>>());
        }
    }
}

#[test]
fn twenty_sizes_of_a_large_web_archive() {
    let block = |n: usize| format!("http://h.org/{n}\n{}", "word ".repeat(n % 100 * 40));
    let file: String = (0..300).map(|n| warc(n, &block(n), n % 7 / 6) + "\r\n\r\n").collect();
    let whole = Whole::new(file.as_bytes());
    assert_eq!((whole.starts.len(), whole.matches.len()), (300, 300));
    for size in (1..=20).map(|n| 2009 * n * n) {
        whole.check(&(0..file.len() as u64).step_by(size).collect::<Vec<_>>());
    }
}

/// Records over the limit, whose length is right or wrong, and what is between them.
#[test]
fn a_long_record() {
    let long = format!("http://h.org/long\n\n{}http://h.org/end", "word \n".repeat(4_000_000));
    // A length that is wrong makes the records after it text, with two more links each.
    for (more, between, starts, links) in [(0, "", 4, 5), (0, "some text\n\n", 4, 5), (40_000_000, "", 2, 9)]
    {
        let file = warc(0, "http://h.org/0\n", 0)
            + "\n\n"
            + &warc(1, &long, more)
            + "\n\n"
            + between
            + &warc(2, "http://h.org/2", 0)
            + "\n\n"
            + &warc(3, "http://h.org/3", 0);
        let whole = Whole::new(file.as_bytes());
        assert_eq!((whole.starts.len(), whole.matches.len()), (starts, links), "{more} {between:?}");
        for size in [1 << 20, 9_999_991, 16 << 20, 23_999_900] {
            whole.check(&(0..file.len() as u64).step_by(size).collect::<Vec<_>>());
        }
    }
}

fn files(count: usize) -> Vec<(String, Vec<u8>)> {
    let text = |n: usize| format!("{}http://h.org/{n}\n", "\n".repeat(n % 5 * 150)).into_bytes();
    (0..count).map(|n| (format!("dir/{n}"), text(n))).collect()
}

/// Tar archives with members that are hard to own, and how many links and errors they have.
fn tars() -> Vec<(&'static str, Vec<u8>, usize)> {
    let files = files(3);
    let plain = tar(&files, POSIX);
    let long = "directory/".repeat(11);
    let mut damaged = plain.clone();
    damaged[1000..1030].fill(b'?');
    let mut first = plain.clone();
    first[..20].fill(b'?');
    let directory = header("dir/", b'5', 0, POSIX);
    let inner = member("inner.tar", b'0', &plain, GNU);
    let named = member("././@LongLink", b'L', &[b'n'; 200], GNU);
    let mut broken = member("PaxHeaders/x", b'x', record("path", "a").as_bytes(), POSIX);
    broken[512] = b'8';
    let mut archives = vec![
        ("POSIX", plain.clone(), 3),
        ("Version 7", tar(&files, V7), 3),
        ("GNU", tar_with_long_names(&files, &long), 3),
        ("pax", tar_pax(&files, &long), 3),
        ("a tar archive in a tar archive", [&inner, &plain[..]].concat(), 6),
        ("two in a row", [&plain[..], &[0; 5120], &plain].concat(), 6),
        ("directories", [&directory[..], &directory, &plain, &directory, &plain, &directory].concat(), 7),
        ("damage", damaged, 3),
        ("damage of the first header", first, 3),
        ("damage at the end", [&plain[..], &[b'?'; 900]].concat(), 4),
        ("a name, and damage", [&plain[..2048], &named, &[b'?'; 1024], &plain].concat(), 6),
        ("records that are damaged", [&broken, &plain[..]].concat(), 4),
        ("no end", plain[..plain.len() - END.len()].to_vec(), 4),
        ("cut in data", plain[..plain.len() - END.len() - 300].to_vec(), 3),
        ("cut in a header", plain[..1100].to_vec(), 2),
        ("a size beyond everything", [&header("a", b'0', 1 << 32, POSIX)[..], &plain].concat(), 4),
    ];
    let holes = sparse(2000, b" http://h.org/s ", 5000).into_iter();
    archives.extend(holes.map(|(name, file)| (name, [padded(&file[..]), plain.clone()].concat(), 4)));
    archives
}

#[test]
fn every_cut_of_small_tar_archives() {
    for (name, file, links) in tars() {
        let whole = Whole::new(&file);
        assert_eq!(whole.matches.len(), links, "{name} {:?}", whole.matches);
        for cut in 0..=file.len() as u64 {
            whole.check(&[cut]);
        }
        for step in [50, 512, 513, 1500] {
            whole.check(&(0..file.len() as u64).step_by(step).collect::<Vec<_>>());
        }
    }
}

#[test]
fn twenty_sizes_of_a_large_tar_archive() {
    let mut files = files(1000);
    // Longer than what is read to skip it.
    files[500].1 = b"http://h.org/500\n".repeat(40_000);
    for file in [tar(&files, POSIX), tar_pax(&files, "a/long/name/")] {
        let whole = Whole::new(&file);
        assert_eq!(whole.matches.len(), 999 + 40_000);
        for size in (1..=20).map(|n| 5009 * n * n) {
            whole.check(&(0..file.len() as u64).step_by(size).collect::<Vec<_>>());
        }
    }
}
