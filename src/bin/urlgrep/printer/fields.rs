//! Finds by field: a template, or comma-separated values.
//!
//! The fields are the keys of the JSON objects, so that all three say the same.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::json;
use super::look::Look;
use super::view::View;
use crate::args::Args;

/// The fields of a find, in order: the columns of comma-separated values. The last
/// is one only if hyphens are read by evidence.
const FIELDS: [&str; 27] = [
    "path",
    "line",
    "column",
    "start",
    "end",
    "segments",
    "url",
    "scheme",
    "form",
    "grade",
    "reason.production",
    "reason.offset",
    "reason.message",
    "join",
    "alternatives",
    "warnings",
    "message.index",
    "message.id",
    "message.from",
    "message.date",
    "message.subject",
    "message.newsgroups",
    "message.part",
    "message.content_type",
    "message.header",
    "message.quote_depth",
    "hyphen",
];

/// The columns.
#[derive(Clone, Copy, Debug)]
pub struct Columns(&'static [&'static str]);

impl Columns {
    /// Those that are asked for.
    pub fn new(args: &Args) -> Columns {
        let with = FIELDS.len() - usize::from(!args.weighs_evidence());
        Columns(&FIELDS[..with])
    }

    /// Prints their names.
    pub fn print_header(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.0.join(",").as_bytes());
        out.extend_from_slice(b"\r\n");
    }

    /// Prints a find as comma-separated values (RFC 4180).
    pub fn print(self, out: &mut Vec<u8>, look: Look, view: &View<'_>) {
        let object = json::object(view);
        for (n, name) in self.0.iter().enumerate() {
            if n > 0 {
                out.extend_from_slice(b",");
            }
            look.print(out, &quoted(&value(&object, name)));
        }
        out.extend_from_slice(b"\r\n");
    }
}

/// What every find is printed by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// One of [`FIELDS`].
    Field(&'static str),
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// If a field is not known, or a brace stands alone.
    pub fn parse(template: &str) -> Result<Template, String> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, behind) = rest.split_at(at);
            text.push_str(before);
            if behind.starts_with("{{") || behind.starts_with("}}") {
                text.push_str(&behind[..1]);
                rest = &behind[2..];
                continue;
            }
            let Some((name, behind)) = behind.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
                return Err(format!(
                    "a brace stands alone; {:?} is one that is printed",
                    behind[..1].repeat(2)
                ));
            };
            parts.push(Part::Text(std::mem::take(&mut text)));
            parts.push(Part::Field(field(name)?));
            rest = behind;
        }
        text.push_str(rest);
        parts.push(Part::Text(text));
        Ok(Template(parts))
    }

    /// Whether a line or column is printed.
    pub fn has_place(&self) -> bool {
        self.0.iter().any(|part| matches!(part, Part::Field("line" | "column")))
    }

    /// Whether it is printed which message a find is in.
    pub fn has_index(&self) -> bool {
        self.0.contains(&Part::Field("message.index"))
    }

    /// Prints a find.
    pub fn print(&self, out: &mut Vec<u8>, look: Look, view: &View<'_>) {
        let object = json::object(view);
        for part in &self.0 {
            match part {
                Part::Text(text) => out.extend_from_slice(text.as_bytes()),
                Part::Field(name) => look.print(out, &value(&object, name)),
            }
        }
        out.extend_from_slice(b"\n");
    }
}

/// The field of this name.
fn field(name: &str) -> Result<&'static str, String> {
    let field = FIELDS.into_iter().find(|field| *field == name);
    field.ok_or_else(|| format!("{{{name}}} is no field; there are {}", FIELDS.join(", ")))
}

/// "Fields containing line breaks (CRLF), double quotes, and commas should be
/// enclosed in double-quotes. [...] a double-quote appearing inside a field must
/// be escaped by preceding it with another double quote."
fn quoted(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.iter().any(|byte| b",\"\r\n".contains(byte)) {
        return Cow::Borrowed(value);
    }
    let mut quoted = vec![b'"'];
    for &byte in value {
        let twice = if byte == b'"' { 2 } else { 1 };
        quoted.extend(std::iter::repeat_n(byte, twice));
    }
    quoted.push(b'"');
    Cow::Owned(quoted)
}

/// The value of a field.
fn value<'v>(object: &'v Value, name: &str) -> Cow<'v, [u8]> {
    text(name.split('.').fold(object, |value, key| &value[key]))
}

/// A value as text: what is null is empty, a range is `4-31`, what is not UTF-8
/// is as it was, and blanks stand between the values of a list.
fn text(value: &Value) -> Cow<'_, [u8]> {
    match value {
        Value::Null => Cow::Borrowed(b""),
        Value::String(text) => Cow::Borrowed(text.as_bytes()),
        Value::Array(list) => match &list[..] {
            [Value::Number(start), Value::Number(end)] => format!("{start}-{end}").into_bytes().into(),
            list => list.iter().map(text).collect::<Vec<_>>().join(&b' ').into(),
        },
        Value::Object(object) => {
            let bytes = object.get("bytes").and_then(Value::as_str);
            bytes.and_then(|bytes| STANDARD.decode(bytes).ok()).unwrap_or_default().into()
        }
        Value::Bool(_) | Value::Number(_) => value.to_string().into_bytes().into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::hit::{Hit, Settled, Source};

    fn text_part(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    #[test]
    fn templates() {
        let parts = |template| Template::parse(template).unwrap().0;
        assert_eq!(parts("{{a}} {url}b"), [text_part("{a} "), Part::Field("url"), text_part("b")]);
        assert_eq!(parts(""), [text_part("")]);
        assert_eq!(parts("{{{path}}}"), [text_part("{"), Part::Field("path"), text_part("}")]);
        assert!(Template::parse("{message.id}").is_ok());
        for (template, word) in
            [("{uri}", "{uri} is no field; there are path, line"), ("{url", "\"{{\""), ("a}b", "\"}}\"")]
        {
            let error = Template::parse(template).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }

    /// Those of messages aside, which not every find has.
    #[test]
    fn fields_are_the_keys_of_json() {
        let found = urlgrep::find("http://h.org/~me").unwrap();
        let view = View {
            name: "-".as_ref(),
            hit: Hit { source: Source::Text(&found), settled: Some(Settled::ByRule) },
            around: None,
            spelling: Default::default(),
            base: Default::default(),
        };
        let mut names = Vec::new();
        for (key, value) in json::object(&view).as_object().unwrap() {
            match value.as_object() {
                Some(parts) => names.extend(parts.keys().map(|part| format!("{key}.{part}"))),
                None => names.push(key.clone()),
            }
        }
        let fields: Vec<_> = FIELDS.into_iter().filter(|name| !name.starts_with("message.")).collect();
        names.retain(|name| name != "message");
        assert_eq!(names, fields);
    }

    #[test]
    fn values() {
        let object =
            json!({"a": {"b": "c"}, "d": null, "e": [[1, 2], [4, 31]], "f": ["x", {"bytes": "//4="}]});
        assert_eq!(&*value(&object, "a.b"), b"c");
        assert_eq!(&*value(&object, "d"), b"");
        assert_eq!(&*value(&object, "d.x"), b"");
        assert_eq!(&*value(&object, "e"), b"1-2 4-31");
        assert_eq!(&*value(&object, "f"), b"x \xff\xfe");
    }

    #[test]
    fn quotes() {
        assert_eq!(&*quoted(b"a b"), b"a b");
        assert_eq!(&*quoted(b"a,\"b\""), b"\"a,\"\"b\"\"\"");
        assert_eq!(&*quoted(b"a\nb"), b"\"a\nb\"");
    }
}
