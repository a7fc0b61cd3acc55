//! Hosts of URLs, and sets of them.
//!
//! A list of hosts is a set of names, each of which stands for itself and all
//! names below it. To look a host up costs as many looks as it has labels,
//! whatever the length of the list. An automaton over a hundred thousand names
//! would take longer to build than most archives take to search, and more
//! memory, and would still have to be asked whether what it found begins with a
//! label.

use std::collections::HashSet;
use std::path::Path;

use anyhow::anyhow;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use urlgrep::{Match, grammar};

use crate::walk::{failure, read_list};

/// A set of hosts.
#[derive(Debug)]
pub struct Hosts {
    globs: GlobSet,
    /// In lower case, without a dot at the end.
    names: HashSet<Box<[u8]>>,
}

impl Hosts {
    /// The hosts that one of `globs` matches.
    ///
    /// # Errors
    ///
    /// If one of them is none.
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

    /// Adds the hosts that a file lists.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or has a line that is no host.
    pub fn add_list(&mut self, path: &Path) -> anyhow::Result<()> {
        let list = read_list(path)?;
        for (index, line) in list.split(|&byte| byte == b'\n').enumerate() {
            let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
            let name = without_dot(line.trim_ascii()).to_ascii_lowercase();
            if name.is_empty() {
                continue;
            }
            is_host(&name).map_err(|reason| failure(path, anyhow!("line {}: {reason}", index + 1)))?;
            self.names.insert(name.into());
        }
        Ok(())
    }

    /// Whether `host` is one of them.
    pub fn have(&self, host: &[u8]) -> bool {
        let host = without_dot(host);
        if !self.globs.is_empty() && self.globs.is_match(Path::new(&*String::from_utf8_lossy(host))) {
            return true;
        }
        if self.names.is_empty() {
            return false;
        }
        let host = host.to_ascii_lowercase();
        let labels = memchr::memchr_iter(b'.', &host).map(|dot| &host[dot + 1..]);
        std::iter::once(&host[..]).chain(labels).any(|name| self.names.contains(name))
    }
}

/// Refuses what matches the host of no URL: it would be looked for in vain.
fn can_be_host(glob: &[u8]) -> Result<(), String> {
    let bad = |&byte: &u8| match byte {
        b'/' | b'@' => true,
        // An address of IPv6 has brackets around it.
        b':' => !glob.contains(&b'['),
        _ => byte.is_ascii_whitespace(),
    };
    let shown = String::from_utf8_lossy(glob);
    match glob.iter().any(bad) {
        true => Err(format!("{shown:?} is no host: it is the name alone, as in h.org")),
        false => Ok(()),
    }
}

/// Refuses what is not the name of a host.
fn is_host(name: &[u8]) -> Result<(), String> {
    can_be_host(name)?;
    match name.contains(&b'*') {
        true => Err(format!("{:?} is a pattern, which --host takes", String::from_utf8_lossy(name))),
        false => Ok(()),
    }
}

/// A dot at the end of a name says that it is complete, which goes without
/// saying.
fn without_dot(name: &[u8]) -> &[u8] {
    name.strip_suffix(b".").unwrap_or(name)
}

/// The host of a URL, if it has one: that of its authority, or of the address of
/// a mailto URL.
pub fn of<'f>(found: &'f Match<'_>) -> Option<&'f [u8]> {
    let url = found.as_bytes();
    if let Some(authority) = grammar::authority(url) {
        return Some(authority.host());
    }
    if found.scheme().eq_ignore_ascii_case("mailto") {
        let address = url.split(|&byte| byte == b'?').next().unwrap_or(url);
        return memchr::memrchr(b'@', address).map(|at| &address[at + 1..]);
    }
    // The scheme goes without saying, and so does its "//".
    let scheme = found.scheme().as_bytes();
    let said = url.starts_with(scheme) && url.get(scheme.len()) == Some(&b':');
    let end = url.iter().position(|byte| b":/?#".contains(byte)).unwrap_or(url.len());
    (!said).then(|| &url[..end])
}

#[cfg(test)]
mod tests {
    use urlgrep::Finder;

    use super::*;

    fn host(text: &str) -> Option<String> {
        let finder = Finder::builder().hosts(true).addresses(true).build().unwrap();
        let found = finder.find(text).unwrap();
        of(&found).map(|host| String::from_utf8_lossy(host).into_owned())
    }

    #[test]
    fn hosts_of_urls() {
        for (text, expected) in [
            ("http://H.org:80/a@b", "H.org"),
            ("ftp://me:secret@h.org", "h.org"),
            ("http://[2001:db8::7]:80/", "[2001:db8::7]"),
            ("mailto:me@h.org?to=you@i.org", "h.org"),
            ("www.h.org:80/a", "www.h.org"),
            ("ftp.h.org/a", "ftp.h.org"),
            ("me@h.org", "h.org"),
        ] {
            assert_eq!(host(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(host("news:comp.lang.c"), None);
        assert_eq!(host("file:/etc/motd"), None);
    }

    #[test]
    fn names_stand_for_those_below_them() {
        let mut hosts = Hosts::new(&["*.EDU".to_owned()]).unwrap();
        hosts.names.insert(b"h.org"[..].into());
        for host in ["h.org", "H.org.", "www.a.h.ORG", "mit.edu", "www.MIT.edu."] {
            assert!(hosts.have(host.as_bytes()), "{host}");
        }
        for host in ["xh.org", "org", "h.org.uk", "edu", "", "."] {
            assert!(!hosts.have(host.as_bytes()), "{host}");
        }
    }
}
