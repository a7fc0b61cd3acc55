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

#[derive(Debug)]
struct Kept {
    mapped: Mapped<'static>,
    /// The record of a nested web archive, instead of bytes.
    record: Option<Record>,
    rest: Arena,
}

impl Arena {
    /// The first bytes of the chain, and the rest of it. If the chain has no bytes,
    /// `mapped` becomes the first.
    pub(crate) fn keep(&self, mapped: Mapped<'_>) -> (&Mapped<'static>, &Arena) {
        let link = self.link(|| (mapped.into_owned(), None));
        (&link.mapped, &link.rest)
    }

    /// Keeps a record until the end of the message.
    pub(crate) fn keep_record(&self, record: Option<Record>) -> (Option<&Record>, &Arena) {
        let link = self.link(|| (Mapped::verbatim(b"", 0), record));
        (link.record.as_ref(), &link.rest)
    }

    fn link(&self, first: impl FnOnce() -> (Mapped<'static>, Option<Record>)) -> &Kept {
        self.first.get_or_init(|| {
            let (mapped, record) = first();
            Box::new(Kept { mapped, record, rest: Arena::default() })
        })
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
        let (first, rest) = arena.keep(Mapped::verbatim(b"one", 0));
        let (second, _) = rest.keep(Mapped::verbatim(b"two", 5));
        assert_eq!((first.as_bytes(), second.as_bytes()), (&b"one"[..], &b"two"[..]));
        assert_eq!(arena.keep(Mapped::verbatim(b"another", 9)).0.as_bytes(), b"one");
    }

    #[test]
    fn a_long_chain_is_dropped() {
        let arena = Arena::default();
        let mut last = &arena;
        for _ in 0..1_000_000 {
            last = last.keep(Mapped::verbatim(b"", 0)).1;
        }
    }
}
