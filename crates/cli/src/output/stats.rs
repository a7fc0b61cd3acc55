//! `--stats`: the numbers of the search and of the matches.

use std::collections::HashMap;
use std::fmt::{self, Display, Write};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use urlgrep::archive::Role;
use urlgrep::{JoinKind, Match};
use urlgrep_print::escape::Escaped;

use super::unsupported::{ByFormat, UnsupportedFiles};

/// The maximum number of values that are listed.
const NAMED: usize = 10;

/// The name of the counts of hosts, of which only the most frequent are listed.
const HOSTS: &str = "hosts";

/// The facts about a match that are counted.
#[derive(Debug)]
pub struct Facts {
    pub form: &'static str,
    pub role: &'static str,
    pub grade: &'static str,
    pub join: &'static str,
    pub scheme: Box<str>,
    /// In lower case.
    pub host: Option<Box<str>>,
}

impl Facts {
    /// Returns the facts of a match.
    pub fn of(matched: &Match<'_>) -> Facts {
        let host = matched.host().filter(|host| !host.is_empty());
        Facts {
            form: matched.form().as_str(),
            role: matched.role().as_str(),
            grade: matched.grade().as_str(),
            join: matched.joined().map_or("none", JoinKind::as_str),
            scheme: matched.scheme().into(),
            host: host.map(Into::into),
        }
    }
}

/// The number of matches with each value.
type Counts = HashMap<Box<str>, u64>;

/// The number of matches of each role, in the order of [`Role::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ByRole([u64; Role::ALL.len()]);

impl ByRole {
    /// Counts a match.
    pub fn count(&mut self, role: Role) {
        self.0[role as usize] += 1;
    }

    /// Returns the number of matches of a role.
    pub fn of(&self, role: Role) -> u64 {
        self.0[role as usize]
    }

    pub fn add(&mut self, other: ByRole) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    /// Returns the roles of the matches, each with its number.
    pub fn present(&self) -> impl Iterator<Item = (Role, u64)> {
        Role::ALL.into_iter().zip(self.0).filter(|&(_, count)| count > 0)
    }
}

/// The numbers of a search.
#[derive(Debug)]
pub struct Stats {
    started: Instant,
    files: u64,
    messages: u64,
    matches: u64,
    /// By form, role, grade, join, scheme and host.
    counts: [(&'static str, Counts); 6],
    /// The matches that the options leave out.
    left_out: ByRole,
    /// The time that the list of `--strings-file` took, before the clock started.
    pub strings_time: Option<Duration>,
}

impl Stats {
    /// Returns empty statistics, and starts the clock.
    pub fn new() -> Stats {
        let counts = ["form", "role", "grade", "join", "scheme", HOSTS].map(|name| (name, Counts::new()));
        Stats {
            started: Instant::now(),
            files: 0,
            messages: 0,
            matches: 0,
            counts,
            left_out: ByRole::default(),
            strings_time: None,
        }
    }

    /// Counts a match.
    pub fn add(&mut self, facts: Facts) {
        self.matches += 1;
        let names = [facts.form, facts.role, facts.grade, facts.join];
        let [form, role, grade, join] = names.map(|name| Some(name.into()));
        let values = [form, role, grade, join, Some(facts.scheme), facts.host];
        for ((_, counts), value) in self.counts.iter_mut().zip(values) {
            value.into_iter().for_each(|value| *counts.entry(value).or_insert(0) += 1);
        }
    }

    /// Counts a file, its messages, and its matches that the options leave out.
    pub fn add_file(&mut self, messages: u64, left_out: ByRole) {
        self.left_out.add(left_out);
        self.files += 1;
        self.messages += messages;
    }

    /// Returns the numbers so far, after `bytes` bytes were read, and the numbers of the files that
    /// were not read.
    pub fn summary<'s>(&'s self, bytes: u64, unsupported: &'s UnsupportedFiles) -> Summary<'s> {
        let seconds = self.started.elapsed().as_secs_f64();
        let rate = bytes as f64 / 1e6 / seconds.max(1e-9);
        let unsupported = [("skipped", &unsupported.skipped), ("not_read", &unsupported.listed)];
        Summary { stats: self, unsupported, bytes, seconds, rate }
    }
}

/// The numbers of a search that has ended.
#[derive(Debug)]
pub struct Summary<'s> {
    stats: &'s Stats,
    /// The files that were not read, by format.
    unsupported: [(&'static str, &'s ByFormat); 2],
    bytes: u64,
    seconds: f64,
    /// In MB/s.
    rate: f64,
}

impl Summary<'_> {
    /// Returns the values of each list, the most frequent first. The lists after [`Stats::counts`] are often empty.
    fn lists(&self) -> impl Iterator<Item = (&'static str, Vec<(&str, u64)>)> {
        let counts = self.stats.counts.iter().map(|(name, counts)| (*name, ranked(counts)));
        let left_out = self.stats.left_out.present().map(|(role, count)| (role.as_str(), count));
        let unsupported = self.unsupported.iter().map(|(name, formats)| {
            (*name, formats.iter().map(|(binary, files)| (binary.name(), *files)).collect())
        });
        counts.chain([("excluded", left_out.collect())]).chain(unsupported)
    }

    /// Returns the numbers as a JSON object.
    pub fn to_json(&self) -> Value {
        let Summary { stats, .. } = self;
        let mut all = json!({ "files": stats.files, "messages": stats.messages, "bytes": self.bytes, "matches": stats.matches });
        for (name, list) in self.lists() {
            let named = if name == HOSTS { NAMED } else { list.len() };
            let named = list.into_iter().take(named).map(|(value, count)| (value.to_owned(), count.into()));
            all[name] = named.collect::<Map<_, _>>().into();
        }
        let [.., (_, hosts)] = &stats.counts;
        all["different_hosts"] = hosts.len().into();
        if let Some(time) = stats.strings_time {
            all["strings_seconds"] = milliseconds(time.as_secs_f64()).into();
        }
        all["seconds"] = milliseconds(self.seconds).into();
        all["mb_per_second"] = ((self.rate * 10.0).round() / 10.0).into();
        all
    }
}

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { stats, .. } = self;
        writeln!(
            f,
            "files    {}\nmessages {}\nbytes    {}\nmatches  {}",
            stats.files, stats.messages, self.bytes, stats.matches
        )?;
        for (n, (name, list)) in self.lists().enumerate() {
            if n < stats.counts.len() || !list.is_empty() {
                row(f, &name.replace('_', " "), &list)?;
            }
        }
        if let Some(time) = stats.strings_time {
            writeln!(f, "strings  {:.3} seconds", time.as_secs_f64())?;
        }
        writeln!(f, "seconds  {:.3}\nMB/s     {:.1}", self.seconds, self.rate)
    }
}

/// Seconds, rounded to milliseconds.
fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// A line with the most frequent values and the number of matches of each.
fn row(f: &mut fmt::Formatter<'_>, name: &str, ranked: &[(&str, u64)]) -> fmt::Result {
    write!(f, "{name:<8}")?;
    for (n, (value, count)) in ranked.iter().take(NAMED).enumerate() {
        let comma = if n > 0 { "," } else { "" };
        write!(f, "{comma} {} {count}", Escaped(value.as_bytes()))?;
    }
    if let Some(more @ 1..) = ranked.len().checked_sub(NAMED) {
        write!(f, " and {more} more")?;
    }
    f.write_char('\n')
}

/// The most frequent first, then by name.
fn ranked(counts: &Counts) -> Vec<(&str, u64)> {
    let mut ranked: Vec<_> = counts.iter().map(|(name, &count)| (&**name, count)).collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn megabytes_have_a_million_bytes() {
        let Some(started) = Instant::now().checked_sub(Duration::from_secs(1000)) else { return };
        let stats = Stats { started, ..Stats::new() };
        let unsupported = UnsupportedFiles::default();
        let summary = stats.summary(5_000_000_000, &unsupported);
        assert_eq!(summary.to_json()["mb_per_second"], 5.0);
        assert!(summary.to_string().ends_with("\nMB/s     5.0\n"), "{summary}");
    }
}
