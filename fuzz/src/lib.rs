//! What the targets run.
//!
//! The properties are those of the ordinary tests and are included from there;
//! the program has no library, so what it shows text with is included, too.

#[path = "../../tests/it/laws/mod.rs"]
pub mod laws;
#[path = "../../tests/it/program/lines.rs"]
pub mod lines;

#[path = "../../src/bin/urlgrep/escape.rs"]
pub mod escape;
#[path = "../../src/bin/urlgrep/check/parts.rs"]
pub mod parts;

pub mod program;
