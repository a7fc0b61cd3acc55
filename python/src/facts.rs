//! The attributes of a match as plain values: what `pickle` keeps, and what is compared.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlgrep::ArchiveMatch;
use urlgrep::archive::{Record, Role};
use urlgrep::grammar::ParseError;

/// All attributes of a match but its place and its URL.
#[derive(Clone, Debug, PartialEq, Eq, IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Facts {
    pub line: Option<u64>,
    pub column: Option<u64>,
    pub scheme: String,
    pub host: Option<String>,
    pub port: Option<u16>,
    pub ascii: Option<String>,
    pub form: String,
    pub text: Option<Vec<u8>>,
    pub role: String,
    pub element: Option<String>,
    pub grade: String,
    pub reason: Option<Reason>,
    pub join: Option<String>,
    pub alternatives: Vec<Vec<u8>>,
    pub warnings: Vec<String>,
    /// The links that the URL was within, if these are replaced.
    pub unwrapped: Option<Vec<String>>,
    pub message: Option<Message>,
}

/// Why the grade of a URL is not better.
#[derive(Clone, Debug, PartialEq, Eq, IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Reason {
    production: String,
    offset: usize,
    message: String,
}

/// The message that a match is in, with the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Eq, IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Message {
    index: u64,
    id: Option<String>,
    from: Option<String>,
    date: Option<String>,
    subject: Option<String>,
    newsgroups: Option<String>,
    to: Option<String>,
    cc: Option<String>,
    list_id: Option<String>,
    in_reply_to: Option<String>,
    part: Option<String>,
    content_type: Option<String>,
    header: Option<String>,
    quote_depth: usize,
    filename: Option<String>,
    record: Option<WebRecord>,
}

/// The record of a web archive that a match is in: more keys of its message.
#[derive(Clone, Debug, PartialEq, Eq, IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
pub struct WebRecord {
    uri: Option<String>,
    kind: Option<String>,
    offset: u64,
}

impl Facts {
    /// The facts of a match in a text.
    ///
    /// `unwraps` says that links were replaced by the URLs within them.
    pub fn of(matched: &urlgrep::Match<'_>, unwraps: bool) -> Facts {
        let assessment = matched.assess();
        let position = matched.position();
        Facts {
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            scheme: matched.scheme().into_owned(),
            host: matched.host().map(|host| host.into_owned()),
            port: matched.port(),
            ascii: matched.ascii(),
            form: matched.form().as_str().to_owned(),
            text: None,
            role: Role::Text.as_str().to_owned(),
            element: None,
            grade: assessment.grade().as_str().to_owned(),
            reason: assessment.reason().map(Reason::of),
            join: matched.joined().map(|joined| joined.as_str().to_owned()),
            alternatives: matched.alternatives(),
            warnings: matched.warnings().into_iter().map(|warning| warning.as_str().to_owned()).collect(),
            unwrapped: unwraps.then(|| names(matched.unwrapped_from())),
            message: None,
        }
    }

    /// The facts of a match in an archive.
    pub fn of_archive(matched: &ArchiveMatch, unwraps: bool) -> Facts {
        let position = matched.position();
        Facts {
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            join: matched.joined().map(|joined| joined.as_str().to_owned()),
            text: matched.link_text().map(<[u8]>::to_vec),
            role: matched.role().as_str().to_owned(),
            element: matched.element().map(str::to_owned),
            warnings: matched.warnings().into_iter().map(|warning| warning.as_str().to_owned()).collect(),
            message: Message::of(matched),
            ..Facts::of(matched.in_text(), unwraps)
        }
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

impl Reason {
    fn of(error: &ParseError) -> Reason {
        Reason {
            production: error.production().to_owned(),
            offset: error.offset(),
            message: error.to_string(),
        }
    }
}

impl Message {
    fn of(matched: &ArchiveMatch) -> Option<Message> {
        let record = matched.record();
        let envelope = matched.envelope();
        if record.is_none() && envelope.is_none() {
            return None;
        }
        // A record has a name and a date of its own.
        let envelope = envelope.filter(|_| record.is_none());
        Some(Message {
            index: matched.message_index(),
            id: record.map_or_else(|| envelope?.id(), |record| record.id().map(str::to_owned)),
            from: envelope.and_then(|envelope| envelope.from()),
            date: record.map_or_else(|| envelope?.date(), |record| record.date().map(str::to_owned)),
            subject: envelope.and_then(|envelope| envelope.subject()),
            newsgroups: envelope.and_then(|envelope| envelope.newsgroups()),
            to: envelope.and_then(|envelope| envelope.to()),
            cc: envelope.and_then(|envelope| envelope.cc()),
            list_id: envelope.and_then(|envelope| envelope.list_id()),
            in_reply_to: envelope.and_then(|envelope| envelope.in_reply_to()),
            part: matched.part().filter(|_| record.is_none()).map(str::to_owned),
            content_type: matched.content_type().map(str::to_owned),
            header: matched.header().map(str::to_owned),
            quote_depth: matched.quote_depth(),
            filename: matched.filename().filter(|_| record.is_none()).map(str::to_owned),
            record: record.map(WebRecord::of),
        })
    }

    /// The message with the keys of `--json`: those of a record only if it is one.
    pub fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.clone().into_pyobject(py)?;
        dict.del_item("record")?;
        if let Some(record) = &self.record {
            dict.set_item("uri", &record.uri)?;
            dict.set_item("type", &record.kind)?;
            dict.set_item("offset", record.offset)?;
        }
        Ok(dict)
    }
}

impl WebRecord {
    fn of(record: &Record) -> WebRecord {
        let owned = |value: Option<&str>| value.map(str::to_owned);
        WebRecord { uri: owned(record.uri()), kind: owned(record.kind()), offset: record.offset() }
    }
}
