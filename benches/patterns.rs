//! Some 1900 generated texts, without options and with all of them: is the time linear, and which text
//! is slowest?
//!
//! `cargo bench -p urlgrep-benches --bench patterns`, or with a part of the names of the texts that are wanted. Each
//! text is searched at 1 MB and at 8 MB. The ten slowest are printed, and the ten whose time grows
//! most. The exit code is 1 if one takes more than [`GROWTH`] times as long for eight times the
//! text.
//!
//! The time is that of the thread, so that other programs hardly disturb it. A text that is read
//! at [`MEMORY`] or faster is not judged: it fits into the caches of the processor at 1 MB and
//! not at 8 MB.

mod clock;
#[expect(dead_code, reason = "each bench has a use for a part of it")]
mod corpus;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use clock::now;
use corpus::patterns::{self, Pattern};
use urlgrep::{Evidence, Finder, FinderBuilder, Hyphen, Iri, Join, Schemeless};

const SMALL: usize = 1 << 20;
const LARGE: usize = 8 << 20;

/// How many times as long eight times the text may take.
const GROWTH: f64 = 9.0;

/// How often a text is searched again whose time seems to grow more.
const AGAIN: usize = 8;

/// At this speed, in bytes per second, a search waits for the memory.
const MEMORY: f64 = 2e9;

/// In how many chunks a stream is given. A URL that a chunk cuts is read again, so chunks grow with
/// the text, as its runs do.
const CHUNKS: usize = 128;

/// How many rows are printed.
const ROWS: usize = 10;

/// How a text is searched.
type Search = fn(&[u8]) -> usize;

/// Without options, as a stream, and with all options that change what is read.
const SEARCHES: [(&str, Search); 4] =
    [("default", |text| count(&Finder::new(), text)), ("stream", stream), ("likely", likely), ("all", all)];

fn main() -> ExitCode {
    // Without this argument it is `cargo test` that runs the benches, and only
    // wants to know whether they start.
    if !std::env::args().any(|arg| arg == "--bench") {
        return ExitCode::SUCCESS;
    }
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with("--")).unwrap_or_default();
    let mut patterns = patterns::all();
    patterns.retain(|pattern| pattern.name().contains(&wanted));
    println!("{} texts, {} searches of each", patterns.len(), SEARCHES.len());
    let mut rows: Vec<Row> = patterns.iter().flat_map(rows_of).collect();
    rows.sort_by(|a, b| a.speed().total_cmp(&b.speed()));
    print("the slowest", rows.iter().take(ROWS));
    let of = |(name, _)| rows.iter().find(move |row| row.search == name);
    print("the slowest of each search", SEARCHES.into_iter().filter_map(of));
    rows.retain(|row| row.speed() < MEMORY);
    rows.sort_by(|a, b| b.growth().total_cmp(&a.growth()));
    print("the greatest growth", rows.iter().take(ROWS));
    let is_linear = rows.first().is_none_or(|row| row.growth() <= GROWTH);
    ExitCode::from(u8::from(!is_linear))
}

/// The times of a search.
struct Row {
    search: &'static str,
    text: String,
    small: Duration,
    large: Duration,
}

impl Row {
    /// In bytes per second, at 8 MB.
    fn speed(&self) -> f64 {
        LARGE as f64 / self.large.as_secs_f64()
    }

    fn growth(&self) -> f64 {
        self.large.as_secs_f64() / self.small.as_secs_f64()
    }
}

/// The times of all searches of a text.
fn rows_of(pattern: &Pattern) -> Vec<Row> {
    let (small, large) = (pattern.text(SMALL), pattern.text(LARGE));
    let row = |(name, search): (&'static str, Search)| {
        let mut row = Row {
            search: name,
            text: pattern.name(),
            small: time(search, &small),
            large: time(search, &large),
        };
        // The first search of a text brings it into the caches.
        row.small = row.small.min(time(search, &small));
        for _ in 0..AGAIN {
            if row.growth() <= GROWTH {
                break;
            }
            row.small = row.small.min(time(search, &small));
            row.large = row.large.min(time(search, &large));
        }
        row
    };
    SEARCHES.into_iter().map(row).collect()
}

fn print<'r>(title: &str, rows: impl Iterator<Item = &'r Row>) {
    println!("\n{title}\n{:>8}{:>8}  {:9}text", "MB/s", "growth", "search");
    for row in rows {
        println!("{:8.0}{:8.2}  {:9}{}", row.speed() / 1e6, row.growth(), row.search, row.text);
    }
}

fn build(builder: FinderBuilder) -> Finder {
    builder.build().expect("the options are valid")
}

fn count(finder: &Finder, text: &[u8]) -> usize {
    finder.find_iter(text).count()
}

fn stream(text: &[u8]) -> usize {
    let (finder, mut matches) = (Finder::new(), 0);
    let mut scanner = finder.scanner();
    for chunk in text.chunks(text.len() / CHUNKS) {
        scanner.push(chunk, |_| matches += 1);
    }
    scanner.finish(|_| matches += 1);
    matches
}

/// Two searches, as the program makes them: the first collects evidence.
fn likely(text: &[u8]) -> usize {
    let evidence = Evidence::new();
    build(Finder::builder().explain(true)).find_iter(text).for_each(|m| evidence.add(&m));
    count(&build(Finder::builder().join(Join::Likely).evidence(evidence)), text)
}

/// Everything that a finder can be asked for, except to join what is likely.
fn all(text: &[u8]) -> usize {
    let builder =
        Finder::builder().schemeless([Schemeless::Hosts, Schemeless::Emails]).refang(true).iri(Iri::All);
    let builder = builder.schemeless([Schemeless::AllDomains]);
    count(&build(builder.hyphen(Hyphen::Both).explain(true).line_numbers(true)), text)
}

/// How long `search` takes.
fn time(search: Search, text: &[u8]) -> Duration {
    let start = now();
    black_box(search(black_box(text)));
    // A clock may be too coarse for a very fast search.
    (now() - start).max(Duration::from_nanos(1))
}
