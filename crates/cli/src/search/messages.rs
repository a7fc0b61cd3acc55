//! Selects messages: `--since`, `--until`, and the options about header fields.

use regex::{Regex, RegexBuilder};
use urlgrep::Match;
use urlgrep::archive::{Envelope, Message};

use super::date::Date;

/// The options that select messages. Empty options do not restrict anything.
#[derive(Debug, Default)]
pub struct MessageOptions {
    pub since: Option<Date>,
    pub until: Option<Date>,
    pub fields: Vec<FieldOption>,
}

/// A regular expression for the values of header fields.
#[derive(Clone, Debug)]
pub struct FieldOption {
    /// The option that the user typed.
    pub option: &'static str,
    /// The names of the fields, one of which must match.
    pub names: Vec<String>,
    pub regex: String,
}

/// The compiled options.
#[derive(Debug, Default)]
pub struct Messages {
    since: Option<Date>,
    until: Option<Date>,
    fields: Vec<(Vec<String>, Regex)>,
}

impl Messages {
    /// Compiles the options.
    ///
    /// # Errors
    ///
    /// Returns an error if a regular expression is not valid.
    pub fn new(options: MessageOptions) -> Result<Messages, String> {
        let compiled = options.fields.into_iter().map(|FieldOption { option, names, regex }| {
            let regex = RegexBuilder::new(&regex).case_insensitive(true).build();
            regex.map(|regex| (names, regex)).map_err(|error| format!("{option}: {error}"))
        });
        Ok(Messages {
            since: options.since,
            until: options.until,
            fields: compiled.collect::<Result<_, _>>()?,
        })
    }

    /// Returns true if every input is searched.
    pub fn is_everything(&self) -> bool {
        self.since.is_none() && self.until.is_none() && self.fields.is_empty()
    }

    /// Returns true if a message is searched; `None` if it is the rest of the message before it.
    pub fn wants(&self, message: &Message<'_>) -> Option<bool> {
        if self.is_everything() {
            return Some(true);
        }
        message
            .envelope()
            .map(|envelope| self.wants_all(&envelope))
            .or(message.may_have_data().then_some(true))
    }

    /// Returns true if a match is wanted by the record of data that it is in.
    pub fn wants_match(&self, matched: &Match<'_>) -> bool {
        let envelope = || matched.context()?.envelope();
        self.is_everything() || envelope().is_some_and(|envelope| self.wants_all(envelope))
    }

    fn wants_all(&self, envelope: &Envelope<'_>) -> bool {
        self.wants_fields(envelope) && self.wants_date(envelope)
    }

    fn wants_fields(&self, envelope: &Envelope<'_>) -> bool {
        self.fields.iter().all(|(names, regex)| {
            let mut values = names.iter().flat_map(|name| envelope.fields(name));
            values.any(|value| regex.is_match(&value))
        })
    }

    fn wants_date(&self, envelope: &Envelope<'_>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let date = envelope.date().and_then(|date| Date::parse(&date).ok());
        date.is_some_and(|date| {
            self.since.is_none_or(|since| since.start <= date.start_beside(since))
                && self.until.is_none_or(|until| date.start_beside(until) < until.end)
        })
    }
}
