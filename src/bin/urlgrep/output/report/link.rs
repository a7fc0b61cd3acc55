//! A match as an entry of the data of a report.
//!
//! It is an array: line, column, URL, link, scheme, host, form, grade, join. The
//! link is 0 if a click opens nothing, 1 if it opens the URL, or else what it opens.

use serde_json::{Value, json};

use super::super::hit::Origin;
use super::super::stats::Facts;
use super::super::view::View;
use crate::escape::Escaped;

/// The number of characters of a header field that are shown, at most.
const MAX_FIELD: usize = 300;

/// A match, its path and its message, each as an entry of the data.
#[derive(Debug)]
pub struct Link {
    pub path: Box<str>,
    pub message: Box<str>,
    pub row: Box<str>,
}

impl Link {
    /// The entries of a match.
    pub fn of(view: &View<'_>) -> Link {
        let facts = Facts::of(view.hit);
        let position = view.position();
        let url = view.url();
        let shown = Escaped(&url).to_string();
        let link = match view.link(&url).map(|link| String::from_utf8_lossy(&link).into_owned()) {
            None => json!(0),
            Some(link) if link == shown => json!(1),
            Some(link) => json!(link),
        };
        let (line, column) =
            (position.map(|position| position.line), position.map(|position| position.column));
        let row =
            json!([line, column, shown, link, facts.scheme, facts.host, facts.form, facts.grade, facts.join]);
        let path = Escaped(&view.path()).to_string();
        Link { path: ascii(&path.into()), message: ascii(&message(view)), row: ascii(&row) }
    }

    /// Adds the lines that precede its chunk.
    pub fn add_lines(&mut self, lines: u64) {
        let Some((line, rest)) = self.row.strip_prefix('[').and_then(|row| row.split_once(',')) else {
            return;
        };
        if let Ok(line) = line.parse::<u64>() {
            self.row = format!("[{},{rest}", lines + line).into();
        }
    }

    /// The size in bytes.
    pub fn len(&self) -> usize {
        self.path.len() + self.message.len() + self.row.len()
    }
}

/// The message of a match; null outside of messages.
fn message(view: &View<'_>) -> Value {
    let Origin::Archive(matched) = view.hit.origin else { return Value::Null };
    let Some(envelope) = matched.envelope() else { return Value::Null };
    // A bidi control in a field would reorder the row.
    let field = |value| clip(Escaped(view.spelling.of_text(value).as_bytes()).to_string());
    json!({
        "date": envelope.date(),
        "from": envelope.from().map(field),
        "subject": envelope.subject().map(field),
        "id": envelope.id().map(field),
    })
}

/// The start of a header field.
fn clip(field: String) -> String {
    match field.char_indices().nth(MAX_FIELD) {
        Some((end, _)) => format!("{}\u{2026}", &field[..end]),
        None => field,
    }
}

/// A value as JSON in visible ASCII, without the markup characters of HTML. All
/// other characters occur only in strings, where they are escaped.
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
    fn the_data_contains_no_html() {
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
