//! What holds for every line that the program prints, whatever it found.
//!
//! The package `fuzz` includes this file, so it names nothing else of the tests.

use serde_json::Value;

/// A line for terminals is text, and nothing in it that a terminal obeys.
pub fn is_shown(line: &[u8]) {
    let text = str::from_utf8(line).unwrap();
    let text = text.strip_suffix('\n').unwrap_or_else(|| panic!("{text:?} does not end"));
    assert!(!text.contains(char::is_control), "{text:?}");
}

/// A line of JSON is such a line, too, and an object.
pub fn object(line: &[u8]) -> Value {
    is_shown(line);
    let value: Value = serde_json::from_slice(line).unwrap();
    assert!(value.is_object(), "{value}");
    value
}
