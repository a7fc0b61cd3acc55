//! Finds for programs: JSON Lines.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use urlgrep::Located;
use urlgrep::grammar::Invalid;

use super::view::View;
use crate::escape;
use crate::hit::Source;
use crate::spelling::Spelling;

/// Prints a find.
pub fn print(out: &mut Vec<u8>, view: &View<'_>) {
    let mut object = object(view);
    if let Some(around) = view.around {
        object["context"] = around.lines().map(|(_, line)| text(line)).collect();
    }
    out.extend_from_slice(line(&object).as_bytes());
}

/// Everything that is known of a find.
pub fn object(view: &View<'_>) -> Value {
    let found = view.hit.found();
    let place = view.place();
    let span = view.span();
    let segments: Vec<_> = view.segments().into_iter().map(|s| [s.start, s.end]).collect();
    let assessment = found.assess();
    let alternatives: Vec<_> = view.alternatives().map(|url| text(&url)).collect();
    let warnings: Vec<_> = found.warnings().into_iter().map(|w| w.as_str()).collect();
    let mut object = json!({
        "path": text(escape::bytes(view.name)),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "start": span.start,
        "end": span.end,
        "segments": segments,
        "url": text(&view.url()),
        "scheme": found.scheme().to_ascii_lowercase(),
        "form": found.form().as_str(),
        "grade": assessment.grade().as_str(),
        "reason": assessment.reason().map(reason),
        "join": view.hit.joined().map(|joined| joined.as_str()),
        "alternatives": alternatives,
        "warnings": warnings,
        "message": match view.hit.source {
            Source::Archive(located) => message(located, view.spelling),
            Source::Text(_) => Value::Null,
        },
    });
    if let Some(settled) = view.hit.settled {
        object["hyphen"] = settled.as_str().into();
    }
    object
}

/// The message that a find is in; null if it is in none.
fn message(located: &Located<'_>, spelling: Spelling) -> Value {
    let text = located.text();
    let Some(envelope) = text.envelope() else {
        return Value::Null;
    };
    json!({
        "index": text.message_index(),
        "id": envelope.id(),
        "from": envelope.from().map(|from| spelling.of_text(from)),
        "date": envelope.date(),
        "subject": envelope.subject().map(|subject| spelling.of_text(subject)),
        "newsgroups": envelope.newsgroups(),
        "part": text.part(),
        "content_type": text.content_type(),
        "header": located.header(),
        "quote_depth": located.quote_depth(),
    })
}

/// Bytes as a string or, if they are not UTF-8, as `{"bytes": base64}`.
pub fn text(bytes: &[u8]) -> Value {
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!({ "bytes": STANDARD.encode(bytes) }),
    }
}

/// Why a grade is no better.
pub fn reason(reason: &Invalid) -> Value {
    json!({
        "production": reason.production(),
        "offset": reason.offset(),
        "message": reason.to_string(),
    })
}

/// A value on a line of its own.
///
/// JSON escapes the control characters of ASCII but DEL. This escapes that and
/// those above ASCII too: they can only stand in strings, and whether a terminal
/// or a program reads them, they mean the same.
pub fn line(value: &Value) -> String {
    let text = value.to_string();
    let mut line = String::with_capacity(text.len() + 1);
    let mut rest = &text[..];
    while let Some(at) = rest.find(|char: char| char.is_control()) {
        let (before, behind) = rest.split_at(at);
        let mut chars = behind.chars();
        let control = chars.next().map_or(0, u32::from);
        line.push_str(before);
        line.push_str(&format!("\\u{control:04x}"));
        rest = chars.as_str();
    }
    line.push_str(rest);
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let value: Value = "a\x1b\x7f\u{9b}b\u{fc}".into();
        let line = line(&value);
        assert_eq!(line, "\"a\\u001b\\u007f\\u009bb\u{fc}\"\n");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), value);
    }

    #[test]
    fn what_is_not_text_is_base64() {
        assert_eq!(text(b"a"), json!("a"));
        assert_eq!(text(b"\xff\xfe"), json!({ "bytes": "//4=" }));
    }
}
