//! The segments of a path.

use std::{iter::FusedIterator, str::Split};

/// The segments of a path, between its slashes, escapes included.
///
/// An empty path has one segment, which is empty: `http://h.org/` has one segment,
/// `http://h.org` has none.
///
/// ```
/// use urlgrep::grammar::{Url, parse};
///
/// let Url::Ftp(ftp) = parse(b"ftp://myname@host.dom//etc/motd")? else { unreachable!() };
/// assert!(ftp.segments().eq(["", "etc", "motd"]));
/// assert_eq!(ftp.segments().next_back(), Some("motd"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Segments<'a>(Option<Split<'a, char>>);

impl<'a> Segments<'a> {
    /// The segments of `path`; none if there is no path.
    pub(super) fn new(path: Option<&'a str>) -> Segments<'a> {
        Segments(path.map(|path| path.split('/')))
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.as_mut()?.next()
    }
}

impl DoubleEndedIterator for Segments<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.as_mut()?.next_back()
    }
}

impl FusedIterator for Segments<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_path_has_one_segment() {
        assert_eq!(Segments::new(None).count(), 0);
        assert!(Segments::new(Some("")).eq([""]));
        assert!(Segments::new(Some("a//b/")).eq(["a", "", "b", ""]));
        assert!(Segments::new(Some("a/b")).rev().eq(["b", "a"]));
    }
}
