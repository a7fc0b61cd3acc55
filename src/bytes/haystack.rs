//! The types that can be searched: strings and bytes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// The type of a searched text and of the URLs in it: `str`, or `[u8]` for text of another or
/// unknown encoding. See [`Match`](crate::Match).
///
/// This trait is sealed.
pub trait Haystack: Sealed + ToOwned<Owned: fmt::Debug> + 'static {
    #[doc(hidden)]
    fn of(bytes: &[u8]) -> &Self;
    #[doc(hidden)]
    fn of_vec(bytes: Vec<u8>) -> Self::Owned;
    #[doc(hidden)]
    fn bytes(&self) -> &[u8];
    #[doc(hidden)]
    fn slice(&self, range: Range<usize>) -> &Self;
}

/// A text that can be searched: a string, or bytes in any encoding that is a superset of ASCII.
///
/// Strings are `str`, `String` and `Cow<str>`; bytes are `[u8]`, `[u8; N]`, `Vec<u8>` and `Cow<[u8]>`. References to
/// these can be searched as well. For other types, pass a slice: `&mapped[..]`.
///
/// ```
/// let (text, bytes) = ("http://h.org/ü", b"http://h.org/\xFC".to_vec());
/// assert_eq!(urlgrep::find(text).unwrap().as_str(), "http://h.org/ü");
/// assert_eq!(urlgrep::find(&bytes).unwrap().as_bytes(), b"http://h.org/");
/// ```
pub trait AsHaystack: Sealed {
    /// `str` or `[u8]`.
    type Haystack: Haystack + ?Sized;
    #[doc(hidden)]
    fn as_haystack(&self) -> &Self::Haystack;
}

/// Only the types of this module implement it.
pub trait Sealed {}

impl Haystack for [u8] {
    fn of(bytes: &[u8]) -> &[u8] {
        bytes
    }

    fn of_vec(bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }

    fn bytes(&self) -> &[u8] {
        self
    }

    fn slice(&self, range: Range<usize>) -> &[u8] {
        &self[range]
    }
}

impl Haystack for str {
    /// A URL of a string starts and ends between characters, so all of it is one.
    fn of(bytes: &[u8]) -> &str {
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                debug_assert!(false, "{}: {error}", bytes.escape_ascii());
                std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("")
            }
        }
    }

    fn of_vec(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap_or_else(|error| Self::of(error.as_bytes()).to_owned())
    }

    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn slice(&self, range: Range<usize>) -> &str {
        &self[range]
    }
}

macro_rules! haystacks {
    ($($text:ty: $([$($generics:tt)*] $type:ty),+;)+) => {$($(
        impl<$($generics)*> Sealed for $type {}
        impl<$($generics)*> AsHaystack for $type {
            type Haystack = $text;
            #[inline(always)]
            fn as_haystack(&self) -> &$text {
                self
            }
        }
    )+)+};
}

haystacks! {
    str: [] str, [] String, ['t] Cow<'t, str>;
    [u8]: [] [u8], [] Vec<u8>, ['t] Cow<'t, [u8]>, [const N: usize] [u8; N];
}

impl<T: Sealed + ?Sized> Sealed for &T {}

impl<T: AsHaystack + ?Sized> AsHaystack for &T {
    type Haystack = T::Haystack;

    fn as_haystack(&self) -> &T::Haystack {
        (**self).as_haystack()
    }
}
