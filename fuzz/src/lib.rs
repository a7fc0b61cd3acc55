//! What the targets run.
//!
//! The properties are those of the ordinary tests and are included from there;
//! the program has no library, so what it prints with is included, too.

#[path = "../../tests/it/laws/mod.rs"]
pub mod laws;
#[path = "../../tests/it/program/lines.rs"]
pub mod lines;

#[path = "../../src/bin/urlgrep/escape.rs"]
pub mod escape;
#[path = "../../src/bin/urlgrep/hit.rs"]
pub mod hit;
#[path = "../../src/bin/urlgrep/printer/json.rs"]
pub mod json;
#[path = "../../src/bin/urlgrep/check/parts.rs"]
pub mod parts;
#[path = "../../src/bin/urlgrep/printer/plain.rs"]
pub mod plain;

pub mod program;
