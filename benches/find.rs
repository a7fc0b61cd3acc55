//! Complete matches on each ordinary corpus, beside other ways to find URLs.
//!
//! `cargo bench -p urlgrep-benches --bench find`; the ratios that count are those of the bench
//! `ratios`, which measures in turns.

#[expect(dead_code, reason = "each bench has a use for a part of it")]
mod corpus;
mod yardsticks;

use std::time::Duration;

use criterion::{Criterion, Throughput};

/// The size of a corpus, in bytes.
const SIZE: usize = 8 << 20;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1200))
        .configure_from_args();
    for make in corpus::ORDINARY {
        find(&mut criterion, &make(SIZE));
    }
    criterion.final_summary();
}

fn find(criterion: &mut Criterion, corpus: &corpus::Corpus) {
    let mut group = criterion.benchmark_group(corpus.name);
    group.throughput(Throughput::Bytes(corpus.bytes.len() as u64));
    for (name, search) in yardsticks::all() {
        let seen = search(corpus).count;
        if name == "urlgrep" {
            assert_eq!(seen, corpus.urls, "{}: not what was put in", corpus.name);
        }
        println!("{}: {name} sees {seen}, {} were put in", corpus.name, corpus.urls);
        group.bench_function(name, |bencher| bencher.iter(|| search(corpus)));
    }
    group.finish();
}
