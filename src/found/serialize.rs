//! Matches in JSON and other formats, with the feature `serde`.
//!
//! The keys are those of `urlgrep --json`, in the same order, but for those that a
//! match alone does not know: its path and its message. The program writes the values
//! without serde, since each is formatted once for many matches; a test compares both.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::Match;
use super::form::Joined;
use crate::grammar::ParseError;

/// An object with the keys `line`, `column`, `start`, `end`, `segments`, `url`,
/// `scheme`, `host`, `port`, `ascii` (with the feature `idna`), `form`, `text`,
/// `role` and `element` (those of a text), `grade`, `reason`, `join`, `alternatives` and `warnings`.
impl Serialize for Match<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let assessment = self.assess();
        let position = self.position();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("line", &position.map(|position| position.line))?;
        map.serialize_entry("column", &position.map(|position| position.column))?;
        map.serialize_entry("start", &self.span().start)?;
        map.serialize_entry("end", &self.span().end)?;
        map.serialize_entry("segments", &List(|| self.segments().map(|s| [s.start, s.end])))?;
        map.serialize_entry("url", &TextOrBytes(self.as_bytes()))?;
        map.serialize_entry("scheme", &self.scheme())?;
        map.serialize_entry("host", &self.host())?;
        map.serialize_entry("port", &self.port())?;
        #[cfg(feature = "idna")]
        map.serialize_entry("ascii", &self.ascii())?;
        map.serialize_entry("form", self.form().as_str())?;
        map.serialize_entry("text", &None::<&str>)?;
        map.serialize_entry("role", "text")?;
        map.serialize_entry("element", &None::<&str>)?;
        map.serialize_entry("grade", assessment.grade().as_str())?;
        map.serialize_entry("reason", &assessment.reason())?;
        map.serialize_entry("join", &self.joined().map(Joined::as_str))?;
        let alternatives = self.alternatives();
        map.serialize_entry("alternatives", &List(|| alternatives.iter().map(|url| TextOrBytes(url))))?;
        map.serialize_entry("warnings", &List(|| self.warnings().into_iter().map(|w| w.as_str())))?;
        map.end()
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
pub struct TextOrBytes<'b>(pub &'b [u8]);

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

/// The items of an iterator as a list, without memory for it.
struct List<F>(F);

impl<T: Serialize, I: Iterator<Item = T>, F: Fn() -> I> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(None)?;
        (self.0)().try_for_each(|item| list.serialize_element(&item))?;
        list.end()
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
            r#"{"line":2,"column":1,"start":1,"end":32,"segments":[[6,28],[29,31]],"#,
            r#""url":"HTTP://me:x@h.org/foo-b~","scheme":"http","host":"h.org","port":80,ASCII"form":"wrapper","text":null,"role":"text","element":null,"grade":"rfc3986","#,
            r#""reason":{"production":"PRODUCTION","offset":OFFSET,"message":"MESSAGE"},"#,
            r#""join":"delimited","alternatives":["HTTP://me:x@h.org/foob~"],"warnings":["password"]}"#,
        );
        let reason = m.assess().reason().cloned().unwrap();
        let message = reason.to_string().replace('"', "\\\"");
        let ascii = if cfg!(feature = "idna") { "\"ascii\":null," } else { "" };
        let expected = expected
            .replace("ASCII", ascii)
            .replace("PRODUCTION", reason.production())
            .replace("OFFSET", &reason.offset().to_string())
            .replace("MESSAGE", &message);
        assert_eq!(serde_json::to_string(&m).unwrap(), expected);
    }

    #[test]
    fn what_is_not_known_is_null() {
        let value = serde_json::to_value(crate::find("http://h.org/").unwrap()).unwrap();
        for key in ["line", "column", "reason", "join"] {
            assert!(value[key].is_null(), "{key}");
        }
        assert_eq!(value["segments"], serde_json::json!([[0, 13]]));
    }

    #[test]
    fn invalid_utf8_is_base64() {
        assert_eq!(serde_json::to_string(&TextOrBytes(b"a")).unwrap(), "\"a\"");
        assert_eq!(serde_json::to_string(&TextOrBytes(b"\xff\xfe")).unwrap(), r#"{"bytes":"//4="}"#);
    }
}
