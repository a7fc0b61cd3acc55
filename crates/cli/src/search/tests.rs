//! Many threads print the same output as one, for generated files: whole, divided, damaged,
//! and with false lengths.

use std::cell::RefCell;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use clap::Parser;
use urlgrep::archive::internal::FileSource;

use super::file_search::{Tools, search_piece};
use super::outcome::Outcome;
use super::{Messages, Run, Search, Select, Work};
use crate::args::Args;
use crate::error::Status;
use crate::input::make::encode::{gzip, zstd};
use crate::input::make::seekable::{blocks, packed};
use crate::input::{Input, InputFiles, Roots, Sizes, make};
use crate::output::item::{self, ItemEvent};
use crate::output::printer::Printer;
use crate::output::stdout::Output;

/// Small pieces, so that small files have many.
const SMALL: Sizes = Sizes { large: 1000, range: 8000, point: 24_000, window: 4000, fails_at: u64::MAX };

/// What a search printed, its errors, and its status.
#[derive(Debug, PartialEq, Eq)]
struct Ran {
    printed: String,
    errors: Vec<String>,
    status: Status,
}

/// A writer into memory.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn search(args: &Args, printer: Printer) -> Search {
    let (finder, evidence) = args.finder().unwrap();
    let select = Select::new(args.select_options()).unwrap();
    let messages = Messages::new(args.conditions_on(true));
    Search::new(args.search_options(finder, evidence), select, messages, printer)
}

/// Searches a file with this number of threads.
fn ran(args: &[&str], path: &Path, threads: usize, sizes: Sizes) -> Ran {
    let args = Args::try_parse_from([&["urlgrep"], args, &[path.to_str().unwrap()]].concat()).unwrap();
    let printer = Printer::new(args.printer_options(false));
    let search = search(&args, printer.clone());
    let mut work = Work::new(search, Roots::new(args.root_options()).unwrap(), None);
    work.sizes = sizes;
    let memory = Memory::default();
    // The errors go to the menu, and nothing else does.
    let (sender, received) = item::channel();
    let counters = work.counters.clone();
    let output = Output::new(args.output_options(), printer, counters, None).with_items(sender);
    let run = Run::new(output.with_writer(memory.clone()), None);
    let status = run.search(work, NonZeroUsize::new(threads)).unwrap();
    let printed = String::from_utf8_lossy(&memory.0.take()).into_owned();
    let errors = received.try_iter().map(|event| match event {
        ItemEvent::Error(error) => error.replace(path.to_str().unwrap(), "file"),
        ItemEvent::Item(item) => panic!("{item:?}"),
    });
    Ran { printed, errors: errors.collect(), status }
}

/// What one thread yields; checks that others yield the same.
#[track_caller]
fn same(name: &str, file: &[u8], args: &[&str], sizes: Sizes) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, file).unwrap();
    let alone = ran(args, &path, 1, sizes);
    for threads in [2, 4] {
        let many = ran(args, &path, threads, sizes);
        if many != alone {
            let kept = std::env::temp_dir().join("urlgrep-differs");
            fs::write(&kept, file).unwrap();
            assert_eq!(many.errors, alone.errors, "{name}: errors of -j{threads} {args:?} {sizes:?}");
            assert_eq!(many.status, alone.status, "{name}: status of -j{threads} {args:?}");
            let at = many.printed.lines().zip(alone.printed.lines()).position(|(a, b)| a != b);
            let lines = [&many, &alone].map(|ran| ran.printed.lines().count());
            panic!("{name}: -j{threads} {args:?}: {lines:?} lines, line {at:?} is another one");
        }
    }
    alone
}

/// Numbers in no order, the same each time.
struct Random(u64);

impl Random {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// What is in messages and texts, or only seems to start one.
const BODIES: [&str; 10] = [
    "see http://h.org/a and so on\n",
    "<URL:http://h.org/a-\n  b>\n",
    "<URL:http://h.org/open\n\n",
    "From me\n>From you http://h.org/a\n\n",
    "\nFrom a@h.org\n\n",
    "\nFrom here it goes on: http://h.org/on\n",
    "\n\n\n\n\r\n\r\n\n",
    "--b\nContent-Transfer-Encoding: quoted-printable\n\nhttp://h.org/=\na\n",
    "\nFrom -1234\nFrom: a@h.org\nContent-Length: 9\n\nFrom me http://h.org/c\n",
    "no URL in this line, nor in the next one\n",
];

const HEAD: &str = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nSubject: http://h.org/s\n";

fn lines(random: &mut Random) -> String {
    let count = if random.below(20) == 0 { 400 } else { random.below(20) };
    (0..count).map(|_| BODIES[random.below(BODIES.len())]).collect()
}

fn mbox(random: &mut Random) -> Vec<u8> {
    let message = |random: &mut Random| {
        let part = if random.below(5) == 0 { "Content-Type: multipart/mixed; boundary=b\n" } else { "" };
        [HEAD, part, "\n", &lines(random), ["\n", "", "\n\n\n"][random.below(3)]].concat()
    };
    (0..300 + random.below(300)).map(|_| message(random)).collect::<String>().into_bytes()
}

fn text(random: &mut Random) -> Vec<u8> {
    let text: String = (0..200 + random.below(300)).map(|_| ["text\n", &*lines(random)].concat()).collect();
    match random.below(3) {
        0 => text.replace('\n', "\r\n").into_bytes(),
        1 => text.replace("\n\n", "\n.\n").into_bytes(),
        _ => text.into_bytes(),
    }
}

fn warc(random: &mut Random) -> Vec<u8> {
    let record = |random: &mut Random| {
        let block = lines(random);
        let lie = if random.below(40) == 0 { random.below(20_000) } else { 0 };
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/\r\nContent-Type: text/plain\r\n\
            Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len() + lie
        )
    };
    (0..300 + random.below(300)).map(|_| record(random)).collect::<String>().into_bytes()
}

fn tar(random: &mut Random) -> Vec<u8> {
    let mut file = Vec::new();
    for n in 0..150 + random.below(150) {
        let data = match random.below(30) {
            0 => gzip(lines(random).as_bytes()),
            1 => make::zip(&[("inner".into(), lines(random).into_bytes())])[..30 + random.below(25)].to_vec(),
            2 => make::tar(&[("inner".into(), lines(random).into_bytes())], make::POSIX),
            3 => mbox(&mut Random(n as u64))[..5000].to_vec(),
            _ => lines(random).into_bytes(),
        };
        file.extend(make::member(&format!("d/{n}"), b'0', &data, make::POSIX));
    }
    file.extend(make::END);
    file
}

/// Blocks of xz, of which the index says something else.
fn other_index(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let (lies, which, by) =
        (random.below(bytes.len() / 10_000), random.below(2), 4 * (1 + random.below(30)) as u64);
    blocks(bytes, 10_000, |n, record| match n {
        n if n == lies => record[which] += by,
        n if n == lies + 1 => record[which] = record[which].saturating_sub(by),
        _ => {}
    })
}

/// A member of gzip for each record of a web archive, and one for any other file.
fn members(bytes: &[u8]) -> Vec<u8> {
    let starts = memchr::memmem::find_iter(bytes, "WARC/1.0\r\n").skip(1).chain([bytes.len()]);
    let mut from = 0;
    starts.flat_map(|start| gzip(&bytes[std::mem::replace(&mut from, start)..start])).collect()
}

/// A way to pack a file, with lengths that are true, and one with others.
type Packing = (&'static str, fn(&[u8]) -> Vec<u8>, fn(&[u8], &mut Random) -> Vec<u8>);

const PACKINGS: [Packing; 5] = [
    ("plain", <[u8]>::to_vec, |bytes, _| bytes.to_vec()),
    ("gzip", gzip, |bytes, _| gzip(bytes)),
    ("members", members, |bytes, _| members(bytes)),
    ("one frame", zstd, |bytes, _| zstd(bytes)),
    ("xz", |bytes| packed(bytes, 10_000), other_index),
];

type Content = (&'static str, fn(&mut Random) -> Vec<u8>);

const CONTENTS: [Content; 4] = [("mbox", mbox), ("text", text), ("warc", warc), ("tar", tar)];

const ARGS: [&[&str]; 6] = [&["--json"], &["-n"], &["-c"], &["-m3", "-b"], &["-m300", "-n"], &["-u"]];

/// What is wrong with a file.
fn wrong(file: &mut Vec<u8>, random: &mut Random, sizes: &mut Sizes) -> &'static str {
    match random.below(6) {
        0 => "nothing",
        1 => {
            file.truncate(random.below(file.len()));
            "cut"
        }
        2 => {
            for _ in 0..1 + random.below(3) {
                let at = random.below(file.len());
                file[at] ^= 1 << random.below(8);
            }
            "changed"
        }
        3 => {
            file.extend(b"and so on, http://h.org/more\n");
            "more"
        }
        4 => {
            let second = file.clone();
            file.extend(second);
            "twice"
        }
        _ => {
            sizes.fails_at = random.below(file.len()) as u64;
            "reads fail"
        }
    }
}

/// How many files of each content in each packing are generated; without optimization each takes long.
const CASES: usize = if cfg!(debug_assertions) { 4 } else { 25 };

#[test]
fn the_output_is_the_same() {
    let mut random = Random(1);
    let mut outcomes = [0; 3];
    for case in 0..CASES {
        for (content, make) in CONTENTS {
            for (packing, pack, lie) in PACKINGS {
                let bytes = make(&mut random);
                let lies = random.below(3) == 0;
                let mut file = if lies { lie(&bytes, &mut random) } else { pack(&bytes) };
                let mut sizes = SMALL;
                let wrong = wrong(&mut file, &mut random, &mut sizes);
                let name = format!("case {case}: {content}, {packing}, lies: {lies}, wrong: {wrong}");
                let args = ARGS[random.below(ARGS.len())];
                outcomes[same(&name, &file, args, sizes).status as usize] += 1;
            }
        }
    }
    // Matches and errors both occur often.
    assert!(
        outcomes[Status::Match as usize] > 5 * CASES && outcomes[Status::Error as usize] > 2 * CASES,
        "{outcomes:?}"
    );
}

/// What was found before a search panicked is printed, the right file is reported, and others are
/// searched.
#[test]
fn a_panic_ends_its_file_alone() {
    let mut random = Random(3);
    for (content, make) in CONTENTS {
        for (packing, pack, _) in PACKINGS {
            let mut bytes = make(&mut random);
            let at = bytes.windows(15).skip(bytes.len() / 2).position(|line| line == b"http://h.org/a ");
            let at = bytes.len() / 2 + at.unwrap();
            bytes[at..at + 14].copy_from_slice(b"http://h/panic");
            let name = format!("{content}, {packing}");
            for args in [&["-n"][..], &["--json"], &["-b", "-m90000"], &["--context=1"]] {
                let ran = same(&name, &pack(&bytes), args, SMALL);
                assert_eq!(ran.status, Status::Error, "{name}");
                assert!(ran.printed.lines().count() > 10, "{name}");
                assert_eq!(ran.errors.iter().filter(|error| error.contains("internal error")).count(), 1);
            }
        }
    }
}

/// Reads fail in the middle, in every way in which a file is read.
#[test]
fn a_read_that_fails_is_reported_at_its_offset() {
    let mut random = Random(2);
    for (content, make) in CONTENTS {
        for (packing, pack, _) in PACKINGS {
            let file = pack(&make(&mut random));
            let fails_at = file.len() as u64 / 2;
            let name = format!("{content}, {packing}");
            let ran = same(&name, &file, &["-n"], Sizes { fails_at, ..SMALL });
            assert_eq!(ran.status, Status::Error, "{name}");
            match (content, packing) {
                ("mbox" | "text" | "warc", "plain") => {
                    let expected = format!("file: at byte {fails_at}: this disk is damaged");
                    assert_eq!(ran.errors, [expected], "{name}");
                }
                _ => {
                    let failed = |error: &&String| error.ends_with(": this disk is damaged");
                    assert_eq!(ran.errors.iter().filter(failed).count(), 1, "{name}: {:?}", ran.errors);
                }
            }
        }
    }
}

/// A file that cannot be read at all, in an archive of this name.
struct Unreadable(Option<ErrorKind>, Option<&'static [u8]>);

impl Read for Unreadable {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Ok(0)
    }
}

impl FileSource for Unreadable {
    fn advance(&mut self) -> io::Result<bool> {
        self.0.take().map_or(Ok(false), |kind| Err(kind.into()))
    }

    fn name(&self) -> Option<&[u8]> {
        self.1
    }
}

/// Nothing follows an error of the input itself. Members may follow the damaged part of an archive, and an archive
/// within it that cannot be read.
#[test]
fn an_input_is_over_after_an_error_before_its_first_file() {
    let args = Args::try_parse_from(["urlgrep", "file"]).unwrap();
    let search = search(&args, Printer::new(args.printer_options(false)));
    let mut tools = Tools::new(&search);
    for (kind, archive, expected) in [
        (ErrorKind::Other, None, true),
        (ErrorKind::UnexpectedEof, None, true),
        (ErrorKind::InvalidData, None, false),
        (ErrorKind::Other, Some(&b"b.tar"[..]), false),
        (ErrorKind::InvalidData, Some(b"b.tar"), false),
    ] {
        let files = InputFiles::all(Unreadable(Some(kind), archive));
        let mut failures = 0;
        let is_over = search_piece(&search, &Input::File("file".into()), files, &mut tools, &mut |outcome| {
            failures += usize::from(matches!(outcome, Outcome::Failure(_)));
            ControlFlow::Continue(())
        });
        assert_eq!((is_over, failures), (expected, 1), "{kind} {archive:?}");
    }
}
