//! The ways to search a text: each returns the matches as JSON.
//!
//! Every way must return the same objects, so that one table of cases tests all of them.

use serde_json::{Value, json};
use urlgrep::{Finder, Match};

use crate::laws::ways;

/// All properties of a match, with the keys of the program's output.
fn object(m: &Match<'_>) -> Value {
    let assessment = m.assess();
    let reason = assessment.reason().map(|reason| {
        json!({
            "production": reason.production(),
            "offset": reason.offset(),
            "message": reason.to_string(),
        })
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let position = m.position().expect("the finder counts lines");
    let span = m.span();
    json!({
        "line": position.line,
        "column": position.column,
        "start": span.start,
        "end": span.end,
        "pieces": m.pieces().map(|s| json!([s.start, s.end])).collect::<Vec<_>>(),
        "url": text(m.as_bytes()),
        "scheme": m.scheme(),
        "host": m.host(),
        "port": m.port(),
        "ascii": m.ascii(),
        "form": m.form().as_str(),
        "grade": assessment.grade().as_str(),
        "reason": reason,
        "join": m.joined().map(|joined| joined.as_str()),
        "alternatives": m.alternatives().iter().map(|url| text(url)).collect::<Vec<_>>(),
        "warnings": m.warnings().into_iter().map(|w| w.as_str()).collect::<Vec<_>>(),
        "message": null,
        "unwrapped": m.unwrapped_from(),
    })
}

/// The whole text at once.
pub fn slice(finder: &Finder, text: &[u8]) -> Vec<Value> {
    ways::slice(finder, text, object)
}

/// A reader that returns `size` bytes per call.
pub fn streamed(finder: &Finder, text: &[u8], size: usize) -> Vec<Value> {
    ways::streamed(finder, text, size, object)
}

/// Pieces that are cut at `cuts`, which are in ascending order.
pub fn pushed(finder: &Finder, text: &[u8], cuts: &[usize]) -> Vec<Value> {
    ways::pushed(finder, text, cuts, object)
}
