//! What holds for every input, as functions that panic where it does not.
//!
//! Random text goes through them in `properties` and `oracle`, the inputs that
//! once broke one of them in `fuzz_regressions`, and whatever raises coverage in
//! the package `fuzz`, which includes this folder. So nothing here may name
//! another module of the tests.

#[cfg(feature = "archive")]
pub mod archive;
pub mod input;
pub mod oracle;
pub mod text;
pub mod told;
pub mod ways;
