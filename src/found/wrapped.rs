//! A match that was in a wrapper: see [`unwrap`](crate::unwrap()).

use std::borrow::Cow;

use super::form::Form;
use super::readings::{Gap, Hyphen, Piece, Readings};
use super::{Match, Pieces};
use crate::unwrap::unwrap;

/// The wrapper of a URL.
#[derive(Clone, Debug)]
pub(super) struct Wrapped {
    /// The wrapper, as it was matched.
    url: Vec<u8>,
    /// The names of the wrappers, the outermost first.
    names: Vec<&'static str>,
}

impl Match<'_> {
    /// The names of the wrappers that the URL was in, the outermost first; none unless the finder
    /// [opens](crate::FinderBuilder::unwrap) them.
    ///
    /// The outermost wrapper, which is in the text, is the first of the
    /// [alternatives](Match::alternatives). The segments are those of the wrapper.
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

    /// Replaces a wrapper by the URL within it.
    pub(crate) fn open_wrapper(&mut self) {
        if self.opened().is_some() {
            return;
        }
        let Some(unwrapped) = unwrap(&self.href()) else {
            return;
        };
        let (url, names) = unwrapped.into_parts();
        let wrapper = std::mem::replace(&mut self.url, Cow::Owned(url)).into_owned();
        let span = match self.form {
            Form::Href | Form::Defanged => self.span.clone(),
            _ => self.start..self.start + wrapper.len(),
        };
        let pieces = self.pieces.get_or_insert_with(|| {
            let whole = vec![Piece { range: span, gap: Gap::None }];
            Box::new(Pieces::new(None, Readings::new(|_| &wrapper, whole, Hyphen::Keep)))
        });
        pieces.wrapped = Some(Wrapped { url: wrapper, names });
        self.premises = self.premises.explicit();
    }

    /// The same match, if it is a reading of a wrapper that was opened.
    pub(super) fn opened_again(mut self) -> Self {
        if let Some(pieces) = &mut self.pieces
            && pieces.wrapped.take().is_some()
        {
            self.open_wrapper();
        }
        self
    }
}

impl Pieces {
    /// The other readings of a wrapper that was opened: the wrapper itself, then what is in the others.
    pub(super) fn with_wrapper(&self, others: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let Some(Wrapped { url, .. }) = &self.wrapped else {
            return others;
        };
        let opened = |url: Vec<u8>| unwrap(&url).map_or(url, |unwrapped| unwrapped.into_parts().0);
        let mut all = vec![url.clone()];
        all.extend(others.into_iter().map(opened));
        all.truncate(super::readings::ALTERNATIVES);
        all
    }
}
