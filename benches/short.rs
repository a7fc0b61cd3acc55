//! One table: how long a short text takes, such as a post or a cell of a table.
//!
//! `cargo bench -p urlgrep-benches --bench short`. 10,000 texts of 25 to 40 bytes, of which none, one in ten, or all have a URL, and those whose
//! URL ends with the text. A number is nanoseconds for a text, the least of the rounds, in which the finders take turns.
//! `rows` has the texts in one buffer, for `Finder::batch`. The regex is `https?://\S+`.

use std::time::Instant;

use linkify::LinkFinder;
use regex::Regex;
use urlgrep::Finder;

const TEXTS: usize = 10_000;
const ROUNDS: usize = 15;

const WORDS: [&str; 11] =
    ["some", "words", "of", "a", "short", "post", "about", "things", "and", "people", "time"];

/// Makes texts: the number of each says how it begins.
fn texts(begin: impl Fn(usize) -> String, end: impl Fn(usize) -> String) -> Vec<String> {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    };
    let text = |n| {
        let (mut text, end) = (begin(n), end(n));
        let len = 25 + next() % 15;
        while text.len() + end.len() < len {
            text.push_str(WORDS[next() % WORDS.len()]);
            text.push(' ');
        }
        text + &end
    };
    (0..TEXTS).map(text).collect()
}

/// The least time of each finder for a text, in nanoseconds.
fn measure(texts: &[String]) -> [f64; 4] {
    let (finder, links) = (Finder::new(), LinkFinder::new());
    let regex = Regex::new(r"https?://\S+").expect("the regex is valid");
    let buffer = texts.concat();
    let ours = || texts.iter().map(|text| finder.find_iter(text).count()).sum();
    let rows = || {
        let (mut texts_of, mut start) = (finder.batch(), 0);
        let count = |text: &String| {
            let row = start..start + text.len();
            start = row.end;
            texts_of.find_iter(&buffer, row).count()
        };
        texts.iter().map(count).sum()
    };
    let linkify = || texts.iter().map(|text| links.links(text).count()).sum();
    let regex = || texts.iter().map(|text| regex.find_iter(text).count()).sum();
    let finders: [&dyn Fn() -> usize; 4] = [&ours, &rows, &linkify, &regex];
    let counts = finders.map(|find| find());
    assert!(counts.iter().all(|&count| count == counts[0]), "{counts:?}");
    let mut least = [f64::INFINITY; 4];
    for _ in 0..ROUNDS {
        for (least, find) in least.iter_mut().zip(finders) {
            let start = Instant::now();
            std::hint::black_box(find());
            *least = least.min(start.elapsed().as_secs_f64() * 1e9 / TEXTS as f64);
        }
    }
    least
}

fn main() {
    // Without this argument it is `cargo test` that runs the benches.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let (nothing, url) = (|_| String::new(), |n: usize| format!("http://h{n}.org/a"));
    let first = move |n: usize| format!("see {} ", url(n));
    println!("| ns for a text | urlgrep | rows | linkify | regex |\n|---|---:|---:|---:|---:|");
    for (name, texts) in [
        ("no URL", texts(nothing, nothing)),
        ("one in ten has one", texts(move |n| if n % 10 == 0 { first(n) } else { nothing(n) }, nothing)),
        ("all have one", texts(first, nothing)),
        ("all end with one", texts(nothing, url)),
    ] {
        let [ours, rows, linkify, regex] = measure(&texts);
        println!("| {name} | {ours:.0} | {rows:.0} | {linkify:.0} | {regex:.0} |");
    }
}
