//! The error for names that are not known.

use std::fmt;

/// The error for a text that is none of the names that were expected: of [`Join`](crate::Join),
/// [`Grade`](crate::Grade) and the other types that are parsed from a name.
///
/// ```
/// let error = "strict".parse::<urlgrep::Grade>().unwrap_err();
/// assert_eq!(error.to_string(), r#"expected "lenient", "rfc3986", "rfc1738" or "draft1994""#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseNameError(pub(crate) &'static str);

impl fmt::Display for ParseNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl std::error::Error for ParseNameError {}
