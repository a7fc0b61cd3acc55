//! A find as an entry of the page's data.
//!
//! It is an array: line, column, URL, what a click on it opens, scheme, host,
//! form, grade, join. A click opens nothing (0), the URL as it stands (1), or what
//! is written there.

use serde_json::{Value, json};

use crate::escape::{self, Shown};
use crate::hit::Source;
use crate::printer::{Target, View};
use crate::stats::Facts;

/// How much of a header field is shown, in characters.
const FIELD: usize = 300;

/// A find, and what it is in, each as an entry of the data.
#[derive(Debug)]
pub struct Link {
    pub path: Box<str>,
    pub message: Box<str>,
    pub row: Box<str>,
}

impl Link {
    /// A find as it is printed.
    pub fn of(view: &View<'_>) -> Link {
        let facts = Facts::of(view.hit);
        let place = view.place();
        let url = view.url();
        let shown = Shown(&url).to_string();
        let link = Target { scheme: view.hit.found().scheme(), url: &url }.link();
        let link = match link.map(|link| String::from_utf8_lossy(&link).into_owned()) {
            None => json!(0),
            Some(link) if link == shown => json!(1),
            Some(link) => json!(link),
        };
        let (line, column) = (place.map(|place| place.line), place.map(|place| place.column));
        let row =
            json!([line, column, shown, link, facts.scheme, facts.host, facts.form, facts.grade, facts.join]);
        let path = Shown(escape::bytes(view.name)).to_string();
        Link { path: ascii(&path.into()), message: ascii(&message(view)), row: ascii(&row) }
    }

    /// How many bytes it holds.
    pub fn len(&self) -> usize {
        self.path.len() + self.message.len() + self.row.len()
    }
}

/// The message that a find is in; null if it is in none.
fn message(view: &View<'_>) -> Value {
    let Source::Archive(located) = view.hit.source else { return Value::Null };
    let Some(envelope) = located.envelope() else { return Value::Null };
    let field = |value| clip(view.spelling.of_text(value));
    json!({
        "date": envelope.date(),
        "from": envelope.from().map(field),
        "subject": envelope.subject().map(field),
        "id": envelope.id().map(clip),
    })
}

/// As much of a header field as is shown. It goes with each find of the message.
fn clip(field: String) -> String {
    match field.char_indices().nth(FIELD) {
        Some((end, _)) => format!("{}\u{2026}", &field[..end]),
        None => field,
    }
}

/// A value as JSON that means nothing to HTML, in visible ASCII. What has to be
/// escaped for that can only stand in strings.
pub fn ascii(value: &Value) -> Box<str> {
    let mut ascii = String::new();
    for char in value.to_string().chars() {
        if matches!(char, ' '..='~') && !matches!(char, '<' | '>' | '&') {
            ascii.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            ascii.push_str(&format!("\\u{unit:04x}"));
        }
    }
    ascii.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_sees_nothing_in_it() {
        let value = json!("</script><!--&amp;\u{7f}\u{2028}\u{1f600}\n\u{fc}");
        let ascii = ascii(&value);
        assert_eq!(
            &*ascii,
            "\"\\u003c/script\\u003e\\u003c!--\\u0026amp;\\u007f\\u2028\\ud83d\\ude00\\n\\u00fc\""
        );
        assert_eq!(serde_json::from_str::<Value>(&ascii).unwrap(), value);
    }

    #[test]
    fn long_fields_are_clipped() {
        assert_eq!(clip("\u{fc}".repeat(300)), "\u{fc}".repeat(300));
        assert_eq!(clip("\u{fc}".repeat(301)), "\u{fc}".repeat(300) + "\u{2026}");
    }
}
