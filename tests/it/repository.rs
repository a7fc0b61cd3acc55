//! The files of the repository that the package of the crate is without.

use std::fs;
use std::path::Path;

/// The text of a file beside the library. `None` in the package of the crate, which has the library alone.
pub fn text_of(file: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("cli")
        .exists()
        .then(|| fs::read_to_string(root.join(file)).unwrap_or_else(|_| panic!("expected {file}")))
}

/// What is between `from` and the next `to`.
pub fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let (_, after) = text.split_once(from).unwrap_or_else(|| panic!("expected {from:?}"));
    after.split_once(to).unwrap_or_else(|| panic!("expected {to:?} after {from:?}")).0
}
