//! Mail as it is today: how much longer it takes than the same bytes as text, and what it consists of.
//!
//! The generated mail must resemble real mail in what costs time. So its profile is printed, and
//! beside it that of the messages in the folder `URLGREP_BENCH_MAIL`, if there is one.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use urlgrep::Finder;
use urlgrep::archive::{Format, Message, Reader};

use crate::corpus::mime;

/// How often each search has its turn.
const ROUNDS: usize = 7;

/// How many times as long as the same bytes as text mail may take in memory. Text is read nearly as
/// fast as memory does, so this is far above what is usual, and catches no small loss.
const FACTOR: f64 = 60.0;

/// Prints the rows, and adds to `missed`.
pub fn judge(size: usize, missed: &mut Vec<String>) {
    let corpus = mime::messages(size);
    let finder = Finder::new();
    assert_eq!(matches(&finder, &corpus.bytes), corpus.urls, "messages: not what was put in");
    let factor = row("messages", &finder, &corpus.bytes);
    if factor > FACTOR {
        missed.push(format!("messages: {factor:.1} times as long as text, not {FACTOR}"));
    }
    let mut profiles = vec![("generated", Profile::of(&finder, &corpus.bytes))];
    if let Some(folder) = std::env::var_os("URLGREP_BENCH_MAIL") {
        let mut mbox = Vec::new();
        read(Path::new(&folder), &mut mbox).expect("the folder can be read");
        row("messages of the folder", &finder, &mbox);
        profiles.push(("folder", Profile::of(&finder, &mbox)));
    }
    print!("{:28}", "a message has");
    profiles.iter().for_each(|(name, _)| print!("{name:>12}"));
    println!();
    for (n, fact) in FACTS.iter().enumerate() {
        print!("{fact:28}");
        profiles.iter().for_each(|(_, profile)| print!("{:12.2}", profile.0[n]));
        println!();
    }
}

/// The speed of mail and of the same bytes as text; returns how many times as long mail takes.
fn row(name: &str, finder: &Finder, bytes: &[u8]) -> f64 {
    let (mut mail, mut factors) = ([0.0; ROUNDS], [0.0; ROUNDS]);
    for (mail, factor) in mail.iter_mut().zip(&mut factors) {
        let start = Instant::now();
        std::hint::black_box(finder.find_iter(bytes).count());
        let text = start.elapsed().as_secs_f64();
        let start = Instant::now();
        std::hint::black_box(matches(finder, bytes));
        *mail = start.elapsed().as_secs_f64();
        *factor = *mail / text;
    }
    mail.sort_by(f64::total_cmp);
    factors.sort_by(f64::total_cmp);
    let speed = bytes.len() as f64 / mail[ROUNDS / 2] / 1e6;
    println!("{name:28}{speed:10.0} MB/s as mail, {:.1} times as long as text", factors[ROUNDS / 2]);
    factors[ROUNDS / 2]
}

fn reader(mbox: &[u8]) -> Reader<&[u8]> {
    Reader::new(mbox).with_format(Format::Mbox)
}

fn matches(finder: &Finder, mbox: &[u8]) -> usize {
    let mut matches = 0;
    each(mbox, |message| matches += in_message(finder, message));
    matches
}

fn each(mbox: &[u8], mut each: impl FnMut(&Message<'_>)) {
    let mut reader = reader(mbox);
    while let Some(message) = reader.next_message().expect("memory can be read") {
        each(&message);
    }
}

fn in_message(finder: &Finder, message: &Message<'_>) -> usize {
    let mut matches = 0;
    let _ = finder.find_in_message(message, |_| {
        matches += 1;
        ControlFlow::Continue(())
    });
    matches
}

/// What a message has, on average.
const FACTS: [&str; 9] = [
    "bytes",
    "bytes of its head",
    "fields",
    "texts",
    "quoted-printable bodies",
    "base64 bodies",
    "bytes of HTML, decoded",
    "links in attributes",
    "matches",
];

struct Profile([f64; FACTS.len()]);

impl Profile {
    fn of(finder: &Finder, mbox: &[u8]) -> Profile {
        let mut sums = [0; FACTS.len()];
        let mut messages = 0;
        each(mbox, |message| {
            let span = message.span();
            let bytes = &mbox[span.start as usize..span.end as usize];
            let facts = facts(finder, message, bytes);
            sums.iter_mut().zip(facts).for_each(|(sum, fact)| *sum += fact);
            messages += 1;
        });
        Profile(sums.map(|sum| sum as f64 / f64::from(messages.max(1))))
    }
}

fn facts(finder: &Finder, message: &Message<'_>, bytes: &[u8]) -> [usize; FACTS.len()] {
    let head_len = bytes.windows(2).position(|two| two == b"\n\n").unwrap_or(bytes.len());
    let head = &bytes[..head_len];
    let begins_field = |line: &&[u8]| !line.is_empty() && !line[0].is_ascii_whitespace();
    let encodings = |name: &[u8]| {
        let field = [b"content-transfer-encoding: ", name].concat();
        bytes.windows(field.len()).filter(|window| window.eq_ignore_ascii_case(&field)).count()
    };
    let (mut texts, mut html, mut links) = (0, 0, 0);
    for text in message.texts() {
        texts += 1;
        if text.content_type().as_deref() == Some("text/html") {
            html += text.as_bytes().len();
        }
        links += text.links().count();
    }
    [
        bytes.len(),
        head_len,
        head.split(|&b| b == b'\n').filter(begins_field).count(),
        texts,
        encodings(b"quoted-printable"),
        encodings(b"base64"),
        html,
        links,
        in_message(finder, message),
    ]
}

/// Appends the messages below a folder to an mbox: files that begin with a header field, and mboxes.
fn read(folder: &Path, mbox: &mut Vec<u8>) -> std::io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        if entry.file_type()?.is_dir() {
            read(&entry.path(), mbox)?;
            continue;
        }
        let bytes = fs::read(entry.path())?;
        let first = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
        let name = first.split(|&b| b == b':').next().unwrap_or_default();
        let is_field =
            name.len() < first.len() && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
        if is_field && !name.is_empty() {
            mbox.extend_from_slice(b"From a@h.org Fri Mar  2 10:11:12 2001\n");
        } else if !bytes.starts_with(b"From ") {
            continue;
        }
        mbox.extend_from_slice(&bytes);
        mbox.extend_from_slice(b"\n\n");
    }
    Ok(())
}
