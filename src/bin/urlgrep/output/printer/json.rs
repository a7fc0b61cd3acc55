//! `--json`: JSON Lines.
//!
//! An object is serialized directly into the output. To build a `Value` first would
//! take as long as the search.

use std::io;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::ser::Formatter;
use urlgrep::archive::Record;
use urlgrep::{ArchiveMatch, TextOrBytes};

use super::super::hit::Origin;
use super::super::view::View;
use crate::escape;

/// Prints a match.
pub fn print(out: &mut Vec<u8>, view: &View<'_>) {
    write_line(out, &Object(view));
}

/// Prints the number of matches of a file, or of a URL: `{"path":"a","count":2}`.
pub fn print_count(out: &mut Vec<u8>, key: &'static str, of: &[u8], count: u64) {
    write_line(out, &Count(key, of, count));
}

/// A number of matches.
struct Count<'c>(&'static str, &'c [u8], u64);

impl Serialize for Count<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Count(key, of, count) = *self;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry(key, &TextOrBytes(of))?;
        map.serialize_entry("count", &count)?;
        map.end()
    }
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
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("path", &TextOrBytes(&view.path()))?;
        view.fields().serialize_into(&mut map)?;
        map.serialize_entry("message", &Message(view))?;
        if let Some(decision) = view.hit.decision {
            map.serialize_entry("hyphen", &decision.as_str())?;
        }
        if view.unwrap {
            map.serialize_entry("unwrapped", view.hit.matched().unwrapped_from())?;
        }
        if let Some(context) = view.context {
            let lines: Vec<_> = context.lines().map(|(_, line)| TextOrBytes(line)).collect();
            map.serialize_entry("context", &lines)?;
        }
        map.end()
    }
}

/// The message that contains a match; null outside of messages.
struct Message<'v>(&'v View<'v>);

impl Serialize for Message<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Origin::Archive(matched) = self.0.hit.origin else { return to.serialize_none() };
        if let Some(record) = matched.record() {
            return self.record(matched, record, to);
        }
        let Some(envelope) = matched.envelope() else { return to.serialize_none() };
        let spelled = |field: Option<String>| field.map(|field| self.0.spelling.of_text(field));
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("index", &self.0.message_index(matched))?;
        map.serialize_entry("id", &spelled(envelope.id()))?;
        map.serialize_entry("from", &spelled(envelope.from()))?;
        map.serialize_entry("date", &envelope.date())?;
        map.serialize_entry("subject", &spelled(envelope.subject()))?;
        map.serialize_entry("newsgroups", &spelled(envelope.newsgroups()))?;
        map.serialize_entry("part", &matched.part())?;
        map.serialize_entry("content_type", &spelled(matched.content_type()))?;
        map.serialize_entry("header", &matched.header())?;
        map.serialize_entry("quote_depth", &matched.quote_depth())?;
        map.end()
    }
}

impl Message<'_> {
    /// The record of a web archive that is the message. It has the keys of mail, and its own.
    fn record<S: Serializer>(
        &self,
        matched: &ArchiveMatch<'_>,
        record: &Record,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let spelled = |field: String| self.0.spelling.of_text(field);
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("index", &self.0.message_index(matched))?;
        map.serialize_entry("id", &record.id().map(|id| spelled(id.to_owned())))?;
        map.serialize_entry("from", &())?;
        map.serialize_entry("date", &record.date())?;
        for key in ["subject", "newsgroups", "part"] {
            map.serialize_entry(key, &())?;
        }
        map.serialize_entry("content_type", &matched.content_type().map(spelled))?;
        map.serialize_entry("header", &matched.header())?;
        map.serialize_entry("quote_depth", &matched.quote_depth())?;
        map.serialize_entry("uri", &record.uri().map(|uri| spelled(uri.to_owned())))?;
        map.serialize_entry("type", &record.kind().map(|kind| spelled(kind.to_owned())))?;
        map.serialize_entry("offset", &(self.0.section.base.offset + record.offset()))?;
        map.end()
    }
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

/// JSON without control characters and invisible ones.
///
/// JSON escapes C0 controls. This also escapes the other characters that a terminal
/// executes or does not show. They occur only in strings, where an escape has the same
/// meaning.
struct NoControls;

impl Formatter for NoControls {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        let mut rest = text;
        // DEL is the only one of them in ASCII.
        while (!rest.is_ascii() || rest.contains('\x7f'))
            && let Some(at) = rest.find(escape::must_be_escaped)
        {
            let (before, after) = rest.split_at(at);
            let mut chars = after.chars();
            out.write_all(before.as_bytes())?;
            for unit in chars.next().iter().flat_map(|char| char.encode_utf16(&mut [0; 2]).to_vec()) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = chars.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let value: Value = "a\x1b\x7f\u{9b}b\u{fc}\u{202e}c\u{e0041}".into();
        let line = String::from_utf8(line(&value)).unwrap();
        assert_eq!(line, "\"a\\u001b\\u007f\\u009bb\u{fc}\\u202ec\\udb40\\udc41\"\n");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), value);
    }
}
