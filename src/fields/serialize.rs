//! Matches in JSON and other formats, with the feature `serde`.
//!
//! The program writes the values without serde, since each is formatted once for many matches; a test compares both.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::row::Row;
use super::value::Value;
use super::{Field, fields};
use crate::bytes::haystack::Haystack;
use crate::grammar::ParseError;
use crate::matches::Match;

/// An object with the keys of the [fields](crate::table::fields()) that are usual, as the program prints them with
/// `--json`, except `path`, which a match does not know.
impl<T: Haystack + ?Sized> Serialize for Match<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let matched = self.clone().of_text();
        let row = &Row::new(&matched);
        let mut map = to.serialize_map(None)?;
        let fields: Vec<_> =
            fields().iter().filter(|field| field.is_usual() && field.name() != "path").collect();
        for run in fields.chunk_by(|a, b| a.object().is_some() && a.object() == b.object()) {
            match run[0].object() {
                None => map.serialize_entry(run[0].key(), &run[0].value(row))?,
                Some(name) => {
                    let object = row.has_object(name).then_some(Object(run, row));
                    map.serialize_entry(name, &object)?;
                }
            }
        }
        map.end()
    }
}

/// The object of some fields.
struct Object<'o, 'r>(&'o [&'static Field], &'o Row<'r>);

impl Serialize for Object<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Object(fields, row) = self;
        let mut map = to.serialize_map(None)?;
        for field in fields.iter().filter(|field| row.has_key(field)) {
            map.serialize_entry(field.key(), &field.value(row))?;
        }
        map.end()
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => to.serialize_none(),
            Value::Number(number) | Value::Counted(_, number) => to.serialize_u64(*number),
            Value::Name(name) => to.serialize_str(name),
            Value::Url(text) | Value::Text(text) => TextOrBytes(text).serialize(to),
            Value::Ranges(ranges) => to.collect_seq(ranges.iter().map(|range| [range.start, range.end])),
            Value::Names(names) => to.collect_seq(names),
            Value::Urls(texts) | Value::Texts(texts) => {
                to.collect_seq(texts.iter().map(|text| TextOrBytes(text)))
            }
        }
    }
}

/// An object with the keys `production`, `offset` and `message`.
impl Serialize for ParseError {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("production", self.production())?;
        map.serialize_entry("offset", &self.offset())?;
        map.serialize_entry("message", &format_args!("{self}"))?;
        map.end()
    }
}

/// Bytes that serialize as a string or, if they are not UTF-8, as the object
/// `{"bytes": base64}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TextOrBytes<'b>(&'b [u8]);

impl Serialize for TextOrBytes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = std::str::from_utf8(self.0) {
            return to.serialize_str(text);
        }
        let mut map = to.serialize_map(Some(1))?;
        map.serialize_entry("bytes", &STANDARD.encode(self.0))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Finder;

    #[test]
    fn a_match_is_an_object() {
        let finder = Finder::builder().line_numbers(true).build().unwrap();
        let m = finder.find("\n<URL:HTTP://me:x@h.org/foo-\nb~>").unwrap();
        let expected = concat!(
            r#"{"line":2,"column":1,"start":1,"end":32,"pieces":[[6,28],[29,31]],"#,
            r#""url":"HTTP://me:x@h.org/foo-b~","scheme":"http","host":"h.org","port":80,ASCII"form":"wrapper",TEXT"role":"text",ELEMENT"grade":"rfc3986","#,
            r#""reason":{"production":"PRODUCTION","offset":OFFSET,"message":"MESSAGE"},"#,
            r#""join":"delimited","alternatives":["HTTP://me:x@h.org/foob~"],"warnings":["password"]END"#,
        );
        let reason = m.assess().reason().cloned().unwrap();
        let message = reason.to_string().replace('"', "\\\"");
        let ascii = if cfg!(feature = "idna") { "\"ascii\":null," } else { "" };
        let [text, element, end] = match cfg!(feature = "archive") {
            true => ["\"text\":null,", "\"element\":null,", ",\"message\":null}"],
            false => ["", "", "}"],
        };
        let expected = expected
            .replace("ASCII", ascii)
            .replace("TEXT", text)
            .replace("ELEMENT", element)
            .replace("END", end)
            .replace("PRODUCTION", reason.production())
            .replace("OFFSET", &reason.offset().to_string())
            .replace("MESSAGE", &message);
        assert_eq!(serde_json::to_string(&m).unwrap(), expected);
    }

    /// Offsets refer to the message, and the link is one.
    #[cfg(feature = "archive")]
    #[test]
    fn a_match_in_mail() {
        let mail = b"From: a@h.org\nContent-Type: text/html\n\n<p>&lt;<a href=\"http://h.org/a?b&amp;c\">the page</a>\n";
        let matches: Vec<_> = Finder::new().find_in_mail(mail).collect();
        let value = serde_json::to_value(&matches[0]).unwrap();
        assert_eq!((&value["start"], &value["end"]), (&55.into(), &77.into()));
        assert_eq!(value["pieces"], serde_json::json!([[55, 77]]));
        let [url, role, element, text] = ["url", "role", "element", "text"].map(|key| &value[key]);
        assert_eq!([url, role, element, text], ["http://h.org/a?b&c", "link", "a@href", "the page"]);
        assert_eq!((&value["message"]["from"], &value["message"]["part"]), (&"a@h.org".into(), &"1".into()));
        assert!(value["message"].get("uri").is_none());
    }

    #[test]
    fn what_is_not_known_is_null() {
        let value = serde_json::to_value(crate::find("http://h.org/").unwrap()).unwrap();
        for key in ["line", "column", "reason", "join"] {
            assert!(value[key].is_null(), "{key}");
        }
        assert_eq!(value["pieces"], serde_json::json!([[0, 13]]));
    }

    #[test]
    fn invalid_utf8_is_base64() {
        assert_eq!(serde_json::to_string(&TextOrBytes(b"a")).unwrap(), "\"a\"");
        assert_eq!(serde_json::to_string(&TextOrBytes(b"\xff\xfe")).unwrap(), r#"{"bytes":"//4="}"#);
    }
}
