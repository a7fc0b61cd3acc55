//! A large file that is compressed and has entries, which several threads decompress and search:
//! the output is that of one.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroU64;

use flate2::{Compress, Compression, Crc, FlushCompress};
use tempfile::TempDir;

use super::folder;
use super::parts::{long, messages, ran};

/// A member of gzip with its length in the field `BC`, stored without compression.
fn member(bytes: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(bytes.len() + 1000);
    let mut compress = Compress::new(Compression::none(), false);
    compress.compress_vec(bytes, &mut data, FlushCompress::Finish).unwrap();
    let mut crc = Crc::new();
    crc.update(bytes);
    let header = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0";
    let len = (header.len() + 2 + data.len() + 8 - 1) as u16;
    let all = bytes.len() as u32;
    [&header[..], &len.to_le_bytes(), &data, &crc.sum().to_le_bytes(), &all.to_le_bytes()].concat()
}

fn bgzf(bytes: &[u8]) -> Vec<u8> {
    [bytes.chunks(65_000).flat_map(member).collect(), member(b"")].concat()
}

/// A frame of zstd whose header has the length of its content, in raw blocks.
fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut frame = [&b"\x28\xb5\x2f\xfd\xa0"[..], &(bytes.len() as u32).to_le_bytes()].concat();
    let blocks = bytes.chunks(128 * 1024);
    let count = blocks.len();
    for (n, block) in blocks.enumerate() {
        frame.extend(&((block.len() << 3 | usize::from(n + 1 == count)) as u32).to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(4_200_000).flat_map(frame).collect()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.set_block_size(NonZeroU64::new(4_500_000));
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A text with and without empty lines.
fn text() -> Vec<u8> {
    let lines = "see http://h.org/a\n<URL:http://h.org/b\nc> and so on\n";
    let paragraphs = [lines, "\n"].concat();
    [paragraphs.repeat(80_000), lines.repeat(180_000), paragraphs.repeat(80_000)].concat().into_bytes()
}

fn files() -> TempDir {
    let files = folder(&[]);
    let write = |name: &str, bytes: &[u8]| fs::write(files.path().join(name), bytes).unwrap();
    let mbox = messages(4_000_000);
    let gap = "\r\n".repeat(500_000);
    let mixed = [&*mbox, &long(6_000_000), &mbox, &gap, &mbox, &long(1_000_000), &mbox].concat();
    for (name, compress) in [("gz", bgzf as fn(&[u8]) -> _), ("zst", zstd), ("xz", xz)] {
        write(&format!("mixed.{name}"), &compress(mixed.as_bytes()));
        write(&format!("text.{name}"), &compress(&text()));
    }
    let crlf = bgzf(mbox.repeat(3).replace('\n', "\r\n").as_bytes());
    write("crlf.gz", &crlf);
    write("cut.gz", &crlf[..8_000_000]);
    let changed = |at: usize| {
        let mut changed = crlf.clone();
        changed[at] ^= 1;
        changed
    };
    write("damaged.gz", &changed(9_000_000));
    write("early.gz", &changed(1000));
    write("foreign.gz", &[&crlf[..], b"and so on"].concat());
    // The last section has no start.
    let short = bgzf([&*messages(100_000), &long(4_150_000)].concat().as_bytes());
    write("end.gz", &[&short[..], b"and so on"].concat());
    files
}

#[test]
fn the_output_is_the_same() {
    let files = files();
    let names = fs::read_dir(files.path()).unwrap();
    let mut names: Vec<_> = names.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    for name in &names {
        let alone = ran(&files, &["-j1", "--json", name]);
        let failed = ["cut.gz", "damaged.gz", "early.gz", "foreign.gz", "end.gz"].contains(&&**name);
        assert_eq!(alone.0, Some(if failed { 2 } else { 0 }), "{name}: {}", alone.2);
        assert_eq!(alone.2.starts_with("urlgrep: "), failed, "{name}: {}", alone.2);
        assert!(alone.1.len() > 1_000_000 || name == "early.gz", "{name}");
        for threads in ["-j2", "-j4"] {
            assert!(ran(&files, &[threads, "--json", name]) == alone, "{threads} {name}");
        }
    }
}

#[test]
fn options() {
    let files = files();
    for name in ["mixed.gz", "text.zst", "damaged.gz"] {
        for args in [
            &["-n"][..],
            &["-c"],
            &["-q"],
            &["-uc", "--no-headers"],
            &["-m2000", "-b"],
            &["--format={message.index} {line} {column} {offset} {url}"],
            &["--context=1"],
            &["--input=mbox", "-n"],
            &["--input=text", "-n"],
        ] {
            let with = |threads| ran(&files, &[&[threads, name], args].concat());
            assert!(with("-j3") == with("-j1"), "{name} {args:?}");
        }
    }
    let stats = |threads| ran(&files, &[threads, "--stats", "mixed.gz", "text.xz"]);
    assert!(stats("-j3") == stats("-j1"));
}
