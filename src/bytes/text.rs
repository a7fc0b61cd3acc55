//! Bytes as characters.

use std::borrow::Cow;

/// The characters of bytes that are most likely UTF-8; U+FFFD replaces what is not.
///
/// The standard library checks each character before it sees that all are valid, which takes
/// several times as long.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
