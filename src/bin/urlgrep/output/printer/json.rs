//! `--json`: JSON Lines.
//!
//! An object is serialized directly into the output. To build a `Value` first would
//! take as long as the search.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::ser::Formatter;
use urlgrep::grammar::ParseError;

use super::super::hit::Origin;
use super::super::view::View;
use crate::escape;

/// Prints a match.
pub fn print(out: &mut Vec<u8>, view: &View<'_>) {
    write_line(out, &Object(view));
}

/// A match as a JSON object, without its context.
pub fn object(view: &View<'_>) -> Value {
    serde_json::to_value(Object(&View { context: None, ..*view })).unwrap_or_default()
}

/// A match as a JSON object.
struct Object<'v>(&'v View<'v>);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let view = self.0;
        let matched = view.hit.matched();
        let (position, span) = (view.position(), view.span());
        let segments: Vec<_> = view.segments().into_iter().map(|s| [s.start, s.end]).collect();
        let assessment = matched.assess();
        let alternatives: Vec<_> = view.alternatives().collect();
        let warnings: Vec<_> = matched.warnings().into_iter().map(|w| w.as_str()).collect();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("path", &text(escape::bytes(view.section.name)))?;
        map.serialize_entry("line", &position.map(|position| position.line))?;
        map.serialize_entry("column", &position.map(|position| position.column))?;
        map.serialize_entry("start", &span.start)?;
        map.serialize_entry("end", &span.end)?;
        map.serialize_entry("segments", &segments)?;
        map.serialize_entry("url", &text(&view.url()))?;
        map.serialize_entry("scheme", &matched.scheme())?;
        map.serialize_entry("form", matched.form().as_str())?;
        map.serialize_entry("grade", assessment.grade().as_str())?;
        map.serialize_entry("reason", &assessment.reason().map(reason))?;
        map.serialize_entry("join", &view.hit.joined().map(|joined| joined.as_str()))?;
        map.serialize_entry("alternatives", &texts(alternatives.iter().map(Vec::as_slice)))?;
        map.serialize_entry("warnings", &warnings)?;
        map.serialize_entry("message", &Message(view))?;
        if let Some(decision) = view.hit.decision {
            map.serialize_entry("hyphen", &decision.as_str())?;
        }
        if let Some(context) = view.context {
            map.serialize_entry("context", &texts(context.lines().map(|(_, line)| line)))?;
        }
        map.end()
    }
}

/// The message that contains a match; null outside of messages.
struct Message<'v>(&'v View<'v>);

impl Serialize for Message<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Origin::Archive(matched) = self.0.hit.origin else { return to.serialize_none() };
        let Some(envelope) = matched.envelope() else { return to.serialize_none() };
        let spelled = |field: Option<String>| field.map(|field| self.0.spelling.of_text(field));
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("index", &self.0.message_index(matched))?;
        map.serialize_entry("id", &envelope.id())?;
        map.serialize_entry("from", &spelled(envelope.from()))?;
        map.serialize_entry("date", &envelope.date())?;
        map.serialize_entry("subject", &spelled(envelope.subject()))?;
        map.serialize_entry("newsgroups", &envelope.newsgroups())?;
        map.serialize_entry("part", &matched.part())?;
        map.serialize_entry("content_type", &matched.content_type())?;
        map.serialize_entry("header", &matched.header())?;
        map.serialize_entry("quote_depth", &matched.quote_depth())?;
        map.end()
    }
}

/// Bytes as a string or, if they are not UTF-8, as `{"bytes": base64}`.
pub struct Text<'t>(&'t [u8]);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = str::from_utf8(self.0) {
            return to.serialize_str(text);
        }
        let mut map = to.serialize_map(Some(1))?;
        map.serialize_entry("bytes", &STANDARD.encode(self.0))?;
        map.end()
    }
}

/// Bytes as a value.
pub fn text(bytes: &[u8]) -> Text<'_> {
    Text(bytes)
}

fn texts<'t>(all: impl Iterator<Item = &'t [u8]>) -> Vec<Text<'t>> {
    all.map(text).collect()
}

/// Why a match does not have a better grade.
pub struct Reason<'r>(&'r ParseError);

impl Serialize for Reason<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("production", self.0.production())?;
        map.serialize_entry("offset", &self.0.offset())?;
        map.serialize_entry("message", &format_args!("{}", self.0))?;
        map.end()
    }
}

/// A reason as a value.
pub fn reason(reason: &ParseError) -> Reason<'_> {
    Reason(reason)
}

/// A value on its own line.
pub fn line(value: &Value) -> Vec<u8> {
    let mut line = Vec::new();
    write_line(&mut line, value);
    line
}

fn write_line(out: &mut Vec<u8>, value: &impl Serialize) {
    // This cannot fail: the output is memory, and every key is a string.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, NoControls));
    out.push(b'\n');
}

/// JSON without control characters.
///
/// JSON escapes C0 controls. This also escapes DEL and C1 controls, which a terminal
/// executes. They occur only in strings, where an escape has the same meaning.
struct NoControls;

impl Formatter for NoControls {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        let mut rest = text;
        // U+0080 to U+009F start with C2 in UTF-8.
        while memchr::memchr2(0x7F, 0xC2, rest.as_bytes()).is_some()
            && let Some(at) = rest.find(char::is_control)
        {
            let (before, after) = rest.split_at(at);
            let mut chars = after.chars();
            let control = chars.next().map_or(0, u32::from);
            write!(out, "{before}\\u{control:04x}")?;
            rest = chars.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let value: Value = "a\x1b\x7f\u{9b}b\u{fc}".into();
        let line = String::from_utf8(line(&value)).unwrap();
        assert_eq!(line, "\"a\\u001b\\u007f\\u009bb\u{fc}\"\n");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), value);
    }

    #[test]
    fn invalid_utf8_is_base64() {
        assert_eq!(json!(text(b"a")), json!("a"));
        assert_eq!(json!(text(b"\xff\xfe")), json!({ "bytes": "//4=" }));
    }
}
