//! Large files that several threads search: the output is that of one. (A unit test of the search has
//! many more files, which are small.)

use std::fmt::Write as _;
use std::fs;
use std::sync::{Arc, Mutex, Weak};

use tempfile::TempDir;

use super::{folder, run, within};
use crate::make::encode::gzip;
use crate::make::seekable::{blocks, packed};
use crate::make::{POSIX, header, member, tar};

/// More than two ranges.
const LARGE: usize = 8 << 20;

fn web_archive() -> Vec<u8> {
    let mut file = Vec::new();
    for n in 0.. {
        let (coding, body) = match n % 1000 {
            500 => ("x-unknown", vec![0xFF; 9]),
            501 => ("gzip", gzip(format!("http://h.org/zipped{n}").as_bytes())),
            _ => ("identity", format!("http://h.org/{n}\n{}", "word \n".repeat(n % 7 * 300)).into_bytes()),
        };
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: {coding}\r\n\r\n");
        let length = head.len() + body.len();
        let fields = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\
            WARC-Target-URI: http://h.org/page{n}\r\nContent-Length: {length}\r\n\r\n{head}"
        );
        file.extend([fields.as_bytes(), &body, b"\r\n\r\n"].concat());
        if file.len() > LARGE {
            return file;
        }
    }
    unreachable!()
}

fn tar_archive() -> Vec<u8> {
    let mail = |n: usize| {
        let word = "word ".repeat(n % 7 * 300);
        format!("From: a@h.org\nMessage-ID: <{n}@h.org>\n\nhttp://h.org/{n}\n{word}\nhttp://h.org/b\n")
            .into_bytes()
    };
    let mut file: Vec<u8> = Vec::new();
    for n in 0.. {
        let data = match n % 1000 {
            300 => gzip(&mail(n)),
            500 => gzip(&mail(n))[..30].to_vec(),
            700 => tar(&[("inner".into(), mail(n))], POSIX),
            _ => mail(n),
        };
        if n % 1000 == 800 {
            file.extend([[b'?'; 512], *header("d/", b'5', 0, POSIX).first_chunk().unwrap()].as_flattened());
        }
        file.extend(member(&format!("d/{n}"), b'0', &data, POSIX));
        if file.len() > LARGE {
            return file;
        }
    }
    unreachable!()
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
fn messages(len: usize) -> String {
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
fn long(len: usize) -> String {
    let lines = format!("http://h.org/long{}\nFrom the start\n\n", " and so on".repeat(50));
    [HEAD, "\n", &lines.repeat(len / lines.len()), "\n"].concat()
}

/// A text with and without empty lines.
fn text() -> String {
    let lines = format!("see http://h.org/a\n<URL:http://h.org/b\nc>{}\n", " and so on".repeat(50));
    let paragraphs = format!("{lines}\n");
    [paragraphs.repeat(5_000), lines.repeat(10_000), paragraphs.repeat(5_000)].concat()
}

/// Large files, and the names of those that have an error in the end.
type Files = (TempDir, Vec<&'static str>);

/// The files, which tests that run at the same time share: to compress them takes most of the time of a test.
fn files() -> Arc<Files> {
    static SHARED: Mutex<Weak<Files>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap();
    shared.upgrade().unwrap_or_else(|| {
        let files = Arc::new(written());
        *shared = Arc::downgrade(&files);
        files
    })
}

fn written() -> Files {
    let files = folder(&[]);
    let write = |name: &str, bytes: &[u8]| fs::write(files.path().join(name), bytes).unwrap();
    write("a.warc", &web_archive());
    write("a.tar", &tar_archive());
    let mbox = messages(4_000_000);
    let gap = "\r\n".repeat(500_000);
    let mixed = [&*mbox, &long(6_000_000), &mbox, &gap, &mbox, &long(1_000_000), &mbox].concat();
    write("mbox", mixed.as_bytes());
    write("one.gz", &gzip(mixed.as_bytes()));
    let pack = |bytes: &[u8]| packed(bytes, 4_500_000);
    write("mixed.xz", &pack(mixed.as_bytes()));
    write("text.xz", &pack(text().as_bytes()));
    let lie = |n, record: &mut [u64; 2]| match n {
        1 => record[1] -= 1,
        2 => record[1] += 1,
        _ => {}
    };
    write("lying.xz", &blocks(mbox.repeat(3).as_bytes(), 4_000_000, lie));
    let crlf = pack(mbox.repeat(3).replace('\n', "\r\n").as_bytes());
    write("cut.xz", &crlf[..crlf.len() / 3 * 2]);
    let mut damaged = crlf.clone();
    damaged[crlf.len() / 2] ^= 1;
    write("damaged.xz", &damaged);
    write("foreign.xz", &[&crlf[..], b"and so on"].concat());
    // No piece starts at the last point.
    write("end.xz", &packed([&*messages(100_000), &long(4_150_000)].concat().as_bytes(), 60_000));
    (files, vec!["a.warc", "a.tar", "lying.xz", "cut.xz", "damaged.xz", "foreign.xz"])
}

/// What it printed, without how long it took.
fn ran(files: &TempDir, args: &[&str]) -> (Option<i32>, String, String) {
    let ran = run(within(files, args), b"");
    (ran.status, ran.stdout, ran.stderr.split("seconds").next().unwrap().to_owned())
}

#[test]
fn the_output_is_that_of_one_thread() {
    let shared = files();
    let (files, failing) = &*shared;
    for file in fs::read_dir(files.path()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let alone = ran(files, &["-j1", "--strict", "--json", &name]);
        let failed = failing.contains(&&*name);
        assert_eq!(alone.0, Some(if failed { 2 } else { 0 }), "{name}: {}", alone.2);
        assert_eq!(alone.2.starts_with("urlgrep: "), failed, "{name}: {}", alone.2);
        assert!(alone.1.len() > 100_000, "{name}");
        for threads in ["-j2", "-j5"] {
            let many = ran(files, &[threads, "--strict", "--json", &name]);
            assert_eq!(many.2, alone.2, "{name}");
            // The output is long; that it differs tells enough.
            assert!(many == alone, "{threads} {name}");
        }
    }
}

#[test]
fn options() {
    let shared = files();
    let (files, _) = &*shared;
    for name in ["a.tar", "mbox", "mixed.xz", "damaged.xz"] {
        for args in [
            &["-q"][..],
            &["-m2000", "--csv"],
            &["-uc", "--no-headers", "--attachments"],
            &["--format={message.index} {line} {column} {start} {url}"],
            &["--context=1", "--join=likely", "--dot-stuffing"],
            &["--hyphen=evidence", "-n", "--host=h.org"],
            &["--input=text", "-n"],
        ] {
            let with = |threads| ran(files, &[&[threads, name], args].concat());
            let alone = with("-j1");
            assert!(args[0] == "-q" || !alone.1.is_empty(), "{name} {args:?}: {}", alone.2);
            assert!(with("-j3") == alone, "{name} {args:?}");
        }
    }
    let stats = |threads| ran(files, &[threads, "--stats", "mbox", "one.gz", "mixed.xz", "text.xz"]);
    assert!(stats("-j3") == stats("-j1"));
}
