//! `--since`, `--until`, `--from` and `--subject`: which messages are searched.

use std::ops::Range;

use regex::{Regex, RegexBuilder};
use urlgrep::archive::{Envelope, Message};

/// Which messages are searched. `None` does not restrict anything.
#[derive(Debug, Default)]
pub struct MessageOptions {
    pub since: Option<Date>,
    pub until: Option<Date>,
    /// Regular expressions.
    pub from: Option<String>,
    pub subject: Option<String>,
}

/// The compiled options.
#[derive(Debug, Default)]
pub struct Messages {
    since: Option<Date>,
    until: Option<Date>,
    from: Option<Regex>,
    subject: Option<Regex>,
}

impl Messages {
    /// Compiles the options.
    ///
    /// # Errors
    ///
    /// If a regular expression is not valid.
    pub fn new(options: &MessageOptions) -> Result<Messages, String> {
        let regex = |option: &str, pattern: &Option<String>| {
            let compile = |pattern: &String| RegexBuilder::new(pattern).case_insensitive(true).build();
            pattern.as_ref().map(compile).transpose().map_err(|error| format!("{option}: {error}"))
        };
        Ok(Messages {
            since: options.since,
            until: options.until,
            from: regex("--from", &options.from)?,
            subject: regex("--subject", &options.subject)?,
        })
    }

    /// Whether every input is searched.
    pub fn is_everything(&self) -> bool {
        self.since.is_none() && self.until.is_none() && self.from.is_none() && self.subject.is_none()
    }

    /// Whether a message is searched; `None` if it is the rest of the message before it.
    pub fn wants(&self, message: &Message<'_>) -> Option<bool> {
        if self.is_everything() {
            return Some(true);
        }
        message.envelope().map(|envelope| self.wants_envelope(&envelope))
    }

    fn wants_envelope(&self, envelope: &Envelope<'_>) -> bool {
        let matches = |regex: &Option<Regex>, value: fn(&Envelope<'_>) -> Option<String>| {
            regex.as_ref().is_none_or(|regex| value(envelope).is_some_and(|value| regex.is_match(&value)))
        };
        matches(&self.from, |envelope| envelope.from())
            && matches(&self.subject, |envelope| envelope.subject())
            && self.wants_date(envelope)
    }

    fn wants_date(&self, envelope: &Envelope<'_>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let date = envelope.date().and_then(|date| Date::parse(&date).ok());
        date.is_some_and(|Date(date)| {
            self.since.is_none_or(|Date(since)| date.start >= since.start)
                && self.until.is_none_or(|Date(until)| date.start < until.end)
        })
    }
}

/// A second, a day, a month or a year, in seconds from 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date(Period);

/// A range that can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Period {
    start: i64,
    end: i64,
}

const DAY: i64 = 24 * 60 * 60;

impl Date {
    /// Parses `2001`, `2001-03`, `2001-03-02`, and RFC 3339: `2001-03-02T10:11:12+01:00`,
    /// with or without seconds and zone.
    ///
    /// # Errors
    ///
    /// If the date has another form, or does not exist.
    pub fn parse(text: &str) -> Result<Date, &'static str> {
        const FORMS: &str = "expected a date: 2001, 2001-03, 2001-03-02 or 2001-03-02T10:11:12+01:00";
        read(text).map(|Range { start, end }| Date(Period { start, end })).ok_or(FORMS)
    }
}

fn read(text: &str) -> Option<Range<i64>> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut numbers = date.split('-');
    let year = number(numbers.next()?, 4)?;
    let month = numbers.next().map(|month| number(month, 2)).map_or(Some(None), |month| month.map(Some))?;
    let day = numbers.next().map(|day| number(day, 2)).map_or(Some(None), |day| day.map(Some))?;
    let in_range = month.is_none_or(|month| (1..=12).contains(&month))
        && day.is_none_or(|day| (1..=days_in(year, month.unwrap_or(1))).contains(&day));
    if numbers.next().is_some() || !in_range {
        return None;
    }
    match (month, day, time) {
        (None, None, None) => Some(days(year, 1) * DAY..days(year + 1, 1) * DAY),
        (Some(month), None, None) => {
            Some(days(year, month) * DAY..(days(year, month) + days_in(year, month)) * DAY)
        }
        (Some(month), Some(day), time) => {
            let start = (days(year, month) + day - 1) * DAY;
            match time {
                None => Some(start..start + DAY),
                Some(time) => read_time(time).map(|time| start + time.start..start + time.end),
            }
        }
        _ => None,
    }
}

/// A time of the day with its zone, in seconds from midnight in UTC.
fn read_time(text: &str) -> Option<Range<i64>> {
    let zone = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone);
    let mut numbers = time.split(':');
    let (hour, minute) = (number(numbers.next()?, 2)?, number(numbers.next()?, 2)?);
    let second = numbers.next().map(|second| second.split('.').next().unwrap_or_default());
    let (second, len) = match second {
        // A leap second is the first of the next minute.
        Some(second) => (number(second, 2).filter(|&second| second <= 60)?, 1),
        None => (0, 60),
    };
    if hour > 23 || minute > 59 || numbers.next().is_some() {
        return None;
    }
    let start = hour * 3600 + minute * 60 + second - offset(zone)?;
    Some(start..start + len)
}

/// The offset of a zone in seconds.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first() {
        None => return Some(0),
        Some(b'Z' | b'z') => return (zone.len() == 1).then_some(0),
        Some(b'-') => -1,
        Some(_) => 1,
    };
    let (hours, minutes) = zone[1..].split_once(':')?;
    Some(sign * (number(hours, 2)? * 3600 + number(minutes, 2)? * 60))
}

/// A number of exactly `digits` digits.
fn number(text: &str, digits: usize) -> Option<i64> {
    let all = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    if all { text.parse().ok() } else { None }
}

/// The number of days from 1970 to the first of a month, in the Gregorian calendar.
fn days(year: i64, month: i64) -> i64 {
    let before = (1..month).map(|month| days_in(year, month)).sum::<i64>();
    let leap_years = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * (year - 1970) + leap_years(year - 1) - leap_years(1969) + before
}

fn days_in(year: i64, month: i64) -> i64 {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Option<(i64, i64)> {
        Date::parse(text).ok().map(|Date(Period { start, end })| (start, end))
    }

    #[test]
    fn dates_in_seconds() {
        assert_eq!(range("1970"), Some((0, 365 * DAY)));
        assert_eq!(range("1970-01-02"), Some((DAY, 2 * DAY)));
        assert_eq!(range("2000-02"), Some((951_782_400 - 28 * DAY, 951_782_400 + DAY)));
        assert_eq!(range("2001-03-02T10:11:12Z"), Some((983_527_872, 983_527_873)));
        assert_eq!(range("2001-03-02T11:11:12+01:00"), range("2001-03-02T10:11:12Z"));
        assert_eq!(range("2001-03-02T10:11:12.5-00:00"), range("2001-03-02 10:11:12"));
        assert_eq!(range("2001-03-02T10:11"), Some((983_527_860, 983_527_920)));
        assert_eq!(range("1969-12-31"), Some((-DAY, 0)));
    }

    #[test]
    fn what_is_not_a_date() {
        for text in [
            "",
            "1",
            "01-02-2003",
            "2001-13",
            "2001-02-29",
            "2001-03-02T25:00",
            "2001T10:11",
            "2001-3",
            "today",
        ] {
            assert_eq!(range(text), None, "{text}");
        }
    }
}
