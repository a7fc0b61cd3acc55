//! The attributes of a match as plain values: what `pickle` keeps, and what is compared.

use pyo3::prelude::*;
use urlgrep::ArchiveMatch;
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
    pub grade: String,
    pub reason: Option<Reason>,
    pub join: Option<String>,
    pub alternatives: Vec<Vec<u8>>,
    pub warnings: Vec<String>,
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
    part: Option<String>,
    content_type: Option<String>,
    header: Option<String>,
    quote_depth: usize,
}

impl Facts {
    /// The facts of a match in a text.
    pub fn of(matched: &urlgrep::Match<'_>) -> Facts {
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
            grade: assessment.grade().as_str().to_owned(),
            reason: assessment.reason().map(Reason::of),
            join: matched.joined().map(|joined| joined.as_str().to_owned()),
            alternatives: matched.alternatives(),
            warnings: matched.warnings().into_iter().map(|warning| warning.as_str().to_owned()).collect(),
            message: None,
        }
    }

    /// The facts of a match in an archive.
    pub fn of_archive(matched: &ArchiveMatch<'_>) -> Facts {
        let position = matched.position();
        Facts {
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            join: matched.joined().map(|joined| joined.as_str().to_owned()),
            message: Message::of(matched),
            ..Facts::of(matched.in_text())
        }
    }
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
    fn of(matched: &ArchiveMatch<'_>) -> Option<Message> {
        let envelope = matched.envelope()?;
        Some(Message {
            index: matched.message_index(),
            id: envelope.id(),
            from: envelope.from(),
            date: envelope.date(),
            subject: envelope.subject(),
            newsgroups: envelope.newsgroups(),
            part: matched.part().map(str::to_owned),
            content_type: matched.content_type(),
            header: matched.header().map(str::to_owned),
            quote_depth: matched.quote_depth(),
        })
    }
}
