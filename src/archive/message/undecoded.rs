//! Bodies that were not decoded.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bodies that were not decoded completely, because their coding is unknown or they are damaged
/// or too long.
#[derive(Debug, Default)]
pub struct Undecoded {
    count: AtomicU64,
    first: OnceLock<Earliest>,
}

/// The first body that was not decoded.
#[derive(Clone, Debug)]
struct Earliest {
    /// The offset at which the body begins.
    offset: u64,
    /// The file name of the body, if it is known.
    name: Option<String>,
    /// The reason why it was not decoded.
    reason: String,
    /// True if all of it was searched, but some links were not resolved.
    is_searched: bool,
}

impl Undecoded {
    /// Notes the body at `offset` of the file, and why it was not decoded.
    pub(crate) fn note(&self, offset: u64, why: impl FnOnce() -> String) {
        self.note_file(offset, || None, why);
    }

    /// Notes the body at `offset` of the file, which may be a file with a name.
    pub(crate) fn note_file(
        &self,
        offset: u64,
        name: impl FnOnce() -> Option<String>,
        why: impl FnOnce() -> String,
    ) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.first.get_or_init(|| Earliest { offset, name: name(), reason: why(), is_searched: false });
    }

    /// Notes the body at `offset` of the file, of which all was searched, and why some links were not resolved.
    pub(crate) fn note_links(&self, offset: u64, why: &str) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.first.get_or_init(|| Earliest { offset, name: None, reason: why.to_owned(), is_searched: true });
    }

    /// Adds the bodies of the part of the same file that starts `bytes` after the offset from which its offsets count.
    pub fn add(&mut self, mut next: Undecoded, bytes: u64) {
        next.first.get_mut().into_iter().for_each(|first| first.offset += bytes);
        *self.count.get_mut() += next.count();
        if self.first.get().is_none() {
            self.first = next.first;
        }
    }

    /// Returns true if the first of these bodies is the file itself, such as a document with unsupported text,
    /// instead of a part. A page that was searched, but in which some links were not resolved, does not count.
    pub fn is_whole_file(&self) -> bool {
        self.first.get().is_some_and(|first| first.offset == 0 && !first.is_searched)
    }

    /// Returns the reason why the first body was not decoded.
    pub fn reason(&self) -> &str {
        self.first.get().map_or("", |first| &first.reason)
    }

    /// Returns the number of bodies.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl Clone for Undecoded {
    fn clone(&self) -> Self {
        Undecoded { count: self.count().into(), first: self.first.clone() }
    }
}

/// The name of the first of them, or where it begins, and why it was not decoded.
impl fmt::Display for Undecoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first.get() {
            None => return f.write_str("all bodies were decoded"),
            Some(Earliest { name: Some(name), reason, .. }) => {
                write!(f, "attachment {} {reason}", name.escape_debug())?;
            }
            Some(Earliest { offset, reason, .. }) => write!(f, "the body at byte {offset} {reason}")?,
        }
        match self.count() {
            0 | 1 => Ok(()),
            count => write!(f, " (and {} more)", count - 1),
        }
    }
}
