//! Dates of messages, and dates that a user types.

use std::time::{SystemTime, UNIX_EPOCH};

/// A second, a day, a month or a year, in seconds from 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    pub start: i64,
    /// The first second after it.
    pub end: i64,
    /// The offset of its zone from UTC in seconds. Without a zone, it is counted as if it were in UTC.
    zone: Option<i64>,
}

const DAY: i64 = 24 * 60 * 60;

impl Date {
    /// Parses `2001`, `2001-03`, `2001-03-02`, and RFC 3339: `2001-03-02T10:11:12+01:00`,
    /// with or without seconds and zone. A slash may be in the place of a hyphen, and a day may have
    /// neither: `20010302`. Returns `None` if the date has another form, or does not exist.
    pub fn parse(text: &str) -> Option<Date> {
        let (date, time) =
            text.split_once(['T', ' ']).map_or((text, None), |(date, time)| (date, Some(time)));
        let part = |(n, part)| number(part, if n == 0 { 4 } else { 2 });
        let parts: Vec<i64> = match number(date, 8) {
            Some(digits) => vec![digits / 10_000, digits / 100 % 100, digits % 100],
            None => date.split(['-', '/']).enumerate().map(part).collect::<Option<_>>()?,
        };
        let (first, len) = match *parts {
            [year] => (days(year, 1), days(year + 1, 1) - days(year, 1)),
            [year, month @ 1..=12] => (days(year, month), days_in(year, month)),
            [year, month @ 1..=12, day] if (1..=days_in(year, month)).contains(&day) => {
                (days(year, month) + day - 1, 1)
            }
            _ => return None,
        };
        let start = first * DAY;
        match time {
            None => Some(Date { start, end: start + len * DAY, zone: None }),
            Some(time) if parts.len() == 3 => {
                let time = read_time(time)?;
                Some(Date { start: start + time.start, end: start + time.end, zone: time.zone })
            }
            Some(_) => None,
        }
    }

    /// Parses the text that a user types: a date, `today`, `yesterday`, `last week` and the like,
    /// or how long ago a moment was: `7d`, `2 weeks ago`, `1mo`.
    ///
    /// # Errors
    ///
    /// Returns an error for any other text.
    pub fn parse_typed(text: &str) -> Result<Date, String> {
        let text = text.trim();
        // Refuse "5m", because some users mean minutes and others months.
        let number = text.strip_suffix("ago").unwrap_or(text).trim_end().strip_suffix('m').map(str::trim_end);
        if let Some(number) = number.filter(|number| number.bytes().all(|b| b.is_ascii_digit())) {
            return Err(format!("ambiguous unit m; for minutes use {number}min, for months {number}mo"));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Date::typed(text, i64::try_from(now).unwrap_or(i64::MAX)).ok_or_else(|| {
            let shape = text.replace(|char: char| char.is_ascii_digit(), "0");
            let why = match &*shape {
                "0000-00" | "0000-00-00" => "this month or day does not exist",
                _ => "expected a date, such as 2001, 2001-03, 2001-03-02, yesterday, \"last month\" or 7d",
            };
            why.to_owned()
        })
    }

    /// Returns the start of the date, to be compared with `other`: if `other` has no zone, by the
    /// clock that shows this date, as it is printed, and otherwise in UTC.
    pub fn start_beside(self, other: Date) -> i64 {
        let zone = if other.zone.is_none() { self.zone } else { None };
        self.start + zone.unwrap_or_default()
    }

    /// Returns the date that a user types at the second `now`.
    fn typed(text: &str, now: i64) -> Option<Date> {
        let ago = |text: &str| {
            let span = text.strip_suffix("ago").unwrap_or(text).trim_end();
            let span = span.strip_suffix("mo").map_or(span.to_owned(), |months| format!("{months}months"));
            let start = now.checked_sub_unsigned(humantime::parse_duration(&span).ok()?.as_secs())?;
            Some(Date { start, end: start + 1, zone: Some(0) })
        };
        Date::parse(text).or_else(|| in_calendar(text, now.div_euclid(DAY))).or_else(|| ago(text))
    }
}

/// A day, week, month or year before the day `today`, or that one, in UTC: `last month`. A week starts on Monday.
fn in_calendar(text: &str, today: i64) -> Option<Date> {
    let (year, month) = month_of(today);
    // 1970-01-01 was a Thursday.
    let monday = today - (today + 3).rem_euclid(7);
    let (first, end) = match text {
        "today" => (today, today + 1),
        "yesterday" => (today - 1, today),
        "this week" => (monday, monday + 7),
        "last week" => (monday - 7, monday),
        "this month" => (days(year, month), days(year, month) + days_in(year, month)),
        "last month" if month == 1 => (days(year - 1, 12), days(year, 1)),
        "last month" => (days(year, month - 1), days(year, month)),
        "this year" => (days(year, 1), days(year + 1, 1)),
        "last year" => (days(year - 1, 1), days(year, 1)),
        _ => return None,
    };
    Some(Date { start: first * DAY, end: end * DAY, zone: Some(0) })
}

/// The year and the month of a day, which is counted from 1970.
fn month_of(day: i64) -> (i64, i64) {
    // A year has at most 366 days, so this one is at most a few too early.
    let year = (1970 + day.div_euclid(366)..).find(|&year| day < days(year + 1, 1)).unwrap_or(1970);
    let month = (1..12).find(|&month| day < days(year, month + 1)).unwrap_or(12);
    (year, month)
}

/// A time of the day with its zone, in seconds from midnight in UTC.
fn read_time(text: &str) -> Option<Date> {
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
    // The offset of the zone in seconds.
    let zone = match (zone, zone.as_bytes().first()) {
        ("", _) => None,
        ("Z" | "z", _) => Some(0),
        (_, Some(b'Z' | b'z')) => return None,
        (_, sign) => {
            let (hours, minutes) = zone[1..].split_once(':')?;
            let seconds = number(hours, 2)? * 3600 + number(minutes, 2)? * 60;
            Some(if sign == Some(&b'-') { -seconds } else { seconds })
        }
    };
    let start = hour * 3600 + minute * 60 + second - zone.unwrap_or_default();
    Some(Date { start, end: start + len, zone })
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
        Date::parse(text).map(|date| (date.start, date.end))
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
            "20011302",
            "2001302",
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

    #[test]
    fn the_error_of_a_date() {
        for (text, words) in [
            ("2001-13", "does not exist"),
            ("2001-02-29", "does not exist"),
            ("2001-3", "expected a date"),
            ("01-02-2003", "expected a date"),
        ] {
            assert!(Date::parse_typed(text).is_err_and(|error| error.contains(words)), "{text}");
        }
    }

    #[test]
    fn calendars() {
        // Days from 1970: 2024-03-01, a Friday after the 29th of February, is day 19783; 2023-01-01 is 19358, a Sunday.
        let typed = |text, day| in_calendar(text, day).map(|date| (date.start / DAY, date.end / DAY));
        assert_eq!(month_of(19783), (2024, 3));
        assert_eq!(month_of(19782), (2024, 2));
        assert_eq!(month_of(-1), (1969, 12));
        assert_eq!(typed("last month", 19783), Some((19754, 19783)));
        assert_eq!(typed("this month", 19783), Some((19783, 19814)));
        assert_eq!(typed("last week", 19783), Some((19772, 19779)));
        assert_eq!(typed("this week", 19358), Some((19352, 19359)));
        assert_eq!(typed("last month", 19358), Some((19327, 19358)));
        assert_eq!(typed("last year", 19358), Some((18993, 19358)));
        assert_eq!(typed("this year", 19358), Some((19358, 19723)));
        assert_eq!(typed("next week", 19358), None);
    }

    #[test]
    fn an_m_alone_is_refused() {
        for (text, month) in [("1m", "1mo"), ("30 m", "30mo"), ("3m ago", "3mo")] {
            assert!(Date::parse_typed(text).is_err_and(|error| error.ends_with(month)), "{text}");
        }
        for text in ["1min", "1mo", "1M", "2 months ago"] {
            assert!(Date::parse_typed(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_a_user_types() {
        // 1970-01-11 at two seconds after midnight.
        let typed = |text| Date::typed(text, 10 * DAY + 2).map(|date| (date.start, date.end));
        assert_eq!(typed("today"), Some((10 * DAY, 11 * DAY)));
        assert_eq!(typed("yesterday"), Some((9 * DAY, 10 * DAY)));
        assert_eq!(typed("7d"), Some((3 * DAY + 2, 3 * DAY + 3)));
        assert_eq!(typed("1 week ago"), typed("7d"));
        assert_eq!(typed("1week 2s"), Some((3 * DAY, 3 * DAY + 1)));
        assert_eq!(typed("11d").map(|(start, _)| start), Some(2 - DAY));
        assert_eq!(typed("1mo"), typed("1 month ago"));
        assert_eq!(typed("3 mo ago"), typed("3months"));
        assert_eq!(typed("1970/01/02"), Some((DAY, 2 * DAY)));
        assert_eq!(typed("1970/01"), range("1970-01"));
        assert_eq!(typed("20010302"), range("2001-03-02"));
        for text in ["", "ago", "7", "7 parsecs", "-7d", "tomorrow", "99999999999999999999y"] {
            assert_eq!(typed(text), None, "{text}");
        }
    }

    /// Each part of a time at its limit, and one beyond.
    #[test]
    fn limits_of_times() {
        let day = 983_491_200;
        for (time, start) in [
            ("00:00:00", Some(0)),
            ("23:59:59", Some(DAY - 1)),
            ("23:59:60", Some(DAY)),
            ("23:59:61", None),
            ("23:60:00", None),
            ("24:00:00", None),
            ("23:59:59:00", None),
            ("1:00", None),
            ("10:11+01:00", Some(9 * 3600 + 11 * 60)),
            ("10:11-01:00", Some(11 * 3600 + 11 * 60)),
            ("10:11z", Some(10 * 3600 + 11 * 60)),
            ("10:11Zx", None),
            ("10:11+0100", None),
        ] {
            let found = range(&format!("2001-03-02T{time}")).map(|(start, _)| start);
            assert_eq!(found, start.map(|start| day + start), "{time}");
        }
        for (date, is_one) in [
            ("2001-12-31", true),
            ("2001-12-32", false),
            ("2001-00", false),
            ("2001-01-00", false),
            ("2000-02-29", true),
            ("1900-02-29", false),
            ("2001-04-31", false),
        ] {
            assert_eq!(range(date).is_some(), is_one, "{date}");
        }
    }

    /// Each of these words, from Thursday, 15 February 2024, day 19768.
    #[test]
    fn every_word_of_the_calendar() {
        for (text, first, end) in [
            ("today", 19768, 19769),
            ("yesterday", 19767, 19768),
            ("this week", 19765, 19772),
            ("last week", 19758, 19765),
            ("this month", 19754, 19783),
            ("last month", 19723, 19754),
            ("this year", 19723, 20089),
            ("last year", 19358, 19723),
        ] {
            let date = in_calendar(text, 19768).map(|date| (date.start / DAY, date.end / DAY, date.zone));
            assert_eq!(date, Some((first, end, Some(0))), "{text}");
        }
    }
}
