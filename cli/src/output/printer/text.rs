//! `--csv` and `--format`: fields as text.
//!
//! The fields are those of the JSON objects, so that `--format`, `--csv` and `--json` agree.
//!
//! Comma-separated values are those of RFC 4180. A spreadsheet takes a value that starts with `=`
//! and the like for a formula, and a formula can start programs or send other cells away. So such
//! a value gets an apostrophe, which spreadsheets show or drop, and never run.

use std::borrow::Cow;

use super::super::View;
use super::super::style::OutputStyle;
use super::values::{self, Field, Requested, Value, Values, write_number};
use super::{Memo, Sheet};

/// Prints the value of a field, with its text changed by `spell`.
fn print_value(
    out: &mut Sheet,
    style: OutputStyle,
    value: &Value<'_>,
    spell: impl for<'t> Fn(&'t [u8]) -> Cow<'t, [u8]>,
) {
    match *value {
        Value::Counted(counted, number) => out.number(counted, number),
        Value::Number(number) => write_number(&mut out.text, number),
        _ => style.print(&mut out.text, &spell(&value.to_text())),
    }
}

/// The names of the columns of comma-separated values.
pub fn header(requested: Requested) -> Vec<u8> {
    let names: Vec<_> = requested.columns().map(|field| field.name).collect();
    format!("{}\r\n", names.join(",")).into()
}

/// Prints a match as comma-separated values, which are verbatim if they are `raw`.
pub fn print_row(out: &mut Sheet, style: OutputStyle, view: &View<'_>, memo: &mut Memo, raw: bool) {
    memo.read(view);
    let values = Values::new(view, memo);
    for (n, field) in view.requested.columns().enumerate() {
        if n > 0 {
            out.text.push(b',');
        }
        print_value(out, style, &(field.value)(&values), |text| cell(text, raw));
    }
    out.text.extend_from_slice(b"\r\n");
}

/// A value as a cell, which no spreadsheet takes for a formula unless it is `raw`.
///
/// "Fields containing line breaks (CRLF), double quotes, and commas should be
/// enclosed in double-quotes. [...] a double-quote appearing inside a field must
/// be escaped by preceding it with another double quote."
///
/// In some countries, spreadsheets separate cells at semicolons or tabs, and what
/// follows one in a value would be a cell of its own.
fn cell(value: &[u8], raw: bool) -> Cow<'_, [u8]> {
    let value: Cow<'_, [u8]> = match value.first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') if !raw => [b"'", value].concat().into(),
        _ => value.into(),
    };
    let is_special =
        |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n') || (!raw && matches!(byte, b';' | b'\t'));
    if !value.iter().any(is_special) {
        return value;
    }
    let mut quoted = vec![b'"'];
    for &byte in &*value {
        let twice = if byte == b'"' { 2 } else { 1 };
        quoted.extend(std::iter::repeat_n(byte, twice));
    }
    quoted.push(b'"');
    quoted.into()
}

/// A template of fields.
#[derive(Clone, Debug)]
pub struct Template(Vec<Token>);

#[derive(Clone, Debug)]
enum Token {
    Text(String),
    Field(&'static Field),
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// If a field is not known, or a brace is not closed or not opened.
    pub fn parse(template: &str) -> Result<Template, String> {
        let mut tokens = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, after) = rest.split_at(at);
            text.push_str(&unescaped(before));
            if after.starts_with("{{") || after.starts_with("}}") {
                text.push_str(&after[..1]);
                rest = &after[2..];
                continue;
            }
            let Some((name, after)) = after.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
                let brace = &after[..1];
                return Err(format!("{brace:?} has no partner; type {:?} to print a brace", brace.repeat(2)));
            };
            tokens.push(Token::Text(std::mem::take(&mut text)));
            tokens.push(Token::Field(field(name)?));
            rest = after;
        }
        text.push_str(&unescaped(rest));
        tokens.push(Token::Text(text));
        Ok(Template(tokens))
    }

    /// Whether lines must be counted.
    pub fn needs_lines(&self) -> bool {
        self.has(|name| matches!(name, "line" | "column"))
    }

    fn has(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.0.iter().any(|token| matches!(token, Token::Field(field) if wanted(field.name)))
    }

    /// Prints a match.
    pub fn print(&self, out: &mut Sheet, style: OutputStyle, view: &View<'_>, memo: &mut Memo) {
        if self.has(|name| name.starts_with("message.")) {
            memo.read(view);
        }
        let values = Values::new(view, memo);
        for token in &self.0 {
            match token {
                Token::Text(text) => out.text.extend_from_slice(text.as_bytes()),
                Token::Field(field) => print_value(out, style, &(field.value)(&values), |text| text.into()),
            }
        }
        out.text.push(b'\n');
    }
}

/// A text with the characters that a backslash and a letter stand for. Other backslashes are themselves.
fn unescaped(text: &str) -> String {
    let escapes = [("\\", '\\'), ("t", '\t'), ("n", '\n'), ("0", '\0')];
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        unescaped.push_str(before);
        let escape = escapes.iter().find_map(|(name, char)| Some((char, after.strip_prefix(name)?)));
        let (&char, after) = escape.unwrap_or((&'\\', after));
        unescaped.push(char);
        rest = after;
    }
    unescaped + rest
}

/// The field of this name.
fn field(name: &str) -> Result<&'static Field, String> {
    let field = values::all().find(|field| field.name == name);
    field.ok_or_else(|| {
        let names: Vec<_> = values::all().map(|field| field.name).collect();
        format!("{{{name}}} is not a field; the fields are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use super::*;
    use crate::output::{Base, Hit, HyphenDecision, Origin};

    fn text_of_cell(value: &str, raw: bool) -> String {
        String::from_utf8(cell(value.as_bytes(), raw).into_owned()).unwrap()
    }

    #[test]
    fn quotes() {
        assert_eq!(text_of_cell("a b;c", true), "a b;c");
        assert_eq!(text_of_cell("a b;c", false), "\"a b;c\"");
        assert_eq!(text_of_cell("a,\"b\"", true), "\"a,\"\"b\"\"\"");
        assert_eq!(text_of_cell("a\nb", true), "\"a\nb\"");
    }

    #[test]
    fn formulas() {
        for value in ["=1", "+1", "-1", "@a"] {
            assert_eq!(text_of_cell(value, false), format!("'{value}"));
            assert_eq!(text_of_cell(value, true), value);
        }
        for value in ["\ta", "\ra"] {
            assert_eq!(text_of_cell(value, false), format!("\"'{value}\""));
        }
        assert_eq!(text_of_cell("a=1", false), "a=1");
    }

    #[test]
    fn templates() {
        // A field is shown as its name in angle brackets.
        let tokens = |template| {
            let tokens = Template::parse(template).unwrap().0.into_iter().map(|token| match token {
                Token::Text(text) => text,
                Token::Field(field) => format!("<{}>", field.name),
            });
            tokens.collect::<Vec<_>>()
        };
        assert_eq!(tokens("{{a}} {url}b"), ["{a} ", "<url>", "b"]);
        assert_eq!(tokens(""), [""]);
        assert_eq!(tokens("{{{path}}}"), ["{", "<path>", "}"]);
        assert!(Template::parse("{message.id}").is_ok());
        for (template, word) in [
            ("{uri}", "{uri} is not a field; the fields are path, line"),
            ("{url", "\"{{\""),
            ("a}b", "\"}}\""),
        ] {
            let error = Template::parse(template).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }

    /// Except the fields of messages, which not every match has.
    #[test]
    fn fields_are_the_keys_of_json() {
        let matched = urlgrep::find("http://h.org/~me").unwrap();
        let view = View {
            base: Base { name: "-".as_ref(), offset: 0 },
            hit: Hit { origin: Origin::Text(&matched), decision: Some(HyphenDecision::ByRule) },
            context: None,
            spelling: Default::default(),
            requested: Requested { hyphen: true, unwrapped: true },
        };
        let mut names = Vec::new();
        let mut line = Sheet::default();
        json::print(&mut line, &view, &mut Memo::default());
        let object: serde_json::Value = serde_json::from_slice(&line.text).unwrap();
        for (key, value) in object.as_object().unwrap() {
            match value.as_object() {
                Some(parts) => names.extend(parts.keys().map(|part| format!("{key}.{part}"))),
                None => names.push(key.clone()),
            }
        }
        let fields = values::all().map(|field| field.name);
        let fields: Vec<_> = fields.filter(|name| !name.starts_with("message.")).collect();
        names.retain(|name| name != "message");
        assert_eq!(names, fields);
    }
}
