//! Which matches are wanted: `--links`, `--role`, `--match`, `--strings-file`, `--exclude`, `--host` and `--host-list`;
//! and which messages are searched: `--since`, `--until`, `--from` and `--subject`.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::RegexSet;
use regex::{Regex, RegexBuilder};
use urlgrep::Match;
use urlgrep::archive::{Envelope, Message, Role};

use super::strings::Strings;
use crate::error::failure;
use crate::input::read_list;
use crate::output::View;
use crate::output::context::Context;

/// Which matches are wanted. An empty list does not restrict anything.
#[derive(Debug, Default)]
pub struct SelectOptions {
    /// Regular expressions, one of which must match the URL.
    pub matches: Vec<String>,
    /// Files of strings, one of which must be in the URL.
    pub strings_files: Vec<OsString>,
    /// Regular expressions, none of which may match the URL.
    pub exclude: Vec<String>,
    /// What URLs are to a reader.
    pub roles: Vec<Role>,
    /// Globs for hosts.
    pub hosts: Vec<String>,
    /// Files that list hosts.
    pub host_lists: Vec<OsString>,
}

/// The compiled options.
#[derive(Debug, Default)]
pub struct Select {
    matches: Option<RegexSet>,
    strings: Option<Strings>,
    exclude: Option<RegexSet>,
    hosts: Option<Hosts>,
    /// The options, whose lists are read later.
    options: SelectOptions,
}

impl Select {
    /// Compiles the options. The lists are not read yet.
    ///
    /// # Errors
    ///
    /// If a regular expression or a glob is not valid.
    pub fn new(options: SelectOptions) -> Result<Select, String> {
        let by_host = !(options.hosts.is_empty() && options.host_lists.is_empty());
        let hosts = by_host.then(|| Hosts::new(&options.hosts)).transpose();
        Ok(Select {
            matches: regexes(&options.matches).map_err(|error| format!("--match: {error}"))?,
            exclude: regexes(&options.exclude).map_err(|error| explain_exclude(&options.exclude, &error))?,
            hosts: hosts.map_err(|error| format!("--host: {error}"))?,
            strings: None,
            options,
        })
    }

    /// Reads the lists of hosts and of strings.
    ///
    /// # Errors
    ///
    /// If a list cannot be read, or a line is not a host.
    pub fn read_lists(&mut self) -> anyhow::Result<()> {
        let SelectOptions { strings_files, host_lists, .. } = &self.options;
        if !strings_files.is_empty() {
            self.strings = Some(Strings::read(strings_files.iter().map(Path::new))?);
        }
        let Some(hosts) = &mut self.hosts else { return Ok(()) };
        host_lists.iter().try_for_each(|list| hosts.add_list(list.as_ref()))
    }

    /// How long the list of strings took, if there is one.
    pub fn strings_time(&self) -> Option<Duration> {
        self.strings.as_ref().map(|strings| strings.built_in)
    }

    /// Whether every match is wanted.
    pub fn is_everything(&self) -> bool {
        self.matches.is_none()
            && self.strings.is_none()
            && self.exclude.is_none()
            && self.hosts.is_none()
            && self.options.roles.is_empty()
    }

    /// Whether a match is wanted whose `role` this is.
    pub fn wants(&self, matched: &Match<'_>, role: impl FnOnce() -> Role) -> bool {
        let roles = &self.options.roles;
        (roles.is_empty() || roles.contains(&role())) && self.wants_url(matched)
    }

    fn wants_url(&self, matched: &Match<'_>) -> bool {
        let url = matched.as_bytes();
        let one_matches = match (&self.matches, &self.strings) {
            (None, None) => true,
            (set, strings) => {
                set.as_ref().is_some_and(|set| set.is_match(url))
                    || strings.as_ref().is_some_and(|strings| strings.are_in(url))
            }
        };
        one_matches
            && !self.exclude.as_ref().is_some_and(|set| set.is_match(url))
            && self.hosts.as_ref().is_none_or(|set| matched.host().is_some_and(|host| set.contains(&host)))
    }
}

/// The error of `--exclude`, with a hint if a glob for files is meant.
fn explain_exclude(patterns: &[String], error: &regex::Error) -> String {
    let glob = patterns.iter().find(|pattern| pattern.starts_with('*'));
    let hint = glob.map(|glob| format!("\nto leave out files, use --glob '!{glob}'"));
    format!("--exclude: {error}{}", hint.unwrap_or_default())
}

/// The set of these regular expressions; none if there are none.
fn regexes(patterns: &[String]) -> Result<Option<RegexSet>, regex::Error> {
    (!patterns.is_empty()).then(|| RegexSet::new(patterns)).transpose()
}

/// A set of hosts.
///
/// A list is a hash set of names, each of which stands for itself and for all names
/// below it. A lookup costs one probe for each label of the host, whatever the
/// length of the list. An automaton over a hundred thousand names would take longer
/// to build than most archives take to search.
#[derive(Debug)]
struct Hosts {
    globs: GlobSet,
    /// In lower case, without a trailing dot.
    names: HashSet<Box<[u8]>>,
}

impl Hosts {
    /// The hosts that match one of `globs`.
    ///
    /// # Errors
    ///
    /// If a glob is not valid.
    fn new(globs: &[String]) -> Result<Hosts, String> {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            can_be_host(glob.as_bytes())?;
            let glob = GlobBuilder::new(glob).case_insensitive(true).build();
            set.add(glob.map_err(|error| error.to_string())?);
        }
        let globs = set.build().map_err(|error| error.to_string())?;
        Ok(Hosts { globs, names: HashSet::new() })
    }

    /// Adds the hosts in a list.
    ///
    /// # Errors
    ///
    /// If the list cannot be read, or a line is not a host.
    fn add_list(&mut self, path: &Path) -> anyhow::Result<()> {
        let list = read_list(path)?;
        for (index, line) in list.split(|&byte| byte == b'\n').enumerate() {
            let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
            let name = line.trim_ascii().to_ascii_lowercase();
            let name = name.strip_suffix(b".").unwrap_or(&name);
            if name.is_empty() {
                continue;
            }
            is_host(name).map_err(|reason| failure(path, anyhow!("line {}: {reason}", index + 1)))?;
            self.names.insert(name.into());
        }
        Ok(())
    }

    /// Whether `host`, in lower case, is in the set.
    fn contains(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        if !self.globs.is_empty() && self.globs.is_match(Path::new(host)) {
            return true;
        }
        let labels = host.match_indices('.').map(|(dot, _)| &host[dot + 1..]);
        !self.names.is_empty()
            && std::iter::once(host).chain(labels).any(|name| self.names.contains(name.as_bytes()))
    }
}

/// Refuses a glob that can match no host.
fn can_be_host(glob: &[u8]) -> Result<(), String> {
    let bad = |&byte: &u8| match byte {
        b'/' | b'@' => true,
        // An IPv6 address is in brackets.
        b':' => !glob.contains(&b'['),
        _ => byte.is_ascii_whitespace(),
    };
    if !glob.iter().any(bad) {
        return Ok(());
    }
    let glob = String::from_utf8_lossy(glob);
    Err(format!("{glob:?} is not a host; type only the name, without scheme and path: h.org"))
}

/// Refuses a line that is not the name of a host.
fn is_host(name: &[u8]) -> Result<(), String> {
    can_be_host(name)?;
    match name.contains(&b'*') {
        true => Err(format!("{:?} is a pattern; use --host for patterns", String::from_utf8_lossy(name))),
        false => Ok(()),
    }
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A byte offset, from 0.
    Offset(u64),
    /// A line and a column in bytes, from 1.
    Column { line: u64, column: u64 },
}

impl Place {
    /// Whether the place is in a match. Of one over several lines, `context` has the lines.
    pub fn is_in(self, view: &View<'_>, context: Option<&Context<'_>>) -> bool {
        match self {
            Place::Offset(offset) => {
                let span = view.hit.span();
                let base = view.base.offset;
                (span.start + base..span.end + base).contains(&offset)
            }
            Place::Column { line, column } => {
                let Some((start, context)) = view.position().zip(context) else {
                    return false;
                };
                let text = &context.text[context.span.clone()];
                let before = text.split(|&b| b == b'\n');
                let mut lines = (start.line..).zip(before);
                lines.any(|(n, text)| {
                    let first = if n == start.line { start.column } else { 1 };
                    n == line && (first..first + text.len() as u64).contains(&column)
                })
            }
        }
    }
}

/// Which messages are searched. `None` does not restrict anything.
#[derive(Debug, Default)]
pub struct MessageOptions {
    pub since: Option<Date>,
    pub until: Option<Date>,
    /// Regular expressions.
    pub from: Option<String>,
    pub subject: Option<String>,
}

/// The compiled options.
#[derive(Debug, Default)]
pub struct Messages {
    since: Option<Date>,
    until: Option<Date>,
    from: Option<Regex>,
    subject: Option<Regex>,
}

impl Messages {
    /// Compiles the options.
    ///
    /// # Errors
    ///
    /// If a regular expression is not valid.
    pub fn new(options: &MessageOptions) -> Result<Messages, String> {
        let regex = |option: &str, pattern: &Option<String>| {
            let compile = |pattern: &String| RegexBuilder::new(pattern).case_insensitive(true).build();
            pattern.as_ref().map(compile).transpose().map_err(|error| format!("{option}: {error}"))
        };
        Ok(Messages {
            since: options.since,
            until: options.until,
            from: regex("--from", &options.from)?,
            subject: regex("--subject", &options.subject)?,
        })
    }

    /// Whether every input is searched.
    pub fn is_everything(&self) -> bool {
        self.since.is_none() && self.until.is_none() && self.from.is_none() && self.subject.is_none()
    }

    /// Whether a message is searched; `None` if it is the rest of the message before it.
    pub fn wants(&self, message: &Message<'_>) -> Option<bool> {
        if self.is_everything() {
            return Some(true);
        }
        message.envelope().map(|envelope| self.wants_envelope(&envelope))
    }

    fn wants_envelope(&self, envelope: &Envelope<'_>) -> bool {
        let matches = |regex: &Option<Regex>, value: fn(&Envelope<'_>) -> Option<String>| {
            regex.as_ref().is_none_or(|regex| value(envelope).is_some_and(|value| regex.is_match(&value)))
        };
        matches(&self.from, |envelope| envelope.from())
            && matches(&self.subject, |envelope| envelope.subject())
            && self.wants_date(envelope)
    }

    fn wants_date(&self, envelope: &Envelope<'_>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let date = envelope.date().and_then(|date| Date::parse(&date).ok());
        date.is_some_and(|date| {
            self.since.is_none_or(|since| date.start >= since.start)
                && self.until.is_none_or(|until| date.start < until.end)
        })
    }
}

/// A second, a day, a month or a year, in seconds from 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    start: i64,
    end: i64,
}

const DAY: i64 = 24 * 60 * 60;

impl Date {
    /// Parses `2001`, `2001-03`, `2001-03-02`, and RFC 3339: `2001-03-02T10:11:12+01:00`,
    /// with or without seconds and zone.
    ///
    /// # Errors
    ///
    /// If the date has another form, or does not exist.
    pub fn parse(text: &str) -> Result<Date, &'static str> {
        read(text).ok_or("expected a date: 2001, 2001-03, 2001-03-02 or 2001-03-02T10:11:12+01:00")
    }
}

fn read(text: &str) -> Option<Date> {
    let (date, time) = text.split_once(['T', ' ']).map_or((text, None), |(date, time)| (date, Some(time)));
    let part = |(n, part)| number(part, if n == 0 { 4 } else { 2 });
    let parts: Vec<i64> = date.split('-').enumerate().map(part).collect::<Option<_>>()?;
    let (first, len) = match *parts {
        [year] => (days(year, 1), days(year + 1, 1) - days(year, 1)),
        [year, month @ 1..=12] => (days(year, month), days_in(year, month)),
        [year, month @ 1..=12, day] if (1..=days_in(year, month)).contains(&day) => {
            (days(year, month) + day - 1, 1)
        }
        _ => return None,
    };
    let start = first * DAY;
    match time {
        None => Some(Date { start, end: start + len * DAY }),
        Some(time) if parts.len() == 3 => {
            let time = read_time(time)?;
            Some(Date { start: start + time.start, end: start + time.end })
        }
        Some(_) => None,
    }
}

/// A time of the day with its zone, in seconds from midnight in UTC.
fn read_time(text: &str) -> Option<Date> {
    let zone = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone);
    let mut numbers = time.split(':');
    let (hour, minute) = (number(numbers.next()?, 2)?, number(numbers.next()?, 2)?);
    let second = numbers.next().map(|second| second.split('.').next().unwrap_or_default());
    let (second, len) = match second {
        // A leap second is the first of the next minute.
        Some(second) => (number(second, 2).filter(|&second| second <= 60)?, 1),
        None => (0, 60),
    };
    if hour > 23 || minute > 59 || numbers.next().is_some() {
        return None;
    }
    let start = hour * 3600 + minute * 60 + second - offset(zone)?;
    Some(Date { start, end: start + len })
}

/// The offset of a zone in seconds.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first() {
        None => return Some(0),
        Some(b'Z' | b'z') => return (zone.len() == 1).then_some(0),
        Some(b'-') => -1,
        Some(_) => 1,
    };
    let (hours, minutes) = zone[1..].split_once(':')?;
    Some(sign * (number(hours, 2)? * 3600 + number(minutes, 2)? * 60))
}

/// A number of exactly `digits` digits.
fn number(text: &str, digits: usize) -> Option<i64> {
    let all = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    if all { text.parse().ok() } else { None }
}

/// The number of days from 1970 to the first of a month, in the Gregorian calendar.
fn days(year: i64, month: i64) -> i64 {
    let before = (1..month).map(|month| days_in(year, month)).sum::<i64>();
    let leap_years = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * (year - 1970) + leap_years(year - 1) - leap_years(1969) + before
}

fn days_in(year: i64, month: i64) -> i64 {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_the_names_below_it() {
        let mut hosts = Hosts::new(&["*.EDU".to_owned()]).unwrap();
        hosts.names.insert(b"h.org"[..].into());
        for host in ["h.org", "h.org.", "www.a.h.org", "mit.edu", "www.mit.edu."] {
            assert!(hosts.contains(host), "{host}");
        }
        for host in ["xh.org", "org", "h.org.uk", "edu", "", "."] {
            assert!(!hosts.contains(host), "{host}");
        }
    }

    fn range(text: &str) -> Option<(i64, i64)> {
        Date::parse(text).ok().map(|date| (date.start, date.end))
    }

    #[test]
    fn dates_in_seconds() {
        assert_eq!(range("1970"), Some((0, 365 * DAY)));
        assert_eq!(range("1970-01-02"), Some((DAY, 2 * DAY)));
        assert_eq!(range("2000-02"), Some((951_782_400 - 28 * DAY, 951_782_400 + DAY)));
        assert_eq!(range("2001-03-02T10:11:12Z"), Some((983_527_872, 983_527_873)));
        assert_eq!(range("2001-03-02T11:11:12+01:00"), range("2001-03-02T10:11:12Z"));
        assert_eq!(range("2001-03-02T10:11:12.5-00:00"), range("2001-03-02 10:11:12"));
        assert_eq!(range("2001-03-02T10:11"), Some((983_527_860, 983_527_920)));
        assert_eq!(range("1969-12-31"), Some((-DAY, 0)));
    }

    #[test]
    fn what_is_not_a_date() {
        for text in [
            "",
            "1",
            "01-02-2003",
            "2001-13",
            "2001-02-29",
            "2001-03-02T25:00",
            "2001T10:11",
            "2001-3",
            "today",
        ] {
            assert_eq!(range(text), None, "{text}");
        }
    }
}
