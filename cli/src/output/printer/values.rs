//! The values of a match, by the names that JSON, CSV and templates share.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use urlgrep::archive::Record;
use urlgrep::grammar::{Assessment, ParseError};
use urlgrep::{Position, TextMatch};

use super::super::hit::Origin;
use super::super::sheet::Counted;
use super::super::view::View;
use super::memo::Memo;
use super::value::Value;

/// The values of a match. Those that take long are computed when they are first read.
pub struct Values<'v> {
    view: &'v View<'v>,
    memo: &'v Memo,
    /// The range of the match in the section, and those of the URL.
    span: Range<u64>,
    segments: Vec<Range<u64>>,
    position: OnceCell<Option<Position>>,
    assessment: OnceCell<Assessment>,
}

/// A field of a match.
#[derive(Debug)]
pub struct Field {
    /// The name in a template.
    pub name: &'static str,
    /// What is written in JSON before the value.
    pub json: &'static str,
    pub value: for<'v> fn(&'v Values<'_>) -> Value<'v>,
}

impl PartialEq for Field {
    fn eq(&self, other: &Field) -> bool {
        self.name == other.name
    }
}

impl Eq for Field {}

/// The table of fields: a name, and the value.
macro_rules! fields {
    ($($name:literal $value:expr,)*) => {
        [$(Field { name: $name, json: concat!(",\"", $name, "\":"), value: $value }),*]
    };
}

/// The fields of the place.
pub static OF_PLACE: [Field; 6] = fields! {
    "path" |values| Value::Text(values.view.path()),
    "line" |values| values.position().map_or(Value::Null, |position| Value::Counted(Counted::Line, position.line)),
    "column" |values| Value::number(values.position().map(|position| position.column)),
    "start" |values| Value::Number(values.view.moved(values.span.clone()).start),
    "end" |values| Value::Number(values.view.moved(values.span.clone()).end),
    "segments" |values| Value::Ranges(values.view.section.offset, &values.segments),
};

/// The fields of the URL. They are the same for all matches of it.
pub static OF_URL: [Field; 5] = fields! {
    "url" |values| Value::Text(values.view.url()),
    "scheme" |values| Value::text(Some(values.view.hit.matched().scheme())),
    "host" |values| Value::text(values.view.hit.matched().host()),
    "port" |values| Value::number(values.view.hit.matched().port()),
    "ascii" |values| Value::text(values.view.hit.matched().ascii_of(&values.view.url())),
};

/// The fields of the match.
pub static OF_MATCH: [Field; 2] = fields! {
    "form" |values| Value::Name(values.view.hit.matched().form().as_str()),
    "text" |values| values.view.hit.link_text().map_or(Value::Null, |text| Value::Text(text.into())),
};

/// The grade, which is the same for all matches of the URL, as is the reason.
pub static GRADE: [Field; 1] = fields! {
    "grade" |values| Value::Name(values.assessment().grade().as_str()),
};

/// The fields of the object `reason`, which is null for the best grade.
pub static OF_REASON: [Field; 3] = fields! {
    "reason.production" |values| Value::text(values.reason().map(ParseError::production)),
    "reason.offset" |values| Value::number(values.reason().map(|reason| reason.offset() as u64)),
    "reason.message" |values| Value::text(values.reason().map(ToString::to_string)),
};

/// The fields after the reason.
pub static AFTER_REASON: [Field; 2] = fields! {
    "join" |values| values.view.hit.joined().map_or(Value::Null, |joined| Value::Name(joined.as_str())),
    "alternatives" |values| Value::List(values.view.alternatives().map(Into::into).collect()),
};

/// The warnings, which are the same for all matches of the URL.
pub static WARNINGS: [Field; 1] = fields! {
    "warnings" |values| Value::List(warnings(values)),
};

/// The first field of the object `message`, which is null outside of messages.
pub static OF_MESSAGE: [Field; 1] = fields! {
    "message.index" |values| {
        let index = values.in_message().map(|m| m.text().message_index());
        index.map_or(Value::Null, |index| Value::Counted(Counted::Message, index))
    },
};

/// The fields of the object that are the same for all matches of the message.
pub static OF_ENVELOPE: [Field; 5] = fields! {
    "message.id" |values| match values.record() {
        Some(record) => values.spelled(record.id()),
        None => values.of_envelope(0),
    },
    "message.from" |values| values.of_envelope(1),
    "message.date" |values| match values.record() {
        Some(record) => Value::text(record.date()),
        None => values.of_envelope(2),
    },
    "message.subject" |values| values.of_envelope(3),
    "message.newsgroups" |values| values.of_envelope(4),
};

/// The fields of the object that say where in the message the match is.
pub static OF_PART: [Field; 4] = fields! {
    "message.part" |values| Value::text(values.mail().and_then(|m| m.text().part())),
    "message.content_type" |values| values.spelled(values.in_message().and_then(|m| m.text().content_type())),
    "message.header" |values| Value::text(values.in_message().and_then(TextMatch::header)),
    "message.quote_depth" |values| {
        Value::number(values.in_message().map(|matched| matched.quote_depth() as u64))
    },
};

/// The fields of the object that only a record of a web archive has.
pub static OF_RECORD: [Field; 3] = fields! {
    "message.uri" |values| values.spelled(values.record().and_then(Record::uri)),
    "message.type" |values| values.spelled(values.record().and_then(Record::kind)),
    "message.offset" |values| {
        Value::number(values.record().map(|record| values.view.section.offset + record.offset()))
    },
};

/// The field of `--hyphen evidence`, which others do not print.
pub static HYPHEN: [Field; 1] = fields! {
    "hyphen" |values| Value::text(values.view.hit.decision.and_then(|decision| decision.as_str())),
};

/// The field of `--unwrap`, which others do not print.
pub static UNWRAPPED: [Field; 1] = fields! {
    "unwrapped" |values| {
        let names = values.view.hit.matched().unwrapped_from();
        Value::List(names.iter().map(|name| name.as_bytes().into()).collect())
    },
};

static ALL: [&[Field]; 13] = [
    &OF_PLACE,
    &OF_URL,
    &OF_MATCH,
    &GRADE,
    &OF_REASON,
    &AFTER_REASON,
    &WARNINGS,
    &OF_MESSAGE,
    &OF_ENVELOPE,
    &OF_PART,
    &OF_RECORD,
    &HYPHEN,
    &UNWRAPPED,
];

/// All fields, in the order of the columns. The last two are columns only with `--hyphen evidence` and
/// `--unwrap`.
pub fn all() -> impl Iterator<Item = &'static Field> + Clone {
    ALL.into_iter().flatten()
}

fn warnings<'v>(values: &Values<'_>) -> Vec<Cow<'v, [u8]>> {
    let warnings = values.view.hit.matched().warnings();
    warnings.into_iter().map(|warning| warning.as_str().as_bytes().into()).collect()
}

impl<'v> Values<'v> {
    /// The values of a match. The fields of its message are those that `memo` read.
    pub fn new(view: &'v View<'v>, memo: &'v Memo) -> Self {
        let (span, segments) = view.hit.places();
        Values { view, memo, span, segments, position: OnceCell::new(), assessment: OnceCell::new() }
    }

    /// Why the grade is not the best.
    pub fn reason(&self) -> Option<&ParseError> {
        self.assessment().reason()
    }

    /// The match, if it is in a message or a record.
    pub fn in_message(&self) -> Option<&TextMatch<'v>> {
        let Origin::Archive(matched) = self.view.hit.origin else { return None };
        let text = matched.text();
        (text.record().is_some() || text.envelope().is_some()).then_some(matched)
    }

    /// The record of a web archive that the match is in.
    pub fn record(&self) -> Option<&Record> {
        self.in_message().and_then(|matched| matched.text().record())
    }

    /// The header fields as members of a JSON object, if the match is in a message.
    pub fn envelope_json(&self) -> Option<&[u8]> {
        self.mail().map(|_| self.memo.json())
    }

    fn position(&self) -> Option<Position> {
        *self.position.get_or_init(|| self.view.position_at(self.span.start))
    }

    fn assessment(&self) -> &Assessment {
        self.assessment.get_or_init(|| self.view.hit.matched().assess())
    }

    /// The match, if it is in mail, and not in a record.
    fn mail(&self) -> Option<&TextMatch<'v>> {
        self.in_message().filter(|matched| matched.text().record().is_none())
    }

    fn of_envelope(&self, number: usize) -> Value<'_> {
        Value::text(self.mail().and_then(|_| self.memo.value(number)))
    }

    fn spelled(&self, field: Option<impl Into<String>>) -> Value<'_> {
        Value::text(field.map(|field| self.view.spelling.of_text(field.into())))
    }
}
