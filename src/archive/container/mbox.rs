//! The lines that separate the messages of an mbox (RFC 4155 and its relatives).
//!
//! Such a line begins with `From `, names a sender, and ends in a date as
//! `asctime` writes it. The sender may be anything (pipermail writes `user at
//! host`), the date may have a time zone before or behind its year, and more may
//! follow (`remote from host`). Some archives of news have a lone number instead:
//! `From -3405672143`. A line that begins so in the middle of a message is told
//! from one that separates by what follows: a header field.
//!
//! The empty line that should stand before it is often missing, and is asked for
//! only where the date is, or where something else stands before the first field:
//! then there must be a date or a mail address, and two fields that only mail has
//! must follow. A Content-Length is not believed: it is wrong as soon as anybody has
//! touched the file. So nothing matters but what stands near: see [`LOOKAHEAD`].

use memchr::memchr;

use super::format::{self, Format};
use crate::archive::header::{Fields, field_at, line_end, may_become_field};
use crate::archive::message::mime::{Kind, Mime};
use crate::simd::lines::next_line;

/// How much of a line is looked at, in bytes.
const LONGEST: usize = 8 * 1024;

/// How many bytes of an mbox are looked at to tell whether a message begins with
/// them: 16 KiB.
///
/// Besides, it matters whether a line, and perhaps an empty one, ends before them,
/// and nothing else. So an mbox can be read in parts. A [`Reader`](super::Reader)
/// that begins anywhere finds from its second message on those of the whole file;
/// and one that begins at a message and is given so many bytes more than it is to
/// read finds all messages that begin in its part.
///
/// # Example
///
/// ```
/// use urlgrep::archive::{Format, LOOKAHEAD, Reader};
///
/// let message = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\nhttp://h.org/\n\n";
/// let mbox = message.repeat(1000);
/// let starts = |part: &str| {
///     let mut reader = Reader::new(part.as_bytes()).with_format(Format::Mbox);
///     let mut starts = Vec::new();
///     while let Some(message) = reader.next_message()? {
///         starts.push(message.span().start);
///     }
///     Ok::<_, std::io::Error>(starts)
/// };
/// let half = mbox.len() / 2 - 10;
/// let cut = half + starts(&mbox[half..])?[1];
/// let first = starts(&mbox[..cut + LOOKAHEAD])?.into_iter().take_while(|&start| start < cut);
/// let second = starts(&mbox[cut..])?.into_iter().map(|start| cut + start);
/// assert_eq!(first.chain(second).collect::<Vec<_>>(), starts(&mbox)?);
/// # Ok::<(), std::io::Error>(())
/// ```
pub const LOOKAHEAD: usize = 2 * LONGEST;

/// What is known about whether a message begins at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Yes,
    No,
    /// More bytes are needed to tell.
    Unknown,
}

/// Whether a separator begins at `at`, the beginning of a line.
pub(crate) fn separates(bytes: &[u8], at: usize) -> Verdict {
    let near = &bytes[at..bytes.len().min(at + LOOKAHEAD)];
    let apart = at == 0 || is_apart(bytes, at);
    match begins_message(near, apart) {
        // More of it is not looked at.
        Verdict::Unknown if near.len() == LOOKAHEAD => Verdict::No,
        verdict => verdict,
    }
}

/// The same of all of `bytes`, before which an empty line stands if they are
/// `apart`.
fn begins_message(bytes: &[u8], apart: bool) -> Verdict {
    let Some(line) = bytes.strip_prefix(b"From ") else {
        return if b"From ".starts_with(bytes) { Verdict::Unknown } else { Verdict::No };
    };
    let Some(end) = memchr(b'\n', &line[..line.len().min(LONGEST)]) else {
        return if line.len() < LONGEST { Verdict::Unknown } else { Verdict::No };
    };
    let (line, next) = line.split_at(end);
    let dated = ends_in_asctime(line) || is_lone_number(line) || has_date(line);
    let verdict = if dated { begins_head(&next[1..]) } else { Verdict::No };
    if verdict != Verdict::No || !apart || !(dated || begins_with_address(line)) {
        return verdict;
    }
    begins_mail(next.trim_ascii_start())
}

/// Whether an empty line stands before `at`.
fn is_apart(bytes: &[u8], at: usize) -> bool {
    bytes[..at].ends_with(b"\n\n") || bytes[..at].ends_with(b"\n\r\n")
}

fn begins_with_address(line: &[u8]) -> bool {
    let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    memchr(b'@', word).is_some_and(|at| at > 0 && at + 1 < word.len())
}

/// Whether `text` begins as only mail does.
fn begins_mail(text: &[u8]) -> Verdict {
    let start = &text[..text.len().min(LONGEST)];
    match format::recognise_mail(start, text.len() > LONGEST) {
        Some(Format::Mail) => Verdict::Yes,
        Some(_) => Verdict::No,
        None => Verdict::Unknown,
    }
}

/// Whether `text` begins with a header field, or with another line that mailers
/// put before the first.
fn begins_head(text: &[u8]) -> Verdict {
    let start = &text[..text.len().min(LONGEST)];
    if field_at(start).is_some() || start.starts_with(b">From ") {
        return Verdict::Yes;
    }
    let cut = start.len() == text.len() && !start.contains(&b'\n');
    if cut && may_become_field(start) { Verdict::Unknown } else { Verdict::No }
}

/// Whether what follows `From ` is a number: an integer with a sign, or many
/// digits.
fn is_lone_number(line: &[u8]) -> bool {
    let number = line.trim_ascii();
    let digits = number.strip_prefix(b"-").or_else(|| number.strip_prefix(b"+")).unwrap_or(number);
    digits.len() >= 4 && digits.iter().all(u8::is_ascii_digit)
}

/// Whether `line` ends just as RFC 4155 has it: `Fri Mar  2 10:11:12 2001`. Nearly
/// all do.
fn ends_in_asctime(line: &[u8]) -> bool {
    let Some(date) = line.trim_ascii_end().last_chunk::<24>() else {
        return false;
    };
    let fits = |(&b, &(fold, low, high)): (&u8, &(u8, u8, u8))| (b | fold >= low) & (b | fold <= high);
    let day = matches!(date[8], b' ' | b'0'..=b'3');
    date.iter().zip(&ASCTIME).fold(day, |all, place| all & fits(place))
}

/// What stands at each place of a date: from which byte to which, when these bits
/// are set.
const ASCTIME: [(u8, u8, u8); 24] = {
    // A letter, a digit, the first of a day, or itself.
    const PATTERN: &[u8; 24] = b"aaa aaa _9 99:99:99 9999";
    let mut places = [(0, 0, 0); 24];
    let mut n = 0;
    while n < places.len() {
        places[n] = match PATTERN[n] {
            b'a' => (0x20, b'a', b'z'),
            b'9' => (0, b'0', b'9'),
            b'_' => (0, b' ', b'3'),
            same => (0, same, same),
        };
        n += 1;
    }
    places
};

/// Whether there is a date in what follows `From `: a weekday, a month, a day, a
/// time, and then a year before the line ends.
fn has_date(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if is_one_of(word.strip_suffix(b",").unwrap_or(word), &WEEKDAYS) && is_date(words.clone()) {
            return true;
        }
    }
    false
}

/// Whether a date stands behind a weekday.
fn is_date<'l>(words: impl Iterator<Item = &'l [u8]>) -> bool {
    let mut date: [&[u8]; 6] = [&[]; 6];
    date.iter_mut().zip(words).for_each(|(slot, word)| *slot = word);
    let [a, b, first, rest @ ..] = date;
    let month_first = is_one_of(a, &MONTHS) && is_number(b, 2);
    let day_first = is_number(a, 2) && is_one_of(b, &MONTHS);
    let is_time = |word: &[u8]| word.contains(&b':') && word[0].is_ascii_digit();
    let year_first = is_number(first, 4) && is_time(rest[0]);
    let time_first = month_first && is_time(first) && rest.iter().any(|word| is_number(word, 4));
    time_first || ((month_first || day_first) && year_first)
}

const WEEKDAYS: [&[u8]; 7] = [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"];

const MONTHS: [&[u8]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];

fn is_one_of(word: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// Whether `word` is a number of so many digits at most.
fn is_number(word: &[u8], digits: usize) -> bool {
    !word.is_empty() && word.len() <= digits && word.iter().all(u8::is_ascii_digit)
}

/// The lines behind `from` that may separate, by their first letter.
fn candidates(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> {
    let next = move |&at: &usize| next_line(bytes, at, *b"F");
    std::iter::successors(next(&from), next)
}

/// Where the message ends that begins with the separator at the beginning of
/// `bytes`: where the next separator begins. `from` is how far earlier calls have
/// looked, and is moved on; `last` says that no more bytes will come.
pub(crate) fn end(bytes: &[u8], from: &mut usize, last: bool) -> Option<usize> {
    for start in candidates(bytes, *from) {
        *from = start - 1;
        match separates(bytes, start) {
            Verdict::Yes => return Some(start),
            Verdict::Unknown if !last => return None,
            Verdict::Unknown | Verdict::No => *from = start,
        }
    }
    // The last bytes may be the beginning of a separator.
    *from = (*from).max(bytes.len().saturating_sub(b"\nFrom".len()));
    last.then_some(bytes.len())
}

/// Where the first of several messages ends if nothing separates it from what
/// stands before it; `None` if there is only one.
///
/// Here a separator takes an empty line before it, and the message must have no
/// parts: one of those may have an mbox in it.
pub(crate) fn first_of_many(bytes: &[u8]) -> Option<usize> {
    let separator =
        candidates(bytes, 0).find(|&at| is_apart(bytes, at) && separates(bytes, at) == Verdict::Yes)?;
    let mut mime = Mime::default();
    Fields::new(bytes, 0).for_each(|field| {
        mime.note(field.name(bytes), field.value(bytes));
    });
    matches!(mime.kind(Kind::Text), Kind::Text | Kind::Html).then_some(separator)
}

/// Where the head begins behind the separator that `bytes` begin with, if there
/// is one.
pub(crate) fn head(bytes: &[u8]) -> usize {
    if !bytes.starts_with(b"From ") {
        return 0;
    }
    let mut at = line_end(bytes, 0);
    while bytes[at..].starts_with(b">From ") {
        at = line_end(bytes, at);
    }
    if !bytes[at..].first().is_some_and(u8::is_ascii_whitespace) {
        return at;
    }
    // Empty lines do not belong there.
    let fields = at + bytes[at..].len() - bytes[at..].trim_ascii_start().len();
    if field_at(&bytes[fields..]).is_some() { fields } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the line separates, if a header field follows.
    fn separator(line: &str) -> bool {
        separates(format!("{line}\nFrom: a@h.org\n").as_bytes(), 0) == Verdict::Yes
    }

    #[test]
    fn separators_of_all_kinds() {
        assert!(separator("From a@h.org Fri Mar  2 10:11:12 2001"));
        assert!(separator("From a@h.org  Fri Mar  2 10:11 2001\r"));
        assert!(separator("From a at h.org  Fri Mar  2 10:11:12 2001"));
        assert!(separator("From a@h.org Fri Mar  2 10:11:12 GMT 2001"));
        assert!(separator("From a@h.org Fri Mar  2 10:11:12 2001 +0100"));
        assert!(separator("From a@h.org Fri Mar 02 10:11:12 EST 2001 remote from h"));
        assert!(separator("From - Fri, 02 Mar 2001 10:11:12 +0000"));
        assert!(separator("From MAILER-DAEMON Fri Mar  2 10:11:12 2001"));
        assert!(separator("From -3405672143"));
        assert!(separator("From 8812345678"));
    }

    #[test]
    fn prose_is_none() {
        assert!(!separator("From here we go"));
        assert!(!separator("From 10 to 12"));
        assert!(!separator("From Fri to Sun it was 10:30"));
        assert!(!separator("From me Fri Mar !2 10:11:12 2001"));
        assert!(!separator("From:"));
        assert!(!separator(">From a@h.org Fri Mar  2 10:11:12 2001"));
    }

    #[test]
    fn a_header_field_must_follow() {
        let line = "From a@h.org Fri Mar  2 10:11:12 2001\n";
        let verdict = |next: &str| separates(format!("{line}{next}").as_bytes(), 0);
        assert_eq!(verdict("Subject: x"), Verdict::Yes);
        assert_eq!(verdict(">From b@h.org Fri Mar  2 10:11:12 2001"), Verdict::Yes);
        assert_eq!(verdict("and so on\nand on\n"), Verdict::No);
        assert_eq!(verdict("\nSubject: x\n\nb"), Verdict::No);
        assert_eq!(verdict("\nSubject: x\nTo: b\n"), Verdict::Yes);
        assert_eq!(verdict("garbage\nSubject: x\nTo: b\n"), Verdict::Yes);
        assert_eq!(verdict("Subj"), Verdict::Unknown);
        assert_eq!(verdict("Subject "), Verdict::Unknown);
        let damaged = |text: &str| separates(text.as_bytes(), 1 + text.find("\n\n").map_or(0, |n| n + 1));
        assert_eq!(damaged("a\n\nFrom a@h.org Fri\nFrom: a\nTo: b\n\n"), Verdict::Yes);
        assert_eq!(damaged("a\n\nFrom a@h.org Fri\nFrom: a\nnothing\n"), Verdict::No);
        assert_eq!(damaged("a\n\nFrom me\nFrom: a\nTo: b\n\n"), Verdict::No);
        assert_eq!(damaged("\nFrom a@h.org Fri\nFrom: a\nTo: b\n"), Verdict::No);
        assert_eq!(separates(&line.as_bytes()[..20], 0), Verdict::Unknown);
        assert_eq!(separates(b"Fro", 0), Verdict::Unknown);
    }

    #[test]
    fn what_is_far_away_does_not_matter() {
        for (blanks, verdict) in [(100, Verdict::Yes), (LOOKAHEAD, Verdict::No)] {
            let text = format!("From a@h.org Fri\n{}From: a\nTo: b\n", "\n".repeat(blanks));
            assert_eq!(separates(text.as_bytes(), 0), verdict);
            let cut = &text.as_bytes()[..text.len().min(LOOKAHEAD)];
            assert_eq!(separates(cut, 0), verdict);
        }
    }

    #[test]
    fn where_a_message_ends() {
        let text = b"From -1234\nA: b\n\nFrom me\nFrom -5678\nA: c\n";
        let mut from = 0;
        assert_eq!(end(text, &mut from, false), Some(25));
        // However the bytes come.
        for cut in 1..text.len() {
            let mut from = 0;
            let early = end(&text[..cut], &mut from, false);
            assert!(matches!(early, None | Some(25)), "{cut}: {early:?}");
            assert_eq!(end(text, &mut from, true), Some(25), "{cut}");
        }
        let mut from = 0;
        assert_eq!(end(&text[25..], &mut from, true), Some(16));
    }

    #[test]
    fn the_head_begins_behind_the_separators() {
        assert_eq!(head(b"From -1234\nA: b\n"), 11);
        assert_eq!(head(b"From -1234\n>From a@h.org Fri Mar\nA: b\n"), 33);
        assert_eq!(head(b"A: b\n"), 0);
    }
}
