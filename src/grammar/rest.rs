//! The input of a production: the rest of the URL, and its offset.

use super::{
    chars::{self, Class},
    error::{ParseError, Production},
};

/// The rest of a URL. A production takes one and returns the next. It is cheap to
/// copy, and knows the whole URL, so that an error has an offset.
#[derive(Clone, Copy)]
pub(super) struct Rest<'a> {
    url: &'a [u8],
    /// The longest prefix of `url` that is UTF-8. Productions consume ASCII only,
    /// so they never read past it or cut a character.
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    /// The whole of `url`.
    pub(super) fn new(url: &'a [u8]) -> Rest<'a> {
        let text = str::from_utf8(url).unwrap_or_else(|error| {
            // `valid_up_to` says that the prefix is valid: the default is never used.
            str::from_utf8(&url[..error.valid_up_to()]).unwrap_or_default()
        });
        Rest { url, text, at: 0 }
    }

    /// The bytes that are left.
    pub(super) fn bytes(self) -> &'a [u8] {
        &self.url[self.at..]
    }

    /// The next byte, if one is left.
    pub(super) fn first(self) -> Option<u8> {
        self.url.get(self.at).copied()
    }

    /// The offset in the URL.
    pub(super) fn offset(self) -> usize {
        self.at
    }

    /// The rest after the next `n` bytes.
    pub(super) fn skip(mut self, n: usize) -> Rest<'a> {
        self.at += n;
        self
    }

    /// The next `n` bytes, which must be ASCII, and the rest after them.
    pub(super) fn take(self, n: usize) -> (&'a str, Rest<'a>) {
        let next = self.skip(n);
        (next.since(self), next)
    }

    /// The text between an earlier rest of the same URL and this one.
    pub(super) fn since(self, earlier: Rest<'a>) -> &'a str {
        &self.text[earlier.at..self.at]
    }

    /// The longest run of a class of ASCII characters, possibly empty.
    #[inline]
    pub(super) fn run(self, class: Class) -> (&'a str, Rest<'a>) {
        self.take(chars::run(self.bytes(), class))
    }

    /// The rest after `literal`, if that comes next.
    pub(super) fn eat(self, literal: &str) -> Option<Rest<'a>> {
        let matches = self.bytes().starts_with(literal.as_bytes());
        matches.then(|| self.skip(literal.len()))
    }

    /// The rest after `literal`, or an error at the first byte that differs.
    pub(super) fn expect(
        self,
        literal: &str,
        production: &'static Production,
    ) -> Result<Rest<'a>, ParseError> {
        self.eat(literal).ok_or_else(|| {
            let pairs = self.bytes().iter().zip(literal.as_bytes());
            let same = pairs.take_while(|(left, right)| left == right).count();
            self.skip(same).refuse(production)
        })
    }

    /// An error, unless nothing is left.
    pub(super) fn end(self, production: &'static Production) -> Result<(), ParseError> {
        if self.bytes().is_empty() { Ok(()) } else { Err(self.refuse(production)) }
    }

    /// The error at the next byte.
    pub(super) fn refuse(self, production: &'static Production) -> ParseError {
        production.refuse(self.url, self.at)
    }
}
