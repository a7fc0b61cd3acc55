//! The XML elements that show when something was written and by whom: the messages of a phone, the posts of a forum,
//! the entries of a feed.
//!
//! Attributes, and children that contain only text, are the members of an element. The same keys count as in JSON.

use memchr::{memchr, memmem};

use super::dereference;
use super::tag::{self, NoTag};
use crate::archive::decode::members::{
    Facts, MAX_DEPTH, RecordNotation, SourceRecord, SourceRecords, Span, range,
};

pub(crate) static ELEMENTS: RecordNotation = RecordNotation { read, is_whole: |_| true, text };

/// The beginning and the end of character data.
const CDATA: &[u8] = b"<![CDATA[";
const CDATA_END: &[u8] = b"]]>";

/// An element whose end tag has not been read.
struct OpenElement {
    start: usize,
    name: Span,
    /// The offset after its start tag.
    content: usize,
    has_children: bool,
    facts: Facts,
}

/// The records of `source`. End tags without a start tag, and elements that are too deep, are ignored.
fn read<'k>(source: &[u8], keep: &'k [Box<str>]) -> SourceRecords<'k> {
    let (mut found, mut open) = (SourceRecords::default(), Vec::<OpenElement>::new());
    let (mut at, mut attributes) = (0, Vec::new());
    while let Some(start) = memchr(b'<', &source[at..]).map(|n| at + n) {
        let rest = &source[start..];
        let after = |mark: &[u8]| memmem::find(rest, mark).map_or(source.len(), |n| start + n + mark.len());
        if rest.starts_with(b"<!") {
            at = match rest {
                [_, _, b'-', b'-', ..] => after(b"-->"),
                _ if rest.starts_with(CDATA) => after(CDATA_END),
                _ => after(b">"),
            };
            continue;
        }
        let tag = match tag::read(source, start, |_| true, &mut attributes) {
            Ok(tag) => tag,
            Err(NoTag(end)) => {
                at = end;
                continue;
            }
        };
        at = tag.end;
        let name = (tag.name.start as u32, tag.name.end as u32);
        let mut depth = open.len();
        if tag.closing {
            let is_same = |element: &OpenElement| source[range(element.name)] == source[tag.name.clone()];
            depth = open.iter().rposition(is_same).unwrap_or(depth);
        } else if depth < MAX_DEPTH {
            open.last_mut().into_iter().for_each(|parent| parent.has_children = true);
            let mut facts = Facts::default();
            for attribute in &attributes {
                let value = (attribute.value.start as u32, attribute.value.end as u32);
                facts.note(&source[attribute.name.clone()], value, value.0 < value.1, source, keep);
            }
            open.push(OpenElement { start, name, content: at, has_children: false, facts });
            depth += usize::from(!tag.self_closing);
        }
        // An element whose end tag is missing ends with the one around it.
        while open.len() > depth {
            let Some(OpenElement { start: began, name, content, has_children, facts }) = open.pop() else {
                break;
            };
            let value = (content as u32, start.max(content) as u32);
            let is_leaf = !has_children && content < start;
            if let Some(parent) = open.last_mut() {
                let key = &source[range(name)];
                match is_leaf {
                    true => parent.facts.note(key, value, value.0 < value.1, source, keep),
                    false => parent.facts.note_author(key, &facts),
                }
            }
            if facts.is_record() {
                found.records.push(SourceRecord { span: (began as u32, at as u32), facts });
            }
        }
    }
    found
}

/// The text of a value, which may be a section of character data (XML 1.0 §2.7).
fn text(value: &[u8]) -> Vec<u8> {
    let data = value.trim_ascii().strip_prefix(CDATA).and_then(|data| data.strip_suffix(CDATA_END));
    data.map_or_else(|| dereference(value).bytes, <[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The element, date and author of each record, inner ones first.
    fn found(source: &str) -> Vec<(&str, &str, String)> {
        let of = |span| &source[range(span)];
        let author = |facts: &Facts| String::from_utf8((ELEMENTS.text)(of(facts.author).as_bytes())).unwrap();
        let found = read(source.as_bytes(), &[]).records;
        found.iter().map(|found| (of(found.span), of(found.facts.date), author(&found.facts))).collect()
    }

    #[track_caller]
    fn check(source: &str, date: &str, author: &str) {
        let found = found(source);
        let [(element, its_date, its_author)] = &found[..] else { panic!("{found:?}") };
        assert_eq!((*its_date, &**its_author), (date, author), "{element}");
    }

    #[test]
    fn attributes_and_children() {
        check(
            "<smses count='1'><sms address='+1' date='1672653600000' body='a'/></smses>",
            "1672653600000",
            "+1",
        );
        check("<r><x><date>2001-03-02 10:11</date><by>Ann</by></x></r>", "2001-03-02 10:11", "Ann");
        let atom = "<feed><entry><published>2001-03-02T10:11:12Z</published><author><name>A &amp; B</name></author></entry></feed>";
        check(atom, "2001-03-02T10:11:12Z", "A & B");
        check("<x date='2001-03-02 10:11' user='a'><y/></x>", "2001-03-02 10:11", "a");
        check("<x><date>2001-03-02 10:11</date><user><![CDATA[a&b]]></user></x>", "2001-03-02 10:11", "a&b");
    }

    #[test]
    fn elements_that_are_no_records() {
        // Only a date; a duration; an author without a date; a date and an author in a comment.
        for source in [
            "<x date='2001-03-02 10:11'/>",
            "<x time='12:00' user='a'/>",
            "<x user='a' text='b'/>",
            "<!-- <x date='2001-03-02 10:11' user='a'/> -->",
            "<x><date><b>2001-03-02 10:11</b></date><by>a</by></x>",
        ] {
            assert_eq!(found(source), [], "{source}");
        }
    }

    #[test]
    fn tags_without_their_counterparts() {
        check("</x></y><x><z><date>2001-03-02 10:11</date><by>a</by></x></z>", "2001-03-02 10:11", "a");
        assert_eq!(found("<x><date>2001-03-02 10:11</date><by>a</by>"), []);
        let deep = |n: usize| "<a>".repeat(n) + "<x date='2001-03-02 10:11' by='a'/>";
        assert_eq!((found(&deep(MAX_DEPTH - 1)).len(), found(&deep(MAX_DEPTH)).len()), (1, 0));
    }
}
