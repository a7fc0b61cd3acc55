//! Decoded bytes that have a structure of their own.
//!
//! A message inside another may be encoded, and then its texts are parts of decoded
//! bytes, which must live as long as the texts. They are kept in a chain, in the order
//! in which they are reached. Whoever reads the texts of a message again finds them
//! there.

use std::sync::OnceLock;

use crate::archive::mapped::Mapped;

/// A chain of decoded bytes, from one of its links on.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    first: OnceLock<Box<KeptBytes>>,
}

#[derive(Debug)]
struct KeptBytes {
    mapped: Mapped<'static>,
    rest: Kept,
}

impl Kept {
    /// The first bytes of the chain, and the rest of it. If the chain has no bytes,
    /// `mapped` becomes the first.
    pub(crate) fn keep(&self, mapped: Mapped<'_>) -> (&Mapped<'static>, &Kept) {
        let link = || Box::new(KeptBytes { mapped: mapped.into_owned(), rest: Kept::default() });
        let KeptBytes { mapped, rest } = &**self.first.get_or_init(link);
        (mapped, rest)
    }
}

impl Drop for Kept {
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
        let kept = Kept::default();
        let (first, rest) = kept.keep(Mapped::verbatim(b"one", 0));
        let (second, _) = rest.keep(Mapped::verbatim(b"two", 5));
        assert_eq!((first.as_bytes(), second.as_bytes()), (&b"one"[..], &b"two"[..]));
        assert_eq!(kept.keep(Mapped::verbatim(b"another", 9)).0.as_bytes(), b"one");
    }

    #[test]
    fn a_long_chain_is_dropped() {
        let kept = Kept::default();
        let mut last = &kept;
        for _ in 0..1_000_000 {
            last = last.keep(Mapped::verbatim(b"", 0)).1;
        }
    }
}
