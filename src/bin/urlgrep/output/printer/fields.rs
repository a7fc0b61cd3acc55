//! `--format`: a template of fields.
//!
//! The fields are the keys of the JSON objects, so that `--format`, `--csv` and `--json` agree.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::super::style::OutputStyle;
use super::super::view::View;
use super::json;

/// The fields of a match, in the order of the columns. The last two are columns only
/// with `--hyphen evidence` and `--unwrap`.
pub const FIELDS: [&str; 35] = [
    "path",
    "line",
    "column",
    "start",
    "end",
    "segments",
    "url",
    "scheme",
    "host",
    "port",
    "ascii",
    "form",
    "text",
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
    "message.uri",
    "message.type",
    "message.offset",
    "hyphen",
    "unwrapped",
];

/// A template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Item>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Text(String),
    /// One of [`FIELDS`].
    Field(&'static str),
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// If a field is not known, or a brace is not closed or not opened.
    pub fn parse(template: &str) -> Result<Template, String> {
        let mut items = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, after) = rest.split_at(at);
            text.push_str(before);
            if after.starts_with("{{") || after.starts_with("}}") {
                text.push_str(&after[..1]);
                rest = &after[2..];
                continue;
            }
            let Some((name, after)) = after.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
                let brace = &after[..1];
                return Err(format!("{brace:?} has no partner; type {:?} to print a brace", brace.repeat(2)));
            };
            items.push(Item::Text(std::mem::take(&mut text)));
            items.push(Item::Field(field(name)?));
            rest = after;
        }
        text.push_str(rest);
        items.push(Item::Text(text));
        Ok(Template(items))
    }

    /// Whether lines must be counted.
    pub fn needs_lines(&self) -> bool {
        self.0.iter().any(|item| matches!(item, Item::Field("line" | "column")))
    }

    /// Whether messages must be counted.
    pub fn needs_messages(&self) -> bool {
        self.0.contains(&Item::Field("message.index"))
    }

    /// Prints a match.
    pub fn print(&self, out: &mut Vec<u8>, style: OutputStyle, view: &View<'_>) {
        let object = json::object(view);
        for item in &self.0 {
            match item {
                Item::Text(text) => out.extend_from_slice(text.as_bytes()),
                Item::Field(name) => style.print(out, &value(&object, name)),
            }
        }
        out.extend_from_slice(b"\n");
    }
}

/// The field of this name.
fn field(name: &str) -> Result<&'static str, String> {
    let field = FIELDS.into_iter().find(|field| *field == name);
    field.ok_or_else(|| format!("{{{name}}} is not a field; the fields are {}", FIELDS.join(", ")))
}

/// The value of a field.
pub fn value<'v>(object: &'v Value, name: &str) -> Cow<'v, [u8]> {
    text(name.split('.').fold(object, |value, key| &value[key]))
}

/// A value as text. Null is empty, a range is `4-31`, the values of a list are
/// separated by spaces, and bytes that are not UTF-8 are verbatim.
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
    use crate::input::Base;
    use crate::output::hit::{Hit, HyphenDecision, Origin};
    use crate::output::view::Section;

    fn text_item(text: &str) -> Item {
        Item::Text(text.to_owned())
    }

    #[test]
    fn templates() {
        let items = |template| Template::parse(template).unwrap().0;
        assert_eq!(items("{{a}} {url}b"), [text_item("{a} "), Item::Field("url"), text_item("b")]);
        assert_eq!(items(""), [text_item("")]);
        assert_eq!(items("{{{path}}}"), [text_item("{"), Item::Field("path"), text_item("}")]);
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
            section: Section { name: "-".as_ref(), base: Base::default() },
            hit: Hit { origin: Origin::Text(&matched), decision: Some(HyphenDecision::ByRule) },
            context: None,
            spelling: Default::default(),
            unwrap: true,
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
}
