//! Public suffixes: the names under which others can be registered, such as `com` and `co.uk`.
//!
//! The Public Suffix List has a rule for each suffix: a name, `*.` before a name for all names directly below it, or `!` before a
//! name that is not a suffix although such a rule matches it. If several rules match a host, an exception wins, and otherwise the
//! longest. Some suffixes belong to companies, which let others use the names below (`github.io`).
//!
//! The table is a graph that has the rules from their last byte to their first, 93 KB; `tools/suffixes.py` makes it
//! and describes it. A host is looked up byte by byte, from its end, ignoring case, in UTF-8 or Punycode.

mod table;

use memchr::memrchr;

use self::table::{ROOT, RULES, TABLE};

/// The owner who registers names below a suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The registry of a top-level domain.
    Registry,
    /// A customer of a registry: the private part of the list.
    Company,
}

/// The rule of the list for one name.
#[derive(Clone, Copy, Debug)]
struct SuffixRule {
    /// True if it is a suffix.
    exact: Option<Owner>,
    /// True if the names directly below it are suffixes.
    below: Option<Owner>,
    /// True if it is not a suffix although the rule of the name above it matches.
    is_exception: bool,
}

/// A public suffix of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Suffix {
    /// The offset at which it starts in the host.
    pub(crate) start: usize,
    pub(crate) owner: Owner,
}

/// The public suffix of `host`, which does not end in a dot; `None` if the list contains none, or a
/// label is empty.
pub(crate) fn of(host: &[u8]) -> Option<Suffix> {
    let (mut walk, mut found) = (Walk::default(), None);
    let (mut end, mut below) = (host.len(), None);
    // Each iteration reads a label, from the last one on.
    loop {
        let start = host[..end].iter().rposition(|&b| b == b'.').map_or(0, |dot| dot + 1);
        if start == end {
            return None;
        }
        // `*.` and this label.
        found = below.map(|owner| Suffix { start, owner }).or(found);
        let is_known = host[start..end].iter().rev().all(|&byte| walk.step(byte));
        let rule = if is_known { walk.rule() } else { None };
        match rule {
            Some(SuffixRule { is_exception: true, .. }) => {
                return found.map(|found| Suffix { start: end + 1, ..found });
            }
            Some(rule) => found = rule.exact.map(|owner| Suffix { start, owner }).or(found),
            None => {}
        }
        below = rule.and_then(|rule| rule.below);
        if start == 0 || !is_known || !walk.step(b'.') && below.is_none() {
            return found;
        }
        end = start - 1;
    }
}

/// The suffix plus one label; `None` if `host` is a suffix itself, or the list contains none.
pub(crate) fn registered_domain(host: &[u8]) -> Option<&[u8]> {
    let before = of(host)?.start.checked_sub(1)?;
    let start = memrchr(b'.', &host[..before]).map_or(0, |dot| dot + 1);
    (start < before).then(|| &host[start..])
}

/// Returns true if `name` is under a public suffix, or a suffix that someone other than a registry
/// runs (`blogspot.com`).
pub(crate) fn is_registered(name: &[u8]) -> bool {
    /// The longest name in UTF-8 that is looked up, in bytes: RFC 1035 §2.3.4 allows 255
    /// octets in punycode, which has at least one for each character.
    const LONGEST: usize = 4 * 255;

    let ends_in_hyphen = name.ends_with(b"-") || name.windows(2).any(|pair| pair == b"-.");
    if name.len() > LONGEST || ends_in_hyphen || name.contains(&b'_') {
        return false;
    }
    let is_below =
        |name: &[u8]| of(name).is_some_and(|suffix| suffix.owner == Owner::Company || suffix.start > 0);
    if name.is_ascii() {
        return is_below(name);
    }
    match std::str::from_utf8(name) {
        Ok(name) => is_below(name.to_lowercase().as_bytes()),
        Err(_) => false,
    }
}

/// A walk through the graph.
struct Walk {
    /// The current node, or the node to which the edge leads.
    node: usize,
    /// The remaining bytes of the current edge.
    edge: &'static [u8],
    is_lost: bool,
}

impl Default for Walk {
    fn default() -> Self {
        Walk { node: ROOT, edge: &[], is_lost: false }
    }
}

impl Walk {
    /// Continues with `byte` (case-insensitive); returns whether there is a rule with it.
    fn step(&mut self, byte: u8) -> bool {
        let byte = byte.to_ascii_lowercase();
        if self.edge.is_empty() && !self.is_lost {
            (self.edge, self.node) = edge(self.node, byte).unwrap_or((&[], self.node));
        }
        match self.edge.split_first() {
            Some((&first, rest)) if first == byte && !self.is_lost => self.edge = rest,
            _ => self.is_lost = true,
        }
        !self.is_lost
    }

    /// The rule for the labels that have been read.
    fn rule(&self) -> Option<SuffixRule> {
        (self.edge.is_empty() && !self.is_lost).then(|| RULES[usize::from(TABLE[self.node] >> 5)])
    }
}

/// The edge of a node that begins with `byte`: its bytes, and the node to which it leads.
fn edge(node: usize, byte: u8) -> Option<(&'static [u8], usize)> {
    let at = if node == ROOT { OF_ROOT[usize::from(byte)]? } else { edge_at(node, byte)? };
    let (len, width) = (usize::from(TABLE[at] & 63), usize::from(TABLE[at] >> 6));
    let (from, to) = (at + 1, at + 1 + len);
    let distance = TABLE[to..to + width].iter().rev().fold(0, |n, &byte| n << 8 | usize::from(byte));
    Some((&TABLE[from..to], node - distance))
}

/// The edges of the root, by their first byte. The root has the most edges, so they are looked up in
/// a table.
static OF_ROOT: [Option<usize>; 256] = {
    let mut edges = [None; 256];
    let mut byte = 0;
    while byte < 256 {
        edges[byte] = edge_at(ROOT, byte as u8);
        byte += 1;
    }
    edges
};

/// Returns the offset of a node's edge that begins with `byte`.
const fn edge_at(node: usize, byte: u8) -> Option<usize> {
    let (mut count, mut at) = ((TABLE[node] & 31) as usize, node + 1);
    if count == 31 {
        (count, at) = (31 + TABLE[at] as usize, at + 1);
    }
    while count > 0 {
        if TABLE[at + 1] == byte {
            return Some(at);
        }
        at += 1 + (TABLE[at] & 63) as usize + (TABLE[at] >> 6) as usize;
        count -= 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests of the list except names under no rule: a name and the domain that is registered,
    /// or `-`.
    const CASES: &str = include_str!("cases.txt");

    #[test]
    fn cases_of_the_list() {
        let mut count = 0;
        for line in CASES.lines().filter(|line| !line.starts_with('#')) {
            let (name, expected) = line.split_once(' ').unwrap();
            let domain = registered_domain(name.as_bytes())
                .map(|domain| String::from_utf8_lossy(domain).to_lowercase());
            assert_eq!(domain.as_deref().unwrap_or("-"), expected, "{name}");
            count += 1;
        }
        assert!(count > 60);
    }

    #[test]
    fn names_that_begin_with_a_dot() {
        assert_eq!([".com", ".co.uk"].map(|name| registered_domain(name.as_bytes())), [None; 2]);
        assert_eq!(registered_domain(b".h.co.uk"), Some(&b"h.co.uk"[..]));
    }

    /// RFC 1035 §2.3.4: a name has up to 255 octets in punycode, which are at least as many as its characters, and a
    /// character has up to four bytes in UTF-8.
    #[test]
    fn long_names() {
        for (letter, len, expected) in [
            ("h", 4 * 255, true),
            ("h", 4 * 255 + 1, false),
            ("\u{438}", 300, true),
            ("\u{438}", 4 * 255, true),
            ("\u{438}", 4 * 255 + 2, false),
        ] {
            let name = format!("{}.h.com", letter.repeat((len - ".h.com".len()) / letter.len()));
            assert_eq!((name.len(), is_registered(name.as_bytes())), (len, expected), "{letter}");
        }
    }

    #[test]
    fn owners() {
        for (host, suffix, owner) in [
            ("a.h.co.uk", "co.uk", Owner::Registry),
            ("me.github.io", "github.io", Owner::Company),
            ("github.com", "com", Owner::Registry),
            ("www.ck", "ck", Owner::Registry),
            ("a.b.ck", "b.ck", Owner::Registry),
            ("h.XN--11B4C3D", "XN--11B4C3D", Owner::Registry),
            ("h.香港", "香港", Owner::Registry),
        ] {
            let found = of(host.as_bytes()).map(|found| (&host[found.start..], found.owner));
            assert_eq!(found, Some((suffix, owner)), "{host}");
        }
        for host in ["", ".", ".com", "h.example", "h..com", "h.com.", "example"] {
            assert_eq!(of(host.as_bytes()), None, "{host}");
        }
    }
}
