//! What was found, in numbers.

use std::collections::HashMap;
use std::fmt::{self, Display, Write};
use std::time::Instant;

use serde_json::{Map, Value, json};
use urlgrep::Joined;

use crate::escape::Shown;
use crate::hit::Hit;
use crate::hosts;

/// How many hosts are named.
const HOSTS: usize = 10;

/// What is counted of a find.
#[derive(Debug)]
pub struct Facts {
    pub form: &'static str,
    pub grade: &'static str,
    pub join: &'static str,
    pub scheme: Box<str>,
    /// In lower case.
    pub host: Option<Box<str>>,
}

impl Facts {
    /// Those of a find.
    pub fn of(hit: Hit<'_>) -> Facts {
        let found = hit.found();
        let host = hosts::of(found).filter(|host| !host.is_empty());
        Facts {
            form: found.form().as_str(),
            grade: found.grade().as_str(),
            join: hit.joined().map_or("none", Joined::as_str),
            scheme: found.scheme().to_ascii_lowercase().into(),
            host: host.map(|host| String::from_utf8_lossy(host).to_ascii_lowercase().into()),
        }
    }
}

/// How many finds have something.
type Counts = HashMap<Box<str>, u64>;

/// The numbers of a run.
#[derive(Debug)]
pub struct Stats {
    begin: Instant,
    files: u64,
    messages: u64,
    finds: u64,
    /// By form, grade, join and scheme.
    kinds: [(&'static str, Counts); 4],
    hosts: Counts,
}

impl Stats {
    /// Nothing yet.
    pub fn new() -> Stats {
        let kinds = ["form", "grade", "join", "scheme"].map(|name| (name, Counts::new()));
        Stats { begin: Instant::now(), files: 0, messages: 0, finds: 0, kinds, hosts: Counts::new() }
    }

    /// Counts a find.
    pub fn add(&mut self, facts: Facts) {
        self.finds += 1;
        let values = [facts.form.into(), facts.grade.into(), facts.join.into(), facts.scheme];
        for ((_, counts), value) in self.kinds.iter_mut().zip(values) {
            *counts.entry(value).or_insert(0) += 1;
        }
        if let Some(host) = facts.host {
            *self.hosts.entry(host).or_insert(0) += 1;
        }
    }

    /// Counts a file that was searched, and the messages in it.
    pub fn add_file(&mut self, messages: u64) {
        self.files += 1;
        self.messages += messages;
    }

    /// All numbers, if so many bytes were read.
    pub fn report(&self, bytes: u64) -> Report<'_> {
        let seconds = self.begin.elapsed().as_secs_f64();
        let rate = bytes as f64 / 1e6 / seconds.max(1e-9);
        Report { stats: self, bytes, seconds, rate }
    }
}

/// The numbers of a run that has ended.
#[derive(Debug)]
pub struct Report<'s> {
    stats: &'s Stats,
    bytes: u64,
    seconds: f64,
    /// In MB/s.
    rate: f64,
}

impl Report<'_> {
    /// The same as one JSON object.
    pub fn to_json(&self) -> Value {
        let Report { stats, .. } = self;
        let object = |counts: &Counts| -> Map<String, Value> {
            ranked(counts).into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect()
        };
        let mut all = json!({ "files": stats.files, "messages": stats.messages, "bytes": self.bytes, "finds": stats.finds });
        for (name, counts) in &stats.kinds {
            all[*name] = object(counts).into();
        }
        let hosts = ranked(&stats.hosts).into_iter().take(HOSTS);
        all["hosts"] =
            hosts.map(|(host, count)| (host.to_owned(), count.into())).collect::<Map<_, _>>().into();
        all["different_hosts"] = stats.hosts.len().into();
        all["seconds"] = ((self.seconds * 1e3).round() / 1e3).into();
        all["mb_per_second"] = ((self.rate * 10.0).round() / 10.0).into();
        all
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { stats, .. } = self;
        writeln!(
            f,
            "files    {}\nmessages {}\nbytes    {}\nfinds    {}",
            stats.files, stats.messages, self.bytes, stats.finds
        )?;
        for (name, counts) in &stats.kinds {
            row(f, name, ranked(counts))?;
        }
        row(f, "hosts", ranked(&stats.hosts))?;
        writeln!(f, "seconds  {:.3}\nMB/s     {:.1}", self.seconds, self.rate)
    }
}

/// One line: the most frequent, each with how often it was found.
fn row(f: &mut fmt::Formatter<'_>, name: &str, ranked: Vec<(&str, u64)>) -> fmt::Result {
    write!(f, "{name:<8}")?;
    for (n, (value, count)) in ranked.iter().take(HOSTS).enumerate() {
        let comma = if n > 0 { "," } else { "" };
        write!(f, "{comma} {} {count}", Shown(value.as_bytes()))?;
    }
    if let Some(more @ 1..) = ranked.len().checked_sub(HOSTS) {
        write!(f, " and {more} more")?;
    }
    f.write_char('\n')
}

/// The most frequent first; of those as frequent, in the order of their names.
fn ranked(counts: &Counts) -> Vec<(&str, u64)> {
    let mut ranked: Vec<_> = counts.iter().map(|(name, &count)| (&**name, count)).collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    ranked
}
