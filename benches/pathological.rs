//! Adversarial texts, whole and as a stream.
//!
//! `cargo bench -p urlgrep-benches --bench pathological`. Each is a megabyte; it should take
//! about as long as any other text of its size.

#[expect(dead_code, reason = "each bench has a use for a part of it")]
mod corpus;

use std::io::{self, Read};
use std::time::Duration;

use corpus::Corpus;
use criterion::{Criterion, Throughput};
use urlgrep::Finder;

/// The size of a text, in bytes.
const SIZE: usize = 1 << 20;

/// How many bytes the reader of a stream yields at a time.
const READ: usize = 64 << 10;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500))
        .configure_from_args();
    let texts = corpus::hostile::all(SIZE);
    measure(&mut criterion, "whole", &texts, whole);
    measure(&mut criterion, "stream", &texts, streamed);
    measure(&mut criterion, "readings", &corpus::hostile::readings(SIZE), whole);
    measure(&mut criterion, "mail", &corpus::hostile::parts(SIZE), mail);
    measure(&mut criterion, "scripts", &corpus::hostile::scripts(SIZE), whole);
    measure(&mut criterion, "addresses", &corpus::hostile::addresses(SIZE), addresses);
    measure(&mut criterion, "suffixes", &corpus::hostile::suffixes(SIZE), domains);
    measure(&mut criterion, "defanged", &corpus::hostile::defanged(SIZE), defanged);
    measure(&mut criterion, "likely", &corpus::hostile::joins(SIZE), joined);
    criterion.final_summary();
}

fn measure(criterion: &mut Criterion, how: &str, texts: &[Corpus], search: fn(&Corpus) -> usize) {
    let mut group = criterion.benchmark_group(how);
    for text in texts {
        assert_eq!(search(text), text.urls, "{}: not what was put in", text.name);
        group.throughput(Throughput::Bytes(text.bytes.len() as u64));
        group.bench_function(text.name, |bencher| bencher.iter(|| search(text)));
    }
    group.finish();
}

fn whole(text: &Corpus) -> usize {
    urlgrep::find_iter(&text.bytes).count()
}

/// As mail.
fn mail(text: &Corpus) -> usize {
    use urlgrep::archive::{Format, Reader};

    let (finder, mut matches) = (Finder::new(), 0);
    let mut reader = Reader::new(&*text.bytes).with_format(Format::Mbox);
    while let Some(message) = reader.next_message().expect("memory can be read") {
        let _ = finder.find_in_message(&message, |_| {
            matches += 1;
            std::ops::ControlFlow::Continue(())
        });
    }
    matches
}

/// Bare URLs joined over line ends, without evidence of other URLs.
fn joined(text: &Corpus) -> usize {
    let finder = Finder::builder().join(urlgrep::Join::Likely).build().expect("the options are valid");
    finder.find_iter(&text.bytes).count()
}

/// Mail addresses, too.
fn addresses(text: &Corpus) -> usize {
    let finder =
        Finder::builder().schemeless([urlgrep::Schemeless::Emails]).build().expect("the options are valid");
    finder.find_iter(&text.bytes).count()
}

/// Defanged URLs, too.
fn defanged(text: &Corpus) -> usize {
    let finder = Finder::builder().refang(true).build().expect("the options are valid");
    finder.find_iter(&text.bytes).count()
}

/// Domain names, too.
fn domains(text: &Corpus) -> usize {
    let finder =
        Finder::builder().schemeless([urlgrep::Schemeless::Domains]).build().expect("the options are valid");
    finder.find_iter(&text.bytes).count()
}

/// A reader that yields at most [`READ`] bytes a call, as a pipe does.
struct Pipe<'t>(&'t [u8]);

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(READ);
        self.0.read(&mut buffer[..len])
    }
}

fn streamed(text: &Corpus) -> usize {
    let finder = Finder::new();
    finder.stream(Pipe(&text.bytes)).inspect(|found| assert!(found.is_ok(), "a slice can be read")).count()
}
