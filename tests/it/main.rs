//! Everything that is tested from outside, in one binary.

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod attachments;
mod automaton;
mod cases;
#[cfg(feature = "archive")]
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
mod explain_at;
mod fields;
mod floors;
mod fuzz_regressions;
mod laws;
#[cfg(feature = "domains")]
mod link_detection;
#[cfg(feature = "archive")]
mod make;
#[cfg(feature = "archive")]
mod nesting;
mod options;
mod oracle;
#[cfg(feature = "archive")]
mod pdf;
mod properties;
#[cfg(feature = "archive")]
mod ranges;
mod repository;
mod spelled;
#[cfg(feature = "archive")]
mod structures;
mod texts;
