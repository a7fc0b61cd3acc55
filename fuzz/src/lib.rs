//! What the targets run.
//!
//! The properties are those of the ordinary tests and are included from there;
//! the program has no library, so what it shows text with is included, too, and so is the library for C, which no
//! crate can depend on.

extern crate urlgrep as core_library;

#[path = "../../tests/it/laws/mod.rs"]
pub mod laws;
#[path = "../../crates/cli/tests/it/program/lines.rs"]
pub mod lines;

#[path = "../../crates/print/src/escape.rs"]
pub mod escape;
#[path = "../../crates/cli/src/check/parts.rs"]
pub mod parts;

#[path = "../../bindings/c/src/lib.rs"]
pub mod capi;

pub mod border;
pub mod program;
