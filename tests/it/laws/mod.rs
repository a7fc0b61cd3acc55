//! The laws: functions that panic if a law is not true for an input.
//!
//! `properties` and `oracle` check them on random text, `fuzz_regressions` on inputs
//! that once broke a law, and the package `fuzz` on inputs that raise coverage. That
//! package includes this folder, so nothing here may use another module of the tests.

pub mod archive;
mod contained;
pub mod grown;
pub mod input;
pub mod losses;
pub mod oracle;
pub mod text;
pub mod told;
pub mod walk;
pub mod ways;

/// Returns the builder of a finder that also finds domain names.
pub fn with_domains(builder: urlgrep::FinderBuilder) -> urlgrep::FinderBuilder {
    builder.schemeless([urlgrep::Schemeless::Domains])
}
