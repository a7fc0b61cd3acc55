//! The rewritten link that contained the URL of a match.

use std::borrow::Cow;
use std::sync::Arc;

use super::readings::{ALTERNATIVES, Gap, Hyphen, Piece, Readings};
use super::{Joined, Match};
use crate::bytes::haystack::Haystack;
use crate::unwrap::{Unwrapped, unwrap};

/// The wrapper of a URL.
#[derive(Clone, Debug)]
pub(super) struct Wrapped {
    /// The wrapper, as it was matched.
    url: Vec<u8>,
    /// The names of the wrappers, the outermost first.
    names: Vec<&'static str>,
}

impl<T: Haystack + ?Sized> Match<'_, T> {
    /// Returns the names of the rewritten links that contained the URL, the outermost first; empty
    /// unless the finder [opens](crate::FinderBuilder::unwrap) them.
    ///
    /// The outermost wrapper, which is in the text, is the first of the
    /// [alternatives](Match::alternatives). The pieces are the pieces of the wrapper.
    pub fn unwrapped_from(&self) -> &[&'static str] {
        self.opened().map_or(&[], |wrapped| &wrapped.names)
    }

    /// The outermost wrapper that the URL was in, as it was matched.
    pub(crate) fn wrapped(&self) -> Option<&[u8]> {
        self.opened().map(|wrapped| &*wrapped.url)
    }

    fn opened(&self) -> Option<&Wrapped> {
        self.pieces.as_ref()?.wrapped.as_ref()
    }
}

impl Match<'_> {
    /// Replaces a wrapper by the URL within it.
    pub(crate) fn open_wrapper(&mut self) {
        if self.opened().is_some() {
            return;
        }
        let Some(Unwrapped { url, wrappers: names }) = unwrap(&self.href()) else {
            return;
        };
        let whole = vec![Piece { range: self.whole(), gap: Gap::None }];
        let wrapper = std::mem::replace(&mut self.url, Cow::Owned(url)).into_owned();
        let pieces = self.pieces.get_or_insert_with(|| {
            Arc::new(Joined::new(None, Readings::new(|_| &wrapper, whole, Hyphen::Keep)))
        });
        Arc::make_mut(pieces).wrapped = Some(Wrapped { url: wrapper, names });
        self.implied = None;
    }

    /// Returns this match if it is a reading of a wrapper that was opened.
    pub(super) fn opened_again(mut self) -> Self {
        if let Some(pieces) = &mut self.pieces
            && Arc::make_mut(pieces).wrapped.take().is_some()
        {
            self.open_wrapper();
        }
        self
    }
}

impl Joined {
    /// The other readings of a wrapper that was opened: the wrapper itself, then the URLs inside
    /// the others.
    pub(super) fn with_wrapper(&self, others: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let Some(Wrapped { url, .. }) = &self.wrapped else {
            return others;
        };
        let opened = |url: Vec<u8>| unwrap(&url).map_or(url, |unwrapped| unwrapped.url);
        let others = others.into_iter().map(opened);
        std::iter::once(url.clone()).chain(others).take(ALTERNATIVES).collect()
    }
}
