//! The grammars that the validator can go by.

/// The grammar by which a URL is graded: RFC 1738, or a draft of it.
///
/// A dialect decides the best grade and the reason for a lower one, and nothing else.
///
/// ```
/// use urlgrep::grammar::{Dialect, Grade, assess_by};
///
/// let grade = |dialect, url: &[u8]| assess_by(dialect, url).map(|assessment| assessment.grade());
/// assert_eq!(grade(Dialect::Rfc1738, b"http://my_host.org/"), Ok(Grade::Rfc3986));
/// assert_eq!(grade(Dialect::Draft1994, b"http://my_host.org/"), Ok(Grade::Draft1994));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// RFC 1738, section 5 and what section 3 says of it.
    #[default]
    Rfc1738,
    /// The draft of 1994: see [`draft`](super::draft).
    Draft1994,
}
