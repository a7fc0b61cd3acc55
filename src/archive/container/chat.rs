//! Chats as text: each message begins with its time and its author.
//!
//! ```text
//! [06.05.24, 10:11:12] Ann: text          WhatsApp
//! 06/05/2024, 10:11 PM - Ann: text        WhatsApp
//! 2024년 5월 6일 오후 3:21, Ann : text    KakaoTalk
//! [Ann] [오후 3:21] text                  KakaoTalk, after a line with the day
//! 10:11<TAB>Ann<TAB>text                  LINE, after a line with the day
//! ```
//!
//! The lines are text as in any file. Only a comma after the day or the time distinguishes some of them from the lines
//! of a log.

use std::ops::Range;

use memchr::memmem;

use super::format::{Format, Framing};
use super::mail::Verdict;
use crate::archive::decode::members::{Facts, RecordNotation, SourceRecord, SourceRecords};
use crate::archive::reading::Reading;

pub(super) static FRAMING: Framing = Framing::text(Format::Chat, begins, &MESSAGES);

static MESSAGES: Reading = Reading { records: Some(&RECORDS), ..Reading::TEXT };

static RECORDS: RecordNotation = RecordNotation { read, is_whole: |_| true, text: <[u8]>::to_vec };

/// The number of lines of which one must be a message.
const FIRST_LINES: usize = 6;

/// The maximum length of the start of a line that is read, in bytes.
const MAX_START_LEN: usize = 256;

/// The separators between the numbers of a day, and the characters that may follow the last one.
const DAY_MARKS: [char; 7] = ['/', '.', '-', ' ', '년', '월', '일'];

/// The titles before a chat of LINE and of KakaoTalk.
const TITLES: [&str; 2] = ["[LINE] ", " 카카오톡 대화"];

/// Returns whether `bytes` begin with a message, optionally after a title and days. `last` means that no more bytes follow.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    // The first byte decides for nearly all texts: only a digit, a bracket, a hyphen, a mark or a Korean name may begin
    // a chat.
    if !matches!(bytes.first(), Some(b'0'..=b'9' | b'[' | b'-' | 0xE2 | 0xEA..=0xED)) {
        return Verdict::No;
    }
    let mut day = None;
    for (n, line) in bytes.split_inclusive(|&b| b == b'\n').take(FIRST_LINES).enumerate() {
        if !last && !line.ends_with(b"\n") {
            return if line.len() < MAX_START_LEN { Verdict::Unknown } else { Verdict::No };
        }
        match ChatLine::read(line) {
            ChatLine::Message { day: own, .. } if own.or(day).is_some() => return Verdict::Yes,
            ChatLine::Day(next) => day = Some(next),
            _ if n == 0 && !TITLES.iter().any(|title| memmem::find(line, title.as_bytes()).is_some()) => {
                return Verdict::No;
            }
            _ => {}
        }
    }
    let is_open = !last && bytes.iter().filter(|&&b| b == b'\n').count() < FIRST_LINES;
    if is_open { Verdict::Unknown } else { Verdict::No }
}

/// A day: three numbers in the order of the text.
type Day = [u32; 3];

/// A line of a chat.
enum ChatLine {
    /// The day of the messages after it.
    Day(Day),
    /// The beginning of a message: its seconds since midnight, and its author as a range of the line.
    Message {
        day: Option<Day>,
        time: TimeOfDay,
        author: Range<usize>,
    },
    Other,
}

/// A time of day.
#[derive(Clone, Copy)]
struct TimeOfDay {
    seconds: u32,
    has_half: bool,
}

impl ChatLine {
    fn read(line: &[u8]) -> ChatLine {
        let head = &line[..line.len().min(MAX_START_LEN)];
        let line = head.utf8_chunks().next().map_or("", |chunk| chunk.valid()).trim_end();
        Self::message(line).or_else(|| Self::day(line)).unwrap_or(ChatLine::Other)
    }

    fn message(line: &str) -> Option<ChatLine> {
        let range = |author: &str| {
            let start = author.as_ptr() as usize - line.as_ptr() as usize;
            start..start + author.len()
        };
        let text = line.trim_start_matches('\u{200E}');
        let (is_framed, rest) = text.strip_prefix('[').map_or((false, text), |rest| (true, rest));
        if let Some((day, rest)) = day(rest) {
            let has_comma = rest.starts_with(',');
            let (time, rest) = time(rest.trim_start_matches(',').trim_start())?;
            let author = match (is_framed, has_comma) {
                (true, true) => rest.strip_prefix("] ")?.split_once(':'),
                (false, true) => rest.strip_prefix(" - ")?.split_once(':'),
                (false, false) => rest.strip_prefix(", ")?.split_once(" :"),
                (true, false) => return None,
            };
            let author = author.map_or(0..0, |(author, _)| range(author));
            return Some(ChatLine::Message { day: Some(day), time, author });
        }
        if is_framed {
            let (author, rest) = rest.split_once("] [")?;
            let (time, _) = time(rest).filter(|(time, rest)| time.has_half && rest.starts_with("] "))?;
            return Some(ChatLine::Message { day: None, time, author: range(author) });
        }
        let (time, rest) = time(rest)?;
        let (author, _) = rest.strip_prefix('\t')?.split_once('\t')?;
        Some(ChatLine::Message { day: None, time, author: range(author) })
    }

    /// A line that contains only a day, its name, and hyphens.
    fn day(line: &str) -> Option<ChatLine> {
        let (day, rest) = day(line.trim_matches(['-', ' ']))?;
        let name = rest.trim_matches(['(', ')', ',', ' ']);
        name.chars().all(char::is_alphabetic).then_some(ChatLine::Day(day))
    }
}

/// The number at the start of `text`, and the text after it.
fn number(text: &str) -> Option<(u32, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..len].parse().ok().filter(|_| len <= 4)?, &text[len..]))
}

/// The day at the start of `text`, and the text after it.
fn day(text: &str) -> Option<(Day, &str)> {
    let (mut day, mut rest) = ([0; 3], text);
    for part in &mut day {
        let (number, after) = number(rest)?;
        (*part, rest) = (number, after.trim_start_matches(DAY_MARKS));
        // Punctuation follows each number; after the last one, it is optional.
        if after.len() == rest.len() && !after.starts_with([',', '(']) && !after.is_empty() {
            return None;
        }
    }
    Some((day, rest))
}

/// The time at the start of `text`, and the text after it. The half of the day precedes it or follows it.
fn time(text: &str) -> Option<(TimeOfDay, &str)> {
    let halves =
        [("오전", false), ("오후", true), ("AM", false), ("PM", true), ("a.m.", false), ("p.m.", true)];
    let half = |text: &'_ str| {
        let is = |half: &str| text.get(..half.len()).is_some_and(|start| start.eq_ignore_ascii_case(half));
        halves.iter().find(|(half, _)| is(half)).map(|(half, is_late)| (*is_late, half.len()))
    };
    let before = half(text);
    let (hour, rest) = number(text[before.map_or(0, |(_, len)| len)..].trim_start())?;
    let (minute, mut rest) = number(rest.strip_prefix(':')?)?;
    let mut second = 0;
    if let Some(after) = rest.strip_prefix(':') {
        (second, rest) = number(after)?;
    }
    let spaced = rest.trim_start_matches([' ', '\u{A0}', '\u{202F}']);
    let after = half(spaced);
    if let Some((_, len)) = after {
        rest = &spaced[len..];
    }
    let half = before.or(after).map(|(is_late, _)| is_late);
    let hour = if half.is_some() { hour % 12 } else { hour };
    let seconds = (hour + if half == Some(true) { 12 } else { 0 }) * 3600 + minute * 60 + second;
    (hour < 24 && minute < 60 && second < 60)
        .then_some((TimeOfDay { seconds, has_half: half.is_some() }, rest))
}

/// The messages of a chat, which has no keys to keep. Their days show whether the day or the month comes first.
fn read<'k>(source: &[u8], _: &'k [Box<str>]) -> SourceRecords<'k> {
    let (mut found, mut times, mut at, mut day) = (SourceRecords::default(), Vec::new(), 0, None);
    for line in source.split_inclusive(|&b| b == b'\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        match ChatLine::read(line) {
            ChatLine::Day(next) => day = Some(next),
            ChatLine::Message { day: own, time, author } => {
                let Some(day) = own.or(day) else { continue };
                let author = ((start + author.start) as u32, (start + author.end) as u32);
                found
                    .records
                    .push(SourceRecord { span: (start as u32, end as u32), facts: Facts::by(author) });
                times.push((day, time));
            }
            // The message continues.
            ChatLine::Other => {
                found.records.last_mut().into_iter().for_each(|record| record.span.1 = end as u32);
            }
        }
    }
    let exceeds = |n: usize| times.iter().any(|(day, _)| day[0] < 32 && day[n] > 12);
    let has_halves = times.iter().any(|(_, time)| time.has_half);
    let month_first = exceeds(1) || has_halves && !exceeds(0);
    for (record, (day, TimeOfDay { seconds, .. })) in found.records.iter_mut().zip(&times) {
        let [year, month, day] = match *day {
            [year, month, day] if year >= 32 => [year, month, day],
            [month, day, year] if month_first => [year, month, day],
            [day, month, year] => [year, month, day],
        };
        let year = if year < 100 { 2000 + year } else { year };
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        record.facts.day_and_time =
            Some(format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}").into());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The date, author and text of each message.
    fn messages(source: &str) -> Vec<(String, &str, &str)> {
        let of = |(start, end): (u32, u32)| &source[start as usize..end as usize];
        let found = read(source.as_bytes(), &[]).records;
        let date = |facts: &Facts| facts.day_and_time.as_deref().unwrap().to_owned();
        found.iter().map(|found| (date(&found.facts), of(found.facts.author), of(found.span))).collect()
    }

    /// Checks that `source` begins with a message, and the date and the author of the last one.
    #[track_caller]
    fn check(source: &str, date: &str, author: &str) {
        assert_eq!(begins(source.as_bytes(), true), Verdict::Yes, "{source}");
        let messages = messages(source);
        let (its_date, its_author, _) = messages.last().unwrap();
        assert_eq!((&**its_date, *its_author), (date, author), "{source}");
    }

    #[test]
    fn messages_of_three_programs() {
        check("[06.05.24, 10:11:12] Ann Lee: x", "2024-05-06 10:11:12", "Ann Lee");
        check("\u{200E}[06.05.24, 10:11:12] Ann: x", "2024-05-06 10:11:12", "Ann");
        check("06/05/2024, 10:11 - Ann: x", "2024-05-06 10:11:00", "Ann");
        check("2024-05-06, 10:11\u{202F}p.m. - Ann: x", "2024-05-06 22:11:00", "Ann");
        check("06/05/2024, 10:11 - Messages are encrypted.", "2024-05-06 10:11:00", "");
        check("2024년 5월 6일 오후 3:21, 홍길동 : x", "2024-05-06 15:21:00", "홍길동");
        check("2024. 5. 6. 오전 12:21, Ann : x", "2024-05-06 00:21:00", "Ann");
        check(
            "--------------- 2024년 5월 6일 월요일 ---------------\n[Ann] [오후 3:21] x",
            "2024-05-06 15:21:00",
            "Ann",
        );
        check(
            "[LINE] Chat with Ann\nSaved on: 2024/05/07 10:00\n\n2024/05/06(月)\n10:11\tAnn\tx",
            "2024-05-06 10:11:00",
            "Ann",
        );
    }

    #[test]
    fn the_order_of_day_and_month() {
        check("5/13/24, 9:11 - Ann: x\n5/6/24, 10:11 - Ann: x", "2024-05-06 10:11:00", "Ann");
        check("13/5/24, 9:11 AM - Ann: x\n5/6/24, 10:11 AM - Ann: x", "2024-06-05 10:11:00", "Ann");
        check("6/12/24, 10:11 - Ann: x", "2024-12-06 10:11:00", "Ann");
        check("12/6/24, 10:11 AM - Ann: x", "2024-12-06 10:11:00", "Ann");
        check("5/6/24, 12:11 AM - Ann: x", "2024-05-06 00:11:00", "Ann");
        check("5/6/24, 12:11 - Ann: x", "2024-06-05 12:11:00", "Ann");
    }

    #[test]
    fn a_message_ends_before_the_next_one() {
        let messages = messages("Chat\n06/05/2024, 10:11 - Ann: a\nb\n06/05/2024, 10:12 - Bob: c");
        let texts: Vec<_> = messages.iter().map(|(.., text)| *text).collect();
        assert_eq!(texts, ["06/05/2024, 10:11 - Ann: a\nb\n", "06/05/2024, 10:12 - Bob: c"]);
    }

    #[test]
    fn lines_that_are_not_of_a_chat() {
        for line in [
            "[2024-05-06 10:11:12] production.ERROR: x",
            "2024-05-06 10:11:12,123 INFO - main: x",
            "06/May/2024, 10:11 - Ann: x",
            "06/05/2024, 24:11 - Ann: x",
            "06/05/2024, 10:60 - Ann: x",
            "06/05/2024, 10:11:60 - Ann: x",
            "2024/05/06 is the day\n10:11\tAnn\tx",
            "10:11\tAnn\tx",
            "Chat\n06/05/2024, 10:11 - Ann: x",
            "[Ann] [오후 3:21] x",
            "1.2.3.4, 10:11 - Ann: x",
            "12345/05/06, 10:11 - Ann: x",
        ] {
            assert_eq!(begins(line.as_bytes(), true), Verdict::No, "{line}");
        }
        let titles = |n| format!("[LINE] Ann\n{}06/05/2024, 10:11 - Ann: x", "a\n".repeat(n - 1));
        assert_eq!(begins(titles(FIRST_LINES - 1).as_bytes(), true), Verdict::Yes);
        assert_eq!(begins(titles(FIRST_LINES).as_bytes(), true), Verdict::No);
        assert_eq!(begins(titles(FIRST_LINES).as_bytes(), false), Verdict::No);
    }

    #[test]
    fn a_beginning_decides_as_the_whole() {
        let text = "2024/05/06 Monday\n\n06/05/2024, 10:11 - Ann: x\n";
        for cut in 1..text.len() {
            assert_eq!(begins(&text.as_bytes()[..cut], false), Verdict::Unknown, "{cut}");
        }
        assert_eq!(begins(text.as_bytes(), false), Verdict::Yes);
        assert_eq!(begins("1".repeat(MAX_START_LEN).as_bytes(), false), Verdict::No);
    }
}
