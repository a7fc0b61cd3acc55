//! WAT: JSON metadata of web archive records, one JSON record for each.
//!
//! The links of a page are in its `HTML-Metadata`, as objects without others in them, in any order of keys:
//!
//! ```json
//! {"path": "A@/href", "url": "/b", "text": "what a reader sees", "rel": "nofollow"}
//! {"path": "IMG@/src", "url": "c.png", "alt": "what is read out instead"}
//! {"path": "STYLE/#text", "href": "d.css"}
//! ```
//!
//! `path` is the element and the attribute. The value of a `Base` is the value of `<base href>`.
//! Such an object is a link as in HTML, and all other strings are read as in any
//! [JSON](super::json): the reader only needs to know where an object begins and ends.

use std::ops::Range;

use super::html::{LinkSource, attribute_of, rel_of};
use super::json::{JsonToken, StringContent, Strings, decoded, each_token};
use crate::archive::role::Role;

/// Reads WAT: the links, their texts, and the strings that are of no link and may have a URL; and the URL in
/// `<base>`. Other JSON has no links.
pub(crate) fn read(source: &[u8]) -> Strings {
    let (object, strings) = (WatObject::default(), Strings::default());
    let mut reader = WatReader { source, object, end: 0, strings };
    each_token(source, &mut |token| reader.add(token));
    reader.flush();
    reader.strings
}

struct WatReader<'s> {
    source: &'s [u8],
    /// The facts about the object that is read, or about the part of it between others.
    object: WatObject,
    /// The end of the last token.
    end: usize,
    strings: Strings,
}

/// Strings that no bracket is between.
#[derive(Debug, Default)]
struct WatObject {
    strings: Vec<(Range<usize>, StringContent)>,
    /// The key whose value is next, and the values of the keys.
    key: Option<usize>,
    values: [Option<Range<usize>>; KEYS.len()],
}

/// The keys whose values are read.
const KEYS: [&[u8]; 8] = [b"path", b"url", b"href", b"text", b"alt", b"title", b"rel", b"Base"];

impl WatObject {
    /// The value of the first of these keys that has one.
    fn value(&self, keys: &[&str]) -> Option<Range<usize>> {
        let number = |key: &&str| KEYS.iter().position(|other| *other == key.as_bytes());
        keys.iter().filter_map(number).find_map(|number| self.values[number].clone())
    }
}

impl WatReader<'_> {
    fn add(&mut self, token: JsonToken) {
        match token {
            JsonToken::String { range, content } => self.add_string(range, content),
            JsonToken::Damaged(range) => {
                self.flush();
                self.end = range.end;
                self.strings.end(self.source, range);
            }
        }
    }

    fn add_string(&mut self, range: Range<usize>, content: StringContent) {
        let between = self.source.get(self.end..range.start).unwrap_or_default();
        if between.iter().any(|b| matches!(b, b'{' | b'}' | b'[' | b']')) {
            self.flush();
        }
        self.end = range.end + 1;
        let next = self.source.get(self.end..).unwrap_or_default().trim_ascii_start();
        let is_key = next.first() == Some(&b':');
        let object = &mut self.object;
        match object.key.take() {
            _ if is_key => object.key = KEYS.iter().position(|key| *key == &self.source[range.clone()]),
            Some(key) => object.values[key] = Some(range.clone()),
            None => {}
        }
        object.strings.push((range, content));
    }

    /// Ends the object: it is a link, or its strings are read.
    fn flush(&mut self) {
        let object = std::mem::take(&mut self.object);
        if self.add_link(&object).is_some() {
            return;
        }
        let known = &mut self.strings.markup.base;
        if let Some(base) = object.value(&["Base"]).filter(|_| known.is_none()) {
            *known = Some(decoded(self.source, base).bytes);
        }
        for (range, content) in object.strings {
            self.strings.add(self.source, range, content);
        }
    }

    /// Adds the link that an object is; `None` if it is not.
    fn add_link(&mut self, object: &WatObject) -> Option<()> {
        let path = decoded(self.source, object.value(&["path"])?);
        let url = object.value(&["url", "href"])?;
        let (element, attribute) = names(&path.bytes)?;
        let text = object.value(&["text"]).filter(|text| !text.is_empty());
        let strings = &mut self.strings;
        let first = strings.markup.links.elements();
        let at = strings.decoded.bytes.len();
        strings.markup.links.begin(at);
        let (url, place) = attribute_of(element, attribute, &decoded(self.source, url));
        let is_style = attribute.is_empty();
        strings
            .markup
            .links
            .push(&url, if is_style { LinkSource { role: Role::Resource, ..place } } else { place });
        let elements = first..strings.markup.links.elements();
        if let Some(text) = text {
            strings.add(self.source, text, StringContent::Escapes);
            let end = strings.decoded.bytes.len() - 1;
            strings.markup.links.set_content(elements.clone(), end);
        } else if let Some(label) = object.value(&["alt", "title"]) {
            strings.markup.links.set_label(elements.clone(), decoded(self.source, label).bytes);
        }
        if let Some(rel) = object.value(&["rel"]) {
            strings.markup.links.set_rel(elements, rel_of(&decoded(self.source, rel).bytes));
        }
        Some(())
    }
}

/// The names of the element and the attribute; `None` if this is not the path of a link.
fn names(path: &[u8]) -> Option<(&[u8], &[u8])> {
    if path == b"STYLE/#text" {
        return Some((b"style", b""));
    }
    let at = path.windows(2).position(|two| two == b"@/")?;
    let (element, attribute) = (&path[..at], &path[at + 2..]);
    let is_name = |name: &[u8]| !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    (is_name(element) && is_name(attribute)).then_some((element, attribute))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links, as element, URL, text or label, and rel; then the strings.
    fn parts(source: &str) -> (Vec<[String; 4]>, Vec<String>) {
        let read = read(source.as_bytes());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let bytes = &read.decoded.bytes;
        let link = |link: super::super::html::Link<'_>| {
            let content = &bytes[link.content()];
            let shown = if content.is_empty() { link.label() } else { content };
            [text(link.element().unwrap().as_bytes()), text(link.as_bytes()), text(shown), text(link.rel())]
        };
        let strings = text(bytes).lines().map(str::to_owned).collect();
        (read.markup.links.iter().map(link).collect(), strings)
    }

    #[track_caller]
    fn check(source: &str, links: &[[&str; 4]], strings: &[&str]) {
        let (found, texts) = parts(source);
        assert_eq!(found, links, "{source}");
        assert_eq!(texts, strings, "{source}");
    }

    #[test]
    fn links() {
        check(
            r#"{"Links":[{"path":"A@/href","url":"/b?c=1\u0026d","text":"the text","rel":"NoFollow  ugc"},
                {"url" : " \/d.png ","alt":"a picture", "path" : "IMG@\/src"},{"path":"FORM@/action","url":"e","method":"get"},
                {"path":"A@/href","url":"g","title":"a title"},{"path":"A@/href","url":"h","title":"t","alt":"before it"},
                {"href":"f.css","path":"STYLE/#text"}],"x":"http://h.org/"}"#,
            &[
                ["a@href", "/b?c=1&d", "the text", "nofollow ugc"],
                ["img@src", "/d.png", "a picture", ""],
                ["form@action", "e", "", ""],
                ["a@href", "g", "a title", ""],
                ["a@href", "h", "before it", ""],
                ["style", "f.css", "", ""],
            ],
            &["the text", "http://h.org/"],
        );
    }

    #[test]
    fn objects_that_are_no_links() {
        for object in [
            r#"{"path":"http://h.org/"}"#,
            r#"{"url":"http://h.org/"}"#,
            r#"{"path":"A","url":"http://h.org/"}"#,
            r#"{"path":"@/href","url":"http://h.org/"}"#,
            r#"{"path":"A@/","url":"http://h.org/"}"#,
            r#"{"path":"A@/href","x":{"url":"http://h.org/"}}"#,
            r#"{"path":["A@/href"],"url":"http://h.org/"}"#,
            r#"["path","A@/href","url","http://h.org/"]"#,
            r#"{"path":1,"url":"http://h.org/"}"#,
        ] {
            let (links, strings) = parts(object);
            assert!(links.is_empty(), "{object}");
            assert_eq!(strings.iter().filter(|string| *string == "http://h.org/").count(), 1, "{object}");
        }
    }

    #[test]
    fn the_first_base() {
        let base = |source: &str| read(source.as_bytes()).markup.base;
        assert_eq!(
            base(r#"{"Head":{"Title":"a","Base":"http://h.org/\u0061/","Metas":[]}}"#).unwrap(),
            b"http://h.org/a/"
        );
        assert_eq!(base(r#"{"Base":"http://h.org/"},{"Base":"http://g.org/"}"#).unwrap(), b"http://h.org/");
        assert_eq!(base(r#"{"Base":{"a":"b"}}"#), None);
    }

    #[test]
    fn damage() {
        check(
            "{\"path\":\"A@/href\",\"url\":\"http://h.org/a\nsee http://h.org/b\n{\"path\":\"A@/href\",\"url\":\"c\"",
            &[["a@href", "c", "", ""]],
            &["A@/href", ":\"http://h.org/a", "see http://h.org/b"],
        );
    }
}
