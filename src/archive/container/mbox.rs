//! The lines that separate the messages of an mbox (RFC 4155 and its relatives).
//!
//! Such a line begins with `From ` and a sender, and ends in a date as `asctime` writes it. The
//! sender may be any text (pipermail writes `user at host`), the date may have a time zone before
//! or after its year, and more may follow (`remote from host`). Some news archives contain only a
//! number instead: `From -3405672143`. In the middle of a message, a line may begin like that too;
//! a separator is followed by a header field.
//!
//! The empty line before a separator is often missing. It is required only if the date is missing,
//! or if another line is between the separator and the first field: then there must be a date or an
//! email address, and two fields that only mail has. Mail programs of the Mozilla family wrote only
//! `From -`, others `From MAILER-DAEMON` or `From ` and nothing: such a line separates after an
//! empty line, if two fields that occur only in mail follow at once. Content-Length is ignored here
//! (but see [mboxcl](super::mboxcl)): it is wrong as soon as the file has been edited. So only the
//! bytes nearby count: see [`LOOKAHEAD`].
//!
//! A patch of git begins with a separator whose sender is the name of a commit and whose
//! date never changes. In a mailbox it begins a message; in a file that is a single
//! message it is part of that.
//!
//! So a file of one message is read like an mbox of one: it may begin with a separator.

use memchr::memchr;

use super::format::{self, Divides, Format, Framing, Shape, SingleMessage};
use super::mail::{self, MONTHS, Verdict};
use super::row;
use crate::archive::header::{after_empty_line, field_at, has_url, is_one_of, line_end, may_become_field};
use crate::simd::lines::next_line;

/// Messages after separators.
pub(super) static FRAMING: Framing = Framing {
    starts: b"F",
    name: Some(("mbox", "Messages after \"From \" lines")),
    before: Some(format::empty_lines),
    end,
    divides: Some(Divides::Messages(end)),
    ..Framing::mail(Format::Mbox, |bytes, _| separates(bytes, 0), shape)
};

/// One message, after a separator or not.
pub(crate) static SINGLE: Framing = Framing {
    name: Some(("mail", "One mail or news article")),
    before: Some(format::empty_lines),
    single: Some(SingleMessage { damaged: Format::Mbox, second: second_message, next: row::next }),
    ..Framing::mail(Format::Mail, begins_single, shape)
};

/// Returns whether a file begins with a message. A file that begins with `<` is not treated as a
/// message with a damaged first line, because it may be markup.
fn begins_single(bytes: &[u8], last: bool) -> Verdict {
    if bytes.starts_with(b"<") {
        return Verdict::No;
    }
    match mail::begins_alone(bytes, last) {
        Verdict::No => mail::begins_entity(bytes, last),
        verdict => verdict,
    }
}

/// The number of bytes of a line that are examined, so that a text without line breaks is not
/// buffered. [`LOOKAHEAD`] contains two such lines.
const EXAMINED_LEN: usize = 8 * 1024;

/// The number of mbox bytes that decide whether a message begins with them: 16 KiB.
///
/// In addition, only the one or two line breaks before them matter: three bytes, which show whether
/// the line before is empty. So an mbox can be read in parts. A [`Reader`](crate::archive::Reader)
/// that begins at any offset yields, from its second message on, the same messages as for the whole
/// file; and one that begins at a message and reads this many bytes more than its part yields all
/// messages that begin in its part.
///
/// # Example
///
/// ```
/// use urlgrep::archive::{Format, Reader};
/// use urlgrep::archive::internal::LOOKAHEAD;
///
/// let message = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\nhttp://h.org/\n\n";
/// let mbox = message.repeat(1000);
/// let starts = |part: &str| {
///     let mut reader = Reader::new(part.as_bytes()).with_format(Format::Mbox);
///     let mut starts = Vec::new();
///     while let Some(message) = reader.next_message()? {
///         starts.push(message.span().start as usize);
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
pub const LOOKAHEAD: usize = 2 * EXAMINED_LEN;

/// Returns whether a separator begins at `at`, the beginning of a line.
pub(super) fn separates(bytes: &[u8], at: usize) -> Verdict {
    let near = &bytes[at..bytes.len().min(at + LOOKAHEAD)];
    let is_separate = at == 0 || after_empty_line(bytes, at);
    match begins_message(near, is_separate) {
        // The rule does not examine more bytes.
        Verdict::Unknown if near.len() == LOOKAHEAD => Verdict::No,
        verdict => verdict,
    }
}

/// Returns whether `bytes` begin with a separator; `is_separate` means that they follow an empty line.
fn begins_message(bytes: &[u8], is_separate: bool) -> Verdict {
    let Some(line) = bytes.strip_prefix(b"From ") else {
        return if b"From ".starts_with(bytes) { Verdict::Unknown } else { Verdict::No };
    };
    let Some(end) = memchr(b'\n', &line[..line.len().min(EXAMINED_LEN)]) else {
        return if line.len() < EXAMINED_LEN { Verdict::Unknown } else { Verdict::No };
    };
    let (line, next) = line.split_at(end);
    if has_url(line) {
        return Verdict::No;
    }
    // The rest of the line may also be a number: an integer with a sign, or at least four digits.
    let rest = line.trim_ascii();
    let digits = rest.strip_prefix(b"-").or_else(|| rest.strip_prefix(b"+")).unwrap_or(rest);
    let dated = digits.len() >= 4 && digits.iter().all(u8::is_ascii_digit) || is_dated(line);
    let verdict = if dated { begins_head(&next[1..]) } else { Verdict::No };
    if verdict != Verdict::No || !is_separate {
        return verdict;
    }
    let begins_with_address = || {
        let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        memchr(b'@', word).is_some_and(|at| at > 0 && at + 1 < word.len())
    };
    let text = match () {
        () if dated || begins_with_address() => next.trim_ascii_start(),
        // Programs that do not know the sender and the date write this.
        () if !is_one_of(rest, &[b"", b"-", b"MAILER-DAEMON"]) => return Verdict::No,
        () => match begins_head(&next[1..]) {
            Verdict::Yes => &next[1..],
            verdict => return verdict,
        },
    };
    mail::begins(&text[..text.len().min(EXAMINED_LEN)], text.len() > EXAMINED_LEN)
}

/// Returns true if a line is a separator with a date, regardless of the next line.
pub(super) fn is_dated_separator(line: &[u8]) -> bool {
    line.strip_prefix(b"From ").is_some_and(|rest| rest.ends_with(b"\n") && is_dated(rest))
}

/// Returns true if the rest of a `From ` line contains a date.
fn is_dated(line: &[u8]) -> bool {
    ends_in_asctime(line) || has_date(line)
}

/// Returns true if `bytes` begin with the first line of a git patch: `From`, a commit hash, and a
/// date that is always the same.
fn begins_patch(bytes: &[u8]) -> bool {
    let line = bytes[..line_end(bytes, 0)].trim_ascii_end();
    let commit = line.strip_prefix(b"From ").and_then(|rest| rest.strip_suffix(b" Mon Sep 17 00:00:00 2001"));
    commit.is_some_and(|name| matches!(name.len(), 40 | 64) && name.iter().all(u8::is_ascii_hexdigit))
}

/// Returns whether `text` begins with a header field, or with another line that mailers put before
/// the first field.
fn begins_head(text: &[u8]) -> Verdict {
    let start = &text[..text.len().min(EXAMINED_LEN)];
    if field_at(start).is_some() || start.starts_with(b">From ") {
        return Verdict::Yes;
    }
    let cut = start.len() == text.len() && !start.contains(&b'\n');
    if cut && may_become_field(start) { Verdict::Unknown } else { Verdict::No }
}

/// Returns true if `line` ends exactly as in RFC 4155: `Fri Mar  2 10:11:12 2001`. Nearly
/// all do.
fn ends_in_asctime(line: &[u8]) -> bool {
    let Some(date) = line.trim_ascii_end().last_chunk::<24>() else { return false };
    let fits = |(&b, &(fold, low, high)): (&u8, &(u8, u8, u8))| (b | fold >= low) & (b | fold <= high);
    let day = matches!(date[8], b' ' | b'0'..=b'3');
    date.iter().zip(&ASCTIME).fold(day, |all, byte| all & fits(byte))
}

/// The range of each byte of a date, and the bits that are set before the byte is
/// compared.
const ASCTIME: [(u8, u8, u8); 24] = {
    // A letter, a digit, the first byte of a day, or the byte itself.
    const PATTERN: &[u8; 24] = b"aaa aaa _9 99:99:99 9999";
    let mut ranges = [(0, 0, 0); 24];
    let mut n = 0;
    while n < ranges.len() {
        ranges[n] = match PATTERN[n] {
            b'a' => (0x20, b'a', b'z'),
            b'9' => (0, b'0', b'9'),
            b'_' => (0, b' ', b'3'),
            same => (0, same, same),
        };
        n += 1;
    }
    ranges
};

/// Returns true if the rest of a `From ` line contains a date: a weekday, a month, a day, a time,
/// and then a year on the same line.
fn has_date(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if is_one_of(word.strip_suffix(b",").unwrap_or(word), &WEEKDAYS) && is_date(words.clone()) {
            return true;
        }
    }
    false
}

/// Returns true if `words`, which follow a weekday, are a date.
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

pub(crate) const WEEKDAYS: [&[u8]; 7] = [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"];

/// Returns true if `word` is a number of at most this many digits.
fn is_number(word: &[u8], digits: usize) -> bool {
    !word.is_empty() && word.len() <= digits && word.iter().all(u8::is_ascii_digit)
}

/// The lines after the one at `from` that begin with the letter of a separator.
fn candidates(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> {
    let next = move |&at: &usize| next_line(bytes, at, *b"F");
    std::iter::successors(next(&from), next)
}

/// Returns the offset at which the message at the beginning of `bytes` ends: where the next
/// separator begins. `searched` is how many bytes earlier calls have searched, and is advanced;
/// `last` means that no more bytes follow.
pub(crate) fn end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    for start in candidates(bytes, *searched) {
        *searched = start - 1;
        match separates(bytes, start) {
            Verdict::Yes => return Some(start),
            Verdict::Unknown if !last => return None,
            Verdict::Unknown | Verdict::No => *searched = start,
        }
    }
    // The last bytes may be the beginning of a separator.
    *searched = (*searched).max(bytes.len().saturating_sub(b"\nFrom".len()));
    last.then_some(bytes.len())
}

/// Returns the beginning of the second message in an mbox without a first separator. Any separator
/// counts, because a reader that begins there must find the same messages.
///
/// The file is an mbox if a separator follows an empty line. Git patches do not count, because a
/// message may contain any number of them.
fn second_message(bytes: &[u8]) -> Option<usize> {
    let separates = |at: usize| {
        after_empty_line(bytes, at) && !begins_patch(&bytes[at..]) && separates(bytes, at) == Verdict::Yes
    };
    candidates(bytes, 0).any(separates).then(|| end(bytes, &mut 0, true)).flatten()
}

/// Returns the offset at which the header begins, after an optional separator at the start of
/// `bytes`.
pub(super) fn head(bytes: &[u8]) -> usize {
    let separator = line_end(bytes, 0);
    if !bytes.starts_with(b"From ") || has_url(&bytes[..separator]) {
        return 0;
    }
    let mut at = separator;
    while bytes[at..].starts_with(b">From ") {
        at = line_end(bytes, at);
    }
    if !bytes[at..].first().is_some_and(u8::is_ascii_whitespace) {
        return at;
    }
    // Empty lines before the first field are damage.
    let fields = at + bytes[at..].len() - bytes[at..].trim_ascii_start().len();
    if field_at(&bytes[fields..]).is_some() { fields } else { at }
}

/// Returns the structure of a message whose header may follow a separator.
pub(super) fn shape(bytes: &[u8]) -> Shape {
    Shape::Mail(head(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the line separates, if a header field follows.
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
    fn prose_is_no_separator() {
        assert!(!separator("From here we go"));
        assert!(!separator("From 10 to 12"));
        assert!(!separator("From Fri to Sun it was 10:30"));
        assert!(!separator("From me Fri Mar !2 10:11:12 2001"));
        assert!(!separator("From:"));
        assert!(!separator("From http://h.org/a Fri Mar  2 10:11:12 2001"));
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
        for line in ["From ", "From -", "From - \r", "From MAILER-DAEMON"] {
            let text = |before: &str, after: &str| format!("{before}\n{line}\n{after}");
            assert_eq!(damaged(&text("a\n", "X-Mozilla-Status: 0001\nFrom: a\n")), Verdict::Yes, "{line}");
            assert_eq!(damaged(&text("a\n", "X-Mozilla-Status: 0001\nX-A: a\n\nb")), Verdict::No, "{line}");
            assert_eq!(damaged(&text("a\n", "\nFrom: a\nTo: b\n")), Verdict::No, "{line}");
            assert_eq!(damaged(&text("", "From: a\nTo: b\n")), Verdict::No, "{line}");
        }
        assert_eq!(damaged("\nFrom a@h.org Fri\nFrom: a\nTo: b\n"), Verdict::No);
        assert_eq!(separates(&line.as_bytes()[..20], 0), Verdict::Unknown);
        assert_eq!(separates(b"Fro", 0), Verdict::Unknown);
    }

    #[test]
    fn patches_of_git() {
        let line =
            |name: usize| format!("From {} Mon Sep 17 00:00:00 2001\nFrom: a\n", "0a".repeat(name / 2));
        assert!(begins_patch(line(40).as_bytes()) && begins_patch(line(64).as_bytes()));
        assert!(!begins_patch(line(38).as_bytes()));
        for (first, expected) in [
            (format!("From {} Mon Sep 17 00:00:00 2001", "0123456789abcdefABCD".repeat(2)), true),
            (format!("From {} Mon Sep 17 00:00:00 2001\r", "a".repeat(40)), true),
            (format!("From {}g Mon Sep 17 00:00:00 2001", "a".repeat(39)), false),
            (format!("From {} Mon Sep 17 00:00:00 2001", "a@h.org/".repeat(5)), false),
            (format!("From {} Mon Sep 17 00:00:00 2001", "a".repeat(39)), false),
            (format!("From {} Mon Sep 17 00:00:00 2001", "a".repeat(41)), false),
            (format!("From {} Mon Sep 17 00:00:00 2001", "a".repeat(63)), false),
            (format!("From {} Mon Sep 17 00:00:00 2001", "a".repeat(65)), false),
            (format!("From {} Mon Sep 17 00:00:01 2001", "a".repeat(40)), false),
            (format!("From {} Mon Sep 17 00:00:00 2001 +0000", "a".repeat(40)), false),
            (format!(">From {} Mon Sep 17 00:00:00 2001", "a".repeat(40)), false),
        ] {
            assert_eq!(begins_patch(format!("{first}\nFrom: a\n").as_bytes()), expected, "{first}");
        }
        let message = |name| format!("To: a\n\n{}\n{}", line(40), line(name));
        assert_eq!(second_message(message(64).as_bytes()), None);
        // In an mbox, a patch is a message.
        assert_eq!(second_message(message(38).as_bytes()), Some(7));
    }

    #[test]
    fn bytes_far_away_do_not_count() {
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
        // Regardless of where the bytes are split.
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
    fn the_head_begins_after_the_separators() {
        assert_eq!(head(b"From -1234\nA: b\n"), 11);
        assert_eq!(head(b"From -1234\n>From a@h.org Fri Mar\nA: b\n"), 33);
        assert_eq!(head(b"A: b\n"), 0);
    }
}
