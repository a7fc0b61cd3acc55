//! Decoded bytes that have a structure of their own.
//!
//! A message inside another may be encoded, and then its texts are parts of decoded bytes, which
//! must live as long as the texts. They are kept in a chain, in the order in which they are
//! reached. A second iteration over the message texts finds them there.

use std::sync::OnceLock;

use super::record::Record;
use crate::archive::mapped::Mapped;

/// A chain of decoded bytes, from one of its links on.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    first: OnceLock<Box<Kept>>,
}

/// A link of the chain.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) mapped: Mapped<'static>,
    /// The record of a nested web archive, instead of bytes.
    pub(crate) record: Option<Record>,
    pub(crate) rest: Arena,
}

impl Arena {
    /// The first link of the chain. If the chain has none, `mapped` and `record` become the first.
    pub(crate) fn keep(&self, mapped: Mapped<'_>, record: Option<Record>) -> &Kept {
        let first = || Box::new(Kept { mapped: mapped.into_owned(), record, rest: Arena::default() });
        self.first.get_or_init(first)
    }
}

impl Drop for Arena {
    /// Drops a long chain without recursion.
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut link) = next {
            next = link.rest.first.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_kept_once() {
        let arena = Arena::default();
        let first = arena.keep(Mapped::verbatim(b"one", 0), None);
        let second = first.rest.keep(Mapped::verbatim(b"two", 5), None);
        assert_eq!((first.mapped.as_bytes(), second.mapped.as_bytes()), (&b"one"[..], &b"two"[..]));
        assert_eq!(arena.keep(Mapped::verbatim(b"another", 9), None).mapped.as_bytes(), b"one");
    }

    #[test]
    fn a_long_chain_is_dropped() {
        let arena = Arena::default();
        let mut last = &arena;
        for _ in 0..1_000_000 {
            last = &last.keep(Mapped::verbatim(b"", 0), None).rest;
        }
    }
}
