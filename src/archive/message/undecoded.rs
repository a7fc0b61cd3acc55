//! Bodies that were not decoded.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bodies that were not decoded, or not to their end: their coding is not known, or they
/// are damaged or too long.
#[derive(Debug, Default)]
pub struct Undecoded {
    count: AtomicU64,
    first: OnceLock<(u64, String)>,
}

impl Undecoded {
    /// Notes the body at `offset` of the file, and why it was not decoded.
    pub(crate) fn note(&self, offset: u64, why: impl FnOnce() -> String) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.first.get_or_init(|| (offset, why()));
    }

    /// Adds those of a later part of the same file.
    pub fn add(&mut self, next: Undecoded) {
        *self.count.get_mut() += next.count();
        if self.first.get().is_none() {
            self.first = next.first;
        }
    }

    /// Whether the first of them is the file itself, such as a document whose text is not read, and not a part of it.
    pub fn is_whole_file(&self) -> bool {
        self.first.get().is_some_and(|(offset, _)| *offset == 0)
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl Clone for Undecoded {
    fn clone(&self) -> Self {
        Undecoded { count: self.count().into(), first: self.first.clone() }
    }
}

/// Where the first of them begins, and why it was not decoded.
impl fmt::Display for Undecoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((offset, why)) = self.first.get() else {
            return f.write_str("all bodies were decoded");
        };
        write!(f, "the body at byte {offset} {why}")?;
        match self.count() {
            0 | 1 => Ok(()),
            count => write!(f, " (and {} more like it)", count - 1),
        }
    }
}
