//! Which text is slowest in each setting? Found by hill climbing over short tokens.
//!
//! `URLGREP_CLIMB_SECONDS=60 cargo bench --bench climb`. A text repeats a few tokens. One of them is changed, added or
//! removed, and the slower text is kept; after [`PATIENCE`] changes in vain another text begins. The slowest of each setting
//! is printed, at [`LARGE`] bytes, the time being that of the thread.

mod clock;

use std::hint::black_box;
use std::time::{Duration, Instant};

use clock::now;
use urlgrep::archive::{Format, ReadOptions, Reader};
use urlgrep::{Finder, FinderBuilder, Hyphen, Iri, Join};

/// The size of a text while it is looked for, and of the one that is printed.
const SMALL: usize = 16 << 10;
const LARGE: usize = 1 << 20;

/// How many changes may be in vain.
const PATIENCE: usize = 120;

/// How many tokens a text repeats, at most.
const MAX_TOKENS: usize = 8;

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "http:", "http://", "https://h.org/", "ftp://", "mailto:", "news:", "cid:", "tel:", "doi:10.", "magnet:?", "sip:", "x://",
    "hxxp://", "hxxp[:]//", "URL:", "<URL:", "<", ">", "\"", "'", "`", "(", ")", "[", "]", "[.]", "[:]", "(dot)", "{", "}", "[@]",
    "/", "\\/", "\\u0026", "\\", "//", "&amp;", "&lt;", "&", "=", "=\n", "?", "#", "%", "%2", ".", "..", ",", ";", ":", "|", "-",
    "--", "-\n", "_", "~", "*", "!", "+", "@", "a", "a.b", "h.org", "www.", ".com", "/a", "1", " ", "\t", "\n", "\r\n", "\n\n",
    "\n> ", "> ", "\n * ", "///", "é", "新", "の", "\u{200b}", "　", "。", "\u{1b}[m", "{\"a\":\"", "\",\"", "\"}\n", "From a@h.org Fri Mar  2 10:11:12 2001\n",
    "Subject: ", "Content-Type: text/html\n\n", "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n", "<a href=\"", "\">", "</a>",
    "<!--", "-->", "<style>", "</style>", "=?utf-8?q?", "?=", "=3D",
];

/// How a text is searched.
type Search = Box<dyn Fn(&[u8]) -> usize>;

fn settings() -> Vec<(&'static str, Search)> {
    let text = |builder: FinderBuilder| -> Search {
        let finder = builder.build().expect("the options are valid");
        Box::new(move |text| finder.find_iter(text).count())
    };
    let all = Finder::builder().hosts(true).addresses(true).refang(true).iri(Iri::All).hyphen(Hyphen::Both);
    vec![
        ("default", text(Finder::builder())),
        ("likely", text(Finder::builder().join(Join::Likely))),
        ("refang", text(Finder::builder().refang(true))),
        ("refang, likely", text(Finder::builder().refang(true).join(Join::Likely))),
        ("all", text(all.explain(true).line_numbers(true))),
        ("mail", archive(Format::Mbox, Join::Delimited)),
        ("mail, likely", archive(Format::Mbox, Join::Likely)),
        ("html", archive(Format::Html, Join::Delimited)),
        ("json", archive(Format::Json, Join::Delimited)),
        ("json, likely", archive(Format::Json, Join::Likely)),
    ]
}

fn archive(format: Format, join: Join) -> Search {
    let finder = Finder::builder().join(join).build().expect("the options are valid");
    Box::new(move |text| {
        let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
        let mut reader = Reader::new(text).with_options(&options);
        let mut matches = 0;
        while let Some(message) = reader.next_message().expect("memory can be read") {
            matches += message.texts().map(|text| finder.find_in(&text).count()).sum::<usize>();
        }
        matches
    })
}

/// Numbers in no order, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn token(&mut self) -> &'static str {
        TOKENS[self.below(TOKENS.len())]
    }

    /// Changes, adds or removes a token.
    fn change(&mut self, tokens: &mut Vec<&'static str>) {
        let at = self.below(tokens.len());
        match self.below(3) {
            0 if tokens.len() < MAX_TOKENS => tokens.insert(at, self.token()),
            1 if tokens.len() > 1 => drop(tokens.remove(at)),
            _ => tokens[at] = self.token(),
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
    println!("{:>8}  {:15}text", "MB/s", "setting");
    for (n, (name, search)) in settings().iter().enumerate() {
        let tokens = climb(&mut Random(n as u64), search, seconds);
        println!("{:8.1}  {name:15}{:?}", speed(search, &tokens, LARGE), tokens.concat());
    }
}

/// The tokens of the slowest text that is found in this time.
fn climb(random: &mut Random, search: &Search, time: Duration) -> Vec<&'static str> {
    let (start, mut slowest) = (Instant::now(), (f64::MAX, Vec::new()));
    while start.elapsed() < time {
        let mut tokens: Vec<_> = (0..1 + random.below(4)).map(|_| random.token()).collect();
        let (mut best, mut vain) = (speed(search, &tokens, SMALL), 0);
        while vain < PATIENCE && start.elapsed() < time {
            let mut changed = tokens.clone();
            random.change(&mut changed);
            vain += 1;
            let speed = speed(search, &changed, SMALL);
            if speed < best {
                (tokens, best, vain) = (changed, speed, 0);
            }
        }
        if best < slowest.0 {
            slowest = (best, tokens);
        }
    }
    slowest.1
}

/// In MB/s, at this size; the faster one of two searches.
fn speed(search: &Search, tokens: &[&str], size: usize) -> f64 {
    let token = tokens.concat();
    let text = token.repeat(size / token.len() + 1);
    let time = || {
        let start = now();
        black_box(search(black_box(text.as_bytes())));
        (now() - start).as_secs_f64().max(1e-9)
    };
    text.len() as f64 / 1e6 / time().min(time())
}
