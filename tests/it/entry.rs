//! The ways in: a text and a finder, and what comes out as JSON.
//!
//! Every way yields the same objects, so that one table of cases can go through
//! all of them and each can be compared with every other.

use serde_json::{Value, json};
use urlgrep::{Finder, Match};

use crate::laws::ways;

#[cfg(feature = "idna")]
fn ascii(found: &Match<'_>) -> Option<String> {
    found.ascii()
}

/// Without the feature, cases that have the key are not run.
#[cfg(not(feature = "idna"))]
fn ascii(_found: &Match<'_>) -> Option<String> {
    None
}

/// What is known about a match, with the keys of the program's output.
fn object(found: &Match<'_>) -> Value {
    let assessment = found.assess();
    let reason = assessment.reason().map(|reason| {
        json!({
            "production": reason.production(),
            "offset": reason.offset(),
            "message": reason.to_string(),
        })
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let position = found.position().expect("the finder counts lines");
    let span = found.span();
    json!({
        "line": position.line,
        "column": position.column,
        "start": span.start,
        "end": span.end,
        "segments": found.segments().map(|s| json!([s.start, s.end])).collect::<Vec<_>>(),
        "url": text(found.as_bytes()),
        "scheme": found.scheme(),
        "host": found.host(),
        "port": found.port(),
        "ascii": ascii(found),
        "form": found.form().as_str(),
        "grade": assessment.grade().as_str(),
        "reason": reason,
        "join": found.joined().map(|joined| joined.as_str()),
        "alternatives": found.alternatives().iter().map(|url| text(url)).collect::<Vec<_>>(),
        "warnings": found.warnings().into_iter().map(|w| w.as_str()).collect::<Vec<_>>(),
        "message": null,
    })
}

/// The whole text at once.
pub fn slice(finder: &Finder, text: &[u8]) -> Vec<Value> {
    ways::slice(finder, text, object)
}

/// A reader that yields `size` bytes a call.
pub fn streamed(finder: &Finder, text: &[u8], size: usize) -> Vec<Value> {
    ways::streamed(finder, text, size, object)
}

/// Pieces that are cut at `cuts`, which ascend.
pub fn pushed(finder: &Finder, text: &[u8], cuts: &[usize]) -> Vec<Value> {
    ways::pushed(finder, text, cuts, object)
}
