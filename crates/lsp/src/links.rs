//! The URLs of a document in the protocol: links, and the description of the URL at a position.

use std::ops::Range;

use serde_json::{Value, json};
use urlgrep::{Finder, Match, grammar};
use urlgrep_print::context::{Context, ContextLines};
use urlgrep_print::escape::Escaped;
use urlgrep_print::explain::sentences;
use urlgrep_print::spelling;

use crate::document::{Document, Encoding, Position};

/// The maximum number of lines on which a URL is a link, because each of these links contains the
/// whole target, which may be as long as all lines.
const MAX_LINES: usize = 64;

/// Returns the links of a document. A URL that is broken over lines is one link on each of them, because
/// some clients do not show links of several lines. URLs with schemes that may do more than display a page
/// are not links. Tooltips are computed when a client [asks](resolved) for them, because it shows one of
/// many.
pub fn links(finder: &Finder, uri: &str, document: &Document, encoding: Encoding) -> Vec<Value> {
    let mut positions = document.positions(encoding);
    let mut links = Vec::new();
    let matches = finder.find_iter(document.text.as_bytes());
    for matched in matches.filter(|matched| grammar::opens_safely(&matched.scheme())) {
        let target = spelling::target(Vec::new(), &matched.href());
        let target = String::from_utf8_lossy(&target);
        let data = json!({ "uri": uri, "at": matched.start() });
        let link = |piece| json!({ "range": positions.range(piece), "target": target, "data": data });
        links.extend(pieces(document, &matched).into_iter().take(MAX_LINES).map(link));
    }
    links
}

/// Returns a link with its tooltip, unless the text has changed there.
pub fn resolved(finder: &Finder, document: &Document, mut link: Value) -> Value {
    let at = link["data"]["at"].as_u64().and_then(|at| usize::try_from(at).ok());
    if let Some(matched) = at.and_then(|at| finder.find_covering(document.text.as_bytes(), at))
        && link["target"] == *String::from_utf8_lossy(&spelling::target(Vec::new(), &matched.href()))
    {
        link["tooltip"] = explained(document, &matched).into();
    }
    link
}

/// Returns the description of the URL at a position, if the position has a URL.
pub fn hover(finder: &Finder, document: &Document, encoding: Encoding, place: Position) -> Option<Value> {
    let matched = finder.find_covering(document.text.as_bytes(), document.offset(place, encoding))?;
    let contents = json!({ "kind": "plaintext", "value": explained(document, &matched) });
    Some(json!({ "contents": contents, "range": document.positions(encoding).range(matched.range()) }))
}

/// Returns a diagnostic for each match of a finder of invalid text.
pub fn diagnostics(finder: &Finder, document: &Document, encoding: Encoding) -> Vec<Value> {
    let mut positions = document.positions(encoding);
    let matches = finder.find_iter(document.text.as_bytes());
    let diagnostic = |matched: Match<'_>| {
        let invalid = matched.invalid()?;
        let part = Escaped(&matched.as_bytes()[invalid.part()]);
        let message = format!("{} \"{part}\", expected {}", invalid.kind(), invalid.expected());
        let (range, code) = (positions.range(matched.range()), invalid.kind().as_str());
        // A warning, because the text may be right in its context.
        Some(json!({ "range": range, "severity": 2, "code": code, "source": "urlgrep", "message": message }))
    };
    matches.filter_map(diagnostic).collect()
}

/// The URL, and the sentences that `--explain` prints about it, one on each line.
fn explained(document: &Document, matched: &Match<'_>) -> String {
    let context = Context::of(document.text.as_bytes(), matched.range(), ContextLines::default());
    let sentences = sentences(matched, None, &context);
    format!("{}\n{}", Escaped(matched.as_bytes()), sentences.join("\n"))
}

/// Returns the part of the URL on each line, from its first byte there to its last.
fn pieces(document: &Document, matched: &Match<'_>) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for range in matched.ranges() {
        match pieces.last_mut() {
            Some(last) if document.line(last.start) == document.line(range.start) => last.end = range.end,
            _ => pieces.push(range),
        }
    }
    pieces
}
