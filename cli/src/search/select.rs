//! `--match`, `--strings-file`, `--exclude`, `--host` and `--host-list`: which matches are wanted.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use regex::bytes::RegexSet;
use urlgrep::Match;

use super::hosts::Hosts;
use super::strings::Strings;

/// Which matches are wanted. An empty list does not restrict anything.
#[derive(Debug, Default)]
pub struct SelectOptions {
    /// Regular expressions, one of which must match the URL.
    pub matches: Vec<String>,
    /// Files of strings, one of which must be in the URL.
    pub strings_files: Vec<OsString>,
    /// Regular expressions, none of which may match the URL.
    pub exclude: Vec<String>,
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
    /// The lists that have not been read.
    host_lists: Vec<OsString>,
    strings_files: Vec<OsString>,
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
            host_lists: options.host_lists,
            strings: None,
            strings_files: options.strings_files,
        })
    }

    /// Reads the lists of hosts and of strings.
    ///
    /// # Errors
    ///
    /// If a list cannot be read, or a line is not a host.
    pub fn read_lists(&mut self) -> anyhow::Result<()> {
        if !self.strings_files.is_empty() {
            self.strings = Some(Strings::read(self.strings_files.iter().map(Path::new))?);
        }
        let Some(hosts) = &mut self.hosts else { return Ok(()) };
        self.host_lists.drain(..).try_for_each(|list| hosts.add_list(list.as_ref()))
    }

    /// How long the list of strings took, if there is one.
    pub fn strings_time(&self) -> Option<Duration> {
        self.strings.as_ref().map(|strings| strings.built_in)
    }

    /// Whether every match is wanted.
    pub fn is_everything(&self) -> bool {
        self.matches.is_none() && self.strings.is_none() && self.exclude.is_none() && self.hosts.is_none()
    }

    /// Whether a match is wanted.
    pub fn wants(&self, matched: &Match<'_>) -> bool {
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
