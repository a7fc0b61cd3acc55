//! Which of the URLs that are found are wanted.

use regex::bytes::RegexSet;
use urlgrep::Match;

use crate::args::SelectArgs;
use crate::hosts::{self, Hosts};

/// What a URL must be to be wanted.
#[derive(Debug, Default)]
pub struct Select {
    /// One of which matches, if there are any.
    matches: Option<RegexSet>,
    /// None of which matches, if there are any.
    exclude: Option<RegexSet>,
    hosts: Option<Hosts>,
}

impl Select {
    /// What is asked for; the lists of hosts are yet to be added.
    ///
    /// # Errors
    ///
    /// If a pattern is none.
    pub fn new(args: &SelectArgs) -> Result<Select, String> {
        let by_host = !(args.host.is_empty() && args.host_list.is_empty());
        Ok(Select {
            matches: regexes(&args.matches).map_err(|error| format!("--match: {error}"))?,
            exclude: regexes(&args.exclude).map_err(|error| format!("--exclude: {error}"))?,
            hosts: by_host
                .then(|| Hosts::new(&args.host))
                .transpose()
                .map_err(|error| format!("--host: {error}"))?,
        })
    }

    /// Reads the lists of hosts.
    ///
    /// # Errors
    ///
    /// If one cannot be read, or lists what is no host.
    pub fn add_lists(&mut self, args: &SelectArgs) -> anyhow::Result<()> {
        let Some(hosts) = &mut self.hosts else { return Ok(()) };
        args.host_list.iter().try_for_each(|list| hosts.add_list(list.as_ref()))
    }

    /// Whether every find is wanted.
    pub fn takes_all(&self) -> bool {
        self.matches.is_none() && self.exclude.is_none() && self.hosts.is_none()
    }

    /// Whether a find is wanted.
    pub fn wants(&self, found: &Match<'_>) -> bool {
        let url = found.as_bytes();
        self.matches.as_ref().is_none_or(|set| set.is_match(url))
            && !self.exclude.as_ref().is_some_and(|set| set.is_match(url))
            && self.hosts.as_ref().is_none_or(|hosts| hosts::of(found).is_some_and(|host| hosts.have(host)))
    }
}

/// The patterns that are given, if any are.
fn regexes(patterns: &[String]) -> Result<Option<RegexSet>, regex::Error> {
    (!patterns.is_empty()).then(|| RegexSet::new(patterns)).transpose()
}
