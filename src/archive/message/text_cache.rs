//! The data that the matches of a text share and that outlive it.
//!
//! A style sheet or a comment may have many URLs, and a match that is
//! [owned](crate::Match::into_owned) has all of the value that it is in. So a value is copied once
//! for the matches in it, as the name of a part is for the matches in that: a copy for each would
//! take quadratic time and memory.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A link without its text.
#[derive(Debug, Default)]
pub(crate) struct CopiedLink {
    pub(crate) attribute: Box<[u8]>,
    pub(crate) element: Option<Box<str>>,
    pub(crate) rel: Box<[u8]>,
    pub(crate) text: Option<Vec<u8>>,
}

/// The names of a text, and the facts about the link of its last match.
#[derive(Debug, Default)]
pub(crate) struct TextCache {
    pub(crate) filename: OnceLock<Option<Arc<str>>>,
    pub(crate) content_type: OnceLock<Option<Arc<str>>>,
    pub(crate) link: LastLinkCache<Arc<CopiedLink>>,
    /// The text that a reader sees of it, and the text of its content.
    pub(crate) text: LastLinkCache<Option<Arc<[u8]>>>,
    pub(crate) content: LastLinkCache<Arc<[u8]>>,
}

/// The address of a link's value in memory, its length, and the beginning of its content.
pub(crate) type LinkAddress = (usize, usize, usize);

/// Something of a link, which is computed once for matches in the same link that follow each other.
#[derive(Debug, Default)]
pub(crate) struct LastLinkCache<T>(Mutex<Option<(LinkAddress, T)>>);

impl<T: Clone> LastLinkCache<T> {
    /// Returns the value for the link at `address`, computing it unless the last call was for the same link.
    pub(crate) fn of(&self, address: LinkAddress, compute: impl FnOnce() -> T) -> T {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, value)) if *known == address => value.clone(),
            _ => last.insert((address, compute())).1.clone(),
        }
    }
}
