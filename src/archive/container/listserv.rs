//! The log files of LISTSERV: a line of 73 `=` before each message.
//!
//! The head of a message begins with its date, so such a line counts only if a field
//! `Date` follows. It is not part of the message.

use super::format::{self, Buffered, Format, Framing, LeadingGap};
use super::mail::Verdict;
use super::mbox;
use crate::archive::header::line_end;

pub(super) static FRAMING: Framing = Framing {
    starts: b"=",
    before: Some(gap),
    between: Some(gap),
    end,
    ..Framing::mail(Format::Listserv, begins, mbox::shape)
};

const RULE: &[u8] = &[b'='; 73];

/// The field after the line, in lower case.
const DATE: &[u8] = b"date:";

/// Returns whether `bytes` begin with the line and the field.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    let fits = |text: &[u8], from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().zip(text).all(|(b, c)| b.eq_ignore_ascii_case(c))
    };
    let returned = usize::from(bytes.get(RULE.len()) == Some(&b'\r'));
    let end = RULE.len() + returned;
    match fits(RULE, 0) && fits(b"\n", end) && fits(DATE, end + 1) {
        true if bytes.len() > end + DATE.len() => Verdict::Yes,
        true if !last => Verdict::Unknown,
        _ => Verdict::No,
    }
}

/// The line before the next message; `None` if more bytes are needed.
fn gap(Buffered { bytes, last, .. }: Buffered<'_>) -> Option<LeadingGap> {
    match begins(bytes, last) {
        Verdict::Yes => Some(LeadingGap { len: line_end(bytes, 0), ended: true }),
        Verdict::No => Some(LeadingGap { len: 0, ended: true }),
        Verdict::Unknown => None,
    }
}

/// Returns the offset at which the message at the beginning of `bytes` ends: at the next line of
/// equals signs. `searched` is the number of bytes that earlier calls have searched, and is advanced;
/// `last` means that no more bytes follow.
fn end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    format::end_before(b"\n===", |rest| begins(rest, last), bytes, searched, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_before_a_date() {
        let line = "=".repeat(73);
        let of = |rest: &str, last| begins(format!("{line}{rest}").as_bytes(), last);
        assert_eq!(of("\nDate:         Mon, 2 Mar 1998", false), Verdict::Yes);
        assert_eq!(of("\r\ndate: Mon, 2 Mar 1998", false), Verdict::Yes);
        assert_eq!(of("\nSubject: a", false), Verdict::No);
        for rest in ["=\nDate: a", "xDate: a b", "\rxDate: a b", "\r\rDate: a b", " \nDate: a b"] {
            assert_eq!(of(rest, false), Verdict::No, "{rest:?}");
        }
        assert_eq!(of("\nDat", true), Verdict::No);
        for cut in 0..80 {
            let text = format!("{line}\r\nDate:");
            assert_eq!(begins(&text.as_bytes()[..cut], false), Verdict::Unknown, "{cut}");
        }
        assert_eq!(begins(b"=== a heading ===\n", false), Verdict::No);
    }

    #[test]
    fn a_message_ends_before_the_line() {
        let line = "=".repeat(73);
        let text = format!("Date: a\n\n===\n{line}\nb\n{line}\nDate: c\n");
        let next = text.len() - line.len() - 9;
        for cut in 0..=text.len() {
            let mut searched = 0;
            let early = end(&text.as_bytes()[..cut], &mut searched, false);
            assert!(early.is_none() || early == Some(next), "{cut}: {early:?}");
            assert_eq!(end(text.as_bytes(), &mut searched, true), Some(next), "{cut}");
        }
        assert_eq!(end(b"Date: a\n\nb\n", &mut 0, true), Some(11));
    }
}
