//! Everything that is tested from outside, in one binary.

mod archive;
mod attachments;
mod automaton;
mod bounds;
mod cases;
mod containers_files;
mod containers_mail;
mod containers_mime;
mod containers_web;
mod corpora;
mod damage;
mod entry;
mod examples;
mod explain_at;
mod fields;
mod floors;
mod fuzz_regressions;
mod invalid;
mod laws;
mod link_detection;
mod make;
mod nesting;
mod options;
mod oracle;
mod pdf;
mod properties;
mod ranges;
mod repository;
mod rows;
mod spelled;
mod structures;
mod texts;

/// The folder of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
