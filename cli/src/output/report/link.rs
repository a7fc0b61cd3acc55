//! A match as an entry of the data of a report.
//!
//! It is an array: line, column, URL, link, scheme, host, form, grade, join,
//! [excerpt](super::excerpt), text of the link, other readings. Nulls at the end are left out.
//! A link is 0 if a click opens nothing, 1 if it opens the URL, or else what it opens.
//!
//! Some numbers stand for what most entries have, and keep them short: the scheme 0 is
//! what precedes the colon of the URL, the host `n` is the `n` characters after `://`, in lower
//! case, and 0 is the form `bare`, the grade `rfc1738` and the join `none`.

use serde_json::{Value, json};

use super::super::context::Context;
use super::super::hit::Origin;
use super::super::stats::Facts;
use super::super::view::View;
use super::excerpt::excerpt;
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
    pub fn of(view: &View<'_>, context: Option<&Context<'_>>) -> Link {
        let row = ascii(&row(view, context));
        let path = Escaped(&view.path()).to_string();
        Link { path: ascii(&path.into()), message: ascii(&message(view)), row }
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

fn row(view: &View<'_>, context: Option<&Context<'_>>) -> Value {
    let Facts { form, grade, join, scheme, host } = Facts::of(view.hit);
    let position = view.position();
    let url = view.url();
    let shown = Escaped(&url).to_string();
    let link = match view.link(&url).map(|link| String::from_utf8_lossy(&link).into_owned()) {
        None => json!(0),
        Some(link) if link == shown => json!(1),
        Some(link) => json!(link),
    };
    let text = view.hit.link_text().map(|text| Escaped(&view.spelling.of_bytes(&text)).to_string());
    let others: Vec<_> = view.alternatives().map(|url| Escaped(&url).to_string()).collect();
    let row = [
        json!(position.map(|position| position.line)),
        json!(position.map(|position| position.column)),
        json!(shown),
        link,
        short_scheme(&shown, &scheme),
        short_host(&shown, host.as_deref()),
        short(form, "bare"),
        short(grade, "rfc1738"),
        short(join, "none"),
        context.map_or(Value::Null, |context| excerpt(view, context)),
        json!(text),
        if others.is_empty() { Value::Null } else { json!(others) },
    ];
    let len = row.iter().rposition(|value| !value.is_null()).map_or(0, |last| last + 1);
    row[..len].into()
}

/// A value, or 0 if it is the most frequent one.
fn short(value: &str, most_frequent: &str) -> Value {
    if value == most_frequent { json!(0) } else { json!(value) }
}

/// The scheme, or 0 if it precedes the first colon of the URL.
fn short_scheme(url: &str, scheme: &str) -> Value {
    let before = url.split_once(':').map(|(before, _)| before);
    if before.is_some_and(|before| before.eq_ignore_ascii_case(scheme)) { json!(0) } else { json!(scheme) }
}

/// The host, or its length if it follows the first `://` of the URL.
fn short_host(url: &str, host: Option<&str>) -> Value {
    let Some(host) = host else { return Value::Null };
    let after = url.split_once("://").and_then(|(_, after)| after.get(..host.len()));
    let same = host.is_ascii() && after.is_some_and(|after| after.eq_ignore_ascii_case(host));
    if same { json!(host.len()) } else { json!(host) }
}

/// The message of a match; null outside of messages.
fn message(view: &View<'_>) -> Value {
    let Origin::Archive(matched) = view.hit.origin else { return Value::Null };
    let Some(envelope) = matched.text().envelope() else { return Value::Null };
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
    fn what_the_url_says_is_left_out() {
        assert_eq!(short_scheme("HTTP://H.org/", "http"), json!(0));
        assert_eq!(short_scheme("www.h.org", "http"), json!("http"));
        assert_eq!(short_host("HTTP://H.org/", Some("h.org")), json!(5));
        for (url, host) in [("ftp://me@h.org/", "h.org"), ("mailto:a@h.org", "h.org"), ("http://x", "h.org")]
        {
            assert_eq!(short_host(url, Some(host)), json!(host), "{url}");
        }
        assert_eq!(short_host("http://\u{fc}.org/", Some("\u{fc}.org")), json!("\u{fc}.org"));
        assert_eq!(short_host("news:a@b", None), Value::Null);
    }

    #[test]
    fn long_fields_are_clipped() {
        assert_eq!(clip("\u{fc}".repeat(300)), "\u{fc}".repeat(300));
        assert_eq!(clip("\u{fc}".repeat(301)), "\u{fc}".repeat(300) + "\u{2026}");
    }
}
