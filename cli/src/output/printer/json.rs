//! `--json`: JSON Lines.
//!
//! An object is written directly into the output: to print most matches takes longer than to
//! find them.

use serde_json::Value as Json;

use super::super::number::write_number;
use super::super::sheet::Sheet;
use super::super::view::View;
use super::memo::Memo;
use super::urls::UrlJson;
use super::value::{write_char, write_string};
use super::values::{
    AFTER_REASON, Field, GRADE, HYPHEN, OF_ENVELOPE, OF_MATCH, OF_MESSAGE, OF_PART, OF_PLACE, OF_REASON,
    OF_RECORD, OF_URL, UNWRAPPED, Values, WARNINGS,
};

/// Prints a match.
pub fn print(out: &mut Sheet, view: &View<'_>, memo: &mut Memo) {
    memo.read(view);
    let mut url = memo.urls.take(view);
    let values = &Values::new(view, memo);
    if url.is_empty() {
        write_url(&mut url, values);
    }
    let start = out.text.len();
    write_members(out, values, &OF_PLACE);
    // Instead of the comma before the first member.
    out.text[start] = b'{';
    out.text.extend_from_slice(url.members());
    write_members(out, values, &OF_MATCH);
    out.text.extend_from_slice(url.grade());
    write_members(out, values, &AFTER_REASON);
    out.text.extend_from_slice(url.warnings());
    out.text.extend_from_slice(b",\"message\":");
    write_message(out, values);
    write_on_request(out, view, values);
    out.text.extend_from_slice(b"}\n");
    memo.urls.put(url);
}

/// Writes what all matches of a URL have in common.
fn write_url(url: &mut UrlJson, values: &Values<'_>) {
    url.write([
        &|out| write_members(out, values, &OF_URL),
        &|out| {
            write_members(out, values, &GRADE);
            out.text.extend_from_slice(b",\"reason\":");
            let start = out.text.len();
            match values.reason() {
                Some(_) => {
                    write_within(out, values, "reason.", &OF_REASON);
                    close_object(out, start);
                }
                None => out.text.extend_from_slice(b"null"),
            }
        },
        &|out| write_members(out, values, &WARNINGS),
    ]);
}

/// Writes the members that an option asks for.
fn write_on_request(out: &mut Sheet, view: &View<'_>, values: &Values<'_>) {
    if view.hit.decision.is_some() {
        write_members(out, values, &HYPHEN);
    }
    if view.unwrap {
        write_members(out, values, &UNWRAPPED);
    }
    if let Some(context) = view.context {
        out.text.extend_from_slice(b",\"context\":[");
        for (n, (_, line)) in context.lines().enumerate() {
            if n > 0 {
                out.text.push(b',');
            }
            write_string(&mut out.text, line);
        }
        out.text.push(b']');
    }
}

/// Writes the message that contains a match; null outside of messages. A record of a web archive
/// has the keys of mail, and its own.
fn write_message(out: &mut Sheet, values: &Values<'_>) {
    if values.in_message().is_none() {
        return out.text.extend_from_slice(b"null");
    }
    let start = out.text.len();
    write_within(out, values, "message.", &OF_MESSAGE);
    match values.envelope_json() {
        Some(envelope) => out.text.extend_from_slice(envelope),
        None => write_within(out, values, "message.", &OF_ENVELOPE),
    }
    write_within(out, values, "message.", &OF_PART);
    if values.record().is_some() {
        write_within(out, values, "message.", &OF_RECORD);
    }
    close_object(out, start);
}

/// Writes fields as members of an object, each after a comma.
fn write_members(out: &mut Sheet, values: &Values<'_>, fields: &[Field]) {
    for field in fields {
        out.text.extend_from_slice(field.json.as_bytes());
        (field.value)(values).print_json(out);
    }
}

/// Writes fields, whose names begin with `prefix`, as members of an object within, each after a comma.
fn write_within(out: &mut Sheet, values: &Values<'_>, prefix: &str, fields: &[Field]) {
    for field in fields {
        out.text.extend_from_slice(b",\"");
        // What follows the comma, the quote and the prefix.
        out.text.extend_from_slice(&field.json.as_bytes()[2 + prefix.len()..]);
        (field.value)(values).print_json(out);
    }
}

/// Ends the object whose first member, after a comma, is at `start`.
fn close_object(out: &mut Sheet, start: usize) {
    out.text[start] = b'{';
    out.text.push(b'}');
}

/// Prints the number of matches of a file, or of a URL: `{"path":"a","count":2}`.
pub fn print_count(out: &mut Vec<u8>, key: &'static str, of: &[u8], count: u64) {
    out.extend_from_slice(b"{\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
    write_string(out, of);
    out.extend_from_slice(b",\"count\":");
    write_number(out, count);
    out.extend_from_slice(b"}\n");
}

/// A value on its own line.
pub fn line(value: &Json) -> Vec<u8> {
    let mut line = Vec::new();
    // What must be escaped occurs only in strings.
    value.to_string().chars().for_each(|char| write_char(&mut line, char));
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let value: Json = "a\x1b\x7f\u{9b}b\u{fc}\u{202e}c\u{e0041}".into();
        let line = String::from_utf8(line(&value)).unwrap();
        assert_eq!(line, "\"a\\u001b\\u007f\\u009bb\u{fc}\\u202ec\\udb40\\udc41\"\n");
        assert_eq!(serde_json::from_str::<Json>(&line).unwrap(), value);
    }
}
