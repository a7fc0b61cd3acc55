//! `--where`, and the options that are short for it: a condition on the fields of a match.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use regex::bytes::{Regex, RegexBuilder};
use urlgrep::Match;
use urlgrep::archive::{Envelope, Message, Record};
use urlgrep::table::{Field, Kind, Row, Scope, Value};
use urlgrep_print::columns::{self, Columns};

use super::date::Date;

/// The operators. One that another one begins with comes after it.
const OPERATORS: [&str; 6] = ["!=", "<=", ">=", "=", "<", ">"];

/// The field whose values are dates.
const DATE: &str = "message.date";

/// A condition on the values of some fields, of which one must meet it.
#[derive(Clone, Debug)]
pub struct Condition {
    pub fields: Vec<&'static Field>,
    test: Test,
    /// 1 after it was tested, 2 if a field had a value. Clones share it.
    tested: Arc<AtomicU8>,
}

#[derive(Clone, Debug)]
enum Test {
    /// A value matches, or none does.
    Regex { regex: Regex, is_wanted: bool },
    /// A number, or the second of a date, is within all bounds.
    Order(Vec<Bound>),
}

/// A limit that a value is below, or is not below.
#[derive(Clone, Copy, Debug)]
struct Bound {
    is_below: bool,
    limit: i64,
    /// The date that was typed, if values are dates.
    date: Option<Date>,
}

impl Condition {
    /// Parses a condition that a user types: `host=REGEX`, `port>1024`, `message.date<2001-03`.
    ///
    /// # Errors
    ///
    /// Returns an error if the operator is missing, if a field does not exist, or if the value does not suit it.
    pub fn parse(text: &str) -> Result<Condition, String> {
        let found = text.find(['=', '!', '<', '>']).and_then(|at| {
            let operator = OPERATORS.into_iter().find(|operator| text[at..].starts_with(operator))?;
            Some((&text[..at], operator, &text[at + operator.len()..]))
        });
        let (names, operator, value) = found
            .ok_or("expected a field, an operator (= != < <= > >=) and a value, in quotes: 'port>1024'")?;
        // Other languages write == and =~.
        if operator == "=" && value.starts_with(['=', '~']) {
            let first = &value[..1];
            return Err(format!(
                "expected the operator =; for a regex that begins with {first}, write [{first}]"
            ));
        }
        Condition::new(Columns::parse(names)?.fields(), operator, value)
    }

    /// Returns the condition of `--from`: all fields From count.
    ///
    /// # Errors
    ///
    /// Returns an error if the regular expression is not valid.
    pub fn from(regex: &str) -> Result<Condition, String> {
        Condition::new(&[Field::of_header("From")], "=", regex)
    }

    /// Returns the condition of `--since`.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a date.
    pub fn since(date: &str) -> Result<Condition, String> {
        Condition::new(&[columns::field(DATE)?], ">=", date)
    }

    /// Returns the condition of `--until`.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a date.
    pub fn until(date: &str) -> Result<Condition, String> {
        Condition::new(&[columns::field(DATE)?], "<=", date)
    }

    fn new(fields: &[&'static Field], operator: &str, value: &str) -> Result<Condition, String> {
        let is_all = |is: fn(&Field) -> bool| fields.iter().all(|field| is(field));
        let test = match operator {
            "=" | "!=" => {
                let regex = RegexBuilder::new(value).case_insensitive(true).build();
                Test::Regex {
                    regex: regex.map_err(|error| regex_error(value, &error))?,
                    is_wanted: operator == "=",
                }
            }
            _ if is_all(|field| field.name() == DATE) => {
                let date = Date::parse_typed(value)?;
                Test::Order(vec![Bound::new(operator, date.start, date.end, Some(date))])
            }
            _ if is_all(|field| matches!(field.kind(), Kind::Number | Kind::Port)) => {
                let number =
                    value.trim_ascii().parse().map_err(|_| format!("expected a number, found {value:?}"))?;
                Test::Order(vec![Bound::new(operator, number, number.saturating_add(1), None)])
            }
            _ => {
                return Err(format!(
                    "{operator:?} compares only numbers and message.date; use = or != with a regex"
                ));
            }
        };
        Ok(Condition { fields: fields.to_vec(), test, tested: Arc::default() })
    }

    /// Adds the bounds of another condition on the same date, so that it is read once. Returns whether they were added.
    pub fn add(&mut self, other: &Condition) -> bool {
        let (Test::Order(bounds), Test::Order(others)) = (&mut self.test, &other.test) else { return false };
        let are_dates = bounds.iter().chain(others).all(|bound| bound.date.is_some());
        bounds.extend(others.iter().filter(|_| are_dates));
        are_dates
    }

    /// Returns true if the same holds for all matches in a message, so that it need not be searched.
    pub fn is_of_head(&self) -> bool {
        self.fields.iter().all(|field| field.scope() == Scope::Head)
    }

    /// Returns true if a message with this envelope meets the condition, or this record. Without both, no field has a
    /// value.
    pub fn holds_for_head(&self, envelope: Option<&Envelope<'_>>, record: Option<&Record>) -> bool {
        let values = self.fields.iter().filter_map(|field| field.value_of_head(envelope, record));
        self.holds(values.inspect(|value| self.note(value)))
    }

    /// Returns true if a match meets the condition.
    pub fn holds_for(&self, row: &Row<'_>) -> bool {
        self.holds(self.fields.iter().map(|field| field.value(row)).inspect(|value| self.note(value)))
    }

    /// Notes that a field was tested, and whether it had a value.
    fn note(&self, value: &Value<'_>) {
        let tested = if *value == Value::Null { 1 } else { 2 };
        if self.tested.load(Ordering::Relaxed) < tested {
            self.tested.fetch_max(tested, Ordering::Relaxed);
        }
    }

    /// Returns a hint if the condition requires a value and nothing had one.
    pub fn hint(&self) -> Option<String> {
        let is_required = !matches!(self.test, Test::Regex { is_wanted: false, .. });
        let field =
            self.fields.first().filter(|_| is_required && self.tested.load(Ordering::Relaxed) == 1)?;
        let what = if self.is_of_head() { "message or record" } else { "URL" };
        Some(format!("hint: no {what} has the field {}", field.name()))
    }

    fn holds<'v>(&self, mut values: impl Iterator<Item = Value<'v>>) -> bool {
        match &self.test {
            Test::Regex { regex, is_wanted } => {
                // One value of a list is enough.
                let matches = |value: Value<'_>| match &value {
                    Value::Null => false,
                    Value::Names(names) => names.iter().any(|name| regex.is_match(name.as_bytes())),
                    Value::Urls(texts) | Value::Texts(texts) => texts.iter().any(|text| regex.is_match(text)),
                    value => regex.is_match(&value.to_text()),
                };
                values.any(matches) == *is_wanted
            }
            Test::Order(bounds) => values.any(|value| match &value {
                &(Value::Number(number) | Value::Counted(_, number)) => {
                    let number = i64::try_from(number).unwrap_or(i64::MAX);
                    bounds.iter().all(|bound| bound.has(number))
                }
                Value::Text(text) => {
                    let date = str::from_utf8(text).ok().and_then(Date::parse);
                    let second = |bound: &Bound| Some(date?.start_beside(bound.date?));
                    bounds.iter().all(|bound| second(bound).is_some_and(|second| bound.has(second)))
                }
                _ => false,
            }),
        }
    }
}

impl Bound {
    /// Compares with what begins at `start` and ends before `end`: a year contains its days.
    fn new(operator: &str, start: i64, end: i64, date: Option<Date>) -> Bound {
        let limit = if matches!(operator, "<=" | ">") { end } else { start };
        Bound { is_below: operator.starts_with('<'), limit, date }
    }

    fn has(&self, position: i64) -> bool {
        (position < self.limit) == self.is_below
    }
}

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
        let row = Row::new(matched);
        self.conditions.iter().all(|condition| condition.holds_for(&row))
    }

    fn wants_head(&self, envelope: Option<&Envelope<'_>>, record: Option<&Record>) -> bool {
        self.conditions.iter().all(|condition| condition.holds_for_head(envelope, record))
    }
}

/// Returns the error of a regular expression in one line, without the lines that mark where it is.
pub fn regex_error(pattern: &str, error: &regex::Error) -> String {
    let error = error.to_string();
    let why = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
    format!("expected a regex, found \"{pattern}\": {why}")
}
