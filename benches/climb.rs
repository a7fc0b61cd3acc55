//! Which text is slowest in each setting, and which document for each decoder? Found by hill climbing over short tokens.
//!
//! `URLGREP_CLIMB_SECONDS=60 cargo bench -p urlgrep-benches --bench climb -- css pdf`; without names all rows are
//! climbed. A text is a few runs of tokens, most of them repeated. A token or a run is changed, added or removed, and the
//! slower text is kept; after [`PATIENCE`] changes in vain another text begins. The slowest of each row is printed at two
//! sizes, the time being that of the thread. A text that is slower than the one in `decoders/worst.rs` belongs there: the bench
//! `counts` holds its floor.

mod clock;
#[allow(dead_code, reason = "each bench has a use for a part of it")]
mod decoders;

use std::hint::black_box;
use std::time::{Duration, Instant};

use clock::now;
use decoders::{Row, Runs, Times, text};

/// The size of a text while it is looked for, and of the one that is printed.
const SMALL: usize = 16 << 10;
const LARGE: usize = 128 << 10;

/// How many changes may be in vain.
const PATIENCE: usize = 150;

/// How many runs a text has, and how many tokens a run, at most.
const MAX_RUNS: usize = 4;
const MAX_TOKENS: usize = 6;

/// A text while it is changed: runs of tokens.
type Candidate = Vec<(Times, Vec<&'static [u8]>)>;

/// Numbers in no order, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn token(&mut self, row: &Row) -> &'static [u8] {
        row.tokens[self.below(row.tokens.len())]
    }

    fn run(&mut self, row: &Row) -> (Times, Vec<&'static [u8]>) {
        let times = if self.below(3) == 0 { Times::Once } else { Times::Many };
        (times, (0..1 + self.below(3)).map(|_| self.token(row)).collect())
    }

    /// Changes, adds or removes a run or a token.
    fn change(&mut self, row: &Row, runs: &mut Candidate) {
        let at = self.below(runs.len());
        match self.below(9) {
            0 if runs.len() < MAX_RUNS => return runs.insert(at, self.run(row)),
            1 if runs.len() > 1 => return drop(runs.remove(at)),
            _ => {}
        }
        let (times, tokens) = &mut runs[at];
        let token = self.below(tokens.len());
        match self.below(7) {
            0 => *times = if *times == Times::Once { Times::Many } else { Times::Once },
            1 | 2 if tokens.len() < MAX_TOKENS => tokens.insert(token, self.token(row)),
            3 if tokens.len() > 1 => drop(tokens.remove(token)),
            _ => tokens[token] = self.token(row),
        }
    }
}

fn main() {
    // Without this argument it is `cargo test` that runs the benches, and only wants to know whether they start.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let seconds = std::env::var("URLGREP_CLIMB_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let seconds = Duration::from_secs(seconds.unwrap_or(20));
    let names: Vec<_> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let rows = decoders::rows();
    println!("{:>8} {:>8}  row: text", "ns/byte", "large");
    for (n, row) in rows.iter().enumerate() {
        if names.is_empty() || names.iter().any(|name| name == row.name) {
            let runs = climb(&mut Random(n as u64), row, seconds);
            let [small, large] = [SMALL, LARGE].map(|size| cost(row, &runs, size));
            println!("{small:8.1} {large:8.1}  {}: {}", row.name, shown(&runs));
        }
    }
}

/// A text as it is written in `decoders/worst.rs`.
fn shown(runs: &Runs) -> String {
    let run = |(times, bytes): &(Times, Vec<u8>)| format!("({times:?}, b\"{}\")", bytes.escape_ascii());
    format!("&[{}]", runs.iter().map(run).collect::<Vec<_>>().join(", "))
}

/// The runs of a candidate.
fn runs_of(candidate: &Candidate) -> Runs {
    candidate.iter().map(|(times, tokens)| (*times, tokens.concat())).collect()
}

/// The slowest text that is found in this time.
fn climb(random: &mut Random, row: &Row, time: Duration) -> Runs {
    let (start, mut slowest) = (Instant::now(), (0.0, Runs::new()));
    while start.elapsed() < time {
        let mut runs: Candidate = (0..1 + random.below(MAX_RUNS)).map(|_| random.run(row)).collect();
        let (mut most, mut vain) = (cost(row, &runs_of(&runs), SMALL), 0);
        while vain < PATIENCE && start.elapsed() < time {
            let mut changed = runs.clone();
            random.change(row, &mut changed);
            vain += 1;
            let cost = cost(row, &runs_of(&changed), SMALL);
            if cost > most {
                (runs, most, vain) = (changed, cost, 0);
            }
        }
        if most > slowest.0 {
            slowest = (most, runs_of(&runs));
        }
    }
    slowest.1
}

/// In nanoseconds for a byte of the text, at this size; the faster one of two searches.
fn cost(row: &Row, runs: &Runs, size: usize) -> f64 {
    let text = text(runs, size);
    let document = (row.document)(&text);
    let time = || {
        let start = now();
        black_box((row.search)(black_box(&document)));
        (now() - start).as_secs_f64()
    };
    time().min(time()) * 1e9 / text.len().max(size) as f64
}
