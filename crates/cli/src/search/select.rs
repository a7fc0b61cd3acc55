//! Selects matches: `--links`, `--role`, `--warnings`, `--unquoted`, `--match`, `--strings-file`,
//! `--exclude`, `--host`, and `--where` about fields of the match.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use anyhow::anyhow;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{RegexSet, RegexSetBuilder};
use urlgrep::archive::Role;
use urlgrep::table::Row;
use urlgrep::{Match, Warning};
use urlgrep_print::context::Context;

use super::condition::{Condition, regex_error};
use super::network::{self, Network};
use super::strings::Strings;
use crate::error::failure;
use crate::input::read_list;
use crate::output::View;

/// A role of a URL for a reader, as the user writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleChoice {
    Of(Role),
    /// URLs in header fields that end a subscription (RFC 2369 §3.2).
    Unsubscribe,
}

impl RoleChoice {
    /// Returns the role of such URLs.
    pub fn role(self) -> Role {
        match self {
            RoleChoice::Of(role) => role,
            RoleChoice::Unsubscribe => Role::Header,
        }
    }

    /// Returns true if a match has the requested role.
    fn includes(self, matched: &Match<'_>) -> bool {
        let field = || matched.context().and_then(|context| context.header());
        matched.role() == self.role()
            && (self != RoleChoice::Unsubscribe
                || field().is_some_and(|name| name.eq_ignore_ascii_case("List-Unsubscribe")))
    }
}

/// The options that select matches. An empty list does not restrict anything.
#[derive(Debug, Default)]
pub struct SelectOptions {
    /// Regular expressions, one of which must match the URL.
    pub matches: Vec<String>,
    /// Files of strings, one of which must be in the URL.
    pub strings_files: Vec<OsString>,
    /// Regular expressions, none of which may match the URL.
    pub exclude: Vec<String>,
    /// True if these and the strings are case-insensitive.
    pub ignore_case: bool,
    /// The roles of the URLs.
    pub roles: Vec<RoleChoice>,
    /// The warnings of the URLs: one of them is enough.
    pub warnings: Vec<Warning>,
    /// True if URLs in quoted text are skipped.
    pub unquoted: bool,
    /// Globs for hosts, and after "@" files that list hosts; with a leading "!", for hosts that are not wanted.
    pub hosts: Vec<String>,
    /// Conditions, all of which must hold.
    pub conditions: Vec<Condition>,
}

/// The compiled options.
#[derive(Debug, Default)]
pub struct Select {
    matches: Option<RegexSet>,
    pub strings: Option<Strings>,
    exclude: Option<RegexSet>,
    hosts: Option<Hosts>,
    not_hosts: Option<Hosts>,
    /// The options, whose lists are read later.
    options: SelectOptions,
}

impl Select {
    /// Compiles the options. The lists are not read yet.
    ///
    /// # Errors
    ///
    /// Returns an error if a regular expression or a glob is not valid.
    pub fn new(options: SelectOptions) -> Result<Select, String> {
        let set = |wanted| {
            let mut hosts = options.hosts(wanted).peekable();
            let set = hosts.peek().is_some().then(|| Hosts::new(hosts)).transpose();
            set.map_err(|error| format!("--host: {error}"))
        };
        // A pattern that begins with `*` is a glob for files, not a regex.
        let glob = options.exclude.iter().find(|pattern| pattern.starts_with('*'));
        let hint = glob.map_or_else(String::new, |glob| format!("; to exclude files, use --glob '!{glob}'"));
        let exclude =
            options.regexes(&options.exclude).map_err(|error| format!("--exclude: {error}{hint}"))?;
        Ok(Select {
            matches: options.regexes(&options.matches).map_err(|error| format!("--match: {error}"))?,
            exclude,
            hosts: set(true)?,
            not_hosts: set(false)?,
            strings: None,
            options,
        })
    }

    /// Reads the lists of hosts and of strings.
    ///
    /// # Errors
    ///
    /// Returns an error if a list cannot be read, or a line is not a host.
    pub fn read_lists(&mut self) -> anyhow::Result<()> {
        let SelectOptions { strings_files, ignore_case, .. } = &self.options;
        if !strings_files.is_empty() {
            self.strings = Some(Strings::read(strings_files.iter().map(Path::new), *ignore_case)?);
        }
        for (wanted, hosts) in [(true, &mut self.hosts), (false, &mut self.not_hosts)] {
            let lists = self.options.hosts(wanted).filter_map(|host| host.strip_prefix('@'));
            let Some(hosts) = hosts else { continue };
            lists.map(Path::new).try_for_each(|list| hosts.add_list(list))?;
        }
        Ok(())
    }

    /// Returns true if every match is wanted.
    pub fn is_everything(&self) -> bool {
        self.matches.is_none()
            && self.strings.is_none()
            && self.exclude.is_none()
            && self.hosts.is_none()
            && self.not_hosts.is_none()
            && self.options.roles.is_empty()
            && self.options.warnings.is_empty()
            && !self.options.unquoted
            && self.options.conditions.is_empty()
    }

    /// Returns the name of the option that rejects a match, or `None` if the match is wanted. `row` is called only if
    /// there are conditions.
    /// Plain text has no quotations, because its author is unknown.
    pub fn refusal<'r>(&self, matched: &Match<'_>, row: impl FnOnce() -> Row<'r>) -> Option<&'static str> {
        let SelectOptions { roles, warnings, unquoted, conditions, .. } = &self.options;
        let is_quoted = || matched.context().is_some_and(|context| context.quote_depth() > 0);
        if !roles.is_empty() && !roles.iter().any(|role| role.includes(matched)) {
            return Some("--role or --links");
        }
        if *unquoted && is_quoted() {
            return Some("--unquoted");
        }
        if !warnings.is_empty() && !matched.warnings().iter().any(|warning| warnings.contains(&warning)) {
            return Some("--warnings");
        }
        let (url, text) = (matched.as_bytes(), || matched.context()?.link_text());
        let one_matches = match (&self.matches, &self.strings) {
            (None, None) => true,
            (set, strings) => {
                strings.as_ref().is_some_and(|strings| strings.automaton.is_match(url))
                    || set.as_ref().is_some_and(|set| {
                        set.is_match(url) || text().is_some_and(|text| set.is_match(&text))
                    })
            }
        };
        if !one_matches {
            return Some("--match or --strings-file");
        }
        if self.exclude.as_ref().is_some_and(|set| set.is_match(url)) {
            return Some("--exclude");
        }
        let has_host = |set: &Hosts| matched.host().is_some_and(|host| set.contains(&host));
        if !self.hosts.as_ref().is_none_or(has_host) || self.not_hosts.as_ref().is_some_and(has_host) {
            return Some("--host");
        }
        let row = if conditions.is_empty() { return None } else { row() };
        (!conditions.iter().all(|condition| condition.holds_for(&row))).then_some("--where")
    }
}

impl SelectOptions {
    /// The globs and lists of the hosts that are wanted, or of those that are not.
    fn hosts(&self, wanted: bool) -> impl Iterator<Item = &str> {
        self.hosts.iter().filter_map(move |host| match host.strip_prefix('!') {
            Some(host) => (!wanted).then_some(host),
            None => wanted.then_some(host.as_str()),
        })
    }

    /// The set of these regular expressions; `None` without any.
    fn regexes(&self, patterns: &[String]) -> Result<Option<RegexSet>, String> {
        let set =
            |patterns: &[String]| RegexSetBuilder::new(patterns).case_insensitive(self.ignore_case).build();
        let is_wrong = |pattern: &&String| set(std::slice::from_ref(pattern)).is_err();
        let wrong = || patterns.iter().find(is_wrong).or(patterns.first());
        let error = |error| regex_error(wrong().map_or("", String::as_str), &error);
        (!patterns.is_empty()).then(|| set(patterns)).transpose().map_err(error)
    }
}

/// A set of hosts.
///
/// A name, from an option or a list, matches itself and all names below it. The names are a hash
/// set. A lookup costs one probe for each label of the host, regardless of the length of the list.
/// An automaton over a hundred thousand names would take longer to build than most archives take to
/// search.
#[derive(Debug)]
struct Hosts {
    globs: GlobSet,
    networks: Vec<Network>,
    /// In lower case, without a trailing dot.
    names: HashSet<Box<[u8]>>,
}

impl Hosts {
    /// Creates the set of the names with their subdomains, of the globs and of the networks. Lists (`@FILE`) are not
    /// read.
    ///
    /// # Errors
    ///
    /// Returns an error if a glob or a network is not valid.
    fn new<'h>(hosts: impl IntoIterator<Item = &'h str>) -> Result<Hosts, String> {
        let (mut globs, mut networks, mut names) = (GlobSetBuilder::new(), Vec::new(), HashSet::new());
        for host in hosts.into_iter().filter(|host| !host.starts_with('@')) {
            if let Some(network) = Network::parse(host) {
                networks.push(network?);
                continue;
            }
            can_be_host(host.as_bytes())?;
            if !is_glob(host) {
                names.insert(host_key(host.as_bytes()));
                continue;
            }
            let glob = GlobBuilder::new(host).case_insensitive(true).build();
            globs.add(glob.map_err(|error| error.to_string())?);
        }
        let globs = globs.build().map_err(|error| error.to_string())?;
        Ok(Hosts { globs, networks, names })
    }

    /// Adds the hosts in a list.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be read, or a line is not a host.
    fn add_list(&mut self, path: &Path) -> anyhow::Result<()> {
        let list = read_list("--host", path)?;
        for (index, line) in list.split(|&byte| byte == b'\n').enumerate() {
            let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
            let name = host_key(line.trim_ascii());
            if name.is_empty() {
                continue;
            }
            let added = match str::from_utf8(&name).ok().and_then(Network::parse) {
                Some(network) => network.map(|network| self.networks.push(network)),
                None => is_host(&name).map(|()| _ = self.names.insert(name)),
            };
            added.map_err(|reason| failure(path, anyhow!("line {}: {reason}", index + 1)))?;
        }
        Ok(())
    }

    /// Returns true if `host`, in lower case, is in the set.
    fn contains(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        if !self.globs.is_empty() && self.globs.is_match(Path::new(host)) {
            return true;
        }
        let is_in = |address| self.networks.iter().any(|network| network.contains(address));
        if !self.networks.is_empty() && network::address(host).is_some_and(is_in) {
            return true;
        }
        let labels = host.match_indices('.').map(|(dot, _)| &host[dot + 1..]);
        !self.names.is_empty()
            && std::iter::once(host).chain(labels).any(|name| self.names.contains(name.as_bytes()))
    }
}

/// Returns true if it matches names other than its own and those below it. An IPv6 address is in
/// brackets.
fn is_glob(host: &str) -> bool {
    let is_address = host.starts_with('[') && host.contains(':');
    host.contains(['*', '?', '[', '{']) && !is_address
}

/// A name in lower case, without a trailing dot.
fn host_key(name: &[u8]) -> Box<[u8]> {
    name.strip_suffix(b".").unwrap_or(name).to_ascii_lowercase().into()
}

/// Refuses a glob that can match no host.
fn can_be_host(glob: &[u8]) -> Result<(), String> {
    let bad = |&byte: &u8| match byte {
        b'/' | b'@' | b'!' => true,
        // An IPv6 address is in brackets.
        b':' => !glob.contains(&b'['),
        _ => byte.is_ascii_whitespace(),
    };
    if !glob.is_empty() && !glob.iter().any(bad) {
        return Ok(());
    }
    let glob = String::from_utf8_lossy(glob);
    Err(format!("expected a host, found {glob:?}; use only the name, without scheme and path: h.org"))
}

/// Refuses a line that is not the name of a host.
fn is_host(name: &[u8]) -> Result<(), String> {
    can_be_host(name)?;
    match name.contains(&b'*') {
        true => {
            let name = String::from_utf8_lossy(name);
            Err(format!(
                "expected a host, found the pattern {name:?}, which a file of hosts cannot contain; pass it as --host {name:?}"
            ))
        }
        false => Ok(()),
    }
}

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A byte offset, from 0.
    Offset(u64),
    /// A line and a column in bytes, from 1.
    Column { line: u64, column: u64 },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Offset(offset) => write!(f, "{offset}"),
            Place::Column { line, column } => write!(f, "{line}:{column}"),
        }
    }
}

impl Place {
    /// Returns true if the position is in a match. For a match on several lines, `context` contains
    /// the lines.
    pub fn is_in(self, view: &View<'_>, context: Option<&Context<'_>>) -> bool {
        match self {
            Place::Offset(offset) => {
                let span = view.matched.span();
                (span.start + view.offset..span.end + view.offset).contains(&offset)
            }
            Place::Column { line, column } => {
                let Some((start, context)) = view.matched.position().zip(context) else {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_globs_and_networks_together() {
        let hosts = ["h.org", "*.edu", "10.0.0.0/8", "[2001:db8::]/32"];
        let hosts = Hosts::new(hosts).unwrap();
        for host in ["www.h.org", "mit.edu", "10.1.2.3", "10.1.2.3.", "[2001:db8::7]"] {
            assert!(hosts.contains(host), "{host}");
        }
        for host in ["i.org", "11.1.2.3", "10.h.net", "[2001:db9::7]"] {
            assert!(!hosts.contains(host), "{host}");
        }
    }

    #[test]
    fn a_name_stands_for_the_names_below_it() {
        let mut hosts = Hosts::new(["*.EDU"]).unwrap();
        hosts.names.insert(b"h.org"[..].into());
        for host in ["h.org", "h.org.", "www.a.h.org", "mit.edu", "www.mit.edu."] {
            assert!(hosts.contains(host), "{host}");
        }
        for host in ["xh.org", "org", "h.org.uk", "edu", "", "."] {
            assert!(!hosts.contains(host), "{host}");
        }
    }

    #[test]
    fn names_are_not_globs() {
        for (host, expected) in [
            ("h.org", false),
            ("*.h.org", true),
            ("h?.org", true),
            ("h[ab].org", true),
            ("{a,b}.org", true),
            ("[2001:db8::7]", false),
        ] {
            assert_eq!(is_glob(host), expected, "{host}");
        }
        let hosts = Hosts::new(["{a,b}.org", "H.Org."]).unwrap();
        for (host, expected) in [("a.org", true), ("c.org", false), ("www.h.org", true), ("h.org.", true)] {
            assert_eq!(hosts.contains(host), expected, "{host}");
        }
    }

    #[test]
    fn what_can_be_a_host() {
        for (glob, can_be) in [
            ("h.org", true),
            ("*.h.*", true),
            ("[2001:db8::7]", true),
            ("[2001:db8::]/32", false),
            ("2001:db8::7", false),
            ("h.org:80", false),
            ("h.org/a", false),
            ("me@h.org", false),
            ("!h.org", false),
            ("h org", false),
            ("", false),
        ] {
            assert_eq!(can_be_host(glob.as_bytes()).is_ok(), can_be, "{glob}");
        }
    }
}
