//! The limit to which an input may expand.
//!
//! A compressed file in a compressed file can become a million times as long: there is a zip
//! archive of 42 kB that contains 4.5 PB in five levels. A single level is not limited, because it is read in
//! constant memory.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::archive::limits::{FREE_OUTPUT, OUTPUT_RATIO};

/// A limit on the bytes that an input expands to. Clones count together.
#[derive(Clone, Debug, Default)]
pub(super) struct Budget {
    /// The bytes that have been read from the input.
    read: Arc<AtomicU64>,
    /// The bytes that were decoded from them in nested containers and in the holes of sparse files.
    made: Arc<AtomicU64>,
}

impl Budget {
    /// Counts `len` bytes of the input.
    pub(super) fn add(&self, len: usize) {
        self.read.fetch_add(len as u64, Ordering::Relaxed);
    }

    /// Counts `len` bytes that were made of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if these are too many.
    pub(super) fn spend(&self, len: usize) -> io::Result<()> {
        let made = self.made.fetch_add(len as u64, Ordering::Relaxed) + len as u64;
        let read = self.read.load(Ordering::Relaxed);
        if made <= FREE_OUTPUT.saturating_add(read.saturating_mul(OUTPUT_RATIO)) {
            return Ok(());
        }
        let text = format!(
            "nested archives expand to more than 1 GiB and {OUTPUT_RATIO} times the input; skipped the rest"
        );
        Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_of_the_input_allows_a_thousand() {
        let budget = Budget::default();
        budget.clone().add(10);
        assert!(budget.spend(1 << 30).is_ok());
        assert!(budget.spend(10_000).is_ok());
        let error = budget.spend(1).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        budget.add(1);
        assert!(budget.spend(1).is_ok());
    }
}
