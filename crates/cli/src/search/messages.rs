//! Selects messages: the conditions on their heads.

use urlgrep::Match;
use urlgrep::archive::{Envelope, Message, Record};
use urlgrep::table::Row;

use super::condition::Condition;

/// The conditions on the heads of messages. Without any, everything is searched.
#[derive(Debug, Default)]
pub struct Messages {
    conditions: Vec<Condition>,
}

impl Messages {
    pub fn new(conditions: Vec<Condition>) -> Messages {
        let mut merged: Vec<Condition> = Vec::new();
        for condition in conditions {
            if !merged.iter_mut().any(|other| other.add(&condition)) {
                merged.push(condition);
            }
        }
        Messages { conditions: merged }
    }

    /// Returns true if every input is searched.
    pub fn is_everything(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Returns true if text outside of messages is searched: no condition needs a value.
    pub fn wants_text(&self) -> bool {
        self.wants_head(None, None)
    }

    /// Returns true if a message is searched; `None` if it is the rest of the message before it.
    pub fn wants(&self, message: &Message<'_>) -> Option<bool> {
        if self.is_everything() {
            return Some(true);
        }
        let (envelope, record) = (message.envelope(), message.record());
        match (&envelope, record) {
            // Records differ in their heads, so test each match; a text has no head.
            (None, None) if message.may_have_data() => Some(true),
            (None, None) => (message.index() == 0).then(|| self.wants_text()),
            _ => Some(self.wants_head(envelope.as_ref(), record)),
        }
    }

    /// Returns true if a match is wanted by the record of data that it is in.
    pub fn wants_match(&self, matched: &Match<'_>) -> bool {
        self.is_everything() || {
            let row = Row::new(matched);
            self.conditions.iter().all(|condition| condition.holds_for(&row))
        }
    }

    fn wants_head(&self, envelope: Option<&Envelope<'_>>, record: Option<&Record>) -> bool {
        self.conditions.iter().all(|condition| condition.holds_for_head(envelope, record))
    }
}
