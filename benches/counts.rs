//! How many instructions documents take: the slowest that are known, and all formats at two sizes.
//!
//! `cargo bench -p urlgrep-benches --bench counts -- xml "format: pdf"`; without names all are counted. valgrind counts, so
//! the numbers do not depend on what else the machine does. The exit code is 1 if
//!
//! - a text of `decoders/worst.rs` takes more instructions a byte of its document than its floor, or
//! - a format of `decoders/formats.rs` takes more than [`GROWTH`] times as many at eight times the size, with and without
//!   offsets together, or
//! - its matches, as JSON, are then more than as many times as long, or the process needs more than as many times the memory.

#[allow(dead_code, reason = "each bench has a use for a part of it")]
mod decoders;

use std::fs;
use std::hint::black_box;
use std::io::{self, Cursor, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::rc::Rc;
use std::thread;

use decoders::Search;
use decoders::formats::FORMATS;
use decoders::worst::WORST;
use urlgrep::archive::{self, Archive, ReadOptions};
use urlgrep::{Finder, Match};

/// The sizes of the texts whose instructions are counted, and of the files whose memory is measured.
const SIZES: [usize; 2] = [8 << 10, 64 << 10];
const FILES: [usize; 2] = [256 << 10, 2 << 20];

/// The memory, in KB, by which two runs of a process can differ: the kernel maps pages of the program in advance.
const NOISE: u64 = 1 << 10;

/// How many times as much eight times the size may take.
const GROWTH: f64 = 9.0;

/// How many instructions a byte a format may take.
const MOST: u64 = 5_000;

/// What is counted.
struct Case {
    name: String,
    floor: u64,
    /// The sizes of its texts.
    sizes: &'static [usize],
    /// The document of a text of this size.
    document: Box<dyn Fn(usize) -> Vec<u8>>,
    search: Search,
}

/// The slowest texts, then the formats; those with these names, if there are any.
fn cases(names: &[String]) -> Vec<Case> {
    let rows: Vec<_> = decoders::rows().into_iter().map(Rc::new).collect();
    let slowest = WORST.iter().map(|worst| {
        let row = rows.iter().find(|row| row.name == worst.row).expect("there is a row for each text");
        let (row, same) = (Rc::clone(row), Rc::clone(row));
        Case {
            name: worst.row.to_owned(),
            floor: worst.floor,
            sizes: &SIZES[1..],
            document: Box::new(move |size| (row.document)(&decoders::text(worst.text, size))),
            search: Box::new(move |file| (same.search)(file)),
        }
    });
    let formats = FORMATS.iter().map(|format| Case {
        name: format!("format: {}", format.name),
        floor: MOST,
        sizes: &SIZES,
        document: Box::new(|size| format.document(size)),
        search: Box::new(|file| json_of(Archive::seekable(Cursor::new(file))) + count_in(file)),
    });
    slowest.chain(formats).filter(|case| names.is_empty() || names.contains(&case.name)).collect()
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--count", first, step, ..] => count(first.parse().unwrap(), step.parse().unwrap(), &args[3..]),
        ["--peak", file] => println!("{} {}", json_of(archive::open(file)), peak()),
        [.., "--bench"] => return judge(&args[..args.len() - 1]),
        // It is `cargo test` that runs the benches, and only wants to know whether they start.
        _ => {}
    }
    ExitCode::SUCCESS
}

/// How long the matches of an archive are as JSON. What is damaged is searched as far as it can be.
fn json_of<R: io::Read>(archive: io::Result<Archive<R>>) -> usize {
    let json = |m: Match<'_>| serde_json::to_vec(&m).expect("a match can be written").len();
    archive.map_or(0, |archive| Finder::new().find_in_archive(archive).flatten().map(json).sum())
}

/// The number of matches, without their offsets: then the decoders take other ways.
fn count_in(file: &[u8]) -> usize {
    let options = ReadOptions { offsets: false, ..ReadOptions::default() };
    let archive = Archive::seekable(Cursor::new(file)).map(|archive| archive.with_options(&options));
    archive.map_or(0, |archive| Finder::new().find_in_archive(archive).flatten().count())
}

/// The greatest memory of this process so far, in KB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the kernel is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a process has a peak");
    line.trim().trim_end_matches(" kB").parse().expect("it is a number")
}

/// What valgrind counts.
#[inline(never)]
fn measured(search: &Search, document: &[u8]) {
    black_box(search(black_box(document)));
}

/// Searches each `step`th case from the first on, once for each size.
fn count(first: usize, step: usize, names: &[String]) {
    for case in cases(names).iter().skip(first).step_by(step) {
        for &size in case.sizes {
            measured(&case.search, &(case.document)(size));
        }
    }
}

/// Begins to count, in a process for each processor; the counts of the `k`th are in the files `k.1`, `k.2` and so on.
fn begin(dir: &Path, processes: usize, names: &[String]) -> io::Result<Vec<Child>> {
    let program = std::env::current_exe()?;
    let start = |k: usize| {
        let mut command = Command::new("valgrind");
        command.args([
            "--quiet",
            "--tool=callgrind",
            "--toggle-collect=counts::measured",
            "--dump-after=counts::measured",
        ]);
        command.arg(format!("--callgrind-out-file={}", dir.join(k.to_string()).display()));
        command.arg(&program).args(["--count", &k.to_string(), &processes.to_string()]).args(names).spawn()
    };
    (0..processes).map(start).collect()
}

/// The instructions in a file of callgrind.
fn total(file: &Path) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let line = text.lines().find_map(|line| line.strip_prefix("totals: ")).expect("callgrind writes a total");
    line.trim().parse().expect("it is a number")
}

/// Counts and measures, prints all numbers, and returns the exit code.
fn judge(names: &[String]) -> ExitCode {
    let dir = tempfile::tempdir().expect("there is a place for files");
    let processes = thread::available_parallelism().map_or(1, usize::from);
    let children = begin(dir.path(), processes, names).expect("valgrind is installed");
    let mut failed = names.is_empty() && memory(dir.path());
    for mut child in children {
        assert!(child.wait().expect("it was started").success(), "the count ended early");
    }
    println!("{:>8} {:>8} {:>6}  instructions a byte, floor, growth", "", "", "");
    let mut parts = vec![0; processes];
    for (n, case) in cases(names).iter().enumerate() {
        let counts = case.sizes.iter().map(|_| {
            parts[n % processes] += 1;
            total(&dir.path().join(format!("{}.{}", n % processes, parts[n % processes])))
        });
        failed |= fails(case, &counts.collect::<Vec<_>>());
    }
    ExitCode::from(u8::from(failed))
}

/// Prints the numbers of a case; returns true if it takes too much.
fn fails(case: &Case, counts: &[u64]) -> bool {
    let (last, len) = (counts[counts.len() - 1], (case.document)(SIZES[1]).len().max(SIZES[1]));
    let (cost, growth) = (last / len as u64, last as f64 / counts[0] as f64);
    let fails = cost > case.floor || growth > GROWTH;
    let word = if fails { ": TOO MUCH" } else { "" };
    println!("{cost:8} {:8} {growth:6.2}  {}{word}", case.floor, case.name);
    fails
}

/// The output and the memory of each format; returns true if one grows too much.
fn memory(dir: &Path) -> bool {
    let mut failed = false;
    println!("{:>8} {:>8}  output, memory: KB at {} KB, growth", "", "", FILES[1] >> 10);
    let empty = measured_file(dir, b"").1;
    for format in FORMATS {
        let [(output, peak), (more_output, more_peak)] =
            FILES.map(|size| median_file(dir, &format.document(size)));
        let growth = |less: u64, more: u64| more as f64 / less.max(1) as f64;
        let outputs = growth(output, more_output);
        // A process has memory without a document, and some documents fit into that.
        let [less, more] = [peak, more_peak].map(|peak| peak.saturating_sub(empty));
        let peaks = growth(less.max(NOISE), more);
        let fails = outputs > GROWTH || peaks > GROWTH;
        let word = if fails { ": TOO MUCH" } else { "" };
        println!("{:8} {outputs:6.2} {more_peak:8} {peaks:6.2}  {}{word}", more_output >> 10, format.name);
        failed |= fails;
    }
    failed
}

/// The measurement with the median peak of five, because the allocator's peak varies by a tenth.
fn median_file(dir: &Path, file: &[u8]) -> (u64, u64) {
    let mut measured = [(); 5].map(|()| measured_file(dir, file));
    measured.sort_unstable_by_key(|&(_, peak)| peak);
    measured[2]
}

/// The length of the output and the peak of a process that searches such a file.
fn measured_file(dir: &Path, file: &[u8]) -> (u64, u64) {
    let path = dir.join("file");
    fs::File::create(&path).and_then(|mut created| created.write_all(file)).expect("a file can be written");
    let mut command = Command::new(std::env::current_exe().expect("it has a name"));
    let output = command.arg("--peak").arg(path).output().expect("it can be started");
    let text = String::from_utf8(output.stdout).expect("it prints numbers");
    let (len, peak) = text.trim().split_once(' ').expect("it prints two of them");
    (len.parse().expect("a number"), peak.parse().expect("a number"))
}
