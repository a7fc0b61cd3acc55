//! Everything that is tested from outside, in one binary.

#[cfg(feature = "archive")]
mod archive;
mod automaton;
mod cases;
#[cfg(feature = "cli")]
mod containers_files;
#[cfg(feature = "archive")]
mod containers_mail;
#[cfg(feature = "archive")]
mod containers_mime;
#[cfg(feature = "archive")]
mod containers_web;
mod corpora;
#[cfg(feature = "archive")]
mod damage;
mod entry;
mod examples;
mod floors;
mod fuzz_regressions;
mod laws;
#[cfg(feature = "domains")]
mod link_detection;
#[cfg(feature = "archive")]
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod make;
#[cfg(all(feature = "cli", unix))]
mod menu;
#[cfg(feature = "archive")]
mod nesting;
mod oracle;
#[cfg(feature = "cli")]
mod program;
mod properties;
#[cfg(feature = "archive")]
mod ranges;
mod readme;
mod spelled;
#[cfg(feature = "archive")]
mod structures;
