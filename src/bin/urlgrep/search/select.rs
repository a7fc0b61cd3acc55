//! `--match`, `--exclude`, `--host` and `--host-list`: which matches are wanted.

use std::ffi::OsString;

use regex::bytes::RegexSet;
use urlgrep::Match;

use super::hosts::Hosts;

/// Which matches are wanted. An empty list does not restrict anything.
#[derive(Debug, Default)]
pub struct SelectOptions {
    /// Regular expressions, one of which must match the URL.
    pub matches: Vec<String>,
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
    exclude: Option<RegexSet>,
    hosts: Option<Hosts>,
    /// The lists that have not been read.
    host_lists: Vec<OsString>,
}

impl Select {
    /// Compiles the options. The lists of hosts are not read yet.
    ///
    /// # Errors
    ///
    /// If a regular expression or a glob is not valid.
    pub fn new(options: SelectOptions) -> Result<Select, String> {
        let by_host = !(options.hosts.is_empty() && options.host_lists.is_empty());
        let hosts = by_host.then(|| Hosts::new(&options.hosts)).transpose();
        Ok(Select {
            matches: regexes(&options.matches).map_err(|error| format!("--match: {error}"))?,
            exclude: regexes(&options.exclude).map_err(|error| format!("--exclude: {error}"))?,
            hosts: hosts.map_err(|error| format!("--host: {error}"))?,
            host_lists: options.host_lists,
        })
    }

    /// Reads the lists of hosts.
    ///
    /// # Errors
    ///
    /// If a list cannot be read, or a line is not a host.
    pub fn read_lists(&mut self) -> anyhow::Result<()> {
        let Some(hosts) = &mut self.hosts else { return Ok(()) };
        self.host_lists.drain(..).try_for_each(|list| hosts.add_list(list.as_ref()))
    }

    /// Whether every match is wanted.
    pub fn is_everything(&self) -> bool {
        self.matches.is_none() && self.exclude.is_none() && self.hosts.is_none()
    }

    /// Whether a match is wanted.
    pub fn wants(&self, matched: &Match<'_>) -> bool {
        let url = matched.as_bytes();
        self.matches.as_ref().is_none_or(|set| set.is_match(url))
            && !self.exclude.as_ref().is_some_and(|set| set.is_match(url))
            && self.hosts.as_ref().is_none_or(|set| matched.host().is_some_and(|host| set.contains(&host)))
    }
}

/// The set of these regular expressions; none if there are none.
fn regexes(patterns: &[String]) -> Result<Option<RegexSet>, regex::Error> {
    (!patterns.is_empty()).then(|| RegexSet::new(patterns)).transpose()
}
