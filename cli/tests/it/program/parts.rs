//! A large mbox that is compressed, which several threads search: the output is that of one.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::{folder, run, within};
use crate::make::encode::compressions;

/// Stored without compression, so that little data is a large file.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What is in messages, or only seems to start one.
const BODIES: [&str; 9] = [
    "http://h.org/a\n",
    "<URL:http://h.org/a-\n  b>\n",
    "<URL:http://h.org/open\n\n",
    "From me\n>From you http://h.org/a\n\n",
    "\nFrom a@h.org\n\n",
    "\nFrom here it goes on: http://h.org/on\n",
    "\n\n\n\n\n\n",
    "--b\nContent-Transfer-Encoding: quoted-printable\n\nhttp://h.org/=\na\n",
    "\r\n\r\n\r",
];

const HEAD: &str = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nSubject: http://h.org/s\n";

/// Messages of `len` bytes together, in no order.
pub(super) fn messages(len: usize) -> String {
    let mut mbox = String::new();
    let mut random: u64 = 1;
    while mbox.len() < len {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (random >> 40) as usize;
        let part = if number.is_multiple_of(5) { "Content-Type: multipart/mixed; boundary=b\n" } else { "" };
        mbox += &[HEAD, part, "\n", BODIES[number % BODIES.len()]].concat();
        for n in 0..random >> 58 {
            writeln!(mbox, "> {:x} {:x}", random.wrapping_mul(n), random.rotate_left(n as u32)).unwrap();
        }
        mbox.push('\n');
    }
    mbox
}

/// A message of `len` bytes.
pub(super) fn long(len: usize) -> String {
    let line = "http://h.org/long and so on, and on and on\nFrom the start\n\n";
    [HEAD, "\n", &line.repeat(len / line.len()), "\n"].concat()
}

fn files() -> TempDir {
    let files = folder(&[]);
    let write = |name: &str, bytes: &[u8]| fs::write(files.path().join(name), bytes).unwrap();
    let mbox = messages(3_000_000);
    for (name, compress) in compressions() {
        let all = compress(mbox.as_bytes());
        write(&format!("mbox.{name}"), &all);
        write(&format!("twice.{name}"), &all.repeat(2));
    }
    write("lf", &gzip(mbox.as_bytes()));
    write("crlf", &gzip(mbox.replace('\n', "\r\n").as_bytes()));
    write("two", &[gzip(mbox.as_bytes()), gzip(mbox.as_bytes())].concat());
    write("inner", &gzip(&gzip(mbox.as_bytes())));
    let gaps = ["\n", "\r\n"].map(|end| end.repeat(1_500_000 / end.len()));
    write("gaps", &gzip([&mbox, &*gaps[0], &mbox, &gaps[1], &mbox].concat().as_bytes()));
    let longs = [1_000_000, 6_000_000, 17_000_000].map(long);
    write("long", &gzip([&mbox, &*longs[1], &mbox, &longs[0], &mbox].concat().as_bytes()));
    write("longest", &gzip([HEAD, "\n\n", &longs[2], &mbox].concat().as_bytes()));
    write("cut", &gzip(mbox.as_bytes())[..2_000_000]);
    let mut damaged = gzip(mbox.as_bytes());
    let len = damaged.len();
    damaged[len - 6] ^= 1;
    write("damaged", &damaged);
    write("foreign", &[&gzip(mbox.as_bytes())[..], b"and so on"].concat());
    files
}

/// What it printed, without how long it took.
pub(super) fn ran(files: &TempDir, args: &[&str]) -> (Option<i32>, String, String) {
    let ran = run(within(files, args), b"");
    (ran.status, ran.stdout, ran.stderr.split("seconds").next().unwrap().to_owned())
}

#[test]
fn the_output_is_the_same() {
    let files = files();
    let mut names: Vec<_> =
        fs::read_dir(files.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    for name in &names {
        let name = name.to_str().unwrap();
        let alone = ran(&files, &["-j1", "--json", "--stats", name]);
        assert!(alone.1.len() > 100_000, "{name}");
        let failed = ["cut", "damaged", "foreign"].contains(&name);
        assert_eq!(alone.0, Some(if failed { 2 } else { 0 }), "{name}: {}", alone.2);
        assert_eq!(alone.2.starts_with("urlgrep: "), failed, "{name}: {}", alone.2);
        for threads in ["-j2", "-j4"] {
            assert!(ran(&files, &[threads, "--json", "--stats", name]) == alone, "{threads} {name}");
        }
    }
}

#[test]
fn options() {
    let files = files();
    for name in ["crlf", "cut"] {
        for args in [
            &["-n"][..],
            &["-c"],
            &["-q"],
            &["-uc", "--no-headers", "--attachments"],
            &["-m1"],
            &["-m2000", "-b"],
            &["--csv", "--host=h.org"],
            &["--format={message.index} {line} {url}"],
            &["--context=2", "--join=likely", "--dot-stuffing"],
            &["--hyphen=evidence", "-n"],
            &["--input=mbox", "-n"],
            &["--input=text", "-n"],
        ] {
            let with = |threads| ran(&files, &[&[threads, name], args].concat());
            assert!(with("-j3") == with("-j1"), "{name} {args:?}");
        }
    }
}
