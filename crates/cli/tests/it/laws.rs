//! What the laws of the library need to read an input of a fuzz target.

#[path = "../../../../tests/it/laws/input.rs"]
pub mod input;
#[path = "../../../../tests/it/laws/told.rs"]
pub mod told;
#[path = "../../../../tests/it/laws/ways.rs"]
pub mod ways;

/// The program has domain names.
fn with_domains(builder: urlgrep::FinderBuilder) -> urlgrep::FinderBuilder {
    builder.schemeless([urlgrep::Schemeless::Domains])
}
