//! Dates in header fields, in the forms of all decades.
//!
//! RFC 5322 writes `Fri, 02 Mar 2001 10:11:12 +0100`, RFC 822 a year of two digits
//! and the zone by name, RFC 850 `Friday, 02-Mar-01 10:11:12 GMT`, the C library
//! `Fri Mar  2 10:11:12 2001`, which mbox and web archives have, and ISO 8601
//! `2001-03-02T10:11:12+01:00`. Real mail mixes these, leaves parts out, and has `PM`.
//! So a date is read as words and numbers in any order: the name of a month is the month, the
//! number with a colon is the time, a signed number after it the zone, and of the other numbers the
//! first is the day and the second the year, or, without the name of a month, they are year, month
//! and day. An hour may be without a colon before `p.m.`, and a time with its seconds may have full
//! stops. Comments, the weekday and other words are skipped. Names of months are read in English,
//! German, French and Spanish.

use urlgrep_outlook::filetime::calendar;

use crate::archive::container::mbox::WEEKDAYS;
use crate::archive::header::is_one_of;

/// A date in the form of RFC 3339, `2001-03-02T10:11:12+01:00`; `None` if `value` does not contain
/// day, month, year and time.
///
/// If the zone is missing or unknown, the offset is `-00:00`, which has this meaning in
/// RFC 3339 §4.3.
pub(crate) fn rfc3339(value: &[u8]) -> Option<String> {
    let mut parts = Parts::default();
    let mut rest = value;
    while let [first, after @ ..] = rest {
        rest = match first {
            b'(' => skip_comment(rest),
            b'0'..=b'9' => parts.number(rest),
            b'+' | b'-' => parts.sign(rest),
            b if b.is_ascii_alphabetic() || !b.is_ascii() => parts.word(rest),
            _ => after,
        };
    }
    parts.format()
}

/// The date in the line before a message in an mbox, in UTC if the zone is missing.
pub(crate) fn of_separator(line: &[u8]) -> Option<String> {
    // The sender before it may contain numbers.
    let starts = memchr::memchr_iter(b' ', line).map(|at| &line[at + 1..]);
    let mut dates = starts.filter(|rest| begins_weekday(rest)).filter_map(rfc3339);
    let date = dates.next()?;
    Some(match date.strip_suffix("-00:00") {
        Some(time) => format!("{time}+00:00"),
        None => date,
    })
}

fn begins_weekday(text: &[u8]) -> bool {
    text.get(..3).is_some_and(|name| is_one_of(name, &WEEKDAYS))
        && text.get(3).is_some_and(|&b| b == b',' || b == b' ')
}

/// The date in 14 digits, as in ARC: `20010302101112`, in UTC.
pub(crate) fn of_digits(digits: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(digits).ok().filter(|text| text.len() == 14)?;
    let at = |from: usize, to: usize| text.get(from..to);
    let (year, month, day) = (at(0, 4)?, at(4, 6)?, at(6, 8)?);
    rfc3339(format!("{year}-{month}-{day} {}:{}:{}Z", at(8, 10)?, at(10, 12)?, at(12, 14)?).as_bytes())
}

/// The date of a record of data: in a form of ISO 8601, as in mail with its weekday, or seconds or
/// milliseconds from 1970, if they are from 1990 to 2100, because other numbers count something
/// else.
pub(crate) fn of_record(text: &str) -> Option<String> {
    if let Some(date) = with_punctuation(text) {
        return rfc3339(date.as_bytes());
    }
    if begins_weekday(text.as_bytes()) {
        return rfc3339(text.as_bytes());
    }
    let number: f64 = text.parse().ok()?;
    let years = 631_152_000.0..4_102_444_800.0;
    let seconds = [number, number / 1000.0].into_iter().find(|seconds| years.contains(seconds))? as u64;
    let (year, month, day) = calendar(seconds / 86_400 + DAYS_TO_1970);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    Some(format!("{year}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}+00:00", month + 1))
}

/// A day of ISO 8601, optionally with time and zone, with the punctuation of RFC 3339; `None` for other texts. A day
/// without a time is its midnight.
fn with_punctuation(text: &str) -> Option<String> {
    let mark_before = |n, c: char| match n {
        4 | 6 => Some('-'),
        11 | 13 if c.is_ascii_digit() => Some(':'),
        _ => None,
    };
    let is_compact = text.get(..8).is_some_and(|day| day.bytes().all(|b| b.is_ascii_digit()));
    let (mut date, day) = match text.as_bytes() {
        [_, _, _, _, b'-' | b'/', ..] => (text.to_owned(), 10),
        [_, _, _, _, _, _, _, _] | [_, _, _, _, _, _, _, _, b'T', ..] if is_compact => (
            text.chars().enumerate().flat_map(|(n, c)| mark_before(n, c).into_iter().chain([c])).collect(),
            8,
        ),
        _ => return None,
    };
    if text.len() == day {
        date.push_str("T0:0");
    }
    Some(date)
}

/// The days from 1601 to 1970.
const DAYS_TO_1970: u64 = 134_774;

/// The parts of a date that have been read.
#[derive(Default)]
struct Parts {
    /// The month, if it is a name.
    month: Option<u32>,
    /// True if the name of another month would show that this one was a weekday.
    may_be_weekday: bool,
    time: Option<Time>,
    is_afternoon: Option<bool>,
    /// The zone as a number, which may be unknown (`-0000`, or more than a day), and as a name, in minutes east of
    /// Greenwich.
    offset: Option<Option<i32>>,
    zone: Option<i32>,
    /// The other numbers, in order: day and year, or year, month and day.
    numbers: Vec<Number>,
}

struct Time {
    hour: u32,
    minute: u32,
    second: u32,
}

#[derive(Clone, Copy)]
struct Number {
    value: u32,
    digits: usize,
}

impl Number {
    /// The number that `text` begins with, and the text after it.
    fn parse(text: &[u8]) -> (Self, &[u8]) {
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let add = |value: u32, b: &u8| value.saturating_mul(10).saturating_add(u32::from(b - b'0'));
        (Number { value: text[..digits].iter().fold(0, add), digits }, &text[digits..])
    }

    /// The number after `mark`, if `text` begins with both.
    fn after(mark: u8, text: &[u8]) -> Option<(Self, &[u8])> {
        let (number, rest) = Number::parse(text.strip_prefix(&[mark])?);
        (number.digits > 0).then_some((number, rest))
    }

    /// The year. RFC 5322 §4.3: two digits up to 49 count from 2000, other two or three digits from
    /// 1900. `0102` is `102`.
    fn year(self) -> Option<u32> {
        match (self.digits, self.value) {
            (2 | 4, year @ ..50) => Some(2000 + year),
            (2..=4, year @ ..1000) => Some(1900 + year),
            (4, year) => Some(year),
            _ => None,
        }
    }
}

impl Parts {
    /// Reads the number that `text` begins with, and the rest of the time if it is
    /// an hour; returns the text after it.
    fn number<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let (first, rest) = Number::parse(text);
        if let Some((time, rest)) = self.time_with_stops(first, rest) {
            self.time.get_or_insert(time);
            return rest;
        }
        let Some((minute, rest)) = Number::after(b':', rest) else {
            // No date needs more numbers.
            if self.numbers.len() < MAX_NUMBERS {
                self.numbers.push(first);
            }
            return rest;
        };
        let (second, rest) = Number::after(b':', rest).unwrap_or((Number { value: 0, digits: 0 }, rest));
        let rest = Number::after(b'.', rest).map_or(rest, |(_, rest)| rest);
        self.time.get_or_insert(Time { hour: first.value, minute: minute.value, second: second.value });
        rest
    }

    /// The time that continues after an hour as `.11.12`, and the text after it. A date may look
    /// like this, but comes first.
    fn time_with_stops<'t>(&self, hour: Number, text: &'t [u8]) -> Option<(Time, &'t [u8])> {
        let (minute, rest) = Number::after(b'.', text).filter(|(minute, _)| minute.digits == 2)?;
        let (second, rest) = Number::after(b'.', rest).filter(|(second, _)| second.digits == 2)?;
        let follows_date = self.month.is_some() || self.numbers.len() >= 3;
        let time = Time { hour: hour.value, minute: minute.value, second: second.value };
        (follows_date && hour.digits <= 2).then_some((time, rest))
    }

    /// Reads the offset that `text` begins with; before the time, a `-` separates the
    /// parts of a date.
    fn sign<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let (number, rest) = Number::parse(&text[1..]);
        if self.time.is_none() || number.digits == 0 {
            return &text[1..];
        }
        let (minutes, rest) = match Number::after(b':', rest) {
            Some((minute, rest)) => (number.value.saturating_mul(60).saturating_add(minute.value), rest),
            None if number.digits <= 2 => (number.value * 60, rest),
            None => (number.value / 100 * 60 + number.value % 100, rest),
        };
        let minutes = i32::try_from(minutes).ok().filter(|&minutes| minutes < 24 * 60);
        self.offset.get_or_insert(match (text[0], minutes) {
            (b'+', minutes) => minutes,
            (_, Some(minutes @ 1..)) => Some(-minutes),
            _ => None,
        });
        rest
    }

    /// Reads the word that `text` begins with.
    fn word<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let len = text.iter().take_while(|b| b.is_ascii_alphabetic() || !b.is_ascii()).count();
        let (word, rest) = text.split_at(len);
        let mut lower = [0; LONGEST_WORD];
        let Some(lower) = plain_letters(word, &mut lower) else { return rest };
        if let Some(month) = month(lower)
            && (self.month.is_none() || self.may_be_weekday)
        {
            self.month = Some(month);
            // `mar.` is a Tuesday in French and Spanish as well.
            self.may_be_weekday = lower == b"mar" && self.numbers.is_empty() && self.time.is_none();
        }
        match lower {
            b"am" => self.half(false),
            b"pm" => self.half(true),
            b"noon" => self.hour(12),
            b"midnight" => self.hour(0),
            word => self.zone = self.zone.or(zone(word)),
        }
        if let ([half @ (b'a' | b'p')], [b'.', b'm' | b'M', rest @ ..]) = (lower, rest) {
            self.half(*half == b'p');
            return rest;
        }
        rest
    }

    /// Reads `PM`, or the hour that it is after: `2 March 2001, 1 p.m.`
    fn half(&mut self, is_afternoon: bool) {
        self.is_afternoon = Some(is_afternoon);
        let day_and_year = if self.month.is_some() { 2 } else { 3 };
        if self.time.is_none() && self.numbers.len() > day_and_year {
            let hour = self.numbers.pop();
            hour.into_iter().for_each(|hour| self.hour(hour.value));
        }
    }

    /// Reads a time that is an hour.
    fn hour(&mut self, hour: u32) {
        self.time.get_or_insert(Time { hour, minute: 0, second: 0 });
    }

    fn format(&self) -> Option<String> {
        let (year, month, day) = match (self.month, &self.numbers[..]) {
            (Some(month), &[day, year, ..]) if day.digits <= 2 => (year.year()?, month, day.value),
            (None, &[year, month, day, ..]) if year.digits == 4 => (year.year()?, month.value, day.value),
            _ => return None,
        };
        let &Time { hour, minute, second } = self.time.as_ref()?;
        let hour = match self.is_afternoon {
            Some(false) if hour == 12 => 0,
            Some(true) if hour < 12 => hour + 12,
            _ => hour,
        };
        // A minute may have a leap second, and a day may end with its hour 24.
        let is_end = (hour, minute, second) == (24, 0, 0);
        let valid =
            (1..=days(year, month)?).contains(&day) && (hour < 24 || is_end) && minute < 60 && second <= 60;
        if !valid {
            return None;
        }
        let (year, month, day, hour) = match is_end {
            false => (year, month, day, hour),
            true if day < days(year, month)? => (year, month, day + 1, 0),
            true if month < 12 => (year, month + 1, 1, 0),
            true => (year + 1, 1, 1, 0),
        };
        let offset = self.offset.unwrap_or(self.zone);
        let sign = if offset.is_none_or(|minutes| minutes < 0) { b'-' } else { b'+' };
        let minutes = offset.unwrap_or_default().unsigned_abs();
        let mut date = *b"0000-00-00T00:00:00+00:00";
        put_digits(&mut date[..4], year);
        for (n, number) in
            [month, day, hour, minute, second, minutes / 60, minutes % 60].into_iter().enumerate()
        {
            let at = 5 + 3 * n;
            put_digits(&mut date[at..at + 2], number);
        }
        date[19] = sign;
        String::from_utf8(date.to_vec()).ok()
    }
}

/// Writes a number into all of `digits`, without `fmt`.
fn put_digits(digits: &mut [u8], mut number: u32) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// The number of numbers that are kept: a day and a year may be there twice, and then an hour.
const MAX_NUMBERS: usize = 5;

/// The length of the longest word that has a meaning: septiembre.
const LONGEST_WORD: usize = 10;

/// The names of the months in English, German, French and Spanish, in plain letters. Three letters suffice.
static MONTHS: [&[&str]; 12] = [
    &["january", "januar", "janner", "jaenner", "janvier", "enero"],
    &["february", "februar", "fevrier", "febrero"],
    &["march", "marz", "maerz", "mrz", "mars", "marzo"],
    &["april", "avril", "abril"],
    &["may", "mai", "mayo"],
    &["june", "juni", "juin", "junio"],
    &["july", "juli", "juillet", "julio"],
    &["august", "aout", "agosto"],
    &["september", "septembre", "septiembre", "setiembre"],
    &["october", "oktober", "octobre", "octubre"],
    &["november", "novembre", "noviembre"],
    &["december", "dezember", "decembre", "diciembre"],
];

/// The month whose name begins with `word`, in lower case.
fn month(word: &[u8]) -> Option<u32> {
    let begins = |name: &&str| name.as_bytes().starts_with(word);
    // `jui` may be June or July.
    let is_name = word.len() >= 3 && word != b"jui";
    let at = MONTHS.iter().position(|names| is_name && names.iter().any(&begins))?;
    Some(at as u32 + 1)
}

/// A word in UTF-8 or ISO 8859-1, in lower case and without accents; `None` if it is too long.
fn plain_letters<'l>(word: &[u8], letters: &'l mut [u8; LONGEST_WORD]) -> Option<&'l [u8]> {
    let mut len = 0;
    let mut bytes = word.iter().copied().peekable();
    while let Some(b) = bytes.next() {
        // In UTF-8, the second byte of these letters is their ISO 8859-1 byte without the bit 0x40.
        let character = match (b, bytes.peek()) {
            (0xC3, Some(&next @ 0x80..0xC0)) => {
                bytes.next();
                next | 0x40
            }
            _ => b,
        };
        *letters.get_mut(len)? = match character | 0x20 {
            0xE0..=0xE5 => b'a',
            0xE8..=0xEB => b'e',
            0xF9..=0xFC => b'u',
            letter if letter.is_ascii() => letter,
            _ => b'?',
        };
        len += 1;
    }
    Some(&letters[..len])
}

/// The number of days of a month.
fn days(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => Some(if leap { 29 } else { 28 }),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

/// The offset of a zone in minutes east of Greenwich: for the zones of RFC 5322 §4.3, and for
/// others in mail that are not ambiguous. `Z` is the only military letter with a meaning, because
/// RFC 822 defined the others with wrong signs.
fn zone(name: &[u8]) -> Option<i32> {
    let hours = match name {
        b"ut" | b"utc" | b"gmt" | b"z" | b"wet" => 0,
        b"bst" | b"cet" | b"met" | b"mez" | b"west" => 1,
        b"cest" | b"mest" | b"mesz" | b"eet" => 2,
        b"eest" | b"msk" => 3,
        b"jst" | b"kst" => 9,
        b"aest" => 10,
        b"aedt" => 11,
        b"nzst" => 12,
        b"nzdt" => 13,
        b"adt" => -3,
        b"edt" | b"ast" => -4,
        b"est" | b"cdt" => -5,
        b"cst" | b"mdt" => -6,
        b"mst" | b"pdt" => -7,
        b"pst" | b"akdt" => -8,
        b"akst" => -9,
        b"hst" => -10,
        _ => return None,
    };
    Some(60 * hours)
}

/// The text after the comment that `text` begins with. Comments may be nested, and an unclosed one
/// continues to the end of the text.
fn skip_comment(text: &[u8]) -> &[u8] {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, &b) in text.iter().enumerate() {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    &[]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn date(value: &str) -> Option<String> {
        rfc3339(value.as_bytes())
    }

    #[track_caller]
    fn reads(value: &str, expected: &str) {
        assert_eq!(date(value).as_deref(), Some(expected), "{value}");
    }

    #[test]
    fn dates_of_records() {
        for (text, date) in [
            ("1672653600.000100", Some("2023-01-02T10:00:00+00:00")),
            ("1672653600000", Some("2023-01-02T10:00:00+00:00")),
            ("951782399", Some("2000-02-28T23:59:59+00:00")),
            ("951782400", Some("2000-02-29T00:00:00+00:00")),
            ("951868800", Some("2000-03-01T00:00:00+00:00")),
            ("2001-03-02T10:11:12.5+01:00", Some("2001-03-02T10:11:12+01:00")),
            ("20200102T101112Z", Some("2020-01-02T10:11:12+00:00")),
            // Without a zone, the time is UTC with an unknown offset (-00:00). A day without a time starts at midnight.
            ("2001-03-02 10:11", Some("2001-03-02T10:11:00-00:00")),
            ("2001-03-02T10:11:12.345678", Some("2001-03-02T10:11:12-00:00")),
            ("2001/03/02 10:11:12 UTC", Some("2001-03-02T10:11:12+00:00")),
            ("20200102T101112", Some("2020-01-02T10:11:12-00:00")),
            ("20200102T1011+0100", Some("2020-01-02T10:11:00+01:00")),
            ("2001-03-02", Some("2001-03-02T00:00:00-00:00")),
            ("2001/03/02", Some("2001-03-02T00:00:00-00:00")),
            ("20010302", Some("2001-03-02T00:00:00-00:00")),
            // As in mail.
            ("Fri, 02 Mar 2001 10:11:12 +0100", Some("2001-03-02T10:11:12+01:00")),
            ("Fri Mar 2 10:11:12 2001", Some("2001-03-02T10:11:12-00:00")),
            ("Friday at 10:11", None),
            ("2001-02-29", None),
            ("20010229", None),
            ("2001-03", None),
            ("2001-03-02 or so", None),
            ("12345678", None),
            ("123456789", None),
            ("99999999999999", None),
        ] {
            assert_eq!(of_record(text).as_deref(), date, "{text}");
        }
    }

    #[test]
    fn rfc_5322() {
        reads("Fri, 02 Mar 2001 10:11:12 +0100", "2001-03-02T10:11:12+01:00");
        reads("2 Mar 2001 10:11 -0330", "2001-03-02T10:11:00-03:30");
        reads("Fri, 2 Mar 2001 10:11:12 -0000", "2001-03-02T10:11:12-00:00");
        // Appendix A.5, comments and folds.
        reads(
            "Thu,\r\n      13\r\n        Feb\r\n          1969\r\n      23:32\r\n               -0330 (Newfoundland Time)",
            "1969-02-13T23:32:00-03:30",
        );
        reads("2 (two (2) \\( 3 Apr) Mar 2001 10:11:12 +0000 (UTC)", "2001-03-02T10:11:12+00:00");
    }

    #[test]
    fn rfc_822() {
        reads("02 Mar 93 10:11:12 EST", "1993-03-02T10:11:12-05:00");
        reads("Tue, 2 Mar 93 10:11 pdt", "1993-03-02T10:11:00-07:00");
        reads("2 Mar 49 10:11:12 UT", "2049-03-02T10:11:12+00:00");
        reads("2 Mar 50 10:11:12 Z", "1950-03-02T10:11:12+00:00");
        reads("2 Mar 103 10:11:12 GMT", "2003-03-02T10:11:12+00:00");
        reads("2 Mar 0103 10:11:12 GMT", "2003-03-02T10:11:12+00:00");
        reads("2 Mar 0099 10:11:12 GMT", "1999-03-02T10:11:12+00:00");
        reads("2 Mar 0001 10:11:12 GMT", "2001-03-02T10:11:12+00:00");
        // A military letter.
        reads("2 Mar 93 10:11:12 A", "1993-03-02T10:11:12-00:00");
    }

    #[test]
    fn every_name_of_a_zone() {
        for (names, offset) in [
            ("UT UTC GMT Z WET", "+00:00"),
            ("BST CET MET MEZ WEST", "+01:00"),
            ("CEST MEST MESZ EET", "+02:00"),
            ("EEST MSK", "+03:00"),
            ("JST KST", "+09:00"),
            ("AEST", "+10:00"),
            ("AEDT", "+11:00"),
            ("NZST", "+12:00"),
            ("NZDT", "+13:00"),
            ("ADT", "-03:00"),
            ("EDT AST", "-04:00"),
            ("EST CDT", "-05:00"),
            ("CST MDT", "-06:00"),
            ("MST PDT", "-07:00"),
            ("PST AKDT", "-08:00"),
            ("AKST", "-09:00"),
            ("HST", "-10:00"),
            // The military letters, and a letter that is not one.
            ("A B C D E F G H I K L M N O P Q R S T U V W X Y J", "-00:00"),
        ] {
            for name in names.split(' ') {
                let expected = format!("1998-01-05T10:00:00{offset}");
                reads(&format!("Mon, 5 Jan 1998 10:00:00 {name}"), &expected);
                reads(&format!("Mon, 5 Jan 1998 10:00:00 {}", name.to_lowercase()), &expected);
            }
        }
    }

    /// Each month by its name and by the first three letters of it, with its last day and the one after.
    #[test]
    fn every_month() {
        for (n, (name, days)) in [
            ("January", 31),
            ("February", 28),
            ("March", 31),
            ("April", 30),
            ("May", 31),
            ("June", 30),
            ("July", 31),
            ("August", 31),
            ("September", 30),
            ("October", 31),
            ("November", 30),
            ("December", 31),
        ]
        .into_iter()
        .enumerate()
        {
            for name in [name, &name[..3]] {
                let expected = format!("2001-{:02}-{days}T10:11:00+00:00", n + 1);
                reads(&format!("{days} {name} 2001 10:11 Z"), &expected);
                assert_eq!(date(&format!("{} {name} 2001 10:11 Z", days + 1)), None, "{name}");
            }
        }
        reads("29 Feb 2004 10:11 Z", "2004-02-29T10:11:00+00:00");
        assert_eq!(date("30 Feb 2004 10:11 Z"), None);
    }

    #[test]
    fn rfc_850_asctime_and_iso_8601() {
        reads("Friday, 02-Mar-01 10:11:12 GMT", "2001-03-02T10:11:12+00:00");
        reads("Fri Mar  2 10:11:12 2001", "2001-03-02T10:11:12-00:00");
        reads("Fri Mar  2 10:11:12 EST 2001", "2001-03-02T10:11:12-05:00");
        reads("Fri Mar  2 10:11:12 2001 -0800", "2001-03-02T10:11:12-08:00");
        reads("2001-03-02T10:11:12.5+01:00", "2001-03-02T10:11:12+01:00");
        reads("2001-03-02 10:11:12Z", "2001-03-02T10:11:12+00:00");
        reads("2001/03/02 Fri 10:11:12 CDT", "2001-03-02T10:11:12-05:00");
    }

    #[test]
    fn other_forms_in_real_mail() {
        reads("Friday, March 2, 2001 1:51 pm", "2001-03-02T13:51:00-00:00");
        reads("2 Mar 01 12:47:50 AM", "2001-03-02T00:47:50-00:00");
        reads("2 Mar 2001 12:47:50 PM", "2001-03-02T12:47:50-00:00");
        reads("Fri, 2 Mar 2001 13:12:50 GMT+1", "2001-03-02T13:12:50+01:00");
        reads("Fri, 2 Mar 2001 10:4:3 +2", "2001-03-02T10:04:03+02:00");
        reads("Fri, 2 Mar 2001 10:4:3 +02", "2001-03-02T10:04:03+02:00");
        reads("Fri, 2 Mar 2001 10:4:3 -330", "2001-03-02T10:04:03-03:30");
        reads("Fri, 2 Mar 2001 10:11:12 Eastern Daylight Time", "2001-03-02T10:11:12-00:00");
        reads("2 Mar 2001 10:11:12 +3000", "2001-03-02T10:11:12-00:00");
        // A sign without digits is not an offset.
        reads("2 Mar 2001 10:11:12 - PST", "2001-03-02T10:11:12-08:00");
        reads("2 Mar 2001 10:11:12 + JST", "2001-03-02T10:11:12+09:00");
        reads("Sept 2nd, 2001, 10:11:12 JST", "2001-09-02T10:11:12+09:00");
    }

    #[test]
    fn hours_as_web_pages_have_them() {
        reads("March 2, 2001, 1:11 p.m.", "2001-03-02T13:11:00-00:00");
        reads("March 2, 2001, 1 p.m.", "2001-03-02T13:00:00-00:00");
        reads("2 Mar 2001 2 Mar '01 12:30 a.m.", "2001-03-02T00:30:00-00:00");
        reads("2 Mar 2001 2 Mar '01 11 A.M.", "2001-03-02T11:00:00-00:00");
        reads("March 2, 2001, noon", "2001-03-02T12:00:00-00:00");
        reads("2 Mar 2001 midnight", "2001-03-02T00:00:00-00:00");
        reads("2001-03-02 PM 1:11", "2001-03-02T13:11:00-00:00");
        reads("2 Mar 2001 PM 1:11", "2001-03-02T13:11:00-00:00");
    }

    #[test]
    fn valid_months_and_days() {
        reads("29 Feb 2000 23:59:60 +0000", "2000-02-29T23:59:60+00:00");
        for value in ["29 Feb 1900 1:00 Z", "31 Apr 2001 1:00 Z", "0 May 2001 1:00 Z", "2001-13-01 1:00 Z"] {
            assert_eq!(date(value), None, "{value}");
        }
        for value in ["1 May 2001 24:01 Z", "1 May 2001 25:00 Z", "1 May 2001 1:60 Z", "1 May 2001 1:00:61 Z"]
        {
            assert_eq!(date(value), None, "{value}");
        }
    }

    #[test]
    fn the_end_of_a_day() {
        reads("1 May 2001 24:00:00 Z", "2001-05-02T00:00:00+00:00");
        reads("Wed, 28 Feb 2001 24:00 +0100", "2001-03-01T00:00:00+01:00");
        reads("31 Dec 1999 24:00:00", "2000-01-01T00:00:00-00:00");
    }

    #[test]
    fn times_with_stops() {
        reads("Fri, 2 Mar 2001 10.11.12 +0100", "2001-03-02T10:11:12+01:00");
        reads("2001-03-02 10.11.12 GMT", "2001-03-02T10:11:12+00:00");
        for value in ["02.03.01 Mar", "Mar 1.2.03 2001"] {
            assert_eq!(date(value), None, "{value}");
        }
    }

    #[test]
    fn months_of_other_languages() {
        reads("Fr, 2 M\u{e4}r 2001 10:11:12 +0100", "2001-03-02T10:11:12+01:00");
        reads("Di., 2. Okt. 2001 10:11", "2001-10-02T10:11:00-00:00");
        reads("2. Dezember 2001, 10:11 MEZ", "2001-12-02T10:11:00+01:00");
        reads("mar. 6 f\u{e9}vr. 2001 10:11:12", "2001-02-06T10:11:12-00:00");
        reads("1er ao\u{fb}t 2001 10:11", "2001-08-01T10:11:00-00:00");
        reads("2 juillet 2001 10:11", "2001-07-02T10:11:00-00:00");
        reads("2 juin 2001 10:11", "2001-06-02T10:11:00-00:00");
        reads("mar, 2 de enero de 2001 10:11", "2001-01-02T10:11:00-00:00");
        reads("2 septiembre 2001 10:11", "2001-09-02T10:11:00-00:00");
        reads("2 DIC 2001 10:11", "2001-12-02T10:11:00-00:00");
        assert_eq!(rfc3339(b"2 M\xE4rz 2001 10:11").as_deref(), Some("2001-03-02T10:11:00-00:00"));
        assert_eq!(rfc3339(b"2 D\xC9CEMBRE 2001 10:11").as_deref(), Some("2001-12-02T10:11:00-00:00"));
        assert_eq!(date("2 jui 2001 10:11"), None);
    }

    /// The names of the months in German, French and Spanish, in full: the fourth letter may differ.
    #[test]
    fn every_month_of_other_languages() {
        for (n, names) in [
            "Januar J\u{e4}nner Jaenner janvier enero",
            "Februar f\u{e9}vrier febrero",
            "M\u{e4}rz Maerz Mrz mars marzo",
            "April avril abril",
            "Mai mayo",
            "Juni juin junio",
            "Juli juillet julio",
            "August ao\u{fb}t agosto",
            "September septembre septiembre setiembre",
            "Oktober octobre octubre",
            "November novembre noviembre",
            "Dezember d\u{e9}cembre diciembre",
        ]
        .into_iter()
        .enumerate()
        {
            for name in names.split(' ') {
                let expected = format!("2001-{:02}-02T10:11:00-00:00", n + 1);
                reads(&format!("2 {name} 2001 10:11"), &expected);
                reads(&format!("2 {} 2001 10:11", name.to_uppercase()), &expected);
                assert_eq!(date(&format!("2 {name}x 2001 10:11")), None, "{name}x");
            }
        }
    }

    #[test]
    fn separators() {
        let of = |line: &str| of_separator(line.as_bytes());
        assert_eq!(
            of("From a1@h.org Sat Sep 14 20:56:38 1996").as_deref(),
            Some("1996-09-14T20:56:38+00:00")
        );
        assert_eq!(
            of("From a Fri Mar  2 10:11:12 EST 2001 remote from h").as_deref(),
            Some("2001-03-02T10:11:12-05:00")
        );
        assert_eq!(
            of("From - Fri, 02 Mar 2001 10:11:12 +0100\r").as_deref(),
            Some("2001-03-02T10:11:12+01:00")
        );
        assert_eq!(of("From Sat Mar Fri Mar  2 10:11:12 2001").as_deref(), Some("2001-03-02T10:11:12+00:00"));
        assert_eq!(of("From -3405672143"), None);
    }

    #[test]
    fn values_that_are_not_dates() {
        for value in [
            "",
            "Whenever",
            "2 Mar 2001",
            "Mar 10:11:12",
            "2 Mar 2001 10: 11",
            "2 Mar 2001 10:",
            "2 Ma 2001 1:00",
            "(2 Mar 2001 1:00 Z",
            "93/5/16",
            "1 May 20011 1:00",
        ] {
            assert_eq!(date(value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn every_result_is_well_formed(value in "([0-9]{1,12}|[-+:., ()\\\\]|Mar|pm|EST){0,16}") {
            if let Some(date) = date(&value) {
                let shape: String = date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
                prop_assert!(["0000-00-00T00:00:00+00:00", "0000-00-00T00:00:00-00:00"].contains(&&shape[..]), "{date}");
            }
        }
    }

    /// A word that only begins like a weekday does not begin the date of a separator.
    #[test]
    fn weekdays_of_separators() {
        let of = |line: &str| of_separator(line.as_bytes());
        for day in ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "SUN", "Sun,"] {
            let line = format!("From a {day} Mar  4 10:11:12 2001");
            assert_eq!(of(&line).as_deref(), Some("2001-03-04T10:11:12+00:00"), "{line}");
        }
        for word in ["Friend", "Monday", "sun.", "Mo", "Wed"] {
            let line = format!("From {word}s 1 Feb 1999 1:02 Sun Mar  4 10:11:12 2001");
            assert_eq!(of(&line).as_deref(), Some("2001-03-04T10:11:12+00:00"), "{line}");
        }
    }

    /// The day and the year twice, and an hour, are all numbers that have a meaning.
    #[test]
    fn the_number_of_numbers() {
        for (numbers, hour) in [("", "09"), (" 2 2001", "09"), (" 2", "09")] {
            reads(&format!("Mar 2 2001{numbers} 9 am"), &format!("2001-03-02T{hour}:00:00-00:00"));
        }
        let full = format!("Mar 2 2001{} 9", " 2".repeat(MAX_NUMBERS - 3));
        reads(&format!("{full} pm"), "2001-03-02T21:00:00-00:00");
        reads(&format!("{full} 8 pm"), "2001-03-02T21:00:00-00:00");
    }
}
