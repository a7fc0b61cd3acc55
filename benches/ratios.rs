//! One table: how fast this crate is beside other ways to find URLs.
//!
//! `cargo bench -p urlgrep-benches --bench ratios`. Speeds drift while a machine does other things,
//! ratios hardly do, so the finders take turns on the same text and a ratio is
//! the median over the rounds. `URLGREP_BENCH_MB` is the size of a text in
//! megabytes, 64 by default. The exit code is 1 if a floor is missed.
//!
//! The floors are ratios to linkify and to the regex, and hold on any machine.
//! memchr reads as fast as memory does, so a ratio to it measures the processor's
//! memory as much as this crate: it is printed and not judged. On mail, which
//! this crate reads nearly that fast, the floors are low for the same reason.

#[expect(dead_code, reason = "each bench has a use for a part of it")]
mod corpus;
mod messages;
mod yardsticks;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use corpus::Corpus;
use yardsticks::Seen;

/// How often each finder has its turn.
const ROUNDS: usize = 7;

/// The size of an adversarial text, in bytes.
const HOSTILE: usize = 1 << 20;

/// What a speed may not fall below: that of a finder on a corpus, as a multiple of
/// that of another.
const FLOORS: [(&str, &str, f64, &str); 16] = [
    ("urlgrep", "mail", 1.0, "linkify"),
    ("urlgrep", "mail", 4.0, "regex"),
    ("urlgrep", "sparse", 1.0, "linkify"),
    ("urlgrep", "sparse", 5.0, "regex"),
    ("urlgrep", "log", 2.5, "linkify"),
    ("urlgrep", "log", 5.0, "regex"),
    ("urlgrep", "dense", 3.0, "linkify"),
    ("urlgrep", "dense", 6.0, "regex"),
    ("portable", "mail", 0.6, "linkify"),
    ("portable", "mail", 3.0, "regex"),
    ("portable", "sparse", 0.6, "linkify"),
    ("portable", "sparse", 3.0, "regex"),
    ("portable", "log", 0.6, "linkify"),
    ("portable", "log", 1.5, "regex"),
    ("portable", "dense", 0.6, "linkify"),
    ("portable", "dense", 1.8, "regex"),
];

/// How many times as long as the text that is all URLs an adversarial text of the
/// same size may take.
///
/// On an idle machine it is 14 at most, which is 200 MB/s, but for characters beyond ASCII (17).
/// A program on the other half of the core can double it.
const HOSTILE_FACTOR: f64 = 25.0;

/// The same for a text that is all joins by evidence. Each of them takes a few hundred
/// nanoseconds, however short the URL is.
const JOINS_FACTOR: f64 = 120.0;

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
    messages::judge(size(), &mut missed);
    println!("{:28}{:>10}", "MB/s", "urlgrep");
    let dense = corpus::log::dense(HOSTILE);
    let texts = corpus::hostile::all(HOSTILE).into_iter().chain(corpus::hostile::scripts(HOSTILE));
    let row = |text: Corpus| (hostile(&text, yardsticks::ours, &dense), HOSTILE_FACTOR, text);
    let joins_row = |text: Corpus| (hostile(&text, yardsticks::likely(&text), &dense), JOINS_FACTOR, text);
    let joins = corpus::hostile::joins(HOSTILE).into_iter().map(joins_row);
    for (times, factor, text) in texts.map(row).chain(joins) {
        if times > factor {
            missed
                .push(format!("{}: {times:.1} times as long as if it is all URLs, not {factor}", text.name));
        }
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
        if finder == "urlgrep" && !has_vectors() {
            continue;
        }
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

/// Whether this crate uses instructions of this processor that were measured. Without
/// any it is the portable finder; NEON's speed is not known.
fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// A row of the table: the speed of this crate alone on `text`, in MB/s. Returns how many times
/// as long as `dense` it takes; the two take turns.
fn hostile(text: &Corpus, search: impl Fn(&Corpus) -> Seen, dense: &Corpus) -> f64 {
    let (mut seconds, mut times) = ([0.0; ROUNDS], [0.0; ROUNDS]);
    for (seconds, times) in seconds.iter_mut().zip(&mut times) {
        let (beside, _) = time(dense, yardsticks::ours);
        let (spent, seen) = time(text, &search);
        check(text, seen);
        *seconds = spent;
        *times = spent / beside * dense.bytes.len() as f64 / text.bytes.len() as f64;
    }
    println!("{:28}{:10.0}", text.name, text.bytes.len() as f64 / median(seconds) / 1e6);
    median(times)
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
