//! The grammar alone: taking URLs apart, grading them, warning of them.
//!
//! `cargo bench -p urlgrep-benches --bench stages`.

#[expect(dead_code, reason = "each bench has a use for a part of it")]
mod corpus;

use std::time::Duration;

use corpus::urls::List;
use criterion::{Criterion, Throughput};
use urlgrep::{Grade, grammar};

/// How many URLs are in the list.
const COUNT: usize = 10_000;

/// A stage: for how many of the URLs it says yes.
type Stage = fn(&List) -> usize;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let list = corpus::urls::list(COUNT);
    let stages: [(&str, Stage, usize); 3] =
        [("parse", parse, list.strict), ("assess", assess, list.strict), ("warnings", warnings, 0)];
    let mut group = criterion.benchmark_group("grammar");
    let bytes: usize = list.urls.iter().map(String::len).sum();
    group.throughput(Throughput::Bytes(bytes as u64));
    for (name, stage, expected) in stages {
        assert_eq!(stage(&list), expected, "{name}: not what was put in");
        group.bench_function(name, |bencher| bencher.iter(|| stage(&list)));
    }
    group.finish();
    criterion.final_summary();
}

/// Takes the URLs apart; [`grammar::rfc1738::parse`] knows no fragments.
fn parse(list: &List) -> usize {
    let parts = |url: &&String| grammar::rfc1738::parse(grammar::split_fragment(url.as_bytes()).0).is_ok();
    list.urls.iter().filter(parts).count()
}

fn assess(list: &List) -> usize {
    let strict = |url: &&String| {
        grammar::assess(url.as_bytes()).is_ok_and(|assessment| assessment.grade() == Grade::Rfc1738)
    };
    list.urls.iter().filter(strict).count()
}

fn warnings(list: &List) -> usize {
    let warned = |url: &&String| !grammar::warnings(url.as_bytes()).is_empty();
    list.urls.iter().filter(warned).count()
}
