//! The program, as a user runs it, in one binary. What it shares with the tests of the library is included from there.

mod cases;
mod fuzz_regressions;
#[allow(dead_code, reason = "the program needs some of the laws")]
mod laws;
#[allow(dead_code, reason = "the program needs some of the archives")]
#[path = "../../../../tests/it/make/mod.rs"]
mod make;
#[cfg(unix)]
mod menu;
mod program;
mod readme;
mod wait;
