//! Assertions that the tests of the schemes share.

use super::parse;

/// Asserts that a URL is accepted and prints the same bytes.
#[track_caller]
pub(super) fn accepted(url: &str) {
    match parse(url.as_bytes()) {
        Ok(parsed) => assert_eq!(parsed.to_string(), url),
        Err(error) => panic!("{url}: {error}"),
    }
}

/// Asserts that a URL is rejected, with this production and offset.
#[track_caller]
pub(super) fn refused(url: &str, production: &str, offset: usize) {
    match parse(url.as_bytes()) {
        Ok(parsed) => panic!("{url}: {parsed:?}"),
        Err(error) => assert_eq!((error.production(), error.offset()), (production, offset), "{url}"),
    }
}
