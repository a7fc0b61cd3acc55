//! `--format`: a template of fields.
//!
//! The fields are those of the JSON objects, so that `--format`, `--csv` and `--json` agree.

use super::super::sheet::Sheet;
use super::super::style::OutputStyle;
use super::super::view::View;
use super::memo::Memo;
use super::value::Value;
use super::values::{self, Field, Values};

/// A template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Item>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
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
        self.has(|name| matches!(name, "line" | "column"))
    }

    fn has(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.0.iter().any(|item| matches!(item, Item::Field(field) if wanted(field.name)))
    }

    /// Prints a match.
    pub fn print(&self, out: &mut Sheet, style: OutputStyle, view: &View<'_>, memo: &mut Memo) {
        if self.has(|name| name.starts_with("message.")) {
            memo.read(view);
        }
        let mut text = std::mem::take(&mut memo.text);
        let values = Values::new(view, memo);
        for item in &self.0 {
            match item {
                Item::Text(text) => out.text.extend_from_slice(text.as_bytes()),
                Item::Field(field) => match (field.value)(&values) {
                    Value::Counted(counted, number) => out.number(counted, number),
                    value => {
                        text.clear();
                        value.write_text(&mut text);
                        style.print(&mut out.text, &text);
                    }
                },
            }
        }
        out.text.extend_from_slice(b"\n");
        memo.text = text;
    }
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
    use crate::output::hit::{Hit, HyphenDecision, Origin};
    use crate::output::view::Section;

    fn text_item(text: &str) -> Item {
        Item::Text(text.to_owned())
    }

    fn named(name: &str) -> Item {
        Item::Field(field(name).unwrap())
    }

    #[test]
    fn templates() {
        let items = |template| Template::parse(template).unwrap().0;
        assert_eq!(items("{{a}} {url}b"), [text_item("{a} "), named("url"), text_item("b")]);
        assert_eq!(items(""), [text_item("")]);
        assert_eq!(items("{{{path}}}"), [text_item("{"), named("path"), text_item("}")]);
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
            section: Section { name: "-".as_ref(), offset: 0 },
            hit: Hit { origin: Origin::Text(&matched), decision: Some(HyphenDecision::ByRule) },
            context: None,
            spelling: Default::default(),
            unwrap: true,
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
