//! Bodies that were not decoded.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bodies that were not decoded completely, because their coding is unknown or they are damaged
/// or too long.
#[derive(Debug, Default)]
pub struct Undecoded {
    count: AtomicU64,
    /// The beginning of the first one, its file name, if it is known, and the reason why it was not
    /// decoded.
    first: OnceLock<(u64, Option<String>, String)>,
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
        self.first.get_or_init(|| (offset, name(), why()));
    }

    /// Adds the bodies of the part of the same file that starts `bytes` after the offset from which its offsets count.
    pub fn add(&mut self, mut next: Undecoded, bytes: u64) {
        next.first.get_mut().into_iter().for_each(|(offset, ..)| *offset += bytes);
        *self.count.get_mut() += next.count();
        if self.first.get().is_none() {
            self.first = next.first;
        }
    }

    /// Returns true if the first of these bodies is the file itself, such as a document with unsupported text,
    /// instead of a part.
    pub fn is_whole_file(&self) -> bool {
        self.first.get().is_some_and(|(offset, ..)| *offset == 0)
    }

    /// Returns the reason why the first body was not decoded.
    pub fn reason(&self) -> &str {
        self.first.get().map_or("", |(.., reason)| reason)
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
            Some((_, Some(name), why)) => write!(f, "attachment {} {why}", name.escape_debug())?,
            Some((offset, None, why)) => write!(f, "the body at byte {offset} {why}")?,
        }
        match self.count() {
            0 | 1 => Ok(()),
            count => write!(f, " (and {} more)", count - 1),
        }
    }
}
