//! Sets of hosts, for `--host` and `--host-list`.
//!
//! A list is a hash set of names, each of which stands for itself and for all names
//! below it. A lookup costs one probe for each label of the host, whatever the
//! length of the list. An automaton over a hundred thousand names would take longer
//! to build than most archives take to search.

use std::collections::HashSet;
use std::path::Path;

use anyhow::anyhow;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::error::failure;
use crate::input::read_list;

/// A set of hosts.
#[derive(Debug)]
pub struct Hosts {
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
    pub fn new(globs: &[String]) -> Result<Hosts, String> {
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
    pub fn add_list(&mut self, path: &Path) -> anyhow::Result<()> {
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
    pub fn contains(&self, host: &str) -> bool {
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
    match glob.iter().any(bad) {
        true => {
            let glob = String::from_utf8_lossy(glob);
            Err(format!("{glob:?} is not a host; type only the name, without scheme and path: h.org"))
        }
        false => Ok(()),
    }
}

/// Refuses a line that is not the name of a host.
fn is_host(name: &[u8]) -> Result<(), String> {
    can_be_host(name)?;
    match name.contains(&b'*') {
        true => Err(format!("{:?} is a pattern; use --host for patterns", String::from_utf8_lossy(name))),
        false => Ok(()),
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
}
