//! One table: how fast this crate is beside what else could have been used.
//!
//! `cargo bench --bench ratios`. Speeds drift while a machine does other things,
//! ratios hardly do, so the finders take turns on the same text and a ratio is
//! the median over the rounds. `URLGREP_BENCH_MB` is the size of a text in
//! megabytes, 64 unless it says otherwise. The exit code is 1 if a floor is
//! missed.

#[expect(dead_code, reason = "each bench has a use for a part of it")]
mod corpus;
mod yardsticks;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use corpus::Corpus;
use yardsticks::Seen;

/// How often each finder has its turn.
const ROUNDS: usize = 7;

/// The size of a hostile text, in bytes.
const HOSTILE: usize = 1 << 20;

/// What a speed may not fall below: that of a finder on a corpus, as a multiple of
/// that of another.
const FLOORS: [(&str, &str, f64, &str); 9] = [
    ("urlgrep", "mail", 0.8, "memchr"),
    ("urlgrep", "mail", 2.5, "linkify"),
    ("urlgrep", "sparse", 0.9, "memchr"),
    ("urlgrep", "sparse", 2.0, "linkify"),
    ("urlgrep", "log", 0.35, "memchr"),
    ("urlgrep", "log", 4.0, "linkify"),
    ("urlgrep", "dense", 0.15, "memchr"),
    ("urlgrep", "dense", 4.0, "linkify"),
    ("portable", "mail", 0.4, "memchr"),
];

/// What the speed on a hostile text may not fall below, in MB/s.
const HOSTILE_FLOOR: f64 = 200.0;

fn main() -> ExitCode {
    // Without this argument it is `cargo test` that runs the benches, and only
    // wants to know whether they start.
    if !std::env::args().any(|arg| arg == "--bench") {
        return ExitCode::SUCCESS;
    }
    let mut missed = Vec::new();
    header();
    for make in corpus::ORDINARY {
        ordinary(&make(size()), &mut missed);
    }
    println!("{:28}{:>10}", "MB/s", "urlgrep");
    for text in corpus::hostile::all(HOSTILE) {
        hostile(&text, &mut missed);
    }
    for floor in &missed {
        println!("missed: {floor}");
    }
    ExitCode::from(u8::from(!missed.is_empty()))
}

fn header() {
    let names = yardsticks::all().map(|(name, _)| format!("{name:>10}"));
    println!("{:28}{}  |{}", "GB/s | urlgrep ÷", names.concat(), names[1..].concat());
}

fn size() -> usize {
    let megabytes = std::env::var("URLGREP_BENCH_MB")
        .map_or(64, |value| value.parse().expect("URLGREP_BENCH_MB is a number"));
    megabytes << 20
}

/// A row of the table: all finders in turns on `corpus`.
fn ordinary(corpus: &Corpus, missed: &mut Vec<String>) {
    let finders = yardsticks::all();
    let names = std::array::from_fn(|n| finders[n].0);
    let mut seconds = [[0.0; ROUNDS]; yardsticks::COUNT];
    for round in 0..ROUNDS {
        for (seconds, (_, search)) in seconds.iter_mut().zip(&finders) {
            seconds[round] = time(corpus, search).0;
        }
    }
    check(corpus, yardsticks::ours(corpus));
    print!("{:28}", corpus.name);
    for seconds in seconds {
        print!("{:10.2}", corpus.bytes.len() as f64 / median(seconds) / 1e9);
    }
    print!("  |");
    for name in &names[1..] {
        print!("{:10.2}", ratio(&seconds, &names, "urlgrep", name));
    }
    println!();
    for (finder, text, floor, beside) in FLOORS.into_iter().filter(|(_, text, ..)| *text == corpus.name) {
        let ratio = ratio(&seconds, &names, finder, beside);
        if ratio < floor {
            missed.push(format!("{finder} on {text}: {ratio:.2} × {beside}, not {floor}"));
        }
    }
}

/// How many times as fast as `beside` the finder `finder` is, the median of the
/// rounds.
fn ratio(
    seconds: &[[f64; ROUNDS]; yardsticks::COUNT],
    names: &[&str; yardsticks::COUNT],
    finder: &str,
    beside: &str,
) -> f64 {
    let of = |wanted| {
        let at = names.iter().position(|name| *name == wanted);
        &seconds[at.unwrap_or_else(|| panic!("there is no finder {wanted}"))]
    };
    median(std::array::from_fn(|round| of(beside)[round] / of(finder)[round]))
}

/// A row of the table: this crate alone on a hostile text.
fn hostile(text: &Corpus, missed: &mut Vec<String>) {
    let mut seconds = [0.0; ROUNDS];
    for seconds in &mut seconds {
        let (taken, seen) = time(text, yardsticks::ours);
        check(text, seen);
        *seconds = taken;
    }
    let speed = text.bytes.len() as f64 / median(seconds) / 1e6;
    println!("{:28}{speed:10.0}", text.name);
    if speed < HOSTILE_FLOOR {
        missed.push(format!("{}: {speed:.0} MB/s, not {HOSTILE_FLOOR}", text.name));
    }
}

fn check(corpus: &Corpus, seen: Seen) {
    assert_eq!(seen.count, corpus.urls, "{}: not what was put in", corpus.name);
}

/// How many seconds `search` takes, and what it sees.
fn time(corpus: &Corpus, search: impl Fn(&Corpus) -> Seen) -> (f64, Seen) {
    let start = Instant::now();
    let seen = black_box(search(black_box(corpus)));
    (start.elapsed().as_secs_f64(), seen)
}

fn median(mut seconds: [f64; ROUNDS]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[ROUNDS / 2]
}
