//! The table of fields, which JSON, CSV and templates share, and how their values are written.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use urlgrep::archive::Record;
use urlgrep::grammar::{Assessment, ParseError, Warnings};
use urlgrep::{Position, TextMatch};

use crate::escape;
use crate::sheet::{Counted, Sheet, write_number};
use crate::view::{Requested, View};

/// A field of a match.
#[derive(Debug)]
pub struct Field {
    /// The name in a template, which may be that of an object and a key in it.
    pub name: &'static str,
    /// What is written in JSON before the value: a comma, and the key in its object.
    pub json: &'static str,
    /// The value.
    pub value: for<'v> fn(&'v Values<'_>) -> Value<'v>,
}

/// Fields of an object, whose names start with its own and a dot: a key, and the value.
macro_rules! fields {
    ($object:literal: $($key:literal $value:expr,)*) => {
        &[$(Field { name: concat!($object, $key), json: concat!(",\"", $key, "\":"), value: $value }),*]
    };
}

/// The fields of the place.
pub static OF_PLACE: &[Field] = fields! { "":
    "path" |values| Value::Text(values.view.path()),
    "line" |values| values.position().map_or(Value::Null, |position| Value::Counted(Counted::Line, position.line)),
    "column" |values| Value::number(values.position().map(|position| position.column)),
    "start" |values| Value::Number(values.view.base.offset + values.span.start),
    "end" |values| Value::Number(values.view.base.offset + values.span.end),
    "segments" |values| Value::Ranges(values.view.base.offset, &values.segments),
};

/// The fields of the URL. They are the same for all matches of it.
pub static OF_URL: &[Field] = fields! { "":
    "url" |values| Value::Text(values.view.url()),
    "scheme" |values| Value::text(Some(values.view.hit.matched().scheme())),
    "host" |values| Value::text(values.view.hit.matched().host()),
    "port" |values| Value::number(values.view.hit.matched().port()),
    "ascii" |values| Value::text(values.view.hit.matched().ascii_of(&values.view.url())),
};

/// The fields of the match.
pub static OF_MATCH: &[Field] = fields! { "":
    "form" |values| Value::Name(values.view.hit.matched().form().as_str()),
    // Bytes that the charset does not have are no text.
    "text" |values| values.view.hit.link_text().map_or(Value::Null, |text| {
        Value::Text(String::from_utf8_lossy(&text).into_owned().into_bytes().into())
    }),
    "role" |values| Value::Name(values.view.hit.role().as_str()),
    "element" |values| Value::text(values.view.hit.archive().and_then(TextMatch::element)),
};

/// The grade, which is the same for all matches of the URL, as is the reason.
pub static GRADE: &[Field] = fields! { "":
    "grade" |values| Value::Name(values.assessment().grade().as_str()),
};

/// The fields of the object `reason`, which is null for the best grade.
pub static OF_REASON: &[Field] = fields! { "reason.":
    "production" |values| Value::text(values.reason().map(ParseError::production)),
    "offset" |values| Value::number(values.reason().map(|reason| reason.offset() as u64)),
    "message" |values| Value::text(values.reason().map(ToString::to_string)),
};

/// The fields after the reason.
pub static AFTER_REASON: &[Field] = fields! { "":
    "join" |values| values.view.hit.joined().map_or(Value::Null, |joined| Value::Name(joined.as_str())),
    "alternatives" |values| Value::List(values.view.alternatives().map(Into::into).collect()),
};

/// The warnings, which are the same for all matches of the URL but for that of the text of a link.
pub static WARNINGS: &[Field] = fields! { "":
    "warnings" |values| Value::of_warnings(values.view.hit.warnings()),
};

/// The first field of the object `message`, which is null outside of messages.
pub static OF_MESSAGE: &[Field] = fields! { "message.":
    "index" |values| {
        let index = values.in_message().map(|m| m.text().message_index());
        index.map_or(Value::Null, |index| Value::Counted(Counted::Message, index))
    },
};

/// The fields of the object that are the same for all matches of the message. They are those of
/// [`MessageMemo`], in their order.
pub static OF_ENVELOPE: &[Field] = fields! { "message.":
    "id" |values| match values.record() {
        Some(record) => values.spelled(record.id()),
        None => values.of_envelope(0),
    },
    "from" |values| values.of_envelope(1),
    "date" |values| match values.record() {
        Some(record) => Value::text(record.date()),
        None => values.of_envelope(2),
    },
    "subject" |values| values.of_envelope(3),
    "newsgroups" |values| values.of_envelope(4),
    "to" |values| values.of_envelope(5),
    "cc" |values| values.of_envelope(6),
    "list_id" |values| values.of_envelope(7),
    "in_reply_to" |values| values.of_envelope(8),
};

/// The fields of the object that say where in the message the match is.
pub static OF_PART: &[Field] = fields! { "message.":
    "part" |values| Value::text(values.mail().and_then(|m| m.text().part())),
    "content_type" |values| values.spelled(values.in_message().and_then(|m| m.text().content_type())),
    "header" |values| Value::text(values.in_message().and_then(TextMatch::header)),
    "quote_depth" |values| {
        Value::number(values.in_message().map(|matched| matched.quote_depth() as u64))
    },
    "filename" |values| values.spelled(values.mail().and_then(|m| m.text().filename())),
};

/// The fields of the object that only a record of a web archive has.
pub static OF_RECORD: &[Field] = fields! { "message.":
    "uri" |values| values.spelled(values.record().and_then(Record::uri)),
    "type" |values| values.spelled(values.record().and_then(Record::kind)),
    "offset" |values| {
        Value::number(values.record().map(|record| values.view.base.offset + record.offset()))
    },
};

/// The field of `--hyphen evidence`, which others do not print.
static HYPHEN: &[Field] = fields! { "":
    "hyphen" |values| Value::text(values.view.hit.decision.and_then(|decision| decision.as_str())),
};

/// The field of `--unwrap`, which others do not print.
static UNWRAPPED: &[Field] = fields! { "":
    "unwrapped" |values| {
        let names = values.view.hit.matched().unwrapped_from();
        Value::List(names.iter().map(|name| name.as_bytes().into()).collect())
    },
};

/// The fields that everyone prints, in the order of the columns.
static ALWAYS: [&[Field]; 11] = [
    OF_PLACE,
    OF_URL,
    OF_MATCH,
    GRADE,
    OF_REASON,
    AFTER_REASON,
    WARNINGS,
    OF_MESSAGE,
    OF_ENVELOPE,
    OF_PART,
    OF_RECORD,
];

impl Requested {
    /// The fields that are requested.
    pub fn fields(self) -> impl Iterator<Item = &'static Field> {
        let tables = [(self.hyphen, HYPHEN), (self.unwrapped, UNWRAPPED)];
        tables.into_iter().filter(|&(requested, _)| requested).flat_map(|(_, fields)| fields)
    }

    /// The fields that everyone prints, and those that are requested.
    pub fn columns(self) -> impl Iterator<Item = &'static Field> {
        ALWAYS.into_iter().flatten().chain(self.fields())
    }
}

/// All fields.
pub fn all() -> impl Iterator<Item = &'static Field> {
    Requested { hyphen: true, unwrapped: true }.columns()
}

/// The values of a match. Those that take long are computed when they are first read.
pub struct Values<'v> {
    /// The match.
    pub view: &'v View<'v>,
    memo: &'v MessageMemo,
    /// The range of the match in the section, and those of the URL.
    span: Range<u64>,
    segments: Vec<Range<u64>>,
    position: OnceCell<Option<Position>>,
    assessment: OnceCell<Assessment>,
}

impl<'v> Values<'v> {
    /// The values of a match. The fields of its message are those that `memo` read.
    pub fn new(view: &'v View<'v>, memo: &'v MessageMemo) -> Self {
        let (span, segments) = view.hit.places();
        Values { view, memo, span, segments, position: OnceCell::new(), assessment: OnceCell::new() }
    }

    /// Why the grade is not the best.
    pub fn reason(&self) -> Option<&ParseError> {
        self.assessment().reason()
    }

    /// The match, if it is in a message or a record.
    pub fn in_message(&self) -> Option<&TextMatch<'v>> {
        let in_message = |matched: &&TextMatch<'_>| {
            matched.text().record().is_some() || matched.text().envelope().is_some()
        };
        self.view.hit.archive().filter(in_message)
    }

    /// The record of a web archive that the match is in.
    pub fn record(&self) -> Option<&Record> {
        self.in_message().and_then(|matched| matched.text().record())
    }

    /// The header fields as members of a JSON object, if the match is in a message.
    pub fn envelope_json(&self) -> Option<&[u8]> {
        self.mail().map(|_| &*self.memo.json.text)
    }

    fn position(&self) -> Option<Position> {
        *self.position.get_or_init(|| self.view.hit.position_at(self.span.start))
    }

    fn assessment(&self) -> &Assessment {
        self.assessment.get_or_init(|| self.view.hit.matched().assess())
    }

    /// The match, if it is in mail, and not in a record.
    fn mail(&self) -> Option<&TextMatch<'v>> {
        self.in_message().filter(|matched| matched.text().record().is_none())
    }

    fn of_envelope(&self, number: usize) -> Value<'_> {
        Value::text(self.mail().and_then(|_| self.memo.envelope[number].as_deref()))
    }

    fn spelled(&self, field: Option<impl Into<String>>) -> Value<'_> {
        Value::text(field.map(|field| self.view.spelling.of_text(field.into())))
    }
}

/// The header fields of the message of the last match, as they are printed.
///
/// To decode the fields for each match would take longer than to find it.
#[derive(Debug, Default)]
pub struct MessageMemo {
    /// The address and length of the head.
    head: Option<(usize, usize)>,
    envelope: [Option<String>; 9],
    /// The same as members of a JSON object, each after a comma.
    json: Sheet,
}

impl MessageMemo {
    /// Forgets the message. This must be called before its memory is reused.
    pub fn clear(&mut self) {
        self.head = None;
    }

    /// Reads the fields of the message of a match, if it is not that of the last call.
    pub fn read(&mut self, view: &View<'_>) {
        let Some(envelope) = view.hit.archive().and_then(|matched| matched.text().envelope()) else { return };
        let head = envelope.as_bytes();
        let head = Some((head.as_ptr().addr(), head.len()));
        if self.head == head {
            return;
        }
        let spelled = |field: Option<String>| field.map(|field| view.spelling.of_text(field));
        self.head = head;
        self.envelope = [
            spelled(envelope.id()),
            spelled(envelope.from()),
            envelope.date(),
            spelled(envelope.subject()),
            spelled(envelope.newsgroups()),
            spelled(envelope.to()),
            spelled(envelope.cc()),
            spelled(envelope.list_id()),
            spelled(envelope.in_reply_to()),
        ];
        self.json.clear();
        for (field, value) in OF_ENVELOPE.iter().zip(&self.envelope) {
            self.json.text.extend_from_slice(field.json.as_bytes());
            Value::text(value.as_deref()).write_json(&mut self.json);
        }
    }
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// No value.
    Null,
    /// A number.
    Number(u64),
    /// A number that counts from the start of a file.
    Counted(Counted, u64),
    /// A name that JSON does not escape.
    Name(&'static str),
    /// A text, or bytes that are not UTF-8.
    Text(Cow<'v, [u8]>),
    /// Ranges after an offset.
    Ranges(u64, &'v [Range<u64>]),
    /// Texts.
    List(Vec<Cow<'v, [u8]>>),
}

impl<'v> Value<'v> {
    /// A text, or null.
    pub fn text(text: Option<impl Into<Cow<'v, str>>>) -> Value<'v> {
        text.map_or(Value::Null, |text| match text.into() {
            Cow::Borrowed(text) => Value::Text(text.as_bytes().into()),
            Cow::Owned(text) => Value::Text(text.into_bytes().into()),
        })
    }

    /// A number, or null.
    pub fn number(number: Option<impl Into<u64>>) -> Value<'v> {
        number.map_or(Value::Null, |number| Value::Number(number.into()))
    }

    /// The names of warnings.
    pub fn of_warnings(warnings: Warnings) -> Value<'v> {
        Value::List(warnings.into_iter().map(|warning| warning.as_str().as_bytes().into()).collect())
    }

    /// Writes the value as JSON.
    pub fn write_json(&self, sheet: &mut Sheet) {
        let out = &mut sheet.text;
        match self {
            Value::Null => out.extend_from_slice(b"null"),
            Value::Number(number) => write_number(out, *number),
            Value::Counted(counted, number) => sheet.number(*counted, *number),
            Value::Name(name) => {
                out.push(b'"');
                out.extend_from_slice(name.as_bytes());
                out.push(b'"');
            }
            Value::Text(text) => write_string(out, text),
            Value::Ranges(base, ranges) => write_list(out, ranges, |out, range| {
                let range = [base + range.start, base + range.end];
                write_list(out, &range, |out, number| write_number(out, *number));
            }),
            Value::List(list) => write_list(out, list, |out, text| write_string(out, text)),
        }
    }

    /// The value as text. Null is empty, a range is `4-31`, and the values of a list are
    /// separated by spaces.
    pub fn to_text(&self) -> Cow<'_, [u8]> {
        let mut out = Vec::new();
        match self {
            Value::Null => {}
            Value::Number(number) | Value::Counted(_, number) => write_number(&mut out, *number),
            Value::Name(name) => return name.as_bytes().into(),
            Value::Text(text) => return (&**text).into(),
            Value::Ranges(base, ranges) => write_separated(&mut out, b' ', ranges, |out, range| {
                let range = [base + range.start, base + range.end];
                write_separated(out, b'-', &range, |out, number| write_number(out, *number));
            }),
            Value::List(list) => {
                write_separated(&mut out, b' ', list, |out, text| out.extend_from_slice(text));
            }
        }
        out.into()
    }
}

fn write_list<T>(out: &mut Vec<u8>, list: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    out.push(b'[');
    write_separated(out, b',', list, write);
    out.push(b']');
}

fn write_separated<T>(out: &mut Vec<u8>, separator: u8, list: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    for (n, item) in list.iter().enumerate() {
        if n > 0 {
            out.push(separator);
        }
        write(out, item);
    }
}

/// Writes bytes as a JSON string or, if they are not UTF-8, as the object `{"bytes": base64}`.
///
/// JSON escapes C0 controls. This also escapes the other characters that a terminal
/// executes or does not show.
pub fn write_string(out: &mut Vec<u8>, text: &[u8]) {
    let len = verbatim_len(text);
    if len == text.len() {
        out.push(b'"');
        out.extend_from_slice(text);
        out.push(b'"');
        return;
    }
    let Ok(rest) = str::from_utf8(&text[len..]) else {
        out.extend_from_slice(b"{\"bytes\":\"");
        out.extend_from_slice(STANDARD.encode(text).as_bytes());
        return out.extend_from_slice(b"\"}");
    };
    out.push(b'"');
    out.extend_from_slice(&text[..len]);
    write_escaped(out, rest);
    out.push(b'"');
}

/// Writes what is between the quotes of a string.
fn write_escaped(out: &mut Vec<u8>, mut rest: &str) {
    loop {
        let (verbatim, after) = rest.split_at(verbatim_len(rest.as_bytes()));
        out.extend_from_slice(verbatim.as_bytes());
        let mut chars = after.chars();
        let Some(char) = chars.next() else { return };
        rest = chars.as_str();
        let short = match char {
            '"' | '\\' => char,
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{c}' => 'f',
            '\r' => 'r',
            _ => {
                write_char(out, char);
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', short as u8]);
    }
}

/// Writes a character of a string, as an escape if a terminal executes it or does not show it.
pub fn write_char(out: &mut Vec<u8>, char: char) {
    if !escape::must_be_escaped(char) {
        return out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }
    for unit in char.encode_utf16(&mut [0; 2]) {
        out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
    }
}

/// The length of the visible ASCII that a text begins with and that JSON does not escape.
fn verbatim_len(text: &[u8]) -> usize {
    const AT_ONCE: usize = 16;
    let is_special = |byte: u8| !(b' '..=b'~').contains(&byte) | (byte == b'"') | (byte == b'\\');
    // No branch within a block, so that its bytes are compared at once.
    let any = |block: &[u8]| block.iter().fold(0, |any, &byte| any | u8::from(is_special(byte))) != 0;
    // The last block overlaps the one before it.
    if let Some(last) = text.last_chunk::<AT_ONCE>()
        && !text.chunks_exact(AT_ONCE).any(any)
        && !any(last)
    {
        return text.len();
    }
    let len = text.chunks_exact(AT_ONCE).take_while(|block| !any(block)).count() * AT_ONCE;
    len + text[len..].iter().take_while(|&&byte| !is_special(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(value: &Value<'_>) -> String {
        let mut out = Sheet::default();
        value.write_json(&mut out);
        String::from_utf8(out.text).unwrap()
    }

    #[test]
    fn values() {
        let list = Value::List(vec![b"x"[..].into(), b"\xff\xfe"[..].into()]);
        for (value, in_json, as_text) in [
            (Value::Null, "null", &b""[..]),
            (Value::Number(0), "0", b"0"),
            (Value::Number(10), "10", b"10"),
            (Value::Number(u64::MAX), "18446744073709551615", b"18446744073709551615"),
            (Value::Text(b"a b"[..].into()), "\"a b\"", b"a b"),
            (Value::Name("a"), "\"a\"", b"a"),
            (Value::Ranges(10, &[1..2, 4..31]), "[[11,12],[14,41]]", b"11-12 14-41"),
            (Value::Ranges(0, &[]), "[]", b""),
            (list, r#"["x",{"bytes":"//4="}]"#, b"x \xff\xfe"),
        ] {
            assert_eq!(json(&value), in_json);
            assert_eq!(&*value.to_text(), as_text);
        }
    }

    #[test]
    fn no_control_character_is_left() {
        let value = "a\x1b\x7f\u{9b}b\u{fc}\u{202e}c\u{e0041}";
        let line = json(&Value::Text(value.as_bytes().into()));
        assert_eq!(line, "\"a\\u001b\\u007f\\u009bb\u{fc}\\u202ec\\udb40\\udc41\"");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), value);
    }

    /// Each ASCII character at each offset of a text that is longer than a block.
    #[test]
    fn strings_are_those_of_serde() {
        for char in ('\0'..='\x7e').chain(['\u{e9}', '\u{20ac}', '\u{1f600}']) {
            for at in 0..35 {
                let text = format!("{}{char}{}", "a".repeat(at), "b".repeat(35 - at));
                let written = json(&Value::Text(text.as_bytes().into()));
                assert_eq!(written, serde_json::to_string(&text).unwrap());
            }
        }
    }

    #[test]
    fn bytes_that_are_not_utf8() {
        let long = [&[b'a'; 40][..], b"\xff"].concat();
        let value = json(&Value::Text((&long[..]).into()));
        assert_eq!(value, format!("{{\"bytes\":\"{}\"}}", STANDARD.encode(&long)));
    }
}
